"""Which analyses make a word an entry of a dictionary, and the base form that they tell.

Wanted are nouns, adjectives, pronouns and numerals in the nominative, singular and plural, verbs in
the first infinitive (TEHDÄ) and the fourth (TEKEMINEN), and words that are not inflected. Not
wanted: other cases, possessives, clitics, comparatives, participles, names, abbreviations.

Voikko's tags: ``[L.]`` class of word (n noun, l adjective, nl both, r pronoun, u numeral, t verb,
s adverb, c conjunction, h interjection, d adposition, k negation, e. name, a abbreviation, ur Roman
numeral), ``[S.]`` case, ``[Nm]`` plural, ``[T.]`` mood, ``[C.]`` comparison, ``[R.]`` participle,
``[F.]`` clitic, ``[O.]`` possessive, ``[Dg]`` derived from a name, ``[Bc]`` joint of a compound.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple, cast

from lexicon_build.sources.finnish_transducer import Transducer
from lexicon_build.sources.finnish_walk import (
    Grammar,
    Path,
    all_paths,
    make_grammar,
    paths_of_words,
)

NOMINALS = ("[Ln]", "[Ll]", "[Lnl]", "[Lr]", "[Lu]")
PARTICLES = ("[Ls]", "[Lc]", "[Lh]", "[Ld]", "[Lk]")
_NAMES = ("[Lee]", "[Les]", "[Lep]", "[Lem]", "[La]", "[Lur]")
_VOWELS = frozenset("aeiouyäöå")


class Reading(NamedTuple):
    """What one analysis says of a word that a dictionary may list."""

    parts: int  #: of a compound, else 1
    kind: str  #: N noun or the like, V verb, X not inflected
    plural: bool
    base: str  #: base form
    last: str  #: base form of the last part of a compound, or of the whole


# -- words without joints --------------------------------------------------------------------------

_SIMPLE = {
    *((word, *number) for word in NOMINALS for number in (("[Sn]",), ("[Sn]", "[Nm]"))),
    *((word,) for word in PARTICLES if word != "[Lk]"),
    ("[Lt]", "[Tn1]"),
    ("[Lt]", "[Tn4]", "[Sn]"),
}
_BEGUN = {tags[:length] for tags in _SIMPLE for length in range(len(tags) + 1)}
#: tags that say nothing of the form
_NOTES = {"[X]", "[Xp]", "[Xj]", "[Xr]", "[Ny]", "[Eb]", "[De]", "[Dg]", "[Ion]"}


def simple_words(transducer: Transducer) -> set[str]:
    """Every entry of up to 15 letters that Voikko lists as such, neither compound nor derived."""

    def step(tags: tuple[str, ...], tag: str) -> tuple[str, ...] | None:
        if tag in _NOTES:
            return tags
        return (*tags, tag) if (*tags, tag) in _BEGUN else None

    start: tuple[str, ...] = ()
    grammar = make_grammar(
        transducer, start, step, lambda tags: "word" if tags in _SIMPLE else None
    )
    return {path.word for path in all_paths(transducer, grammar)}


# -- analyses of given words -----------------------------------------------------------------------


class _Facts(NamedTuple):
    """What the tags so far say; all but the first two of the last part that has a class."""

    name: bool = False
    from_name: bool = False
    joint: bool = False  # a part has begun whose class is not known yet
    kind: str = ""  # [Ln] or N for another nominal, V, [Ls] or X for another particle, ?
    listed: bool = False  # there was a nominative, a first infinitive or a particle
    participle: bool = False
    compared: bool = False
    mood: str = ""
    case: str = ""
    plural: bool = False


def _next_facts(facts: _Facts, tag: str) -> _Facts | None:
    if tag == "[Bc]":
        return facts._replace(joint=True)
    if tag == "[Dg]":
        return facts._replace(from_name=True)
    match tag[1]:
        case "F" | "O":
            return None
        case "L":
            return _with_class(facts, tag)
        case "S":
            nominative = tag == "[Sn]"
            return facts._replace(
                case="n" if nominative else "?", listed=facts.listed or nominative
            )
        case "T":
            mood = tag if tag in ("[Tn1]", "[Tn4]") else "?"
            return facts._replace(mood=mood, listed=facts.listed or mood == "[Tn1]")
        case "N":
            return facts._replace(plural=tag == "[Nm]")
        case "R":
            return facts._replace(participle=True)
        case "C":
            return facts._replace(compared=True)
    return facts


def _with_class(facts: _Facts, tag: str) -> _Facts:
    if facts.joint:  # a part of its own; a part without a class (-TOISTA) leaves the facts alone
        facts = _Facts(facts.name, facts.from_name)
    kind = "N" if tag in NOMINALS else "V" if tag == "[Lt]" else "X" if tag in PARTICLES else "?"
    return facts._replace(
        name=facts.name or tag in _NAMES,
        kind=tag if tag in ("[Ln]", "[Ls]") else kind,
        listed=facts.listed or kind == "X",
        participle=facts.participle and tag not in ("[Ln]", "[Ls]"),  # -VUUS, -MATTOMUUS
        compared=False,
    )


def _entry(facts: _Facts) -> tuple[str, bool] | None:
    """(kind, plural) of an entry, else None."""
    kind = {"[Ln]": "N", "[Ls]": "X"}.get(facts.kind, facts.kind)
    refused = (
        (facts.name and not facts.from_name)
        or not facts.listed
        or facts.participle
        or (facts.compared and facts.kind != "[Ln]")  # VANHEMPI is a noun too
    )
    wanted = {
        "N": facts.case == "n" and facts.mood in ("", "[Tn4]"),
        "V": facts.mood == "[Tn1]"
        or (facts.mood == "[Tn4]" and facts.case == "n" and not facts.plural),
        "X": True,
    }
    return (kind, facts.plural) if not refused and wanted.get(kind, False) else None


def entries_grammar(transducer: Transducer) -> Grammar:
    """The grammar of entries; a label is (kind, plural)."""
    return make_grammar(transducer, _Facts(), _next_facts, _entry)


def read_words(
    transducer: Transducer, grammar: Grammar, words: Iterable[str]
) -> dict[str, list[Reading]]:
    """The readings of those words that are entries, those with the fewest parts first."""
    found: dict[str, set[Reading]] = defaultdict(set)
    for path in paths_of_words(transducer, grammar, words):
        reading = _reading(path)
        if reading is not None:
            found[path.word].add(reading)
    return {word: sorted(some) for word, some in found.items()}


def roman_numerals(transducer: Transducer, words: Iterable[str]) -> set[str]:
    """Those words that are Roman numerals, whatever else they are."""
    grammar = make_grammar(
        transducer,
        "",
        lambda state, tag: tag if tag == "[Lur]" else state,
        lambda state: state or None,
    )
    candidates = [word for word in words if frozenset("ivxlcdm").issuperset(word)]
    return {path.word for path in paths_of_words(transducer, grammar, candidates)}


def _reading(path: Path) -> Reading | None:
    """The reading of a path; None where it is no spelling or no entry after all."""
    kind, plural = cast(tuple[str, bool], path.label)
    parts = [part for part in path.output.split("[Bc]") if "[L" in part]
    surfaces = [_surface(part) for part in parts]
    for before, after in pairwise(surfaces):
        if before[-1:] == after[:1] and after[:1] in _VOWELS:
            return None  # LINJA-AUTO: spelt with a hyphen
    last = _base(parts[-1]) or surfaces[-1]
    base = "".join(surfaces[:-1]) + last
    if kind == "X" and base != path.word:
        return None
    return Reading(len(parts), kind, plural, base, last)


def _surface(part: str) -> str:
    """What a part of an analysis reads: all but the tags and what stands in ``[Xp]..[X]``."""
    return re.sub(r"\[X[pjrs]\].*?(\[X\]|$)|\[.*?\]|=", "", part).lower()


def _base(part: str) -> str:
    """The base form that a part of an analysis tells: up to its last ``[Xp]`` and in it."""
    head, found, tail = re.sub(r"\[Xj\]", "[Xp]", part).rpartition("[Xp]")
    if not found:
        return ""
    return _surface(head) + re.sub(r"\[.*?\]|=", "", tail.partition("[X]")[0]).lower()
