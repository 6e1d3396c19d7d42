"""Indexes that are not used, or that say what is not there."""

from __future__ import annotations

from generator.build import array, f64, fixstr, i8, integer, join, mapping, repeat, text_bytes
from generator.container_bytes import (
    MARK,
    NIL,
    File,
    Files,
    blob,
    block_array,
    entry,
    fault,
    index_array,
    numbers,
    texts,
    totals,
    trailer,
)

SKIP = {"index": True, "on_bad_block": "skip"}
BY_INDEX = {"index": True}


def two() -> File:
    """Two blocks: 1 and 2 at 45, 3 at 78; the index would begin at 110."""
    return File().numbers(1, 2).numbers(3)


def topics() -> list[Files]:
    return [_unused(), _entries(), _schemas()]


def _unused() -> Files:
    topic = Files(
        "unused-indexes", "files whose index is not used: they are read from the front, without an error"
    )
    one, other = two().entries
    good = index_array([one, other], totals(3))
    end = two().at

    def unused(name: str, content: bytes, points_to: int | None = None, **more: object) -> None:
        file = two().index(content, points_to=points_to)
        topic.file(f"index: {name}", file, numbers(1, 2, 3), index=None, derived=False, **more)

    size = two().index(good).at
    for what, place in (
        ("0", 0), ("the first block", 45), ("the second block", 78), ("one byte before the index", end - 1),
        ("one byte after the mark", end + 1), ("the index-array", end + 18), ("the trailer", size - 10),
        ("the end of the file", size), ("beyond the file", size + 1), ("2^63", 2**63), ("2^64 - 1", 2**64 - 1),
    ):  # fmt: skip
        unused(f"the trailer points to {what}", good, place)
    unused("version 2", array(text_bytes("index"), b"\2", array(one, other), totals(3)))
    unused("version 1 as a float", array(text_bytes("index"), f64(1.0), array(one, other), totals(3)))
    unused("another name", array(text_bytes("Index"), b"\1", array(one, other), totals(3)))
    unused("three elements", array(text_bytes("index"), b"\1", array(one, other)))
    unused("blocks are nil", array(text_bytes("index"), b"\1", NIL, totals(3)))
    unused("blocks are a map", array(text_bytes("index"), b"\1", mapping(one, other), totals(3)))
    unused("totals are nil", array(text_bytes("index"), b"\1", array(one, other), NIL))
    unused("no count in totals", index_array([one, other], b"\x80"))
    for what, count in (("nil", NIL), ("str", fixstr("3")), ("a float", f64(3.0)), ("below 0", i8(-3))):
        unused(f"count in totals is {what}", index_array([one, other], mapping(text_bytes("count"), count)))
    unused("count in totals is not the sum", index_array([one, other], totals(4)))
    huge = [entry(45, 33, 2**53 - 1), other]
    unused("counts of 2^53 together", index_array(huge, totals(2**53)))
    unused("counts beyond 64 bits", index_array([entry(45, 33, 2**64 - 1), other], totals(0)))
    for what, bad in (
        ("nil", NIL), ("a map", mapping(b"\1", b"\2")), ("an integer", b"\1"), ("of three elements", array(b"\x2d", b"\x21", b"\2")),
        ("with a str for the offset", array(fixstr("-"), b"\x21", b"\2", NIL)),
        ("with a float for the offset", array(f64(45.0), b"\x21", b"\2", NIL)),
        ("with a size below 0", array(b"\x2d", i8(-33), b"\2", NIL)), ("with nil for the count", array(b"\x2d", b"\x21", NIL, NIL)),
        ("with an array for the stats", array(b"\x2d", b"\x21", b"\2", array())),
        ("with an integer for the stats", array(b"\x2d", b"\x21", b"\2", b"\0")),
        ("in the header", entry(44, 33, 2)), ("at 0", entry(0, 33, 2)), ("of 25 bytes", entry(45, 25, 2)), ("of 0 bytes", entry(45, 0, 2)),
        ("that overlaps the next", entry(45, 34, 2)), ("that ends in the index", entry(78, 33, 2)),
        ("that ends beyond the file", entry(45, 2**40, 2)), ("that ends beyond 64 bits", entry(45, u64_max(), 2)),
        ("beyond the index", entry(end, 30, 2)), ("beyond the file", entry(2**60, 33, 2)),
        ("at 2^64 - 1", entry(u64_max(), u64_max(), 2)),
    ):  # fmt: skip
        unused(f"an entry {what}", index_array([bad, other], totals(3)))
    unused("entries in another order", index_array([other, one], totals(3)))
    unused("an entry twice", index_array([one, one, other], totals(5)))
    small = index_array([one, other], totals(3, more=blob(bytes(60))))
    unused("an index above max_block", small, options={"max_block": len(small) - 1})
    topic.file(
        "an index of max_block",
        two().index(small),
        numbers(1, 2, 3),
        options={"max_block": len(small)},
        derived=False,
    )
    file = two().add(MARK[:-1] + b"\0" + good + trailer(end))
    found = fault("invalid_ext", end)
    skipped = {"on_bad_block": "skip", "ranges": [[end, file.at, found]]}
    topic.file("the mark of another file before the index", file, numbers(1, 2, 3), {"end": found}, skipped)
    file = two().index(good[:-1] + b"\xc1")
    found = fault("reserved_marker", end + 18 + len(good) - 1)
    topic.file("an index with a fault", file, numbers(1, 2, 3), {"end": found})
    file = two().add(MARK + good + trailer(0) + trailer(end))
    topic.file("a trailer between the index and its trailer", file, numbers(1, 2, 3), derived=False)
    file = two().index(good).add(NIL)
    found = fault("invalid_ext", size)
    skipped = {"on_bad_block": "skip", "ranges": [[size, size + 1, found]]}
    topic.file("a byte after the trailer", file, numbers(1, 2, 3), {"end": found}, skipped)
    topic.file("a block after the trailer", two().index(good).numbers(4), numbers(1, 2, 3, 4))
    deep = join(two().out, MARK, "94a5696e6465780190", "81a161", repeat("91", 1024), "01", trailer(end))
    found = fault("depth_limit", end + 18 + 8 + 1 + 3 + 1022)
    topic.file("an index that is nested too deep", deep, numbers(1, 2, 3), {"end": found})
    fake = index_array([entry(45, 33, 2)], totals(2))
    file = File().numbers(1, 2).rows(blob(MARK + fake))
    inner = file.out.rindex(MARK)
    file.add(trailer(inner))
    rows = [*numbers(1, 2), {"bin": (MARK + fake).hex()}]
    topic.file(
        "an index at the end of data, and a trailer to it",
        file,
        rows,
        {},
        {"index": True, "take": [0, 1]},
        derived=False,
    )
    return topic


def u64_max() -> int:
    return 2**64 - 1


def _entries() -> Files:
    topic = Files(
        "wrong-entries", "indexes that are used, with entries that are found to be wrong, and damaged blocks"
    )
    one, other = two().entries
    end = two().at
    wrong = fault("invalid_ext", end)

    def entries(name: str, first: bytes, second: bytes, total: int, *reads: dict) -> None:
        file = two().index(index_array([first, second], totals(total)))
        topic.file(name, file, numbers(1, 2, 3), {}, *reads, derived=False)

    for what, offset, size in (
        ("one byte too late", 79, 31), ("one byte too short", 78, 31), ("of 26 bytes", 78, 26), ("in the middle of a block", 80, 30),
    ):  # fmt: skip
        ranges = [[offset, offset + size, wrong]]
        reads = ({**BY_INDEX, "take": [0, 1], "end": wrong}, {**SKIP, "take": [0, 1], "ranges": ranges})
        entries(f"a listed block {what}", one, entry(offset, size, 1), 3, *reads)
    ranges = [[45, 77, wrong], [77, 110, wrong]]
    reads = ({**BY_INDEX, "take": [], "end": wrong}, {**SKIP, "take": [], "ranges": ranges})
    entries("a listed block one byte too early", entry(45, 32, 2), entry(77, 33, 1), 3, *reads)
    reads = ({**BY_INDEX, "take": [], "end": wrong}, {**SKIP, "take": [2], "ranges": [[45, 77, wrong]]})
    entries("the first listed block one byte too short", entry(45, 32, 2), other, 3, *reads)
    reads = (
        {**BY_INDEX, "take": [], "end": wrong},
        {**SKIP, "take": [], "ranges": [[45, 78, wrong], [78, 110, wrong]]},
    )
    entries("listed counts of other blocks", entry(45, 33, 1), entry(78, 32, 2), 3, *reads)
    reads = ({**BY_INDEX, "take": [], "end": wrong}, {**BY_INDEX, "split": [60, 1000], "take": [2]})
    entries("a listed count of 2^40", entry(45, 33, 2**40), other, 2**40 + 1, *reads)
    file = two().index(index_array([other], totals(1)))
    topic.file(
        "a block that is not listed", file, numbers(1, 2, 3), {}, {**BY_INDEX, "take": [2]}, derived=False
    )
    first_end = File().numbers(1, 2).at
    file = File().numbers(1, 2).index()
    middle = file.at
    listed = index_array([one, entry(first_end, middle - first_end, 1), entry(middle, 32, 1)], totals(4))
    file.numbers(3)
    at = file.at
    found = fault("invalid_ext", at)
    topic.file(
        "an earlier index that is listed", file.index(listed), numbers(1, 2, 3), {}, {**BY_INDEX, "take": [0, 1], "end": found},
        {**SKIP, "ranges": [[first_end, middle, found]]}, derived=False,
    )  # fmt: skip

    def damaged(
        name: str,
        content: bytes,
        kind: str,
        place: int | None,
        count: int = 1,
        inside: int | None = None,
        **more: object,
    ) -> None:
        """A bad block that is listed between two others; place is in the block-array, or ``None`` for the index."""
        file = File().numbers(1)
        bad = file.at
        file.entries.append(entry(bad, len(content), count))
        file.count += count
        file.add(content).numbers(9)
        last, mark = file.marks[-1], file.at
        found = fault(kind, mark if place is None else bad + 18 + place, inside)
        split = {**BY_INDEX, "split": [last, 1000], "take": [1]}
        reads = ({**BY_INDEX, "take": [0], "end": found}, {**SKIP, "ranges": [[bad, last, found]]}, split)
        topic.file(f"by the index: {name}", file.index(), numbers(1, 9), *reads, derived=False, **more)

    good = block_array(array(b"\7"), 1)
    damaged("a wrong crc", MARK + block_array(array(b"\7"), 1, crc=1), "invalid_ext", 0)
    damaged("no mark", b"\0" * 18 + good, "invalid_ext", None)
    damaged("the mark of another file", MARK[:-1] + b"\0" + good, "invalid_ext", None)
    damaged("nil after the mark", MARK + NIL + good[1:], "invalid_ext", None)
    damaged("a str first", MARK + b"\x96\xa0" + good[2:], "invalid_ext", None)
    damaged("five elements", MARK + b"\x95" + good[1:], "invalid_ext", 0)
    damaged("a wrong type", MARK + b"\x96\1\xc0" + good[3:], "invalid_ext", 0)
    damaged("a reserved marker", MARK + b"\x96\1\xc1" + good[3:], "reserved_marker", 2)
    damaged(
        "a codec that is not UTF-8",
        MARK + block_array(array(b"\7"), 1, codec="xx").replace(b"xx", b"x\xff"),
        "invalid_utf8",
        len(good) - 5 + 2,
    )
    damaged("an unknown codec", MARK + block_array(array(b"\7"), 1, codec="x"), "invalid_ext", 0)
    damaged(
        "an unknown codec and a wrong count",
        MARK + block_array(array(b"\7"), 1, codec="x"),
        "invalid_ext",
        0,
        2,
    )
    damaged(
        "a wrong count and a wrong crc", MARK + block_array(array(b"\7"), 1, crc=1), "invalid_ext", None, 2
    )
    damaged("a count that is wrong in both", MARK + block_array(array(b"\7"), 2), "invalid_ext", 0, 2)
    damaged("data that ends later", MARK + good[:-3] + b"\x03" + good[-2:], "invalid_ext", None)
    damaged("data that ends earlier", MARK + good + b"\0", "invalid_ext", None)
    damaged("a fault in the body", MARK + block_array(array(b"\xc1"), 1), "reserved_marker", 0, 1, 1)
    damaged(
        "a block above max_block",
        MARK + block_array(bytes(101), 1),
        "length_limit",
        0,
        options={"max_block": 100},
    )
    damaged("wrong data", MARK + block_array(array(b"\7"), 1, codec="deflate"), "invalid_ext", 0)
    return topic


def _schemas() -> Files:
    topic = Files("schemas", "schemas in the totals, and values that are not one")
    row = mapping(text_bytes("a"), b"\1")

    def schema(name: str, content: bytes) -> None:
        file = File().rows(row)
        listed = index_array(file.entries, totals(1, schema=content))
        topic.file(name, file.index(listed), [{"map": [[{"str": "a"}, integer(1)]]}])

    def described(*names: str, nullable: bytes = b"\xc2") -> bytes:
        return array(texts(*names), nullable)

    schema("a schema", mapping(text_bytes("a"), described("int")))
    schema(
        "a schema that says what is not true",
        mapping(text_bytes("b.c[]"), described("map", "ext", nullable=b"\xc3")),
    )
    schema("a schema without paths", mapping())
    schema("a schema with further elements", mapping(text_bytes("a"), array(texts("int"), b"\xc2", b"\1")))
    schema("a schema that is nil", NIL)
    schema("a schema that is an array", array(described("int")))
    schema("a schema with a key that is not str", mapping(b"\1", described("int")))
    schema("a schema with nil for a path", mapping(text_bytes("a"), NIL))
    schema("a schema with one element", mapping(text_bytes("a"), array(texts("int"))))
    schema("a schema with a str for the types", mapping(text_bytes("a"), array(text_bytes("int"), b"\xc2")))
    schema("a schema with an integer for a type", mapping(text_bytes("a"), array(array(b"\1"), b"\xc2")))
    schema("a schema with an unknown type", mapping(text_bytes("a"), described("int", "integer")))
    schema("a schema with an integer for nullable", mapping(text_bytes("a"), array(texts("int"), b"\1")))
    return topic
