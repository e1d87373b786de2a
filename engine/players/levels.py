"""Levels: computer players that know fewer words and overlook plays.

A level knows a share of the lexicon's words (vocabulary.py). How easily it notices a play that it
knows goes by the play: words that cross it, few tiles, a bonus or rare tiles make it harder to see.
Every play gets a random number, divided by that ease: the time at which it is noticed. Of the plays
noticed in the time that it takes to look at ``looks`` plays, the best one is made.

The random numbers come from the seed and the position: a level always does the same in the same
position, and a seed fixes a game.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from hashlib import blake2b
from math import inf

from engine.board.notation.moves import make_exchange
from engine.board.play import PASS, Play
from engine.game.bag import below, start_stream
from engine.game.position import Position
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.movegen.judge import judge
from engine.players.choose import PATIENCE
from engine.players.vocabulary import Vocabulary, find_vocabulary

_ONE = 1 << 30  #: random numbers are below this


@dataclass(frozen=True)
class Skill:
    """What makes a level. The last four are factors of the ease of noticing a play, 1 at most."""

    share: float  #: of the lexicon's words that are known
    looks: float  #: plays noticed in a turn, of all that there are, were each one easy
    crossing: float  #: for each word formed beside the main one
    short: float  #: for each tile fewer than three laid
    bingo: float  #: for a play that earns a bonus
    rare: float  #: for each tile laid that only one in a hundred is like
    leaves: bool = False  #: whether the tiles kept count when plays are compared, or score only


SKILLS = {
    "level1": Skill(0.04, 0.5, 0.02, 0.1, 0.1, 0.4),
    "level2": Skill(0.10, 15, 0.15, 0.3, 0.2, 0.5),
    "level3": Skill(0.25, 32, 0.27, 0.5, 0.3, 0.7),
    "level4": Skill(0.50, 65, 0.5, 0.75, 0.4, 0.75, leaves=True),
    "level5": Skill(0.80, 160, 0.75, 0.9, 0.7, 0.85, leaves=True),
}


@dataclass(frozen=True)
class Level:
    """A player of a level. ``seed``: any number that fixes its chances."""

    name: str
    lexicon: Lexicon
    leaves: Leaves
    skill: Skill
    seed: int = 0

    def choose(self, position: Position) -> Play:
        """The best play that it notices in time; where there is none, the first that it notices
        afterwards; where it knows none, an exchange, or a pass after three rounds without a score.
        """
        own = replace(position, lexicon=self.lexicon, leaves=self.leaves)
        vocabulary = find_vocabulary(self.lexicon, own.rules.tiles, self.skill.share)
        number, placements = own._table.placements()
        end = self.skill.looks * _ONE / max(1, number)
        soonest, first = inf, None
        for make, chance in zip(placements, self._chances(position)):
            if chance >= max(end, soonest):
                continue  # not in time even where it is easy
            play = make().play
            ease = self._ease(play, own, vocabulary)
            if chance < end * ease:
                return play
            if chance < soonest * ease:
                soonest, first = chance / ease, play
        return first or _without_a_play(own)

    def _chances(self, position: Position) -> Iterator[int]:
        """The random numbers of a position, each from 0 to 2**30 - 1."""
        digest = blake2b(f"{self.name} {position}".encode(), digest_size=8).digest()
        stream = start_stream(self.seed, int.from_bytes(digest, "little"))
        while True:
            stream, chance = below(stream, _ONE)
            yield chance

    def _ease(self, play: Play, position: Position, vocabulary: Vocabulary) -> float:
        """How easily a legal play is noticed, 0 where a word of it is not known, to 1."""
        rules = position.rules
        words = judge(play, position.board, rules, None, None, position.bag).words
        if not all(map(vocabulary.knows, words)):
            return 0.0
        skill, laid = self.skill, play.used
        few = max(1, rules.tiles.total // 100)
        rare = sum(letter > 0 and rules.tiles.counts[letter] <= few for letter in laid)
        return (
            skill.crossing ** (len(words) - 1)
            * skill.short ** max(0, 3 - len(laid))
            * skill.bingo ** (rules.bonus[len(laid)] > 0)
            * skill.rare**rare
        )


def _without_a_play(position: Position) -> Play:
    """The turn of a player who knows no play: the dearest tiles go back, blanks stay."""
    most = position._table.most_exchanged
    if position.zeros >= PATIENCE * len(position.racks):
        most = 0
    values = position.rules.tiles.values
    tiles = sorted(filter(None, position.racks[0]), key=lambda letter: -values[letter])[:most]
    if not tiles:
        return Play(PASS, text="pass")
    return make_exchange(tuple(sorted(tiles)), position.rules.tiles)
