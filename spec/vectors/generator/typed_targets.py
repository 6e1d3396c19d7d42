"""``typed/``: messages that are read into types of the program."""

from __future__ import annotations

from typing import Any

from .build import (
    Topic,
    array,
    binary,
    double,
    f64,
    fields,
    fixstr,
    i64,
    integer,
    items,
    mapping,
    single,
    text,
    timestamp32,
    u8,
    u16,
    u32,
    u64,
)

KIND = "typed"
POINT = {"struct": [["x", "i32"], ["y", "i32"]]}
STRICT = {**POINT, "unknown": "error"}
USER = {"struct": [["name", "str"], ["tags", {"list": "str"}], ["at", {"option": POINT}]]}
COLOR = {"enum": ["red", "green"]}
# One value of each type that errors name, with its bytes.
FOUND = (
    ("nil", b"\xc0"), ("bool", b"\xc3"), ("integer", b"\5"), ("float", f64(1.5)), ("str", b"\xa1a"),
    ("bin", b"\xc4\1a"), ("array", b"\x91\1"), ("map", b"\x81\xa1a\1"), ("timestamp", timestamp32(1)),
    ("ext", b"\xd4\5\0"),
)  # fmt: skip


class Targets(Topic):
    """A topic whose cases have a type."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def value(self, name: str, target: Any, data: bytes | str, value: Any, /, **options: Any) -> None:
        self._typed(name, target, data, {"value": value, "options": options})

    def fault(
        self, name: str, target: Any, data: bytes | str, kind: str, offset: int, path: str,
        detail: str | None = None, /, **options: Any,
    ) -> None:  # fmt: skip
        error = {"kind": kind, "offset": offset, "path": path}
        if detail is not None:
            error["detail"] = detail
        self._typed(name, target, data, {"error": error, "options": options})

    def mismatch(
        self, name: str, target: Any, data: bytes | str, offset: int, path: str, detail: str
    ) -> None:
        self.fault(name, target, data, "type_mismatch", offset, path, detail)

    def _typed(self, name: str, target: Any, data: bytes | str, members: dict) -> None:
        raw = data.hex() if isinstance(data, bytes) else data.replace(" ", "")
        self._case({"name": name, "type": target, "bytes": raw}, members)


def topics() -> list[Topic]:
    return [_integers(), _scalars(), _containers(), _structs(), _order()]


def _integers() -> Topic:
    topic = Targets("integers", "every width of integers: what fits, in any format, and what does not")
    for bits in (8, 16, 32, 64):
        for name, low, high in (
            (f"u{bits}", 0, 2**bits - 1),
            (f"i{bits}", -(2 ** (bits - 1)), 2 ** (bits - 1) - 1),
        ):
            for number in (low, high, 5):
                raw = u64(number) if number >= 0 else i64(number)
                topic.value(f"{number} in 64 bits as {name}", name, raw, integer(number))
            for number in (low - 1, high + 1):
                if -(2**63) <= number < 2**64:
                    raw = u64(number) if number >= 0 else i64(number)
                    detail = f"{number} does not fit {name}"
                    topic.fault(f"{number} as {name}", name, raw, "out_of_range", 0, "$", detail)
    for data, number in ((b"\5", 5), (b"\xff", -1), (u8(5), 5), (u16(5), 5), (u32(5), 5), (b"\xd0\5", 5)):
        topic.value(f"{data.hex()} as i16", "i16", data, integer(number))
    topic.fault("fixint -1 as u8", "u8", b"\xff", "out_of_range", 0, "$", "-1 does not fit u8")
    topic.fault("300 in a list of u8", {"list": "u8"}, b"\x92\1\xcd\1\x2c", "out_of_range", 2, "$[1]",
        "300 does not fit u8")  # fmt: skip
    return topic


def _scalars() -> Topic:
    topic = Targets("scalars", "bool, floats, str, bin, option and enum, against values of every type")
    types = (
        ("bool", "bool", "a bool", ("bool",)), ("i64", "i64", "an integer", ("integer",)),
        ("f64", "f64", "a float", ("float", "integer")), ("str", "str", "a str", ("str",)),
        ("bin", "bin", "a bin", ("bin",)), ("a list", {"list": "any"}, "an array", ("array",)),
        ("a map", {"map": "any"}, "a map", ("map",)), ("a struct", {"struct": [["a", "any"]]}, "a map", ("map",)),
        ("an option of bool", {"option": "bool"}, "a bool", ("bool", "nil")),
        ("an enum", {"enum": ["a"]}, "a variant", ("str",)),
    )  # fmt: skip
    for name, target, words, taken in types:
        for found, data in FOUND:
            if found not in taken:
                topic.mismatch(f"{found} as {name}", target, data, 0, "$", f"expected {words}, found {found}")
    for name, target, data, value in (
        ("true", "bool", b"\xc3", True), ("false", "bool", b"\xc2", False), ("a str", "str", b"\xa1a", text("a")),
        ("a str with a wider header", "str", b"\xd9\1a", text("a")), ("a bin", "bin", b"\xc4\1a", binary(b"a")),
        ("nil as an option", {"option": "u8"}, b"\xc0", None), ("5 as an option", {"option": "u8"}, b"\5", integer(5)),
        ("a variant", COLOR, fixstr("green"), text("green")), ("float 64 as f64", "f64", f64(0.1), double(0.1)),
        ("float 32 as f64", "f64", b"\xca\x3f\xc0\0\0", double(1.5)), ("5 as f64", "f64", b"\5", double(5.0)),
        ("2^53 as f64", "f64", u64(2**53), double(2.0**53)), ("2^63 as f64", "f64", u64(2**63), double(2.0**63)),
        ("-2^63 as f64", "f64", i64(-(2**63)), double(-(2.0**63))), ("float 32 as f32", "f32", b"\xca\x3f\xc0\0\0",
            single("3fc00000")),
        ("0.1 as f32, which is rounded", "f32", f64(0.1), single("3dcccccd")),
        ("2^24 as f32", "f32", u32(2**24), single("4b800000")),
    ):  # fmt: skip
        topic.value(name, target, data, value)
    for number, target in ((2**53 + 1, "f64"), (2**64 - 1, "f64"), (2**24 + 1, "f32")):
        detail = f"{number} does not fit {target}"
        topic.fault(f"{number} as {target}", target, u64(number), "out_of_range", 0, "$", detail)
    topic.mismatch("another variant", COLOR, fixstr("blue"), 0, "$", 'unknown variant "blue"')
    topic.mismatch("a variant in upper case", COLOR, fixstr("Red"), 0, "$", 'unknown variant "Red"')
    topic.mismatch(
        "another variant in a list", {"list": COLOR}, b"\x91" + fixstr(""), 1, "$[0]", 'unknown variant ""'
    )
    return topic


def _containers() -> Topic:
    topic = Targets("containers", "lists, maps and options within each other")
    grid = {"list": {"list": "u8"}}
    topic.value("a list of lists", grid, "92 9101 90", items(items(integer(1)), items()))
    topic.value("an empty list", {"list": "str"}, "90", items())
    topic.value("a list of options", {"list": {"option": "u8"}}, "92c005", items(None, integer(5)))
    topic.value("a map of lists", {"map": {"list": "bool"}}, "81a16191c3", fields(a=items(True)))
    topic.value("any", "any", "9201a161", items(integer(1), text("a")))
    topic.mismatch(
        "a str in a list of lists", grid, "92 9101 91a161", 4, "$[1][0]", "expected an integer, found str"
    )
    topic.mismatch("nil in a list", {"list": "u8"}, "9201c0", 2, "$[1]", "expected an integer, found nil")
    topic.mismatch(
        "a bool in a map", {"map": "str"}, "82a161a0a162c3", 6, "$.b", "expected a str, found bool"
    )
    topic.mismatch(
        "a key that is not a str", {"map": "u8"}, "8105 01", 1, "$", "expected a str, found integer"
    )
    topic.mismatch(
        "within an option", {"option": {"list": "u8"}}, "91c3", 1, "$[0]", "expected an integer, found bool"
    )
    return topic


def _structs() -> Topic:
    topic = Targets("structs", "structs: missing and unknown fields, fields twice, nested ones, records")
    x, y = fixstr("x"), fixstr("y")
    point = fields(x=integer(1), y=integer(2))
    topic.value("a point", POINT, mapping(x, b"\1", y, b"\2"), point)
    topic.value("fields in another order", POINT, mapping(y, b"\2", x, b"\1"), point)
    topic.value(
        "an unknown field is skipped", POINT, mapping(x, b"\1", fixstr("z"), b"\x91\xc0", y, b"\2"), point
    )
    topic.value("a field twice, the last wins", POINT, mapping(x, b"\5", y, b"\2", x, b"\1"), point)
    topic.value("a record", POINT, b"\xd4\x72\x40\x92" + x + y + b"\1\2", point, records=True)
    topic.mismatch("no field", POINT, "80", 0, "$", 'missing field "x"')
    topic.mismatch("the second field missing", POINT, mapping(x, b"\1"), 0, "$", 'missing field "y"')
    topic.mismatch("a field missing in a list", {"list": POINT}, array(mapping(x, b"\1", y, b"\2"), mapping(y, b"\2")),
        8, "$[1]", 'missing field "x"')  # fmt: skip
    topic.mismatch("an unknown field is refused", STRICT, mapping(x, b"\1", fixstr("z"), b"\2", y, b"\2"), 4, "$",
        'unknown field "z"')  # fmt: skip
    topic.mismatch("an unknown field before a missing one", STRICT, mapping(fixstr("z"), b"\2"), 1, "$",
        'unknown field "z"')  # fmt: skip
    topic.fault("a field twice, refused", POINT, mapping(x, b"\1", x, b"\1"), "duplicate_key", 4, "$", None,
        duplicate_key="error")  # fmt: skip
    topic.fault("a field out of range", POINT, mapping(x, u64(2**31), y, b"\2"), "out_of_range", 3, "$.x",
        "2147483648 does not fit i32")  # fmt: skip
    topic.fault("a field of a record missing", POINT, b"\xd4\x72\x40\x91" + x + b"\1", "type_mismatch", 0, "$",
        'missing field "y"', records=True)  # fmt: skip
    topic.fault("a record where an integer is expected", {"list": "u8"}, b"\x91\xd4\x72\x40\x90", "type_mismatch", 1, "$[0]",
        "expected an integer, found map", records=True)  # fmt: skip
    topic.fault("a field of the second record missing", {"list": POINT},
        b"\x92" + mapping(x, b"\1", y, b"\2") + b"\xd4\x72\x40\x91" + x + b"\1", "type_mismatch", 8, "$[1]",
        'missing field "y"', records=True)  # fmt: skip
    user = (fixstr("name"), fixstr("a"), fixstr("tags"), b"\x91" + fixstr("b"), fixstr("at"))
    topic.value(
        "a user", USER, mapping(*user, b"\xc0"), fields(name=text("a"), tags=items(text("b")), at=None)
    )
    head = len(mapping(*user, b""))
    topic.mismatch("within a field of a field", USER, mapping(*user, mapping(x, b"\1", y, b"\xc3")), head + 6, "$.at.y",
        "expected an integer, found bool")  # fmt: skip
    topic.mismatch("an element of a field", USER, mapping(*user[:3], b"\x91\1", *user[4:], b"\xc0"), 14, "$.tags[0]",
        "expected a str, found integer")  # fmt: skip
    topic.fault("a fault in a field that is skipped", POINT, mapping(fixstr("z"), b"\x92\1\xc1"), "reserved_marker", 5,
        "$.z[1]")  # fmt: skip
    return topic


def _order() -> Topic:
    topic = Targets("order", "a type that is wrong comes after the header, and before the payload")
    topic.mismatch("before UTF-8", "u8", "a2ffff", 0, "$", "expected an integer, found str")
    topic.mismatch("before a payload that is cut", "u8", "a561", 0, "$", "expected an integer, found str")
    topic.mismatch(
        "before a timestamp at fault", "u8", "d5ff0000", 0, "$", "expected an integer, found timestamp"
    )
    topic.mismatch("before what trails", "u8", "c0c0", 0, "$", "expected an integer, found nil")
    topic.fault("nothing", "u8", "", "eof", 0, "$")
    topic.fault("a header that is cut", "u8", "da00", "eof", 2, "$")
    topic.fault("an ext without its type", "u8", "c705", "eof", 2, "$")
    topic.fault("a number that is cut", "str", "cd01", "eof", 2, "$")
    topic.fault("a reserved marker", "u8", "c1", "reserved_marker", 0, "$")
    topic.fault("UTF-8 of the right type", "str", "a2c328", "invalid_utf8", 1, "$")
    topic.fault("the budget of the right type", {"list": "u8"}, "93c0", "eof", 2, "$")
    topic.fault("trailing bytes", "u8", "05c0", "trailing_bytes", 1, "$")
    topic.fault("an entry before a missing field", POINT, "81a17ac1", "reserved_marker", 3, "$.z")
    topic.fault("a cut entry before a missing field", POINT, "81a17a", "eof", 3, "$.z")
    topic.mismatch("a missing field before what trails", POINT, "80c0", 0, "$", 'missing field "x"')
    return topic
