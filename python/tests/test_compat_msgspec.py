"""packord.compat.msgspec against ``msgspec.msgpack`` itself: the same calls, the same answers."""

from __future__ import annotations

import collections
import dataclasses
import datetime
import decimal
import enum
import gc
import inspect
import typing
import uuid
from collections.abc import Callable
from itertools import count
from typing import Annotated, Any, Generic, Literal, NamedTuple, TypedDict, TypeVar

import attrs
import msgspec
import pytest
from msgspec import UNSET, Meta, Raw, UnsetType

import packord
import packord.compat.msgspec as ours

theirs = msgspec.msgpack
T = TypeVar("T")
UTC = datetime.timezone.utc
EAST = datetime.timezone(datetime.timedelta(hours=5, minutes=30))


class Color(enum.Enum):
    RED = "red"
    BLUE = "blue"


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 2

    @classmethod
    def _missing_(cls, value: object) -> Any:
        return cls.HIGH if value == 3 else None


class User(msgspec.Struct, rename="camel"):
    user_id: int
    tags: list[str] = []
    age: Annotated[int, Meta(ge=0, lt=150)] | None = None


class Strict(msgspec.Struct, forbid_unknown_fields=True):
    a: int


class Slim(msgspec.Struct, omit_defaults=True, tag="slim"):
    a: int = 1
    b: list[int] = []
    c: Any = msgspec.field(default_factory=lambda: [1])


class Lacking(msgspec.Struct):
    a: int | UnsetType = UNSET
    b: str | UnsetType = UNSET


class Get(msgspec.Struct, tag=True):
    key: str


class Put(msgspec.Struct, tag=True):
    key: str
    value: int


class Add(msgspec.Struct, tag=1, array_like=True):
    x: int


class Sub(msgspec.Struct, tag=2, array_like=True):
    x: int
    y: int = 7


class Chain(msgspec.Struct, Generic[T], array_like=True):
    value: T
    next: Chain[T] | None = None


class Positive(msgspec.Struct):
    x: int

    def __post_init__(self) -> None:
        if self.x < 0:
            raise ValueError("negative")


class Envelope(msgspec.Struct):
    kind: str
    body: Raw


class Pair(NamedTuple):
    a: int
    b: str = "b"


class Options(TypedDict, total=False):
    deep: bool


@dataclasses.dataclass
class Point:
    x: int
    y: int | UnsetType = UNSET


@attrs.define
class Plain:
    x: int
    y: int | UnsetType = UNSET


class Custom:
    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Custom) and self.value == other.value


VALUES: list[Any] = [
    None,
    {"a": [1, -1.5, "x", b"y", True], 5: (), None: {}},
    {1, 2, 3},
    frozenset([b"x"]),
    decimal.Decimal("-1.50"),
    decimal.Decimal("NaN"),
    uuid.UUID(int=5),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 120000),
    datetime.datetime(2020, 1, 2, 3, 4, 5, 6, tzinfo=EAST),
    datetime.date(2020, 1, 2),
    datetime.time(1, 2, 3, 400000),
    datetime.time(1, 2, 3, tzinfo=UTC),
    datetime.time(1, 2, 3, tzinfo=EAST),
    datetime.time(1, 2, 3, tzinfo=datetime.timezone(datetime.timedelta(seconds=-4 * 3600 - 29))),
    *(datetime.timedelta(*parts) for parts in [(), (1,), (-1, 5, 10), (400, 1), (0, 61, 500_000)]),
    [Color.RED, Level.LOW, Pair(1), Point(1), Point(1, 2), Plain(3), Plain(3, 4)],
    [User(1), User(2, ["a"], 3), Slim(), Slim(2, [1]), Lacking(), Lacking(1, "b")],
    [Get("a"), Put("b", 1), Add(1), Sub(1, 2), Chain(1, Chain(2)), Positive(1)],
    Envelope("k", Raw(b"\x93\x01\x02\x03")),
    theirs.Ext(-5, bytearray(b"abc")),
    bytearray(b"abc"),
    memoryview(b"abc"),
]


def same(one: Any, other: Any) -> bool:
    if isinstance(one, Envelope):
        return same(one.body, other.body)
    if isinstance(one, Raw):
        return bytes(one) == bytes(other)
    return type(one) is type(other) and bool(one == other)


@pytest.mark.parametrize("value", VALUES, ids=count())
def test_the_bytes_are_those_of_msgspec(value: Any) -> None:
    packed = theirs.encode(value)
    assert ours.encode(value) == ours.Encoder().encode(value) == packed
    buffer, other = bytearray(b"abcdef"), bytearray(b"abcdef")
    ours.Encoder().encode_into(value, buffer, 3)
    theirs.Encoder().encode_into(value, other, 3)
    assert buffer == other
    assert same(ours.decode(packed), theirs.decode(packed))


READ: list[tuple[Any, Any]] = [
    (User, {"userId": 1, "age": 5, "more": [1]}),
    (list[User | None], [None, {"userId": 1, "tags": ["x"]}]),
    (Get | Put | int, {"key": "a", "type": "Put", "value": 1}),
    (list[Add | Sub | str | None], [[1, 5], [2, 6], [2, 6, 7, 8], "x", None]),
    (Chain[int], [1, [2, [3]]]),
    (list[Add | dict[str, int]], [[1, 5], {"a": 1}]),
    (Point, {"x": 1}),
    (Plain, {"x": 1, "y": 2}),
    (Pair, [1]),
    (Options, {"deep": True}),
    (dict[tuple[Any, ...], int], {(1, (2, (3,))): 4}),
    (dict[tuple[int, list[int]] | str, int], {"a": 1}),
    (set[tuple[int, ...]], [[1, 2], [3]]),
    (Literal["a", 1, None], 1),
    (Literal["a"] | Level, 3),
    (Level, 3),
    (float | None, 2),
    (int | float, 2.0),
    (decimal.Decimal, "-0.5"),
    (datetime.timedelta, "P1DT1.5S"),
    (datetime.timedelta, "-pt0.5h"),
    (datetime.datetime, "2020-01-02T03:04:05Z"),
    (datetime.time, "03:04:05+05:30"),
    (uuid.UUID, "12345678123456781234567812345678"),
    (memoryview | None, None),
    (Annotated[str, Meta(pattern="^a", max_length=3)], "abc"),
    (Positive, {"x": 1}),
    (theirs.Ext, theirs.Ext(5, b"x")),
    (Envelope, {"kind": "k", "body": {"a": [1, 2]}}),
    (Raw, [1, {"a": 2}]),
    (int | Raw, 5),
]


@pytest.mark.parametrize(("wanted", "value"), READ, ids=count())
def test_values_are_read_as_msgspec_reads_them(wanted: Any, value: Any) -> None:
    data = theirs.encode(value)
    found, expected = ours.decode(data, type=wanted), theirs.decode(data, type=wanted)
    assert same(found, expected)
    assert same(ours.Decoder(wanted).decode(data), expected)


@pytest.mark.parametrize(
    ("wanted", "text"),
    [
        (int, "12"),
        (Annotated[int, Meta(ge=0)] | None, "7"),
        (Annotated[int, Meta(ge=0)] | Annotated[float, Meta(le=9)], "1.5"),
        (Annotated[int, Meta(ge=0)] | Annotated[float, Meta(le=9)], "5"),
        (int | bool | datetime.date | None, "true"),
        (datetime.datetime, "12.5"),
        (Level, "2"),
    ],
)
def test_text_stands_for_what_it_does_in_msgspec(wanted: Any, text: str) -> None:
    data = theirs.encode(text)
    expected = theirs.decode(data, type=wanted, strict=False)
    found = ours.decode(data, type=wanted, strict=False)
    assert found == expected and type(found) is type(expected)


WRONG: list[tuple[Any, Any]] = [
    (int, "a"),
    (int | None, "a"),
    (bool | str | list[int], 1.5),
    (list[int], [1, "a"]),
    (set[int], [1, "a"]),
    (dict[str, int], {"a": "b"}),
    (dict[str, int], {1: 2}),
    (dict[str, dict[int, list[str]]], {"a": {1: ["x", 5]}}),
    (tuple[int, str], [1, 2]),
    (tuple[int, str], [1]),
    (None, 1),
    (bytes, "a"),
    (memoryview, 1),
    (User, [1]),
    (User, {"userId": "x"}),
    (User, {"tags": []}),
    (list[User], [{"userId": 1, "tags": [1]}]),
    (User, {"userId": 1, "age": -1}),
    (User, {"userId": 1, "age": 150}),
    (User, {"userId": 1, "age": "x"}),
    (Strict, {"a": 1, "b": 2}),
    (Get | Put, {"key": "a"}),
    (Get | Put, {"type": "Del"}),
    (Get | Put, {"type": 5}),
    (list[Get | Put], [{"type": "Put", "key": "a", "value": "b"}]),
    (Get, {"type": "Put"}),
    (Add | Sub, []),
    (Add | Sub, [3]),
    (Add | Sub, ["x"]),
    (Add | Sub, [2, "x"]),
    (Add | Sub, [2]),
    (Chain[str], ["a", ["b", [1]]]),
    (Pair, []),
    (Pair, [1, 2]),
    (Options, {"deep": 1}),
    (Point, {}),
    (Point, {"x": 1, "y": "a"}),
    (Plain, {}),
    (Color, "green"),
    (Color, 5),
    (list[Level], [9]),
    (Level, "x"),
    (Literal["a", 1], "b"),
    (Literal["a"], 2),
    (Annotated[int, Meta(gt=5)], 5),
    (Annotated[int, Meta(multiple_of=5)], 6),
    (Annotated[float, Meta(gt=5)], 5.0),
    (Annotated[float, Meta(le=5)], 5.5),
    (Annotated[str, Meta(min_length=2)], "a"),
    (Annotated[str, Meta(pattern="^a")], "b"),
    (Annotated[bytes, Meta(max_length=2)], b"abc"),
    (Annotated[list[int], Meta(max_length=2)], [1, 2, 3]),
    (Annotated[dict[str, int], Meta(min_length=1)], {}),
    (Annotated[datetime.datetime, Meta(tz=True)], "2020-01-02T03:04:05"),
    (Annotated[datetime.time, Meta(tz=False)], "03:04:05Z"),
    (datetime.datetime, "2020-13-02T03:04:05"),
    (datetime.datetime, [1]),
    (datetime.date, "2020-02-30"),
    (datetime.time, "24:00:00"),
    (datetime.time, "01:02:03+00:60"),
    (datetime.timedelta, "P1"),
    (datetime.timedelta, "PT1.5H1M"),
    (datetime.timedelta, "P1Y"),
    (datetime.timedelta, "5"),
    (datetime.timedelta, 5),
    (datetime.timedelta, 1.5),
    (datetime.timedelta | None, 5),
    (list[datetime.timedelta | bool], [5]),
    (dict[datetime.timedelta, int], {5: 1}),
    (Annotated[datetime.timedelta, Meta()], 5),
    (datetime.timedelta, "P1000000000D"),
    (uuid.UUID, "1234567-1234-1234-1234-1234567890abc"),
    (uuid.UUID, b"12345678"),
    (decimal.Decimal, "1..5"),
    (decimal.Decimal, [1]),
    (theirs.Ext, 1),
    (User, {5: 1, "userId": 1}),
    (User, {"userId": 1, None: 1}),
    (User | str, {b"userId": 1}),
    (list[User], [{"userId": 1, (1, 2): 1}]),
    (Strict, {"a": 1, 5: 2}),
    (Strict | None, {True: 2}),
    (Get | Put, {"type": "Get", "key": "a", 1.5: 2}),
    (Plain, {5: 1}),
    (Options, {-1: 1}),
    (dict[str, Point], {"a": {5: 1}}),
    (Positive, {"x": -1}),
    (list[Positive], [{"x": -1}]),
    (Custom, 1),
    (list[Custom], ["a"]),
]


def error_of(call: Callable[..., Any], *arguments: Any, **keywords: Any) -> BaseException:
    try:
        call(*arguments, **keywords)
    except BaseException as error:
        return error
    raise AssertionError("nothing was raised")


@pytest.mark.parametrize(("wanted", "value"), WRONG, ids=count())
def test_errors_have_the_words_of_msgspec(wanted: Any, value: Any) -> None:
    data = theirs.encode(value)
    error = error_of(ours.Decoder(wanted).decode, data)
    expected = error_of(theirs.Decoder(wanted).decode, data)
    assert (type(error), str(error)) == (type(expected), str(expected))
    assert type(error.__cause__) is type(expected.__cause__)


STAMPS = [
    # Of no such length, of 10^9 nanoseconds, and after the year 9999.
    b"\xd5\xff\0\0",
    b"\xd7\xff\xff\xff\xff\xff\0\0\0\0",
    b"\xc7\x0c\xff\xff\xff\xff\xff" + bytes(8),
    b"\xc7\x0c\xff\0\0\0\0\x7f" + bytes(7),
]


@pytest.mark.parametrize("stamp", STAMPS, ids=bytes.hex)
def test_timestamps_at_fault_have_the_words_of_msgspec(stamp: bytes) -> None:
    for before, after in ((b"", b""), (b"\x92\x01", b""), (b"\x81\xa1a", b""), (b"\x81", b"\1")):
        data = before + stamp + after
        types: list[Any] = [Any, int | datetime.datetime, list[Any], list[int | datetime.datetime]]
        types += [dict[str, datetime.datetime], dict[datetime.datetime, int]]
        for wanted in types:
            expected = error_of(theirs.decode, data, type=wanted)
            if before and "Expected" in str(expected):
                continue  # of a type that what is around does not fit
            error = error_of(ours.decode, data, type=wanted)
            words = str(expected).replace(": nanoseconds out of range", "")
            if typing.get_origin(wanted) is not dict:
                # Without its type it is not known for a key.
                words = words.replace(" - at `key` in `$`", "")
            assert (type(error), str(error)) == (type(expected), words)


def test_timestamps_have_the_nearest_microsecond() -> None:
    for nanoseconds in (0, 1, 499, 500, 501, 1499, 1500, 999_999_499, 999_999_500, 999_999_999):
        data = packord.packb(packord.Timestamp(1_700_000_000, nanoseconds))
        for wanted in (Any, datetime.datetime):
            assert ours.decode(data, type=wanted) == theirs.decode(data, type=wanted)


def test_values_that_are_too_deep_have_the_words_of_msgspec() -> None:
    for is_list in (True, False):
        value: Any = 1
        for _ in range(2000):
            value = [value] if is_list else {"a": value}
        data = b"\x91" * 2000 if is_list else b"\x81\xa1a" * 2000
        words = "maximum recursion depth exceeded while"
        with pytest.raises(RecursionError, match=f"^{words} serializing an object$"):
            ours.encode(value)
        with pytest.raises(RecursionError, match=f"^{words} deserializing an object$"):
            ours.decode(data)


@pytest.mark.parametrize(
    "data", [b"", b"\x92\x01", b"\x01\x02", b"\xc1", b"\x81\x80\x01", b"\xd4\xff\x01"]
)
@pytest.mark.parametrize("wanted", [Any, list[int] | datetime.datetime | int])
def test_errors_of_bytes_are_those_of_msgspec(data: bytes, wanted: Any) -> None:
    error = error_of(ours.decode, data, type=wanted)
    expected = error_of(theirs.decode, data, type=wanted)
    assert type(error) is type(expected)
    if data == b"\x01\x02" and wanted is Any:
        assert str(error) == str(expected)


@pytest.mark.parametrize(
    "wanted",
    [
        1,
        int | Custom | str,
        User | Strict,
        User | Point,
        list[int] | tuple[str],
        Color | str,
        Literal[()],
        Literal[1.5],
        Annotated[int, Meta(pattern="a")],
    ],
    ids=repr,
)
def test_types_that_msgspec_refuses_are_refused(wanted: Any) -> None:
    error = error_of(ours.Decoder, wanted)
    expected = error_of(theirs.Decoder, wanted)
    assert (type(error), str(error)) == (type(expected), str(expected))


def test_hooks_are_called_as_there() -> None:
    values = [range(3), collections.deque([1]), Custom(1), 1j]
    asked: list[Any] = []

    def keep(obj: Any) -> str:
        asked.append(obj)
        return "h"

    packed = ours.encode(values, enc_hook=keep)
    assert packed == b"\x94" + b"\xa1h" * 4
    assert asked == values
    assert ours.decode(b"\x05", type=Custom, dec_hook=lambda cls, value: cls(value)) == Custom(5)
    data = ours.encode(ours.Ext(5, b"ab"))
    assert ours.decode(data) == ours.Ext(5, b"ab")
    kept = ours.decode(data, ext_hook=lambda code, payload: (code, type(payload), bytes(payload)))
    assert kept == (5, memoryview, b"ab")


@pytest.mark.parametrize("module", [ours, theirs], ids=["ours", "theirs"])
def test_what_hooks_raise_passes(module: Any) -> None:
    class Mine(Exception):
        pass

    def fails(*_: Any) -> Any:
        raise Mine("mine")

    data = module.encode(module.Ext(5, b""))
    calls: list[Callable[[], Any]] = [
        lambda: module.encode(1j, enc_hook=fails),
        lambda: module.Encoder(enc_hook=fails).encode_into([1j], bytearray()),
        lambda: module.decode(data, ext_hook=fails),
        lambda: module.decode(b"\x91\x01", type=list[Custom], dec_hook=fails),
    ]
    for call in calls:
        error = error_of(call)
        assert type(error) is Mine and error.__cause__ is None
    wrapped = error_of(module.decode, b"\x91\x01", type=list[Custom], dec_hook=lambda *_: int("x"))
    assert type(wrapped) is msgspec.ValidationError
    assert isinstance(wrapped.__cause__, ValueError)
    assert str(wrapped).endswith(" - at `$[0]`")


def test_errors_of_packing_are_those_of_msgspec() -> None:
    endless: list[Any] = []
    endless.append(endless)
    for value in (Custom(1), 1j, 2**64, -(2**63) - 1, endless, {"a": [Custom(1)]}):
        error, expected = error_of(ours.encode, value), error_of(theirs.encode, value)
        assert isinstance(error, type(expected))
        if type(expected) in (TypeError, OverflowError):
            assert str(error) == str(expected)
    text: Any
    for text in ("\ud800", ["\ud800"], {"\ud800": 1}, {"a": "\ud800"}):
        assert type(error_of(ours.encode, text)) is UnicodeEncodeError
        into = ours.Encoder().encode_into
        assert type(error_of(into, text, bytearray())) is UnicodeEncodeError
    for wanted in (Any, str, dict[str, int]):
        data = b"\x81\xa1\xff\x01" if wanted == dict[str, int] else b"\xa1\xff"
        assert type(error_of(theirs.decode, data, type=wanted)) is UnicodeDecodeError
        assert type(error_of(ours.decode, data, type=wanted)) is UnicodeDecodeError


class Kinds(msgspec.Struct, tag_field="kind", tag="t"):
    kind: int = msgspec.field(name="k2", default=1)


def test_an_attribute_may_be_called_as_the_tag() -> None:
    data = theirs.encode({"kind": "t", "k2": 5})
    assert ours.decode(data, type=Kinds) == theirs.decode(data, type=Kinds) == Kinds(5)


FORMATS: list[tuple[dict[str, Any], Any]] = [
    ({"decimal_format": "number"}, [decimal.Decimal("1.5")]),
    ({"decimal_format": lambda value: [str(value)]}, {"a": decimal.Decimal("1.50")}),
    ({"uuid_format": "hex"}, uuid.UUID(int=7)),
    ({"uuid_format": "bytes"}, [uuid.UUID(int=7)]),
    ({"order": "deterministic"}, {"b": {"z", "y", "x"}, "a": 1}),
    (
        {"order": "sorted"},
        [User(1), Slim(5, [1]), Point(1, 2), Plain(3), Pair(1), {"b": 1, "a": 2}],
    ),
]


@pytest.mark.parametrize(("keywords", "value"), FORMATS, ids=count())
def test_formats_and_orders(keywords: dict[str, Any], value: Any) -> None:
    encoder = ours.Encoder(**keywords)
    assert encoder.encode(value) == theirs.Encoder(**keywords).encode(value)
    assert {name: getattr(encoder, name) for name in keywords} == keywords


@pytest.mark.parametrize(
    "keywords",
    [{"enc_hook": 1}, {"decimal_format": "x"}, {"uuid_format": 1}, {"order": "x"}],
    ids=repr,
)
def test_settings_that_msgspec_refuses_are_refused(keywords: dict[str, Any]) -> None:
    error = error_of(ours.Encoder, **keywords)
    expected = error_of(theirs.Encoder, **keywords)
    assert (type(error), str(error)) == (type(expected), str(expected))


def test_names_and_arguments_are_those_of_msgspec() -> None:
    names = {name for name in vars(theirs) if not name.startswith("_")}
    assert set(ours.__all__) == names
    for name in ("encode", "decode", "Encoder.encode", "Encoder.encode_into", "Decoder.decode"):
        mine: Any = ours
        other: Any = theirs
        for part in name.split("."):
            mine, other = getattr(mine, part), getattr(other, part)
        assert list(inspect.signature(mine).parameters) == list(inspect.signature(other).parameters)
    assert repr(ours.Decoder(list[int])) == repr(theirs.Decoder(list[int]))
    decoder = ours.Decoder[int](int, strict=False)
    assert (decoder.type, decoder.strict, decoder.dec_hook) == (int, False, None)


def raising(error: Exception) -> Callable[[type, Any], Any]:
    def hook(wanted: type, value: Any) -> Any:
        raise error

    return hook


class Refusing(msgspec.Struct):
    a: int

    def __post_init__(self) -> None:
        raise ValueError('no field "a"')


@pytest.mark.parametrize(
    ("wanted", "value", "error"),
    [
        (list[Custom | None], [1], KeyError("k")),
        (list[Custom | None], [1], ValueError("secret reason")),
        (list[Custom | int | None], ["x"], ValueError("secret reason")),
        (dict[str, Custom | None], {"a": 1}, ValueError('bad field "x"')),
        (Refusing | None, {"a": 1}, ValueError("not asked")),
    ],
    ids=count(),
)
def test_what_code_raises_passes_through_unions(wanted: Any, value: Any, error: Exception) -> None:
    data, hook = theirs.encode(value), raising(error)
    found = error_of(ours.decode, data, type=wanted, dec_hook=hook)
    expected = error_of(theirs.decode, data, type=wanted, dec_hook=hook)
    assert (type(found), str(found)) == (type(expected), str(expected))


@pytest.mark.parametrize("data", [b"", b"\xc1", b"\x01\x02"])
def test_raw_bytes_that_are_not_one_message_are_refused(data: bytes) -> None:
    with pytest.raises(msgspec.EncodeError, match="not one message"):
        ours.encode([Raw(data)])


def test_the_class_of_a_struct_is_refused() -> None:
    for value in (Refusing, [Refusing]):
        with pytest.raises(TypeError):
            ours.encode(value)
        with pytest.raises(packord.MsgpackEncodeError):
            packord.packb(value)


def test_errors_leave_no_cycles() -> None:
    gc.collect()
    gc.disable()
    try:
        for _ in range(3):
            error_of(ours.decode, b"\xa1a", type=int)
            error_of(ours.encode, 1j)
            error_of(ours.encode, 1j, enc_hook=lambda _: int("x"))
            error_of(ours.decode, b"\x01", type=Custom, dec_hook=lambda *_: int("x"))
        found = gc.collect()
    finally:
        gc.enable()
    assert found == 0


@pytest.mark.parametrize("text", [b"ab\xff", b"a\xe2\x82b", b"\xc3\xa9\xed\xa0", b"ab\xe2"])
def test_text_that_is_not_utf_8_is_told_as_msgspec_tells_it(text: bytes) -> None:
    data = b"\x93\xa1x\x01" + bytes([0xA0 + len(text)]) + text
    with pytest.raises(UnicodeDecodeError) as expected:
        msgspec.msgpack.decode(data)
    for wanted in (Any, list[Any], list[int | str]):
        with pytest.raises(UnicodeDecodeError) as caught:
            ours.decode(data, type=wanted)
        assert caught.value.args == expected.value.args
        assert caught.value.__context__ is None
