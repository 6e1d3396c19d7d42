"""Every vector of container files: readings, faults, cut and damaged files, splits."""

from __future__ import annotations

import datetime
import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import vectors

import packord
from packord.container import Reader, Writer

Case = dict[str, Any]
OPTIONS: dict[str, Any] = {"timestamps": "timestamp"}
CASES = vectors.cases("container")
assert CASES, "no vectors of container files"


def every(member: str) -> pytest.MarkDecorator:
    found = [pytest.param(case, id=name) for name, case in CASES if member in case]
    assert found, member
    return pytest.mark.parametrize("case", found)


def rows_of(case: Case) -> list[Any]:
    """All rows of a case; those that were written, if it does not say others."""
    return unpacked(case["rows"] if "rows" in case else case["write"]["rows"])


def unpacked(stream: Any) -> list[Any]:
    """The values of a stream."""
    return list(packord.Unpacker(io.BytesIO(vectors.expand(stream)), **OPTIONS))


def keywords(case: Case, reading: Case) -> dict[str, Any]:
    known = {"take", "end", "ranges", "index", "on_bad_block", "split", "where", "prune"}
    known |= {"select", "returned"}
    assert not set(reading) - known
    options: dict[str, Any] = {**OPTIONS, **case.get("options", {})}
    assert not set(case.get("options", {})) - {"max_block"}
    options["on_bad_block"] = reading.get("on_bad_block", "error")
    if "split" in reading:
        options["split"] = tuple(reading["split"])
    for name in ("where", "prune"):
        if name in reading:
            options[name] = [
                (path, op, vectors.plain(vectors.build(constant)))
                for path, op, constant in ((*condition, None)[:3] for condition in reading[name])
            ]
    if "select" in reading:
        options["select"] = reading["select"]
    return options


def fault(error: packord.MsgpackDecodeError) -> Case:
    found: Case = {"kind": error.kind, "offset": error.offset}
    inside = re.search(r"at byte (\d+) of the body$|in the body at byte (\d+)$", str(error))
    if inside:
        found["inside"] = int(inside[1] or inside[2])
    return found


def read(source: Any, **options: Any) -> tuple[list[Any], Case | None, list[Any]]:
    """The rows, the error after them, and what was passed over."""
    reader = Reader(source, **options)
    rows = []
    end = None
    try:
        for row in reader:
            rows.append(row)
    except packord.MsgpackDecodeError as error:
        end = fault(error)
    ranges = [[start, stop, fault(error)] for start, stop, error in reader.damaged]
    return rows, end, ranges


@every("error")
def test_refuses_to_open_every_file_that_is_none(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    for source in (data, vectors.Stream(data)):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            Reader(source, **case.get("options", {}))
        assert fault(caught.value) == case["error"]


@every("reads")
@pytest.mark.parametrize("threads", [1, 3])
def test_reads_every_file_in_every_way(case: Case, threads: int) -> None:
    data = vectors.expand(case["bytes"])
    rows = rows_of(case)
    for reading in case["reads"]:
        source: Any = data if reading.get("index") else vectors.Stream(data)
        found, end, ranges = read(source, **keywords(case, reading), threads=threads)
        if "returned" in reading:
            wanted = unpacked(reading["returned"])
        else:
            wanted = [rows[place] for place in reading.get("take", range(len(rows)))]
        assert repr(found) == repr(wanted), reading
        assert end == reading.get("end"), reading
        assert ranges == reading.get("ranges", []), reading


@every("index")
def test_has_the_index_of_every_file(case: Case) -> None:
    reader = Reader(vectors.expand(case["bytes"]), **case.get("options", {}))
    if case["index"] is None:
        assert (reader.blocks, reader.count, reader.schema) == (None, None, None)
        return
    blocks = reader.blocks
    assert blocks is not None
    assert reader.count == case["index"]["count"]
    for block, wanted in zip(blocks, case["index"]["blocks"], strict=True):
        *numbers, stats = wanted
        assert [block.offset, block.size, block.count] == numbers
        paths = {
            path: (of[0], *(vectors.plain(vectors.build(bound)) for bound in of[1:]))
            for path, of in (stats or {}).items()
        }
        assert repr(timestamps(block.stats or {})) == repr(paths)
    schema = case["index"]["schema"]
    if schema is None:
        assert reader.schema is None
    else:
        assert reader.schema == {
            path: (tuple(types), nullable) for path, (types, nullable) in schema.items()
        }


def timestamps(stats: dict[str, Any]) -> dict[str, tuple[Any, ...]]:
    def plain(value: Any) -> Any:
        if isinstance(value, datetime.datetime):
            return packord.Timestamp.from_datetime(value)
        return value

    return {path: tuple(map(plain, of)) for path, of in stats.items()}


@every("splits")
def test_splits_every_file(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    rows = rows_of(case)
    reader = Reader(data)
    for n, ranges in case["splits"]:
        splits = reader.splits(n)
        assert [list(split) for split in splits] == ranges
        found = [row for split in splits for row in Reader(data, split=split, **OPTIONS)]
        assert repr(found) == repr(rows)


@every("ends")
def test_reads_every_file_cut_at_every_byte(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    rows, ends = rows_of(case), case["ends"]
    options = {**OPTIONS, **case.get("options", {})}
    counts = [(block[-1], count) for block, count in zip(case["blocks"], counts_of(case))]
    for n in places(len(data)):
        cut = data[:n]
        if n < ends[0]:
            with pytest.raises(packord.MsgpackDecodeError) as caught:
                Reader(cut, **options)
            assert fault(caught.value) == {"kind": "eof", "offset": n}
            continue
        whole = sum(count for end, count in counts if end <= n)
        found, end, _ = read(vectors.Stream(cut), **options)
        assert repr(found) == repr(rows[:whole])
        assert end == (None if n in ends else {"kind": "eof", "offset": n})


@every("ends")
def test_finds_every_bit_of_the_header_and_of_the_index_that_was_turned(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    rows = rows_of(case)
    options = {**OPTIONS, **case.get("options", {})}
    for place in range(case["ends"][0]):
        with pytest.raises(packord.MsgpackDecodeError):
            Reader(turned(data, place, place % 8), **options)
    if case.get("index") is None:
        return
    for place in range(case["index"]["mark"], len(data)):
        for bit in range(8):
            reader = Reader(turned(data, place, bit), **options)
            assert reader.blocks is None
            assert repr(read(turned(data, place, bit), **options)[0]) == repr(rows)


def turned(data: bytes, place: int, bit: int) -> bytes:
    """The same with one bit turned."""
    broken = bytearray(data)
    broken[place] ^= 1 << bit
    return bytes(broken)


def counts_of(case: Case) -> list[int]:
    """The number of rows of each block."""
    data = vectors.expand(case["bytes"])
    counts = []
    for mark, array, *_ in case["blocks"]:
        assert array == mark + 18
        unpacker = packord.Unpacker()
        unpacker.feed(data[array:])
        unpacker.read_array_header()
        unpacker.unpack()
        counts.append(unpacker.unpack())
    return counts


def places(size: int) -> range:
    """All of them, but of large files some."""
    return range(0, size, max(1, size // 500))


@every("blocks")
def test_finds_every_byte_of_data_that_was_changed(case: Case) -> None:
    data = vectors.expand(case["bytes"])
    rows = rows_of(case)
    options = {**OPTIONS, **case.get("options", {})}
    before = 0
    for (mark, array, begin, end, stop), count in zip(case["blocks"], counts_of(case)):
        after = before + count
        for place in list(range(begin, end))[:: max(1, (end - begin) // 40)]:
            broken = bytearray(data)
            broken[place] ^= 1 << place % 8
            for source in (broken, vectors.Stream(bytes(broken))):
                found, fault_found, _ = read(source, **options)
                assert repr(found) == repr(rows[:before])
                assert fault_found == {"kind": "invalid_container", "offset": array}
                source = broken if isinstance(source, bytearray) else vectors.Stream(bytes(broken))
                found, none, ranges = read(source, on_bad_block="skip", **options)
                assert repr(found) == repr(rows[:before] + rows[after:])
                assert none is None
                assert ranges == [[mark, stop, {"kind": "invalid_container", "offset": array}]]
        before = after


@every("write")
def test_writes_every_file(case: Case, tmp_path: Path) -> None:
    write = case["write"]
    assert not set(write) - {"options", "rows", "flush", "refused", "append"}
    options: dict[str, Any] = {"sync": bytes(range(16)), "codec": "none"}
    for name, value in write.get("options", {}).items():
        if name == "sync":
            value = vectors.expand(value)
        elif name == "meta":
            value = vectors.plain(vectors.build(value))
        options[name] = value
    path = tmp_path / "written.pkd"
    if "append" in write:
        path.write_bytes(vectors.expand(write["append"]))
        options = {name: value for name, value in options.items() if name != "sync"}
    refused = []
    with Writer(path, append="append" in write, **options) as writer:
        for number, row in enumerate(messages(vectors.expand(write["rows"]))):
            try:
                writer.write_packed(row)
            except packord.MsgpackDecodeError as error:
                refused.append([number, error.kind])
            if number + 1 in write.get("flush", ()):
                writer.flush()
    assert refused == write.get("refused", [])
    assert path.read_bytes() == vectors.expand(case["bytes"])


def messages(stream: bytes) -> Iterator[bytes]:
    """The messages of a stream as they are packed."""
    unpacker = packord.Unpacker(io.BytesIO(stream))
    start = 0
    while start < len(stream):
        unpacker.skip()
        yield stream[start : unpacker.tell()]
        start = unpacker.tell()
