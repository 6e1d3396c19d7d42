"""Responses and requests of Starlette and FastAPI.

>>> from fastapi import FastAPI, Request
>>> from packord.integrations.starlette import MsgpackResponse, unpack_request
>>> app = FastAPI()
>>> @app.post("/echo", response_class=MsgpackResponse)
... async def echo(request: Request) -> MsgpackResponse:
...     return MsgpackResponse(await unpack_request(request))
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from packord import MsgpackArgumentError, MsgpackDecodeError, packb, unpackb

_REFUSALS = (ValueError, TypeError, ArithmeticError)
MEDIA_TYPES = ("application/msgpack", "application/vnd.msgpack", "application/x-msgpack")


class MsgpackResponse(Response):
    """A response whose content is packed; ``options`` are keywords of ``packb``."""

    media_type = "application/msgpack"
    options: Mapping[str, Any] = {}

    def render(self, content: Any) -> bytes:
        """Packs the content."""
        return packb(content, **self.options)


async def unpack_request(request: Request, type: Any = Any, **options: Any) -> Any:
    """The body of a request, unpacked, into a type if one is given.

    Raises ``HTTPException`` 415 for another content type, and 400 for bytes that are not right. Of
    what hooks and classes raise, ``ValueError``, ``TypeError`` and ``ArithmeticError`` refuse the
    value; any other exception is a fault of the server, and is raised as it is. So are wrong
    keywords.
    """
    content_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if content_type not in MEDIA_TYPES:
        raise HTTPException(415, f"expected {MEDIA_TYPES[0]}, got {content_type or 'nothing'}")
    try:
        return unpackb(await request.body(), type=type, **options)
    except MsgpackArgumentError:
        # The body is not at fault for a wrong keyword.
        raise
    except MsgpackDecodeError as error:
        cause = error.__cause__
        if isinstance(cause, Exception) and not isinstance(cause, _REFUSALS):
            raise cause from None
        raise HTTPException(400, str(error)) from error
