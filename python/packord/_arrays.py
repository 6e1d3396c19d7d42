"""Arrays of numpy, which is only imported when there is something of it.

The ext type of arrays, and how it describes the types of elements, are specified in
``spec/extensions-local.md``.
"""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from typing import Any, Literal

_SIMPLE = re.compile(r"[<>|][biufcSUVmM][0-9]{1,10}(\[([1-9][0-9]{0,9})?[a-zA-Z]{1,2}\])?")
_MOST_PADDING = 15
# The kinds of types whose elements can be numbers of each other.
_NUMBERS = "iufc"


def array_to_ext(array: Any) -> tuple[bytes, Any, int] | None:
    """The packed header of an array, its elements and their alignment; ``None`` if its type has
    no description."""
    try:
        header = _header(array)
    except _NoDescriptionError:
        return None
    if _has_gaps(array.dtype):
        array = _without_gaps(array)
    return header, elements(array), array.dtype.alignment


def elements(array: Any) -> Any:
    """The bytes of an array's elements, in the order in which they are packed."""
    import numpy

    ordered = array.T if _order(array) == "F" else array
    return numpy.ascontiguousarray(ordered).reshape(-1).view(numpy.uint8)


def array_from_ext(header: Any, data: bytes, start: int, end: int) -> Any:
    """A read-only array whose elements end at ``end`` of ``data``, on these bytes where their
    alignment allows it. ``ValueError`` if the payload is malformed."""
    import numpy

    if not isinstance(header, list) or len(header) != 3:
        raise ValueError("the header is not an array of type, shape and order")
    description, shape, order = header
    dtype = _dtype(description)
    if _describe(dtype) != description:
        raise ValueError("the type is not in its own form")
    if order not in ("C", "F"):
        raise ValueError("the order is neither C nor F")
    if start >= end or data[start] > _MOST_PADDING:
        raise ValueError("the padding is malformed")
    first = start + 1 + data[start]
    if any(data[start + 1 : first]):
        raise ValueError("the padding is not zero")
    if math.prod(_checked(shape)) * dtype.itemsize != end - first:
        raise ValueError("the shape does not fit the length")
    return _aligned(numpy.ndarray(shape, dtype, data, first, order=order), data, first)


def is_canonical_array(array: Any, header: bytes) -> bool:
    """Whether an array is packed with this header; one that a typed array holds is not."""
    from packord._packord import _TYPED

    order, kind = array.dtype.str[0], array.dtype.str[1:]
    return header == _header(array) and (array.ndim != 1 or order == ">" or kind not in _TYPED)


def typed_array(data: bytes, dtype: str, count: int, offset: int) -> Any:
    """A read-only array, on the bytes given where their alignment allows it."""
    import numpy

    return _aligned(numpy.ndarray((count,), dtype, data, offset), data, offset)


def array_reader(element: Any, strict: bool) -> Callable[[Any], Any]:
    """What makes an array of an array or a list. ``element``: numpy's class of the elements, which
    a list is made to have if its numbers fit; ``None`` for any. An array of other elements is
    refused if ``strict``, and else treated as a list is."""

    def convert(value: Any) -> Any:
        import numpy

        if not isinstance(value, (numpy.ndarray, list)):
            raise TypeError(f"got {type(value).__name__}")
        array = numpy.asarray(value)
        if element is None or issubclass(array.dtype.type, element):
            return array
        if strict and not isinstance(value, list):
            raise TypeError(f"got an array of {array.dtype.name}")
        return _made_of(array, element)

    return convert


def _made_of(array: Any, element: Any) -> Any:
    """The numbers of an array as numbers of another class. ``ValueError`` if they do not fit."""
    import numpy

    # The first is the class itself, unless it stands for several.
    classes = (element, numpy.int64, numpy.uint64, numpy.float64, numpy.complex128)
    known = set(numpy.sctypeDict.values())
    found = next((cls for cls in classes if cls in known and issubclass(cls, element)), None)
    dtype = None if found is None else numpy.dtype(found)
    if dtype is None or dtype.kind not in _NUMBERS or array.dtype.kind not in _NUMBERS:
        raise ValueError(f"got elements of {array.dtype.name}")
    with numpy.errstate(all="ignore"):
        cast = array.astype(dtype) if dtype.kind == "c" else array.real.astype(dtype)
        # A float may be rounded, but not become infinite.
        exact = dtype.kind in "iu" or array.dtype.kind == "c"
        fits = cast == array if exact else numpy.isfinite(cast) == numpy.isfinite(array)
    if not fits.all():
        raise ValueError(f"an element does not fit {dtype.name}")
    return cast


def native_order(array: Any) -> Any:
    return array.astype(array.dtype.newbyteorder("="), order="C")


def contiguous(array: Any) -> Any:
    """The elements one after another; that of an array without dimensions."""
    import numpy

    return numpy.ascontiguousarray(array) if array.ndim else array[()]


def moments(array: Any) -> tuple[Any, bool]:
    """The array of ``datetime64`` as ticks since 1970, and whether these are nanoseconds, and not
    microseconds."""
    import numpy

    if numpy.isnat(array).any():
        raise TypeError("unrepresentable numpy.datetime64: NaT")
    unit = numpy.datetime_data(array.dtype)[0]
    if unit in ("generic", "ps", "fs", "as"):
        raise TypeError(f"unsupported numpy.datetime64 unit: {unit}")
    is_fine = unit == "ns"
    if not is_fine and (abs(array.astype("datetime64[D]").astype("int64")) > 4_000_000).any():
        raise TypeError("unrepresentable numpy.datetime64: the year is not 0 to 9999")
    ticks = array.astype(f"datetime64[{'ns' if is_fine else 'us'}]")
    return ticks.astype("int64", order="C"), is_fine


def moment_of(value: Any) -> tuple[int, bool]:
    """The same of a scalar."""
    import numpy

    if numpy.isnat(value):
        raise TypeError("unsupported numpy.datetime64 unit: NaT")
    ticks, is_fine = moments(numpy.asarray([value]))
    return int(ticks[0]), is_fine


def _header(array: Any) -> bytes:
    from packord import packb

    return packb([_describe(array.dtype), list(array.shape), _order(array)])


def _order(array: Any) -> Literal["C", "F"]:
    return "F" if array.flags.f_contiguous and not array.flags.c_contiguous else "C"


def _aligned(array: Any, data: bytes, first: int) -> Any:
    """The array, whose elements begin at ``first`` of ``data``, or one on a copy of these bytes."""
    import numpy

    if array.flags.aligned:
        return array
    # A copy by numpy would have other memory between the fields.
    copy = data[first : first + array.nbytes]
    return numpy.ndarray(array.shape, array.dtype, copy, strides=array.strides)


def _checked(shape: Any) -> list[int]:
    if not isinstance(shape, list) or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError("the shape is not an array of counts")
    return shape


class _NoDescriptionError(Exception):
    """The type has objects in it, or is of a kind that other programs can't know."""


def _describe(dtype: Any) -> Any:
    import numpy

    if dtype.subdtype is not None:
        base, shape = dtype.subdtype
        return [_describe(base), list(shape)]
    if dtype.names is not None:
        fields = [_describe_field(name, *dtype.fields[name]) for name in dtype.names]
        if dtype.itemsize == 0:
            raise _NoDescriptionError
        return [dtype.itemsize, dtype.isalignedstruct, *fields]
    long = _long_types().get(dtype)
    if long is not None:
        return long
    # Types that other packages add to numpy call themselves plain bytes.
    if dtype.itemsize == 0 or not _SIMPLE.fullmatch(dtype.str) or numpy.dtype(dtype.str) != dtype:
        raise _NoDescriptionError
    return dtype.str


def _describe_field(name: str, dtype: Any, offset: int, title: Any = None) -> list[Any]:
    if title is None:
        return [name, offset, _describe(dtype)]
    if not isinstance(title, str):
        raise _NoDescriptionError
    return [name, offset, _describe(dtype), title]


@functools.cache
def _long_types() -> dict[Any, str]:
    """Names of the types whose form depends on the machine: numpy has one name for several."""
    import numpy

    # 64 bits for the mantissa: the 80 bits of x86, in 12 or 16 bytes.
    if numpy.finfo(numpy.longdouble).nmant != 63:
        return {}
    real, pair = numpy.dtype("g"), numpy.dtype("G")
    return {real: f"<x{real.itemsize}", pair: f"<z{pair.itemsize}"}


def _dtype(description: Any) -> Any:
    import numpy

    if isinstance(description, str):
        for long, name in _long_types().items():
            if name == description:
                return long
        if not _SIMPLE.fullmatch(description):
            raise ValueError("the type is unknown")
        simple: Any = numpy.dtype(description)
        return simple
    if not isinstance(description, list) or len(description) < 2:
        raise ValueError("the type is malformed")
    first, second, *fields = description
    if not isinstance(first, int):
        return numpy.dtype((_dtype(first), tuple(_checked(second))))
    layout: dict[str, Any] = {
        "names": [field[0] for field in fields],
        "offsets": [field[1] for field in fields],
        "formats": [_dtype(field[2]) for field in fields],
        "titles": [field[3] if len(field) == 4 else None for field in fields],
        "itemsize": first,
        "aligned": second,
    }
    fields_type: Any = numpy.dtype(layout)  # type: ignore[call-overload]
    return fields_type


def _has_gaps(dtype: Any) -> bool:
    """Whether elements have bytes that belong to no field, or to no digit of a number."""
    if dtype.subdtype is not None:
        return _has_gaps(dtype.subdtype[0])
    if dtype.names is None:
        return dtype in _long_types()
    end: int = 0
    for field, offset, *_ in sorted(dtype.fields.values(), key=lambda field: field[1]):
        if offset > end or _has_gaps(field):
            return True
        end = max(end, offset + field.itemsize)
    return end < int(dtype.itemsize)


def _without_gaps(array: Any) -> Any:
    """A copy in which these bytes are zero: they may be memory that nobody has written."""
    import numpy

    # `zeros_like` would set the fields alone, and choose another order for some views.
    copy = numpy.zeros(array.shape, array.dtype, _order(array))
    _fill(copy, array)
    return copy


def _fill(copy: Any, array: Any) -> None:
    import numpy

    names = array.dtype.names
    if names is not None:
        for name in names:
            _fill(copy[name], array[name])
    elif array.dtype in _long_types():
        parts = (copy.real, array.real), (copy.imag, array.imag)
        for to, source in parts if array.dtype.kind == "c" else [(copy, array)]:
            size = source.dtype.itemsize
            packed = numpy.ascontiguousarray(source).reshape(-1).view(numpy.uint8)
            packed.reshape(-1, size)[:, 10:] = 0
            to[...] = packed.view(source.dtype).reshape(to.shape)
    else:
        copy[...] = array
