"""Schemas of Spark for tables of container files.

| in the file | in Spark |
|---|---|
| whole numbers below 2^63; others | ``long``; ``decimal(20,0)`` |
| floats, with or without whole numbers | ``double`` |
| str; bin and ext; bool | ``string``; ``binary``; ``boolean`` |
| timestamps | ``timestamp``, in microseconds |
| arrays; maps | ``array``; ``struct`` |
| several others in one column, or nil alone | ``string``: strings as they are, the rest as JSON |
"""

from __future__ import annotations

from decimal import Decimal
from inspect import signature
from typing import Any

import pyarrow
import pyarrow.compute
from pyspark.sql.pandas.types import from_arrow_schema, to_arrow_schema
from pyspark.sql.types import StructType

# Spark 4.1 has UTC by default, and has no such option.
_HAS_TIMEZONE = "timezone" in signature(to_arrow_schema).parameters
_UTC: dict[str, Any] = {"timezone": "UTC"} if _HAS_TIMEZONE else {}
_LARGEST = Decimal((1 << 63) - 1)


def spark_schema(schema: pyarrow.Schema, columns: list[str] | None) -> StructType:
    """The schema of a table, or of some of its columns; ``ValueError`` for one that it lacks."""
    names = schema.names if columns is None else columns
    missing = [name for name in names if name not in schema.names]
    if missing:
        raise ValueError(f"there is no column {missing[0]!r} in the container files")
    fields = [pyarrow.field(name, _arrow_type(schema.field(name).type)) for name in names]
    return from_arrow_schema(pyarrow.schema(fields))


def _arrow_type(kind: pyarrow.DataType) -> pyarrow.DataType:
    """The nearest type that Spark has."""
    if pyarrow.types.is_null(kind):
        return pyarrow.string()
    if pyarrow.types.is_uint64(kind):
        return pyarrow.decimal128(20, 0)
    if pyarrow.types.is_timestamp(kind):
        return pyarrow.timestamp("us", tz="UTC")
    if pyarrow.types.is_large_list(kind):
        return pyarrow.list_(_arrow_type(kind.value_type))
    if pyarrow.types.is_struct(kind):
        return pyarrow.struct([pyarrow.field(each.name, _arrow_type(each.type)) for each in kind])
    return kind


def batch_schema(schema: StructType) -> pyarrow.Schema:
    """The schema that Spark expects of batches, to the letter."""
    return to_arrow_schema(schema, **_UTC)


def plain_columns(batch: Any) -> Any:
    """A batch of Spark as it is packed: whole decimals that fit in 64 bits are numbers."""
    columns = [_plain(column) for column in batch.columns]
    return pyarrow.RecordBatch.from_arrays(columns, names=batch.schema.names)


def _plain(column: Any) -> Any:
    if not pyarrow.types.is_decimal(column.type) or column.type.scale != 0:
        return column
    large = pyarrow.compute.greater(column, _LARGEST)
    below = pyarrow.compute.if_else(large, None, column)
    above = pyarrow.compute.if_else(large, column, None)
    try:
        parts = [below.cast(pyarrow.int64()), above.cast(pyarrow.uint64())]
    except pyarrow.ArrowInvalid:
        # Packed as text, as all decimals.
        return column
    if parts[1].null_count == len(column):
        return parts[0]
    tags = large.fill_null(False).cast(pyarrow.int8())
    places = pyarrow.array(range(len(column)), pyarrow.int32())
    return pyarrow.UnionArray.from_dense(tags, places, parts)
