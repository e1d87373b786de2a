"""Bounds made sharper, and spans worked out: the subsets that spell words, looked up in batches."""

from __future__ import annotations

import numpy as np

from engine._jit import U, as_pointer, carray, i64, kernel, lowest_bit, prefetch, u64, void
from engine.board.crosschecks import S_
from engine.lexicon.alphagrams import COUNT_BITS, mixed
from engine.movegen.best.offer import set_span, try_words
from engine.movegen.best.record import B_, GROUPS, NONE, QUEUE
from engine.movegen.best.spelling import blank_letters, row_of, scan

_ONE = np.uint64(1)


@kernel(void(S_, B_, i64))
def sharpen(s, b, anchor):
    """Make the bounds of an anchor's spans sharper: only subsets that spell a word count."""
    first, last = b.anchor_first[U(anchor)], b.anchor_first[U(anchor + 1)]
    best = np.int64(NONE)
    for span in range(last - 1, first - 1, -1):
        bound = b.span[U(span)].bound >> 12
        if bound <= best or bound < b.floor_mp:
            continue
        least = max(b.floor_mp, best)
        laid = np.int64(b.span[U(span)].laid)
        row = row_of(b, b.span[U(span)].key)
        sharp = np.int64(NONE)
        for g in (laid, 16 + laid):
            if b.group_first[U(g)] == b.group_first[U(g + 1)]:
                continue
            points = b.span[U(span)].natural_mp if g < 16 else b.span[U(span)].blank_mp
            if points + b.group_best_mp[U(g)] < least:
                continue
            cell = row * GROUPS + g
            if b.row_found[U(cell)] == 0:
                scan(s, b, row, g, least - points, True)
            if b.row_found[U(cell)]:
                subset = b.row_subsets[U((row << s.held) + np.int64(b.group_first[U(g)]))]
                sharp = max(sharp, points + b.used_mp[U(subset)])
        # below what was asked for nothing was looked at
        sharp = max(sharp, least - 1)
        b.span[U(span)].bound = (sharp << 12) | span
        if sharp >= b.floor_mp:
            best = max(best, sharp)
    b.anchor_bound[U(anchor)] = (best << 10) | anchor
    b.anchor_sharp[U(anchor)] = 1


@kernel(void(B_, i64))
def _look_up(b, i):
    """Find the words of the i-th key in the queue, and ask for them from memory."""
    slots = carray(as_pointer(b.slots_at), (b.slots_size,), np.uint64)
    x = mixed(b.queue_key[U(i)])
    print_ = x & ((_ONE << (np.uint64(64) - b.print_shift)) - _ONE)
    at = x >> b.slot_shift
    last_slot = np.uint64(b.slots_size - 1)
    b.queue_words[U(i)] = 0
    while True:
        slot = slots[U(at)]
        if slot == 0:
            return
        if slot >> b.print_shift == print_:
            break
        at = (at + _ONE) & last_slot
    words = slot & ((_ONE << b.print_shift) - _ONE)
    b.queue_words[U(i)] = np.int64(words)
    first = (words >> np.uint64(COUNT_BITS)) * np.uint64(b.width)
    prefetch(b.words_at + first * np.uint64(8))


@kernel(void(S_, B_))
def work_out(s, b):
    """Offer every play of the subsets in the queue."""
    for i in range(b.queued):
        _look_up(b, i)
    before = -1
    base = first = laid = np.int64(0)
    for i in range(b.queued):
        if b.queue_words[U(i)] == 0:
            continue
        span = np.int64(b.queue_span[U(i)])
        mp = np.int64(b.queue_mp[U(i)])
        if mp + max(b.span[U(span)].natural_mp, b.span[U(span)].blank_mp) < b.floor_mp:
            continue
        if span != before:
            first, laid = np.int64(b.span[U(span)].first), np.int64(b.span[U(span)].laid)
            base = set_span(s, b, first, np.int64(b.span[U(span)].last))
            before = span
        try_words(s, b, b.queue_words[U(i)], np.int64(b.queue_used[U(i)]), mp, first, laid, base)
    b.queued = 0


@kernel(void(S_, B_, u64, i64, i64, i64))
def _push(s, b, key, span, used, mp):
    """Queue a key to look up for a subset on a span."""
    if b.queued == QUEUE:
        work_out(s, b)
    i = b.queued
    b.queued = i + 1
    b.queue_key[U(i)] = key
    b.queue_span[U(i)] = span
    b.queue_used[U(i)] = used
    b.queue_mp[U(i)] = mp
    prefetch(b.slots_at + (mixed(key) >> b.slot_shift) * np.uint64(8))


@kernel(void(S_, B_, i64))
def queue_span(s, b, span):
    """Queue every subset that can make a play on a span as good as the best so far."""
    laid = np.int64(b.span[U(span)].laid)
    span_key = b.span[U(span)].key
    base = np.int64(b.span[U(span)].base)
    free, factor = np.int64(b.span[U(span)].free), np.int64(b.span[U(span)].factor)
    tight = np.int64(b.span[U(span)].tight)
    row = row_of(b, span_key)
    for g in (laid, 16 + laid):
        if b.group_first[U(g)] == b.group_first[U(g + 1)]:
            continue
        points = b.span[U(span)].natural_mp if g < 16 else b.span[U(span)].blank_mp
        if points + b.group_best_mp[U(g)] < b.floor_mp:
            continue
        scan(s, b, row, g, b.floor_mp - points, False)
        cell = row * GROUPS + g
        to = (row << s.held) + np.int64(b.group_first[U(g)])
        for nth in range(np.int64(b.row_found[U(cell)])):
            used = np.int64(b.row_subsets[U(to + nth)])
            mp = np.int64(b.used_mp[U(used)])
            if mp + points < b.floor_mp:
                break
            # the subset's own tiles on the multipliers, both from the largest
            so_far = np.int64(0)
            left = used
            for i in range(free & 255):
                so_far += b.worth[U(lowest_bit(np.uint64(left)))]
                left &= left - 1
                b.dearest_used[U(i + 1)] = so_far
            points_of_free = b.dearest_used[U((free >> 8) & 255)]
            points_of_free += b.dearest_used[U((free >> 16) & 255)] + b.dearest_used[U(free >> 24)]
            dot = (points_of_free + so_far) * factor + tight
            if mp + 1000 * (base + dot) < b.floor_mp:
                continue
            key = span_key + b.key[U(used)]
            if g < 16:
                _push(s, b, key, span, used, mp)
                continue
            wild = used >> b.naturals
            letters = b.row_letters[U(to + nth)]
            if wild & (wild - 1) == 0:
                while letters:
                    letter = lowest_bit(letters)
                    letters &= letters - _ONE
                    _push(s, b, key + b.number[U(letter)], span, used, mp)
                continue
            ones = s.alphabet
            while ones:
                one = lowest_bit(ones)
                twos = blank_letters(s, b, key + b.number[U(one)]) & ones  # each pair once
                ones &= ones - _ONE
                while twos:
                    two = lowest_bit(twos)
                    twos &= twos - _ONE
                    both = key + b.number[U(one)] + b.number[U(two)]
                    _push(s, b, both, span, used, mp)
