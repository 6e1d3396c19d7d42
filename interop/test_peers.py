"""Other packages read what packord writes, and packord reads what they write.

Each peer reads a message of packord and writes it again. All four languages read the result, and
find the same value. A rule for each peer names the values that the peer cannot represent.
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
from spec.vectors.expansion import build
from spec.vectors.writer import encode

from .conftest import DOCUMENTS, cases
from .programs import HERE, LANGUAGES, Four, Program
from .sayable import agree, comparable, number_of, parts, represent
from .values import Values, compact, typed

Value = Any
Rule = Callable[[str, Any], bool]


def has(value: Value, rule: Rule) -> bool:
    """Whether the rule holds for some part of the value, by its kind and content."""
    return any(rule(kind, content) for kind, content in parts(value))


def nothing(_kind: str, _content: Any) -> bool:
    return False


def odd_keys(*allowed: str) -> Rule:
    """Maps with keys of any other kind."""

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
    """Times outside the range or precision of a datetime or a Date."""
    return kind == "timestamp" and (content[1] != 0 or not 0 <= int(content[0]) < 2**33)


def minus_zero(kind: str, content: Any) -> bool:
    """-0.0, which the packages for JavaScript write as the integer 0."""
    return (kind, content) in (("f64", "8000000000000000"), ("f32", "80000000"))


def byte_order_mark(kind: str, content: Any) -> bool:
    """A str that starts with U+FEFF, which a TextDecoder removes."""
    return kind == "str" and content.startswith("\ufeff")


def beyond_seconds(kind: str, content: Any) -> bool:
    """Times outside the range of java.time."""
    return kind == "timestamp" and abs(int(content[0])) > 10**16


def negative_ext(kind: str, content: Any) -> bool:
    """Ext types of MessagePack itself, which several packages do not pass to the program."""
    return kind == "ext" and content[0] < 0


def str_and_bin_keys(kind: str, content: Any) -> bool:
    """A str and a bin of the same bytes as keys, which are equal in Ruby."""
    return kind == "map" and any(isinstance(key, dict) and "bin" in key for key, _ in content)


def looks_like_number(kind: str, content: Any) -> bool:
    """Floats that Perl writes as integers, as it has no separate type for them."""
    return kind == "f64" and (
        number_of(content) != number_of(content) or number_of(content).is_integer()
    )


@dataclass
class Peer:
    """Another package: the program that calls it, and the values that it cannot represent."""

    name: str
    host: str
    unsupported: Rule = nothing
    # The language whose values it has: JavaScript has no 1.0 beside 1, Perl has no order of a map.
    values: str = "python"
    options: dict[str, Any] | None = None


PEERS = [
    Peer("rmp-serde", "rust", values="python"),
    Peer(
        "msgpack",
        "python",
        any_of(negative_ext, odd_keys("str", "int", "bin", "f64", "constant", "timestamp")),
    ),
    Peer(
        "ormsgpack",
        "python",
        # It reads a timestamp as an ext, whose type it does not write.
        any_of(negative_ext, kinds("timestamp"), odd_keys("str", "int", "bin", "f64", "constant")),
    ),
    Peer(
        "msgspec",
        "python",
        any_of(beyond_years, odd_keys("str", "int", "bin", "f64", "constant")),
    ),
    # It reads only ext types that an extension was added for.
    Peer("msgpackr", "js", any_of(beyond_years, minus_zero, kinds("ext")), values="js"),
    Peer(
        "msgpackr records",
        "js",
        any_of(beyond_years, minus_zero, kinds("ext")),
        values="js",
        options={"records": True},
    ),
    # It makes every map an object, whose keys are strings.
    Peer(
        "@msgpack/msgpack",
        "js",
        any_of(beyond_years, minus_zero, byte_order_mark, odd_keys("str")),
        values="js",
    ),
    Peer("msgpack-java", "clojure", beyond_seconds),
    Peer("C", "cc"),
    Peer("Ruby", "ruby", str_and_bin_keys),
    Peer(
        "Perl",
        "perl",
        any_of(kinds("bin", "ext", "timestamp"), odd_keys("str"), looks_like_number),
        values="perl",
    ),
]


@pytest.fixture(scope="module")
def native(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[str], Program]]:
    """Starts the programs of the system's packages; skips a test whose package is missing."""
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
    subprocess.run(
        ["cc", "-O1", "-Wall", "-Werror", "-o", program, source, "-lmsgpackc"], check=True
    )
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
    return found + [values.value() for _ in range(2_000)]


SAMPLE = sample()
PACKED = list(map(encode, SAMPLE))
# How many values a rule must leave, so that a test remains.
LEAST = len(SAMPLE) // 3


@pytest.fixture(scope="module")
def readings() -> dict[tuple[bytes, str], bytes]:
    """What Rust read from bytes with some options, where the other three have read the same."""
    return {}


@pytest.mark.parametrize("peer", PEERS, ids=lambda peer: peer.name)
def test_a_peer_reads_what_packord_writes_and_the_other_way_round(
    four: Four,
    native: Callable[[str], Program],
    readings: dict[tuple[bytes, str], bytes],
    peer: Peer,
) -> None:
    program = four.programs[peer.host] if peer.host in LANGUAGES else native(peer.host)
    kept = [index for index, value in enumerate(SAMPLE) if not has(value, peer.unsupported)]
    values = [SAMPLE[index] for index in kept]
    assert len(values) > LEAST
    if peer.options:
        items = [compact(represent(value, "js", True)) for value in values]
        *outcomes, _ = four.programs["rust"].call("encode", items, options=peer.options)
        packed = [data for _, data in outcomes]
    else:
        packed = [PACKED[index] for index in kept]
    answers = program.call("transcode", packed, peer=peer.name)
    for value, (ok, data) in zip(values, answers, strict=True):
        assert ok, f"{peer.name} refuses {compact(value).decode()[:500]}: {data.decode()}"
    written = [data for _, data in answers]
    # Most peers write the same bytes, which each language reads once.
    options = peer.options or {}
    new = [data for data in dict.fromkeys(written) if (data, repr(options)) not in readings]
    read = four.call("decode", new, options=options)
    for index, data in enumerate(new):
        ok, truth = read["rust"][index]
        assert ok, f"rust refuses {data.hex()[:500]} of {peer.name}: {truth.decode()}"
        for language in LANGUAGES[1:]:
            ok, text = read[language][index]
            assert ok and agree(truth, text, language), (peer.name, language, data.hex()[:500])
        readings[data, repr(options)] = truth
    for value, data in zip(values, written, strict=True):
        text, expected = readings[data, repr(options)], compact(value)
        assert text == expected or as_peer(value, peer) == as_peer(json.loads(text), peer), (
            f"{peer.name} made {data.hex()[:500]} of {expected.decode()[:500]}"
        )


def as_peer(value: Value, peer: Peer) -> Value:
    """The value as the peer represents it."""
    return comparable(represent(value, peer.values), peer.values)
