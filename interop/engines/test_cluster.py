"""Spark on a master and two workers: a job over four parts of a file runs on both."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from .cluster import standalone
from .conftest import session
from .questions import COUNT


@pytest.fixture(scope="module")
def spark(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Any]:
    folder = tmp_path_factory.mktemp("cluster")
    with standalone(folder) as address:
        settings = {
            "spark.executor.memory": "512m",
            "spark.executor.cores": "1",
            "spark.cores.max": "2",
        }
        started = session(address, folder, **settings)
        try:
            yield started
        finally:
            started.stop()


def executors_of(spark: Any) -> dict[str, int]:
    """The tasks that each executor has done, without the driver."""
    found = spark.sparkContext._jsc.sc().statusStore().executorList(True)
    every = [found.apply(number) for number in range(found.size())]
    return {each.id(): each.completedTasks() for each in every if each.id() != "driver"}


def test_a_job_over_four_parts_runs_on_both_executors(spark: Any, events: Path) -> None:
    end = time.monotonic() + 60
    while len(executors_of(spark)) < 2 and time.monotonic() < end:
        time.sleep(0.2)
    before = executors_of(spark)
    assert len(before) == 2

    table = spark.read.format("packord-python").option("partitions", "4").load(str(events))
    parts = table.rdd.mapPartitions(lambda rows: [sum(1 for _ in rows)]).collect()

    assert len(parts) == 4 and sum(parts) == COUNT
    done = {name: count - before[name] for name, count in executors_of(spark).items()}
    assert len(done) == 2 and all(done.values()), done


def test_what_a_cluster_writes_is_read_again(spark: Any, events: Path, tmp_path: Path) -> None:
    table = spark.read.format("packord-python").option("partitions", "4").load(str(events))
    table.write.format("packord-python").mode("append").save(str(tmp_path / "copy"))
    again = spark.read.format("packord-python").load(str(tmp_path / "copy"))
    assert len(list((tmp_path / "copy").iterdir())) == 4
    assert again.schema == table.schema
    assert again.count() == COUNT and again.exceptAll(table).count() == 0
