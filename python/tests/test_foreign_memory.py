"""Memory that others have freed is never part of what is written."""

from __future__ import annotations

import dataclasses
import io
import struct
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import numpy
import pyarrow
import pyarrow.ipc
import pytest
from layouts import STRUCTURED, leaves, made

import packord
from packord.container import Reader, Writer

# Called with arguments that a type checker refuses.
WriterOf: Any = Writer
# Two bytes that freed memory is full of in turn.
FILLS = (0xA5, 0x5A)


def spoil(fill: int, *sizes: int) -> None:
    """Leaves freed memory of these sizes, and of others, that is full of a byte."""
    spread = {*sizes, *range(8, 1024, 8), *(1 << bits for bits in range(10, 17))}
    left: list[Any] = []
    for size in spread:
        # numpy keeps small memory to itself, up to seven pieces of a size.
        left += [numpy.full(size, fill, "u1") for _ in range(8)]
        left += [bytes([fill]) * size, bytes([fill]) * (size - 33)]
        left += [bytearray([fill]) * size]


def written(write: Callable[[], bytes], *sizes: int) -> bytes:
    """What is written, whatever freed memory is full of."""
    messages = set()
    for fill in FILLS * 3:
        spoil(fill, *sizes)
        message = write()
        assert bytes([fill]) * 3 not in message
        messages.add(message)
    assert len(messages) == 1
    return messages.pop()


def views(array: Any) -> Iterator[Any]:
    yield array
    yield numpy.asfortranarray(array)
    yield array.T
    yield array[::2]
    yield numpy.asfortranarray(array)[::2]
    yield array[:, ::-1]
    yield array[1, 2]
    yield array[1, 2, ...]
    yield array[:0]
    yield array.reshape(-1)[::3]
    if array.dtype.names:
        yield array[[array.dtype.names[-1]]]
    if len(array.dtype.names or ()) > 2:
        yield array[[*array.dtype.names[::2]]]


LAYOUTS: dict[str, Any] = {
    **STRUCTURED,
    "long double": "g",
    "complex long double": "G",
    "room at the end": {"names": ["a"], "formats": ["i1"], "itemsize": 1024},
    "room before": {"names": ["a"], "formats": ["i1"], "offsets": [500], "itemsize": 1024},
    "strings": "U7",
    "room in a sub-array": [("m", numpy.dtype([("x", "i1"), ("y", "i8")], align=True), (2, 2))],
}


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("fields", ["zeros", "numbers"])
def test_arrays(layout: str, fields: str) -> None:
    dtype = numpy.dtype(LAYOUTS[layout])
    whole = numpy.zeros((4, 6), dtype)
    if fields == "numbers" and layout != "strings":
        whole = made(dtype, (4, 6))
    for array in views(whole):
        if not isinstance(array, numpy.ndarray):
            continue
        message = written(partial(packord.packb, array, rich=True), array.nbytes)
        back = packord.unpackb(message, rich=True)
        assert back.dtype == array.dtype and back.shape == array.shape
        for left, right in zip(leaves(back), leaves(array), strict=True):
            numpy.testing.assert_array_equal(left, right)


def test_what_is_between_fields_is_written_as_zeros() -> None:
    dtype = numpy.dtype([("a", "i1"), ("b", "f8")], align=True)
    array = numpy.frombuffer(b"\x07" * 32, dtype)
    message = packord.packb(array, rich=True)
    assert message.endswith((b"\x07" + b"\0" * 7 + b"\x07" * 8) * 2)


def test_arrays_that_are_read_have_the_bytes_of_the_message() -> None:
    # Read from a place where it is not aligned, too.
    array = numpy.zeros(3, numpy.dtype([("a", "i1"), ("b", "f8")], align=True))
    message = packord.packb(array, rich=True)
    for before in range(8):
        moved = b"\x92\xc4" + bytes([before]) + b"\0" * before + message
        assert written(partial(read_array, moved), array.nbytes) == array.tobytes()


def read_array(message: bytes) -> Any:
    return packord.unpackb(message, rich=True)[1].tobytes()


VALUES: dict[str, Any] = {
    "numbers": [0, 1, -1, 2**63, -(2**63), 1.5, 2**31, None, True],
    "texts": ["a", "é" * 40, "漢字" * 30, "😀" * 70, "x" * 3000],
    "large text": "é" * 40_000,
    "bytes": [b"", b"x" * 300, bytearray(b"y" * 70_000)],
    "maps": [{"id": number, "name": "n" * (number % 40)} for number in range(300)],
    "deep": [[[[[[{"a": [{}] * 20}]]]]]],
    "arrays": [numpy.arange(500), numpy.ones((3, 5), "f4"), numpy.zeros(9, "u1"), numpy.ones(7, "?")],
    "strided": [numpy.arange(999)[::2], numpy.arange(999, dtype="i2")[::-3]],
    "scalars": [numpy.float16(1.5), numpy.int64(-7), numpy.bool_(True), numpy.datetime64(5, "s")],
    "exts": [packord.Ext(5, b"x" * size) for size in (0, 1, 3, 16, 300)],
}  # fmt: skip
OPTIONS: dict[str, Any] = {
    "none": {},
    "records": {"records": True},
    "columns": {"columns": True},
    "canonical": {"canonical": True},
    "ext": {"rich": True},
}


@pytest.mark.parametrize("option", OPTIONS)
@pytest.mark.parametrize("name", VALUES)
def test_values(name: str, option: str) -> None:
    value = VALUES[name]
    if name == "scalars" and option == "ext":
        value = value[:3]
    encoder = packord.Encoder(**OPTIONS[option])
    message = written(lambda: encoder.encode(value))

    def into() -> bytes:
        buffer = bytearray(7)
        encoder.encode_into(value, buffer, 700)
        encoder.encode_into(value, buffer, -1)
        return bytes(buffer)

    assert written(into, 700 + len(message)) == bytes(700) + message * 2


def spoiled(data: list[Any], kind: str) -> bytes:
    """Numbers whose null rows hold what was in memory before."""
    return b"".join(b"\xa5" * 8 if item is None else struct.pack(kind, item) for item in data)


VALID = pyarrow.py_buffer(b"\xf5")  # Bits after the fourth are not part of a column of four rows.
TEXT = pyarrow.py_buffer(b"one" + b"\xa5" * 9 + b"three" + b"four")
ENDS = pyarrow.py_buffer(struct.pack("<5i", 0, 3, 12, 17, 21))


def arrow_columns() -> dict[str, Any]:
    """Columns of four rows, of which the second is null and holds something."""
    buffers = pyarrow.Array.from_buffers
    numbers = pyarrow.py_buffer(spoiled([1, None, 3, 4], "<q"))
    floats = pyarrow.py_buffer(spoiled([1.5, None, 3.5, 4.5], "<d"))
    plain = buffers(pyarrow.int64(), 4, [None, numbers])
    text = buffers(pyarrow.string(), 4, [VALID, ENDS, TEXT])
    lists = pyarrow.py_buffer(struct.pack("<5i", 0, 1, 2, 3, 4))
    pair = pyarrow.struct([("x", pyarrow.int64())])
    return {
        "int": buffers(pyarrow.int64(), 4, [VALID, numbers]),
        "float": buffers(pyarrow.float64(), 4, [VALID, floats]),
        "bool": buffers(pyarrow.bool_(), 4, [VALID, pyarrow.py_buffer(b"\xaf")]),
        "string": text,
        "binary": buffers(pyarrow.binary(), 4, [VALID, ENDS, TEXT]),
        "timestamp": buffers(pyarrow.timestamp("us"), 4, [VALID, numbers]),
        "list": buffers(pyarrow.list_(pyarrow.int64()), 4, [VALID, lists], children=[plain]),
        "struct": buffers(pair, 4, [VALID], children=[plain]),
        "dictionary": pyarrow.DictionaryArray.from_buffers(
            pyarrow.dictionary(pyarrow.int64(), pyarrow.string()),
            4,
            [VALID, pyarrow.py_buffer(spoiled([0, None, 2, 0], "<q"))],
            pyarrow.array(["a", "b", "c"]),
        ),
    }


@pytest.mark.parametrize("name", arrow_columns())
def test_nulls_of_arrow(name: str) -> None:
    column = arrow_columns()[name]
    for rows in (column, column.slice(1), column.slice(2), column.slice(0, 2)):
        table = pyarrow.table({"a": rows})
        message = written(partial(packord.from_arrow, table))
        assert b"\xa5" * 3 not in message
        back = packord.unpackb(message, columns=True)
        assert [row["a"] is None for row in back] == [not item.is_valid for item in rows]

        assert b"\xa5" * 3 not in written(partial(stored, "write_arrow", table))


def stored(method: str, rows: Any, **options: Any) -> bytes:
    """A container file in memory."""
    file = io.BytesIO()
    with WriterOf(file, sync=b"s" * 16, **options) as writer:
        getattr(writer, method)(rows)
    return file.getvalue()


@dataclasses.dataclass
class Row:
    id: int | None
    level: float | None
    town: str | None
    tags: list[int | None] | None
    place: dict[str, Any] | None
    flag: bool | None


def row(number: int) -> Row:
    """A row in which some fields are null."""
    values: list[Any] = [number, number / 4, "t" * (number % 9), [number, None], {"x": 1}, True]
    return Row(*(None if number % (at + 3) == 0 else value for at, value in enumerate(values)))


ROWS = [row(number) for number in range(101)]


def ipc(source: Any) -> bytes:
    """All buffers of a table, as Arrow stores them."""
    file = io.BytesIO()
    stream = pyarrow.RecordBatchReader.from_stream(source)
    with pyarrow.ipc.new_stream(file, stream.schema) as out:
        for batch in stream:
            out.write_batch(batch)
    return file.getvalue()


@pytest.mark.parametrize("option", [{}, {"columns": True}])
def test_tables_of_arrow(option: Any) -> None:
    message = packord.packb(ROWS, **option)
    written(lambda: ipc(packord.to_arrow(message)))
    written(lambda: ipc(packord.to_arrow(packord.packb([{}, {"a": 1}] * 50))))


@pytest.mark.parametrize("columns", [False, True])
@pytest.mark.parametrize("codec", ["none", "zstd", "deflate"])
def test_container_files(columns: bool, codec: Any) -> None:
    options: dict[str, Any] = {"codec": codec, "columns": columns, "block_rows": 40}
    data = written(partial(stored, "write_many", ROWS, **options))
    written(lambda: ipc(Reader(data)))
    written(lambda: packord.packb(list(Reader(data))))
