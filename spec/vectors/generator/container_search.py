"""Splits, and what a search for a mark takes for one."""

from __future__ import annotations

from generator.build import array, binary, integer, text_bytes
from generator.container_bytes import (
    MARK,
    NIL,
    File,
    Files,
    blob,
    block_array,
    fault,
    header,
    index_array,
    numbers,
    options,
    totals,
)

SKIP = {"on_bad_block": "skip"}


def topics() -> list[Files]:
    return [_splits(), _damaged_splits(), _false_marks()]


def _splits() -> Files:
    topic = Files("splits", "splits of whole files: every block is in the one in which its mark begins")
    file = File().numbers(1, 2).messages(b"\3").numbers(4, 5, 6)
    one, two, three = file.marks
    ranges = {
        (0, one): [], (0, one + 1): [0, 1], (one, one + 1): [0, 1], (one, two): [0, 1], (one, two + 1): [0, 1, 2],
        (one + 1, two): [], (one + 1, two + 1): [2], (two, three): [2], (two, three + 1): [2, 3, 4, 5],
        (three, three + 1): [3, 4, 5], (three + 1, 1000): [], (0, 1000): [0, 1, 2, 3, 4, 5], (10, 20): [],
        (10, two): [0, 1], (two, two): [], (three, two): [], (1000, 2000): [], (three, 2**53): [3, 4, 5],
    }  # fmt: skip
    reads = [{"split": list(split), "take": take} for split, take in ranges.items()]
    topic.file("splits without an index", file, numbers(*range(1, 7)), *reads)
    by_index = [{"index": True, **read} for read in reads]
    topic.file("splits with an index", file.index(), numbers(*range(1, 7)), *reads, *by_index)
    file.messages(b"\7").index()
    two, three = file.marks[2:]
    reads = [
        {"split": [two + 1, 1000], "take": [6]},
        {"split": [two, three + 1]},
        {"split": [three - 5, 1000], "take": [6]},
    ]
    reads[1]["take"] = [3, 4, 5, 6]
    by_index = [{"index": True, **read} for read in reads]
    topic.file("splits across an earlier index", file, numbers(*range(1, 8)), *reads, *by_index)
    many = File()
    for i in range(20):
        many.numbers(*range(4 * i, 4 * i + 1 + i % 4))
    rows = [4 * i + j for i in range(20) for j in range(1 + i % 4)]
    whole = many.out
    topic.file(
        "twenty blocks without an index", whole, numbers(*rows), splits=[1, 2, 3, 7, 100], derived=False
    )
    topic.file("twenty blocks", many.index(), numbers(*rows), splits=[1, 2, 3, 7, 20, 21, 100], derived=False)
    return topic


def _damaged_splits() -> Files:
    topic = Files(
        "damaged-splits", "splits of damaged files: each fault is reported by the split that reads up to it"
    )
    good = block_array(array(b"\7"), 1)

    def damaged(name: str, bad: bytes, kind: str, place: int, **more: object) -> None:
        """Blocks 1, the bad one, 9, and in the end 10."""
        file = File().numbers(1)
        at = file.at
        file.add(bad)
        after = file.at
        file.numbers(9)
        last = file.at
        file.numbers(10)
        found = fault(kind, at + place)
        ranges = [[at, after, found]]
        reads = (
            {"split": [0, at], "take": [0], "end": found},
            {"split": [0, after], "take": [0], "end": found},
            {"split": [46, at], "take": []},
            {"split": [at, after], "take": []},
            {"split": [at, last], "take": [1]},
            {"split": [at - 1, 1000], "take": [1, 2]},
            {"split": [last, 1000], "take": [2]},
            {**SKIP, "split": [0, at], "take": [0], "ranges": ranges},
            {**SKIP, "split": [0, after], "take": [0], "ranges": ranges},
            {**SKIP, "split": [0, last], "take": [0, 1], "ranges": ranges},
            {**SKIP, "split": [at, 1000], "take": [1, 2]},
        )
        topic.file(f"split at {name}", file, numbers(1, 9, 10), *reads, **more)

    damaged("a wrong crc", MARK + block_array(array(b"\7"), 1, crc=1), "invalid_ext", 18)
    damaged("a wrong type", MARK + b"\x96\1\xc0" + good[3:], "invalid_ext", 18)
    damaged("a reserved marker", MARK + b"\x96\1\xc1" + good[3:], "reserved_marker", 20)
    damaged("five elements", MARK + b"\x95" + good[1:], "invalid_ext", 18)
    damaged(
        "a block above max_block",
        MARK + block_array(bytes(41), 1),
        "length_limit",
        18,
        options={"max_block": 40},
    )
    damaged("an index with a fault", MARK + b"\x92\xa0\xc1", "reserved_marker", 20)
    damaged("a mark before nil", MARK + NIL, "invalid_ext", 18)

    file = File().numbers(1)
    at = file.at
    file.add(NIL)
    after = file.at
    file.numbers(9)
    found = fault("invalid_ext", at)
    topic.file(
        "split at no mark", file, numbers(1, 9), {"split": [0, 46], "take": [0], "end": found},
        {"split": [0, at], "take": [0], "end": found}, {"split": [46, 1000], "take": [1]},
        {"split": [at, 1000], "take": [1]}, {**SKIP, "split": [0, 46], "take": [0], "ranges": [[at, after, found]]},
    )  # fmt: skip

    def checked_later(name: str, bad: bytes, found: dict, **more: object) -> None:
        """A search does not see this fault, so the split that has the block reports it."""
        file = File().numbers(1)
        at = file.at
        found = {**found, "offset": at + 18}
        file.add(bad)
        after = file.at
        file.numbers(9)
        topic.file(
            f"split at {name}", file, numbers(1, 9), {"split": [0, at], "take": [0]}, {"split": [at, 1000], "take": [], "end": found},
            {**SKIP, "split": [0, at], "take": [0]}, {**SKIP, "split": [at, 1000], "take": [1], "ranges": [[at, after, found]]},
            **more,
        )  # fmt: skip

    checked_later("a fault in a body", MARK + block_array(array(b"\xc1"), 1), fault("reserved_marker", 0, 1))
    checked_later("a wrong count", MARK + block_array(array(b"\1"), 2), fault("invalid_ext", 0))
    checked_later("an unknown codec", MARK + block_array(array(b"\1"), 1, codec="x"), fault("invalid_ext", 0))
    checked_later("wrong data", MARK + block_array(array(b"\1"), 1, codec="deflate"), fault("invalid_ext", 0))

    first = File().add(MARK + block_array(array(b"\7"), 1, crc=1)).numbers(9)
    second = first.marks[0]
    found = fault("invalid_ext", 45 + 18)
    topic.file(
        "the first block is damaged", first, numbers(9), {"split": [0, 1000], "take": [], "end": found},
        {"split": [45, 1000], "take": [], "end": found}, {"split": [0, 46], "take": [], "end": found},
        {"split": [0, 45], "take": [], "end": found}, {"split": [46, 1000]}, {**SKIP, "split": [0, 1000], "ranges": [[45, second, found]]},
    )  # fmt: skip
    cut = File().numbers(1).numbers(2)
    last = cut.at
    cut.numbers(3)
    data = cut.out[:-1]
    eof = fault("eof", len(data))
    topic.file(
        "split at a cut end", data, numbers(1, 2), {"split": [0, last], "end": eof}, {"split": [0, 50], "take": [0]},
        {"split": [50, last], "take": [1], "end": eof}, {"split": [last, 1000], "take": [], "end": eof},
        {"split": [last - 5, 1000], "take": [], "end": eof}, {"split": [last + 1, 1000], "take": []},
        {**SKIP, "split": [last, 1000], "take": [], "ranges": [[last, len(data), eof]]},
        {**SKIP, "split": [0, last], "ranges": [[last, len(data), eof]]},
    )  # fmt: skip
    data = cut.out[: last + 10]
    eof = fault("eof", len(data))
    topic.file(
        "split at a cut mark", data, numbers(1, 2), {"split": [0, last], "end": eof}, {"split": [50, 1000], "take": [1], "end": eof},
        {"split": [last, 1000], "take": []}, {**SKIP, "split": [last, 1000], "take": []},
    )  # fmt: skip
    return topic


def _false_marks() -> Files:
    topic = Files(
        "false-marks", "data with the bytes of a mark in it, as somebody who knows the sync can write them"
    )
    forged = MARK + block_array(array(b"\x55"), 1)

    def inside(content: bytes) -> tuple[File, int, int]:
        """Blocks 1, one with the content in a bin, 9; where the content begins, and the last block."""
        file = File().numbers(1).rows(blob(content))
        at = file.out.index(content, 96)
        last = file.at
        return file.numbers(9), at, last

    def ignored(name: str, content: bytes, **more: object) -> None:
        file, at, last = inside(content)
        rows = [integer(1), binary(content), integer(9)]
        topic.file(
            f"in data: {name}", file, rows, {}, {"split": [at - 3, 1000], "take": [2]}, {"split": [at - 3, last], "take": []},
            {"split": [at + 1, 1000], "take": [2]}, {"split": [0, at], "take": [0, 1]}, derived=False, **more,
        )  # fmt: skip

    ignored("a mark alone", MARK)
    ignored("a mark before an integer", MARK + b"\1")
    ignored("a mark before a map", MARK + b"\x80")
    ignored("a mark before an array of five", MARK + b"\x95\1\1\2\3\xc0")
    ignored("two marks", MARK + MARK)
    ignored("a block with a wrong crc", MARK + block_array(array(b"\x55"), 1, crc=0))
    ignored("a block with a wrong type", MARK + b"\x96\1\xc0" + block_array(array(b"\x55"), 1)[3:])
    ignored("a block above max_block", MARK + block_array(bytes(101), 1)[:20], options={"max_block": 100})
    ignored(
        "a block with raw above max_block",
        MARK + block_array(b"\x90", 1, raw=2**40),
        options={"max_block": 100},
    )
    ignored("a block that spans the end of the file", MARK + b"\x96\1\1\2\0\xc0\xc5\x10\0")
    ignored("an index that spans the end of the file", MARK + b"\x92\xa0\xc5\x10\0")
    ignored("an index with a fault", MARK + b"\x92\xa0\xc1")
    ignored("a mark of another file", MARK[:-1] + b"\0" + block_array(array(b"\x55"), 1))

    file, at, last = inside(forged)
    rows = [integer(1), binary(forged), integer(0x55), integer(9)]
    after = at + len(forged)
    found = fault("invalid_ext", after)
    assert after == last
    topic.file(
        "a block with a right crc at the end of data counts", file, rows, {"take": [0, 1, 3]},
        {"split": [at - 3, 1000], "take": [2, 3]}, {"split": [at, last], "take": [2]}, {"split": [0, at], "take": [0, 1]},
        derived=False,
    )  # fmt: skip
    file, at, last = inside(forged + b"\1\2")
    rows[1] = binary(forged + b"\1\2")
    topic.file(
        "a block with a right crc counts, and what follows is a fault", file, rows, {"take": [0, 1, 3]},
        {"split": [at - 3, 1000], "take": [2], "end": found}, {"split": [at, at + 1], "take": [2], "end": found},
        {**SKIP, "split": [at, 1000], "take": [2, 3], "ranges": [[after, last, found]]}, derived=False,
    )  # fmt: skip
    index = MARK + index_array([], totals(0))
    file, at, last = inside(index + b"\1\2")
    found = fault("invalid_ext", at + len(index))
    topic.file(
        "an index in data counts, and what follows is a fault", file, [integer(1), binary(index + b"\1\2"), integer(9)], {},
        {"split": [at - 3, 1000], "take": [], "end": found},
        {**SKIP, "split": [at - 3, 1000], "take": [2], "ranges": [[at + len(index), last, found]]}, derived=False,
    )  # fmt: skip
    unknown = MARK + block_array(array(b"\x55"), 1, codec="x")
    file, at, last = inside(unknown)
    found = fault("invalid_ext", at + 18)
    topic.file(
        "a block of an unknown codec counts", file, [integer(1), binary(unknown), integer(9)], {},
        {"split": [at - 3, 1000], "take": [], "end": found}, derived=False,
    )  # fmt: skip
    _damaged_around(topic, forged)
    _short_periods(topic)
    return topic


def _damaged_around(topic: Files, forged: bytes) -> None:
    """A damaged block whose data has a false mark."""
    for name, content, takes in (
        ("a false mark in a damaged block", MARK + b"\1" * 30, False),
        ("a forged block in a damaged block", forged, True),
    ):
        file = File().numbers(1)
        at = file.at
        file.rows(blob(content + b"\1\2"))
        bad = bytearray(file.out)
        bad[-1] ^= 1
        last = file.at
        whole = bytes(bad) + File().numbers(9).out[45:]
        found = fault("invalid_ext", at + 18)
        start = whole.index(content)
        after = start + len(content)
        ranges = [[at, start if takes else last, found]]
        if takes:
            ranges.append([after, last, fault("invalid_ext", after)])
        rows = numbers(1, 0x55, 9) if takes else numbers(1, 9)
        first = {"take": [0], "end": found}
        topic.file(name, whole, rows, first, {**SKIP, "ranges": ranges}, derived=False)
    whole = File().numbers(1).rows(blob(MARK + b"\x96\1\1\2\0\xc0\xc5\x10\0")).out
    start = whole.index(MARK, 90)
    eof = fault("eof", len(whole))
    rows = [integer(1), binary(MARK + b"\x96\1\1\2\0\xc0\xc5\x10\0")]
    topic.file(
        "in the last block, a false block that spans the end of the file", whole, rows, {},
        {"split": [start - 3, 1000], "take": [], "end": eof}, derived=False,
    )  # fmt: skip


def _short_periods(topic: Files) -> None:
    """Sync bytes that repeat the beginning of a mark: a search goes on one byte later."""
    sync = b"\xd8\x5d" * 8
    mark = b"\xd8\x5d" + sync
    start = header()[:10] + options(sync=blob(sync), codec=text_bytes("none"))
    one, two = block_array(array(b"\1"), 1), block_array(array(b"\2"), 1)
    data = start + mark + one + mark + two
    second = len(start + mark + one)
    topic.file(
        "a sync that looks like marks", data, numbers(1, 2), {}, {"split": [46, 1000], "take": [1]},
        {"split": [second, 1000], "take": [1]}, {"split": [second + 2, 1000], "take": []}, derived=False,
    )  # fmt: skip
    bad = block_array(array(blob(b"\xd8\x5d" * 3)), 1, crc=1)
    data = start + mark + bad + mark + two
    found = fault("invalid_ext", len(start) + 18)
    second = len(start + mark + bad)
    topic.file(
        "data that ends as a mark begins", data, numbers(2), {"take": [], "end": found}, {"split": [46, 1000]},
        {**SKIP, "ranges": [[len(start), second, found]]}, derived=False,
    )  # fmt: skip
