"""What the benchmarks pack: real documents if available, else generated ones with a fixed seed."""

from __future__ import annotations

import dataclasses
import datetime
import enum
import json
import os
import random
import uuid
from pathlib import Path
from typing import Any


def load(name: str, make: Any) -> Any:
    """The JSON document of that name in ``PACKORD_BENCH_DATA``, or one of the same kind."""
    folder = os.environ.get("PACKORD_BENCH_DATA")
    if folder and (Path(folder) / f"{name}.json").exists():
        return json.loads((Path(folder) / f"{name}.json").read_text(encoding="utf-8"))
    return make(random.Random(name))


def github() -> Any:
    return load("github", _github)


def twitter() -> Any:
    return load("twitter", _twitter)


def _github(rng: random.Random) -> Any:
    def event(number: int) -> Any:
        login = _word(rng)
        return {
            "id": str(1_500_000_000 + number),
            "type": rng.choice(["PushEvent", "CreateEvent", "WatchEvent"]),
            "public": True,
            "created_at": "2013-01-10T07:58:30Z",
            "actor": {
                "gravatar_id": f"{rng.getrandbits(128):032x}",
                "login": login,
                "avatar_url": f"https://secure.example.com/avatar/{rng.getrandbits(128):032x}",
                "url": f"https://api.example.com/users/{login}",
                "id": rng.randrange(1_000_000),
            },
            "repo": {
                "url": f"https://api.example.com/repos/{login}/{_word(rng)}",
                "name": f"{login}/{_word(rng)}",
                "id": rng.randrange(10_000_000),
            },
            "payload": {"size": 1, "push_id": rng.randrange(10**9), "ref": "refs/heads/master"},
        }

    return [event(number) for number in range(100)]


def large() -> Any:
    """A document of 400 kB when packed, of the kind of ``twitter``."""
    return _twitter(random.Random("large"), 520)


def _twitter(rng: random.Random, count: int = 100) -> Any:
    def status() -> Any:
        text = "".join(chr(rng.randrange(0x3041, 0x30FF)) for _ in range(60))
        user = {
            "id": rng.getrandbits(32),
            "name": text[:8],
            "screen_name": _word(rng),
            "description": text,
            "followers_count": rng.randrange(5000),
            "verified": False,
            "lang": "ja",
            "url": None,
            "profile_image_url": f"http://img.example.com/{_word(rng)}.png",
            "profile_use_background_image": True,
        }
        return {
            "id": rng.getrandbits(58),
            "created_at": "Sun Aug 31 00:29:15 +0000 2014",
            "text": text + " http://t.example.com/" + _word(rng),
            "truncated": False,
            "in_reply_to_status_id": None,
            "user": user,
            "retweet_count": rng.randrange(100),
            "entities": {"hashtags": [], "urls": [], "user_mentions": [{"indices": [0, 9]}]},
            "coordinates": None,
        }

    return {"statuses": [status() for _ in range(count)], "search_metadata": {"count": count}}


def _word(rng: random.Random) -> str:
    return "".join(rng.choice("abcdefghijklmnopqrstuvwxyz") for _ in range(rng.randrange(4, 12)))


def small() -> Any:
    return {
        "id": 123456,
        "name": "Ada Lovelace",
        "active": True,
        "score": 98.5,
        "tags": ["a", "bc"],
        "email": "ada@example.org",
        "age": 36,
    }


def events(rng: random.Random) -> Any:
    return [
        {
            "ts": 1_700_000_000_000 + 13 * index,
            "kind": rng.choice(["click", "view", "buy"]),
            "user": rng.randrange(100_000),
            "value": rng.random() * 100,
            "tags": [_word(rng), _word(rng)],
            "ok": rng.random() < 0.9,
        }
        for index in range(1000)
    ]


class Color(enum.Enum):
    RED = "red"
    GREEN = "green"
    BLUE = "blue"


@dataclasses.dataclass
class Item:
    id: int
    name: str
    price: float
    active: bool
    tags: list[str]
    owner: str | None
    count: int
    ratio: float
    code: str
    level: int


@dataclasses.dataclass(slots=True)
class SlotItem:
    id: int
    name: str
    price: float
    active: bool
    tags: list[str]
    owner: str | None
    count: int
    ratio: float
    code: str
    level: int


def items(cls: Any, rng: random.Random, count: int = 2000) -> Any:
    return [
        cls(index, _word(rng), rng.random(), True, [_word(rng)], None, rng.randrange(1000),
            rng.random(), _word(rng), rng.randrange(100))
        for index in range(count)
    ]  # fmt: skip


def datetimes(rng: random.Random, zone: Any = None) -> Any:
    start = datetime.datetime(2000, 1, 1, tzinfo=zone)
    return [start + datetime.timedelta(microseconds=rng.getrandbits(50)) for _ in range(10_000)]


def uuids(rng: random.Random) -> Any:
    return [uuid.UUID(int=rng.getrandbits(128)) for _ in range(10_000)]
