"""Serializer and deserializer for ``SerializingProducer`` and ``DeserializingConsumer`` of
confluent-kafka.

>>> from packord.integrations.kafka import MsgpackDeserializer, MsgpackSerializer
>>> data = MsgpackSerializer()({"id": 7})
>>> MsgpackDeserializer(dict[str, int])(data)
{'id': 7}
"""

from __future__ import annotations

from typing import Any

from confluent_kafka.serialization import Deserializer, SerializationError, Serializer

from packord import Decoder, Encoder, MsgpackDecodeError, MsgpackEncodeError


class MsgpackSerializer(Serializer):  # type: ignore[misc,unused-ignore]
    """Packs keys or values of messages; the options are those of ``Encoder``.

    ``None`` stays ``None``: to Kafka it is the mark of a deleted key.
    """

    def __init__(self, **options: Any) -> None:
        self._encoder = Encoder(**options)

    def __call__(self, obj: Any, ctx: Any = None) -> bytes | None:
        """Packs a key or value. Raises ``SerializationError`` if it can't be packed."""
        try:
            return None if obj is None else self._encoder.encode(obj)
        except MsgpackEncodeError as error:
            raise SerializationError(str(error)) from error


class MsgpackDeserializer(Deserializer):  # type: ignore[misc,unused-ignore]
    """Unpacks keys or values of messages, into a type if one is given; the options are those of
    ``Decoder``."""

    def __init__(self, type: Any = Any, **options: Any) -> None:
        self._decoder: Decoder[Any] = Decoder(type, **options)

    def __call__(self, value: bytes | None, ctx: Any = None) -> Any:
        """Unpacks a key or value. Raises ``SerializationError`` for bytes that are not right."""
        try:
            return None if value is None else self._decoder.decode(value)
        except MsgpackDecodeError as error:
            raise SerializationError(str(error)) from error
