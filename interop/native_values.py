"""Generated values of programs: NATIVEs of the vectors (``spec/vectors/README.md``)."""

from __future__ import annotations

from typing import Any

from spec.vectors.natives import languages_of

from .values import EDGES, Value, Values

Native = Any

UNDEFINED = {"ext": [0, "00"]}
INDEX, MINUS_ZERO = {"str": "17"}, {"f64": "8000000000000000"}
TEXTS = {
    "character": "aZé",
    "keyword": ["id", "user/name"],
    "symbol": ["x", "ns/y"],
    "path": ["a/b.txt", "/tmp", "é"],
    "uri": ["https://example.org/a?b=1", "mailto:a@example.org"],
    "ip": ["192.0.2.1", "127.0.0.1"],
    "locale": ["de-CH", "en"],
    "currency": ["CHF", "EUR"],
}


class Natives(Values):
    """Values of one language: what it can say, with types of its programs."""

    def __init__(self, seed: int, language: str) -> None:
        super().__init__(seed)
        self.language = language

    def value(self, depth: int = 0) -> Native:
        """A document that a program in the language can have."""
        if depth == 0 and self.random.random() < 0.02:
            return self.numbers()
        found = super().value(depth)
        while depth == 0 and self.language not in speakers(found):
            found = super().value()
        return found

    def scalar(self) -> Native:
        while self.random.random() < 0.35:
            native = getattr(self, self.random.choice(KINDS))()
            if self.language in languages_of(native):
                return native
        return super().scalar()

    def key(self) -> Value:
        pick = self.random.random()
        if pick < 0.15:
            # No two keys that are equal in some language, such as true and 1.
            return {"int": str(self.random.choice([n for n in EDGES if n not in (0, 1)]))}
        if pick < 0.18:
            return self.extension()
        if pick < 0.2:
            return {"array": [{"int": "5"}, {"str": self.random.choice("ab")}]}
        if pick < 0.23 and self.language != "javascript":
            return self.random.choice([INDEX, MINUS_ZERO])
        key = super().key()
        # In a dict false is the same key as -0.0.
        return True if key is False else key

    def extension(self) -> Value:
        found = super().extension()
        if self.random.random() < 0.5 and "ext" in found:
            # Those of packord and msgpackr are unknown without an option; -1 is the timestamp.
            types = [number for number in range(-128, 128) if number not in (-1, 0)]
            return {"ext": [self.random.choice(types), found["ext"][1]]}
        if self.random.random() < 0.2 and self.language != "javascript":
            return UNDEFINED
        return found

    # ---------------------------------------------------------------- kinds

    def time(self) -> Native:
        offset = self.random.choice([0, 0, 3600, -18_000, 20_700])
        return {"native": "time", **self._date(), **self._time(), "offset": offset}

    def date_time(self) -> Native:
        return {"native": "date_time", **self._date(), **self._time()}

    def date(self) -> Native:
        return {"native": "date", **self._date()}

    def time_of_day(self) -> Native:
        return {"native": "time_of_day", **self._time()}

    def duration(self) -> Native:
        seconds = self.random.choice([0, 1, -1, 59, 3600, 90_000, -7200])
        return {"native": "duration", "seconds": str(seconds), "nanoseconds": self._nanoseconds()}

    def _date(self) -> dict[str, Any]:
        day = [
            self.random.randrange(1902, 2200),
            self.random.randrange(1, 13),
            self.random.randrange(1, 29),
        ]
        return {"date": day}

    def _time(self) -> dict[str, Any]:
        clock = [self.random.randrange(24), self.random.randrange(60), self.random.randrange(60)]
        return {"time": [*clock, self._nanoseconds()]}

    def _nanoseconds(self) -> int:
        return self.random.choice([0, 500_000_000, 123_000_000, 123_456_000, 123_456_789])

    def set(self) -> Native:
        size = self.random.choice([0, 1, 1])
        element = self.random.choice([{"int": str(self.exact_integer())}, {"str": "ä"}])
        return {"native": "set", "of": [element] * size}

    def exact_integer(self) -> int:
        """One that a number of JavaScript holds."""
        return self.random.choice([n for n in EDGES if -(2**53) < n < 2**53])

    def decimal(self) -> Native:
        text = self.random.choice(["1.50", "0", "-0.001", "1E+3", "12345678901234567890.5"])
        return {"native": "decimal", "text": text}

    def uuid(self) -> Native:
        digits = self.random.randbytes(16).hex()
        cuts = (0, 8, 12, 16, 20, 32)
        groups = [digits[a:b] for a, b in zip(cuts, cuts[1:], strict=False)]
        return {"native": "uuid", "text": "-".join(groups)}

    def text_of_a_type(self) -> Native:
        kind = self.random.choice(list(TEXTS))
        return {"native": kind, "text": self.random.choice(TEXTS[kind])}

    def enum(self) -> Native:
        return {"native": "enum", "name": "GREEN", "value": {"int": "2"}}

    def float32(self) -> Native:
        bits = self.random.choice(["00000000", "3fc00000", "7f800000", "40490fdb", "80000000"])
        return {"native": "float32", "bits": bits}

    def numbers(self) -> Native:
        kind, of = self.random.choice(
            [
                ("i32", [{"int": "-1"}, {"int": "70000"}]),
                ("i64", [{"int": str(2**53)}, {"int": "-128"}]),
                ("f64", [{"f64": "3ff8000000000000"}, {"f64": "7ff0000000000000"}]),
            ]
        )
        return {"native": "numbers", "type": kind, "of": of}

    def bytes(self) -> Native:
        kind = self.random.choice(["bytearray", "ArrayBuffer", "DataView", "ByteBuffer"])
        return {"native": "bytes", "type": kind, "hex": "00ff"}

    def queue(self) -> Native:
        return {"native": "sequence", "type": "queue", "of": [{"str": "a"}, {"str": "b"}]}

    def struct(self) -> Native:
        fields = [["x", {"int": "5"}], ["y", {"f64": "3ff8000000000000"}]]
        return {"native": "struct", "name": "Point", "fields": fields}

    def optional(self) -> Native:
        return self.random.choice([{"value": {"int": "5"}}, {}]) | {"native": "optional"}

    def bigint(self) -> Native:
        return {"native": "bigint", "value": str(self.integer())}


KINDS = (
    *("time", "date_time", "date", "time_of_day", "duration", "set", "decimal", "uuid"),
    *("text_of_a_type", "enum", "float32", "bytes", "queue", "struct", "optional"),
    *("bigint", "time", "set"),
)


def speakers(native: Native) -> tuple[str, ...]:
    """The languages whose programs can have the value, as it is: not JavaScript if an object or a
    ``Map`` keeps it in another way."""
    lacking = "javascript" if own_entries(native) else None
    return tuple(language for language in languages_of(native) if language != lacking)


def own_entries(native: Native) -> list[Native]:
    """Keys that are index numbers or -0.0, and values that are undefined, of all maps in it."""
    if not isinstance(native, dict):
        return []
    inner = native.get("array", [value for _, value in native.get("map", [])])
    found = [part for element in inner for part in own_entries(element)]
    for key, value in native.get("map", []):
        found += [part for part in (key, value) if part in (INDEX, MINUS_ZERO, UNDEFINED)]
    return found
