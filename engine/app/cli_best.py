"""``quixotry best``: the ranked plays of positions."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import NotationError, QuixotryError

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
    parser.add_argument("--leaves", help="zero, a name, or a .csv or .klv2 file")
    parser.add_argument(
        "--top", type=int, default=15, metavar="N", help="plays shown (default 15; 0 all)"
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
    if args.top < 0:
        args.parser.error(f"--top {args.top}: expected 0 or more")
    positions = _positions(args)
    for number, (where, position) in enumerate(positions):
        try:
            result = _rank(position, args.top or None, args.also)
        except QuixotryError as error:
            raise type(error)(f"{where}{error}") if where else error from None
        if args.json:
            for line in _json(number, result):
                print(json.dumps(line, ensure_ascii=False))
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
    rules = find_rules(args.rules) if args.rules else None
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
                lexicon = load_lexicon(args.lexicon, tiles) if args.lexicon else None
                loaded[key] = lexicon, load_leaves(args.leaves, tiles) if args.leaves else None
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
            raise type(error)(f"{where}{error}") if where else error from None
        positions.append((where, position))
    for name in {dict(p.opcodes).get("lex") for _, p in positions if not args.lexicon} - {None}:
        used = {p.lexicon.info.name for _, p in positions if dict(p.opcodes).get("lex") == name}
        if used != {name}:
            note = f"lexicon {name} is not installed, {', '.join(sorted(used))} is used"
            print(f"quixotry: note: {note}", file=sys.stderr)
    return positions


def _lines(file: str) -> Iterator[tuple[str, str]]:
    """("FILE, line N: ", CGP) of the lines that are neither empty nor comments."""
    try:
        data = sys.stdin.buffer.read() if file == "-" else Path(file).read_bytes()
        text = data.decode("utf-8-sig")
    except OSError as error:
        raise NotationError(f"{file}: {error.strerror or error}") from None
    except UnicodeDecodeError:
        raise NotationError(f"{file}: not a text file in UTF-8") from None
    for number, line in enumerate(text.splitlines(), 1):
        if line.strip() and not line.startswith("#"):
            yield f"{file}, line {number}: ", line


@dataclass(frozen=True)
class _Line:
    rank: int
    ranked: RankedPlay
    loss: float | None  #: of a play asked for: what it is worth less than the best


def _rank(position: Position, top: int | None, also: list[str]) -> list[_Line]:
    extra = {position.value(move).play for move in also}
    plays = position.plays(top, also)
    best = plays[0].equity if plays else None
    lines = []
    for number, ranked in enumerate(plays, 1):
        asked = ranked.play in extra
        rank = position.rank(ranked) if asked else number
        loss = None
        if asked and best is not None and ranked.equity is not None:
            loss = round(max(0.0, best - ranked.equity), 3)
        lines.append(_Line(rank, ranked, loss))
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
        f" lexicon {position.lexicon.info.name}, leaves {position.leaves.name}"
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
