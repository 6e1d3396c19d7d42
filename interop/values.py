"""Values as typed JSON of the vectors' schema; generated values and damaged messages."""

from __future__ import annotations

import json
import random
import struct
from collections.abc import Iterator
from typing import Any

Value = Any

# Around every boundary of a header or an integer format.
EDGES = sorted(
    {
        edge + step
        for power in (0, 4, 5, 7, 8, 15, 16, 31, 32, 53, 63, 64)
        for edge in (2**power, -(2**power))
        for step in (-1, 0, 1)
        if -(2**63) <= edge + step < 2**64
    }
    | {0, -32, -33}
)
LENGTHS = [0, 1, 2, 15, 16, 31, 32, 33, 63, 64, 65, 255, 256, 257]
ALPHABETS = [
    "abcxyz_",
    "abc é",
    "日本語かな",
    "🆗a\U0010ffff",
    '\x00\x1f"\\/\x7f',
    "\u2028\ufeff\ue000",
]
FLOATS = [
    "0000000000000000", "8000000000000000", "7ff0000000000000", "fff0000000000000",
    "7ff8000000000000", "fff8000000000001", "7ff8123456789abc", "0000000000000001",
    "000fffffffffffff", "7fefffffffffffff", "3ff0000000000000", "433fffffffffffff",
    "4340000000000000", "c340000000000000", "43e0000000000000", "36a0000000000000",
]  # fmt: skip
NAMES = [
    "id",
    "name",
    "value",
    "kind",
    "tags",
    "a long name of more than thirty-one bytes",
    "é",
    "日本",
]


def compact(value: Value) -> bytes:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()


def typed(value: Any) -> Value:
    """Typed JSON of plain JSON."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    if isinstance(value, float):
        return {"f64": struct.pack(">d", value).hex()}
    if isinstance(value, str):
        return {"str": value}
    if isinstance(value, list):
        return {"array": list(map(typed, value))}
    return {"map": [[{"str": key}, typed(element)] for key, element in value.items()]}


class Values:
    """Values of all kinds, made from a seed."""

    def __init__(self, seed: int, any_keys: bool = True) -> None:
        self.random = random.Random(seed)
        self.any_keys = any_keys

    def value(self, depth: int = 0) -> Value:
        """A document; few are large, few are deep."""
        pick = self.random.random()
        if depth < 6 and pick < (0.75 if depth == 0 else 0.25):
            return self.array(depth) if self.random.random() < 0.35 else self.map(depth)
        if pick > 0.998 and depth == 0:
            return self.nested()
        return self.scalar()

    def scalar(self) -> Value:
        pick = self.random.randrange(12)
        if pick < 3:
            return {"int": str(self.integer())}
        if pick < 5:
            return {"f64": self.float64()}
        if pick < 9:
            return {"str": self.text()}
        if pick == 9:
            return {"bin": self.random.randbytes(self.length()).hex()}
        if pick == 10:
            return self.random.choice([None, True, False])
        return self.extension()

    def integer(self) -> int:
        pick = self.random.randrange(3)
        if pick == 0:
            return self.random.choice(EDGES)
        if pick == 1:
            return self.random.randrange(-40, 140)
        bits = self.random.randrange(1, 64)
        return self.random.randrange(-(2**bits), 2 ** (bits + 1))

    def float64(self) -> str:
        pick = self.random.randrange(4)
        if pick == 0:
            return self.random.choice(FLOATS)
        if pick == 1:
            return struct.pack(">d", self.random.uniform(-1000, 1000)).hex()
        if pick == 2:
            return struct.pack(">d", self.random.randrange(-(2**54), 2**54) / 4).hex()
        return self.random.randbytes(8).hex()

    def length(self) -> int:
        if self.random.random() < 0.9:
            return self.random.randrange(12)
        return self.random.choice(LENGTHS)

    def text(self) -> str:
        length = self.length()
        alphabet = self.random.choice(ALPHABETS)
        text = "".join(self.random.choices(alphabet, k=min(length, 70)))
        return text if length <= 70 else text + "x" * (length - len(text.encode()))

    def extension(self) -> Value:
        if self.random.random() < 0.5:
            seconds = self.random.choice([0, 2**32 - 1, 2**32, 2**34 - 1, 2**34, -1, 10**9])
            nanoseconds = self.random.choice([0, 0, 1, 999_999_999, 500_000_000])
            return {"timestamp": [str(seconds), nanoseconds]}
        kind = self.random.choice([1, 5, 7, 99, 127, -2, -128])
        size = self.random.choice([0, 1, 2, 3, 4, 8, 15, 16, 17, 255, 256])
        return {"ext": [kind, self.random.randbytes(size).hex()]}

    def count(self, depth: int) -> int:
        if depth < 2 and self.random.random() < 0.02:
            return self.random.choice([15, 16, 17, 31, 32, 33])
        return self.random.randrange(5)

    def array(self, depth: int) -> Value:
        if self.random.random() < 0.1:
            # A table: maps with the same keys, which is what records are for.
            keys = self.random.sample(NAMES, self.random.randrange(1, 5))
            rows = range(self.random.randrange(1, 6))
            return {"array": [{"map": [[{"str": k}, self.scalar()] for k in keys]} for _ in rows]}
        return {"array": [self.value(depth + 1) for _ in range(self.count(depth))]}

    def map(self, depth: int) -> Value:
        keys: dict[str, Value] = {}
        for _ in range(self.count(depth)):
            key = self.key()
            keys[str(key)] = key
        return {"map": [[key, self.value(depth + 1)] for key in keys.values()]}

    def key(self) -> Value:
        pick = self.random.random()
        if pick < 0.6 or not self.any_keys:
            return {"str": self.random.choice(NAMES)}
        if pick < 0.9:
            # Never a number: JavaScript puts the index keys of an object first.
            return {"str": "k" + self.text()}
        if pick < 0.95:
            # No two keys that are equal in some language, such as True and 1.
            return {"int": str(self.random.choice([2, 63, 64, 127, 128, 2**32, 2**63, -1, -33]))}
        return self.random.choice(
            [
                None,
                False,
                {"f64": "3ff8000000000000"},
                {"f64": "4008000000000000"},
                {"bin": "00ff"},
                {"timestamp": ["1", 0]},
            ]
        )

    def nested(self) -> Value:
        value = self.scalar()
        for _ in range(self.random.choice([15, 16, 17, 32])):
            value = (
                {"array": [value]}
                if self.random.random() < 0.5
                else {"map": [[{"str": "k"}, value]]}
            )
        return value


def damaged(messages: list[bytes], count: int, seed: int) -> Iterator[bytes]:
    """Messages with turned bits, bytes removed, inserted or repeated, and parts of others."""
    chance = random.Random(seed)
    for _ in range(count):
        data = bytearray(chance.choice(messages))
        for _ in range(chance.choice([1, 1, 2, 3])):
            at = chance.randrange(len(data) + 1)
            pick = chance.randrange(7)
            if pick == 0 and data:
                data[at % len(data)] ^= 1 << chance.randrange(8)
            elif pick == 1 and data:
                data[at % len(data)] = chance.choice(MARKERS)
            elif pick == 2:
                del data[at:]
            elif pick == 3:
                del data[at : at + chance.randrange(1, 5)]
            elif pick == 4:
                data[at:at] = bytes(chance.choices(MARKERS, k=chance.randrange(1, 4)))
            elif pick == 5:
                data[at:at] = chance.choice(messages)[:64]
            else:
                end = at + chance.randrange(1, 9)
                data[at:at] = data[at:end]
        yield bytes(data)


MARKERS = [
    *range(0x80, 0x84),
    *range(0x90, 0x94),
    0xA0,
    0xA1,
    0xA4,
    *range(0xC0, 0xE0),
    0x40,
    0x41,
    0x60,
    0x72,
    0xFF,
    0,
]
