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

from packord.engines._files import Paths, Span, asked_table, batches_of, parts_of


def read_container(
    paths: Paths,
    *,
    columns: Sequence[str] | None = None,
    schema: pyarrow.Schema | None = None,
    partitions: int | None = None,
    partition_size: int | None = None,
    **options: Any,
) -> dask.dataframe.DataFrame:
    """Returns the table of container files as a ``DataFrame``, its columns of types of Arrow.

    ``paths`` is a file, a folder, a pattern or a list of them. There are about ``partitions``
    partitions, or one for each ``partition_size`` bytes of the files: by default 8 MiB, and for
    less than 64 MiB an eighth of them, but at least 1 MiB. ``schema`` is that of the files'
    indexes, or of their first rows, if it is not given. ``options``, such as ``where``, are those
    of ``packord.container.Reader``.
    """
    spans, schema = asked_table(paths, columns, schema)
    return dask.dataframe.from_map(
        _read,
        parts_of(spans, partitions, partition_size),
        meta=_frame(schema.empty_table()),
        schema=schema,
        columns=schema.names,
        options=options,
    )


def _read(
    part: list[Span], schema: pyarrow.Schema, columns: list[str], options: dict[str, Any]
) -> pandas.DataFrame:
    kept = pyarrow.schema([schema.field(name) for name in columns])
    batches = batches_of(part, kept, **options)
    return _frame(pyarrow.Table.from_batches(batches, kept))


def _frame(table: pyarrow.Table) -> pandas.DataFrame:
    return table.to_pandas(types_mapper=pandas.ArrowDtype)
