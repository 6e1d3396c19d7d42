"""Decoder(T): values of declared types."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import typing
import uuid
from typing import Any, Literal, NamedTuple, Optional, TypedDict, Union

import attrs
import numpy
import pydantic
import pytest
import typing_extensions

import packord


class Color(enum.Enum):
    RED = "red"
    BLUE = 2


@dataclasses.dataclass
class Point:
    x: int
    y: float = 0.5
    tags: list[str] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Vector:
    x: int
    z: float = 0.5


@dataclasses.dataclass(slots=True, frozen=True)
class Slots:
    name: str
    point: Point | None = None


@dataclasses.dataclass
class Tree:
    value: int
    children: list[Tree] = dataclasses.field(default_factory=list)


@dataclasses.dataclass
class Checked:
    low: int
    high: int

    def __post_init__(self) -> None:
        if self.low > self.high:
            raise ValueError("low is above high")


@dataclasses.dataclass
class WithInit:
    total: int
    extra: dataclasses.InitVar[int] = 1
    made: int = dataclasses.field(init=False, default=0)

    def __post_init__(self, extra: int) -> None:
        self.made = self.total + extra


@attrs.define
class Attrs:
    a: int
    b: str = "x"
    _c: int = 3


class Typed(TypedDict):
    a: int
    b: typing_extensions.NotRequired[str]


class Named(NamedTuple):
    a: int
    b: str = "x"


class Model(pydantic.BaseModel):
    a: int
    when: datetime.datetime


@dataclasses.dataclass
class Circle:
    r: float
    kind: Literal["circle"] = "circle"


@dataclasses.dataclass
class Square:
    side: float
    kind: Literal["square"] = "square"


UTC = datetime.timezone.utc
UUID = uuid.UUID("12345678-1234-5678-1234-567812345678")
GOOD: list[tuple[Any, Any, Any]] = [
    (int, 5, 5),
    (float, 5, 5.0),
    (float, 1.5, 1.5),
    (str, "é", "é"),
    (bytes, b"x", b"x"),
    (bytearray, b"x", bytearray(b"x")),
    (bool, True, True),
    (None, None, None),
    (Any, {"a": 1}, {"a": 1}),
    (list[int], [1, 2], [1, 2]),
    (list, [1, "a"], [1, "a"]),
    (set[int], [1, 2, 2], {1, 2}),
    (frozenset[str], ["a"], frozenset({"a"})),
    (tuple[int, str], [1, "a"], (1, "a")),
    (tuple[int, ...], [1, 2, 3], (1, 2, 3)),
    (dict[str, int], {"a": 1}, {"a": 1}),
    (Optional[int], None, None),
    (Union[int, str, None], "a", "a"),
    (int | list[int], [1], [1]),
    (Literal["a", 1], 1, 1),
    (Color, "red", Color.RED),
    (Color, 2, Color.BLUE),
    (Point, {"x": 1}, Point(1)),
    (Point, {"tags": ["a"], "y": 2, "x": 1, "unknown": [1]}, Point(1, 2.0, ["a"])),
    (Slots, {"name": "n", "point": {"x": 1}}, Slots("n", Point(1))),
    (Tree, {"value": 1, "children": [{"value": 2}]}, Tree(1, [Tree(2)])),
    (Checked, {"low": 1, "high": 2}, Checked(1, 2)),
    (WithInit, {"total": 1, "extra": 5}, None),
    (Attrs, {"a": 1, "_c": 9}, Attrs(1, "x", 9)),
    (Typed, {"a": 1}, {"a": 1}),
    (Named, [1, "b"], Named(1, "b")),
    (Named, {"a": 1}, Named(1)),
    (list[Circle | Square], [{"kind": "square", "side": 2.0}], [Square(2.0)]),
    (uuid.UUID, str(UUID), UUID),
    (uuid.UUID, UUID.bytes, UUID),
    (uuid.UUID, packord.Ext(85, UUID.bytes), UUID),
    (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
    (datetime.datetime, "2020-01-02T03:04:05Z", datetime.datetime(2020, 1, 2, 3, 4, 5, tzinfo=UTC)),
    (datetime.date, "2020-01-02", datetime.date(2020, 1, 2)),
    (datetime.time, "03:04:05", datetime.time(3, 4, 5)),
]


@pytest.mark.parametrize(("wanted", "value", "result"), GOOD, ids=lambda item: repr(item)[:40])
def test_reads_what_the_type_accepts(wanted: Any, value: Any, result: Any) -> None:
    read = packord.Decoder(wanted).decode(packord.packb(value))
    if wanted is WithInit:
        assert (read.total, read.made) == (1, 6)
        return
    assert read == result
    assert type(read) is type(result)
    limited = packord.Decoder(wanted, max_nodes=1000)
    assert limited.decode(packord.packb(value)) == result


BAD: list[tuple[Any, Any, int, str | None, str]] = [
    (int, "a", 0, "$", "expected an integer, found str"),
    (int, 1.0, 0, "$", "expected an integer, found float"),
    (int, True, 0, "$", "expected an integer, found bool"),
    (float, "a", 0, "$", "expected a float, found str"),
    (list[int], [1, "a"], 2, "$[1]", "expected an integer, found str"),
    (dict[str, int], {"a": "b"}, 3, "$.a", "expected an integer, found str"),
    (tuple[int, str], [1], 0, "$", "expected an array of 2 elements, found 1"),
    (Point, {"x": "a"}, 3, "$.x", "expected an integer, found str"),
    (Point, {}, 0, "$", "missing field 'x'"),
    (Checked, {"low": 2, "high": 1}, 0, "$", "__post_init__ refused the values"),
    (Color, "green", 0, "$", "unknown variant 'green'"),
    (Literal["a"], "b", 0, "$", "unknown variant 'b'"),
    (int | str, 1.5, 0, "$", "expected int | str, found float"),
    (uuid.UUID, "no", 0, "$", "expected UUID"),
    (Circle | Square, {"kind": "oval"}, 6, "$", "unknown variant 'oval'"),
    (Circle | Square, {"r": 1.0}, 0, "$", "missing field 'kind'"),
    (Attrs, {"b": "x"}, 0, "$", "missing field 'a'"),
]


@pytest.mark.parametrize(
    ("wanted", "value", "offset", "path", "text"), BAD, ids=lambda x: repr(x)[:30]
)
def test_refuses_what_the_type_does_not_accept(
    wanted: Any, value: Any, offset: int, path: str | None, text: str
) -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(wanted).decode(packord.packb(value))
    assert (caught.value.kind, caught.value.offset, caught.value.path) == (
        "type_mismatch",
        offset,
        path,
    )
    assert text in str(caught.value).replace('"', "'")


def test_pydantic_and_numpy() -> None:
    moment = datetime.datetime(2020, 1, 1, tzinfo=UTC)
    model = packord.Decoder(Model).decode(packord.packb({"a": "5", "when": moment}))
    assert model == Model(a=5, when=moment)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(Model).decode(packord.packb({"a": "x"}))
    assert isinstance(caught.value.__cause__, pydantic.ValidationError)
    array = packord.Decoder(numpy.ndarray).decode(packord.packb([1, 2]))
    assert isinstance(array, numpy.ndarray) and array.tolist() == [1, 2]


def test_fault_in_the_bytes_comes_first() -> None:
    for data, kind in ((b"\xc1", "reserved_marker"), (b"\xd2\x00", "eof"), (b"", "eof")):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.Decoder(str).decode(data)
        assert caught.value.kind == kind


@pytest.mark.parametrize("wanted", [Point, list[Slots], dict[str, Tree], Circle | Square])
def test_every_prefix_is_eof(wanted: Any) -> None:
    values = {"x": 1, "name": "n", "value": 1, "kind": "circle", "r": 1.0, "side": 2.0}
    value: Any = {"a": values} if typing.get_origin(wanted) is dict else values
    value = [values] if typing.get_origin(wanted) is list else value
    data = packord.packb(value)
    packord.Decoder(wanted).decode(data)
    for length in range(len(data)):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.Decoder(wanted).decode(data[:length])
        assert (caught.value.kind, caught.value.offset) == ("eof", length)


def test_forbid_unknown_fields() -> None:
    with pytest.raises(packord.MsgpackDecodeError, match='unknown field "z"'):
        packord.Decoder(Point, forbid_unknown_fields=True).decode(packord.packb({"x": 1, "z": 2}))


@pytest.mark.parametrize(
    "wanted",
    [
        int | float | bool | Color,
        Point | Vector,
        complex,
        list[int] | tuple[int],
        list[int] | list[str],
        dict[str, int] | dict[str, str],
        Point | dict[str, int],
        set[int] | list[int],
    ],
)
def test_types_that_cannot_be_told_apart(wanted: Any) -> None:
    with pytest.raises(TypeError):
        packord.Decoder(wanted)
    holder = dataclasses.make_dataclass("Holder", [("inner", dict[str, wanted])])
    with pytest.raises(TypeError, match=r"^\$\.inner\{\}: "):
        packord.Decoder(holder)


def test_exact_float_of_int() -> None:
    assert packord.Decoder(float).decode(packord.packb(2**53)) == 2.0**53
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(float).decode(packord.packb(2**53 + 1))
    assert caught.value.kind == "out_of_range"


RECORDS: dict[str, Any] = {"records": True}
IN_RECORDS = [entry for entry in GOOD if entry[0] is not WithInit]


@pytest.mark.parametrize(
    ("wanted", "value", "result"), IN_RECORDS, ids=lambda item: repr(item)[:40]
)
def test_records_are_the_maps_they_stand_for(wanted: Any, value: Any, result: Any) -> None:
    data = packord.packb([value, value, 100], **RECORDS)
    decoder = packord.Decoder(tuple[wanted, wanted, int], records=True)
    assert decoder.decode(data) == (result, result, 100)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        decoder.decode(data[:-1])
    assert (caught.value.kind, caught.value.offset) == ("eof", len(data) - 1)


@pytest.mark.parametrize(
    ("wanted", "value", "offset", "path", "text"),
    [entry for entry in BAD if isinstance(entry[1], dict)],
    ids=lambda x: repr(x)[:30],
)
def test_refuses_records_that_do_not_fit_the_type(
    wanted: Any, value: Any, offset: int, path: str | None, text: str
) -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(wanted, records=True).decode(packord.packb(value, **RECORDS))
    assert (caught.value.kind, caught.value.path) == ("type_mismatch", path)
    assert text in str(caught.value).replace('"', "'")


def test_records_where_none_are_wanted() -> None:
    record = packord.packb({"a": 1}, **RECORDS)
    for wanted in (int, str, list[int], Color, Literal[1], tuple[int], int | str, uuid.UUID):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.Decoder(wanted, records=True).decode(record)
        assert (caught.value.kind, caught.value.offset) == ("type_mismatch", 0)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(dict[str, int], records=True).decode(b"\xc7\x01\x72\x40")
    assert (caught.value.kind, caught.value.offset) == ("record_malformed", 0)
    # Undefined: the integer, 64 to 127.
    assert packord.Decoder(list[int], records=True).decode(b"\x92\x40\x7f") == [64, 127]
    strict = packord.Decoder(list[int], records=True, undefined_record="error")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        strict.decode(b"\x91\x40")
    assert (caught.value.kind, caught.value.offset) == ("record_undefined", 1)


def test_tagged_records() -> None:
    @dataclasses.dataclass
    class Far:
        inner: dict[str, int]
        kind: Literal["far"]

    @dataclasses.dataclass
    class Near:
        kind: Literal["near"]

    values: list[Any] = [Far({"kind": 1, "x": 2}, "far"), Near("near"), Far({"kind": 3}, "far")]
    data = packord.packb(values, **RECORDS)
    # What is looked at ahead is neither counted twice, nor are its definitions made twice.
    decoder = packord.Decoder(list[Far | Near], records=True, max_nodes=12)
    assert decoder.decode(data) == values
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(list[Far | Near], records=True, max_nodes=11).decode(data)
    assert caught.value.kind == "length_limit"
    wrong = packord.packb([{"inner": {}, "kind": "no"}], **RECORDS)
    with pytest.raises(packord.MsgpackDecodeError, match='unknown variant "no"'):
        decoder.decode(wrong)


def test_keys_of_records_by_their_type() -> None:
    data = packord.packb({"red": 1}, **RECORDS)
    assert packord.Decoder(dict[Color, int], records=True).decode(data) == {Color.RED: 1}
    data = packord.packb({str(UUID): 1}, **RECORDS)
    assert packord.Decoder(dict[uuid.UUID, int], records=True).decode(data) == {UUID: 1}
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(dict[int, int], records=True).decode(data)
    assert caught.value.kind == "type_mismatch"


def test_records_across_messages() -> None:
    encoder = packord.Encoder(structures=[])
    decoder = packord.Decoder(Point, structures=[])
    for number in range(3):
        data = encoder.encode(Point(number))
        decoder.structures = encoder.structures or []
        assert decoder.decode(data) == Point(number)


# Where attributes lie.


def many(count: int) -> Any:
    return dataclasses.make_dataclass("Many", [(f"field{i}", int, i) for i in range(count)])


@pytest.mark.parametrize("count", [1, 5, 29, 30, 31, 64, 65, 200])
def test_any_number_of_fields(count: int) -> None:
    cls = many(count)
    decoder = packord.Decoder(list[cls])  # type: ignore[valid-type]
    wanted = [cls(*range(n, n + count)) for n in range(20)]
    rows = [{f"field{i}": n + i for i in range(count)} for n in range(20)]
    for value in (rows, [dict(reversed(row.items())) for row in rows]):
        read = decoder.decode(packord.packb(value))
        assert read == wanted
        assert packord.unpackb(packord.packb(read)) == rows
        assert [vars(item) for item in read] == rows
    assert decoder.decode(packord.packb([{}] * 20)) == [cls()] * 20


def test_attributes_of_objects_that_have_been_read() -> None:
    first, second = packord.Decoder(list[Point]).decode(packord.packb([Point(1), Point(2)]))
    del first.y
    vars(first)["extra"] = 5
    assert vars(first) == {"x": 1, "tags": [], "extra": 5}
    # The class's own value is packed instead of the deleted one.
    assert packord.unpackb(packord.packb(first)) == {"x": 1, "y": 0.5, "tags": []}
    vars(second)["x"] = 7
    assert packord.unpackb(packord.packb(second))["x"] == 7
    second.__dict__ = {"tags": 1, "x": 2, "y": 3}
    assert packord.packb(second) == packord.packb({"x": 2, "y": 3, "tags": 1})
    third = packord.Decoder(Point).decode(packord.packb({"x": 1, "y": 2}))
    assert third == Point(1, 2.0) and packord.packb(third) == packord.packb(Point(1, 2.0))


def test_a_class_that_says_what_its_attributes_are() -> None:
    @dataclasses.dataclass
    class Guarded:
        low: int
        seen: list[int] = dataclasses.field(init=False, default_factory=list)

    seen: list[int] = []

    def store(self: Any, value: int) -> None:
        seen.append(value)
        self.__dict__["low"] = value

    Guarded.low = property(lambda self: self.__dict__["low"] * 10, store)  # type: ignore[assignment]
    value = packord.Decoder(Guarded).decode(packord.packb({"low": 4}))
    assert seen == [4] and value.low == 40
    for _ in range(3):
        assert packord.packb(value) == packord.packb({"low": 40, "seen": []})


def test_the_last_of_equal_keys_wins() -> None:
    for cls in (Point, Slots):
        name = "x" if cls is Point else "name"
        last: Any = 2 if cls is Point else "b"
        pairs = b"".join(
            packord.packb(part) for part in (name, 1 if cls is Point else "a", name, last)
        )
        read = packord.Decoder(cls).decode(b"\x82" + pairs)
        assert getattr(read, name) == last


@pytest.mark.parametrize(
    ("wanted", "data", "offset"),
    [
        (Point, b"\x82\xa1x\x01\xa1x\x02", 4),
        (Point, b"\x83\xa1x\x01\xa1z\x05\xa1z\x02", 7),
        (Slots, b"\x82\xa4name\xa1a\xd9\x04name\xa1b", 8),
        (dict[str, int], b"\x82\xa1x\x01\xa1x\x02", 4),
        (dict[Color, int], b"\x82\xa3red\x01\xa3red\x02", 6),
        (Typed, b"\x82\xa1a\x01\xa1a\x02", 4),
    ],
    ids=repr,
)
def test_a_key_twice_is_an_error_on_request(wanted: Any, data: bytes, offset: int) -> None:
    packord.Decoder(wanted, max_nodes=100).decode(data)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.Decoder(wanted, duplicate_key="error").decode(data)
    assert (caught.value.kind, caught.value.offset) == ("duplicate_key", offset)
