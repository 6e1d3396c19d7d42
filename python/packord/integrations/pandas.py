"""Tables of pandas as lists of records."""

from __future__ import annotations

import pandas

from packord import packb, unpackb


def pack_frame(frame: pandas.DataFrame, *, records: bool = False) -> bytes:
    """Packs a ``DataFrame`` as a list of maps, one for each row; missing values are nil.

    With ``records=True`` the column names are written once. Two columns of one name are an error.
    """
    if not frame.columns.is_unique:
        name = frame.columns[frame.columns.duplicated()][0]
        raise ValueError(f"two columns are named {name!r}")
    # As objects, so that missing values can be None and dates are those of Python.
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    return packb(rows, records=records)


def unpack_frame(data: bytes, *, records: bool = False) -> pandas.DataFrame:
    """Unpacks a ``DataFrame`` that :func:`pack_frame` has packed, or any list of maps."""
    return pandas.DataFrame(unpackb(data, records=records))
