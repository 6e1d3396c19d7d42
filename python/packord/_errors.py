"""The errors of packord, with kind and place."""

from __future__ import annotations


class _Placed(Exception):
    """An error with its kind, and the place of the value at fault."""

    kind: str | None
    offset: int | None
    path: str | None

    def __init__(
        self,
        message: str = "",
        kind: str | None = None,
        offset: int | None = None,
        path: str | None = None,
    ) -> None:
        super().__init__(message)
        self.kind = kind
        self.offset = offset
        self.path = path


class MsgpackEncodeError(_Placed, TypeError):
    """An object that can't be packed.

    ``kind`` is one of the names of packord's specification (``unsupported_type``,
    ``out_of_range``, ``depth_limit``, ``cycle`` …), ``path`` says where the value is:
    ``$.users[3].id``.
    """


class MsgpackDecodeError(_Placed, ValueError):
    """Bytes that can't be unpacked.

    ``kind`` is one of the names of packord's specification (``eof``, ``invalid_utf8``,
    ``trailing_bytes`` …), ``offset`` the byte at fault, counted from 0, and ``path`` says which
    value it belongs to: ``$`` is the message. Outside of the rows of a container file it is None.
    """


class MsgpackArgumentError(MsgpackEncodeError, MsgpackDecodeError):
    """A call with wrong arguments: an unknown keyword, an option that does not exist."""


class OutOfData(Exception):
    """There is no whole message to unpack (yet)."""


for _error in (MsgpackEncodeError, MsgpackDecodeError, MsgpackArgumentError, OutOfData):
    _error.__module__ = "packord"
