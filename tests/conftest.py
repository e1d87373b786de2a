"""Fixtures of the whole test suite.

``shared`` is the folder with the reference data (oracle, cases, lexicons). It is taken from the
environment variable QUIXOTRY_SHARED, else from ``shared`` beside the repository; tests that need
it are skipped, with the reason, where it is missing.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

REPO = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(REPO))
sys.path.insert(0, str(REPO / "tests"))
# a suite that a script began in the background ignores Ctrl-C, and so would what the tests start
signal.signal(signal.SIGINT, signal.default_int_handler)

_COMMON: dict[str, Any] = {
    "deadline": None,
    "print_blob": True,
    "suppress_health_check": [HealthCheck.too_slow, HealthCheck.data_too_large],
}
settings.register_profile("dev", max_examples=30, **_COMMON)
settings.register_profile("ci", max_examples=25, derandomize=True, **_COMMON)
settings.register_profile("deep", max_examples=500, **_COMMON)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci" if "CI" in os.environ else "dev"))


def shared_folder() -> Path:
    return Path(os.environ.get("QUIXOTRY_SHARED") or REPO.parent / "shared")


def pytest_report_header(config: pytest.Config) -> str:
    folder = shared_folder()
    return f"reference data: {folder}{'' if folder.is_dir() else ' MISSING: oracle tests skip'}"


@pytest.fixture(scope="session")
def shared() -> Path:
    folder = shared_folder()
    if not folder.is_dir():
        pytest.skip(f"no reference data at {folder} (set QUIXOTRY_SHARED)")
    return folder


@pytest.fixture(scope="session")
def load() -> Callable[..., Any]:
    """load(words or path, rules or tile set name) -> Lexicon, remembered for the session."""
    from engine.app.library import load_lexicon
    from engine.rules.tiles import TileSet, find_tile_set

    known: dict[object, Any] = {}

    def load_(source: object, tiles: str | TileSet = "english") -> Any:
        tile_set = find_tile_set(tiles) if isinstance(tiles, str) else tiles
        key = (str(source) if isinstance(source, Path) else tuple(source), tile_set)  # type: ignore[call-overload]
        if key not in known:
            known[key] = load_lexicon(source, tiles=tile_set)
        return known[key]

    return load_


@pytest.fixture(scope="session")
def enable(shared: Path, load: Callable[..., Any]) -> Any:
    """The lexicon of the English oracle positions: 168,551 words."""
    return load(shared / "oracle" / "enable.txt")


@pytest.fixture(scope="session")
def language_lexicon(shared: Path, load: Callable[..., Any]) -> Callable[[str, str], Any]:
    """language_lexicon("english", "english_super"): an oracle word list for a tile set."""

    def find(language: str, tile_set: str) -> Any:
        return load(shared / "oracle" / "languages" / f"words_{language}.txt.gz", tile_set)

    return find


@pytest.fixture(autouse=True, scope="session")
def _kernels() -> None:
    """Compile the kernels before the first test: the line about it is no part of an answer."""
    from engine.app.cli import main

    assert main(["warmup"]) == 0


@pytest.fixture(autouse=True, scope="session")
def _own_data_folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Nothing a test does may touch the user's own lexicons."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("QUIXOTRY_DATA", str(tmp_path_factory.mktemp("data")))
        yield
