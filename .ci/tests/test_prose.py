"""The prose check: it finds a phrase in prose wherever prose is, and nothing in code."""

import importlib.machinery
import importlib.util
import re
import sys
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]
loader = importlib.machinery.SourceFileLoader("prose", str(CI / "prose.py"))
spec = importlib.util.spec_from_loader("prose", loader)
prose = importlib.util.module_from_spec(spec)
sys.modules["prose"] = prose
sys.dont_write_bytecode, kept = True, sys.dont_write_bytecode
loader.exec_module(prose)
sys.dont_write_bytecode = kept

RULES = [prose.Rule(re.compile(r"\bred herrings?\b"), "a distraction")]


def found(name: str, text: str, allowed: list[object] = ()) -> list[int]:
    """Returns the lines in which the check finds something."""
    return [hit.line for hit in prose.check(name, text, RULES, list(allowed))]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.md", "# Title\nThe red herring is here.\n"),
        ("a.md", "```python\n# a red herring\n```\n"),
        ("a.rs", "let a = 1;\n/// A red herring.\n"),
        ("a.rs", 'let a = \'"\';\nlet b = "a red herring";\n'),
        ("a.rs", 'fn a<\'a>() {}\nlet b = r#"a "red herring"#;\n'),
        ("a.ts", 'const a = /"/;\nconst b = `a red herring`;\n'),
        ("A.java", "char a = '\"';\n/** A red herring. */\n"),
        ("a.py", 'x = 1\n"""A red herring."""\n'),
        ("a.clj", '(def a \\")\n(def b "a red herring")\n'),
        ("Makefile", "a:\nb: ## a red herring\n"),
        (".ci/tool", "#!/usr/bin/env bash\n# a red herring\n"),
        ("page.html.j2", "<p>\na red herring</p>\n"),
    ],
)
def test_finds_a_phrase_in_documents_comments_and_strings(name, text):
    assert found(name, text) == [text[: text.index("red herring")].count("\n") + 1]


def test_finds_a_phrase_that_wraps_to_the_next_line():
    assert found("a.md", "One.\n\nIt is a red\nherring.\n") == [3]
    assert found("a.rs", "    /// It is a red\n    /// herring.\n") == [1]


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("a.rs", "let red = herring; red_herring(); // and nothing else\n"),
        ("a.rs", "x // is red\n; herring // is not\n"),
        ("a.rs", "/// ```\n/// let a = red herring;\n/// ```\n"),
        ("a.md", "The `red herring` and [this](red herring).\n"),
        ("a.md", "```text\na red herring\n```\n"),
        ("a.md", "It is red.\n\nherring\n"),
        ("a.ts", "const a = 'red', herring = 1;\n"),
        ("a.py", "red, herring = 1, 2\n"),
        ("data.json", '{"a": "red herring"}\n'),
    ],
)
def test_takes_no_code_for_prose(name, text):
    assert found(name, text) == []


def test_a_rule_can_be_for_some_files():
    rules, _ = prose.read_rules("in docs/*, *.txt.md | \\bold => new\n")
    text = "An old stone.\n"
    found = {
        name: len(list(prose.check(name, text, rules, [])))
        for name in ("docs/a.md", "b.txt.md", "c.md")
    }
    assert found == {"docs/a.md": 1, "b.txt.md": 1, "c.md": 0}


def test_leaves_out_the_lines_that_an_exception_names():
    rules, allowed = prose.read_rules(
        "\\bold => new\nexcept docs/*.md | old stone | stones are old\n"
    )
    text = "An old stone.\nAn old dog.\n"
    assert [hit.line for hit in prose.check("docs/a.md", text, rules, allowed)] == [2]
    assert [hit.line for hit in prose.check("a.md", text, rules, allowed)] == [1, 2]


def test_refuses_an_exception_without_a_reason():
    with pytest.raises(ValueError, match="without a reason"):
        prose.read_rules("except a.md | old stone | \n")


def test_the_kept_rules_find_what_they_are_for():
    rules, _ = prose.read_rules((CI / "prose.rules").read_text(encoding="utf-8"))
    bad = "The bytes behind the value. It takes so many elements. It is no integer.\n"
    hits = [hit.phrase for hit in prose.check("a.md", bad, rules, [])]
    assert hits == ["behind the", "so many", "is no integer"]
    good = "Rust is behind a peer. There is no limit, so many pass. It is so large that it fails.\n"
    assert not list(prose.check("a.md", good, rules, []))
