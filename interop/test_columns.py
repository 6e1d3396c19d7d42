"""Columns in all languages: the same bytes and values, and one verdict on damaged payloads."""

from __future__ import annotations

import random
import struct
from collections.abc import Callable
from typing import Any

import pytest
from spec.vectors.columnar_writer import ColumnsWriter
from spec.vectors.expansion import expand, expanded_length
from spec.vectors.options import Options

from .conftest import cases, count
from .programs import Four
from .test_matrix import Matrix
from .test_verdicts import check
from .values import damaged

Value = Any

MODES: dict[str, dict[str, Any]] = {
    "columns": {"columns": True},
    "records beside": {"columns": True, "records": True},
}
# For each mode.
TABLES = count("PACKORD_INTEROP_TABLES", 150, exhaustive=7_000)
DAMAGED = count("PACKORD_INTEROP_DAMAGED", 8_000, exhaustive=42_000)

WORDS = ["Oslo", "Graz", "Bonn", "", "日本", "a longer name of a town", "é"]


def cells(chance: random.Random) -> Callable[[int], Value]:
    """Returns a maker of the values of one column. All are values that every language has."""
    start, step = chance.randrange(-1000, 1000), chance.randrange(1, 50)
    digits = chance.choice([1, 2, 6])

    def number(i: int) -> Value:
        return {"int": str(start + i * step)}

    def fraction(i: int) -> Value:
        # Never whole: JavaScript has no 1.0 beside 1.
        return f64(round(chance.uniform(-500, 500), digits) + 0.000_000_1)

    def half(i: int) -> Value:
        return f64(i + 0.5)

    makers: list[Callable[[int], Value]] = [
        number,
        lambda i: {"int": str(chance.randrange(-(2**31), 2**32))},
        lambda i: {"int": str(chance.choice([2**40, 3, -(2**33)]) + i)},
        fraction,
        half,
        lambda i: chance.choice([True, False]),
        lambda i: {"str": chance.choice(WORDS)},
        lambda i: {"str": f"{chance.choice(WORDS)} {i}"},
        lambda i: {"bin": bytes([i % 7] * chance.randrange(4)).hex()},
        lambda i: {"timestamp": [str(1_600_000_000 + i * step), chance.choice([0, 500_000_000])]},
        lambda i: {"ext": [5, f"{i % 256:02x}{i % 3:02x}"]},
        lambda i: {"array": [number(i), half(i)]},
        lambda i: {"array": [number(j) for j in range(i % 4)]},
        lambda i: None if i % 3 == 0 else number(i),
        lambda i: half(i) if i % 5 == 0 else {"str": "x"},
    ]
    return chance.choice(makers)


def f64(number: float) -> Value:
    return {"f64": struct.pack(">d", number).hex()}


def table(chance: random.Random) -> Value:
    """Returns an array of maps, or a map of maps, with a value beside it now and then."""
    columns = [(f"key{k}", cells(chance)) for k in range(chance.randrange(1, 7))]
    sparse = chance.random() < 0.3

    def row(i: int) -> Value:
        present = [c for c in columns if not sparse or chance.random() < 0.8]
        return {"map": [[{"str": key}, make(i)] for key, make in present]}

    rows = [row(i) for i in range(chance.choice([8, 20, 40, 100]))]
    shape = chance.randrange(4)
    if shape == 0:
        return {"map": [[{"str": f"row {i}"}, value] for i, value in enumerate(rows)]}
    if shape == 1:
        return {"map": [[{"str": "few"}, {"array": rows[:2]}], [{"str": "rows"}, {"array": rows}]]}
    return {"array": rows}


class ColumnsMatrix(Matrix):
    """The bytes are those of the specification's own writer of columns."""

    def writer(self) -> ColumnsWriter:
        return ColumnsWriter(Options.of(self.options))


@pytest.mark.parametrize("mode", MODES)
def test_every_language_reads_the_columns_that_every_language_writes(four: Four, mode: str) -> None:
    chance = random.Random(mode)
    matrix = ColumnsMatrix(four, MODES[mode])
    for start in range(0, TABLES, 50):
        matrix.check([table(chance) for _ in range(min(50, TABLES - start))])
    assert matrix.pairs >= 16 * TABLES


def payloads() -> list[bytes]:
    """The messages of the vectors that are one ext of columns, of up to 255 bytes."""
    found = {
        expand(case["bytes"])
        for case in cases("columns")
        if "bytes" in case and expanded_length(case["bytes"]) <= 258
    }
    return sorted(data for data in found if data[:1] == b"\xc7" and data[2:3] == b"\x5c")


def test_damaged_payloads_have_one_verdict(four: Four) -> None:
    """Bytes are changed within payloads, whose lengths stay what they are."""
    messages = payloads()
    assert len(messages) > 100
    chance = random.Random(7)
    likely = [0, 1, 2, 3, 5, 7, 8, 9, 10, 11, 0x10, 0x20, 0x40, 0x7F, 0x80, 0xC0, 0xCC, 0xCF, 0xFF]
    inputs = []
    for _ in range(DAMAGED):
        data = bytearray(chance.choice(messages))
        for _ in range(chance.choice([1, 1, 2, 3])):
            at = chance.randrange(3, len(data)) if len(data) > 3 else 1
            data[at] = chance.choice([data[at] ^ 1 << chance.randrange(8), chance.choice(likely)])
        inputs.append(bytes(data))
    for start in range(0, DAMAGED, 4_000):
        check(four, inputs[start : start + 4_000], {"columns": True})
        check(
            four,
            inputs[start : start + 4_000],
            {"columns": True, "duplicate_key": "error", "max_nodes": 60},
        )


def test_damaged_messages_with_columns_have_one_verdict(four: Four) -> None:
    inputs = list(damaged(payloads(), DAMAGED // 4, seed=3))
    check(four, inputs, {"columns": True})
