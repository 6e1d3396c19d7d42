"""``columns/written.json``: the entries that a writer makes of a column, on each side of every threshold.

Each case has a table with the column; ``columns_tables.py`` makes it.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from itertools import chain, combinations, islice

from generator.build import (
    NIL,
    Value,
    binary,
    double,
    ext,
    fields,
    integer,
    items,
    single,
    table,
    text,
    timestamp,
)
from generator.columns_tables import Written, cycle, doubles, numbers, scatter, texts, words

INFINITY, NAN = float("inf"), {"f64": "7ff8000000000000"}


def topic() -> Written:
    found = Written("written", "plain bytes, and what a writer with columns on makes of a column in them")
    for add in (_steps, _unions, _dictionaries, _integers, _floats, _bytes, _exts, _containers, _views):
        add(found)
    return found


def above(number: float, ulps: int) -> float:
    """The float whose bits are ``ulps`` more."""
    (bits,) = struct.unpack(">q", struct.pack(">d", number))
    return struct.unpack(">d", struct.pack(">q", bits + ulps))[0]


def _steps(topic: Written) -> None:
    topic.column("size 23", numbers(scatter(23, 100)), "00 17")
    topic.column("size 24", numbers(scatter(24, 100)), "01 02")
    topic.column("one value", texts(["x" * 23]), "00 18")
    topic.column("two equal values, 22 bytes", texts(["x" * 10] * 2), "00 16")
    topic.column("two equal values, 24 bytes", texts(["x" * 11] * 2), "06 01 01 00 00 0c")
    topic.column("equal arrays", [items(*numbers(range(11)))] * 2, "06 01 01 00 00 0c")
    topic.column("23 times nil", [NIL] * 23, "00 17")
    topic.column("24 times nil", [NIL] * 24, "06 01 01 00 00 01")
    topic.column("a NaN is equal to itself", [NAN] * 3, "06 01 01 00 00 09")
    topic.column(
        "NaNs with other bits", [NAN, {"f64": "fff8000000000000"}, NAN, {"f64": "7ff8000000000001"}], "02"
    )
    topic.column("zeros with other signs", doubles([0.0, -0.0, 0.0, 0.0]), "02")
    topic.column("1 and 1.0", [integer(1), double(1.0)] * 4, "0b 02 04 04 01 01 00 04 06 01 01 00 00 09")
    topic.column("three scalars", texts(words(3, 7)), "00 18")
    topic.column("four scalars", texts(words(4, 5)), "05 14 01 20 05")
    topic.column("three bin", [binary(bytes([i] * 20)) for i in range(3)], "00 42")
    topic.column(
        "three ext are not scalars", [ext(5, bytes([i] * 20)) for i in range(3)], "25 05 3c 01 20 14"
    )
    topic.column(
        "an array is not a scalar", [items(*numbers(range(1000, 1010)))], "07 0a 01 20 0a 01 30 01 cd 03 e8"
    )
    # PLAIN in place of a node: INT of 24 rows takes 50 bytes.
    mixed = scatter(24, 100)
    topic.column("an int column of 30 bytes", numbers([*mixed[:21], 40000, 50000, 60000]), "00 1e")
    topic.column("an int column of 31 bytes", numbers([*mixed[:20], 200, 40000, 50000, 60000]), "01 03")
    # A UNION of one int and 7 str of the same size takes 7 bytes more than the rows, of 2 and 6 takes 8.
    strs = texts(words(7, 5))
    topic.column(
        "the first row a str, 7 bytes more", [*strs, integer(5)], "0b 02 01 07 01 01 00 01 05 23 01 20 05"
    )
    topic.column("the first row a str, 8 bytes more", [*strs[:6], integer(5), integer(6)], "00 26")
    # A LIST of arrays of one element takes 7 bytes more than the rows, and one less for each.
    ones = [items(text(s)) for s in ("abcd", "abcde", "abcdef", "abcdefg", "abcdefgh", "abcdefghi")]
    topic.column("arrays, 1 byte more", ones, "07 06 01 20 01 00 2d")
    topic.column("arrays, 2 bytes more", ones[1:], "00 2d")
    nest = [items(*numbers(scatter(30, 100, seed))) for seed in range(8)]
    # The table, its row and the arrays outside are around the values of the innermost ones.
    for outer, entries in ((28, "01 02"), (29, "00 cc f0")):
        deep = [{"nest": {"array": outer, "inner": value}} for value in nest]
        inner = " 07 cc f0 01 20 1e " + entries
        topic.column(f"values in {outer + 3} containers", deep, "07 08 01 20 01" * outer + inner)


def _unions(topic: Written) -> None:
    ints, strs = numbers([1, 2, 3, 4]), texts(f"abcdefg{c}" for c in "hijk")
    both = [value for pair in zip(ints, strs, strict=True) for value in pair]
    topic.column("two types in 7 rows", both[:7], "00 1f")
    topic.column("two types in 8 rows", both, "0b 02 04 04 01 01 00 04 05 20 01 20 08")
    topic.column("two types, the first row a str", both[1:] + both[:1], "00 28")
    topic.column(
        "nil and int",
        [NIL if i % 5 == 1 else integer(n) for i, n in enumerate(scatter(20, 2**30))],
        "0b 02 04 10 01 01 00 04 01 04",
    )
    topic.column(
        "int and float 64",
        cycle([integer(7), double(0.5), double(2.25), double(3.75)], 40),
        "0b 02 0a 1e 01 01 00 0a 06 03 01 02 00 1b",
    )
    many = [NIL, True, integer(5), single("3fc00000"), double(1.5), text("a str of a union")]
    many += [
        binary(b"a bin of a union"),
        items(*numbers(range(12))),
        fields(a=text("in a map")),
        ext(5, bytes(16)),
    ]
    topic.column(
        "every type, in the order of the types",
        list(reversed(many)) * 6,
        "0b 0a 06 06 06 06 06 06 06 06 06 06 01 02 00 06 00 06 00 06"
        " 06 01 01 00 00 05 06 01 01 00 00 09 06 01 01 00 00 11 06 01 01 00 00 12 06 01 01 00 00 0d"
        " 06 01 01 00 00 0c 06 01 01 00 00 12",
    )
    topic.column(
        "a timestamp is an ext",
        cycle([timestamp(i) for i in range(9)] + [ext(5, b"\1")], 30),
        "06 0a 01 02 00 39",
    )


def _dictionaries(topic: Written) -> None:
    names = texts(words(40, 6))
    topic.column("15 str, 5 different", cycle(names[:5], 15), "05 5a 01 20 06")
    topic.column("16 str, 5 different", cycle(names[:5], 16), "06 05 01 02 05 1e 01 20 06")
    topic.column("16 str, 8 different", cycle(names[:8], 16), "06 08 01 02 05 30 01 20 06")
    topic.column("17 str, 9 different", cycle(names[:9], 17), "05 66 01 20 06")
    # 8 * (24 + 16 + 16) = 7 * 64, and 8 * (25 + 16 + 16) = 7 * 65 + 1.
    short = texts(["abc", "abd", "abe", "abf", "abg", "abh"])
    topic.column("a dictionary of 7/8 of the size", cycle(short, 16), "06 06 01 02 05 12 01 20 03")
    topic.column("a dictionary of more than 7/8", [*cycle(short[:5], 15), text("abch")], "45 41")
    topic.column(
        "a dictionary of bin",
        cycle([binary(bytes([i] * 8)) for i in range(4)], 20),
        "06 04 01 02 15 20 01 20 08",
    )
    topic.column(
        "a dictionary of ext",
        cycle([ext(5, bytes([i] * 8)) for i in range(4)], 20),
        "06 04 01 02 25 05 20 01 20 08",
    )
    topic.column(
        "a dictionary of timestamps",
        cycle([timestamp(10**9 + i * i) for i in range(4)], 20),
        "06 04 01 02 04 00 01 22 ce 3b 9a ca 00",
    )
    some = scatter(12, 2**24)
    topic.column("32 int, 4 different", cycle(numbers(some[:4]), 32), "06 04 01 02 00 14")
    topic.column("39 int, 5 different", cycle(numbers(some[:5]), 39), "01 04")
    topic.column("40 int, 5 different", cycle(numbers(some[:5]), 40), "06 05 01 02 01 04")
    topic.column(
        "few int in a range of one byte", cycle(numbers([70000, 70100, 70255]), 40), "01 22 ce 00 01 11 70"
    )
    topic.column(
        "few int in a range of two bytes", cycle(numbers([70000, 70100, 70256]), 40), "06 03 01 02 00 0f"
    )
    topic.column(
        "few int, 2^64 - 1 and 0", cycle(numbers([2**64 - 1, 0, 2**64 - 1]), 40), "06 02 01 01 00 0a"
    )
    # 8 * (12 + 32 + 16) = 5 * 96, and 8 * (11 + 32 + 16) = 5 * 94 + 2.
    few = [1000, 65000, 30000]
    topic.column("few int, 5/8 of the size", numbers(cycle([*few, 256], 32)), "06 04 01 02 00 0c")
    topic.column("few int, more than 5/8", numbers([*cycle(few, 30), 200, 200]), "01 03")
    reals = doubles([0.1, 1e300, 3.3e-200, -0.0, 7.7e77])
    topic.column("24 float 64, 3 different", cycle(reals[:3], 24), "06 03 01 02 00 1b")
    topic.column("24 float 64, 4 different", cycle(reals[:4], 24), "02")
    # 3 * (18 + 17 + 16) = 9 * 17, and 3 * (10 + 39 + 16) = 5 * 39.
    topic.column("16 float 64, 2 different", cycle(reals[:2], 16), "02")
    topic.column("17 float 64, 2 different", cycle(reals[:2], 17), "06 02 01 01 00 12")
    singles = [single("3dcccccd"), single("40490fdb")]
    topic.column("38 float 32, 2 different", cycle(singles, 38), "22")
    topic.column("39 float 32, 2 different", cycle(singles, 39), "06 02 01 01 00 0a")
    topic.column("23 bool", [i % 3 == 0 for i in range(23)], "00 17")
    topic.column("24 bool, the first true", [i % 3 == 0 for i in range(24)], "06 02 01 01 00 02")
    topic.column("24 bool, the first false", [i % 3 == 1 for i in range(24)], "06 02 01 01 00 02")
    lists = [items(*numbers([i, 1000, i])) for i in range(5)]
    topic.column("16 arrays, 4 different", cycle(lists[:4], 16), "06 04 01 02 00 18")
    topic.column("19 arrays, 5 different", cycle(lists, 19), "08 03 00 13 06 01 01 00 00 03 00 13")
    maps = [fields(a=integer(i), b=text("in a map")) for i in range(4)]
    topic.column("16 maps, 4 different", cycle(maps, 16), "06 04 01 02 00 3c")
    towns = ["Graz", "Oslo", "Bonn", "Graz"]
    rows = [
        fields(at=integer(i), town=text(towns[i % 4]), open=i % 2 == 0, kind=text("shop")) for i in range(24)
    ]
    topic.column(
        "96 maps, 24 different, whose values repeat: no dictionary within",
        cycle(rows, 96),
        "06 18 01 32 e9 00 09 04 a2 61 74 a4 74 6f 77 6e a4 6f 70 65 6e a4 6b 69 6e 64 01"
        "01 30 01 00 05 60 01 20 04 00 18 05 60 01 20 04",
    )
    topic.column(
        "an index with delta", [name for name in names[:8] for _ in range(6)], "06 08 01 12 00 05 30 01 20 06"
    )
    topic.column("33 different first", names[:33] + names[:33] * 2, "05 cd 02 52 01 20 06")
    topic.column("33 of the first 37 different", [names[0]] * 4 + names[:33] * 2, "05 cd 01 a4 01 20 06")
    topic.column(
        "33 of the first 38 different", [names[0]] * 5 + names[:33] * 2, "06 21 01 32 e0 00 05 cc c6 01 20 06"
    )
    topic.column("32 different first", names[:32] * 3, "06 20 01 32 e1 00 05 cc c0 01 20 06")


def _integers(topic: Written) -> None:
    noise = scatter(10, 256)
    for low, high, entry in (
        (0, 255, "01 02"),
        (1, 256, "01 22 01"),
        (256, 511, "01 22 cd 01 00"),
        (-1, 254, "01 22 ff"),
        (-128, 127, "01 22 d0 80"),
        (-129, 126, "01 22 d1 ff 7f"),
        (0, 256, "01 03"),
        (300, 65835, "01 23 cd 01 2c"),
        (-5, 65530, "01 23 fb"),
        (0, 65536, "01 04"),
        (70000, 2**32 + 69999, "01 24 ce 00 01 11 70"),
        (0, 2**32, "00 78"),
    ):
        values = [low + n for n in scatter(22, high - low)]
        topic.column(f"int from {low} to {high}", numbers([low, *values, high]), entry)
    wide = [n - 2**63 for n in scatter(22, 2**64)]
    topic.column(
        "int from -2^63 to 2^63 - 1",
        numbers([-(2**63), *wide, 2**63 - 1]),
        "01 25 d3 80 00 00 00 00 00 00 00",
    )
    topic.column("int from 0 to 2^64 - 1", numbers([0, *scatter(22, 2**63), 2**64 - 1]), "01 45")
    topic.column(
        "int from 2^63 to 2^64 - 1",
        numbers([2**63, *(2**63 + n for n in scatter(22, 2**63)), 2**64 - 1]),
        "01 45",
    )
    topic.column(
        "int from 2^63 to 2^63 + 255",
        numbers(2**63 + n for n in [0, 255, *noise]),
        "01 62 cf 80 00 00 00 00 00 00 00",
    )
    topic.column("negative and beyond 2^63", numbers([-1, 2**63] * 4), "00 28")
    pair = cycle([0, 1, 1, 0, 1], 30)
    topic.column("0 and 1", numbers(pair), "01 01")
    topic.column("-1 and 0", numbers(n - 1 for n in pair), "01 21 ff")
    topic.column(
        "7000000 and 7000001, 7 rows", numbers(n + 7000000 for n in pair[:7]), "01 22 ce 00 6a cf c0"
    )
    topic.column(
        "7000000 and 7000001, 8 rows", numbers(n + 7000000 for n in pair[:8]), "01 21 ce 00 6a cf c0"
    )
    topic.column(
        "2^64 - 2 and 2^64 - 1", numbers(n + 2**64 - 2 for n in pair[:8]), "01 61 cf ff ff ff ff ff ff ff fe"
    )
    topic.column("steps of 3", numbers(range(1000, 1030, 3)), "01 30 03 cd 03 e8")
    topic.column("steps of -5", numbers(range(100000, 99000, -100)), "01 30 d0 9c ce 00 01 86 a0")
    topic.column(
        "steps beyond 2^63",
        numbers(2**63 - 50 + 10 * i for i in range(12)),
        "01 70 0a cf 7f ff ff ff ff ff ff ce",
    )
    topic.column("steps of 0 to 255", numbers(_running(scatter(30, 256))), "01 32 0e 00")
    topic.column(
        "steps of -10 to -1",
        numbers(_running([n - 10 for n in scatter(40, 10)], 100000)),
        "01 32 f6 ce 00 01 86 a0",
    )
    topic.column(
        "steps as long as the values", numbers(_running([n - 128 for n in scatter(30, 256)], 5000)), "01 03"
    )
    topic.column(
        "steps from -2^63 to 2^63 - 1 and back",
        numbers(cycle([-(2**63), 2**63 - 1], 9)),
        "01 32 ff d3 80 00 00 00 00 00 00 00",
    )
    # Four times the bits of the steps is 1 less than three times those of the values, then the same.
    topic.column(
        "steps that save more than a quarter",
        numbers(_running([n - 4 for n in scatter(15, 8, 132)], 1000)),
        "01 32 fc cd 03 e8",
    )
    topic.column(
        "steps that save a quarter",
        numbers(_running([n - 4 for n in scatter(15, 8, 107)], 1000)),
        "01 22 cd 03 e3",
    )


def _running(steps: list[int], first: int = 0) -> list[int]:
    found = [first]
    for step in steps:
        found.append(found[-1] + step)
    return found


def _floats(topic: Written) -> None:
    cents = [n / 100 for n in scatter(32, 10**5)]
    topic.column("whole float 64", doubles([1.0, 2.0, 250.0, 7.0]), "03 00 01 02")
    topic.column("float 64 of two decimals", doubles(cents), "03 02 01 04")
    topic.column("negative float 64", doubles(-n for n in cents), "03 02 01 24 d2 ff fe 7c e0")
    topic.column("float 64 in steps", doubles(n / 4 for n in range(20)), "03 02 01 30 19 00")
    topic.column("float 64 of 15 decimals", doubles([1e-15, 3e-15, 2e-15, 9e-15]), "03 0f 01 02")
    topic.column("float 64 of 16 decimals", doubles([1e-16, 3e-16, 2e-16, 9e-16]), "02")
    topic.column(
        "two exceptions of 32", doubles([*cents[:30], -0.0, INFINITY]), "0b 02 1e 02 01 01 03 02 01 04 02"
    )
    topic.column("three exceptions of 32", doubles([*cents[:29], -0.0, INFINITY, 1e300]), "02")
    topic.column(
        "an exception of 16",
        [*doubles(cents[:7]), NAN, *doubles(cents[8:16])],
        "0b 02 0f 01 01 01 03 02 01 04 02",
    )
    topic.column("an exception of 15", [*doubles(cents[:7]), NAN, *doubles(cents[8:15])], "02")
    topic.column(
        "the first is not exact with the last exponent",
        doubles([5e14, *(n / 1000 for n in range(1, 16))]),
        "0b 02 0f 01 01 01 03 03 01 30 01 01 02",
    )
    topic.column("6 bytes of mantissas", doubles([0.0, 2.0**48 - 1, 5.0, 9.0]), "03 00 01 05")
    topic.column("7 bytes of mantissas", doubles([0.0, 2.0**48, 5.0, 9.0]), "02")
    noisy = [above(n / 1000, ulps - 2) for n, ulps in zip(scatter(20, 10**5), scatter(20, 5, 2), strict=True)]
    topic.column("a few units in the last place off", doubles(noisy), "03 83 01 04 01 22 ff")
    topic.column(
        "127 units off and -128",
        doubles([*noisy[:18], above(1.5, 127), above(1.5, -128)]),
        "03 83 01 04 01 22 d0 80",
    )
    topic.column(
        "128 units off, an exception",
        doubles([*noisy[:18], above(1.5, 128)]),
        "0b 02 12 01 01 01 03 83 01 04 01 22 ff 02",
    )
    topic.column("128 and -129 units off", doubles([*noisy[:18], above(1.5, 128), above(1.5, -129)]), "02")
    topic.column(
        "5 bytes of mantissas and a residual",
        doubles([*noisy[:18], 2.0**40 / 1000, above(0.5, 1)]),
        "00 cc b4",
    )
    topic.column(
        "6 bytes of mantissas and a residual", doubles([*noisy[:18], 2.0**41 / 1000, above(0.5, 1)]), "02"
    )
    topic.column(
        "a residual, the exponent of the first 64 rows",
        doubles([*(above(n / 10, 1) for n in range(64)), 0.01, 0.02, 0.03, 0.04]),
        "0b 02 40 04 01 01 03 81 01 30 01 00 01 20 01 02",
    )
    topic.column(
        "an odd float 64 below 2^53",
        doubles([2.0**53 - 1, *(2.0**52 + 2 * i for i in range(15))]),
        "0b 02 0f 01 01 01 03 00 01 30 02 cf 00 10 00 00 00 00 00 00 02",
    )
    topic.column(
        "odd float 64 of 2^52",
        doubles(2.0**53 - 1 - 2 * i for i in range(16)),
        "0b 02 0f 01 01 01 03 80 01 30 fe cf 00 1f ff ff ff ff ff fe 01 20 ff 02",
    )
    topic.column("float 32", [single(struct.pack(">f", n).hex()) for n in (0.1, -0.0, 1.5, 3e38, 7.0)], "22")


def _bytes(topic: Written) -> None:
    mixed = ["", "a", "longer", "日本", "x" * 20, "é", "b", "c"]
    topic.column("7 str of several sizes", texts(mixed[:7]), "00 2b")
    topic.column("8 str of several sizes", texts(mixed), "45 2d")
    topic.column("str with a byte 00", texts([*mixed, "zero\0byte"]), "05 2e 01 02")
    topic.column(
        "str of the same size with a byte 00",
        texts(["ab\0cde", "bcdefg", "cdefgh", "\0\0\0\0\0\0"]),
        "05 18 01 20 06",
    )
    topic.column("str of 40 and 50 bytes", texts(["x" * 40, "y" * 50] * 2 + mixed), "45 cc e5")
    topic.column("7 bin of several sizes", [binary(s.encode()) for s in mixed[:7]], "00 32")
    topic.column("8 bin of several sizes", [binary(s.encode()) for s in mixed], "15 25 01 02")
    topic.column("4 bin of the same size", [binary(bytes([i] * 6)) for i in range(4)], "15 18 01 20 06")


def _exts(topic: Written) -> None:
    seconds = scatter(8, 10**6)
    for nano, entries in (
        (0, "04 00 01 04"),
        (5_000_000, "04 03 01 04"),
        (5000, "04 06 01 05"),
        (5, "04 09 01 05"),
    ):
        times = [timestamp(n, nano if i else 0) for i, n in enumerate(seconds)]
        topic.column(f"timestamps with {nano} ns", times, entries)
    topic.column(
        "timestamps before 1970", [timestamp(-n, 999_000_000) for n in seconds], "04 03 01 24 d2 ca 40 34 2f"
    )
    topic.column(
        "timestamps in steps",
        [timestamp(1_700_000_000 + 60 * i) for i in range(30)],
        "04 00 01 30 3c ce 65 53 f1 00",
    )
    edge = [timestamp(-9223372037, 145224192), timestamp(9223372036, 854775807)]
    topic.column("timestamps of all 64 bits", edge * 2, "04 09 01 32 ff d3 80 00 00 00 00 00 00 00")
    topic.column("a timestamp beyond 64 bits", [*edge, timestamp(9223372036, 854775808), edge[0]], "00 32")
    topic.column("15 ext of several sizes", [ext(5, bytes(range(i % 7))) for i in range(15)], "00 51")
    topic.column("16 ext of several sizes", [ext(-5, bytes(range(i))) for i in range(16)], "25 fb 78 01 02")
    topic.column(
        "ext of 64 bytes on average", [ext(5, bytes([i]) * 64) for i in range(4)], "25 05 cd 01 00 01 20 40"
    )
    topic.column("ext of more than 64 bytes", [ext(5, bytes([i]) * 65) for i in range(4)], "00 cd 01 10")
    topic.column("ext of several types", [ext(i % 3, bytes([i]) * 6) for i in range(8)], "00 48")
    topic.column("timestamps and other ext", [*(timestamp(n) for n in seconds), ext(5, b"\1\2\3\4")], "00 36")
    topic.column(
        "ext of the type of records", [ext(0x72, bytes([64 + i] * 4)) for i in range(5)], "25 72 14 01 20 04"
    )


def _containers(topic: Written) -> None:
    def points(count: int, size: int) -> list[Value]:
        return [items(*numbers(scatter(size, 3000, i + 1))) for i in range(count)]

    topic.column("7 arrays of 3", points(7, 3), "07 15 01 20 03 01 03")
    topic.column("8 arrays of 3", points(8, 3), "08 03 01 03 01 03 01 03")
    topic.column("arrays of 1", points(24, 1), "07 18 01 20 01 01 03")
    topic.column("arrays of 2", points(8, 2), "08 02 01 03 01 03")
    topic.column("arrays of 8", points(8, 8), "08 08 01 03 01 03 01 03 00 17 00 16 00 16 01 03 00 14")
    topic.column("arrays of 9", points(8, 9), "07 48 01 20 09 01 03")
    topic.column(
        "arrays of several sizes", [items(*numbers(scatter(i, 3000))) for i in range(9)], "07 24 01 02 01 03"
    )
    topic.column("empty arrays and others", [items(), items(*numbers([5, 6, 7]))] * 6, "00 1e")
    pairs = [(double(1.5), integer(70000)), (integer(3), integer(70300)), (double(2.25), integer(70100))]
    topic.column(
        "int beside float 64 at a position",
        [items(*pairs[i % 3], integer(i)) for i in range(9)],
        "08 03 0b 02 03 06 01 01 00 03 03 02 01 02 01 23 ce 00 01 11 70 00 09",
    )
    pairs = [(single("3fc00000"), integer(70000)), (integer(3), integer(70300))]
    topic.column(
        "int beside float 32 at a position",
        [items(*pairs[i % 2], integer(i)) for i in range(9)],
        "07 1b 01 20 03 00 53",
    )
    topic.column(
        "nil beside int at a position",
        [items(NIL if i == 3 else integer(i), text("abcd")) for i in range(9)],
        "07 12 01 20 02 0b 03 01 08 09 01 02 00 01 00 08 06 01 01 00 00 05",
    )
    topic.column(
        "an ext at a position",
        [items(integer(i), ext(5, bytes([i] * 4))) for i in range(9)],
        "07 12 01 20 02 0b 02 09 09 01 01 00 09 25 05 24 01 20 04",
    )
    topic.column("an array at a position", [items(integer(i), items(integer(i))) for i in range(9)], "00 24")
    ab = [fields(a=integer(1000 + i), b=text(s)) for i, s in enumerate(words(9, 5))]
    topic.column("8 maps of 2 keys", ab[:8], "09 02 a1 61 a1 62 01 01 30 01 cd 03 e8 05 28 01 20 05")
    topic.column(
        "7 maps of 2 keys", ab[:7], "0a 0e 01 20 02 05 0e 01 20 01 0b 02 07 07 01 01 00 15 05 23 01 20 05"
    )
    three = [fields(a=integer(i)) if i % 3 else fields(a=integer(i), b=NIL, c=text("abc")) for i in range(24)]
    topic.column(
        "maps with two shapes",
        three,
        "09 03 a1 61 a1 62 a1 63 02 03 00 01 02 01 00 18 08 08 01 01 01 30 01 00 00 08 06 01 01 00 00 04",
    )
    topic.column(
        "keys in another order",
        [table(*e["map"][:: -1 if i == 4 else 1]) for i, e in enumerate(ab)],
        "09 02 a1 61 a1 62 02 02 00 01 02 01 00 09 09 01 01 01 30 01 cd 03 e8 05 2d 01 20 05",
    )
    topic.column(
        "shapes that are a third",
        [fields(**{f"k{i % 4}": integer(1000 + i)}) for i in range(32)],
        "09 04 a2 6b 30 a2 6b 31 a2 6b 32 a2 6b 33 04 01 00 01 01 01 02 01 03 08 08 08 08 01 02"
        " 01 30 04 cd 03 e8 01 30 04 cd 03 e9 01 30 04 cd 03 ea 01 30 04 cd 03 eb",
    )
    shapes = [[f"k{j}" for j in range(6) if i >> j & 1] for i in range(1, 22)]
    topic.column(
        "shapes of more than a third",
        [fields(**{k: integer(9) for k in keys}) for keys in shapes * 2],
        "0a 5a 01 02 06 05 01 02 00 0f 06 01 01 00 00 01",
    )
    topic.column(
        "an empty map among others",
        [table(), *ab],
        "09 02 a1 61 a1 62 02 00 02 00 01 09 09 01 01 01 30 01 cd 03 e8 05 2d 01 20 05",
    )
    topic.column(
        "a key that is an int",
        [table((integer(1), integer(1000 + i)), (text("a"), NIL)) for i in range(9)],
        "0a 12 01 20 02 0b 02 09 09 01 01 00 09 00 12 0b 02 09 09 01 01 00 09 01 30 01 cd 03 e8",
    )
    topic.column(
        "maps of one entry with a key that is an int",
        [table((integer(i), integer(1000 + i))) for i in range(9)],
        "00 2d",
    )
    topic.column(
        "one map",
        [table(*((text(k), integer(1000 + i)) for i, k in enumerate(words(9, 4))))],
        "0a 09 01 20 09 05 24 01 20 04 01 30 01 cd 03 e8",
    )
    several = [fields(**dict.fromkeys(letters, integer(9))) for letters in islice(_subsets("abcdefgh"), 64)]
    one = [fields(**dict.fromkeys("abcdef", integer(9)))] * 60
    topic.column(
        "65 shapes, most rows first",
        one + several,
        "09 08 a1 61 a1 62 a1 63 a1 64 a1 65 a1 66 a1 67 a1 68 41 …",
    )
    topic.column(
        "65 shapes, most rows last", several + one, "0a cd 02 0c 01 02 06 08 01 02 00 10 06 01 01 00 00 01"
    )
    topic.column(
        "64 shapes, most rows last",
        several[:63] + one,
        "09 08 a1 61 a1 62 a1 63 a1 64 a1 65 a1 66 a1 67 a1 68 40 …",
    )
    topic.column(
        "maps in maps",
        [fields(a=fields(b=integer(i * i), c=text("c")), d=items(integer(i))) for i in range(16)],
        "09 02 a1 61 a1 64 01 09 02 a1 62 a1 63 01 00 14 06 01 01 00 00 02 07 10 01 20 01 00 10",
    )


def _views(topic: Written) -> None:
    for low, high, entry in (
        (0, 255, "01 02"),
        (0, 256, "01 03"),
        (0, 65536, "01 04"),
        (0, 2**32, "01 05"),
        (-128, 127, "01 06"),
        (-129, 0, "01 07"),
        (-32769, 0, "01 08"),
        (-(2**31) - 1, 0, "01 09"),
    ):
        values = numbers([low, *(low + n for n in scatter(30, high - low)), high])
        topic.column(f"views, int from {low} to {high}", values, entry, views=True)
    topic.column("views, int beyond 2^63", numbers([1, 2**64 - 1, *scatter(10, 2**63)]), "01 45", views=True)
    topic.column("views, int in steps", numbers(range(1000, 1100, 5)), "01 03", views=True)
    topic.column("views, equal int", numbers([1000] * 10), "01 03", views=True)
    topic.column("views, 24 times 0", numbers([0] * 24), "01 02", views=True)
    topic.column("views, equal float 64", doubles([1.5] * 10), "02", views=True)
    topic.column("views, equal str", texts(["abcdef"] * 10), "06 01 01 00 00 07", views=True)
    topic.column("views, 0 and 1", numbers(cycle([0, 1, 1], 24)), "01 02", views=True)
    topic.column("views, few int", cycle(numbers(scatter(3, 2**24)), 32), "01 04", views=True)
    topic.column(
        "views, float 64 of two decimals", doubles(n / 100 for n in scatter(12, 10**4)), "02", views=True
    )
    topic.column("views, few float 32", cycle([single("3dcccccd"), single("40490fdb")], 40), "22", views=True)
    topic.column(
        "views, an int of many bytes among small ones",
        numbers([2**40, *scatter(30, 100)]),
        "01 05",
        views=True,
    )
    topic.column(
        "views, str of several sizes",
        texts(["", "a", "longer", "日本", "b", "c", "d", "efghijklmnopq"]),
        "05 1d 01 02",
        views=True,
    )
    topic.column(
        "views, a dictionary of str", cycle(texts(words(5, 6)), 20), "06 05 01 02 05 1e 01 20 06", views=True
    )
    topic.column("views, two str in turn", cycle(texts(words(2, 6)), 20), "06 02 01 02 00 0e", views=True)
    topic.column("views, bool", [i % 3 == 0 for i in range(24)], "06 02 01 01 00 02", views=True)
    topic.column(
        "views, nil and int",
        [NIL if i % 5 == 1 else integer(n) for i, n in enumerate(scatter(20, 2**30))],
        "0b 02 04 10 01 01 00 04 01 04",
        views=True,
    )
    topic.column(
        "views, timestamps", [timestamp(1_700_000_000 + 60 * i) for i in range(30)], "04 00 01 04", views=True
    )


def _subsets(letters: str) -> Iterable[str]:
    return chain.from_iterable(combinations(letters, size) for size in (2, 3))
