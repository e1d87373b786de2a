"""What trainings have in common: the games, the record of a plan, the folder of what is done."""

from __future__ import annotations

import hashlib
import json
from contextlib import suppress
from dataclasses import asdict, dataclass
from functools import cached_property
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from engine.errors import LexiconFileError, QuixotryError, shorten
from engine.files import FolderLock, file_fault
from engine.lexicon.files import replace_file
from engine.lexicon.lexicon import Lexicon
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.selfplay.batch import Batch

_PLAN = "plan.json"


@dataclass(frozen=True)
class GamesTask:
    """Games of two players alike, by chunks; the base of tasks (engine/selfplay/pool.py) that make
    something of them. Can be pickled. ``stop_bag``: as for Batch."""

    rules: Rules
    player: StaticPlayer
    seed: int
    games: int
    chunk: int
    stop_bag: int = 0

    @cached_property
    def batch(self) -> Batch:
        return Batch(self.rules, (self.player, self.player), stop_bag=self.stop_bag)

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "batch"}

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return -(-self.games // self.chunk)

    def play(self, number: int) -> tuple[NDArray[np.void], NDArray[np.void]]:
        """Turns and games of a chunk, as ``Batch.play``."""
        first = number * self.chunk
        return self.batch.play(self.seed, first, min(self.chunk, self.games - first))


def need_words(lexicon: Lexicon) -> None:
    """Raise QuixotryError for a lexicon without words: nothing can be learnt from such games."""
    if not lexicon.info.words:
        raise QuixotryError(f"lexicon {lexicon.info.name!r} has no words to play with")


def plan_record(rules: Rules, lexicon: Lexicon) -> dict[str, Any]:
    """Rules and lexicon as JSON takes them, with hashes of all that games depend on."""
    info = lexicon.info
    text = json.dumps(asdict(rules), sort_keys=True)
    graph = np.ascontiguousarray(lexicon.graph.astype("<u4", copy=False))
    return {
        "rules": rules.name,
        "rules_hash": hashlib.sha256(text.encode()).hexdigest()[:16],
        "tiles": rules.tiles.name,
        "rack_size": rules.rack_size,
        "lexicon": {
            "name": info.name,
            "words": info.words,
            "origin": info.origin,
            "licence": info.licence,
            "hash": hashlib.sha256(graph.data).hexdigest()[:16],
        },
    }


def is_made(out: Path, header: dict[str, Any] | None, name: str, record: dict[str, Any]) -> bool:
    """Whether the file to be written is there already, made by the same plan.

    ``header``: what the file says, None for what is no such file. Raises QuixotryError for a file
    that is there and is anything else.
    """
    if not out.exists():
        return False
    made = header["training"] if header else {}
    if header and header["name"] == name and record.items() <= made.items():
        return True
    raise QuixotryError(f"{out} is there already and is not what this makes: give another name")


class Workplace:
    """A folder beside the file that a training makes, with what is done so far; ours until closed.

    ``FILE.training`` holds ``plan.json`` and whatever a training puts there.
    """

    def __init__(self, out: Path, record: dict[str, Any]) -> None:
        """Raises QuixotryError, with nothing changed, where the folder is in use, of a training
        with another record, or holds something else; LexiconFileError where it cannot be made."""
        self.path = out.with_name(out.name + ".training")
        self._lock: FolderLock | None = None
        plan = (json.dumps(record, indent=1) + "\n").encode()
        try:
            new = not self.path.exists()
            if new:
                self.path.mkdir()
            elif not self.path.is_dir():
                raise QuixotryError(f"{self.path} is in the way: it is no folder of a training")
            self._lock = FolderLock(self.path, "another training is at work here")
            if not new:
                self._check(plan)
            replace_file(self.path / _PLAN, [plan])
        except BaseException as error:
            self.close()
            if isinstance(error, (OSError, ValueError)) and not isinstance(error, QuixotryError):
                raise LexiconFileError(file_fault(self.path, error)) from None
            raise

    def _check(self, plan: bytes) -> None:
        about = self.path / _PLAN
        if not about.exists():
            others = [path.name for path in self.path.iterdir() if path.suffix != ".tmp"]
            if others:
                raise QuixotryError(
                    f"{self.path} holds something else ({shorten(others[0])}): move it away"
                )
        elif about.read_bytes() != plan:
            raise QuixotryError(
                f"{self.path} is of a training with other arguments: go on with those,"
                " or remove the folder"
            )

    def close(self) -> None:
        """Give up the lock; what is done stays."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def remove(self, *names: str) -> None:
        """Remove the folder: the plan and the files of these patterns; others stay, and then the
        folder does too."""
        for name in (*names, _PLAN, ".*.tmp"):
            for path in self.path.glob(name):
                path.unlink(missing_ok=True)
        with suppress(OSError):
            self.path.rmdir()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()
