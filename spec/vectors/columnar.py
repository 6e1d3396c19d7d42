"""A slow, plain reader of columns, for checking the vectors.

It is written from ``spec/columns.md`` alone: the values of a payload are written row by row as plain
MessagePack, within the budget of section 4, and the plain reader then reads them.
"""

from __future__ import annotations

import struct
from collections.abc import Callable, Iterator

from options import Fault, Options
from writer import Writer

TYPE = 92
WRITER = Writer(Options())
PLAIN, INT, FLOAT, SCALED, TIME, BYTES, DICT, LIST, TUPLE, STRUCT, MAP, UNION = range(12)
MODES = {FLOAT: (0, 2), BYTES: (0, 1, 2, 4)}
ELEMENTS = " bBHIQbhiq"  # their codes in module struct; none and bit have no code of their own
DELTA, BASE, UNSIGNED = 0x10, 0x20, 0x40


class MalformedError(Exception):
    """A payload that breaks a rule of the page."""


def need(holds: bool) -> None:
    if not holds:
        raise MalformedError


class Node:
    """An entry of the directory."""

    def __init__(self, kind: int, mode: int, count: int) -> None:
        self.kind, self.mode, self.count = kind, mode, count
        self.children: list[Node] = []
        self.form = 0
        self.zone, self.size, self.at = 1, 0, 0
        self.keys: list[bytes] = []
        self.shapes: list[list[int]] = []
        self.rows = 0
        self.entries: list[tuple[bytes, int, int]] | None = None


class Payload:
    """One payload: its header, and the value that it stands for as plain MessagePack."""

    def __init__(self, data: bytes) -> None:
        self.data, self.pos, self.end = data, 1, len(data)
        self.plain_size, self.values, self.depth, self.directory, self.align = (
            self._uint() for _ in range(5)
        )

    # The directory.

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
        self.nodes.append(node)
        need(node.kind <= UNION and node.mode in MODES.get(node.kind, (0,)))

        def child(n: int) -> None:
            node.children.append(self._node(n, nested + 1))

        def integers() -> None:
            need(self.data[self.pos : self.pos + 1] == bytes([INT]) and self.pos < self.end)
            child(count)
            need(not node.children[-1].form & UNSIGNED)

        if node.kind == PLAIN:
            node.size = self._uint()
            need(count > 0 or node.size == 0)
        elif node.kind == INT:
            self._integers(node)
        elif node.kind == FLOAT:
            node.zone = 4 if node.mode else 8
            node.size = count * node.zone
        elif node.kind in (SCALED, TIME):
            node.form = self._byte()
            need((node.form & 0x7F) < 16 if node.kind == SCALED else node.form in (0, 3, 6, 9))
            integers()
            if node.kind == SCALED and node.form & 0x80:
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
        elif node.kind in (LIST, MAP):
            items = self._uint()
            integers()
            for _ in range(1 if node.kind == LIST else 2):
                child(items)
        elif node.kind == TUPLE:
            length = self._uint()
            need(1 <= length <= 255)
            for _ in range(length):
                child(count)
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
        need(element < 10 and node.form < 0x80 and not (delta and (node.count == 0 or element == 1)))
        unsigned = range(0, 2**64)
        signed = range(-(2**63), 2**63)
        node.base = self._int() if node.form & BASE else 0
        node.first = self._int() if delta else 0
        result = unsigned if node.form & UNSIGNED else signed
        need(node.base in (signed if delta else result) and node.first in result)
        if element > 1:
            node.zone = struct.calcsize(ELEMENTS[element])
            node.size = (node.count - delta) * node.zone
        elif element == 1:
            node.size = (node.count + 7) // 8

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

    def expand(self) -> bytes:
        """The value as plain MessagePack."""
        need(0 < self.values <= self.plain_size and self.align < 8)
        need(self.directory <= self.end - self.pos - self.align)
        end, self.end = self.end, self.pos + self.directory
        self.counts = 8 * self.plain_size + 64
        self.nodes: list[Node] = []
        root = self._node(1, 1)
        need(self.pos == self.end)
        at = self.pos + self.align
        need(not any(self.data[self.pos : at]))
        for zone in (8, 4, 2, 1):
            for node in self.nodes:
                if node.zone == zone:
                    node.at = at
                    at += node.size
                    need(at <= end)
        need(not any(self.data[at:]))
        self.left = [self.plain_size, self.values]
        self.dictionaries = self.plain_size
        self.streams = {id(node): self._stream(node) for node in self.nodes if node.kind != INT}
        self.integers = {id(node): self._values(node) for node in self.nodes if node.kind == INT}
        out = self._next(root, 0)
        need(self.left[1] == 0)
        parts = {id(node.children[i]) for node in self.nodes for i in parts_of(node)}
        need(all(node.rows == node.count for node in self.nodes if id(node) not in parts))
        need(all(next(stream, None) is None for stream in self.streams.values()))
        return out

    def _values(self, node: Node) -> list[int]:
        element, delta = node.form & 15, bool(node.form & DELTA)
        section = self.data[node.at : node.at + node.size]
        if element == 0:
            found = [0] * (node.count - delta)
        elif element == 1:
            bits = int.from_bytes(section, "little")
            need(bits >> node.count == 0)
            found = [bits >> i & 1 for i in range(node.count)]
        else:
            found = [value for (value,) in struct.iter_unpack("<" + ELEMENTS[element], section)]
        if delta:
            values = [node.first]
            for value in found:
                values.append(values[-1] + node.base + value)
        else:
            values = [node.base + value for value in found]
        if node.form & UNSIGNED:
            return [value % 2**64 for value in values]
        return [(value + 2**63) % 2**64 - 2**63 for value in values]

    def _stream(self, node: Node) -> Iterator[bytes]:
        """The pieces of a section of PLAIN or BYTES, one for each value."""
        section = self.data[node.at : node.at + node.size]
        at = 0
        if node.kind == PLAIN:
            while at < len(section):
                end = skip(section, at)
                yield section[at:end]
                at = end
        elif node.kind == BYTES and node.mode == 4:
            need(section[-1:] in (b"", b"\0"))
            yield from section.split(b"\0")[:-1]
        elif node.kind == BYTES:
            sizes = self.integers[id(node.children[0])]
            need(all(size >= 0 for size in sizes) and sum(sizes) == len(section))
            for size in sizes:
                yield section[at : at + size]
                at += size

    def _take(self, size: int, values: int = 1) -> None:
        self.left[0] -= size
        self.left[1] -= values
        need(min(self.left) >= 0)

    def _open(self, depth: int) -> None:
        self._take(1)
        need(depth < self.depth)

    def _at(self, node: Node, row: int, child: int = 0) -> int:
        return self.integers[id(node.children[child])][row]

    def _next(self, node: Node, depth: int) -> bytes:
        """The next value of a column as it is written."""
        row = node.rows
        need(row < node.count)
        node.rows += 1
        write = WRITER.message
        if node.kind == INT:
            self._take(1)
            return write({"int": str(self.integers[id(node)][row])})
        if node.kind == FLOAT:
            size = node.zone
            self._take(1 + size)
            return (b"\xca" if size == 4 else b"\xcb") + self._element(node, row)
        if node.kind == SCALED:
            self._take(9)
            return b"\xcb" + self._scaled(node, row)
        if node.kind == TIME:
            self._take(5)
            unit = 10**node.form
            seconds, rest = divmod(self._at(node, row), unit)
            return write({"timestamp": [str(seconds), rest * (10**9 // unit)]})
        if node.kind in (PLAIN, BYTES):
            return self._piece(node)
        if node.kind == DICT:
            return self._entry(node, row, depth)
        if node.kind == UNION:
            tag = self._at(node, row)
            need(0 <= tag < len(node.children) - 1)
            return self._next(node.children[1 + tag], depth)
        self._open(depth)
        if node.kind == TUPLE:
            cells = [self._next(child, depth + 1) for child in node.children]
            return header(0x90, len(cells)) + b"".join(cells)
        if node.kind == STRUCT:
            return self._row(node, row, depth + 1)
        length = self._at(node, row)
        first = node.children[1]
        need(0 <= length <= first.count - first.rows)
        columns = node.children[1:]
        cells = [self._next(column, depth + 1) for _ in range(length) for column in columns]
        return header(0x90 if node.kind == LIST else 0x80, length) + b"".join(cells)

    def _element(self, node: Node, row: int) -> bytes:
        at = node.at + row * node.zone
        return self.data[at : at + node.zone][::-1]

    def _scaled(self, node: Node, row: int) -> bytes:
        mantissa = self._at(node, row)
        need(abs(mantissa) < 2**53)
        bits = struct.pack(">d", mantissa / 10 ** (node.form & 0x7F))
        if node.form & 0x80:
            total = int.from_bytes(bits, "big") + self._at(node, row, 1)
            bits = (total % 2**64).to_bytes(8, "big")
        return bits

    def _piece(self, node: Node) -> bytes:
        piece = next(self.streams[id(node)], None)
        if piece is None:
            raise MalformedError
        if node.kind == PLAIN:
            self._take(len(piece), count_values(piece))
            return piece
        self._take((2 if node.mode in (1, 2) else 1) + len(piece))
        if node.mode == 1:
            return WRITER.message({"bin": piece.hex()})
        if node.mode == 2:
            code = node.form - 256 if node.form > 127 else node.form
            return WRITER.message({"ext": [code, piece.hex()]})
        return WRITER.message({"str": utf8(piece).decode()})

    def _row(self, node: Node, row: int, depth: int) -> bytes:
        shape = list(range(len(node.keys)))
        columns = node.children
        if node.shapes:
            index = self._at(node, row)
            need(0 <= index < len(node.shapes))
            shape, columns = node.shapes[index], node.children[1:]
        out = header(0x80, len(shape))
        for key in shape:
            self._take(1 + len(node.keys[key]))
            out += WRITER.message({"str": node.keys[key].decode()})
            out += self._next(columns[key], depth)
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
        """An entry of a dictionary, and what it takes."""
        outer, before = self.left, 2**62
        self.left = [before, before]
        written = self._next(column, depth)
        size, values = before - self.left[0], before - self.left[1]
        self.left = outer
        self.dictionaries -= size
        need(self.dictionaries >= 0)
        return written, size, values


def parts_of(node: Node) -> range:
    """The children whose integers belong to the rows of their parent."""
    if node.kind in (DICT, LIST, MAP, UNION) or (node.kind == STRUCT and node.shapes):
        return range(1)
    return range(len(node.children)) if node.kind in (SCALED, TIME, BYTES) else range(0)


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


def headers(data: bytes, at: int) -> Iterator[int]:
    """Where each value within the value at ``at`` begins, and in the end where it ends."""
    left = 1
    while left:
        yield at
        need(at < len(data) and left <= len(data) - at)
        marker = data[at]
        size, length, inner = 1, 0, 0
        if 0x80 <= marker <= 0x9F:
            inner = (marker & 15) * (2 if marker < 0x90 else 1)
        elif 0xA0 <= marker <= 0xBF:
            length = marker & 31
        elif 0xC4 <= marker <= 0xC9 or marker >= 0xD9 and marker < 0xE0:
            width = (
                1 << (marker - 0xC4) % 3
                if marker < 0xD9
                else 1 << (marker - 0xD9)
                if marker < 0xDC
                else 2 << (marker & 1)
            )
            size += width
            number = int.from_bytes(data[at + 1 : at + size], "big")
            if marker >= 0xDC:
                inner = number * (2 if marker >= 0xDE else 1)
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
        left += inner - 1
    yield at


def skip(data: bytes, at: int) -> int:
    return list(headers(data, at))[-1]


def count_values(data: bytes) -> int:
    return len(list(headers(data, 0))) - 1


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
        return reader.inside(plain, opened.depth)
    except (MalformedError, Fault):
        raise Fault("invalid_ext", at) from None
