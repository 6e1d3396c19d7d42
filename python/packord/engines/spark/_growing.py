"""Files that are being written: where the last whole block ends."""

from __future__ import annotations

import mmap
import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, BinaryIO

from packord import MsgpackDecodeError, OutOfData, Unpacker
from packord.container import Reader

_MARK = b"\xd8\x5d"
_TRAILER = b"\xc7\x0c\x5d"
_TRAILER_SIZE = 15
# The sizes of the lengths after the markers of bin.
_BIN = {0xC4: 1, 0xC5: 2, 0xC6: 4}


class NotWholeError(Exception):
    """The file ends before the item does."""


class FaultError(Exception):
    """There is neither a block nor an index here."""


def whole_end(path: str, begin: int, room: int | None, *, skips: bool) -> int:
    """Where the last whole block of a file ends that begins at ``begin`` or later.

    ``begin`` is 0 or an earlier result, and is returned if there is no whole block after it. With
    ``room``, blocks that would make more than this number of bytes are left for later, but not the
    first one. Of the blocks themselves, only the bytes before their data are read.

    At a fault, the error of :class:`packord.container.Reader` is raised. With ``skips`` the next
    mark is looked for.
    """
    with open(path, "rb") as file:
        size = os.fstat(file.fileno()).st_size
        if size <= begin:
            return begin
        try:
            header, sync = _header(file)
        except NotWholeError:
            return begin
        except FaultError:
            _raise_fault(path, 0)
            raise
        at, reached = max(begin, header), begin
        limit = None if room is None else at + room
        while True:
            try:
                end = _item_end(file, at, size, _MARK + sync)
            except NotWholeError:
                return reached
            except FaultError:
                if not skips:
                    _raise_fault(path, at)
                found = _next_mark(file, at + 1, size, _MARK + sync)
                if found is None:
                    return reached
                at = found
                continue
            if limit is not None and end > limit and reached > begin:
                return reached
            at = reached = end


def _raise_fault(path: str, at: int) -> None:
    """Raises what a reader says of a fault at ``at``."""
    for _ in Reader(path, split=(at, at + 1)):
        pass


def _header(file: BinaryIO) -> tuple[int, bytes]:
    """Where the header ends, and the sync bytes."""
    unpacker = _unpacker(file, 0)
    with _faults():
        header = unpacker.unpack()
    try:
        sync = header[2]["sync"]
    except (IndexError, KeyError, TypeError):
        sync = None
    if type(sync) is not bytes or len(sync) != 16:
        raise FaultError
    return unpacker.tell(), sync


def _item_end(file: BinaryIO, at: int, size: int, mark: bytes) -> int:
    """Where the block, index or trailer at ``at`` ends, if that is not after ``size``."""
    file.seek(at)
    found = file.read(len(mark))
    if found.startswith(_TRAILER):
        end = at + _TRAILER_SIZE
    elif found == mark:
        with _faults():
            end = _array_end(file, at + len(mark))
    elif mark.startswith(found) or _TRAILER.startswith(found):
        raise NotWholeError
    else:
        raise FaultError
    if end > size:
        raise NotWholeError
    return end


def _array_end(file: BinaryIO, at: int) -> int:
    """Where a block-array or an index-array ends, as its lengths say."""
    unpacker = _unpacker(file, at)
    count = unpacker.read_array_header()
    kind = unpacker.unpack()
    if isinstance(kind, str):
        for _ in range(count - 1):
            unpacker.skip()
        return at + unpacker.tell()
    if count < 5:
        raise FaultError
    for _ in range(3):
        unpacker.unpack()
    data = at + unpacker.tell()
    file.seek(data)
    header = file.read(5)
    width = _BIN.get(header[0]) if header else 1
    if width is None:
        raise FaultError
    if len(header) <= width:
        raise NotWholeError
    end = data + 1 + width + int.from_bytes(header[1 : 1 + width], "big")
    unpacker = _unpacker(file, end)
    for _ in range(count - 5):
        unpacker.skip()
    return end + unpacker.tell()


@contextmanager
def _faults() -> Iterator[None]:
    """Tells what the end of the file has cut from what is malformed."""
    try:
        yield
    except OutOfData as error:
        raise NotWholeError from error
    except MsgpackDecodeError as error:
        raise (NotWholeError if error.kind == "eof" else FaultError) from error


def _unpacker(file: BinaryIO, at: int) -> Unpacker[Any]:
    file.seek(at)
    return Unpacker(file, read_size=256)


def _next_mark(file: BinaryIO, begin: int, size: int, mark: bytes) -> int | None:
    if begin >= size:
        return None
    with mmap.mmap(file.fileno(), size, access=mmap.ACCESS_READ) as view:
        found = view.find(mark, begin)
    return found if found >= 0 else None
