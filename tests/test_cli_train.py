"""``quixotry train``, and what ``lexicon info`` says of the files that it writes."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import engine as eng
from engine.app.cli import main
from engine.errors import QuixotryError
from engine.lexicon.leave_files import load_leaves, read_header
from engine.rules.rules import find_rules
from engine.search.winpct import load_win_table, read_win_table

Capture = pytest.CaptureFixture[str]
REPO = Path(__file__).resolve().parents[1]
LEAVES = ["train", "leaves", "--games", "200", "--generations", "1", "--pairs", "30"]
WINPCT = ["train", "winpct", "--games", "200"]


def _output(capsys: Capture, *arguments: str) -> str:
    capsys.readouterr()
    assert main(list(arguments)) == 0
    out, err = capsys.readouterr()
    assert err == ""  # silent in a pipe
    return out


def test_leaves_are_trained_to_a_file_and_summed_up(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "mine.qlv"
    out = _output(capsys, *LEAVES, "--out", str(file))
    leaves = load_leaves(file, find_rules("english").tiles)
    assert (leaves.name, leaves.max_len) == ("mine", 6)
    assert re.search(
        r"^generation 1: 200 games, \d+ racks; wins \d+\.\d\d% \(\d+\.\d\d% to \d+\.\d\d%\) of \d+"
        r" pairs against those before$",
        out,
        re.MULTILINE,
    )
    lines = {line.split()[0]: line.split() for line in out.splitlines()}
    tiles = dict(zip(lines["tiles"][1::2], map(float, lines["tiles"][2::2]), strict=True))
    assert len(tiles) == 27
    assert tiles["?"] == round(leaves.value([0]) / 1000, 1) == max(tiles.values())
    best, worst = (lines[name][1::2] for name in ("best", "worst"))
    assert len(best) == len(worst) == 10
    assert all(text.count("?") <= 2 for text in best)  # no leave that cannot be drawn
    worth = [leaves.value(find_rules("english").tiles.parse_rack(text)) for text in best]
    assert worth == sorted(worth, reverse=True)
    assert f"written to {file}" in out
    assert [path.name for path in tmp_path.iterdir()] == ["mine.qlv"]


def test_best_and_worst_leaves_are_those_of_all_that_can_be_drawn() -> None:
    import numpy as np

    from engine.app.cli_train import _extremes
    from engine.lexicon.leaves import Leaves, multisets, table_size

    tiles = find_rules("english").tiles
    values = np.random.default_rng(3).integers(-30_000, 30_000, table_size(27, 3))
    values[0] = 0
    leaves = Leaves("x", 27, 3, values.astype(np.int32))
    drawable = [
        letters
        for rows in multisets(27, 3)
        for letters in map(tuple, rows.tolist())
        if all(letters.count(letter) <= tiles.counts[letter] for letter in letters)
    ]
    ordered = sorted((leaves.value(letters) / 1000 for letters in drawable), reverse=True)
    best, worst = _extremes(leaves, tiles)
    assert [points for _, points in best] == ordered[:10]
    assert [points for _, points in worst] == ordered[::-1][:10]
    for text, points in best + worst:
        assert leaves.value(tiles.parse_rack(text)) / 1000 == points


def test_a_win_table_is_trained_to_a_file_and_judged(capsys: Capture, tmp_path: Path) -> None:
    file = tmp_path / "mine.qwp"
    out = _output(capsys, *WINPCT, "--out", str(file), "--leaves", "zero", "--name", "flat")
    table = load_win_table(file)
    assert table.name == "flat"
    assert re.search(r"^20 fresh games, \d+ positions: Brier score 0\.1\d\d\d$", out, re.MULTILINE)
    rows = re.findall(r"^ *([\d.]+)% +([\d.]+)% +([+-][\d.]+) +(\d+)$", out, re.MULTILINE)
    assert 5 <= len(rows) <= 10
    for forecast, result, off, _ in rows:
        assert float(result) - float(forecast) == pytest.approx(float(off), abs=0.011)
    positions = re.findall(r"(\d+) positions", out)[0]
    assert sum(int(row[3]) for row in rows) == int(positions)


@pytest.mark.parametrize(("command", "ending"), [(LEAVES, "qlv"), (WINPCT, "qwp")])
def test_json_is_the_record_and_workers_do_not_change_it(
    capsys: Capture, tmp_path: Path, command: list[str], ending: str
) -> None:
    file = tmp_path / f"a.{ending}"
    found = []
    for more in (["--workers", "1"], ["--workers", "2"], ["--workers", "2", "--processes"]):
        (line,) = _output(capsys, *command, "--out", str(file), "--json", *more).splitlines()
        found.append((json.loads(line), file.read_bytes()))
    assert found[0] == found[1] == found[2]
    record: dict[str, Any] = found[0][0]
    assert (record["file"], record["name"]) == (str(file), "a")
    assert (record["games"], record["seed"], record["rules"]) == (200, 0, "english")
    header = (read_header if ending == "qlv" else read_win_table)(file)[0]
    assert record | header["training"] == record


@pytest.mark.parametrize(("command", "ending"), [(LEAVES, "qlv"), (WINPCT, "qwp")])
def test_lexicon_info_tells_how_a_file_was_made(
    capsys: Capture, tmp_path: Path, command: list[str], ending: str
) -> None:
    file = tmp_path / f"a.{ending}"
    _output(capsys, *command, "--out", str(file))
    out = _output(capsys, "lexicon", "info", str(file))
    told = dict(line.split("\t", 1) for line in out.splitlines())
    assert told["leaves" if ending == "qlv" else "win table"] == str(file)
    assert told["training games"] == "200"
    assert told["training lexicon words"] == "168548"
    assert ("training steps 1 win share" if ending == "qlv" else "training fresh brier") in told
    found = json.loads(_output(capsys, "lexicon", "info", str(file), "--json"))
    assert found["file"] == str(file)
    assert found["labels"][:2] == ["?", "A"]
    assert found["training"]["games"] == 200
    file.write_bytes(file.read_bytes()[:-1])
    assert main(["lexicon", "info", str(file)]) == 1
    assert "damaged" in capsys.readouterr().err


def test_lexicon_and_rules_of_ones_own(capsys: Capture, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("aa\nqi\nza\ncat\ncats\ntea\neat\nsea\n")
    more = ("--rules", "english+nine", "--lexicon", str(words), "--json")
    leaves = json.loads(_output(capsys, *LEAVES, "--out", str(tmp_path / "a.qlv"), *more))
    assert (leaves["lexicon"]["words"], leaves["rack_size"]) == (8, 9)
    given = ("--leaves", str(tmp_path / "a.qlv"))
    table = json.loads(_output(capsys, *WINPCT, "--out", str(tmp_path / "a.qwp"), *more, *given))
    assert (table["leaves"]["name"], table["rules"]) == ("a", "english+nine")
    load_win_table(tmp_path / "a.qwp").check_rules(find_rules("english+nine"))


def test_a_live_line_on_a_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "140")
    monkeypatch.setattr("lexicon_build.winpct.CHUNK", 40)
    assert main([*WINPCT, "--out", str(tmp_path / "a.qwp")]) == 0
    err = capsys.readouterr().err
    assert "200 of 200 games" in err
    assert "20 of 20 games" in err
    assert "fresh games" in err
    assert "games/s" in err


@pytest.mark.parametrize("what", ["leaves", "winpct"])
@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "0"], "games: 0, expected 1 to"),
        (["--seed", "-1"], "--seed: seed -1"),
        (["--rules", "klingon"], "no rules 'klingon'"),
        (["--rules", "finnish", "--lexicon", "english"], "not for the tile set"),
        (["--lexicon", "none.txt"], "none.txt: No such file"),
        (["--workers", "0"], "--workers 0"),
        (["--cluster", "local:x"], "local:N"),
        (["--cluster", "local:2", "--processes"], "--cluster goes without"),
        (["--out", "a.txt"], "a.txt: expected a file name that ends in .q"),
        (["--out", "nowhere/a"], "there is no folder nowhere"),
        (["--out", "x" * 300], "File name too long"),
        (["--name", " "], "name ' ', expected 1 to 200 characters"),
    ],
)
def test_bad_input_is_one_line(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str,
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    ending = ".qlv" if what == "leaves" else ".qwp"
    if arguments[0] == "--out" and "." not in arguments[1]:
        arguments = ["--out", arguments[1] + ending]
    given = ["train", what, "--out", f"a{ending}", *arguments]
    assert main(given) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("quixotry: error: ")
    assert message in err
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["leaves", "--out", "a.qlv", "--generations", "0"], "generations: 0"),
        (["leaves", "--out", "a.qlv", "--pairs", "0"], "pairs: 0"),
        (["leaves", "--out", "a.qlv", "--max-len", "7"], "longest leave: 7, expected 1 to 6"),
        (["winpct", "--out", "a.qwp", "--leaves", "none.csv"], "none.csv: No such file"),
        (["winpct", "--out", "a.qwp", "--rules", "english+finish-expert"], "no win table"),
    ],
)
def test_what_only_one_takes_is_checked_too(
    capsys: Capture, tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    arguments: list[str], message: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(tmp_path)
    assert main(["train", *arguments]) == 1
    assert message in capsys.readouterr().err
    assert not list(tmp_path.iterdir())


def test_wrong_usage_exits_with_2() -> None:
    for arguments in ([], ["winpct"], ["leaves", "--out", "a.qlv", "--leaves", "zero"]):
        with pytest.raises(SystemExit) as end:
            main(["train", *arguments])
        assert end.value.code == 2


def test_ctrl_c_is_one_line_and_the_same_command_goes_on(tmp_path: Path) -> None:
    """Stopped once it has begun to keep what is done; what then comes out is what would have."""
    out, whole = tmp_path / "out.qwp", tmp_path / "whole.qwp"
    command = [sys.executable, "-m", "engine.app.cli", "train", "winpct", "--games", "1500"]
    command += ["--name", "x", "--workers", "1", "--out"]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    process = subprocess.Popen(
        [*command, str(out)], cwd=REPO, env=environment, stderr=subprocess.PIPE, text=True
    )
    kept = tmp_path / "out.qwp.training"
    patience = time.monotonic() + 120
    while not kept.exists() and time.monotonic() < patience:
        time.sleep(0.01)
    process.send_signal(signal.SIGINT)
    err = process.communicate(timeout=120)[1]
    assert process.returncode == 130
    assert err == "quixotry: stopped; the same command goes on\n"
    assert not out.exists()
    for file in (out, whole):
        assert main([*command[3:], str(file)]) == 0
    assert out.read_bytes() == whole.read_bytes()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["out.qwp", "whole.qwp"]


# -- from Python -----------------------------------------------------------------------------------


def test_training_by_names_from_python(tmp_path: Path) -> None:
    made = eng.train_leaves(
        tmp_path / "a.qlv", games=200, generations=1, pairs=30, max_len=3, workers=2
    )
    assert (made.leaves.name, made.leaves.max_len) == ("a", 3)
    told: list[tuple[str, int, int]] = []
    table = eng.train_winpct(
        str(tmp_path / "a.qwp"), leaves=made.leaves, games=100, progress=lambda *x: told.append(x)
    ).table
    assert table == load_win_table(tmp_path / "a.qwp")
    assert told == [("games", 100, 100), ("fresh games", 10, 10)]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"out": 3}, "out 3, expected a .qwp file"),
        ({"workers": "many"}, "workers 'many'"),
        ({"games": "x"}, "games: 'x'"),
        ({"rules": 7}, "rules 7"),
        ({"name": 5}, "name 5"),
    ],
)
def test_what_cannot_be_is_refused_in_python(
    tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    given: dict[str, Any] = {"out": tmp_path / "a.qwp", "games": 10} | change
    with pytest.raises(QuixotryError, match=message):
        eng.train_winpct(**given)
    assert not list(tmp_path.iterdir())


def test_a_folder_is_not_written_over(tmp_path: Path) -> None:
    (tmp_path / "a.qwp").mkdir()
    with pytest.raises(QuixotryError, match="is a folder"):
        eng.train_winpct(tmp_path / "a.qwp", games=10)


def test_short_racks_have_the_leaves_that_fit(tmp_path: Path) -> None:
    from engine.app.training import _longest

    assert _longest(find_rules("english")) == 6
    assert _longest(find_rules("english+nine")) == 6
    chana = tmp_path / "short.toml"
    chana.write_text('base = "english"\nrack_size = 4\nbonus = { 4 = 20 }\n')
    assert _longest(find_rules(str(chana))) == 3
