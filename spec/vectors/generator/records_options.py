"""``records/``: options that change what records are: canonical, utf8, max_record_keys."""

from __future__ import annotations

from .build import (
    Topic,
    array,
    counter,
    fields,
    fixstr,
    header16,
    integer,
    items,
    join,
    mapping,
    repeat,
    table,
    text,
)
from .records_bytes import counted, define, define_counted, define_wide

KIND = "records"
ONE, TWO = integer(1), integer(2)


def topics() -> list[Topic]:
    return [_canonical(), _utf8(), _max_keys()]


def _canonical() -> Topic:
    topic = Topic(KIND, "canonical", "canonical switches records off, in reading and in writing")
    on: dict = {"canonical": True}
    shared: dict = {**on, "shared_structures": [["a"]]}
    topic.read("canonical, type 0x72 is an ext", "d47240", {"ext": [0x72, "40"]}, **on)
    topic.read("canonical, two bytes of type 0x72", "d5726000", {"ext": [0x72, "6000"]}, **on)
    topic.read("canonical, fixint 64", "40", integer(64), **on)
    topic.read(
        "canonical, fixint 64 with undefined_record error", "40", integer(64), **on, undefined_record="error"
    )
    topic.read("canonical, an id of the shared list", "40", integer(64), **shared)
    topic.refused(
        "canonical, a definition is an ext with values after it",
        define(0x40, "a") + b"\1",
        "trailing_bytes",
        3,
        **on,
    )
    for name, data in (("ext8 of type 0x72", "c7017240"), ("uint8 of 64", "cc40")):
        topic.refused(f"canonical, {name}", data, "not_canonical", 0, **on)
    topic.read("canonical, ext8 of type 0x72, empty", "c70072", {"ext": [0x72, ""]}, **on)
    sorted_map = mapping(fixstr("a"), b"\1", fixstr("b"), b"\2")
    value = fields(a=ONE, b=TWO)
    topic.written("write canonical, a map is plain", sorted_map, value, **on)
    topic.add(
        "write canonical, the shared list stays as it is",
        sorted_map + mapping(fixstr("a"), b"\1"),
        options=shared, encode=True, values=[value, fields(a=ONE)], shared_after=[["a"]],
    )  # fmt: skip
    topic.written("write canonical, integers 64 and 127", "92407f", items(integer(64), integer(127)), **on)
    return topic


def _utf8() -> Topic:
    topic = Topic(KIND, "utf8", "the option utf8 and the keys of a structure: replaced, but never raw")
    replaced, raw = {"utf8": "replace"}, {"utf8": "raw"}
    bad = b"\xd4\x72\x40\x91\xa1\xff\1"
    topic.read("utf8 replace, key", bad, table((text("\ufffd"), ONE)), **replaced)
    topic.read(
        "utf8 replace, key of a structure that is used again",
        array(bad, b"\x40\2"),
        items(table((text("\ufffd"), ONE)), table((text("\ufffd"), TWO))),
        **replaced,
    )
    topic.read(
        "utf8 replace, key of two letters around",
        "d4724091a361ff6201",
        table((text("a\ufffdb"), ONE)),
        **replaced,
    )
    topic.read(
        "utf8 replace, two keys become one", "d4724092a1ffa1fe0102", table((text("\ufffd"), TWO)), **replaced
    )
    topic.refused(
        "utf8 replace, two keys become one, refused",
        "d4724092a1ffa1fe0102",
        "duplicate_key",
        6,
        **replaced,
        duplicate_key="error",
    )
    topic.refused("utf8 raw, key", bad, "invalid_utf8", 5, **raw)
    topic.refused("utf8 raw, second key", "d4724092a161a2c3280102", "invalid_utf8", 7, **raw)
    topic.read(
        "utf8 raw, a value of a record", define(0x40, "a") + b"\xa1\xff", fields(a={"bin": "ff"}), **raw
    )
    topic.read("utf8 raw, a key of a plain map", "81a1ff01", table(({"bin": "ff"}, ONE)), **raw)
    topic.read("utf8 raw, well-formed key", define(0x40, "é") + b"\1", fields(é=ONE), **raw)
    return topic


def _max_keys() -> Topic:
    topic = Topic(KIND, "max-record-keys", "max_record_keys, 1024 by default")
    ab, data = fields(a=ONE, b=TWO), define(0x40, "a", "b") + b"\1\2"
    wide = define_wide(64, "a", "b") + b"\1\2"
    more = {"max_record_keys": 2000}
    topic.read("max_record_keys 2000, 1500 keys", define_counted(1500), counted(1500), **more)
    topic.refused("max_record_keys 2000, 2001 keys", define_counted(2001), "length_limit", 3, **more)
    topic.read("max_record_keys 2, two keys", data, ab, max_record_keys=2)
    for name, raw, limit, offset in (
        ("two keys", data, 1, 3), ("two keys after a two-byte id", wide, 1, 4), ("two keys", data, 0, 3),
        ("as second record", array(define(0x40, "a") + b"\1", define(0x41, "a", "b") + b"\1\2"), 1, 11),
        ("before the keys that do not come", b"\xd4\x72\x40\x92", 1, 3),
    ):  # fmt: skip
        options = {"max_record_keys": limit}
        topic.refused(f"max_record_keys {limit}, {name}", raw, "length_limit", offset, **options)
    topic.read("max_record_keys 0, no keys", define(0x40), table(), max_record_keys=0)
    topic.read(
        "max_record_keys 1, plain maps may have more",
        mapping(fixstr("a"), b"\1", fixstr("b"), b"\2"),
        ab,
        max_record_keys=1,
    )
    one: dict = {"max_record_keys": 1}
    topic.read(
        "max_record_keys 1, a shared list may have more",
        b"\x40\1\2",
        ab,
        **one,
        shared_structures=[["a", "b"]],
    )
    keys = [f"{place:04}" for place in range(1025)]
    topic.read(
        "a shared structure of 1025 keys",
        join("40", repeat("c0", 1025)),
        counted(1025),
        shared_structures=[keys],
    )
    topic.written("write with max_record_keys 2000, 1500 keys", define_counted(1500), counted(1500), **more)
    topic.written(
        "write with max_record_keys 2000, 2001 keys, plain",
        join(header16(0xDE, 2001), counter(2001, 4, "a4", "c0")),
        counted(2001),
        **more,
    )
    topic.written(
        "write with max_record_keys 1",
        array(mapping(fixstr("a"), b"\1", fixstr("b"), b"\2"), define(0x40, "a") + b"\1"),
        items(ab, fields(a=ONE)),
        **one,
    )
    topic.written(
        "write with max_record_keys 0", mapping(fixstr("a"), b"\1"), fields(a=ONE), max_record_keys=0
    )
    topic.add(
        "write shared with max_record_keys 1, the list does not grow by more",
        mapping(fixstr("a"), b"\1", fixstr("b"), b"\2") + b"\x40\1",
        options={**one, "shared_structures": []}, encode=True, values=[ab, fields(a=ONE)],
        shared_after=[["a"]],
    )  # fmt: skip
    topic.add(
        "write shared with max_record_keys 1, a longer structure of the list is not used",
        mapping(fixstr("a"), b"\1", fixstr("b"), b"\2"),
        options={**one, "shared_structures": [["a", "b"]]}, encode=True, values=[ab],
        shared_after=[["a", "b"]],
    )  # fmt: skip
    return topic
