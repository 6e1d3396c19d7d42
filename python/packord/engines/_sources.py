"""One or several container files as one table, for the engines that read them."""

from __future__ import annotations

import mmap
import os
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Union

from packord.container import Batch, Batches, Reader

Source = Union[str, "os.PathLike[str]", bytes, bytearray, memoryview, mmap.mmap, Any]
Schema = dict[str, tuple[tuple[str, ...], bool]]


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
    if len(readers) == 1:
        return None
    schemas = [reader.schema for reader in readers]
    if None in schemas:
        raise ValueError("a file has no schema in its index: give a schema for several files")
    return merged(schema for schema in schemas if schema is not None)


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


def merged(schemas: Iterable[Schema]) -> Schema:
    """The schema of several tables one after another.

    >>> merged([{"a": (("int",), False)}, {"a": (("str",), False), "b": (("map",), True)}])
    {'a': (('int', 'str'), True), 'b': (('map',), True)}
    """
    whole: Schema = {}
    for schema in schemas:
        for path, (types, _) in schema.items():
            known = whole.get(path, ((), True))[0]
            whole[path] = (known + tuple(name for name in types if name not in known), True)
    return whole
