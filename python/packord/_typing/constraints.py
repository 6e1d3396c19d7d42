"""The constraints of ``Annotated`` types: those of annotated-types, msgspec and pydantic, by shape.

None of the three packages is imported; a constraint is known by the names of its attributes.
"""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable, Iterable
from typing import Any

# Raises ``ValueError`` with the reason.
Check = Callable[[Any], None]


def checks_of(metadata: Iterable[Any]) -> list[Check]:
    """The checks that the metadata of an ``Annotated`` type asks for."""
    checks: list[Check] = []
    for item in metadata:
        nested = getattr(item, "metadata", None)
        if isinstance(nested, list):
            # A `Field` of pydantic.
            checks += checks_of(nested)
            continue
        for name, make in _CHECKS.items():
            limit = _attribute(item, name)
            if limit is not None:
                checks.append(make(limit))
        checks += _timezone(item)
        if type(item).__name__ == "Predicate" and callable(getattr(item, "func", None)):
            checks.append(_predicate(item))
    return checks


def _attribute(item: Any, name: str) -> Any:
    if isinstance(item, (str, int, float, type)):
        return None
    value = getattr(item, name, None)
    return None if callable(value) and name != "pattern" else value


def _compared(words: str, holds: Callable[[Any, Any], bool]) -> Callable[[Any], Check]:
    def make(limit: Any) -> Check:
        def check(value: Any) -> None:
            if not holds(value, limit):
                raise ValueError(f"must be {words} {limit}, is {value!r}")

        return check

    return make


def _measured(words: str, holds: Callable[[int, int], bool]) -> Callable[[Any], Check]:
    def make(limit: Any) -> Check:
        def check(value: Any) -> None:
            if not holds(len(value), limit):
                raise ValueError(f"must have {words} {limit} elements, has {len(value)}")

        return check

    return make


def _multiple(step: Any) -> Check:
    def check(value: Any) -> None:
        if value % step != 0:
            raise ValueError(f"must be a multiple of {step}, is {value!r}")

    return check


def _pattern(pattern: Any) -> Check:
    compiled = re.compile(pattern)

    def check(value: Any) -> None:
        if compiled.search(value) is None:
            raise ValueError(f"must match {compiled.pattern!r}, is {value!r}")

    return check


def _timezone(item: Any) -> list[Check]:
    """Whether a date-time has an offset: ``tz`` of msgspec, ``Timezone`` of annotated-types."""
    wanted = getattr(item, "tz", None)
    if type(item).__name__ == "Meta" and isinstance(wanted, bool):
        return [_offset(wanted)]
    if type(item).__name__ == "Timezone" and (wanted is None or wanted is ...):
        return [_offset(wanted is ...)]
    return []


def _offset(wanted: bool) -> Check:
    def check(value: datetime.datetime | datetime.time) -> None:
        if (value.tzinfo is not None) != wanted:
            raise ValueError(f"must have {'an' if wanted else 'no'} offset from UTC")

    return check


def _predicate(item: Any) -> Check:
    def check(value: Any) -> None:
        if not item.func(value):
            name = getattr(item.func, "__qualname__", repr(item.func))
            raise ValueError(f"must satisfy {name}, is {value!r}")

    return check


_CHECKS: dict[str, Callable[[Any], Check]] = {
    "gt": _compared("above", lambda value, limit: value > limit),
    "ge": _compared("at least", lambda value, limit: value >= limit),
    "lt": _compared("below", lambda value, limit: value < limit),
    "le": _compared("at most", lambda value, limit: value <= limit),
    "multiple_of": _multiple,
    "min_length": _measured("at least", lambda length, limit: length >= limit),
    "max_length": _measured("at most", lambda length, limit: length <= limit),
    "pattern": _pattern,
}
