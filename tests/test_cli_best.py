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


def test_listed_plays_keep_their_own_ranks(capsys: Capture) -> None:
    given = ("--rack", "CATS", "--top", "4")
    plain = _json(capsys, *given)
    lines = _json(capsys, *given, "--also", "H8 CATS", "--also", "H7 AT", "--also", "8G ACT")
    ranks = {line["play"]: line["rank"] for line in lines}
    assert [(line["play"], line["rank"]) for line in plain] == [
        (line["play"], ranks[line["play"]]) for line in plain
    ]
    everything = _json(capsys, "--rack", "CATS", "--top", "0")
    for line in lines:
        as_good = [other["rank"] for other in everything if other["equity"] == line["equity"]]
        assert line["rank"] in as_good


def test_a_file_of_positions_is_numbered(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "positions.cgp"
    file.write_text(f"# two positions\n  # of games\n{WINDY}\n\n\t{EMPTY} CAT/ 0/0 0 \n")
    lines = _json(capsys, "--cgp-file", str(file), "--top", "1")
    assert [line["position"] for line in lines] == [0, 1]


def test_nothing_is_printed_unless_every_position_can_be(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "positions.cgp"
    file.write_text(f"{WINDY}\n{EMPTY} CAT/ 0/0 0\n")
    assert main(["best", "--cgp-file", str(file), "--also", "8K S"]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err == f"quixotry: error: {file}, line 1: 8F .....S: not on the rack: S\n"


def test_lines_left_out_of_a_word_list_are_a_warning(tmp_path: Path, capsys: Capture) -> None:
    file = tmp_path / "words.txt"
    file.write_text("CAT\nDON'T\nX-RAY\nA-B\n")
    assert main(["best", "--rack", "CAT", "--lexicon", str(file), "--top", "1"]) == 0
    out, err = capsys.readouterr()
    assert out
    assert err == (
        f"quixotry: {file}: 3 of 4 lines left out: 3 a character that no tile has;"
        " unknown characters: - '; first: \"DON'T\" (line 2)\n"
    )


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
        (["--rack", "CAT", "--also", "exch 3"], "an exchange names the tiles that it gives up"),
        (["--rack", "CAT", "--also", "x" * 5000], "xxx...': expected a move like"),
        (["--rack", "CAT", "--also", "8A " + "A" * 5000], "AAA...: runs off the 15 x 15 board"),
        (["--rack", "A" * 5000], "AAA...: 5000 tiles, at most 7"),
        (["--rack", "\udcff"], "no tile '\\udcff'"),
        (["--rack", "A\x1b"], "no tile '\\x1b'"),
        (["--rack", "CAT", "--lexicon", ""], "no lexicon ''; there are: english"),
        (["--rack", "CAT", "--leaves", ""], "no leaves ''; there are"),
        (["--rack", "CAT", "--rules", ""], "no rules ''; there are"),
        (["--cgp-file", ""], "--cgp-file '': expected the name of a file"),
        (["--cgp-file", "{tmp}/comments"], "comments: no position in it"),
        (["--cgp-file", "{tmp}"], "Is a directory"),
        (["--cgp-file", "{tmp}/a\0"], "a\\x00: no file can have such a name"),
        (["--rack", "CAT", "--lexicon", "{tmp}/a\0.txt"], "no file can have such a name"),
        (["--rack", "CAT", "--lexicon", "{tmp}/a\0.qlx"], "no file can have such a name"),
        (["--rack", "CAT", "--lexicon", "{tmp}/a\0"], "no lexicon"),
        (["--rack", "CAT", "--leaves", "{tmp}/a\0.csv"], "no file can have such a name"),
        (["--rack", "CAT", "--rules", "{tmp}/a\0.toml"], "no file can have such a name"),
        (["--cgp", f"{EMPTY} A/ 0/0 0 ld german;"], "have no lexicon of their own: give one with"),
        (["--cgp", "\x1b[31m" * 50], "CGP '\\x1b[31m"),
    ],
)
def test_bad_input_is_one_line_and_exit_code_1(
    tmp_path: Path, capsys: Capture, arguments: list[str], message: str
) -> None:
    (tmp_path / "bad.cgp").write_text(f"{WINDY}\n15/15 A/ 0/0 0\n")
    (tmp_path / "latin").write_bytes(b"\xe4\xf6")
    (tmp_path / "comments").write_text("# nothing\n\n  # at all\n")
    (tmp_path / "words.qlx").write_bytes(b"nonsense" * 100)
    (tmp_path / "bad.klv2").write_bytes(b"nonsense" * 100)
    filled = [argument.format(tmp=tmp_path) for argument in arguments]
    assert main(["best", *filled]) == 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("quixotry: error: ")
    assert err[:-1].isprintable()
    assert err.endswith("\n")
    assert message in err


@pytest.mark.parametrize(
    "arguments",
    [[], ["best"], ["best", "--rack", "A", "--top", "x"], ["best", "--rack", "A", "--top", "-1"],
     ["best", "--cgp", "x", "--cgp-file", "y"], ["fly"], ["best", "--rack", "A", "--to", "3"],
     ["best", "--rack", "A", "--top", "9" * 5000]],
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


# -- output that cannot be written -----------------------------------------------------------------

COMMANDS = [
    "best --rack CATS",
    "best --rack CATS --json --top 0",
    "lexicon list english",
    "lexicon info",
    "lexicon find --words CAT",
    "warmup",
    "--help",
    "best --help",
    "lexicon find --help",
    "--version",
]


def _shell(command: str, **env: str) -> tuple[int, str, str]:
    """Exit code, output and errors of a shell command in which ``quixotry`` is the program."""
    program = f"{sys.executable} -m engine.app.cli"
    done = subprocess.run(
        ["bash", "-c", command.replace("quixotry", program)],
        env=os.environ | {"PYTHONPATH": str(REPO)} | env,
        capture_output=True,
        text=True,
        encoding="utf-8",
        check=False,
    )
    return done.returncode, done.stdout, done.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="no device that is always full")
@pytest.mark.parametrize("unbuffered", ["", "1"])
@pytest.mark.parametrize("command", COMMANDS)
def test_output_to_a_full_disk_is_one_line_and_exit_code_1(command: str, unbuffered: str) -> None:
    code, _, err = _shell(f"quixotry {command} >/dev/full", PYTHONUNBUFFERED=unbuffered)
    assert (code, err) == (
        1, "quixotry: error: cannot write the output: No space left on device\n"
    )  # fmt: skip


@pytest.mark.parametrize("command", COMMANDS)
def test_closed_output_is_one_line_and_exit_code_1(command: str) -> None:
    assert _shell(f"quixotry {command} >&-") == (
        1, "", "quixotry: error: cannot write the output: it is closed\n"
    )  # fmt: skip


def test_closed_or_full_errors_and_closed_input_do_no_harm() -> None:
    for redirect in ("2>&-", "2>/dev/full"):
        assert _shell(f"quixotry best --rack QQ {redirect}") == (1, "", "")
        assert _shell(f"quixotry best --rack QQ --top x {redirect}")[0] == 2
    assert _shell("quixotry best --cgp-file - <&-")[::2] == (
        1, "quixotry: error: -: standard input is closed\n"
    )  # fmt: skip
    assert "-, line 1: CGP" in _shell("echo x | quixotry best --cgp-file -")[2]
    assert "-: no position in it" in _shell("quixotry best --cgp-file - </dev/null")[2]
    assert "-: not a text file" in _shell("printf '\\xff' | quixotry best --cgp-file -")[2]


def test_what_the_encoding_of_the_output_lacks_is_one_line_and_exit_code_1() -> None:
    code, out, err = _shell("quixotry best --rack CATS --show", PYTHONIOENCODING="ascii")
    assert code == 1
    assert err == (
        "quixotry: error: '\\xb7' cannot be written in the encoding of the output, ascii\n"
    )
    assert out.count("\n") <= 1


def test_json_is_valid_utf_8_in_every_encoding_and_for_every_argument() -> None:
    for encoding in ("ascii", "latin-1", "utf-16", "utf-8"):
        done = subprocess.run(
            [sys.executable, "-m", "engine.app.cli", "lexicon", "find", "--json", "--words",
             b"caf\xe9", "\u00c9", "CAT"],
            env=os.environ | {"PYTHONPATH": str(REPO), "PYTHONIOENCODING": encoding},
            capture_output=True,
            check=True,
        )  # fmt: skip
        text = done.stdout.decode("utf-16" if encoding == "utf-16" else "utf-8")
        words = [json.loads(line)["word"] for line in text.splitlines()]
        assert words == ["caf\ufffd", "\u00c9", "CAT"]


def test_nothing_that_a_terminal_obeys_is_printed(tmp_path: Path, capsys: Capture) -> None:
    words = tmp_path / "a\x1b[31mb.lst"
    words.write_text("CAT\n\x1b[31m\n")
    leaves = tmp_path / "\x07.csv"
    leaves.write_text("A,1\n")
    arguments = ["--lexicon", str(words), "--leaves", str(leaves)]
    assert main(["best", "--rack", "CAT", *arguments]) == 0
    out, err = capsys.readouterr()
    assert all(line.isprintable() for line in (out + err).splitlines())
    assert "lexicon a\\x1b[31mb, leaves " in out
    assert main(["lexicon", "find", "--words", "\x1b[31m", "--lexicon", str(words)]) == 0
    assert main(["lexicon", "check", str(words)]) == 1
    out, err = capsys.readouterr()
    assert all(line.isprintable() for line in (out + err).splitlines())
    built = tmp_path / "b.qlx"
    arguments = ["-o", str(built), "--comment", "\x1b[31m\n", "--exclude", str(words)]
    assert main(["lexicon", "build", str(words), *arguments]) == 0
    assert main(["lexicon", "info", str(built)]) == 0
    out, err = capsys.readouterr()
    assert all(line.isprintable() for line in (out + err).replace("\t", "").splitlines())
    assert "comment\t\\x1b[31m\\n\n" in out or "comment\t\\x1b[31m\\n" in out
