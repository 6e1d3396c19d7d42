"""``hostile/``: small inputs that announce large ones, and large inputs that must stay cheap."""

from __future__ import annotations

from typing import Any

from ..writer import encode_int
from .build import (
    Pieces,
    Topic,
    array_header,
    counter,
    fault,
    header32,
    join,
    map_header,
    product,
    repeat,
    str_header,
)
from .invalid import ILL_FORMED
from .records_bytes import define, define_counted, define_wide

KIND = "hostile"
MILLION = 1_000_000


class Attack(Topic):
    """A topic whose cases all carry its name as their ``class``."""

    def __init__(self, topic: str, description: str) -> None:
        super().__init__(KIND, topic, description)

    def taken(self, name: str, pieces: Pieces, **options: Any) -> None:
        """Reading returns some value."""
        self.add(name, pieces, value_ok=True, options=options)

    def _case(self, case: dict, members: dict) -> None:
        super()._case(case, {"class": self.topic, **members})


def topics() -> list[Topic]:
    return [
        _max_length(), _bombs(), _depth(), _tiny(), _colliding(), _damaged(), _utf8_tails(),
        _records(), _ext(), _nested_ext(), _numbers(), _keys(), _columns(),
    ]  # fmt: skip


def _max_length() -> Topic:
    topic = Attack("max-length", "headers of the largest length, with 0 to 3 bytes after them")
    for name, header in (
        ("array32", "ddffffffff"), ("map32", "dfffffffff"), ("str32", "dbffffffff"), ("bin32", "c6ffffffff"),
        ("ext32", "c9ffffffff05"),
        ("timestamp in ext32", "c9ffffffffff"), ("array16", "dcffff"), ("map16", "deffff"),
        ("str16", "daffff"), ("bin16", "c5ffff"),
        ("ext16", "c8ffff05"), ("array32 of 2^31", "dd80000000"), ("map32 of 2^31", "df80000000"),
        ("map32 of 2^31 - 1", "df7fffffff"),
        ("array32 of 2^29", "dd20000000"), ("str32 of 2^31 - 1", "db7fffffff"),
        ("bin32 of 2^30", "c640000000"), ("array32 of 2^24", "dd01000000"),
    ):  # fmt: skip
        for body in range(4):
            data = header + "00" * body
            topic.refused(f"{name}, {body} bytes of body", data, "eof", len(data) // 2)
    for name, header in (
        ("array32", "ddffffffff"),
        ("map32", "dfffffffff"),
        ("str32", "dbffffffff"),
        ("bin32", "c6ffffffff"),
    ):
        for place, before in (("in an array", "92c0"), ("as value", "81a161"), ("as key", "81")):
            data = before + header
            topic.refused(f"{name} {place}", data + "c0c0", "eof", len(data) // 2 + 2)
    topic.refused("sixteen str32 of 2^32 - 1", "9f" + "dbffffffff" * 15, "eof", 76)
    data = join("dcffff", repeat("dbffffffff", 65535))
    topic.refused("65535 str32 of 2^32 - 1", data, "eof", 3 + 5 * 65535)
    return topic


def _bombs() -> Topic:
    topic = Attack("nested-bombs", "headers within headers, each announcing more elements than can follow")
    for levels in (2, 10, 100, 1000, 1025, 5000):
        for name, header in (
            ("array32 of 2^32 - 1", "ddffffffff"),
            ("map32 of 2^32 - 1", "dfffffffff"),
            ("array32 of 2^24 - 1", "dd00ffffff"),
            ("array16 of 65535", "dcffff"),
        ):
            size = len(header) // 2
            topic.refused(f"{levels} times {name}", join(repeat(header, levels)), "eof", size * levels)
    body = 16_384
    for levels in (2, 14):
        raw = b"".join(header32(0xDD, body >> level) for level in range(levels))
        data = join(raw, repeat("c0", body))
        topic.refused(f"{levels} arrays, each half of the one around it", data, "eof", 5 * levels + body)
    for levels in (100, 1000):
        data = join(repeat("dc0100", levels), repeat("c0", 65536))
        announced = 255 * levels + 1
        if announced > 65536:
            topic.refused(f"{levels} arrays of 256 with 64 KiB after them", data, "eof", 3 * levels + 65536)
        else:
            topic.refused(
                f"{levels} arrays of 256 with 64 KiB after them",
                data,
                "trailing_bytes",
                3 * levels + announced,
            )
    data = join(repeat("dd00100000", 1000), repeat("c0", 1 << 20))
    topic.refused("1000 arrays of 2^20 with 1 MiB after them", data, "eof", 5000 + (1 << 20))
    data = join(repeat("df00080000", 1000), repeat("c0", 1 << 20))
    topic.refused("1000 maps of 2^19 as keys with 1 MiB after them", data, "eof", 5000 + (1 << 20))
    return topic


def _depth() -> Topic:
    topic = Attack("depth", "containers in containers, to a million")
    for levels in (1025, 10_000, 100_000, MILLION):
        for name, header, inner in (
            ("arrays", "91", "c0"),
            ("maps by value", "81c0", "c0"),
            ("array32", "dd00000001", "c0"),
        ):
            size = len(header) // 2
            topic.refused(f"{levels} {name}", join(repeat(header, levels), inner), "depth_limit", 1024 * size)
        topic.refused(
            f"{levels} maps by key", join(repeat("81", levels), repeat("c0", levels + 1)), "depth_limit", 1024
        )
    topic.refused("a million arrays, cut", join(repeat("91", MILLION)), "depth_limit", 1024)
    topic.refused("a million maps, cut", join(repeat("81", MILLION)), "depth_limit", 1024)
    topic.refused(
        "a million arrays after an element", join("92c0", repeat("91", MILLION), "c0"), "depth_limit", 1025
    )
    definition = define(0x40, "a")
    topic.refused(
        "a million records",
        join(definition, repeat("40", MILLION), "c0"),
        "depth_limit",
        len(definition) + 1023,
        records=True,
    )
    topic.refused(
        "100000 definitions within each other",
        join(repeat(definition, 100_000), "c0"),
        "depth_limit",
        1024 * len(definition),
        records=True,
    )
    topic.taken(
        "1024 arrays, 200 times", join(array_header(200), repeat(join(repeat("91", 1023), "c0"), 200))
    )
    return topic


def _tiny() -> Topic:
    topic = Attack("tiny-values", "10 MB of one byte, bare and as the elements of one array")
    ten = 10 * MILLION
    for name, byte in (
        ("empty maps", "80"),
        ("empty arrays", "90"),
        ("empty str", "a0"),
        ("nil", "c0"),
        ("zeros", "00"),
    ):
        topic.refused(f"10 MB of {byte}, {name}", join(repeat(byte, ten)), "trailing_bytes", 1)
        topic.taken(f"array of 10^7 {name}", join(header32(0xDD, ten), repeat(byte, ten)))
    topic.refused("10 MB of 91", join(repeat("91", ten)), "depth_limit", 1024)
    topic.refused("10 MB of 81", join(repeat("81", ten)), "depth_limit", 1024)
    topic.refused("10 MB of c1", join(repeat("c1", ten)), "reserved_marker", 0)
    topic.refused("10 MB of a1", join(repeat("a1", ten)), "invalid_utf8", 1)
    topic.refused("10 MB of ff", join(repeat("ff", ten)), "trailing_bytes", 1)
    topic.refused("10 MB of dd", join(repeat("dd", ten)), "eof", ten)
    topic.refused("10 MB of df", join(repeat("df", ten)), "eof", ten)
    topic.refused("10 MB of db", join(repeat("db", ten)), "eof", ten)
    five = 5 * MILLION
    topic.taken("array of 5 * 10^6 arrays of nil", join(header32(0xDD, five), repeat("91c0", five)))
    topic.taken("array of 5 * 10^6 one-letter str", join(header32(0xDD, five), repeat("a161", five)))
    topic.taken("array of 5 * 10^6 empty bin", join(header32(0xDD, five), repeat("c400", five)))
    topic.taken(
        "array of 3 * 10^6 maps of one entry",
        join(header32(0xDD, 3 * MILLION), repeat("81a0c0", 3 * MILLION)),
    )
    topic.taken(
        "array of 3 * 10^6 empty ext", join(header32(0xDD, 3 * MILLION), repeat("c70005", 3 * MILLION))
    )
    topic.taken("one str of 10 MB", join(header32(0xDB, ten), repeat("78", ten)))
    topic.taken("one bin of 10 MB", join(header32(0xC6, ten), repeat("c1", ten)))
    return topic


def _colliding() -> Topic:
    topic = Attack(
        "colliding-keys",
        "keys that collide in common hash functions; time stays within 5 times that of other keys",
    )
    java = [b"Aa", b"BB"]
    for power in (10, 14):
        keys = product(java, power, str_header(2 * power), b"\xc0")
        topic.taken(f"2^{power} keys of one Java hash", join(map_header(2**power), keys))
        keys = product([b"Aa", b"Ab"], power, str_header(2 * power), b"\xc0")
        topic.taken(f"2^{power} keys of different Java hashes", join(map_header(2**power), keys))
    keys = product([b"AaAa", b"AaBB", b"BBAa", b"BBBB"], 7, str_header(28), b"\xc0")
    topic.taken("4^7 keys of one Java hash", join(map_header(4**7), keys))
    spread = product([bytes([n]) for n in range(64)], 2, b"\xcf\x00", bytes(5) + b"\xc0")
    topic.taken("4096 integers with equal low bits", join(map_header(4096), spread))
    spread = product([bytes([n]) for n in range(64)], 2, b"\xcb\x40", bytes(5) + b"\xc0")
    topic.taken("4096 floats with equal low bits", join(map_header(4096), spread))
    integers = product([bytes([n]) for n in range(128)], 2, b"\x92", b"\xc0")
    topic.taken("16384 keys that are arrays", join(map_header(16384), integers))
    topic.taken(
        "2^14 keys of one Java hash, as keyword ext",
        join(map_header(2**14), product(java, 14, b"\xc7\x1c\x50", b"\xc0")),
    )
    topic.taken(
        "2^14 keys of one Java hash, bin", join(map_header(2**14), product(java, 14, b"\xc4\x1c", b"\xc0"))
    )
    topic.taken(
        "2^14 keys of one Java hash, two maps",
        join("92", repeat(join(map_header(2**14), product(java, 14, str_header(28), b"\xc0")), 2)),
    )
    topic.taken("100000 times the same key", join(header32(0xDF, 100_000), repeat("a16101", 100_000)))
    topic.refused(
        "100000 times the same key, refused",
        join(header32(0xDF, 100_000), repeat("a16101", 100_000)),
        "duplicate_key",
        8,
        duplicate_key="error",
    )
    topic.taken("100000 NaN keys", join(header32(0xDF, 100_000), repeat("cb7ff8000000000000c0", 100_000)))
    return topic


def _damaged() -> Topic:
    topic = Attack(
        "damaged", "one bit turned or the end cut off; samples of what a runner does with every vector"
    )
    message = "83a2696401a46e616d65a5616c696365a47461677392a161cb3ff8000000000000"
    data = bytes.fromhex(message)
    for length in (0, 1, 3, 4, 9, 15, 21, 22, 23, 25, len(data) - 1):
        topic.refused(f"cut to {length} of {len(data)}", data[:length], "eof", length)
    topic.taken("whole", data)
    for place, mask, kind, offset in _turned(data):
        name = f"bit {mask:02x} of byte {place} turned"
        turned = data[:place] + bytes([data[place] ^ mask]) + data[place + 1 :]
        if kind is None:
            topic.taken(name, turned)
        else:
            topic.refused(name, turned, kind, offset)
    return topic


def _turned(data: bytes) -> list[tuple[int, int, str | None, int]]:
    """Bits that change the structure of the message, with the kind (None: a value) and the offset."""
    end = len(data)
    return [
        (0, 0x01, "trailing_bytes", 16),
        (0, 0x04, "eof", end),
        (0, 0x10, "trailing_bytes", 10),
        (0, 0x80, "trailing_bytes", 1),
        (1, 0x01, "eof", end),
        (4, 0x01, None, 0),
        (6, 0x80, "invalid_utf8", 6),
        (10, 0x10, "invalid_utf8", 16),
        (21, 0x02, "trailing_bytes", 22),
        (21, 0x04, "eof", end),
        (24, 0x01, "trailing_bytes", 29),
        (24, 0x0A, "reserved_marker", 24),
    ]


def _utf8_tails() -> Topic:
    topic = Attack("utf8-tails", "one ill-formed sequence at every place of str of many lengths")
    for length in (*range(1, 66), 95, 96, 97, 127, 128, 129, 255, 256, 257):
        header = str_header(length)
        places = range(length) if length in (1, 7, 8, 16, 31, 32, 33, 64, 65) else (length - 1,)
        for place in places:
            raw = bytearray(b"a" * length)
            raw[place] = 0xFF
            topic.refused(
                f"ff at {place} of {length}", header + bytes(raw), "invalid_utf8", len(header) + place
            )
    for name, raw, bad in ILL_FORMED:
        sequence = bytes.fromhex(raw)
        for before in (15, 31, 63, 64, 127):
            text = b"a" * before + sequence
            header = str_header(len(text))
            topic.refused(
                f"{name}, after {before} letters", header + text, "invalid_utf8", len(header) + before + bad
            )
    for letter in ("é", "€", "😀"):
        whole = letter.encode("utf-8")
        for kept in range(1, len(whole)):
            for before in range(0, 65, 1 if kept == len(whole) - 1 and letter != "é" else 8):
                text = b"a" * before + whole[:kept]
                header = str_header(len(text))
                topic.refused(
                    f"{kept} bytes of {letter} after {before} letters",
                    header + text,
                    "invalid_utf8",
                    len(header) + before,
                )
    big = 10 * MILLION
    topic.refused(
        "last of 10 MB", join(header32(0xDB, big), repeat("61", big - 1), "ff"), "invalid_utf8", 5 + big - 1
    )
    topic.refused(
        "last of 10 MB of two-byte letters",
        join(header32(0xDB, big + 1), repeat("c3a9", big // 2), "c3"),
        "invalid_utf8",
        5 + big,
    )
    return topic


def _records() -> Topic:
    topic = Attack("record-abuse", "records that cost more than their bytes, if a reader lets them")
    on: dict = {"records": True}
    key = join(header32(0xDB, MILLION), repeat("6b", MILLION))
    for count in (1000, 100_000):
        data = join(header32(0xDD, count), "d4724091", key, "c0", repeat("40c0", count - 1))
        topic.taken(f"a key of 1 MB in {count} records", data, **on)
    keys = counter(1024, 4, "a4", "")
    data = join(
        header32(0xDD, 2000),
        "d47240",
        array_header(1024),
        keys,
        repeat("c0", 1024),
        repeat(join("40", repeat("c0", 1024)), 1999),
    )
    topic.taken("1024 keys in 2000 records", data, **on)
    high = [
        product([bytes([place, hi]) for hi in range(255)], 1, b"\xd5\x72", b"\x91\xa1a\xc0")
        for place in range(0x60, 0x80)
    ]
    ones = product([bytes([0x40 + place]) for place in range(32)], 1, b"\xd4\x72", b"\x91\xa1a\xc0")
    topic.taken("8192 structures", join(header32(0xDD, 8192), ones, *high), **on)
    topic.refused("the index after the last", "d57260ff91a161c0", "record_malformed", 0, **on)
    topic.refused("the highest id", "d5727fff91a161c0", "record_malformed", 0, **on)
    topic.refused("1025 keys", define_counted(1025), "length_limit", 3, **on)
    topic.refused("2^32 - 1 keys", "d47240ddffffffffa0a0", "length_limit", 3, **on)
    topic.refused("a key of 2^32 - 1 bytes", "d4724091dbffffffffa0a0", "eof", 11, **on)
    topic.refused("1024 keys that do not come", "d47240dc0400a0a0", "eof", 8, **on)
    data = join(header32(0xDD, 100_000), repeat(define(0x40, "a") + b"\xc0", 100_000))
    topic.taken("100000 redefinitions of one id", data, **on)
    definition = define_counted(1024)
    topic.taken("200 redefinitions of 1024 keys", join(header32(0xDD, 200), repeat(definition, 200)), **on)
    topic.taken(
        "10^6 records without keys",
        join(header32(0xDD, MILLION), "d4724090", repeat("40", MILLION - 1)),
        **on,
    )
    topic.refused(
        "10^6 lone ids without values",
        join("d4724091a161", repeat("40", MILLION)),
        "depth_limit",
        6 + 1023,
        **on,
    )
    pairs = join(repeat("d4724092a161a162", 100), repeat("c0", 101))
    topic.taken("100 definitions within each other", pairs, **on)
    data = define_counted(1024, "40")
    topic.refused("ids as values of themselves, without bytes", data, "eof", 6 + 5 * 1024 + 1024, **on)
    topic.refused(
        "undefined two-byte id in a loop",
        join("dc0100", define_wide(32, "a"), "c0", repeat("6001", 255)),
        "record_undefined",
        11,
        **on,
    )
    topic.taken("10^6 undefined one-byte ids", join(header32(0xDD, MILLION), repeat("7f", MILLION)), **on)
    topic.refused("a two-byte id at the end", b"\x92" + define_wide(32, "a") + b"\xc0\x60", "eof", 10, **on)
    same = join("d47240", array_header(1024), repeat("a161", 1024), repeat("c0", 1024))
    topic.taken("one key 1024 times", same, **on)
    return topic


def _ext() -> Topic:
    topic = Attack("ext-abuse", "ext values that are large, many, or not what their type says")
    for name, header in (("ext8", "c7ff"), ("ext16", "c8ffff"), ("ext32", "c9ffffffff")):
        for code in ("ff", "05", "42", "50", "72", "74", "80"):
            data = header + code + "0000"
            topic.refused(f"{name} of type {code}, cut", data, "eof", len(data) // 2)
    for length in ("00", "03", "05", "ff"):
        size = int(length, 16)
        topic.refused(
            f"timestamp of {size} bytes", join(f"c7{length}ff", repeat("00", size)), "invalid_timestamp", 0
        )
    topic.refused("timestamp of 1 MB", join("c9000f4240ff", repeat("ff", MILLION)), "invalid_timestamp", 0)
    topic.taken("bigint of 1 MB", join("c9000f424042", repeat("7f", MILLION)), bigint=True)
    topic.taken("array of 10^6 ext of one byte", join(header32(0xDD, MILLION), repeat("d40500", MILLION)))
    topic.taken("array of 10^6 timestamps", join(header32(0xDD, MILLION), repeat("d6ffffffffff", MILLION)))
    topic.taken(
        "array of 10^6 bigints of one byte",
        join(header32(0xDD, MILLION), repeat("d44205", MILLION)),
        bigint=True,
    )
    topic.taken("ext of 10 MB", join("c90098968005", repeat("c1", 10 * MILLION)))
    topic.refused(
        "keyword of 1 MB, not utf-8 at its end",
        join("c9000f424050", repeat("61", MILLION - 1), "ff"),
        "invalid_ext",
        0,
        ext_types=[80],
    )
    topic.refused(
        "ratio whose numerator announces 2^32 - 1 bytes",
        "c70653c6ffffffff01",
        "invalid_ext",
        0,
        ext_types=[83],
    )
    half = join("c9000f424274", "08", repeat("00", MILLION + 1))
    topic.refused("typed array of half an element", half, "invalid_ext", 0, ext_types=[0x74])
    topic.taken(
        "every type below -1",
        join(array_header(127), product([bytes([code]) for code in range(0x80, 0xFF)], 1, b"\xd4", b"\x00")),
    )
    return topic


def _around(levels: int, code: int, before: bytes, inner_size: int) -> bytes:
    """Headers and first values of ext within ext, around a value of ``inner_size`` bytes."""
    sizes = [inner_size + len(before)]
    for _ in range(levels - 1):
        sizes.append(sizes[-1] + 6 + len(before))
    return b"".join(header32(0xC9, size) + bytes([code]) + before for size in reversed(sizes))


def _nested_ext() -> Topic:
    topic = Attack("nested-ext", "ext values in the payloads of ext values: they count as containers")
    for code, before, deepest in ((94, b"\xa1n", 1024), (86, b"\x91", 512)):
        types = {"ext_types": [code]}
        for levels in (deepest, deepest + 1, 1500):
            data = join(_around(levels, code, before, 1), "c0")
            if levels == deepest:
                topic.taken(f"{levels} of type {code}", data, **types)
                topic.taken(f"{levels} of type {code}, kept", data)
            else:
                topic.refused(f"{levels} of type {code}", data, "invalid_ext", 0, **types)
        # Each level has 256 bytes, so the lengths count down in their second and third byte.
        filler = b"\x92\xc4\xf7" + bytes(247) if code == 86 else str_header(248) + b"n" * 248
        letters = [bytes([letter]) for letter in reversed(range(256))]
        levels = product(letters, 2, b"\xc9\0", bytes([0xFB, code]) + filler)
        topic.refused(f"65536 of type {code}", join(levels, "c0"), "invalid_ext", 0, **types)
        ten = 10 * MILLION
        data = join(_around(500, code, before, 5 + ten), header32(0xDB, ten), repeat("78", ten))
        topic.taken(f"500 of type {code} around a str of 10 MB", data, **types)
    data = join(_around(2000, 94, b"\xc0", 1), "c0")
    topic.refused("2000 of type 94 without a name", data, "invalid_ext", 0, ext_types=[94])
    data = join(_around(2000, 83, b"", 2), "0103")
    topic.refused("2000 ratios as numerators", data, "invalid_ext", 0, ext_types=[83])
    return topic


def _numbers() -> Topic:
    topic = Attack("large-numbers", "decimals and ratios whose reading is not linear in their length")
    for name, code in (("ratio", 83), ("decimal", 84)):
        types = {"ext_types": [code]}
        for size in (200_000, MILLION):
            data = join(header32(0xC9, size), f"{code:02x}", repeat("01", size))
            topic.refused(f"{name} of {size} bytes", data, "length_limit", 0, **types)
        data = join(header32(0xC9, MILLION), f"{code:02x}", "00")
        topic.refused(f"{name} of a million bytes, cut", data, "length_limit", 0, **types)
    decimal = join(header32(0xC9, 65_536), "54", repeat("01", 65_536))
    part = join(header32(0xC9, 65_529), "42", repeat("01", 65_529))
    for name, code, number in (
        ("decimals", 84, decimal), ("ratios", 83, join(header32(0xC9, 65_536), "53", part, "03")),
    ):  # fmt: skip
        data = join(array_header(15), repeat(number, 15))
        topic.taken(f"15 {name} of 65536 bytes", data, ext_types=[code])
    half = join(header32(0xC9, 32_762), "42", repeat("01", 32_762))
    ratio = join(header32(0xC9, 65_536), "53", half, half)
    topic.taken("a ratio of two equal bigints, 65536 bytes", ratio, ext_types=[83])
    return topic


def _keys() -> Topic:
    topic = Attack("key-cache", "keys by the million, none of them twice: a cache of keys stays small")
    topic.taken("10^6 maps of one key each", join(header32(0xDD, MILLION), counter(MILLION, 7, "81a7", "c0")))
    topic.taken("one map of 10^6 keys", join(header32(0xDF, MILLION), counter(MILLION, 7, "a7", "c0")))
    topic.taken(
        "10^7 maps of one key each",
        join(header32(0xDD, 10 * MILLION), counter(10 * MILLION, 8, "81a8", "c0")),
    )
    topic.taken(
        "10^6 definitions of one key each",
        join(header32(0xDD, MILLION), counter(MILLION, 7, "d4724091a7", "c0")),
        records=True,
    )
    topic.taken("10^6 str values", join(header32(0xDD, MILLION), counter(MILLION, 7, "a7", "")))
    topic.taken("10^5 long keys", join(header32(0xDD, 100_000), counter(100_000, 100, "81d964", "c0")))
    return topic


# What columns may stand for, and the memory that a reader may take for each byte of theirs.
EXPANSION = 16
COLUMNS_FACTOR = 128 * (1 + EXPANSION)


class ColumnsAttack(Attack):
    """A topic of columns, with the memory that they may take."""

    def within(self, name: str, pieces: Pieces) -> None:
        """Reading returns some value."""
        self.add(name, pieces, value_ok=True, factor=COLUMNS_FACTOR, options={"columns": True})

    def beyond(self, name: str, pieces: Pieces) -> None:
        """The budget is exceeded."""
        error = fault("invalid_ext", 0)
        self.add(name, pieces, error=error, factor=COLUMNS_FACTOR, options={"columns": True})


def _payload(plain: int, values: int, directory: bytes, filler: int) -> Pieces:
    """An array of a bin, which pays for the expansion, and of an array that ``directory`` describes."""
    # A UNION of 2 branches with 1 value each, whose tags are 0 and 1.
    whole = b"\x07\x02\x01\x20\x02\x0a\x02\x01\x01\x01\x30\x01\x00"
    whole += b"\x15" + encode_int(filler) + b"\x01\x20" + encode_int(filler) + directory
    head = b"\1" + b"".join(map(encode_int, (plain, values, 9, len(whole)))) + whole
    return join(b"\xc9" + (len(head) + filler).to_bytes(4, "big") + b"\x5c" + head, repeat("61", filler))


def _list(size: int, child: bytes) -> bytes:
    """LIST of one array."""
    return b"\x07" + encode_int(size) + b"\x01\x20" + encode_int(size) + child


def _columns() -> Topic:
    topic = ColumnsAttack(
        "columns-abuse", "columns that stand for as many values as their size allows, or for more"
    )
    # Larger than what the reference reads in good time.
    filler = 520_000
    plain = EXPANSION * filler
    five = b"\x01\x20\x05"
    none = b"\x01\x00"
    # What a row is, the entries of its column, the size of a row as plain MessagePack, and its values.
    leaves = (
        ("integers", five, 1, 1),
        ("decimals", b"\x03\x00" + five, 9, 1),
        ("timestamps", b"\x04\x00" + five, 5, 1),
        ("strs without characters", b"\x05\x00" + none, 1, 1),
        ("bins without bytes", b"\x15\x00" + none, 2, 1),
        ("exts without bytes", b"\x25\x05\x00" + none, 2, 1),
    )
    for name, column, size, values in (
        *leaves,
        ("arrays without elements", b"\x07\x00" + none + none, 1, 1),
        ("maps without entries", b"\x08\x00\x01", 1, 1),
        ("maps without entries and without columns", b"\x09\x00" + none + none + none, 1, 1),
        ("maps of one entry", b"\x08\x01\xa0\x01" + five, 3, 3),
    ):
        count = (plain - filler - 4) // size
        directory = _list(count, column)
        topic.within(
            f"{count} {name}", _payload(4 + filler + count * size, 3 + count * values, directory, filler)
        )
    count = (plain - filler - 4) // 5
    nested = five
    for _ in range(4):
        nested = b"\x07" + encode_int(count) + b"\x01\x20\x01" + nested
    topic.within(
        f"{count} arrays in arrays in arrays",
        _payload(4 + filler + count * 5, 3 + count * 5, _list(count, nested), filler),
    )
    count = (plain - filler - 4) // 3
    pairs = b"\x07" + encode_int(2 * count) + b"\x01\x20\x02" + five
    topic.within(
        f"{count} pairs", _payload(4 + filler + count * 3, 3 + count * 3, _list(count, pairs), filler)
    )
    for name, column, size, _ in leaves:
        # The indexes are 0, 1, 2 … : steps of 1.
        steps = b"\x01\x30\x01\x00"
        count = (plain - filler - 4) // size
        entries = b"\x06" + encode_int(count) + steps + column
        topic.within(
            f"a dictionary of {count} {name}",
            _payload(4 + filler + count * size, 3 + count, _list(count, entries), filler),
        )
        # As many entries as the counts have room for, of which the rows cannot use all.
        count = (8 * plain) // 5
        entries = b"\x06" + encode_int(count) + steps + column
        topic.beyond(
            f"a dictionary of {count} {name}, more than the budget",
            _payload(plain, 3 + count, _list(count, entries), filler),
        )
    return topic
