"""``records/``: what records mean when read, and the exact bytes that a writer makes."""

from __future__ import annotations

from . import records_malformed, records_options, records_rollback, records_write
from .build import (
    NIL,
    Topic,
    array,
    ext_bytes,
    fields,
    fixstr,
    header16,
    header32,
    integer,
    items,
    mapping,
    table,
    text,
    u8,
)
from .records_bytes import counted, define, define_counted, define_wide, field, name, names, use_wide

KIND = "records"


def topics() -> list[Topic]:
    others = (records_malformed, records_write, records_options, records_rollback)
    return [
        _read(),
        _ids(),
        _two_byte(),
        _shared(),
        *(topic for module in others for topic in module.topics()),
    ]


def _read() -> Topic:
    topic = Topic(KIND, "read", "definitions, records and plain values with records on")
    ab, first = fields(a=integer(1), b=integer(2)), define(0x40, "a", "b")
    topic.read(
        "definition and first record", "d4724092a3666f6fa36261720402", fields(foo=integer(4), bar=integer(2))
    )
    topic.read(
        "second record", b"\x92" + first + b"\1\2\x40\3\4", items(ab, fields(a=integer(3), b=integer(4)))
    )
    topic.read(
        "array of two records", "92d4724091a161014002", items(fields(a=integer(1)), fields(a=integer(2)))
    )
    topic.read(
        "record in a record", "d4724092a161a163d4724191a1620102", fields(a=fields(b=integer(1)), c=integer(2))
    )
    topic.read("record in a record of its own structure", "d4724091a1614001", fields(a=fields(a=integer(1))))
    topic.read(
        "record in a record in a record, one structure",
        "d4724091a161404001",
        fields(a=fields(a=fields(a=integer(1)))),
    )
    topic.read("64 to 127 as uint8", "93cc40cc64cc7f", items(integer(64), integer(100), integer(127)))
    topic.read("undefined ids are integers", "93405f7f", items(integer(64), integer(95), integer(127)))
    raw = b"\x93\x40" + define(0x40, "a") + b"\1\x40\2"
    topic.read(
        "an id is an integer until it is defined",
        raw,
        items(integer(64), fields(a=integer(1)), fields(a=integer(2))),
    )
    topic.read(
        "an id of another structure is an integer",
        b"\x92" + define(0x41, "a") + b"\1\x40",
        items(fields(a=integer(1)), integer(64)),
    )
    topic.read("undefined id at the top", "40", integer(64))
    topic.read("undefined id as key", "814001", table((integer(64), integer(1))))
    topic.read("undefined id as value of a record", define(0x40, "a") + b"\x41", fields(a=integer(65)))
    for number in (0x40, 0x41, 0x50, 0x5F, 0x60, 0x70, 0x7E, 0x7F):
        topic.read(f"integer {number} in fixint format", bytes([number]), integer(number))
        topic.read(f"integer {number} as uint8", u8(number), integer(number))
    topic.read("plain map", mapping(fixstr("a"), b"\1"), fields(a=integer(1)))
    topic.read("empty map", "80", table())
    topic.read("structure without keys", define(0x40), table())
    topic.read(
        "structure without keys, used", b"\x93" + define(0x40) + b"\x40\x40", items(table(), table(), table())
    )
    topic.read("a key twice", define(0x40, "a", "b", "a") + b"\1\2\3", fields(a=integer(3), b=integer(2)))
    topic.read("empty key", define(0x40, "") + b"\1", table((text(""), integer(1))))
    topic.read(
        "keys of many alphabets",
        define(0x40, "é", "😀", "\0", "__proto__") + b"\1\2\3\4",
        table(*((text(key), integer(n)) for n, key in enumerate(("é", "😀", "\0", "__proto__"), 1))),
    )
    topic.read(
        "record as key", b"\x81" + define(0x40, "a") + b"\1\2", table((fields(a=integer(1)), integer(2)))
    )
    topic.read(
        "record as key, by id",
        b"\x82" + define(0x40, "a") + b"\1\2\x40\3\4",
        table((fields(a=integer(1)), integer(2)), (fields(a=integer(3)), integer(4))),
    )
    topic.read(
        "plain map in a record",
        define(0x40, "a") + mapping(b"\1", b"\2"),
        fields(a=table((integer(1), integer(2)))),
    )
    topic.read(
        "array of records in a record",
        define(0x40, "rows", "n") + b"\x92" + define(0x41, "x") + b"\1\x41\2" + b"\5",
        fields(rows=items(fields(x=integer(1)), fields(x=integer(2))), n=integer(5)),
    )
    topic.read(
        "other exts beside records",
        b"\x93" + define(0x40, "a") + b"\xc0\xd4\x05\x40\xd6\xff\0\0\0\1",
        items(fields(a=NIL), {"ext": [5, "40"]}, {"timestamp": ["1", 0]}),
    )
    topic.read(
        "redefinition",
        b"\x93" + define(0x40, "a") + b"\1" + define(0x40, "x", "y") + b"\2\3\x40\4\5",
        items(fields(a=integer(1)), fields(x=integer(2), y=integer(3)), fields(x=integer(4), y=integer(5))),
    )
    opened = define(0x40, "a", "b") + define(0x40, "x") + b"\1" + b"\x40\2"
    topic.read(
        "redefinition while a record of the old structure is open",
        opened,
        fields(a=fields(x=integer(1)), b=fields(x=integer(2))),
    )
    opened = define(0x40, "a", "b", "c") + define(0x40) + b"\x40" + b"\5"
    topic.read("redefinition without keys while open", opened, fields(a=table(), b=table(), c=integer(5)))
    twice = define(0x40, "a") + define(0x40, "a") + b"\1"
    topic.read("the same definition within itself", twice, fields(a=fields(a=integer(1))))
    topic.read(
        "the same definition twice",
        b"\x92" + (define(0x40, "a") + b"\1") * 2,
        items(fields(a=integer(1)), fields(a=integer(1))),
    )
    headers = (("fixarray", b"\x91"), ("array16", header16(0xDC, 1)), ("array32", header32(0xDD, 1)))
    for kind, header in headers:
        for key_kind, key in (
            ("fixstr", b"\xa1a"),
            ("str8", b"\xd9\1a"),
            ("str16", b"\xda\0\1a"),
            ("str32", b"\xdb\0\0\0\1a"),
        ):
            topic.read(
                f"keys as {kind} of {key_kind}", b"\xd4\x72\x40" + header + key + b"\1", fields(a=integer(1))
            )
    sixteen = [chr(97 + place) for place in range(16)]
    topic.read(
        "sixteen keys",
        define(0x40, *sixteen) + bytes(range(16)),
        fields(**{key: integer(n) for n, key in enumerate(sixteen)}),
    )
    topic.read("1024 keys", define_counted(1024), counted(1024))
    long = "k" * 200
    topic.read(
        "long key", b"\xd4\x72\x40\x91\xd9\xc8" + long.encode() + b"\1", table((text(long), integer(1)))
    )
    for option, limit, data, value in (
        ("max_depth", 1, define(0x40, "a") + b"\1", fields(a=integer(1))),
        ("max_depth", 2, define(0x40, "a") + b"\x90", fields(a=items())),
        ("max_nodes", 3, define(0x40, "a", "b") + b"\1\2", ab),
        ("max_map_len", 2, define(0x40, "a", "b") + b"\1\2", ab),
        ("max_array_len", 0, define(0x40, "a", "b") + b"\1\2", ab),
        ("max_ext_len", 0, define(0x40, "a") + b"\1", fields(a=integer(1))),
        ("max_str_len", 1, define(0x40, "a") + b"\1", fields(a=integer(1))),
        ("unknown_ext", "error", define(0x40, "a") + b"\1", fields(a=integer(1))),
        ("undefined_record", "error", b"\x92" + define(0x40, "a") + b"\1\x40\2",
            items(fields(a=integer(1)), fields(a=integer(2)))),
        ("undefined_record", "error", b"\xcc\x40", integer(64)),
    ):  # fmt: skip
        topic.read(f"with {option} {limit}, {data[:8].hex()}", data, value, **{option: limit})
    topic.refused(  # as a record, it would be a set of two
        "an id in a payload is an integer",
        b"\x92" + define(0x40, "a") + b"\1" + ext_bytes(86, b"\x92\x40\1\2"),
        "invalid_ext",
        8,
        ext_types=[86],
    )
    return topic


def _ids() -> Topic:
    topic = Topic(KIND, "ids", "every one-byte id, and more than one structure at a time")
    for ident in range(0x40, 0x80):
        topic.read(
            f"id {ident:02x}",
            b"\x92" + define(ident, "a") + b"\1" + bytes([ident, 2]),
            items(fields(a=integer(1)), fields(a=integer(2))),
        )
    every = b"".join(define(ident, name(ident)) + b"\1" for ident in range(0x40, 0x80))
    again = b"".join(bytes([ident, 2]) for ident in range(0x7F, 0x3F, -1))
    values = [field(name(ident), 1) for ident in range(0x40, 0x80)] + [
        field(name(ident), 2) for ident in range(0x7F, 0x3F, -1)
    ]
    topic.read("all 64 one-byte ids together", header16(0xDC, 128) + every + again, items(*values))
    return topic


def _two_byte() -> Topic:
    topic = Topic(KIND, "two-byte", "ids of two bytes: 0x60 + index mod 32, then (index - 32) div 32")
    for index in (32, 33, 36, 63, 64, 65, 70, 95, 96, 1000, 1055, 1056, 4095, 4096, 8159, 8160, 8190, 8191):
        raw = b"\x92" + define_wide(index, "a") + b"\1" + use_wide(index) + b"\2"
        topic.read(f"index {index}", raw, items(fields(a=integer(1)), fields(a=integer(2))))
    a, b = fields(a=integer(1)), fields(b=integer(2))
    topic.read("index 36 as 64 00", "d572640091a16101", a)
    topic.read(
        "one-byte ids beside two-byte ids",
        b"\x94" + define(0x40, "a") + b"\1" + define_wide(64, "b") + b"\2\x40\1" + use_wide(64) + b"\2",
        items(a, b, a, b),
    )
    topic.read(
        "two indexes of one low byte",
        b"\x94"
        + define_wide(32, "a")
        + b"\1"
        + define_wide(64, "b")
        + b"\2"
        + use_wide(32)
        + b"\1"
        + use_wide(64)
        + b"\2",
        items(a, b, a, b),
    )
    topic.read(
        "undefined low byte is an integer", b"\x92" + define_wide(32, "a") + b"\1\x61", items(a, integer(97))
    )
    topic.read(
        "40 to 5f never have two bytes",
        b"\x93" + define_wide(32, "a") + b"\1\x40\x5f",
        items(a, integer(64), integer(95)),
    )
    redefined = b"\x93" + define(0x68, "a") + b"\1" + define_wide(40, "b") + b"\2" + use_wide(40) + b"\2"
    topic.read("index 40 in the two-byte form replaces the one-byte form", redefined, items(a, b, b))
    redefined = b"\x93" + define_wide(40, "b") + b"\2" + define(0x68, "a") + b"\1\x68\1"
    topic.read("index 40 in the one-byte form replaces the two-byte form", redefined, items(b, a, a))
    switched = b"\x93" + define(0x68, "a") + b"\1" + define_wide(72, "b") + b"\2" + b"\x68\x00\1"
    topic.read(
        "a one-byte structure is reached in two bytes after a two-byte definition", switched, items(a, b, a)
    )
    switched = b"\x93" + define_wide(40, "a") + b"\1" + define_wide(72, "b") + b"\2" + b"\x68\x00\1"
    topic.read("index 40 and 72 in two bytes", switched, items(a, b, a))
    hidden = b"\x93" + define_wide(72, "b") + b"\2" + define(0x68, "a") + b"\1" + b"\x68\1"
    topic.read("one-byte definition after another index of the low byte", hidden, items(b, a, a))
    inside = define_wide(64, "a") + use_wide(64) + b"\1"
    topic.read("two-byte record within itself", inside, fields(a=fields(a=integer(1))))
    topic.read(
        "two-byte id as map key",
        b"\x82" + define_wide(64, "a") + b"\1\2" + use_wide(64) + b"\3\4",
        table((a, integer(2)), (fields(a=integer(3)), integer(4))),
    )
    return topic


def _shared() -> Topic:
    topic = Topic(KIND, "shared", "structures that both sides hold; nothing in the message announces them")
    two = {"shared_structures": [["a", "b"], ["x"]]}
    ab, x = fields(a=integer(1), b=integer(2)), fields(x=integer(5))
    topic.read("first structure", "400102", ab, **two)
    topic.read("second structure", "4105", x, **two)
    topic.read("both", "93400102410540 0102".replace(" ", ""), items(ab, x, ab), **two)
    topic.read("beyond the list is an integer", "42", integer(66), **two)
    topic.read("an empty list", "40", integer(64), shared_structures=[])
    topic.read(
        "shared within itself", "404001020a", fields(a=ab, b=integer(10)), shared_structures=[["a", "b"]]
    )
    topic.read(
        "own beside shared",
        "93d4726091a16b0760 08400102".replace(" ", ""),
        items(fields(k=integer(7)), fields(k=integer(8)), ab),
        **two,
    )
    topic.read(
        "own hides shared", "92d4724091a16b074008", items(fields(k=integer(7)), fields(k=integer(8))), **two
    )
    topic.read(
        "own hides shared while it is open",
        "40d4724091a16b074008",
        fields(a=fields(k=integer(7)), b=fields(k=integer(8))),
        **two,
    )
    topic.add(
        "the list is as it was in the next message",
        "d4724091a16b07400102",
        options=two,
        values=[fields(k=integer(7)), ab],
    )
    topic.add(
        "sequential: a definition hides shared from then on",
        "d4724091a16b074008",
        options={**two, "sequential": True},
        values=[fields(k=integer(7)), fields(k=integer(8))],
    )
    topic.read(
        "a key twice in a shared structure", "400102", fields(a=integer(2)), shared_structures=[["a", "a"]]
    )
    one_byte = [[key] for key in names(32)]
    topic.read(
        "32 shared structures, all of one byte",
        "924000 5f01".replace(" ", ""),
        items(field("k0", 0), field("k31", 1)),
        shared_structures=one_byte,
    )
    topic.read(
        "32 shared structures, own 60 of one byte",
        "92d4726091a16b076008",
        items(fields(k=integer(7)), fields(k=integer(8))),
        shared_structures=one_byte,
    )
    more = [[key] for key in names(34)]
    topic.read(
        "34 shared structures: 60 and 61 have two bytes",
        "9340006000016100 02".replace(" ", ""),
        items(field("k0", 0), field("k32", 1), field("k33", 2)),
        shared_structures=more,
    )
    topic.read("34 shared structures: 62 is an integer", "62", integer(98), shared_structures=more)
    topic.read("34 shared structures: 7f is an integer", "7f", integer(127), shared_structures=more)
    topic.refused(
        "34 shared structures: 60 01 is not defined", "6001", "record_undefined", 0, shared_structures=more
    )
    topic.read(
        "34 shared structures, an own one-byte definition of 60",
        "92d4726091a16b076008",
        items(fields(k=integer(7)), fields(k=integer(8))),
        shared_structures=more,
    )
    hundred = [[key] for key in names(100)]
    raw = array(
        use_wide(32) + b"\0", use_wide(63) + b"\1", use_wide(64) + b"\2", use_wide(99) + b"\3", b"\x5f\4"
    )
    value = items(field("k32", 0), field("k63", 1), field("k64", 2), field("k99", 3), field("k31", 4))
    topic.read("100 shared structures", raw, value, shared_structures=hundred)
    topic.refused("shared record, max_map_len", "400102", "length_limit", 0, **two, max_map_len=1)
    topic.refused("shared record, cut", "4001", "eof", 2, **two)
    return topic
