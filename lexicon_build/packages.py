"""Installed packages that word lists are read from: their versions and their files."""

from __future__ import annotations

import gzip
import importlib.metadata
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LexiconFileError


@dataclass(frozen=True)
class Package:
    """A package in the only version that is read: another one would give other words."""

    name: str
    version: str

    def __str__(self) -> str:
        return f"{self.name} {self.version}"

    def fault(self) -> str:
        """What keeps the package from being read: '' where it is installed in its version."""
        try:
            found = importlib.metadata.version(self.name)
        except importlib.metadata.PackageNotFoundError:
            return f"{self} is not installed"
        return "" if found == self.version else f"{self} is needed, {found} is installed"

    def file(self, path: str) -> Path:
        """A file of the package, by its path below site-packages.

        Raises LexiconFileError where there is none.
        """
        try:
            distribution = importlib.metadata.distribution(self.name)
        except importlib.metadata.PackageNotFoundError:
            raise LexiconFileError(f"{self} is not installed") from None
        file = Path(str(distribution.locate_file(path)))
        if not file.is_file():
            raise LexiconFileError(f"{self} has no file {path}")
        return file


WORDFREQ = Package("wordfreq", "3.1.1")


def attested_words(language: str) -> set[str]:
    """The forms of wordfreq's large list of a language (``nb``, ``fi``), in lower case.

    They are evidence that a form is used, not that it is correct. Raises LexiconFileError.
    """
    import msgpack

    file = WORDFREQ.file(f"wordfreq/data/large_{language}.msgpack.gz")
    try:
        _header, *buckets = msgpack.unpackb(gzip.decompress(file.read_bytes()), raw=False)
        return {word for bucket in buckets for word in bucket}
    except (OSError, EOFError, ValueError, TypeError) as error:
        raise LexiconFileError(f"{file}: not the list expected: {error}") from None
