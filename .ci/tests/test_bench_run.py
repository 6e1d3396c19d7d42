"""`make run` leaves no build running when it ends early."""

import os
import select
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

BENCH = Path(__file__).resolve().parents[2] / "bench"
# It says that it has begun, and would take longer than the tests wait.
SLOW = ': >"$BEGUN/${0##*/}"; exec sleep 60'


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """The script, with programs in place of the toolchains."""
    for folder in ("bench", "js", "rust", "bin", "begun"):
        (tmp_path / folder).mkdir()
    for name in ("run", "again"):
        shutil.copy(BENCH / name, tmp_path / "bench")
    program(tmp_path, "npm", SLOW)
    program(tmp_path, "node", "")
    return tmp_path


def program(project: Path, name: str, text: str) -> None:
    path = project / "bin" / name
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)


class Running:
    """The script, and a pipe that is open until it and all that it has begun have ended."""

    def __init__(self, project: Path, stdout: int = subprocess.DEVNULL) -> None:
        self.pipe, inside = os.pipe()
        begun = {"PATH": f"{project / 'bin'}:/usr/bin:/bin", "BEGUN": project / "begun"}
        self.script = subprocess.Popen(
            # A shell ignores SIGINT in what it starts in the background, as this may be.
            ["env", "--default-signal=INT", "sh", project / "bench/run"],
            env={**os.environ, **begun},
            stdout=stdout,
            pass_fds=[inside],
            start_new_session=True,
        )
        os.close(inside)

    def ends(self) -> int:
        code = self.script.wait(60)
        assert select.select([self.pipe], [], [], 60)[0], "something still runs"
        os.close(self.pipe)
        return code


def test_ends_the_other_builds_if_the_tool_cannot_be_built(project: Path) -> None:
    program(project, "cargo", 'until [ -e "$BEGUN/npm" ]; do sleep 0.02; done; exit 9')
    assert Running(project).ends() == 9


def test_says_first_what_is_built_and_how_long_that_takes(project: Path) -> None:
    program(project, "cargo", 'until [ -e "$BEGUN/npm" ]; do sleep 0.02; done; exit 9')
    running = Running(project, stdout=subprocess.PIPE)
    assert running.ends() == 9
    assert running.script.stdout is not None
    first = running.script.stdout.read().split(b"\n")[1].decode()
    assert first.startswith("== Building the tool (")
    assert first.endswith(": 3 to 4 minutes the first time")


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_ends_the_other_builds_if_it_is_interrupted(project: Path, number: int) -> None:
    program(project, "cargo", SLOW)
    running = Running(project)
    while len(list((project / "begun").iterdir())) < 2:
        assert running.script.poll() is None
        time.sleep(0.02)
    # As a terminal does it.
    os.killpg(running.script.pid, number)
    assert running.ends() == 1
