"""Words between the formats: any word source to a WordList, a lexicon to rows and to text."""

from __future__ import annotations

import gzip
import hashlib
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError
from engine.files import read_bytes
from engine.lexicon.kwg import read_kwg
from engine.lexicon.lexicon import Lexicon
from engine.rules.tiles import TileSet
from lexicon_build.compile import compile_lexicon
from lexicon_build.wordlist import (
    MAX_LENGTH,
    MIN_LENGTH,
    Rejected,
    WordList,
    decode,
    parse_word_list,
)


def read_words(path: Path, tiles: TileSet, max_length: int = 15) -> tuple[WordList, bytes]:
    """The words of a text list (also gzip) or a KWG, and the file's bytes.

    Raises LexiconFileError.
    """
    data = read_bytes(path, LexiconFileError)
    if path.suffix.lower() == ".qlx":
        raise LexiconFileError(
            f"{path}: a lexicon, not a word list (quixotry lexicon convert {path.name}"
            f" {path.stem}.txt makes it one)"
        )
    if path.suffix.lower() == ".kwg":
        return kwg_words(data, tiles, max_length, str(path)), data
    return parse_word_list(decode(data, str(path)), tiles, max_length), data


def kwg_words(data: bytes, tiles: TileSet, max_length: int, where: str) -> WordList:
    """The words of a KWG as a word list; those too long or too short are counted as rejected."""
    if not MIN_LENGTH <= max_length <= MAX_LENGTH:
        raise LexiconFileError(f"longest word {max_length}, expected {MIN_LENGTH} to {MAX_LENGTH}")
    words = read_kwg(data, tiles.kinds, max_length, where)
    short = words.lengths < MIN_LENGTH
    rejected = {}
    if short.any():
        kind = f"too short (fewer than {MIN_LENGTH} tiles)"
        rejected[kind] = Rejected(int(short.sum()), ())
    if words.too_long:
        rejected[f"too long (more than {max_length} tiles)"] = Rejected(words.too_long, ())
    lines = len(words.rows) + words.too_long
    return WordList(words.rows[~short], words.lengths[~short], lines, 0, rejected)


def lexicon_from_kwg(path: Path, tiles: TileSet, max_length: int = MAX_LENGTH) -> Lexicon:
    """A lexicon of the words of a KWG file. Raises LexiconFileError."""
    words, data = read_words(path, tiles, max_length)
    digest = hashlib.sha256(data).hexdigest()
    return compile_lexicon(words, tiles, name=path.stem, origin=path.name, source_hash=digest)


def lexicon_rows(lexicon: Lexicon) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    """Rows (N, L) and lengths (N,) of a lexicon's words, sorted, uint8.

    Raises LexiconFileError for a key that is no word of its alphabet.
    """
    keys = sorted(lexicon.trie.keys())
    width = max(map(len, keys), default=1)
    top = chr(63 + lexicon.info.kinds)
    joined = "".join(keys)
    where = f"lexicon {lexicon.info.name!r}"
    if not joined.isascii() or (joined and not "A" <= min(joined) <= max(joined) <= top):
        raise LexiconFileError(f"{where}: a word with a tile that the alphabet lacks")
    if width > MAX_LENGTH:
        raise LexiconFileError(f"{where}: a word of {width} tiles, at most {MAX_LENGTH}")
    lengths = np.array([len(key) for key in keys], np.uint8)
    rows = np.zeros((len(keys), width), np.uint8)
    rows[np.arange(width) < lengths[:, None]] = np.frombuffer(joined.encode(), np.uint8) - 64
    return rows, lengths


def words_text(rows: NDArray[np.uint8], lengths: NDArray[np.uint8], tiles: TileSet) -> str:
    """A word list's text: a word a line, upper case.

    Dots stand between the tiles of a word unless every tile is one character and nobody could read
    two of them as one.
    """
    if all(len(label) == 1 for label in tiles.labels):
        points = np.array([ord(label) for label in tiles.labels], np.uint32)
        points = np.append(points, 10)
        out = np.zeros((len(rows), rows.shape[1] + 1), np.uint8)
        out[:, :-1] = rows
        out[np.arange(len(rows)), lengths] = tiles.kinds
        used = np.arange(out.shape[1]) <= lengths[:, None]
        return points[out[used]].astype("<u4").tobytes().decode("utf-32-le")
    lines = []
    for row, length in zip(rows.tolist(), lengths.tolist(), strict=True):
        text = tiles.format_word(row[:length])
        if len(text) > length and "." not in text:
            text = ".".join([tiles.labels[letter] for letter in row[:length]])
        lines.append(text + "\n")
    return "".join(lines)


def text_bytes(text: str, path: Path) -> bytes:
    """Bytes of a text file: UTF-8, compressed (the same each time) where the name ends in .gz."""
    data = text.encode()
    return gzip.compress(data, mtime=0) if path.suffix.lower() == ".gz" else data
