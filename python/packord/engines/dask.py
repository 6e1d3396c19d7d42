"""Container files as data frames of Dask.

>>> from packord.engines.dask import read_container
>>> events = read_container("events/", where=[["level", "==", "error"]])  # doctest: +SKIP
>>> events.groupby("host").size().compute()  # doctest: +SKIP

Columns that a computation does not use are not read.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import dask.dataframe
import pandas
import pyarrow

from packord.engines._files import (
    Paths,
    Span,
    batches_of,
    container_files,
    parts_of,
    table_schema,
    whole_files,
)


def read_container(
    paths: Paths,
    *,
    columns: Sequence[str] | None = None,
    where: Sequence[Sequence[Any]] | None = None,
    schema: pyarrow.Schema | None = None,
    partitions: int | None = None,
    partition_size: int | None = None,
    **options: Any,
) -> dask.dataframe.DataFrame:
    """Returns the table of container files as a ``DataFrame``, its columns of types of Arrow.

    ``paths`` is a file, a folder, a pattern or a list of them. There are about ``partitions``
    partitions, or one for each ``partition_size`` bytes of the files: by default 8 MiB, and for
    less than 64 MiB an eighth of them, but at least 1 MiB. ``where`` is a predicate of
    which all rows meet each condition. ``schema`` is that of the files' indexes, or of their first
    rows, if it is not given. ``options`` are those of ``packord.container.Reader``.
    """
    files = container_files(paths)
    schema = schema or table_schema(files)
    kept = list(columns) if columns is not None else schema.names
    parts = parts_of(whole_files(files), partitions, partition_size)
    return dask.dataframe.from_map(
        _read,
        parts,
        meta=_frame(schema.empty_table(), kept),
        schema=schema,
        columns=kept,
        options={**options, "where": where},
    )


def _read(
    part: list[Span],
    schema: pyarrow.Schema,
    columns: list[str],
    options: dict[str, Any],
) -> pandas.DataFrame:
    kept = pyarrow.schema([schema.field(name) for name in columns])
    batches = batches_of(part, kept, **options)
    return _frame(pyarrow.Table.from_batches(batches, kept), columns)


def _frame(table: pyarrow.Table, columns: list[str]) -> pandas.DataFrame:
    return table.select(columns).to_pandas(types_mapper=pandas.ArrowDtype)
