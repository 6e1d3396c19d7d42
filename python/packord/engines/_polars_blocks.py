"""Which blocks of a container file a filter of polars needs, by the statistics of the index.

The expression of a filter is made into one over the bounds of columns, which polars evaluates for
all blocks at once. What is not understood is taken to be true, so that its blocks are read.
"""

from __future__ import annotations

import decimal
import io
import json
from collections.abc import Sequence
from typing import Any

import polars
from polars.exceptions import PolarsError

from packord._blocks import Block
from packord.engines._sources import ticks

Bounds = tuple[polars.Expr, polars.Expr]
# Of longer lists, only the smallest and the largest item are compared.
_MOST_ITEMS = 200


def needed_blocks(
    predicate: polars.Expr, blocks: Sequence[Block], schema: polars.Schema
) -> list[int]:
    """The numbers of the blocks of which a row may pass the filter."""
    every = list(range(len(blocks)))
    columns = _Columns(blocks, schema)
    try:
        tree = json.loads(predicate.meta.serialize(format="json"))
        possible = _possible(tree, columns)
        if possible is None:
            return every
        found = columns.frame().select(possible.fill_null(True).alias("possible"))["possible"]
    except (PolarsError, LookupError, TypeError, ValueError, AttributeError):
        # The form of expressions is polars' own, and may be another one in the next version.
        return every
    return [number for number, is_possible in zip(every, found, strict=True) if is_possible]


class _Columns:
    """The bounds of columns as columns of a frame with a row for each block."""

    def __init__(self, blocks: Sequence[Block], schema: polars.Schema) -> None:
        self._blocks = blocks
        self._schema = schema
        self._found: dict[str, polars.Series] = {}
        self._counts = polars.Series("count", [block.count for block in blocks], polars.UInt64)

    def frame(self) -> polars.DataFrame:
        return polars.DataFrame([self._counts, *self._found.values()])

    def bounds(self, path: Sequence[str]) -> Bounds | None:
        """The smallest and the largest value of a column; null where they are not known."""
        dtype = self._dtype(path)
        if dtype is None:
            return None
        return self._column("min", path, dtype), self._column("max", path, dtype)

    def nulls(self, path: Sequence[str]) -> polars.Expr:
        """The number of rows in which a column is null; null where it is not known."""
        return self._column("nulls", path, polars.UInt64())

    def _column(self, place: str, path: Sequence[str], dtype: polars.DataType) -> polars.Expr:
        key = repr((place, *path))
        if key not in self._found:
            # A key that is empty or has a dot has no statistics: they would be of another path.
            is_named = all(part and "." not in part for part in path)
            name = ".".join(path)
            stats = [(block.stats or {}).get(name) if is_named else None for block in self._blocks]
            values = [None if of is None else _as(getattr(of, place), dtype) for of in stats]
            self._found[key] = polars.Series(key, values, _physical(dtype)).cast(dtype)
        return polars.col(key)

    def _dtype(self, path: Sequence[str]) -> polars.DataType | None:
        dtype: Any = self._schema.get(path[0])
        for part in path[1:]:
            if not isinstance(dtype, polars.Struct):
                return None
            dtype = dtype.to_schema().get(part)
        return dtype if isinstance(dtype, polars.DataType) and _is_ordered(dtype) else None

    def is_numeric(self, path: Sequence[str]) -> bool:
        dtype = self._dtype(path)
        return dtype is not None and dtype.is_numeric()


def _is_ordered(dtype: polars.DataType) -> bool:
    return dtype.is_numeric() or isinstance(dtype, polars.String | polars.Datetime)


def _as(value: Any, dtype: polars.DataType) -> Any:
    """A bound as the column has it, by the rules of ``arrow_batches``; ``None`` if its values are
    made of others, which are not in the same order."""
    if isinstance(dtype, polars.Datetime):
        return ticks(value, dtype.time_unit)
    if dtype.is_numeric():
        if isinstance(dtype, polars.Decimal):
            return decimal.Decimal(value) if type(value) is int else None
        if dtype.is_float():
            return float(value) if type(value) in (int, float) else None
        return value if type(value) is int else None
    return value if type(value) is str else None


def _physical(dtype: polars.DataType) -> Any:
    if isinstance(dtype, polars.Datetime):
        return polars.Int64
    return polars.Float64 if dtype.is_float() else dtype


def _possible(node: dict[str, Any], columns: _Columns) -> polars.Expr | None:
    """Whether a row of a block can pass; ``None`` if nothing is known."""
    ((kind, content),) = node.items()
    if kind == "BinaryExpr":
        op = content["op"]
        if op in ("And", "LogicalAnd", "Or", "LogicalOr"):
            left, right = (_possible(content[side], columns) for side in ("left", "right"))
            if op.endswith("And"):
                return right if left is None else left if right is None else left & right
            return None if left is None or right is None else left | right
        return _compared(op, content["left"], content["right"], columns)
    if kind != "Function" or "Boolean" not in content["function"]:
        return None
    function, inputs = content["function"]["Boolean"], content["input"]
    path = _path(inputs[0])
    if function == "IsNull" and path is not None:
        return columns.nulls(path) > 0
    if function == "IsNotNull" and path is not None:
        return columns.nulls(path) < polars.col("count")
    if isinstance(function, dict) and "IsBetween" in function:
        lower = _compared("GtEq", inputs[0], inputs[1], columns)
        upper = _compared("LtEq", inputs[0], inputs[2], columns)
        return lower if upper is None else upper if lower is None else lower & upper
    if isinstance(function, dict) and "IsIn" in function:
        if function["IsIn"]["nulls_equal"]:
            return None
        return _listed(inputs[0], inputs[1], columns)
    return None


def _compared(
    op: str, left: dict[str, Any], right: dict[str, Any], columns: _Columns
) -> polars.Expr | None:
    one, other = _interval(left, columns), _interval(right, columns)
    if one is None or other is None:
        return None
    (low, high), (other_low, other_high) = one, other
    possible = {
        "Eq": (low <= other_high) & (high >= other_low),
        "NotEq": ~((low == high) & (other_low == other_high) & (low == other_low)),
        "Lt": low < other_high,
        "LtEq": low <= other_high,
        "Gt": high > other_low,
        "GtEq": high >= other_low,
    }.get(op)
    if possible is None:
        return None
    return _with_values(possible, (left, right), columns)


def _listed(value: dict[str, Any], listed: dict[str, Any], columns: _Columns) -> polars.Expr | None:
    bounds = _interval(value, columns)
    if bounds is None or "Literal" not in listed:
        return None
    items = polars.select(_literal(listed)).to_series()
    if isinstance(items.dtype, polars.List):
        items = items.explode()
    items = items.drop_nulls()
    is_long = len(items) > _MOST_ITEMS
    pairs = [(items.min(), items.max())] if is_long else [(item, item) for item in items]
    within = [
        (bounds[0] <= polars.lit(last)) & (bounds[1] >= polars.lit(first)) for first, last in pairs
    ]
    possible = polars.any_horizontal(polars.lit(False), *within)
    return _with_values(possible, (value,), columns)


def _with_values(
    possible: polars.Expr, sides: tuple[dict[str, Any], ...], columns: _Columns
) -> polars.Expr:
    """A comparison with null is not true: a column without other values passes nowhere."""
    for side in sides:
        path = _path(side)
        if path is not None:
            has_values = (columns.nulls(path) < polars.col("count")).fill_null(True)
            possible = possible.fill_null(True) & has_values
    return possible


def _interval(node: dict[str, Any], columns: _Columns) -> Bounds | None:
    """The smallest and the largest that an expression can be, in each block."""
    path = _path(node)
    if path is not None:
        return columns.bounds(path)
    if "Literal" in node:
        literal = _literal(node)
        return literal, literal
    if "Cast" not in node:
        return None
    cast = node["Cast"]
    path = _path(cast["expr"])
    dtype = {"Float64": polars.Float64, "Int64": polars.Int64}.get(cast["dtype"]["Literal"])
    if path is None or dtype is None or not columns.is_numeric(path):
        return None
    bounds = columns.bounds(path)
    if bounds is None:
        return None
    # The order of numbers stays.
    return bounds[0].cast(dtype, strict=False), bounds[1].cast(dtype, strict=False)


def _path(node: dict[str, Any]) -> tuple[str, ...] | None:
    if "Column" in node:
        return (node["Column"],)
    function = node.get("Function", {"function": {}})
    name = function["function"].get("StructExpr", {})
    if not isinstance(name, dict) or "FieldByName" not in name:
        return None
    around = _path(function["input"][0])
    return None if around is None else (*around, name["FieldByName"])


def _literal(node: dict[str, Any]) -> polars.Expr:
    return polars.Expr.deserialize(io.BytesIO(json.dumps(node).encode()), format="json")
