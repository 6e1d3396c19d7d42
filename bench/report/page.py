"""The report as one HTML page that loads nothing else."""

from pathlib import Path

import jinja2

from . import plots
from .growth import Point
from .results import SOURCES, TIE, Row, Run, facts_of, of, rows_of, summary


def render(runs: dict[str, Run], points: list[Point]) -> str:
    """Returns the page."""
    rows = rows_of(runs)
    environment = jinja2.Environment(loader=jinja2.FileSystemLoader(Path(__file__).parent), autoescape=True)
    kinds = ("size", "depth") if points else ()
    growth = [plots.growth(points, kind, what) for kind in kinds for what in ("read", "pack", "peak")]
    return environment.get_template("page.html.j2").render(
        tie=TIE,
        facts=facts_of(runs, rows),
        languages=[_language(name, rows) for name in plots.COLOURS if of(rows, name)],
        missing=[name for name in SOURCES if name not in runs],
        points=points,
        growth=growth,
    )


def _language(name: str, rows: list[Row]) -> dict[str, object]:
    own = of(rows, name)
    groups = []
    for group in dict.fromkeys(row.group for row in own):
        members = of(own, name, group)
        contenders = dict.fromkeys(contender for row in members for contender in (*row.peers, *row.others))
        shown = [{"name": row.name, "own": row.own, "times": {**row.peers, **row.others}} for row in members]
        groups.append(
            {"name": group, "plot": plots.ratios(members), "peers": list(contenders), "rows": shown}
        )
    sized = {}
    for row in own:
        if row.sizes:
            document = row.name.removesuffix(" unpack").removesuffix(" pack").rsplit(", ", 1)[0]
            sized.setdefault(document, row)
    sizes = [{"name": document, "plot": plots.sizes(row)} for document, row in sized.items()]
    return {"name": name, "summary": summary(own), "groups": groups, "sizes": sizes}
