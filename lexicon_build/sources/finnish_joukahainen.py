"""The word list Joukahainen in the package voikko, inflected by the package's own rules.

``sanat.txt`` has an entry a line, ``joukko=liikenne;subst-hame``: ``=`` at the joints of a
compound, and after the semicolon how the word is inflected.
"""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from typing import Any, NamedTuple

from engine.errors import LexiconFileError
from engine.files import read_text
from lexicon_build.packages import Package
from lexicon_build.sources.finnish_transducer import LETTERS

VOIKKO = Package("voikko", "0.5")

_RULES = {"subst": "voikko/subst.aff", "verbi": "voikko/verb.aff"}
_PLURAL = "nominatiivi_mon"
_WANTED = ("nominatiivi", _PLURAL, "infinitiivi_1", "minen")
#: last parts of compounds whose class is "irregular" or that are never listed alone
_PLURALS = {"yö": "yöt", "työ": "työt", "tie": "tiet", "mies": "miehet", "vyö": "vyöt"}


class Inflected(NamedTuple):
    """What the list gives."""

    words: set[str]  #: entries and their forms, nominative plural and both infinitives
    plurals: dict[str, str]  #: of nouns, by their singular


def inflected_words() -> Inflected:
    """The list's words and forms, lower case. Raises LexiconFileError."""
    rules = _read_rules()
    words: set[str] = set()
    plurals = dict(_PLURALS)
    for entry, kind, inflection in _entries():
        plain = entry.replace("=", "")
        words.add(plain)
        for name, form in _forms(rules[kind], plain, inflection):
            words.add(form)
            if name == _PLURAL:
                plurals.setdefault(plain, form)
    return Inflected(words, plurals)


def _entries() -> Iterator[tuple[str, str, str]]:
    """Entry, kind (a key of _RULES) and inflection of the list's words in lower case."""
    path = VOIKKO.file("voikko/sanat.txt")
    letters = {*LETTERS, "="}
    for number, line in enumerate(read_text(path, LexiconFileError).splitlines(), 1):
        entry, found, inflected = line.strip().partition(";")
        kind, dash, inflection = inflected.partition("-")
        if not (found and dash):
            raise LexiconFileError(f"{path}: line {number}: not an entry expected")
        if letters.issuperset(entry) and kind in _RULES:
            yield entry, kind, inflection


def _read_rules() -> dict[str, list[Any]]:
    """The package's inflection types, by kind, with the rules of wanted forms only."""
    inflection: Any = importlib.import_module("voikko.voikkoinfl")
    rules = {}
    for kind, file in _RULES.items():
        types = inflection.readInflectionTypes(str(VOIKKO.file(file)))
        for type_ in types:
            type_.inflectionRules = [x for x in type_.inflectionRules if x.name in _WANTED]
        rules[kind] = types
    return rules


def _forms(types: list[Any], word: str, inflection: str) -> list[tuple[str, str]]:
    """Names and spellings of a word's wanted forms; none where the rules do not know it."""
    if inflection.startswith("poikkeava"):  # irregular
        return []
    inflect: Any = importlib.import_module("voikko.voikkoinfl").inflectWord
    try:
        return [(x.formName, x.inflectedWord) for x in inflect(word, inflection, types)]
    except IndexError:  # a word too short for the rules to look at its end
        return []
