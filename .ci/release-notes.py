#!/usr/bin/env python3
"""Prints what the release page says: the section of CHANGELOG.md about the version of the file VERSION.

    .ci/release-notes.py [FOLDER]    with the downloads that a folder has, by system and by use

Exit 1: there is no such section, or the text has more than 40 lines with all downloads.
"""

import re
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
LINES = 40
# Libraries are in the registries of their languages.
DOWNLOADS = {
    "Linux, x86-64": "packord-{}-x86_64-unknown-linux-musl.tar.gz",
    "Linux, ARM": "packord-{}-aarch64-unknown-linux-musl.tar.gz",
    "Debian and Ubuntu, x86-64": "packord_{}_amd64.deb",
    "Debian and Ubuntu, ARM": "packord_{}_arm64.deb",
    "macOS, Apple silicon": "packord-{}-aarch64-apple-darwin.tar.gz",
    "macOS, Intel": "packord-{}-x86_64-apple-darwin.tar.gz",
    "Windows": "packord-{}-x86_64-pc-windows-msvc.zip",
    "test vectors, for other implementations": "packord-vectors-{}.tar.gz",
    "bill of materials": "packord-{}.cdx.json",
    "checksums of all artefacts": "SHA256SUMS",
}


def notes(changelog: str, version: str) -> str:
    """Returns the section with the heading `## VERSION`, which may have brackets and a date."""
    heading = rf"^## \[?{re.escape(version)}\]?(?: [^\n]*)?$"
    found = re.search(heading + r"(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    return found[1].strip() if found else ""


def downloads(version: str, folder: Path | None = None) -> str:
    """The downloads that a folder has, or all of them."""
    rows = [(who, name.format(version)) for who, name in DOWNLOADS.items()]
    lines = [f"| {who} | `{name}` |" for who, name in rows if folder is None or (folder / name).is_file()]
    return "\n".join(["", "| the command-line tool and more | download |", "|---|---|", *lines])


def main() -> int:
    version = (ROOT / "VERSION").read_text("ascii").strip()
    text = notes((ROOT / "CHANGELOG.md").read_text("utf-8"), version)
    if not text:
        print(f"CHANGELOG.md has no section {version}: give Unreleased this name.", file=sys.stderr)
        return 1
    # With all downloads, so that nothing is published before this is checked.
    if (length := f"{text}\n{downloads(version)}".count("\n") + 1) > LINES:
        print(f"the text of the release has {length} lines, more than {LINES}.", file=sys.stderr)
        return 1
    print(f"{text}\n{downloads(version, Path(sys.argv[1]))}" if sys.argv[1:] else text)
    return 0


if __name__ == "__main__":
    sys.exit(main())
