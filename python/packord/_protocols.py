"""What packord asks of files and streams."""

from __future__ import annotations

from typing import Any, Protocol


class Writer(Protocol):
    """A file open for writing bytes."""

    def write(self, data: bytes, /) -> Any: ...


class Reader(Protocol):
    """A file open for reading bytes."""

    def read(self, size: int = ..., /) -> bytes: ...


class AsyncReader(Protocol):
    """An ``asyncio.StreamReader``, or what reads like one."""

    async def read(self, size: int, /) -> bytes: ...
