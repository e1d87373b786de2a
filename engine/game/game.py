"""The referee of one game: who may do what, what it scores, when the game ends, who wins.

    game = Game("norwegian", lexicon, players=["Ada", "Bo"], seed=7)
    game.play("8D KAFE")           # text or a Play; also play("exch AB?"), play("pass")
    game.challenge()               # of the play just made; or accept(): nobody challenges it
    game.exchange("AB?")           # or letters
    game.pass_turn()
    game.turn                      # number of the player who moves next; None: nobody does
    game.position                  # what that player sees, an engine.game.position.Position
    game.undo(); game.redo(); game.replay(3)      # to the state after three actions
    game.over, game.scores, game.result, game.log

A game is a list of immutable states (state.py), one after each action; undo and replay only move a
mark along it, and a new action after an undo replaces what was undone. An action returns the event
it made (events.py); ``log`` also has what followed from it: a turn lost, the end. An action that is
not allowed raises IllegalPlay, NotationError or QuixotryError with the reason and changes nothing.

Challenges. Under ``void`` a play with a word outside the lexicon is refused; under ``none`` any
word stands. Under ``single``, ``double``, ``triple`` and ``points`` any word may be laid, and the
play is ``pending``: everybody else may challenge it until the next player acts. If it would end the
game, ``turn`` is None and the game is over only after ``accept`` (or ``pass_turn``), or after a
challenge that fails.

Time. Every action takes ``seconds``, counted for the player who acts (clock.py). Nothing here looks
at a clock, unless it was given one with ``now``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from engine.board.notation.moves import make_exchange
from engine.board.play import EXCHANGE, PASS, Grid, Play
from engine.errors import QuixotryError, shorten
from engine.game.bag import shuffled, start_stream
from engine.game.clock import Clock, check_seconds
from engine.game.events import Event, Rack
from engine.game.given import (
    changed_rules,
    check_type,
    player_names,
    read_letters,
    read_order,
    read_play,
)
from engine.game.position import Position
from engine.game.result import Result
from engine.game.rulings import Rulings, Step
from engine.game.start import Round, draw_starter, find_starter
from engine.game.state import Pending, State, count_tiles, deal, set_up
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.rules.rules import Challenge, Rules


class Game:
    """One game; the module's docstring is the guide. Players are numbers from 0."""

    def __init__(
        self,
        rules: Rules | str = "english",
        lexicon: Lexicon | None = None,
        leaves: Leaves | None = None,
        *,
        players: int | Sequence[str] = 2,
        seed: int = 0,
        number: int = 0,
        draw_order: str | Iterable[int] | None = None,
        first: int | None = 0,
        challenge: Challenge | str | None = None,
        finish_line: int | None = None,
        clock: Clock | None = None,
        start: Position | None = None,
    ) -> None:
        """``players``: how many (2 to 4), or their names (which may be equal).

        ``lexicon``, ``leaves``: as for Position. ``seed`` and ``number`` decide all tiles: they are
        those of that game of self-play. ``draw_order``: instead, all tiles in the order of drawing,
        as rack text or letters: player ``first`` draws a full rack, then the next one, and so on;
        what is exchanged goes to the end. ``first``: who begins; None: a tile is drawn for it.
        ``challenge`` ("double", "points(10)"), ``finish_line`` (points, 0 for none): instead of
        those of the rules. ``start``: a position to go on from, its player on turn as player 0;
        it brings rules, lexicon and leaves along, and what its racks lack is drawn.

        Raises QuixotryError, RulesError, LexiconFileError.
        """
        check_type("rules", rules, (str, Rules), "a name or Rules")
        check_type("lexicon", lexicon, (Lexicon,), "a Lexicon")
        check_type("clock", clock, (Clock,), "a Clock")
        check_type("start", start, (Position,), "a Position")
        self.names = player_names(players, len(start.racks) if start else None)
        count = len(self.names)
        at_start = start or Position.new(rules, lexicon, leaves, players=count)
        self.rules = changed_rules(at_start.rules, count, challenge, finish_line)
        self.clock = clock
        self.start_draw: tuple[Round, ...] = ()  #: tiles drawn for who begins, player -> letter
        stream = start_stream(seed, number)
        if start is None:
            bag, stream = self._shuffled_bag(stream)
            if draw_order is not None:
                bag = read_order(draw_order, self.rules.tiles)
            if first is None:
                self.start_draw, stream = draw_starter(self.rules.tiles, count, stream)
                first = find_starter(self.start_draw)
            state = deal(self.rules, count, self._player(first), bag, stream)
        elif draw_order is not None or first != 0:
            raise QuixotryError("a game from a position takes neither draw_order nor first")
        else:
            state = set_up(start, stream)
        self._rulings = Rulings(
            self.rules, at_start.lexicon, at_start.leaves, clock, draw_order is not None
        )
        self._steps = [Step((), state)]
        self._at = 0
        self._wind()

    def _shuffled_bag(self, stream: int) -> tuple[tuple[int, ...], int]:
        counts = enumerate(self.rules.tiles.counts)
        return shuffled((letter for letter, count in counts for _ in range(count)), stream)

    # -- actions -----------------------------------------------------------------------------------

    def play(self, move: str | Play, *, seconds: float | None = None) -> Event:
        """The turn of the player on turn: a play, an exchange or a pass. A pass while the game
        waits for a challenge accepts the last play."""
        play = read_play(move, self.rules.tiles, self.board)
        if play.kind == PASS and self.waiting:
            return self.accept(seconds=seconds)
        return self._take_turn(play, play.tiles, seconds)

    def exchange(self, tiles: str | Iterable[int], *, seconds: float | None = None) -> Event:
        """Give up tiles for others from the bag; in a fixed order they go back as listed."""
        given = read_letters(tiles, self.rules.tiles)
        play = make_exchange(tuple(sorted(given)), self.rules.tiles)
        return self._take_turn(play, given, seconds)

    def pass_turn(self, *, seconds: float | None = None) -> Event:
        """Pass, as ``play("pass")``."""
        return self.play(Play(PASS, text="pass"), seconds=seconds)

    def challenge(self, player: int | None = None, *, seconds: float | None = None) -> Event:
        """``player`` (None: the next one) challenges the pending play.

        If a word of it is not in the lexicon it comes off and its turn is lost; else the challenger
        pays as the rules say."""
        pending = self._pending()
        if player is None:
            player = self._next(pending.player)
        if self._player(player) == pending.player:
            raise QuixotryError(f"{self._name(player)} cannot challenge their own play")
        seconds = self._seconds(seconds)
        return self._done(self._rulings.challenge(self.state, player, seconds))

    def accept(self, player: int | None = None, *, seconds: float | None = None) -> Event:
        """Nobody challenges the pending play, says ``player`` (None: the next one)."""
        pending = self._pending()
        player = self._next(pending.player) if player is None else self._player(player)
        if seconds is not None:
            seconds = check_seconds(seconds)
        return self._done(self._rulings.accept(self.state, player, seconds))

    def undo(self, actions: int = 1) -> None:
        """To before the last action, or several. Raises QuixotryError where there are fewer."""
        self.replay(self._at - _count(actions))

    def redo(self, actions: int = 1) -> None:
        """What was undone is done again, exactly. Raises QuixotryError where there is less."""
        self.replay(self._at + _count(actions))

    def replay(self, actions: int) -> None:
        """To the state after so many actions from the start. Raises QuixotryError where there were
        not so many."""
        if type(actions) is not int or not 0 <= actions < len(self._steps):
            raise QuixotryError(
                f"to action {shorten(actions)}, expected 0 to {len(self._steps) - 1}"
            )
        self._at = actions
        self._wind()

    # -- what is to be seen ------------------------------------------------------------------------

    @property
    def state(self) -> State:
        """Everything at once, immutable; it holds what no player may see."""
        return self._steps[self._at].state

    @property
    def actions(self) -> int:
        """Actions from the start to here."""
        return self._at

    @property
    def actions_known(self) -> int:
        """Actions from the start, those undone included."""
        return len(self._steps) - 1

    @property
    def log(self) -> tuple[Event, ...]:
        """Every event from the start to here."""
        return tuple(event for step in self._steps[: self._at + 1] for event in step.events)

    @property
    def board(self) -> Grid:
        """Rows of tiles, as in Position."""
        return self.state.board

    @property
    def racks(self) -> tuple[Rack, ...]:
        """Letters of each player, sorted."""
        return self.state.racks

    @property
    def bag(self) -> int:
        """Tiles in the bag."""
        return len(self.state.bag)

    @property
    def scores(self) -> tuple[int, ...]:
        """Points of each player; the final ones when the game is over."""
        return self.state.result.scores if self.state.result else self.state.scores

    @property
    def turn(self) -> int | None:
        """Who moves next; None: nobody, the game is over or waits for a challenge of its end."""
        return self.state.turn

    @property
    def pending(self) -> Pending | None:
        """The play that may be challenged now."""
        return self.state.pending

    @property
    def waiting(self) -> bool:
        """Whether the game is over unless the last play is challenged off."""
        return bool(self.state.ending)

    @property
    def over(self) -> bool:
        """Whether the game is over."""
        return self.state.result is not None

    @property
    def result(self) -> Result | None:
        """Reason, adjustment, final scores, places; None before the end."""
        return self.state.result

    @property
    def position(self) -> Position:
        """What the player on turn sees. Raises QuixotryError where nobody is on turn."""
        return self._rulings.view(self.state, self._mover())

    @property
    def legal_actions(self) -> tuple[str, ...]:
        """Which of play, exchange, pass, challenge and accept there are now. A play may still be
        illegal, and nobody may have one."""
        found = ["challenge", "accept"] if self.pending else []
        if self.turn is not None:
            found += ["play", "pass", *(["exchange"] if self.most_exchanged else [])]
        return tuple(sorted(found))

    @property
    def most_exchanged(self) -> int:
        """Most tiles that the player on turn may exchange; 0 where none."""
        if self.turn is None or self.bag < self.rules.exchange_min_bag:
            return 0
        return min(self.bag, len(self.racks[self.turn]))

    @property
    def challengers(self) -> tuple[int, ...]:
        """Who may challenge the pending play."""
        pending = self.pending
        everybody = range(len(self.names))
        return tuple(p for p in everybody if pending is not None and p != pending.player)

    def unseen(self, player: int) -> Mapping[int, int]:
        """Letter -> tiles that a player does not see: the bag and the other racks."""
        return self._rulings.view(self.state, self._player(player)).unseen

    def seconds_left(self, player: int) -> float | None:
        """Time left of a player, below 0 in overtime; None without a clock."""
        used = self.state.used_ms[self._player(player)] / 1000
        return self.clock.limit - used if self.clock else None

    def check(self) -> None:
        """Raise AssertionError where a tile is lost or doubled, or a rack is not filled up."""
        state, tiles = self.state, self.rules.tiles
        counts = Counter({letter: n for letter, n in enumerate(tiles.counts) if n})
        assert count_tiles(state) == counts, "tiles lost or doubled"
        held = [len(rack) for rack in state.racks]
        full = self.rules.rack_size
        assert set(held) == {full} if state.bag else max(held) <= full, f"racks of {held} tiles"
        assert (state.turn is None) == bool(state.ending or state.result), "whose turn is it?"

    # -- within ------------------------------------------------------------------------------------

    def _take_turn(self, play: Play, given: tuple[int, ...], seconds: float | None) -> Event:
        self._mover()
        seconds = self._seconds(seconds)
        given = given if play.kind == EXCHANGE else ()
        return self._done(self._rulings.take_turn(self.state, play, given, seconds))

    def _done(self, step: Step) -> Event:
        """Put an action behind the present state, in place of what was undone."""
        self._steps[self._at + 1 :] = [step]
        self._at += 1
        self._wind()
        return step.events[0]

    def _wind(self) -> None:
        """The next action's time begins."""
        self._since = self.clock.now() if self.clock and self.clock.now else 0.0

    def _seconds(self, given: float | None) -> float | None:
        """Time of an action: as given, or as the clock says. Raises QuixotryError."""
        if given is not None:
            return check_seconds(given)
        if self.clock is None:
            return None
        if self.clock.now is None:
            raise QuixotryError("this game has a clock: say how many seconds the action took")
        return max(0.0, self.clock.now() - self._since)

    def _next(self, player: int) -> int:
        return (player + 1) % len(self.names)

    def _name(self, player: int) -> str:
        return f"player {player} ({self.names[player]})"

    def _player(self, player: int) -> int:
        """The number of a player. Raises QuixotryError for what is none."""
        if type(player) is not int or not 0 <= player < len(self.names):
            raise QuixotryError(
                f"player {shorten(player)}, expected a number from 0 to {len(self.names) - 1}"
            )
        return player

    def _mover(self) -> int:
        """The player on turn. Raises QuixotryError where nobody is."""
        if self.turn is not None:
            return self.turn
        if self.state.result:
            raise QuixotryError(f"the game is over ({self.state.result.reason})")
        raise QuixotryError(
            f"the game is over ({self.state.ending}) unless the last play is challenged:"
            " expected challenge or accept"
        )

    def _pending(self) -> Pending:
        """The play that may be challenged. Raises QuixotryError where there is none."""
        if self.pending is None:
            raise QuixotryError(
                f"there is no play to challenge (challenge rule: {self.rules.challenge.kind})"
            )
        return self.pending


def _count(actions: int) -> int:
    """A number of actions to go. Raises QuixotryError."""
    if type(actions) is not int or actions < 0:
        raise QuixotryError(f"{shorten(actions)} actions, expected 0 or more")
    return actions
