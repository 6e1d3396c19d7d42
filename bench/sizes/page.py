"""The figures as tables of Markdown."""

from __future__ import annotations

import math
from functools import partial
from typing import Any

from report import text
from sizes.documents import EXPERIMENT, FURTHER, Document

COLUMNAR = ["Parquet", "Parquet, zstd within", "Arrow IPC", "Arrow IPC, zstd within", "Avro"]
markdown = partial(text.markdown, figures=True)
# After these compressors, columns are compared with the better of plain and records.
COMPARED = ["gzip 6", "zstd 3"]
WORSE = 1.01

# A document, a format and a compressor: bytes. A format that a document does not have is absent.
Sizes = dict[str, dict[str, dict[str, int]]]


def ratio(sizes: Sizes, document: str, form: str, compressor: str) -> float:
    """The share of JSON after the same compressor."""
    found = sizes[document]
    return found[form][compressor] / found["JSON"][compressor]


def mean(ratios: list[float]) -> float:
    """The geometric mean."""
    return math.exp(sum(map(math.log, ratios)) / len(ratios))


def means(sizes: Sizes, documents: list[Document], forms: list[str]) -> str:
    """Geometric means by format and compressor."""
    compressors = list(sizes[documents[0].name]["JSON"])
    rows = []
    for form in forms:
        cells = [
            f"{mean([ratio(sizes, document.name, form, compressor) for document in documents]):.3f}"
            for compressor in compressors
        ]
        rows.append([form, *cells])
    return markdown(["JSON = 1", *compressors], rows)


def tables_of(sizes: Sizes, documents: list[Document]) -> list[Document]:
    """The documents that all formats can hold."""
    return [document for document in documents if all(form in sizes[document.name] for form in COLUMNAR)]


def each(sizes: Sizes, documents: list[Document]) -> str:
    """Each document after gzip 6 and zstd 3."""
    head = ["document", "JSON", "columns, raw"]
    head += [f"{form}, {compressor}" for compressor in COMPARED for form in ["plain", "records", "columns"]]
    rows = []
    for document in documents:
        size = sizes[document.name]["JSON"]["raw"]
        cells = [
            document.name,
            f"{size / 1e3:,.0f} kB",
            f"{ratio(sizes, document.name, 'columns', 'raw'):.2f}",
        ]
        for compressor in COMPARED:
            ratios = {f: ratio(sizes, document.name, f, compressor) for f in ["plain", "records", "columns"]}
            least = min(ratios.values())
            cells += [f"**{found:.3f}**" if found == least else f"{found:.3f}" for found in ratios.values()]
        rows.append(cells)
    return markdown(head, rows)


def columnar(sizes: Sizes, documents: list[Document]) -> str:
    """Each table in columnar formats after zstd 3."""
    forms = ["plain", "records", "columns", *COLUMNAR]
    rows = []
    for document in tables_of(sizes, documents):
        ratios = [ratio(sizes, document.name, form, "zstd 3") for form in forms]
        least = min(ratios)
        cells = [f"**{found:.3f}**" if found == least else f"{found:.3f}" for found in ratios]
        rows.append([document.name, *cells])
    return markdown(["JSON = 1, zstd 3", *forms], rows)


def losses(sizes: Sizes, documents: list[Document]) -> str:
    """Where columns are more than 1 % larger than the better of plain and records."""
    lines = []
    for document in documents:
        for compressor in COMPARED:
            found = sizes[document.name]
            better = min(found["plain"][compressor], found["records"][compressor])
            factor = found["columns"][compressor] / better
            if factor > WORSE:
                percent = f"{100 * (factor - 1):.1f} %"
                lines.append(
                    f"- {document.name} with {compressor}, {percent} larger: {document.cause or '?'}."
                )
    return "\n".join(lines) or "There is none."


def larger_than_json(sizes: Sizes, documents: list[Document]) -> str:
    """Where columns are larger than JSON after the same compressor."""
    found = [
        f"{document.name} with {compressor} ({ratio(sizes, document.name, 'columns', compressor):.3f})"
        for document in documents
        for compressor in sizes[document.name]["JSON"]
        if ratio(sizes, document.name, "columns", compressor) >= 1
    ]
    return ", ".join(found) or "none"


def sections(sizes: Sizes) -> dict[str, str]:
    """The parts of the page by name."""
    everything = EXPERIMENT + FURTHER
    tables = tables_of(sizes, everything)
    own = ["plain", "records", "columns"]
    names = ", ".join(document.name for document in tables)
    return {
        "means-experiment": means(sizes, EXPERIMENT, own),
        "means-further": means(sizes, FURTHER, own),
        "means-tables": f"{len(tables)} tables: {names}.\n\n" + means(sizes, tables, [*own, *COLUMNAR]),
        "each": each(sizes, everything),
        "columnar": columnar(sizes, everything),
        "losses": losses(sizes, everything),
        "larger": f"Larger than JSON, of {len(everything)} documents: {larger_than_json(sizes, everything)}.",
    }


def pictures(sizes: Sizes) -> dict[str, tuple[str, str, dict[str, dict[str, float]]]]:
    """The pictures of the page by name: title, what the bars are, and the bars."""
    own = ["plain", "records", "columns"]
    every = EXPERIMENT + FURTHER
    tables = tables_of(sizes, every)
    what = "share of JSON after the same compressor; shorter is smaller"

    def mean_of(documents: list[Document], form: str, compressor: str) -> float:
        return mean([ratio(sizes, document.name, form, compressor) for document in documents])

    return {
        "means": (
            f"Sizes of {len(every)} documents, geometric means",
            what,
            {each: {form: mean_of(every, form, each) for form in own} for each in ["raw", *COMPARED]},
        ),
        "columnar": (
            f"Sizes of {len(tables)} tables after zstd 3, geometric means",
            what,
            {form: {form: mean_of(tables, form, "zstd 3")} for form in [*own, *COLUMNAR]},
        ),
        "each": (
            "Sizes of each document after zstd 3",
            what,
            {each.name: {form: ratio(sizes, each.name, form, "zstd 3") for form in own} for each in every},
        ),
    }


def load(results: dict[str, Any]) -> Sizes:
    """The sizes of a file of results."""
    sizes: Sizes = results["sizes"]
    return sizes
