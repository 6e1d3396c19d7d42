"""A slow, plain reader of packord's format, for checking the vectors.

It is written straight from ``spec/format.md``, ``records.md``, ``limits.md`` and
``extensions.md``, one rule after another, and uses no MessagePack library. It is not
meant for programs: it copies, recurses and keeps everything in memory.

Values are the typed JSON of ``README.md`` in its plain form (``build`` expands the
abbreviated forms): ``None``, ``True``, ``{"int": "5"}``, ``{"map": [[key, value], ...]}``.

>>> read(expand("9205a161"))
{'array': [{'int': '5'}, {'str': 'a'}]}
>>> read(bytes.fromhex("92 05 c1"))
Traceback (most recent call last):
    ...
vectors.options.Fault: reserved_marker at byte 2
"""

from __future__ import annotations

import struct
import sys
from dataclasses import replace
from typing import Any

from . import columnar, registered
from .expansion import build, expand, expanded_length
from .options import Fault, Options
from .paths import path_of
from .writer import (
    BIGINT_TYPE,
    QUIET_NAN,
    Writer,
    canonical_rank,
    encode,
    encode_int,
    is_nan,
    length_size,
    twos_complement,
    whole_number,
)

__all__ = ["Fault", "Options", "Reader", "Writer", "build", "encode", "expand", "expanded_length", "read"]

Value = Any

sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
# Bigints have more decimal digits than Python converts by default.
sys.set_int_max_str_digits(0)

RECORD_TYPE = 0x72
# Undefined, which every reader knows: the ext type and the payload.
UNDEFINED = (0, b"\0")


def read(data: bytes, options: Options | None = None) -> Value:
    """The one message in ``data``."""
    return Reader(b"", options or Options()).one(data)


class Structures:
    """The record structures that a reader knows."""

    def __init__(self, shared: list[list[str]] | None) -> None:
        shared = shared or []
        self.by_index = {index: list(keys) for index, keys in enumerate(shared)}
        self.two_byte = {0x60 + index % 32 for index in range(32, len(shared))}

    def copy(self) -> Structures:
        other = Structures(None)
        other.by_index, other.two_byte = dict(self.by_index), set(self.two_byte)
        return other


class Reader:
    """Reads messages one after another; ``pos`` is where the next one begins."""

    def __init__(self, data: bytes, options: Options, *, stream: bool = False) -> None:
        self.data = data
        self.options = options
        self.stream = stream
        self.is_over_buffer = False
        self.pos = 0
        self.end = len(data)
        self.structures = Structures(options.shared_structures)
        self.identity = Identity(options)

    def one(self, data: bytes) -> Value:
        """The one message in ``data``; after a ``Fault`` the structures are as before."""
        self.data, self.pos, self.end = data, 0, len(data)
        before = self.structures.copy()
        try:
            value = self.message()
            if self.pos < len(data) and self.options.trailing == "error":
                raise Fault("trailing_bytes", self.pos)
        except Fault as fault:
            self.structures = before
            fault.path = path_of(self.steps)
            raise
        return value

    def message(self, outside: int = 0) -> Value:
        """The next message, or the next value of a payload within ``outside`` containers."""
        if not self.options.sequential:
            self.structures = Structures(self.options.shared_structures)
        self.start = self.pos
        self.pending = 1
        self.nodes = 0
        self.steps: list[Value | int] = []
        self.in_key = False
        return self._value(outside)

    def _child(self, step: Value | int, outside: int) -> Value:
        """An element, or the value of an entry; after a fault ``steps`` lead to it."""
        if self.in_key:
            return self._value(outside)
        self.steps.append(step)
        value = self._value(outside)
        self.steps.pop()
        return value

    def _key(self, outside: int) -> Value:
        """The key of an entry: what is in it has the path of the map."""
        around, self.in_key = self.in_key, True
        value = self._value(outside)
        self.in_key = around
        return value

    # The checks of format.md 5.2 that several formats share.

    def _eof(self) -> Fault:
        return Fault("eof", self.end)

    def _need(self, count: int) -> None:
        if self.end - self.pos < count:
            raise self._eof()

    def _take(self, count: int) -> bytes:
        self._need(count)
        self.pos += count
        return self.data[self.pos - count : self.pos]

    def _uint(self, size: int) -> int:
        return int.from_bytes(self._take(size), "big")

    def _count_node(self, at: int) -> None:
        self.nodes += 1
        if self.options.max_nodes is not None and self.nodes > self.options.max_nodes:
            raise Fault("length_limit", at)

    def _limit(self, at: int, length: int, limit: int | None) -> None:
        if limit is not None and length > limit:
            raise Fault("length_limit", at)

    def _buffer(self, at: int, more: int) -> None:
        if self.stream and self.pos - self.start + more > self.options.max_buffer:
            self.is_over_buffer = True
            raise Fault("length_limit", at)

    def _announce(self, at: int, elements: int) -> None:
        self.pending += elements
        self._buffer(at, self.pending)
        if self.pending > self.end - self.pos:
            raise self._eof()

    def _depth(self, at: int, outside: int) -> None:
        if outside + 1 > self.options.max_depth:
            raise Fault("depth_limit", at)

    def _canonical(self, at: int, fine: bool) -> None:
        if self.options.canonical and not fine:
            raise Fault("not_canonical", at)

    # Values.

    def _value(self, outside: int) -> Value:
        """One value inside ``outside`` open containers."""
        at = self.pos
        self._need(1)
        marker = self.data[at]
        if marker == 0xC1:
            raise Fault("reserved_marker", at)
        self._buffer(at, header_size(marker))
        self.pending -= 1
        if self.options.records_on and 0x40 <= marker <= 0x7F:
            keys = self._record_keys(at, marker)
            if keys is not None:
                return self._record(at, keys, outside)
        self.pos += 1
        if marker <= 0x7F or marker >= 0xE0:
            self._count_node(at)
            return {"int": str(marker if marker <= 0x7F else marker - 256)}
        if marker <= 0x8F:
            return self._map(at, marker & 0x0F, True, outside)
        if marker <= 0x9F:
            return self._array(at, marker & 0x0F, True, outside)
        if marker <= 0xBF:
            self._count_node(at)
            return self._str(at, marker & 0x1F, True)
        if marker in (0xC0, 0xC2, 0xC3):
            self._count_node(at)
            return {0xC0: None, 0xC2: False, 0xC3: True}[marker]
        if marker <= 0xC6:
            size = 1 << (marker - 0xC4)
            length = self._uint(size)
            self._count_node(at)
            payload = self._payload(at, length, self.options.max_bin_len)
            self._canonical(at, size == length_size(length))
            return {"bin": payload.hex()}
        if marker <= 0xC9:
            size = 1 << (marker - 0xC7)
            length = self._uint(size)
            fine = size == length_size(length) and length not in (1, 2, 4, 8, 16)
            return self._ext(at, marker, length, fine, outside)
        if marker <= 0xCB:
            return self._float(at, marker)
        if marker <= 0xCF:
            number = self._uint(1 << (marker - 0xCC))
            return self._wide_int(at, marker, number)
        if marker <= 0xD3:
            size = 1 << (marker - 0xD0)
            number = int.from_bytes(self._take(size), "big", signed=True)
            return self._wide_int(at, marker, number)
        if marker <= 0xD8:
            return self._ext(at, marker, 1 << (marker - 0xD4), True, outside)
        if marker <= 0xDB:
            size = 1 << (marker - 0xD9)
            length = self._uint(size)
            self._count_node(at)
            return self._str(at, length, length > 31 and size == length_size(length))
        size = 2 if marker in (0xDC, 0xDE) else 4
        count = self._uint(size)
        fine = count > 15 and (size == 2 or count > 0xFFFF)
        if marker <= 0xDD:
            return self._array(at, count, fine, outside)
        return self._map(at, count, fine, outside)

    def _wide_int(self, at: int, marker: int, number: int) -> Value:
        self._count_node(at)
        self._canonical(at, encode_int(number)[0] == marker)
        return {"int": str(number)}

    def _float(self, at: int, marker: int) -> Value:
        bits = self._take(4 if marker == 0xCA else 8)
        self._count_node(at)
        if marker == 0xCA:
            self._canonical(at, False)
            return {"f32": bits.hex()}
        self._canonical(at, bits == QUIET_NAN if is_nan(bits) else whole_number(bits) is None)
        return {"f64": bits.hex()}

    def _payload(self, at: int, length: int, limit: int | None) -> bytes:
        self._limit(at, length, limit)
        self._buffer(at, length)
        return self._take(length)

    def _str(self, at: int, length: int, fine: bool) -> Value:
        payload = self._payload(at, length, self.options.max_str_len)
        value = self._text(payload, self.pos - length)
        self._canonical(at, fine)
        return value

    def _text(self, payload: bytes, begins: int, *, raw: bool = True) -> Value:
        bad = first_ill_formed(payload)
        if bad is None:
            return {"str": payload.decode("utf-8")}
        if self.options.utf8 == "replace":
            return {"str": payload.decode("utf-8", "replace")}
        if self.options.utf8 == "raw" and raw:
            return {"bin": payload.hex()}
        raise Fault("invalid_utf8", begins + bad)

    def _ext(self, at: int, marker: int, length: int, fine: bool, outside: int) -> Value:
        code = int.from_bytes(self._take(1), "big", signed=True)
        if self.options.records_on and code == RECORD_TYPE:
            return self._definition(at, marker, outside)
        self._count_node(at)
        if code in self.options.ext_types:
            return self._registered(at, code, length, fine, outside)
        payload = self._payload(at, length, self.options.max_ext_len)
        value: Value = {"ext": [code, payload.hex()]}
        if code == -1:
            value = _timestamp(at, payload)
        elif code == columnar.TYPE and self.options.columns_on and payload[:1] in (b"", b"\1"):
            value = columnar.read(self, at, payload, outside)
        elif code == BIGINT_TYPE and self.options.bigint:
            if not payload:
                raise Fault("invalid_ext", at)
            number = int.from_bytes(payload, "big", signed=True)
            fine = fine and payload == twos_complement(number) and not -(2**63) <= number < 2**64
            value = {"int": str(number)}
        elif self.options.unknown_ext == "error" and (code, payload) != UNDEFINED:
            raise Fault("unknown_ext", at)
        if code == -1:
            fine = fine and encode(value)[-length:] == payload
        self._canonical(at, fine)
        return value

    def _registered(self, at: int, code: int, length: int, fine: bool, outside: int) -> Value:
        limit = self.options.max_ext_len
        self._limit(at, length, registered.LARGEST.get(code) if limit is None else limit)
        self._buffer(at, length)
        self._need(length)
        nesting = code in registered.NESTING
        if nesting:
            self._depth(at, outside)
        self.pos += length
        try:
            written = registered.read(code, Payload(self, self.pos - length, outside + nesting))
        except Exception as error:  # whatever is wrong inside makes the payload malformed
            raise Fault("invalid_ext", at) from error
        self._canonical(at, fine)
        return {"ext": [code, written.hex()]}

    def inside(self, data: bytes, max_depth: int) -> Value:
        """The value that columns stand for, from its plain encoding."""
        options = replace(self.options, max_depth=max_depth, max_nodes=None, records=False, columns=False)
        return Reader(b"", replace(options, trailing="error")).one(data)

    def _array(self, at: int, count: int, fine: bool, outside: int) -> Value:
        self._count_node(at)
        self._depth(at, outside)
        self._limit(at, count, self.options.max_array_len)
        self._announce(at, count)
        self._canonical(at, fine)
        return {"array": [self._child(index, outside + 1) for index in range(count)]}

    def _map(self, at: int, count: int, fine: bool, outside: int) -> Value:
        self._count_node(at)
        self._depth(at, outside)
        self._limit(at, count, self.options.max_map_len)
        self._announce(at, 2 * count)
        self._canonical(at, fine)
        entries: dict[bytes, list] = {}
        last_rank = None
        for _ in range(count):
            key_at = self.pos
            key = self._key(outside + 1)
            identity = self.identity.message(key)
            if identity in entries and (self.options.duplicate_key == "error" or self.options.canonical):
                raise Fault("duplicate_key", key_at)
            rank = canonical_rank(key, identity)
            self._canonical(key_at, last_rank is None or last_rank < rank)
            last_rank = rank
            value = self._child(key, outside + 1)
            if identity in entries:
                entries[identity][1] = value
            else:
                entries[identity] = [key, value]
        return {"map": list(entries.values())}

    # Records (records.md 3 and 4).

    def _record_keys(self, at: int, marker: int) -> list[str] | None:
        """The structure that an id names, past its bytes; ``None`` for an integer."""
        if marker in self.structures.two_byte:
            self._buffer(at, 2)
            if at + 1 >= self.end:
                raise self._eof()
            index = marker - 0x40 + 32 * self.data[at + 1]
            if index not in self.structures.by_index:
                raise Fault("record_undefined", at)
            self.pos += 2
            return self.structures.by_index[index]
        keys = self.structures.by_index.get(marker - 0x40)
        if keys is None:
            if self.options.undefined_record == "error":
                raise Fault("record_undefined", at)
            return None
        self.pos += 1
        return keys

    def _record(self, at: int, keys: list[str], outside: int) -> Value:
        self._count_node(at)
        self._depth(at, outside)
        self._limit(at, len(keys), self.options.max_map_len)
        return self._fields(at, keys, outside)

    def _fields(self, at: int, keys: list[str], outside: int) -> Value:
        self._announce(at, len(keys))
        entries: dict[str, Value] = {}
        for key in keys:
            entries[key] = self._child({"str": key}, outside + 1)
        return {"map": [[{"str": key}, value] for key, value in entries.items()]}

    def _definition(self, at: int, marker: int, outside: int) -> Value:
        malformed = Fault("record_malformed", at)
        if marker not in (0xD4, 0xD5):
            raise malformed
        self._buffer(at, 1 if marker == 0xD4 else 2)
        low, *rest = self._take(1 if marker == 0xD4 else 2)
        if marker == 0xD4:
            index = low - 0x40
            if not 0x40 <= low <= 0x7F:
                raise malformed
        else:
            index = low - 0x40 + 32 * rest[0]
            if not 0x60 <= low <= 0x7F or rest[0] == 0xFF:
                raise malformed
        self._count_node(at)
        self._depth(at, outside)
        keys = self._key_list(at, malformed)
        self.structures.by_index[index] = keys
        if marker == 0xD5:
            self.structures.two_byte.add(low)
        else:
            self.structures.two_byte.discard(low)
        return self._fields(at, keys, outside)

    def _length(self, at: int, fix: range, wide: range, malformed: Fault) -> int:
        """What the header of a list of keys, or of a key, says; its markers are given."""
        marker = self._take(1)[0]
        if marker not in fix and marker not in wide:
            raise malformed
        size = header_size(marker) - 1
        self._buffer(at, size)
        return self._uint(size) if marker in wide else marker - fix.start

    def _key_list(self, at: int, malformed: Fault) -> list[str]:
        list_at = self.pos
        count = self._length(list_at, range(0x90, 0xA0), range(0xDC, 0xDE), malformed)
        self._limit(list_at, count, self.options.max_record_keys)
        self._limit(at, count, self.options.max_map_len)
        self._announce(list_at, count)
        keys: list[str] = []
        for _ in range(count):
            key_at = self.pos
            length = self._length(key_at, range(0xA0, 0xC0), range(0xD9, 0xDC), malformed)
            self.pending -= 1
            payload = self._payload(key_at, length, self.options.max_str_len)
            key = self._text(payload, self.pos - length, raw=False)["str"]
            if key in keys and self.options.duplicate_key == "error":
                raise Fault("duplicate_key", key_at)
            keys.append(key)
        return keys


class Payload:
    """The payload from ``begins`` to where ``reader`` is, read in place within ``outside`` containers."""

    def __init__(self, reader: Reader, begins: int, outside: int) -> None:
        self.inner = Reader(b"", replace(reader.options, max_nodes=None, records=False))
        self.inner.data, self.inner.pos, self.inner.end = reader.data, begins, reader.pos
        self.outside = outside

    def value(self) -> Value:
        return self.inner.message(self.outside)

    def scalar(self, *, bigint: bool = False) -> Value:
        options = self.inner.options
        self.inner.options = replace(options, ext_types=[], bigint=bigint)
        value = self.value()
        self.inner.options = options
        return value

    def rest(self) -> bytes:
        return self.inner._take(self.inner.end - self.inner.pos)

    def identity(self, value: Value) -> bytes:
        return self.inner.identity.message(value)


class Identity(Writer):
    """Writes the same bytes for keys that are the same (format.md 5.1), and for no others."""

    def __init__(self, options: Options) -> None:
        super().__init__(Options(canonical=True, bigint=True, max_depth=options.max_depth))
        self.ext_types = options.ext_types
        self.reading = replace(options, canonical=False, records=False, ext_types=[])

    def _canonical_float(self, bits: bytes) -> bytes:
        return b"\xcb" + (QUIET_NAN if is_nan(bits) else bits)

    def _ext(self, content: list) -> bytes:
        """Sets and named values by the identity of what is in them, elements of a set in any order."""
        code, digits = content
        if code not in self.ext_types or code not in registered.NESTING:
            return super()._ext(content)
        payload = Reader(bytes.fromhex(digits), self.reading)
        values = []
        while payload.pos < payload.end:
            values.append(payload.message())
        if code == registered.SET:
            values = values[0]["array"]
        written = [(value, self._value(value)) for value in values]
        if code == registered.SET:
            written.sort(key=lambda pair: canonical_rank(*pair))
        return super()._ext([code, b"".join([encoded for _, encoded in written]).hex()])


def header_size(marker: int) -> int:
    """Bytes of the header that ``marker`` begins; for integers and floats with their payload."""
    if 0xC4 <= marker <= 0xDF:
        return _HEADER_SIZES[marker - 0xC4]
    return 1


_HEADER_SIZES = bytes.fromhex("020305 030406 0509 02030509 02030509 0202020202 020305 0305 0305")


def first_ill_formed(payload: bytes) -> int | None:
    """Offset of the first ill-formed UTF-8 sequence, or ``None``."""
    try:
        payload.decode("utf-8")
    except UnicodeDecodeError as error:
        return error.start
    return None


def _timestamp(at: int, payload: bytes) -> Value:
    if len(payload) == 4:
        nanoseconds, seconds = 0, int.from_bytes(payload, "big")
    elif len(payload) == 8:
        both = int.from_bytes(payload, "big")
        nanoseconds, seconds = both >> 34, both & (2**34 - 1)
    elif len(payload) == 12:
        nanoseconds, seconds = struct.unpack(">Iq", payload)
    else:
        raise Fault("invalid_timestamp", at)
    if nanoseconds > 999_999_999:
        raise Fault("invalid_timestamp", at)
    return {"timestamp": [str(seconds), nanoseconds]}
