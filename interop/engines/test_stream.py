"""Streams of Spark over a folder that grows, and into one."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from packord.container import Reader, Writer
from pyspark.errors import StreamingQueryException

SCHEMA = "id long, name string"


class Log:
    """A container file that is being written."""

    def __init__(self, path: Path, **options: Any) -> None:
        self.writer = Writer(path, **options)

    def write(self, ids: range) -> None:
        for number in ids:
            self.writer.write({"id": number, "name": f"n{number}"})
        self.writer.flush()


class Query:
    """A query that is run again and again from one checkpoint."""

    def __init__(self, spark: Any, folder: Path, checkpoint: Path, **options: Any) -> None:
        self.source = spark.readStream.format("packord-python").schema(SCHEMA).options(**options)
        self.folder = folder
        self.checkpoint = checkpoint
        self.batches: dict[int, list[int]] = {}

    def start(self, each: Callable[[Any], Any] = lambda table: table, **trigger: Any) -> Any:
        def keep(table: Any, number: int) -> None:
            self.batches[number] = [row.id for row in each(table).collect()]

        writer = self.source.load(str(self.folder)).writeStream.foreachBatch(keep)
        writer = writer.option("checkpointLocation", str(self.checkpoint))
        return writer.trigger(**trigger or {"availableNow": True}).start()

    def run(self) -> list[int]:
        """Reads what is there, and returns all that was read until now."""
        self.start().awaitTermination()
        return self.ids()

    def ids(self) -> list[int]:
        return sorted(number for batch in self.batches.values() for number in batch)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "log").mkdir()
    return tmp_path / "log"


@pytest.fixture
def query(spark: Any, folder: Path, tmp_path: Path) -> Query:
    return Query(spark, folder, tmp_path / "checkpoint")


def test_a_file_that_is_being_written_is_followed_block_by_block(
    query: Query, folder: Path
) -> None:
    log = Log(folder / "a.pkd")
    log.write(range(5))
    assert query.run() == list(range(5))
    log.write(range(5, 8))
    log.write(range(8, 9))
    assert query.run() == list(range(9))
    log.writer.close()
    assert query.run() == list(range(9))


def test_new_files_and_appended_ones_are_read_once(query: Query, folder: Path) -> None:
    first = Log(folder / "a.pkd")
    first.write(range(3))
    first.writer.close()
    Log(folder / "b.pkd").write(range(10, 12))
    assert query.run() == [0, 1, 2, 10, 11]
    again = Log(folder / "a.pkd", append=True)
    again.write(range(3, 6))
    assert query.run() == [0, 1, 2, 3, 4, 5, 10, 11]
    again.writer.close()
    Log(folder / "c.pkd").write(range(20, 22))
    assert query.run() == [0, 1, 2, 3, 4, 5, 10, 11, 20, 21]
    (folder / "b.pkd").unlink()
    assert query.run() == [0, 1, 2, 3, 4, 5, 10, 11, 20, 21]


def test_a_block_that_is_not_whole_is_left_for_later(
    query: Query, folder: Path, tmp_path: Path
) -> None:
    log = Log(tmp_path / "whole.pkd")
    log.write(range(4))
    log.write(range(4, 8))
    log.writer.close()
    data = (tmp_path / "whole.pkd").read_bytes()
    reader = Reader(tmp_path / "whole.pkd")
    second = reader.blocks[1]
    grown = folder / "a.pkd"
    end = second.offset + second.size
    for cut, count in [(5, 0), (second.offset, 4), (second.offset + 7, 4), (end - 1, 4), (end, 8)]:
        grown.write_bytes(data[:cut])
        assert query.run() == list(range(count)), cut
    for cut in [end + 5, end + 30, len(data) - 4, len(data)]:
        grown.write_bytes(data[:cut])
        assert query.run() == list(range(8)), cut


def test_a_batch_that_failed_is_read_again_from_the_checkpoint(query: Query, folder: Path) -> None:
    log = Log(folder / "a.pkd")
    log.write(range(5))
    assert query.run() == list(range(5))
    log.write(range(5, 10))

    def fail(table: Any) -> Any:
        table.collect()
        raise RuntimeError("the sink is full")

    with pytest.raises(StreamingQueryException, match="the sink is full"):
        query.start(fail).awaitTermination()
    # Rows that come in between are not part of the batch that failed.
    log.write(range(10, 12))
    assert query.run() == list(range(12))
    assert query.batches[1] == list(range(5, 10))


def test_batches_have_about_a_number_of_bytes(spark: Any, folder: Path, tmp_path: Path) -> None:
    for name, ids in [("a.pkd", range(30)), ("b.pkd", range(30, 40))]:
        log = Log(folder / name, codec="none")
        for number in ids:
            log.write(range(number, number + 1))
        log.writer.close()
    reader = Reader(folder / "a.pkd")
    size = reader.blocks[1].size
    query = Query(spark, folder, tmp_path / "checkpoint", maxBytesPerTrigger=size * 4)
    assert query.run() == list(range(40))
    assert len(query.batches) >= 8
    assert all(1 <= len(batch) <= 5 for batch in query.batches.values() if batch)


def test_a_query_that_goes_on_reads_what_is_written_meanwhile(query: Query, folder: Path) -> None:
    log = Log(folder / "a.pkd")
    running = query.start(processingTime="200 milliseconds")
    try:
        for number in range(5):
            log.write(range(number * 10, number * 10 + 10))
            end = time.monotonic() + 60
            while len(query.ids()) < number * 10 + 10 and time.monotonic() < end:
                time.sleep(0.1)
            assert query.ids() == list(range(number * 10 + 10))
    finally:
        running.stop()


def test_what_is_no_container_file_ends_the_query(query: Query, folder: Path) -> None:
    (folder / "a.pkd").write_bytes(b"this is a file of text, and nothing else")
    with pytest.raises(StreamingQueryException, match="invalid_container at byte 0"):
        query.run()


class Copy:
    """A query from a folder into another one."""

    def __init__(self, spark: Any, folder: Path, tmp_path: Path) -> None:
        self.spark = spark
        self.folder = folder
        self.checkpoint = tmp_path / "checkpoint"
        self.out = tmp_path / "out"
        self.stop = tmp_path / "stop"

    def run(self) -> None:
        table = self.spark.readStream.format("packord-python").schema(SCHEMA).load(str(self.folder))
        stop = str(self.stop)

        def through(batches: Iterator[Any]) -> Iterator[Any]:
            for batch in batches:
                if Path(stop).exists():
                    raise RuntimeError("a worker is lost")
                yield batch

        writer = table.mapInArrow(through, SCHEMA).writeStream.format("packord-python")
        writer = writer.option("path", str(self.out)).option(
            "checkpointLocation", str(self.checkpoint)
        )
        writer.trigger(availableNow=True).start().awaitTermination()

    def ids(self) -> list[int]:
        table = self.spark.read.format("packord-python").load(str(self.out))
        return sorted(row.id for row in table.collect())

    def files(self) -> list[str]:
        return sorted(path.name for path in self.out.iterdir())


@pytest.fixture
def copy(spark: Any, folder: Path, tmp_path: Path) -> Copy:
    return Copy(spark, folder, tmp_path)


def test_a_stream_is_written_once(copy: Copy, folder: Path) -> None:
    log = Log(folder / "a.pkd")
    log.write(range(50))
    copy.run()
    log.write(range(50, 60))
    copy.run()
    assert copy.ids() == list(range(60))
    assert len(copy.files()) == 2 and all(name.startswith("part-") for name in copy.files())


def test_a_stream_whose_workers_failed_is_written_once(copy: Copy, folder: Path) -> None:
    log = Log(folder / "a.pkd")
    log.write(range(50))
    copy.run()
    log.write(range(50, 60))
    copy.stop.touch()
    with pytest.raises(StreamingQueryException, match="a worker is lost"):
        copy.run()
    assert copy.ids() == list(range(50))
    copy.stop.unlink()
    copy.run()
    assert copy.ids() == list(range(60)) and len(copy.files()) == 2


def test_a_batch_that_is_repeated_replaces_its_files(copy: Copy, folder: Path) -> None:
    log = Log(folder / "a.pkd")
    log.write(range(50))
    copy.run()
    log.write(range(50, 60))
    copy.run()
    # As if the machine had stopped before the batch was noted as done.
    (copy.checkpoint / "commits" / "1").unlink()
    for left in (copy.checkpoint / "commits").glob(".1.crc"):
        left.unlink()
    assert copy.ids() == list(range(60))
    copy.run()
    assert copy.ids() == list(range(60)) and len(copy.files()) == 2
