"""Container files as lazy frames of polars.

>>> import os, tempfile
>>> import polars
>>> from packord.container import Writer
>>> path = os.path.join(tempfile.mkdtemp(), "events.pkd")
>>> with Writer(path, block_rows=100) as writer:
...     _ = writer.write_many({"id": id, "town": "Oslo"} for id in range(1000))
>>> events = scan_container(path)
>>> events.filter(polars.col("id") >= 998).select("id").collect()["id"].to_list()
[998, 999]
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import polars
from polars.io.plugins import register_io_source

from packord._options import BlockOptions, Unpack
from packord.container import Batch, Reader
from packord.engines._polars_blocks import needed_blocks
from packord.engines._sources import Source, batches_passing, readers_of, schema_of, unused_name

# How many batches polars gets at once at most: each time takes as long as a column of a block.
_MOST_JOINED = 8


def scan_container(
    source: Source | Sequence[Source],
    /,
    *,
    schema: Mapping[str, Any] | None = None,
    **options: Unpack[BlockOptions],
) -> polars.LazyFrame:
    """Returns the table of a container file, or of several one after another, as a ``LazyFrame``.

    Of a query, the columns that it needs are made, and no others; a count of all rows is that of
    the index; blocks whose statistics show that no row passes the filter are not read; reading ends
    with the last row that is asked for. Rows are compared by polars itself: of a block, first the
    columns that the filter names are made, and the others where a row passes. The engines that
    stream read block by block.

    ``source``: a path, ``bytes``, a binary file that can seek, or a list of these. ``schema``:
    names and types of polars for all columns, which are then cast to them; by default the columns
    are those of ``Reader.arrow_batches``. The keywords are those of ``packord.container.Reader``;
    ``threads`` is ``polars.thread_pool_size()`` if it is not given.

    A fault in a file is ``MsgpackDecodeError`` when the query runs, as for ``Reader``.
    """
    readers = readers_of(source, dict(options), polars.thread_pool_size())
    types = schema_of(readers)
    found = polars.DataFrame(readers[0].arrow_batches(schema=types, blocks=[])).schema
    # Strings are made as views, as polars keeps them.
    types = found
    wanted = found if schema is None else polars.Schema(schema)
    # Statistics are those of values before a cast.
    kept = polars.Schema(item for item in wanted.items() if found.get(item[0]) == item[1])

    # A count asks for the first column alone: this one is made from the index, without a block.
    counted = unused_name(wanted)

    def batches(
        with_columns: list[str] | None,
        predicate: polars.Expr | None,
        n_rows: int | None,
        batch_size: int | None,
    ) -> Iterator[polars.DataFrame]:
        asked = [counted, *wanted] if with_columns is None else with_columns
        names = [name for name in asked if name != counted]
        rest = n_rows

        def passing(batch: Batch) -> polars.DataFrame:
            frame = polars.DataFrame(batch)
            if schema is not None:
                frame = frame.cast({name: wanted[name] for name in frame.columns})
            return frame.select(predicate)

        for reader in readers:
            if predicate is None or n_rows is not None:
                stream = reader.arrow_batches(names, types)
            else:
                blocks = _needed(reader, predicate, kept)
                named = predicate.meta.root_names()
                stream = batches_passing(reader, names, types, blocks, named, passing)
            for frame in _frames(stream, 1 if n_rows is not None else _MOST_JOINED):
                if names != asked:
                    nulls = polars.Series(counted, [None], polars.Null)
                    nulls = nulls.new_from_index(0, frame.height)
                    frame = frame.insert_column(0, nulls).select(asked)
                if schema is not None:
                    frame = frame.cast({name: wanted[name] for name in names})
                if rest is not None:
                    frame = frame.head(rest)
                    rest -= len(frame)
                yield frame if predicate is None else frame.filter(predicate)
                if rest == 0:
                    return

    frame = register_io_source(batches, schema={counted: polars.Null, **wanted})
    return frame.drop(counted)


def _needed(reader: Reader[Any], predicate: polars.Expr, schema: polars.Schema) -> list[int] | None:
    blocks = reader.blocks
    return None if blocks is None else needed_blocks(predicate, blocks, schema)


def _frames(batches: Iterator[Batch], most: int) -> Iterator[polars.DataFrame]:
    """The batches as frames, without a copy. First one, then more and more of them together: a
    query may need few."""
    count = 1
    while frames := [polars.DataFrame(batch) for batch in itertools.islice(batches, count)]:
        yield polars.concat(frames, rechunk=False)
        count = min(2 * count, most)
