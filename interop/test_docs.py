"""The programs of the README, of docs/records.md and of docs/columns.md print what the pages say.

A page has blocks of programs, each in one of the four languages. A block of text is the output of
every program between it and the previous block of text. The programs run in order, in one folder.
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path
from typing import NamedTuple

import pytest

from programs import HERE, LANGUAGES, ROOT, command

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Each page, and the example of interop/rust that is its program in Rust, which must be compiled.
PAGES = {"README.md": "readme", "docs/records.md": "store", "docs/columns.md": "columns"}
SUFFIXES = {"js": "mjs", "python": "py", "clojure": "clj"}


class Program(NamedTuple):
    """A program of a page, and what the page says that it prints."""

    language: str
    source: str
    printed: str


def programs_of(page: str) -> list[Program]:
    """Returns the programs of a page in their order."""
    found: list[Program] = []
    waiting: list[tuple[str, str]] = []
    for language, body in BLOCK.findall(page):
        if language in LANGUAGES:
            waiting.append((language, body))
        elif language == "text":
            found += [Program(*program, body) for program in waiting]
            waiting = []
    assert not waiting, "the output of the last programs is missing"
    return found


@pytest.mark.parametrize("page", PAGES)
def test_the_programs_of_a_page_print_what_it_says(page: str, tmp_path: Path) -> None:
    programs = programs_of((ROOT / page).read_text(encoding="utf-8"))
    assert sorted(program.language for program in programs) == sorted(LANGUAGES)
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/packord").symlink_to(ROOT / "js")
    for language, source, printed in programs:
        done = subprocess.run(
            runner(language, source, PAGES[page], tmp_path),
            cwd=tmp_path,
            capture_output=True,
            text=True,
            env={**os.environ, "NO_COLOR": "1"},
        )
        assert done.returncode == 0, done.stderr
        assert done.stdout == printed, language


def runner(language: str, source: str, example: str, folder: Path) -> list[str]:
    """Returns the command that runs a program. That in Rust is built already."""
    if language == "rust":
        built = (HERE / f"rust/examples/{example}.rs").read_text(encoding="utf-8")
        assert built.split("\n\n", 1)[1] == source, f"examples/{example}.rs differs from the page"
        return [str(ROOT / "rust/target/release/examples" / example)]
    file = folder / f"program.{SUFFIXES[language]}"
    file.write_text(source, encoding="utf-8")
    if language == "js":
        return ["node", str(file)]
    if language == "python":
        return [command("python")[0], str(file)]
    *java, _, _ = command("clojure")
    return [*java, str(file)]
