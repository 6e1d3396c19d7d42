"""Columns as tables of Arrow, and back, with pyarrow, polars, pandas and DuckDB as users."""

from __future__ import annotations

import datetime
import decimal
import gc
import math
import threading
from collections.abc import Callable, Iterator
from typing import Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
import vectors

import packord

COUNT = 120
PLAIN: dict[str, Any] = {}
COLUMNS: dict[str, Any] = {"columns": True}
UTC = datetime.timezone.utc
START = datetime.datetime(2024, 2, 29, tzinfo=UTC)
FORMS = pytest.mark.parametrize("form", [PLAIN, COLUMNS], ids=["plain", "columns"])

SCALARS = (type(None), bool, int, float, str, bytes)

Make = Callable[[int], Any]


def rows_of(make: Make) -> list[dict[str, Any]]:
    return [{"v": make(i), "id": 1000 + i * i, "name": f"n{i * 7}"} for i in range(COUNT)]


def packed(rows: Any, form: dict[str, Any]) -> bytes:
    return packord.packb(rows, **form)


def unpacked(data: bytes) -> Any:
    return packord.unpackb(data, **COLUMNS)


# Each with its types in Arrow: as it is, and plain.
VALUES: dict[str, tuple[Make, set[str]]] = {
    "small integers": (lambda i: i * 2, {"uint8", "int32"}),
    "negative integers": (lambda i: (i * 37) % 1000 - 500, {"int16", "int32"}),
    "integers of 64 bits": (lambda i: 2**60 + i * i, {"int64", "uint64"}),
    "integers from 2^63 up": (lambda i: 2**63 + i * i, {"uint64"}),
    "floats": (lambda i: math.sqrt(i) + 0.5, {"double"}),
    "decimal floats": (lambda i: i / 100 + 0.005, {"double"}),
    "floats and integers": (lambda i: float(i) if i % 3 == 0 else i / 7, {"double"}),
    "strings": (lambda i: f"né{i}" * (i % 3), {"string"}),
    "equal strings": (
        lambda i: ["Oslo", "Rome", "Lima"][i % 3],
        {"string", "dictionary<values=string, indices=int32, ordered=0>"},
    ),
    "booleans": (lambda i: i % 3 == 0, {"bool"}),
    "bytes": (lambda i: bytes([i, i + 1, 255][: 1 + i % 3]), {"binary"}),
    "seconds": (lambda i: START + datetime.timedelta(seconds=i), {"timestamp[s]", "timestamp[ms]"}),
    "milliseconds": (lambda i: START + datetime.timedelta(milliseconds=i * i), {"timestamp[ms]"}),
    "microseconds": (
        lambda i: START + datetime.timedelta(microseconds=i * i),
        {"timestamp[us]", "timestamp[ns]"},
    ),
    "nil": (lambda i: None, {"null"}),
    "lists": (
        lambda i: [i + j for j in range(i % 4)],
        {f"list<item: {item}>" for item in ("uint8", "int32")},
    ),
    "pairs": (
        lambda i: [i / 4 + 0.1, i * i / 8 + 0.1],
        {"list<item: double>"},
    ),
    "pairs of strings": (
        lambda i: [f"a{i}", f"b{i}"],
        {"list<item: string>"},
    ),
    "structs": (
        lambda i: {"x": i, "y": f"y{i}"},
        {f"struct<x: {x}, y: string>" for x in ("uint8", "int32")},
    ),
}  # fmt: skip


@FORMS
@pytest.mark.parametrize("some", [False, True], ids=["all", "some"])
@pytest.mark.parametrize("name", VALUES)
def test_rows_become_a_valid_table_and_come_back(
    name: str, some: bool, form: dict[str, Any]
) -> None:
    make, types = VALUES[name]
    rows = rows_of(lambda i: None if some and i % 5 == 0 else make(i))
    table = pyarrow.table(packord.to_arrow(packed(rows, form)))
    table.validate(full=True)
    assert table.num_rows == COUNT
    assert str(table.schema.field("v").type) in types
    assert table.column("v").null_count == sum(row["v"] is None for row in rows)
    assert unpacked(packord.from_arrow(table)) == rows


@FORMS
def test_missing_keys_and_nil_are_null(form: dict[str, Any]) -> None:
    rows: list[dict[str, Any]] = [{"id": i, "at": f"a{i % 9}"} for i in range(COUNT)]
    for i, row in enumerate(rows):
        if i % 4:
            row["note"] = None if i % 4 == 1 else f"note {i}"
    table = pyarrow.table(packord.to_arrow(packed(rows, form)))
    assert table.column("note").to_pylist() == [row.get("note") for row in rows]


@FORMS
def test_values_of_several_types_are_a_union(form: dict[str, Any]) -> None:
    makes: list[Make] = [lambda i: i, lambda i: f"s{i}", lambda i: None, lambda i: [i]]
    rows = rows_of(lambda i: makes[i % 4](i))
    table = pyarrow.table(packord.to_arrow(packed(rows, form)))
    table.validate(full=True)
    assert str(table.schema.field("v").type).startswith("dense_union<")
    assert table.column("v").to_pylist() == [row["v"] for row in rows]
    assert unpacked(packord.from_arrow(table)) == rows


@FORMS
def test_maps_with_other_keys_are_maps(form: dict[str, Any]) -> None:
    rows = rows_of(lambda i: {i: f"s{i}", -i - 1: "t"})
    data = packord.packb(rows, **form)
    table = pyarrow.table(packord.to_arrow(data))
    table.validate(full=True)
    assert pyarrow.types.is_map(table.schema.field("v").type)
    assert unpacked(packord.from_arrow(table)) == rows


def test_bytes_are_used_in_place() -> None:
    rows = [{"f": math.sqrt(i), "b": bytes([i % 251]) * 9} for i in range(500)]
    data = packord.packb(rows, **COLUMNS)
    begin = pyarrow.py_buffer(data).address
    table = pyarrow.table(packord.to_arrow(data))
    address = table.column("b").chunk(0).buffers()[2].address
    assert begin <= address < begin + len(data)
    copied = pyarrow.table(packord.to_arrow(memoryview(bytearray(data))))
    address = copied.column("b").chunk(0).buffers()[2].address
    assert not begin <= address < begin + len(data)
    assert copied == table


@FORMS
def test_arrays_outlive_the_message_and_the_table(form: dict[str, Any]) -> None:
    rows = rows_of(lambda i: i / 7)
    table = packord.to_arrow(packed(rows, form))
    column = pyarrow.table(table).column("v")
    held: list[Any] = [column]
    del table, column
    gc.collect()
    waste = [bytearray(b"\xff" * 4096) for _ in range(200)]
    assert held[0].to_pylist() == [row["v"] for row in rows]
    # The last owner may be a thread that has not asked for the GIL.
    thread = threading.Thread(target=held.clear)
    thread.start()
    thread.join()
    assert len(waste) == 200


def test_a_table_is_used_as_often_as_wanted_and_a_stream_once() -> None:
    table = packord.to_arrow(packed(rows_of(lambda i: i), COLUMNS))
    assert repr(table) == f"ArrowTable({COUNT} rows, 3 columns)"
    assert (table.num_rows, table.num_columns) == (COUNT, 3)
    assert pyarrow.schema(table).names == ["v", "id", "name"]
    assert pyarrow.table(table) == pyarrow.RecordBatchReader.from_stream(table).read_all()
    # Not consumed by anybody: the capsules free what is in them.
    assert 'arrow_array_stream"' in repr(table.__arrow_c_stream__())
    assert 'arrow_schema"' in repr(table.__arrow_c_schema__())

    class Once:
        capsule = table.__arrow_c_stream__(None)

        def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
            return self.capsule

    assert len(unpacked(packord.from_arrow(Once()))) == COUNT
    with pytest.raises(ValueError, match="used before"):
        packord.from_arrow(Once())


@FORMS
def test_polars_pandas_and_duckdb_read_the_table(form: dict[str, Any]) -> None:
    rows: list[dict[str, Any]] = [
        {"id": i, "town": ["Oslo", "Rome"][i % 2], "level": None if i % 3 == 0 else i / 4,
         "one": 7, "tags": [f"t{i}"] * (i % 3)}
        for i in range(COUNT)
    ]  # fmt: skip
    table_of_rows = packord.to_arrow(packed(rows, form))
    assert polars.DataFrame(table_of_rows).to_dicts() == rows
    frame = pandas.DataFrame.from_arrow(table_of_rows)
    assert frame["town"].tolist() == [row["town"] for row in rows]
    assert frame["level"].sum() == sum(row["level"] or 0 for row in rows)
    query = "select town, count(*), sum(id), sum(one), sum(level) from table_of_rows group by town order by town"
    with duckdb.connect() as connection:
        # DuckDB finds objects by the names of variables too.
        found = connection.sql(query).fetchall()
    of_town = [[row for row in rows if row["town"] == town] for town in ("Oslo", "Rome")]
    assert found == [
        (own[0]["town"], len(own), sum(row["id"] for row in own), 7 * len(own),
         sum(row["level"] or 0 for row in own))
        for own in of_town
    ]  # fmt: skip


def test_tables_of_polars_pandas_and_duckdb_are_packed() -> None:
    rows = [{"id": i, "town": ["Oslo", "Rome"][i % 2], "level": i / 4} for i in range(COUNT)]
    for table in (
        polars.DataFrame(rows),
        polars.DataFrame(rows).with_columns(polars.col("town").cast(polars.Categorical)),
        pandas.DataFrame(rows),
        pyarrow.Table.from_pylist(rows).to_reader(7),
        duckdb.from_arrow(pyarrow.Table.from_pylist(rows)),
        packord.to_arrow(packed(rows, COLUMNS)),
    ):
        data = packord.from_arrow(table)
        assert unpacked(data) == rows
        assert len(data) < len(packed(rows, PLAIN)) / 2
    assert unpacked(packord.from_arrow(polars.Series([1, None, 3]))) == [1, None, 3]


# Arrays of Arrow, and what they are in MessagePack unless that is `to_pylist`.
ARRAYS: dict[str, tuple[Any, list[Any] | None]] = {
    **{
        str(kind): (pyarrow.array([0, 1, None, 100], kind), None)
        for kind in (
            pyarrow.int8(), pyarrow.int16(), pyarrow.int32(), pyarrow.int64(),
            pyarrow.uint8(), pyarrow.uint16(), pyarrow.uint32(), pyarrow.uint64(),
            pyarrow.float16(), pyarrow.float32(), pyarrow.float64(),
        )
    },
    **{
        str(kind): (pyarrow.array(["", "né", None, "a long string of its own"], kind), None)
        for kind in (pyarrow.string(), pyarrow.large_string(), pyarrow.string_view())
    },
    **{
        str(kind): (pyarrow.array([b"", b"\0\xff", None, b"many bytes, more than 12"], kind), None)
        for kind in (pyarrow.binary(), pyarrow.large_binary(), pyarrow.binary_view())
    },
    "extremes": (pyarrow.array([-(2**63), 2**63 - 1]), None),
    "largest": (pyarrow.array([2**64 - 1], pyarrow.uint64()), None),
    "fixed binary": (pyarrow.array([b"abc", None, b"\0\0\0"], pyarrow.binary(3)), None),
    "bool": (pyarrow.array([True, None, False] * 9), None),
    "null": (pyarrow.nulls(5), None),
    **{
        f"timestamp {unit} {zone}": (
            pyarrow.array([0, -1, None, 86_400], pyarrow.timestamp(unit, zone)),
            [
                None if value is None else packord.Timestamp(*divmod(value * per, 10**9))
                for value in (0, -1, None, 86_400)
            ],
        )
        for unit, per in (("s", 10**9), ("ms", 10**6), ("us", 10**3), ("ns", 1))
        for zone in (None, "UTC", "Europe/Paris")
    },
    "date32": (
        pyarrow.array([datetime.date(2026, 11, 23), None], pyarrow.date32()),
        ["2026-11-23", None],
    ),
    "date64": (
        pyarrow.array([datetime.date(1969, 12, 31), None], pyarrow.date64()),
        ["1969-12-31", None],
    ),
    "time32": (pyarrow.array([datetime.time(20, 15), None], pyarrow.time32("s")), ["20:15:00", None]),
    "time64": (
        pyarrow.array([datetime.time(20, 15, 0, 500), None], pyarrow.time64("us")),
        ["20:15:00.0005", None],
    ),
    "duration": (
        pyarrow.array([datetime.timedelta(seconds=-1.5), None], pyarrow.duration("ms")),
        ["-PT1.5S", None],
    ),
    "decimal128": (
        pyarrow.array([decimal.Decimal("12.50"), None, decimal.Decimal("-0.01")]),
        ["12.50", None, "-0.01"],
    ),
    "decimal256": (
        pyarrow.array([decimal.Decimal(10**70)], pyarrow.decimal256(76, 0)),
        [str(10**70)],
    ),
    "decimal32": (
        pyarrow.array([decimal.Decimal("-1.5")], pyarrow.decimal32(5, 1)),
        ["-1.5"],
    ),
    **{
        str(kind): (pyarrow.array([[1, 2], [], None, [3, None]], kind), None)
        for kind in (
            pyarrow.list_(pyarrow.int8()), pyarrow.large_list(pyarrow.int8()),
            pyarrow.list_view(pyarrow.int8()), pyarrow.large_list_view(pyarrow.int8()),
        )
    },
    "fixed list": (pyarrow.array([[1, 2], None, [3, None]], pyarrow.list_(pyarrow.int8(), 2)), None),
    "struct": (pyarrow.array([{"a": 1, "b": "x"}, None, {"a": None, "b": "y"}]), None),
    "map": (
        pyarrow.array([[("a", 1)], None, []], pyarrow.map_(pyarrow.string(), pyarrow.int8())),
        [{"a": 1}, None, {}],
    ),
    "dictionary": (pyarrow.array(["a", None, "b", "a"]).dictionary_encode(), None),
    "dictionary with null": (
        pyarrow.DictionaryArray.from_arrays(pyarrow.array([0, 1, None]), pyarrow.array(["a", None])),
        None,
    ),
    "run ends": (
        pyarrow.RunEndEncodedArray.from_arrays(pyarrow.array([2, 5]), pyarrow.array(["a", None])),
        None,
    ),
    "dense union": (
        pyarrow.UnionArray.from_dense(
            pyarrow.array([0, 1, 1], pyarrow.int8()),
            pyarrow.array([0, 0, 1], pyarrow.int32()),
            [pyarrow.array([5]), pyarrow.array(["a", None])],
        ),
        None,
    ),
    "sparse union": (
        pyarrow.UnionArray.from_sparse(
            pyarrow.array([0, 1, 0], pyarrow.int8()),
            [pyarrow.array([5, 6, 7]), pyarrow.array(["a", "b", "c"])],
        ),
        None,
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", ARRAYS)
def test_every_type_of_arrow_is_packed(name: str) -> None:
    array, values = ARRAYS[name]
    values = array.to_pylist() if values is None else values
    repeated = pyarrow.chunked_array([array] * 90)
    table = pyarrow.table({"v": repeated, "id": range(len(repeated))})
    reader = packord.Decoder(**COLUMNS, timestamps="timestamp")
    for own, wanted in (
        (pyarrow.table({"v": array}), values),
        (table, values * 90),
        (table.slice(1, 200), (values * 90)[1:201]),
        (table.slice(3).combine_chunks(), (values * 90)[3:]),
    ):
        rows = reader.decode(packord.from_arrow(own))
        assert [row["v"] for row in rows] == wanted


@pytest.mark.parametrize("name", [name for name, (_, other) in ARRAYS.items() if other is None])
def test_tables_come_back_with_their_values(name: str) -> None:
    table = pyarrow.table({"v": pyarrow.chunked_array([ARRAYS[name][0]] * 90)})
    again = pyarrow.table(packord.to_arrow(packord.from_arrow(table)))
    again.validate(full=True)
    assert again.column("v").to_pylist() == table.column("v").to_pylist()


@pytest.mark.parametrize("name", [name for name in ARRAYS if name.startswith("timestamp")])
def test_instants_come_back_without_their_zone(name: str) -> None:
    table = pyarrow.table({"v": pyarrow.chunked_array([ARRAYS[name][0]] * 90)})
    found = pyarrow.table(packord.to_arrow(packord.from_arrow(table))).column("v")
    assert found.type.tz is None
    assert found.cast(pyarrow.timestamp("ns")) == table.column("v").cast(
        pyarrow.timestamp("ns", table.column("v").type.tz)
    ).cast(pyarrow.int64()).cast(pyarrow.timestamp("ns"))


def test_a_type_without_a_value_is_refused_with_column_and_format() -> None:
    months = pyarrow.array([pyarrow.MonthDayNano([1, 2, 3])])
    for table, path in (
        (pyarrow.table({"a": [1], "b": months}), "$.b"),
        (pyarrow.table({"a": pyarrow.array([{"b": None}], pyarrow.struct({"b": months.type}))}), "$.a.b"),
        (pyarrow.table({"a": pyarrow.array([[]], pyarrow.list_(months.type))}), "$.a.item"),
    ):  # fmt: skip
        with pytest.raises(packord.MsgpackEncodeError, match='"tin"') as caught:
            packord.from_arrow(table)
        assert (caught.value.kind, caught.value.path) == ("unsupported_type", path)


def test_what_is_no_table_is_refused() -> None:
    twice = pyarrow.Table.from_arrays([pyarrow.array([1]), pyarrow.array([2])], ["a", "a"])
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.from_arrow(twice)
    assert (caught.value.kind, caught.value.path) == ("duplicate_key", "$.a")
    with pytest.raises(TypeError, match="list has no __arrow_c_stream__"):
        packord.from_arrow([1])  # type: ignore[arg-type]
    for wrong in ([1], {"a": 1}, 7, [{"a": 1}, None], list(range(300))):
        for form in (PLAIN, COLUMNS):
            with pytest.raises(packord.MsgpackDecodeError) as refused:
                packord.to_arrow(packed(wrong, form))
            assert (refused.value.kind, refused.value.offset) == ("type_mismatch", 0)
    with pytest.raises(packord.MsgpackDecodeError) as refused:
        packord.to_arrow(b"\x91\x81\xa1a\xc1")
    assert (refused.value.kind, refused.value.offset) == ("reserved_marker", 4)
    with pytest.raises(TypeError):
        packord.to_arrow("text")  # type: ignore[arg-type]


def test_a_table_without_rows_is_an_empty_array() -> None:
    for empty in (pyarrow.table({"a": pyarrow.array([], pyarrow.string())}), pyarrow.table({})):
        assert packord.from_arrow(empty) == b"\x90"
    assert pyarrow.table(packord.to_arrow(b"\x90")).shape == (0, 0)


def test_an_error_of_the_producer_is_reported() -> None:
    def batches() -> Iterator[Any]:
        yield pyarrow.record_batch({"a": [1]})
        raise OSError("the disk is on fire")

    schema = pyarrow.schema({"a": pyarrow.int64()})
    reader = pyarrow.RecordBatchReader.from_batches(schema, batches())
    with pytest.raises(packord.MsgpackEncodeError, match="the disk is on fire") as caught:
        packord.from_arrow(reader)
    assert caught.value.kind == "hook_failed"


def test_expansion_is_bounded() -> None:
    data = packed([{"a": 7}] * 5000, COLUMNS)
    assert packord.to_arrow(data).num_rows == 5000
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.to_arrow(data, max_expansion=1)
    assert (caught.value.kind, caught.value.offset) == ("length_limit", 0)


def test_vectors_are_valid_tables_or_errors() -> None:
    tables = 0
    for name, case in vectors.cases("columns"):
        data = vectors.expand(case["bytes"])
        try:
            table = pyarrow.table(packord.to_arrow(data))
        except packord.MsgpackDecodeError as error:
            assert error.offset is not None, name
            continue
        table.validate(full=True)
        again = pyarrow.table(packord.to_arrow(packord.from_arrow(table)))
        rows = packord.unpackb(data, **COLUMNS)
        assert again.num_rows == table.num_rows == len(rows), name
        for column in table.column_names:
            wanted = [row.get(column) for row in rows]
            kind = table.schema.field(column).type
            if pyarrow.types.is_timestamp(kind):
                # Their values may be none of Python.
                continue
            # Decimals are packed as text.
            for own in (table, *([] if pyarrow.types.is_decimal(kind) else [again])):
                for found, value in zip(own.column(column).to_pylist(), wanted, strict=True):
                    if isinstance(value, SCALARS) and value == value:
                        assert found == value, f"{name}: {column}"
        tables += 1
    assert tables > 20
