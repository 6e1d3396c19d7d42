"""The tables of the READMEs, generated from the figures in `bench/results.json`.

A table is placed between `<!-- bench: NAME -->` and `<!-- /bench -->`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from .results import TIE, Row, is_own, of, summary

BLOCK = re.compile(r"(<!-- bench: (?P<name>[\w ]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)


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


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "overview": overview,
    "rust typed": lambda rows: by_count(of(rows, "Rust", "typed")),
    "rust dynamic": lambda rows: by_document(of(rows, "Rust", "dynamic")),
    "python": lambda rows: full(of(rows, "Python", ""), peaks="ormsgpack"),
    "javascript": lambda rows: by_mode([row for row in of(rows, "JavaScript") if row.group != "streams"]),
    "javascript streams": lambda rows: full(of(rows, "JavaScript", "streams")),
    "clojure": lambda rows: full(of(rows, "Clojure", "")),
}

FILES = ["README.md", "rust/packord/README.md", "python/README.md", "js/README.md", "clojure/README.md"]


def fill(text: str, rows: list[Row], facts: str) -> str:
    """Replaces the tables. `facts`, which says where and when it was measured, follows each."""
    return BLOCK.sub(lambda block: f"{block[1]}{TABLES[block['name']](rows)}\n\n{facts}\n{block[3]}", text)


def update(root: Path, rows: list[Row], facts: str, *, check: bool) -> list[str]:
    """Writes the tables into the READMEs, unless `check` is set. Returns the names of the stale files."""
    stale = []
    for name in FILES:
        file = root / name
        text = file.read_text()
        filled = fill(text, rows, facts)
        if filled != text:
            stale.append(name)
            if not check:
                file.write_text(filled)
    return stale
