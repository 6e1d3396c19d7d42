"""Structs that are arrays, fields that are left out, and values that are kept packed."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import timeit
import uuid
from typing import Any, Generic, TypeVar

import attrs
import msgspec
import pytest

import packord

T = TypeVar("T")


class Add(msgspec.Struct, tag="add", array_like=True):
    x: int


class Sub(msgspec.Struct, tag="sub", array_like=True):
    x: int
    y: str = "y"


class Plain(msgspec.Struct, array_like=True):
    x: int


class Chain(msgspec.Struct, Generic[T], array_like=True):
    value: T
    next: Chain[T] | None = None


class MyList(list[Any]):
    pass


MAKERS: dict[str, Any] = {"a": list, "b": dict, "c": set, "d": MyList}


@attrs.define
class Lacking:
    a: int
    b: int | msgspec.UnsetType = msgspec.UNSET


@dataclasses.dataclass
class Letter:
    to: str
    body: packord.Fragment


def fault(data: Any, wanted: Any, **options: Any) -> tuple[str | None, int | None, str | None]:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, type=wanted, **options)
    return caught.value.kind, caught.value.offset, caught.value.path


def test_unions_of_structs_that_are_arrays() -> None:
    values = [Add(1), Sub(2), Sub(3, "z"), None, {"a": 1}]
    data = packord.packb(values)
    wanted = list[Add | Sub | dict[str, int] | None]
    assert packord.unpackb(data, type=wanted) == values
    assert packord.Decoder(wanted, max_nodes=99).decode(data) == values
    # More elements are those of a later version.
    assert packord.unpackb(packord.packb(["add", 1, 2]), type=Add | Sub) == Add(1)
    for wrong, path in ([], "$"), (["mul", 1], "$"), (["add", "x"], "$[1]"), (["sub"], "$"):
        assert fault(packord.packb(wrong), Add | Sub)[::2] == ("type_mismatch", path)
    assert fault(b"\x92\xa3ad", Add | Sub) == ("eof", 4, "$")
    assert fault(b"\x92", Add | Sub)[0] == "eof"
    assert fault(b"\x80", Add | Sub)[0] == "type_mismatch"
    with pytest.raises(TypeError, match="needs a tag"):
        packord.Decoder(Add | Plain)
    with pytest.raises(TypeError, match="packed as array"):
        packord.Decoder(Add | list[int])


def test_structs_that_are_arrays_contain_themselves() -> None:
    chain = Chain(1, Chain(2, Chain(3)))
    assert packord.unpackb(packord.packb(chain), type=Chain[int]) == chain
    assert fault(packord.packb([1, [2, ["x"]]]), Chain[int]) == ("type_mismatch", 5, "$[1][1][0]")


def test_defaults_are_left_out_without_a_look_at_the_types() -> None:
    missing = "NotThere"

    class Slim(msgspec.Struct, omit_defaults=True):
        a: missing = 1  # type: ignore[valid-type]
        b: list[missing] = []  # type: ignore[valid-type]
        c: Any = msgspec.field(default_factory=lambda: 1 / 0)

    assert packord.packb(Slim(c=0)) == msgspec.msgpack.encode(Slim(c=0)) == b"\x81\xa1c\x00"
    value = Slim(2, [1], {})
    assert packord.packb(value) == msgspec.msgpack.encode(value)


EQUAL: list[tuple[Any, Any]] = [
    (decimal.Decimal("1.0"), decimal.Decimal("1.00")),
    (0.0, -0.0),
    (1.5, float("1.5")),
    ((1,), (True,)),
    (datetime.time(12, tzinfo=datetime.timezone.utc),
     datetime.time(13, tzinfo=datetime.timezone(datetime.timedelta(hours=1)))),
]  # fmt: skip


@pytest.mark.parametrize(("default", "equal"), EQUAL)
def test_values_that_only_equal_a_default_are_written(default: Any, equal: Any) -> None:
    cls = msgspec.defstruct("Slim", [("f", type(default), default)], omit_defaults=True)
    assert packord.packb(cls()) == packord.packb(cls(default)) == b"\x80"
    data = packord.packb(cls(equal))
    assert data == packord.packb({"f": equal})
    found: Any = packord.unpackb(data, type=cls)
    assert repr(found.f) == repr(equal)


def test_empty_collections_are_left_out_where_each_object_has_its_own() -> None:
    fields = [(name, Any, msgspec.field(default_factory=f)) for name, f in MAKERS.items()]
    cls = msgspec.defstruct("Slim", fields, omit_defaults=True)
    others: list[Any] = [None, [], {}, set(), (), [1], MyList()]
    for other in others:
        value = cls(other, other, other, other)
        assert packord.packb(value) == msgspec.msgpack.encode(value)
    assert packord.packb(cls()) == msgspec.msgpack.encode(cls()) == b"\x81\xa1d\x90"


def test_fields_of_attrs_that_are_not_set_are_left_out() -> None:
    for value in Lacking(1), Lacking(1, 2):
        data = packord.packb(value)
        assert data == msgspec.msgpack.encode(value)
        assert packord.unpackb(data, type=Lacking) == value


def test_values_can_be_kept_packed() -> None:
    body = packord.packb({"a": [1, 2.5, {"b": None}]})
    letter = Letter("x", packord.Fragment(body))
    data = packord.packb([letter, letter])
    found = packord.unpackb(data, type=list[Letter])
    assert [each.body.data for each in found] == [body, body]
    assert packord.packb(found) == data
    every: list[dict[str, Any]] = [{}, {"max_nodes": 99}, {"canonical": True}]
    for options in every:
        assert packord.unpackb(body, type=packord.Fragment, **options).data == body
    assert packord.unpackb(b"\x92\x05\xa1x", type=list[int | packord.Fragment])[0] == 5
    # It is checked as all other bytes are.
    assert fault(b"\x91\x92\x01\xa1\xff", list[packord.Fragment]) == ("invalid_utf8", 4, "$[0][1]")
    assert fault(b"\x91\x92\x01", list[packord.Fragment])[0] == "eof"
    assert fault(b"\x91" * 9 + b"\x01", packord.Fragment, max_depth=5)[0] == "depth_limit"
    records = packord.packb([{"k": {"a": 1}}] * 2, records=True)
    assert fault(records, list[dict[str, packord.Fragment]], records=True)[0] == "type_mismatch"


def test_raw_is_read_as_msgspec_reads_it() -> None:
    data = packord.packb({"a": [1, 2], "b": 5})
    found = packord.unpackb(data, type=dict[str, msgspec.Raw])
    expected = msgspec.msgpack.decode(data, type=dict[str, msgspec.Raw])
    assert {key: bytes(raw) for key, raw in found.items()} == {
        key: bytes(raw) for key, raw in expected.items()
    }
    assert packord.unpackb(b"\x05", type=int | msgspec.Raw) == 5


def test_arrays_within_typed_keys_are_tuples() -> None:
    value = {(1, (2, (3,))): "x"}
    for wanted in dict[tuple[Any, ...], str], dict[tuple[Any, Any], str], dict[Any, str]:
        assert packord.unpackb(packord.packb(value), type=wanted) == value


@pytest.mark.parametrize(
    "text",
    ["1234567-1234-1234-1234-1234567890abc", "{12345678-1234-5678-1234-567812345678}", "0" * 31],
)
def test_text_that_is_no_uuid(text: str) -> None:
    assert fault(packord.packb(text), uuid.UUID) == ("type_mismatch", 0, "$")


def test_offsets_of_less_than_a_second_to_the_west() -> None:
    for seconds, text in ((0, "-23:59:59"), (3600, "-22:59:59")):
        offset = datetime.timedelta(-1, seconds, 500_000)
        time = datetime.time(1, 2, 3, tzinfo=datetime.timezone(offset))
        assert packord.unpackb(packord.packb(time)) == f"01:02:03{text}"


def test_durations_with_a_fraction_of_their_smallest_unit() -> None:
    for text, seconds in (
        ("PT0.5H", 1800),
        ("P1,5D", 129_600),
        ("-P1W", -604_800),
        ("PT1M0.0000005S", 60.000001),
        ("pt1s", 1),
    ):
        found = packord.unpackb(packord.packb(text), type=datetime.timedelta)
        assert found == datetime.timedelta(seconds=seconds)
    for text in ("PT", "P", "PT1.5H1M", "P1", "P1.D", "", "PT1S1M"):
        assert fault(packord.packb(text), datetime.timedelta)[0] == "type_mismatch"


class Renamed(msgspec.Struct, tag="a", tag_field="kind"):
    kind: int = msgspec.field(name="other")


def test_an_attribute_that_is_called_as_the_tag() -> None:
    data = packord.packb(Renamed(5))
    assert data == msgspec.msgpack.encode(Renamed(5))
    assert packord.unpackb(data, type=Renamed) == Renamed(5)
    assert packord.unpackb(packord.packb(Renamed(5), rename="pascal")) == {"kind": "a", "other": 5}
    with pytest.raises(packord.MsgpackEncodeError, match="are named 't'"):
        packord.packb(Clashing(1), rename=lambda _: "t")


class Clashing(msgspec.Struct, tag="a", tag_field="t"):
    x: int


@dataclasses.dataclass
class Later:
    a: int
    b: int = dataclasses.field(init=False)


@dataclasses.dataclass(slots=True)
class LaterSlots:
    a: int
    b: int = dataclasses.field(init=False)


@dataclasses.dataclass
class Guarded:
    a: int
    b: int = dataclasses.field(init=False)

    def __getattr__(self, name: str) -> Any:
        raise AttributeError(f"{name} is kept")


WIDE = dataclasses.make_dataclass("WIDE", [(f"f{place}", int) for place in range(17)])


def test_attributes_that_are_not_set_are_left_out() -> None:
    classes: list[Any] = [Later, LaterSlots]
    for cls in classes:
        data = packord.packb({"a": 1})
        found = packord.unpackb(data, type=cls)
        assert packord.packb(found) == packord.packb(found, sort_keys=True) == data
        found.b = 2
        assert packord.unpackb(packord.packb([found])) == [{"a": 1, "b": 2}]
    wide = WIDE(*range(17))
    for left in (16, 15):
        del wide.__dict__[f"f{left}"]
        values = {f"f{place}": place for place in range(left)}
        assert packord.packb([wide]) == packord.packb([values])
    with pytest.raises(packord.MsgpackEncodeError, match="b is kept"):
        packord.packb(packord.unpackb(packord.packb({"a": 1}), type=Guarded))
    unset = Plain(1)
    del unset.x
    with pytest.raises(packord.MsgpackEncodeError):
        packord.packb(unset)


class Sparse(msgspec.Struct, omit_defaults=True):
    inner: Sparse | None = None
    data: bytes = b""
    more: int = 0


def test_what_is_in_objects_with_omitted_fields_is_written_once() -> None:
    wide = msgspec.defstruct(
        "wide", [(f"f{place}", int, 0) for place in range(70)], omit_defaults=True
    )
    for set_fields in (0, 1, 15, 16, 17, 69, 70):
        values = {f"f{place}": place + 1 for place in range(set_fields)}
        assert packord.packb([wide(**values), 1]) == packord.packb([values, 1])
    deep = flat = Sparse(data=b"x" * 1000000)
    for _ in range(500):
        deep = Sparse(inner=deep)
    assert packord.packb(deep) == msgspec.msgpack.encode(deep)
    found, least = (
        min(
            timeit.repeat("packb(value)", number=1, globals={"packb": packord.packb, "value": each})
        )
        for each in (deep, flat)
    )
    # A copy for each level would take some hundred times as long.
    assert found < 20 * least + 0.002


class Node(msgspec.Struct, array_like=True, tag=True):
    value: int
    next: Node | None = None
    seen: list[int] = []


class Closed(msgspec.Struct, array_like=True, forbid_unknown_fields=True):
    x: int
    y: int = 0

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("x is negative")


def test_structs_that_are_arrays_are_read_and_written_as_msgspec_does() -> None:
    for value in (Node(1, Node(2), [3]), Closed(1), [Node(1)] * 3):
        data = msgspec.msgpack.encode(value)
        assert packord.packb(value) == data
        wanted = list[Node] if isinstance(value, list) else type(value)
        for options in ({}, {"max_nodes": 100}, {"records": True}):
            assert packord.Decoder(wanted, **options).decode(data) == value
    assert packord.unpackb(b"\x93\x01\x02\x03", type=Plain) == Plain(1)
    assert fault(b"\x93\x01\x02\x03", Closed) == ("type_mismatch", 0, "$")
    assert fault(b"\x91\xff", Closed)[0] == "type_mismatch"
    assert fault(b"\x90", Closed) == ("type_mismatch", 0, "$")
    assert fault(b"\x91\xa4Node", Node) == ("type_mismatch", 0, "$")
    assert fault(b"\x92\xa4Node\xa1x", Node) == ("type_mismatch", 6, "$[1]")
    assert fault(b"\x92\xa4Edge\x01", Node) == ("type_mismatch", 1, "$[0]")
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb([Node(1, seen=[object()])])  # type: ignore[list-item]
    assert caught.value.path == "$[0][3][0]"
