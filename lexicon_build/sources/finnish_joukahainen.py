"""The word list Joukahainen in the package voikko, inflected by the package's own rules.

``sanat.txt`` has an entry a line, ``primaari=kasvain;subst-uistin``: ``=`` at the joints of a
compound, and after the semicolon how the word is inflected.
"""

from __future__ import annotations

import copy
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
_PRESENT = "preesens_yks_1"
_FOURTH = "infinitiivi_4"
_WANTED = ("nominatiivi", _PLURAL, "infinitiivi_1")
#: last parts of compounds whose class is "irregular" or that are never listed alone
_PLURALS = {"yö": "yöt", "työ": "työt", "tie": "tiet", "mies": "miehet", "vyö": "vyöt"}


class Inflected(NamedTuple):
    """What the list gives, in lower case."""

    words: set[str]  #: entries, their nominative plurals and first infinitives
    plurals: dict[str, str]  #: of nouns, by their singular
    fourth: dict[str, set[str]]  #: fourth infinitives of verbs, by their first


def inflected_words() -> Inflected:
    """The list's words and forms. Raises LexiconFileError."""
    rules = _read_rules()
    found = Inflected(set(), dict(_PLURALS), {})
    for word, kind, inflection in _entries():
        found.words.add(word)
        for name, form in _forms(rules[kind], word, inflection):
            if name == _FOURTH:
                found.fourth.setdefault(word, set()).add(form)
                continue
            found.words.add(form)
            if name == _PLURAL:
                found.plurals.setdefault(word, form)
    return found


def _entries() -> Iterator[tuple[str, str, str]]:
    """Word, kind (a key of _RULES) and inflection of the list's entries in lower case."""
    path = VOIKKO.file("voikko/sanat.txt")
    letters = {*LETTERS, "="}
    for number, line in enumerate(read_text(path, LexiconFileError).splitlines(), 1):
        entry, found, inflected = line.strip().partition(";")
        kind, dash, inflection = inflected.partition("-")
        if not (found and dash):
            raise LexiconFileError(f"{path}: line {number}: not an entry expected")
        if letters.issuperset(entry) and kind in _RULES:
            yield entry.replace("=", ""), kind, inflection


def _read_rules() -> dict[str, list[Any]]:
    """The package's inflection types, by kind, with the rules of wanted forms only."""
    inflection: Any = importlib.import_module("voikko.voikkoinfl")
    found = {}
    for kind, file in _RULES.items():
        found[kind] = inflection.readInflectionTypes(str(VOIKKO.file(file)))
        for type_ in found[kind]:
            present = [rule for rule in type_.inflectionRules if rule.name == _PRESENT]
            type_.inflectionRules = [
                *(rule for rule in type_.inflectionRules if rule.name in _WANTED),
                *(_fourth_infinitive(rule, type_.gradation) for rule in present),
            ]
    return found


def _fourth_infinitive(present: Any, gradation: Any) -> Any:
    """The rule of the fourth infinitive, which the package lacks, from that of the present.

    -MINEN for the -N; where the present weakens a stem that is strong (AIKOA, AION), the strong one
    again (AIKOMINEN).
    """
    grades: Any = importlib.import_module("voikko.voikkoutils")
    rule = copy.copy(present)
    rule.name = _FOURTH
    rule.addSuffix = present.addSuffix.removesuffix("n") + "minen"
    if gradation == grades.GRAD_SW:
        rule.gradation = grades.GRAD_STRONG
    return rule


def _forms(types: list[Any], word: str, inflection: str) -> list[tuple[str, str]]:
    """Names and spellings of a word's wanted forms; none where the rules do not know it."""
    if inflection.startswith("poikkeava"):  # irregular
        return []
    inflect: Any = importlib.import_module("voikko.voikkoinfl").inflectWord
    try:
        return [(x.formName, x.inflectedWord) for x in inflect(word, inflection, types)]
    except IndexError:  # a word too short for the rules to look at its end
        return []
