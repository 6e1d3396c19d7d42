"""Measures container files in the engines.

Usage: python -m engines [--size 1g] [--rounds 5] [--engines DuckDB,Polars,Spark,Python]
       python -m engines --quick     20 MB of events, one round, without Spark
       python -m engines --keep      keeps the figures in engines/results.json, for the page of the site
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import platform
import time
from importlib.metadata import version
from pathlib import Path
from typing import Any

from packord.container import Reader

from engines import page, scaling
from engines.data import Data, events, irregular, number_of, public, write_all, write_container
from engines.forms import FORMS, ROOT
from engines.run import ENGINES, TASKS, cells, measure

RESULTS = Path(__file__).resolve().parent / "results.json"
FOLDER = ROOT / "out" / "bench-engines"
PACKAGES = ["duckdb", "polars", "pyspark", "pyarrow", "fastavro"]


def described(data: Data, writing: dict[str, float], *, generated: bool) -> dict[str, Any]:
    """What is kept of the files of a table."""
    sizes = {form: data.path(form).stat().st_size for form in FORMS if data.path(form).exists()}
    return {
        "name": data.name,
        "rows": data.rows,
        "size": data.size,
        "sizes": sizes,
        "writing": {form: round(seconds, 4) for form, seconds in writing.items()},
        "generated": generated,
    }


def machine_name() -> str:
    """The processor and its number of cores."""
    names = [
        line.partition(":")[2].strip()
        for line in Path("/proc/cpuinfo").read_text().splitlines()
        if line.startswith("model name")
    ]
    return f"{os.cpu_count()} cores of {names[0] if names else platform.processor()}"


def core_rate(measured: list[dict[str, Any]], data: dict[str, Any]) -> float:
    """MB of NDJSON that one thread of Polars reads from a container file in a second."""
    wanted = {"data": "events", "engine": "Polars", "threads": 1, "task": "whole"}
    seconds = page.seconds_of({"measured": measured}, form="container file", **wanted)
    return data["size"] / 1e6 / seconds if seconds else scaling.Machine().rate


def run(size: str, rounds: int, engines: list[str]) -> page.Results:
    """Makes the data, and measures."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    large = [events(FOLDER, size), irregular(FOLDER, number_of(size) // 10)]
    kept, todo = [], []
    for data in large:
        writing = write_all(data)
        begin = time.perf_counter()
        write_container(data, 1)
        writing["container file, 1 thread"] = time.perf_counter() - begin
        write_container(data)
        kept.append(described(data, writing, generated=True))
        todo += cells(data, engines, TASKS)
    small = [engine for engine in engines if engine in ("DuckDB", "Polars")]
    for data in public(FOLDER):
        kept.append(described(data, write_all(data), generated=False))
        todo += cells(data, small, ["whole"])
    measured = measure(todo, rounds)
    rate = round(core_rate(measured, kept[0]), 1)
    container = Reader(large[0].path("container file"))
    shape = scaling.like(kept[0]["sizes"]["container file"], large[0].size, len(container.blocks))
    return {
        "date": datetime.date.today().isoformat(),
        "machine": machine_name(),
        "rounds": rounds,
        "versions": {name: version(name) for name in PACKAGES},
        "data": kept,
        "measured": measured,
        "rate": rate,
        "scaling": scaling.table(shape, scaling.Machine(rate=rate)),
    }


def main() -> None:
    """Measures, prints, and keeps."""
    parser = argparse.ArgumentParser(prog="engines")
    parser.add_argument("--size", default="1g")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--engines", default=",".join(ENGINES))
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--keep", action="store_true")
    chosen = parser.parse_args()
    if chosen.quick:
        chosen.size, chosen.rounds, chosen.engines = "20m", 1, "DuckDB,Polars,Python"
    results = run(chosen.size, chosen.rounds, chosen.engines.split(","))
    for name, text in page.sections(results).items():
        print(f"## {name}\n\n{text}\n")
    if chosen.keep:
        RESULTS.write_text(json.dumps(results, indent=1) + "\n")
        print("`make figures` makes the pages that show these figures")


if __name__ == "__main__":
    main()
