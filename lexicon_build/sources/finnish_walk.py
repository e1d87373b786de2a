"""Walks through the transducer, all paths at once: of given words, or of every word there is.

A walk goes letter by letter. What it holds after each letter is a set of places, as columns: a
state of the transducer, the flags that are set, a state of the grammar that says which sequences of
tags are wanted at all, and the node of a trie, so that words share the walk of their common
beginning.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from lexicon_build.sources.finnish_transducer import LETTERS, Arcs, Transducer

LONGEST = 15
_BATCH = 60_000  # words walked at once: bounds the memory
_ROOM = 32  # of a row by letter

State = TypeVar("State", bound=Hashable)
Ints = NDArray[np.int32]
Flags = tuple[tuple[str, bool, str], ...]  # (key, whether it is or is not, value), sorted


class Grammar(NamedTuple):
    """Which sequences of tags are wanted, as an automaton over the transducer's outputs."""

    step: Ints  #: (states, outputs): the next state, -1 unwanted
    labels: tuple[object, ...]  #: by state: what a path that ends there is; None is no word


class Path(NamedTuple):
    """One analysis of a word."""

    word: str
    label: object  #: of the grammar
    output: str


def make_grammar(
    transducer: Transducer,
    start: State,
    step: Callable[[State, str], State | None],
    label: Callable[[State], object],
) -> Grammar:
    """The grammar of a function from state and tag to state (None: unwanted), of finitely many
    states. Letters change nothing."""
    tags = [(i, text) for i, text in enumerate(transducer.outputs) if text.startswith("[")]
    number = {start: 0}
    states = [start]
    rows = []
    for row, state in enumerate(states):  # grows meanwhile
        steps = np.full(len(transducer.outputs), row, np.int32)
        for i, tag in tags:
            found = step(state, tag)
            if found is not None and found not in number:
                number[found] = len(states)
                states.append(found)
            steps[i] = -1 if found is None else number[found]
        rows.append(steps)
    return Grammar(np.array(rows), tuple(label(state) for state in states))


class FlagTable:
    """Sets of flags by number, 0 the empty one, and what each action makes of them."""

    def __init__(self, actions: Sequence[tuple[str, str]]) -> None:
        self._actions = actions
        self._known: list[tuple[Flags, Flags]] = [((), ())]
        self._number = {self._known[0]: 0}
        self._table = np.full((256, len(actions)), -2, np.int32)  # -2 not known yet

    def apply(self, flags: Ints, action: NDArray[np.int16]) -> Ints:
        """The flags after an action, -1 where it forbids the path."""
        found = self._table[flags, action]
        new = np.nonzero(found == -2)[0]
        if not len(new):
            return found
        for pair in np.unique(flags[new].astype(np.int64) * len(self._actions) + action[new]):
            self._learn(*divmod(int(pair), len(self._actions)))
        return self._table[flags, action]

    def _learn(self, flags: int, action: int) -> None:
        sides = zip(self._known[flags], self._actions[action], strict=True)
        left, right = (apply_flag(side, flag) for side, flag in sides)
        if left is None or right is None:
            self._table[flags, action] = -1
            return
        number = self._number.setdefault((left, right), len(self._known))
        if number == len(self._known):
            self._known.append((left, right))
            if number == len(self._table):
                self._table = np.vstack((self._table, np.full_like(self._table, -2)))
        self._table[flags, action] = number


def apply_flag(flags: Flags, flag: str) -> Flags | None:
    """The flags after one flag diacritic (``@P.KEY.VALUE@``); None where it forbids the path."""
    if not flag:
        return flags
    kind, key, value = (*flag.strip("@").split("."), "")[:3]
    others = tuple(known for known in flags if known[0] != key)
    now = next((known for known in flags if known[0] == key), None)
    agrees = now is not None and (not value or (now[2] == value) == now[1])
    match kind:
        case "R":
            return flags if agrees else None
        case "D":
            return None if agrees else flags
        case "C":
            return others
        case "U" if now is not None and not agrees:
            return None
    return tuple(sorted((*others, (key, kind != "N", value))))


class _Level(NamedTuple):
    """The nodes of a trie at one depth."""

    child: Ints  # (nodes, _ROOM) by letter: node of the next level, or -1
    ends: NDArray[np.bool_]  # (nodes,) whether a word ends there


class _Places(NamedTuple):
    node: Ints
    state: Ints
    flags: Ints
    rule: Ints
    step: Ints  # the last step, an index into _Steps


class _Steps:
    """Every step of a walk: the one before it, and what was read and written."""

    def __init__(self) -> None:
        self._count = 1
        self._before = [np.zeros(1, np.int32)]
        self._letter = [np.zeros(1, np.uint8)]
        self._output = [np.zeros(1, np.int16)]

    def add(self, before: Ints, letter: NDArray[np.uint8], output: NDArray[np.int16]) -> Ints:
        self._before.append(before)
        self._letter.append(letter)
        self._output.append(output)
        self._count += len(before)
        return np.arange(self._count - len(before), self._count, dtype=np.int32)

    def trace(self, last: Ints) -> tuple[NDArray[np.uint8], NDArray[np.int16]]:
        """Letters and outputs on the way to some steps, (N, length) each, first one first."""
        before, letter = np.concatenate(self._before), np.concatenate(self._letter)
        output = np.concatenate(self._output)
        letters, outputs = [], []
        while last.any():  # step 0 is the start
            letters.append(letter[last])
            outputs.append(output[last])
            last = before[last]
        return np.array(letters[::-1]).T, np.array(outputs[::-1]).T


class _Walk:
    """A walk of one transducer under one grammar."""

    def __init__(self, transducer: Transducer, grammar: Grammar) -> None:
        self._transducer = transducer
        self._grammar = grammar
        self._accepts = np.array([label is not None for label in grammar.labels])
        self._flags = FlagTable(transducer.actions)

    def paths(self, levels: Sequence[_Level]) -> Iterator[Path]:
        """Every wanted path that reads a word of a trie."""
        steps = _Steps()
        start = np.zeros(1, np.int32)
        places = _Places(start, start, start, start, start)
        rules, last = [], []
        for level in levels:
            places = self._silently(places, steps)
            ends = level.ends[places.node] & self._transducer.final[places.state]
            ends &= self._accepts[places.rule]
            rules.append(places.rule[ends])
            last.append(places.step[ends])
            places = self._onward(places, steps, self._transducer.spoken, level.child)
        letters, outputs = steps.trace(np.concatenate(last))
        alphabet = np.array(["", *LETTERS], object)
        texts = np.array(self._transducer.outputs, object)
        for rule, read, written in zip(np.concatenate(rules).tolist(), letters, outputs):
            label = self._grammar.labels[rule]
            yield Path("".join(alphabet[read]), label, "".join(texts[written]))

    def _silently(self, places: _Places, steps: _Steps) -> _Places:
        """The places and all that can be reached from them without reading a letter."""
        reached = [places]
        while len(places.node):
            places = self._onward(places, steps, self._transducer.silent, None)
            reached.append(places)
        return _Places(*map(np.concatenate, zip(*reached, strict=True)))

    def _onward(self, places: _Places, steps: _Steps, arcs: Arcs, child: Ints | None) -> _Places:
        """The places one arc further; ``child``: of the trie, where the arcs read letters."""
        first = arcs.first[places.state]
        count = arcs.first[places.state + 1] - first
        source = np.repeat(np.arange(len(count)), count)
        arc = np.arange(len(source)) + np.repeat(first - np.cumsum(count) + count, count)

        node: Ints = places.node[source]
        if child is not None:
            node = child[node, arcs.letter[arc]]
        there = node >= 0
        node, source, arc = node[there], source[there], arc[there]

        rule: Ints = self._grammar.step[places.rule[source], arcs.output[arc]]
        there = rule >= 0
        node, rule, source, arc = node[there], rule[there], source[there], arc[there]

        flags = self._flags.apply(places.flags[source], arcs.action[arc])
        there = flags >= 0
        node, rule, flags = node[there], rule[there], flags[there]
        source, arc = source[there], arc[there]

        step = steps.add(places.step[source], arcs.letter[arc], arcs.output[arc])
        return _Places(node, arcs.target[arc], flags, rule, step)


def paths_of_words(
    transducer: Transducer, grammar: Grammar, words: Iterable[str]
) -> Iterator[Path]:
    """Every wanted path that reads one of some words, none twice; words of other characters than
    LETTERS, or of more than LONGEST, have none. No circle of the transducer may be silent."""
    known = set(LETTERS)
    fit = sorted({word for word in words if 0 < len(word) <= LONGEST and known.issuperset(word)})
    walk = _Walk(transducer, grammar)
    for start in range(0, len(fit), _BATCH):
        yield from walk.paths(_trie(fit[start : start + _BATCH]))


def all_paths(transducer: Transducer, grammar: Grammar) -> Iterator[Path]:
    """Every wanted path of 1 to LONGEST letters."""
    root = _Level(np.zeros((1, _ROOM), np.int32), np.zeros(1, np.bool_))
    anything = root._replace(ends=np.ones(1, np.bool_))
    return _Walk(transducer, grammar).paths([root, *[anything] * LONGEST])


def _trie(words: Sequence[str]) -> list[_Level]:
    """The levels of the trie of some words of LETTERS, which may be in any order."""
    number = np.zeros(0x200, np.uint8)
    number[[ord(letter) for letter in LETTERS]] = np.arange(1, len(LETTERS) + 1)
    width = max(map(len, words)) + 1
    rows = number[np.array(words, f"U{width}").view(np.uint32).reshape(len(words), width)]
    rows = rows[np.lexsort(rows.T[::-1])]
    node = np.zeros(len(rows), np.int64)
    nodes = 1
    levels = []
    for depth in range(width):
        letter = rows[:, depth]
        ends = np.zeros(nodes, np.bool_)
        ends[node[letter == 0]] = True
        new = letter > 0
        new[1:] &= (node[1:] != node[:-1]) | (letter[1:] != letter[:-1])
        child = np.full((nodes, _ROOM), -1, np.int32)
        nodes = int(np.count_nonzero(new))
        child[node[new], letter[new]] = np.arange(nodes)
        levels.append(_Level(child, ends))
        live = letter > 0
        node, rows = (np.cumsum(new) - 1)[live], rows[live]
        if not nodes:
            break
    return levels
