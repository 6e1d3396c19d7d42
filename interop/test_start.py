"""The programs of the five-minute start do what the page says, where a reader runs them."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from .programs import HERE, ROOT, command

PAGE = (ROOT / "docs/start.md").read_text(encoding="utf-8")
TOOL = ROOT / "rust/target/debug/packord"
SIZE = 38
LANGUAGES = ["Command line", "Python", "JavaScript", "Rust", "Clojure", "Java"]
# A section of the page, and a block of it: a name of a file, a language, and what is in it.
SECTION = re.compile(r"^## ([^\n]+)\n(.*?)(?=^## |\Z)", re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"(?:^`([^`\n]+)`:\n\n)?^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
BLOCKS = {name: BLOCK.findall(body) for name, body in SECTION.findall(PAGE)}
TEAM = next(body for _, language, body in BLOCK.findall(PAGE) if language == "json")
PRINTED = next(body for _, language, body in BLOCK.findall(PAGE) if language == "text")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "team.json").write_text(TEAM, encoding="utf-8")
    (tmp_path / "node_modules").mkdir()
    (tmp_path / "node_modules/packord").symlink_to(ROOT / "js")
    return tmp_path


def run(words: list[str], folder: Path) -> str:
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def program(name: str, folder: Path) -> tuple[str, str]:
    """Writes the program of a section. Returns its path, and the line that runs it."""
    [(path, source)] = [
        (file, body) for file, _, body in BLOCKS[name] if file and not file.endswith(".edn")
    ]
    (folder / path).parent.mkdir(exist_ok=True, parents=True)
    (folder / path).write_text(source, encoding="utf-8")
    *_, last = [body.strip() for _, language, body in BLOCKS[name] if language == "sh"]
    return path, last


def test_the_page_has_a_section_for_each_language() -> None:
    assert list(BLOCKS)[: len(LANGUAGES)] == LANGUAGES


@pytest.mark.parametrize("name", LANGUAGES[1:])
def test_a_program_of_the_page_packs_the_file(name: str, folder: Path) -> None:
    path, last = program(name, folder)
    assert name == "Rust" or path in last
    where = folder
    match name:
        case "Python":
            words = [command("python")[0], path]
        case "JavaScript":
            words = ["node", path]
        case "Rust":
            # It is built already, from the same source.
            built = (HERE / "rust/examples/team.rs").read_text(encoding="utf-8")
            assert built.split("\n\n", 1)[1] == (folder / path).read_text(encoding="utf-8")
            words, where = [str(ROOT / "rust/target/release/examples/team")], folder / "team"
            where.mkdir()
        case "Clojure":
            *words, _, _ = command("clojure")
            words.append(path)
        case _:
            # The classes of packord alone, as in its jar.
            words = [
                shutil.which("java") or "java",
                "-cp",
                str(HERE / "clojure/target/classes"),
                path,
            ]
    assert run(words, where) == PRINTED
    assert PRINTED.startswith(f"{SIZE} bytes")
    assert (folder / "team.msgpack").stat().st_size == SIZE
    assert "Grace" in run([str(TOOL), "get", "$.users[1].name", "team.msgpack"], folder)


def test_the_commands_of_the_page_pack_the_file(folder: Path) -> None:
    [(_, _, body)] = BLOCKS["Command line"]
    install, *commands = body.strip().splitlines()
    assert install.startswith("cargo install --path packord/")
    printed = [
        run([str(TOOL), *line.removeprefix("packord ").split()], folder) for line in commands
    ]
    assert (folder / "team.msgpack").stat().st_size == SIZE
    assert printed[1] == TEAM.replace(": ", ":").replace(", ", ",")
    assert "Grace" in printed[2]


def test_what_is_installed_is_where_the_page_says() -> None:
    """The folders of the commands that install, and the version of the jar."""
    version = (ROOT / "VERSION").read_text(encoding="ascii").strip()
    folders = re.findall(r"packord/((?:rust|js|python|jvm)[\w/-]*)", PAGE)
    assert len(folders) > 5
    for folder in folders:
        assert (ROOT / folder).exists(), folder
    assert set(
        re.findall(r"packord/packord \{:mvn/version \"([^\"]+)\"|packord-([\d.]+)\.jar", PAGE)
    ) == {
        (version, ""),
        ("", version),
    }
