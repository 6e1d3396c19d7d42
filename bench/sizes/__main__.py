"""Measures the sizes of all documents, and writes the tables of the pages.

Usage: python -m sizes            prints the tables
       python -m sizes --keep     keeps the figures in sizes/results.json, and writes the pages
       python -m sizes --pages    writes the pages again from these figures
"""

from __future__ import annotations

import json
import sys
from importlib.metadata import version
from pathlib import Path

from sizes import page
from sizes.documents import EXPERIMENT, FURTHER, Document
from sizes.formats import COMPRESSORS, FORMATS, NotATableError, compressed_size

RESULTS = Path(__file__).resolve().parent / "results.json"


def measure(document: Document) -> dict[str, dict[str, int]]:
    """The sizes of a document in each format after each compressor."""
    value = json.loads(document.path.read_bytes())
    found = {}
    for name, encode in FORMATS.items():
        try:
            data = encode(value)
        except NotATableError as error:
            print(f"{document.name}: {name}: {error}", file=sys.stderr)
            continue
        found[name] = {compressor: compressed_size(data, compressor) for compressor in COMPRESSORS}
    return found


def main() -> None:
    """Measures, prints, and keeps."""
    if "--pages" not in sys.argv:
        sizes = {document.name: measure(document) for document in EXPERIMENT + FURTHER}
        versions = {name: version(name) for name in ["pyarrow", "fastavro"]}
        if "--keep" in sys.argv:
            results = {"versions": versions, "sizes": sizes}
            RESULTS.write_text(json.dumps(results, indent=1) + "\n")
    else:
        sizes = page.load(json.loads(RESULTS.read_text()))
    if "--keep" in sys.argv or "--pages" in sys.argv:
        page.update(sizes, check=False)
    else:
        for name, text in page.sections(sizes).items():
            print(f"## {name}\n\n{text}\n")


if __name__ == "__main__":
    main()
