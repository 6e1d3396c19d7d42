"""Tables as text, and their places: `{{ NAME }}` in templates of pages."""

import re
from collections.abc import Callable

PLACE = re.compile(r"\{\{ (?P<name>[^}]+) \}\}")


def markdown(head: list[str], rows: list[list[str]], *, figures: bool = False) -> str:
    """Returns a table of Markdown. Where it has figures, all columns but the first are to the right."""
    rule = ["---"] + ["--:" if figures else "---"] * (len(head) - 1)
    return "\n".join(f"| {' | '.join(line)} |" for line in [head, rule, *rows])


def made(template: str, draw: Callable[[str], str]) -> str:
    """Returns a page from its template, with what `draw` returns for each name."""
    return PLACE.sub(lambda place: draw(place["name"]), template)


def folded(summary: str, table: str) -> str:
    """Returns a table that a click unfolds."""
    return f'<details markdown="1">\n<summary>{summary}</summary>\n\n{table}\n\n</details>'
