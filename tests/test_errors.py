"""Errors as values, and how messages quote what was given."""

from __future__ import annotations

import copy
import pickle
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

from engine.errors import (
    IllegalPlay,
    LexiconFileError,
    NotationError,
    QuixotryError,
    RulesError,
    brief,
    printable,
    shorten,
)
from engine.files import read_bytes, read_text

KINDS = [NotationError, RulesError, LexiconFileError, QuixotryError]


def _refuse() -> None:
    raise IllegalPlay("8G DOG", "not on the rack: G")


@pytest.mark.parametrize("prefix", ["", "games.cgp, line 3: "])
def test_errors_pickle_with_all_they_say(prefix: str) -> None:
    errors: list[QuixotryError] = [kind("bad") for kind in KINDS]
    errors.append(IllegalPlay("8G DOG", "not on the rack: G"))
    for error in errors:
        error.add_prefix(prefix)
        for again in (pickle.loads(pickle.dumps(error)), copy.copy(error)):
            assert type(again) is type(error)
            assert str(again) == str(error)
            assert vars(again) == vars(error)
    assert str(errors[-1]) == f"{prefix}8G DOG: not on the rack: G"


def test_an_illegal_play_comes_out_of_a_process_pool() -> None:
    with ProcessPoolExecutor(1) as pool, pytest.raises(IllegalPlay) as caught:
        pool.submit(_refuse).result()
    assert (caught.value.play, caught.value.reason) == ("8G DOG", "not on the rack: G")


def test_messages_are_one_printable_line() -> None:
    for kind in KINDS:
        assert str(kind("a\nb\x1b[31m\x00")) == "a\\nb\\x1b[31m\\x00"
    assert str(IllegalPlay("8A\x07" + "x" * 5000, "no\nway")).isprintable()
    assert len(str(IllegalPlay("8A " + "x" * 5000, "no"))) < 100


def test_long_input_is_shortened() -> None:
    assert shorten("short") == "'short'"
    assert shorten("x" * 5000) == "'" + "x" * 57 + "...'"
    assert shorten(["x" * 5000]) == "['" + "x" * 55 + "..."
    assert brief("a\tb") == "a\\tb"
    assert printable("ÄÖ ✓") == "ÄÖ ✓"
    assert printable("\udc80") == "\\udc80"


@pytest.mark.parametrize("kind", KINDS)
def test_a_file_that_cannot_be_read_is_one_clear_error(
    tmp_path: Path, kind: type[QuixotryError]
) -> None:
    (tmp_path / "latin").write_bytes(b"\xe4")
    for name, message in (
        ("none", "none: No such file or directory"),
        ("", "Is a directory"),
        ("a\0b", r"a\\x00b: no file can have such a name"),
        ("x" * 5000, "File name too long"),
        ("latin", "latin: not a text file in UTF-8"),
    ):
        with pytest.raises(kind, match=message) as caught:
            read_text(tmp_path / name, kind)
        assert type(caught.value) is kind
    (tmp_path / "bom").write_bytes(b"\xef\xbb\xbfyes")
    assert read_text(tmp_path / "bom", kind) == "yes"
    assert read_bytes(tmp_path / "bom", kind) == b"\xef\xbb\xbfyes"
