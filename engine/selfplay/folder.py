"""The folder of a run: a manifest and numbered chunks of columns, each proven whole.

    manifest.json             what the run is: versions, seed, games, rules, hashes; written first
    turns-000000.parquet      the turns of chunk 0 (columns: engine/selfplay/columns.py)
    games-000000.parquet      its games
    chunk-000000.json         run, number, and the size and SHA-256 of both; written last

A chunk is there when its record is and both files are what it says; otherwise it is played again.
A file is written under a temporary name and renamed, and its bytes depend on the manifest only: a
run that was killed goes on where it stopped and ends with the same files as one that was not.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import QuixotryError, shorten
from engine.files import FolderLock, file_fault
from engine.lexicon.files import replace_file
from engine.lexicon.lexicon import Lexicon
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.selfplay.checks import expect
from engine.selfplay.records import FORMATS, decode, versions
from engine.selfplay.summary import leaves_name

log = logging.getLogger("engine.selfplay")

WHATS = ("turns", "games")
MANIFEST = "manifest.json"
VERSION = 2  #: of the manifest, the chunk records and the columns

_TABLES = ("lexicon", "leaves")  # of a player; all else about it is text or a number
_OWN = rf"(?:{re.escape(MANIFEST)}|chunk-\d+\.json|(?:turns|games)-\d+\.(?:{'|'.join(FORMATS)}))"
_RECORD = re.compile(r"chunk-\d+\.json")
_TEMPORARY = re.compile(rf"\.{_OWN}\.\d+\.tmp")  # as replace_file names them


# -- the manifest ----------------------------------------------------------------------------------


def _digest(*parts: bytes | memoryview) -> str:
    made = hashlib.sha256()
    for part in parts:
        made.update(part)
    return made.hexdigest()


def _lexicon_entry(lexicon: Lexicon) -> dict[str, Any]:
    graph = np.ascontiguousarray(lexicon.graph.astype("<u4", copy=False))
    roots = f"{lexicon.dawg_root} {lexicon.gaddag_root} {lexicon.wide}"
    digest = _digest(roots.encode(), graph.data)
    return {"name": lexicon.info.name, "words": lexicon.info.words, "hash": digest}


def make_manifest(
    rules: Rules,
    players: Sequence[StaticPlayer],
    *,
    games: int,
    seed: int,
    chunk: int,
    form: str,
) -> dict[str, Any]:
    """What a run is, as JSON takes it; two runs with the same manifest make the same files."""
    text = json.loads(json.dumps(asdict(rules)))
    entries: list[dict[str, Any]] = []
    lexicons: dict[int, dict[str, Any]] = {}
    for player in players:
        key = id(player.lexicon)
        lexicons[key] = lexicons.get(key) or _lexicon_entry(player.lexicon)
        leaves = player.leaves
        values = np.ascontiguousarray(leaves.values.astype("<i4", copy=False))
        entries.append(
            {
                **{name: value for name, value in vars(player).items() if name not in _TABLES},
                "lexicon": lexicons[key],
                "leaves": {
                    "name": leaves_name(player),
                    "hash": _digest(f"{leaves.kinds} {leaves.max_len} ".encode(), values.data),
                },
            }
        )
    return {
        "version": VERSION,
        "versions": versions(form),
        "seed": seed,
        "games": games,
        "chunk": chunk,
        "format": form,
        "rules": {
            "name": rules.name,
            "hash": _digest(json.dumps(text, sort_keys=True).encode()),
            "text": text,
        },
        "players": entries,
    }


def _read_manifest(file: Path, keys: Mapping[str, Any]) -> dict[str, Any] | None:
    """A manifest with (at least) such keys; None for what is none. Raises QuixotryError."""
    try:
        found = json.loads(file.read_bytes())
    except OSError as error:
        raise QuixotryError(file_fault(file, error)) from None
    except (ValueError, RecursionError):
        found = None
    return found if isinstance(found, dict) and set(keys) <= set(found) else None


def _differences(there: Any, here: Any, name: str = "") -> Iterator[str]:
    """Where two manifests differ, one text a place; rules are compared by name and hash."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for key in [*there, *(key for key in here if key not in there)]:
            if (name, key) != ("rules", "text"):
                inner = f"{name}.{key}" if name else str(key)
                yield from _differences(there.get(key), here.get(key), inner)
    elif isinstance(there, list) and isinstance(here, list):
        if len(there) != len(here):
            yield f"{name}: {len(there)} there, {len(here)} here"
        for i, (theirs, mine) in enumerate(zip(there, here)):
            yield from _differences(theirs, mine, f"{name}.{i}")
    elif there != here:
        yield f"{name} is {_shown(there)} there, {_shown(here)} here"


def _shown(value: Any) -> str:
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 40 else text[:12] + "..."


# -- the folder ------------------------------------------------------------------------------------


class Folder:
    """The folder of a run, made or taken up again; locked against a second run while open."""

    def __init__(self, path: Path | str, manifest: dict[str, Any]) -> None:
        """Make the folder, or open that of the same run and remove what a killed run left half
        written. Raises QuixotryError, with nothing written, where it holds another run or other
        files, or cannot be used."""
        expect("out", path, (str, os.PathLike), "the name of a folder")
        if path == "":
            raise QuixotryError("out '', expected the name of a folder")
        self.path = Path(path)
        self.form: str = manifest["format"]
        text = (json.dumps(manifest, indent=1, ensure_ascii=False) + "\n").encode()
        self._run = _digest(text)
        self._known = False  # whether the manifest is there
        self._lock: FolderLock | None = None
        try:
            for place in (self.path, *self.path.parents):
                if place.exists():
                    if not place.is_dir():
                        raise QuixotryError(f"{place}: is a file, expected a folder for records")
                    break
            self.path.mkdir(parents=True, exist_ok=True)
            self._lock = FolderLock(self.path, "another run is writing here")
            self._check(manifest)
            for left in self.path.iterdir():
                if _TEMPORARY.fullmatch(left.name):
                    left.unlink()
            if not self._known:
                replace_file(self.path / MANIFEST, [text])
        except BaseException as error:
            self.close()
            if isinstance(error, (OSError, ValueError)) and not isinstance(error, QuixotryError):
                raise QuixotryError(file_fault(self.path, error)) from None
            raise

    def _check(self, manifest: dict[str, Any]) -> None:
        """Raise QuixotryError where the folder is neither empty nor that of this run."""
        file = self.path / MANIFEST
        there = _read_manifest(file, manifest) if file.exists() else None
        if there is None:
            self._check_records(file.exists())
            return
        self._known = True
        if there["format"] != manifest["format"]:
            raise QuixotryError(
                f"{self.path}: holds another run: the format is {_shown(there['format'])} there,"
                f" {manifest['format']} here"
            )
        if there != manifest:
            found = list(_differences(there, manifest))
            more = f"; and {len(found) - 4} more" if len(found) > 4 else ""
            raise QuixotryError(f"{self.path}: holds another run: {'; '.join(found[:4])}{more}")

    def _check_records(self, damaged: bool) -> None:
        """Raise QuixotryError where the folder, whose manifest is ``damaged`` or not there, is
        neither empty nor one whose chunks say that they are of this run."""
        names = sorted(x.name for x in self.path.iterdir() if not _TEMPORARY.fullmatch(x.name))
        runs = {_run_of(self.path / name) for name in names if _RECORD.fullmatch(name)}
        if runs - {None} == {self._run}:  # a record that cannot be read is of a chunk to play again
            log.warning(f"{self.path}: {MANIFEST} is damaged or missing: written again")
            return
        delete = "give another folder, or delete this whole folder and all that is in it"
        if runs:
            state = "damaged" if damaged else "missing"
            raise QuixotryError(
                f"{self.path}: its {MANIFEST} is {state}, and its chunks are not of this run:"
                f" run it as it was begun, or {delete}"
            )
        if damaged:
            raise QuixotryError(
                f"{self.path / MANIFEST}: no manifest of a run, or damaged, and no chunk is there:"
                f" {delete}"
            )
        if names:
            raise QuixotryError(
                f"{self.path}: holds files of something else ({shorten(names[0])}) and no"
                f" {MANIFEST}: give an empty or a new folder"
            )

    def close(self) -> None:
        """Give up the lock."""
        if self._lock is not None:
            self._lock.close()
            self._lock = None

    def file(self, what: str, number: int) -> Path:
        """The file of ``turns`` or ``games`` of a chunk."""
        return self.path / f"{what}-{number:06}.{self.form}"

    def record_file(self, number: int) -> Path:
        """The file that says that a chunk is finished, and what its files are."""
        return self.path / f"chunk-{number:06}.json"

    def has(self, number: int) -> bool:
        """Whether a chunk is there and whole. One that was and is no longer is logged."""
        record = self.record_file(number)
        if not record.exists():
            return False
        try:
            entries = (_entry_of(self.file(what, number)) for what in WHATS)
            whole = record.read_bytes() == self._record(number, *entries)
        except OSError:
            whole = False
        if not whole:
            log.warning(f"{self.path}: chunk {number} is damaged or not complete: played again")
        return whole

    def _record(self, number: int, turns: Entry, games: Entry) -> bytes:
        """The bytes of a chunk's record."""
        made = {"run": self._run, "chunk": number, "turns": turns, "games": games}
        return (json.dumps(made, indent=1) + "\n").encode()

    def write(self, number: int, turns: bytes, games: bytes) -> None:
        """Write a chunk. Raises LexiconFileError where that cannot be done."""
        replace_file(self.file("turns", number), [turns])
        replace_file(self.file("games", number), [games])
        record = self._record(number, _entry(turns), _entry(games))
        replace_file(self.record_file(number), [record])

    def read(self, what: str, number: int) -> dict[str, NDArray[Any]]:
        """The columns of a chunk. Raises QuixotryError where the file is not what was written."""
        file = self.file(what, number)
        try:
            data = file.read_bytes()
            if json.loads(self.record_file(number).read_bytes())[what] != _entry(data):
                raise ValueError(f"not what {self.record_file(number).name} says")
            return decode(data, self.form)
        except (OSError, ValueError, LookupError, TypeError) as error:
            raise QuixotryError(f"{file}: damaged (run the same again): {error}") from None


def _run_of(record: Path) -> str | None:
    """The digest of the run that a chunk's record is of; None where it cannot be read."""
    try:
        run = json.loads(record.read_bytes())["run"]
    except (OSError, ValueError, LookupError, TypeError, RecursionError):
        return None
    return run if isinstance(run, str) else None


Entry = dict[str, int | str]  #: of a file in a record: its size and its digest


def _entry(data: bytes) -> Entry:
    return {"bytes": len(data), "sha256": _digest(data)}


def _entry_of(file: Path) -> Entry:
    """The entry of a file as it is. Raises OSError."""
    with open(file, "rb") as opened:
        digest = hashlib.file_digest(opened, "sha256").hexdigest()
        return {"bytes": opened.tell(), "sha256": digest}
