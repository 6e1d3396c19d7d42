"""What Spark, Dask and Ray share: the files of a path, their columns, and their parts for tasks.

A part is a list of spans, and a span a range of one file as in section 5 of the specification of
container files: it has the blocks whose mark begins in it.
"""

from __future__ import annotations

import glob
import itertools
import mmap
import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import pyarrow

from packord import MsgpackDecodeError
from packord.container import Reader

SUFFIX = ".pkd"
# Bytes of container files for one task, if nothing else is said: about 100 MB of JSON.
PART_SIZE = 8 << 20
# Smaller tables are as many tasks, so that several cores have work, but none has less than this.
_FEW_PARTS = 8
_SMALLEST_PART = 1 << 20
# Bytes of a file without an index whose rows show its types.
SAMPLE_SIZE = 16 << 20

Paths = str | os.PathLike[str] | Sequence[str | os.PathLike[str]]


@dataclass(frozen=True)
class Span:
    """A range of a file, in bytes."""

    path: str
    begin: int
    end: int
    # What is after this number of bytes does not count, if it is given: it was not whole.
    size: int | None = None

    def source(self) -> Any:
        """What ``Reader`` reads: the file, or its first bytes."""
        if self.size is None:
            return self.path
        with open(self.path, "rb") as file:
            return mmap.mmap(file.fileno(), self.size, access=mmap.ACCESS_READ)


def container_files(paths: Paths) -> list[str]:
    """The container files of a path, or of several, in their order and without repetitions.

    A folder stands for the files in it that end with ``.pkd``, by name, without those whose names
    begin with ``_`` or ``.``, which are still being written. ``*``, ``?`` and ``[`` stand for
    characters as in a shell, unless there is a file of exactly this name. ``file:`` before a path
    is left out. Raises ``FileNotFoundError`` for what does not exist, and ``ValueError`` for an
    address of another kind.
    """
    several = [paths] if isinstance(paths, (str, os.PathLike)) else paths
    found: dict[str, None] = {}
    for path in several:
        found.update(dict.fromkeys(_expanded(local_path(path))))
    return list(found)


def local_path(path: str | os.PathLike[str]) -> str:
    """A path without ``file:``; ``ValueError`` for an address of another kind."""
    name = os.fspath(path)
    scheme, colon, rest = name.partition(":")
    if colon and scheme == "file":
        return "/" + rest.lstrip("/")
    if colon and rest.startswith("//"):
        raise ValueError(f"container files are read from folders of the system, not from {name}")
    return name


def _expanded(path: str) -> list[str]:
    if os.path.isdir(path):
        names = sorted(name for name in os.listdir(path) if is_container_name(name))
        return [os.path.join(path, name) for name in names]
    if os.path.exists(path):
        return [path]
    if not glob.has_magic(path):
        raise FileNotFoundError(f"no such file or folder: {path}")
    return [each for name in sorted(glob.glob(path, recursive=True)) for each in _expanded(name)]


def is_container_name(name: str) -> bool:
    """Whether a file of this name in a folder is one of its container files."""
    return name.endswith(SUFFIX) and not name.startswith(("_", "."))


def table_schema(files: Iterable[str]) -> pyarrow.Schema:
    """The columns of all files, with types that hold the values of each.

    They are those of the indexes. Of a file without one, the rows in its first 16 MiB are read.
    Raises ``ValueError`` if there is no file.
    """
    # One after another: there may be more than a process can have open.
    readers = map(_sample, files)
    first = next(readers, None)
    if first is None:
        raise ValueError("there is no container file")
    first._join(readers)
    return pyarrow.schema(first)


def _sample(file: str) -> Reader[Any]:
    reader = Reader(file)
    size = min(SAMPLE_SIZE, os.path.getsize(file))
    if reader.schema is not None or size == 0:
        return reader
    # The last block may be cut.
    return Reader(Span(file, 0, size, size).source(), on_bad_block="skip")


def whole_end(path: str, begin: int, room: int | None, *, skips: bool) -> int:
    """Where the last whole block of a file that may be growing ends, of those that begin at
    ``begin`` or later, or the file itself if it ends with an index.

    ``begin`` is 0 or an earlier result, and is returned if there is no whole block after it. With
    ``room``, blocks that would make more than this number of bytes are left for later, but not the
    first one. At a fault, the error of ``Reader`` is raised, or the next block is looked for.
    """
    size = os.path.getsize(path)
    if size <= begin:
        return begin
    try:
        reader = Reader(path, on_bad_block="skip" if skips else "error", follow=True)
        blocks = Reader(path).blocks
    except MsgpackDecodeError as error:
        if error.kind == "eof":
            # Of the header, too little is there.
            return begin
        raise
    if blocks is None:
        return reader._whole_end(begin, room)
    ends = [block.offset + block.size for block in blocks if block.offset >= begin]
    limit = max(begin, blocks[0].offset if blocks else 0) + (size if room is None else room)
    within = [end for end in ends if end <= limit] or ends[:1]
    return size if within == ends else within[-1]


def whole_files(files: Sequence[str]) -> list[Span]:
    return [Span(file, 0, os.path.getsize(file)) for file in files]


def asked_table(
    paths: Paths, columns: Sequence[str] | None, schema: pyarrow.Schema | None
) -> tuple[list[Span], pyarrow.Schema]:
    """The container files of paths, and their columns, or those that are named; ``schema``: their
    types, if they are not those of the files."""
    files = container_files(paths)
    known = schema or table_schema(files)
    names = known.names if columns is None else columns
    return whole_files(files), pyarrow.schema([known.field(name) for name in names])


def parts_of(
    spans: Sequence[Span], count: int | None = None, size: int | None = None
) -> list[list[Span]]:
    """The spans as parts of about ``size`` bytes each, or as about ``count`` parts. By default they
    are 8 parts of 1 to 8 MiB, or more of 8 MiB.

    Larger spans are split, whole files at the boundaries of blocks if they have an index. Smaller
    ones share a part. Every block is in exactly one part, and the parts keep the order.
    """
    total = sum(span.end - span.begin for span in spans)
    if count is not None:
        size = max(1, -(-total // max(1, count)))
    elif size is None:
        size = min(PART_SIZE, max(_SMALLEST_PART, -(-total // _FEW_PARTS)))
    parts: list[list[Span]] = []
    gathered: list[Span] = []
    room = size
    for span in spans:
        length = span.end - span.begin
        if length > room and gathered:
            parts.append(gathered)
            gathered, room = [], size
        if length > size:
            parts += [[piece] for piece in _pieces(span, -(-length // size))]
            continue
        gathered.append(span)
        room -= length
    return [*parts, gathered] if gathered else parts


def _pieces(span: Span, count: int) -> list[Span]:
    reader = Reader(span.source())
    if span.begin == 0 and reader.blocks is not None:
        return [Span(span.path, *split, span.size) for split in reader.splits(count)]
    length = span.end - span.begin
    edges = [span.begin + length * number // count for number in range(count + 1)]
    return [Span(span.path, *edge, span.size) for edge in itertools.pairwise(edges)]


def batches_of(part: Sequence[Span], schema: pyarrow.Schema, **options: Any) -> Iterator[Any]:
    """The rows of a part as batches of pyarrow that have exactly the schema.

    ``options`` are those of ``Reader``.
    """
    for span in part:
        reader = Reader(span.source(), split=(span.begin, span.end), **options)
        try:
            for batch in reader.arrow_batches(schema=schema):
                yield pyarrow.record_batch(batch)
        except MsgpackDecodeError as error:
            if span.size is not None:
                error.args = (f"{error}, in {span.path}",)
            raise
