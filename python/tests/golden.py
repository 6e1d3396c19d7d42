"""Compares what readers make of mutated messages, and writers of generated values, with kept hashes.

    python tests/golden.py [--write] [--share N] [GROUP …]

Each reader gets a million mutated vectors, each writer 200,000 values, always the same ones. A hash
covers a tenth of a group: values, or kind, offset and path of the error; bytes, or kind and path. It is
run before and after code is moved, which must change nothing. ``--write`` keeps the hashes of a change
that is meant; ``--share 50`` runs a fiftieth, which has hashes of its own.
"""

from __future__ import annotations

import argparse
import dataclasses
import datetime
import decimal
import enum
import hashlib
import json
import os
import random
import sys
import uuid
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Literal, NamedTuple

import vectors

import packord
from packord.compat import msgpack, ormsgpack

KEPT = Path(__file__).parent / "golden.json"
MESSAGES, VALUES, PARTS = 1_000_000, 200_000, 10


class Color(enum.Enum):
    RED = "red"
    TWO = 2


class Pair(NamedTuple):
    x: int
    y: float | None = None


@dataclasses.dataclass
class Leaf:
    kind: Literal["leaf"] = "leaf"
    value: int | str | None = None
    color: Color = Color.RED
    at: datetime.datetime | None = None


@dataclasses.dataclass(slots=True)
class Branch:
    leaves: list[Leaf]
    pairs: dict[str, Pair] = dataclasses.field(default_factory=dict)
    kind: Literal["branch"] = "branch"
    extra: Any = None


Typed = Branch | Leaf | list[Leaf | int | str] | int | str | float | bytes | datetime.datetime


def of_view(data: bytes) -> Any:
    view = packord.View(data)
    return [len(view), view.kind, [str(part) for part in view][:5]] if data else None


def of_stream(data: bytes, size: int, **options: Any) -> list[Any]:
    unpacker, found = packord.Unpacker(**options), list[Any]()
    for start in range(0, len(data), size):
        try:
            unpacker.feed(data[start : start + size])
            found += unpacker
        except packord.MsgpackDecodeError as error:
            found.append(place(error))
    return found


def decoder(wanted: Any = ..., **options: Any) -> Callable[[bytes], Any]:
    return packord.Decoder(wanted, **options).decode


LIMITS: Any = {"max_depth": 5, "max_nodes": 30, "max_str_len": 9, "max_array_len": 9}
READERS: dict[str, Callable[[bytes], Any]] = {
    "plain": packord.unpackb,
    "rich": decoder(rich=True, bigint=True),
    "limits": decoder(duplicate_key="error", unknown_ext="error", utf8="replace", **LIMITS),
    "canonical": decoder(canonical=True, rich=True, bigint=True),
    "records": lambda data: packord.unpackb(data, records=True),
    "columns": decoder(columns=True, bigint=True),
    "typed": decoder(Typed),
    "typed rich": decoder(Typed, rich=True, strict=False, max_nodes=1000),
    "view": of_view,
    "stream": lambda data: of_stream(data, 7),
    "stream of records": lambda data: of_stream(data, 9, records=True, sequential=True),
    "msgpack": lambda data: msgpack.unpackb(data, strict_map_key=False, timestamp=1),
    "ormsgpack": lambda data: ormsgpack.unpackb(data, option=ormsgpack.OPT_NON_STR_KEYS),
}
WRITERS: dict[str, Callable[[Any], bytes]] = {
    "write plain": packord.packb,
    "write rich": packord.Encoder(rich=True, bigint=True, default=repr).encode,
    "write canonical": packord.Encoder(canonical=True, default=repr).encode,
    "write records": lambda value: packord.packb(value, records=True, default=repr),
    "write columns": packord.Encoder(columns=True, rename="camel", default=repr).encode,
    "write sorted": packord.Encoder(sort_keys=True, skip_nil=True, float32=True).encode,
    "write msgpack": lambda value: msgpack.packb(value, default=repr),
    "write ormsgpack": lambda value: ormsgpack.packb(value, repr, ormsgpack.OPT_NON_STR_KEYS),
}


def messages(count: int) -> Iterator[bytes]:
    """Vectors with bytes changed, put in, left out and cut off."""
    kinds = ("valid", "invalid", "records", "columns", "typed")
    found = [vectors.expand(case["bytes"]) for kind in kinds for _, case in vectors.cases(kind)
             if isinstance(case.get("bytes"), (str, list))]  # fmt: skip
    seeds = [each for each in found if 0 < len(each) < 2000]
    seeds += [each for value in values(2000) if 0 < len(each := packed(value)) < 2000]
    draw = random.Random(5)
    for _ in range(count):
        data = bytearray(draw.choice(seeds))
        for _ in range(draw.choice((0, 1, 1, 2, 5))):
            at = draw.randrange(len(data) + 1)
            byte = draw.choice((draw.randrange(256), 0x92, 0x82, 0xA1, 0xC1, 0xD4, 0x40, 0xDF))
            data[at : at + draw.choice((0, 1, 1, 1, 2))] = bytes(
                (byte,) * draw.choice((0, 1, 1, 2))
            )
        yield bytes(data[: draw.randrange(len(data) + 1)] if draw.random() < 0.1 else data)


def packed(value: Any) -> bytes:
    try:
        return packord.packb(value, rich=True, bigint=True, records=hash(str(value)) % 2 == 0)
    except packord.MsgpackEncodeError:
        return b""


def values(count: int) -> Iterator[Any]:
    draw = random.Random(7)
    moment = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
    leaves: list[Callable[[], Any]] = [
        lambda: draw.choice((None, True, False, 0.0, -0.0, 1.5, float("nan"), float("inf"))),
        lambda: draw.getrandbits(draw.choice((3, 7, 8, 16, 32, 63, 64, 70))) * draw.choice((1, -1)),
        lambda: "".join(draw.choices("abz_Aé漢😀\0 ", k=draw.choice((0, 1, 5, 31, 32, 300)))),
        lambda: draw.randbytes(draw.choice((0, 1, 16, 255, 256))),
        lambda: moment + datetime.timedelta(microseconds=draw.randrange(-(10**16), 10**16)),
        lambda: draw.choice((moment.date(), moment.time(), datetime.timedelta(1, 2, 3), 1j)),
        lambda: draw.choice((uuid.UUID(int=5), decimal.Decimal("1.50"), Color.RED, Pair(1))),
        lambda: packord.Ext(draw.randrange(-128, 128), draw.randbytes(draw.choice((0, 4, 9)))),
        lambda: packord.Timestamp(draw.randrange(-(2**40), 2**40), draw.randrange(10**9)),
        lambda: Leaf(value=draw.choice((1, "x", None)), at=draw.choice((None, moment))),
    ]
    keys = ("id", "name", "é", 1, None, (1, "a"), b"k", "longer than thirty-one bytes it is")

    def value(depth: int) -> Any:
        kind = draw.random()
        if depth == 0 or kind < 0.5:
            return draw.choice(leaves)()
        if kind < 0.7:
            return [value(depth - 1) for _ in range(draw.choice((0, 1, 3, 17)))]
        if kind < 0.9:
            return {key: value(depth - 1) for key in draw.sample(keys, draw.randrange(6))}
        if kind < 0.95:
            return Branch([Leaf(value=i) for i in range(3)], {"p": Pair(2)}, extra=value(depth - 1))
        row = [{"id": i, "name": f"n{i}", "x": i / 3} for i in range(draw.choice((2, 40)))]
        return draw.choice((row, {1, 2, 3}, (1, "a"), draw.choices(range(300), k=20)))

    for _ in range(count):
        yield value(3)


def place(error: Any) -> str:
    return f"{error.kind} {error.offset} {error.path}"


def outcome(call: Callable[[Any], Any], value: Any) -> bytes:
    try:
        found = call(value)
    except (packord.MsgpackEncodeError, packord.MsgpackDecodeError) as error:
        return place(error).encode()
    except Exception as error:
        # Those of msgpack.
        return type(error).__name__.encode()
    return found if isinstance(found, bytes) else repr(found).encode("utf-8", "surrogatepass")


def hashes(call: Callable[[Any], Any], inputs: Iterator[Any], count: int) -> list[str]:
    found = []
    for _ in range(PARTS):
        digest = hashlib.sha256()
        for _ in range(count // PARTS):
            digest.update(outcome(call, next(inputs)) + b"\n")
        found.append(digest.hexdigest()[:16])
    return found


def main() -> None:
    if os.environ.get("PYTHONHASHSEED") != "0":
        # The order of sets is that of hashes.
        os.execve(sys.executable, [sys.executable, *sys.argv], os.environ | {"PYTHONHASHSEED": "0"})
    # `repr` of nested values.
    sys.setrecursionlimit(20_000)
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("groups", nargs="*")
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--share", type=int, default=1)
    asked = parser.parse_args()
    kept = json.loads(KEPT.read_text()) if KEPT.exists() else {}
    differ = []
    for name, call in (READERS | WRITERS).items():
        if asked.groups and name not in asked.groups:
            continue
        count = (MESSAGES if name in READERS else VALUES) // asked.share
        inputs: Iterator[Any] = messages(count) if name in READERS else values(count)
        found = hashes(call, inputs, count)
        known = kept.get(f"{name}/{asked.share}")
        kept[f"{name}/{asked.share}"] = found
        wrong = (
            [] if known is None else [part for part in range(PARTS) if known[part] != found[part]]
        )
        differ += [name] if wrong else []
        tenths = ", ".join(map(str, wrong))
        print(
            f"{name:20} {count:9,} "
            + (f"differ in tenths {tenths}" if wrong else "the same" if known else "new")
        )
    if asked.write:
        KEPT.write_text(json.dumps(kept, indent=1) + "\n")
    elif differ:
        sys.exit(f"{len(differ)} groups differ: {', '.join(differ)}")


if __name__ == "__main__":
    main()
