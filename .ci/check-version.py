#!/usr/bin/env python3
"""Checks that every manifest has the version of the file VERSION. Exit 1: one has not; a line names each.

.ci/check-version.py [TAG]    checks the tag of a release too, v and the version, and that no page still says
                           what is true only before the first one
"""

import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
POM = r"<artifactId>{}</artifactId>\s*<version>([^<]+)</version>"
CHILDREN = (
    *("jvm/core", "jvm/container", "jvm/connect", "jvm/connect/runtime-tests", "jvm/spark"),
    *("jvm/jackson", "jvm/kafka", "jvm/kafka/broker-tests", "jvm/cljs-tests", "jvm/bench", "interop/clojure"),
)
# Where each manifest keeps the version; a missing manifest is not an error.
MANIFESTS = {
    "rust/Cargo.toml": r'^version = "([^"]+)"',
    "python/pyproject.toml": r'^version = "([^"]+)"',
    "js/package.json": r'^  "version": "([^"]+)"',
    "jvm/pom.xml": POM.format("packord-parent"),
    **{f"{folder}/pom.xml": POM.format("packord-parent") for folder in CHILDREN},
}
# What is true only before the first release. The lines below in a page say how to install from a checkout.
COMMAND = "# not published yet: the README of the repository installs from a checkout"
BEFORE = {
    "CHANGELOG.md": "Nothing has been published before it",
    "README.md": "Neither the packages nor the site is published yet",
    "docs/start.md": "The packages are not published yet",
    "js/README.md": COMMAND,
    "jvm/README.md": "None of these artifacts is published yet",
    "jvm/connect/README.md": "It is not published yet",
    "jvm/spark/README.md": "It is not published yet",
    "python/README.md": COMMAND,
    "rust/packord/README.md": COMMAND,
    "rust/packord-cli/README.md": COMMAND,
}


def wrong_versions(want: str) -> list[str]:
    wrong = []
    for name, pattern in MANIFESTS.items():
        path = ROOT / name
        if not path.exists():
            continue
        match = re.search(pattern, path.read_text("utf-8"), re.MULTILINE)
        found = match[1] if match else "none"
        if found != want:
            wrong.append(f"{name}: version {found}, VERSION says {want}")
    return wrong


def outdated() -> list[str]:
    pages = {name: ROOT / name for name in BEFORE}
    return [
        f'{name}: still says "{BEFORE[name]}"'
        for name, path in pages.items()
        if path.exists() and BEFORE[name] in path.read_text("utf-8")
    ]


def main() -> int:
    want = (ROOT / "VERSION").read_text("ascii").strip()
    wrong = wrong_versions(want)
    if sys.argv[1:]:
        wrong += [] if sys.argv[1:] == [f"v{want}"] else [f"tag {sys.argv[1]}: VERSION says {want}"]
        wrong += outdated()
    print("\n".join(wrong) if wrong else f"version {want} everywhere")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
