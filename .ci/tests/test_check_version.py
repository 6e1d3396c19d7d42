"""`.ci/check-version.py` knows each sentence that is true only before the first release."""

import importlib.machinery
import importlib.util
import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = ROOT / ".ci/check-version.py"


def known() -> dict[str, str]:
    loader = importlib.machinery.SourceFileLoader("check_version", str(PROGRAM))
    module = importlib.util.module_from_spec(
        importlib.util.spec_from_loader("check_version", loader)
    )
    loader.exec_module(module)
    return module.BEFORE


def test_its_list_has_all_pages_that_say_so() -> None:
    listed = subprocess.check_output(["git", "ls-files", "*.md"], cwd=ROOT, text=True)
    pages = {name: (ROOT / name).read_text("utf-8") for name in listed.splitlines()}
    say = {
        name
        for name, text in pages.items()
        if "published yet" in text or "has been published before" in text
    }
    assert say == {name for name, text in known().items() if text in pages[name]}


def test_a_release_does_not_say_so(tmp_path: Path) -> None:
    (tmp_path / ".ci").mkdir()
    shutil.copy(PROGRAM, tmp_path / ".ci")
    (tmp_path / "VERSION").write_text("1.2.3\n")
    readme = tmp_path / "README.md"

    def check(*words: str) -> tuple[int, str]:
        done = subprocess.run(
            [sys.executable, tmp_path / ".ci/check-version.py", *words],
            capture_output=True,
            text=True,
            check=False,
        )
        return done.returncode, done.stdout

    readme.write_text("Neither the packages nor the site is published yet.\n")
    assert check() == (0, "version 1.2.3 everywhere\n")
    assert check("v1.2.3") == (
        1,
        'README.md: still says "Neither the packages nor the site is published yet"\n',
    )
    readme.write_text("`cargo add packord`\n")
    assert check("v1.2.3") == (0, "version 1.2.3 everywhere\n")
    assert check("v1.2.4") == (1, "tag v1.2.4: VERSION says 1.2.3\n")
