"""Splits, and what a search for a mark takes for one."""

from __future__ import annotations

from ..container_codecs import crc32c
from ..writer import encode_int
from .build import array, binary, integer, text_bytes
from .container_bytes import (
    MARK,
    NIL,
    File,
    Files,
    blob,
    block_array,
    chunk_list,
    cut,
    fault,
    header,
    header_of,
    index_array,
    numbers,
    options,
    totals,
)

SKIP = {"on_bad_block": "skip"}
START = len(header())
# The beginning of a block of 4096 bytes, up to its data.
SPANNING = MARK + b"\x95\1\1\xc0\x93\xcd\x10\0\xcd\x10\0\0\xc5\x10\0"


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
            {"split": [START + 1, at], "take": []},
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

    damaged("a wrong crc", MARK + block_array(array(b"\7"), 1, crc=1), "invalid_container", 18)
    damaged("a wrong type", MARK + b"\x95\1\xc0" + good[3:], "invalid_container", 18)
    damaged("a reserved marker", MARK + b"\x95\1\xc1" + good[3:], "reserved_marker", 20)
    damaged("four elements", MARK + b"\x94" + good[1:], "invalid_container", 18)
    damaged("a chunk list of four", MARK + good.replace(b"\x93\2\2", b"\x94\0\2\2"), "invalid_container", 18)
    sizes = good.replace(b"\x93\2\2", b"\x93\2\1")
    damaged("sizes that differ from data", MARK + sizes, "invalid_container", 18)
    second = block_array(array(b"\7"), 1, chunks=cut(array(b"\7"), 1))
    second = second.replace(encode_int(crc32c(b"\7")), encode_int(9))
    damaged("a wrong crc of the second chunk", MARK + second, "invalid_container", 18)
    damaged(
        "a block above max_block",
        MARK + block_array(bytes(41), 1),
        "length_limit",
        18,
        options={"max_block": 40},
    )
    damaged("an index with a fault", MARK + b"\x92\xa0\xc1", "reserved_marker", 20)
    damaged("a mark before nil", MARK + NIL, "invalid_container", 18)

    file = File().numbers(1)
    at = file.at
    file.add(NIL)
    after = file.at
    file.numbers(9)
    found = fault("invalid_container", at)
    topic.file(
        "split at no mark", file, numbers(1, 9), {"split": [0, START + 1], "take": [0], "end": found},
        {"split": [0, at], "take": [0], "end": found}, {"split": [START + 1, 1000], "take": [1]},
        {"split": [at, 1000], "take": [1]}, {**SKIP, "split": [0, START + 1], "take": [0], "ranges": [[at, after, found]]},
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
    checked_later("a wrong count", MARK + block_array(array(b"\1"), 2), fault("invalid_container", 0))
    checked_later(
        "an unknown codec", MARK + block_array(array(b"\1"), 1, codec="x"), fault("invalid_container", 0)
    )
    data = block_array(array(b"\1"), 1, codec="deflate", data=b"\7")
    checked_later("wrong data", MARK + data, fault("invalid_container", 0))
    sizes = block_array(array(b"\1"), 1, raw=3)
    checked_later("data of another size", MARK + sizes, fault("invalid_container", 0))

    first = File().add(MARK + block_array(array(b"\7"), 1, crc=1)).numbers(9)
    second = first.marks[0]
    found = fault("invalid_container", START + 18)
    nothing = {"take": [], "end": found}
    topic.file(
        "the first block is damaged", first, numbers(9), {"split": [0, 1000], **nothing}, {"split": [START, 1000], **nothing},
        {"split": [0, START + 1], **nothing}, {"split": [0, START], **nothing}, {"split": [START + 1, 1000]},
        {**SKIP, "split": [0, 1000], "ranges": [[START, second, found]]},
    )  # fmt: skip
    _cut_ends(topic)
    return topic


def _cut_ends(topic: Files) -> None:
    file = File().numbers(1).numbers(2)
    last = file.at
    file.numbers(3)
    data = file.out[:-1]
    eof = fault("eof", len(data))
    topic.file(
        "split at a cut end", data, numbers(1, 2), {"split": [0, last], "end": eof}, {"split": [0, START + 5], "take": [0]},
        {"split": [START + 5, last], "take": [1], "end": eof}, {"split": [last, 1000], "take": [], "end": eof},
        {"split": [last - 5, 1000], "take": [], "end": eof}, {"split": [last + 1, 1000], "take": []},
        {**SKIP, "split": [last, 1000], "take": [], "ranges": [[last, len(data), eof]]},
        {**SKIP, "split": [0, last], "ranges": [[last, len(data), eof]]},
    )  # fmt: skip
    data = file.out[: last + 10]
    eof = fault("eof", len(data))
    topic.file(
        "split at a cut mark", data, numbers(1, 2), {"split": [0, last], "end": eof}, {"split": [START + 5, 1000], "take": [1], "end": eof},
        {"split": [last, 1000], "take": []}, {**SKIP, "split": [last, 1000], "take": []},
    )  # fmt: skip
    whole = File().numbers(1).numbers(2)
    last = whole.at
    data = whole.index().out[:-20]
    eof = fault("eof", len(data))
    topic.file(
        "split at a cut index", data, numbers(1, 2), {"split": [0, last], "end": eof}, {"split": [START + 5, 1000], "take": [1], "end": eof},
        {"split": [last, 1000], "take": []}, {"split": [last - 5, 1000], "take": []}, {**SKIP, "split": [last, 1000], "take": []},
    )  # fmt: skip
    # The first of several blocks that the end cuts counts; a cut index never does.
    index = MARK + index_array(whole.entries, totals(2))[:-1]
    for name, parts in (
        ("two blocks that the end cuts", [SPANNING, SPANNING]),
        ("a cut index before a block that the end cuts", [MARK + b"\x95\xa0\xc5\x10\0", SPANNING]),
        ("a block that the end cuts before a cut index", [SPANNING, index]),
    ):
        file = File().numbers(1)
        at = file.at
        file.add(b"\xc1" + b"".join(parts))
        found, eof = fault("invalid_container", at), fault("eof", file.at)
        counts = file.out.index(SPANNING)
        last = file.out.rindex(SPANNING)
        ranges = [[at, counts, found], [counts, last, eof], [last, file.at, eof]]
        ranges = ranges if counts < last else [ranges[0], ranges[2]]
        topic.file(
            f"split at {name}", file, numbers(1), {"end": found}, {**SKIP, "ranges": ranges}, {"split": [at, 1000], "take": [], "end": eof},
            {"split": [at, counts + 1], "take": [], "end": eof}, {"split": [at, counts], "take": []},
            {"split": [counts + 1, 1000], "take": [], **({"end": eof} if parts == [SPANNING] * 2 else {})},
        )  # fmt: skip


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
    ignored("a mark before an array of four", MARK + b"\x94\1\1\xc0\x90")
    ignored("two marks", MARK + MARK)
    ignored("a block with a wrong crc", MARK + block_array(array(b"\x55"), 1, crc=0))
    ignored("a block with a wrong type", MARK + b"\x95\1\xc0" + block_array(array(b"\x55"), 1)[3:])
    ignored("a block with a chunk list of two", MARK + b"\x95\1\1\xc0\x92\0\0\xc4\0")
    ignored("a block with sizes that differ from data", MARK + b"\x95\1\1\xc0\x93\2\2\0\xc4\1\x90")
    two = chunk_list(*cut(array(b"\x55"), 1))
    ignored(
        "a block with a wrong crc of its second chunk",
        MARK + b"\x95\1\1\xc0" + two[:-1] + b"\0\xc4\2\x91\x55",
    )
    ignored("a block above max_block", MARK + block_array(bytes(121), 1)[:20], options={"max_block": 120})
    ignored(
        "a block with raw above max_block",
        MARK + block_array(b"\x90", 1, raw=2**40),
        options={"max_block": 100},
    )
    ignored("a block that spans the end of the file", SPANNING)
    ignored("an index that spans the end of the file", MARK + b"\x92\xa0\xc5\x10\0")
    ignored("an index with a fault", MARK + b"\x92\xa0\xc1")
    ignored("a mark of another file", MARK[:-1] + b"\0" + block_array(array(b"\x55"), 1))

    file, at, last = inside(forged)
    rows = [integer(1), binary(forged), integer(0x55), integer(9)]
    after = at + len(forged)
    found = fault("invalid_container", after)
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
    found = fault("invalid_container", at + len(index))
    topic.file(
        "an index in data counts, and what follows is a fault", file, [integer(1), binary(index + b"\1\2"), integer(9)], {},
        {"split": [at - 3, 1000], "take": [], "end": found},
        {**SKIP, "split": [at - 3, 1000], "take": [2], "ranges": [[at + len(index), last, found]]}, derived=False,
    )  # fmt: skip
    unknown = MARK + block_array(array(b"\x55"), 1, codec="x")
    file, at, last = inside(unknown)
    found = fault("invalid_container", at + 18)
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
        whole = bytes(bad) + File().numbers(9).out[START:]
        found = fault("invalid_container", at + 18)
        start = whole.index(content)
        after = start + len(content)
        ranges = [[at, start if takes else last, found]]
        if takes:
            ranges.append([after, last, fault("invalid_container", after)])
        rows = numbers(1, 0x55, 9) if takes else numbers(1, 9)
        first = {"take": [0], "end": found}
        topic.file(name, whole, rows, first, {**SKIP, "ranges": ranges}, derived=False)
    whole = File().numbers(1).rows(blob(SPANNING)).out
    start = whole.index(MARK, 90)
    eof = fault("eof", len(whole))
    rows = [integer(1), binary(SPANNING)]
    topic.file(
        "in the last block, a false block that spans the end of the file", whole, rows, {},
        {"split": [start - 3, 1000], "take": [], "end": eof}, derived=False,
    )  # fmt: skip


def _short_periods(topic: Files) -> None:
    """Sync bytes that repeat the beginning of a mark: a search goes on one byte later."""
    sync = b"\xd8\x5d" * 8
    mark = b"\xd8\x5d" + sync
    start = header_of(options(sync=blob(sync), codec=text_bytes("none")))
    one, two = block_array(array(b"\1"), 1), block_array(array(b"\2"), 1)
    data = start + mark + one + mark + two
    second = len(start + mark + one)
    topic.file(
        "a sync that looks like marks", data, numbers(1, 2), {}, {"split": [START + 1, 1000], "take": [1]},
        {"split": [second, 1000], "take": [1]}, {"split": [second + 2, 1000], "take": []}, derived=False,
    )  # fmt: skip
    bad = block_array(array(blob(b"\xd8\x5d" * 3)), 1, crc=1)
    data = start + mark + bad + mark + two
    found = fault("invalid_container", len(start) + 18)
    second = len(start + mark + bad)
    topic.file(
        "data that ends as a mark begins", data, numbers(2), {"take": [], "end": found}, {"split": [START + 1, 1000]},
        {**SKIP, "ranges": [[len(start), second, found]]}, derived=False,
    )  # fmt: skip
