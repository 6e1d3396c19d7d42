"""``records/``: the exact bytes of the default writer with records on."""

from __future__ import annotations

from .build import (
    NIL,
    Topic,
    Value,
    array_header,
    binary,
    counter,
    f64,
    fields,
    fixstr,
    header16,
    integer,
    items,
    join,
    mapping,
    table,
    text,
    u8,
)
from .records_bytes import (
    counted,
    define,
    define_counted,
    define_singles,
    define_wide,
    field,
    name,
    names,
    singles,
    use_singles,
    use_wide,
)

KIND = "records"


def topics() -> list[Topic]:
    return [_write(), _round_robin(), _write_shared(), _sequential()]


def _write() -> Topic:
    topic = Topic(KIND, "write", "own structures: which maps are records, ids, nesting, integers")

    def written(title: str, data: bytes | str | list, value: Value, **options: object) -> None:
        topic.written(f"write {title}", data, value, **options)

    written("one map", "d4724092a3666f6fa36261720402", fields(foo=integer(4), bar=integer(2)))
    written(
        "the same keys again",
        "92d4724092a161a1620102400304",
        items(fields(a=integer(1), b=integer(2)), fields(a=integer(3), b=integer(4))),
    )
    written(
        "keys in another order",
        define_pair(),
        items(fields(a=integer(1), b=integer(2)), fields(b=integer(3), a=integer(4))),
    )
    written(
        "a map in a map", "d4724092a161a163d4724191a1620102", fields(a=fields(b=integer(1)), c=integer(2))
    )
    written("a map in a map of the same keys", "d4724091a1614001", fields(a=fields(a=integer(1))))
    written(
        "two in one",
        define(0x40, "a", "b") + define(0x41, "x") + b"\1\x41\2",
        fields(a=fields(x=integer(1)), b=fields(x=integer(2))),
    )
    written("the empty map", "d4724090", table())
    written("empty maps in a record", define(0x40, "a") + define(0x41), fields(a=table()))
    written("two empty maps", b"\x92" + define(0x40) + b"\x40", items(table(), table()))
    written(
        "a map with a key that is not a str",
        mapping(fixstr("a"), b"\1", b"\2", b"\3"),
        table((text("a"), integer(1)), (integer(2), integer(3))),
    )
    written(
        "a map with integer keys 64 and 127",
        b"\x82\xcc\x40\1\xcc\x7f\2",
        table((integer(64), integer(1)), (integer(127), integer(2))),
    )
    written(
        "a record in a plain map",
        b"\x81\x01" + define(0x40, "a") + b"\2",
        table((integer(1), fields(a=integer(2)))),
    )
    written("a map as key", b"\x81" + define(0x40, "a") + b"\1\xc3", table((fields(a=integer(1)), True)))
    written("a bin key", mapping(b"\xc4\1a", b"\1"), table((binary(b"a"), integer(1))))
    written("an empty key", define(0x40, "") + b"\1", table((text(""), integer(1))))
    written(
        "a key of 32 bytes",
        b"\xd4\x72\x40\x91\xd9\x20" + b"k" * 32 + b"\1",
        table((text("k" * 32), integer(1))),
    )
    for number in (63, 64, 65, 95, 96, 100, 127, 128):
        written(f"the integer {number}", u8(number) if number > 63 else b"\x3f", integer(number))
    written(
        "integers in a record",
        define(0x40, "a", "b") + u8(64) + b"\x3f",
        fields(a=integer(64), b=integer(63)),
    )
    written("negative integers", b"\x92\xff\xe0", items(integer(-1), integer(-32)))
    written(
        "other values",
        b"\x93\xc0" + f64(1.5) + b"\xd4\x05\x40",
        items(NIL, {"f64": "3ff8000000000000"}, {"ext": [5, "40"]}),
    )
    sixteen = names(16)
    written(
        "sixteen keys",
        define(0x40, *sixteen) + bytes(16),
        table(*((text(key), integer(0)) for key in sixteen)),
    )
    written("1024 keys", define_counted(1024), counted(1024))
    written("1025 keys, plain", join(header16(0xDE, 1025), counter(1025, 4, "a4", "c0")), counted(1025))
    written(
        "max_own_structures 0", b"\x91\x81\xa1a\xcc\x64", items(fields(a=integer(100))), max_own_structures=0
    )
    written("64 structures", array_header(64) + define_singles(64), items(*singles(64)))
    messages = [fields(a=integer(1)), fields(b=integer(2)), fields(a=integer(3))]
    data = define(0x40, "a") + b"\1" + define(0x40, "b") + b"\2" + define(0x40, "a") + b"\3"
    topic.add("write three messages, each with its own", data, encode=True, values=messages)
    return topic


def define_pair() -> bytes:
    """An array with the keys a, b in both orders."""
    return b"\x92" + define(0x40, "a", "b") + b"\1\2" + define(0x41, "b", "a") + b"\3\4"


def _round_robin() -> Topic:
    topic = Topic(KIND, "round-robin", "more structures than ids: the oldest id is used again; two-byte ids")

    def written(title: str, data: bytes, values: list[Value], **options: object) -> None:
        whole = array_header(len(values)) + data
        topic.written(f"write {title}", whole, items(*values), **options)

    first = define_singles(64)
    written("65 structures", first + define(0x40, name(64)) + b"\1", singles(65))
    again = define(0x40, name(64)) + b"\1" + define(0x41, name(0)) + b"\1" + b"\x42\1"
    written(
        "65 structures, then the first and the third",
        first + again,
        [*singles(65), field("k0", 1), field("k2", 1)],
    )
    alternate = b"".join(define(0x40, name(place)) + b"\1" for place in range(3)) + b"\x40\1"
    written("max_own 1", alternate, [*singles(3), field("k2", 1)], max_own_structures=1)
    two = (
        define(0x40, "k0")
        + b"\1"
        + define(0x41, "k1")
        + b"\1"
        + define(0x40, "k2")
        + b"\1"
        + b"\x41\1"
        + define(0x41, "k0")
        + b"\1"
    )
    written("max_own 2", two, [*singles(3), field("k1", 1), field("k0", 1)], max_own_structures=2)
    nested = define(0x40, "a") + define(0x40, "b") + define(0x40, "a") + b"\1"
    topic.written(
        "write nested with max_own 1", nested, fields(a=fields(b=fields(a=integer(1)))), max_own_structures=1
    )
    low = define_singles(32)
    high = b"".join(define_wide(place, name(place)) + b"\1" for place in range(32, 66))
    written(
        "max_own 65: two bytes from index 32",
        low + high[: -len(define_wide(65, "k65")) - 1],
        singles(65),
        max_own_structures=65,
    )
    reuse = use_wide(32) + b"\2" + use_wide(63) + b"\2" + use_wide(64) + b"\2" + b"\x5f\2"
    values = [*singles(66), *(field(name(place), 2) for place in (32, 63, 64, 31))]
    written("max_own 100, used again", low + high + reuse, values, max_own_structures=100)
    turned = low + high[: -len(define_wide(65, "k65")) - 1] + define(0x40, "k65") + b"\1" + b"\x41\1"
    written("max_own 65, turned round", turned, [*singles(66), field("k1", 1)], max_own_structures=65)
    wrapped = low + define_singles(32, 0x60, 32)
    written("max_own 64 stays at one byte", wrapped, singles(64), max_own_structures=64)
    return topic


def _write_shared() -> Topic:
    topic = Topic(
        KIND, "write-shared", "shared structures: the list grows, own structures follow when it is full"
    )

    def written(
        title: str, data: bytes | str, values: list[Value], before: list, after: list, **options: object
    ) -> None:
        head: dict = {"shared_structures": before, **options}
        topic.add(f"shared, {title}", data, encode=True, values=values, options=head, shared_after=after)

    a, b, ab = fields(a=integer(1)), fields(b=integer(2)), fields(a=integer(1), b=integer(2))
    written("empty list", "4001", [a], [], [["a"]])
    written("known", "4001", [a], [["a"]], [["a"]])
    written("appended", "41 02".replace(" ", ""), [b], [["a"]], [["a"], ["b"]])
    written("three messages", "400141024001", [a, b, a], [], [["a"], ["b"]])
    written("two in one message", "92400141 02".replace(" ", ""), [items(a, b)], [], [["a"], ["b"]])
    written(
        "outer before inner",
        "40 41 01 02".replace(" ", ""),
        [fields(x=a, y=integer(2))],
        [],
        [["x", "y"], ["a"]],
    )
    written("within itself", "404001", [fields(a=a)], [], [["a"]])
    written(
        "another order",
        "4001024102 01".replace(" ", ""),
        [ab, fields(b=integer(2), a=integer(1))],
        [],
        [["a", "b"], ["b", "a"]],
    )
    written("the empty map", "40", [table()], [], [[]])
    written("the empty map again", "40410140", [table(), a, table()], [], [[], ["a"]])
    written("integers", "93cc40cc7f3f", [items(integer(64), integer(127), integer(63))], [], [])
    written("a plain map", b"\x81\1\2", [table((integer(1), integer(2)))], [["a"]], [["a"]])
    full = [["a"]]
    own = define(0x41, "b") + b"\2"
    written(
        "full at 1: own ids follow",
        b"\x93\x40\1" + own + b"\x41\2",
        [items(a, b, b)],
        full,
        full,
        max_shared_structures=1,
    )
    written(
        "full at 1: own ones end with the message", own + own, [b, b], full, full, max_shared_structures=1
    )
    turned = b"\x93" + define(0x41, "b") + b"\2" + define(0x41, "c") + b"\3" + define(0x41, "b") + b"\2"
    written(
        "full at 1, max_own 1",
        turned,
        [items(b, fields(c=integer(3)), b)],
        full,
        full,
        max_shared_structures=1,
        max_own_structures=1,
    )
    written(
        "full at 1, max_own 0: plain maps",
        b"\x92\x40\1\x81\xa1b\2",
        [items(a, b)],
        full,
        full,
        max_shared_structures=1,
        max_own_structures=0,
    )
    written("max_shared 0: all own", define(0x40, "a") + b"\1", [a], [], [], max_shared_structures=0)
    written("the same keys twice in the list", "4001", [a], [["a"], ["b"], ["a"]], [["a"], ["b"], ["a"]])
    longer = [["a"], ["b"]]
    for title, size in (("max_shared 1", 1), ("max_shared 0", 0)):
        data = define(0x40 + size, "b") + b"\2"
        written(f"a longer list, {title}", data, [b], longer, longer, max_shared_structures=size)
    data = b"\x93" + define(0x41, "b") + b"\2\x40\1\x41\2"
    written(
        "a longer list, its ids used again", data, [items(b, a, b)], longer, longer, max_shared_structures=1
    )
    unusable = [["a", "a"], ["a"]]
    written("a list with a key twice", "4101", [a], unusable, unusable)
    grown = [[key] for key in names(32)]
    data = use_singles(32) + define(0x60, name(32)) + b"\1"
    written("32 by default, then own ones", data, singles(33), [], grown)
    data = array_header(65) + use_singles(32)
    data += define_singles(32, 0x60, 32) + define(0x60, name(64)) + b"\1"
    written(
        "32 shared and 32 own by default, then the first own again", data, [items(*singles(65))], [], grown
    )
    data = use_singles(32) + use_wide(32) + b"\1" + use_wide(33) + b"\1"
    written(
        "max_shared 40: two bytes from index 32",
        data,
        singles(34),
        [],
        [[key] for key in names(34)],
        max_shared_structures=40,
    )
    known = [[key] for key in names(40)]
    data = b"\x92" + define_wide(40, "z") + b"\1" + use_wide(40) + b"\2"
    written(
        "max_shared 40, own ones in two bytes",
        data,
        [items(field("z", 1), field("z", 2))],
        known,
        known,
        max_shared_structures=40,
    )
    data = b"\x93\x40\1" + define(0x41, "b") + b"\2" + b"\x41\2"
    written(
        "max_shared 1, max_own 64: two-byte form, low ids of one byte",
        data,
        [items(a, b, b)],
        full,
        full,
        max_shared_structures=1,
        max_own_structures=64,
    )
    return topic


def _sequential() -> Topic:
    topic = Topic(KIND, "sequential", "definitions that last for the stream")

    def written(title: str, data: bytes, values: list[Value], **options: object) -> None:
        topic.add(
            f"sequential, {title}", data, encode=True, values=values, options={"sequential": True, **options}
        )

    a, b = fields(a=integer(1)), fields(b=integer(2))
    written("one definition", define(0x40, "a") + b"\1\x40\1\x40\1", [a, a, a])
    written(
        "two definitions", define(0x40, "a") + b"\1" + define(0x41, "b") + b"\2\x40\1\x41\2", [a, b, a, b]
    )
    written("no record between", define(0x40, "a") + b"\1\xcc\x40\x40\1", [a, integer(64), a])
    data = define_singles(64) + define(0x40, name(64)) + b"\1"
    written(
        "65 structures",
        data + b"\x41\1" + define(0x41, "k0") + b"\1",
        [*singles(65), field("k1", 1), field("k0", 1)],
    )
    data = define(0x40, "a") + b"\1" + define(0x40, "b") + b"\2" + b"\x40\2" + define(0x40, "a") + b"\1"
    written("max_own 1", data, [a, b, b, a], max_own_structures=1)
    inner = define(0x40, "x") + define(0x41, "a") + b"\1\x41\1\x40\x41\1"
    written("an inner structure by itself later", inner, [fields(x=a), a, fields(x=a)])
    return topic
