"""pytest-benchmark: reading and compiling the bundled list's words."""

from __future__ import annotations

from typing import Any

import engine as eng
from engine.rules.tiles import find_tile_set
from lexicon_build.compile import compile_lexicon
from lexicon_build.wordlist import parse_word_list


def test_compile_english(benchmark: Any) -> None:
    english = find_tile_set("english")
    text = "\n".join(eng.load_lexicon("english").trie.keys())

    def run() -> int:
        return len(compile_lexicon(parse_word_list(text, english), english, name="bench"))

    assert benchmark.pedantic(run, rounds=3, warmup_rounds=1) == 168_548
