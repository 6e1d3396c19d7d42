"""Other packages read what packord writes, and packord what they write.

Each peer reads a message of packord and writes it again; all four languages then read that, and
find the value that it was. A rule beside each peer names the values that it cannot say.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from conftest import DOCUMENTS, cases
from values import Values
from programs import HERE, LANGUAGES, Four, Program
from sayable import comparable, number_of, said
from test_matrix import compact, typed
from writer import encode

from expansion import build

Value = Any
Rule = Callable[[str, Any], bool]


def has(value: Value, rule: Rule) -> bool:
    """Whether the rule holds for some part of the value, by its kind and content."""
    if not isinstance(value, dict):
        return rule("constant", value)
    ((kind, content),) = value.items()
    if rule(kind, content):
        return True
    if kind == "array":
        return any(has(element, rule) for element in content)
    return kind == "map" and any(has(part, rule) for pair in content for part in pair)


def nothing(_kind: str, _content: Any) -> bool:
    return False


def odd_keys(*allowed: str) -> Rule:
    """Maps with keys of other kinds than these."""

    def rule(kind: str, content: Any) -> bool:
        return kind == "map" and any(
            (next(iter(key)) if isinstance(key, dict) else "constant") not in allowed
            for key, _ in content
        )

    return rule


def any_of(*rules: Rule) -> Rule:
    return lambda kind, content: any(rule(kind, content) for rule in rules)


def kinds(*names: str) -> Rule:
    return lambda kind, _: kind in names


def beyond_years(kind: str, content: Any) -> bool:
    """Times that a datetime or a Date of microseconds or milliseconds does not hold."""
    return kind == "timestamp" and (content[1] != 0 or not 0 <= int(content[0]) < 2**33)


def beyond_double(kind: str, content: Any) -> bool:
    return kind == "int" and abs(int(content)) >= 2**53


def looks_like_number(kind: str, content: Any) -> bool:
    """Perl has no integers apart from floats, and no booleans or bytes apart from text."""
    return kind == "f64" and (
        number_of(content) != number_of(content) or number_of(content).is_integer()
    )


@dataclass
class Peer:
    """Another package: the program that asks it, and what it can't say."""

    name: str
    host: str
    unsayable: Rule = nothing
    # The language whose values it has: JavaScript's have no 1.0 beside 1.
    values: str = "python"
    options: dict[str, Any] | None = None


PEERS = [
    Peer("rmp-serde", "rust", values="python"),
    Peer("msgpack", "python", odd_keys("str", "int", "bin", "f64", "constant", "timestamp")),
    Peer(
        "ormsgpack",
        "python",
        # It reads a timestamp as an ext, which is no key of a dict that it packs.
        odd_keys("str", "int", "bin", "f64", "constant"),
    ),
    Peer(
        "msgspec",
        "python",
        any_of(beyond_years, odd_keys("str", "int", "bin", "f64", "constant")),
    ),
    Peer("msgpackr", "js", any_of(beyond_years, beyond_double), values="js"),
    Peer(
        "msgpackr records",
        "js",
        any_of(beyond_years, beyond_double),
        values="js",
        options={"records": True},
    ),
    Peer("@msgpack/msgpack", "js", any_of(beyond_years, odd_keys("str", "int")), values="js"),
    Peer("msgpack-java", "clojure"),
    Peer("C", "cc"),
    Peer("Ruby", "ruby"),
    Peer(
        "Perl",
        "perl",
        any_of(kinds("bin", "ext", "timestamp", "map"), looks_like_number),
    ),
]


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Program]]:
    """Starts the programs of peers that come from the system; skips where it lacks them."""
    started: dict[str, Program] = {}
    folder = tmp_path_factory.mktemp("native")

    def start(host: str) -> Program:
        if host not in started:
            started[host] = Program(host, native_command(host, folder))
        return started[host]

    yield start
    for program in started.values():
        program.close()


def native_command(host: str, folder: Path) -> list[str]:
    probes = {
        "cc": ("libmsgpack-dev", ["cc", "-E", "-include", "msgpack.h", "-xc", "/dev/null"]),
        "ruby": ("ruby-msgpack", ["ruby", "-e", "require 'msgpack'"]),
        "perl": ("libdata-messagepack-perl", ["perl", "-MData::MessagePack", "-e", "1"]),
    }
    package, probe = probes[host]
    if not shutil.which(probe[0]) or subprocess.run(probe, capture_output=True).returncode:
        pytest.skip(f"needs Debian's package {package}")
    if host != "cc":
        return [host, str(HERE / "native" / {"ruby": "transcode.rb", "perl": "transcode.pl"}[host])]
    program = str(folder / "transcode")
    source = str(HERE / "native/transcode.c")
    subprocess.run(["cc", "-O1", "-Wall", "-Werror", "-o", program, source, "-lmsgpackc"], check=True)
    return [program]


def sample() -> list[Value]:
    """Values of the vectors, of the documents, and generated ones."""
    found = [
        build(case["value"])
        for case in cases("valid")
        if case.get("default") is True and "options" not in case and case["file"] != "nested"
    ]
    for document in DOCUMENTS:
        value = typed(json.loads(document.read_text(encoding="utf-8")))
        found += value["array"][:200] if "array" in value else [value]
    values = Values(seed=77)
    return found + [values.value() for _ in range(10_000)]


SAMPLE = sample()


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_both_ways(four: Four, native: Callable[[str], Program], peer: Peer) -> None:
    program = four.programs[peer.host] if peer.host in LANGUAGES else native(peer.host)
    values = [value for value in SAMPLE if not has(value, peer.unsayable)]
    assert len(values) > 1500
    if peer.options:
        items = [compact(said(value, "js", True)) for value in values]
        *outcomes, _ = four.programs["rust"].call("encode", items, options=peer.options)
        packed = [data for _, data in outcomes]
    else:
        packed = list(map(encode, values))
    answers = program.call("transcode", packed, peer=peer.name)
    for value, (ok, data) in zip(values, answers, strict=True):
        assert ok, f"{peer.name} refuses {compact(value).decode()[:500]}: {data.decode()}"
    # What it wrote, as each of the four reads it.
    options = peer.options or {}
    read = four.call("decode", [data for _, data in answers], options=options)
    for language in LANGUAGES:
        for value, (ok, text), (_, data) in zip(values, read[language], answers, strict=True):
            assert ok, f"{language} refuses {data.hex()[:500]} of {peer.name}: {text.decode()}"
            assert as_peer(value, peer, language) == as_peer(json.loads(text), peer, language), (
                f"{peer.name} made {data.hex()[:500]} of {compact(value).decode()[:500]}, "
                f"{language} read {text.decode()[:500]}"
            )


def as_peer(value: Value, peer: Peer, language: str) -> Value:
    """The value as both the peer and the language that read its bytes can say it."""
    for name in (peer.values, language):
        value = comparable(said(value, name), name)
    return value
