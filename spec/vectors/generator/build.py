"""Builders of bytes and of typed JSON, from nothing but the marker table."""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

Value = Any
Pieces = Any
NIL = None


# --- BYTES: a hex string, or a list of parts when something is abbreviated --------------


def join(*pieces: bytes | str | dict | list) -> Pieces:
    """One BYTES from bytes, hex strings, parts and other BYTES."""
    parts: list = []
    for piece in pieces:
        if isinstance(piece, bytes):
            piece = piece.hex()
        for item in piece if isinstance(piece, list) else [piece]:
            if isinstance(item, str) and parts and isinstance(parts[-1], str):
                parts[-1] += item.replace(" ", "")
            elif isinstance(item, str):
                parts.append(item.replace(" ", ""))
            else:
                parts.append(item)
    if all(isinstance(part, str) for part in parts):
        return "".join(parts)
    return parts


def repeat(pieces: bytes | str | list, times: int) -> dict:
    return {"repeat": join(pieces), "times": times}


def counter(count: int, digits: int, prefix: bytes | str, suffix: bytes | str) -> dict:
    return {"counter": count, "prefix": join(prefix), "digits": digits, "suffix": join(suffix)}


def product(alphabet: list[bytes], power: int, prefix: bytes, suffix: bytes) -> dict:
    letters = [letter.hex() for letter in alphabet]
    return {"product": letters, "power": power, "prefix": prefix.hex(), "suffix": suffix.hex()}


# --- wire: a function named after a format writes that format, the others the minimal one ---


def _number(marker: int, code: str) -> Callable[[int], bytes]:
    layout = struct.Struct(f">B{code}")
    return lambda number: layout.pack(marker, number)


u8, u16, u32, u64 = map(_number, range(0xCC, 0xD0), "BHIQ")
i8, i16, i32, i64 = map(_number, range(0xD0, 0xD4), "bhiq")


def fixstr(text: str) -> bytes:
    payload = text.encode("utf-8")
    assert len(payload) < 32
    return bytes([0xA0 + len(payload)]) + payload


def header8(marker: int, length: int) -> bytes:
    return struct.pack(">BB", marker, length)


def header16(marker: int, length: int) -> bytes:
    return struct.pack(">BH", marker, length)


def header32(marker: int, length: int) -> bytes:
    return struct.pack(">BI", marker, length)


# The markers of each family, by the bits of the length or count that follows them.
WIDE = {
    "str": {8: 0xD9, 16: 0xDA, 32: 0xDB},
    "bin": {8: 0xC4, 16: 0xC5, 32: 0xC6},
    "ext": {8: 0xC7, 16: 0xC8, 32: 0xC9},
    "array": {16: 0xDC, 32: 0xDD},
    "map": {16: 0xDE, 32: 0xDF},
}
# The formats that hold a short length or count in the marker: the first marker, and how many.
FIXED = {"str": (0xA0, 32), "array": (0x90, 16), "map": (0x80, 16)}
FIXEXT = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}


def wide_headers(family: str, length: int) -> list[tuple[str, bytes]]:
    """The formats that hold the length after the marker, by name, the shortest first."""
    pack = {8: header8, 16: header16, 32: header32}
    markers = WIDE[family].items()
    return [(f"{family}{bits}", pack[bits](marker, length)) for bits, marker in markers if length < 1 << bits]


def wider_headers(family: str, length: int) -> list[tuple[str, bytes]]:
    """Those of ``wide_headers`` that are not minimal."""
    _, count = FIXED.get(family, (0, 0))
    in_marker = length < count or (family == "ext" and length in FIXEXT)
    return wide_headers(family, length)[0 if in_marker else 1 :]


def _minimal_header(family: str, length: int) -> bytes:
    first, count = FIXED.get(family, (0, 0))
    return bytes([first + length]) if length < count else wide_headers(family, length)[0][1]


def str_header(length: int) -> bytes:
    return _minimal_header("str", length)


def bin_header(length: int) -> bytes:
    return _minimal_header("bin", length)


def array_header(count: int) -> bytes:
    return _minimal_header("array", count)


def map_header(count: int) -> bytes:
    return _minimal_header("map", count)


def ext_header(code: int, length: int) -> bytes:
    marker = bytes([FIXEXT[length]]) if length in FIXEXT else _minimal_header("ext", length)
    return marker + struct.pack("b", code)


def ext_bytes(code: int, payload: bytes) -> bytes:
    """An ext with its minimal header."""
    return ext_header(code, len(payload)) + payload


def timestamp32(seconds: int) -> bytes:
    return b"\xd6\xff" + struct.pack(">I", seconds)


def timestamp64(seconds: int, nanoseconds: int) -> bytes:
    return b"\xd7\xff" + struct.pack(">Q", nanoseconds << 34 | seconds)


def timestamp96(seconds: int, nanoseconds: int) -> bytes:
    return b"\xc7\x0c\xff" + struct.pack(">Iq", nanoseconds, seconds)


def text_bytes(text: str) -> bytes:
    """A str with its minimal header."""
    payload = text.encode("utf-8")
    return str_header(len(payload)) + payload


def array(*elements: bytes) -> bytes:
    return array_header(len(elements)) + b"".join(elements)


def mapping(*keys_and_values: bytes) -> bytes:
    return map_header(len(keys_and_values) // 2) + b"".join(keys_and_values)


def f64(number: float) -> bytes:
    return b"\xcb" + struct.pack(">d", number)


# --- VALUE ------------------------------------------------------------------------------


def integer(number: int) -> Value:
    return {"int": str(number)}


def text(content: str) -> Value:
    return {"str": content}


def binary(content: bytes) -> Value:
    return {"bin": content.hex()}


def double(number: float) -> Value:
    return {"f64": struct.pack(">d", number).hex()}


def single(bits: str) -> Value:
    """A float 32, and the float 64 of the same number: a NaN keeps its bits as the high ones."""
    word = int(bits, 16)
    if word & 0x7F80_0000 == 0x7F80_0000:
        wide = (word >> 31 << 63 | 0x7FF << 52 | (word & 0x7F_FFFF) << 29).to_bytes(8, "big")
    else:
        wide = struct.pack(">d", *struct.unpack(">f", bytes.fromhex(bits)))
    return {"f32": bits, "f64": wide.hex()}


def ext(code: int, payload: bytes) -> Value:
    return {"ext": [code, payload.hex()]}


def timestamp(seconds: int, nanoseconds: int = 0) -> Value:
    return {"timestamp": [str(seconds), nanoseconds]}


def items(*elements: Value) -> Value:
    return {"array": list(elements)}


def table(*entries: tuple[Value, Value]) -> Value:
    return {"map": [[key, value] for key, value in entries]}


def fields(**entries: Value) -> Value:
    """A map with str keys."""
    return {"map": [[text(key), value] for key, value in entries.items()]}


def native(kind: str, /, **members: Any) -> Value:
    """A value of a program's type that MessagePack has not."""
    return {"native": kind, **members}


# --- cases ------------------------------------------------------------------------------


def fault(kind: str, offset: int) -> dict:
    return {"kind": kind, "offset": offset}


def _tag(kind: str, options: dict, members: dict) -> str:
    """The part of the specification that a reader or writer needs for the case."""
    ends = [members.get("error"), members.get("end")]
    kinds = {end["kind"] for end in ends if isinstance(end, dict)}
    if kind in ("columns", "container", "defaults", "notation", "typed"):
        return kind
    if "records" in options:
        return "records"
    if kind == "hostile" or kinds & {"depth_limit", "length_limit"} or any(map(_is_limit, options)):
        return "limits"
    if options.keys() & {"ext_types", "bigint"}:
        return "ext"
    return "options" if options else "core"


def _is_limit(option: str) -> bool:
    return option.startswith("max_")


class Topic:
    """One vector file: collects cases in order."""

    def __init__(self, kind: str, topic: str, description: str) -> None:
        self.kind = kind
        self.topic = topic
        self.description = description
        self.cases: list[dict] = []

    def add(self, name: str, pieces: bytes | str | list, /, **members: Any) -> None:
        """Adds a case; its members keep the order of the arguments."""
        self._case({"name": name, "bytes": join(pieces)}, members)

    def add_steps(self, name: str, *steps: dict, **members: Any) -> None:
        """Adds a case of several messages for one reader or writer."""
        self._case({"name": name}, {**members, "steps": list(steps)})

    def written(self, name: str, pieces: Pieces, value: Value, /, **options: Any) -> None:
        """The default writer writes these bytes of the value, and they are read as it."""
        if self.kind == "valid":
            self.add(name, pieces, value=value, default=True, options=options)
        else:
            self.add(name, pieces, encode=True, value=value, options=options)

    def read(self, name: str, pieces: Pieces, value: Value, /, **options: Any) -> None:
        """The bytes are read as the value; in ``valid/``, the default writer writes others."""
        members = {"default": False} if self.kind == "valid" else {}
        self.add(name, pieces, value=value, **members, options=options)

    def refused(self, name: str, pieces: Pieces, kind: str, offset: int, /, **options: Any) -> None:
        """Reading reports this error."""
        self.add(name, pieces, error=fault(kind, offset), options=options)

    def path(self, name: str, pieces: Pieces, kind: str, offset: int, path: str, /, **options: Any) -> None:
        """Reading reports this error, at this path."""
        self.add(name, pieces, error={**fault(kind, offset), "path": path}, options=options)

    def stream(self, name: str, pieces: Pieces, values: list, end: str | dict, /, **options: Any) -> None:
        """The stream delivers the values and ends in this way."""
        self.add(name, pieces, values=values, end=end, options=options)

    def parts(self, name: str, pieces: Pieces, *parts: tuple[list, str | dict], **options: Any) -> None:
        """The stream delivers the values of a part and its end, then those of the next."""
        (values, end), *more = parts
        then = [{"values": values, "end": end} for values, end in more]
        self.add(name, pieces, values=values, end=end, then=then, options=options)

    def _case(self, case: dict, members: dict) -> None:
        options = members.pop("options", None) or {}
        if self.kind in ("records", "columns"):
            options = {self.kind: True, **options}
        case["tag"] = _tag(self.kind, options, members)
        if options:
            case["options"] = options
        self.cases.append({**case, **members})

    def document(self) -> dict:
        return {
            "schema": 1,
            "class": self.kind,
            "topic": self.topic,
            "description": self.description,
            "cases": self.cases,
        }
