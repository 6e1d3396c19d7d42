"""The nodes that rule 1 makes of a column: ``spec/columns.md`` sections 6.3 to 6.6.

Written from that page alone, and plain rather than fast.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterable
from itertools import pairwise

from columnar import (
    BASE,
    BYTES,
    DELTA,
    DICT,
    FLOAT,
    INT,
    LIST,
    MAP,
    PLAIN,
    SCALED,
    STRUCT,
    TIME,
    TUPLE,
    UNION,
    UNSIGNED,
    header,
)
from options import Options
from writer import Value, Writer, encode_int

NIL, BOOL, INTEGER, SINGLE, DOUBLE, STR, BIN, ARRAY, TABLE, EXT = range(10)
SCALARS, NUMBERS = range(ARRAY), (INTEGER, SINGLE, DOUBLE)
TIMESTAMP = -1
DEEPEST = 32
ZONES = (8, 4, 2, 1)
UNSIGNED_ELEMENTS = {0: 0, 1: 2, 2: 3, 4: 4, 8: 5}
SIGNED_ELEMENTS = {1: 6, 2: 7, 4: 8, 8: 9}
BIT = 1


# --- values ---------------------------------------------------------------------------------


class Item:
    """A value with its plain bytes. ``inner`` has the elements, or the keys and values in turn."""

    def __init__(self, kind: int, data: bytes, inner: list[Item]) -> None:
        self.kind, self.data, self.inner = kind, data, inner
        self.payload = data[_header_size(data[0]) :]
        self.code = struct.unpack("b", data[len(data) - len(self.payload) - 1 :][:1])[0] if kind == EXT else 0
        self.values: int = 1 + sum(item.values for item in inner)
        self.depth: int = 1 + max((item.depth for item in inner), default=0) if self.is_container else 0

    @classmethod
    def of(cls, value: Value, writer: Writer) -> Item:
        """The value as ``writer``, one without records, writes it."""
        inner: list[Item] = []
        if isinstance(value, dict) and "array" in value:
            inner = [cls.of(element, writer) for element in value["array"]]
            return cls(ARRAY, header(0x90, len(inner)) + b"".join(item.data for item in inner), inner)
        if isinstance(value, dict) and "map" in value:
            inner = [cls.of(part, writer) for entry in value["map"] for part in entry]
            return cls(TABLE, header(0x80, len(inner) // 2) + b"".join(item.data for item in inner), inner)
        data = writer.message(value)
        return cls(_type(data[0]), data, inner)

    @property
    def is_container(self) -> bool:
        return self.kind in (ARRAY, TABLE)

    @property
    def number(self) -> int:
        """The number of an int."""
        if len(self.data) == 1:
            return self.data[0] if self.data[0] < 0x80 else self.data[0] - 256
        return int.from_bytes(self.payload, "big", signed=self.data[0] >= 0xD0)

    def all(self) -> Iterable[Item]:
        """The value and everything in it."""
        yield self
        for item in self.inner:
            yield from item.all()


def _type(marker: int) -> int:
    if marker in (0xC0, 0xC2, 0xC3):
        return NIL if marker == 0xC0 else BOOL
    if marker in (0xCA, 0xCB):
        return SINGLE if marker == 0xCA else DOUBLE
    if 0xA0 <= marker <= 0xBF or 0xD9 <= marker <= 0xDB:
        return STR
    if 0xC4 <= marker <= 0xC6:
        return BIN
    return EXT if 0xC7 <= marker <= 0xC9 or 0xD4 <= marker <= 0xD8 else INTEGER


def _header_size(marker: int) -> int:
    """The bytes before the payload, with the type of an ext; of containers, before nothing of use."""
    if 0xD4 <= marker <= 0xD8:
        return 2
    lengths = {0xC4: 1, 0xC5: 2, 0xC6: 4, 0xD9: 1, 0xDA: 2, 0xDB: 4, 0xC7: 2, 0xC8: 3, 0xC9: 5}
    return 1 + lengths.get(marker, 0)


# --- nodes ----------------------------------------------------------------------------------


class Node:
    """A node with everything below it: bytes of the directory, and of each zone."""

    def __init__(self, *entry: int | bytes, zone: int = 1, section: bytes = b"") -> None:
        pieces = [bytes([part]) if isinstance(part, int) else part for part in entry]
        self.directory = b"".join(pieces)
        self.zones = {size: section if size == zone else b"" for size in ZONES}

    def __add__(self, child: Node) -> Node:
        both = Node(self.directory + child.directory)
        both.zones = {size: self.zones[size] + child.zones[size] for size in ZONES}
        return both

    def size(self) -> int:
        return len(self.directory) + sum(map(len, self.zones.values()))


def width(number: int) -> int:
    """B of the page: the bytes of a number."""
    return (number.bit_length() + 7) // 8


def rounded(number: int) -> int:
    """W of the page."""
    return next(size for size in (0, 1, 2, 4, 8) if width(number) <= size)


def integers(values: list[int], *, simple: bool, views: bool) -> Node:
    """INT: sizes, tags, residuals and indexes of bools are ``simple``."""
    if not values:
        return Node(INT, 0)
    low, high = min(values), max(values)
    unsigned = UNSIGNED if high >= 2**63 else 0
    if views and not simple:
        return _in_place(values, low, high, unsigned)
    size = rounded(high - low)
    bit = high - low == 1 and len(values) >= 8
    fits = high == 1 if bit else rounded(high) == size
    base = 0 if low >= 0 and fits else low
    first = b""
    delta = 0
    elements = values
    differences = [wrapped(b - a) for a, b in pairwise(values)]
    if not simple and len(values) >= 3 and size > 0 and _is_delta(values, differences, size, bit):
        delta, base, elements, first = DELTA, min(differences), differences, encode_int(values[0])
        size = rounded(max(differences) - base)
    has_base = BASE if base else 0
    element = BIT if bit else UNSIGNED_ELEMENTS[size]
    form = element | delta | has_base | unsigned
    section = bits(values, base) if bit else fixed([(v - base) % 2**64 for v in elements], size)
    return Node(INT, form, encode_int(base) if base else b"", first, zone=size or 1, section=section)


def wrapped(number: int) -> int:
    """The number modulo 2^64 as a signed one."""
    return (number + 2**63) % 2**64 - 2**63


def _is_delta(values: list[int], differences: list[int], size: int, bit: bool) -> bool:
    narrow = rounded(max(differences) - min(differences))
    zigzag = (2 * d if d >= 0 else -2 * d - 1 for d in differences)
    steps = sum(number.bit_length() for number in zigzag)
    offsets = sum((value - min(values)).bit_length() for value in values[1:])
    return narrow == 0 or (narrow <= size and not bit and 4 * steps < 3 * offsets)


def _in_place(values: list[int], low: int, high: int, unsigned: int) -> Node:
    """The elements of an array of numbers as programs have them."""
    if low >= 0:
        size = rounded(high) or 1
        return Node(INT, UNSIGNED_ELEMENTS[size] | unsigned, zone=size, section=fixed(values, size))
    size = next(size for size in (1, 2, 4, 8) if -(1 << 8 * size - 1) <= low and high < 1 << 8 * size - 1)
    section = b"".join(value.to_bytes(size, "little", signed=True) for value in values)
    return Node(INT, SIGNED_ELEMENTS[size], zone=size, section=section)


def fixed(values: list[int], size: int) -> bytes:
    return b"".join(value.to_bytes(size, "little") for value in values)


def bits(values: list[int], base: int) -> bytes:
    number = sum((value - base) << i for i, value in enumerate(values))
    return number.to_bytes((len(values) + 7) // 8, "little")


# --- columns --------------------------------------------------------------------------------


class Columns:
    """The nodes of a payload."""

    def __init__(self, *, views: bool) -> None:
        self.views = views
        # Whether the rows are entries of a DICT.
        self.in_dictionary = False

    def _integers(self, values: list[int], *, simple: bool = False) -> Node:
        return integers(values, simple=simple, views=self.views)

    def column(self, rows: list[Item], around: int = 0) -> Node:
        """Section 6.4. ``around`` counts the containers around the rows."""
        size = sum(len(row.data) for row in rows)
        if not rows or size < 24 or around >= DEEPEST:
            return plain(rows)
        first = rows[0].kind
        kept = self.views and first in NUMBERS
        if (
            len(rows) > 1
            and not kept
            and not self.in_dictionary
            and all(row.data == rows[0].data for row in rows)
        ):
            return Node(DICT, 1, INT, 0) + plain(rows[:1])
        if len(rows) < 4 and first in SCALARS:
            return plain(rows)
        if any(row.kind != first for row in rows):
            node = self._union(rows, around)
        else:
            node = self._dictionary(rows, size, around) or self._typed(rows, around)
        most = size + (3 * size // 5 + 2 if first == INTEGER else 8 if first == STR else 2)
        if node is None or (node.size() >= most and not kept):
            return plain(rows)
        return node

    def _union(self, rows: list[Item], around: int) -> Node | None:
        if len(rows) < 8:
            return None
        kinds = sorted({row.kind for row in rows})
        branches = [[row for row in rows if row.kind == kind] for kind in kinds]
        node = union([kinds.index(row.kind) for row in rows], branches)
        for branch in branches:
            node += self.column(branch, around)
        return node

    # DICT: section 6.4.

    def _dictionary(self, rows: list[Item], size: int, around: int) -> Node | None:
        kind, n = rows[0].kind, len(rows)
        if n < 16 or self.in_dictionary or (self.views and kind in NUMBERS):
            return None
        places: dict[bytes, int] = {}
        entries = []
        for i, row in enumerate(rows):
            if row.data not in places:
                places[row.data] = len(entries)
                entries.append(row)
            if i < 2048 and len(entries) > 32 and 8 * len(entries) > 7 * (i + 1):
                return None
        d = len(entries)
        if kind == BOOL:
            index = self._integers([row.data[0] - 0xC2 for row in rows], simple=True)
            return Node(DICT, 2) + index + Node(PLAIN, 2, section=b"\xc2\xc3")
        w = 1 if d <= 256 else 2 if d <= 65536 else 4
        s = sum(len(entry.data) for entry in entries) + n * w + 16
        if kind in NUMBERS:
            if 8 * d > n or d > 4096:
                return None
            if kind != INTEGER:
                if 3 * s > size:
                    return None
            elif size <= n + n // 8 or 8 * s > 5 * size or _span(entries) <= w:
                return None
        elif (4 if kind in (ARRAY, TABLE) else 2) * d > n or 8 * s > 7 * size:
            return None
        index = self._integers([places[row.data] for row in rows])
        self.in_dictionary = True
        node = Node(DICT, encode_int(d)) + index + self.column(entries, around)
        self.in_dictionary = False
        return node

    # By type: section 6.5.

    def _typed(self, rows: list[Item], around: int) -> Node | None:
        kind = rows[0].kind
        if kind == INTEGER:
            numbers = [row.number for row in rows]
            return None if min(numbers) < 0 and max(numbers) >= 2**63 else self._integers(numbers)
        if kind == SINGLE:
            return Node(FLOAT | 2 << 4, zone=4, section=b"".join(row.payload[::-1] for row in rows))
        if kind == DOUBLE:
            return self._doubles([row.payload for row in rows])
        if kind in (STR, BIN):
            return self._strings(rows)
        if kind == EXT:
            return self._times(rows) or self._exts(rows)
        if kind == ARRAY:
            return self._arrays(rows, around)
        return self._maps(rows, around) if kind == TABLE else None

    def _strings(self, rows: list[Item]) -> Node | None:
        payloads = [row.payload for row in rows]
        same = len(set(map(len, payloads))) == 1
        if not same and len(rows) < 8:
            return None
        is_str = rows[0].kind == STR
        if is_str and not same and not self.views and not any(b"\0" in payload for payload in payloads):
            section = b"".join(payload + b"\0" for payload in payloads)
            return Node(BYTES | 4 << 4, encode_int(len(section)), section=section)
        return self._sized(BYTES | (0 if is_str else 1 << 4), b"", payloads)

    def _sized(self, entry: int, code: bytes, payloads: list[bytes]) -> Node:
        section = b"".join(payloads)
        node = Node(entry, code, encode_int(len(section)), section=section)
        return node + self._integers(list(map(len, payloads)), simple=True)

    def _times(self, rows: list[Item]) -> Node | None:
        times = [_time(row) for row in rows]
        if None in times:
            return None
        found = [time for time in times if time is not None]
        unit = next(u for u in (0, 3, 6, 9) if all(nano % 10 ** (9 - u) == 0 for _, nano in found))
        values = [seconds * 10**unit + nano // 10 ** (9 - unit) for seconds, nano in found]
        if not all(-(2**63) <= value < 2**63 for value in values):
            return None
        return Node(TIME, unit) + self._integers(values)

    def _exts(self, rows: list[Item]) -> Node | None:
        payloads = [row.payload for row in rows]
        lengths = list(map(len, payloads))
        if len({row.code for row in rows}) > 1 or sum(lengths) > 64 * len(rows):
            return None
        if len(set(lengths)) > 1 and len(rows) < 16:
            return None
        return self._sized(BYTES | 2 << 4, struct.pack("b", rows[0].code), payloads)

    def _arrays(self, rows: list[Item], around: int) -> Node:
        lengths = [len(row.inner) for row in rows]
        length = lengths[0]
        if len(rows) >= 8 and 2 <= length <= 8 and set(lengths) == {length}:
            places = [[row.inner[j] for row in rows] for j in range(length)]
            if all(map(_one_scalar_type, places)):
                node = Node(TUPLE, length)
                for place in places:
                    node += self.column(place, around + 1)
                return node
        elements = [element for row in rows for element in row.inner]
        sizes = self._integers(lengths, simple=True)
        return Node(LIST, encode_int(len(elements))) + sizes + self.column(elements, around + 1)

    def _maps(self, rows: list[Item], around: int) -> Node | None:
        node = self._struct(rows, around)
        if node is not None:
            return node
        keys = [key for row in rows for key in row.inner[::2]]
        values = [value for row in rows for value in row.inner[1::2]]
        if len(rows) > 1 and len(keys) < 2 * len(rows):
            return None
        sizes = self._integers([len(row.inner) // 2 for row in rows], simple=True)
        node = Node(MAP, encode_int(len(keys))) + sizes
        return node + self.column(keys, around + 1) + self.column(values, around + 1)

    def _struct(self, rows: list[Item], around: int) -> Node | None:
        columns: dict[bytes, list[Item]] = {}
        shapes: dict[tuple[bytes, ...], int] = {}
        index = []
        cells = in_shapes = 0
        for row in rows:
            keys = row.inner[::2]
            shape = tuple(key.data for key in keys)
            if any(key.kind != STR for key in keys) or len(set(shape)) < len(shape):
                return None
            cells += len(shape)
            if shape not in shapes:
                shapes[shape] = len(shapes)
                in_shapes += len(shape)
                if len(shapes) > 64 and 2 * in_shapes > cells:
                    return None
            index.append(shapes[shape])
            for key, value in zip(shape, row.inner[1::2], strict=True):
                columns.setdefault(key, []).append(value)
        if cells < 8 * len(columns) or 3 * in_shapes > cells or len(columns) > 2048:
            return None
        node = Node(STRUCT, encode_int(len(columns)), *columns, encode_int(len(shapes)))
        if len(shapes) > 1:
            order = {key: i for i, key in enumerate(columns)}
            for shape in shapes:
                node += Node(encode_int(len(shape)), *(encode_int(order[key]) for key in shape))
            node += Node(*(encode_int(len(column)) for column in columns.values()))
            node += self._integers(index)
        for column in columns.values():
            node += self.column(column, around + 1)
        return node

    # float 64.

    def _doubles(self, rows: list[bytes]) -> Node:
        if self.views:
            return doubles(rows)
        numbers = [struct.unpack(">d", row)[0] for row in rows]
        found = _mantissas(numbers, 15, numbers, is_exact)
        residual = 16 * found[1].count(None) > len(rows)
        if residual:
            found = _mantissas(numbers[:64], 12, numbers, is_near)
        k, mantissas = found
        kept = [mantissa for mantissa in mantissas if mantissa is not None]
        if 16 * (len(rows) - len(kept)) > len(rows):
            return doubles(rows)
        if width(max(kept) - min(kept)) + residual > 6:
            return doubles(rows)
        node = Node(SCALED, k | (0x80 if residual else 0)) + self._integers(kept)
        if residual:
            distances = [distance(x, m, k) for x, m in zip(numbers, mantissas, strict=True) if m is not None]
            node += self._integers(distances, simple=True)
        if len(kept) == len(rows):
            return node
        tags = [int(mantissa is None) for mantissa in mantissas]
        exceptions = [row for row, tag in zip(rows, tags, strict=True) if tag]
        return union(tags, [kept, exceptions]) + node + doubles(exceptions)


def plain(rows: list[Item]) -> Node:
    section = b"".join(row.data for row in rows)
    return Node(PLAIN, encode_int(len(section)), section=section)


def union(tags: list[int], branches: list[list]) -> Node:
    """A UNION without its branches."""
    counts = [encode_int(len(branch)) for branch in branches]
    return Node(UNION, len(branches), *counts) + integers(tags, simple=True, views=False)


def doubles(rows: list[bytes]) -> Node:
    return Node(FLOAT, zone=8, section=b"".join(row[::-1] for row in rows))


def _span(entries: list[Item]) -> int:
    numbers = [entry.number for entry in entries]
    return width(max(numbers) - min(numbers))


def _one_scalar_type(place: list[Item]) -> bool:
    kinds = {item.kind for item in place}
    return kinds == {INTEGER, DOUBLE} or (len(kinds) == 1 and place[0].kind in SCALARS)


def _time(row: Item) -> tuple[int, int] | None:
    """Seconds and nanoseconds of a timestamp in its smallest format."""
    if row.code != TIMESTAMP or len(row.payload) not in (4, 8, 12):
        return None
    if len(row.payload) == 12:
        nano, seconds = struct.unpack(">Iq", row.payload)
    else:
        number = int.from_bytes(row.payload, "big")
        nano, seconds = (0, number) if len(row.payload) == 4 else (number >> 34, number % 2**34)
    smallest = Writer(Options()).message({"timestamp": [str(seconds), nano]})
    return (seconds, nano) if nano < 10**9 and smallest == row.data else None


def mantissa(number: float, k: int) -> int | None:
    """m of the page."""
    scaled = number * float(10**k)
    if not abs(scaled) < 2.0**53:
        return None
    found = int(scaled - 0.5 if number < 0 else scaled + 0.5)
    return found if abs(found) < 2**53 else None


def distance(number: float, m: int, k: int) -> int:
    """r of the page: what the bits of ``number`` are above those of m / 10^k, correctly rounded."""
    ((bits_of_number,), (bits_of_quotient,)) = (
        struct.unpack(">q", struct.pack(">d", x)) for x in (number, m / 10**k)
    )
    return wrapped(bits_of_number - bits_of_quotient)


def is_exact(number: float, m: int, k: int) -> bool:
    return distance(number, m, k) == 0


def is_near(number: float, m: int, k: int) -> bool:
    return -128 <= distance(number, m, k) <= 127


def _mantissas(
    sample: list[float], most: int, numbers: list[float], fits: Callable
) -> tuple[int, list[int | None]]:
    """The exponent that the sample leads to, and the m of each number that fits with it."""

    def found(number: float, k: int) -> int | None:
        m = mantissa(number, k)
        return m if m is not None and fits(number, m, k) else None

    k = 0
    for number in sample:
        k = next((j for j in range(k, most + 1) if found(number, j) is not None), k)
    return k, [found(number, k) for number in numbers]
