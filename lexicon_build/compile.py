"""A clean word list to a Lexicon: the graph for the kernels and the trie for look-ups."""

from __future__ import annotations

import hashlib

import marisa_trie
import numpy as np

from engine.lexicon.lexicon import Lexicon, LexiconInfo
from engine.rules.tiles import TileSet
from lexicon_build.graph import build_graph
from lexicon_build.wordlist import WordList


def compile_lexicon(words: WordList, tiles: TileSet, *, name: str, **texts: str) -> Lexicon:
    """The lexicon of a word list.

    ``texts`` go into its info: origin, version, licence, date, comment; ``source_hash`` is the
    SHA-256 of the letters unless it is given. The same words give the same bytes.
    Raises LexiconFileError where there are too many words for a graph.
    """
    texts.setdefault("source_hash", hashlib.sha256(words.rows.tobytes()).hexdigest())
    graph = build_graph(words.rows, words.lengths, tiles.kinds)
    info = LexiconInfo.for_tiles(
        tiles,
        name=name,
        words=len(words),
        longest=int(words.lengths.max(initial=0)),
        **texts,
    )
    trie = marisa_trie.Trie(_keys(words))
    return Lexicon(info, graph.words, graph.dawg_root, graph.gaddag_root, graph.wide, trie)


def _keys(words: WordList) -> list[str]:
    """The trie's keys, one character a tile (engine/lexicon/lexicon.py)."""
    if not len(words):
        return []
    shifted = np.where(words.rows > 0, words.rows + 64, 0).astype(np.uint8)
    width = words.rows.shape[1]
    return [key.decode("latin-1") for key in shifted.view(f"S{width}").ravel().tolist()]
