"""The header of container files, and what reads single values of a file.

It is written from ``spec/container.md`` sections 1 and 2.2 alone.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from .container_codecs import crc32c
from .options import Fault, Options
from .reference import Reader, header_size

Value = Any

BEGINNING = bytes.fromhex("94a77061636b6f726401")
MARK = b"\xd8\x5d"


@dataclass
class Header:
    """The header of a file. ``end`` is where it ends."""

    end: int = 0
    sync: bytes = b""
    codec: str = "none"
    meta: Value = None
    stats: list[str] | None = None

    @property
    def mark(self) -> bytes:
        return MARK + self.sync


class Cursor:
    """Reads single values, with the first fault of ``format.md``; ``data`` can end before the file."""

    def __init__(self, data: bytes, pos: int) -> None:
        self.data, self.pos = data, pos

    def _header(self) -> tuple[int, int]:
        """Marker, and the number in the rest of the header."""
        if self.pos == len(self.data):
            raise Fault("eof", len(self.data))
        marker = self.data[self.pos]
        if marker == 0xC1:
            raise Fault("reserved_marker", self.pos)
        size = header_size(marker)
        if 0xCC <= marker <= 0xD3:
            size = 1 + (1 << (marker & 3))
        if len(self.data) - self.pos < size:
            raise Fault("eof", len(self.data))
        self.pos += size
        return marker, int.from_bytes(self.data[self.pos - size + 1 : self.pos], "big")

    def peek(self) -> int:
        """The next marker; ``eof`` if there is none."""
        if self.pos == len(self.data):
            raise Fault("eof", len(self.data))
        return self.data[self.pos]

    def uint(self) -> int | None:
        """An integer from 0 up, or ``None`` for another type."""
        marker, number = self._header()
        if marker <= 0x7F:
            return marker
        if 0xCC <= marker <= 0xCF:
            return number
        if 0xD0 <= marker <= 0xD3:
            return number if number < 1 << (8 * (1 << (marker & 3)) - 1) else None
        return None

    def length(self, fix: range, wide: range) -> int | None:
        """The length of a value of a type, past its header."""
        marker, number = self._header()
        if marker in fix:
            return marker - fix.start
        return number if marker in wide else None

    def array(self) -> int | None:
        return self.length(range(0x90, 0xA0), range(0xDC, 0xDE))

    def str(self) -> int | None:
        return self.length(range(0xA0, 0xC0), range(0xD9, 0xDC))

    def bin(self) -> int | None:
        return self.length(range(0), range(0xC4, 0xC7))

    def take(self, count: int) -> bytes:
        if len(self.data) - self.pos < count:
            raise Fault("eof", len(self.data))
        self.pos += count
        return self.data[self.pos - count : self.pos]

    def value(self, **options: Any) -> Value:
        """One whole value."""
        reader = Reader(self.data, Options.of(options), stream="max_buffer" in options)
        reader.pos = self.pos
        value = reader.message()
        self.pos = reader.pos
        return value


def is_str(marker: int) -> bool:
    return 0xA0 <= marker <= 0xBF or 0xD9 <= marker <= 0xDB


def is_array(marker: int) -> bool:
    return 0x90 <= marker <= 0x9F or marker in (0xDC, 0xDD)


def is_map(marker: int) -> bool:
    return 0x80 <= marker <= 0x8F or marker in (0xDE, 0xDF)


def read_header(data: bytes, max_block: int) -> Header:
    """The header, by section 2.2."""
    at = len(BEGINNING)
    if data[:at] != BEGINNING[: len(data)]:
        raise Fault("invalid_container", 0)
    if len(data) < at:
        raise Fault("eof", len(data))
    cursor = Cursor(data, at)
    if not is_map(cursor.peek()):
        raise Fault("invalid_container", at)
    try:
        cursor.value(max_buffer=max_block)
    except Fault as fault:
        raise Fault(fault.kind, at if fault.kind == "length_limit" else fault.offset) from None
    crc_at = cursor.pos
    if cursor.uint() != crc32c(data[:crc_at]):
        raise Fault("invalid_container", crc_at)
    header = Header(end=cursor.pos)
    _read_options(header, Cursor(data, at))
    if not header.sync:
        raise Fault("invalid_container", at)
    return header


def _read_options(header: Header, cursor: Cursor) -> None:
    """The entries of the map, one after another."""
    for _ in range(cursor.length(range(0x80, 0x90), range(0xDE, 0xE0)) or 0):
        at = cursor.pos
        key = cursor.value()
        value_at = cursor.pos
        value = cursor.value()
        name = key["str"] if isinstance(key, dict) and "str" in key else ""
        if name in ("sync", "codec", "meta", "stats"):
            if not _set(header, name, value):
                raise Fault("invalid_container", value_at)
        elif name.startswith("!"):
            raise Fault("invalid_container", at)


def _set(header: Header, name: str, value: Value) -> bool:
    """Whether the value of a known key has its type."""
    if not isinstance(value, dict):
        return False
    if name == "codec" and "str" in value:
        header.codec = value["str"]
    elif name == "sync" and "bin" in value:
        header.sync = bytes.fromhex(value["bin"])
        return len(header.sync) == 16
    elif name == "meta" and "map" in value:
        header.meta = value
    elif name == "stats" and (paths := texts(value)) is not None:
        header.stats = paths
    else:
        return False
    return True


def texts(value: Value) -> list[str] | None:
    """An array of str."""
    if not isinstance(value, dict) or "array" not in value:
        return None
    if not all(isinstance(element, dict) and "str" in element for element in value["array"]):
        return None
    return [element["str"] for element in value["array"]]
