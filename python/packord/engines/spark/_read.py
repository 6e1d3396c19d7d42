"""Batch reading."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from pyspark.sql.datasource import DataSourceReader, InputPartition
from pyspark.sql.types import StructType

from packord.container import Reader
from packord.engines._files import Span, batches_of, parts_of, whole_files
from packord.engines.spark._filters import Condition, conditions
from packord.engines.spark._types import batch_schema


@dataclass
class Part(InputPartition):  # type: ignore[misc,unused-ignore]
    """The spans that one task reads, and for each what its blocks are skipped by."""

    spans: list[Span]
    prunes: list[list[Condition]]


def read_part(part: Part, schema: StructType, options: dict[str, Any]) -> Iterator[Any]:
    """The rows of a part as batches of Arrow. It runs in an executor."""
    kinds = batch_schema(schema)
    for span, prune in zip(part.spans, part.prunes, strict=True):
        yield from batches_of([span], kinds, prune=prune or None, **options)


class BatchReader(DataSourceReader):  # type: ignore[misc,unused-ignore]
    """Reads files in parts."""

    def __init__(
        self, files: list[str], schema: StructType, sizes: dict[str, Any], options: dict[str, Any]
    ) -> None:
        self.files = files
        self.schema = schema
        self.sizes = sizes
        self.options = options
        self.filters: list[Any] = []

    def partitions(self) -> Sequence[InputPartition]:
        """Parts of the files, without those in which all blocks are skipped."""
        parts = parts_of(whole_files(self.files), **self.sizes)
        if not self.filters:
            return [Part(spans, [[]] * len(spans)) for spans in parts]
        prunes: dict[str, list[Condition]] = {}
        needed: dict[str, list[int]] = {}
        for file in self.files:
            reader = Reader(file)
            prunes[file] = conditions(self.filters, self.schema, reader.schema or {})
            blocks = Reader(file, prune=prunes[file])._needed()
            if reader.blocks is not None and blocks is not None:
                needed[file] = [reader.blocks[number].offset for number in blocks]
        kept = []
        for spans in parts:
            read = [span for span in spans if _is_needed(span, needed.get(span.path))]
            if read:
                kept.append(Part(read, [prunes[span.path] for span in read]))
        return kept

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Batches of Arrow."""
        # Spark makes one partition with nothing in it where there are none.
        if isinstance(partition, Part):
            yield from read_part(partition, self.schema, self.options)


def _is_needed(span: Span, offsets: list[int] | None) -> bool:
    """Whether a span has one of the blocks. Without an index, nothing is known."""
    return offsets is None or any(span.begin <= offset < span.end for offset in offsets)


class FilteringReader(BatchReader):
    """Reads files in parts, without the blocks that Spark's filters show to be of no use.

    A class of its own: Spark refuses a reader with ``pushFilters`` while
    ``spark.sql.python.filterPushdown.enabled`` is off.
    """

    def pushFilters(self, filters: list[Any]) -> list[Any]:
        """Keeps the filters for skipping blocks, and leaves the rows to Spark."""
        self.filters = list(filters)
        return filters
