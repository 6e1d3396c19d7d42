"""The frameworks themselves, from PyPI, with packord in them."""

from __future__ import annotations

import contextlib
import datetime
import decimal
import enum
import importlib
import inspect
import ipaddress
import json
import shutil
import socket
import subprocess
import time
import typing
import uuid
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import frameworks
import numpy
import pytest

import packord


def test_fastapi_serves_and_reads_messages() -> None:
    from fastapi import FastAPI, Request
    from fastapi.testclient import TestClient

    from packord.integrations.starlette import MEDIA_TYPES, MsgpackResponse, unpack_request

    app = FastAPI()

    async def echo(request: Request) -> MsgpackResponse:
        return MsgpackResponse({"got": await unpack_request(request, dict[str, int])})

    echo.__annotations__ = {"request": Request}
    app.post("/echo", response_class=MsgpackResponse)(echo)
    client = TestClient(app)
    for media_type in MEDIA_TYPES:
        response = client.post(
            "/echo", content=packord.packb({"a": 1}), headers={"content-type": media_type}
        )
        assert response.status_code == 200
        assert response.headers["content-type"] == "application/msgpack"
        assert packord.unpackb(response.content) == {"got": {"a": 1}}
    headers = {"content-type": "application/msgpack"}
    wrong = client.post("/echo", content=packord.packb({"a": "x"}), headers=headers)
    assert wrong.status_code == 400 and "expected an integer, found str" in wrong.text
    other = client.post("/echo", content=b"{}", headers={"content-type": "application/json"})
    assert other.status_code == 415


@pytest.mark.parametrize(("error", "status"), [(ValueError, 400), (LookupError, 500)])
def test_what_a_hook_raises_is_a_fault_of_the_value_or_of_the_server(
    error: type[Exception], status: int
) -> None:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from packord.integrations.starlette import MsgpackResponse, unpack_request

    def hook(cls: Any, value: Any) -> Any:
        raise error("no table")

    async def read(request: Request) -> MsgpackResponse:
        return MsgpackResponse(await unpack_request(request, complex, dec_hook=hook))

    app = Starlette(routes=[Route("/", read, methods=["POST"])])
    client = TestClient(app, raise_server_exceptions=False)
    headers = {"content-type": "application/msgpack"}
    assert client.post("/", content=b"\x01", headers=headers).status_code == status


class Id(uuid.UUID):
    pass


def test_a_wrong_keyword_is_a_fault_of_the_server() -> None:
    from starlette.applications import Starlette
    from starlette.requests import Request
    from starlette.routing import Route
    from starlette.testclient import TestClient

    from packord.integrations.starlette import unpack_request

    async def read(request: Request) -> Any:
        return await unpack_request(request, unknown=1)

    client = TestClient(Starlette(routes=[Route("/", read, methods=["POST"])]))
    headers = {"content-type": "application/msgpack"}
    with pytest.raises(packord.MsgpackArgumentError, match="unknown"):
        client.post("/", content=b"\x01", headers=headers)


def test_rest_framework_renders_and_parses() -> None:
    module = frameworks.rest_framework()
    from rest_framework.response import Response
    from rest_framework.test import APIRequestFactory
    from rest_framework.views import APIView

    class Echo(APIView):  # type: ignore[misc,unused-ignore]
        renderer_classes = (module.MsgpackRenderer,)
        parser_classes = (module.MsgpackParser,)

        def post(self, request: Any) -> Any:
            return Response({"got": request.data, "price": decimal.Decimal("1.50")})

    post = APIRequestFactory().post
    view = Echo.as_view()
    content = packord.packb({"a": [1, None]})
    response = view(post("/", content, content_type="application/msgpack")).render()
    assert response["Content-Type"] == "application/msgpack"
    assert packord.unpackb(response.content) == {"got": {"a": [1, None]}, "price": "1.50"}
    refused = view(post("/", b"\xc1", content_type="application/msgpack"))
    assert refused.status_code == 400

    # As JSON shows them.
    from django.utils.safestring import mark_safe
    from rest_framework.utils.serializer_helpers import ReturnDict, ReturnList

    row = ReturnDict({"n": 1}, serializer=None)
    data = {
        "form": frameworks.form("item=tea&item=milk"),
        "rows": ReturnList([row], serializer=None),
        "text": mark_safe("<b>"),
        3: datetime.timedelta(seconds=90),
        "id": Id(int=5),
        Id(int=6): 1,
    }
    assert packord.unpackb(module.MsgpackRenderer().render(data)) == {
        "form": {"item": "milk"},
        "rows": [{"n": 1}],
        "text": "<b>",
        3: "PT1M30S",
        "id": str(uuid.UUID(int=5)),
        str(uuid.UUID(int=6)): 1,
    }


PARTS: list[tuple[type, tuple[Any, ...]]] = [
    (uuid.UUID, ("00000000-0000-0000-0000-000000000001",)),
    (datetime.date, (2026, 1, 2)),
    (datetime.time, (3, 4)),
    (datetime.datetime, (2026, 1, 2, 3, 4)),
    (ipaddress.IPv4Address, ("10.0.0.1",)),
    (ipaddress.IPv6Network, ("::/8",)),
    (int, (5,)),
    (float, (1.5,)),
    (str, ("text",)),
    (list, ([1],)),
    (tuple, ([1],)),
    (dict, ({"a": 1},)),
    (set, ([1],)),
]


@pytest.mark.parametrize(
    ("base", "arguments"), PARTS, ids=lambda part: getattr(part, "__name__", "")
)
def test_rest_framework_renders_a_subclass_as_json_does(
    base: type, arguments: tuple[Any, ...]
) -> None:
    module = frameworks.rest_framework()
    from rest_framework.renderers import JSONRenderer

    value = type("Special", (base,), {})(*arguments)
    packed = module.MsgpackRenderer().render(value)
    assert packord.unpackb(packed) == json.loads(JSONRenderer().render(value))


VALUES: list[Any] = [5, -5, 0, "text", "5", b"\x00", 1.5, None, True, [1, {"a": 2}], {"k": "é"}]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_the_serializer_of_a_django_cache(value: Any) -> None:
    from packord.integrations.redis import MsgpackSerializer

    serializer = MsgpackSerializer()
    stored = serializer.dumps(value)
    raw = str(stored).encode() if isinstance(stored, int) else stored
    assert serializer.loads(raw) == value and type(serializer.loads(raw)) is type(value)


class Number(enum.IntEnum):
    ZERO = 48
    NINE = 57


class Digit(enum.Enum):
    TWO = 50


class Amount(int):
    pass


DIGITS = [Number.ZERO, Number.NINE, numpy.int64(50), numpy.uint8(51), Digit.TWO, Amount(52)]


@pytest.mark.parametrize("value", DIGITS)
def test_numbers_of_a_django_cache_are_no_digits(value: Any) -> None:
    from packord.integrations.redis import MsgpackSerializer

    serializer = MsgpackSerializer()
    stored = serializer.dumps(value)
    raw = str(stored).encode() if isinstance(stored, int) else stored
    assert serializer.loads(raw) == (50 if value is Digit.TWO else value)


@contextlib.contextmanager
def redis_server(folder: Path) -> Iterator[int]:
    program = shutil.which("redis-server")
    if program is None:
        pytest.skip("redis-server is not installed (Debian: redis-server)")
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    command = [
        program,
        "--port",
        str(port),
        "--bind",
        "127.0.0.1",
        "--save",
        "",
        "--dir",
        str(folder),
    ]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL) as server:
        try:
            while server.poll() is None:
                with contextlib.suppress(OSError):
                    socket.create_connection(("127.0.0.1", port)).close()
                    break
                time.sleep(0.02)
            yield port
        finally:
            server.terminate()


def test_a_redis_client_stores_values(tmp_path: Path) -> None:
    import redis

    from packord.integrations.redis import MsgpackSerializer

    serializer = MsgpackSerializer()
    with redis_server(tmp_path) as port, redis.Redis(port=port) as client:
        for value in VALUES:
            client.set("key", serializer.dumps(value))
            assert serializer.loads(client.get("key")) == value
        client.set("count", serializer.dumps(41))
        client.incr("count")
        assert serializer.loads(client.get("count")) == 42


def test_annotations_of_public_functions_are_found() -> None:
    for function in (packord.pack, packord.unpack, packord.unpack_async, packord.Packer.__init__):
        assert "options" in typing.get_type_hints(function)
    names = ["", ".container", ".compat.msgpack", ".compat.ormsgpack"]
    names += [f".engines.{name}" for name in ("duckdb", "polars")]
    names += [
        f".integrations.{name}" for name in ("kafka", "kombu", "redis", "starlette", "tables")
    ]
    for name in names:
        module = importlib.import_module(f"packord{name}")
        own = [
            member
            for name, member in vars(module).items()
            if not name.startswith("_") and getattr(member, "__module__", None) == module.__name__
        ]
        for member in own:
            methods = vars(member).values() if isinstance(member, type) else []
            for function in filter(inspect.isfunction, [member, *methods]):
                typing.get_type_hints(function)
