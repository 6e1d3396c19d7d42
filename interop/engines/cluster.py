"""A cluster of Spark on this machine: a master and workers, in processes of their own."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

HOME = Path(pyspark.__file__).parent
CLASS = HOME / "bin" / "spark-class"
SECONDS = 90


@contextmanager
def standalone(folder: Path, workers: int = 2) -> Iterator[str]:
    """Starts a cluster of workers with one core each, and yields its address.

    All of it listens on 127.0.0.1, on ports that are free, and is stopped at the end.
    """
    environment = {
        **os.environ,
        "SPARK_HOME": str(HOME),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "SPARK_DAEMON_MEMORY": "256m",
        "SPARK_WORKER_DIR": str(folder / "work"),
        "SPARK_LOCAL_DIRS": str(folder / "local"),
    }
    started: list[subprocess.Popen[bytes]] = []

    def start(name: str, *words: str) -> Path:
        log = folder / f"{name}.log"
        with log.open("wb") as out:
            started.append(
                subprocess.Popen(
                    [CLASS, *words],
                    env=environment,
                    stdin=subprocess.DEVNULL,
                    stdout=out,
                    stderr=subprocess.STDOUT,
                    start_new_session=True,
                )
            )
        return log

    here = ["--host", "127.0.0.1", "--port", "0", "--webui-port", "0"]
    try:
        log = start("master", "org.apache.spark.deploy.master.Master", *here)
        port = _wait(log, r"Successfully started service 'sparkMaster' on port (\d+)")
        address = f"spark://127.0.0.1:{port}"
        options = ["--cores", "1", "--memory", "1g", *here, address]
        logs = [
            start(f"worker-{number}", "org.apache.spark.deploy.worker.Worker", *options)
            for number in range(workers)
        ]
        for log in logs:
            _wait(log, r"Successfully registered with (master)")
        yield address
    finally:
        for process in reversed(started):
            _stop(process)


def _wait(log: Path, pattern: str) -> str:
    """What the pattern finds in a log, as soon as it is there."""
    end = time.monotonic() + SECONDS
    while time.monotonic() < end:
        found = re.search(pattern, log.read_text(errors="replace"))
        if found:
            return found[1]
        time.sleep(0.1)
    raise TimeoutError(f"{log.name} did not say {pattern!r}:\n{log.read_text(errors='replace')}")


def _stop(process: subprocess.Popen[bytes]) -> None:
    """Ends a process and those that it has started."""
    for number in (signal.SIGTERM, signal.SIGKILL):
        try:
            os.killpg(process.pid, number)
            process.wait(timeout=15)
        except (ProcessLookupError, subprocess.TimeoutExpired):
            continue
