"""``container/``: container files, what readings of them return, and the bytes that writers make."""

from __future__ import annotations

from ..container_codecs import crc32c
from . import (
    container_abuse,
    container_damage,
    container_described,
    container_headers,
    container_index,
    container_predicates,
    container_search,
    container_selected,
    container_written,
)
from . import container_frames as frames
from .build import (
    Topic,
    array,
    ext,
    ext_bytes,
    fields,
    fixstr,
    integer,
    items,
    mapping,
    text,
    text_bytes,
    u8,
    u16,
    u32,
    u64,
)
from .columns import columns
from .container_bytes import (
    MARK,
    NIL,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    cut,
    header,
    header_of,
    index_array,
    numbers,
    options,
    texts,
    totals,
    trailer,
)
from .records_bytes import define

KIND = "container"
# 32 times 7 as columns, an example of columns.md.
SEVENS = columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 01", "07")


def topics() -> list[Topic]:
    return [
        _files(),
        _bodies(),
        _codecs(),
        *container_damage.topics(),
        *container_headers.topics(),
        *container_search.topics(),
        *container_index.topics(),
        *container_predicates.topics(),
        *container_selected.topics(),
        *container_written.topics(),
        *container_abuse.topics(),
        *container_described.topics(),
    ]


def _files() -> Topic:
    topic = Files("files", "whole files: headers, blocks, indexes and trailers, in all formats")
    one = File().numbers(1, 2, 3)
    topic.file("the example of the specification", one.index(), numbers(1, 2, 3))
    topic.file("a header alone", header(), [])
    topic.file("a header without codec", File(codec=None).numbers(5), numbers(5))
    topic.file("an index without blocks", File().index(), [])
    topic.file("without index", File().numbers(1, 2).numbers(3), numbers(1, 2, 3))
    three = File().numbers(1, 2).numbers(3).numbers(4, 5, 6)
    topic.file("three blocks and an index", three.index(), numbers(*range(1, 7)), splits=[1, 2, 3, 5, 50])
    topic.file(
        "an index without trailer", File().numbers(1).add(MARK + index_array([], totals(0))), numbers(1)
    )
    topic.file("a trailer after the header", header() + trailer(0, header()), [])
    topic.file(
        "two trailers", File().numbers(1).add(trailer(7) + trailer(2**64 - 1)), numbers(1), derived=False
    )
    topic.file(
        "messages", File().messages(b"\1", fixstr("two"), b"\xc0").index(), [integer(1), text("two"), None]
    )
    mixed = File().numbers(1).messages(b"\2", b"\3").numbers(4).messages(b"\5")
    topic.file("rows and messages", mixed.index(), numbers(1, 2, 3, 4, 5), splits=[2, 4])
    empty = File().rows().messages().numbers(1).rows()
    topic.file("blocks without rows", empty.index(), numbers(1))
    _headers(topic)
    _wide(topic)
    _appended(topic)
    return topic


def _headers(topic: Files) -> None:
    meta = mapping(text_bytes("a"), b"\1", b"\2", array(b"\xc0"))
    full = header("none", meta=meta, stats=texts("a", "b.c"))
    topic.file("a header with every key", File(full).numbers(1).index(), numbers(1))
    unknown = header("none", key=texts("a"), structures=b"\1", dictionary=NIL, **{"": b"\1", "a!": b"\2"})
    topic.file("unknown keys are ignored", File(unknown).numbers(1), numbers(1))
    start = header_of(
        mapping(b"\1", b"\2", b"\xc0", b"\3", text_bytes("sync"), blob(SYNC), blob(b"!"), b"\4")
    )
    topic.file("keys that are not str are ignored", File(start).numbers(1), numbers(1))
    start = header_of(options(codec=text_bytes("none"), sync=blob(SYNC)))
    topic.file("sync need not be first", File(start).numbers(1), numbers(1))
    again = (text_bytes("sync"), blob(bytes(16)), text_bytes("sync"), blob(SYNC))
    topic.file(
        "of two entries with one key the last counts", File(header_of(mapping(*again))).numbers(1), numbers(1)
    )
    topic.file(
        "a codec that no block needs", File(codec="snappy").numbers(1, codec="none").index(), numbers(1)
    )
    zeros = header_of(options(sync=blob(bytes(16))))
    mark = b"\xd8\x5d" + bytes(16)
    content = zeros + mark + block_array(array(b"\1"), 1)
    topic.file("a sync of zeros", content, numbers(1))
    ext = options(sync=blob(SYNC), x=ext_bytes(92, b"\1"), y=ext_bytes(0x72, b"\x40"), meta=mapping())
    topic.file("records and columns are off in the header", File(header_of(ext)).numbers(1), numbers(1))


def _wide(topic: Files) -> None:
    entries = {
        "sync": b"\xc6\0\0\0\x10" + SYNC,
        "codec": b"\xdb\0\0\0\4none",
        "stats": b"\xdd\0\0\0\1\xd9\1a",
    }
    content = b"\xdf\0\0\0\3"
    content += b"".join(
        b"\xd9" + bytes([len(name)]) + name.encode() + value for name, value in entries.items()
    )
    start = header()[:10] + content
    start += u64(crc32c(start))
    body = b"\xdd\0\0\0\2" + u64(1) + u32(2)
    sizes = b"\xdd\0\0\0\3" + u16(len(body)) + b"\xd3" + len(body).to_bytes(8, "big") + u64(crc32c(body))
    head = u64(1) + b"\xd3" + (2).to_bytes(8, "big") + b"\xdb\0\0\0\4none" + sizes
    block = b"\xdd\0\0\0\5" + head + b"\xc6" + len(body).to_bytes(4, "big") + body
    file = File(start).add(MARK + block)
    mark, size = len(start), 18 + len(block)
    wide = b"\xdc\0\4" + u64(mark) + b"\xd2" + size.to_bytes(4, "big") + u8(2) + b"\xde\0\0"
    total = b"\xdf\0\0\0\1\xda\0\5count" + u32(2)
    content = b"\xdc\0\4\xd9\5index" + u8(1) + b"\xdd\0\0\0\1" + wide + total
    topic.file("everything in wider formats", file.index(content), numbers(1, 2))
    more = (b"\xc0", fixstr("x"), array(b"\1", mapping()))
    row = mapping(text_bytes("a"), b"\1")
    stats = mapping(text_bytes("a"), array(b"\0", b"\1", b"\1", b"\xc0", b"\5"))
    file = File().rows(row, more=more, stats=stats).numbers(2, more=(b"\1",) * 12)
    longer = [b"\x96" + item[1:] + b"\1\xc0" for item in file.entries]
    schema = mapping(text_bytes("a"), array(texts("int"), b"\xc3", b"\5"))
    total = totals(2, schema=schema, other=b"\1", **{"!": b"\2"})
    content = array(text_bytes("index"), b"\1", array(*longer), total, b"\5", b"\xc0")
    rows = [fields(a=integer(1)), integer(2)]
    topic.file("every array has further elements, which are ignored", file.index(content), rows)


def _appended(topic: Files) -> None:
    file = File().numbers(1, 2).index().numbers(3).messages(b"\4")
    topic.file("appended without an index of its own", file.out, numbers(1, 2, 3, 4), splits=[1, 3])
    topic.file("appended with an index", file.index().out, numbers(1, 2, 3, 4), splits=[1, 3])
    file.numbers(5).index().index()
    topic.file("three indexes", file.out, numbers(1, 2, 3, 4, 5), splits=[2])
    file = File().numbers(1)
    first = file.entries[0]
    file.index().numbers(2).index(index_array([first], totals(1)))
    topic.file(
        "the last index counts, also if it lists fewer blocks",
        file,
        numbers(1, 2),
        {},
        {"index": True, "take": [0]},
        derived=False,
    )


def _bodies() -> Topic:
    topic = Files("bodies", "bodies with columns, with exts of records, and bodies in several chunks")
    definition = define(64, "a")
    rows = [ext(0x72, b"\x40"), items(text("a")), integer(64), integer(1)]
    content = definition + b"\x40\1"
    topic.file("records are off in rows", File().block(b"\x94" + content, 4).index(), rows)
    topic.file("records are off in messages", File().block(content, 4, kind=0).index(), rows)
    sevens = numbers(*[7] * 32)
    topic.file("columns", File().block(SEVENS, 32).index(), sevens)
    topic.file(
        "columns in rows and in messages",
        File().rows(SEVENS, b"\1").messages(SEVENS, b"\2"),
        [items(*sevens), integer(1), items(*sevens), integer(2)],
    )
    later = ext_bytes(92, b"\2\1\2")
    topic.file("columns of a later version are kept", File().rows(later), [{"ext": [92, "020102"]}])
    _chunks(topic)
    return topic


def _chunks(topic: Files) -> None:
    body = array(b"\1", b"\2", b"\3")
    rows = numbers(1, 2, 3)

    def chunks(name: str, *parts: tuple[int, bytes], codec: str | None = None, **more: object) -> None:
        file = File().block(body, 3, chunks=list(parts), codec=codec).numbers(4)
        topic.file(f"chunks: {name}", file.index(), [*rows, integer(4)], **more)

    chunks("two", *cut(body, 2))
    chunks("one for each byte", *cut(body, 1, 2, 3))
    chunks("one without bytes first", (0, b""), *cut(body))
    chunks("one without bytes between others", *cut(body, 2, 2))
    chunks("one without bytes last", *cut(body, 4))
    packed = frames.deflate_stored
    one, two = body[:2], body[2:]
    chunks("two streams of deflate", (2, packed(one)), (2, packed(two)), codec="deflate")
    chunks("a stored one, then deflate", (2, one), (2, packed(two)), codec="deflate")
    chunks("deflate, then a stored one", (2, packed(one)), (2, two), codec="deflate")
    chunks("a stored one, by an unpacked size that is the packed one", (4, body), codec="deflate")
    stream = packed(b"\1\2\3")
    file = File(codec="deflate").block(stream, 8, kind=0)
    topic.file("chunks: equal sizes are stored, whatever is in data", file, numbers(1, 3, 0, -4, -1, 1, 2, 3))
    chunks("deflate of no bytes", (4, packed(body)), (0, b"\3\0"), codec="deflate")
    frame = frames.stored
    chunks("two of zstd", (2, frame(one)), (2, frame(two)), codec="zstd", needs=["zstd"])
    three = (1, frame(body[:1])), (1, body[1:2]), (2, frame(two))
    chunks("a stored one between two of zstd", *three, codec="zstd", needs=["zstd"])
    many = [(1, bytes([byte])) for byte in body] + [(0, b"")] * 20
    chunks("more than fifteen numbers", *many)
    file = File().block(b"\1\2", 2, kind=0, chunks=cut(b"\1\2", 1))
    topic.file("messages in two chunks", file.index(), numbers(1, 2))
    none = File().block(b"", 0, kind=0, chunks=[(0, b"")]).messages().numbers(1)
    topic.file("messages without bytes, with and without a chunk", none.index(), numbers(1))


def _codecs() -> Topic:
    topic = Files("codecs", "blocks of each codec, as compressors make them and built by hand")
    rows = [
        fields(id=integer(1000 + 7 * i), town=text(frames.TOWNS[i * i % 4]), ok=i % 3 > 0) for i in range(24)
    ]
    body = frames.BODY
    halves = frames.ZSTD_FIRST + frames.ZSTD_SECOND
    by_hand = frames.stored(body[:100]) + frames.zstd(
        (0, body[100:], len(body) - 100), announced=407, checked=True
    )
    stored = frames.deflate_stored(body[:7], last=False) + frames.deflate_stored(body[7:])
    around = frames.skippable(b"abc") + halves + frames.skippable(b"")
    for name, codec, data in (
        ("deflate", "deflate", frames.DEFLATE),
        ("deflate, stored blocks", "deflate", stored),
        ("zstd", "zstd", frames.ZSTD),
        ("zstd, with a checksum and without the size", "zstd", frames.ZSTD_CHECKED),
        ("zstd, two frames", "zstd", halves),
        ("zstd, frames of raw blocks", "zstd", by_hand),
        ("zstd, frames that stand for no bytes around others", "zstd", around),
        ("stored, with codec deflate", "deflate", body),
        ("stored, with codec zstd", "zstd", body),
    ):  # fmt: skip
        needs = {"needs": [codec]} if codec == "zstd" else {}
        file = File(codec=codec).block(body, 24, data=data).index()
        topic.file(f"{name}, by the header", file, rows, **needs)
    named = File()
    for codec, data in (("deflate", frames.DEFLATE), ("zstd", frames.ZSTD), ("none", None), (None, None)):
        named.block(body, 24, codec=codec, data=data)
    topic.file("codecs named by blocks", named.index(), rows * 4, needs=["zstd"])
    sevens = array(*[b"\7"] * 40)
    repeated = frames.zstd((0, sevens[:3], 3), (1, b"\7", 40))
    topic.file(
        "zstd, a repeated block",
        File(codec="zstd").block(sevens, 40, data=repeated),
        numbers(*[7] * 40),
        needs=["zstd"],
    )
    return topic
