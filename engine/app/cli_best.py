"""``quixotry best``: the ranked plays of positions."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from engine.app.terminal import emit, whole
from engine.errors import NotationError, QuixotryError, brief, printable
from engine.files import decode, file_fault, read_text

if TYPE_CHECKING:
    from engine.game.position import Position
    from engine.movegen.equity import RankedPlay


def add_parser(commands: Any) -> None:
    """Add ``best`` to a program's subcommands."""
    about = "rank the plays of a position by score plus leave equity"
    parser = commands.add_parser("best", help=about, description=about, allow_abbrev=False)
    what = parser.add_mutually_exclusive_group()
    what.add_argument("--cgp", metavar="TEXT", help="a position as CGP text")
    what.add_argument("--cgp-file", metavar="FILE", help="a CGP a line ('-' for standard input)")
    parser.add_argument(
        "--rack", help="tiles of the player on turn, '?' a blank; alone: on the empty board"
    )
    parser.add_argument(
        "--rules", help="english, finnish+nine, a .toml file ... (default: what the CGP says)"
    )
    parser.add_argument("--lexicon", help="name, or a .qlx, .kwg, .txt or .gz file")
    parser.add_argument("--leaves", help="zero, a name, or a .qlv, .csv or .klv2 file")
    parser.add_argument(
        "--top", type=whole, default=15, metavar="N", help="plays shown (default 15; 0 all)"
    )
    parser.add_argument(
        "--also", action="append", default=[], metavar="MOVE", help="a move to list in any case"
    )
    parser.add_argument("--show", action="store_true", help="draw the board first")
    parser.add_argument("--json", action="store_true", help="one JSON object a play")
    parser.set_defaults(run=_run, parser=parser)


def _run(args: argparse.Namespace) -> int:
    if args.cgp is None and args.cgp_file is None and args.rack is None:
        args.parser.error("give a position: --rack, --cgp or --cgp-file")
    results = []
    for where, position in _positions(args):
        try:
            results.append((position, _rank(position, args.top or None, args.also)))
        except QuixotryError as error:
            error.add_prefix(where)
            raise
    for number, (position, result) in enumerate(results):
        if args.json:
            for line in _json(number, result):
                emit(line)
            continue
        if number:
            print()
        for text in _text(position, result, args.show):
            print(text)
    return 0


def _positions(args: argparse.Namespace) -> list[tuple[str, Position]]:
    """Every position asked for, with the place that it comes from; all are read before any plays
    are made, so that bad input leaves nothing half done."""
    from engine.app.library import load_leaves, load_lexicon
    from engine.game.position import Position
    from engine.rules.rules import find_rules

    if args.cgp_file is None:
        lines = [("", args.cgp)]
    else:
        lines = list(_lines(args.cgp_file))
    rules = None if args.rules is None else find_rules(args.rules)
    loaded: dict[Any, Any] = {}
    positions = []
    for where, text in lines:
        try:
            if text is None:
                tiles = rules or find_rules("english")
            else:
                tiles = rules or Position.rules_of(text)
            key = tiles.tiles, tiles.layout
            if key not in loaded:
                loaded[key] = (
                    None if args.lexicon is None else load_lexicon(args.lexicon, tiles),
                    None if args.leaves is None else load_leaves(args.leaves, tiles),
                )
            lexicon, leaves = loaded[key]
            if text is None:
                position = Position.new(tiles, lexicon, leaves, rack=args.rack)
            else:
                position = Position.from_cgp(
                    text, rules, lexicon, leaves, check_tiles=args.rack is None
                )
                if args.rack is not None:
                    position = position.with_rack(args.rack)
        except QuixotryError as error:
            error.add_prefix(where)
            raise
        positions.append((where, position))
    named = {dict(p.opcodes).get("lex", "") for _, p in positions if args.lexicon is None}
    for name in sorted(named - {""}):
        used = {p.lexicon.info.name for _, p in positions if dict(p.opcodes).get("lex") == name}
        if used != {name}:
            note = f"lexicon {brief(name)} is not installed, {', '.join(sorted(used))} is used"
            print(f"quixotry: note: {note}", file=sys.stderr)
    return positions


def _lines(file: str) -> Iterator[tuple[str, str]]:
    """("FILE, line N: ", CGP) of the lines that are neither empty nor comments."""
    if not file:
        raise NotationError("--cgp-file '': expected the name of a file, or '-'")
    text = _standard_input() if file == "-" else read_text(file, NotationError)
    lines = [(number, line.strip()) for number, line in enumerate(text.splitlines(), 1)]
    lines = [(number, line) for number, line in lines if line and line[0] != "#"]
    if not lines:
        raise NotationError(f"{file}: no position in it, expected a CGP a line")
    for number, line in lines:
        yield f"{file}, line {number}: ", line


def _standard_input() -> str:
    if sys.stdin is None:
        raise NotationError("-: standard input is closed")
    try:
        return decode(sys.stdin.buffer.read(), "-", NotationError)
    except OSError as error:
        raise NotationError(file_fault("-", error)) from None


@dataclass(frozen=True)
class _Line:
    rank: int
    ranked: RankedPlay
    loss: float | None  #: of a play asked for: what it is worth less than the best


def _rank(position: Position, top: int | None, also: list[str]) -> list[_Line]:
    from engine.movegen.equity import rank_key

    asked = {ranked.play: ranked for ranked in map(position.value, also)}
    plays = position.plays(top)
    places = {ranked.play: place for place, ranked in enumerate(plays, 1)}
    more = [ranked for play, ranked in asked.items() if play not in places]
    best = plays[0].equity_mp
    lines = []
    for ranked in sorted([*plays, *more], key=rank_key):
        loss = None
        if ranked.play in asked and best is not None and ranked.equity_mp is not None:
            loss = max(0, best - ranked.equity_mp) / 1000
        place = places.get(ranked.play) or position.rank(ranked)
        lines.append(_Line(place, ranked, loss))
    return lines


def _json(number: int, lines: list[_Line]) -> Iterator[dict[str, Any]]:
    for line in lines:
        play = line.ranked
        found = {
            "position": number,
            "rank": line.rank,
            "play": str(play),
            "score": play.score,
            "leave": play.leave,
            "leave_value": play.leave_value,
            "equity": play.equity,
        }
        yield found if line.loss is None else found | {"loss": line.loss}


def _text(position: Position, lines: list[_Line], show: bool) -> Iterator[str]:
    tiles = position.rules.tiles
    if show:
        from engine.app.draw import draw_board

        yield from draw_board(position)
        yield ""
    yield (
        f"rack {tiles.format_rack(position.racks[0]) or '(empty)'},"
        f" {position.bag} tiles in the bag, rules {position.rules.name},"
        f" lexicon {position.lexicon.info.name}, leaves {printable(position.leaves.name)}"
    )
    rows = [("", "play", "score", "leave", "value", "equity")]
    for line in lines:
        play = line.ranked
        equity = "" if play.equity is None else f"{play.equity:.3f}"
        loss = "" if line.loss is None else f"  (loss {line.loss:.3f})"
        rows.append(
            (str(line.rank), str(play), str(play.score), play.leave, f"{play.leave_value:.3f}",
             equity + loss)
        )  # fmt: skip
    widths = [max(len(row[i]) for row in rows) for i in range(5)]
    equity_width = max((len(row[5].split(" ")[0]) for row in rows), default=0)
    for rank, move, score, leave, value, equity in rows:
        number, _, rest = equity.partition(" ")
        yield (
            f"{rank:>{widths[0]}}  {move:<{widths[1]}}  {score:>{widths[2]}}"
            f"  {leave:<{widths[3]}}  {value:>{widths[4]}}  {number:>{equity_width}} {rest}"
        ).rstrip()
