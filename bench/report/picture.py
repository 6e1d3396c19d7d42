"""The picture of the README: packord's speed and that of the fastest other package, in each language."""

from pathlib import Path

from .results import Run, of, rows_of, summary

PICTURE = Path("docs/pictures/speed.svg")
# In pixels: the width, the bars' left end, the length of a ratio of 1, and the height of a language.
WIDTH, LEFT, UNIT, HEIGHT = 720, 110, 220, 50
STYLE = """<style>
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.note { font-size: 12px; fill: #59636e }
.ground { fill: #ffffff }
.other { fill: #afb8c1 }
.own { fill: #2e7d5b }
@media (prefers-color-scheme: dark) {
text { fill: #e6edf3 }
.note { fill: #9da7b3 }
.ground { fill: #0d1117 }
.other { fill: #57606a }
.own { fill: #3fb27f }
}
</style>"""


def draw(runs: dict[str, Run]) -> str:
    """Returns the picture: the median ratio of each language, and in how many rows packord is faster."""
    rows = rows_of(runs)
    lines, said, top = [], [], 44
    for language in dict.fromkeys(row.language for row in rows):
        found = summary(of(rows, language))
        length = round(found.median * UNIT)
        lines += [
            f'<text x="{LEFT - 10}" y="{top + 19}" text-anchor="end">{language}</text>',
            f'<rect class="own" x="{LEFT}" y="{top}" width="{length}" height="16"/>',
            f'<rect class="other" x="{LEFT}" y="{top + 17}" width="{UNIT}" height="8"/>',
            f'<text x="{LEFT + length + 8}" y="{top + 13}">{found.median:.2f}'
            f'<tspan class="note"> faster in {found.ahead} of {found.rows} measurements</tspan></text>',
        ]
        said.append(f"{language} {found.median:.2f}")
        top += HEIGHT
    label = f"Median speed, where the fastest other package has 1: {', '.join(said)}"
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {top}" width="{WIDTH}" '
            f'height="{top}" role="img" aria-label="{label}">',
            STYLE,
            '<rect class="ground" width="100%" height="100%" rx="8"/>',
            f'<text x="{LEFT}" y="26">packord’s speed<tspan class="note"> (median; the grey bar is the '
            "fastest other package, 1)</tspan></text>",
            *lines,
            "</svg>\n",
        ]
    )


def update(root: Path, runs: dict[str, Run], *, check: bool) -> list[str]:
    """Writes the picture, unless `check` is set. Returns its name if it was stale."""
    file = root / PICTURE
    made = draw(runs)
    if file.exists() and file.read_text() == made:
        return []
    if not check:
        file.write_text(made)
    return [PICTURE.as_posix()]
