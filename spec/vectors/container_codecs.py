"""The checksum and the codecs of container files, for checking the vectors.

``none`` and ``deflate`` are whole. Of ``zstd`` there are frames of raw and repeated blocks; a frame with
compressed blocks is looked up among those that the vectors have (``KNOWN``), and the tests compare these with
a library.
"""

from __future__ import annotations

import zlib

CODECS = ("none", "deflate", "zstd")
ZSTD_MAGIC = 0xFD2FB528
# Of xxHash.
MASK = 2**64 - 1
PRIMES = (
    11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579, 2870177450012600261,
)  # fmt: skip
# zstd frames with compressed blocks, and what they stand for.
KNOWN: dict[bytes, bytes] = {}


class DamagedError(Exception):
    """Data that does not unpack."""


def need(holds: bool) -> None:
    if not holds:
        raise DamagedError


def _crc_table() -> list[int]:
    table = []
    for byte in range(256):
        for _ in range(8):
            byte = byte >> 1 ^ (0x82F63B78 if byte & 1 else 0)
        table.append(byte)
    return table


_CRC = _crc_table()


def crc32c(data: bytes) -> int:
    """CRC-32C (Castagnoli).

    >>> hex(crc32c(b"123456789"))
    '0xe3069283'
    """
    crc = 0xFFFFFFFF
    for byte in data:
        crc = crc >> 8 ^ _CRC[(crc ^ byte) & 0xFF]
    return crc ^ 0xFFFFFFFF


def unpack(codec: str, data: bytes, raw: int) -> bytes:
    """What a chunk stands for, of exactly ``raw`` bytes; ``DamagedError`` for all else."""
    if len(data) == raw:
        return data
    need(codec != "none")
    found = _deflate(data, raw) if codec == "deflate" else _zstd(data, raw)
    need(len(found) == raw)
    return found


def _deflate(data: bytes, raw: int) -> bytes:
    stream = zlib.decompressobj(-15)
    try:
        body = stream.decompress(data, raw + 1)
    except zlib.error:
        raise DamagedError from None
    need(stream.eof and not stream.unused_data)
    return body


class _Bytes:
    """Data that is read from the front."""

    def __init__(self, data: bytes) -> None:
        self.data, self.pos = data, 0

    def take(self, count: int) -> bytes:
        need(count <= len(self.data) - self.pos)
        self.pos += count
        return self.data[self.pos - count : self.pos]

    def number(self, size: int) -> int:
        return int.from_bytes(self.take(size), "little")

    @property
    def left(self) -> int:
        return len(self.data) - self.pos


def _zstd(data: bytes, raw: int) -> bytes:
    """Frames one after another, at least one of them (RFC 8878 section 3.1)."""
    source = _Bytes(data)
    out = b""
    while True:
        known = [frame for frame in KNOWN if data.startswith(frame, source.pos)]
        if known:
            out += KNOWN[source.take(len(known[0]))]
        else:
            out += _zstd_frame(source, raw - len(out))
        need(len(out) <= raw)
        if not source.left:
            return out


def _zstd_frame(source: _Bytes, raw: int) -> bytes:
    magic = source.number(4)
    if magic & 0xFFFFFFF0 == 0x184D2A50:
        source.take(source.number(4))
        return b""
    need(magic == ZSTD_MAGIC)
    descriptor = source.number(1)
    single, checked = descriptor >> 5 & 1, descriptor >> 2 & 1
    need(descriptor & 0x1B == 0)
    if not single:
        source.take(1)
    width = (single, 2, 4, 8)[descriptor >> 6]
    announced = source.number(width) + (256 if width == 2 else 0) if width else None
    out = b""
    last = 0
    while not last:
        head = source.number(3)
        last, kind, size = head & 1, head >> 1 & 3, head >> 3
        need(kind < 2 and size <= 1 << 17 and len(out) + size <= raw)
        out += source.take(size) if kind == 0 else source.take(1) * size
    need(announced in (None, len(out)))
    if checked:
        need(source.number(4) == xxh64(out) & 0xFFFFFFFF)
    return out


def _rotate(value: int, count: int) -> int:
    value &= MASK
    return (value << count | value >> (64 - count)) & MASK


def xxh64(data: bytes) -> int:
    """xxHash of 64 bits with seed 0, the checksum of zstd frames.

    >>> hex(xxh64(b"abc"))
    '0x44bc2cf5ad770999'
    """
    one, two, three, four, five = PRIMES

    def round_of(lane: int, word: int) -> int:
        return _rotate(lane + word * two, 31) * one & MASK

    def number(size: int) -> int:
        return int.from_bytes(data[pos : pos + size], "little")

    pos = 0
    value = five
    if len(data) >= 32:
        lanes = [one + two, two, 0, -one]
        while len(data) - pos >= 32:
            for i in range(4):
                lanes[i] = round_of(lanes[i], number(8))
                pos += 8
        value = sum(map(_rotate, lanes, (1, 7, 12, 18))) & MASK
        for lane in lanes:
            value = ((value ^ round_of(0, lane)) * one + four) & MASK
    value += len(data)
    while len(data) - pos >= 8:
        value = (_rotate(value ^ round_of(0, number(8)), 27) * one + four) & MASK
        pos += 8
    if len(data) - pos >= 4:
        value = (_rotate(value ^ number(4) * one, 23) * two + three) & MASK
        pos += 4
    for byte in data[pos:]:
        value = _rotate(value ^ byte * five, 11) * one & MASK
    value = (value ^ value >> 33) * two & MASK
    value = (value ^ value >> 29) * three & MASK
    return value ^ value >> 32
