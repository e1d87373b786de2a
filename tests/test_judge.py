"""The judge accepts exactly the plays of the slow reference, and says why it refuses others."""

from __future__ import annotations

import random
import re
from collections import Counter
from typing import Any

import naive
import pytest
import strategies
from hypothesis import given
from hypothesis import strategies as st
from positions import EMPTY, key, lexicon_of, make, position, reason
from strategies import Setting

from engine.board.play import Play
from engine.errors import IllegalPlay, NotationError
from engine.lexicon.leaves import zero_leaves

BLANK = naive.BLANK


def _position(setting: Setting) -> Any:
    lexicon = lexicon_of(setting.texts, setting.rules.tiles)
    return make(setting, lexicon, zero_leaves(setting.rules.tiles.kinds))


def _text(setting: Setting, given: naive.Key) -> str:
    """Move text of a key, written here and not by the engine."""
    row, col, across, tiles = given
    format_tile = setting.rules.tiles.format_tile
    column = chr(65 + col)
    where = f"{row + 1}{column}" if across else f"{column}{row + 1}"
    return f"{where} " + "".join(format_tile(t) if t else "." for t in tiles)


def _unseen(setting: Setting) -> list[int]:
    """What may be played where the rack is not known: every tile that is not on the board."""
    bag = Counter(dict(enumerate(setting.rules.tiles.counts)))
    bag.subtract(0 if t & BLANK else t for row in setting.grid for t in row if t)
    return sorted((+bag).elements())


def _whole(setting: Setting, given: naive.Key) -> naive.Key:
    """The play that a text means: what is written may take in the letters that lie there already,
    and leave out tiles at either end; a single tile that makes a word across is laid across."""
    _, _, across, tiles = given
    grid = setting.grid
    new = {}
    for square, tile in zip(naive.squares(given), tiles, strict=True):
        lies = naive.at(grid, *square)
        if not (lies and (tile == 0 or tile & ~BLANK == lies & ~BLANK)):
            new[square] = tile
    if len(new) == 1:
        (square,) = new
        turned = [len(naive.run_through(grid, *square, way)) > 1 for way in (True, False)]
        across = turned[0] if any(turned) else across
    if not new:
        return given
    run = naive.run_through(grid, *min(new), across)
    row, col = run[0]
    dr, dc = (0, 1) if across else (1, 0)
    word = []
    while (row, col) in new or naive.at(grid, row, col):
        word.append(new.get((row, col), 0))
        row, col = row + dr, col + dc
    return (*run[0], across, tuple(word))


def _agree(setting: Setting, at: Any, given: naive.Key) -> None:
    """The engine's judgement of a play is the reference's."""
    text = _text(setting, given)
    whole = _whole(setting, given)
    rack = setting.racks[0] or _unseen(setting)
    verdict: naive.Verdict | None = None
    why = "more tiles than a rack holds"
    if sum(1 for tile in whole[3] if tile) <= setting.rules.rack_size:
        try:
            verdict = naive.judge(setting.grid, rack, setting.words, setting.rules, whole)
        except ValueError as error:
            why = str(error)
    if verdict is None:
        with pytest.raises(IllegalPlay) as refused:
            at.judge(text)
        assert refused.value.reason.strip(), (text, why)
        with pytest.raises(IllegalPlay):
            at.apply(text)
        return
    judged = at.judge(text)
    assert judged.score == verdict.score, text
    assert key(judged.play) == whole
    assert [tuple(t & ~BLANK for t in word) for word in judged.words] == list(verdict.words), text


@given(strategies.settings())
def test_every_play_of_the_reference_is_accepted(setting: Setting) -> None:
    at = _position(setting)
    found = naive.plays(setting.grid, setting.racks[0], setting.words, setting.rules)
    for given_key in sorted(found)[:40]:
        _agree(setting, at, given_key)
        assert str(at.judge(_text(setting, given_key)).play) == _text(setting, given_key)


@given(strategies.settings(), st.integers(0, 2**32 - 1))
def test_changed_plays_are_judged_as_by_the_reference(setting: Setting, seed: int) -> None:
    at = _position(setting)
    rng = random.Random(seed)
    found = sorted(naive.plays(setting.grid, setting.racks[0], setting.words, setting.rules))
    for given_key in rng.sample(found, min(6, len(found))):
        for changed in _mutations(rng, setting, given_key):
            _agree(setting, at, changed)


def _mutations(rng: random.Random, setting: Setting, given: naive.Key) -> list[naive.Key]:
    """Plays that differ a little: elsewhere, turned, other letters, longer, shorter."""
    row, col, across, tiles = given
    moved = [(row + y, col + x, across, tiles) for y, x in ((0, 1), (1, 0), (0, -1), (-1, 0))]
    some = rng.randrange(len(tiles))
    other = rng.randrange(1, setting.rules.tiles.kinds)
    swapped = list(tiles)
    swapped[some], swapped[-1] = swapped[-1], swapped[some]

    def with_tile(tile: int) -> naive.Key:
        return row, col, across, (*tiles[:some], tile, *tiles[some + 1 :])

    changed = [
        *moved,
        (row, col, not across, tiles),
        with_tile(other),
        with_tile(other | BLANK),
        with_tile(tiles[some] ^ BLANK if tiles[some] else other),
        with_tile(0),
        (row, col, across, (*tiles, other)),
        (row, col, across, tiles[:-1]),
        (row, col, across, tiles[1:]),
        (row, col, across, tuple(swapped)),
    ]
    return [(r, c, a, t) for r, c, a, t in changed if t and 0 <= r < 21 and 0 <= c < 21]


@given(strategies.settings(), st.integers(0, 2**32 - 1))
def test_random_plays_are_judged_as_by_the_reference(setting: Setting, seed: int) -> None:
    at = _position(setting)
    rng = random.Random(seed)
    letters = [t for t in setting.racks[0] if t] or [1]
    for _ in range(20):
        across = rng.random() < 0.5
        row, col = (
            rng.randrange(setting.rules.layout.rows),
            rng.randrange(setting.rules.layout.cols),
        )
        tiles = []
        for _ in range(rng.choice((1, 2, 2, 3, 4))):
            square = (row, col + len(tiles)) if across else (row + len(tiles), col)
            if naive.at(setting.grid, *square):
                tiles.append(0)
            else:
                letter = rng.choice(letters)
                tiles.append(letter | BLANK if rng.random() < 0.2 else letter)
        _agree(setting, at, (row, col, across, tuple(tiles)))


@given(strategies.settings())
def test_a_play_written_back_is_the_same_play(setting: Setting) -> None:
    at = _position(setting)
    for ranked in at.plays()[:60]:
        if ranked.play.kind != "play":
            continue
        judged = at.judge(str(ranked.play))
        assert isinstance(judged.play, Play)
        assert (judged.play, judged.score) == (ranked.play, ranked.score)


@pytest.mark.parametrize(
    ("move", "said"),
    [
        ("8A DOG", "centre|center|start|cover"),
        ("8H DOGS", "rack"),
        ("8H GOD", "GOD"),
        ("8H D", ""),
        ("8N DOG", "board|edge|fit"),
        ("8H dOG", "rack|blank"),
        ("exch DD", "rack"),
    ],
)
def test_the_reason_names_the_rule(move: str, said: str) -> None:
    at = position("DOGXYVV", ("DOG", "DOGS"))
    assert re.search(said, reason(at, move), re.IGNORECASE), reason(at, move)


def test_refused_plays_on_a_board_say_why() -> None:
    board = EMPTY.replace("15/" * 7 + "15", "15/" * 7 + "7DOG5", 1)
    at = position(f"{board} DOGSEL?/ 0/0 0", ("DOG", "DOGS", "DOGE"))
    for move in ("1A DOG", "8H DOG", "8I OG", "8H DOGX", "8L S", "8H ...", "9H DOG", "8H ..S"):
        assert reason(at, move)
    assert at.judge("8H DOGS").score == 6
    assert at.judge("8H ...S").score == 6
    assert at.judge("8H (DOG)S").score == 6


@pytest.mark.parametrize(
    "move", ["", "8H", "DOG", "H DOG", "8 DOG", "8H D0G", "88H DOG", "8H D(OG"]
)
def test_a_text_that_is_no_move_is_a_notation_error(move: str) -> None:
    with pytest.raises((NotationError, IllegalPlay)):
        position("DOGXYVV", ("DOG",)).judge(move)
