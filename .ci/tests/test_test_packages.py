"""`.ci/test-packages.py` finds paths of the machine in artefacts, however they are packed."""

import gzip
import importlib.machinery
import importlib.util
import io
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

PROGRAM = Path(__file__).resolve().parents[1] / "test-packages.py"


@pytest.fixture
def program() -> ModuleType:
    loader = importlib.machinery.SourceFileLoader("packages_program", str(PROGRAM))
    spec = importlib.util.spec_from_loader(loader.name, loader)
    module = importlib.util.module_from_spec(spec)
    loader.exec_module(module)
    return module


def zipped(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as packed:
        packed.writestr(name, data)
    return file.getvalue()


def tarred(name: str, data: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as packed:
        entry = tarfile.TarInfo(name)
        entry.size = len(data)
        packed.addfile(entry, io.BytesIO(data))
    return file.getvalue()


def test_finds_paths_in_archives(program: ModuleType, tmp_path: Path) -> None:
    path = Path("/home/builder/packord")
    trace = f"x{path}/src/lib.rs".encode() * 20
    (tmp_path / "maven").mkdir()
    for name, data in {
        "a.whl": zipped("so", trace),
        "b.tar.gz": tarred("man.gz", gzip.compress(trace)),
        "c.json": trace,
        "maven/d.jar": zipped("e", zipped("f", trace)),
        "clean.crate": tarred("g", b"/packord/src/lib.rs"),
    }.items():
        (tmp_path / name).write_bytes(data)
    assert program.with_traces(tmp_path, (path,)) == [
        "a.whl: so",
        "b.tar.gz: man.gz, unpacked",
        "c.json",
        "d.jar: e: f",
    ]
