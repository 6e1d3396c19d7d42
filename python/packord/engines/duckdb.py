"""Container files as tables of DuckDB.

>>> import os, tempfile
>>> import duckdb
>>> from packord.container import Writer
>>> path = os.path.join(tempfile.mkdtemp(), "events.pkd")
>>> with Writer(path, block_rows=100) as writer:
...     _ = writer.write_many({"id": id, "town": "Oslo"} for id in range(1000))
>>> connection = duckdb.connect()
>>> read_container(connection, path).filter("id >= 998").project("id").fetchall()
[(998,), (999,)]
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import duckdb
import pyarrow

from packord._options import BlockOptions, Unpack
from packord.engines._arrow_dataset import ContainerDataset
from packord.engines._sources import Source, readers_of, unused_name


def scan_container(
    source: Source | Sequence[Source], /, *, schema: Any = None, **options: Unpack[BlockOptions]
) -> ContainerDataset:
    """Returns the table of a container file, or of several one after another, as a dataset of
    pyarrow, which DuckDB scans under the name of the variable:
    ``connection.sql("select … from events")``.

    Of a query, the columns that it names are made, and no others; blocks whose statistics show that
    no row passes its conditions are not read; reading ends when a query has all its rows. DuckDB
    hands to the scan comparisons with constants, ``in``, ``is null`` and what ``and`` and ``or``
    make of them; all else it evaluates itself.

    ``source``: a path, ``bytes``, a binary file that can seek, or a list of these. ``schema``: the
    types of the columns, a ``pyarrow.Schema`` or a mapping as ``Reader.schema`` returns it; by
    default those of ``Reader.arrow_batches``. The keywords are those of
    ``packord.container.Reader``; ``threads`` is ``pyarrow.cpu_count()`` if it is not given.
    """
    return ContainerDataset(readers_of(source, dict(options), pyarrow.cpu_count()), schema)


def read_container(
    connection: duckdb.DuckDBPyConnection,
    source: Source | Sequence[Source],
    /,
    *,
    schema: Any = None,
    **options: Unpack[BlockOptions],
) -> duckdb.DuckDBPyRelation:
    """Returns a relation of a connection that scans container files as :func:`scan_container` does,
    with as many threads as the connection has.

    Python programs cannot add table functions to DuckDB: this is what stands for one.
    """
    # By a cursor, so that a result of the connection that is being fetched stays.
    setting = connection.cursor().execute("SELECT current_setting('threads')").fetchone()
    threads = 1 if setting is None else int(setting[0])
    readers = readers_of(source, dict(options), threads)
    # For a count, DuckDB asks for the first column: this one is made from the index.
    counted = unused_name(ContainerDataset(readers, schema).schema.names)
    dataset = ContainerDataset(readers, schema, counted)
    relation = connection.from_arrow(dataset)
    if counted not in dataset.schema.names:
        return relation
    return relation.project(f'* EXCLUDE ("{counted}")')


def register(
    connection: duckdb.DuckDBPyConnection,
    name: str,
    source: Source | Sequence[Source],
    /,
    *,
    schema: Any = None,
    **options: Unpack[BlockOptions],
) -> None:
    """Gives container files the name of a view of a connection, which scans them as
    :func:`read_container` does, until ``connection.unregister(name)``."""
    connection.register(name, read_container(connection, source, schema=schema, **options))
