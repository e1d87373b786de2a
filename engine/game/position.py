"""A position: everything that a player on turn knows, immutable, and one line of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING

from engine.board.notation.cgp import Cgp, format_board, format_cgp, parse_board, parse_cgp
from engine.board.notation.moves import parse_move
from engine.board.play import EXCHANGE, PLAY, Grid, Play, less
from engine.errors import NotationError, brief, shorten
from engine.lexicon.catalog import find_lexicon, lexicon_files, own_lexicon
from engine.lexicon.lexicon import Lexicon
from engine.movegen.equity import RankedPlay, rank_key, terms_of
from engine.movegen.judge import Judgement, judge
from engine.rules.frozen import FrozenDict
from engine.rules.rules import MAX_PLAYERS, MIN_BAG, Challenge, Rules, find_rules, rules_names
from engine.rules.tiles import BLANK, find_tile_set, tile_set_names

if TYPE_CHECKING:
    from engine.lexicon.leaves import Leaves
    from engine.movegen.ranking import Table


@dataclass(frozen=True)
class Position:
    """A position; racks and scores name the player on turn first.

    ``board``: rows of tiles (0 empty; BLANK set where a blank plays a letter). A rack is a sorted
    tuple of letters (0 a blank); an empty rack of an opponent is not known. ``zeros``: turns in a
    row that scored nothing. ``opcodes``: those of the CGP, kept as they are.
    """

    rules: Rules
    lexicon: Lexicon
    leaves: Leaves
    board: Grid
    racks: tuple[tuple[int, ...], ...]
    scores: tuple[int, ...]
    zeros: int = 0
    opcodes: tuple[tuple[str, str], ...] = ()

    # -- making one ----------------------------------------------------------------------------

    @classmethod
    def new(
        cls,
        rules: Rules | str = "english",
        lexicon: Lexicon | None = None,
        leaves: Leaves | None = None,
        *,
        rack: str = "",
        players: int = 2,
    ) -> Position:
        """The empty board, ``rack`` for the player on turn.

        Without a lexicon the rules' own is taken, without leaves the bundled ones of the tile set
        (worth 0 where there are none). Raises NotationError, RulesError, LexiconFileError.
        """
        if not 1 <= players <= MAX_PLAYERS:
            raise NotationError(f"{players} players, expected 1 to {MAX_PLAYERS}")
        rules = find_rules(rules) if isinstance(rules, str) else rules
        board = ((0,) * rules.layout.cols,) * rules.layout.rows
        racks = (rules.tiles.parse_rack(rack), *((),) * (players - 1))
        return cls._make(rules, lexicon, leaves, board, racks, (0,) * players, 0, (), True)

    @classmethod
    def from_cgp(
        cls,
        text: str,
        rules: Rules | str | None = None,
        lexicon: Lexicon | None = None,
        leaves: Leaves | None = None,
        *,
        check_tiles: bool = True,
    ) -> Position:
        """The position of a CGP line.

        Without ``rules`` its opcodes ``ld``, ``bdn`` and ``var`` choose them (English if there are
        none); ``bb``, ``etl``, ``mcnz`` and ``cr`` change them in any case. Without ``lexicon`` the
        one that ``lex`` names is taken if it is installed, else the rules' own. ``check_tiles``
        False allows more tiles than the set has. Raises NotationError, RulesError,
        LexiconFileError.
        """
        cgp = parse_cgp(text)
        rules = find_rules(rules) if isinstance(rules, str) else rules or _rules_of(cgp)
        rules = _changed(rules, cgp)
        board = parse_board(cgp.board, rules.tiles)
        layout = rules.layout
        if (len(board), len(board[0])) != (layout.rows, layout.cols):
            raise NotationError(
                f"CGP board has {len(board)} rows of {len(board[0])} squares, expected"
                f" {layout.rows} of {layout.cols} ({layout.name})"
            )
        racks = tuple(map(rules.tiles.parse_rack, cgp.racks))
        named = cgp.opcode("lex")
        if lexicon is None and named in lexicon_files():
            lexicon = find_lexicon(named or "")
        return cls._make(
            rules, lexicon, leaves, board, racks, cgp.scores, cgp.zeros, cgp.opcodes, check_tiles
        )

    @staticmethod
    def rules_of(cgp: str) -> Rules:
        """The rules that a CGP's opcodes name (English without any). Raises NotationError."""
        return _rules_of(parse_cgp(cgp))

    @classmethod
    def _make(
        cls,
        rules: Rules,
        lexicon: Lexicon | None,
        leaves: Leaves | None,
        board: Grid,
        racks: tuple[tuple[int, ...], ...],
        scores: tuple[int, ...],
        zeros: int,
        opcodes: tuple[tuple[str, str], ...],
        check_tiles: bool,
    ) -> Position:
        if lexicon is None:
            lexicon = own_lexicon(rules)
        lexicon.check_tiles(rules.tiles)
        if leaves is None:
            from engine.lexicon.leave_catalog import default_leaves

            leaves = default_leaves(rules.tiles)
        if leaves.kinds != rules.tiles.kinds:
            raise NotationError(
                f"leaves {leaves.name!r} are for {leaves.kinds} kinds of tile,"
                f" {rules.tiles.name} has {rules.tiles.kinds}"
            )
        for rack in racks:
            if len(rack) > rules.rack_size:
                raise NotationError(
                    f"rack {brief(rules.tiles.format_rack(rack))}: {len(rack)} tiles,"
                    f" at most {rules.rack_size}"
                )
        position = cls(rules, lexicon, leaves, board, racks, scores, zeros, opcodes)
        if check_tiles:
            position.check_tiles()
        return position

    def check_tiles(self) -> None:
        """Raise NotationError where the board and the racks hold more tiles than there are."""
        used = self._used(self.racks)
        for letter, count in enumerate(self.rules.tiles.counts):
            if used[letter] > count:
                label = self.rules.tiles.labels[letter]
                exist = "exists" if count == 1 else "exist"
                raise NotationError(f"{label}: {used[letter]} used, {count} {exist}")

    def with_rack(self, rack: str, check_tiles: bool = True) -> Position:
        """The same position with another rack for the player on turn. Raises NotationError."""
        letters = self.rules.tiles.parse_rack(rack)
        return self._make(
            self.rules, self.lexicon, self.leaves, self.board, (letters, *self.racks[1:]),
            self.scores, self.zeros, self.opcodes, check_tiles,
        )  # fmt: skip

    # -- what is known ---------------------------------------------------------------------------

    def __str__(self) -> str:
        return format_cgp(
            Cgp(
                format_board(self.board, self.rules.tiles),
                tuple(map(self.rules.tiles.format_rack, self.racks)),
                self.scores,
                self.zeros,
                self.opcodes,
            )
        )

    def _used(self, racks: Iterable[tuple[int, ...]]) -> list[int]:
        """Tiles of each letter on the board and on racks."""
        used = [0] * self.rules.tiles.kinds
        for row in self.board:
            for tile in row:
                if tile:
                    used[0 if tile & BLANK else tile] += 1
        for rack in racks:
            for letter in rack:
                used[letter] += 1
        return used

    @cached_property
    def unseen(self) -> Mapping[int, int]:
        """Letter -> tiles that the player on turn does not see: the bag and the other racks."""
        used = self._used(self.racks[:1])
        counts = self.rules.tiles.counts
        return FrozenDict(
            (letter, count - used[letter])
            for letter, count in enumerate(counts)
            if count > used[letter]
        )

    @cached_property
    def bag(self) -> int:
        """Tiles in the bag: those unseen less a full rack for every opponent, and for the player on
        turn where that rack is not known."""
        hidden = len(self.racks) - 1 + (not self.racks[0])
        return max(0, sum(self.unseen.values()) - self.rules.rack_size * hidden)

    @cached_property
    def _opponents_points(self) -> int:
        """Points of the tiles that the opponents hold with the bag empty: all that are unseen."""
        values = self.rules.tiles.values
        return sum(values[letter] * count for letter, count in self.unseen.items())

    @property
    def _table(self) -> Table:
        from engine.movegen.ranking import Table  # numba: only when plays are wanted

        return Table(
            self.rules, self.lexicon, self.leaves, self.board, self.racks[0], self.bag,
            self._opponents_points, len(self.racks) - 1,
        )  # fmt: skip

    # -- plays -----------------------------------------------------------------------------------

    def plays(self, top: int | None = None, also: Iterable[str] = ()) -> list[RankedPlay]:
        """Every legal play, exchange and the pass, best first by the order of movegen/equity.py.

        ``top``: only so many. ``also``: moves that are listed in any case, in their place. On the
        empty board plays are listed across only. Raises NotationError and IllegalPlay for ``also``.
        """
        if top is not None and top < 0:
            raise NotationError(f"top {top}, expected 0 or more")
        extra = [self.value(text) for text in also]
        plays = self._table.plays(top)
        listed = {ranked.play for ranked in plays}
        missing = {ranked.play: ranked for ranked in extra if ranked.play not in listed}
        return sorted([*plays, *missing.values()], key=rank_key) if missing else plays

    def first(self, number: int = 1) -> list[RankedPlay]:
        """What ``plays(top=number)`` lists, found by the search for the best play alone."""
        return self._table.first(max(0, number))

    def within(self, margin_mp: int) -> list[RankedPlay]:
        """Every play and exchange worth at most so many millipoints less than the best one, best
        first. Raises NotationError for a negative margin."""
        return self._table.within(margin_mp)

    def rank(self, ranked: RankedPlay) -> int:
        """Place of a play of this position among all its plays, from 1.

        That of a first play laid down the board, which ``plays`` does not list, is the place of the
        best play that is worth no more.
        """
        if ranked.play.kind == PLAY and not ranked.play.across and not any(map(any, self.board)):
            worth = [play.equity_mp for play in self._table.plays(None)]
            mine = ranked.equity_mp or 0
            return 1 + sum(equity is not None and equity > mine for equity in worth)
        return self._table.rank(ranked)

    def parse(self, text: str) -> Play:
        """The play that a text means here. Raises NotationError, or IllegalPlay where it cannot be
        laid out on this board; whether it is legal is not checked."""
        return parse_move(text, self.rules.tiles, self.board)

    def judge(self, move: str | Play) -> Judgement:
        """Points and words of a legal play. Raises NotationError or IllegalPlay with the reason.

        Where the rack of the player on turn is empty (not known), any unseen tiles may be played.
        """
        play = self.parse(move) if isinstance(move, str) else move
        rack: tuple[int, ...] = self.racks[0] or tuple(
            letter for letter, count in sorted(self.unseen.items()) for _ in range(count)
        )
        return judge(play, self.board, self.rules, self.lexicon, rack, self.bag)

    def value(self, move: str | Play) -> RankedPlay:
        """A legal play with what it is worth. Raises as ``judge``."""
        judgement = self.judge(move)
        play = judgement.play
        kept = less(self.racks[0], play.used) or ()
        terms = terms_of(
            play, judgement.score, kept, board=self.board, rules=self.rules, leaves=self.leaves,
            bag=self.bag, opponents_points=self._opponents_points, opponents=len(self.racks) - 1,
        )  # fmt: skip
        return RankedPlay(
            play=play,
            score=judgement.score,
            kept=kept,
            leave=self.rules.tiles.format_rack(kept),
            leave_mp=terms.get("leave", 0),
            equity_mp=sum(terms.values()) if play.kind in (PLAY, EXCHANGE) else None,
            terms=terms,
        )

    def apply(self, move: str | Play) -> Position:
        """The position after a move, the next player on turn.

        The mover keeps the tiles not used and draws none; tiles exchanged are back in the bag.
        The ``lm`` opcode (last move) is dropped. Raises NotationError or IllegalPlay with the
        reason.
        """
        judgement = self.judge(move)
        play = judgement.play
        kept = less(self.racks[0], play.used) or ()
        board = [list(row) for row in self.board]
        for row, col, tile in play.laid:
            board[row][col] = tile
        return replace(
            self,
            board=tuple(map(tuple, board)),
            racks=(*self.racks[1:], kept),
            scores=(*self.scores[1:], self.scores[0] + judgement.score),
            zeros=0 if judgement.score else self.zeros + 1,
            opcodes=tuple(op for op in self.opcodes if op[0] != "lm"),
        )


def _rules_of(cgp: Cgp) -> Rules:
    """The rules that the opcodes ld, bdn and var name."""
    tiles = (cgp.opcode("ld") or "english").lower()
    if tiles in rules_names():
        rules = find_rules(tiles)
    elif tiles in tile_set_names():
        english, tile_set = find_rules("english"), find_tile_set(tiles)
        lexicon = english.lexicon if english.tiles.super_set == tiles else ""
        rules = replace(english, name=tiles, tiles=tile_set, lexicon=lexicon)
    else:
        raise NotationError(
            f"CGP ld {shorten(tiles)}: no such tile set; there are {', '.join(tile_set_names())}"
        )
    board = (cgp.opcode("bdn") or "CrosswordGame").lower()
    variant = (cgp.opcode("var") or "classic").lower()
    boards = ("crosswordgame", "supercrosswordgame")
    if board not in boards:
        raise NotationError(
            f"CGP bdn {shorten(cgp.opcode('bdn'))}: expected CrosswordGame or SuperCrosswordGame"
        )
    if variant not in ("classic", "classic_super"):
        raise NotationError(
            f"CGP var {shorten(cgp.opcode('var'))}: expected classic or classic_super"
        )
    if board == boards[1] or variant == "classic_super":
        rules = rules.with_variant("super")
    return rules


_CHALLENGES = {
    "void": Challenge("void"),
    "single": Challenge("single"),
    "double": Challenge("double"),
    "triple": Challenge("triple"),
    "5pt": Challenge("points", 5, "player_gains"),
    "10pt": Challenge("points", 10, "player_gains"),
}


def _changed(rules: Rules, cgp: Cgp) -> Rules:
    """The rules as the opcodes bb, etl, mcnz and cr change them."""

    def number(code: str, least: int, most: int) -> int | None:
        text = cgp.opcode(code)
        if text is None:
            return None
        digits = text.isdecimal() and text.isascii() and len(text) <= 9
        if not (digits and least <= int(text) <= most):
            raise NotationError(
                f"CGP {code} {shorten(text)}: expected a number from {least} to {most}"
            )
        return int(text)

    bonus = number("bb", 0, 10_000)
    if bonus is not None:
        laid = tuple(bonus if points else 0 for points in rules.bonus)
        rules = replace(rules, bonus=laid)
    limit = number("etl", 0, max(MIN_BAG, rules.tiles.total))
    if limit is not None:
        rules = replace(rules, exchange_min_bag=limit)
    zeros = number("mcnz", 1, 1000)
    if zeros is not None and rules.end.kind == "scoreless":
        rules = replace(rules, end=replace(rules.end, count=zeros))
    challenge = cgp.opcode("cr")
    if challenge is not None:
        if challenge.lower() not in _CHALLENGES:
            raise NotationError(f"CGP cr {shorten(challenge)}: expected {', '.join(_CHALLENGES)}")
        rules = replace(rules, challenge=_CHALLENGES[challenge.lower()])
    return rules
