"""Files with a fault: each check of blocks in order, headers, and what is between blocks."""

from __future__ import annotations

from expansion import expanded_length
from generator import container_frames as frames
from generator.build import (
    Pieces,
    array,
    array_header,
    ext_bytes,
    fixstr,
    i8,
    join,
    mapping,
    repeat,
    text_bytes,
    u64,
)
from generator.columns import columns
from generator.container_bytes import (
    MARK,
    NIL,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    fault,
    header,
    index_array,
    numbers,
    options,
    texts,
    totals,
)

# A file with one block: the block after it has its mark at 77 and its block-array at 95.
BEFORE = File().numbers(1).out
AT, ARRAY = len(BEFORE), len(BEFORE) + 18
AFTER = MARK + block_array(array(b"\x09"), 1)
GOOD = array(b"\7", b"\x08")


def topics() -> list[Files]:
    return [_blocks(), _data(), _bodies(), _headers(), _between()]


class Damaged(Files):
    """A topic whose files have one fault between two whole blocks, or at the end."""

    def damaged(
        self,
        name: str,
        content: bytes,
        kind: str,
        place: int = 0,
        inside: int | None = None,
        /,
        **more: object,
    ) -> None:
        """``content`` is after a mark; the fault is at ``place`` of it."""
        found = fault(kind, ARRAY + place, inside)
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


def _elements(*replaced: tuple[int, bytes], count: int = 6) -> bytes:
    """A block-array of rows 7 and 8 with other elements at some places."""
    whole = block_array(GOOD, 2)
    parts = [whole[1:2], whole[2:3], whole[3:4], whole[4:9], NIL, blob(GOOD)]
    for place, content in replaced:
        parts[place] = content
    return array_header(count) + b"".join(parts[:count])


def _blocks() -> Files:
    topic = Damaged(
        "blocks", "block-arrays with a wrong element, a size above max_block, or a codec that is not known"
    )
    assert _elements() == block_array(GOOD, 2)
    topic.damaged("an empty array", b"\x90", "invalid_ext")
    topic.damaged("five elements", _elements(count=5), "invalid_ext")
    topic.damaged("five elements with a fault in them", b"\x95\xc1", "invalid_ext")
    bad = (
        ("nil", NIL), ("true", b"\xc3"), ("a float", b"\xcb\x3f\xf0\0\0\0\0\0\0"), ("below 0", b"\xff"), ("int 8 below 0", i8(-1)),
        ("bin", blob(b"\1")), ("array", array(b"\1")), ("map", mapping(b"\1", b"\2")), ("ext", ext_bytes(5, b"\1")),
    )  # fmt: skip
    for place, element in enumerate(("kind", "count", "raw", "crc")):
        for what, content in bad:
            topic.damaged(f"{element} is {what}", _elements((place, content)), "invalid_ext")
        if place:
            topic.damaged(f"{element} is str", _elements((place, fixstr("2"))), "invalid_ext")
        places = _elements((place, b"\xc1"))
        topic.damaged(f"{element} is reserved", places, "reserved_marker", places.index(b"\xc1"))
    topic.damaged("kind 4", _elements((0, b"\4")), "invalid_ext")
    topic.damaged("kind 2^64 - 1", _elements((0, u64(2**64 - 1))), "invalid_ext")
    topic.damaged("crc 2^32", _elements((3, u64(2**32))), "invalid_ext")
    topic.damaged("codec is int", _elements((4, b"\1")), "invalid_ext")
    topic.damaged("codec is bin", _elements((4, blob(b"none"))), "invalid_ext")
    topic.damaged("codec of 65 bytes", _elements((4, text_bytes("n" * 65))), "invalid_ext")
    codec = _elements((4, b"\xa2n\xff"))
    topic.damaged("codec is not UTF-8", codec, "invalid_utf8", codec.index(b"\xff"))
    for what, content in (
        ("nil", NIL),
        ("str", text_bytes("abc")),
        ("array", array(b"\1")),
        ("ext", ext_bytes(5, b"\1")),
    ):
        topic.damaged(f"data is {what}", _elements((5, content)), "invalid_ext")
    topic.damaged("kind 2 with six elements", b"\x96\2" + _elements()[2:], "invalid_ext")
    topic.damaged("kind 3 with six elements", b"\x96\3" + _elements()[2:], "invalid_ext")
    for what, content in (
        ("nil", NIL),
        ("str", b"\xa0"),
        ("8 bytes", blob(bytes(8))),
        ("not 00", blob(b"\0\0\1")),
    ):
        content = b"\x97\3" + _elements((5, content + blob(GOOD)))[2:]
        topic.damaged(f"padding is {what}", content, "invalid_ext")
    topic.last("codec of 2^32 - 1 bytes", _elements((4, b"\xdb\xff\xff\xff\xff"))[:-5], "invalid_ext")
    topic.last(
        "padding of 2^32 - 1 bytes", b"\x97\3" + _elements((5, b"\xc6\xff\xff\xff\xff"))[2:], "invalid_ext"
    )
    topic.last("a wrong type and a cut", b"\x96\1\xc0", "invalid_ext")
    topic.cut("cut in a number", b"\x96\1\xcd\1")
    topic.cut("cut in data", _elements()[:-1])
    _cut_headers(topic)
    topic.cut("an array of 2^32 - 1 elements", b"\xdd\xff\xff\xff\xff" + _elements()[1:])
    topic.damaged(
        "an array of 2^32 - 1 elements, the first of a wrong type", b"\xdd\xff\xff\xff\xff\xc0", "invalid_ext"
    )
    small = {"options": {"max_block": 40}}
    topic.damaged("raw above max_block", _elements((2, b"\x29")), "length_limit", **small)
    topic.damaged("raw 2^64 - 1", _elements((2, u64(2**64 - 1))), "length_limit")
    large = block_array(GOOD, 2, data=bytes(41), codec="deflate")
    topic.damaged("data above max_block", large, "length_limit", **small)
    topic.last("data of 2^32 - 1 bytes", _elements((5, b"\xc6\xff\xff\xff\xff")), "length_limit")
    topic.damaged(
        "raw above max_block, of an unknown codec",
        _elements((2, b"\x29"), (4, fixstr("x"))),
        "length_limit",
        **small,
    )
    topic.file(
        "raw and data of max_block",
        File().block(array_header(37) + b"\1" * 37, 37),
        numbers(*[1] * 37),
        **small,
    )
    for codec in ("", "NONE", "zstd ", "brotli", "x" * 64):
        topic.damaged(f"codec {codec!r}", block_array(GOOD, 2, codec=codec), "invalid_ext")
    topic.last("an unknown codec, and data cut", block_array(GOOD, 2, codec="x")[:-1], "invalid_ext")
    further = block_array(GOOD, 2, more=(b"\1", b"\xc1"))
    topic.damaged("a further element is reserved", further, "reserved_marker", len(further) - 1)
    further = block_array(GOOD, 2, more=(b"\xa1\xff",))
    topic.damaged("a further element is not UTF-8", further, "invalid_utf8", len(further) - 1)
    topic.cut("a further element is cut", block_array(GOOD, 2, more=(b"\xa2x",)))
    topic.cut("a further element is missing", b"\x97" + block_array(GOOD, 2)[1:])
    unknown = File(codec="snappy").numbers(1)
    at = unknown.marks[0] + 18
    skipped = {
        "on_bad_block": "skip",
        "take": [],
        "ranges": [[at - 18, unknown.at, fault("invalid_ext", at)]],
    }
    topic.file(
        "the header's codec is not known",
        unknown,
        numbers(1),
        {"take": [], "end": fault("invalid_ext", at)},
        skipped,
    )
    return topic


def _cut_headers(topic: Damaged) -> None:
    """The end of the file in the header of an element, before its type is compared with that of the table."""
    for what, content in (("uint 16", b"\xcd\1"), ("uint 64", b"\xcf" + bytes(7)), ("int 8", b"\xd0")):
        for place, element in enumerate(("kind", "count", "raw", "crc")):
            whole = _elements((place, content))
            topic.cut(f"{element} is cut in {what}", whole[: whole.index(content) + len(content)])
    for name, place, content in (
        ("count is cut in a header of str 16", 1, b"\xda\0"),
        ("raw is cut in a header of map 32", 2, b"\xdf\0\0\0"),
        ("codec is cut in its header", 4, b"\xd9"),
        ("codec is cut in a header of ext 8", 4, b"\xc7\1"),
        ("codec is cut", 4, b"\xa4no"),
        ("data is cut in its header", 5, b"\xc6\0\0\0"),
        ("data is cut in a header of array 16", 5, b"\xdc\0"),
    ):
        whole = _elements((place, content))
        topic.cut(name, whole[: whole.index(content) + len(content)])
    topic.cut("the array is cut in its header", b"\xdc\0")
    padded = b"\x97\3" + _elements()[2:-5]
    topic.cut("padding is cut in its header", padded + b"\xc5\0")
    topic.cut("padding is cut", padded + b"\xc4\3\0")


def _data() -> Files:
    topic = Damaged("data", "data with a wrong crc, and data that does not unpack to raw bytes")
    topic.damaged("the crc is wrong", block_array(GOOD, 2, crc=5), "invalid_ext")
    topic.damaged(
        "the crc is that of the body",
        block_array(GOOD, 2, codec="deflate", data=frames.deflate_stored(GOOD), crc=1),
        "invalid_ext",
    )
    topic.damaged("none, raw is less than the bytes of data", block_array(GOOD, 2, raw=2), "invalid_ext")
    topic.damaged("none, raw is more than the bytes of data", block_array(GOOD, 2, raw=4), "invalid_ext")
    stored = frames.deflate_stored(GOOD)
    frame = frames.stored(GOOD)
    repeated = frames.zstd((0, GOOD, 3), (1, b"\1", 1000))
    lz4 = frames.lz4((GOOD, False), content=GOOD)
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
        ("lz4", "no bytes", b""), ("lz4", "a wrong magic number", b"\5" + lz4[1:]), ("lz4", "a cut frame", lz4[:-1]),
        ("lz4", "a frame after the frame", lz4 * 2), ("lz4", "a byte after the frame", lz4 + b"\0"),
        ("lz4", "a byte too much", frames.lz4((GOOD + b"\0", False), content=GOOD + b"\0")),
        ("lz4", "a byte too few", frames.lz4((GOOD[:2], False), content=GOOD[:2])),
        ("lz4", "a distance beyond the beginning", frames.lz4((b"\x10\x93\2\0\0", True), content=GOOD, flags=0x60)),
    )  # fmt: skip
    for codec, what, data in cases:
        needs = {"needs": [codec]} if codec in ("zstd", "lz4") else {}
        topic.damaged(
            f"{codec}, {what}", block_array(GOOD, 2, codec=codec, data=data), "invalid_ext", **needs
        )
    return topic


def _bodies() -> Files:
    topic = Damaged("damaged-bodies", "bodies with a fault, with its offset in the body, and wrong counts")

    def bad(name: str, body: bytes, count: int, error: str, inside: int, **more: object) -> None:
        topic.damaged(name, block_array(body, count, **more), error, 0, inside)

    bad("rows, no bytes", b"", 0, "eof", 0)
    bad("rows, cut", b"\x92\1", 2, "eof", 2)
    bad("rows, a reserved marker", b"\x92\1\xc1", 2, "reserved_marker", 2)
    bad("rows, a reserved marker in kind 3", b"\x92\1\xc1", 2, "reserved_marker", 2, kind=3, padding=b"\0\0")
    bad("rows, bytes after the array", array(b"\1") + b"\2", 1, "trailing_bytes", 2)
    bad("rows, bytes after a map", mapping(b"\1", b"\2") + b"\3", 1, "trailing_bytes", 3)
    bad("rows, bytes after nil", NIL + b"\xc1", 0, "trailing_bytes", 1)
    bad("rows, bytes after an integer", b"\1\2", 1, "trailing_bytes", 1)
    bad("rows, not UTF-8", array(b"\xa2a\xff"), 1, "invalid_utf8", 3)
    bad("rows, a timestamp", array(ext_bytes(-1, b"\1")), 1, "invalid_timestamp", 1)
    bad("rows, a definition", array(ext_bytes(0x72, b"\1")), 1, "record_malformed", 1)
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
        "messages of kind 2, a reserved marker",
        b"\1\2\xc1\3",
        4,
        "reserved_marker",
        2,
        kind=2,
        padding=b"\0\0\0",
    )
    bad("messages, an id that is not whole", b"\xd5\x72\x60\0\x91\xa1a\1\x60", 2, "eof", 9, kind=0)
    for name, count in (("one less", 1), ("one more", 3), ("0", 0), ("2^32", 2**32), ("2^64 - 1", 2**64 - 1)):
        topic.damaged(f"rows, the count is {name}", block_array(GOOD, count), "invalid_ext")
        topic.damaged(f"messages, the count is {name}", block_array(b"\1\2", count, kind=0), "invalid_ext")
    topic.damaged("rows, a map", block_array(mapping(b"\1", b"\2"), 1), "invalid_ext")
    topic.damaged("rows, a record", block_array(b"\xd4\x72\x40\x91\xa1a\1", 1), "invalid_ext")
    topic.damaged("rows, nil", block_array(NIL, 0), "invalid_ext")
    topic.damaged("rows, an integer", block_array(b"\1", 1), "invalid_ext")
    topic.damaged("messages, no bytes", block_array(b"", 1, kind=0), "invalid_ext")
    deep = array_header(1) + b"\x91" * 1023 + b"\x90"
    found = fault("depth_limit", ARRAY, 1024)
    content = join(MARK, block_array(deep, 1)[: -len(deep)], repeat("91", 1024), "90")
    topic.fault("rows, too deep", content, found)
    return topic


def _headers() -> Files:
    topic = Files("headers", "files that are not opened")
    start = header()[:10]
    good = options(sync=blob(SYNC))
    topic.unopened("no bytes", b"", "eof", 0)
    topic.unopened("the first nine bytes", start[:9], "eof", 9)
    topic.unopened("the first ten bytes", start, "eof", 10)
    topic.unopened("another array", b"\x94" + start[1:] + good, "invalid_ext", 0)
    topic.unopened("another name", start[:8] + b"D" + start[9:] + good, "invalid_ext", 0)
    topic.unopened("another version", start[:9] + b"\2" + good, "invalid_ext", 0)
    topic.unopened("a wider format", b"\xdc\0\3" + start[1:] + good, "invalid_ext", 0)
    topic.unopened("another byte in a short file", b"\x93\xa7P", "invalid_ext", 0)
    topic.unopened("a block first", MARK + block_array(GOOD, 2) + header(), "invalid_ext", 0)
    for what, content in (("nil", NIL), ("array", array(b"\1")), ("bin", blob(good)), ("reserved", b"\xc1")):
        topic.unopened(f"the options are {what}", start + content, "invalid_ext", 10)
    topic.unopened("no sync", start + options(codec=text_bytes("none")), "invalid_ext", 10)
    topic.unopened("no options", start + b"\x80", "invalid_ext", 10)
    topic.unopened("cut in the options", start + good[:-1], "eof", 26 + len(good) - 17)
    topic.unopened(
        "a reserved marker in the options", start + options(x=b"\xc1", sync=blob(SYNC)), "reserved_marker", 13
    )
    topic.unopened("a key that is not UTF-8", start + b"\x82\xa1\xff\1" + good[1:], "invalid_utf8", 12)
    topic.unopened(
        "too many options announced", start + b"\xdf\xff\xff\xff\xff" + good[1:], "length_limit", 10
    )
    topic.unopened("more options announced than there are", start + b"\x83" + good[1:], "eof", 10 + len(good))
    topic.unopened(
        "a fault after more options than bytes are announced", start + b"\x83\xa4sy\0\xc0", "eof", 16
    )
    topic.unopened(
        "an option of 4 GiB", start + b"\x82" + good[1:] + b"\xa1x\xc6\xff\xff\xff\xff", "length_limit", 10
    )
    small = {"options": {"max_block": 24}}
    topic.unopened(
        "options above max_block", start + options(sync=blob(SYNC), x=b"\1"), "length_limit", 10, **small
    )
    topic.file("options of max_block", File(start + good).numbers(1), numbers(1), **small)
    before_eof = start + b"\x82" + good[1:] + b"\xa1x\xc4\x20"
    topic.unopened("a value beyond max_block, and cut", before_eof, "length_limit", 10, **small)
    wrong = (
        ("sync", "of 15 bytes", blob(bytes(15))), ("sync", "of 17 bytes", blob(bytes(17))), ("sync", "str", text_bytes("0123456789abcdef")),
        ("sync", "nil", NIL), ("sync", "ext", ext_bytes(93, SYNC)),
    )  # fmt: skip
    for name, what, content in wrong:
        topic.unopened(
            f"header: {name} is {what}", start + mapping(text_bytes(name), content), "invalid_ext", 10 + 1 + 5
        )
    for name, what, content in (
        ("codec", "nil", NIL), ("codec", "bin", blob(b"none")), ("codec", "int", b"\1"),
        ("codec", "map", mapping(text_bytes("name"), text_bytes("none"))), ("codec", "array", texts("none")),
        ("codec", "ext", ext_bytes(5, b"none")), ("structures", "map", b"\x80"),
        ("structures", "array of str", texts("a")), ("structures", "array of int", array(b"\1")),
        ("structures", "with an int", array(array(text_bytes("a"), b"\1"))), ("dictionary", "str", text_bytes("a")),
        ("dictionary", "nil", NIL), ("meta", "array", b"\x90"), ("meta", "nil", NIL), ("key", "str", text_bytes("a")),
        ("key", "with an int", array(text_bytes("a"), b"\1")), ("key", "nil", NIL),
    ):  # fmt: skip
        content = options(sync=blob(SYNC), **{name: content})
        topic.unopened(
            f"header: {name} is {what}",
            start + content,
            "invalid_ext",
            10 + content.index(text_bytes(name)) + len(name) + 1,
        )
    content = join(
        start + b"\x82" + good[1:] + text_bytes("structures"), array_header(8161), repeat("90", 8161)
    )
    topic.unopened("8161 structures", content, "invalid_ext", 10 + 1 + 5 + 18 + 11)
    topic.unopened(
        "an option with an exclamation mark",
        start + options(**{"sync": blob(SYNC), "!x": b"\1"}),
        "invalid_ext",
        10 + 24,
    )
    topic.unopened(
        "an exclamation mark, before a wrong value",
        start + options(**{"!": b"\1", "sync": b"\1"}),
        "invalid_ext",
        11,
    )
    topic.unopened(
        "an exclamation mark, after a wrong value",
        start + options(**{"sync": b"\1", "!": b"\1"}),
        "invalid_ext",
        16,
    )
    content = mapping(text_bytes("sync"), b"\1", text_bytes("sync"), blob(SYNC))
    topic.unopened("a wrong value that is replaced", start + content, "invalid_ext", 16)
    topic.unopened(
        "a wrong value, before a fault",
        start + options(**{"sync": b"\1", "x": b"\xc1"}),
        "reserved_marker",
        19,
    )
    return topic


def _between() -> Files:
    topic = Damaged("between", "faults after the header, a block, an index or a trailer, and after a mark")

    def wrong(name: str, content: bytes) -> None:
        topic.fault(name, content, fault("invalid_ext", AT))

    wrong("nil instead of a mark", NIL)
    wrong("a reserved byte instead of a mark", b"\xc1")
    wrong("an ext of another type", b"\xd8\x5e" + SYNC)
    wrong("another sync", MARK[:-1] + b"\0" + block_array(GOOD, 2))
    wrong("a mark in a wider format", b"\xc7\x10\x5d" + SYNC + block_array(GOOD, 2))
    wrong("another ext of 8 bytes", b"\xd7\x5e" + bytes(8))
    wrong("a block without a mark", block_array(GOOD, 2))
    wrong("a second header", header())
    wrong("the end of a mark", MARK[1:])
    for what, content in (
        ("nil", NIL), ("map", mapping(b"\1", b"\2")), ("bin", blob(b"\1")), ("a reserved byte", b"\xc1"), ("ext", ext_bytes(5, b"\1")),
        ("a mark", MARK), ("str", text_bytes("index")),
    ):  # fmt: skip
        topic.damaged(f"a mark before {what}", content, "invalid_ext")
    topic.cut("a mark at the end", b"")
    topic.cut("a mark before a cut array", b"\xdc\0")
    topic.cut("a mark before an array without its first element", b"\x96")
    index = index_array([], totals(0))
    topic.damaged("an index with a reserved marker", index[:-1] + b"\xc1", "reserved_marker", len(index) - 1)
    topic.damaged("an index that is not UTF-8", b"\x92\xa2a\xff\1", "invalid_utf8", 3)
    topic.cut("an index that is cut", index[:-1])
    topic.cut("an index that announces 2^32 - 1 elements", b"\xdd\xff\xff\xff\xff" + index[1:])
    start = b"\x94" + text_bytes("index") + b"\1"
    for what, content in (
        ("blocks, none of them there", b"\xdd\xff\xff\xff\xff"),
        ("blocks, one of them there", b"\xdd\xff\xff\xff\xff\x94\x2d\x20\1\xc0"),
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
    ranges = [[at, middle, fault("invalid_ext", at + 18)], [last, two.at, fault("invalid_ext", last)]]
    topic.file(
        "several faults", two, numbers(1, 5), {"take": [0], "end": fault("invalid_ext", at + 18)},
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
        [at, body, fault("invalid_ext", at + 18)],
        [body, two.at - len(AFTER), fault("reserved_marker", body + 18, 1)],
    ]
    topic.file(
        "bad blocks one after another", two, numbers(1, 9), {"take": [0], "end": fault("invalid_ext", at + 18)},
        {"on_bad_block": "skip", "ranges": ranges},
    )  # fmt: skip
    first = File().add(b"\xc1").numbers(1)
    found = fault("invalid_ext", 45)
    topic.file(
        "a fault after the header",
        first,
        numbers(1),
        {"take": [], "end": found},
        {"on_bad_block": "skip", "ranges": [[45, 46, found]]},
    )
    return topic
