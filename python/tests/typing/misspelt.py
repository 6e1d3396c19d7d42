"""Misspelt keywords and values: a type checker refuses each marked line, and so does the call.

``mypy --strict`` reports a mark that nothing needs.
"""

from __future__ import annotations

import asyncio
import dataclasses
import io
from collections.abc import AsyncIterator, Callable

import packord
from packord.container import Reader, Writer

DATA = packord.packb({"x": 1})


@dataclasses.dataclass
class Point:
    x: int


class Chunks:
    async def read(self, size: int, /) -> bytes:
        return b""


async def all_of(messages: AsyncIterator[object]) -> list[object]:
    return [message async for message in messages]


# The keyword that each call misspells.
CALLS: list[tuple[str, Callable[[], object]]] = [
    ("defualt", lambda: packord.packb(1, defualt=str)),  # type: ignore[call-arg]
    ("optoin", lambda: packord.unpackb(DATA, optoin=1)),  # type: ignore[call-overload]
    ("recrods", lambda: packord.packb(1, recrods=True)),  # type: ignore[call-arg]
    ("typ", lambda: packord.unpackb(DATA, typ=Point)),  # type: ignore[call-overload]
    ("strit", lambda: packord.unpackb(DATA, type=Point, strit=False)),  # type: ignore[call-overload]
    ("renmae", lambda: packord.Encoder(renmae="camel")),  # type: ignore[call-arg]
    ("max_lne", lambda: packord.Decoder(max_lne=5)),  # type: ignore[call-overload]
    ("forbid_unknown", lambda: packord.Decoder(Point, forbid_unknown=True)),  # type: ignore[call-overload]
    ("max_bufer", lambda: packord.Unpacker(max_bufer=5)),  # type: ignore[call-overload]
    ("sequental", lambda: packord.Packer(sequental=True)),  # type: ignore[call-arg]
    ("canoncal", lambda: packord.pack(1, io.BytesIO(), canoncal=True)),  # type: ignore[call-arg]
    ("treads", lambda: Reader(b"", treads=2)),  # type: ignore[call-overload]
    ("codex", lambda: Writer(io.BytesIO(), codex="zstd")),  # type: ignore[call-arg]
    ("utf", lambda: packord.unpack(io.BytesIO(DATA), utf="raw")),  # type: ignore[call-arg]
    (
        "read_sz",
        lambda: asyncio.run(all_of(packord.unpack_async(Chunks(), read_sz=5))),  # type: ignore[call-overload]
    ),
]
# Values that no keyword has.
VALUES: list[tuple[str, Callable[[], object]]] = [
    ("duplicate_key", lambda: packord.Decoder(duplicate_key="first")),  # type: ignore[call-overload]
    ("timestamps", lambda: packord.unpackb(DATA, timestamps="str")),  # type: ignore[call-overload]
    ("rename", lambda: packord.packb(1, rename="Camel")),  # type: ignore[arg-type]
    ("on_bad_block", lambda: Reader(b"", on_bad_block="pass")),  # type: ignore[call-overload]
    ("codec", lambda: Writer(io.BytesIO(), codec="gzip")),  # type: ignore[arg-type]
]


def use() -> None:
    async def typed() -> list[Point]:
        return [point async for point in packord.unpack_async(Chunks(), type=Point)]

    points: list[Point] = asyncio.run(typed())
    point: Point = packord.Decoder(type=Point, strict=False).decode(DATA)
    same: Point = packord.unpackb(DATA, type=Point, rename=str.lower, tag="type")
    assert (points, point) == ([], same)
