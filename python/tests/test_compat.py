"""packord.compat.msgpack against msgpack itself: the same calls, the same answers."""

from __future__ import annotations

import datetime
import decimal
import enum
import functools
import importlib
import io
import re
import uuid
from collections import OrderedDict, namedtuple
from collections.abc import Callable
from typing import Any

import msgpack
import pytest

import packord.compat.msgpack as ours

UTC = datetime.timezone.utc
Point = namedtuple("Point", "x y")


class Odd:
    pass


class Number(int):
    pass


def outcome(call: Any) -> Any:
    try:
        return call()
    except Exception as error:
        wanted = (OverflowError, UnicodeError, ValueError, TypeError, KeyError)
        return next((base for base in wanted if isinstance(error, base)), type(error).__name__)


PACKED: list[Any] = [
    None, 5, -5, 2**64, 1.5, "é", b"x", bytearray(b"x"), memoryview(b"x"), [1], (1, 2), {"a": 1},
    {1: 2}, {(1, 2): 3}, {b"a": 1}, {None: 1}, Point(1, 2), Number(5), Odd(), {1, 2}, "\ud800",
    datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2020, 1, 1), datetime.date(2020, 1, 1),
]  # fmt: skip


NOTHING: dict[str, int] = {}


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"default": lambda obj: "d"},
        {"default": lambda obj: NOTHING["missing"]},
        {"strict_types": True},
        {"datetime": True},
        {"use_single_float": True},
        {"unicode_errors": "replace"},
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("value", PACKED, ids=lambda value: type(value).__name__)
def test_packs_as_msgpack_does(value: Any, options: Any) -> None:
    assert outcome(lambda: ours.packb(value, **options)) == outcome(
        lambda: msgpack.packb(value, **options)
    )


BYTES = [
    b"", b"\x01", b"\x01\x02", b"\xc1", b"\x92\x01", b"\x81\x01\x02", b"\x81\xc4\x01a\x02", b"\xa1\xff",
    b"\xd4\x05x", b"\xd6\xff\x00\x00\x00\x01", b"\xc7\x01\x05x", b"\x92\x01\xa1a", b"\x82\xa1a\x01\xa1a\x02",
]  # fmt: skip


def plain(value: Any) -> Any:
    """The value with each package's own classes as tuples."""
    if type(value).__name__ == "Timestamp":
        return (value.seconds, value.nanoseconds)
    return value


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"raw": True},
        {"strict_map_key": False},
        {"use_list": False},
        {"timestamp": 3},
        {"timestamp": 1},
        {"timestamp": 2},
        {"object_hook": lambda value: sorted(value.items())},
        {"object_pairs_hook": list},
        {"list_hook": tuple},
        {"ext_hook": lambda code, data: (code, data)},
        {"max_array_len": 1},
        {"max_str_len": 0},
        {"unicode_errors": "replace"},
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("data", BYTES, ids=bytes.hex)
def test_unpacks_as_msgpack_does(data: bytes, options: Any) -> None:
    mine = outcome(lambda: plain(ours.unpackb(data, **options)))
    assert mine == outcome(lambda: plain(msgpack.unpackb(data, **options)))


def test_keeps_the_message_and_the_bytes_after_it() -> None:
    with pytest.raises(ours.ExtraData) as caught:
        ours.unpackb(b"\x01\x02\x03")
    assert (caught.value.unpacked, caught.value.extra) == (1, b"\x02\x03")


@pytest.mark.parametrize("module", [msgpack, ours])
def test_streams_behave_as_those_of_msgpack(module: Any) -> None:
    packer = module.Packer(autoreset=False)
    packer.pack_array_header(2)
    packer.pack(1)
    packer.pack({"a": module.ExtType(5, b"x")})
    data = packer.bytes()
    assert data.hex() == "920181a161d40578"
    packer.reset()
    assert packer.bytes() == b""
    file = module.Unpacker(io.BytesIO(data * 2 + data[:-1]))
    assert list(file) == [[1, {"a": module.ExtType(5, b"x")}]] * 2
    fed = module.Unpacker(max_buffer_size=8)
    fed.feed(data)
    with pytest.raises(module.BufferFull):
        fed.feed(b"\x01" * 2)
    assert fed.read_array_header() == 2
    assert fed.unpack() == 1
    assert fed.read_map_header() == 1
    fed.skip()
    assert fed.tell() == 5
    assert fed.read_bytes(3) == b"\xd4\x05x"
    with pytest.raises(module.OutOfData):
        fed.unpack()
    buffer = io.BytesIO()
    module.pack({"a": 1}, buffer)
    assert module.loads(buffer.getvalue()) == {"a": 1}


FAULTY: list[tuple[dict[str, Any], bytes, list[Any]]] = [
    ({}, b"\x01\x92\xa1\xff\x02\x03", [1, None, 3]),
    ({}, b"\x01\xc7\x03\xffabc\x04", [1, None, 4]),
    ({"max_str_len": 1}, b"\x01\xa2ab\x91\xa1b\x02", [1, None, ["b"], 2]),
    ({"max_array_len": 1}, b"\x91\x01\x92\x02\x03\x91\x04", [[1], None, [4]]),
    ({}, b"\x01\x81\xa1a\x01\x81\x05\x06\x02", [1, {"a": 1}, None, 2]),
    ({"timestamp": 3}, b"\x01\xc7\x0c\xff\0\0\0\0\x7f" + bytes(7) + b"\x02", [1, None, 2]),
]


@pytest.mark.parametrize(("options", "data", "wanted"), FAULTY)
def test_a_stream_goes_on_behind_a_message_at_fault(
    options: dict[str, Any], data: bytes, wanted: list[Any]
) -> None:
    """The usual loop, `while True: try … except ValueError: continue`, ends."""
    unpacker, found = ours.Unpacker(**options), list[Any]()
    unpacker.feed(data)
    while len(found) < 20:
        try:
            found.append(unpacker.unpack())
        except ours.OutOfData:
            break
        except (ValueError, OverflowError):
            found.append(None)
    assert found == wanted


@pytest.mark.parametrize("module", [msgpack, ours])
def test_what_is_skipped_is_not_checked(module: Any) -> None:
    unpacker = module.Unpacker(max_str_len=1, max_map_len=0, strict_map_key=True)
    whole = [b"\x05", b"\xa1\xff", b"\xa2ab", b"\x81\x01\x02", b"\x93\x01\xcd\x01\x02\xd4\x05\x00"]
    for message in whole:
        unpacker.feed(message)
        unpacker.skip()
    assert unpacker.tell() == sum(map(len, whole))
    unpacker.feed(b"\x92\x01")
    with pytest.raises(module.OutOfData):
        unpacker.skip()
    unpacker.feed(b"\x02\x03")
    unpacker.skip()
    assert unpacker.unpack() == 3


@pytest.mark.parametrize("module", [msgpack, ours])
def test_names_of_msgpack_are_kept(module: Any) -> None:
    exceptions = importlib.import_module(f"{module.__name__}.exceptions")
    ext = importlib.import_module(f"{module.__name__}.ext")
    assert exceptions.BufferFull is module.BufferFull
    assert exceptions.OutOfData is module.OutOfData
    assert (ext.ExtType, ext.Timestamp) == (module.ExtType, module.Timestamp)
    fallback = importlib.import_module(f"{module.__name__}.fallback")
    unpacker = fallback.Unpacker()
    unpacker.feed(fallback.Packer().pack([1]))
    assert list(unpacker) == [[1]]
    assert module.__version__ == ".".join(map(str, module.version))
    for seconds, nanoseconds in ((5, 0), (5, 7), (2**33, 0), (2**40, 7), (-1, 7)):
        stamp = module.Timestamp(seconds, nanoseconds)
        assert module.Timestamp.from_bytes(stamp.to_bytes()) == stamp
        assert stamp.to_bytes() == msgpack.Timestamp(seconds, nanoseconds).to_bytes()
    packed = module.packb(module.Timestamp(1, 1999))
    moment = datetime.datetime(1970, 1, 1, 0, 0, 1, 1, tzinfo=UTC)
    assert module.unpackb(packed, timestamp=3) == moment
    assert module.unpackb(b"\x92\x01\x02", list_hook=repr, use_list=False) == "(1, 2)"
    with pytest.raises(ValueError, match="read_size"):
        module.Unpacker(io.BytesIO(b""), read_size=100, max_buffer_size=10)
    assert module.unpackb(memoryview(b"\x92a\x01b\x02c")[::2]) == [1, 2]

    class Odd(Exception):
        pass

    def fails(*_: Any) -> Any:
        raise Odd

    for options in ({"object_hook": fails}, {"list_hook": fails}, {"ext_hook": fails}):
        data = {"object_hook": b"\x80", "list_hook": b"\x90", "ext_hook": b"\xd4\x05x"}
        with pytest.raises(Odd):
            module.unpackb(data[next(iter(options))], **options)


class Text(str):
    pass


LEGACY: list[Any] = [
    b"\xff" * 5, b"x" * 40, b"x" * 70_000, {b"k": [b"v", "t", 1.1, (b"y",)]}, "a\udcffb", Text("s"), [2**70],
    {"a": Odd()}, {1.5: b""}, [None, True, -5, 2**63, bytearray(b"b"), memoryview(b"m")],
    datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2020, 1, 1),
]  # fmt: skip


@pytest.mark.parametrize(
    "options",
    [
        {"use_bin_type": False},
        {"use_bin_type": False, "strict_types": True},
        {"use_bin_type": False, "use_single_float": True, "default": lambda obj: [b"d", 0.1]},
        {"unicode_errors": "ignore"},
        {"unicode_errors": "surrogateescape", "datetime": True, "default": lambda obj: None},
        {"datetime": True},
        {"default": lambda obj: obj},
    ],
    ids=" ".join,
)
@pytest.mark.parametrize("value", LEGACY, ids=lambda value: type(value).__name__)
def test_packs_the_old_format_as_msgpack_does(value: Any, options: Any) -> None:
    mine = outcome(lambda: ours.packb(value, **options))
    assert mine == outcome(lambda: msgpack.packb(value, **options))


@pytest.mark.parametrize("module", [msgpack, ours])
def test_errors_are_those_of_msgpack(module: Any) -> None:
    for call in (module.Packer().pack_array_header, module.Packer().pack_map_header):
        with pytest.raises(ValueError, match="size must be non-negative"):
            call(-1)
    with pytest.raises(ValueError, match="where tzinfo=None"):
        module.packb(datetime.datetime(2020, 1, 1), datetime=True)
    naive = datetime.datetime(2024, 4, 16, 8, 43, 9, 4256)
    assert module.Timestamp.from_datetime(naive).to_datetime() == naive.astimezone()
    file = io.BytesIO(module.packb([b"a" * 20] * 2))
    limited = module.Unpacker(file, read_size=1, max_buffer_size=19, max_bin_len=20)
    with pytest.raises(module.BufferFull):
        limited.unpack()
    again: Any = module.Unpacker(ext_hook=lambda code, data: again.feed(b"\xc0"))
    again.feed(b"\xd4\x05A")
    with pytest.raises(RuntimeError):
        again.unpack()


def test_words_of_errors_are_those_of_msgpack() -> None:
    calls: list[Callable[[Any], Any]] = [
        lambda module: module.packb(datetime.datetime(2020, 1, 1)),
        lambda module: module.packb([decimal.Decimal(1)]),
        lambda module: module.packb({"a": 1e300}, use_single_float=True),
        lambda module: module.packb({"a": ["é\ud800"]}),
        lambda module: module.packb(2**64),
        lambda module: module.packb([memoryview(b"abcd")[::2]]),
    ]
    for autoreset in (True, False):
        assert ours.packb(1, autoreset=autoreset) == msgpack.packb(1, autoreset=autoreset)
    for call in calls:
        with pytest.raises((TypeError, OverflowError, UnicodeEncodeError, BufferError)) as theirs:
            call(msgpack)
        with pytest.raises(theirs.type, match=f"^{re.escape(str(theirs.value))}$"):
            call(ours)


@pytest.mark.parametrize("module", [msgpack, ours])
@pytest.mark.parametrize("size", [-1, "a"])
def test_a_size_of_buffers_that_is_none_is_refused(module: Any, size: Any) -> None:
    with pytest.raises((TypeError, ValueError, OverflowError)):
        module.Packer(buf_size=size)


def test_ext_values_without_a_hook_have_the_class_of_the_module() -> None:
    assert ours.unpackb(b"\xd4\x05x", ext_hook=None) == ours.ExtType(5, b"x")


def test_bytes_that_are_kept_and_looked_at_stay() -> None:
    packer = ours.Packer(autoreset=False)
    packer.pack([1])
    view = packer.getbuffer()
    with pytest.raises(BufferError):
        packer.pack(2)
    assert (bytes(view), packer.bytes()) == (b"\x91\x01", b"\x91\x01")
    view.release()
    packer.pack("x" * 300)
    assert packer.bytes() == b"\x91\x01" + ours.packb("x" * 300)


@pytest.mark.parametrize("package", [msgpack, ours])
def test_what_a_hook_raises_keeps_its_context(package: Any) -> None:
    def wrong(_: Any) -> Any:
        try:
            raise KeyError("first")
        except KeyError:
            raise ValueError("of the hook")  # noqa: B904

    calls: list[Any] = [
        lambda: package.packb([Odd()], default=wrong),
        lambda: package.unpackb(b"\x91\x01", list_hook=wrong),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="of the hook") as raised:
            call()
        assert isinstance(raised.value.__context__, KeyError)
        assert not raised.value.__suppress_context__


@pytest.mark.parametrize("package", [msgpack, ours])
def test_what_a_hook_raises_keeps_its_cause(package: Any) -> None:
    def wrong(_: Any) -> Any:
        raise ValueError("of the hook") from KeyError("first")

    message = msgpack.packb([1])
    calls: list[Any] = [
        lambda: package.packb([Odd()], default=wrong),
        lambda: package.unpackb(message, list_hook=wrong),
        lambda: package.Unpacker(io.BytesIO(message), list_hook=wrong).unpack(),
    ]
    for call in calls:
        with pytest.raises(ValueError, match="of the hook") as raised:
            call()
        assert isinstance(raised.value.__cause__, KeyError)


class Colour(str, enum.Enum):
    RED = "red"


class Level(enum.IntEnum):
    HIGH = 50


class Last(dict[Any, Any]):
    """A dict that says of each key the last of its values, as those of web frameworks do."""

    def items(self) -> Any:
        return [(key, values[-1]) for key, values in super().items()]


class Letters(list[Any]):
    def __iter__(self) -> Any:
        return iter("ab")


class Payload(bytes):
    pass


class Ratio(float):
    pass


Pair = namedtuple("Pair", "a b")
MOVED = OrderedDict(a=1, b=2)
MOVED.move_to_end("a")
SUBCLASSES: list[Any] = [
    Colour.RED, Level.HIGH, Last(a=["1", "2"]), Payload(b"x"), Ratio(1.5), MOVED, Pair(1, 2)
]  # fmt: skip


@pytest.mark.parametrize(
    "options", [{}, {"use_bin_type": False}, {"use_single_float": True}], ids=" ".join
)
def test_subclasses_are_packed_as_msgpack_packs_them(options: dict[str, Any]) -> None:
    for value in [*SUBCLASSES, {Colour.RED: 1}, {Level.HIGH: 1}, {Ratio(2.5): [Colour.RED]}]:
        assert ours.packb(value, **options) == msgpack.packb(value, **options), value


def test_keys_are_values_as_in_msgpack() -> None:
    key: Any
    for key in (Pair(1, 2), Payload(b"x"), Ratio(1.5), (1, ("a", None)), 2**63, None, b"x"):
        assert ours.packb({key: 1}) == msgpack.packb({key: 1}), key
    for key in (uuid.UUID(int=1), Plain.A, 1j, frozenset([1])):
        with pytest.raises(TypeError) as theirs:
            msgpack.packb({key: 1})
        with pytest.raises(TypeError) as caught:
            ours.packb({key: 1})
        assert str(caught.value) == str(theirs.value)
        assert ours.packb({key: 1}, default=repr) == msgpack.packb({key: 1}, default=repr)
    for key in (
        Pair(1, 2),
        Payload(b"x"),
        Ratio(1.5),
        Colour.RED,
        Level.HIGH,
        True,
        (1, Colour.RED),
    ):
        for default in (None, repr):
            options: Any = {"default": default, "strict_types": True}
            mine = outcome(functools.partial(ours.packb, {key: 1}, **options))
            assert mine == outcome(functools.partial(msgpack.packb, {key: 1}, **options)), key


class Plain(enum.Enum):
    A = 0


@pytest.mark.parametrize(
    "handler", ["strict", "replace", "ignore", "surrogateescape", "backslashreplace"]
)
def test_text_that_is_not_utf_8_is_read_by_the_handler(handler: str) -> None:
    data = b"\x82\xa3a\xff\xfe\xa1b\xa1k\xa2\xc3("
    several: list[Any] = [
        {"unicode_errors": handler},
        {"unicode_errors": handler, "use_list": False},
    ]
    for options in several:
        if handler == "strict":
            for module in (msgpack, ours):
                with pytest.raises(UnicodeDecodeError):
                    module.unpackb(data, **options)
            continue
        assert ours.unpackb(data, **options) == msgpack.unpackb(data, **options)
        streams = [module.Unpacker(**options) for module in (msgpack, ours)]
        for stream in streams:
            stream.feed(data)
        assert next(streams[0]) == next(streams[1])


def test_a_subclass_has_its_own_pack() -> None:
    class Packer(ours.Packer):
        def pack(self, obj: Any) -> bytes | None:
            return b"own" + (super().pack(obj) or b"")

    assert Packer().pack(1) == b"own\x01"


FITTING = [(b"x" * 80, 90), (b"y" * 20_000, 24_000), (b"z", 3)]


@pytest.mark.parametrize("read_size", [0, 1, 3])
@pytest.mark.parametrize(("payload", "limit"), FITTING)
def test_a_file_is_read_no_further_than_there_is_room(
    payload: bytes, limit: int, read_size: int
) -> None:
    data = msgpack.packb(payload) * 5
    for module in (msgpack, ours):
        file = io.BytesIO(data)
        options = {"read_size": read_size, "max_buffer_size": limit}
        assert list(module.Unpacker(file, **options)) == [payload] * 5


@pytest.mark.parametrize("module", [msgpack, ours])
def test_bytes_as_they_are_have_no_limit(module: Any) -> None:
    unpacker = module.Unpacker(io.BytesIO(b"a" * 300), max_buffer_size=90)
    assert unpacker.read_bytes(200) == b"a" * 200
    assert (unpacker.tell(), unpacker.read_bytes(200), unpacker.tell()) == (200, b"a" * 100, 300)


class Moment(datetime.datetime):
    pass


class Nowhere(datetime.tzinfo):
    def dst(self, _: Any) -> None:
        return None

    def tzname(self, _: Any) -> None:
        return None

    def utcoffset(self, _: Any) -> None:
        return None


@pytest.mark.parametrize("strict", [False, True])
@pytest.mark.parametrize("default", [None, repr])
@pytest.mark.parametrize(
    "value",
    [
        Moment(2020, 1, 1, tzinfo=UTC),
        Moment(2020, 1, 1),
        datetime.datetime(2020, 1, 1, tzinfo=UTC),
        datetime.datetime(2020, 1, 1, tzinfo=Nowhere()),
    ],
    ids=["derived", "derived and naive", "in UTC", "without an offset"],
)
def test_date_times_of_derived_classes_are_left_to_default(
    value: Any, default: Any, strict: bool
) -> None:
    options: Any = {"datetime": True, "default": default, "strict_types": strict}
    for packed in (value, [value], {"a": value}, {value: 1}):
        mine = outcome(functools.partial(ours.packb, packed, **options))
        assert mine == outcome(functools.partial(msgpack.packb, packed, **options))


@pytest.mark.parametrize("module", [msgpack, ours])
def test_a_pack_that_fails_drops_what_was_kept(module: Any) -> None:
    packer = module.Packer(autoreset=False)
    packer.pack([1])
    with pytest.raises(TypeError):
        packer.pack([2, Odd()])
    assert packer.bytes() == b""
    packer.pack(3)
    with pytest.raises(ValueError, match="non-negative"):
        packer.pack_array_header(-1)
    view = packer.getbuffer()
    for change in (packer.reset, lambda: packer.pack(Odd())):
        with pytest.raises(BufferError):
            change()
    assert (bytes(view), packer.bytes()) == (b"\x03", b"\x03")


def test_default_empties_the_dict_whose_key_it_is_asked_for() -> None:
    value: dict[Any, Any] = {2**70: ["x" * 300, {"y": 1}], "z": 1}

    def answer(_: Any) -> str:
        value.clear()
        return str([{"in its place": number} for number in range(100)])

    with pytest.raises(TypeError, match="changed"):
        ours.packb(value, default=answer)
