"""The examples of ormsgpack's documentation, with the module's name changed."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import uuid
import zoneinfo
from typing import Any

import numpy
import pytest

import packord.compat.ormsgpack as ormsgpack


def test_quickstart() -> None:
    data = {
        "type": "job",
        "created_at": datetime.datetime(1970, 1, 1),
        "status": "🆗",
        "payload": numpy.array([[1, 2], [3, 4]]),
    }
    packed = ormsgpack.packb(data, option=ormsgpack.OPT_NAIVE_UTC | ormsgpack.OPT_SERIALIZE_NUMPY)
    assert packed == (
        b"\x84\xa4type\xa3job\xaacreated_at\xb91970-01-01T00:00:00+00:00\xa6status\xa4\xf0\x9f\x86\x97"
        b"\xa7payload\x92\x92\x01\x02\x92\x03\x04"
    )
    assert ormsgpack.unpackb(packed) == {
        "type": "job",
        "created_at": "1970-01-01T00:00:00+00:00",
        "status": "🆗",
        "payload": [[1, 2], [3, 4]],
    }


def decimal_default(obj: Any) -> Any:
    if isinstance(obj, decimal.Decimal):
        return str(obj)
    raise TypeError


NUMBER = decimal.Decimal("0.0842389659712649442845")


def test_default() -> None:
    with pytest.raises(TypeError) as caught:
        ormsgpack.packb(NUMBER)
    assert str(caught.value) == "Type is not msgpack serializable: decimal.Decimal"
    assert ormsgpack.packb(NUMBER, default=decimal_default) == b"\xb80.0842389659712649442845"
    with pytest.raises(ormsgpack.MsgpackEncodeError) as caught:
        ormsgpack.packb({1, 2}, default=decimal_default)
    assert str(caught.value) == "Type is not msgpack serializable: set"
    packed = ormsgpack.packb({"set": {1, 2}}, default=lambda _: None)
    assert packed == b"\x81\xa3set\xc0"
    assert ormsgpack.unpackb(packed) == {"set": None}


def test_ext() -> None:
    packed = ormsgpack.packb(NUMBER, default=lambda obj: ormsgpack.Ext(0, str(obj).encode()))
    assert packed == b"\xc7\x18\x000.0842389659712649442845"

    def ext_hook(tag: int, data: bytes) -> Any:
        if tag == 0:
            return decimal.Decimal(data.decode())
        raise TypeError

    assert ormsgpack.unpackb(packed, ext_hook=ext_hook) == NUMBER


EPOCH = datetime.datetime(1970, 1, 1)


def test_datetime_options() -> None:
    assert ormsgpack.packb(EPOCH) == b"\xb31970-01-01T00:00:00"
    utc = ormsgpack.packb(EPOCH, option=ormsgpack.OPT_NAIVE_UTC)
    assert utc == b"\xb91970-01-01T00:00:00+00:00"
    micro = EPOCH.replace(microsecond=1)
    assert ormsgpack.packb(micro) == b"\xba1970-01-01T00:00:00.000001"
    omitted = ormsgpack.packb(micro, option=ormsgpack.OPT_OMIT_MICROSECONDS)
    assert omitted == b"\xb31970-01-01T00:00:00"
    aware = EPOCH.replace(tzinfo=datetime.timezone.utc)
    assert ormsgpack.packb(aware) == b"\xb91970-01-01T00:00:00+00:00"
    assert ormsgpack.packb(aware, option=ormsgpack.OPT_UTC_Z) == b"\xb41970-01-01T00:00:00Z"
    adelaide = zoneinfo.ZoneInfo("Australia/Adelaide")
    moment = datetime.datetime(2018, 12, 1, 2, 3, 4, 9, tzinfo=adelaide)
    assert ormsgpack.packb(moment) == b"\xd9 2018-12-01T02:03:04.000009+10:30"
    assert ormsgpack.packb(datetime.time(12, 0, 15, 290)) == b"\xaf12:00:15.000290"
    assert ormsgpack.packb(datetime.date(1900, 1, 2)) == b"\xaa1900-01-02"


def test_non_str_keys() -> None:
    key = uuid.UUID("7202d115-7ff3-4c81-a7c1-2a1f067b1ece")
    packed = ormsgpack.packb({key: [1, 2, 3]}, option=ormsgpack.OPT_NON_STR_KEYS)
    assert packed == b"\x81\xd9$7202d115-7ff3-4c81-a7c1-2a1f067b1ece\x93\x01\x02\x03"
    option = ormsgpack.OPT_NON_STR_KEYS | ormsgpack.OPT_NAIVE_UTC
    packed = ormsgpack.packb({EPOCH: [1, 2, 3]}, option=option)
    assert packed == b"\x81\xb91970-01-01T00:00:00+00:00\x93\x01\x02\x03"


def test_passthrough_big_int() -> None:
    with pytest.raises(TypeError, match="^Integer exceeds 64-bit range$"):
        ormsgpack.packb(2**65)
    packed = ormsgpack.packb(
        2**65,
        option=ormsgpack.OPT_PASSTHROUGH_BIG_INT,
        default=lambda _: {"type": "bigint", "value": str(_)},
    )
    assert packed == b"\x82\xa4type\xa6bigint\xa5value\xb436893488147419103232"


@dataclasses.dataclass
class User:
    id: str
    name: str
    password: str


@dataclasses.dataclass
class Member:
    id: int
    active: bool = dataclasses.field(default=False)


@dataclasses.dataclass
class Object:
    id: int
    name: str
    members: list[Member]


def test_dataclass() -> None:
    user = User("3b1", "asd", "zxc")
    assert ormsgpack.packb(user) == b"\x83\xa2id\xa33b1\xa4name\xa3asd\xa8password\xa3zxc"
    option = ormsgpack.OPT_PASSTHROUGH_DATACLASS
    with pytest.raises(TypeError, match="^Type is not msgpack serializable: User$"):
        ormsgpack.packb(user, option=option)
    packed = ormsgpack.packb(user, option=option, default=lambda u: {"id": u.id, "name": u.name})
    assert packed == b"\x82\xa2id\xa33b1\xa4name\xa3asd"
    nested = Object(1, "a", [Member(1, True), Member(2)])
    assert ormsgpack.packb(nested) == (
        b"\x83\xa2id\x01\xa4name\xa1a\xa7members\x92\x82\xa2id\x01\xa6active\xc3\x82\xa2id\x02\xa6active\xc2"
    )


def test_passthrough_datetime() -> None:
    def default(obj: Any) -> str:
        return str(obj.strftime("%a, %d %b %Y %H:%M:%S GMT"))

    value = {"created_at": EPOCH}
    option = ormsgpack.OPT_PASSTHROUGH_DATETIME
    with pytest.raises(TypeError, match="Type is not msgpack serializable: datetime.datetime"):
        ormsgpack.packb(value, option=option)
    packed = ormsgpack.packb(value, option=option, default=default)
    assert packed == b"\x81\xaacreated_at\xbdThu, 01 Jan 1970 00:00:00 GMT"


class Secret(str):
    pass


def test_passthrough_subclass() -> None:
    option = ormsgpack.OPT_PASSTHROUGH_SUBCLASS
    assert ormsgpack.packb(Secret("zxc")) == b"\xa3zxc"
    with pytest.raises(TypeError, match="Type is not msgpack serializable: Secret"):
        ormsgpack.packb(Secret("zxc"), option=option)
    packed = ormsgpack.packb(Secret("zxc"), option=option, default=lambda _: "******")
    assert packed == b"\xa6******"


def test_passthrough_tuple() -> None:
    value = (9193, "test", 42)
    assert ormsgpack.packb(value) == b"\x93\xcd#\xe9\xa4test*"
    packed = ormsgpack.packb(
        value,
        option=ormsgpack.OPT_PASSTHROUGH_TUPLE,
        default=lambda _: {"type": "tuple", "value": list(_)},
    )
    assert packed == b"\x82\xa4type\xa5tuple\xa5value\x93\xcd#\xe9\xa4test*"


def test_sort_keys() -> None:
    assert ormsgpack.packb({"b": 1, "c": 2, "a": 3}) == b"\x83\xa1b\x01\xa1c\x02\xa1a\x03"
    option = ormsgpack.OPT_SORT_KEYS
    assert (
        ormsgpack.packb({"b": 1, "c": 2, "a": 3}, option=option)
        == b"\x83\xa1a\x03\xa1b\x01\xa1c\x02"
    )
    packed = ormsgpack.packb({"a": 1, "ä": 2, "A": 3}, option=option)
    assert packed == b"\x83\xa1A\x03\xa1a\x01\xa2\xc3\xa4\x02"


class DatetimeEnum(enum.Enum):
    EPOCH = EPOCH


class Custom:
    def __init__(self, val: int) -> None:
        self.val = val


class CustomEnum(enum.Enum):
    ONE = Custom(1)


def test_enum() -> None:
    assert ormsgpack.packb(DatetimeEnum.EPOCH) == b"\xb31970-01-01T00:00:00"
    packed = ormsgpack.packb(DatetimeEnum.EPOCH, option=ormsgpack.OPT_NAIVE_UTC)
    assert packed == b"\xb91970-01-01T00:00:00+00:00"
    assert ormsgpack.packb(CustomEnum.ONE, default=lambda obj: obj.val) == b"\x01"


def test_numpy_and_uuid() -> None:
    array = numpy.array([[1, 2, 3], [4, 5, 6]])
    packed = ormsgpack.packb(array, option=ormsgpack.OPT_SERIALIZE_NUMPY)
    assert packed == b"\x92\x93\x01\x02\x03\x93\x04\x05\x06"
    assert ormsgpack.packb(uuid.UUID("f81d4fae-7dec-11d0-a765-00a0c91e6bf6")) == (
        b"\xd9$f81d4fae-7dec-11d0-a765-00a0c91e6bf6"
    )
    named = uuid.uuid5(uuid.NAMESPACE_DNS, "python.org")
    assert ormsgpack.packb(named) == b"\xd9$886313e1-3b8a-5372-9b90-0c9aee199e5d"
