"""The slow, obvious reference for move generation, scoring, cross-checks and static equity.

Nothing here is shared with the engine but the data of a rule system (tile values, premiums, bonus
table). Everything goes by words: each word of the list is tried at each place of each lane. A play
is the plain tuple ``(row, col, across, tiles)``: first square of the whole main word, and one tile
for each of its squares, 0 where the square was occupied before.

Conventions (the same as those of the reference data): a play of one tile that makes words both
ways is listed once, across; on an empty board plays are listed across only, cover the start square
and have at least two tiles; different letters for a blank are different plays.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from itertools import combinations, combinations_with_replacement, product
from typing import Any

from engine.rules.rules import Rules

BLANK = 0x80

Grid = Sequence[Sequence[int]]
Word = tuple[int, ...]
Key = tuple[int, int, bool, tuple[int, ...]]


# -- squares ---------------------------------------------------------------------------------------


def at(grid: Grid, row: int, col: int) -> int:
    """Tile on a square, 0 where it is empty or off the board."""
    return grid[row][col] if 0 <= row < len(grid) and 0 <= col < len(grid[0]) else 0


def is_empty(grid: Grid) -> bool:
    return not any(any(row) for row in grid)


def empty_grid(rules: Rules) -> list[list[int]]:
    return [[0] * rules.layout.cols for _ in range(rules.layout.rows)]


def squares(key: Key) -> list[tuple[int, int]]:
    """Squares of the main word of a play."""
    row, col, across, tiles = key
    return [(row, col + i) if across else (row + i, col) for i in range(len(tiles))]


def placed(grid: Grid, key: Key) -> list[list[int]]:
    """The board after a play."""
    after = [list(row) for row in grid]
    for (row, col), tile in zip(squares(key), key[3], strict=True):
        if tile:
            after[row][col] = tile
    return after


def run_through(grid: Grid, row: int, col: int, across: bool) -> list[tuple[int, int]]:
    """All squares of the unbroken run of tiles in one direction that a square lies in.

    The square itself need not hold a tile.
    """
    dr, dc = (0, 1) if across else (1, 0)
    before = []
    r, c = row - dr, col - dc
    while at(grid, r, c):
        before.append((r, c))
        r, c = r - dr, c - dc
    after = []
    r, c = row + dr, col + dc
    while at(grid, r, c):
        after.append((r, c))
        r, c = r + dr, c + dc
    return [*reversed(before), (row, col), *after]


def tile_value(tile: int, rules: Rules) -> int:
    return 0 if tile == 0 or tile & BLANK else rules.tiles.values[tile]


# -- one play: legality and score ------------------------------------------------------------------


@dataclass(frozen=True)
class Verdict:
    """What a legal play scores and the words it makes, main word first."""

    score: int
    words: tuple[Word, ...]


def judge(grid: Grid, rack: Iterable[int], words: Set[Word], rules: Rules, key: Key) -> Verdict:
    """Score and words of a play. Raises ValueError with the reason for one that is not allowed.

    Plays down on an empty board, and plays of one tile given in either direction, are allowed
    here: only lists of plays fold them.
    """
    _, _, across, tiles = key
    where = squares(key)
    if not where or any(
        not (0 <= r < rules.layout.rows and 0 <= c < rules.layout.cols) for r, c in where
    ):
        raise ValueError("off the board")
    first, last = where[0], where[-1]
    dr, dc = (0, 1) if across else (1, 0)
    if at(grid, first[0] - dr, first[1] - dc) or at(grid, last[0] + dr, last[1] + dc):
        raise ValueError("not the whole word")
    for (r, c), tile in zip(where, tiles, strict=True):
        if tile and grid[r][c]:
            raise ValueError("square taken")
        if not tile and not grid[r][c]:
            raise ValueError("gap")
    laid = [(r, c) for (r, c), tile in zip(where, tiles, strict=True) if tile]
    if not laid:
        raise ValueError("no tile laid")
    needed = Counter(0 if tile & BLANK else tile for tile in tiles if tile)
    if needed - Counter(rack):
        raise ValueError("tile not on the rack")
    if len(where) < 2:
        raise ValueError("main word of one letter")
    if is_empty(grid):
        if rules.layout.start not in where:
            raise ValueError("start square not covered")
    elif not any(
        at(grid, r + y, c + x) for r, c in where for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))
    ):
        raise ValueError("does not touch")
    after = placed(grid, key)
    runs = [where]
    for r, c in laid:
        cross = run_through(after, r, c, not across)
        if len(cross) > 1:
            runs.append(cross)
    made = []
    total = 0
    for run in runs:
        word = tuple(after[r][c] & ~BLANK for r, c in run)
        if word not in words:
            raise ValueError(f"not a word: {word}")
        made.append(word)
        points = 0
        factor = 1
        for r, c in run:
            value = tile_value(after[r][c], rules)
            if (r, c) in laid:
                value *= rules.layout.letter_premium(r, c)
                factor *= rules.layout.word_premium(r, c)
            points += value
        total += points * factor
    if len(laid) < len(rules.bonus):
        total += rules.bonus[len(laid)]
    return Verdict(total, tuple(made))


# -- every play ------------------------------------------------------------------------------------


def plays(grid: Grid, rack: Iterable[int], words: Set[Word], rules: Rules) -> dict[Key, int]:
    """Every legal tile play of a rack, as key -> points (bonus included)."""
    rack = tuple(rack)
    found: dict[Key, int] = {}
    if not rack:
        return found
    by_word = [(word, Counter(word)) for word in words if len(word) > 1]
    empty = is_empty(grid)
    for across in (True,) if empty else (True, False):
        for number in range(rules.layout.rows if across else rules.layout.cols):
            if empty and number != rules.layout.start[0]:
                continue
            for key in _lane_plays(grid, rack, by_word, rules, number, across):
                try:
                    verdict = judge(grid, rack, words, rules, key)
                except ValueError:
                    continue
                if not across and _folds_into_across(grid, key):
                    continue
                found[key] = verdict.score
    return found


def _folds_into_across(grid: Grid, key: Key) -> bool:
    """Whether a play down lays one tile and makes a word across too."""
    laid = [square for square, tile in zip(squares(key), key[3], strict=True) if tile]
    return len(laid) == 1 and len(run_through(placed(grid, key), *laid[0], True)) > 1


def _lane_plays(
    grid: Grid,
    rack: tuple[int, ...],
    by_word: list[tuple[Word, Counter[int]]],
    rules: Rules,
    number: int,
    across: bool,
) -> Iterator[Key]:
    """Words that fit a lane's letters and the rack, with every choice of blanks."""
    length = rules.layout.cols if across else rules.layout.rows
    lane = [at(grid, number, i) if across else at(grid, i, number) for i in range(length)]
    if not is_empty(grid) and not _near_tiles(grid, number, across, length):
        return
    blanks = rack.count(0)
    there = Counter(tile & ~BLANK for tile in lane if tile)
    stock = Counter(letter for letter in rack if letter) + there
    for word, letters in by_word:
        if len(word) > length or (letters - stock).total() > blanks:
            continue
        for start in range(length - len(word) + 1):
            end = start + len(word)
            if (start and lane[start - 1]) or (end < length and lane[end]):
                continue
            part = lane[start:end]
            if any(t and t & ~BLANK != w for t, w in zip(part, word, strict=True)):
                continue
            needed = sum(1 for t in part if not t)
            if not 1 <= needed <= len(rack):
                continue
            row, col = (number, start) if across else (start, number)
            choices = [(w, w | BLANK) if not t else (0,) for t, w in zip(part, word, strict=True)]
            if not blanks:
                choices = [c[:1] for c in choices]
            for tiles in product(*choices):
                if sum(1 for tile in tiles if tile & BLANK) <= blanks:
                    yield row, col, across, tiles


def _near_tiles(grid: Grid, number: int, across: bool, length: int) -> bool:
    """Whether a lane or one beside it holds a tile."""
    return any(
        at(grid, near, i) if across else at(grid, i, near)
        for near in (number - 1, number, number + 1)
        for i in range(length)
    )


# -- exchanges -------------------------------------------------------------------------------------


def bag_count(grid: Grid, racks: Iterable[Sequence[int]], rules: Rules) -> int:
    """Tiles in the bag when every rack is known."""
    on_board = sum(1 for row in grid for tile in row if tile)
    return rules.tiles.total - on_board - sum(len(rack) for rack in racks)


def exchanges(rack: Iterable[int], bag: int, rules: Rules) -> set[tuple[int, ...]]:
    """Every different multiset of tiles that may be exchanged, sorted."""
    rack = sorted(rack)
    if bag < rules.exchange_min_bag:
        return set()
    chosen: set[tuple[int, ...]] = {()}
    for letter in rack:
        chosen |= {(*some, letter) for some in chosen}
    return {some for some in chosen if 1 <= len(some) <= bag}


# -- cross-checks ----------------------------------------------------------------------------------


def cross_check(
    grid: Grid, words: Set[Word], rules: Rules, row: int, col: int, across: bool
) -> tuple[frozenset[int] | None, int]:
    """For plays in one direction: letters an empty square allows, and the cross-score.

    None where no tile is beside the square in the other direction (every letter is allowed). The
    cross-score is the sum of the values of the tiles that the cross word would run through.
    """
    run = run_through(grid, row, col, not across)
    if len(run) == 1:
        return None, 0
    score = sum(tile_value(at(grid, r, c), rules) for r, c in run)
    allowed = set()
    for letter in range(1, rules.tiles.kinds):
        word = tuple(letter if s == (row, col) else at(grid, *s) & ~BLANK for s in run)
        if word in words:
            allowed.add(letter)
    return frozenset(allowed), score


# -- leaves and equity -----------------------------------------------------------------------------


def multisets(kinds: int, max_len: int) -> list[tuple[int, ...]]:
    """Multisets of 0..max_len letters (0 = blank) in the order of a leave table."""
    ordered: list[tuple[int, ...]] = []
    for size in range(max_len + 1):
        every = combinations_with_replacement(range(kinds), size)
        ordered += sorted(every, key=lambda some: tuple(reversed(some)))
    return ordered


@dataclass(frozen=True)
class LeaveTable:
    """Leave values in millipoints by sorted tuple of letters; absent ones are worth 0."""

    values: dict[tuple[int, ...], int]
    max_len: int
    known: dict[tuple[int, ...], int] = field(default_factory=dict, compare=False, repr=False)

    def __call__(self, letters: Iterable[int]) -> int:
        kept = tuple(sorted(letters))
        if len(kept) <= self.max_len or len(kept) < 2:
            return self.values.get(kept, 0)
        if kept not in self.known:
            total = sum(self(kept[:i] + kept[i + 1 :]) for i in range(len(kept)))
            self.known[kept] = total // (len(kept) - 1)
        return self.known[kept]


@dataclass(frozen=True)
class Ranked:
    """One entry of a list of plays. ``key`` is None for an exchange or a pass."""

    kind: str
    key: Key | None
    given: tuple[int, ...]  #: tiles of an exchange, sorted
    score: int
    leave: tuple[int, ...]  #: tiles kept, sorted
    leave_mp: int
    equity_mp: int | None  #: None for a pass


def equity_mp(
    grid: Grid,
    racks: Sequence[Sequence[int]],
    rules: Rules,
    leaves: Callable[[Iterable[int]], int],
    key: Key | None,
    given: Iterable[int],
    score: int,
) -> tuple[tuple[int, ...], int, int]:
    """Tiles kept, their leave value (0 with an empty bag) and the static equity of a play or (key
    None) an exchange, in millipoints.

    Points, and while the bag holds tiles the leave and, in the first play of the game, -0.7 for
    each vowel on a square beside a letter premium. With an empty bag: for going out what the
    others lose and the player gains (two players: twice the other's tiles), else minus twice the
    own tiles left and minus 10.
    """
    used = [0 if t & BLANK else t for t in key[3] if t] if key else list(given)
    kept = tuple(sorted((Counter(racks[0]) - Counter(used)).elements()))
    total = score * 1000
    if bag_count(grid, racks, rules) > 0:
        leave = leaves(kept)
        total += leave
        for square, tile in (
            zip(squares(key), key[3], strict=True) if key and is_empty(grid) else ()
        ):
            if rules.tiles.vowels[tile & ~BLANK] and _beside_letter_premium(rules, square, key[2]):
                total -= 700
        return kept, leave, total
    if kept:
        total -= 2000 * sum(tile_value(t, rules) for t in kept) + 10_000
    else:
        others = sum(tile_value(t, rules) for rack in racks[1:] for t in rack)
        total += others * (1000 + 1000 // (len(racks) - 1))
    return kept, 0, total


def _beside_letter_premium(rules: Rules, square: tuple[int, int], across: bool) -> bool:
    """Whether a square next to this one, off the lane of the first play, has a letter premium."""
    row, col = square
    beside = ((row - 1, col), (row + 1, col)) if across else ((row, col - 1), (row, col + 1))
    return any(
        0 <= r < rules.layout.rows
        and 0 <= c < rules.layout.cols
        and rules.layout.letter_premium(r, c) > 1
        for r, c in beside
    )


def ranked(
    grid: Grid,
    racks: Sequence[Sequence[int]],
    words: Set[Word],
    rules: Rules,
    leaves: Callable[[Iterable[int]], int],
) -> list[Ranked]:
    """Every play and exchange, best first, then the pass. Every rack must be complete.

    Order: equity, points, play before exchange, row, column, across before down, fewer tiles, the
    tiles laid (or given up: blanks first) in their order.
    """
    entries = []
    for key, score in plays(grid, racks[0], words, rules).items():
        kept, leave, equity = equity_mp(grid, racks, rules, leaves, key, (), score)
        entries.append(Ranked("play", key, (), score, kept, leave, equity))
    for given in exchanges(racks[0], bag_count(grid, racks, rules), rules):
        kept, leave, equity = equity_mp(grid, racks, rules, leaves, None, given, 0)
        entries.append(Ranked("exchange", None, given, 0, kept, leave, equity))

    def order(entry: Ranked) -> tuple[object, ...]:
        assert entry.equity_mp is not None
        if entry.key is None:
            place: tuple[object, ...] = (1, 0, 0, False, len(entry.given), entry.given)
        else:
            row, col, across, tiles = entry.key
            laid = tuple(t for t in tiles if t)
            place = (0, row, col, not across, len(laid), laid)
        return -entry.equity_mp, -entry.score, place

    entries.sort(key=order)
    rack = tuple(sorted(racks[0]))
    in_bag = bag_count(grid, racks, rules) > 0
    entries.append(Ranked("pass", None, (), 0, rack, leaves(rack) if in_bag else 0, None))
    return entries


def pool_leave_mp(
    leaves: LeaveTable,
    kept: tuple[int, ...],
    counts: Sequence[int],
    unseen: Sequence[int],
    bag: int,
    rack_size: int,
) -> int:
    """A leave valued against the unseen tiles, in millipoints."""
    drawn = min(rack_size - len(kept), bag)
    return leaves(kept) + drawn * _pool_shift(leaves, kept, counts, unseen, {})


def _pool_shift(
    leaves: LeaveTable,
    kept: tuple[int, ...],
    counts: Sequence[int],
    unseen: Sequence[int],
    known: dict[tuple[int, ...], int],
) -> int:
    if kept in known:
        return known[kept]
    if len(kept) >= leaves.max_len:
        parts = [kept[:i] + kept[i + 1 :] for i in range(len(kept))]
        total = sum(_pool_shift(leaves, part, counts, unseen, known) for part in parts)
        return known.setdefault(kept, total // len(parts))
    now = full = 0
    for letter, count in enumerate(counts):
        if count:
            now += unseen[letter] * leaves((*kept, letter))
            full += (count - kept.count(letter)) * leaves((*kept, letter))
    shift = now // sum(unseen) - full // max(1, sum(counts) - len(kept))
    return known.setdefault(kept, shift)


# -- leaves from racks -----------------------------------------------------------------------------


def trained_leaves(
    racks: dict[tuple[int, ...], tuple[int, int]],
    counts: Sequence[int],
    max_len: int,
    thin_rack: float,
    thin_leave: float,
) -> dict[tuple[int, ...], float]:
    """Value in millipoints of every leave of 0 to ``max_len`` tiles; the racks, as sorted letters,
    come with how often they were held and the sum of their equities."""
    means = {rack: total / number for rack, (number, total) in racks.items()}
    every = multisets(len(counts), max_len)
    for last in (False, True):
        raw = {leave: _draw_mean(leave, means, counts) for leave in every}
        values: dict[tuple[int, ...], float] = {(): 0.0}
        for leave in every[1:]:
            seen = sum(racks[rack][0] for rack in racks if not Counter(leave) - Counter(rack))
            parts = [values[leave[:i] + leave[i + 1 :]] for i in range(len(leave))]
            rule = sum(parts) / (len(leave) - 1) if len(leave) > 1 else 0.0
            own = raw[leave] - raw[()] if seen else 0.0
            values[leave] = (seen * own + thin_leave * rule) / (seen + thin_leave)
        if last:
            return values
        for rack, (number, total) in racks.items():
            some = list(combinations(rack, max_len))
            times = math.comb(len(rack) - 1, max_len - 1)
            prior = raw[()] + sum(values[leave] for leave in some) / times
            means[rack] = (total + thin_rack * prior) / (number + thin_rack)
    raise AssertionError


def _draw_mean(
    leave: tuple[int, ...], means: dict[tuple[int, ...], float], counts: Sequence[int]
) -> float:
    """Mean over the racks that hold a leave, each as often as it is drawn to it."""
    kept = Counter(leave)
    total = weight = 0.0
    for rack, mean in means.items():
        if kept - Counter(rack):
            continue
        ways = math.prod(
            math.comb(counts[letter] - kept[letter], held - kept[letter])
            for letter, held in Counter(rack).items()
        )
        total += ways * mean
        weight += ways
    return total / weight if weight else 0.0


# -- win probability from swings -------------------------------------------------------------------


def positions(
    turns: Iterable[Any], games: Iterable[Any], rules: Rules
) -> list[tuple[int, int, int, int, int, float]]:
    """(bag, tiles of the player on turn, of the other, spread, swing, result) before every turn of
    games of two; ``games`` have the scores and adjustments, ``turns`` what was done."""
    ends = {int(game["game"]): game for game in games}
    found = []
    held, scores, last = [0, 0], [0, 0], -1
    for turn in turns:
        number, player = int(turn["game"]), int(turn["player"])
        bag = int(turn["bag"])
        if number != last:
            last, scores = number, [0, 0]
            held = [min(rules.rack_size, rules.tiles.total)]
            held.append(min(rules.rack_size, rules.tiles.total - held[0]))
        end = ends[number]
        final = [int(score) for score in end["score"]]
        spread = scores[player] - scores[1 - player]
        swing = final[player] - final[1 - player] - spread
        result = (final[player] > final[1 - player]) + (final[player] == final[1 - player]) / 2
        if result == 0.5 and rules.tie == "before_adjustment":
            before = [final[seat] - int(end["adjustment"][seat]) for seat in (0, 1)]
            result = (before[player] > before[1 - player]) + (before[0] == before[1]) / 2
        found.append((bag, held[player], held[1 - player], spread, swing, float(result)))
        scores[player] += int(turn["score"])
        if turn["kind"] == 0:  # a play
            laid = int(turn["laid"])
            held[player] += min(bag, laid) - laid
    return found


def win_table(
    seen: dict[tuple[int, int, int], list[tuple[int, int]]],
    rack_size: int,
    most_bag: int,
    spread: int,
    thin: float,
    width: float,
    slope: float,
) -> dict[tuple[int, int, int], float]:
    """Share of a win at a spread, for every (bag, own tiles, other's tiles); both 0 where the bag
    holds tiles. ``seen``: spreads, and swings in half points, by the same keys."""
    racks = range(1, rack_size + 1)
    keys = [(0, own, other) for own in racks for other in racks]
    keys += [(bag, 0, 0) for bag in range(1, most_bag + 1)]
    swings = {swing for pairs in seen.values() for _, swing in pairs}
    shares = {}
    for key in keys:
        own = [(1.0, s, swing) for s, swing in seen.get(key, [])]
        near = [
            (2.0 ** -min(16, sum(abs(a - b) for a, b in zip(key, other, strict=True))), s, swing)
            for other, pairs in seen.items()
            if (other[0] > 0) == (key[0] > 0)
            for s, swing in pairs
        ]
        near = near or [(1.0, s, swing) for pairs in seen.values() for s, swing in pairs]
        around, n = sum(weight for weight, _, _ in near), len(own)
        chance = {
            swing: (
                sum(x == swing for _, _, x in own)
                + thin * sum(weight for weight, _, x in near if x == swing) / around
            )
            / (n + thin)
            for swing in swings
        }
        mean = sum(swing * p for swing, p in chance.items())
        deviation = math.sqrt(sum((swing - mean) ** 2 * p for swing, p in chance.items()))
        reach = round(width * deviation / (n + thin) ** (1 / 3))
        free = max(1, deviation**2 / 4) / slope**2
        middle = sum(weight * s for weight, s, _ in near) / around
        cross, squares = _centred(near)
        towards = cross / (squares + free)
        cross, squares = _centred(own)
        steep = max(-0.5, min(0.5, (cross + free * towards) / (squares + free)))
        counted = spread + steep * (spread - middle)
        moved = Counter(a + b for a, b in product(range(-reach, reach + 1), repeat=2))
        low = math.floor(2 * counted)
        ends = [
            sum(
                p * number * ((at + by + swing > 0) + (at + by + swing == 0) / 2)
                for swing, p in chance.items()
                for by, number in moved.items()
            )
            / (2 * reach + 1) ** 2
            for at in (low, low + 1)
        ]
        shares[key] = ends[0] + (2 * counted - low) * (ends[1] - ends[0])
    return shares


def _centred(rows: list[tuple[float, int, int]]) -> tuple[float, float]:
    """Of (weight, spread, swing in half points): the sums of the products of what spread and swing,
    in points, are off their means by, and of the squares of the first."""
    around = sum(weight for weight, _, _ in rows)
    spread = sum(weight * s for weight, s, _ in rows) / (around or 1)
    swing = sum(weight * x / 2 for weight, _, x in rows) / (around or 1)
    return (
        sum(weight * (s - spread) * (x / 2 - swing) for weight, s, x in rows),
        sum(weight * (s - spread) ** 2 for weight, s, _ in rows),
    )
