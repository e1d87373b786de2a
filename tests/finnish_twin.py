"""The slow and obvious twin of the walk through a transducer, and transducers made by hand."""

from __future__ import annotations

import lzma
import struct
from collections.abc import Callable, Iterator, Sequence
from typing import Any

Arc = tuple[int, int, str, str]  # source, target, input, output; "@0@" is nothing


def kfst_bytes(arcs: Sequence[Arc], finals: Sequence[int], weighted: bool = False) -> bytes:
    """A transducer as the bytes of a ``.kfst`` file."""
    symbols = sorted({symbol for arc in arcs for symbol in arc[2:]} | {"@0@"})
    head = struct.pack(">4sHHII?", b"KFST", 0, len(symbols), len(arcs), len(finals), weighted)
    names = b"".join(symbol.encode() + b"\0" for symbol in symbols)
    body = b"".join(
        struct.pack(">IIHH", source, target, symbols.index(read), symbols.index(written))
        for source, target, read, written in arcs
    )
    return head + names + lzma.compress(body + struct.pack(f">{len(finals)}I", *finals))


def paths(
    arcs: Sequence[Arc],
    finals: Sequence[int],
    word: str,
    allowed: Callable[[str], bool] = lambda tag: True,
) -> Iterator[str]:
    """What every path that reads a word writes, one by one."""

    def walk(state: int, at: int, flags: tuple[dict[str, Any], ...], written: str) -> Iterator[str]:
        if state in finals and at == len(word):
            yield written
        for source, target, *symbols in arcs:
            if source != state:
                continue
            sides = [apply(known, symbol) for known, symbol in zip(flags, symbols)]
            if None in sides or not allowed(symbols[1]):
                continue
            quiet = [symbol == "@0@" or is_flag(symbol) for symbol in symbols]
            if not quiet[0] and word[at : at + 1] != symbols[0]:
                continue
            new = written + ("" if quiet[1] else symbols[1])
            yield from walk(target, at + (not quiet[0]), tuple(sides), new)  # type: ignore[arg-type]

    yield from walk(0, 0, ({}, {}), "")


def is_flag(symbol: str) -> bool:
    return symbol.startswith("@") and symbol[2:3] == "."


def apply(flags: dict[str, Any], symbol: str) -> dict[str, Any] | None:
    """Flags after a symbol, as the field defines its flag diacritics; None: the path is dead."""
    if not is_flag(symbol):
        return flags
    kind, key, *rest = symbol[1:-1].split(".")
    value = rest[0] if rest else None
    positive, set_to = flags.get(key, (None, None))
    holds = key in flags and (value is None or positive == (set_to == value))
    if kind == "R":
        return flags if holds else None
    if kind == "D":
        return None if holds else flags
    if kind == "C":
        return {k: v for k, v in flags.items() if k != key}
    if kind == "U" and key in flags and not holds:
        return None
    return {**flags, key: (kind != "N", value)}
