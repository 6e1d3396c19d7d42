"""The figures of the four languages' benchmarks, brought into one shape."""

import dataclasses
import json
import math
import statistics
from pathlib import Path
from typing import Any

# A ratio from here on counts as level: the machines are noisy.
TIE = 0.95


@dataclasses.dataclass(frozen=True)
class Row:
    """One thing that was measured: packord's time and that of each peer, in microseconds."""

    language: str
    group: str
    name: str
    own: float
    peers: dict[str, float]
    # packord's other ways of doing the same, such as with records.
    variants: dict[str, float] = dataclasses.field(default_factory=dict)
    # Bytes that each contender writes, where the benchmark says so.
    sizes: dict[str, int] = dataclasses.field(default_factory=dict)

    @property
    def best_peer(self) -> str:
        """The fastest peer."""
        return min(self.peers, key=lambda peer: self.peers[peer])

    @property
    def ratio(self) -> float:
        """The fastest peer's time divided by packord's: above 1, packord is faster."""
        return self.peers[self.best_peer] / self.own


def from_rust(report: dict[str, Any], group: str) -> list[Row]:
    """The rows of a binary of `rust/bench`, in nanoseconds; the first contender is packord."""
    rows = []
    for row in report["rows"]:
        own, *others = row["median"]
        rows.append(
            Row(
                "Rust",
                group,
                row["row"],
                row["median"][own] / 1e3,
                {name: row["median"][name] / 1e3 for name in others if not is_own(name)},
                {name: row["median"][name] / 1e3 for name in others if is_own(name)},
                row.get("bytes", {}),
            )
        )
    return rows


def from_python(report: dict[str, Any]) -> list[Row]:
    """The rows of `python/bench/run.py`."""
    rows = []
    for name, row in report["rows"].items():
        times = dict(row["microseconds"])
        own = times.pop("packord")
        peers = {peer: time for peer, time in times.items() if not is_own(peer)}
        variants = {peer: time for peer, time in times.items() if is_own(peer)}
        rows.append(Row("Python", "", name, own, peers, variants))
    return rows


def from_javascript(report: dict[str, Any]) -> list[Row]:
    """The rows of `js/bench/run.js`: document by mode by direction, and the streams."""
    rows = []
    for document in report["results"]:
        for mode, figures in document["modes"].items():
            for direction in ("pack", "unpack"):
                times = {name: time["median"] for name, time in figures[direction].items()}
                own = times.pop("packord")
                name = f"{document['name']} {direction}"
                rows.append(Row("JavaScript", mode, name, own, times, {}, figures["sizes"]))
    for name, figures in report["streams"].items():
        times = {library: time["median"] for library, time in figures.items()}
        if "packord" in times:
            rows.append(Row("JavaScript", "streams", name, times.pop("packord"), times))
    return rows


def from_clojure(report: dict[str, Any]) -> list[Row]:
    """The rows of `clojure/bench`; packord's contender with keyword keys stands for packord."""
    rows = []
    for row in report["rows"]:
        times = {each["name"]: each["microseconds"] for each in row["results"]}
        sizes = {each["name"]: each["bytes"] for each in row["results"] if each.get("bytes")}
        variants = {name: time for name, time in times.items() if is_own(name)}
        own = next((name for name in variants if "keyword" in name), next(iter(variants)))
        peers = {name: time for name, time in times.items() if name not in variants}
        floor = {name: peers.pop(name) for name in list(peers) if "only building" in name}
        name = f"{row['document']}, {row['operation']}"
        rows.append(Row("Clojure", "", name, variants.pop(own), peers, {**variants, **floor}, sizes))
    return rows


def is_own(contender: str) -> bool:
    """Is the contender packord in another mode?"""
    return contender.startswith("packord")


# Where each language's benchmark writes its figures, from the root of the project.
SOURCES = {
    "rust typed": ("out/bench-rust.json", lambda report: from_rust(report, "typed")),
    "rust dynamic": ("out/bench-rust-dynamic.json", lambda report: from_rust(report, "dynamic")),
    "python": ("out/bench-python.json", from_python),
    "javascript": ("js/bench/results/results.json", from_javascript),
    "clojure": ("clojure/bench/results/clojure.json", from_clojure),
}


def collect(root: Path) -> tuple[list[Row], list[str]]:
    """All rows that were measured, and the names of the benchmarks that left no figures."""
    rows: list[Row] = []
    missing = []
    for name, (path, read) in SOURCES.items():
        file = root / path
        if file.exists():
            rows += read(json.loads(file.read_text()))
        else:
            missing.append(name)
    return [row for row in rows if row.peers], missing


def summary(rows: list[Row]) -> dict[str, Any]:
    """How often packord is ahead of, level with and behind the best peer, and by how much."""
    ratios = [row.ratio for row in rows]
    return {
        "rows": len(rows),
        "ahead": sum(ratio >= 1 for ratio in ratios),
        "level": sum(TIE <= ratio < 1 for ratio in ratios),
        "behind": sum(ratio < TIE for ratio in ratios),
        "median": statistics.median(ratios),
        "mean": math.exp(statistics.fmean(math.log(ratio) for ratio in ratios)),
        "worst": min(ratios),
        "best": max(ratios),
    }
