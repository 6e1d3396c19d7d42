"""The programs of the README, of docs/records.md and of docs/columns.md print what the pages say.
The lines of docs/security.md set limits.
The table of what is written in the README is that of the vectors, and guides begin with an
import.

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
from spec.vectors.natives import CLOJURE, HAVE, JAVA, JAVASCRIPT, PYTHON, RUST
from spec.vectors.natives import LANGUAGES as WRITERS

from .conftest import cases
from .programs import HERE, LANGUAGES, ROOT, command

BLOCK = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
# Each page, and the example of interop/rust that is its program in Rust, which must be compiled.
PAGES = {"README.md": "readme", "docs/records.md": "store", "docs/columns.md": "columns"}
SUFFIXES = {"js": "mjs", "python": "py", "clojure": "clj", "java": "java"}


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


# Programs around the lines of docs/security.md. They read a message of as many nested arrays as the
# argument says. That in Rust is built already.
LIMITED = {
    "python": """\
import sys
import packord

data = b"\\x91" * int(sys.argv[1]) + b"\\xc0"
LINE
""",
    "js": """\
import { Unpackr } from 'packord';

const bytes = Buffer.from(`${'91'.repeat(process.argv[2])}c0`, 'hex');
LINE
""",
    "clojure": """\
(require '[packord.core :refer [unpack]])

(let [depth (parse-long (first *command-line-args*))
      bytes (byte-array (concat (repeat depth -111) [-64]))]
  LINE)
""",
    "java": """\
import java.util.Arrays;
import packord.Options;
import packord.Unpacker;

class Program {
  public static void main(String[] args) {
    byte[] bytes = new byte[Integer.parseInt(args[0]) + 1];
    Arrays.fill(bytes, (byte) 0x91);
    bytes[bytes.length - 1] = (byte) 0xc0;
    LINE
  }
}
""",
}


@pytest.mark.parametrize("language", ["rust", *LIMITED])
def test_the_lines_of_the_page_on_security_set_limits(language: str, tmp_path: Path) -> None:
    lines = dict(BLOCK.findall((ROOT / "docs/security.md").read_text(encoding="utf-8")))
    assert lines.keys() == {"rust", *LIMITED}
    line = lines[language].strip()
    if language == "rust":
        # rustfmt breaks the line.
        built = (HERE / "rust/examples/limits.rs").read_text(encoding="utf-8")
        assert "".join(line.split()) in "".join(built.split())
        words = [str(ROOT / "rust/target/release/examples/limits")]
    else:
        (tmp_path / "node_modules").mkdir()
        (tmp_path / "node_modules/packord").symlink_to(ROOT / "js")
        file = tmp_path / f"Program.{SUFFIXES[language]}"
        file.write_text(LIMITED[language].replace("LINE", line), encoding="utf-8")
        *java, main, _, _ = command("clojure")
        start = {"python": command("python")[:1], "js": ["node"], "clojure": [*java, main]}
        words = [*start.get(language, java), str(file)]
    for depth, refused in (("32", False), ("33", True)):
        done = subprocess.run([*words, depth], cwd=tmp_path, capture_output=True, text=True)
        said = done.stdout + done.stderr
        assert ("depth_limit at byte 32" in said) == refused, said
        assert refused or done.returncode == 0, said


# The column of each language, and what writes its values.
COLUMNS = ((RUST), (PYTHON,), (JAVASCRIPT,), (CLOJURE, JAVA))
# The kind of the values of each row: a native, or a kind of MessagePack.
WRITTEN = {
    "map, with any keys": "map",
    "set, and other sequences": "set",
    "point in time": "time",
    "date; time of day, duration": "date",
    "decimal": "decimal",
    "UUID": "uuid",
    "struct": "struct",
    "enum constant": "enum",
    "ext without a type": "ext",
    "integer beyond 64 bits": "bigint",
}
BYTES = re.compile(r"`((?:[0-9a-f]{2} ?)+…?)`")
ERROR = re.compile(r"error `(\w+)`")


def writers(kind: str, shown: str) -> set[str]:
    """The languages that write values of this kind as the bytes, or refuse them with this error."""
    found = set()
    for case in cases("defaults"):
        write = case.get("write")
        if not isinstance(write, dict) or "options" in case:
            continue
        outcome = str(case.get("bytes") or case["error"]["kind"])
        wanted = shown.replace(" ", "")
        same = outcome == wanted or wanted.endswith("…") and outcome.startswith(wanted[:-1])
        if kind == write.get("native", next(iter(write))) and same:
            found |= set(case.get("languages", WRITERS))
    return found


def test_the_table_of_what_is_written_is_that_of_the_vectors() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    table = text.split("\n## What is written\n")[1].split("\n\n")[1]
    _, _, *rows = [line.strip("| ").split(" | ") for line in table.splitlines()]
    assert [row[0] for row in rows] == list(WRITTEN)
    for value, *cells, written in rows:
        for cell, languages in zip(cells, COLUMNS, strict=True):
            kind = WRITTEN[value]
            if cell == "–":
                assert not set(languages) & set(HAVE[kind]), (value, languages)
                continue
            shown = (BYTES.search(cell) or ERROR.search(written) or BYTES.search(written))[1]
            found = writers(kind, shown)
            # Both of Clojure and Java; in Rust the cell says it if serde differs.
            wanted = languages[1:] if "serde" in cell else languages
            assert set(wanted) <= found, (value, languages)


# What takes the place of the peer in the first program of its guide.
IMPORTS = {
    "from-clojure-msgpack": "packord.compat.clojure-msgpack",
    "from-msgpack-clj": "packord.compat.msgpack-clj",
    "from-msgpack-msgpack": "packord/msgpack",
    "from-msgpack-python": "packord.compat.msgpack",
    "from-msgpacker": "packord::{MsgPacker",
    "from-msgpackr": "packord/msgpackr",
    "from-msgspec": "packord.compat.msgspec",
    "from-ormsgpack": "packord.compat.ormsgpack",
    # No module has the names of these: packord itself takes their place.
    "from-jsonista-and-transit": "packord.core",
    "from-rmp-serde": "packord::serde",
}


def test_every_guide_begins_with_what_takes_the_place_of_the_peer() -> None:
    guides = {page.stem: page for page in (ROOT / "docs").glob("from-*.md")}
    assert guides.keys() == IMPORTS.keys()
    for name, page in guides.items():
        blocks = BLOCK.findall(page.read_text(encoding="utf-8"))
        first = next(body for language, body in blocks if language != "toml")
        assert IMPORTS[name] in first, name
