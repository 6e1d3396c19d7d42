"""The page of figures about MessagePack and JSON, from the results of `make experiment KEEP=1`."""

import json
from pathlib import Path
from typing import Any

from . import text

KEPT = Path("bench/experiment/results.json")
# What the page shows of the compressors; the file has more.
SHOWN = ["raw", "gzip 6", "zstd 3"]
SMALL = "many small messages"


def load(file: Path) -> dict[str, Any]:
    """Returns the figures of a file."""
    return json.loads(file.read_text())


def shares(results: dict[str, Any], form: str) -> dict[str, dict[str, float]]:
    """Returns the sizes of a form as shares of JSON: by document, by compressor."""
    return {each["document"]: each["shares"][form] for each in results["documents"] if each["kind"] != SMALL}


def size(count: int) -> str:
    """Returns a number of bytes in kB or MB."""
    return f"{count / 1e3:.1f} kB" if count < 1_000_000 else f"{count / 1e6:.2f} MB"


def _sizes(documents: list[dict[str, Any]], compressors: list[str]) -> str:
    forms = list(dict.fromkeys(form for each in documents for form in each["shares"]))
    rows = []
    for each in documents:
        for compressor in compressors:
            found = [each["shares"][form].get(compressor) for form in forms]
            if any(share is not None for share in found):
                cells = ["–" if share is None else f"{share:.2f}" for share in found]
                rows.append([f"{each['document']}, {size(each['json'])}", compressor, *cells])
    return text.markdown(["document", "compressor", *forms], rows, figures=True)


def _times(documents: list[dict[str, Any]]) -> str:
    names = list(documents[0]["times"])
    rows = []
    for each in documents:
        small = ", one by one" if each["kind"] == SMALL else ""
        rows.append([f"{each['document']}{small}", *(f"{each['times'][name]:.2f}" for name in names)])
    return text.markdown(["document", *names], rows, figures=True)


def table(name: str, results: dict[str, Any]) -> str:
    """Returns a table of the page."""
    documents = results["documents"]
    small = [each for each in documents if each["kind"] == SMALL]
    return {
        "sizes": lambda: _sizes([each for each in documents if each not in small], SHOWN),
        "small messages": lambda: _sizes(small, [*SHOWN, "zstd 3, dictionary"]),
        "times": lambda: _times(documents),
    }[name]()


def picture(results: dict[str, Any]) -> tuple[str, str, dict[str, dict[str, float]]]:
    """Returns the title of the picture of the page, what its bars are, and the bars."""
    forms = ("MessagePack", "records", "columns")
    bars = {
        each["document"]: {form: each["shares"][form]["gzip 6"] for form in forms}
        for each in results["documents"]
        if each["kind"] != SMALL
    }
    return "Sizes of each document after gzip 6", "share of JSON after gzip 6; shorter is smaller", bars
