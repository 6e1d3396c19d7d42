"""``columns/``: the values that payloads of ext 92 stand for, and payloads that are refused."""

from __future__ import annotations

from ..writer import encode_int
from . import columns_places, columns_written
from .build import (
    NIL,
    Topic,
    array,
    array_header,
    binary,
    double,
    ext,
    ext_bytes,
    fields,
    fixstr,
    integer,
    items,
    join,
    repeat,
    single,
    table,
    text,
    timestamp,
    u64,
)

KIND = "columns"
TYPE, SET = 92, 86


def hex64(number: int) -> str:
    """A uint 64 in hex."""
    return u64(number).hex()


# An array of two: LIST of 2 items, whose sizes are an INT without elements and with base 2.
TWO = "07 02 01 20 02"


def topics() -> list[Topic]:
    return [_read(), _refused(), _limits(), _abuse(), columns_written.topic(), columns_places.topic()]


def payload(plain: int, values: int, depth: int, directory: str, sections: str = "") -> bytes:
    """A payload from its parts."""
    entries = bytes.fromhex(directory)
    numbers = b"".join(map(encode_int, (plain, values, depth, len(entries))))
    return b"\1" + numbers + entries + bytes.fromhex(sections)


def columns(*parts: int | str) -> bytes:
    return ext_bytes(TYPE, payload(*parts))


# Timestamps of 8 and of 12 bytes, with the most nanoseconds.
STAMPS = "d7 ff ee 6b 27 fc 00 00 00 07 c7 0c ff 3b 9a c9 ff" + "ff" * 8

# The worked examples of section 8, and others with each kind and mode. The name, the message, the value.
KINDS = (
    ("DICT of one entry", columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 01", "07"), items(*[integer(7)] * 32)),
    (
        "DICT", columns(13, 5, 1, "07 04 01 20 04 06 02 01 02 00 06", "00 01 01 00 a1 61 a3 62 63 64"),
        items(text("a"), text("bcd"), text("bcd"), text("a")),
    ),
    ("DICT of as many values as rows", columns(3, 3, 1, TWO + "06 02 01 01 00 02", "01 07 c3"), items(True, integer(7))),
    (
        "DICT of bools", columns(9, 9, 1, "07 08 01 20 08 06 02 01 01 00 02", "85 c2 c3"),
        items(*(bool(0x85 >> i & 1) for i in range(8))),
    ),
    ("INT, none", columns(4, 4, 1, "07 03 01 20 03 01 20 05"), items(*[integer(5)] * 3)),
    ("INT, none with delta", columns(4, 4, 1, "07 03 01 20 03 01 30 02 05"), items(integer(5), integer(7), integer(9))),
    ("INT, bit", columns(10, 10, 1, "07 09 01 20 09 01 01", "05 01"), items(*(integer(int(i in (0, 2, 8))) for i in range(9)))),
    ("INT, bit with base", columns(3, 3, 1, TWO + "01 21 07", "02"), items(integer(7), integer(8))),
    ("INT, u8", columns(4, 3, 1, TWO + "01 02", "00 ff"), items(integer(0), integer(255))),
    ("INT, u16", columns(7, 3, 1, TWO + "01 03", "00 01 ff ff"), items(integer(256), integer(65535))),
    ("INT, u32", columns(11, 3, 1, TWO + "01 04", "00 00 01 00 ff ff ff ff"), items(integer(65536), integer(2**32 - 1))),
    ("INT, u64", columns(19, 3, 1, TWO + "01 45", "00" * 4 + "01 00 00 00" + "ff" * 8), items(integer(2**32), integer(2**64 - 1))),
    (
        "INT, u8 with delta", columns(28, 10, 1, "07 09 01 20 09 01 22 cd 03 e8", "00 01 03 04 06 07 09 0a 0c"),
        items(*map(integer, (1000, 1001, 1003, 1004, 1006, 1007, 1009, 1010, 1012))),
    ),
    ("INT, delta of one value", columns(2, 2, 1, "07 01 01 20 01 01 32 02 07"), items(integer(7))),
    ("INT, sums that wrap around", columns(19, 3, 1, TWO + "01 32 02 cf 7f ff ff ff ff ff ff ff", "01"), items(integer(2**63 - 1), integer(2 - 2**63))),
    ("INT, an unsigned base", columns(19, 3, 1, TWO + "01 60 cf ff ff ff ff ff ff ff ff"), items(*[integer(2**64 - 1)] * 2)),
    ("INT, unsigned from 0", columns(19, 3, 1, TWO + "01 45", "00" * 8 + "ff" * 8), items(integer(0), integer(2**64 - 1))),
    ("INT, a base of -32", columns(3, 3, 1, TWO + "01 20 e0"), items(*[integer(-32)] * 2)),
    ("INT, a base of -128", columns(5, 3, 1, TWO + "01 20 d0 80"), items(*[integer(-128)] * 2)),
    ("INT, a base of 127", columns(3, 3, 1, TWO + "01 20 7f"), items(*[integer(127)] * 2)),
    ("INT, wider formats", columns(3, 3, 1, "07 cd 00 02 01 20 d1 00 02 01 20 d3" + "ff" * 8), items(*[integer(-1)] * 2)),
    ("FLOAT of 64 bits", columns(19, 3, 1, TWO + "02", "00" * 7 + "80" + "01 00 00 00 00 00 f8 7f"), items(double(-0.0), {"f64": "7ff8000000000001"})),
    ("FLOAT of 32 bits", columns(11, 3, 1, TWO + "22", "00 00 00 3f 00 00 a0 bf"), items(single("3f000000"), single("bfa00000"))),
    ("SCALED", columns(19, 3, 1, TWO + "03 01 01 22 ff", "06 00"), items(double(0.5), double(-0.1))),
    ("SCALED, k is 15", columns(10, 2, 1, "07 01 01 20 01 03 0f 01 20 01"), items(double(1e-15))),
    ("SCALED, zero is positive", columns(10, 2, 1, "07 01 01 20 01 03 00 01 00"), items(double(0.0))),
    ("SCALED, the largest mantissa", columns(10, 2, 1, "07 01 01 20 01 03 00 01 20 cf 00 1f ff ff ff ff ff ff"), items(double(2.0**53 - 1))),
    (
        "LIST, sizes by a sum that wraps around",
        columns(4, 3, 2, "07 02 01 25 d3 c0 00 00 00 00 00 00 00 00 02", "02 00 00 00 00 00 00 40 c0 c3"), items(NIL, True),
    ),
    ("TIME in seconds", columns(11, 3, 1, TWO + "04 00 01 22 ff", "02 00"), items(timestamp(1), timestamp(-1))),
    ("TIME in milliseconds", columns(11, 3, 1, TWO + "04 03 01 23 d1 fc 17", "d2 07 00 00"), items(timestamp(1, 1_000_000), timestamp(-2, 999_000_000))),
    ("TIME in microseconds", columns(6, 2, 1, "07 01 01 20 01 04 06 01 20 ff"), items(timestamp(-1, 999_999_000))),
    ("TIME in nanoseconds", columns(6, 2, 1, "07 01 01 20 01 04 09 01 20 d3 80" + "00" * 7), items(timestamp(-9223372037, 145224192))),
    ("BYTES, str", columns(8, 3, 1, TWO + "05 05 01 02", "c3 a4 61 62 63 02 03"), items(text("ä"), text("abc"))),
    ("BYTES, str without characters", columns(6, 3, 1, TWO + "05 03 01 02", "61 62 63 00 03"), items(text(""), text("abc"))),
    ("BYTES, ext of type 127", columns(6, 2, 1, "07 01 01 20 01 25 7f 01 01 20 01", "01"), items(ext(127, b"\1"))),
    ("BYTES, ext of type -128", columns(6, 2, 1, "07 01 01 20 01 25 80 01 01 20 01", "01"), items(ext(-128, b"\1"))),
    ("BYTES, bin", columns(8, 3, 1, TWO + "15 03 01 02", "01 02 03 02 01"), items(binary(b"\1\2"), binary(b"\3"))),
    ("BYTES, ext", columns(8, 3, 1, TWO + "25 05 03 01 02", "01 02 03 02 01"), items(ext(5, b"\1\2"), ext(5, b"\3"))),
    ("BYTES, timestamps", columns(13, 3, 1, TWO + "25 ff 08 01 20 04", "00 00 00 01 00 00 00 02"), items(timestamp(1), timestamp(2))),
    ("BYTES, ext of type 92", columns(6, 2, 1, "07 01 01 20 01 25 5c 01 01 20 01", "01"), items(ext(92, b"\1"))),
    ("BYTES, terminated", columns(8, 3, 1, TWO + "45 07", "e6 97 a5 00 61 62 00"), items(text("日"), text("ab"))),
    ("BYTES, terminated and empty", columns(3, 3, 1, TWO + "45 02", "00 00"), items(text(""), text(""))),
    ("LIST in LIST", columns(5, 5, 2, TWO + "07 02 01 02 00 02", "02 00 01 02"), items(items(integer(1), integer(2)), items())),
    (
        "STRUCT", columns(15, 11, 2, TWO + "08 02 a1 61 a1 62 01 01 02 00 02", "01 02 c0 c2"),
        items(fields(a=integer(1), b=NIL), fields(a=integer(2), b=False)),
    ),
    (
        "STRUCT with two shapes", columns(9, 7, 2, TWO + "08 02 a1 61 a1 62 02 01 00 01 01 01 01 01 01 00 01 00 01", "02 07 c0"),
        items(fields(a=integer(7)), fields(b=NIL)),
    ),
    (
        "STRUCT, keys in every format",
        columns(
            330, 14, 2, f"07 01 01 20 01 08 06 a0 bf {'61' * 31} d9 20 {'62' * 32} d9 01 63 da 00 01 64 db 00 00 00 01 65 01" + "00 01" * 6,
            "01 02 03 04 05 06",
        ),
        items(table(*((text(key), integer(1 + i)) for i, key in enumerate(("", "a" * 31, "b" * 32, "c", "d", "e"))))),
    ),
    ("STRUCT without keys", columns(3, 3, 2, TWO + "08 00 01"), items(table(), table())),
    (
        "STRUCT with shapes",
        columns(19, 14, 2, "07 03 01 20 03 08 02 a1 61 a1 62 03 02 00 01 02 01 00 01 00 03 02 01 02 00 03 00 02", "00 01 02 01 02 03 0a 0b"),
        items(fields(a=integer(1), b=integer(10)), fields(b=integer(11), a=integer(2)), fields(a=integer(3))),
    ),
    (
        "MAP", columns(9, 7, 2, TWO + "09 02 01 20 01 45 04 00 02", "61 00 62 00 01 02"),
        items(fields(a=integer(1)), fields(b=integer(2))),
    ),
    ("MAP with keys of any type", columns(6, 6, 2, "09 02 01 20 02 00 03 00 02", "91 07 c0 01 02"), table((items(integer(7)), integer(1)), (NIL, integer(2)))),
    ("MAP with a key twice", columns(7, 5, 1, "09 02 01 20 02 45 04 00 02", "61 00 61 00 01 02"), fields(a=integer(2))),
    ("UNION", columns(4, 4, 1, "07 03 01 20 03 0a 02 02 01 01 01 00 02 00 01", "02 c0 c0 07"), items(NIL, integer(7), NIL)),
    (
        "UNION of 16 branches", columns(17, 17, 1, "07 10 01 20 10 0a 10" + "01" * 16 + "01 30 01 00" + "00 01" * 16, bytes(range(16)).hex()),
        items(*map(integer, range(16))),
    ),
    (
        "DICT, arrays and maps in PLAIN", columns(4, 4, 2, "07 03 01 20 03 06 02 01 01 00 02", "04 90 80"),
        items(items(), items(), table()),
    ),
    ("PLAIN", columns(4, 4, 2, "00 04", "92 01 91 02"), items(integer(1), items(integer(2)))),
    ("PLAIN, timestamps", columns(26, 3, 1, "00 1a", "92" + STAMPS), items(timestamp(7, 999_999_999), timestamp(-1, 999_999_999))),
    ("DICT, timestamps that no row uses", columns(29, 4, 1, "07 03 01 20 03 06 03 01 00 00 1a", "c0" + STAMPS), items(NIL, NIL, NIL)),
    ("PLAIN, a scalar", columns(1, 1, 0, "00 01", "c0"), NIL),
    ("PLAIN with ids of records", columns(3, 3, 1, "00 03", "92 40 7f"), items(integer(64), integer(127))),
    ("PLAIN with the ext of records", columns(4, 2, 1, "00 04", "91 d4 72 40"), items(ext(0x72, b"\x40"))),
    ("filler", ext_bytes(TYPE, payload(1, 1, 0, "00 01", "c0") + bytes(40)), NIL),
    ("depth of more than there is", columns(1, 1, 5, "00 01", "c0"), NIL),
)  # fmt: skip


def _read() -> Topic:
    topic = Topic(KIND, "read", "payloads with every kind and mode, and where they may be")
    for name, message, value in KINDS:
        topic.read(name, message, value)
    _, message, value = KINDS[0]
    topic.read("two in an array", array(message, message), items(value, value))
    topic.read(
        "after records",
        array(bytes.fromhex("d4724091a16101"), message, b"\x40\2"),
        items(fields(a=integer(1)), value, fields(a=integer(2))),
        records=True,
    )
    later = ext_bytes(TYPE, b"\2")
    topic.read("another version", later, ext(TYPE, b"\2"))
    topic.refused("another version, unknown types refused", later, "unknown_ext", 0, unknown_ext="error")
    topic.add("columns are off", message, value=ext(TYPE, message[3:]), options={"columns": False})
    return topic


def _refused() -> Topic:
    topic = Topic(KIND, "refused", "payloads that break a rule: one kind, at the marker of the ext")

    def refused(name: str, *parts: int | str, **more: int) -> None:
        topic.refused(name, columns(*parts, **more), "invalid_ext", 0)

    topic.refused("empty payload", ext_bytes(TYPE, b""), "invalid_ext", 0)
    whole = payload(8, 3, 1, TWO + "45 07", "e6 97 a5 00 61 62 00")
    for size in range(1, len(whole)):
        topic.refused(f"cut to {size} of {len(whole)}", ext_bytes(TYPE, whole[:size]), "invalid_ext", 0)
    topic.refused("in an array", array_header(2) + b"\xc0" + ext_bytes(TYPE, b"\1"), "invalid_ext", 2)
    topic.refused("a number of the header is a str", ext_bytes(TYPE, b"\1\1\1\0\xa1\0"), "invalid_ext", 0)
    topic.refused(
        "a number of the header is negative", ext_bytes(TYPE, b"\1\1\1\xff\2\0\1\xc0"), "invalid_ext", 0
    )
    refused("no values", 1, 0, 0, "00 00")
    refused("more values than bytes", 1, 2, 0, "00 01", "c0")
    refused("values one too many", 64, 2, 0, "00 01", "c0")
    refused("values one too few", 64, 2, 1, "00 03", "92 01 02")
    refused("plain size one too small", 2, 2, 1, "00 03", "92 01 02")
    refused("depth one too small", 64, 2, 0, "00 02", "91 01")
    refused("depth one too small for LIST", 64, 3, 0, TWO + "00 02", "01 02")
    topic.refused(
        "a filler byte is not 0", ext_bytes(TYPE, payload(1, 1, 0, "00 01", "c0") + b"\0\1"), "invalid_ext", 0
    )
    refused("bytes of the directory are left over", 64, 1, 0, "00 01 00", "c0")
    for kind in range(11, 16):
        refused(f"kind {kind}", 64, 3, 1, TWO + f"{kind:02x} 02", "c0 c0")
    for entry in ("10", "12", "32", "35", "55", "17", "1a"):
        refused(f"entry {entry}", 64, 3, 1, TWO + f"{entry} 02", "c0 c0 00 00")
    for form in ("06", "07", "08", "09", "0a", "0f", "80"):
        refused(f"INT with form {form}", 64, 3, 1, TWO + f"01 {form}", "00" * 16)
    refused("INT, bit with delta", 64, 3, 1, TWO + "01 11 01", "01")
    refused("INT, delta without values", 64, 1, 1, "07 00 01 00 01 10 01")
    refused("INT, set bits after the last", 64, 3, 1, TWO + "01 01", "04")
    refused("INT, a negative unsigned base", 64, 3, 1, TWO + "01 60 ff")
    refused("INT, a signed base of 2^63", 64, 3, 1, TWO + "01 20 cf 80" + "00" * 7)
    refused("INT, a base that is a map", 64, 3, 1, TWO + "01 20 80")
    refused("INT, a base that is a float", 64, 3, 1, TWO + "01 20 ca 00 00 00 00")
    refused("lengths that are not INT", 64, 3, 1, "07 02 00 01 00 02", "02 01 02")
    refused("lengths that are unsigned", 64, 3, 1, "07 02 01 60 02 00 02", "01 02")
    refused("SCALED, a mantissa of 2^53", 64, 2, 1, "07 01 01 20 01 03 00 01 20 cf 00 20" + "00" * 6)
    refused("SCALED, a mantissa of -2^53", 64, 2, 1, "07 01 01 20 01 03 00 01 20 d3 ff e0" + "00" * 6)
    refused("SCALED, k is 16", 64, 2, 1, "07 01 01 20 01 03 10 01 20 01")
    refused("SCALED, k is 129", 64, 2, 1, "07 01 01 20 01 03 81 01 20 01 01 20 01")
    refused("TIME, unit 1", 64, 2, 1, "07 01 01 20 01 04 01 01 20 01")
    refused("BYTES, not UTF-8", 64, 2, 1, "07 01 01 20 01 05 02 01 20 02", "c3 28")
    refused("BYTES, a cut within a character", 64, 3, 1, TWO + "05 02 01 20 01", "c3 a4")
    refused("BYTES, lengths with another sum", 64, 3, 1, TWO + "05 03 01 20 01", "61 62 63")
    refused("BYTES, a negative length", 64, 3, 1, TWO + "05 02 01 22 ff", "61 62 04 00")
    refused("BYTES, terminated without the last 00", 64, 3, 1, TWO + "45 03", "61 00 62")
    refused("BYTES, terminated with one too many", 64, 3, 1, TWO + "45 04", "61 00 00 00")
    refused("DICT, an index of d", 64, 3, 1, TWO + "06 02 01 02 00 02", "00 02 c0 c2")
    refused("DICT, a negative index", 64, 3, 1, TWO + "06 02 01 22 ff 00 02", "01 00 c0 c2")
    refused("DICT, more entries than rows", 64, 3, 1, TWO + "06 03 01 02 00 03", "00 01 c0 c2 c3")
    for name, entries in (
        ("DICT", "06 01 01 00 00 01"),
        ("LIST", "07 00 01 00 00 00"),
        ("STRUCT", "08 00 01"),
        ("MAP", "09 00 01 00 00 00 00 00"),
    ):
        section = "c0" if name == "DICT" else ""
        refused(f"DICT, entries that are a {name}", 64, 3, 2, TWO + "06 01 01 00 " + entries, section)
    refused(
        "DICT, entries that are a UNION",
        64,
        3,
        1,
        TWO + "06 02 01 01 0a 02 01 01 01 01 00 01 00 01",
        "02 02 c0 07",
    )
    refused("DICT, an unused entry that is deeper", 64, 3, 1, TWO + "06 02 01 00 00 02", "c0 90")
    refused("DICT, an unused entry that is not UTF-8", 64, 3, 1, TWO + "06 02 01 00 00 03", "c0 a1 ff")
    refused("DICT, an unused str that is not UTF-8", 64, 3, 1, TWO + "06 02 01 00 05 02 01 20 01", "61 ff")
    refused(
        "DICT, a negative first length", 64, 3, 1, TWO + "06 02 01 02 05 02 01 22 ff", "00 01 61 62 00 04"
    )
    refused(
        "DICT, a negative length after a byte",
        64,
        3,
        1,
        TWO + "06 02 01 02 15 02 01 22 ff",
        "00 01 61 62 02 00",
    )
    refused("DICT, an unused negative length", 64, 3, 1, TWO + "06 02 01 00 15 00 01 20 ff")
    refused("DICT, an unused entry that is cut", 64, 3, 1, TWO + "06 02 01 00 00 02", "c0 cc")
    refused(
        "DICT, an unused mantissa of 2^53",
        64,
        3,
        1,
        TWO + "06 02 01 00 03 00 01 30 cf 00 20" + "00" * 6 + "00",
    )
    for name, stamp in (
        ("of another size", "c7 05 ff" + "00" * 5),
        ("of 8 bytes with 10^9 ns", "d7 ff ee 6b 28 00" + "00" * 4),
        ("of 12 bytes with 10^9 ns", "c7 0c ff 3b 9a ca 00" + "00" * 8),
    ):
        entries = f"06 02 01 00 00 {1 + len(bytes.fromhex(stamp)):02x}"
        refused(f"DICT, an unused timestamp {name}", 64, 3, 1, TWO + entries, "c0" + stamp)
    refused("LIST, lengths with a smaller sum", 64, 3, 1, "07 03 01 20 02 00 03", "01 02 03")
    refused("LIST, lengths with a larger sum", 64, 4, 1, "07 03 01 20 04 00 03", "01 02 03")
    refused("STRUCT, a key twice", 64, 11, 2, TWO + "08 02 a1 61 a1 61 01 01 02 00 02", "01 02 c0 c2")
    refused("STRUCT, a key of another type", 64, 7, 2, TWO + "08 01 07 01 00 02", "01 02")
    refused("STRUCT, a key that is not UTF-8", 64, 7, 2, TWO + "08 01 a1 ff 01 00 02", "01 02")
    refused("STRUCT, no shape", 64, 7, 2, TWO + "08 01 a1 61 00 00 02", "01 02")
    shaped = "08 01 a1 61 02 01 00 {} {} 01 02 00 {:02x}"
    refused(
        "STRUCT, a shape with a key twice", 64, 5, 2, TWO + shaped.format("02 00 00", "02", 2), "00 01 01 02"
    )
    refused(
        "STRUCT, a shape with an unknown key", 64, 5, 2, TWO + shaped.format("01 01", "01", 1), "00 01 01"
    )
    refused(
        "STRUCT, counts that the shapes do not have",
        64,
        5,
        2,
        TWO + shaped.format("00", "02", 2),
        "00 01 01 02",
    )
    refused("STRUCT, a shape that is not there", 64, 5, 2, TWO + shaped.format("00", "01", 1), "00 02 01")
    more = 2**40
    for name, entries in (
        ("2^40 keys", "08 " + hex64(more)),
        ("2^40 shapes", "08 01 a1 61 " + hex64(more)),
        ("a shape of 2^40 keys", "08 01 a1 61 02 " + hex64(more)),
    ):
        refused(f"STRUCT, {name}", 64, 5, 2, TWO + entries)
    refused("STRUCT, a count above n", 64, 5, 2, TWO + shaped.format("01 00", "03", 3), "00 01 01 02 03")
    refused("UNION of no branch", 64, 3, 1, TWO + "0a 00 01 00")
    refused("UNION of one branch", 64, 3, 1, TWO + "0a 01 02 01 00 00 02", "c0 c0")
    branches = "0a 11 02" + "00" * 16 + "01 00 00 02" + "00 00" * 16
    refused("UNION of 17 branches", 64, 3, 1, TWO + branches, "c0 c0")
    refused(
        "UNION, counts with another sum", 64, 4, 1, "07 03 01 20 03 0a 02 01 01 01 01 00 01 00 01", "02 c0 07"
    )
    branches = f"0a 02 {hex64(2**64 - 1)} 03 01 00 00 00 00 02"
    refused("UNION, counts whose sum wraps around", 64, 3, 1, TWO + branches, "c0 c0")
    refused(
        "UNION, a tag of B", 64, 4, 1, "07 03 01 20 03 0a 02 02 01 01 02 00 02 00 01", "00 02 00 c0 c0 07"
    )
    refused(
        "UNION, tags that the counts do not have",
        64,
        4,
        1,
        "07 03 01 20 03 0a 02 02 01 01 01 00 02 00 01",
        "06 c0 c0 07",
    )
    refused("PLAIN, a value is cut", 64, 3, 1, TWO + "00 02", "01 cc")
    refused("PLAIN, one value too many", 64, 3, 1, TWO + "00 03", "01 02 03")
    refused("PLAIN, the reserved marker", 64, 3, 1, TWO + "00 02", "01 c1")
    refused("PLAIN, not UTF-8", 64, 3, 1, TWO + "00 03", "01 a1 ff")
    refused("PLAIN, a timestamp of another size", 64, 3, 1, TWO + "00 04", "01 d4 ff 00")
    refused("BYTES, a timestamp of another size", 64, 2, 1, "07 01 01 20 01 25 ff 03 01 20 03", "00 00 00")
    refused(
        "BYTES, a timestamp of 10^9 ns",
        64,
        2,
        1,
        "07 01 01 20 01 25 ff 08 01 20 08",
        "ee 6b 28 00 00 00 00 00",
    )
    topic.refused(
        "a key twice, refused",
        KINDS[[name for name, *_ in KINDS].index("MAP with a key twice")][1],
        "invalid_ext",
        0,
        duplicate_key="error",
    )
    topic.refused(
        "an unknown ext inside, refused",
        columns(6, 3, 1, TWO + "25 05 03 01 02", "01 02 03 02 01"),
        "invalid_ext",
        0,
        unknown_ext="error",
    )
    topic.refused(
        "not UTF-8, although replaced elsewhere",
        columns(8, 2, 1, "07 01 01 20 01 45 03", "c3 28 00"),
        "invalid_ext",
        0,
        utf8="replace",
    )
    return topic


def _limits() -> Topic:
    topic = Topic(
        KIND, "limits", "limits of the header, in the order of the checks, those inside, and the budget"
    )
    large = columns(5000, 1, 0, "00 01", "c0")
    topic.refused("plain size beyond the expansion", large, "length_limit", 0)
    topic.refused("65535 of 4096 + 16 * 10", columns(65535, 1, 0, "00 01", "c0"), "length_limit", 0)
    for size in (4256, 4257):
        message = columns(size, 1, 0, "00 01", "c0")
        name = f"plain size of {size}, and 4096 + 16 * 10 allowed"
        if size == 4256:
            topic.read(name, message, NIL)
        else:
            topic.refused(name, message, "length_limit", 0)
    topic.read("a larger expansion", large, NIL, max_expansion=1000)
    topic.refused(
        "a smaller expansion", columns(4200, 1, 0, "00 01", "c0"), "length_limit", 0, max_expansion=1
    )
    topic.refused("expansion before depth", columns(5000, 1, 2000, "00 01", "c0"), "length_limit", 0)
    topic.refused("depth 1025", columns(5, 1, 1025, "00 01", "c0"), "depth_limit", 0)
    name, message, value = KINDS[0]
    topic.refused("depth within containers", array(message), "depth_limit", 1, max_depth=1)
    topic.read("depth that fits", array(message), items(value), max_depth=2)
    topic.refused("nodes", message, "length_limit", 0, max_nodes=32)
    topic.read("nodes that fit", message, value, max_nodes=33)
    topic.refused("nodes of the message", array(message, b"\xc0"), "length_limit", 1, max_nodes=33)
    topic.refused(
        "nodes after the ext", array(message, b"\xc0"), "length_limit", 1 + len(message), max_nodes=34
    )
    cut = array_header(2) + b"\xc0" + message[:-1]
    topic.refused("nodes before a payload that is cut", cut, "length_limit", 2, max_nodes=2)
    topic.refused("a payload that is cut before its nodes", cut, "eof", len(cut), max_nodes=3)
    topic.refused("nodes before depth", message, "length_limit", 0, max_nodes=32, max_depth=0)
    topic.refused("a longer array inside", message, "invalid_ext", 0, max_array_len=31)
    topic.refused(
        "a longer str inside",
        columns(8, 3, 1, TWO + "45 07", "e6 97 a5 00 61 62 00"),
        "invalid_ext",
        0,
        max_str_len=2,
    )
    topic.refused(
        "a longer bin inside",
        columns(6, 3, 1, TWO + "15 03 01 02", "01 02 03 02 01"),
        "invalid_ext",
        0,
        max_bin_len=1,
    )
    topic.refused(
        "a larger map inside",
        columns(7, 5, 1, "09 02 01 20 02 45 04 00 02", "61 00 62 00 01 02"),
        "invalid_ext",
        0,
        max_map_len=1,
    )
    _budget(topic)
    _sets(topic)
    topic.refused("a longer ext", message, "length_limit", 0, max_ext_len=16)
    topic.add(
        "canonical reading keeps the ext", message, value=ext(TYPE, message[3:]), options={"canonical": True}
    )
    return topic


def _budget(topic: Topic) -> None:
    """The bytes that a value takes: a plain size of as many is enough, one fewer is refused."""
    # An array of a str of 10 characters, and of the value.
    before = "07 02 01 20 02 0a 02 01 01 01 30 01 00 45 0b"
    ten = "61" * 10 + "00"
    for name, directory, section, value, size, values in (
        ("nil in PLAIN", "00 01", "c0", NIL, 1, 1),
        ("a str in PLAIN", "00 04", "a3 61 62 63", text("abc"), 4, 1),
        ("an int of 3 bytes", "01 20 cd 03 e8", "", integer(1000), 1, 1),
        ("float 64", "02", "00 00 00 00 00 00 f8 3f", double(1.5), 9, 1),
        ("float 32", "22", "00 00 c0 3f", single("3fc00000"), 5, 1),
        ("a float 64 as SCALED", "03 01 01 20 0f", "", double(1.5), 9, 1),
        ("a timestamp of 8 bytes", "04 03 01 20 01", "", timestamp(0, 10**6), 5, 1),
        ("a str", "05 03 01 20 03", "61 62 63", text("abc"), 4, 1),
        ("a terminated str", "45 04", "61 62 63 00", text("abc"), 4, 1),
        ("bin", "15 03 01 20 03", "61 62 63", binary(b"abc"), 5, 1),
        ("ext", "25 05 03 01 20 03", "61 62 63", ext(5, b"abc"), 5, 1),
        ("a row of a DICT", "06 01 01 00 05 03 01 20 03", "61 62 63", text("abc"), 4, 1),
        ("an array in LIST", "07 01 01 20 01 22", "00 00 c0 3f", items(single("3fc00000")), 6, 2),
        ("a map in STRUCT", "08 01 a3 61 62 63 01 01 20 05", "", fields(abc=integer(5)), 6, 3),
        ("a map in MAP", "09 01 01 20 01 45 04 01 20 05", "61 62 63 00", fields(abc=integer(5)), 6, 3),
    ):
        parts = (2 + values, 2 if values > 1 else 1, before + directory, ten + section)
        topic.read(f"bytes of {name}", columns(12 + size, *parts), items(text("a" * 10), value))
        topic.refused(f"bytes of {name}, one fewer", columns(11 + size, *parts), "invalid_ext", 0)


def _sets(topic: Topic) -> None:
    """Sets in columns: their depth is that which they have outside of columns, not that of the header."""
    one, two, deep = "91 01", "92 01 02", "91 c7 05 56 91 d5 56 91 01"
    nested = f"c7 09 56 {deep}"
    for name, message, value, depth in (
        (
            "a column of sets",
            columns(10, 3, 1, TWO + "25 56 05 01 02", f"{one} {two} 02 03"),
            items(_set(one), _set(two)),
            3,
        ),
        ("sets in sets", columns(13, 2, 1, "07 01 01 20 01 25 56 09 01 20 09", deep), items(_set(deep)), 7),
        (
            "sets as DICT",
            columns(9, 3, 1, TWO + "06 01 01 00 25 56 02 01 20 02", one),
            items(_set(one), _set(one)),
            3,
        ),
        ("a set in PLAIN", columns(6, 2, 1, "07 01 01 20 01 00 04", f"d5 56 {one}"), items(_set(one)), 3),
        (
            "sets in sets, in PLAIN",
            columns(14, 3, 2, "07 01 01 20 01 00 0d", f"91 {nested}"),
            items(items(_set(deep))),
            8,
        ),
        (
            "sets as keys",
            columns(8, 4, 2, "07 01 01 20 01 09 01 01 20 01 25 56 02 01 20 02 01 20 05", one),
            items(table((_set(one), integer(5)))),
            4,
        ),
    ):
        options = {"ext_types": [SET]}
        topic.read(f"{name}, at max_depth", message, value, max_depth=depth, **options)
        topic.refused(f"{name}, one too deep", message, "invalid_ext", 0, max_depth=depth - 1, **options)
        topic.read(
            f"{name}, in arrays", array(array(message)), items(items(value)), max_depth=depth + 2, **options
        )
        topic.refused(
            f"{name}, in arrays, one too deep",
            array(array(message)),
            "invalid_ext",
            2,
            max_depth=depth + 1,
            **options,
        )
    for levels in (1022, 1023):
        size, arrays = f"cd {levels:04x}", [repeat("91", levels - 1), "90"]
        directory = f"07 01 01 20 01 25 56 {size} 01 20 {size}"
        message = columns(levels + 5, 2, 1, directory, "91" * levels)
        message = join(message[:-levels], *arrays)
        name = f"a set of {levels} arrays"
        if levels == 1022:
            topic.read(name, message, items(_set("91" * (levels - 1) + "90")), ext_types=[SET])
        else:
            topic.refused(name, message, "invalid_ext", 0, ext_types=[SET])


def _set(payload: str) -> dict:
    return ext(SET, bytes.fromhex(payload))


def _abuse() -> Topic:
    topic = Topic(KIND, "abuse", "payloads that stand for far more than their bytes")
    # The counts of an array of two with 21 of these are 8 * 3 + 64.
    union = "0a 02 02 00 01 00 "
    for levels in (21, 22):
        directory = TWO + union * levels + "00 02" + "00 00" * levels
        message = columns(3, 3, 1, directory, "c0 c0")
        if levels == 21:
            topic.read("as many counts as there may be", message, items(NIL, NIL))
        else:
            topic.refused("more counts than there may be", message, "invalid_ext", 0)
    # [nil, {"": nil}] has 5 counts, and 4 for each level; 8 * 5 + 64 are allowed.
    row = "0a 02 01 01 01 30 01 00 00 01 08 01 a0 01 00 01"
    for levels in (23, 24):
        message = columns(5, 5, 2, TWO + union * levels + row + "00 00" * levels, "c0 c0")
        if levels == 23:
            topic.read("three counts fewer than there may be", message, items(NIL, table((text(""), NIL))))
        else:
            topic.refused("one count more than there may be", message, "invalid_ext", 0)
    topic.refused(
        "2^32 - 1 rows without bytes",
        columns(4100, 4000, 2, "07 ce ffffffff 01 20 ce ffffffff 06 01 01 00 00 01", "07"),
        "invalid_ext",
        0,
    )
    topic.refused(
        "2^63 rows", columns(4100, 4000, 2, "07 cf 7fffffffffffffff 01 20 00 01 00"), "invalid_ext", 0
    )
    topic.refused(
        "many nodes of many rows",
        columns(4000, 4000, 2, "07 cd 0f a0 01 20 cd 0f a0" + "0a 02 cd 0f a0 00 01 00" * 5),
        "invalid_ext",
        0,
    )
    nested = "07 01 01 20 01 "
    deep = 4 + 127
    topic.read(
        "127 nodes deep",
        columns(deep, 128, 127, nested * 127 + "00 01", "c0"),
        {"nest": {"array": 127, "inner": NIL}},
    )
    topic.refused(
        "129 nodes deep", columns(deep + 9, 129, 128, nested * 128 + "00 01", "c0"), "invalid_ext", 0
    )
    key = "d9 c8" + "61" * 200
    topic.refused(
        "a long key in rows without bytes",
        columns(5000, 5000, 2, f"07 cd 08 00 01 20 cd 08 00 08 01 {key} 01 01 00"),
        "invalid_ext",
        0,
    )
    topic.refused(
        "a bomb of a constant str",
        columns(9000, 3000, 1, "07 cd 0b 00 01 20 cd 0b 00 06 01 01 00 00 05", fixstr("bomb").hex()),
        "length_limit",
        0,
    )
    topic.refused(
        "a dictionary of more entries than rows can use",
        columns(4000, 4000, 1, "07 cd 0f a1 01 20 cd 0f a1 06 cd 0f a1 01 30 01 00 01 00"),
        "invalid_ext",
        0,
    )
    return topic
