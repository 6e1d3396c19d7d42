"""Lax reading: ``strict=False``."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import math
import re
import uuid
from typing import Annotated, Any, Literal, Optional, Union

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

import packord
from packord import packb, unpackb

UTC = datetime.timezone.utc


class Level(enum.IntEnum):
    LOW = 1


class Letter(enum.Enum):
    A = "a"


class Grade(enum.Enum):
    A = 2.5
    B = True


@dataclasses.dataclass
class Form:
    age: int
    active: bool
    score: float = 0.0
    level: Level = Level.LOW
    seen: Optional[datetime.datetime] = None


class Struct(msgspec.Struct):
    age: int


class Own:
    def __init__(self, text: str) -> None:
        self.text = text


READ: list[tuple[Any, Any, Any]] = [
    (int, "12", 12),
    (int, "-12", -12),
    (int, "+012", 12),
    (int, 12.0, 12),
    (int, "9007199254740993.0", 2**53 + 1),
    (int, "1e5", 100_000),
    (float, "1.5e3", 1500.0),
    (float, "-.5", -0.5),
    (float, "7", 7.0),
    (float, 7, 7.0),
    (float, "inf", math.inf),
    (bool, "TRUE", True),
    (bool, "0", False),
    (bool, 1, True),
    (type(None), "null", None),
    (Optional[int], "NULL", None),
    (Optional[int], "5", 5),
    (datetime.datetime, 86_400, datetime.datetime(1970, 1, 2, tzinfo=UTC)),
    (datetime.datetime, "86400.5", datetime.datetime(1970, 1, 2, 0, 0, 0, 500_000, tzinfo=UTC)),
    (datetime.datetime, "2020-01-01", datetime.datetime(2020, 1, 1)),
    (datetime.timedelta, "90", datetime.timedelta(seconds=90)),
    (datetime.timedelta, "PT90S", datetime.timedelta(seconds=90)),
    (decimal.Decimal, "1.50", decimal.Decimal("1.50")),
    (uuid.UUID, str(uuid.UUID(int=5)), uuid.UUID(int=5)),
    (Level, "1", Level.LOW),
    (Grade, "2.5", Grade.A),
    (Grade, "true", Grade.B),
    (Literal[1, "x", None], "1", 1),
    (Literal[1, "1"], "1", "1"),
    (Literal["a", None], "NULL", None),
    (Literal[1, True], "TRUE", True),
    # With `Any` a union has no other types.
    (Optional[Any], "a", "a"),
    (Optional[Any], "null", "null"),
    (Optional[object], "1", "1"),
    (Union[int, Any], "1", "1"),
    (Union[int, Any], 1.0, 1.0),
    (Union[bool, Any], 1, 1),
    (Union[float, Any], 1, 1),
    (Union[datetime.datetime, Any], "5", "5"),
    (Union[datetime.datetime, Any], 5, 5),
    (Union[datetime.date, Any], "a", "a"),
    (Union[datetime.date, Any], "2020-01-01", "2020-01-01"),
    (Union[Level, Any], 2, 2),
    (Union[Level, Any], "1", "1"),
    (Union[Form, Any], {"a": "1"}, {"a": "1"}),
    (dict[str, Optional[Any]], {"a": "b"}, {"a": "b"}),
    (dict[int, bool], {"3": "false"}, {3: False}),
    (list[int], ["1", 2.0, 3], [1, 2, 3]),
    (tuple[int, float], ["1", "2"], (1, 2.0)),
    (Struct, {"age": "5"}, Struct(5)),
    (Form, {"age": "3", "active": "true", "level": "1", "seen": 0},
     Form(3, True, 0.0, Level.LOW, datetime.datetime(1970, 1, 1, tzinfo=UTC))),
    # What a type takes as it is comes before what stands for another.
    (Union[int, str], "12", "12"),
    (Union[int, float], 12.0, 12.0),
    (Union[int, float], 12, 12),
    (Union[int, float], "12", 12),
    (Union[int, float], "1.5", 1.5),
    (Union[bool, int], 1, 1),
    (Union[bool, float], 5, 5.0),
    (Union[bool, None], "null", None),
    (Union[datetime.datetime, str], "5", "5"),
    (Union[datetime.datetime, int], 5, 5),
    (Union[datetime.datetime, str], "2020-01-01", datetime.datetime(2020, 1, 1)),
    (set[int], ["1"], {1}),
]  # fmt: skip
REFUSED: list[tuple[Any, Any]] = [
    (int, "1.5"),
    (int, "1e-99999999"),
    (int, "1e99999999"),
    (int, "inf"),
    (int, "nan"),
    (int, "1_0"),
    (int, " 1"),
    (int, ""),
    (int, "١"),
    (int, 1.5),
    (int, math.inf),
    (int, math.nan),
    (int, True),
    (int, "9" * 5000),
    (float, "1_0"),
    (float, "0x1"),
    (float, "."),
    (bool, "yes"),
    (bool, 2),
    (bool, 1.0),
    (type(None), "none"),
    (str, 5),
    (bytes, "x"),
    (datetime.datetime, 1e300),
    (datetime.datetime, True),
    (datetime.timedelta, True),
    (Union[int, Literal["a"]], "b"),
    (Optional[Level], "2"),
    (datetime.datetime, "inf"),
    (datetime.timedelta, "nan"),
    (Level, "2"),
    (Literal["a"], 1),
]


def same(value: Any, expected: Any) -> bool:
    return type(value) is type(expected) and value == expected


@pytest.mark.parametrize(("wanted", "value", "expected"), READ)
@pytest.mark.parametrize("records", [False, True])
def test_text_and_numbers_stand_for_other_types(
    wanted: Any, value: Any, expected: Any, records: bool
) -> None:
    packed = packord.packb(value, records=records)
    assert same(unpackb(packed, type=wanted, strict=False, records=records), expected)
    assert unpackb(packb([value]), type=list[wanted], strict=False) == [expected]


@pytest.mark.parametrize(("wanted", "value"), REFUSED)
def test_what_stands_for_nothing_is_refused(wanted: Any, value: Any) -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        unpackb(packb([{"a": value}]), type=list[dict[str, wanted]], strict=False)
    assert (caught.value.kind, caught.value.path) == ("type_mismatch", "$[0].a")


@pytest.mark.parametrize(
    ("wanted", "value"), [(int, "1"), (int, 1.0), (bool, 1), (type(None), "null"), (Level, "1")]
)
def test_nothing_stands_for_another_type_unless_asked(wanted: Any, value: Any) -> None:
    with pytest.raises(packord.MsgpackDecodeError):
        unpackb(packb(value), type=wanted)
    with pytest.raises(packord.MsgpackDecodeError):
        unpackb(packb(value), type=wanted, strict=True)


NUMBERS = st.integers(-(2**63), 2**63 - 1) | st.floats(allow_nan=False) | st.booleans()


@given(NUMBERS | st.none())
def test_the_text_of_a_value_is_the_value(value: Any) -> None:
    text = "null" if value is None else str(value).lower()
    assert same(unpackb(packb(text), type=type(value), strict=False), value)


@given(st.text(st.sampled_from("0123456789+-.eE_ infNaTrue"), max_size=8))
@example("-0")
def test_text_is_read_as_msgspec_reads_it(text: str) -> None:
    for wanted in (int, float, bool):
        try:
            expected: Any = msgspec.convert(text, wanted, strict=False)
        except msgspec.ValidationError:
            continue
        ours = unpackb(packb(text), type=wanted, strict=False)
        assert same(ours, expected) or re.search("nan", text, re.IGNORECASE)


Positive = Annotated[int, msgspec.Meta(ge=0)]
UNIONS: list[tuple[Any, str, Any]] = [
    (Union[int, datetime.date], "1", 1),
    (Union[int, datetime.date], "2020-01-02", datetime.date(2020, 1, 2)),
    (Union[int, float], "1", 1),
    (Union[int, float], "1.0", 1.0),
    (Union[bool, int], "1", 1),
    (Union[bool, int], "true", True),
    (Union[None, datetime.date], "null", None),
    (Union[None, int, str], "1", "1"),
    (Union[Positive, Annotated[float, msgspec.Meta(le=9)]], "1", 1),
    (Union[Positive, Annotated[float, msgspec.Meta(le=9)]], "1.5", 1.5),
    (Union[Positive, None], "null", None),
    (Union[Literal[1], str], "1", "1"),
    (Union[Literal["a", 1], str], "b", "b"),
    (Union[Literal[1, None], str], "null", "null"),
    (Union[Level, str], "x", "x"),
    (Optional[Literal["a"]], "null", None),
    (Optional[Literal["a"]], "a", "a"),
    (Optional[Level], "null", None),
    (Optional[Level], "1", Level.LOW),
    (Union[int, Literal["x"]], "1", 1),
    (Union[int, Literal["x"]], "x", "x"),
    (Union[Literal["a"], int, None], "5", 5),
    (Union[Literal["a"], int, None], "null", None),
    (Union[Literal[1], float], "1", 1),
    (Union[Literal["a", 1], float], "1.5", 1.5),
    (Union[Level, float], "1", Level.LOW),
    (Union[Level, Letter], "1", Level.LOW),
    (Union[Level, Letter], "a", Letter.A),
    (Union[Level, datetime.datetime], "1", Level.LOW),
    (Union[Level, decimal.Decimal], "1.50", decimal.Decimal("1.50")),
    (Optional[Any], "null", "null"),
    (Union[Positive, datetime.date], "2020-01-02", datetime.date(2020, 1, 2)),
]


@pytest.mark.parametrize(("wanted", "text", "value"), UNIONS)
def test_text_in_unions_is_read_as_msgspec_reads_it(wanted: Any, text: str, value: Any) -> None:
    data = packord.packb(text)
    found = packord.unpackb(data, type=wanted, strict=False)
    assert found == value and type(found) is type(value)
    other = msgspec.msgpack.decode(data, type=wanted, strict=False)
    assert other == found and type(other) is type(found)


NUMBERS_IN_UNIONS: list[tuple[Any, Any, Any]] = [
    (Union[datetime.datetime, float], 5, 5.0),
    (Union[datetime.datetime, int], 5.0, 5),
    (Union[datetime.datetime, bool], 1, True),
    (Union[datetime.datetime, Level], 1, Level.LOW),
    (Union[bool, float], 1, 1.0),
    (Union[Level, float], 1.0, 1.0),
]


@pytest.mark.parametrize(("wanted", "number", "value"), NUMBERS_IN_UNIONS)
def test_numbers_in_unions_are_read_as_msgspec_reads_them(
    wanted: Any, number: Any, value: Any
) -> None:
    data = packord.packb(number)
    assert same(packord.unpackb(data, type=wanted, strict=False), value)
    assert same(msgspec.msgpack.decode(data, type=wanted, strict=False), value)


def test_dec_hook_gets_the_text_of_an_optional_value() -> None:
    def hook(cls: Any, value: Any) -> Any:
        return cls(value)

    for text in ("x", "null", "1"):
        options: Any = {"type": Optional[Own], "strict": False, "dec_hook": hook}
        found = packord.unpackb(packb(text), **options)
        assert found.text == msgspec.msgpack.decode(packb(text), **options).text == text
