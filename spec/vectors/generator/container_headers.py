"""Headers that are refused."""

from __future__ import annotations

from ..container_codecs import crc32c
from ..writer import encode_int
from .build import array, ext_bytes, i8, mapping, text_bytes, u64
from .container_bytes import (
    MARK,
    NIL,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    header,
    header_of,
    numbers,
    options,
    texts,
)


def topics() -> list[Files]:
    return [_headers()]


def _headers() -> Files:
    topic = Files("headers", "files that are not opened")
    whole = header_of(options(sync=blob(SYNC)))
    start, good = whole[:10], options(sync=blob(SYNC))
    topic.unopened("no bytes", b"", "eof", 0)
    topic.unopened("the first nine bytes", start[:9], "eof", 9)
    topic.unopened("the first ten bytes", start, "eof", 10)
    for name, content in (
        ("another array", b"\x95" + whole[1:]), ("an array of three", b"\x93" + start[1:] + good),
        ("another name", start[:8] + b"D" + whole[9:]), ("another version", start[:9] + b"\2" + whole[10:]),
        ("a wider format", b"\xdc\0\4" + whole[1:]), ("another byte in a short file", b"\x94\xa7P"),
        ("a block first", MARK + block_array(array(b"\1"), 1) + header()),
    ):  # fmt: skip
        topic.unopened(name, content, "invalid_container", 0)
    for what, content in (("nil", NIL), ("array", array(b"\1")), ("bin", blob(good)), ("reserved", b"\xc1")):
        topic.unopened(f"the options are {what}", start + content, "invalid_container", 10)
    topic.unopened("no sync", header_of(options(codec=text_bytes("none"))), "invalid_container", 10)
    topic.unopened("no options", header_of(b"\x80"), "invalid_container", 10)
    topic.unopened("cut in the options", whole[:26], "eof", 26)
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
        "options above max_block", header_of(options(sync=blob(SYNC), x=b"\1")), "length_limit", 10, **small
    )
    topic.file("options of max_block", File(whole).numbers(1), numbers(1), **small)
    before_eof = start + b"\x82" + good[1:] + b"\xa1x\xc4\x20"
    topic.unopened("a value beyond max_block, and cut", before_eof, "length_limit", 10, **small)
    _checksums(topic, start + good)
    topic.unopened(
        "options that are wrong, and a wrong crc",
        start + options(**{"!": b"\1"}) + b"\0",
        "invalid_container",
        14,
    )
    wrong = (
        ("sync", "of 15 bytes", blob(bytes(15))), ("sync", "of 17 bytes", blob(bytes(17))), ("sync", "str", text_bytes("0123456789abcdef")),
        ("sync", "nil", NIL), ("sync", "ext", ext_bytes(93, SYNC)),
    )  # fmt: skip
    for name, what, content in wrong:
        content = mapping(text_bytes(name), content)
        topic.unopened(f"header: {name} is {what}", header_of(content), "invalid_container", 10 + 1 + 5)
    for name, what, content in (
        ("codec", "nil", NIL), ("codec", "bin", blob(b"none")), ("codec", "int", b"\1"),
        ("codec", "map", mapping(text_bytes("name"), text_bytes("none"))), ("codec", "array", texts("none")),
        ("codec", "ext", ext_bytes(5, b"none")), ("meta", "array", b"\x90"), ("meta", "nil", NIL),
        ("stats", "str", text_bytes("a")), ("stats", "with an int", array(text_bytes("a"), b"\1")), ("stats", "nil", NIL),
    ):  # fmt: skip
        content = options(sync=blob(SYNC), **{name: content})
        place = 10 + content.index(text_bytes(name)) + len(name) + 1
        topic.unopened(f"header: {name} is {what}", header_of(content), "invalid_container", place)
    for name, place, content in (
        ("an option with an exclamation mark", 34, options(**{"sync": blob(SYNC), "!x": b"\1"})),
        ("an exclamation mark, before a wrong value", 11, options(**{"!": b"\1", "sync": b"\1"})),
        ("an exclamation mark, after a wrong value", 16, options(**{"sync": b"\1", "!": b"\1"})),
        (
            "a wrong value that is replaced",
            16,
            mapping(text_bytes("sync"), b"\1", text_bytes("sync"), blob(SYNC)),
        ),
    ):
        topic.unopened(name, header_of(content), "invalid_container", place)
    topic.unopened(
        "a wrong value, before a fault",
        header_of(options(**{"sync": b"\1", "x": b"\xc1"})),
        "reserved_marker",
        19,
    )
    return topic


def _checksums(topic: Files, before: bytes) -> None:
    """What can be in place of the checksum of a header."""
    at, right = len(before), crc32c(before)
    for what, content in (
        ("nil", NIL), ("str", text_bytes("crc")), ("bin", blob(right.to_bytes(4, "big"))), ("below 0", i8(-1)), ("a float", b"\xca\0\0\0\0"),
        ("2^32", u64(2**32)), ("2^64 - 1", u64(2**64 - 1)), ("a mark", MARK), ("0", b"\0"), ("one more", encode_int(right + 1)),
        ("in another order of bytes", b"\xce" + right.to_bytes(4, "little")), ("of an empty file", encode_int(crc32c(b""))),
        ("of the options alone", encode_int(crc32c(before[10:]))),
    ):  # fmt: skip
        topic.unopened(f"the checksum is {what}", before + content, "invalid_container", at)
    topic.unopened("the checksum is a reserved marker", before + b"\xc1", "reserved_marker", at)
    topic.unopened("the checksum is missing", before, "eof", at)
    for cut_at in (1, 4):
        topic.unopened(
            f"{cut_at} bytes of the checksum", before + encode_int(right)[:cut_at], "eof", at + cut_at
        )
    topic.unopened("a cut checksum of another type", before + b"\xda\0", "eof", at + 2)
