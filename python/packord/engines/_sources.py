"""One or several container files as one table, for the engines that read them."""

from __future__ import annotations

import datetime
import mmap
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Union

from packord import Timestamp
from packord.container import Batch, Batches, Reader

_EPOCH = datetime.datetime(1970, 1, 1, tzinfo=datetime.timezone.utc)
_MICROSECOND = datetime.timedelta(microseconds=1)
_PER_SECOND = {"s": 1, "ms": 10**3, "us": 10**6, "ns": 10**9}
Source = Union[str, os.PathLike[str], bytes, bytearray, memoryview, mmap.mmap, Any]


def readers_of(
    source: Source | Sequence[Source], options: dict[str, Any], threads: int
) -> list[Reader[Any]]:
    """A reader of each source; a list or a tuple has several. ``threads``: if the options do not
    say how many."""
    sources: Sequence[Any] = source if isinstance(source, list | tuple) else [source]
    if not sources:
        raise ValueError("there is no source")
    if options.get("threads") is None:
        options["threads"] = threads
    return [Reader(each, **options) for each in sources]


def schema_of(readers: Sequence[Reader[Any]]) -> Any:
    """The types of all columns: ``schema`` for ``arrow_batches``, ``None`` for what a reader finds
    itself."""
    first, *others = readers
    if not others:
        return None
    first._join(others)
    return first


def batches_passing(
    reader: Reader[Any],
    columns: list[str],
    schema: Any,
    blocks: list[int] | None,
    named: Collection[str],
    passing: Callable[[Batch], Any],
) -> Batches:
    """The rows of some blocks that may pass a filter about the columns ``named``. ``passing`` says
    of a batch with these which rows do: a table of one column."""
    named = dict.fromkeys(named)
    # To ask takes as long as to make a column of numbers.
    if not named or len(columns) < len(named) + 2:
        return reader.arrow_batches(columns, schema, blocks=blocks)
    return reader._chosen_batches(columns, schema, blocks, list(named), passing)


def unused_name(names: Iterable[str]) -> str:
    """A name that none of the columns has.

    >>> unused_name(["a", "_"])
    '__'
    """
    taken = set(names)
    name = "_"
    while name in taken:
        name += "_"
    return name


def ticks(bound: Any, unit: str) -> int | None:
    """A point in time of statistics as a column of a unit has it, by the rules of
    ``Reader.arrow_batches``; ``None`` for another value."""
    if isinstance(bound, Timestamp):
        return bound.to_unix_nano() // (10**9 // _PER_SECOND[unit])
    if isinstance(bound, datetime.datetime):
        return (bound - _EPOCH) // _MICROSECOND * 1000 // (10**9 // _PER_SECOND[unit])
    return None
