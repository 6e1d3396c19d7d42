"""A renderer and a parser for Django REST framework.

REST_FRAMEWORK = {
    "DEFAULT_RENDERER_CLASSES": ["packord.integrations.rest_framework.MsgpackRenderer"],
    "DEFAULT_PARSER_CLASSES": ["packord.integrations.rest_framework.MsgpackParser"],
}
"""

from __future__ import annotations

import uuid
from collections.abc import Callable
from typing import Any

from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer

from packord import Encoder, MsgpackDecodeError, _packord, unpackb

_PLAINLY: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (dict, lambda form: dict(form.items())),
    (int, int.__int__),
    (str, str.__str__),
    (uuid.UUID, str),
)


def default(obj: Any) -> Any:
    """Converts what views return that is not a plain value: forms and lists of subclasses, which
    have what they say they have, as in JSON, and lazy strings."""
    from django.utils.functional import Promise

    for base, plainly in _PLAINLY:
        if isinstance(obj, base):
            return plainly(obj)
    if isinstance(obj, Promise):
        return str(obj)
    if hasattr(obj, "tolist"):
        return obj.tolist()
    if hasattr(obj, "__iter__"):
        return list(obj)
    raise TypeError


_KEYWORDS: dict[str, Any] = {
    "default": default,
    "_flags": _packord.OPT_NON_STR_KEYS
    | _packord.OPT_SERIALIZE_NUMPY
    | _packord.OPT_SERIALIZE_PYDANTIC
    | _packord.OPT_DATETIME_AS_TIMESTAMP_EXT
    | _packord.OPT_PASSTHROUGH_SUBCLASS,
}
_ENCODER = Encoder(**_KEYWORDS)


class MsgpackRenderer(BaseRenderer):  # type: ignore[misc,unused-ignore]
    """Renders responses as MessagePack."""

    media_type = "application/msgpack"
    format = "msgpack"
    charset = None
    render_style = "binary"

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Any = None
    ) -> bytes:
        """Packs the data; returns no bytes for no data."""
        return b"" if data is None else _ENCODER.encode(data)


class MsgpackParser(BaseParser):  # type: ignore[misc,unused-ignore]
    """Parses requests in MessagePack."""

    media_type = "application/msgpack"

    def parse(self, stream: Any, media_type: str | None = None, parser_context: Any = None) -> Any:
        """Unpacks the body. Raises ``ParseError`` if it is not MessagePack."""
        try:
            return unpackb(stream.read())
        except MsgpackDecodeError as error:
            raise ParseError(str(error)) from error
