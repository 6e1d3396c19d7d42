"""What a type checker sees: this file is checked by ``mypy --strict``, and runs as a test."""

from __future__ import annotations

import dataclasses
from typing import Any

import packord


@dataclasses.dataclass
class Point:
    x: int
    y: int


def use() -> None:
    data: bytes = packord.packb({"x": 1, "y": 2}, default=str, option=packord.OPT_SORT_KEYS)
    anything: Any = packord.unpackb(memoryview(data), ext_hook=packord.Ext)
    point: Point = packord.Decoder(Point).decode(data)
    name: str = packord.decode(data, type=Point).__class__.__name__
    again: Point = packord.decode(data, type=Point)
    assert (name, again) == ("Point", point)
    untyped: Any = packord.Decoder(max_depth=5, duplicate_key="error").decode(data)
    encoder = packord.Encoder(records=True, structures=[["x", "y"]])
    structures: list[list[str]] | None = encoder.structures
    tag: int = packord.Ext(5, b"").tag
    stamp: packord.Timestamp = max(packord.Timestamp(1), packord.Timestamp(2, 5))
    unpacker = packord.Unpacker()
    unpacker.feed(data)
    messages: list[Any] = list(unpacker)
    try:
        packord.unpackb(b"")
    except packord.MsgpackDecodeError as error:
        place: tuple[str | None, int | None, str | None] = (error.kind, error.offset, error.path)
        assert place == ("eof", 0, None)
    field: Any = packord.View(data)["x"]
    assert (anything, untyped, messages, field) == ({"x": 1, "y": 2}, anything, [anything], 1)
    assert point == Point(1, 2) and structures == [["x", "y"]]
    assert (tag, stamp.seconds) == (5, 2)
