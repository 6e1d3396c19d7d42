"""`.ci/release-notes.py` prints the section of one version of the changelog."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]
CHANGELOG = """# Changelog

## Unreleased

- Later.

## [1.2.3] - 2026-01-02

### Added

- A thing.

## 1.2.30

- Another.
"""


def notes(
    root: Path, version: str, *words: str | Path, changelog: str = CHANGELOG
) -> subprocess.CompletedProcess[str]:
    (root / ".ci").mkdir(exist_ok=True)
    shutil.copy(CI / "release-notes.py", root / ".ci")
    (root / "VERSION").write_text(f"{version}\n")
    (root / "CHANGELOG.md").write_text(changelog)
    return subprocess.run(
        [sys.executable, root / ".ci/release-notes.py", *words],
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.parametrize(
    ("version", "text"),
    [("1.2.3", "### Added\n\n- A thing.\n"), ("1.2.30", "- Another.\n")],
)
def test_prints_the_section_of_the_version(
    tmp_path: Path, version: str, text: str
) -> None:
    assert notes(tmp_path, version).stdout == text


def test_refuses_a_version_without_a_section(tmp_path: Path) -> None:
    done = notes(tmp_path, "1.2")
    assert (done.returncode, done.stdout) == (1, "")
    assert (
        done.stderr == "CHANGELOG.md has no section 1.2: give Unreleased this name.\n"
    )


def test_lists_the_downloads_that_are_there(tmp_path: Path) -> None:
    release = tmp_path / "release"
    release.mkdir()
    for name in (
        "packord_1.2.3_amd64.deb",
        "packord-1.2.3-x86_64-pc-windows-msvc.zip",
        "packord-vectors-1.2.3.tar.gz",
        # Libraries are in the registries of their languages.
        *("packord-1.2.3.tar.gz", "packord-1.2.3.tgz", "packord-1.2.3.crate"),
    ):
        (release / name).touch()
    lines = notes(tmp_path, "1.2.3", release).stdout.splitlines()
    assert lines[3:] == [
        "",
        "| the command-line tool and more | download |",
        "|---|---|",
        "| Debian and Ubuntu, x86-64 | `packord_1.2.3_amd64.deb` |",
        "| Windows | `packord-1.2.3-x86_64-pc-windows-msvc.zip` |",
        "| test vectors, for other implementations | `packord-vectors-1.2.3.tar.gz` |",
    ]


@pytest.mark.parametrize(("lines", "code"), [(27, 0), (28, 1)])
def test_refuses_more_than_a_page(tmp_path: Path, lines: int, code: int) -> None:
    text = "## 1.2.3\n\n" + "- A thing.\n" * lines
    done = notes(tmp_path, "1.2.3", changelog=text)
    assert done.returncode == code
    said = "the text of the release has 41 lines, more than 40.\n"
    assert done.stderr == (said if code else "")


def test_the_changelog_fits_with_all_downloads() -> None:
    """What is written in it now, as the next release will have it."""
    text = (CI.parent / "CHANGELOG.md").read_text("utf-8").split("\n## ")[1]
    section = text.strip().splitlines()[1:]
    assert 10 < len(section) + 13 <= 40
