"""Packer, Unpacker, files, asyncio."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import functools
import io
import socket
import weakref
from pathlib import Path
from random import Random
from typing import Any, Literal

import pytest

import packord

VALUES: list[Any] = [1, "é", {"a": [1, 2.5, None]}, b"x" * 300, [], {"k": {"k": {}}}]
DATA = b"".join(map(packord.packb, VALUES))


@pytest.mark.parametrize("size", [1, 2, 3, 64, 10_000])
def test_reads_messages_fed_in_pieces(size: int) -> None:
    unpacker = packord.Unpacker()
    found: list[Any] = []
    for start in range(0, len(DATA), size):
        unpacker.feed(DATA[start : start + size])
        found += unpacker
    unpacker.finish()
    assert found == VALUES
    assert unpacker.tell() == len(DATA)


@pytest.mark.parametrize("size", [1, 7, 65536])
def test_reads_messages_of_a_file(size: int) -> None:
    assert list(packord.Unpacker(io.BytesIO(DATA), read_size=size)) == VALUES


@pytest.mark.parametrize("cut", range(1, len(DATA)))
def test_a_stream_that_ends_within_a_message(cut: int) -> None:
    unpacker = packord.Unpacker(io.BytesIO(DATA[:cut]))
    found = []
    ends = {len(b"".join(map(packord.packb, VALUES[:n]))) for n in range(len(VALUES))}
    if cut in ends:
        assert list(unpacker) == VALUES[: len(list(packord.Unpacker(io.BytesIO(DATA[:cut]))))]
        return
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        for value in unpacker:
            found.append(value)
    assert (caught.value.kind, caught.value.offset) == ("eof", cut)
    assert found == VALUES[: len(found)]
    # The error stays: no message after it is returned.
    with pytest.raises(packord.MsgpackDecodeError):
        next(unpacker)


@pytest.mark.parametrize("call", ["unpack", "skip", "read_array_header", "read_map_header"])
def test_a_fault_that_ends_a_stream_stays(call: str) -> None:
    unpacker = packord.Unpacker()
    unpacker.feed(b"\xc1\x91\x01")
    for _ in range(2):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            getattr(unpacker, call)()
        assert (caught.value.kind, caught.value.offset) == ("reserved_marker", 0)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpacker.read_array_header()
    assert (caught.value.kind, caught.value.offset) == ("reserved_marker", 0)


def test_error_names_the_message() -> None:
    unpacker = packord.Unpacker()
    unpacker.feed(packord.packb(1) + b"\x81\xa1a\x91\xc1")
    assert next(unpacker) == 1
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        next(unpacker)
    assert (caught.value.kind, caught.value.offset) == ("reserved_marker", 5)
    assert caught.value.path == "$1.a[0]"


def test_headers_skip_and_bytes() -> None:
    unpacker = packord.Unpacker()
    with pytest.raises(packord.OutOfData):
        unpacker.unpack()
    unpacker.feed(packord.packb([1, {"a": 2}, 3]) + b"raw" + packord.packb({"k": 1}))
    assert unpacker.read_array_header() == 3
    assert unpacker.unpack() == 1
    unpacker.skip()
    assert unpacker.unpack() == 3
    assert unpacker.read_bytes(3) == b"raw"
    assert unpacker.read_map_header() == 1
    assert list(unpacker) == ["k", 1]
    unpacker.feed(b"\x01")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpacker.read_map_header()
    assert caught.value.kind == "type_mismatch"


def test_refuses_a_message_larger_than_max_buffer() -> None:
    unpacker = packord.Unpacker(max_buffer=10)
    unpacker.feed(packord.packb("x" * 5) * 100)
    assert len(list(unpacker)) == 100
    unpacker.feed(b"\xd9\xff")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        next(unpacker)
    assert (caught.value.kind, caught.value.offset) == ("length_limit", 600)


def test_packer_and_sequential_records() -> None:
    packer = packord.Packer(records=True, sequential=True)
    rows = [{"id": i, "name": "n"} for i in range(10)]
    packed = [packer.pack(row) for row in rows]
    assert packed[0].startswith(b"\xd4\x72\x40") and packed[1].startswith(b"\x40\x01")
    unpacker = packord.Unpacker(io.BytesIO(b"".join(packed)), records=True, sequential=True)
    assert list(unpacker) == rows
    plain = packord.Packer()
    pairs = plain.pack_map_pairs([([1], 2), ([1], 3)])
    assert pairs == b"\x82\x91\x01\x02\x91\x01\x03"
    assert plain.pack_ext_type(5, b"x") == b"\xd4\x05x"
    for count, header in ((15, "9f"), (16, "dc0010"), (65536, "dd00010000")):
        assert plain.pack_array_header(count).hex() == header
    assert plain.pack_map_header(16).hex() == "de0010"
    with pytest.raises(ValueError):
        plain.pack_map_header(2**32)


def test_files() -> None:
    file = io.BytesIO()
    packord.pack({"a": 1}, file)
    file.seek(0)
    assert packord.unpack(file) == {"a": 1}
    assert packord.packb({"b": 1, "a": 2}, canonical=True) == b"\x82\xa1a\x02\xa1b\x01"
    assert packord.unpackb(b"\x92\x01\x02", type=tuple[int, int]) == (1, 2)
    assert packord.unpackb(b"\xd4\x05\x00") == packord.Ext(5, b"\0")


def test_reads_messages_of_an_asyncio_stream() -> None:
    async def run() -> list[Any]:
        reader = asyncio.StreamReader()
        for start in range(0, len(DATA), 5):
            reader.feed_data(DATA[start : start + 5])
        reader.feed_eof()
        return [message async for message in packord.unpack_async(reader, read_size=3)]

    assert asyncio.run(run()) == VALUES

    async def cut() -> None:
        reader = asyncio.StreamReader()
        reader.feed_data(b"\x92\x01")
        reader.feed_eof()
        async for _ in packord.unpack_async(reader):
            raise AssertionError("there is no message")

    with pytest.raises(packord.MsgpackDecodeError) as caught:
        asyncio.run(cut())
    assert caught.value.kind == "eof"


class Chunks:
    """Returns its chunks one by one, as `asyncio.StreamReader` does; `None` is one that does not arrive."""

    def __init__(self, *chunks: bytes | None) -> None:
        self.chunks = list(chunks)

    async def read(self, size: int) -> bytes:
        chunk = self.chunks.pop(0) if self.chunks else b""
        if chunk is None:
            await asyncio.sleep(60)
        return chunk or b""


def test_an_asyncio_stream_says_how_it_ended() -> None:
    async def steps(*chunks: bytes | None) -> list[Any]:
        found = list[Any]()
        messages = packord.unpack_async(Chunks(*chunks))
        for _ in range(5):
            try:
                found.append(await asyncio.wait_for(anext(messages), 0.01))
            except packord.MsgpackDecodeError as error:
                found.append(error.kind)
            except (asyncio.TimeoutError, StopAsyncIteration) as error:
                found.append(type(error))
        return found

    end = StopAsyncIteration
    for chunks, wanted in (
        ((b"\x01\x02",), [1, 2, end, end, end]),
        # A message at fault that is whole, and what cannot be passed over.
        ((b"\x01\xa1\xff\x02",), [1, "invalid_utf8", 2, end, end]),
        ((b"\x01\xc1\x02",), [1, *["reserved_marker"] * 4]),
        ((b"\x01\x92\x02",), [1, *["eof"] * 4]),
        ((b"\x01\x92", None, b"\x02\x03\x04"), [1, asyncio.TimeoutError, [2, 3], 4, end]),
    ):
        assert asyncio.run(steps(*chunks)) == wanted


def test_an_asyncio_stream_may_be_closed_early() -> None:
    class Hook:
        """What a hook is a method of."""

        def __call__(self, found: Any) -> Any:
            return found

    async def run() -> None:
        reader, hook = asyncio.StreamReader(), Hook()
        reader.feed_data(b"\x80\x02\x92\x03")
        held: list[Any] = [weakref.ref(reader), weakref.ref(hook)]
        async with contextlib.aclosing(packord.unpack_async(reader, object_hook=hook)) as messages:
            async for message in messages:
                assert message == {}
                break
        # Without a cycle: what was held is free at once. The reader itself stays open.
        reader.feed_data(b"\x04")
        assert await reader.read(9) == b"\x04"
        del reader, hook
        assert [each() for each in held] == [None, None]
        for _ in range(2):
            with pytest.raises(StopAsyncIteration):
                await anext(messages)
        await messages.aclose()

    async def close_meanwhile() -> None:
        reader = asyncio.StreamReader()
        messages = packord.unpack_async(reader)
        for data in (b"\x01", b""):
            step = asyncio.ensure_future(anext(messages))
            await asyncio.sleep(0)
            await messages.aclose()
            reader.feed_data(data) if data else reader.feed_eof()
            with pytest.raises(StopAsyncIteration):
                await step
            messages = packord.unpack_async(reader)

    asyncio.run(run())
    asyncio.run(close_meanwhile())


@dataclasses.dataclass
class Row:
    id: int
    name: str


ROWS = [Row(i, f"n{i}") for i in range(50)]


def packed_rows() -> list[bytes]:
    packer = packord.Packer(records=True, sequential=True)
    return [packer.pack(row) for row in ROWS]


def test_reads_records_of_a_file_into_a_type(tmp_path: Path) -> None:
    (tmp_path / "rows").write_bytes(b"".join(packed_rows()))
    for size in (1, 100, 65536):
        with (tmp_path / "rows").open("rb") as file:
            rows = packord.Unpacker(file, type=Row, read_size=size, records=True, sequential=True)
            assert list(rows) == ROWS


def test_reads_records_of_a_socket_into_a_type_as_they_arrive() -> None:
    ours, theirs = socket.socketpair()
    ours.settimeout(30)
    with ours, theirs, ours.makefile("rb", buffering=0) as file:
        rows = packord.Unpacker(file, type=Row, records=True, sequential=True)
        for row, packed in zip(ROWS, packed_rows()):
            theirs.sendall(packed)
            assert next(rows) == row
        theirs.sendall(packord.packb({"id": "x", "name": "n"}))
        theirs.close()
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            next(rows)
        assert caught.value.path == f"${len(ROWS)}.id"
        assert list(rows) == []


def test_reads_records_of_a_connection_into_a_type() -> None:
    async def serve(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        data = b"".join(packed_rows())
        for start in range(0, len(data), 7):
            writer.write(data[start : start + 7])
            await writer.drain()
        writer.close()

    async def run() -> list[Row]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        async with server:
            address = server.sockets[0].getsockname()
            reader, writer = await asyncio.open_connection(*address)
            options: Any = {"records": True, "sequential": True}
            found = [row async for row in packord.unpack_async(reader, type=Row, **options)]
            writer.close()
            return found

    assert asyncio.run(run()) == ROWS


def test_refuses_an_unpacker_within_its_own_hook() -> None:
    unpacker: Any = packord.Unpacker(object_hook=lambda _: next(unpacker))
    unpacker.feed(b"\x80\x80")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        next(unpacker)
    assert isinstance(caught.value.__cause__, RuntimeError)


@dataclasses.dataclass
class Point:
    kind: Literal["point"]
    x: int
    name: str | None = None


@dataclasses.dataclass
class Line:
    kind: Literal["line"]
    points: list[int]


@dataclasses.dataclass
class Named:
    name: str
    first: int


@dataclasses.dataclass
class Nested:
    named: Named | None
    tags: list[str]


UNIONS: list[Any] = [
    Point | Line,
    Named | Nested,
    Point | Line | int,
    dict[str, Named | Nested],
    list[Point | Line] | str,
    Named | Nested | list[Named | Nested],
]
UNION_VALUES: list[Any] = [
    {"kind": "point", "x": 1},
    {"x": "no", "kind": "point", "name": "p"},
    {"points": [1, None], "kind": "line"},
    {"kind": "plane"},
    {"name": "n", "first": 1},
    {"tags": ["a", 2], "named": {"first": 3, "name": "m"}},
    {"name": 1, "other": {"a": [1, 2]}, "first": None},
    [{"name": "n", "first": 1}, {"points": [2], "kind": "line"}],
    {"key": {"name": "n", "first": 1}},
    "text",
]


def outcomes(data: bytes, union: Any, size: int, records: bool) -> list[str]:
    """What an unpacker gives that is fed ``size`` bytes at a time, up to a fault of the bytes."""
    unpacker, found = packord.Unpacker(type=union, records=records), list[str]()
    for start in range(0, len(data), size):
        unpacker.feed(data[start : start + size])
        while True:
            try:
                found.append(repr(unpacker.unpack()))
            except packord.OutOfData:
                break
            except packord.MsgpackDecodeError as error:
                if found and found[-1] == str(error):
                    return found
                found.append(str(error))
    return found


@pytest.mark.parametrize("records", [False, True])
def test_what_is_wrong_with_a_union_does_not_depend_on_how_its_bytes_arrive(records: bool) -> None:
    random = Random(1)
    for _ in range(3000):
        packer = packord.Packer(records=records)
        data = bytearray(b"".join(packer.pack(random.choice(UNION_VALUES)) for _ in range(2)))
        for _ in range(random.randint(0, 2)):
            place = random.randrange(len(data))
            data[place : place + random.randint(0, 1)] = random.choices(
                [0x92, 0xA2, 0xC1, 0xFF, 0xDF], k=1
            )
        union = random.choice(UNIONS)
        whole = outcomes(bytes(data), union, len(data), records)
        for size in (1, 3, 8):
            assert outcomes(bytes(data), union, size, records) == whole, (union, data.hex())


def test_a_definition_survives_what_the_program_does_with_its_record() -> None:
    def hook(row: dict[str, Any]) -> dict[str, Any]:
        if row.get("x") == 1:
            raise LookupError("no row")
        return row

    rows = [{"x": 1}, {"x": 2}, {"x": 3, "y": 4}, {"x": 5}]
    encoder = packord.Encoder(records=True, sequential=True)
    stream = packord.Unpacker(records=True, sequential=True, object_hook=hook)
    stream.feed(b"".join(map(encoder.encode, rows)))
    with pytest.raises(packord.MsgpackDecodeError, match="hook_failed"):
        stream.unpack()
    assert list(stream) == rows[1:]
    typed = packord.Unpacker(records=True, sequential=True, type=dict[str, str])
    encoder = packord.Encoder(records=True, sequential=True)
    typed.feed(b"".join(map(encoder.encode, [{"x": 1}, {"x": "a"}])))
    with pytest.raises(packord.MsgpackDecodeError, match="type_mismatch"):
        typed.unpack()
    assert list(typed) == [{"x": "a"}]


def test_a_stream_that_cannot_go_on_takes_no_more_bytes() -> None:
    for first, most in ((b"\xc1", 1 << 20), (b"\xdc\xff\xff", 1000)):
        stream = packord.Unpacker(max_buffer=most)
        stream.feed(first)
        kinds = set()
        for _ in range(3):
            for call in (stream.unpack, functools.partial(stream.feed, bytes(100))):
                with pytest.raises(packord.MsgpackDecodeError) as caught:
                    call()
                kinds.add((caught.value.kind, caught.value.offset))
        assert len(kinds) == 1


FAULTS = [
    (b"\x92\xa1\xff\xa1a", "invalid_utf8", {}),
    (b"\x92\xd5\xff\x00\x00\xa1a", "invalid_timestamp", {}),
    (b"\xa9" + b"a" * 9, "length_limit", {"max_str_len": 8}),
    (b"\x94\x01\x02\x03\x91\x04", "length_limit", {"max_array_len": 3}),
    (b"\xdf\x00\x00\x00\x02\x01\x02\x03\xc4\x01\x00", "length_limit", {"max_map_len": 1}),
    (b"\x93\x01\x02\xcd\x01\x00", "length_limit", {"max_nodes": 3}),
    (b"\x91\x91\x91\x91\xa1a", "depth_limit", {"max_depth": 3}),
]


@pytest.mark.parametrize("size", [1, 2, 100])
@pytest.mark.parametrize(("message", "kind", "options"), FAULTS)
def test_a_fault_whose_end_is_known_is_reported_once(
    message: bytes, kind: str, options: Any, size: int
) -> None:
    data, found = b"\x91\x05" + message + b"\x91\x06" + message + b"\x91\x07", list[Any]()
    unpacker = packord.Unpacker(**options)
    for start in range(0, len(data), size):
        unpacker.feed(data[start : start + size])
        while True:
            try:
                found.append(unpacker.unpack())
            except packord.OutOfData:
                break
            except packord.MsgpackDecodeError as error:
                found.append((error.kind, (error.path or "")[:2]))
    assert found == [[5], (kind, "$1"), [6], (kind, "$3"), [7]]
    assert unpacker.tell() == len(data)
    unpacker.finish()
    again = packord.Unpacker(io.BytesIO(data), read_size=size, **options)
    for value in ([5], None, [6], None, [7]):
        if value is None:
            with pytest.raises(packord.MsgpackDecodeError, match=kind):
                again.unpack()
        else:
            assert again.unpack() == value
    assert list(again) == []


def test_a_message_at_fault_that_does_not_end_is_an_error_at_the_end() -> None:
    for after, kind, offset in (
        (b"", "eof", 4),
        (b"\xc1", "reserved_marker", 4),
        (b"\x01\xc1", "reserved_marker", 5),
    ):
        unpacker = packord.Unpacker()
        unpacker.feed(b"\x93\xa1\xff\x01")
        with pytest.raises(packord.MsgpackDecodeError, match="invalid_utf8"):
            unpacker.unpack()
        assert list(unpacker) == []
        unpacker.feed(after)
        for _ in range(2):
            with pytest.raises(packord.MsgpackDecodeError, match=kind) as caught:
                unpacker.finish()
            assert caught.value.offset == offset
            # After the message a new one begins.
            assert caught.value.path == ("$1" if offset == 5 else "$")
        with pytest.raises(packord.MsgpackDecodeError, match=kind):
            unpacker.feed(b"\x01")


@pytest.mark.parametrize("size", [1, 3, 100])
def test_a_fault_that_python_alone_finds_is_reported_once(size: int) -> None:
    """The crate's scanner, which finds the messages, knows nothing of these."""

    def hook(code: int, data: bytes) -> bytes:
        if data == b"\0":
            raise LookupError("no ext")
        return data

    cases: list[tuple[bytes, str, dict[str, Any]]] = [
        (b"\x92\xcc\x05\xc1", "not_canonical", {"canonical": True}),
        (b"\x93\xd4\x05\x00\x01\xc1", "hook_failed", {"ext_hook": hook}),
    ]
    for message, kind, options in cases:
        for end, last in ((b"", "eof"), (message[-1:], "reserved_marker"), (b"\x01", None)):
            data = b"\x05" + message[:-1] + end
            file = packord.Unpacker(io.BytesIO(data), read_size=size, **options)
            assert file.unpack() == 5
            with pytest.raises(packord.MsgpackDecodeError, match=kind):
                file.unpack()
            for _ in range(2):
                if last is None:
                    assert list(file) == []
                    continue
                with pytest.raises(packord.MsgpackDecodeError, match=last) as caught:
                    file.unpack()
                assert (caught.value.offset, caught.value.path) == (len(message), "$1")


def test_skips_messages_at_fault_as_it_reads_them() -> None:
    for records in (False, True):
        unpacker = packord.Unpacker(records=records)
        unpacker.feed(b"\x01\x92\xa1\xff\x02\x03\x04")
        unpacker.skip()
        with pytest.raises(packord.MsgpackDecodeError, match="invalid_utf8"):
            unpacker.skip()
        unpacker.skip()
        assert list(unpacker) == [4]


def test_bytes_of_a_message_that_are_left_are_an_error() -> None:
    unpacker = packord.Unpacker(structures=[["a", "b"]], object_hook=dict)
    # Not a list that begins with the old one: how long a record is, is known from that.
    unpacker.structures = [["a"]]
    unpacker.feed(b"\x40\x01\x02\x91\x07")
    with pytest.raises(packord.MsgpackDecodeError, match="trailing_bytes") as caught:
        unpacker.unpack()
    assert (caught.value.offset, caught.value.path) == (2, "$")
    assert unpacker.unpack() == [7]
