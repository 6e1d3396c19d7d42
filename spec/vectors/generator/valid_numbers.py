"""``valid/``: integers and floats."""

from __future__ import annotations

import struct

from .build import Topic, i8, i16, i32, i64, integer, items, single, u8, u16, u32, u64

KIND = "valid"

# Every place where a format of integers begins or ends, and where other languages' numbers do.
UNSIGNED = sorted(
    {0, 1, 2, 15, 16, 31, 32, 63, 64, 65, 100}
    | {(1 << bits) + step for bits in (7, 8, 15, 16, 24, 31, 32, 52, 53, 54, 62, 63) for step in (-1, 0, 1)}
    | {2**64 - 2, 2**64 - 1, 10**18, 10**19, 0x0102030405060708}
)
NEGATIVE = sorted(
    {-1, -2, -15, -16, -31, -32, -33, -34, -100}
    | {-(1 << bits) + step for bits in (7, 8, 15, 16, 24, 31, 32, 52, 53, 54, 62) for step in (-1, 0, 1)}
    | {-(2**63), -(2**63) + 1, -(10**18)},
    reverse=True,
)


def topics() -> list[Topic]:
    return [_integers(), _wider_integers(), _floats(), _float32(), _float_option()]


def _minimal(number: int) -> bytes:
    if 0 <= number < 128 or -32 <= number < 0:
        return struct.pack("b", number)
    if number >= 0:
        return next(f(number) for f, bits in ((u8, 8), (u16, 16), (u32, 32), (u64, 64)) if number < 1 << bits)
    return next(f(number) for f, bits in ((i8, 7), (i16, 15), (i32, 31), (i64, 63)) if number >= -1 << bits)


def _integers() -> Topic:
    topic = Topic(KIND, "integers", "minimal integers: every fixint, and both sides of every boundary")
    for number in range(128):
        topic.written(f"fixint {number}", bytes([number]), integer(number))
    for number in range(-1, -33, -1):
        topic.written(f"fixint {number}", bytes([256 + number]), integer(number))
    for number in UNSIGNED:
        if number > 127:
            topic.written(f"uint {number}", _minimal(number), integer(number))
    for number in NEGATIVE:
        if number < -32:
            topic.written(f"int {number}", _minimal(number), integer(number))
    return topic


def _wider_integers() -> Topic:
    topic = Topic(KIND, "integers-wider", "integers in every format that can hold them and is not minimal")
    formats = (
        ("uint8", u8, 0, 2**8), ("uint16", u16, 0, 2**16), ("uint32", u32, 0, 2**32),
        ("uint64", u64, 0, 2**64), ("int8", i8, -(2**7), 2**7), ("int16", i16, -(2**15), 2**15),
        ("int32", i32, -(2**31), 2**31), ("int64", i64, -(2**63), 2**63),
    )  # fmt: skip
    sample = [0, 1, 5, 63, 64, 127, 128, 129, 255, 256, 32767, 32768, 65535, 65536, 2**31 - 1, 2**31]
    sample += [2**32 - 1, 2**32, 2**53, 2**53 + 1, 2**63 - 1, 2**63]
    sample += [-1, -5, -32, -33, -127, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1]
    for number in sample:
        for name, pack, low, high in formats:
            if low <= number < high and pack(number) != _minimal(number):
                topic.read(f"{number} as {name}", pack(number), integer(number))
    return topic


FLOAT64 = {
    "zero": "0000000000000000",
    "minus zero": "8000000000000000",
    "one": "3ff0000000000000",
    "minus one": "bff0000000000000",
    "one and a half": "3ff8000000000000",
    "a tenth": "3fb999999999999a",
    "three tenths, summed": "3fd3333333333334",
    "next above one": "3ff0000000000001",
    "next below one": "3fefffffffffffff",
    "pi": "400921fb54442d18",
    "minus pi": "c00921fb54442d18",
    "128.0": "4060000000000000",
    "2^24 + 1": "4170000010000000",
    "2^31": "41e0000000000000",
    "2^32": "41f0000000000000",
    "1e15": "430c6bf526340000",
    "largest below 1e16": "4341c37937e07fff",
    "1e16": "4341c37937e08000",
    "minus 1e16": "c341c37937e08000",
    "12345678901234567890": "43e56a95319d63e1",
    "0.0001": "3f1a36e2eb1c432d",
    "largest below 0.0001": "3f1a36e2eb1c432c",
    "1.5e-7": "3e8421f5f40d8376",
    "0.000123456": "3f202e7ef70994dd",
    "2^53": "4340000000000000",
    "2^53 + 2": "4340000000000001",
    "2^63": "43e0000000000000",
    "minus 2^63": "c3e0000000000000",
    "2^64": "43f0000000000000",
    "1e300": "7e37e43c8800759c",
    "largest": "7fefffffffffffff",
    "smallest": "ffefffffffffffff",
    "least normal": "0010000000000000",
    "largest subnormal": "000fffffffffffff",
    "least subnormal": "0000000000000001",
    "minus least subnormal": "8000000000000001",
    "tie, 1.5000076293945312|5": "3ff8000800000000",
    "minus tie, 1.5000076293945312|5": "bff8000800000000",
    "tie, 1.5000228881835937|5": "3ff8001800000000",
    "tie, 2^-25": "3e60000000000000",
    "tie, 2^-44": "3d30000000000000",
    "the nearest of 16 digits is another float, 2^-1007": "0100000000000000",
    "1e23": "44b52d02c7e14af6",
    "127.0": "405fc00000000000",
    "256.0": "4070000000000000",
    "-32.0": "c040000000000000",
    "-33.0": "c040800000000000",
    "largest below 2^63": "43dfffffffffffff",
    "largest below 2^64": "43efffffffffffff",
    "largest below -2^63": "c3e0000000000001",
    "-2^64": "c3f0000000000000",
    "2^52 - 0.5": "432fffffffffffff",
    "infinity": "7ff0000000000000",
    "minus infinity": "fff0000000000000",
    "largest float 32": "47efffffe0000000",
    "above the largest float 32": "47efffffe0000001",
    "least float 32 subnormal": "36a0000000000000",
    "half the least float 32 subnormal": "3690000000000000",
    "nan, quiet": "7ff8000000000000",
    "nan, quiet, negative": "fff8000000000000",
    "nan, quiet, payload 1": "7ff8000000000001",
    "nan, quiet, full payload": "7fffffffffffffff",
    "nan, quiet, payload of bit 28": "7ff8000010000000",
    "nan, quiet, payload of bit 29": "7ff8000020000000",
    "nan, quiet, negative, full payload": "ffffffffffffffff",
    "nan, signalling, payload 1": "7ff0000000000001",
    "nan, signalling, full payload": "7ff7ffffffffffff",
    "nan, signalling, negative": "fff4000000000000",
}


def _floats() -> Topic:
    topic = Topic(KIND, "floats", "float 64: zeros, boundaries, subnormals, infinities, NaN payloads")
    for name, bits in FLOAT64.items():
        topic.written(f"float64 {name}", "cb" + bits, {"f64": bits})
    return topic


FLOAT32 = {
    "zero": "00000000",
    "minus zero": "80000000",
    "one": "3f800000",
    "minus one": "bf800000",
    "one and a half": "3fc00000",
    "a tenth": "3dcccccd",
    "pi": "40490fdb",
    "16777216": "4b800000",
    "16777217 rounded": "4b800001",
    "largest below 2^64": "5f7fffff",
    "2^64": "5f800000",
    "-2^63": "df000000",
    "largest below -2^63": "df000001",
    "largest": "7f7fffff",
    "smallest": "ff7fffff",
    "least normal": "00800000",
    "largest subnormal": "007fffff",
    "least subnormal": "00000001",
    "minus least subnormal": "80000001",
    "tie, 1048576.2|5": "49800002",
    "minus tie, 1048576.2|5": "c9800002",
    "tie, 1048576.7|5": "49800006",
    "the nearest of 8 digits is another float, 2^-96": "0f800000",
    "infinity": "7f800000",
    "minus infinity": "ff800000",
    "nan, quiet": "7fc00000",
    "nan, quiet, negative": "ffc00000",
    "nan, quiet, payload 1": "7fc00001",
    "nan, quiet, full payload": "7fffffff",
    "nan, signalling, payload 1": "7f800001",
    "nan, signalling": "7fa00000",
    "nan, signalling, negative, full payload": "ffbfffff",
}


def _float32() -> Topic:
    description = "float 32; default where the language has such a type, else as float 64 of the same number"
    topic = Topic(KIND, "floats-32", description)
    for name, bits in FLOAT32.items():
        topic.written(f"float32 {name}", "ca" + bits, single(bits))
    return topic


def _float_option() -> Topic:
    topic = Topic(
        KIND, "floats-option", "the writing option float32: short where nothing is lost, and only there"
    )
    short = {"float32": True}
    exact = [("zero", "00000000"), ("minus zero", "80000000"), ("one and a half", "3fc00000")]
    exact += [("infinity", "7f800000"), ("minus infinity", "ff800000"), ("nan", "7fc00000")]
    exact += [("largest float 32", "7f7fffff"), ("least float 32", "00000001"), ("2^24", "4b800000")]
    exact += [
        ("nan, negative", "ffc00000"),
        ("nan, payload 1", "7fc00001"),
        ("nan, full payload", "7fffffff"),
    ]
    exact += [
        ("nan, negative, a payload", "ffc12345"),
        ("least normal", "00800000"),
        ("smallest", "ff7fffff"),
    ]
    for name, bits in exact:
        topic.written(f"float32 option, {name}", "ca" + bits, single(bits), **short)
    longer = ["a tenth", "2^24 + 1", "above the largest float 32", "largest", "least subnormal"]
    longer += ["half the least float 32 subnormal", "nan, quiet, payload 1", "nan, quiet, full payload"]
    longer += ["nan, quiet, payload of bit 28", "nan, quiet, negative, full payload"]
    for name in longer:
        topic.written(
            f"float32 option, {name} stays 64 bits", "cb" + FLOAT64[name], {"f64": FLOAT64[name]}, **short
        )
    topic.written(
        "float32 option, canonical stays 64 bits",
        "cb" + FLOAT64["one and a half"],
        {"f64": FLOAT64["one and a half"]},
        **short,
        canonical=True,
    )
    topic.written(
        "float32 option, an array of both",
        "92ca3fc00000cb" + FLOAT64["a tenth"],
        items(single("3fc00000"), {"f64": FLOAT64["a tenth"]}),
        **short,
    )
    topic.read(
        "float32 option, read at 64 bits",
        "cb" + FLOAT64["one and a half"],
        {"f64": FLOAT64["one and a half"]},
        **short,
    )
    return topic
