"""``container/``: container files, what readings of them return, and the bytes that writers make."""

from __future__ import annotations

from container_codecs import crc32c
from generator import (
    container_abuse,
    container_damage,
    container_described,
    container_index,
    container_predicates,
    container_search,
    container_written,
)
from generator import container_frames as frames
from generator.build import (
    Topic,
    array,
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
from generator.columns import columns
from generator.container_bytes import (
    MARK,
    SYNC,
    File,
    Files,
    blob,
    block_array,
    header,
    index_array,
    numbers,
    options,
    texts,
    totals,
    trailer,
)
from generator.records_bytes import define

KIND = "container"
# 32 times 7 as columns, an example of columns.md.
SEVENS = columns(35, 33, 1, "07 20 01 20 20 06 01 01 00 00 01", "07")


def topics() -> list[Topic]:
    return [
        _files(),
        _bodies(),
        _codecs(),
        *container_damage.topics(),
        *container_search.topics(),
        *container_index.topics(),
        *container_predicates.topics(),
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
    topic.file("a trailer after the header", header() + trailer(0), [])
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
    full = header(
        "none", structures=array(texts("a", "b")), dictionary=blob(b"\1\2"), meta=meta, key=texts("a", "b.c")
    )
    topic.file("a header with every key", File(full).numbers(1).index(), numbers(1))
    unknown = header("none", other=array(b"\1"), **{"": b"\1", "a!": b"\2"})
    topic.file("unknown keys are ignored", File(unknown).numbers(1), numbers(1))
    start = header()[:10] + mapping(
        b"\1", b"\2", b"\xc0", b"\3", text_bytes("sync"), blob(SYNC), blob(b"!"), b"\4"
    )
    topic.file("keys that are not str are ignored", File(start).numbers(1), numbers(1))
    start = header()[:10] + options(codec=text_bytes("none"), sync=blob(SYNC))
    topic.file("sync need not be first", File(start).numbers(1), numbers(1))
    again = (text_bytes("sync"), blob(bytes(16)), text_bytes("sync"), blob(SYNC))
    topic.file(
        "of two entries with one key the last counts",
        File(header()[:10] + mapping(*again)).numbers(1),
        numbers(1),
    )
    topic.file(
        "a codec that no block needs", File(codec="snappy").numbers(1, codec="none").index(), numbers(1)
    )
    zeros = header()[:10] + options(sync=blob(bytes(16)))
    mark = b"\xd8\x5d" + bytes(16)
    content = zeros + mark + block_array(array(b"\1"), 1)
    topic.file("a sync of zeros", content, numbers(1))
    ext = options(sync=blob(SYNC), x=ext_bytes(92, b"\1"), y=ext_bytes(0x72, b"\x40"), meta=mapping())
    topic.file("records and columns are off in the header", File(header()[:10] + ext).numbers(1), numbers(1))


def _wide(topic: Files) -> None:
    entries = {"sync": b"\xc6\0\0\0\x10" + SYNC, "codec": b"\xdb\0\0\0\4none", "key": b"\xdd\0\0\0\1\xd9\1a"}
    start = header()[:10] + b"\xdf\0\0\0\3"
    start += b"".join(b"\xd9" + bytes([len(name)]) + name.encode() + value for name, value in entries.items())
    body = b"\xdd\0\0\0\2" + u64(1) + u32(2)
    head = (
        u64(1) + b"\xd3" + (2).to_bytes(8, "big") + u16(len(body)) + u64(crc32c(body)) + b"\xdb\0\0\0\4none"
    )
    block = b"\xdd\0\0\0\6" + head + b"\xc6" + len(body).to_bytes(4, "big") + body
    file = File(start).add(MARK + block)
    mark, size = len(start), 18 + len(block)
    wide = b"\xdc\0\4" + u64(mark) + b"\xd2" + size.to_bytes(4, "big") + u8(2) + b"\xde\0\0"
    total = b"\xdf\0\0\0\1\xda\0\5count" + u32(2)
    content = b"\xdc\0\4\xd9\5index" + u8(1) + b"\xdd\0\0\0\1" + wide + total
    topic.file("everything in wider formats", file.index(content), numbers(1, 2))
    more = (b"\xc0", fixstr("x"), array(b"\1", mapping()))
    file = File().numbers(1, more=more).numbers(2, more=(b"\1",) * 12)
    longer = [b"\x96" + item[1:] + b"\1\xc0" for item in file.entries]
    total = totals(2, other=b"\1", **{"!": b"\2"})
    content = array(text_bytes("index"), b"\1", array(*longer), total, b"\5", b"\xc0")
    topic.file("further elements are ignored", file.index(content), numbers(1, 2))


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
    topic = Files("bodies", "bodies with records and columns, and blocks with padding")
    a = fields(a=integer(1))
    first = define(64, "a") + b"\1"
    topic.file("records in rows", File().rows(first, b"\x40\2").index(), [a, fields(a=integer(2))])
    file = File().rows(first, b"\x40\2").rows(b"\x40", first).index()
    topic.file(
        "structures are forgotten at the end of a block of rows", file,
        [a, fields(a=integer(2)), integer(64), a],
    )  # fmt: skip
    file = File().messages(first, b"\x40\2", b"\x40\3").messages(b"\x40", first, b"\x40\4")
    rows = [a, fields(a=integer(2)), fields(a=integer(3)), integer(64), a, fields(a=integer(4))]
    topic.file("structures are kept within a block of messages", file.index(), rows)
    shared = {"structures": array(texts("a"), texts("b", "c"), array())}
    file = File(**shared).messages(b"\x40\1", b"\x41\1\2").rows(b"\x42", b"\x41\3\4", b"\x40\5")
    rows = [
        a,
        fields(b=integer(1), c=integer(2)),
        fields(),
        fields(b=integer(3), c=integer(4)),
        fields(a=integer(5)),
    ]
    topic.file("shared structures", file.index(), rows)
    file = (
        File(**shared)
        .messages(b"\x40\1", define(64, "x") + b"\2", b"\x40\3")
        .messages(b"\x40\4", b"\x41\5\6")
    )
    rows = [
        a,
        fields(x=integer(2)),
        fields(x=integer(3)),
        fields(a=integer(4)),
        fields(b=integer(5), c=integer(6)),
    ]
    topic.file("a definition hides a shared structure until the end of the block", file.index(), rows)
    topic.file(
        "the same key twice in a structure",
        File(structures=array(texts("a", "a"))).rows(b"\x40\1\2"),
        [fields(a=integer(2))],
    )
    many = array(*[texts(chr(0x61 + i % 26) * (1 + i // 26)) for i in range(40)])
    topic.file(
        "shared structures with ids of two bytes",
        File(structures=many).rows(b"\x67\0\1").index(),
        [fields(nn=integer(1))],
    )
    _columns(topic)
    _padding(topic)
    return topic


def _columns(topic: Files) -> None:
    sevens = numbers(*[7] * 32)
    topic.file("columns", File().block(SEVENS, 32).index(), sevens)
    topic.file(
        "columns in rows and in messages",
        File().rows(SEVENS, b"\1").messages(SEVENS, b"\2"),
        [items(*sevens), integer(1), items(*sevens), integer(2)],
    )
    file = File().messages(define(64, "a") + SEVENS, b"\x40\1")
    topic.file("columns within a record", file, [fields(a=items(*sevens)), fields(a=integer(1))])
    later = ext_bytes(92, b"\2\1\2")
    topic.file("columns of a later version are kept", File().rows(later), [{"ext": [92, "020102"]}])


def _padding(topic: Files) -> None:
    for size in range(8):
        file = (
            File().numbers(1, 2, kind=3, padding=bytes(size)).messages(b"\3", kind=2, padding=bytes(7 - size))
        )
        topic.file(f"blocks with {size} and {7 - size} bytes of padding", file.index(), numbers(1, 2, 3))
    topic.file(
        "padding and a codec",
        File().numbers(1, kind=3, data=frames.deflate_stored(array(b"\1")), codec="deflate"),
        numbers(1),
    )
    topic.file(
        "padding and further elements",
        File().numbers(1, kind=3, padding=b"\0", more=(b"\5",)).index(),
        numbers(1),
    )


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
    whole = frames.lz4((body[:250], False), (body[250:], False), content=body, flags=0x7C)
    stored = frames.deflate_stored(body[:7], last=False) + frames.deflate_stored(body[7:])
    for name, codec, data in (
        ("deflate", "deflate", frames.DEFLATE),
        ("deflate, stored blocks", "deflate", stored),
        ("zstd", "zstd", frames.ZSTD),
        ("zstd, with a checksum and without the size", "zstd", frames.ZSTD_CHECKED),
        ("zstd, two frames", "zstd", halves),
        ("zstd, frames of raw blocks", "zstd", by_hand),
        ("lz4", "lz4", frames.LZ4),
        ("lz4, stored", "lz4", frames.lz4((body, False), content=body)),
        ("lz4, two blocks, with every checksum and the size", "lz4", whole),
    ):  # fmt: skip
        needs = {"needs": [codec]} if codec in ("zstd", "lz4") else {}
        file = File(codec=codec).block(body, 24, data=data).index()
        topic.file(f"{name}, by the header", file, rows, **needs)
    named = File()
    for codec, data in (("deflate", frames.DEFLATE), ("zstd", frames.ZSTD), ("none", None), (None, None)):
        named.block(body, 24, codec=codec, data=data)
    topic.file("codecs named by blocks", named.index(), rows * 4, needs=["zstd"])
    file = File(codec="zstd", dictionary=blob(frames.DICTIONARY)).block(
        body, 24, data=frames.ZSTD_WITH_DICTIONARY
    )
    topic.file("zstd with a dictionary", file.index(), rows, needs=["zstd"])
    file.block(body, 24, data=frames.DEFLATE, codec="deflate").block(body, 24, codec="none")
    topic.file("a dictionary is for zstd only", file.index(), rows * 3, needs=["zstd"])
    sevens = array(*[b"\7"] * 40)
    repeated = frames.zstd((0, sevens[:3], 3), (1, b"\7", 40))
    topic.file(
        "zstd, a repeated block",
        File(codec="zstd").block(sevens, 40, data=repeated),
        numbers(*[7] * 40),
        needs=["zstd"],
    )
    return topic
