"""Builders of container files, byte by byte, and the topic that collects cases about them."""

from __future__ import annotations

from typing import Any

from ..container_codecs import crc32c
from ..container_file import TRAILER
from ..container_header import BEGINNING
from ..writer import encode, encode_int
from .build import Pieces, Topic, Value, array, bin_header, integer, join, mapping, repeat, text_bytes

KIND = "container"
SYNC = bytes(range(16))
MARK = b"\xd8\x5d" + SYNC
NIL = b"\xc0"


def blob(content: bytes) -> bytes:
    """A bin with its minimal header."""
    return bin_header(len(content)) + content


def texts(*words: str) -> bytes:
    return array(*map(text_bytes, words))


def options(**entries: bytes) -> bytes:
    """The map of options, with values as they are packed."""
    return mapping(*(part for name, value in entries.items() for part in (text_bytes(name), value)))


def header_of(content: bytes) -> bytes:
    """A header with any map of options, and its checksum."""
    return BEGINNING + content + encode_int(crc32c(BEGINNING + content))


def header(codec: str | None = "none", **more: bytes) -> bytes:
    """The header as a writer makes it."""
    named = {} if codec is None else {"codec": text_bytes(codec)}
    return header_of(options(sync=blob(SYNC), **named, **more))


def chunk_list(*chunks: tuple[int, bytes]) -> bytes:
    """The sizes and the checksum of chunks: bytes unpacked, and what is in data."""
    parts = [number for size, data in chunks for number in (size, len(data), crc32c(data))]
    return array(*map(encode_int, parts))


def block_array(
    body: bytes,
    count: int,
    *,
    kind: int = 1,
    codec: str | None = None,
    data: bytes | None = None,
    raw: int | None = None,
    crc: int | None = None,
    chunks: list[tuple[int, bytes]] | None = None,
    more: tuple[bytes, ...] = (),
) -> bytes:
    """A block-array; what is not given is as it should be. ``raw`` and ``crc`` are of a body in one chunk."""
    data = body if data is None else data
    if chunks is None:
        sizes = (len(body) if raw is None else raw, len(data), crc32c(data) if crc is None else crc)
        listed = array(*map(encode_int, sizes)) if body or data else array()
    else:
        listed, data = chunk_list(*chunks), b"".join(content for _, content in chunks)
    name = NIL if codec is None else text_bytes(codec)
    return array(encode_int(kind), encode_int(count), name, listed, blob(data), *more)


def cut(body: bytes, *places: int) -> list[tuple[int, bytes]]:
    """The chunks of a body that is cut at the places, all of them stored."""
    ends = [*places, len(body)]
    return [(end - begin, body[begin:end]) for begin, end in zip([0, *places], ends, strict=True)]


def trailer(offset: int, before: bytes = b"") -> bytes:
    """A trailer that points to the offset; ``before`` is the file from there on."""
    start = TRAILER + offset.to_bytes(8, "big")
    return start + crc32c(before + start).to_bytes(4, "big")


def entry(offset: int, size: int, count: int, stats: bytes = NIL) -> bytes:
    return array(encode_int(offset), encode_int(size), encode_int(count), stats)


def totals(count: int, **more: bytes) -> bytes:
    return options(count=encode_int(count), **more)


def index_array(entries: list[bytes], total: bytes) -> bytes:
    return array(text_bytes("index"), b"\x01", array(*entries), total)


class File:
    """A file that grows. ``marks`` are the offsets of its blocks' marks."""

    def __init__(self, start: bytes | None = None, /, codec: str | None = "none", **more: bytes) -> None:
        self.out = header(codec, **more) if start is None else start
        self.entries: list[bytes] = []
        self.marks: list[int] = []
        self.count = 0

    @property
    def at(self) -> int:
        return len(self.out)

    def add(self, content: bytes) -> File:
        self.out += content
        return self

    def block(self, body: bytes, count: int, *, stats: bytes = NIL, **more: Any) -> File:
        """A block; ``more`` as in ``block_array``."""
        at, content = self.at, block_array(body, count, **more)
        self.marks.append(at)
        self.entries.append(entry(at, 18 + len(content), count, stats))
        self.count += count
        return self.add(MARK + content)

    def rows(self, *rows: bytes, **more: Any) -> File:
        return self.block(array(*rows), len(rows), **more)

    def numbers(self, *numbers: int, **more: Any) -> File:
        return self.rows(*map(encode_int, numbers), **more)

    def messages(self, *messages: bytes, **more: Any) -> File:
        return self.block(b"".join(messages), len(messages), **{"kind": 0, **more})

    def index(self, content: bytes | None = None, *, points_to: int | None = None) -> File:
        """The index of what is there, or other content, and the trailer, whose crc is right."""
        at = self.at
        if content is None:
            content = index_array(self.entries, totals(self.count))
        self.add(MARK + content)
        place = at if points_to is None else points_to
        return self.add(trailer(place, self.out[place:]))


LONGEST_PERIOD = 400
LEAST_SAVED = 60  # bytes that a repetition must leave out
LONGEST = 2000  # bytes that are not abbreviated


def abbreviated(data: bytes) -> Pieces:
    """The bytes, with what repeats itself written once; as they are if they are few."""
    parts: list = []
    at = begins = 0
    while len(data) > LONGEST and at < len(data):
        period, times = _repetition(data, at)
        if times:
            parts += [part for part in (data[begins:at], repeat(data[at : at + period], times)) if part]
            at = begins = at + period * times
        else:
            at += 1
    return join(*parts, *([data[begins:]] if begins < len(data) or not parts else []))


def _repetition(data: bytes, at: int) -> tuple[int, int]:
    """The period of a repetition that begins here, and how often it is there; 0 if it is short."""
    again = data.find(data[at : at + 8], at + 1, at + LONGEST_PERIOD)
    piece, end = data[at:again], again
    while piece and again > 0 and data.startswith(piece, end):
        end += len(piece)
    times = (end - at) // len(piece) if piece and again > 0 else 0
    return (len(piece), times) if (times - 1) * len(piece) >= LEAST_SAVED else (0, 0)


def numbers(*values: int) -> list[Value]:
    return list(map(integer, values))


def fault(kind: str, offset: int, inside: int | None = None) -> dict:
    found = {"kind": kind, "offset": offset}
    return found if inside is None else {**found, "inside": inside}


def read(**members: Any) -> dict:
    """One reading: its options, then ``take``, ``end`` and ``ranges`` where they are not the usual ones."""
    return members


class Files(Topic):
    """A topic about container files."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def file(
        self, name: str, file: File | Pieces, rows: list[Value] | None, *reads: dict, **members: Any
    ) -> None:
        """A file, and what readings of it return. Without ``reads`` all of it, in each way that there is."""
        pieces = file.out if isinstance(file, File) else file
        if rows is not None:
            members["rows"] = b"".join(map(encode, rows)).hex()
        self.add(name, pieces, **members, reads=list(reads))

    def unopened(self, name: str, pieces: Pieces, kind: str, offset: int, **members: Any) -> None:
        """The header is refused."""
        self.add(name, pieces, **members, error=fault(kind, offset))
