"""The folder of a run: what is whole and what is played again, and whose folder it is."""

from __future__ import annotations

import json
import logging
import os
import shutil
import sys
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine as eng
from engine.errors import LexiconFileError, QuixotryError
from engine.players.static import find_player
from engine.rules.rules import find_rules
from engine.selfplay.folder import Folder, make_manifest
from engine.selfplay.records import FORMATS, default_format
from engine.selfplay.run import RunResult, play_run

FORM = default_format()
WORDS = ["AA", "QI", "ZA", "ZAX", "ZAS", "OX", "CAT", "CATS", "EAT", "TEA", "SEA", "RETINA"]


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def play(out: Path, **settings: Any) -> RunResult:
    """A short run."""
    given: dict[str, Any] = {"games": 60, "seed": 3, "chunk": 7, "out": out}
    return eng.play_games("equity", "greedy", **(given | settings))


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A finished run of 9 chunks."""
    folder = tmp_path_factory.mktemp("whole")
    play(folder)
    return folder


@pytest.fixture
def run(whole: Path, tmp_path: Path) -> Path:
    """A copy of it, to be harmed."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


# -- chunks that are whole -------------------------------------------------------------------------


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    data[len(data) // 2] ^= 0x40
    file.write_bytes(data)


def _cut(file: Path) -> None:
    file.write_bytes(file.read_bytes()[:-1])


def _lengthen(file: Path) -> None:
    file.write_bytes(file.read_bytes() + b"\0")


def _empty(file: Path) -> None:
    file.write_bytes(b"")


@pytest.mark.parametrize(
    "name", [f"turns-000004.{FORM}", f"games-000004.{FORM}", "chunk-000004.json"]
)
@pytest.mark.parametrize("harm", [_flip, _cut, _lengthen, _empty, Path.unlink])
def test_a_chunk_that_is_not_whole_is_played_again(
    harm: Callable[[Path], None], name: str, run: Path, whole: Path
) -> None:
    before = (run / "chunk-000003.json").stat().st_mtime_ns
    harm(run / name)
    result = play(run)
    assert files(run) == files(whole)
    assert result.totals.games == 60
    assert (run / "chunk-000003.json").stat().st_mtime_ns == before  # the others were kept


@pytest.mark.parametrize("form", FORMATS)
def test_a_damaged_file_of_turns_is_noticed_in_every_format(form: str, tmp_path: Path) -> None:
    play(tmp_path, format=form)
    before = files(tmp_path)
    _flip(tmp_path / f"turns-000002.{form}")
    play(tmp_path, format=form)
    assert files(tmp_path) == before


def test_a_damaged_chunk_is_logged_and_a_missing_one_is_not(
    run: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (run / "chunk-000001.json").unlink()
    with caplog.at_level(logging.WARNING, "engine"):
        play(run)
        assert not caplog.records
        _flip(run / f"turns-000006.{FORM}")
        play(run)
    assert [record.getMessage() for record in caplog.records] == [
        f"{run}: chunk 6 is damaged or not complete: played again"
    ]


def test_files_of_another_chunk_or_run_are_not_taken(
    run: Path, whole: Path, tmp_path: Path
) -> None:
    """Whole files with a right record, in the wrong place."""
    play(tmp_path / "other", seed=4)
    for what, form in (("turns", FORM), ("games", FORM), ("chunk", "json")):
        shutil.copy(run / f"{what}-000001.{form}", run / f"{what}-000005.{form}")
        shutil.copy(tmp_path / "other" / f"{what}-000002.{form}", run / f"{what}-000002.{form}")
    play(run)
    assert files(run) == files(whole)


def test_what_a_killed_run_left_half_written_goes_and_never_counts(run: Path, whole: Path) -> None:
    for number, ending in ((2, "1"), (9, "31")):
        for name in (f"turns-{number:06}.{FORM}", f"games-{number:06}.{FORM}"):
            (run / f".{name}.{ending}.tmp").write_bytes(b"half")
        (run / f".chunk-{number:06}.json.{ending}.tmp").write_bytes(b"half")
    (run / ".manifest.json.7.tmp").write_bytes(b"half")
    shutil.copy(run / "chunk-000003.json", run / ".chunk-000003.json.9.tmp")
    (run / "chunk-000003.json").unlink()
    assert play(run).totals.games == 60
    assert files(run) == files(whole)


def test_a_folder_with_only_half_a_manifest_is_a_new_one(tmp_path: Path, whole: Path) -> None:
    (tmp_path / ".manifest.json.7.tmp").write_bytes(b"{")
    play(tmp_path)
    assert files(tmp_path) == files(whole)


def test_other_files_beside_a_run_are_left_alone(run: Path) -> None:
    for name in ("notes.txt", ".notes.tmp", ".turns-000001.tmp", "r.html"):
        (run / name).write_text("mine")
    play(run)
    for name in ("notes.txt", ".notes.tmp", ".turns-000001.tmp", "r.html"):
        assert (run / name).read_text() == "mine"


@pytest.mark.parametrize("form", FORMATS)
def test_a_file_that_cannot_be_read_after_the_run_is_one_clear_error(
    form: str, tmp_path: Path
) -> None:
    result = play(tmp_path, format=form, games=10)
    for data in (b"", b"PAR1", b"PK\3\4" + bytes(80), b'game,"turn\n1,2,3\n', bytes(3000)):
        (tmp_path / f"turns-000001.{form}").write_bytes(data)
        with pytest.raises(QuixotryError, match=rf"turns-000001\.{form}: damaged"):
            result.turns()


# -- the manifest ----------------------------------------------------------------------------------


def test_the_manifest_says_what_the_run_is(tmp_path: Path) -> None:
    play(tmp_path, games=3, leaves=["zero", "english"])
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    assert {"quixotry", "numba", "numpy"} <= set(manifest["versions"])
    assert (manifest["seed"], manifest["games"], manifest["chunk"]) == (3, 3, 7)
    assert manifest["rules"]["text"]["rack_size"] == 7
    equity, greedy = manifest["players"]
    assert equity["lexicon"] == greedy["lexicon"]
    assert equity["lexicon"]["words"] > 100_000
    assert equity["leaves"]["name"] == "zero"
    assert (equity["name"], greedy["name"]) == ("equity", "greedy")


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        ({"seed": 4}, "seed is 3 there, 4 here"),
        ({"games": 61}, "games is 60 there, 61 here"),
        ({"chunk": 8}, "chunk is 7 there, 8 here"),
        ({"format": "csv"}, "the format is npz there, csv here"),
        ({"rules": "english+nine"}, r"rules.name is english there, english\+nine here"),
        ({"leaves": "zero"}, "players.0.leaves.name is english there, zero here"),
        ({"lexicon": WORDS}, "players.0.lexicon.name is english there, words here"),
    ],
)
def test_another_run_is_refused_with_the_difference(
    settings: dict[str, Any],
    difference: str,
    tmp_path_factory: pytest.TempPathFactory,
    load: Callable[..., Any],
) -> None:
    folder = tmp_path_factory.getbasetemp() / "refused"
    if not folder.exists():
        play(folder, format="npz")
    before = files(folder)
    if "lexicon" in settings:
        settings = {"lexicon": load(settings["lexicon"])}
    with pytest.raises(QuixotryError, match=f"holds another run: .*{difference}"):
        play(folder, **{"format": "npz", **settings})
    assert files(folder) == before


def test_other_versions_are_another_run(tmp_path: Path) -> None:
    play(tmp_path, games=3)
    file = tmp_path / "manifest.json"
    file.write_text(file.read_text("utf-8").replace(f'"{np.__version__}"', '"1.0"'), "utf-8")
    with pytest.raises(QuixotryError, match=f"versions.numpy is 1.0 there, {np.__version__} here"):
        play(tmp_path, games=3)


def test_a_worker_with_other_versions_refuses() -> None:
    from engine.selfplay.run import ChunkTask

    player = find_player("greedy", find_rules("english"), eng.load_lexicon("english"))
    task = ChunkTask(find_rules("english"), (player, player), 1, 5, 5, "csv", {"numpy": "1.0"})
    with pytest.raises(QuixotryError, match="a worker has"):
        task(0)


def test_what_a_manifest_depends_on(load: Callable[..., Any]) -> None:
    rules = find_rules("english")

    def made(**change: Any) -> str:
        own = replace(rules, **change)
        player = find_player("equity", own, load(WORDS))
        entry = make_manifest(own, [player] * 2, games=1, seed=1, chunk=1, form="csv")["rules"]
        return str(entry["hash"])

    assert made() == made()
    assert made() != made(exchange_min_bag=1)


@pytest.mark.parametrize("there", FORMATS)
@pytest.mark.parametrize("here", FORMATS)
def test_another_format_is_said_in_one_word(here: str, there: str, tmp_path: Path) -> None:
    if here == there:
        return
    play(tmp_path, games=3, format=there)
    with pytest.raises(QuixotryError) as error:
        play(tmp_path, games=3, format=here)
    text = f"{tmp_path}: holds another run: the format is {there} there, {here} here"
    assert str(error.value) == text


NONE = ["[1]", "{}", "{", "", "null", "[" * 100_000, "\xff", '{"version": 2}', "7" * 5000]


@pytest.mark.parametrize("text", NONE, ids=lambda text: text[:12])
def test_a_damaged_manifest_is_written_anew_where_the_chunks_are_of_this_run(
    text: str, run: Path, whole: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (run / "manifest.json").write_bytes(text.encode("latin-1"))
    before = (run / "chunk-000003.json").stat().st_mtime_ns
    _empty(run / "chunk-000005.json")
    assert play(run).totals.games == 60
    assert files(run) == files(whole)
    assert (run / "chunk-000003.json").stat().st_mtime_ns == before
    assert "manifest.json is damaged or missing: written again" in caplog.text


def test_a_missing_manifest_is_written_anew_where_the_chunks_are_of_this_run(
    run: Path, whole: Path
) -> None:
    (run / "manifest.json").unlink()
    play(run)
    assert files(run) == files(whole)


@pytest.mark.parametrize("harm", [_empty, Path.unlink])
def test_without_a_manifest_chunks_of_another_run_are_refused(
    harm: Callable[[Path], None], run: Path, tmp_path: Path
) -> None:
    play(tmp_path / "other", seed=4)
    shutil.copy(tmp_path / "other" / "chunk-000002.json", run)
    harm(run / "manifest.json")
    before = files(run)
    with pytest.raises(QuixotryError, match=r"its chunks are not of this run.*delete this whole"):
        play(run)
    assert files(run) == before


@pytest.mark.parametrize("text", NONE, ids=lambda text: text[:12])
def test_a_manifest_that_is_none_without_chunks_is_said(text: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_bytes(text.encode("latin-1"))
    before = files(tmp_path)
    with pytest.raises(QuixotryError, match=r"manifest\.json: no manifest.*delete this whole"):
        play(tmp_path)
    assert files(tmp_path) == before


def test_an_empty_name_of_a_folder_is_refused() -> None:
    with pytest.raises(QuixotryError, match="out '', expected the name of a folder"):
        play("")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("key", "value", "said"),
    [
        ("games", "many", "games is many there, 60 here"),
        ("players", [], "players: 0 there, 2 here"),
        ("players", 5, "players is 5 there"),
        ("rules", None, "rules is null there"),
        ("version", 1, "version is 1 there, 2 here"),
        ("format", ["csv"], r'the format is \["csv"\] there'),
        ("more", 1, "more is 1 there, null here"),
    ],
)
def test_a_manifest_with_something_odd_is_another_run(
    key: str, value: object, said: str, run: Path
) -> None:
    file = run / "manifest.json"
    file.write_text(json.dumps(json.loads(file.read_text("utf-8")) | {key: value}))
    with pytest.raises(QuixotryError, match=f"holds another run: .*{said}"):
        play(run)


# -- folders that are not for it -------------------------------------------------------------------


@pytest.mark.parametrize("name", ["photo.jpg", ".hidden", "sub", f"games-000000.{FORM}", "a.tmp"])
def test_a_folder_with_files_of_something_else_is_refused(name: str, tmp_path: Path) -> None:
    if name == "sub":
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_text("mine")
    with pytest.raises(QuixotryError) as error:
        play(tmp_path)
    assert str(error.value).startswith(f"{tmp_path}: holds files of something else ('{name}')")
    assert [file.name for file in tmp_path.iterdir()] == [name]


def test_a_file_in_the_place_of_the_folder_is_said(tmp_path: Path) -> None:
    file = tmp_path / "file"
    file.write_text("x")
    for out in (file, file / "folder", file / "deep" / "down"):
        with pytest.raises(QuixotryError) as error:
            play(out)
        assert str(error.value) == f"{file}: is a file, expected a folder for records"
    assert file.read_text() == "x"


@pytest.mark.parametrize("name", ["x" * 300, "a\0b"])
def test_a_name_that_no_folder_can_have(name: str, tmp_path: Path) -> None:
    with pytest.raises(QuixotryError, match=r"too long|no file can have such a name"):
        play(tmp_path / name)


def test_a_manifest_that_is_a_folder(tmp_path: Path) -> None:
    (tmp_path / "manifest.json").mkdir()
    with pytest.raises(QuixotryError, match=r"manifest\.json: Is a directory"):
        play(tmp_path)


@pytest.mark.skipif(sys.platform == "win32", reason="no locks there")
def test_two_runs_do_not_write_into_one_folder(tmp_path: Path) -> None:
    play(tmp_path, games=3)
    manifest = json.loads((tmp_path / "manifest.json").read_text("utf-8"))
    folder = Folder(tmp_path, manifest)
    with pytest.raises(QuixotryError, match="another run is writing here"):
        play(tmp_path, games=3)
    folder.close()
    play(tmp_path, games=3)


def test_a_disk_that_is_full_is_one_clear_error(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    def full(descriptor: int) -> None:
        raise OSError(28, "No space left on device")

    rules = find_rules("english")
    player = find_player("greedy", rules, eng.load_lexicon("english"))
    calls: list[int] = []

    def progress(totals: Any) -> None:
        calls.append(totals.games)
        if totals.games == 8:
            monkeypatch.setattr(os, "fsync", full)

    with pytest.raises(LexiconFileError, match="No space left"):
        play_run(rules, [player] * 2, games=40, seed=1, chunk=4, out=tmp_path, progress=progress)
    assert calls == [0, 4, 8]
    assert not list(tmp_path.glob(".*"))
    assert not [t for t in threading.enumerate() if t.name.startswith("selfplay")]
    monkeypatch.undo()
    result = play_run(rules, [player] * 2, games=40, seed=1, chunk=4, out=tmp_path)
    assert result.totals.games == 40
