"""``invalid/``: bytes that are refused, with the kind and the offset."""

from __future__ import annotations

import struct

from . import invalid_limits, invalid_paths
from .build import (
    Topic,
    ext_bytes,
    f64,
    fixstr,
    header8,
    header16,
    header32,
    i8,
    i16,
    i32,
    i64,
    join,
    mapping,
    repeat,
    str_header,
    timestamp64,
    timestamp96,
    u8,
    u16,
    u32,
    u64,
    wide_headers,
)

KIND = "invalid"

ILL_FORMED = (
    ("continuation 80", "80", 0), ("continuation bf", "bf", 0), ("two continuations", "8080", 0),
    ("continuation after a letter", "6180", 1), ("continuation too many", "c3a9a9", 2),
    ("overlong nul, c0 80", "c080", 0), ("overlong slash, c0 af", "c0af", 0), ("overlong c1 bf", "c1bf", 0),
    ("overlong e0 80 80", "e08080", 0), ("overlong e0 80 af", "e080af", 0),
    ("overlong e0 9f bf", "e09fbf", 0),
    ("overlong f0 80 80 80", "f0808080", 0), ("overlong f0 80 80 af", "f08080af", 0),
    ("overlong f0 8f bf bf", "f08fbfbf", 0),
    ("surrogate d800", "eda080", 0), ("surrogate dbff", "edafbf", 0), ("surrogate dc00", "edb080", 0),
    ("surrogate dfff", "edbfbf", 0), ("surrogate pair", "eda0bdedb880", 0),
    ("above U+10FFFF, f4 90", "f4908080", 0), ("above U+10FFFF, f4 bf", "f4bfbfbf", 0),
    ("f5", "f5808080", 0), ("f7", "f7bfbfbf", 0), ("five bytes, f8", "f888808080", 0),
    ("six bytes, fc", "fc8480808080", 0), ("fe", "fe", 0), ("ff", "ff", 0),
    ("ff after letters", "616263ff", 3),
    ("cut pair", "c3", 0), ("cut triple after one", "e2", 0), ("cut triple after two", "e282", 0),
    ("cut quadruple after one", "f0", 0), ("cut quadruple after two", "f09f", 0),
    ("cut quadruple after three", "f09f98", 0), ("cut pair, then a letter", "c361", 0),
    ("cut triple, then a letter", "e28261", 0), ("cut quadruple, then a letter", "f09f9861", 0),
    ("cut triple, then a triple", "e282e282ac", 0), ("bad third byte", "e28228", 0),
    ("bad fourth byte", "f09f9828", 0),
    ("bad second byte of a pair", "c328", 0), ("bad second byte of a triple", "e228a1", 0),
    ("bad second byte of a quadruple", "f0288cbc", 0), ("pair start twice", "c3c3a9", 0),
    ("good, then bad", "c3a9c3", 2), ("good of all lengths, then bad", "61c3a9e282acf09f9880ff", 10),
    ("nul, then bad", "00ff", 1), ("latin-1", "6bf672706572", 1), ("utf-16 byte order mark", "fffe6100", 0),
)  # fmt: skip


def topics() -> list[Topic]:
    return [
        _eof(),
        _reserved(),
        _utf8(),
        _trailing(),
        _timestamps(),
        _ext(),
        _duplicate_keys(),
        *invalid_limits.topics(),
        *invalid_paths.topics(),
    ]


def _eof() -> Topic:
    topic = Topic(KIND, "eof", "the input ends too early, for every format and every step of it")

    def cut(name: str, data: bytes | str, length: int | None = None) -> None:
        raw = bytes.fromhex(data) if isinstance(data, str) else data
        topic.refused(name, raw, "eof", len(raw))

    cut("nothing", b"")
    whole = [
        ("uint8", u8(200)), ("uint16", u16(300)), ("uint32", u32(70000)), ("uint64", u64(2**40)),
        ("int8", i8(-100)), ("int16", i16(-300)), ("int32", i32(-70000)), ("int64", i64(-(2**40))),
        ("float32", b"\xca\x3f\xc0\0\0"), ("float64", f64(1.5)),
        ("str8", header8(0xD9, 3) + b"abc"), ("str16", header16(0xDA, 3) + b"abc"),
        ("str32", header32(0xDB, 3) + b"abc"),
        ("bin8", header8(0xC4, 3) + b"abc"), ("bin16", header16(0xC5, 3) + b"abc"),
        ("bin32", header32(0xC6, 3) + b"abc"),
        ("fixext1", b"\xd4\x05\0"), ("fixext2", b"\xd5\x05\0\0"), ("fixext4", b"\xd6\x05" + bytes(4)),
        ("fixext8", b"\xd7\x05" + bytes(8)), ("fixext16", b"\xd8\x05" + bytes(16)),
        ("ext8", b"\xc7\x03\x05abc"), ("ext16", b"\xc8\0\x03\x05abc"), ("ext32", b"\xc9\0\0\0\x03\x05abc"),
        ("array16", header16(0xDC, 2) + b"\xc0\xc0"), ("array32", header32(0xDD, 2) + b"\xc0\xc0"),
        ("map16", header16(0xDE, 1) + b"\xc0\xc0"), ("map32", header32(0xDF, 1) + b"\xc0\xc0"),
        ("fixarray", b"\x92\xc0\xc0"), ("fixmap", b"\x81\xc0\xc0"), ("fixstr", b"\xa3abc"),
    ]  # fmt: skip
    for name, data in whole:
        for length in range(1, len(data)):
            cut(f"{name} cut to {length} of {len(data)}", data[:length])
    for name, data in (
        ("fixarray of one", "91"), ("fixarray of fifteen, fourteen there", "9f" + "c0" * 14),
        ("fixmap without value", "81a161"),
        ("fixmap of fifteen", "8f"), ("array in array", "9191"), ("map in map", "81a16181a162"),
        ("second element", "9201"),
        ("element cut", "9201cd01"), ("key cut", "81a261"), ("value cut", "81a161cd01"),
        ("str of 31 with 30", "bf" + "61" * 30),
        ("array32 of 2^32 - 1", "ddffffffff"), ("map32 of 2^32 - 1", "dfffffffff"),
        ("str32 of 2^32 - 1", "dbffffffff"),
        ("bin32 of 2^32 - 1", "c6ffffffff"), ("ext32 of 2^32 - 1", "c9ffffffff05"),
        ("array16 of 65535", "dcffff"),
        ("map16 of 65535", "deffff"), ("str16 of 65535", "daffff"), ("bin16 of 65535", "c5ffff"),
        ("ext16 of 65535", "c8ffff05"),
        ("str8 of 255", "d9ff"), ("bin8 of 255", "c4ff"), ("ext8 of 255", "c7ff05"),
        ("map32 of 2^31", "df80000000"),
        ("map32 of 2^31 - 1", "df7fffffff"), ("array32 of 2^31", "dd80000000"),
    ):  # fmt: skip
        cut(name, data)
    return topic


def _reserved() -> Topic:
    topic = Topic(KIND, "reserved", "the marker c1, wherever a value can begin")
    for name, data, offset in (
        ("alone", "c1", 0), ("with bytes after it", "c10000", 0), ("in an array", "91c1", 1),
        ("second element", "9201c1", 2),
        ("as a key", "81c101", 1), ("as a value", "81a161c1", 3), ("after a str", "92a3616263c1", 5),
        ("after a bin with c1", "92c401c1c1", 4), ("deep", "9191919181a161c1", 7),
        ("in array32", "dd00000001c1", 5),
        ("in map32", "df00000001c100", 5), ("after an ext with c1", "92d405c1c1", 4),
    ):  # fmt: skip
        topic.refused(f"c1 {name}", data, "reserved_marker", offset)
    return topic


def _utf8() -> Topic:
    topic = Topic(
        KIND, "utf8", "every class of ill-formed UTF-8; the offset is that of the first ill-formed sequence"
    )
    for name, raw, bad in ILL_FORMED:
        topic.refused(f"{name}", str_header(len(raw) // 2).hex() + raw, "invalid_utf8", 1 + bad)
    for byte in (*range(0xC0, 0xC2), *range(0xF5, 0x100)):
        topic.refused(
            f"byte {byte:02x} and continuations", bytes([0xA4, byte, 0x80, 0x80, 0x80]), "invalid_utf8", 1
        )
    for name, header in wide_headers("str", 2):
        topic.refused(f"in {name}", header + b"a\xff", "invalid_utf8", len(header) + 1)
    for name, data, offset in (
        ("in a key", "81a1ff01", 2), ("in a value", "81a161a2c328", 4),
        ("in the second element", "92a161a1ff", 4),
        ("in a key that is an array", "8191a1ffc0", 3), ("first of two", "92a1ffa1fe", 2),
        ("a sequence across two str", "92a1c3a1a9", 2),
    ):  # fmt: skip
        topic.refused(name, data, "invalid_utf8", offset)
    for length in (255, 256, 65535, 65536):
        header = str_header(length)
        data = join(header, repeat("61", length - 1), "c3")
        topic.refused(f"last of {length} bytes", data, "invalid_utf8", len(header) + length - 1)
    return topic


def _trailing() -> Topic:
    topic = Topic(KIND, "trailing", "bytes after the message")
    for name, data, offset in (
        ("nil twice", "c0c0", 1), ("integer and c1", "05c1", 1), ("a cut value after it", "05cd", 1),
        ("after empty array", "9000", 1),
        ("after array", "9101ff", 2), ("after map", "81a16101c0", 4), ("after str", "a16161", 2),
        ("after bin", "c4010000", 3),
        ("after ext", "d4050000", 3), ("after float", "cb3ff800000000000000", 9),
        ("after timestamp", "d6ff0000000000", 6),
        ("line end", "050a", 1), ("a whole message", "92010292 0102", 3), ("after nested", "919190c0", 3),
    ):  # fmt: skip
        topic.refused(f"trailing, {name}", data, "trailing_bytes", offset)
    topic.refused("trailing, many", join("05", repeat("c0", 1000)), "trailing_bytes", 1)
    return topic


def _timestamps() -> Topic:
    topic = Topic(KIND, "timestamps", "ext -1 of a wrong length, or with too many nanoseconds")
    for length in (0, 1, 2, 3, 5, 6, 7, 9, 10, 11, 13, 15, 16, 17, 31, 32, 255):
        topic.refused(f"timestamp of {length} bytes", ext_bytes(-1, bytes(length)), "invalid_timestamp", 0)
    topic.refused("timestamp of 256 bytes", join("c80100ff", repeat("00", 256)), "invalid_timestamp", 0)
    for name, nanoseconds in (("10^9", 10**9), ("10^9 + 1", 10**9 + 1), ("2^30 - 1", 2**30 - 1)):
        topic.refused(f"timestamp64 with {name} ns", timestamp64(0, nanoseconds), "invalid_timestamp", 0)
        topic.refused(f"timestamp96 with {name} ns", timestamp96(-1, nanoseconds), "invalid_timestamp", 0)
    topic.refused("timestamp96 with 2^32 - 1 ns", timestamp96(0, 2**32 - 1), "invalid_timestamp", 0)
    topic.refused("timestamp96 with 2^31 ns", timestamp96(0, 2**31), "invalid_timestamp", 0)
    topic.refused("timestamp64 of all ones", "d7ffffffffffffffffff", "invalid_timestamp", 0)
    topic.refused("timestamp in an array", b"\x92\x01" + ext_bytes(-1, b"\0"), "invalid_timestamp", 2)
    topic.refused("timestamp as a key", b"\x81" + ext_bytes(-1, b"") + b"\xc0", "invalid_timestamp", 1)
    topic.refused("timestamp in ext16", "c80003ff000000", "invalid_timestamp", 0)
    topic.refused("second of two timestamps", b"\x92\xd6\xff\0\0\0\0\xd5\xff\0\0", "invalid_timestamp", 7)
    return topic


def _ext() -> Topic:
    topic = Topic(KIND, "ext", "payloads that a registered type does not take; unknown types as errors")
    malformed = [
        (80, "keyword, empty", b""), (80, "keyword, not utf-8", b"a\xff"), (81, "symbol, empty", b""),
        (81, "symbol, not utf-8", b"\xc3"),
        (82, "character, empty", b""), (82, "character, two", b"ab"), (82, "character, not utf-8", b"\xff"),
        (82, "character, surrogate", b"\xed\xa0\x80"), (82, "character, letter and mark", b"e\xcc\x81"),
        (83, "ratio, empty", b""), (83, "ratio, one integer", b"\x01"),
        (83, "ratio, three integers", b"\x01\x02\x03"),
        (83, "ratio, over zero", b"\x01\x00"), (83, "ratio, over a negative", b"\x01\xff"),
        (83, "ratio, not in lowest terms", b"\x02\x04"),
        (83, "ratio, zero over two", b"\x00\x02"), (83, "ratio, of a float", f64(1.0) + b"\x02"),
        (83, "ratio, of a str", fixstr("1") + b"\x02"),
        (84, "decimal, empty", b""), (84, "decimal, no unscaled value", b"\x02"),
        (84, "decimal, longer than needed", b"\x02\x00\x05"),
        (84, "decimal, negative and longer than needed", b"\x02\xff\xff"),
        (84, "decimal, scale 2^31", u32(2**31) + b"\x01"),
        (84, "decimal, scale below -2^31", i64(-(2**31) - 1) + b"\x01"),
        (84, "decimal, scale of a str", fixstr("1") + b"\x01"),
        (84, "decimal, scale a bigint", ext_bytes(0x42, b"\x02") + b"\x01"),
        (85, "uuid, 15 bytes", bytes(15)), (85, "uuid, 17 bytes", bytes(17)),
        (85, "uuid, as text", b"0" * 36), (85, "uuid, empty", b""),
        (86, "set, empty payload", b""), (86, "set, of a map", b"\x80"), (86, "set, of an integer", b"\x05"),
        (86, "set, an element twice", b"\x92\x01\x01"), (86, "set, bytes after it", b"\x90\xc0"),
        (87, "date, 3 bytes", bytes(3)), (87, "date, 8 bytes", bytes(8)), (87, "date, empty", b""),
        (88, "time, 4 bytes", bytes(4)), (88, "time, a whole day", struct.pack(">Q", 86_400_000_000_000)),
        (88, "time, all ones", b"\xff" * 8),
        (89, "duration, 8 bytes", bytes(8)), (89, "duration, 10^9 ns", struct.pack(">Iq", 10**9, 0)),
        (89, "duration, empty", b""),
        (95, "calendar, empty", b""), (95, "calendar, kind 13", b"\x0d\x01"),
        (95, "calendar, kind -1", b"\xff\x01"), (95, "calendar, kind a str", fixstr("1") + b"\x01"),
        (95, "calendar, no field", b"\x08"), (95, "calendar, a field too many", b"\x08\x01\x01"),
        (95, "calendar, field a float", b"\x08" + f64(1.0)), (95, "calendar, month 13", b"\x08\x0d"),
        (95, "calendar, month 0", b"\x06\x00\x00"), (95, "calendar, February 30", b"\x07\x02\x1e"),
        (95, "calendar, day 0 of the week", b"\x09\x00"),
        (95, "calendar, a whole day", b"\x01\x00" + struct.pack(">BQ", 0xCF, 86_400_000_000_000)),
        (95, "calendar, offset 18:00:01", b"\x0b\xcd\xfd\x21"),
        (95, "calendar, year 10^9", b"\x05" + u32(10**9)),
        (95, "calendar, day after the last", b"\x01" + struct.pack(">BQ", 0xCF, 365_241_780_472) + b"\x00"),
        (95, "calendar, date of 32 bits", b"\x00\x01"),
        (95, "calendar, period of 2^31 days", b"\x0a\x00\x00" + u32(2**31)),
        (95, "calendar, zone without name", b"\x0c\xa0"), (95, "calendar, zone a number", b"\x0c\x01"),
        (95, "calendar, month a bigint", b"\x08" + ext_bytes(0x42, b"\x01")),
        (94, "named value, empty", b""), (94, "named value, name alone", fixstr("a")),
        (94, "named value, name empty", b"\xa0\x01"), (94, "named value, name a number", b"\x01\x01"),
        (94, "named value, two values", fixstr("a") + b"\x01\x01"),
        (94, "named value, number without a name", b"\xc0\x01"),
        (0x74, "typed array, empty", b""), (0x74, "typed array, element type 11", b"\x0b\x00"),
        (0x74, "typed array, element type 255", b"\xff"),
        (0x74, "typed array, half an i16", b"\x03\x00"),
        (0x74, "typed array, 7 bytes of f64", b"\x08" + bytes(7)),
        (0x74, "typed array, 5 bytes of f32", b"\x07" + bytes(5)),
    ]  # fmt: skip
    for code, name, payload in malformed:
        topic.refused(name, ext_bytes(code, payload), "invalid_ext", 0, ext_types=[code])
        if name.endswith("empty"):
            inside = b"\x92\xc0" + ext_bytes(code, payload)
            topic.refused(f"{name}, in an array", inside, "invalid_ext", 2, ext_types=[code])
    for code, name, payload, options in (
        (83, "ratio, numerator cut", b"\xcd\x01", {}), (83, "ratio, reserved marker", b"\xc1\x03", {}),
        (83, "ratio, bytes after it", b"\x01\x03\xc0\xc0", {}),
        (83, "ratio, bigint of no bytes", b"\xc7\0\x42\x03", {}),
        (83, "ratio, denominator an array", b"\x01\x90", {}),
        (83, "ratio, bigints that fit, not in lowest terms", b"\x02" + ext_bytes(0x42, b"\x04"), {}),
        (83, "ratio, over a negative bigint", b"\x01" + ext_bytes(0x42, b"\xff" * 9), {}),
        (83, "ratio, of a ratio", ext_bytes(83, b"\1\3") + b"\3", {}),
        (84, "decimal, scale a bigint, bigint on", ext_bytes(0x42, b"\x02") + b"\x01", {"bigint": True}),
        (83, "ratio, numerator a timestamp", b"\xd6\xff" + bytes(5), {}),
        (84, "decimal, scale cut", b"\xd2\0\0", {}), (84, "decimal, reserved marker", b"\xc1\x01", {}),
        (84, "decimal, scale a float", b"\xca" + bytes(5), {}),
        (86, "set, cut", b"\x92\x01", {}), (86, "set, reserved marker", b"\x91\xc1", {}),
        (86, "set, bad utf-8", b"\x91\xa1\xff", {}),
        (86, "set, header too large", header32(0xDD, 2**32 - 1), {}),
        (86, "set, bad timestamp", b"\x91\xd5\xff\0\0", {}),
        (86, "set, empty ratio in it", b"\x91\xc7\0\x53", {"ext_types": [83, 86]}),
        (86, "set, duplicate key in it", b"\x91\x82\x01\x01\x01\x02", {"duplicate_key": "error"}),
        (86, "set, unknown ext in it", b"\x91\xd4\x05\0", {"unknown_ext": "error"}),
        (86, "set, max_str_len", b"\x91\xa2aa", {"max_str_len": 1}),
        (86, "set, max_array_len", b"\x92\x01\x02", {"max_array_len": 1}),
        (86, "set, an element twice in two formats", b"\x92\x01\xcc\x01", {}),
        (86, "set, a float in two widths", b"\x92" + f64(1.5) + b"\xca\x3f\xc0\0\0", {}),
        (86, "set, a map in two orders", b"\x92\x82\x01\x01\x02\x02\x82\x02\x02\x01\x01", {}),
        (86, "set, a number and its bigint", b"\x92\x05" + ext_bytes(0x42, b"\x05"), {"bigint": True}),
        (86, "set, a ratio in two formats", b"\x92\xd5\x53\1\3\xc7\3\x53\1\xcc\3", {"ext_types": [83, 86]}),
        (86, "set, a set in two orders",
            b"\x92" + ext_bytes(86, b"\x92\1\2") + ext_bytes(86, b"\x92\2\1"), {}),
        (86, "set, max_depth 1", b"\x90", {"max_depth": 1}),
        (86, "set, max_depth 2", b"\x91\x90", {"max_depth": 2}),
        (86, "set, of a set, max_depth 3", b"\x91" + ext_bytes(86, b"\x90"), {"max_depth": 3}),
        (86, "set, 1024 arrays", b"\x91" * 1023 + b"\x90", {}),
        (94, "named value, max_depth 1", fixstr("n") + b"\x90", {"max_depth": 1}),
        (94, "named value, of a named value, max_depth 1",
            fixstr("n") + ext_bytes(94, fixstr("n") + b"\1"), {"max_depth": 1}),
        (94, "named value, name an array", b"\x90\1", {}),
    ):  # fmt: skip
        options = {"ext_types": [code], **options}
        header = ext_bytes(code, payload)[: -len(payload)]
        whole = join(header, repeat("91", 1023), "90") if len(payload) > 1000 else header + payload
        topic.refused(f"within a {name}", whole, "invalid_ext", 0, **options)
    for levels, limit in ((0, 1), (1, 2), (3, 4), (2, 4), (1022, 1023), (1023, 1024)):
        inner = b"\x91" * (limit - levels - 1) + b"\x90"
        raw = join(repeat("91", levels), ext_bytes(86, inner))
        options = {"ext_types": [86]} if limit == 1024 else {"ext_types": [86], "max_depth": limit}
        title = f"within a set, {levels} containers around it, max_depth {limit}"
        topic.refused(title, raw, "invalid_ext", levels, **options)
    for code, payload in ((86, b"\x90"), (94, b"\xc0\xa0")):
        raw, types = ext_bytes(code, payload), {"ext_types": [code]}
        for levels, limit in ((0, 0), (1, 1), (3, 3), (1024, 1024)):
            options = types if limit == 1024 else {**types, "max_depth": limit}
            title = f"type {code} within {levels} containers, max_depth {limit}"
            topic.refused(title, join(repeat("91", levels), raw), "depth_limit", levels, **options)
        title = f"type {code} as key, max_depth 1"
        topic.refused(title, b"\x81" + raw + b"\xc0", "depth_limit", 1, **types, max_depth=1)
    for code, name in ((83, "ratio"), (84, "decimal")):
        raw, types = join(header32(0xC9, 65_537), f"{code:02x}", repeat("01", 65_537)), {"ext_types": [code]}
        topic.refused(f"{name} of 65537 bytes", raw, "length_limit", 0, **types)
        topic.refused(f"{name} of 3 bytes, max_ext_len 2", ext_bytes(code, b"\1\1\1"), "length_limit", 0,
            **types, max_ext_len=2)  # fmt: skip
    on = {"bigint": True}
    topic.refused("bigint, empty", "c70042", "invalid_ext", 0, **on)
    topic.refused("bigint, empty, in ext32", "c90000000042", "invalid_ext", 0, **on)
    topic.refused("bigint, empty, in an array", "9201c70042", "invalid_ext", 2, **on)
    refused = {"unknown_ext": "error"}
    for code in (5, 127, -2, -128, 80, 95, 0x42, 0x72):
        topic.refused(f"unknown ext {code}", ext_bytes(code, b"\0"), "unknown_ext", 0, **refused)
    topic.refused("unknown ext, empty", "c70005", "unknown_ext", 0, **refused)
    topic.refused("unknown ext 0, empty", "c70000", "unknown_ext", 0, **refused)
    topic.refused("unknown ext 0, not undefined", "d40001", "unknown_ext", 0, **refused)
    topic.refused("unknown ext 0, two bytes", "d5000000", "unknown_ext", 0, **refused)
    topic.refused(
        "unknown ext, in a map", mapping(fixstr("a"), ext_bytes(5, b"abc")), "unknown_ext", 3, **refused
    )
    topic.refused("unknown ext, beside a timestamp", "92d6ff00000000d40500", "unknown_ext", 7, **refused)
    return topic


def _duplicate_keys() -> Topic:
    topic = Topic(
        KIND, "duplicate-keys", "a key twice, with duplicate_key: error; the offset is that of the second"
    )
    refused = {"duplicate_key": "error"}
    long = "k" * 40
    for name, data, offset in (
        ("str", mapping(fixstr("a"), b"\1", fixstr("a"), b"\2"), 4),
        ("str, third", mapping(fixstr("a"), b"\1", fixstr("b"), b"\2", fixstr("a"), b"\3"), 7),
        ("str with a wider header", mapping(fixstr("a"), b"\1", b"\xd9\x01a", b"\2"), 4),
        ("empty str", mapping(b"\xa0", b"\1", b"\xa0", b"\2"), 3),
        ("long str", mapping(b"\xd9\x28" + long.encode(), b"\1", b"\xda\0\x28" + long.encode(), b"\2"), 44),
        ("integer", mapping(b"\1", b"\1", b"\1", b"\2"), 3),
        ("integer in two formats", mapping(b"\5", b"\1", i64(5), b"\2"), 3),
        ("negative integer in two formats", mapping(b"\xff", b"\1", i8(-1), b"\2"), 3),
        ("nil", mapping(b"\xc0", b"\1", b"\xc0", b"\2"), 3),
        ("true", mapping(b"\xc3", b"\1", b"\xc3", b"\2"), 3),
        ("float", mapping(f64(1.5), b"\1", f64(1.5), b"\2"), 11),
        ("float in two widths", mapping(f64(1.5), b"\1", b"\xca\x3f\xc0\0\0", b"\2"), 11),
        ("nan", mapping(b"\xcb\x7f\xf8" + bytes(6), b"\1", b"\xcb\x7f\xf8" + bytes(5) + b"\1", b"\2"), 11),
        ("bin", mapping(b"\xc4\1a", b"\1", b"\xc4\1a", b"\2"), 5),
        ("bin with a wider header", mapping(b"\xc4\1a", b"\1", b"\xc5\0\1a", b"\2"), 5),
        ("array", mapping(b"\x91\1", b"\1", b"\x91\1", b"\2"), 4),
        ("array of a wider integer", mapping(b"\x91\1", b"\1", b"\x91\xcc\1", b"\2"), 4),
        ("map", mapping(b"\x81\1\2", b"\1", b"\x81\1\2", b"\2"), 5),
        ("map of another order", mapping(b"\x82\1\1\2\2", b"\1", b"\x82\2\2\1\1", b"\2"), 7),
        ("ext", mapping(b"\xd4\5\0", b"\1", b"\xd4\5\0", b"\2"), 5),
        ("ext with a wider header", mapping(b"\xd4\5\0", b"\1", b"\xc7\1\5\0", b"\2"), 5),
        ("bigint, off", mapping(b"\xd4\x42\5", b"\1", b"\xc7\1\x42\5", b"\2"), 5),
        ("timestamp in two formats", mapping(b"\xd6\xff\0\0\0\1", b"\1", timestamp64(1, 0), b"\2"), 8),
        ("in an inner map", mapping(fixstr("a"), mapping(fixstr("b"), b"\1", fixstr("b"), b"\2")), 7),
        ("in a key", mapping(mapping(b"\1", b"\1", b"\1", b"\2"), b"\3"), 4),
        ("in the second map", b"\x92" + mapping(b"\1", b"\1") + mapping(b"\1", b"\1", b"\1", b"\2"), 7),
    ):  # fmt: skip
        topic.refused(f"duplicate {name}", data, "duplicate_key", offset, **refused)
    for name, keys, options, offset in (
        ("5 and its bigint", (b"\x05", ext_bytes(0x42, b"\x05")), {"bigint": True}, 3),
        ("bigint of 5 and 5", (ext_bytes(0x42, b"\x05"), b"\x05"), {"bigint": True}, 5),
        ("bigint in two lengths", (ext_bytes(0x42, b"\1" + bytes(8)), ext_bytes(0x42, b"\0\1" + bytes(8))),
            {"bigint": True}, 14),
        ("set in two orders", (ext_bytes(86, b"\x92\1\2"), ext_bytes(86, b"\x92\2\1")),
            {"ext_types": [86]}, 8),
        ("ratio in two formats", (ext_bytes(83, b"\1\3"), ext_bytes(83, b"\1\xcc\3")),
            {"ext_types": [83]}, 6),
    ):  # fmt: skip
        raw = mapping(keys[0], b"\1", keys[1], b"\2")
        topic.refused(f"duplicate {name}", raw, "duplicate_key", offset, **refused, **options)
    many = b"".join(fixstr(f"k{place:02}") + b"\xc0" for place in range(40))
    topic.refused(
        "duplicate of the first of 40",
        b"\xde\0\x29" + many + b"\xa3k00\xc0",
        "duplicate_key",
        3 + len(many),
        **refused,
    )
    topic.refused(
        "duplicate of the last of 40",
        b"\xde\0\x29" + many + b"\xa3k39\xc0",
        "duplicate_key",
        3 + len(many),
        **refused,
    )
    return topic
