"""Batch writing and stream writing: one file for each task, under a temporary name until commit."""

from __future__ import annotations

import os
import uuid
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pyspark import TaskContext
from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)

from packord.container import Writer
from packord.engines._files import SUFFIX, is_container_name
from packord.engines.spark._types import plain_columns


@dataclass
class Written(WriterCommitMessage):  # type: ignore[misc,unused-ignore]
    """The file of a task: its temporary name, its name, and its number of rows."""

    temporary: str
    name: str
    rows: int


class BatchWriter(DataSourceArrowWriter):  # type: ignore[misc,unused-ignore]
    """Writes a table to a folder."""

    def __init__(self, folder: str, overwrite: bool, options: dict[str, Any]) -> None:
        self.folder = folder
        self.overwrite = overwrite
        self.options = options
        self.job = uuid.uuid4().hex
        # Made by the driver alone: a task that still runs after `abort` cannot leave a file.
        self.temporary = os.path.join(folder, f"_{self.job}")
        os.makedirs(self.temporary)

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Writes the rows of a task to a file. It runs in an executor."""
        name = f"part-{_task().partitionId():05}-{self.job}{SUFFIX}"
        return _write_file(self.folder, name, f"_{self.job}/", iterator, self.options)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Renames the files to their names, and deletes those that were there before."""
        written = _written(messages)
        _publish(self.folder, written)
        if self.overwrite:
            _delete(self.folder, _committed(self.folder), {each.name for each in written})
        _delete_folder(self.temporary)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Deletes the files of the job."""
        _delete_folder(self.temporary)


class StreamWriter(DataSourceStreamArrowWriter):  # type: ignore[misc,unused-ignore]
    """Writes the batches of a stream to a folder.

    The names of files have the identity of the query, the number of the batch and that of the
    partition. A batch that Spark repeats after a failure replaces its own files, so every row is
    there once.
    """

    def __init__(self, folder: str, overwrite: bool, options: dict[str, Any]) -> None:
        self.folder = folder
        self.overwrite = overwrite
        self.options = options

    def write(self, iterator: Iterator[Any]) -> WriterCommitMessage:
        """Writes the rows of a task to a file. It runs in an executor."""
        task = _task()
        os.makedirs(self.folder, exist_ok=True)
        query = task.getLocalProperty("sql.streaming.queryId")
        batch = int(task.getLocalProperty("streaming.sql.batchId") or 0)
        prefix = f"part-{query}-{batch:010}"
        name = f"{prefix}-{task.partitionId():05}{SUFFIX}"
        return _write_file(self.folder, name, f"_{prefix}-", iterator, self.options)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Renames the files to their names."""
        written = _written(messages)
        _publish(self.folder, written)
        new = {each.name for each in written}
        prefixes = {name.rpartition("-")[0] for name in new}
        files = _committed(self.folder)
        if not self.overwrite:
            files = [name for name in files if name.rpartition("-")[0] in prefixes]
        _delete(self.folder, files, new)
        for prefix in prefixes:
            files = [name for name in _names(self.folder) if name.startswith(f"_{prefix}")]
            _delete(self.folder, files)

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Deletes the files of the batch."""
        _delete(self.folder, [each.temporary for each in _written(messages)])


def _task() -> Any:
    task = TaskContext.get()
    assert task is not None, "files are written by tasks of Spark"
    return task


def _write_file(
    folder: str, name: str, temporary: str, batches: Iterator[Any], options: dict[str, Any]
) -> Written:
    """Writes batches of Arrow to a file with a temporary name; none is made if there is no row."""
    # Two attempts at the same task have files of their own.
    temporary = f"{temporary}{uuid.uuid4().hex}{SUFFIX}"
    path = os.path.join(folder, temporary)
    writer, rows = None, 0
    try:
        for batch in batches:
            if batch.num_rows:
                writer = writer or Writer(path, **options)
                writer.write_arrow(plain_columns(batch))
                rows += batch.num_rows
        if writer is None:
            return Written("", "", 0)
        writer.close()
    except BaseException:
        with suppress(FileNotFoundError):
            os.remove(path)
        raise
    return Written(temporary, name, rows)


def _written(messages: Sequence[WriterCommitMessage | None]) -> list[Written]:
    return [each for each in messages if isinstance(each, Written) and each.name]


def _publish(folder: str, written: Iterable[Written]) -> None:
    for each in written:
        os.replace(os.path.join(folder, each.temporary), os.path.join(folder, each.name))


def _committed(folder: str) -> list[str]:
    return [name for name in _names(folder) if is_container_name(name)]


def _names(folder: str) -> list[str]:
    return os.listdir(folder) if os.path.isdir(folder) else []


def _delete(folder: str, names: Iterable[str], kept: Iterable[str] = ()) -> None:
    for name in set(names) - set(kept):
        with suppress(FileNotFoundError):
            os.remove(os.path.join(folder, name))


def _delete_folder(path: str) -> None:
    """Deletes a folder, although tasks may still begin files in it."""
    # Each turn fails only if a task has begun a file since the names were listed.
    for _ in range(10):
        _delete(path, _names(path))
        with suppress(OSError):
            os.rmdir(path)
            return
