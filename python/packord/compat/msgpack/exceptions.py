"""The exceptions of msgpack-python."""

from __future__ import annotations

from typing import Any

from packord import OutOfData as OutOfData


class UnpackException(Exception):
    """Base of the exceptions that unpacking raises."""


class BufferFull(UnpackException):
    """More was fed than ``max_buffer_size``."""


class FormatError(ValueError, UnpackException):
    """Bytes that are not MessagePack."""


class StackError(ValueError, UnpackException):
    """The nesting exceeds the depth limit."""


class ExtraData(ValueError, UnpackException):
    """Bytes follow the message: ``unpacked`` is the message, ``extra`` the bytes."""

    def __init__(self, unpacked: Any, extra: bytes) -> None:
        super().__init__(unpacked, extra)
        self.unpacked = unpacked
        self.extra = extra

    def __str__(self) -> str:
        return "unpack(b) received extra data."


UnpackValueError = ValueError
PackException = Exception
PackValueError = ValueError
PackOverflowError = OverflowError
