"""Whole games in one call: deal, find the best play, lay it, draw, until a rule ends the game.

The random numbers of a game depend on the seed and the game's number only, so any split of games
over threads, processes and machines gives the same ones.
"""

from __future__ import annotations

import numpy as np

from engine._jit import (
    array,
    as_pointer,
    carray,
    i64,
    kernel,
    record,
    types,
    u8,
    u64,
    void,
)
from engine.board.crosschecks import S_, clear_board, lay
from engine.board.state import STATE
from engine.movegen import generate as all_plays
from engine.movegen.best import SEARCH, best_play
from engine.movegen.equity import KEPT_MP, KEPT_POINT_MP, OPENING_VOWEL_MP
from engine.movegen.pool_leaves import set_pool_leaves
from engine.rules.rules import MAX_PLAYERS, MAX_RACK

#: How a game ended.
OUT, SCORELESS, PASSES, NO_MOVES, TARGET, STOPPED = range(6)

#: A player at the table.
SEAT = np.dtype(
    [
        ("values_at", "u8"),  # leave values, by address
        ("values_size", "i8"),
        ("longest", "i8"),
        ("lexicon", "i8"),  # which state and search
        ("terms", "i8"),  # whether the opening and endgame terms count
        ("pool", "i8"),  # whether leaves are valued against the unseen tiles
    ],
    align=True,
)

#: The rules, as far as a game of static players needs them.
GAME_RULES = np.dtype(
    [
        ("players", "i8"),
        ("rack_size", "i8"),
        ("exchange_min_bag", "i8"),
        ("scoreless_end", "i8"),  # turns in a row that score nothing; 0: this rule does not hold
        ("passes_end", "i8"),  # passes in a row
        ("target", "i8"),  # score that ends the game; 0: none
        ("stop_bag", "i8"),  # a bag of fewer tiles ends the game, unfinished; 0: it does not
        ("tournament", "i8"),  # who goes out gains twice the other's tiles, the other loses none
        ("kinds", "i8"),
        ("counts", "i8", 64),
    ],
    align=True,
)

#: One turn. ``first``, ``low``, ``high``, ``lefts``, ``laid``, ``kind``: as in generate.ROW.
TURN = np.dtype(
    [
        ("game", "i8"),
        ("low", "u8"),
        ("high", "u8"),
        ("score", "i4"),
        ("leave_mp", "i4"),
        ("equity_mp", "i4"),
        ("spread", "i4"),  # the player's score less the best other one, after the turn
        ("turn", "i2"),
        ("first", "u2"),
        ("bag", "i2"),  # tiles in it before the turn
        ("player", "u1"),
        ("laid", "u1"),
        ("lefts", "u1"),
        ("kind", "u1"),
        ("held", "u1"),
        ("rack", "u1", MAX_RACK),
    ],
    align=True,
)

#: One game. ``adjustment``: of the score at the end, included in ``score``.
GAME = np.dtype(
    [
        ("game", "i8"),
        ("score", "i4", MAX_PLAYERS),
        ("adjustment", "i4", MAX_PLAYERS),
        ("bingos", "i2", MAX_PLAYERS),
        ("player_turns", "i2", MAX_PLAYERS),
        ("turns", "i2"),
        ("left", "i2"),  # tiles in the bag at the end
        ("end", "u1"),
        ("first", "u1"),  # player who began
    ],
    align=True,
)

STATES_ = types.Array(record(STATE), 1, "C")
SEARCHES_ = types.Array(record(SEARCH), 1, "C")
SEATS_ = types.Array(record(SEAT), 1, "C")
TURNS_ = types.Array(record(TURN), 1, "C")
GAMES_ = types.Array(record(GAME), 1, "C")
RULES_ = record(GAME_RULES)
_PATIENCE = 3  #: rounds without a score after which a static player passes, not exchanges
_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@kernel((u64,), inline=True)
def _scramble(x):
    """One step of SplitMix64 (Steele, Lea and Flood 2014) without its counter."""
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


@kernel(u64(u64, i64))
def start_stream(seed, game):
    """First state of a game's random stream."""
    return _scramble(_scramble(seed + _GOLDEN) ^ _scramble(np.uint64(game) * _GOLDEN + _GOLDEN))


@kernel((array(u64), i64), inline=True)
def _below(stream, n):
    """A random number from 0 to n - 1."""
    stream[0] += _GOLDEN
    return np.int64(((_scramble(stream[0]) >> np.uint64(32)) * np.uint64(n)) >> np.uint64(32))


@kernel(void(array(u64), array(u8), i64))
def _shuffle(stream, bag, n):
    for i in range(n - 1, 0, -1):
        j = _below(stream, i + 1)
        kept = bag[i]
        bag[i] = bag[j]
        bag[j] = kept


@kernel(void(array(u8), i64))
def _sort(rack, n):
    for i in range(1, n):
        letter = rack[i]
        at = i
        while at > 0 and rack[at - 1] > letter:
            rack[at] = rack[at - 1]
            at -= 1
        rack[at] = letter


@kernel(i64(S_, array(u8, 2), array(i64), i64, i64))
def _points_of_others(s, racks, held, players, player):
    points = 0
    for other in range(players):
        if other != player:
            for i in range(held[other]):
                points += s.value[racks[other, i]]
    return points


@kernel(void(array(u8), i64, array(u8, 2), array(i64), i64, i64, array(i64)))
def _count_unseen(bag, left, racks, held, players, player, unseen):
    """Count by letter the tiles in the bag and on the other racks."""
    unseen[:] = 0
    for i in range(left):
        unseen[bag[i]] += 1
    for other in range(players):
        if other != player:
            for i in range(held[other]):
                unseen[racks[other, i]] += 1


@kernel(i64(STATES_, SEARCHES_, SEATS_, RULES_, u64, i64, i64, i64, TURNS_, GAMES_))
def play_games(states, searches, seats, rules, seed, first_game, step, games, turns, results):
    """Play ``games`` games, number ``first_game`` and every ``step``-th from there.

    ``states`` and ``searches``: one a lexicon, graphs and tables attached; ``seats``: the players
    in the order of play. Fills ``results`` (one a game) and, unless ``turns`` is empty, a row a
    turn. Returns the rows filled, or -1 where ``turns`` has no room for a game.
    """
    players = rules.players
    stream = np.zeros(1, np.uint64)
    bag = np.zeros(1024, np.uint8)
    racks = np.zeros((MAX_PLAYERS, 16), np.uint8)
    held = np.zeros(MAX_PLAYERS, np.int64)
    scores = np.zeros(MAX_PLAYERS, np.int64)
    out = np.zeros(4, np.uint64)
    laid_tiles = np.zeros(MAX_RACK, np.uint8)
    unseen = np.zeros(64, np.int64)
    counts = np.zeros(64, np.int64)
    for letter in range(rules.kinds):
        counts[letter] = rules.counts[letter]
    recording = len(turns) > 0
    filled = 0
    for number in range(games):
        game = first_game + number * step
        stream[0] = start_stream(seed, game)
        left = 0
        for letter in range(rules.kinds):
            for _ in range(counts[letter]):
                bag[left] = letter
                left += 1
        _shuffle(stream, bag, left)
        for player in range(players):
            scores[player] = 0
            held[player] = 0
            while held[player] < rules.rack_size and left:
                left -= 1
                racks[player, held[player]] = bag[left]
                held[player] += 1
            _sort(racks[player], held[player])
        for i in range(len(states)):
            clear_board(states[i])
        result = results[number]
        result.game = game
        result.first = 0
        for player in range(MAX_PLAYERS):
            result.bingos[player] = 0
            result.player_turns[player] = 0
            result.adjustment[player] = 0
            result.score[player] = 0
        scoreless = passes = turn = 0
        end = -1
        player = 0
        while end < 0:
            seat = seats[player]
            s = states[seat.lexicon]
            b = searches[seat.lexicon]
            values = carray(as_pointer(seat.values_at), (seat.values_size,), np.int32)
            rack = racks[player]
            n = held[player]
            all_plays.set_rack(s, rack[:n], values, seat.longest)
            if left == 0 and seat.terms:
                others = _points_of_others(s, racks, held, players, player)
                outgoing = others * (1000 + 1000 // max(1, players - 1))
                all_plays.set_endgame(s, outgoing, KEPT_POINT_MP, KEPT_MP)
            if left > 0 and seat.pool:
                _count_unseen(bag, left, racks, held, players, player, unseen)
                set_pool_leaves(s, values, seat.longest, counts, unseen, left, rules.rack_size)
            b.vowel_mp = OPENING_VOWEL_MP if seat.terms and left > 0 else 0
            most = min(left, n) if left >= rules.exchange_min_bag else 0
            if scoreless >= _PATIENCE * players:
                most = 0  # else two who cannot play would exchange for ever
            best_play(s, b, most, out)
            info = out[3]
            first = np.int64(info & np.uint64(0xFFFF))
            kept = np.int64((info >> np.uint64(16)) & np.uint64(0xFFFF))
            laid = np.int64((info >> np.uint64(32)) & np.uint64(255))
            lefts = np.int64((info >> np.uint64(40)) & np.uint64(255))
            kind = info >> np.uint64(48)
            score = np.int64(np.int32(out[2] >> np.uint64(32)))
            equity_mp = np.int64(np.int32(out[2] & np.uint64(0xFFFFFFFF)))
            in_bag = left
            scores[player] += score
            if recording:
                if filled == len(turns):
                    return -1
                row = turns[filled]
                filled += 1
                row.game = game
                row.low = out[0]
                row.high = out[1]
                row.score = score
                row.leave_mp = s.leave_mp[kept]
                row.equity_mp = equity_mp
                row.turn = turn
                row.first = first
                row.bag = in_bag
                row.player = player
                row.laid = laid
                row.lefts = lefts
                row.kind = kind
                row.held = n
                for i in range(MAX_RACK):
                    row.rack[i] = rack[i] if i < n else 0
                best_other = np.int64(-(1 << 40))
                for other in range(players):
                    if other != player:
                        best_other = max(best_other, scores[other])
                row.spread = scores[player] - best_other if players > 1 else scores[player]
            turn += 1
            result.player_turns[player] += 1
            # the rack after the turn: what is kept, then tiles from the bag
            given = laid
            still = 0
            for i in range(n):
                if (kept >> i) & 1:
                    rack[still] = rack[i]
                    still += 1
            if kind == all_plays.PLAY:
                if score >= 0 and s.bonus[laid] > 0:
                    result.bingos[player] += 1
                for i in range(laid):
                    tile = all_plays.tile_of(out, 0, i)
                    letter = np.uint8(tile & np.uint64(63))
                    laid_tiles[i] = letter | 0x80 if tile & all_plays.PLAYED_BLANK else letter
                for i in range(len(states)):
                    lay(states[i], first, laid_tiles[:laid])
                while still < rules.rack_size and left:
                    left -= 1
                    rack[still] = bag[left]
                    still += 1
            elif kind == all_plays.EXCHANGE:
                for _ in range(given):  # draw first, then give back, each to any place
                    left -= 1
                    rack[still] = bag[left]
                    still += 1
                for i in range(given):
                    at = _below(stream, left + 1)
                    bag[left] = bag[at]
                    bag[at] = np.uint8(all_plays.tile_of(out, 0, i) & np.uint64(63))
                    left += 1
            held[player] = still
            _sort(rack, still)
            scoreless = scoreless + 1 if score == 0 else 0
            passes = passes + 1 if kind == all_plays.PASS else 0
            if rules.target and scores[player] >= rules.target:
                end = TARGET
            elif still == 0:
                end = OUT
            elif rules.passes_end and passes >= rules.passes_end:
                end = PASSES
            elif rules.scoreless_end and scoreless >= rules.scoreless_end:
                end = SCORELESS
            elif passes >= players and left == 0:
                end = NO_MOVES
            elif left < rules.stop_bag:
                end = STOPPED
            player = player + 1 if player + 1 < players else 0
        last = player - 1 if player > 0 else players - 1
        if end != TARGET:
            total = 0
            for other in range(players):
                own = 0
                for i in range(held[other]):
                    own += states[0].value[racks[other, i]]
                total += own
                if not (rules.tournament and end == OUT):
                    result.adjustment[other] = -own
            if end == OUT:
                result.adjustment[last] = 2 * total if rules.tournament else total
        for other in range(players):
            result.score[other] = scores[other] + result.adjustment[other]
        result.turns = turn
        result.left = left
        result.end = end
    return filled
