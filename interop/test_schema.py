"""The code of `packord schema` compiles in its language, and reads the data it was inferred from.

Each program below prints the same lines about the users. Rust has its own test, which compiles the
code: rust/packord-cli/tests/all/schema.rs.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest

from .programs import HERE, ROOT, command

TOOL = ROOT / "rust/target/debug/packord"
USERS = ROOT / "rust/packord-cli/tests/schema/users.ndjson"

TYPESCRIPT = """
import type { User } from './user.js';
export function show(user: User): string {
  const offices: number = user.offices === undefined ? 0 : user.offices.length;
  const role: 'admin' | 'editor' | 'guest' = user.role;
  const boss: number | null = user.boss;
  const day: string = user.seen.toISOString().slice(0, 10);
  const place = [user.home.city, user.map.x];
  return [user.type, role, ...place, offices, boss ?? '-', day, user.photo.length].join(' ');
}
"""
JAVASCRIPT = """
import { readFileSync } from 'node:fs';
import { unpackMultiple } from 'packord';
import { show } from './show.js';
for (const user of unpackMultiple(readFileSync('users.msgpack'))) console.log(show(user));
"""
PYTHON = """
import packord
from user import User

with open("users.msgpack", "rb") as file:
    for user in packord.Unpacker(file, type=User):
        offices = len(user.offices or [])
        boss = "-" if user.boss is None else user.boss
        print(user.type, user.role, user.home.city, user.map.x, offices, boss, end=" ")
        print(user.seen.date(), len(user.photo))
"""
JAVA = """
import java.io.BufferedInputStream;
import java.io.FileInputStream;
import packord.Unpacker;

public final class Show {
  public static void main(String[] arguments) throws Exception {
    try (var in = new BufferedInputStream(new FileInputStream("users.msgpack"))) {
      for (in.mark(1); in.read() >= 0; in.mark(1)) {
        in.reset();
        User user = Unpacker.standard().unpack(in, User.class);
        int offices = user.offices() == null ? 0 : user.offices().size();
        String boss = user.boss() == null ? "-" : Long.toString(user.boss());
        String day = user.seen().toString().substring(0, 10);
        System.out.println(
            user.type() + " " + user.role() + " " + user.home().city()
                + " " + user.map().x() + " " + offices + " " + boss + " " + day
                + " " + user.photo().length);
      }
    }
  }
}
"""
CLOJURE = """
(require '[packord.core :refer [unpack-stream]]
         '[clojure.spec.alpha :as s] '[clojure.java.io :as io])
(load-file "user.clj")
(doseq [user (unpack-stream (io/file "users.msgpack") {:key-fn keyword})]
  (when-not (s/valid? :user/user user)
    (s/explain :user/user user))
  (doseq [wrong [(dissoc user :id) (assoc user :id "1")
                 (assoc user :role "owner") (assoc-in user [:home :city] 5)]]
    (assert (not (s/valid? :user/user wrong))))
  (println (:type user) (:role user) (:city (:home user)) (:x (:map user))
           (count (:offices user)) (or (:boss user) "-")
           (subs (str (java.time.Instant/ofEpochMilli (inst-ms (:seen user)))) 0 10)
           (count (:photo user))))
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the users in MessagePack."""
    subprocess.run([TOOL, "pack", USERS, "-o", tmp_path / "users.msgpack"], check=True)
    return tmp_path


def generate(folder: Path, to: str, file: str) -> None:
    arguments = [
        "schema",
        "--to",
        to,
        "--name",
        "User",
        "-o",
        folder / file,
        folder / "users.msgpack",
    ]
    subprocess.run([TOOL, *arguments], check=True)


def run(folder: Path, *words: str | Path) -> str:
    done = subprocess.run(
        words, cwd=folder, capture_output=True, text=True, env={**os.environ, "NO_COLOR": "1"}
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def expected() -> str:
    """The lines that each program prints."""
    lines = []
    for line in USERS.read_text(encoding="utf-8").splitlines():
        user = json.loads(line)
        offices, boss = len(user.get("offices", [])), user["boss"]
        day = user["seen"]["$timestamp"][:10]
        lines.append(
            f"{user['type']} {user['role']} {user['home']['city']} {user['map']['x']} {offices} "
            f"{'-' if boss is None else boss} {day} 2\n"
        )
    return "".join(lines)


def test_interfaces_of_typescript(folder: Path) -> None:
    generate(folder, "typescript", "user.ts")
    (folder / "show.ts").write_text(TYPESCRIPT, encoding="utf-8")
    (folder / "main.mjs").write_text(JAVASCRIPT, encoding="utf-8")
    (folder / "package.json").write_text('{"type": "module"}', encoding="utf-8")
    (folder / "node_modules").mkdir()
    (folder / "node_modules/packord").symlink_to(ROOT / "js")
    options = ["--strict", "--target", "es2022", "--module", "nodenext", "--types", ""]
    run(folder, ROOT / "js/node_modules/.bin/tsc", *options, "show.ts")
    assert run(folder, "node", "main.mjs") == expected()


def test_dataclasses_of_python(folder: Path) -> None:
    generate(folder, "python", "user.py")
    (folder / "show.py").write_text(PYTHON, encoding="utf-8")
    assert run(folder, command("python")[0], "show.py") == expected()


def test_records_of_java(folder: Path) -> None:
    generate(folder, "java", "User.java")
    (folder / "Show.java").write_text(JAVA, encoding="utf-8")
    path = (HERE / "clojure/target/classpath").read_text(encoding="utf-8")
    run(
        folder,
        shutil.which("javac") or "javac",
        "-Xlint:all",
        "-Werror",
        "-cp",
        path,
        "User.java",
        "Show.java",
    )
    assert (
        run(folder, shutil.which("java") or "java", "-cp", f"{path}{os.pathsep}.", "Show")
        == expected()
    )


def test_specs_of_clojure(folder: Path) -> None:
    generate(folder, "clojure", "user.clj")
    (folder / "show.clj").write_text(CLOJURE, encoding="utf-8")
    *java, _, _ = command("clojure")
    assert run(folder, *java, "show.clj") == expected()
