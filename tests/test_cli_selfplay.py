"""``quixotry selfplay`` on the command line."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.app.cli import main

Capture = pytest.CaptureFixture[str]
MATCH = ["match", "equity", "greedy", "--pairs", "3"]
SHORT = ["selfplay", "--players", "equity,greedy", "--games", "30", "--seed", "1"]


def _output(capsys: Capture, *arguments: str) -> str:
    capsys.readouterr()
    assert main([*SHORT, *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""  # silent in a pipe
    return out


def test_json_is_one_object(capsys: Capture, tmp_path: Path) -> None:
    out = _output(capsys, "--json", "--out", str(tmp_path / "a"), "--chunk", "10")
    (line,) = out.splitlines()
    figures: dict[str, Any] = json.loads(line)
    assert figures["games"] == 30
    assert [player["name"] for player in figures["players"]] == ["equity", "greedy"]
    assert 0 < figures["first_mover_share"] < 1
    assert 250 < figures["players"][0]["score"] < 550
    assert sum(figures["ends"].values()) == 30
    assert len(list((tmp_path / "a").iterdir())) == 10
    again = _output(capsys, "--json", "--out", str(tmp_path / "a"), "--chunk", "10")
    assert again == out
    assert _output(capsys, "--json", "--workers", "1") == out  # without records


def test_the_summary_names_the_players(capsys: Capture) -> None:
    out = _output(capsys)
    assert re.search(r"^30 games, rules english, seed 1$", out, re.MULTILINE)
    assert re.search(r"^0 equity +\d+\.\d\d ", out, re.MULTILINE)
    assert re.search(r"^who began won \d+\.\d+% \(", out, re.MULTILINE)
    assert re.search(r"^ended by out ", out, re.MULTILINE)


def test_lexicon_and_leaves_from_files(capsys: Capture, tmp_path: Path) -> None:
    words = tmp_path / "words.txt"
    words.write_text("aa\nqi\nza\ncat\ncats\ntea\neat\nsea\n")
    few = json.loads(_output(capsys, "--json", "--lexicon", str(words), "--leaves", "zero"))
    mixed = json.loads(
        _output(capsys, "--json", "--lexicon", str(words), "--lexicon", "english")
    )  # a lexicon each
    assert few["players"][0]["score"] < 200
    assert mixed["players"][1]["score"] > mixed["players"][0]["score"] + 50


def test_a_report_has_a_table_and_plots(capsys: Capture, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "r.html"
    _output(capsys, "--report", str(file))
    page = file.read_text("utf-8")
    assert page.count('src="data:image/png;base64,iVBOR') == 4
    assert "<td>0 equity</td>" in page
    assert re.search("http", page) is None  # nothing to fetch
    _output(capsys, "--report", str(tmp_path / "again.html"))
    assert (tmp_path / "again.html").read_text("utf-8") == page


def test_a_live_line_on_a_terminal(
    capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "140")
    assert main([*SHORT, "--chunk", "5", "--out", str(tmp_path)]) == 0
    out, err = capsys.readouterr()
    assert "30 games" in out
    assert re.search(r"equity \d+\.\d% \(\d+\.\d% to \d+\.\d%\)", err)
    assert re.search(r"games/s", err)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--games", "0"], "--games 0, expected a whole number from 1 to"),
        (["--seed", "-1"], "--seed: seed -1"),
        (["--players", "equity"], "--players: 1 player given, expected 2 to 4"),
        (["--players", "equity,,greedy"], "--players: no player ''"),
        (["--players", "a,b"], "no player 'a'; there are equity, greedy"),
        (["--players", "greedy,greedy,greedy,greedy,greedy"], "5 players"),
        (["--rules", "klingon"], "--rules: no rules 'klingon'"),
        (["--rules", "polish"], "give one with --lexicon"),
        (["--lexicon", "english"] * 3, "--lexicon: 3 for 2 players"),
        (["--workers", "5000"], "--workers 5000, expected"),
        (["--rules", "finnish", "--lexicon", "english"], "not for the tile set"),
        (["--lexicon", "none.txt"], "none.txt: No such file"),
        (["--leaves", "none.csv"], "none.csv: No such file"),
        (["--leaves", "zero"] * 3, "--leaves: 3 for 2 players"),
        (["--lexicon", "english,english"], "repeat --lexicon for each player"),
        (["--leaves", "zero,english"], "repeat --leaves for each player"),
        (["--workers", "0"], "--workers 0, expected"),
        (["--cluster", "local:0"], "--cluster: cluster 'local:0', expected local:N"),
        (["--cluster", "tcp://127.0.0.1:1"], "no Dask cluster at tcp://127.0.0.1:1"),
        (["--cluster", "local:2", "--processes"], "--cluster goes without"),
        (["--format", "xls", "--out", "x"], "--format: format 'xls', expected parquet, npz, csv"),
        (["--chunk", "0"], "--chunk 0, expected"),
        (["--report", "nowhere/at/all.html"], "--report: nowhere/at/all.html: there is no folder"),
        (["--report", "."], "--report: .: is a folder, expected a file"),
        (["--report", "x" * 300], "File name too long"),
        (["--report", "not-there", "--out", "not-there"], "is the folder of --out"),
        (["--out", "/dev/null"], "/dev/null: is a file, expected a folder"),
    ],
)
def test_bad_input_is_one_line(capsys: Capture, arguments: list[str], message: str) -> None:
    assert main([*SHORT, *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("quixotry: error: ")
    assert message in err


def test_a_format_without_a_folder_is_wrong_usage(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as end:
        main([*SHORT, "--format", "csv"])
    assert end.value.code == 2
    assert "--format goes with --out" in capsys.readouterr().err


@pytest.mark.parametrize("module", ["matplotlib.figure", "distributed"])
def test_what_is_not_installed_is_said_before_any_game(
    module: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    extra = ["--cluster", "local:1"] if module == "distributed" else ["--report", "r.html"]
    assert main([*SHORT, *extra, "--out", str(tmp_path / "a")]) == 1
    assert "pip install 'quixotry[" in capsys.readouterr().err
    assert not (tmp_path / "a").exists()


def test_wrong_usage(capsys: Capture) -> None:
    with pytest.raises(SystemExit) as end:
        main(["selfplay", "--players", "equity,greedy"])
    assert end.value.code == 2
    assert "--games" in capsys.readouterr().err


@pytest.mark.parametrize("command", ["selfplay", "match"])
@pytest.mark.parametrize("report", ["folder", "nowhere/r.html"])
def test_a_report_that_cannot_be_is_said_before_any_game(
    report: str, command: str, capsys: Capture, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    from engine.selfplay.batch import Batch

    def play(*_: object, **__: object) -> None:
        raise AssertionError("a game was begun")

    monkeypatch.setattr(Batch, "play", play)
    (tmp_path / "folder").mkdir()
    given = [*SHORT, "--out", str(tmp_path / "out")] if command == "selfplay" else MATCH
    assert main([*given, "--report", str(tmp_path / report)]) == 1
    assert f"--report: {tmp_path / report}: " in capsys.readouterr().err
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("command", ["selfplay", "match"])
def test_wrong_usage_shows_the_usage_of_the_command(command: str, capsys: Capture) -> None:
    given = SHORT if command == "selfplay" else MATCH
    for wrong in ([command], [*given, "--unheard-of"], [*given, "--seed", "x"]):
        with pytest.raises(SystemExit) as end:
            main(wrong)
        assert end.value.code == 2
        err = capsys.readouterr().err
        assert err.startswith(f"usage: quixotry {command} [-h]")
        assert f"quixotry {command}: error: " in err


@pytest.mark.parametrize("command", ["selfplay", "match"])
def test_a_lexicon_without_words_is_said_on_standard_error(
    command: str, capsys: Capture, tmp_path: Path
) -> None:
    empty = tmp_path / "empty.txt"
    empty.touch()
    given = SHORT if command == "selfplay" else MATCH
    assert main([*given, "--lexicon", str(empty), "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == "quixotry: lexicon empty has no words: with it nobody can lay a tile\n"
    assert json.loads(out)


def test_damage_is_said_and_mended(capsys: Capture, tmp_path: Path) -> None:
    out = tmp_path / "a"
    _output(capsys, "--out", str(out), "--chunk", "10", "--format", "csv")
    before = (out / "turns-000001.csv").read_bytes()
    (out / "turns-000001.csv").write_bytes(before[:-9])
    assert main([*SHORT, "--out", str(out), "--chunk", "10", "--format", "csv"]) == 0
    err = capsys.readouterr().err
    assert err == f"quixotry: {out}: chunk 1 is damaged or not complete: played again\n"
    assert (out / "turns-000001.csv").read_bytes() == before


def test_a_folder_of_other_things_is_refused(capsys: Capture, tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").touch()
    assert main([*SHORT, "--out", str(tmp_path)]) == 1
    assert "holds files of something else ('photo.jpg')" in capsys.readouterr().err
    assert [file.name for file in tmp_path.iterdir()] == ["photo.jpg"]


def test_report_and_summary_show_the_same_rows(capsys: Capture, tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    file = tmp_path / "r.html"
    lines = _output(capsys, "--report", str(file)).splitlines()
    page = file.read_text("utf-8")
    for line in (lines[0], lines[1], *lines[-3:]):
        assert f"<p>{line}</p>" in page
    for line in lines[2:5]:
        cells = [cell.strip() for cell in re.split(r"  +", line)]
        row = "".join(f"<{tag}>{cell}</{tag}>" for tag in ["th" if line == lines[2] else "td"]
                      for cell in cells)  # fmt: skip
        assert row in page
