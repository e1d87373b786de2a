"""Kernel rows as columns: a table of turns and a table of games, with racks and plays as text.

Turns, a row each, in order of game and turn:

    game         int64    number of the game, from 0
    turn         int16    number of the turn in its game, from 0
    player       int8     number of the player in the list of players, from 0
    rack         text     tiles before the turn, blanks last: ``AEINRT?``
    play         text     ``8D WORD``, ``D8 WORD``, ``exch AB?``, ``pass``; ``.`` where the word
                          goes through a tile, lower case for a blank
    score        int32    points of the play
    leave_value  float64  value of the tiles kept, in points; 0 with the bag empty
    equity       float64  what the player took the play to be worth, in points; null for a pass
    bag          int16    tiles in the bag before the turn
    spread       int32    the player's score less the best other one, after the turn

Games, a row each; ``_0``, ``_1`` ... are the players:

    game            int64  number of the game
    first           int8   player who began
    score_0 ..      int32  final scores
    adjustment_0 .. int32  part of the score that came from the tiles left at the end
    bingos_0 ..     int16  plays that earned a bonus for many tiles
    turns_0 ..      int16  turns of the player, exchanges and passes included
    turns           int16  turns of all
    bag             int16  tiles in the bag at the end
    end             text   why it ended: out, scoreless, passes, no_moves, target
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from engine.board.state import SQUARES, STRIDE
from engine.movegen import generate as rows_
from engine.movegen.ranking import unpack
from engine.rules.layouts import format_coordinate
from engine.rules.rules import MAX_RACK, Rules
from engine.rules.tiles import BLANK
from engine.selfplay.batch import Batch

ENDS = ("out", "scoreless", "passes", "no_moves", "target")  #: by kernel.GAME's ``end``
TEXTS = frozenset({"rack", "play", "end"})  #: columns of text
FLOATS = frozenset({"leave_value", "equity"})  #: columns of float64; all others are integers

# symbols that texts are joined from: 0..255 are the tiles, 0 a tile played through
_END, _BLANK, _EXCHANGE, _PASS, _FIRST = range(256, 261)  # nothing, '?', 'exch ', ...; squares


@dataclass(frozen=True)
class Texts:
    """A column of text: text i is ``data[offsets[i]:offsets[i + 1]]`` in UTF-8."""

    data: NDArray[np.uint8]
    offsets: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.offsets) - 1

    def tolist(self) -> list[str]:
        """The texts as a list."""
        data, ends = self.data.tobytes(), self.offsets.tolist()
        return [data[a:b].decode() for a, b in pairwise(ends)]


Column = NDArray[np.generic] | Texts
Columns = dict[str, Column]


def ints(columns: Columns, name: str) -> NDArray[np.int64]:
    """A column of integers, as int64."""
    column = columns[name]
    assert not isinstance(column, Texts)
    return column.astype(np.int64)


def names_of(what: str, players: int) -> tuple[str, ...]:
    """Names of the columns of ``turns`` or ``games``, in order."""
    if what == "turns":
        return ("game", "turn", "player", "rack", "play", "score", "leave_value", "equity",
                "bag", "spread")  # fmt: skip
    each = ("score", "adjustment", "bingos", "turns")
    own = (f"{name}_{player}" for name in each for player in range(players))
    return ("game", "first", *own, "turns", "bag", "end")


def join_columns(parts: Sequence[Columns]) -> Columns:
    """Tables of the same columns, one after the other; at least one."""
    return {name: _concatenated([part[name] for part in parts]) for name in parts[0]}


def _concatenated(parts: Sequence[Column]) -> Column:
    texts = [part for part in parts if isinstance(part, Texts)]
    if not texts:
        return np.concatenate([part for part in parts if not isinstance(part, Texts)])
    lengths = np.concatenate([np.diff(part.offsets) for part in texts])
    return Texts(np.concatenate([part.data for part in texts]), _offsets(lengths))


# -- a chunk of games ------------------------------------------------------------------------------


def play_chunk(
    batch: Batch, seed: int, first: int, games: int, turns: bool = True
) -> tuple[Columns | None, Columns]:
    """Play games ``first`` .. ``first + games - 1`` of a seed: columns of turns and of games.

    Player g modulo their number begins game g, the others follow as listed. Without ``turns`` the
    first is None. The result depends on the arguments only.
    """
    players = len(batch.players)
    made_turns, made_games = [], []
    for start in range(min(players, games)):
        begins = (first + start) % players
        order = [(begins + seat) % players for seat in range(players)]
        count = (games - start + players - 1) // players
        turn_rows, game_rows = batch.play(
            seed, first + start, count, step=players, order=order, record=turns
        )
        by_seat = game_rows.copy()
        for name in ("score", "adjustment", "bingos", "player_turns"):
            game_rows[name][:, order] = by_seat[name][:, :players]
        game_rows["first"] = begins
        turn_rows["player"] = (turn_rows["player"] + begins) % players
        made_turns.append(turn_rows)
        made_games.append(game_rows)
    rows = np.concatenate(made_games)
    table = _game_columns(rows[np.argsort(rows["game"], kind="stable")], players)
    if not turns:
        return None, table
    rows = np.concatenate(made_turns)
    return turn_columns(batch.rules, rows[np.argsort(rows["game"], kind="stable")]), table


def _game_columns(rows: NDArray[np.void], players: int) -> Columns:
    columns: Columns = {
        "game": rows["game"].astype(np.int64),
        "first": rows["first"].astype(np.int8),
    }
    for name, field, dtype in (
        ("score", "score", np.int32),
        ("adjustment", "adjustment", np.int32),
        ("bingos", "bingos", np.int16),
        ("turns", "player_turns", np.int16),
    ):
        for player in range(players):
            columns[f"{name}_{player}"] = rows[field][:, player].astype(dtype)
    columns["turns"] = rows["turns"].astype(np.int16)
    columns["bag"] = rows["left"].astype(np.int16)
    columns["end"] = _texts(rows["end"].astype(np.int64)[:, None], ENDS)
    return columns


def turn_columns(rules: Rules, rows: NDArray[np.void]) -> Columns:
    """Columns of kernel.TURN rows: whole games, their turns one after the other."""
    kinds = rows["kind"]
    equity = rows["equity_mp"] / 1000
    equity[kinds == rows_.PASS] = np.nan
    leave = np.where(rows["bag"] > 0, rows["leave_mp"], 0) / 1000
    labels = _labels(rules)
    return {
        "game": rows["game"].astype(np.int64),
        "turn": rows["turn"].astype(np.int16),
        "player": rows["player"].astype(np.int8),
        "rack": _texts(_rack_symbols(rows), labels),
        "play": _texts(_play_symbols(rules, rows), labels),
        "score": rows["score"].astype(np.int32),
        "leave_value": leave,
        "equity": equity,
        "bag": rows["bag"].astype(np.int16),
        "spread": rows["spread"].astype(np.int32),
    }


# -- text ------------------------------------------------------------------------------------------


def _labels(rules: Rules) -> list[str]:
    """Text of each symbol."""
    tiles, layout = rules.tiles, rules.layout
    labels = [""] * (_FIRST + SQUARES)
    labels[0] = "."
    for letter in range(1, tiles.kinds):
        labels[letter] = tiles.format_tile(letter)
        labels[letter | BLANK] = tiles.format_tile(letter | BLANK)
    labels[_BLANK], labels[_EXCHANGE], labels[_PASS] = "?", "exch ", "pass"
    for row in range(layout.rows):
        for col in range(layout.cols):
            labels[_FIRST + row * STRIDE + col + 1] = format_coordinate(row, col, True) + " "
            down = (layout.rows + col) * STRIDE + row + 1
            labels[_FIRST + down] = format_coordinate(row, col, False) + " "
    return labels


def _offsets(lengths: NDArray[np.integer]) -> NDArray[np.int32]:
    offsets = np.zeros(len(lengths) + 1, np.int64)
    np.cumsum(lengths, out=offsets[1:])
    if offsets[-1] >= 2**31:
        raise OverflowError("a column of text of 2 GB or more")
    return offsets.astype(np.int32)


def _texts(symbols: NDArray[np.integer], labels: Sequence[str]) -> Texts:
    """The texts that rows of symbols (N, M) make, each symbol standing for its label."""
    coded = [label.encode() for label in labels]
    width = max(map(len, coded))
    table = np.frombuffer(b"".join(text.ljust(width, b"\0") for text in coded), np.uint8)
    lengths = np.array([len(text) for text in coded], np.uint8)[symbols]
    letters = table.reshape(-1, width)[symbols]
    kept = np.arange(width) < lengths[..., None]
    return Texts(letters[kept], _offsets(lengths.sum(axis=1, dtype=np.int64)))


def _rack_symbols(rows: NDArray[np.void]) -> NDArray[np.uint16]:
    symbols = rows["rack"].astype(np.uint16)
    symbols[symbols == 0] = _BLANK
    symbols[np.arange(MAX_RACK) >= rows["held"][:, None]] = 0xFFFF
    symbols.sort(axis=1)  # letters, blanks, nothing
    symbols[symbols == 0xFFFF] = _END
    return symbols


def _play_symbols(rules: Rules, rows: NDArray[np.void]) -> NDArray[np.uint16]:
    """Symbols of each turn's play: a coordinate and the whole main word, or what else it is."""
    packed = unpack(rows).astype(np.uint16)
    blank = int(rows_.PLAYED_BLANK)
    tiles = np.where(packed & blank, packed ^ blank | BLANK, packed)
    longest = max(rules.layout.rows, rules.layout.cols)
    symbols = np.full((len(rows), 1 + max(longest, MAX_RACK)), _END, np.uint16)
    kinds = rows["kind"]
    on_board = np.flatnonzero(kinds == rows_.PLAY)
    symbols[on_board, 0] = _FIRST + rows["first"][on_board]
    symbols[on_board, 1 : 1 + longest] = _main_words(rules, rows[on_board], tiles[on_board])
    exchanges = np.flatnonzero(kinds == rows_.EXCHANGE)
    given = np.where(tiles[exchanges] == 0, _BLANK, tiles[exchanges])
    given[np.arange(MAX_RACK) >= rows["laid"][exchanges][:, None]] = _END
    symbols[exchanges, 0] = _EXCHANGE
    symbols[exchanges, 1 : 1 + MAX_RACK] = given
    symbols[kinds == rows_.PASS, 0] = _PASS
    return symbols


def _main_words(
    rules: Rules, rows: NDArray[np.void], tiles: NDArray[np.uint16]
) -> NDArray[np.uint16]:
    """Symbols of main words: tiles laid, 0 where one lies already, _END after the last.

    ``rows`` are plays on the board; all games are replayed side by side, a turn at a time.
    """
    layout = rules.layout
    longest, across = max(layout.rows, layout.cols), layout.cols + 1  # a column that stays empty
    lane, place = np.divmod(rows["first"].astype(np.int64), STRIDE)
    down = lane >= layout.rows
    row = np.where(down, place - 1, lane)
    starts = row * across + np.where(down, lane - layout.rows, place - 1)
    steps = np.where(down, across, 1)
    _, games = np.unique(rows["game"], return_inverse=True)
    squares = (layout.rows + 1) * across
    board = np.zeros((int(games.max(initial=-1)) + 1) * squares, bool)
    starts += games * squares
    tiles = np.pad(tiles, ((0, 0), (0, 1)))
    words = np.full((len(rows), longest), _END, np.uint16)
    by_turn = np.argsort(rows["turn"], kind="stable")
    ends = np.flatnonzero(np.diff(rows["turn"][by_turn])) + 1
    for at in np.split(by_turn, ends):
        square, step = starts[at], steps[at]
        laid = np.zeros(len(at), np.int64)
        left = rows["laid"][at].astype(np.int64)
        for i in range(longest):
            there = board[square]
            put = ~there & (laid < left)
            on = there | put
            if not on.all():
                at, square, step, laid, left, put = (
                    column[on] for column in (at, square, step, laid, left, put)
                )
                if not len(at):
                    break
            words[at, i] = np.where(put, tiles[at, laid], 0)
            board[square] = True
            laid += put
            square += step
    return words
