"""``quixotry match``."""

from __future__ import annotations

import json
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from engine.app.cli import main

Capture = pytest.CaptureFixture[str]


def _json(capsys: Capture, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["match", *arguments, "--json"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    found: dict[str, Any] = json.loads(out.splitlines()[-1])
    return found


def test_json_has_every_figure(capsys: Capture) -> None:
    found = _json(capsys, "equity", "greedy", "--pairs", "60", "--seed", "1")
    for name in ("win_share", "spread", "elo", "first_mover_share"):
        assert found[f"{name}_low"] < found[name] < found[f"{name}_high"]
    for name in ("score", "bingos", "turns", "score_per_turn"):
        for player in (0, 1):
            low, value, high = (found[name + end][player] for end in ("_low", "", "_high"))
            assert low < value < high
    assert (found["pairs"], found["seed"], found["sprt"]) == (60, 1, "undecided")
    assert found["players"] == ["equity", "greedy"]
    assert found["lexicons"] == ["english", "english"]
    assert found["leaves"] == ["english", "zero"]
    assert found["won"] + found["drawn"] + found["lost"] == 120
    assert sum(found["pair_results"]) == 60


def test_identical_players_are_exactly_even(capsys: Capture) -> None:
    found = _json(capsys, "equity", "equity", "--pairs", "40", "--no-sprt", "--workers", "2")
    names = ("win_share", "win_share_low", "win_share_high", "spread", "spread_low", "elo")
    assert [found[name] for name in names] == [0.5, 0.5, 0.5, 0, 0, 0]
    assert (found["divergent_pairs"], found["sprt"]) == (0, "off")


def test_workers_do_not_change_the_result(capsys: Capture) -> None:
    given = ("equity", "equity", "--leaves2", "zero", "--pairs", "220")
    one = _json(capsys, *given, "--workers", "1")
    assert _json(capsys, *given, "--workers", "2") == one
    assert _json(capsys, *given, "--workers", "2", "--processes") == one


def test_word_lists_and_leaves_of_ones_own(tmp_path: Path, capsys: Capture) -> None:
    words = tmp_path / "few.txt"
    words.write_text("at\ncat\ncats\ntea\neat\neats\nseat\n")
    found = _json(
        capsys, "equity", "equity", "--lexicon2", str(words), "--leaves", "zero", "--pairs", "20"
    )
    assert found["lexicons"] == ["english", "few"]
    assert found["leaves"] == ["zero", "zero"]
    assert found["win_share"] == 1
    assert found["elo"] is None


def test_a_decided_match_stops_early(capsys: Capture) -> None:
    arguments = ["match", "greedy", "equity", "--elo0", "-20", "--elo1", "20"]
    assert main([*arguments, "--pairs", "3000"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    lines = {line[:28].strip(): line[28:].split() for line in out.splitlines()[1:]}
    assert lines["sequential test"][0] == "B"
    assert int(lines["pairs"][0]) < 3000


def test_a_report_is_one_page_with_plots(tmp_path: Path, capsys: Capture) -> None:
    pytest.importorskip("matplotlib")
    page = tmp_path / "report.html"
    found = _json(capsys, "equity", "greedy", "--pairs", "30", "--report", str(page))
    text = page.read_text("utf-8")
    assert text.count("data:image/png;base64,") == 4
    assert f"{100 * found['win_share']:.2f}" in text


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["human"], "no player 'human'; there are equity, greedy"),
        (["greedy", "--pairs", "0"], "--pairs 0, expected a whole number from 1"),
        (["greedy", "--workers", "0"], "--workers 0, expected"),
        (["greedy", "--rules", "klingon"], "--rules: no rules 'klingon'"),
        (["greedy", "--lexicon", "nowhere.txt"], "nowhere.txt: No such file"),
        (["greedy", "--lexicon2", "nowhere"], "no lexicon 'nowhere'"),
        (["greedy", "--leaves2", "nowhere.klv2"], "nowhere.klv2"),
        (["greedy", "--seed", "-1"], "--seed: seed -1"),
        (["greedy", "--rules", "polish"], "give one with --lexicon"),
        (["greedy", "--cluster", "local:x"], "--cluster: cluster 'local:x', expected local:N"),
        (["greedy", "--cluster", "local:2", "--workers", "2"], "--cluster goes without --workers"),
        (
            ["greedy", "--elo0", "5", "--elo1", "5"],
            "--elo0, --elo1: elo0 5.0 and elo1 5.0: expected elo0 < elo1",
        ),
        (["greedy", "--elo0", "nan"], "--elo0, --elo1: elo0 nan"),
        (
            ["greedy", "--report", "nowhere/at/all.html"],
            "--report: nowhere/at/all.html: there is no",
        ),
        (["greedy", "--report", "."], "--report: .: is a folder, expected a file"),
    ],
)
def test_bad_input_is_one_line(capsys: Capture, arguments: list[str], said: str) -> None:
    assert main(["match", "equity", *arguments]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err
    assert len(err.splitlines()) == 1
    assert err.startswith("quixotry: error: ")


def test_wrong_usage_exits_with_2() -> None:
    untested = ["equity", "greedy", "--no-sprt", "--elo0", "3"]
    for arguments in (untested, [], ["equity"], ["equity", "greedy", "--pairs", "many"]):
        with pytest.raises(SystemExit) as end:
            main(["match", *arguments])
        assert end.value.code == 2


def _no_constant(name: str) -> None:
    raise AssertionError(f"{name} is not JSON")


@pytest.mark.parametrize("given", [["equity", "greedy", "--pairs", "1"], ["equity", "equity"]])
def test_nothing_infinite_is_printed(given: list[str], capsys: Capture) -> None:
    """One pair; and pairs that A wins all."""
    few = ["--lexicon", "english", "--pairs", "1", "--seed", "2"]
    assert main(["match", *given, *few]) == 0
    text = capsys.readouterr().out
    assert "inf" not in text
    assert "nan" not in text
    rows = {line[:26].strip(): line[26:].split() for line in text.splitlines()[1:]}
    assert rows["score, A"][1:] == ["-"]
    assert rows["points a turn, B"][1:] == ["-"]
    assert main(["match", *given, *few, "--json"]) == 0
    found = json.loads(capsys.readouterr().out, parse_constant=_no_constant)
    assert found["score_low"] == [None, None]


def test_an_interval_with_one_bound_says_so(tmp_path: Path, capsys: Capture) -> None:
    words = tmp_path / "few.txt"
    words.write_text("at\ncat\n")
    assert main(["match", "equity", "equity", "--lexicon2", str(words), "--pairs", "9"]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^Elo difference +- +\+\d+\.\d or more$", text, re.MULTILINE)
    given = ["--lexicon", str(words), "--lexicon2", "english", "--pairs", "9"]
    assert main(["match", "equity", "equity", *given]) == 0
    text = capsys.readouterr().out
    assert re.search(r"^Elo difference +- +-\d+\.\d or less$", text, re.MULTILINE)


def test_the_title_names_files_without_their_folders(tmp_path: Path, capsys: Capture) -> None:
    words, leaves = tmp_path / "few.txt", tmp_path / "mine.csv"
    words.write_text("at\ncat\ncats\n")
    leaves.write_text("S,8\n")
    given = ["match", "equity", "equity", "--pairs", "2"]
    given += ["--lexicon2", str(words), "--leaves", str(leaves), "--leaves2", "zero"]
    assert main(given) == 0
    out = capsys.readouterr().out
    assert out.splitlines()[0] == (
        "A equity (lexicon english, leaves mine.csv) against B equity (lexicon few, leaves zero),"
        " rules english, seed 0"
    )
    assert str(tmp_path) not in out
    assert main([*given, "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["leaves"] == ["mine.csv", "zero"]


def test_a_live_line_on_a_terminal(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "140")
    assert main(["match", "pool", "equity", "--pairs", "220"]) == 0
    out, err = capsys.readouterr()
    assert "220" in out
    assert re.search(r"220 of 220 pairs", err)
    assert re.search(r"A \d+\.\d% \(\d+\.\d% to \d+\.\d%\)  LLR [+-]\d", err)
