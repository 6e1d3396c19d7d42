"""The rows of ``run.py --survey`` that read four shapes into types, compared with msgspec."""

from __future__ import annotations

import dataclasses
import random
from collections.abc import Callable
from typing import Any, Generic, Literal, TypeVar

import msgspec

import packord

Call = Callable[[], object]
T = TypeVar("T")

WORDS: dict[type, Any] = {int: 5, str: "abc", float: 0.5, bool: True}
WIDE = [(f"field_{index}", (int, str, float, bool)[index % 4]) for index in range(30)]


@dataclasses.dataclass
class Box(Generic[T]):
    value: T
    label: str
    items: list[T]


@dataclasses.dataclass
class Pair(Generic[T]):
    left: Box[T]
    right: Box[str]
    number: int


@dataclasses.dataclass(slots=True)
class SlotBox(Generic[T]):
    value: T
    label: str
    items: list[T]


@dataclasses.dataclass(slots=True)
class SlotPair(Generic[T]):
    left: SlotBox[T]
    right: SlotBox[str]
    number: int


class StructBox(msgspec.Struct, Generic[T]):
    value: T
    label: str
    items: list[T]


class StructPair(msgspec.Struct, Generic[T]):
    left: StructBox[T]
    right: StructBox[str]
    number: int


@dataclasses.dataclass(slots=True)
class Point:
    kind: Literal["point"]
    x: int
    y: float


@dataclasses.dataclass(slots=True)
class Note:
    kind: Literal["note"]
    text: str
    size: int


class StructPoint(msgspec.Struct, tag_field="kind", tag="point"):
    x: int
    y: float


class StructNote(msgspec.Struct, tag_field="kind", tag="note"):
    text: str
    size: int


def rows() -> dict[str, dict[str, Call]]:
    """For each shape: dataclasses in both packages, and slots compared with ``msgspec.Struct``.

    msgspec has no unions of several dataclasses, so tagged unions have the second row only.
    """
    rng = random.Random(16)
    optional = [f"optional_{index}" for index in range(12)]
    missing = [(name, int | None, dataclasses.field(default=None)) for name in optional]
    make = dataclasses.make_dataclass
    left = {"label": "x", "items": [1, 2]}
    right = {"value": "a", "label": "y", "items": ["q"]}
    point, note = {"kind": "point", "x": 1, "y": 0.5}, {"kind": "note", "text": "abc", "size": 4}
    shapes: list[tuple[str, list[Any], Any, Any, Any]] = [
        (
            "nested generics",
            [{"left": {"value": n, **left}, "right": right, "number": n} for n in range(500)],
            Pair[int], SlotPair[int], StructPair[int],
        ),
        (
            "tagged unions",
            [rng.choice([point, note]) for _ in range(1000)],
            None, Point | Note, StructPoint | StructNote,
        ),
        (
            "optional fields",
            [{name: 7 for name in optional if rng.random() < 0.5} for _ in range(1000)],
            make("Optional", missing), make("SlotOptional", missing, slots=True),
            msgspec.defstruct("StructOptional", [(name, int | None, None) for name in optional]),
        ),
        (
            "30 fields",
            [{name: WORDS[kind] for name, kind in WIDE}] * 300,
            make("Wide", WIDE), make("SlotWide", WIDE, slots=True),
            msgspec.defstruct("StructWide", WIDE),
        ),
    ]  # fmt: skip
    found = {}
    for name, value, plain, slots, struct in shapes:
        packed = packord.packb(value)
        if plain:
            found[f"typed {name} dec"] = both(packed, plain, plain)
        found[f"typed {name}, slots against Struct dec"] = both(packed, slots, struct)
    return found


def both(packed: bytes, mine: Any, other: Any) -> dict[str, Call]:
    ours, theirs = packord.Decoder(list[mine]), msgspec.msgpack.Decoder(list[other])
    return {"packord": lambda: ours.decode(packed), "msgspec": lambda: theirs.decode(packed)}
