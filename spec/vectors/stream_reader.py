"""Reads streams, and goes on after a fault (``spec/format.md`` section 6)."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace

from .options import Fault, Options
from .paths import path_of
from .reference import RECORD_TYPE, Reader, Structures, Value, header_size

BOUNDLESS = sys.maxsize


def read_stream(data: bytes, options: Options | None = None) -> Iterator[Value | Fault]:
    """The messages of a stream whose bytes have all come, and its faults.

    It ends with the end of the bytes, or with a fault that ends the stream.
    """
    options = options or Options()
    reader = Reader(data, options, stream=True)
    number = 0
    while reader.pos < len(data):
        begin, before = reader.pos, reader.structures.copy()
        try:
            yield reader.message()
        except Fault as fault:
            fault.path = path_of(reader.steps, number)
            fault.ends_stream = fault.kind == "eof" or reader.is_over_buffer
            if fault.ends_stream:
                yield fault
                return
            passing = Passing(data, options, before)
            found = passing.message_at(begin)
            if found is None:
                yield fault
            elif (found.kind, found.offset) == (fault.kind, fault.offset):
                fault.ends_stream = True
                yield fault
                return
            else:
                found.path, found.ends_stream = path_of([], number), True
                yield from (fault, found)
                return
            reader.pos, reader.structures = passing.pos, passing.structures
        number += 1


class Passing(Reader):
    """Passes over a message; ``pos`` is then after it."""

    def __init__(self, data: bytes, options: Options, before: Structures) -> None:
        options = replace(options, max_depth=BOUNDLESS, max_nodes=None, max_map_len=None)
        super().__init__(data, options)
        if options.sequential:
            self.structures = before

    def message_at(self, begin: int) -> Fault | None:
        """Passes over the message; returns the fault that ends the stream, if there is one."""
        self.pos = begin
        self.nodes = 0
        to_come = 1
        try:
            while to_come > 0:
                to_come += self._header() - 1
        except Fault as fault:
            return fault
        return None

    def _header(self) -> int:
        """Passes over a header, with a payload or a list of keys; returns how many values it announces."""
        at = self.pos
        self._need(1)
        marker = self.data[at]
        if marker == 0xC1:
            raise Fault("reserved_marker", at)
        if self.options.records_on and 0x40 <= marker <= 0x7F:
            keys = self._record_keys(at, marker)
            if keys is not None:
                return len(keys)
        header = self._take(header_size(marker))
        if 0xC7 <= marker <= 0xC9 or 0xD4 <= marker <= 0xD8:
            if self.options.records_on and header[-1] == RECORD_TYPE:
                return self._defined(at, marker)
            header = header[:-1]
        number = int.from_bytes(header[1:], "big")
        if 0x80 <= marker <= 0x8F or marker in (0xDE, 0xDF):
            return 2 * (marker & 0x0F if marker <= 0x8F else number)
        if 0x90 <= marker <= 0x9F or marker in (0xDC, 0xDD):
            return marker & 0x0F if marker <= 0x9F else number
        if 0xA0 <= marker <= 0xBF:
            self._take(marker & 0x1F)
        elif 0xC4 <= marker <= 0xC9 or 0xD9 <= marker <= 0xDB:
            self._take(number)
        elif 0xD4 <= marker <= 0xD8:
            self._take(1 << (marker - 0xD4))
        return 0

    def _defined(self, at: int, marker: int) -> int:
        """Reads a definition, for ``max_buffer`` as a message; ``pos`` is after its ext type."""
        end, self.pos = self.pos, at
        self.start, self.pending, self.stream = at, 0, True
        self._buffer(at, end - at)
        self.pos = end
        count = self._definition(at, marker, 0)
        self.stream = False
        return count

    def _announce(self, at: int, elements: int) -> None:
        """What is announced may be more than the bytes that remain."""
        self.pending += elements
        self._buffer(at, self.pending)

    def _fields(self, at: int, keys: list[str], outside: int) -> int:
        """The values of a definition are values to come."""
        self._announce(at, len(keys))
        return len(keys)
