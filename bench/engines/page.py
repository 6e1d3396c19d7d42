"""The figures as tables of Markdown, for the page about the speed of container files."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from engines.forms import FORMS
from report import text

markdown = partial(text.markdown, figures=True)
Results = dict[str, Any]
BASE = "NDJSON, zstd"
ENGINES = ["DuckDB", "Polars", "Spark", "Python"]
NAMES = {
    "whole": "the whole table",
    "column": "one column",
    "ordered": "1 % of the rows, by an ordered column",
    "scattered": "1 % of the rows, by another column",
}


def seconds_of(results: Results, **wanted: Any) -> float | None:
    """The median of the measurement with these properties, if there is one."""
    for each in results["measured"]:
        if all(each[key] == value for key, value in wanted.items()):
            return each.get("seconds")
    return None


def bench(results: Results, data: str, task: str, engines: list[str]) -> str:
    """Times by form and engine, and how many times faster they are than NDJSON with zstd."""
    forms = [*FORMS]
    if any(each["form"].endswith("Java") for each in results["measured"]):
        forms.insert(1, "container file, Java")
    engines = [engine for engine in engines if _has(results, data, task, engine)]
    rows = []
    for form in forms:
        cells = [form]
        for engine in engines:
            wanted = {"data": data, "task": task, "engine": engine, "threads": 2}
            found = seconds_of(results, form=form, **wanted)
            base = seconds_of(results, form=BASE, **wanted)
            cells.append("–" if found is None else f"{found:,.3f} s{_times(found, base)}")
        if any(cell != "–" for cell in cells[1:]):
            rows.append(cells)
    return markdown([NAMES[task], *engines], rows)


def _has(results: Results, data: str, task: str, engine: str) -> bool:
    return seconds_of(results, data=data, task=task, engine=engine, form="container file") is not None


def _times(found: float, base: float | None) -> str:
    return "" if base is None else f" ({base / found:.1f}×)"


def sizes(results: Results) -> str:
    """Bytes of each form, and rates of writing."""
    names = [data["name"] for data in results["data"] if data["generated"]]
    rows = []
    for form in ["NDJSON", *FORMS]:
        cells = [form]
        for data in results["data"]:
            if data["name"] in names:
                size = data["size"] if form == "NDJSON" else data["sizes"].get(form)
                cells.append("–" if size is None else f"{size / 1e6:,.1f} MB")
                spent = data["writing"].get(form)
                cells.append("–" if spent is None else f"{data['size'] / 1e6 / spent:,.0f} MB/s")
        rows.append(cells)
    head = ["form"]
    for name in names:
        head += [f"{name}, size", "written at"]
    return markdown(head, rows)


def threads(results: Results) -> str:
    """One thread, compared with two."""
    rows = []
    for form in ["container file", "Parquet, zstd"]:
        for engine in ENGINES[:3]:
            wanted = {"data": "events", "task": "whole", "engine": engine, "form": form}
            one, two = (seconds_of(results, threads=count, **wanted) for count in (1, 2))
            if one is not None and two is not None:
                rows.append([f"{form}, {engine}", f"{one:,.3f} s", f"{two:,.3f} s", f"{one / two:.2f}×"])
    spent = next(data["writing"] for data in results["data"] if data["name"] == "events")
    if "container file, 1 thread" in spent:
        one, two = spent["container file, 1 thread"], spent["container file"]
        rows.append(["writing a container file", f"{one:,.3f} s", f"{two:,.3f} s", f"{one / two:.2f}×"])
    return markdown(["the whole table", "1 thread", "2 threads", "faster"], rows)


def public(results: Results, engine: str) -> str:
    """The public tables: times of reading the whole as multiples of the container file's."""
    rows, ratios = [], {form: [] for form in FORMS}
    for data in results["data"]:
        if data["generated"]:
            continue
        wanted = {"data": data["name"], "task": "whole", "engine": engine, "threads": 2}
        own = seconds_of(results, form="container file", **wanted)
        if own is None:
            continue
        cells = [data["name"], f"{own * 1e3:,.1f} ms"]
        for form in list(FORMS)[1:]:
            found = seconds_of(results, form=form, **wanted)
            cells.append("–" if found is None else f"{found / own:.2f}")
            if found is not None:
                ratios[form].append(found / own)
        rows.append(cells)
    means = [f"{_mean(ratios[form]):.2f}" if ratios[form] else "–" for form in list(FORMS)[1:]]
    rows.append(["geometric mean", "", *means])
    return markdown([f"{engine}, container file = 1", "container file", *list(FORMS)[1:]], rows)


def _mean(ratios: list[float]) -> float:
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def about(results: Results) -> str:
    """What was measured, and with what."""
    data = {each["name"]: each for each in results["data"]}
    versions = ", ".join(f"{name} {number}" for name, number in results["versions"].items())
    return (
        f"Measured on {results['date']} on {results['machine']}: {data['events']['size'] / 1e6:,.0f} MB "
        f"of NDJSON with {data['events']['rows']:,} events, and {data['irregular']['size'] / 1e6:,.0f} MB "
        f"with {data['irregular']['rows']:,} irregular rows; medians of {results['rounds']} rounds, "
        f"interleaved, files in the cache of the system; NDJSON and Avro of these two once. {versions}."
    )


def pictures(results: Results) -> dict[str, tuple[str, str, dict[str, dict[str, float]]]]:
    """The pictures of the page by name: title, what the bars are, and the bars."""
    found = {}
    for data in ("events", "irregular"):
        for task in NAMES:
            bars = {}
            for engine in ENGINES:
                wanted = {"data": data, "task": task, "engine": engine, "threads": 2}
                seconds = {form: seconds_of(results, form=form, **wanted) for form in FORMS}
                bars[engine] = {form: value for form, value in seconds.items() if value is not None}
            bars = {engine: values for engine, values in bars.items() if values}
            if bars:
                found[f"{data}-{task}"] = (f"{data}, {NAMES[task]}", "seconds; shorter is faster", bars)
    return found


def sections(results: Results) -> dict[str, str]:
    """The parts of the page by name."""
    every = {f"events-{task}": bench(results, "events", task, ENGINES) for task in NAMES}
    for task in ("whole", "column", "ordered"):
        every[f"irregular-{task}"] = bench(results, "irregular", task, ENGINES)
    return {
        **every,
        "about": about(results),
        "sizes": sizes(results),
        "threads": threads(results),
        "public-duckdb": public(results, "DuckDB"),
        "public-polars": public(results, "Polars"),
        "scaling": results["scaling"],
    }
