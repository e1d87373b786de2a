"""The files of a run: formats, manifest, going on after a kill, the same bytes from anybody."""

from __future__ import annotations

import csv
import io
import json
import os
import signal
import subprocess
import sys
import threading
import time
import zipfile
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
from engine.selfplay.columns import Columns, Texts, join_columns, names_of
from engine.selfplay.pool import Workers
from engine.selfplay.records import (
    FORMATS,
    Folder,
    arrays_of,
    decode,
    default_format,
    encode,
    make_manifest,
)
from engine.selfplay.run import RunResult, play_run

REPO = Path(__file__).resolve().parents[1]
WORDS = ["AA", "QI", "ZA", "ZAX", "ZAS", "OX", "CAT", "CATS", "EAT", "TEA", "SEA", "RETINA"]


def texts(*given: str) -> Texts:
    data = [text.encode() for text in given]
    ends = np.cumsum([0, *map(len, data)]).astype(np.int32)
    return Texts(np.frombuffer(b"".join(data), np.uint8), ends)


TABLE: Columns = {
    "game": np.array([0, 0, 1], np.int64),
    "player": np.array([0, 1, 0], np.int8),
    "rack": texts("[CS]ŐA?", "", 'Q"'),
    "play": texts("8D WÖRd", "exch ?", "pass"),
    "score": np.array([26, -3, 0], np.int32),
    "equity": np.array([25.884, 0.001, np.nan]),
}


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def play(out: Path, **settings: Any) -> RunResult:
    """A short run."""
    given: dict[str, Any] = {"games": 60, "seed": 3, "chunk": 7, "out": out}
    return eng.play_games("equity", "greedy", **(given | settings))


# -- one file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_read(form: str) -> None:
    data = encode(TABLE, form)
    assert data == encode(TABLE, form)
    back = decode(data, form)
    assert list(back) == list(TABLE)
    for name, column in arrays_of(TABLE).items():
        np.testing.assert_array_equal(back[name], column)
    assert [int(x) for x in back["score"]] == [26, -3, 0]


def test_parquet_has_a_null_and_plain_types() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(encode(TABLE, "parquet")))
    assert table["equity"].to_pylist() == [25.884, 0.001, None]
    types = [str(field.type) for field in table.schema]
    assert types == ["int64", "int8", "string", "string", "int32", "double"]
    assert table.schema.metadata is None


def test_csv_is_as_people_expect_it() -> None:
    rows = list(csv.DictReader(io.StringIO(encode(TABLE, "csv").decode())))
    assert rows[0] == {
        "game": "0", "player": "0", "rack": "[CS]ŐA?", "play": "8D WÖRd", "score": "26",
        "equity": "25.884",
    }  # fmt: skip
    assert rows[2]["equity"] == ""
    assert rows[2]["rack"] == 'Q"'


def test_npz_has_no_dates() -> None:
    with zipfile.ZipFile(io.BytesIO(encode(TABLE, "npz"))) as file:
        assert {info.date_time[0] for info in file.infolist()} == {1980}


def test_tables_are_joined() -> None:
    joined = arrays_of(join_columns([TABLE, TABLE]))
    assert joined["play"].tolist() == 2 * ["8D WÖRd", "exch ?", "pass"]
    assert joined["score"].tolist() == 2 * [26, -3, 0]


@pytest.mark.parametrize("form", FORMATS)
def test_a_run_in_every_format(form: str, tmp_path: Path) -> None:
    result = play(tmp_path, format=form, games=10)
    names = {"manifest.json"}
    names |= {f"{what}-00000{i}.{form}" for what in ("turns", "games") for i in (0, 1)}
    assert set(files(tmp_path)) == names
    kept = eng.play_games("equity", "greedy", games=10, seed=3)
    for mine, theirs in ((result.turns(), kept.turns()), (result.games(), kept.games())):
        assert list(mine) == list(theirs)
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name])
    assert tuple(result.turns()) == names_of("turns", 2)
    assert tuple(result.games()) == names_of("games", 2)
    assert result.figures() == kept.figures()


def test_without_pyarrow_there_is_npz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert default_format() == "npz"
    play(tmp_path / "a", games=3)
    assert (tmp_path / "a" / "games-000000.npz").exists()
    with pytest.raises(QuixotryError, match=r"pip install 'quixotry\[data\]'"):
        play(tmp_path / "b", games=3, format="parquet")
    assert not (tmp_path / "b").exists()


# -- the same bytes from anybody -------------------------------------------------------------------


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run by one thread."""
    folder = tmp_path_factory.mktemp("undisturbed")
    play(folder)
    return files(folder)


@pytest.mark.parametrize(
    "workers",
    [Workers("threads", 2), Workers("processes", 2), Workers("cluster", address="local:2")],
    ids=lambda workers: workers.kind,
)
def test_workers_make_the_same_bytes(
    workers: Workers, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    play(tmp_path, workers=workers)
    assert files(tmp_path) == undisturbed


@pytest.mark.parametrize(
    "workers",
    [Workers("processes", 2), Workers("cluster", address="local:2")],
    ids=lambda workers: workers.kind,
)
def test_a_worker_killed_in_the_middle_costs_nothing(workers: Workers, tmp_path: Path) -> None:
    play(tmp_path / "a", games=400, chunk=20)
    killed: list[int] = []

    def kill_one(totals: Any) -> None:
        mine = _descendants()
        if totals.games >= 100 and not killed and mine:
            killed.append(mine[-1])
            os.kill(mine[-1], signal.SIGKILL)

    result = play(tmp_path / "b", games=400, chunk=20, workers=workers, progress=kill_one)
    assert killed
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert result.games()["game"].tolist() == list(range(400))


def _descendants() -> list[int]:
    """Processes of this one that play games: those that spawn started."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        try:
            line = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == os.getpid() and b"spawn_main" in line:
            found.append(int(entry.name))
    return sorted(found)


def test_a_run_killed_in_the_middle_goes_on(tmp_path: Path) -> None:
    """Twice, with processes and with threads; the leftovers of the killed ones go."""
    arguments = ["--players", "equity,greedy", "--games", "800", "--seed", "3", "--chunk", "20"]
    play(tmp_path / "a", games=800, chunk=20)
    cut = tmp_path / "b"
    command = [sys.executable, "-m", "engine.app.cli", "selfplay", *arguments, "--out", str(cut)]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    there = 0
    for extra in (["--workers", "2", "--processes"], ["--workers", "2"]):
        run = subprocess.Popen(
            [*command, *extra], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        begun = time.monotonic()
        while len(list(cut.glob("games-*"))) < there + 3 and time.monotonic() - begun < 60:
            assert run.poll() is None, run.communicate()
            time.sleep(0.01)
        run.kill()
        run.communicate()
        there = len(list(cut.glob("games-*")))
        assert 3 <= there < 40
    (cut / ".turns-000099.parquet.1.tmp").write_bytes(b"half")
    finished = {name: data for name, data in files(cut).items() if not name.startswith(".")}
    result = play(cut, games=800, chunk=20, workers=2)
    assert files(tmp_path / "a") == files(cut)
    assert finished.items() <= files(cut).items()
    games = result.games()["game"].tolist()
    assert games == list(range(800))
    assert result.figures() == play(tmp_path / "a", games=800, chunk=20).figures()


def test_missing_and_damaged_files(tmp_path: Path) -> None:
    result = play(tmp_path)
    before = files(tmp_path)
    form = default_format()
    (tmp_path / f"games-000002.{form}").unlink()
    (tmp_path / f"turns-000004.{form}").unlink()
    play(tmp_path)
    assert files(tmp_path) == before
    broken = tmp_path / f"games-000003.{form}"
    broken.write_bytes(b"PAR1 but not for long")
    with pytest.raises(QuixotryError, match=r"games-000003.*damaged \(delete it"):
        play(tmp_path)
    broken.write_bytes(before[f"games-000001.{form}"])
    with pytest.raises(QuixotryError, match=r"games-000003.*not games 21 and on"):
        play(tmp_path)
    broken.unlink()
    assert play(tmp_path).figures() == result.figures()
    assert files(tmp_path) == before


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
        ({"format": "csv"}, "format is npz there, csv here"),
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


def test_folders_that_cannot_be_used(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(QuixotryError, match="file"):
        play(tmp_path / "file")
    with pytest.raises(QuixotryError, match="file"):
        play(tmp_path / "file" / "folder")
    stray = tmp_path / "stray"
    stray.mkdir()
    (stray / "games-000000.parquet").write_bytes(b"")
    with pytest.raises(QuixotryError, match="without a manifest"):
        play(stray)
    wrong = tmp_path / "wrong"
    wrong.mkdir()
    (wrong / "manifest.json").write_text("{")
    with pytest.raises(QuixotryError, match="not a manifest"):
        play(wrong)


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
