"""`.ci/bundle.py` names what Maven Central refuses, and signs and zips what it takes."""

import hashlib
import os
import subprocess
import sys
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

BUNDLE = Path(__file__).resolve().parents[1] / "bundle.py"
PARENT = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <groupId>org.example</groupId><artifactId>parent</artifactId><version>1.2.3</version>
  <packaging>pom</packaging><name>parent</name><description>All of them.</description><url>https://example.org</url>
  <licenses><license><name>MIT</name><url>https://example.org/mit</url></license></licenses>
  <developers><developer><name>Someone</name></developer></developers>
  <scm><url>u</url><connection>c</connection><developerConnection>d</developerConnection></scm>
</project>
"""
CHILD = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <parent><groupId>org.example</groupId><artifactId>parent</artifactId><version>1.2.3</version></parent>
  <artifactId>thing</artifactId><name>thing</name><description>A thing.</description>
</project>
"""
FOLDER = Path("org/example")
THING = FOLDER / "thing/1.2.3/thing-1.2.3"


def bundle(root: Path, *words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, BUNDLE, words[0], root / "maven", *words[1:]],
        env={**os.environ, "GNUPGHOME": str(root / "keys")},
        capture_output=True,
        text=True,
        check=False,
    )


def put(root: Path, name: str | Path, data: bytes) -> None:
    """Writes a file with its checksums."""
    path = root / "maven" / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)
    for kind in ("md5", "sha1"):
        Path(f"{path}.{kind}").write_text(hashlib.new(kind, data).hexdigest())


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    put(tmp_path, FOLDER / "parent/1.2.3/parent-1.2.3.pom", PARENT.encode())
    put(tmp_path, f"{THING}.pom", CHILD.encode())
    jar = tmp_path / "a.jar"
    with zipfile.ZipFile(jar, "w") as archive:
        archive.writestr("a", "a")
    for end in (".jar", "-sources.jar", "-javadoc.jar"):
        put(tmp_path, f"{THING}{end}", jar.read_bytes())
    return tmp_path


def change(old: str, new: str) -> Callable[[Path], None]:
    """Changes a POM, whichever has the text."""

    def changed(root: Path) -> None:
        for path in (root / "maven").rglob("*.pom"):
            if old in (text := path.read_text()):
                put(
                    root,
                    path.relative_to(root / "maven"),
                    text.replace(old, new).encode(),
                )
                return
        raise AssertionError(old)

    return changed


FAULTS = {
    "thing-1.2.3.pom has no description": change(
        "<description>A thing.</description>", ""
    ),
    "thing-1.2.3.pom has no name": change("<name>thing</name>", "<name> </name>"),
    "thing-1.2.3.pom has no licenses.license.url": change(
        "<url>https://example.org/mit</url>", ""
    ),
    "thing-1.2.3.pom has no developers.developer.name": change(
        "<name>Someone</name>", ""
    ),
    "thing-1.2.3.pom has no scm.connection": change("<connection>c</connection>", ""),
    "thing-1.2.3.pom has a parent that is not in the bundle, other-1.2.3.pom": change(
        "<artifactId>parent</artifactId><version>1.2.3</version></parent>",
        "<artifactId>other</artifactId><version>1.2.3</version></parent>",
    ),
    "thing-1.2.3.pom is not where its coordinates say, org/example/stone/1.2.3/stone-1.2.3.pom": change(
        "<artifactId>thing", "<artifactId>stone"
    ),
    "thing-1.2.3.pom comes without thing-1.2.3-javadoc.jar": lambda root: (
        root / f"maven/{THING}-javadoc.jar"
    ).unlink(),
    "thing-1.2.3.pom comes with thing-1.2.3-sources.jar, which is not an archive": lambda root: (
        put(root, f"{THING}-sources.jar", b"no archive")
    ),
    "thing-1.2.3.jar has no checksum md5": lambda root: (
        root / f"maven/{THING}.jar.md5"
    ).unlink(),
    "thing-1.2.3.jar does not have the checksum of its sha1": lambda root: (
        root / f"maven/{THING}.jar.sha1"
    ).write_text("0" * 40),
    "org/example/thing/1.2.3/thing-1.2.3-tests.jar belongs to no POM": lambda root: put(
        root, f"{THING}-tests.jar", b""
    ),
}


def test_takes_a_whole_repository(repository: Path) -> None:
    done = bundle(repository, "check", "unsigned")
    assert (done.returncode, done.stdout) == (0, "5 files that Central takes\n")


@pytest.mark.parametrize("fault", FAULTS)
def test_names_each_fault(repository: Path, fault: str) -> None:
    FAULTS[fault](repository)
    done = bundle(repository, "check", "unsigned")
    assert done.returncode == 1
    assert fault in done.stdout.splitlines()


def test_refuses_a_snapshot_and_an_empty_folder(
    repository: Path, tmp_path: Path
) -> None:
    put(
        repository,
        f"{THING}.pom",
        CHILD.replace(
            "<artifactId>t", "<version>1-SNAPSHOT</version><artifactId>t"
        ).encode(),
    )
    assert (
        "thing-1.2.3.pom is a snapshot"
        in bundle(repository, "check", "unsigned").stdout
    )
    done = bundle(tmp_path / "none", "check", "unsigned")
    assert (done.returncode, done.stdout) == (1, "there is no POM\n")


def test_signs_checks_signatures_and_zips(repository: Path) -> None:
    (repository / "keys").mkdir(mode=0o700)
    environment = {**os.environ, "GNUPGHOME": str(repository / "keys")}
    subprocess.run(
        [
            "gpg",
            "--batch",
            "--quiet",
            "--passphrase",
            "",
            "--quick-generate-key",
            "a@example.org",
            "ed25519",
        ],
        env=environment,
        check=True,
        capture_output=True,
    )
    try:
        assert "thing-1.2.3.jar is not signed" in bundle(repository, "check").stdout
        assert bundle(repository, "sign").returncode == 0
        done = bundle(repository, "check")
        assert (done.returncode, done.stdout) == (0, "5 files that Central takes\n")
        assert bundle(repository, "zip", repository / "b.zip").returncode == 0
        names = zipfile.ZipFile(repository / "b.zip").namelist()
        assert len(names) == 5 * 4 and f"{THING}-javadoc.jar.asc" in names
        signature = repository / f"maven/{THING}.jar.asc"
        signature.write_bytes((repository / f"maven/{THING}.pom.asc").read_bytes())
        assert (
            "thing-1.2.3.jar does not have the signature of its asc"
            in bundle(repository, "check").stdout
        )
    finally:
        subprocess.run(["gpgconf", "--kill", "all"], env=environment, check=True)
