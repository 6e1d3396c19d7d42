"""``valid/``: one message, what it means, and how a writer would have written it."""

from __future__ import annotations

import struct

from . import valid_ext, valid_numbers, valid_text
from .build import (
    NIL,
    Topic,
    array,
    array_header,
    binary,
    counter,
    double,
    f64,
    fields,
    fixstr,
    header32,
    i8,
    i64,
    integer,
    items,
    join,
    map_header,
    mapping,
    product,
    repeat,
    single,
    str_header,
    table,
    text,
    text_bytes,
    u8,
    u16,
    u64,
    wider_headers,
)

KIND = "valid"


def topics() -> list[Topic]:
    return [
        _constants(),
        *valid_numbers.topics(),
        *valid_text.topics(),
        _arrays(),
        _maps(),
        _map_keys(),
        _duplicate_keys(),
        _nested(),
        _wider(),
        _options(),
        *valid_ext.topics(),
    ]


def _constants() -> Topic:
    topic = Topic(KIND, "constants", "nil, false and true")
    topic.written("nil", "c0", NIL)
    topic.written("false", "c2", False)
    topic.written("true", "c3", True)
    return topic


def _arrays() -> Topic:
    topic = Topic(KIND, "arrays", "array: every header boundary and mixed elements")
    topic.written("array empty", "90", items())
    for count in [*range(1, 16)]:
        elements = [integer(number) for number in range(count)]
        topic.written(f"array of {count}", array(*(bytes([n]) for n in range(count))), items(*elements))
    for count in (16, 17, 31, 32, 255, 256, 65535, 65536, 65537):
        value = {"array": {"repeat": NIL, "times": count}}
        topic.written(f"array of {count}", join(array_header(count), repeat("c0", count)), value)
    mixed = items(NIL, True, integer(-1), double(1.5), text("a"), binary(b"\1"), items(), table())
    raw = array(b"\xc0", b"\xc3", b"\xff", f64(1.5), fixstr("a"), b"\xc4\x01\x01", b"\x90", b"\x80")
    topic.written("array of mixed elements", raw, mixed)
    return topic


def _maps() -> Topic:
    topic = Topic(KIND, "maps", "map: every header boundary; entries keep their order")
    topic.written("map empty", "80", table())
    topic.written("map of one", mapping(fixstr("a"), b"\1"), fields(a=integer(1)))
    for count in range(2, 16):
        names = [chr(97 + place) for place in range(count)]
        raw = mapping(
            *(piece for place, name in enumerate(names) for piece in (fixstr(name), bytes([place])))
        )
        value = fields(**{name: integer(place) for place, name in enumerate(names)})
        topic.written(f"map of {count}", raw, value)
    for count in (16, 17, 127, 128):
        raw = map_header(count) + b"".join(bytes([key, 0xC0]) for key in range(min(count, 128)))
        value = {"map": {"count": count, "value": NIL}}
        topic.written(f"map of {count}", join(raw), value)
    for count in (256, 257):
        keys = [
            struct.pack("B", key) if key < 128 else u8(key) if key < 256 else u16(key) for key in range(count)
        ]
        value = {"map": {"count": count, "value": NIL}}
        whole = [product([key for key in keys if len(key) == size], 1, b"", b"\xc0") for size in (1, 2)]
        topic.written(f"map of {count}", join(map_header(count), *whole, "cd0100c0" * (count - 256)), value)
    for count in (999, 1000, 65535, 65536, 65537):
        value = {"map": {"count": count, "digits": 5, "value": NIL}}
        pieces = join(map_header(count), counter(count, 5, "a5", "c0"))
        topic.written(f"map of {count} str keys", pieces, value)
    whole = mapping(fixstr("price"), f64(1.0), fixstr("tax"), f64(0.5))
    topic.written("map of floats", whole, fields(price=double(1.0), tax=double(0.5)))
    unsorted = mapping(fixstr("b"), b"\1", fixstr("a"), b"\2")
    topic.written("map out of order", unsorted, fields(b=integer(1), a=integer(2)))
    topic.written(
        "map of the front page",
        "82a7636f6d70616374c3a6736368656d6100",
        fields(compact=True, schema=integer(0)),
    )
    return topic


def _map_keys() -> Topic:
    topic = Topic(KIND, "map-keys", "maps whose keys are any value")
    keys = [
        ("nil", b"\xc0", NIL), ("false", b"\xc2", False), ("true", b"\xc3", True), ("0", b"\0", integer(0)),
        ("-1", b"\xff", integer(-1)), ("300", u16(300), integer(300)),
        ("2^64-1", u64(2**64 - 1), integer(2**64 - 1)),
        ("1.5", f64(1.5), double(1.5)), ("-0.0", f64(-0.0), double(-0.0)),
        ("empty str", b"\xa0", text("")), ("bin", b"\xc4\x01\x61", binary(b"a")),
        ("array", b"\x91\x01", items(integer(1))), ("empty map", b"\x80", table()),
        ("map", mapping(fixstr("k"), b"\1"), fields(k=integer(1))),
        ("ext", b"\xd4\x05\x00", {"ext": [5, "00"]}),
        ("timestamp", b"\xd6\xff\x00\x00\x00\x01", {"timestamp": ["1", 0]}),
    ]  # fmt: skip
    for name, raw, value in keys:
        topic.written(f"key {name}", mapping(raw, b"\xc3"), table((value, True)))
    topic.written(
        "key number and its text",
        mapping(b"\1", fixstr("int"), fixstr("1"), fixstr("str")),
        table((integer(1), text("int")), (text("1"), text("str"))),
    )
    topic.written(
        "keys 1, 1.0 and true",
        mapping(b"\1", fixstr("i"), f64(1.0), fixstr("f"), b"\xc3", fixstr("b")),
        table((integer(1), text("i")), (double(1.0), text("f")), (True, text("b"))),
    )
    topic.written(
        "keys 0.0 and -0.0",
        mapping(f64(0.0), b"\1", f64(-0.0), b"\2"),
        table((double(0.0), integer(1)), (double(-0.0), integer(2))),
    )
    whole = [(double(number), f64(number)) for number in (300.0, 2.5, -0.0, -1.0)]
    raw = map_header(len(whole)) + b"".join(key + b"\xc0" for _, key in whole)
    topic.written("keys that are whole floats", raw, table(*((key, NIL) for key, _ in whole)))
    topic.written(
        "keys 2 and an inner 2.0",
        mapping(b"\2", b"\1", b"\x91" + f64(2.0), b"\2", b"\x91\2", b"\3"),
        table((integer(2), integer(1)), (items(double(2.0)), integer(2)), (items(integer(2)), integer(3))),
    )
    topic.written(
        "keys str and bin of the same bytes",
        mapping(fixstr("a"), b"\1", b"\xc4\x01a", b"\2"),
        table((text("a"), integer(1)), (binary(b"a"), integer(2))),
    )
    ordered = [
        (text(""), b"\xa0"), (text("B"), b"\xa1B"), (text("a"), b"\xa1a"), (text("aa"), b"\xa2aa"),
        (text("ab"), b"\xa2ab"), (text("b"), b"\xa1b"), (text("z" * 40), text_bytes("z" * 40)),
        (text("é"), fixstr("é")), (text("\uffff"), fixstr("\uffff")),
        (text("\U00010000"), fixstr("\U00010000")),
        (integer(0), b"\0"), (integer(127), b"\x7f"), (items(), b"\x90"), (NIL, b"\xc0"),
        (integer(200), u8(200)),
        (integer(256), u16(256)), (integer(-33), i8(-33)), (integer(-32), b"\xe0"), (integer(-1), b"\xff"),
    ]  # fmt: skip
    for name, entries in (("in canonical order", ordered), ("in reverse of canonical order", ordered[::-1])):
        raw = map_header(len(ordered)) + b"".join(key + b"\xc0" for _, key in entries)
        topic.written(f"keys {name}", raw, table(*((key, NIL) for key, _ in entries)))
    nested = mapping(fixstr("z"), mapping(fixstr("b"), b"\1", fixstr("a"), b"\2"), fixstr("y"), b"\x90")
    topic.written(
        "maps in maps out of order", nested, fields(z=fields(b=integer(1), a=integer(2)), y=items())
    )
    return topic


def _duplicate_keys() -> Topic:
    topic = Topic(KIND, "duplicate-keys", "the last value wins, at the place of the first")
    a, b = fixstr("a"), fixstr("b")
    value = fields(a=integer(3), b=integer(2))
    topic.read("duplicate str", mapping(a, b"\1", b, b"\2", a, b"\3"), value)
    topic.read("duplicate str, adjacent", mapping(a, b"\1", a, b"\2"), fields(a=integer(2)))
    topic.read("duplicate str, wider header", mapping(a, b"\1", b"\xd9\x01a", b"\2"), fields(a=integer(2)))
    topic.read(
        "duplicate integer in two formats",
        mapping(b"\5", b"\1", b"\xd0\5", b"\2", b"\xcc\5", b"\3"),
        table((integer(5), integer(3))),
    )
    topic.read("duplicate nil", mapping(b"\xc0", b"\1", b"\xc0", b"\2"), table((NIL, integer(2))))
    topic.read("duplicate empty str", mapping(b"\xa0", b"\1", b"\xa0", b"\2"), table((text(""), integer(2))))
    topic.read(
        "duplicate array", mapping(b"\x91\1", b"\1", b"\x91\1", b"\2"), table((items(integer(1)), integer(2)))
    )
    topic.read(
        "duplicate, thrice", mapping(a, b"\1", a, b"\2", b, b"\xc0", a, b"\3"), fields(a=integer(3), b=NIL)
    )
    topic.read(
        "duplicate float 32 and float 64",
        mapping(b"\xca\x3f\xc0\0\0", b"\1", f64(1.5), b"\2"),
        table((single("3fc00000"), integer(2))),
    )
    return topic


def _nested() -> Topic:
    topic = Topic(KIND, "nested", "containers within containers, to the default depth")
    topic.written("nested arrays", "9191919105", {"nest": {"array": 4, "inner": integer(5)}})
    topic.written(
        "nested empty arrays", "93909190929090", items(items(), items(items()), items(items(), items()))
    )
    raw = mapping(fixstr("a"), array(b"\1", mapping(fixstr("b"), mapping(fixstr("c"), b"\x91\xc0"))))
    value = fields(a=items(integer(1), fields(b=fields(c=items(NIL)))))
    topic.written("nested maps and arrays", raw, value)
    topic.written("nested to 16", join(repeat("91", 16), "c0"), {"nest": {"array": 16, "inner": NIL}})
    for depth in (100, 512, 1023, 1024):
        value = {"nest": {"array": depth, "inner": NIL}}
        topic.written(f"nested to {depth}", join(repeat("91", depth), "c0"), value)
    topic.written(
        "nested to 1024, empty inside",
        join(repeat("91", 1023), "90"),
        {"nest": {"array": 1023, "inner": items()}},
    )
    users = array(*(mapping(fixstr("id"), bytes([n]), fixstr("name"), fixstr(f"user {n}")) for n in range(3)))
    value = items(*(fields(id=integer(n), name=text(f"user {n}")) for n in range(3)))
    topic.written("array of like maps", users, value)
    topic.written(
        "many empty maps",
        join(array_header(1000), repeat("80", 1000)),
        {"array": {"repeat": table(), "times": 1000}},
    )
    deep = mapping(array(mapping(b"\x91\xc0", b"\1")), mapping(b"\x80", b"\x90"))
    topic.written(
        "containers as keys of containers",
        deep,
        table((items(table((items(NIL), integer(1)))), table((table(), items())))),
    )
    return topic


def _wider() -> Topic:
    topic = Topic(KIND, "wider", "str, bin, array and map with every header that is wider than needed")
    for content in ("", "a", "x" * 31, "é"):
        raw = content.encode("utf-8")
        for name, header in wider_headers("str", len(raw)):
            topic.read(f"{name} of {len(raw)} bytes {content[:1]}".rstrip(), header + raw, text(content))
    for length in (32, 255, 256, 65535):
        value = {"str": {"repeat": "x", "times": length}}
        for name, header in wider_headers("str", length):
            topic.read(f"{name} of {length} bytes", join(header, repeat("78", length)), value)
    zeros = {"bin": {"repeat": "00", "times": 256}}
    for content, pieces, value in (
        *((raw, raw, binary(raw)) for raw in (b"", b"\0", b"abc")),
        (bytes(256), repeat("00", 256), zeros),
    ):
        for name, header in wider_headers("bin", len(content)):
            topic.read(f"{name} of {len(content)} bytes", join(header, pieces), value)
    for count in (0, 1, 15, 16):
        value = {"array": {"repeat": NIL, "times": count}} if count == 16 else items(*[NIL] * count)
        for name, header in wider_headers("array", count):
            topic.read(f"{name} of {count}", header + b"\xc0" * count, value)
        entries = b"".join(bytes([key, 0xC0]) for key in range(count))
        value = {"map": {"count": count, "value": NIL}}
        for name, header in wider_headers("map", count):
            topic.read(f"{name} of {count}", header + entries, value)
    everything = (
        header32(0xDD, 3) + header32(0xDF, 1) + header32(0xDB, 1) + b"k" + i64(1) + header32(0xC6, 1) + b"\0"
    )
    everything += b"\xca\x3f\xc0\0\0"
    value = items(fields(k=integer(1)), binary(b"\0"), single("3fc00000"))
    topic.read("wider everywhere", everything, value)
    return topic


def _options() -> Topic:
    topic = Topic(KIND, "options", "what is read only, or otherwise, with an option")
    for name, raw, replaced in (
        ("lone continuation", "80", "\ufffd"), ("truncated pair", "c3", "\ufffd"),
        ("truncated triple", "e282", "\ufffd"), ("truncated triple, then a letter", "e28261", "\ufffda"),
        ("truncated quadruple", "f09f98", "\ufffd"), ("overlong slash", "c0af", "\ufffd\ufffd"),
        ("surrogate", "eda080", "\ufffd\ufffd\ufffd"),
        ("above the last", "f4908080", "\ufffd\ufffd\ufffd\ufffd"),
        ("bytes of no sequence", "feff", "\ufffd\ufffd"), ("between letters", "61ff62", "a\ufffdb"),
        ("two truncated", "f09f98f09f98", "\ufffd\ufffd"),
        ("byte order mark kept", "efbbbfff", "\ufeff\ufffd"),
        ("overlong triple", "e08080", "\ufffd\ufffd\ufffd"), ("pair cut by a pair", "c3c3a9", "\ufffdé"),
    ):  # fmt: skip
        data = str_header(len(raw) // 2).hex() + raw
        topic.read(f"utf8 replace, {name}", data, text(replaced), utf8="replace")
        topic.read(f"utf8 raw, {name}", data, {"bin": raw}, utf8="raw")
    for name, mode, raw, value in (
        ("a key", "replace", "81a1ff01", table((text("\ufffd"), integer(1)))),
        ("a key", "raw", "81a1ff01", table((binary(b"\xff"), integer(1)))),
        ("an element", "raw", "92a1ffa161", items(binary(b"\xff"), text("a"))),
        ("two keys become one", "replace", "82a1ff01a1fe02", table((text("\ufffd"), integer(2)))),
        ("a key and the same bytes as bin", "raw", "82a1ff01c401ff02", table((binary(b"\xff"), integer(2)))),
    ):  # fmt: skip
        topic.read(f"utf8 {mode}, {name}", raw, value, utf8=mode)
    for mode in ("replace", "raw"):
        topic.written(f"utf8 {mode}, well-formed", fixstr("é"), text("é"), utf8=mode)
    topic.read("trailing allowed", "05c1", integer(5), trailing="allow")
    topic.written("trailing allowed, no bytes follow", "05", integer(5), trailing="allow")
    topic.read("trailing allowed after a container", "9101ff", items(integer(1)), trailing="allow")
    ten = items(*[NIL] * 10)
    exact = [
        ("max_depth", 2, "9190", items(items())),
        ("max_depth", 0, "05", integer(5)),
        ("max_str_len", 3, "a3616263", text("abc")),
        ("max_bin_len", 2, "c4020000", binary(b"\0\0")),
        ("max_ext_len", 1, "d40500", {"ext": [5, "00"]}),
        ("max_array_len", 10, "9a" + "c0" * 10, ten),
        ("max_map_len", 1, "8101c0", table((integer(1), NIL))),
        ("max_nodes", 11, "9a" + "c0" * 10, ten),
        ("max_nodes", 3, "8101c0", table((integer(1), NIL))),
    ]  # fmt: skip
    for option, limit, raw, value in exact:
        name = f"exactly {option} {limit}, {raw[:8]}"
        topic.written(name, raw, value, **{option: limit})
    topic.written("max_str_len leaves bin alone", "c4020000", binary(b"\0\0"), max_str_len=0)
    topic.written(
        "duplicate_key error, all keys differ",
        "82a16101a16202",
        fields(a=integer(1), b=integer(2)),
        duplicate_key="error",
    )
    topic.written(
        "unknown_ext error, a timestamp", "d6ff00000001", {"timestamp": ["1", 0]}, unknown_ext="error"
    )
    topic.read(
        "unknown_ext error, undefined",
        "92d40000c7010000",
        {"array": [{"ext": [0, "00"]}, {"ext": [0, "00"]}]},
        unknown_ext="error",
    )
    return topic
