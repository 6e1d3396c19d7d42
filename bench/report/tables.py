"""The tables of the survey of speed, from the figures in `bench/results.json`."""

import re
from collections.abc import Callable

from .results import TIE, Row, Run, facts_of, is_own, of, rows_of, summary


def overview(rows: list[Row]) -> str:
    """Returns a line for each language: counts of rows, and quartiles of the ratio."""
    lines = [
        "| | rows | faster | level | slower | lower quartile | median | upper quartile |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for language in dict.fromkeys(row.language for row in rows):
        found = summary(of(rows, language))
        lines.append(
            f"| {language} | {found.rows} | {found.ahead} | {found.level} | {found.behind} | "
            f"{found.lower:.2f} | {found.median:.2f} | {found.upper:.2f} |"
        )
    return "\n".join(lines)


def full(rows: list[Row], *, peaks: str = "") -> str:
    """Returns a line for each row: packord's time, the ratio to each contender, and packord's peak memory
    divided by that of the peer that `peaks` names."""
    contenders = list(dict.fromkeys(name for row in rows for name in (*row.peers, *row.others)))
    heads = ["packord, µs", *contenders, *([f"peak memory / {peaks}"] if peaks else [])]
    lines = [f"| | {' | '.join(heads)} |", f"|---|{'--:|' * len(heads)}"]
    for row in rows:
        times = {**row.peers, **row.others}
        cells = [
            _ratio(times[name] / row.own, own=is_own(name)) if name in times else "" for name in contenders
        ]
        if peaks:
            cells.append(f"{row.peaks['packord'] / row.peaks[peaks]:.2f}" if peaks in row.peaks else "")
        lines.append(f"| {row.name} | {_microseconds(row.own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def by_count(rows: list[Row]) -> str:
    """Returns a line for each operation, a column for each number of items: ratio, fastest peer."""
    cells = {}
    for row in rows:
        operation, count, note = re.fullmatch(r"(.*) (\d+)(?: \((.*)\))?", row.name).groups()
        shown = f"{_ratio(row.ratio)} {row.best_peer}"
        cells[operation, count] = f"{shown}, {note}" if note else shown
    return _grid(cells)


def by_document(rows: list[Row]) -> str:
    """Returns a line for each operation, a column for each document: ratio, fastest peer."""
    cells = {}
    for row in rows:
        document, _, operation = row.name.partition(" ")
        cells[operation, document] = f"{_ratio(row.ratio)} {row.best_peer}"
    return _grid(cells)


def by_shape(rows: list[Row], mark: str) -> str:
    """Returns a line for each shape, a column for each operation: the ratio, and the page faults of packord
    and of the peer where the call causes any. `mark` is between the names of shape and operation."""
    cells = {}
    for row in rows:
        shape, _, operation = row.name.rpartition(mark)
        own, peer = (row.faults.get(name, 0) for name in (_own_name(row), row.best_peer))
        faults = f" ({own:.0f}/{peer:.0f})" if max(own, peer) >= 1 else ""
        cells[shape, operation] = f"{_ratio(row.ratio)}{faults}"
    return _grid(cells)


def _own_name(row: Row) -> str:
    """Returns the name of packord among those whose page faults were counted."""
    return next((name for name in row.faults if is_own(name)), "")


def by_mode(rows: list[Row]) -> str:
    """Returns a line for each document, two columns for each mode: the ratio to the fastest msgpackr."""
    cells = {}
    for row in rows:
        document, _, way = row.name.rpartition(" ")
        peers = [time for name, time in row.peers.items() if name.startswith("msgpackr")]
        cells[document, f"{row.group}: {way}"] = _ratio(min(peers) / row.own)
    return _grid(cells)


def _grid(cells: dict[tuple[str, str], str]) -> str:
    """Returns the table of the cells, whose names are line and column."""
    columns = list(dict.fromkeys(column for _, column in cells))
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    for name in dict.fromkeys(line for line, _ in cells):
        found = [cells.get((name, column), "") for column in columns]
        lines.append(f"| {name} | {' | '.join(found)} |")
    return "\n".join(lines)


def _ratio(ratio: float, *, own: bool = False) -> str:
    """Returns the ratio, in bold where a peer is faster."""
    return f"{ratio:.2f}" if own or ratio >= TIE else f"**{ratio:.2f}**"


def _microseconds(time: float) -> str:
    return f"{time:.3f}" if time < 1 else f"{time:.1f}" if time < 100 else f"{time:.0f}"


def _from(language: str, group: str) -> Callable[[Row], bool]:
    """Returns whether a row is of this language and group."""
    return lambda row: (row.language, row.group) == (language, group)


# Each table's rows, and how they are shown.
TABLES: dict[str, tuple[Callable[[Row], bool], Callable[[list[Row]], str]]] = {
    "overview": (lambda row: True, overview),
    "rust typed": (_from("Rust", "typed"), by_count),
    "rust dynamic": (_from("Rust", "dynamic"), by_document),
    "rust survey": (_from("Rust", "survey"), lambda rows: by_shape(rows, ": ")),
    "python": (_from("Python", ""), lambda rows: full(rows, peaks="ormsgpack")),
    "python survey": (_from("Python", "survey"), lambda rows: by_shape(rows, " ")),
    "javascript": (
        lambda row: row.language == "JavaScript" and row.group not in ("streams", "survey"),
        by_mode,
    ),
    "javascript survey": (_from("JavaScript", "survey"), lambda rows: by_shape(rows, ": ")),
    "javascript streams": (_from("JavaScript", "streams"), full),
    "clojure": (_from("Clojure", ""), full),
    "clojure survey": (_from("Clojure", "survey"), full),
}


def rows(name: str, runs: dict[str, Run]) -> list[Row]:
    """Returns the rows of a table."""
    return [row for row in rows_of(runs) if TABLES[name][0](row)]


def table(name: str, runs: dict[str, Run]) -> str:
    """Returns a table, and below it where and when its rows were measured."""
    own = rows(name, runs)
    return f"{TABLES[name][1](own)}\n\n{facts_of(runs, own)}"
