"""What `.ci/package.py` refuses, and that it replaces a folder whole or not at all."""

import hashlib
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]
FILES = {
    "VERSION": "1.2.3\n",
    ".gitignore": "/out/\n",
    "rust/Cargo.toml": '[workspace.package]\nversion = "1.2.3"\n',
    "spec/vectors/archive.py": "import sys\nopen(f'{sys.argv[1]}/vectors-1.2.3.tar.gz', 'w').write('vectors')\n",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with the scripts and as little else as they need."""
    root = tmp_path / "project"
    for name, text in FILES.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text)
    (root / ".ci").mkdir()
    for name in ("package.py", "check-version.py"):
        shutil.copy(CI / name, root / ".ci")
    git(root, "init", "--quiet")
    commit(root)
    # What was packaged before must outlive a failure.
    (root / "out/package").mkdir(parents=True)
    (root / "out/package/before").write_text("before")
    # The programs that the script finds; a test adds more.
    (tmp_path / "bin").mkdir()
    for program in ("git", "sh"):
        (tmp_path / "bin" / program).symlink_to(shutil.which(program))
    return root


def git(root: Path, *words: str) -> None:
    name = ("-c", "user.name=a", "-c", "user.email=a@example.com")
    subprocess.run(["git", *name, *words], cwd=root, check=True, capture_output=True)


def commit(root: Path) -> None:
    git(root, "add", "--all")
    git(root, "commit", "--quiet", "--message", "a commit")


def package(root: Path, *parts: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, root / ".ci/package.py", *parts],
        env={**os.environ, "PATH": str(root.parent / "bin")},
        capture_output=True,
        text=True,
        check=False,
    )


def kept(root: Path) -> bool:
    """Whether the folder is as before, with nothing beside it."""
    return [path.name for path in root.glob("out/*")] == ["package"] and [
        path.name for path in root.glob("out/package/*")
    ] == ["before"]


def test_replaces_the_folder_by_a_new_one_with_checksums(project: Path) -> None:
    done = package(project, "vectors")
    assert (done.returncode, done.stderr) == (0, "")
    folder = project / "out/package"
    assert sorted(path.name for path in folder.iterdir()) == [
        "SHA256SUMS",
        "vectors-1.2.3.tar.gz",
    ]
    line = f"{hashlib.sha256(b'vectors').hexdigest()}  vectors-1.2.3.tar.gz\n"
    assert (folder / "SHA256SUMS").read_text() == done.stdout == line
    assert [path.name for path in (project / "out").iterdir()] == ["package"]


@pytest.mark.parametrize("name", ["VERSION", "new.txt"])
def test_refuses_changes_that_are_not_committed(project: Path, name: str) -> None:
    with (project / name).open("a") as file:
        file.write("\n")
    done = package(project, "vectors")
    assert done.returncode == 1
    assert done.stderr == (
        "package: the tree has changes that are not committed: commit or remove them first.\n"
    )
    assert kept(project)


def test_refuses_a_manifest_with_another_version(project: Path) -> None:
    (project / "rust/Cargo.toml").write_text('[workspace.package]\nversion = "1.2.4"\n')
    commit(project)
    done = package(project, "vectors")
    assert done.returncode == 1
    assert (
        done.stderr == "package: rust/Cargo.toml: version 1.2.4, VERSION says 1.2.3.\n"
    )
    assert kept(project)


@pytest.mark.parametrize(
    ("part", "sentence"),
    [
        (
            "crates",
            "missing: cargo. Install a Rust toolchain, 1.88 or newer (rustup.rs).",
        ),
        ("npm", "missing: node. Install Node.js 20 or newer (nodejs.org)."),
        (
            "maven",
            "missing: javac. Install a JDK (17 or newer) and Maven (Debian: default-jdk maven).",
        ),
        (
            "eggs",
            "no part is called eggs: the parts are crates, python, npm, maven, tool, vectors, sbom.",
        ),
    ],
)
def test_refuses_without_a_toolchain(project: Path, part: str, sentence: str) -> None:
    done = package(project, "vectors", part)
    assert (done.returncode, done.stderr) == (1, f"package: {sentence}\n")
    assert kept(project)


def test_leaves_nothing_of_a_build_that_fails(project: Path) -> None:
    cargo = project.parent / "bin/cargo"
    cargo.write_text("#!/bin/sh\nexit 7\n")
    cargo.chmod(0o755)
    done = package(project, "vectors", "crates")
    assert done.returncode == 1
    assert done.stderr == "package: cargo package failed: nothing is packaged.\n"
    assert kept(project)
