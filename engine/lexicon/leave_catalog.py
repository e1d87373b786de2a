"""Leaves by name: those that come with the package."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from engine.errors import LexiconFileError, shorten
from engine.lexicon.leave_files import ENDINGS, load_leaves
from engine.lexicon.leaves import Leaves, zero_leaves
from engine.rules.tiles import TileSet, find_tile_set

BUNDLED = Path(__file__).resolve().parents[1] / "data" / "leaves"


def leaves_names() -> tuple[str, ...]:
    """Names that ``find_leaves`` knows: ``zero`` and the bundled tables."""
    return ("zero", *sorted(file.stem for file in BUNDLED.glob("*.qlv")))


@lru_cache(maxsize=8)
def _bundled(name: str) -> Leaves:
    return load_leaves(BUNDLED / f"{name}.qlv", find_tile_set(name))


def find_leaves(name: str | Path, tiles: TileSet) -> Leaves:
    """Leaves by name (``zero``, ``english``), or from a ``.qlv``, ``.csv`` or ``.klv2`` file.

    Raises LexiconFileError, also where a table is for other letters.
    """
    if str(name).lower().endswith(ENDINGS):
        return load_leaves(Path(name), tiles)
    if name == "zero":
        return zero_leaves(tiles.kinds)
    if name not in leaves_names():
        raise LexiconFileError(
            f"no leaves {shorten(str(name))}; there are {', '.join(leaves_names())};"
            f" or a file that ends in {', '.join(ENDINGS)}"
        )
    if find_tile_set(str(name)).alphabet_hash != tiles.alphabet_hash:
        raise LexiconFileError(f"leaves {str(name)!r} are not for the letters of {tiles.name!r}")
    return _bundled(str(name))


def default_leaves(tiles: TileSet) -> Leaves:
    """The bundled leaves made for a tile set's letters and points, else leaves worth 0."""
    for name in leaves_names()[1:]:
        own = find_tile_set(name)
        if (own.labels, own.values) == (tiles.labels, tiles.values):
            return _bundled(name)
    return zero_leaves(tiles.kinds)
