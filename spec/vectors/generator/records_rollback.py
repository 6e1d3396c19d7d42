"""``records/``: after an error the structures are those from before the message."""

from __future__ import annotations

from .build import Topic, Value, ext, fault, fields, fixstr, integer, items, mapping, table, text
from .records_bytes import define, define_wide, name, names, singles, use_wide

KIND = "records"
ONE, TWO = integer(1), integer(2)
A, B, AB = fields(a=ONE), fields(b=ONE), fields(a=ONE, b=TWO)
DEFINE_A = define(0x40, "a") + b"\1"


def topics() -> list[Topic]:
    return [_reading(), _writing()]


def read(data: bytes | str, value: Value) -> dict:
    return {"bytes": data.hex() if isinstance(data, bytes) else data, "value": value}


def refused(data: bytes | str, kind: str, offset: int) -> dict:
    return {"bytes": data.hex() if isinstance(data, bytes) else data, "error": fault(kind, offset)}


def _reading() -> Topic:
    topic = Topic(KIND, "rollback-read", "a message that fails leaves no definition and undoes none")
    sequential: dict = {"sequential": True}

    def steps(title: str, *messages: dict, **options: object) -> None:
        topic.add_steps(f"rollback, {title}", *messages, options={**sequential, **options})

    failing = b"\x92" + define(0x41, "b") + b"\1\xc1"
    steps(
        "a new definition is forgotten",
        read(DEFINE_A, A), refused(failing, "reserved_marker", 8), read("41", integer(65)),
        read(b"\x40\2", fields(a=TWO)),
    )  # fmt: skip
    steps(
        "the first message", refused(DEFINE_A[:-1] + b"\xc1", "reserved_marker", 6), read("40", integer(64))
    )
    redefining = b"\x92" + define(0x40, "b", "c") + b"\1\2\xc1"
    steps(
        "a redefinition is undone",
        read(DEFINE_A, A), refused(redefining, "reserved_marker", 11), read(b"\x40\2", fields(a=TWO)),
    )  # fmt: skip
    steps(
        "two redefinitions of one id are undone",
        read(DEFINE_A, A),
        refused(b"\x93" + define(0x40, "b") + b"\1" + define(0x40, "c") + b"\1\xc1", "reserved_marker", 15),
        read(b"\x40\2", fields(a=TWO)),
    )  # fmt: skip
    for title, data, kind, offset in (
        ("cut values", define(0x41, "b"), "eof", 6), ("cut list of keys", b"\xd4\x72\x41\x92\xa1b", "eof", 6),
        ("bad utf-8 in a value", define(0x41, "b") + b"\xa1\xff", "invalid_utf8", 7),
        ("bad utf-8 in a later key", b"\x92" + define(0x41, "b") + b"\1\xd4\x72\x42\x91\xa1\xff\1",
            "invalid_utf8", 13),
        ("malformed definition after it", b"\x92" + define(0x41, "b") + b"\1\xd4\x72\x42\xc0",
            "record_malformed", 8),
        ("bad timestamp", define(0x41, "b") + b"\xd5\xff\0\0", "invalid_timestamp", 6),
        ("bytes after the message", define(0x41, "b") + b"\1\xc0", "trailing_bytes", 7),
    ):  # fmt: skip
        steps(title, read(DEFINE_A, A), refused(data, kind, offset), read("41", integer(65)), read("4001", A))
    deep = define(0x41, "b") + b"\x91\x90"
    steps(
        "deeper than max_depth",
        read(DEFINE_A, A), refused(deep, "depth_limit", 7), read("41", integer(65)), read("4001", A),
        max_depth=2,
    )  # fmt: skip
    steps(
        "undefined_record error after the rollback",
        read(DEFINE_A, A), refused(failing, "reserved_marker", 8), refused("41", "record_undefined", 0),
        read("4001", A),
        undefined_record="error",
    )  # fmt: skip
    wide = b"\x92" + define_wide(72, "b") + b"\1\xc1"
    steps(
        "the form of an id is as before",
        read(define(0x68, "a") + b"\1", A), refused(wide, "reserved_marker", 9),
        read(b"\x68\2", fields(a=TWO)),
    )  # fmt: skip
    narrow = b"\x92" + define(0x68, "b") + b"\1\xc1"
    steps(
        "the two-byte form of an id is as before",
        read(define_wide(72, "a") + b"\1", A), refused(narrow, "reserved_marker", 8),
        read(use_wide(72) + b"\2", fields(a=TWO)),
    )  # fmt: skip
    steps(
        "a failed message between two that define",
        read(DEFINE_A, A), refused(failing, "reserved_marker", 8),
        read(define(0x41, "c") + b"\1", fields(c=ONE)),
        refused("92419041c1", "reserved_marker", 4),
        read("92400141 02".replace(" ", ""), items(A, fields(c=TWO))),
    )  # fmt: skip
    steps(
        "many failures",
        read(DEFINE_A, A), *[refused(failing, "reserved_marker", 8)] * 5, read("4001", A),
        read("41", integer(65)),
    )  # fmt: skip
    hiding = b"\x92" + define(0x40, "k") + b"\1\xc1"
    steps(
        "a shared structure that was hidden is back",
        refused(hiding, "reserved_marker", 8), read("4001", A),
        shared_structures=[["a"]],
    )  # fmt: skip
    steps(
        "a definition that hides a shared structure stays",
        read(define(0x40, "k") + b"\1", fields(k=ONE)),
        refused(b"\x92" + define(0x40, "x") + b"\1\xc1", "reserved_marker", 8), read("4001", fields(k=ONE)),
        shared_structures=[["a"]],
    )  # fmt: skip
    topic.add_steps(
        "rollback, not sequential: each message by itself",
        read(DEFINE_A, A), refused(failing, "reserved_marker", 8), read("40", integer(64)),
        read("41", integer(65)),
    )  # fmt: skip
    topic.add_steps(
        "rollback, not sequential: the shared list is as before",
        refused(hiding, "reserved_marker", 8), read("4001", A), options={"shared_structures": [["a"]]},
    )  # fmt: skip
    return topic


def written(value: Value, data: bytes | str) -> dict:
    return {"value": value, **read(data, value)}


def failed(value: Value, kind: str = "depth_limit") -> dict:
    return {"value": value, "error": {"kind": kind}}


def _writing() -> Topic:
    topic = Topic(KIND, "rollback-write", "a writer that fails within a message forgets what it had defined")

    def steps(title: str, *messages: dict, after: list | None = None, **options: object) -> None:
        members: dict = {} if after is None else {"shared_after": after}
        options = {"max_depth": 2, **options}
        topic.add_steps(f"write, rollback, {title}", *messages, encode=True, options=options, **members)

    def deep(*keys: str) -> Value:
        """A map with these keys whose last value has two arrays within each other."""
        return table(*((text(key), items(items())) for key in keys))

    own: dict = {"sequential": True}
    define_c = define(0x41, "c") + b"\1"
    steps(
        "the id is free again",
        written(A, DEFINE_A), failed(deep("b")), written(fields(c=ONE), define_c), written(A, "4001"), **own,
    )  # fmt: skip
    steps("the first message", failed(deep("a")), written(B, define(0x40, "b") + b"\1"), **own)
    steps(
        "the failed structure is defined when it comes again",
        written(A, DEFINE_A), failed(deep("b")), written(B, define(0x41, "b") + b"\1"), written(B, "4101"),
        **own,
    )  # fmt: skip
    steps(
        "a known structure stays known",
        written(A, DEFINE_A), failed(deep("a")), written(A, "4001"), **own,
    )  # fmt: skip
    steps(
        "two structures of the failed message",
        written(A, DEFINE_A), failed(items(B, items(items()), fields(c=ONE))),
        written(fields(c=ONE), define_c), **own,
    )  # fmt: skip
    steps(
        "outer and inner structure", failed(fields(x=fields(y=items()))),
        written(fields(y=ONE), define(0x40, "y") + b"\1"), **own,
    )  # fmt: skip
    steps(
        "a structure whose id was taken is back",
        written(A, DEFINE_A), failed(deep("b")), written(A, "4001"), max_own_structures=1, **own,
    )  # fmt: skip
    turned = [
        written(field, define(0x40 + place, name(place)) + b"\1") for place, field in enumerate(singles(2))
    ]
    steps(
        "the count goes on where it was",
        *turned, failed(deep("x")), written(A, DEFINE_A), written(fields(k1=ONE), "4101"),
        written(fields(k0=ONE), define(0x41, "k0") + b"\1"),
        max_own_structures=2, **own,
    )  # fmt: skip
    steps(
        "many failures",
        written(A, DEFINE_A), *[failed(deep(*names(count))) for count in range(1, 9)],
        written(fields(c=ONE), define_c), **own,
    )  # fmt: skip
    steps(
        "plain values in between",
        failed(deep("b")), written(integer(64), "cc40"),
        written(table((ONE, TWO)), mapping(b"\1", b"\2")), written(A, DEFINE_A), **own,
    )  # fmt: skip
    for size in (1, 2, 3):
        looks_like_definition = ext(0x72, b"\x41\0\0"[:size])
        steps(
            f"an ext of {size} bytes that would be read as a definition",
            written(A, DEFINE_A), failed(items(B, looks_like_definition), "unsupported_type"),
            written(fields(c=ONE), define_c), **own,
        )  # fmt: skip
    steps("not sequential", written(A, DEFINE_A), failed(deep("b")), written(A, DEFINE_A))
    shared: dict = {"shared_structures": []}
    steps(
        "shared, the list does not keep it",
        written(A, "4001"), failed(deep("b")), written(fields(c=ONE), "4101"), written(A, "4001"),
        after=[["a"], ["c"]], **shared,
    )  # fmt: skip
    steps("shared, the first message", failed(deep("a")), written(AB, "400102"), after=[["a", "b"]], **shared)
    steps("shared, nothing but a failure", failed(deep("a")), after=[], **shared)
    steps(
        "shared, several of one message",
        written(A, "4001"), failed(items(B, fields(c=ONE), items(items()))), written(fields(c=ONE), "4101"),
        written(B, "4201"), after=[["a"], ["c"], ["b"]], **shared,
    )  # fmt: skip
    steps(
        "shared, a list from before stays",
        failed(deep("b")), written(A, "4001"), written(B, "4101"),
        shared_structures=[["a"]], after=[["a"], ["b"]],
    )  # fmt: skip
    own_b = define(0x41, "b") + b"\1"
    steps(
        "shared and full, own ones too",
        written(A, "4001"), failed(items(B, deep("c"))), written(fields(c=ONE), define_c), written(B, own_b),
        max_shared_structures=1, after=[["a"]], **shared,
    )  # fmt: skip
    steps(
        "shared, full and sequential",
        written(A, "4001"), written(B, own_b), failed(items(fields(c=ONE), deep("d"))), written(B, "4101"),
        written(fields(d=ONE), define(0x42, "d") + b"\1"),
        max_shared_structures=1, after=[["a"]], **shared, **own,
    )  # fmt: skip
    plain = mapping(fixstr("b"), b"\1")
    steps(
        "shared, the last place is free again",
        failed(deep("b")), written(A, "4001"), written(B, plain),
        max_shared_structures=1, max_own_structures=0, after=[["a"]], **shared,
    )  # fmt: skip
    return topic
