"""Whole games, turn by turn, against the text in tests/data: every change of behaviour shows.

Both players always make the first play of ``Position.plays``; tiles come from a seeded
``random.Random``. After a wanted change write the files anew with ``python tests/test_golden.py``
and read the difference.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data"
GAMES = {
    "golden_english.txt": ("english", 1),
    "golden_english_nine.txt": ("english+nine", 2),
    "golden_english_super.txt": ("english+super", 3),
}


def play_game(rules_name: str, seed: int) -> Iterator[str]:
    """Lines of a game of two greedy players with leaves of 0."""
    from engine.game.position import Position
    from engine.lexicon.leaves import zero_leaves
    from engine.rules.rules import find_rules

    rules = find_rules(rules_name)
    rng = random.Random(seed)
    bag = [letter for letter, count in enumerate(rules.tiles.counts) for _ in range(count)]
    rng.shuffle(bag)

    def refill(rack: tuple[int, ...]) -> tuple[int, ...]:
        drawn = [bag.pop() for _ in range(min(rules.rack_size - len(rack), len(bag)))]
        return tuple(sorted((*rack, *drawn)))

    at = Position.new(rules=rules_name, leaves=zero_leaves(rules.tiles.kinds))
    at = replace(at, racks=(refill(()), refill(())))
    yield f"# {rules_name}, seed {seed}: cgp, then the play, its points, equity, bag"
    turn = 0
    while at.zeros < 6 and all(at.racks):
        turn += 1
        yield str(at)
        best = at.plays(top=1)[0]
        equity = "" if best.equity_mp is None else f" {best.equity_mp / 1000:.3f}"
        yield f"  {turn}. {best.play} {best.score:+d}{equity} bag {at.bag}"
        assert at.bag == len(bag)
        before = at
        at = at.apply(str(best.play))
        at = replace(at, racks=(*at.racks[:-1], refill(at.racks[-1])))
        if best.play.kind == "exchange":
            bag.extend(best.play.tiles)
            rng.shuffle(bag)
        assert at.racks[0] == before.racks[1]
    yield str(at)


@pytest.mark.parametrize("name", GAMES)
def test_a_whole_game_is_played_as_before(name: str) -> None:
    expected = (DATA / name).read_text("utf-8").splitlines()
    for number, (line, was) in enumerate(zip(play_game(*GAMES[name]), expected, strict=True), 1):
        assert line == was, f"{name} line {number}"


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    for file_name, game in GAMES.items():
        (DATA / file_name).write_text("\n".join(play_game(*game)) + "\n", "utf-8")
