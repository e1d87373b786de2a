"""What each action makes of a state: the rules of a game as functions from state to state.

Nothing here is changed: an action gives a Step, the state after it and the events on the way.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from engine.board.play import EXCHANGE, PASS, PLAY, Play, less
from engine.game.challenges import OPEN_KINDS
from engine.game.clock import Clock
from engine.game.events import Accepted, Challenged, Ended, Event, LostTurn, Turn
from engine.game.position import Position
from engine.game.result import CHALLENGE, NO_MOVES, OUT, PASSES, SCORELESS, TARGET, make_result
from engine.game.state import Pending, State, laid, returned
from engine.lexicon.leaves import Leaves
from engine.lexicon.lexicon import Lexicon
from engine.movegen.judge import judge
from engine.rules.rules import Rules


class Step(NamedTuple):
    """One action: its events, the action's own first, and the state after it."""

    events: tuple[Event, ...]
    state: State


@dataclass(frozen=True)
class Rulings:
    """The rules of one game. ``fixed_order``: tiles given up go to the end of the bag."""

    rules: Rules
    lexicon: Lexicon
    leaves: Leaves
    clock: Clock | None = None
    fixed_order: bool = False

    # -- the three actions -----------------------------------------------------------------------

    def take_turn(
        self, state: State, play: Play, given: tuple[int, ...], seconds: float | None
    ) -> Step:
        """A play, an exchange (``given``: the tiles in the order in which they go back) or a pass
        of the player on turn. Raises IllegalPlay with the reason."""
        assert state.turn is not None
        player, rack = state.turn, state.racks[state.turn]
        kind = self.rules.challenge.kind
        lexicon = self.lexicon if kind == "void" else None
        judged = judge(play, state.board, self.rules, lexicon, rack, len(state.bag))
        left = less(rack, play.used)
        assert left is not None
        missing = 0 if play.kind == PASS else self.rules.rack_size - len(left)
        drawn = state.bag[:missing]  # racks are full while the bag holds tiles
        after = replace(
            _timed(state, player, seconds),
            board=laid(state.board, play),
            racks=_with(state.racks, player, tuple(sorted((*left, *drawn)))),
            bag=state.bag[len(drawn) :],
            scores=_with(state.scores, player, state.scores[player] + judged.score),
            scoreless=0 if judged.score else state.scoreless + 1,
            passes=state.passes + 1 if play.kind == PASS else 0,
            pending=None,
        )
        if play.kind == EXCHANGE:
            bag, stream = returned(after, given, self.fixed_order)
            after = replace(after, bag=bag, stream=stream)
        if play.kind == PLAY and kind in OPEN_KINDS:
            phonies = tuple(word for word in judged.words if not self.lexicon.has(word))
            before = replace(state, pending=None)
            after = replace(after, pending=Pending(player, play, judged.score, phonies, before))
        event = _event(
            Turn, state, after, player, seconds,
            play=play, score=judged.score, words=judged.words,
        )  # fmt: skip
        return self._proceed([event], after, player)

    def challenge(self, state: State, challenger: int, seconds: float | None) -> Step:
        """A challenge of the pending play."""
        pending = state.pending
        assert pending is not None
        rule, removed = self.rules.challenge, bool(pending.phonies)
        after = replace(_timed(state, challenger, seconds), pending=None)
        points = 0
        if removed:
            after = _taken_back(after, pending)
        elif rule.kind == "points":
            points = rule.points
            gains = rule.pay == "player_gains"
            who, change = (pending.player, points) if gains else (challenger, -points)
            after = replace(after, scores=_with(after.scores, who, after.scores[who] + change))
        elif rule.kind == "double":
            after = replace(after, lost=_with(after.lost, challenger, after.lost[challenger] + 1))
        event = _event(
            Challenged, state, after, challenger, seconds, against=pending.player,
            play=pending.play, score=pending.score, removed=removed, phonies=pending.phonies,
            points=points,
        )  # fmt: skip
        if rule.kind == "triple" and not removed:
            return self._finish([event], after, CHALLENGE, loser=challenger)
        return self._proceed([event], after, self._before(after, pending.player))

    def accept(self, state: State, player: int, seconds: float | None) -> Step:
        """The pending play stands."""
        after = replace(_timed(state, player, seconds), pending=None)
        event = _event(Accepted, state, after, player, seconds)
        return self._finish([event], after, after.ending) if after.ending else Step((event,), after)

    # -- whose turn it is, and when the game is over -----------------------------------------------

    def _before(self, state: State, player: int) -> int:
        """Who moved before the player on turn; ``player`` where nobody is."""
        return player if state.turn is None else (state.turn - 1) % len(state.racks)

    def _proceed(self, events: list[Event], state: State, player: int) -> Step:
        """On from a state in which ``player`` has moved: the next player who has no turn to miss,
        or the end. With a pending play the end waits."""
        reason = self._end(state)
        while not reason:
            player = (player + 1) % len(state.racks)
            if not state.lost[player]:
                return Step(tuple(events), replace(state, turn=player))
            state = replace(
                state,
                lost=_with(state.lost, player, state.lost[player] - 1),
                scoreless=state.scoreless + 1,
                passes=0,
            )
            events.append(_event(LostTurn, state, state, player, None))
            reason = self._end(state)
        if state.pending:
            return Step(tuple(events), replace(state, turn=None, ending=reason))
        return self._finish(events, state, reason)

    def _end(self, state: State) -> str:
        """Why the game ends in this state; empty where it does not."""
        players, end = len(state.racks), self.rules.end
        target = self.rules.finish_line.get(players)
        if target and max(state.scores) >= target:
            return TARGET
        if not state.bag and not all(state.racks):
            return OUT
        if end.kind == PASSES and state.passes >= end.count * players:
            return PASSES
        if end.kind == SCORELESS and state.scoreless >= end.count:
            return SCORELESS
        return "" if state.bag or self._somebody_can_play(state) else NO_MOVES

    def _somebody_can_play(self, state: State) -> bool:
        """Whether anybody has a legal play; under ``none``, where any word stands, always."""
        return self.rules.challenge.kind == "none" or any(
            self.view(state, player).plays(top=1)[0].play.kind == PLAY
            for player in range(len(state.racks))
        )

    def _finish(
        self, events: list[Event], state: State, reason: str, loser: int | None = None
    ) -> Step:
        points = self.clock.overtime_points if self.clock else lambda used_ms: 0
        overtime = tuple(points(used_ms) for used_ms in state.used_ms)
        result = make_result(reason, self.rules, state.racks, state.scores, overtime, loser)
        after = replace(state, turn=None, ending="", pending=None, result=result)
        ended = _event(Ended, state, after, None, None, result=result)
        return Step((*events, replace(ended, scores=result.scores)), after)

    # -- what a player sees ------------------------------------------------------------------------

    def view(self, state: State, player: int) -> Position:
        """The position as a player sees it: the others' racks are not known."""
        players = len(state.racks)
        return Position(
            rules=self.rules,
            lexicon=self.lexicon,
            leaves=self.leaves,
            board=state.board,
            racks=(state.racks[player], *((),) * (players - 1)),
            scores=tuple(state.scores[(player + seat) % players] for seat in range(players)),
            zeros=state.scoreless,
        )


def _with(values: tuple[Any, ...], player: int, value: Any) -> tuple[Any, ...]:
    """The values with another one for a player."""
    return (*values[:player], value, *values[player + 1 :])


def _timed(state: State, player: int, seconds: float | None) -> State:
    """The state with the time that a player took."""
    used = state.used_ms[player] + round(1000 * (seconds or 0))
    return replace(state, used_ms=_with(state.used_ms, player, used))


def _event(
    kind: type[Any], before: State, after: State, player: int | None, seconds: float | None,
    **more: Any,
) -> Any:  # fmt: skip
    return kind(
        player=player, racks=before.racks, bag=len(before.bag), scores=after.scores,
        seconds=seconds, **more,
    )  # fmt: skip


def _taken_back(state: State, pending: Pending) -> State:
    """The state after a play came off: a turn that scored nothing stands in its place. Turns that
    were lost after it count on."""
    before = pending.before
    since = 0 if pending.score else 1 + before.scoreless
    return replace(
        state,
        board=before.board,
        racks=before.racks,
        bag=before.bag,
        scores=before.scores,
        scoreless=before.scoreless + 1 + state.scoreless - since,
        ending="",
    )
