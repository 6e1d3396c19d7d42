"""Arrays of numpy with fields of every layout, for several tests."""

from __future__ import annotations

from typing import Any

import numpy

STRUCTURED = {
    "fields": [("a", "<i4"), ("b", ">f8"), ("ç", "S3")],
    "aligned": numpy.dtype([("a", "i1"), ("b", "f8"), ("c", "i2")], align=True),
    "nested": [("p", [("x", "f4"), ("y", "f4")]), ("t", "M8[ns]")],
    "array within": [("m", "i2", (2, 3)), ("n", "U4", 2)],
    "array of fields": [("m", [("x", "i1"), ("y", "i8")], (2,))],
    "titles": [(("A title", "a"), "i4"), ("b", "i2")],
    "gaps": {"names": ["b", "a"], "formats": ["i2", "i4"], "offsets": [9, 1], "itemsize": 16},
    "overlap": {"names": ["a", "b"], "formats": ["i4", "i2"], "offsets": [0, 1], "itemsize": 4},
    "nested gaps": [("a", numpy.dtype([("x", "i1"), ("y", "i8")], align=True)), ("b", "i1")],
    "long": [("a", "i1"), ("b", "g"), ("c", "G", 2)],
}


def leaves(array: Any) -> list[Any]:
    """The fields of an array that have no fields themselves."""
    if array.dtype.names is None:
        return [array]
    return [leaf for name in array.dtype.names for leaf in leaves(array[name])]


def made(dtype: Any, shape: tuple[int, ...]) -> Any:
    dtype = numpy.dtype(dtype)
    count = int(numpy.prod(shape, dtype=int))
    if dtype.kind in "SUmM" or dtype.names:
        array = numpy.zeros(count, dtype)
        for index in range(count):
            if dtype.kind in "SU":
                array[index] = "é漢a"[: index % 4] if dtype.kind == "U" else b"a\0b"[: index % 4]
            elif dtype.kind in "mM":
                array[index] = numpy.array(index * 1000 - 2000).astype(dtype)
        if dtype.names:
            raw = numpy.random.default_rng(3).integers(1, 9, count * dtype.itemsize, "u1")
            if not any(part in str(dtype) for part in ("U", "g", "float128", "complex256")):
                array = raw.view(dtype)
        return array.reshape(shape)
    return (numpy.arange(count) * 3 - 2).astype("V3" if dtype.kind == "V" else dtype).reshape(shape)
