"""Hypothesis strategies: tile sets, layouts, rules, lexicons, boards, racks, leaves, positions.

Sizes are drawn by Hypothesis, so that failures shrink to few rows, words and turns; what fills
them comes from a ``random.Random`` with a drawn seed. Boards are reached by playing random plays of
the slow reference (naive.py), and may get a phony put on them.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import naive
from hypothesis import strategies as st

from engine.errors import RulesError
from engine.rules.layouts import Layout
from engine.rules.rules import Rules
from engine.rules.tiles import TileSet, find_tile_set, tile_set_names

LANGUAGES = ("english", "finnish", "hungarian", "norwegian", "polish", "spanish", "catalan")
_SINGLES = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅÄÖÑÇŠŽĄĆĘŁŃÓŚŹŻÁÉÍÚÜŐŰБГДЖЗИЙЛПУФЦЧШЩЪЫЬЭЮЯΓΔΘΛΞΠΣΦΨΩ"
_PAIRS = ("CS", "NY", "LY", "SZ", "QU", "L·L", "CH", "RR", "LL", "DŽ", "DZS", "ДЖ", "GY", "IJ")


@st.composite
def tile_sets(draw: st.DrawFn) -> TileSet:
    """A real tile set, or a random one of 3 to 63 letters, some of them of several characters."""
    if draw(st.booleans()):
        return find_tile_set(draw(st.sampled_from(LANGUAGES)))
    return draw(random_tile_sets())


@st.composite
def random_tile_sets(draw: st.DrawFn, most: int = 63) -> TileSet:
    number = draw(st.one_of(st.integers(3, min(12, most)), st.sampled_from([31, 32, 62, 63])))
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    pairs = [p for p in _PAIRS if rng.random() < 0.3][: number // 2]
    labels = [*pairs, *rng.sample(_SINGLES, number - len(pairs))]
    rng.shuffle(labels)
    blanks = draw(st.integers(0, 3))
    counts = [rng.choice((0, 1, 2, 3, 4, 6, 9)) for _ in labels]
    counts[0] = max(counts[0], 12)
    return TileSet(
        name="random",
        labels=("?", *labels),
        blank_labels=("?", *(label.lower() for label in labels)),
        counts=(blanks, *counts),
        values=(0, *(rng.choice((0, 1, 1, 2, 3, 4, 8, 10, 100)) for _ in labels)),
        vowels=(False, *(rng.random() < 0.4 for _ in labels)),
    )


def real_tile_sets() -> st.SearchStrategy[TileSet]:
    """Every tile set that comes with the engine."""
    return st.sampled_from(tile_set_names()).map(find_tile_set)


@st.composite
def layouts(draw: st.DrawFn, most: int = 21) -> Layout:
    """2 to ``most`` rows and columns, not square as a rule, random premiums and start square."""
    sizes = st.one_of(st.integers(3, min(9, most)), st.integers(2, most))
    rows, cols = draw(sizes), draw(sizes)
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    squares = tuple(
        "".join(rng.choice("......dddttqDDTQ") for _ in range(cols)) for _ in range(rows)
    )
    start = (rng.randrange(rows), rng.randrange(cols))
    return Layout("random", squares, start)


@st.composite
def rules(draw: st.DrawFn, most: int = 21) -> Rules:
    rack_size = draw(st.sampled_from((7, 7, 9, 1, 5, 12)))
    bonus = [0] * (rack_size + 1)
    for laid in range(max(1, rack_size - 2), rack_size + 1):
        bonus[laid] = draw(st.sampled_from((0, 50, 40, 1000)))
    tiles, layout = draw(tile_sets()), draw(layouts(most))
    exchange_min_bag = draw(st.sampled_from((7, 1, 0, 5)))
    for fewer in ("DTQ", "DTT", "DDD", "ddd"):  # premiums that multiply too far are refused
        changed = str.maketrans("DTQ", fewer)
        squares = tuple(row.translate(changed) for row in layout.squares)
        try:
            return Rules(
                name="random",
                tiles=tiles,
                layout=replace(layout, squares=squares),
                rack_size=rack_size,
                bonus=tuple(bonus),
                exchange_min_bag=exchange_min_bag,
            )
        except RulesError:
            continue
    raise AssertionError("a layout without word premiums was refused")


def random_words(rng: random.Random, tiles: TileSet, number: int, longest: int) -> set[naive.Word]:
    """Words of 2 to ``longest`` letters, many of them related, so that plays cross and extend."""
    some = rng.choices(range(tiles.kinds), tiles.counts, k=rng.choice((2, 3, 4, 5, 8, 20)))
    some = [letter for letter in some if letter] + rng.choices(range(1, tiles.kinds), k=2)
    words: set[naive.Word] = set()
    for _ in range(number):
        base: tuple[int, ...] = ()
        if rng.random() < 0.25:
            words.add((rng.choice(some), rng.choice(some)))
            continue
        if words and rng.random() < 0.4:
            base = rng.choice(sorted(words))
        size = rng.choice((1, 1, 2, 2, 3, 4, 6, 12) if base else (2, 2, 3, 3, 4, 5, 7, 9))
        fresh = tuple(rng.choice(some) for _ in range(size))
        word = base + fresh if rng.random() < 0.5 else fresh + base
        if 2 <= len(word) <= longest:
            words.add(word)
    return words or {(some[0], some[0])}


@dataclass(frozen=True)
class Setting:
    """One position with what the reference needs: everything as plain tuples and sets."""

    rules: Rules
    words: frozenset[naive.Word]
    grid: tuple[tuple[int, ...], ...]
    racks: tuple[tuple[int, ...], ...]  #: player on turn first, sorted
    seed: int
    history: tuple[naive.Key, ...] = ()  #: plays from the empty board; none if a phony was added

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """The lexicon as lines of a word list."""
        return tuple(sorted(self.rules.tiles.format_word(word) for word in self.words))

    def __repr__(self) -> str:
        """Everything that is needed to make the position again by hand."""
        tiles, layout = self.rules.tiles, self.rules.layout
        board = "\n  ".join(
            " ".join(tiles.format_tile(t) if t else "." for t in row) for row in self.grid
        )
        racks = "/".join(tiles.format_rack(rack) for rack in self.racks)
        return (
            f"tiles {tiles.name} {list(zip(tiles.labels, tiles.counts, tiles.values))}\n"
            f"layout {layout.squares} start {layout.start}, rack size {self.rules.rack_size},"
            f" bonus {self.rules.bonus}, exchange_min_bag {self.rules.exchange_min_bag}\n"
            f"words {self.texts}\nboard\n  {board}\nracks {racks}, history {self.history}"
        )


def draw_rack(
    rng: random.Random, bag: Counter[int], size: int, blanks: int, wanted: naive.Word = ()
) -> tuple[int, ...]:
    """Take up to ``size`` tiles out of a bag: ``blanks`` blanks, ``wanted`` letters, any others."""
    rack = Counter({0: min(blanks, bag[0], size)})
    rack += Counter(sorted((Counter(wanted) & bag).elements())[: size - rack[0]])
    others = sorted((bag - rack - Counter({0: bag[0]})).elements())
    rack += Counter(rng.sample(others, min(size - rack.total(), len(others))))
    rack[0] += min(size - rack.total(), bag[0] - rack[0])  # nothing else is left
    bag.subtract(rack)
    return tuple(sorted(rack.elements()))


@st.composite
def settings(
    draw: st.DrawFn,
    most_words: int = 300,
    most_turns: int = 12,
    most_size: int = 21,
    phonies: bool = True,
    given_rules: Rules | None = None,
) -> Setting:
    """A position reached by random plays, with complete racks of two (or more) players."""
    the_rules = draw(rules(most_size)) if given_rules is None else given_rules
    seed = draw(st.integers(0, 2**32 - 1))
    rng = random.Random(seed)
    longest = max(2, min(15, max(the_rules.layout.rows, the_rules.layout.cols) + 1))
    number = draw(
        st.sampled_from((20, 1, 5, 60, 60, 150, most_words)).filter(lambda n: n <= most_words)
    )
    words = frozenset(random_words(rng, the_rules.tiles, number, longest))
    bag = Counter(dict(enumerate(the_rules.tiles.counts)))
    grid = naive.empty_grid(the_rules)
    history: list[naive.Key] = []
    for _ in range(draw(st.sampled_from((0, 1, 2, 3, most_turns // 2, most_turns, most_turns)))):
        wanted = rng.choice(sorted(words))
        rack = [t for t in wanted if bag[t]] + [0] * min(bag[0], rng.choice((0, 0, 1)))
        rack += rng.choices(sorted(bag), k=2)
        rack = sorted((Counter(rack) & bag).elements())
        found = naive.plays(grid, rack, words, the_rules)
        if not found:
            continue
        key = rng.choice(sorted(found))
        grid = naive.placed(grid, key)
        history.append(key)
        bag.subtract(0 if t & naive.BLANK else t for t in key[3] if t)
    if phonies and history and draw(st.integers(0, 4)) == 0 and _add_phony(rng, grid, bag):
        history = []
    if sum(bag.values()) > 14 and draw(st.integers(0, 3)) == 0:
        the_rules = _late(rng, the_rules, bag)
    size = the_rules.rack_size
    full = draw(st.integers(0, 3)) > 0
    mine = size if full else draw(st.integers(0, size))
    some = sorted(words)
    wanted = rng.choice(some) + rng.choice(some) if draw(st.integers(0, 3)) else ()
    racks = [draw_rack(rng, bag, mine, draw(st.integers(0, 3)), wanted)]
    racks.append(draw_rack(rng, bag, size, rng.choice((0, 1))))
    return Setting(
        the_rules, words, tuple(tuple(row) for row in grid), tuple(racks), seed, tuple(history)
    )


def _late(rng: random.Random, given: Rules, bag: Counter[int]) -> Rules:
    """Rules with fewer tiles, so that the bag (changed too) is empty or nearly so after refills."""
    keep = given.rack_size * 2 + rng.choice((-3, 0, 1, 5, 8))
    left = sorted(bag.elements())
    drop = Counter(rng.sample(left, max(0, len(left) - max(keep, 1))))
    bag.subtract(drop)
    counts = tuple(count - drop[letter] for letter, count in enumerate(given.tiles.counts))
    tiles = replace(given.tiles, name=f"{given.tiles.name}_late", counts=counts)
    return replace(
        given, tiles=tiles, exchange_min_bag=min(given.exchange_min_bag, tiles.total + 1)
    )


def _add_phony(rng: random.Random, grid: list[list[int]], bag: Counter[int]) -> bool:
    """Put a tile beside others, whatever words that makes. False where none is to be had."""
    letters = [t for t in sorted(bag) if t and bag[t] > 0]
    places = [
        (r, c)
        for r in range(len(grid))
        for c in range(len(grid[0]))
        if not grid[r][c]
        and any(naive.at(grid, r + y, c + x) for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0)))
    ]
    if not letters or not places:
        return False
    r, c = rng.choice(places)
    tile = rng.choice(letters)
    grid[r][c] = tile
    bag[tile] -= 1
    return True


@st.composite
def leave_tables(draw: st.DrawFn, tiles: TileSet) -> naive.LeaveTable:
    """Random values for every multiset up to 0..4 tiles; the empty leave is worth 0."""
    rng = random.Random(draw(st.integers(0, 2**32 - 1)))
    most = draw(st.integers(1, 2 if tiles.kinds > 20 else 3 if tiles.kinds > 9 else 4))
    every = naive.multisets(tiles.kinds, most)
    values = {some: rng.randint(-40_000, 40_000) for some in every}
    values[()] = 0
    return naive.LeaveTable(values, most)


def engine_leaves(table: naive.LeaveTable, tiles: TileSet) -> Any:
    """The engine's leave table with the same values."""
    import numpy as np

    from engine.lexicon.leaves import Leaves

    every = naive.multisets(tiles.kinds, table.max_len)
    values = np.array([table.values[some] for some in every], np.int32)
    return Leaves(
        name="random", kinds=tiles.kinds, max_len=table.max_len, values=values, origin="random"
    )
