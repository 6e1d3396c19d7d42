"""Finds the cases that a test is about."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# Cases that a test leaves out although its rule would take them, with the reason.
LEFT_OUT = {
    "test_msgpack_writes_the_same_bytes": {
        "keys 1, 1.0 and true": "one key in Python",
        "keys 0.0 and -0.0": "one key in Python",
    }
}


@cache
def cases(kind: str) -> list[dict]:
    """Every case of a class; the folder must hold some."""
    found = []
    for path in sorted((ROOT / kind).glob("*.json")):
        document = json.loads(path.read_text("ascii"))
        assert (document["schema"], document["class"], document["topic"]) == (1, kind, path.stem)
        found += document["cases"]
    assert found, f"no cases in {kind}"
    return found


def each(*kinds: str, where: Callable[[dict], bool] = lambda case: True) -> Callable:
    """Runs a test with parameters ``kind`` and ``case`` for the cases that ``where`` takes."""

    def decorate(test: Callable) -> Callable:
        left_out = LEFT_OUT.get(test.__name__, {})
        found = [(kind, case) for kind in kinds for case in cases(kind) if where(case)]
        assert left_out.keys() <= {case["name"] for _, case in found}, test.__name__
        kept = [(kind, case) for kind, case in found if case["name"] not in left_out]
        assert kept, test.__name__
        names = [f"{kind}, {case['name']}" for kind, case in kept]
        return pytest.mark.parametrize(("kind", "case"), kept, ids=names)(test)

    return decorate
