"""Finnish: entries of dictionaries as Voikko's transducer and word list know them, and compounds
and derived words where they are attested.

Nouns, adjectives, pronouns and numerals stand in the nominative, singular and plural; verbs in the
first and the fourth infinitive. The list is made of

- what the transducer lists as such (KOIRA, KOIRAT, TEHDÄ, TEKEMINEN), from pyvoikko;
- the entries of Joukahainen and their forms, from voikko;
- compounds and derived words that the transducer accepts and that texts use, from wordfreq, their
  base forms, and the plurals of such compounds;
- some interjections by hand, less some abbreviations.

No other inflected form, possessive, clitic or comparative, no name. Words with a letter of which
there is no tile (Q, X, Z, Å, Š, Ž) are in the list: a blank may stand for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Set

from lexicon_build.packages import WORDFREQ, Package, attested_words
from lexicon_build.sources import Progress, Source, SourceWords, words_by_hand
from lexicon_build.sources.finnish_joukahainen import VOIKKO, inflected_words
from lexicon_build.sources.finnish_readings import (
    Reading,
    entries_grammar,
    read_words,
    roman_numerals,
    simple_words,
)
from lexicon_build.sources.finnish_transducer import LETTERS, read_transducer
from lexicon_build.sources.finnish_walk import LONGEST

PYVOIKKO = Package("pyvoikko", "0.6")

_LETTERS = frozenset(LETTERS)
Readings = Mapping[str, list[Reading]]


def _make(progress: Progress) -> SourceWords:
    progress("reading Voikko's transducer")
    transducer = read_transducer(PYVOIKKO.file("pyvoikko/voikko.kfst"))
    progress("collecting the words that are no compounds")
    simple = _playable(simple_words(transducer))
    listed = inflected_words()
    fourth = {form for verb in listed.fourth.keys() - simple for form in listed.fourth[verb]}
    known = simple | _playable(listed.words | fourth) | words_by_hand("finnish_more.txt")
    progress("analysing attested words")
    grammar = entries_grammar(transducer)
    attested = read_words(transducer, grammar, attested_words("fi"))
    progress("analysing base forms and plurals of attested words")
    bases = read_words(transducer, grammar, _bases(attested, known | attested.keys()))
    nouns = {**attested, **bases}
    plurals = read_words(transducer, grammar, _plurals(nouns, listed.plurals, known | nouns.keys()))

    words = known | nouns.keys() | plurals.keys()
    dropped = words_by_hand("finnish_less.txt") | roman_numerals(transducer, words)
    notes = (
        f"{len(simple)} words that Voikko's transducer lists as such",
        f"{len(known - simple)} more from the list Joukahainen and by hand",
        f"{len(attested.keys() - known)} compounds and derived words that texts use",
        f"{len(bases)} base forms and {len(plurals)} plurals of these",
        "compounds that no text uses are left out, and all cases but the nominative",
    )
    return SourceWords("\n".join(sorted(_playable(words - dropped))), notes)


def _playable(words: Iterable[str]) -> set[str]:
    return {word for word in words if 2 <= len(word) <= LONGEST and _LETTERS.issuperset(word)}


def _bases(readings: Readings, known: Set[str]) -> set[str]:
    """Base forms of words of which none is known yet."""
    found = set()
    for some in readings.values():
        bases = {x.base for x in some if x.kind == "N" and x.parts == some[0].parts}
        if not bases & known:  # else VERHOTANGOT would give VERHOTANGO beside VERHOTANKO
            found |= bases
    return _playable(found)


def _plurals(readings: Readings, plurals: Mapping[str, str], known: Set[str]) -> set[str]:
    """Plurals of the compounds among some words, made from that of the last part.

    A word of several readings has the plural that is known already, else those of its fewest parts:
    KRIISIPALAVERI is KRIISI + PALAVERI, not KRIISI + PALA + VERI.
    """
    found = set()
    for word, some in readings.items():
        made = [
            (x.parts, word.removesuffix(x.last) + plurals[x.last])
            for x in some
            if x.kind == "N" and not x.plural and x.base == word
            and x.last in plurals and word.endswith(x.last)
        ]  # fmt: skip
        if made and known.isdisjoint(plural for _, plural in made):
            found |= {plural for parts, plural in made if parts == made[0][0]}
    return _playable(found)


SOURCE = Source(
    name="finnish",
    packages=(PYVOIKKO, VOIKKO, WORDFREQ),
    origin="Voikko's transducer (voikko-fi, PyPI pyvoikko 0.6), the list Joukahainen (PyPI voikko"
    " 0.5), compounds attested in wordfreq 3.1.1",
    licence="GPL-3 or later (voikko-fi in pyvoikko), GPL-2 or later (Joukahainen in voikko);"
    " attested by wordfreq data, CC BY-SA 4.0",
    date="2024-10-11",
    make=_make,
)
