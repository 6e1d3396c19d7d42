"""The constraints of ``Annotated`` types: those of annotated-types, msgspec and pydantic, by shape.

None of the three packages is imported; a constraint is known by the names of its attributes.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable
from typing import Any

# Raises ``ValueError`` with the reason.
Check = Callable[[Any], None]
# Whether a value is within a limit, and what the error says if it is not.
_Rule = tuple[Callable[[Any, Any], bool], Callable[[Any, Any], str]]


def checks_of(metadata: Iterable[Any]) -> list[Check]:
    checks: list[Check] = []
    for item in metadata:
        nested = getattr(item, "metadata", None)
        if isinstance(nested, list):
            # A `Field` of pydantic.
            checks += checks_of(nested)
            continue
        for name, rule in _RULES.items():
            limit = _attribute(item, name)
            if limit is not None:
                checks.append(_check(re.compile(limit) if name == "pattern" else limit, rule))
        wanted = _has_offset(item)
        if wanted is not None:
            checks.append(_check(wanted, _OFFSET))
        if type(item).__name__ == "Predicate" and callable(getattr(item, "func", None)):
            checks.append(_check(item.func, _PREDICATE))
    return checks


def _attribute(item: Any, name: str) -> Any:
    if isinstance(item, (str, int, float, type)):
        return None
    value = getattr(item, name, None)
    return None if callable(value) and name != "pattern" else value


def _has_offset(item: Any) -> bool | None:
    """Whether a date-time has an offset: ``tz`` of msgspec, ``Timezone`` of annotated-types."""
    wanted = getattr(item, "tz", None)
    if type(item).__name__ == "Meta" and isinstance(wanted, bool):
        return wanted
    if type(item).__name__ == "Timezone" and (wanted is None or wanted is ...):
        return wanted is ...
    return None


def _check(limit: Any, rule: _Rule) -> Check:
    holds, words = rule

    def check(value: Any) -> None:
        if not holds(value, limit):
            raise ValueError(f"must {words(value, limit)}")

    return check


def _compared(words: str) -> Callable[[Any, Any], str]:
    return lambda value, limit: f"be {words} {limit}, is {value!r}"


def _measured(words: str) -> Callable[[Any, Any], str]:
    return lambda value, limit: f"have {words} {limit} elements, has {len(value)}"


_RULES: dict[str, _Rule] = {
    "gt": (operator.gt, _compared("above")),
    "ge": (operator.ge, _compared("at least")),
    "lt": (operator.lt, _compared("below")),
    "le": (operator.le, _compared("at most")),
    "multiple_of": (lambda value, step: value % step == 0, _compared("a multiple of")),
    "min_length": (lambda value, least: len(value) >= least, _measured("at least")),
    "max_length": (lambda value, most: len(value) <= most, _measured("at most")),
    "pattern": (
        lambda value, pattern: pattern.search(value) is not None,
        lambda value, pattern: f"match {pattern.pattern!r}, is {value!r}",
    ),
}
_OFFSET: _Rule = (
    lambda value, wanted: (value.tzinfo is not None) == wanted,
    lambda _, wanted: f"have {'an' if wanted else 'no'} offset from UTC",
)
_PREDICATE: _Rule = (
    lambda value, func: func(value),
    lambda value, func: f"satisfy {getattr(func, '__qualname__', repr(func))}, is {value!r}",
)
