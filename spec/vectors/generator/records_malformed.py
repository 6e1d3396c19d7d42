"""``records/``: definitions and ids that are refused, in the order of the checks."""

from __future__ import annotations

from .build import Topic, array_header, join
from .records_bytes import define, define_counted, define_wide

KIND = "records"


def topics() -> list[Topic]:
    return [_malformed(), _order()]


def _malformed() -> Topic:
    topic = Topic(KIND, "malformed", "malformed definitions, and ids without a definition")
    for name, data in (
        ("ext8 of one byte", "c7017240"), ("ext8, empty", "c70072"), ("ext8, cut payload", "c70572"),
        ("ext16", "c800017240"),
        ("ext32 of 2^32 - 1", "c9ffffffff72"), ("fixext4", "d67240000000"), ("fixext4, cut", "d672"),
        ("fixext8", "d7724000000000000000"),
        ("fixext16, cut", "d87240"), ("id 3f", "d4723f90"), ("id 00", "d4720090"), ("id 80", "d4728090"),
        ("id ff", "d472ff90"),
        ("two-byte id 40", "d572400090"), ("two-byte id 5f", "d5725f0090"), ("two-byte id 80", "d572800090"),
        ("two-byte id 00", "d572000190"),
        ("two-byte id, hi ff", "d57260ff90"), ("two-byte id 7f ff", "d5727fff90"),
        ("keys nil", "d47240c0"), ("keys an integer", "d4724001"), ("keys a map", "d4724080"),
        ("keys a str", "d47240a161"),
        ("keys reserved", "d47240c1"), ("keys a record id", "d4724040"),
        ("keys a definition", "d47240d4724190"), ("keys a bin", "d47240c400"),
        ("key an integer", "d472409101c0"), ("key nil", "d4724091c0c0"), ("key a bin", "d4724091c40161c0"),
        ("key an array", "d472409190c0"),
        ("key reserved", "d4724091c1c0"), ("key a record id", "d472409140c0"),
        ("second key an integer", "d4724092a16101c0c0"),
        ("key a definition", "d4724091d4724190c0"), ("key a map", "d472409180c0"),
        ("key true", "d4724091c3c0"), ("key a float", "d4724091cb3ff8000000000000"),
    ):  # fmt: skip
        topic.refused(f"malformed, {name}", data, "record_malformed", 0)
        topic.refused(f"malformed in an array, {name}", "91" + data, "record_malformed", 1)
    a = define(0x40, "a")
    topic.refused("malformed within a record", a + bytes.fromhex("d47241c0"), "record_malformed", len(a))
    topic.refused(
        "malformed as second of two",
        b"\x92" + a + b"\1" + bytes.fromhex("d4723f90"),
        "record_malformed",
        len(a) + 2,
    )
    for name, data in (
        ("marker", "d4"), ("type", "d472"), ("marker of two bytes", "d5"), ("low byte missing", "d572"),
        ("high byte missing", "d57260"),
        ("bad low byte, high byte missing", "d57240"), ("no keys", "d47240"),
        ("no keys, two bytes", "d5726000"), ("array16 header", "d47240dc00"),
        ("array32 header", "d47240dd000000"), ("no key", "d4724091"), ("second key missing", "d4724092a161"),
        ("key cut", "d4724091a261"),
        ("key header cut", "d4724091d9"), ("key str16 header cut", "d4724091da00"),
        ("no values", "d4724091a161"),
        ("second value missing", "d4724092a161a16201"), ("value cut", "d4724091a161cd01"),
        ("too many keys announced", "d4724095a161"),
        ("values exceed what is left", "d4724093a161a162a1630102"), ("1024 keys announced", "d47240dc0400"),
        ("keys exceed what the array around needs", "93d4724092a161a162"),
        ("record within a record cut", "d4724092a161a16240 0102".replace(" ", "")),
        ("ext8 without its type", "c701"), ("ext16 without its type", "c80001"),
    ):  # fmt: skip
        topic.refused(f"cut, {name}", data, "eof", len(data) // 2)
    ab = define(0x40, "a", "b")
    topic.refused("cut, lone id at the end", b"\x92" + ab + b"\1\2\x40", "eof", len(ab) + 4)
    topic.refused("cut, second record", b"\x92" + ab + b"\1\2\x40\1", "eof", len(ab) + 5)
    for name, data in (("in the key", "d4724091a1ff01"), ("in a long key", "d4724091d901ff01")):
        topic.refused(f"bad utf-8 {name}", data, "invalid_utf8", len(data) // 2 - 2)
    topic.refused("bad utf-8 in the second key", "d4724092a161a2c3280102", "invalid_utf8", 7)
    topic.refused("c1 as value", a + b"\xc1", "reserved_marker", len(a))
    topic.refused("trailing after a record", a + b"\1\x40\1", "trailing_bytes", len(a) + 1)
    big = (1025, 65535, 65536, 2**32 - 1)
    for count in big:
        topic.refused(
            f"{count} keys announced", join("d47240", array_header(count), "a0" * 8), "length_limit", 3
        )
    topic.refused("1025 keys", define_counted(1025), "length_limit", 3)
    topic.refused("1025 keys after a two-byte id", "d5726001dc0401", "length_limit", 4)
    topic.refused("two-byte id cut", b"\x92" + define_wide(64, "a") + b"\1\x60", "eof", 10)
    for hi in ("00", "02", "fe", "ff"):
        data = b"\x92" + define_wide(64, "a") + b"\1" + bytes.fromhex("60" + hi) + b"\1"
        topic.refused(f"two-byte id 60 {hi} is not defined", data, "record_undefined", 9)
    after = b"\x92" + define_wide(64, "a") + b"\1" + b"\x61\x00"
    topic.refused("another low byte is an integer, then bytes follow", after, "trailing_bytes", 10)
    strict = {"undefined_record": "error"}
    for data, offset in (
        ("40", 0),
        ("7f", 0),
        ("9140", 1),
        ("92d4724091a1610141", 8),
        ("81a16160", 3),
        ("814001", 1),
    ):
        topic.refused(f"undefined_record error, {data}", data, "record_undefined", offset, **strict)
    return topic


def _order() -> Topic:
    topic = Topic(KIND, "order-of-checks", "limits on records, and which of two faults comes first")
    a = define(0x40, "a").hex()
    ab = define(0x40, "a", "b").hex()
    for name, data, options, kind, offset in (
        ("depth", "91" + a + "01", {"max_depth": 1}, "depth_limit", 1),
        ("depth 0", a + "01", {"max_depth": 0}, "depth_limit", 0),
        ("depth of the second record", "92" + a + "0191" + "4001", {"max_depth": 2}, "depth_limit", 9),
        ("depth of a record in a record", a + "4001", {"max_depth": 1}, "depth_limit", 6),
        ("max_map_len", ab + "0102", {"max_map_len": 1}, "length_limit", 0),
        ("max_map_len of the second", "92" + a + "01" + define(0x41, "x", "y").hex() + "0102",
            {"max_map_len": 1}, "length_limit", 8),
        ("max_nodes at the record", "91" + a + "01", {"max_nodes": 1}, "length_limit", 1),
        ("max_nodes at the value, keys do not count", ab + "0102", {"max_nodes": 2}, "length_limit",
            len(ab) // 2 + 1),
        ("max_nodes at the second record", "92" + a + "014002", {"max_nodes": 3}, "length_limit", 8),
        ("max_str_len at the key", "d4724092a161a26262" + "0102", {"max_str_len": 1}, "length_limit", 6),
        ("duplicate key in the definition", "d4724092a161a1610102", {"duplicate_key": "error"},
            "duplicate_key", 6),
        ("duplicate key in the definition, wider", "d4724092a161d901610102", {"duplicate_key": "error"},
            "duplicate_key", 6),
        ("bad id before depth", "91d4723f90", {"max_depth": 1}, "record_malformed", 1),
        ("bad id before max_nodes", "91d4723f90", {"max_nodes": 1}, "record_malformed", 1),
        ("ext8 before its length option", "c7057240", {"max_ext_len": 1}, "record_malformed", 0),
        ("max_nodes before depth", "91" + a + "01", {"max_nodes": 1, "max_depth": 1}, "length_limit", 1),
        ("depth before missing keys", "91d47240", {"max_depth": 1}, "depth_limit", 1),
        ("depth before keys that are not an array", "91d47240c0", {"max_depth": 1}, "depth_limit", 1),
        ("cut id before depth", "91d472", {"max_depth": 1}, "eof", 3),
        ("1025 keys before max_map_len", "d47240dc0401", {"max_map_len": 1}, "length_limit", 3),
        ("1025 keys before the budget", "d47240dc0401", {}, "length_limit", 3),
        ("max_map_len before the budget", "d47240dc0400", {"max_map_len": 1}, "length_limit", 0),
        ("budget before a key that is not a str", "d472409201", {}, "eof", 5),
        ("key that is not a str before a cut neighbour", "d472409201a2", {}, "record_malformed", 0),
        ("length option of a key before its cut payload", "d4724091a561", {"max_str_len": 1}, "length_limit",
            4),
        ("utf-8 of a key before the duplicate", "d4724092a161a1ff0102", {"duplicate_key": "error"},
            "invalid_utf8", 7),
        ("utf-8 of a key before the missing values", "d4724091a1ff", {}, "invalid_utf8", 5),
        ("duplicate before the next key", "d4724093a161a161c1010203", {"duplicate_key": "error"},
            "duplicate_key", 6),
        ("missing values before the fault in the first", "d4724092a161a162c1", {}, "eof", 9),
        ("undefined two-byte id before depth", "92" + define_wide(64, "a").hex() + "01" + "916005",
            {"max_depth": 2}, "record_undefined", 10),
        ("shared record: max_nodes before depth", "9140",
            {"max_nodes": 1, "max_depth": 1, "shared_structures": [["a"]]}, "length_limit", 1),
        ("shared record: depth before max_map_len", "914001",
            {"max_depth": 1, "max_map_len": 0, "shared_structures": [["a"]]}, "depth_limit", 1),
        ("shared record: max_map_len before the budget", "40",
            {"max_map_len": 1, "shared_structures": [["a", "b"]]}, "length_limit", 0),
    ):  # fmt: skip
        topic.refused(name, data, kind, offset, **options)
    return topic
