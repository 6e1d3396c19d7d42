"""The statistics and the schemas that writers make."""

from __future__ import annotations

from typing import Any

from .. import container_stats
from ..container_writer import ContainerWriter, WriterOptions
from ..writer import encode
from .build import (
    Pieces,
    Value,
    binary,
    counter,
    double,
    ext,
    fields,
    integer,
    items,
    join,
    table,
    text,
    timestamp,
)
from .container_bytes import Files, numbers
from .container_written import Written, nested

NAN = {"f64": "7ff8000000000000"}
SINGLE, BELOW = {"f32": "3fc00000"}, {"f32": "bfc00000"}
EMOJI = "\U0001f600"
LAST = "\U0010ffff"


def topics() -> list[Files]:
    return [_statistics(), _strings(), _paths(), _schema()]


def _rows(*values: Value) -> list[Value]:
    """Rows with the values under v; ``...`` for a row without."""
    return [fields() if value is ... else fields(v=value) for value in values]


def _statistics() -> Files:
    topic = Written("written-statistics", "nulls, min and max for values of each type")

    def stats(name: str, *values: Value, nulls: int = 0, low: Value = None, high: Value = None) -> None:
        types = [kind for kind in container_stats.NAMES if any(_is(value, kind) for value in values)]
        nullable = any(value is None or value is ... for value in values)
        schema = {} if all(value is ... for value in values) else {"v": [types, nullable]}
        topic.written(
            name,
            _rows(*values),
            stats={"v": [nulls, low, high]},
            schema=schema,
            stats_of=["v"],
            columns=False,
        )

    stats("integers", *numbers(5, -3, 200), low=integer(-3), high=integer(200))
    stats("one integer", integer(5), low=integer(5), high=integer(5))
    stats(
        "the smallest and the largest integer",
        integer(2**64 - 1),
        integer(-(2**63)),
        low=integer(-(2**63)),
        high=integer(2**64 - 1),
    )
    stats("integers and nil", integer(5), None, integer(3), nulls=1, low=integer(3), high=integer(5))
    stats("integers and missing ones", ..., integer(5), ..., None, nulls=3, low=integer(5), high=integer(5))
    stats("floats", double(0.5), double(-1e300), low=double(-1e300), high=double(0.5))
    stats("floats of 32 bits", SINGLE, double(2.5), BELOW, low=BELOW, high=double(2.5))
    stats(
        "infinities",
        double(float("inf")),
        integer(3),
        double(float("-inf")),
        low=double(float("-inf")),
        high=double(float("inf")),
    )
    stats("integers and floats", integer(3), double(2.5), integer(2), low=integer(2), high=integer(3))
    stats(
        "2^53 + 1 beside a float",
        double(2.0**53),
        integer(2**53 + 1),
        low=double(2.0**53),
        high=integer(2**53 + 1),
    )
    stats(
        "2^53 + 1 before a larger float",
        integer(2**53 + 1),
        double(2.0**53 + 2),
        low=integer(2**53 + 1),
        high=double(2.0**53 + 2),
    )
    stats(
        "2^64 - 1 beside a float of 2^64",
        integer(2**64 - 1),
        double(2.0**64),
        low=integer(2**64 - 1),
        high=double(2.0**64),
    )
    stats("1 before 1.0", integer(1), double(1.0), low=integer(1), high=integer(1))
    stats("1.0 before 1", double(1.0), integer(1), low=double(1.0), high=double(1.0))
    stats("-0.0 before 0.0", double(-0.0), double(0.0), low=double(-0.0), high=double(-0.0))
    stats("0 before -0.0", integer(0), double(-0.0), low=integer(0), high=integer(0))
    stats("-0.0 and half", double(-0.0), double(0.5), low=double(-0.0), high=double(0.5))
    stats("NaN", NAN)
    stats("NaN and integers", integer(1), NAN, None, nulls=1)
    stats("bool", True, False)
    stats("bin", binary(b"a"))
    stats("arrays", items())
    stats("ext", ext(5, b"a"))
    stats("nil", None, None, nulls=2)
    stats("missing", ..., ..., nulls=2)
    stats("an integer and a str", integer(1), text("a"))
    stats("an integer and bool", integer(1), True)
    stats("a str and a timestamp", text("a"), timestamp(1))
    stats(
        "timestamps",
        timestamp(5),
        timestamp(5, 1),
        timestamp(-1, 999_999_999),
        timestamp(2**34),
        low=timestamp(-1, 999_999_999),
        high=timestamp(2**34),
    )
    stats(
        "timestamps of one second",
        timestamp(5, 999_999_999),
        timestamp(5),
        timestamp(5, 4),
        low=timestamp(5),
        high=timestamp(5, 999_999_999),
    )
    stats("strings", text("b"), text(""), text("ab"), low=text(""), high=text("b"))
    stats(
        "strings in the order of their bytes",
        text("\uff5e"),
        text(EMOJI),
        text("\ue000"),
        low=text("\ue000"),
        high=text(EMOJI),
    )
    topic.written(
        "no rows of the second block have the path",
        _rows(integer(1), ...),
        stats={"v": [1, None, None]},
        schema={"v": [["int"], True]},
        blocks=2,
        block_rows=1,
    )
    topic.written("messages have no statistics", _rows(integer(1)), messages=True, stats_of=["v"])
    return topic


def _is(value: Value, kind: str) -> bool:
    return value is not ... and value is not None and container_stats.kind(value) == kind


def _strings() -> Files:
    topic = Written(
        "written-strings", "strings of more than 64 bytes in statistics: min is cut, max is rounded up"
    )

    def cut(name: str, content: str, low: str, high: str | None) -> None:
        stats = {"v": [0, text(low), None if high is None else text(high)]}
        topic.written(name, _rows(text(content)), stats=stats, schema={"v": [["str"], False]}, columns=False)

    a = "a" * 70
    cut("64 bytes", a[:64], a[:64], a[:64])
    cut("65 bytes", a[:65], a[:64], a[:63] + "b")
    cut("64 bytes in 62 characters", a[:61] + "é" + "b", a[:61] + "é" + "b", a[:61] + "é" + "b")
    cut("a character of two bytes at the cut", a[:63] + "éa", a[:63], a[:62] + "b")
    cut("a character of two bytes before the cut", a[:62] + "éa", a[:62] + "é", a[:62] + "ê")
    cut("a character of four bytes, one before the cut", a[:63] + EMOJI, a[:63], a[:62] + "b")
    cut("a character of four bytes, three before the cut", a[:61] + EMOJI, a[:61], a[:60] + "b")
    cut(
        "a character of four bytes before the cut",
        a[:60] + EMOJI + "x",
        a[:60] + EMOJI,
        a[:60] + "\U0001f601",
    )
    cut("U+D7FF becomes U+E000", a[:61] + "\ud7ff" + "x", a[:61] + "\ud7ff", a[:61] + "\ue000")
    cut("U+10FFFF is dropped", a[:60] + LAST + "x", a[:60] + LAST, a[:59] + "b")
    cut("only U+10FFFF", LAST * 17, LAST * 16, None)
    cut("U+10FFFF after another character", "é" + LAST * 16, "é" + LAST * 15, "ê")
    cut("U+007F at the end of 64 bytes", a[:63] + "\x7f" + "x", a[:63] + "\x7f", a[:62] + "b")
    cut("U+007F at the end of 63 bytes", a[:62] + "\x7f" + "éx", a[:62] + "\x7f", a[:62] + "\x80")
    cut("U+07FF at the end of 64 bytes", a[:62] + "\u07ff" + "x", a[:62] + "\u07ff", a[:61] + "b")
    cut("U+FFFF at the end of 64 bytes", a[:61] + "\uffff" + "x", a[:61] + "\uffff", a[:60] + "b")
    cut("U+FFFF at the end of 63 bytes", a[:60] + "\uffff" + "éx", a[:60] + "\uffff", a[:60] + "\U00010000")
    cut("characters U+007F", "\x7f" * 65, "\x7f" * 64, "\x7f" * 62 + "\x80")
    stats = {"v": [0, text(a[:64]), text(a[:63] + "b")]}
    topic.written(
        "strings with the same 64 bytes",
        _rows(text(a[:65]), text(a), text(a[:66])),
        stats=stats,
        schema={"v": [["str"], False]},
        columns=False,
    )
    stats = {"v": [0, text(a[:64]), text("b")]}
    topic.written(
        "a long string and a larger short one",
        _rows(text("b"), text(a)),
        stats=stats,
        schema={"v": [["str"], False]},
        columns=False,
    )
    return topic


def _paths() -> Files:
    topic = Written("written-paths", "the paths whose statistics are kept")
    row = fields(a=fields(b=integer(1), c=items(integer(2), fields(d=integer(3)))), e=integer(4))
    one = [0, integer(4), integer(4)]
    unknown = [1, None, None]
    schema = {
        "a": [["map"], False],
        "a.b": [["int"], False],
        "a.c": [["array"], False],
        "a.c[]": [["int", "map"], False],
        "a.c[].d": [["int"], True],
        "e": [["int"], False],
    }
    topic.written("nested paths", [row], stats_of=["e", "a.c.1.d", "a.b", "a.c.0"], schema=schema, columns=False,
        stats={"e": one, "a.c.1.d": [0, integer(3), integer(3)], "a.b": [0, integer(1), integer(1)], "a.c.0": [0, integer(2), integer(2)]})  # fmt: skip
    missing = ["", "x", "a.x", "a.b.x", "a.c", "a.c.2", "a.c.00", "a.c.-1", "a.c[]", ".", "a.", "a..b", ".a"]
    nothing = dict.fromkeys(missing, unknown) | {"": [0, None, None], "a.c": [0, None, None]}
    topic.written(
        "paths that name nothing or a container",
        [row],
        stats_of=missing,
        schema=schema,
        stats=nothing,
        columns=False,
    )
    topic.written(
        "a path twice",
        [row],
        stats_of=["e", "a.b", "e"],
        schema=schema,
        stats={"e": one, "a.b": [0, integer(1), integer(1)]},
        columns=False,
    )
    topic.written(
        "rows that are numbers, and the empty path",
        numbers(3, 1, 2),
        stats_of=[""],
        stats={"": [0, integer(1), integer(3)]},
    )
    topic.written(
        "rows that are arrays",
        [items(integer(1), text("a")), items(integer(2))],
        stats_of=["0", "1"],
        stats={"0": [0, integer(1), integer(2)], "1": [1, text("a"), text("a")]},
        columns=False,
    )
    topic.written("rows that are arrays, without stats", [items(integer(1), text("a"))])
    first = fields(
        n=None,
        b=True,
        i=integer(1),
        f=double(0.5),
        s=text("s"),
        t=timestamp(1),
        x=binary(b"x"),
        a=items(),
        m=fields(),
        e=ext(5, b"e"),
        u=integer(2**64 - 1),
    )
    names = {"n": [[], True], "b": [["bool"], False], "i": [["int"], False], "f": [["float"], False], "s": [["str"], False], "t": [["timestamp"], False], "x": [["bin"], False],
        "a": [["array"], False], "m": [["map"], False], "e": [["ext"], False], "u": [["uint"], False]}  # fmt: skip
    found = {"n": [1, None, None], "b": [0, None, None], "i": [0, integer(1), integer(1)], "f": [0, double(0.5), double(0.5)], "s": [0, text("s"), text("s")],
        "t": [0, timestamp(1), timestamp(1)], "u": [0, integer(2**64 - 1), integer(2**64 - 1)]}  # fmt: skip
    topic.written("the types that are kept without stats", [first], stats=found, schema=names, columns=False)
    forty = {f"k{i:02}": integer(i) for i in range(40)}
    kept = {path: [0, value, value] for path, value in list(forty.items())[:32]}
    topic.written(
        "the first 32 of 40 keys",
        [fields(**forty)],
        stats=kept,
        schema={path: [["int"], False] for path in forty},
        columns=False,
    )
    odd = table(
        (text(""), integer(1)), (text("a.b"), integer(2)), (integer(3), integer(3)), (text("k"), integer(4))
    )
    topic.written("keys that cannot be named", [odd], stats={"k": one}, columns=False)
    long = {"n" * 256: integer(4), "n" * 257: integer(4)}
    topic.written("keys of 256 and 257 bytes", [fields(**long)], stats={"n" * 256: one}, columns=False)
    topic.written("the first row is the one that counts", [fields(a=integer(1)), fields(b=integer(2), a=integer(3))], stats={"a": [0, integer(1), integer(3)]},
        schema={"a": [["int"], False], "b": [["int"], True]}, columns=False)  # fmt: skip
    topic.written("the first row of the file, not of the block", [fields(a=integer(1)), fields(b=integer(2))], stats={"a": unknown},
        schema={"a": [["int"], True], "b": [["int"], True]}, block_rows=1, blocks=2, columns=False)  # fmt: skip
    topic.written("the first row is an integer", [integer(1), fields(a=integer(1))], columns=False)
    topic.written(
        "the first row is empty",
        [fields(), fields(a=integer(1))],
        schema={"a": [["int"], True]},
        columns=False,
    )
    topic.written("the first row is refused", [nested(1024), fields(b=integer(4))], refused=([0, "depth_limit"],), stats={"b": one},
        schema={"b": [["int"], False]}, columns=False)  # fmt: skip
    return topic


def _schema() -> Files:
    topic = Written("written-schemas", "the schema of the table, and tables that have none")

    def schema(name: str, rows: list[Value], found: dict | None, **more: Any) -> None:
        topic.written(name, rows, schema=found, columns=False, stats_of=[], **more)

    every = [
        True,
        *numbers(1, 2**63 - 1, -(2**63)),
        double(0.5),
        text("s"),
        binary(b"b"),
        timestamp(1),
        items(),
        fields(),
        ext(5, b"e"),
    ]
    schema("every type", _rows(*every, integer(2**63)), {"v": [list(container_stats.NAMES), False]})
    schema(
        "types are in one order", _rows(text("s"), integer(1), True), {"v": [["bool", "int", "str"], False]}
    )
    schema("2^63 - 1", _rows(integer(2**63 - 1)), {"v": [["int"], False]})
    schema("2^63", _rows(integer(2**63)), {"v": [["uint"], False]})
    schema("only nil", _rows(None, None), {"v": [[], True]})
    schema(
        "nil and missing",
        [fields(a=integer(1), b=None), fields(c=integer(2), a=integer(3))],
        {"a": [["int"], False], "b": [[], True], "c": [["int"], True]},
    )
    schema(
        "keys in the order in which they come first",
        [fields(b=integer(1)), fields(a=integer(1), b=integer(2))],
        {"b": [["int"], False], "a": [["int"], True]},
    )
    schema("empty rows", [fields(), fields()], {})
    nested = [
        fields(m=fields(x=integer(1)), z=integer(1)),
        fields(m=fields(y=text("a"), x=None), z=integer(2)),
        fields(z=integer(3)),
    ]
    schema(
        "maps",
        nested,
        {"m": [["map"], True], "m.x": [["int"], True], "m.y": [["str"], True], "z": [["int"], False]},
    )
    arrays = [
        fields(t=items(integer(1), None), n=integer(1)),
        fields(t=items(), n=integer(2)),
        fields(t=items(text("a")), n=integer(3)),
    ]
    schema("arrays", arrays, {"t": [["array"], False], "t[]": [["int", "str"], True], "n": [["int"], False]})
    schema("empty arrays", _rows(items(), items()), {"v": [["array"], False]})
    rows = [
        fields(t=items(fields(x=integer(1), y=integer(2)), fields(x=integer(3)))),
        fields(),
        fields(t=items(fields(x=integer(4)))),
    ]
    schema(
        "arrays of maps",
        rows,
        {
            "t": [["array"], True],
            "t[]": [["map"], False],
            "t[].x": [["int"], False],
            "t[].y": [["int"], True],
        },
    )
    rows = _rows(items(items(integer(1)), items()), items(items(fields(a=items(integer(2))))))
    schema(
        "arrays of arrays",
        rows,
        {
            "v": [["array"], False],
            "v[]": [["array"], False],
            "v[][]": [["int", "map"], False],
            "v[][].a": [["array"], True],
            "v[][].a[]": [["int"], False],
        },
    )
    rows = _rows(fields(a=integer(1)), items(integer(2)), integer(3))
    schema(
        "a map, an array and an integer",
        rows,
        {"v": [["int", "array", "map"], False], "v[]": [["int"], False], "v.a": [["int"], True]},
    )
    schema(
        "two blocks",
        [fields(a=integer(1)), fields(b=integer(1))],
        {"a": [["int"], True], "b": [["int"], True]},
        block_rows=1,
        blocks=2,
    )
    schema("a row that is an integer", [fields(a=integer(1)), integer(1)], None)
    schema("a row that is nil", [fields(a=integer(1)), None], None)
    schema("a row that is an array", [items(integer(1))], None)
    for name, key in (
        ("an empty key", text("")),
        ("a key with a dot", text("a.b")),
        ("a key with []", text("a[]b")),
        ("a key that is an integer", integer(1)),
    ):
        schema(name, [fields(a=integer(1)), table((key, integer(1)))], None)
        schema(f"{name}, within an array", _rows(items(table((key, integer(1))))), None)
    schema(
        "keys with [ and ]",
        [fields(**{"[": integer(1), "]": integer(2), "][": integer(3)})],
        {"[": [["int"], False], "]": [["int"], False], "][": [["int"], False]},
    )
    long = "n" * 127
    schema(
        "a path of 256 bytes",
        [fields(**{"m": fields(**{long * 2: integer(1)})})],
        {"m": [["map"], False], f"m.{long}{long}": [["int"], False]},
    )
    schema("a path of 257 bytes", [fields(**{"mm": fields(**{long * 2: integer(1)})})], None)
    schema("messages have no schema", [fields(a=integer(1))], None, messages=True)
    for count, schemas in ((1000, True), (1001, False)):
        _many_paths(topic, count, has_schema=schemas)
    return topic


def _many_paths(topic: Files, count: int, *, has_schema: bool) -> None:
    """A row with many keys, abbreviated in the bytes and in the rows."""
    row = {"map": [[text(f"{i:04}"), integer(7)] for i in range(count)]}
    writer = ContainerWriter(WriterOptions(columns=False, stats=[]))
    writer.write(row)
    data = writer.finish().hex()
    plain = encode(row)
    short = join(plain[:3], counter(count, 4, "a4", "07"))
    before, after = data.split(plain.hex())
    if has_schema:
        paths = counter(count, 4, "a4", "9291a3696e74c2")
        start = after.index("a430303030")
        rest = after[start + 2 * count * 12 :]
        after = join(after[:start], paths, rest)
    whole: Pieces = join(before, short, after)
    write = {"options": {"columns": False, "stats": []}, "rows": short}
    topic.add(f"{count} paths", whole, write=write, reads=[])
