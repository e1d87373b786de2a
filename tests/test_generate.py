"""Generated plays against the slow reference: the same plays, points, leaves, equities, order."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import naive
import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import key, lexicon_of, make, placements, position, with_tiles
from strategies import Setting

from engine.errors import RulesError
from engine.lexicon.leaves import zero_leaves
from engine.rules.layouts import Layout
from engine.rules.rules import find_rules
from engine.rules.tiles import find_tile_set

pytestmark = pytest.mark.kernels


def _entries(listed: list[Any]) -> list[tuple[Any, ...]]:
    """A list of plays as plain data, in its order."""
    found: list[tuple[Any, ...]] = []
    for p in listed:
        kind = p.play.kind
        what = key(p.play) if kind == "play" else tuple(sorted(p.play.tiles))
        leave = tuple(sorted(p.kept))
        found.append((kind, what, p.score, leave, p.leave_mp, p.equity_mp))
    return found


def _expected(setting: Setting, leaves: naive.LeaveTable) -> list[tuple[Any, ...]]:
    """The same of the reference."""
    found: list[tuple[Any, ...]] = []
    for e in naive.ranked(setting.grid, setting.racks, setting.words, setting.rules, leaves):
        what = e.key if e.kind == "play" else e.given
        found.append((e.kind, what, e.score, e.leave, e.leave_mp, e.equity_mp))
    return found


def _check(setting: Setting, leaves: naive.LeaveTable) -> None:
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    assert len(lexicon) == len(setting.words)
    table = strategies.engine_leaves(leaves, setting.rules.tiles)
    found = _entries(make(setting, lexicon, table).plays())
    expected = _expected(setting, leaves)
    got, want = {e[:3] for e in found}, {e[:3] for e in expected}
    assert not got - want, "plays, or points, that the reference has not"
    assert not want - got, "plays, or points, that are missing"
    assert len(found) == len(expected), "a play is listed twice"
    for one, other in zip(sorted(found, key=repr), sorted(expected, key=repr), strict=True):
        assert one == other
    assert found == expected, "the order differs"


@given(st.data())
def test_plays_are_those_of_the_reference(data: st.DataObject) -> None:
    setting = data.draw(strategies.settings())
    _check(setting, data.draw(strategies.leave_tables(setting.rules.tiles)))


@given(st.data())
def test_plays_on_small_boards_are_those_of_the_reference(data: st.DataObject) -> None:
    setting = data.draw(strategies.settings(most_size=6))
    _check(setting, data.draw(strategies.leave_tables(setting.rules.tiles)))


@pytest.mark.parametrize(
    "name",
    ["english", "finnish", "hungarian", "norwegian", "polish", "english+nine", "hungarian+super"],
)
def test_plays_under_real_rules_are_those_of_the_reference(name: str) -> None:
    rules = find_rules(name)

    @settings(max_examples=12)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        setting = data.draw(strategies.settings(given_rules=rules))
        _check(setting, data.draw(strategies.leave_tables(setting.rules.tiles)))

    run()


@given(strategies.real_tile_sets(), st.integers(0, 2**32 - 1))
def test_every_tile_set_that_comes_with_the_engine_generates(tiles: Any, seed: int) -> None:
    rng = random.Random(seed)
    rules = with_tiles(tiles)
    words = frozenset(strategies.random_words(rng, tiles, 60, 12))
    stock = [letter for letter in range(tiles.kinds) for _ in range(tiles.counts[letter])]
    letters = sorted(rng.sample(stock, 7))
    grid = naive.empty_grid(rules)
    at = position(tiles.format_rack(letters), [tiles.format_word(w) for w in words], rules)
    expected = naive.plays(grid, letters, words, rules)
    got = {key(p.play): p.score for p in at.plays() if p.play.kind == "play"}
    assert got == expected


@given(st.data())
def test_top_is_the_front_of_the_whole_list(data: st.DataObject) -> None:
    setting = data.draw(strategies.settings())
    leaves = data.draw(strategies.leave_tables(setting.rules.tiles))
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    at = make(setting, lexicon, strategies.engine_leaves(leaves, setting.rules.tiles))
    every = at.plays()
    for top in (1, 2, 5, len(every), len(every) + 3):
        assert at.plays(top=top) == every[:top]


def test_the_pass_is_last_though_every_equity_is_negative() -> None:
    """A bag-empty position where nothing goes out: the best play, not the pass, comes first."""
    board = "/".join(["15"] * 7 + ["6CAT6"] + ["15"] * 7)
    tiles = replace(find_tile_set("english"), name="few", counts=_counts("CATSVVWQZJK"))
    at = position(f"{board} SVVW/QZJK 0/0 0", ("CAT", "CATS"), with_tiles(tiles))
    assert at.bag == 0
    every = at.plays()
    assert [str(p.play) for p in every] == ["8G ...S", "pass"]
    assert every[0].equity_mp == 6_000 - 2 * 12_000 - 10_000
    assert at.plays(top=1) == every[:1]


def _counts(letters: str) -> tuple[int, ...]:
    """Tile counts of a set that holds just these letters."""
    labels = find_tile_set("english").labels
    return tuple(letters.count(label) for label in labels)


@given(strategies.settings(), st.randoms(use_true_random=False))
def test_moves_asked_for_are_always_in_the_list(setting: Setting, rng: Any) -> None:
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    at = make(setting, lexicon, zero_leaves(setting.rules.tiles.kinds))
    every = at.plays()
    wanted = rng.sample(every, min(3, len(every)))
    listed = at.plays(top=1, also=[str(p.play) for p in wanted])
    assert listed == [p for p in every if p == every[0] or p in wanted]


def test_lists_longer_than_any_buffer_are_complete() -> None:
    """Two blanks and many words: more plays than any first buffer, then a small list again."""
    tiles = find_tile_set("english")
    letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
    words = [a + b for a in letters for b in letters]
    words += [a + b + "E" for a in letters for b in letters[:9]]
    rules = with_tiles("english", Layout("plain", ("." * 15,) * 15, (7, 7)))
    codes = frozenset(tiles.parse_word(word) for word in words)
    rack = tiles.parse_rack("AEINR??")
    board = naive.empty_grid(rules)
    board[7][5:9] = tiles.parse_word("CAFE")
    expected = naive.plays(board, rack, codes, rules)
    assert len(expected) > 8_000
    cgp = "/".join(["15"] * 7 + ["5CAFE6"] + ["15"] * 7)
    found = {key(p.play): p.score for p in position(f"{cgp} AEINR??/ 0/0 0", words, rules).plays()
             if p.play.kind == "play"}  # fmt: skip
    assert found == expected
    assert placements(position("AB", ("AB",))) == {"8G AB": 8, "8H AB": 8}


@pytest.mark.parametrize(("premium", "factor"), [("D", 2), ("T", 3), ("Q", 4)])
@pytest.mark.parametrize("word", ["QUIZ", "SQUEEZE", "QUIZZINGS"])
def test_word_premiums_under_every_tile_multiply_exactly_or_are_refused(
    word: str, premium: str, factor: int
) -> None:
    size = max(7, len(word))
    layout = Layout("rich", (premium * 15,) * 15, (7, 7))
    try:
        rules = with_tiles("english_super", layout)
        rules = replace(rules, rack_size=size, bonus=(0,) * 7 + (50,) * (size - 6))
    except RulesError:
        assert factor**size > 10_000, "refused without need"
        return
    at = position(word, (word,), rules)
    letters = rules.tiles.parse_rack(word)
    points = sum(rules.tiles.values[letter] for letter in letters)
    score = points * factor ** len(word) + rules.bonus[len(word)]
    best = at.plays()[0]
    assert at.judge(best.play).score == score
    assert (best.score, best.equity_mp) == (score, score * 1000)
