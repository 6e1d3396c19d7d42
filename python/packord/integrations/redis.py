"""Values of Redis as MessagePack: for Django's cache, or around a client.

CACHES = {"default": {
    "BACKEND": "django.core.cache.backends.redis.RedisCache",
    "LOCATION": "redis://127.0.0.1:6379",
    "OPTIONS": {"serializer": "packord.integrations.redis.MsgpackSerializer"},
}}
"""

from __future__ import annotations

from typing import Any

from packord import Decoder, Encoder


class MsgpackSerializer:
    """``dumps`` and ``loads``; ``encoder`` and ``decoder`` are options of the two classes.

    Integers are kept as plain digits, so that Redis itself can count with them.
    """

    def __init__(
        self, *, encoder: dict[str, Any] | None = None, decoder: dict[str, Any] | None = None
    ) -> None:
        self._encoder = Encoder(**encoder or {})
        self._decoder = Decoder(**decoder or {})

    def dumps(self, obj: Any) -> bytes | int:
        """Packs a value to store."""
        if type(obj) is int:
            return obj
        data = self._encoder.encode(obj)
        # One byte that looks like a digit: a member of an enum, or a number of another class.
        return data[0] if data.isdigit() else data

    def loads(self, data: bytes) -> Any:
        """Unpacks a stored value."""
        # No message that dumps packs is made of digits alone.
        if data.removeprefix(b"-").isdigit():
            return int(data)
        return self._decoder.decode(data)
