"""Bounds made sharper, and spans worked out: the subsets that spell words, looked up in batches."""

from __future__ import annotations

import numpy as np

from engine._jit import U, as_pointer, carray, i64, kernel, lowest_bit, prefetch, u64, void
from engine.board.crosschecks import S_
from engine.lexicon.alphagrams import COUNT_BITS, mixed
from engine.movegen.best.offer import set_span, try_words
from engine.movegen.best.record import B_, GROUPS, NONE, QUEUE, SUBSETS
from engine.movegen.best.spelling import blank_letters, row_of, scan

_ONE = np.uint64(1)


@kernel(void(S_, B_, i64))
def sharpen(s, b, anchor):
    """Make the bounds of an anchor's spans sharper: only subsets that spell a word count."""
    first, last = b.anchor_first[U(anchor)], b.anchor_first[U(anchor + 1)]
    best = np.int64(NONE)
    count = 0
    for span in range(last - 1, first - 1, -1):
        bound = b.span_bound[U(span)]
        if bound < b.floor_mp:
            continue
        if bound <= best:
            b.open_span[U(first + count)] = span
            count += 1
            continue
        least = max(b.floor_mp, best)
        laid = np.int64(b.span_laid[U(span)])
        row = row_of(b, b.span_key[U(span)])
        sharp = np.int64(NONE)
        for g in (laid, 16 + laid):
            if b.group_first[U(g)] == b.group_first[U(g + 1)]:
                continue
            points = b.span_natural_mp[U(span)] if g < 16 else b.span_blank_mp[U(span)]
            if points + b.group_best_mp[U(g)] < least:
                continue
            scan(s, b, row, g, least - points, True)
            cell = row * GROUPS + g
            if b.row_found[U(cell)]:
                subset = b.row_subsets[U(row * SUBSETS + np.int64(b.group_first[U(g)]))]
                sharp = max(sharp, points + b.used_mp[U(subset)])
        # below what was asked for nothing was looked at
        sharp = max(sharp, least - 1)
        if sharp >= b.floor_mp:
            b.span_bound[U(span)] = sharp
            b.open_span[U(first + count)] = span
            count += 1
            best = max(best, sharp)
    b.anchor_bound[U(anchor)] = (best << 10) | anchor
    b.anchor_open[U(anchor)] = count


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
        if mp + max(b.span_natural_mp[U(span)], b.span_blank_mp[U(span)]) < b.floor_mp:
            continue
        if span != before:
            first, laid = np.int64(b.span_first[U(span)]), np.int64(b.span_laid[U(span)])
            base = set_span(s, b, first, np.int64(b.span_last[U(span)]))
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
    laid = np.int64(b.span_laid[U(span)])
    span_key = b.span_key[U(span)]
    base = np.int64(b.span_base[U(span)])
    free, factor = np.int64(b.span_free[U(span)]), np.int64(b.span_factor[U(span)])
    tight = np.int64(b.span_tight[U(span)])
    row = row_of(b, span_key)
    for g in (laid, 16 + laid):
        if b.group_first[U(g)] == b.group_first[U(g + 1)]:
            continue
        points = b.span_natural_mp[U(span)] if g < 16 else b.span_blank_mp[U(span)]
        if points + b.group_best_mp[U(g)] < b.floor_mp:
            continue
        scan(s, b, row, g, b.floor_mp - points, False)
        cell = row * GROUPS + g
        to = row * SUBSETS + np.int64(b.group_first[U(g)])
        for nth in range(np.int64(b.row_found[U(cell)])):
            used = np.int64(b.row_subsets[U(to + nth)])
            mp = np.int64(b.used_mp[U(used)])
            if mp + points < b.floor_mp:
                break
            # the subset's own tiles on the multipliers, both from the largest
            points_of_free = so_far = np.int64(0)
            left = used
            for i in range(free & 255):
                so_far += b.worth[U(lowest_bit(np.uint64(left)))]
                left &= left - 1
                i += 1
                times = np.int64(i == free & 255) + np.int64(i == (free >> 8) & 255)
                times += np.int64(i == (free >> 16) & 255) + np.int64(i == free >> 24)
                points_of_free += times * so_far
            dot = points_of_free * factor + tight
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
