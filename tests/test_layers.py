"""The floors of the code: who may import whom, who prints, and what stays unloaded."""

from __future__ import annotations

import ast
import importlib.util
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

REPO = Path(__file__).resolve().parents[1]
FLOORS = {
    "engine.version": 0,
    "engine.errors": 0,
    "engine.files": 0,
    "engine._jit": 0,
    "engine.rules": 0,
    "engine.lexicon": 1,
    "engine.board": 2,
    "engine.movegen": 3,
    "engine.game": 4,
    "engine.search": 5,
    "engine.players": 6,
    "engine.selfplay": 7,
    "engine.app": 8,
}
GROUND = {
    "engine.version",
    "engine.errors",
    "engine.files",
    "engine._jit",
}  # of floor 0, for everybody
FILES = sorted(f for package in ("engine", "lexicon_build") for f in (REPO / package).rglob("*.py"))


def _module(path: Path) -> str:
    parts = list(path.relative_to(REPO).with_suffix("").parts)
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


MODULES = {_module(path) for path in FILES}


def _room(module: str) -> str:
    """``engine.board.notation.cgp`` -> ``engine.board``; ``engine`` and ``lexicon_build`` stay."""
    parts = module.split(".")
    return ".".join(parts[:2]) if parts[0] == "engine" else parts[0]


def _imports(path: Path) -> Iterator[tuple[int, str]]:
    """Line and full name of everything a file imports, inside functions too."""
    module = _module(path)
    package = module if path.name == "__init__.py" else module.rpartition(".")[0]
    for node in ast.walk(ast.parse(path.read_text("utf-8"), str(path))):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                base = importlib.util.resolve_name("." * node.level + base, package)
            for alias in node.names:
                whole = f"{base}.{alias.name}"
                yield node.lineno, whole if whole in MODULES else base
        elif isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else None
            name = node.func.id if isinstance(node.func, ast.Name) else name
            given = node.args[0] if node.args else None
            if name in ("import_module", "__import__") and isinstance(given, ast.Constant):
                yield node.lineno, str(given.value)


def _upward(module: str, imported: str) -> str | None:
    """Why a module may not import another; None where it may."""
    mine, theirs = _room(module), _room(imported)
    if theirs == "lexicon_build":
        allowed = mine in ("lexicon_build", "engine.app")
        return None if allowed else "only engine.app imports lexicon_build"
    if not imported.startswith("engine"):
        return None
    if mine == theirs or theirs in GROUND:
        return None
    if theirs == "engine" and mine != "engine.app":
        return "the package itself hands out every floor: import the module"
    if theirs not in FLOORS and theirs != "engine":
        return f"{theirs} has no floor: name it in tests/test_layers.py"
    if mine == "lexicon_build":
        return None if FLOORS[theirs] < FLOORS["engine.app"] else "lexicon_build is below the app"
    if "engine" in (mine, theirs):  # engine/__init__.py: lazy, and tested for it below
        return None
    if mine not in FLOORS:
        return f"{mine} has no floor: name it in tests/test_layers.py"
    up = FLOORS[theirs] >= FLOORS[mine]
    return f"floor {FLOORS[mine]} imports floor {FLOORS[theirs]}" if up else None


@pytest.mark.parametrize("path", FILES, ids=[_module(f) for f in FILES])
def test_imports_go_down(path: Path) -> None:
    faults = [
        f"{path.relative_to(REPO)}:{line}: {imported}: {why}"
        for line, imported in _imports(path)
        if (why := _upward(_module(path), imported))
    ]
    assert not faults, "\n".join(faults)


def test_the_rule_finds_upward_imports() -> None:
    assert _upward("engine.board.board", "engine.movegen.generate")
    assert _upward("engine.rules.rules", "engine.lexicon.lexicon")
    assert _upward("engine.game.position", "lexicon_build.graph")
    assert _upward("lexicon_build.graph", "engine.app.cli")
    assert _upward("engine.movegen.judge", "engine")
    assert not _upward("engine.game.position", "engine.board.board")
    assert not _upward("engine.app.library", "lexicon_build.compile")


@pytest.mark.parametrize("path", FILES, ids=[_module(f) for f in FILES])
def test_only_one_module_imports_numba(path: Path) -> None:
    if _module(path) == "engine._jit":
        return
    found = [
        line for line, imported in _imports(path) if imported.split(".")[0] in ("numba", "llvmlite")
    ]
    assert not found, f"{path.relative_to(REPO)}: lines {found}: use engine._jit"


@pytest.mark.parametrize("path", FILES, ids=[_module(f) for f in FILES])
def test_only_the_app_prints_or_exits(path: Path) -> None:
    if _room(_module(path)) == "engine.app":
        return
    found = []
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Call):
            called = ast.unparse(node.func)
            if called in ("print", "input", "exit", "quit", "sys.exit", "os._exit") or (
                called.startswith(("sys.stdout", "sys.stderr", "sys.__stdout__"))
            ):
                found.append(f"{path.relative_to(REPO)}:{node.lineno}: {called}")
    assert not found, "\n".join(found)


# -- what stays unloaded ---------------------------------------------------------------------------

_HEAVY = ("numpy", "numba", "llvmlite", "rich", "lexicon_build")


def _loaded(code: str, tmp_path: Path) -> set[str]:
    """Heavy packages that a fresh interpreter has loaded after running some code."""
    ending = f"import sys; print('LOADED', *(m for m in {_HEAVY!r} if m in sys.modules))"
    script = f"try:\n    {code}\nexcept SystemExit as end:\n    assert not end.code\n{ending}"
    run = subprocess.run(
        [sys.executable, "-c", script],
        cwd=REPO,
        env={**os.environ, "QUIXOTRY_DATA": str(tmp_path), "PYTHONPATH": str(REPO)},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    return set(run.stdout.rpartition("LOADED")[2].split())


def test_importing_the_engine_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not _loaded("import engine", tmp_path)


def test_help_loads_nothing_heavy(tmp_path: Path) -> None:
    assert not _loaded("from engine.app.cli import main; main(['--help'])", tmp_path)


def test_reading_rules_loads_nothing_heavy(tmp_path: Path) -> None:
    code = "from engine.rules.rules import find_rules; find_rules('polish+nine')"
    assert not _loaded(code, tmp_path)


@pytest.mark.parametrize(
    "what", ["'--words', 'QUIXOTRY', 'CAT'", "'--anagram', 'CATS?'", "'--hooks', 'CAT'"]
)
def test_looking_words_up_loads_no_kernels(tmp_path: Path, what: str) -> None:
    code = f"from engine.app.cli import main; main(['lexicon', 'find', {what}])"
    loaded = _loaded(code, tmp_path)
    assert not loaded & {"numpy", "numba", "llvmlite", "lexicon_build"}
