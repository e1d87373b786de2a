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
    assert len(list((tmp_path / "a").iterdir())) == 7
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
        (["--games", "0"], "0 games, expected 1 to"),
        (["--seed", "-1"], "seed -1"),
        (["--players", "equity"], "1 players, expected 2 to 4"),
        (["--players", "equity,,greedy"], "no player ''"),
        (["--players", "a,b"], "no player 'a'; there are equity, greedy"),
        (["--players", "greedy,greedy,greedy,greedy,greedy"], "5 players"),
        (["--rules", "klingon"], "no rules 'klingon'"),
        (["--rules", "finnish", "--lexicon", "english"], "not for the tile set"),
        (["--lexicon", "none.txt"], "none.txt: No such file"),
        (["--leaves", "none.csv"], "none.csv: No such file"),
        (["--leaves", "zero"] * 3, "3 leaves for 2 players"),
        (["--workers", "0"], "0 workers"),
        (["--cluster", "local:0"], "local:N"),
        (["--cluster", "tcp://127.0.0.1:1"], "no Dask cluster at tcp://127.0.0.1:1"),
        (["--cluster", "local:2", "--processes"], "--cluster goes without"),
        (["--format", "xls", "--out", "x"], "format 'xls', expected parquet, npz, csv"),
        (["--chunk", "0"], "0 games a chunk"),
        (["--report", "nowhere/at/all.html"], "there is no folder nowhere/at"),
        (["--out", "/dev/null"], "/dev/null"),
    ],
)
def test_bad_input_is_one_line(capsys: Capture, arguments: list[str], message: str) -> None:
    assert main([*SHORT, *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert err.startswith("quixotry: error: ")
    assert message in err


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
