#!/usr/bin/env python3
"""Lists what packord's packages contain of other projects.

    .ci/dependencies.py sbom FILE              a bill of materials of all packages (CycloneDX, JSON)
    .ci/dependencies.py notices CRATE FILE     licences of what is linked into packord-cli or packord-python

The crates are those of Cargo.lock, without what only tests and builds of tests use; the libraries of Java
are those of the POMs, without what an engine provides. The npm package has no dependencies.
"""

import html
import json
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
VERSION = (ROOT / "VERSION").read_text("ascii").strip()
OWN_LICENCE = "MIT OR Apache-2.0"
# The packages that are published, by the crate or POM that they are built of.
CRATES = {"packord-cli": ROOT / "rust", "packord-python": ROOT / "python"}
POMS = [
    ROOT / "jvm" / folder / "pom.xml"
    for folder in ("core", "kafka", "jackson", "container", "connect", "spark")
]
NAMESPACE = "{http://maven.apache.org/POM/4.0.0}"
SUM = re.compile(r'name = "([^"]+)"\nversion = "([^"]+)"\nsource = .*\nchecksum = "([0-9a-f]+)"')
# A POM names the library that it needs, not its licence.
JAVA_LICENCES = {"zstd-jni": "BSD-2-Clause"}
LICENCE_FILE = re.compile(r"(licen[cs]e|copying|notice|unlicense)", re.IGNORECASE)
# In the programs for Linux, which are static. Its licence is MIT's text after this line.
MUSL = "Copyright © 2005-2020 Rich Felker, et al."

Component = dict[str, object]


class Crates:
    """The crates that a crate needs, itself included, and which of them each needs."""

    def __init__(self, name: str, folder: Path) -> None:
        words = ["cargo", "metadata", "--locked", "--format-version", "1"]
        told = json.loads(subprocess.run(words, cwd=folder, stdout=subprocess.PIPE, check=True).stdout)
        lock = (folder / "Cargo.lock").read_text("utf-8")
        self.sums = {(name, version): checksum for name, version, checksum in SUM.findall(lock)}
        packages = {package["id"]: package for package in told["packages"]}
        nodes = {node["id"]: node for node in told["resolve"]["nodes"]}
        self.root = next(key for key, package in packages.items() if package["name"] == name)
        self.needs: dict[str, list[str]] = {}
        waiting = [self.root]
        while waiting:
            key = waiting.pop()
            if key in self.needs:
                continue
            self.needs[key] = [
                dependency["pkg"]
                for dependency in nodes[key]["deps"]
                if any(kind["kind"] != "dev" for kind in dependency["dep_kinds"])
            ]
            waiting += self.needs[key]
        self.packages = {key: packages[key] for key in self.needs}

    def reference(self, key: str) -> str:
        package = self.packages[key]
        return f"pkg:cargo/{package['name']}@{package['version']}"

    def component(self, key: str) -> Component:
        package = self.packages[key]
        found: Component = {
            "type": "library",
            "bom-ref": self.reference(key),
            "name": package["name"],
            "version": package["version"],
            "purl": self.reference(key),
        }
        if package["description"]:
            found["description"] = " ".join(package["description"].split())
        if package["license"]:
            # An old form of "or" is not an expression of SPDX.
            found["licenses"] = [{"expression": re.sub(r"\s*/\s*", " OR ", package["license"])}]
        if checksum := self.sums.get((package["name"], package["version"])):
            found["hashes"] = [{"alg": "SHA-256", "content": checksum}]
        return found


def java() -> tuple[list[Component], dict[str, list[str]]]:
    """The libraries of the POMs, and what each needs."""
    components, needs = [], {}
    for pom in POMS:
        project = ElementTree.parse(pom).getroot()
        own = _library(project)
        components.append({**own, "licenses": [{"expression": OWN_LICENCE}]})
        needs[str(own["purl"])] = []
        for dependency in project.iterfind(f"{NAMESPACE}dependencies/{NAMESPACE}dependency"):
            if dependency.findtext(f"{NAMESPACE}scope") in (None, "compile", "runtime"):
                library = _library(dependency)
                needs[str(own["purl"])].append(str(library["purl"]))
                if licence := JAVA_LICENCES.get(str(library["name"])):
                    library["licenses"] = [{"expression": licence}]
                if dependency.findtext(f"{NAMESPACE}optional") == "true":
                    library["scope"] = "optional"
                components.append(library)
    return components, needs


def _library(element: ElementTree.Element) -> Component:
    group, name, version = (
        element.findtext(NAMESPACE + part) or "" for part in ("groupId", "artifactId", "version")
    )
    group = group or "io.github.packord"
    version = version.replace("${project.version}", "") or VERSION
    reference = f"pkg:maven/{group}/{name}@{version}"
    return {
        "type": "library",
        "bom-ref": reference,
        "group": group,
        "name": name,
        "version": version,
        "purl": reference,
    }


def sbom() -> str:
    components: dict[str, Component] = {}
    needs: dict[str, set[str]] = {}
    for name, folder in CRATES.items():
        crates = Crates(name, folder)
        for key in crates.needs:
            components[crates.reference(key)] = crates.component(key)
            wanted = needs.setdefault(crates.reference(key), set())
            wanted.update(crates.reference(each) for each in crates.needs[key])
    libraries, needed = java()
    for library in libraries:
        components.setdefault(str(library["purl"]), library)
    needs |= {reference: set(wanted) for reference, wanted in needed.items()}
    package = f"pkg:npm/packord@{VERSION}"
    components[package] = {
        "type": "library",
        "bom-ref": package,
        "name": "packord",
        "version": VERSION,
        "purl": package,
        "licenses": [{"expression": OWN_LICENCE}],
    }
    whole = {"type": "application", "bom-ref": "packord", "name": "packord", "version": VERSION}
    needs["packord"] = {reference for reference in components if _is_own(reference)}
    return (
        json.dumps(
            {
                "bomFormat": "CycloneDX",
                "specVersion": "1.6",
                "version": 1,
                "metadata": {"component": {**whole, "licenses": [{"expression": OWN_LICENCE}]}},
                "components": [components[reference] for reference in sorted(components)],
                "dependencies": [
                    {"ref": reference, "dependsOn": sorted(needs.get(reference, ()))}
                    for reference in ["packord", *sorted(components)]
                ],
            },
            indent=1,
        )
        + "\n"
    )


def _is_own(reference: str) -> bool:
    return bool(re.match(r"pkg:(cargo|npm|maven/io\.github\.packord)/packord[\w-]*@", reference))


def notices(crate: str) -> str:
    """Each text once, after the names of what has it."""
    users: dict[str, list[str]] = {}
    for package in Crates(crate, CRATES[crate]).packages.values():
        if package["source"]:
            name = f"{package['name']} {package['version']} ({package['license']})"
            # Some crates contain the name of their licence only.
            for text in crate_texts(Path(package["manifest_path"]).parent) or ["(no text)"]:
                users.setdefault(text, []).append(name)
    for name, text in standard_library(with_musl=crate == "packord-cli"):
        users.setdefault(text, []).append(name)
    blocks = [
        "\n".join([*sorted(set(names)), "", text])
        for text, names in sorted(users.items(), key=lambda each: sorted(each[1]))
    ]
    return ("\n\n" + "-" * 80 + "\n\n").join(blocks) + "\n"


def crate_texts(folder: Path) -> list[str]:
    """The licences of a crate, and of each library in C that it contains."""
    libraries = {path.parent for path in folder.glob("*/*") if LICENCE_FILE.match(path.name)}
    files = []
    for place in (folder, *sorted(libraries)):
        found = [path for path in sorted(place.iterdir()) if path.is_file() and LICENCE_FILE.match(path.name)]
        # A library that offers the GPL in COPYING offers another licence beside it.
        files += [path for path in found if path.name != "COPYING" or len(found) == 1]
    return [file.read_text("utf-8", "replace").strip() for file in files]


def standard_library(with_musl: bool) -> Iterator[tuple[str, str]]:
    """The licences of Rust's standard library and of what it contains, as the toolchain tells them."""
    words = ["rustc", "--print", "sysroot"]
    sysroot = subprocess.run(words, capture_output=True, encoding="utf-8", check=True).stdout.strip()
    told = Path(sysroot, "share/doc/rust")
    own, *others = (told / "COPYRIGHT-library.html").read_text("utf-8").split("<h3>\N{PACKAGE} ")
    for name in sorted(set(re.findall(r"[\w.-]+", " ".join(re.findall(r"License:</b> ([^<]*)", own))))):
        if (file := told / f"licenses/{name}.txt").exists():
            yield "Rust's standard library", file.read_text("utf-8").strip()
    for other in others:
        name = f"{other[: other.index('<')]}, in Rust's standard library"
        for text in re.findall(r"<pre>(.*?)</pre>", other, re.DOTALL):
            yield name, html.unescape(text).strip()
    if with_musl:
        text = (told / "licenses/MIT.txt").read_text("utf-8")
        yield "musl", f"{MUSL}\n\n{text[text.index('Permission is') :].strip()}"


def main() -> None:
    match sys.argv[1:]:
        case ["sbom", file]:
            text = sbom()
        case ["notices", crate, file] if crate in CRATES:
            text = notices(crate)
        case _:
            sys.exit(__doc__)
    Path(file).write_text(text, "utf-8", newline="\n")


if __name__ == "__main__":
    main()
