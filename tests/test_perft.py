"""Positions with exact counts of plays (tests/data/perft.txt), with the bundled English lexicon.

Blocks of lines ``id``, ``rules`` (english where absent), ``cgp``, ``plays N score S`` and ``why``:
N legal tile plays whose points add up to S. ``python tests/test_perft.py`` counts all of them with
the slow reference (a minute or so each).
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

DATA = Path(__file__).parent / "data" / "perft.txt"


@dataclass(frozen=True)
class Entry:
    id: str
    cgp: str
    plays: int
    score: int
    why: str
    rules: str = "english"


def read(text: str) -> list[Entry]:
    entries = []
    for block in text.split("\n\n"):
        lines = [line for line in block.splitlines() if line and not line.startswith("#")]
        if not lines:
            continue
        fields = dict(line.split(maxsplit=1) for line in lines)
        count, word, score = fields.pop("plays").split()
        assert word == "score"
        entries.append(Entry(plays=int(count), score=int(score), **fields))
    return entries


ENTRIES = read(DATA.read_text("utf-8"))


@pytest.mark.parametrize("entry", ENTRIES, ids=[e.id for e in ENTRIES])
def test_counts(entry: Entry) -> None:
    from engine.game.position import Position

    at = Position.from_cgp(entry.cgp, rules=entry.rules)
    found = [p for p in at.plays() if p.play.kind == "play"]
    assert (len(found), sum(p.score for p in found)) == (entry.plays, entry.score)
    assert str(at) == entry.cgp


def test_identifiers_are_unique_and_every_position_says_why() -> None:
    assert len({e.id for e in ENTRIES}) == len(ENTRIES)
    assert all(e.why for e in ENTRIES)


def naive_counts(entry: Entry) -> tuple[int, int]:
    """The counts by the slow reference."""
    import naive

    from engine.game.position import Position

    at = Position.from_cgp(entry.cgp, rules=entry.rules)
    found = naive.plays(at.board, at.racks[0], frozenset(at.lexicon), at.rules)
    return len(found), sum(found.values())


if __name__ == "__main__":
    import sys

    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    for each in ENTRIES:
        counts = naive_counts(each)
        good = counts == (each.plays, each.score)
        print("ok   " if good else "WRONG", each.id, f"plays {counts[0]} score {counts[1]}")
