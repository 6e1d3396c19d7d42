#!/usr/bin/env python3
"""Installs the packages of out/package in projects of a user, outside the checkout, and runs them there.

    .ci/test-packages.py [PART…]

The parts are those of `.ci/package.py`, which is called first if out/package is missing; without a part,
all that are there are tested. Each project has the package and the dependencies that it declares, runs the
first program of README.md and a program of `.ci/smoke`, and compares what they print. PACKORD_SHIPPED=1
runs the tests that the crates, the source distribution and the vectors contain too. With PACKORD_PUBLISHED=1
the packages are those of the registries, installed by the commands of their READMEs.
"""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Iterator
from pathlib import Path

import archives

ROOT = Path(__file__).resolve().parent.parent
PACKAGES = ROOT / "out/package"
SMOKE = ROOT / ".ci/smoke"
VERSION = (ROOT / "VERSION").read_text("ascii").strip()
README = (ROOT / "README.md").read_text("utf-8")
PRINTED = "records 21\ncontainer 1000 999\neof at byte 4 ($[1])\n"
VITE = "8.3.8"
TOOL = f"packord-{VERSION}-*." + ("zip" if os.name == "nt" else "tar.gz")
PROGRAMS = "Scripts" if os.name == "nt" else "bin"

# Without what would find the checkout or packages of the machine.
ENVIRONMENT = {
    name: value
    for name, value in os.environ.items()
    if name not in ("PYTHONPATH", "CLASSPATH", "NODE_PATH", "VIRTUAL_ENV")
}


class Failure(Exception):
    """What a project did not do."""


def run(*words: str | Path, cwd: Path, says: str | None = None, code: int = 0, **env: str) -> str:
    """Runs a program, which must end with the code and print what is expected."""
    environment = {**ENVIRONMENT, **env}
    program = shutil.which(words[0], path=environment["PATH"]) or words[0]
    done = subprocess.run(
        [program, *words[1:]], cwd=cwd, env=environment, capture_output=True, encoding="utf-8", check=False
    )
    line = " ".join(map(str, words))
    if done.returncode != code:
        raise Failure(f"{line}: exit {done.returncode}\n{done.stdout[-4000:]}{done.stderr[-4000:]}")
    if says is not None and done.stdout != says:
        raise Failure(f"{line}: printed\n{done.stdout}and not\n{says}")
    return done.stdout


def example(language: str) -> str:
    """The first program of the README in a language."""
    return re.search(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)[1]


EXAMPLE_PRINTED = example("text")


def only(pattern: str) -> Path:
    found = sorted(PACKAGES.glob(pattern))
    if len(found) != 1:
        raise Failure(f"out/package has {len(found)} files {pattern}")
    return found[0]


def install(readme: str, folder: Path, *more: str, **env: str) -> None:
    """Runs the first command of a README, in which a comment may follow it."""
    text = (ROOT / readme).read_text("utf-8")
    words = re.search(r"^```sh\n([^#\n]*)", text, re.MULTILINE)[1].split()
    run(*words, *more, cwd=folder, **env)


def use_crates(folder: Path) -> Iterator[str]:
    if published():
        project = folder / "project"
        run("cargo", "new", "--quiet", "--vcs", "none", project, cwd=folder)
        install("rust/packord/README.md", project)
        (project / "src/main.rs").write_text(example("rust"), "utf-8")
        run("cargo", "run", "--quiet", cwd=project, says=EXAMPLE_PRINTED)
        yield "a Cargo project, from the registry"
        install("rust/packord-cli/README.md", folder, "--quiet", "--root", str(folder))
        tour(folder / "bin" / ("packord.exe" if os.name == "nt" else "packord"), folder)
        yield "the tool, from the registry"
        return
    for crate in ("packord", "packord-derive"):
        with tarfile.open(PACKAGES / f"{crate}-{VERSION}.crate") as crate_file:
            crate_file.extractall(folder)
    project = folder / "project"
    (project / "src/bin").mkdir(parents=True)
    # The version is not on the registry yet.
    (project / "Cargo.toml").write_text(
        '[package]\nname = "project"\nversion = "0.0.0"\nedition = "2024"\n\n[dependencies]\n'
        f'packord = {{ version = "{VERSION}", features = ["container-zstd"] }}\n\n'
        f'[patch.crates-io]\npackord = {{ path = "../packord-{VERSION}" }}\n'
        f'packord-derive = {{ path = "../packord-derive-{VERSION}" }}\n'
    )
    (project / "src/main.rs").write_text(example("rust"), "utf-8")
    shutil.copy(SMOKE / "smoke.rs", project / "src/bin")
    run("cargo", "run", "--quiet", "--bin", "project", cwd=project, says=EXAMPLE_PRINTED)
    run("cargo", "run", "--quiet", "--bin", "smoke", cwd=project, says=PRINTED)
    yield "a Cargo project"
    if shipped():
        run(ROOT / ".ci/test-crates.sh", PACKAGES, cwd=ROOT)
        yield "the tests of the crates"


def use_python(folder: Path) -> Iterator[str]:
    (folder / "example.py").write_text(example("python"), "utf-8")
    shutil.copy(SMOKE / "smoke.py", folder)

    def used(python: Path) -> None:
        run(python, "-I", "example.py", cwd=folder, says=EXAMPLE_PRINTED)
        run(python, "-I", "smoke.py", cwd=folder, says=PRINTED)

    def venv(name: str) -> Path:
        run(sys.executable, "-m", "venv", name, cwd=folder)
        return folder / name / PROGRAMS / "python"

    pip = ("-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    python = venv("pip")
    if published():
        path = f"{python.parent}{os.pathsep}{os.environ['PATH']}"
        install("python/README.md", folder, "--quiet", "--disable-pip-version-check", PATH=path)
        used(python)
        yield "the wheel, from the index"
        return
    run(
        python,
        *pip,
        "--no-index",
        "--find-links",
        PACKAGES,
        f"packord=={VERSION}",
        "--only-binary",
        "packord",
        cwd=folder,
    )
    used(python)
    yield "the wheel, by pip"
    tool = venv("uv")
    run(tool, *pip, "-r", ROOT / ".ci/requirements.txt", cwd=folder)
    uv = tool.with_name("uv")
    run(uv, "venv", "--quiet", "--python", sys.executable, "with-uv", cwd=folder)
    python = folder / "with-uv" / PROGRAMS / "python"
    run(uv, "pip", "install", "--quiet", "--python", python, "--no-index", "--find-links", PACKAGES,
        "--only-binary", "packord", f"packord=={VERSION}", cwd=folder)  # fmt: skip
    used(python)
    yield "the wheel, by uv"
    python = venv("source")
    run(python, *pip, only(f"packord-{VERSION}.tar.gz"), cwd=folder)
    used(python)
    yield "the source distribution, by pip"
    if shipped():
        run(ROOT / ".ci/test-wheels.py", PACKAGES, cwd=ROOT)
        run(ROOT / ".ci/test-sdist.sh", cwd=ROOT, PACKORD_SDIST=str(only(f"packord-{VERSION}.tar.gz")))
        yield "the tests of the wheels and of the source distribution"


def use_npm(folder: Path) -> Iterator[str]:
    pinned = json.loads((ROOT / "js/package.json").read_text("utf-8"))["devDependencies"]
    tools = {name: pinned[name] for name in ("typescript", "@types/node")} | {"vite": VITE}
    project = {"private": True, "type": "module", "devDependencies": tools}
    if not published():
        project["dependencies"] = {"packord": only(f"packord-{VERSION}.tgz").as_uri()}
    (folder / "package.json").write_text(json.dumps(project))
    quiet = ("--no-audit", "--no-fund", "--loglevel=error")
    if published():
        install("js/README.md", folder, *quiet)
    else:
        run("npm", "install", *quiet, cwd=folder)
    (folder / "example.js").write_text(example("js"), "utf-8")
    run("node", "example.js", cwd=folder, says=EXAMPLE_PRINTED)
    yield "ES modules"
    shutil.copy(SMOKE / "smoke.cjs", folder)
    run("node", "smoke.cjs", cwd=folder, says=PRINTED)
    yield "CommonJS"
    shutil.copy(SMOKE / "smoke.ts", folder)
    checks = (
        "npx",
        "tsc",
        "--strict",
        "--target",
        "es2022",
        "--lib",
        "es2022,esnext.disposable",
        "--types",
        "node",
    )
    run(*checks, "--module", "nodenext", "smoke.ts", cwd=folder)
    run("node", "smoke.js", cwd=folder, says=PRINTED)
    yield "TypeScript"
    (folder / "index.html").write_text('<script type="module" src="/page.ts"></script>\n')
    (folder / "page.ts").write_text(
        "import { pack, unpack } from 'packord';\n"
        "import { ContainerReader, ContainerWriter } from 'packord/container';\n"
        "console.log(typeof ContainerReader, typeof ContainerWriter, unpack(pack({ id: 7 })).id);\n"
    )
    (folder / "vite.config.js").write_text(
        "export default { logLevel: 'warn', build: { modulePreload: false } };\n"
    )
    run(*checks, "--noEmit", "--module", "esnext", "--moduleResolution", "bundler", "page.ts", cwd=folder)
    run("npx", "vite", "build", cwd=folder)
    (built,) = (folder / "dist/assets").glob("*.js")
    run("node", built, cwd=folder, says="function function 7\n")
    yield "a bundle by Vite"


POM = """<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>project</groupId>
  <artifactId>project</artifactId>
  <version>0</version>
  <properties>
    <maven.compiler.release>17</maven.compiler.release>
    <project.build.sourceEncoding>UTF-8</project.build.sourceEncoding>
  </properties>
  <repositories>{repositories}</repositories>
  <dependencies>
    {dependencies}
  </dependencies>
  <build><plugins>
    <plugin><artifactId>maven-compiler-plugin</artifactId><version>3.14.1</version></plugin>
  </plugins></build>
</project>
"""
# What engines provide, and Clojure, which the library takes from its user.
ARTIFACTS = (
    "packord",
    "packord-kafka",
    "packord-jackson",
    "packord-container",
    "packord-connect",
    "packord-spark",
)
LIBRARIES = (
    *(f"io.github.packord:{name}:{VERSION}" for name in ARTIFACTS),
    "org.apache.kafka:connect-api:4.1.0",
    "org.clojure:clojure:1.12.6",
)


def use_maven(folder: Path) -> Iterator[str]:
    repository = PACKAGES / "maven"
    repositories = ""
    if not published():
        run(ROOT / ".ci/bundle.py", "check", repository, "unsigned", cwd=ROOT)
        for name in ARTIFACTS:
            only(f"maven/io/github/packord/{name}/{VERSION}/{name}-{VERSION}.pom")
        yield "the files that Maven Central asks for"
        repositories = f"<repository><id>packages</id><url>{repository.as_uri()}</url></repository>"

    def dependency(library: str) -> str:
        parts = zip(("groupId", "artifactId", "version"), library.split(":"), strict=True)
        return f"<dependency>{''.join(f'<{tag}>{text}</{tag}>' for tag, text in parts)}</dependency>"

    sources = folder / "src/main/java"
    sources.mkdir(parents=True)
    shutil.copy(SMOKE / "Smoke.java", sources)
    (folder / "pom.xml").write_text(
        POM.format(repositories=repositories, dependencies="\n    ".join(map(dependency, LIBRARIES)))
    )
    run("mvn", "-q", "-B", f"-Dmaven.repo.local={folder}/repository", "compile",
        "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath",
        "-Dmdep.outputFile=classpath", cwd=folder)  # fmt: skip
    classes = f"{folder}/target/classes{os.pathsep}{(folder / 'classpath').read_text('utf-8').strip()}"
    run("java", "-cp", classes, "Smoke", cwd=folder, says=PRINTED)
    yield "a Maven project"
    (folder / "example.clj").write_text(example("clojure"), "utf-8")
    shutil.copy(SMOKE / "smoke.clj", folder)

    def used(*words: str) -> None:
        run(*words, "example.clj", cwd=folder, says=EXAMPLE_PRINTED)
        run(*words, "smoke.clj", cwd=folder, says=PRINTED)

    used("java", "-cp", classes, "clojure.main")
    yield "Clojure"
    if published():
        return
    describes = shutil.which("clojure") and subprocess.run(
        ["clojure", "-Sdescribe"], capture_output=True, cwd=folder, check=False
    )
    if not describes or describes.returncode or b":version" not in describes.stdout:
        yield "(no project with deps.edn: the Clojure CLI is not installed)"
        return
    (folder / "deps.edn").write_text(
        f'{{:paths [] :mvn/local-repo "deps" :mvn/repos {{"packages" {{:url "{repository.as_uri()}"}}}}\n'
        f' :deps {{io.github.packord/packord-container {{:mvn/version "{VERSION}"}}}}}}\n'
    )
    used("clojure", "-M")
    yield "a project with deps.edn"


def use_tool(folder: Path) -> Iterator[str]:
    shutil.unpack_archive(only(TOOL), folder)
    (unpacked,) = folder.glob(f"packord-{VERSION}-*")
    for name in ("LICENSE-MIT", "LICENSE-APACHE", "LICENSES-OTHERS.txt", "README.md", "man/man1/packord.1",
                 "man/man1/packord-container-create.1", "completions/packord.bash"):  # fmt: skip
        if not (unpacked / name).stat().st_size:
            raise Failure(f"{name} is empty")
    program = unpacked / ("packord.exe" if os.name == "nt" else "packord")
    if sys.platform == "linux" and b"/lib64/ld-linux" in program.read_bytes():
        raise Failure(f"{program.name} is not static")
    tour(program, folder)
    yield "the program of the archive"
    debs = sorted(PACKAGES.glob("packord_*.deb"))
    for deb in debs:
        run("dpkg-deb", "-x", deb, folder / "deb", cwd=folder)
        if "Depends" in run("dpkg-deb", "--field", deb, cwd=folder):
            raise Failure("the Debian package depends on others")
        tour(folder / "deb/usr/bin/packord", folder)
        if shutil.which("lintian"):
            run("lintian", "--allow-root", "--fail-on", "error", deb, cwd=folder)
        yield "the program of the Debian package"


def tour(program: Path, folder: Path) -> None:
    """The tour of README.md, and a container file."""
    run(program, "--version", cwd=folder, says=f"packord {VERSION}\n")
    document = '{"users":[{"id":1,"name":"Ada"},{"id":2,"name":"Grace"}]}\n'
    (folder / "team.json").write_text(document)
    run(program, "pack", "--records", "team.json", "--out", "team.msgpack", cwd=folder)
    run(program, "unpack", "--records", "team.msgpack", cwd=folder, says=document)
    run(program, "get", "--records", "$.users[1].name", "team.msgpack", cwd=folder, says='"Grace"\n')
    (folder / "rows.ndjson").write_text("".join(f'{{"id":{n}}}\n' for n in range(1000)))
    run(program, "container", "create", "rows.ndjson", "--out", "rows.pkd", cwd=folder)
    run(program, "unpack", "--where", "id > 998", "rows.pkd", cwd=folder, says='{"id":999}\n')
    (folder / "cut.msgpack").write_bytes(b"\x92\x01\xa3A")
    done = subprocess.run([program, "validate", "cut.msgpack"], cwd=folder, capture_output=True, check=False)
    if done.returncode != 3 or b"eof at byte 4 ($[1])" not in done.stdout + done.stderr:
        raise Failure(f"validate: exit {done.returncode}\n{done.stdout!r} {done.stderr!r}")


def use_vectors(folder: Path) -> Iterator[str]:
    archive = only(f"packord-vectors-{VERSION}.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(folder)
    files = list(folder.glob("packord-vectors-*/valid/*.json"))
    if not files or not all(json.loads(file.read_text("utf-8")) for file in files):
        raise Failure("the archive has no vectors")
    yield "the archive of the vectors"
    if shipped():
        run(ROOT / ".ci/test-archive.sh", archive, cwd=ROOT)
        yield "its example in Go"


def use_sbom(_: Path) -> Iterator[str]:
    bill = json.loads(only(f"packord-{VERSION}.cdx.json").read_text("utf-8"))
    known = {component["bom-ref"] for component in bill["components"]} | {"packord"}
    named = {each["ref"] for each in bill["dependencies"]}
    wanted = {ref for each in bill["dependencies"] for ref in each["dependsOn"]}
    if named != known or not wanted <= known:
        raise Failure("the bill of materials names components that it does not have")
    if nameless := [each["name"] for each in bill["components"] if not each["version"]]:
        raise Failure(f"without a version: {', '.join(nameless)}")
    if unlicensed := [each["name"] for each in bill["components"] if not each.get("licenses")]:
        raise Failure(f"without a licence: {', '.join(unlicensed)}")
    yield f"the bill of {len(known)} materials"


PARTS = {
    "crates": (use_crates, "*.crate"),
    "python": (use_python, "*.whl"),
    "npm": (use_npm, "*.tgz"),
    "maven": (use_maven, "maven"),
    "tool": (use_tool, TOOL),
    "vectors": (use_vectors, "packord-vectors-*"),
    "sbom": (use_sbom, "*.cdx.json"),
}


def changed() -> list[str]:
    """The files that do not have their checksum."""
    lines = (PACKAGES / "SHA256SUMS").read_text("ascii").splitlines()
    return [
        name
        for checksum, name in (line.split("  ") for line in lines)
        if hashlib.sha256((PACKAGES / name).read_bytes()).hexdigest() != checksum
    ]


def published() -> bool:
    return os.environ.get("PACKORD_PUBLISHED") == "1"


def shipped() -> bool:
    return os.environ.get("PACKORD_SHIPPED") == "1"


def main() -> int:
    if unknown := [part for part in sys.argv[1:] if part not in PARTS]:
        print(f"no part is called {unknown[0]}: the parts are {', '.join(PARTS)}.", file=sys.stderr)
        return 1
    parts = sys.argv[1:] or list(PARTS)
    if published():
        parts = [part for part in parts if part in ("crates", "python", "npm", "maven")]
    else:
        if (
            not PACKAGES.is_dir()
            and subprocess.run([ROOT / ".ci/package.py", *sys.argv[1:]], check=False).returncode
        ):
            return 1
        if names := changed():
            print(f"not as packaged: {', '.join(names)}", file=sys.stderr)
            return 1
        cargo = Path(os.environ.get("CARGO_HOME") or Path.home() / ".cargo")
        if names := archives.with_traces(PACKAGES, (ROOT, cargo)):
            print(f"with a path of this machine: {', '.join(names)}", file=sys.stderr)
            return 1
    passed = failed = 0
    for part, (test, pattern) in PARTS.items():
        if part not in parts:
            continue
        if not published() and not sys.argv[1:] and not list(PACKAGES.glob(pattern)):
            print(f"{part}: not in out/package")
            continue
        with tempfile.TemporaryDirectory(prefix=f"packord-{part}-") as folder:
            try:
                for name in test(Path(folder)):
                    print(f"{part}: {name}", flush=True)
                    passed += not name.startswith("(")
            except Failure as failure:
                print(f"{part}: FAILED: {failure}", flush=True)
                failed += 1
    print(f"{passed} passed, {failed} failed")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main())
