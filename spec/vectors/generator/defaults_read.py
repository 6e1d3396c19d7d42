"""``defaults/``: what messages are read as without options, and what is written of that again."""

from __future__ import annotations

from typing import Any

from ..natives import JAVASCRIPT, LANGUAGES, PYTHON
from .build import (
    Topic,
    array,
    binary,
    double,
    ext,
    ext_bytes,
    f64,
    fields,
    fixstr,
    i8,
    i16,
    i64,
    integer,
    items,
    join,
    mapping,
    repeat,
    single,
    table,
    text,
    timestamp,
    timestamp32,
    timestamp64,
    timestamp96,
    u8,
    u16,
    u32,
    u64,
)

KIND = "defaults"
Value = Any
NOT_PYTHON = [language for language in LANGUAGES if language != PYTHON]
ONE = b"\1"


class Reading(Topic):
    """A topic of messages that are read; the rest of each case follows from its value."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def reads(self, name: str, data: Any, value: Value, /, **members: Any) -> None:
        """The message is this value, in the languages that ``instead`` does not name."""
        self._case({"name": f"read: {name}"}, {**members, "bytes": join(data), "value": value})

    def faults(self, name: str, data: Any, kind: str, offset: int, path: str, /, **members: Any) -> None:
        error = {"kind": kind, "offset": offset, "path": path}
        self._case({"name": f"read: {name}"}, {**members, "bytes": join(data), "error": error})

    def not_in_python(self, name: str, data: bytes, value: Value, offset: int, path: str) -> None:
        """A map as a key, which no dict can have."""
        self.reads(name, data, value, languages=NOT_PYTHON)
        self.faults(f"{name}, in Python", data, "type_mismatch", offset, path, languages=[PYTHON])


def topics() -> list[Topic]:
    return [_scalars(), _maps(), _duplicates(), _times(), _exts(), _faults()]


def _scalars() -> Topic:
    topic = Reading(
        "read-scalars", "numbers, str, bin, arrays: what JavaScript and Python do not distinguish"
    )
    for name, data, value in (
        ("nil", b"\xc0", None), ("true", b"\xc3", True), ("false", b"\xc2", False), ("0", b"\0", integer(0)),
        ("127", b"\x7f", integer(127)), ("100", b"\x64", integer(100)), ("-32", b"\xe0", integer(-32)),
        ("128", u8(128), integer(128)), ("-33", i8(-33), integer(-33)), ("65536", u32(65536), integer(65536)),
        ("2^53 - 1", u64(2**53 - 1), integer(2**53 - 1)), ("2^53", u64(2**53), integer(2**53)),
        ("-2^53", i64(-(2**53)), integer(-(2**53))), ("2^63", u64(2**63), integer(2**63)),
        ("2^64 - 1", u64(2**64 - 1), integer(2**64 - 1)), ("-2^63", i64(-(2**63)), integer(-(2**63))),
        ("0.1", f64(0.1), double(0.1)), ("1.0", f64(1.0), double(1.0)), ("-0.0", f64(-0.0), double(-0.0)),
        ("0.0", f64(0.0), double(0.0)), ("1e300", f64(1e300), double(1e300)), ("2^53 as a float", f64(2.0**53), double(2.0**53)),
        ("inf", f64(float("inf")), double(float("inf"))), ("NaN", bytes.fromhex("cb7ff8000000000000"), {"f64": "7ff8000000000000"}),
        ("a negative NaN", bytes.fromhex("cbfff8000000000001"), {"f64": "fff8000000000001"}),
        ("1.5 in 32 bits", b"\xca\x3f\xc0\0\0", single("3fc00000")), ("0.1 in 32 bits", b"\xca\x3d\xcc\xcc\xcd", single("3dcccccd")),
        ("1.0 in an array", array(f64(1.0), ONE), items(double(1.0), integer(1))),
        ("empty str", b"\xa0", text("")), ("str", fixstr("é😀"), text("é😀")), ("str with NUL", fixstr("a\0"), text("a\0")),
        ("str with a byte order mark", fixstr("\ufeffa"), text("\ufeffa")),
        ("empty bin", b"\xc4\0", binary(b"")), ("bin", b"\xc4\2\0\xff", binary(b"\0\xff")), ("empty array", b"\x90", items()),
        ("array of all types", array(b"\xc0", ONE, fixstr("a"), b"\xc4\1a", b"\x90", b"\x80"),
            items(None, integer(1), text("a"), binary(b"a"), items(), fields())),
        ("5 in 8 bits", u8(5), integer(5)), ("5 in 16 bits, signed", i16(5), integer(5)), ("5 in 64 bits", u64(5), integer(5)),
        ("-1 in 64 bits", i64(-1), integer(-1)), ("str with a wider header", b"\xd9\1a", text("a")),
        ("bin with a wider header", b"\xc5\0\1a", binary(b"a")), ("array with a wider header", b"\xdc\0\1\xc0", items(None)),
        ("map with a wider header", b"\xde\0\1\xa1a\1", fields(a=integer(1))),
    ):  # fmt: skip
        topic.reads(name, data, value)
    return topic


def _maps() -> Topic:
    topic = Reading("read-maps", "keys of any kind; objects of JavaScript where all keys are str, else Map")
    one = integer(1)
    for name, data, value in (
        ("empty map", b"\x80", fields()), ("str keys", mapping(fixstr("b"), ONE, fixstr("a"), b"\xc0"), fields(b=one, a=None)),
        ("integer key", mapping(ONE, b"\2"), table((one, integer(2)))),
        ("negative key", mapping(b"\xff", ONE), table((integer(-1), one))),
        ("key 2^53", mapping(u64(2**53), ONE), table((integer(2**53), one))),
        ("key 2^64 - 1", mapping(u64(2**64 - 1), ONE), table((integer(2**64 - 1), one))),
        ("float key", mapping(f64(0.5), ONE), table((double(0.5), one))),
        ("key 1.0", mapping(f64(1.0), ONE), table((double(1.0), one))),
        ("key -0.0", mapping(f64(-0.0), ONE), table((double(-0.0), one))),
        ("nil key", mapping(b"\xc0", ONE), table((None, one))), ("boolean key", mapping(b"\xc3", ONE), table((True, one))),
        ("bin key", mapping(b"\xc4\1a", ONE), table((binary(b"a"), one))),
        ("empty str key", mapping(b"\xa0", ONE), table((text(""), one))),
        ("array key", mapping(array(ONE, b"\x90"), ONE), table((items(one, items()), one))),
        ("ext key", mapping(b"\xd4\5\0", ONE), table((ext(5, b"\0"), one))),
        ("timestamp key", mapping(timestamp32(5), ONE), table((timestamp(5), one))),
        ("str and integer keys", mapping(fixstr("a"), ONE, ONE, b"\2"), table((text("a"), one), (one, integer(2)))),
        ("keys 1 and \"1\"", mapping(ONE, b"\xc3", fixstr("1"), b"\xc2"), table((one, True), (text("1"), False))),
        ("object in a Map", mapping(ONE, mapping(fixstr("a"), b"\xc0")), table((one, fields(a=None)))),
        ("Map in an object", mapping(fixstr("a"), mapping(ONE, b"\xc0")), fields(a=table((one, None)))),
        ("empty map in a Map", mapping(ONE, b"\x80"), table((one, fields()))),
        ("objects in an array", array(b"\x80", mapping(fixstr("a"), ONE), mapping(ONE, ONE)),
            items(fields(), fields(a=one), table((one, one)))),
        ("key __proto__", mapping(fixstr("__proto__"), b"\x80"), fields(__proto__=fields())),
        ("keys of Object.prototype", mapping(fixstr("constructor"), ONE, fixstr("toString"), b"\xc0"),
            fields(constructor=one, toString=None)),
        ("index keys in order", mapping(fixstr("9"), ONE, fixstr("10"), ONE, fixstr("a"), ONE), table((text("9"), one),
            (text("10"), one), (text("a"), one))),
        ("index keys out of order", mapping(fixstr("a"), ONE, fixstr("10"), ONE, fixstr("9"), ONE), table((text("a"), one),
            (text("10"), one), (text("9"), one))),
        ("index keys out of order in a Map", mapping(fixstr("10"), ONE, fixstr("9"), ONE, b"\xc0", ONE), table((text("10"), one),
            (text("9"), one), (None, one))),
        ("keys that only look like indexes", mapping(fixstr("b"), ONE, fixstr("01"), ONE, fixstr("-1"), ONE), table((text("b"), one),
            (text("01"), one), (text("-1"), one))),
        ("a value in 32 bits under a key", mapping(fixstr("a"), b"\xca\x3f\xc0\0\0"), fields(a=single("3fc00000"))),
        ("integers 64 to 127", array(b"\x40", b"\x7f"), items(integer(64), integer(127))),
    ):  # fmt: skip
        topic.reads(name, data, value)
    for count in (8, 9, 16):
        data = b"".join(fixstr(f"k{i:02}") + bytes([i]) for i in range(count))
        value = table(*((text(f"k{i:02}"), integer(i)) for i in range(count)))
        topic.reads(
            f"{count} str keys", (b"\xde\0\x10" if count == 16 else bytes([0x80 + count])) + data, value
        )
    inner = mapping(fixstr("a"), ONE)
    topic.not_in_python("map as a key", mapping(inner, ONE), table((fields(a=one), one)), 1, "$")
    topic.not_in_python(
        "map in a key", mapping(fixstr("m"), mapping(array(inner), ONE)), fields(m=table((items(fields(a=one)), one))), 4, "$.m"
    )  # fmt: skip
    topic.not_in_python("empty map as a key", mapping(b"\x80", ONE), table((fields(), one)), 1, "$")
    return topic


def _duplicates() -> Topic:
    topic = Reading(
        "read-duplicates", "a key that occurs twice: the last value, at the position of the first"
    )
    one, two = integer(1), integer(2)
    a, b = fixstr("a"), fixstr("b")
    for name, data, value in (
        ("str key twice", mapping(a, ONE, a, b"\2"), fields(a=two)),
        ("str key twice around another", mapping(a, ONE, b, ONE, a, b"\2"), fields(a=two, b=one)),
        ("str key three times", mapping(a, ONE, a, b"\2", a, b"\xc0"), fields(a=None)),
        ("str key with a wider header twice", mapping(a, ONE, b"\xd9\1a", b"\2"), fields(a=two)),
        ("empty str key twice", mapping(b"\xa0", ONE, b"\xa0", b"\2"), table((text(""), two))),
        ("integer key twice", mapping(b"\5", ONE, b"\5", b"\2"), table((integer(5), two))),
        ("integer key in two formats", mapping(b"\5", ONE, u16(5), b"\2"), table((integer(5), two))),
        ("nil key twice", mapping(b"\xc0", ONE, b"\xc0", b"\2"), table((None, two))),
        ("key __proto__ twice", mapping(fixstr("__proto__"), ONE, fixstr("__proto__"), b"\2"), fields(__proto__=two)),
        ("keys 1 and 1.0", mapping(ONE, b"\5", f64(1.0), b"\6"), table((one, integer(5)), (double(1.0), integer(6)))),
        ("keys 1, 1.0 and true", mapping(ONE, b"\5", f64(1.0), b"\6", b"\xc3", b"\7"), table((one, integer(5)),
            (double(1.0), integer(6)), (True, integer(7)))),
        ("keys 0 and false", mapping(b"\0", ONE, b"\xc2", b"\2"), table((integer(0), one), (False, two))),
        ("keys 0.0 and -0.0", mapping(f64(0.0), ONE, f64(-0.0), b"\2"), table((double(0.0), one), (double(-0.0), two))),
        ("a key twice within a value", mapping(a, mapping(b, ONE, b, b"\2")), fields(a=fields(b=two))),
        ("str and integer keys, the str twice", mapping(a, ONE, ONE, ONE, a, b"\2"), table((text("a"), two), (one, one))),
    ):  # fmt: skip
        topic.reads(name, data, value)
    # JavaScript compares keys that are objects by identity: it has both entries, and writes both.
    for name, key, value in (
        ("array", array(ONE), items(one)), ("bin", b"\xc4\1a", binary(b"a")), ("ext", b"\xd4\5\0", ext(5, b"\0")),
        ("timestamp", timestamp32(5), timestamp(5)),
    ):  # fmt: skip
        data = mapping(key, ONE, key, b"\2")
        both = table((value, one), (value, two))
        others = [language for language in LANGUAGES if language != JAVASCRIPT]
        topic.reads(f"{name} key twice", data, table((value, two)), languages=others)
        topic.reads(f"{name} key twice, in JavaScript", data, both, languages=[JAVASCRIPT])
    return topic


def _times() -> Topic:
    topic = Reading("read-times", "timestamps: the time of the language if it is exact, else Timestamp")
    dates, instants = 8_640_000_000_000, (-31_557_014_167_219_200, 31_556_889_864_403_199)
    for name, data, value in (
        ("1970", timestamp32(0), timestamp(0)), ("seconds", timestamp32(1_767_323_045), timestamp(1_767_323_045)),
        ("milliseconds", timestamp64(5, 500_000_000), timestamp(5, 500_000_000)),
        ("microseconds", timestamp64(5, 999_999_000), timestamp(5, 999_999_000)),
        ("nanoseconds", timestamp64(5, 1), timestamp(5, 1)), ("all nanoseconds", timestamp64(5, 999_999_999), timestamp(5, 999_999_999)),
        ("before 1970", timestamp96(-1, 0), timestamp(-1)), ("before 1970, milliseconds", timestamp96(-1, 500_000_000),
            timestamp(-1, 500_000_000)),
        ("before 1970, nanoseconds", timestamp96(-1, 999_999_999), timestamp(-1, 999_999_999)),
        ("after 2106", timestamp64(2**32, 0), timestamp(2**32)), ("after 2514", timestamp96(2**34, 1000), timestamp(2**34, 1000)),
        ("the last second of year 9999", timestamp96(253_402_300_799, 999_999_000), timestamp(253_402_300_799, 999_999_000)),
        ("year 10000", timestamp96(253_402_300_800, 0), timestamp(253_402_300_800)),
        ("the first second of year 1", timestamp96(-62_135_596_800, 0), timestamp(-62_135_596_800)),
        ("year 0", timestamp96(-62_135_596_801, 0), timestamp(-62_135_596_801)),
        ("the last Date", timestamp96(dates, 0), timestamp(dates)), ("after the last Date", timestamp96(dates, 1_000_000),
            timestamp(dates, 1_000_000)),
        ("the first Date", timestamp96(-dates, 0), timestamp(-dates)), ("before the first Date", timestamp96(-dates - 1, 999_000_000),
            timestamp(-dates - 1, 999_000_000)),
        ("the first Instant", timestamp96(instants[0], 0), timestamp(instants[0])),
        ("before the first Instant", timestamp96(instants[0] - 1, 0), timestamp(instants[0] - 1)),
        ("the last Instant", timestamp96(instants[1], 999_999_999), timestamp(instants[1], 999_999_999)),
        ("after the last Instant", timestamp96(instants[1] + 1, 0), timestamp(instants[1] + 1)),
        ("the first timestamp", timestamp96(-(2**63), 0), timestamp(-(2**63))),
        ("the last timestamp", timestamp96(2**63 - 1, 999_999_999), timestamp(2**63 - 1, 999_999_999)),
        ("timestamps in a map", mapping(fixstr("a"), timestamp32(1), fixstr("b"), array(timestamp64(1, 1))),
            fields(a=timestamp(1), b=items(timestamp(1, 1)))),
        ("seconds in 64 bits", timestamp64(1, 0), timestamp(1)), ("seconds in 96 bits", timestamp96(1, 0), timestamp(1)),
        ("seconds with a wider header", b"\xc7\4\xff\0\0\0\1", timestamp(1)),
    ):  # fmt: skip
        topic.reads(f"time: {name}", data, value)
    return topic


def _exts() -> Topic:
    topic = Reading("read-ext", "ext types that no option registers: kept, and written as they were")
    for code in (*range(80, 96), 0x42, 0x62, 0x65, 0x69, 0x70, 0x72, 0x73, 0x74, 0x78, 1, 5, 127, -2, -128):
        payload = b"\x40" if code == 0x72 else b"\1"
        topic.reads(f"ext of type {code}", ext_bytes(code, payload), ext(code, payload))
    for code, name, payload in (
        (84, "a decimal", b"\2\0\x96"), (85, "a uuid", bytes(range(16))), (86, "a set", b"\x92\1\2"), (87, "a date", bytes(4)),
        (0x42, "a bigint", b"\1" + bytes(8)), (0x74, "a typed array", b"\7\0\0\xc0\x3f"), (92, "columns", bytes.fromhex("010303010200039201 02")),
        (86, "a malformed set", b"\xc1"), (5, "no bytes", b""), (5, "300 bytes", bytes(300)),
    ):  # fmt: skip
        data = (
            join(ext_bytes(code, payload)[: -len(payload)], repeat("00", 300))
            if len(payload) == 300
            else ext_bytes(code, payload)
        )
        value = {"ext": [5, {"repeat": "00", "times": 300}]} if len(payload) == 300 else ext(code, payload)
        topic.reads(f"ext of type {code} with {name}", data, value)
    undefined = b"\xd4\0\0"
    value = ext(0, b"\0")
    topic.reads("undefined", undefined, value)
    topic.reads("undefined in an array", array(undefined, ONE), items(value, integer(1)))
    topic.reads("undefined as a key", mapping(undefined, ONE), table((value, integer(1))))
    topic.reads("undefined in a Map", mapping(ONE, undefined), table((integer(1), value)))
    topic.reads(
        "undefined as a property",
        mapping(fixstr("a"), undefined, fixstr("b"), ONE),
        fields(a=value, b=integer(1)),
    )
    topic.reads("undefined with a wider header", b"\xc7\1\0\0", value)
    topic.reads("ext of type 0 with other bytes", b"\xd4\0\1", ext(0, b"\1"))
    topic.reads("ext with a wider header", b"\xc7\1\5\0", ext(5, b"\0"))
    topic.reads("exts in a map", mapping(fixstr("a"), b"\xd4\5\0", fixstr("b"), array(b"\xd4\6\0")),
        fields(a=ext(5, b"\0"), b=items(ext(6, b"\0"))))  # fmt: skip
    return topic


def _faults() -> Topic:
    topic = Reading("read-refused", "errors: kind, offset and path, the same in every language")
    for name, data, kind, offset, path in (
        ("nothing", b"", "eof", 0, "$"), ("a cut integer", b"\xcd\1", "eof", 2, "$"), ("a cut str", b"\xa3ab", "eof", 3, "$"),
        ("a cut array", b"\x92\1", "eof", 2, "$"), ("a cut map", mapping(fixstr("a"), ONE)[:-1], "eof", 3, "$.a"),
        ("a cut value under an integer key", b"\x81\5\xcd\1", "eof", 4, "$[key 5]"),
        ("2^32 - 1 elements", b"\xdd\xff\xff\xff\xff", "eof", 5, "$"), ("2^32 - 1 entries", b"\x91\xdf\xff\xff\xff\xff", "eof", 6, "$[0]"),
        ("a cut ext", b"\xc7\3\5\0", "eof", 4, "$"), ("c1", b"\xc1", "reserved_marker", 0, "$"),
        ("c1 in a map", b"\x81\xa1a\x92\1\xc1", "reserved_marker", 5, "$.a[1]"), ("c1 as a key", b"\x81\xc1\1", "reserved_marker", 1, "$"),
        ("bytes after nil", b"\xc0\xc0", "trailing_bytes", 1, "$"), ("bytes after a map", b"\x80\xc1", "trailing_bytes", 1, "$"),
        ("invalid UTF-8", b"\xa2a\xff", "invalid_utf8", 2, "$"), ("invalid UTF-8 in a map", b"\x81\xa1a\xa1\xff", "invalid_utf8", 4, "$.a"),
        ("invalid UTF-8 in a key", b"\x81\xa1\xff\1", "invalid_utf8", 2, "$"),
        ("a surrogate in UTF-8", b"\xa3\xed\xa0\x80", "invalid_utf8", 1, "$"), ("an overlong NUL", b"\xa2\xc0\x80", "invalid_utf8", 1, "$"),
        ("a timestamp of 1 byte", b"\xd4\xff\xff", "invalid_timestamp", 0, "$"),
        ("a timestamp of 0 bytes", b"\xc7\0\xff", "invalid_timestamp", 0, "$"),
        ("10^9 nanoseconds", timestamp64(0, 10**9), "invalid_timestamp", 0, "$"),
        ("10^9 nanoseconds in 96 bits", array(timestamp96(0, 10**9)), "invalid_timestamp", 1, "$[0]"),
        ("a malformed timestamp as a key", b"\x81\xd4\xff\0\1", "invalid_timestamp", 1, "$"),
        ("Set of msgpackr", b"\xd4\x73\0\x90", "trailing_bytes", 3, "$"),
        ("a record", b"\xd4\x72\x40\x91\xa1a\1", "trailing_bytes", 3, "$"),
        ("c1 after a key that occurs twice", b"\x82\xa1a\1\xa1a\xc1", "reserved_marker", 6, "$.a"),
        ("c1 under a key of nil", b"\x81\xc0\x91\xc1", "reserved_marker", 3, "$[key nil][0]"),
        ("c1 under a key of an array", b"\x81\x91\1\xc1", "reserved_marker", 3, "$[key [1]]"),
    ):  # fmt: skip
        topic.faults(name, data, kind, offset, path)
    topic.faults("1025 arrays", [repeat("91", 1024), "90"], "depth_limit", 1024, "$" + "[0]" * 85 + "\u2026")
    topic.faults(
        "1025 levels of maps",
        [repeat("81a161", 1024), "80"],
        "depth_limit",
        3072,
        "$" + ".a" * 127 + ".\u2026",
    )
    return topic
