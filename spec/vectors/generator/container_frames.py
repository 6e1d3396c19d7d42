"""Data as compressors make it, of the rows of ``body``, and frames that are built by hand.

The compressed bytes were made once, by zlib, python-zstandard and python-lz4; the tests unpack them with
these libraries.
"""

from __future__ import annotations

from container_codecs import KNOWN, LZ4_MAGIC, ZSTD_MAGIC, xxh32, xxh64
from generator.build import array, mapping, text_bytes, u16

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
DICTIONARY = _hex(
    "37a430ecd732c14f391028e252d201542480461508147f05af3201018dd84c162430820509e86e00843aa8e28a312ff87bc1"
    "df0bf8810f080f368722dade9b5cee5c630b0040e340950000000400808e43020000000003990b00204140f5000003000000"
    "000000044800000000000004426d1b50000000000000000000000000000001000000040000000800000083a26964cd09faa4"
    "746f776ea44f736c6fa26f6bc283a26964cd0a01a4746f776ea44772617aa26f6bc383a26964cd0a08a483a26964cd08fea4"
    "746f776ea44f736c6fa26f6bc283a26964cd0905a4746f776ea44772617aa26f6bc383a26964cd090ca483a26964cd07fba4"
    "746f776ea44772617aa26f6bc383a26964cd0802a4746f776ea44f736c6fa26f6bc283a26964cd0809a483a26964cd0714a4"
)
ZSTD_WITH_DICTIONARY = _hex(
    "28b52ffd63d732c14ffb005d020003c30a07a3c554ee048985bcc70dc7f88a12fef00c175ce11320b8c117c4183d81827740"
    "0107146c40c11900460527fcd14979aba7b40bbf3ec55bbeebed1a35552697892cfc6f7db4dcff"
)
LZ4 = _hex(
    "04224d186c40fb0100000000000064f8000000f209dc001883a26964cd03e8a4746f776ea44f736c6fa26f6bc2150012ef15"
    "00824772617aa26f6bc3150012f61500032a0003150012fd1500032a00023f002204041500092a0022040b1500032a00023f"
    "002204121500032a00033f00121915000a2a0012201500032a00033f0012271500032a00033f00122e15000a2a0012351500"
    "032a00033f00123c1500032a00033f00124315000a2a00124a1500032a00033f0012511500032a00033f00125815000a2a00"
    "125f1500032a00033f0012661500032a00033f00126d15000a2a0012741500032a00033f00127b1500032a00033f00128215"
    "000a2a0012891500804772617aa26f6bc30000000057a4f236"
)
DEFLATE = _hex(
    "bbc320d1bc2833e52cf38b2525f9e5794bfc8b73f217e5671f8208be8708ba17255601050f4304bfa1a8840afe455109d1ce"
    "c28245250b3716335984b0d8ce22894da5023633d5b1d9ae874da52936336db0d9ee8c4da517363303b1d91e814d653c3633"
    "d3b0d99e8b4d65093633abb1d9de844d6527aa9900"
)

KNOWN.update({
    (ZSTD, b""): BODY,
    (ZSTD_CHECKED, b""): BODY,
    (ZSTD_FIRST, b""): BODY[:HALF],
    (ZSTD_SECOND, b""): BODY[HALF:],
    (ZSTD_WITH_DICTIONARY, DICTIONARY): BODY,
})  # fmt: skip


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


def lz4(*blocks: tuple[bytes, bool], content: bytes, flags: int = 0x64, limit: int = 0x40) -> bytes:
    """An LZ4 frame of blocks (bytes, compressed), with the checksums and the size that ``flags`` say."""
    described = bytes([flags, limit])
    if flags & 8:
        described += len(content).to_bytes(8, "little")
    frame = LZ4_MAGIC.to_bytes(4, "little") + described + bytes([xxh32(described) >> 8 & 0xFF])
    for data, compressed in blocks:
        frame += (len(data) | (0 if compressed else 1 << 31)).to_bytes(4, "little") + data
        frame += xxh32(data).to_bytes(4, "little") if flags & 16 else b""
    return frame + bytes(4) + (xxh32(content).to_bytes(4, "little") if flags & 4 else b"")


def deflate_stored(content: bytes, *, last: bool = True) -> bytes:
    """One stored block of deflate."""
    size = len(content)
    return bytes([last]) + size.to_bytes(2, "little") + (size ^ 0xFFFF).to_bytes(2, "little") + content
