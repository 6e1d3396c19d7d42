"""The peers' versions: those of this repository, and what the clients of registries print. No network."""

from pathlib import Path

import pytest

from report import peers

ROOT = Path(__file__).resolve().parents[3]
MAVEN = """\
[INFO] The following dependencies in Dependencies have newer versions:
[INFO]   com.fasterxml.jackson.core:jackson-databind ......... 2.20.0 -> 2.23.0
[INFO]   org.msgpack:jackson-dataformat-msgpack ...
[INFO]                                                         0.9.11 -> 0.9.12
[INFO]   org.clojure:clojure .......................... 1.12.6 -> 1.13.0-alpha6
[INFO]
[INFO] BUILD SUCCESS
"""


def said(command: list[str], folder: Path) -> str:
    """What the clients print about packages that are at version 9.8.7."""
    match command[0]:
        case "cargo":
            return f"{command[-1]} #serde\nA package\nversion: 9.8.7\nlicense: MIT\n"
        case "npm":
            return "9.8.7\n"
        case "mvn":
            assert folder == ROOT / "jvm/bench"
            return MAVEN
        case _:
            return f"{command[-1]} (9.8.7)\nAvailable versions: 9.8.7, 1.0\n"


def test_every_peer_is_pinned():
    found = peers.pinned(ROOT)
    assert {peer.registry: peer for peer in found}.keys() == peers.NAMES.keys()
    assert all(peer.pinned[0].isdigit() for peer in found)


def test_a_peer_without_a_pin_is_named(monkeypatch):
    monkeypatch.setattr(peers, "NAMES", {"pip": ("no-such-package",)})
    with pytest.raises(
        peers.NotFoundError, match=r"requirements-test\.txt pins no version of no-such-package"
    ):
        peers.pinned(ROOT)


def test_the_newest_versions_are_read_from_what_the_clients_print():
    known = [*peers.pinned(ROOT), *peers.suites(ROOT)]
    assert "lmdb" in {peer.name for peer in known if peer.used_by == "suite"}
    found = {peer.name: version for peer, version in peers.newest(known, ROOT, said).items()}
    assert found.keys() == {peer.name for peer in known}
    assert {found[name] for name in ("rmpv", "ormsgpack", "@msgpack/msgpack")} == {"9.8.7"}
    assert found["com.fasterxml.jackson.core:jackson-databind"] == "2.23.0"
    assert found["org.msgpack:jackson-dataformat-msgpack"] == "0.9.12"
    # Maven says nothing about what is up to date.
    core = next(peer for peer in known if peer.name == "org.msgpack:msgpack-core")
    assert found["org.msgpack:msgpack-core"] == core.pinned


@pytest.mark.parametrize("registry", ["cargo", "pip", "npm", "maven"])
def test_a_client_that_names_no_version_is_an_error(registry):
    peer = peers.Peer(registry, "org:name", "1.0")
    with pytest.raises(peers.NotFoundError, match="names no version"):
        peers.newest([peer], ROOT, lambda command, folder: "what is this?")


@pytest.mark.parametrize(
    ("found", "than", "newer"),
    [
        ("1.10.0", "1.9.3", True),
        ("1.9.3", "1.10.0", False),
        ("1.0", "1.0.0", False),
        ("2.0.0", "2", False),
        ("0.8.1", "0.8", True),
        ("2.0.0-alpha6", "1.0.0", False),
    ],
)
def test_versions_are_compared_by_their_numbers(found, than, newer):
    assert peers.is_newer(found, than) == newer


def test_the_table_marks_what_is_newer():
    old, same = peers.Peer("npm", "old", "1.9.0"), peers.Peer("npm", "same", "2.0.0", "suite")
    lines = peers.table([old, same], {old: "1.10.0", same: "2.0.0"}).splitlines()
    assert lines[2:4] == [
        "| old | npm | benchmark | 1.9.0 | 1.10.0 | newer |",
        "| same | npm | suite | 2.0.0 | 2.0.0 |  |",
    ]
    assert lines[-1] == "1 of 2 peers are newer than what was used."


def test_a_client_that_is_missing_or_fails_is_named(tmp_path):
    with pytest.raises(peers.NotFoundError, match="missing: no-such-client"):
        peers.ask(["no-such-client"], tmp_path)
    with pytest.raises(peers.NotFoundError, match="failed: git no-such-verb"):
        peers.ask(["git", "no-such-verb"], tmp_path)
