"""Tiles in a bag: the random stream of a game, the shuffle, tiles put back.

A stream is one number; each function takes it and returns the next one, so that what is drawn after
an undo is what was drawn before. The tiles of a game depend on its seed and number only: they are
those of the game of that number in self-play with that seed (engine/selfplay/kernel.py).

A bag is a tuple of letters in the order in which they will be drawn, the next one first.
"""

from __future__ import annotations

from collections.abc import Iterable

from engine.errors import QuixotryError, shorten

_MASK = 2**64 - 1
_GOLDEN = 0x9E3779B97F4A7C15


def _scramble(x: int) -> int:
    """One step of SplitMix64 (Steele, Lea and Flood 2014) without its counter."""
    x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9 & _MASK
    x = (x ^ (x >> 27)) * 0x94D049BB133111EB & _MASK
    return x ^ (x >> 31)


def start_stream(seed: int, number: int) -> int:
    """First state of a game's stream. Raises QuixotryError for what is no seed or number."""
    for what, given in (("seed", seed), ("game number", number)):
        if type(given) is not int or not 0 <= given <= _MASK:
            raise QuixotryError(
                f"{what} {shorten(given)}, expected a whole number from 0 to 2**64 - 1"
            )
    return _scramble(
        _scramble(seed + _GOLDEN & _MASK) ^ _scramble(number * _GOLDEN + _GOLDEN & _MASK)
    )


def below(stream: int, n: int) -> tuple[int, int]:
    """The next stream and a random number from 0 to n - 1."""
    stream = stream + _GOLDEN & _MASK
    return stream, (_scramble(stream) >> 32) * n >> 32


def shuffled(letters: Iterable[int], stream: int) -> tuple[tuple[int, ...], int]:
    """The letters as a bag in random order, and the next stream."""
    bag = list(letters)
    for i in range(len(bag) - 1, 0, -1):
        stream, j = below(stream, i + 1)
        bag[i], bag[j] = bag[j], bag[i]
    return tuple(reversed(bag)), stream


def put_back(
    bag: tuple[int, ...], letters: Iterable[int], stream: int
) -> tuple[tuple[int, ...], int]:
    """The bag with letters put into it, each to any place, and the next stream."""
    mixed = list(bag)
    for letter in letters:
        stream, place = below(stream, len(mixed) + 1)
        mixed.insert(0, letter)
        at = len(mixed) - 1 - place  # places count from the tile that is drawn last
        mixed[0], mixed[at] = mixed[at], mixed[0]
    return tuple(mixed), stream
