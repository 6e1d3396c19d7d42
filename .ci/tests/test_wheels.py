"""`.ci/test-wheels.py` finds the CPython of each wheel, and installs what its tests import."""

import ast
import importlib.machinery
import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

ROOT = Path(__file__).resolve().parents[2]
TESTS = ROOT / "python/tests"


@pytest.fixture
def program() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader(
        "test_wheels_program", str(ROOT / ".ci/test-wheels.py")
    )
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader(loader.name, loader)
    )
    loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("tags", "version"),
    [
        ("cp312-cp312-manylinux_2_17_x86_64.manylinux2014_x86_64", "3.12"),
        ("cp314-cp314t-musllinux_1_2_aarch64", "3.14t"),
        ("cp310-cp310-win_amd64", "3.10"),
    ],
)
def test_knows_the_version_of_a_wheel(
    program: ModuleType, tags: str, version: str
) -> None:
    assert program.version_of(Path(f"packord-0.1.0-{tags}.whl")) == version


def test_installs_what_the_tests_import(program: ModuleType) -> None:
    own = {path.stem for path in TESTS.glob("*.py")} | {"packord"}
    imported = set()
    for path in [
        TESTS / "conftest.py",
        *(TESTS / f"test_{name}.py" for name in program.TESTS),
    ]:
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                imported |= {alias.name.split(".")[0] for alias in node.names}
            elif isinstance(node, ast.ImportFrom):
                imported.add((node.module or "").split(".")[0])
    installed = {"attr", "attrs", *(name.replace("-", "_") for name in program.NEEDED)}
    assert imported - own - installed - set(sys.stdlib_module_names) == set()
    # Windows has not all of the standard library.
    assert imported & {"resource", "fcntl", "pty", "termios"} == set()


def test_symbols_do_not_depend_on_the_folder(tmp_path: Path) -> None:
    """Cargo's hash of a crate outside of the workspace has its path."""
    folder, link = tmp_path / "folder", tmp_path / "link"
    (folder / ".ci").mkdir(parents=True)
    shutil.copy(ROOT / ".ci/rustc.sh", folder / ".ci")
    link.symlink_to(folder)
    crate = {
        "CARGO_PKG_NAME": "packord-python",
        "CARGO_PKG_VERSION": "1.2.3",
        "CARGO_CRATE_NAME": "_packord",
    }
    command = "src/lib.rs -C metadata={} -C extra-filename=-4"

    def words(root: Path, manifest: Path) -> str:
        return subprocess.run(
            [root / ".ci/rustc.sh", "echo", *command.format("0123").split()],
            env={**os.environ, **crate, "CARGO_MANIFEST_DIR": str(manifest)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()

    for root in (folder, link):
        own = command.format("packord-python-1.2.3-_packord")
        assert words(root, folder / "python") == own
        assert words(root, Path("/registry/libc")) == command.format("0123")
    for used in (".ci/wheels.sh", ".github/workflows/release.yml"):
        assert re.search(
            r"RUSTC_WRAPPER=\S+/\.ci/rustc\.sh", (ROOT / used).read_text("utf-8")
        )
