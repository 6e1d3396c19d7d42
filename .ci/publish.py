#!/usr/bin/env python3
"""Publishes the artefacts of a folder, which are those of out/package, in one registry.

    .ci/publish.py crates FOLDER
    .ci/publish.py python FOLDER
    .ci/publish.py npm FOLDER
    .ci/publish.py upload FOLDER       sends Maven's bundle to the portal of Central, and prints its number
                                    there when the portal finds no fault in it
    .ci/publish.py maven FOLDER NUMBER publishes that bundle
    .ci/publish.py github FOLDER

What a registry has already is left out if it has the hash of the file here, so that a release that stopped
half way can be run again; another hash is an error. Registries and tokens are those of cargo, uv, npm, Maven
and gh. The portal is CENTRAL_URL, with the token CENTRAL_USERNAME and CENTRAL_PASSWORD.
"""

import base64
import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
import uuid
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text("ascii").strip()
CRATES = ("packord-derive", "packord", "packord-cli")
PARENT = f"io/github/packord/packord-parent/{VERSION}/packord-parent-{VERSION}.pom"
COPY = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy"
# Central looks at a bundle for minutes, and takes longer to publish it.
WAIT, TRIES = float(os.environ.get("CENTRAL_SECONDS", "15")), 200


class Refusal(Exception):
    """Why nothing is published, in one sentence."""


def run(*words: str | Path, cwd: Path = ROOT) -> None:
    done = subprocess.run([shutil.which(words[0]) or words[0], *words[1:]], cwd=cwd, check=False)
    if done.returncode:
        raise Refusal(f"{Path(words[0]).name} {words[1]} failed.")


def asked(absent: str, *words: str | Path, cwd: Path = ROOT) -> str | None:
    """What a program prints; None if it fails with what it says of a version that is absent."""
    program = shutil.which(words[0]) or words[0]
    done = subprocess.run([program, *words[1:]], cwd=cwd, capture_output=True, text=True, check=False)
    if not done.returncode:
        return done.stdout
    if re.search(absent, done.stdout + done.stderr):
        return None
    raise Refusal(f"{' '.join(map(str, words))}: {done.stdout}{done.stderr}")


def is_there(name: str, found: str | None, own: str) -> bool:
    if found is not None and found != own:
        raise Refusal(f"the registry has another {name}: {found}, and here it is {own}.")
    print(f"{name}: {'is there already' if found else 'is not there yet'}", file=sys.stderr)
    return found is not None


def hash_of(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def crates(folder: Path) -> None:
    """Cargo packs the crates again, which must make the same bytes."""
    with tempfile.TemporaryDirectory() as temporary:
        scratch = Path(temporary)
        missing = []
        for crate in CRATES:
            own = hash_of(folder / f"{crate}-{VERSION}.crate")
            if not is_there(crate, locked_sum(crate, scratch / crate), own):
                missing += ["-p", crate]
        if not missing:
            return
        words = ("--locked", "--no-verify", "--quiet", "--target-dir", scratch / "target", *missing)
        run("cargo", "package", *words, cwd=ROOT / "rust")
        for crate in missing[1::2]:
            name = f"{crate}-{VERSION}.crate"
            if hash_of(scratch / "target/package" / name) != hash_of(folder / name):
                raise Refusal(f"cargo makes another {name} than the one that was tested.")
        run("cargo", "publish", *words, cwd=ROOT / "rust")


def locked_sum(crate: str, project: Path) -> str | None:
    """The checksum of a crate in its registry, which cargo writes into a lock file."""
    (project / "src").mkdir(parents=True)
    (project / "src/lib.rs").touch()
    (project / "Cargo.toml").write_text(
        '[package]\nname = "project"\nversion = "0.0.0"\nedition = "2024"\n\n'
        f'[dependencies]\n{crate} = "={VERSION}"\n'
    )
    absent = "no matching package|failed to select a version"
    if asked(absent, "cargo", "generate-lockfile", "--quiet", cwd=project) is None:
        return None
    entry = rf'name = "{crate}"\nversion = "{re.escape(VERSION)}"\nsource = .*\nchecksum = "([0-9a-f]+)"'
    return re.search(entry, (project / "Cargo.lock").read_text("utf-8"))[1]


def python(folder: Path) -> None:
    """PyPI takes a file again only with the same hash; uv compares others, with UV_PUBLISH_CHECK_URL."""
    files = [*folder.glob(f"packord-{VERSION}-*.whl"), folder / f"packord-{VERSION}.tar.gz"]
    with tempfile.TemporaryDirectory() as scratch:
        run(sys.executable, "-m", "venv", scratch)
        programs = Path(scratch, "Scripts" if os.name == "nt" else "bin")
        run(programs / "python", "-m", "pip", "install", "--quiet", "--disable-pip-version-check",
            "-r", ROOT / ".ci/requirements.txt")  # fmt: skip
        run(programs / "uv", "publish", *sorted(files))


def npm(folder: Path) -> None:
    file = folder / f"packord-{VERSION}.tgz"
    own = f"sha512-{base64.b64encode(hashlib.sha512(file.read_bytes()).digest()).decode()}"
    # Of a package without this version it prints nothing.
    found = asked("E404", "npm", "view", f"packord@{VERSION}", "dist.integrity")
    if not is_there("packord", (found or "").strip() or None, own):
        run("npm", "publish", "--access", "public", file.resolve())


def central(path: str, data: bytes = b"", kind: str = "application/json") -> str:
    token = ":".join(os.environ[f"CENTRAL_{part}"] for part in ("USERNAME", "PASSWORD"))
    headers = {"Authorization": f"Bearer {base64.b64encode(token.encode()).decode()}", "Content-Type": kind}
    request = urllib.request.Request(f"{os.environ['CENTRAL_URL']}/api/v1/publisher/{path}", data, headers)
    try:
        with urllib.request.urlopen(request) as answer:
            return answer.read().decode()
    except urllib.error.HTTPError as error:
        raise Refusal(f"{request.full_url}: {error.code} {error.read().decode()}") from error


def reached(number: str, *wanted: str) -> str:
    """Waits until the portal says of a bundle that it is in one of these states."""
    for _ in range(TRIES):
        status = json.loads(central(f"status?id={number}"))
        if status["deploymentState"] in wanted:
            return status["deploymentState"]
        if status["deploymentState"] == "FAILED":
            raise Refusal(f"Central refuses the bundle: {json.dumps(status.get('errors'), indent=1)}")
        time.sleep(WAIT)
    raise Refusal(f"the bundle {number} is still {status['deploymentState']}; run the job again.")


def upload(folder: Path) -> None:
    """Nothing is sent if Central has the files: it publishes all of them or none."""
    with tempfile.TemporaryDirectory() as scratch:
        if has_maven(folder / "maven", Path(scratch)):
            print("published")
            return
        bundle = Path(scratch, "bundle.zip")
        run(sys.executable, ROOT / ".ci/bundle.py", "zip", folder / "maven", bundle)
        mark = uuid.uuid4().hex
        head = f'--{mark}\r\nContent-Disposition: form-data; name="bundle"; filename="bundle.zip"\r\n'
        body = f"{head}Content-Type: application/octet-stream\r\n\r\n".encode() + bundle.read_bytes()
        body += f"\r\n--{mark}--\r\n".encode()
    where = f"upload?name=packord-{VERSION}&publishingType=USER_MANAGED"
    number = central(where, body, f"multipart/form-data; boundary={mark}").strip()
    reached(number, "VALIDATED")
    print(number)


def has_maven(folder: Path, scratch: Path) -> bool:
    files = [
        folder / PARENT,
        *(path for path in sorted(folder.rglob("*.*")) if path.suffix in (".jar", ".pom")),
    ]
    for file in files:
        name, version = file.parts[-3:-1]
        ends = re.fullmatch(rf"{re.escape(f'{name}-{version}')}(?:-(\w+))?\.(\w+)", file.name)
        artefact = f"io.github.packord:{name}:{version}:{ends[2]}" + (f":{ends[1]}" if ends[1] else "")
        copied = asked("Could not find artifact|was not found in", "mvn", "-q", "-B", COPY,
                       f"-Dartifact={artefact}", f"-DoutputDirectory={scratch}",
                       f"-Dmaven.repo.local={scratch}/repository", cwd=scratch)  # fmt: skip
        found = None if copied is None else hash_of(scratch / file.name)
        if not is_there(file.name, found, hash_of(file)):
            if file != files[0]:
                raise Refusal(
                    f"Central has a part of the bundle, and not {file.name}: run the job again later."
                )
            return False
    return True


def maven(_folder: Path, number: str) -> None:
    if number == "published":
        return
    if reached(number, "VALIDATED", "PUBLISHING", "PUBLISHED") == "VALIDATED":
        central(f"deployment/{number}")
    reached(number, "PUBLISHED")


def github(folder: Path) -> None:
    """The release page has the downloads that its text names."""
    notes = subprocess.run(
        [sys.executable, ROOT / ".ci/release-notes.py", folder], capture_output=True, text=True, check=False
    )
    if notes.returncode:
        raise Refusal(notes.stderr.strip())
    tag = f"v{VERSION}"
    sums = asked(
        "release not found", "gh", "release", "download", tag, "--pattern", "SHA256SUMS", "--output", "-"
    )
    found = None if sums is None else hashlib.sha256(sums.encode()).hexdigest()
    if is_there(f"the release {tag}", found, hash_of(folder / "SHA256SUMS")):
        return
    files = [path for path in sorted(folder.iterdir()) if f"`{path.name}`" in notes.stdout]
    with tempfile.TemporaryDirectory() as scratch:
        text = Path(scratch, "notes.md")
        text.write_text(notes.stdout, "utf-8")
        run("gh", "release", "create", tag, "--verify-tag", "--title", tag, "--notes-file", text, *files)


def main() -> int:
    kinds = {each.__name__: each for each in (crates, python, npm, upload, maven, github)}
    if len(sys.argv) != (4 if sys.argv[1:2] == ["maven"] else 3) or sys.argv[1] not in kinds:
        sys.exit(__doc__)
    try:
        kinds[sys.argv[1]](Path(sys.argv[2]).resolve(), *sys.argv[3:])
    except Refusal as refusal:
        print(f"publish: {refusal}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
