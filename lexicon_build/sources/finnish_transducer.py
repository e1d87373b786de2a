"""Voikko's transducer of Finnish, the file ``voikko.kfst`` of the package pyvoikko, as arrays.

A path from state 0 to a final state reads a word, letter by letter, and writes its analysis, such
as ``[Ln][Xp]koira[X]koira[Sn][Ny]``: class, base form, surface form, case and number. An arc may
also set or test a flag (``@P.KEY.VALUE@``), by which parts of a word that stand far apart agree.

The file: ``KFST``, version, counts, the symbols ended by NUL, then by LZMA the arcs (source,
target, input, output) and the final states, all of them big-endian.
"""

from __future__ import annotations

import lzma
import struct
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError
from engine.files import read_bytes

LETTERS = "abcdefghijklmnopqrstuvwxyzåäöšž"  #: letter number i is LETTERS[i - 1]
_NOTHING = "@0@"
_HEADER = struct.Struct(">4sHHII?")
_ARC = np.dtype([("source", ">u4"), ("target", ">u4"), ("input", ">u2"), ("output", ">u2")])


class Arcs(NamedTuple):
    """Arcs by their source: those of state s are ``first[s]`` to ``first[s + 1]``."""

    first: NDArray[np.int64]
    target: NDArray[np.int32]
    letter: NDArray[np.uint8]  #: what is read; 0 nothing
    output: NDArray[np.int16]  #: what is written, an index into ``Transducer.outputs``
    action: NDArray[np.int16]  #: an index into ``Transducer.actions``


class Transducer(NamedTuple):
    """The arcs that read a lower-case letter (``spoken``) or nothing (``silent``)."""

    silent: Arcs
    spoken: Arcs
    final: NDArray[np.bool_]  #: by state
    outputs: tuple[str, ...]  #: letters and tags such as ``[Ln]``; "" for nothing, as 0
    actions: tuple[tuple[str, str], ...]  #: flags on the reading and the writing side; ("", "") 0


def read_transducer(path: Path) -> Transducer:
    """Read the file. Raises LexiconFileError where it is not what is expected."""
    data = read_bytes(path, LexiconFileError)
    try:
        symbols, arcs, final = _parse(data)
        return _arrange(symbols, arcs, final)
    except (struct.error, lzma.LZMAError, ValueError, IndexError) as error:
        raise LexiconFileError(f"{path}: not the transducer expected: {error}") from None


def _parse(data: bytes) -> tuple[list[str], NDArray[Any], NDArray[Any]]:
    """Symbols, arcs (of dtype _ARC) and final states."""
    magic, version, symbols, arcs, finals, weighted = _HEADER.unpack_from(data)
    if (magic, version, weighted) != (b"KFST", 0, False):
        raise ValueError("expected KFST version 0 without weights")
    *names, packed = data[_HEADER.size :].split(b"\0", symbols)
    body = lzma.decompress(packed)
    if len(names) != symbols or len(body) != arcs * _ARC.itemsize + finals * 4:
        raise ValueError("the counts do not fit the contents")
    return (
        [name.decode() for name in names],
        np.frombuffer(body, _ARC, arcs),
        np.frombuffer(body, ">u4", finals, arcs * _ARC.itemsize),
    )


def _arrange(symbols: list[str], arcs: NDArray[Any], finals: NDArray[Any]) -> Transducer:
    flag = [symbol if symbol[:1] == "@" and symbol[2:3] == "." else "" for symbol in symbols]
    silent = [symbol == _NOTHING or flag[i] != "" for i, symbol in enumerate(symbols)]
    letter = np.array([LETTERS.find(symbol) + 1 for symbol in symbols], np.uint8)
    output = np.where(silent, 0, np.arange(1, len(symbols) + 1)).astype(np.int16)

    pairs, action = np.unique(
        arcs["input"].astype(np.int64) * 65536 + arcs["output"], return_inverse=True
    )
    number = {("", ""): 0}
    of_pair = [
        number.setdefault((flag[pair // 65536], flag[pair % 65536]), len(number))
        for pair in pairs.tolist()
    ]
    actions = np.array(of_pair, np.int16)[action]

    states = 1 + int(max(arcs["source"].max(), arcs["target"].max(), finals.max()))
    final = np.zeros(states, np.bool_)
    final[finals] = True

    def some(which: NDArray[np.bool_]) -> Arcs:
        chosen = np.nonzero(which)[0]
        chosen = chosen[np.argsort(arcs["source"][chosen], kind="stable")]
        return Arcs(
            np.searchsorted(arcs["source"][chosen], np.arange(states + 1)),
            arcs["target"][chosen].astype(np.int32),
            letter[arcs["input"][chosen]],
            output[arcs["output"][chosen]],
            actions[chosen],
        )

    quiet = np.array(silent)[arcs["input"]]
    return Transducer(
        some(quiet), some(letter[arcs["input"]] > 0), final, ("", *symbols), tuple(number)
    )
