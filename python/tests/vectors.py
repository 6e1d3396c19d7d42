"""The vectors of ``spec/vectors``, as Python values."""

from __future__ import annotations

import datetime
import io
import itertools
import json
import math
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import packord

ROOT = Path(__file__).parent / "linked" / "vectors"


def cases(kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Every case of a class of vectors, with its name."""
    found = []
    for file in sorted((ROOT / kind).glob("*.json")):
        for case in json.loads(file.read_text(encoding="utf-8"))["cases"]:
            found.append((f"{file.stem}/{case['name']}", case))
    return found


def expand(pieces: Any) -> bytes:
    """The bytes that an abbreviated entry stands for."""
    if isinstance(pieces, str):
        return bytes.fromhex(pieces)
    return b"".join(_parts(pieces))


def _parts(pieces: list[Any]) -> Iterator[bytes]:
    for part in pieces:
        if isinstance(part, str):
            yield bytes.fromhex(part)
        elif "repeat" in part:
            yield expand(part["repeat"]) * part["times"]
        elif "counter" in part:
            prefix, suffix = bytes.fromhex(part["prefix"]), bytes.fromhex(part["suffix"])
            for number in range(part["counter"]):
                yield b"%s%0*d%s" % (prefix, part["digits"], number, suffix)
        else:
            prefix, suffix = bytes.fromhex(part["prefix"]), bytes.fromhex(part["suffix"])
            alphabet = [bytes.fromhex(letter) for letter in part["product"]]
            for word in itertools.product(alphabet, repeat=part["power"]):
                yield prefix + b"".join(word) + suffix


def build(value: Any) -> Any:
    """The Python value of a typed one. Maps are lists of pairs, in ``Pairs``."""
    if not isinstance(value, dict):
        return value
    if "f64" in value:  # a float 32 is given as a float 64 too
        return struct.unpack(">d", bytes.fromhex(value["f64"]))[0]
    if "f32" in value:
        return struct.unpack(">f", bytes.fromhex(value["f32"]))[0]
    ((kind, content),) = value.items()
    if kind == "int":
        return int(content)
    if kind == "str":
        return content["repeat"] * content["times"] if isinstance(content, dict) else content
    if kind == "bin":
        return _payload(content)
    if kind == "ext":
        return packord.Ext(content[0], _payload(content[1]))
    if kind == "timestamp":
        return packord.Timestamp(int(content[0]), content[1])
    if kind == "array":
        if isinstance(content, dict):
            return [build(content["repeat"])] * content["times"]
        return [build(item) for item in content]
    if kind == "map":
        if isinstance(content, dict):
            digits = content.get("digits")
            keys = (f"{i:0{digits}}" if digits else i for i in range(content["count"]))
            entry = build(content["value"])
            return Pairs((key, entry) for key in keys)
        return Pairs((build(key), build(item)) for key, item in content)
    assert kind == "nest"
    inner = build(content["inner"])
    for _ in range(content["array"]):
        inner = [inner]
    return inner


def _payload(content: Any) -> bytes:
    if isinstance(content, dict):
        return bytes.fromhex(content["repeat"]) * int(content["times"])
    return bytes.fromhex(content)


class Pairs(list[Any]):
    """The entries of a map, in their order."""


def same(value: Any, wanted: Any) -> bool:
    """Whether a value that was read is the one of the vector, to the bit and the type."""
    stack = [(value, wanted)]
    while stack:
        value, wanted = stack.pop()
        if isinstance(value, datetime.datetime):
            value = packord.Timestamp.from_datetime(value)
        if isinstance(wanted, Pairs):
            if isinstance(value, dict):
                # A dict holds what is equal in Python once; the last value counts.
                merged = {hashable(key): item for key, item in wanted}
                value, wanted = Pairs(value.items()), Pairs(merged.items())
            elif isinstance(value, list):
                value = Pairs(value)
            if not isinstance(value, Pairs) or len(value) != len(wanted):
                return False
            for (key, item), (wanted_key, wanted_item) in zip(value, wanted, strict=True):
                stack += [(key, wanted_key), (item, wanted_item)]
        elif isinstance(wanted, (list, tuple)):
            if not isinstance(value, (list, tuple)) or len(value) != len(wanted):
                return False
            stack += zip(value, wanted, strict=True)
        elif isinstance(wanted, float):
            if not isinstance(value, float) or not _same_float(value, wanted):
                return False
        elif type(value) is not type(wanted) or value != wanted:
            return False
    return True


def _same_float(value: float, wanted: float) -> bool:
    if math.isnan(wanted):
        # What a conversion from 32 bits does to a NaN, it may do here too: the quiet bit.
        bits, wanted_bits = (struct.unpack(">Q", struct.pack(">d", x))[0] for x in (value, wanted))
        return bool(bits | 1 << 51 == wanted_bits | 1 << 51)
    return struct.pack(">d", value) == struct.pack(">d", wanted)


def hashable(key: Any) -> Any:
    """A key as a dict can have it: lists as tuples."""
    return tuple(map(hashable, key)) if isinstance(key, list) else key


def unhashable(value: Any) -> bool:
    """Whether some map in the value has a key that no dict can have."""
    stack = [(value, False)]
    while stack:
        value, in_key = stack.pop()
        if isinstance(value, Pairs):
            if in_key:
                return True
            for key, item in value:
                stack += [(key, True), (item, False)]
        elif isinstance(value, list):
            stack += [(item, in_key) for item in value]
    return False


def plain(value: Any) -> Any:
    """The value as ``packb`` takes it: maps as dicts."""
    if isinstance(value, Pairs):
        return {hashable(key): plain(item) for key, item in value}
    return [plain(item) for item in value] if isinstance(value, list) else value


# The ext types that Python reads; all but bigint by one option.
_BIGINT = 0x42
_CODES = {_BIGINT, 0x74, *range(80, 90)}


def place(error: packord.MsgpackDecodeError) -> dict[str, Any]:
    """What a case says of an error. A path that is left out is ``$``."""
    return {"kind": error.kind, "offset": error.offset, "path": error.path or "$"}


def has_extensions(case: dict[str, Any]) -> bool:
    """Python reads the ext types that the case is about; calendars and named values are Clojure's.
    Nor has it sets without bigints: one option reads both."""
    if case["name"] == "set of a number and its bigint, which is an ext":
        return False
    return set(case.get("options", {}).get("ext_types", ())) <= _CODES


def reader_options(options: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments of ``Decoder`` for the options of a case."""
    keywords: dict[str, Any] = {"timestamps": "timestamp"}
    for name, value in options.items():
        if name == "shared_structures":
            keywords["structures"] = value
        elif name == "ext_types":
            keywords |= {"bigint" if code == _BIGINT else "rich": True for code in value}
        elif name not in ("float32", "max_shared_structures", "max_own_structures"):
            keywords[name] = value
    return keywords


def writer_options(options: dict[str, Any]) -> dict[str, Any]:
    """Keyword arguments of ``Encoder`` for the options of a case."""
    known = {
        "records",
        "columns",
        "canonical",
        "bigint",
        "float32",
        "sequential",
        "max_depth",
    }
    known |= {"max_shared_structures", "max_own_structures", "max_record_keys"}
    keywords = {name: value for name, value in options.items() if name in known}
    if "shared_structures" in options:
        keywords["structures"] = options["shared_structures"]
    return keywords


def sayable(value: Any, typed: Any) -> bool:
    """Whether packing the built value means the same: no float 32, no keys that are one in Python,
    no signalling NaN."""
    stack = [typed]
    while stack:
        item = stack.pop()
        if isinstance(item, dict):
            if "f32" in item:
                return False
            stack += item.values()
        elif isinstance(item, list):
            stack += item
    return not merges(value)


def merges(value: Any) -> bool:
    """Whether keys of a map in the value are one in a dict."""
    stack = [value]
    while stack:
        value = stack.pop()
        if isinstance(value, Pairs):
            keys = {hashable(key) for key, _ in value}
            if len(keys) < len(value):
                return True
            stack += [item for _, item in value]
        elif isinstance(value, list):
            stack += value
    return False


class Stream(io.RawIOBase):
    """A file that can't seek, so that a container file is read from the front."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: Any) -> int:
        return self.file.readinto(buffer)
