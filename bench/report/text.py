"""Tables as text, and their places: `{{ NAME }}` in templates of pages, and in pages that are kept between
`<!-- bench: NAME -->` and `<!-- /bench -->`."""

import re
from collections.abc import Callable
from pathlib import Path

PLACE = re.compile(r"\{\{ (?P<name>[^}]+) \}\}")
BLOCK = re.compile(r"(<!-- bench: (?P<name>[\w -]+) -->\n).*?(<!-- /bench -->)", re.DOTALL)


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


def fill(text: str, draw: Callable[[str], str]) -> str:
    """Replaces what is between the marks of a page by what `draw` returns for each name."""
    return BLOCK.sub(lambda block: f"{block[1]}{draw(block['name'])}\n{block[3]}", text)


def update(root: Path, page: Path, draw: Callable[[str], str], *, check: bool) -> list[str]:
    """Fills a page, unless `check` is set. Returns its name if it was stale."""
    text = (root / page).read_text()
    filled = fill(text, draw)
    if filled == text:
        return []
    if not check:
        (root / page).write_text(filled)
    return [page.as_posix()]
