"""The interface of msgpack-python: ``import packord.compat.msgpack as msgpack``.

Names, defaults and exceptions are those of msgpack 1.x. What it packs and unpacks differently
from packord itself is as it is there: any keys when packing, ``ExtType``, ``Timestamp`` for
timestamps, tuples and named tuples as arrays, streams that end silently.
"""

from __future__ import annotations

import codecs as _codecs
import datetime as _datetime
import functools as _functools
import operator as _operator
import struct as _struct
from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import packord
from packord import Ext, _packord
from packord import MsgpackDecodeError as _DecodeError
from packord import MsgpackEncodeError as _EncodeError
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


_PACK_OPTIONS = (
    _packord._FEW_TYPES
    | _packord._NO_CONVERSIONS
    | _packord._NO_OBJECTS
    | _packord.OPT_NON_STR_KEYS
    | _packord.OPT_PASSTHROUGH_BIG_INT
    | _packord.OPT_PASSTHROUGH_DATACLASS
    | _packord.OPT_PASSTHROUGH_DATETIME
    | _packord.OPT_PASSTHROUGH_ENUM
    | _packord.OPT_PASSTHROUGH_SUBCLASS
    | _packord.OPT_PASSTHROUGH_UUID
)


def _items_of(obj: dict[Any, Any]) -> dict[Any, Any]:
    return dict(obj.items())


# What stands for the objects of a subclass. Of strings and numbers it is the value itself, whatever
# `str()` makes of them; dicts and lists have what they say they have.
_PLAINLY: tuple[tuple[Any, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    ((bytes, bytearray), bytes),
    (dict, _items_of),
    ((list, tuple), list),
)
_BASES: tuple[type[Any], ...] = (bool, int, float, str, bytes, bytearray)
_LEAVES: tuple[type[Any], ...] = (*_BASES, memoryview, Ext, Timestamp)
# How text is read that is not UTF-8, by `unicode_errors`.
_HANDLERS: dict[str | None, str] = {
    None: "error",
    "strict": "error",
    **{name: name for name in ("replace", "ignore", "surrogateescape", "backslashreplace")},
}
# Values of options by which a reader can be kept.
_SIMPLE = frozenset((bool, int, str, type(None)))
# The hook that makes date-times truncates to microseconds.
_TIMESTAMPS = {0: "timestamp", 1: "float", 2: "int", 3: "hook"}


class _Conversion:
    """What is packed in place of objects that packord does not pack as msgpack does."""

    def __init__(
        self, default: Callable[[Any], Any] | None, strict_types: bool, datetime: bool
    ) -> None:
        self._default = default
        self._strict = strict_types
        self._datetime = datetime
        # What `default` returned in this message.
        self.last: Any = None

    def convert(self, obj: Any) -> Any:
        if isinstance(obj, ExtType):
            return Ext(obj.code, obj.data)
        is_naive = False
        if self._datetime and isinstance(obj, _datetime.datetime):
            if obj.tzinfo is not None:
                return Timestamp.from_datetime(obj)
            is_naive = True
        # Only integers outside the range come here.
        is_large = type(obj) is int
        if not self._strict and not is_large:
            for base, plainly in _PLAINLY:
                if isinstance(obj, base):
                    return plainly(obj)
        # What `default` returns is not given to it again.
        if self._default is not None and obj is not self.last:
            self.last = self._default(obj)
            return self.last
        if is_large:
            raise OverflowError("Integer value out of range")
        if is_naive:
            raise ValueError("can not serialize 'datetime.datetime' object where tzinfo=None")
        raise TypeError(f"can not serialize '{type(obj).__name__}' object")


_HEADERS = packord.Packer()


class Packer:
    """Packs objects one by one; see msgpack's class."""

    _errors = ""

    def __init__(
        self,
        *,
        default: Callable[[Any], Any] | None = None,
        use_single_float: bool = False,
        autoreset: bool = True,
        use_bin_type: bool = True,
        strict_types: bool = False,
        datetime: bool = False,
        unicode_errors: str | None = None,
        buf_size: int | None = None,
    ) -> None:
        if default is not None and not callable(default):
            raise TypeError("default must be callable")
        if buf_size is not None and _operator.index(buf_size) <= 0:
            raise ValueError("buf_size must be positive")
        options = _PACK_OPTIONS
        if strict_types:
            options |= _packord.OPT_PASSTHROUGH_TUPLE
        if unicode_errors == "replace":
            options |= _packord.OPT_REPLACE_SURROGATES
        elif unicode_errors not in (None, "strict"):
            _codecs.lookup_error(unicode_errors)
            self._errors = unicode_errors
        # Only msgpack packs so: see `_piece`.
        self._by_piece = bool(use_single_float or not use_bin_type or self._errors)
        self._raw = not use_bin_type
        self._strict = strict_types
        self._single = use_single_float
        self._autoreset = autoreset
        self._kept = bytearray()
        # A method of the packer would make a cycle of each, and `packb` makes one for every call.
        self._conversion = _Conversion(default, strict_types, datetime)
        keywords: dict[str, Any] = {"_flags": options, "default": self._conversion.convert}
        self._encoder = packord.Encoder(**keywords)
        self._encode = self._encoder.encode
        is_own = type(self).pack is Packer.pack
        if autoreset and default is None and is_own and not self._by_piece:
            slow = _functools.partial(_packed, self._encode)
            self.pack = _packord._quick(self._encode, slow)  # type: ignore[method-assign]

    def _done(self, data: bytes) -> bytes | None:
        if self._autoreset:
            return data
        self._kept += data
        return None

    def pack(self, obj: Any) -> bytes | None:
        """Returns the packed object; with ``autoreset=False`` keeps it for ``bytes()``."""
        try:
            return self._done(_packed(self._encoded, obj))
        finally:
            self._conversion.last = None

    def _encoded(self, obj: Any) -> bytes:
        return self._piece(obj, 0) if self._by_piece else self._encode(obj)

    def _piece(self, obj: Any, depth: int) -> bytes:
        """The packed object, with what only msgpack packs so: each float in 32 bits whatever that
        loses, bytes as str, and text with another handler of errors."""
        if depth > 512:
            raise ValueError("recursion limit exceeded")
        if self._is(obj, dict):
            pieces = [self._piece(part, depth + 1) for pair in obj.items() for part in pair]
            return _HEADERS.pack_map_header(len(obj)) + b"".join(pieces)
        if self._is(obj, list) or (isinstance(obj, tuple) and not self._strict):
            if not isinstance(obj, ExtType):
                pieces = [self._piece(item, depth + 1) for item in obj]
                return _HEADERS.pack_array_header(len(obj)) + b"".join(pieces)
        if self._single and self._is(obj, float):
            (single,) = _struct.unpack(">f", _struct.pack(">f", obj))
            return packord.packb(single, float32=True)
        text: bytes | None = None
        if self._raw and self._is(obj, bytes, bytearray, memoryview):
            text = bytes(obj)
        elif self._errors and self._is(obj, str):
            text = obj.encode("utf-8", self._errors)
        if text is not None:
            # The format of before 2013 has no str 8.
            return _packord._header(len(text), "raw") + text
        if self._is(obj, int) and not -(2**63) <= obj < 2**64:
            return self._piece(self._conversion.convert(obj), depth + 1)
        if obj is None or self._is(obj, *_LEAVES):
            return self._encoder.encode(obj)
        return self._piece(self._conversion.convert(obj), depth + 1)

    def _is(self, obj: Any, *classes: type[Any]) -> bool:
        return type(obj) in classes if self._strict else isinstance(obj, classes)

    def pack_array_header(self, size: int) -> bytes | None:
        """Packs the header of an array of ``size`` elements."""
        return self._done(_HEADERS.pack_array_header(_size(size)))

    def pack_map_header(self, size: int) -> bytes | None:
        """Packs the header of a map of ``size`` entries."""
        return self._done(_HEADERS.pack_map_header(_size(size)))

    def pack_map_pairs(self, pairs: Iterable[tuple[Any, Any]]) -> bytes | None:
        """Packs pairs as a map."""
        pairs = list(pairs)
        encoded = [self._encoded(part) for pair in pairs for part in pair]
        return self._done(_HEADERS.pack_map_header(len(pairs)) + b"".join(encoded))

    def pack_ext_type(self, typecode: int, data: bytes) -> bytes | None:
        """Packs an ext value."""
        return self._done(_HEADERS.pack_ext_type(typecode, data))

    def pack_timestamp(self, timestamp: Timestamp) -> bytes | None:
        """Packs a timestamp."""
        return self._done(self._encoder.encode(timestamp))

    def bytes(self) -> bytes:
        """Returns a copy of the bytes that were kept."""
        return bytes(self._kept)

    def getbuffer(self) -> memoryview:
        """Returns a view of the bytes that were kept."""
        return memoryview(self._kept)

    def reset(self) -> None:
        """Drops the bytes that were kept."""
        self._kept = bytearray()


def _packed(pack: Callable[[Any], bytes], obj: Any) -> bytes:
    try:
        return pack(obj)
    except _EncodeError as error:
        raise _pack_error(error) from error.__cause__


def _size(size: int) -> int:
    if size < 0:
        raise ValueError("size must be non-negative")
    return size


def _raised_by_hook(
    error: packord.MsgpackEncodeError | packord.MsgpackDecodeError,
) -> Exception | None:
    """What the program's own function has raised, if the error comes of that. The error then has
    its cause, which it is raised from, and does not lead to it: that would be a cycle."""
    raised = error.__cause__
    if not isinstance(raised, Exception):
        return None
    error.__cause__ = raised.__cause__
    return raised


def _pack_error(error: packord.MsgpackEncodeError) -> Exception:
    raised = _raised_by_hook(error)
    if raised is not None:
        return raised
    if error.kind == "out_of_range":
        return OverflowError("Integer value out of range")
    if error.kind in ("depth_limit", "cycle"):
        return ValueError("recursion limit exceeded")
    if error.kind == "invalid_utf8":
        return UnicodeEncodeError("utf-8", "\ud800", 0, 1, "surrogates not allowed")
    return error


def _reader_options(
    use_list: bool = True,
    raw: bool = False,
    timestamp: int = 0,
    strict_map_key: bool = True,
    object_hook: Callable[[dict[Any, Any]], Any] | None = None,
    object_pairs_hook: Callable[[list[tuple[Any, Any]]], Any] | None = None,
    list_hook: Callable[[list[Any]], Any] | None = None,
    unicode_errors: str | None = None,
    ext_hook: Callable[[int, bytes], Any] = ExtType,
    max_str_len: int = -1,
    max_bin_len: int = -1,
    max_array_len: int = -1,
    max_map_len: int = -1,
    max_ext_len: int = -1,
) -> dict[str, Any]:
    if unicode_errors not in _HANDLERS:
        raise ValueError(f"unicode_errors must be one of {', '.join(map(str, _HANDLERS))}")
    if timestamp not in _TIMESTAMPS:
        raise ValueError("timestamp must be 0 to 3")
    utf8 = "bytes" if raw else _HANDLERS[unicode_errors]
    limits = {
        "max_str_len": max_str_len,
        "max_bin_len": max_bin_len,
        "max_array_len": max_array_len,
        "max_map_len": max_map_len,
        "max_ext_len": max_ext_len,
    }
    if list_hook is not None and not use_list:
        list_hook = _of_tuples(list_hook)
    return {
        "tuples": not use_list and list_hook is None,
        "utf8": utf8,
        "timestamps": _TIMESTAMPS[timestamp],
        "_flags": _packord._KEYS_MAY_BE_BIN if strict_map_key else _packord.OPT_NON_STR_KEYS,
        "object_hook": object_hook,
        "object_pairs_hook": object_pairs_hook,
        "list_hook": list_hook,
        "ext_hook": _with_datetimes(ext_hook) if timestamp == 3 else ext_hook,
        **{name: limit for name, limit in limits.items() if limit != -1},
    }


def _of_tuples(list_hook: Callable[[Any], Any]) -> Callable[[list[Any]], Any]:
    return lambda items: list_hook(tuple(items))


def _with_datetimes(ext_hook: Callable[[int, bytes], Any]) -> Callable[[int, bytes], Any]:
    def read(code: int, data: bytes) -> Any:
        return Timestamp.from_bytes(data).to_datetime() if code == -1 else ext_hook(code, data)

    return read


def _contiguous(data: Any) -> Any:
    """The bytes of a buffer with gaps, or the buffer itself."""
    view = memoryview(data)
    return data if view.contiguous else view.tobytes()


def _unpack_error(error: packord.MsgpackDecodeError, data: Any) -> Exception:
    raised = _raised_by_hook(error)
    if raised is not None:
        return raised
    if error.kind == "eof":
        return ValueError("Unpack failed: incomplete input")
    if error.kind == "reserved_marker":
        return FormatError(str(error))
    if error.kind == "depth_limit":
        return StackError(str(error))
    if error.kind == "invalid_utf8":
        place = error.offset or 0
        return UnicodeDecodeError("utf-8", bytes(data[place : place + 1]), 0, 1, str(error))
    return ValueError(str(error))


def packb(o: Any, **kwargs: Any) -> bytes:
    """Packs an object; the arguments are those of :class:`Packer`."""
    data = Packer(**kwargs).pack(o) if kwargs else _USUAL.pack(o)
    assert data is not None
    return data


# Without functions of the program it keeps nothing of a call.
_USUAL = Packer()


def _new_decoder(**kwargs: Any) -> packord.Decoder[Any]:
    return packord.Decoder(**_reader_options(**kwargs))


_known_decoder = _functools.lru_cache(32)(_new_decoder)
_USUAL_DECODER = _new_decoder()


def unpackb(packed: Any, **kwargs: Any) -> Any:
    """Unpacks one message; the arguments are those of :class:`Unpacker`."""
    if not kwargs:
        decoder = _USUAL_DECODER
    elif all(type(value) in _SIMPLE for value in kwargs.values()):
        decoder = _known_decoder(**kwargs)
    else:
        decoder = _new_decoder(**kwargs)
    if type(packed) is not bytes:
        packed = _contiguous(packed)
    try:
        return decoder.decode(packed)
    except _DecodeError as error:
        if error.kind == "trailing_bytes":
            options = {**_reader_options(**kwargs), "trailing": "allow"}
            extra = bytes(memoryview(packed)[error.offset :])
            raise ExtraData(packord.Decoder(**options).decode(packed), extra) from None
        raise _unpack_error(error, memoryview(packed)) from error.__cause__


if not TYPE_CHECKING:
    unpackb = _packord._quick(_USUAL_DECODER.decode, unpackb)


def pack(o: Any, stream: Any, **kwargs: Any) -> None:
    """Packs an object and writes it to a file."""
    stream.write(packb(o, **kwargs))


def unpack(stream: Any, **kwargs: Any) -> Any:
    """Reads a whole file and unpacks the one message in it."""
    return unpackb(stream.read(), **kwargs)


class Unpacker:
    """Reads messages one after another; see msgpack's class."""

    def __init__(
        self,
        file_like: Any = None,
        *,
        read_size: int = 0,
        max_buffer_size: int = 100 * 1024 * 1024,
        **kwargs: Any,
    ) -> None:
        options = _reader_options(**kwargs)
        self._limit = max_buffer_size or 2**32 - 1
        self._file = file_like
        if file_like is not None and not callable(getattr(file_like, "read", None)):
            raise TypeError("`file_like.read` must be a callable.")
        if not 0 <= read_size <= self._limit:
            raise ValueError("read_size must not be above max_buffer_size, nor negative")
        self._read_size = read_size or min(self._limit, 16 * 1024)
        for name in ("str", "bin", "ext", "array", "map"):
            # An entry of a map is two values.
            options.setdefault(f"max_{name}_len", self._limit // (2 if name == "map" else 1))
        # `_take` keeps the limit: its error is another one.
        self._unpacker = packord.Unpacker(**{**options, "max_buffer": 2**32 - 1})
        self._next = self._unpacker.unpack
        self._fed = 0
        # There is room for at least these many bytes.
        self._room = self._limit

    def feed(self, next_bytes: Any) -> None:
        """Adds bytes to the stream."""
        if self._file is not None:
            raise AssertionError("unpacker.feed() is not be able to use with `file_like`.")
        self._take(next_bytes if type(next_bytes) is bytes else _contiguous(next_bytes))

    def _take(self, data: Any) -> None:
        length = len(data) if type(data) is bytes else memoryview(data).nbytes
        if length > self._room:
            self._room = self._limit - self._fed + self._unpacker.tell()
            if length > self._room:
                raise BufferFull
        self._unpacker.feed(data)
        self._fed += length
        self._room -= length

    def _run(self, call: Callable[[], Any]) -> Any:
        while True:
            try:
                return call()
            except OutOfData:
                data = b"" if self._file is None else self._file.read(self._read_size)
                if not data:
                    raise
                self._take(data)
            except _DecodeError as error:
                raise _unpack_error(error, b"") from error.__cause__

    def unpack(self) -> Any:
        """Returns the next message. Raises ``OutOfData`` if no whole message is there yet."""
        return self._run(self._next)

    def skip(self) -> None:
        """Skips the next message."""
        self._run(self._unpacker.skip)

    def read_array_header(self) -> Any:
        """Reads the header of an array and returns its count."""
        return self._run(self._unpacker.read_array_header)

    def read_map_header(self) -> Any:
        """Reads the header of a map and returns its count."""
        return self._run(self._unpacker.read_map_header)

    def read_bytes(self, n: int) -> bytes:
        """Up to ``n`` bytes as they are."""
        while self._file is not None and self._fed - self._unpacker.tell() < n:
            data = self._file.read(self._read_size)
            if not data:
                break
            self._take(data)
        return self._unpacker.read_bytes(n)

    def tell(self) -> int:
        """The offset in the stream."""
        return self._unpacker.tell()

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        try:
            return self.unpack()
        except OutOfData:
            raise StopIteration from None


dump, dumps, load, loads = pack, packb, unpack, unpackb
