"""Predicates: which rows meet a condition, and which blocks are skipped."""

from __future__ import annotations

from ..writer import encode
from .build import (
    Value,
    array,
    binary,
    double,
    ext,
    ext_bytes,
    f64,
    fields,
    fixstr,
    i8,
    integer,
    items,
    mapping,
    table,
    text,
    text_bytes,
    timestamp,
    timestamp32,
)
from .container_bytes import NIL, File, Files

NAN = {"f64": "7ff8000000000000"}
COMPARISONS = ("==", "!=", "<", "<=", ">", ">=")


def topics() -> list[Files]:
    return [_rows(), _paths(), _skipped()]


def _rows() -> Files:
    topic = Files("predicates", "the rows that meet each operator with constants of each type")
    values = [
        integer(-5), integer(0), integer(7), integer(2**53), integer(2**53 + 1), integer(2**64 - 1), integer(-(2**63)),
        double(-5.5), double(0.5), double(-0.0), double(2.0**64), double(float("inf")), double(float("-inf")), NAN,
        text(""), text("a"), text("b"), text("bb"), text("é"), text("\uff5e"), text("\U0001f600"), True, False, None,
        binary(b"a"), binary(b""), timestamp(0), timestamp(0, 1), timestamp(-1, 999_999_999), timestamp(2**40),
        items(), items(integer(1), text("x")), fields(), fields(x=integer(1), y=None), ext(5, b"a"), ext(6, b"a"),
    ]  # fmt: skip
    rows = [*(fields(v=value) for value in values), fields(w=integer(1)), integer(7)]
    file = File()
    for start in range(0, len(rows), 10):
        file.rows(*map(encode, rows[start : start + 10]))
    file.index()
    constants = [
        integer(0), integer(7), integer(2**53), integer(2**53 + 1), integer(2**64 - 1), integer(-(2**63)), double(-5.5),
        double(0.25), double(2.0**53 + 2), double(2.0**64), double(float("inf")), NAN, text("a"), text("\uff5e"), text("b\0"), True,
        None, binary(b"a"), timestamp(0), timestamp(0, 2), items(integer(1), text("x")), table((text("y"), None), (text("x"), integer(1))),
        ext(5, b"a"),
    ]  # fmt: skip
    reads = [{"where": [["v", op, constant]], "take": ...} for constant in constants for op in COMPARISONS]
    reads += [{"where": [["v", op, None]], "take": ...} for op in ("is_null", "is_not_null")]
    some = (
        items(),
        items(integer(7), text("a"), NAN, None),
        items(double(0.5), True, binary(b"a")),
        items(items(), fields()),
    )
    reads += [{"where": [["v", "in", constant]], "take": ...} for constant in some]
    by_index = [{"index": True, **read} for read in reads if read["where"][0][1] in ("==", "in", "is_null")]
    topic.file("all operators and types", file, rows, *reads, *by_index, derived=False)

    rows = [fields(a=integer(i), b=text("xy"[i % 2])) for i in range(6)]
    file = File().rows(*map(encode, rows[:3])).rows(*map(encode, rows[3:])).index()
    some = [
        ([["a", ">", integer(1)], ["b", "==", text("x")]], [2, 4]), ([["a", ">", integer(1)], ["a", "<", integer(4)]], [2, 3]),
        ([["a", ">", integer(4)], ["a", "<", integer(4)]], []), ([], [0, 1, 2, 3, 4, 5]), ([["a", "<", integer(9)], ["c", "is_null", None]], [0, 1, 2, 3, 4, 5]),
    ]  # fmt: skip
    reads = [{"where": where, "take": take} for where, take in some]
    topic.file(
        "several conditions", file, rows, *reads, *({"index": True, **read} for read in reads), derived=False
    )
    rows = [integer(5), fields(a=integer(5)), text("x"), fields(a=integer(6))]
    file = File().messages(*map(encode, rows[:2])).messages(*map(encode, rows[2:])).index()
    reads = [
        {"where": [["a", "==", integer(5)]], "take": [1]},
        {"where": [["", "==", integer(5)]], "take": [0]},
    ]
    topic.file(
        "messages are compared as rows are",
        file,
        rows,
        *reads,
        *({"index": True, **read} for read in reads),
        derived=False,
    )
    return topic


def _paths() -> Files:
    topic = Files("paths", "the values that paths name")
    inner = fields(b=integer(1), c=items(integer(2), fields(d=integer(3))))
    odd = table(
        (text(""), integer(8)), (text("a.b"), integer(9)), (text("0"), integer(10)), (integer(1), integer(11))
    )
    rows: list[Value] = [
        fields(a=inner), fields(a=items(integer(1), integer(2))), items(integer(1), fields(a=integer(4)), *[integer(5)] * 10),
        odd, integer(1), None, text("a"), table((integer(0), integer(1))), fields(a=fields()), {"map": [[text("00"), integer(12)]]},
        ext(5, b"a"), fields(**{"é": fields(**{"x y": integer(13)})}),
    ]  # fmt: skip
    paths = {
        "": 5, "a": 0, "a.b": 0, "a.c.0": 0, "a.c.1.d": 0, "a.c.2": 0, "a.0": 0, "a.00": 0, "0": 0, "1": 0, "1.a": 0, "01": 0, "11": 0,
        "12": 0, "00": 0, "+1": 0, "-1": 0, " 1": 0, "1.0": 0, "99999999999999999999": 0, ".": 0, "a.": 0, ".a": 0, "a..b": 0, "é.x y": 0, "b": 0,
        "4294967296": 0, "18446744073709551616": 0,
    }  # fmt: skip
    reads = [{"where": [[path, "is_not_null", None]], "take": ...} for path in paths]
    reads.append({"where": [["", "==", integer(1)]], "take": [4]})
    file = File().rows(*map(encode, rows)).index()
    topic.file("paths of rows", file, rows, *reads, {"index": True}, derived=False)
    return topic


def _skipped() -> Files:
    topic = Files(
        "skipping", "the blocks that statistics skip; what is said about the rows of a block need not be true"
    )
    lowest, highest = timestamp32(100), timestamp32(200)
    stats = {
        "no statistics": NIL,
        "another path": mapping(text_bytes("w"), array(b"\0", b"\5", b"\x09")),
        "no bounds": _entry(b"\0", NIL, NIL),
        "nulls only": _entry(b"\2", NIL, NIL),
        "nulls only, and bounds": _entry(b"\2", b"\5", b"\x09"),
        "one null": _entry(b"\1", b"\5", b"\x09"),
        "5 to 9": _entry(b"\0", b"\5", b"\x09"),
        "7": _entry(b"\0", b"\7", b"\7"),
        "7 as a float": _entry(b"\0", f64(7.0), f64(7.0)),
        "-1.5 to 2^64 - 1": _entry(b"\0", f64(-1.5), encode(integer(2**64 - 1))),
        "2^53 to 2^53 + 1": _entry(b"\0", encode(integer(2**53)), encode(integer(2**53 + 1))),
        "from 5": _entry(b"\0", b"\5", NIL),
        "to 9": _entry(b"\0", NIL, b"\x09"),
        "b to d": _entry(b"\0", fixstr("b"), fixstr("d")),
        "from b": _entry(b"\0", fixstr("b"), NIL),
        "c": _entry(b"\0", fixstr("c"), fixstr("c")),
        "100 s to 200 s": _entry(b"\0", lowest, highest),
        "-inf to inf": _entry(b"\0", f64(float("-inf")), f64(float("inf"))),
        "bool": _entry(b"\0", b"\xc2", b"\xc3"),
        "NaN": _entry(b"\0", f64(float("nan")), f64(float("nan"))),
        "two types": _entry(b"\0", b"\5", fixstr("x")),
        "nulls below 0": _entry(i8(-1), b"\5", b"\x09"),
        "nulls as a float": _entry(f64(0.0), b"\5", b"\x09"),
        "more nulls than rows": _entry(b"\3", b"\5", b"\x09"),
        "two elements": mapping(text_bytes("v"), array(b"\0", b"\5")),
        "four elements": mapping(text_bytes("v"), array(b"\0", b"\5", b"\x09", NIL)),
        "nil": mapping(text_bytes("v"), NIL),
        "a bad timestamp's type": _entry(b"\0", ext_bytes(5, b"\1"), ext_bytes(5, b"\1")),
        "two entries": mapping(
            text_bytes("v"), array(b"\0", b"\1", b"\1"), text_bytes("v"), array(b"\0", b"\5", b"\x09")
        ),
        "largest below smallest": _entry(b"\0", b"\x09", b"\5"),
    }
    file = File()
    rows = []
    for number, content in enumerate(stats.values()):
        rows += [integer(2 * number), integer(2 * number + 1)]
        file.rows(*map(encode, rows[-2:]), stats=content)
    constants = [
        integer(4), integer(5), integer(7), integer(9), integer(10), double(7.5), integer(2**53), integer(2**53 + 1), double(2.0**53), NAN,
        text("a"), text("b"), text("c"), text("d"), text("dd"), timestamp(99), timestamp(100), timestamp(200, 1), True, None, items(integer(7)),
    ]  # fmt: skip
    wheres = [[["v", op, constant]] for constant in constants for op in COMPARISONS]
    wheres += [[["v", op, None]] for op in ("is_null", "is_not_null")]
    some = (
        items(integer(4), integer(10)),
        items(integer(4), integer(7)),
        items(text("a"), text("c")),
        items(None, NAN),
    )
    wheres += [[["v", "in", constant]] for constant in some]
    wheres += [
        [["v", ">=", integer(6)], ["v", "<", integer(20)]], [["v", ">", integer(9)], ["w", "==", integer(7)]], [["w", "==", integer(4)]],
        [["", "==", integer(0)]], [],
    ]  # fmt: skip
    reads = [{"index": True, "prune": where, "take": ...} for where in wheres]
    topic.file("blocks of each kind of statistics", file.index(), rows, *reads, derived=False)
    return topic


def _entry(nulls: bytes, low: bytes, high: bytes) -> bytes:
    return mapping(text_bytes("v"), array(nulls, low, high))
