"""``invalid/``: the paths of faults, stated; those of the other files follow from their bytes."""

from __future__ import annotations

from .build import (
    Topic,
    array,
    ext_bytes,
    f64,
    fixstr,
    header16,
    join,
    mapping,
    repeat,
    text_bytes,
    timestamp32,
    timestamp96,
    u64,
)

KIND = "invalid"


def topics() -> list[Topic]:
    return [_paths(), _keys()]


def _paths() -> Topic:
    topic = Topic(KIND, "paths", "where in the message a fault is: errors.md section 1")
    users = mapping(fixstr("users"), b"\x93\1\2" + mapping(fixstr("name"), b"\xa2\xc3\x28"))
    for name, data, kind, offset, path in (
        ("nothing", b"", "eof", 0, "$"), ("trailing bytes", "9001", "trailing_bytes", 1, "$"),
        ("a value in an array in a map", users, "invalid_utf8", 17, "$.users[2].name"),
        ("an element that is missing", "92a161", "eof", 3, "$[1]"),
        ("an element that is cut", "9201cd01", "eof", 4, "$[1]"),
        ("the budget, at the container that exceeds it", "92c093c0", "eof", 4, "$[1]"),
        ("the budget, at top level", "92c0", "eof", 2, "$"),
        ("a value that is missing", "81a161", "eof", 3, "$.a"),
        ("the budget in an entry", "81a1619201", "eof", 5, "$.a"),
        ("a key that is missing", "82a1610100", "eof", 5, '$[key 0]'),
        ("a key that is cut", "81a261", "eof", 3, "$"),
        ("a key at fault", "81c101", "reserved_marker", 1, "$"),
        ("within a key", "818191c10101", "reserved_marker", 3, "$"),
        ("within the key of an inner map", "9181 8191c10101", "reserved_marker", 4, "$[0]"),
        ("within the value in a key", "818101c101", "reserved_marker", 3, "$"),
        ("after a key that is a container", "8191 01c1", "reserved_marker", 3, "$[key [1]]"),
        ("element 1000", join(header16(0xDC, 1001), repeat("c0", 1000), "c1"), "reserved_marker", 1003,
            "$[1000]"),
        ("a timestamp", "9201d5ff0000", "invalid_timestamp", 2, "$[1]"),
    ):  # fmt: skip
        data = data.replace(" ", "") if isinstance(data, str) else data
        topic.path(f"path, {name}", data, kind, offset, path)
    twice = {"duplicate_key": "error"}
    for name, data, kind, offset, path, options in (
        ("the second key", mapping(fixstr("a"), b"\1", fixstr("a"), b"\2"), "duplicate_key", 4, "$", twice),
        ("the second key of an inner map", b"\x91" + mapping(b"\1", b"\1", b"\1", b"\2"), "duplicate_key", 4,
            "$[0]", twice),
        ("a container too deep", "81a16190", "depth_limit", 3, "$.a", {"max_depth": 1}),
        ("one value too many", "9201c0", "length_limit", 2, "$[1]", {"max_nodes": 2}),
        ("a key too many", "81a161c0", "length_limit", 1, "$", {"max_nodes": 1}),
        ("the order of keys", "9182a16201a16101", "not_canonical", 5, "$[0]", {"canonical": True}),
        ("a payload", array(b"\1", ext_bytes(86, b"\x81\1\xc1")), "invalid_ext", 2, "$[1]",
            {"ext_types": [86]}),
        ("an unknown ext", mapping(fixstr("a b"), ext_bytes(5, b"\0")), "unknown_ext", 5, '$["a b"]',
            {"unknown_ext": "error"}),
    ):  # fmt: skip
        topic.path(f"path, {name}", data, kind, offset, path, **options)
    record = {"records": True}
    for name, data, kind, offset, path in (
        ("a definition as the value of an entry", "81a16bd4724091a162", "eof", 9, "$.k"),
        ("a field", "d4724092a161a16201c1", "reserved_marker", 9, "$.b"),
        ("a field of the next record", "92d4724091a1610140c1", "reserved_marker", 9, "$[1].a"),
        ("a key of a definition", "81a16bd4724091c3", "record_malformed", 3, "$.k"),
        ("a key of a definition that is not UTF-8", "91d4724091a1ff", "invalid_utf8", 6, "$[0]"),
        ("an id without its fields", "92d4724091a1610140", "eof", 9, "$[1]"),
        ("a record as a key", "81d4724091a16105c1", "reserved_marker", 8, '$[key {"a": 5}]'),
        ("within a record that is a key", "81d4724091a161c101", "reserved_marker", 7, "$"),
        ("an id that is an integer, as a key", "8140c1", "reserved_marker", 2, "$[key 64]"),
    ):  # fmt: skip
        topic.path(f"path, {name}", data, kind, offset, path, **record)
    for name, levels, inner, shown in (
        ("of 256 bytes", 85, "c1", "$" + "[0]" * 85),
        ("longer than 256 bytes, cut", 86, "c1", "$" + "[0]" * 85 + "…"),
    ):  # fmt: skip
        topic.path(f"path {name}", join(repeat("91", levels), inner), "reserved_marker", levels, shown)
    long = mapping(text_bytes("aé" * 90), b"\xc1")
    topic.path("path, a long key, cut", long, "reserved_marker", 274, '$["' + "aé" * 84 + "a…")
    return topic


def _keys() -> Topic:
    topic = Topic(KIND, "paths-keys", "keys in paths: names, quoted str, and others in diagnostic notation")
    for text, step in (
        ("name", ".name"), ("_", "._"), ("a1_B", ".a1_B"), ("1a", '["1a"]'), ("", '[""]'), ("a b", '["a b"]'),
        ("a.b", '["a.b"]'), ("é", '["é"]'), ('"', '["\\""]'), ("\\", '["\\\\"]'), ("\n", '["\\n"]'),
        ("\0", '["\\u0000"]'), ("\x7f", '["\\u007f"]'), ("/", '["/"]'), ("\u2028", '["\u2028"]'),
        ("😀", '["😀"]'), ("__proto__", ".__proto__"),
    ):  # fmt: skip
        raw = fixstr(text)
        topic.path(f"key {step}", mapping(raw, b"\xc1"), "reserved_marker", 1 + len(raw), "$" + step)
    for raw, shown in (
        (b"\xc0", "nil"), (b"\xc3", "true"), (b"\xc2", "false"), (b"\5", "5"), (b"\xd0\5", "5"),
        (b"\xff", "-1"), (u64(2**64 - 1), "18446744073709551615"), (f64(1.5), "1.5"), (f64(1.5e-7), "1.5e-7"),
        (f64(0.0001), "0.0001"),
        (f64(1e16), "1e16"), (f64(1e300), "1e300"), (f64(-0.1), "-0.1"), (f64(float("inf")), "inf"),
        (f64(float("-inf")), "-inf"), (b"\xcb\x7f\xf8" + bytes(6), "nan"), (b"\xc4\2\0\xff", "h'00ff'"),
        (b"\x92\1\x91\xa1a", '[1, ["a"]]'), (b"\xdc\0\0", "[]"), (b"\x81\xa1a\xc0", '{"a": nil}'),
        (b"\x80", "{}"),
        (b"\xd4\5\0", "ext(5, h'00')"), (b"\xc7\1\5\0", "ext(5, h'00')"),
        (timestamp32(5), 'timestamp("1970-01-01T00:00:05Z")'),
        (timestamp96(-1, 500_000_000), 'timestamp("1969-12-31T23:59:59.5Z")'),
        (timestamp96(-99999999999, 1), "timestamp(-99999999999, 1)"),
    ):  # fmt: skip
        name = f"key {shown} of {len(raw)} bytes"
        topic.path(name, mapping(raw, b"\xc1"), "reserved_marker", 1 + len(raw), f"$[key {shown}]")
    big = ext_bytes(0x42, b"\1" + bytes(8))
    topic.path("key 2^64", mapping(big, b"\xc1"), "reserved_marker", 13, f"$[key {2**64}]", bigint=True)
    topic.path("key 2^64, bigint off", mapping(big, b"\xc1"), "reserved_marker", 13,
        "$[key ext(66, h'010000000000000000')]")  # fmt: skip
    topic.path(
        "key of utf8 replace", b"\x81\xa1\xff\xc1", "reserved_marker", 3, '$["\ufffd"]', utf8="replace"
    )
    topic.path("key of utf8 raw", b"\x81\xa1\xff\xc1", "reserved_marker", 3, "$[key h'ff']", utf8="raw")
    return topic
