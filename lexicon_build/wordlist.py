"""Any user's word list to clean, sorted, unique rows of letters; what is rejected is reported.

Text or gzip; UTF-8 with or without BOM, UTF-16 by its BOM; any line ends; any case; blank lines and
duplicates are fine. A word is a sequence of *tiles*: the longest tile wins at each place, unless
dots (``K.Ö.Z``) or brackets (``KÖ[ZS]``) decide.
"""

from __future__ import annotations

import gzip
import unicodedata
import zlib
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from engine._jit import array, kernel, table, u8, u32
from engine.errors import LexiconFileError, printable, shorten
from engine.files import read_bytes
from engine.rules.tiles import TileSet
from lexicon_build.graph import sort_order

MIN_LENGTH = 2
MAX_LENGTH = 21
EXAMPLES = 20  #: rejected lines kept as text, of each kind

# what a line can be rejected for; the index is the kernel's code
KINDS = (
    "",
    "a character that no tile has",
    "a bracket that is not closed or holds no tile",
    f"too short (fewer than {MIN_LENGTH} tiles)",
    "too long",
)
_NO_TILE, _BRACKET, _SHORT, _LONG = 1, 2, 3, 4

# classes of character; those of the tile set's own characters follow
_OTHER, _NEWLINE, _SPACE, _DOT, _OPEN, _CLOSE, _FIRST = 0, 1, 2, 3, 4, 5, 6


@dataclass(frozen=True)
class Rejected:
    """The rejected lines of one kind: how many, and the first of them as (line number, text)."""

    count: int
    examples: tuple[tuple[int, str], ...]


@dataclass(frozen=True)
class WordList:
    """Sorted unique words: ``rows`` (N, max_length) uint8 zero-padded, ``lengths`` (N,) uint8."""

    rows: NDArray[np.uint8]
    lengths: NDArray[np.uint8]
    lines: int  #: lines that held something
    duplicates: int
    rejected: dict[str, Rejected] = field(default_factory=dict)
    strangers: str = ""  #: the characters that no tile has, most frequent first

    def __len__(self) -> int:
        return len(self.rows)

    @property
    def rejections(self) -> int:
        """Number of rejected lines of all kinds."""
        return sum(kind.count for kind in self.rejected.values())

    def need_words(self, tiles: TileSet, where: str) -> None:
        """Raise LexiconFileError for a list with lines of which none is a word of a tile set."""
        if self.rejections and not len(self):
            raise LexiconFileError(
                f"{where}: none of {self.lines} lines is a word for tile set {tiles.name!r}"
                + (f"; no tile for: {self.shown_strangers}" if self.strangers else "")
            )

    @property
    def shown_strangers(self) -> str:
        """The first of the characters that no tile has, for people."""
        return " ".join("' '" if x == " " else printable(x) for x in self.strangers[:40])

    def left_out(self, where: str, what: str = "left out") -> str:
        """One line about the rejected lines: how many, of what kinds, the first of them."""
        kinds = ", ".join(f"{some.count} {kind}" for kind, some in self.rejected.items())
        text = f"{where}: {self.rejections} of {self.lines} lines {what}: {kinds}"
        if self.strangers:
            text += f"; unknown characters: {self.shown_strangers}"
        examples = [example for some in self.rejected.values() for example in some.examples]
        if examples:
            line, first = min(examples)
            text += f"; first: {shorten(first)} (line {line})"
        return printable(text)

    def without(self, other: WordList) -> WordList:
        """These words less the words of ``other``."""
        width = max(self.rows.shape[1], other.rows.shape[1])
        mine, theirs = (
            np.pad(w.rows, ((0, 0), (0, width - w.rows.shape[1]))) for w in (self, other)
        )
        as_bytes = f"S{width}"
        keep = ~np.isin(
            np.ascontiguousarray(mine).view(as_bytes).ravel(),
            np.ascontiguousarray(theirs).view(as_bytes).ravel(),
        )
        return WordList(
            self.rows[keep], self.lengths[keep], self.lines, self.duplicates, self.rejected,
            self.strangers,
        )  # fmt: skip


def decode(data: bytes, where: str) -> str:
    """Text of a word list's bytes: gzip or not, UTF-8, or UTF-16 by its BOM.

    Raises LexiconFileError naming the encoding and the place.
    """
    if data[:2] == b"\x1f\x8b":
        try:
            data = gzip.decompress(data)
        except (OSError, EOFError, zlib.error) as error:
            raise LexiconFileError(f"{where}: broken gzip file: {error}") from None
    encoding = "utf-16" if data[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    try:
        return data.decode(encoding)
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        name = encoding.removesuffix("-sig").upper()
        raise LexiconFileError(
            f"{where}: line {line}: not {name} text (expected UTF-8, or UTF-16 with a BOM)"
        ) from None


@kernel((table(u32), table(u8), table(u8, 2), table(u8), array(u8, 2), array(u8), array(u32, 2)))
def _encode_lines(points, classes, labels, letters, rows, lengths, rejects):
    """Read lines of code points as words.

    ``classes`` code point -> class; ``labels`` (M, W) classes of each label, zero-padded, longest
    first, and ``letters`` (M,) theirs. Fills rows and lengths of the good lines, and rejects with
    (line, kind, start, end, offending code point) of the others. Returns good lines and
    rejected lines.
    """
    good = bad = 0
    at = np.int64(0)
    line = 0
    n = len(points)
    most = rows.shape[1]
    widest = labels.shape[1]
    while at < n:
        line += 1
        end = at
        while end < n and classes[points[end]] != _NEWLINE:
            end += 1
        following = end + 1
        while at < end and classes[points[at]] == _SPACE:
            at += 1
        while end > at and classes[points[end - 1]] == _SPACE:
            end -= 1
        if at == end:
            at = following
            continue
        start = at
        length = 0
        kind = 0
        while at < end and kind == 0:
            seen = classes[points[at]]
            if seen == _DOT:
                at += 1
                continue
            inside = seen == _OPEN
            if inside:
                at += 1
                close = at
                while close < end and classes[points[close]] != _CLOSE:
                    close += 1
                if close == end:
                    kind = _BRACKET
                    break
            letter = 0
            for label in range(len(letters)):
                width = 0
                while (
                    width < widest
                    and labels[label, width] != 0
                    and at + width < end
                    and classes[points[at + width]] == labels[label, width]
                ):
                    width += 1
                whole = width == widest or labels[label, width] == 0
                if whole and (not inside or at + width == close):
                    letter = letters[label]
                    at += width + np.int64(inside)
                    break
            if letter == 0:
                kind = _BRACKET if inside else _NO_TILE
            elif length == most:
                kind = _LONG
            else:
                rows[good, length] = letter
                length += 1
        if kind == 0 and length < MIN_LENGTH:
            kind = _SHORT
        if kind == 0:
            lengths[good] = length
            good += 1
        else:
            rows[good, :] = 0
            rejects[bad, 0] = line
            rejects[bad, 1] = kind
            rejects[bad, 2] = start
            rejects[bad, 3] = end
            rejects[bad, 4] = points[min(at, end - 1)]
            bad += 1
        at = following
    return good, bad


def _classes(tiles: TileSet) -> tuple[NDArray[np.uint8], NDArray[np.uint8], NDArray[np.uint8]]:
    """The kernel's tables: class of every code point; labels as classes; letters of the labels."""
    table_ = np.zeros(0x110000, np.uint8)
    for char, kind in (("\n", _NEWLINE), (".", _DOT), ("[", _OPEN), ("]", _CLOSE)):
        table_[ord(char)] = kind
    for char in " \t\r\f\v\u00a0\u3000\ufeff":
        table_[ord(char)] = _SPACE
    own = sorted({char for label in tiles.labels[1:] for char in label})
    if len(own) > 250 - _FIRST:
        raise LexiconFileError(f"tile set {tiles.name!r} has too many different characters")
    number = {char: i for i, char in enumerate(own, _FIRST)}
    for char, upper in tiles.upper.items():
        table_[ord(char)] = number[upper]
    longest_first = sorted(range(1, tiles.kinds), key=lambda x: (-len(tiles.labels[x]), x))
    width = max(len(label) for label in tiles.labels)
    labels = np.zeros((len(longest_first), width), np.uint8)
    for row, letter in enumerate(longest_first):
        labels[row, : len(tiles.labels[letter])] = [number[c] for c in tiles.labels[letter]]
    return table_, labels, np.array(longest_first, np.uint8)


def parse_word_list(text: str, tiles: TileSet, max_length: int = 15) -> WordList:
    """The words in a text, one a line. ``max_length``: longest word kept, in tiles (2 to 21)."""
    if not MIN_LENGTH <= max_length <= MAX_LENGTH:
        raise LexiconFileError(f"longest word {max_length}, expected {MIN_LENGTH} to {MAX_LENGTH}")
    text = text.replace("\r\n", "\n").replace("\r", "\n")
    if not unicodedata.is_normalized("NFC", text):
        text = unicodedata.normalize("NFC", text)
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32)
    room = int(np.count_nonzero(points == 10)) + 2
    rows, lengths = np.zeros((room, max_length), np.uint8), np.zeros(room, np.uint8)
    rejects = np.zeros((room, 5), np.uint32)
    good, bad = _encode_lines(points, *_classes(tiles), rows, lengths, rejects)
    lines = good + bad
    rejected, strangers = _report(text, rejects[:bad], max_length)
    rows, lengths = rows[:good], lengths[:good]
    order = sort_order(rows)
    if not np.array_equal(order, np.arange(good)):
        rows, lengths = rows[order], lengths[order]
    first = np.ones(good, bool)
    first[1:] = (rows[1:] != rows[:-1]).any(axis=1)
    if not first.all():
        rows, lengths = rows[first], lengths[first]
    return WordList(
        np.ascontiguousarray(rows), lengths, lines, good - len(rows), rejected, strangers
    )


def _report(
    text: str, rejects: NDArray[np.uint32], max_length: int
) -> tuple[dict[str, Rejected], str]:
    rejected = {}
    for code in range(1, len(KINDS)):
        mine = rejects[rejects[:, 1] == code]
        if len(mine):
            name = KINDS[code] + (f" (more than {max_length} tiles)" if code == _LONG else "")
            examples = tuple((int(r[0]), text[r[2] : r[3]]) for r in mine[:EXAMPLES])
            rejected[name] = Rejected(len(mine), examples)
    points, counts = np.unique(rejects[rejects[:, 1] == _NO_TILE][:, 4], return_counts=True)
    return rejected, "".join(chr(points[i]) for i in np.argsort(-counts, kind="stable"))


def read_word_list(path: Path, tiles: TileSet, max_length: int = 15) -> WordList:
    """The words in a file. Raises LexiconFileError where it cannot be read as text."""
    data = read_bytes(path, LexiconFileError)
    return parse_word_list(decode(data, str(path)), tiles, max_length)


def word_list(words: Iterable[str], tiles: TileSet, max_length: int = 15) -> WordList:
    """The words of an iterable of texts."""
    return parse_word_list("\n".join(words), tiles, max_length)
