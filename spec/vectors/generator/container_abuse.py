"""Container files that announce much, or unpack to much: each is read within bounds, or refused."""

from __future__ import annotations

from container_codecs import crc32c
from expansion import expand, expanded_length
from generator import container_frames as frames
from generator.build import Pieces, array_header, header32, join, repeat, text_bytes, u64
from generator.container_bytes import (
    MARK,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    fault,
    header,
    numbers,
    options,
    totals,
    trailer,
)
from writer import encode_int

KIND = "container"
BEFORE = File().numbers(1).out
AT, ARRAY = len(BEFORE), len(BEFORE) + 18
MILLION = 1 << 20
# Deflate with one code of one bit for 258 bytes and one for the distance 1: each byte 00 stands for 1032 bytes.
DEFLATE_ZEROS = bytes.fromhex("ecc101010000008090feafee080a")


def topics() -> list[Files]:
    return [_unpacking(), _announcing()]


class Abuse(Files):
    """A topic of files with one block, and an attack after it."""

    def attack(self, name: str, content: Pieces, found: dict, *, whole: bool = False, **more: object) -> None:
        """Reading ends at the fault. With ``whole`` the content is there to its end, and skipping passes over it."""
        data = join(BEFORE, content)
        reads = [{"end": found}]
        if not whole:
            reads.append({"on_bad_block": "skip", "ranges": [[AT, expanded_length(data), found]]})
        self.file(name, data, numbers(1), *reads, derived=False, **more)


def packed(codec: str, raw: int, data: Pieces, *, count: int = 0, kind: int = 0) -> Pieces:
    """A mark and a block-array, whose data may be abbreviated."""
    data = join(data)
    numbers_ = b"".join(map(encode_int, (kind, count, raw, crc32c(expand(data)))))
    size = expanded_length(data)
    return join(MARK, b"\x96" + numbers_ + text_bytes(codec) + header32(0xC6, size), data)


def zstd_blocks(times: int, size: int) -> Pieces:
    """A zstd frame of blocks that each repeat a byte 00."""
    frame = frames.zstd((1, b"\0", size), (1, b"\0", size))
    head, block = frame[:6], frame[6:10]
    return join(head, repeat(block, times - 1), frame[10:14])


def _unpacking() -> Files:
    topic = Abuse("bombs", "small data that unpacks to much more than raw: the reader stops at raw + 1")
    found = fault("invalid_ext", ARRAY)
    zeros = join(DEFLATE_ZEROS, repeat("00", 450_000))
    topic.attack("deflate of 464 MB, raw 1000", packed("deflate", 1000, zeros), found, unpacked=1000)
    topic.attack(
        "deflate of 464 MB, raw of 1 MiB", packed("deflate", MILLION, zeros), found, unpacked=MILLION
    )
    blocks = zstd_blocks(16_384, 1 << 17)
    topic.attack(
        "zstd of 2 GiB, raw 1000", packed("zstd", 1000, blocks), found, unpacked=1000, needs=["zstd"]
    )
    topic.attack(
        "zstd of 2 GiB, raw of 1 MiB",
        packed("zstd", MILLION, blocks),
        found,
        unpacked=MILLION,
        needs=["zstd"],
    )
    head = frames.zstd((0, b"", 0))[:4] + b"\xe0" + u64(2**63)[1:][::-1]
    topic.attack(
        "zstd that announces 2^63 bytes",
        packed("zstd", 3, head + b"\x19\0\0abc"),
        found,
        unpacked=3,
        needs=["zstd"],
    )
    empty = frames.zstd((0, b"", 0))
    topic.attack(
        "10000 empty frames of zstd",
        packed("zstd", 1, repeat(empty, 10_000)),
        found,
        unpacked=1,
        needs=["zstd"],
    )
    ones = frames.lz4(
        (b"\x1f\0\1\0" + b"\xff" * 15_000 + b"\0\x50" + b"\0" * 5, True), content=b"", flags=0x60, limit=0x70
    )
    topic.attack(
        "lz4 of 3.8 MB, raw 1000",
        packed("lz4", 1000, _abbreviated(ones)),
        found,
        unpacked=1000,
        needs=["lz4"],
    )
    big = frames.lz4((b"abc", False), content=b"abc", flags=0x60)
    described = b"\x68\x40" + (2**63).to_bytes(8, "little")
    big = big[:4] + described + bytes([_lz4_check(described)]) + big[7:]
    topic.attack("lz4 that announces 2^63 bytes", packed("lz4", 3, big), found, unpacked=3, needs=["lz4"])
    stored = repeat(b"\0\0\0\xff\xff", 60_000)
    topic.attack("60000 empty blocks of deflate", packed("deflate", 1, stored), found, unpacked=1)
    body = join(array_header(100_000), repeat("90", 100_000))
    content = packed("none", expanded_length(body), body, count=100_000, kind=1)
    rows = join("01", repeat("90", 100_000))
    topic.add(
        "100000 empty arrays", join(BEFORE, content), rows=rows, reads=[], derived=False, unpacked=100_003
    )
    return topic


def _abbreviated(data: bytes) -> Pieces:
    before, after = data.split(b"\xff" * 15_000)
    return join(before, repeat("ff", 15_000), after)


def _lz4_check(described: bytes) -> int:
    return frames.xxh32(described) >> 8 & 0xFF


def _announcing() -> Files:
    topic = Abuse("abuse", "sizes, counts and depths that are announced, and are not there or too large")
    start = header()[:10]
    deep = repeat("91", 100_000)
    good = options(sync=blob(SYNC))
    topic.unopened(
        "a header with meta nested 100000 deep",
        join(start, b"\x82", good[1:], "a46d657461", deep, "01"),
        "depth_limit",
        1062,
    )
    topic.unopened(
        "a header with 2^32 - 1 structures",
        start + b"\x82" + good[1:] + text_bytes("structures") + b"\xdd\xff\xff\xff\xff",
        "length_limit",
        10,
    )
    topic.unopened(
        "a header with 2^32 - 1 paths, 10000 of them there",
        join(start, b"\x82", good[1:], "a36b6579ddffffffff", repeat("a0", 10_000)),
        "length_limit",
        10,
    )
    topic.unopened(
        "a header with 2^31 options", join(start, "df80000000", repeat("a0c0", 10_000)), "length_limit", 10
    )
    many = join(start, b"\x82", good[1:], text_bytes("structures"), "dc1fe0", repeat("90", 8160))
    # The last structure, of no keys.
    last = block_array(b"\x91\x7f\xfd", 1)
    topic.add("a header with 8160 structures", join(many, MARK, last), rows="80", reads=[], derived=False)
    body = join("91", deep, "01")
    topic.attack(
        "rows nested 100000 deep",
        packed("none", 100_002, body, count=1, kind=1),
        fault("depth_limit", ARRAY, 1024),
    )
    topic.attack(
        "messages nested 100000 deep",
        packed("none", 100_001, join(deep, "01"), count=1),
        fault("depth_limit", ARRAY, 1024),
    )
    further = join(MARK, b"\x97", block_array(b"\x91\x01", 1)[1:], deep, "01")
    inside = expanded_length(further) - 100_001
    topic.attack("a further element nested 100000 deep", further, fault("depth_limit", AT + inside + 1024))
    for name, body, error, place in (
        ("rows that announce 2^32 - 1 arrays", b"\xdd\xff\xff\xff\xff" * 100, "eof", 500),
        ("messages that announce 2^32 - 1 maps", b"\xdf\xff\xff\xff\xff" * 100, "eof", 500),
        ("a str of 2^32 - 1 bytes", b"\x91\xdb\xff\xff\xff\xff", "eof", 6),
    ):
        kind = 0 if name.startswith("messages") else 1
        topic.attack(
            name,
            packed("none", len(body), _hundred(body), count=2**32 - 1, kind=kind),
            fault(error, ARRAY, place),
        )
    for name, count in (("2^32 - 1", 2**32 - 1), ("2^53", 2**53), ("2^64 - 1", 2**64 - 1)):
        topic.attack(
            f"a count of {name} rows",
            packed("none", 1, "90", count=count, kind=1),
            fault("invalid_ext", ARRAY),
        )
        topic.attack(
            f"a count of {name} messages", packed("none", 1, "90", count=count), fault("invalid_ext", ARRAY)
        )
    topic.attack(
        "raw of max_block, and no data", packed("deflate", 64 << 20, ""), fault("invalid_ext", ARRAY)
    )
    topic.attack("raw of max_block + 1", packed("deflate", (64 << 20) + 1, ""), fault("length_limit", ARRAY))
    cut = join(MARK, b"\x96\1\1", encode_int(64 << 20), b"\0\xc0", header32(0xC6, 64 << 20), "00")
    topic.attack("data of max_block, one byte of it there", cut, fault("eof", AT + expanded_length(cut)))
    _indexes(topic)
    _marks(topic)
    return topic


def _hundred(body: bytes) -> Pieces:
    return join(repeat(body[:5], 100)) if len(body) == 500 else body


def _indexes(topic: Abuse) -> None:
    """Indexes that are not used. What a reading from the front says about them comes after the blocks."""

    def index(name: str, content: Pieces, found: dict | None) -> None:
        data = join(BEFORE, MARK, content, trailer(AT))
        end = {"end": found} if found else {}
        topic.file(name, data, numbers(1), end, derived=False)

    def cut(content: Pieces) -> dict:
        return fault("eof", ARRAY + expanded_length(join(content)) + 10)

    start = b"\x94" + text_bytes("index") + b"\1"
    for name, content in (
        ("an index of 2^32 - 1 blocks", start + b"\xdd\xff\xff\xff\xff"),
        (
            "an index of 2^32 - 1 blocks, the first of them there",
            start + b"\xdd\xff\xff\xff\xff" + b"\x94\x2d\x20\1\xc0",
        ),
        ("an index with statistics of 2^32 - 1 paths", start + b"\x91\x94\x2d\x20\1\xdf\xff\xff\xff\xff"),
        ("an index with 2^31 totals", start + b"\x90\xdf\x80\0\0\0"),
        (
            "an index with a schema of 2^32 - 1 paths",
            start + b"\x90\x82\xa5count\0\xa6schema\xdf\xff\xff\xff\xff",
        ),
    ):
        index(name, content, cut(content))
    deep = repeat("91", 100_000)
    index(
        "an index nested 100000 deep",
        join(start, deep, "01", totals(0)),
        fault("depth_limit", ARRAY + len(start) + 1023),
    )
    entries = join(start, array_header(80_000), repeat("9400" + "00" + "00" + "c0", 80_000), totals(0))
    index("an index of 80000 blocks of no bytes", entries, None)
    entries = join(start, array_header(80_000), repeat("942d2000c0", 80_000), totals(0))
    index("an index of 80000 blocks in one place", entries, None)
    paths = join(start, "91942d2001", "df00009c40", repeat("a093c0c0c0", 40_000), totals(1))
    data = join(BEFORE, MARK, paths, trailer(AT))
    topic.file(
        "statistics of 40000 paths that are the same", data, numbers(1), {}, {"index": True}, derived=False
    )


def _marks(topic: Abuse) -> None:
    found = fault("invalid_ext", ARRAY)
    topic.attack("5000 marks one after another", join(repeat(MARK, 5_000), "00"), found)
    topic.attack("5000 marks, each before an array", repeat(MARK + b"\x90", 5_000), found)
    trailers = join(BEFORE, repeat(b"\xd7\x5d" + b"\xff" * 8, 10_000))
    topic.file("10000 trailers", trailers, numbers(1), {}, derived=False)
    blocks = join(BEFORE, repeat(MARK + block_array(b"", 0, kind=0), 5_000))
    topic.file("5000 blocks without messages", blocks, numbers(1), {}, derived=False)
