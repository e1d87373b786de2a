"""Named sources: one module a language, from installed packages to a list of words.

A source module has ``SOURCE``, a Source. Nothing is downloaded: the packages must be installed
(``pip install "quixotry[english]"``), and the same versions give the same words. A module with an
underscore in its name is a part of a source; ``data/`` holds lists made by hand.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LexiconFileError, shorten
from lexicon_build.packages import Package

#: called with what is being done now, a few words: "expanding the affixes"
Progress = Callable[[str], None]


@dataclass(frozen=True)
class SourceWords:
    """What a source gives."""

    text: str  #: one word a line; dots between tiles where a tile is several characters (CS.A.K)
    notes: tuple[str, ...] = ()  #: what explains the count, without ";": "86911 genitives left out"


@dataclass(frozen=True)
class Source:
    """Where a language's free word list comes from."""

    name: str  #: also the name of the tile set and of the extra that installs the packages
    packages: tuple[Package, ...]
    origin: str
    licence: str
    date: str  #: of the first package's version, YYYY-MM-DD
    make: Callable[[Progress], SourceWords]  #: see ``read``, which callers use

    @property
    def version(self) -> str:
        """Version of the package; of several packages each with its name."""
        if len(self.packages) == 1:
            return self.packages[0].version
        return ", ".join(map(str, self.packages))

    def read(self, progress: Progress = lambda step: None) -> SourceWords:
        """The word list, always the same one. ``progress`` hears what is being done.

        Raises LexiconFileError where a package is missing or has another version, saying how to
        install it, before anything is read.
        """
        faults = [fault for package in self.packages if (fault := package.fault())]
        if faults:
            raise LexiconFileError(
                f"source {self.name!r}: {'; '.join(faults)}; install with:"
                f' pip install "quixotry[{self.name}]"'
            )
        return self.make(progress)


def source_names() -> tuple[str, ...]:
    """Names of the sources there are."""
    names = (module.name for module in pkgutil.iter_modules(__path__))
    return tuple(sorted(name for name in names if "_" not in name))


def find_source(name: str) -> Source:
    """A source by name. Raises LexiconFileError with the names there are."""
    if name not in source_names():
        raise LexiconFileError(f"no source {shorten(name)}; there are {', '.join(source_names())}")
    source: Source = importlib.import_module(f"{__name__}.{name}").SOURCE
    return source


def words_by_hand(file: str) -> frozenset[str]:
    """The words of a file in ``data/``: any number a line; ``#`` begins a comment."""
    text = (Path(__file__).parent / "data" / file).read_text("utf-8")
    return frozenset(word for line in text.splitlines() for word in line.partition("#")[0].split())
