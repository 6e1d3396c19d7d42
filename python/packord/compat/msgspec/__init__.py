"""The interface of ``msgspec.msgpack``: ``import packord.compat.msgspec as msgpack``.

Names, arguments, defaults and the words of errors are those of ``msgspec.msgpack``. msgspec stays
installed: ``Struct``, ``Meta``, ``Raw``, ``Ext``, ``UNSET`` and the errors are its own, and a type
that it refuses is refused.
"""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import functools
import uuid
from collections.abc import Callable
from typing import Any, Generic, Literal, TypedDict, TypeVar, overload

import msgspec
from msgspec.inspect import type_info
from msgspec.msgpack import Ext

import packord
from packord import Fragment, MsgpackDecodeError, MsgpackEncodeError, _packord
from packord._options import Unpack
from packord.compat.msgspec._words import decode_error, encode_error

__all__ = ["Decoder", "Encoder", "Ext", "decode", "encode"]

_T = TypeVar("_T")
_EncHook = Callable[[Any], Any] | None
_DecHook = Callable[[type[Any], Any], Any] | None
_ExtHook = Callable[[int, memoryview], Any] | None
_DecimalFormat = Literal["string", "number"] | Callable[[decimal.Decimal], Any]
_UuidFormat = Literal["canonical", "hex", "bytes"]
_Order = Literal["deterministic", "sorted"] | None

_OPTIONS = (
    _packord.OPT_NON_STR_KEYS
    | _packord.OPT_DATETIME_AS_TIMESTAMP_EXT
    | _packord._NEAR_MINUTES
    | _packord._NO_CONVERSIONS
    | _packord._SIX_DIGITS
)
# Timestamps are a `datetime` of the nearest microsecond.
_READING: dict[str, Any] = {
    "timestamps": "_near",
    "_flags": _packord.OPT_NON_STR_KEYS | _packord._FEW_KINDS,
}
_DECIMALS: dict[Any, Callable[[decimal.Decimal], Any]] = {"string": str, "number": float}
_UUIDS: dict[Any, Callable[[uuid.UUID], Any]] = {
    "canonical": str,
    "hex": lambda value: value.hex,
    "bytes": lambda value: value.bytes,
}


@dataclasses.dataclass(eq=False)
class _Conversion:
    """What is packed in place of objects that packord does not pack as msgspec does."""

    enc_hook: _EncHook
    decimal_format: _DecimalFormat
    uuid_format: _UuidFormat

    def __call__(self, obj: Any) -> Any:
        if isinstance(obj, decimal.Decimal):
            return self._decimal(obj)
        if isinstance(obj, datetime.timedelta):
            return _duration(obj)
        if isinstance(obj, Ext):
            return packord.Ext(obj.code, memoryview(obj.data))
        if isinstance(obj, msgspec.Raw):
            try:
                return Fragment(memoryview(obj))
            except MsgpackDecodeError as error:
                raise msgspec.EncodeError(f"Raw is not one message: {error}") from None
        if isinstance(obj, uuid.UUID):
            return _UUIDS[self.uuid_format](obj)
        # These are asked for where keys and the elements of sets are in order.
        if isinstance(obj, (set, frozenset)):
            return sorted(obj)
        if isinstance(obj, tuple):
            return tuple(obj)
        if self.enc_hook is None:
            raise TypeError(f"Encoding objects of type {type(obj).__name__} is unsupported")
        return self.enc_hook(obj)

    def _decimal(self, value: decimal.Decimal) -> Any:
        if not callable(self.decimal_format):
            return _DECIMALS[self.decimal_format](value)
        found = self.decimal_format(value)
        if type(found) is str:
            return found
        within = Encoder(
            enc_hook=self.enc_hook, decimal_format=_no_decimal, uuid_format=self.uuid_format
        )
        return Fragment(within.encode(found))


def _no_decimal(value: decimal.Decimal) -> Any:
    raise TypeError("`decimal_format` callable returned a value containing a Decimal")


def _duration(value: datetime.timedelta) -> str:
    """Days and seconds, those that are not zero.

    >>> _duration(datetime.timedelta(days=-1, seconds=1, milliseconds=500))
    '-PT86398.5S'
    """
    sign, length = ("-", -value) if value.days < 0 else ("", value)
    seconds = f"{length.seconds}.{length.microseconds:06}".rstrip("0").rstrip(".")
    days = f"{length.days}D" if length.days or seconds == "0" else ""
    return f"{sign}P{days}" + ("" if seconds == "0" else f"T{seconds}S")


def _encoder(conversion: _Conversion, order: Any) -> packord.Encoder:
    options = _OPTIONS
    if conversion.uuid_format != "canonical":
        options |= _packord.OPT_PASSTHROUGH_UUID
    if order is not None:
        # Sets come by way of the conversion, too.
        options |= _packord._FEW_TYPES | _packord.OPT_SORT_KEYS
        options &= ~_packord.OPT_NON_STR_KEYS
    keywords: dict[str, Any] = {"_flags": options, "default": conversion}
    return packord.Encoder(**keywords)


class Encoder:
    """Packs messages with settings that are made once; see msgspec's class."""

    __slots__ = ("_conversion", "_encoder", "order")

    def __init__(
        self,
        *,
        enc_hook: _EncHook = None,
        decimal_format: _DecimalFormat = "string",
        uuid_format: _UuidFormat = "canonical",
        order: _Order = None,
    ) -> None:
        _check_hook("enc_hook", enc_hook)
        if decimal_format not in ("string", "number") and not callable(decimal_format):
            words = "'string', 'number', or a callable"
            raise ValueError(f"`decimal_format` must be {words}, got {decimal_format!r}")
        if uuid_format not in tuple(_UUIDS):
            words = "'canonical', 'hex', or 'bytes'"
            raise ValueError(f"`uuid_format` must be {words}, got {uuid_format!r}")
        if order not in (None, "deterministic", "sorted"):
            words = "`{None, 'deterministic', 'sorted'}`"
            raise ValueError(f"`order` must be one of {words}, got {order!r}")
        self.order = order
        # A method of this object would make a cycle.
        self._conversion = _Conversion(enc_hook, decimal_format, uuid_format)
        self._encoder = _encoder(self._conversion, order)

    @property
    def enc_hook(self) -> _EncHook:
        """What is called with an object that nothing packs."""
        return self._conversion.enc_hook

    @property
    def decimal_format(self) -> _DecimalFormat:
        """What a ``Decimal`` is packed as."""
        return self._conversion.decimal_format

    @property
    def uuid_format(self) -> _UuidFormat:
        """What a ``UUID`` is packed as."""
        return self._conversion.uuid_format

    def encode(self, obj: Any, /) -> bytes:
        """Packs an object and returns its bytes."""
        try:
            return self._encoder.encode(obj)
        except MsgpackEncodeError as error:
            raise encode_error(error) from error.__cause__

    def encode_into(self, obj: Any, buffer: bytearray, offset: int = 0, /) -> None:
        """Packs an object into a buffer from an offset on; the buffer ends after it."""
        try:
            self._encoder.encode_into(obj, buffer, offset)
        except MsgpackEncodeError as error:
            raise encode_error(error) from error.__cause__


def _check_hook(name: str, hook: Any) -> None:
    if hook is not None and not callable(hook):
        raise TypeError(f"{name} must be callable")


def _as_it_is(cls: type[Any], value: Any) -> Any:
    return value


def _reader(dec_hook: Callable[[type[Any], Any], Any]) -> Callable[[type[Any], Any], Any]:
    # To packord, msgspec's `Ext` is a class of the program.
    return lambda cls, value: value if cls is Ext else dec_hook(cls, value)


def _with_view(ext_hook: Callable[[int, memoryview], Any]) -> Callable[[int, bytes], Any]:
    return lambda code, data: ext_hook(code, memoryview(data))


class _Reading(TypedDict, total=False):
    """The keywords of ``Decoder`` and ``decode``, for type checkers."""

    strict: bool
    dec_hook: _DecHook
    ext_hook: _ExtHook


class Decoder(Generic[_T]):
    """Reads messages into a type; see msgspec's class."""

    dec_hook: _DecHook = None
    ext_hook: _ExtHook = None

    @overload
    def __init__(self: Decoder[_T], type: type[_T], **options: Unpack[_Reading]) -> None: ...
    @overload
    def __init__(self: Decoder[Any], type: Any = ..., **options: Unpack[_Reading]) -> None: ...
    def __init__(
        self,
        type: Any = Any,
        *,
        strict: bool = True,
        dec_hook: _DecHook = None,
        ext_hook: _ExtHook = None,
    ) -> None:
        _check_hook("dec_hook", dec_hook)
        _check_hook("ext_hook", ext_hook)
        # Refuses what msgspec does.
        type_info(type)
        self.type = type
        self.strict = strict
        if dec_hook is not None:
            self.dec_hook = dec_hook
        if ext_hook is not None:
            self.ext_hook = ext_hook
        self._decoder = packord.Decoder(
            type,
            strict=strict,
            dec_hook=_as_it_is if dec_hook is None else _reader(dec_hook),
            ext_hook=Ext if ext_hook is None else _with_view(ext_hook),
            **_READING,
        )

    def __repr__(self) -> str:
        return f"msgspec.msgpack.Decoder({self.type!r})"

    def decode(self, buf: Any, /) -> _T:
        """Reads the one message in the buffer."""
        try:
            found: _T = self._decoder.decode(buf)
            return found
        except MsgpackDecodeError as error:
            raised = decode_error(error, self.type, buf)
        try:
            raise raised
        finally:
            # It leads to this frame.
            del raised


def encode(obj: Any, /, *, enc_hook: _EncHook = None, order: _Order = None) -> bytes:
    """Packs an object and returns its bytes."""
    if enc_hook is None and order is None:
        return _USUAL.encode(obj)
    return Encoder(enc_hook=enc_hook, order=order).encode(obj)


@overload
def decode(buf: Any, /, *, type: type[_T], **options: Unpack[_Reading]) -> _T: ...
@overload
def decode(buf: Any, /, *, type: Any = ..., **options: Unpack[_Reading]) -> Any: ...
def decode(
    buf: Any,
    /,
    *,
    type: Any = Any,
    strict: bool = True,
    dec_hook: _DecHook = None,
    ext_hook: _ExtHook = None,
) -> Any:
    """Reads the one message in the buffer into a type."""
    if dec_hook is None and ext_hook is None:
        return _decoder_of(type, strict).decode(buf)
    return Decoder(type, strict=strict, dec_hook=dec_hook, ext_hook=ext_hook).decode(buf)


def _decoder_of(type: Any, strict: bool) -> Decoder[Any]:
    try:
        return _known_decoder(type, strict)
    except TypeError:
        # The type is not hashable, or refused.
        return Decoder(type, strict=strict)


@functools.lru_cache(maxsize=256, typed=True)
def _known_decoder(type: Any, strict: bool) -> Decoder[Any]:
    return Decoder(type, strict=strict)


_USUAL = Encoder()
