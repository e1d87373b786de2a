"""The words that a level knows: a share of the lexicon, the likeliest words first.

Lists of words say nothing about how common a word is, so the tiles decide: a tile costs the
logarithm of how rarely it is drawn, a word the sum over its tiles. Short words and those of
frequent tiles cost little; words of two and three letters take their place among the others.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import log2

from engine.lexicon.lexicon import Lexicon, from_key
from engine.rules.tiles import BLANK, TileSet

SAMPLE = 20_000  #: words that the limit of costs is found with
LEAST = 100  #: words known at least, where there are so many
_UNIT = 1024  #: costs are whole numbers of 1 / 1024 bit, the same on every machine
_NONE = 0.25  #: a letter without a tile counts as a quarter of one: only a blank plays it


@dataclass(frozen=True)
class Vocabulary:
    """The words of a lexicon that cost at most ``limit``."""

    costs: tuple[int, ...]  #: by letter
    limit: int

    def cost(self, word: Iterable[int]) -> int:
        """Sum over the tiles of a word; a blank costs what the letter that it plays does."""
        return sum([self.costs[tile & ~BLANK] for tile in word])

    def knows(self, word: Iterable[int]) -> bool:
        """Whether a word (of the lexicon: that is not checked) is one of these."""
        return self.cost(word) <= self.limit


@lru_cache(maxsize=64)
def find_vocabulary(lexicon: Lexicon, tiles: TileSet, share: float) -> Vocabulary:
    """The ``share`` (0 to 1) of a lexicon's words that cost least with these tiles.

    The limit is found with some 20,000 words that lie evenly in the lexicon, so that the share is
    kept to about a part in a hundred; words that cost the same are known together, and a hundred
    words in any case.
    """
    counts = [max(count, _NONE) for count in tiles.counts]
    costs = tuple(round(_UNIT * log2(sum(counts) / count)) for count in counts)
    trie, number = lexicon.trie, len(lexicon.trie)
    words = (trie.restore_key(key) for key in range(0, number, max(1, number // SAMPLE)))
    known = sorted(sum([costs[letter] for letter in from_key(word)]) for word in words)
    place = min(len(known), max(LEAST * len(known) // max(1, number), round(share * len(known))))
    return Vocabulary(costs, known[place - 1] if place else 0)
