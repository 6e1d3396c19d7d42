"""Ext payloads that have values in them: they count as containers, and take linear time."""

from __future__ import annotations

import decimal
import fractions
import functools
import random
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy
import pyarrow
import pytest

import packord
from packord.integrations import tables

TYPES: dict[str, Any] = {"rich": True}
Decimal = decimal.Decimal


def ext(code: int, payload: bytes) -> bytes:
    return b"\xc9" + len(payload).to_bytes(4, "big") + bytes([code]) + payload


def sets(depth: int, inner: bytes = b"\xc0", beside: bytes = b"") -> bytes:
    """Sets within each other; ``beside`` is a second element of each."""
    head = (b"\x92" if beside else b"\x91") + beside
    heads = [
        b"\xc9"
        + (len(head) + len(inner) + around * (6 + len(head))).to_bytes(4, "big")
        + b"\x56"
        + head
        for around in range(depth)
    ]
    return b"".join(reversed(heads)) + inner


def on_a_small_stack(call: Callable[[], Any]) -> Any:
    """What the call returns in a thread with a stack of 1 MB."""
    results: list[Any] = []
    before = threading.stack_size(1 << 20)
    thread = threading.Thread(target=lambda: results.append(call()))
    thread.start()
    threading.stack_size(before)
    thread.join()
    return results[0]


def refused(call: Callable[[], Any]) -> tuple[str | None, int | None]:
    with pytest.raises(packord.MsgpackDecodeError) as caught:
        call()
    return caught.value.kind, caught.value.offset


def test_the_deepest_sets_fit_on_a_small_stack() -> None:
    data = sets(512)
    value = on_a_small_stack(lambda: packord.unpackb(data, **TYPES))
    assert on_a_small_stack(lambda: packord.unpackb(packord.packb(value, **TYPES), **TYPES))
    for depth in (513, 16_000):
        read = functools.partial(packord.unpackb, sets(depth), **TYPES)
        assert refused(read) == ("invalid_ext", 0)
    # As many containers as may be open are around it.
    around = b"\x91" * 1024 + sets(1)
    assert refused(lambda: packord.unpackb(around, **TYPES)) == ("depth_limit", 1024)
    with pytest.raises(packord.MsgpackEncodeError) as caught:
        packord.packb([value], **TYPES)
    assert caught.value.kind == "depth_limit"


@pytest.mark.parametrize("beside", [b"", b"\x07", ext(86, b"\x91\x01"), b"\xcb\x7f\xf8" + bytes(6)])
def test_the_content_of_deep_sets_is_looked_at_once(beside: bytes) -> None:
    data = sets(500, b"\xc6\x00\x98\x96\x80" + bytes(10_000_000), beside)
    start = time.process_time()
    packord.unpackb(data, **TYPES)
    assert time.process_time() - start < 2


@pytest.mark.parametrize(
    ("elements", "twice"),
    [
        (b"\x92\x01\x01", True),
        (b"\x92\x91\x01\x91\x01", True),
        (b"\x92" + (b"\xcb\x7f\xf8" + bytes(6)) * 2, True),
        (b"\x92" + (b"\x91\xcb\x7f\xf8" + bytes(6)) * 2, True),
        (b"\x92" + ext(86, b"\x92\x01\x02") + ext(86, b"\x92\x02\x01"), True),
        (b"\x92\xff\xfe", False),
        (b"\x92" + ext(86, b"\x91\xff") + ext(86, b"\x91\xfe"), False),
        (b"\x92\x01\xc3", False),
        (b"\x92\x01\xcb\x3f\xf0" + bytes(6), False),
    ],
)
def test_an_element_twice_is_found(elements: bytes, twice: bool) -> None:
    data = ext(86, elements)
    if twice:
        assert refused(lambda: packord.unpackb(data, **TYPES)) == ("invalid_ext", 0)
    else:
        assert isinstance(packord.unpackb(data, **TYPES), set)


def test_sets_are_keys() -> None:
    decoder: packord.Decoder[Any] = packord.Decoder(**TYPES)
    assert decoder.decode(b"\x81" + ext(86, b"\x91\x01") + b"\x02") == {frozenset([1]): 2}


@pytest.mark.parametrize("value", [{1, 2}, numpy.arange(6).reshape(2, 3)])
def test_sets_and_arrays_are_stored_by_column(value: Any) -> None:
    option: dict[str, Any] = {**TYPES, "rich": True, "columns": True}
    rows = [{"a": value, "b": number} for number in range(300)]
    data = packord.packb(rows, **option)
    assert len(data) < 8000
    assert str(packord.unpackb(data, **option)) == str(rows)


@pytest.mark.parametrize("depth", [2, 3])
def test_arrays_and_tables_count_as_containers(depth: int) -> None:
    arrays: dict[str, Any] = {"rich": True}
    array = packord.packb([[numpy.ones((1, 2))]], **arrays)
    table = packord.packb([[pyarrow.table({"a": [1]})]], default=tables.default)
    readers: list[Any] = [
        lambda: packord.Decoder(**arrays, max_depth=depth).decode(array),
        lambda: packord.Decoder(ext_hook=tables.ext_hook, max_depth=depth).decode(table),
    ]
    for read in readers:
        if depth == 2:
            assert refused(read) == ("depth_limit", 2)
        else:
            assert read()
    if depth == 2:
        with pytest.raises(packord.MsgpackEncodeError) as caught:
            packord.Encoder(**arrays, max_depth=2).encode([[numpy.ones((1, 2))]])
        assert caught.value.kind == "depth_limit"


@pytest.mark.parametrize("code", [83, 84])
def test_large_numbers_are_bounded_unless_an_option_says_otherwise(code: int) -> None:
    bigint = b"\xc9" + (65_530).to_bytes(4, "big") + b"\x42" + b"\x01" * 65_530
    payload = bigint + b"\x07" if code == 83 else b"\x00" + b"\x01" * 65_536
    data = ext(code, payload)
    decoder: packord.Decoder[Any] = packord.Decoder(**TYPES)
    assert refused(lambda: decoder.decode(data)) == ("length_limit", 0)
    assert refused(lambda: decoder.decode(data[:9])) == ("length_limit", 0)
    assert packord.Decoder(**TYPES, max_ext_len=65_537).decode(data)
    short: packord.Decoder[Any] = packord.Decoder(**TYPES, max_ext_len=65_536)
    assert refused(lambda: short.decode(data)) == ("length_limit", 0)
    assert isinstance(packord.unpackb(data, ext_hook=packord.Ext), packord.Ext)


def test_decimals_take_linear_time() -> None:
    data = ext(84, b"\x00" + b"\x01" * 400_000)
    decoder: packord.Decoder[Any] = packord.Decoder(**TYPES, max_ext_len=1 << 20)
    start = time.process_time()
    decoder.decode(data)
    assert time.process_time() - start < 2


def test_decimals_of_every_size_come_back() -> None:
    generator = random.Random(83)
    sizes = [*range(40), 4095, 4096, 4097, 8191, 8192, 20_000, 100_000]
    option: dict[str, Any] = {"rich": True}
    for bits in sizes:
        for sign in (1, -1):
            number = sign * (1 << bits | generator.getrandbits(bits + 1))
            digits = Decimal(abs(number)).as_tuple().digits
            for exponent in (0, -7, 12, 2**31, 1 - 2**31):
                value = Decimal((int(number < 0), digits, exponent))
                read = packord.unpackb(packord.packb(value, **option), **option)
                assert read.as_tuple() == value.as_tuple()


def test_ratios_that_are_not_checked_have_their_value() -> None:
    payload = b"\xc7\x09\x42\x02" + bytes(8) + b"\x02"
    assert packord.unpackb(ext(83, payload), **TYPES) == fractions.Fraction(2**65, 2)
    assert refused(lambda: packord.unpackb(ext(83, b"\x04\x02"), **TYPES)) == (
        "invalid_ext",
        0,
    )


def test_a_list_hook_makes_anything_of_the_elements() -> None:
    data = ext(86, b"\x92\x01\x02")
    hooks: list[Callable[[Any], Any]] = [tuple, list, iter]
    for hook in hooks:
        decoder: packord.Decoder[Any] = packord.Decoder(**TYPES, list_hook=hook)
        assert decoder.decode(data) == {1, 2}
    no_list: packord.Decoder[Any] = packord.Decoder(**TYPES, list_hook=lambda _: None)
    assert refused(lambda: no_list.decode(data)) == ("invalid_ext", 0)
