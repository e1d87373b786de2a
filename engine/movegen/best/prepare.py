"""A search made ready for some rules and a lexicon."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.lexicon.alphagrams import Alphagrams, alphagrams
from engine.lexicon.lexicon import Lexicon
from engine.movegen.best.record import SEARCH, attach_tables
from engine.movegen.equity import OPENING_VOWEL_MP
from engine.rules.rules import Rules


def tables_of(lexicon: Lexicon) -> Alphagrams:
    """The alphagram tables of a lexicon, made once and kept with it."""
    kept: Alphagrams | None = lexicon.__dict__.get("_alphagrams")
    if kept is None:
        kept = alphagrams(lexicon)
        lexicon.__dict__["_alphagrams"] = kept
    return kept


def new_search(rules: Rules, lexicon: Lexicon) -> NDArray[np.void]:
    """An array of one SEARCH record, for as long as the lexicon lives."""
    made, tables = np.zeros(1, SEARCH), tables_of(lexicon)
    attach_tables(
        made[0], tables.filter, tables.filter_shift, tables.slots, tables.slot_shift,
        tables.print_shift, tables.words, tables.width, tables.number,
    )  # fmt: skip
    made["hot"] = sum(1 << (col + 1) for _, col in rules.layout.hotspots(True))
    made["vowels"] = sum(1 << letter for letter, vowel in enumerate(rules.tiles.vowels) if vowel)
    made["vowel_mp"] = OPENING_VOWEL_MP
    return made
