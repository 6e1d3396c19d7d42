"""Files, streams and the names that other packages have for packing and unpacking."""

from __future__ import annotations

import functools
from collections.abc import AsyncIterator, Iterable
from typing import TYPE_CHECKING, Any, TypeVar, overload

from packord._packord import Decoder, Encoder, Ext, Unpacker

if TYPE_CHECKING:
    from typing_extensions import Unpack

    from packord._options import DecodeOptions, EncodeOptions, StreamOptions
    from packord._protocols import AsyncReader, Reader, Writer


_T = TypeVar("_T")


def encode(obj: Any, /, **options: Unpack[EncodeOptions]) -> bytes:
    """Packs an object; the options are those of :class:`Encoder`.

    >>> encode({"b": 1, "a": 2}, canonical=True)
    b'\\x82\\xa1a\\x02\\xa1b\\x01'
    """
    return Encoder(**options).encode(obj)


@overload
def decode(data: Any, /, type: type[_T], **options: Unpack[DecodeOptions]) -> _T: ...
@overload
def decode(data: Any, /, type: Any = ..., **options: Unpack[DecodeOptions]) -> Any: ...
def decode(data: Any, /, type: Any = Any, **options: Unpack[DecodeOptions]) -> Any:
    """Unpacks one message, into a type if one is given; the options are those of :class:`Decoder`.

    >>> decode(b"\\x92\\x01\\x02", type=tuple[int, int])
    (1, 2)
    """
    if options:
        return Decoder(type, **options).decode(data)
    try:
        decoder = _decoder(type)
    except TypeError:
        # Types that can't be hashed, or not decoded: the second attempt says what is wrong.
        decoder = Decoder(type)
    return decoder.decode(data)


@functools.lru_cache(maxsize=256)
def _decoder(wanted: Any) -> Decoder[Any]:
    return Decoder(wanted)


def pack(obj: Any, stream: Writer, /, **options: Unpack[EncodeOptions]) -> None:
    """Packs an object and writes it to a file; the options are those of :class:`Encoder`."""
    stream.write(Encoder(**options).encode(obj))


def unpack(stream: Reader, /, *, type: Any = None, **options: Unpack[DecodeOptions]) -> Any:
    """Reads a whole file and unpacks the one message in it; the options are those of
    :class:`Decoder`."""
    return Decoder(type, **options).decode(stream.read())


class Packer:
    """Packs messages one after another; the options are those of :class:`Encoder`.

    With ``records=True, sequential=True`` a record structure is defined once in the stream.

    >>> packer = Packer()
    >>> packer.pack_array_header(2) + packer.pack(1) + packer.pack("a")
    b'\\x92\\x01\\xa1a'
    """

    def __init__(self, **options: Unpack[EncodeOptions]) -> None:
        self._encoder = Encoder(**options)

    def pack(self, obj: Any, /) -> bytes:
        """Packs an object and returns its bytes."""
        return self._encoder.encode(obj)

    def pack_array_header(self, count: int, /) -> bytes:
        """Packs the header of an array; its ``count`` elements are then packed one by one."""
        return _header(count, 0x90, 0xDC)

    def pack_map_header(self, count: int, /) -> bytes:
        """Packs the header of a map; its ``count`` keys and values are then packed in turn."""
        return _header(count, 0x80, 0xDE)

    def pack_map_pairs(self, pairs: Iterable[tuple[Any, Any]], /) -> bytes:
        """Packs pairs as a map, which may have keys that no dict can have."""
        pairs = list(pairs)
        parts = [self.pack_map_header(len(pairs))]
        parts += [self._encoder.encode(part) for pair in pairs for part in pair]
        return b"".join(parts)

    def pack_ext_type(self, tag: int, data: bytes, /) -> bytes:
        """Packs an ext value of type ``tag``, −128 to 127."""
        return self._encoder.encode(Ext(tag, data))


def _header(count: int, fix: int, wide: int) -> bytes:
    if not 0 <= count <= 0xFFFFFFFF:
        raise ValueError("a count is 0 to 2**32 - 1")
    if count < 16:
        return bytes((fix | count,))
    if count <= 0xFFFF:
        return bytes((wide,)) + count.to_bytes(2, "big")
    return bytes((wide + 1,)) + count.to_bytes(4, "big")


@overload
def unpack_async(
    reader: AsyncReader,
    /,
    *,
    type: type[_T],
    read_size: int = ...,
    **options: Unpack[StreamOptions],
) -> AsyncIterator[_T]: ...
@overload
def unpack_async(
    reader: AsyncReader,
    /,
    *,
    type: Any = ...,
    read_size: int = ...,
    **options: Unpack[StreamOptions],
) -> AsyncIterator[Any]: ...
async def unpack_async(
    reader: AsyncReader,
    /,
    *,
    type: Any = None,
    read_size: int = 65536,
    **options: Unpack[StreamOptions],
) -> AsyncIterator[Any]:
    """Yields the messages of an ``asyncio.StreamReader``; options as in :class:`Unpacker`.

    ``read_size`` is the most bytes to read at once.

    Raises ``MsgpackDecodeError`` of kind ``eof`` when the stream ends within a message.
    """
    unpacker = Unpacker(type=type, **options)
    while data := await reader.read(read_size):
        unpacker.feed(data)
        for message in unpacker:
            yield message
    unpacker.finish()
