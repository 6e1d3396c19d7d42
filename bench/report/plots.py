"""The report's plots, as SVG that is part of the page."""

import io
import math
from collections.abc import Sequence

import matplotlib as mpl
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from .growth import Point
from .results import TIE, Row

mpl.use("svg")
# Text is kept as text, so that it can be searched and copied. A fixed salt makes equal plots equal bytes.
mpl.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "packord", "font.size": 9})

COLOURS = {"Rust": "#b7410e", "Python": "#3670a0", "JavaScript": "#9a8700", "Clojure": "#4c8f2f"}
AHEAD, LEVEL, BEHIND = "#2e7d5b", "#9a9a9a", "#c0504d"


def ratios(rows: Sequence[Row]) -> str:
    """Draws a bar for each row: the fastest peer's time divided by packord's, on a logarithmic axis."""
    figure = Figure(figsize=(9, 0.6 + 0.2 * len(rows)), layout="constrained")
    axes = figure.subplots()
    values = [row.ratio for row in rows]
    # Bars start at 1 on the logarithmic axis, so that their length shows the distance from a tie.
    axes.barh(range(len(rows)), [math.log2(r) for r in values], color=[colour_of(row) for row in rows])
    axes.set_yticks(range(len(rows)), [f"{row.group} {row.name}".strip() for row in rows])
    axes.invert_yaxis()
    axes.margins(y=0.01)
    lowest, highest = min(*values, 0.9), max(*values, 1.1)
    ticks = range(math.floor(math.log2(lowest)), math.ceil(math.log2(highest)) + 1)
    axes.set_xticks(list(ticks), [f"{2.0**tick:g}" for tick in ticks])
    axes.axvline(0, color="black", linewidth=0.8)
    for index, row in enumerate(rows):
        axes.annotate(
            f"{row.ratio:.2f} {row.best_peer}",
            (max(math.log2(row.ratio), 0), index),
            xytext=(3, 0),
            textcoords="offset points",
            va="center",
            fontsize=7,
        )
    axes.set_xlabel("time of the fastest peer / packord's time")
    _bare(axes)
    return drawing(figure)


def sizes(row: Row) -> str:
    """Draws a bar for each contender: the number of bytes that it writes."""
    names = sorted(row.sizes, key=lambda name: row.sizes[name])
    figure = Figure(figsize=(9, 0.6 + 0.25 * len(names)), layout="constrained")
    axes = figure.subplots()
    own = [AHEAD if name.startswith("packord") else LEVEL for name in names]
    axes.barh(names, [row.sizes[name] for name in names], color=own)
    axes.invert_yaxis()
    axes.set_xlabel("bytes")
    _bare(axes)
    return drawing(figure)


def growth(points: Sequence[Point], kind: str, what: str) -> str:
    """Draws a line for each language: `what` of a point against the document's size or depth."""
    figure = Figure(figsize=(9, 3.6), layout="constrained")
    axes = figure.subplots()
    value = {
        "read": lambda point: point.bytes / point.read,
        "pack": lambda point: point.bytes / point.pack,
        "peak": lambda point: point.peak / point.bytes,
    }[what]
    for language, colour in COLOURS.items():
        own = [point for point in points if point.language == language and point.kind == kind]
        across = [point.bytes if kind == "size" else point.at for point in own]
        axes.plot(across, [value(point) for point in own], "o-", color=colour, label=language)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("bytes of MessagePack" if kind == "size" else "levels of nesting, in 1 MB")
    labels = {"read": "MB/s, reading", "pack": "MB/s, packing", "peak": "peak memory / bytes"}
    axes.set_ylabel(labels[what])
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False, ncols=4)
    _bare(axes)
    return drawing(figure)


def colour_of(row: Row) -> str:
    """Returns the colour of a row by whether packord is ahead in it."""
    return AHEAD if row.ratio >= 1 else LEVEL if row.ratio >= TIE else BEHIND


def _bare(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)


def drawing(figure: Figure) -> str:
    """Returns the figure as SVG."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata=dict.fromkeys(("Creator", "Date", "Format", "Type")))
    svg = text.getvalue()
    return svg[svg.index("<svg") :]
