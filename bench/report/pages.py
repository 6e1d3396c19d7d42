"""The pages of figures, which only the site has: the templates in `bench/pages`, filled from the results.

A place of a template is a table by its name, `fold: NAME` for a table that a click unfolds, or
`picture: NAME`.
"""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from engines import page as engines_page
from sizes import page as sizes_page

from . import evidence, experiment, pictures, tables, text
from .results import Run

TEMPLATES = Path(__file__).resolve().parents[1] / "pages"
SIZES = Path("bench/sizes/results.json")


def made(name: str, part: Callable[[str], str], picture: Callable[[str], str]) -> str:
    """Returns a page: `part` returns what a place says, and `picture` draws it."""

    def draw(place: str) -> str:
        kind, _, rest = place.partition(": ")
        if kind == "picture":
            return picture(rest)
        return text.folded("The figures as a table", part(rest)) if kind == "fold" else part(place)

    return text.made((TEMPLATES / name).read_text(), draw)


def survey(runs: dict[str, Run]) -> str:
    """Returns the page about speed."""
    return made(
        "survey.md",
        lambda name: tables.table(name, runs),
        lambda name: pictures.dots(name, tables.rows(name, runs)),
    )


def _with_bars(name: str, parts: dict[str, str], bars: dict[str, pictures.Bars]) -> str:
    return made(name, parts.__getitem__, lambda place: pictures.bars(*bars[place]))


def columns_sizes(sizes: sizes_page.Sizes) -> str:
    """Returns the page about the sizes of columns."""
    return _with_bars("columns-sizes.md", sizes_page.sections(sizes), sizes_page.pictures(sizes))


def containers_speed(results: engines_page.Results) -> str:
    """Returns the page about the speed of container files."""
    return _with_bars("containers-speed.md", engines_page.sections(results), engines_page.pictures(results))


def json_figures(results: dict[str, Any]) -> str:
    """Returns the page about MessagePack and JSON."""
    return made(
        "json-figures.md",
        lambda name: experiment.table(name, results),
        lambda name: pictures.bars(*experiment.picture(results)),
    )


def evidence_page(sources: evidence.Sources) -> str:
    """Returns the page of evidence."""
    return made(
        "evidence.md",
        lambda name: evidence.part(sources, name),
        lambda name: pictures.sheet(sources.suites(), evidence.inputs_of_runs(sources)),
    )


def all_pages(sources: evidence.Sources) -> dict[str, str]:
    """Returns the pages by their names."""

    def kept(name: Path) -> Any:
        return json.loads((sources.root / name).read_text())

    return {
        "survey.md": survey(sources.runs),
        "json-figures.md": json_figures(sources.experiment()),
        "columns-sizes.md": columns_sizes(sizes_page.load(kept(SIZES))),
        "containers-speed.md": containers_speed(kept(evidence.ENGINES)),
        "evidence.md": evidence_page(sources),
    }
