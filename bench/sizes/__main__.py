"""Measures the sizes of all documents.

Usage: python -m sizes            prints the tables
       python -m sizes --keep     keeps the figures in sizes/results.json, for the page of the site
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
    sizes = {document.name: measure(document) for document in EXPERIMENT + FURTHER}
    for name, text in page.sections(sizes).items():
        print(f"## {name}\n\n{text}\n")
    if "--keep" in sys.argv:
        versions = {name: version(name) for name in ["pyarrow", "fastavro"]}
        RESULTS.write_text(json.dumps({"versions": versions, "sizes": sizes}, indent=1) + "\n")


if __name__ == "__main__":
    main()
