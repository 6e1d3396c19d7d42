"""`.ci/publish.py` leaves out what a registry has with the same hash, and refuses what it has with another."""

import base64
import hashlib
import http.server
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CI))

import registries

GROUP = "io/github/packord"
# Programs of the registries: each notes how it was called. What they find is in the folder `there`.
PROGRAMS = {
    "npm": """
case $1 in
view) [ -e "$THERE/npm" ] || { echo "npm error code E404" >&2; exit 1; }; cat "$THERE/npm" ;;
esac
""",
    "cargo": """
case $1 in
generate-lockfile)
	crate=$(sed -n 's/^\\(packord[a-z-]*\\) = .*/\\1/p' Cargo.toml)
	[ -e "$THERE/$crate" ] || { echo "error: no matching package named \\`$crate\\` found" >&2; exit 101; }
	printf 'name = "%s"\\nversion = "1.2.3"\\nsource = "r"\\nchecksum = "%s"\\n' "$crate" "$(cat "$THERE/$crate")" >Cargo.lock ;;
package)
	while [ "$1" != --target-dir ]; do shift; done
	mkdir -p "$2/package" && cp "$MADE"/*.crate "$2/package" ;;
esac
""",
    "mvn": """
for word; do case $word in
-Dartifact=*) artefact=${word#*=} ;;
-DoutputDirectory=*) folder=${word#*=} ;;
esac; done
IFS=: read -r group name version type classifier <<END
$artefact
END
file=$name-$version${classifier:+-$classifier}.$type
[ -e "$THERE/$file" ] || { echo "[ERROR] Could not find artifact $artefact" >&2; exit 1; }
cp "$THERE/$file" "$folder"
""",
    "gh": """
case $2 in
download) [ -e "$THERE/release" ] || { echo "release not found" >&2; exit 1; }; cat "$THERE/release" ;;
create) cat "${9}" >"$THERE/notes" ;;
esac
""",
}


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / ".ci").mkdir(parents=True)
    for name in ("publish.py", "bundle.py", "release-notes.py"):
        shutil.copy(CI / name, root / ".ci")
    (root / "VERSION").write_text("1.2.3\n")
    (root / "CHANGELOG.md").write_text("# Changelog\n\n## 1.2.3\n\n- A thing.\n")
    (root / "rust").mkdir()
    release = tmp_path / "release"
    for name in ("packord", "packord-derive", "packord-cli"):
        put(release / f"{name}-1.2.3.crate", name)
    for name in (
        "packord-1.2.3.tgz",
        "packord-1.2.3.tar.gz",
        "SHA256SUMS",
        "packord-1.2.3-x86_64-pc-windows-msvc.zip",
    ):
        put(release / name, name)
    for name in ("packord-parent", "packord"):
        put(release / f"maven/{GROUP}/{name}/1.2.3/{name}-1.2.3.pom", name)
    for end in (".jar", "-sources.jar"):
        put(release / f"maven/{GROUP}/packord/1.2.3/packord-1.2.3{end}", end)
        put(release / f"maven/{GROUP}/packord/1.2.3/packord-1.2.3{end}.sha1", "0")
    for name, text in PROGRAMS.items():
        program = tmp_path / "bin" / name
        put(
            program,
            f'#!/bin/sh\necho "$(basename "$0") $*" >>"$THERE/../calls"\n{text}',
        )
        program.chmod(0o755)
    (tmp_path / "there").mkdir()
    (tmp_path / "calls").touch()
    return root


def put(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)


def publish(
    project: Path, kind: str, *words: str, **env: str
) -> subprocess.CompletedProcess[str]:
    folder = project.parent
    return subprocess.run(
        [sys.executable, project / ".ci/publish.py", kind, folder / "release", *words],
        env={
            **os.environ,
            "PATH": f"{folder / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "THERE": str(folder / "there"),
            "MADE": str(folder / "release"),
            **env,
        },
        capture_output=True,
        text=True,
        check=False,
    )


def calls(project: Path, beginning: str) -> list[str]:
    lines = (project.parent / "calls").read_text().splitlines()
    return [line for line in lines if line.startswith(beginning)]


def test_npm(project: Path) -> None:
    assert publish(project, "npm").returncode == 0
    file = project.parent / "release/packord-1.2.3.tgz"
    assert calls(project, "npm publish") == [f"npm publish --access public {file}"]
    own = base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()
    for found, code in ((f"sha512-{own}\n", 0), ("sha512-other\n", 1)):
        put(project.parent / "there/npm", found)
        done = publish(project, "npm")
        assert (done.returncode, len(calls(project, "npm publish"))) == (code, 1), (
            done.stderr
        )
    assert "the registry has another packord" in done.stderr
    # Of a version that is missing, npm says nothing.
    put(project.parent / "there/npm", "")
    assert publish(project, "npm").returncode == 0
    assert len(calls(project, "npm publish")) == 2


def test_crates(project: Path) -> None:
    there = project.parent / "there"
    put(there / "packord-derive", hashlib.sha256(b"packord-derive").hexdigest())
    done = publish(project, "crates")
    assert done.returncode == 0, done.stderr
    (call,) = calls(project, "cargo publish")
    assert call.endswith("-p packord -p packord-cli")
    put(there / "packord", "0" * 64)
    done = publish(project, "crates")
    assert (done.returncode, len(calls(project, "cargo publish"))) == (1, 1)
    assert "the registry has another packord: 000" in done.stderr


def test_crates_that_cargo_makes_otherwise_are_not_published(project: Path) -> None:
    made = project.parent / "made"
    shutil.copytree(project.parent / "release", made)
    put(made / "packord-cli-1.2.3.crate", "other")
    done = publish(project, "crates", MADE=str(made))
    assert (done.returncode, calls(project, "cargo publish")) == (1, [])
    assert (
        "cargo makes another packord-cli-1.2.3.crate than the one that was tested"
        in done.stderr
    )


def test_github(project: Path) -> None:
    done = publish(project, "github")
    assert done.returncode == 0, done.stderr
    (call,) = calls(project, "gh release create")
    assert call.split("notes.md ")[1].split() == [
        str(project.parent / "release" / name)
        for name in ("SHA256SUMS", "packord-1.2.3-x86_64-pc-windows-msvc.zip")
    ]
    put(project.parent / "there/release", "SHA256SUMS")
    assert publish(project, "github").returncode == 0
    put(project.parent / "there/release", "other")
    assert publish(project, "github").returncode == 1
    assert len(calls(project, "gh release create")) == 1


@pytest.fixture
def portal() -> Iterator[http.server.HTTPServer]:
    with registries.serving(registries.Portal) as server:
        yield server


def to(portal: http.server.HTTPServer) -> dict[str, str]:
    address = f"http://127.0.0.1:{portal.server_port}"
    return {
        "CENTRAL_URL": address,
        "CENTRAL_USERNAME": "a",
        "CENTRAL_PASSWORD": "b",
        "CENTRAL_SECONDS": "0",
    }


def test_maven_is_uploaded_looked_at_and_published(
    project: Path, portal: http.server.HTTPServer
) -> None:
    done = publish(project, "upload", **to(portal))
    assert (done.returncode, done.stdout) == (0, "number-7\n"), done.stderr
    path, token, body = portal.calls[0]
    assert (
        path
        == "/api/v1/publisher/upload?name=packord-1.2.3&publishingType=USER_MANAGED"
    )
    assert token == f"Bearer {base64.b64encode(b'a:b').decode()}"
    assert (
        b'name="bundle"; filename="bundle.zip"\r\n' in body
        and b"packord-1.2.3-sources.jar" in body
    )
    portal.states, portal.calls = ["VALIDATED"], []
    done = publish(project, "maven", "number-7", **to(portal))
    assert done.returncode == 0, done.stderr
    assert [call[0].removeprefix("/api/v1/publisher/") for call in portal.calls] == [
        "status?id=number-7",
        "deployment/number-7",
        "status?id=number-7",
        "status?id=number-7",
    ]
    # Run again, it finds the bundle published.
    portal.calls = []
    assert publish(project, "maven", "number-7", **to(portal)).returncode == 0
    assert not any("deployment/" in call[0] for call in portal.calls)


def test_a_bundle_that_central_refuses(
    project: Path, portal: http.server.HTTPServer
) -> None:
    portal.states = ["VALIDATING", "FAILED"]
    done = publish(project, "upload", **to(portal))
    assert (done.returncode, done.stdout) == (1, "")
    assert "Central refuses the bundle" in done.stderr and "no signature" in done.stderr
    portal.code = 401
    done = publish(project, "upload", **to(portal))
    assert done.returncode == 1 and ": 401 " in done.stderr


def test_a_bundle_that_central_has_is_not_sent_again(
    project: Path, portal: http.server.HTTPServer
) -> None:
    there = project.parent / "there"
    for path in (project.parent / "release/maven").rglob("*-1.2.3*"):
        if path.suffix in (".jar", ".pom"):
            shutil.copy(path, there)
    done = publish(project, "upload", **to(portal))
    assert (done.returncode, done.stdout, portal.calls) == (0, "published\n", []), (
        done.stderr
    )
    assert publish(project, "maven", "published", **to(portal)).returncode == 0
    assert portal.calls == []
    put(there / "packord-1.2.3.jar", "other")
    done = publish(project, "upload", **to(portal))
    assert done.returncode == 1 and "another packord-1.2.3.jar" in done.stderr
    (there / "packord-1.2.3.jar").unlink()
    done = publish(project, "upload", **to(portal))
    assert (
        done.returncode == 1
        and "a part of the bundle, and not packord-1.2.3.jar" in done.stderr
    )
