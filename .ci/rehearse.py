#!/usr/bin/env python3
"""Rehearses a release on this machine: builds, publishes and installs what it publishes.

    .ci/rehearse.py [PART…]

The parts are those of `.ci/package.py`. A new clone of the last commit is packaged and tested, with an empty
home and without the environment of the caller; what is made of it is published, twice, into registries that
run here, and used by projects that install it from them as the READMEs say. Exit 1: a step failed.
"""

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import registries

ROOT = Path(__file__).resolve().parent.parent
PYPISERVER = "pypiserver==2.4.2"
# It asks for a tag of node-fetch, which not every mirror of npm's registry has.
VERDACCIO = {"dependencies": {"verdaccio": "6.1.6"}, "overrides": {"node-fetch": "2.6.7"}}
VERDACCIO_SETTINGS = """storage: ./storage
auth: {{ htpasswd: {{ file: ./users }} }}
uplinks: {{ outside: {{ url: {outside} }} }}
packages:
  packord: {{ access: $all, publish: $all }}
  "@*/*": {{ access: $all, proxy: outside }}
  "**": {{ access: $all, proxy: outside }}
log: {{ type: stdout, level: warn }}
"""
# Registries of what is installed as a package; the other parts are files on the release page.
KINDS = ("crates", "python", "npm", "maven")
# Toolchains, which are not part of a home, and how the machine reaches the network. How cargo builds is kept
# too, for a quick rehearsal.
KEPT = (
    *("PATH", "JAVA_HOME", "RUSTUP_TOOLCHAIN", "TERM"),
    *("NODE_EXTRA_CA_CERTS", "SSL_CERT_FILE", "HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY"),
)
CARGO = """[registries.here]
index = "sparse+{address}/index/"
token = "t"
[source.crates-io]
replace-with = "here"
"""
SETTINGS = """<settings><profiles><profile><id>here</id>
  <repositories><repository><id>here</id><url>{address}</url></repository></repositories>
</profile></profiles><activeProfiles><activeProfile>here</activeProfile></activeProfiles></settings>
"""


class Rehearsal:
    def __init__(self, folder: Path, parts: list[str], **more: str) -> None:
        self.folder, self.home, self.clone = folder, folder / "home", folder / "clone"
        self.parts = parts
        self.release = folder / "release"
        self.home.mkdir()
        user = Path.home()
        self.environment = {
            **{name: os.environ[name] for name in KEPT if name in os.environ},
            **{name: value for name, value in os.environ.items() if name.startswith("CARGO_PROFILE_")},
            "HOME": str(self.home),
            # Java does not look at HOME.
            "MAVEN_OPTS": f"-Duser.home={self.home}",
            "LANG": "C.UTF-8",
            "RUSTUP_HOME": os.environ.get("RUSTUP_HOME", str(user / ".rustup")),
            "PYENV_ROOT": os.environ.get("PYENV_ROOT", str(user / ".pyenv")),
            **more,
        }

    def run(self, *words: str | Path, cwd: Path | None = None, **env: str) -> None:
        begin = time.monotonic()
        environment = self.environment | env
        program = shutil.which(words[0], path=environment["PATH"]) or words[0]
        print(f"rehearse: {' '.join(map(str, words))}", flush=True)
        subprocess.run([program, *words[1:]], cwd=cwd or self.clone, env=environment, check=True)
        print(f"rehearse: {time.monotonic() - begin:.0f} s", flush=True)

    def has(self, *kinds: str) -> bool:
        return not self.parts or any(kind in self.parts for kind in kinds)

    def package(self, *targets: str) -> Path:
        self.run("git", "clone", "--quiet", ROOT, self.clone, cwd=self.folder)
        self.run("make", *targets, f"PARTS={' '.join(self.parts)}")
        return self.clone / "out/package"

    def build(self) -> None:
        shutil.copytree(self.package("package", "test-packages"), self.release)
        if self.has("maven"):
            key = ("--passphrase", "", "--quick-generate-key", "rehearsal@example.org", "ed25519")
            self.run("gpg", "--batch", "--quiet", *key)
            self.run(".ci/bundle.py", "sign", self.release / "maven")
            self.run(".ci/bundle.py", "check", self.release / "maven")
            self.run("gpgconf", "--kill", "all")

    def publish(self, servers: ExitStack) -> dict[str, str]:
        """Publishes all, and returns the environment in which users find it."""
        users: dict[str, str] = {}
        for kind in filter(self.has, KINDS):
            users |= getattr(self, kind)(servers)
        return users

    def twice(self, *words: str | Path, **env: str) -> None:
        """The second time, all of it is there already."""
        for _ in range(2):
            self.run(".ci/publish.py", *words, **env)

    def crates(self, servers: ExitStack) -> dict[str, str]:
        server = servers.enter_context(registries.serving(registries.Crates, self.home / ".cargo"))
        for name, more in (("publisher", '[registry]\ndefault = "here"\n'), ("user", "")):
            (self.folder / name).mkdir()
            text = CARGO.format(address=f"http://127.0.0.1:{server.server_port}") + more
            (self.folder / name / "config.toml").write_text(text)
        self.twice("crates", self.release, CARGO_HOME=str(self.folder / "publisher"))
        return {"CARGO_HOME": str(self.folder / "user")}

    def python(self, servers: ExitStack) -> dict[str, str]:
        programs, files = self.folder / "index/bin", self.folder / "files"
        files.mkdir()
        self.run("python3", "-m", "venv", programs.parent)
        self.run(programs / "python", "-m", "pip", "install", "--quiet", PYPISERVER)
        words = (programs / "pypi-server", "run", "-i", "127.0.0.1", "-P", ".", "-a", ".")
        address = servers.enter_context(
            self.serving(*words, "--hash-algo", "sha256", "--disable-fallback", "-p", "{port}", files)
        )
        index = f"{address}/simple/"
        login = {"UV_PUBLISH_USERNAME": "a", "UV_PUBLISH_PASSWORD": "a"}
        self.twice("python", self.release, UV_PUBLISH_URL=address, UV_PUBLISH_CHECK_URL=index, **login)
        return {"PIP_INDEX_URL": index}

    def npm(self, servers: ExitStack) -> dict[str, str]:
        outside = subprocess.check_output(
            ["npm", "config", "get", "registry"], env=self.environment, text=True
        )
        folder = self.folder / "verdaccio"
        folder.mkdir()
        (folder / "package.json").write_text(json.dumps(VERDACCIO))
        (folder / "settings.yaml").write_text(VERDACCIO_SETTINGS.format(outside=outside.strip()))
        self.run("npm", "install", "--silent", "--ignore-scripts", cwd=folder)
        program = folder / "node_modules/.bin/verdaccio"
        address = servers.enter_context(
            self.serving(program, "--config", folder / "settings.yaml", "--listen", "127.0.0.1:{port}")
        )
        (self.home / ".npmrc").write_text(f"{address.removeprefix('http:')}/:_authToken=t\n")
        users = {"NPM_CONFIG_REGISTRY": address}
        self.twice("npm", self.release, **users)
        return users

    def maven(self, servers: ExitStack) -> dict[str, str]:
        central = self.folder / "central"
        central.mkdir()
        server = servers.enter_context(registries.serving(registries.Portal, central))
        (self.home / ".m2").mkdir(exist_ok=True)
        (self.home / ".m2/settings.xml").write_text(SETTINGS.format(address=central.as_uri()))
        portal = {
            "CENTRAL_URL": f"http://127.0.0.1:{server.server_port}",
            **{"CENTRAL_USERNAME": "a", "CENTRAL_PASSWORD": "a", "CENTRAL_SECONDS": "0"},
        }
        self.run(".ci/publish.py", "upload", self.release, **portal)
        self.twice("maven", self.release, "number-7", **portal)
        self.run(".ci/publish.py", "upload", self.release, **portal)
        if len([path for path, *_ in server.calls if "/upload" in path]) != 1:
            raise RuntimeError("the bundle was sent twice.")
        return {}

    @contextmanager
    def serving(self, *words: str | Path) -> Iterator[str]:
        """Runs a registry as a program, and returns its address when it answers."""
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        command = [str(word).format(port=port) for word in words]
        with (self.folder / f"{Path(command[0]).name}.log").open("w") as log:
            process = subprocess.Popen(command, env=self.environment, stdout=log, stderr=log)
        try:
            for _ in range(600):
                with socket.socket() as client:
                    if not client.connect_ex(("127.0.0.1", port)):
                        break
                time.sleep(0.1)
            yield f"http://127.0.0.1:{port}"
        finally:
            process.terminate()
            process.wait()


def main() -> int:
    begin = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="packord-rehearsal-") as folder, ExitStack() as servers:
        rehearsal = Rehearsal(Path(folder), sys.argv[1:])
        try:
            rehearsal.build()
            users = rehearsal.publish(servers)
            if kinds := [kind for kind in KINDS if rehearsal.has(kind)]:
                rehearsal.run(".ci/test-packages.py", *kinds, PACKORD_PUBLISHED="1", **users)
        except (subprocess.CalledProcessError, RuntimeError) as error:
            print(f"rehearse: {error}", file=sys.stderr)
            return 1
    print(f"rehearse: passed in {time.monotonic() - begin:.0f} s")
    return 0


if __name__ == "__main__":
    sys.exit(main())
