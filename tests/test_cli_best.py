"""``quixotry best`` and the program around it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from engine.app.cli import main

REPO = Path(__file__).resolve().parents[1]
EMPTY = "/".join(["15"] * 15)
WINDY = "15/15/15/15/15/15/15/5WINDY5/15/15/15/15/15/15/15 AEINRT?/ 0/28 0"

Capture = pytest.CaptureFixture[str]


def _json(capsys: Capture, *arguments: str) -> list[dict[str, object]]:
    capsys.readouterr()
    assert main(["best", "--json", *arguments]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    return [json.loads(line) for line in out.splitlines()]


def test_json_has_one_object_a_play(capsys: Capture) -> None:
    lines = _json(capsys, "--rack", "RETINA?", "--top", "3", "--leaves", "zero")
    assert [line["rank"] for line in lines] == [1, 2, 3]
    assert lines[0] == {
        "position": 0,
        "rank": 1,
        "play": "8B ANEsTRI",
        "score": 64,
        "leave": "",
        "leave_value": 0.0,
        "equity": 64.0,
    }


def test_top_0_lists_everything_down_to_the_pass(capsys: Capture) -> None:
    lines = _json(capsys, "--rack", "VV?", "--top", "0")
    assert lines[-1]["play"] == "pass"
    assert lines[-1]["equity"] is None
    assert len({line["play"] for line in lines}) == len(lines)


def test_a_move_asked_for_is_listed_in_its_place_with_its_loss(capsys: Capture) -> None:
    everything = _json(capsys, "--cgp", WINDY, "--top", "0")
    lines = _json(capsys, "--cgp", WINDY, "--top", "2", "--also", "9G NA")
    asked = lines[-1]
    assert len(lines) == 3
    rank = next(line["rank"] for line in everything if line["play"] == asked["play"])
    assert asked["rank"] == rank
    best = everything[0]["equity"]
    assert asked["loss"] == pytest.approx(best - asked["equity"])  # type: ignore[operator]


def test_a_down_opening_is_worth_its_across_twin(capsys: Capture) -> None:
    lines = _json(capsys, "--rack", "CAT", "--also", "H7 CAT", "--top", "1", "--leaves", "zero")
    down = next(line for line in lines if line["play"] == "H7 CAT")
    assert (down["score"], down["loss"]) == (10, 0.0)
    assert {line["score"] for line in lines} == {10}


def test_a_file_of_positions_is_numbered(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "positions.cgp"
    file.write_text(f"# two positions\n{WINDY}\n\n{EMPTY} CAT/ 0/0 0\n")
    lines = _json(capsys, "--cgp-file", str(file), "--top", "1")
    assert [line["position"] for line in lines] == [0, 1]


def test_a_rack_replaces_that_of_the_cgp(capsys: Capture) -> None:
    assert main(["best", "--cgp", WINDY, "--rack", "S", "--top", "1"]) == 0
    assert capsys.readouterr().out.startswith("rack S, ")


def test_show_draws_the_board(capsys: Capture) -> None:
    assert main(["best", "--cgp", WINDY, "--top", "1", "--show"]) == 0
    out = capsys.readouterr().out.splitlines()
    assert out[0].split() == list("ABCDEFGHIJKLMNO")
    assert out[8].split()[:1] == ["8"]
    assert "W I N D Y" in out[8]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--rack", "aeinrt"], "lower case; a blank on a rack is '?'"),
        (["--rack", "AEINRTSS"], "8 tiles, at most 7"),
        (["--rack", "QQ"], "Q: 2 used, 1 exists"),
        (["--rack", "A1"], "no tile '1'"),
        (["--cgp", "nonsense"], "expected 4 fields"),
        (["--cgp-file", "{tmp}/none"], "none: No such file"),
        (["--cgp-file", "{tmp}/bad.cgp"], "bad.cgp, line 2: CGP"),
        (["--cgp-file", "{tmp}/latin"], "not a text file in UTF-8"),
        (["--rack", "CAT", "--rules", "klingon"], "no rules 'klingon'"),
        (["--rack", "CAT", "--lexicon", "klingon"], "no lexicon 'klingon'; there are: english"),
        (["--rack", "CAT", "--lexicon", "{tmp}/none.txt"], "none.txt: No such file"),
        (["--rack", "CAT", "--lexicon", "{tmp}/words.qlx"], "words.qlx"),
        (["--rack", "CAT", "--leaves", "klingon"], "no leaves 'klingon'"),
        (["--rack", "CAT", "--leaves", "{tmp}/bad.klv2"], "bad.klv2"),
        (["--rack", "KOIRA", "--rules", "finnish"], "no lexicon 'finnish'"),
        (["--rack", "KOIRA", "--rules", "finnish", "--lexicon", "english"], "not for the tile set"),
        (["--rack", "CAT", "--also", "8G DOG"], "not on the rack: DGO"),
        (["--rack", "CAT", "--also", "8G TCA"], "not in the lexicon: TCA"),
        (["--rack", "CAT", "--also", "1A CAT"], "must cover the start square"),
        (["--rack", "CAT", "--also", "hello"], "expected a move like"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(
    tmp_path: Path, capsys: Capture, arguments: list[str], message: str
) -> None:
    (tmp_path / "bad.cgp").write_text(f"{WINDY}\n15/15 A/ 0/0 0\n")
    (tmp_path / "latin").write_bytes(b"\xe4\xf6")
    (tmp_path / "words.qlx").write_bytes(b"nonsense" * 100)
    (tmp_path / "bad.klv2").write_bytes(b"nonsense" * 100)
    filled = [argument.format(tmp=tmp_path) for argument in arguments]
    assert main(["best", *filled]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [[], ["best"], ["best", "--rack", "A", "--top", "x"], ["best", "--rack", "A", "--top", "-1"],
     ["best", "--cgp", "x", "--cgp-file", "y"], ["fly"]],
)  # fmt: skip
def test_wrong_usage_is_exit_code_2(capsys: Capture, arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as caught:
        main(arguments)
    assert caught.value.code == 2
    assert "Traceback" not in capsys.readouterr().err


def test_a_lexicon_that_a_cgp_names_and_is_not_there_is_said(capsys: Capture) -> None:
    assert main(["best", "--cgp", f"{WINDY} lex CSW24;", "--top", "1"]) == 0
    out, err = capsys.readouterr()
    assert "lexicon CSW24 is not installed, english is used" in err
    assert out


def test_another_language_from_files_alone(tmp_path: Path, capsys: Capture) -> None:
    (tmp_path / "szavak.txt").write_text("CSAK\nasszony\nK.Ö.Z.S.É.G\n", "utf-8")
    arguments = ["--rules", "hungarian", "--lexicon", str(tmp_path / "szavak.txt")]
    lines = _json(capsys, *arguments, "--rack", "[CS]AKASZ", "--top", "1")
    assert str(lines[0]["play"]).endswith("[CS]AK")
    lines = _json(capsys, *arguments, "--rack", "KÖZSÉG", "--top", "1")
    assert str(lines[0]["play"]).endswith("KÖZSÉG")


def test_output_into_a_closed_pipe_is_no_error() -> None:
    command = f"{sys.executable} -m engine.app.cli best --rack 'AEINRT?' --top 0 | head -1"
    env = os.environ | {"PYTHONPATH": str(REPO)}
    done = subprocess.run(
        ["bash", "-o", "pipefail", "-c", command],
        env=env,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr == ""
    assert done.stdout.startswith("rack")
