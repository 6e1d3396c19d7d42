"""``defaults/``: what is written of native values without options, with the cases of ``defaults_*``."""

from __future__ import annotations

import json
from typing import Any

from ..native_writer import NativeWriter
from ..natives import CLOJURE, JAVA, LANGUAGES, PYTHON, SERDE, languages_of
from ..options import Fault
from . import defaults_read, defaults_rich
from .build import (
    Topic,
    binary,
    double,
    ext,
    fields,
    integer,
    items,
    join,
    native,
    repeat,
    table,
    text,
    timestamp,
)
from .defaults_rich import EXCEPTION, JAVA_TIME, REGEXP

KIND = "defaults"
Native = Any


def written(native: Native, language: str, options: dict) -> dict:
    """The bytes, or the error with the option that packs the value."""
    try:
        return {"bytes": NativeWriter(language, options).message(native).hex()}
    except Fault as fault:
        if fault.kind == "cycle":
            # A language that finds no cycles comes to the limit, at a long path.
            return {"error": {"kind": "cycle", "or": "depth_limit"}}
        option = {"option": fault.detail} if fault.detail else {}
        return {"error": {"kind": fault.kind, "path": fault.path, **option}}


class Writing(Topic):
    """A topic of values that are written."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def writes(
        self, name: str, value: Native, /, pieces: Any = None, without: tuple = (), **options: Any
    ) -> None:
        """A case for each result that the languages with such a value have."""
        languages = [language for language in languages_of(value) if language not in without]
        groups: dict[str, list[str]] = {}
        for language in languages:
            groups.setdefault(json.dumps(written(value, language, options)), []).append(language)
        for result, group in groups.items():
            members = json.loads(result)
            if pieces is not None:
                members["bytes"] = join(pieces)
            only = {"languages": group} if group != list(LANGUAGES) else {}
            alone = len(groups) == 1
            verb = "write with options" if options else "write"
            case = {"name": f"{verb}: {name}" + ("" if alone else f", in {', '.join(group)}")}
            self._case(case, {"options": options, **only, "write": value, **members})

    def rich(self, name: str, value: Native, writers: list[str], readers: list[str]) -> None:
        """The writers write the value as an ext, which the readers read as it was; the others keep it."""
        data = NativeWriter(writers[0], {"rich": True}).message(value).hex()
        only = {"languages": writers} if writers != list(LANGUAGES) else {}
        members = {**only, "write": value, "bytes": data, "readers": readers}
        self._case({"name": f"rich: {name}"}, {"options": {"rich": True}, **members})

    def read_as(self, name: str, data: str, value: Native, readers: list[str]) -> None:
        """With ``rich`` the readers read the bytes as the value, which is written as other bytes."""
        members = {"languages": readers, "bytes": join(data), "readers": readers, "read": value}
        self._case({"name": f"rich: {name}"}, {"options": {"rich": True}, **members})

    def each(self, *cases: tuple[str, Native]) -> None:
        for name, value in cases:
            self.writes(name, value)


def topics() -> list[Topic]:
    writing = [
        _plain(),
        _numbers(),
        _text(),
        _times(),
        _containers(),
        _keys(),
        _objects(),
        _arrays(),
        _refused(),
    ]
    return [*writing, _options(), *defaults_read.topics(), *defaults_rich.topics(Writing)]


def _plain() -> Topic:
    topic = Writing("write-plain", "values that MessagePack has: the smallest form")
    topic.each(("nil", None), ("true", True), ("false", False))
    for number in (0, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**53, 2**64 - 1, -1, -32, -33, -128, -129,
                   -32769, -(2**31) - 1, -(2**63)):  # fmt: skip
        topic.writes(f"integer {number}", integer(number))
    for number in (0.1, 1.0, -0.0, 1e300, float("inf"), float("-inf"), 2.0**53):
        topic.writes(f"float {number}", double(number))
    topic.writes("NaN", {"f64": "7ff8000000000000"})
    topic.each(
        ("empty str", text("")), ("str", text("é€😀\0")), ("str of 32 bytes", text("a" * 32)),
        ("empty bin", binary(b"")), ("bin", binary(b"\0\xff")), ("empty array", items()), ("empty map", fields()),
        ("array", items(integer(1), text("a"), None, items(True))),
        ("map", fields(b=integer(1), a=fields(c=items()))),
        ("ext", ext(5, b"\1")), ("empty ext", ext(-128, b"")), ("ext of a type of packord", ext(84, b"\2\0\x96")),
        ("timestamp", timestamp(1, 1)), ("timestamp before 1970", timestamp(-1, 999_999_999)),
    )  # fmt: skip
    deepest: Native = {"nest": {"array": 1023, "inner": items()}}
    topic.writes("1024 arrays", deepest, pieces=[repeat("91", 1023), "90"])
    return topic


def _numbers() -> Topic:
    topic = Writing("write-numbers", "types of numbers: bigints, integers and floats of one size, decimals")
    for number in (0, 5, -1, 127, 128, 2**32, -(2**31), 2**53, 2**63, 2**64 - 1, -(2**63)):
        topic.writes(f"bigint {number}", native("bigint", value=str(number)))
    for number in (2**64, -(2**63) - 1, 10**30, 2**200):
        topic.writes(f"bigint {number}, out of range", native("bigint", value=str(number)))
    topic.writes("bigint out of range in a map", fields(a=items(None, native("bigint", value=str(2**64)))))
    for kind, number in (("i8", -1), ("i16", 300), ("i32", 5), ("i64", -(2**63)), ("u8", 255), ("u16", 1), ("u32", 2**32 - 1),
                         ("u64", 2**64 - 1)):  # fmt: skip
        topic.writes(f"{number} as {kind}", native("sized_int", type=kind, value=str(number)))
    for name, bits in (("1.5", "3fc00000"), ("1.0", "3f800000"), ("0.1", "3dcccccd"), ("-0.0", "80000000"),
                       ("inf", "7f800000"), ("NaN", "7fc00000")):  # fmt: skip
        topic.writes(f"float 32 {name}", native("float32", bits=bits))
    topic.writes("float 16 1.5", native("float16", bits="3fc00000"))
    topic.writes("a float 32 beside a float 64", items(native("float32", bits="3dcccccd"), double(0.1)))
    for digits in ("1.50", "0", "-0.1", "123456789012345678901234567890.5", "1E+3", "1E-7", "0.000001", "0E-10", "-0",
                   "NaN", "Infinity", "-Infinity"):  # fmt: skip
        topic.writes(f"decimal {digits}", native("decimal", text=digits))
    topic.writes("integer object", native("primitive_object", value=integer(5)))
    topic.writes("string object", native("primitive_object", value=text("a")))
    topic.writes("boolean object", native("primitive_object", value=False))
    for name, value in (
        ("int", integer(5)),
        ("str", text("a")),
        ("list", items(integer(1))),
        ("dict", fields(a=None)),
    ):
        topic.writes(f"subclass of {name}", native("subclass", value=value))
    return topic


def _text() -> Topic:
    topic = Writing(
        "write-text", "what is text: characters, keywords, symbols, enums, uuids, addresses; lone surrogates"
    )
    for letter in ("a", "é", "€", "😀", "\0"):
        topic.writes(f"character U+{ord(letter):04X}", native("character", text=letter))
    for name in ("a", "a/b", "é"):
        topic.writes(f"keyword {name}", native("keyword", text=name))
        topic.writes(f"symbol {name}", native("symbol", text=name))
    topic.writes("keywords in a vector", items(native("keyword", text="a"), native("symbol", text="b")))
    topic.writes("enum", native("enum", name="RED", value=integer(1)))
    topic.writes("enum of text", native("enum", name="GREEN", value=text("g")))
    topic.writes("enum in a map", fields(color=native("enum", name="RED", value=integer(1))))
    topic.writes("enum of a tuple", native("enum", name="BLUE", value=items(integer(0), integer(255))))
    uuid = native("uuid", text="f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
    topic.writes("uuid", uuid)
    topic.writes("uuid nil", native("uuid", text="00000000-0000-0000-0000-000000000000"))
    topic.writes("uuids", items(uuid, uuid))
    topic.writes("uri", native("uri", text="https://example.org/a?b=c"))
    topic.writes("uri of mail", native("uri", text="mailto:a@example.org"))
    topic.writes("path", native("path", text="/a/é"))
    topic.writes("relative path", native("path", text="a/b"))
    topic.writes("locale", native("locale", text="de-CH"))
    topic.writes("currency", native("currency", text="CHF"))
    for address in ("127.0.0.1", "2001:db8::1", "::"):
        topic.writes(f"IP address {address}", native("ip", text=address))
    topic.writes("well-formed surrogates", native("utf16", units=[0xD83D, 0xDE00]))
    for name, units in (("lone", [0x61, 0xD800]), ("low", [0xDC00]), ("reversed", [0xDE00, 0xD83D, 0x61])):
        topic.writes(f"{name} surrogate", native("utf16", units=units))
    lone = native("utf16", units=[0xDFFF])
    topic.writes("lone surrogate in a map", table((text("a"), items(None, lone))))
    topic.writes("lone surrogate in a key", table((text("a"), table((lone, None)))))
    return topic


def _times() -> Topic:
    topic = Writing("write-times", "points in time as timestamps; dates, times of day and durations as text")
    midnight = [0, 0, 0, 0]
    for name, date, time in (
        ("1970", [1970, 1, 1], midnight), ("seconds", [2026, 1, 2], [3, 4, 5, 0]), ("1969", [1969, 12, 31], [23, 59, 59, 0]),
        ("milliseconds", [2026, 1, 2], [3, 4, 5, 500_000_000]), ("microseconds", [2026, 1, 2], [3, 4, 5, 999_999_000]),
        ("nanoseconds", [2026, 1, 2], [3, 4, 5, 1]), ("before 1970 with a fraction", [1969, 12, 31], [23, 59, 59, 500_000_000]),
        ("after 2106", [2200, 1, 1], midnight), ("after 2514", [2600, 1, 1], midnight), ("year 1", [1, 1, 1], midnight),
        ("year 9999", [9999, 12, 31], [23, 59, 59, 999_000_000]), ("year 10000", [10000, 1, 1], midnight),
    ):  # fmt: skip
        topic.writes(f"time, {name}", native("time", date=date, time=time, offset=0))
    for offset in (3600, -12600):
        value = native("time", date=[2026, 1, 2], time=[3, 4, 5, 0], offset=offset)
        topic.writes(f"time with the offset {offset}", value)
    topic.writes(
        "times in a map", fields(at=items(native("time", date=[2026, 1, 2], time=midnight, offset=0)))
    )
    topic.writes("invalid Date", native("invalid_date"))
    topic.writes("invalid Date in an array", items(None, native("invalid_date")))
    fractions = (0, 500_000_000, 120_000, 123_456_789, 1)
    for nanoseconds in fractions:
        value = native("date_time", date=[2026, 1, 2], time=[3, 4, 5, nanoseconds])
        topic.writes(f"date and time, {nanoseconds} ns", value)
    for time in (midnight, [3, 4, 0, 0], [23, 59, 59, 999_999_000], [3, 4, 5, 1]):
        topic.writes(f"time of day {time}", native("time_of_day", time=time))
    for offset in (0, 3600, -12600):
        value = native("time_of_day", time=[3, 4, 5, 0], offset=offset)
        topic.writes(f"time of day with the offset {offset}", value)
    for date in (
        [1970, 1, 1],
        [2026, 1, 2],
        [2000, 2, 29],
        [1, 1, 1],
        [9999, 12, 31],
        [0, 1, 1],
        [-1, 12, 31],
        [10000, 1, 1],
    ):
        topic.writes(f"date {date}", native("date", date=date))
    for seconds, nanoseconds in ((0, 0), (5, 0), (60, 0), (5400, 0), (90_061, 500_000_000), (1, 120_000), (1, 1),
                                 (-90, 0), (-1, 500_000_000), (3600, 1_000_000)):  # fmt: skip
        value = native("duration", seconds=str(seconds), nanoseconds=nanoseconds)
        topic.writes(f"duration of {seconds} s and {nanoseconds} ns", value)
    topic.writes("duration as serde has it", native("std_duration", seconds="90", nanoseconds=500_000_000))
    for kind, (content, parts) in JAVA_TIME.items():
        topic.writes(f"java.time: {kind}", native("calendar", type=kind, text=content, fields=parts))
    return topic


def _containers() -> Topic:
    topic = Writing("write-containers", "sets, tuples, sequences: arrays; kinds of bytes: bin")
    one, two = integer(1), integer(2)
    for name, of in (
        ("empty", []),
        ("of one", [one]),
        ("of text", [text("a")]),
        ("of a set", [native("set", of=[one])]),
    ):
        topic.writes(f"set {name}", native("set", of=of))
        if name != "of a set":
            topic.writes(f"tuple {name}", native("tuple", of=of))
    topic.writes("tuple of tuples", native("tuple", of=[native("tuple", of=[one]), two]))
    topic.writes("sets in a map", fields(a=native("set", of=[None])))
    for kind in ("iterator", "queue", "linked_list", "view", "stream"):
        topic.writes(f"{kind}", native("sequence", type=kind, of=[text("a"), text("b")]))
        topic.writes(f"empty {kind}", native("sequence", type=kind, of=[]))
    topic.writes("range", native("sequence", type="range", of=[integer(0), one, two]))
    for kind in (
        "bytearray",
        "memoryview",
        "ArrayBuffer",
        "DataView",
        "Uint8ClampedArray",
        "ByteBuffer",
        "Vec",
    ):
        topic.writes(f"bytes: {kind}", native("bytes", type=kind, hex="00ff"))
    return topic


def _keys() -> Topic:
    topic = Writing("write-keys", "keys of any kind, in their order")
    one = integer(1)
    for name, key in (
        ("integer", integer(1)), ("negative", integer(-1)), ("large integer", integer(2**53)), ("float", double(0.5)),
        ("whole float", double(1.0)), ("nil", None), ("boolean", True), ("bin", binary(b"\1")), ("empty str", text("")),
        ("array", items(one, text("a"))), ("ext", ext(5, b"\1")), ("timestamp", timestamp(5, 1)), ("map", fields(a=None)),
    ):  # fmt: skip
        topic.writes(f"key: {name}", table((key, one)))
    topic.writes("keys of several kinds", table((integer(2), None), (text("a"), None), (integer(1), None)))
    topic.writes("keys that are not sorted", table((text("b"), None), (text("a"), None)))
    topic.writes("maps of both kinds", fields(a=table((integer(1), fields(b=None)))))
    for name, key in (
        ("keyword", native("keyword", text="a/b")), ("symbol", native("symbol", text="a")),
        ("character", native("character", text="a")), ("uuid", native("uuid", text="f81d4fae-7dec-11d0-a765-00a0c91e6bf6")),
        ("decimal", native("decimal", text="1.50")), ("enum", native("enum", name="RED", value=one)),
        ("date", native("date", date=[2026, 1, 2])), ("time", native("time", date=[2026, 1, 2], time=[0, 0, 0, 0], offset=0)),
        ("tuple", native("tuple", of=[one, text("a")])), ("bigint", native("bigint", value="5")),
        ("undefined", native("undefined")),
    ):  # fmt: skip
        map_of = native("entries", of=[[key, one]]) if name == "undefined" else table((key, one))
        topic.writes(f"key: {name}", map_of)
    return topic


def _objects() -> Topic:
    topic = Writing("write-objects", "structs, objects and optionals: maps by the names of fields, and nil")
    one, undefined = integer(1), native("undefined")
    point = native("struct", name="Point", fields=[["x", one], ["y", double(0.5)]])
    topic.each(
        ("struct", point),
        ("struct in an array", items(point, None)),
        ("struct without fields", native("struct", name="Empty", fields=[])),
        ("struct with nil", native("struct", name="Point", fields=[["x", None], ["y", one]])),
        ("struct in a struct", native("struct", name="Line", fields=[["start", point], ["end", point]])),
        ("unit struct", native("unit_struct", name="Unit")),
        ("variant with a value", native("variant", name="Circle", value=double(1.5))),
        ("optional with a value", native("optional", value=one)), ("optional without one", native("optional")),
        ("optional in a struct", native("struct", name="Single", fields=[["x", native("optional")]])),
        ("optional of a set", native("optional", value=native("set", of=[one]))),
        ("Map with str keys", native("entries", of=[[text("b"), one], [text("a"), None]])),
        ("empty Map", native("entries", of=[])),
        ("undefined", undefined), ("undefined in an array", items(undefined, one)),
        ("undefined property", fields(a=undefined, b=one)), ("undefined properties alone", fields(a=undefined)),
        ("undefined property of an instance", native("struct", name="Point", fields=[["x", undefined], ["y", one]])),
        ("undefined in a Map", native("entries", of=[[text("a"), undefined]])),
        ("undefined in a set", native("set", of=[undefined])),
        ("hole in an array", items(native("hole"), one)),
        ("object without a prototype", native("object", form="no_prototype", fields=[["a", one]])),
        ("object with a key that is a symbol", native("object", form="symbol_key", fields=[["a", one]])),
        ("object with an inherited property", native("object", form="inherited", fields=[["a", one]])),
        ("object with a hidden property", native("object", form="not_enumerable", fields=[["a", one]])),
        ("object with __proto__ as its own key", native("object", form="plain", fields=[["__proto__", one]])),
        ("instance with toJSON", native("to_json", value=fields(a=one))),
        ("instance with toJSON that returns text", native("to_json", value=text("a"))),
    )  # fmt: skip
    return topic


def _arrays() -> Topic:
    topic = Writing("write-arrays", "arrays of numbers of one type: arrays of these numbers")
    for kind, numbers in (
        ("i8", (-1, 127)), ("i16", (300, -5)), ("i32", (5, 70_000)), ("i64", (-(2**63), 1)), ("u8", (0, 255)), ("u16", (1, 65535)),
        ("u32", (2**32 - 1,)), ("u64", (2**64 - 1, 0)),
    ):  # fmt: skip
        topic.writes(
            f"array of {kind}", native("numbers", type=kind, of=[integer(number) for number in numbers])
        )
    singles = [{"f32": "3f800000"}, {"f32": "3dcccccd"}]
    # The type of the elements is known, so that JavaScript writes 1 as a float here.
    topic.writes("array of f32", native("numbers", type="f32", of=singles))
    topic.writes("array of f64", native("numbers", type="f64", of=[double(1.0), double(0.1)]))
    topic.writes("array of bool", native("numbers", type="bool", of=[True, False]))
    topic.writes("empty array of f64", native("numbers", type="f64", of=[]))
    topic.writes("array of f32 in a map", fields(a=native("numbers", type="f32", of=singles[:1])))
    grid = [integer(number) for number in range(6)]
    topic.writes("2 × 3 array of i32", native("numbers", type="i32", shape=[2, 3], of=grid))
    topic.writes(
        "1 × 2 × 1 array of f64",
        native("numbers", type="f64", shape=[1, 2, 1], of=[double(0.5), double(1.5)]),
    )
    return topic


def _refused() -> Topic:
    topic = Writing(
        "write-refused", "what has no encoding: unsupported_type with its path, cycles, too much depth"
    )
    refused = (
        ("fraction", native("fraction", numerator="1", denominator="3")), ("complex", native("complex", real="1", imaginary="2")),
        ("function", native("function")), ("unique symbol", native("unique_symbol")),
        ("exception", EXCEPTION), ("regexp", REGEXP),
        ("weak reference", native("weak")), ("promise", native("promise")),
        ("reference", native("reference")), ("object of an unknown type", native("opaque")),
    )  # fmt: skip
    for name, value in refused:
        topic.writes(name, value)
        topic.writes(f"{name} in a map", fields(a=items(None, value)))
    function = native("function")
    for name, value in (
        ("a name that does not look like an identifier", fields(**{"a b": function})), ("an integer key", table((integer(5), function))),
        ("a float key", table((double(0.5), items(function)))), ("a key that is an array", table((items(integer(1)), function))),
        ("a set", native("set", of=[function])), ("a struct", native("struct", name="Single", fields=[["x", function]])),
        ("a long path", fields(**{"é" * 200: function})),
    ):  # fmt: skip
        topic.writes(f"function in {name}", value)
    topic.writes("unique symbol in a set", native("set", of=[native("unique_symbol")]))
    topic.writes(
        "fraction as a key", fields(a=table((native("fraction", numerator="1", denominator="2"), None)))
    )
    for through in ("array", "map"):
        topic.writes(
            f"cycle through {'an array' if through == 'array' else 'a map'}", native("cycle", through=through)
        )
    topic.writes("1025 arrays", {"nest": {"array": 1024, "inner": items()}})
    topic.writes("1024 arrays and a map", {"nest": {"array": 1024, "inner": fields(a=None)}})
    topic.writes("an invalid Date before a function", items(native("invalid_date"), function))
    return topic


def _options() -> Topic:
    topic = Writing("write-options", "options that change what is written of native values")
    lone = native("utf16", units=[0xD800])
    topic.writes("lone surrogate, utf8 error", fields(a=lone), without=(PYTHON, CLOJURE, JAVA), utf8="error")
    topic.writes("lone surrogate, canonical", items(lone), canonical=True)
    for number in (2**64, -(2**63) - 1, 5):
        topic.writes(f"bigint {number}, bigint", native("bigint", value=str(number)), bigint=True)
    # serde does not tell a set from a list.
    for name, of in (
        ("integers", [integer(2), integer(1), integer(-1)]),
        ("text", [text("b"), text("aa"), text("a")]),
    ):
        topic.writes(f"set of {name}, canonical", native("set", of=of), without=(SERDE,), canonical=True)
    topic.writes("array of f64, canonical", native("numbers", type="f64", of=[double(1.0)]), canonical=True)
    topic.writes("float 32, canonical", native("float32", bits="3fc00000"), canonical=True)
    topic.writes(
        "sorted keys", table((text("b"), None), (integer(1), None), (text("a"), None)), sort_keys=True
    )
    topic.writes("entries without nil", fields(a=None, b=integer(1), c=items(None)), skip_nil=True)
    point = native("struct", name="Point", fields=[["x", None], ["y", integer(1)]])
    topic.writes("fields without nil", point, skip_nil=True)
    topic.writes("date, bigint", items(native("date", date=[2026, 1, 2])), bigint=True)
    return topic
