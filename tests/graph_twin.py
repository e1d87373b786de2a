"""The slow, obvious twin of lexicon_build.graph.build_graph, and lexicons made with it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import marisa_trie
import numpy as np

from engine.lexicon.lexicon import Lexicon, LexiconInfo, to_key
from engine.rules.tiles import TileSet

Word = tuple[int, ...]
SEPARATOR = 0


def build_graph(
    rows: np.ndarray, lengths: np.ndarray, kinds: int
) -> tuple[np.ndarray, int, int, bool]:
    """(graph, dawg_root, gaddag_root, wide): the same language as the real builder's."""
    words = [tuple(int(x) for x in row[:n]) for row, n in zip(rows, lengths, strict=True)]
    return graph_of(words, kinds)


def graph_of(words: Iterable[Word], kinds: int) -> tuple[np.ndarray, int, int, bool]:
    words = sorted(set(words))
    known: dict[tuple, int] = {(): 0}  # arcs (letter, accepts, state) -> number of the state

    def state(arcs: list[tuple[int, bool, int]]) -> int:
        return known.setdefault(tuple(sorted(arcs)), len(known))

    def build(suffixes: set[Word], after: dict[Word, int] | None, path: Word) -> int:
        """State of a set of suffixes; with ``after`` a separator ends in after[rest reversed]."""
        arcs = []
        for letter in sorted({s[0] for s in suffixes if s}):
            rest = {s[1:] for s in suffixes if s and s[0] == letter}
            if letter == SEPARATOR:
                assert after is not None
                arcs.append((letter, False, after[path[::-1]]))
                continue
            arcs.append((letter, () in rest, build(rest - {()}, after, (*path, letter))))
        return state(arcs)

    by_prefix: dict[Word, set[Word]] = {}
    for word in words:
        for cut in range(len(word)):
            by_prefix.setdefault(word[:cut], set()).add(word[cut:])
    after = {prefix: build(rest, None, ()) for prefix, rest in by_prefix.items()}
    dawg = after.get((), 0)
    backwards = {word[::-1] for word in words}
    backwards |= {(*prefix[::-1], SEPARATOR) for prefix in by_prefix if prefix}
    gaddag = build(backwards, after, ())

    arcs_of = {number: arcs for arcs, number in known.items()}
    order: list[int] = []  # every state after its children
    seen = {0}

    def visit(number: int) -> None:
        if number not in seen:
            seen.add(number)
            for _, _, child in arcs_of[number]:
                visit(child)
            order.append(number)

    visit(dawg)
    visit(gaddag)
    wide = kinds > 32
    head = 1 + wide
    offset, size = {0: 0}, head
    for number in reversed(order):
        offset[number] = size
        size += head + len(arcs_of[number])
    graph = np.zeros(size, np.uint32)
    for number in order:
        at = offset[number]
        mask = sum(1 << letter for letter, _, _ in arcs_of[number])
        graph[at] = mask & 0xFFFFFFFF
        if wide:
            graph[at + 1] = mask >> 32
        for i, (_, accepts, child) in enumerate(arcs_of[number]):
            graph[at + head + i] = offset[child] << 1 | accepts
    return graph, offset[dawg], offset[gaddag], wide


def twin_lexicon(
    words: Iterable[str | Sequence[int]], tiles: TileSet, name: str = "twin"
) -> Lexicon:
    """A lexicon of a few words, texts or letters, made without the real builder."""
    letters = sorted({tiles.parse_word(w) if isinstance(w, str) else tuple(w) for w in words})
    longest = max(map(len, letters), default=0)
    info = LexiconInfo.for_tiles(tiles, name=name, words=len(letters), longest=longest)
    trie = marisa_trie.Trie([to_key(word) for word in letters])
    return Lexicon(info, *graph_of(letters, tiles.kinds), trie)


def dawg_words(lexicon: Lexicon, limit: int = 100_000) -> list[Word]:
    """Words of the DAWG, by plain recursion."""
    return list(_paths(lexicon, lexicon.dawg_root, (), limit))


def gaddag_paths(lexicon: Lexicon, limit: int = 100_000) -> list[Word]:
    """Accepted paths of the GADDAG, separators included."""
    return list(_paths(lexicon, lexicon.gaddag_root, (), limit))


def _paths(lexicon: Lexicon, root: int, path: Word, limit: int) -> Iterable[Word]:
    graph, head = lexicon.graph, 1 + lexicon.wide
    mask = int(graph[root]) | (int(graph[root + 1]) << 32 if lexicon.wide else 0)
    letters = [letter for letter in range(64) if mask >> letter & 1]
    for i, letter in enumerate(letters):
        word = int(graph[root + head + i])
        if word & 1:
            yield (*path, letter)
        if word >> 1:
            yield from _paths(lexicon, word >> 1, (*path, letter), limit)
