"""Views of columns: what they list, and each column read without the others."""

from __future__ import annotations

import datetime
import gc
import math
import random
import threading
from typing import Any

import numpy
import polars
import pyarrow
import pytest
import vectors

import packord

COLUMNS: dict[str, Any] = {"columns": True}
N = 200
START = datetime.datetime(2024, 2, 29, tzinfo=datetime.timezone.utc)


def row(i: int) -> dict[str, Any]:
    row = {
        "id": i * i,
        "price": math.sqrt(i) + 0.5,
        "name": f"n{i % 50}é" * (i % 3),
        "city": ["Oslo", "Rome", "Lima"][i % 3],
        "ok": i % 3 == 0,
        "at": START + datetime.timedelta(seconds=i),
        "place": [i / 4, i],
        "tags": list(range(i, i + i % 4)),
        "user": {"age": i % 90, "city": f"c{i}"},
    }
    if i % 5:
        row["note"] = None if i % 2 == 0 else i * 7
    return row


ROWS = [row(i) for i in range(N)]
PATHS = [
    *["", "[]", "[].id", "[].price", "[].name", "[].city", "[].ok", "[].at", "[].place"],
    *["[].place[]", "[].tags", "[].tags[]", "[].user", "[].user.age"],
    *["[].user.city", "[].note"],
]


def packed(form: dict[str, Any]) -> bytes:
    return packord.packb(ROWS, **form)


def column(view: packord.ColumnsView, path: str) -> packord.ColumnView:
    found = view.column(path)
    assert found is not None, path
    return found


def test_columns_are_listed_with_paths_kinds_and_counts() -> None:
    view = packord.columns_of(packed(COLUMNS))
    assert [column.path for column in view.columns] == PATHS
    assert view.plain_size == len(packed({}))
    assert view.count == packord_values(ROWS)
    assert column(view, "[].id").kind == "int"
    assert column(view, "[].city").kind == "dict"
    assert view.column("[].nothing") is None
    note = column(view, "[].note")
    assert (note.n, note.missing, note.nils) == (160, 40, 80)
    assert note.present() == [i % 5 != 0 for i in range(N)]
    for path in ("", "[]", "[].id", "[].place[]", "[].tags[]"):
        assert column(view, path).present() is None
    lengths = [len(row["tags"]) for row in ROWS]
    assert (column(view, "[].tags").lengths(), column(view, "").lengths()) == (lengths, [N])
    assert column(view, "[].place").lengths() == [2] * N
    for path in ("[]", "[].id", "[].note"):
        assert column(view, path).lengths() is None
    assert repr(note) == '<packord.ColumnView "[].note", union, 160 values>'
    assert repr(view) == f"<packord.ColumnsView of 16 columns, {view.plain_size} bytes plain>"


def packord_values(value: Any) -> int:
    """Number of values, keys included."""
    if isinstance(value, list):
        return 1 + sum(map(packord_values, value))
    if isinstance(value, dict):
        return 1 + sum(1 + packord_values(inner) for inner in value.values())
    return 1


def test_each_column_is_read_by_itself() -> None:
    view = packord.columns_of(packed(COLUMNS))
    assert column(view, "").values() == [plain(ROWS)]
    for key in ["id", "price", "name", "city", "ok", "at", "place", "tags", "user", "note"]:
        values = column(view, f"[].{key}").values()
        assert list(values) == [plain(row[key]) for row in ROWS if key in row], key
    assert list(column(view, "[].tags[]").values()) == [tag for row in ROWS for tag in row["tags"]]


def plain(value: Any) -> Any:
    """A value as `View` returns it."""
    return packord.View(packord.packb([value])).unpack()[0]


def test_numbers_are_arrays_of_numpy_without_a_copy() -> None:
    data = packed(COLUMNS)
    view = packord.columns_of(data)
    values = column(view, "[].price").values()
    assert isinstance(values, memoryview)
    assert values.readonly
    prices = numpy.asarray(values)
    assert not prices.flags.owndata
    assert prices.dtype == numpy.float64
    assert prices[4] == 2.5
    # The array keeps the bytes.
    del data, view, values
    gc.collect()
    assert prices.sum() == pytest.approx(sum(row["price"] for row in ROWS))


def test_numbers_that_are_aligned_are_in_place() -> None:
    # Bytes are aligned wherever they are.
    numbers = [0, *random.Random(7).choices(range(256), k=300), 255]
    data = packord.packb([{"n": n} for n in numbers], **COLUMNS)
    values = column(packord.columns_of(data), "[].n").values()
    assert isinstance(values, memoryview)
    assert values.obj is data
    assert values.tolist() == numbers
    assert numpy.shares_memory(numpy.asarray(values), numpy.frombuffer(data, numpy.uint8))


def test_numbers_are_copied_where_they_are_stored_otherwise() -> None:
    data = packord.packb([{"t": i / 10, "n": i * 3} for i in range(500)], **COLUMNS)
    view = packord.columns_of(data)
    assert (column(view, "[].t").kind, column(view, "[].n").kind) == ("scaled", "int")
    values = column(view, "[].t").values()
    assert isinstance(values, memoryview)
    assert values.obj is not data
    assert values.tolist() == [i / 10 for i in range(500)]
    assert list(column(view, "[].n").values()) == [i * 3 for i in range(500)]


def test_any_buffer_and_an_ext_have_columns() -> None:
    data = packed(COLUMNS)
    sources: list[bytearray | memoryview] = [bytearray(data), memoryview(data)]
    for source in sources:
        assert column(packord.columns_of(source), "[].id").values()[9] == 81
    message = packord.packb({"total": N, "rows": ROWS}, **COLUMNS)
    ext = packord.View(message)["rows"]
    assert isinstance(ext, packord.Ext)
    view = packord.columns_of(ext)
    assert column(view, "[].city").values() == [row["city"] for row in ROWS]
    assert pyarrow.table(view).num_rows == N


def test_a_view_is_a_table_of_arrow() -> None:
    rows = [{"id": i, "town": ["Oslo", "Graz"][i % 2]} for i in range(500)]
    view = packord.columns_of(packord.packb(rows, **COLUMNS))
    assert pyarrow.table(view).to_pylist() == rows
    assert polars.DataFrame(view).to_dicts() == rows
    assert pyarrow.schema(view).names == ["id", "town"]


def test_other_values_are_refused() -> None:
    cases: list[tuple[Any, str]] = [
        (b"\x91\x01", "type_mismatch"),
        (b"\xd4\x5c\x02", "type_mismatch"),
        (packord.Ext(92, b"\x02"), "type_mismatch"),
        (packord.Ext(92, b""), "invalid_ext"),
        (b"\xc7\x00\x5c", "invalid_ext"),
        (b"\xc7\x0a\x5c\x01\xcd\xff\xff\x01\x00\x01\x00\x00\x01", "length_limit"),
    ]
    for data, kind in cases:
        with pytest.raises(packord.MsgpackDecodeError) as raised:
            packord.columns_of(data)
        assert (raised.value.kind, raised.value.offset) == (kind, 0), data
    data = packed(COLUMNS)
    ends = [
        (b"", "eof", 0),
        (data[:-1], "eof", len(data) - 1),
        (data + b"x", "trailing_bytes", len(data)),
    ]
    for data, kind, offset in ends:
        with pytest.raises(packord.MsgpackDecodeError) as raised:
            packord.columns_of(data)
        assert (raised.value.kind, raised.value.offset) == (kind, offset)
    with pytest.raises(ValueError, match="not of type 92"):
        packord.columns_of(packord.Ext(91, b""))
    with pytest.raises(TypeError, match="contiguous buffer"):
        packord.columns_of("text")  # type: ignore[arg-type]
    with pytest.raises(packord.MsgpackDecodeError, match="length_limit|limit"):
        packord.columns_of(packord.packb([{"a": 1}] * 9000, **COLUMNS), max_expansion=1)


def test_damaged_payloads_raise_and_nothing_else() -> None:
    data = packed(COLUMNS)
    for at in range(4, len(data), 3):
        damaged = bytearray(data)
        damaged[at] ^= 1 << (at % 8)
        try:
            view = packord.columns_of(bytes(damaged))
        except packord.MsgpackDecodeError as error:
            assert error.offset == 0
            continue
        for one in view.columns:
            for read in (one.values, lambda one=one: one.nils):
                try:
                    read()
                except packord.MsgpackDecodeError as error:
                    assert (error.kind, error.offset) == ("invalid_ext", 0)


def test_every_valid_vector_has_its_value_as_the_first_column() -> None:
    count = 0
    option: dict[str, Any] = {**COLUMNS}
    for name, case in vectors.cases("columns"):
        data = vectors.expand(case.get("bytes", []))
        try:
            value = packord.unpackb(data, **option)
            view = packord.columns_of(data)
        except ValueError:
            continue
        found = column(view, "").values()
        assert repr(found) == repr([value]), name
        count += 1
    assert count > 50


def test_threads_share_a_view() -> None:
    view = packord.columns_of(packed(COLUMNS))
    results: list[bool] = []

    def read() -> None:
        for _ in range(20):
            same = [list(one.values()) for one in view.columns]
            results.append(same[2] == [row["id"] for row in ROWS])

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results == [True] * 80
