"""`python -m report VERB`, run in the folder `bench`.

`measure`: measures how cost grows, into out/bench-growth.json (QUICK=1 for a rough run).
`html`: writes out/bench.json and out/bench.html from the files of the benchmarks, and prints the overview.
`keep`: copies out/bench.json to bench/results.json, and updates the READMEs' tables from it.
`check`: exit 1 if a README's table differs from that of bench/results.json.
"""

import dataclasses
import datetime
import json
import os
import platform
import sys
from pathlib import Path

from . import growth, results, tables

ROOT = Path(__file__).resolve().parents[2]
OUT = ROOT / "out"
KEPT = ROOT / "bench/results.json"


def measure() -> int:
    OUT.mkdir(exist_ok=True)
    points = growth.measure(ROOT, quick=os.environ.get("QUICK") == "1")
    growth.save(points, OUT / "bench-growth.json")
    return 0


def html() -> int:
    # Imported here: the plotting library takes longer to load than the other verbs take to run.
    from . import page

    rows, missing = results.collect(ROOT)
    if not rows:
        print("no benchmark has run yet: run `make bench`", file=sys.stderr)
        return 1
    points = growth.load(OUT / "bench-growth.json")
    pace = "Quick run" if os.environ.get("QUICK") == "1" else "Full run"
    day = datetime.datetime.now(datetime.timezone.utc).date()
    facts = f"{pace} on {platform.machine()} with {os.cpu_count()} cores, {day}."
    report = {
        "schema": 1,
        "facts": facts,
        "rows": [dataclasses.asdict(row) for row in rows],
        "growth": [dataclasses.asdict(point) for point in points],
    }
    (OUT / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    (OUT / "bench.html").write_text(page.render(rows, points, missing, facts))
    print(f"\n{tables.overview(rows)}\n")
    for name in missing:
        print(f"not measured: {name}")
    print(f"Open the report in a browser: {OUT / 'bench.html'}")
    return 0


def keep() -> int:
    report = json.loads((OUT / "bench.json").read_text())
    report["rows"] = [_rounded(row) for row in report["rows"]]
    KEPT.write_text(json.dumps(report, separators=(",", ":")).replace('{"language"', '\n{"language"') + "\n")
    print("updated:", ", ".join(tables.update(ROOT, *_kept(), check=False)) or "nothing")
    return 0


def check() -> int:
    stale = tables.update(ROOT, *_kept(), check=True)
    for name in stale:
        print(f"{name}: a table differs from bench/results.json; `make bench-keep` updates it")
    return 1 if stale else 0


def _rounded(row: dict[str, object]) -> dict[str, object]:
    """Returns the row with five significant digits, which is more than a second run would confirm."""

    def short(value: object) -> object:
        if isinstance(value, float):
            return float(f"{value:.5g}")
        if isinstance(value, dict):
            return {key: short(item) for key, item in value.items()}
        return value

    return {key: short(value) for key, value in row.items()}


def _kept() -> tuple[list[results.Row], str]:
    report = json.loads(KEPT.read_text())
    return [results.Row(**row) for row in report["rows"]], report["facts"]


VERBS = {"measure": measure, "html": html, "keep": keep, "check": check}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    sys.exit(VERBS[sys.argv[1]]())
