"""`.ci/archives.py` looks into packages, however they are packed."""

import gzip
import io
import lzma
import sys
import tarfile
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / ".ci"))

import archives


def zipped(name: str, data: bytes, year: int = 1980) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as packed:
        entry = zipfile.ZipInfo(name, (year, 1, 1, 0, 0, 0))
        packed.writestr(entry, data, zipfile.ZIP_DEFLATED)
    return file.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w") as packed:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        packed.addfile(entry, io.BytesIO(data))
    return gzip.compress(file.getvalue(), mtime=0)


def debian(data: bytes) -> bytes:
    parts = {
        "debian-binary": b"2.0\n",
        "data.tar.xz": lzma.compress(gzip.decompress(data)),
    }
    head = "{:<16}0           0     0     100644  {:<10}`\n"
    return b"!<arch>\n" + b"".join(
        head.format(name, len(part)).encode() + part + b"\n" * (len(part) % 2)
        for name, part in parts.items()
    )


def test_finds_paths_in_archives(tmp_path: Path) -> None:
    path = Path("/home/builder/packord")
    trace = f"x{path}/src/lib.rs".encode() * 20
    (tmp_path / "maven").mkdir()
    for name, data in {
        "a.whl": zipped("so", trace),
        "b.tar.gz": tarred("man.gz", gzip.compress(trace)),
        "c.json": trace,
        "d.deb": debian(tarred("bin", trace)),
        "maven/e.jar": zipped("f", zipped("g", trace)),
        "clean.crate": tarred("h", b"/packord/src/lib.rs"),
    }.items():
        (tmp_path / name).write_bytes(data)
    assert archives.with_traces(tmp_path, (path,)) == [
        "a.whl: so",
        "b.tar.gz: man.gz, unpacked",
        "c.json",
        "d.deb: data.tar.xz: bin",
        "maven/e.jar: f: g",
    ]


def test_names_the_first_difference_of_each_file(tmp_path: Path) -> None:
    for folder, n in (("one", 1), ("other", 2)):
        (tmp_path / folder).mkdir()
        for name, data in {
            "a.whl": zipped("same", b""),
            "b.jar": zipped("f", zipped("g", b"abc %d" % n)),
            "c.jar": zipped("f", b"", 2000 + n),
            "d.deb": debian(tarred("bin", b"x" * n)),
            "e.tgz": tarred(f"name{n}", b""),
            f"f{n}": b"",
        }.items():
            (tmp_path / folder / name).write_bytes(data)
    found = archives.differences(tmp_path / "one", tmp_path / "other")
    assert [line.split(": b'")[0] for line in found] == [
        "b.jar: f: g differs at byte 4",
        "c.jar differs at byte 13",
        "d.deb: data.tar.xz: bin differs at byte 1",
        "e.tgz: name1 is in one of them",
        "f1 is in one folder",
        "f2 is in one folder",
    ]
    assert archives.differences(tmp_path / "one", tmp_path / "one") == []
