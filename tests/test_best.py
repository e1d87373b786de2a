"""The best play alone is exactly the play that the full ranking puts first, ties included."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import strategies
from hypothesis import given, settings
from hypothesis import strategies as st
from positions import lexicon_of, make, position
from test_oracle import ENGLISH, LANGUAGES, VARIED, _rules

from engine.errors import NotationError
from engine.game.position import Position
from engine.lexicon.leave_catalog import find_leaves
from engine.lexicon.leaves import zero_leaves
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import find_tile_set
from engine.selfplay.batch import Batch

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import check_best


def _same(probe: check_best.Probe, table: Any) -> None:
    found = check_best.Found(table, probe.best(table), check_best.ranked_first(table))
    assert found.played == found.expected, f"\n{found}"


# -- reference positions ---------------------------------------------------------------------------


@pytest.mark.parametrize("leaves", ["zero", "real"])
def test_english_reference_positions(leaves: str, enable: Any, shared: Path) -> None:
    rules = find_rules("english")
    file = str(shared / "oracle" / "leaves.klv2")
    table = find_leaves(file if leaves == "real" else "zero", find_tile_set("english"))
    probe = check_best.Probe(rules, enable, table)
    for record in ENGLISH:
        _same(probe, Position.from_cgp(record["cgp"], rules, enable, table)._table)
    assert len(ENGLISH) == 120


@pytest.mark.parametrize("leaves", ["zero", "random"])
def test_reference_positions_of_languages_and_variants(
    leaves: str, language_lexicon: Callable[[str, str], Any]
) -> None:
    for record in VARIED:
        rules = _rules(record)
        lexicon = language_lexicon(record["lexicon"], record["tileset"])
        zero = zero_leaves(rules.tiles.kinds)
        table = zero if leaves == "zero" else check_best.random_leaves(rules)
        at = Position.from_cgp(record["cgp"], rules, lexicon, table)
        _same(check_best.Probe(rules, lexicon, table), at._table)
    assert len(VARIED) == 87


# -- invented positions ----------------------------------------------------------------------------


def _check_setting(setting: strategies.Setting, leaves: Any) -> None:
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    at = make(setting, lexicon, leaves)
    _same(check_best.Probe(setting.rules, lexicon, leaves), at._table)


@pytest.mark.kernels
@given(st.data())
def test_random_languages_layouts_and_racks(data: st.DataObject) -> None:
    """Up to 63 letters, boards of any shape with quadruple squares, racks of 1 to 12 tiles."""
    setting = data.draw(strategies.settings())
    leaves = data.draw(strategies.leave_tables(setting.rules.tiles))
    _check_setting(setting, strategies.engine_leaves(leaves, setting.rules.tiles))


@given(st.data())
def test_ties_on_small_boards(data: st.DataObject) -> None:
    """Leaves in whole points, or none: most positions have several best plays."""
    setting = data.draw(strategies.settings(most_size=6))
    zero = zero_leaves(setting.rules.tiles.kinds)
    _check_setting(setting, zero if data.draw(st.booleans()) else _coarse(setting.rules, data))


def _coarse(rules: Rules, data: st.DataObject) -> Any:
    return check_best.random_leaves(rules, data.draw(st.integers(0, 1000)))


@pytest.mark.parametrize("size", [9, 10, 12])
def test_long_racks_with_up_to_four_blanks(size: int) -> None:
    given_rules = find_rules("english")
    bonus = (*(0,) * 7, *(50,) * (size - 6))
    tiles = replace(given_rules.tiles, name="four", counts=(4, *given_rules.tiles.counts[1:]))
    rules = replace(given_rules, rack_size=size, bonus=bonus, tiles=tiles)

    @settings(max_examples=8)
    @given(st.data())
    def run(data: st.DataObject) -> None:
        setting = data.draw(strategies.settings(given_rules=rules, most_words=150, most_turns=6))
        blanks = data.draw(st.integers(0, 4))
        rack = tuple(sorted((*(0,) * blanks, *setting.racks[0][blanks:])))
        setting = replace(setting, racks=(rack, *setting.racks[1:]))
        _check_setting(setting, _coarse(rules, data))

    run()


# -- positions from self-play ----------------------------------------------------------------------


def _replay(batch: Batch, games: int) -> int:
    number = 0
    for table, played in check_best.positions(batch, games=games):
        found = check_best.Found(table, played, check_best.ranked_first(table))
        assert found.played == found.expected, f"\n{found}"
        number += 1
    return number


@pytest.mark.parametrize("leaves", ["bundled", "random"])
@pytest.mark.parametrize("language", LANGUAGES)
def test_plays_of_games(
    language: str, leaves: str, language_lexicon: Callable[[str, str], Any]
) -> None:
    rules = find_rules(language)
    lexicon = language_lexicon(language, language)
    name = "english" if language == "english" else "zero"
    table = find_leaves(name, rules.tiles)
    table = check_best.random_leaves(rules) if leaves == "random" else table
    player = StaticPlayer("equity", lexicon, table)
    assert _replay(Batch(rules, [player, player]), 20) > 300


@pytest.mark.parametrize("name", ["english+nine", "english+super", "english+nine+super"])
def test_plays_of_games_in_variants(name: str) -> None:
    import engine as eng

    rules = find_rules(name)
    lexicon = eng.load_lexicon("english", rules)
    player = StaticPlayer("equity", lexicon, check_best.random_leaves(rules))
    assert _replay(Batch(rules, [player, player]), 8) > 100


def test_plays_of_games_of_four_with_lexicons_and_leaves_of_their_own() -> None:
    import engine as eng

    rules = find_rules("english")
    whole = eng.load_lexicon("english")
    some = eng.load_lexicon([word for i, word in enumerate(whole.trie.keys()) if i % 3], rules)
    players = [
        StaticPlayer("equity", lexicon, check_best.random_leaves(rules, seed))
        for seed, lexicon in enumerate((whole, some, whole, some))
    ]
    assert _replay(Batch(rules, players), 12) > 200


@pytest.mark.parametrize("blanks", [1, 2, 3])
def test_racks_with_blanks(blanks: int) -> None:
    import engine as eng

    rules = find_rules("english")
    lexicon = eng.load_lexicon("english")
    for leaves in (check_best.random_leaves(rules), zero_leaves(27)):
        number = 40 if blanks < 3 else 10
        for found in check_best.check(rules, lexicon, leaves, number, blanks=blanks):
            assert found.played == found.expected, f"\n{found}"


# -- more than the best ----------------------------------------------------------------------------


@given(strategies.settings(), st.integers(0, 40), st.integers(0, 30_000), st.data())
def test_the_first_plays_and_those_within_a_margin_are_those_of_the_full_list(
    setting: strategies.Setting, number: int, margin_mp: int, data: st.DataObject
) -> None:
    leaves = data.draw(strategies.leave_tables(setting.rules.tiles))
    table = strategies.engine_leaves(leaves, setting.rules.tiles)
    at = make(setting, lexicon_of(setting.texts, setting.rules.tiles), table)
    everything = at.plays()
    assert at.first(number) == everything[:number]
    valued = [p for p in everything if p.equity_mp is not None]
    least = valued[0].equity_mp - margin_mp if valued else 0
    assert at.within(margin_mp) == [p for p in valued if p.equity_mp >= least]


def test_a_margin_below_nothing_is_refused() -> None:
    at = position("CAT", ("CAT",))
    with pytest.raises(NotationError, match="margin -1"):
        at.within(-1)
    assert at.first(0) == []
    assert at.first(10_000) == at.plays()
