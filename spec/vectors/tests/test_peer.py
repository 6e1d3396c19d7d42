"""The plain cases against the ``msgpack`` package of PyPI, both ways."""

from __future__ import annotations

import struct
from typing import NamedTuple

import msgpack
import pytest

from .. import reference
from ..expansion import flat
from ..generator.verify import LARGEST, size
from ..reference import Identity
from ..writer import widen
from .conftest import each

LIMIT = 2**31 - 1
IDENTITY = Identity(reference.Options())
KINDS_OF_A_PLAIN_READER = {"eof", "reserved_marker", "invalid_utf8", "trailing_bytes"}


class Pairs(list):
    """A map as msgpack returns it: its entries in order, duplicates included."""


class Ext(NamedTuple):
    """An ext of any type; ``msgpack.ExtType`` has none below 0."""

    code: int
    data: bytes


def unpack(data: bytes) -> object:
    return msgpack.unpackb(
        data, raw=False, strict_map_key=False, object_pairs_hook=Pairs, timestamp=0,
        ext_hook=Ext, max_str_len=LIMIT, max_bin_len=LIMIT, max_ext_len=LIMIT,
        max_array_len=LIMIT, max_map_len=LIMIT,
    )  # fmt: skip


def typed(item: object) -> object:
    """What msgpack read, in the typed JSON of the vectors."""
    if item is None or isinstance(item, bool):
        return item
    if isinstance(item, int):
        return {"int": str(item)}
    if isinstance(item, float):
        return {"f64": struct.pack(">d", item).hex()}
    if isinstance(item, str):
        return {"str": item}
    if isinstance(item, bytes):
        return {"bin": item.hex()}
    if isinstance(item, msgpack.Timestamp):
        return {"timestamp": [str(item.seconds), item.nanoseconds]}
    if isinstance(item, Ext):
        return {"ext": [item.code, item.data.hex()]}
    if isinstance(item, Pairs):
        entries: dict[bytes, list] = {}
        for key, value in item:
            key = typed(key)
            entries.setdefault(IDENTITY.message(key), [key, None])[1] = typed(value)
        return {"map": list(entries.values())}
    return {"array": [typed(element) for element in item]}


def widened(value: object) -> object:
    """Float 32 as float 64, as msgpack returns it; a signalling NaN becomes quiet."""
    if not isinstance(value, dict):
        return value
    if "f32" in value:
        bits = bytes.fromhex(value["f32"])
        number = struct.unpack(">f", bits)[0]
        if number != number:
            word = int.from_bytes(widen(bits), "big") | 1 << 51
            return {"f64": f"{word:016x}"}
        return {"f64": widen(bits).hex()}
    if "array" in value:
        return {"array": [widened(element) for element in value["array"]]}
    if "map" in value:
        return {"map": [[widened(key), widened(entry)] for key, entry in value["map"]]}
    return value


def untyped(value: object) -> object:
    """A value for msgpack's packer; ``KeyError`` where Python has no such value."""
    if not isinstance(value, dict):
        return value
    ((kind, content),) = value.items()
    if kind == "int":
        return int(content)
    if kind == "f64":
        return struct.unpack(">d", bytes.fromhex(content))[0]
    if kind == "str":
        return content
    if kind == "bin":
        return bytes.fromhex(content)
    if kind == "array":
        return [untyped(element) for element in content]
    if kind == "map":
        return {untyped(key): untyped(entry) for key, entry in content}
    if kind == "ext":
        return msgpack.ExtType(content[0], bytes.fromhex(content[1]))
    if kind == "timestamp":
        return msgpack.Timestamp(int(content[0]), content[1])
    raise KeyError(kind)


def plain(case: dict) -> bool:
    """Whether msgpack has every option of the case."""
    return "options" not in case


def sayable(case: dict) -> bool:
    """Whether the default writer writes the case, and Python has such a value."""
    if not (plain(case) and case["default"]):
        return False
    try:
        untyped(reference.build(case["value"]))
    except (KeyError, TypeError, ValueError):
        return False
    return True


def refused(case: dict) -> bool:
    return plain(case) and case["error"]["kind"] in KINDS_OF_A_PLAIN_READER


def large(case: dict) -> bool:
    """The cases that the reference is too slow for: one whole message without records."""
    return (
        "value_ok" in case and "records" not in case.get("options", {}) and LARGEST < size(case) < 50_000_000
    )


@each("valid", where=plain)
def test_msgpack_reads_the_same_value(kind, case):
    value = reference.build(case["value"])
    assert flat(typed(unpack(reference.expand(case["bytes"])))) == flat(widened(value))


@each("valid", where=sayable)
def test_msgpack_writes_the_same_bytes(kind, case):
    native = untyped(reference.build(case["value"]))
    assert msgpack.packb(native, use_bin_type=True) == reference.expand(case["bytes"])


@each("invalid", where=refused)
def test_msgpack_refuses_what_is_invalid_everywhere(kind, case):
    data = reference.expand(case["bytes"])
    with pytest.raises((ValueError, msgpack.UnpackException)):
        unpack(data)


@each("stream", where=lambda case: plain(case) and case["end"] == "clean")
def test_msgpack_reads_the_same_values_from_a_stream(kind, case):
    unpacker = msgpack.Unpacker(
        raw=False, strict_map_key=False, object_pairs_hook=Pairs, timestamp=0, ext_hook=Ext,
        max_buffer_size=LIMIT,
    )  # fmt: skip
    unpacker.feed(reference.expand(case["bytes"]))
    values = [flat(widened(reference.build(value))) for value in case["values"]]
    assert [flat(typed(item)) for item in unpacker] == values


@each("hostile", where=large)
def test_msgpack_finds_the_end_of_large_hostile_cases(kind, case):
    data = reference.expand(case["bytes"])
    unpacker = msgpack.Unpacker(
        max_buffer_size=LIMIT, max_str_len=LIMIT, max_bin_len=LIMIT, max_ext_len=LIMIT,
        max_array_len=LIMIT, max_map_len=LIMIT,
    )  # fmt: skip
    unpacker.feed(data)
    unpacker.skip()
    assert unpacker.tell() == len(data)
