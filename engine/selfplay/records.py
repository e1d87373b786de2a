"""The files of records, one a table: Parquet (with pyarrow), ``.npz`` and ``.csv``.

The bytes of a file depend on its columns and on the versions of what wrote it only. A null is NaN
in ``.npz``, empty in ``.csv``. Which files make a run: engine/selfplay/folder.py.
"""

from __future__ import annotations

import csv
import io
import zipfile
import zlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.errors import QuixotryError, shorten
from engine.selfplay.columns import FLOATS, TEXTS, Columns, Texts
from engine.version import __version__

FORMATS = ("parquet", "npz", "csv")
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
        raise QuixotryError(f"format {shorten(form)}, expected {', '.join(FORMATS)}")
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
