"""A slow, independent second opinion on one play: is it legal, what does it score, and why not.

It shares nothing with the move generator: it reads words off the board and looks them up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from engine.board.play import EXCHANGE, PASS, Grid, Play, less
from engine.errors import IllegalPlay
from engine.lexicon.lexicon import Lexicon
from engine.rules.rules import Rules
from engine.rules.tiles import BLANK

Square = tuple[int, int]


@dataclass(frozen=True)
class Judgement:
    """A legal play: its points, and the words that it forms or changes, the main word first.

    A word is a tuple of tiles (BLANK set where a blank plays the letter).
    """

    play: Play
    score: int
    words: tuple[tuple[int, ...], ...] = ()


def judge(
    play: Play,
    board: Grid,
    rules: Rules,
    lexicon: Lexicon | None,
    rack: tuple[int, ...] | None,
    bag: int,
) -> Judgement:
    """Points and words of a play. ``rack`` None: it is not known, any tiles will do. ``lexicon``
    None: any words will do.

    Raises IllegalPlay with the first reason found.
    """
    if play.kind == PASS:
        return Judgement(play, 0)
    if rack is not None and less(rack, play.used) is None:
        missing = _missing(rack, play.used)
        raise IllegalPlay(play.text, f"not on the rack: {rules.tiles.format_rack(missing)}")
    if play.kind == EXCHANGE:
        if bag < rules.exchange_min_bag:
            reason = f"an exchange needs {rules.exchange_min_bag} tiles in the bag, there are {bag}"
            raise IllegalPlay(play.text, reason)
        if len(play.tiles) > rules.rack_size:
            raise IllegalPlay(play.text, f"more than {rules.rack_size} tiles")
        if len(play.tiles) > bag:
            raise IllegalPlay(play.text, f"the bag holds only {bag} tiles")
        return Judgement(play, 0)
    if len(play.laid) > rules.rack_size:
        raise IllegalPlay(play.text, f"more than {rules.rack_size} tiles")
    new = {(row, col): tile for row, col, tile in play.laid}
    _check_place(play, board, rules, new)
    words = list(_words(play, board, new))
    score = rules.bonus[len(new)]
    for word in words:
        score += _points(word, new, rules)
    texts = tuple(tuple(tile for _, tile in word) for word in words)
    wrong = [text for text in texts if lexicon is not None and not lexicon.has(text)]
    if wrong:
        names = ", ".join("".join(map(rules.tiles.format_tile, word)) for word in wrong)
        raise IllegalPlay(play.text, f"not in the lexicon: {names}")
    return Judgement(play, score, texts)


def _missing(rack: tuple[int, ...], used: tuple[int, ...]) -> list[int]:
    left = list(rack)
    missing = []
    for letter in used:
        if letter in left:
            left.remove(letter)
        else:
            missing.append(letter)
    return missing


def _check_place(play: Play, board: Grid, rules: Rules, new: dict[Square, int]) -> None:
    """Raise IllegalPlay unless the tiles lie on empty squares, in one line, where they may."""
    rows, cols = len(board), len(board[0])
    for row, col in new:
        if not (0 <= row < rows and 0 <= col < cols):
            raise IllegalPlay(play.text, f"runs off the {rows} x {cols} board")
        if board[row][col]:
            raise IllegalPlay(play.text, "a square is occupied")
    for row, col in _line(play):
        if (row, col) not in new and not board[row][col]:
            raise IllegalPlay(play.text, "there is a gap between its tiles")
    if not any(map(any, board)):
        if rules.layout.start not in new:
            raise IllegalPlay(play.text, "the first play must cover the start square")
        if len(new) < 2:
            raise IllegalPlay(play.text, "the first play needs two tiles or more")
        return
    for row, col in new:
        for r, c in ((row - 1, col), (row + 1, col), (row, col - 1), (row, col + 1)):
            if 0 <= r < rows and 0 <= c < cols and board[r][c]:
                return
    raise IllegalPlay(play.text, "touches no tile on the board")


def _line(play: Play) -> list[Square]:
    down, right = (0, 1) if play.across else (1, 0)
    return [(play.row + i * down, play.col + i * right) for i in range(len(play.tiles))]


def _words(play: Play, board: Grid, new: dict[Square, int]) -> Iterator[list[tuple[Square, int]]]:
    """The words of two tiles or more through the new tiles: the main word, then the others."""
    first = play.laid[0][:2]
    main = _word_through(first, play.across, board, new)
    if len(main) > 1:
        yield main
    for square in new:
        cross = _word_through(square, not play.across, board, new)
        if len(cross) > 1:
            yield cross


def _word_through(
    square: Square, across: bool, board: Grid, new: dict[Square, int]
) -> list[tuple[Square, int]]:
    def tile(row: int, col: int) -> int:
        if not (0 <= row < len(board) and 0 <= col < len(board[0])):
            return 0
        return new.get((row, col), 0) or board[row][col]

    row, col = square
    down, right = (0, 1) if across else (1, 0)
    while tile(row - down, col - right):
        row, col = row - down, col - right
    word = []
    while tile(row, col):
        word.append(((row, col), tile(row, col)))
        row, col = row + down, col + right
    return word


def _points(word: list[tuple[Square, int]], new: dict[Square, int], rules: Rules) -> int:
    """Points of one word: premiums count only under the tiles laid now."""
    total, factor = 0, 1
    for (row, col), tile in word:
        value = 0 if tile & BLANK else rules.tiles.values[tile]
        if (row, col) in new:
            value *= rules.layout.letter_premium(row, col)
            factor *= rules.layout.word_premium(row, col)
        total += value
    return total * factor
