"""A file of numbers that training made: a header that tells where they are from, then one array.

    8 bytes   the kind of file, its version as the last byte
    u32 LE    length of the header
    u32 LE    CRC-32 of the header
    header    JSON in UTF-8; ``array``: [dtype, shape, bytes packed, CRC-32 of these]
    array     its bytes, little-endian, packed by zlib with the low bytes of all numbers before
              the high ones

Written whole or not at all; never trusted: sizes and checksums are compared before anything is
unpacked, and no more is unpacked than the shape says.
"""

from __future__ import annotations

import json
import math
import zlib
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError, shorten
from engine.files import read_bytes
from engine.lexicon.files import replace_file
from engine.rules.tiles import MAX_LETTERS

_START = 16
_MAX_HEADER = 1 << 20
MAX_NAME = 200  #: characters of the name of a table
DTYPES = ("<i2", "<u2", "<i4")


def pack(kind: bytes, header: dict[str, Any], numbers: NDArray[Any], level: int = 9) -> bytes:
    """The bytes of a file; ``kind`` has 8, ``numbers`` a dtype of DTYPES; ``level``: of zlib."""
    assert len(kind) == 8
    assert numbers.dtype.str in DTYPES
    planes = numbers.reshape(-1).view(np.uint8).reshape(-1, numbers.itemsize).T
    body = zlib.compress(planes.tobytes(), level)
    array = [numbers.dtype.str, list(numbers.shape), len(body), zlib.crc32(body)]
    text = json.dumps(header | {"array": array}, ensure_ascii=False).encode()
    sizes = len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little")
    return kind + sizes + text + body


def write_packed(
    path: Path, kind: bytes, header: dict[str, Any], numbers: NDArray[Any], level: int = 9
) -> None:
    """Write a file of ``pack``. Raises LexiconFileError."""
    replace_file(path, [pack(kind, header, numbers, level)])


def read_packed(
    path: Path, kind: bytes, what: str, most: int = 1 << 25
) -> tuple[dict[str, Any], NDArray[Any]]:
    """Header and array of a file; the header's values are as they came: the caller checks them.

    Raises LexiconFileError: ``path``, and why it is no ``what`` of up to ``most`` numbers.
    """
    data = read_bytes(path, LexiconFileError)
    if len(data) < _START or data[:7] != kind[:7]:
        raise LexiconFileError(f"{path}: not a {what} (it does not begin with {kind[:7]!r})")
    if data[7] != kind[7]:
        raise LexiconFileError(f"{path}: {what} version {data[7]}, expected {kind[7]}")
    length, crc = (int.from_bytes(data[at : at + 4], "little") for at in (8, 12))
    text, body = data[_START : _START + length], data[_START + length :]
    if length > min(_MAX_HEADER, len(data) - _START) or zlib.crc32(text) != crc:
        raise LexiconFileError(f"{path}: damaged: its header is not whole")
    try:
        header = json.loads(text, parse_constant=_no_number)
    except (ValueError, RecursionError) as error:
        raise LexiconFileError(f"{path}: its header is not JSON: {error}") from None
    if not isinstance(header, dict):
        raise LexiconFileError(f"{path}: its header is not a JSON object")
    return header, _array(header, body, str(path), most)


def _no_number(text: str) -> None:
    raise ValueError(f"{text} is no number")


def is_name(name: Any) -> bool:
    """Whether a header's ``name`` can be one: a printable line that is not too long."""
    return isinstance(name, str) and name.isprintable() and len(name) <= MAX_NAME


def are_labels(labels: Any) -> bool:
    """Whether a header's ``labels`` can be those of a tile set: the blank, then others that differ
    (engine/rules/tiles.py)."""
    if not isinstance(labels, list) or not all(isinstance(label, str) for label in labels):
        return False
    return 2 <= len(labels) == len(set(labels)) <= MAX_LETTERS + 1 and labels[0] == "?"


def _array(header: dict[str, Any], body: bytes, where: str, most: int) -> NDArray[Any]:
    """The array that a header describes. Raises LexiconFileError."""
    match header.get("array"):
        case [str(dtype), list(shape), int(size), int(crc)] if (
            dtype in DTYPES
            and shape
            and all(type(n) is int and 0 < n <= most for n in shape)
            and math.prod(shape) <= most
        ):
            pass
        case given:
            raise LexiconFileError(f"{where}: its array is {shorten(given)}")
    if len(body) != size or zlib.crc32(body) != crc:
        raise LexiconFileError(f"{where}: damaged: its numbers are not whole")
    width = np.dtype(dtype).itemsize
    expected = width * math.prod(shape)
    unpacker = zlib.decompressobj()
    try:
        planes = unpacker.decompress(body, expected + 1)
    except zlib.error as error:
        raise LexiconFileError(f"{where}: damaged: {error}") from None
    if len(planes) != expected or not unpacker.eof:
        raise LexiconFileError(f"{where}: damaged: its numbers are not {expected} bytes")
    rows = np.frombuffer(planes, np.uint8).reshape(width, -1)
    return np.ascontiguousarray(rows.T).view(dtype).reshape(shape)
