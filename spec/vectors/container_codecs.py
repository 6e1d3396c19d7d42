"""The checksum and the codecs of container files, for checking the vectors.

``none`` and ``deflate`` are whole. Of ``zstd`` there are frames of raw and repeated blocks, of ``lz4`` the
whole block format; a zstd frame with compressed blocks is looked up among those that the vectors have
(``KNOWN``), and the tests compare these with a library.
"""

from __future__ import annotations

import zlib

CODECS = ("none", "deflate", "zstd", "lz4")
ZSTD_MAGIC = 0xFD2FB528
LZ4_MAGIC = 0x184D2204
LZ4_BLOCK_SIZES = {4: 1 << 16, 5: 1 << 18, 6: 1 << 20, 7: 1 << 22}
# zstd frames with compressed blocks, by their bytes and the dictionary, and what they stand for.
KNOWN: dict[tuple[bytes, bytes], bytes] = {}


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


def unpack(codec: str, data: bytes, raw: int, dictionary: bytes = b"") -> bytes:
    """The body, of exactly ``raw`` bytes; ``DamagedError`` for all else."""
    if codec == "none":
        body = data
    elif codec == "deflate":
        body = _deflate(data, raw)
    elif codec == "zstd":
        body = _zstd(data, raw, dictionary)
    else:
        body = _lz4(data, raw)
    need(len(body) == raw)
    return body


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


def _zstd(data: bytes, raw: int, dictionary: bytes) -> bytes:
    """Frames one after another, at least one of them (RFC 8878 section 3.1)."""
    source = _Bytes(data)
    out = b""
    while True:
        known = [frame for frame, used in KNOWN if used == dictionary and data.startswith(frame, source.pos)]
        if known:
            out += KNOWN[source.take(len(known[0])), dictionary]
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


def _lz4(data: bytes, raw: int) -> bytes:
    """One frame, and nothing after it."""
    source = _Bytes(data)
    need(source.number(4) == LZ4_MAGIC)
    flags, limits = source.take(2)
    need(flags & 0xC3 == 0x40 and limits & 0x8F == 0 and limits >> 4 in LZ4_BLOCK_SIZES)
    announced = source.number(8) if flags & 8 else None
    need(source.number(1) == xxh32(data[4 : source.pos - 1]) >> 8 & 0xFF)
    out = b""
    while True:
        size = source.number(4)
        if size == 0:
            break
        block = source.take(size & 0x7FFFFFFF)
        if flags & 16:
            need(source.number(4) == xxh32(block))
        before = b"" if flags & 32 else out
        most = min(raw - len(out), LZ4_BLOCK_SIZES[limits >> 4])
        out += block if size >> 31 else _lz4_block(block, before, most)
        need(len(out) <= raw)
    if flags & 4:
        need(source.number(4) == xxh32(out))
    need(announced in (None, len(out)) and not source.left)
    return out


def _lz4_block(data: bytes, before: bytes, most: int) -> bytes:
    source = _Bytes(data)
    out = bytearray(before)

    def length(short: int) -> int:
        total = short
        while short == 15:
            more = source.number(1)
            total += more
            if more < 255:
                break
        return total

    while True:
        token = source.number(1)
        out += source.take(length(token >> 4))
        need(len(out) - len(before) <= most)
        if not source.left:
            return bytes(out[len(before) :])
        distance = source.number(2)
        need(0 < distance <= len(out))
        count = length(token & 15) + 4
        need(len(out) - len(before) + count <= most)
        for _ in range(count):
            out.append(out[-distance])


def _rotate(value: int, count: int, bits: int) -> int:
    value &= (1 << bits) - 1
    return (value << count | value >> (bits - count)) & ((1 << bits) - 1)


def xxh32(data: bytes) -> int:
    """xxHash of 32 bits with seed 0, the checksum of LZ4 frames.

    >>> hex(xxh32(b"abc"))
    '0x32d153ff'
    """
    primes = (2654435761, 2246822519, 3266489917, 668265263, 374761393)
    return _xxh(data, 32, primes, (13, 1, 7, 12, 18))


def xxh64(data: bytes) -> int:
    """xxHash of 64 bits with seed 0, the checksum of zstd frames.

    >>> hex(xxh64(b"abc"))
    '0x44bc2cf5ad770999'
    """
    primes = (
        11400714785074694791, 14029467366897019727, 1609587929392839161, 9650029242287828579,
        2870177450012600261,
    )  # fmt: skip
    return _xxh(data, 64, primes, (31, 1, 7, 12, 18))


def _xxh(data: bytes, bits: int, primes: tuple[int, ...], turns: tuple[int, ...]) -> int:
    one, two, three, four, five = primes
    mask, lane = (1 << bits) - 1, bits // 8

    def round_of(lane_value: int, word: int) -> int:
        return _rotate(lane_value + word * two, turns[0], bits) * one & mask

    pos = 0
    if len(data) >= 4 * lane:
        lanes = [one + two, two, 0, -one]
        while len(data) - pos >= 4 * lane:
            for i in range(4):
                word = int.from_bytes(data[pos : pos + lane], "little")
                lanes[i] = round_of(lanes[i], word)
                pos += lane
        value = sum(_rotate(item, turns[i + 1], bits) for i, item in enumerate(lanes)) & mask
        if bits == 64:
            for item in lanes:
                value = ((value ^ round_of(0, item)) * one + four) & mask
    else:
        value = five
    value += len(data)
    while bits == 64 and len(data) - pos >= 8:
        value ^= round_of(0, int.from_bytes(data[pos : pos + 8], "little"))
        value = (_rotate(value, 27, 64) * one + four) & mask
        pos += 8
    if len(data) - pos >= 4:
        while len(data) - pos >= 4:
            word = int.from_bytes(data[pos : pos + 4], "little")
            if bits == 64:
                value = (_rotate(value ^ word * one, 23, 64) * two + three) & mask
            else:
                value = _rotate(value + word * three, 17, 32) * four & mask
            pos += 4
    for byte in data[pos:]:
        if bits == 64:
            value = _rotate(value ^ byte * five, 11, 64) * one & mask
        else:
            value = _rotate(value + byte * five, 11, 32) * one & mask
    value &= mask
    shifts = (33, 29, 32) if bits == 64 else (15, 13, 16)
    for shift, prime in zip(shifts, (two, three, None), strict=True):
        value ^= value >> shift
        if prime is not None:
            value = value * prime & mask
    return value
