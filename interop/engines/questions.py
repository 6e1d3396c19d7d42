"""One table of rows, and questions to it that every engine answers in its own way."""

from __future__ import annotations

import json
import operator
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import Any

START = datetime(2026, 11, 1, tzinfo=timezone.utc)
LEVELS = ["debug", "info", "info", "info", "warn", "error"]
HOSTS = [f"host-{number}" for number in range(12)]
# The paths whose statistics are kept.
KEY = ["id", "moment", "level", "ms", "user.age", "serial"]
COUNT = 20_000
BLOCK_ROWS = 500

Condition = tuple[str, str, Any]


def rows(count: int = COUNT) -> Iterator[dict[str, Any]]:
    """Events in the order of time. Some values are nil, and some keys are missing."""
    for number in range(count):
        spread = number * 2_654_435_761 % 4_294_967_296
        row: dict[str, Any] = {
            "id": number,
            "moment": START + timedelta(seconds=number // 3, microseconds=spread % 1_000_000),
            "level": LEVELS[spread % 6],
            "host": HOSTS[spread % 12],
            "ms": None if number % 11 == 0 else spread % 4096 / 8,
            "status": [200, 200, 204, 404, 500][spread % 5],
            "user": {"name": f"user {spread % 97} ü", "age": 18 + spread % 70},
            "tags": [f"tag{spread % 5}", "all"][: 1 + spread % 2],
            "ok": spread % 5 < 3,
            "serial": (1 << 63) + number if number % 7 == 3 else number,
        }
        if number % 13 == 0:
            del row["status"]
        yield row


@dataclass(frozen=True)
class Question:
    """Conditions that a row must all meet."""

    name: str
    where: tuple[Condition, ...]


@dataclass(frozen=True)
class Answer:
    """The rows that meet them, and the sum of a column of numbers that floats hold exactly."""

    ids: tuple[int, ...]
    ms: float


QUESTIONS = [
    Question("all rows", ()),
    Question("one row by number", (("id", "==", 4321),)),
    Question("no row", (("id", "==", -5),)),
    Question("a range of numbers", (("id", ">=", 1000), ("id", "<", 1100))),
    Question("the last rows", (("id", ">", COUNT - 10),)),
    Question("a string", (("level", "==", "error"),)),
    Question("not a string", (("level", "!=", "info"),)),
    Question("strings above another", (("host", ">=", "host-7"), ("id", "<", 3000))),
    Question("one of several strings", (("host", "in", ["host-2", "host-11", "nowhere"]),)),
    Question("one of several numbers", (("id", "in", [7, 19_999, 55_555]),)),
    Question("floats", (("ms", ">", 400.5), ("ms", "<=", 401.25))),
    Question("nil", (("ms", "is_null", None),)),
    Question("missing", (("status", "is_null", None),)),
    Question("not missing", (("status", "is_not_null", None), ("id", "<", 500))),
    Question("not equal, and not missing", (("status", "!=", 200),)),
    Question("within a map", (("user.age", ">=", 87),)),
    Question("above all signed numbers", (("serial", ">", 1 << 63), ("id", "<", 2000))),
    Question("a bool", (("ok", "==", False), ("id", "<", 100))),
    Question(
        "times",
        (
            ("moment", ">=", START + timedelta(hours=1)),
            ("moment", "<", START + timedelta(hours=1, minutes=2)),
        ),
    ),
    Question(
        "conditions on several columns",
        (("level", "==", "error"), ("host", "==", "host-5"), ("ms", "<", 64.0)),
    ),
]

_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "in": lambda value, several: value in several,
}


def meets(row: dict[str, Any], where: tuple[Condition, ...]) -> bool:
    """Whether a row meets all conditions, as section 4 of the specification says."""
    for path, op, constant in where:
        value: Any = row
        for part in path.split("."):
            value = value.get(part) if isinstance(value, dict) else None
        if op in ("is_null", "is_not_null"):
            met = (value is None) == (op == "is_null")
        else:
            met = value is not None and _COMPARE[op](value, constant)
        if not met:
            return False
    return True


def answer(found: Any) -> Answer:
    """The answer from pairs of an id and ms."""
    pairs = [(int(number), ms) for number, ms in found]
    total = sum(float(ms) for _, ms in pairs if ms is not None and ms == ms)
    return Answer(tuple(sorted(number for number, _ in pairs)), total)


def expected(question: Question) -> Answer:
    """The answer of plain Python."""
    return answer((row["id"], row["ms"]) for row in rows() if meets(row, question.where))


def as_test(where: tuple[Condition, ...]) -> str | None:
    """The conditions in the tool's language, in which nil is not missing, and a missing value is
    unequal to all. It does not compare times: conditions on these are left out."""
    parts = []
    for path, op, constant in where:
        if op == "in":
            either = " || ".join(f"{path} == {json.dumps(each)}" for each in constant)
            parts.append(f"({either})")
        elif op == "is_null":
            parts.append(f"(!{path} || {path} == null)")
        elif op == "is_not_null":
            parts.append(f"{path} && {path} != null")
        elif op == "!=":
            parts.append(f"{path} && {path} != null && {path} != {json.dumps(constant)}")
        elif not isinstance(constant, datetime):
            parts.append(f"{path} {op} {json.dumps(constant)}")
    return " && ".join(parts) or None


def as_sql(where: tuple[Condition, ...]) -> str:
    """The conditions in SQL, as Spark and DuckDB read it."""
    parts = [_sql(path, op, constant) for path, op, constant in where]
    return " AND ".join(parts) or "true"


def _sql(path: str, op: str, constant: Any) -> str:
    if op in ("is_null", "is_not_null"):
        return f"{path} IS {'NOT ' if op == 'is_not_null' else ''}NULL"
    if op == "in":
        return f"{path} IN ({', '.join(map(_literal, constant))})"
    return f"{path} {'=' if op == '==' else '<>' if op == '!=' else op} {_literal(constant)}"


def _literal(constant: Any) -> str:
    if isinstance(constant, datetime):
        return f"TIMESTAMP '{constant:%Y-%m-%d %H:%M:%S.%f}+00:00'"
    if isinstance(constant, str):
        return f"'{constant}'"
    return str(constant).lower()
