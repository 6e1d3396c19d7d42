"""Canonical output of Python's own types: one form, by whatever way a value is written."""

from __future__ import annotations

import collections
import dataclasses
import enum
import math
from typing import Any

import attrs
import msgspec
import numpy
import pydantic
import pytest

import packord

OPTION: dict[str, Any] = {"canonical": True}


@dataclasses.dataclass
class Plain:
    x: Any


@dataclasses.dataclass(slots=True)
class Slots:
    x: Any


@attrs.define
class Attrs:
    x: Any


class Model(pydantic.BaseModel):
    x: Any


class Struct(msgspec.Struct):
    x: Any


class Whole(enum.Enum):
    TWO = 2.0


CLASSES = [Plain, Slots, Attrs, Struct, lambda x: Model(x=x), lambda x: {"x": x}]
WAYS: list[Any] = [
    lambda x: [x],
    lambda x: [1.5, x, x],
    lambda x: (x,),
    lambda x: collections.OrderedDict(x=x),
    lambda x: {x: x},
    lambda x: numpy.float64(x),
    lambda x: numpy.array([x, 0.5]),
    lambda x: numpy.array([[x], [0.5]]),
    lambda x: numpy.array([x, 0.5])[::1].astype(">f8"),
    lambda x: packord.Fragment(packord.packb(x)),
    lambda x: [packord.Fragment(packord.packb([x]))],
    *CLASSES,
]
WIDTHS: list[Any] = [
    lambda x: numpy.float16(x),
    lambda x: numpy.float32(x),
    lambda x: numpy.array([x], "f4"),
    lambda x: numpy.array([x], "f2"),
]


def floats_in(data: bytes) -> list[float]:
    """All floats of a message."""
    found: list[float] = []
    stack = [packord.Decoder(canonical=True).decode(data)]
    while stack:
        value = stack.pop()
        if isinstance(value, dict):
            stack += [*value, *value.values()]
        elif isinstance(value, (list, tuple)):
            stack += value
        elif isinstance(value, float):
            found.append(value)
    return found


@pytest.mark.parametrize("number", [1.0, -0.0, 127.0, 128.0, -33.0, 2.0**53, -(2.0**63), 2.0**63])
@pytest.mark.parametrize("way", WAYS)
def test_whole_floats_are_integers(way: Any, number: float) -> None:
    data = packord.packb(way(number), **OPTION)
    assert not [x for x in floats_in(data) if x.is_integer()]
    assert data == packord.packb(way(int(number)), **OPTION) or isinstance(
        way(number), (numpy.ndarray, numpy.generic)
    )


@pytest.mark.parametrize("number", [1.0, -0.0, 2048.0])
@pytest.mark.parametrize("way", WIDTHS)
def test_whole_floats_of_other_widths_are_integers(way: Any, number: float) -> None:
    assert floats_in(packord.packb(way(number), **OPTION)) == []


@pytest.mark.parametrize("number", [0.5, 2.0**64, -(2.0**64), math.inf, -math.inf, 1e300])
@pytest.mark.parametrize("way", [WAYS[0], WAYS[1], WAYS[7], *CLASSES])
def test_other_floats_are_floats(way: Any, number: float) -> None:
    assert number in floats_in(packord.packb(way(number), **OPTION))


def test_subclasses_and_members_are_like_their_values() -> None:
    assert packord.packb([Whole.TWO, {Whole.TWO: 1}], **OPTION) == b"\x92\x02\x81\x02\x01"


def test_two_keys_that_become_one_are_refused() -> None:
    for keys in ({Whole.TWO: 0, 2: 0}, {(Whole.TWO,): 0, (2,): 0}):
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            packord.packb(keys, **OPTION)
        assert caught.value.kind == "duplicate_key"


def test_elements_of_sets_too() -> None:
    option: dict[str, Any] = {**OPTION, "rich": True}
    assert packord.packb({3.0, 1.0, 2}, **option) == bytes.fromhex("d6 56 93 01 02 03")
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb([{Whole.TWO, 2}], **option)
    assert (caught.value.kind, caught.value.path) == ("duplicate_key", "$[0]")


def test_typed_arrays_keep_their_elements() -> None:
    data = packord.packb(numpy.array([1.0]), canonical=True, rich=True)
    assert data == bytes.fromhex("c7 09 74 08") + numpy.array([1.0]).tobytes()


def test_a_float_field_reads_the_integer() -> None:
    @dataclasses.dataclass
    class Price:
        price: float

    data = packord.packb(Price(1.0), **OPTION)
    assert data == bytes.fromhex("81 a5 70 72 69 63 65 01")
    read = packord.Decoder(Price, canonical=True).decode(data)
    assert read == Price(1.0) and isinstance(read.price, float)
    with pytest.raises(packord.MsgpackDecodeError, match=r"not_canonical at byte 7 \(\$\.price\)"):
        packord.Decoder(Price, canonical=True).decode(packord.packb(Price(1.0)))
