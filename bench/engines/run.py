"""Measures in rounds: each round does everything once, so that all share the machine's moods."""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from engines.data import Data
from engines.forms import FORMS, ROOT

# The engines, and the further forms that one of them reads.
ENGINES: dict[str, list[str]] = {"DuckDB": [], "Polars": [], "Spark": ["container file, Java"], "Python": []}
TASKS = ["whole", "column", "ordered", "scattered"]
# Measured in each round, and with one thread and two. Of large tables the other forms take nine tenths of the
# time, so they are measured in one round.
REPEATED = ["container file", "container file, Java", "Parquet, zstd"]

LARGE = 50_000_000


@dataclass
class Cell:
    """One measurement: what is read, by which engine, and for which task."""

    data: str
    engine: str
    threads: int
    form: str
    task: str
    request: dict[str, Any]
    is_once: bool = False
    seconds: list[float] = field(default_factory=list)
    value: Any = None
    missing: str | None = None

    def result(self) -> dict[str, Any]:
        """What is kept of it."""
        found: dict[str, Any] = {
            key: getattr(self, key) for key in ["data", "engine", "threads", "form", "task"]
        }
        if self.missing is not None:
            return {**found, "missing": self.missing}
        return {**found, "seconds": round(statistics.median(self.seconds), 5), "value": self.value}


class Workers:
    """The processes of the engines, each started when it is first needed."""

    def __init__(self) -> None:
        self.processes: dict[tuple[str, int], subprocess.Popen[str]] = {}

    def ask(self, cell: Cell) -> dict[str, Any]:
        """The answer to the request of a cell."""
        process = self._process(cell.engine, cell.threads)
        assert process.stdin
        assert process.stdout
        process.stdin.write(json.dumps(cell.request) + "\n")
        process.stdin.flush()
        line = process.stdout.readline()
        if not line:
            raise RuntimeError(f"the process of {cell.engine} ended: {process.wait()}")
        found: dict[str, Any] = json.loads(line)
        return found

    def _process(self, engine: str, threads: int) -> subprocess.Popen[str]:
        if (engine, threads) not in self.processes:
            self.processes[engine, threads] = subprocess.Popen(
                [sys.executable, "-m", "engines.worker", engine, str(threads)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT / "bench",
                env={**os.environ, "PYSPARK_PYTHON": sys.executable},
            )
        return self.processes[engine, threads]

    def close(self) -> None:
        """Ends them all."""
        for process in self.processes.values():
            assert process.stdin is not None
            process.stdin.close()
        for process in self.processes.values():
            try:
                process.wait(timeout=30)
            except subprocess.TimeoutExpired:
                process.kill()


def cells(data: Data, engines: Iterable[str], tasks: Iterable[str]) -> list[Cell]:
    """All that is measured of one table."""
    found = []
    for engine in engines:
        for form in [*FORMS, *ENGINES[engine]]:
            path = data.path(form.removesuffix(", Java"))
            if not path.exists():
                continue
            for task in tasks:
                where = getattr(data, task) if task in ("ordered", "scattered") else None
                if task in ("ordered", "scattered") and where is None:
                    continue
                request = {
                    "form": form,
                    "path": str(path),
                    "task": task,
                    "column": data.column,
                    "where": where,
                }
                if task == "column" and not data.column:
                    continue
                is_once = data.size > LARGE and form not in REPEATED
                every = [1, 2] if form in REPEATED[::2] and task == "whole" else [2]
                for threads in every:
                    found.append(Cell(data.name, engine, threads, form, task, request, is_once))
    return found


def measure(todo: list[Cell], rounds: int) -> list[dict[str, Any]]:
    """Medians over the rounds. Round 0 warms up; what is measured once, in Spark alone."""
    workers = Workers()
    try:
        for number in range(rounds + 1):
            for cell in todo:
                is_known = cell.is_once and (cell.seconds or (not number and cell.engine != "Spark"))
                if cell.missing is not None or is_known:
                    continue
                found = workers.ask(cell)
                cell.missing, cell.value = found.get("missing"), found.get("value")
                if cell.missing is None and number:
                    cell.seconds.append(found["seconds"])
            print(f"round {number} of {rounds} is done", file=sys.stderr)
    finally:
        workers.close()
    _compare(todo)
    return [cell.result() for cell in todo]


def _compare(measured: list[Cell]) -> None:
    """Every form has the same answer, or the figures are of no use."""
    answers: dict[tuple[str, str], dict[str, Any]] = {}
    for cell in measured:
        if cell.missing is None and cell.value not in (None, -1):
            found = answers.setdefault((cell.data, cell.task), {})
            found[f"{cell.engine}, {cell.form}"] = cell.value
    for (data, task), found in answers.items():
        values = list(found.values())
        if any(abs(value - values[0]) > 1e-6 * max(1, abs(values[0])) for value in values):
            raise AssertionError(f"{data}, {task}: the answers differ: {found}")
