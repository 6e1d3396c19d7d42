"""No public function or class keeps memory: 20,000 calls of each leave as much as there was before."""

from __future__ import annotations

import ctypes
import dataclasses
import gc
import importlib
import io
import pkgutil
import sys
from collections.abc import Callable, Iterator
from typing import Annotated, Any

import duckdb
import frameworks
import numpy
import polars
import pyarrow
import pytest
from pandas import DataFrame
from starlette.requests import Request

import packord
import packord.container
from packord.compat import msgpack, msgspec, ormsgpack
from packord.container import Reader, Writer
from packord.engines import duckdb as in_duckdb
from packord.engines import polars as in_polars
from packord.integrations import kafka, kombu, redis, starlette, tables

CALLS = 20_000
# Of what does most of its work in another package, and takes up to a thousand times as long.
SLOW_CALLS = 200
ROWS = [{"id": number, "town": "Oslo"} for number in range(3)]
MESSAGE = packord.packb(ROWS)
RECORDS = packord.packb(ROWS, records=True)
COLUMNS = packord.packb([{"a": 7, "b": "x", "c": None}] * 50, columns=True)
ARRAY = numpy.zeros(2, numpy.dtype([("a", "i1"), ("b", "f8")], align=True))
ARRAY_MESSAGE = packord.packb(ARRAY, rich=True)
TYPES = packord.packb([packord.Ext(5, b"x"), packord.Timestamp(1)])
TIME = packord.packb(packord.Timestamp(1))
VIEW = packord.View(MESSAGE)
COLUMNS_VIEW = packord.columns_of(COLUMNS)
FRAME = DataFrame({"a": [1, 2], "b": ["x", None]})
TABLE = pyarrow.table({"a": [1, 2], "b": ["x", None]})
PACKED_TABLE = tables.pack_table(TABLE)
CONNECTION = duckdb.connect()
# Called with arguments that a type checker refuses.
ReaderOf: Any = Reader
WriterOf: Any = Writer
pack_of: Any = msgpack.packb


@dataclasses.dataclass
class Town:
    id: int
    town: str = "?"


@dataclasses.dataclass
class Short:
    town: Annotated[str, packord.Field(name="t")]


class Odd:
    """What nothing is read into."""


class Stream:
    """A file of one message, for asyncio."""

    def __init__(self) -> None:
        self.file = io.BytesIO(MESSAGE)

    async def read(self, size: int) -> bytes:
        return self.file.read(size)


def hook(*arguments: Any) -> Any:
    return arguments[-1]


def wrong(*values: Any) -> Any:
    try:
        raise KeyError
    except KeyError as error:
        raise ValueError from error


def fails(call: Callable[..., Any], *arguments: Any, **keywords: Any) -> None:
    try:
        call(*arguments, **keywords)
    except (ValueError, TypeError, packord.OutOfData, msgpack.UnpackException, OverflowError):
        return
    raise AssertionError


def complex_of(data: bytes) -> complex:
    return complex(int(data))


def file() -> bytes:
    out = io.BytesIO()
    with WriterOf(out, codec="none") as writer:
        writer.write_many(ROWS)
    return out.getvalue()


FILE = file()
READER = ReaderOf(FILE)
TYPED = ReaderOf(io.BytesIO(FILE), type=Town)
ENCODER = packord.Encoder(default=str, records=True)
DECODER = packord.Decoder(list[Town])
UNPACKER = packord.Unpacker[Any](records=True, sequential=True)
PACKER = packord.Packer(records=True, sequential=True)
EXTENSION = packord.Extension(5, complex, lambda value: b"%d" % value.real, complex_of)
FAILING = packord.Extension(5, complex, wrong, wrong)
EXTENDED_ENCODER = packord.Encoder(extensions=[EXTENSION])
EXTENDED_DECODER = packord.Decoder[Any](extensions=[EXTENSION])
COMPAT_PACKER = msgpack.Packer(default=str)
COMPAT_UNPACKER = msgpack.Unpacker(object_hook=hook)


def encoder() -> None:
    packord.Encoder(default=hook, structures=[["id"]], rename="camel").encode(ROWS)


def extension() -> None:
    made = packord.Extension(5, complex, lambda value: b"%d" % value.real, complex_of)
    packord.unpackb(packord.packb([7j, ROWS], extensions=[made]), extensions=[made])
    EXTENDED_DECODER.decode(EXTENDED_ENCODER.encode([7j, ROWS]))


def encode_into() -> None:
    ENCODER.encode_into(ROWS, bytearray(b"abc"), 300)


def unpacker() -> None:
    made: Any = packord.Unpacker(io.BytesIO(MESSAGE), object_hook=hook)
    list(made)


def feed() -> None:
    UNPACKER.feed(PACKER.pack(ROWS))
    UNPACKER.unpack()


def parts_of_stream() -> None:
    UNPACKER.feed(MESSAGE + b"abc")
    UNPACKER.read_array_header()
    for _ in ROWS:
        UNPACKER.skip()
    UNPACKER.read_bytes(3)


def packer() -> None:
    made = packord.Packer(default=hook)
    made.pack_map_pairs([(1, 2)])
    made.pack_ext_type(5, b"x")
    made.pack_array_header(3)


async def read_async() -> None:
    async for _ in packord.unpack_async(Stream()):
        pass


def run_async() -> None:
    # As an event loop does, without the time of one.
    with pytest.raises(StopIteration):
        read_async().send(None)


def view() -> None:
    made = packord.View(MESSAGE)
    list(made), len(made), 5 in made, repr(made)
    made[1]["town"], made.get(2, "id"), made[0].packed(), made[-1].unpack(), list(made[0])


def views_of_columns() -> None:
    made = packord.columns_of(COLUMNS)
    for column in made.columns:
        column.values()
    repr(made), made.column("[].b")


def arrow() -> None:
    table = packord.to_arrow(COLUMNS)
    packord.from_arrow(table)
    table.__arrow_c_schema__()


def write() -> None:
    out = io.BytesIO()
    with WriterOf(out, codec="none", default=hook) as writer:
        writer.write_many(ROWS)
        writer.write_packed(MESSAGE)


def batches() -> None:
    for batch in READER.arrow_batches():
        batch.__arrow_c_array__()


def blocks() -> None:
    READER.blocks, READER.schema, READER.splits(2), READER.meta


def damage() -> None:
    reader = ReaderOf(FILE[:60] + b"\xc1" * 20 + FILE[80:], on_bad_block="skip")
    list(reader), reader.damaged


def stream_of_compat() -> None:
    COMPAT_UNPACKER.feed(MESSAGE)
    COMPAT_UNPACKER.unpack()


# A name is one of the package, with what else is called.
CASES: dict[str, Callable[[], Any]] = {
    "packb": lambda: packord.packb(ROWS),
    "packb, values": lambda: packord.packb([Town(1), 2**63, 1.5, "é", b"x", None, {"a": ()}]),
    "packb, default": lambda: packord.packb([1j, {1j}], default=str),
    "packb, option": lambda: packord.packb([ROWS, ARRAY], rich=True),
    "packb, records": lambda: packord.packb(ROWS, records=True),
    "unpackb": lambda: packord.unpackb(MESSAGE),
    "unpackb, hook": lambda: packord.unpackb(TYPES, ext_hook=hook),
    "unpackb, option": lambda: packord.unpackb(ARRAY_MESSAGE, rich=True),
    "unpackb, records": lambda: packord.unpackb(RECORDS, records=True),
    "unpackb, columns": lambda: packord.unpackb(COLUMNS, columns=True),
    "encode": lambda: packord.packb(ROWS, canonical=True),
    "decode": lambda: packord.unpackb(MESSAGE, type=list[Town]),
    "decode, options": lambda: packord.unpackb(MESSAGE, max_len=9),
    "pack": lambda: packord.pack(ROWS, io.BytesIO()),
    "unpack": lambda: packord.unpack(io.BytesIO(MESSAGE)),
    "unpack_async": run_async,
    "Encoder": encoder,
    "Encoder, encode": lambda: ENCODER.encode([ROWS, 1j, Town(1)]),
    "Encoder, encode_into": encode_into,
    "Decoder": lambda: packord.Decoder(object_hook=hook, structures=[["id"]]).decode(MESSAGE),
    "Decoder, type": lambda: packord.Decoder(Town),
    "Decoder, decode": lambda: DECODER.decode(MESSAGE),
    "Unpacker": unpacker,
    "Unpacker, feed": feed,
    "Unpacker, parts": parts_of_stream,
    "Packer": packer,
    "View": view,
    "View, of others": lambda: (list(VIEW), VIEW[0]["id"]),
    "Ext": lambda: packord.packb([packord.Ext(5, b"x"), hash(packord.Ext(5, bytearray(b"x")))]),
    "Timestamp": lambda: (packord.Timestamp(1).to_datetime(), packord.unpackb(TIME)),
    "Extension": extension,
    "Fragment": lambda: packord.packb([packord.Fragment(b"\x01"), packord.Fragment(MESSAGE)]),
    "Field": lambda: (packord.packb(Short("x")), packord.Field(name="y")),
    "columns_of": views_of_columns,
    "ColumnsView": lambda: (COLUMNS_VIEW.columns, COLUMNS_VIEW.__arrow_c_stream__()),
    "ColumnView": lambda: COLUMNS_VIEW.columns[-1].values(),
    "to_arrow": arrow,
    "from_arrow": lambda: packord.from_arrow(COLUMNS_VIEW),
    "ArrowTable": lambda: repr(packord.to_arrow(MESSAGE)),
    "MsgpackEncodeError": lambda: fails(packord.packb, [{"a": 1j}]),
    "MsgpackEncodeError, of default": lambda: fails(packord.packb, [1j], default=wrong),
    "MsgpackEncodeError, of a writer": lambda: fails(WriterOf(io.BytesIO(), default=wrong).write, 1j),
    "MsgpackEncodeError, of an extension": lambda: fails(packord.packb, [1j], extensions=[FAILING]),
    "MsgpackDecodeError, of an extension": lambda: fails(packord.unpackb, TYPES, extensions=[FAILING]),
    "MsgpackDecodeError, of ext_hook": lambda: fails(packord.unpackb, TYPES, ext_hook=wrong),
    "MsgpackDecodeError, of dec_hook": lambda: fails(packord.unpackb, b"\x01", type=Odd, dec_hook=wrong),
    "MsgpackDecodeError, of a stream": lambda: fails(list, packord.Unpacker(io.BytesIO(TYPES), ext_hook=wrong)),
    "MsgpackDecodeError, of rows": lambda: fails(list, ReaderOf(FILE, object_hook=wrong)),
    "MsgpackDecodeError": lambda: fails(packord.unpackb, b"\x91\x81\xa1a\xc1"),
    "MsgpackDecodeError, of a hook": lambda: fails(packord.Decoder(list_hook=wrong).decode, MESSAGE),
    "MsgpackDecodeError, of a type": lambda: fails(DECODER.decode, b"\x91\x81\xa1a\x01"),
    "MsgpackArgumentError": lambda: fails(packord.packb, 1, option="x"),
    "OutOfData": lambda: fails(packord.Unpacker().unpack),
    "Writer": write,
    "Reader": lambda: ReaderOf(FILE, object_hook=hook),
    "Reader, damage": damage,
    "Rows": lambda: list(READER),
    "Rows, typed": lambda: list(TYPED),
    "Batches": batches,
    "Batch": lambda: repr(next(READER.arrow_batches())),
    "Block": blocks,
    "Damage": lambda: packord.container.Damage(1, 2, None),  # type: ignore[arg-type]
    "Statistics": lambda: packord.container.Statistics(1, 2, 3),
    "ormsgpack.packb": lambda: ormsgpack.packb([ROWS, 1j], default=str, option=ormsgpack.OPT_SORT_KEYS),
    "ormsgpack.packb, failing default": lambda: fails(ormsgpack.packb, [1j], default=wrong),
    "ormsgpack.unpackb, failing hook": lambda: fails(ormsgpack.unpackb, TYPES, ext_hook=wrong),
    "ormsgpack.packb, options": lambda: fails(ormsgpack.packb, 1, option=1 << 40),
    "ormsgpack.unpackb": lambda: ormsgpack.unpackb(TYPES, ext_hook=hook),
    "msgpack.packb": lambda: msgpack.packb({"a": 1}),
    "msgpack.packb, default": lambda: msgpack.packb([1j, (1, 2), msgpack.ExtType(5, b"x")], default=str),
    "msgpack.packb, options": lambda: msgpack.packb(ROWS, use_single_float=True, use_bin_type=False),
    "msgpack.unpackb": lambda: msgpack.unpackb(MESSAGE, object_hook=hook),
    "msgpack.pack": lambda: msgpack.pack(ROWS, io.BytesIO()),
    "msgpack.unpack": lambda: msgpack.unpack(io.BytesIO(MESSAGE)),
    "msgpack.Packer": lambda: msgpack.Packer(default=str).pack([1j]),
    "msgpack.Packer, pack": lambda: COMPAT_PACKER.pack([1j, ROWS]),
    "msgpack.Unpacker": lambda: list(msgpack.Unpacker(io.BytesIO(MESSAGE))),
    "msgpack.Unpacker, feed": stream_of_compat,
    "msgpack.ExtType": lambda: msgpack.unpackb(msgpack.packb(msgpack.ExtType(5, b"x"))),
    "msgpack.Timestamp": lambda: msgpack.packb(msgpack.Timestamp(1, 2)),
    "msgpack.ExtraData": lambda: fails(msgpack.unpackb, b"\x01\x02"),
    "msgpack.unpackb, failing hook": lambda: fails(msgpack.unpackb, MESSAGE, object_hook=wrong),
    "msgpack.packb, failing default": lambda: fails(msgpack.packb, [1j], default=wrong),
    "msgpack.Unpacker, failing hook": lambda: fails(msgpack.Unpacker(io.BytesIO(MESSAGE), list_hook=wrong).unpack),
    "msgpack.FormatError": lambda: fails(msgpack.unpackb, b"\xc1"),
    "msgpack.StackError": lambda: fails(msgpack.unpackb, b"\x91" * 1025),
    "msgpack.BufferFull": lambda: fails(msgpack.Unpacker(max_buffer_size=1).feed, b"\x01\x02"),
    "msgpack.OutOfData": lambda: fails(msgpack.Unpacker().unpack),
    "msgpack.PackException": lambda: fails(msgpack.packb, 1j),
    "msgpack.PackOverflowError": lambda: fails(msgpack.packb, 2**64),
    "msgpack.PackValueError": lambda: fails(msgpack.packb, "\ud800"),
    "msgpack.UnpackValueError": lambda: fails(msgpack.unpackb, b"\x91"),
    "msgpack.UnpackException": lambda: fails(msgpack.unpackb, b""),
    "msgspec.encode": lambda: msgspec.encode(ROWS),
    "msgspec.encode, hook": lambda: msgspec.encode([1j], enc_hook=str),
    "msgspec.encode, failing hook": lambda: fails(msgspec.encode, [1j], enc_hook=wrong),
    "msgspec.decode, failing hook": lambda: fails(msgspec.decode, TYPES, ext_hook=wrong),
    "msgspec.decode": lambda: msgspec.decode(MESSAGE),
    "msgspec.decode, type": lambda: msgspec.decode(MESSAGE, type=list[Town]),
    "msgspec.decode, wrong type": lambda: fails(msgspec.decode, MESSAGE, type=list[int]),
    "msgspec.Encoder": lambda: msgspec.Encoder(order="sorted").encode(ROWS),
    "msgspec.Decoder": lambda: msgspec.Decoder(ext_hook=hook).decode(MESSAGE),
    "msgspec.Ext": lambda: msgspec.encode(msgspec.Ext(5, b"x")),
}  # fmt: skip


async def body() -> dict[str, Any]:
    return {"type": "http.request", "body": MESSAGE}


def request() -> None:
    headers = [(b"content-type", b"application/msgpack")]
    found = starlette.unpack_request(Request({"type": "http", "headers": headers}, body))
    with pytest.raises(StopIteration):
        found.send(None)


def query_of_polars() -> None:
    in_polars.scan_container(FILE, threads=1).filter(polars.col("id") > 1).collect()


def query_of_duckdb() -> None:
    in_duckdb.read_container(CONNECTION, FILE).filter("id > 1").fetchall()


REST = frameworks.rest_framework()
SLOW: dict[str, Callable[[], Any]] = {
    "engines.duckdb.scan_container": lambda: in_duckdb.scan_container(FILE).to_table(),
    "engines.duckdb.read_container": query_of_duckdb,
    "engines.duckdb.register": lambda: in_duckdb.register(CONNECTION, "events", FILE),
    "engines.polars.scan_container": query_of_polars,
    "integrations.kafka.MsgpackSerializer": lambda: kafka.MsgpackSerializer(records=True)(ROWS),
    "integrations.kafka.MsgpackDeserializer": lambda: kafka.MsgpackDeserializer(list[Town])(MESSAGE),
    "integrations.kombu.register": kombu.register,
    "integrations.redis.MsgpackSerializer": lambda: redis.MsgpackSerializer().dumps(ROWS),
    "integrations.rest_framework.MsgpackParser": lambda: REST.MsgpackParser().parse(io.BytesIO(MESSAGE)),
    "integrations.rest_framework.MsgpackRenderer": lambda: REST.MsgpackRenderer().render(ROWS),
    "integrations.rest_framework.default": lambda: REST.default(frameworks.form("a=1&a=2")),
    "integrations.starlette.MsgpackResponse": lambda: starlette.MsgpackResponse(ROWS),
    "integrations.starlette.unpack_request": request,
    "integrations.tables.arrow_bytes": lambda: tables.arrow_bytes(TABLE),
    "integrations.tables.arrow_table": lambda: tables.arrow_table(tables.arrow_bytes(TABLE)),
    "integrations.tables.default": lambda: packord.packb([FRAME], default=tables.default),
    "integrations.tables.ext_hook": lambda: packord.unpackb(PACKED_TABLE, ext_hook=tables.ext_hook),
    "integrations.tables.pack_rows": lambda: tables.pack_rows(TABLE),
    "integrations.tables.pack_rows, pandas": lambda: tables.pack_rows(FRAME),
    "integrations.tables.pack_table": lambda: tables.pack_table(FRAME),
    "integrations.tables.unpack_table": lambda: tables.unpack_table(PACKED_TABLE),
}  # fmt: skip


def public_names() -> Iterator[tuple[str, Any]]:
    """What can be called of each module that has no underscore, but for those whose packages are not installed: by
    its list of names, or else what it defines."""
    yield from ((name, getattr(packord, name)) for name in packord.__all__)
    for found in pkgutil.walk_packages(packord.__path__, "packord."):
        if "._" in found.name:
            continue
        try:
            module = importlib.import_module(found.name)
        except ModuleNotFoundError:
            continue
        names = vars(module).get("__all__")
        for name, value in vars(module).items():
            is_own = getattr(value, "__module__", None) == found.name and not name.startswith("_")
            if (name in names) if names is not None else is_own:
                short = found.name.removeprefix("packord.").removeprefix("compat.")
                yield f"{short.removeprefix('container')}.{name}".removeprefix("."), value


def test_every_public_function_and_class_has_a_case() -> None:
    names = {name.partition(",")[0] for name in CASES | SLOW}
    found = {name: value for name, value in public_names() if callable(value)}
    # `dump`, `dumps` and others are second names.
    known = [value for name, value in found.items() if name in names]
    assert [name for name, value in found.items() if not any(value is one for one in known)] == []
    assert {"packb", "Reader", "msgpack.Packer", "integrations.redis.MsgpackSerializer"} <= set(
        found
    )


class Arena(ctypes.Structure):
    """`struct mallinfo2` of the C library of GNU."""

    _fields_ = [
        (name, ctypes.c_size_t)
        for name in (
            *("arena", "ordblks", "smblks", "hblks", "hblkhd"),
            *("usmblks", "fsmblks", "uordblks", "fordblks", "keepcost"),
        )
    ]


def memory() -> int:
    """Bytes that are in use, as far as this system tells."""
    count = sys.getallocatedblocks() * 16
    try:
        mallinfo = ctypes.CDLL(None).mallinfo2
    except (AttributeError, OSError, TypeError):
        return count
    mallinfo.restype = Arena
    info = mallinfo()
    return count + int(info.uordblks) + int(info.hblkhd)


@pytest.fixture(autouse=True)
def _no_collector() -> Iterator[None]:
    """Calls leave no cycles either."""
    gc.disable()
    yield
    gc.enable()


@pytest.mark.parametrize("name", [*CASES, *SLOW])
def test_calls_leave_nothing(name: str) -> None:
    call, calls, least = (CASES | SLOW)[name], CALLS, 4
    if name in SLOW:
        # DuckDB itself keeps 270 bytes of each relation. The values of a call are larger than this.
        calls, least = SLOW_CALLS, 600
    grown(call, calls // 20)
    # Memory that others take meanwhile, such as the threads of engines, is taken once: a leak goes on.
    if grown(call, calls) >= least * calls:
        assert grown(call, 4 * calls) < 4 * least * calls


def grown(call: Callable[[], Any], calls: int) -> int:
    """How many bytes more are in use after a number of calls."""
    before = memory()
    for _ in range(calls):
        call()
    return memory() - before
