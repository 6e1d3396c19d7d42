"""``valid/``: ext values, timestamps and the types of ``extensions.md``."""

from __future__ import annotations

import struct

from .build import (
    Topic,
    ext,
    ext_bytes,
    ext_header,
    f64,
    fixstr,
    header32,
    i64,
    integer,
    items,
    join,
    repeat,
    table,
    text,
    timestamp,
    timestamp32,
    timestamp64,
    timestamp96,
    u32,
    u64,
    wider_headers,
)

KIND = "valid"
SET = 86


def topics() -> list[Topic]:
    return [_ext(), _wider_ext(), _timestamps(), _wider_timestamps(), _packord(), _bigint(), _shared()]


def _ext() -> Topic:
    topic = Topic(KIND, "ext", "ext: every length class, types at the edges of their range")
    for length in range(34):
        payload = bytes(range(length))
        topic.written(f"ext of {length} bytes", ext_bytes(5, payload), ext(5, payload))
    for length in (127, 128, 255, 256, 257, 65535, 65536):
        value = {"ext": [5, {"repeat": "a5", "times": length}]}
        topic.written(f"ext of {length} bytes", join(ext_header(5, length), repeat("a5", length)), value)
    for code in (-128, -127, -64, -2, 1, 2, 15, 31, 32, 63, 64, 65, 79, 96, 126, 127):
        topic.written(f"ext of type {code}", ext_bytes(code, b"\0"), ext(code, b"\0"))
        topic.written(f"ext of type {code}, empty", ext_bytes(code, b""), ext(code, b""))
    topic.written("ext of type 0x72 with records off", "d47240", ext(0x72, b"\x40"))
    return topic


def _wider_ext() -> Topic:
    topic = Topic(KIND, "ext-wider", "ext with every header that is wider than needed")
    for length in (0, 1, 2, 3, 4, 5, 8, 16, 17):
        payload = bytes(range(length))
        for name, header in wider_headers("ext", length):
            topic.read(f"{name} of {length} bytes", header + b"\5" + payload, ext(5, payload))
    value = {"ext": [5, {"repeat": "a5", "times": 256}]}
    topic.read("ext32 of 256 bytes", join(header32(0xC9, 256), "05", repeat("a5", 256)), value)
    return topic


LAST_SECOND = 253_402_300_799  # 9999-12-31T23:59:59Z
FIRST_SECOND = -62_167_219_200  # 0000-01-01T00:00:00Z


def _timestamps() -> Topic:
    topic = Topic(
        KIND, "timestamps", "ext -1 in the smallest of its formats; before 1970, and at every boundary"
    )
    for seconds in (0, 1, 86399, 86400, 951_782_400, 1_700_000_000, 2**31 - 1, 2**31, 2**32 - 1):
        topic.written(f"timestamp32 {seconds}", timestamp32(seconds), timestamp(seconds))
    for seconds, nanoseconds in (
        (0, 1), (0, 999), (0, 1000), (0, 999_999), (0, 1_000_000), (0, 1_000_001), (0, 123_456_789),
        (0, 500_000_000), (0, 999_999_999), (1, 1), (1_767_323_045, 500_000_000), (2**32 - 1, 1),
        (2**32 - 1, 999_999_999), (2**32, 0), (2**32, 1), (2**32 + 1, 0), (2**33, 0), (2**34 - 2, 0),
        (2**34 - 1, 0), (2**34 - 1, 999_999_999),
    ):  # fmt: skip
        name = f"timestamp64 {seconds} {nanoseconds}"
        topic.written(name, timestamp64(seconds, nanoseconds), timestamp(seconds, nanoseconds))
    for seconds, nanoseconds in (
        (2**34, 0), (2**34, 1), (2**34 + 1, 999_999_999), (2**40, 0), (-1, 0), (-1, 1), (-1, 500_000_000),
        (-1, 999_999_999), (-2, 0), (-86400, 0), (-2_208_988_800, 0), (-(2**31), 0), (-(2**32), 0),
        (-(2**34), 5),
        (LAST_SECOND, 0), (LAST_SECOND, 999_999_999), (LAST_SECOND + 1, 0), (FIRST_SECOND, 0),
        (FIRST_SECOND - 1, 0),
        (FIRST_SECOND - 1, 999_999_999), (-99_999_999_999, 1), (8_640_000_000_000, 0),
        (-8_640_000_000_000, 0),
        (2**53, 1), (2**63 - 1, 0), (2**63 - 1, 999_999_999), (-(2**63), 0), (-(2**63), 999_999_999),
        (-(2**63) + 1, 1),
    ):  # fmt: skip
        name = f"timestamp96 {seconds} {nanoseconds}"
        topic.written(name, timestamp96(seconds, nanoseconds), timestamp(seconds, nanoseconds))
    return topic


def _wider_timestamps() -> Topic:
    topic = Topic(
        KIND, "timestamps-wider", "timestamps in a larger format, or with a wider header, than needed"
    )
    one, half = timestamp(1), timestamp(1, 500_000_000)
    topic.read("1 s in 64 bits", timestamp64(1, 0), one)
    topic.read("1 s in 96 bits", timestamp96(1, 0), one)
    topic.read("0 s in 64 bits", timestamp64(0, 0), timestamp(0))
    topic.read("0 s in 96 bits", timestamp96(0, 0), timestamp(0))
    topic.read("1.5 s in 96 bits", timestamp96(1, 500_000_000), half)
    topic.read("2^34 - 1 s in 96 bits", timestamp96(2**34 - 1, 0), timestamp(2**34 - 1))
    for whole, value in (
        (timestamp32(1), one),
        (timestamp64(1, 500_000_000), half),
        (timestamp96(-1, 5), timestamp(-1, 5)),
    ):
        payload = whole[whole.index(b"\xff") + 1 :]
        for name, header in wider_headers("ext", len(payload)):
            topic.read(f"{8 * len(payload)} bits in {name}", header + b"\xff" + payload, value)
    return topic


def _typed(*types: int) -> dict:
    return {"ext_types": list(types)}


def _packord() -> Topic:
    description = "types 80 to 95: kept as ext without handlers, and well-formed for those of ext_types"
    topic = Topic(KIND, "packord-ext", description)
    i64_max = 2**63 - 1
    sixteen = bytes(range(16))
    for code, name, payload in (
        (80, "keyword a/b", b"a/b"), (80, "keyword a", b"a"), (80, "keyword é", "é".encode()),
        (80, "keyword a/b/c", b"a/b/c"), (80, "keyword /", b"/"), (80, "keyword a/", b"a/"),
        (81, "symbol /", b"/"), (81, "symbol a/b/c", b"a/b/c"),
        (81, "symbol x", b"x"), (81, "symbol clojure.core/map", b"clojure.core/map"), (81, "symbol +", b"+"),
        (82, "character é", "é".encode()), (82, "character a", b"a"), (82, "character nul", b"\0"),
        (82, "character €", "€".encode()), (82, "character U+1F600", "😀".encode()),
        (83, "ratio -1/3", b"\xff\x03"), (83, "ratio 0/1", b"\x00\x01"), (83, "ratio 22/7", b"\x16\x07"),
        (83, "ratio 1/2^64-1", b"\x01" + u64(2**64 - 1)),
        (83, "ratio 2^64/3", ext_bytes(0x42, (2**64).to_bytes(9, "big")) + b"\x03"),
        (84, "decimal 1.50", b"\x02\x00\x96"), (84, "decimal 0", b"\x00\x00"),
        (84, "decimal -0.1", b"\x01\xff"),
        (84, "decimal 1e3", b"\xfd\x01"), (84, "decimal 128", b"\x00\x00\x80"),
        (84, "decimal -128", b"\x00\x80"),
        (84, "decimal of scale 200", b"\xcc\xc8\x01"),
        (84, "decimal of the least scale", b"\xd2\x80\0\0\0\x07"),
        (84, "decimal of 20 bytes", b"\x12" + b"\x7f" + b"\xff" * 19),
        (85, "uuid", sixteen), (85, "uuid nil", bytes(16)),
        (86, "set #{1 2}", b"\x92\x01\x02"), (86, "set empty", b"\x90"), (86, "set of str", b"\x91\xa1a"),
        (87, "date 1970-01-02", struct.pack(">i", 1)), (87, "date 1969-12-31", struct.pack(">i", -1)),
        (87, "date 2000-02-29", struct.pack(">i", 11016)),
        (88, "time 00:00:01", struct.pack(">Q", 10**9)), (88, "time 00:00", bytes(8)),
        (88, "time 23:59:59.999999999", struct.pack(">Q", 86_399_999_999_999)),
        (89, "duration 1.5 s", struct.pack(">Iq", 500_000_000, 1)), (89, "duration 0", bytes(12)),
        (89, "duration -0.5 s", struct.pack(">Iq", 500_000_000, -1)),
        (89, "duration longest", struct.pack(">Iq", 999_999_999, i64_max)),
    ):  # fmt: skip
        topic.written(f"{name}, kept", ext_bytes(code, payload), ext(code, payload))
        topic.written(name, ext_bytes(code, payload), ext(code, payload), **_typed(code))
    _calendar(topic)
    for name, payload, limit in (
        ("set of an array, max_depth 3", b"\x91\x90", 3), ("set, max_depth 2", b"\x90", 2),
        ("set of sets, max_depth 4", b"\x91" + ext_bytes(SET, b"\x90"), 4),
        ("set of 1 and 1.0", b"\x92\x01" + f64(1.0), 2), ("set of str and bin", b"\x92\xa1a\xc4\1a", 2),
        ("set of a number and its bigint, which is an ext", b"\x92\x05" + ext_bytes(0x42, b"\x05"), 2),
        ("named value, max_depth 1", fixstr("n") + b"\x01", 1),
        ("named value of an array, max_depth 2", fixstr("n") + b"\x90", 2),
        ("named value in a named value, max_depth 2", fixstr("n") + ext_bytes(94, b"\xc0\xa0"), 2),
        ("ratio in no container", b"\x01\x03", 0),
        ("ratio 2^65/2, which is not checked", ext_bytes(0x42, (2**65).to_bytes(9, "big")) + b"\x02", 0),
    ):  # fmt: skip
        code = {"r": 83, "s": SET, "n": 94}[name[0]]
        options = {**_typed(code), "max_depth": limit}
        topic.written(name, ext_bytes(code, payload), ext(code, payload), **options)
    for name, code, payload, written in (
        ("set of wider formats", SET, b"\xdc\0\1\xcd\0\1", b"\x91\1"),
        ("ratio of wider integers", 83, b"\xcc\x01\xd0\x03", b"\1\3"),
        ("ratio of bigints that fit", 83, ext_bytes(0x42, b"\1") + ext_bytes(0x42, b"\0\3"), b"\1\3"),
        ("decimal of a wider scale", 84, b"\xcd\0\2\x96", b"\2\x96"),
        ("set of a ratio of wider integers", SET, b"\x91\xc7\3\x53\1\xcc\3", b"\x91\xd5\x53\1\3"),
        ("named value of wider formats", 94, b"\xd9\1n\xcc\5", fixstr("n") + b"\5"),
    ):
        types = (83, SET) if "set of a ratio" in name else (code,)
        topic.read(name, ext_bytes(code, payload), ext(code, written), **_typed(*types))
    deep = b"\x91" * 1022 + b"\x90"
    topic.written(
        "set of 1023 arrays", join("c803ff56", repeat("91", 1022), "90"), ext(SET, deep), **_typed(SET)
    )
    for size, options in ((65_536, {}), (65_537, {"max_ext_len": 65_537})):
        value = {"ext": [84, {"repeat": "01", "times": size}]}
        pieces = join(header32(0xC9, size), "54", repeat("01", size))
        topic.written(f"decimal of {size} bytes", pieces, value, **_typed(84), **options)
    value = {"ext": [84, {"repeat": "01", "times": 65_537}]}
    topic.written(
        "decimal of 65537 bytes, kept", join(header32(0xC9, 65_537), "54", repeat("01", 65_537)), value
    )
    for code, payload in ((83, b"\x01\x03"), (84, b"\x02\x00\x96"), (86, b"\x93\x01\x02\x03")):
        title = f"values in a payload of type {code} are not nodes"
        topic.written(title, ext_bytes(code, payload), ext(code, payload), **_typed(code), max_nodes=1)
    half = b"\x92\x02" + f64(0.5)
    topic.written(
        "set of 2 and 0.5, canonical", ext_bytes(86, half), ext(86, half), **_typed(86), canonical=True
    )
    topic.written(
        "set in an array, max_depth 3",
        b"\x91" + ext_bytes(SET, b"\x90"),
        items(ext(SET, b"\x90")),
        **_typed(SET),
        max_depth=3,
    )
    pair = b"\x93" + fixstr("<i4") + b"\x92\1\2" + fixstr("C")
    numbers = struct.pack("<2i", 1, 2)
    for name, payload in (
        ("array [[1 2]]", pair + b"\0" + numbers), ("array [[1 2]], padded", pair + b"\2\0\0" + numbers),
    ):  # fmt: skip
        topic.written(f"{name}, kept", ext_bytes(90, payload), ext(90, payload))
    table = b"\x92" + fixstr("arrow") + b"\xc4\0"
    topic.written("table, kept", ext_bytes(91, table), ext(91, table))
    for code in (92, 93):
        topic.written(f"reserved type {code}", ext_bytes(code, b"\0"), ext(code, b"\0"))
    topic.written("uuid of the wrong length, kept", ext_bytes(85, b"\0"), ext(85, b"\0"))
    topic.read("uuid in ext8", b"\xc7\x10\x55" + sixteen, ext(85, sixteen), **_typed(85))
    return topic


def _calendar(topic: Topic) -> None:
    noon = u64(43_200_000_000_000)
    zone = fixstr("Europe/Berlin")
    for name, payload in (
        ("date, first after i32", b"\x00" + u32(2**31)),
        ("date, last", b"\x00" + u64(365_241_780_471)),
        ("date, first", b"\x00" + i64(-365_243_219_162)),
        ("1970-01-02T12:00", b"\x01\x01" + noon), ("1969-12-31T00:00", b"\x01\xff\x00"),
        ("1970-01-02T12:00+01:00", b"\x02\x01" + noon + b"\xcd\x0e\x10"),
        ("1970-01-02T12:00-18:00", b"\x02\x01" + noon + b"\xd2\xff\xff\x02\xe0"),
        ("1970-01-02T12:00+01:00[Europe/Berlin]", b"\x03\x01" + noon + b"\xcd\x0e\x10" + zone),
        ("00:00Z", b"\x04\x00\x00"), ("12:00+01:00", b"\x04" + noon + b"\xcd\x0e\x10"),
        ("year 2026", b"\x05\xcd\x07\xea"), ("year 0", b"\x05\x00"),
        ("year -999999999", b"\x05\xd2\xc4\x65\x36\x01"),
        ("month 2026-12", b"\x06\xcd\x07\xea\x0c"), ("day --02-29", b"\x07\x02\x1d"),
        ("October", b"\x08\x0a"), ("Sunday", b"\x09\x07"),
        ("P1Y-2M3D", b"\x0a\x01\xfe\x03"), ("P0D", b"\x0a\x00\x00\x00"),
        ("offset +01:00", b"\x0b\xcd\x0e\x10"), ("zone", b"\x0c" + zone),
    ):  # fmt: skip
        topic.written(f"calendar: {name}", ext_bytes(95, payload), ext(95, payload), **_typed(95))
    topic.written("calendar, kept", ext_bytes(95, b"\x08\x0a"), ext(95, b"\x08\x0a"))
    color = fixstr("color") + fixstr("RED")
    key = b"\xc0" + fixstr("a")
    for name, payload in (("of a str", color), ("str key", key), ("of a map", fixstr("p") + b"\x81\xa1x\1")):
        topic.written(f"named value {name}, kept", ext_bytes(94, payload), ext(94, payload))
    for name, payload in (("of a str", color), ("of an array", fixstr("n") + b"\x90")):
        topic.written(f"named value {name}", ext_bytes(94, payload), ext(94, payload), **_typed(94))


def twos_complement(number: int) -> bytes:
    """The shortest payload of a bigint."""
    size = next(size for size in range(1, 1000) if -(1 << 8 * size - 1) <= number < 1 << 8 * size - 1)
    return number.to_bytes(size, "big", signed=True)


def _bigint() -> Topic:
    topic = Topic(KIND, "bigint", "the bigint extension, type 0x42")
    on = {"bigint": True}
    for name, number in (
        ("2^64", 2**64), ("2^64 + 1", 2**64 + 1), ("-2^63 - 1", -(2**63) - 1), ("-2^64", -(2**64)),
        ("2^71 - 1", 2**71 - 1), ("2^71", 2**71), ("-2^71", -(2**71)), ("-2^71 - 1", -(2**71) - 1),
        ("2^127 - 1", 2**127 - 1), ("2^127", 2**127), ("-2^127", -(2**127)), ("10^100", 10**100),
        ("-10^100", -(10**100)), ("2^2039", 2**2039), ("2^2047 - 1", 2**2047 - 1),
    ):  # fmt: skip
        topic.written(f"bigint {name}", ext_bytes(0x42, twos_complement(number)), integer(number), **on)
    for name, payload, number in (
        ("5", b"\x05", 5), ("-1", b"\xff", -1), ("0", b"\0", 0), ("128 with its sign byte", b"\0\x80", 128),
        ("2^64 - 1", b"\0" + b"\xff" * 8, 2**64 - 1), ("-2^63", b"\x80" + bytes(7), -(2**63)),
        ("2^64 with zeros before it", b"\0\0\0\x01" + bytes(8), 2**64), ("-1 in 16 bytes", b"\xff" * 16, -1),
        ("0 in 3 bytes", bytes(3), 0),
    ):  # fmt: skip
        topic.read(f"bigint form of {name}", ext_bytes(0x42, payload), integer(number), **on)
    topic.read("bigint in ext16", b"\xc8\x00\x09\x42\x01" + bytes(8), integer(2**64), **on)
    strict = {"bigint": True, "canonical": True}
    for name, number in (("2^64", 2**64), ("-2^63 - 1", -(2**63) - 1), ("2^127", 2**127)):
        raw = ext_bytes(0x42, twos_complement(number))
        topic.written(f"bigint {name}, canonical", raw, integer(number), **strict)
    for name, number in (("2^64 - 1", 2**64 - 1), ("-2^63", -(2**63)), ("5", 5)):
        raw = bytes([number]) if number == 5 else u64(number) if number > 0 else i64(number)
        topic.written(f"integer {name}, canonical with bigint", raw, integer(number), **strict)
    topic.written("integers with bigint on", u64(2**64 - 1), integer(2**64 - 1), **on)
    payload = b"\x01" + bytes(8)
    topic.written("bigint off, kept", ext_bytes(0x42, payload), ext(0x42, payload))
    topic.written("bigint off, empty, kept", "c70042", ext(0x42, b""))
    five, wider = ext(0x42, b"\x05"), ext(0x42, b"\0\x05")
    for name, keys in (
        ("5 and its bigint", ((b"\x05", integer(5)), (ext_bytes(0x42, b"\x05"), five))),
        ("two bigints of 5", ((ext_bytes(0x42, b"\x05"), five), (ext_bytes(0x42, b"\0\x05"), wider))),
        ("arrays of 5 and its bigint",
            ((b"\x91\x05", items(integer(5))), (b"\x91" + ext_bytes(0x42, b"\x05"), items(five)))),
    ):  # fmt: skip
        raw = b"\x82" + b"".join(key + b"\xc0" for key, _ in keys)
        value = table(*((key, None) for _, key in keys))
        topic.written(f"bigint off, keys {name}", raw, value)
        topic.written(f"bigint off, keys {name}, no duplicate", raw, value, duplicate_key="error")
    five = table((integer(5), integer(2)))
    topic.read(
        "bigint on, keys 5 and its bigint", b"\x82\x05\1" + ext_bytes(0x42, b"\x05") + b"\2", five, **on
    )
    key = b"\x82" + ext_bytes(0x42, payload) + b"\x01\x00\x02"
    topic.written("bigint as key", key, table((integer(2**64), integer(1)), (integer(0), integer(2))), **on)
    topic.written(
        "bigint as element",
        b"\x92" + ext_bytes(0x42, payload) + b"\x01",
        items(integer(2**64), integer(1)),
        **on,
    )
    return topic


def _shared() -> Topic:
    topic = Topic(KIND, "typed-arrays", "type 0x74: little-endian elements after their type")
    doubles = struct.pack("<2d", 1.5, -0.0)
    for name, payload in (
        ("empty i8", b"\0"), ("i8", b"\0\xff\x01"), ("u8", b"\x01\xff\x00"), ("u8 clamped", b"\x02\xff"),
        ("i16", b"\x03\x01\x00\xff\xff"), ("u16", b"\x04\x01\x00"), ("i32", b"\x05" + struct.pack("<i", -2)),
        ("u32", b"\x06" + struct.pack("<2I", 1, 2**32 - 1)), ("f32", b"\x07" + struct.pack("<f", 1.5)),
        ("f64", b"\x08" + doubles), ("i64", b"\x09" + struct.pack("<q", -(2**63))),
        ("u64", b"\x0a" + struct.pack("<Q", 2**64 - 1)), ("bytes", b"\x10\x01\x02\x03"),
        ("view", b"\x11\x01"),
    ):  # fmt: skip
        topic.written(f"typed array {name}", ext_bytes(0x74, payload), ext(0x74, payload), **_typed(0x74))
    inside = b"\x92" + ext_bytes(0x74, b"\x08" + doubles) + fixstr("a")
    value = items(ext(0x74, b"\x08" + doubles), text("a"))
    topic.written("typed array as element", inside, value, **_typed(0x74))
    assert f64(1.5)[1:] == doubles[:8][::-1]
    return topic
