"""``records/``: options that change what records are: canonical, utf8, max_record_keys."""

from __future__ import annotations

from generator.build import (
    NIL,
    Topic,
    array,
    array_header,
    counter,
    fault,
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
from generator.records_bytes import define, define_wide

KIND = "records"
ONE, TWO = integer(1), integer(2)


def topics() -> list[Topic]:
    return [_canonical(), _utf8(), _max_keys()]


def _canonical() -> Topic:
    topic = Topic(KIND, "canonical", "canonical switches records off, in reading and in writing")
    on: dict = {"canonical": True}
    shared: dict = {**on, "shared_structures": [["a"]]}
    topic.add("canonical, type 0x72 is an ext", "d47240", options=on, value={"ext": [0x72, "40"]})
    topic.add("canonical, two bytes of type 0x72", "d5726000", options=on, value={"ext": [0x72, "6000"]})
    topic.add("canonical, fixint 64", "40", options=on, value=integer(64))
    topic.add(
        "canonical, fixint 64 with undefined_record error",
        "40", options={**on, "undefined_record": "error"}, value=integer(64),
    )  # fmt: skip
    topic.add("canonical, an id of the shared list", "40", options=shared, value=integer(64))
    topic.add(
        "canonical, a definition is an ext with values behind",
        define(0x40, "a") + b"\1", options=on, error=fault("trailing_bytes", 3),
    )  # fmt: skip
    for name, data in (("ext8 of type 0x72", "c7017240"), ("uint8 of 64", "cc40")):
        topic.add(f"canonical, {name}", data, options=on, error=fault("not_canonical", 0))
    topic.add("canonical, ext8 of type 0x72, empty", "c70072", options=on, value={"ext": [0x72, ""]})
    sorted_map = mapping(fixstr("a"), b"\1", fixstr("b"), b"\2")
    value = fields(a=ONE, b=TWO)
    topic.add("write canonical, a map is plain", sorted_map, options=on, encode=True, value=value)
    topic.add(
        "write canonical, the shared list stays as it is",
        sorted_map + mapping(fixstr("a"), b"\1"),
        options=shared, encode=True, values=[value, fields(a=ONE)], shared_after=[["a"]],
    )  # fmt: skip
    topic.add(
        "write canonical, integers 64 and 127",
        "92407f", options=on, encode=True, value=items(integer(64), integer(127)),
    )  # fmt: skip
    return topic


def _utf8() -> Topic:
    topic = Topic(KIND, "utf8", "the option utf8 and the keys of a structure: replaced, but never raw")
    replaced, raw = {"utf8": "replace"}, {"utf8": "raw"}
    bad = b"\xd4\x72\x40\x91\xa1\xff\1"
    topic.add("utf8 replace, key", bad, options=replaced, value=table((text("\ufffd"), ONE)))
    topic.add(
        "utf8 replace, key of a structure that is used again",
        array(bad, b"\x40\2"), options=replaced,
        value=items(table((text("\ufffd"), ONE)), table((text("\ufffd"), TWO))),
    )  # fmt: skip
    topic.add(
        "utf8 replace, key of two letters around", "d4724091a361ff6201",
        options=replaced, value=table((text("a\ufffdb"), ONE)),
    )  # fmt: skip
    topic.add(
        "utf8 replace, two keys become one", "d4724092a1ffa1fe0102",
        options=replaced, value=table((text("\ufffd"), TWO)),
    )  # fmt: skip
    topic.add(
        "utf8 replace, two keys become one, refused", "d4724092a1ffa1fe0102",
        options={**replaced, "duplicate_key": "error"}, error=fault("duplicate_key", 6),
    )  # fmt: skip
    topic.add("utf8 raw, key", bad, options=raw, error=fault("invalid_utf8", 5))
    topic.add("utf8 raw, second key", "d4724092a161a2c3280102", options=raw, error=fault("invalid_utf8", 7))
    topic.add(
        "utf8 raw, a value of a record", define(0x40, "a") + b"\xa1\xff",
        options=raw, value=fields(a={"bin": "ff"}),
    )  # fmt: skip
    topic.add("utf8 raw, a key of a plain map", "81a1ff01", options=raw, value=table(({"bin": "ff"}, ONE)))
    topic.add("utf8 raw, well-formed key", define(0x40, "é") + b"\1", options=raw, value=fields(é=ONE))
    return topic


def _counted(count: int) -> dict:
    """A map of ``count`` nils whose keys have four digits."""
    return {"map": {"count": count, "digits": 4, "value": NIL}}


def _counted_record(count: int) -> list:
    keys = counter(count, 4, "a4", "")
    return join("d47240", array_header(count), keys, repeat("c0", count))


def _max_keys() -> Topic:
    topic = Topic(KIND, "max-record-keys", "max_record_keys, 1024 unless told otherwise")
    ab, data = fields(a=ONE, b=TWO), define(0x40, "a", "b") + b"\1\2"
    wide = define_wide(64, "a", "b") + b"\1\2"
    more = {"max_record_keys": 2000}
    topic.add("max_record_keys 2000, 1500 keys", _counted_record(1500), options=more, value=_counted(1500))
    topic.add(
        "max_record_keys 2000, 2001 keys", _counted_record(2001), options=more, error=fault("length_limit", 3)
    )
    topic.add("max_record_keys 2, two keys", data, options={"max_record_keys": 2}, value=ab)
    for name, raw, limit, offset in (
        ("two keys", data, 1, 3), ("two keys behind a two-byte id", wide, 1, 4), ("two keys", data, 0, 3),
        ("as second record", array(define(0x40, "a") + b"\1", define(0x41, "a", "b") + b"\1\2"), 1, 11),
        ("before the keys that do not come", b"\xd4\x72\x40\x92", 1, 3),
    ):  # fmt: skip
        options = {"max_record_keys": limit}
        topic.add(
            f"max_record_keys {limit}, {name}", raw, options=options, error=fault("length_limit", offset)
        )
    topic.add("max_record_keys 0, no keys", define(0x40), options={"max_record_keys": 0}, value=table())
    topic.add(
        "max_record_keys 1, plain maps may have more", mapping(fixstr("a"), b"\1", fixstr("b"), b"\2"),
        options={"max_record_keys": 1}, value=ab,
    )  # fmt: skip
    one: dict = {"max_record_keys": 1}
    topic.add(
        "max_record_keys 1, a shared list may have more", b"\x40\1\2",
        options={**one, "shared_structures": [["a", "b"]]}, value=ab,
    )  # fmt: skip
    keys = [f"{place:04}" for place in range(1025)]
    topic.add(
        "a shared structure of 1025 keys", join("40", repeat("c0", 1025)),
        options={"shared_structures": [keys]}, value=_counted(1025),
    )  # fmt: skip
    topic.add(
        "write with max_record_keys 2000, 1500 keys", _counted_record(1500),
        options=more, encode=True, value=_counted(1500),
    )  # fmt: skip
    topic.add(
        "write with max_record_keys 2000, 2001 keys, plain",
        join(header16(0xDE, 2001), counter(2001, 4, "a4", "c0")),
        options=more, encode=True, value=_counted(2001),
    )  # fmt: skip
    topic.add(
        "write with max_record_keys 1",
        array(mapping(fixstr("a"), b"\1", fixstr("b"), b"\2"), define(0x40, "a") + b"\1"),
        options=one, encode=True, value=items(ab, fields(a=ONE)),
    )  # fmt: skip
    topic.add(
        "write with max_record_keys 0",
        mapping(fixstr("a"), b"\1"), options={"max_record_keys": 0}, encode=True, value=fields(a=ONE),
    )  # fmt: skip
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
