"""Tables of pandas as lists of records."""

from __future__ import annotations

from typing import Any

import pandas

from packord import OPT_NAIVE_UTC, OPT_RECORDS, OPT_SERIALIZE_NUMPY, packb, unpackb


def pack_frame(frame: pandas.DataFrame, *, records: bool = False) -> bytes:
    """Packs a ``DataFrame`` as a list of maps, one for each row; missing values are nil.

    With ``records=True`` the column names are written once.
    """
    # As objects, so that missing values can be None and dates are those of Python.
    rows = frame.astype(object).where(frame.notna(), None).to_dict("records")
    option = OPT_SERIALIZE_NUMPY | OPT_NAIVE_UTC | (OPT_RECORDS if records else 0)
    return packb(rows, _default, option)


def unpack_frame(data: bytes, *, records: bool = False) -> pandas.DataFrame:
    """Unpacks a ``DataFrame`` that :func:`pack_frame` has packed, or any list of maps."""
    return pandas.DataFrame(unpackb(data, option=OPT_RECORDS if records else 0))


def _default(obj: Any) -> Any:
    if isinstance(obj, pandas.Timestamp):
        return obj.to_pydatetime(warn=False)
    raise TypeError
