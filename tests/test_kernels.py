"""The compiled kernels as such: one signature each, a cache that a second process finds."""

from __future__ import annotations

import os
import pickle
import random
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pytest

from engine import _jit

REPO = Path(__file__).resolve().parents[1]
MODULES = [
    import_module(name)
    for name in (
        "engine.board.crosschecks",
        "engine.lexicon.alphagrams",
        "engine.lexicon.check",
        "engine.movegen.best.fallback",
        "engine.movegen.best.offer",
        "engine.movegen.best.rack",
        "engine.movegen.best.record",
        "engine.movegen.best.search",
        "engine.movegen.best.spans",
        "engine.movegen.best.spelling",
        "engine.movegen.best.workout",
        "engine.movegen.generate",
        "engine.movegen.pool_leaves",
        "engine.selfplay.kernel",
        "lexicon_build.graph",
        "lexicon_build.racks",
        "lexicon_build.wordlist",
    )
]


def test_every_kernel_is_compiled_for_one_signature() -> None:
    kernels = {
        value.__name__: value
        for module in MODULES
        for value in vars(module).values()
        if hasattr(value, "nopython_signatures")
    }
    assert len(kernels) > 60
    assert {name: len(k.nopython_signatures) for name, k in kernels.items()} == dict.fromkeys(
        kernels, 1
    )


_SCRIPT = """
import logging, sys
told = []
class Handler(logging.Handler):
    def emit(self, record): told.append(record.getMessage())
logging.getLogger("engine").setLevel(logging.INFO)
logging.getLogger("engine").addHandler(Handler())
import engine as eng
import lexicon_build.wordlist
from engine import _jit
words = eng.load_lexicon(["CAT", "CATS"])
print(len(eng.Position.new(lexicon=words, rack="CATS?").plays()), len(told))
"""


def _run(cache: Path) -> list[str]:
    env = os.environ | {"NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": str(REPO)}
    done = subprocess.run(
        [sys.executable, "-c", _SCRIPT], env=env, capture_output=True, text=True, check=True
    )
    return done.stdout.split()


def test_a_second_process_compiles_nothing(tmp_path: Path) -> None:
    first, second = _run(tmp_path), _run(tmp_path)
    assert first[0] == second[0]
    assert (first[1], second[1]) == ("1", "0"), "the compile line is shown once"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_without_a_folder_to_write_to_the_kernels_are_compiled_uncached(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    assert _run(tmp_path)[1] == "1"


def test_a_file_in_the_way_of_the_cache_does_no_harm(tmp_path: Path) -> None:
    (tmp_path / "kernels").write_text("in the way")
    assert _run(tmp_path)[1] == "1"


# -- a damaged cache -------------------------------------------------------------------------------


def _twice(x):  # type: ignore[no-untyped-def]
    return 2 * x


def _compiled(cache: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[int, bool]:
    """What the kernel ``_twice`` makes of 21, and whether it had to be compiled."""
    monkeypatch.setattr(_jit, "CACHE", cache)
    monkeypatch.setattr(_jit, "_announced", False)
    return _jit.kernel(_jit.i64(_jit.i64))(_twice)(21), _jit._announced


def _in_the_way(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _flip(file: Path) -> None:
    data = bytearray(file.read_bytes())
    for at in range(100, len(data), 100):
        data[at] ^= 255
    file.write_bytes(data)


DAMAGE = {
    "empty": lambda file: file.write_bytes(b""),
    "cut": lambda file: file.write_bytes(file.read_bytes()[: file.stat().st_size // 2]),
    "short": lambda file: file.write_bytes(file.read_bytes()[:-1]),
    "random": lambda file: file.write_bytes(random.Random(1).randbytes(3000)),
    "another pickle": lambda file: file.write_bytes(pickle.dumps([1, 2])),
    "changed": _flip,
    "gone": Path.unlink,
}


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGE)
def test_a_damaged_cache_is_compiled_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, damage: str, ending: str
) -> None:
    assert _compiled(tmp_path, monkeypatch) == (42, True)
    assert _compiled(tmp_path, monkeypatch) == (42, False)
    (file,) = tmp_path.rglob(f"*.{ending}")
    DAMAGE[damage](file)
    assert _compiled(tmp_path, monkeypatch) == (42, True)
    assert _compiled(tmp_path, monkeypatch) == (42, False), "the cache is whole again"


def test_a_folder_in_the_place_of_a_cache_file_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _compiled(tmp_path, monkeypatch)
    for file in list(tmp_path.rglob("*.nb?")):
        _in_the_way(file)
    assert _compiled(tmp_path, monkeypatch) == (42, True)
