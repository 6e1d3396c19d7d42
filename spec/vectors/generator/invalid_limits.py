"""``invalid/``: limits, canonical reading, and which of two faults comes first."""

from __future__ import annotations

from .build import Topic, ext_bytes, f64, fixstr, join, mapping, repeat, text_bytes, timestamp64, timestamp96

KIND = "invalid"


def topics() -> list[Topic]:
    return [_depth(), _lengths(), _budget(), _canonical(), _order()]


def _depth() -> Topic:
    topic = Topic(KIND, "depth", "containers deeper than max_depth; the offset is that of the first too deep")
    topic.refused("1025 arrays", join(repeat("91", 1025), "c0"), "depth_limit", 1024)
    topic.refused("1025 arrays, the last empty", join(repeat("91", 1024), "90"), "depth_limit", 1024)
    topic.refused("1025 arrays, the last a map", join(repeat("91", 1024), "80"), "depth_limit", 1024)
    topic.refused("1025 maps by value", join(repeat("81c0", 1024), "80"), "depth_limit", 2048)
    topic.refused("1025 maps by key", join(repeat("81", 1024), "80", repeat("c0", 1024)), "depth_limit", 1024)
    topic.refused("1025 of both", join(repeat("9181c0", 512), "90"), "depth_limit", 1536)
    topic.refused("1025 array32", join(repeat("dd00000001", 1024), "90"), "depth_limit", 5120)
    topic.refused("5000 arrays", join(repeat("91", 5000), "c0"), "depth_limit", 1024)
    for name, data, limit, offset in (
        ("one array", "90", 0, 0), ("one map", "80", 0, 0), ("array in array", "9190", 1, 1),
        ("map in array", "9180", 1, 1),
        ("array as key", "8190c0", 1, 1), ("array as value", "81c090", 1, 2),
        ("third element", "93010290", 1, 3),
        ("array after arrays", "9290919190", 2, 3), ("10 of 9", "91" * 9 + "90", 9, 9),
    ):  # fmt: skip
        topic.refused(f"max_depth {limit}, {name}", data, "depth_limit", offset, max_depth=limit)
    return topic


def _lengths() -> Topic:
    topic = Topic(KIND, "lengths", "longer than the options allow; the offset is that of the marker")
    for option, limit, name, data, offset in (
        ("max_str_len", 2, "str of 3", "a3616263", 0), ("max_str_len", 0, "str of 1", "a161", 0),
        ("max_str_len", 1, "str of é", "a2c3a9", 0),
        ("max_str_len", 2, "str8 of 3", "d903616263", 0), ("max_str_len", 2, "key of 3", "81a3616263c0", 1),
        ("max_str_len", 2, "str as second element", "92a161a3616263", 3),
        ("max_bin_len", 1, "bin of 2", "c4020000", 0),
        ("max_bin_len", 1, "bin in array", "91c4020000", 1), ("max_ext_len", 1, "ext of 2", "d5050000", 0),
        ("max_ext_len", 3, "timestamp", "d6ff00000000", 0), ("max_ext_len", 0, "ext of 1", "d40500", 0),
        ("max_array_len", 1, "array of 2", "92c0c0", 0), ("max_array_len", 0, "array of 1", "91c0", 0),
        ("max_array_len", 2, "array in array", "9193c0c0c0", 1),
        ("max_map_len", 1, "map of 2", "82c0c001c0", 0),
        ("max_map_len", 0, "map of 1", "81c0c0", 0), ("max_map_len", 1, "map in map", "81c082c0c001c0", 2),
        ("max_nodes", 0, "nil", "c0", 0), ("max_nodes", 1, "array of 1", "91c0", 1),
        ("max_nodes", 3, "third element", "93c0c0c0", 3),
        ("max_nodes", 2, "value of an entry", "81a16101", 3),
        ("max_nodes", 1, "key of an entry", "81a16101", 1),
        ("max_nodes", 2, "inner array", "92c09190", 2),
    ):  # fmt: skip
        topic.refused(f"{option} {limit}, {name}", data, "length_limit", offset, **{option: limit})
    topic.refused(
        "max_nodes 1000, array of 1000",
        join("dc03e8", repeat("c0", 1000)),
        "length_limit",
        1002,
        max_nodes=1000,
    )
    return topic


def _budget() -> Topic:
    topic = Topic(
        KIND, "budget", "headers that announce more than is left, alone and together with those around them"
    )
    for name, data in (
        ("array32 of 2^32 - 1 with three", "ddffffffffc0c0c0"),
        ("map32 of 2^32 - 1 with three", "dfffffffffc0c0c0"),
        ("map of 1 with one byte", "81c0"),
        ("map of 2 with three bytes", "82c0c0c0"),
        ("the inner array takes what the outer needs", "9292c0c0"),
        ("inner array exceeds what the outer left", "93c093c0c0c0"),
        ("inner map exceeds what the outer left", "92c081c0"),
        ("inner map takes what the outer needs", "9281c0c0"),
        ("second element's count is too large", "92c0dd00000005c0c0c0c0"),
        ("third header", "9391c091c092c0"),
        ("key's array takes what the value needs", "8192c0c0"),
        ("array32 within array32", "dd00000002dd00000003c0c0c0"),
        ("faults after a header too large", "93c1"),
        ("bad utf-8 after a header too large", "94a1ff"),
        ("depth after a header too large", "9f" * 20),
        ("count fits, str takes the bytes of the next", "92a5616263"),
    ):  # fmt: skip
        topic.refused(f"budget, {name}", data, "eof", len(data) // 2)
    topic.refused("budget, 500 array32 of 2^24 - 1", join(repeat("dd00ffffff", 500)), "eof", 2500)
    topic.refused(
        "budget, 1000 array16 of 1 in one of 1000",
        join("dc03e8", repeat("dc0001", 500), repeat("c0", 999)),
        "eof",
        2502,
    )
    data = "93c0a2ffff"
    topic.refused("budget is not for str: bad utf-8 comes first", data, "invalid_utf8", 3)
    topic.refused("budget is not for str: the third element is missing", "93c0a26162", "eof", 5)
    topic.refused("budget counts what trails", "92c0", "eof", 2, trailing="allow")
    return topic


def _canonical() -> Topic:
    topic = Topic(KIND, "canonical", "encodings that canonical reading refuses")
    strict = {"canonical": True}

    def refused(name: str, data: bytes | str, offset: int = 0, kind: str = "not_canonical") -> None:
        topic.refused(f"canonical, {name}", data, kind, offset, **strict)

    for name, data in (
        ("uint8 of 127", "cc7f"), ("uint8 of 0", "cc00"), ("uint16 of 255", "cd00ff"),
        ("uint32 of 65535", "ce0000ffff"),
        ("uint64 of 2^32 - 1", "cf00000000ffffffff"), ("int8 of 5", "d005"), ("int8 of -32", "d0e0"),
        ("int8 of -1", "d0ff"),
        ("int16 of 200", "d100c8"), ("int16 of -128", "d1ff80"), ("int32 of -32768", "d2ffff8000"),
        ("int32 of 70000", "d200011170"),
        ("int64 of -2^31", "d3ffffffff80000000"), ("int64 of 2^62", "d34000000000000000"),
        ("str8 of 31", "d91f" + "61" * 31),
        ("str8 empty", "d900"), ("str16 of 32", "da0020" + "61" * 32), ("str32 of 1", "db0000000161"),
        ("bin16 of 1", "c5000100"),
        ("bin16 empty", "c50000"), ("bin32 of 1", "c60000000100"), ("array16 of 0", "dc0000"),
        ("array16 of 1", "dc0001c0"),
        ("array32 of 16", "dd00000010" + "c0" * 16), ("map16 of 0", "de0000"),
        ("map32 of 1", "df00000001c0c0"),
        ("ext8 of 1", "c7010500"), ("ext8 of 16", "c71005" + "00" * 16), ("ext16 of 3", "c8000305000000"),
        ("ext32 empty", "c90000000005"),
        ("float 32", "ca3fc00000"), ("float 32 of zero", "ca00000000"), ("float 32 nan", "ca7fc00000"),
        ("nan, negative", "cbfff8000000000000"),
        ("nan with a payload", "cb7ff8000000000001"), ("nan, signalling", "cb7ff4000000000000"),
        ("float 1.0", f64(1.0)), ("float 0.0", f64(0.0)), ("float -0.0", f64(-0.0)),
        ("float -1.0", f64(-1.0)),
        ("float 1e15", f64(1e15)), ("float 2^53 + 2", f64(2.0**53 + 2)), ("float 2^63", f64(2.0**63)),
        ("float -2^63", f64(-(2.0**63))), ("float, the largest below 2^64", f64(2.0**64 - 2048)),
        ("timestamp64 of whole seconds", timestamp64(1, 0)),
        ("timestamp96 that fits 32 bits", timestamp96(1, 0)),
        ("timestamp96 that fits 64 bits", timestamp96(1, 1)), ("timestamp32 in ext8", "c704ff00000001"),
        ("timestamp96 in ext16", "c8000cff00000000ffffffffffffffff"),
    ):  # fmt: skip
        refused(name, data)
    for name, data, offset in (
        ("in an array", "9201cc05", 2), ("as a key", "81cc0501", 1), ("as a value", "81a161d90162", 3),
        ("keys b, a", "82a16201a16102", 4), ("keys aa, a", "82a2616101a16102", 5),
        ("key a after 1", "820101a16102", 3),
        ("keys 2, 1", "8202010102", 3), ("keys -1, 1", "82ff010102", 3),
        ("keys 200, nil", "82cc c801c001", 4),
        ("keys U+10000 and U+FFFF", mapping(fixstr("\U00010000"), b"\1", fixstr("\uffff"), b"\2"), 7),
        ("keys é and z", mapping(fixstr("é"), b"\1", fixstr("z"), b"\2"), 5),
        ("keys a and B", mapping(fixstr("a"), b"\1", fixstr("B"), b"\2"), 4),
        ("third key", "83a16101a16302a16203", 7), ("keys of an inner map", "81a16182a16201a16102", 7),
        ("keys 32 letters and 1", mapping(text_bytes("a" * 32), b"\1", fixstr("a"), b"\2"), 36),
        ("keys empty after a", "82a16101a002", 4),
        ("1.0 in an array", b"\x92" + f64(0.5) + f64(1.0), 10),
        ("1.0 as a key", b"\x81" + f64(1.0) + b"\xc0", 1),
        ("1.0 as a value", mapping(fixstr("a"), f64(1.0)), 3),
        ("1.0 after the key 1", mapping(b"\1", b"\1", f64(1.0), b"\2"), 3),
    ):  # fmt: skip
        refused(name, data if isinstance(data, bytes) else data.replace(" ", ""), offset)
    for name, data, offset in (
        ("the same key", "82a16101a16102", 4), ("the same integer", "8201010102", 3),
        ("the same key, not adjacent", "83a16101a16202a16103", 7),
    ):  # fmt: skip
        refused(name, data, offset, "duplicate_key")
    topic.refused(
        "canonical, within a set, 1.0",
        ext_bytes(86, b"\x91" + f64(1.0)),
        "invalid_ext",
        0,
        ext_types=[86],
        **strict,
    )
    both = {"bigint": True, "canonical": True}
    for name, data, offset, kind in (
        ("5", "d44205", 0, "not_canonical"), ("-1", "d442ff", 0, "not_canonical"),
        ("2^64 - 1", "c7094200" + "ff" * 8, 0, "not_canonical"),
        ("-2^63", "d74280" + "00" * 7, 0, "not_canonical"),
        ("2^64 with a zero too many", "c70a420001" + "00" * 8, 0, "not_canonical"),
        ("-2^64 with a byte too many", "c70a42ffff" + "00" * 8, 0, "not_canonical"),
        ("2^64 in ext16", "c800094201" + "00" * 8, 0, "not_canonical"),
        ("5 in an array", "9201d44205", 2, "not_canonical"), ("5 as a key", "81d44205c0", 1, "not_canonical"),
        ("no bytes", "c70042", 0, "invalid_ext"),
    ):  # fmt: skip
        topic.refused(f"canonical, bigint of {name}", data, kind, offset, **both)
    return topic


def _order() -> Topic:
    topic = Topic(KIND, "order-of-checks", "two faults in one input: the order decides which is reported")
    strict, few = {"canonical": True}, {"max_nodes": 1}
    one_set, decimals = {"ext_types": [86], "max_depth": 1}, {"ext_types": [84]}
    ten = "91" * 10
    for name, data, options, kind, offset in (
        ("c1 before what trails", "c1c0", {}, "reserved_marker", 0),
        ("c1 before max_nodes", "91c1", few, "reserved_marker", 1),
        ("cut header before max_nodes", "91cd01", few, "eof", 3),
        ("cut str header before max_nodes", "91d9", few, "eof", 2),
        ("cut ext header before max_nodes", "91c705", few, "eof", 3),
        ("cut integer before max_nodes 0", "cd01", {"max_nodes": 0}, "eof", 2),
        ("max_nodes before a cut str", "91a561", few, "length_limit", 1),
        ("max_nodes before the length option", "91a161", {"max_nodes": 1, "max_str_len": 0}, "length_limit",
            1),
        ("max_nodes before depth", "9190", {"max_nodes": 1, "max_depth": 1}, "length_limit", 1),
        ("max_nodes before utf-8", "91a1ff", few, "length_limit", 1),
        ("max_nodes before canonical", "91cc05", {"max_nodes": 1, "canonical": True}, "length_limit", 1),
        ("depth before the length option", "9191c0", {"max_depth": 1, "max_array_len": 1}, "depth_limit", 1),
        ("depth before the length option, too long", "9192c0c0", {"max_depth": 1, "max_array_len": 1},
            "depth_limit", 1),
        ("depth before the budget", "91ddffffffff", {"max_depth": 1}, "depth_limit", 1),
        ("depth before canonical", "91dc0000", {"max_depth": 1, "canonical": True}, "depth_limit", 1),
        ("cut header before depth", "91dd000000", {"max_depth": 1}, "eof", 5),
        ("length option before the budget", "ddffffffff", {"max_array_len": 10}, "length_limit", 0),
        ("map length option before the budget", "dfffffffff", {"max_map_len": 10}, "length_limit", 0),
        ("length option before canonical", "dc0002c0c0", {"max_array_len": 1, "canonical": True},
            "length_limit", 0),
        ("budget before canonical", "dc0002c0", strict, "eof", 4),
        ("canonical before the elements", "dc0001c1", strict, "not_canonical", 0),
        ("canonical of a map before its keys", "de0001c1c0", strict, "not_canonical", 0),
        ("length option before a cut str", "a561", {"max_str_len": 3}, "length_limit", 0),
        ("length option before a cut bin", "c6ffffffff", {"max_bin_len": 3}, "length_limit", 0),
        ("length option before a cut ext", "c9ffffffff05", {"max_ext_len": 3}, "length_limit", 0),
        ("length option before utf-8", "a2ffff", {"max_str_len": 1}, "length_limit", 0),
        ("length option before a timestamp", "d5ff0000", {"max_ext_len": 1}, "length_limit", 0),
        ("length option before unknown_ext", "d5050000", {"max_ext_len": 1, "unknown_ext": "error"},
            "length_limit", 0),
        ("cut str before utf-8", "a3ffff", {}, "eof", 3),
        ("cut timestamp before its length", "c703ff0000", {}, "eof", 5),
        ("cut ext before unknown_ext", "d50500", {"unknown_ext": "error"}, "eof", 3),
        ("cut set before its depth", "91d55690", one_set, "eof", 4),
        ("length option before the depth of a set", "91d45690", {**one_set, "max_ext_len": 0},
            "length_limit", 1),
        ("depth of a set before its payload", "91d456c1", one_set, "depth_limit", 1),
        ("depth of an empty set ext", "91c70056", one_set, "depth_limit", 1),
        ("depth of a set before canonical", "91c7015690", {**one_set, "canonical": True}, "depth_limit", 1),
        ("length of a decimal before it is cut", "c90001000154", decimals, "length_limit", 0),
        ("length of a ratio before it is cut", "c9ffffffff53", {"ext_types": [83]}, "length_limit", 0),
        ("cut decimal of 65536 bytes", "c9000100005401", decimals, "eof", 7),
        ("cut decimal, max_ext_len 65537", "c9000100015401", {**decimals, "max_ext_len": 65_537}, "eof", 7),
        ("cut str before canonical", "d90261", strict, "eof", 3),
        ("utf-8 before canonical", "d901ff", strict, "invalid_utf8", 2),
        ("timestamp before canonical", "c80003ff000000", strict, "invalid_timestamp", 0),
        ("unknown_ext before canonical", "c7010500", {"unknown_ext": "error", "canonical": True},
            "unknown_ext", 0),
        ("utf-8 of a key before the duplicate", "82a16101a1ff02", {"duplicate_key": "error"}, "invalid_utf8",
            5),
        ("canonical of a key before the duplicate", "82a16101d9016102", strict, "not_canonical", 4),
        ("duplicate before the order of keys", "83a16101a16202a16103", strict, "duplicate_key", 7),
        ("duplicate before the value's fault", "82a16101a161c1", {"duplicate_key": "error"}, "duplicate_key",
            4),
        ("order of keys before the value's fault", "82a16201a161c1", strict, "not_canonical", 4),
        ("first value's fault before the duplicate", "82a161c1a16101", {"duplicate_key": "error"},
            "reserved_marker", 3),
        ("first of two faults", "92a1ffc1", {}, "invalid_utf8", 2),
        ("first of two faults, turned", "92c1a1ff", {}, "reserved_marker", 1),
        ("fault in a container before what trails", "91c1c0", {}, "reserved_marker", 1),
        ("depth before a deeper fault", ten + "c1", {"max_depth": 9}, "depth_limit", 9),
        ("fault before the depth", "9291c190", {"max_depth": 2}, "reserved_marker", 2),
        ("fault in the key before a cut value", "81c1", {}, "eof", 2),
        ("canonical whole float before the duplicate",
            mapping(f64(0.5), b"\1", f64(1.0), b"\2", f64(1.0), b"\3"), strict, "not_canonical", 11),
        ("canonical float before what trails", "ca3fc00000c0", strict, "not_canonical", 0),
    ):  # fmt: skip
        topic.refused(name, data, kind, offset, **options)
    return topic
