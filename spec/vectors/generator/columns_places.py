"""``columns/places.json``: which arrays and maps of a message a writer writes as columns."""

from __future__ import annotations

from .build import NIL, Value, counter, double, ext, fields, integer, items, table, text
from .columns_tables import PLAIN_WRITER, Written, cycle, numbers, texts, words


def topic() -> Written:
    found = Written("places", "plain bytes, and where a writer with columns on makes payloads of them")
    for add in (_candidates, _nested, _sizes, _records, _filler):
        add(found)
    return found


def _rows(count: int, first: int = 100) -> list[Value]:
    """Rows of 27 to 33 bytes that columns make smaller."""
    return [fields(name_of_a_row=integer(first + 7 * i), kind=text("abc")) for i in range(count)]


def _table(first: int = 100) -> Value:
    return items(*_rows(20, first))


def _refused(value: Value) -> Value:
    """An array that columns do not make smaller, around the value."""
    return items(fields(a=value), *(fields(**{key: integer(1)}) for key in "bcdefgh"))


def _candidates(topic: Written) -> None:
    for threes, fives in ((6, 98), (3, 100)):
        # 3 bytes of a header, and int of 3 and of 5 bytes.
        values = numbers(range(65536 - 7 * threes, 65536 + 7 * fives, 7))
        size = 3 + 3 * threes + 5 * fives
        topic.message(f"an array of {size} bytes", items(*values), taken=int(size >= 512))
    long = [
        [fields(**{f"long_key_{c}_of_a_row" * 2: integer(3 * i) for c in "abc"}) for i in range(n)]
        for n in (7, 8)
    ]
    for rows in long:
        topic.message(f"an array of {len(rows)} elements", items(*rows), taken=int(len(rows) >= 8))
        entries = [(text(f"r{i}"), row) for i, row in enumerate(rows)]
        topic.message(f"a map of {len(rows)} maps", table(*entries), taken=int(len(rows) >= 8))
    for others in (2, 3):
        values = _rows(16 * 2)[: 16 * 2 - 2 * others] + numbers(range(2 * others))
        entries = [(text(f"r{i}"), value) for i, value in enumerate(values)]
        topic.message(
            f"a map of {32 - 2 * others} maps and {2 * others} int", table(*entries), taken=int(others == 2)
        )
    keys = words(30, 10)
    strs = cycle(texts(["a value of several words", "another one", "the third value"]), 30)
    topic.message("a map of str", table(*zip(texts(keys), strs, strict=True)), taken=1)
    topic.message(
        "a map of str and an int", table(*zip(texts(keys), [*strs[1:], integer(1)], strict=True)), taken=0
    )
    topic.message("a map of int", table(*((text(k), integer(1000 + i)) for i, k in enumerate(keys))), taken=0)
    topic.message("a key that is an array", table((_table(), _table())), taken=1)
    topic.message("ext 92 in an array", items(*_rows(20), ext(92, b"\2")), taken=0)
    topic.message("ext 92 in a key", items(*_rows(20), table((ext(92, b"\2"), NIL))), taken=0)
    topic.message("ext 92 beside an array", items(_table(), ext(92, b"\2")), taken=1)


def _nested(topic: Written) -> None:
    topic.message("two arrays in a map", fields(a=_table(), b=integer(1), c=_table()), taken=2)
    topic.message("in an array that is refused", _refused(_table()), taken=1)
    topic.message("in two arrays that are refused", _refused(_refused(_table())), taken=0)
    small = items(integer(1), fields(a=items(_table())))
    topic.message("in containers that are too small to be refused", small, taken=1)
    both = fields(a=_refused(_refused(_table())), b=_refused(_table()))
    topic.message("refused beside refused", both, taken=1)
    with_ext = items(*numbers(range(10)), ext(92, b"\2"), _refused(_table()))
    topic.message(
        "in arrays with an ext 92, which are not refused", items(*numbers(range(10)), with_ext), taken=1
    )


def _sizes(topic: Written) -> None:
    topic.message("the example of the specification", _example(), taken=1)
    # The payload and 6 bytes are 1 more than the plain bytes, as many, and 1 fewer.
    for count in (21, 22, 23):
        topic.message(f"{count} str of 23 bytes", items(*texts(words(count, 23))), taken=int(count == 23))
    # The first is a dictionary. The estimate for the second has indexes of 4 bytes.
    for count in (65536, 65537):
        strs = [f"{i:05}" for i in range(count)]
        known = {
            b"".join(map(_fixstr, strs)): counter(count, 5, b"\xa5", b""),
            "".join(strs).encode(): counter(count, 5, b"", b""),
        }
        rows = texts(strs[:1] * 128 + strs + strs[-1:] * count)
        topic.message(f"{count} different str", items(*rows), known=known, taken=1)


def _example() -> Value:
    cities = ["Oslo", "Graz!", "Oslo", "Bonn", "Po", "Rome", "", "Lima", "Wien", "Metz", "Nice", "Bari"]
    temperatures = [-3.5, 4.25, None, 1.0, 2.5, 2.75, 0.5, 6.0, 7.5, None, 8.0, 3.0]
    rows = []
    for i, (city, t) in enumerate(zip(cities, temperatures, strict=True)):
        rows.append(
            fields(
                open_today=i not in (1, 3, 9),
                time=integer(1000 + 10 * i),
                city=text(city),
                temperature=NIL if t is None else double(t),
            )
        )
    return items(*rows)


def _fixstr(content: str) -> bytes:
    return PLAIN_WRITER.message(text(content))


def _records(topic: Written) -> None:
    nested = items(fields(x=integer(64), t=_table()), fields(x=integer(65), t=_table(64)))
    topic.message("records around columns", nested, taken=2, records=True)
    shared: dict = {"records": True, "shared_structures": [["t", "x"]]}
    topic.message("shared structures around columns", nested, taken=2, **shared)
    topic.message("no own structures", nested, taken=2, records=True, max_own_structures=0)
    topic.message("records in an array that is refused", _refused(_table()), taken=1, records=True)
    # The payload and 6 bytes are 1 more than the records, and 1 fewer.
    for count in (12, 13):
        rows = items(*(fields(twelve_bytes=text(word)) for word in words(count, 30)))
        topic.message(f"{count} rows", rows, taken=1)
        topic.message(f"{count} rows beside records", rows, taken=int(count == 13), records=True)
    # The records of the shared structure would be smaller, but those of an own one are not.
    topic.message(
        "rows of a shared structure", rows, taken=1, records=True, shared_structures=[["twelve_bytes"]]
    )
    few = enumerate(words(13, 20))
    rows = items(*(fields(twelve_bytes=text(word), l=text(word[: 5 + (i == 12)])) for i, word in few))
    topic.message("columns and records of as many bytes", rows, taken=0, records=True)
    # Smaller than with 32 own structures, larger than with 64.
    shapes = [fields(**{f"k{i}a": integer((7 * i * i + r * r) % 100)}) for r in range(8) for i in range(33)]
    topic.message("33 shapes, 64 own structures", items(*shapes), taken=0, records=True)
    shared["shared_structures"] = [["q"]]
    topic.message("33 shapes, 32 own structures beside a shared list", items(*shapes), taken=1, **shared)
    shapes = [fields(**{f"k{i % 3}": integer(500 * i), f"l{i % 3}": integer(i)}) for i in range(60)]
    topic.message("few own structures", items(*shapes), taken=1, records=True, max_own_structures=2)


def _filler(topic: Written) -> None:
    for count in (4509, 4510, 20000):
        topic.message(f"{count} times nil", {"array": {"repeat": NIL, "times": count}}, taken=1)
