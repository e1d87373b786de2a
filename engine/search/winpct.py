"""Win probability by spread and tiles unseen: a table that training made (lexicon_build/winpct.py).

A table has a row for every bag: the share of a win that the player on turn has, by spread. While
the bag holds tiles both racks are full; with an empty bag it counts how many tiles each holds. In a
row with an empty rack the game is over and the spread, adjustment included, decides.

The file (``.qwp``, engine/lexicon/packed.py) holds the rows as uint16, multiples of 1 / SCALE, and
in its header the letters and the rack size that they are for and the record of their training.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from engine.errors import LexiconFileError, QuixotryError, shorten
from engine.lexicon.packed import are_labels, is_name, read_packed, write_packed
from engine.rules.rules import MAX_RACK, Rules, find_rules

KIND = b"QXWINPC\x01"
ENDING = ".qwp"
SCALE = 60_000  #: a certain win
BUNDLED = Path(__file__).resolve().parents[1] / "data" / "winpct"

Floats = NDArray[np.float64]


def row_of(rack_size: int, bag: Any, own: Any, other: Any) -> Any:
    """Row of a table: int, or int64 array of numbers of tiles in the bag, on the rack of the player
    on turn, and on the other. First all pairs of racks with an empty bag, then the bags from 1."""
    if isinstance(bag, int):
        return (rack_size + 1) ** 2 + bag - 1 if bag else own * (rack_size + 1) + other
    return np.where(bag > 0, (rack_size + 1) ** 2 + bag - 1, own * (rack_size + 1) + other)


def rows_of(rules: Rules) -> int:
    """Rows of a table for some rules."""
    return (rules.rack_size + 1) ** 2 + max(0, rules.tiles.total - 2 * rules.rack_size)


@dataclass(frozen=True, eq=False, repr=False)
class WinTable:
    """An immutable table. ``shares``: uint16 (rows, 2 * reach + 1), in 1 / SCALE, by ``row_of`` and
    by spread from -reach to reach; it never falls as the spread rises."""

    name: str
    labels: tuple[str, ...]  #: of the tiles, as in TileSet
    rack_size: int
    shares: NDArray[np.uint16]
    origin: str = ""

    def __post_init__(self) -> None:
        """Raises LexiconFileError for numbers that are no such table."""
        where, shares = f"win table {shorten(self.name)}", self.shares
        least = (self.rack_size + 1) ** 2
        if shares.dtype != np.uint16 or shares.ndim != 2 or shares.shape[1] % 2 == 0:
            raise LexiconFileError(
                f"{where}: {shares.shape} {shares.dtype} numbers, expected uint16 by row and spread"
            )
        if len(shares) < least:
            raise LexiconFileError(f"{where}: {len(shares)} rows, expected {least} or more")
        if shares.max() > SCALE or (shares[:, 1:] < shares[:, :-1]).any():
            raise LexiconFileError(
                f"{where}: a share is past {SCALE}, or falls as the spread rises"
            )
        if shares[:, 0].max() > SCALE / 2 or shares[:, -1].min() < SCALE / 2:
            raise LexiconFileError(f"{where}: a row where no lead, or every one, wins")
        view = np.ascontiguousarray(shares).view()
        view.flags.writeable = False
        object.__setattr__(self, "shares", view)

    @property
    def reach(self) -> int:
        """Greatest spread in the table; a spread past it counts as this one."""
        return int(self.shares.shape[1] // 2)

    @property
    def most_bag(self) -> int:
        """Tiles in the bag once both racks are full."""
        return len(self.shares) - (self.rack_size + 1) ** 2

    def check_rules(self, rules: Rules) -> None:
        """Raise LexiconFileError where the table is for other letters, racks or bags."""
        rows = rows_of(rules)
        if (self.labels, self.rack_size) != (rules.tiles.labels, rules.rack_size) or (
            len(self.shares) != rows
        ):
            raise LexiconFileError(
                f"win table {self.name!r} is for {len(self.labels)} kinds of tile, racks of"
                f" {self.rack_size} and up to {self.most_bag} in the bag; that does not fit the"
                f" rules {rules.name!r}"
            )

    def probability(self, spread: int, bag: int, own: int, other: int) -> float:
        """The share of a win, 0 to 1, a draw counted half, of the player on turn, who is ``spread``
        points ahead and holds ``own`` tiles.

        ``own`` and ``other`` (tiles of the other player) count with an empty bag only. Raises
        QuixotryError for numbers of tiles that the table does not have.
        """
        return float(self.probabilities(spread, bag, own, other))

    def probabilities(
        self, spread: ArrayLike, bag: ArrayLike, own: ArrayLike, other: ArrayLike
    ) -> Floats:
        """``probability`` of arrays of whole numbers that fit each other, element by element."""
        spreads = _whole("spread", spread)
        tiles = []
        for what, given, most in (
            ("bag", bag, self.most_bag),
            ("own rack", own, self.rack_size),
            ("other rack", other, self.rack_size),
        ):
            numbers = _whole(what, given)
            bad = numbers[(numbers < 0) | (numbers > most)]
            if bad.size:
                raise QuixotryError(
                    f"{what} of {bad[0]} tiles: win table {self.name!r} has 0 to {most}"
                )
            tiles.append(numbers)
        try:
            return self.of_rows(row_of(self.rack_size, *tiles), spreads)
        except (ValueError, IndexError):
            shapes = [array.shape for array in (spreads, *tiles)]
            raise QuixotryError(f"arrays of the shapes {shapes} do not fit each other") from None

    def of_rows(self, rows: NDArray[np.integer], spreads: NDArray[np.integer]) -> Floats:
        """Shares of a win by rows of the table and spreads, arrays that fit each other."""
        columns = np.clip(spreads, -self.reach, self.reach) + self.reach
        shares: Floats = self.shares[rows, columns] / SCALE
        return shares

    def after_play(
        self, spread: ArrayLike, bag: ArrayLike, own: ArrayLike, other: ArrayLike
    ) -> Floats:
        """The share of a win of the player who has just played and drawn: ``spread`` points ahead,
        ``own`` tiles held, the other player on turn; arrays or numbers."""
        return 1 - self.probabilities(np.negative(spread), bag, other, own)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, WinTable):
            return NotImplemented
        same = (self.name, self.labels, self.rack_size) == (
            other.name,
            other.labels,
            other.rack_size,
        )
        return same and np.array_equal(self.shares, other.shares)

    def __hash__(self) -> int:
        return hash((self.name, self.labels, self.rack_size))

    def __repr__(self) -> str:
        return (
            f"<WinTable {self.name}, racks of {self.rack_size}, up to {self.most_bag} in the bag,"
            f" spreads up to {self.reach}>"
        )


def _whole(what: str, given: ArrayLike) -> NDArray[np.int64]:
    """Numbers as an array. Raises QuixotryError for what are no whole numbers."""
    try:
        array = np.asarray(given)
    except ValueError:  # lists of different lengths
        array = np.asarray(None)
    if array.dtype.kind not in "iu":
        raise QuixotryError(f"{what} {shorten(given)}, expected whole numbers")
    return array.astype(np.int64)


# -- files and names -------------------------------------------------------------------------------


def write_win_table(path: Path, table: WinTable, training: dict[str, Any] | None = None) -> None:
    """Write a table as a ``.qwp`` file, ``training`` (as JSON takes it) in its header.

    Raises LexiconFileError.
    """
    header = {
        "name": table.name,
        "labels": list(table.labels),
        "rack_size": table.rack_size,
        "scale": SCALE,
        "origin": table.origin,
        "training": training or {},
    }
    write_packed(path, KIND, header, table.shares.astype("<u2", copy=False))


def load_win_table(path: Path | str) -> WinTable:
    """A table from a ``.qwp`` file. Raises LexiconFileError."""
    return read_win_table(Path(path))[1]


def read_win_table(path: Path) -> tuple[dict[str, Any], WinTable]:
    """Header of a ``.qwp`` file, and its table. Raises LexiconFileError."""
    header, shares = read_packed(path, KIND, "win table")
    match header:
        case {
            "name": str(name),
            "labels": labels,
            "rack_size": int(rack_size),
            "scale": int(scale),
            "origin": str(origin),
            "training": dict(),
        } if (
            is_name(name)
            and are_labels(labels)
            and type(rack_size) is int
            and 1 <= rack_size <= MAX_RACK
            and scale == SCALE
        ):
            pass
        case _:
            raise LexiconFileError(f"{path}: its header is not that of a win table")
    if shares.dtype != np.dtype("<u2"):
        raise LexiconFileError(f"{path}: its numbers are {shares.dtype}, expected uint16")
    try:
        return header, WinTable(name, tuple(labels), rack_size, shares.astype(np.uint16), origin)
    except LexiconFileError as error:
        error.add_prefix(f"{path}: ")
        raise


def win_table_names() -> tuple[str, ...]:
    """Names of the bundled tables; each is that of the rules that it is for."""
    return tuple(sorted(file.stem for file in BUNDLED.glob(f"*{ENDING}")))


@lru_cache(maxsize=8)
def _bundled(name: str) -> WinTable:
    return load_win_table(BUNDLED / f"{name}{ENDING}")


def find_win_table(name: str | Path, rules: Rules) -> WinTable:
    """A table for some rules by name, or from a ``.qwp`` file.

    Raises LexiconFileError, also where a table is for other tiles or racks.
    """
    if str(name).lower().endswith(ENDING):
        table = load_win_table(name)
    elif str(name) in win_table_names():
        table = _bundled(str(name))
    else:
        known = ", ".join(win_table_names()) or "none"
        raise LexiconFileError(
            f"no win table {shorten(str(name))}; there are: {known}; or a file that ends in"
            f" {ENDING}"
        )
    table.check_rules(rules)
    return table


def default_win_table(rules: Rules) -> WinTable | None:
    """The bundled table made for a game with these tiles, racks and this board; None without."""
    for name in win_table_names():
        made = find_rules(name)
        if (made.tiles.labels, made.tiles.values, made.tiles.counts, made.rack_size) == (
            rules.tiles.labels,
            rules.tiles.values,
            rules.tiles.counts,
            rules.rack_size,
        ) and made.layout.squares == rules.layout.squares:
            return _bundled(name)
    return None
