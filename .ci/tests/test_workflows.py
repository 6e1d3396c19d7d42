"""The workflows call what exists, and publish only after everything has been built, tested and checked."""

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
WORKFLOWS = {
    path.stem: path.read_text("utf-8")
    for path in (ROOT / ".github/workflows").glob("*.yml")
}


def jobs(workflow: str) -> dict[str, str]:
    """The text of each job."""
    parts = re.split(
        r"^  ([a-z-]+):\n",
        WORKFLOWS[workflow].split("\njobs:\n")[1],
        flags=re.MULTILINE,
    )
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def needs(name: str) -> set[str]:
    """The jobs of the release before another one, near or far."""
    found = re.search(r"^    needs: \[?([\w, -]+)", jobs("release")[name], re.MULTILINE)
    near = set(re.split(r",\s*", found[1])) if found else set()
    return near.union(*map(needs, near))


@pytest.mark.parametrize("name", WORKFLOWS)
def test_scripts_exist(name: str) -> None:
    for script in re.findall(r"\.ci/([\w-]+(?:\.\w+)?)", WORKFLOWS[name]):
        assert (ROOT / ".ci" / script).is_file(), script


def test_publishing_needs_every_other_job() -> None:
    publishing = {
        name
        for name, text in jobs("release").items()
        if re.search(r"\.ci/publish.py (?!upload)", text)
    }
    assert publishing == {"crates", "python", "npm", "maven", "github"}
    for name in publishing:
        assert needs(name) >= set(jobs("release")) - publishing


def test_wheels_of_every_machine_are_tested() -> None:
    def runners(name: str) -> set[str]:
        return set(
            re.findall(
                r"(?:ubuntu|macos|windows)-[\w.-]+",
                jobs("release")[name].split("steps:")[0],
            )
        )

    made = runners("wheels-linux") | runners("wheels-other")
    assert len(made) == 5
    assert runners("test-wheels") == made
    assert runners("test-wheels-musl") == runners("wheels-linux")


def test_actions_are_pinned_by_commit() -> None:
    used = [
        use for text in WORKFLOWS.values() for use in re.findall(r"uses: (\S+)", text)
    ]
    assert len(used) > 15
    assert [
        use
        for use in used
        if not re.search(r"@[0-9a-f]{40}$", use) and not use.startswith("./")
    ] == []


def test_text_has_the_same_ends_of_lines_on_windows(tmp_path: Path) -> None:
    """A checkout there, with the setting of the runners."""
    git = (
        "git",
        "-c",
        "core.autocrlf=true",
        "-c",
        "user.name=a",
        "-c",
        "user.email=a@example.com",
    )
    files = (
        ".gitattributes",
        ".ci/package.py",
        "LICENSE-MIT",
        "rust/packord-cli/tests/golden/help.md",
        "spec/format.md",
    )
    for name in files:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes((ROOT / name).read_bytes())
    for words in (("init", "--quiet"), ("add", "--all"), ("commit", "--quiet", "--message", "a"), ("rm", "-rq", "."),
                  ("reset", "--quiet", "--hard")):  # fmt: skip
        subprocess.run([*git, *words], cwd=tmp_path, check=True, capture_output=True)
    assert {
        name: b"\r" in (tmp_path / name).read_bytes() for name in files
    } == dict.fromkeys(files, False)


def test_each_target_is_installed_that_is_tested() -> None:
    makefile = (ROOT / "Makefile").read_text("utf-8")
    begin = makefile.index("test-targets:")
    recipe = makefile[begin : makefile.index("\n\n", begin)]
    tested = set(re.findall(r"--target (\S+)", recipe)) - {"$(WINDOWS)"}
    tested.add(re.search(r"^WINDOWS = (\S+)", makefile, re.MULTILINE)[1])
    installed = re.search(r"rustup target add ([\w\s-]+)", jobs("test")["targets"])[1]
    assert len(tested) == 5
    assert tested == set(installed.split()) - {"-", "run"}
    for program in ("qemu-user", "wine", "gcc-mingw-w64-x86-64", "miri"):
        assert program in jobs("test")["targets"]


def test_programs_of_virtual_environments_are_found_on_windows() -> None:
    done = subprocess.run(
        ["make", "--dry-run", "--always-make", "test-python"],
        env={**os.environ, "OS": "Windows_NT"},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert ".venv/Scripts/pytest" in done.stdout
    assert ".venv/bin" not in done.stdout


def test_root_finds_the_toolchains_of_the_user() -> None:
    commands = re.findall(r"sudo .*\.ci/run", jobs("test")["linux"])
    assert [command for command in commands if 'HOME="$HOME"' in command] == commands
    assert len(commands) == 1


def test_a_first_release_logs_in_with_tokens() -> None:
    """The registry of Rust and npm know no trusted publisher of a package that does not exist."""
    for job, token in (("crates", "CRATES_TOKEN"), ("npm", "NPM_TOKEN")):
        text = jobs("release")[job]
        assert f"TOKEN: ${{{{ secrets.{token} }}}}" in text
        assert re.search(rf"name: log in .*{token}\n +if: env.TOKEN [!=]= ''", text)
        assert "id-token: write" in text
        assert token in WORKFLOWS["release"].split("\nname:")[0]
    assert "TOKEN" not in jobs("release")["python"]


def test_a_release_is_a_list_of_a_page() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text("utf-8")
    section = text.split("\n## A release\n")[1].split("\n## ")[0].strip()
    assert section.count("\n") < 25
    steps = (
        ".ci/check-version.py",
        "make release-notes",
        "make rehearse",
        "PACKORD_PUBLISHED=1",
    )
    assert [step for step in steps if step not in section] == []
