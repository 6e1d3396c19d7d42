"""Indexes that are not used, or that say what is not there."""

from __future__ import annotations

from ..container_codecs import crc32c
from ..expansion import expand
from ..writer import encode_int
from .build import array, f64, fixstr, i8, integer, join, mapping, repeat, text_bytes
from .container_bytes import (
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
    """Two blocks: 1 and 2 at ``ONE``, 3 at ``TWO``; the index would begin at ``END``."""
    return File().numbers(1, 2).numbers(3)


ONE, TWO = two().marks
END = two().at
SIZE, OTHER = TWO - ONE, END - TWO


def topics() -> list[Files]:
    return [_unused(), _entries(), _schemas()]


AT_ONE = encode_int(ONE), encode_int(SIZE)


def _unused() -> Files:
    topic = Files(
        "unused-indexes", "files whose index is not used: they are read from the front, without an error"
    )
    one, other = two().entries
    good = index_array([one, other], totals(3))
    end = END

    def unused(name: str, content: bytes, points_to: int | None = None, **more: object) -> None:
        file = two().index(content, points_to=points_to)
        topic.file(f"index: {name}", file, numbers(1, 2, 3), index=None, derived=False, **more)

    size = two().index(good).at
    for what, place in (
        ("0", 0), ("the first block", ONE), ("the second block", TWO), ("one byte before the index", end - 1),
        ("one byte after the mark", end + 1), ("the index-array", end + 18), ("the trailer", size - 15),
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
    huge = [entry(ONE, SIZE, 2**53 - 1), other]
    unused("counts of 2^53 together", index_array(huge, totals(2**53)))
    unused("counts beyond 64 bits", index_array([entry(ONE, SIZE, 2**64 - 1), other], totals(0)))
    for what, bad in (
        ("nil", NIL), ("a map", mapping(b"\1", b"\2")), ("an integer", b"\1"), ("of three elements", array(*AT_ONE, b"\2")),
        ("with a str for the offset", array(fixstr("-"), AT_ONE[1], b"\2", NIL)),
        ("with a float for the offset", array(f64(float(ONE)), AT_ONE[1], b"\2", NIL)),
        ("with a size below 0", array(AT_ONE[0], i8(-SIZE), b"\2", NIL)), ("with nil for the count", array(*AT_ONE, NIL, NIL)),
        ("with an array for the stats", array(*AT_ONE, b"\2", array())),
        ("with an integer for the stats", array(*AT_ONE, b"\2", b"\0")),
        ("in the header", entry(ONE - 1, SIZE, 2)), ("at 0", entry(0, SIZE, 2)), ("of 24 bytes", entry(ONE, 24, 2)), ("of 0 bytes", entry(ONE, 0, 2)),
        ("that overlaps the next", entry(ONE, SIZE + 1, 2)), ("that ends in the index", entry(TWO, OTHER + 1, 2)),
        ("that ends beyond the file", entry(ONE, 2**40, 2)), ("that ends beyond 64 bits", entry(ONE, u64_max(), 2)),
        ("beyond the index", entry(end, 30, 2)), ("beyond the file", entry(2**60, SIZE, 2)),
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
    content = MARK[:-1] + b"\0" + good
    file = two().add(content + trailer(end, content))
    found = fault("invalid_container", end)
    skipped = {"on_bad_block": "skip", "ranges": [[end, file.at, found]]}
    topic.file("the mark of another file before the index", file, numbers(1, 2, 3), {"end": found}, skipped)
    file = two().index(good[:-1] + b"\xc1")
    found = fault("reserved_marker", end + 18 + len(good) - 1)
    topic.file("an index with a fault", file, numbers(1, 2, 3), {"end": found})
    content = MARK + good + trailer(0, two().out + MARK + good)
    file = two().add(content + trailer(end, content))
    topic.file("a trailer between the index and its trailer", file, numbers(1, 2, 3), derived=False)
    file = two().index(good).add(NIL)
    found = fault("invalid_container", size)
    skipped = {"on_bad_block": "skip", "ranges": [[size, size + 1, found]]}
    topic.file("a byte after the trailer", file, numbers(1, 2, 3), {"end": found}, skipped)
    topic.file("a block after the trailer", two().index(good).numbers(4), numbers(1, 2, 3, 4))
    content = join(MARK, "94a5696e6465780190", "81a161", repeat("91", 1024), "01")
    deep = join(two().out, content, trailer(end, expand(content)))
    found = fault("depth_limit", end + 18 + 8 + 1 + 3 + 1022)
    topic.file("an index that is nested too deep", deep, numbers(1, 2, 3), {"end": found})
    _checksums(topic, good)
    fake = index_array([entry(ONE, SIZE, 2)], totals(2))
    file = File().numbers(1, 2).rows(blob(MARK + fake))
    inner = file.out.rindex(MARK)
    file.add(trailer(inner, file.out[inner:]))
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


def _checksums(topic: Files, good: bytes) -> None:
    """An index that is right but for the checksum in its trailer, and one whose checksum is right."""
    content = MARK + good
    right = trailer(END, content)
    crc = right[11:]
    for what, last in (
        ("wrong", bytes(3) + b"\1"), ("0", bytes(4)), ("in another order of bytes", crc[::-1]),
        ("that of the index alone", crc32c(content).to_bytes(4, "big")),
        ("that of the index-array", crc32c(good + right[:11]).to_bytes(4, "big")),
        ("that of the whole file", crc32c(two().out + content + right[:11]).to_bytes(4, "big")),
    ):  # fmt: skip
        file = two().add(content + right[:11] + last)
        topic.file(f"the trailer's checksum is {what}", file, numbers(1, 2, 3), index=None, derived=False)
    other = index_array([entry(ONE, SIZE, 2)], totals(2))
    topic.file(
        "the trailer's checksum is that of another index",
        two().add(MARK + other + right),
        numbers(1, 2, 3),
        index=None,
        derived=False,
    )
    short = two().add(content + b"\xd7\x5d" + END.to_bytes(8, "big"))
    found = fault("invalid_container", END + len(content))
    topic.file(
        "an index and a trailer of 8 bytes",
        short,
        numbers(1, 2, 3),
        {"end": found},
        index=None,
        derived=False,
    )
    earlier = two().index(good)
    topic.file(
        "a trailer to an earlier index",
        earlier.add(trailer(END, earlier.out[END:])),
        numbers(1, 2, 3),
        index=None,
        derived=False,
    )


def u64_max() -> int:
    return 2**64 - 1


def _entries() -> Files:
    topic = Files(
        "wrong-entries", "indexes that are used, with entries that are found to be wrong, and damaged blocks"
    )
    one, other = two().entries
    end = END
    wrong = fault("invalid_container", end)

    def entries(name: str, first: bytes, second: bytes, total: int, *reads: dict) -> None:
        file = two().index(index_array([first, second], totals(total)))
        topic.file(name, file, numbers(1, 2, 3), {}, *reads, derived=False)

    for what, offset, size in (
        ("one byte too late", TWO + 1, OTHER - 1), ("one byte too short", TWO, OTHER - 1), ("of 25 bytes", TWO, 25),
        ("in the middle of a block", TWO + 2, 30),
    ):  # fmt: skip
        ranges = [[offset, offset + size, wrong]]
        reads = ({**BY_INDEX, "take": [0, 1], "end": wrong}, {**SKIP, "take": [0, 1], "ranges": ranges})
        entries(f"a listed block {what}", one, entry(offset, size, 1), 3, *reads)
    nothing, short = {**BY_INDEX, "take": [], "end": wrong}, entry(ONE, SIZE - 1, 2)
    ranges = [[ONE, TWO - 1, wrong], [TWO - 1, END, wrong]]
    reads = (nothing, {**SKIP, "take": [], "ranges": ranges})
    entries("a listed block one byte too early", short, entry(TWO - 1, OTHER + 1, 1), 3, *reads)
    reads = (nothing, {**SKIP, "take": [2], "ranges": [[ONE, TWO - 1, wrong]]})
    entries("the first listed block one byte too short", short, other, 3, *reads)
    reads = (nothing, {**SKIP, "take": [], "ranges": [[ONE, TWO, wrong], [TWO, END, wrong]]})
    entries("listed counts of other blocks", entry(ONE, SIZE, 1), entry(TWO, OTHER, 2), 3, *reads)
    reads = (nothing, {**BY_INDEX, "split": [TWO - 5, 1000], "take": [2]})
    entries("a listed count of 2^40", entry(ONE, SIZE, 2**40), other, 2**40 + 1, *reads)
    file = two().index(index_array([other], totals(1)))
    topic.file(
        "a block that is not listed", file, numbers(1, 2, 3), {}, {**BY_INDEX, "take": [2]}, derived=False
    )
    first_end = File().numbers(1, 2).at
    file = File().numbers(1, 2).index()
    middle = file.at
    earlier = entry(first_end, middle - first_end, 1)
    listed = index_array([one, earlier, entry(middle, OTHER, 1)], totals(4))
    file.numbers(3)
    at = file.at
    found = fault("invalid_container", at)
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

    body = array(b"\7")
    good = block_array(body, 1)
    bad = "invalid_container"
    damaged("a wrong crc", MARK + block_array(body, 1, crc=1), bad, 0)
    damaged("no mark", b"\0" * 18 + good, bad, None)
    damaged("the mark of another file", MARK[:-1] + b"\0" + good, bad, None)
    damaged("nil after the mark", MARK + NIL + good[1:], bad, None)
    damaged("a str first", MARK + b"\x95\xa0" + good[2:], bad, None)
    damaged("four elements", MARK + b"\x94" + good[1:], bad, 0)
    damaged("a wrong type", MARK + b"\x95\1\xc0" + good[3:], bad, 0)
    damaged("a further element that is the next mark", MARK + b"\x96" + good[1:], bad, None)
    damaged("the first byte of a mark as a further element", MARK + b"\x96" + good[1:] + b"\xd8", bad, None)
    damaged("a reserved marker", MARK + b"\x95\1\xc1" + good[3:], "reserved_marker", 2)
    codec = MARK + block_array(body, 1, codec="xx").replace(b"xx", b"x\xff")
    damaged("a codec that is not UTF-8", codec, "invalid_utf8", 5)
    damaged(
        "a wrong chunk list", MARK + block_array(body, 1, raw=2).replace(b"\x93\2\2", b"\x92\2\2"), bad, 0
    )
    damaged(
        "sizes that differ from data", MARK + block_array(body, 1).replace(b"\x93\2\2", b"\x93\2\1"), bad, 0
    )
    unknown = MARK + block_array(body, 1, codec="x")
    damaged("an unknown codec", unknown, bad, 0)
    damaged("an unknown codec and a wrong count", unknown, bad, 0, 2)
    damaged("a wrong count and a wrong crc", MARK + block_array(body, 1, crc=1), bad, None, 2)
    damaged("a count that is wrong in both", MARK + block_array(body, 2), bad, 0, 2)
    damaged("data that ends later", MARK + block_array(body + b"\7", 1)[:-1], bad, None)
    damaged("data that ends earlier", MARK + good + b"\0", bad, None)
    damaged("a fault in the body", MARK + block_array(array(b"\xc1"), 1), "reserved_marker", 0, 1, 1)
    large = MARK + block_array(bytes(101), 1)
    damaged("a block above max_block", large, "length_limit", 0, options={"max_block": 100})
    damaged("wrong data", MARK + block_array(body, 1, codec="deflate", data=b"\7"), bad, 0)
    further = block_array(body, 1, more=(b"\xa2xy",))
    damaged("a further element that is cut", MARK + further[:-1], bad, None)
    damaged("a byte after the further elements", MARK + further + b"\0", bad, None)
    damaged("a wrong count, and further elements", MARK + further, bad, None, 2)
    further = block_array(body, 1, more=(b"\1", b"\xc1"))
    damaged(
        "a fault in a further element, and a wrong count",
        MARK + further,
        "reserved_marker",
        len(further) - 1,
        2,
    )
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
