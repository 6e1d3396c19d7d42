"""The rows of ``run.py --survey``: text of each kind and length, thirty shapes, and types."""

from __future__ import annotations

import datetime
import marshal
import pickle
import random
from collections.abc import Callable
from typing import Any

import msgpack
import msgspec
import ormsgpack
import typed_shapes

import packord

Call = Callable[[], object]

LENGTHS = (3, 10, 50, 300, 1000, 4000, 20_000)
SENTENCES = {
    "English": "The quick brown fox jumps over the lazy dog, and five boxing wizards watch it. ",
    "German": "Die schöne Küste lag im Nebel, während größere Möwen über die Dächer flogen. ",
    "Chinese": "他们在山上看着远处的河流慢慢地流过平原，村庄里的人们正在准备晚饭。天空很蓝。",
    "emoji": "😀🎉🚀 great news 👍 everyone 🙌🏽 it 🚀 went well 😎 thanks all 💚💙 bye 👋 ",
}


def rows() -> dict[str, dict[str, Call]]:
    """Every row: for each package the call to be measured."""
    rng = random.Random(16)
    found: dict[str, dict[str, Call]] = {}
    for kind, sentence in (*SENTENCES.items(), ("English with a quote", SENTENCES["English"])):
        for length in LENGTHS:
            count = max(4, min(1000, 100_000 // length))
            texts = [cut(sentence, length, rng) for _ in range(count)]
            if kind == "English with a quote":
                texts = [text[: at(text)] + "’" + text[at(text) + 1 :] for text in texts]
            found |= both(f"{kind} {length}", texts)
            found |= both(f"{kind} {length} keys", [dict.fromkeys(texts[:200], 1)] * 3)
    for name, value in shapes(rng).items():
        found |= both(name, value)
    return found | typed_shapes.rows()


def cut(sentence: str, length: int, rng: random.Random) -> str:
    start = rng.randrange(len(sentence))
    return (sentence[start:] + sentence * (length // len(sentence) + 1))[:length]


def at(text: str) -> int:
    return len(text) * 5 // 7


def shapes(rng: random.Random) -> dict[str, Any]:
    def numbers(low: int, high: int) -> list[int]:
        return [rng.randrange(low, high) for _ in range(5000)]

    def word() -> str:
        return "".join(rng.choice("abcdefghijklmnop") for _ in range(rng.randrange(3, 10)))

    def letters(low: int, high: int) -> list[str]:
        return ["x" * rng.randrange(low, high) for _ in range(1000)]

    wide = [f"field_{index}" for index in range(12)]
    optional = [f"optional_{index}" for index in range(16)]
    accents = ["größe", "straße", "höhe", "名前", "住所", "prénom"]
    articles = [
        {
            "title": cut(sentence, 60, rng),
            "text": "\n".join(cut(sentence, 700, rng) for _ in "12345"),
        }
        for sentence in SENTENCES.values()
        for _ in range(15)
    ]
    nested: Any = 1
    for _ in range(500):
        nested = [nested]
    utc = datetime.timezone.utc
    start = datetime.datetime(2020, 1, 1, tzinfo=utc)
    return {
        "long articles": articles,
        "dictionary of many keys": {word() + str(index): index for index in range(5000)},
        "distinct keys": [{word(): 1, word(): 2, word(): 3} for _ in range(500)],
        "integer keys": [{rng.randrange(10**6): 1 for _ in range(50)} for _ in range(50)],
        "keys that are not ASCII": [dict.fromkeys(accents, index) for index in range(500)],
        "3 fields": [{"id": index, "x": 0.5, "name": word()} for index in range(1000)],
        "12 fields": [dict.fromkeys(wide, index) for index in range(500)],
        "optional fields": [
            {key: index for key in optional if rng.random() < 0.5} for index in range(500)
        ],
        "coordinates": [[rng.uniform(-180, 180), rng.uniform(-90, 90)] for _ in range(2000)],
        "matrix": [[rng.random() for _ in range(100)] for _ in range(50)],
        "booleans and nils": [rng.choice([True, False, None]) for _ in range(5000)],
        "integers to 2^7": numbers(0, 2**7),
        "integers to 2^8": numbers(2**7, 2**8),
        "integers to 2^16": numbers(0, 2**16),
        "integers to 2^32": numbers(0, 2**32),
        "integers of 2^40 to 2^63": [
            2 ** rng.randrange(40, 63) + word_bits for word_bits in numbers(0, 2**40)
        ],
        "integers to 2^63": numbers(2**40, 2**63),
        "integers to 2^64": numbers(2**63, 2**64),
        "negative integers": numbers(-(2**31), 0),
        "floats": [rng.random() for _ in range(5000)],
        "str of 0 to 7": letters(0, 8),
        "str of 8 to 31": letters(8, 32),
        "str of 32 to 255": letters(32, 256),
        "str of 256 to 2000": letters(256, 2000),
        "bytes of 0 to 31": [text.encode() for text in letters(0, 32)],
        "bytes of 32 to 2000": [text.encode() for text in letters(32, 2000)],
        "empty containers": [rng.choice([[], {}, "", b""]) for _ in range(5000)],
        "500 levels": nested,
        "tuples": [(index, word(), 0.5) for index in range(1000)],
        "one tiny value": {"a": 1},
        "timestamps": [
            start + datetime.timedelta(microseconds=rng.randrange(10**15)) for _ in range(1000)
        ],
    }


def both(name: str, value: Any) -> dict[str, dict[str, Call]]:
    """Writing and reading. Each package has a value of its own: what one of them has CPython keep
    of a string is of no use to the others."""
    times = name == "timestamps"
    flags = ormsgpack.OPT_NON_STR_KEYS if name == "integer keys" else 0
    flags |= ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT if times else 0
    encoder, decoder = msgspec.msgpack.Encoder(), msgspec.msgpack.Decoder()
    packed = packord.packb(value)
    theirs = {"strict_map_key": False, "timestamp": 3 if times else 0}
    mine, orm, spec, plain, other = (
        value if name == "tuples" else packord.unpackb(packed) for _ in range(5)
    )
    writers: dict[str, Call] = {
        "packord": lambda: packord.packb(mine),
        "ormsgpack": lambda: ormsgpack.packb(orm),
        "msgspec": lambda: encoder.encode(spec),
        "msgpack": lambda: msgpack.packb(plain, datetime=times),
    }
    readers: dict[str, Call] = {
        "packord": lambda: packord.unpackb(packed),
        "ormsgpack": lambda: ormsgpack.unpackb(packed),
        "msgspec": lambda: decoder.decode(packed),
        "msgpack": lambda: msgpack.unpackb(packed, **theirs),
    }
    if flags:
        writers["ormsgpack"] = lambda: ormsgpack.packb(orm, option=flags)
        readers["ormsgpack"] = lambda: ormsgpack.unpackb(packed, option=flags)
    if not times:
        marshalled = marshal.dumps(value)
        writers["marshal"] = lambda: marshal.dumps(other)
        readers["marshal"] = lambda: marshal.loads(marshalled)
    if name == "500 levels":
        del writers["ormsgpack"]  # too deep for it, and for pickle
    else:
        pickled = pickle.dumps(value, 5)
        writers["pickle"] = lambda: pickle.dumps(other, 5)
        readers["pickle"] = lambda: pickle.loads(pickled)
    return {f"{name} enc": writers, f"{name} dec": readers}
