"""``columns/written.json``: the entries that a writer makes of a column, on each side of every threshold.

Each case has a table with the column; ``columns_tables.py`` makes it.
"""

from __future__ import annotations

import struct
from itertools import combinations

from ..expansion import Pieces, expand
from ..writer import encode_int
from .build import (
    NIL,
    Value,
    binary,
    counter,
    double,
    ext,
    fields,
    integer,
    items,
    product,
    single,
    table,
    text,
    timestamp,
)
from .columns_tables import Written, cycle, doubles, numbers, scatter, texts, words

# What is before each value in the plain bytes of a table.
ROW = b"\x81\xa1v"
INFINITY, NAN = float("inf"), {"f64": "7ff8000000000000"}


def topic() -> Written:
    found = Written("written", "plain bytes, and what a writer with columns on makes of a column in them")
    for add in (_steps, _unions, _dictionaries, _integers, _floats, _bytes, _exts, _containers):
        add(found)
    return found


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
    topic.column("1 and 1.0", [integer(1), double(1.0)] * 4, "0a 02 04 04 01 01 00 04 06 01 01 00 00 09")
    topic.column("three scalars", texts(words(3, 7)), "00 18")
    topic.column("four scalars", texts(words(4, 5)), "05 14 01 20 05")
    topic.column("three bin", [binary(bytes([i] * 20)) for i in range(3)], "00 42")
    topic.column(
        "three ext are not scalars", [ext(5, bytes([i] * 20)) for i in range(3)], "25 05 3c 01 20 14"
    )
    topic.column(
        "an array is not a scalar", [items(*numbers(range(1000, 1010)))], "07 0a 01 20 0a 01 30 01 cd 03 e8"
    )
    # PLAIN in place of a node: INT of u32 takes 98 bytes for 24 rows.
    large = [70000 + n for n in scatter(14, 10**6)]
    for first, size, entries in ((300, 83, "01 04"), (201, 82, "00 52")):
        small = [first, 200, *range(8)]
        mixed = [n for pair in zip(large, small, strict=False) for n in pair] + large[10:]
        topic.column(f"24 int of {size} bytes", numbers(mixed), entries)
    # A UNION of 2 branches takes 10 bytes more than the rows, and the tags as bits.
    for count, entries in ((20, "0a 02 14 14 01 01 00 14 00 14"), (21, "00 29")):
        rows: list[Value] = [NIL] * 20 + [True] * count
        topic.column(f"20 times nil and {count} bool", rows, entries)
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
    topic.column("two types in 7 rows of many bytes", [*texts(words(6, 40)), integer(7)], "00 cc fd")
    topic.column("two types in 8 rows", both, "0a 02 04 04 01 01 00 04 05 20 01 20 08")
    topic.column(
        "two types, the first row a str", both[1:] + both[:1], "0a 02 04 04 01 01 00 04 05 20 01 20 08"
    )
    topic.column(
        "nil and int",
        [NIL if i % 5 == 1 else integer(n) for i, n in enumerate(scatter(20, 2**30))],
        "0a 02 04 10 01 01 00 04 01 04",
    )
    topic.column(
        "int and float 64",
        cycle([integer(7), double(0.5), double(2.25), double(3.75)], 40),
        "0a 02 0a 1e 01 01 00 0a 06 03 01 02 00 1b",
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
        "0a 0a 06 06 06 06 06 06 06 06 06 06 01 02 00 06 00 06 00 06"
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
        "few int in a range of one byte", cycle(numbers([70000, 70100, 70255]), 40), "06 03 01 02 00 0f"
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
    singles = [single("3dcccccd"), single("40490fdb"), single("00000001")]
    topic.column("16 float 32, 2 different", cycle(singles[:2], 16), "06 02 01 01 00 0a")
    topic.column("16 float 32, 3 different", cycle(singles, 16), "22")
    topic.column("24 bool", [i % 3 == 0 for i in range(24)], "00 18")
    topic.column(
        "16 arrays, 2 different", cycle([items(integer(i), text("ab")) for i in range(2)], 16), "07 20 …"
    )
    topic.column(
        "16 maps, 2 different",
        cycle([fields(a=integer(i), b=text("in a map")) for i in range(2)], 16),
        "08 …",
    )
    topic.column(
        "an index with delta", [name for name in names[:8] for _ in range(6)], "06 08 01 12 00 05 30 01 20 06"
    )
    # The first 1024 rows have 896 and 897 different values, of the first 1025 one has one more.
    for first, entries in ((128, "06 cd 03 e8 …"), (127, "05 …")):
        known = _counters(1000, 4, (b"key", b""), (ROW + b"\xa7key", b""))
        rows = texts(["key0000"] * first + [f"key{i:04}" for i in range(1000)] * 2)
        topic.column(f"{1024 - first} different str in the first 1024 rows", rows, entries, known=known)
    # The bytes of an index, which are part of the estimate.
    for count, entries in ((256, "06 cd 01 00 …"), (257, "05 …")):
        known = _counters(count, 3, (b"", b""), (ROW + b"\xa3", b""))
        rows = texts([f"{i:03}" for i in range(count)] * 2)
        topic.column(f"{count} different str of {2 * count}", rows, entries, known=known)
    # In plain bytes, each number is 3 bytes that all have, and 2 of a product. The first 1024 rows have few
    # different ones.
    letters = [bytes([n]) for n in range(64)]
    block = [0x10000 + 256 * high + low for high in range(64) for low in range(64)]
    first = block[:64]
    known = {
        b"".join(ROW + encode_int(n) for n in block): product(letters, 2, ROW + b"\xce\0\1", b""),
        b"".join(ROW + encode_int(n) for n in first): product(letters, 1, ROW + b"\xce\0\1\0", b""),
    }
    topic.column("33280 int, 4096 different", numbers(first * 8 + block * 8), "06 cd 10 00 …", known=known)
    topic.column("33288 int, 4097 different", numbers(first * 8 + [*block, 0x14000] * 8), "01 …", known=known)


def _counters(count: int, digits: int, *around: tuple[bytes, bytes]) -> dict[bytes, Pieces]:
    """The numbers below ``count`` between each pair of prefix and suffix, as parts of bytes."""
    found = (counter(count, digits, prefix, suffix) for prefix, suffix in around)
    return {expand([part]): part for part in found}


def _integers(topic: Written) -> None:
    noise = scatter(10, 256)
    for low, high in (
        (-32, 12),
        (-33, 12),
        (-32, 127),
        (-32, 128),
        (-128, 127),
        (-129, 0),
        (2**31 - 99, 2**31 + 99),
    ):
        topic.column(
            f"int near {low} and {high}",
            numbers([low, *(low + n for n in scatter(30, 10)), *[high] * 4]),
            "01 …",
        )
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
        (0, 65536, "00 48"),
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
    topic.column("int from 0 to 2^63", numbers([0, *scatter(22, 2**63), 2**63]), "01 45")
    topic.column("int from 0 to 2^63 - 1", numbers([0, *scatter(22, 2**63), 2**63 - 1]), "01 05")
    topic.column("negative and beyond 2^63", numbers([-(2**63), 2**63] * 4), "00 48")
    pair = cycle([0, 1, 1, 0, 1], 30)
    topic.column("0 and 1", numbers(pair), "01 01")
    topic.column("1 and 2", numbers(n + 1 for n in pair), "01 21 01")
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
    for name, other in (("-0.0", -0.0), ("infinity", INFINITY), ("a float 64 of 17 digits", 0.1 + 0.2)):
        topic.column(f"float 64 of two decimals and {name}", doubles([*cents[:31], other]), "02")
    topic.column("float 64 of two decimals and a NaN", [*doubles(cents[:31]), NAN], "02")
    topic.column(
        "the first is not exact with the last exponent",
        doubles([5e14, *(n / 1000 for n in range(1, 16))]),
        "02",
    )
    topic.column("the last exponent is the largest", doubles([0.5, 0.25, 1.125, 3.0, 0.75]), "03 03 01 03")
    topic.column("6 bytes of mantissas", doubles([0.0, 2.0**48 - 1, 5.0, 9.0]), "03 00 01 05")
    topic.column("7 bytes of mantissas", doubles([0.0, 2.0**48, 5.0, 9.0]), "02")
    even = [2.0**52 + 2 * n for n in scatter(16, 1000)]
    topic.column("even float 64 from 2^52", doubles(even), "03 00 01 23 cf 00 10 …")
    topic.column("one of them odd", doubles([*even, 2.0**52 + 1]), "02")
    topic.column("2^53 - 1", doubles([*even, 2.0**53 - 1]), "02")
    topic.column("float 64 from 2^53 to 2^54", doubles(2.0**53 + 4 * n for n in scatter(16, 1000)), "02")
    topic.column("float 64 from -2^53 to -2^54", doubles(-(2.0**53) - 4 * n for n in scatter(16, 1000)), "02")
    topic.column("tenths from 2^48", doubles(2.0**48 + n / 10 for n in (0, 1, 2, 7)), "03 01 01 …")
    topic.column(
        "tenths whose mantissas are above 2^53", doubles(2.0**50 + n / 10 for n in (0, 5, 10, 15)), "02"
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
    for size in (31, 32, 255, 256, 65535, 65536):
        topic.column(f"4 str of {size} bytes", texts(c * size for c in "abcd"), "05 …")
    for size in (255, 256, 65535, 65536):
        topic.column(f"4 bin of {size} bytes", [binary(bytes([i]) * size) for i in range(4)], "15 …")
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
    below = timestamp(-9223372037, 145224191)
    topic.column("a timestamp before 64 bits", [*edge, below, edge[0]], "00 37")
    ends = [timestamp(-(2**63)), timestamp(2**63 - 1), timestamp(0), timestamp(5)]
    topic.column("seconds of all 64 bits", ends, "04 00 01 …")
    for unit, last in ((3, 2**63 // 1000), (6, 2**63 // 10**6)):
        part = 5 * 10 ** (9 - unit)
        for second, entries in ((last - 1, f"04 {unit:02x} …"), (last + 1, "00 …")):
            times = [timestamp(n, part) for n in (second, 1, -1, 7)]
            topic.column(f"{second} seconds in units of 10^-{unit}", times, entries)
    topic.column(
        "three timestamps in steps",
        [timestamp(1_700_000_000 + 60 * i, 5000) for i in range(3)],
        "04 06 01 30 ce 03 93 87 00 cf 00 06 0a 24 18 1e 40 05",
    )
    topic.column(
        "two timestamps", [timestamp(-(2**40) + n) for n in (0, 7)], "04 00 01 22 d3 ff ff ff 00 00 00 00 00"
    )
    topic.column("three timestamps", [timestamp(n, 5) for n in (1, 9, 4)], "04 09 01 05")
    for size in (1, 2, 3, 4, 5, 8, 16, 17):
        topic.column(f"ext of {size} bytes", [ext(5, bytes([i]) * size) for i in range(12)], "25 05 …")
    for size, entries in ((255, "25 05 …"), (256, "25 05 …"), (65535, "25 05 …"), (65536, "00 …")):
        others = [ext(5, b"")] * max(15, size // 64)
        topic.column(f"an ext of {size} bytes", [*others, ext(5, b"\7" * size)], entries)
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

    topic.column("arrays of 3", points(7, 3), "07 15 01 20 03 01 03")
    topic.column("arrays of 1", points(24, 1), "07 18 01 20 01 01 03")
    topic.column(
        "arrays of several sizes", [items(*numbers(scatter(i, 3000))) for i in range(9)], "07 24 01 02 01 03"
    )
    topic.column("empty arrays and others", [items(), items(*numbers([5, 6, 7]))] * 6, "07 12 01 02 00 12")
    pairs = [(double(1.5), integer(70000)), (integer(3), integer(70300)), (double(2.25), integer(70100))]
    topic.column(
        "arrays of int and float 64",
        [items(*pairs[i % 3], integer(i)) for i in range(9)],
        "07 1b 01 20 03 0a 02 15 06 01 01 00 39 03 02 01 02",
    )
    topic.column(
        "arrays of an int and an ext",
        [items(integer(i), ext(5, bytes([i] * 4))) for i in range(9)],
        "07 12 01 20 02 0a 02 09 09 01 01 00 09 25 05 24 01 20 04",
    )
    for size in (15, 16, 65535, 65536):
        topic.column(
            f"an array of {size} nil",
            [{"array": {"repeat": NIL, "times": size}}] if size > 99 else [items(*[text("x" * 31)] * size)],
            "07 …",
        )
    ab = [fields(a=integer(1000 + i), b=text(s)) for i, s in enumerate(words(9, 5))]
    topic.column("8 maps of 2 keys", ab[:8], "08 02 a1 61 a1 62 01 01 30 01 cd 03 e8 05 28 01 20 05")
    topic.column(
        "7 maps of 2 keys", ab[:7], "09 0e 01 20 02 05 0e 01 20 01 0a 02 07 07 01 01 00 15 05 23 01 20 05"
    )
    one = [fields(a=integer(1000 + i)) for i in range(8)]
    topic.column("8 maps of a key", one, "08 01 a1 61 01 01 30 01 cd 03 e8")
    topic.column("7 maps of a key", one[:7], "00 2a")
    three = [fields(a=integer(i)) if i % 3 else fields(a=integer(i), b=NIL, c=text("abc")) for i in range(24)]
    topic.column(
        "maps with two shapes",
        three,
        "08 03 a1 61 a1 62 a1 63 02 03 00 01 02 01 00 18 08 08 01 01 01 30 01 00 00 08 06 01 01 00 00 04",
    )
    topic.column(
        "keys in another order",
        [table(*e["map"][:: -1 if i == 4 else 1]) for i, e in enumerate(ab)],
        "08 02 a1 61 a1 62 02 02 00 01 02 01 00 09 09 01 01 01 30 01 cd 03 e8 05 2d 01 20 05",
    )
    topic.column(
        "shapes that are a third",
        [fields(**{f"k{i % 4}": integer(1000 + i)}) for i in range(32)],
        "08 04 a2 6b 30 a2 6b 31 a2 6b 32 a2 6b 33 04 01 00 01 01 01 02 01 03 08 08 08 08 01 02"
        " 01 30 04 cd 03 e8 01 30 04 cd 03 e9 01 30 04 cd 03 ea 01 30 04 cd 03 eb",
    )
    shapes = [[f"k{j}" for j in range(6) if i >> j & 1] for i in range(1, 22)]
    topic.column(
        "shapes of more than a third",
        [fields(**{k: integer(9) for k in keys}) for keys in shapes * 2],
        "09 5a 01 02 06 05 01 02 00 0f 06 01 01 00 00 01",
    )
    topic.column(
        "an empty map among others",
        [table(), *ab],
        "08 02 a1 61 a1 62 02 00 02 00 01 09 09 01 01 01 30 01 cd 03 e8 05 2d 01 20 05",
    )
    topic.column(
        "a key that is an int",
        [table((integer(1), integer(1000 + i)), (text("a"), NIL)) for i in range(9)],
        "09 12 01 20 02 0a 02 09 09 01 01 00 09 00 12 0a 02 09 09 01 01 00 09 01 30 01 cd 03 e8",
    )
    topic.column(
        "maps of one entry with a key that is an int",
        [table((integer(i), integer(1000 + i))) for i in range(9)],
        "00 2d",
    )
    topic.column(
        "one map",
        [table(*((text(k), integer(1000 + i)) for i, k in enumerate(words(9, 4))))],
        "09 09 01 20 09 05 24 01 20 04 01 30 01 cd 03 e8",
    )
    topic.column(
        "one map of one entry",
        [fields(**{"a_key_of_several_words": integer(1)})],
        "09 01 01 20 01 00 17 00 01",
    )
    for size in (15, 16, 65535, 65536):
        known = _counters(size, 5, (b"\xa5", b"\xc0"), (b"", b""))
        row = table(*((text(f"{i:05}"), NIL) for i in range(size)))
        topic.column(f"a map of {size} entries", [row], "09 …", known=known)
    for count, entries in ((2048, "08 cd 08 00 …"), (2049, "09 cd 40 08 01 20 cd 08 01 05 …")):
        known = _counters(count, 4, (b"\xa4", b"\xc0"), (b"\xa4", b""), (b"", b""))
        known |= _counters(count - 1, 4, (b"\xa4", b"\xc0"))
        *most, last = [(text(f"{i:04}"), NIL) for i in range(count)]
        rows = [table(*most, last)] * 7 + [table(*most, (last[0], True))]
        topic.column(f"8 maps of {count} keys", rows, entries, known=known)
    known = _counters(2048, 4, (ROW + b"\x81\xa4", b"\xc0"), (b"\x81\xa4", b"\xc0"), (b"\xa4", b""))
    rows = [table((text(f"{i:04}"), NIL)) for i in range(2048)]
    topic.column("2048 shapes", rows * 8, "08 cd 08 00 …", known=known)
    topic.column("2049 shapes", [table(), *rows * 8], "00 …", known=known)
    # Three rows of each shape, and one fewer in all: three times the keys of the shapes, and more.
    pairs = [fields(**dict.fromkeys(letters, integer(9))) for letters in combinations("abcdef", 2)] * 3
    topic.column("45 maps of 15 shapes of 2 keys", pairs, "08 06 a1 61 a1 62 a1 63 a1 64 a1 65 a1 66 0f …")
    topic.column("44 maps of 15 shapes of 2 keys", pairs[1:], "09 58 01 20 02 …")
    topic.column(
        "maps in maps",
        [fields(a=fields(b=integer(i * i), c=text("c")), d=items(integer(i))) for i in range(16)],
        "08 02 a1 61 a1 64 01 08 02 a1 62 a1 63 01 00 14 06 01 01 00 00 02 07 10 01 20 01 00 10",
    )
