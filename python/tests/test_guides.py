"""Each row of the guides for users of msgpack and msgspec, checked with both packages."""

from __future__ import annotations

import codecs
import collections
import dataclasses
import datetime
import importlib.metadata
import io
import pathlib
import re
from collections.abc import Callable
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import attrs
import msgpack
import msgspec
import numpy
import pydantic
import pytest

import packord
import packord.compat.msgpack as compat
import packord.compat.msgspec as structs

DOCS = Path(__file__).resolve().parent / "linked" / "docs"
MOMENT = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=datetime.timezone.utc)
CHECKS: dict[str, dict[str, Callable[[], None]]] = {
    "from-msgpack-python.md": {},
    "from-msgspec.md": {},
}


def rows(guide: str) -> list[str]:
    """The first cells of the tables of a guide, without the heads."""
    lines = (DOCS / guide).read_text().splitlines()
    tables = [
        (line, after)
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if line.startswith("| ")
    ]
    return [
        line.split(" | ")[0].removeprefix("| ")
        for line, after in tables
        if not after.startswith("|---")
    ]


def row(guide: str, *starts: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    """Says which rows a function checks, by how they begin."""

    def keep(check: Callable[[], None]) -> Callable[[], None]:
        CHECKS[guide].update(dict.fromkeys(starts, check))
        return check

    return keep


def of_msgpack(*starts: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    return row("from-msgpack-python.md", *starts)


def of_msgspec(*starts: str) -> Callable[[Callable[[], None]], Callable[[], None]]:
    return row("from-msgspec.md", *starts)


def raises(kind: str, function: Callable[..., Any], *arguments: Any, **options: Any) -> None:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        function(*arguments, **options)
    assert caught.value.kind == kind


@of_msgpack("`unicode_errors` when reading")
def handlers_of_errors() -> None:
    bad = b"\xa1\xff"
    for handler in ("replace", "ignore", "surrogateescape", "backslashreplace"):
        assert compat.unpackb(bad, unicode_errors=handler) == msgpack.unpackb(
            bad, unicode_errors=handler
        )
    codecs.register_error("a handler of its own", codecs.lookup_error("ignore"))
    assert msgpack.unpackb(bad, unicode_errors="a handler of its own") == ""
    with pytest.raises(ValueError):
        compat.unpackb(bad, unicode_errors="a handler of its own")
    for handler in ("ignore", "replace", "surrogatepass"):
        assert compat.packb("a\ud800", unicode_errors=handler) == msgpack.packb(
            "a\ud800", unicode_errors=handler
        )


def calls_before_the_end(module: Any) -> int:
    seen: list[Any] = []
    unpacker = module.Unpacker(object_hook=seen.append)
    unpacker.feed(b"\x92\x81\xa1a\x01")
    with pytest.raises(module.OutOfData):
        unpacker.unpack()
    return len(seen)


@of_msgpack("hooks of a message that is not whole yet")
def hooks_of_the_beginning() -> None:
    assert (calls_before_the_end(msgpack), calls_before_the_end(compat)) == (1, 0)


@of_msgpack("`skip` of a message that is not whole yet")
def skip_what_is_there() -> None:
    for module, error in ((msgpack, msgpack.OutOfData), (compat, UnicodeDecodeError)):
        unpacker = module.Unpacker()
        unpacker.feed(b"\x92\xa1\xff")
        with pytest.raises(error):
            unpacker.skip()


@of_msgpack("`skip` after an error in a message that is not whole")
def skip_after_an_error() -> None:
    def skipped(module: Any) -> bool:
        unpacker = module.Unpacker()
        unpacker.feed(b"\x93\x81\x01\x02")
        with pytest.raises((ValueError, module.OutOfData)):
            unpacker.unpack()
        try:
            unpacker.skip()
        except module.OutOfData:
            return False
        return True

    assert (skipped(msgpack), skipped(compat)) == (True, False)


@of_msgpack("`__module__` of the functions and classes")
def modules() -> None:
    names = {compat.packb.__module__, compat.ExtType.__module__, compat.Timestamp.__module__}
    assert all(name.split(".")[0] == "packord" for name in names)
    assert msgpack.packb.__module__.startswith("msgpack")


@of_msgpack("an array as a key, with `strict_map_key=False`")
def arrays_as_keys() -> None:
    data = b"\x81\x91\x01\x02"
    with pytest.raises(TypeError):
        msgpack.unpackb(data, strict_map_key=False)
    found = msgpack.unpackb(data, strict_map_key=False, use_list=False)
    assert found == compat.unpackb(data, strict_map_key=False) == {(1,): 2}


@of_msgpack("`pack_map_pairs` that fails, with `autoreset=False`")
def pairs_that_fail() -> None:
    def kept(module: Any) -> bytes:
        packer: Any = module.Packer(autoreset=False)
        packer.pack(5)
        with pytest.raises(TypeError):
            packer.pack_map_pairs([(1, object())])
        return bytes(packer.bytes())

    assert (kept(msgpack)[:2], kept(compat)) == (b"\x05\x81", b"\x05")


@of_msgpack("`memoryview` of objects or of pointers")
@of_msgspec("`memoryview` of objects or of pointers")
def buffers_of_addresses() -> None:
    objects: Any = numpy.array([object()])
    view = memoryview(objects)
    for pack in (msgpack.packb, msgspec.msgpack.encode):
        assert pack(view) == pack(bytes(view))
    assert compat.packb(view, default=len) == structs.encode(view, enc_hook=len) == b"\x01"
    for pack in (compat.packb, structs.encode):
        with pytest.raises(TypeError):
            pack(view)


@of_msgpack("`Packer.__init__`, called again")
def packers_that_are_made_again() -> None:
    theirs, mine = msgpack.Packer(), compat.Packer()
    theirs.__init__(use_bin_type=False)
    assert theirs.pack(b"x") == b"\xa1x"
    with pytest.raises(RuntimeError):
        mine.__init__(use_bin_type=False)  # type: ignore[misc]
    assert mine.pack(b"x") == compat.packb(b"x")


@of_msgpack("pure Python, PyPy")
def native_alone() -> None:
    classifiers = importlib.metadata.metadata("packord").get_all("Classifier") or []
    assert "Programming Language :: Python :: Implementation :: CPython" in classifiers
    assert not any("PyPy" in name for name in classifiers)


@of_msgpack("`packb(obj, default=f)`")
def default_is_second() -> None:
    assert packord.packb(object(), default=lambda _: 5) == msgpack.packb(
        object(), default=lambda _: 5
    )


@of_msgpack("keys that are not str")
def other_keys() -> None:
    packed = packord.packb({1: 2})
    assert packed == msgpack.packb({1: 2})
    assert packord.unpackb(packed) == msgpack.unpackb(packed, strict_map_key=False)


@of_msgpack("`datetime=True`, `timestamp=3`")
def datetimes() -> None:
    packed = packord.packb(MOMENT)
    assert packed == msgpack.packb(MOMENT, datetime=True)
    assert packord.unpackb(packed) == msgpack.unpackb(packed, timestamp=3) == MOMENT


@of_msgpack("`use_single_float=True`")
def short_floats() -> None:
    assert packord.packb([1.5, 0.1], float32=True) == (
        b"\x92" + msgpack.packb(1.5, use_single_float=True) + msgpack.packb(0.1)
    )


@of_msgpack("`unpackb(data, ext_hook=f)`")
def ext_hooks() -> None:
    packed = msgpack.packb(msgpack.ExtType(5, b"ab"))
    for module in (msgpack, packord):
        assert module.unpackb(packed, ext_hook=lambda code, data: (code, bytes(data))) == (5, b"ab")


@of_msgpack("`use_list=False`, `raw=True`")
def options_of_a_decoder() -> None:
    data = b"\x94\1\x91\xa1\xff\x81\xa1k\1\xd7\xff\0\0\0\x18\0\0\0\5"
    found = packord.unpackb(data, tuples=True, utf8="raw", timestamps="timestamp")
    expected = msgpack.unpackb(data, use_list=False, raw=True)
    assert found[:2] == expected[:2] == (1, (b"\xff",))
    assert (found[3].seconds, found[3].nanoseconds) == (5, 6)
    for option in ("object_hook", "object_pairs_hook", "list_hook"):
        hook: dict[str, Any] = {option: lambda value: ("hooked", len(value))}
        assert packord.Decoder(**hook).decode(msgpack.packb([{"a": 1}])) == msgpack.unpackb(
            msgpack.packb([{"a": 1}]), **hook
        )


@of_msgpack("`max_str_len` and the other lengths")
def limits() -> None:
    for name, value in (
        ("max_str_len", "abc"),
        ("max_bin_len", b"abc"),
        ("max_array_len", [1, 2, 3]),
    ):
        limit: dict[str, Any] = {name: 2}
        raises("length_limit", packord.Decoder(**limit).decode, msgpack.packb(value))
        with pytest.raises(ValueError):
            msgpack.unpackb(msgpack.packb(value), **limit)


@of_msgpack("`max_buffer_size`")
def buffer_limit() -> None:
    unpacker = packord.Unpacker(max_buffer=4)
    unpacker.feed(b"\1" * 20)
    assert list(unpacker) == [1] * 20
    unpacker.feed(msgpack.packb("longer"))
    raises("length_limit", unpacker.unpack)


@of_msgpack("`Unpacker(file)`, `feed`, `unpack`, `skip`")
def unpackers() -> None:
    data = msgpack.packb([1, 2]) + msgpack.packb({"a": 1}) + b"\1\2"

    def steps(module: Any) -> list[Any]:
        unpacker = module.Unpacker(io.BytesIO(data))
        found = [unpacker.read_array_header(), unpacker.unpack()]
        unpacker.skip()
        found += [
            unpacker.tell(),
            unpacker.read_map_header(),
            unpacker.read_bytes(2),
            unpacker.unpack(),
        ]
        return [*found, list(unpacker)]

    assert steps(packord) == steps(msgpack)


@of_msgpack("a stream that is cut short")
def cut_streams() -> None:
    assert list(msgpack.Unpacker(io.BytesIO(b"\1\x92\1"))) == [1]
    raises("eof", lambda: list(packord.Unpacker(io.BytesIO(b"\1\x92\1"))))


@of_msgpack("`ExtraData`, `FormatError`, `StackError`")
def one_error() -> None:
    deep = b"\x91" * 2000 + b"\xc0"
    for data, peer, kind in (
        (b"\1\2", msgpack.ExtraData, "trailing_bytes"),
        (b"\xc1", msgpack.FormatError, "reserved_marker"),
        (deep, msgpack.StackError, "depth_limit"),
    ):
        with pytest.raises(peer):
            msgpack.unpackb(data)
        raises(kind, packord.unpackb, data)


@dataclasses.dataclass(slots=True)
class User:
    user_id: int
    name: str = "x"


class Numbers(NamedTuple):
    x: int


class Model(pydantic.BaseModel):
    a: int


class Peer(msgspec.Struct, rename="camel", forbid_unknown_fields=True):
    user_id: int
    name: str = "x"


@dataclasses.dataclass
class Cat:
    kind: Literal["cat"]
    lives: int


@dataclasses.dataclass
class Dog:
    kind: Literal["dog"]
    name: str


@of_msgspec("`msgspec.msgpack.encode(obj)`", "`encode_into(obj, buffer, offset)`")
def encoders() -> None:
    value = {"a": [1, 2.5, object()]}
    expected = msgspec.msgpack.encode(value, enc_hook=lambda _: "hooked")
    assert packord.packb(value, default=lambda _: "hooked") == expected
    assert packord.Encoder(default=lambda _: "hooked").encode(value) == expected
    ours, theirs = bytearray(9), bytearray(9)
    packord.Encoder().encode_into([1, 2], ours, 3)
    msgspec.msgpack.Encoder().encode_into([1, 2], theirs, 3)
    assert ours == theirs


@of_msgspec("`msgspec.msgpack.decode(data, type=T)`", "`Struct`")
def decoders() -> None:
    data = packord.packb(User(7))
    assert packord.unpackb(data, type=User) == packord.Decoder(User).decode(data) == User(7)


@of_msgspec("`ext_hook(code, data)` with a memoryview")
def payloads() -> None:
    data = packord.packb(packord.Ext(5, b"ab"))
    assert msgspec.msgpack.decode(data, ext_hook=lambda code, data: type(data)) is memoryview
    assert packord.unpackb(data, ext_hook=lambda code, data: type(data)) is bytes


@of_msgspec("`Struct(tag=…)` unions")
def unions() -> None:
    assert packord.unpackb(packord.packb(Dog("dog", "Rex")), type=Cat | Dog) == Dog("dog", "Rex")
    tagged = packord.Encoder(tag="type").encode(User(1))
    assert packord.Decoder(User | Cat, tag="type").decode(tagged) == User(1)


@of_msgspec(
    "`rename=…` on the Struct, `field(name=…)`", "`forbid_unknown_fields=True` on the Struct"
)
def names() -> None:
    packed = packord.Encoder(rename="camel").encode(User(1, "a"))
    assert packed == msgspec.msgpack.encode(Peer(1, "a"))
    assert packord.Decoder(User, rename="camel").decode(packed) == User(1, "a")

    @dataclasses.dataclass
    class Named:
        value: Annotated[int, packord.Field(name="v")]

    assert packord.packb(Named(1)) == packord.packb({"v": 1})
    strange = packord.packb({"userId": 1, "other": 2})
    raises(
        "type_mismatch",
        packord.Decoder(User, rename="camel", forbid_unknown_fields=True).decode,
        strange,
    )
    with pytest.raises(msgspec.ValidationError):
        msgspec.msgpack.decode(strange, type=Peer)


@of_msgspec("`strict=False`")
def lax() -> None:
    data = packord.packb("12")
    assert packord.unpackb(data, type=int, strict=False) == 12
    assert msgspec.msgpack.decode(data, type=int, strict=False) == 12


@of_msgspec('`order="deterministic"`')
def orders() -> None:
    value = {"b": 1, "a": 2}
    expected = msgspec.msgpack.encode(value, order="deterministic")
    assert packord.packb(value, sort_keys=True) == expected
    assert packord.packb(value, canonical=True) == expected
    user = User(1)
    assert structs.encode(user, order="deterministic") == packord.packb(user, sort_keys=True)
    packed = msgspec.msgpack.encode(user, order="deterministic")
    assert packed == msgspec.msgpack.encode(user)


@of_msgspec("`datetime` becomes ext −1 when aware")
def moments() -> None:
    packed = packord.packb(MOMENT)
    assert packed == msgspec.msgpack.encode(MOMENT)
    assert packord.unpackb(packed) == MOMENT


@of_msgspec("`Decimal`, `set`, `timedelta`")
def exact_types() -> None:
    for value in (Decimal("1.50"), {1}, datetime.timedelta(seconds=1)):
        plain = msgspec.msgpack.decode(msgspec.msgpack.encode(value))
        assert packord.unpackb(packord.packb(value)) == plain
        packed = packord.packb(value, rich=True)
        read = packord.Decoder(type(value), rich=True).decode(packed)
        assert read == value == packord.unpackb(packed, rich=True)
    assert packord.unpackb(packord.packb(datetime.timedelta(days=2))) == "PT48H"


@of_msgspec("`ValidationError`, `DecodeError`", "`Expected `int`, got `str` - at `$[0]``")
def errors() -> None:
    data = packord.packb(["1"])
    with pytest.raises(
        msgspec.ValidationError, match=re.escape("Expected `int`, got `str` - at `$[0]`")
    ):
        msgspec.msgpack.decode(data, type=list[int])
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, type=list[int])
    assert (caught.value.kind, caught.value.offset, caught.value.path) == (
        "type_mismatch",
        1,
        "$[0]",
    )
    assert "expected an integer, found str" in str(caught.value)


@of_msgspec("`Raw`")
def raw() -> None:
    packed = packord.packb({"a": packord.Fragment(b"\x92\1\2")})
    assert packed == msgspec.msgpack.encode({"a": msgspec.Raw(b"\x92\1\2")})
    found = packord.unpackb(packed, type=dict[str, packord.Fragment])
    assert found["a"].data == b"\x92\1\2" and packord.packb(found) == packed
    assert bytes(packord.unpackb(packed, type=dict[str, msgspec.Raw])["a"]) == b"\x92\1\2"


@of_msgspec("–")
def records() -> None:
    value = [User(1), User(2)]
    packed = packord.Encoder(records=True).encode(value)
    assert len(packed) < len(packord.packb(value)) + 5
    assert packord.Decoder(list[User], records=True).decode(packed) == value


@of_msgspec("`msgspec.msgpack.Ext(code, data)`, codes −128 to 127")
def ext_codes() -> None:
    for code in (-128, 0, 127):
        packed = msgspec.msgpack.encode(msgspec.msgpack.Ext(code, b"ab"))
        if code != -1:
            assert packord.packb(packord.Ext(code, b"ab")) == packed
    with pytest.raises(packord.MsgpackEncodeError):
        packord.packb(packord.Ext(128, b""))


@of_msgspec("fractions of a second below a microsecond, in text")
def nanoseconds() -> None:
    text = packord.packb("00:00:00.0000019")
    assert msgspec.msgpack.decode(text, type=datetime.time).microsecond == 2
    assert structs.decode(text, type=datetime.time).microsecond == 1


@of_msgspec("integers that a `float` cannot hold")
def large_integers() -> None:
    data = packord.packb(2**53 + 1)
    assert msgspec.msgpack.decode(data, type=float) == 2.0**53
    with pytest.raises(msgspec.ValidationError):
        structs.decode(data, type=float)
    raises("out_of_range", packord.unpackb, data, type=float)


def reads(value: Any, wanted: Any, *, theirs: bool) -> None:
    """One of the two modules reads a value into a type, and the other does not."""
    packed = packord.packb(value)
    peer: Any = msgspec.msgpack
    one, other = (peer, structs) if theirs else (structs, peer)
    assert one.decode(packed, type=wanted) is not None
    with pytest.raises(msgspec.ValidationError):
        other.decode(packed, type=wanted)


@of_msgspec("offsets such as `+0530` in a time")
def offsets() -> None:
    reads("01:02:03+0530", datetime.time, theirs=True)


@of_msgspec("weeks in a duration")
def weeks() -> None:
    reads("P2W", datetime.timedelta, theirs=False)


@of_msgspec("a map for a `NamedTuple`")
def maps_for_tuples() -> None:
    reads({"x": 1}, Numbers, theirs=False)


@of_msgspec("types that only `dec_hook` reads")
def types_of_hooks() -> None:
    for value, wanted in ([1], collections.deque), ("a/b", pathlib.Path):
        packed = packord.packb(value)
        asked: list[Any] = []
        msgspec.msgpack.decode(packed, type=wanted, dec_hook=lambda cls, value: cls(value))
        structs.decode(packed, type=wanted, dec_hook=lambda cls, _, asked=asked: asked.append(cls))
        assert asked == []


@of_msgspec("`+1`, `01`, `.5` and `1.` as numbers")
def numbers_as_text() -> None:
    for text, number in ("+1", 1), ("01", 1), (".5", 0.5), ("1.", 1.0):
        data = packord.packb(text)
        assert structs.decode(data, type=type(number), strict=False) == number
        with pytest.raises(msgspec.ValidationError):
            msgspec.msgpack.decode(data, type=type(number), strict=False)


@of_msgspec('`"1"` for `Literal["1", 1]`')
def text_of_a_literal() -> None:
    data, wanted = packord.packb("1"), Literal["1", 1]
    assert msgspec.msgpack.decode(data, type=wanted, strict=False) == 1
    assert structs.decode(data, type=wanted, strict=False) == "1"


@of_msgspec("objects of subclasses of `int`, `str`, `float`, `bytes`, `bytearray`, `Decimal`")
def subclasses() -> None:
    values: list[Any] = [5, "x", 1.5, b"x", bytearray(b"x"), Decimal("1.5"), datetime.time(1)]
    more = [MOMENT, MOMENT.replace(tzinfo=None), MOMENT.date(), datetime.timedelta(1)]
    for value in [*values, *more]:
        derived: Any = type("Derived", (type(value),), {})
        # Those of dates and times are made of parts.
        parts = value.__reduce__()[1] if type(value).__module__ == "datetime" else (value,)
        obj = derived(*parts)
        assert msgspec.msgpack.encode(obj, enc_hook=lambda _: "h") == b"\xa1h"
        assert structs.encode(obj, enc_hook=lambda _: "h") == structs.encode(value)
    for value in [1], (1,), {"a": 1}, {1}, frozenset({1}):
        obj = type("Derived", (type(value),), {})(value)
        assert msgspec.msgpack.encode(obj) == structs.encode(obj) == structs.encode(value)


@of_msgspec("fields of attrs whose names begin with `_`")
def private_fields() -> None:
    cls = attrs.make_class("Private", {"_a": attrs.field()})
    assert msgspec.msgpack.decode(msgspec.msgpack.encode(cls(1))) == {}
    assert msgspec.msgpack.decode(structs.encode(cls(1))) == {"_a": 1}


@of_msgspec("nesting")
def nesting() -> None:
    assert structs.decode(b"\x91" * 1023 + b"\x90")
    with pytest.raises(RecursionError):
        structs.decode(b"\x91" * 1024 + b"\x90")


@of_msgspec("`Raw` that is not one message")
def raw_bytes() -> None:
    raw = msgspec.Raw(b"\x01\x02")
    assert msgspec.msgpack.encode(raw) == b"\x01\x02"
    with pytest.raises(msgspec.EncodeError, match="not one message"):
        structs.encode(raw)


@of_msgspec("text that is not UTF-8, under keys that no field has")
def text_of_unknown_keys() -> None:
    data = b"\x82\xa7user_id\x01\xa1y\xa1\xff"
    assert msgspec.msgpack.decode(data, type=User) == User(1)
    with pytest.raises(UnicodeDecodeError):
        structs.decode(data, type=User)


@of_msgspec("calls with wrong arguments")
def wrong_arguments() -> None:
    wrong: Any = {"extra": 1}
    with pytest.raises(TypeError, match="Extra keyword"):
        msgspec.msgpack.encode(1, **wrong)
    with pytest.raises(TypeError, match="unexpected keyword argument 'extra'"):
        structs.encode(1, **wrong)


@of_msgspec("`enc_hook` is asked for paths")
def what_hooks_are_asked() -> None:
    for value in (pathlib.Path("a"), numpy.int64(1), iter([1]), Model(a=1)):
        assert structs.encode(value, enc_hook=lambda _: "h") == b"\xa1h"
        assert msgspec.msgpack.encode(value, enc_hook=lambda _: "h") == b"\xa1h"
        assert packord.packb(value) != b"\xa1h"


@of_msgspec("`Decoder.type`, `.ext_hook`, `Encoder.enc_hook`")
def attributes() -> None:
    assert msgspec.msgpack.Decoder(int).type is int
    assert not hasattr(packord.Decoder(int), "type")
    assert not hasattr(packord.Decoder(), "ext_hook")
    assert not hasattr(packord.Encoder(), "enc_hook")


@of_msgspec("after an error, `encode_into`")
def half_a_message() -> None:
    def left(encoder: Any) -> bytes:
        buffer = bytearray(b"x" * 6)
        with pytest.raises(TypeError):
            encoder.encode_into([1, object()], buffer)
        return bytes(buffer)

    assert left(packord.Encoder()) == left(structs.Encoder()) == b"x" * 6
    assert left(msgspec.msgpack.Encoder()) != b"x" * 6


@of_msgspec("an exception of a hook passes as it is")
def exceptions_of_hooks() -> None:
    def fails(*_: Any) -> Any:
        raise KeyError("mine")

    data = packord.packb(packord.Ext(5, b""))
    with pytest.raises(KeyError):
        msgspec.msgpack.decode(data, ext_hook=fails)
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        packord.unpackb(data, ext_hook=fails)
    assert isinstance(caught.value.__cause__, KeyError)


@pytest.mark.parametrize(
    ("guide", "cell"), [(guide, cell) for guide in CHECKS for cell in rows(guide)]
)
def test_a_row_of_a_guide_holds(guide: str, cell: str) -> None:
    checks = [check for start, check in CHECKS[guide].items() if cell.startswith(start)]
    assert checks, "no function checks this row"
    for check in checks:
        check()


def test_every_check_has_its_row() -> None:
    for guide, checks in CHECKS.items():
        cells = rows(guide)
        missing = [start for start in checks if not any(cell.startswith(start) for cell in cells)]
        assert missing == []


def test_constraints_of_msgspec_are_checked() -> None:
    raises("type_mismatch", packord.unpackb, b"\xff", type=Annotated[int, msgspec.Meta(ge=0)])
    assert not any(hasattr(packord, name) for name in ("json", "yaml", "toml"))
