"""Bodies that are a table in columns: where a writer cuts them, and how some of their keys are read.

It is written from ``spec/container.md`` sections 7.1 and 8 alone.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from . import columnar
from .columnar import KeySections, MalformedError, Payload, sections_of_keys
from .options import Fault, Options
from .reference import Reader, header_size

Value = Any
Range = tuple[int, int]

LEAST_CHUNK = 8192


def cuts(body: bytes) -> list[Range]:
    """The chunks that a writer cuts a body into, none of them without bytes."""
    begins = [0]
    start = payload_start(body)
    for section in (start and sections_of_keys(body[start:])) or []:
        if start + section.begin - begins[-1] >= LEAST_CHUNK:
            begins.append(start + section.begin)
    ends = [*begins[1:], len(body)]
    return [(begin, end) for begin, end in zip(begins, ends, strict=True) if begin < end]


def payload_start(body: Any) -> int | None:
    """Where the payload begins in a body that is one ext of columns of this version."""
    if not len(body) or not (0xC7 <= body[0] <= 0xC9 or 0xD4 <= body[0] <= 0xD8):
        return None
    size = header_size(body[0])
    if len(body) <= size:
        return None
    length = int.from_bytes(body[1 : size - 1], "big") if body[0] < 0xD4 else 1 << body[0] - 0xD4
    is_columns = size + length == len(body) and body[size - 1] == columnar.TYPE and body[size] == 1
    return size if is_columns else None


class Body:
    """A body whose chunks are read when a byte of them is asked for.

    ``read`` takes the numbers of chunks, and returns what they stand for.
    """

    def __init__(self, sizes: list[int], read: Any) -> None:
        self.waiting, place = [], 0
        for number, size in enumerate(sizes):
            self.waiting.append((place, place + size, number))
            place += size
        self.content = bytearray(place)
        self.read = read
        self.start = 0

    def __len__(self) -> int:
        return len(self.content) - self.start

    def __getitem__(self, place: int | slice) -> Any:
        begin, end, _ = place.indices(len(self)) if isinstance(place, slice) else (place, place + 1, 1)
        self.fetch([(begin, end)])
        whole = self.content[self.start :]
        return bytes(whole[place]) if isinstance(place, slice) else whole[place]

    def fetch(self, ranges: list[Range]) -> None:
        """Reads all chunks that have a byte of the ranges."""
        ranges = [(begin + self.start, end + self.start) for begin, end in ranges]
        found = [
            chunk
            for chunk in self.waiting
            if any(max(begin, chunk[0]) < min(end, chunk[1]) for begin, end in ranges)
        ]
        self.waiting = [chunk for chunk in self.waiting if chunk not in found]
        parts = self.read([number for _, _, number in found])
        for (begin, end, _), part in zip(found, parts, strict=True):
            self.content[begin:end] = part

    def only(self, ranges: list[Range]) -> bytes:
        """What is there, with 00 outside the ranges."""
        out = bytearray(len(self))
        for begin, end in ranges:
            out[begin:end] = self[begin:end]
        return bytes(out)


class Table:
    """The rows of a body that is a table in columns, with some of their keys.

    A ``Fault`` is one of the chunks, a ``MalformedError`` one of the payload.
    """

    def __init__(self, body: Body, sections: list[KeySections]) -> None:
        self.body, self.sections = body, sections
        end = sections[0].begin if sections else len(body)
        self.head = (0, end)
        self.count = len(self.rows([]))

    def rows(self, keys: Iterable[str]) -> list[Value]:
        """All rows, with these keys only."""
        wanted = {key.encode() for key in keys}
        ranges = [self.head, *((part.begin, part.end) for part in self.sections if part.key in wanted)]
        self.body.fetch(ranges)
        opened = Payload(self.body.only(ranges))
        try:
            reader = Reader(b"", Options())
            return reader.inside(opened.expand(wanted), opened.depth)["array"]
        except Fault:
            raise MalformedError from None

    @property
    def keys(self) -> list[str]:
        return [section.key.decode() for section in self.sections]


def table(body: Body, options: Options) -> Table | None:
    """The table that a body is, or ``None`` for another body and one whose directory is at fault."""
    body.start = payload_start(body) or 0
    try:
        if not body.start:
            return None
        opened = Payload(body)
        if opened.plain_size > options.max_expansion * len(body) + 4096 or opened.depth > options.max_depth:
            return None
        sections = sections_of_keys(body)
    except MalformedError:
        return None
    return None if sections is None else Table(body, sections)


def keys_of(where: list, known: list[str]) -> list[str]:
    """The keys whose values the conditions are about, among those that a table has."""
    paths = [path for path, *_ in where]
    return known if "" in paths else [path.split(".")[0] for path in paths]


def project(row: Value, select: list[str]) -> Value:
    """The row with the selected keys only, if it is a map."""
    if not isinstance(row, dict) or "map" not in row:
        return row
    kept = [entry for entry in row["map"] if isinstance(entry[0], dict) and entry[0].get("str") in select]
    return {"map": kept}
