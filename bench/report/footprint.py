"""What the Rust crate takes of a program and of the time to build it: the table of its README.

`make footprint` measures, keeps the figures in bench/footprint.json and writes the table.
"""

import json
import os
import re
import resource
import struct
import subprocess
import tempfile
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from . import text

KEPT = Path("bench/footprint.json")
PAGE = Path("rust/packord/README.md")
DEVICE = "thumbv7em-none-eabi"
# Builds of other programs at the same time make one slower, and none faster.
ROUNDS = 3
NOBITS = 8
ALLOCATED = 2


def occupied(program: bytes) -> int:
    """Returns the bytes of an ELF file that a machine loads: its code and its data."""
    wide = program[4] == 2
    table, entry, count = (
        (struct.unpack_from("<Q", program, 40)[0], *struct.unpack_from("<HH", program, 58))
        if wide
        else (struct.unpack_from("<I", program, 32)[0], *struct.unpack_from("<HH", program, 46))
    )
    total = 0
    for index in range(count):
        at = table + index * entry
        kind, flags = struct.unpack_from("<IQ" if wide else "<II", program, at + 4)
        size = struct.unpack_from("<Q" if wide else "<I", program, at + (32 if wide else 20))[0]
        total += size if flags & ALLOCATED and kind != NOBITS else 0
    return total


def settings(environment: Mapping[str, str]) -> dict[str, str]:
    """Returns the environment without what changes how programs are built; where cargo keeps crates stays."""
    ours = re.compile(r"CARGO_(PROFILE_|BUILD_|TARGET_|ENCODED_RUSTFLAGS)|RUSTFLAGS|RUSTC_")
    return {key: value for key, value in environment.items() if not ours.match(key)}


def cargo(folder: Path, target: Path, *arguments: str) -> None:
    """Builds for release, with two jobs."""
    own = settings(os.environ) | {"CARGO_TARGET_DIR": str(target), "CARGO_INCREMENTAL": "0"}
    command = ["cargo", "build", "--quiet", "--release", "--locked", "-j2", *arguments]
    subprocess.run(command, cwd=folder, env=own, check=True)


def sizes(root: Path, target: Path) -> dict[str, int]:
    """Returns the bytes of each program."""
    folder, found = root / "rust/footprint", {}
    for name, features in (("device", []), ("device, alloc", ["--features=alloc"])):
        cargo(folder, target, f"--target={DEVICE}", *features)
        found[name] = occupied((target / DEVICE / "release/device").read_bytes())
    for name, features in (
        ("empty", []),
        ("packord", ["--features=packord"]),
        ("rmp-serde", ["--features=rmp-serde"]),
    ):
        cargo(folder / "host", target, *features)
        found[name] = occupied((target / "release/packord-footprint-host").read_bytes())
    return found


def seconds(root: Path) -> dict[str, dict[str, float]]:
    """Returns how long a build of the crate with all that it needs takes, and its processor time."""
    found: dict[str, dict[str, float]] = {}
    builds = {
        "packord": ["-p", "packord"],
        "packord, serde": ["-p", "packord", "--no-default-features", "--features=std,serde"],
        "rmp-serde": ["-p", "rmp-serde"],
    }
    for _ in range(ROUNDS):
        for name, arguments in builds.items():
            with tempfile.TemporaryDirectory() as target:
                began, before = time.monotonic(), _processor()
                cargo(root / "rust", Path(target), *arguments)
                times = {"wall": time.monotonic() - began, "processor": _processor() - before}
            least = found.setdefault(name, times)
            found[name] = {key: round(min(least[key], times[key]), 1) for key in times}
    return found


def _processor() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def measure(root: Path) -> None:
    """Measures all, and keeps the figures."""
    with tempfile.TemporaryDirectory() as target:
        found: dict[str, Any] = {"bytes": sizes(root, Path(target))}
    found["seconds"] = seconds(root)
    (root / KEPT).write_text(json.dumps(found, indent=1) + "\n")


def table(found: dict[str, Any]) -> str:
    """Returns the table of the README."""
    sizes, builds = found["bytes"], found["seconds"]
    kilobytes = {name: f"{size / 1000:.1f} kB" for name, size in sizes.items()}
    added = {name: f"{(sizes[name] - sizes['empty']) / 1000:.0f} kB" for name in ("packord", "rmp-serde")}
    times = {name: f"{each['wall']:.1f} s ({each['processor']:.1f})" for name, each in builds.items()}
    rows = [
        [f"a program for {DEVICE} that reads five fields, without `alloc`", kilobytes["device"], "–"],
        ["the same with `alloc`", kilobytes["device, alloc"], "–"],
        [
            "what reading and writing five fields by serde adds on x86-64",
            added["packord"],
            added["rmp-serde"],
        ],
        ["building the default features", times["packord"], times["rmp-serde"]],
        ["building `std` and `serde`", times["packord, serde"], times["rmp-serde"]],
    ]
    return text.markdown(["", "packord", "rmp-serde"], rows, figures=True)


def update(root: Path, *, check: bool) -> list[str]:
    """Writes the table into its page, unless `check` is set. Returns its name if it was stale."""
    found = json.loads((root / KEPT).read_text())
    return text.update(root, PAGE, lambda _: table(found), check=check)
