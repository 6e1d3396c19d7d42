"""The types of the table of several container files, for engines that ask for them beforehand."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterable
from typing import Any

import pyarrow

from packord.container import Reader

# Bytes of a file without an index whose rows show its types.
SAMPLE_SIZE = 16 << 20
_WHOLE = pyarrow.decimal128(20, 0)
_NUMBERS = [pyarrow.int64(), pyarrow.uint64(), _WHOLE, pyarrow.float64()]


def table_schema(files: Iterable[str]) -> pyarrow.Schema:
    """The columns of all files, with types that hold the values of each.

    They are those of the indexes. Of a file without one, the rows in its first 16 MiB are read.
    Raises ``ValueError`` if there is no file.
    """
    merged: pyarrow.Schema | None = None
    for file in files:
        found = _file_schema(file)
        merged = found if merged is None else pyarrow.schema(_fields(merged, found))
    if merged is None:
        raise ValueError("there is no container file")
    return merged


def _file_schema(file: str) -> pyarrow.Schema:
    reader = Reader(file)
    if reader.schema is None and os.path.getsize(file) > 0:
        with open(file, "rb") as opened:
            size = min(SAMPLE_SIZE, os.path.getsize(file))
            # The last block may be cut.
            with mmap.mmap(opened.fileno(), size, access=mmap.ACCESS_READ) as sample:
                return pyarrow.schema(Reader(sample, on_bad_block="skip"))
    return pyarrow.schema(reader)


def _fields(one: Any, other: Any) -> list[pyarrow.Field]:
    """The fields of two schemas or structs."""
    types = {field.name: field.type for field in one}
    for field in other:
        known = types.get(field.name)
        types[field.name] = field.type if known is None else _common(known, field.type)
    return [pyarrow.field(name, kind) for name, kind in types.items()]


def _common(one: pyarrow.DataType, other: pyarrow.DataType) -> pyarrow.DataType:
    """The type that holds the values of two, as ``Reader`` chooses it within a file."""
    if one.equals(other) or pyarrow.types.is_null(other):
        return one
    if pyarrow.types.is_null(one):
        return other
    if one in _NUMBERS and other in _NUMBERS:
        return pyarrow.float64() if pyarrow.float64() in (one, other) else _WHOLE
    if pyarrow.types.is_struct(one) and pyarrow.types.is_struct(other):
        return pyarrow.struct(_fields(one, other))
    if pyarrow.types.is_large_list(one) and pyarrow.types.is_large_list(other):
        return pyarrow.large_list(_common(one.value_type, other.value_type))
    return pyarrow.large_string()
