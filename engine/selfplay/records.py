"""The files of a run: a folder with a manifest and numbered chunks of columns.

    manifest.json             what the run is: versions, seed, games, rules, hashes; written first
    turns-000000.parquet      the turns of chunk 0 (columns: engine/selfplay/columns.py)
    games-000000.parquet      its games; written last: a chunk is there when both are

Formats are Parquet (with pyarrow), ``.npz`` and ``.csv`` (a null is NaN there, empty here). A file
is written under a temporary name and renamed, and its bytes depend on the manifest only: a run that
was killed goes on where it stopped and ends with the same files as one that was not.
"""

from __future__ import annotations

import csv
import hashlib
import io
import json
import os
import platform
import zipfile
import zlib
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import QuixotryError
from engine.files import file_fault
from engine.lexicon.files import replace_file
from engine.lexicon.lexicon import Lexicon
from engine.players.static import StaticPlayer
from engine.rules.rules import Rules
from engine.selfplay.columns import FLOATS, TEXTS, Columns, Texts
from engine.version import __version__

FORMATS = ("parquet", "npz", "csv")
WHATS = ("turns", "games")
MANIFEST = "manifest.json"
VERSION = 1  #: of the manifest and the columns
_ZIP_DATE = (1980, 1, 1, 0, 0, 0)


def default_format() -> str:
    """``parquet`` where pyarrow is installed, else ``npz``."""
    try:
        import pyarrow  # noqa: F401
    except ImportError:
        return "npz"
    return "parquet"


def check_format(form: str) -> None:
    """Raise QuixotryError for a format that there is not, or not here."""
    if form not in FORMATS:
        raise QuixotryError(f"format {form!r}, expected {', '.join(FORMATS)}")
    if form == "parquet" and default_format() != form:
        raise QuixotryError(
            "parquet needs pyarrow: pip install 'quixotry[data]' (or pyarrow);"
            " or take the format npz or csv"
        )


def versions(form: str) -> dict[str, str]:
    """Versions of everything that the bytes of a run's files depend on."""
    import importlib.metadata as metadata

    found = {"quixotry": __version__, "numba": metadata.version("numba")}
    found["numpy"] = np.__version__
    if form == "parquet":
        found["pyarrow"] = metadata.version("pyarrow")
    if form == "npz":
        found["zlib"] = zlib.ZLIB_RUNTIME_VERSION
    return found


# -- one file --------------------------------------------------------------------------------------


def encode(columns: Columns, form: str) -> bytes:
    """The bytes of a file; the same for the same columns."""
    if form == "parquet":
        return _to_parquet(columns)
    return _to_npz(columns) if form == "npz" else _to_csv(columns)


def decode(data: bytes, form: str) -> dict[str, NDArray[Any]]:
    """The columns of a file, text as arrays of ``str``. Raises ValueError or OSError."""
    if form == "parquet":
        import pyarrow.parquet as parquet

        table = parquet.read_table(io.BytesIO(data))
        return {
            name: np.array(table[name].to_pylist(), np.str_)
            if name in TEXTS
            else table[name].to_numpy()
            for name in table.column_names
        }
    if form == "npz":
        try:
            with np.load(io.BytesIO(data), allow_pickle=False) as arrays:
                return dict(arrays)
        except (zipfile.BadZipFile, EOFError) as error:
            raise ValueError(str(error)) from None
    header, *rows = csv.reader(io.StringIO(data.decode(), newline=""))
    by_name = zip(header, zip(*rows, strict=True), strict=True) if rows else []
    return {name: _parsed(name, texts) for name, texts in by_name}


def _parsed(name: str, texts: Sequence[str]) -> NDArray[Any]:
    if name in TEXTS:
        return np.array(texts, np.str_)
    if name in FLOATS:
        return np.array([float(text or "nan") for text in texts])
    return np.array(texts).astype(np.int64)


def arrays_of(columns: Columns) -> dict[str, NDArray[Any]]:
    """Columns with text as arrays of ``str``."""
    return {
        name: np.array(column.tolist(), np.str_) if isinstance(column, Texts) else column
        for name, column in columns.items()
    }


def _to_parquet(columns: Columns) -> bytes:
    import pyarrow as pa
    import pyarrow.parquet as parquet

    made: dict[str, Any] = {}
    for name, column in columns.items():
        if isinstance(column, Texts):
            offsets, data = pa.py_buffer(column.offsets), pa.py_buffer(column.data)
            made[name] = pa.StringArray.from_buffers(len(column), offsets, data)
        elif name in FLOATS:
            made[name] = pa.array(column, mask=np.isnan(column))  # type: ignore[call-overload]
        else:
            made[name] = pa.array(column)
    sink = pa.BufferOutputStream()
    parquet.write_table(pa.table(made), sink, compression="zstd")
    data_: bytes = sink.getvalue().to_pybytes()
    return data_


def _to_npz(columns: Columns) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w") as file:
        for name, array in arrays_of(columns).items():
            one = io.BytesIO()
            np.lib.format.write_array(one, np.ascontiguousarray(array), allow_pickle=False)
            info = zipfile.ZipInfo(f"{name}.npy", _ZIP_DATE)
            info.create_system = 3
            file.writestr(info, one.getvalue(), zipfile.ZIP_DEFLATED, compresslevel=5)
    return made.getvalue()


def _to_csv(columns: Columns) -> bytes:
    made = io.StringIO()
    writer = csv.writer(made, lineterminator="\n")
    writer.writerow(columns)
    lists: list[list[Any]] = [column.tolist() for column in columns.values()]
    for i, name in enumerate(columns):
        if name in FLOATS:
            lists[i] = [value if value == value else None for value in lists[i]]
    writer.writerows(zip(*lists, strict=True))
    return made.getvalue().encode()


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
                "name": player.name,
                "terms": player.terms,
                "lexicon": lexicons[key],
                "leaves": {
                    "name": Path(leaves.name).name,
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


def _differences(there: Any, here: Any, name: str = "") -> Iterator[str]:
    """Where two manifests differ, one text a place; rules are compared by name and hash."""
    if isinstance(there, Mapping) and isinstance(here, Mapping):
        for key in [*there, *(key for key in here if key not in there)]:
            if (name, key) != ("rules", "text"):
                inner = f"{name}.{key}" if name else str(key)
                yield from _differences(there.get(key), here.get(key), inner)
    elif isinstance(there, list) and isinstance(here, list) and len(there) == len(here):
        for i, (mine, theirs) in enumerate(zip(there, here)):
            yield from _differences(mine, theirs, f"{name}.{i}")
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
        written. Raises QuixotryError where it holds another run or cannot be used."""
        self.path = Path(path)
        self.form: str = manifest["format"]
        self.chunks = -(-manifest["games"] // manifest["chunk"])
        self._lock: int | None = None
        try:
            self.path.mkdir(parents=True, exist_ok=True)
            self._take()
            self._check(manifest)
            for left in self.path.glob(".*.tmp"):
                if left.name.startswith((".turns-", ".games-", f".{MANIFEST}.")):
                    left.unlink()
        except BaseException as error:
            self.close()
            if isinstance(error, (OSError, ValueError)) and not isinstance(error, QuixotryError):
                raise QuixotryError(file_fault(self.path, error)) from None
            raise

    def _take(self) -> None:
        """Lock the folder; the lock goes with the process, however that ends."""
        if platform.system() == "Windows":
            return
        import fcntl

        self._lock = os.open(self.path, os.O_RDONLY)
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise QuixotryError(f"{self.path}: another run is writing here") from None
        except OSError:  # a file system without locks
            return

    def _check(self, manifest: dict[str, Any]) -> None:
        file = self.path / MANIFEST
        if not file.exists():
            if any(self.path.glob("turns-*")) or any(self.path.glob("games-*")):
                raise QuixotryError(f"{self.path}: holds records without a {MANIFEST}")
            text = json.dumps(manifest, indent=1, ensure_ascii=False) + "\n"
            replace_file(file, [text.encode()])
            return
        try:
            there = json.loads(file.read_bytes())
        except ValueError:
            raise QuixotryError(f"{file}: not a manifest") from None
        if there != manifest:
            found = list(_differences(there, manifest))
            more = f"; and {len(found) - 4} more" if len(found) > 4 else ""
            raise QuixotryError(f"{self.path}: holds another run: {'; '.join(found[:4])}{more}")

    def close(self) -> None:
        """Give up the lock."""
        if self._lock is not None:
            with suppress(OSError):
                os.close(self._lock)
            self._lock = None

    def file(self, what: str, number: int) -> Path:
        """The file of ``turns`` or ``games`` of a chunk."""
        return self.path / f"{what}-{number:06}.{self.form}"

    def has(self, number: int) -> bool:
        """Whether a chunk is there."""
        return all(self.file(what, number).exists() for what in WHATS)

    def write(self, number: int, turns: bytes, games: bytes) -> None:
        """Write a chunk. Raises LexiconFileError where that cannot be done."""
        replace_file(self.file("turns", number), [turns])
        replace_file(self.file("games", number), [games])

    def read(self, what: str, number: int) -> dict[str, NDArray[Any]]:
        """The columns of a chunk. Raises QuixotryError for a file that cannot be read."""
        file = self.file(what, number)
        try:
            return decode(file.read_bytes(), self.form)
        except (OSError, ValueError) as error:
            text = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise QuixotryError(f"{file}: damaged (delete it and run again): {text}") from None
