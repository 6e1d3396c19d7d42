"""The tables of container files as batches of Arrow with one schema, and tables of Arrow written."""

from __future__ import annotations

import datetime
import decimal
import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy
import pandas
import polars
import pyarrow
import pytest
from vectors import Stream

import packord
from packord.container import Batch, Reader, Writer

UTC = datetime.timezone.utc
START = datetime.datetime(2026, 1, 1, tzinfo=UTC)


def packed(rows: Any, **options: Any) -> bytes:
    """A file in memory."""
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.write_many(rows)
    return file.getvalue()


FORMS: list[dict[str, Any]] = [
    {"columns": True},
    {"columns": False},
    {"columns": True, "codec": "none"},
]


@pytest.fixture(params=FORMS, ids=str)
def form(request: pytest.FixtureRequest) -> dict[str, Any]:
    options: dict[str, Any] = request.param
    return options


def column(values: Sequence[Any], rows_per_block: int = 10, **options: Any) -> pyarrow.ChunkedArray:
    """What a column of a file becomes whose rows have these values; ``...`` is a missing key."""
    rows = [{"n": n} if value is ... else {"n": n, "a": value} for n, value in enumerate(values)]
    table = pyarrow.table(Reader(packed(rows, block_rows=rows_per_block, **options)))
    assert table["n"].to_pylist() == list(range(len(values)))
    table.validate(full=True)
    return table["a"]


INT, FLOAT, TEXT = pyarrow.int64(), pyarrow.float64(), pyarrow.large_string()
BIG = 2**64 - 1
COLUMNS: dict[str, tuple[list[Any], Any, list[Any] | None]] = {
    "nil": ([None] * 30, pyarrow.null(), None),
    "bool": ([True, False, None] * 10, pyarrow.bool_(), None),
    "int": ([*range(100), -(2**63), 2**63 - 1], INT, None),
    "int and nil": ([*range(50), None, ..., -5], INT, [*range(50), None, None, -5]),
    "small and large blocks": ([1] * 10 + [300] * 10 + [70000] * 10 + [2**40] * 10, INT, None),
    "uint": ([2**63, BIG, None], pyarrow.uint64(), None),
    "int and uint": ([1, -5, BIG], pyarrow.decimal128(20, 0),
                     [decimal.Decimal(1), decimal.Decimal(-5), decimal.Decimal(BIG)]),
    "float": ([1.5, -0.0, float("inf"), None, 1e300] * 5, FLOAT, None),
    "scaled": ([n / 100 for n in range(100)], FLOAT, None),
    "int and float": ([1, 2.5, 2**53 + 1, BIG], FLOAT, [1.0, 2.5, 2.0**53, float(BIG)]),
    "int, then float": ([1] * 10 + [2.5] * 10, FLOAT, None),
    "str": (["Oslo", "Zürich", "", None, "x" * 1000] * 5, TEXT, None),
    "few strs": (["Oslo", "Graz"] * 50, TEXT, None),
    "bin": ([b"\x00\xff", None, b""], pyarrow.large_binary(), None),
    "ext": ([packord.Ext(5, b"x"), b"y"], pyarrow.large_binary(), [b"x", b"y"]),
    "timestamp": ([START + datetime.timedelta(seconds=n, microseconds=n) for n in range(30)],
                  pyarrow.timestamp("us"), [(START + datetime.timedelta(seconds=n, microseconds=n))
                                            .replace(tzinfo=None) for n in range(30)]),
    "old timestamp": ([packord.Timestamp(-1, 999_999_999), packord.Timestamp(0, 1)],
                      pyarrow.timestamp("us"), [datetime.datetime(1969, 12, 31, 23, 59, 59, 999_999),
                                                datetime.datetime(1970, 1, 1)]),
    "list": ([[1, 2], [], None, [3]] * 5, pyarrow.large_list(INT), None),
    "list of several": ([[1, "x"], [None]], pyarrow.large_list(TEXT), [["1", "x"], [None]]),
    "empty lists": ([[], None], pyarrow.large_list(pyarrow.null()), None),
    "struct": ([{"x": 1, "y": {"z": "q"}}, None, {"x": None}],
               pyarrow.struct({"x": INT, "y": pyarrow.struct({"z": TEXT})}),
               [{"x": 1, "y": {"z": "q"}}, None, {"x": None, "y": None}]),
    "empty maps": ([{}, None], TEXT, ["{}", None]),
    "list of structs": ([[{"x": 1}, {"x": 2, "y": 1.5}], [None]],
                        pyarrow.large_list(pyarrow.struct({"x": INT, "y": FLOAT})),
                        [[{"x": 1, "y": None}, {"x": 2, "y": 1.5}], [None]]),
    "several types": ([1, "one", 1.5, True, None, [1, {"a": b"\x01"}], START, -5],
                      TEXT, ["1", "one", "1.5", "true", None, '[1,{"a":{"$bin":"AQ=="}}]',
                             "2026-01-01T00:00:00Z", "-5"]),
    "maps of other keys": ([{"k": 1}, ["k"]], TEXT, ['{"k":1}', '["k"]']),
}  # fmt: skip


@pytest.mark.parametrize("name", COLUMNS)
def test_values_become_a_column_that_holds_them_all(name: str, form: dict[str, Any]) -> None:
    values, dtype, wanted = COLUMNS[name]
    found = column(values, **form)
    assert found.type == dtype
    wanted = [None if value is ... else value for value in values] if wanted is None else wanted
    assert repr(found.to_pylist()) == repr(wanted) or found.to_pylist() == wanted


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_are_the_same_without_an_index_and_on_several_threads(name: str) -> None:
    values, _, _ = COLUMNS[name]
    rows = [{} if value is ... else {"a": value} for value in values]
    data = packed(rows, block_rows=7)
    index = Reader(data).blocks
    assert index is not None
    cut = data[: index[-1].offset + index[-1].size]
    whole = pyarrow.table(Reader(data))
    assert Reader(cut).schema is None
    for source, threads in ((cut, 1), (cut, 3), (data, 3)):
        assert pyarrow.table(Reader(source, threads=threads)).equals(whole)


@pytest.mark.parametrize("name", COLUMNS)
def test_missing_keys_are_null_in_columns_of_every_type(name: str, form: dict[str, Any]) -> None:
    values, dtype, _ = COLUMNS[name]
    dense = column([None if value is ... else value for value in values]).to_pylist()
    chosen = random.Random(name)
    rows: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    # So often that each key has each value.
    times = 400 // len(values)
    for value, read in zip(values * times, dense * times, strict=True):
        # Rows of many shapes, also some without any of the keys.
        keys = [key for key in "abcd" if chosen.random() < 0.5]
        rows.append(dict.fromkeys(keys, None if value is ... else value))
        expected.append({key: read if key in keys else None for key in "abcd"})
    table = pyarrow.table(Reader(packed(rows, block_rows=50, **form)))
    table.validate(full=True)
    for key in "abcd":
        assert table[key].type == dtype
        assert repr(table[key].to_pylist()) == repr([row[key] for row in expected])


def test_rows_with_few_of_many_keys_are_read_by_column_as_one_by_one() -> None:
    chosen = random.Random(5)
    kinds = [values for values, _, _ in COLUMNS.values()]
    rows: list[dict[str, Any]] = []
    for _ in range(600):
        keys = chosen.sample(range(10 * len(kinds)), chosen.randrange(8))
        rows.append({
            f"k{key}": value
            for key in keys
            if (value := chosen.choice(kinds[key % len(kinds)])) is not ...
        })  # fmt: skip
    columns = packord.columns_of(packord.packb(rows, columns=True))
    stored = columns.column("[]")
    assert stored is not None
    assert stored.kind == "map"
    by_column = Reader(packed(rows, block_rows=250))
    one_by_one = Reader(packed(rows, block_rows=250, columns=False))
    table = pyarrow.table(by_column)
    table.validate(full=True)
    assert table.schema == pyarrow.schema(one_by_one)
    expected = [pyarrow.record_batch(batch) for batch in one_by_one.arrow_batches()]
    assert [batch.num_rows for batch in expected] == [250, 250, 100]
    # By text, in which NaN is NaN and -0.0 is not 0.0.
    assert repr(table.to_pylist()) == repr(pyarrow.Table.from_batches(expected).to_pylist())
    some = ["k7", "k31", "k0"]
    assert pyarrow.table(by_column.arrow_batches(some)).equals(table.select(some))
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(by_column.arrow_batches(schema={"k2": (("float",), True), "k3": (("bool",), True)}))
    found = (caught.value.kind, caught.value.path)
    first = next(at for at, row in enumerate(rows[:250]) if row.get("k3") is not None)
    assert found == ("type_mismatch", f"$[{first}].k3")


def test_of_keys_in_a_map_twice_the_last_one_is_read_by_column() -> None:
    # 40 rows of 8 among 300 keys, each of which also has "a" twice, and half of them a key that is
    # not a string.
    rows = [
        b"\x8a\xa1a\x01"
        + b"".join(packord.packb(f"key {7 * n + k}") + b"\x01" for k in range(7))
        + b"\xa1a\x02"
        + (packord.packb(f"{n}") if n % 2 else packord.packb(n % 4))
        + b"\x03"
        for n in range(40)
    ]
    for chosen in (rows, rows[1::2] * 2):
        file = io.BytesIO()
        with Writer(file) as writer:
            for row in chosen:
                writer.write_packed(row)
        assert (
            pyarrow.table(Reader(file.getvalue()).arrow_batches(["a"]))["a"].to_pylist() == [2] * 40
        )


def test_blocks_are_batches_and_columns_are_chosen() -> None:
    rows = [{"a": n, "b": str(n), "c": None} for n in range(250)]
    reader = Reader(packed(rows, block_rows=100))
    batches = list(reader.arrow_batches())
    assert [batch.num_rows for batch in batches] == [100, 100, 50]
    assert all(isinstance(batch, Batch) and batch.num_columns == 3 for batch in batches)
    assert repr(batches[0]) == "<packord.container.Batch of 100 rows, 3 columns>"
    record_batches = [pyarrow.record_batch(batch) for batch in reader.arrow_batches(["b", "a"])]
    assert record_batches[2].to_pylist()[-1] == {"b": "249", "a": 249}
    assert record_batches[2].schema.names == ["b", "a"]
    some = [pyarrow.record_batch(batch) for batch in reader.arrow_batches(["a"], blocks=[2, 0])]
    assert [batch.num_rows for batch in some] == [100, 50]
    assert some[1]["a"].to_pylist() == list(range(200, 250))
    none = list(reader.arrow_batches([]))
    assert [pyarrow.record_batch(batch).num_columns for batch in none] == [0] * 3
    assert list(reader.arrow_batches(blocks=[])) == []
    with pytest.raises(ValueError, match="'d'|\"d\""):
        reader.arrow_batches(["a", "d"])
    with pytest.raises(IndexError):
        reader.arrow_batches(blocks=[3])
    with pytest.raises(ValueError, match="index"):
        Reader(Stream(packed(rows))).arrow_batches(blocks=[0])


def test_a_batch_is_used_as_often_as_wanted_and_outlives_its_reader() -> None:
    reader = Reader(packed([{"a": n, "s": f"text {n}"} for n in range(1000)]))
    (batch,) = reader.arrow_batches()
    del reader
    one, other = pyarrow.record_batch(batch), pyarrow.table(batch)
    frame = polars.DataFrame(batch)
    del batch
    assert one.to_pylist() == other.to_pylist() == frame.to_dicts()
    assert one["s"][999].as_py() == "text 999"


def test_what_is_left_of_a_pass_is_one_stream() -> None:
    reader = Reader(packed([{"a": n} for n in range(100)], block_rows=10))
    batches = reader.arrow_batches()
    next(batches)
    rest = pyarrow.RecordBatchReader.from_stream(batches)
    assert rest.schema == pyarrow.schema({"a": pyarrow.int64()})
    assert [batch.num_rows for batch in rest] == [10] * 9
    assert list(batches) == []
    assert pyarrow.table(batches).num_rows == 0
    assert pyarrow.schema(reader) == rest.schema


def test_conditions_hold_for_tables_too() -> None:
    rows = [{"a": n, "b": None if n % 2 else n} for n in range(1000)]
    data = packed(rows, block_rows=100)
    reader = Reader(data, where=[("a", ">=", 850), ("b", "is_not_null")])
    assert pyarrow.table(reader).to_pylist() == [row for row in rows[850:] if row["b"] is not None]
    assert reader.blocks_read == 2
    pruned = Reader(data, prune=[("a", ">=", 850)])
    assert pyarrow.table(pruned).num_rows == 200
    splits = Reader(data).splits(3)
    parts = [pyarrow.table(Reader(data, split=split)) for split in splits]
    assert pyarrow.concat_tables(parts).to_pylist() == rows


def test_messages_are_not_part_of_the_table(tmp_path: Path) -> None:
    path = tmp_path / "both.pkd"
    with Writer(path, messages=True) as writer:
        writer.write_many(["a message", 5])
    with Writer(path, append=True) as writer:
        writer.write_many([{"a": 1}, {"a": 2}])
    assert list(Reader(path)) == ["a message", 5, {"a": 1}, {"a": 2}]
    assert pyarrow.table(Reader(path)).to_pylist() == [{"a": 1}, {"a": 2}]


SCHEMA = pyarrow.schema({
    "i8": pyarrow.int8(), "u8": pyarrow.uint8(), "i16": pyarrow.int16(), "u16": pyarrow.uint16(),
    "i32": pyarrow.int32(), "u32": pyarrow.uint32(), "i64": pyarrow.int64(), "u64": pyarrow.uint64(),
    "f32": pyarrow.float32(), "f64": pyarrow.float64(), "s": pyarrow.string(), "b": pyarrow.binary(),
    "seconds": pyarrow.timestamp("s"), "millis": pyarrow.timestamp("ms", "UTC"),
    "nanos": pyarrow.timestamp("ns", "Europe/Oslo"), "text": pyarrow.timestamp("us"),
    "date": pyarrow.date32(), "dec": pyarrow.decimal128(12, 3), "list": pyarrow.list_(pyarrow.int32()),
    "map": pyarrow.map_(pyarrow.string(), pyarrow.int64()), "none": pyarrow.null(),
    "st": pyarrow.struct({"x": pyarrow.int16()}), "missing": pyarrow.int32(),
})  # fmt: skip
GIVEN = {
    "i8": -128, "u8": 255, "i16": -32768, "u16": 65535, "i32": -(2**31), "u32": 2**32 - 1,
    "i64": -(2**63), "u64": BIG, "f32": 1, "f64": 1.5, "s": [1], "b": "text",
    "seconds": packord.Timestamp(-1, 999), "millis": packord.Timestamp(1, 999_999_999),
    "nanos": packord.Timestamp(1, 1), "text": "2026-01-02T03:04:05.5+01:00", "date": "2024-02-29",
    "dec": "-12.50", "list": [1, None], "map": {"k": 1, "l": None}, "none": None, "st": {"x": 1, "y": 2},
}  # fmt: skip


def test_a_schema_of_arrow_says_the_types(form: dict[str, Any]) -> None:
    data = packed([GIVEN, dict.fromkeys(GIVEN), {}] * 10, **form)
    for threads in (1, 2):
        batches = Reader(data, threads=threads).arrow_batches(schema=SCHEMA)
        table = pyarrow.table(batches)
        assert table.schema == SCHEMA
        table.validate(full=True)
        first, second, third = table.slice(0, 3).to_pylist()
        assert second == third == dict.fromkeys(SCHEMA.names)
        nanos = table["nanos"].cast(pyarrow.int64())[0].as_py()
        assert nanos == 1_000_000_001
        del first["nanos"]
        assert first == {
            **{name: value for name, value in GIVEN.items() if name != "nanos"},
            "s": "[1]",
            "b": b"text",
            "seconds": datetime.datetime(1969, 12, 31, 23, 59, 59),
            "millis": datetime.datetime(1970, 1, 1, 0, 0, 1, 999_000, tzinfo=UTC),
            "text": datetime.datetime(2026, 1, 2, 2, 4, 5, 500_000),
            "date": datetime.date(2024, 2, 29),
            "dec": decimal.Decimal("-12.500"),
            "map": [("k", 1), ("l", None)],
            "st": {"x": 1},
            "missing": None,
        }


def test_strings_and_bytes_are_views_if_a_schema_says_so(form: dict[str, Any]) -> None:
    texts = ["", "Oslo", "Zürich", "x" * 12, "y" * 13, None, "z" * 1000]
    rows = [
        {
            "few": texts[n % 7],
            "many": f"{n:02}" * (n % 40),
            "short": f"{n % 60}",
            "same size": f"2026-01-01T00:{n % 60:02}:00Z",
            "bin": None if n % 5 == 0 else bytes([n % 256]) * (n % 17),
            "few bins": b"a" if n % 2 else b"b" * 20,
            "list": [texts[m % 7] for m in range(n % 4)],
            "map": {"name": f"{n}" * 9},
            "mixed": [n, f"{n}", None, [n] * 9][n % 4],
            "missing": None,
            "sometimes": "there",
        }
        for n in range(700)
    ]
    del rows[3]["sometimes"]
    data = packed(rows, block_rows=300, **form)
    large = pyarrow.table(Reader(data))
    view, binary = pyarrow.string_view(), pyarrow.binary_view()
    types = {
        **dict.fromkeys(large.column_names, view),
        "bin": binary,
        "few bins": binary,
        "list": pyarrow.large_list(view),
        "map": pyarrow.struct({"name": view}),
    }
    schema = pyarrow.schema(types)
    found = pyarrow.table(Reader(data).arrow_batches(schema=schema))
    found.validate(full=True)
    assert found.schema == schema
    assert found.to_pylist() == large.to_pylist()
    for name in types:
        one = pyarrow.table(Reader(data).arrow_batches([name], schema=schema))
        one.validate(full=True)
        assert one[name].to_pylist() == large[name].to_pylist()
    # Views and other strings in one table.
    both = pyarrow.schema({"few": view, "map": pyarrow.struct({"name": TEXT}), "many": TEXT})
    found = pyarrow.table(Reader(data).arrow_batches(schema=both))
    assert found.to_pylist() == large.select(both.names).to_pylist()


def test_dates_and_decimals_come_back_from_text_and_ext() -> None:
    dates = pyarrow.array([datetime.date(1, 1, 1), datetime.date(9999, 12, 31), None])
    decimals = pyarrow.array([decimal.Decimal("-0.001"), decimal.Decimal("123"), None])
    schema = pyarrow.schema({"d": pyarrow.date32(), "n": pyarrow.decimal128(38, 3)})
    table = pyarrow.table({"d": dates, "n": decimals.cast(schema.field("n").type)})
    file = io.BytesIO()
    with Writer(file) as writer:
        assert writer.write_arrow(table) == 3
    assert pyarrow.table(Reader(file.getvalue()).arrow_batches(schema=schema)).equals(table)
    exact = packed(table.to_pylist(), rich=True)
    assert pyarrow.table(Reader(exact).arrow_batches(schema=schema)).equals(table)


@pytest.mark.parametrize(
    ("value", "dtype", "kind"),
    [
        (128, pyarrow.int8(), "out_of_range"),
        (-1, pyarrow.uint64(), "out_of_range"),
        (BIG, pyarrow.int64(), "out_of_range"),
        (1.0, pyarrow.int64(), "type_mismatch"),
        ("1", pyarrow.int64(), "type_mismatch"),
        (1, pyarrow.bool_(), "type_mismatch"),
        ("x", pyarrow.float64(), "type_mismatch"),
        (1, pyarrow.binary(), "type_mismatch"),
        ("yesterday", pyarrow.timestamp("us"), "type_mismatch"),
        (packord.Timestamp(2**60, 0), pyarrow.timestamp("ns"), "out_of_range"),
        ("2026-02-30", pyarrow.date32(), "type_mismatch"),
        ("1.2345", pyarrow.decimal128(10, 3), "type_mismatch"),
        (10**9, pyarrow.decimal128(10, 3), "out_of_range"),
        (5, pyarrow.list_(pyarrow.int8()), "type_mismatch"),
        ({}, pyarrow.list_(pyarrow.int8()), "type_mismatch"),
        ([], pyarrow.struct({"x": pyarrow.int8()}), "type_mismatch"),
        (5, pyarrow.null(), "type_mismatch"),
    ],
    ids=str,
)
def test_values_of_another_type_than_given_are_reported(
    value: Any, dtype: Any, kind: str, form: dict[str, Any]
) -> None:
    data = packed([{"a": None}] * 9 + [{"a": value}], **form)
    blocks = Reader(data).blocks
    assert blocks is not None
    batches = Reader(data).arrow_batches(schema=pyarrow.schema({"a": dtype}))
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(batches)
    assert (caught.value.kind, caught.value.offset) == (kind, blocks[0].offset + 18)
    assert caught.value.path in ("$[9].a", "$.a")
    with pytest.raises((OSError, pyarrow.ArrowInvalid), match=kind):
        pyarrow.table(Reader(data).arrow_batches(schema=pyarrow.schema({"a": dtype})))


def test_types_that_no_column_has_are_refused() -> None:
    reader = Reader(packed([{"a": 1}]))
    for dtype in (pyarrow.time64("us"), pyarrow.dictionary(pyarrow.int8(), pyarrow.string()),
                  pyarrow.list_view(TEXT), pyarrow.decimal256(50, 2), pyarrow.float16()):  # fmt: skip
        with pytest.raises(ValueError, match="Arrow"):
            reader.arrow_batches(schema=pyarrow.schema({"a": dtype}))
    for thing in (5, "a", ["a"]):
        with pytest.raises(TypeError):
            reader.arrow_batches(schema=thing)  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="whole"):
        reader.arrow_batches(schema={"a": (("whole",), True)})
    given = reader.arrow_batches(schema={"a": (("float",), True), "b": (("str",), True)})
    assert pyarrow.table(given).to_pylist() == [{"a": 1.0, "b": None}]


def test_rows_that_are_not_maps_are_not_a_table() -> None:
    data = packed([{"a": 1}, [2]])
    with pytest.raises(packord.MsgpackDecodeError, match="must be a map") as caught:
        pyarrow.schema(Reader(data))
    assert (caught.value.kind, caught.value.path) == ("type_mismatch", "$[1]")
    schema = pyarrow.schema({"a": pyarrow.int64()})
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(Reader(data).arrow_batches(schema=schema))
    assert (caught.value.kind, caught.value.path) == ("type_mismatch", "$[1]")
    with pytest.raises(ValueError, match="schema"):
        Reader(io.BufferedReader(Stream(packed([{"a": 1}])))).arrow_batches()
    found = Reader(io.BufferedReader(Stream(packed([{"a": 1}])))).arrow_batches(schema=schema)
    assert pyarrow.table(found).to_pylist() == [{"a": 1}]
    assert pyarrow.table(Reader(packed([]))).num_columns == 0


def test_names_that_no_path_has_are_columns_all_the_same() -> None:
    rows = [{"a.b": n, "": n, "x[]": [n], "{y}": str(n), 5: n, "z": n} for n in range(100)]
    data = packed(rows)
    assert Reader(data).schema is None
    table = pyarrow.table(Reader(data))
    assert table.to_pylist() == [
        {name: value for name, value in row.items() if isinstance(name, str)} for row in rows
    ]
    with pytest.raises(ValueError, match="name"):
        pyarrow.schema(Reader(packed([{"a\0b": 1}])))


def test_a_key_that_is_there_twice_counts_last() -> None:
    file = io.BytesIO()
    with Writer(file) as writer:
        writer.write_packed(b"\x82\xa1a\x01\xa1a\x02")
    assert pyarrow.table(Reader(file.getvalue())).to_pylist() == [{"a": 2}]


def test_sparse_rows_become_batches_of_bounded_size() -> None:
    rows = [{f"key {n % 900}": n} for n in range(20_000)]
    reader = Reader(packed(rows))
    sizes = [batch.num_rows for batch in reader.arrow_batches()]
    assert sum(sizes) == len(rows)
    assert max(sizes) * 900 < 2 << 22
    table = pyarrow.table(reader)
    assert table["key 7"].drop_null().to_pylist() == list(range(7, 20_000, 900))


def test_damaged_blocks_are_passed_over_in_tables() -> None:
    data = bytearray(packed([{"a": n} for n in range(1000)], block_rows=100, codec="deflate"))
    blocks = Reader(data).blocks
    assert blocks is not None
    data[blocks[3].offset + blocks[3].size - 1] ^= 1
    for threads in (1, 4):
        reader = Reader(data, on_bad_block="skip", threads=threads)
        table = pyarrow.table(reader)
        assert table["a"].to_pylist() == [*range(300), *range(400, 1000)]
        ((start, stop, error),) = reader.damaged
        assert (start, stop) == (blocks[3].offset, blocks[3].offset + blocks[3].size)
        assert error.kind == "invalid_container"
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            list(Reader(data, threads=threads).arrow_batches())
        assert caught.value.offset == blocks[3].offset + 18


def test_json_of_any_value_is_json() -> None:
    words = ["plain", 'quo"te\\', "tab\tline\n\r\x01", "Zürich 🎉", "", "$bin", "$$ext", "$key:1"]
    generator = random.Random(5)

    def value(depth: int) -> Any:
        choices: list[Any] = [None, True, 1, -(2**40), BIG, 1.5, 1e300, *words]
        if depth and generator.random() < 0.5:
            size = generator.randrange(4)
            if generator.random() < 0.5:
                return [value(depth - 1) for _ in range(size)]
            return {generator.choice(words[:5]): value(depth - 1) for _ in range(size)}
        return generator.choice(choices)

    values = [value(5) for _ in range(500)] + ["a str", 5]
    found = column(values, rows_per_block=50)
    assert found.type == TEXT
    for text, original in zip(found.to_pylist(), values, strict=True):
        if original is None or isinstance(original, str):
            assert text == original
        else:
            assert json.loads(text) == original


def test_tables_of_arrow_are_written() -> None:
    table = pyarrow.table({
        "i": pyarrow.array([*range(20_000)], pyarrow.int32()),
        "s": pyarrow.array([None if n % 7 == 0 else f"text {n}" for n in range(20_000)]).dictionary_encode(),
        "l": pyarrow.array([[n, None] for n in range(20_000)]),
        "t": pyarrow.array([START] * 20_000, pyarrow.timestamp("us", "UTC")),
    })  # fmt: skip
    rows = table.to_pylist()
    for given in (table, table.to_batches(max_chunksize=777)[3], table.slice(19_000, 500),
                  polars.DataFrame(table), table.to_reader(max_chunksize=5000)):  # fmt: skip
        file = io.BytesIO()
        with Writer(file) as writer:
            count = writer.write_arrow(given)
        found = list(Reader(file.getvalue()))
        first = found[0]["i"]
        assert found == rows[first : first + count]
    with pytest.raises(TypeError, match="__arrow_c_stream__"):
        Writer(io.BytesIO()).write_arrow(5)  # type: ignore[arg-type]
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        Writer(io.BytesIO()).write_arrow(
            pyarrow.table({"a": pyarrow.array([None], pyarrow.month_day_nano_interval())})
        )
    assert caught.value.kind == "unsupported_type"
    frame = pandas.DataFrame({"x": numpy.arange(5), "y": list("abcde")})
    file = io.BytesIO()
    with Writer(file) as writer:
        assert writer.write_arrow(frame) == 5
    assert list(Reader(file.getvalue())) == frame.to_dict("records")


def test_an_error_of_the_producer_is_reported() -> None:
    def batches() -> Any:
        yield pyarrow.record_batch({"a": [1]})
        raise ValueError("the producer failed")

    reader = pyarrow.RecordBatchReader.from_batches(
        pyarrow.schema({"a": pyarrow.int64()}), batches()
    )
    with pytest.raises(ValueError, match="the producer failed"):
        Writer(io.BytesIO()).write_arrow(reader)
