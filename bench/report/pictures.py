"""The pictures of the pages of figures: SVG that is a part of the page, with its words for screen readers."""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any
from xml.sax.saxutils import escape

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .plots import AHEAD, BEHIND, LEVEL, colour_of, drawing
from .results import TIE, Row, summary

# What a bar stands for: packord's formats, then the others.
SERIES = {
    "plain": "#7a8b99",
    "records": "#c9822b",
    "columns": AHEAD,
    "container file": AHEAD,
    "container file, Java": "#1d6b4c",
    "NDJSON, gzip": "#b9b0a2",
    "NDJSON, zstd": "#8f8574",
    "Avro, deflate": "#6f86b5",
    "Parquet, zstd": "#a0430f",
}
OTHER = "#7a8b99"
# Dots of a lane that would cover each other are moved up or down by these parts of its height.
SHIFTS = (0, 0.12, -0.12, 0.24, -0.24, 0.36, -0.36)
WIDTH = 7.6
# Title, what the bars are, and the bars of each group.
Bars = tuple[str, str, dict[str, dict[str, float]]]


def dots(name: str, rows: Sequence[Row]) -> str:
    """Draws a dot for each row on one logarithmic axis, in a lane for each operation: to the right of 1,
    packord is faster. To the left of a lane are the names of the packages that are ahead in it."""
    lanes: dict[str, list[Row]] = {}
    for row in rows:
        lanes.setdefault(_lane(row), []).append(row)
    figure = Figure(figsize=(WIDTH, 0.8 + 0.42 * len(lanes)), layout="constrained")
    axes = figure.subplots()
    said = []
    for place, (lane, own) in enumerate(lanes.items()):
        for side, members in _by_side(own).items():
            axes.scatter(
                [math.log2(row.ratio) for row in members],
                [place + _shift(own, row) for row in members],
                s=11,
                color=side,
                alpha=0.75,
                linewidths=0,
            )
        behind = [row for row in own if row.ratio < TIE]
        names = ", ".join(dict.fromkeys(row.best_peer for row in behind))
        if behind:
            least = min(row.ratio for row in own)
            axes.annotate(
                names,
                (math.log2(least), place),
                xytext=(-6, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                fontsize=7.5,
            )
        found = summary(own)
        ahead = f"; {names} ahead in {len(behind)}" if behind else ""
        said.append(
            f"{lane}: packord faster in {found.ahead} of {found.rows}, median {found.median:.2f}{ahead}"
        )
    ratios = [row.ratio for row in rows]
    low, high = math.floor(math.log2(min(*ratios, 0.9))), math.ceil(math.log2(max(*ratios, 1.1)))
    axes.set_xlim(low - 2.2 if min(ratios) < TIE else low, high + 0.3)
    axes.set_xticks(range(low, high + 1), [_times(tick) for tick in range(low, high + 1)])
    axes.set_ylim(len(lanes) - 0.4, -0.6)
    axes.set_yticks(range(len(lanes)), list(lanes))
    axes.axvline(0, color="black", linewidth=0.9)
    axes.set_xlabel(
        "← the other package is faster      times as fast as the fastest other      packord is faster →"
    )
    _bare(axes)
    found = summary(list(rows))
    title = (
        f"Speed, {name}: packord is faster in {found.ahead} of {found.rows} rows, median {found.median:.2f}"
    )
    return accessible(figure, title, said)


def bars(title: str, what: str, groups: Mapping[str, Mapping[str, float]]) -> str:
    """Draws a bar for each value of each group, with the values at their ends."""
    height = 0.8 + sum(0.3 + 0.19 * len(values) for values in groups.values())
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    axes = figure.subplots()
    place, ticks = 0.0, []
    for values in groups.values():
        ticks.append(place + (len(values) - 1) / 2)
        for name, value in values.items():
            axes.barh(place, value, height=0.9, color=SERIES.get(name, OTHER))
            label = f" {value:.3g}" if list(values) == [name] else f" {value:.3g} {name}"
            axes.annotate(label, (value, place), va="center", fontsize=7.5)
            place += 1
        place += 1.2
    axes.margins(y=0.01)
    axes.set_xlim(right=1.35 * max(value for values in groups.values() for value in values.values()))
    axes.set_yticks(ticks, list(groups))
    axes.invert_yaxis()
    axes.set_xlabel(what)
    _bare(axes)
    said = [
        f"{group}: {', '.join(f'{name} {value:.3g}' for name, value in values.items())}"
        for group, values in groups.items()
    ]
    return accessible(figure, f"{title} ({what})", said)


def sheet(suites: Sequence[Mapping[str, Any]], inputs: Mapping[str, int]) -> str:
    """Draws how many tests of other packages pass, and how many inputs each recorded run had."""
    figure = Figure(figsize=(WIDTH, 1.6 + 0.27 * (len(suites) + len(inputs))), layout="constrained")
    upper, lower = figure.subplots(2, height_ratios=[len(suites), len(inputs)])
    said = []
    for place, suite in enumerate(suites):
        total = suite["passed"] + suite["failed"]
        share = 100 * suite["passed"] / total
        upper.barh(place, share, color=AHEAD)
        upper.barh(place, 100 - share, left=share, color=BEHIND)
        words = f"{suite['passed']:,} of {total:,}"
        upper.annotate(f" {words}", (100, place), va="center", fontsize=7.5)
        said.append(f"{suite['name']}: {words} tests pass")
    upper.set_yticks(range(len(suites)), [suite["name"] for suite in suites])
    upper.set_xlim(0, 118)
    upper.set_xlabel("tests of other packages that pass with packord in their place, %")
    lower.barh(range(len(inputs)), list(inputs.values()), color=AHEAD)
    for place, count in enumerate(inputs.values()):
        lower.annotate(f" {count:,}", (count, place), va="center", fontsize=7.5)
    lower.set_yticks(range(len(inputs)), list(inputs))
    lower.set_xscale("log")
    lower.set_xlim(right=max(inputs.values()) * 12)
    lower.set_xlabel("inputs of the recorded runs")
    said += [f"{name}: {count:,} inputs" for name, count in inputs.items()]
    for axes in (upper, lower):
        axes.invert_yaxis()
        axes.margins(y=0.02)
        _bare(axes)
    return accessible(figure, "Tests of other packages, and inputs of the recorded runs", said)


def accessible(figure: Figure, title: str, said: Iterable[str]) -> str:
    """Returns the figure as a part of a page: its colours are those of the text around it, and a screen
    reader gets its title and its words."""
    figure.patch.set_visible(False)
    for axes in figure.axes:
        axes.patch.set_visible(False)
    mpl.rcParams["svg.hashsalt"] = title
    svg = drawing(figure)
    # Several pictures are on one page: only what is referred to keeps its name.
    referred = set(re.findall(r"#([\w-]+)", svg))
    svg = re.sub(r' id="([\w-]+)"', lambda own: own[0] if own[1] in referred else "", svg)
    svg = svg.replace("#000000", "currentColor").replace("stroke: black", "stroke: currentColor")
    box = re.search(r'viewBox="[^"]*"', svg)
    body = svg[svg.index(">") + 1 :]
    words = f"<title>{escape(title)}</title><desc>{escape('. '.join(said))}.</desc>"
    xlink = 'xmlns:xlink="http://www.w3.org/1999/xlink"'
    label = escape(f"{title}. {'. '.join(said)}.", {'"': "&quot;"})
    space = f'xmlns="http://www.w3.org/2000/svg" {xlink} {box[0] if box else ""}'
    head = f'<svg {space} role="img" aria-label="{label}">'
    # A line of its own would begin a paragraph of Markdown.
    lines = "".join(line.strip() + " " for line in f"{head}{words}{body}".splitlines())
    return f'<figure class="picture" tabindex="0">{lines.strip()}</figure>'


def _lane(row: Row) -> str:
    """What a row measures: the operation, and the mode where there are several."""
    if row.group == "dynamic":
        operation = row.name.partition(" ")[2]
    elif row.group == "typed":
        operation = re.sub(r" \d+(?: \(.*\))?$", "", row.name)
        operation = re.sub(r"^(?:Value|City|map|record|Vec<\w+>) ", "", operation)
    elif ": " in row.name:
        operation = row.name.rpartition(": ")[2]
    elif row.group == "streams":
        return "streams"
    else:
        operation = next((way for way in ("unpack", "pack", "enc", "dec") if row.name.endswith(way)), "other")
    modes = row.group in ("plain", "records", "shared", "no eval", "no eval, records")
    return f"{row.group}: {operation}" if modes else operation


def _by_side(rows: Iterable[Row]) -> dict[str, list[Row]]:
    sides: dict[str, list[Row]] = {AHEAD: [], LEVEL: [], BEHIND: []}
    for row in rows:
        sides[colour_of(row)].append(row)
    return {side: members for side, members in sides.items() if members}


def _shift(lane: list[Row], row: Row) -> float:
    order = sorted(range(len(lane)), key=lambda at: lane[at].ratio)
    return SHIFTS[order.index(next(at for at, each in enumerate(lane) if each is row)) % len(SHIFTS)]


def _times(power: int) -> str:
    return f"{2**power}" if power >= 0 else f"1/{2**-power}"


def _bare(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.tick_params(length=2)
