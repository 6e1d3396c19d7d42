#!/usr/bin/env python3
"""Installs wheels, each into its CPython, and tests them away from the sources.

    .ci/test-wheels.py [FOLDER [INTERPRETER…]]

FOLDER is out/wheels. Without interpreters, each wheel of it has its own: python3.N in PATH or in pyenv. With
them, pip chooses the wheel for each. The tests are those that need no framework, and those of the syntax of
newer versions; then eight threads change and pack the same objects for PACKORD_THREAD_SECONDS (60).
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TESTS = (
    *("abuse", "properties", "records", "streams", "typed", "typed_classes", "typed_lax", "typed_names"),
    *("values", "vectors"),
)
NEEDED = (
    *("annotated-types", "attrs", "hypothesis", "msgspec", "numpy", "pydantic", "pytest"),
    *("python-dateutil", "typing_extensions"),
)
PROGRAMS = "Scripts" if os.name == "nt" else "bin"


def run(*words: str | Path, cwd: Path) -> None:
    subprocess.run(words, cwd=cwd, check=True)


def version_of(wheel: Path) -> str:
    """The version of CPython that a wheel is for: 3.12, 3.14t."""
    return re.sub(r".*-cp3(\d+t?)-[^-]+\.whl", r"3.\1", wheel.name)


def interpreter_of(version: str) -> str:
    pyenv = Path(os.environ.get("PYENV_ROOT", Path.home() / ".pyenv"), "versions")
    for candidate in (f"python{version}", *sorted(pyenv.glob(f"{version}.*/bin/python"))):
        # A shim of pyenv is there for versions that are not chosen.
        if (found := shutil.which(candidate)) and not subprocess.run(
            [found, "-c", ""], capture_output=True, check=False
        ).returncode:
            return found
    sys.exit(f"test-wheels: CPython {version} is not installed.")


def test(interpreter: str, wheels: Path, folder: Path) -> None:
    run(interpreter, "-m", "venv", folder / "venv", cwd=folder)
    python = folder / "venv" / PROGRAMS / "python"
    pip = (python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*pip, "--only-binary", ":all:", *NEEDED, cwd=folder)
    run(*pip, "--no-index", "--only-binary", "packord", "--find-links", wheels, "packord", cwd=folder)
    # The links lead to what is beside the sources.
    shutil.copytree(ROOT / "python/tests", folder / "python/tests")
    here = folder / "python"
    run(python, "-VV", cwd=here)
    run(python, "-m", "pytest", "-q", "-rs", "-p", "no:cacheprovider",
        *(f"tests/test_{name}.py" for name in TESTS), cwd=here)  # fmt: skip
    run(python, "tests/threads.py", os.environ.get("PACKORD_THREAD_SECONDS", "60"), cwd=here)


def main() -> None:
    wheels = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "out/wheels").resolve()
    found = sorted(wheels.glob("packord-*.whl"))
    if not found:
        sys.exit(f"test-wheels: {wheels} has no wheels.")
    for interpreter in sys.argv[2:] or map(interpreter_of, dict.fromkeys(map(version_of, found))):
        with tempfile.TemporaryDirectory(prefix="packord-wheel-") as folder:
            test(interpreter, wheels, Path(folder))


if __name__ == "__main__":
    main()
