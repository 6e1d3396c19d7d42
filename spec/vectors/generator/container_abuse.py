"""Container files that announce much, or unpack to much: each is read within bounds, or refused."""

from __future__ import annotations

from ..container_codecs import crc32c
from ..expansion import expand, expanded_length
from ..writer import encode_int
from . import container_frames as frames
from .build import Pieces, array, array_header, header32, join, repeat, text_bytes, u64
from .container_bytes import (
    MARK,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    entry,
    fault,
    header,
    numbers,
    options,
    totals,
    trailer,
)

KIND = "container"
BEFORE = File().numbers(1).out
AT, ARRAY = len(BEFORE), len(BEFORE) + 18
# The entry of the first block in an index, and the bytes of the block.
SIZE = AT - len(header())
FIRST = entry(len(header()), SIZE, 1)
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
    """A mark and a block-array of one chunk, whose data may be abbreviated."""
    data = join(data)
    size = expanded_length(data)
    sizes = array(*map(encode_int, (raw, size, crc32c(expand(data)))))
    head = array_header(5) + encode_int(kind) + encode_int(count) + text_bytes(codec) + sizes
    return join(MARK, head, header32(0xC6, size), data)


def zstd_blocks(times: int, size: int) -> Pieces:
    """A zstd frame of blocks that each repeat a byte 00."""
    frame = frames.zstd((1, b"\0", size), (1, b"\0", size))
    head, block = frame[:6], frame[6:10]
    return join(head, repeat(block, times - 1), frame[10:14])


def _unpacking() -> Files:
    topic = Abuse("bombs", "small data that unpacks to much more than raw: the reader stops at raw + 1")
    found = fault("invalid_container", ARRAY)
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
    stored = repeat(b"\0\0\0\xff\xff", 60_000)
    topic.attack("60000 empty blocks of deflate", packed("deflate", 1, stored), found, unpacked=1)
    _many_chunks(topic)
    body = join(array_header(100_000), repeat("90", 100_000))
    content = packed("none", expanded_length(body), body, count=100_000, kind=1)
    rows = join("01", repeat("90", 100_000))
    topic.add(
        "100000 empty arrays", join(BEFORE, content), rows=rows, reads=[], derived=False, unpacked=100_003
    )
    return topic


def _many_chunks(topic: Abuse) -> None:
    """Chunk lists that are large, or whose chunks together unpack to much."""
    found = fault("invalid_container", ARRAY)
    one = b"\3\0"
    empty = join(b"\0\2", encode_int(crc32c(one)))

    def block(numbers: Pieces, count: int, data: Pieces, codec: str = "deflate") -> Pieces:
        head = array_header(5) + b"\0\0" + text_bytes(codec) + array_header(3 * count)
        return join(MARK, head, numbers, header32(0xC6, expanded_length(join(data))), data)

    many = block(repeat(empty, 4096), 4096, repeat(one, 4096))
    topic.file("4096 chunks that unpack to nothing", join(BEFORE, many), numbers(1), {}, derived=False)
    none = block(repeat("000000", 4096), 4096, b"")
    topic.file("4096 chunks of no bytes", join(BEFORE, none), numbers(1), {}, derived=False)
    wrong = block([repeat(empty, 4095), "000200"], 4096, repeat(one, 4096))
    topic.attack("4096 chunks, the last with a wrong crc", wrong, found)
    zeros = join(DEFLATE_ZEROS, repeat("00", 4_000))
    whole = expand(zeros)
    listed = join(encode_int(1000), encode_int(len(whole)), encode_int(crc32c(whole)))
    bombs = block(repeat(listed, 100), 100, repeat(zeros, 100))
    topic.attack(
        "100 chunks of 4 MB of deflate, each said to have 1000 bytes", bombs, found, unpacked=100_000
    )


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
        "a header with 2^32 - 1 paths, 10000 of them there",
        join(start, b"\x82", good[1:], "a57374617473ddffffffff", repeat("a0", 10_000)),
        "length_limit",
        10,
    )
    topic.unopened(
        "a header with 2^31 options", join(start, "df80000000", repeat("a0c0", 10_000)), "length_limit", 10
    )
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
    further = join(MARK, b"\x96", block_array(b"\x91\x01", 1)[1:], deep, "01")
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
            fault("invalid_container", ARRAY),
        )
        topic.attack(
            f"a count of {name} messages",
            packed("none", 1, "90", count=count),
            fault("invalid_container", ARRAY),
        )
    most = 64 << 20
    topic.attack(
        "a chunk of max_block, and no data", packed("deflate", most, ""), fault("invalid_container", ARRAY)
    )
    topic.attack("a chunk of max_block + 1", packed("deflate", most + 1, ""), fault("length_limit", ARRAY))
    head = b"\x95\1\1\xc0"
    sizes = array(encode_int(most), encode_int(most), b"\0")
    cut = join(MARK, head, sizes, header32(0xC6, most), "00")
    topic.attack("data of max_block, one byte of it there", cut, fault("eof", AT + expanded_length(cut)))
    cut = join(MARK, head, "ddffffffff", repeat("00", 100_000))
    topic.attack(
        "a chunk list of 2^32 - 1 numbers, 100000 of them there", cut, fault("invalid_container", ARRAY)
    )
    _indexes(topic)
    _marks(topic)
    return topic


def _hundred(body: bytes) -> Pieces:
    return join(repeat(body[:5], 100)) if len(body) == 500 else body


def _trailer(content: Pieces) -> bytes:
    """The trailer of an index-array that has its mark at ``AT``."""
    return trailer(AT, MARK + expand(join(content)))


def _indexes(topic: Abuse) -> None:
    """Indexes that are not used. What a reading from the front says about them comes after the blocks."""

    def index(name: str, content: Pieces, found: dict | None) -> None:
        data = join(BEFORE, MARK, content, _trailer(content))
        end = {"end": found} if found else {}
        topic.file(name, data, numbers(1), end, derived=False)

    def cut(content: Pieces) -> dict:
        return fault("eof", ARRAY + expanded_length(join(content)) + 15)

    start = b"\x94" + text_bytes("index") + b"\1"
    for name, content in (
        ("an index of 2^32 - 1 blocks", start + b"\xdd\xff\xff\xff\xff"),
        ("an index of 2^32 - 1 blocks, the first of them there", start + b"\xdd\xff\xff\xff\xff" + FIRST),
        (
            "an index with statistics of 2^32 - 1 paths",
            start + b"\x91" + FIRST[:-1] + b"\xdf\xff\xff\xff\xff",
        ),
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
    entries = join(start, array_header(80_000), repeat(entry(len(header()), SIZE, 0), 80_000), totals(0))
    index("an index of 80000 blocks in one place", entries, None)
    paths = join(start, b"\x91" + FIRST[:-1], "df00009c40", repeat("a093c0c0c0", 40_000), totals(1))
    data = join(BEFORE, MARK, paths, _trailer(paths))
    topic.file(
        "statistics of 40000 paths that are the same", data, numbers(1), {}, {"index": True}, derived=False
    )


def _marks(topic: Abuse) -> None:
    found = fault("invalid_container", ARRAY)
    topic.attack("5000 marks one after another", join(repeat(MARK, 5_000), "00"), found)
    topic.attack("5000 marks, each before an array", repeat(MARK + b"\x90", 5_000), found)
    trailers = join(BEFORE, repeat(b"\xc7\x0c\x5d" + b"\xff" * 12, 10_000))
    topic.file("10000 trailers", trailers, numbers(1), {}, derived=False)
    blocks = join(BEFORE, repeat(MARK + block_array(b"", 0, kind=0), 5_000))
    topic.file("5000 blocks without messages", blocks, numbers(1), {}, derived=False)
