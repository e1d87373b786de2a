"""What a caller gives to a referee, read and checked: names, rules, tiles, plays."""

from __future__ import annotations

import unicodedata
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import replace

from engine.board.notation.moves import make_exchange, make_play, parse_move
from engine.board.play import EXCHANGE, PASS, PLAY, Grid, Play
from engine.errors import IllegalPlay, NotationError, QuixotryError, RulesError, shorten
from engine.game.challenges import parse_challenge
from engine.rules.rules import MAX_PLAYERS, Challenge, Rules
from engine.rules.tiles import BLANK, TileSet


def check_type(what: str, given: object, kinds: tuple[type, ...], expected: str) -> None:
    """Raise QuixotryError for something of another type; None is nothing given."""
    if given is not None and not isinstance(given, kinds):
        raise QuixotryError(f"{what} {shorten(given)}, expected {expected}")


def player_names(players: int | Sequence[str], needed: int | None) -> tuple[str, ...]:
    """Names of two to four players, ``needed`` of them. Raises QuixotryError."""
    if type(players) is int:
        count = players if needed is None else needed
        names: tuple[str, ...] = tuple(f"player {number}" for number in range(1, count + 1))
    elif isinstance(players, (list, tuple)):
        names = tuple(players)
    else:
        raise QuixotryError(f"players {shorten(players)}, expected a number or a list of names")
    for name in names:
        if not isinstance(name, str) or not name.strip() or not name.isprintable():
            raise QuixotryError(f"player {shorten(name)}, expected a printable name")
    if not 2 <= len(names) <= MAX_PLAYERS:
        raise QuixotryError(f"{len(names)} players, expected 2 to {MAX_PLAYERS}")
    if needed not in (None, len(names)):
        raise QuixotryError(f"{len(names)} players for a position of {needed}")
    return names


def changed_rules(
    rules: Rules, players: int, challenge: Challenge | str | None, finish_line: int | None
) -> Rules:
    """The rules with another challenge rule or finish line. Raises RulesError."""
    if isinstance(challenge, str):
        challenge = parse_challenge(challenge)
    if challenge is not None:
        if not isinstance(challenge, Challenge):
            raise RulesError(f"challenge {shorten(challenge)}, expected a Challenge or its text")
        rules = replace(rules, challenge=challenge)
    if finish_line is not None:
        if type(finish_line) is not int:
            raise RulesError(f"finish_line {shorten(finish_line)}, expected points")
        rules = replace(rules, finish_line={players: finish_line} if finish_line else {})
    return rules


def read_letters(given: str | Iterable[int], tiles: TileSet) -> tuple[int, ...]:
    """Letters in the order in which they are given, as rack text or numbers.

    Raises NotationError."""
    if isinstance(given, str):
        return _in_order(given, tiles)
    try:
        letters = tuple(given)
    except TypeError:
        raise NotationError(f"{shorten(given)}: expected tiles as text or letters") from None
    for letter in letters:
        if (
            isinstance(letter, bool)
            or not isinstance(letter, int)
            or letter not in range(tiles.kinds)
        ):
            raise NotationError(f"letter {shorten(letter)}, expected 0 to {tiles.kinds - 1}")
    return letters


def _in_order(text: str, tiles: TileSet) -> tuple[int, ...]:
    tiles.parse_rack(text)  # what cannot be read is refused here
    text = unicodedata.normalize("NFC", text)
    letters = []
    at = 0
    while at < len(text):
        letter, at = (0, at + 1) if text[at] == "?" else tiles.parse_tile(text, at)
        letters.append(letter)
    return tuple(letters)


def read_order(given: str | Iterable[int], tiles: TileSet) -> tuple[int, ...]:
    """All tiles of the set in the order in which they will be drawn. Raises NotationError."""
    letters = read_letters(given, tiles)
    counts = Counter(letters)
    for letter, count in enumerate(tiles.counts):
        if counts[letter] != count:
            raise NotationError(
                f"draw order: {counts[letter]} of tile {tiles.labels[letter]},"
                f" {tiles.name} has {count}"
            )
    return letters


def read_play(move: str | Play, tiles: TileSet, board: Grid) -> Play:
    """A play from text, or a Play in the form that the text would give.

    Raises NotationError, or IllegalPlay where it cannot be laid out on the board."""
    if isinstance(move, str):
        return parse_move(move, tiles, board)
    if not isinstance(move, Play) or move.kind not in (PLAY, EXCHANGE, PASS):
        raise NotationError(f"{shorten(move)}: expected a move as text or a Play")
    if move.kind == PASS:
        return Play(PASS, text="pass")
    letters = tuple(tile & ~BLANK for tile in move.tiles)
    if any(letter not in range(tiles.kinds) for letter in letters):
        raise NotationError(f"{shorten(move)}: {tiles.name} has letters 1 to {tiles.kinds - 1}")
    if move.kind == PLAY and BLANK in move.tiles:
        raise IllegalPlay(move.text, "a blank needs a letter")
    if move.kind == EXCHANGE:
        return make_exchange(tuple(sorted(letters)), tiles)
    if not move.laid:
        raise IllegalPlay(move.text, "no tile is laid")
    return make_play(board, move.laid, move.across, tiles)
