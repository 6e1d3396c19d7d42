"""What the documents refer to exists: files, headings, make targets and commands."""

import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
LISTED = subprocess.run(
    ["git", "ls-files", "*.md"], cwd=ROOT, capture_output=True, text=True, check=True
)
# What a package links to is read where it stands, its links lead from there.
DOCUMENTS = [
    path
    for name in LISTED.stdout.splitlines()
    if not (path := ROOT / name).is_symlink()
]
HOST = "https://github.com/packord/packord/blob/main/"
SITE = "https://packord.github.io/packord/"
# The pages that the site alone has, by their names below docs/, and those that it makes of docstrings.
MADE = {
    f"docs/{file.name}": file
    for folder in ("bench/pages", "site/generated")
    for file in (ROOT / folder).glob("*.md")
}
FROM_DOCSTRINGS = ("clojure-api.md", "clojurescript-api.md")
CODE = re.compile(r"^( *)```.*?^\1```|`[^`\n]*`", re.MULTILINE | re.DOTALL)
LINK = re.compile(r"(?<!!)\[[^\]]*\]\(([^)\s]+)\)")


def slug(heading: str) -> str:
    """Returns the address of a heading, as GitHub makes it."""
    return re.sub(r"[^\w\- ]", "", heading.strip().lower()).replace(" ", "-")


def headings(document: Path) -> set[str]:
    text = re.sub(
        r"^```.*?^```",
        "",
        document.read_text(encoding="utf-8"),
        flags=re.MULTILINE | re.DOTALL,
    )
    return {slug(heading) for heading in re.findall(r"^#+ (.*)$", text, re.MULTILINE)}


@pytest.mark.parametrize(
    "document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT))
)
def test_links_lead_to_files_and_headings_that_exist(document: Path) -> None:
    broken = []
    # The pages of the site are at its root, like the documents of the repository. Its API references are built.
    is_page = document.is_relative_to(ROOT / "site" / "pages")
    for target in LINK.findall(CODE.sub("", document.read_text(encoding="utf-8"))):
        # A package is shown without the files around it, so it links to the repository.
        own = target.startswith((HOST, SITE))
        path, _, heading = target.removeprefix(HOST).partition("#")
        if path.startswith(SITE):
            path = path.removeprefix(SITE).replace(".html", ".md")
        if "://" in path or (is_page and path.startswith(("api/", *FROM_DOCSTRINGS))):
            continue
        folder = ROOT if is_page or own else document.parent
        if document in MADE.values():
            folder = ROOT / "docs"
        file = (folder / path).resolve() if path else document
        if file.is_relative_to(ROOT):
            file = MADE.get(file.relative_to(ROOT).as_posix(), file)
        if is_page and not file.exists():
            file = document.parent / path
        if not file.exists() or (heading and heading not in headings(file)):
            broken.append(target)
    assert broken == []


def test_make_targets_in_documents_exist() -> None:
    targets = set(
        re.findall(
            r"^([a-z-]+):",
            (ROOT / "Makefile").read_text(encoding="utf-8"),
            re.MULTILINE,
        )
    )
    named = {
        (document.name, target)
        for document in DOCUMENTS
        for target in re.findall(
            r"(?:`|^)make ([a-z-]+)", document.read_text(encoding="utf-8"), re.MULTILINE
        )
    }
    assert len(named) > 20
    assert {(name, target) for name, target in named if target not in targets} == set()


def test_commands_of_the_tool_in_documents_exist() -> None:
    """In backticks, and in blocks of shell; with their options."""
    helps = (ROOT / "rust/packord-cli/tests/golden/help.md").read_text(encoding="utf-8")
    sections = re.split(r"^\$ packord (.+) --help$", helps, flags=re.MULTILINE)
    options = {
        command: set(re.findall(r"--[a-z-]+", text))
        for command, text in zip(sections[1::2], sections[2::2], strict=True)
    }
    # Not a command: a column of the tables of speed.
    commands = {*options, "help", "codec"}
    named = set()
    unknown = set()
    for document in DOCUMENTS:
        text = document.read_text(encoding="utf-8")
        blocks = re.findall(
            r"^```(?:sh|console)\n(.*?)^```", text, re.MULTILINE | re.DOTALL
        )
        lines = [line for block in blocks for line in block.splitlines()]
        for words in [*re.findall(r"`([^`\n]+)`", text), *lines]:
            if found := re.match(
                r"(?:\$ )?packord (container [a-z]+|[a-z]+)(?= |$)", words
            ):
                named.add((document.name, found[1]))
                own = re.split(r"[|>&]|--where", words)[0]
                unknown |= {
                    (document.name, words)
                    for option in re.findall(r"(?<= )--[a-z-]+", own)
                    if option not in options.get(found[1], {option})
                }
    assert len(named) > 20
    assert {
        (name, command) for name, command in named if command not in commands
    } == set()
    assert unknown == set()


# What registries show of the packages.
SHOWN = [
    ROOT / name
    for name in (
        *("rust/packord/README.md", "rust/packord-derive/README.md"),
        *("rust/packord-cli/README.md", "python/README.md", "js/README.md"),
    )
]


@pytest.mark.parametrize("page", SHOWN, ids=lambda path: str(path.relative_to(ROOT)))
def test_registries_show_pages_for_users(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    first = re.search(r"^```(\w+)\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert first is None or re.match(r"(cargo|pip|npm) ", first[2]), first
    links = LINK.findall(CODE.sub("", text))
    assert [link for link in links if not re.match(r"https://|#", link)] == []
    assert re.findall(r"`make [a-z-]+|`spec/`", text) == []


def test_the_package_of_python_names_what_installs_its_tour() -> None:
    readme = (ROOT / "python/README.md").read_text(encoding="utf-8")
    manifest = (ROOT / "python/pyproject.toml").read_text(encoding="utf-8")
    section = manifest.split("[project.optional-dependencies]\n")[1].split("\n[")[0]
    extras = set(re.findall(r"^(\w+) = ", section, re.MULTILINE))
    named = {
        extra
        for found in re.findall(r"packord\[([\w,]+)\]", readme)
        for extra in found.split(",")
    }
    assert extras == {"arrow", "duckdb", "numpy", "polars"}
    # The tour needs these; the others are in the sentence.
    assert named == {"duckdb", "polars"}
    assert "the\nother extras are `arrow` and `numpy`" in readme
    assert "free-threaded CPython" in readme
    assert set(re.findall(r"^## (\w+)$", readme, re.MULTILINE)).isdisjoint(
        {"Wheels", "Development"}
    )


def test_what_cannot_be_tried_says_so_or_is_not_there() -> None:
    files = subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True)
    assert "native-image" not in files
    tool = (ROOT / "rust/packord-cli/src/lib.rs").read_text(encoding="utf-8")
    assert "As a library it promises nothing" in tool.split("#![")[0]
    security = (ROOT / "SECURITY.md").read_text(encoding="utf-8")
    assert "Maven Central takes a token and a signing key instead" in security


def test_examples_of_the_crate_compile_as_they_are() -> None:
    """They are tests of the crate, without the lines that rustdoc hides and without what it adds."""
    text = (ROOT / "rust/packord/README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```rust\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    assert len(blocks) > 10
    for block in blocks:
        assert re.search(r"^(async )?fn main\(", block, re.MULTILINE), block


def test_no_page_shows_lines_that_only_rustdoc_hides() -> None:
    for document in DOCUMENTS:
        # Only rustdoc shows what is in the source.
        if document.is_relative_to(ROOT / "rust/packord/src"):
            continue
        text = document.read_text(encoding="utf-8")
        blocks = re.findall(r"^```rust\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
        assert not [block for block in blocks if re.search(r"^# ", block, re.MULTILINE)]


def words(folder: str) -> int:
    files = [path for path in DOCUMENTS if path.parent == ROOT / folder]
    return sum(len(path.read_text(encoding="utf-8").split()) for path in files)


def test_what_is_read_first_is_short() -> None:
    """Whoever meets the project decides in half a minute, and whoever takes it over reads for an hour."""
    text = {
        name: (ROOT / f"{name}.md").read_text(encoding="utf-8")
        for name in ("README", "CHANGELOG", "CONTRIBUTING")
    }
    assert text["README"].count("\n") <= 110
    assert len(text["CONTRIBUTING"].encode()) <= 5000
    newest = text["CHANGELOG"].split("\n## ")[1]
    assert newest.count("\n") <= 30
    assert words("docs") <= 22_000
    assert words("spec") <= 18_000


def test_the_list_of_targets_begins_with_a_dozen() -> None:
    listed = subprocess.check_output(
        ["make", "--no-print-directory", "help"], cwd=ROOT, text=True
    )
    for_everyone, others = listed.split("\nfor maintainers:\n")
    assert 10 <= for_everyone.count("\n") <= 12
    assert others.count("\n") > 30


def test_few_files_are_links() -> None:
    listed = subprocess.check_output(
        ["git", "ls-files", "--stage"], cwd=ROOT, text=True
    )
    assert sum(line.startswith("120000") for line in listed.splitlines()) <= 20
