"""What a game in the terminal says, in five languages: engine/app/texts/*.toml, a file a language.

``rules`` names the lexicon of the rules that a language is taken for; ``commands`` the words of
each command, the first one being shown, and ``help`` what it does; ``reasons`` why something
typed is refused: what the engine says, and how this language says it. A text whose key ends in
``_you`` is for a player without a name. A test holds all files to the same keys and places.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from textwrap import wrap

from engine.errors import QuixotryError, shorten
from engine.rules.rules import Rules

FOLDER = Path(__file__).resolve().parents[1] / "texts"
WIDTH = 79  #: columns that help takes at most
LANGUAGES = ("en", "fi", "pl", "hu", "nb")


@dataclass(frozen=True)
class Texts:
    """The texts of one language."""

    language: str
    rules: str
    words: Mapping[str, tuple[str, ...]]  #: command -> its words, the one to show first
    texts: Mapping[str, str]
    helps: Mapping[str, str]  #: command -> what it does; also ``word``, ``file`` and ``move``
    reasons: tuple[tuple[re.Pattern[str], str], ...]

    def say(self, key: str, **values: object) -> str:
        """A text with its places filled."""
        return self.texts[key].format(**values)

    def command(self, word: str) -> str | None:
        """The command that a word means, in any case: the words of this language and of English."""
        return self._meanings.get(word.casefold())

    @property
    def _meanings(self) -> Mapping[str, str]:
        return _meanings(self.language)

    def reason(self, said: str) -> str:
        """What the engine says, in this language and with its commands; as it is where that is not
        known."""
        for pattern, text in self.reasons:
            found = pattern.fullmatch(said)
            if found:
                commands = {"exchange": self.words["exchange"][0], "pass_": self.words["pass"][0]}
                inner = map(self.reason, found.groups())  # of a file that cannot be written, say
                return text.format(*inner, word=self.helps["word"], **commands)
        return said

    def help(self) -> Iterator[str]:
        """The lines that tell what may be typed."""
        after = {"exchange": " ABC", "save": f" {self.helps['file']}"}
        after["load"] = after["save"]
        rows = [(f"8D {self.helps['word']}", self.helps["move"])]
        rows += [
            (words[0] + after.get(name, ""), self.helps[name]) for name, words in self.words.items()
        ]
        width = max(len(left) for left, _ in rows)
        for left, right in rows:
            for line in wrap(right, WIDTH - width - 2):
                yield f"{left:<{width}}  {line}"
                left = ""


@cache
def find_texts(language: str) -> Texts:
    """The texts of a language by its code. Raises QuixotryError with the codes there are."""
    if language not in LANGUAGES:
        raise QuixotryError(f"no language {shorten(language)}; there are {', '.join(LANGUAGES)}")
    table = tomllib.loads((FOLDER / f"{language}.toml").read_text("utf-8"))
    return Texts(
        language,
        table["rules"],
        {name: tuple(words) for name, words in table["commands"].items()},
        table["texts"],
        table["help"],
        tuple((_pattern(said), text) for said, text in table["reasons"].items()),
    )


def _pattern(said: str) -> re.Pattern[str]:
    """What the engine says as a pattern: each ``{0}`` is any text."""
    parts = re.split(r"\{\d\}", said)
    return re.compile("(.+)".join(map(re.escape, parts)), re.DOTALL)


@cache
def _meanings(language: str) -> dict[str, str]:
    meanings: dict[str, str] = {}
    for texts in (find_texts("en"), find_texts(language)):
        for name, words in texts.words.items():
            meanings |= {word.casefold(): name for word in words}
    return meanings


def language_of(rules: Rules) -> str:
    """The language that goes with some rules: that of their lexicon, else English."""
    found = [code for code in LANGUAGES if find_texts(code).rules == rules.lexicon]
    return found[0] if found else "en"
