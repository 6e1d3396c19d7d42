"""Files with a fault: each check of blocks in order, and what is between blocks."""

from __future__ import annotations

from ..container_codecs import crc32c
from ..expansion import expanded_length
from ..writer import encode_int
from . import container_frames as frames
from .build import Pieces, array, array_header, ext_bytes, fixstr, i8, join, mapping, repeat, text_bytes, u64
from .columns import columns
from .container_bytes import (
    MARK,
    NIL,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    chunk_list,
    cut,
    fault,
    header,
    index_array,
    numbers,
    totals,
)

# A file with one block, and where the mark and the block-array after it are.
BEFORE = File().numbers(1).out
AT, ARRAY = len(BEFORE), len(BEFORE) + 18
AFTER = MARK + block_array(array(b"\x09"), 1)
GOOD = array(b"\7", b"\x08")


def topics() -> list[Files]:
    return [_blocks(), _chunk_lists(), _data(), _bodies(), _between()]


class Damaged(Files):
    """A topic whose files have one fault between two whole blocks, or at the end."""

    def damaged(self, name: str, content: bytes, kind: str, place: int = 0, /, **more: object) -> None:
        """``content`` is after a mark; the fault is at ``place`` of it."""
        self.fault(name, MARK + content, fault(kind, ARRAY + place), **more)

    def body(self, name: str, content: bytes, found: dict, **more: object) -> None:
        """``content`` is a block-array whose chunks are right, with a fault in its body."""
        self.fault(name, MARK + content, found, **more)

    def fault(self, name: str, content: Pieces, found: dict, **more: object) -> None:
        whole = join(BEFORE, content, AFTER)
        third = expanded_length(whole) - len(AFTER)
        first = {"take": [0], "end": found}
        skipped = {"on_bad_block": "skip", "ranges": [[AT, third, found]]}
        self.file(name, whole, numbers(1, 9), first, skipped, **more)

    def cut(self, name: str, content: bytes, **more: object) -> None:
        """``content`` is after a mark, and the file ends in it."""
        whole = BEFORE + MARK + content
        found = fault("eof", len(whole))
        skipped = {"on_bad_block": "skip", "ranges": [[AT, len(whole), found]]}
        self.file(name, whole, numbers(1), {"end": found}, skipped, **more)

    def last(self, name: str, content: bytes, kind: str, place: int = 0, /, **more: object) -> None:
        """As ``damaged``, with nothing after it."""
        whole = BEFORE + MARK + content
        found = fault(kind, ARRAY + place)
        skipped = {"on_bad_block": "skip", "ranges": [[AT, len(whole), found]]}
        self.file(name, whole, numbers(1), {"end": found}, skipped, **more)


def _elements(*replaced: tuple[int, bytes], count: int = 5) -> bytes:
    """A block-array of rows 7 and 8 with other elements at some places."""
    parts = [b"\1", b"\2", NIL, CHUNKS, blob(GOOD)]
    for place, content in replaced:
        parts[place] = content
    return array_header(count) + b"".join(parts[:count])


def _cut(place: int, content: bytes) -> bytes:
    """The same up to the element at the place, which is replaced."""
    return _elements()[:1] + _elements((place, content), count=place + 1)[1:]


def _numbers(*replaced: tuple[int, bytes]) -> bytes:
    """The same with other numbers in its chunk list."""
    parts = [b"\3", b"\3", encode_int(crc32c(GOOD))]
    for place, content in replaced:
        parts[place] = content
    return _elements((3, array(*parts)))


# The chunk list of these rows.
CHUNKS = chunk_list((3, GOOD))
NO_UINT = (
    ("nil", NIL), ("true", b"\xc3"), ("a float", b"\xcb\x3f\xf0\0\0\0\0\0\0"), ("below 0", b"\xff"), ("int 8 below 0", i8(-1)),
    ("bin", blob(b"\1")), ("array", array(b"\1")), ("map", mapping(b"\1", b"\2")), ("ext", ext_bytes(5, b"\1")),
)  # fmt: skip
IN_LIST = ("the unpacked size", "the size in data", "the crc")


def _blocks() -> Files:
    topic = Damaged("blocks", "block-arrays with a wrong element, or a codec that is not known")
    assert _elements() == _numbers() == block_array(GOOD, 2)
    topic.damaged("an empty array", b"\x90", "invalid_container")
    topic.damaged("four elements", _elements(count=4), "invalid_container")
    topic.damaged("four elements with a fault in them", b"\x94\xc1", "invalid_container")
    for place, element in enumerate(("kind", "count")):
        for what, content in NO_UINT:
            topic.damaged(f"{element} is {what}", _elements((place, content)), "invalid_container")
        if place:
            topic.damaged(f"{element} is str", _elements((place, fixstr("2"))), "invalid_container")
        places = _elements((place, b"\xc1"))
        topic.damaged(f"{element} is reserved", places, "reserved_marker", places.index(b"\xc1"))
    for kind in (2, 3, 4):
        topic.damaged(f"kind {kind}", _elements((0, bytes([kind]))), "invalid_container")
    topic.damaged("kind 2^64 - 1", _elements((0, u64(2**64 - 1))), "invalid_container")
    topic.damaged("codec is int", _elements((2, b"\1")), "invalid_container")
    topic.damaged("codec is bin", _elements((2, blob(b"none"))), "invalid_container")
    topic.damaged("codec of 65 bytes", _elements((2, text_bytes("n" * 65))), "invalid_container")
    codec = _elements((2, b"\xa2n\xff"))
    topic.damaged("codec is not UTF-8", codec, "invalid_utf8", codec.index(b"\xff"))
    for element, place in (("chunks", 3), ("data", 4)):
        for what, content in (
            ("nil", NIL), ("str", text_bytes("abc")), ("ext", ext_bytes(5, b"\1")), ("map", mapping(b"\1", b"\2")),
            ("int", b"\3"), ("array", array(b"\1")), ("bin", blob(b"\1")),
        ):  # fmt: skip
            if what != ("bin" if place == 4 else ""):
                topic.damaged(f"{element} is {what}", _elements((place, content)), "invalid_container")
    topic.damaged("data is reserved", _elements((4, b"\xc1")), "reserved_marker", len(_elements(count=4)))
    topic.last("codec of 2^32 - 1 bytes", _elements((2, b"\xdb\xff\xff\xff\xff"))[:-5], "invalid_container")
    topic.last("a wrong type and a cut", b"\x95\1\xc0", "invalid_container")
    topic.cut("cut in a number", b"\x95\1\xcd\1")
    topic.cut("cut in data", _elements()[:-1])
    _cut_headers(topic)
    topic.cut("an array of 2^32 - 1 elements", b"\xdd\xff\xff\xff\xff" + _elements()[1:])
    topic.damaged(
        "an array of 2^32 - 1 elements, the first of a wrong type",
        b"\xdd\xff\xff\xff\xff\xc0",
        "invalid_container",
    )
    for codec in ("", "NONE", "zstd ", "brotli", "lz4", "x" * 64):
        topic.damaged(f"codec {codec!r}", block_array(GOOD, 2, codec=codec), "invalid_container")
    topic.last("an unknown codec, and data cut", block_array(GOOD, 2, codec="x")[:-1], "invalid_container")
    further = block_array(GOOD, 2, more=(b"\1", b"\xc1"))
    topic.damaged("a further element is reserved", further, "reserved_marker", len(further) - 1)
    further = block_array(GOOD, 2, crc=0, more=(b"\xa1\xff",))
    topic.damaged(
        "a further element is not UTF-8, and a wrong crc", further, "invalid_utf8", len(further) - 1
    )
    topic.cut("a further element is cut", block_array(GOOD, 2, more=(b"\xa2x",)))
    topic.cut("a further element is missing", b"\x96" + block_array(GOOD, 2)[1:])
    topic.damaged("a further element that is a mark", block_array(GOOD, 2, more=(MARK,)), "invalid_container")
    topic.damaged(
        "a block that has the next mark and block as elements",
        b"\x97" + block_array(GOOD, 2)[1:],
        "invalid_container",
    )
    topic.last(
        "a further element that begins as a mark, and a cut",
        block_array(GOOD, 2, more=(b"\xd8\x5d",)),
        "invalid_container",
    )
    topic.cut("the first byte of a mark as a further element", block_array(GOOD, 2, more=(b"\xd8",)))
    deep = join(MARK, b"\x96", block_array(GOOD, 2)[1:], repeat("91", 1024), "90")
    inside = len(block_array(GOOD, 2)) + 1024
    topic.fault("a further element is too deep", deep, fault("depth_limit", ARRAY + inside))
    unknown = File(codec="snappy").numbers(1)
    at = unknown.marks[0] + 18
    found = fault("invalid_container", at)
    skipped = {"on_bad_block": "skip", "take": [], "ranges": [[at - 18, unknown.at, found]]}
    topic.file("the header's codec is not known", unknown, numbers(1), {"take": [], "end": found}, skipped)
    return topic


def _cut_headers(topic: Damaged) -> None:
    """The end of the file in the header of an element, before its type is compared with that of the table."""
    for what, content in (("uint 16", b"\xcd\1"), ("uint 64", b"\xcf" + bytes(7)), ("int 8", b"\xd0")):
        for place, element in enumerate(("kind", "count")):
            whole = _elements((place, content))
            topic.cut(f"{element} is cut in {what}", whole[: whole.index(content) + len(content)])
        for place, element in enumerate(IN_LIST):
            whole = _numbers((place, content))
            topic.cut(f"{element} of a chunk is cut in {what}", whole[: whole.index(content) + len(content)])
    for name, place, content in (
        ("count is cut in a header of str 16", 1, b"\xda\0"),
        ("codec is cut in its header", 2, b"\xd9"),
        ("codec is cut in a header of ext 8", 2, b"\xc7\1"),
        ("codec is cut", 2, b"\xa4no"),
        ("chunks are cut in their header", 3, b"\xdd\0\0\0"),
        ("chunks are cut in a header of map 32", 3, b"\xdf\0\0\0"),
        ("chunks are missing", 3, b""),
        ("data is cut in its header", 4, b"\xc6\0\0\0"),
        ("data is cut in a header of array 16", 4, b"\xdc\0"),
        ("data is missing", 4, b""),
    ):
        topic.cut(name, _cut(place, content))
    topic.cut("the array is cut in its header", b"\xdc\0")


def _chunk_lists() -> Files:
    topic = Damaged("chunk-lists", "chunk lists at fault, and sizes above max_block")
    for place, element in enumerate(IN_LIST):
        for what, content in (*NO_UINT, ("str", fixstr("3"))):
            topic.damaged(f"{element} is {what}", _numbers((place, content)), "invalid_container")
        places = _numbers((place, b"\xc1"))
        topic.damaged(f"{element} is reserved", places, "reserved_marker", places.index(b"\xc1"))
    topic.damaged("a crc of 2^32", _numbers((2, u64(2**32))), "invalid_container")
    topic.damaged("a crc of 2^64 - 1", _numbers((2, u64(2**64 - 1))), "invalid_container")
    crc = CHUNKS[3:]
    for count in (1, 2, 4, 5):
        numbers_ = [b"\3", b"\3", crc, b"\0", b"\0"][:count]
        topic.damaged(f"a list of {count}", _elements((3, array(*numbers_))), "invalid_container")
    topic.damaged(
        "a list of four, all of them wrong", _elements((3, b"\x94\xc1\xc1\xc1\xc1")), "invalid_container"
    )
    topic.damaged("no chunks, and data", _elements((3, b"\x90")), "invalid_container")
    topic.damaged("one chunk, and no data", _elements((4, blob(b""))), "invalid_container")
    topic.damaged("a size in data of one less", _numbers((1, b"\2")), "invalid_container")
    topic.damaged("a size in data of one more", _numbers((1, b"\4")), "invalid_container")
    topic.damaged(
        "a second chunk beyond data", _elements((3, chunk_list((3, GOOD), (1, b"\0")))), "invalid_container"
    )
    topic.damaged("data beyond the chunks", _elements((4, blob(GOOD + b"\0"))), "invalid_container")
    topic.last("sizes that differ, and data cut", _numbers((1, b"\2"))[:-1], "invalid_container")
    for name, content in (
        ("2^32 - 2", b"\xdd\xff\xff\xff\xfe"), ("2^32 - 1", b"\xdd\xff\xff\xff\xff"), ("12291", b"\xdc\x30\3"), ("12289", b"\xdc\x30\1"),
    ):  # fmt: skip
        topic.last(f"a chunk list that announces {name} numbers", _cut(3, content), "invalid_container")
    topic.cut("a chunk list that announces 12288 numbers", _cut(3, b"\xdc\x30\0\3\3"))
    for count, found in ((4096, None), (4097, fault("invalid_container", ARRAY))):
        before, listed = _cut(3, b"\xdc" + (3 * count).to_bytes(2, "big")), chunk_list((3, GOOD))[1:]
        whole = join(MARK, before, repeat("000000", count - 1), listed, blob(GOOD))
        if found:
            topic.fault(f"{count} chunks", whole, found)
        else:
            topic.file(f"{count} chunks", join(BEFORE, whole), numbers(1, 7, 8), derived=False)
    _sizes(topic)
    return topic


def _sizes(topic: Damaged) -> None:
    """Sums of sizes above ``max_block``."""
    small = {"options": {"max_block": 40}}
    wide = u64(2**64 - 1)
    topic.damaged("an unpacked size above max_block", _numbers((0, b"\x29")), "length_limit", **small)
    topic.damaged("an unpacked size of 2^64 - 1", _numbers((0, wide)), "length_limit")
    topic.damaged("a size in data of 2^64 - 1", _numbers((1, wide)), "length_limit")
    zero = [(b"\0", b"\0")]
    for name, sizes in (
        ("unpacked sizes whose sum wraps to 3", [(wide, b"\3"), (b"\4", b"\0")]),
        (
            "unpacked sizes whose sum wraps to 0",
            [(b"\3", b"\3"), (u64(2**63), b"\0"), (u64(2**63 - 3), b"\0")],
        ),
        ("sizes in data whose sum wraps to 3", [(b"\3", wide), (b"\0", b"\4")]),
        (
            "unpacked sizes above max_block together",
            [(u64(2**25), b"\3"), (u64(2**25), b"\0"), (b"\1", b"\0")],
        ),
    ):
        parts = [part for one, other in [*sizes, *zero] for part in (one, other, b"\0")]
        topic.damaged(name, _elements((3, array(*parts))), "length_limit")
    two = chunk_list((20, GOOD[:1]), (21, GOOD[1:]))
    topic.damaged("two chunks above max_block together", _elements((3, two)), "length_limit", **small)
    large = block_array(GOOD, 2, data=bytes(41), codec="deflate")
    topic.damaged("data above max_block", large, "length_limit", **small)
    topic.damaged(
        "data above max_block, without chunks",
        _elements((3, b"\x90"), (4, blob(bytes(41)))),
        "length_limit",
        **small,
    )
    topic.last("data of 2^32 - 1 bytes", _elements((4, b"\xc6\xff\xff\xff\xff")), "length_limit")
    content = _elements((2, fixstr("x")), (3, array(b"\x29", b"\2", b"\0")))
    topic.damaged(
        "above max_block, of an unknown codec, and sizes that differ", content, "length_limit", **small
    )
    body = array_header(37) + b"\1" * 37
    chunks = cut(body, 10, 20)
    topic.file(
        "chunks of max_block together", File().block(body, 37, chunks=chunks), numbers(*[1] * 37), **small
    )


def _data() -> Files:
    topic = Damaged("data", "chunks with a wrong crc, and chunks that do not unpack to their size")
    topic.damaged("the crc is wrong", block_array(GOOD, 2, crc=5), "invalid_container")
    stored, frame = frames.deflate_stored(GOOD), frames.stored(GOOD)
    topic.damaged(
        "the crc is that of the body",
        block_array(GOOD, 2, codec="deflate", data=stored, crc=crc32c(GOOD)),
        "invalid_container",
    )
    first = chunk_list(*cut(GOOD, 1)).replace(encode_int(crc32c(GOOD[:1])), encode_int(7))
    topic.damaged("the crc of the first of two chunks is wrong", _elements((3, first)), "invalid_container")
    last = chunk_list(*cut(GOOD, 1)).replace(encode_int(crc32c(GOOD[1:])), encode_int(7))
    topic.damaged("the crc of the second of two chunks is wrong", _elements((3, last)), "invalid_container")
    topic.damaged(
        "the crc of a chunk of no bytes is wrong",
        _elements((3, array(CHUNKS[1:2], CHUNKS[2:3], CHUNKS[3:], b"\0", b"\0", b"\1"))),
        "invalid_container",
    )
    topic.damaged(
        "a wrong crc before a fault in the body", block_array(b"\xc1", 1, crc=5), "invalid_container"
    )
    wrong = fault("invalid_container", ARRAY)
    topic.body("none, unpacked to less than the bytes of data", block_array(GOOD, 2, raw=2), wrong)
    topic.body("none, unpacked to more than the bytes of data", block_array(GOOD, 2, raw=4), wrong)
    topic.body(
        "none, two chunks whose sizes are exchanged",
        block_array(GOOD, 2, chunks=[(2, GOOD[:1]), (1, GOOD[1:])]),
        wrong,
    )
    repeated = frames.zstd((0, GOOD, 3), (1, b"\1", 1000))
    cases = (
        ("deflate", "no bytes", b""), ("deflate", "a wrong block type", b"\7"),
        ("deflate", "a cut stream", frames.deflate_stored(GOOD, last=False)), ("deflate", "a cut block", stored[:-1]),
        ("deflate", "a byte after the stream", stored + b"\0"), ("deflate", "a stream after the stream", stored * 2),
        ("deflate", "a byte too much", frames.deflate_stored(GOOD + b"\0")),
        ("deflate", "a byte too few", frames.deflate_stored(GOOD[:2])), ("deflate", "a zlib header", b"\x78\x9c" + stored),
        ("zstd", "no bytes", b""), ("zstd", "a wrong magic number", b"\x29" + frame[1:]), ("zstd", "a cut frame", frame[:-1]),
        ("zstd", "a byte after the frame", frame + b"\0"), ("zstd", "a frame too much", frame * 2),
        ("zstd", "a byte too much", frames.stored(GOOD + b"\0")), ("zstd", "a byte too few", frames.stored(GOOD[:2])),
        ("zstd", "a reserved block", frames.zstd((3, GOOD, 3))), ("zstd", "1000 bytes too much", repeated),
        ("zstd", "a wrong announced size", frames.stored(GOOD, announced=4)),
    )  # fmt: skip
    for codec, what, data in cases:
        needs = {"needs": [codec]} if codec == "zstd" else {}
        content = block_array(GOOD, 2, codec=codec, data=data)
        topic.body(f"{codec}, {what}", content, wrong, **needs)
    streams = [(2, frames.deflate_stored(GOOD)), (1, frames.deflate_stored(b""))]
    content = block_array(GOOD, 2, codec="deflate", chunks=streams)
    topic.body("deflate, chunks that only together have the size", content, wrong)
    streams = [(2, stored[:4]), (1, stored[4:])]
    topic.body(
        "deflate, one stream in two chunks", block_array(GOOD, 2, codec="deflate", chunks=streams), wrong
    )
    content = block_array(GOOD, 2, codec="zstd", chunks=[(3, frame), (0, b"\0")])
    topic.body("zstd, a chunk of no bytes, which is not a frame", content, wrong, needs=["zstd"])
    return topic


def _bodies() -> Files:
    topic = Damaged("damaged-bodies", "bodies with a fault, with its offset in the body, and wrong counts")

    def bad(name: str, body: bytes, count: int, error: str, inside: int, **more: object) -> None:
        topic.body(name, block_array(body, count, **more), fault(error, ARRAY, inside))

    bad("rows, no bytes", b"", 0, "eof", 0)
    bad("rows, cut", b"\x92\1", 2, "eof", 2)
    bad("rows, a reserved marker", b"\x92\1\xc1", 2, "reserved_marker", 2)
    bad("rows, bytes after the array", array(b"\1") + b"\2", 1, "trailing_bytes", 2)
    bad("rows, bytes after a map", mapping(b"\1", b"\2") + b"\3", 1, "trailing_bytes", 3)
    bad("rows, bytes after nil", NIL + b"\xc1", 0, "trailing_bytes", 1)
    bad("rows, bytes after an integer", b"\1\2", 1, "trailing_bytes", 1)
    bad("rows, not UTF-8", array(b"\xa2a\xff"), 1, "invalid_utf8", 3)
    bad("rows, a timestamp", array(ext_bytes(-1, b"\1")), 1, "invalid_timestamp", 1)
    bad("rows, an announced size", b"\xdd\xff\xff\xff\xff\1", 2**32 - 1, "eof", 6)
    bad(
        "rows, columns",
        array(b"\1", columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 02", "07")),
        2,
        "invalid_ext",
        2,
    )
    bad(
        "rows, columns instead of an array",
        columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 02", "07"),
        32,
        "invalid_ext",
        0,
    )
    bad(
        "rows, columns of numbers with a depth of 0",
        columns(3, 3, 0, "07 02 01 20 02 00 02", "01 02"),
        2,
        "invalid_ext",
        0,
    )
    bad(
        "rows, deflate",
        b"\x91\xc1",
        1,
        "reserved_marker",
        1,
        codec="deflate",
        data=frames.deflate_stored(b"\x91\xc1"),
    )
    bad("messages, cut", b"\1\x92\2", 2, "eof", 3, kind=0)
    bad("messages, a reserved marker", b"\1\2\xc1\3", 4, "reserved_marker", 2, kind=0)
    bad("messages, a fault after the last one", b"\1\2\xc1", 2, "reserved_marker", 2, kind=0)
    bad("messages, a fault before a wrong count", b"\1\xc1", 9, "reserved_marker", 1, kind=0)
    bad(
        "two chunks, a fault in the second",
        b"\x92\1\xc1",
        2,
        "reserved_marker",
        2,
        chunks=cut(b"\x92\1\xc1", 2),
    )
    wrong = fault("invalid_container", ARRAY)
    for name, count in (("one less", 1), ("one more", 3), ("0", 0), ("2^32", 2**32), ("2^64 - 1", 2**64 - 1)):
        topic.body(f"rows, the count is {name}", block_array(GOOD, count), wrong)
        topic.body(f"messages, the count is {name}", block_array(b"\1\2", count, kind=0), wrong)
    for name, body, count in (
        ("rows, a map", mapping(b"\1", b"\2"), 1), ("rows, nil", NIL, 0), ("rows, an integer", b"\1", 1),
        ("rows, a definition", ext_bytes(0x72, b"\x40"), 1), ("rows, columns of a later version", ext_bytes(92, b"\2"), 1),
    ):  # fmt: skip
        topic.body(name, block_array(body, count), wrong)
    topic.body("messages, no bytes", block_array(b"", 1, kind=0), wrong)
    _skipped(topic)
    deep = array_header(1) + b"\x91" * 1023 + b"\x90"
    found = fault("depth_limit", ARRAY, 1024)
    content = join(MARK, block_array(deep, 1)[: -len(deep)], repeat("91", 1024), "90")
    topic.fault("rows, too deep", content, found)
    return topic


def _skipped(topic: Damaged) -> None:
    """After a fault of a body a reader goes on at the end of the block, after others at the next mark."""
    forged = MARK + block_array(array(b"\x55"), 1)
    for name, body, count, found in (
        ("a wrong count", array(blob(forged)), 2, fault("invalid_container", ARRAY)),
        (
            "a fault in the body",
            array(blob(forged), b"\xc1"),
            2,
            fault("reserved_marker", ARRAY, 3 + len(forged)),
        ),
    ):
        topic.body(f"{name}, and a block in the data", block_array(body, count), found)
    content = array(blob(forged))
    unpacks = block_array(content, 1, codec="deflate", data=content + b"\0")
    topic.body("data that does not unpack, and a block in it", unpacks, fault("invalid_container", ARRAY))
    whole = BEFORE + MARK + block_array(b"\xc1", 1)
    found = [fault("reserved_marker", ARRAY, 0), fault("invalid_container", len(whole))]
    ranges = [[AT, len(whole), found[0]], [len(whole), len(whole) + 1, found[1]]]
    first = {"take": [0], "end": found[0]}
    skipped = {"on_bad_block": "skip", "ranges": ranges}
    topic.file(
        "a fault in the body, and no mark after the block", whole + NIL + AFTER, numbers(1, 9), first, skipped
    )
    ranges = [[AT, len(whole), found[0]]]
    end = {"on_bad_block": "skip", "ranges": ranges}
    topic.file("a fault in the last body", whole, numbers(1), {"end": found[0]}, end)


def _between() -> Files:
    topic = Damaged("between", "faults after the header, a block, an index or a trailer, and after a mark")

    def wrong(name: str, content: bytes) -> None:
        topic.fault(name, content, fault("invalid_container", AT))

    wrong("nil instead of a mark", NIL)
    wrong("a reserved byte instead of a mark", b"\xc1")
    wrong("an ext of another type", b"\xd8\x5e" + SYNC)
    wrong("another sync", MARK[:-1] + b"\0" + block_array(GOOD, 2))
    wrong("a mark in a wider format", b"\xc7\x10\x5d" + SYNC + block_array(GOOD, 2))
    wrong("another ext of 12 bytes", b"\xc7\x0c\x5e" + bytes(12))
    wrong("a trailer of 8 bytes", b"\xd7\x5d" + bytes(8))
    wrong("a block without a mark", block_array(GOOD, 2))
    wrong("a second header", header())
    wrong("the end of a mark", MARK[1:])
    for what, content in (
        ("nil", NIL), ("map", mapping(b"\1", b"\2")), ("bin", blob(b"\1")), ("a reserved byte", b"\xc1"), ("ext", ext_bytes(5, b"\1")),
        ("a mark", MARK), ("str", text_bytes("index")),
    ):  # fmt: skip
        topic.damaged(f"a mark before {what}", content, "invalid_container")
    topic.cut("a mark at the end", b"")
    topic.cut("a mark before a cut array", b"\xdc\0")
    topic.cut("a mark before an array without its first element", b"\x95")
    index = index_array([], totals(0))
    topic.damaged("an index with a reserved marker", index[:-1] + b"\xc1", "reserved_marker", len(index) - 1)
    topic.damaged("an index that is not UTF-8", b"\x92\xa2a\xff\1", "invalid_utf8", 3)
    topic.cut("an index that is cut", index[:-1])
    topic.cut("an index that announces 2^32 - 1 elements", b"\xdd\xff\xff\xff\xff" + index[1:])
    reserved = b"\xdd\xff\xff\xff\xff" + index[1:] + b"\xc1"
    topic.damaged(
        "an index that announces 2^32 - 1 elements, one is reserved",
        reserved,
        "reserved_marker",
        len(reserved) - 1,
    )
    topic.damaged(
        "a fifth element of an index that is a mark", b"\x95" + index[1:] + MARK, "invalid_container"
    )
    topic.last(
        "a fifth element of an index that begins as a mark, and a cut",
        b"\x95" + index[1:] + b"\xd8\x5d",
        "invalid_container",
    )
    start = b"\x94" + text_bytes("index") + b"\1"
    for what, content in (
        ("blocks, none of them there", b"\xdd\xff\xff\xff\xff"),
        ("blocks, one of them there", b"\xdd\xff\xff\xff\xff\x94\x32\x20\1\xc0"),
        ("totals", b"\x90\xdf\xff\xff\xff\xff"),
        ("bytes", b"\xc6\xff\xff\xff\xff\0"),
    ):
        topic.cut(f"an index that announces 2^32 - 1 {what}", start + content)
    for name, content in (
        ("an array of a str", b"\x91\xa0"), ("an array that begins with a str", array(text_bytes("x"), b"\1", array(b"\2"))),
        ("an index of another version", array(text_bytes("index"), b"\2")), ("records and columns in an index", array(text_bytes("index"), ext_bytes(0x72, b"\1"), ext_bytes(92, b"\1"))),
    ):  # fmt: skip
        whole = BEFORE + MARK + content + AFTER
        topic.file(f"{name} is passed over", whole, numbers(1, 9))
    deep = join(BEFORE, MARK, "92a0", repeat("91", 1024), "01", AFTER)
    found = fault("depth_limit", ARRAY + 2 + 1023)
    third = ARRAY + 2 + 1025
    topic.file(
        "an index that is too deep",
        deep,
        numbers(1, 9),
        {"take": [0], "end": found},
        {"on_bad_block": "skip", "ranges": [[AT, third, found]]},
    )
    two = File().numbers(1)
    at = two.at
    bad = MARK + block_array(GOOD, 2, crc=0)
    two.add(bad).add(NIL)
    middle = two.at
    two.add(MARK + block_array(array(b"\5"), 1))
    last = two.at
    two.add(b"\xc1\xc1")
    ranges = [
        [at, middle, fault("invalid_container", at + 18)],
        [last, two.at, fault("invalid_container", last)],
    ]
    topic.file(
        "several faults", two, numbers(1, 5), {"take": [0], "end": fault("invalid_container", at + 18)},
        {"on_bad_block": "skip", "ranges": ranges},
    )  # fmt: skip
    two = File().numbers(1)
    at = two.at
    two.add(bad * 2)
    two.add(MARK + block_array(array(b"\xc1"), 1))
    body = two.at
    two.add(AFTER)
    body -= len(MARK + block_array(array(b"\xc1"), 1))
    ranges = [
        [at, body, fault("invalid_container", at + 18)],
        [body, two.at - len(AFTER), fault("reserved_marker", body + 18, 1)],
    ]
    topic.file(
        "bad blocks one after another", two, numbers(1, 9), {"take": [0], "end": fault("invalid_container", at + 18)},
        {"on_bad_block": "skip", "ranges": ranges},
    )  # fmt: skip
    first = File().add(b"\xc1").numbers(1)
    at = len(header())
    found = fault("invalid_container", at)
    skipped = {"on_bad_block": "skip", "ranges": [[at, at + 1, found]]}
    topic.file("a fault after the header", first, numbers(1), {"take": [], "end": found}, skipped)
    return topic
