"""Reads MessagePack files, packs what they hold again, and prints a line for each file.

    python roundtrip.py SECONDS FILE...

The line has the file's name, ``same`` or ``differs`` for the bytes, and the median microseconds of
reading and of packing, with tabs between. SECONDS is how long to measure each way.
"""

import statistics
import sys
import time
from collections.abc import Callable
from pathlib import Path

import packord


def median(seconds: float, call: Callable[[], object]) -> float:
    """The median microseconds of a call; freeing what it returns is part of it."""
    times: list[float] = []
    end = time.perf_counter() + seconds
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append((time.perf_counter() - start) * 1e6)
    return statistics.median(times)


def main() -> None:
    seconds = float(sys.argv[1])
    options = packord.OPT_NON_STR_KEYS
    for file in sys.argv[2:]:
        packed = Path(file).read_bytes()
        value = packord.unpackb(packed, option=options)
        verdict = "same" if packord.packb(value, option=options) == packed else "differs"
        read = median(seconds, lambda: packord.unpackb(packed, option=options))
        written = median(seconds, lambda: packord.packb(value, option=options))
        print(f"{file}\t{verdict}\t{read:.2f}\t{written:.2f}", flush=True)


if __name__ == "__main__":
    main()
