"""A slow, plain writer of columns, for making and checking the vectors.

It is written from ``spec/columns.md`` section 6 alone. ``columnar_nodes.py`` makes the nodes of a
payload; this module decides where a payload is written.
"""

from __future__ import annotations

from dataclasses import replace

from .columnar import PLAIN, TYPE, header
from .columnar_nodes import ARRAY, EXT, STR, Item, column
from .writer import Value, Writer, encode_int


class ColumnsWriter(Writer):
    """Writes messages with columns; all of them without, unless the option is on."""

    def message(self, value: Value) -> bytes:
        if not self.options.columns_on:
            return super().message(value)
        # What cannot be written without columns cannot be written with them.
        Writer(self.options).message(value)
        if not self.options.sequential:
            self.own, self.next_own = {}, 0
        self.depth = 0
        self.out = bytearray()
        plain = Writer(replace(self.options, records=False, shared_structures=None))
        self._write(value, Item.of(value, plain), 0)
        return bytes(self.out)

    def _write(self, value: Value, item: Item, refused: int) -> None:
        """Writes a value that ``refused`` containers around it were refused as columns."""
        if not item.is_container:
            self.out += self._value(value)
            return
        if refused < 2 and is_candidate(item):
            found = self._payload(value, item)
            if found is not None:
                self.out += self._ext([TYPE, found.hex()])
                return
            refused += 1
        if item.kind == ARRAY:
            self.out += header(0x90, len(item.inner))
            for element, part in zip(value["array"], item.inner, strict=True):
                self._write(element, part, refused)
            return
        entries = value["map"]
        head = self._record_head(entries) if self.options.records_on else None
        self.out += header(0x80, len(entries)) if head is None else head
        for (key, element), part in zip(entries, item.inner[1::2], strict=True):
            if head is None:
                self.out += self._value(key)
            self._write(element, part, refused)

    def _payload(self, value: Value, item: Item) -> bytes | None:
        """The payload of a candidate, unless it is refused."""
        found = payload(item)
        if found is None:
            return None
        return found if len(found) + 6 < len(self._alone(value, item)) else None

    def _alone(self, value: Value, item: Item) -> bytes:
        """The value without columns, as a message of its own."""
        if not self.options.records_on:
            return item.data
        alone = replace(self.options, shared_structures=None, max_shared_structures=0)
        return Writer(replace(alone, max_own_structures=self.max_own)).message(value)


def is_candidate(item: Item) -> bool:
    """Whether columns are tried for the container."""
    entries = len(item.inner)
    if item.kind != ARRAY:
        values = item.inner[1::2]
        entries = len(values)
        containers = sum(value.is_container for value in values)
        if 8 * containers < 7 * entries and any(value.kind != STR for value in values):
            return False
    if entries < 8 or len(item.data) < 512:
        return False
    return not any(part.kind == EXT and part.code == TYPE for part in item.all())


def payload(item: Item) -> bytes | None:
    """The payload of the value; ``None`` if its root is PLAIN."""
    node = column([item])
    if node.directory[0] == PLAIN:
        return None
    size = len(item.data)
    numbers = b"".join(map(encode_int, (size, item.values, item.depth, len(node.directory))))
    return (b"\1" + numbers + node.directory + node.sections).ljust(-((4096 - size) // 16), b"\0")
