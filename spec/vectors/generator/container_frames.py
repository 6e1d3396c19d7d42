"""Data as compressors make it, of the rows of ``body``, and frames that are built by hand.

The compressed bytes were made once, by zlib and python-zstandard; the tests unpack them with these
libraries.
"""

from __future__ import annotations

from ..container_codecs import KNOWN, ZSTD_MAGIC, xxh64
from .build import array, mapping, text_bytes, u16

TOWNS = ("Oslo", "Graz", "Bonn", "Metz")


def row(i: int) -> bytes:
    ok = b"\xc3" if i % 3 else b"\xc2"
    town = text_bytes(TOWNS[i * i % 4])
    return mapping(text_bytes("id"), u16(1000 + 7 * i), text_bytes("town"), town, text_bytes("ok"), ok)


def body() -> bytes:
    """An array of 24 rows, in 507 bytes."""
    return array(*map(row, range(24)))


BODY = body()
HALF = len(BODY) // 2


def _hex(text: str) -> bytes:
    return bytes.fromhex(text)


ZSTD = _hex(
    "28b52ffd60fb002504001404dc001883a26964cd03e8a4746f776ea44f736c6fa26f6bc2ef4772617aa26f6bc3f6fdc20404"
    "040b12c2192027c22e353cc2434a51c2585f66c26d747bc28289c32f20f0a50387d0c39c6d706607a3822fc771591c471996"
    "0ce3b2388e322c338ccbe238cab0641897c57194c592615c160e9c7839dbe09aade51877f01c0c1c241e"
)
ZSTD_CHECKED = _hex(
    "28b52ffd04002504001404dc001883a26964cd03e8a4746f776ea44f736c6fa26f6bc2ef4772617aa26f6bc3f6fdc2040404"
    "0b12c2192027c22e353cc2434a51c2585f66c26d747bc28289c32f20f0a50387d0c39c6d706607a3822fc771591c4719960c"
    "e3b2388e322c338ccbe238cab0641897c57194c592615c160e9c7839dbe09aade51877f01c0c1c241e3a9393ed"
)
ZSTD_FIRST = _hex(
    "28b52ffd20fd0503000403dc001883a26964cd03e8a4746f776ea44f736c6fa26f6bc2ef4772617aa26f6bc3f6fdc2040404"
    "0b12c2192027c22e3517008013400f6006d9c06090193818a002f0811c601cc802383048049741363018646b2a0718170c06"
    "8381c3c403"
)
ZSTD_SECOND = _hex(
    "28b52ffd20fef50200e4026bc383a26964cd043ca4746f776ea44f736c6fa26f6bc2434772617aa26f6bc34a51c2585f66c2"
    "6d747bc28289c31700e010400f6006d9c06090193818a002f0811c601cc8021c072803584006300ee4682a0318170c0683c5"
    "618a01"
)
DEFLATE = _hex(
    "bbc320d1bc2833e52cf38b2525f9e5794bfc8b73f217e5671f8208be8708ba17255601050f4304bfa1a8840afe455109d1ce"
    "c28245250b3716335984b0d8ce22894da5023633d5b1d9ae874da52936336db0d9ee8c4da517363303b1d91e814d653c3633"
    "d3b0d99e8b4d65093633abb1d9de844d6527aa9900"
)

KNOWN.update({ZSTD: BODY, ZSTD_CHECKED: BODY, ZSTD_FIRST: BODY[:HALF], ZSTD_SECOND: BODY[HALF:]})


def zstd(*blocks: tuple[int, bytes, int], announced: int | None = None, checked: bool = False) -> bytes:
    """A zstd frame of blocks (kind, bytes, size): kind 0 raw, 1 repeated, 3 reserved."""
    out = b"".join(content if kind == 0 else content * size for kind, content, size in blocks)
    head = (0x80 if announced is not None else 0) | (4 if checked else 0)
    frame = ZSTD_MAGIC.to_bytes(4, "little") + bytes([head, 0x38])
    if announced is not None:
        frame += announced.to_bytes(4, "little")
    for place, (kind, content, size) in enumerate(blocks, 1):
        last = place == len(blocks)
        frame += (size << 3 | kind << 1 | last).to_bytes(3, "little") + content
    return frame + ((xxh64(out) & 0xFFFFFFFF).to_bytes(4, "little") if checked else b"")


def stored(content: bytes, **more: object) -> bytes:
    """A zstd frame of one raw block."""
    return zstd((0, content, len(content)), **more)


def skippable(content: bytes) -> bytes:
    """A frame that stands for no bytes."""
    return (0x184D2A50).to_bytes(4, "little") + len(content).to_bytes(4, "little") + content


def deflate_stored(content: bytes, *, last: bool = True) -> bytes:
    """One stored block of deflate."""
    size = len(content)
    return bytes([last]) + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + content
