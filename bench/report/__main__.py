"""`python -m report VERB`, run in the folder `bench`.

`measure`: measures how cost grows, into out/bench-growth.json (QUICK=1 for a rough run).
`html`: writes out/bench.json and out/bench.html from the files of the benchmarks, and prints the overview.
`keep`: copies the benchmarks in out/bench.json to bench/results.json, where those that did not run keep their
figures, and updates the picture of speed.
`pages`: writes the pages of figures, which the site has, into out/figures.
`footprint`: measures what the Rust crate takes of a program and of the time to build it, and writes the table
of its README.
`peers`: asks the registries for newer versions of the packages that packord is compared with.
`check`: exit 1 if the table of the crate's README or the picture of speed differs from the results.
"""

import dataclasses
import json
import os
import sys
from pathlib import Path

from . import evidence as evidence_page
from . import footprint as footprint_table
from . import growth, pages, picture, results, tables
from . import peers as peer_versions

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

    runs = results.collect(ROOT)
    if not runs:
        print("no benchmark has run yet: run `make bench`", file=sys.stderr)
        return 1
    points = growth.load(OUT / "bench-growth.json")
    report = {"schema": 2, "runs": _plain(runs), "growth": [dataclasses.asdict(point) for point in points]}
    (OUT / "bench.json").write_text(json.dumps(report, indent=1) + "\n")
    (OUT / "bench.html").write_text(page.render(runs, points))
    print(f"\n{tables.overview(results.rows_of(runs))}\n")
    for name in results.SOURCES:
        if name not in runs:
            print(f"not measured: {name}")
    print(f"Open the report in a browser: {OUT / 'bench.html'}")
    return 0


def keep() -> int:
    report = json.loads((OUT / "bench.json").read_text())
    runs = json.loads(KEPT.read_text())["runs"] | report["runs"]
    for run in runs.values():
        run["rows"] = [_rounded(row) for row in run["rows"]]
    growth_points = report["growth"] or json.loads(KEPT.read_text())["growth"]
    kept = json.dumps({"schema": 2, "runs": runs, "growth": growth_points}, separators=(",", ":"))
    KEPT.write_text(kept.replace('{"language"', '\n{"language"') + "\n")
    print("updated:", ", ".join(picture.update(ROOT, _kept(), check=False)) or "nothing")
    return 0


def figures() -> int:
    folder = OUT / "figures"
    folder.mkdir(parents=True, exist_ok=True)
    for name, page in pages.all_pages(_sources()).items():
        (folder / name).write_text(page)
    return 0


def footprint() -> int:
    footprint_table.measure(ROOT)
    print("updated:", ", ".join(footprint_table.update(ROOT, check=False)) or "nothing")
    return 0


def peers() -> int:
    try:
        known = [*peer_versions.pinned(ROOT), *peer_versions.suites(ROOT)]
        print(peer_versions.table(known, peer_versions.newest(known, ROOT, peer_versions.ask)))
    except peer_versions.NotFoundError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


def check() -> int:
    commands = {
        "make bench-keep": picture.update(ROOT, _kept(), check=True),
        "make footprint": footprint_table.update(ROOT, check=True),
    }
    for command, stale in commands.items():
        for name in stale:
            print(f"{name} differs from its results; `{command}` updates it")
    return 1 if any(commands.values()) else 0


def _plain(runs: dict[str, results.Run]) -> dict[str, object]:
    return {name: dataclasses.asdict(run) for name, run in runs.items()}


def _rounded(row: dict[str, object]) -> dict[str, object]:
    """Returns the row with five significant digits, which is more than a second run would confirm."""

    def short(value: object) -> object:
        if isinstance(value, float):
            return float(f"{value:.5g}")
        if isinstance(value, dict):
            return {key: short(item) for key, item in value.items()}
        return value

    return {key: short(value) for key, value in row.items()}


def _sources() -> evidence_page.Sources:
    return evidence_page.Sources(ROOT, _kept())


def _kept() -> dict[str, results.Run]:
    runs = json.loads(KEPT.read_text())["runs"]
    return {
        name: results.Run(run["facts"], [results.Row(**row) for row in run["rows"]], run["versions"])
        for name, run in runs.items()
    }


VERBS = {
    "measure": measure,
    "html": html,
    "keep": keep,
    "pages": figures,
    "footprint": footprint,
    "peers": peers,
    "check": check,
}

if __name__ == "__main__":
    if len(sys.argv) != 2 or sys.argv[1] not in VERBS:
        sys.exit(__doc__)
    sys.exit(VERBS[sys.argv[1]]())
