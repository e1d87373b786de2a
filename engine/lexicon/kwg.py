"""KWG word graphs, to and from: the file format that most engines of the field share.

A KWG is an array of uint32 LE nodes: tile << 24 | accepts << 23 | end of sibling list << 22 |
index of the first child (0: none). Node 0 points to the DAWG, node 1 to the GADDAG where there is
one (nothing tells; only the DAWG is read here). The order of the words is a walk through the DAWG,
a prefix before what it begins, and a word's rank in it is the key into the values of a KLV2.

Everything is done a level of the DAWG at a time, on arrays: a level holds every prefix of so many
tiles. What a file claims is checked before it is followed, and bounds time and memory.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError
from engine.lexicon.lexicon import Lexicon

MAX_NODES = 1 << 22
MAX_WORDS = 1 << 24
MAX_DEPTH = 64  #: longest path followed; a longer one is taken for a loop

_ACCEPTS, _LAST, _ARC = 1 << 23, 1 << 22, (1 << 22) - 1

Ints = NDArray[np.int64]


class Words(NamedTuple):
    """Sorted unique words: ``rows`` (N, L) uint8 letters, zero-padded; ``lengths`` (N,) uint8."""

    rows: NDArray[np.uint8]
    lengths: NDArray[np.uint8]
    too_long: int  #: words left out because they have more than ``max_length`` tiles


class Dawg(NamedTuple):
    """The reachable part of a checked DAWG, by node."""

    tile: NDArray[np.uint8]
    accepts: Ints  #: 0 or 1
    arc: Ints  #: first node of the child list; -1: none
    end: Ints  #: last node of the node's list
    before: Ints  #: words at and below the nodes before this one, over the whole array
    root: int  #: first node of the root list; -1: no words
    height: int  #: tiles of the longest word
    words: int
    in_order: bool  #: every list is sorted by tile


class Level(NamedTuple):
    """Every prefix of one length that some word begins with."""

    node: Ints
    parent: Ints  #: place of the prefix without its last tile in the level before
    rank: Ints  #: words before this prefix in the order of the file; its own where it is one


def read_dawg(data: bytes | memoryview, kinds: int, lowest: int, where: str) -> Dawg:
    """Check a KWG's DAWG and index it. ``lowest``: lowest tile allowed, 1 (words) or 0 (leaves).

    Raises LexiconFileError for an odd length, too many nodes, arcs past the end, lists without an
    end, loops, dead ends, tiles outside ``kinds`` and more than MAX_WORDS words.
    """
    if len(data) % 4 or not data:
        raise LexiconFileError(f"{where}: {len(data)} bytes are no KWG (nodes have 4 bytes each)")
    n = len(data) // 4
    if n > MAX_NODES:
        raise LexiconFileError(f"{where}: {n} nodes, a KWG has at most {MAX_NODES}")
    nodes = np.frombuffer(data, "<u4").astype(np.int64)
    if nodes[0] >> 22 != 1:
        raise LexiconFileError(
            f"{where}: not a KWG (node 0 is {int(nodes[0]):08x}, no root pointer)"
        )
    arc, accepts = nodes & _ARC, nodes >> 23 & 1
    last = nodes & _LAST != 0
    end = np.where(last, np.arange(n), n)
    end = np.minimum.accumulate(end[::-1])[::-1]
    used = _reachable(arc, end, where)
    kept = np.flatnonzero(used)
    tile = (nodes[kept] >> 24).astype(np.uint8)
    bad = (tile < lowest) | (tile >= kinds)
    if bad.any():
        at = int(np.argmax(bad))
        raise LexiconFileError(
            f"{where}: node {kept[at]} has tile {tile[at]}, expected {lowest} to {kinds - 1}"
        )
    place = np.cumsum(used) - 1
    root = int(place[arc[0]]) if arc[0] else -1
    in_order = bool((last[kept[:-1]] | (tile[:-1] < tile[1:])).all())
    arc, accepts, end = arc[kept], accepts[kept], place[end[kept]]
    arc = np.where(arc > 0, place[arc], -1)
    before, height = _count(arc, accepts, end, where)
    words = int(before[end[root] + 1] - before[root]) if root >= 0 else 0
    if words > MAX_WORDS:
        raise LexiconFileError(f"{where}: more than {MAX_WORDS} words")
    return Dawg(tile, accepts, arc, end, before, root, height, words, in_order)


def _reachable(arc: Ints, end: Ints, where: str) -> NDArray[np.bool_]:
    """Nodes that node 0 leads to, itself excluded."""
    n = len(arc)
    used = np.zeros(n, np.bool_)
    starts = arc[:1]
    for _ in range(MAX_DEPTH + 1):
        starts = starts[starts > 0]
        if not len(starts):
            return used
        past = int(starts.max())
        if past >= n or end[starts].max() >= n:
            at = past if past >= n else int(starts[np.argmax(end[starts])])
            raise LexiconFileError(f"{where}: the list at node {at} runs past the {n} nodes")
        change = np.bincount(starts, minlength=n + 1) - np.bincount(
            end[starts] + 1, minlength=n + 1
        )
        fresh = (np.cumsum(change[:n]) > 0) & ~used
        used |= fresh
        starts = arc[fresh]
    raise LexiconFileError(f"{where}: paths of more than {MAX_DEPTH} tiles")


def _count(arc: Ints, accepts: Ints, end: Ints, where: str) -> tuple[Ints, int]:
    """Dawg.before (counts capped above MAX_WORDS) and the height."""
    down = np.flatnonzero(arc >= 0)
    first, past = arc[down], end[arc[down]] + 1
    below = accepts.copy()
    before = np.zeros(len(arc) + 1, np.int64)
    height = 1 if len(arc) else 0
    for _ in range(MAX_DEPTH + 2):
        np.cumsum(below, out=before[1:])
        more = np.minimum(accepts[down] + before[past] - before[first], MAX_WORDS + 1)
        if np.array_equal(more, below[down]):
            break
        below[down] = more
        height += 1
    else:
        raise LexiconFileError(f"{where}: a loop, or words of more than {MAX_DEPTH} tiles")
    if len(below) and below.min() == 0:
        raise LexiconFileError(f"{where}: a loop or dead end: nodes that lead to no word")
    return before, height


def levels(dawg: Dawg, longest: int = MAX_DEPTH) -> Iterator[Level]:
    """The levels of a DAWG, from prefixes of one tile to those of ``longest``."""
    lists = np.array([dawg.root] if dawg.root >= 0 else [], np.int64)
    parents, bases = np.zeros(len(lists), np.int64), np.zeros(len(lists), np.int64)
    for _ in range(longest):
        if not len(lists):
            return
        sizes = dawg.end[lists] - lists + 1
        shift = np.cumsum(sizes) - sizes
        node = np.arange(int(sizes.sum())) + np.repeat(lists - shift, sizes)
        rank = dawg.before[node] + np.repeat(bases - dawg.before[lists], sizes)
        yield Level(node, np.repeat(parents, sizes), rank)
        arcs = dawg.arc[node]
        parents = np.flatnonzero(arcs >= 0)
        lists, bases = arcs[parents], (rank + dawg.accepts[node])[parents]


def read_kwg(
    data: bytes | memoryview, kinds: int, max_length: int = 21, where: str = "KWG"
) -> Words:
    """The words of a KWG, with or without GADDAG. ``kinds``: kinds of tile, blank included.

    Words of more than ``max_length`` tiles are left out and counted. Raises LexiconFileError as
    ``read_dawg`` does.
    """
    dawg = read_dawg(data, kinds, 1, where)
    width = max(1, min(max_length, dawg.height))
    rows = np.zeros((dawg.words, width), np.uint8)
    lengths = np.zeros(dawg.words, np.uint8)
    letters = np.zeros((1, 0), np.uint8)
    for length, level in enumerate(levels(dawg, width), 1):
        letters = np.column_stack((letters[level.parent], dawg.tile[level.node]))
        words = np.flatnonzero(dawg.accepts[level.node])
        rows[level.rank[words], :length] = letters[words]
        lengths[level.rank[words]] = length
    kept = lengths > 0
    too_long = int(len(kept) - kept.sum())
    if too_long:
        rows, lengths = rows[kept], lengths[kept]
    if not dawg.in_order:
        order = np.lexsort(rows.T[::-1])
        rows, lengths = rows[order], lengths[order]
        if len(rows) > 1 and (rows[1:] == rows[:-1]).all(axis=1).any():
            raise LexiconFileError(f"{where}: a list has the same tile twice")
    return Words(rows, lengths, too_long)


def pack_nodes(
    tile: NDArray[np.integer], accepts: NDArray[np.integer | np.bool_],
    last: NDArray[np.bool_], arc: NDArray[np.integer],
) -> bytes:  # fmt: skip
    """Bytes of a KWG's nodes. Raises LexiconFileError for more than MAX_NODES."""
    if len(tile) > MAX_NODES:
        raise LexiconFileError(
            f"{len(tile)} nodes, but a KWG has room for {MAX_NODES} (its arcs have 22 bits)"
        )
    nodes = tile.astype(np.uint32) << np.uint32(24) | arc.astype(np.uint32)
    nodes |= accepts.astype(np.uint32) << np.uint32(23) | last.astype(np.uint32) << np.uint32(22)
    return nodes.astype("<u4").tobytes()


def write_kwg(lexicon: Lexicon) -> bytes:
    """A lexicon as a KWG with DAWG and GADDAG, a sibling list for each state of its graph.

    Raises LexiconFileError where it needs more than MAX_NODES nodes.
    """
    graph = lexicon.graph
    states, masks = _states(graph, (lexicon.dawg_root, lexicon.gaddag_root), lexicon.wide)
    sizes = np.bitwise_count(masks).astype(np.int64)
    starts = 2 + np.cumsum(sizes) - sizes
    count = 2 + int(sizes.sum())
    if count > MAX_NODES:
        raise LexiconFileError(
            f"lexicon {lexicon.info.name!r} needs {count} nodes, but a KWG has room for {MAX_NODES}"
            " (its arcs have 22 bits)"
        )
    list_at = np.zeros(len(graph), np.int64)
    list_at[states] = starts
    tile, arc = np.zeros(count, np.int64), np.zeros(count, np.int64)
    accepts, last = np.zeros(count, np.bool_), np.zeros(count, np.bool_)
    arc[0], arc[1] = list_at[lexicon.dawg_root], list_at[lexicon.gaddag_root]
    last[:2] = True
    last[starts + sizes - 1] = True
    head = 1 + lexicon.wide
    for letter in range(lexicon.info.kinds):
        having, index = _children(masks, letter)
        node = starts[having] + index
        word = graph[states[having] + head + index]
        tile[node] = letter
        arc[node] = list_at[word >> 1]
        accepts[node] = word & 1
    return pack_nodes(tile, accepts, last, arc)


def _children(masks: NDArray[np.uint64], letter: int) -> tuple[Ints, Ints]:
    """Which masks have a letter, and the letter's place among their children."""
    having = np.flatnonzero(masks >> np.uint64(letter) & np.uint64(1))
    below = masks[having] & np.uint64((1 << letter) - 1)
    return having, np.bitwise_count(below).astype(np.int64)


def _states(
    graph: NDArray[np.uint32], roots: tuple[int, int], wide: bool
) -> tuple[Ints, NDArray[np.uint64]]:
    """Offsets and masks of every state that the roots lead to, in the order of the graph."""
    seen = np.zeros(len(graph), np.bool_)
    fresh = np.unique(np.array(roots, np.int64))
    fresh = fresh[fresh > 0]
    head = 1 + wide
    while len(fresh):
        seen[fresh] = True
        sizes = np.bitwise_count(_masks(graph, fresh, wide)).astype(np.int64)
        shift = np.cumsum(sizes) - sizes
        words = np.arange(int(sizes.sum())) + np.repeat(fresh + head - shift, sizes)
        children = np.unique(graph[words] >> 1).astype(np.int64)
        fresh = children[(children > 0) & ~seen[children]]
    states = np.flatnonzero(seen)
    return states, _masks(graph, states, wide)


def _masks(graph: NDArray[np.uint32], states: Ints, wide: bool) -> NDArray[np.uint64]:
    masks = graph[states].astype(np.uint64)
    return masks | graph[states + 1].astype(np.uint64) << np.uint64(32) if wide else masks
