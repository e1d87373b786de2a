"""Lexicons by name: those that come with the package and those built on this machine.

A lexicon that the user built is taken before a bundled one of the same name.
"""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import LexiconFileError, shorten
from engine.files import file_fault
from engine.lexicon.files import read_lexicon
from engine.lexicon.lexicon import Lexicon

if TYPE_CHECKING:
    from engine.rules.rules import Rules

ENDING = ".qlx"
#: lexicons that are built from packages
SOURCES = ("english", "finnish", "hungarian", "norwegian", "polish")
BUNDLED = Path(__file__).resolve().parents[1] / "data"


def user_folder() -> Path:
    """Folder of the lexicons built here: ``lexicons`` under QUIXOTRY_DATA or the user's data."""
    base = os.environ.get("QUIXOTRY_DATA")
    if not base:
        import platformdirs

        base = platformdirs.user_data_dir("quixotry")
    return Path(base) / "lexicons"


def lexicon_files() -> dict[str, Path]:
    """Name -> file of every lexicon there is, sorted by name."""
    found: dict[str, Path] = {}
    for folder in (BUNDLED, user_folder()):
        found |= {file.stem: file for file in folder.glob(f"[!.]*{ENDING}")}
    return dict(sorted(found.items()))


def built_path(name: str) -> Path:
    """Where a lexicon built here is kept. Raises LexiconFileError for what cannot be a name."""
    if not re.fullmatch(r"\w[\w.+-]{0,63}", name) or name.endswith(ENDING):
        raise LexiconFileError(
            f"{shorten(name)} cannot be a lexicon's name (letters, digits, '_', '.', '+', '-')"
        )
    return user_folder() / f"{name}{ENDING}"


def lexicon_path(name: str | Path) -> Path:
    """File of a lexicon by name, or the path itself where it ends in ``.qlx``.

    Raises LexiconFileError with the names there are.
    """
    if str(name).lower().endswith(ENDING):
        return Path(name)
    files = lexicon_files()
    if str(name) not in files:
        known = ", ".join(files) or "none (see 'quixotry lexicon build')"
        raise LexiconFileError(f"no lexicon {shorten(str(name))}; there are: {known}")
    return files[str(name)]


def find_lexicon(name: str | Path) -> Lexicon:
    """A lexicon by name or path of a ``.qlx`` file; the same object while the file is the same.

    Raises LexiconFileError.
    """
    path = lexicon_path(name)
    try:
        status = path.stat()
    except (OSError, ValueError) as error:
        raise LexiconFileError(file_fault(path, error)) from None
    return _opened(path.absolute(), status.st_ino, status.st_mtime_ns, status.st_size)


def own_lexicon(rules: Rules) -> Lexicon:
    """The lexicon that some rules name. Raises LexiconFileError, also where they name none, or one
    that is not there."""
    give = "give one with --lexicon (in Python: lexicon=)"
    if not rules.lexicon:
        raise LexiconFileError(
            f"rules {rules.name!r} (tile set {rules.tiles.name!r}) have no lexicon of their own:"
            f" {give}"
        )
    name = rules.lexicon
    how = name if name in SOURCES else f"LIST --name {name}"
    try:
        return find_lexicon(name)
    except LexiconFileError as error:
        raise LexiconFileError(
            f"{error}; rules {rules.name!r} want it: build it with 'quixotry lexicon build {how}',"
            f" or {give}"
        ) from None


@lru_cache(maxsize=16)
def _opened(path: Path, inode: int, changed: int, size: int) -> Lexicon:
    return read_lexicon(path)
