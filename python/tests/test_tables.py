"""Tables of pandas, polars and pyarrow, within messages and alone."""

from __future__ import annotations

import datetime
import decimal
import io
import uuid
from typing import Any

import numpy
import pandas
import polars
import polars.testing
import pyarrow
import pytest

import packord
from packord.container import Writer
from packord.integrations import tables

DAY = datetime.date(2024, 2, 29)
NANOSECONDS = pandas.DatetimeIndex(["2024-01-01 00:00:00.123456789", "1960-05-05", "NaT"])
COLUMNS = {
    "integers": numpy.array([1, -2, 3], "i8"),
    "small": numpy.array([1, 2, 3], "u1"),
    "floats": [1.5, numpy.nan, -0.0],
    "halves": numpy.array([1, 2, 3], "f4"),
    "booleans": [True, False, True],
    "complex": [1j, 2, numpy.nan],
    "strings": ["a", None, "é"],
    "nanoseconds": NANOSECONDS,
    "seconds": NANOSECONDS.as_unit("s"),
    "durations": pandas.to_timedelta(["1ns", "2 days", None]),
    "zoned": NANOSECONDS.tz_localize("Europe/Berlin"),
    "utc": NANOSECONDS.tz_localize("UTC").as_unit("ms"),
    "offset": NANOSECONDS.tz_localize(datetime.timezone(datetime.timedelta(hours=5, minutes=30))),
    "categories": pandas.Categorical(["b", None, "a"], categories=["c", "b", "a"]),
    "ordered": pandas.Categorical([3, 1, 3], categories=[3, 2, 1], ordered=True),
    "categories of dates": pandas.Categorical(NANOSECONDS),
    "missing integers": pandas.array([1, None, 2**62], dtype="Int64"),
    "missing small": pandas.array([1, None, 2], dtype="UInt8"),
    "missing floats": pandas.array([1.5, None, 2], dtype="Float32"),
    "missing booleans": pandas.array([True, None, False], dtype="boolean"),
    "text": pandas.array(["x", None, ""], dtype="string"),
    "text of python": pandas.array(["x", None, ""], dtype=pandas.StringDtype("python")),
    "periods": pandas.PeriodIndex(["2024-01", "2024-02", "NaT"], freq="M"),
    "intervals": pandas.IntervalIndex.from_breaks([0, 1, 2, 3], closed="left"),
    "arrow": pandas.array(
        [[1], None, [2, 3]], dtype=pandas.ArrowDtype(pyarrow.list_(pyarrow.int8()))
    ),
    "objects": numpy.array([1, "a", None], object),
    "numbers and nothing": numpy.array([1, None, numpy.nan], object),
    "python": numpy.array([DAY, decimal.Decimal("1.50"), uuid.UUID(int=5)], object),
    "objects of text": pandas.Series(["x", "y", "z"], dtype=object),
    "text and nothing": pandas.Series(["x", None, numpy.nan], dtype=object),
    "nothing but nothing": pandas.Series([None] * 3, dtype=object),
    "nested": pandas.Series([[1, [2]], {"a": 2**70}, b"x"], dtype=object),
    "arrays": pandas.Series([numpy.arange(3, dtype="i2"), numpy.zeros((2, 2)), None], dtype=object),
}
INDEXES = {
    "range": pandas.RangeIndex(5, 11, 2, name="r"),
    "integers": pandas.Index([3, 1, 3], name="twice"),
    "strings": pandas.Index(["a", "b", "c"]),
    "objects": pandas.Index([1, "a", None], dtype=object, name=("a", 1)),
    "dates": pandas.date_range("2024-01-01", periods=3, freq="D", name="day"),
    "hours": pandas.date_range("2024-03-30", periods=3, freq="2h", tz="Europe/Berlin"),
    "no frequency": NANOSECONDS,
    "durations": pandas.timedelta_range("1 day", periods=3, freq="h"),
    "periods": pandas.period_range("2024-01", periods=3, freq="Q"),
    "intervals": pandas.interval_range(0, 3),
    "categories": pandas.CategoricalIndex(["a", "b", "a"], ordered=True),
    "levels": pandas.MultiIndex.from_tuples([("a", 1), ("a", 2), ("b", 1)], names=["x", None]),
    "levels with gaps": pandas.MultiIndex.from_arrays([["a", None, "b"], NANOSECONDS]),
}


def back(table: Any) -> Any:
    data = packord.packb({"t": table}, default=tables.default)
    assert tables.unpack_table(tables.pack_table(table)) is not None
    return packord.unpackb(data, ext_hook=tables.ext_hook)["t"]


def same_frame(frame: pandas.DataFrame) -> None:
    pandas.testing.assert_frame_equal(back(frame), frame, check_exact=True, check_column_type=True)
    assert back(frame).dtypes.equals(frame.dtypes)
    assert type(back(frame).index) is type(frame.index)


@pytest.mark.parametrize("name", COLUMNS)
def test_columns_of_pandas_come_back(name: str) -> None:
    values = COLUMNS[name]
    if name != "arrays":
        same_frame(pandas.DataFrame({"a": values, "b": [1, 2, 3]}))
        same_frame(pandas.DataFrame({"a": values}).iloc[:0])
        same_frame(pandas.DataFrame({"a": values}).iloc[::-1])
        series = pandas.Series(values, name=("a", 5))
        pandas.testing.assert_series_equal(back(series), series, check_exact=True)
    for left, right in zip(back(pandas.Series(values)), pandas.Series(values), strict=True):
        assert type(left) is type(right)
        assert repr(left) == repr(right)


@pytest.mark.parametrize("name", INDEXES)
def test_indexes_of_pandas_come_back(name: str) -> None:
    index = INDEXES[name]
    pandas.testing.assert_index_equal(back(index), index, exact=True)
    assert getattr(back(index), "freq", None) == getattr(index, "freq", None)
    same_frame(pandas.DataFrame({"a": [1.5, 2.5, 3.5]}, index=index))
    if name != "range":
        same_frame(pandas.DataFrame([[1, 2, 3]], columns=index))
    same_frame(pandas.DataFrame(index=index))
    same_frame(pandas.DataFrame(index=index[:0]))


def test_frames_of_every_shape_come_back() -> None:
    same_frame(pandas.DataFrame())
    same_frame(pandas.DataFrame(columns=["a", "b"]))
    same_frame(pandas.DataFrame([[1, "x", 2.5]], columns=["a", "a", "a"]))
    same_frame(pandas.DataFrame([[1, 2]], columns=[1, "1"]))
    same_frame(
        pandas.DataFrame([[1, 2]], columns=pandas.MultiIndex.from_tuples([("a", 1), ("a", 1)]))
    )
    frame = pandas.DataFrame({"a": [1]})
    frame.attrs = {"unit": "m", "n": [1, 2]}
    assert back(frame).attrs == frame.attrs
    again = back(frame)
    again.loc[0, "a"] = 5
    assert again["a"].tolist() == [5]


@pytest.mark.parametrize(
    "values",
    [
        pandas.Series([(1, 2)], dtype=object),
        pandas.Series([pandas.Timestamp(0)], dtype=object),
        pandas.Series([pandas.NaT], dtype=object),
        pandas.Series([object()]),
        pandas.Series([numpy.float64(1)], dtype=object),
        pandas.arrays.SparseArray([0, 0, 1]),
    ],
)
def test_what_would_come_back_changed_is_refused(values: Any) -> None:
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb([pandas.DataFrame({"a": values})], default=tables.default)
    assert caught.value.path == "$[0]"


def test_tables_of_polars_come_back() -> None:
    frame = polars.DataFrame(
        {
            "a": [1, None],
            "s": ["x", None],
            "c": polars.Series(["u", "v"], dtype=polars.Categorical),
            "e": polars.Series(["u", "v"], dtype=polars.Enum(["v", "u"])),
            "day": [DAY, DAY],
            "time": [datetime.time(1, 2, 3), None],
            "duration": [datetime.timedelta(1), None],
            "zoned": polars.Series(
                [datetime.datetime(2020, 1, 1)] * 2, dtype=polars.Datetime("ns", "Asia/Tokyo")
            ),
            "decimal": [decimal.Decimal("1.50"), None],
            "list": [[1], [2, 3]],
            "array": polars.Series([[1, 2], [3, 4]], dtype=polars.Array(polars.Int8, 2)),
            "struct": [{"x": 1, "y": ["z"]}, {"x": 2, "y": []}],
            "bytes": [b"a", None],
            "nothing": [None, None],
            "wide": polars.Series([1, 2**100], dtype=polars.Int128),
        }
    )
    for table in (frame, frame.clear(), frame.reverse(), polars.DataFrame()):
        polars.testing.assert_frame_equal(back(table), table)
        assert back(table).schema == table.schema
    for series in frame:
        polars.testing.assert_series_equal(back(series), series)


def test_objects_in_a_table_of_polars_are_no_bytes() -> None:
    column = polars.Series("o", [object()], polars.Object)
    frame = polars.DataFrame([polars.Series("n", [1]), column])
    for table, path in ((frame, "$.o"), (frame.clear(), "$.o"), (column, "$")):
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            tables.pack_table(table)
        assert caught.value.kind == "unsupported_type"
        for pack in (packord.from_arrow, tables.pack_rows, Writer(io.BytesIO()).write_arrow):
            with pytest.raises(packord.MsgpackEncodeError, match="column of objects") as caught:
                pack(table)
            assert (caught.value.kind, caught.value.path) == ("unsupported_type", path)

    class Named(polars.BaseExtension):
        pass

    extended = column.ext.to(Named("named", polars.Object))
    for pack in (tables.pack_table, packord.from_arrow):
        with pytest.raises(packord.MsgpackEncodeError):
            pack(extended)


def test_tables_of_arrow_come_back() -> None:
    table = pyarrow.table(
        {
            "a": pyarrow.chunked_array([[1], [None, 3]], pyarrow.int16()),
            "d": pyarrow.array(["x", "y", "x"]).dictionary_encode(),
            "l": pyarrow.array([[1], None, []], pyarrow.large_list(pyarrow.float32())),
            "t": pyarrow.array([1, 2, None], pyarrow.timestamp("ns", "Europe/Berlin")),
        },
        metadata={"k": "v"},
    )
    for each in (table, table.slice(1), table.slice(3)):
        assert back(each).equals(each, check_metadata=True)
    batch = table.to_batches()[0]
    assert back(batch).equals(pyarrow.Table.from_batches([batch]))

    class Other:
        def __arrow_c_stream__(self, requested_schema: Any = None) -> Any:
            return table.__arrow_c_stream__(requested_schema)

    assert back(Other()).equals(table)


def test_rows() -> None:
    rows = [{"a": 1, "s": "x"}, {"a": 2, "s": None}]
    for table in (pandas.DataFrame(rows), polars.DataFrame(rows), pyarrow.Table.from_pylist(rows)):
        assert packord.unpackb(tables.pack_rows(table)) == rows
        records = tables.pack_rows(table, records=True)
        assert packord.unpackb(records, records=True) == rows


def test_missing_values_are_nil() -> None:
    values = {"id": [1, 2], "name": ["a", None], "x": [1.5, float("nan")], "ok": [True, False]}
    moments = [datetime.datetime(2020, 1, 1), pandas.NaT]
    frame = pandas.DataFrame({**values, "at": moments})
    assert packord.unpackb(tables.pack_rows(frame)) == [
        {"id": 1, "name": "a", "x": 1.5, "ok": True, "at": "2020-01-01T00:00:00"},
        {"id": 2, "name": None, "x": None, "ok": False, "at": None},
    ]


def test_rows_keep_what_a_column_has() -> None:
    twice = pandas.DataFrame([[1, 2]], columns=["a", "a"])
    for table in (twice, pyarrow.table([[1], [2]], names=["a", "a"])):
        with pytest.raises((ValueError, TypeError), match=r"two columns|key occurs twice"):
            tables.pack_rows(table)
    zoned = pandas.DataFrame({"at": NANOSECONDS[:1].tz_localize("Europe/Berlin")})
    nanoseconds = packord.Timestamp(1704063600, 123456789)
    for table in (zoned, polars.DataFrame(zoned), pyarrow.Table.from_pandas(zoned)):
        assert packord.unpackb(tables.pack_rows(table)) == [{"at": nanoseconds}]


@pytest.mark.parametrize(
    "content",
    [
        None, [], ["frame"], ["frame", None], ["frame", [1, 2, 3, 4]], ["elsewhere", []], ["arrow", b""],
        ["arrow", b"\xff" * 64], ["arrow", None], ["polars", b"\xff" * 64], ["polars", 5],
        ["index", ["range", 0, 1, 0, [False, None]]], ["index", ["array", ["numpy", 5], [False, None], None]],
        ["index", ["array", ["pickled", b""], [False, None], None]],
        ["series", [["masked", 1, 2], ["range", 0, 1, 1, [False, None]], [False, None], {}]],
        ["frame", [["range", 0, 2, 1, [False, None]], ["range", 0, 1, 1, [False, None]], [], {}]],
    ],
)  # fmt: skip
def test_hostile_tables_are_refused(content: Any) -> None:
    data = packord.packb([packord.Ext(tables.TABLE, packord.packb(content))])
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, ext_hook=tables.ext_hook)
    assert (caught.value.kind, caught.value.offset) == ("hook_failed", 1)
    other = packord.Ext(5, b"x")
    assert packord.unpackb(packord.packb(other), ext_hook=tables.ext_hook) == other
    with pytest.raises(packord.MsgpackEncodeError):
        packord.packb(object(), default=tables.default)


def test_damaged_tables_are_refused() -> None:
    """Each table with a byte changed is read, or refused with the error of packord."""
    text = {"a": ["x", None, "yy"]}
    frame = pandas.DataFrame(COLUMNS, index=INDEXES["levels"])
    for table in (frame, pyarrow.table(text), polars.DataFrame(text)):
        data = bytearray(packord.packb(table, default=tables.default))
        for place in range(6, len(data), 7):
            kept, data[place] = data[place], data[place] ^ 0x5A
            try:
                packord.unpackb(bytes(data), ext_hook=tables.ext_hook)
            except packord.MsgpackDecodeError:
                pass
            data[place] = kept
