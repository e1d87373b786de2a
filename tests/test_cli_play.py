"""``quixotry play``: whole games through a terminal, every command in every language, files."""

from __future__ import annotations

import ast
import io
import json
import os
import pty
import re
import select
import signal
import string
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Callable
from fcntl import ioctl
from pathlib import Path
from typing import Any

import pytest

import engine as eng
from engine.app.cli import main
from engine.app.play.saved import replay
from engine.app.play.texts import FOLDER, LANGUAGES, find_texts
from engine.game.game import Game
from engine.rules.layouts import parse_coordinate

REPO = Path(__file__).resolve().parents[1]
Capture = pytest.CaptureFixture[str]
RULES = {"en": "english", "fi": "finnish", "pl": "polish", "hu": "hungarian", "nb": "norwegian"}


# -- through a terminal ----------------------------------------------------------------------------


class Terminal:
    """``quixotry play`` with a terminal of 80 columns."""

    def __init__(self, *arguments: str, **environment: str) -> None:
        ours, theirs = pty.openpty()
        ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        self.process = subprocess.Popen(
            [sys.executable, "-m", "engine.app.cli", "play", *arguments],
            stdin=theirs, stdout=theirs, stderr=theirs, cwd=REPO, start_new_session=True,
            preexec_fn=lambda: ioctl(0, termios.TIOCSCTTY, 0),
            env={**os.environ, "TERM": "xterm-256color", "PYTHONIOENCODING": "utf-8"}
            | environment,
        )  # fmt: skip
        os.close(theirs)
        self.ours, self.raw = ours, ""

    def read(self, until: str = "Ada> ", seconds: float = 60) -> str:
        """What is shown up to a text, without colours; up to the end where ``until`` is empty."""
        data, end = b"", time.monotonic() + seconds
        while time.monotonic() < end:
            if select.select([self.ours], [], [], 0.2)[0]:
                try:
                    read = os.read(self.ours, 65536)
                except OSError:
                    break
                if not read:
                    break
                data += read
            if until and _plain(data).endswith(until):
                return self._keep(data)
        assert not until, f"no {until!r} in {_plain(data)!r}"
        return self._keep(data)

    def _keep(self, data: bytes) -> str:
        self.raw += data.decode()
        return _plain(data)

    def type(self, line: str) -> str:
        os.write(self.ours, f"{line}\n".encode())
        return self.read()

    def end(self) -> int:
        code = self.process.wait(30)
        os.close(self.ours)
        return code


def _plain(data: bytes) -> str:
    text = re.sub(r"\x1b\[[0-9;?]*[a-zA-Z]", "", data.decode("utf-8", "replace"))
    return text.replace("\r", "")


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_whole_game_by_hints(
    language: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    texts, rules = find_texts(language), RULES[language]
    lexicon = "english"
    if rules != "english":
        shared = request.getfixturevalue("shared")
        lexicon = str(shared / "oracle" / "languages" / f"words_{rules}.txt.gz")
    terminal = Terminal(
        "--rules", rules, "--lexicon", lexicon, "--against", "level2", "--name", "Ada",
        "--seed", "3",
    )  # fmt: skip
    terminal.read()
    hint = re.escape(texts.say("hint", move="@", points="#"))
    hint = hint.replace("@", "(.+)").replace(re.escape("#"), r"(\d+)")
    over = texts.say("over", **{name: words[0] for name, words in texts.words.items()})
    waiting, shown = texts.words["challenge"][0], ""
    for _ in range(60):
        said = terminal.type(texts.words["hint"][0])
        found = re.search(f"^{hint}$", said, re.MULTILINE)
        if found is None:
            assert over in said or waiting in said, said
            if over in said:
                break
        shown = terminal.type(found[1] if found else texts.words["pass"][0])
        assert not found or found[2] == "0" or f"Ada: {found[1]}  +{found[2]}" in shown
    file = tmp_path / "game.json"
    terminal.type(f"{texts.words['save'][0]} {file}")
    os.write(terminal.ours, f"{texts.words['quit'][0]}\n".encode())
    assert terminal.read("").splitlines()[-1] == texts.say("bye")
    assert terminal.end() == 0
    assert "\x1b[" in terminal.raw  # in colour
    lines = [line for line in shown.splitlines() if not line.startswith("Ada> ")]
    assert max(map(len, lines)) <= 80

    saved = json.loads(file.read_text("utf-8"))
    game = Game(rules, eng.load_lexicon(lexicon, rules), players=saved["names"], seed=3, first=None)
    replay(game, tuple(saved["actions"]))
    assert game.result is not None
    for name, score in zip(game.names, game.scores, strict=True):
        assert re.search(rf"^{name}: -?\d+ [+-] \d+ = {score}$", shown, re.MULTILINE), shown
    assert texts.say("winner", name=game.names[game.scores.index(max(game.scores))]) in shown


def test_ctrl_c_and_the_end_of_input_leave_cleanly() -> None:
    for key, code in ((b"\x03", 130), (b"\x04", 0)):
        terminal = Terminal("--name", "Ada", "--seed", "1")
        terminal.read()
        time.sleep(0.5)  # the prompt is there a little before the line editor waits for keys
        os.write(terminal.ours, key)
        rest = terminal.read("")
        assert rest.splitlines()[-1] == "The game was left."
        assert "Traceback" not in rest
        assert terminal.end() == code


def test_no_color_and_what_marks_the_last_play_without() -> None:
    terminal = Terminal("--name", "Ada", "--seed", "5", NO_COLOR="1")
    shown = terminal.read()
    time.sleep(0.5)  # as above
    os.kill(terminal.process.pid, signal.SIGINT)
    terminal.read("")
    assert terminal.end() == 130
    assert not re.search(r"\x1b\[[0-9;]*m", re.sub(r"\x1b\[[01]?m", "", terminal.raw))
    assert re.search(r"^ 8  .*(>[A-Za-z]){2,}", shown, re.MULTILINE), shown


# -- line by line ----------------------------------------------------------------------------------


@pytest.fixture
def typed(monkeypatch: pytest.MonkeyPatch, capsys: Capture) -> Callable[..., list[str]]:
    """typed(lines, *arguments): what is said to the lines of a pipe."""

    def run(lines: list[str], *arguments: str, code: int = 0) -> list[str]:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        capsys.readouterr()
        assert main(["play", *arguments]) == code
        out, err = capsys.readouterr()
        assert "\x1b" not in out
        return (err if code else out).splitlines()

    return run


SEED = ("--seed", "5", "--name", "Ada")  # level3 begins with 8C ZEROED, Ada holds EENNOPR


def test_a_refused_line_says_why_and_changes_nothing(typed: Callable[..., list[str]]) -> None:
    lines = [
        "8D FOO", "A1 NO", "9C QI", "8I neep", "8D", "9A W0RD", "exchange QQ", "exchange",
        "dance", "save", "load nowhere.json", "pass now", "undo", "D8 E",
    ]  # fmt: skip
    said = typed(lines, *SEED)
    text = "\n".join(said)
    for reason in (
        "8D FOO is not allowed: E lies on 8D",
        "A1 NO is not allowed: it touches no tile on the board",
        "9C QI is not allowed: not on the rack: IQ",
        "Upper case is a tile, lower case a blank.",
        "Cannot be read: '8D': expected a move like",
        "Cannot be read: 'W0RD': english has no tile '0'",
        "exchange QQ is not allowed: not on the rack: QQ",
        "Name the tiles to give up: exchange ABC",
        "dance: not understood. Type help for help.",
        "Name a file: save game.json",
        "nowhere.json: No such file or directory",
        "pass takes nothing after it.",
        "There is nothing to undo.",
    ):
        assert reason in text, reason
    assert sum(line.startswith("> Ada 0 ") for line in said) == 1  # the board was drawn once
    assert said[-1] == "The game was left."


def test_undo_takes_back_what_followed(typed: Callable[..., list[str]]) -> None:
    said = typed(["D1 NEOPREN.", "undo", "undo", "D1 NEOPREN."], *SEED)
    statuses = [line for line in said if line.startswith("> Ada ")]
    assert [line.split()[2] for line in statuses] == ["0", "72", "0", "72"]
    assert statuses[1] == statuses[3]  # the computer answers the same
    assert statuses[0] == statuses[2]
    assert "There is nothing to undo." in said
    assert said.count("Ada: D1 NEOPREN.  +72") == 2


def test_saved_games_go_on(typed: Callable[..., list[str]], tmp_path: Path) -> None:
    file = tmp_path / "a game.json"
    said = typed(["D1 NEOPREN.", f"save {file}", "pass", f"load {file}"], *SEED)
    status = [line for line in said if line.startswith("> Ada ")]
    assert status[1] == status[3] != status[2]
    again = typed([f"save {file}", "hint"], "--load", str(file))
    assert [line for line in again if line.startswith("> Ada ")] == [status[1]]
    assert any(line.startswith("hint: ") for line in again)
    assert [p.name for p in tmp_path.iterdir()] == ["a game.json"]  # nothing temporary is left


def test_a_file_that_is_no_game_is_never_overwritten(
    typed: Callable[..., list[str]], tmp_path: Path
) -> None:
    file = tmp_path / "letter.txt"
    file.write_text("Dear Ada")
    said = typed([f"save {file}", f"save {tmp_path}", "save /dev/null", "save no/such/x"], *SEED)
    assert any("letter.txt is there and is not overwritten" in line for line in said)
    assert any(line.startswith("/dev/null is there and is not overwritten") for line in said)
    assert any("cannot write no/such/x" in line for line in said)
    assert file.read_text() == "Dear Ada"


def _change(table: dict[str, Any], **values: Any) -> str:
    return json.dumps(table | values)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actions": ["8D WRONG"]}, "action 1: "),
        ({"actions": ["8C ZEROED", "challenge 7"]}, "action 2: player 7"),
        ({"actions": [3]}, "actions [3], expected tuple"),
        ({"actions": ["pass"] * 10_001}, "too many actions"),
        ({"seed": 6}, "action 1: "),
        ({"seed": -1}, "seed -1"),
        ({"seed": True}, "seed True, expected int"),
        ({"rules": "klingon"}, "no rules 'klingon'"),
        ({"rules": "english+nine"}, "other rules"),
        ({"lexicon_hash": "x"}, "game.json --lexicon L'"),
        ({"players": ["", ""]}, "expected one without a name"),
        ({"players": ["", "level9"]}, "no player 'level9'"),
        ({"players": [""]}, "other players than names"),
        ({"names": ["Ada\x1b", "b"]}, "expected a printable name"),
        ({"challenge": "quadruple"}, "challenge 'quadruple'"),
        ({"format": "chess"}, "not a game"),
    ],
)
def test_files_are_not_trusted(
    typed: Callable[..., list[str]], tmp_path: Path, change: dict[str, Any], message: str
) -> None:
    file = tmp_path / "game.json"
    typed([f"save {file}"], *SEED)
    good = json.loads(file.read_text("utf-8"))
    file.write_text(_change(good, **change))
    (line,) = typed([], "--load", str(file), code=1)
    assert line.startswith("quixotry: error: --load: ")
    assert message in line
    said = typed([f"load {file}"], *SEED)  # within a game: said, and the game goes on
    assert any(message in line for line in said)
    assert said[-1] == "The game was left."


@pytest.mark.parametrize(
    "content", [b"", b"\xff\xfe", b"[" * 100_000, b"[1]", b"9" * 5000, b" " * (1 << 20) + b" "]
)
def test_what_is_no_game_is_refused(
    typed: Callable[..., list[str]], tmp_path: Path, content: bytes
) -> None:
    file = tmp_path / "game.json"
    file.write_bytes(content)
    (line,) = typed([], "--load", str(file), code=1)
    assert line.startswith(f"quixotry: error: --load: {file}: ")


def test_challenges(typed: Callable[..., list[str]]) -> None:
    said = typed(["challenge", "challenge", "undo"], *SEED)  # double: the next turn is lost
    assert "Ada: challenge of 8C ZEROED. Every word is good." in said
    assert "Ada misses a turn" in said
    said = typed(["challenge"], *SEED, "--challenge", "points(5)")
    assert "Ada: -5" in said
    said = typed(["challenge"], *SEED, "--challenge", "points(5,player_gains)")
    assert "level3: +5" in said
    said = typed(["9D EPRN", "challenge"], *SEED)
    assert any(
        line.startswith("level3: challenge of 9D EPRN. Not in the lexicon: EPRN") for line in said
    )
    assert "There is no play to challenge." in typed(["challenge"], *SEED, "--challenge", "void")
    said = typed(["9D EPRN"], *SEED, "--challenge", "void")
    assert any("9D EPRN is not allowed: not in the lexicon: EPRN" in line for line in said)
    said = typed(["challenge", "undo", "save x"], *SEED, "--challenge", "triple")
    assert "The game is over: a good play was challenged." in said
    Path("x").unlink(missing_ok=True)


def test_a_reader_that_has_seen_enough_is_no_error() -> None:
    command = [sys.executable, "-m", "engine.app.cli", "play", "--seed", "1"]
    script = f"printf 'pass\\npass\\n' | {{ {' '.join(command)}; echo rc $? >&2; }} | head -1"
    run = subprocess.run(
        ["bash", "-c", script], cwd=REPO, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.stdout.startswith("Rules english")
    assert run.stderr == "rc 0\n"


def test_a_bad_line_of_bytes_is_said(capsys: Capture, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        sys, "stdin", io.TextIOWrapper(io.BytesIO(b"\xff\xfe 8D\n8D \xff\n"), "utf-8")
    )
    assert main(["play", *SEED]) == 0
    out = capsys.readouterr().out
    assert "not understood" in out
    assert "Cannot be read" in out


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_command_in_every_language(
    typed: Callable[..., list[str]], language: str, tmp_path: Path
) -> None:
    texts = find_texts(language)
    arguments = (*SEED, "--language", language)
    english = find_texts("en")
    assert {texts.command(word) for word in english.words["help"]} == {"help"}
    for name, words in texts.words.items():
        for word in {*words, words[0].upper(), *english.words[name]}:
            rest = {"exchange": " EE", "save": f" {tmp_path / 'g'}", "load": f" {tmp_path / 'g'}"}
            before = [f"save {tmp_path / 'g'}"] if name == "load" else []
            before += ["D1 NEOPREN."] if name == "undo" else []
            said = typed([*before, word + rest.get(name, "")], *arguments)
            expected = {
                "exchange": texts.say("exchanged", name="Ada", count=2),
                "pass": texts.say("passed", name="Ada"),
                "challenge": texts.say("challenged_good", name="Ada", move="8C ZEROED"),
                "hint": texts.say("hint", move="D1 NEOPREN.", points=72),
                "undo": texts.say("undone"),
                "save": texts.say("saved", file=tmp_path / "g"),
                "load": texts.say("loaded", file=tmp_path / "g"),
                "tiles": texts.say("unseen", count=87, vowels=36, consonants=49, blanks=2),
                "help": next(texts.help()),
                "quit": texts.say("left"),
            }
            if name == "shuffle":
                racks = [line for line in said if line.startswith(texts.say("rack"))]
                assert sorted(racks[0]) == sorted(racks[1])
                assert racks[0] != racks[1]
            else:
                assert expected[name] in said, (name, word)


# -- options ---------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--against", "level9"], "--against: no player 'level9'; there are level1, "),
        (["--against", "level1,level1,level1,level1"], "expected one to three computers"),
        (["--players", "level1,level2"], "expected one to three computers, and 'you' once"),
        (["--players", "you"], "expected one to three computers"),
        (["--players", "you,you,level1"], "'you' once"),
        (["--seed", "-1"], "--seed: seed -1"),
        (["--challenge", "maybe"], "--challenge: challenge 'maybe'"),
        (["--language", "xx"], "--language: no language 'xx'; there are en, fi, pl, hu, nb"),
        (["--rules", "klingon"], "--rules: no rules 'klingon'"),
        (["--rules", "finnish", "--lexicon", "english"], "not for the tile set"),
        (["--name", "\x1b[2J"], "expected a printable name"),
        (["--load", "nowhere.json"], "--load: nowhere.json: No such file"),
        (["--load", ""], "--load: "),
        (["--leaves", "none.csv"], "none.csv: No such file"),
    ],
)
def test_bad_options_are_one_line(
    typed: Callable[..., list[str]], arguments: list[str], message: str
) -> None:
    (line,) = typed([], *arguments, code=1)
    assert line.startswith("quixotry: error: ")
    assert message in line


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--load", "x", "--seed", "1"], "--load goes without --seed"),
        (["--load", "x", "--against", "level1"], "--load goes without --against"),
        (["--load", "x", "--challenge", "void"], "--load goes without --challenge"),
        (["--load", "x", "--name", "Ada"], "--load goes without --name"),
        (["--load", "x", "--levels"], "--levels goes without --load"),
        (["--levels", "--name", "Ada"], "--levels goes without --name"),
    ],
)
def test_options_without_effect_are_refused(
    capsys: Capture, arguments: list[str], said: str
) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", *arguments])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err


def test_a_game_by_rules_of_a_file_opens_from_anywhere(
    typed: Callable[..., list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house, away = tmp_path / "house", tmp_path / "away"
    for folder in (house, away):
        folder.mkdir()
    (house / "my.toml").write_text('base = "english"\nexchange_min_bag = 3\n')
    monkeypatch.chdir(house)
    typed(["pass", "save game.json"], *SEED, "--rules", "my.toml+nine")
    monkeypatch.chdir(away)
    file = house / "game.json"
    assert json.loads(file.read_text("utf-8"))["rules"] == f"{house / 'my.toml'}+nine"
    assert any("Rules my+nine" in line for line in typed([], "--load", str(file)))
    assert f"Loaded: {file}" in typed([f"load {file}"], *SEED)
    house.rename(tmp_path / "moved")  # the rules are beside the game still
    file = tmp_path / "moved" / "game.json"
    typed([f"save {file}"], "--load", str(file))
    assert json.loads(file.read_text("utf-8"))["rules"] == f"{file.parent / 'my.toml'}+nine"
    (tmp_path / "moved" / "my.toml").rename(away / "other.toml")
    (line,) = typed([], "--load", str(file), code=1)
    assert line.startswith("quixotry: error: --load: ")
    assert f"the rules of the game are not there: start 'quixotry play --load {file}" in line
    assert any("Loaded" in x for x in typed([f"save {file}"], "--load", str(file), "--rules",
               str(away / "other.toml+nine"))) is False  # fmt: skip
    assert json.loads(file.read_text("utf-8"))["rules"] == f"{away / 'other.toml'}+nine"


def test_players_in_order_and_names_twice(typed: Callable[..., list[str]]) -> None:
    said = typed([], "--players", "level1,you,level1,greedy", "--name", "Bo", "--seed", "1")
    status = next(line for line in said if "Bo" in line and "bag" in line)
    assert [word for word in status.split() if not word.isdecimal()] == [
        "level1", ">", "Bo", "level1", "greedy", "bag",
    ] or "level1 2" in status  # fmt: skip


def test_levels_are_listed_with_what_they_score(typed: Callable[..., list[str]]) -> None:
    said = typed([], "--levels")
    assert re.fullmatch(r"level2, about \d{3} points a game", said[1])
    assert len(said) == 9
    said = typed([], *SEED, "--against", "level2")
    assert any(re.fullmatch(r"level2: about \d{3} points a game", line) for line in said)


@pytest.mark.parametrize("rules", ["english+super", "english+nine", "classic"])
def test_variants_fit_into_80_columns(typed: Callable[..., list[str]], rules: str) -> None:
    said = typed(["pass", "tiles", "help"], *SEED, "--rules", rules)
    assert max(map(len, said)) <= 80
    assert said[-1] == "The game was left."


def test_a_seed_by_chance_is_shown_and_gives_the_game_again(
    typed: Callable[..., list[str]],
) -> None:
    first = typed([], "--against", "level1")
    seed = re.fullmatch(r"Seed (\d+)\. .*", first[1])
    assert seed is not None
    assert typed([], "--against", "level1", "--seed", seed[1]) == first


def test_an_ended_game_may_be_undone_and_saved(
    typed: Callable[..., list[str]], tmp_path: Path
) -> None:
    file = tmp_path / "g"
    lines = ["pass"] * 8 + ["pass", "8D FOO", "hint", f"save {file}", "undo", "quit"]
    said = typed(lines, *SEED, "--rules", "english+finish-beginner", "--against", "equity")
    over = "The game is over: save, undo, load or quit"
    assert "The game is over: the finish line is reached." in said
    assert said.count(over) >= 4
    assert said[-1] == "The game was left."
    again = typed([], "--load", str(file))
    assert over in again
    assert again[-1] == "Goodbye."


# -- texts -----------------------------------------------------------------------------------------


def _places(text: str) -> list[str]:
    return sorted(name for _, name, _, _ in string.Formatter().parse(text) if name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_texts_have_the_same_keys_and_places(language: str) -> None:
    texts, english = find_texts(language), find_texts("en")
    assert sorted(texts.texts) == sorted(english.texts)
    assert sorted(texts.words) == sorted(english.words)
    assert sorted(texts.helps) == sorted(english.helps)
    for key, text in english.texts.items():
        assert _places(texts.texts[key]) == _places(text), key
    assert [pattern for pattern, _ in texts.reasons] == [pattern for pattern, _ in english.reasons]
    for (pattern, text), (_, own) in zip(english.reasons, texts.reasons, strict=True):
        assert _places(own) == _places(text), pattern
    assert max(map(len, texts.help())) < 80
    if language != "en":
        same = {key for key, text in english.texts.items() if texts.texts[key] == text}
        assert same <= {
            "player_level",
            "played",
            "passed",
            "pays",
            "gains",
            "final",
            "start",
            "hint",
        }


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_command_word_has_one_meaning(language: str) -> None:
    meanings: dict[str, str] = {}
    for texts in (find_texts("en"), find_texts(language)):
        for name, words in texts.words.items():
            for word in words:
                assert meanings.setdefault(word.casefold(), name) == name, word
                assert parse_coordinate(word) is None
                assert len(word.split()) == 1


@pytest.mark.parametrize("language", LANGUAGES)
def test_somebody_without_a_name_is_spoken_to(
    typed: Callable[..., list[str]], language: str
) -> None:
    texts = find_texts(language)
    said = typed(["challenge"], "--seed", "5", "--language", language)
    tile = re.escape(texts.say("drew_you", tile="@")).replace("@", r"\S+")
    assert any(re.search(rf"(^|, ){tile}($|, )", line) for line in said)
    assert texts.say("lost_turn_you") in said
    assert texts.say("begins", name="level3") in said
    told = {key[:-4] for key in texts.texts if key.endswith("_you")}
    assert told == {"drew", "begins", "lost_turn", "out", "winner"}
    assert texts.say("lost_turn", name="Ada") in typed(["challenge"], *SEED, "--language", language)


@pytest.mark.parametrize("language", LANGUAGES[1:])
def test_what_cannot_be_read_is_said_in_the_language_with_its_commands(
    typed: Callable[..., list[str]], language: str, tmp_path: Path
) -> None:
    texts, english = find_texts(language), find_texts("en")
    (tmp_path / "letter").write_text("Dear Ada")
    lines = [
        "8D", "9A W0RD", "9A (WORD", "9A [WORD", "exchange e", "exchange 7", f"load {tmp_path}/no",
        f"load {tmp_path}", f"load {tmp_path}/letter", f"save {tmp_path}/letter",
        f"save {tmp_path}/no/such", "exchange QQ",
    ]  # fmt: skip
    said = typed(lines, *SEED, "--language", language)[-len(lines) - 1 : -1]
    own = typed(lines, *SEED, "--language", "en")[-len(lines) - 1 : -1]
    for line, there in zip(said, own, strict=True):
        assert line != there
        for word in ("expected", "exch ", "No such", "not ", " has ", "write", "is there", "names"):
            assert word not in line, (language, line)
    assert f"'{texts.words['exchange'][0]} ABC'" in said[0]
    assert f"'8D {texts.helps['word']}'" in said[0]
    assert f"'{texts.words['pass'][0]}'" in said[0]
    assert said[-1].startswith(texts.words["exchange"][0])
    assert own[0] == (
        "Cannot be read: '8D': expected a move like '8D WORD', 'exchange ABC' or 'pass'"
    )
    assert len(texts.reasons) == len(english.reasons)


def test_every_language_has_its_file() -> None:
    assert sorted(file.stem for file in FOLDER.glob("*.toml")) == sorted(LANGUAGES)
    assert {code: find_texts(code).rules for code in LANGUAGES} == RULES


def test_every_reason_of_the_engine_has_its_text() -> None:
    """Reasons are read off the code: what IllegalPlay is given where plays are laid and judged."""
    said = set()
    for module in ("movegen/judge.py", "board/notation/moves.py"):
        tree = ast.parse((REPO / "engine" / module).read_text("utf-8"))
        for node in ast.walk(tree):
            given = None
            if isinstance(node, ast.Call) and ast.unparse(node.func) == "IllegalPlay":
                given = node.args[1]
            elif isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "reason":
                given = node.value
            if isinstance(given, ast.JoinedStr):
                parts = [p.value if isinstance(p, ast.Constant) else "7" for p in given.values]
                said.add("".join(map(str, parts)))
            elif isinstance(given, ast.Constant):
                said.add(str(given.value))
    assert len(said) >= 13
    for reason in said:
        known = [p for p, _ in find_texts("en").reasons if p.fullmatch(reason)]
        assert known, reason
        assert find_texts("fi").reason(reason) != reason
