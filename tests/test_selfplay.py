"""Games of self-play, followed turn by turn by a slow referee independent of the kernel."""

from __future__ import annotations

import random
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from importlib.abc import MetaPathFinder
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import engine as eng
from engine.board.notation.moves import parse_move
from engine.board.play import EXCHANGE, PASS, PLAY, less
from engine.lexicon.lexicon import Lexicon
from engine.movegen.judge import judge
from engine.players.static import StaticPlayer, find_player
from engine.rules.rules import End, Rules, find_rules
from engine.selfplay.pool import Workers
from engine.selfplay.records import FORMATS
from engine.selfplay.run import RunResult, play_run

pytestmark = pytest.mark.kernels

Load = Callable[..., Lexicon]


def invented(tiles: eng.TileSet, words: int, seed: int) -> list[str]:
    """Lines of a word list of a language that nobody speaks: syllables of its tiles."""
    rng = random.Random(seed)
    bag = [letter for letter in range(1, tiles.kinds) for _ in range(tiles.counts[letter])]
    vowels = [letter for letter in bag if tiles.vowels[letter]]
    others = [letter for letter in bag if not tiles.vowels[letter]]
    made = set()
    while len(made) < words:
        word: list[int] = []
        for _ in range(rng.choice((1, 1, 2, 2, 3))):
            word += [rng.choice(others)] * (rng.random() < 0.8) + [rng.choice(vowels)]
            word += [rng.choice(others)] * (rng.random() < 0.3)
        if len(word) > 1:
            made.add(tiles.format_word(word))
    return sorted(made)


# -- the referee -----------------------------------------------------------------------------------


def check_games(result: RunResult) -> Counter[str]:
    """Follow every game of a run; how often things happened, so that a test can ask for them."""
    turns, games = result.turns(), result.games()
    seen: Counter[str] = Counter()
    ends = np.searchsorted(turns["game"], games["game"], side="right").tolist()
    starts = [0, *ends[:-1]]
    assert ends[-1] == len(turns["game"])
    for i, (start, end) in enumerate(zip(starts, ends, strict=True)):
        game = {name: column[i].item() for name, column in games.items()}
        rows = [
            {name: column[at].item() for name, column in turns.items()} for at in range(start, end)
        ]
        assert game["turns"] == len(rows) == rows[-1]["turn"] + 1
        _check_game(result.rules, result.players, game, rows, seen)
        seen[game["end"]] += 1
    return seen


def _check_game(
    rules: Rules,
    players: tuple[StaticPlayer, ...],
    game: dict[str, Any],
    rows: list[dict[str, Any]],
    seen: Counter[str],
) -> None:
    tiles, n = rules.tiles, len(players)
    board = [[0] * rules.layout.cols for _ in range(rules.layout.rows)]
    unseen = Counter(dict(enumerate(tiles.counts)))  # neither laid nor ever on a rack, or put back
    kept: list[tuple[int, ...] | None] = [None] * n  # racks after the last turn, before drawing
    points, bingos, turns = [0] * n, [0] * n, [0] * n
    bag = tiles.total - n * rules.rack_size
    scoreless = passes = 0
    assert game["first"] == game["game"] % n
    for number, row in enumerate(rows):
        opening = not any(map(any, board))
        player = (game["first"] + number) % n
        assert (row["turn"], row["player"], row["bag"]) == (number, player, bag)
        rack = tiles.parse_rack(row["rack"])
        assert tiles.format_rack(rack) == row["rack"]
        before = kept[player]
        drawn = rack if before is None else less(rack, before)
        assert drawn is not None, "a tile that was kept has gone"
        unseen.subtract(drawn)
        assert min(unseen.values()) >= 0, "a tile from nowhere"
        grid = tuple(map(tuple, board))
        play = parse_move(row["play"], tiles, grid)
        assert str(play) == row["play"]
        judged = judge(play, grid, rules, players[player].lexicon, rack, bag)
        assert judged.score == row["score"]
        for r, c, tile in play.laid:
            board[r][c] = tile
        left = less(rack, play.used)
        assert left is not None
        kept[player] = left
        if play.kind == EXCHANGE:
            unseen.update(play.used)
        else:
            bag -= min(bag, rules.rack_size - len(left)) if play.kind == PLAY else 0
        points[player] += row["score"]
        turns[player] += 1
        if play.kind == PLAY and rules.bonus[len(play.laid)] > 0:
            bingos[player] += 1
        scoreless = 0 if row["score"] else scoreless + 1
        passes = passes + 1 if play.kind == PASS else 0
        others = max(points[other] for other in range(n) if other != player)
        assert row["spread"] == points[player] - others
        _check_value(rules, players[player], row, play.kind, left, opening)
        seen[play.kind] += 1
        seen["bingo"] += play.kind == PLAY and rules.bonus[len(play.laid)] > 0
        seen["blank"] += any(tile & 0x80 for _, _, tile in play.laid)
    last = (game["first"] + len(rows) - 1) % n
    _check_end(rules, game, board, kept[last], last, bag, points, scoreless, passes)
    assert [game[f"bingos_{p}"] for p in range(n)] == bingos
    assert [game[f"turns_{p}"] for p in range(n)] == turns


def _check_value(
    rules: Rules,
    player: StaticPlayer,
    row: dict[str, Any],
    kind: str,
    left: tuple[int, ...],
    opening: bool,
) -> None:
    worth = player.leaves.value(left) / 1000 if row["bag"] else 0
    assert row["leave_value"] == worth
    if kind == PASS:
        assert np.isnan(row["equity"])
    elif row["bag"] and not (opening and player.terms):
        assert row["equity"] == pytest.approx(row["score"] + worth, abs=1e-9)
    elif row["bag"]:
        assert row["equity"] <= row["score"] + worth + 1e-9  # the opening term only takes away


def _check_end(
    rules: Rules,
    game: dict[str, Any],
    board: list[list[int]],
    last_rack: tuple[int, ...] | None,
    last: int,
    bag: int,
    points: list[int],
    scoreless: int,
    passes: int,
) -> None:
    n = len(points)
    adjustments = [game[f"adjustment_{p}"] for p in range(n)]
    assert [game[f"score_{p}"] for p in range(n)] == [
        a + b for a, b in zip(points, adjustments, strict=True)
    ]
    assert game["bag"] == bag
    on_board = sum(rules.tiles.values[t] for row in board for t in row if not t & 0x80)
    rest = rules.tiles.points - on_board  # points in the bag and on the racks
    if game["end"] == "target":
        assert points[last] >= rules.finish_line[n]
        assert adjustments == [0] * n
        return
    if game["end"] == "out":
        assert not last_rack
        assert bag == 0
        twice = rules.adjustment == "tournament" and n == 2
        assert adjustments[last] == rest * (2 if twice else 1)
        taken = adjustments[:last] + adjustments[last + 1 :]
        assert sum(taken) == (0 if twice else -rest)
        assert max(taken) <= 0
        return
    assert last_rack
    assert max(adjustments) <= 0
    assert -sum(adjustments) == rest if bag == 0 else -sum(adjustments) <= rest
    if game["end"] == "scoreless":
        assert rules.end.kind == "scoreless"
        assert scoreless == rules.end.count
    elif game["end"] == "passes":
        assert rules.end.kind == "passes"
        assert passes == rules.end.count * n
    else:
        assert game["end"] == "no_moves"
        assert bag == 0
        assert passes >= n


# -- games of every sort ---------------------------------------------------------------------------


@pytest.mark.parametrize("names", ["ee", "eg", "ege", "gegg"])
def test_english_games_hold_together(names: str) -> None:
    players = ["equity" if name == "e" else "greedy" for name in names]
    result = eng.play_games(*players, games=31, seed=len(names), chunk=12)
    seen = check_games(result)
    assert seen["out"]
    assert seen["bingo"]
    assert seen["blank"]


@pytest.mark.parametrize(
    ("rules", "players", "words"),
    [
        ("hungarian", 2, 4000),
        ("hungarian", 3, 300),
        ("english+nine", 2, 0),
        ("polish+nine", 4, 2000),
        ("english+super", 2, 0),
        ("finnish", 2, 60),
        ("norwegian+finish-expert", 3, 3000),
        ("classic", 2, 0),
    ],
)
def test_games_of_other_rules_hold_together(
    rules: str, players: int, words: int, load: Load
) -> None:
    system = find_rules(rules)
    lexicon = load(invented(system.tiles, words, players), system.tiles) if words else None
    result = eng.play_games(
        *["equity", "greedy", "equity", "greedy"][:players],
        games=15 if system.tiles.total > 150 else 25,
        seed=7,
        rules=system,
        lexicon=lexicon,
    )
    seen = check_games(result)
    if "finish" in rules:
        assert seen["target"]


def test_every_end_happens(load: Load) -> None:
    """Few words: games in which nobody can go on."""
    rules = find_rules("english")
    lexicon = load(["AA", "QI", "ZA", "ZAX", "ZAS", "OX"])
    seen: Counter[str] = Counter()
    for end in (End(), End("passes", 2)):
        for least in (7, rules.tiles.total + 1):  # with exchanges and without
            own = replace(rules, end=end, exchange_min_bag=least)
            players = [find_player("equity", own, lexicon)] * 2
            seen += check_games(play_run(own, players, games=40, seed=1))
    assert seen["scoreless"]
    assert seen["passes"]
    assert seen["pass"]
    assert seen["exchange"]


def test_players_with_lexicons_of_their_own(load: Load) -> None:
    tiles = eng.find_tile_set("english")
    small = load(invented(tiles, 500, 1))
    result = eng.play_games(
        "greedy", "equity", "equity", games=20, lexicons=["english", small, small], leaves="zero"
    )
    assert [len(player.lexicon) for player in result.players] == [172823, 500, 500] or (
        len(result.players[0].lexicon) > 100_000
    )
    check_games(result)


# -- runs ------------------------------------------------------------------------------------------


def _same(a: RunResult, b: RunResult) -> bool:
    return all(
        np.array_equal(mine[name], theirs[name], equal_nan=mine[name].dtype.kind == "f")
        for mine, theirs in ((a.turns(), b.turns()), (a.games(), b.games()))
        for name in mine
    )


def test_chunks_and_workers_do_not_change_the_games() -> None:
    made = [
        eng.selfplay("equity", "greedy", "greedy", games=50, seed=5, chunk=chunk, workers=workers)
        for chunk, workers in ((50, 1), (7, 2), (1, Workers("threads", 3)))
    ]
    assert all(_same(made[0], other) for other in made[1:])
    other = eng.play_games("equity", "greedy", "greedy", games=50, seed=6)
    assert not _same(made[0], other)


def test_the_first_games_of_a_longer_run_are_the_same() -> None:
    short = eng.play_games("equity", "equity", games=9, seed=5, chunk=4).turns()
    long = eng.play_games("equity", "equity", games=30, seed=5, chunk=30).turns()
    count = len(short["game"])
    assert short["play"].tolist() == long["play"][:count].tolist()


def test_figures_are_those_of_the_games() -> None:
    result = eng.play_games("equity", "greedy", games=300, seed=2, chunk=100)
    games, figures = result.games(), result.figures()
    for player, one in enumerate(figures["players"]):
        score = games[f"score_{player}"]
        assert one["score"] == pytest.approx(score.mean(), abs=1e-3)
        assert one["score_deviation"] == pytest.approx(score.std(ddof=1), abs=1e-3)
        assert one["turns"] == pytest.approx(games[f"turns_{player}"].mean(), abs=1e-4)
        assert one["bingos"] == pytest.approx(games[f"bingos_{player}"].mean(), abs=1e-4)
        made = (score - games[f"adjustment_{player}"]).sum() / games[f"turns_{player}"].sum()
        assert one["score_per_turn"] == pytest.approx(made, abs=1e-4)
    spread = games["score_0"] - games["score_1"]
    share = (np.sign(spread) + 1) / 2
    width = 2 * 1.96 * share.std(ddof=1) / 300**0.5  # Wilson's interval is about as wide
    first = figures["players"][0]
    assert first["win_share"] == pytest.approx(share.mean(), abs=1e-5)
    assert first["win_share_high"] - first["win_share_low"] == pytest.approx(width, abs=2e-3)
    began = np.where(games["first"] == 0, share, 1 - share)
    assert figures["first_mover_share"] == pytest.approx(began.mean(), abs=1e-5)
    assert figures["spread"] == pytest.approx(spread.mean(), abs=1e-3)
    assert sum(figures["ends"].values()) == figures["games"] == 300
    assert f"{first['score']:.2f}" in result.summary()


def test_a_tie_is_shared_or_decided_before_the_adjustment() -> None:
    from engine.selfplay.totals import Totals

    def games(*scores: tuple[int, int]) -> dict[str, Any]:
        table: dict[str, Any] = {"game": np.array([0]), "first": np.array([0])}
        for player, (score, adjustment) in enumerate(scores):
            table |= {f"score_{player}": np.array([score]), f"turns_{player}": np.array([9])}
            table |= {f"adjustment_{player}": np.array([adjustment])}
            table |= {f"bingos_{player}": np.array([0])}
        return table | {"end": np.array(["out"])}

    def shares(tie: str, *scores: tuple[int, int]) -> list[float]:
        totals = Totals.of(games(*scores), len(scores), tie)
        return [totals.win_share(player)[0] for player in range(len(scores))]

    assert shares("draw", (300, 8), (300, -8)) == [0.5, 0.5]
    assert shares("before_adjustment", (300, 8), (300, -8)) == [0, 1]
    assert shares("draw", (5, 0), (9, 0), (9, 0), (9, 0)) == pytest.approx([0, 1 / 3, 1 / 3, 1 / 3])
    assert shares("draw", (-5, 0), (-9, 0)) == [1, 0]


def test_pandas_gets_the_columns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pandas", SimpleNamespace(DataFrame=dict))
    result = eng.play_games("equity", "equity", games=3)
    assert result.to_pandas("games")["game"].tolist() == [0, 1, 2]
    assert list(result.to_pandas()) == list(result.turns())
    for what in ("plays", None, []):
        with pytest.raises(eng.QuixotryError, match="expected turns or games"):
            result.to_pandas(what)


def test_without_pandas_only_to_pandas_is_missing(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    class NoPandas(
        MetaPathFinder
    ):  # None in sys.modules would mislead pyarrow, which is not Python
        def find_spec(self, name: str, *_: object) -> None:
            if name.partition(".")[0] == "pandas":
                raise ModuleNotFoundError(name)

    for name in [name for name in sys.modules if name.partition(".")[0] == "pandas"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [NoPandas(), *sys.meta_path])
    for form in FORMATS:
        result = eng.play_games("equity", "equity", games=3, format=form, out=tmp_path / form)
        assert result.games()["game"].tolist() == [0, 1, 2]
        assert "3 games" in result.summary()
        for what in ("turns", "games"):
            with pytest.raises(eng.QuixotryError, match="to_pandas needs pandas: pip install"):
                result.to_pandas(what)


def test_the_summary_names_players_lexicons_and_leaves(tmp_path: Path) -> None:
    words, leaves = tmp_path / "few.words.txt", tmp_path / "mine.csv"
    words.write_text("at\ncat\ncats\n")
    leaves.write_text("S,8\n")
    result = eng.play_games(
        "equity", "greedy", games=2, lexicons=["english", words], leaves=[leaves, None]
    )
    second = result.summary().splitlines()[1]
    assert second == (
        "0 equity (lexicon english, leaves mine.csv), 1 greedy (lexicon few, leaves zero)"
    )
    players = result.figures()["players"]
    assert [(one["lexicon"], one["leaves"]) for one in players] == [
        ("english", "mine.csv"),
        ("few", "zero"),
    ]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"games": 0}, "games 0, expected"),
        ({"chunk": 0}, "chunk 0, expected"),
        ({"seed": -1}, "seed -1"),
        ({"seed": 2**64}, "seed"),
        ({"workers": 0}, "workers 0, expected"),
        ({"format": "xml"}, "xml"),
        ({"rules": "polish"}, "give one with --lexicon"),
        ({"lexicons": ["english"] * 3}, "lexicons: 3 for 2 players"),
        ({"leaves": "none"}, "no leaves 'none'"),
    ],
)
def test_what_cannot_be_played_is_said(settings: dict[str, Any], message: str) -> None:
    with pytest.raises(eng.QuixotryError, match=message):
        eng.play_games("equity", "greedy", **{"games": 1, **settings})
    with pytest.raises(eng.QuixotryError, match="1 player given, expected 2 to 4"):
        eng.play_games("equity", games=1)
    with pytest.raises(eng.QuixotryError, match="no player 'best'"):
        eng.play_games("equity", "best", games=1)
