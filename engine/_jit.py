"""The one module that imports numba.

``kernel(signature)`` compiles a function for exactly one signature, releases the GIL, and keeps
the machine code in a folder named after a hash of every kernel source, the numba version and the
flags, so that a cache can never be stale: numba itself does not notice when a function that a
kernel calls in another file has changed. What is read from the cache is checked; a damaged file is
removed and the kernel compiled again. Where nothing can be written the kernels are compiled
without a cache. Importing this module is what costs time: only modules with kernels do it.
"""

from __future__ import annotations

import glob
import hashlib
import logging
import os
import pickle
import shutil
import sys
import time
import zlib
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import numba
import numpy as np
import platformdirs
from llvmlite import ir
from numba import types as types
from numba.core import caching, cgutils, serialize, typeinfer
from numba.extending import intrinsic as numba_intrinsic

log = logging.getLogger("engine.kernels")

CONFIG: Any = numba.config

ROOT = Path(__file__).resolve().parent
_KEEP_DAYS = 30


def _kernel_sources() -> list[Path]:
    """Every file with kernels in it: those that import this module."""
    packages = (ROOT, ROOT.parent / "lexicon_build")
    files = sorted(f for package in packages for f in package.rglob("*.py"))
    return [f for f in files if f == Path(__file__) or b"engine._jit import" in f.read_bytes()]


def _fingerprint() -> str:
    digest = hashlib.sha256()
    for file in _kernel_sources():
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    flags = (numba.__version__, sys.version, CONFIG.BOUNDSCHECK, CONFIG.DISABLE_JIT, CONFIG.OPT)
    digest.update(repr(flags).encode())
    return digest.hexdigest()[:20]


def _cache_folder() -> Path | None:
    """The folder for these sources, made now; None where nothing can be written."""
    base = os.environ.get("NUMBA_CACHE_DIR") or platformdirs.user_cache_path("quixotry")
    parent = Path(base) / "kernels"
    folder = parent / _fingerprint()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f"probe{os.getpid()}"
        probe.touch()
        probe.unlink()
        os.utime(folder)
        for old in parent.iterdir():
            if old != folder and old.stat().st_mtime < time.time() - _KEEP_DAYS * 86400:
                shutil.rmtree(old, ignore_errors=True)
    except OSError:
        return None if not os.access(folder, os.W_OK) else folder
    return folder


CACHE = _cache_folder()
_announced = False


def _announce() -> None:
    """Say, once, that there is something to compile."""
    global _announced
    if not _announced:
        _announced = True
        log.info("compiling kernels for this CPU (once, about 10 s)")


class _CheckedFiles(caching.IndexDataCacheFile):  # type: ignore[misc]
    """The files of one kernel in the cache, with a checksum: numba would run damaged code.

    Damaged files are removed and count as missing; what cannot be written is not kept.
    """

    def load(self, key: Any) -> Any:
        found = None
        try:
            found = super().load(key)  # type: ignore[no-untyped-call]
            if found is not None:
                checksum, data = found
                if zlib.crc32(data) != checksum:
                    raise ValueError("damaged")
                found = pickle.loads(data)
        except Exception:  # whatever unpickling may raise
            found = None
            self._remove()
        if found is None:
            _announce()
        return found

    def _remove(self) -> None:
        index = Path(self._index_path)
        for file in index.parent.glob(f"{glob.escape(index.stem)}.*"):
            with suppress(OSError):
                file.unlink()

    def save(self, key: Any, data: Any) -> None:
        packed = serialize.dumps(data)  # type: ignore[no-untyped-call]
        with suppress(Exception):  # a full disk, or an index damaged meanwhile
            super().save(key, (zlib.crc32(packed), packed))  # type: ignore[no-untyped-call]


def kernel(signature: Any, inline: bool = False) -> Callable[[Callable[..., Any]], Any]:
    """Compile the function below for ``signature`` (a numba signature), now.

    With ``inline`` it is also always inlined into its callers by LLVM. Raises numba's TypingError
    for a function that does not fit its signature.
    """

    def compile_(function: Callable[..., Any]) -> Any:
        kept = CONFIG.CACHE_DIR
        CONFIG.CACHE_DIR = str(CACHE or "")
        try:
            make = numba.njit(nogil=True, cache=CACHE is not None, forceinline=inline)
            dispatcher: Any = make(function)
            if CACHE is None:
                _announce()
            else:
                dispatcher._cache._cache_file.__class__ = _CheckedFiles
            with typeinfer.register_dispatcher(dispatcher):  # so that it may call itself
                dispatcher.compile(signature)
            dispatcher.disable_compile()
        finally:
            CONFIG.CACHE_DIR = kept
        return dispatcher

    return compile_


U = np.uint64  #: for indices in kernels: without a sign they need no test for negative ones

# -- types for signatures -------------------------------------------------------------------------

i64, i32, f64, u64, u32, u8, b1, void = (
    types.int64,
    types.int32,
    types.float64,
    types.uint64,
    types.uint32,
    types.uint8,
    types.boolean,
    types.void,
)


def array(dtype: Any, ndim: int = 1) -> types.Array:
    """A C-contiguous array that the kernel may write."""
    return types.Array(dtype, ndim, "C")


def table(dtype: Any, ndim: int = 1) -> types.Array:
    """A C-contiguous array that the kernel only reads; read-only and memory-mapped ones fit."""
    return types.Array(dtype, ndim, "C", readonly=True)


def record(dtype: Any) -> Any:
    """One structured record, passed by reference."""
    return numba.from_dtype(dtype)


# -- intrinsics ------------------------------------------------------------------------------------


def intrinsic(function: Callable[..., Any]) -> Any:
    """A function that kernels call and that is one machine instruction or two."""
    return numba_intrinsic(function)


@intrinsic
def popcount(typingctx: Any, x: Any) -> Any:
    """Number of set bits of a uint64, as int64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.ctpop(args[0])

    return types.int64(types.uint64), codegen


@intrinsic
def lowest_bit(typingctx: Any, x: Any) -> Any:
    """Index of the lowest set bit of a uint64 that is not 0, as uint64."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), codegen


@intrinsic
def as_pointer(typingctx: Any, address: Any) -> Any:
    """An address (uint64) as an untyped pointer, for ``numba.carray``.

    A recursive kernel reads its tables through an address kept in its record: an array argument is
    seven machine words a call. The outermost kernel, which holds the array, stores the address.
    """

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        return builder.inttoptr(args[0], cgutils.voidptr_t)

    return types.voidptr(types.uint64), codegen


@intrinsic
def prefetch(typingctx: Any, address: Any) -> Any:
    """Ask for the cache line at an address (uint64), to be read soon; never faults."""

    def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
        pointer = builder.inttoptr(args[0], cgutils.voidptr_t)
        word = ir.IntType(32)
        kind = ir.FunctionType(ir.VoidType(), [cgutils.voidptr_t, word, word, word])
        insert: Any = cgutils.get_or_insert_function
        function = insert(builder.module, kind, "llvm.prefetch.p0")
        builder.call(function, [pointer, word(0), word(3), word(1)])
        return context.get_dummy_value()

    return types.void(types.uint64), codegen


carray: Any = numba.carray  # type: ignore[attr-defined]
