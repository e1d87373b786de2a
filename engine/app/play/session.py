"""A game in the terminal: what is typed, what it does, what is said about it."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING

from engine.app.games import Game
from engine.app.play import saved as files
from engine.app.play import screen
from engine.app.play.saved import Saved
from engine.app.play.texts import Texts
from engine.board.play import EXCHANGE, PASS, Play
from engine.errors import IllegalPlay, NotationError, QuixotryError, brief
from engine.game.events import Challenged, Ended, Event, LostTurn, Turn
from engine.game.result import CHALLENGE, OUT
from engine.game.start import Round
from engine.players.names import mean_score
from engine.rules.layouts import parse_coordinate

if TYPE_CHECKING:
    from rich.text import Text

    from engine.lexicon.leaves import Leaves
    from engine.lexicon.lexicon import Lexicon
    from engine.rules.rules import Rules


@dataclass(frozen=True)
class Setup:
    """What decides a game before anybody has moved. ``players``: names of computers, "" for the
    one who types. ``challenge``: "" for that of the rules."""

    rules_text: str
    rules: Rules
    lexicon: Lexicon
    leaves: Leaves | None
    players: tuple[str, ...]
    names: tuple[str, ...]
    seed: int
    challenge: str = ""

    def new_game(self) -> Game:
        """The game before the first move; a tile is drawn for who begins."""
        return Game(
            self.rules,
            [name or None for name in self.players],
            lexicon=self.lexicon,
            leaves=self.leaves,
            names=self.names,
            seed=self.seed,
            first=None,
            challenge=self.challenge or None,
        )

    def saved(self, game: Game) -> Saved:
        """What is kept of a game in a file."""
        return Saved(
            rules=self.rules_text,
            rules_hash=files.rules_hash(self.rules),
            challenge=files.format_challenge(game.rules.challenge),
            lexicon=self.lexicon.info.name,
            lexicon_hash=files.lexicon_hash(self.lexicon),
            players=self.players,
            names=self.names,
            seed=self.seed,
            actions=files.actions_of(game),
        )


Restore = Callable[[Path], tuple[Setup, Game]]  #: the game in a file, played to where it was


class Session:
    """A game with its player at the keyboard. ``show`` prints a line; ``restore`` loads a game."""

    def __init__(
        self,
        setup: Setup,
        game: Game,
        texts: Texts,
        show: Callable[[Text | str], None],
        restore: Restore,
    ) -> None:
        self.texts, self.show, self.restore = texts, show, restore
        self._random = random.Random(setup.seed)
        self._enter(setup, game)

    def _enter(self, setup: Setup, game: Game) -> None:
        self.setup, self.game = setup, game
        self.you = setup.players.index("")
        self._told = len(game.log)  # events that were shown
        self._rack: list[int] = []  # the rack in the order in which it is shown

    @property
    def prompt(self) -> str:
        """What stands before the line that is typed."""
        return f"{self.game.names[self.you]}> "

    @property
    def farewell(self) -> str:
        """What is said when the player leaves."""
        return self.texts.say("bye" if self.game.over else "left")

    # -- what is typed -----------------------------------------------------------------------------

    def do(self, line: str) -> bool:
        """Do what a line says, or say why not, with nothing changed; False: the player leaves."""
        words = line.split(maxsplit=1)
        if not words:
            self._screen()
            return True
        command, rest = self.texts.command(words[0]), words[1].strip() if words[1:] else ""
        if command == "quit" and not rest:
            return False
        try:
            if command is not None:
                self._command(command, words[0], rest)
            elif parse_coordinate(words[0]):
                self._turn(line.strip())
            else:
                self._say("unknown", text=brief(words[0]), help=self._word("help"))
        except IllegalPlay as error:
            move = brief(error.play)
            if move.startswith("exch "):
                move = move.replace("exch", self._word("exchange"), 1)
            self._say("refused", move=move, reason=self.texts.reason(error.reason))
            if rest and rest == rest.lower() and rest != rest.upper():
                self._say("lower_case")
        except NotationError as error:
            self._say("unreadable", reason=self.texts.reason(str(error)))
        except QuixotryError as error:
            self.show(self.texts.reason(str(error)))
        return True

    def _command(self, command: str, word: str, rest: str) -> None:
        if command in ("save", "load"):
            if not rest:
                self._say("needs_file", command=brief(word))
            elif command == "save":
                self._save(rest)
            else:
                self._load(rest)
        elif command == "exchange" and not rest:
            self._say("needs_tiles", command=brief(word))
        elif command == "exchange":
            if self._may_move():
                self.game.exchange("".join(rest.split()))
                self._go_on()
        elif rest:
            self._say("takes_nothing", command=brief(word))
        else:
            getattr(self, f"_{command}")()

    def _turn(self, move: str) -> None:
        if self._may_move():
            self.game.play(move)
            self._go_on()

    def _pass(self) -> None:
        if self.game.waiting:
            self.game.accept(self.you)
            self._go_on()
        else:
            self._turn("pass")

    def _challenge(self) -> None:
        if self.you not in self.game.challengers:
            self._say("no_challenge")
            return
        self.game.challenge(self.you)
        self._go_on()

    def _may_move(self) -> bool:
        """Whether it is the player's turn to move; where it is not, it is said why."""
        if self.game.turn == self.you:
            return True
        self._what_now()
        return False

    def _hint(self) -> None:
        if self._may_move():
            best = self.game.position.first(1)[0]
            self._say("hint", move=self._move(best.play), points=best.score)

    def _undo(self) -> None:
        actions = [event for event in self.game.log if files.is_action(event)]
        mine = [number for number, event in enumerate(actions) if event.player == self.you]
        if not mine:
            self._say("nothing_to_undo")
            return
        self.game.replay(mine[-1])
        self._told = len(self.game.log)
        self._say("undone")
        self._screen()

    def _save(self, file: str) -> None:
        files.write_saved(Path(file), self.setup.saved(self.game))
        self._say("saved", file=file)

    def _load(self, file: str) -> None:
        self._enter(*self.restore(Path(file)))
        self._say("loaded", file=file)
        self._go_on()

    def _tiles(self) -> None:
        unseen, tiles = dict(self.game.unseen(self.you)), self.game.rules.tiles
        vowels = sum(n for letter, n in unseen.items() if letter and tiles.vowels[letter])
        count, blanks = sum(unseen.values()), unseen.get(0, 0)
        self._say(
            "unseen", count=count, vowels=vowels, blanks=blanks, consonants=count - vowels - blanks
        )
        for line in wrap(screen.format_unseen(unseen, tiles), screen.WIDTH):
            self.show(line)

    def _shuffle(self) -> None:
        self._arrange()
        self._random.shuffle(self._rack)
        self._show_rack()

    def _help(self) -> None:
        for line in self.texts.help():
            self.show(line)
        self._show_legend()

    # -- what is shown -----------------------------------------------------------------------------

    def begin(self) -> None:
        """Say what is played by whom, let computers that come first move, show the board."""
        info, rules = self.setup.lexicon.info, self.game.rules
        self._say("title", rules=rules.name, lexicon=info.name, words=info.words)
        self._say("seed", seed=self.setup.seed, help=self._word("help"))
        for name, shown in zip(self.setup.players, self.game.names, strict=True):
            points = mean_score(name, rules.name) if info.name == rules.lexicon else None
            if points is not None:
                self._say("player_level", name=shown, points=points)
        for drawn in self.game.start_draw if self._told == 0 else ():
            self.show(", ".join(self._draws(drawn)))
        if self._told == 0:
            self.show(self._of("begins", self.game.turn or 0))
        self._show_legend()
        self._go_on()

    def _show_legend(self) -> None:
        for line in screen.legend(self.game.rules.layout, self.texts):
            self.show(line)

    def _draws(self, drawn: Round) -> Iterator[str]:
        for player, letter in drawn.items():
            tile = screen.format_tiles([letter], self.game.rules.tiles)
            yield self._of("drew", player, tile=tile)

    def _go_on(self) -> None:
        """Let the computers move, tell what happened, show the board, or how the game ended."""
        self.game.run()
        log = self.game.log
        for event in log[self._told :]:
            for line in self._telling(event):
                self.show(line)
        self._told = len(log)
        self._screen()

    def _screen(self) -> None:
        game = self.game
        last = [e for e in game.log if isinstance(e, (Turn, Challenged))][-1:]
        laid = [(row, col) for e in last if isinstance(e, Turn) for row, col, _ in e.play.laid]
        for line in screen.draw(game.rules, game.board, laid):
            self.show(line)
        bag = self.texts.say("bag", count=game.bag)
        self.show(screen.status(game.names, game.scores, game.turn, bag))
        self._show_rack()
        self._what_now()

    def _what_now(self) -> None:
        """Say so where it is not the player's turn to move."""
        words = {name: self._word(name) for name in ("save", "undo", "load", "quit", "challenge")}
        if self.game.over:
            self._say("over", **words)
        elif self.game.waiting and self.game.pending:
            move = self.game.pending.play.text
            self._say("waiting", move=move, pass_=self._word("pass"), **words)

    def _show_rack(self) -> None:
        self._arrange()
        tiles = screen.format_tiles(self._rack, self.game.rules.tiles)
        self.show(f"{self.texts.say('rack')}: {tiles}")

    def _arrange(self) -> None:
        """The rack as it is, what was there before in the same order."""
        new, kept = list(self.game.racks[self.you]), []
        for letter in self._rack:
            if letter in new:
                new.remove(letter)
                kept.append(letter)
        self._rack = kept + sorted(new, key=lambda letter: (letter == 0, letter))

    # -- in words ----------------------------------------------------------------------------------

    def _say(self, key: str, **values: object) -> None:
        self.show(self.texts.say(key, **values))

    def _of(self, key: str, player: int, **values: object) -> str:
        """A text about a player: in the second person about one who is called "you"."""
        name = self.game.names[player]
        called_you = player == self.you and name == self.texts.say("you")
        return self.texts.say(f"{key}_you" if called_you else key, name=name, **values)

    def _word(self, command: str) -> str:
        return self.texts.words[command][0]

    def _move(self, play: Play) -> str:
        """A move as it may be typed in this language."""
        if play.kind == PASS:
            return self._word("pass")
        if play.kind == EXCHANGE:
            return play.text.replace("exch", self._word("exchange"), 1)
        return play.text

    def _telling(self, event: Event) -> Iterator[str]:
        """What happened, in words; the tiles that another player gave up are not told."""
        say, names = self.texts.say, self.game.names
        if isinstance(event, Ended):
            yield from self._ending(event)
            return
        if event.player is None:
            return
        name = names[event.player]
        if isinstance(event, Turn) and event.play.kind == PASS:
            yield say("passed", name=name)
        elif isinstance(event, Turn) and event.play.kind == EXCHANGE:
            yield say("exchanged", name=name, count=len(event.play.tiles))
        elif isinstance(event, Turn):
            yield say("played", name=name, move=event.play.text, points=event.score)
        elif isinstance(event, LostTurn):
            yield self._of("lost_turn", event.player)
        elif isinstance(event, Challenged) and event.removed:
            tiles = self.game.rules.tiles
            words = ", ".join("".join(map(tiles.format_tile, word)) for word in event.phonies)
            yield say("challenged_off", name=name, move=event.play.text, words=words)
        elif isinstance(event, Challenged):
            yield say("challenged_good", name=name, move=event.play.text)
            if event.points:
                gains = self.game.rules.challenge.pay == "player_gains"
                payer = names[event.against] if gains else name
                yield say("gains" if gains else "pays", name=payer, points=event.points)

    def _ending(self, event: Ended) -> Iterator[str]:
        say, names, result = self.texts.say, self.game.names, event.result
        if result.reason == OUT:
            yield self._of(OUT, self.game.racks.index(()))
        else:
            yield say("lost_by_challenge" if result.reason == CHALLENGE else result.reason)
        columns = zip(names, result.before, result.adjustment, result.scores, strict=True)
        for name, before, adjustment, score in columns:
            change = f"{'-' if adjustment < 0 else '+'} {abs(adjustment)}"
            yield say("final", name=name, before=before, adjustment=change, score=score)
        if result.draw:
            yield say("draw", names=", ".join(names[player] for player in result.winners))
        else:
            yield self._of("winner", result.winners[0])
