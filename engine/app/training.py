"""``engine.train_leaves`` and ``engine.train_winpct``: training by names, to a file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from engine.app.runs import LeavesSource, LexiconSource, find_players, given_rules
from engine.errors import QuixotryError, shorten
from engine.files import file_fault
from engine.rules.rules import Rules

if TYPE_CHECKING:
    from engine.players.static import StaticPlayer
    from engine.selfplay.pool import Workers
    from lexicon_build import leaves as leave_training
    from lexicon_build import winpct as win_training

Progress = Callable[[str, int, int], None]  #: what is going on, done, of how much


def train_leaves(
    out: Path | str,
    *,
    rules: Rules | Path | str = "english",
    lexicon: LexiconSource = None,
    games: int = 50_000,
    generations: int = 5,
    pairs: int = 20_000,
    max_len: int | None = None,
    seed: int = 0,
    name: str | None = None,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> leave_training.Trained:
    """Train leave values by self-play from nothing, and write them to ``out``, a ``.qlv`` file.

    ``games``: of the first generation; each has twice those of the one before. ``pairs``: most of
    each match of a generation's leaves against those before. ``max_len``: tiles of the longest
    leave in the table (None: 6, or as many as fit). ``name``: of the table (None: the file's).
    What is done is kept in a folder beside ``out``: a training that was stopped goes on when it is
    called again. The file depends on the arguments, not on the workers.

    Raises QuixotryError, with nothing played or written, for arguments that cannot be.
    """
    from engine.lexicon.leave_files import ENDINGS
    from engine.selfplay.batch import check_seed
    from engine.selfplay.checks import check_progress
    from engine.selfplay.pool import check_workers
    from lexicon_build.leaves import Plan, train_leaves

    path, workers = _check_out(out, ENDINGS[0]), check_workers(workers)
    check_seed(seed)
    check_progress(progress)
    rules = given_rules(rules)
    plan = Plan(
        rules,
        _player(rules, lexicon, "zero").lexicon,
        seed=seed,
        games=games,
        generations=generations,
        pairs=pairs,
        max_len=_longest(rules) if max_len is None else max_len,
        name=_name(name, path),
    )
    return train_leaves(plan, path, workers=workers, progress=progress)


def train_winpct(
    out: Path | str,
    *,
    rules: Rules | Path | str = "english",
    lexicon: LexiconSource = None,
    leaves: LeavesSource = None,
    games: int = 200_000,
    seed: int = 0,
    name: str | None = None,
    workers: Workers | int = 1,
    progress: Progress | None = None,
) -> win_training.Trained:
    """Train a table of win probability by self-play, and write it to ``out``, a ``.qwp`` file.

    ``leaves``: those of the players, a name, a file or Leaves (None: those that come with the
    tiles). A tenth as many games more judge the table. Otherwise as ``train_leaves``.

    Raises QuixotryError, with nothing played or written, for arguments that cannot be.
    """
    from engine.search.winpct import ENDING
    from engine.selfplay.checks import check_progress
    from engine.selfplay.pool import check_workers
    from lexicon_build.winpct import Plan, train_winpct

    path, workers = _check_out(out, ENDING), check_workers(workers)
    check_progress(progress)
    rules = given_rules(rules)
    player = _player(rules, lexicon, leaves)
    plan = Plan(
        rules,
        player.lexicon,
        player.leaves,
        seed=seed,
        games=games,
        name=_name(name, path),
    )
    return train_winpct(plan, path, workers=workers, progress=progress)


def _player(rules: Rules, lexicon: LexiconSource, leaves: LeavesSource) -> StaticPlayer:
    return find_players(("equity", "equity"), rules, (lexicon,), (leaves,))[0]


def _longest(rules: Rules) -> int:
    """Tiles of the longest leave, where nothing is said: LONGEST, or as many as fit."""
    from engine.lexicon.leaves import MAX_VALUES, table_size
    from lexicon_build.leaves import LONGEST

    sizes = range(min(LONGEST, rules.rack_size - 1), 1, -1)
    return next((n for n in sizes if table_size(rules.tiles.kinds, n) <= MAX_VALUES), 1)


def _name(name: str | None, path: Path) -> str:
    """The name of a table. Raises QuixotryError for what is none."""
    from engine.lexicon.packed import MAX_NAME, is_name

    found = path.stem if name is None else name
    if not is_name(found) or not found.strip():
        raise QuixotryError(
            f"name {shorten(found)}, expected 1 to {MAX_NAME} characters, none of control"
        )
    return found


def _check_out(out: Path | str, ending: str) -> Path:
    """The file to write. Raises QuixotryError where it could not be written, or read again."""
    from engine.selfplay.checks import expect

    expect("out", out, (str, Path), f"a {ending} file")
    path = Path(out)
    if path.suffix.lower() != ending:
        raise QuixotryError(f"{out}: expected a file name that ends in {ending}")
    try:
        if path.is_dir():
            raise QuixotryError(f"{out}: is a folder, expected a file")
        if not path.parent.is_dir():
            raise QuixotryError(f"{out}: there is no folder {path.parent}")
    except OSError as error:  # a name that is too long
        raise QuixotryError(file_fault(out, error)) from None
    return path
