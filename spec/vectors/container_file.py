"""A slow, plain reader of container files, for checking the vectors.

It is written from ``spec/container.md`` alone, one check after another, and keeps the whole file in
memory. What it reads is a list of rows, how the reading ended, and the ranges that it passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import container_stats
from container_codecs import CODECS, DamagedError, crc32c, unpack
from options import Fault, Options
from reference import Reader, header_size

Value = Any

BEGINNING = bytes.fromhex("93a77061636b6f726401")
MARK, TRAILER = b"\xd8\x5d", b"\xd7\x5d"
LEAST_BLOCK = 26  # bytes of the smallest mark and block-array
MOST_STRUCTURES = 8160
MOST_ROWS = 2**53


class BodyFault(Fault):
    """A fault in the body of the block-array at ``offset``, at ``inside`` of the body."""

    def __init__(self, kind: str, offset: int, inside: int) -> None:
        super().__init__(kind, offset)
        self.inside = inside

    def described(self) -> dict:
        return {**super().described(), "inside": self.inside}


@dataclass
class Header:
    """The header of a file. ``end`` is where it ends."""

    end: int = 0
    sync: bytes = b""
    codec: str = "none"
    structures: list[list[str]] | None = None
    dictionary: bytes = b""
    meta: Value = None
    key: list[str] | None = None

    @property
    def mark(self) -> bytes:
        return MARK + self.sync


@dataclass
class Block:
    """The header of a block. All numbers are offsets in the file, except for the first five."""

    kind: int
    count: int
    raw: int
    crc: int
    codec: str
    mark: int
    array: int
    begins: int
    ends: int
    end: int


@dataclass
class Index:
    """An index that can be used."""

    mark: int
    blocks: list[tuple[int, int, int, Value]]
    count: int
    schema: Value


@dataclass
class Outcome:
    """What a reading returns: rows, how it ended, and the ranges passed over with their errors."""

    rows: list[Value] = field(default_factory=list)
    end: Any = "clean"
    ranges: list[list] = field(default_factory=list)


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
        reader = Reader(self.data, Options.of(options), stream=bool(options))
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
    if data[:10] != BEGINNING[: len(data)]:
        raise Fault("invalid_ext", 0)
    if len(data) < 10:
        raise Fault("eof", len(data))
    cursor = Cursor(data, 10)
    if not is_map(cursor.peek()):
        raise Fault("invalid_ext", 10)
    try:
        cursor.value(max_buffer=max_block)
    except Fault as fault:
        raise Fault(fault.kind, 10 if fault.kind == "length_limit" else fault.offset) from None
    header = Header(end=cursor.pos)
    cursor.pos = 10
    for _ in range(cursor.length(range(0x80, 0x90), range(0xDE, 0xE0)) or 0):
        at = cursor.pos
        key = cursor.value()
        value_at = cursor.pos
        value = cursor.value()
        name = key["str"] if isinstance(key, dict) and "str" in key else ""
        if name in ("sync", "codec", "structures", "dictionary", "meta", "key"):
            if not _set(header, name, value):
                raise Fault("invalid_ext", value_at)
        elif name.startswith("!"):
            raise Fault("invalid_ext", at)
    if not header.sync:
        raise Fault("invalid_ext", 10)
    return header


def _set(header: Header, name: str, value: Value) -> bool:
    """Whether the value of a known key has its type."""
    if not isinstance(value, dict):
        return False
    if name == "codec" and "str" in value:
        header.codec = value["str"]
    elif name in ("sync", "dictionary") and "bin" in value:
        setattr(header, name, bytes.fromhex(value["bin"]))
        return name == "dictionary" or len(header.sync) == 16
    elif name == "meta" and "map" in value:
        header.meta = value
    elif name == "key" and (paths := _texts(value)) is not None:
        header.key = paths
    elif name == "structures" and "array" in value and len(value["array"]) <= MOST_STRUCTURES:
        lists = [_texts(keys) for keys in value["array"]]
        header.structures = [keys for keys in lists if keys is not None]
        return None not in lists
    else:
        return False
    return True


def _texts(value: Value) -> list[str] | None:
    """An array of str."""
    if not isinstance(value, dict) or "array" not in value:
        return None
    if not all(isinstance(element, dict) and "str" in element for element in value["array"]):
        return None
    return [element["str"] for element in value["array"]]


class ContainerFile:
    """A file that was opened; what each way of reading returns is an ``Outcome``."""

    def __init__(self, data: bytes, *, max_block: int = 64 << 20, codecs: Iterable[str] = CODECS) -> None:
        self.data, self.max_block, self.codecs = data, max_block, codecs
        self.header = read_header(data, max_block)
        self.index = self._find_index()

    # Blocks (section 2).

    def block(
        self, mark: int, end: int | None = None, *, search: bool = False, listed: int | None = None
    ) -> Block:
        """The block whose mark is at ``mark``, checked up to its crc, in a file that ends at ``end``.

        A ``search`` does not mind an unknown codec. ``listed`` is the count of an entry of the index.
        """
        data = self.data if end is None else self.data[:end]
        cursor = Cursor(data, mark + 18)
        at = cursor.pos
        wrong = Fault("invalid_ext", at)
        elements = cursor.array()
        if elements is None or elements < 6:
            raise wrong

        def must(holds: bool) -> None:
            if not holds:
                raise wrong

        kind = cursor.uint()
        must(kind is not None and kind <= 3 and elements >= (6 if kind < 2 else 7))
        count = cursor.uint()
        must(count is not None)
        raw = cursor.uint()
        must(raw is not None)
        crc = cursor.uint()
        must(crc is not None and crc < 2**32)
        codec = self._codec(cursor, must)
        if kind > 1:
            length = cursor.bin()
            must(length is not None and length <= 7)
            must(not any(cursor.take(length)))
        size = cursor.bin()
        must(size is not None)
        if raw > self.max_block or size > self.max_block:
            raise Fault("length_limit", at)
        must(search or codec in self.codecs)
        begins = cursor.pos
        packed = cursor.take(size)
        for _ in range(elements - (6 if kind < 2 else 7)):
            cursor.value()
        if listed is not None and (count, cursor.pos) != (listed, end):
            raise Fault("eof", len(data))
        must(crc32c(packed) == crc)
        return Block(kind & 1, count, raw, crc, codec, mark, at, begins, begins + size, cursor.pos)

    def _codec(self, cursor: Cursor, must: Any) -> str:
        if cursor.peek() == 0xC0:
            cursor.pos += 1
            return self.header.codec
        at = cursor.pos
        length = cursor.str()
        must(length is not None and length <= 64)
        cursor.take(length)
        cursor.pos = at
        return cursor.value()["str"]

    def rows(self, block: Block) -> list[Value]:
        """The rows or messages of a block, by the last checks of section 2.1."""
        packed = self.data[block.begins : block.ends]
        try:
            body = unpack(block.codec, packed, block.raw, self.header.dictionary)
        except DamagedError:
            raise Fault("invalid_ext", block.array) from None
        options = Options(
            records=True, sequential=True, columns=True, shared_structures=self.header.structures
        )
        reader = Reader(body, options)
        try:
            if block.kind == 1:
                value = reader.one(body)
                rows = value["array"] if isinstance(value, dict) and "array" in value else None
            else:
                rows = []
                while reader.pos < len(body):
                    rows.append(reader.message())
        except Fault as fault:
            raise BodyFault(fault.kind, block.array, fault.offset) from None
        if rows is None or len(rows) != block.count:
            raise Fault("invalid_ext", block.array)
        return rows

    # Reading from front to back (sections 2.2, 5 and 6).

    def after_mark(self, mark: int, *, search: bool = False) -> Block | int:
        """The block after a mark, or where the index-array after it ends."""
        cursor = Cursor(self.data, mark + 18)
        at = cursor.pos
        if not is_array(cursor.peek()):
            raise Fault("invalid_ext", at)
        elements = cursor.array()
        if elements and is_str(cursor.peek()):
            cursor.pos = at
            cursor.value()
            return cursor.pos
        return self.block(mark, search=search)

    def search(self, start: int) -> int | None:
        """The first mark from ``start`` on that counts, or that of a block that the end of the file cuts."""
        cut = None
        at = start - 1
        while (at := self.data.find(self.header.mark, at + 1)) >= 0:
            try:
                self.after_mark(at, search=True)
                return at
            except Fault as fault:
                is_block = not self._is_index(at)
                if fault.kind == "eof" and fault.offset == len(self.data) and is_block and cut is None:
                    cut = at
        return cut

    def _is_index(self, mark: int) -> bool:
        cursor = Cursor(self.data, mark + 18)
        try:
            return bool(cursor.array()) and is_str(cursor.peek())
        except Fault:
            return False

    def sequential(
        self, split: tuple[int, int] | None = None, *, skip: bool = False, where: list | None = None
    ) -> Outcome:
        """Reads without the index."""
        outcome = Outcome()
        first, last = split or (0, len(self.data) + 1)
        pos: int | None = self.header.end
        found = False
        if first > self.header.end:
            pos, found = self.search(first), True
        while pos is not None and pos < len(self.data):
            at = pos
            try:
                if self.data.startswith(self.header.mark, pos):
                    if pos >= last:
                        if not found:
                            self.after_mark(pos, search=True)
                        break
                    after = self.after_mark(pos)
                    if isinstance(after, Block):
                        rows = self.rows(after)
                        outcome.rows += [row for row in rows if container_stats.matches(row, where or [])]
                        after = after.end
                    pos = after
                elif self.data.startswith(TRAILER, pos) and len(self.data) - pos >= 10:
                    pos += 10
                else:
                    raise self._no_mark(pos)
                found = False
            except Fault as fault:
                if not skip:
                    outcome.end = fault.described()
                    break
                pos, found = self.search(at + 1), True
                reached = len(self.data) if pos is None else pos
                outcome.ranges.append([at, reached, fault.described()])
        return outcome

    def marks(self) -> list[int]:
        """The marks of all blocks of a file without a fault."""
        found, pos = [], self.header.end
        while pos < len(self.data):
            if self.data.startswith(TRAILER, pos):
                pos += 10
                continue
            after = self.after_mark(pos)
            if isinstance(after, Block):
                found.append(pos)
                after = after.end
            pos = after
        return found

    def _no_mark(self, pos: int) -> Fault:
        rest = self.data[pos:]
        begun = self.header.mark.startswith(rest) or (len(rest) < 10 and rest[:2] == TRAILER[: len(rest)])
        return Fault("eof", len(self.data)) if begun else Fault("invalid_ext", pos)

    # Reading by the index (section 3).

    def _find_index(self) -> Index | None:
        tail = self.data[-10:]
        if len(self.data) < self.header.end + 10 or tail[:2] != TRAILER:
            return None
        mark, end = int.from_bytes(tail[2:], "big"), len(self.data) - 10
        if not self.header.end <= mark <= end - 18 or not self.data.startswith(self.header.mark, mark):
            return None
        if end - mark - 18 > self.max_block:
            return None
        cursor = Cursor(self.data[:end], mark + 18)
        try:
            value = cursor.value()
        except Fault:
            return None
        return self._index(mark, value) if cursor.pos == end else None

    def _index(self, mark: int, value: Value) -> Index | None:
        parts = value.get("array", []) if isinstance(value, dict) else []
        if len(parts) < 4 or parts[:2] != [{"str": "index"}, {"int": "1"}]:
            return None
        entries, totals = ({} if not isinstance(part, dict) else part for part in parts[2:4])
        if "array" not in entries or "map" not in totals:
            return None
        blocks, before = [], self.header.end
        for entry in entries["array"]:
            fields = entry.get("array", []) if isinstance(entry, dict) else []
            if len(fields) < 4:
                return None
            *numbers, stats = fields[:4]
            uints = [_uint(number) for number in numbers]
            if None in uints or not (stats is None or isinstance(stats, dict) and "map" in stats):
                return None
            offset, size, count = uints
            if offset < before or size < LEAST_BLOCK or offset + size > mark:
                return None
            before = offset + size
            blocks.append((offset, size, count, stats))
        named = {key["str"]: entry for key, entry in totals["map"] if isinstance(key, dict) and "str" in key}
        total = _uint(named.get("count"))
        if total is None or total != sum(block[2] for block in blocks) or total >= MOST_ROWS:
            return None
        return Index(mark, blocks, total, _schema(named.get("schema")))

    def indexed(
        self,
        split: tuple[int, int] | None = None,
        *,
        skip: bool = False,
        where: list | None = None,
        prune: list | None = None,
    ) -> Outcome:
        """Reads the blocks that the index names, which must be there."""
        outcome = Outcome()
        first, last = split or (0, len(self.data))
        for offset, size, count, stats in self.index.blocks:
            conditions = [*(where or []), *(prune or [])]
            if not first <= offset < last or container_stats.skips(stats, count, conditions):
                continue
            try:
                rows = self.rows(self._entry(offset, size, count))
            except Fault as fault:
                if not skip:
                    outcome.end = fault.described()
                    break
                outcome.ranges.append([offset, offset + size, fault.described()])
                continue
            outcome.rows += [row for row in rows if container_stats.matches(row, where or [])]
        return outcome

    def _entry(self, offset: int, size: int, count: int) -> Block:
        end = offset + size
        wrong = Fault("invalid_ext", self.index.mark)
        if not self.data.startswith(self.header.mark, offset):
            raise wrong
        if not is_array(self.data[offset + 18]) or self._is_index(offset):
            raise wrong
        try:
            return self.block(offset, end, listed=count)
        except Fault as fault:
            # The end of what the entry says is not the end of the file.
            raise wrong if fault.kind == "eof" else fault from None

    def splits(self, number: int) -> Iterator[tuple[int, int]]:
        """Ranges of about the same size that have all blocks, each once."""
        size = len(self.data)
        cuts = [size * i // number for i in range(number + 1)]
        if self.index is not None:
            marks = [block[0] for block in self.index.blocks]
            inner = [next((mark for mark in marks if mark >= cut), size) for cut in cuts[1:-1]]
            cuts = [0, *inner, size]
        for first, last in zip(cuts, cuts[1:], strict=False):
            if self.index is None and first < last or self._has_block(first, last):
                yield first, last

    def _has_block(self, first: int, last: int) -> bool:
        return self.index is not None and any(first <= block[0] < last for block in self.index.blocks)


def _uint(value: Value) -> int | None:
    if not isinstance(value, dict) or "int" not in value or int(value["int"]) < 0:
        return None
    return int(value["int"])


def _schema(value: Value) -> Value:
    """The schema, or ``None`` for one of another form."""
    if not isinstance(value, dict) or "map" not in value:
        return None
    for key, entry in value["map"]:
        fields = entry.get("array", []) if isinstance(entry, dict) else []
        names = _texts(fields[0]) if fields else None
        if not isinstance(key, dict) or "str" not in key or len(fields) < 2 or names is None:
            return None
        if not isinstance(fields[1], bool) or not set(names) <= set(container_stats.NAMES):
            return None
    return value
