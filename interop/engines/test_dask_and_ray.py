"""Container files in Dask and Ray, on local clusters of two processes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from packord.container import Writer

from .questions import COUNT, QUESTIONS, expected


def test_dask_reads_splits_on_both_workers(dask_client: Any, events: Path) -> None:
    from dask.distributed import get_worker
    from packord.engines.dask import read_container

    frame = read_container(events, partitions=4)
    assert frame.npartitions == 4 and len(frame) == COUNT

    def tell(part: Any) -> Any:
        return part.assign(worker=str(get_worker().address))[["id", "worker"]]

    meta = {"id": "int64[pyarrow]", "worker": "object"}
    found = frame.map_partitions(tell, meta=meta).compute(optimize_graph=False)
    assert sorted(found["id"]) == list(range(COUNT))
    assert found["worker"].nunique() == 2


def test_dask_reads_only_the_columns_that_are_used(dask_client: Any, events: Path) -> None:
    from packord.engines.dask import read_container

    frame = read_container(events, partitions=2)
    assert frame["id"].sum().compute() == sum(range(COUNT))
    (read,) = frame[["ms", "id"]].optimize(fuse=False).find_operations(_reading())
    assert sorted(read.columns) == ["id", "ms"]
    filtered = frame[frame["level"] == "error"]
    question = next(each for each in QUESTIONS if each.name == "a string")
    assert sorted(filtered["id"].compute()) == list(expected(question).ids)


def _reading() -> Any:
    from dask.dataframe.dask_expr.io import FromMap

    return FromMap


def test_dask_keeps_types_that_numpy_lacks(dask_client: Any, tmp_path: Path) -> None:
    from packord.engines.dask import read_container

    with Writer(tmp_path / "a.pkd") as writer:
        writer.write({"id": 1, "n": (1 << 62) + 1, "tags": ["a"], "m": {"x": 1}})
        writer.write({"id": 2, "n": None, "tags": None, "m": None})
    found = read_container(tmp_path).compute()
    assert found["n"].tolist()[0] == (1 << 62) + 1 and found["n"].isna().tolist() == [False, True]
    assert list(found["tags"][0]) == ["a"] and found["m"][0] == {"x": 1}


def test_ray_reads_splits_in_several_tasks(ray_session: None, events: Path) -> None:
    from packord.engines.ray import read_container

    dataset = read_container(events, partitions=4)
    assert dataset.count() == COUNT
    assert dataset.sum("id") == sum(range(COUNT))
    assert dataset.schema().names[:3] == ["id", "moment", "level"]

    def tell(batch: Any) -> Any:
        import os

        return {"process": [os.getpid()], "rows": [len(batch["id"])]}

    found = dataset.select_columns(["id"]).map_batches(tell, batch_size=None).take_all()
    assert sum(row["rows"] for row in found) == COUNT
    assert len(found) >= 4


def test_ray_reads_only_the_columns_that_are_used(ray_session: None, events: Path) -> None:
    from packord.engines.ray import ContainerDatasource

    source = ContainerDatasource(events, None, None, {}).apply_projection({"ms": "ms"})
    (task,) = source.get_read_tasks(1)
    assert task.schema.names == ["ms"]
    assert {tuple(table.schema.names) for table in task()} == {("ms",)}


@pytest.mark.parametrize("engine", ["dask", "ray"])
def test_a_path_that_is_not_there_is_an_error(engine: str, tmp_path: Path) -> None:
    import importlib

    module = importlib.import_module(f"packord.engines.{engine}")
    with pytest.raises(FileNotFoundError):
        module.read_container(tmp_path / "nowhere.pkd")
    with pytest.raises(ValueError, match="no container file"):
        module.read_container(tmp_path)
