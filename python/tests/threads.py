"""Threads change lists, dicts, objects and buffers while threads pack and read them.

    python tests/threads.py [SECONDS] [THREADS]

Needs the package and the standard library only, so that it runs with every CPython there is a wheel
for. A crash ends it; so does any exception but the package's own, and a message that a thread has
packed and nobody can read.
"""

from __future__ import annotations

import collections
import dataclasses
import faulthandler
import random
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import packord


@dataclasses.dataclass
class Node:
    name: str
    values: list[Any]
    more: dict[str, Any] = dataclasses.field(default_factory=dict)
    child: Node | None = None


class Opaque:
    """What only ``default`` knows: where threads take turns."""

    def __init__(self, value: Any) -> None:
        self.value = value


def default(value: Any) -> Any:
    if not isinstance(value, Opaque):
        raise TypeError(type(value).__name__)
    # Another thread runs meanwhile, where there is a GIL too.
    time.sleep(0)
    return value.value


class Shared:
    """What all threads pack, and all threads change."""

    def __init__(self) -> None:
        self.list: list[Any] = [Opaque([1, "é" * 20, 2.5]), *range(50), "text", b"bytes"]
        self.dict: dict[str, Any] = {f"key {index}": Opaque(index) for index in range(20)}
        self.node = Node("root", self.list, self.dict, Node("child", [1, 2, 3]))
        self.buffer = bytearray(packord.packb([{"id": index, "name": "n"} for index in range(50)]))
        self.everything = [self.list, self.dict, self.node, (self.list, self.dict)]
        options: dict[str, Any] = {"records": True}
        self.encoders = [
            packord.Encoder(default=default),
            packord.Encoder(default=default, **options),
            packord.Encoder(default=default, sort_keys=True),
        ]
        self.decoders = [packord.Decoder(), packord.Decoder(list[dict[str, Any]])]
        # These serve one call at a time, and say so to the others.
        self.own_encoder = packord.Encoder(structures=[])
        self.unpacker = packord.Unpacker(max_buffer=1 << 16)


def change(shared: Shared, rng: random.Random) -> str:
    what = rng.randrange(7)
    if what == 0:
        shared.list.append(rng.choice([1, "x" * 50, Opaque(shared.dict), [], 2**70 >> 8]))
    elif what == 1 and shared.list:
        del shared.list[rng.randrange(len(shared.list)) :: 2]
    elif what == 2:
        shared.list[:] = [Opaque([rng.random()]), "a", *range(rng.randrange(300))]
    elif what == 3:
        shared.dict[f"key {rng.randrange(100)}"] = Opaque(rng.randrange(2**40))
    elif what == 4 and len(shared.dict) > 5:
        shared.dict.pop(rng.choice([*shared.dict]), None)
    elif what == 5:
        shared.node.child = Node(f"child {rng.random()}", [Opaque("a")], {"b": Opaque(None)})
    else:
        place = rng.randrange(len(shared.buffer))
        shared.buffer[place] = rng.randrange(256)
    return "changes"


def pack(shared: Shared, rng: random.Random) -> str:
    value = rng.choice(shared.everything)
    if rng.random() < 0.2:
        value = [{"id": 1, "name": "n"}, value]
    which = rng.randrange(len(shared.encoders) + 1)
    try:
        if which == len(shared.encoders):
            packed = packord.packb(value, default=default)
        else:
            packed = shared.encoders[which].encode(value)
    except packord.MsgpackEncodeError as error:
        # It was changed meanwhile: an error, which the path names.
        return f"refused: {error.kind}"
    packord.unpackb(packed, records=which == 1)
    return "packed"


def read(shared: Shared, rng: random.Random) -> str:
    try:
        # While it is read, nobody can change the size of a bytearray.
        rng.choice(shared.decoders).decode(shared.buffer)
        view = packord.View(shared.buffer)
        view.get(rng.randrange(60), "id")
    except packord.MsgpackDecodeError:
        shared.buffer[:] = packord.packb([{"id": index, "name": "n"} for index in range(50)])
        return "refused bytes"
    except (TypeError, KeyError, IndexError):
        # The view's value at the path is another one now.
        return "looked in vain"
    return "read"


def take_turns(shared: Shared, rng: random.Random) -> str:
    """What serves one call at a time."""
    row = {"id": rng.randrange(100), f"k{rng.randrange(40)}": 1}
    if rng.random() < 0.5:
        shared.own_encoder.encode(row)
    else:
        shared.unpacker.feed(packord.packb(row))
        for _ in shared.unpacker:
            pass
    return "turns"


def once(action: Callable[[Shared, random.Random], str], shared: Shared, rng: random.Random) -> str:
    try:
        return action(shared, rng)
    except BufferError:
        # It is being read.
        return "held buffer"
    except (ValueError, RuntimeError) as error:
        if isinstance(error, packord.MsgpackDecodeError) or "can't be used" not in str(error):
            raise
        return "busy"


def run(seconds: float, count: int) -> collections.Counter[str]:
    """Runs threads for a time; returns what they did, how often. Raises the first failure."""
    shared, total = Shared(), collections.Counter[str]()
    failures: list[BaseException] = []
    end = time.monotonic() + seconds

    def work(seed: int) -> None:
        rng, done = random.Random(seed), collections.Counter[str]()
        actions = (pack, pack, change, change, read, take_turns)
        try:
            while time.monotonic() < end and not failures:
                done[once(rng.choice(actions), shared, rng)] += 1
        except BaseException as error:
            failures.append(error)
        total.update(done)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]
    return total


def main() -> None:
    faulthandler.enable()
    sys.setswitchinterval(1e-6)
    seconds, count = (*map(float, sys.argv[1:]), *(60.0, 8.0)[len(sys.argv) - 1 :])
    done = run(seconds, int(count))
    shown = ", ".join(f"{name} {times:,}" for name, times in sorted(done.items()))
    gil = getattr(sys, "_is_gil_enabled", lambda: True)()
    print(f"CPython {sys.version.split()[0]}, {'with' if gil else 'without'} the GIL, "
          f"{int(count)} threads, {seconds:g} s: {shown}")  # fmt: skip


if __name__ == "__main__":
    main()
