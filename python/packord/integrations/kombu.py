"""A serializer of kombu, and so of Celery.

>>> from packord.integrations.kombu import register
>>> register()

Then ``task_serializer = result_serializer = "msgpack"`` and ``accept_content = ["msgpack"]`` in the
configuration of Celery. Name and content type are those that kombu itself gives to the ``msgpack``
package, so both kinds of workers read each other's messages.
"""

from __future__ import annotations

from typing import Any

from kombu import serialization

from packord import Decoder, Encoder

CONTENT_TYPE = "application/x-msgpack"


def register(
    name: str = "msgpack",
    content_type: str = CONTENT_TYPE,
    *,
    encoder: dict[str, Any] | None = None,
    decoder: dict[str, Any] | None = None,
) -> None:
    """Registers the serializer; ``encoder`` and ``decoder`` are options of the two classes."""
    pack = Encoder(**{"bigint": True, **(encoder or {})})
    unpack = Decoder(**{"bigint": True, **(decoder or {})})
    registry: Any = serialization
    registry.register(name, pack.encode, unpack.decode, content_type, "binary")
