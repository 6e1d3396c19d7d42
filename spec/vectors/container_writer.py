"""A slow, plain writer of container files with codec ``none``, for making and checking the vectors.

It is written from ``spec/container.md`` section 7 alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from . import container_stats
from .columnar import header as count_header
from .columnar_writer import ColumnsWriter
from .container_codecs import crc32c
from .container_columns import cuts
from .container_file import TRAILER, ContainerFile
from .container_header import BEGINNING, MARK
from .options import Fault, Options
from .writer import Writer, encode_int

Value = Any

LARGEST = 64 << 20
PLAIN = Writer(Options())


@dataclass
class WriterOptions:
    """The options of section 7 that do not need a codec."""

    sync: str = "000102030405060708090a0b0c0d0e0f"
    codec: str = "none"
    block_size: int = 4 << 20
    block_rows: int = 65_536
    columns: bool = True
    messages: bool = False
    stats: list[str] | None = None
    meta: Value = None


@dataclass
class Listed:
    """The blocks of a file for its index, and what is known about its table."""

    entries: list[Value] = field(default_factory=list)
    count: int = 0
    schema: Value = None
    # Whether ``schema`` describes the rows of all earlier blocks.
    known: bool = True


class ContainerWriter:
    """Writes a file into memory. ``out`` is what was written."""

    def __init__(self, options: WriterOptions, existing: bytes = b"") -> None:
        self.options = options
        self.out = bytearray(existing)
        self.listed = Listed()
        if existing:
            self._open(existing)
        else:
            self.out += BEGINNING + PLAIN.message(_header(options))
            self.out += encode_int(crc32c(self.out))
        self.waiting: list[Value] = []
        self.sizes = 0
        self.paths = self.options.stats
        self.table: list[Value] = []
        self.mark = MARK + bytes.fromhex(self.options.sync)
        self.fresh = not existing or ContainerFile(existing).index is None

    def _open(self, existing: bytes) -> None:
        """Takes the header, and lists the blocks that are there."""
        file = ContainerFile(existing)
        outcome = file.sequential()
        if outcome.end != "clean":
            raise Fault(outcome.end["kind"], outcome.end["offset"])
        header = file.header
        self.options = replace(self.options, sync=header.sync.hex(), codec=header.codec, stats=header.stats)
        listed = self.listed
        if file.index is not None:
            listed.entries = [_entry(*block) for block in file.index.blocks]
            listed.count, listed.schema = file.index.count, file.index.schema
        else:
            for mark in file.marks():
                block = file.block(mark)
                listed.entries.append(_entry(mark, block.end - mark, block.count, None))
                listed.count += block.count
        listed.known = not listed.entries or listed.schema is not None

    def write(self, value: Value) -> None:
        """Adds a row or a message. After a ``Fault`` the writer is as before."""
        in_array = {"array": [value]}
        size = len(PLAIN.message(value if self.options.messages else in_array))
        if size > LARGEST:
            raise Fault("length_limit")
        size = len(PLAIN.message(value))
        if (
            self.waiting
            and self._body_size(len(self.waiting) + 1, self.sizes + size) > self.options.block_size
        ):
            self.flush()
        self.waiting.append(value)
        self.sizes += size
        if len(self.waiting) == self.options.block_rows:
            self.flush()

    def _body_size(self, count: int, sizes: int) -> int:
        return sizes if self.options.messages else sizes + len(count_header(0x90, count))

    def flush(self) -> None:
        """Ends the block, unless it is empty."""
        if not self.waiting:
            return
        rows, self.waiting, self.sizes = self.waiting, [], 0
        stats = None
        if not self.options.messages:
            self.table += rows
            stats = self._statistics(rows)
        body = self._body(rows)
        at = len(self.out)
        self.out += self.mark + self._block(len(rows), body)
        self.listed.entries.append(_entry(at, len(self.out) - at, len(rows), stats))
        self.listed.count += len(rows)
        self.fresh = True

    def _statistics(self, rows: list[Value]) -> Value:
        if self.paths is None:
            self.paths = container_stats.default_paths(rows[0])
        paths = dict.fromkeys(self.paths)
        entries = [[{"str": path}, container_stats.statistics(rows, path)] for path in paths]
        return {"map": entries} if entries else None

    def _body(self, rows: list[Value]) -> bytes:
        if self.options.messages:
            return b"".join(map(PLAIN.message, rows))
        return ColumnsWriter(Options(columns=self.options.columns)).message({"array": rows})

    def _block(self, count: int, body: bytes) -> bytes:
        chunks = []
        for begins, ends in [(0, len(body))] if self.options.messages else cuts(body):
            size = {"int": str(ends - begins)}
            chunks += [size, size, {"int": str(crc32c(body[begins:ends]))}]
        numbers = [{"int": str(0 if self.options.messages else 1)}, {"int": str(count)}]
        return PLAIN.message({"array": [*numbers, None, {"array": chunks}, {"bin": body.hex()}]})

    def finish(self) -> bytes:
        """Ends the file with an index and a trailer, unless there is nothing new since the last one."""
        self.flush()
        if not self.fresh:
            return bytes(self.out)
        totals = [[{"str": "count"}, {"int": str(self.listed.count)}]]
        schema = self._schema()
        if schema is not None:
            totals.append([{"str": "schema"}, schema])
        entries = {"array": self.listed.entries}
        value = {"array": [{"str": "index"}, {"int": "1"}, entries, {"map": totals}]}
        mark = len(self.out)
        self.out += self.mark + PLAIN.message(value) + TRAILER + mark.to_bytes(8, "big")
        self.out += crc32c(self.out[mark:]).to_bytes(4, "big")
        self.fresh = False
        return bytes(self.out)

    def _schema(self) -> Value:
        listed = self.listed
        if not self.table:
            return listed.schema
        found = container_stats.schema(self.table)
        if not listed.known or listed.schema is None:
            return found if listed.known else None
        return container_stats.put_together(listed.schema, found)


def _header(options: WriterOptions) -> Value:
    entries: list[list] = [["sync", {"bin": options.sync}], ["codec", {"str": options.codec}]]
    if options.meta is not None:
        entries.append(["meta", options.meta])
    if options.stats is not None:
        entries.append(["stats", {"array": [{"str": path} for path in options.stats]}])
    return {"map": [[{"str": name}, value] for name, value in entries]}


def _entry(offset: int, size: int, count: int, stats: Value) -> Value:
    return {"array": [*({"int": str(number)} for number in (offset, size, count)), stats]}
