"""The peers: the versions that were measured or whose suites were run, and those of the registries.

The pins of the benchmarks are where each language has them, the versions of suites in `bench/runs.json`.
The newest versions come from the clients of the languages, as they are set up here: cargo, pip, npm and
Maven.
"""

import dataclasses
import json
import re
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path

from .text import markdown

# The peers, and packages that write other formats beside them, by registry.
NAMES = {
    "cargo": ("msgpacker", "rmp-serde", "rmpv", "zerompk", "sonic-rs", "apache-avro"),
    "pip": ("msgpack", "msgspec", "ormsgpack", "orjson", "cbor2"),
    "npm": ("@msgpack/msgpack", "msgpackr", "notepack.io", "cbor-x", "avsc"),
    "maven": (
        "org.msgpack:msgpack-core",
        "org.msgpack:jackson-dataformat-msgpack",
        "com.fasterxml.jackson.core:jackson-databind",
    ),
}
# Maven's properties are in the parent.
PINS = {
    "cargo": (Path("rust/bench/Cargo.toml"),),
    "pip": (Path("python/requirements-test.txt"),),
    "npm": (Path("js/package.json"),),
    "maven": (Path("jvm/bench/pom.xml"), Path("jvm/pom.xml")),
}
REGISTRIES = {"Rust": "cargo", "Python": "pip", "JavaScript": "npm", "Clojure": "maven"}
RUNS = Path("bench/runs.json")
MAVEN = "org.codehaus.mojo:versions-maven-plugin:2.18.0:display-dependency-updates"
SECONDS = 300
# What runs a command in a folder and returns what it prints.
Run = Callable[[list[str], Path], str]


class NotFoundError(Exception):
    """A pin or a version that is not where it should be."""


@dataclasses.dataclass(frozen=True)
class Peer:
    """A package of a registry, its version here, and what has this version."""

    registry: str
    name: str
    pinned: str
    used_by: str = "benchmark"


def pinned(root: Path) -> list[Peer]:
    """Returns the peers with the versions that the benchmarks use."""
    peers = []
    for registry, names in NAMES.items():
        text = "".join((root / file).read_text() for file in PINS[registry])
        for name in names:
            version = _PINNED[registry](text, name)
            if version is None:
                raise NotFoundError(f"{PINS[registry][0]} pins no version of {name}")
            peers.append(Peer(registry, name, version))
    return peers


def of_language(root: Path, language: str) -> dict[str, str]:
    """Returns the packages that the benchmarks of a language compare with, and their versions."""
    registry = REGISTRIES[language]
    # The group of a package of Maven says nothing to its users.
    return {peer.name.rpartition(":")[2]: peer.pinned for peer in pinned(root) if peer.registry == registry}


def suites(root: Path) -> list[Peer]:
    """Returns the packages whose own tests were run with packord in their place, without those of
    Clojars, which has no client."""
    recorded = json.loads((root / RUNS).read_text())["suites"]
    return [
        Peer(each["registry"], each["name"], each["version"], "suite")
        for each in recorded
        if each["registry"] in _PINNED
    ]


def _in_cargo(text: str, name: str) -> str | None:
    found = re.search(rf'^{re.escape(name)} = (?:{{ version = )?"=([^"]+)"', text, re.MULTILINE)
    return found and found[1]


def _in_pip(text: str, name: str) -> str | None:
    found = re.search(rf"^{re.escape(name)}==(\S+)$", text, re.MULTILINE)
    return found and found[1]


def _in_npm(text: str, name: str) -> str | None:
    return json.loads(text)["devDependencies"].get(name)


def _in_maven(text: str, name: str) -> str | None:
    group, artifact = map(re.escape, name.split(":"))
    found = re.search(
        rf"<groupId>{group}</groupId>\s*<artifactId>{artifact}</artifactId>\s*<version>([^<]+)</version>",
        text,
    )
    if found is None:
        return None
    of_property = re.fullmatch(r"\$\{(.+)\}", found[1])
    if of_property is None:
        return found[1]
    found = re.search(rf"<{re.escape(of_property[1])}>([^<]+)<", text)
    return found and found[1]


_PINNED = {"cargo": _in_cargo, "pip": _in_pip, "npm": _in_npm, "maven": _in_maven}


def newest(peers: list[Peer], root: Path, run: Run) -> dict[Peer, str]:
    """Returns the newest version of each peer, by the client of its registry."""
    found = {}
    with tempfile.TemporaryDirectory() as name:
        # In a folder of the project, cargo names the version of the lock file.
        elsewhere = Path(name)
        for peer in peers:
            if peer.registry == "cargo":
                said = _one(r"^version: (\S+)", run(["cargo", "info", "--quiet", peer.name], elsewhere), peer)
            elif peer.registry == "pip":
                command = [sys.executable, "-m", "pip", "index", "versions", "--disable-pip-version-check"]
                said = _one(
                    rf"^{re.escape(peer.name)} \((\S+)\)", run([*command, peer.name], elsewhere), peer
                )
            elif peer.registry == "npm":
                said = _one(r"^(\d\S*)$", run(["npm", "view", peer.name, "version"], elsewhere), peer)
            else:
                continue
            found[peer] = said
    of_maven = [peer for peer in peers if peer.registry == "maven"]
    if of_maven:
        updates = from_maven(run(["mvn", "-B", MAVEN], root / PINS["maven"][0].parent))
        # Maven names only those that have a newer version.
        found |= {peer: updates.get(peer.name, peer.pinned) for peer in of_maven}
    return found


def _one(pattern: str, said: str, peer: Peer) -> str:
    found = re.search(pattern, said, re.MULTILINE)
    if found is None:
        raise NotFoundError(f"{peer.registry} names no version of {peer.name}: {said.strip()[:200]}")
    return found[1]


def from_maven(said: str) -> dict[str, str]:
    """Returns the newer versions that Maven names, by group and artifact."""
    if "BUILD SUCCESS" not in said:
        raise NotFoundError(f"Maven names no versions: {said.strip()[-200:]}")
    # A long name has its versions on the next line.
    joined = re.sub(r"\.\.\.\s*\n\[INFO\]\s+", "... ", said)
    found = re.finditer(r"^\[INFO\]\s+(\S+:\S+) \.+ +\S+ -> (\S+)$", joined, re.MULTILINE)
    return {match[1]: match[2] for match in found}


def is_newer(found: str, than: str) -> bool:
    """Whether a version is newer, by its numbers. One before its release, such as 2.0.0-alpha1, is not."""
    if re.search(r"[A-Za-z]", found):
        return False
    return _numbers(found) > _numbers(than)


def _numbers(version: str) -> list[int]:
    numbers = [int(number) for number in re.findall(r"\d+", version)]
    while numbers and numbers[-1] == 0:
        numbers.pop()
    return numbers


def table(peers: list[Peer], versions: dict[Peer, str]) -> str:
    """Returns a line for each peer, and below it how many have a newer version."""
    newer = [peer for peer in peers if is_newer(versions[peer], peer.pinned)]
    rows = [
        [
            peer.name,
            peer.registry,
            peer.used_by,
            peer.pinned,
            versions[peer],
            "newer" if peer in newer else "",
        ]
        for peer in peers
    ]
    count = f"{len(newer)} of {len(peers)} peers are newer than what was used."
    return f"{markdown(['package', 'by', 'used in', 'version', 'newest', ''], rows)}\n\n{count}"


def ask(command: list[str], folder: Path) -> str:
    """Runs a client, and returns what it prints. Its own message is the error if it fails."""
    try:
        done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=SECONDS)
    except FileNotFoundError as error:
        raise NotFoundError(f"missing: {command[0]}") from error
    except subprocess.TimeoutExpired as error:
        raise NotFoundError(f"no answer after {SECONDS} s: {' '.join(command)}") from error
    if done.returncode != 0:
        raise NotFoundError(f"failed: {' '.join(command)}\n{(done.stderr or done.stdout).strip()[-500:]}")
    return done.stdout
