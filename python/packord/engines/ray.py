"""Container files as data sets of Ray.

>>> from packord.engines.ray import read_container
>>> events = read_container("events/", where=[["level", "==", "error"]])  # doctest: +SKIP
>>> events.groupby("host").count().take_all()  # doctest: +SKIP
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import pyarrow
import ray.data
from ray.data.block import BlockMetadata
from ray.data.datasource import Datasource, ReadTask

from packord.engines._files import Paths, Span, asked_table, batches_of, parts_of


def read_container(
    paths: Paths,
    *,
    columns: Sequence[str] | None = None,
    schema: pyarrow.Schema | None = None,
    partitions: int | None = None,
    **options: Any,
) -> ray.data.Dataset:
    """Returns the table of container files as a ``Dataset``.

    ``paths`` is a file, a folder, a pattern or a list of them. ``columns`` are those that are read.
    ``schema`` is that of the files' indexes, or of their first rows, if it is not given. There are
    about ``partitions`` tasks; Ray chooses if it is not given. ``options``, such as ``where``, are
    those of ``packord.container.Reader``.
    """
    source = ContainerDatasource(paths, columns, schema, options)
    return ray.data.read_datasource(source, override_num_blocks=partitions)


class ContainerDatasource(Datasource):  # type: ignore[misc,unused-ignore]
    """What :func:`read_container` reads."""

    def __init__(
        self,
        paths: Paths,
        columns: Sequence[str] | None,
        schema: pyarrow.Schema | None,
        options: dict[str, Any],
    ) -> None:
        super().__init__()
        self.spans, self.schema = asked_table(paths, columns, schema)
        self.options = options
        self._projection_map: dict[str, str] | None = None

    def supports_projection_pushdown(self) -> bool:
        """Columns that are not used are not read."""
        return True

    def estimate_inmemory_data_size(self) -> int:
        """The size of the files: what their rows take is not known."""
        return sum(span.end - span.begin for span in self.spans)

    def get_read_tasks(self, parallelism: int, *_: Any, **limits: Any) -> list[ReadTask]:
        """A task for each part."""
        used = self.get_projection_map()
        # To count rows, one column is enough.
        names = self.schema.names if used is None else list(used) or self.schema.names[:1]
        schema = pyarrow.schema([self.schema.field(name) for name in names])
        return [
            ReadTask(
                functools.partial(_tables, part, schema, self.options),
                BlockMetadata(
                    num_rows=None,
                    size_bytes=sum(span.end - span.begin for span in part),
                    input_files=[span.path for span in part],
                    exec_stats=None,
                ),
                schema=schema,
                per_task_row_limit=limits.get("per_task_row_limit"),
            )
            for part in parts_of(self.spans, parallelism)
        ]


def _tables(
    part: list[Span], schema: pyarrow.Schema, options: dict[str, Any]
) -> Iterator[pyarrow.Table]:
    for batch in batches_of(part, schema, **options):
        yield pyarrow.Table.from_batches([batch])
