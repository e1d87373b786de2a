"""The ``.qlx`` lexicon file: written whole or not at all, opened by memory map, never trusted.

    8 bytes   QXLEX, two zero bytes, version (1)
    u32 LE    length of the header
    u32 LE    CRC-32 of the header
    header    JSON in UTF-8: what LexiconInfo holds, ``dawg_root``, ``gaddag_root``, ``wide`` and
              ``sections``: ``graph`` and ``trie``, each [offset, bytes, CRC-32]
    sections  each at a multiple of 64; ``graph`` uint32 LE, ``trie`` as marisa writes it;
              the file ends with the last of them

The header and the trie are checked when a file is opened, the graph (CRC and structure) when it is
first used. A CRC guards against damage, not against malice: marisa is not built to survive a trie
forged with a right CRC.
"""

from __future__ import annotations

import json
import mmap
import os
import stat
import sys
import zlib
from collections.abc import Callable, Iterable
from contextlib import suppress
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import marisa_trie

from engine.errors import LexiconFileError, QuixotryError, shorten
from engine.files import file_fault
from engine.lexicon.lexicon import Lexicon, LexiconInfo
from engine.rules.tiles import MAX_LETTERS

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAGIC = b"QXLEX\x00\x00"
VERSION = 1
_START = 16  # magic, version, header length, header CRC
_ALIGN = 64
_MAX_HEADER = 1 << 20
_TUPLES = ("labels", "blank_labels", "aliases")
_INTS = ("words", "longest")


def replace_file(path: Path, chunks: Iterable[bytes]) -> None:
    """Write a file under a temporary name beside ``path``, then rename it: all or nothing.

    Raises LexiconFileError where that cannot be done.
    """
    temporary = path.parent / f".{path.name}.{os.getpid()}.tmp"
    try:
        with open(temporary, "wb") as file:
            file.writelines(chunks)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException as error:
        with suppress(OSError, ValueError):
            temporary.unlink()
        if isinstance(error, (OSError, ValueError)) and not isinstance(error, QuixotryError):
            raise LexiconFileError(f"cannot write {file_fault(path, error)}") from None
        raise


def write_lexicon(path: Path | str, lexicon: Lexicon) -> None:
    """Write a lexicon as a ``.qlx`` file. Raises LexiconFileError."""
    graph = lexicon.graph.astype("<u4", copy=False).tobytes()
    trie = lexicon.trie.tobytes()
    header: dict[str, Any] = {
        field.name: getattr(lexicon.info, field.name) for field in fields(LexiconInfo)
    }
    header |= {
        "dawg_root": lexicon.dawg_root,
        "gaddag_root": lexicon.gaddag_root,
        "wide": lexicon.wide,
        "sections": {},
    }
    room = len(json.dumps(header, ensure_ascii=False).encode()) + 200  # for the sections
    at = -(-(_START + room) // _ALIGN) * _ALIGN
    room = at - _START
    gap = -len(graph) % _ALIGN
    header["sections"] = {
        "graph": [at, len(graph), zlib.crc32(graph)],
        "trie": [at + len(graph) + gap, len(trie), zlib.crc32(trie)],
    }
    text = json.dumps(header, ensure_ascii=False).encode().ljust(room)
    start = MAGIC + bytes([VERSION])
    start += len(text).to_bytes(4, "little") + zlib.crc32(text).to_bytes(4, "little")
    replace_file(Path(path), [start, text, graph, bytes(gap), trie])


def read_lexicon(path: Path | str) -> Lexicon:
    """Open a ``.qlx`` file. Raises LexiconFileError with the path and what is wrong with it."""
    where = str(path)
    data = _map(path, where)
    header = _header(data, where)
    info = _info(header, where)
    sections = _sections(header, len(data), where)
    wide = _typed(header, "wide", bool, where)
    if not wide and info.kinds > 32:
        raise LexiconFileError(f"{where}: {info.kinds} kinds of tile need a wide graph")
    size = sections["graph"][1] // 4
    if sections["graph"][1] % 4 or size < 1 + wide:
        raise LexiconFileError(f"{where}: a graph of {sections['graph'][1]} bytes")
    roots = []
    for key in ("dawg_root", "gaddag_root"):
        root = _typed(header, key, int, where)
        if not 0 <= root < size:
            raise LexiconFileError(f"{where}: {key} {root} is outside the graph of {size} words")
        roots.append(root)
    trie = _trie(_section(data, sections["trie"], "trie", where), info, where)

    def graph() -> NDArray[np.uint32]:
        import numpy as np

        from engine.lexicon.check import check_graph

        _section(data, sections["graph"], "graph", where)
        words = np.frombuffer(data, "<u4", size, sections["graph"][0])
        if sys.byteorder == "big":
            words = words.astype(np.uint32)
        check_graph(words, roots[0], roots[1], info.kinds, wide, where)
        return words

    return Lexicon(info, graph, roots[0], roots[1], wide, trie)


def read_info(path: Path | str) -> LexiconInfo:
    """The header of a ``.qlx`` file alone, checked. Raises LexiconFileError."""
    where = str(path)
    return _info(_header(_map(path, where), where), where)


def _map(path: Path | str, where: str) -> mmap.mmap:
    try:
        with open(path, "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode):
                raise LexiconFileError(f"{where}: not a file")
            if status.st_size < _START:
                raise LexiconFileError(f"{where}: {status.st_size} bytes are no lexicon file")
            return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    except LexiconFileError:
        raise
    except (OSError, ValueError) as error:
        raise LexiconFileError(file_fault(path, error)) from None


def _header(data: mmap.mmap, where: str) -> dict[str, Any]:
    if data[:7] != MAGIC:
        raise LexiconFileError(f"{where}: not a lexicon file (it does not begin with QXLEX)")
    if data[7] != VERSION:
        raise LexiconFileError(f"{where}: lexicon file version {data[7]}, expected {VERSION}")
    length, crc = (int.from_bytes(data[at : at + 4], "little") for at in (8, 12))
    if length > min(_MAX_HEADER, len(data) - _START):
        raise LexiconFileError(f"{where}: damaged: a header of {length} bytes does not fit")
    text = data[_START : _START + length]
    if zlib.crc32(text) != crc:
        raise LexiconFileError(f"{where}: damaged: the header's checksum is wrong")
    try:
        header = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise LexiconFileError(f"{where}: the header is not JSON: {error}") from None
    if not isinstance(header, dict):
        raise LexiconFileError(f"{where}: the header is not a JSON object")
    header["header_end"] = _START + length
    return header


def _typed(header: dict[str, Any], key: str, kind: type, where: str) -> Any:
    value = header.get(key)
    if type(value) is not kind:
        raise LexiconFileError(
            f"{where}: header: {key} is {shorten(value)}, expected {kind.__name__}"
        )
    return value


def _info(header: dict[str, Any], where: str) -> LexiconInfo:
    values: dict[str, Any] = {}
    for field in fields(LexiconInfo):
        kind = list if field.name in _TUPLES else int if field.name in _INTS else str
        values[field.name] = _typed(header, field.name, kind, where)
    for key in _INTS:
        if not 0 <= values[key] < 1 << 31:
            raise LexiconFileError(f"{where}: header: {key} is {values[key]}")
    for key in ("labels", "blank_labels"):
        if not all(isinstance(label, str) for label in values[key]):
            raise LexiconFileError(f"{where}: header: {key} must be texts")
        values[key] = tuple(values[key])
    pairs = values["aliases"]
    if not all(isinstance(p, list) and [type(x) for x in p] == [str, str] for p in pairs):
        raise LexiconFileError(f"{where}: header: aliases must be pairs of texts")
    values["aliases"] = tuple((a, b) for a, b in pairs)
    if not 2 <= len(values["labels"]) <= MAX_LETTERS + 1:
        raise LexiconFileError(f"{where}: header: {len(values['labels'])} labels")
    try:
        info = LexiconInfo(**values)
        actual = info.tiles.alphabet_hash
    except LexiconFileError as error:
        error.add_prefix(f"{where}: ")
        raise
    if actual != info.alphabet_hash:
        raise LexiconFileError(
            f"{where}: header: the labels have the hash {actual}, not {info.alphabet_hash}"
        )
    return info


def _sections(header: dict[str, Any], size: int, where: str) -> dict[str, list[int]]:
    sections: dict[str, list[int]] = _typed(header, "sections", dict, where)
    if set(sections) != {"graph", "trie"}:
        raise LexiconFileError(f"{where}: header: sections must be graph and trie")
    for name, place in sections.items():
        if not isinstance(place, list) or [type(x) for x in place] != [int, int, int]:
            raise LexiconFileError(f"{where}: header: section {shorten(name)} is {shorten(place)}")
        if place[0] % _ALIGN or place[1] < 0:
            raise LexiconFileError(f"{where}: header: section {name} is at {place[0]}")
    end = header["header_end"]
    for name, place in sorted(sections.items(), key=lambda item: item[1]):
        if place[0] < end or place[0] + place[1] > size:
            raise LexiconFileError(
                f"{where}: damaged: section {name} (bytes {place[0]} to {place[0] + place[1]})"
                f" does not fit into {size} bytes after byte {end}"
            )
        end = place[0] + place[1]
    if end != size:
        raise LexiconFileError(f"{where}: damaged: {size - end} bytes after the last section")
    return sections


def _section(data: mmap.mmap, place: list[int], name: str, where: str) -> memoryview:
    """The bytes of a section, its CRC checked."""
    view = memoryview(data)[place[0] : place[0] + place[1]]
    if zlib.crc32(view) != place[2]:
        raise LexiconFileError(f"{where}: damaged: the checksum of its {name} is wrong")
    return view


def _trie(view: memoryview, info: LexiconInfo, where: str) -> marisa_trie.Trie:
    load: Callable[[bytes], marisa_trie.Trie] = marisa_trie.Trie().frombytes
    try:
        trie = load(bytes(view))
        words = len(trie)
    except (RuntimeError, MemoryError, OSError, ValueError, EOFError) as error:
        raise LexiconFileError(f"{where}: damaged: its trie cannot be read: {error}") from None
    if words != info.words:
        raise LexiconFileError(f"{where}: its trie holds {words} words, not {info.words}")
    return trie
