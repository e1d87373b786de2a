"""Files of records: formats, the same bytes from anybody, going on after a kill."""

from __future__ import annotations

import csv
import io
import os
import signal
import subprocess
import sys
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import engine as eng
from engine.errors import QuixotryError
from engine.selfplay.columns import Columns, Texts, join_columns, names_of
from engine.selfplay.pool import Workers
from engine.selfplay.records import FORMATS, arrays_of, decode, default_format, encode
from engine.selfplay.run import RunResult

REPO = Path(__file__).resolve().parents[1]


def texts(*given: str) -> Texts:
    data = [text.encode() for text in given]
    ends = np.cumsum([0, *map(len, data)]).astype(np.int32)
    return Texts(np.frombuffer(b"".join(data), np.uint8), ends)


TABLE: Columns = {
    "game": np.array([0, 0, 1], np.int64),
    "player": np.array([0, 1, 0], np.int8),
    "rack": texts("[CS]ŐA?", "", 'Q"'),
    "play": texts("8D WÖRd", "exch ?", "pass"),
    "score": np.array([26, -3, 0], np.int32),
    "equity": np.array([25.884, 0.001, np.nan]),
}


def files(folder: Path) -> dict[str, bytes]:
    """Everything in a folder."""
    return {file.name: file.read_bytes() for file in sorted(folder.iterdir())}


def play(out: Path, **settings: Any) -> RunResult:
    """A short run."""
    given: dict[str, Any] = {"games": 60, "seed": 3, "chunk": 7, "out": out}
    return eng.play_games("equity", "greedy", **(given | settings))


# -- one file --------------------------------------------------------------------------------------


@pytest.mark.parametrize("form", FORMATS)
def test_what_is_written_is_read(form: str) -> None:
    data = encode(TABLE, form)
    assert data == encode(TABLE, form)
    back = decode(data, form)
    assert list(back) == list(TABLE)
    for name, column in arrays_of(TABLE).items():
        np.testing.assert_array_equal(back[name], column)
    assert [int(x) for x in back["score"]] == [26, -3, 0]


def test_parquet_has_a_null_and_plain_types() -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    table = parquet.read_table(io.BytesIO(encode(TABLE, "parquet")))
    assert table["equity"].to_pylist() == [25.884, 0.001, None]
    types = [str(field.type) for field in table.schema]
    assert types == ["int64", "int8", "string", "string", "int32", "double"]
    assert table.schema.metadata is None


def test_csv_is_as_people_expect_it() -> None:
    rows = list(csv.DictReader(io.StringIO(encode(TABLE, "csv").decode())))
    assert rows[0] == {
        "game": "0", "player": "0", "rack": "[CS]ŐA?", "play": "8D WÖRd", "score": "26",
        "equity": "25.884",
    }  # fmt: skip
    assert rows[2]["equity"] == ""
    assert rows[2]["rack"] == 'Q"'


def test_npz_has_no_dates() -> None:
    with zipfile.ZipFile(io.BytesIO(encode(TABLE, "npz"))) as file:
        assert {info.date_time[0] for info in file.infolist()} == {1980}


def test_tables_are_joined() -> None:
    joined = arrays_of(join_columns([TABLE, TABLE]))
    assert joined["play"].tolist() == 2 * ["8D WÖRd", "exch ?", "pass"]
    assert joined["score"].tolist() == 2 * [26, -3, 0]


@pytest.mark.parametrize("form", FORMATS)
def test_a_run_in_every_format(form: str, tmp_path: Path) -> None:
    result = play(tmp_path, format=form, games=10)
    names = {"manifest.json"}
    names |= {f"{what}-00000{i}.{form}" for what in ("turns", "games") for i in (0, 1)}
    names |= {"chunk-000000.json", "chunk-000001.json"}
    assert set(files(tmp_path)) == names
    kept = eng.play_games("equity", "greedy", games=10, seed=3)
    for mine, theirs in ((result.turns(), kept.turns()), (result.games(), kept.games())):
        assert list(mine) == list(theirs)
        for name in mine:
            np.testing.assert_array_equal(mine[name], theirs[name])
    assert tuple(result.turns()) == names_of("turns", 2)
    assert tuple(result.games()) == names_of("games", 2)
    assert result.figures() == kept.figures()


def test_without_pyarrow_there_is_npz(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert default_format() == "npz"
    play(tmp_path / "a", games=3)
    assert (tmp_path / "a" / "games-000000.npz").exists()
    with pytest.raises(QuixotryError, match=r"pip install 'quixotry\[data\]'"):
        play(tmp_path / "b", games=3, format="parquet")
    assert not (tmp_path / "b").exists()


# -- the same bytes from anybody -------------------------------------------------------------------


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory: pytest.TempPathFactory) -> dict[str, bytes]:
    """The files of a run by one thread."""
    folder = tmp_path_factory.mktemp("undisturbed")
    play(folder)
    return files(folder)


@pytest.mark.parametrize(
    "workers",
    [Workers("threads", 2), Workers("processes", 2), Workers("cluster", address="local:2")],
    ids=lambda workers: workers.kind,
)
def test_workers_make_the_same_bytes(
    workers: Workers, undisturbed: dict[str, bytes], tmp_path: Path
) -> None:
    play(tmp_path, workers=workers)
    assert files(tmp_path) == undisturbed


@pytest.mark.parametrize(
    "workers",
    [Workers("processes", 2), Workers("cluster", address="local:2")],
    ids=lambda workers: workers.kind,
)
def test_a_worker_killed_in_the_middle_costs_nothing(workers: Workers, tmp_path: Path) -> None:
    play(tmp_path / "a", games=400, chunk=20)
    killed: list[int] = []

    def kill_one(totals: Any) -> None:
        mine = _descendants()
        if totals.games >= 100 and not killed and mine:
            killed.append(mine[-1])
            os.kill(mine[-1], signal.SIGKILL)

    result = play(tmp_path / "b", games=400, chunk=20, workers=workers, progress=kill_one)
    assert killed
    assert files(tmp_path / "a") == files(tmp_path / "b")
    assert result.games()["game"].tolist() == list(range(400))


def _descendants() -> list[int]:
    """Processes of this one that play games: those that spawn started."""
    found = []
    for entry in Path("/proc").iterdir() if Path("/proc").is_dir() else ():
        try:
            line = (entry / "cmdline").read_bytes()
            parent = int((entry / "stat").read_text().rpartition(")")[2].split()[1])
        except (OSError, ValueError, IndexError):
            continue
        if parent == os.getpid() and b"spawn_main" in line:
            found.append(int(entry.name))
    return sorted(found)


def test_a_run_killed_in_the_middle_goes_on(tmp_path: Path) -> None:
    """Twice, with processes and with threads; the leftovers of the killed ones go."""
    arguments = ["--players", "equity,greedy", "--games", "800", "--seed", "3", "--chunk", "20"]
    play(tmp_path / "a", games=800, chunk=20)
    cut = tmp_path / "b"
    command = [sys.executable, "-m", "engine.app.cli", "selfplay", *arguments, "--out", str(cut)]
    environment = {**os.environ, "PYTHONPATH": str(REPO)}
    there = 0
    for extra in (["--workers", "2", "--processes"], ["--workers", "2"]):
        run = subprocess.Popen(
            [*command, *extra], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        begun = time.monotonic()
        while len(list(cut.glob("chunk-*"))) < there + 3 and time.monotonic() - begun < 60:
            assert run.poll() is None, run.communicate()
            time.sleep(0.01)
        run.kill()
        run.communicate()
        there = len(list(cut.glob("chunk-*")))
        assert 3 <= there < 40
    for name in ("manifest.json", "chunk-000001.json", "turns-000099.parquet", "games-000001.npz"):
        (cut / f".{name}.1.tmp").write_bytes(b"half")
    finished = {name: data for name, data in files(cut).items() if not name.startswith(".")}
    result = play(cut, games=800, chunk=20, workers=2)
    assert files(tmp_path / "a") == files(cut)
    assert finished.items() <= files(cut).items()
    games = result.games()["game"].tolist()
    assert games == list(range(800))
    assert result.figures() == play(tmp_path / "a", games=800, chunk=20).figures()
