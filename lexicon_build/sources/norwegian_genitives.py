"""Which forms of the Norwegian dictionary are genitives.

The affix rules do not say what they mean, so a genitive is told by the rule that made it and by the
entry's other flags: a plain -s is the genitive of a noun but the passive of a verb.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lexicon_build.hunspell import Affix, Entry, Form
from lexicon_build.sources import words_by_hand

_ALWAYS = "DFH"  # -as, -ers, -enes
_PLAIN = "J"  # -s
_LONG = "K"  # -es
_ADJECTIVE = "Xw"  # comparison; -het


class Genitives:
    """Tells the genitives among the forms of a dictionary."""

    def __init__(self, entries: Iterable[Entry], affixes: dict[str, Affix]) -> None:
        self._affixes = affixes
        self._changes = {
            flag: {(rule.strip, rule.add) for rule in affix.rules}
            for flag, affix in affixes.items()
        }
        self._infinitives = {entry.word for entry in entries if is_infinitive(entry)}
        self._none = words_by_hand("norwegian_no_genitives.txt")

    def made(self, form: Form) -> bool:
        """Whether a form is a genitive that a rule makes."""
        rule, stem = form.suffix, form.entry.word
        if rule is None or not form.word.endswith("s"):
            return False
        if rule.flag in _ALWAYS:
            return True
        if rule.flag == _PLAIN:
            return not is_infinitive(form.entry)
        if rule.flag == _LONG:
            # kast-es, hus-es: passives of imperatives and participles; syk-es, bilen-es: genitives
            passive = stem + "e" in self._infinitives
            passive |= stem[-1] in "td" and stem[:-1] + "e" in self._infinitives
            if rule.add != "es" or passive:
                return False
            genitive = stem.endswith(("en", "ig", "isk", "syk", "t"))
            return genitive or _any(_ADJECTIVE, form.entry.flags)
        # -ens where the same flag makes -en
        return (rule.strip, rule.add[:-1]) in self._changes[rule.flag]

    def doubtful(self, form: Form) -> bool:
        """Whether a form is an entry in -s that has no rules to tell what it is."""
        return (
            form.suffix is None
            and form.word.endswith("s")
            and not any(
                flag != "W" and flag in self._affixes and self._affixes[flag].suffix
                for flag in form.entry.flags
            )
        )

    def entered(self, word: str, nominative: str, words: Collection[str]) -> bool:
        """Whether a doubtful entry is a genitive: of a word of the list that is no infinitive."""
        return (
            len(word) > 4
            and word not in self._none
            and nominative in words
            and nominative not in self._infinitives
        )


def is_infinitive(entry: Entry) -> bool:
    """Whether an entry is a verb, by its flags: they make a present participle, a past tense, an
    imperative, or a present tense and no forms of a noun."""
    word, flags = entry.word, entry.flags
    if word[-1] in "aiouyøå":
        return _any("SPQL", flags)
    if word[-1] != "e":
        return False
    if "S" in flags:
        return True
    if word.endswith("ere") and "A" in flags:  # -er: who does something
        return False
    if word.endswith(("ene", "ane")) and "E" not in flags:  # a noun in the plural
        return False
    return _any("PQOMTR", flags) or (_any("EWUYt", flags) and not _any("ABDFGH", flags))


def _any(some: str, flags: str) -> bool:
    return any(flag in flags for flag in some)
