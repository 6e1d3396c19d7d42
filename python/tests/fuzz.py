"""Reads mutated messages in every way there is: by types, as records, as views, in streams.

    PYTHONMALLOC=debug python tests/fuzz.py [SECONDS] [SEED]

The messages are the vectors of the specification and packed objects of the types. Whatever the bytes,
a reader returns a value or raises the package's own error with a place within them, and readers that
must agree do. The message at work is in the file that is named at first, if a crash ends the program.
"""

from __future__ import annotations

import collections
import dataclasses
import datetime
import enum
import faulthandler
import os
import random
import re
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple, TypedDict

import vectors

import packord
from packord import MsgpackDecodeError


class Color(enum.Enum):
    RED = "red"
    TWO = 2


class Pair(NamedTuple):
    x: int
    y: float = 0.0


class Row(TypedDict, total=False):
    id: int
    name: str


@dataclasses.dataclass
class Leaf:
    kind: Literal["leaf"]
    value: int | str | None = None
    color: Color = Color.RED
    at: datetime.datetime | None = None


@dataclasses.dataclass(slots=True)
class Branch:
    kind: Literal["branch"]
    children: list[Leaf | Branch]
    data: memoryview | None = None
    ids: frozenset[uuid.UUID] = frozenset()


@dataclasses.dataclass
class Cat:
    name: Annotated[str, packord.Field(name="Name")]
    lives: int


@dataclasses.dataclass
class Dog:
    name: str
    breed: str | bytes


TYPES: list[Any] = [
    Leaf | Branch, list[Leaf | Branch], Cat | Dog | list[Pair] | int, dict[str, Row], list[Row],
    dict[int | str, list[float]], tuple[int, str, bytes], tuple[Pair, ...], set[int | str],
    dict[str, Any], Decimal | Fraction | None, list[datetime.timedelta | datetime.date],
    list[memoryview | bytearray | str], Color | bool | float, packord.Ext | packord.Timestamp,
]  # fmt: skip
UTC = datetime.timezone.utc
LEAF = {"kind": "leaf", "value": "é", "color": 2, "at": datetime.datetime(2026, 1, 2, tzinfo=UTC)}
BRANCH = {
    "kind": "branch",
    "children": [LEAF, LEAF],
    "data": b"x" * 40,
    "ids": [str(uuid.UUID(int=5))],
}
VALUES: list[Any] = [
    BRANCH, [BRANCH, LEAF, BRANCH], {"Name": "c", "lives": 9}, {"name": "d", "breed": b"pug"},
    [[1, 2.5], [3]], {"a": {"id": 1, "name": "n"}, "b": {}}, [{"id": i, "name": "😀" * i} for i in range(9)],
    {1: [1.5], "k": [2]}, [1, "x", b"y"], [1, 2, "a"], {"long": ["text " * 40] * 3}, "1.5", [1.5, "2026-01-02"],
    ["a", b"bc"], 2, packord.Ext(5, b"abc"), packord.Timestamp(1, 5), {"deep": [[[[[[{"a": [{}]}]]]]]]},
]  # fmt: skip
OPTIONS: list[dict[str, Any]] = [
    {},
    {"bigint": True},
    {"rich": True},
    {"canonical": True},
    {"trailing": "allow"},
]
STRUCTURES = [["kind", "value", "color", "at"], ["id", "name"], ["Name", "lives"], []]
Reader = Callable[[Any], Any]


def seeds() -> tuple[list[bytes], list[bytes]]:
    """Packed objects of the types, and the vectors."""
    found = {packord.packb(value) for value in VALUES}
    records: dict[str, Any] = {"records": True}
    found |= {packord.packb(value, **records) for value in VALUES}
    encoder = packord.Encoder(structures=STRUCTURES)
    found |= {encoder.encode(value) for value in VALUES}
    kinds = ("valid", "invalid", "records", "stream")
    cases = [case for kind in kinds for _, case in vectors.cases(kind) if "bytes" in case]
    others = {vectors.expand(case["bytes"]) for case in cases}
    return sorted(found), sorted(data for data in others if len(data) < 3000)


def mutated(messages: tuple[list[bytes], list[bytes]], rng: random.Random) -> bytes:
    data = bytearray(rng.choice(rng.choice(messages)))
    for _ in range(rng.choice((0, 1, 1, 1, 2, 3, 8))):
        place = rng.randrange(len(data) + 1)
        end = min(len(data), place + rng.choice((1, 1, 2, 5, 30)))
        how = rng.randrange(8)
        if how == 0 and place < len(data):
            data[place] ^= 1 << rng.randrange(8)
        elif how == 1 and place < len(data):
            data[place] = rng.randrange(256)
        elif how == 2:
            del data[place:end]
        elif how == 3:
            data[place:place] = data[place:end] * rng.choice((1, 2, 16))
        elif how == 4:
            other = rng.choice(rng.choice(messages))
            begin = rng.randrange(len(other) + 1)
            data[place:end] = other[begin : begin + rng.randrange(60)]
        elif how == 5:
            # A header: of a container, a str, a bin, an ext, a record or its definition.
            markers = b"\x80\x90\xa0\xc1\xc4\xc6\xc7\xc9\xca\xcf\xd3\xd4\xd5\xd8\xd9\xdb\xdc\xdd\xde\xdf\x40"
            data[place:place] = bytes([rng.choice(markers), *rng.randbytes(rng.randrange(6))])
        elif how == 6:
            del data[place:]
        else:
            data[place:place] = b"\x91" * rng.choice((1, 20, 1100))
    return bytes(data[:5000])


class Fuzzer:
    """The readers, and what each of them has done."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng
        self.counts: collections.Counter[str] = collections.Counter()
        self.typed: list[packord.Decoder[Any]] = []
        keywords: list[dict[str, Any]] = [
            {}, {"strict": False}, {"forbid_unknown_fields": True, "duplicate_key": "error"},
            {"records": True}, {"structures": STRUCTURES}, {"rich": True, "max_depth": 9},
            {"dec_hook": lambda cls, value: value, "max_nodes": 200, "utf8": "replace"},
        ]  # fmt: skip
        for wanted in TYPES:
            self.typed += [packord.Decoder(wanted, **options) for options in keywords]
        self.records = [
            packord.Decoder(records=True, **option, **more)
            for option in OPTIONS[:3]
            for more in ({}, {"structures": STRUCTURES}, {"max_record_keys": 3, "tuples": True})
        ]

    def outcome(self, name: str, read: Reader, data: Any) -> Any:
        """What a reader makes of the bytes: a value as text, or its error."""
        try:
            found = re.sub("0x[0-9a-f]+", "", repr(read(data)))
            self.counts[f"{name}: read"] += 1
            return found
        except MsgpackDecodeError as error:
            offset = error.offset
            assert error.kind is not None, error
            assert offset is None or 0 <= offset <= len(data), (offset, error)
            self.counts[f"{name}: refused"] += 1
            return error.kind, offset

    def try_all(self, data: bytes) -> None:
        rng = self.rng
        option = rng.choice(OPTIONS)
        plain = self.outcome("plain", lambda data: packord.unpackb(data, **option), data)
        same = packord.Decoder(**option)
        assert plain == self.outcome("plain", same.decode, bytearray(data)), plain
        for reader in rng.sample(self.typed, 6):
            self.outcome("typed", reader.decode, data)
        for reader in rng.sample(self.records, 2):
            copy = rng.choice((bytes, bytearray, memoryview))(data)
            self.outcome("records", reader.decode, copy)
        self.outcome("view", self.look, data)
        self.streams(data)

    def look(self, data: bytes) -> Any:
        """Parts of a message, by steps that are taken at random."""
        rng, view = self.rng, packord.View(data, duplicate_key=self.rng.choice(("first", "last")))
        found: list[Any] = [view.kind]
        for _ in range(4):
            if not isinstance(view, packord.View):
                break
            key = rng.choice((0, 1, -1, "kind", "children", "id", "a", None))
            try:
                found += [view.kind, len(view), key in view, len(view.packed())]
                found.append(list(view)[:3] if rng.random() < 0.5 else view.unpack())
                view = view[key] if rng.random() < 0.5 else view.get(key, 0, default=view)
            except (KeyError, IndexError, TypeError) as error:
                # Another kind of value: faults in it come to light when it is passed over.
                found.append(type(error).__name__)
                view = view.get(0) if rng.random() < 0.5 else view
        return found

    def streams(self, data: bytes) -> None:
        """Messages in pieces: the same whatever the pieces, and all other calls return."""
        rng = self.rng
        options: dict[str, Any] = {"max_buffer": 1 << 14}
        if rng.random() < 0.7:
            options |= {"records": True, "sequential": rng.random() < 0.5}
        if rng.random() < 0.5:
            options["type"] = rng.choice(TYPES)

        def run(sizes: Callable[[], int]) -> Any:
            found: list[Any] = []
            unpacker, at = packord.Unpacker(**options), 0
            while True:
                piece = data[at : at + sizes()]
                at += len(piece)
                unpacker.feed(piece)
                found += unpacker
                if not piece:
                    unpacker.finish()
                    return found

        whole = self.outcome("stream", lambda _: run(lambda: 10_000), data)
        cut = self.outcome("stream", lambda _: run(lambda: rng.randrange(1, 9)), data)
        # Of two faults in a map, a union of classes can name the second one while the map is not whole.
        both_refused = "type" in options and isinstance(whole, tuple) and isinstance(cut, tuple)
        assert whole == cut or both_refused, (whole, cut, options)
        unpacker = packord.Unpacker(**options)

        def steps() -> None:
            unpacker.feed(data)
            for _ in range(10):
                call = rng.choice((unpacker.skip, unpacker.read_array_header, unpacker.unpack,
                                   unpacker.read_map_header, unpacker.tell,
                                   lambda: unpacker.read_bytes(rng.randrange(9))))  # fmt: skip
                try:
                    call()
                except packord.OutOfData:
                    unpacker.feed(data[: rng.randrange(9)])

        try:
            steps()
            self.counts["stream, other calls: read"] += 1
        except MsgpackDecodeError as error:
            assert error.kind is not None
            self.counts["stream, other calls: refused"] += 1


def run(seconds: float, seed: int, place: str) -> collections.Counter[str]:
    rng, messages = random.Random(seed), seeds()
    fuzzer, end = Fuzzer(rng), time.monotonic() + seconds
    with open(place, "wb", buffering=0) as file:
        while time.monotonic() < end:
            data = mutated(messages, rng)
            file.seek(0)
            file.write(len(data).to_bytes(4, "big") + data)
            try:
                fuzzer.try_all(data)
            except Exception:
                print(f"seed {seed}, message {data.hex()}", file=sys.stderr)
                raise
            fuzzer.counts["messages"] += 1
    os.unlink(place)
    return fuzzer.counts


def main() -> None:
    faulthandler.enable()
    # For the text of what is deep.
    sys.setrecursionlimit(20_000)
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else random.randrange(2**32)
    handle, place = tempfile.mkstemp(prefix="packord-fuzz-")
    os.close(handle)
    print(
        f"seed {seed}; {sum(map(len, seeds()))} messages to begin with; the message at work is in {place}",
        flush=True,
    )
    for name, count in sorted(run(seconds, seed, place).items()):
        print(f"{name:32}{count:12,}")


if __name__ == "__main__":
    main()
