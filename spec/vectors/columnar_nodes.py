"""The nodes that rule 1 makes of a column: ``spec/columns.md`` sections 6.3 to 6.6.

Written from that page alone, and plain rather than fast.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import pairwise

from .columnar import (
    BASE,
    BIT,
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
    UNION,
    UNSIGNED,
    header,
)
from .options import Options
from .writer import Value, Writer, encode_int

NIL, BOOL, INTEGER, SINGLE, DOUBLE, STR, BIN, ARRAY, TABLE, EXT = range(10)
SCALARS, NUMBERS = range(ARRAY), (INTEGER, SINGLE, DOUBLE)
TIMESTAMP = -1
DEEPEST = 32
DROP = 16
ELEMENTS = {0: 0, 1: 2, 2: 3, 4: 4, 8: 5}


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
    """A node with everything below it: bytes of the directory, and of the sections."""

    def __init__(self, *entry: int | bytes, section: bytes = b"") -> None:
        self.directory = b"".join(bytes([part]) if isinstance(part, int) else part for part in entry)
        self.sections = section

    def __add__(self, child: Node) -> Node:
        return Node(self.directory + child.directory, section=self.sections + child.sections)

    def size(self) -> int:
        return len(self.directory) + len(self.sections)


def width(number: int) -> int:
    """B of the page: the bytes of a number."""
    return (number.bit_length() + 7) // 8


def rounded(number: int) -> int:
    """W of the page."""
    return next(size for size in (0, 1, 2, 4, 8) if width(number) <= size)


def integers(values: list[int], *, simple: bool = False) -> Node:
    """INT: sizes and tags are ``simple``."""
    low, high = min(values), max(values)
    unsigned = UNSIGNED if high >= 2**63 else 0
    size = rounded(high - low)
    bit = high - low == 1 and len(values) >= 8
    base = 0 if low >= 0 and rounded(high) == size and not bit else low
    first = b""
    delta = 0
    elements = values
    differences = [wrapped(b - a) for a, b in pairwise(values)]
    if not simple and len(values) >= 3 and _is_delta(values, differences, size, bit):
        delta, base, elements, first = DELTA, min(differences), differences, encode_int(values[0])
        size = rounded(max(differences) - base)
    has_base = BASE if base else 0
    element = BIT if bit else ELEMENTS[size]
    form = element | delta | has_base | unsigned
    section = bits(values, base) if bit else fixed([(v - base) % 2**64 for v in elements], size)
    return Node(INT, form, encode_int(base) if base else b"", first, section=section)


def wrapped(number: int) -> int:
    """The number modulo 2^64 as a signed one."""
    return (number + 2**63) % 2**64 - 2**63


def _is_delta(values: list[int], differences: list[int], size: int, bit: bool) -> bool:
    narrow = rounded(max(differences) - min(differences))
    zigzag = (2 * d if d >= 0 else -2 * d - 1 for d in differences)
    steps = sum(number.bit_length() for number in zigzag)
    low = min(values)
    offsets = sum((value - low).bit_length() for value in values[1:])
    return narrow == 0 or (narrow <= size and not bit and 4 * steps < 3 * offsets)


def fixed(values: list[int], size: int) -> bytes:
    return b"".join(value.to_bytes(size, "little") for value in values)


def bits(values: list[int], base: int) -> bytes:
    number = sum((value - base) << i for i, value in enumerate(values))
    return number.to_bytes((len(values) + 7) // 8, "little")


# --- columns --------------------------------------------------------------------------------


def column(rows: list[Item], around: int = 0) -> Node:
    """Section 6.3. ``around`` counts the containers around the rows."""
    size = sum(len(row.data) for row in rows)
    if not rows or size < 24 or around >= DEEPEST:
        return plain(rows)
    if len(rows) > 1 and all(row.data == rows[0].data for row in rows):
        return Node(DICT, 1, INT, 0) + plain(rows[:1])
    if len(rows) < 4 and rows[0].kind in SCALARS:
        return plain(rows)
    if any(row.kind != rows[0].kind for row in rows):
        node = _union(rows, around)
    else:
        node = _dictionary(rows, size, around) or _typed(rows, around)
    return plain(rows) if node is None or node.size() >= size + DROP else node


def _union(rows: list[Item], around: int) -> Node | None:
    if len(rows) < 8:
        return None
    kinds = sorted({row.kind for row in rows})
    branches = [[row for row in rows if row.kind == kind] for kind in kinds]
    node = Node(UNION, len(branches), *(encode_int(len(branch)) for branch in branches))
    node += integers([kinds.index(row.kind) for row in rows], simple=True)
    for branch in branches:
        node += column(branch, around)
    return node


# --- DICT: section 6.4 ------------------------------------------------------------------------


def _dictionary(rows: list[Item], size: int, around: int) -> Node | None:
    kind, n = rows[0].kind, len(rows)
    if n < 16 or kind not in (*NUMBERS, STR, BIN, EXT):
        return None
    if len({row.data for row in rows[:1024]}) > 896:
        return None
    entries = list({row.data: row for row in rows}.values())
    d = len(entries)
    w = 1 if d <= 256 else 2 if d <= 65536 else 4
    s = sum(len(entry.data) for entry in entries) + n * w + 16
    if kind in NUMBERS:
        if 8 * d > n or d > 4096 or 8 * s > 5 * size:
            return None
    elif 2 * d > n or 8 * s > 7 * size:
        return None
    places = {entry.data: i for i, entry in enumerate(entries)}
    index = integers([places[row.data] for row in rows])
    return Node(DICT, encode_int(d)) + index + column(entries, around)


# --- by type: section 6.5 -----------------------------------------------------------------------


def _typed(rows: list[Item], around: int) -> Node | None:
    kind = rows[0].kind
    if kind == INTEGER:
        numbers = [row.number for row in rows]
        return None if min(numbers) < 0 and max(numbers) >= 2**63 else integers(numbers)
    if kind == SINGLE:
        return Node(FLOAT | 2 << 4, section=b"".join(row.payload[::-1] for row in rows))
    if kind == DOUBLE:
        return _scaled([row.payload for row in rows]) or _doubles(rows)
    if kind in (STR, BIN):
        return _strings(rows)
    if kind == EXT:
        return _times(rows) or _exts(rows)
    if kind == ARRAY:
        elements = [element for row in rows for element in row.inner]
        sizes = integers([len(row.inner) for row in rows], simple=True)
        return Node(LIST, encode_int(len(elements))) + sizes + column(elements, around + 1)
    return (_struct(rows, around) or _map(rows, around)) if kind == TABLE else None


def _scaled(rows: list[bytes]) -> Node | None:
    numbers = [struct.unpack(">d", row)[0] for row in rows]
    k = 0
    for number in numbers:
        while exact(number, k) is None:
            k += 1
            if k > 15:
                return None
    mantissas = [exact(number, k) for number in numbers]
    found = [m for m in mantissas if m is not None]
    if len(found) < len(rows) or width(max(found) - min(found)) > 6:
        return None
    return Node(SCALED, k) + integers(found)


def _doubles(rows: list[Item]) -> Node:
    return Node(FLOAT, section=b"".join(row.payload[::-1] for row in rows))


def _strings(rows: list[Item]) -> Node | None:
    payloads = [row.payload for row in rows]
    same = len(set(map(len, payloads))) == 1
    if not same and len(rows) < 8:
        return None
    is_str = rows[0].kind == STR
    if is_str and not same and not any(b"\0" in payload for payload in payloads):
        section = b"".join(payload + b"\0" for payload in payloads)
        return Node(BYTES | 4 << 4, encode_int(len(section)), section=section)
    return _sized(BYTES | (0 if is_str else 1 << 4), b"", payloads)


def _sized(entry: int, code: bytes, payloads: list[bytes]) -> Node:
    section = b"".join(payloads)
    node = Node(entry, code, encode_int(len(section)), section=section)
    return node + integers(list(map(len, payloads)), simple=True)


def _times(rows: list[Item]) -> Node | None:
    times = [_time(row) for row in rows]
    if None in times:
        return None
    found = [time for time in times if time is not None]
    unit = next(u for u in (0, 3, 6, 9) if all(nano % 10 ** (9 - u) == 0 for _, nano in found))
    values = [seconds * 10**unit + nano // 10 ** (9 - unit) for seconds, nano in found]
    if not all(-(2**63) <= value < 2**63 for value in values):
        return None
    return Node(TIME, unit) + integers(values)


def _exts(rows: list[Item]) -> Node | None:
    payloads = [row.payload for row in rows]
    lengths = list(map(len, payloads))
    if len({row.code for row in rows}) > 1 or sum(lengths) > 64 * len(rows):
        return None
    if len(set(lengths)) > 1 and len(rows) < 16:
        return None
    return _sized(BYTES | 2 << 4, struct.pack("b", rows[0].code), payloads)


def _struct(rows: list[Item], around: int) -> Node | None:
    columns: dict[bytes, list[Item]] = {}
    shapes: dict[tuple[bytes, ...], int] = {}
    index = []
    cells = 0
    for row in rows:
        keys = row.inner[::2]
        shape = tuple(key.data for key in keys)
        if any(key.kind != STR for key in keys) or len(set(shape)) < len(shape):
            return None
        cells += len(shape)
        index.append(shapes.setdefault(shape, len(shapes)))
        for key, value in zip(shape, row.inner[1::2], strict=True):
            columns.setdefault(key, []).append(value)
    in_shapes = sum(map(len, shapes))
    if cells < 8 * len(columns) or 3 * in_shapes > cells or len(columns) > 2048 or len(shapes) > 2048:
        return None
    node = Node(STRUCT, encode_int(len(columns)), *columns, encode_int(len(shapes)))
    if len(shapes) > 1:
        order = {key: i for i, key in enumerate(columns)}
        for shape in shapes:
            node += Node(encode_int(len(shape)), *(encode_int(order[key]) for key in shape))
        node += Node(*(encode_int(len(values)) for values in columns.values()))
        node += integers(index)
    for values in columns.values():
        node += column(values, around + 1)
    return node


def _map(rows: list[Item], around: int) -> Node | None:
    keys = [key for row in rows for key in row.inner[::2]]
    values = [value for row in rows for value in row.inner[1::2]]
    if len(rows) > 1 and len(keys) < 2 * len(rows):
        return None
    sizes = integers([len(row.inner) // 2 for row in rows], simple=True)
    node = Node(MAP, encode_int(len(keys))) + sizes
    return node + column(keys, around + 1) + column(values, around + 1)


def plain(rows: list[Item]) -> Node:
    section = b"".join(row.data for row in rows)
    return Node(PLAIN, encode_int(len(section)), section=section)


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


def exact(number: float, k: int) -> int | None:
    """m of the page, if the number is exact at k."""
    scaled = number * float(10**k)
    if not abs(scaled) < 2.0**53:
        return None
    m = int(scaled - 0.5 if number < 0 else scaled + 0.5)
    same = abs(m) < 2**53 and struct.pack(">d", m / 10**k) == struct.pack(">d", number)
    return m if same else None
