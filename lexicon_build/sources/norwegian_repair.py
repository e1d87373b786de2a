"""Norwegian words with oe, ae, aa that the dictionary has lost: noe, poeng, sofaen, broer.

The dictionary lost nearly every word with one of these pairs inside, as if they had been taken for
ø, æ, å. Of nouns in -o and -a (sofa, bro) the entries are there without the rules of a noun.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from lexicon_build.hunspell import Entry
from lexicon_build.sources import words_by_hand

_PAIRS = ("oe", "ae", "aa")
_LETTERS = frozenset("abcdefghijklmnopqrstuvwxyzæøå")
_NOUN = frozenset("ABEFGHN")  # flags of nouns
_GENITIVE = frozenset(["ens", "nes"])  # endings that are words as well


def lost_entries() -> list[Entry]:
    """Entries of lost words that are no part of another one, made by hand."""
    lines = sorted(words_by_hand("norwegian_lost.txt"))
    return [Entry(word, flags) for word, _, flags in (line.partition("/") for line in lines)]


def forms_put_back(
    entries: Iterable[Entry], lost: set[str], words: Collection[str], attested: set[str]
) -> set[str]:
    """Lost forms, of 2 to 15 letters.

    ``lost``: those of lost_entries. Nouns in -o and -a get their forms where ``attested`` has the
    singular with -en or -et; compounds with a lost form as first or last part where it has them.
    """
    made = lost | _noun_forms(entries, words, attested)
    tails = {word for word in made if len(word) > 3 and _damaged(word)}
    heads = {word for word, flags, _ in lost_entries() if len(word) > 4 and _NOUN & set(flags)}
    for word in attested:
        if _damaged(word) and _LETTERS.issuperset(word):
            parts = [(word[:at], word[at:]) for at in range(3, len(word) - 2)]
            if any(
                (tail in tails and _is_linked(head, words))
                or (_is_linked(head, heads) and tail in words and tail not in _GENITIVE)
                for head, tail in parts
            ):
                made.add(word)
    return {word for word in made if 2 <= len(word) <= 15}


def _damaged(word: str) -> bool:
    return any(pair in word for pair in _PAIRS)


def _is_linked(head: str, words: Collection[str]) -> bool:
    """Whether the first part of a compound is one of some words, perhaps with a linking s."""
    return head in words or head.rstrip("s") in words


def _noun_forms(entries: Iterable[Entry], words: Collection[str], attested: set[str]) -> set[str]:
    open_ended: dict[str, set[str]] = {}  # words in -o and -a, with all flags of their entries
    for word, flags, _ in entries:
        if word[-1] in "ao" and len(word) > 2 and _LETTERS.issuperset(word):
            open_ended.setdefault(word, set()).update(flags)
    nouns = [word for word, flags in open_ended.items() if _NOUN.isdisjoint(flags)]
    endings = {
        noun: [*singular, "er", "ene"]
        for noun in nouns
        if (singular := [ending for ending in ("en", "et") if noun + ending in attested])
    }
    made = {noun + ending for noun in endings for ending in endings[noun]}
    for noun in nouns:  # a compound is inflected as its last part
        tail = next((noun[i:] for i in range(2, len(noun) - 2) if noun[i:] in endings), None)
        if noun not in endings and tail and noun[:-1] not in words:
            made |= {noun + ending for ending in endings[tail]}
    # present participles: boende, troende
    made |= {w + "ende" for w, flags in open_ended.items() if w[-1] == "o" and {*"LP"} <= flags}
    return made
