"""Finding words: checks, patterns, anagrams, hooks, prefixes. The trie alone: no numpy, no numba.

Results are words as letters, in the order of the letters, a prefix before what it begins.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import NamedTuple

from engine.errors import NotationError
from engine.lexicon.lexicon import Lexicon, from_key, to_key

Word = tuple[int, ...]


class Hooks(NamedTuple):
    """Letters that make another word in front of a word, and behind it."""

    front: tuple[int, ...]
    back: tuple[int, ...]


def check_words(lexicon: Lexicon, words: Iterable[str]) -> list[tuple[str, bool]]:
    """Each text with whether it is a word; what cannot be read is none."""
    return [(word, word in lexicon) for word in words]


def match_pattern(
    lexicon: Lexicon, pattern: str, shortest: int = 0, longest: int = 99
) -> list[Word]:
    """Words that fit a pattern: ``?`` or ``.`` any tile, ``*`` any tiles or none.

    Letters are read as in word lists, the longest tile first; brackets hold one tile. Raises
    NotationError.
    """
    parts = re.findall(r"\*+|[?.]|(?:\[[^\]]*\]?|[^*?.\[])+", pattern.strip())
    segments = [""]  # regular expressions of what stands between the runs
    fixed = ""  # what every word begins with
    for number, part in enumerate(parts):
        if part[0] == "*":
            segments.append("")
        elif part in "?.":
            segments[-1] += "."
        else:
            key = to_key(lexicon.parse(part))
            segments[-1] += re.escape(key)
            fixed = key if number == 0 else fixed
    first, *middle, last = segments if len(segments) > 1 else (segments[0], "")
    # a run ends where its segment first fits, for good (atomic): so nothing is tried twice
    inner = "".join(f"(?>.*?{segment})" for segment in middle)
    regex = first + inner + (".*" + last if len(segments) > 1 else "")
    return _words(_keys(lexicon, fixed, regex, shortest, longest))


def find_anagrams(lexicon: Lexicon, rack: str, shortest: int = 2, longest: int = 99) -> list[Word]:
    """Words of some or all tiles of a rack (``AEINR?``). Raises NotationError."""
    letters = lexicon.info.tiles.parse_rack(rack)
    if not letters:
        raise NotationError("a rack without tiles")
    blanks = letters.count(0)
    have = Counter(to_key(letter for letter in letters if letter))
    own = "".join(map(re.escape, have))
    within = f"[{own}]*" if own else ""
    without = f"[^{own}]" if own else "."
    candidates = _keys(
        lexicon,
        "",
        f"{within}(?:{without}{within}){{0,{blanks}}}",
        shortest,
        min(longest, len(letters)),
    )
    found = []
    for key in candidates:
        missing = 0
        for char in set(key):
            more = key.count(char) - have[char]
            if more > 0:
                missing += more
        if missing <= blanks:
            found.append(key)
    return _words(found)


def find_hooks(lexicon: Lexicon, word: str) -> Hooks:
    """Letters that make another word before or after a word (which need not be one itself).

    Raises NotationError.
    """
    letters = lexicon.parse(word)
    if not letters:
        raise NotationError("hooks of no word")
    every = range(1, lexicon.info.kinds)
    return Hooks(
        tuple(letter for letter in every if lexicon.has((letter, *letters))),
        tuple(letter for letter in every if lexicon.has((*letters, letter))),
    )


def find_prefix(lexicon: Lexicon, prefix: str, shortest: int = 0, longest: int = 99) -> list[Word]:
    """Words that begin with a text. Raises NotationError."""
    start = to_key(lexicon.parse(prefix))
    return _words([k for k in lexicon.trie.keys(start) if shortest <= len(k) <= longest])


def _keys(lexicon: Lexicon, prefix: str, regex: str, shortest: int, longest: int) -> list[str]:
    """Keys with a prefix, of so many tiles, that a regular expression fits as a whole."""
    length = f"(?=.{{{max(shortest, 0)},{max(longest, 0)}}}\\Z)" if shortest <= longest else "(?!)"
    fits = re.compile(length + regex, re.DOTALL).fullmatch
    return [key for key in lexicon.trie.keys(prefix) if fits(key)]


def _words(keys: list[str]) -> list[Word]:
    return [from_key(key) for key in sorted(keys)]
