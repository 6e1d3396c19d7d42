"""Reads canonical MessagePack files, packs what they hold again, and prints a line for each file.

    python roundtrip.py SECONDS FILE...

The line has the file's name, ``same`` or ``differs`` for the bytes of the canonical form, and the
median microseconds of reading and of packing with default options, with tabs between.
SECONDS is the time to spend on each direction. The values of a line are separated by tabs.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import packord


def median(seconds: float, call: Callable[[], object]) -> float:
    """Returns the median microseconds of a call, including the release of what it returns."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def measure(file: str, seconds: float) -> str:
    """Returns the line of one file."""
    packed = Path(file).read_bytes()
    value = packord.unpackb(packed)
    canonical = packord.packb(value, canonical=True)
    verdict = "same" if canonical == packed else "differs"
    read = median(seconds, lambda: packord.unpackb(packed))
    written = median(seconds, lambda: packord.packb(value))
    return f"{file}\t{verdict}\t{read:.2f}\t{written:.2f}"


def main() -> None:
    seconds, *files = sys.argv[1:]
    for file in files:
        print(measure(file, float(seconds)), flush=True)


if __name__ == "__main__":
    main()
