"""Best-play self-play is what it was: bench/signature.py gives the stored value."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "bench"))

import signature

#: Change it only together with what is played, and say why in CHANGELOG.md.
STORED = "89aae015510150de"


def test_signature() -> None:
    assert signature.signature() == STORED
