"""The option ``extensions``: classes of a program as ext types of its own."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import io
import uuid
from typing import Any

import pytest

import packord
from packord import Ext, Extension
from packord.container import Reader, Writer


@dataclasses.dataclass
class Point:
    x: int
    y: int


class Place(Point):
    pass


POINT = Extension(12, Point, lambda point: bytes((point.x, point.y)), lambda data: Point(*data))
PACKED = b"\xd5\x0c\x01\x02"


def test_objects_are_ext_values_and_back() -> None:
    assert packord.packb(Point(1, 2)) == b"\x82\xa1x\x01\xa1y\x02"
    for obj in (Point(1, 2), Place(1, 2)):
        assert packord.packb(obj, extensions=[POINT]) == PACKED
        assert packord.Encoder(extensions=(POINT,)).encode([obj]) == b"\x91" + PACKED
    assert packord.unpackb(PACKED) == Ext(12, b"\x01\x02")
    assert packord.unpackb(PACKED, extensions=[POINT]) == Point(1, 2)
    assert packord.Decoder(extensions=[POINT]).decode(b"\x91" + PACKED) == [Point(1, 2)]
    stream = packord.Unpacker(extensions=[POINT])
    stream.feed(PACKED * 2)
    assert list(stream) == [Point(1, 2)] * 2
    file = io.BytesIO()
    with Writer(file, extensions=[POINT]) as writer:
        writer.write({"at": Point(3, 4)})
    rows = Reader(file.getvalue(), extensions=[POINT])
    assert list(rows) == [{"at": Point(3, 4)}]


def test_they_come_before_what_packord_does_and_leave_the_rest_to_it() -> None:
    number = Extension(7, decimal.Decimal, lambda value: str(value).encode())
    identifier = Extension(85, unpack=lambda data: data.hex())
    value = [decimal.Decimal("1.5"), uuid.UUID(int=1), {2}, datetime.date(2026, 1, 1), Ext(9, b"")]
    rich: dict[str, Any] = {"rich": True, "extensions": [number, identifier]}
    data = packord.packb(value, **rich)
    assert data[1:6] == b"\xc7\x03\x071.5"[:5]
    read = packord.unpackb(data, **rich)
    assert read == [Ext(7, b"1.5"), uuid.UUID(int=1).hex, *value[2:]]
    asked: list[Any] = []
    with pytest.raises(packord.MsgpackEncodeError, match="object"):
        packord.packb([object()], extensions=[POINT])
    packord.packb(
        [Point(1, 2), object()], extensions=[POINT], default=lambda obj: asked.append(obj)
    )
    assert [type(obj) for obj in asked] == [object]
    found = packord.unpackb(
        b"\x92" + PACKED + b"\xd4\x05\x01",
        extensions=[POINT],
        ext_hook=lambda code, data: (code, data),
    )
    assert found == [Point(1, 2), (5, b"\x01")]
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(b"\x92" + PACKED + b"\xd4\x05\x01", extensions=[POINT], unknown_ext="error")
    assert (caught.value.kind, caught.value.offset) == ("unknown_ext", 5)


def test_what_an_extension_raises_is_the_cause_of_the_error() -> None:
    def fail(value: Any) -> Any:
        raise LookupError("no such point")

    failing = Extension(12, Point, fail, fail)
    with pytest.raises(packord.MsgpackEncodeError) as written:
        packord.packb({"a": [Point(1, 2)]}, extensions=[failing])
    assert (written.value.kind, written.value.path) == ("unsupported_type", "$.a[0]")
    with pytest.raises(packord.MsgpackDecodeError) as read:
        packord.unpackb(b"\x91" + PACKED, extensions=[failing])
    assert (read.value.kind, read.value.offset, read.value.path) == ("hook_failed", 1, "$[0]")
    for caught in (written, read):
        assert isinstance(caught.value.__cause__, LookupError)


def test_extensions_that_cannot_be() -> None:
    def bytes_of(value: Any) -> bytes:
        return b""

    wrong: list[Any] = [(-1, None, None, bytes_of), (128, None, None, bytes_of), (1, int, bytes_of)]
    for arguments in wrong:
        with pytest.raises(ValueError, match="ext"):
            Extension(*arguments)
    wrong = [(1,), (1, Point), (1, None, bytes_of), (1, "Point", bytes_of)]
    for arguments in wrong:
        with pytest.raises(TypeError, match=r"extension|cls"):
            Extension(*arguments)
    with pytest.raises(ValueError, match="two extensions"):
        packord.packb(1, extensions=[POINT, Extension(13, Point, bytes_of)])
    with pytest.raises(ValueError, match="two extensions"):
        packord.unpackb(b"\x01", extensions=[POINT, Extension(12, unpack=bytes_of)])
