#!/usr/bin/env python3
"""Builds what a release publishes, into out/package, with checksums.

    .ci/package.py [PART…]

The parts are crates, python, npm, maven, tool, vectors and sbom; without a part, all of them are built.
The folder appears when all is built, in place of the one before it. Exit 1: nothing was built or
replaced, and a sentence says why.
"""

import gzip
import hashlib
import io
import os
import platform
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
import time
import zipfile
from email.utils import formatdate
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
OUT = ROOT / "out"
VERSION = (ROOT / "VERSION").read_text("ascii").strip()
CRATES = ("packord-derive", "packord", "packord-cli")
MODULES = ":packord-parent,:packord,:packord-container,:packord-kafka,:packord-jackson"
MODULES += ",:packord-connect,:packord-spark"
DEPLOY = "org.apache.maven.plugins:maven-deploy-plugin:3.1.4:deploy"
LINUX = sys.platform == "linux"
LICENCES = ("LICENSE-APACHE", "LICENSE-MIT")
PAGES = f"https://github.com/packord/packord/blob/v{VERSION}"
MAINTAINER = "The packord maintainers <packord@users.noreply.github.com>"

RUST = "Install a Rust toolchain, 1.88 or newer (rustup.rs)."
NODE = "Install Node.js 20 or newer (nodejs.org)."
JAVA = "Install a JDK (17 or newer) and Maven (Debian: default-jdk maven)."
PROGRAMS = {
    "cargo": RUST,
    "node": NODE,
    "npm": NODE,
    "javac": JAVA,
    "mvn": JAVA,
    "musl-gcc": "Install a C compiler for musl (Debian: musl-tools).",
    "dpkg-deb": "Install dpkg (Debian: dpkg).",
}
NEEDS = {
    "crates": ("cargo",),
    "python": ("cargo",),
    "npm": ("node", "npm"),
    "maven": ("javac", "mvn"),
    "tool": ("cargo", "musl-gcc", "dpkg-deb") if LINUX else ("cargo",),
    "vectors": (),
    "sbom": ("cargo",),
}


class Refusal(Exception):
    """Why nothing is packaged, in one sentence."""


def run(*words: str | Path, cwd: Path = ROOT, **env: str) -> None:
    """Runs a program, whose output is shown."""
    program = shutil.which(words[0]) or words[0]
    done = subprocess.run(
        [program, *words[1:]], cwd=cwd, env={**os.environ, **env}, stdout=sys.stderr, check=False
    )
    if done.returncode:
        raise Refusal(f"{Path(words[0]).name} {words[1]} failed: nothing is packaged.")


def output(*words: str | Path) -> str:
    return subprocess.run(words, cwd=ROOT, capture_output=True, encoding="utf-8", check=True).stdout


def check(parts: list[str]) -> None:
    """Refuses what cannot be packaged, before anything is built."""
    for part in parts:
        if part not in NEEDS:
            raise Refusal(f"no part is called {part}: the parts are {', '.join(NEEDS)}.")
    if output("git", "status", "--porcelain"):
        raise Refusal("the tree has changes that are not committed: commit or remove them first.")
    versions = subprocess.run(
        [sys.executable, ROOT / ".ci/check-version.py"], capture_output=True, text=True, check=False
    )
    if versions.returncode:
        raise Refusal("; ".join(versions.stdout.splitlines()) + ".")
    for program in dict.fromkeys(each for part in parts for each in NEEDS[part]):
        if shutil.which(program) is None:
            raise Refusal(f"missing: {program}. {PROGRAMS[program]}")
    if "tool" in parts:
        libraries = Path(output("rustc", "--print", "sysroot").strip()) / "lib/rustlib" / target()
        if not libraries.is_dir():
            raise Refusal(f"missing: the Rust target. Run `rustup target add {target()}`.")


def target() -> str:
    """The target of the tool: on Linux musl, so that the program is static."""
    if LINUX:
        return f"{platform.machine()}-unknown-linux-musl"
    host = next(line for line in output("rustc", "-vV").splitlines() if line.startswith("host: "))
    return host.removeprefix("host: ")


def crates(out: Path, scratch: Path) -> None:
    chosen = [word for crate in CRATES for word in ("-p", crate)]
    run("cargo", "package", *chosen, "--locked", "--no-verify", "--quiet",
        "--target-dir", scratch, cwd=ROOT / "rust")  # fmt: skip
    for crate in CRATES:
        shutil.copy(scratch / f"package/{crate}-{VERSION}.crate", out)


def python(out: Path, _scratch: Path) -> None:
    run("make", "--silent", "python/.venv/ready")
    run(ROOT / ".ci/wheels.sh", out)


def npm(out: Path, _scratch: Path) -> None:
    run("make", "--silent", "js/node_modules/.package-lock.json")
    run("npm", "run", "--silent", "build", cwd=ROOT / "js")
    for path in (ROOT / "js").iterdir():
        if path.is_file():
            path.chmod(0o644)
    run("npm", "pack", "--silent", "--ignore-scripts", "--pack-destination", out, cwd=ROOT / "js")


def maven(out: Path, _scratch: Path) -> None:
    """A Maven repository: jars, sources, Javadoc and POMs, with their checksums."""
    # Jars have the rights of files, which a checkout with another umask has not.
    for name in output("git", "ls-files", "jvm", *LICENCES).splitlines():
        file = ROOT / name
        for path in (file, *file.parents[: len(Path(name).parts) - 1]):
            path.chmod(path.stat().st_mode | (0o755 if path.is_dir() else 0o644))
    run("mvn", "-q", "-B", "-f", "jvm/pom.xml", "-pl", MODULES, "-Prelease",
        "-Dpackord.skipTests", "-Dmaven.test.skip", "package", DEPLOY,
        f"-DaltDeploymentRepository=package::{out.as_uri()}/maven")  # fmt: skip
    # The list of versions is the registry's own.
    for metadata in out.glob("maven/**/maven-metadata.xml*"):
        metadata.unlink()


def tool(out: Path, scratch: Path) -> None:
    """The program with its manual pages, completions and licences; on Linux also as a Debian package."""
    run("cargo", "build", "--release", "--locked", "--target", target(), "-p", "packord-cli",
        "--bin", "packord", cwd=ROOT / "rust", CARGO_PROFILE_RELEASE_STRIP="symbols",
        RUSTFLAGS=output(sys.executable, ROOT / ".ci/rust-flags.py").strip())  # fmt: skip
    built = Path(os.environ.get("CARGO_TARGET_DIR") or ROOT / "rust/target") / target() / "release"
    name = "packord.exe" if sys.platform == "win32" else "packord"
    folder = scratch / f"packord-{VERSION}-{target()}"
    (folder / "completions").mkdir(parents=True)
    program = folder / name
    shutil.copy(built / name, program)
    run(program, "man", folder / "man/man1")
    for shell, file in (
        ("bash", "packord.bash"),
        ("zsh", "_packord"),
        ("fish", "packord.fish"),
        ("powershell", "packord.ps1"),
    ):
        (folder / "completions" / file).write_text(output(program, "completions", shell), "utf-8")
    for text in LICENCES:
        shutil.copy(ROOT / text, folder)
    shutil.copy(ROOT / "rust/packord-cli/README.md", folder)
    run(
        sys.executable, ROOT / ".ci/dependencies.py", "notices", "packord-cli", folder / "LICENSES-OTHERS.txt"
    )
    if sys.platform == "win32":
        archive_for_windows(folder, out / f"{folder.name}.zip")
    else:
        archive(folder, out / f"{folder.name}.tar.gz")
    if LINUX:
        debian(folder, out, scratch)


def archive(folder: Path, file: Path) -> None:
    """Writes a folder as tar.gz: the same bytes for the same files."""
    packed = io.BytesIO()
    with tarfile.open(fileobj=packed, mode="w", format=tarfile.PAX_FORMAT) as tar:
        for path in sorted(folder.rglob("*")):
            entry = tar.gettarinfo(path, f"{folder.name}/{path.relative_to(folder).as_posix()}")
            entry.mtime, entry.uid, entry.gid, entry.uname, entry.gname = epoch(), 0, 0, "", ""
            entry.mode = 0o755 if path.is_dir() or path.parent == folder and path.stem == "packord" else 0o644
            if path.is_dir():
                tar.addfile(entry)
            else:
                tar.addfile(entry, io.BytesIO(path.read_bytes()))
    file.write_bytes(gzip.compress(packed.getvalue(), mtime=0))


def archive_for_windows(folder: Path, file: Path) -> None:
    moment = time.gmtime(epoch())[:6]
    with zipfile.ZipFile(file, "w") as packed:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                name = f"{folder.name}/{path.relative_to(folder).as_posix()}"
                # An entry says by itself how it is compressed.
                packed.writestr(zipfile.ZipInfo(name, moment), path.read_bytes(), zipfile.ZIP_DEFLATED)


def debian(folder: Path, out: Path, scratch: Path) -> None:
    architecture = output("dpkg", "--print-architecture").strip()
    tree = scratch / "deb"
    share = tree / "usr/share"
    copies = {
        "packord": tree / "usr/bin/packord",
        "completions/packord.bash": share / "bash-completion/completions/packord",
        "completions/_packord": share / "zsh/vendor-completions/_packord",
        "completions/packord.fish": share / "fish/vendor_completions.d/packord.fish",
        "README.md": share / "doc/packord/README.md",
    }
    for source, place in copies.items():
        place.parent.mkdir(parents=True)
        shutil.copy(folder / source, place)
    (share / "man/man1").mkdir(parents=True)
    for page in (folder / "man/man1").iterdir():
        pack(share / f"man/man1/{page.name}.gz", page.read_text("utf-8"))
    documents = share / "doc/packord"
    mit = (folder / "LICENSE-MIT").read_text("utf-8")
    (documents / "copyright").write_text(
        "packord is licensed under MIT or Apache-2.0, as you choose. Apache-2.0 is in\n"
        "/usr/share/common-licenses/Apache-2.0, and MIT is below. notices.gz has the\n"
        f"licences of what the program contains of other projects.\n\n{mit}",
        "utf-8",
    )
    pack(documents / "notices.gz", (folder / "LICENSES-OTHERS.txt").read_text("utf-8"))
    pack(
        documents / "changelog.gz",
        f"packord ({VERSION}) unstable; urgency=medium\n\n  * The changes are listed in\n"
        f"    {PAGES}/CHANGELOG.md\n\n"
        f" -- {MAINTAINER}  {formatdate(epoch())}\n",
    )
    # It needs no library, so it runs on every distribution.
    (share / "lintian/overrides").mkdir(parents=True)
    (share / "lintian/overrides/packord").write_text(
        "packord: statically-linked-binary\npackord: embedded-library\n"
    )
    size = sum(path.stat().st_size for path in tree.rglob("*") if path.is_file()) // 1024
    (tree / "DEBIAN").mkdir()
    (tree / "DEBIAN/control").write_text(
        f"Package: packord\nVersion: {VERSION}\nArchitecture: {architecture}\nInstalled-Size: {size}\n"
        f"Section: utils\nPriority: optional\nMaintainer: {MAINTAINER}\n"
        "Homepage: https://github.com/packord/packord\n"
        "Description: pack, query, inspect, validate, compare and repair MessagePack\n"
        " The command-line tool of packord. It converts JSON, CSV, Arrow and Parquet to\n"
        " MessagePack and back, and reads and writes container files.\n",
        "utf-8",
    )
    run("chmod", "-R", "u=rwX,go=rX", tree)
    run("dpkg-deb", "--root-owner-group", "-Zxz", "--build", tree,
        out / f"packord_{VERSION}_{architecture}.deb", SOURCE_DATE_EPOCH=str(epoch()))  # fmt: skip


def pack(file: Path, text: str) -> None:
    file.write_bytes(gzip.compress(text.encode(), mtime=0))


def epoch() -> int:
    """The time of the commit, in place of that of the build."""
    return int(output("git", "log", "-1", "--format=%ct"))


def vectors(out: Path, _scratch: Path) -> None:
    run(sys.executable, ROOT / "spec/vectors/archive.py", out)


def sbom(out: Path, _scratch: Path) -> None:
    run(sys.executable, ROOT / ".ci/dependencies.py", "sbom", out / f"packord-{VERSION}.cdx.json")


BUILDERS = {each.__name__: each for each in (crates, python, npm, maven, tool, vectors, sbom)}


def sums(folder: Path) -> str:
    """The checksums in the form of sha256sum."""
    return "".join(
        f"{hashlib.sha256(path.read_bytes()).hexdigest()}  {path.relative_to(folder).as_posix()}\n"
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.suffix not in (".md5", ".sha1")
    )


def build(parts: list[str]) -> None:
    OUT.mkdir(exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=".package-", dir=OUT) as temporary:
        new = Path(temporary, "package")
        new.mkdir()
        for part in parts:
            scratch = Path(temporary, part)
            scratch.mkdir()
            BUILDERS[part](new, scratch)
        (new / "SHA256SUMS").write_text(sums(new), "ascii")
        if (OUT / "package").exists():
            (OUT / "package").rename(Path(temporary, "old"))
        new.rename(OUT / "package")
    print((OUT / "package/SHA256SUMS").read_text("ascii"), end="")


def main() -> int:
    # Archives have the rights of files.
    os.umask(0o022)
    # Ended from outside, it deletes its folder too.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))
    parts = sys.argv[1:] or list(NEEDS)
    try:
        check(parts)
        build(parts)
    except Refusal as refusal:
        print(f"package: {refusal}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
