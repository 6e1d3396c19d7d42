"""The files themselves: fresh, small, complete."""

from __future__ import annotations

import doctest
import subprocess
import sys

from .. import notation_reader, reference
from ..archive import CLASSES
from ..generator.verify import size
from .conftest import ROOT, cases, each

KINDS = {
    "eof", "reserved_marker", "invalid_utf8", "trailing_bytes", "depth_limit", "length_limit",
    "duplicate_key", "invalid_timestamp", "invalid_ext", "invalid_container", "unknown_ext",
    "record_undefined", "record_malformed", "not_canonical",
}  # fmt: skip


def test_files_are_what_the_generator_writes():
    command = [sys.executable, "-m", "spec.vectors.generate", "--check"]
    result = subprocess.run(command, capture_output=True, text=True, cwd=ROOT.parents[1])
    assert result.returncode == 0, result.stderr


def test_all_files_together_stay_small():
    assert sum(path.stat().st_size for path in ROOT.glob("*/*.json")) < 3_000_000


def test_every_marker_is_read_by_a_valid_case():
    first = {reference.expand(case["bytes"])[0] for case in cases("valid")}
    assert first == set(range(256)) - {0xC1}


def test_every_kind_that_reading_reports_has_cases():
    found = {
        case["error"]["kind"]
        for kind in ("invalid", "records", "hostile", "container")
        for case in cases(kind)
        if "error" in case
    }
    assert found == KINDS


@each(*CLASSES, where=lambda case: isinstance(case.get("bytes"), list) and size(case) < 1_000_000)
def test_expanded_length_is_the_length_of_the_expanded_bytes(kind, case):
    assert size(case) == len(reference.expand(case["bytes"]))


def test_examples_in_the_reference_run():
    assert doctest.testmod(reference).failed == 0
    assert doctest.testmod(notation_reader).failed == 0
