"""Names of fields on the wire: given by the class, or by ``rename``; unions of classes."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import typing
from typing import (
    TYPE_CHECKING,
    Annotated,
    Any,
    Generic,
    Literal,
    NamedTuple,
    Optional,
    TypeVar,
    Union,
)

import attrs
import msgspec
import pydantic
import pytest
import typing_extensions
from hypothesis import given
from hypothesis import strategies as st

import packord
from packord import Field, packb, unpackb

if TYPE_CHECKING:
    from decimal import Decimal as Unresolved

T = TypeVar("T")
RENAMED = {
    "camel": ["ID", "ln", "zipCode", "_x"],
    "pascal": ["ID", "ln", "ZipCode", "_X"],
    "kebab": ["ID", "ln", "zip-code", "_x"],
    "snake": ["ID", "ln", "zip_code", "_x"],
}


@dataclasses.dataclass
class Data:
    user_id: Annotated[int, Field(name="ID")]
    long_name: str = dataclasses.field(default="n", metadata={"packord_name": "ln"})
    zip_code: str = "z"
    _x: int = 1


@dataclasses.dataclass(frozen=True)
class Slotted:
    __slots__ = ("_x", "long_name", "user_id", "zip_code")
    user_id: Annotated[int, Field(name="ID")]
    long_name: Annotated[str, "other", Field("ln")]
    zip_code: str
    _x: int


@attrs.define
class Defined:
    user_id: Annotated[int, Field(name="ID")]
    long_name: str = attrs.field(default="n", metadata={"packord_name": "ln"})
    zip_code: str = "z"
    _x: int = 1


class Named(NamedTuple):
    user_id: Annotated[int, Field(name="ID")]
    long_name: Annotated[str, Field("ln")] = "n"
    zip_code: str = "z"


class Typed(typing_extensions.TypedDict):
    user_id: Annotated[int, Field(name="ID")]
    long_name: typing_extensions.NotRequired[Annotated[str, Field("ln")]]
    zip_code: Annotated[typing_extensions.NotRequired[str], "no name"]


OBJECTS = [Data(5), Slotted(5, "n", "z", 1), Defined(5)]


@pytest.mark.parametrize("value", OBJECTS)
@pytest.mark.parametrize("rename", [*RENAMED, None, str.upper])
@pytest.mark.parametrize("option", [{}, {"records": True}, {"canonical": True}])
def test_names_go_both_ways(value: Any, rename: Any, option: Any) -> None:
    packed = packb(value, rename=rename, **option)
    plain = unpackb(packed, **option)
    if rename is str.upper:
        names = ["ID", "ln", "ZIP_CODE", "_X"]
    else:
        names = RENAMED[rename or "snake"]
    assert sorted(plain) == sorted(names)
    assert unpackb(packed, type=type(value), rename=rename, **option) == value
    if rename is None and not option:
        assert packb(value) == packed and unpackb(packed, type=type(value)) == value


def test_names_of_tuples_and_dicts_are_read() -> None:
    packed = packb({"ID": 1, "ln": "l", "zipCode": "c"})
    assert unpackb(packed, type=Named, rename="camel") == Named(1, "l", "c")
    expected = {"user_id": 1, "long_name": "l", "zip_code": "c"}
    assert unpackb(packed, type=Typed, rename="camel") == expected


def test_words_of_a_name() -> None:
    @dataclasses.dataclass
    class Words:
        userName: int = 0
        HTTPServer_2: int = 0
        __dunder_: int = 0

    def names(rename: Any) -> list[str]:
        return list(unpackb(packb(Words(), rename=rename)))

    assert names("snake") == ["user_name", "http_server_2", "_words_dunder"]
    assert names("camel") == ["userName", "httpServer2", "_wordsDunder"]
    assert names("pascal") == ["UserName", "HttpServer2", "_WordsDunder"]
    assert names("kebab") == ["user-name", "http-server-2", "_words-dunder"]


def test_a_path_has_the_names_of_the_wire() -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpackb(packb([{"ID": "x"}]), type=list[Data])
    assert caught.value.path == "$[0].ID"
    with pytest.raises(packord.MsgpackDecodeError, match='missing field "ID"'):
        unpackb(packb({"user_id": 1}), type=Data)
    with pytest.raises(packord.MsgpackDecodeError, match='unknown field "user_id"'):
        unpackb(packb({"ID": 1, "user_id": 1}), type=Data, forbid_unknown_fields=True)
    with pytest.raises(packord.MsgpackEncodeError) as failed:
        packb([Data(1, long_name=object())])  # type: ignore[arg-type]
    assert failed.value.path == "$[0].ln"


def test_two_fields_of_one_name_are_refused() -> None:
    @dataclasses.dataclass
    class Twice:
        a_b: int = 1
        aB: int = 2

    @dataclasses.dataclass
    class Outer:
        inner: list[Twice]

    Outer.__annotations__["inner"] = list[Twice]
    with pytest.raises(TypeError, match=r"\$\.inner\[\]: two fields of Twice are named 'aB'"):
        packord.Decoder(Outer, rename="camel")
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packb([Twice()], rename="camel")
    assert "two fields of Twice" in str(caught.value.__cause__)
    assert unpackb(packb(Twice())) == {"a_b": 1, "aB": 2}


def test_options_that_mean_nothing_are_refused() -> None:
    wrong: Any = [({"rename": "Camel"}, ValueError, "rename must be one of 'camel'")]
    wrong += [({"tag": 5}, TypeError, "tag must be a str")]
    for keywords, error, text in wrong:
        with pytest.raises(error, match=text):
            packord.Encoder(**keywords)
        with pytest.raises(error, match=text):
            packord.Decoder(int, **keywords)
    with pytest.raises(TypeError, match="the name of a field is a str"):
        Field(5)  # type: ignore[arg-type]
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packb(Data(1), rename=lambda name: None)  # type: ignore[arg-type]
    assert "rename must return a str" in str(caught.value.__cause__)


def test_names_of_annotations_that_cannot_be_resolved() -> None:
    @dataclasses.dataclass
    class Late:
        cost: Annotated[list[Unresolved], Field("price")]
        other: Unresolved | None = None

    assert unpackb(packb(Late([]))) == {"price": [], "other": None}


def test_a_name_that_cannot_be_resolved_is_not_lost() -> None:
    import packord as local

    @dataclasses.dataclass
    class Lost:
        cost: Annotated[int, local.Field("price")]

    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packb(Lost(1))
    assert "the names of Lost's fields need local" in str(caught.value.__cause__)


def test_the_metadata_of_other_packages_renames_nothing() -> None:
    """xsdata and others keep the name of an element of XML there."""
    other = {"name": "other", "alias": "other"}
    field, attribute = dataclasses.field(metadata=other), attrs.field(metadata=other)
    for cls in (
        dataclasses.make_dataclass("Element", [("x", int, field)]),
        attrs.make_class("Element", {"x": attribute}),
    ):
        data = packb(cls(1))
        assert unpackb(data) == {"x": 1}
        assert unpackb(data, type=cls) == cls(1)


def test_default_is_not_asked_for_attrs_and_structs() -> None:
    for value in (Defined(5), msgspec.defstruct("Point", ["x"])(5)):
        assert packb(value, default=lambda value: 1 / 0) == packb(value)


# Unions.


@dataclasses.dataclass
class Cat:
    meow: int
    age: int = 0


@dataclasses.dataclass
class Dog:
    bark: int
    age: int = 0
    kids: list[Cat | Dog] = dataclasses.field(default_factory=list)


@attrs.define
class LoudCat:
    meow: int
    volume: Annotated[int, Field("vol")]


class Bird(typing_extensions.TypedDict):
    wings: int


class Cow(pydantic.BaseModel):
    kind: Literal["cow"] = "cow"


@dataclasses.dataclass
class Circle:
    kind: Literal["circle"]
    r: int


@dataclasses.dataclass
class Square:
    kind: Literal["square", "rectangle"]
    r: int


class Side(enum.Enum):
    LEFT = "left"


@dataclasses.dataclass
class OfSide:
    kind: Side
    r: int


PETS: list[Any] = [Cat(1), Dog(2, 3, [Cat(4), Dog(5)]), LoudCat(1, 2), {"wings": 2}]
Pet = Union[Cat, Dog, LoudCat, Bird]


@pytest.mark.parametrize("pet", PETS)
def test_shapes_tell_classes_apart(pet: Any) -> None:
    assert unpackb(packb(pet), type=Pet) == pet
    assert unpackb(packb([pet]), type=list[Pet]) == [pet]
    assert unpackb(packb([pet, None]), type=list[Union[Pet, None]]) == [pet, None]
    records = packb([pet, pet], records=True)
    assert unpackb(records, type=list[Pet], records=True) == [pet, pet]


PETS_BUILT: Any = st.deferred(
    lambda: (
        st.builds(Cat, st.integers(0, 9), st.integers(0, 9))
        | st.builds(Dog, st.integers(0, 9), st.integers(0, 9), st.lists(PETS_BUILT, max_size=2))
    )
)


@given(PETS_BUILT, st.booleans())
def test_any_pet_comes_back(pet: Any, tagged: bool) -> None:
    tag = "class" if tagged else None
    assert unpackb(packb(pet, tag=tag), type=Union[Cat, Dog], tag=tag) == pet


TAGS: list[Any] = [*"abcdefgh", "i" * 40, "é", "", 1, 200, -1, True]
# Few tags are compared as bytes, many are looked up.
TAGGED = [
    [dataclasses.make_dataclass(f"T{at}", [("kind", Literal[tag]), ("x", int)]) for at, tag in tags]
    for tags in (list(enumerate(TAGS)), list(enumerate(TAGS))[8:], list(enumerate(TAGS))[:2])
]


@pytest.mark.parametrize("classes", TAGGED)
def test_a_tag_is_found_wherever_it_is(classes: list[Any]) -> None:
    union: Any = Union[tuple(classes)]
    decoder = packord.Decoder(list[union])
    for cls in classes:
        (tag,) = typing.get_args(cls.__annotations__["kind"])
        entries = {"kind": tag, "x": 5, "other": [{"kind": "none"}]}
        for order in itertools.permutations(entries):
            value = packb([{key: entries[key] for key in order}])
            assert decoder.decode(value) == [cls(tag, 5)]
            for end in range(len(value)):
                with pytest.raises(packord.MsgpackDecodeError) as caught:
                    decoder.decode(value[:end])
                assert (caught.value.kind, caught.value.offset) == ("eof", end)


def test_a_tag_that_comes_twice_with_two_values_is_refused() -> None:
    entries = [packb("kind") + packb(tag) for tag in ("circle", "rectangle")]
    for first, second in itertools.product(entries, repeat=2):
        data = b"\x83" + first + packb("r") + b"\x01" + second
        if first == second:
            assert unpackb(data, type=Union[Circle, Square]).r == 1
        else:
            with pytest.raises(packord.MsgpackDecodeError, match="unknown variant"):
                unpackb(data, type=Union[Circle, Square])


@pytest.mark.parametrize(
    ("value", "path", "text"),
    [
        ({}, "$", "no class of the union"),
        ({"age": 1}, "$", "no class of the union"),
        ({"meow": 1, "bark": 1}, "$", "several classes of the union"),
        ({"bark": 1, "kids": [{"meow": 1}, {"x": 1}]}, "$.kids[1]", "no class of the union"),
        ([], "$", "found array"),
    ],
)
@pytest.mark.parametrize("records", [False, True])
def test_maps_of_no_shape_are_refused(value: Any, path: Any, text: str, records: bool) -> None:
    with pytest.raises(packord.MsgpackDecodeError, match=text) as caught:
        unpackb(packb(value, records=records), type=Union[Cat, Dog], records=records)
    assert caught.value.path == path


def test_what_stays_ambiguous_is_refused_with_its_path() -> None:
    @dataclasses.dataclass
    class Holder:
        pets: dict[str, list[Any]]

    for union in (Union[Cat, Defaults], Union[Defaults, Cat], Union[Cat, Dog, SameCat]):
        Holder.__annotations__["pets"] = dict[str, list[union]]  # type: ignore[valid-type]
        with pytest.raises(TypeError, match=r"\$\.pets\{\}\[\]: .*Cat.* can't be told apart"):
            packord.Decoder(Holder)
    with pytest.raises(TypeError, match="Cow needs a field with a Literal"):
        packord.Decoder(Union[Cow, Cat])


@dataclasses.dataclass
class SameCat:
    meow: int
    other: int = 0


@dataclasses.dataclass
class Defaults:
    meow: int = 0


def test_literals_tell_classes_apart() -> None:
    union: Any = Union[Circle, Square, OfSide, Cow]
    values = [Circle("circle", 1), Square("rectangle", 2), OfSide(Side.LEFT, 3), Cow()]
    for value in values:
        packed = packb(value)
        assert unpackb(packed, type=union) == value
    with pytest.raises(packord.MsgpackDecodeError, match='unknown variant "hexagon"'):
        unpackb(packb({"kind": "hexagon", "r": 1}), type=union)
    renamed = packb(Circle("circle", 1), rename="pascal")
    assert unpackb(renamed, type=Union[Circle, Square], rename="pascal") == values[0]


def test_structs_tell_themselves_apart() -> None:
    class Get(msgspec.Struct, tag=True):
        key: str

    class Put(msgspec.Struct, tag=True):
        key: str

    value = Put("k")
    packed = packb(value)
    assert unpackb(packed) == {"type": "Put", "key": "k"}
    assert unpackb(packed, type=Union[Get, Put]) == value
    assert unpackb(packed, type=Union[Get, Put, int]) == value

    class Plain(msgspec.Struct):
        key: str

    with pytest.raises(TypeError):
        packord.Decoder(Union[Get, Plain])


class Base(Generic[T]):
    pass


@dataclasses.dataclass
class First(Base[T]):
    value: T


@dataclasses.dataclass
class Second(Base[T]):
    value: T
    type: str = ""


@pytest.mark.parametrize("options", [{}, {"rename": "pascal"}, {"records": True}])
def test_an_option_tags_every_class(options: Any) -> None:
    union: Any = list[Union[First[int], Second[str], Defaults, SameCat]]
    values = [First(1), Second("a"), Defaults(), SameCat(1)]
    packed = packb(values, tag="@", **options)
    plain = unpackb(packed, records="records" in options)
    assert [next(iter(item.items())) for item in plain] == [
        ("@", "First"),
        ("@", "Second"),
        ("@", "Defaults"),
        ("@", "SameCat"),
    ]
    assert unpackb(packed, type=union, tag="@", forbid_unknown_fields=True, **options) == values
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpackb(packb(["x"]), type=union, tag="@")
    assert caught.value.path == "$[0]"


def test_the_tag_of_a_single_class_is_checked() -> None:
    packed = packb(Cat(1), tag="type")
    assert unpackb(packed, type=Cat, tag="type") == Cat(1)
    assert unpackb(packb(Cat(1)), type=Cat, tag="type") == Cat(1)
    with pytest.raises(packord.MsgpackDecodeError, match='unknown variant "Cat"') as caught:
        unpackb(packed, type=SameCat, tag="type")
    assert caught.value.path == "$.type"


def test_a_field_with_the_name_of_the_tag_stays() -> None:
    assert unpackb(packb(Second(1, "t"), tag="type")) == {"value": 1, "type": "t"}
    assert unpackb(packb(Circle("circle", 1), tag="kind")) == {"kind": "circle", "r": 1}
    with pytest.raises(TypeError, match="can't be told apart"):
        packord.Decoder(Union[First[int], Second[int]], tag="type")


class Chain(NamedTuple):
    value: int
    next: Optional[Chain] = None


def test_unions_of_a_type_and_its_values() -> None:
    for wanted in (Union[Literal["a", "b"], str], Optional[Literal["a", None]]):
        assert unpackb(packb("a"), type=wanted) == "a"
    assert unpackb(packb("c"), type=Union[Literal["a"], str]) == "c"
    assert unpackb(packb(None), type=Optional[Literal["a", None]]) is None
    with pytest.raises(packord.MsgpackDecodeError):
        unpackb(packb("c"), type=Optional[Literal["a", None]])
    chain = Chain(1, Chain(2))
    assert unpackb(packb(chain), type=Chain) == chain
    assert unpackb(packb({"value": 1, "next": {"value": 2}}), type=Chain) == chain
    assert unpackb(packb([[1, 2], [1, 2], 3]), type=set[Any]) == {(1, 2), 3}


def test_none_is_the_type_of_nil() -> None:
    for read in (packord.Decoder(None).decode, lambda data: unpackb(data, type=None)):
        assert read(b"\xc0") is None
        with pytest.raises(packord.MsgpackDecodeError, match="expected nil"):
            read(b"\x01")
    assert packord.Decoder().decode(b"\x01") == unpackb(b"\x01", type=...) == 1
    with pytest.raises(packord.MsgpackDecodeError, match="dec_hook returned int"):
        unpackb(b"\x01", type=complex, dec_hook=lambda cls, value: value)


def test_names_at_fault_say_why() -> None:
    @dataclasses.dataclass
    class Two:
        a_b: int
        aB: int

    with pytest.raises(packord.MsgpackEncodeError, match="two fields of Two are named"):
        packb(Two(1, 2), rename="camel")
    with pytest.raises(packord.MsgpackEncodeError, match="by zero"):
        packb(Two(1, 2), rename=lambda name: str(1 // 0))
