"""A plain writer of packord's format: default, canonical, and with records.

Written from ``spec/format.md`` section 4 and ``spec/records.md`` section 6. Values are
the typed JSON of ``README.md`` in its plain form.
"""

from __future__ import annotations

import struct
from typing import Any

from .options import Fault, Options

Value = Any

BIGINT_TYPE = 0x42
RECORD_TYPE = 0x72
QUIET_NAN = bytes.fromhex("7ff8000000000000")


def encode(value: Value, options: Options | None = None) -> bytes:
    """The bytes that the default writer (or the one with these options) makes."""
    return Writer(options or Options()).message(value)


def canonical_rank(key: Value, encoded: bytes) -> tuple[int, bytes]:
    """What the entries of a canonical map are sorted by."""
    if isinstance(key, dict) and "str" in key:
        return (0, key["str"].encode("utf-8"))
    return (1, encoded)


def encode_int(number: int) -> bytes:
    """An integer in its minimal format; ``OverflowError`` outside the range."""
    if number >= 0:
        if number <= 0x7F:
            return bytes([number])
        for marker, size in ((0xCC, 1), (0xCD, 2), (0xCE, 4), (0xCF, 8)):
            if number < 1 << (8 * size):
                return bytes([marker]) + number.to_bytes(size, "big")
    else:
        if number >= -32:
            return bytes([256 + number])
        for marker, size in ((0xD0, 1), (0xD1, 2), (0xD2, 4), (0xD3, 8)):
            if number >= -(1 << (8 * size - 1)):
                return bytes([marker]) + number.to_bytes(size, "big", signed=True)
    raise OverflowError(number)


def twos_complement(number: int) -> bytes:
    """Big-endian two's complement, as short as it can be, at least one byte."""
    bits = (number if number >= 0 else ~number).bit_length() + 1
    return number.to_bytes((bits + 7) // 8, "big", signed=True)


def is_nan(bits: bytes) -> bool:
    """Whether the bits of a binary64 are a NaN."""
    number = struct.unpack(">d", bits)[0]
    return number != number


def whole_number(bits: bytes) -> int | None:
    """The integer that is written canonically for a binary64, if there is one."""
    number = struct.unpack(">d", bits)[0]
    return int(number) if -(2.0**63) <= number < 2.0**64 and number.is_integer() else None


def length_size(length: int) -> int:
    """Bytes of the smallest length field that holds ``length``."""
    return 1 if length <= 0xFF else 2 if length <= 0xFFFF else 4


class Writer:
    """Writes messages; keeps shared structures, and own ones while sequential."""

    def __init__(self, options: Options) -> None:
        self.options = options
        self.shared = [list(keys) for keys in options.shared_structures or []]
        has_shared = options.shared_structures is not None
        self.max_shared = options.max_shared_structures
        if self.max_shared is None:
            self.max_shared = 32 if has_shared else 0
        self.max_own = options.max_own_structures
        if self.max_own is None:
            self.max_own = 32 if has_shared else 64
        self.two_byte = self.max_shared > 32 or self.max_shared + self.max_own > 64
        self.own: dict[int, list[str]] = {}
        self.next_own = 0

    def message(self, value: Value) -> bytes:
        """The bytes of one message; after a ``Fault`` all structures are as before."""
        if not self.options.sequential:
            self.own = {}
            self.next_own = 0
        before = list(self.shared), dict(self.own), self.next_own
        self.depth = 0
        try:
            return self._value(value)
        except Fault:
            self.shared, self.own, self.next_own = before
            raise

    def _value(self, value: Value) -> bytes:
        if value is None or isinstance(value, bool):
            return {None: b"\xc0", False: b"\xc2", True: b"\xc3"}[value]
        ((kind, content),) = value.items()
        if kind not in ("array", "map"):
            return getattr(self, "_" + kind)(content)
        if self.depth == self.options.max_depth:
            raise Fault("depth_limit")
        self.depth += 1
        written = getattr(self, "_" + kind)(content)
        self.depth -= 1
        return written

    def _int(self, text: str) -> bytes:
        number = int(text)
        if self.options.records_on and 64 <= number <= 127:
            return bytes([0xCC, number])
        if self.options.bigint and not -(2**63) <= number < 2**64:
            return self._ext([BIGINT_TYPE, twos_complement(number).hex()])
        return encode_int(number)

    def _f64(self, digits: str) -> bytes:
        bits = bytes.fromhex(digits)
        if self.options.canonical:
            return self._canonical_float(bits)
        if self.options.float32:
            short = narrow(bits)
            if short is not None:
                return b"\xca" + short
        return b"\xcb" + bits

    def _canonical_float(self, bits: bytes) -> bytes:
        number = whole_number(bits)
        return b"\xcb" + (QUIET_NAN if is_nan(bits) else bits) if number is None else encode_int(number)

    def _f32(self, digits: str) -> bytes:
        bits = bytes.fromhex(digits)
        return self._f64(widen(bits).hex()) if self.options.canonical else b"\xca" + bits

    def _str(self, text: str) -> bytes:
        payload = text.encode("utf-8")
        if len(payload) <= 31:
            return bytes([0xA0 | len(payload)]) + payload
        return _header(0xD9, len(payload)) + payload

    def _bin(self, digits: str) -> bytes:
        payload = bytes.fromhex(digits)
        return _header(0xC4, len(payload)) + payload

    def _ext(self, content: list) -> bytes:
        code, digits = content
        if code == RECORD_TYPE and self.options.records_on:
            raise Fault("unsupported_type")
        payload = bytes.fromhex(digits)
        fixed = {1: 0xD4, 2: 0xD5, 4: 0xD6, 8: 0xD7, 16: 0xD8}.get(len(payload))
        header = _header(0xC7, len(payload)) if fixed is None else bytes([fixed])
        return header + struct.pack("b", code) + payload

    def _timestamp(self, content: list) -> bytes:
        seconds, nanoseconds = int(content[0]), content[1]
        if nanoseconds == 0 and 0 <= seconds < 2**32:
            payload = struct.pack(">I", seconds)
        elif 0 <= seconds < 2**34:
            payload = struct.pack(">Q", nanoseconds << 34 | seconds)
        else:
            payload = struct.pack(">Iq", nanoseconds, seconds)
        return self._ext([-1, payload.hex()])

    def _array(self, elements: list) -> bytes:
        return _count(0x90, 0xDC, len(elements)) + b"".join([self._value(element) for element in elements])

    def _map(self, entries: list) -> bytes:
        if self.options.records_on:
            head = self._record_head(entries)
            if head is not None:
                return head + b"".join([self._value(value) for _, value in entries])
        pairs = [(key, self._value(key), self._value(value)) for key, value in entries]
        if self.options.canonical:
            pairs.sort(key=lambda pair: canonical_rank(*pair[:2]))
            if any(pair[1] == after[1] for pair, after in zip(pairs, pairs[1:], strict=False)):
                raise Fault("duplicate_key")
        return _count(0x80, 0xDE, len(entries)) + b"".join([key + value for _, key, value in pairs])

    def _record_head(self, entries: list) -> bytes | None:
        """Id or definition of the map's structure; ``None`` for a plain map."""
        if not all(isinstance(key, dict) and "str" in key for key, _ in entries):
            return None
        keys = [key["str"] for key, _ in entries]
        if len(keys) > self.options.max_record_keys or len(set(keys)) < len(keys):
            return None
        if keys in self.shared[: self.max_shared]:
            return self._id(self.shared.index(keys))
        for index, own in self.own.items():
            if own == keys:
                return self._id(index)
        if len(self.shared) < self.max_shared:
            self.shared.append(keys)
            return self._id(len(self.shared) - 1)
        if self.max_own == 0:
            return None
        index = self.max_shared + self.next_own
        self.next_own = (self.next_own + 1) % self.max_own
        self.own[index] = keys
        ident = self._id(index)
        header = b"\xd4\x72" if len(ident) == 1 else b"\xd5\x72"
        return header + ident + self._array([{"str": key} for key in keys])

    def _id(self, index: int) -> bytes:
        if index >= 32 and self.two_byte:
            return bytes([0x60 + index % 32, (index - 32) // 32])
        return bytes([0x40 + index])


def _header(first: int, length: int) -> bytes:
    size = length_size(length)
    return bytes([first + (0, 0, 1, 1, 2)[size]]) + length.to_bytes(size, "big")


def _count(fix: int, first: int, count: int) -> bytes:
    if count <= 15:
        return bytes([fix | count])
    size = 2 if count <= 0xFFFF else 4
    return bytes([first + (size == 4)]) + count.to_bytes(size, "big")


def widen(bits: bytes) -> bytes:
    """The binary64 of a binary32; a signalling NaN stays one."""
    (word,) = struct.unpack(">I", bits)
    if word & 0x7F800000 == 0x7F800000:
        sign, rest = word >> 31, word & 0x7FFFFF
        return struct.pack(">Q", sign << 63 | 0x7FF << 52 | rest << 29)
    return struct.pack(">d", struct.unpack(">f", bits)[0])


def narrow(bits: bytes) -> bytes | None:
    """The binary32 of a binary64 when nothing is lost, else ``None``."""
    if is_nan(bits):
        (word,) = struct.unpack(">Q", bits)
        short = struct.pack(">I", word >> 63 << 31 | 0xFF << 23 | (word >> 29 & 0x7FFFFF))
    else:
        try:
            short = struct.pack(">f", struct.unpack(">d", bits)[0])
        except OverflowError:
            return None
    return short if widen(short) == bits else None
