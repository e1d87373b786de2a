"""A lexicon in memory: the words twice, as a trie for look-ups and as a graph for the kernels.

The trie (marisa) answers "is this a word", patterns and anagrams, and needs neither numpy nor
numba. The graph (GADDAG and DAWG in one array) is what move generation and cross-checks walk.

Graph layout: one uint32 array. A state at offset p is a mask of its letters (bit l = there is a
child by letter l; bit 0 = the separator of the GADDAG), one word, or two (low, high) where
``wide``; then one word ``(child offset << 1) | accept`` a set bit, in the order of the letters.
Offset 0 is the empty state; a child offset of 0 means that no letter follows; every other child
lies after its parent. The DAWG reads words left to right, the accept flag on the last arc. The
GADDAG reads a prefix backwards, then the separator, which leads straight to the DAWG state after
that prefix; a whole word read backwards accepts without a separator.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, NoReturn

import marisa_trie

from engine.errors import LexiconFileError, NotationError, RulesError, shorten
from engine.rules.tiles import BLANK, MAX_LETTERS, TileSet

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

_TO_KEY = {letter: chr(64 + letter) for letter in range(1, MAX_LETTERS + 1)}
_TO_KEY |= {letter | BLANK: key for letter, key in _TO_KEY.items()}


def to_key(letters: Iterable[int]) -> str:
    """The trie's key of a word: ``chr(64 + letter)`` a tile, so that English words are themselves.

    A blank counts as the letter it plays. Raises KeyError for what is no letter.
    """
    return "".join([_TO_KEY[letter] for letter in letters])


def from_key(key: str) -> tuple[int, ...]:
    """Letters of a trie's key."""
    return tuple([ord(char) - 64 for char in key])


@dataclass(frozen=True)
class LexiconInfo:
    """What a lexicon file says about itself."""

    name: str
    labels: tuple[str, ...]  #: tiles in the order of their letters; ``[0]`` is ``?``
    alphabet_hash: str  #: TileSet.alphabet_hash of those labels
    words: int
    longest: int = 0  #: tiles of the longest word
    origin: str = ""
    version: str = ""  #: of the origin
    licence: str = ""
    date: str = ""
    source_hash: str = ""
    comment: str = ""
    blank_labels: tuple[str, ...] = ()  #: lower-case forms; empty: those of Unicode
    aliases: tuple[tuple[str, str], ...] = ()  #: characters read as others, as in TileSet

    def __post_init__(self) -> None:
        if not self.name.isprintable():
            name = shorten(self.name)
            raise LexiconFileError(f"lexicon {name}: a name cannot hold control characters")

    @classmethod
    def for_tiles(
        cls, tiles: TileSet, *, name: str, words: int, longest: int = 0, **texts: str
    ) -> LexiconInfo:
        """Info of a lexicon made for a tile set; ``texts``: origin, version, licence ..."""
        return cls(
            name=name,
            labels=tiles.labels,
            alphabet_hash=tiles.alphabet_hash,
            words=words,
            longest=longest,
            blank_labels=tiles.blank_labels,
            aliases=tuple(sorted(tiles.aliases.items())),
            **texts,
        )

    @property
    def kinds(self) -> int:
        """Number of kinds of tile, the blank included."""
        return len(self.labels)

    @cached_property
    def tiles(self) -> TileSet:
        """A tile set to read and write words with; its counts and values mean nothing.

        Raises LexiconFileError where the labels cannot be a tile set.
        """
        lower = self.blank_labels or tuple(label.lower() for label in self.labels)
        n = len(self.labels)
        try:
            return TileSet(
                self.name, self.labels, lower, (1,) * n, (0,) * n, (False,) * n, dict(self.aliases)
            )
        except RulesError as error:
            raise LexiconFileError(f"lexicon {self.name!r}: {error}") from None


class Lexicon:
    """An immutable lexicon; the module's docstring gives the layout of ``graph``.

    ``graph`` may be given as an array (uint32, 1-d, C order) or as a function that makes it when
    it is first used.
    """

    info: LexiconInfo
    dawg_root: int
    gaddag_root: int
    wide: bool
    trie: marisa_trie.Trie
    _graph: Any

    def __init__(
        self,
        info: LexiconInfo,
        graph: NDArray[np.uint32] | Callable[[], NDArray[np.uint32]],
        dawg_root: int,
        gaddag_root: int,
        wide: bool,
        trie: marisa_trie.Trie,
    ) -> None:
        self.__dict__.update(
            info=info,
            _graph=graph,
            dawg_root=dawg_root,
            gaddag_root=gaddag_root,
            wide=wide,
            trie=trie,
        )

    def __setattr__(self, name: str, value: object) -> NoReturn:
        raise AttributeError(f"a Lexicon cannot be changed ({name})")

    def __delattr__(self, name: str) -> NoReturn:
        raise AttributeError(f"a Lexicon cannot be changed ({name})")

    @cached_property
    def graph(self) -> NDArray[np.uint32]:
        """The graph, read-only uint32. Raises LexiconFileError where the file's is damaged."""
        made: NDArray[np.uint32] = self._graph() if callable(self._graph) else self._graph
        view = made.view()
        view.flags.writeable = False
        return view

    # -- words ---------------------------------------------------------------------------------

    def __len__(self) -> int:
        return self.info.words

    def __contains__(self, word: object) -> bool:
        """Whether a text (any case, as in word lists) or a sequence of letters is a word."""
        if isinstance(word, str):
            try:
                return self.has(self.parse(word))
            except NotationError:
                return False
        return isinstance(word, Sequence) and self.has(word)

    def has(self, letters: Iterable[int]) -> bool:
        """Whether letters are a word; blanks count as the letters they play."""
        try:
            return to_key(letters) in self.trie
        except (KeyError, TypeError):
            return False

    def __iter__(self) -> Iterator[tuple[int, ...]]:
        """Every word as letters, in the order of the letters."""
        for key in sorted(self.trie.keys()):
            yield from_key(key)

    def parse(self, text: str) -> tuple[int, ...]:
        """Letters of a word as in a word list, any case. Raises NotationError."""
        return self.info.tiles.parse_word(text)

    def format(self, letters: Sequence[int]) -> str:
        """Word-list text of letters."""
        return self.info.tiles.format_word([letter & ~BLANK for letter in letters])

    def check_tiles(self, tiles: TileSet) -> None:
        """Raise LexiconFileError unless the letters of ``tiles`` are those of this lexicon."""
        if tiles.alphabet_hash == self.info.alphabet_hash:
            return
        mine, theirs = self.info.labels, tiles.labels
        faults = []
        for fault, labels, others in (
            (f"tiles that {tiles.name} lacks", mine, theirs),
            ("no tiles", theirs, mine),
        ):
            strange = [label for label in labels if label not in others]
            if strange:
                faults.append(f"{fault}: {' '.join(strange)}")
        what = "has " + " and ".join(faults) if faults else "has the same tiles in another order"
        raise LexiconFileError(
            f"lexicon {self.info.name!r} is not for the tile set {tiles.name!r}: it {what}"
        )

    # -- as a value ----------------------------------------------------------------------------

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, Lexicon):
            return NotImplemented
        return self.info == other.info and self.trie == other.trie

    def __hash__(self) -> int:
        return hash((self.info.name, self.info.alphabet_hash, self.info.words))

    def __reduce__(self) -> tuple[Any, ...]:
        import numpy as np

        graph = np.array(self.graph)
        roots = (self.dawg_root, self.gaddag_root, self.wide)
        return Lexicon, (self.info, graph, *roots, self.trie)

    def __repr__(self) -> str:
        return f"<Lexicon {self.info.name}, {len(self)} words>"
