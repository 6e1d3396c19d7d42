"""Prints the results of ``run.py`` as the table that the README shows.

python bench/table.py results.json
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

SHOWN = ["ormsgpack", "msgspec", "msgpack", "orjson"]


def cell(ratio: float | None) -> str:
    """A ratio; in brackets where packord is behind."""
    if ratio is None:
        return ""
    text = f"{ratio:.2f}" if ratio < 100 else f"{ratio:.0f}"
    return text if float(text) >= 1 else f"({text})"


def line(name: str, row: dict[str, Any]) -> str:
    ratios = [cell(row["ratios"].get(peer)) for peer in SHOWN]
    peak = row["peak_bytes"]
    memory = f"{peak['packord'] / peak['ormsgpack']:.2f}" if "ormsgpack" in peak else ""
    cells = [name, f"{row['microseconds']['packord']:.2f}", *ratios, memory]
    return f"| {' | '.join(cells)} |"


def main() -> None:
    report = json.loads(Path(sys.argv[1]).read_text(encoding="utf-8"))
    print(f"| | packord, µs | {' | '.join(SHOWN)} | peak memory / ormsgpack's |")
    print(f"|---|{'--:|' * (len(SHOWN) + 2)}")
    for name, row in report["rows"].items():
        print(line(name, row))


if __name__ == "__main__":
    main()
