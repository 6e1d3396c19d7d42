#!/usr/bin/env python3
"""Writes the vector files, or says whether they are up to date.

    python3 -m spec.vectors.generate            write all files
    python3 -m spec.vectors.generate --check    exit 1 and name the files that differ

Needs Python 3.10 or newer and nothing else.
"""

from __future__ import annotations

import argparse
import json
import sys
from importlib import import_module
from pathlib import Path

from .generator.verify import LARGEST, complete_and_verify, size

ROOT = Path(__file__).resolve().parent
# A module of ``generator`` for each class.
CLASSES = [
    import_module(f".generator.{name}", __package__)
    for name in (
        *(
            "valid",
            "invalid",
            "stream",
            "stream_faults",
            "records",
            "notation_texts",
            "typed_targets",
            "defaults",
        ),
        *("columns", "container", "hostile"),
    )
]


def documents() -> dict[Path, dict]:
    """Every vector file's content, with derived members filled in and verified."""
    found: dict[Path, dict] = {}
    wrong: list[str] = []
    for module in CLASSES:
        names: set[str] = set()
        for topic in module.topics():
            path = ROOT / topic.kind / f"{topic.topic}.json"
            if path in found:
                raise ValueError(f"two topics write {path}")
            for case in topic.cases:
                if case["name"] in names:
                    raise ValueError(f"{topic.kind}: two cases are named {case['name']}")
                names.add(case["name"])
                if size(case) > LARGEST:
                    continue
                try:
                    complete_and_verify(topic.kind, case)
                except Exception as error:
                    wrong.append(f"{topic.kind}/{topic.topic}: {case['name']}: {error!r}")
            found[path] = topic.document()
    if wrong:
        raise SystemExit("\n".join(wrong))
    return found


def render(document: dict) -> str:
    """JSON with one case a line."""

    def line(value: object) -> str:
        return json.dumps(value, ensure_ascii=True, separators=(", ", ": "))

    head = [f"  {line(key)}: {line(value)}," for key, value in document.items() if key != "cases"]
    cases = ",\n".join("    " + line(case) for case in document["cases"])
    return "\n".join(["{", *head, '  "cases": [', cases, "  ]", "}", ""])


def main() -> int:
    parser = argparse.ArgumentParser(description="Write the vector files.")
    parser.add_argument("--check", action="store_true", help="write nothing; exit 1 on a difference")
    arguments = parser.parse_args()
    contents = {path: render(document) for path, document in documents().items()}
    present = {path for module in CLASSES for path in (ROOT / module.KIND).glob("*.json")}
    stale = sorted(present - contents.keys())
    for path, text in contents.items():
        if not path.exists() or path.read_text("ascii") != text:
            stale.append(path)
            if not arguments.check:
                path.parent.mkdir(exist_ok=True)
                path.write_text(text, "ascii")
    if not arguments.check:
        for path in present - contents.keys():
            path.unlink()
        cases = sum(text.count('{"name": ') for text in contents.values())
        size = sum(map(len, contents.values()))
        print(f"{len(contents)} files, {cases} cases, {size} bytes")
        return 0
    for path in stale:
        print(f"out of date: {path.relative_to(ROOT)}", file=sys.stderr)
    return 1 if stale else 0


if __name__ == "__main__":
    sys.exit(main())
