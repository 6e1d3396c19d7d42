"""What :mod:`packord.integrations.tables` packs for pandas: the arrays its objects are made of."""

from __future__ import annotations

from typing import Any

import numpy
import pandas

from packord import packb, unpackb

_MASKED = {
    "b": pandas.arrays.BooleanArray,
    "f": pandas.arrays.FloatingArray,
    "i": pandas.arrays.IntegerArray,
    "u": pandas.arrays.IntegerArray,
}


def packed(obj: Any) -> bytes:
    """The payload of an object of pandas; ``TypeError`` if it would not come back as it is."""
    if type(obj) is pandas.DataFrame:
        columns = [_array(obj.iloc[:, place].array) for place in range(obj.shape[1])]
        content = [_index(obj.columns), _index(obj.index), columns, _plain(obj.attrs)]
        return packb(["frame", content], rich=True)
    if type(obj) is pandas.Series:
        content = [_array(obj.array), _index(obj.index), _label(obj.name), _plain(obj.attrs)]
        return packb(["series", content], rich=True)
    if isinstance(obj, pandas.Index):
        return packb(["index", _index(obj)], rich=True)
    raise TypeError(f"{type(obj).__name__} is not a table")


def unpacked(kind: str, content: Any) -> Any:
    """The object of a payload; ``ValueError`` or another error if it is malformed."""
    if kind == "index":
        return _to_index(content)
    if kind == "series":
        array, index, name, attributes = content
        series = _to_series(array)
        series.index = _to_index(index)
        series.name = _to_label(name)
        series.attrs = attributes
        return series
    if kind != "frame":
        raise ValueError(f"the kind of table is unknown: {kind}")
    columns, index, arrays, attributes = content
    columns = _to_index(columns)
    if len(columns) != len(arrays):
        raise ValueError("the columns do not fit their labels")
    index = _to_index(index)
    # By number first: labels may be there twice.
    numbered = dict(enumerate(map(_to_series, arrays)))
    frame = pandas.DataFrame(numbered, pandas.RangeIndex(len(index)))
    frame.index, frame.columns = index, columns
    frame.attrs = attributes
    return frame


def _index(index: Any) -> list[Any]:
    if type(index) is pandas.RangeIndex:
        return ["range", index.start, index.stop, index.step, _label(index.name)]
    if isinstance(index, pandas.MultiIndex):
        levels = [_index(level) for level in index.levels]
        codes = [numpy.asarray(level) for level in index.codes]
        return ["levels", levels, codes, [_label(name) for name in index.names]]
    is_regular = isinstance(index, pandas.DatetimeIndex | pandas.TimedeltaIndex)
    frequency = index.freqstr if is_regular else None
    return ["array", _array(index.array), _label(index.name), frequency]


def _to_index(content: Any) -> Any:
    kind, *parts = content
    if kind == "range":
        start, stop, step, name = parts
        return pandas.RangeIndex(start, stop, step, name=_to_label(name))
    if kind == "levels":
        levels, codes, names = parts
        return pandas.MultiIndex(
            [_to_index(level) for level in levels], codes, names=[_to_label(name) for name in names]
        )
    array, name, frequency = parts
    array = _to_array(array)
    index = pandas.Index(array, dtype=array.dtype, name=_to_label(name))
    if frequency is not None:
        index.freq = frequency
    return index


def _array(array: Any) -> list[Any]:
    values = array.to_numpy() if type(array) is pandas.arrays.NumpyExtensionArray else array
    dtype = values.dtype
    if isinstance(dtype, numpy.dtype):
        values = numpy.asarray(values)
        return ["objects", _plain(list(values))] if dtype.hasobject else ["numpy", values]
    if isinstance(dtype, pandas.CategoricalDtype):
        return ["categories", array.codes, _index(dtype.categories), bool(dtype.ordered)]
    if isinstance(dtype, pandas.DatetimeTZDtype):
        return ["zoned", array.asi8, _name(dtype)]
    if isinstance(dtype, pandas.PeriodDtype):
        return ["periods", array.asi8, _name(dtype)]
    if isinstance(dtype, pandas.IntervalDtype):
        return ["intervals", _index(array.left), _index(array.right), dtype.closed]
    if isinstance(dtype, pandas.StringDtype):
        missing = dtype.na_value is pandas.NA
        texts = [None if gone else text for text, gone in zip(array, array.isna(), strict=True)]
        return ["strings", texts, dtype.storage, missing]
    if isinstance(dtype, pandas.ArrowDtype):
        import pyarrow

        from packord.integrations.tables import arrow_bytes

        table = pyarrow.table({"": pyarrow.chunked_array([pyarrow.array(array)])})
        return ["arrow", arrow_bytes(table)]
    if type(array) in _MASKED.values():
        numbers = array.to_numpy(dtype.numpy_dtype, na_value=dtype.type(0))
        return ["masked", numbers, numpy.asarray(array.isna())]
    raise TypeError(f"a column of type {dtype} would not come back as it is")


def _to_series(content: Any) -> Any:
    array = _to_array(content)
    # With its type, since pandas makes objects that are all text a column of text.
    return pandas.Series(array, dtype=array.dtype, copy=True)


def _to_array(content: Any) -> Any:
    kind, values, *parts = content
    if kind == "objects":
        array = numpy.empty(len(values), object)
        array[:] = values
        return array
    if kind == "numpy":
        return values
    if kind == "categories":
        categories, ordered = parts
        dtype = pandas.CategoricalDtype(_to_index(categories), ordered)
        return pandas.Categorical.from_codes(values, dtype=dtype)
    if kind == "zoned":
        dtype = pandas.api.types.pandas_dtype(parts[0])
        moments = pandas.DatetimeIndex(values.view(f"M8[{dtype.unit}]"))
        return moments.tz_localize("UTC").tz_convert(dtype.tz).array
    if kind == "periods":
        return pandas.arrays.PeriodArray(values, dtype=pandas.api.types.pandas_dtype(parts[0]))
    if kind == "intervals":
        right, closed = parts
        return pandas.arrays.IntervalArray.from_arrays(_to_index(values), _to_index(right), closed)
    if kind == "strings":
        storage, missing = parts
        na_value = pandas.NA if missing else numpy.nan
        return pandas.array(values, dtype=pandas.StringDtype(storage, na_value))
    if kind == "arrow":
        from packord.integrations.tables import arrow_table

        column = arrow_table(values).column(0)
        return pandas.arrays.ArrowExtensionArray(column)
    if kind == "masked":
        return _MASKED[values.dtype.kind](values.copy(), parts[0].copy())
    raise ValueError(f"the kind of column is unknown: {kind}")


def _name(dtype: Any) -> str:
    name = str(dtype)
    if pandas.api.types.pandas_dtype(name) != dtype:
        raise TypeError(f"a column of type {dtype} would not come back as it is")
    return name


def _label(label: Any) -> list[Any]:
    """A label, in an array of its own if it is a tuple: in MessagePack both are arrays."""
    if type(label) is tuple:
        return [True, [_label(part) for part in label]]
    return [False, _plain(label)]


def _to_label(content: Any) -> Any:
    is_tuple, label = content
    return tuple(map(_to_label, label)) if is_tuple else label


def _plain(value: Any) -> Any:
    """The value if it comes back as it is, else ``TypeError``."""
    back = unpackb(packb(value, rich=True), rich=True)
    if not _is_same(value, back):
        raise TypeError("an object would not come back as it is")
    return value


def _is_same(one: Any, other: Any) -> bool:
    if type(one) is not type(other):
        return False
    if isinstance(one, list):
        return len(one) == len(other) and all(map(_is_same, one, other))
    if isinstance(one, dict):
        return _is_same([*one, *one.values()], [*other, *other.values()])
    if isinstance(one, numpy.ndarray):
        return bool(one.dtype == other.dtype and one.shape == other.shape)
    # Minus zero equals zero, and no NaN equals another.
    return repr(one) == repr(other)
