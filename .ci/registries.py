"""Stand-ins for what a release is published in, for `.ci/rehearse.py` and the tests of `.ci/publish.py`."""

import hashlib
import http.server
import io
import json
import struct
import threading
import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Server(http.server.BaseHTTPRequestHandler):
    def answer(self, body: bytes | str | None) -> None:
        self.send_response(404 if body is None else self.server.code)
        self.end_headers()
        self.wfile.write(body.encode() if isinstance(body, str) else body or b"")

    def sent(self) -> bytes:
        return self.rfile.read(int(self.headers["Content-Length"] or 0))

    def log_message(self, *_: object) -> None:
        pass


class Portal(Server):
    """The part of the API of Central's portal that is used. A bundle has each of the `states` once, and is
    unpacked into `folder`, a Maven repository, when it is published."""

    def do_POST(self) -> None:
        server, body = self.server, self.sent()
        server.calls.append((self.path, self.headers["Authorization"], body))
        path = self.path.removeprefix("/api/v1/publisher/").split("?")[0]
        if path == "upload":
            server.bundle = body.split(b"\r\n\r\n", 1)[1].rsplit(b"\r\n--", 1)[0]
            self.answer("number-7")
        elif path == "status":
            state = server.states.pop(0) if len(server.states) > 1 else server.states[0]
            errors = {"packord": ["no signature"]}
            self.answer(json.dumps({"deploymentState": state, "errors": errors}))
        else:
            server.states = ["PUBLISHING", "PUBLISHED"]
            if server.folder:
                zipfile.ZipFile(io.BytesIO(server.bundle)).extractall(server.folder)
            self.answer("")


class Crates(Server):
    """A registry of cargo: what is published in it, and the crates that `folder`, the home of cargo, has."""

    def do_GET(self) -> None:
        path = self.path.strip("/").split("/")
        if path == ["index", "config.json"]:
            base = f"http://127.0.0.1:{self.server.server_port}"
            self.answer(json.dumps({"dl": f"{base}/dl", "api": base}))
        elif path[0] == "index":
            self.answer("\n".join(self.lines("/".join(path[1:]))) or None)
        else:
            _, name, version, _ = path
            self.answer(
                self.server.published.get((name, version), (None, None))[1]
                or self.cached(name, version)
            )

    def lines(self, path: str) -> Iterator[str]:
        name = path.split("/")[-1]
        for (crate, _), (line, _) in self.server.published.items():
            if crate == name:
                yield line
        for file in self.server.folder.glob(f"registry/index/*/.cache/{path}"):
            # Cargo keeps the lines of the index between zeros.
            for part in file.read_bytes().split(b"\0"):
                if (
                    part.startswith(b"{")
                    and self.cached(name, json.loads(part)["vers"]) is not None
                ):
                    yield part.decode()

    def cached(self, name: str, version: str) -> bytes | None:
        files = self.server.folder.glob(f"registry/cache/*/{name}-{version}.crate")
        return next((file.read_bytes() for file in files), None)

    def do_PUT(self) -> None:
        body = self.sent()
        (length,) = struct.unpack("<I", body[:4])
        told, crate = json.loads(body[4 : 4 + length]), body[8 + length :]
        needs = [
            {
                **{
                    field: each[field]
                    for field in ("features", "optional", "default_features")
                },
                **{field: each[field] for field in ("target", "kind", "registry")},
                "name": each.get("explicit_name_in_toml") or each["name"],
                "package": each["name"],
                "req": each["version_req"],
            }
            for each in told["deps"]
        ]
        line = {
            **{field: told[field] for field in ("name", "features", "links")},
            "vers": told["vers"],
            "deps": needs,
            "cksum": hashlib.sha256(crate).hexdigest(),
            "yanked": False,
            "rust_version": told.get("rust_version"),
            "v": 2,
        }
        self.server.published[told["name"], told["vers"]] = json.dumps(line), crate
        self.answer('{"warnings": {}}')


@contextmanager
def serving(
    kind: type[Server], folder: Path | str | None = None
) -> Iterator[http.server.HTTPServer]:
    server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), kind)
    server.folder, server.code, server.published = folder, 200, {}
    server.calls, server.states = [], ["PENDING", "VALIDATING", "VALIDATED"]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server
    finally:
        server.shutdown()
        thread.join()
        server.server_close()
