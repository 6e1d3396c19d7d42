"""The memory that packed messages are written to."""

from __future__ import annotations

import subprocess
import sys

import pytest

FAULTS = """
import resource, sys, packord
value = eval(sys.argv[1])
size, counts = len(packord.packb(value)), []
for _ in range(40):
    before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
    packord.packb(value)
    counts.append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
print(size // 4096, sorted(counts[20:])[10])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="page faults are not counted there")
@pytest.mark.parametrize(
    "value",
    ["['x' * 1000] * 600", "['x' * 1000] * 3000", "[index * 7919 for index in range(300000)]"],
)
def test_large_messages_are_written_to_memory_that_is_there(value: str) -> None:
    run = subprocess.run(
        [sys.executable, "-c", FAULTS, value], capture_output=True, text=True, check=True
    )
    pages, faults = map(int, run.stdout.split())
    assert pages > 100 and faults <= pages // 10
