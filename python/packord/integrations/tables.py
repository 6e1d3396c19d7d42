"""Tables of pandas, polars and pyarrow that come back as they were.

``default`` and ``ext_hook`` are for tables within messages; :func:`pack_table` and
:func:`unpack_table` are for one alone. A table is one ext value (type 91 of
``spec/extensions-local.md``). :func:`pack_rows` packs the rows as maps instead, for readers that
know nothing of tables.
"""

from __future__ import annotations

import io
import sys
from typing import Any

from packord import Decoder, Ext, from_arrow, packb, unpackb
from packord._support import column_of_objects

TABLE = 91


def pack_table(table: Any) -> bytes:
    """Packs a ``DataFrame``, ``Series`` or ``Index`` of pandas, a ``DataFrame`` or ``Series`` of
    polars, or anything with ``__arrow_c_stream__``."""
    return packb(table, default=default)


def unpack_table(data: bytes) -> Any:
    """Unpacks what :func:`pack_table` has packed.

    Pandas and polars make objects of their own again; every other table becomes a
    ``pyarrow.Table``.
    """
    return unpackb(data, ext_hook=ext_hook)


def pack_rows(table: Any, *, records: bool = False) -> bytes:
    """Packs a table as a list of maps, one for each row; missing values are nil.

    With ``records=True`` the column names are written once. Two columns of one name are an error.
    """
    if _of(table, "pandas"):
        if not table.columns.is_unique:
            name = table.columns[table.columns.duplicated()][0]
            raise ValueError(f"two columns are named {name!r}")
        # As objects, so that missing values can be None and dates are those of Python.
        rows = table.astype(object).where(table.notna(), None).to_dict("records")
    else:
        rows = unpackb(from_arrow(table), columns=True)
    return packb(rows, records=records)


def default(obj: Any) -> Any:
    """For ``packb`` and ``Encoder``: packs tables, and refuses all else with ``TypeError``."""
    if _of(obj, "pandas"):
        from packord.integrations import _frames

        return Ext(TABLE, _frames.packed(obj))
    if _of(obj, "polars"):
        import polars

        if column_of_objects(obj) is not None:
            raise TypeError("a column of objects would not come back as it is")
        is_series = isinstance(obj, polars.Series)
        sink = io.BytesIO()
        (obj.to_frame() if is_series else obj).write_ipc_stream(sink)
        return Ext(TABLE, packb(["polars series" if is_series else "polars", sink.getvalue()]))
    if hasattr(obj, "__arrow_c_stream__"):
        return Ext(TABLE, packb(["arrow", arrow_bytes(_arrow_table(obj))]))
    raise TypeError(f"{type(obj).__name__} is not a table")


def ext_hook(tag: int, data: bytes) -> Any:
    """For ``unpackb`` and ``Decoder``: reads tables, and keeps every other ext as ``Ext``."""
    if tag != TABLE:
        return Ext(tag, data)
    kind, content = Decoder(tuple[str, Any], rich=True).decode(data)
    if kind == "arrow":
        return arrow_table(content)
    if kind in ("polars", "polars series"):
        table = _polars_table(content)
        return table if kind == "polars" else table.to_series()
    from packord.integrations import _frames

    return _frames.unpacked(kind, content)


def arrow_bytes(table: Any) -> bytes:
    """A ``pyarrow.Table`` as an Arrow IPC stream."""
    import pyarrow.ipc

    sink = pyarrow.BufferOutputStream()
    with pyarrow.ipc.new_stream(sink, table.schema) as writer:
        writer.write_table(table)
    return bytes(sink.getvalue())


def arrow_table(data: bytes) -> Any:
    """The ``pyarrow.Table`` of an Arrow IPC stream."""
    import pyarrow.ipc

    table = pyarrow.ipc.open_stream(pyarrow.py_buffer(data)).read_all()
    # Offsets within the columns are of the sender's making.
    table.validate(full=True)
    return table


def _polars_table(data: bytes) -> Any:
    import polars

    try:
        return polars.read_ipc_stream(io.BytesIO(data))
    except polars.exceptions.PanicException as panic:
        # No `Exception`: it would pass every handler of faults in the data.
        raise ValueError(f"polars can't read the table: {panic}") from None


def _arrow_table(table: Any) -> Any:
    import pyarrow

    if isinstance(table, pyarrow.Table):
        return table
    return pyarrow.RecordBatchReader.from_stream(table).read_all()


def _of(obj: Any, package: str) -> bool:
    """Whether an object's class is the package's; one that is not loaded has no objects."""
    return package in sys.modules and type(obj).__module__.split(".")[0] == package
