"""The licences that `.ci/dependencies.py` writes are those of all that is linked in."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = {"packord-cli": ROOT / "rust", "packord-python": ROOT / "python"}
# Of libraries in C, by the crate that contains each.
LIBRARIES = {
    "packord-cli": {"zstd-sys": "Meta Platforms", "tikv-jemalloc-sys": "Jason Evans"},
    "packord-python": {"zstd-sys": "Meta Platforms"},
}
PERMISSION = "Permission is hereby granted"


def output(*words: str | Path, cwd: Path) -> str:
    return subprocess.run(
        words, cwd=cwd, check=True, capture_output=True, encoding="utf-8"
    ).stdout


@pytest.fixture(params=FOLDERS)
def crate(request: pytest.FixtureRequest) -> str:
    return request.param


@pytest.fixture
def notices(crate: str, tmp_path: Path) -> str:
    file = tmp_path / "notices.txt"
    subprocess.run(
        [sys.executable, ROOT / ".ci/dependencies.py", "notices", crate, file],
        check=True,
    )
    return file.read_text("utf-8")


def linked(crate: str) -> set[tuple[str, str]]:
    """What cargo says is linked in, on any system, by name and version."""
    words = (
        "cargo",
        "tree",
        "--locked",
        "--package",
        crate,
        "--edges",
        "normal",
        "--target",
        "all",
        "--prefix",
        "none",
    )
    lines = output(*words, cwd=FOLDERS[crate]).splitlines()
    found = {
        (words[0], words[1].removeprefix("v"))
        for line in lines
        if (words := line.split())
    }
    return {
        (name, version) for name, version in found if not name.startswith("packord")
    }


def test_names_each_crate_with_its_text(crate: str, notices: str) -> None:
    crates = linked(crate)
    assert len(crates) > 10
    assert {
        (name, version)
        for name, version in crates
        if f"\n{name} {version} (" not in f"\n{notices}"
    } == set()


def test_has_the_text_of_each_library_in_c(crate: str, notices: str) -> None:
    metadata = json.loads(
        output(
            "cargo", "metadata", "--locked", "--format-version", "1", cwd=FOLDERS[crate]
        )
    )
    crates = linked(crate)
    found = {}
    for package in metadata["packages"]:
        folder = Path(package["manifest_path"]).parent
        if (package["name"], package["version"]) not in crates or not any(
            folder.rglob("*.c")
        ):
            continue
        texts = [
            path.read_text("utf-8").strip()
            for path in folder.rglob("*")
            if re.fullmatch(r"(LICEN[CS]E|COPYING)[\w.-]*", path.name)
            and path.parent != folder
        ]
        # That of the GPL is not the one that is chosen.
        for text in (
            text for text in texts if "GNU GENERAL PUBLIC LICENSE" not in text
        ):
            found[package["name"]] = text
            assert text in notices, package["name"]
    assert {
        name: holder in found[name] for name, holder in LIBRARIES[crate].items()
    } == dict.fromkeys(LIBRARIES[crate], True)
    assert "GNU GENERAL PUBLIC LICENSE" not in notices


def test_has_those_of_the_standard_library(crate: str, notices: str) -> None:
    blocks = notices.split("-" * 80)
    own = [
        block
        for block in blocks
        if block.strip().startswith("Rust's standard library\n")
    ]
    assert any(PERMISSION in block for block in own) and any(
        "Apache License" in block for block in own
    )
    assert any("hashbrown-" in block and PERMISSION in block for block in blocks)
    # The programs for Linux are static.
    assert any("Rich Felker" in block and PERMISSION in block for block in blocks) == (
        crate == "packord-cli"
    )
