#!/usr/bin/env python3
"""Makes of a Maven repository the bundle that Maven Central takes.

.ci/bundle.py sign FOLDER              signs each jar and POM with the key of gpg
.ci/bundle.py check FOLDER [unsigned]  names what Central refuses, a line each; exit 1 if there is something
.ci/bundle.py zip FOLDER FILE          writes the files as FILE
"""

import hashlib
import re
import subprocess
import sys
import xml.etree.ElementTree as ElementTree
import zipfile
from collections.abc import Iterator
from pathlib import Path

# What each POM has, or its parent: an element with text, or one that is not empty.
FIELDS = (
    *("name", "description", "url", "licenses/license/name", "licenses/license/url"),
    *("developers/developer/name", "scm/url", "scm/connection", "scm/developerConnection"),
)
# These are of each POM's own.
OWN = ("name", "description")
JARS = (".jar", "-sources.jar", "-javadoc.jar")
BESIDE = (".md5", ".sha1", ".asc")


def artefacts(folder: Path) -> list[Path]:
    return sorted(path for path in folder.rglob("*") if path.is_file() and path.suffix not in BESIDE)


def sign(folder: Path) -> None:
    for path in artefacts(folder):
        subprocess.run(["gpg", "--batch", "--yes", "--armor", "--detach-sign", path], check=True)


def model(pom: Path) -> ElementTree.Element:
    """A POM without the namespace of its elements."""
    return ElementTree.fromstring(re.sub(r' xmlns="[^"]*"', "", pom.read_text("utf-8")))


def place(folder: Path, project: ElementTree.Element, inherits: bool = True) -> Path:
    """Where a POM, or the one that it names as its parent, belongs, without the suffix."""

    def field(name: str) -> str:
        inherited = f"parent/{name}" if inherits else name
        return project.findtext(name) or project.findtext(inherited) or ""

    group, name, version = map(field, ("groupId", "artifactId", "version"))
    return folder / group.replace(".", "/") / name / version / f"{name}-{version}"


def faults_of_pom(folder: Path, pom: Path) -> Iterator[str]:
    project = model(pom)
    stem = place(folder, project)
    if pom != stem.with_name(f"{stem.name}.pom"):
        yield f"is not where its coordinates say, {stem.relative_to(folder)}.pom"
    if stem.name.endswith("SNAPSHOT"):
        yield "is a snapshot"
    models = [project]
    if (above := project.find("parent")) is not None:
        parent = place(folder, above, inherits=False)
        if (file := parent.with_name(f"{parent.name}.pom")).is_file():
            models.append(model(file))
        else:
            yield f"has a parent that is not in the bundle, {file.name}"
    for field in FIELDS:
        if not any((each.findtext(field) or "").strip() for each in models[: 1 if field in OWN else 2]):
            yield f"has no {field.replace('/', '.')}"
    if project.findtext("packaging", "jar") == "jar":
        for end in JARS:
            jar = pom.with_name(pom.name.removesuffix(".pom") + end)
            if not jar.is_file():
                yield f"comes without {jar.name}"
            elif not zipfile.is_zipfile(jar) or zipfile.ZipFile(jar).testzip():
                yield f"comes with {jar.name}, which is not an archive"


def faults_beside(path: Path, signed: bool) -> Iterator[str]:
    for kind in ("md5", "sha1"):
        file = path.with_name(f"{path.name}.{kind}")
        if not file.is_file():
            yield f"has no checksum {kind}"
        elif file.read_text("ascii").strip() != hashlib.new(kind, path.read_bytes()).hexdigest():
            yield f"does not have the checksum of its {kind}"
    signature = path.with_name(f"{path.name}.asc")
    if signed and not signature.is_file():
        yield "is not signed"
    elif signed and subprocess.run(["gpg", "--verify", signature, path], capture_output=True).returncode:
        yield "does not have the signature of its asc"


def faults(folder: Path, signed: bool) -> list[str]:
    found = []
    poms = [path for path in artefacts(folder) if path.suffix == ".pom"]
    for path in artefacts(folder):
        of = [f"{path.name} {fault}" for fault in faults_beside(path, signed)]
        if path.suffix == ".pom":
            of += [f"{path.name} {fault}" for fault in faults_of_pom(folder, path)]
        elif path not in {pom.with_name(pom.stem + end) for pom in poms for end in JARS}:
            of.append(f"{path.relative_to(folder)} belongs to no POM")
        found += of
    return found or ([] if poms else ["there is no POM"])


def pack(folder: Path, file: Path) -> None:
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as bundle:
        for path in sorted(folder.rglob("*")):
            if path.is_file():
                bundle.write(path, path.relative_to(folder))


def main() -> int:
    match sys.argv[1:]:
        case ["sign", folder]:
            sign(Path(folder))
        case ["check", folder, *unsigned] if unsigned in ([], ["unsigned"]):
            found = faults(Path(folder), not unsigned)
            print("\n".join(found) or f"{len(artefacts(Path(folder)))} files that Central takes")
            return 1 if found else 0
        case ["zip", folder, file]:
            pack(Path(folder), Path(file))
        case _:
            sys.exit(__doc__)
    return 0


if __name__ == "__main__":
    sys.exit(main())
