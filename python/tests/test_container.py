"""Container files: writing, reading, options, errors, files of every kind."""

from __future__ import annotations

import dataclasses
import datetime
import io
import itertools
import mmap
import threading
import time
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

import packord
from packord.container import Block, Reader, Statistics, Writer

UTC = datetime.timezone.utc
# Called with arguments that a type checker refuses.
ReaderOf: Any = Reader
WriterOf: Any = Writer
ROWS: list[dict[str, Any]] = [
    {
        "id": number,
        "town": ["Oslo", "Graz", None][number % 3],
        "level": number / 4,
        "at": datetime.datetime(2026, 1, 1, tzinfo=UTC) + datetime.timedelta(seconds=number),
        "tags": [number, "x"],
    }
    for number in range(1000)
]


@dataclasses.dataclass
class Event:
    id: int
    level: float
    town: str | None = None


class Pipe(io.RawIOBase):
    """A file that can't seek, and hands out a few bytes at a time."""

    def __init__(self, data: bytes, most: int = 1 << 20) -> None:
        self.file = io.BytesIO(data)
        self.most = most

    def read(self, size: int = -1) -> bytes:
        return self.file.read(min(size, self.most))


def packed(rows: Any, **options: Any) -> bytes:
    """A file in memory."""
    file = io.BytesIO()
    with Writer(file, **options) as writer:
        writer.write_many(rows)
    return file.getvalue()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "rows.pkd"
    with Writer(path, block_rows=100) as writer:
        writer.write_many(ROWS)
    return path


@pytest.fixture(params=["path", "str", "bytes", "bytearray", "memoryview", "mmap", "file", "memory",
                        "pipe", "drops"])  # fmt: skip
def source(request: pytest.FixtureRequest, path: Path) -> Iterator[Any]:
    data = path.read_bytes()
    if request.param in ("mmap", "file"):
        with path.open("rb") as file:
            if request.param == "file":
                yield file
            else:
                with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
                    yield mapped
        return
    yield {
        "path": path,
        "str": str(path),
        "bytes": data,
        "bytearray": bytearray(data),
        "memoryview": memoryview(data),
        "memory": io.BytesIO(data),
        "pipe": Pipe(data),
        "drops": Pipe(data, most=7),
    }[request.param]


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_rows_come_back_from_every_source(source: Any, threads: int) -> None:
    reader = Reader(source, threads=threads)
    assert list(reader) == ROWS
    if isinstance(source, Pipe):
        assert (reader.count, reader.blocks) == (None, None)
        with pytest.raises(ValueError, match="can't be read twice"):
            iter(reader)
    else:
        assert list(reader) == ROWS
        assert reader.count == len(ROWS)
        assert reader.blocks_read == 20


@pytest.mark.parametrize(
    "options",
    [
        {"codec": "none"},
        {"codec": "deflate", "level": 9},
        {"codec": "zstd", "level": 19},
        {"columns": False},
        {"messages": True},
        {"block_size": 1000},
        {"block_rows": 1},
    ],
    ids=str,
)
def test_rows_come_back_with_every_option(options: dict[str, Any]) -> None:
    data = packed(ROWS, **options)
    reader = Reader(data)
    assert list(reader) == ROWS
    assert reader.codec == options.get("codec", "zstd")
    assert list(Reader(Pipe(data))) == ROWS


def test_the_header_says_what_was_given() -> None:
    meta = {"origin": "here", "made": datetime.datetime(2026, 1, 2, tzinfo=UTC), "n": [1, None]}
    data = packed(ROWS, meta=meta, stats=["id", "tags.1"], sync=bytes(range(16)))
    reader = Reader(data)
    assert (reader.meta, reader.stats, reader.codec) == (meta, ["id", "tags.1"], "zstd")
    assert data[10:].startswith(b"\x84\xa4sync\xc4\x10" + bytes(range(16)))
    assert packed(ROWS, meta=meta, stats=["id", "tags.1"], sync=bytes(range(16))) == data
    assert (Reader(packed([])).meta, Reader(packed([])).stats) == (None, None)


def test_the_index_has_blocks_with_statistics_and_a_schema() -> None:
    rows = [{"a": 1, "t": ["x"]}, {"a": 2.5, "t": None}, {"a": 2, "t": []}, {"b": {"c": b"1"}}]
    data = packed(rows, block_rows=3, codec="none", columns=False)
    reader = Reader(data)
    assert reader.count == 4
    blocks = reader.blocks
    assert blocks is not None
    first, second = blocks
    assert isinstance(first, Block)
    assert (first.count, second.count) == (3, 1)
    assert second.offset == first.offset + first.size
    assert first.stats == {"a": Statistics(0, 1, 2.5)}
    assert second.stats == {"a": Statistics(1, None, None)}
    assert reader.schema == {
        "a": (("int", "float"), True),
        "t": (("array",), True),
        "t[]": (("str",), False),
        "b": (("map",), True),
        "b.c": (("bin",), True),
    }


def test_conditions_choose_rows_and_skip_blocks(path: Path) -> None:
    late = datetime.datetime(2026, 1, 1, 0, 16, tzinfo=UTC)
    cases: list[tuple[Any, Callable[[Any], bool], int]] = [
        ([("id", ">=", 950)], lambda row: row["id"] >= 950, 1),
        ([["id", "<", 100.5]], lambda row: row["id"] < 100.5, 2),
        ([("id", "in", {5, 999, -1})], lambda row: row["id"] in (5, 999), 2),
        ([("town", "is_null")], lambda row: row["town"] is None, 10),
        ([("town", "is_not_null", None)], lambda row: row["town"] is not None, 10),
        ([("town", "==", "Paris")], lambda row: False, 0),
        ([("id", "!=", 3), ("id", "<=", 5)], lambda row: row["id"] != 3 and row["id"] <= 5, 1),
        ([("at", ">=", late)], lambda row: row["at"] >= late, 1),
        ([("tags.0", "==", 77)], lambda row: row["tags"][0] == 77, 10),
        ([("id", ">", "a string")], lambda row: False, 0),
    ]
    for conditions, wanted, blocks in cases:
        for threads in (1, 3):
            reader = Reader(path, where=conditions, threads=threads)
            assert list(reader) == [row for row in ROWS if wanted(row)], conditions
            assert reader.blocks_read == blocks, conditions
            table = Reader(path, prune=conditions, threads=threads)
            rows = list(table)
            assert table.blocks_read == blocks
            assert len(rows) == 100 * blocks


@pytest.mark.parametrize(
    ("conditions", "error"),
    [
        (["id"], TypeError),
        ([("id",)], TypeError),
        ([("id", "==")], TypeError),
        ([("id", "=", 1)], ValueError),
        ([("id", "in", 5)], TypeError),
        ([("id", "==", object())], TypeError),
        (5, TypeError),
    ],
)
def test_conditions_that_are_none_are_refused(conditions: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        Reader(packed(ROWS), where=conditions)


def test_a_path_with_an_empty_part_names_nothing() -> None:
    rows = [{"a": {"": {"b": 1}}}]
    assert list(Reader(packed(rows), where=[("a..b", "==", 1)])) == []
    assert list(Reader(packed(rows), where=[("a..b", "is_null")])) == rows


def test_rows_are_read_into_types() -> None:
    data = packed(ROWS, block_rows=100)
    events = list(Reader(data, type=Event))
    assert events[7] == Event(7, 1.75, "Graz")
    assert [event.id for event in events] == list(range(1000))
    named = Reader(data, type=Event, where=[("id", "==", 5)])
    assert list(named) == [Event(5, 1.25, None)]


def test_a_row_of_another_type_is_reported_and_reading_goes_on() -> None:
    data = packed([{"id": 1, "level": 2.0}, {"id": "x", "level": 2.0}, {"id": 3, "level": 1.0}])
    where = [("level", ">", 0)]
    passes: list[dict[str, Any]] = [
        {},
        {"on_bad_block": "skip"},
        {"on_bad_block": "skip", "where": where},
    ]
    for threads, options in itertools.product((1, 2), passes):
        rows = iter(Reader(data, type=Event, threads=threads, **options))
        assert next(rows) == Event(1, 2.0)
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            next(rows)
        block = Reader(data).blocks
        assert block is not None
        assert (caught.value.kind, caught.value.path) == ("type_mismatch", "$[1].id")
        assert caught.value.offset == block[0].offset + 18
        assert list(rows) == [Event(3, 1.0)]
        with pytest.raises(StopIteration):
            next(rows)


def test_rows_are_read_with_the_options_of_a_decoder() -> None:
    data = packed([{"a": packord.Ext(5, b"x"), "b": ROWS[0]["at"], "c": [1], "d": {1: 2}}])  # fmt: skip
    (row,) = Reader(
        data,
        ext_hook=lambda code, body: (code, body),
        timestamps="timestamp",
        tuples=True,
    )
    assert row == {
        "a": (5, b"x"),
        "b": packord.Timestamp.from_datetime(ROWS[0]["at"]),
        "c": (1,),
        "d": {1: 2},
    }
    (row,) = Reader(data, object_hook=lambda found: sorted(map(str, found)))
    assert row == ["a", "b", "c", "d"]
    for name in ("records", "structures", "sequential", "columns", "canonical", "trailing"):
        with pytest.raises(TypeError, match=name):
            ReaderOf(data, **{name: True})
    with pytest.raises(TypeError, match="colums"):
        ReaderOf(data, colums=True)


def test_an_exception_of_a_hook_passes_and_the_next_row_follows() -> None:
    def hook(found: dict[str, Any]) -> Any:
        if found["n"] == 1:
            raise KeyboardInterrupt
        return found

    rows = iter(Reader(packed([{"n": n} for n in range(3)]), object_hook=hook))
    assert next(rows) == {"n": 0}
    with pytest.raises(KeyboardInterrupt):
        next(rows)
    assert list(rows) == [{"n": 2}]


def test_rows_are_packed_with_the_options_of_an_encoder() -> None:
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5, 678901, tzinfo=UTC)
    row = {"a": moment, "b": uuid.UUID(int=1)}
    assert list(Reader(packed([row]))) == [{"a": moment, "b": str(uuid.UUID(int=1))}]
    assert list(Reader(packed([{"x": object()}], default=lambda _: 5))) == [{"x": 5}]
    assert list(Reader(packed([Event(1, 2.0)], rename="pascal"))) == [
        {"Id": 1, "Level": 2.0, "Town": None}
    ]
    for option in ("records", "canonical"):
        with pytest.raises(TypeError, match="unexpected keyword argument"):
            WriterOf(io.BytesIO(), **{option: True})


def test_a_row_that_cannot_be_packed_leaves_the_writer_usable() -> None:
    file = io.BytesIO()
    with Writer(file) as writer:
        writer.write({"a": 1})
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            writer.write({"a": [object()]})
        assert caught.value.path == "$.a[0]"
        with pytest.raises(packord.MsgpackDecodeError) as refused:
            writer.write_packed(b"\x91\xc1")
        assert (refused.value.kind, refused.value.offset) == ("reserved_marker", 1)
        with pytest.raises(packord.MsgpackDecodeError) as refused:
            writer.write_packed(b"\x01\x02")
        assert refused.value.kind == "trailing_bytes"
        with pytest.raises(ZeroDivisionError):
            writer.write_many({"a": 1 / (n - 3)} for n in range(9))
        writer.write_packed(bytearray(packord.packb({"a": 2})))
    assert list(Reader(file.getvalue())) == [
        {"a": 1}, {"a": 1 / -3}, {"a": 1 / -2}, {"a": 1 / -1}, {"a": 2},
    ]  # fmt: skip


def test_rows_that_are_packed_keep_their_formats() -> None:
    data = packed([], columns=False, codec="none")
    file = io.BytesIO()
    with Writer(file, columns=False, codec="none") as writer:
        writer.write_packed(b"\xcd\x00\x01")
    assert b"\x91\xcd\x00\x01" in file.getvalue()
    assert list(Reader(file.getvalue())) == [1]
    assert list(Reader(data)) == []


def test_a_file_is_appended_to(path: Path) -> None:
    before = path.read_bytes()
    with Writer(path, append=True, block_rows=10) as writer:
        assert writer.write_many(ROWS[:25]) == 25
    assert path.read_bytes().startswith(before)
    reader = Reader(path)
    assert list(reader) == ROWS + ROWS[:25]
    assert reader.count == 1025
    assert reader.blocks is not None
    assert [block.count for block in reader.blocks] == [100] * 10 + [10, 10, 5]
    with Writer(path, append=True):
        pass
    assert Reader(path).count == 1025
    new = path.with_name("new.pkd")
    with Writer(new, append=True) as writer:
        writer.write(1)
    assert list(Reader(new)) == [1]
    with pytest.raises(ValueError, match="path"):
        Writer(io.BytesIO(), append=True)
    path.write_bytes(before[:-5])
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        Writer(path, append=True)
    assert caught.value.kind == "eof"
    with Writer(path, block_rows=5) as writer:
        writer.write(2)
    assert list(Reader(path)) == [2]


def test_a_second_writer_is_refused(path: Path) -> None:
    with Writer(path, append=True) as writer:
        for append in (True, False):
            with pytest.raises(BlockingIOError):
                Writer(path, append=append)
        writer.write(1)
    assert list(Reader(path))[-1] == 1
    Writer(path, append=True).close()


def test_an_exception_in_the_statement_leaves_a_file_without_an_index(path: Path) -> None:
    with pytest.raises(KeyError), Writer(path, block_rows=4) as writer:
        for number in range(10):
            writer.write(number)
            if number == 6:
                raise KeyError
    assert writer.closed
    reader = Reader(path)
    assert reader.blocks is None
    assert list(reader) == list(range(7))
    with Writer(path, append=True) as writer:
        writer.write(7)
    assert list(Reader(path)) == list(range(8))
    assert Reader(path).count == 8


def test_a_writer_is_closed_once() -> None:
    file = io.BytesIO()
    writer = Writer(file)
    writer.write(1)
    assert not writer.closed
    writer.close()
    writer.close()
    assert writer.closed
    assert not file.closed
    for call in (lambda: writer.write(1), writer.flush, lambda: writer.write_packed(b"\x01")):
        with pytest.raises(ValueError, match="closed"):
            call()


def test_a_writer_that_is_forgotten_leaves_what_was_flushed(path: Path) -> None:
    writer = Writer(path)
    writer.write(1)
    writer.flush()
    writer.write(2)
    del writer
    assert list(Reader(path)) == [1]


def test_a_growing_file_is_followed(path: Path) -> None:
    writer = Writer(path)
    writer.flush()
    found: list[Any] = []

    def follow() -> None:
        for row in Reader(path, follow=0.01):
            found.append(row)
            if row == "end":
                return

    thread = threading.Thread(target=follow)
    thread.start()
    wanted: list[Any] = []
    for number in range(5):
        writer.write(number)
        writer.flush()
        wanted.append(number)
        deadline = time.monotonic() + 120
        while found != wanted and time.monotonic() < deadline:
            time.sleep(0.005)
        assert found == wanted
    writer.write("end")
    writer.close()
    thread.join(20)
    assert not thread.is_alive()
    assert found == [*wanted, "end"]


def test_splits_share_out_all_rows(path: Path) -> None:
    data = path.read_bytes()
    for source in (path, data, data[:-15]):
        for n in (1, 2, 3, 7, 10, 50):
            splits = Reader(source).splits(n)
            assert len(splits) <= n
            assert [row for split in splits for row in Reader(source, split=split)] == ROWS
    reader = Reader(path)
    assert len(reader.splits(2)) == 2
    with pytest.raises(ValueError, match="size"):
        Reader(Pipe(data)).splits(2)
    with pytest.raises(ValueError, match="above 0"):
        reader.splits(0)


def test_a_block_at_fault_ends_the_reading_or_is_passed_over(path: Path) -> None:
    blocks = Reader(path).blocks
    assert blocks is not None
    data = bytearray(path.read_bytes())
    bad = blocks[4]
    data[bad.offset + bad.size - 3] ^= 1
    for source in (data, Pipe(bytes(data))):
        for threads in (1, 3):
            if isinstance(source, Pipe):
                source = Pipe(bytes(data))
            rows: list[Any] = []
            with pytest.raises(packord.MsgpackDecodeError) as caught:
                rows.extend(Reader(source, threads=threads))
            assert (caught.value.kind, caught.value.offset) == (
                "invalid_container",
                bad.offset + 18,
            )
            if isinstance(source, Pipe):
                source = Pipe(bytes(data))
            reader = Reader(source, on_bad_block="skip", threads=threads)
            assert list(reader) == ROWS[:400] + ROWS[500:]
            (damage,) = reader.damaged
            assert (damage.start, damage.stop) == (bad.offset, bad.offset + bad.size)
            assert damage.error.kind == "invalid_container"
            assert reader.blocks_read == 9


def test_larger_blocks_than_allowed_are_refused(path: Path) -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(Reader(path, max_block=100))
    assert caught.value.kind == "length_limit"


@pytest.mark.parametrize("call", [Reader, Writer])
def test_errors_of_the_system_are_those_of_python(call: Any, tmp_path: Path) -> None:
    missing = tmp_path / "no" / "file.pkd"
    with pytest.raises(FileNotFoundError) as caught:
        call(missing)
    assert caught.value.filename == str(missing)
    assert caught.value.errno == 2
    with pytest.raises(IsADirectoryError):
        list(call(tmp_path))


def test_errors_of_file_objects_pass() -> None:
    class Broken(io.RawIOBase):
        def read(self, size: int = -1) -> bytes:
            raise ConnectionResetError("mine")

        def write(self, data: Any) -> int:
            raise ConnectionResetError("mine")

    for call in (ReaderOf, WriterOf):
        with pytest.raises(ConnectionResetError, match="mine"):
            call(Broken())

    class Full(io.BytesIO):
        def write(self, data: Any) -> int:
            if self.tell() > 200:
                raise OSError(28, "No space left on device")
            return super().write(data)

    full = Full()
    writer = Writer(full, block_rows=10)
    with pytest.raises(OSError, match="No space left"):
        writer.write_many(ROWS)
    with pytest.raises(OSError, match="No space left"):
        writer.write(1)
    with pytest.raises(OSError, match="No space left"):
        writer.close()


@pytest.mark.parametrize(
    ("answer", "error"),
    [(None, BlockingIOError), ("text", TypeError), (b"x" * 100_000, ValueError)],
)
def test_files_that_answer_otherwise_are_refused(answer: Any, error: type[Exception]) -> None:
    class Odd:
        def read(self, size: int, /) -> Any:
            return answer

    with pytest.raises(error):
        Reader(Odd())


def test_what_is_not_a_file_is_refused() -> None:
    for thing in (5, object(), None):
        for call in (ReaderOf, WriterOf):
            with pytest.raises(TypeError):
                call(thing)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        Reader(b"PAR1 and so on")
    assert (caught.value.kind, caught.value.offset) == ("invalid_container", 0)
    for options in (
        {"on_bad_block": "ignore"},
        {"threads": 0},
        {"follow": -1},
    ):
        with pytest.raises(ValueError):
            ReaderOf(packed([]), **options)
    for wrong in (
        {"codec": "gzip"}, {"sync": b"x"}, {"block_size": -1},
    ):  # fmt: skip
        with pytest.raises(ValueError):
            WriterOf(io.BytesIO(), **wrong)
    for refused in ({"meta": [1]}, {"sync": "x" * 16}, {"compression": "zstd"}):
        with pytest.raises(TypeError):
            WriterOf(io.BytesIO(), **refused)
