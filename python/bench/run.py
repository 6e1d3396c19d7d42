"""Runs packord and its peers, interleaved in one process, and writes the ratios as JSON.

    python bench/run.py [--out results.json] [--rows text] [--survey]

``--survey`` takes the rows of ``survey.py`` in place of the others.
``QUICK=1`` takes a seventh of the time. A row's figure is the median of many rounds; in each
round every package runs once, in turn, so that the machine's moods meet all of them. What counts
is the processor's time for this process, so that others on the machine don't count.
"""

from __future__ import annotations

import argparse
import gc
import importlib.metadata
import json
import marshal
import os
import pickle
import platform
import random
import resource
import statistics
import sys
import time
import tracemalloc
from collections.abc import Callable
from pathlib import Path
from typing import Any

import cbor2
import documents
import msgpack
import msgspec
import numpy
import orjson
import ormsgpack
import pydantic
import survey

import packord

Call = Callable[[], object]
PEERS = ["ormsgpack", "msgspec", "msgpack", "orjson", "json", "cbor2"]
SECONDS_PER_ROW = 0.3 if os.environ.get("QUICK") else 2.0


def rows() -> dict[str, dict[str, Call]]:
    """Every row: for each package the call to be measured."""
    rng = random.Random(1)
    plain: dict[str, Any] = {
        "github": documents.github(),
        "twitter": documents.twitter(),
        "small dict": documents.small(),
        "1000 events": documents.events(rng),
        "int32 list": [rng.randrange(-(2**31), 2**31) for _ in range(10_000)],
        "small-int list": [rng.randrange(100) for _ in range(10_000)],
        "float list": [rng.random() for _ in range(10_000)],
        "ASCII strings": ["x" * rng.randrange(5, 40) for _ in range(10_000)],
    }
    found: dict[str, dict[str, Call]] = {}
    for name, value in plain.items():
        found[f"{name} enc"] = encoders(value)
        found[f"{name} dec"] = decoders(value)
    found |= native_rows(rng)
    found |= numpy_rows(rng)
    found |= typed_rows(rng)
    found |= view_rows()
    return found


def encoders(value: Any) -> dict[str, Call]:
    encoder = msgspec.msgpack.Encoder()
    return {
        "packord": lambda: packord.packb(value),
        "ormsgpack": lambda: ormsgpack.packb(value),
        "msgspec": lambda: encoder.encode(value),
        "msgpack": lambda: msgpack.packb(value),
        "orjson": lambda: orjson.dumps(value),
        "json": lambda: json.dumps(value),
        "cbor2": lambda: cbor2.dumps(value),
        "marshal": lambda: marshal.dumps(value),
        "pickle": lambda: pickle.dumps(value, 5),
    }


def decoders(value: Any) -> dict[str, Call]:
    packed, text, cbor = packord.packb(value), orjson.dumps(value), cbor2.dumps(value)
    marshalled, pickled = marshal.dumps(value), pickle.dumps(value, 5)
    decoder = msgspec.msgpack.Decoder()
    return {
        "packord": lambda: packord.unpackb(packed),
        "ormsgpack": lambda: ormsgpack.unpackb(packed),
        "msgspec": lambda: decoder.decode(packed),
        "msgpack": lambda: msgpack.unpackb(packed),
        "orjson": lambda: orjson.loads(text),
        "json": lambda: json.loads(text),
        "cbor2": lambda: cbor2.loads(cbor),
        "marshal": lambda: marshal.loads(marshalled),
        "pickle": lambda: pickle.loads(pickled),
    }


def native_rows(rng: random.Random) -> dict[str, dict[str, Call]]:
    def mine(value: Any, option: int = 0) -> dict[str, Call]:
        encoder = msgspec.msgpack.Encoder()
        calls: dict[str, Call] = {
            "packord": lambda: packord.packb(value),
            "ormsgpack": lambda: ormsgpack.packb(value, option=option),
        }
        if not option & ormsgpack.OPT_SERIALIZE_PYDANTIC:
            calls["msgspec"] = lambda: encoder.encode(value)
            calls["orjson"] = lambda: orjson.dumps(value)
        return calls

    class Model(pydantic.BaseModel):
        id: int
        name: str
        price: float
        tags: list[str]

    utc = documents.datetime.timezone.utc
    models = [Model(id=i, name="name", price=0.5, tags=["a", "b"]) for i in range(2000)]
    return {
        "dataclass enc": mine(documents.items(documents.Item, rng)),
        "dataclass slots enc": mine(documents.items(documents.SlotItem, rng)),
        "pydantic enc": mine(models, ormsgpack.OPT_SERIALIZE_PYDANTIC),
        "datetime text enc": mine(documents.datetimes(rng)),
        "datetime ext enc": mine(
            documents.datetimes(rng, utc), ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT
        ),
        "enum enc": mine([rng.choice(list(documents.Color)) for _ in range(10_000)]),
        "uuid enc": mine(documents.uuids(rng)),
    }


def numpy_rows(rng: random.Random) -> dict[str, dict[str, Call]]:
    generator = numpy.random.default_rng(rng.getrandbits(32))
    arrays = {
        "f64": generator.random((10_000, 100)),
        "i32": generator.integers(-(2**31), 2**31, (10_000, 100), dtype="i4"),
        "i8": generator.integers(-128, 128, (10_000, 100), dtype="i1"),
        "u8": generator.integers(0, 256, (10_000, 100), dtype="u1"),
        "bool": generator.integers(0, 2, (10_000, 100), dtype="u1").astype(bool),
    }

    def row(array: Any) -> dict[str, Call]:
        return {
            "packord": lambda: packord.packb(array),
            "ormsgpack": lambda: ormsgpack.packb(array, option=ormsgpack.OPT_SERIALIZE_NUMPY),
            "orjson": lambda: orjson.dumps(array, option=orjson.OPT_SERIALIZE_NUMPY),
        }

    return {f"numpy {name} enc": row(array) for name, array in arrays.items()}


def typed_rows(rng: random.Random) -> dict[str, dict[str, Call]]:
    struct = msgspec.defstruct(
        "Struct", [(f.name, f.type) for f in documents.dataclasses.fields(documents.Item)],
        namespace={"__module__": "documents"},
    )  # fmt: skip
    packed = packord.packb(documents.items(documents.Item, rng))
    found = {}
    for name, cls, theirs in (
        ("dataclass", documents.Item, documents.Item),
        ("dataclass slots", documents.SlotItem, documents.SlotItem),
        ("dataclass slots against Struct", documents.SlotItem, struct),
    ):
        ours = packord.Decoder(list[cls])  # type: ignore[valid-type]
        other = msgspec.msgpack.Decoder(list[theirs])  # type: ignore[valid-type]
        found[f"typed {name} dec"] = {
            "packord": lambda ours=ours: ours.decode(packed),  # type: ignore[misc]
            "msgspec": lambda other=other: other.decode(packed),  # type: ignore[misc]
        }
    return found


def view_rows() -> dict[str, dict[str, Call]]:
    """One field of 400 kB: near the beginning, in the middle, and at the end."""
    document = packord.packb(documents.large())
    near, middle, last = (
        ("statuses", 3, "id"),
        ("statuses", 260, "id"),
        ("search_metadata", "count"),
    )

    def row(path: tuple[Any, ...], duplicate_key: Any = "first") -> dict[str, Call]:
        return {
            "packord": lambda: packord.View(document, duplicate_key=duplicate_key).get(*path),
            "unpackb": lambda: packord.unpackb(document),
            "ormsgpack": lambda: ormsgpack.unpackb(document),
            "msgspec": lambda: msgspec.msgpack.decode(document),
        }

    return {
        "View, a near field": row(near),
        "View, a field in the middle": row(middle),
        "View, the last field": row(last),
        "View, the last of equal keys": row(near, "last"),
    }


def measure(calls: dict[str, Call], seconds: float) -> dict[str, float]:
    """The median time of each call, in microseconds; the results are freed within the loop."""
    loops = {}
    for name, call in calls.items():
        call()
        start = time.process_time()
        call()
        once = time.process_time() - start
        loops[name] = max(1, int(0.001 / max(once, 1e-7)))
    times: dict[str, list[float]] = {name: [] for name in calls}
    order = list(calls)
    end = time.process_time() + seconds
    while time.process_time() < end or len(times[order[0]]) < 5:
        random.shuffle(order)
        for name in order:
            call, count = calls[name], range(loops[name])
            start = time.process_time()
            for _ in count:
                call()
            times[name].append((time.process_time() - start) / loops[name])
    return {name: statistics.median(found) * 1e6 for name, found in times.items()}


def peaks(calls: dict[str, Call]) -> dict[str, int]:
    """The peak of memory that each call takes through Python's allocators, in bytes."""
    found = {}
    for name in ("packord", "ormsgpack"):
        if name in calls:
            tracemalloc.start()
            calls[name]()
            found[name] = tracemalloc.get_traced_memory()[1]
            tracemalloc.stop()
    return found


def faults(calls: dict[str, Call]) -> dict[str, float]:
    """The median number of minor page faults per call."""
    found: dict[str, list[int]] = {name: [] for name in calls}
    for _ in range(9):
        for name, call in calls.items():
            before = resource.getrusage(resource.RUSAGE_SELF).ru_minflt
            call()
            found[name].append(resource.getrusage(resource.RUSAGE_SELF).ru_minflt - before)
    return {name: statistics.median(counts) for name, counts in found.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--out", type=Path, default=Path("bench-results.json"))
    parser.add_argument(
        "--rows", default="", help="only rows whose name contains one of these: a,b"
    )
    parser.add_argument("--survey", action="store_true", help="text of each kind, thirty shapes")
    arguments = parser.parse_args()
    results: dict[str, Any] = {}
    for name, calls in (survey.rows() if arguments.survey else rows()).items():
        if not any(part in name for part in arguments.rows.split(",")):
            continue
        gc.collect()
        gc.disable()
        seconds = SECONDS_PER_ROW / 4 if arguments.survey else SECONDS_PER_ROW
        times = measure(calls, seconds)
        page_faults = faults(calls)
        gc.enable()
        with_gc = measure({n: calls[n] for n in ("packord", "ormsgpack") if n in calls},
                          seconds / 4)  # fmt: skip
        ratios = {peer: times[peer] / times["packord"] for peer in times if peer != "packord"}
        results[name] = {
            "microseconds": times,
            "ratios": ratios,
            "microseconds_gc_on": with_gc,
            "peak_bytes": peaks(calls),
            "minor_faults": page_faults,
        }
        shown = "  ".join(f"{peer} {ratio:5.2f}" for peer, ratio in ratios.items())
        print(f"{name:36} {times['packord']:10.1f} us   {shown}", flush=True)
    versions = {name: importlib.metadata.version(name) for name in PEERS if name != "json"}
    report = {
        "python": sys.version.split()[0],
        "machine": platform.machine(),
        "versions": versions,
        "quick": bool(os.environ.get("QUICK")),
        "rows": results,
    }
    arguments.out.write_text(json.dumps(report, indent=1) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
