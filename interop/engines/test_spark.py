"""Batch reading and writing in Spark."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pyarrow
import pytest
from packord.container import Reader, Writer
from packord.engines.spark import _write
from pyspark.errors import PySparkException
from pyspark.sql import functions as f
from pyspark.sql import types as t

from .questions import BLOCK_ROWS, COUNT, START

FILTERS = "spark.sql.python.filterPushdown.enabled"


def write(path: Path, rows: list[Any], **options: Any) -> str:
    with Writer(path, **options) as writer:
        for row in rows:
            writer.write(row)
    return str(path)


def read(spark: Any, *paths: str | Path, schema: str | None = None, **options: Any) -> Any:
    reader = spark.read.format("packord-python").options(**options)
    if schema is not None:
        reader = reader.schema(schema)
    return reader.load([str(path) for path in paths])


def ids(table: Any) -> list[int]:
    return sorted(row.id for row in table.select("id").collect())


def test_the_schema_is_that_of_the_index(spark: Any, tmp_path: Path) -> None:
    moment = datetime(2026, 11, 24, 9, 30, 0, 123_456, tzinfo=timezone.utc)
    path = write(
        tmp_path / "types.pkd",
        [
            {
                "whole": 1,
                "large": 1 << 63,
                "float": 1.5,
                "both": 1,
                "str": "ü",
                "bin": b"\0\xff",
                "bool": True,
                "at": moment,
                "list": [1, 2],
                "maps": [{"x": 1}, {"y": "a"}],
                "map": {"a": {"b": 2.5}},
                "mixed": 7,
                "nil": None,
                "late": None,
            },
            {"both": 0.5, "mixed": "text", "large": -1, "late": "here"},
            {"mixed": {"a": [1, None]}, "list": []},
        ],
    )
    table = read(spark, path)
    kinds = {field.name: field.dataType.simpleString() for field in table.schema}
    assert kinds == {
        "whole": "bigint",
        "large": "decimal(20,0)",
        "float": "double",
        "both": "double",
        "str": "string",
        "bin": "binary",
        "bool": "boolean",
        "at": "timestamp",
        "list": "array<bigint>",
        "maps": "array<struct<x:bigint,y:string>>",
        "map": "struct<a:struct<b:double>>",
        "mixed": "string",
        "nil": "string",
        "late": "string",
    }
    first, second, third = (row.asDict(recursive=True) for row in table.collect())
    assert first == {
        "whole": 1,
        "large": Decimal(1 << 63),
        "float": 1.5,
        "both": 1.0,
        "str": "ü",
        "bin": b"\0\xff",
        "bool": True,
        "at": moment.replace(tzinfo=None),
        "list": [1, 2],
        "maps": [{"x": 1, "y": None}, {"x": None, "y": "a"}],
        "map": {"a": {"b": 2.5}},
        "mixed": "7",
        "nil": None,
        "late": None,
    }
    assert (second["mixed"], second["large"], second["late"]) == ("text", Decimal(-1), "here")
    assert json.loads(third["mixed"]) == {"a": [1, None]} and third["list"] == []


def test_a_file_without_an_index_is_sampled(spark: Any, events: Path, unfinished: Path) -> None:
    whole, cut = read(spark, events), read(spark, unfinished, partitions=3)
    assert cut.schema == whole.schema
    assert cut.rdd.getNumPartitions() == 3
    assert ids(cut) == list(range(COUNT))


def test_a_schema_of_the_user_names_the_columns_and_their_types(spark: Any, events: Path) -> None:
    table = read(spark, events, schema="id int, ms float, nowhere string, moment timestamp_ntz")
    row = table.where("id = 12").first()
    spread = 12 * 2_654_435_761 % 4_294_967_296
    at = START + timedelta(seconds=4, microseconds=spread % 1_000_000)
    assert tuple(row) == (12, spread % 4096 / 8, None, at.replace(tzinfo=None))


def test_a_value_that_does_not_fit_the_schema_of_the_user_is_an_error(
    spark: Any, events: Path
) -> None:
    with pytest.raises(PySparkException, match="level"):
        read(spark, events, schema="level long").collect()


def test_the_option_columns_keeps_some_of_them(spark: Any, events: Path) -> None:
    table = read(spark, events, columns="level, id, level")
    assert table.columns == ["level", "id"] and table.count() == COUNT
    with pytest.raises(PySparkException, match="no column 'nowhere'"):
        read(spark, events, columns="nowhere")


@pytest.mark.parametrize("count", [1, 2, 4, 7])
def test_every_row_is_in_one_partition(spark: Any, events: Path, count: int) -> None:
    table = read(spark, events, partitions=count)
    assert table.rdd.getNumPartitions() == count
    assert ids(table) == list(range(COUNT))


def test_partitions_have_about_a_number_of_bytes(spark: Any, events: Path) -> None:
    size = events.stat().st_size
    assert read(spark, events).rdd.getNumPartitions() == 1
    several = read(spark, events, maxPartitionBytes=size // 6).rdd.getNumPartitions()
    assert 6 <= several <= 7


def test_a_table_of_some_mib_is_work_for_several_cores(spark: Any, tmp_path: Path) -> None:
    rows = [{"id": number, "text": f"{number:0>1000}"} for number in range(3500)]
    path = write(tmp_path / "a.pkd", rows, codec="none", columns=False, block_rows=100)
    table = read(spark, path)
    assert 3 <= table.rdd.getNumPartitions() <= 4 and ids(table) == list(range(3500))


def test_small_files_share_a_partition(spark: Any, tmp_path: Path) -> None:
    for number in range(30):
        write(tmp_path / f"{number:02}.pkd", [{"id": number}])
    table = read(spark, tmp_path)
    assert table.rdd.getNumPartitions() == 1 and ids(table) == list(range(30))
    assert 3 <= read(spark, tmp_path, partitions=3).rdd.getNumPartitions() <= 4


def test_a_path_is_a_file_a_folder_a_pattern_or_a_list(spark: Any, tmp_path: Path) -> None:
    for number, name in enumerate(
        ["a-1.pkd", "a-2.pkd", "b.pkd", "_hidden.pkd", ".b.pkd", "c.txt"]
    ):
        write(tmp_path / name, [{"id": number}])
    assert ids(read(spark, tmp_path / "b.pkd")) == [2]
    assert ids(read(spark, f"file://{tmp_path}/b.pkd")) == [2]
    assert ids(read(spark, tmp_path)) == [0, 1, 2]
    assert ids(read(spark, tmp_path / "a-*.pkd")) == [0, 1]
    assert ids(read(spark, tmp_path / "b.pkd", tmp_path / "a-?.pkd", tmp_path / "c.txt")) == [
        0,
        1,
        2,
        5,
    ]
    with pytest.raises(PySparkException, match="no such file"):
        read(spark, tmp_path / "nowhere.pkd")
    with pytest.raises(PySparkException, match="no container file"):
        read(spark, tmp_path / "nothing-*.pkd")
    with pytest.raises(PySparkException, match="not from s3://bucket"):
        read(spark, "s3://bucket/b.pkd")


def test_files_with_other_columns_have_one_schema(spark: Any, tmp_path: Path) -> None:
    write(tmp_path / "a.pkd", [{"id": 1, "n": 1}])
    write(tmp_path / "b.pkd", [{"id": 2, "n": 0.5, "x": "y"}])
    rows = read(spark, tmp_path).orderBy("id").collect()
    assert [tuple(row) for row in rows] == [(1, 1.0, None), (2, 0.5, "y")]


@pytest.fixture
def filters(spark: Any) -> Iterator[None]:
    """Turns on what Spark has for one query on each frame."""
    import packord.engines.spark

    packord.engines.spark.register(spark, filters=True)
    yield
    spark.conf.unset(FILTERS)
    packord.engines.spark.register(spark)


def test_queries_on_one_frame_do_not_change_each_other(spark: Any, events: Path) -> None:
    assert spark.conf.get(FILTERS) == "false"
    table = read(spark, events)
    late, early = table.where(f"id >= {COUNT - 100}"), table.where("id < 50")
    for _ in range(2):
        assert late.count() == 100
        assert table.count() == COUNT
        assert early.count() == 50
        assert ids(table.where("id in (3, 700)")) == [3, 700]
        assert ids(late.union(early)) == [*range(50), *range(COUNT - 100, COUNT)]
        assert late.join(table, "id").count() == 100
        assert early.join(late, "level").select(early.id).distinct().count() == 50
        assert table.join(early, "id", "left_anti").count() == COUNT - 50
        assert (
            table.where("level = 'error'").count() + table.where("level != 'error'").count()
            == COUNT
        )


@pytest.mark.usefixtures("filters")
def test_filters_skip_the_parts_in_which_no_row_can_match(spark: Any, events: Path) -> None:
    def partitions(condition: Any) -> int:
        return int(read(spark, events, partitions=10).where(condition).rdd.getNumPartitions())

    late = f.lit(START + timedelta(seconds=6500))
    assert partitions("id >= 19900") == 1
    assert partitions("id in (100, 200)") == 1
    assert partitions("id in (100, 19000)") == 2
    assert partitions(f.col("moment") > late) <= 2
    assert partitions("serial > 9223372036854775807") == 10
    assert (
        partitions("level > 'zebra'") == 1 and read(spark, events).where("level > 'z'").count() == 0
    )
    assert partitions("user.age >= 18") == 10


@pytest.mark.usefixtures("filters")
def test_filters_never_lose_a_row_that_spark_keeps(spark: Any, tmp_path: Path) -> None:
    """Values that reading changes: their statistics are of something else than Spark compares."""
    moment = packord_moment()
    rows = [
        {"id": 0, "mixed": 5, "near": (1 << 53) + 1, "at": moment, "f": float("nan"), "s": "a"},
        {"id": 1, "mixed": 6, "near": (1 << 53) + 1, "at": moment, "f": float("nan"), "s": "a"},
        {"id": 2, "mixed": "x", "near": 0.5, "at": moment, "f": 1.0, "s": None},
    ]
    path = write(
        tmp_path / "odd.pkd", rows, block_rows=2, stats=["id", "mixed", "near", "at", "f", "s"]
    )

    def kept(condition: str) -> list[int]:
        return ids(read(spark, path).where(condition))

    assert kept("mixed = '5'") == [0]
    assert kept("near = 9007199254740992D") == [0, 1]
    assert kept("at = timestamp '2026-11-24 00:00:00.000001+00:00'") == [0, 1, 2]
    assert kept("at <= timestamp '2026-11-24 00:00:00.000001+00:00'") == [0, 1, 2]
    assert kept("f > 5") == [0, 1]
    assert kept("f = double('nan')") == [0, 1]
    assert kept("s is null") == [2]
    assert kept("s <=> null") == [2]
    assert kept("s like 'a%'") == [0, 1]
    assert ids(read(spark, path, schema="id long, near string").where("near = '0.5'")) == [2]


@pytest.mark.usefixtures("filters")
def test_filters_by_chance_keep_what_spark_keeps(spark: Any, tmp_path: Path) -> None:
    """The same filters over the same table in Spark's memory, where nothing is skipped."""
    chance = random.Random(2026)
    rows = [
        {
            "id": number,
            "n": chance.choice([None, chance.randrange(-9, 9), chance.randrange(100) / 4]),
            "u": chance.choice([number, (1 << 63) + number]),
            "s": chance.choice([None, "", "a", "ab", "b", "ü", "\U0010ffff"]),
            "at": START + timedelta(microseconds=chance.randrange(5) + number // 9),
            "m": chance.choice([None, {"x": number // 20}, {"x": None}]),
            "t": chance.choice([True, False, None]),
        }
        for number in range(400)
    ]
    key = ["id", "n", "u", "s", "at", "m", "m.x", "t"]
    table = read(spark, write(tmp_path / "by-chance.pkd", rows, block_rows=10, stats=key))
    kept = table.cache()
    assert kept.count() == 400
    constants = {
        "id": ["17", "200", "399", "-1", "5000000000"],
        "n": ["0", "3", "2.25D", "double('nan')", "9007199254740993"],
        "u": ["100", "9223372036854775900", "0.5"],
        "s": ["''", "'a'", "'ab'", "'ü'"],
        "at": [f"timestamp '{START:%Y-%m-%d} 00:00:00.0000{n:02}+00:00'" for n in (0, 3, 20, 44)],
        "m.x": ["0", "7", "19"],
        "t": ["true", "false"],
    }
    for _ in range(60):
        parts = []
        for column in chance.sample(sorted(constants), chance.choice([1, 1, 2])):
            op = chance.choice(
                ["=", "<>", "<", "<=", ">", ">=", "<=>", "in", "is null", "is not null"]
            )
            one, other = chance.choice(constants[column]), chance.choice(constants[column])
            end = {"in": f"({one}, {other})", "is null": "", "is not null": ""}.get(op, one)
            parts.append(chance.choice(["", "", "not "]) + f"{column} {op} {end}")
        test = " and ".join(parts)
        skipping = read(spark, tmp_path / "by-chance.pkd").where(test)
        assert ids(skipping) == ids(kept.where(test)), test
    kept.unpersist()


def packord_moment() -> Any:
    """A microsecond and a half after midnight, which Spark's timestamps don't have."""
    from packord import Timestamp

    midnight = int(datetime(2026, 11, 24, tzinfo=timezone.utc).timestamp())
    return Timestamp(midnight, 1_500)


def test_a_damaged_block_is_an_error_or_is_passed_over(
    spark: Any, events: Path, tmp_path: Path
) -> None:
    reader = Reader(events)
    block = reader.blocks[5]
    data = bytearray(events.read_bytes())
    data[block.offset + block.size - 3] ^= 1
    damaged = tmp_path / "damaged.pkd"
    damaged.write_bytes(data)
    with pytest.raises(PySparkException, match=f"invalid_container at byte {block.offset + 18}"):
        read(spark, damaged).count()
    left = ids(read(spark, damaged, onBadBlock="skip", partitions=4))
    assert left == [n for n in range(COUNT) if n // BLOCK_ROWS != 5]


def test_an_option_that_is_wrong_is_named(spark: Any, events: Path) -> None:
    with pytest.raises(PySparkException, match="option partitions can't be '-1'"):
        read(spark, events, partitions=-1).count()
    with pytest.raises(PySparkException, match="option maxBlock can't be 'x'"):
        read(spark, events, maxBlock="x").count()


def test_append_adds_files_and_overwrite_replaces_them(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    table = spark.range(100).repartition(4)
    table.write.format("packord-python").mode("append").save(str(folder))
    assert len(list(folder.iterdir())) == 4
    table.write.format("packord-python").mode("append").option("codec", "deflate").save(str(folder))
    assert len(list(folder.iterdir())) == 8
    assert ids(read(spark, folder)) == sorted([*range(100)] * 2)
    spark.range(7).coalesce(1).write.format("packord-python").mode("overwrite").save(str(folder))
    assert len(list(folder.iterdir())) == 1 and ids(read(spark, folder)) == list(range(7))


def test_what_is_written_has_an_index_and_the_key_of_the_options(
    spark: Any, tmp_path: Path
) -> None:
    folder = tmp_path / "table"
    options = {"stats": "id, name", "blockRows": "10"}
    table = spark.range(100).withColumn("name", f.concat(f.lit("n"), f.col("id")))
    table.coalesce(1).write.format("packord-python").options(**options).mode("append").save(
        str(folder)
    )
    reader = Reader(next(folder.iterdir()))
    assert reader.count == 100 and len(reader.blocks) == 10
    assert set(reader.blocks[0].stats) == {"id", "name"}


def test_every_type_that_is_read_is_written_the_same(spark: Any, tmp_path: Path) -> None:
    schema = t.StructType.fromDDL(
        "b boolean, l bigint, u decimal(20,0), d double, s string, x binary, at timestamp,"
        "a array<bigint>, r struct<n:string,m:struct<k:double>>"
    )
    at = datetime(2026, 11, 24, 1, 2, 3, 456_789)
    rows = [
        (True, -5, Decimal(2**64 - 1), 0.5, "ü", b"\0", at, [1, 2], ("n", (1.5,))),
        (None, None, Decimal(-3), None, None, None, None, None, None),
        (False, 2**62, Decimal(7), -0.0, "", b"", at, [], (None, None)),
    ]
    table = spark.createDataFrame(rows, schema).coalesce(1)
    table.write.format("packord-python").mode("append").save(str(tmp_path / "table"))
    again = read(spark, tmp_path / "table")
    assert again.schema == schema
    assert sorted(map(str, again.collect())) == sorted(map(str, table.collect()))


def test_a_task_that_fails_leaves_no_file(spark: Any, tmp_path: Path) -> None:
    folder = tmp_path / "table"
    spark.range(5).write.format("packord-python").mode("append").save(str(folder))
    before = sorted(folder.iterdir())
    bad = spark.range(0, 1000, 1, 2).selectExpr("if(id = 900, raise_error('stop'), id) as id")
    for mode in ["append", "overwrite"]:
        with pytest.raises(PySparkException, match="stop"):
            bad.write.format("packord-python").mode(mode).save(str(folder))
        assert sorted(folder.iterdir()) == before


def test_a_task_that_outlives_an_abort_leaves_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(_write, "_task", lambda: SimpleNamespace(partitionId=lambda: 1))
    writer = _write.BatchWriter(str(tmp_path / "table"), False, {})
    batch = pyarrow.record_batch({"id": [1, 2]})

    def batches() -> Iterator[pyarrow.RecordBatch]:
        yield batch
        writer.abort([])
        yield batch

    with suppress(FileNotFoundError):
        writer.write(batches())
    with pytest.raises(FileNotFoundError):
        writer.write(iter([batch]))
    assert list((tmp_path / "table").iterdir()) == []
