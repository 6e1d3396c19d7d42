"""Lax reading: what ``strict=False`` makes of text and numbers that stand for other types."""

from __future__ import annotations

import datetime
import decimal
import itertools
import re
from collections.abc import Callable
from typing import Any

from packord._typing.converters import Converter, Kinds

_UTC = datetime.timezone.utc
_INT = re.compile(r"[+-]?[0-9]+")
_FLOAT = re.compile(
    r"[+-]?(?:(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:e[+-]?[0-9]+)?|inf(?:inity)?|nan)", re.IGNORECASE
)
# msgspec takes -0 for 0 as well.
_BOOLS = {"true": True, "false": False, "1": True, "0": False, "-0": False}


def _to_nil(value: str) -> None:
    if value.lower() != "null":
        raise ValueError(f"{value!r} is not null")


def _to_bool(value: str) -> bool:
    found = _BOOLS.get(value.lower())
    if found is None:
        raise ValueError(f"{value!r} is neither true nor false")
    return found


def _bool_of_int(value: int) -> bool:
    if value not in (0, 1):
        raise ValueError(f"{value} is neither 0 nor 1")
    return bool(value)


def _to_int(value: str) -> int:
    if _INT.fullmatch(value) is not None:
        return int(value)
    # As a float first: the exact number can have more digits than there is memory.
    if _FLOAT.fullmatch(value) is not None and abs(float(value)) < 2.0**64:
        number = decimal.Decimal(value)
        if number == number.to_integral_value():
            return int(number)
    raise ValueError(f"{value!r} is not an integer")


def _int_of_float(value: float) -> int:
    # Beyond this a float does not say which integer it was.
    if not value.is_integer() or abs(value) > 2**53:
        raise ValueError(f"{value} is not an integer")
    return int(value)


def _to_float(value: str) -> float:
    if _FLOAT.fullmatch(value) is None:
        raise ValueError(f"{value!r} is not a number")
    return float(value)


def _exact_int(value: str) -> int:
    if _INT.fullmatch(value) is None:
        raise ValueError(f"{value!r} is not an integer")
    return int(value)


_ORDER = (_int_of_float, _bool_of_int, _exact_int, _to_float, _to_int, _to_bool, _to_nil)


def in_order(converters: dict[Converter, Converter]) -> list[tuple[Converter, Converter | None]]:
    """The converters of a union's types from text and numbers that stand for them, with what
    follows on each, as msgspec tries them: ``1`` is an integer before it is a float or a bool,
    ``1.0`` a float before it is an integer, and a number a scalar before it is seconds."""
    exact = {_exact_int: converters[_to_int]} if _to_int in converters else {}
    found = converters | exact
    order = [*_ORDER, *(each for each in converters if each not in _ORDER)]
    return [(each, found[each]) for each in order if each in found]


# By the kind that is expected: what makes it of values of other kinds.
SCALARS: dict[str, dict[str, Converter]] = {
    "nil": {"str": _to_nil},
    "bool": {"str": _to_bool, "int": _bool_of_int},
    "int": {"str": _to_int, "float": _int_of_float},
    "float": {"str": _to_float},
}


_OF_NUMBERS: dict[Any, Callable[[float], Any]] = {
    datetime.datetime: lambda seconds: datetime.datetime.fromtimestamp(seconds, _UTC),
    datetime.timedelta: lambda seconds: datetime.timedelta(seconds=seconds),
}


def lax_converter(cls: Any, converter: Converter, kinds: Kinds) -> tuple[Converter, Kinds]:
    """The converter of a class, which takes seconds too, as numbers and as text."""
    of_number = _OF_NUMBERS.get(cls)
    if of_number is None:
        return converter, kinds

    def convert(value: Any) -> Any:
        if isinstance(value, str) and _FLOAT.fullmatch(value):
            value = _to_int(value) if _INT.fullmatch(value) else _to_float(value)
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return of_number(value)
        return converter(value)

    return convert, tuple({*kinds, "int", "float"})


def lax_choices(choices: dict[Any, Any]) -> dict[Any, Any]:
    """The values of a Literal or an Enum, with the strings that stand for those that are none."""
    strings = {}
    for (cls, value), chosen in choices.items():
        if cls in (int, float):
            strings[str, str(value)] = chosen
        elif cls is bool or value is None:
            word = "null" if value is None else str(value).lower()
            for letters in itertools.product(*zip(word, word.upper())):
                strings[str, "".join(letters)] = chosen
    return strings | choices


def has_text(choices: dict[Any, Any]) -> bool:
    """Whether one of the values of a Literal or an Enum is itself a string."""
    return any(
        cls is str and value == getattr(chosen, "value", chosen)
        for (cls, value), chosen in choices.items()
    )
