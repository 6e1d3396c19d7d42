"""``stream/``: messages one after another, however the bytes are cut."""

from __future__ import annotations

from .build import (
    NIL,
    Topic,
    counter,
    double,
    f64,
    fault,
    fields,
    fixstr,
    integer,
    items,
    join,
    mapping,
    repeat,
    single,
    table,
    text,
    timestamp32,
    timestamp64,
    timestamp96,
)
from .records_bytes import define, define_wide, field, names

KIND = "stream"
CLEAN = "clean"


def topics() -> list[Topic]:
    return [_messages(), _ends(), _buffer(), _buffer_headers(), _buffer_records(), _large(), _records()]


def _messages() -> Topic:
    topic = Topic(KIND, "messages", "whole streams of every format")
    topic.stream("empty stream", "", [], CLEAN)
    topic.stream("one nil", "c0", [NIL], CLEAN)
    topic.stream("three integers", "01cd012cff", [integer(1), integer(300), integer(-1)], CLEAN)
    scalars = [
        (b"\xc0", NIL), (b"\xc2", False), (b"\xc3", True), (b"\x7f", integer(127)),
        (b"\xcc\xc8", integer(200)),
        (b"\xcd\x01\x2c", integer(300)), (b"\xce\0\1\0\0", integer(65536)),
        (b"\xcf" + b"\xff" * 8, integer(2**64 - 1)),
        (b"\xd0\x9c", integer(-100)), (b"\xd1\xfe\xd4", integer(-300)),
        (b"\xd2\x80\0\0\0", integer(-(2**31))),
        (b"\xd3\x80" + bytes(7), integer(-(2**63))), (f64(1.5), double(1.5)),
        (b"\xca\x3f\xc0\0\0", single("3fc00000")),
        (timestamp32(1), {"timestamp": ["1", 0]}), (timestamp64(1, 5), {"timestamp": ["1", 5]}),
        (timestamp96(-1, 5), {"timestamp": ["-1", 5]}), (b"\xd4\5\0", {"ext": [5, "00"]}),
        (b"\xc7\0\5", {"ext": [5, ""]}),
        (b"\xd8\5" + bytes(16), {"ext": [5, "00" * 16]}), (b"\xc7\3\5abc", {"ext": [5, "616263"]}),
        (b"\xc4\2\xc1\xff", {"bin": "c1ff"}), (b"\xc5\0\1a", {"bin": "61"}), (b"\xc6\0\0\0\0", {"bin": ""}),
        (fixstr("é€😀"), text("é€😀")), (b"\xd9\1a", text("a")), (b"\xda\0\1b", text("b")),
        (b"\xdb\0\0\0\1c", text("c")),
        (b"\x90", items()), (b"\x80", table()),
    ]  # fmt: skip
    topic.stream(
        "every scalar format", b"".join(raw for raw, _ in scalars), [value for _, value in scalars], CLEAN
    )
    maps = [mapping(fixstr("id"), bytes([number]), fixstr("name"), fixstr("é")) for number in range(5)]
    values = [fields(id=integer(number), name=text("é")) for number in range(5)]
    topic.stream("five maps", b"".join(maps), values, CLEAN)
    wide = b"\xdd\0\0\0\2\xdf\0\0\0\1\xa1a\xdc\0\1\1\xde\0\0"
    topic.stream(
        "wide containers", wide + b"\5", [items(fields(a=items(integer(1))), table()), integer(5)], CLEAN
    )
    nested = b"\x92\x91\x91\1\x81\xa1k\x92\xa1v\xc0"
    value = items(items(items(integer(1))), fields(k=items(text("v"), NIL)))
    topic.stream("nested, twice", nested * 2, [value, value], CLEAN)
    keys = mapping(b"\x91\1", b"\2", mapping(b"\3", b"\4"), b"\5")
    value = table((items(integer(1)), integer(2)), (table((integer(3), integer(4))), integer(5)))
    topic.stream("containers as keys", keys + b"\0", [value, integer(0)], CLEAN)
    topic.stream(
        "empty containers",
        b"\x90\x80\xdc\0\0\xde\0\0\xa0\xc4\0",
        [items(), table(), items(), table(), text(""), {"bin": ""}],
        CLEAN,
    )
    deep = {"nest": {"array": 1024, "inner": NIL}}
    topic.stream(
        "two of depth 1024", join(repeat("91", 1024), "c0", repeat("91", 1024), "c0"), [deep, deep], CLEAN
    )
    duplicate = mapping(fixstr("a"), b"\1", fixstr("a"), b"\2")
    topic.stream("duplicate keys", duplicate * 2, [fields(a=integer(2))] * 2, CLEAN)
    topic.stream(
        "max_nodes counts each message alone",
        "91019102",
        [items(integer(1)), items(integer(2))],
        CLEAN,
        max_nodes=2,
    )
    return topic


def _ends() -> Topic:
    topic = Topic(
        KIND,
        "ends",
        "streams that end within a message, or with a fault; offsets count from the stream's first byte",
    )
    one = [integer(1)]
    for name, raw, values, kind, offset in (
        ("cut integer", "01cd01", one, "eof", 3), ("cut first message", "cd", [], "eof", 1),
        ("cut str", "01a36162", one, "eof", 4),
        ("cut str header", "01da00", one, "eof", 3), ("cut array", "019201", one, "eof", 3),
        ("array without elements", "0191", one, "eof", 2),
        ("cut map", "0181a161", one, "eof", 4), ("cut inner array", "01919201", one, "eof", 4),
        ("cut float", "01cb3ff8", one, "eof", 4),
        ("cut ext header", "01c705", one, "eof", 3), ("cut ext", "01d60500", one, "eof", 4),
        ("cut timestamp", "01d7ff00", one, "eof", 4),
        ("cut bin", "01c40300", one, "eof", 4),
        ("announced more than comes", "01dc0010c0c0", one, "eof", 6),
        ("c1", "01c101", one, "reserved_marker", 1), ("c1 first", "c1", [], "reserved_marker", 0),
        ("c1 in an array", "0192c1c0", one, "reserved_marker", 2),
        ("bad utf-8 at the end of a str", "01a161a261c3", [integer(1), text("a")], "invalid_utf8", 5),
        ("second is bad, first is whole", "9101c1", [items(integer(1))], "reserved_marker", 2),
        ("budget comes before a fault within", "0193c1", one, "eof", 3),
        ("cut str before its utf-8", "01a3ff", one, "eof", 3),
    ):  # fmt: skip
        topic.stream(name, raw, values, fault(kind, offset))
    topic.parts("bad utf-8", "01a2c32801", (one, fault("invalid_utf8", 2)), (one, CLEAN))
    topic.parts("bad timestamp", "01d5ff000001", (one, fault("invalid_timestamp", 1)), (one, CLEAN))
    topic.stream(
        "depth in the second message", join("01", repeat("91", 1025), "c0"), one, fault("depth_limit", 1025)
    )
    topic.stream("depth before the end", join(repeat("91", 1025)), [], fault("depth_limit", 1024))
    for name, raw, options, values, kind, offset in (
        ("duplicate key", "0182a16101a16102", {"duplicate_key": "error"}, one, "duplicate_key", 5),
        ("unknown ext", "01d40500", {"unknown_ext": "error"}, one, "unknown_ext", 1),
        ("not canonical", "01cc05", {"canonical": True}, one, "not_canonical", 1),
        ("max_depth", "019190", {"max_depth": 1}, one, "depth_limit", 2),
        ("max_str_len", "01a26162", {"max_str_len": 1}, one, "length_limit", 1),
        ("max_str_len of a cut str", "01db0000ffff", {"max_str_len": 1}, one, "length_limit", 1),
        ("max_array_len of a cut array", "01dd00ffffff", {"max_array_len": 1}, one, "length_limit", 1),
        ("max_nodes", "0192c0c0", {"max_nodes": 2}, one, "length_limit", 3),
    ):  # fmt: skip
        topic.stream(f"{name}, in the second message", raw, values, fault(kind, offset), **options)
    return topic


def _buffer() -> Topic:
    topic = Topic(KIND, "buffer", "max_buffer: the bytes that one message is known to need")
    one = [integer(1)]
    for name, raw, limit, values, end in (
        ("str of exactly the limit", "a3616263", 4, [text("abc")], CLEAN),
        ("str one over", "a3616263", 3, [], fault("length_limit", 0)),
        ("str over, not all there", "01db0000ffff61", 100, one, fault("length_limit", 1)),
        ("bin over", "01c6000000c8", 100, one, fault("length_limit", 1)),
        ("ext over", "01c9000000c805", 100, one, fault("length_limit", 1)),
        ("array over", "01dc0080", 100, one, fault("length_limit", 1)),
        ("array of exactly the limit", "93010203", 4, [items(integer(1), integer(2), integer(3))], CLEAN),
        ("array one over", "93010203", 3, [], fault("length_limit", 0)),
        ("map over", "01de0040", 100, one, fault("length_limit", 1)),
        ("inner array over", "92c0dc0080", 100, [], fault("length_limit", 2)),
        ("inner str over", "92c0d980", 100, [], fault("length_limit", 2)),
        ("messages are counted alone", "a3616263a3616263", 4, [text("abc"), text("abc")], CLEAN),
        ("array32 of 2^32 - 1", "ddffffffff", 2**31, [], fault("length_limit", 0)),
    ):  # fmt: skip
        topic.stream(name, raw, values, end, max_buffer=limit)
    for name, raw in (
        ("array32", "01ddffffffff"), ("map32", "01dfffffffff"), ("str32", "01dbffffffff"),
        ("bin32", "01c6ffffffff"), ("ext32", "01c9ffffffff05"),
    ):  # fmt: skip
        topic.stream(f"{name} of 2^32 - 1, default limit", raw, one, fault("length_limit", 1))
    topic.stream("array of 64 Mi elements, default limit", "01dd04000000", one, fault("length_limit", 1))
    topic.stream("str of 60 Mi, default limit", "01db03c0000061", one, fault("eof", 7))
    return topic


def _buffer_headers() -> Topic:
    topic = Topic(KIND, "buffer-headers", "max_buffer: headers and values of a fixed size that cross it")
    for name, header, payload, value in (
        ("fixint", "05", "", integer(5)), ("negative fixint", "ff", "", integer(-1)), ("nil", "c0", "", NIL),
        ("uint8", "cc", "c8", integer(200)), ("uint16", "cd", "012c", integer(300)),
        ("uint32", "ce", "00010000", integer(65536)), ("uint64", "cf", "ff" * 8, integer(2**64 - 1)),
        ("int8", "d0", "9c", integer(-100)), ("int16", "d1", "fed4", integer(-300)),
        ("int32", "d2", "80000000", integer(-(2**31))), ("int64", "d3", "80" + "00" * 7, integer(-(2**63))),
        ("float32", "ca", "3fc00000", single("3fc00000")),
        ("float64", "cb", "3ff8000000000000", double(1.5)),
        ("str8, empty", "d9", "00", text("")), ("str16, empty", "da", "0000", text("")),
        ("str32, empty", "db", "00000000", text("")), ("bin8, empty", "c4", "00", {"bin": ""}),
        ("bin16, empty", "c5", "0000", {"bin": ""}), ("bin32, empty", "c6", "00000000", {"bin": ""}),
        ("ext8, empty", "c7", "0005", {"ext": [5, ""]}), ("ext16, empty", "c8", "000005", {"ext": [5, ""]}),
        ("ext32, empty", "c9", "0000000005", {"ext": [5, ""]}), ("array16, empty", "dc", "0000", items()),
        ("array32, empty", "dd", "00000000", items()), ("map16, empty", "de", "0000", table()),
        ("map32, empty", "df", "00000000", table()), ("empty array", "90", "", items()),
        ("empty map", "80", "", table()), ("empty str", "a0", "", text("")),
    ):  # fmt: skip
        whole = header + payload
        size = len(whole) // 2
        exact, less = {"max_buffer": size}, {"max_buffer": size - 1}
        over = fault("length_limit", 0)
        topic.stream(f"{name}, exactly the limit", whole, [value], CLEAN, **exact)
        topic.stream(f"{name}, one over", whole, [], over, **less)
        if payload:
            topic.stream(f"{name}, one over, only the marker", header, [], over, **less)
            cut = fault("eof", 1)
            topic.stream(f"{name}, exactly the limit, only the marker", header, [], cut, **exact)
    one = [integer(1)]
    for name, raw, limit, values, end in (
        ("no message", "", 0, [], CLEAN),
        ("c1 comes before it", "c1", 0, [], fault("reserved_marker", 0)),
        ("header of fixext", "d4", 1, [], fault("length_limit", 0)),
        ("header of fixext fits, payload does not", "d40500", 2, [], fault("length_limit", 0)),
        ("fixext of exactly the limit", "d40500", 3, [{"ext": [5, "00"]}], CLEAN),
        ("timestamp one over", "d6ff00000001", 5, [], fault("length_limit", 0)),
        ("str8 whose payload is one over", "d90161", 2, [], fault("length_limit", 0)),
        ("second message", "01cd012c", 2, one, fault("length_limit", 1)),
        ("second message, only its marker", "01cd", 2, one, fault("length_limit", 1)),
        ("third message is over", "01a161a26162", 2, [*one, text("a")], fault("length_limit", 3)),
        ("each message alone", "cd012ccd012ccd012c", 3, [integer(300)] * 3, CLEAN),
        ("integer after an element", "9205cd012c", 3, [], fault("length_limit", 2)),
        ("integer after an element, only its marker", "9205cd", 3, [], fault("length_limit", 2)),
        ("integer after an element, exactly", "9205cd012c", 5, [items(integer(5), integer(300))], CLEAN),
        ("float as a value", "81a161cb3ff8000000000000", 11, [], fault("length_limit", 3)),
        ("float as a key", "81cb3ff800000000000001", 9, [], fault("length_limit", 1)),
        ("payload and pending elements are not added up", "92a16105", 3, [], fault("length_limit", 3)),
        ("payload ends at it, two elements after it", "93a3616263c0c0", 5, [], fault("length_limit", 5)),
        ("payload ends beyond it, elements pending", "93a3616263c0c0", 4, [], fault("length_limit", 1)),
        ("header and pending elements, one over", "93c0c0c0", 3, [], fault("length_limit", 0)),
        ("empty containers, exactly", "929090", 3, [items(items(), items())], CLEAN),
        ("inner array and what is pending outside", "92910505", 3, [], fault("length_limit", 1)),
        ("inner array and what is pending outside, exactly", "92910505", 4,
            [items(items(integer(5)), integer(5))], CLEAN),
        ("an element is not added to those after it", "92cd000102", 4, [], fault("length_limit", 4)),
        ("map, twice its entries", "81a16105", 2, [], fault("length_limit", 0)),
        ("map, value after a long key", "81a16105", 3, [], fault("length_limit", 3)),
        ("map, exactly", "81a16105", 4, [fields(a=integer(5))], CLEAN),
        ("inner map", "9281a161c005", 4, [], fault("length_limit", 1)),
        ("bad utf-8 in a str of exactly the limit", "a1ff", 2, [], fault("invalid_utf8", 1)),
        ("bad utf-8 in a str over it", "a1ff", 1, [], fault("length_limit", 0)),
    ):  # fmt: skip
        topic.stream(f"limit {limit}: {name}", raw, values, end, max_buffer=limit)
    for name, raw, options, end in (
        ("header before depth", "91dc0000", {"max_buffer": 3, "max_depth": 1}, fault("length_limit", 1)),
        ("depth before pending elements", "9191c0", {"max_buffer": 2, "max_depth": 1},
            fault("depth_limit", 1)),
        ("header before canonical", "cc05", {"max_buffer": 1, "canonical": True}, fault("length_limit", 0)),
        ("c1 as element before the limit", "91c1", {"max_buffer": 2}, fault("reserved_marker", 1)),
    ):  # fmt: skip
        topic.stream(f"order, {name}", raw, [], end, **options)
    return topic


def _buffer_records() -> Topic:
    topic = Topic(KIND, "buffer-records", "max_buffer: definitions, lists of keys and records")
    a = fields(a=integer(1))
    whole, two = define(0x40, "a") + b"\1", {"shared_structures": [["a", "b"]]}
    wide: dict = {"shared_structures": [[key] for key in names(34)]}

    def limited(
        title: str, raw: bytes | str, limit: int, end: object, *values: object, **options: object
    ) -> None:
        options = {"records": True, "max_buffer": limit, **options}
        topic.stream(f"records, limit {limit}: {title}", raw, list(values), end, **options)

    for limit, offset, what in (
        (1, 0, "ext header"), (2, 0, "id"), (3, 3, "marker of the keys"), (4, 3, "keys that are pending"),
        (5, 4, "a key"), (6, 0, "values that are pending"),
    ):  # fmt: skip
        limited(f"definition, {what}", whole, limit, fault("length_limit", offset))
    limited("definition, exactly", whole, 7, CLEAN, a)
    limited("each definition alone", whole * 2, 7, CLEAN, a, a)
    limited("second definition", whole + define(0x41, "bc") + b"\1", 7, fault("length_limit", 7), a)
    limited("only the header of the definition", "d472", 2, fault("length_limit", 0))
    limited("only the header of a two-byte definition", "d572", 3, fault("length_limit", 0))
    limited("two-byte id", define_wide(64, "a") + b"\1", 3, fault("length_limit", 0))
    limited("header of array16 of keys", "d47240dc", 4, fault("length_limit", 3))
    limited("header of array16 of keys fits", "d47240dc0001a16101", 8, fault("length_limit", 0))
    limited("array16 of keys, exactly", "d47240dc0001a16101", 9, CLEAN, a)
    limited("header of a key in str8", "d4724091d9", 5, fault("length_limit", 4))
    limited("key of a megabyte", "d4724091db00100000", 1000, fault("length_limit", 4))
    limited("many keys", "d47240dc0100", 100, fault("length_limit", 3))
    limited("keys that are an integer come before it", "d47240cf", 4, fault("record_malformed", 0))
    limited("key that is an integer comes before it", "d4724091cf", 5, fault("record_malformed", 0))
    limited("values after two keys", define(0x40, "a", "b") + b"\1\2", 9, fault("length_limit", 0))
    limited("value of a definition", define(0x40, "a") + b"\xcd\1\x2c", 8, fault("length_limit", 6))
    limited("element after a definition", b"\x92" + whole + b"\1", 8, fault("length_limit", 1))
    limited("record, values that are pending", "400102", 2, fault("length_limit", 0), **two)
    limited("record, exactly", "400102", 3, CLEAN, fields(a=integer(1), b=integer(2)), **two)
    limited("inner record, values that are pending", "91400102", 3, fault("length_limit", 1), **two)
    limited("record, its value", "40cd012c01", 3, fault("length_limit", 1), **two)
    limited("two-byte id of a record", "600001", 1, fault("length_limit", 0), **wide)
    limited("two-byte id of a record, only its first byte", "60", 1, fault("length_limit", 0), **wide)
    limited("two-byte id, value that is pending", "600001", 2, fault("length_limit", 0), **wide)
    limited("two-byte id of a record, exactly", "600001", 3, CLEAN, field("k32", 1), **wide)
    limited("sequential, each message alone", whole + b"\x40\1" * 3, 7, CLEAN, a, a, a, a, sequential=True)
    return topic


def _large() -> Topic:
    topic = Topic(KIND, "large", "longer streams, for chunks of every size")
    topic.stream("1000 integers", join(repeat("01", 1000)), [integer(1)] * 1000, CLEAN)
    topic.stream(
        "100 counted str", join(counter(100, 4, "a4", "")), [text(f"{n:04}") for n in range(100)], CLEAN
    )
    record = mapping(fixstr("id"), b"\xcd\x01\x2c", fixstr("tags"), b"\x92\xa1a\xa1b", fixstr("ok"), b"\xc3")
    value = fields(id=integer(300), tags=items(text("a"), text("b")), ok=True)
    topic.stream("50 maps", join(repeat(record, 50)), [value] * 50, CLEAN)
    long = {"str": {"repeat": "é", "times": 5000}}
    topic.stream(
        "long str of two-byte letters", join("da2710", repeat("c3a9", 5000), "05"), [long, integer(5)], CLEAN
    )
    long = {"bin": {"repeat": "c1", "times": 65537}}
    topic.stream("long bin", join("c600010001", repeat("c1", 65537), "05"), [long, integer(5)], CLEAN)
    topic.stream(
        "array of 3000",
        join("dc0bb8", repeat("cc80", 3000), "c0"),
        [{"array": {"repeat": integer(128), "times": 3000}}, NIL],
        CLEAN,
    )
    topic.stream(
        "bad utf-8 late", join("da2711", repeat("c3a9", 5000), "ff"), [], fault("invalid_utf8", 10003)
    )
    return topic


def _records() -> Topic:
    topic = Topic(
        KIND, "records", "records in streams: own structures end with their message, sequential ones stay"
    )
    on, sequential = {"records": True}, {"records": True, "sequential": True}
    definition = "d4724092a161a162"
    ab, cd = fields(a=integer(1), b=integer(2)), fields(a=integer(3), b=integer(4))
    topic.stream(
        "definitions end with their message", definition + "0102" + "40", [ab, integer(64)], CLEAN, **on
    )
    topic.stream("each message defines", (definition + "0102") * 2, [ab, ab], CLEAN, **on)
    topic.stream("sequential", definition + "0102" + "400304" + "400102", [ab, cd, ab], CLEAN, **sequential)
    topic.stream(
        "sequential, redefined",
        definition + "0102" + "d4724091a1780540 06".replace(" ", ""),
        [ab, fields(x=integer(5)), fields(x=integer(6))],
        CLEAN,
        **sequential,
    )
    topic.stream(
        "sequential, two bytes",
        "d5726001 91a161 01 6001 02".replace(" ", ""),
        [fields(a=integer(1)), fields(a=integer(2))],
        CLEAN,
        **sequential,
    )
    topic.stream(
        "sequential, records within",
        "92" + definition + "0102" + "400304" + "400102",
        [items(ab, cd), ab],
        CLEAN,
        **sequential,
    )
    shared = {"records": True, "shared_structures": [["a", "b"]]}
    topic.stream("shared", "400102400304", [ab, cd], CLEAN, **shared)
    topic.stream(
        "shared, hidden in one message only",
        "92d4724091a1780540 06 400102".replace(" ", ""),
        [items(fields(x=integer(5)), fields(x=integer(6))), ab],
        CLEAN,
        **shared,
    )
    for name, raw, values, kind, offset in (
        ("cut ext header", "01d472", [integer(1)], "eof", 3),
        ("cut key list", "01d4724092a161", [integer(1)], "eof", 7),
        ("cut keys", "01d4724091a261", [integer(1)], "eof", 7),
        ("cut values", "01" + definition + "01", [integer(1)], "eof", 10),
        ("cut before the keys", "01d47240", [integer(1)], "eof", 4),
        ("malformed in the second", definition + "0102" + "d47240c0", [ab], "record_malformed", 10),
        ("cut two-byte id", "92d572600091a1610160", [], "eof", 10),
        ("undefined two-byte id", "92d572600091a161016005", [], "record_undefined", 9),
    ):  # fmt: skip
        topic.stream(f"records, {name}", raw, values, fault(kind, offset), **on)
    return topic
