"""Buffers as bin and as payloads: no address of an object, nor of other memory, is ever sent."""

from __future__ import annotations

import array
import ctypes
import io
from collections.abc import Callable
from typing import Any, ClassVar

import numpy
import pytest

import packord
from packord.compat import msgpack, msgspec, ormsgpack
from packord.container import Writer

OBJECT = object()


class Pair(ctypes.Structure):
    _fields_: ClassVar[Any] = (("number", ctypes.c_int), ("object", ctypes.py_object))


class PackedPair(ctypes.Structure):
    _pack_ = 1
    _layout_ = "ms"
    _fields_ = (("number", ctypes.c_int), ("object", ctypes.py_object))


class Either(ctypes.Union):
    _fields_ = (("number", ctypes.c_int), ("object", ctypes.py_object))


class Nested(ctypes.Structure):
    _fields_ = (("either", Either * 2), ("number", ctypes.c_longlong))


class Last(ctypes.Structure):
    _fields_ = (("number", ctypes.c_longlong), ("either", Either))


class Derived(Pair):
    _fields_: ClassVar[Any] = (("more", ctypes.c_longlong),)


class Unions(ctypes.Structure):
    _fields_ = (("either", Either), ("or_else", Either))


class Plain(ctypes.Structure):
    _fields_ = (
        ("O", ctypes.c_char * 3),
        ("P", (ctypes.c_double * 2) * 3),
        ("long", ctypes.c_long),
        ("text", ctypes.c_wchar * 2),
        ("byte", ctypes.c_ubyte),
    )


class PlainUnion(ctypes.Union):
    _fields_ = (("plain", Plain), ("byte", ctypes.c_byte))


NUMBER = ctypes.pointer(ctypes.c_int(5))
FUNCTION = ctypes.CFUNCTYPE(None)
RECORD: Any = [(1, OBJECT)]
OBJECTS: Any = ctypes.py_object * 1
OF_ADDRESSES: dict[str, Any] = {
    "objects": numpy.array([OBJECT], dtype=object),
    "records": numpy.array(RECORD, dtype=[("a", "i4"), ("b", object)]),
    "records of arrays": numpy.zeros(1, [("a", "i4"), ("b", object, (2,))]),
    "a record": numpy.array(RECORD, dtype=[("a", "i4"), ("b", object)])[0],
    "recarray": numpy.rec.array(RECORD, dtype=[("a", "i4"), ("b", object)]),
    "py_object": OBJECTS(OBJECT),
    "Structure": Pair(1, OBJECT),
    "packed Structure": PackedPair(1, OBJECT),
    "array of Structures": (Pair * 2)(),
    "Union": Either(1, OBJECT),
    "Unions and a number": Nested(),
    "a number and a Union": Last(),
    "Unions": Unions(),
    "bases": Derived(),
    "POINTER": (ctypes.POINTER(ctypes.c_int) * 1)(NUMBER),
    "c_void_p": (ctypes.c_void_p * 1)(id(OBJECT)),
    "c_char_p": (ctypes.c_char_p * 1)(b"x"),
    "c_wchar_p": (ctypes.c_wchar_p * 1)("x"),
    "function": (FUNCTION * 1)(FUNCTION(print)),
}
PLAIN: list[Any] = [
    b"abc", bytearray(b"abc"), array.array("u", "ab"), array.array("d", [1.5]), array.array("l", [1]),
    numpy.arange(3.0), numpy.array(["é", "éé"]), numpy.array([1], ">i8"), numpy.array([True]),
    numpy.array([1], "f2"), numpy.array([1], "g"), numpy.array([1], "G"), numpy.array([1j]),
    numpy.array([b"x"]), numpy.zeros(2, "V5"), numpy.zeros(2, "V8,u1"), numpy.zeros(3, "i2")[:0],
    numpy.zeros(2, numpy.dtype([("a", "i1"), ("O", "i4"), ("&", "c16"), ("P", "l")], align=True)),
    numpy.zeros((2, 2), [("z", "c8"), ("n", [("x", "u2", (2, 3)), ("s", "S5"), ("u", "U3")])]),
    numpy.zeros(2, [("a", "g"), ("b", "u1"), ("c", ">i8")]),
    numpy.zeros(2, numpy.dtype([("a", "u1"), ("b", "f8"), ("c", "u1")], align=True)),
    (ctypes.c_wchar * 2)("a"), (ctypes.c_long * 2)(1, 2), ctypes.c_longdouble(1), Plain(), (Plain * 2)(), PlainUnion(),
]  # fmt: skip


def to_payload(module: Any) -> Callable[[Any], Any]:
    return lambda view: packord.packb(module.Ext(5, view))


def into(view: Any) -> bytes:
    buffer = bytearray(b"12")
    packord.Encoder().encode_into([view], buffer, 2)
    return bytes(buffer)


def row(view: Any) -> bytes:
    file = io.BytesIO()
    with Writer(file, codec="none") as writer:
        writer.write({"a": view})
    return file.getvalue()


WAYS: dict[str, Callable[[Any], Any]] = {
    "packb": packord.packb,
    "rich": lambda view: packord.packb({"a": [view]}, rich=True),
    "encode_into": into,
    "Writer": row,
    "msgpack": msgpack.packb,
    "msgspec": msgspec.encode,
    "ormsgpack": ormsgpack.packb,
    "Ext": to_payload(packord),
    "Ext of ormsgpack": to_payload(ormsgpack),
    "Ext of msgspec": lambda view: msgspec.encode(msgspec.Ext(5, view)),
    "pack_ext_type": lambda view: msgpack.Packer().pack_ext_type(5, view),
    "extension": lambda view: packord.packb(
        1j, extensions=[packord.Extension(5, complex, lambda _: view)]
    ),
}


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", OF_ADDRESSES)
def test_buffers_of_addresses_are_refused(name: str, way: str) -> None:
    with pytest.raises(TypeError) as caught:
        WAYS[way](memoryview(OF_ADDRESSES[name]))
    if isinstance(caught.value, packord.MsgpackEncodeError):
        assert caught.value.kind == "unsupported_type"
    else:
        assert way in ("msgpack", "msgspec")


@pytest.mark.parametrize("name", OF_ADDRESSES)
def test_default_is_asked_for_buffers_of_addresses(name: str) -> None:
    view = memoryview(OF_ADDRESSES[name])
    seen: list[Any] = []

    def default(obj: Any) -> str:
        seen.append(obj)
        return "x"

    packed = packord.packb("x")
    assert packord.packb(view, default=default) == packed
    assert msgpack.packb(view, default=default) == packed
    assert ormsgpack.packb(view, default) == packed
    assert msgspec.encode(view, enc_hook=default) == packed
    assert [id(each) for each in seen] == [id(view)] * 4


@pytest.mark.parametrize("data", PLAIN, ids=lambda data: memoryview(data).format)
@pytest.mark.parametrize("way", WAYS)
def test_all_other_buffers_are_packed(data: Any, way: str) -> None:
    view = memoryview(data)
    assert bytes(view) in WAYS[way](view)


def test_payloads_that_do_not_say_what_they_are() -> None:
    texts: Any = numpy.array(["a" * 100], dtype=numpy.dtypes.StringDType())
    others: list[Any] = [texts, numpy.array([OBJECT]), numpy.array(["2026"], "M8[D]")]
    for data in others:
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            packord.Ext(5, data)
        assert caught.value.kind == "unsupported_type"


def test_fragments_and_packed_rows_of_addresses_are_refused() -> None:
    # A message by chance: a bin of 6 bytes.
    data: Any = (ctypes.c_void_p * 1)(0x06C4)
    assert packord.unpackb(data) == bytes(6)
    with pytest.raises(packord.MsgpackEncodeError):
        packord.Fragment(data)
    with Writer(io.BytesIO(), messages=True) as writer, pytest.raises(packord.MsgpackEncodeError):
        writer.write_packed(data)
