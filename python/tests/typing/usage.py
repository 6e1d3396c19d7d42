"""What a type checker sees: this file is checked by ``mypy --strict``, and runs as a test."""

from __future__ import annotations

import asyncio
import dataclasses
import io
import tempfile
from pathlib import Path
from typing import Any

import packord
import packord.compat.msgspec as msgpack
from packord import container
from packord.container import Writer


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Reader:
    """A user's class: annotations of its attributes, without a string around them."""

    stream: packord.Unpacker[Point]
    decoder: packord.Decoder[list[Point]]

    def __init__(self, file: io.BufferedIOBase) -> None:
        self.stream = packord.Unpacker(file, type=Point, records=True)
        self.decoder = packord.Decoder(list[Point])

    def total(self) -> int:
        return sum(point.x + point.y for point in self.stream)


def use_the_names_of_msgspec() -> None:
    data: bytes = msgpack.encode(Point(1, 2))
    x: int = msgpack.Decoder(Point).decode(data).x + msgpack.decode(data, type=Point).x
    anything: dict[str, int] = msgpack.Decoder().decode(data)
    assert (x, anything) == (2, {"x": 1, "y": 2})


async def points_of(reader: asyncio.StreamReader) -> list[Point]:
    points = [point async for point in packord.unpack_async(reader, type=Point, max_buffer=1 << 20)]
    first: Point = points[0]
    assert first.x == points[0].x
    return points


def use_streams(data: bytes) -> None:
    unpacker = packord.Unpacker(type=Point)
    unpacker.feed(data)
    x: int = unpacker.unpack().x
    unpacker.feed(data)
    same: list[Point] = list(unpacker)
    plain: packord.Unpacker[Any] = packord.Unpacker(io.BytesIO(data), max_nodes=9)
    assert (x, same, list(plain)) == (1, [Point(1, 2)], [{"x": 1, "y": 2}])
    packed = packord.packb([{"x": 1, "y": 2}], records=True)[1:]
    assert Reader(io.BytesIO(packed)).total() == 3

    async def run() -> list[Point]:
        reader = asyncio.StreamReader()
        reader.feed_data(data)
        reader.feed_eof()
        return await points_of(reader)

    assert asyncio.run(run()) == same


def use_container_files(path: Path) -> None:
    with Writer(path, codec="zstd", stats=["x"], default=str) as writer:
        writer.write(Point(1, 2))
        count: int = writer.write_many(Point(n, n) for n in range(3))
        more: int = writer.write_arrow(packord.to_arrow(packord.packb([{"x": 5, "y": 6}])))
    reader = container.Reader(path, type=Point, where=[("x", ">=", 2), ("y", "is_not_null")])
    points: list[Point] = list(reader)
    plain: container.Reader[Any] = container.Reader(io.BytesIO(path.read_bytes()), threads=2)
    blocks: list[container.Block] | None = plain.blocks
    assert blocks is not None and blocks[0].stats is not None
    smallest: Any = blocks[0].stats["x"].min
    batch: container.Batch = next(plain.arrow_batches(["x"]))
    assert (count, more, points, smallest) == (3, 1, [Point(2, 2), Point(5, 6)], 0)
    assert (batch.num_rows, batch.num_columns, plain.splits(1)[0][0]) == (5, 1, 0)


def use() -> None:
    with tempfile.TemporaryDirectory() as folder:
        use_container_files(Path(folder, "points.pkd"))
    data: bytes = packord.packb({"x": 1, "y": 2}, default=str, sort_keys=True)
    anything: Any = packord.unpackb(memoryview(data), ext_hook=packord.Ext)
    point: Point = packord.Decoder(Point).decode(data)
    name: str = packord.unpackb(data, type=Point).__class__.__name__
    again: Point = packord.unpackb(data, type=Point)
    assert (name, again) == ("Point", point)
    untyped: Any = packord.Decoder(max_depth=5, duplicate_key="error").decode(data)
    encoder = packord.Encoder(records=True, structures=[["x", "y"]])
    structures: list[list[str]] | None = encoder.structures
    kind: int = packord.Ext(5, b"").type
    stamp: packord.Timestamp = max(packord.Timestamp(1), packord.Timestamp(2, 5))
    unpacker = packord.Unpacker()
    unpacker.feed(data)
    messages: list[Any] = list(unpacker)
    try:
        packord.unpackb(b"")
    except packord.MsgpackDecodeError as error:
        place: tuple[str | None, int | None, str | None] = (error.kind, error.offset, error.path)
        assert place == ("eof", 0, "$")
    field: Any = packord.View(data)["x"]
    table: packord.ArrowTable = packord.to_arrow(packord.packb([{"a": 1}]), max_expansion=16)
    rows: bytes = packord.from_arrow(table)
    assert (table.num_rows, table.num_columns, rows) == (1, 1, b"\x91\x81\xa1a\x01")
    use_streams(data)
    use_the_names_of_msgspec()
    assert (anything, untyped, messages, field) == ({"x": 1, "y": 2}, anything, [anything], 1)
    assert point == Point(1, 2) and structures == [["x", "y"]]
    assert (kind, stamp.seconds) == (5, 2)
