"""A slow, plain reader of columns, for checking the vectors.

It is written from ``spec/columns.md`` alone: the values of a payload are written row by row as plain
MessagePack, within the budget of section 4, and the plain reader then reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from .options import Fault, Options
from .writer import Writer

TYPE = 92
WRITER = Writer(Options())
PLAIN, INT, FLOAT, SCALED, TIME, BYTES, DICT, LIST, STRUCT, MAP, UNION = range(11)
LEAVES = (PLAIN, INT, FLOAT, SCALED, TIME, BYTES)
MODES = {FLOAT: (0, 2), BYTES: (0, 1, 2, 4)}
BIT = 1
ELEMENT_SIZES = {0: 0, 2: 1, 3: 2, 4: 4, 5: 8}
DELTA, BASE, UNSIGNED = 0x10, 0x20, 0x40


class MalformedError(Exception):
    """A payload that breaks a rule of the page."""


def need(holds: bool) -> None:
    if not holds:
        raise MalformedError


@dataclass(eq=False)
class Node:
    """An entry of the directory. Its section is ``data[at : at + size]`` of the payload."""

    kind: int
    mode: int
    count: int
    children: list[Node] = field(default_factory=list)
    form: int = 0
    base: int = 0
    first: int = 0
    at: int = 0
    size: int = 0
    keys: list[bytes] = field(default_factory=list)
    shapes: list[list[int]] = field(default_factory=list)
    rows: int = 0
    values: list[int] | None = None
    pieces: Iterator[bytes] | None = None
    entries: list[tuple[bytes, int, int]] | None = None

    def all(self) -> Iterator[Node]:
        """The node and everything below it, in the order of the directory."""
        yield self
        for child in self.children:
            yield from child.all()

    @property
    def columns(self) -> list[Node]:
        """The children of a STRUCT that have the values of its keys."""
        return self.children[1:] if self.shapes else self.children


class KeySections(NamedTuple):
    """Where the sections of a key's column are in a payload: those of its node and of all below it."""

    key: bytes
    begin: int
    end: int


class Payload:
    """One payload: its header, and the value that it stands for as plain MessagePack."""

    def __init__(self, data: bytes) -> None:
        self.data, self.pos, self.end = data, 1, len(data)
        self.plain_size, self.values, self.depth, self.directory = (self._uint() for _ in range(4))

    # The directory.

    def open(self) -> Node:
        """The root, with the place of each section."""
        need(0 < self.values <= self.plain_size and self.directory <= self.end - self.pos)
        end, self.end = self.end, self.pos + self.directory
        self.counts = 8 * self.plain_size + 64
        root = self._node(1, 1)
        need(self.pos == self.end)
        at = self.pos
        for node in root.all():
            node.at = at
            at += node.size
            need(at <= end)
        self.filler = at
        return root

    def _byte(self) -> int:
        need(self.pos < self.end)
        self.pos += 1
        return self.data[self.pos - 1]

    def _int(self) -> int:
        marker = self._byte()
        if marker < 0x80 or marker >= 0xE0:
            return marker if marker < 0x80 else marker - 256
        need(0xCC <= marker <= 0xD3)
        size = 1 << (marker & 3)
        need(size <= self.end - self.pos)
        self.pos += size
        return int.from_bytes(self.data[self.pos - size : self.pos], "big", signed=marker >= 0xD0)

    def _uint(self) -> int:
        value = self._int()
        need(value >= 0)
        return value

    def _str(self) -> bytes:
        marker = self._byte()
        length = marker & 0x1F
        if not 0xA0 <= marker <= 0xBF:
            need(0xD9 <= marker <= 0xDB)
            length = int.from_bytes(bytes(self._byte() for _ in range(1 << (marker - 0xD9))), "big")
        need(length <= self.end - self.pos)
        self.pos += length
        return utf8(self.data[self.pos - length : self.pos])

    def _node(self, count: int, nested: int) -> Node:
        self.counts -= count
        need(self.counts >= 0 and nested <= 128)
        entry = self._byte()
        node = Node(entry & 15, entry >> 4, count)
        need(node.kind <= UNION and node.mode in MODES.get(node.kind, (0,)))

        def child(n: int) -> None:
            node.children.append(self._node(n, nested + 1))

        def integers() -> None:
            child(count)
            need(node.children[-1].kind == INT and not node.children[-1].form & UNSIGNED)

        if node.kind == PLAIN:
            node.size = self._uint()
            need(count > 0 or node.size == 0)
        elif node.kind == INT:
            self._integers(node)
        elif node.kind == FLOAT:
            node.size = count * (4 if node.mode else 8)
        elif node.kind in (SCALED, TIME):
            node.form = self._byte()
            need(node.form < 16 if node.kind == SCALED else node.form in (0, 3, 6, 9))
            integers()
        elif node.kind == BYTES:
            node.form = self._byte() if node.mode == 2 else 0
            node.size = self._uint()
            if node.mode != 4:
                integers()
        elif node.kind == DICT:
            entries = self._uint()
            need(entries <= count)
            integers()
            child(entries)
            need(node.children[-1].kind in LEAVES)
        elif node.kind in (LIST, MAP):
            items = self._uint()
            integers()
            for _ in range(1 if node.kind == LIST else 2):
                child(items)
        elif node.kind == STRUCT:
            self._struct(node, child, integers)
        else:
            branches = self._byte()
            need(2 <= branches <= 16)
            counts = [self._uint() for _ in range(branches)]
            need(sum(counts) == count)
            integers()
            for n in counts:
                child(n)
        return node

    def _integers(self, node: Node) -> None:
        node.form = self._byte()
        element, delta = node.form & 15, bool(node.form & DELTA)
        need(element <= 5 and node.form < 0x80 and not (delta and (node.count == 0 or element == BIT)))
        unsigned = range(0, 2**64)
        signed = range(-(2**63), 2**63)
        node.base = self._int() if node.form & BASE else 0
        node.first = self._int() if delta else 0
        result = unsigned if node.form & UNSIGNED else signed
        need(node.base in (signed if delta else result) and node.first in result)
        if element == BIT:
            node.size = (node.count + 7) // 8
        else:
            node.size = (node.count - delta) * ELEMENT_SIZES[element]

    def _struct(self, node: Node, child: Callable, integers: Callable) -> None:
        node.keys = [self._str() for _ in range(self._uint())]
        keys = len(node.keys)
        need(len(set(node.keys)) == keys)
        shapes = self._uint()
        need(shapes >= 1)
        counts = [node.count] * keys
        if shapes > 1:
            for _ in range(shapes):
                shape = [self._uint() for _ in range(self._uint())]
                need(len(set(shape)) == len(shape) and all(key < keys for key in shape))
                node.shapes.append(shape)
            counts = [self._uint() for _ in range(keys)]
            need(all(n <= node.count for n in counts))
            integers()
        for n in counts:
            child(n)

    # The values.

    def expand(self, keys: Collection[bytes] | None = None) -> bytes:
        """The value as plain MessagePack.

        With ``keys``, the rows of a table have these keys only, and the sections of its others are not read.
        """
        root = self.open()
        need(not any(self.data[self.filler :]))
        self.left = [self.plain_size, self.values]
        table = table_of(root)
        self.unread: list[Node] = []
        if keys is not None and table is not None:
            columns = zip(table.keys, table.columns, strict=True)
            self.unread = [column for key, column in columns if key not in keys]
        out = self._next(root, 0)
        need(self.left[1] == 0 or bool(self.unread))
        unread = {id(node) for column in self.unread for node in column.all()}
        nodes = [node for node in root.all() if id(node) not in unread]
        parts = {id(node.children[i]) for node in nodes for i in parts_of(node)}
        need(all(node.rows == node.count for node in nodes if id(node) not in parts))
        need(all(next(self._pieces(node), None) is None for node in nodes if node.kind in (PLAIN, BYTES)))
        for node in nodes:
            if node.kind == INT:
                self._values(node)
        return out

    def _values(self, node: Node) -> list[int]:
        """The values of an INT."""
        if node.values is not None:
            return node.values
        element, delta = node.form & 15, bool(node.form & DELTA)
        section = self.data[node.at : node.at + node.size]
        if element == 0:
            found = [0] * (node.count - delta)
        elif element == BIT:
            bits = int.from_bytes(section, "little")
            need(bits >> node.count == 0)
            found = [bits >> i & 1 for i in range(node.count)]
        else:
            size = ELEMENT_SIZES[element]
            found = [int.from_bytes(section[at : at + size], "little") for at in range(0, node.size, size)]
        if delta:
            values = [node.first]
            for value in found:
                values.append(values[-1] + node.base + value)
        else:
            values = [node.base + value for value in found]
        lowest = 0 if node.form & UNSIGNED else -(2**63)
        node.values = [(value - lowest) % 2**64 + lowest for value in values]
        return node.values

    def _pieces(self, node: Node) -> Iterator[bytes]:
        """The pieces of a section of PLAIN or BYTES that were not taken yet, one for each value."""
        if node.pieces is None:
            node.pieces = self._cut(node)
        return node.pieces

    def _cut(self, node: Node) -> Iterator[bytes]:
        section = self.data[node.at : node.at + node.size]
        at = 0
        if node.kind == PLAIN:
            while at < len(section):
                end = extent(section, at).end
                yield section[at:end]
                at = end
        elif node.mode == 4:
            need(section[-1:] in (b"", b"\0"))
            yield from section.split(b"\0")[:-1]
        else:
            sizes = self._values(node.children[0])
            need(all(size >= 0 for size in sizes) and sum(sizes) == len(section))
            for size in sizes:
                yield section[at : at + size]
                at += size

    def _take(self, size: int, values: int = 1) -> None:
        self.left[0] -= size
        self.left[1] -= values
        need(min(self.left) >= 0)

    def _at(self, node: Node, row: int) -> int:
        """The integer that the first child has for the row."""
        return self._values(node.children[0])[row]

    def _next(self, node: Node, depth: int) -> bytes:
        """The next value of a column as it is written."""
        row = node.rows
        need(row < node.count)
        node.rows += 1
        write = WRITER.message
        if node.kind == INT:
            self._take(1)
            return write({"int": str(self._values(node)[row])})
        if node.kind == FLOAT:
            size = 4 if node.mode else 8
            self._take(1 + size)
            at = node.at + row * size
            return (b"\xca" if node.mode else b"\xcb") + self.data[at : at + size][::-1]
        if node.kind == SCALED:
            self._take(9)
            mantissa = self._at(node, row)
            need(abs(mantissa) < 2**53)
            return b"\xcb" + struct.pack(">d", mantissa / 10**node.form)
        if node.kind == TIME:
            self._take(5)
            unit = 10**node.form
            seconds, rest = divmod(self._at(node, row), unit)
            return write({"timestamp": [str(seconds), rest * (10**9 // unit)]})
        if node.kind in (PLAIN, BYTES):
            return self._piece(node, depth)
        if node.kind == DICT:
            return self._entry(node, row, depth)
        if node.kind == UNION:
            tag = self._at(node, row)
            need(0 <= tag < len(node.children) - 1)
            return self._next(node.children[1 + tag], depth)
        self._take(1)
        need(depth < self.depth)
        if node.kind == STRUCT:
            return self._row(node, row, depth + 1)
        length = self._at(node, row)
        first = node.children[1]
        need(0 <= length <= first.count - first.rows)
        columns = node.children[1:]
        cells = [self._next(column, depth + 1) for _ in range(length) for column in columns]
        return header(0x90 if node.kind == LIST else 0x80, length) + b"".join(cells)

    def _piece(self, node: Node, depth: int) -> bytes:
        piece = next(self._pieces(node), None)
        if piece is None:
            raise MalformedError
        if node.kind == PLAIN:
            found = extent(piece, 0)
            need(depth + found.depth <= self.depth)
            self._take(len(piece), found.values)
            return piece
        self._take((2 if node.mode in (1, 2) else 1) + len(piece))
        if node.mode == 1:
            return WRITER.message({"bin": piece.hex()})
        if node.mode == 2:
            code = node.form - 256 if node.form > 127 else node.form
            timestamp(code, piece)
            return WRITER.message({"ext": [code, piece.hex()]})
        return WRITER.message({"str": utf8(piece).decode()})

    def _row(self, node: Node, row: int, depth: int) -> bytes:
        shape = list(range(len(node.keys)))
        if node.shapes:
            index = self._at(node, row)
            need(0 <= index < len(node.shapes))
            shape = node.shapes[index]
        shape = [key for key in shape if node.columns[key] not in self.unread]
        out = header(0x80, len(shape))
        for key in shape:
            self._take(1 + len(node.keys[key]))
            out += WRITER.message({"str": node.keys[key].decode()})
            out += self._next(node.columns[key], depth)
        return out

    def _entry(self, node: Node, row: int, depth: int) -> bytes:
        if node.entries is None:
            node.entries = [self._made(node.children[1], depth) for _ in range(node.children[1].count)]
        index = self._at(node, row)
        need(0 <= index < len(node.entries))
        written, size, values = node.entries[index]
        self._take(size, values)
        return written

    def _made(self, column: Node, depth: int) -> tuple[bytes, int, int]:
        """An entry of a dictionary, and what each of its rows takes."""
        outer, before = self.left, 2**62
        self.left = [before, before]
        written = self._next(column, depth)
        size, values = before - self.left[0], before - self.left[1]
        self.left = outer
        return written, size, values


def parts_of(node: Node) -> range:
    """The children whose integers belong to the rows of their parent."""
    has_integers = node.kind in (SCALED, TIME, DICT, LIST, MAP, UNION) or bool(node.shapes)
    return range(1 if has_integers or (node.kind == BYTES and node.mode != 4) else 0)


def table_of(root: Node) -> Node | None:
    """The STRUCT of a LIST of STRUCT."""
    return root.children[1] if root.kind == LIST and root.children[1].kind == STRUCT else None


def sections_of_keys(payload: bytes) -> list[KeySections] | None:
    """The sections of each key of a LIST of STRUCT, in the order of the directory; ``None`` for other roots.

    They follow each other. What comes before the first is the directory and the sections that belong to no
    key, what comes after the last is filler.
    """
    table = table_of(Payload(payload).open())
    if table is None:
        return None
    found = []
    for key, column in zip(table.keys, table.columns, strict=True):
        *_, last = column.all()
        found.append(KeySections(key, column.at, last.at + last.size))
    return found


def header(fix: int, count: int) -> bytes:
    """The smallest header of an array (0x90) or map (0x80)."""
    if count < 16:
        return bytes([fix | count])
    marker = 0xDC if fix == 0x90 else 0xDE
    return (
        bytes([marker]) + count.to_bytes(2, "big")
        if count < 2**16
        else bytes([marker + 1]) + count.to_bytes(4, "big")
    )


def utf8(piece: bytes) -> bytes:
    try:
        piece.decode("utf-8")
    except UnicodeDecodeError:
        raise MalformedError from None
    return piece


def timestamp(code: int, payload: bytes) -> None:
    """Checks the payload of an ext that has the type of timestamps."""
    if code == -1:
        need(len(payload) in (4, 8, 12))
        nanoseconds = {4: 0, 8: int.from_bytes(payload, "big") >> 34, 12: int.from_bytes(payload[:4], "big")}
        need(nanoseconds[len(payload)] < 10**9)


def inner(data: bytes, at: int) -> Iterator[tuple[int, int, int]]:
    """The value at ``at`` and each value in it: where it begins, where its own bytes end, and its depth.

    The depth of a container counts itself. A value that is not well-formed raises.
    """
    left = [1]
    while left:
        if left[-1] == 0:
            left.pop()
            continue
        left[-1] -= 1
        need(at < len(data) and sum(left) < len(data) - at)
        marker, begin = data[at], at
        need(marker != 0xC1)
        size, length, within = 1, 0, None
        if 0x80 <= marker <= 0x9F:
            within = (marker & 15) * (2 if marker < 0x90 else 1)
        elif 0xA0 <= marker <= 0xBF:
            length = marker & 31
        elif 0xC4 <= marker <= 0xC9 or 0xD9 <= marker <= 0xDF:
            size += (
                2 << (marker & 1)
                if marker >= 0xDC
                else 1 << (marker - (0xD9 if marker >= 0xD9 else 0xC4)) % 3
            )
            need(at + size <= len(data))
            number = int.from_bytes(data[at + 1 : at + size], "big")
            if marker >= 0xDC:
                within = number * (2 if marker >= 0xDE else 1)
            else:
                length = number
            size += 0xC7 <= marker <= 0xC9
        elif 0xCA <= marker <= 0xCB:
            size += 4 << (marker - 0xCA)
        elif 0xCC <= marker <= 0xD3:
            size += 1 << (marker & 3)
        elif 0xD4 <= marker <= 0xD8:
            size, length = 2, 1 << (marker - 0xD4)
        at += size + length
        need(at <= len(data))
        payload = data[at - length : at]
        if 0xA0 <= marker <= 0xBF or 0xD9 <= marker <= 0xDB:
            utf8(payload)
        elif 0xC7 <= marker <= 0xC9 or 0xD4 <= marker <= 0xD8:
            (code,) = struct.unpack("b", data[at - length - 1 : at - length])
            timestamp(code, payload)
        yield begin, at, len(left) - (within is None)
        if within is not None:
            left.append(within)


class Extent(NamedTuple):
    """Where a value ends, how many values it has with itself and keys, and the most containers open in it."""

    end: int
    values: int
    depth: int


def extent(data: bytes, at: int) -> Extent:
    found = list(inner(data, at))
    return Extent(found[-1][1], len(found), max(depth for _, _, depth in found))


def read(reader, at: int, payload: bytes, outside: int):
    """What a reader returns for a payload that it was told to read."""
    options = reader.options
    try:
        need(len(payload) > 0)
        opened = Payload(payload)
    except MalformedError:
        raise Fault("invalid_ext", at) from None
    if opened.plain_size > options.max_expansion * len(payload) + 4096:
        raise Fault("length_limit", at)
    reader.nodes += opened.values - 1
    if options.max_nodes is not None and reader.nodes > options.max_nodes:
        raise Fault("length_limit", at)
    if outside + opened.depth > options.max_depth:
        raise Fault("depth_limit", at)
    try:
        plain = opened.expand()
        return reader.inside(plain, options.max_depth - outside)
    except (MalformedError, Fault):
        raise Fault("invalid_ext", at) from None
