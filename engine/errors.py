"""The exceptions that the library raises on purpose, and how their messages quote what was given.

    QuixotryError
    ├── NotationError       a text (rack, move, CGP, coordinate) that cannot be read
    ├── IllegalPlay         a play that can be read but is not allowed; ``.reason`` says why
    ├── RulesError          a tile set, layout or rules file with something wrong in it
    └── LexiconFileError    a word list, lexicon, graph or leave file that cannot be used

All of them are ``ValueError`` too. A message is one printable line that says what was given, what
was expected and where.
"""

from __future__ import annotations

_MOST_QUOTED = 60


class QuixotryError(ValueError):
    """Base of every error raised on purpose."""

    prefix = ""  #: where it happened, before the message

    def add_prefix(self, where: str) -> None:
        """Begin the message with a place, such as ``games.cgp, line 3: ``."""
        self.prefix = where + self.prefix

    def __str__(self) -> str:
        return printable(self.prefix + super().__str__())


class NotationError(QuixotryError):
    """A text that cannot be read."""


class IllegalPlay(QuixotryError):
    """A play that is not allowed; ``reason`` is the rule it breaks, without the play's text."""

    def __init__(self, play: str, reason: str) -> None:
        super().__init__(play, reason)
        self.play = play
        self.reason = reason

    def __str__(self) -> str:
        return printable(f"{self.prefix}{brief(self.play)}: {self.reason}")


class RulesError(QuixotryError):
    """A tile set, layout or rules definition that does not hold together."""


class LexiconFileError(QuixotryError):
    """A word list, lexicon, graph or leave file that cannot be used."""


def printable(text: str) -> str:
    """A text as one line: what a terminal might obey or not show is escaped as in ``repr``."""
    if text.isprintable():
        return text
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)


def brief(text: str) -> str:
    """A text that may be long or unprintable, for a message."""
    return printable(text if len(text) <= _MOST_QUOTED else text[: _MOST_QUOTED - 3] + "...")


def shorten(text: object) -> str:
    """The ``repr`` of something that may be long, for a message."""
    if isinstance(text, str):
        return repr(text if len(text) <= _MOST_QUOTED else text[: _MOST_QUOTED - 3] + "...")
    return brief(repr(text))
