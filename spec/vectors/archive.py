#!/usr/bin/env python3
"""Writes packord-vectors-VERSION.tar.gz: the vectors, the specification and an example, for other projects.

python3 archive.py FOLDER    the same bytes for the same files, whenever it runs
"""

from __future__ import annotations

import gzip
import io
import sys
import tarfile
from pathlib import Path

VECTORS = Path(__file__).resolve().parent
SPEC = VECTORS.parent
ROOT = SPEC.parent
CLASSES = (
    "valid",
    "invalid",
    "stream",
    "records",
    "notation",
    "typed",
    "defaults",
    "columns",
    "container",
    "hostile",
)


def contents() -> dict[str, Path]:
    """The files, by their names in the archive."""
    found = {"README.md": VECTORS / "README.md"}
    found |= {name: ROOT / name for name in ("LICENSE-APACHE", "LICENSE-MIT")}
    found |= {f"specification/{path.name}": path for path in SPEC.iterdir() if path.is_file()}
    for folder in (*CLASSES, "example"):
        found |= {f"{folder}/{path.name}": path for path in (VECTORS / folder).iterdir()}
    return dict(sorted(found.items()))


def write(folder: Path) -> Path:
    """Writes the archive into the folder, and returns its path."""
    stem = f"packord-vectors-{(ROOT / 'VERSION').read_text('ascii').strip()}"
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w") as archive:
        for name, path in contents().items():
            entry = tarfile.TarInfo(f"{stem}/{name}")
            data = path.read_bytes()
            entry.size = len(data)
            archive.addfile(entry, io.BytesIO(data))
    target = folder / f"{stem}.tar.gz"
    target.write_bytes(gzip.compress(packed.getvalue(), mtime=0))
    return target


if __name__ == "__main__":
    print(write(Path(sys.argv[1])))
