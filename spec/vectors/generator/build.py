"""Builders of bytes and of typed JSON, from nothing but the marker table."""

from __future__ import annotations

import struct
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


# --- wire: each function names the format that it writes --------------------------------


def u8(number: int) -> bytes:
    return b"\xcc" + struct.pack(">B", number)


def u16(number: int) -> bytes:
    return b"\xcd" + struct.pack(">H", number)


def u32(number: int) -> bytes:
    return b"\xce" + struct.pack(">I", number)


def u64(number: int) -> bytes:
    return b"\xcf" + struct.pack(">Q", number)


def i8(number: int) -> bytes:
    return b"\xd0" + struct.pack(">b", number)


def i16(number: int) -> bytes:
    return b"\xd1" + struct.pack(">h", number)


def i32(number: int) -> bytes:
    return b"\xd2" + struct.pack(">i", number)


def i64(number: int) -> bytes:
    return b"\xd3" + struct.pack(">q", number)


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


def str_header(length: int) -> bytes:
    """The minimal header of a str."""
    if length < 32:
        return bytes([0xA0 + length])
    if length < 256:
        return header8(0xD9, length)
    return header16(0xDA, length) if length < 65536 else header32(0xDB, length)


def bin_header(length: int) -> bytes:
    """The minimal header of a bin."""
    if length < 256:
        return header8(0xC4, length)
    return header16(0xC5, length) if length < 65536 else header32(0xC6, length)


def array_header(count: int) -> bytes:
    """The minimal header of an array."""
    if count < 16:
        return bytes([0x90 + count])
    return header16(0xDC, count) if count < 65536 else header32(0xDD, count)


def map_header(count: int) -> bytes:
    """The minimal header of a map."""
    if count < 16:
        return bytes([0x80 + count])
    return header16(0xDE, count) if count < 65536 else header32(0xDF, count)


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


# --- cases ------------------------------------------------------------------------------


def fault(kind: str, offset: int) -> dict:
    return {"kind": kind, "offset": offset}


class Topic:
    """One vector file: collects cases in order."""

    def __init__(self, kind: str, topic: str, description: str) -> None:
        self.kind = kind
        self.topic = topic
        self.description = description
        self.cases: list[dict] = []

    def add(self, name: str, pieces: bytes | str | list, /, **members: Any) -> None:
        """A case; the members stand in the file in the order given."""
        self._case({"name": name, "bytes": join(pieces)}, members)

    def add_steps(self, name: str, *steps: dict, **members: Any) -> None:
        """A case of several messages for one reader or writer."""
        self._case({"name": name}, {**members, "steps": list(steps)})

    def _case(self, case: dict, members: dict) -> None:
        options = members.pop("options", None) or {}
        if self.kind == "records":
            options = {"records": True, **options}
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
