"""Random actions, legal and not: tiles are conserved, the rules hold, undo is exact."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

import naive
from games import whole
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule
from positions import lexicon_of
from strategies import random_words

from engine.board.play import PASS, PLAY, Play
from engine.errors import QuixotryError
from engine.game.clock import Clock
from engine.game.events import Challenged, Ended, Event, LostTurn, Turn
from engine.game.game import Game
from engine.game.result import CHALLENGE, NO_MOVES, OUT, PASSES, SCORELESS, TARGET
from engine.rules.rules import Rules, find_rules
from engine.rules.tiles import BLANK

SYSTEMS = (
    "english", "classic", "finnish", "hungarian+nine", "polish", "norwegian+finish-beginner",
    "english+super", "classic+finish-expert",
)  # fmt: skip
CHALLENGES = (
    "void", "none", "single", "double", "triple", "points(10)", "points(5, player_gains)", None,
)  # fmt: skip
NONSENSE: tuple[Callable[[Game], object], ...] = (
    lambda game: game.play("Z99 NO"),
    lambda game: game.play(""),
    lambda game: game.play("8H ??"),
    lambda game: game.play(Play("swap")),
    lambda game: game.exchange(""),
    lambda game: game.exchange([200]),
    lambda game: game.exchange([0] * 13),
    lambda game: game.challenge(9),
    lambda game: game.accept(-1),
    lambda game: game.pass_turn(seconds=-1),
    lambda game: game.undo(10_000),
    lambda game: game.redo(10_000),
    lambda game: game.replay(-1),
)


def few_tiles(rules: Rules, players: int, more: int, rng: random.Random) -> Rules:
    """The rules with so few tiles that the bag holds ``more`` after the racks are drawn."""
    bag = [letter for letter, n in enumerate(rules.tiles.counts) for _ in range(n)]
    size = players * rules.rack_size + more
    kept = rng.sample(bag, min(len(bag), size))
    counts = tuple(kept.count(letter) for letter in range(rules.tiles.kinds))
    tiles = replace(rules.tiles, name="few", counts=counts)
    return replace(rules, tiles=tiles, exchange_min_bag=min(rules.exchange_min_bag, len(kept)))


class AnyGame(RuleBasedStateMachine):
    @initialize(
        system=st.sampled_from(SYSTEMS),
        challenge=st.sampled_from(CHALLENGES),
        players=st.integers(2, 4),
        first=st.sampled_from((0, 1, None)),
        more=st.sampled_from((None, None, 0, 3, 12)),
        line=st.sampled_from((None, None, 0, 40)),
        fixed=st.booleans(),
        clock=st.booleans(),
        seed=st.integers(0, 2**32 - 1),
    )
    def start(
        self,
        system: str,
        challenge: str | None,
        players: int,
        first: int | None,
        more: int | None,
        line: int | None,
        fixed: bool,
        clock: bool,
        seed: int,
    ) -> None:
        self.rng = random.Random(seed)
        rules = find_rules(system)
        if more is not None:
            rules = few_tiles(rules, players, more, self.rng)
        self.words = frozenset(random_words(self.rng, rules.tiles, 150, 8))
        texts = tuple(sorted(map(rules.tiles.format_word, self.words)))
        order = [letter for letter, n in enumerate(rules.tiles.counts) for _ in range(n)]
        self.rng.shuffle(order)
        self.game = Game(
            rules,
            lexicon_of(texts, rules.tiles),
            players=players,
            seed=seed,
            first=first,
            challenge=challenge,
            finish_line=line,
            draw_order=order if fixed else None,
            clock=Clock(100) if clock else None,
        )
        self.seconds = 0.0 if clock else None
        self.first = self.game.turn
        self.states = [self.game.state]

    def attempt(self, action: Callable[[], object]) -> bool:
        """Do something; where it is refused nothing may have changed."""
        before, at = whole(self.game), self.game.actions
        try:
            action()
        except QuixotryError:
            assert whole(self.game) == before
            return False
        self.states[at + 1 :] = [self.game.state]
        return True

    def some(self, among: Iterable[Any]) -> Any:
        return self.rng.choice(list(among))

    # -- actions ---------------------------------------------------------------------------------

    @precondition(lambda self: self.game.turn is not None)
    @rule(turns=st.integers(1, 8))
    def play_legally(self, turns: int) -> None:
        for _ in range(turns):
            if self.game.turn is not None:
                plays = [ranked.play for ranked in self.game.position.plays()]
                on_board = [play for play in plays if play.kind == PLAY]
                play = self.some(on_board or plays)
                assert self.attempt(lambda play=play: self.game.play(play, seconds=self.time()))
        if self.rng.random() < 0.3:
            self.challenge(self.rng.randrange(len(self.game.names)))

    @precondition(lambda self: self.game.turn is not None)
    @rule(challenger=st.sampled_from((None, None, 0, 1, 2)))
    def play_anything(self, challenger: int | None) -> None:
        """Tiles somewhere, words or not; perhaps somebody challenges them."""
        rack = list(self.game.racks[self.game.turn])
        self.rng.shuffle(rack)
        spots = [(r, c) for r, row in enumerate(self.game.board) for c, t in enumerate(row) if t]
        row, col = self.some(spots or [self.game.rules.layout.start])
        row, col = row + self.rng.randint(-2, 2), col + self.rng.randint(-2, 2)
        across = self.rng.random() < 0.5
        laid = []
        for letter in rack[: self.rng.randint(1, 4)]:
            while self.at(row, col):
                row, col = (row, col + 1) if across else (row + 1, col)
                laid.append(0)
            laid.append(letter or self.rng.randint(1, 5) | BLANK)
            row, col = (row, col + 1) if across else (row + 1, col)
        start = (row, col - len(laid)) if across else (row - len(laid), col)
        play = Play(PLAY, *start, across, tuple(laid))
        if self.attempt(lambda: self.game.play(play, seconds=self.time())) and challenger:
            self.challenge(challenger)

    def at(self, row: int, col: int) -> int:
        return naive.at(self.game.board, row, col)

    @rule()
    def exchange(self) -> None:
        rack = self.game.racks[self.game.turn or 0]
        given = self.rng.sample(rack, self.rng.randint(0, len(rack)))
        self.attempt(lambda: self.game.exchange(given, seconds=self.time()))

    @rule()
    def pass_turn(self) -> None:
        self.attempt(lambda: self.game.pass_turn(seconds=self.time()))

    @rule(player=st.sampled_from((None, None, 0, 1, 2, 3)))
    def challenge(self, player: int | None) -> None:
        self.attempt(lambda: self.game.challenge(player, seconds=self.time()))

    @rule()
    def accept(self) -> None:
        self.attempt(lambda: self.game.accept(seconds=self.time()))

    @rule()
    def nonsense(self) -> None:
        assert not self.attempt(lambda: self.some(NONSENSE)(self.game))

    @rule(number=st.integers(0, 40))
    def go_to(self, number: int) -> None:
        if number < len(self.states):
            self.game.replay(number)
            assert self.game.state == self.states[number]

    @rule()
    def undo_and_redo(self) -> None:
        at, before = self.game.actions, whole(self.game)
        if at:
            self.game.undo()
            assert self.game.state == self.states[at - 1]
            self.game.redo()
        assert whole(self.game) == before

    def time(self) -> float | None:
        return None if self.seconds is None else self.rng.choice((0, 1.5, 30, 70))

    # -- what always holds -----------------------------------------------------------------------

    @invariant()
    def tiles_are_conserved(self) -> None:
        self.game.check()

    @invariant()
    def the_log_tells_the_state(self) -> None:
        state, told = self.game.state, retell(self.game, self.first, self.words)
        assert (told["scores"], told["scoreless"]) == (state.scores, state.scoreless)
        assert told["passes"] == state.passes
        if state.turn is not None:
            assert told["turn"] == state.turn
        if self.seconds is not None:
            assert tuple(told["ms"]) == state.used_ms

    @invariant()
    def the_game_is_over_when_a_rule_says_so(self) -> None:
        state = self.game.state
        ended = state.ending or (state.result.reason if state.result else "")
        if ended == CHALLENGE:
            return
        assert ended in reasons(self.game, self.words) if ended else True
        if not ended and self.game.actions:
            assert not reasons(self.game, self.words)

    def teardown(self) -> None:
        if hasattr(self, "game"):
            for number in reversed(range(len(self.states))):
                self.game.replay(number)
                assert self.game.state == self.states[number]
                self.game.check()


def retell(game: Game, first: int | None, words: frozenset[naive.Word]) -> dict[str, Any]:
    """Scores, counts and turn as somebody would keep them who reads the log."""
    n = len(game.names)
    scores, turn, scoreless, passes, missed = [0] * n, first or 0, 0, 0, 0
    used, owed = [0] * n, [0] * n
    before: tuple[list[int], int] = (scores[:], 0)
    for event in game.log:
        assert not isinstance(event, Ended) or event is game.log[-1]
        if event.player is not None and event.seconds is not None:
            used[event.player] += round(event.seconds * 1000)
        if isinstance(event, Turn):
            assert event.player == turn
            before, missed = (scores[:], scoreless), 0
            scores[turn] += event.score
            scoreless = 0 if event.score else scoreless + 1
            passes = passes + 1 if event.play.kind == PASS else 0
            turn = (turn + 1) % n
        elif isinstance(event, LostTurn):
            assert event.player == turn
            owed[turn] -= 1
            assert owed[turn] >= 0
            scoreless, passes, missed, turn = scoreless + 1, 0, missed + 1, (turn + 1) % n
        elif isinstance(event, Challenged):
            wrong = any(bare(word) not in words for word in last_play(game, event).words)
            assert event.removed == wrong
            assert event.removed == bool(event.phonies)
            rule = game.rules.challenge
            if wrong:
                scores, scoreless, passes = before[0][:], before[1] + 1 + missed, 0
            elif rule.kind == "points" and rule.pay == "player_gains":
                scores[event.against] += rule.points
            elif rule.kind == "points":
                scores[event.player or 0] -= rule.points
            elif rule.kind == "double":
                owed[event.player or 0] += 1
        if not isinstance(event, Ended):
            assert event.scores == tuple(scores)
    return {
        "scores": tuple(scores), "scoreless": scoreless, "passes": passes, "turn": turn,
        "ms": used,
    }  # fmt: skip


def bare(word: tuple[int, ...]) -> naive.Word:
    return tuple(tile & ~BLANK for tile in word)


def last_play(game: Game, challenge: Event) -> Turn:
    """The turn that was challenged."""
    log = game.log[: game.log.index(challenge)]
    return next(event for event in reversed(log) if isinstance(event, Turn))


def reasons(game: Game, words: frozenset[naive.Word]) -> set[str]:
    """Every rule by which the game is over in its present state."""
    state, end, n = game.state, game.rules.end, len(game.names)
    found = set()
    if game.rules.finish_line.get(n) and max(state.scores) >= game.rules.finish_line[n]:
        found.add(TARGET)
    if not state.bag and () in state.racks:
        found.add(OUT)
    if end.kind == "passes" and state.passes >= n * end.count:
        found.add(PASSES)
    if end.kind == "scoreless" and state.scoreless >= end.count:
        found.add(SCORELESS)
    if not state.bag and game.rules.challenge.kind != "none":
        grids = (naive.plays(state.board, rack, words, game.rules) for rack in state.racks)
        if not any(grids):
            found.add(NO_MOVES)
    return found


AnyGame.TestCase.settings = settings(stateful_step_count=40)
TestAnyGame = AnyGame.TestCase
