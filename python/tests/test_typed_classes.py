"""A round trip through each class that can be declared."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import ipaddress
import pathlib
import sys
import uuid
from typing import Annotated, Any, Generic, Literal, NamedTuple, NewType, Optional, TypeVar, Union

import annotated_types
import attrs
import msgspec
import numpy
import numpy.typing
import pydantic
import pydantic.dataclasses
import pytest
import typing_extensions
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from typing_extensions import TypeAliasType, TypedDict

import packord

T = TypeVar("T")
UTC = datetime.timezone.utc


class Color(enum.Enum):
    RED = "red"
    TWO = 2


class Access(enum.Flag):
    READ = 1
    WRITE = 2


@dataclasses.dataclass
class Plain:
    number: int
    text: str = ""
    parts: list[bytes] = dataclasses.field(default_factory=list)


@dataclasses.dataclass(slots=True, frozen=True, kw_only=True)
class Frozen:
    inner: Optional[Plain] = None
    pairs: dict[str, float] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass
class Box(Generic[T]):
    content: T
    more: list[T]


@attrs.define
class Defined:
    number: int
    _hidden: str = "h"


@attrs.frozen(slots=False)
class DefinedBox(Generic[T]):
    content: Optional[T] = None


class Total(TypedDict):
    number: int
    text: typing_extensions.NotRequired[str]


class Partial(TypedDict, total=False):
    number: typing_extensions.Required[int]
    text: str


class Named(NamedTuple):
    number: int
    text: str = "t"


class Model(pydantic.BaseModel):
    number: int
    text: Optional[str] = None


@pydantic.dataclasses.dataclass
class Validated:
    number: int


class Struct(msgspec.Struct, rename="camel", tag="s"):
    long_number: int
    text: str = ""


UserId = NewType("UserId", int)
Pairs = TypeAliasType("Pairs", list[tuple[T, T]], type_params=(T,))
Nested = TypeAliasType("Nested", "Union[int, list[Nested]]")

INTS = st.integers(-(2**63), 2**64 - 1)
TEXT = st.text(max_size=5)
FLOATS = st.floats(allow_nan=False)
PLAIN = st.builds(Plain, INTS, TEXT, st.lists(st.binary(max_size=3), max_size=3))
DATES = st.datetimes(min_value=datetime.datetime(1, 1, 2))
TYPES: list[tuple[Any, st.SearchStrategy[Any]]] = [
    (int, INTS),
    (Optional[float], st.none() | FLOATS),
    (Plain, PLAIN),
    (Frozen, st.builds(Frozen, inner=st.none() | PLAIN, pairs=st.dictionaries(TEXT, FLOATS))),
    (Box[int], st.builds(Box, INTS, st.lists(INTS, max_size=3))),
    (Box[Optional[str]], st.builds(Box, st.none() | TEXT, st.lists(TEXT, max_size=3))),
    (Defined, st.builds(Defined, INTS, TEXT)),
    (DefinedBox[str], st.builds(DefinedBox, st.none() | TEXT)),
    (Total, st.fixed_dictionaries({"number": INTS}, optional={"text": TEXT})),
    (Partial, st.fixed_dictionaries({"number": INTS}, optional={"text": TEXT})),
    (Model, st.builds(Model, number=INTS, text=st.none() | TEXT)),
    (Validated, st.builds(Validated, number=INTS)),
    (Struct, st.builds(Struct, INTS, TEXT)),
    (Color, st.sampled_from(Color)),
    (Access, st.sampled_from([Access(0), Access.READ, Access.READ | Access.WRITE])),
    (Literal[1, "a", None, True], st.sampled_from([1, "a", None, True])),
    (Union[datetime.datetime, int], DATES | INTS),
    (Union[int, str, bytes, list[int], None], INTS | TEXT | st.binary() | st.lists(INTS)),
    (Union[Plain, Box[int]], PLAIN | st.builds(Box, INTS, st.lists(INTS, max_size=2))),
    (UserId, INTS),
    (Pairs[int], st.lists(st.tuples(INTS, INTS))),
    (list[Nested], st.lists(st.recursive(INTS, lambda inner: st.lists(inner, max_size=3)))),
    (Annotated[int, annotated_types.Ge(5)], st.integers(5, 2**64 - 1)),
    (list[int], st.lists(INTS)),
    (tuple[int, ...], st.lists(INTS).map(tuple)),
    (tuple[int, str], st.tuples(INTS, TEXT)),
    (dict[int, str], st.dictionaries(INTS, TEXT)),
    (collections.deque[int], st.lists(INTS).map(collections.deque)),
    (set[int], st.sets(INTS)),
    (frozenset[str], st.frozensets(TEXT)),
    (pathlib.PurePosixPath, TEXT.map(pathlib.PurePosixPath)),
    (ipaddress.IPv4Address, st.ip_addresses(v=4)),
    (ipaddress.IPv6Address, st.ip_addresses(v=6)),
    (datetime.datetime, DATES | st.datetimes(timezones=st.just(UTC))),
    (datetime.date, st.dates()),
    (datetime.time, st.times()),
    (datetime.timedelta, st.timedeltas()),
    (uuid.UUID, st.uuids()),
    (decimal.Decimal, st.decimals(allow_nan=False, allow_infinity=False)),
    (fractions.Fraction, st.fractions()),
    (bytearray, st.binary().map(bytearray)),
    (memoryview, st.binary().map(memoryview)),
]


def as_plain(value: Any) -> Any:
    """What a program packs of a value that packord itself does not."""
    if isinstance(value, (pathlib.PurePath, ipaddress.IPv4Address, ipaddress.IPv6Address)):
        return str(value)
    if isinstance(value, collections.deque):
        return list(value)
    raise TypeError(f"cannot pack {type(value)}")


EXT: dict[str, Any] = {"rich": True}


@pytest.mark.parametrize(("wanted", "values"), TYPES, ids=lambda part: str(part)[:50])
@pytest.mark.parametrize("records", [False, True])
@given(data=st.data())
@settings(max_examples=30, suppress_health_check=[HealthCheck.too_slow])
def test_each_class_comes_back(
    wanted: Any, values: st.SearchStrategy[Any], records: bool, data: st.DataObject
) -> None:
    value = data.draw(values)
    hook = None if isinstance(value, (Defined, DefinedBox, Struct)) else as_plain
    packed = packord.packb(value, default=hook, **EXT, records=records)
    decoder = packord.Decoder(wanted, **EXT, records=records)
    back = decoder.decode(packed)
    assert back == value and type(back) is type(value)
    lax = packord.Decoder(wanted, **EXT, records=records, strict=False)
    assert lax.decode(packed) == value
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        decoder.decode(packed[:-1])
    assert caught.value.kind == "eof"


@given(st.tuples(INTS, TEXT))
def test_named_tuples_are_read_from_arrays_and_maps(pair: tuple[int, str]) -> None:
    expected = Named(*pair)
    assert packord.unpackb(packord.packb(tuple(expected)), type=Named) == expected
    assert packord.unpackb(packord.packb(expected._asdict()), type=Named) == expected


@given(st.lists(st.integers(-(2**31), 2**31 - 1), max_size=20), st.sampled_from("bhilqfd"))
def test_arrays_are_read_from_fields(numbers: list[int], code: str) -> None:
    array = numpy.array([number % 100 for number in numbers], code)

    for wanted in (numpy.ndarray, numpy.typing.NDArray[Any], numpy.typing.NDArray[numpy.number]):
        holder = dataclasses.make_dataclass("Holder", [("name", str), ("values", wanted)])
        packed = packord.packb(holder("n", array), rich=True)
        back: Any = packord.unpackb(packed, type=holder, rich=True)
        assert back.values.dtype == array.dtype and (back.values == array).all()
        plain = packord.packb({"name": "n", "values": array.tolist()})
        assert (packord.unpackb(plain, type=holder).values == array).all()
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.unpackb(packord.packb({"name": "n", "values": "x"}), type=holder)
        assert caught.value.path == "$.values"


NDArray: Any = numpy.typing.NDArray


@pytest.mark.parametrize(
    ("element", "numbers", "fits"),
    [
        (numpy.float32, [1, 2.5], [1.0, 2.5]),
        (numpy.float32, [1e300], None),
        (numpy.float16, [], []),
        (numpy.int8, [1, -128], [1, -128]),
        (numpy.int8, [128], None),
        (numpy.uint8, [-1], None),
        (numpy.int64, [2.0], [2]),
        (numpy.int64, [2.5], None),
        (numpy.floating, [1, 2], [1.0, 2.0]),
        (numpy.complex64, [1.5], [1.5]),
        (numpy.bool_, [True], [True]),
        (numpy.bool_, [1], None),
        (numpy.int64, ["1"], None),
        (numpy.int64, [[1], [2, 3]], None),
    ],
)
def test_elements_of_arrays_are_what_is_declared(element: Any, numbers: Any, fits: Any) -> None:
    holder = dataclasses.make_dataclass("Holder", [("values", NDArray[element])])
    packed = packord.packb({"values": numbers})
    if fits is None:
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.unpackb(packed, type=holder)
        assert (caught.value.kind, caught.value.path) == ("type_mismatch", "$.values")
        return
    values: Any = packord.unpackb(packed, type=holder).values
    assert issubclass(values.dtype.type, element) and values.tolist() == fits


def test_an_array_of_other_elements_is_read_in_lax_mode_only() -> None:
    def read(array: Any, element: Any, strict: bool) -> Any:
        packed = packord.packb(array, rich=True)
        option: dict[str, Any] = {"rich": True}
        return packord.unpackb(packed, type=NDArray[element], **option, strict=strict)

    doubles = numpy.array([[1.0, 2.0], [3.0, 4.5]])
    assert read(doubles, numpy.float64, True).dtype == numpy.float64
    with pytest.raises(packord.MsgpackDecodeError, match="got an array of float64"):
        read(doubles, numpy.float32, True)
    single = read(doubles, numpy.float32, False)
    assert single.dtype == numpy.float32 and single.tolist() == doubles.tolist()
    with pytest.raises(packord.MsgpackDecodeError, match="an element does not fit int64"):
        read(doubles, numpy.int64, False)
    swapped = doubles.astype(">f8")
    assert read(swapped, numpy.float64, True).dtype == swapped.dtype


@dataclasses.dataclass
class Blob:
    name: str
    data: memoryview


@pytest.mark.parametrize("records", [False, True])
def test_a_memoryview_lies_in_the_message(records: bool) -> None:
    message = packord.packb([{"name": "n", "data": b"x" * 1000}] * 3, records=records)
    blobs = packord.unpackb(message, type=list[Blob], records=records)
    held = sys.getrefcount(message)
    for blob in blobs:
        view = blob.data
        assert (view.readonly, view.format, view.obj) == (True, "B", message)
        assert view == b"x" * 1000
        inside = (
            numpy.frombuffer(view, "u1").ctypes.data - numpy.frombuffer(message, "u1").ctypes.data
        )
        assert 0 < inside < len(message)
    del blob, blobs[1:]
    assert sys.getrefcount(message) < held
    kept = blobs[0].data
    assert packord.unpackb(packord.packb(kept)) == b"x" * 1000
    del message, blobs, view
    assert bytes(kept) == b"x" * 1000


def test_a_memoryview_of_bytes_that_can_change_is_a_copy() -> None:
    message = bytearray(packord.packb({"name": "n", "data": b"abc"}))
    blob = packord.unpackb(message, type=Blob)
    message[-3:] = b"xyz1"
    assert bytes(blob.data) == b"abc"
    unpacker = packord.Unpacker(type=Blob)
    unpacker.feed(packord.packb({"name": "n", "data": b"abc"}))
    (blob,) = unpacker
    unpacker.feed(b"\xc0" * 100)
    assert bytes(blob.data) == b"abc"


@pytest.mark.parametrize(
    ("wanted", "kind"),
    [
        (memoryview | None, memoryview),
        (str | memoryview, memoryview),
        (bytes | bytearray | memoryview, bytes),
        (uuid.UUID | memoryview, memoryview),
    ],
)
def test_memoryviews_in_unions(wanted: Any, kind: Any) -> None:
    read: Any = packord.unpackb(packord.packb(b"abc"), type=wanted)
    assert type(read) is kind and read == b"abc"
    for cut in range(1, 5):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.unpackb(packord.packb(b"abc")[:cut], type=wanted)
        assert (caught.value.kind, caught.value.offset) == ("eof", cut)
    with pytest.raises(packord.MsgpackDecodeError, match="max_bin_len is 2"):
        packord.unpackb(packord.packb(b"abc"), type=wanted, max_bin_len=2)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="the syntax is of Python 3.12")
def test_type_statements() -> None:
    names: dict[str, Any] = {}
    exec(
        "type Ids = list[int]\ntype Pair[A] = tuple[A, A]\ntype Tree = dict[str, Tree] | int\n",
        names,
    )
    decode = packord.unpackb
    assert decode(packord.packb([1]), type=names["Ids"]) == [1]
    assert decode(packord.packb([1, 2]), type=names["Pair"][int]) == (1, 2)
    assert decode(packord.packb({"a": {"b": 1}}), type=names["Tree"]) == {"a": {"b": 1}}
    with pytest.raises(packord.MsgpackDecodeError):
        decode(packord.packb(["x", "y"]), type=names["Pair"][int])


@dataclasses.dataclass
class Person:
    """Has an ``__init__`` that was written by hand, and a field that this does not take."""

    name: str
    length: int = dataclasses.field(init=False, default=0)

    def __init__(self, name: str) -> None:
        if not name:
            raise ValueError("a name has letters")
        self.name = name


@dataclasses.dataclass
class Job:
    done: list[int] = dataclasses.field(default_factory=list, init=False)
    first: int = dataclasses.field(init=False)


class Renamed(Job):
    def __init__(self) -> None:
        self.done = [0]


def test_an_init_that_was_written_by_hand_is_called() -> None:
    assert packord.unpackb(packord.packb({"name": "a", "length": 1}), type=Person).length == 1
    with pytest.raises(packord.MsgpackDecodeError, match="a name has letters"):
        packord.unpackb(packord.packb({"name": ""}), type=Person)
    assert packord.unpackb(b"\x80", type=Renamed).done == [0]


def test_fields_that_init_does_not_take_come_back() -> None:
    job = Job()
    job.done, job.first = [5], 7
    read = packord.unpackb(packord.packb(job), type=Job, forbid_unknown_fields=True)
    assert read == job
    assert packord.unpackb(b"\x80", type=Job).done == []
    with pytest.raises(packord.MsgpackDecodeError, match="type_mismatch"):
        packord.unpackb(packord.packb({"done": ["5"]}), type=Job)


TEXTS: dict[Any, dict[str, Any]] = {
    datetime.datetime: {
        "2026-01-02T03:04:05.5Z": datetime.datetime(
            2026, 1, 2, 3, 4, 5, 500_000, datetime.timezone.utc
        ),
        "2026-01-02t03:04:05z": datetime.datetime(2026, 1, 2, 3, 4, 5, 0, datetime.timezone.utc),
        "2026-01-02 03:04:05.123456789": datetime.datetime(2026, 1, 2, 3, 4, 5, 123_456),
    },
    datetime.date: {"2026-01-02": datetime.date(2026, 1, 2)},
    datetime.time: {
        "03:04:05Z": datetime.time(3, 4, 5, 0, datetime.timezone.utc),
        "03:04:05.25": datetime.time(3, 4, 5, 250_000),
    },
}


@pytest.mark.parametrize("cls", TEXTS)
def test_times_are_read_as_rfc_3339_has_them(cls: Any) -> None:
    for text, value in TEXTS[cls].items():
        assert packord.unpackb(packord.packb(text), type=cls) == value
    others = [
        "2026-W01-1",
        "20260102",
        "2026-01-02T03",
        "T03:04",
        "03:04",
        "2026-01-02T03:04:05+0100",
    ]
    for text in others:
        with pytest.raises(packord.MsgpackDecodeError, match="RFC 3339"):
            packord.unpackb(packord.packb(text), type=cls)


class Boxed(msgspec.Struct, Generic[T]):
    v: T


class Holder(msgspec.Struct):
    d: complex


def test_arguments_of_generic_structs_are_checked_and_hooks_reach_their_fields() -> None:
    data = packord.packb({"v": "text"})
    assert packord.unpackb(data, type=Boxed[str]).v == "text"
    for wanted in (Boxed[int], list[Boxed[int]]):
        with pytest.raises(packord.MsgpackDecodeError, match="type_mismatch"):
            packord.unpackb(data if wanted is Boxed[int] else b"\x91" + data, type=wanted)
    read = packord.unpackb(
        packord.packb({"d": 5}), type=Holder, dec_hook=lambda cls, value: cls(value)
    )
    assert read.d == complex(5)


class Inner(msgspec.Struct, Generic[T], rename="camel"):
    first_name: T
    many: list[T] = []
    count: int = 0


class Outer(msgspec.Struct, tag="out", tag_field="kind", frozen=True):
    inner: Inner[int]
    data: memoryview = memoryview(b"")
    ext: packord.Ext | None = None
    at: packord.Timestamp | None = None
    numbers: Any = None
    price: decimal.Decimal = decimal.Decimal(0)


class Rest(msgspec.Struct, array_like=True, tag=True):
    a: int
    b: str = "b"
    c: int | None = None


class Slim(msgspec.Struct, omit_defaults=True):
    a: int = 1
    b: list[int] = []
    c: int | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        if self.a < 0:
            raise ValueError("a is below zero")


@dataclasses.dataclass
class Lacking:
    a: int
    b: int | msgspec.UnsetType = msgspec.UNSET


def test_structs_are_read_and_written_as_dataclasses_are() -> None:
    outer = Outer(
        Inner(1, [2, 3]),
        memoryview(b"bytes"),
        packord.Ext(7, b"x"),
        packord.Timestamp(1, 999),
        numpy.arange(3),
        decimal.Decimal("1.50"),
    )
    every: list[dict[str, Any]] = [{}, {"rich": True}, {"records": True}, {"columns": True}]
    for options in every:
        data = packord.packb([outer] * 3, **options)
        plain = packord.unpackb(data, **options)[0]
        assert plain["kind"] == "out" and plain["data"] == b"bytes"
        assert plain["inner"] == {"firstName": 1, "many": [2, 3], "count": 0}
        back = packord.unpackb(data, type=list[Outer], **options)[2]
        assert type(back) is Outer and back.inner == outer.inner
        assert bytes(back.data) == b"bytes" and back.ext == outer.ext and back.at == outer.at
        assert list(back.numbers) == [0, 1, 2] and back.price == outer.price
    assert packord.unpackb(packord.packb(outer, rich=True), rich=True)["price"] == outer.price

    fields = {"firstName": 1, "many": [], "count": 0}
    with pytest.raises(packord.MsgpackDecodeError, match="expected an integer") as caught:
        packord.unpackb(packord.packb({"inner": fields | {"many": ["x"]}}), type=Outer)
    assert caught.value.path == "$.inner.many[0]"
    with pytest.raises(packord.MsgpackDecodeError, match="unknown variant"):
        packord.unpackb(packord.packb({"kind": "in", "inner": fields}), type=Outer)
    with pytest.raises(packord.MsgpackDecodeError, match="missing field"):
        packord.unpackb(packord.packb({}), type=Inner[int])
    # Lists of defaults are not shared.
    one, two = (packord.unpackb(b"\x81\xa9firstName\x01", type=Inner[int]) for _ in range(2))
    assert one.many == [] and one.many is not two.many


def test_structs_as_arrays_and_without_fields() -> None:
    for rest in (Rest(1), Rest(1, "x", None), Rest(1, "x", 3)):
        data = packord.packb(rest)
        assert data == msgspec.msgpack.encode(rest)
        assert packord.unpackb(data, type=Rest) == rest
    assert packord.unpackb(packord.packb(["Rest", 1]), type=Rest) == Rest(1)
    # More elements are those of a later version.
    assert packord.unpackb(packord.packb(["Rest", 1, "x", 3, 4]), type=Rest) == Rest(1, "x", 3)
    for wrong in ([], ["Rest"], ["Test", 1], ["Rest", "x"]):
        with pytest.raises(packord.MsgpackDecodeError):
            packord.unpackb(packord.packb(wrong), type=Rest)
    for slim in (Slim(), Slim(2), Slim(1, [1], 5)):
        data = packord.packb(slim)
        assert data == msgspec.msgpack.encode(slim)
        assert packord.unpackb(data, type=Slim) == slim
    with pytest.raises(packord.MsgpackDecodeError, match="__post_init__") as caught:
        packord.unpackb(packord.packb({"a": -1}), type=Slim)
    assert isinstance(caught.value.__cause__, ValueError)
    for value in (Lacking(1), Lacking(1, 2)):
        assert packord.packb(value) == msgspec.msgpack.encode(value)
        assert packord.unpackb(packord.packb(value), type=Lacking) == value


def test_structs_with_options_of_names() -> None:
    data = packord.packb(Outer(Inner(1)), rename="pascal", tag="class")
    assert {"kind", "class", "Inner", "Data"} <= packord.unpackb(data).keys()
    assert packord.unpackb(data, type=Outer, rename="pascal", tag="class") == Outer(Inner(1))
