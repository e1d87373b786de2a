"""Words laid on a span: what fits is offered, and the best so far is kept."""

from __future__ import annotations

import numpy as np

from engine._jit import U, as_pointer, b1, carray, i64, kernel, popcount, u64, void
from engine.board.crosschecks import S_
from engine.board.state import STRIDE
from engine.lexicon.alphagrams import COUNT_BITS, MAX_COUNT
from engine.movegen import generate as all_plays
from engine.movegen.best.record import B_

_ONE = np.uint64(1)


@kernel(i64(S_, B_, i64, i64))
def set_span(s, b, first, last):
    """Set the words' masks and the empty squares of a span; its points without the tiles laid."""
    factor = np.int64(1)
    for square in range(first, last + 1):
        if s.tile[U(square)] == 0:
            factor *= np.int64(s.word_premium[U(square)])
    b.through_mask[:] = 0
    b.through_value[:] = 0
    laid = 0
    total = np.int64(0)
    for square in range(first, last + 1):
        byte = np.uint64(square - first)
        tile = s.tile[U(square)]
        if tile:
            shift = np.uint64(8) * (byte & np.uint64(7))
            word = byte >> np.uint64(3)
            b.through_mask[U(word)] |= np.uint64(255) << shift
            b.through_value[U(word)] |= np.uint64(tile & 63) << shift
            total += s.value[U(tile)] * factor
            continue
        premium = np.int64(s.word_premium[U(square)])
        letter = np.int64(s.letter_premium[U(square)])
        b.empty_byte[U(laid)] = byte
        b.empty_fits[U(laid)] = s.cross[U(square)]
        b.empty_eff[U(laid)] = letter * factor
        if s.cross_score[U(square)] >= 0:
            b.empty_eff[U(laid)] += letter * premium
            total += s.cross_score[U(square)] * premium
        hot = (b.hot >> np.uint32(square % STRIDE)) & np.uint32(1) if s.tiles == 0 else np.uint32(0)
        b.empty_hot[U(laid)] = hot
        laid += 1
    return total + s.bonus[U(laid)]


@kernel(i64(S_, i64), inline=True)
def place_of(s, square):
    """Orders squares by row, column, across before down."""
    lane, place = square // STRIDE, square % STRIDE
    if lane < s.rows:
        return (lane * STRIDE + place - 1) * 2
    return ((place - 1) * STRIDE + lane - s.rows) * 2 + 1


@kernel(b1(S_, B_, i64, i64, i64, u64))
def _is_before(s, b, score, first, laid, tiles):
    """Whether a play goes before the best so far, which is worth the same."""
    if score != b.score:
        return score > b.score
    place, best = place_of(s, first), place_of(s, b.first)
    if place != best:
        return place < best
    if laid != b.laid:
        return laid < b.laid
    for i in range(laid):
        shift = np.uint64(all_plays.TILE_BITS * i)
        tile = (tiles >> shift) & np.uint64(127)
        other = (b.tiles >> shift) & np.uint64(127)
        if tile != other:
            return tile < other
    return False


@kernel(void(B_, i64))
def _raise_floor(b, equity):
    """Count a listed play in: what it leaves no room for is of no interest any more."""
    if b.margin_mp >= 0:
        b.floor_mp = max(b.floor_mp, equity - b.margin_mp)
        return
    at = b.listed
    if at < b.wanted:
        b.listed += 1
    else:
        at -= 1  # the last one falls out
        if equity <= b.listed_mp[U(at)]:
            return
    while at > 0 and b.listed_mp[U(at - 1)] < equity:
        b.listed_mp[U(at)] = b.listed_mp[U(at - 1)]
        at -= 1
    b.listed_mp[U(at)] = equity
    if b.listed == b.wanted:
        b.floor_mp = b.listed_mp[U(b.wanted - 1)]


@kernel(void(S_, B_, i64, i64, i64, i64, i64), inline=True)
def _offer(s, b, first, laid, used, score, wild):
    """Take a play if it is better than the best so far. ``wild``: its squares with blanks."""
    equity = 1000 * score + np.int64(b.used_mp[U(used)])
    if s.tiles == 0:
        for i in range(laid):
            if b.empty_hot[U(i)] and (b.vowels >> b.empty_letter[U(i)]) & _ONE:
                equity += b.vowel_mp
    if equity < b.floor_mp:
        return
    tiles = np.uint64(0)
    for i in range(laid):
        tile = b.empty_letter[U(i)]
        if (wild >> i) & 1:
            tile |= all_plays.PLAYED_BLANK
        tiles |= tile << np.uint64(all_plays.TILE_BITS * i)
    if b.wanted:
        kept = np.uint64(b.in_state[U((1 << s.held) - 1)] ^ b.in_state[U(used)])
        all_plays.write_row(
            s, np.uint64(first), np.uint64(0), tiles, kept, all_plays.PLAY, score, equity
        )
        _raise_floor(b, equity)
        return
    if equity == b.equity_mp and b.found and not _is_before(s, b, score, first, laid, tiles):
        return
    b.found = 1
    b.floor_mp = equity
    b.equity_mp = equity
    b.score = score
    b.first = first
    b.tiles = tiles
    b.laid = laid
    b.used = used


@kernel(void(S_, B_, i64, i64, i64, i64, i64, i64))
def try_words(s, b, which, used, mp, first, laid, base):
    """Offer the words found (first << 8 | how many) on the span that is set, with the tiles of a
    subset."""
    words = carray(as_pointer(b.words_at), (b.words_size,), np.uint64)
    word = (which >> COUNT_BITS) * b.width
    end = word + (which & MAX_COUNT) * b.width
    blanks = popcount(np.uint64(used >> b.naturals))
    naturals = used & ((1 << b.naturals) - 1)
    while word < end:
        this = word
        word += b.width
        if words[U(this)] & b.through_mask[0] != b.through_value[0]:
            continue
        fits = True
        for i in range(1, b.width):
            if words[U(this + i)] & b.through_mask[U(i)] != b.through_value[U(i)]:
                fits = False
        if not fits:
            continue
        left = naturals
        missing = 0
        lacks = np.uint64(0)  # letters that blanks must be, a byte each
        score = base
        for i in range(laid):
            byte = b.empty_byte[U(i)]
            bits = words[np.uint64(this) + (byte >> np.uint64(3))]
            letter = (bits >> (np.uint64(8) * (byte & np.uint64(7)))) & np.uint64(255)
            if (b.empty_fits[U(i)] >> letter) & _ONE == 0:
                fits = False
                break
            b.empty_letter[U(i)] = letter
            score += b.empty_eff[U(i)] * np.int64(s.value[U(letter)])
            place = np.int64(b.places[U(letter)]) & left
            if place:
                left ^= place & -place
            else:
                missing += 1
                if missing > blanks:
                    fits = False
                    break
                lacks = (lacks << np.uint64(8)) | letter
        # the subset must be used up: a key may have been mistaken for another
        if not fits or left or missing != blanks:
            continue
        if blanks == 0:
            _offer(s, b, first, laid, used, score, 0)
            continue
        one, two = lacks & np.uint64(255), lacks >> np.uint64(8)
        for i in range(laid):
            letter = b.empty_letter[U(i)]
            if letter != one and letter != two:
                continue
            less = score - b.empty_eff[U(i)] * np.int64(s.value[U(letter)])
            if blanks == 1:
                if letter == one:
                    _offer(s, b, first, laid, used, less, 1 << i)
                continue
            other = two if letter == one else one
            for j in range(i + 1, laid):
                if b.empty_letter[U(j)] == other:
                    _offer(
                        s, b, first, laid, used,
                        less - b.empty_eff[U(j)] * np.int64(s.value[U(other)]), (1 << i) | (1 << j),
                    )  # fmt: skip
