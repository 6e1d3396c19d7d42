"""Filters of Spark as predicates that skip blocks.

A block may only be skipped if Spark would drop all of its rows. So a filter is used where the
column has in the file what its type in Spark says, and not where reading changes values: the number
7 in a column of strings is "7" to Spark, but a number in the statistics. Spark compares the rows
that are left itself.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from typing import Any

from pyspark.sql import types

Condition = list[Any]

_COMPARISONS = {
    "EqualTo": "==",
    "EqualNullSafe": "==",
    "GreaterThan": ">",
    "GreaterThanOrEqual": ">=",
    "LessThan": "<",
    "LessThanOrEqual": "<=",
}
_WHOLE = {"int"}
# What the file may have in a column so that statistics and Spark agree on its order.
_SOUND: dict[type[types.DataType], set[str]] = {
    types.BooleanType: {"bool"},
    types.ByteType: _WHOLE,
    types.ShortType: _WHOLE,
    types.IntegerType: _WHOLE,
    types.LongType: _WHOLE,
    types.DecimalType: {"int", "uint"},
    types.DoubleType: {"int", "uint", "float"},
    types.StringType: {"str"},
    types.BinaryType: {"bin"},
    types.TimestampType: {"timestamp"},
    types.ArrayType: {"array"},
    types.StructType: {"map"},
    types.MapType: {"map"},
}
_ORDERED = (types.NumericType, types.StringType, types.TimestampType)
# Above this, several whole numbers are one double.
_EXACT = 1 << 53
# Spark has microseconds, container files nanoseconds.
_TICK = timedelta(microseconds=1)


def conditions(
    filters: Iterable[Any], schema: types.StructType, described: Mapping[str, Sequence[Any]]
) -> list[Condition]:
    """The conditions that all rows meet which Spark keeps, for one file.

    ``filters`` are those of ``pyspark.sql.datasource``, of which all hold; ``described`` is the
    schema in the index of the file.
    """
    return [condition for each in filters for condition in _conditions(each, schema, described)]


def _conditions(
    condition: Any, schema: types.StructType, described: Mapping[str, Sequence[Any]]
) -> Iterator[Condition]:
    # By name, since early versions of Spark 4 lack the classes.
    name = type(condition).__name__
    attribute = getattr(condition, "attribute", ())
    found = _column(attribute, schema, described)
    if found is None:
        return
    path, kind, names = found
    if name in ("IsNull", "IsNotNull"):
        yield [path, "is_null" if name == "IsNull" else "is_not_null", None]
    elif name == "EqualNullSafe" and condition.value is None:
        yield [path, "is_null", None]
    elif name == "StringStartsWith":
        if isinstance(kind, types.StringType):
            yield [path, ">=", condition.value]
            if (above := after_prefix(condition.value)) is not None:
                yield [path, "<", above]
    elif name == "In":
        values = [_constant(value, kind, names) for value in condition.value if value is not None]
        if isinstance(kind, types.TimestampType):
            if values and None not in values:
                yield [path, ">=", min(values) - _TICK]
                yield [path, "<=", max(values) + _TICK]
        elif None not in values:
            yield [path, "in", values]
    elif name in _COMPARISONS and (_COMPARISONS[name] == "==" or isinstance(kind, _ORDERED)):
        value = _constant(condition.value, kind, names)
        if value is not None:
            yield from _compared(path, _COMPARISONS[name], value)


def _compared(path: str, op: str, value: Any) -> Iterator[Condition]:
    if not isinstance(value, datetime):
        yield [path, op, value]
        return
    # Whichever way nanoseconds were rounded, the row is within a microsecond.
    if op in (">", ">=", "=="):
        yield [path, ">=", value - _TICK]
    if op in ("<", "<=", "=="):
        yield [path, "<=", value + _TICK]


def _column(
    attribute: Sequence[str], schema: types.StructType, described: Mapping[str, Sequence[Any]]
) -> tuple[str, types.DataType, set[str]] | None:
    """The path, the type and the types in the file of a column, if statistics can say something."""
    kind: types.DataType = schema
    for depth, part in enumerate(attribute):
        above = set(described.get(".".join(attribute[:depth]), [[]])[0])
        if not part or "." in part or not above <= {"map"}:
            return None
        if not isinstance(kind, types.StructType) or part not in kind.names:
            return None
        kind = kind[part].dataType
    path = ".".join(attribute)
    names = set(described[path][0]) if path in described else None
    sound = _SOUND.get(type(kind), set())
    return (path, kind, names) if path and names is not None and names <= sound else None


def _constant(value: Any, kind: types.DataType, names: set[str]) -> Any:
    """The constant as container files compare it, or ``None`` if they compare it otherwise."""
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else None
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(kind, types.DoubleType) and names != {"float"}:
        return value if abs(value) < _EXACT else None
    if isinstance(value, datetime):
        return value.astimezone(timezone.utc)
    return value if isinstance(value, (bool, int, float, str, bytes)) else None


def after_prefix(prefix: str) -> str | None:
    """The smallest string above all that begin with the prefix, or ``None`` if there is none."""
    kept = prefix.rstrip("\U0010ffff")
    if not kept:
        return None
    following = ord(kept[-1]) + 1
    return kept[:-1] + chr(0xE000 if following == 0xD800 else following)
