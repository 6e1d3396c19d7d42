"""``stream/``: how a stream goes on after a fault, and where it ends."""

from __future__ import annotations

from .build import Topic, fault, fields, fixstr, integer, items, join, mapping, repeat, text
from .records_bytes import define, define_wide, names

KIND = "stream"
CLEAN = "clean"
ONE = [integer(1)]
# A str that is not UTF-8; its fault is one byte after its marker.
BAD = b"\xa1\xff"


def topics() -> list[Topic]:
    return [_after(), _over(), _records(), _records_over()]


def _after() -> Topic:
    topic = Topic(KIND, "after-faults", "a fault is reported once, and the stream goes on after its message")
    for name, raw, kind, at, options in (
        ("str", BAD, "invalid_utf8", 1, {}),
        ("first element", b"\x92" + BAD + b"\5", "invalid_utf8", 2, {}),
        ("last element", b"\x92\5" + BAD, "invalid_utf8", 3, {}),
        ("key", b"\x81" + BAD + b"\5", "invalid_utf8", 2, {}),
        ("key, with values of every kind of header after it", b"\x84" + BAD + b"\xc4\3abc"
            b"\x90\xc7\2\5ab\xd9\2ab\xdc\0\2\1\xde\0\1\xa1k\xcb" + bytes(8) + b"\xd8\5" + bytes(16) + b"\x80",
            "invalid_utf8", 2, {}),
        ("timestamp", b"\xd4\xff\0", "invalid_timestamp", 0, {}),
        ("timestamp in a map", mapping(fixstr("a"), b"\xd4\xff\0", fixstr("b"), b"\x90"),
            "invalid_timestamp", 3, {}),
        ("two faults, the first counts", b"\x93" + BAD + b"\xd4\xff\0" + BAD, "invalid_utf8", 2, {}),
        ("depth, with a deeper value after it", b"\x92\x91\x90\x91\x91\x91\xc0",
            "depth_limit", 2, {"max_depth": 2}),
        ("str too long", b"\xa3abc", "length_limit", 0, {"max_str_len": 2}),
        ("bin too long", b"\x92\xc4\3abc\xc4\3abc", "length_limit", 1, {"max_bin_len": 2}),
        ("ext too long", b"\xc7\3\5abc", "length_limit", 0, {"max_ext_len": 2}),
        ("array too long", b"\x93\1\2\3", "length_limit", 0, {"max_array_len": 2}),
        ("map too long", b"\x82\1\2\3\x90", "length_limit", 0, {"max_map_len": 1}),
        ("too many values", b"\x93\1\x91\2\3", "length_limit", 3, {"max_nodes": 3}),
        ("key twice", b"\x82\1\2\1\x91\5", "duplicate_key", 3, {"duplicate_key": "error"}),
        ("unknown ext", b"\x92\xd4\5\0\7", "unknown_ext", 1, {"unknown_ext": "error"}),
        ("not canonical", b"\x92\xcc\5\xcc\5", "not_canonical", 1, {"canonical": True}),
        ("keys out of order", b"\x82\2\1\1\1", "not_canonical", 3, {"canonical": True}),
        ("ext that is malformed", b"\x91\xd4\x52\xff", "invalid_ext", 1, {"ext_types": [0x52]}),
        ("bigint", b"\xc7\0\x42", "invalid_ext", 0, {"bigint": True}),
    ):  # fmt: skip
        found = fault(kind, 1 + at)
        topic.parts(
            f"{name}, between integers", join("01", raw, "02"), (ONE, found), ([integer(2)], CLEAN), **options
        )
    few = (BAD + b"\1") * 2 + BAD
    topic.parts(
        "three of five messages",
        few,
        ([], fault("invalid_utf8", 1)),
        (ONE, fault("invalid_utf8", 4)),
        (ONE, fault("invalid_utf8", 7)),
        ([], CLEAN),
    )
    topic.parts(
        "paths after it count it",
        b"\1" + BAD + b"\x81\xa1k" + BAD + b"\x91\xc1",
        (ONE, fault("invalid_utf8", 2) | {"path": "$1"}),
        ([], fault("invalid_utf8", 7) | {"path": "$2.k"}),
        ([], fault("reserved_marker", 9) | {"path": "$3[0]"}),
    )
    topic.parts(
        "deep after the limit",
        join(repeat("91", 3000), "c0", "01"),
        ([], fault("depth_limit", 1024)),
        (ONE, CLEAN),
    )
    topic.parts(
        "wide headers after it",
        b"\x97" + BAD + b"\xdd\0\0\0\1\xdf\0\0\0\1\1\xdb\0\0\0\2ab"
        b"\xc6\0\0\0\1\xc1\xc9\0\0\0\1\5\xc1\xc8\0\1\5\xc1\xc5\0\1\xc1\xda\0\1\xc1\1",
        ([], fault("invalid_utf8", 2)),
        (ONE, CLEAN),
    )
    numbers = b"\xcc\xc1\xcd\xc1\xc1\xce" + b"\xc1" * 4 + b"\xcf" + b"\xc1" * 8 + b"\xd0\xc1\xd1\xc1\xc1"
    numbers += b"\xd2" + b"\xc1" * 4 + b"\xd3" + b"\xc1" * 8 + b"\xca" + b"\xc1" * 4 + b"\xcb" + b"\xc1" * 8
    exts = (
        b"\xd4\5\xc1\xd5\5\xc1\xc1\xd6\5" + b"\xc1" * 4 + b"\xd7\5" + b"\xc1" * 8 + b"\xd8\5" + b"\xc1" * 16
    )
    topic.parts(
        "payloads of c1 after it",
        b"\xdc\0\x10" + BAD + numbers + exts,
        ([], fault("invalid_utf8", 4)),
        ([], CLEAN),
    )
    topic.parts(
        "max_buffer is not about what is passed over",
        b"\x93" + BAD + b"\xdc\0\x40" + b"\5" * 64 + b"\xc4\x40" + bytes(64) + b"\xa1a",
        ([], fault("invalid_utf8", 2)),
        ([text("a")], CLEAN),
        max_buffer=8,
    )
    topic.parts(
        "max_buffer is about the next message",
        BAD + b"\xa3abc",
        ([], fault("invalid_utf8", 1)),
        ([], fault("length_limit", 2)),
        max_buffer=3,
    )
    topic.parts(
        "pending elements are those of the message at fault",
        b"\x91" + BAD + b"\x92\1\2",
        ([], fault("invalid_utf8", 2)),
        ([items(*ONE, integer(2))], CLEAN),
    )
    topic.parts(
        "more than the announced elements, after the fault",
        b"\x92" + BAD + b"\xdc\0\2\1\2\x90",
        ([], fault("invalid_utf8", 2)),
        ([items()], CLEAN),
    )
    long = join("da2711", repeat("c3a9", 5000), "ff")
    topic.parts(
        "long str",
        join(long, "01", long, "02"),
        ([], fault("invalid_utf8", 10003)),
        (ONE, fault("invalid_utf8", 20008)),
        ([integer(2)], CLEAN),
    )
    topic.parts(
        "long values after it",
        join("93", BAD, "c50bb8", repeat("c1", 3000), "dc0bb8", repeat("c0", 3000), "01"),
        ([], fault("invalid_utf8", 2)),
        (ONE, CLEAN),
    )
    return topic


def _over() -> Topic:
    topic = Topic(KIND, "over", "faults that end a stream, alone and after another fault of the message")
    for name, raw, kind, at, options in (
        ("c1", "c102", "reserved_marker", 1, {}),
        ("c1 in a message", "92c10203", "reserved_marker", 2, {}),
        ("max_buffer", "a361626302", "length_limit", 1, {"max_buffer": 3}),
        ("max_buffer, of an array", "930203040506", "length_limit", 1, {"max_buffer": 3}),
    ):  # fmt: skip
        topic.parts(f"{name}, bytes after it", "01" + raw, (ONE, fault(kind, at)), **options)
    # The message at fault is the second one; the second fault has its path.
    for name, after, kind, at in (
        ("c1", "c102", "reserved_marker", 4), ("c1 in an array", "92c1c00000", "reserved_marker", 5),
        ("c1 after values", "830102a16bc4010003c1", "reserved_marker", 13), ("nothing", "", "eof", 4),
        ("half an integer", "cd01", "eof", 6), ("half a str", "a3616b", "eof", 7),
        ("half a header", "dd0000", "eof", 7),
        ("half an ext header", "c701", "eof", 6), ("half an ext", "d60500", "eof", 7),
        ("an array without its elements", "9301", "eof", 6), ("a str of 4 GiB", "dbffffffff61", "eof", 10),
        ("an array of 2^32 - 1", "ddffffffff01", "eof", 10), ("a map of 2^32 - 1", "dfffffffff01", "eof", 10),
        ("nested maps of 2^32 - 1", "dfffffffffdfffffffffdfffffffff", "eof", 19),
    ):  # fmt: skip
        topic.parts(
            f"bad utf-8, then {name}",
            join("0192", BAD, after),
            (ONE, fault("invalid_utf8", 3)),
            ([], fault(kind, at) | {"path": "$1"}),
        )
    topic.parts(
        "depth, then c1",
        "0191919191c1",
        (ONE, fault("depth_limit", 2)),
        ([], fault("reserved_marker", 5) | {"path": "$1"}),
        max_depth=1,
    )
    topic.parts(
        "c1 in the message after it",
        join(BAD, "91c102"),
        ([], fault("invalid_utf8", 1)),
        ([], fault("reserved_marker", 3) | {"path": "$1[0]"}),
    )
    topic.parts("the budget's eof comes before a fault within", "93a1ff", ([], fault("eof", 3)))
    topic.parts("the budget's eof comes before c1", "9291c1", ([], fault("eof", 3)))
    return topic


def _records() -> Topic:
    topic = Topic(KIND, "after-faults-records", "records in messages that are passed over")
    on, sequential = {"records": True}, {"records": True, "sequential": True}
    a, ab = define(0x40, "a"), define(0x40, "a", "b")
    bad = fault("invalid_utf8", 2)
    one, two = fields(a=integer(1)), fields(a=integer(1), b=integer(2))

    def seen(name: str, raw: bytes, found: dict, *values: object, **options: object) -> None:
        topic.parts(f"records, {name}", raw, ([], dict(found)), (list(values), CLEAN), **options)

    def then_five(name: str, raw: bytes, found: dict = bad, **options: object) -> None:
        seen(name, raw + b"\5", found, integer(5), **on, **options)

    then_five("record after it", b"\x92" + BAD + ab + b"\1\2")
    then_five("definition before it", b"\x93" + a + b"\1" + BAD + b"\x40\1", fault("invalid_utf8", 9))
    then_five("in a record", ab + BAD + b"\2", fault("invalid_utf8", 9))
    then_five("in the second value of a record", ab + b"\1" + BAD, fault("invalid_utf8", 10))
    seen(
        "its definition is not known to the next", b"\x92" + BAD + a + b"\1" + b"\x40", bad, integer(64), **on
    )
    then_five("an id that is not defined is an integer", b"\x92" + BAD + b"\x40")
    then_five("records within a record", b"\x92" + BAD + ab + a + b"\1\x40\2")
    then_five("a definition as a key", b"\x82" + BAD + b"\1" + a + b"\1\2")
    then_five("no keys", b"\x93" + BAD + define(0x40) + b"\x40")
    then_five("two-byte id", b"\x93" + BAD + define_wide(64, "a") + b"\1\x60\1\2")
    then_five(
        "back to one byte",
        b"\x94" + BAD + define_wide(32, "a") + b"\1" + define(0x60, "a", "b") + b"\1\2\x60\1\2",
    )
    wide = b"\xd4\x72\x40\xdd\0\0\0\2\xdb\0\0\0\1a\xd9\1b\1\2"
    then_five("wide headers of keys", b"\x92" + BAD + wide)
    then_five("other exts do not define", b"\x92" + BAD + b"\xd4\x71\x40")
    seen("records are off", b"\x93" + BAD + b"\xd4\x72\x40\xc7\2\x72\x90\x90" + b"\x40", bad, integer(64))
    shared = {**on, "shared_structures": [["a", "b"]]}
    seen("shared", b"\x92" + BAD + b"\x40\1\2" + b"\x40\1\2", bad, two, **shared)
    hidden = b"\x93" + BAD + a + b"\1\x40\1"
    seen("shared, hidden in the message", hidden + b"\x40\1\2", bad, two, **shared)
    then_five("depth at a definition", b"\x91" + a + b"\1", fault("depth_limit", 1), max_depth=1)
    then_five("max_map_len at a definition", ab + b"\1\2", fault("length_limit", 0), max_map_len=1)
    then_five("max_nodes at a definition", b"\x91" + a + b"\1", fault("length_limit", 1), max_nodes=1)
    then_five(
        "depth at an id", b"\x91\x40\1", fault("depth_limit", 1), max_depth=1, shared_structures=[["a"]]
    )
    then_five("max_map_len at a definition after it", b"\x92" + BAD + ab + b"\1\2", max_map_len=1)
    then_five("max_buffer is about each definition", b"\x94" + BAD + (a + b"\1") * 3, max_buffer=7)
    then_five(
        "max_buffer is not about ids",
        b"\x92" + BAD + b"\x40\1\2\3\4\5",
        max_buffer=4,
        shared_structures=[names(5)],
    )
    for name, raw, at in (
        ("before it", b"\x92" + a + b"\1" + BAD, 9), ("after it", b"\x92" + BAD + a + b"\1", 2),
        ("around it", a + BAD, 7),
        ("that is defined again", b"\x93" + BAD + ab + b"\1\2" + a + b"\1", 2),
        ("used before it is defined again", b"\x94" + ab + b"\1\2\x40\1\2" + a + b"\1" + BAD, 22),
    ):  # fmt: skip
        seen(
            f"sequential, a definition {name} stays",
            raw + b"\x40\1",
            fault("invalid_utf8", at),
            one,
            **sequential,
        )
    seen(
        "sequential, depth at a definition that stays",
        b"\x91" + a + b"\1" + b"\x40\1",
        fault("depth_limit", 1),
        one,
        **sequential,
        max_depth=1,
    )
    seen(
        "sequential, a two-byte definition stays",
        b"\x92" + BAD + define_wide(64, "a") + b"\1" + b"\x60\1\1",
        bad,
        one,
        **sequential,
    )
    seen(
        "sequential, shared, hidden for the stream",
        b"\x92" + BAD + a + b"\1" + b"\x40\1",
        bad,
        one,
        **sequential,
        shared_structures=[["a", "b"]],
    )
    topic.parts(
        "records, sequential, earlier definitions are known",
        ab + b"\1\2" + b"\x92" + BAD + b"\x40\1\2" + b"\x40\1\2",
        ([two], fault("invalid_utf8", 12)),
        ([two], CLEAN),
        **sequential,
    )
    return topic


def _records_over() -> Topic:
    topic = Topic(KIND, "over-records", "faults of records that end a stream, alone and after another fault")
    on = {"records": True}
    for name, raw, kind, at, options in (
        ("malformed id", "d47205c0", "record_malformed", 0, {}),
        ("malformed marker", "d67200000000c0", "record_malformed", 0, {}),
        ("keys that are an integer", "d4724005c0", "record_malformed", 0, {}),
        ("a key that is an integer", "d472409105c0", "record_malformed", 0, {}),
        ("a key with bad utf-8", "d4724091a1ff0102", "invalid_utf8", 5, {}),
        ("a key that is too long", "d4724091a261620102", "length_limit", 4, {"max_str_len": 1}),
        ("too many keys", "d4724092a161a162010203", "length_limit", 3, {"max_record_keys": 1}),
        ("a key twice", "d4724092a161a161010203", "duplicate_key", 6, {"duplicate_key": "error"}),
        ("an id that is not defined", "4002", "record_undefined", 0, {"undefined_record": "error"}),
        ("a two-byte id that is not defined", "6005020202", "record_undefined", 0,
            {"shared_structures": [[key] for key in names(33)]}),
        ("a two-byte id that never is", "60ff020202", "record_undefined", 0,
            {"shared_structures": [[key] for key in names(33)]}),
    ):  # fmt: skip
        for sequential in (False, True):
            options = {**on, **options, **({"sequential": True} if sequential else {})}
            title = f"records{', sequential' * sequential}"
            topic.parts(f"{title}, {name}", join("01", raw), (ONE, fault(kind, 1 + at)), **options)
            topic.parts(
                f"{title}, bad utf-8, then {name}",
                join("0192", BAD, raw),
                (ONE, fault("invalid_utf8", 3)),
                ([], fault(kind, 4 + at) | {"path": "$1"}),
                **options,
            )
    for name, raw in (
        ("an ext header", "d472"), ("an id", "d57260"), ("the keys", "d47240"),
        ("half the keys' header", "d47240dc00"), ("half a key's header", "d4724091d9"),
        ("half a key", "d4724091a261"), ("a key", "d4724092a161"), ("values", "d4724092a161a16201"),
        ("a two-byte id", "60"),
    ):  # fmt: skip
        topic.parts(
            f"records, bad utf-8, then cut at {name}",
            join("92", BAD, raw),
            ([], fault("invalid_utf8", 2)),
            ([], fault("eof", 3 + len(raw) // 2) | {"path": "$"}),
            **on,
            shared_structures=[[key] for key in names(33)],
        )
    two_keys = "d4724092a161a162"
    for limit, at, what in (
        (1, 0, "the ext header"), (2, 0, "the id"), (3, 3, "the marker of the keys"),
        (5, 3, "keys that are pending"), (6, 6, "the header of a key"), (7, 6, "a key"),
        (9, 0, "values that are pending"),
    ):  # fmt: skip
        topic.parts(
            f"records, depth, then over max_buffer with {what}",
            "92" + two_keys + "010203",
            ([], fault("depth_limit", 0)),
            ([], fault("length_limit", 1 + at) | {"path": "$"}),
            **on,
            max_buffer=limit,
            max_depth=0,
        )
    topic.parts(
        "records, bad utf-8, then keys that are announced and do not come",
        join("92", BAD, "d4724093a161c0"),
        ([], fault("invalid_utf8", 2)),
        ([], fault("record_malformed", 3) | {"path": "$"}),
        **on,
    )
    topic.parts(
        "records, depth at a malformed definition",
        "01d47240c0c0",
        (ONE, fault("depth_limit", 1)),
        ([], fault("record_malformed", 1) | {"path": "$1"}),
        **on,
        max_depth=0,
    )
    return topic
