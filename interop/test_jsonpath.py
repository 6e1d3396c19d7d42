"""The compliance suite of JSONPath (RFC 9535) on `packord get`.

The suite is in the npm package of `jsonpath/package.json`. `jsonpath/others.txt` has a line for
each case that packord refuses, reads although JSONPath refuses it, or answers in another order.
`PACKORD_WRITE=1` writes that file.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections import Counter
from typing import Any

import pytest

from .programs import HERE, ROOT

TOOL = ROOT / "rust/target/debug/packord"
FOLDER = HERE / "jsonpath"
SUITE = (
    FOLDER / "node_modules/jsonpath-rfc9535/src/__tests__/jsonpath-compliance-test-suite/cts.json"
)
OTHERS = FOLDER / "others.txt"

REFUSED = "refused"
ACCEPTED = "accepted"
OTHER_ORDER = "other order"
UNSAYABLE = "not an argument"


def run(*arguments: str, data: bytes) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run([TOOL, *arguments], input=data, capture_output=True, check=False)


def key(value: Any) -> str:
    """A string that equal values share, whatever the order of their entries."""
    return json.dumps(value, sort_keys=True)


def verdict(case: dict[str, Any]) -> str | None:
    """What differs from JSONPath, or None. A wrong result is an error."""
    selector = case["selector"]
    if "\0" in selector:
        return UNSAYABLE
    packed = run("pack", data=json.dumps(case.get("document")).encode()).stdout
    result = run("get", "--as-is", "--", selector, data=packed)
    assert result.returncode in (0, 1, 2), (case, result.stderr)
    is_refused = result.returncode == 2
    if case.get("invalid_selector"):
        return None if is_refused else ACCEPTED
    if is_refused:
        return REFUSED
    found = [key(json.loads(line)) for line in result.stdout.splitlines()]
    allowed = [
        [key(value) for value in values] for values in case.get("results", [case.get("result")])
    ]
    if found in allowed:
        return None
    assert Counter(found) in [Counter(values) for values in allowed], (case, found)
    return OTHER_ORDER


@pytest.fixture(scope="module")
def verdicts() -> list[tuple[dict[str, Any], str | None]]:
    cases = json.loads(SUITE.read_text(encoding="utf-8"))["tests"]
    assert len(cases) > 600
    return [(case, verdict(case)) for case in cases]


def test_what_packord_has_of_json_path_is_as_in_its_compliance_suite(
    verdicts: list[tuple[dict[str, Any], str | None]],
) -> None:
    lines = sorted(
        f"{what}: {case['name']}: {key(case['selector'])}\n" for case, what in verdicts if what
    )
    if "PACKORD_WRITE" in os.environ:
        OTHERS.write_text("".join(lines), encoding="utf-8")
    assert OTHERS.read_text(encoding="utf-8").splitlines(keepends=True) == lines
    held = sum(what is None for _, what in verdicts)
    assert held >= 480, f"{held} of {len(verdicts)} cases hold"
