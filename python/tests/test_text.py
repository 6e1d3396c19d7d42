"""Text of every width, length and mixture: what CPython's own codec makes of it."""

from __future__ import annotations

import datetime
import random
import sys

import msgpack
import pytest

import packord

# The widths of UTF-8 and of str, and the first and last character of each.
ALPHABETS = [
    "abc xyz",
    "\x7f\x80\xff",
    "abcdefgh \u00fc",
    "\u0436\u0448\u0449\u0434",
    "\x7f\u0080\u07ff\u0800",
    "\u4ed6\u4eec\u5728\u5c71",
    "a \u4ed6",
    "\ud7ff\ue000\uffff",
    "\U0001f600\U0001f389",
    "a\u00e9\u4ed6\U0001f600",
    "\U00010000\U0010ffff",
]
# Around the sizes of the vectors that text is read and written by.
LENGTHS = [
    *(1, 2, 7, 8, 9, 15, 16, 17, 31, 32, 33, 42, 43, 50, 53, 54, 63, 64, 65, 79, 80, 81),
    *(95, 96, 97, 127, 128, 129, 160, 161, 191, 192, 193, 300, 1000),
]


def texts() -> list[str]:
    rng = random.Random(16)
    found = []
    for length in LENGTHS:
        for alphabet in ALPHABETS:
            found.append("".join(rng.choice(alphabet) for _ in range(length)))
            # One other character in ASCII, anywhere.
            at = rng.randrange(length)
            found.append("x" * at + rng.choice(alphabet) + "y" * (length - at - 1))
        found.append("".join(rng.choice(rng.choice(ALPHABETS)) for _ in range(length)))
    return found


def test_text_is_read_as_cpython_reads_it() -> None:
    for text in texts():
        found = packord.unpackb(msgpack.packb(text))
        expected = text.encode().decode()
        assert found == expected and hash(found) == hash(expected)
        # The narrowest kind of str, or the two would not be the same key of a dict.
        # (CPython shares the strings of one character, which may keep their UTF-8.)
        if len(text) > 1:
            assert sys.getsizeof(found) == sys.getsizeof(expected)
        assert packord.unpackb(packord.packb({text: 1})) == {text: 1}


def test_text_is_written_as_cpython_writes_it() -> None:
    for text in texts():
        expected = msgpack.packb(text)
        # A str that has no UTF-8 yet, one that was packed before, and one that keeps its UTF-8.
        fresh = msgpack.unpackb(expected)
        assert [packord.packb(fresh) for _ in range(3)] == [expected] * 3
        assert packord.packb({fresh: fresh}) == msgpack.packb({text: text})


def test_ill_formed_text_has_its_offset_anywhere() -> None:
    for text in texts()[:200]:
        data = text.encode()
        for at in {0, len(data) // 2, len(data)}:
            while 0 < at < len(data) and data[at] & 0xC0 == 0x80:
                at -= 1
            bad = data[:at] + b"\xff" + data[at:]
            header = len(msgpack.packb("a" * len(bad))) - len(bad)
            packed = msgpack.packb("a" * len(bad))[:header] + bad
            with pytest.raises(packord.MsgpackDecodeError) as caught:
                packord.unpackb(packed)
            assert caught.value.kind == "invalid_utf8"
            assert caught.value.offset == header + at


def test_surrogates_anywhere_are_refused_or_replaced() -> None:
    for text in texts()[:200]:
        for at in (0, len(text) // 2, len(text)):
            bad = text[:at] + "\udc80" + text[at:]
            with pytest.raises(packord.MsgpackEncodeError, match="surrogates"):
                packord.packb(bad)
            replaced = packord.packb(bad, utf8="replace")
            assert replaced == msgpack.packb(text[:at] + "?" + text[at:])


def test_short_keys_are_made_once() -> None:
    keys = ["größe", "名前", "имя пользователя", "a" * 40 + "é", "\U0001f600"]
    # Names that differ in a digit or two are the usual ones.
    keys += [f"{name}_{index}" for name in ("field", "optional", "x") for index in range(16)]
    packed = packord.packb(dict.fromkeys(keys, 0))
    first, second = packord.unpackb(packed), packord.unpackb(packed)
    assert list(first) == keys
    assert [key for key, other in zip(first, second, strict=True) if key is not other] == []


def test_integers_at_the_digits_of_cpython() -> None:
    for bits in (15, 29, 30, 31, 59, 60, 61, 62, 63, 64):
        for number in (2**bits - 1, 2**bits, -(2**bits), -(2**bits) - 1, 2**bits - 2**29):
            if -(2**63) <= number < 2**64:
                expected = msgpack.packb(number)
                assert packord.packb(number) == expected
                assert packord.packb([number, number])[1:] == expected * 2
                packed = packord.packb({number: number})
                assert packed[1:] == expected * 2
            else:
                with pytest.raises(packord.MsgpackEncodeError, match="beyond 64 bits"):
                    packord.packb([number, number])


def test_a_key_that_changes_its_dict_is_an_error() -> None:
    entries: dict[object, int] = {}

    class Zone(datetime.tzinfo):
        ready = False

        def utcoffset(self, _: object) -> datetime.timedelta:
            if self.ready:
                entries.clear()
            return datetime.timedelta(0)

        tzname = dst = lambda self, _: None

    entries |= {datetime.datetime(2026, 1, 1, tzinfo=Zone()): 1, 2: 2}
    Zone.ready = True
    with pytest.raises(packord.MsgpackEncodeError, match="changed size"):
        packord.packb(entries)
