"""`.ci/release-notes` prints the section of one version of the changelog."""

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


def notes(root: Path, version: str) -> subprocess.CompletedProcess[str]:
    (root / ".ci").mkdir(exist_ok=True)
    shutil.copy(CI / "release-notes", root / ".ci")
    (root / "VERSION").write_text(f"{version}\n")
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    return subprocess.run(
        [sys.executable, root / ".ci/release-notes"],
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
