"""``quixotry match``."""

from __future__ import annotations

import json
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
        (["greedy", "--pairs", "0"], "--pairs 0: expected 1 or more"),
        (["greedy", "--workers", "0"], "0 workers"),
        (["greedy", "--rules", "klingon"], "no rules 'klingon'"),
        (["greedy", "--lexicon", "nowhere.txt"], "nowhere.txt: No such file"),
        (["greedy", "--lexicon2", "nowhere"], "no lexicon 'nowhere'"),
        (["greedy", "--leaves2", "nowhere.klv2"], "nowhere.klv2"),
        (["greedy", "--cluster", "local:x"], "local:N"),
        (["greedy", "--cluster", "local:2", "--workers", "2"], "--cluster goes without --workers"),
        (["greedy", "--elo0", "5", "--elo1", "5"], "expected elo0 < elo1"),
        (["greedy", "--report", "nowhere/at/all.html"], "nowhere"),
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
    for arguments in ([], ["equity"], ["equity", "greedy", "--pairs", "many"]):
        with pytest.raises(SystemExit) as end:
            main(["match", *arguments])
        assert end.value.code == 2
