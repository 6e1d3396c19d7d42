"""The Python end of the interoperability tests; ``interop/README.md`` has the protocol."""

from __future__ import annotations

import datetime
import io
import json
import struct
import sys
from collections.abc import Callable
from json.encoder import encode_basestring
from pathlib import Path
from typing import Any

import msgpack
import msgspec
import ormsgpack
import packord
from packord.container import Reader as FileReader
from packord.container import Writer as FileWriter

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "python" / "tests"))
import natives  # noqa: E402
import vectors  # noqa: E402

sys.setrecursionlimit(20_000)

Outcome = tuple[bool, bytes]


def typed(value: Any) -> str:
    """The typed JSON of a value, without white space."""
    kind = type(value)
    if kind is str:
        return '{"str":' + encode_basestring(value) + "}"
    if value is None:
        return "null"
    if kind is bool:
        return "true" if value else "false"
    if kind is int:
        return f'{{"int":"{value}"}}'
    if kind is float:
        return f'{{"f64":"{struct.pack(">d", value).hex()}"}}'
    if kind is dict:
        return '{"map":[' + ",".join([f"[{typed(k)},{typed(v)}]" for k, v in value.items()]) + "]}"
    if kind is vectors.Pairs:
        return '{"map":[' + ",".join([f"[{typed(k)},{typed(v)}]" for k, v in value]) + "]}"
    if kind is list or kind is tuple:
        return '{"array":[' + ",".join(map(typed, value)) + "]}"
    if kind is bytes:
        return f'{{"bin":"{value.hex()}"}}'
    if kind is packord.Ext:
        return f'{{"ext":[{value.type},"{value.data.hex()}"]}}'
    if kind is datetime.datetime:
        value = packord.Timestamp.from_datetime(value)
    assert isinstance(value, packord.Timestamp), kind
    return f'{{"timestamp":["{value.seconds}",{value.nanoseconds}]}}'


def place(error: packord.MsgpackDecodeError | packord.MsgpackEncodeError) -> str:
    """Kind and place of an error: the offset of reading, the path of writing."""
    where = error.offset if isinstance(error, packord.MsgpackDecodeError) else error.path
    return f"{error.kind} {where}"


def attempt(call: Callable[[], bytes], describe: Callable[[Any], str] = place) -> Outcome:
    """What the call returns, or its error as ``describe`` puts it."""
    try:
        return True, call()
    except (packord.MsgpackDecodeError, packord.MsgpackEncodeError) as error:
        return False, describe(error).encode()


class Reader:
    """Reads messages with the options of a request. A map that no dict can hold (its keys are
    maps) is read as pairs.
    """

    def __init__(self, options: dict[str, Any]) -> None:
        keywords = vectors.reader_options(options)
        keywords.pop("max_buffer", None)
        self.decoder = packord.Decoder(**keywords)
        self.pairs = packord.Decoder(object_pairs_hook=vectors.Pairs, **keywords)

    def read(self, data: bytes) -> Any:
        try:
            return self.decoder.decode(data)
        except packord.MsgpackDecodeError as error:
            if error.kind != "type_mismatch":
                raise
        return self.pairs.decode(data)


def encode(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    encoder = packord.Encoder(**vectors.writer_options(header["options"]))

    def one(item: bytes) -> bytes:
        return encoder.encode(vectors.plain(vectors.build(json.loads(item))))

    written = [attempt(lambda item=item: one(item)) for item in items]
    return [*written, (True, json.dumps(encoder.structures or []).encode())]


def decode(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    reader = Reader(header["options"])
    return [attempt(lambda item=item: typed(reader.read(item)).encode()) for item in items]


def pack(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    packb = packord.Encoder().encode if header.get("face") == "classes" else packord.packb

    def one(item: bytes) -> bytes:
        first, *others = map(packb, natives.each(json.loads(item)))
        assert all(other == first for other in others), item
        return first

    return [attempt(lambda item=item: one(item)) for item in items]


def again(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    if header.get("face") == "classes":
        return [
            attempt(lambda item=item: packord.Encoder().encode(packord.Decoder().decode(item)))
            for item in items
        ]
    return [attempt(lambda item=item: packord.packb(packord.unpackb(item))) for item in items]


def message(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    reader = Reader(header["options"])

    def read(item: bytes) -> bytes:
        reader.read(item)
        return b""

    return [attempt(lambda item=item: read(item), str) for item in items]


def transcode(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    if "peer" in header:
        return [through(PEERS[header["peer"]], item) for item in items]
    reader = Reader(header["options"])
    options = vectors.writer_options(header["options"])

    def one(item: bytes) -> bytes:
        return packord.Encoder(**options).encode(reader.decoder.decode(item))

    return [attempt(lambda item=item: one(item)) for item in items]


def stream(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    outcomes = []
    for item in items:
        options = vectors.reader_options(header["options"])
        unpacker = packord.Unpacker(object_pairs_hook=vectors.Pairs, **options)
        values: list[str] = []
        end = "clean"
        try:
            for start in range(0, len(item), header["chunk"]):
                unpacker.feed(item[start : start + header["chunk"]])
                values.extend(map(typed, unpacker))
            unpacker.finish()
        except packord.MsgpackDecodeError as error:
            end = place(error)
        outcomes.append((True, f'{{"values":[{",".join(values)}],"end":"{end}"}}'.encode()))
    return outcomes


PLAIN: dict[str, Any] = {"timestamps": "timestamp"}


def file(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    options = {**header["write"], "sync": bytes.fromhex(header["write"]["sync"])}

    def one(item: bytes) -> bytes:
        out = io.BytesIO()
        with FileWriter(out, **options) as writer:
            writer.write_many(packord.Unpacker(io.BytesIO(item), **PLAIN))
        return out.getvalue()

    return [attempt(lambda item=item: one(item)) for item in items]


def rows(header: dict[str, Any], items: list[bytes]) -> list[Outcome]:
    options = dict(header["read"])
    has_index = options.pop("index", False)
    if "where" in options:
        options["where"] = [
            (path, op, *(vectors.plain(vectors.build(constant)) for constant in rest))
            for path, op, *rest in options["where"]
        ]
    outcomes = []
    for item in items:
        values: list[str] = []
        ranges: list[Any] = []
        end = "clean"
        try:
            reader = FileReader(item if has_index else vectors.Stream(item), **options, **PLAIN)
            try:
                values.extend(map(typed, reader))
            finally:
                ranges = [[start, stop, place(error)] for start, stop, error in reader.damaged]
        except packord.MsgpackDecodeError as error:
            end = place(error)
        rest = json.dumps({"end": end, "ranges": ranges}, separators=(",", ":"))
        outcomes.append((True, f'{{"values":[{",".join(values)}],{rest[1:]}'.encode()))
    return outcomes


PEERS: dict[str, tuple[Callable[[bytes], Any], Callable[[Any], bytes]]] = {
    "msgpack": (
        lambda data: msgpack.unpackb(data, strict_map_key=False, timestamp=0),
        lambda value: msgpack.packb(value),
    ),
    "ormsgpack": (
        lambda data: ormsgpack.unpackb(
            data, option=ormsgpack.OPT_NON_STR_KEYS, ext_hook=ormsgpack.Ext
        ),
        lambda value: ormsgpack.packb(value, option=ormsgpack.OPT_NON_STR_KEYS),
    ),
    "msgspec": (msgspec.msgpack.decode, msgspec.msgpack.encode),
}


def through(peer: tuple[Callable[[bytes], Any], Callable[[Any], bytes]], data: bytes) -> Outcome:
    """What another package makes of the bytes. Whatever it raises is its answer."""
    unpack, pack = peer
    try:
        return True, pack(unpack(data))
    except Exception as error:  # noqa: BLE001
        return False, f"{type(error).__name__}: {error}".encode()


VERBS = {
    "encode": encode,
    "decode": decode,
    "pack": pack,
    "again": again,
    "message": message,
    "transcode": transcode,
    "stream": stream,
    "file": file,
    "rows": rows,
}


def read_held(header: dict[str, Any], data: bytes) -> Outcome:
    """Reads as ``decode`` does, and drops the value."""
    reader = Reader(header["options"])

    def read() -> bytes:
        reader.read(data)
        return b""

    return attempt(read)


def main() -> None:
    source, sink = sys.stdin.buffer, sys.stdout.buffer
    held = b""
    while length := source.read(4):
        items = []
        left = int.from_bytes(length, "big")
        while left:
            size = int.from_bytes(source.read(4), "big")
            items.append(source.read(size))
            left -= 4 + size
        header = json.loads(items.pop(0))
        if header["verb"] == "hold":
            held, outcomes = items.pop(), []
        elif header["verb"] == "read":
            outcomes = [read_held(header, held)]
        else:
            outcomes = VERBS[header["verb"]](header, items)
        answer = b"".join(
            bytes([not ok]) + len(data).to_bytes(4, "big") + data for ok, data in outcomes
        )
        sink.write(len(answer).to_bytes(4, "big") + answer)
        sink.flush()


if __name__ == "__main__":
    main()
