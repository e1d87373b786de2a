"""Ctrl-C: one line, no traceback, exit code 130, nobody left behind, and the run can go on."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

import engine as eng

REPO = Path(__file__).resolve().parents[1]
pytestmark = pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="reads /proc")

WORKERS = [["--workers", "2"], ["--workers", "2", "--processes"], ["--cluster", "local:2"]]
SELFPLAY = ["selfplay", "--players", "equity,greedy", "--games", "1000000", "--chunk", "20"]
MATCH = ["match", "equity", "equity", "--pairs", "1000000", "--no-sprt"]


def _family(pid: int) -> list[int]:
    """A process that lives and its descendants."""
    parents: dict[int, int] = {}
    for entry in Path("/proc").iterdir():
        try:
            state, parent = (entry / "stat").read_text().rpartition(")")[2].split()[:2]
        except OSError:
            continue
        if entry.name.isdigit() and state != "Z":
            parents[int(entry.name)] = int(parent)
    found = [pid] if pid in parents else []
    for one in found:
        found += [child for child, parent in parents.items() if parent == one]
    return found


Begin = Callable[..., subprocess.Popen[str]]


@pytest.fixture
def begin() -> Iterator[Begin]:
    """begin(arguments, **environment): the command in a process group of its own, as a terminal
    has it."""
    begun = []

    def begin_(arguments: list[str], **environment: str) -> subprocess.Popen[str]:
        begun.append(
            subprocess.Popen(
                [sys.executable, "-m", "engine.app.cli", *arguments],
                env={**os.environ, "PYTHONPATH": str(REPO)} | environment,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                start_new_session=True,
            )
        )
        return begun[-1]

    yield begin_
    for process in begun:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()


def _until(what: Callable[[], object], process: subprocess.Popen[str]) -> None:
    begun = time.monotonic()
    while not what():
        assert process.poll() is None, process.communicate()
        assert time.monotonic() - begun < 120
        time.sleep(0.02)


def _stop(process: subprocess.Popen[str]) -> str:
    """Ctrl-C: to everybody in the group. Nobody of them may be left; what was said."""
    family = _family(process.pid)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    begun = time.monotonic()
    while any(_family(pid) for pid in family) and time.monotonic() - begun < 20:
        time.sleep(0.05)
    assert [pid for pid in family if _family(pid)] == []
    assert process.returncode == 130
    assert out == ""
    return err


@pytest.mark.parametrize("workers", WORKERS, ids=lambda workers: workers[-1])
def test_a_run_that_is_stopped_goes_on(workers: list[str], begin: Begin, tmp_path: Path) -> None:
    process = begin([*SELFPLAY, *workers, "--out", str(tmp_path)])
    _until(lambda: len(list(tmp_path.glob("chunk-*"))) >= 3, process)
    line = "quixotry: stopped; the same command goes on from here\n"
    assert _stop(process) == line
    assert not [file.name for file in tmp_path.iterdir() if file.name.startswith(".")]
    kept = {file.name: file.stat().st_mtime_ns for file in tmp_path.glob("chunk-*")}
    again = begin([*SELFPLAY, *workers, "--out", str(tmp_path)])
    _until(lambda: len(list(tmp_path.glob("chunk-*"))) >= len(kept) + 3, again)
    assert _stop(again) == line
    assert {name: (tmp_path / name).stat().st_mtime_ns for name in kept} == kept


@pytest.mark.parametrize("workers", WORKERS, ids=lambda workers: workers[-1])
def test_a_match_is_stopped(workers: list[str], begin: Begin) -> None:
    process = begin([*MATCH, *workers])
    if workers == WORKERS[0]:
        time.sleep(3)  # it plays by now, or it still loads: the same is said
    else:  # two workers and the process that tidies up after them
        _until(lambda: len(_family(process.pid)) >= 4, process)
    assert _stop(process) == "quixotry: stopped\n"


@pytest.mark.parametrize("seconds", [0.5, 0.8, 1.1, 1.4])
def test_a_command_is_stopped_while_it_loads(seconds: float, begin: Begin, tmp_path: Path) -> None:
    process = begin([*SELFPLAY, "--out", str(tmp_path / "a")])
    _until(lambda: "numba" in (Path("/proc") / str(process.pid) / "maps").read_text(), process)
    time.sleep(seconds - 0.5)
    said = _stop(process)
    on = "; the same command goes on from here" if (tmp_path / "a").exists() else ""
    assert said == f"quixotry: stopped{on}\n"


@pytest.mark.parametrize("seconds", [0.0, 0.4, 0.8])
@pytest.mark.parametrize("command", [["lexicon", "build"], ["best", "--rack", "AEINRT?"]])
def test_any_command_is_stopped_while_kernels_compile(
    command: list[str], seconds: float, begin: Begin, tmp_path: Path
) -> None:
    if command[0] == "lexicon":
        (tmp_path / "words.txt").write_text("aa\n")
        command = [*command, str(tmp_path / "words.txt"), "-o", str(tmp_path / "words.qlx")]
    process = begin(command, NUMBA_CACHE_DIR=str(tmp_path / "cache"))
    _until(lambda: list(tmp_path.glob("cache/kernels/*")), process)
    time.sleep(seconds)
    said = _stop(process)
    assert set(said.splitlines()) <= {"quixotry: compiling kernels for this CPU (once, about 10 s)"}
    assert not (tmp_path / "words.qlx").exists()


def test_a_second_one_does_not_wait_for_the_pieces_under_way(begin: Begin, tmp_path: Path) -> None:
    long = [*SELFPLAY[:-1], "100000", "--workers", "2", "--out", str(tmp_path / "a")]
    process = begin(long)
    _until(lambda: (tmp_path / "a" / "manifest.json").exists(), process)
    time.sleep(1)
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.5)
    assert process.poll() is None  # it waits
    assert _stop(process) == "quixotry: stopped; the same command goes on from here\n"


def test_workers_that_end_before_they_begin_are_an_error(tmp_path: Path) -> None:
    """A script without a guard: each worker would run it again."""
    script = tmp_path / "script.py"
    script.write_text(
        "import engine as eng\n"
        "eng.match('equity', 'greedy', pairs=5, workers=eng.Workers('processes', 2))\n"
    )
    done = subprocess.run(
        [sys.executable, str(script)],
        env={**os.environ, "PYTHONPATH": str(REPO)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 1
    last = done.stderr.splitlines()[-1]
    assert last.startswith("engine.errors.QuixotryError: worker processes end before they begin")
    assert 'if __name__ == "__main__":' in last


def test_handlers_of_somebody_else_are_left_alone() -> None:
    from engine.app.playing import stoppable

    before = signal.getsignal(signal.SIGINT)
    with stoppable() as begin:
        begin()
        assert signal.getsignal(signal.SIGINT) != before
    assert signal.getsignal(signal.SIGINT) is before
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with stoppable() as begin:
            begin()
            assert signal.getsignal(signal.SIGINT) is signal.SIG_IGN
    finally:
        signal.signal(signal.SIGINT, before)


def test_a_run_from_python_that_is_interrupted_leaves_no_worker() -> None:
    """KeyboardInterrupt goes through to whoever asked."""

    def interrupt(totals: object) -> None:
        calls.append(totals)
        if len(calls) == 3:
            raise KeyboardInterrupt

    calls: list[object] = []
    with pytest.raises(KeyboardInterrupt):
        eng.selfplay(
            "equity", "greedy", games=1000, chunk=10, progress=interrupt,
            workers=eng.Workers("processes", 2),
        )  # fmt: skip
    import multiprocessing

    assert multiprocessing.active_children() == []
