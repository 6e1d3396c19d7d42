"""How the cost of reading and packing grows with the size and the depth of a document, in each language.

Each measurement is a new process that runs the language's `roundtrip` program with one file.
"""

import dataclasses
import json
import shlex
import shutil
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

SIZES = [10**3, 10**4, 10**5, 10**6, 10**7, 10**8]
QUICK_SIZES = SIZES[1:5:3]
DEPTHS = [1, 10, 100, 1000]
QUICK_DEPTHS = DEPTHS[::3]
# The size in bytes of the documents of different depths.
DEPTH_BYTES = 10**6


@dataclasses.dataclass(frozen=True)
class Point:
    """The cost of one document: microseconds each way, and peak memory above that of an empty one."""

    language: str
    kind: str
    at: int
    bytes: int
    read: float
    pack: float
    peak: int


def commands(root: Path) -> dict[str, list[str]]:
    """Returns the command of the `roundtrip` program of each language that has been built."""
    programs = root / "bench/roundtrip"
    classpath = root / "jvm/bench/target/classpath"
    found = {
        "Rust": [str(root / "rust/target/release/roundtrip")],
        "Python": [str(root / "python/.venv/bin/python"), str(programs / "roundtrip.py")],
        "JavaScript": ["node", str(programs / "roundtrip.js")],
    }
    if classpath.exists():
        classes = f"{root}/jvm/bench/target/classes:{classpath.read_text().strip()}"
        found["Clojure"] = ["java", "-cp", classes, "clojure.main", str(programs / "roundtrip.clj")]
    return {name: command for name, command in found.items() if shutil.which(command[0])}


def nested(depth: int) -> bytes:
    """Returns a packed array of nested arrays, with `depth` levels including the outer one."""
    chain = b"\x91" * (depth - 1) + b"\x01"
    count = DEPTH_BYTES // len(chain)
    # The smallest header, as canonical form requires. There are always too many elements for a fixarray.
    header = b"\xdd" + count.to_bytes(4, "big") if count > 0xFFFF else b"\xdc" + count.to_bytes(2, "big")
    return header + chain * count


def documents(root: Path, folder: Path, *, quick: bool) -> Iterator[tuple[str, int, Path]]:
    """Writes each document into `folder`, and yields its kind, its size or depth, and its file."""
    tool = str(root / "rust/target/release/packord")
    for size in QUICK_SIZES if quick else SIZES:
        text, packed = folder / "sample.json", folder / f"size-{size}"
        # The sample is JSON of this size, which is about a third longer than the packed document.
        subprocess.run([tool, "sample", "--seed", "1", "--size", str(size), "--out", text], check=True)
        text.write_text(json.dumps(json.loads(text.read_text(), parse_float=_number)))
        subprocess.run([tool, "pack", "--canonical", text, "--out", packed], check=True)
        yield "size", size, packed
    for depth in QUICK_DEPTHS if quick else DEPTHS:
        packed = folder / f"depth-{depth}"
        packed.write_bytes(nested(depth))
        yield "depth", depth, packed


def _number(text: str) -> float:
    """Returns 2 for 2.0, since JavaScript cannot tell them apart: all languages must pack the same."""
    number = float(text)
    return int(number) if number.is_integer() else number


def run(command: list[str], seconds: float, file: Path) -> tuple[float, float, int]:
    """Returns the microseconds of reading and of packing, and the peak resident memory of the process."""
    with tempfile.TemporaryFile() as output:
        process = subprocess.Popen([*command, str(seconds), str(file)], stdout=output)
        peak = 0
        while process.poll() is None:
            peak = max(peak, _peak_so_far(process.pid))
            time.sleep(0.002)
        if process.returncode != 0:
            raise RuntimeError(f"{shlex.join(command)} {file} ended with {process.returncode}")
        output.seek(0)
        _, verdict, read, pack = output.read().decode().strip().split("\t")
    if verdict != "same":
        raise RuntimeError(f"{shlex.join(command)} packed other bytes than those of {file}")
    return float(read), float(pack), peak


def _peak_so_far(pid: int) -> int:
    """Returns the peak resident memory of the process in bytes, or 0 where the system doesn't report it.

    The figure of `wait4` is not usable: it starts at the memory of the process that forked.
    """
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return 0
    line = next((line for line in status.splitlines() if line.startswith("VmHWM:")), None)
    return int(line.split()[1]) * 1024 if line else 0


def measure(root: Path, *, quick: bool) -> list[Point]:
    """Measures every document in every language that is built."""
    points = []
    languages = commands(root)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        empty = folder / "empty"
        empty.write_bytes(b"\xc0")
        floors = {language: run(command, 0, empty)[2] for language, command in languages.items()}
        for kind, at, file in documents(root, folder, quick=quick):
            for language, command in languages.items():
                seconds = 0.1 if quick else 0.5
                seconds *= 3 if language == "Clojure" else 1
                read, pack, peak = run(command, seconds, file)
                size = file.stat().st_size
                peak = max(peak - floors[language], 0)
                points.append(Point(language, kind, at, size, read, pack, peak))
            file.unlink()
    return points


def load(file: Path) -> list[Point]:
    """Returns the points that an earlier run saved."""
    return [Point(**point) for point in json.loads(file.read_text())] if file.exists() else []


def save(points: list[Point], file: Path) -> None:
    """Writes the points for `load`."""
    file.write_text(json.dumps([dataclasses.asdict(point) for point in points], indent=1) + "\n")
