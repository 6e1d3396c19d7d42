"""Walks over one message without making values: fast enough for the large records."""

from __future__ import annotations

from .. import reference

CONTAINERS = {**{0x80 | n: 2 * n for n in range(16)}, **{0x90 | n: n for n in range(16)}}


def walk(data: bytes, *, records: bool = False) -> int:
    """The length of the first message in ``data``, which must be well-formed.

    Ids that are defined in the message count as records. The elements that are announced
    must never exceed the bytes that remain (``spec/limits.md`` section 2).
    """
    fields: dict[int, int] = {}
    wide: set[int] = set()
    place, pending = 0, 1
    while pending:
        marker = data[place]
        pending -= 1
        if marker <= 0x7F or marker >= 0xE0:
            place += 1
            if records and 0x40 <= marker <= 0x7F:
                index = marker - 0x40
                if marker in wide:
                    index += 32 * data[place]
                    place += 1
                pending += fields.get(index, 0)
        elif marker <= 0x9F:
            place += 1
            pending += CONTAINERS[marker]
        elif records and marker in (0xD4, 0xD5) and data[place + 1] == 0x72:
            place, index, keys = _definition(data, place)
            (wide.add if marker == 0xD5 else wide.discard)(0x60 + index % 32)
            fields[index] = keys
            pending += keys
        elif marker >= 0xDC:
            size = 2 if marker in (0xDC, 0xDE) else 4
            count = int.from_bytes(data[place + 1 : place + 1 + size], "big")
            place += 1 + size
            pending += count if marker <= 0xDD else 2 * count
        else:
            place = _scalar(data, place)
        assert pending <= len(data) - place, f"more announced than left at byte {place}"
    return place


def _definition(data: bytes, place: int) -> tuple[int, int, int]:
    """Where the keys end, the index, and how many keys there are."""
    index = data[place + 2] - 0x40 + (32 * data[place + 3] if data[place] == 0xD5 else 0)
    place += 3 if data[place] == 0xD4 else 4
    keys, place = data[place] & 15, place + 1
    size = {0xDC: 2, 0xDD: 4}.get(data[place - 1], 0)
    if size:
        keys, place = int.from_bytes(data[place : place + size], "big"), place + size
    for _ in range(keys):
        place = _scalar(data, place)
    return place, index, keys


def _scalar(data: bytes, place: int) -> int:
    """Returns where a value that is not a container ends."""
    marker = data[place]
    header = reference.header_size(marker)
    if 0xA0 <= marker <= 0xBF:
        return place + 1 + (marker & 31)
    if 0xD4 <= marker <= 0xD8:
        return place + header + (1 << (marker - 0xD4))
    if 0xC4 <= marker <= 0xC9 or marker >= 0xD9:
        size = header - (2 if 0xC7 <= marker <= 0xC9 else 1)
        return place + header + int.from_bytes(data[place + 1 : place + 1 + size], "big")
    return place + header
