"""The interface of msgpack-python: ``import packord.compat.msgpack as msgpack``.

Names, defaults and exceptions are those of msgpack 1.x. What it packs and unpacks differently
from packord itself is as it is there: any keys when packing, ``ExtType``, ``Timestamp`` for
timestamps, tuples and named tuples as arrays, streams that end silently.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from packord import MsgpackDecodeError, MsgpackEncodeError, _packord
from packord.compat._hooks import raised_by_hook
from packord.compat.msgpack.exceptions import (
    BufferFull,
    ExtraData,
    FormatError,
    OutOfData,
    PackException,
    PackOverflowError,
    PackValueError,
    StackError,
    UnpackException,
    UnpackValueError,
)
from packord.compat.msgpack.ext import ExtType, Timestamp

__all__ = [
    "BufferFull",
    "ExtType",
    "ExtraData",
    "FormatError",
    "OutOfData",
    "PackException",
    "PackOverflowError",
    "PackValueError",
    "Packer",
    "StackError",
    "Timestamp",
    "UnpackException",
    "UnpackValueError",
    "Unpacker",
    "dump",
    "dumps",
    "load",
    "loads",
    "pack",
    "packb",
    "unpack",
    "unpackb",
    "version",
]

version = (1, 2, 0)
__version__ = ".".join(map(str, version))

Packer = _packord._MsgpackPacker
Unpacker = _packord._MsgpackUnpacker
packb = _packord._msgpack_packb
unpackb = _packord._msgpack_unpackb


def pack(o: Any, stream: Any, **kwargs: Any) -> None:
    """Packs an object and writes it to a file."""
    stream.write(packb(o, **kwargs))


def unpack(stream: Any, **kwargs: Any) -> Any:
    """Reads a whole file and unpacks the one message in it."""
    return unpackb(stream.read(), **kwargs)


dump, dumps, load, loads = pack, packb, unpack, unpackb


# The compiled half looks up this and the two after it, `ExtType`, `BufferFull` and `ExtraData`.
def _pack_error(error: MsgpackEncodeError) -> BaseException:
    """What msgpack raises where packord has raised the error."""
    if error.__cause__ is not None:
        return raised_by_hook(error)
    if error.kind == "out_of_range":
        return OverflowError("Integer value out of range")
    if error.kind in ("depth_limit", "cycle"):
        return ValueError("recursion limit exceeded")
    if str(error).endswith("not contiguous"):
        return BufferError("memoryview: underlying buffer is not C-contiguous")
    return error


def _unpack_error(error: MsgpackDecodeError, data: Any = b"") -> BaseException:
    if error.__cause__ is not None:
        return raised_by_hook(error)
    if error.kind == "eof":
        return ValueError("Unpack failed: incomplete input")
    if error.kind == "reserved_marker":
        return FormatError(str(error))
    if error.kind == "depth_limit":
        return StackError(str(error))
    if error.kind == "invalid_utf8":
        place = error.offset or 0
        found = bytes(memoryview(data)[place : place + 1])
        return UnicodeDecodeError("utf-8", found, 0, 1, str(error))
    return ValueError(str(error))


def _of_tuples(list_hook: Callable[[Any], Any]) -> Callable[[list[Any]], Any]:
    return lambda items: list_hook(tuple(items))
