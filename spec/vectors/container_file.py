"""A slow, plain reader of container files, for checking the vectors.

It is written from ``spec/container.md`` alone, one check after another, and keeps the whole file in
memory. What it reads is a list of rows, how the reading ended, and the ranges that it passed over.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from . import container_stats
from .columnar import MalformedError
from .container_codecs import CODECS, DamagedError, crc32c, unpack
from .container_columns import Body, keys_of, project, table
from .container_header import MARK, Cursor, is_array, is_str, read_header, texts
from .options import Fault, Options
from .reference import Reader

Value = Any

TRAILER = b"\xc7\x0c\x5d"
TRAILER_SIZE = 15
LEAST_BLOCK = 25  # bytes of the smallest mark and block-array
MOST_CHUNKS = 4096
MOST_ROWS = 2**53


class BodyFault(Fault):
    """A fault of the block-array at ``offset`` whose chunks are right, at ``inside`` of its body."""

    def __init__(self, kind: str, offset: int, inside: int | None = None) -> None:
        super().__init__(kind, offset)
        self.inside = inside

    def described(self) -> dict:
        found = super().described()
        return found if self.inside is None else {**found, "inside": self.inside}


@dataclass
class Chunk:
    """An entry of a chunk list: bytes unpacked, where its bytes are in the file, and their checksum."""

    size: int
    begins: int
    ends: int
    crc: int


@dataclass
class Block:
    """The header of a block. The numbers from ``mark`` on are offsets in the file."""

    kind: int
    count: int
    codec: str
    chunks: list[Chunk]
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
        """The block at a mark, by checks 1 to 6 of section 2.1, in a file that ends at ``end``.

        A ``search`` does not mind an unknown codec. ``listed`` is the count of an entry of the index.
        """
        data = self.data if end is None else self.data[:end]
        cursor = Cursor(data, mark + 18)
        at = cursor.pos

        def must(holds: bool) -> None:
            if not holds:
                raise Fault("invalid_container", at)

        elements = cursor.array()
        must(elements is not None and elements >= 5)
        kind = cursor.uint()
        must(kind is not None and kind <= 1)
        count = cursor.uint()
        must(count is not None)
        codec = self._codec(cursor, must)
        sizes = self._chunks(cursor, must)
        size = cursor.bin()
        must(size is not None)
        packed = sum(chunk[1] for chunk in sizes)
        if max(size, packed, sum(chunk[0] for chunk in sizes)) > self.max_block:
            raise Fault("length_limit", at)
        must(packed == size)
        must(search or codec in self.codecs)
        begins = cursor.pos
        cursor.take(size)
        for _ in range(elements - 5):
            must(not data.startswith(MARK, cursor.pos))
            cursor.value()
        if listed is not None and (count, cursor.pos) != (listed, end):
            raise Fault("eof", len(data))
        chunks, place = [], begins
        for unpacked, stored, crc in sizes:
            chunks.append(Chunk(unpacked, place, place + stored, crc))
            place += stored
        return Block(kind, count, codec, chunks, mark, at, begins, place, cursor.pos)

    def _chunks(self, cursor: Cursor, must: Any) -> list[tuple[int, int, int]]:
        """The chunk list."""
        length = cursor.array()
        must(length is not None and length % 3 == 0 and length <= 3 * MOST_CHUNKS)
        found = []
        for _ in range(length // 3):
            numbers = []
            for most in (2**64, 2**64, 2**32):
                number = cursor.uint()
                must(number is not None and number < most)
                numbers.append(number)
            found.append(tuple(numbers))
        return found

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

    def check(self, block: Block, chunks: Iterable[Chunk] | None = None) -> None:
        """Check 7, of all chunks or some."""
        for chunk in block.chunks if chunks is None else chunks:
            if crc32c(self.data[chunk.begins : chunk.ends]) != chunk.crc:
                raise Fault("invalid_container", block.array)

    def unpacked(self, block: Block, chunk: Chunk) -> bytes:
        """Check 8 of a chunk."""
        try:
            return unpack(block.codec, self.data[chunk.begins : chunk.ends], chunk.size)
        except DamagedError:
            raise BodyFault("invalid_container", block.array) from None

    def read(self, block: Block, chunks: list[Chunk]) -> list[bytes]:
        """Checks 7 and 8 of some chunks."""
        self.check(block, chunks)
        return [self.unpacked(block, chunk) for chunk in chunks]

    def rows(self, block: Block, where: list | None = None, select: list[str] | None = None) -> list[Value]:
        """The rows or messages of a block that match, by checks 7 to 10."""
        where = where or []
        if select is not None and block.kind == 1:
            found = self._by_column(block, where, select)
            if found is not None:
                return found
        rows = [row for row in self._whole(block) if container_stats.matches(row, where)]
        return rows if select is None else [project(row, select) for row in rows]

    def _whole(self, block: Block) -> list[Value]:
        body = b"".join(self.read(block, block.chunks))
        reader = Reader(body, Options(columns=True))
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
            raise BodyFault("invalid_container", block.array)
        return rows

    def _by_column(self, block: Block, where: list, select: list[str]) -> list[Value] | None:
        """The rows by section 8, or ``None`` if the body is not a table."""

        def read(numbers: list[int]) -> list[bytes]:
            return self.read(block, [block.chunks[number] for number in numbers])

        body = Body([chunk.size for chunk in block.chunks], read)
        try:
            found = table(body, Options(columns=True))
            if found is None:
                return None
            if found.count != block.count:
                raise BodyFault("invalid_container", block.array)
            rows = found.rows(keys_of(where, found.keys)) if where else [None] * block.count
            places = [place for place, row in enumerate(rows) if container_stats.matches(row, where)]
            rows = found.rows(select) if places else []
        except MalformedError:
            raise BodyFault("invalid_ext", block.array, 0) from None
        return [rows[place] for place in places]

    # Reading from front to back (sections 2.2, 5 and 6).

    def after_mark(self, mark: int, *, search: bool = False) -> Block | int:
        """The block after a mark, or where the index-array after it ends."""
        cursor = Cursor(self.data, mark + 18)
        at = cursor.pos
        if not is_array(cursor.peek()):
            raise Fault("invalid_container", at)
        elements = cursor.array()
        if elements and is_str(cursor.peek()):
            for number in range(elements):
                if number >= 4 and self.data.startswith(MARK, cursor.pos):
                    raise Fault("invalid_container", at)
                cursor.value(max_depth=1023)
            return cursor.pos
        block = self.block(mark, search=search)
        if search:
            self.check(block)
        return block

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
        self,
        split: tuple[int, int] | None = None,
        *,
        skip: bool = False,
        where: list | None = None,
        select: list[str] | None = None,
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
                        outcome.rows += self.rows(after, where, select)
                    pos = after.end if isinstance(after, Block) else after
                elif self.data.startswith(TRAILER, pos) and len(self.data) - pos >= TRAILER_SIZE:
                    pos += TRAILER_SIZE
                else:
                    raise self._no_mark(pos)
                found = False
            except Fault as fault:
                if not skip:
                    outcome.end = fault.described()
                    break
                if isinstance(fault, BodyFault):
                    pos, found = after.end, False
                else:
                    pos, found = self.search(at + 1), True
                reached = len(self.data) if pos is None else pos
                outcome.ranges.append([at, reached, fault.described()])
        return outcome

    def marks(self) -> list[int]:
        """The marks of all blocks of a file without a fault."""
        found, pos = [], self.header.end
        while pos < len(self.data):
            if self.data.startswith(TRAILER, pos):
                pos += TRAILER_SIZE
                continue
            after = self.after_mark(pos)
            if isinstance(after, Block):
                found.append(pos)
                after = after.end
            pos = after
        return found

    def _no_mark(self, pos: int) -> Fault:
        rest = self.data[pos:]
        begun = self.header.mark.startswith(rest) or (
            len(rest) < TRAILER_SIZE and rest[:3] == TRAILER[: len(rest)]
        )
        return Fault("eof", len(self.data)) if begun else Fault("invalid_container", pos)

    # Reading by the index (section 3).

    def _find_index(self) -> Index | None:
        end = len(self.data) - TRAILER_SIZE
        if end < self.header.end or not self.data.startswith(TRAILER, end):
            return None
        mark = int.from_bytes(self.data[end + 3 : end + 11], "big")
        if not self.header.end <= mark <= end - 18 or not self.data.startswith(self.header.mark, mark):
            return None
        if end - mark - 18 > self.max_block:
            return None
        if int.from_bytes(self.data[end + 11 :], "big") != crc32c(self.data[mark : end + 11]):
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
        select: list[str] | None = None,
    ) -> Outcome:
        """Reads the blocks that the index names, which must be there."""
        outcome = Outcome()
        first, last = split or (0, len(self.data))
        for offset, size, count, stats in self.index.blocks:
            conditions = [*(where or []), *(prune or [])]
            if not first <= offset < last or container_stats.skips(stats, count, conditions):
                continue
            try:
                outcome.rows += self.rows(self._entry(offset, size, count), where, select)
            except Fault as fault:
                if not skip:
                    outcome.end = fault.described()
                    break
                outcome.ranges.append([offset, offset + size, fault.described()])
        return outcome

    def _entry(self, offset: int, size: int, count: int) -> Block:
        end = offset + size
        wrong = Fault("invalid_container", self.index.mark)
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
        names = texts(fields[0]) if fields else None
        if not isinstance(key, dict) or "str" not in key or len(fields) < 2 or names is None:
            return None
        if not isinstance(fields[1], bool) or not set(names) <= set(container_stats.NAMES):
            return None
    return value
