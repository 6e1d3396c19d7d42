"""The values of a program for those of ``defaults/``, in every type of Python that is meant."""

from __future__ import annotations

import array
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import ipaddress
import itertools
import pathlib
import re
import struct
import uuid
import weakref
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import attrs
import msgspec
import numpy
import pydantic
import vectors

import packord

Native = Any

_NUMPY = {"i": "int", "u": "uint", "f": "float"}
# Those of the module `array` by their types; the size of the others depends on the machine.
_ARRAYS = {"i8": "b", "u8": "B", "i16": "h", "u16": "H", "f32": "f", "f64": "d"}
_ARRAYS |= {"i64": "q", "u64": "Q"}


def each(native: Native) -> Iterator[Any]:
    """Every value of Python for a native one. What can be used only once is made again for each."""
    if not isinstance(native, dict):
        yield native
    elif "native" in native:
        yield from _KINDS[native["native"]](native)
    elif "array" in native and not isinstance(native["array"], dict):
        for elements in _product(native["array"]):
            yield elements
            yield tuple(elements)
    elif "map" in native and not isinstance(native["map"], dict):
        keys = [key for key, _ in native["map"]]
        values = [value for _, value in native["map"]]
        for found_keys in _product(keys, each_key):
            for found in _product(values):
                yield dict(zip(found_keys, found, strict=True))
    else:
        yield vectors.plain(vectors.build(native))


def each_key(native: Native) -> Iterator[Any]:
    """The values of :func:`each` that a dict can have as keys."""
    for value in each(native):
        try:
            hash(value)
        except TypeError:
            continue
        yield value


def _product(natives: list[Native], of: Callable[[Native], Iterator[Any]] = each) -> Iterator[Any]:
    """Lists of the values: the first of all, then each other one of each."""
    found = [list(of(native)) for native in natives]
    for combination in itertools.zip_longest(*found) if found else [()]:
        yield [
            values[0] if value is None and None not in values else value
            for value, values in zip(combination, found, strict=True)
        ]


def _one(make: Callable[[dict[str, Any]], Any]) -> Callable[[Native], Iterator[Any]]:
    return lambda native: iter([make(native)])


def _bigint(native: Native) -> Iterator[Any]:
    yield int(native["value"])


def _sized_int(native: Native) -> Iterator[Any]:
    name = _NUMPY[native["type"][0]] + native["type"][1:]
    yield numpy.dtype(name).type(int(vectors.build(native["value"])))


def _float32(native: Native) -> Iterator[Any]:
    bits = bytes.fromhex(native["bits"])
    yield numpy.frombuffer(bits, ">f4")[0].astype("<f4")


def _float16(native: Native) -> Iterator[Any]:
    yield numpy.float16(struct.unpack(">f", bytes.fromhex(native["bits"]))[0])


def _decimals(native: Native) -> Iterator[Any]:
    yield decimal.Decimal(native["text"])


def _numbers(native: Native) -> Iterator[Any]:
    name = native["type"]
    of = [vectors.build(number) for number in native["of"]]
    dtype = "bool" if name == "bool" else _NUMPY[name[0]] + str(int(name[1:]))
    plain = numpy.array(of, dtype)
    plain = plain.reshape(native.get("shape", (len(of),)))
    yield plain
    if plain.ndim > 1:
        yield numpy.asfortranarray(plain)
    else:
        yield numpy.repeat(plain, 2)[::2]
    yield plain.astype(plain.dtype.newbyteorder(">"))
    if plain.ndim == 1 and name in _ARRAYS:
        yield array.array(_ARRAYS[name], of)


def _bytes(native: Native) -> Iterator[Any]:
    data = bytes.fromhex(native["hex"])
    if native["type"] == "memoryview":
        yield memoryview(data)
    else:
        yield bytearray(data)


def _utf16(native: Native) -> Iterator[Any]:
    data = b"".join(unit.to_bytes(2, "big") for unit in native["units"])
    yield data.decode("utf-16-be", "surrogatepass")


def _enum(native: Native) -> Iterator[Any]:
    value = vectors.plain(vectors.build(native["value"]))
    value = tuple(value) if isinstance(value, list) else value
    kinds: list[Any] = [enum.Enum, *([enum.IntEnum] if isinstance(value, int) else [])]
    for kind in kinds:
        (member,) = kind("Color", [(native["name"], value)])
        yield member


def _path(native: Native) -> Iterator[Any]:
    yield pathlib.PurePosixPath(native["text"])
    yield pathlib.Path(native["text"])


def _ip(native: Native) -> Iterator[Any]:
    yield ipaddress.ip_address(native["text"])


def _zone(native: Native) -> datetime.timezone | None:
    if "offset" not in native:
        return None
    return datetime.timezone(datetime.timedelta(seconds=native["offset"]))


def _of_day(native: Native) -> list[int]:
    hour, minute, second, nanosecond = native["time"]
    return [hour, minute, second, nanosecond // 1000]


class _DateTime(datetime.datetime):
    """As the classes of other packages are."""


def _date_time(native: Native) -> Iterator[Any]:
    for cls in (datetime.datetime, _DateTime):
        plain = cls(*native["date"], *_of_day(native))
        yield plain.replace(tzinfo=_zone(native))
    if native["native"] == "date_time":
        naive = datetime.datetime(*native["date"], *_of_day(native))
        yield numpy.datetime64(naive)


def _date(native: Native) -> Iterator[Any]:
    yield datetime.date(*native["date"])


def _time_of_day(native: Native) -> Iterator[Any]:
    hour, minute, second, microsecond = _of_day(native)
    yield datetime.time(hour, minute, second, microsecond, _zone(native))


def _duration(native: Native) -> Iterator[Any]:
    microseconds = native["nanoseconds"] // 1000
    yield datetime.timedelta(seconds=int(native["seconds"]), microseconds=microseconds)


def _set(native: Native) -> Iterator[Any]:
    for elements in _product(native["of"], each_key):
        yield set(elements)
        yield frozenset(elements)


class _Pair(NamedTuple):
    first: Any
    second: Any


def _tuple(native: Native) -> Iterator[Any]:
    for elements in _product(native["of"]):
        yield tuple(elements)
        if len(elements) == 2:
            yield _Pair(*elements)


def _sequence(native: Native) -> Iterator[Any]:
    kind = native["type"]
    for elements in _product(native["of"]):
        if kind == "iterator":
            yield iter(elements)
            yield (element for element in elements)
            yield itertools.chain(elements)
        elif kind == "queue":
            yield collections.deque(elements)
        elif kind == "view":
            yield dict.fromkeys(elements).keys()
            yield dict(enumerate(elements)).values()
        else:
            assert kind == "range"
            yield range(len(elements))


class _Dataclasses:
    """A dataclass, one with slots, and those of the packages, for each struct."""

    def __init__(self) -> None:
        self._made: dict[str, list[Any]] = {}

    def of(self, name: str, fields: list[str]) -> list[Any]:
        if name not in self._made:
            types = [(field, Any) for field in fields]
            self._made[name] = [
                dataclasses.make_dataclass(name, types),
                dataclasses.make_dataclass(name, types, slots=True),
                attrs.make_class(name, fields),
                msgspec.defstruct(name, types),
                pydantic.create_model(name, **dict.fromkeys(fields, (Any, ...))),  # type: ignore[call-overload]
            ]
        return self._made[name]


_CLASSES = _Dataclasses()


def _struct(native: Native) -> Iterator[Any]:
    names = [name for name, _ in native["fields"]]
    for values in _product([value for _, value in native["fields"]]):
        for cls in _CLASSES.of(native["name"], names):
            yield cls(**dict(zip(names, values, strict=True)))


def _subclass(native: Native) -> Iterator[Any]:
    value = vectors.plain(vectors.build(native["value"]))
    yield type("Derived", (type(value),), {})(value)


class _Error(Exception):
    pass


def _cycle(native: Native) -> Iterator[Any]:
    if native["through"] == "array":
        elements: list[Any] = []
        elements.append(elements)
        yield elements
    else:
        entries: dict[str, Any] = {}
        entries["a"] = entries
        yield entries


def _fraction(native: Native) -> Iterator[Any]:
    yield fractions.Fraction(int(native["numerator"]), int(native["denominator"]))


def _regexp(native: Native) -> Iterator[Any]:
    yield re.compile(native["source"], re.IGNORECASE if "i" in native["flags"] else 0)


def _function(_: Native) -> Iterator[Any]:
    yield lambda: None
    yield len
    yield _function
    yield packord.packb


_KINDS: dict[str, Callable[[Native], Iterator[Any]]] = {
    "bigint": _bigint,
    "bytes": _bytes,
    "complex": _one(lambda native: complex(int(native["real"]), int(native["imaginary"]))),
    "cycle": _cycle,
    "date": _date,
    "date_time": _date_time,
    "decimal": _decimals,
    "duration": _duration,
    "enum": _enum,
    "exception": _one(lambda native: _Error(native["message"])),
    "float16": _float16,
    "float32": _float32,
    "fraction": _fraction,
    "function": _function,
    "ip": _ip,
    "numbers": _numbers,
    "opaque": _one(lambda _: object()),
    "path": _path,
    "regexp": _regexp,
    "sequence": _sequence,
    "set": _set,
    "sized_int": _sized_int,
    "struct": _struct,
    "subclass": _subclass,
    "time": _date_time,
    "time_of_day": _time_of_day,
    "tuple": _tuple,
    "utf16": _utf16,
    "uuid": _one(lambda native: uuid.UUID(native["text"])),
    "weak": _one(lambda _: weakref.ref(_Error)),
}
