"""Tables as text."""


def markdown(head: list[str], rows: list[list[str]]) -> str:
    """Returns a table of Markdown."""
    lines = [head, ["---"] * len(head), *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
