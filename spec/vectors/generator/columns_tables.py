"""Cases of writing with columns on, and values for them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ..columnar_nodes import Item, column
from ..columnar_writer import ColumnsWriter
from ..expansion import Pieces, build
from ..options import Options
from ..writer import Writer
from .build import Topic, Value, double, fields, integer, items, join, repeat, text

KIND = "columns"
PLAIN_WRITER = Writer(Options())


class CountingWriter(ColumnsWriter):
    """Counts the payloads that it writes."""

    taken = 0

    def _payload(self, *parts: object) -> bytes | None:
        found = super()._payload(*parts)
        self.taken += found is not None
        return found


class Written(Topic):
    """Cases of a writer. ``taken`` is the number of payloads in the message."""

    def __init__(self, name: str, description: str) -> None:
        super().__init__(KIND, name, description)

    def message(
        self,
        name: str,
        value: Value,
        /,
        *,
        taken: int,
        known: dict[bytes, Pieces] | None = None,
        **options: Any,
    ) -> bytes:
        """A message with ``taken`` payloads; ``known`` has parts for long pieces of bytes."""
        value = build(value)
        writer = CountingWriter(Options(columns=True, **options))
        written = writer.message(value)
        if writer.taken != taken:
            raise ValueError(f"{name}: {writer.taken} payloads instead of {taken}")
        plain, known = PLAIN_WRITER.message(value), known or {}
        shared = {"shared_after": writer.shared} if writer.options.shared_structures is not None else {}
        self.add(
            name,
            abbreviated(written, known),
            encode=True,
            plain=join(abbreviated(plain, known)),
            **shared,
            options=options,
        )
        return written

    def column(self, name: str, values: Iterable[Value], directory: str, /, **more: Any) -> None:
        """A table with a column of these values, and its entries in the directory, or those before ``…``."""
        values = list(map(build, values))
        rows = [Item.of(value, PLAIN_WRITER) for value in values]
        # The values are in a row, which is in the table.
        entries = column(rows, 2).directory
        written = self.message(name, table_of(values), taken=1, **more)
        first, open_end, _ = directory.partition("…")
        stated = bytes.fromhex(first)
        if stated != (entries[: len(stated)] if open_end else entries) or entries not in written:
            raise ValueError(f"{name}: the entries are {entries.hex(' ')}")


def table_of(values: list[Value]) -> Value:
    """Rows with the values, and rows that make columns worth their while."""
    rows = [fields(v=value) for value in values]
    rows += [fields(p=integer(number)) for number in range(70000, 70040)]
    return items(*rows, *[fields(q=text("padding of the table"))] * 20)


def abbreviated(data: bytes, known: dict[bytes, Pieces]) -> Pieces:
    """The bytes, with a part for each piece that is known, and for whatever is repeated."""
    for piece, part in known.items():
        before, found, after = data.partition(piece)
        if found:
            return join(abbreviated(before, known), part, abbreviated(after, known))
    pieces: list = []
    at = start = 0
    while at < len(data):
        best = (60, 0, 0)
        for period in range(1, 64):
            unit = data[at : at + period]
            times = 1
            while data[at + times * period : at + (times + 1) * period] == unit:
                times += 1
            best = max(best, (2 * period * (times - 1), -period, times))
        _, period, times = best
        if not times:
            at += 1
            continue
        pieces += [data[start:at].hex()] if at > start else []
        pieces.append(repeat(data[at : at - period], times))
        at = start = at - period * times
    rest = data[start:].hex()
    return pieces + ([rest] if rest else []) if pieces else rest


def scatter(count: int, below: int, seed: int = 1) -> list[int]:
    """Numbers that look random."""
    found = []
    for _ in range(count):
        seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
        found.append((seed >> 11) % below)
    return found


def numbers(values: Iterable[int]) -> list[Value]:
    return list(map(integer, values))


def doubles(values: Iterable[float]) -> list[Value]:
    return list(map(double, values))


def words(count: int, size: int, seed: int = 1) -> list[str]:
    """Different strings of one size."""
    letters = scatter(count * size, 26, seed)
    return [
        f"{i:03}" + "".join(chr(97 + n) for n in letters[i * size : (i + 1) * size - 3]) for i in range(count)
    ]


def texts(values: Iterable[str]) -> list[Value]:
    return list(map(text, values))


def cycle(values: list, count: int) -> list:
    return [values[i % len(values)] for i in range(count)]
