"""Ext, Timestamp, Fragment, View, ext types, numpy: values of packord's own and how they travel."""

from __future__ import annotations

import datetime
import decimal
import fractions
import gc
import inspect
import math
import pickle
import random
import time
import uuid
import weakref
from typing import Any

import numpy
import pytest

import packord

UTC = datetime.timezone.utc


def test_signatures() -> None:
    assert str(inspect.signature(packord.packb)) == "(obj, /, **options)"
    assert str(inspect.signature(packord.unpackb)) == "(data, /, *, type=Ellipsis, **options)"
    assert packord.packb.__module__ == "packord"
    assert issubclass(packord.MsgpackEncodeError, TypeError)
    assert issubclass(packord.MsgpackDecodeError, ValueError)
    calls: tuple[Any, ...] = (packord.packb, packord.unpackb)
    for call in calls:
        with pytest.raises(packord.MsgpackEncodeError):
            call(b"\x01", nothing=1)
        with pytest.raises(packord.MsgpackDecodeError):
            call(b"\x01", option="x")


@pytest.mark.parametrize(
    "value", [packord.Ext(5, b"x"), packord.Timestamp(1, 2), packord.Fragment(b"\x01")]
)
def test_values_are_values(value: Any) -> None:
    again = pickle.loads(pickle.dumps(value))
    assert again == value and hash(again) == hash(value) and repr(again) == repr(value)
    assert value != 5 and len({value, again}) == 1


def test_refuses_ext_types_out_of_range() -> None:
    for tag in (-128, 127):
        data = packord.packb(packord.Ext(tag, b"abc"))
        assert packord.unpackb(data, ext_hook=packord.Ext) == packord.Ext(tag, b"abc")
    for tag in (-129, 128, 2**100):
        with pytest.raises(packord.MsgpackEncodeError, match="Extension type out of range"):
            packord.Ext(tag, b"")
    with pytest.raises(TypeError):
        packord.Ext(1, "text")  # type: ignore[arg-type]


def test_timestamps_are_exact_for_all_microseconds() -> None:
    base = datetime.datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)
    moments = [base.replace(microsecond=micro) for micro in range(1_000_000)]
    assert packord.unpackb(packord.packb(moments)) == moments


@pytest.mark.parametrize("seed", range(20))
def test_timestamps_of_all_times(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(500):
        moment = datetime.datetime.min.replace(tzinfo=UTC) + datetime.timedelta(
            days=rng.randrange(3_652_058), microseconds=rng.randrange(86_400_000_000)
        )
        zone = datetime.timezone(datetime.timedelta(minutes=rng.randrange(-600, 600)))
        try:
            moment = moment.astimezone(zone)
        except OverflowError:
            continue
        assert packord.unpackb(packord.packb(moment)) == moment
        stamp = packord.Timestamp.from_datetime(moment)
        assert packord.packb(stamp) == packord.packb(moment)
        assert stamp.to_datetime() == moment
        naive = moment.replace(tzinfo=None)
        assert packord.unpackb(packord.packb(naive), type=datetime.datetime) == naive


def test_timestamps_that_no_datetime_can_hold() -> None:
    for stamp in (
        packord.Timestamp(0, 1),
        packord.Timestamp(2**62),
        packord.Timestamp(-(2**63), 5),
    ):
        assert packord.unpackb(packord.packb(stamp)) == stamp
        assert packord.Timestamp.from_unix_nano(stamp.to_unix_nano()) == stamp
    assert packord.Timestamp(1, 5) < packord.Timestamp(1, 6) < packord.Timestamp(2)
    assert packord.Timestamp.from_unix(-0.5) == packord.Timestamp(-1, 500_000_000)
    with pytest.raises(ValueError):
        packord.Timestamp(1, 1_000_000_000)


EXT_VALUES: list[Any] = [
    2**64, -(2**63) - 1, 10**100, -(10**100), decimal.Decimal("1.50"), decimal.Decimal("-0.001"),
    decimal.Decimal("1E+10"), fractions.Fraction(-1, 3), fractions.Fraction(2**70, 3), uuid.UUID(int=7),
    {1, 2, "a"}, frozenset({(1, 2)}), datetime.date(1970, 1, 2), datetime.date(1, 1, 1),
    datetime.time(23, 59, 59, 999999), datetime.timedelta(seconds=1.5), datetime.timedelta(days=-1),
]  # fmt: skip


@pytest.mark.parametrize("value", EXT_VALUES, ids=lambda value: type(value).__name__)
def test_types_as_ext_come_back(value: Any) -> None:
    option: dict[str, Any] = {"rich": True}
    packed = packord.packb([value], **option)
    assert packord.unpackb(packed, **option) == [value]
    assert isinstance(packord.Decoder().decode(packed)[0], packord.Ext)


@pytest.mark.parametrize("text", ["-0", "-0.00", "NaN", "-NaN7", "sNaN", "Infinity", "-Infinity"])
def test_decimals_that_no_ext_holds_are_their_text(text: str) -> None:
    value = decimal.Decimal(text)
    for rich in (True, False):
        packed = packord.packb(value, rich=rich)
        assert packed == packord.packb(text)
        read = packord.unpackb(packed, type=decimal.Decimal, rich=rich)
        assert repr(read) == repr(value)


def test_times_of_day_with_an_offset_come_back() -> None:
    zone = datetime.timezone(datetime.timedelta(hours=5, minutes=30))
    for rich in (True, False):
        for value in (datetime.time(1, 2, 3, 4, zone), datetime.time(1, tzinfo=UTC)):
            packed = packord.packb(value, rich=rich)
            assert packed == packord.packb(value.isoformat())
            read = packord.unpackb(packed, type=datetime.time, rich=rich)
            assert (read, read.utcoffset()) == (value, value.utcoffset())


@pytest.mark.parametrize(
    ("text", "unit"),
    [
        ("2020-01-01T00:00:00.123456789", "ns"),
        ("1969-12-31T23:59:59.000000001", "ns"),
        ("2020-01-01T00:00:00.123456", "us"),
        ("2020-01-01T00:00:00.120", "ns"),
        ("0001-02-03T04:05:06.007", "ms"),
        ("2020-01-01", "D"),
    ],
)
def test_moments_of_numpy_keep_their_nanoseconds(text: str, unit: str) -> None:
    moment: Any = numpy.array(text, f"M8[{unit}]")[()]
    wanted = text + "T00:00:00" * (unit == "D")
    assert packord.unpackb(packord.packb(moment)) == wanted
    array = numpy.array([[moment], [moment]])
    assert packord.unpackb(packord.packb(array)) == [[wanted]] * 2
    back = packord.unpackb(packord.packb(array, rich=True), rich=True)
    assert back.dtype == array.dtype and (back == array).all()


@pytest.mark.parametrize("unit", ["ps", "fs", "as"])
def test_moments_of_numpy_that_are_finer_than_nanoseconds_are_refused(unit: str) -> None:
    moments = numpy.array([1], f"M8[{unit}]")
    for moment in moments[0], moments:
        with pytest.raises(packord.MsgpackEncodeError, match=f"unit: {unit}"):
            packord.packb(moment)


def test_ext_examples_of_the_specification() -> None:
    option: dict[str, Any] = {"rich": True}
    for value, bytes_wanted in (
        (fractions.Fraction(-1, 3), "d553ff03"),
        (decimal.Decimal("1.50"), "c70354020096"),
        (datetime.date(1970, 1, 2), "d65700000001"),
        (datetime.time(0, 0, 1), "d758000000003b9aca00"),
        (datetime.timedelta(seconds=1.5), "c70c591dcd65000000000000000001"),
        (2**64, "c70942010000000000000000"),
    ):
        assert packord.packb(value, **option).hex() == bytes_wanted


@pytest.mark.parametrize("dtype", "i1 i2 i4 i8 u1 u2 u4 u8 f2 f4 f8 ?".split())
@pytest.mark.parametrize("order", ["<", ">"])
def test_numpy_arrays_come_back(dtype: str, order: str) -> None:
    rng = numpy.random.default_rng(1)
    if dtype == "?":
        array = rng.integers(0, 2, (7, 3, 5)).astype(bool)
    elif dtype[0] == "f":
        array = rng.normal(size=(7, 3, 5)).astype(order + dtype)
    else:
        info = numpy.iinfo(dtype)
        shifts = rng.integers(0, info.bits, (7, 3, 5))
        numbers = rng.integers(info.min, info.max, (7, 3, 5), dtype=dtype, endpoint=True)
        array = (numbers >> shifts.astype(dtype)).astype(order + dtype)
        array.flat[:4] = [info.min, info.max, 0, 127]
    packed = packord.packb(array)
    assert packord.unpackb(packed) == array.tolist()
    if dtype[0] != "f":
        assert packed == packord.packb(array.tolist())
    unaligned = numpy.frombuffer(b"\0" + array.tobytes(), array.dtype, offset=1).reshape(
        array.shape
    )
    assert packord.packb(unaligned) == packed
    assert packord.unpackb(packord.packb(array[:, ::2])) == array[:, ::2].tolist()
    if dtype not in ("?", "f2"):
        flat = array.ravel()
        typed = packord.packb(flat, rich=True)
        back = packord.unpackb(typed, rich=True)
        assert back.dtype == flat.dtype and (back == flat).all()
        assert not back.flags.writeable
        copied = packord.unpackb(bytearray(typed), rich=True)
        assert (copied == flat).all()


@pytest.mark.parametrize(
    "array",
    [
        numpy.array(None),
        numpy.array(["a"]),
        numpy.array([1j]),
        numpy.zeros(2, [("a", "i4")]),
        numpy.array([None]),
        numpy.zeros((2, 2), [("a", "i4")])[:, ::2],
        numpy.array(["NaT"], "M8[s]"),
        numpy.array(["300000-01-01"], "M8[D]"),
        numpy.zeros(2, "g"),
    ],
)
def test_numpy_arrays_that_are_refused(array: Any) -> None:
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb({"a": array})
    assert caught.value.path == "$.a"


def test_skip_none_and_float32() -> None:
    value = {"a": None, "b": {"c": None, "d": [None]}}
    assert packord.unpackb(packord.packb(value, skip_nil=True)) == {"b": {"d": [None]}}
    packed = packord.packb([0.5, 0.1, math.inf], float32=True)
    assert packed.hex() == "93ca3f000000cb3fb999999999999aca7f800000"
    assert packord.unpackb(packed) == [0.5, 0.1, math.inf]


def test_a_fragment_is_packed_as_it_is() -> None:
    assert packord.packb([packord.Fragment(b"\x92\x01\x02")]) == b"\x91\x92\x01\x02"
    for data, kind in ((b"", "eof"), (b"\xc1", "reserved_marker"), (b"\x01\x01", "trailing_bytes"), (b"\xa1\xff", "invalid_utf8")):  # fmt: skip
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            packord.Fragment(data)
        assert caught.value.kind == kind
    deep = packord.Fragment(b"\x91" * 1023 + b"\xc0")
    packord.unpackb(packord.packb([deep]))
    with pytest.raises(packord.MsgpackEncodeError):
        packord.packb([[deep]])


def test_encode_into_replaces_the_bytes_after_the_offset() -> None:
    encoder, buffer = packord.Encoder(), bytearray(b"0123456789")
    encoder.encode_into([1], buffer, 2)
    assert buffer == b"01\x91\x01"
    encoder.encode_into(2, buffer, -1)
    assert buffer == b"01\x91\x01\x02"
    with pytest.raises(packord.MsgpackEncodeError):
        encoder.encode_into(object(), buffer)
    assert buffer == b"01\x91\x01\x02"
    view = memoryview(buffer)
    with pytest.raises(BufferError):
        encoder.encode_into([1] * 100, buffer)
    view.release()


VALUE = {"users": [{"id": 1, "name": "é"}, {"id": 2, "tags": [1.5, None]}], "n": 5}


def test_a_view_reads_parts_of_a_message() -> None:
    view = packord.View(packord.packb(VALUE))
    assert view["users"][1]["id"] == 2 == view.get("users", 1, "id")
    assert view.get("users", -1, "tags", 0) == 1.5
    assert view.get("users", 7) is None and view.get("n", "x", default=3) == 3
    assert view["users"][0].unpack() == VALUE["users"][0]  # type: ignore[index]
    assert packord.unpackb(view["users"].packed()) == VALUE["users"]
    assert (len(view), list(view), "n" in view, "x" in view) == (2, ["users", "n"], True, False)
    assert [user["id"] for user in view["users"]] == [1, 2]
    assert (view.kind, view["users"].kind) == ("map", "array")
    for wrong, error in (("x", KeyError),):
        with pytest.raises(error):
            view[wrong]
    with pytest.raises(IndexError):
        view["users"][2]
    with pytest.raises(TypeError):
        view["users"]["a"]
    twice = b"\x82\xa1a\x01\xa1a\x02"
    assert packord.View(twice)["a"] == 1 == packord.View(twice, duplicate_key="first")["a"]
    last = packord.View(twice, duplicate_key="last")
    assert last["a"] == last.get("a") == 2 == packord.unpackb(twice)["a"]


@pytest.mark.parametrize(
    ("data", "fault"),
    [
        # {{"a": 1}: 1, {"b": 1}: 2, {{}: 1}: 3}
        (b"\x83\x81\xa1a\x01\x01\x81\xa1b\x01\x02\x81\x80\x01\x03", ("not_canonical", 11)),
        (b"\x82\x81\xa1a\x01\x01\x81\xa1b\x01\x02", None),
        (b"\x82\x81\xa1b\x01\x01\x81\xa1a\x01\x02", ("not_canonical", 6)),
        (b"\x82\x81\xa1a\x01\x01\x81\xa1a\x01\x02", ("duplicate_key", 6)),
        (b"\x82\x91\x81\x80\x01\x01\x91\x81\x80\x01\x02", ("duplicate_key", 6)),
    ],
)
def test_keys_that_hooks_change_are_compared_as_packed(
    data: bytes, fault: tuple[str, int] | None
) -> None:
    decoder = packord.Decoder(
        canonical=True,
        object_pairs_hook=lambda pairs: 0,
        list_hook=lambda items: 0,
    )
    if fault is None:
        assert decoder.decode(data) == 0
        return
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        decoder.decode(data)
    assert (caught.value.kind, caught.value.offset) == fault


def test_twice_the_same_map_as_key() -> None:
    wide = b"\x82\x81\xa1a\x01\x01\x81\xd9\x01a\xcc\x01\x02"
    lax = packord.Decoder(object_pairs_hook=list)
    assert lax.decode(wide) == [([("a", 1)], 1), ([("a", 1)], 2)]
    strict = packord.Decoder(object_pairs_hook=list, duplicate_key="error")
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        strict.decode(wide)
    assert (caught.value.kind, caught.value.offset) == ("duplicate_key", 6)


@pytest.mark.parametrize("cut", range(1, 45))
def test_a_view_refuses_cut_bytes(cut: int) -> None:
    data = packord.packb(VALUE)
    try:
        packord.View(data[:cut]).get("users", 1, "id")
    except packord.MsgpackDecodeError as error:
        assert (error.kind, error.offset) == ("eof", cut)
    for look in (len, list, packord.View.unpack, packord.View.packed):
        try:
            look(packord.View(data[:cut]))
        except packord.MsgpackDecodeError as error:
            assert error.kind == "eof"


def test_maps_that_share_their_keys() -> None:
    names = [f"key{i}" for i in range(40)]

    def rows(count: int, order: list[str]) -> list[dict[str, Any]]:
        return [{name: [i, name] for name in order[:count]} for i in range(5)]

    for count in (5, 6, 7, 10, 11, 32, 33):
        alike = rows(count, names)
        # The same first key and count, but others from some entry on.
        unlike = [
            {
                **dict.fromkeys(names[:place], "x"),
                **dict.fromkeys(names[place + 1 : count + 1], place),
            }
            for place in range(1, count)
        ]
        value = [*alike, *unlike, *alike, *unlike[::-1], *alike]
        for _ in range(3):
            read = packord.unpackb(packord.packb(value))
            assert read == value
            assert [list(row) for row in read] == [list(row) for row in value]
        for row in read:
            row["more"] = row.pop(names[0])
            assert list(row)[-1] == "more" and len(row) == len({**row})
    long = "k" * 100
    value = [{long + str(i): i for i in range(8)}, {f"é{i}": i for i in range(8)}] * 20
    assert packord.unpackb(packord.packb(value)) == value
    # A key twice, in a shape that is known and in one that isn't.
    entries = [packord.packb(f"key{i % 6}") + packord.packb(i) for i in range(7)]
    twice = b"\x87" + b"".join(entries)
    for _ in range(5):
        assert packord.unpackb(twice) == {"key0": 6, **{f"key{i}": i for i in range(1, 6)}}


def test_maps_that_share_their_keys_are_collected() -> None:
    data = packord.packb([{f"key{i}": [] for i in range(8)}] * 4)
    packord.unpackb(data)
    rows = packord.unpackb(data)
    assert all(map(gc.is_tracked, rows))
    rows[3]["key7"].append(rows)
    alive = weakref.ref(Holder(rows))
    rows[3]["key6"].append(alive())
    del rows
    gc.collect()
    assert alive() is None


class Holder:
    def __init__(self, value: Any) -> None:
        self.value = value


@pytest.mark.parametrize("duplicate_key", ["first", "last"])
def test_view_looks_up_in_any_order(duplicate_key: Any) -> None:
    value = {f"k{i}": [i, {"n": [i]}] for i in range(50)}
    view = packord.View(packord.packb(value), duplicate_key=duplicate_key)
    rng = random.Random(5)
    for _ in range(300):
        number = rng.randrange(60)
        key = f"k{number}"
        assert view.get(key, -1, "n", 0) == (number if number < 50 else None)
        assert (key in view) is (number < 50)
    items = packord.View(packord.packb(list(value.values())))
    order = [rng.randrange(-50, 50) for _ in range(300)]
    assert [items[i][0] for i in order] == [i % 50 for i in order]
    assert items.get(50) is None and len(items) == 50


def test_a_view_reads_what_comes_before_a_fault() -> None:
    view = packord.View(b"\x93\x01\x02\xc1")
    assert [view[1], view[0], view[1]] == [2, 1, 2]
    for _ in range(2):
        with pytest.raises(packord.MsgpackDecodeError) as caught:
            view[2]
        assert (caught.value.kind, caught.value.offset) == ("reserved_marker", 3)
    with pytest.raises(packord.MsgpackDecodeError):
        view[-1]
    assert view[0] == 1


def test_view_of_a_long_array_is_passed_over_once() -> None:
    view = packord.View(packord.packb([["x" * 50, i] for i in range(20_000)]))
    start = time.process_time()
    once = [item[1] for item in view]
    iterated = time.process_time() - start
    start = time.process_time()
    assert [view[i][1] for i in range(20_000)] == once
    # Without what is remembered it would take hundreds of times as long.
    assert time.process_time() - start < 10 * iterated + 0.1


def test_text_that_is_not_utf8() -> None:
    data = b"\x92\xa1\xff\xa1a"
    assert packord.Decoder(utf8="raw").decode(data) == [b"\xff", "a"]
    assert packord.Decoder(utf8="replace").decode(data) == ["\ufffd", "a"]


def test_elements_of_a_canonical_set_are_in_the_order_of_the_specification() -> None:
    option: dict[str, Any] = {"canonical": True, "rich": True}
    elements: list[Any] = [3, "b", 1, "a"]
    for kind in (set, frozenset):
        assert packord.packb(kind(elements), **option).hex() == "c7075694a161a1620103"
    words = {str(number) for number in range(1000)}
    packed = packord.packb(words, **option)
    backwards = dict.fromkeys(sorted(words, reverse=True)).keys()
    assert packed == packord.packb(set(backwards), **option)
    assert packord.unpackb(packed, **option) == words
    with pytest.raises(packord.MsgpackEncodeError, match=r"\$\[0\]"):
        packord.packb({object()}, **option)
