"""The figures of the four languages' benchmarks, in one shape."""

import dataclasses
import datetime
import json
import os
import platform
import statistics
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import peers

# From this ratio up to 1, packord and the peer count as level: the machines are noisy.
TIE = 0.95

# Contenders that write another format, or need a schema: in the tables, but no ratio is against them.
OTHER_FORMATS = {
    "Rust": {"serde_json", "sonic-rs", "NDJSON, zstd", "Avro, zstd"},
    "Python": {"orjson", "json", "cbor2", "marshal", "pickle"},
    "JavaScript": {"JSON string", "JSON Buffer", "v8.serialize", "avsc", "cbor-x"},
    "Clojure": {"jackson json", "jackson smile", "jackson cbor", "floor"},
}


@dataclasses.dataclass(frozen=True)
class Row:
    """One thing that was measured: packord's time and that of each peer, in microseconds."""

    language: str
    group: str
    name: str
    own: float
    peers: dict[str, float]
    # Contenders that are not peers: packord in another mode, and other formats.
    others: dict[str, float] = dataclasses.field(default_factory=dict)
    # Bytes that each contender writes, where the benchmark says so.
    sizes: dict[str, int] = dataclasses.field(default_factory=dict)
    # Peak memory of each contender in bytes, where the benchmark says so.
    peaks: dict[str, int] = dataclasses.field(default_factory=dict)
    # Page faults of a call of each contender, where the benchmark says so.
    faults: dict[str, float] = dataclasses.field(default_factory=dict)

    @property
    def best_peer(self) -> str:
        """The fastest peer."""
        return min(self.peers, key=lambda peer: self.peers[peer])

    @property
    def ratio(self) -> float:
        """The fastest peer's time divided by packord's: above 1, packord is faster."""
        return self.peers[self.best_peer] / self.own

    @property
    def internal(self) -> bool:
        """Whether packord is compared only with itself in another mode."""
        return all(is_own(peer) for peer in self.peers)


def row(language: str, group: str, name: str, times: dict[str, float], sizes: dict[str, int]) -> Row:
    """Returns the row of these times. The first one is packord's."""
    own, *rest = times
    foreign = OTHER_FORMATS[language]
    others = [name for name in rest if is_own(name) or name in foreign]
    # Without a MessagePack peer, the other formats are the peers; without these, packord's other modes.
    if len(others) == len(rest):
        others = [name for name in rest if is_own(name)]
    if len(others) == len(rest):
        others = []
    return Row(
        language,
        group,
        name,
        times[own],
        {name: times[name] for name in rest if name not in others},
        {name: times[name] for name in others},
        sizes,
    )


def from_rust(report: dict[str, Any], group: str) -> list[Row]:
    """Returns the rows of a binary of `rust/bench`, which measures in nanoseconds."""
    return [
        dataclasses.replace(
            row("Rust", group, each["row"], _own_first(each), each.get("bytes", {})),
            faults=each.get("faults", {}),
        )
        for each in report["rows"]
    ]


def from_python(report: dict[str, Any], group: str) -> list[Row]:
    """Returns the rows of `python/bench/run.py`."""
    return [
        dataclasses.replace(
            row("Python", group, name, each["microseconds"], {}),
            peaks=each["peak_bytes"],
            faults=each["minor_faults"],
        )
        for name, each in report["rows"].items()
    ]


def from_javascript(report: dict[str, Any]) -> list[Row]:
    """Returns the rows of `js/bench/run.js`: one for each document, mode and direction, and the streams."""
    rows = []
    for document in report["results"]:
        for mode, figures in document["modes"].items():
            for way in ("pack", "unpack"):
                name = f"{document['name']} {way}"
                rows.append(row("JavaScript", mode, name, _medians(figures[way]), figures["sizes"]))
    for name, figures in report["streams"].items():
        if "packord" in figures:
            rows.append(row("JavaScript", "streams", name, _medians(figures), {}))
    return rows


def from_javascript_survey(report: dict[str, Any]) -> list[Row]:
    """Returns the rows of `js/bench/survey.js`: one for each shape, process and direction."""
    return [
        row("JavaScript", "survey", f"{name}: {mode} {way}", _medians(figures[way]), {})
        for name, modes in report["results"].items()
        for mode, figures in modes.items()
        for way in ("pack", "unpack")
    ]


def from_clojure(report: dict[str, Any], group: str) -> list[Row]:
    """Returns the rows of `jvm/bench`."""
    rows = []
    for each in report["rows"]:
        times = {result["name"]: result["median"] for result in each["results"]}
        sizes = {result["name"]: result["bytes"] for result in each["results"] if result.get("bytes")}
        rows.append(row("Clojure", group, f"{each['document']}, {each['operation']}", times, sizes))
    return rows


def is_own(contender: str) -> bool:
    """Whether the contender is packord, in any mode."""
    return contender.startswith("packord")


def _medians(figures: dict[str, dict[str, float]]) -> dict[str, float]:
    return {name: figure["median"] for name, figure in figures.items()}


def _own_first(each: dict[str, Any]) -> dict[str, float]:
    """Returns the times in microseconds, packord's first.

    The report sorts them by name. packord's own is the one that has the row's ratio.
    """
    times = {name: time / 1e3 for name, time in each["median"].items()}

    def distance(own: str) -> float:
        return abs(min(time for name, time in times.items() if name != own) / times[own] - each["ratio"])

    own = min((name for name in times if is_own(name)), key=distance)
    return {own: times[own], **times}


@dataclasses.dataclass(frozen=True)
class Source:
    """A benchmark: the file that it writes, relative to the root of the project, and what reads it."""

    path: str
    read: Callable[[dict[str, Any]], list[Row]]


SOURCES = {
    "Rust, types": Source("out/bench-rust.json", lambda report: from_rust(report, "typed")),
    "Rust, documents": Source("out/bench-rust-dynamic.json", lambda report: from_rust(report, "dynamic")),
    "Rust, survey": Source("out/bench-rust-survey.json", lambda report: from_rust(report, "survey")),
    "Rust, containers": Source(
        "out/bench-rust-container.json", lambda report: from_rust(report, "containers")
    ),
    "Python": Source("out/bench-python.json", lambda report: from_python(report, "")),
    "Python, survey": Source("out/bench-python-survey.json", lambda report: from_python(report, "survey")),
    "JavaScript": Source("js/bench/results/results.json", from_javascript),
    "JavaScript, survey": Source("js/bench/results/survey.json", from_javascript_survey),
    "Clojure": Source("jvm/bench/results/clojure.json", lambda report: from_clojure(report, "")),
    "Clojure, survey": Source(
        "jvm/bench/results/clojure-survey.json", lambda report: from_clojure(report, "survey")
    ),
}


@dataclasses.dataclass(frozen=True)
class Run:
    """The rows of a benchmark, and where and when they were measured."""

    facts: str
    rows: list[Row]
    # The other packages, and their versions.
    versions: dict[str, str] = dataclasses.field(default_factory=dict)


def collect(root: Path) -> dict[str, Run]:
    """Returns the last run of each benchmark that has run."""
    return {
        name: _run(root / source.path, source, peers.of_language(root, name.partition(",")[0]))
        for name, source in SOURCES.items()
        if (root / source.path).exists()
    }


def _run(file: Path, source: Source, versions: dict[str, str]) -> Run:
    report = json.loads(file.read_text())
    pace = "quick run" if report["quick"] else "full run"
    day = datetime.datetime.fromtimestamp(file.stat().st_mtime, datetime.timezone.utc).date()
    facts = f"{pace} on {platform.machine()} with {os.cpu_count()} cores, {day}"
    return Run(facts, [each for each in source.read(report) if each.peers], versions)


def rows_of(runs: dict[str, Run]) -> list[Row]:
    """Returns the rows of all benchmarks, in the order of `SOURCES`."""
    return [row for name in SOURCES if name in runs for row in runs[name].rows]


def facts_of(runs: dict[str, Run], rows: list[Row]) -> str:
    """Returns where and when these rows were measured, and the versions of the other packages."""
    used: dict[str, list[str]] = {}
    versions: dict[str, None] = {}
    for name, run in runs.items():
        if any(row in run.rows for row in rows):
            used.setdefault(f"{run.facts[0].upper()}{run.facts[1:]}", []).append(name)
            versions |= dict.fromkeys(f"{peer} {version}" for peer, version in run.versions.items())
    beside = f" Compared with {', '.join(versions)}." if versions else ""
    if len(used) == 1:
        return f"{next(iter(used))}.{beside}"
    return " ".join(f"{facts}: {'; '.join(names)}." for facts, names in used.items()) + beside


def of(rows: list[Row], language: str, group: str | None = None) -> list[Row]:
    """Returns the rows of a language, or of one group of its rows."""
    return [each for each in rows if each.language == language and group in (None, each.group)]


@dataclasses.dataclass(frozen=True)
class Summary:
    """packord and the fastest other package over some rows: counts of rows, and quartiles of the ratio."""

    rows: int
    ahead: int
    level: int
    behind: int
    lower: float
    median: float
    upper: float


def summary(rows: list[Row]) -> Summary:
    """Returns the summary of the rows that have a peer."""
    ratios = [each.ratio for each in rows if not each.internal]
    # Quartiles need two values.
    lower, median, upper = statistics.quantiles(
        ratios * 2 if len(ratios) == 1 else ratios, method="inclusive"
    )
    ahead = sum(ratio >= 1 for ratio in ratios)
    behind = sum(ratio < TIE for ratio in ratios)
    return Summary(len(ratios), ahead, len(ratios) - ahead - behind, behind, lower, median, upper)
