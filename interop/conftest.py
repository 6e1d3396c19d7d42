"""The four programs, started once, and the cases of the vectors."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .programs import ROOT, Four

# The engines have a run of their own, with other packages: `make test-engines`.
collect_ignore = ["engines"]
VECTORS = Path(__file__).resolve().parents[1] / "spec" / "vectors"
sys.setrecursionlimit(20_000)

# The documents of bench/data.lock, downloaded if they are missing.
DOCUMENTS = [
    Path(line)
    for line in subprocess.run(
        [ROOT / "bench/fetch-data"], check=True, capture_output=True, text=True
    ).stdout.splitlines()
]


@pytest.fixture(scope="session")
def four() -> Iterator[Four]:
    programs = Four()
    yield programs
    programs.close()


EXHAUSTIVE = "PACKORD_EXHAUSTIVE" in os.environ


def count(variable: str, usual: int, *, exhaustive: int) -> int:
    """How many inputs a test takes: the environment's number, or that of this run."""
    return int(os.environ.get(variable, exhaustive if EXHAUSTIVE else usual))


def cases(folder: str) -> list[dict[str, Any]]:
    """All cases of a class of vectors."""
    found = []
    for file in sorted((VECTORS / folder).glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            found.append({**case, "file": file.stem})
    assert found, f"no vectors of class {folder}"
    return found
