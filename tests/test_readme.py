"""What README.md says, run."""

from __future__ import annotations

import re
import shlex
from pathlib import Path

import pytest

from engine.app.cli import main
from engine.rules.rules import find_rules, rules_names
from engine.rules.tiles import tile_set_names

README = (Path(__file__).resolve().parents[1] / "README.md").read_text("utf-8")


def _block(language: str) -> str:
    (text,) = re.findall(rf"^```{language}\n(.*?)^```$", README, re.DOTALL | re.MULTILINE)
    return str(text)


def test_the_python_example_runs(capsys: pytest.CaptureFixture[str]) -> None:
    names: dict[str, object] = {}
    exec(compile(_block("python"), "README.md", "exec"), names)
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 7
    assert lines[0].split()[0][0] == "8"
    assert "score=74" in lines[5]
    assert lines[6] == str(names["position"])
    assert lines[6].startswith("7T7/7R7/7A7/7I7/7N7/7m7/7E7/5WINDY5/")


def test_the_first_command_prints_what_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    (command,) = re.findall(r"quixotry (best .*)$", _commands("first"), re.MULTILINE)
    capsys.readouterr()
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == _block("text")


def _commands(name: str) -> str:
    """The shell block that is marked ``<!-- ci: NAME -->``."""
    return README.partition(f"<!-- ci: {name} -->")[2].partition("```sh")[2].partition("```")[0]


def test_the_numbers_of_tile_sets_are_right() -> None:
    own = {find_rules(name).tiles.name for name in rules_names()}
    supers = {name for name in tile_set_names() if "super" in name}
    total, more = len(tile_set_names()), len(tile_set_names()) - len(own) - len(supers)
    assert (len(own), more, len(supers)) == (5, 21, 2)
    text = " ".join(README.split())
    assert f"{total} tile sets come along" in text
    assert f"of these five languages, of {more} more, and two of the super board" in text
