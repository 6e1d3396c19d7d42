"""The tables of the READMEs, generated from the figures that are kept in `bench/results.json`.

A table stands between `<!-- bench: NAME -->` and `<!-- /bench -->`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from .results import TIE, Row, is_own, summary

BLOCK = re.compile(r"(<!-- bench: (?P<name>[\w ]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)


def overview(rows: list[Row]) -> str:
    """One line for each language."""
    lines = [
        "| | rows | ahead of the best peer | level | behind | median ratio | worst | best |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for language in dict.fromkeys(row.language for row in rows):
        found = summary([row for row in rows if row.language == language])
        lines.append(
            f"| {language} | {found['rows']} | {found['ahead']} | {found['level']} | "
            f"{found['behind']} | {found['median']:.2f} | {found['worst']:.2f} | {found['best']:.2f} |"
        )
    return "\n".join(lines)


def full(rows: list[Row], *, peaks: str = "") -> str:
    """A line for each row with packord's time and the ratio to each peer; in the end, the peak of memory
    divided by that of the peer named by `peaks`."""
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
    """A line for each operation, a column for each number of items: ratio to the best peer, its name."""
    cells = {}
    for row in rows:
        operation, count, note = re.fullmatch(r"(.*) (\d+)(?: \((.*)\))?", row.name).groups()
        shown = f"{_ratio(row.ratio)} {row.best_peer}"
        cells[operation, count] = f"{shown}, {note}" if note else shown
    return _grid(cells)


def by_document(rows: list[Row]) -> str:
    """A line for each operation, a column for each document: the ratio to the best peer and its name."""
    cells = {}
    for row in rows:
        document, _, operation = row.name.partition(" ")
        cells[operation, document] = f"{_ratio(row.ratio)} {row.best_peer}"
    return _grid(cells)


def by_mode(rows: list[Row]) -> str:
    """A line for each document, two columns for each mode: the ratio to msgpackr at its best."""
    cells = {}
    for row in rows:
        document, _, way = row.name.rpartition(" ")
        peers = [time for name, time in row.peers.items() if name.startswith("msgpackr")]
        cells[document, f"{row.group}: {way}"] = _ratio(min(peers) / row.own)
    return _grid(cells)


def _grid(cells: dict[tuple[str, str], str]) -> str:
    """The cells, which are named by line and column, as a table."""
    columns = list(dict.fromkeys(column for _, column in cells))
    lines = [f"| | {' | '.join(columns)} |", f"|---|{'--:|' * len(columns)}"]
    for name in dict.fromkeys(line for line, _ in cells):
        found = [cells.get((name, column), "") for column in columns]
        lines.append(f"| {name} | {' | '.join(found)} |")
    return "\n".join(lines)


def _ratio(ratio: float, *, own: bool = False) -> str:
    """The ratio; bold where a peer is ahead."""
    return f"{ratio:.2f}" if own or ratio >= TIE else f"**{ratio:.2f}**"


def _microseconds(time: float) -> str:
    return f"{time:.3f}" if time < 1 else f"{time:.1f}" if time < 100 else f"{time:.0f}"


def _of(rows: list[Row], language: str, group: str) -> list[Row]:
    return [row for row in rows if (row.language, row.group) == (language, group)]


def _documents(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.language == "JavaScript" and row.group != "streams"]


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "overview": overview,
    "rust typed": lambda rows: by_count(_of(rows, "Rust", "typed")),
    "rust dynamic": lambda rows: by_document(_of(rows, "Rust", "dynamic")),
    "python": lambda rows: full(_of(rows, "Python", ""), peaks="ormsgpack"),
    "javascript": lambda rows: by_mode(_documents(rows)),
    "javascript streams": lambda rows: full(_of(rows, "JavaScript", "streams")),
    "clojure": lambda rows: full(_of(rows, "Clojure", "")),
}

FILES = ["README.md", "rust/packord/README.md", "python/README.md", "js/README.md", "clojure/README.md"]


def fill(text: str, rows: list[Row], facts: str) -> str:
    """The text with its tables made anew; `facts`, where and when it was measured, stands below each."""
    return BLOCK.sub(lambda block: f"{block[1]}{TABLES[block['name']](rows)}\n\n{facts}\n{block[3]}", text)


def update(root: Path, rows: list[Row], facts: str, *, check: bool) -> list[str]:
    """Writes the tables into the READMEs, or with `check` only names the files that are stale."""
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
