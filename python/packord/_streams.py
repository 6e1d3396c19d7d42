"""Files and streams."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar, overload

from packord._options import DecodeOptions, EncodeOptions, SourceOptions, Unpack
from packord._packord import Encoder, Ext, Unpacker, _header, packb, unpackb
from packord._protocols import AsyncReader, Reader, Writer

_T = TypeVar("_T")


def pack(obj: Any, stream: Writer, /, **options: Unpack[EncodeOptions]) -> None:
    """Packs an object and writes it to a file; the options are those of :class:`Encoder`."""
    stream.write(packb(obj, **options))


def unpack(stream: Reader, /, *, type: Any = ..., **options: Unpack[DecodeOptions]) -> Any:
    """Reads a whole file and unpacks the one message in it; the options are those of
    :class:`Decoder`."""
    return unpackb(stream.read(), type=type, **options)


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
        return _header(count, "array")

    def pack_map_header(self, count: int, /) -> bytes:
        """Packs the header of a map; its ``count`` keys and values are then packed in turn."""
        return _header(count, "map")

    def pack_map_pairs(self, pairs: Iterable[tuple[Any, Any]], /) -> bytes:
        """Packs pairs as a map, which may have keys that no dict can have."""
        pairs = list(pairs)
        parts = [self.pack_map_header(len(pairs))]
        parts += [self._encoder.encode(part) for pair in pairs for part in pair]
        return b"".join(parts)

    def pack_ext_type(self, tag: int, data: bytes, /) -> bytes:
        """Packs an ext value of type ``tag``, −128 to 127."""
        return self._encoder.encode(Ext(tag, data))


@overload
def unpack_async(
    reader: AsyncReader, /, *, type: type[_T], **options: Unpack[SourceOptions]
) -> _Messages[_T]: ...
@overload
def unpack_async(
    reader: AsyncReader, /, *, type: Any = ..., **options: Unpack[SourceOptions]
) -> _Messages[Any]: ...
def unpack_async(
    reader: AsyncReader, /, *, type: Any = ..., read_size: int = 65536, **options: Any
) -> _Messages[Any]:
    """Yields the messages of an ``asyncio.StreamReader``; options as in :class:`Unpacker`.

    ``read_size`` is the most bytes to read at once.

    Raises ``MsgpackDecodeError`` for a message at fault, and of kind ``eof`` when the stream ends
    within a message. After an error the next step does what the next call of ``Unpacker`` does, and
    a step that was cancelled loses nothing. ``aclose`` ends the steps and lets go of the reader,
    which stays open, as it is the program's.
    """
    return _Messages(reader, read_size, Unpacker(type=type, **options))


class _Messages(Generic[_T]):
    """What ``unpack_async`` returns: the messages of a stream."""

    # Not a generator: an error or a timeout would end it, and then look like a clean end.
    def __init__(self, reader: AsyncReader, read_size: int, unpacker: Unpacker[_T]) -> None:
        self._reader: AsyncReader | None = reader
        self._read_size = read_size
        self._unpacker: Unpacker[_T] | None = unpacker

    def __aiter__(self) -> _Messages[_T]:
        return self

    async def __anext__(self) -> _T:
        # While a step waits for bytes, another task may close the stream.
        while (unpacker := self._unpacker) is not None:
            for message in unpacker:
                return message
            data = await self._reader.read(self._read_size) if self._reader else b""
            if data:
                unpacker.feed(data)
            elif self._unpacker:
                self._reader = None
                unpacker.finish()
                break
        raise StopAsyncIteration

    async def aclose(self) -> None:
        """Ends the steps, and lets go of the reader and of all bytes that were read."""
        self._reader = self._unpacker = None
