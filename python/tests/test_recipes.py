"""Every section of ``docs/python-recipes.md`` runs as a program of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

RECIPES = Path(__file__).parent / "linked" / "docs" / "python-recipes.md"
SECTIONS = {
    section.partition("\n")[0]: re.findall(r"```python\n(.*?)```", section, re.DOTALL)
    for section in RECIPES.read_text("utf-8").split("\n## ")[1:]
}


@pytest.mark.parametrize("name", SECTIONS)
def test_recipes_run(name: str, tmp_path: Path) -> None:
    program = tmp_path / "recipe.py"
    program.write_text("\n".join(SECTIONS[name]), "utf-8")
    assert SECTIONS[name]
    if name != "Redis":
        run(program)
        return
    from test_integrations import redis_server

    with redis_server(tmp_path) as port:
        run(program, REDIS_URL=f"redis://127.0.0.1:{port}")


def run(program: Path, **environment: str) -> None:
    command = [sys.executable, "-W", "error::SyntaxWarning", program.name]
    done = subprocess.run(
        command,
        cwd=program.parent,
        env={**os.environ, **environment},
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stderr


def test_kafka_serializers() -> None:
    from confluent_kafka.serialization import SerializationError

    from packord.integrations.kafka import MsgpackDeserializer, MsgpackSerializer

    serializer = MsgpackSerializer(sort_keys=True)
    assert serializer({"b": 1, "a": 2}, None) == b"\x82\xa1a\x02\xa1b\x01"
    assert serializer(None, None) is None
    with pytest.raises(SerializationError, match=r"unsupported_type at \$\.a"):
        serializer({"a": object()}, None)
    deserializer = MsgpackDeserializer(dict[str, int], max_map_len=1)
    assert deserializer(b"\x81\xa1a\x01", None) == {"a": 1}
    assert deserializer(None, None) is None
    for wrong in (b"", b"\x81\xa1a\xa1b", b"\x82\xa1a\x01\xa1b\x01", b"\x80\x01"):
        with pytest.raises(SerializationError, match="at byte"):
            deserializer(wrong, None)


def test_kombu_reads_what_the_msgpack_package_writes() -> None:
    import decimal

    import kombu.serialization
    import msgpack

    from packord.integrations.kombu import register

    serialization: Any = kombu.serialization

    register("packord-test", "application/x-packord-test")
    value: Any = {"id": 5, "args": [1, 2.5, b"x", None], "price": decimal.Decimal("1.50"), "s": {1}}
    content_type, encoding, data = serialization.dumps(value, serializer="packord-test")
    assert (content_type, encoding) == ("application/x-packord-test", "binary")
    plain = {**value, "price": msgpack.unpackb(data)["price"], "s": [1]}
    assert msgpack.unpackb(data) == plain
    accept = ["application/x-packord-test"]
    assert serialization.loads(data, content_type, encoding, accept=accept) == plain
