"""Container files that are cut, damaged, hostile or half written; memory, leaks and threads."""

from __future__ import annotations

import gc
import io
import os
import random
import signal
import struct
import subprocess
import sys
import threading
import time
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow
import pytest

import packord
from packord.container import Reader, Writer

SYNC = bytes(range(16))
MARK = b"\xd8\x5d" + SYNC
ROWS = [{"id": n, "name": f"name {n}", "x": n / 8} for n in range(60)]
SCHEMA = pyarrow.schema({"id": pyarrow.int64(), "x": pyarrow.float64()})


def packed(rows: Any, **options: Any) -> bytes:
    """A file in memory."""
    file = io.BytesIO()
    with Writer(file, sync=SYNC, **options) as writer:
        writer.write_many(rows)
    return file.getvalue()


def deflated(data: bytes) -> bytes:
    """Raw deflate."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(data) + packer.flush()


def crc32c(data: bytes) -> int:
    """The checksum of blocks, bit by bit."""
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


HEADER = packed([], codec="deflate")[: packed([], codec="deflate").index(MARK)]


def block(
    data: bytes, *, kind: Any = 1, count: Any = 1, size: Any = None, codec: Any = "none"
) -> bytes:
    """A block with the right checksum, whatever it announces."""
    chunks = [len(data) if size is None else size, len(data), crc32c(data)]
    return MARK + packord.packb([kind, count, codec, chunks, data])


def ways(data: bytes) -> list[Callable[[], Any]]:
    """All ways to read a file."""
    return [
        lambda: list(Reader(data)),
        lambda: list(Reader(io.BytesIO(data), threads=3)),
        lambda: list(Reader(data, on_bad_block="skip")),
        lambda: list(Reader(data, split=(len(HEADER) + 1, 1 << 40))),
        lambda: list(Reader(data, where=[("id", ">", 3)], type=dict[str, Any])),
        lambda: Reader(data).blocks,
        lambda: Reader(data).splits(3),
        lambda: pyarrow.table(Reader(data)).validate(full=True),
        lambda: list(Reader(data).arrow_batches(schema=SCHEMA)),
        lambda: list(Reader(data, on_bad_block="skip", threads=2).arrow_batches(schema=SCHEMA)),
    ]


def read_or_refused(data: bytes) -> None:
    """Every way returns something or raises the package's own error, or pyarrow that of its stream."""
    for way in ways(data):
        try:
            way()
        except (packord.MsgpackDecodeError, OSError, ValueError):
            continue


@pytest.mark.parametrize("columns", [True, False])
def test_every_bit_that_is_turned_is_read_or_refused(columns: bool) -> None:
    data = packed(ROWS, block_rows=20, columns=columns, codec="none")
    generator = random.Random(5)
    for place in range(len(data)):
        broken = bytearray(data)
        broken[place] ^= 1 << generator.randrange(8)
        read_or_refused(bytes(broken))


@pytest.mark.parametrize("columns", [True, False])
def test_every_cut_is_read_or_refused(columns: bool) -> None:
    data = packed(ROWS, block_rows=20, columns=columns)
    for place in range(len(data)):
        read_or_refused(data[:place])
        read_or_refused(data[: place + 1] + data[place + 8 :])


def table_or_kind(data: bytes, schema: pyarrow.Schema) -> Any:
    """The rows as a table has them, or the kind of the error."""
    try:
        table = pyarrow.Table.from_batches(
            [pyarrow.record_batch(batch) for batch in Reader(data).arrow_batches(schema=schema)],
            schema,
        )
    except packord.MsgpackDecodeError as error:
        return error.kind
    table.validate(full=True)
    return repr(table.to_pylist())


def test_damaged_keys_and_values_are_a_table_as_their_rows_are_or_refused() -> None:
    generator = random.Random(9)
    keys = [f"key {n}" for n in range(200)]
    rows = [
        {
            key: generator.choice([n, n / 8, f"text {n % 5}", None])
            for key in generator.sample(keys, 6)
        }
        for n in range(80)
    ]
    body = packord.packb(rows, columns=True)
    stored = packord.columns_of(body).column("[]")
    assert stored is not None
    assert stored.kind == "map"
    wanted = [*keys[::9], "key 2", "nothing"]
    schema = pyarrow.schema([(key, pyarrow.large_string()) for key in wanted])
    read = refused = 0
    for place in [0, *generator.sample(range(3, len(body)), 300)]:
        broken = bytearray(body)
        broken[place] ^= (1 << generator.randrange(8)) if place else 0
        data = HEADER + block(bytes(broken), count=len(rows))
        read_or_refused(data)
        try:
            found = [row if isinstance(row, dict) else {} for row in Reader(data)]
        except packord.MsgpackDecodeError:
            refused += 1
            continue
        read += 1
        one_by_one = packed([{k: v for k, v in row.items() if k in wanted} for row in found],
                            columns=False)  # fmt: skip
        assert table_or_kind(data, schema) == table_or_kind(one_by_one, schema), place
    assert min(read, refused) > 30


HOSTILE: dict[str, bytes] = {
    "a raw size that is not there": block(b"\x93\x01\x02\x03", size=60 << 20),
    "a raw size that is too large": block(b"\x90", size=1 << 62),
    "a count that is not there": block(b"\x93\x01\x02\x03", count=1 << 62),
    "an array of 4 billion rows": block(b"\xdd\xff\xff\xff\xff", count=0xFFFFFFFF),
    "a block of 4 GB": MARK
    + b"\x95\x01\x01\xc0\x93\xce\xff\xff\xff\xff\xce\xff\xff\xff\xff\0\xc6\xff\xff\xff\xff",
    "arrays around each other": block(b"\x91" * 5000 + b"\x01"),
    "maps around each other": block(b"\x91" + b"\x81\xa1a" * 5000 + b"\x01"),
    "columns that announce a lot": block(b"\xc7\x0b\x5c\x01\xce\xff\xff\xff\xff\x01\x01\x01\x01\0"),
    "keys that are all different": block(
        b"\xdc\x10\x00"
        + b"".join(b"\x81\xa4" + struct.pack(">I", n) + b"\x01" for n in range(4096)),
        count=4096,
    ),
    "a bomb": block(
        deflated(b"\xdc\xff\xff" + b"\x80" * 65535),
        count=65535,
        size=65538,
        codec="deflate",
    ),
    "an index of blocks that are not there": MARK
    + packord.packb(["index", 1, [[45, 1 << 40, 1 << 50, None]], {"count": 1 << 50}]),
}


def with_trailer(data: bytes) -> bytes:
    """The same with a trailer for the last mark."""
    return data + trailer(data.rindex(MARK), data[data.rindex(MARK) :])


def trailer(mark: int, index: bytes) -> bytes:
    """The trailer after an index."""
    begun = b"\xc7\x0c\x5d" + struct.pack(">Q", mark)
    return begun + struct.pack(">I", crc32c(index + begun))


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_announced_takes_no_memory(name: str) -> None:
    data = HEADER + HOSTILE[name]
    before = peak_bytes()
    for each in (data, with_trailer(data), data + HOSTILE[name] * 3):
        read_or_refused(each)
    # 128 times the input, and what pyarrow, threads and a first call take.
    assert peak_bytes() - before < 128 * len(data) + 64_000_000


def peak_bytes() -> int:
    status = Path("/proc/self/status")
    if not status.exists():
        pytest.skip("needs /proc to measure memory")
    return int(status.read_text().split("VmHWM:")[1].split()[0]) * 1024


def test_columns_of_a_hostile_schema_take_no_memory() -> None:
    """The index names 5,000 columns, and a block has a million empty rows."""
    schema = {f"c{n}": [["int"], True] for n in range(5000)}
    body = deflated(b"\xdd" + struct.pack(">I", 1_000_000) + b"\x80" * 1_000_000)
    data = HEADER + block(body, count=1_000_000, size=1_000_005, codec="deflate")
    index = ["index", 1, [[len(HEADER), len(data) - len(HEADER), 1_000_000, None]],
             {"count": 1_000_000, "schema": schema}]  # fmt: skip
    data = with_trailer(data + MARK + packord.packb(index))
    batches = Reader(data).arrow_batches()
    before = peak_bytes()
    for batch, _ in zip(batches, range(3)):
        assert batch.num_columns == 5000
        assert batch.num_rows * 5000 < 2 << 22
    # Batches are made one at a time.
    assert peak_bytes() - before < 1 << 30


WRITE = """
import sys
from packord.container import Writer
writer = Writer(sys.argv[1], block_rows=50)
n = 0
print("ready", flush=True)
while True:
    writer.write({"n": n, "text": "text %d" % n})
    n += 1
"""


def test_a_writer_that_is_killed_leaves_all_whole_blocks(tmp_path: Path) -> None:
    generator = random.Random(7)
    path = tmp_path / "killed.pkd"
    for _ in range(25):
        command = [sys.executable, "-c", WRITE, str(path)]
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            time.sleep(generator.random() * 0.05)
            process.send_signal(signal.SIGKILL)
        rows: list[Any] = []
        try:
            rows.extend(row["n"] for row in Reader(path))
        except packord.MsgpackDecodeError as error:
            assert error.kind == "eof"
            assert error.offset == path.stat().st_size
        assert rows == list(range(len(rows)))
        assert len(rows) % 50 == 0
        # The lock went with the process.
        Writer(path).close()


MEASURE = """
import sys
import packord
from packord.container import Reader, Writer

def resident():
    return int(open("/proc/self/status").read().split("VmHWM:")[1].split()[0]) * 1024

way, path, threads = sys.argv[1], sys.argv[2], int(sys.argv[3])
row = {"id": 0, "text": "x" * 1000, "values": [1.5] * 20}
# What a first use takes.
with Writer(path + ".small") as writer:
    writer.write(row)
list(Reader(path + ".small", threads=threads))
list(Reader(path + ".small", threads=threads).arrow_batches())
before = resident()
if way == "write":
    with Writer(path) as writer:
        for n in range(100_000):
            row["id"] = n
            writer.write(row)
elif way == "rows":
    assert sum(1 for row in Reader(path, threads=threads)) == 100_000
elif way == "skip":
    assert sum(1 for row in Reader(path, on_bad_block="skip")) == 100_000
elif way == "arrow":
    assert sum(b.num_rows for b in Reader(path, threads=threads).arrow_batches()) == 100_000
elif way == "pipe":
    with open(path, "rb") as file:
        class Pipe:
            read = file.read
        assert sum(1 for row in Reader(Pipe())) == 100_000
print(resident() - before)
"""


def test_memory_is_bounded_by_a_block(tmp_path: Path) -> None:
    """100,000 rows of 1.2 kB, written and read in blocks of 4 MiB: 120 MB."""
    if not Path("/proc/self/status").exists():
        pytest.skip("needs /proc to measure memory")
    path = str(tmp_path / "large.pkd")
    for way, threads in [
        ("write", 1), ("rows", 1), ("rows", 3), ("skip", 1), ("arrow", 1), ("arrow", 3), ("pipe", 1),
    ]:  # fmt: skip
        command = [sys.executable, "-c", MEASURE, way, path, str(threads)]
        done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert int(done.stdout) < (threads + 1) * 45_000_000, (way, threads)


def test_a_sparse_file_of_a_terabyte_opens_at_once(tmp_path: Path) -> None:
    path = tmp_path / "sparse.pkd"
    data = packed(ROWS, block_rows=20)
    first = Reader(data).blocks
    assert first is not None
    begin, end = first[0].offset, first[-1].offset + first[-1].size
    far = 1 << 40
    blocks = [[each.offset, each.size, each.count, None] for each in first]
    blocks += [[each.offset - begin + far, each.size, each.count, None] for each in first]
    with path.open("wb") as file:
        file.write(data[:end])
        file.seek(far)
        file.write(data[begin:end])
        mark = file.tell()
        index = MARK + packord.packb(["index", 1, blocks, {"count": 120}])
        file.write(index + trailer(mark, index))
    before = peak_bytes()
    reader = Reader(path)
    assert reader.count == 120
    assert list(reader) == ROWS + ROWS
    table = pyarrow.table(reader.arrow_batches(schema=SCHEMA))
    assert table["id"].to_pylist() == [*range(60), *range(60)]
    assert len(reader.splits(4)) == 2
    assert peak_bytes() - before < 50_000_000


class Stops:
    """A file whose reads fail after a while."""

    def __init__(self, data: bytes) -> None:
        self.file = io.BytesIO(data)

    def read(self, size: int) -> bytes:
        if self.file.tell() > 100:
            raise RuntimeError("mine")
        return self.file.read(min(size, 50))


DATA = packed(ROWS, block_rows=20)
BROKEN = DATA[: len(DATA) // 2]


def all_of(*iterables: Any) -> None:
    for iterable in iterables:
        for _ in iterable:
            pass


CALLS: list[Any] = [
    lambda: all_of(Reader(DATA)),
    lambda: all_of(Reader(DATA).arrow_batches(["id"])),
    lambda: (Reader(DATA).blocks, Reader(DATA).schema, Reader(DATA).splits(2)),
    lambda: pyarrow.table(Reader(DATA)),
    lambda: packed(ROWS),
    lambda: Writer(io.BytesIO()).write_arrow(pyarrow.table({"a": [1, None]})),
    lambda: next(iter(Reader(DATA))),
    lambda: next(Reader(DATA).arrow_batches()),
    lambda: Reader(DATA).__arrow_c_stream__(),
    lambda: all_of(Reader(BROKEN)),
    lambda: all_of(Reader(BROKEN, on_bad_block="skip").damaged),
    lambda: all_of(Reader(BROKEN, on_bad_block="skip", threads=2).arrow_batches(schema=SCHEMA)),
    lambda: all_of(Reader(Stops(DATA))),
    lambda: all_of(Reader(DATA, type=list[int])),
    lambda: all_of(Reader(DATA, object_hook=lambda found: found["none"])),
    lambda: all_of(Reader(DATA, where=[("id", "in", [1, {}]), ("x", "like", 5)])),
    lambda: Reader(DATA[:20]),
    lambda: Reader(5),  # type: ignore[call-overload]
    lambda: Writer(io.BytesIO()).write({"a": object()}),
    lambda: Writer(io.BytesIO()).write_packed(b"\xc1"),
    lambda: Writer(io.BytesIO(), codec="none", level="x"),  # type: ignore[arg-type]
]


@pytest.mark.parametrize("call", CALLS)
def test_no_leak(call: Any) -> None:
    def attempts(count: int) -> None:
        for _ in range(count):
            try:
                call()
            except Exception:
                continue

    repetitions = int(os.environ.get("PACKORD_LEAK_CALLS", "100000")) // 100
    attempts(200)
    gc.collect()
    before, resident = sys.getallocatedblocks(), resident_bytes()
    attempts(repetitions)
    gc.collect()
    assert sys.getallocatedblocks() - before < 400 + repetitions / 20
    # What is not Python's: a leak of a block of rows each time would be 2 MB.
    assert resident_bytes() - resident < 4_000_000 + repetitions * 1000


def resident_bytes() -> int:
    statm = Path("/proc/self/statm")
    if not statm.exists():
        return 0
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_threads_share_a_reader_and_each_has_its_pass() -> None:
    data = packed(ROWS * 50, block_rows=100)
    reader = Reader(io.BytesIO(data), threads=2)
    failures: list[BaseException] = []

    def run(way: int) -> None:
        try:
            for _ in range(5):
                if way % 2:
                    assert list(reader) == ROWS * 50
                else:
                    table = pyarrow.table(reader.arrow_batches(["id"]))
                    assert table["id"].to_pylist() == [row["id"] for row in ROWS * 50]
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=run, args=(way,)) for way in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures


@pytest.mark.parametrize("threads", [1, 3])
def test_blocks_are_counted_that_were_read(threads: int) -> None:
    """Neither those that are read ahead nor those whose rows are none."""
    rows = [packord.packb([number]) for number in range(8)]
    rows[5] = packord.packb([5, 5])
    reader = Reader(HEADER + b"".join(map(block, rows)), threads=threads, on_bad_block="skip")
    found = iter(reader)
    assert (next(found), next(found), reader.blocks_read) == (0, 1, 2)
    assert list(found) == [2, 3, 4, 6, 7]
    assert (reader.blocks_read, len(reader.damaged)) == (7, 1)


def test_damage_may_be_asked_for_while_another_thread_reads() -> None:
    """By a program of its own, which would else wait for ever."""
    program = """
import io, sys, threading
from packord.container import Reader, Writer

file = io.BytesIO()
with Writer(file, block_rows=1, codec="none", columns=False, sync=bytes(16)) as writer:
    writer.write_many(range(2000))
data = bytearray(file.getvalue())
mark, place = b"\\xd8\\x5d" + bytes(16), 0
while (place := data.find(mark, place + 1)) > 0:
    data[place + 20] ^= 1
sys.setswitchinterval(1e-6)
reader = Reader(bytes(data), on_bad_block="skip")
reading = threading.Thread(target=lambda: [list(reader) for _ in range(10)])
reading.start()
while reading.is_alive():
    reader.damaged
faults = reader.damaged
print(len(faults), sorted(faults, key=lambda fault: fault.start) == faults)
"""
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False
    )
    assert (found.stdout, found.stderr) == ("2000 True\n", "")


def test_threads_that_share_a_pass_or_a_writer_are_served_or_refused(tmp_path: Path) -> None:
    data = packed(ROWS * 200, block_rows=50)
    rows, batches = iter(Reader(data, threads=2)), Reader(data).arrow_batches()
    writer = Writer(tmp_path / "shared.pkd", block_rows=50)
    found: list[Any] = []
    written: list[int] = []
    failures: list[BaseException] = []

    def run(number: int) -> None:
        for step in range(2000):
            try:
                found.append(next(rows, None))
                next(batches, None)
                writer.write(number * 10_000 + step)
                written.append(number * 10_000 + step)
            except (RuntimeError, ValueError) as error:
                if "two threads" not in str(error):
                    failures.append(error)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    writer.close()
    assert sorted(Reader(tmp_path / "shared.pkd")) == sorted(written)
    seen = [row["id"] for row in found if row is not None]
    assert len(seen) <= 12_000


def test_other_threads_run_while_blocks_are_packed_and_unpacked(tmp_path: Path) -> None:
    """Without the GIL: a thread that only counts gets on meanwhile."""
    rows = packord.packb({"text": "some text that is packed", "n": list(range(50))})
    ticks = 0
    stop = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not stop.is_set():
            ticks += 1
            time.sleep(0)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        writer = Writer(tmp_path / "gil.pkd", codec="zstd", level=19, block_rows=20_000)
        for _ in range(19_999):
            writer.write_packed(rows)
        before = ticks
        writer.write_packed(rows)
        during = ticks - before
        writer.close()
    finally:
        stop.set()
        thread.join()
    assert during > 100


def test_a_program_that_is_interrupted_while_it_follows_ends(tmp_path: Path) -> None:
    program = (
        "import sys; from packord.container import Reader\n"
        "print('ready', flush=True)\n"
        "list(Reader(sys.argv[1], follow=60))"
    )
    path = tmp_path / "open.pkd"
    writer = Writer(path)
    writer.flush()
    command = [sys.executable, "-c", program, str(path)]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n"
        time.sleep(0.2)
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=120)
    assert errors.rstrip().endswith("KeyboardInterrupt")


def test_a_file_that_shrinks_or_changes_while_it_is_read_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "changes.pkd"
    path.write_bytes(packed(ROWS * 20, block_rows=10, codec="none", columns=False))
    reader = Reader(path)
    rows = iter(reader)
    assert next(rows) == ROWS[0]
    with path.open("r+b") as file:
        file.truncate(1000)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(Reader(path))
    assert (caught.value.kind, caught.value.offset) == ("eof", 1000)
    with pytest.raises(packord.MsgpackDecodeError):
        list(reader)
    path.write_bytes(b"")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        list(reader)
    assert caught.value.kind == "eof"
