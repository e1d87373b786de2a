"""``engine.Game``: a game with its referee and computer players by name.

    game = eng.Game(rules="norwegian", lexicon="sanat.txt", players=["equity", "greedy"], seed=7)
    game.run()
    print(game.scores, game.result)

A player None is somebody else: ``run`` goes on until it is their turn, and they act by ``play``,
``exchange``, ``challenge`` and the other actions of the referee (engine/game/game.py).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from engine.app.library import load_leaves, load_lexicon
from engine.app.runs import given_rules
from engine.errors import QuixotryError, shorten
from engine.game import game as referee
from engine.game.bag import start_stream
from engine.game.given import check_type, player_names
from engine.game.position import Position
from engine.lexicon.catalog import own_lexicon
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.players.player import Player
from engine.rules.rules import Rules

MOST_TURNS = 10_000  #: a game of computers that goes on for longer has no end


class Game(referee.Game):
    """A game of players by name. ``players``: names such as ``equity``, Players, or None.

    ``rules``: a name, a .toml file or Rules (None: English). ``lexicon``, ``leaves``: a name, a
    file or loaded ones (None: those of the rules); a lexicon may be words too. ``names``: what each
    player is called. ``start``: a position to go on from, with its own rules, lexicon and leaves,
    so that none of them is given. Other options: as for the referee. With a clock that has no
    ``now`` a computer's actions take 0 seconds. Raises QuixotryError, RulesError, LexiconFileError.
    """

    players: tuple[Player | None, ...]

    def __init__(
        self,
        rules: Rules | Path | str | None = None,
        players: Sequence[str | Player | None] = ("equity", "equity"),
        *,
        lexicon: str | Path | Lexicon | Iterable[str] | None = None,
        leaves: str | Path | Leaves | None = None,
        names: Sequence[str] | None = None,
        start: Position | None = None,
        **options: Any,
    ) -> None:
        if not isinstance(players, (list, tuple)):
            raise QuixotryError(f"players {shorten(players)}, expected a list")
        check_type("start", start, (Position,), "a Position")
        check_type(
            "lexicon", lexicon, (str, Path, Lexicon, Iterable), "a lexicon, a name or a file"
        )
        check_type("leaves", leaves, (str, Path, Leaves), "Leaves, a name or a file")
        if start is not None:
            for what, given in (("rules", rules), ("lexicon", lexicon), ("leaves", leaves)):
                if given is not None:
                    raise QuixotryError(f"{what} and start: a position has its own {what}")
            rules, lexicon, leaves = start.rules, start.lexicon, start.leaves
        else:
            rules = given_rules("english" if rules is None else rules)
        if lexicon is None:
            lexicon = own_lexicon(rules)
        elif not isinstance(lexicon, Lexicon):
            lexicon = load_lexicon(lexicon, rules)
        if isinstance(leaves, (str, Path)):
            leaves = load_leaves(leaves, rules)
        player_names(len(players), None)  # how many, before anybody is looked for
        if names is not None and (
            not isinstance(names, (list, tuple)) or len(names) != len(players)
        ):
            raise QuixotryError(
                f"names {shorten(names)}, expected a list with one for each of {len(players)}"
                " players"
            )
        stream = start_stream(options.get("seed", 0), options.get("number", 0))
        self.players = tuple(_player(player, rules, lexicon, leaves, stream) for player in players)
        super().__init__(
            rules,
            lexicon,
            leaves,
            players=names or [player.name if player else "player" for player in self.players],
            start=start,
            **options,
        )

    def run(self) -> Game:
        """Let the computers play until the game is over or somebody else is on turn; returns it.

        Where the rules let anything be laid, computers challenge every play with a word outside the
        lexicon, and no other. A play that would end the game against somebody else is left for them
        to challenge or accept. Raises QuixotryError for computers that never end a game,
        IllegalPlay for one whose play is not allowed.
        """
        seconds = 0.0 if self.clock and self.clock.now is None else None
        for _ in range(MOST_TURNS):
            challenger = self._who_challenges()
            if challenger is not None:
                self.challenge(challenger, seconds=seconds)
                continue
            if self.turn is None:
                asked = [p for p in self.challengers if self.players[p] is None]
                if self.over or asked:
                    return self
                self.accept()
                continue
            player = self.players[self.turn]
            if player is None:
                return self
            self.play(player.choose(self.position), seconds=seconds)
        raise QuixotryError(f"the game has no end after {MOST_TURNS} turns")

    def _who_challenges(self) -> int | None:
        """The computer who challenges the pending play: the next one where a word is wrong."""
        if self.pending is None or not self.pending.phonies:
            return None
        count = len(self.players)
        others = ((self.pending.player + seat) % count for seat in range(1, count))
        return next((player for player in others if self.players[player] is not None), None)


def _player(
    given: str | Player | None, rules: Rules, lexicon: Lexicon, leaves: Leaves | None, seed: int
) -> Player | None:
    from engine.players.roster import find_player

    if isinstance(given, str):
        return find_player(given, rules, lexicon, leaves, seed=seed)
    if given is not None and not isinstance(given, Player):
        raise QuixotryError(f"player {shorten(given)}, expected a name, a Player or None")
    return given
