"""``defaults/rich``: what the option ``rich`` makes of values that have no type in MessagePack."""

from __future__ import annotations

from typing import Any

from ..natives import CLOJURE, CLOJURESCRIPT, JAVASCRIPT, LANGUAGES, PYTHON, RUST, SERDE, languages_of
from .build import Topic, double, fields, integer, items, native, text

# These read ext types as small classes of packord that write the same bytes.
BY_CLASS = (JAVASCRIPT, CLOJURESCRIPT)
EXCEPTION = native("exception", name="TypeError", message="no")
REGEXP = native("regexp", source="a+", flags="i")
# Types of java.time that are not points in time: the text, and the fields of ext type 95.
JAVA_TIME = {
    "year": ("2026", [2026]), "year_month": ("2026-01", [2026, 1]), "month_day": ("--01-02", [1, 2]), "month": ("JANUARY", [1]),
    "day_of_week": ("MONDAY", [1]), "period": ("P1Y2M3D", [1, 2, 3]), "zone": ("Europe/Berlin", ["Europe/Berlin"]),
    "offset": ("+01:00", [3600]),
}  # fmt: skip


def topics(writing: Any) -> list[Topic]:
    topic = writing("rich", "with the option rich: ext values, which are read back as what they were")
    for name, value, readers in [
        *_names(),
        *_numbers(),
        *_times(),
        *_arrays(),
        *_of_javascript(),
        *_within(),
    ]:
        writers = [language for language in languages_of(value) if _can_write(language, value)]
        topic.rich(
            name, value, writers, [language for language in LANGUAGES if language in (*writers, *readers)]
        )
    times = [
        native("date_time", date=[2026, 1, 2], time=[3, 4, 5, 1]),
        native("time_of_day", time=[3, 4, 5, 0], offset=3600),
    ]
    calendar = [
        native("calendar", type=kind, text=name, fields=parts) for kind, (name, parts) in JAVA_TIME.items()
    ]
    for value in (*times, *calendar):
        topic.rich(f"java.time: {value.get('type', value['native'])}", value, [CLOJURE], [CLOJURE])
    # What the ext cannot hold is written as without the option.
    for digits in ("NaN", "-0"):
        topic.rich(f"decimal {digits}", native("decimal", text=digits), [PYTHON], [])
    topic.read_as(
        "Set of msgpackr", "d4 73 00 92 01 02", native("set", of=[integer(1), integer(2)]), [JAVASCRIPT]
    )
    return [topic]


def _can_write(language: str, value: Any) -> bool:
    """serde does not tell these types from others, and no vector of Rust is a typed array."""
    kind = value.get("native")
    if kind in ("numbers", "exception", "regexp"):
        return language == JAVASCRIPT or (kind == "numbers" and language not in RUST)
    if kind is None:
        return language not in RUST
    return language != SERDE or kind == "bigint"


def _names() -> list:
    found = []
    for name in ("a", "a/b", "é"):
        found.append((f"keyword {name}", native("keyword", text=name), ()))
        found.append((f"symbol {name}", native("symbol", text=name), ()))
    for letter in ("a", "é", "😀"):
        found.append((f"character U+{ord(letter):04X}", native("character", text=letter), ()))
    for text_of in ("f81d4fae-7dec-11d0-a765-00a0c91e6bf6", "00000000-0000-0000-0000-000000000000"):
        found.append((f"uuid {text_of}", native("uuid", text=text_of), (JAVASCRIPT,)))
    return found


def _numbers() -> list:
    found = []
    for numerator, denominator in ((-1, 3), (22, 7), (1, 2**64 - 1), (2**64, 3)):
        value = native("fraction", numerator=str(numerator), denominator=str(denominator))
        found.append((f"fraction {numerator}/{denominator}", value, BY_CLASS))
    for digits in ("1.50", "0", "-0.1", "1E+3", "1E-7", "0E-10", "123456789012345678901234567890.5"):
        found.append((f"decimal {digits}", native("decimal", text=digits), BY_CLASS))
    for number in (5, 2**64, -(2**63) - 1, 2**126):
        found.append((f"bigint {number}", native("bigint", value=str(number)), ()))
    return found


def _times() -> list:
    found = []
    for date in ([1970, 1, 2], [1969, 12, 31], [2000, 2, 29], [9999, 12, 31], [-1, 1, 1]):
        found.append((f"date {date}", native("date", date=date), BY_CLASS))
    for time in ([0, 0, 0, 0], [0, 0, 1, 0], [23, 59, 59, 999_999_000], [3, 4, 5, 1]):
        found.append((f"time of day {time}", native("time_of_day", time=time), BY_CLASS))
    for seconds, nanoseconds in ((1, 500_000_000), (0, 0), (-1, 500_000_000), (90_061, 1000), (0, 1)):
        value = native("duration", seconds=str(seconds), nanoseconds=nanoseconds)
        found.append((f"duration of {seconds} s and {nanoseconds} ns", value, BY_CLASS))
    return found


def _arrays() -> list:
    one = integer(1)
    found = []
    for name, of in (
        ("empty", []),
        ("of one", [one]),
        ("of text", [text("a")]),
        ("of a set", [native("set", of=[one])]),
    ):
        found.append((f"set {name}", native("set", of=of), ()))
    for kind, of in (
        ("i8", [integer(-1)]), ("i16", [integer(300), integer(-5)]), ("i32", [integer(70_000)]), ("i64", [integer(-(2**63))]),
        ("u16", [integer(65535)]), ("u32", [one]), ("u64", [integer(2**64 - 1)]), ("f32", [{"f32": "3dcccccd"}]),
        ("f64", [double(1.0), double(0.1)]), ("f64", []),
    ):  # fmt: skip
        found.append((f"array of {len(of)} {kind}", native("numbers", type=kind, of=of), ()))
    return found


def _of_javascript() -> list:
    found = [("regexp", REGEXP, ()), ("exception", EXCEPTION, ())]
    for kind in ("Uint8ClampedArray", "ArrayBuffer", "DataView"):
        found.append((f"bytes: {kind}", native("bytes", type=kind, hex="00ff"), ()))
    return found


def _within() -> list:
    uuid = native("uuid", text="f81d4fae-7dec-11d0-a765-00a0c91e6bf6")
    return [("values in a map", fields(a=items(uuid, native("set", of=[integer(1)]))), ())]
