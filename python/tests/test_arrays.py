"""Arrays of numpy as ext: whatever the type, the shape and the order, the same array comes back."""

from __future__ import annotations

import struct
from typing import Any

import numpy
import pytest
from hypothesis import given, settings
from hypothesis import strategies as some
from hypothesis.extra import numpy as arrays
from layouts import STRUCTURED, leaves, made

import packord
from packord import packb, unpackb

SIMPLE = (
    "? i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 g F D G >i2 >u4 >i8 >f2 >f4 >f8 >c8 >c16 S1 S7 U1 U5 >U3 V3 "
    "M8[Y] M8[M] M8[W] M8[D] M8[h] M8[m] M8[s] M8[ms] M8[us] M8[ns] M8[25s] >M8[ns] M8 "
    "m8[D] m8[s] m8[ms] m8[ns] m8[7us] >m8[s] m8"
).split()
SHAPES: list[Any] = [(), (1,), (5,), (0,), (2, 3), (0, 4), (4, 0), (2, 3, 4), (1,) * 32]


def same(array: Any, **more: Any) -> Any:
    """Packs the array at several places of a message, and checks what comes back."""
    for before in range(5):
        value = [None] * before + [array]
        packed = packb(value, rich=True, **more)
        for data in (packed, bytearray(packed)):
            back = unpackb(data, rich=True, **more)[before]
            assert type(back) is numpy.ndarray
            assert back.shape == array.shape and back.dtype == array.dtype
            assert back.dtype.str == array.dtype.str
            assert back.dtype.isalignedstruct == array.dtype.isalignedstruct
            assert back.flags.f_contiguous or not array.flags.f_contiguous
            assert back.flags.aligned and not back.flags.writeable
            for left, right in zip(leaves(back), leaves(array), strict=True):
                numpy.testing.assert_array_equal(left, right)
    return back


@pytest.mark.parametrize("dtype", SIMPLE)
@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_arrays_come_back(dtype: str, shape: tuple[int, ...]) -> None:
    same(made(dtype, shape))


@pytest.mark.parametrize("name", STRUCTURED)
@pytest.mark.parametrize("shape", SHAPES[:-1], ids=str)
def test_structured_arrays_come_back(name: str, shape: tuple[int, ...]) -> None:
    same(made(STRUCTURED[name], shape))


@pytest.mark.parametrize("dtype", ["i4", "f8", "?", "U2", "M8[ns]", "i1,f8"])
def test_views_of_arrays_come_back(dtype: str) -> None:
    array = made(dtype, (4, 6, 5))
    for view in (
        array.T, array[::2], array[:, ::-1], array[:, :, 2], array[1, :, 1], array[3:1], array[1, 2, 3:4],
        array.swapaxes(0, 1), numpy.asfortranarray(array), numpy.broadcast_to(array[0], (3, 6, 5)),
        array.reshape(-1)[::7], array.reshape(-1)[::-1], array[1, 2, 3, ...],
    ):  # fmt: skip
        same(view)
    unaligned = numpy.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1)
    same(unaligned)
    same(unaligned.reshape(array.shape))


@given(
    arrays.arrays(
        some.one_of(
            arrays.scalar_dtypes(), arrays.nested_dtypes(max_itemsize=64), arrays.array_dtypes()
        ).filter(lambda dtype: dtype.itemsize > 0),
        arrays.array_shapes(min_dims=0, max_dims=4, min_side=0, max_side=4),
    )
)
@settings(max_examples=300, deadline=None)
def test_any_array_comes_back(array: Any) -> None:
    if array.dtype.hasobject or 0 in zero_sizes(array.dtype):
        return
    back = unpackb(packb(array, rich=True), rich=True)
    assert back.dtype == array.dtype and back.shape == array.shape
    for left, right in zip(leaves(back), leaves(array), strict=True):
        assert left.tobytes() == right.tobytes() or array.dtype.kind in "fc"
    again = packb(back, rich=True)
    assert again == packb(array, rich=True)


def zero_sizes(dtype: Any) -> list[int]:
    if dtype.subdtype:
        return zero_sizes(dtype.subdtype[0])
    if dtype.names:
        return [size for name in dtype.names for size in zero_sizes(dtype.fields[name][0])]
    return [dtype.itemsize]


def test_nothing_is_copied() -> None:
    """Arrays share the memory of the message, wherever they are in it."""
    array = made("f8", (40, 50))
    for before in range(20):
        data = packb([b"x" * before, array, made("i8", (3, 3))], rich=True)
        whole = numpy.frombuffer(data, "u1")
        for back in unpackb(data, rich=True)[1:]:
            assert numpy.shares_memory(back, whole)
    flat = packb([b"", array.ravel()[:4]], rich=True)
    back = unpackb(flat, rich=True)[1]
    assert numpy.shares_memory(back, numpy.frombuffer(flat, "u1")) == (len(flat) % 8 == 0)


def test_memory_between_fields_is_not_packed() -> None:
    dtype = numpy.dtype([("a", "i1"), ("b", "f8"), ("c", "g")], align=True)
    one, other = numpy.full(40 * 6, 1, "u1"), numpy.full(40 * 6, 2, "u1")
    first, second = (
        raw[: raw.size // dtype.itemsize * dtype.itemsize].view(dtype) for raw in (one, other)
    )
    second["a"], second["b"], second["c"] = first["a"], first["b"], first["c"] = 5, 2.5, 1.5
    assert packb(first, rich=True) == packb(second, rich=True)


def test_the_bytes() -> None:
    """The layout of ``spec/extensions-local.md``."""
    array = numpy.array([[1, 2]], "<i4")
    header = bytes.fromhex("93 a3 3c6934 92 01 02 a1 43")
    elements = bytes.fromhex("01000000 02000000")
    # Two zero bytes put the elements at byte 16.
    assert packb(array, rich=True) == b"\xc7\x15\x5a" + header + b"\x02\0\0" + elements
    strict = packb(array, rich=True, canonical=True)
    assert strict == b"\xc7\x13\x5a" + header + b"\0" + elements
    assert packb(made("i4", (2,)), rich=True)[:4] == b"\xc7\x09\x74\x05"
    same(array, canonical=True)
    assert packord.Decoder().decode(strict) == packord.Ext(90, strict[3:])


def ext(*parts: Any, elements: bytes = b"\0" * 5) -> bytes:
    payload = packb(list(parts)) + elements
    return b"\xc8" + struct.pack(">H", len(payload)) + b"\x5a" + payload


HOSTILE = {
    "empty": b"\xc7\x00\x5a",
    "no header": b"\xd4\x5a\x01",
    "cut header": b"\xd5\x5a\x93\xa3",
    "no padding byte": ext("<i4", [1], "C", elements=b""),
    "padding beyond the end": ext("<i4", [1], "C", elements=b"\x05\0\0\0\0"),
    "padding of 16": ext("|i1", [1], "C", elements=b"\x10" + bytes(17)),
    "padding that is not zero": ext("<i4", [1], "C", elements=b"\x01\x01\0\0\0\0"),
    "two parts": ext("<i4", [1]),
    "four parts": ext("<i4", [1], "C", 1),
    "a map": b"\xc7\x07\x5a\x80\0\0\0\0\0\0",
    "unknown order": ext("<i4", [1], "K"),
    "order of a wrong type": ext("<i4", [1], 1),
    "negative shape": ext("<i4", [-1], "C"),
    "negative shapes": ext("<i4", [-1, -1], "C"),
    "shape of floats": ext("<i4", [1.0], "C"),
    "shape of booleans": ext("<i4", [True], "C"),
    "shape is a number": ext("<i4", 1, "C"),
    "too few elements": ext("<i4", [2], "C"),
    "too many elements": ext("<i4", [1, 0], "C"),
    "huge shape": ext("<i4", [2**62, 2**62], "C"),
    "product that wraps": ext("<i4", [2**32, 2**32, 2**62], "C", elements=b"\0"),
    "huge and empty": ext("<i4", [2**63, 0], "C", elements=b"\0"),
    "65 dimensions": ext("<i4", [1] * 65, "C"),
    "objects": ext("|O", [1], "C", elements=bytes(9)),
    "objects of 8 bytes": ext("|O8", [1], "C", elements=bytes(9)),
    "fields with objects": ext([8, False, ["a", 0, "|O"]], [1], "C", elements=bytes(9)),
    "unknown kind": ext("<q4", [1], "C"),
    "several types": ext("i4,i4", [1], "C", elements=bytes(9)),
    "name of a type": ext("int32", [1], "C"),
    "no byte order": ext("i4", [1], "C"),
    "byte order of one byte": ext("<i1", [4], "C"),
    "int of 3 bytes": ext("<i3", [1], "C", elements=bytes(4)),
    "elements without bytes": ext("|S0", [2**40], "C", elements=b"\0"),
    "an unknown unit": ext("<M8[q]", [1], "C", elements=bytes(9)),
    "unit 0": ext("<M8[0s]", [1], "C", elements=bytes(9)),
    "strings beyond all memory": ext("<U1999999999", [1], "C"),
    "type is a number": ext(5, [1], "C"),
    "type is nil": ext(None, [1], "C"),
    "type is an empty array": ext([], [1], "C"),
    "field without a type": ext([4, False, ["a", 0]], [1], "C"),
    "field without a name": ext([4, False, []], [1], "C"),
    "field beyond the element": ext([4, False, ["a", 2, "<i4"]], [1], "C"),
    "field before the element": ext([4, False, ["a", -1, "<i4"]], [1], "C"),
    "fields of one name": ext(
        [8, False, ["a", 0, "<i4"], ["a", 4, "<i4"]], [1], "C", elements=bytes(9)
    ),
    "name is a number": ext([4, False, [1, 0, "<i4"]], [1], "C"),
    "name that cannot be hashed": ext([4, False, [[], 0, "<i4"]], [1], "C"),
    "size that is negative": ext([-4, False, ["a", 0, "<i4"]], [1], "C"),
    "size beyond 32 bits": ext([2**40, False, ["a", 0, "<i4"]], [1], "C"),
    "unit of 2^32 seconds": ext("<M8[4294967296s]", [1], "C", elements=bytes(9)),
    "not aligned": ext([5, True, ["a", 1, "<i4"]], [1], "C", elements=bytes(6)),
    "array within of huge size": ext(["<i4", [2**31, 2**31]], [1], "C"),
    "array within an array within": ext([["<i1", [2]], [2]], [1], "C"),
    "types within types": b"\xc8\x01\x00\x5a\x93" + b"\x92" * 255,
}


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_arrays_are_refused(name: str) -> None:
    data = HOSTILE[name]
    assert isinstance(packord.Decoder().decode(data), packord.Ext)
    for buffer in (data, bytearray(data)):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            unpackb(b"\x92\x01" + buffer, rich=True)
        assert (caught.value.kind, caught.value.offset) == ("invalid_ext", 2)


def test_canonical_arrays() -> None:
    option: dict[str, Any] = {"rich": True, "canonical": True}
    for data in (
        ext("<i4", [1, 1], "C", elements=b"\x01\0" + bytes(4)),
        ext("<i4", [1, 1], "F"),
        ext("<i4", [1], "C"),
    ):
        assert unpackb(data, rich=True).size == 1
        minimal = b"\xc7" + data[2:]
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            unpackb(minimal, **option)
        assert caught.value.kind == "not_canonical"
    assert unpackb(b"\xc7" + ext("<i4", [1, 1], "C")[2:], **option).tolist() == [[0]]


def test_types_that_other_programs_cannot_know() -> None:
    for array in (
        numpy.array([object()]), numpy.zeros(2, [("a", "O")]), numpy.zeros(2, "V0"), numpy.zeros(2, []),
        numpy.zeros((2, 2), numpy.dtypes.StringDType()),
    ):  # fmt: skip
        with pytest.raises(packord.MsgpackEncodeError, match=r"unsupported_type at \$\.a"):
            packb({"a": array}, rich=True)
        assert packb(array, default=lambda array: len(array), rich=True) == bytes([len(array)])
    masked = numpy.ma.masked_array([1, 2], [True, False])
    with pytest.raises(packord.MsgpackEncodeError):
        packb(masked, rich=True)


def test_options_of_the_reader_do_not_reach_the_header() -> None:
    array = made("i1,f8", (2, 2))
    data = packb([array, "x"], rich=True)
    decoder: Any = packord.Decoder(
        tuples=True,
        utf8="raw",
        list_hook=lambda items: items,
        max_array_len=2,
        rich=True,
    )
    back = decoder.decode(data)
    assert back[0].tolist() == array.tolist() and back[1] == "x"
    typed = packord.Decoder(list[numpy.ndarray], rich=True)
    assert typed.decode(packb([array], rich=True))[0].dtype == array.dtype
