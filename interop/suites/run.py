"""Runs the test suites of other packages with packord in place of the package, and prints a table.

`make suites` calls it. A suite is what the package's repository had at a commit, or its source
archive, in `out/suites`; none of its tests is changed, but for msgpacker's: they change as the
guide says that programs do. `failing/NAME.txt` lists the tests that fail and why: a suite in which
others fail, or in which one of these passes, is an error. `--keep` writes the numbers to
`bench/runs.json`, from which `make figures` makes the page of evidence.
"""

from __future__ import annotations

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
OUT = ROOT / "out/suites"
RUNS = ROOT / "bench/runs.json"
PYTHON = Path(os.environ.get("PACKORD_PYTHON", sys.executable))


@dataclass
class Results:
    """The full names of the tests of a suite."""

    passed: list[str] = field(default_factory=list)
    failed: list[str] = field(default_factory=list)
    pending: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class Suite:
    """Where the files of a suite are, what puts packord in their place, and what runs the tests."""

    registry: str
    name: str
    version: str
    run: Callable[[Path], Results]
    stand_in: Callable[[Path], None] = lambda folder: None
    repository: str = ""
    commit: str = ""

    @property
    def file_name(self) -> str:
        return self.name.removeprefix("@").replace("/", "-")

    def checked_out(self) -> Path:
        """Puts the files in a fresh folder, which it returns."""
        folder = OUT / self.file_name
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir(parents=True)
        if self.repository:
            git = ["git", "-C", str(folder)]
            run([*git, "init", "--quiet"])
            run([*git, "fetch", "--quiet", "--depth=1", self.repository, self.commit])
            run([*git, "checkout", "--quiet", "FETCH_HEAD"])
            return folder
        if self.registry == "cargo":
            return crate(folder, self.name, self.version)
        wanted = f"{self.name}=={self.version}"
        run(
            [
                PYTHON,
                "-m",
                "pip",
                "download",
                "-q",
                "--no-deps",
                "--no-binary=:all:",
                "-d",
                folder,
                wanted,
            ]
        )
        (archive,) = folder.glob("*.tar.gz")
        shutil.unpack_archive(archive, folder, filter="data")
        return next(path for path in folder.iterdir() if path.is_dir())

    def known_failures(self) -> dict[str, str]:
        """The tests that fail, and why: the line that begins with `#` above each."""
        reason, known = "", {}
        file = HERE / f"failing/{self.file_name}.txt"
        for line in file.read_text("utf-8").splitlines() if file.exists() else []:
            if line.startswith("#"):
                reason = line[1:].strip()
            elif line:
                known[line] = reason
        return known


def run(command: list, cwd: Path | None = None) -> None:
    """Runs a command, which must succeed."""
    subprocess.run([str(part) for part in command], cwd=cwd, check=True)


# JavaScript: mocha, with the packages of package.json in a folder above those of the suites.


def mocha(*arguments: str, env: dict | None = None) -> Callable[[Path], Results]:
    def tests(folder: Path) -> Results:
        report = folder / "packord-report.json"
        command = ["node", OUT / "node_modules/mocha/bin/mocha.js", *arguments]
        command += ["--reporter=json", f"--reporter-option=output={report}"]
        # Its exit status is the number of failures.
        subprocess.run(
            [str(part) for part in command],
            cwd=folder,
            check=False,
            env={**os.environ, **(env or {})},
            stdout=subprocess.DEVNULL,
        )
        found = json.loads(report.read_text("utf-8"))
        names = {
            kind: [test["fullTitle"] for test in found[kind]]
            for kind in ("passes", "failures", "pending")
        }
        return Results(numbered(names["passes"]), numbered(names["failures"]), names["pending"])

    return tests


def numbered(names: list[str]) -> list[str]:
    """Makes the names of a list differ."""
    seen: dict[str, int] = {}
    found = []
    for name in names:
        name = " ".join(name.split())
        seen[name] = seen.get(name, 0) + 1
        found.append(name if seen[name] == 1 else f"{name} ({seen[name]})")
    return found


def prepare_javascript() -> None:
    """Installs what the suites need, and this checkout's package beside it."""
    OUT.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(HERE / name, OUT)
    run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"], OUT)
    (OUT / "node_modules/packord").symlink_to(ROOT / "js")


def for_msgpackr(folder: Path) -> None:
    """The modules of the package become packord's, the one of its structs none.

    The tests that its package has are in the map of its bundle of tests; the others and the
    samples are in the repository, at an earlier version.
    """
    version = next(suite.version for suite in SUITES if suite.name == "msgpackr")
    run(["npm", "pack", f"msgpackr@{version}", "--silent", "--loglevel=error"], folder)
    shutil.unpack_archive(folder / f"msgpackr-{version}.tgz", folder, filter="data")
    sources = json.loads((folder / "package/dist/test.js.map").read_text("utf-8"))
    at = sources["sources"].index("../tests/test.js")
    (folder / "tests/test.js").write_text(sources["sourcesContent"][at], "utf-8")
    for name in ("index.js", "node-index.js", "pack.js"):
        (folder / name).write_text("export * from 'packord/msgpackr';\n")
    (folder / "struct.js").write_text("")
    (folder / "pack.cjs").write_text("module.exports = require('packord/msgpackr');\n")
    described = json.loads((folder / "package.json").read_text("utf-8"))
    described["exports"] = {"./pack": {"require": "./pack.cjs"}}
    (folder / "package.json").write_text(json.dumps(described))


def for_msgpack(folder: Path) -> None:
    (folder / "src/index.ts").write_text('export * from "packord/msgpack";\n')


def for_lmdb(folder: Path) -> None:
    """The `msgpackr` that lmdb imports is packord; for some tests lmdb is built as CommonJS."""
    package = folder / "node_modules/msgpackr"
    package.mkdir(parents=True)
    exports = {"import": "./index.mjs", "require": "./index.cjs"}
    (package / "package.json").write_text(json.dumps({"name": "msgpackr", "exports": exports}))
    (package / "index.mjs").write_text("export * from 'packord/msgpackr';\n")
    (package / "index.cjs").write_text("module.exports = require('packord/msgpackr');\n")
    run(["node", OUT / "node_modules/rollup/dist/bin/rollup", "-c", "--silent"], folder)


# Python: pytest, in the environment of the package's own tests.


def pytest(place: str, tests: str) -> Callable[[Path], Results]:
    def result(folder: Path) -> Results:
        report = folder / "packord-report.xml"
        command = [PYTHON, "-m", "pytest", "-q", "-p", "stand_in", "-p", "no:cacheprovider"]
        subprocess.run(
            [str(part) for part in [*command, f"--junit-xml={report}", tests]],
            cwd=folder,
            check=False,
            env={**os.environ, "PYTHONPATH": str(HERE), "PACKORD_IN_PLACE_OF": place},
            stdout=subprocess.DEVNULL,
        )
        return junit(report)

    return result


def junit(report: Path) -> Results:
    results = Results()
    for case in xml.etree.ElementTree.parse(report).iter("testcase"):
        name = f"{case.get('classname')}.{case.get('name')}"
        kinds = {child.tag for child in case}
        if kinds & {"failure", "error"}:
            results.failed.append(name)
        else:
            (results.pending if "skipped" in kinds else results.passed).append(name)
    return results


# Clojure: clojure.test, with the class path of the JVM library.


def for_clojure(compat: str, *namespaces: str) -> Callable[[Path], None]:
    """The namespaces of the package have what is public in one of packord's."""

    def stand_in(folder: Path) -> None:
        for name in namespaces:
            file = folder / "src" / (name.replace(".", "/").replace("-", "_") + ".clj")
            file.write_text(
                f"(ns {name} (:require {compat}))\n"
                f"(doseq [[n v] (ns-publics '{compat})] (intern *ns* (with-meta n (meta v)) @v))\n"
            )

    return stand_in


def clojure_test(*namespaces: str) -> Callable[[Path], Results]:
    def tests(folder: Path) -> Results:
        report, paths = folder / "packord-report.xml", folder / "packord-class-path"
        maven = [
            "mvn",
            "-q",
            "-B",
            "-f",
            ROOT / "jvm/pom.xml",
            "-pl",
            ":packord",
            "-Dpackord.skipTests",
        ]
        run([*maven, "test-compile", "dependency:build-classpath", f"-Dmdep.outputFile={paths}"])
        class_path = [
            folder / "src",
            folder / "test",
            ROOT / "jvm/core/target/classes",
            paths.read_text(),
        ]
        required = " ".join(f"'{name}" for name in namespaces)
        program = (
            f"(require 'clojure.test 'clojure.test.junit {required})"
            f'(with-open [w (clojure.java.io/writer "{report}")]'
            "  (binding [clojure.test/*test-out* w]"
            f"   (clojure.test.junit/with-junit-output (clojure.test/run-tests {required}))))"
            "(shutdown-agents)"
        )
        run(["java", "-cp", ":".join(map(str, class_path)), "clojure.main", "-e", program])
        return junit(report)

    return tests


# Rust: cargo, in a package of the crate's tests alone.


def crate(folder: Path, name: str, version: str) -> Path:
    """Puts the tests of a crate in a folder, which becomes a package without dependencies."""
    manifest = folder / "Cargo.toml"
    package = '[package]\nname = "suite"\nversion = "0.1.0"\nedition = "2021"\n[workspace]\n'
    manifest.write_text(package + f'[dependencies]\n{name} = "={version}"\n')
    (folder / "src").mkdir()
    (folder / "src/lib.rs").write_text("")
    command = ["cargo", "metadata", "--format-version=1"]
    found = json.loads(subprocess.run(command, cwd=folder, check=True, capture_output=True).stdout)
    (source,) = (each["manifest_path"] for each in found["packages"] if each["name"] == name)
    shutil.copytree(Path(source).parent / "tests", folder / "tests")
    (folder / "Cargo.lock").unlink()
    manifest.write_text(package)
    return folder


MSGPACKER_NEEDS = """
arbitrary = "1.4"
arbitrary-json = "0.1"
proptest = "1.10"
proptest-derive = "0.8"
rmp-serde = "1.3"
serde = { version = "1.0", features = ["derive"] }
serde_bytes = "0.11"
serde_json = "1.0"
"""
MSGPACKER_KINDS = {
    "BufferTooShort": "Eof",
    "InvalidUtf8": "InvalidUtf8",
    "InvalidEnumVariant": "TypeMismatch",
    "InvalidExtension": "TypeMismatch",
    "UnexpectedBinLength": "TypeMismatch",
    "UnexpectedFormatTag": "TypeMismatch",
}
# What the guide says that a program has to change: the kinds of errors, the type of all errors, the
# outcome of `to_vec`, the trait of a call where both are there, what a timestamp holds.
MSGPACKER_CHANGES: list[tuple[str, str | Callable[[re.Match], str]]] = [
    (r"\n *<T as [^\n]*>::Error: core::fmt::Debug,", ""),
    (r"<Error = msgpacker::Error>", ""),
    (r"\bError::(\w+)", lambda found: "ErrorKind::" + MSGPACKER_KINDS[found[1]]),
    (r"msgpacker::Error\b", "msgpacker::ErrorKind"),
    (r"expected: Error\b", "expected: ErrorKind"),
    (r"\{Error, ", "{ErrorKind, "),
    (r"unwrap_err\(\)", "unwrap_err().kind()"),
    (r"(msgpacker::serde::to_vec\(&\w+\))", r"\1.unwrap()"),
    (r"msgpacker_derive::", "msgpacker::"),
    (r"= String::unpack_with_ofs", "= <String as msgpacker::Unpackable>::unpack_with_ofs"),
    (r"Duration::from_secs\((.*)\)\)", r"msgpacker::Timestamp::new(\1 as i64, 0).unwrap())"),
    (r"Duration::new\((.*), (\d)\)\)", r"msgpacker::Timestamp::new((\1) as i64, \2).unwrap())"),
]


def for_msgpacker(folder: Path) -> None:
    """The dependency `msgpacker` is packord; the tests change as the guide says programs do."""
    path = json.dumps(str(ROOT / "rust/packord"))
    with (folder / "Cargo.toml").open("a") as manifest:
        features = 'features = ["bytes", "serde"]'
        manifest.write(
            f'[dependencies]\nmsgpacker = {{ package = "packord", path = {path}, {features} }}\n'
        )
        manifest.write(f"[dev-dependencies]{MSGPACKER_NEEDS}")
    for file in (folder / "tests").rglob("*.rs"):
        text = file.read_text("utf-8")
        for pattern, by in MSGPACKER_CHANGES:
            text = re.sub(pattern, by, text)
        file.write_text(text, "utf-8")


def cargo_test(folder: Path) -> Results:
    command = ["cargo", "test", "--no-fail-fast", "--tests"]
    built = {**os.environ, "CARGO_TARGET_DIR": str(OUT / "target")}
    # The names of the programs are on the other stream.
    ran = subprocess.run(
        command,
        cwd=folder,
        check=False,
        env=built,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )
    results = Results()
    outcomes = {"ok": results.passed, "FAILED": results.failed, "ignored": results.pending}
    file = ""
    for line in ran.stdout.decode("utf-8").splitlines():
        if found := re.match(r" +Running tests/(\w+)\.rs", line):
            file = found[1]
        elif found := re.match(r"test (\S+)(?: - should panic)? \.\.\. (ok|FAILED|ignored)", line):
            outcomes[found[2]].append(f"{file}::{found[1]}")
    return results


SUITES = [
    Suite("cargo", "msgpacker", "0.7.2", cargo_test, stand_in=for_msgpacker),
    Suite(
        "npm",
        "lmdb",
        "3.5.6",
        mocha("test/index.test.js", "--expose-gc", "--exit"),
        stand_in=for_lmdb,
        repository="https://github.com/kriszyp/lmdb-js",
        commit="abd816019a9785edd06d6b0906b36a1c7031418c",
    ),
    Suite(
        "npm",
        "msgpackr",
        "2.1.4",
        mocha("tests/test**.*js", "-u", "tdd", "--exit", "--timeout=30000"),
        stand_in=for_msgpackr,
        repository="https://github.com/kriszyp/msgpackr",
        commit="700f5d51994a0e1b22764d9bb4f25b5277998a34",
    ),
    Suite(
        "npm",
        "@msgpack/msgpack",
        "3.1.3",
        mocha("test/**/*.test.ts", env={"TS_NODE_TRANSPILE_ONLY": "1"}),
        stand_in=for_msgpack,
        repository="https://github.com/msgpack/msgpack-javascript",
        commit="77ed8ac348d14ed9aba3f8b8f1add3213a921e37",
    ),
    Suite("pip", "msgpack", "1.2.4", pytest("msgpack", "test")),
    Suite(
        "pip",
        "ormsgpack",
        "1.12.1",
        pytest("ormsgpack", "tests"),
        repository="https://github.com/aviramha/ormsgpack",
        commit="d2546f89309c1367304ef0369ce15ec0fbc2c3d8",
    ),
    Suite("pip", "msgspec", "0.22.0", pytest("msgspec", "tests/unit")),
    Suite(
        "clojars",
        "msgpack-clj",
        "1.2.3",
        clojure_test("io.julienvincent.msgpack-test", "io.julienvincent.extension-test"),
        for_clojure(
            "packord.compat.msgpack-clj",
            "io.julienvincent.msgpack",
            "io.julienvincent.msgpack.extension.clojure",
        ),
        repository="https://github.com/julienvincent/msgpack-clj",
        commit="f85dacc318d10825f864f825b4bb3dfcfa3543ca",
    ),
    Suite(
        "clojars",
        "clojure-msgpack",
        "1.2.1",
        clojure_test("msgpack.core-test", "msgpack.core-check"),
        for_clojure("packord.compat.clojure-msgpack", "msgpack.core", "msgpack.macros"),
        repository="https://github.com/edma2/clojure-msgpack",
        commit="a4bca2cf064a87d9c4a564c634c6ebb65578dad5",
    ),
]


def judged(suite: Suite, results: Results) -> list[str]:
    """What is not as `failing` says."""
    known = suite.known_failures()
    wrong = [f"{suite.name}: no test was run"] if not results.passed else []
    wrong += [f"{suite.name}: fails: {name}" for name in results.failed if name not in known]
    wrong += [
        f"{suite.name}: is listed, but does not fail: {name}"
        for name in known
        # A suite leaves out what the current interpreter can't run.
        if name not in results.failed + results.pending
    ]
    return wrong


def keep(counts: dict[str, Results]) -> None:
    """Writes the numbers to the recorded runs."""
    recorded = json.loads(RUNS.read_text("utf-8"))
    for entry in recorded["suites"]:
        if results := counts.get(entry["name"]):
            entry["passed"], entry["failed"] = len(results.passed), len(results.failed)
            entry["pending"], entry["date"] = (
                len(results.pending),
                datetime.date.today().isoformat(),
            )
    # A line for each, as people write it.
    parts = []
    for name, entries in recorded.items():
        lines = ",\n".join(f"  {json.dumps(entry, ensure_ascii=False)}" for entry in entries)
        parts.append(f' "{name}": [\n{lines}\n ]')
    RUNS.write_text("{\n" + ",\n".join(parts) + "\n}\n", "utf-8")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--keep", action="store_true", help="write the numbers to bench/runs.json")
    parser.add_argument("names", nargs="*", help="packages; all if there is none")
    arguments = parser.parse_args()
    chosen = [suite for suite in SUITES if not arguments.names or suite.name in arguments.names]
    if any(suite.registry == "npm" for suite in chosen):
        prepare_javascript()
    counts, wrong = {}, []
    for suite in chosen:
        folder = suite.checked_out()
        suite.stand_in(folder)
        results = counts[suite.name] = suite.run(folder)
        wrong += judged(suite, results)
        print(
            f"{suite.name} {suite.version}: {len(results.passed)} passed, "
            f"{len(results.failed)} failed, {len(results.pending)} pending",
            flush=True,
        )
    if arguments.keep and not wrong:
        keep(counts)
    print("\n".join(wrong), end="\n" if wrong else "")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
