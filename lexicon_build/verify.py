"""Full verification of a lexicon: its trie and its graph hold the same words, exactly."""

from __future__ import annotations

import numpy as np

from engine.errors import LexiconFileError
from engine.lexicon.lexicon import Lexicon
from lexicon_build.convert import lexicon_rows
from lexicon_build.graph import build_graph


def verify(lexicon: Lexicon) -> None:
    """Raise LexiconFileError unless the lexicon holds together: checksums and structure (on the
    first use of its graph), counts, and a graph that spells the words of the trie and no others,
    in the DAWG and the GADDAG.
    """
    graph = lexicon.graph
    rows, lengths = lexicon_rows(lexicon)
    where = f"lexicon {lexicon.info.name!r}"
    longest = int(lengths.max(initial=0))
    if (len(rows), longest) != (lexicon.info.words, lexicon.info.longest):
        raise LexiconFileError(
            f"{where}: {len(rows)} words of up to {longest} tiles, but its header says"
            f" {lexicon.info.words} of up to {lexicon.info.longest}"
        )
    made = build_graph(rows, lengths, lexicon.info.kinds)
    again = Lexicon(lexicon.info, *made, lexicon.trie)
    roots = lexicon.dawg_root, lexicon.gaddag_root
    if roots == (made.dawg_root, made.gaddag_root) and np.array_equal(graph, again.graph):
        return
    for part, ours, theirs in (
        ("DAWG", lexicon.dawg_root, again.dawg_root),
        ("GADDAG", lexicon.gaddag_root, again.gaddag_root),
    ):
        path = _difference(lexicon, ours, again, theirs)
        if path is not None:
            text = ".".join(lexicon.info.labels[x] if x else "(separator)" for x in path)
            raise LexiconFileError(f"{where}: its {part} and its words differ at {text}")


def _arcs(lexicon: Lexicon, state: int) -> list[tuple[int, int, int]]:
    """(letter, accepts, child) of a state."""
    graph, head = lexicon.graph, 1 + lexicon.wide
    mask = int(graph[state]) | (int(graph[state + 1]) << 32 if lexicon.wide else 0)
    letters = [letter for letter in range(64) if mask >> letter & 1]
    words = graph[state + head : state + head + len(letters)].tolist()
    return [(x, word & 1, word >> 1) for x, word in zip(letters, words, strict=True)]


def _difference(ours: Lexicon, root: int, theirs: Lexicon, other: int) -> tuple[int, ...] | None:
    """A path on which two graphs of another layout differ; None where they spell the same.

    Every pair of states that one path leads to is compared once.
    """
    seen = {(root, other)}
    waiting: list[tuple[int, int, tuple[int, ...]]] = [(root, other, ())]
    while waiting:
        state, twin, path = waiting.pop()
        mine, others = _arcs(ours, state), _arcs(theirs, twin)
        for arc, arc2 in zip(mine, others, strict=False):
            if arc[:2] != arc2[:2]:
                return (*path, min(arc[0], arc2[0]))
        if len(mine) != len(others):
            return (*path, max(mine, others, key=len)[min(len(mine), len(others))][0])
        for (letter, _, down), (_, _, down2) in zip(mine, others, strict=True):
            if (down, down2) not in seen:
                seen.add((down, down2))
                waiting.append((down, down2, (*path, letter)))
    return None
