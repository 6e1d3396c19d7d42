"""The same bytes and values as the peers, over tables of cases and seeded random values."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import random
import uuid
from collections.abc import Callable
from typing import Any

import dateutil.tz
import msgpack
import msgspec
import numpy
import ormsgpack
import pendulum
import pydantic
import pytest
import pytz

import packord
from packord.compat import ormsgpack as ours

OPTIONS = [name for name in dir(ormsgpack) if name.startswith("OPT_")]


@pytest.mark.parametrize("name", OPTIONS)
def test_option_bits(name: str) -> None:
    assert getattr(ours, name) == getattr(ormsgpack, name)


class Plain:
    pass


class Text(str):
    pass


class Number(int):
    pass


class Items(list[Any]):
    pass


class Mapping(dict[str, Any]):
    pass


class Float(float):
    pass


class Raw(bytes):
    pass


class Array(bytearray):
    __hash__ = object.__hash__  # type: ignore[assignment]


class Moment(datetime.datetime):
    pass


class Day(datetime.date):
    pass


class Hour(datetime.time):
    pass


class Pair(tuple[Any, ...]):
    pass


class Color(enum.Enum):
    RED = "red"
    TWO = 2


class Derived(enum.Enum):
    RAW = Raw(b"x")
    LARGE = 2**64


class Level(enum.IntEnum):
    LOW = 1


@dataclasses.dataclass
class Data:
    b: int
    a: str = "x"
    _hidden: int = 5


@dataclasses.dataclass(slots=True)
class Slotted(Data):
    c: Any = None


class Model(pydantic.BaseModel):
    model_config = {"extra": "allow"}
    b: int
    a: str = "x"


class Missing:
    pass


broken = Data(1)
del broken.b

UTC = datetime.timezone.utc
MOMENT = datetime.datetime(2021, 2, 3, 4, 5, 6, 7000)
VALUES: list[Any] = [
    None, True, False, 0, 63, 64, 127, 128, 255, 256, 65535, 65536, 2**32 - 1, 2**32, 2**63, 2**64 - 1,
    2**64, -1, -32, -33, -128, -129, -32768, -32769, -(2**31), -(2**31) - 1, -(2**63), -(2**63) - 1,
    0.0, -0.0, 1.5, float("inf"), float("nan"), "", "a", "é", "日本", "🆗", "x" * 31, "x" * 32,
    "x" * 255, "x" * 256, "x" * 65536, "\ud800", b"", b"a", b"x" * 256, bytearray(b"ab"),
    memoryview(b"ab"), [], [1], list(range(16)), (), (1, 2), {}, {"a": {"b": [1]}}, {1: 2},
    {b"a": 1}, {None: 1, True: 2, 1.5: 3, (1, 2): 4}, {"a": Plain()}, Plain(), {1, 2}, Text("t"),
    Number(5), Items([1]), Mapping(a=1), Float(1.0), {Text("k"): 1}, {Number(3): 1}, Color.RED,
    Color.TWO, Level.LOW, {Color.RED: 1}, Data(1), Slotted(1, "y", c=[1]), broken, Model(b=1),
    Model.model_validate({"b": 1, "extra": 2}), MOMENT, MOMENT.replace(tzinfo=UTC), MOMENT.replace(microsecond=0),
    MOMENT.replace(tzinfo=dateutil.tz.gettz("Asia/Kathmandu")),
    pytz.timezone("Europe/Vienna").localize(MOMENT),
    MOMENT.replace(tzinfo=pendulum.timezone("America/St_Johns")),
    datetime.datetime(1, 1, 1), datetime.datetime(9999, 12, 31, 23, 59, 59, 999999),
    datetime.date(2020, 2, 29), datetime.time(1, 2, 3), datetime.time(1, 2, 3, 4),
    datetime.time(1, tzinfo=UTC), uuid.UUID(int=0), uuid.UUID(int=2**128 - 1),
    {uuid.UUID(int=5): 1}, {MOMENT: 1}, numpy.arange(3), numpy.zeros((2, 0)), numpy.zeros((0, 2)),
    numpy.float16(1.5), numpy.float32(1.1), numpy.float64(2.5), numpy.int8(-3), numpy.uint64(2**63),
    numpy.bool_(True), numpy.datetime64("2020-01-01T00:00:00.5"),
    numpy.datetime64("2020-01-01T00:00:00.123456789"), numpy.array(["2020-01-01T00:00:00.000000001"], "M8[ns]"),
    numpy.array(["2020-01-01", "1960-05-05"], "M8[D]"), numpy.array([1.5, -2.25], "f2"),
    numpy.array([True, False]), numpy.arange(6).reshape(2, 3).T,
    Raw(b"x"), Array(b"x"), Moment(2020, 1, 1), Moment(2020, 1, 1, tzinfo=UTC), Day(2020, 1, 1), Hour(1), Pair([1]),
    Derived.RAW, Derived.LARGE, {Raw(b"x"): 1}, {Array(b"x"): 1}, {Moment(2020, 1, 1): 1}, {Day(2020, 1, 1): 1},
    {Hour(1): 1}, {Pair([1]): 1}, {Derived.RAW: 1}, {Derived.LARGE: 1}, {2**64: 1}, {(Number(2**64), 1): 1},
    [Raw(b"x"), Number(2**64)], {memoryview(b"x"): 1},
]  # fmt: skip
COMBINATIONS = [0, *(getattr(ormsgpack, name) for name in OPTIONS)]
COMBINATIONS += [
    ormsgpack.OPT_NON_STR_KEYS | ormsgpack.OPT_NAIVE_UTC | ormsgpack.OPT_UTC_Z,
    ormsgpack.OPT_SERIALIZE_NUMPY | ormsgpack.OPT_OMIT_MICROSECONDS,
    ormsgpack.OPT_SERIALIZE_NUMPY
    | ormsgpack.OPT_NAIVE_UTC
    | ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT,
    ormsgpack.OPT_SERIALIZE_PYDANTIC | ormsgpack.OPT_SORT_KEYS,
    ormsgpack.OPT_NON_STR_KEYS
    | ormsgpack.OPT_PASSTHROUGH_DATETIME
    | ormsgpack.OPT_PASSTHROUGH_SUBCLASS,
]


def outcome(module: Any, value: Any, option: int, default: Any = None) -> Any:
    try:
        return module.packb(value, option=option, default=default)
    except TypeError as error:
        # Here a message has the place too, which is not that of the peer.
        return str(error).split(" at $")[0]


# Where packord packs what ormsgpack refuses, or the other way round, on purpose.
ALLOWED: dict[str, Callable[[Any, int], bool]] = {
    "lossless timestamps": lambda value, option: (
        bool(option & ormsgpack.OPT_DATETIME_AS_TIMESTAMP_EXT)
        and isinstance(value, datetime.datetime)
    ),
    "sorted dataclasses": lambda value, option: (
        bool(option & ormsgpack.OPT_SORT_KEYS) and dataclasses.is_dataclass(value)
    ),
}


SAME = [
    pytest.param(value, option, id=f"{type(value).__name__}-{option}")
    for value in VALUES
    for option in COMBINATIONS
    if not any(rule(value, option) for rule in ALLOWED.values())
]


@pytest.mark.parametrize(("value", "option"), SAME)
def test_same_bytes_and_words_as_ormsgpack(value: Any, option: int) -> None:
    for default in (None, lambda _: "asked"):
        mine, theirs = (outcome(module, value, option, default) for module in (ours, ormsgpack))
        if value is broken:
            assert type(mine) is type(theirs)
        else:
            assert mine == theirs


class Uuid(uuid.UUID):
    pass


class Hiding(pydantic.BaseModel):
    shown: int = 1
    hidden: int = pydantic.Field(default=2, exclude=True)

    @pydantic.computed_field  # type: ignore[prop-decorator]
    @property
    def double(self) -> int:
        return 2 * self.shown


def test_deliberate_differences_are_those_of_the_guide() -> None:
    shanghai = MOMENT.replace(tzinfo=pytz.timezone("Asia/Shanghai"))
    assert ours.unpackb(ours.packb(shanghai)).endswith("+08:06")
    assert ormsgpack.unpackb(ormsgpack.packb(shanghai)).endswith("+08:00")

    flag = ormsgpack.OPT_SERIALIZE_PYDANTIC
    shown = ours.unpackb(ours.packb(Hiding(), option=flag))
    assert shown == {"shown": 1, "double": 2}
    assert ormsgpack.unpackb(ormsgpack.packb(Hiding(), option=flag)) == {"shown": 1, "hidden": 2}

    mine = Uuid(int=5)
    assert ours.packb(mine) == ours.packb(uuid.UUID(int=5))
    flag = ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    assert ours.unpackb(ours.packb(mine, lambda value: "mine", option=flag)) == "mine"
    with pytest.raises(TypeError):
        ormsgpack.packb(mine)

    assert ours.packb.__module__ == "packord.compat.ormsgpack"
    assert ormsgpack.packb.__module__ == "ormsgpack.ormsgpack"


def random_value(rng: random.Random, depth: int = 0) -> Any:
    kind = rng.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return rng.choice([None, True, False])
    if kind == 1:
        return rng.randrange(-(2 ** rng.randrange(1, 64)), 2 ** rng.randrange(1, 65))
    if kind == 2:
        return rng.choice([rng.random(), rng.uniform(-1e300, 1e300), float(rng.randrange(100))])
    if kind in (3, 4):
        alphabet = rng.choice(["abc", "aé", "a日", "a🆗ü"])
        return "".join(rng.choice(alphabet) for _ in range(rng.choice([0, 3, 16, 40, 300])))
    if kind == 5:
        return rng.randbytes(rng.choice([0, 3, 300]))
    if kind in (6, 7):
        keys = (f"{rng.choice('abé日')}{i}" for i in range(rng.choice([0, 3, 17])))
        return {key: random_value(rng, depth + 1) for key in keys}
    return [random_value(rng, depth + 1) for _ in range(rng.choice([0, 3, 17]))]


@pytest.mark.parametrize("seed", range(200))
def test_random_values_both_ways(seed: int) -> None:
    value = random_value(random.Random(seed))
    packed = packord.packb(value)
    assert packed == ormsgpack.packb(value) == msgpack.packb(value)
    assert packed == msgspec.msgpack.encode(value)
    assert packord.unpackb(packed) == value == msgpack.unpackb(packed)
    records = packord.packb(value, records=True)
    assert packord.unpackb(records, records=True) == value
    stream = packord.Unpacker()
    for start in range(0, len(packed), 7):
        stream.feed(packed[start : start + 7])
    assert list(stream) == [value]
    assert packord.View(packed).unpack() == value if packed else True
    assert packord.Decoder(max_nodes=10**6).decode(packed) == value
