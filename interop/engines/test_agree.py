"""All engines and the tool have the same answers to the same questions."""

from __future__ import annotations

import itertools
import json
import subprocess
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from packord.container import Reader

from .questions import QUESTIONS, Answer, Question, answer, as_sql, as_test, expected, meets

each_question = pytest.mark.parametrize("question", QUESTIONS, ids=lambda each: each.name)


@pytest.fixture(scope="session")
def answers(tool: Path, events: Path) -> dict[str, Answer]:
    """The answers of the tool."""
    found = {}
    for question in QUESTIONS:
        test = as_test(question.where)
        words = [] if test is None else ["--where", test]
        done = subprocess.run(
            [tool, "unpack", *words, "--select", "id,ms,moment", events],
            capture_output=True,
            text=True,
        )
        # 1: there is no such row.
        assert done.returncode in (0, 1), done.stderr
        rows = [json.loads(line) for line in done.stdout.splitlines()]
        times = tuple(each for each in question.where if each[0] == "moment")
        found[question.name] = answer(
            (row["id"], row.get("ms"))
            for row in rows
            if meets({"moment": datetime.fromisoformat(row["moment"]["$timestamp"])}, times)
        )
    return found


@each_question
def test_the_tool(answers: dict[str, Answer], question: Question) -> None:
    assert answers[question.name] == expected(question)


@each_question
@pytest.mark.parametrize("threads", [1, 2])
def test_python(answers: dict[str, Answer], events: Path, question: Question, threads: int) -> None:
    rows = Reader(events, where=question.where, threads=threads)
    assert answer((row["id"], row["ms"]) for row in rows) == answers[question.name]


@each_question
def test_polars(answers: dict[str, Answer], events: Path, question: Question) -> None:
    import polars
    from packord.engines.polars import scan_container

    found = scan_container(events)
    for path, op, constant in question.where:
        name, *within = path.split(".")
        column = polars.col(name)
        for part in within:
            column = column.struct.field(part)
        if isinstance(constant, int) and constant > (1 << 63) - 1:
            column = column.cast(polars.Int128)
            constant = polars.lit(constant, polars.Int128)
        found = found.filter(_polars(column, op, constant))
    assert answer(found.select("id", "ms").collect().rows()) == answers[question.name]


def _polars(column: Any, op: str, constant: Any) -> Any:
    if op in ("is_null", "is_not_null"):
        return getattr(column, op)()
    if op == "in":
        return column.is_in(constant)
    if hasattr(constant, "tzinfo"):
        constant = constant.replace(tzinfo=None)
    names = {"==": "eq", "!=": "ne", "<": "lt", "<=": "le", ">": "gt", ">=": "ge"}
    return getattr(column, names[op])(constant)


@each_question
def test_duckdb(answers: dict[str, Answer], events: Path, question: Question) -> None:
    import duckdb
    from packord.engines.duckdb import read_container

    connection = duckdb.connect()
    connection.execute("SET TimeZone = 'UTC'")
    table = read_container(connection, events).filter(as_sql(question.where))
    assert answer(table.project("id, ms").fetchall()) == answers[question.name]


@pytest.mark.parametrize("partitions", [1, 4])
@each_question
def test_spark(
    spark: Any, answers: dict[str, Answer], events: Path, question: Question, partitions: int
) -> None:
    table = spark.read.format("packord-python").option("partitions", partitions).load(str(events))
    found = table.where(as_sql(question.where)).select("id", "ms").collect()
    assert answer(found) == answers[question.name]


@each_question
def test_spark_on_a_file_without_an_index(
    spark: Any, answers: dict[str, Answer], unfinished: Path, question: Question
) -> None:
    table = spark.read.format("packord-python").option("partitions", 3).load(str(unfinished))
    found = table.where(as_sql(question.where)).select("id", "ms").collect()
    assert answer(found) == answers[question.name]


@each_question
def test_dask(
    dask_client: Any, answers: dict[str, Answer], events: Path, question: Question
) -> None:
    from packord.engines.dask import read_container

    frame = read_container(events, partitions=3, where=question.where, columns=["id", "ms"])
    found = frame.compute()
    pairs = zip(
        found["id"], found["ms"].astype(object).where(found["ms"].notna(), None), strict=True
    )
    assert answer(pairs) == answers[question.name]


@each_question
def test_ray(
    ray_session: None, answers: dict[str, Answer], events: Path, question: Question
) -> None:
    """The tasks of a data set, each in a process of Ray."""
    import ray
    from packord.engines.ray import ContainerDatasource

    source = ContainerDatasource(events, ["id", "ms"], None, {"where": question.where})
    run = ray.remote(lambda task: [row for table in task() for row in table.to_pylist()])
    found = ray.get([run.remote(task) for task in source.get_read_tasks(2)])
    rows = itertools.chain.from_iterable(found)
    assert answer((row["id"], row["ms"]) for row in rows) == answers[question.name]


def test_a_data_set_of_ray(ray_session: None, answers: dict[str, Answer], events: Path) -> None:
    from packord.engines.ray import read_container

    question = next(each for each in QUESTIONS if each.name == "within a map")
    found = read_container(events, partitions=2, where=question.where, columns=["id", "ms"])
    pairs = [(row["id"], row["ms"]) for row in found.take_all()]
    assert answer(pairs) == answers[question.name]
