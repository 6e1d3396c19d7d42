"""What surprised users of ormsgpack, msgpack and msgspec: each promise with its test."""

from __future__ import annotations

import asyncio
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import io
import ipaddress
import pathlib
import subprocess
import sys
import uuid
from typing import Annotated, Any, Generic, NamedTuple, Optional, TypeVar, Union

import annotated_types
import attrs
import msgspec
import numpy
import pydantic
import pydantic.dataclasses
import pytest
import typing_extensions

import packord
from packord import packb
from packord.compat import ormsgpack

T = TypeVar("T")
U = TypeVar("U")
UTC = datetime.timezone.utc


def refused(wanted: Any, value: Any, **options: Any) -> packord.MsgpackDecodeError:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(packb(value), type=wanted, **options)
    return caught.value


# 1. pydantic.


@pydantic.dataclasses.dataclass
class Positive:
    a: int = pydantic.Field(gt=0)


class Al(pydantic.BaseModel):
    a: int = pydantic.Field(0, alias="AL")


class Cat(pydantic.BaseModel):
    meow: int


class Dog(pydantic.BaseModel):
    bark: Positive


def test_pydantic_validates_its_dataclasses() -> None:
    assert packord.unpackb(packb({"a": 1}), type=Positive) == Positive(a=1)
    for value in ({"a": -1}, {}):
        error = refused(Positive, value)
        assert isinstance(error.__cause__, pydantic.ValidationError)
    assert refused(list[Positive], [{"a": 1}, {"a": -1}]).path == "$[1]"


def test_pydantic_validates_within_unions() -> None:
    assert packord.unpackb(packb({"meow": 1}), type=Union[Cat, Dog]) == Cat(meow=1)
    assert packord.unpackb(packb({"bark": {"a": 2}}), type=Union[Cat, Dog]) == Dog(
        bark=Positive(a=2)
    )
    assert packord.unpackb(packb(None), type=Optional[Positive]) is None
    refused(Union[Cat, Dog], {"bark": {"a": -2}})
    refused(Optional[Positive], {"a": -1})


def test_aliases_of_pydantic_are_read_both_ways() -> None:
    packed = packb(Al(AL=7))
    assert packord.unpackb(packed, type=Al).a == 7
    assert packord.unpackb(packb({"AL": 7}), type=Al).a == 7


# 2. Sub-interpreters.

IN_ANOTHER = """
import packord
packord.packb({"a": 1})
try:
    import _interpreters as interpreters
except ImportError:
    import _xxsubinterpreters as interpreters
code = '''
try:
    import packord
except ImportError as error:
    assert "interpreter" in str(error), error
else:
    raise SystemExit("imported")
'''
for isolated in (True, False):
    try:
        made = interpreters.create("isolated" if isolated else "legacy")
    except TypeError:
        made = interpreters.create(isolated=isolated)
    run = getattr(interpreters, "run_string")
    failed = run(made, code)
    assert not failed, failed
    interpreters.destroy(made)
"""


def test_sub_interpreters_are_refused_when_importing() -> None:
    done = subprocess.run([sys.executable, "-c", IN_ANOTHER], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


# 3. Generics.


@dataclasses.dataclass
class Box(Generic[T]):
    ys: list[T]
    one: Optional[T] = None


@dataclasses.dataclass
class IntBox(Box[int]):
    pass


@dataclasses.dataclass
class Pair(Box[T], Generic[T, U]):
    other: U | None = None


class Dict(typing_extensions.TypedDict, Generic[T]):
    ys: list[T]


@attrs.define
class Attrs(Generic[T]):
    ys: list[T]


NAMED: list[Any] = []
if sys.version_info >= (3, 11):

    class Named(NamedTuple, Generic[T]):
        ys: list[T]

    NAMED = [Named[int]]


@pytest.mark.parametrize(
    "wanted", [Box[int], IntBox, Pair[int, str], Dict[int], Attrs[int], *NAMED]
)
def test_generics_are_checked(wanted: Any) -> None:
    assert packord.unpackb(packb({"ys": [1]}), type=wanted) is not None
    assert refused(wanted, {"ys": ["s"]}).path == "$.ys[0]"


def test_optional_fields_of_generics_are_checked() -> None:
    assert packord.unpackb(packb({"ys": [], "one": 5}), type=Box[int]) == Box([], 5)
    assert packord.unpackb(packb({"ys": []}), type=IntBox) == IntBox([])
    assert refused(IntBox, {"ys": [], "one": "s"}).path == "$.one"
    assert refused(Pair[int, str], {"ys": [], "other": 1}).path == "$.other"
    assert refused(Pair[int, str], {"ys": [], "one": "s"}).path == "$.one"


# 4. Unions with nil.


def test_what_takes_no_nil_may_be_optional() -> None:
    @dataclasses.dataclass
    class Holder:
        cat: Cat | None = None

    assert packord.Decoder(Optional[Cat]).decode(b"\xc0") is None
    ext, stamp = packord.Ext(5, b"x"), packord.Timestamp(1, 5)
    for wanted, value in ((packord.Ext | None, ext), (packord.Timestamp | None, stamp)):
        assert packord.unpackb(packb(value), type=wanted) == value
        assert packord.unpackb(b"\xc0", type=wanted) is None
    hints = {"cat": Optional[Cat]}
    Holder.__annotations__.update(hints)
    assert packord.unpackb(packb({"cat": {"meow": 1}}), type=Holder) == Holder(Cat(meow=1))
    assert packord.unpackb(packb({"cat": None}), type=Holder) == Holder()


# 5. Timestamps.


def test_nanoseconds_are_cut_off_for_a_datetime_and_kept_in_a_timestamp() -> None:
    packed = packb(packord.Timestamp(1, 1999))
    moment = datetime.datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC)
    assert packord.unpackb(packed, type=datetime.datetime) == moment
    assert packord.unpackb(packed, type=packord.Timestamp) == packord.Timestamp(1, 1999)


# 6. Streams.


def test_an_unpacker_stands_behind_a_message_that_cannot_be_read() -> None:
    unpacker = packord.Unpacker()
    unpacker.feed(b"\x81\x80\x02" + packb("x") + b"\xc1")
    with pytest.raises(packord.MsgpackDecodeError):
        unpacker.unpack()
    assert (unpacker.unpack(), unpacker.tell()) == ("x", 5)
    for _ in range(2):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            unpacker.unpack()
        assert (caught.value.kind, caught.value.offset) == ("reserved_marker", 5)


# 7. Round trips.


class Color(enum.Flag):
    A = 1
    B = 2


class Defaults(NamedTuple):
    a: int
    b: str = "x"
    c: float = 0.5


@dataclasses.dataclass
class Private:
    a: int
    _b: int = 2


@dataclasses.dataclass
class Timed:
    lasts: datetime.timedelta
    names: frozenset[str]


def test_values_come_back() -> None:
    both = Color.A | Color.B
    assert packord.unpackb(packb(both), type=Color) == both
    assert refused(Color, 8).kind == "type_mismatch"
    for count in (1, 2, 3):
        assert packord.unpackb(packb([1, "y", 1.5][:count]), type=Defaults) == Defaults(
            *[1, "y", 1.5][:count]  # type: ignore[arg-type]
        )
    assert "1 to 3 elements" in str(refused(Defaults, []))
    private = Private(1, 3)
    assert packord.unpackb(packb(private), type=Private) == private
    timed = Timed(datetime.timedelta(days=-1, microseconds=5), frozenset("ab"))
    packed = packb(timed, rich=True)
    decoder = packord.Decoder(Timed, rich=True)
    assert decoder.decode(packed) == timed
    wrong = packb({"lasts": "PT1.5S", "names": {1}}, rich=True)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        decoder.decode(wrong)
    assert caught.value.path == "$.names"


# 8. encode_into.


def test_a_gap_in_the_buffer_is_zeros() -> None:
    for _ in range(20):
        buffer = bytearray(b"ab")
        packord.Encoder().encode_into("x", buffer, 5000)
        assert buffer == b"ab" + bytes(4998) + b"\xa1x"


# 9. Names and limits as elsewhere.


def test_what_is_no_buffer_is_a_decode_error_and_a_type_error() -> None:
    for options in ({}, {"type": int}):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.unpackb(1, **options)  # type: ignore[call-overload]
        assert isinstance(caught.value, TypeError)


def test_hooks_nest_as_deep_as_those_of_ormsgpack() -> None:
    import ormsgpack

    for module in (ormsgpack, packord):
        for depth in (254, 255, 256):
            answers = [object() for _ in range(depth - 1)] + [1]
            walk = iter(answers)
            if depth < 256:
                assert module.packb(object(), default=lambda _, walk=walk: next(walk)) == b"\x01"
            else:
                with pytest.raises(TypeError):
                    module.packb(object(), default=lambda _, walk=walk: next(walk))


class OwnUUID(uuid.UUID):
    pass


def test_rare_classes_are_packed() -> None:
    assert packb(numpy.str_("x")) == b"\xa1x"
    keys = {memoryview(b"k"): 1}
    assert packb(keys) == b"\x81\xc4\x01k\x01"
    own = OwnUUID(int=1)
    assert packb(own) == packb(uuid.UUID(int=1))
    option = ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    assert ormsgpack.packb(own, default=lambda value: value.int, option=option) == b"\x01"
    option |= ormsgpack.OPT_NON_STR_KEYS
    assert ormsgpack.packb({own: 1}, option=option) == packb({str(own): 1})


def test_models_of_the_first_pydantic() -> None:
    class Old:
        """Has what models of pydantic 1 have; that version itself does not run everywhere."""

        __fields__ = {"a": None}
        __validators__: dict[str, Any] = {}

        def __init__(self, a: int) -> None:
            self.a = a

        def dict(self) -> Any:
            return {"a": self.a}

        @classmethod
        def parse_obj(cls, value: Any) -> Any:
            return cls(**value)

    packed = packb(Old(5))
    assert packed == packb({"a": 5})
    assert packord.unpackb(packed, type=Old).a == 5


# 10. Constraints.


@dataclasses.dataclass
class User:
    age: Annotated[int, msgspec.Meta(ge=0)]
    names: Annotated[list[str], annotated_types.Len(1, 2)]
    code: Annotated[str, msgspec.Meta(pattern="^[a-z]+$")] = "a"


CONSTRAINTS: list[tuple[Any, Any, Any, str]] = [
    (Annotated[int, annotated_types.Gt(0)], 1, 0, "must be above 0, is 0"),
    (Annotated[int, annotated_types.Ge(0)], 0, -5, "must be at least 0, is -5"),
    (Annotated[int, annotated_types.Lt(5)], 4, 5, "must be below 5, is 5"),
    (Annotated[float, annotated_types.Le(5)], 5.0, 5.5, "must be at most 5, is 5.5"),
    (Annotated[int, annotated_types.Interval(ge=1, le=3)], 2, 4, "must be at most 3"),
    (Annotated[int, annotated_types.MultipleOf(3)], 6, 7, "must be a multiple of 3"),
    (Annotated[str, annotated_types.MinLen(1)], "a", "", "at least 1 elements, has 0"),
    (Annotated[bytes, annotated_types.MaxLen(1)], b"a", b"ab", "at most 1 elements, has 2"),
    (Annotated[str, annotated_types.Predicate(str.isupper)], "A", "a", "must satisfy str.isupper"),
    (Annotated[int, msgspec.Meta(ge=0)], 0, -5, "must be at least 0, is -5"),
    (Annotated[int, pydantic.Field(gt=0)], 1, 0, "must be above 0, is 0"),
    (Annotated[Optional[int], annotated_types.Gt(0)], None, 0, "must be above 0, is 0"),
    (Annotated[datetime.datetime, msgspec.Meta(tz=True)], "2020-01-01T00:00:00Z",
     "2020-01-01T00:00:00", "must have an offset"),
    (Optional[Annotated[int, annotated_types.Gt(0)]], None, 0, "must be above 0, is 0"),
]  # fmt: skip


@pytest.mark.parametrize(("wanted", "good", "bad", "reason"), CONSTRAINTS, ids=str)
def test_constraints_are_enforced(wanted: Any, good: Any, bad: Any, reason: str) -> None:
    packord.unpackb(packb(good), type=wanted)
    error = refused(list[wanted], [good, bad])
    assert (error.kind, error.path) == ("type_mismatch", "$[1]")
    assert reason in str(error)


def test_constraints_of_fields_name_the_field() -> None:
    good = {"age": 1, "names": ["n"]}
    assert packord.unpackb(packb(good), type=User) == User(1, ["n"])
    for change, path in (
        ({"age": -5}, "$.age"), ({"names": []}, "$.names"), ({"code": "A"}, "$.code"),
    ):  # fmt: skip
        assert refused(User, {**good, **change}).path == path


# Typed decoding, whole.


class Struct(msgspec.Struct, tag="s", rename="camel"):
    first_name: str
    born: datetime.date | None = None


class Nothing:
    def __init__(self, value: Any) -> None:
        self.value = value


MORE: list[tuple[Any, Any, Any]] = [
    (pathlib.PurePosixPath, "/a", pathlib.PurePosixPath("/a")),
    (ipaddress.IPv4Address, "127.0.0.1", ipaddress.IPv4Address("127.0.0.1")),
    (ipaddress.IPv6Network, "::/64", ipaddress.IPv6Network("::/64")),
    (collections.deque[int], [1, 2], collections.deque([1, 2])),
    (datetime.timedelta, "-P1DT2H0.5S", -datetime.timedelta(days=1, hours=2, seconds=0.5)),
    (datetime.timedelta, 1.5, datetime.timedelta(seconds=1.5)),
    (fractions.Fraction, "1/3", fractions.Fraction(1, 3)),
    (memoryview, b"x", memoryview(b"x")),
    (datetime.datetime | str, "hello", "hello"),
    (datetime.datetime | str, "2020-01-01", datetime.datetime(2020, 1, 1)),
    (int | decimal.Decimal, 5, 5),
    (int | decimal.Decimal, "5.0", decimal.Decimal("5.0")),
    (Struct, {"type": "s", "firstName": "n", "born": "2020-01-01"},
     Struct("n", datetime.date(2020, 1, 1))),
]  # fmt: skip


def name_of(item: Any) -> str:
    """The beginning of what an object looks like, without its address."""
    return repr(item).split(" at 0x")[0][:30]


@pytest.mark.parametrize(("wanted", "value", "result"), MORE, ids=name_of)
def test_reads_more_types(wanted: Any, value: Any, result: Any) -> None:
    read = packord.unpackb(packb(value), type=wanted)
    assert (read, type(read)) == (result, type(result))


def test_structs_of_msgspec_come_back() -> None:
    struct = Struct("n", datetime.date(2020, 1, 1))
    assert packord.unpackb(packb(struct), type=Struct) == struct
    assert packb(struct, default=lambda _: 1) == packb(struct)
    assert refused(list[Struct], [{"type": "x"}]).path == "$[0].type"


def test_a_hook_reads_every_other_type() -> None:
    @dataclasses.dataclass
    class Holder:
        thing: Nothing

    Holder.__annotations__["thing"] = Nothing
    hook = lambda cls, value: cls(value)  # noqa: E731
    read = packord.unpackb(packb({"thing": 5}), type=Holder, dec_hook=hook)
    assert (type(read.thing), read.thing.value) == (Nothing, 5)

    def fails(cls: Any, value: Any) -> Any:
        raise ValueError("not that one")

    error = refused(Holder, {"thing": 5}, dec_hook=fails)
    assert error.path == "$.thing" and "not that one" in str(error)
    with pytest.raises(TypeError, match="dec_hook must be callable"):
        packord.Decoder(Holder, dec_hook=5)  # type: ignore[call-overload]
    assert packord.packb(Nothing(5), default=lambda value: value.value) == b"\x05"


def test_a_type_that_cannot_be_read_is_refused_with_its_path() -> None:
    inner = dataclasses.make_dataclass("Inner", [("thing", dict[str, list[Nothing]])])
    outer = dataclasses.make_dataclass("Outer", [("a", int), ("inner", Optional[inner])])
    with pytest.raises(TypeError, match=r"^\$\.inner\.thing\{\}\[\]: Nothing can't be decoded"):
        packord.Decoder(outer)


def test_errors_carry_the_cause() -> None:
    @dataclasses.dataclass
    class Checked:
        a: int

        def __post_init__(self) -> None:
            if self.a < 0:
                raise ValueError("must be positive")

    assert "__post_init__ refused the values: must be positive" in str(refused(Checked, {"a": -1}))


# Typed streams.


def test_streams_are_read_into_a_type() -> None:
    unpacker = packord.Unpacker(type=User)
    good = {"age": 1, "names": ["n"]}
    unpacker.feed(packb(good) + packb({**good, "age": -1}) + packb(good))
    assert unpacker.unpack() == User(1, ["n"])
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpacker.unpack()
    assert caught.value.path == "$1.age"
    assert list(unpacker) == [User(1, ["n"])]
    packer = packord.Packer(records=True, sequential=True)
    rows = b"".join(packer.pack({**good, "age": age}) for age in range(3))
    file = packord.Unpacker(io.BytesIO(rows), read_size=3, type=User, records=True, sequential=True)
    assert [user.age for user in file] == [0, 1, 2]


def test_asyncio_streams_are_read_into_a_type() -> None:
    async def run() -> list[User]:
        reader = asyncio.StreamReader()
        reader.feed_data(packb({"age": 1, "names": ["n"]}) * 2)
        reader.feed_eof()
        return [user async for user in packord.unpack_async(reader, type=User, read_size=3)]

    assert asyncio.run(run()) == [User(1, ["n"])] * 2
