"""Builds the site into out/site/html: the project's own pages with their links, the playground and, with --api, the API
references of each language. Every link between pages is checked; a broken one fails the build.

The pages are those of the repository, in its folders, so that a link works on the site as in a checkout. What is not a
page becomes a link to the repository's host.
"""

import argparse
import fnmatch
import gzip
import os
import posixpath
import re
import shutil
import subprocess
import sys
import textwrap
from pathlib import Path

import docstrings

SITE = Path(__file__).resolve().parent
ROOT = SITE.parent
OUT = ROOT / "out" / "site"
SOURCE = OUT / "source"
HTML = OUT / "html"
HOST = "https://github.com/packord/packord"
# The address of the site, with which files outside of it name the pages that it alone has.
ADDRESS = "https://packord.github.io/packord/"
# Pages that programs make: of the results of all languages, and of the tests of one language. They are below docs/.
FIGURES = ROOT / "out" / "figures"
GENERATED = SITE / "generated"
# Pages of the repository: the folders that have them, and which files are left out.
PAGES = [
    "*.md",
    "docs/*.md",
    "spec/*.md",
    "spec/vectors/README.md",
    "interop/README.md",
    "js/README.md",
    "jvm/**/README.md",
]
PAGES += ["python/README.md", "rust/packord/README.md", "rust/packord-cli/README.md", "rust/packord-derive/README.md"]
LEFT_OUT = {"README.md"}
# A span of code, which is passed over, or a link of Markdown: ](target) or ](target "title").
LINK = re.compile(r"(`+)[^`](?:.*?[^`])?\1(?!`)|(\]\()([^)\s]+)((?:\s+\"[^\"]*\")?\))")
# The modules of Python that have a reference: those that can be imported with the packages of the tests.
PYTHON_MODULES = [
    "packord",
    "packord.container",
    "packord.compat.msgpack",
    "packord.compat.msgspec",
    "packord.compat.ormsgpack",
    "packord.engines.duckdb",
    "packord.engines.polars",
    *(f"packord.integrations.{name}" for name in ("kafka", "kombu", "redis", "starlette", "tables")),
]
# The artifacts whose classes a program calls, by their folders.
JAVA_MODULES = {"core": "packord", **{name: f"packord-{name}" for name in ("container", "jackson", "kafka")}}
# The way from a page of a reference to the site. Each tool lays its pages out in its own way, so it is above them.
BACK = (
    '<a href="{}" style="position:fixed;right:1rem;bottom:1rem;z-index:99;padding:.3rem .7rem;border-radius:4px;'
    'background:#14503a;color:#fff;font:14px system-ui,sans-serif;text-decoration:none">All packord references</a>'
)
# The section of the README's programs, which are on the front page, and the tab of each.
SECTION = re.compile(r"^## A round trip.*?(?=^## )", re.MULTILINE | re.DOTALL)
PROGRAM = re.compile(r"^```(\w+)\n.*?^```$", re.MULTILINE | re.DOTALL)
TABS = {"rust": "Rust", "python": "Python", "js": "JavaScript", "clojure": "Clojure"}
# What a page weighs in the search: pages that explain come before those that list and record.
WEIGHTS = [
    ("spec/limits.md", 8),
    ("docs/start.md", 6),
    ("docs/faq.md", 2),
    ("js/README.md", 2),
    ("rust/packord/README.md", 0.4),
    ("spec/vectors/README.md", 0.3),
    ("interop/README.md", 0.3),
    ("docs/*-options.md", 0.3),
    ("docs/*-features.md", 0.3),
    ("docs/*-peers.md", 0.3),
    ("docs/columns-sizes.md", 0.3),
    ("docs/survey.md", 0.2),
    ("docs/evidence.md", 0.2),
    ("clojure*-api.md", 0.2),
    ("CHANGELOG.md", 0.2),
    ("CONTRIBUTING.md", 0.2),
]
# What the tool prints, which its tests compare.
HELP = ROOT / "rust/packord-cli/tests/golden/help.md"
FENCE = re.compile(r"^\s*(```|~~~)")


def pages() -> dict[str, Path]:
    """The pages of the site: from their path on it to their file."""
    found: dict[str, Path] = {}
    for pattern in PAGES:
        for file in sorted(ROOT.glob(pattern)):
            name = file.relative_to(ROOT).as_posix()
            if name not in LEFT_OUT and not any(part in ("node_modules", "target") for part in file.parts):
                found[name] = file
    for file in sorted((SITE / "pages").glob("*.md")):
        found[file.name] = file
    found |= dict.fromkeys(docstrings.PAGES, SITE / "docstrings.py")
    for file in sorted([*FIGURES.glob("*.md"), *GENERATED.glob("*.md")]):
        found[f"docs/{file.name}"] = file
    return found


def on_the_site(target: str, page: str, known: dict[str, Path]) -> str:
    """The link for a target of a page."""
    own = re.match(re.escape(HOST) + r"/(?:blob|tree)/main/?([^#]*)(#.*)?$", target)
    if own:
        path, anchor = own[1], own[2] or ""
    elif target.startswith(ADDRESS):
        path, _, anchor = target.removeprefix(ADDRESS).partition("#")
        path = re.sub(r"\.html$", ".md", re.sub(r"(^|/)index\.html$", r"\1README.md", path))
        anchor = anchor and f"#{anchor}"
        if path not in known:
            raise SystemExit(f"{page}: {target} leads nowhere")
    elif re.match(r"[a-z]+:|#", target):
        return target
    else:
        path, _, anchor = target.partition("#")
        path = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        anchor = anchor and f"#{anchor}"
    path = path.rstrip("/") or "README.md"
    # The front page of the repository is the first page here.
    candidates = [path, f"{path}/README.md"] if path != "README.md" else ["index.md"]
    for candidate in candidates:
        if candidate in known:
            return posixpath.relpath(candidate, posixpath.dirname(page) or ".") + (
                "" if candidate == "index.md" else anchor
            )
    if not (ROOT / path).exists() and page not in ("index.md", "api.md"):
        raise SystemExit(f"{page}: {target} leads nowhere")
    if (ROOT / path).suffix in (".svg", ".png") and not own:
        (SOURCE / path).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / path, SOURCE / path)
        return posixpath.relpath(path, posixpath.dirname(page) or ".")
    if page == "api.md":
        return target
    kind = "tree" if (ROOT / path).is_dir() else "blob"
    return f"{HOST}/{kind}/main/{path}{anchor}"


def front(text: str) -> str:
    """The front page: the parts of the README in their places."""
    readme = (ROOT / "README.md").read_text()
    title, sentence, *figures = readme.split("\n## ")[0].strip().split("\n\n")
    section = SECTION.search(readme)
    if section is None:
        raise SystemExit("README.md has no section with the programs")

    def tab(block: re.Match[str]) -> str:
        name = TABS.get(block[1])
        return f'=== "{name}"\n\n{textwrap.indent(block[0], "    ")}' if name else block[0]

    parts = {
        "sentence": f"{title}\n\n{sentence}",
        "figures": "\n\n".join(figures),
        "programs": PROGRAM.sub(tab, section[0]).strip(),
    }
    return re.sub(r"\{\{ (\w+) \}\}", lambda place: parts[place[1]], text)


def with_help(text: str) -> str:
    """The page of the tool: the questions that its help answers come after the first paragraph."""
    help_text = re.search(r"^\$ packord --help\n(.*?)\n\nOptions:\n", HELP.read_text(), re.MULTILINE | re.DOTALL)
    if help_text is None:
        raise SystemExit(f"{HELP.relative_to(ROOT)} does not begin with the help of packord")
    title, paragraph, rest = text.split("\n\n", 2)
    return f"{title}\n\n{paragraph}\n\n```console\n$ packord --help\n{help_text[1]}\n```\n\n{rest}"


def in_search(name: str, text: str) -> str:
    """The page with its weight in the search."""
    weight = next((weight for pattern, weight in WEIGHTS if fnmatch.fnmatch(name, pattern)), 1)
    return text if text.startswith("---\n") else f"---\nsearch: {{boost: {weight}}}\n---\n\n{text}"


def with_links(text: str, page: str, known: dict[str, Path]) -> str:
    lines = []
    fence = None
    for line in text.splitlines():
        opened = FENCE.match(line)
        if opened and fence in (None, opened[1]):
            fence = None if fence else opened[1]
        elif fence is None:
            line = LINK.sub(
                lambda link: link[0] if link[1] else link[2] + on_the_site(link[3], page, known) + link[4], line
            )
        lines.append(line)
    return "\n".join(lines) + "\n"


def stage() -> None:
    shutil.rmtree(SOURCE, ignore_errors=True)
    known = pages()
    for name, file in known.items():
        target = SOURCE / name
        target.parent.mkdir(parents=True, exist_ok=True)
        text = docstrings.page(ROOT, name) if name in docstrings.PAGES else file.read_text()
        if name == "index.md":
            text = front(text)
        elif name == "rust/packord-cli/README.md":
            text = with_help(text)
        elif name == "rust/packord/README.md":
            # On the registry of crates, `packord` says it.
            text = text.replace("# packord\n", "# packord for Rust\n", 1)
        target.write_text(in_search(name, with_links(text, name, known)))
    for name in ("site.css", "site.js", "mark.svg"):
        shutil.copyfile(SITE / name, SOURCE / name)


def run(*command: str | Path, cwd: Path = SITE, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        [str(part) for part in command],
        cwd=cwd,
        capture_output=True,
        text=True,
        env={**os.environ, **(environment or {})},
    )
    if done.returncode != 0:
        print(done.stdout + done.stderr, file=sys.stderr)
        raise SystemExit(f"failed: {' '.join(map(str, command))}")


def playground(engine: Path | None) -> None:
    folder = SOURCE / "playground"
    bundle = ["npx", "esbuild", "--bundle", "--minify", "--format=esm", "--target=es2022", "--log-level=warning"]
    alias = f"--alias:packord={ROOT / 'js' / 'dist' / 'esm' / 'index.js'}"
    run(*bundle, alias, "playground/main.ts", "playground/worker.ts", "playground/playground.css", f"--outdir={folder}")
    run(*bundle, "playground/offline.ts", f"--outfile={SOURCE / 'playground-offline.js'}")
    if engine is not None:
        # Packed here, since not every server does it.
        (folder / "packord.wasm.gz").write_bytes(gzip.compress(engine.read_bytes(), 9, mtime=0))


def references() -> None:
    """The references of the languages' own tools, below api/."""
    api = HTML / "api"
    run(
        "cargo",
        "doc",
        "--quiet",
        "--all-features",
        "--no-deps",
        "--locked",
        "-p",
        "packord",
        "-p",
        "packord-derive",
        cwd=ROOT / "rust",
    )
    shutil.copytree(ROOT / "rust" / "target" / "doc", api / "rust")
    packages = next((ROOT / "python" / ".venv").glob("[Ll]ib/**/site-packages"))
    pdoc = [sys.executable, "-m", "pdoc", *PYTHON_MODULES, "-o", api / "python"]
    run(*pdoc, cwd=ROOT / "python", environment={"PYTHONPATH": str(packages)})
    run("npx", "typedoc", "--options", SITE / "typedoc.json", "--out", api / "javascript")
    modules = ",".join(f":{artifact}" for artifact in JAVA_MODULES.values())
    run("mvn", "-q", "-P", "release", "compile", "javadoc:javadoc", "-pl", modules, cwd=ROOT / "jvm")
    for folder in JAVA_MODULES:
        found = next((ROOT / "jvm" / folder / "target").glob("**/apidocs"), None)
        if found is None:
            raise SystemExit(f"javadoc wrote no apidocs of {folder}")
        shutil.copytree(found, api / "java" / folder)
    for page in api.rglob("*.html"):
        back = posixpath.relpath("api.html", page.parent.relative_to(HTML).as_posix())
        text = page.read_text(errors="surrogateescape")
        page.write_text(
            re.sub(r"(</body>)(?!.*</body>)", BACK.format(back) + r"\1", text, flags=re.DOTALL),
            errors="surrogateescape",
        )


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--api", action="store_true", help="also build the API references")
    engine = arguments.add_mutually_exclusive_group(required=True)
    engine.add_argument("--engine", type=Path, help="the tool as WebAssembly")
    engine.add_argument("--no-engine", action="store_true", help="the playground says that its engine is missing")
    chosen = arguments.parse_args()
    stage()
    playground(chosen.engine)
    shutil.rmtree(HTML, ignore_errors=True)
    run(sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "-f", SITE / "mkdocs.yml")
    for page in HTML.rglob("*.html"):
        # The corner of a table is not a header.
        page.write_text(re.sub(r"<th([^>]*)></th>", r"<td\1></td>", page.read_text()))
    if chosen.api:
        references()
    made = sum(1 for _ in HTML.rglob("*.html"))
    print(f"{made} pages. Look at them: python3 -m http.server -d {HTML.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
