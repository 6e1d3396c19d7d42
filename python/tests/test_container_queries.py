"""Queries over some columns and some rows of a file: the same as a plain loop over all rows, and little of the file is read."""

from __future__ import annotations

import datetime
import functools
import io
import math
import operator
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import duckdb
import polars
import pyarrow
import pytest
from polars import col
from pyarrow.compute import field

import packord
import packord.engines.duckdb
import packord.engines.polars
from packord.container import Reader, Writer
from packord.engines._files import batches_of, whole_files

START = datetime.datetime(2026, 1, 1, tzinfo=datetime.timezone.utc)
COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}


def packed(rows: Any, **options: Any) -> bytes:
    """A file in memory."""
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.write_many(rows)
    return file.getvalue()


def made_rows() -> list[dict[str, Any]]:
    """Rows with columns of every kind, of which some blocks lack some."""
    chance = random.Random(11)
    rows = []
    for n in range(600):
        row: dict[str, Any] = {
            "id": n,
            "n": chance.choice([None, n % 7, -n]),
            "f": chance.choice([n / 8, n, 0.1]),
            "s": chance.choice([None, f"text {n % 90:02}"]),
            "level": chance.choice(["debug", "info", "error"]),
            "big": 2**63 + n if n % 5 == 0 else n,
            "at": START + datetime.timedelta(seconds=n // 3),
            "tags": ["a", "b", "c"][: n % 4],
            "user": {"age": n % 60, "name": f"user {n}"},
            "ok": n % 3 == 0,
            "mixed": chance.choice([n, f"{n}", [n]]) if n > 300 else n,
        }
        if n % 4:
            row["seldom"] = n if n // 100 % 2 else None
        if n >= 200:
            row["late"] = "here"
        rows.append(row)
    return rows


ROWS = made_rows()
CONSTANTS: dict[str, list[Any]] = {
    "id": [-1, 0, 99, 100, 350.5, 599],
    "n": [0, 3, -200, 2.5],
    "f": [0.1, 20, 30.25, 599],
    "s": ["", "text 07", "text 5", "z"],
    "level": ["debug", "error", "nothing"],
    "big": [5, 2**63, 2**63 + 100],
    "at": [START, START + datetime.timedelta(seconds=77)],
    "user.age": [0, 30, 59],
    "seldom": [100, 350],
    "late": ["here", "gone"],
    "mixed": [5, "450"],
}
OPERATIONS = [*COMPARE, "in", "is_null", "is_not_null"]


def meets(row: dict[str, Any], path: str, op: str, constant: Any) -> bool:
    value: Any = row
    for part in path.split("."):
        value = value.get(part) if isinstance(value, dict) else None
    if op in ("is_null", "is_not_null"):
        return (value is None) == (op == "is_null")
    if value is None:
        return False
    if op == "in":
        return any(meets(row, path, "==", each) for each in constant)
    if is_number(value) != is_number(constant) or type(value) is list:
        return op == "!="
    return COMPARE[op](value, constant)


def is_number(value: Any) -> bool:
    return isinstance(value, (int, float))


FORMS: list[dict[str, Any]] = [
    {"block_rows": 100},
    {"block_rows": 100, "codec": "none", "stats": []},
    {"block_rows": 75, "columns": False},
]


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_random_queries_are_those_of_a_plain_loop(form: dict[str, Any]) -> None:
    chance = random.Random(str(form))
    data = packed(ROWS, **form)
    whole = pyarrow.table(Reader(data)).to_pylist()
    names = [*whole[0], "nothing"]
    assert [row["id"] for row in whole] == list(range(600))
    for _ in range(1000 // len(FORMS) + 1):
        where = []
        for path in chance.sample(sorted(CONSTANTS), chance.choice([0, 1, 1, 2])):
            op, constants = chance.choice(OPERATIONS), CONSTANTS[path]
            constant = chance.sample(constants, 2) if op == "in" else chance.choice(constants)
            where.append((path, op, None if op.startswith("is_") else constant))
        select = chance.sample(names, chance.randrange(1, 5))
        threads = chance.choice([1, 2])
        matching = [n for n, row in enumerate(ROWS) if all(meets(row, *each) for each in where)]
        found = list(Reader(data, where=where, select=select, threads=threads))
        assert found == [
            {name: value for name, value in ROWS[n].items() if name in select} for n in matching
        ], (where, select)
        columns = [name for name in select if name != "nothing"]
        table = pyarrow.table(Reader(data, where=where, threads=threads).arrow_batches(columns))
        table.validate(full=True)
        if columns:
            wanted = [{name: whole[n][name] for name in columns} for n in matching]
            assert table.to_pylist() == wanted, (where, columns)
        selected = pyarrow.table(Reader(data, where=where, select=select))
        assert selected.column_names == [name for name in names if name in columns]


class Counting(io.BytesIO):
    """A file that counts the bytes that are read of it."""

    count = 0

    def read(self, size: int | None = -1) -> bytes:
        data = super().read(size)
        self.count += len(data)
        return data


WAYS: dict[str, Callable[[Any], int]] = {
    "rows": lambda file: sum(1 for _ in Reader(file, select=["c7"])),
    "batches": lambda file: pyarrow.table(Reader(file).arrow_batches(["c7"])).num_rows,
    "selected": lambda file: pyarrow.table(Reader(file, select=["c7"])).num_rows,
    "polars": lambda file: (
        packord.engines.polars.scan_container(file).select("c7").collect().height
    ),
    "pyarrow": lambda file: packord.engines.duckdb.scan_container(file).to_table(["c7"]).num_rows,
    # Statistics do not rule out a value among others.
    "nothing passes in polars": lambda file: (
        60_000
        + packord.engines.polars.scan_container(file).filter(col("c7") == 0.5).collect().height
    ),
    "nothing passes in pyarrow": lambda file: (
        60_000
        + packord.engines.duckdb.scan_container(file).to_table(filter=field("c7") == 0.5).num_rows
    ),
    "nothing passes in duckdb": lambda file: (
        60_000
        + len(
            packord.engines.duckdb.read_container(duckdb.connect(), file)
            .filter("c7 = 0.5::double")
            .fetchall()
        )
    ),
    "nothing matches": lambda file: (
        60_000
        + pyarrow.table(
            Reader(file, where=[("c7", "==", 2.0)]).arrow_batches(["c1", "c2"])
        ).num_rows
    ),
}


@pytest.fixture(scope="module")
def wide() -> bytes:
    """Fifteen columns of numbers by chance, the first one of small ones."""
    chance = random.Random(3)
    columns = [f"c{n}" for n in range(1, 15)]
    return packed(
        {"c0": chance.randrange(1000), **{name: chance.random() for name in columns}}
        for _ in range(60_000)
    )


@pytest.mark.parametrize("way", WAYS)
def test_one_column_of_fifteen_reads_little_of_the_file(wide: bytes, way: str) -> None:
    file = Counting(wide)
    assert WAYS[way](file) == 60_000
    assert file.count < 0.15 * len(wide), file.count / len(wide)


SOME = ["n", "f", "s", "big", "at", "mixed", "tags", "user", "seldom", "late"]


def predicates(chance: random.Random) -> tuple[Any, str]:
    """A condition that few, some, most or all rows of a block meet, for polars and for DuckDB."""
    n, text = chance.randrange(600), f"text {chance.randrange(90):02}"
    one = chance.choice(
        [
            (col("id") == n, f"id = {n}"),
            (col("id") * 2 >= n, f"id * 2 >= {n}"),
            (col("f") > n / 8, f"f > {n / 8}::double"),
            (col("f").is_nan(), "isnan(f)"),
            (col("f") != math.nan, "f != 'nan'::double"),
            (col("n") <= n % 8, f"n <= {n % 8}"),
            (col("n").is_null(), "n is null"),
            (col("s") == text, f"s = '{text}'"),
            (col("s").str.ends_with("7"), "s like '%7'"),
            (col("big") > 2**63 + n, f"big > {2**63 + n}"),
            (col("big") >= 0, "big >= 0"),
            (col("mixed") == f"{n}", f"mixed = '{n}'"),
            (col("user").struct.field("age") < n % 60, f'"user".age < {n % 60}'),
            (col("seldom").is_not_null(), "seldom is not null"),
            (col("late") == "gone", "late = 'gone'"),
            (col("f") > col("n"), "f > n"),
            (col("ok"), "ok"),
        ]
    )
    if chance.random() < 0.6:
        return one
    another = predicates(chance)
    if chance.random() < 0.5:
        return one[0] & another[0], f"({one[1]}) and ({another[1]})"
    return one[0] | another[0], f"({one[1]}) or ({another[1]})"


@pytest.mark.parametrize("form", FORMS, ids=str)
def test_engines_choose_rows_by_their_own_expressions(form: dict[str, Any]) -> None:
    chance = random.Random(str(form))
    rows = [{**row, "f": math.nan} if row["id"] % 9 == 0 else row for row in ROWS]
    data = packed(rows, **form)
    plain = polars.DataFrame(pyarrow.table(Reader(data)))
    connection = duckdb.connect()
    connection.register("plain", plain.to_arrow())
    packord.engines.duckdb.register(connection, "events", data)
    for _ in range(200):
        predicate, text = predicates(chance)
        columns = ["id", *chance.sample(SOME, chance.randrange(6))]
        threads = chance.choice([1, 2])
        frame = packord.engines.polars.scan_container(data, threads=threads)
        found = frame.filter(predicate).select(columns).collect()
        assert found.equals(plain.filter(predicate).select(columns)), (predicate, columns)
        names = ", ".join(f'"{name}"' for name in columns)
        results = [
            connection.sql(f"select {names} from {table} where {text} order by id").fetchall()
            for table in ("events", "plain")
        ]
        assert repr(results[0]) == repr(results[1]), (text, columns)


def returning(answer: Any, _: Any) -> Any:
    return answer


def test_what_an_expression_raises_is_no_fault_of_the_file() -> None:
    several: list[dict[str, Any]] = [{}, {"on_bad_block": "skip"}]
    for options in several:
        frame = packord.engines.polars.scan_container(packed(ROWS, block_rows=100), **options)
        failing = frame.filter(col("level").str.to_integer() > 5).select("id", "n")
        with pytest.raises(polars.exceptions.PolarsError, match="debug|info|error"):
            failing.collect()
        reader = Reader(packed(ROWS, block_rows=100), **options)
        for answer in (5, pyarrow.table({"is": [1] * 100}), pyarrow.table({"is": [True]})):
            batches = reader._chosen_batches(
                ["id", "n"], None, None, ["id"], functools.partial(returning, answer)
            )
            with pytest.raises((TypeError, OSError)):
                list(batches)


def test_rows_that_are_not_chosen_may_be_left_out() -> None:
    reader = Reader(packed(ROWS, block_rows=100), where=[("n", "is_not_null")])

    def choose(batch: Any) -> Any:
        ids = pyarrow.record_batch(batch)["id"]
        assert None not in ids.to_pylist()
        # Null is not a choice, and the column begins in the middle of a byte.
        flags = [None, True, False] + [id % 100 < 3 or 200 <= id < 300 for id in ids.to_pylist()]
        return pyarrow.table({"is": flags}).slice(3)

    found = pyarrow.table(
        reader._chosen_batches(["n", "id", "tags"], None, None, ["id"], choose)
    ).to_pylist()
    # After a block of which all are chosen, others are not asked about.
    assert found == [
        {"n": row["n"], "id": row["id"], "tags": row["tags"]}
        for row in ROWS
        if row["n"] is not None and (row["id"] % 100 < 3 or 200 <= row["id"])
    ]
    with pytest.raises(ValueError, match="some of the table"):
        reader._chosen_batches(["n"], None, None, ["id"], choose)


def counted_by_duckdb(file: Any) -> int:
    connection = duckdb.connect()
    packord.engines.duckdb.register(connection, "events", file)
    return int(connection.sql("select count(*) from events").fetchall()[0][0])


COUNTS: dict[str, Callable[[Any], int]] = {
    "batches": lambda file: sum(batch.num_rows for batch in Reader(file).arrow_batches([])),
    "polars": lambda file: (
        packord.engines.polars.scan_container(file).select(polars.len()).collect().item()
    ),
    "duckdb": counted_by_duckdb,
    "relation": lambda file: len(
        packord.engines.duckdb.read_container(duckdb.connect(), file).project("1").fetchall()
    ),
    "pyarrow": lambda file: packord.engines.duckdb.scan_container(file).to_table([]).num_rows,
}


@pytest.mark.parametrize("way", COUNTS)
def test_rows_are_counted_without_reading_a_block(wide: bytes, way: str) -> None:
    file = Counting(wide)
    assert COUNTS[way](file) == 60_000
    # The header, the index and one mark, each with what is read ahead.
    assert file.count < 210_000 < len(wide) / 30, file.count


def test_messages_are_no_rows_that_are_counted(tmp_path: Path) -> None:
    path = tmp_path / "both.pkd"
    with Writer(path, messages=True) as writer:
        writer.write_many(["a message", 5])
    with Writer(path, append=True, block_rows=10) as writer:
        writer.write_many({"a": n} for n in range(25))
    reader = Reader(path)
    assert [batch.num_rows for batch in reader.arrow_batches([])] == [10, 10, 5]
    assert [batch.num_rows for batch in reader.arrow_batches([], blocks=[0, 2])] == [10]
    assert reader.blocks_read == 0
    matching = Reader(path, where=[("a", ">=", 12)]).arrow_batches([])
    assert sum(batch.num_rows for batch in matching) == 13
    cut = path.read_bytes()[:-15]
    assert sum(batch.num_rows for batch in Reader(cut).arrow_batches([])) == 25


def test_queries_on_one_frame_do_not_change_each_other(tmp_path: Path) -> None:
    path = tmp_path / "rows.pkd"
    with Writer(path, block_rows=100) as writer:
        writer.write_many({"id": n, "level": n % 3} for n in range(1000))
    frame = packord.engines.polars.scan_container(path)
    connection = duckdb.connect()
    packord.engines.duckdb.register(connection, "events", path)

    def count(query: str) -> int:
        return int(connection.sql(f"select count(*) from {query}").fetchall()[0][0])

    late, early = frame.filter(col("id") >= 900), frame.filter(col("id") < 50)
    for _ in range(2):
        assert late.collect().height == count("events where id >= 900") == 100
        assert frame.collect().height == count("events") == 1000
        assert early.collect().height == count("events where id < 50") == 50
        both = polars.concat([late, early]).select("id").collect()["id"].to_list()
        assert sorted(both) == [*range(50), *range(900, 1000)]
        assert count("(from events where id >= 900 union all from events where id < 50)") == 150
        assert late.join(frame, on="id").collect().height == 100
        assert count("events a join events b using (id) where a.id >= 900") == 100
        assert frame.join(early, on="id", how="anti").collect().height == 950
        assert count("events a anti join (from events where id < 50) b using (id)") == 950
        assert frame.filter(col("level") == 1).collect().height == count("events where level = 1")


def test_lists_that_are_all_empty_are_taken_by_engines() -> None:
    rows: list[dict[str, Any]] = [
        {"n": n, "l": [], "m": [{}], "u": n if n % 2 else 2**63 + n} for n in range(100)
    ]
    for form in FORMS:
        table = pyarrow.table(Reader(packed(rows, **form)))
        table.validate(full=True)
        assert table.schema.field("u").type == pyarrow.decimal128(20, 0)
        frame = polars.DataFrame(Reader(packed(rows, **form)))
        assert frame["l"].list.len().sum() == 0
        assert frame["u"].sum() == sum(row["u"] for row in rows)
        found = duckdb.from_arrow(table).aggregate("sum(u), sum(len(l))").fetchall()
        assert found == [(sum(row["u"] for row in rows), 0)]


def test_a_file_without_rows_is_a_table_for_engines() -> None:
    data = packed([])
    assert pyarrow.table(Reader(data)).shape == (0, 0)
    assert packord.engines.polars.scan_container(data).collect().shape == (0, 0)
    connection = duckdb.connect()
    packord.engines.duckdb.register(connection, "events", data)
    assert connection.sql("select * from events").fetchall() == []
    assert connection.sql("select count(*) from events").fetchall() == [(0,)]
    packord.engines.duckdb.register(connection, "empty", packed([{}, {}]))
    assert connection.sql("select count(*) from empty").fetchall() == [(2,)]


def test_errors_of_tables_name_the_file(tmp_path: Path) -> None:
    path = tmp_path / "damaged.pkd"
    data = bytearray(packed(ROWS, block_rows=100))
    blocks = Reader(data).blocks
    assert blocks is not None
    data[blocks[3].offset + blocks[3].size - 1] ^= 1
    path.write_bytes(data)
    ways: list[Callable[[], Any]] = [
        lambda: list(Reader(path).arrow_batches()),
        lambda: list(
            batches_of(whole_files([str(path)]), pyarrow.schema({"tags": pyarrow.null()}))
        ),
        lambda: packord.engines.polars.scan_container(path).collect(),
        lambda: pyarrow.table(Reader(path)),
        lambda: packord.engines.duckdb.read_container(duckdb.connect(), path).fetchall(),
    ]
    for way in ways:
        with pytest.raises(Exception, match=r"damaged\.pkd"):
            way()
