"""Streams: the blocks of the files of a folder, as they are written.

An offset has, for each file, the byte up to which its blocks have been read. Files only ever grow,
so two offsets always name the same blocks, and a query that starts again from its checkpoint reads
each of them once.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Sequence
from typing import Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition
from pyspark.sql.streaming.datasource import (
    ReadAllAvailable,
    ReadLimit,
    ReadMaxBytes,
    SupportsTriggerAvailableNow,
)
from pyspark.sql.types import StructType

from packord.engines._files import Span, container_files, parts_of, whole_end
from packord.engines.spark._read import Part, read_part

Offset = dict[str, int]


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):  # type: ignore[misc,unused-ignore]
    """Reads a growing folder, files that are still being written included."""

    def __init__(
        self,
        paths: Sequence[str],
        schema: StructType,
        part_size: int | None,
        trigger_bytes: int | None,
        options: dict[str, Any],
    ) -> None:
        self.paths = paths
        self.schema = schema
        self.part_size = part_size
        self.trigger_bytes = trigger_bytes
        self.options = options
        self.skips = options.get("on_bad_block") == "skip"
        # Names are relative to a single folder, so that it can be moved.
        self.root = paths[0] if len(paths) == 1 and os.path.isdir(paths[0]) else ""
        self.target: Offset | None = None

    def initialOffset(self) -> Offset:
        """No file has been read."""
        return {}

    def getDefaultReadLimit(self) -> ReadLimit:
        """The option ``maxBytesPerTrigger``."""
        return ReadMaxBytes(self.trigger_bytes) if self.trigger_bytes else ReadAllAvailable()

    def latestOffset(self, start: Offset, limit: ReadLimit) -> Offset:
        """Where the last whole block of each file ends, or one before it because of the limit."""
        room = limit.max_bytes if isinstance(limit, ReadMaxBytes) else None
        end: Offset = {}
        for file in container_files(self.paths):
            name = os.path.relpath(file, self.root) if self.root else file
            begin = start.get(name, 0)
            if self.target is not None and self.target.get(name, 0) <= begin:
                reached = begin
            else:
                reached = whole_end(file, begin, room, skips=self.skips)
                if self.target is not None:
                    reached = min(reached, self.target[name])
            if room is not None:
                room -= reached - begin
            if reached:
                end[name] = reached
        return end

    def prepareForTriggerAvailableNow(self) -> None:
        """Keeps where the files end now."""
        self.target = self.latestOffset({}, ReadAllAvailable())

    def partitions(self, start: Offset, end: Offset) -> Sequence[InputPartition]:
        spans = [
            Span(os.path.join(self.root, name), start.get(name, 0), reached, reached)
            for name, reached in end.items()
            if reached > start.get(name, 0)
        ]
        parts = parts_of(spans, size=self.part_size)
        return [Part(part, [[]] * len(part)) for part in parts]

    def read(self, partition: InputPartition) -> Iterator[Any]:
        """Batches of Arrow. It runs in an executor."""
        assert isinstance(partition, Part)
        return read_part(partition, self.schema, self.options)
