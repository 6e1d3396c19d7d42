"""The page of evidence, from results in the repository.

A claim of the README is in `bench/claims.json`, in exactly its words. Each has an entry in `CLAIMS`: the
command that shows it, and a function that finds the date and the figures of its last run. Runs that write no
file of their own are recorded in `bench/runs.json`. The words between the tables are in `pages/evidence.md`.
"""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from . import experiment
from .peers import pinned
from .results import Run, of, rows_of, summary
from .text import markdown

README = Path("README.md")
STATED = Path("bench/claims.json")
RUNS = Path("bench/runs.json")
DIFFERENCES = Path("bench/differences.json")
SIZES = Path("bench/sizes/results.json")
ENGINES = Path("bench/engines/results.json")


@dataclasses.dataclass(frozen=True)
class Sources:
    """All that the page is made from."""

    root: Path
    runs: dict[str, Run]

    def recorded(self) -> dict[str, dict[str, str]]:
        """Returns the recorded runs by name."""
        return {run["name"]: run for run in self._json(RUNS)["runs"]}

    def suites(self) -> list[dict[str, Any]]:
        """Returns the results of the suites of other packages."""
        return self._json(RUNS)["suites"]

    def differences(self) -> list[dict[str, Any]]:
        """Returns what each language refuses, or writes with other bytes than it has read."""
        return self._json(DIFFERENCES)

    def engines(self) -> dict[str, Any] | None:
        """Returns the figures of `make bench-engines KEEP=1`, if there are any."""
        return self._json(ENGINES) if (self.root / ENGINES).exists() else None

    def sizes(self) -> dict[str, dict[str, dict[str, int]]]:
        """Returns the sizes of `make sizes`: document, form, compressor."""
        return self._json(SIZES)["sizes"]

    def experiment(self) -> dict[str, Any]:
        """Returns the figures of `make experiment KEEP=1`."""
        return self._json(experiment.KEPT)

    def _json(self, name: Path) -> Any:
        return json.loads((self.root / name).read_text())


@dataclasses.dataclass(frozen=True)
class Found:
    """When something was last run, and what was found."""

    date: str
    figures: str


def _recorded(*names: str) -> Callable[[Sources], Found]:
    """Returns what finds the recorded runs of these names: their dates, and in short the results of each."""

    def find(sources: Sources) -> Found:
        runs = [sources.recorded()[name] for name in names]
        dates = ", ".join(dict.fromkeys(run["date"] for run in runs))
        return Found(dates, "; ".join(run["short"] for run in runs))

    return find


def _speed(sources: Sources) -> Found:
    """For each language: the rows, and those where packord is faster than the fastest peer."""
    rows = rows_of(sources.runs)
    figures = []
    for language in dict.fromkeys(row.language for row in rows):
        found = summary(of(rows, language))
        figures.append(f"{language} {found.ahead} of {found.rows} rows (median {found.median:.2f})")
    dates = sorted({run.facts.rpartition(" ")[2] for run in sources.runs.values()})
    return Found(" to ".join(dict.fromkeys((dates[0], dates[-1]))), f"faster in: {'; '.join(figures)}")


def _sample(sources: Sources) -> Found:
    """The sizes of the sample document of `make run`, with the gzip that everybody has."""
    sizes = sources.sizes()["airports"]
    json_sizes = sizes["JSON"]
    figures = []
    for form in ("plain", "records", "columns"):
        raw, gzipped = (sizes[form][by] / json_sizes[by] for by in ("raw", "gzip 6"))
        figures.append(f"{form} {raw:.3f}, gzipped {gzipped:.3f}")
    found = f"airports, {experiment.size(json_sizes['raw'])} of JSON: {'; '.join(figures)}"
    return Found("each `make sizes`", found)


def _drop_ins(sources: Sources) -> Found:
    """How many tests of other packages pass with packord in place of the package."""
    suites = sources.suites()
    figures = [
        f"{each['passed']:,} of {each['passed'] + each['failed']:,} of {each['name']}" for each in suites
    ]
    return Found(max(each["date"] for each in suites), f"tests that pass: {', '.join(figures)}")


def _vectors(sources: Sources) -> Found:
    """The number of the vectors in this checkout."""
    files = [
        file
        for file in (sources.root / "spec/vectors").glob("*/*.json")
        if not file.parent.name.startswith(".")
    ]
    count = sum(len(json.loads(file.read_text()).get("cases", [])) for file in files)
    return Found("every `make test`", f"more than {count // 1000},000 cases")


def _every_test(figures: str) -> Callable[[Sources], Found]:
    return lambda sources: Found("every `make test`", figures)


# Each claim of the README: the command that shows it, and what finds its figures.
CLAIMS: dict[str, tuple[str, Callable[[Sources], Found]]] = {
    "agree": ("make test-exhaustive", _recorded("exhaustive", "columns")),
    "smaller": ("make sizes", _sample),
    "faster": ("make bench", _speed),
    "safe": ("make test-exhaustive", _recorded("hostile")),
    "round trip": (
        "make test-interop",
        _every_test("the programs are run as they are in the README, and print the lines below them"),
    ),
    "names": ("make suites", _drop_ins),
    "vectors": ("make test-spec", _vectors),
}


def claims_of(root: Path) -> dict[str, str]:
    """Returns the claims of the README by name."""
    readme = plain((root / README).read_text())
    claims: dict[str, str] = json.loads((root / STATED).read_text())
    for name, words in claims.items():
        if words not in readme:
            raise ValueError(f"{README} does not have the words of the claim “{name}” of {STATED}")
    return claims


def plain(text: str) -> str:
    """Returns the text in one line and without links, whose targets are those of another folder."""
    return " ".join(re.sub(r"(?<!!)\[([^\]]*)\]\([^)]*\)", r"\1", text).split())


def _claims(sources: Sources) -> str:
    rows = []
    for name, words in claims_of(sources.root).items():
        if name not in CLAIMS:
            raise ValueError(f"{STATED} has the claim “{name}”, and bench/report/evidence.py does not")
        command, find = CLAIMS[name]
        found = find(sources)
        rows.append(
            [words, f"`{command}`" if command.startswith("make ") else command, found.date, found.figures]
        )
    return markdown(["claim", "shown by", "last run", "what was found"], rows)


def _runs(sources: Sources, names: str) -> str:
    recorded = sources.recorded()
    rows = [
        [
            run["date"],
            f"`{run['command']}`" if run["command"].split()[0] in ("make", "cargo") else run["command"],
        ]
        + [run["what"], run["found"]]
        for run in (recorded[name] for name in names.split(", "))
    ]
    return markdown(["date", "command", "what was run", "what was found"], rows)


def _differences(sources: Sources) -> str:
    rows = []
    for each in sources.differences():
        counts = [str(each[key]) for key in ("messages", "refused", "changed", "explained")]
        reasons = "; ".join(f"{reason}: {count}" for reason, count in each["reasons"].items())
        rows.append([each["face"], *counts, reasons])
    return markdown(["", "messages", "refused", "changed", "of these the language's", "for what"], rows)


def _suites(sources: Sources) -> str:
    rows = []
    for each in sources.suites():
        result = f"{each['passed']} of {each['passed'] + each['failed']} pass"
        if each["pending"]:
            result += f", {each['pending']} more do not run"
        if each["note"]:
            result += f"; {each['note']}"
        rows.append(
            [f"{each['name']} {each['version']}, {each['files']}", each["part"], each["date"], result]
        )
    return markdown(["suite", "what takes part in place of what", "date", "result"], rows)


def _by_run(sources: Sources) -> str:
    """A line for each benchmark: where and when it ran, and its summary."""
    rows = []
    for name, run in sources.runs.items():
        found = summary(run.rows)
        counts = [str(count) for count in (found.rows, found.ahead, found.level, found.behind)]
        rows.append([name, run.facts, *counts, f"{found.median:.2f}"])
    return markdown(["benchmark", "run", "rows", "faster", "level", "slower", "median ratio"], rows)


def _containers(sources: Sources) -> str:
    results = sources.engines()
    page = "[speed of container files](containers-speed.md)"
    if results is None:
        return f"`make bench-engines KEEP=1` measures {page}. No run is recorded yet."
    forms = ("container file", "NDJSON, zstd", "Parquet, zstd")
    wanted = {"data": "events", "task": "whole", "threads": 2}
    measured = [
        each
        for each in results["measured"]
        if each.get("seconds") is not None and all(each.get(key) == value for key, value in wanted.items())
    ]
    seconds = {(each["engine"], each["form"]): each["seconds"] for each in measured}
    rows = [
        [engine, *(f"{seconds[engine, form]:.2f} s" if (engine, form) in seconds else "–" for form in forms)]
        for engine in dict.fromkeys(each["engine"] for each in measured)
    ]
    return (
        f"`make bench-engines KEEP=1` measures {page}, last on {results['date']}. To read all events:\n\n"
        + markdown(["engine", *forms], rows)
    )


def _peers(sources: Sources) -> str:
    """The pinned versions of the benchmarks' peers."""
    return ", ".join(f"{peer.name.rpartition(':')[2]} {peer.pinned}" for peer in pinned(sources.root))


PARTS: dict[str, Callable[[Sources], str]] = {
    "claims": _claims,
    "differences": _differences,
    "suites": _suites,
    "speed": _by_run,
    "peers": _peers,
    "containers": _containers,
}


def part(sources: Sources, name: str) -> str:
    """Returns a part of the page by its name."""
    if name.startswith("runs: "):
        return _runs(sources, name.removeprefix("runs: "))
    return PARTS[name](sources)


def inputs_of_runs(sources: Sources) -> dict[str, int]:
    """Returns the largest number of inputs that each recorded run says, with its date."""
    found = {}
    for run in sources.recorded().values():
        said = f"{run.get('short', '')} {run['found']}"
        counts = [int(number.replace(",", "")) for number in re.findall(r"\d{1,3}(?:,\d{3})+", said)]
        if counts:
            found[f"{run['name']}, {run['date']}"] = max(counts)
    return found
