"""Rule systems as values: everything that decides what is legal, what scores and how a game ends.

``find_rules("finnish")`` is a rule system, ``find_rules("polish+nine+super")`` one with variants
put on it, ``find_rules("my.toml")`` a user's own. The move generator, the scorer and the referee
read these values and know no language and no variant by name.
"""

from __future__ import annotations

import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import cache
from importlib import resources
from math import prod
from pathlib import Path
from typing import Any

from engine.errors import RulesError, brief, shorten
from engine.rules.frozen import FrozenDict
from engine.rules.layouts import Layout, find_layout, load_layout
from engine.rules.tiles import TileSet, find_tile_set, load_tile_set, read_toml, tile_set_from_table

MAX_RACK = 12
MAX_PLAYERS = 4
MAX_BASES = 8  #: files that one rules file may lead to by its base
MIN_BAG = 7  #: tiles that an exchange needs in the bag, where nothing else is said
MAX_POINTS = 2_000_000  #: of one play: kernels count millipoints in 32 bits


@dataclass(frozen=True)
class End:
    """When a game without a way forward ends.

    ``scoreless``: after ``count`` turns in a row that score 0, of whatever sort, by all players
    together. ``passes``: after every player has passed ``count`` times in a row.
    """

    kind: str = "scoreless"
    count: int = 6


@dataclass(frozen=True)
class Challenge:
    """What a challenge costs when every word of the play is valid.

    ``void``: an invalid play is refused when made. ``none``: no challenges. ``single``: nothing.
    ``double``: the challenger's next turn. ``triple``: the game. ``points``: ``points`` change
    hands as ``pay`` says: ``challenger_loses`` or ``player_gains``.
    """

    kind: str = "double"
    points: int = 0
    pay: str = "challenger_loses"


@dataclass(frozen=True)
class Rules:
    """One rule system; immutable, compared by value."""

    name: str
    tiles: TileSet
    layout: Layout
    rack_size: int = 7
    bonus: tuple[int, ...] = (0, 0, 0, 0, 0, 0, 0, 50)  #: points by number of tiles laid
    exchange_min_bag: int = MIN_BAG  #: an exchange needs so many tiles in the bag
    end: End = End()
    challenge: Challenge = Challenge()
    tie: str = "draw"  #: or "before_adjustment": equal scores are decided by those before it
    adjustment: str = "box"  #: or "tournament": who goes out gains twice the other's tiles
    finish_line: Mapping[int, int] = field(default_factory=FrozenDict, hash=False)
    """Players -> score that ends the game; empty without a finish line."""
    lexicon: str = ""  #: name of the lexicon taken when none is given

    def __post_init__(self) -> None:
        object.__setattr__(self, "finish_line", FrozenDict(self.finish_line))
        where = f"rules {shorten(self.name)}"
        if not self.name.isprintable():
            raise RulesError(f"{where}: a name cannot hold control characters")
        if not 1 <= self.rack_size <= MAX_RACK:
            raise RulesError(f"{where}: rack_size {self.rack_size}, expected 1 to {MAX_RACK}")
        if len(self.bonus) != self.rack_size + 1 or not all(0 <= b <= 10_000 for b in self.bonus):
            raise RulesError(f"{where}: bonus {self.bonus}, expected 0..10000 for each number laid")
        most = max(MIN_BAG, self.tiles.total + 1)  # a small tile set may have the usual number
        if not 0 <= self.exchange_min_bag <= most:
            raise RulesError(
                f"{where}: exchange_min_bag {self.exchange_min_bag}, expected 0 to {most}"
            )
        _one_of(where, "end kind", self.end.kind, "scoreless", "passes")
        kinds = ("void", "none", "single", "double", "triple", "points")
        _one_of(where, "challenge kind", self.challenge.kind, *kinds)
        _one_of(where, "challenge pay", self.challenge.pay, "challenger_loses", "player_gains")
        _one_of(where, "tie", self.tie, "draw", "before_adjustment")
        _one_of(where, "adjustment", self.adjustment, "box", "tournament")
        for what, number, least, top in (
            ("the end count is", self.end.count, 1, 1000),
            ("challenge points", self.challenge.points, 0, 10_000),
            *(("finish_line", points, 1, MAX_POINTS) for points in self.finish_line.values()),
        ):
            if not least <= number <= top:
                raise RulesError(f"{where}: {what} {number}, expected {least} to {top}")
        if self._most_points() > MAX_POINTS:
            raise RulesError(
                f"{where}: a play could score more than {MAX_POINTS} points, for the word premiums"
                f" of layout {self.layout.name!r} multiply too far"
            )

    def _most_points(self) -> int:
        """No play can score more than this."""
        layout, value = self.layout, max(self.tiles.values)
        rows = [[layout.word_premium(r, c) for c in range(layout.cols)] for r in range(layout.rows)]
        lanes = rows + [list(lane) for lane in zip(*rows, strict=True)]
        longest = max(layout.rows, layout.cols)
        main: int = max(prod(sorted(lane)[-self.rack_size :]) for lane in lanes)
        crossed = self.rack_size * max(map(max, rows))
        dearest = max(
            layout.letter_premium(r, c) for r in range(layout.rows) for c in range(layout.cols)
        )
        return longest * value * dearest * (main + crossed) + max(self.bonus)

    def with_variant(self, variant: str) -> Rules:
        """These rules with a variant put on them. Raises RulesError for an unknown one."""
        variants = _variants()
        if variant not in variants:
            raise RulesError(
                f"no variant {shorten(variant)}; there are {', '.join(sorted(variants))}"
            )
        change = dict(variants[variant])
        if change.pop("double_tiles", False):
            change["tiles"] = self.tiles.for_super_board()
        if "layout" in change:
            change["layout"] = find_layout(change["layout"])
        if "bonus" in change:
            change["bonus"] = _bonus(change["bonus"], change["rack_size"], variant)
        if "finish_line" in change:
            change["finish_line"] = {int(k): v for k, v in change["finish_line"].items()}
        return replace(self, name=f"{self.name}+{variant}", **change)


def _one_of(where: str, what: str, given: str, *expected: str) -> None:
    if given not in expected:
        raise RulesError(f"{where}: {what} {shorten(given)}, expected {' or '.join(expected)}")


def _up_to(text: str, most: int) -> int | None:
    """The number from 1 to ``most`` that a key is, or None."""
    good = text.isascii() and text.isdecimal() and len(text) <= 4
    return int(text) if good and 1 <= int(text) <= most else None


def _bonus(table: object, rack_size: int, where: str) -> tuple[int, ...]:
    """Bonus by number of tiles laid from a TOML table ``7 = 50``."""
    if not isinstance(table, dict):
        raise RulesError(
            f"{where}: bonus = {shorten(table)}, expected a table of tiles laid = points,"
            " like { 7 = 50 }"
        )
    bonus = [0] * (rack_size + 1)
    for key, points in table.items():
        laid = _up_to(key, rack_size)
        if laid is None or type(points) is not int or not 0 <= points <= 10_000:
            raise RulesError(
                f"{where}: bonus {shorten(key)} = {shorten(points)}, expected tiles laid"
                f" (1 to {rack_size}) = points"
            )
        bonus[laid] = points
    return tuple(bonus)


_TYPES = {
    "name": str,
    "rack_size": int,
    "exchange_min_bag": int,
    "tie": str,
    "adjustment": str,
    "lexicon": str,
}
_TABLES = {"tiles", "layout", "bonus", "end", "challenge", "finish_line", "base"}


def rules_from_table(
    table: Mapping[str, Any],
    where: str,
    folder: Path | None = None,
    above: tuple[Path, ...] = (),
) -> Rules:
    """A rule system from a TOML table. Raises RulesError.

    ``base`` names a rule system to start from. ``tiles`` is a bundled name, a file beside the
    rules file or an inline table; ``layout`` and ``base`` are a bundled name or a file beside it.
    With ``folder`` None (bundled data) only names are allowed. ``above``: the files whose base
    leads here, this one last.
    """
    unknown = set(table) - set(_TYPES) - _TABLES
    if unknown:
        raise RulesError(f"{where}: unknown key {shorten(min(unknown))}")
    change: dict[str, Any] = {}
    for key, kind in _TYPES.items():
        if key in table:
            if type(table[key]) is not kind:
                raise RulesError(
                    f"{where}: {key} = {shorten(table[key])}, expected {kind.__name__}"
                )
            change[key] = table[key]
    change.setdefault("name", Path(where).stem)
    tiles = table.get("tiles")
    if isinstance(tiles, dict):
        change["tiles"] = tile_set_from_table(tiles, where)
    elif tiles is not None:
        file = _file_beside(tiles, ".toml", where, folder)
        change["tiles"] = load_tile_set(file) if file else find_tile_set(tiles)
    if "layout" in table:
        file = _file_beside(table["layout"], ".txt", where, folder)
        change["layout"] = load_layout(file) if file else find_layout(table["layout"])
    if "finish_line" in table:
        change["finish_line"] = _finish_line(table["finish_line"], where)
    for key, cls in (("end", End), ("challenge", Challenge)):
        if key in table:
            change[key] = _section(cls, table[key], where, key)
    base = table.get("base")
    if base is None and not {"tiles", "layout"} <= set(change):
        raise RulesError(f"{where}: expected 'tiles' and 'layout' (or 'base')")
    if base is not None and not isinstance(base, str):
        raise RulesError(f"{where}: base = {shorten(base)}, expected a name or a file")
    start = None if base is None else _find(base, folder, above)
    rack_size = change.get("rack_size", start.rack_size if start else 7)
    if not 1 <= rack_size <= MAX_RACK:
        raise RulesError(f"{where}: rack_size = {rack_size}, expected 1 to {MAX_RACK}")
    if "bonus" in table:
        change["bonus"] = _bonus(table["bonus"], rack_size, where)
    elif rack_size != (start.rack_size if start else 7):
        raise RulesError(f"{where}: a rack of {rack_size} needs its own [bonus] table")
    return replace(start, **change) if start else Rules(**change)


def _file_beside(given: object, ending: str, where: str, folder: Path | None) -> Path | None:
    if not isinstance(given, str):
        raise RulesError(f"{where}: {shorten(given)} is neither a name nor a file")
    return folder / given if folder is not None and given.endswith(ending) else None


def _finish_line(table: object, where: str) -> dict[int, int]:
    if not isinstance(table, dict):
        raise RulesError(f"{where}: finish_line must be a table of players = points")
    line = {}
    for key, points in table.items():
        players = _up_to(key, MAX_PLAYERS)
        if players is None or type(points) is not int or points < 1:
            raise RulesError(
                f"{where}: finish_line {brief(key)} = {shorten(points)},"
                f" expected players (1 to {MAX_PLAYERS}) = points"
            )
        line[players] = points
    return line


def _section(cls: type[Any], table: object, where: str, key: str) -> Any:
    fields = cls.__dataclass_fields__
    if not isinstance(table, dict) or set(table) - set(fields):
        raise RulesError(f"{where}: [{key}] may hold {', '.join(fields)}")
    for name, value in table.items():
        if type(value).__name__ != fields[name].type:
            raise RulesError(
                f"{where}: [{key}] {name} = {shorten(value)}, expected {fields[name].type}"
            )
    return cls(**table)


_DATA = resources.files("engine.rules") / "data"


@cache
def _variants() -> dict[str, dict[str, Any]]:
    return tomllib.loads((_DATA / "variants.toml").read_text("utf-8"))


def rules_names() -> tuple[str, ...]:
    """Names of the rule systems that come with the package."""
    files = (_DATA / "rules").iterdir()
    return tuple(sorted(f.name[:-5] for f in files if f.name.endswith(".toml")))


def variant_names() -> tuple[str, ...]:
    """Names of the variants that ``name+variant`` puts on a rule system."""
    return tuple(sorted(_variants()))


@cache
def _bundled(name: str) -> Rules:
    if name not in rules_names():
        raise RulesError(f"no rules {shorten(name)}; there are {', '.join(rules_names())}")
    text = (_DATA / "rules" / f"{name}.toml").read_text("utf-8")
    return rules_from_table(tomllib.loads(text), name)


def find_rules(name: str) -> Rules:
    """Rules by name or path to a TOML file, with variants: ``english``, ``polish+nine``,
    ``house.toml+super``. Raises RulesError."""
    return _find(name, Path(), ())


def _find(name: str, folder: Path | None, above: tuple[Path, ...]) -> Rules:
    """Rules by name, or by a file named from ``folder``, with variants."""
    file, dot, rest = name.rpartition(".toml")
    if dot and folder is not None and (not rest or rest[0] == "+"):
        path = folder / f"{file}.toml"
        if os.path.abspath(path) in map(os.path.abspath, above):
            chain = " -> ".join(map(str, (*above, path)))
            raise RulesError(f"{above[0]}: its base leads back to itself: {chain}")
        if len(above) > MAX_BASES:
            raise RulesError(f"{above[0]}: its base leads through more than {MAX_BASES} files")
        rules = rules_from_table(read_toml(path), str(path), path.parent, (*above, path))
        variants = rest.split("+")[1:]
    else:
        base, *variants = name.split("+")
        rules = _bundled(base)
    for place, variant in enumerate(variants):
        if variant in variants[:place]:
            raise RulesError(f"{shorten(name)}: variant {shorten(variant)} twice, expected once")
        rules = rules.with_variant(variant)
    return rules
