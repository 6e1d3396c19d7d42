"""What more machines would do: a simulation of a job over container files.

It knows how a job is cut into tasks: files into splits as the specification says, so every task
reads the header and the index of its file, and the blocks whose mark begins in its range; the
driver reads all indexes to plan. It assumes the rest, and says what: :class:`Machine`. Tasks wait in
one queue, and each executor takes the next one when it is free, as in Spark, Dask and Ray.

Usage: python -m engines.scaling [RATE]   RATE: MB of rows, as NDJSON, that a core reads in a second
"""

from __future__ import annotations

import heapq
import sys
from dataclasses import dataclass

from packord.engines._files import PART_SIZE

MEGABYTE = 1_000_000


@dataclass(frozen=True)
class Machine:
    """What is assumed of each executor, which has one core, and of the storage that all share."""

    # MB of rows, as NDJSON, that a core reads in a second. `make bench-engines` measures it.
    rate: float = 400.0
    # MB/s that one executor gets from the storage, and that the storage has for all together.
    link: float = 100.0
    storage: float = 20_000.0
    # Seconds that a task takes before it reads: it is sent, starts, and opens the file.
    start: float = 0.1
    # Seconds that the driver takes for each task, and to ask for each file, one after another.
    driver: float = 0.002
    ask: float = 0.005


@dataclass(frozen=True)
class Files:
    """Container files of one table, all of the same size."""

    count: int
    blocks: int
    # Bytes of a block in the file, and of its rows as NDJSON.
    block: int
    raw: int
    # Bytes of the header, and of an index entry with statistics.
    header: int = 120
    entry: int = 160

    @property
    def size(self) -> int:
        """Bytes of one file."""
        return self.header + self.blocks * self.block + self.index

    @property
    def index(self) -> int:
        """Bytes of the index and the trailer."""
        return 60 + self.blocks * self.entry


@dataclass(frozen=True)
class Outcome:
    """What a job took."""

    tasks: int
    blocks: int
    read: int
    seconds: float


def splits(files: Files, size: int) -> list[int]:
    """The blocks of each task of one file, for tasks of about ``size`` bytes."""
    count = max(1, -(-files.size // size))
    marks = [files.header + number * files.block for number in range(files.blocks)]
    edges = [files.size * number // count for number in range(count + 1)]
    found, at = [], 0
    for edge in edges[1:]:
        begin = at
        while at < len(marks) and marks[at] < edge:
            at += 1
        # Splits without blocks are left out.
        if at > begin:
            found.append(at - begin)
    return found


def simulate(files: Files, executors: int, machine: Machine, *, size: int, kept: float = 1.0) -> Outcome:
    """The outcome of reading a share ``kept`` of the blocks; the others are skipped by statistics.

    Skipped blocks are together, as in a table that is ordered by what is asked.
    """
    per_file = splits(files, size)
    tasks = [count for _ in range(files.count) for count in per_file]
    wanted = round(sum(tasks) * kept)
    chosen, left = [], wanted
    for count in tasks:
        # The driver knows the index, and sends no task of which all blocks are skipped.
        if left > 0:
            chosen.append(min(count, left))
            left -= chosen[-1]
    busy = min(executors, len(chosen)) or 1
    link = min(machine.link, machine.storage / busy)
    # The driver reads the index of every file first.
    read = files.count * (files.header + files.index)
    planned = files.count * machine.ask + read / MEGABYTE / machine.link
    free = [planned] * executors
    end = planned
    for number, blocks in enumerate(chosen):
        size_read = files.header + files.index + blocks * files.block
        read += size_read
        # A core waits for its bytes, then unpacks: nothing is assumed to overlap.
        work = size_read / MEGABYTE / link + blocks * files.raw / MEGABYTE / machine.rate
        sent = planned + (number + 1) * machine.driver
        finished = max(heapq.heappop(free), sent) + machine.start + work
        heapq.heappush(free, finished)
        end = max(end, finished)
    return Outcome(len(chosen), wanted, read, end)


def like(size: int, lines: int, blocks: int) -> Files:
    """Files of 1,250 blocks like those of a container file: its size, that of its rows as NDJSON, and
    its number of blocks."""
    return Files(count=1000, blocks=1250, block=size // blocks, raw=lines // blocks)


def table(files: Files, machine: Machine, size: int = PART_SIZE) -> str:
    """The outcomes by number of executors."""
    head = ["executors", "tasks", "blocks", "read", "whole", "speedup", "read of 1 %", "1 %"]
    rows = []
    first = simulate(files, 1, machine, size=size).seconds
    for executors in (1, 2, 4, 16, 64, 256, 1024, 4096):
        whole = simulate(files, executors, machine, size=size)
        part = simulate(files, executors, machine, size=size, kept=0.01)
        rows.append(
            [
                f"{executors:,}",
                f"{whole.tasks:,}",
                f"{whole.blocks:,}",
                f"{whole.read / 1e9:,.0f} GB",
                _time(whole.seconds),
                f"{first / whole.seconds:,.1f}×",
                f"{part.read / 1e9:,.1f} GB",
                _time(part.seconds),
            ]
        )
    rule = ["--:"] * len(head)
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, rule, *rows])


def _time(seconds: float) -> str:
    if seconds >= 5400:
        return f"{seconds / 3600:,.1f} h"
    return f"{seconds / 60:,.1f} min" if seconds >= 90 else f"{seconds:,.1f} s"


if __name__ == "__main__":
    print(table(like(800_000, 5_500_000, 1), Machine(*map(float, sys.argv[1:2]))))
