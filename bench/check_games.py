"""Self-play in every language, variant and number of players: how games end, that tiles are
conserved at every turn, that the referee and the slow judge agree on a sample.

python bench/check_games.py [RULES ...] [--games N] [--players N] [--sample N] [--seed S]

RULES: english, finnish+nine ...; ``languages`` and ``variants`` stand for many. Prints mean score,
turns, bingos, share of who began, ends, and games per yardstick. A fault ends it with exit code 1.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from itertools import groupby

import measure
import numpy as np

import engine as eng
from engine.board.play import PASS
from engine.errors import QuixotryError
from engine.game.result import NO_MOVES
from engine.lexicon.catalog import own_lexicon
from engine.movegen import generate
from engine.movegen.ranking import unpack
from engine.players.static import StaticPlayer, find_player
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import BLANK
from engine.selfplay.batch import Batch
from engine.selfplay.columns import ENDS, play_chunk

LANGUAGES = ("english", "finnish", "hungarian", "norwegian", "polish")
ALSO = ("nine", "super", "finish-beginner", "finish-expert")
VARIANTS = (*(f"{name}+{also}" for name in LANGUAGES for also in ALSO), "classic")
CHUNK = 500


def check_tiles(rules: Rules, turns: np.ndarray, players: int) -> None:
    """Raise AssertionError unless at every turn board, racks and bag are the set."""
    counts = np.array(rules.tiles.counts)
    tiles = unpack(turns)
    rows = zip(turns.tolist(), tiles, strict=True)
    at = {name: i for i, name in enumerate(turns.dtype.names or ())}
    for _, game in groupby(rows, key=lambda pair: pair[0][at["game"]]):
        left = int(counts.sum())  # neither on the board nor on a rack
        board = np.zeros(len(counts), np.int64)
        kept: list[Counter[int] | None] = [None] * players
        held = [0] * players
        for player in range(players):
            held[player] = min(rules.rack_size, left)
            left -= held[player]
        for row, made in game:
            player, laid = row[at["player"]], row[at["laid"]]
            rack = Counter(row[at["rack"]][: row[at["held"]]])
            assert row[at["bag"]] == left, "tiles in the bag"
            assert rack.total() == held[player], "tiles on a rack"
            before = kept[player]
            assert before is None or not before - rack, "a tile kept is gone"
            own = np.bincount(list(rack.elements()), minlength=len(counts))
            assert (board + own <= counts).all(), "more of a tile than there are"
            letters = [0 if tile & BLANK or tile & 64 else int(tile) for tile in made[:laid]]
            used = Counter(letters)
            assert not used - rack, "a tile that was not on the rack"
            kept[player] = rack - used
            if row[at["kind"]] == generate.PLAY:
                board += np.bincount(letters, minlength=len(counts))
                drawn = min(left, rules.rack_size - (rack.total() - laid))
                left -= drawn
                held[player] += drawn - laid
            elif row[at["kind"]] == generate.PASS:
                assert not laid
            total = board.sum() + sum(held) + left
            assert total == counts.sum(), "tiles in all"


def follow(rules: Rules, seats: list[StaticPlayer], seed: int, number: int) -> None:
    """Raise AssertionError unless the referee, with the slow judge, plays a game the same way."""
    turns, results = play_chunk(Batch(rules, seats), seed, number, 1)
    assert turns is not None
    texts = {name: column.tolist() for name, column in turns.items()}
    result = {name: column.tolist()[0] for name, column in results.items()}
    game = eng.Game(
        rules,
        seats,
        lexicon=seats[0].lexicon,
        seed=seed,
        number=number,
        first=result["first"],
        challenge="void",
    )
    for rack, play, score in zip(texts["rack"], texts["play"], texts["score"], strict=True):
        if game.over:
            assert game.result is not None
            assert game.result.reason == NO_MOVES
            assert play == "pass"
            continue
        assert game.turn is not None
        assert rules.tiles.format_rack(game.racks[game.turn]) == rack, "rack"
        event = game.play(play)
        assert event.score == score, f"{play}: {event.score}, not {score}"
        assert event.play.kind != PASS or play == "pass"
        game.check()
    assert game.over, "the referee's game goes on"
    assert list(game.scores) == [result[f"score_{player}"] for player in range(len(seats))], (
        "scores"
    )


def check(rules: Rules, games: int, players: int, sample: int, seed: int) -> str:
    """Play and check so many games; a line of figures."""
    player = find_player("equity", rules, own_lexicon(rules))
    seats = [player] * players
    batch = Batch(rules, seats)
    batch.play(seed, 0, 2)
    unit = measure.yardstick(3)
    seconds = 0.0
    results = []
    for first in range(0, games, CHUNK):
        count = min(CHUNK, games - first)
        made: list[tuple[np.ndarray, np.ndarray]] = []
        order = [(first // CHUNK + seat) % players for seat in range(players)]
        play = lambda: made.append(batch.play(seed, first, count, order=order))  # noqa: B023, E731
        seconds += measure.cpu_seconds(play, 1)[0]
        turns, found = made[0]
        assert len(found) == count
        assert (found["end"] < len(ENDS)).all(), "a game without an end"
        check_tiles(rules, turns, players)
        results.append(found)
    for number in range(0, games, max(1, games // sample))[:sample] if sample else ():
        follow(rules, seats, seed, number)
    every = np.concatenate(results)
    scores = every["score"][:, :players]
    best = scores.max(axis=1, keepdims=True)
    share = ((scores == best) / (scores == best).sum(axis=1, keepdims=True)).mean(axis=0)[0]
    ends = Counter(ENDS[end] for end in every["end"].tolist())
    return (
        f"{rules.name}, {players} players, {games} games: mean score {scores.mean():.1f},"
        f" {every['player_turns'][:, :players].mean():.2f} turns,"
        f" {every['bingos'][:, :players].mean():.2f} bingos a player, first mover {share:.1%},"
        f" {', '.join(f'{end} {number}' for end, number in ends.most_common())};"
        f" {games / seconds * unit:.1f} games per yardstick"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("rules", nargs="*", default=["languages"])
    parser.add_argument("--games", type=int, default=1000)
    parser.add_argument("--players", type=int, action="append")
    parser.add_argument("--sample", type=int, default=20)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    names: list[str] = []
    for name in args.rules:
        names += {"languages": LANGUAGES, "variants": VARIANTS}.get(name, (name,))
    for name in names:
        for players in args.players or (2,):
            try:
                print(check(find_rules(name), args.games, players, args.sample, args.seed))
            except (AssertionError, QuixotryError) as error:
                sys.exit(f"{name}, {players} players: {error}")
            sys.stdout.flush()


if __name__ == "__main__":
    main()
