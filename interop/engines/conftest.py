"""Files to read, and the engines, started once and stopped at the end."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
# The Python of Spark's workers is this one, and all servers are on the loopback interface.
os.environ |= {
    "PYSPARK_PYTHON": sys.executable,
    "PYSPARK_DRIVER_PYTHON": sys.executable,
    "SPARK_LOCAL_IP": "127.0.0.1",
    "RAY_AUTH_MODE": "disabled",
}

from packord.container import Writer  # noqa: E402

from .questions import BLOCK_ROWS, KEY, rows  # noqa: E402

TOOL = Path(os.environ.get("PACKORD_TOOL", ROOT / "rust/target/release/packord"))


@pytest.fixture(scope="session")
def tool() -> Path:
    assert TOOL.exists(), f"{TOOL} is missing: cargo build --release -p packord-cli"
    return TOOL


@pytest.fixture(scope="session")
def events(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The rows of the questions in one container file of many blocks."""
    path = tmp_path_factory.mktemp("events") / "events.pkd"
    with Writer(path, block_rows=BLOCK_ROWS, stats=KEY) as writer:
        for row in rows():
            writer.write(row)
    return path


@pytest.fixture(scope="session")
def unfinished(events: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same without an index, as it is while it is being written."""
    path = tmp_path_factory.mktemp("unfinished") / "events.pkd"
    writer = Writer(path, block_rows=BLOCK_ROWS, stats=KEY)
    for row in rows():
        writer.write(row)
    writer.flush()
    path.with_name("copy.pkd").write_bytes(path.read_bytes())
    writer.close()
    return path.with_name("copy.pkd")


def session(master: str, folder: Path, **settings: str) -> Any:
    """A session of Spark that knows container files."""
    import packord.engines.spark
    from pyspark.sql import SparkSession

    builder = SparkSession.builder.master(master)
    defaults = {
        "spark.ui.enabled": "false",
        "spark.driver.memory": "1g",
        "spark.driver.host": "127.0.0.1",
        "spark.driver.bindAddress": "127.0.0.1",
        "spark.sql.shuffle.partitions": "2",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.warehouse.dir": str(folder / "warehouse"),
        "spark.local.dir": str(folder / "local"),
        "spark.log.level": "ERROR",
        "spark.ui.showConsoleProgress": "false",
    }
    for name, value in {**defaults, **settings}.items():
        builder = builder.config(name, value)
    spark = builder.getOrCreate()
    packord.engines.spark.register(spark)
    return spark


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    """Spark within this process, with two threads."""
    started = session("local[2]", tmp_path_factory.mktemp("spark"))
    yield started
    started.stop()


@pytest.fixture(scope="module")
def dask_client() -> Iterator[Any]:
    """A scheduler of Dask and two workers in processes of their own."""
    from dask.distributed import Client, LocalCluster

    with (
        LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address=None
        ) as cluster,
        Client(cluster) as client,
    ):
        yield client


@pytest.fixture(scope="module")
def ray_session() -> Iterator[None]:
    """Ray on two processors."""
    import ray

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        object_store_memory=256 << 20,
        _node_ip_address="127.0.0.1",
        log_to_driver=False,
        configure_logging=False,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    yield
    with suppress(Exception):
        ray.shutdown()
