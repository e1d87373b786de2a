"""The exceptions that the library raises on purpose.

    QuixotryError
    ├── NotationError       a text (rack, move, CGP, coordinate) that cannot be read
    ├── IllegalPlay         a play that can be read but is not allowed; ``.reason`` says why
    ├── RulesError          a tile set, layout or rules file with something wrong in it
    └── LexiconFileError    a word list, lexicon, graph or leave file that cannot be used

All of them are ``ValueError`` too. A message says what was given, what was expected and where.
"""


class QuixotryError(ValueError):
    """Base of every error raised on purpose."""


class NotationError(QuixotryError):
    """A text that cannot be read."""


class IllegalPlay(QuixotryError):
    """A play that is not allowed; ``reason`` is the rule it breaks, without the play's text."""

    def __init__(self, play: str, reason: str) -> None:
        super().__init__(f"{play}: {reason}")
        self.play = play
        self.reason = reason


class RulesError(QuixotryError):
    """A tile set, layout or rules definition that does not hold together."""


class LexiconFileError(QuixotryError):
    """A word list, lexicon, graph or leave file that cannot be used."""
