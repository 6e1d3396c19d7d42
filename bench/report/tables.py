"""The tables of the READMEs, generated from the figures that are kept in `bench/results.json`.

A table stands between `<!-- bench: NAME -->` and `<!-- /bench -->`.
"""

import re
from collections.abc import Callable
from pathlib import Path

from .results import TIE, Row, summary

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


def full(rows: list[Row]) -> str:
    """A line for each row with packord's time and the ratio to each peer."""
    contenders = list(dict.fromkeys(name for row in rows for name in (*row.peers, *row.others)))
    lines = [
        f"| | packord, µs | {' | '.join(contenders)} |",
        f"|---|--:|{'--:|' * len(contenders)}",
    ]
    for row in rows:
        times = {**row.peers, **row.others}
        cells = [
            _ratio(times[name] / row.own, own=name.startswith("packord")) if name in times else ""
            for name in contenders
        ]
        lines.append(f"| {row.name} | {_microseconds(row.own)} | {' | '.join(cells)} |")
    return "\n".join(lines)


def modes(rows: list[Row]) -> str:
    """A line for each document; in the columns each mode's ratio to the best peer of its kind."""
    columns = [
        (group, way) for group in dict.fromkeys(row.group for row in rows) for way in ("pack", "unpack")
    ]
    cells: dict[str, dict[tuple[str, str], str]] = {}
    for row in rows:
        document, _, way = row.name.rpartition(" ")
        peers = {name: time for name, time in row.peers.items() if name.startswith("msgpackr")}
        cells.setdefault(document, {})[row.group, way] = _ratio(min(peers.values()) / row.own)
    lines = [
        f"| | {' | '.join(f'{group}: {way}' for group, way in columns)} |",
        f"|---|{'--:|' * len(columns)}",
    ]
    for document, found in cells.items():
        lines.append(f"| {document} | {' | '.join(found.get(column, '') for column in columns)} |")
    return "\n".join(lines)


def _ratio(ratio: float, *, own: bool = False) -> str:
    """The ratio; in brackets where a peer is ahead."""
    return f"{ratio:.2f}" if own or ratio >= TIE else f"({ratio:.2f})"


def _microseconds(time: float) -> str:
    return f"{time:.3f}" if time < 1 else f"{time:.1f}" if time < 100 else f"{time:.0f}"


def _of(language: str, group: str | None = None) -> Callable[[list[Row]], list[Row]]:
    return lambda rows: [row for row in rows if row.language == language and group in (None, row.group)]


def _documents(rows: list[Row]) -> list[Row]:
    return [row for row in rows if row.language == "JavaScript" and row.group != "streams"]


TABLES: dict[str, Callable[[list[Row]], str]] = {
    "overview": overview,
    "rust typed": lambda rows: full(_of("Rust", "typed")(rows)),
    "rust dynamic": lambda rows: full(_of("Rust", "dynamic")(rows)),
    "python": lambda rows: full(_of("Python")(rows)),
    "javascript": lambda rows: modes(_documents(rows)),
    "javascript streams": lambda rows: full(_of("JavaScript", "streams")(rows)),
    "clojure": lambda rows: full(_of("Clojure")(rows)),
}

FILES = ["README.md", "rust/packord/README.md", "python/README.md", "js/README.md", "clojure/README.md"]


def fill(text: str, rows: list[Row]) -> str:
    """The text with its tables made anew."""
    return BLOCK.sub(lambda block: f"{block[1]}{TABLES[block['name']](rows)}\n{block[3]}", text)


def update(root: Path, rows: list[Row], *, check: bool) -> list[str]:
    """Writes the tables into the READMEs, or with `check` only names the files that are stale."""
    stale = []
    for name in FILES:
        file = root / name
        text = file.read_text()
        filled = fill(text, rows)
        if filled != text:
            stale.append(name)
            if not check:
                file.write_text(filled)
    return stale
