"""The references of Clojure and ClojureScript, from the docstrings of the namespaces."""

import re
from pathlib import Path

MAIN = Path("jvm/core/src/main")
PAGES = {
    "clojure-api.md": ("Clojure", MAIN / "clojure", ".clj"),
    "clojurescript-api.md": ("ClojureScript", MAIN / "cljs", ".cljs"),
}
STRING = r'"((?:\\.|[^"\\])*)"'
# Metadata that may be in front of a name: a keyword, a type or a map.
META = r"((?:\^(?:\{[^}]*\}|[\w:.-]+)\s+)*)"
SPACE = re.compile(rf"^\(ns\s+{META}([\w.-]+)\s+{STRING}", re.MULTILINE)
DEFINED = re.compile(
    rf"^\((defn|defmacro|def|defprotocol)\s+{META}([^\s()\[\]]+)\s+{STRING}(.*?)(?=^\S|\Z)", re.MULTILINE | re.DOTALL
)


def arguments(rest: str) -> list[str]:
    """The argument vectors of a function: after the docstring, or at the head of each arity."""
    one = re.match(rf"\s*(?:\{{[^}}]*\}}\s*)?{META}(\[[^\]]*\])", rest)
    found = [one[2]] if one else re.findall(r"^\s*\((?:\^\S+\s+)?(\[[^\]]*\])", rest, re.MULTILINE)
    return [" ".join(re.sub(r"\^\S+\s+", "", each).split()) for each in found]


def words(docstring: str) -> str:
    """A docstring as Markdown: code is indented further than text, and [[name]] is a name."""
    lines = docstring.replace('\\"', '"').replace("\\\\", "\\").splitlines()
    text = "\n".join([lines[0], *(line.removeprefix("  ") for line in lines[1:])])
    # Headings of a namespace are below its own.
    return re.sub(r"\[\[([^\]]+)\]\]", r"`\1`", re.sub(r"^#", "##", text, flags=re.MULTILINE))


def page(root: Path, name: str) -> str:
    """Returns the page of a language."""
    language, folder, suffix = PAGES[name]
    parts = [
        f"# {language} reference",
        f"For programs in {language}: the public names of each namespace, from their docstrings.",
    ]
    for file in sorted((root / folder).rglob(f"*{suffix}")):
        text = file.read_text()
        space = SPACE.search(text)
        if space is None or "no-doc" in space[1]:
            continue
        parts.append(f"## {space[2]}\n\n{words(space[3])}")
        for kind, meta, defined, docstring, rest in DEFINED.findall(text):
            if "private" in meta or "no-doc" in meta:
                continue
            calls = (
                [f"({defined} {each[1:-1]})".replace(" )", ")") for each in arguments(rest)]
                if kind.startswith("defn")
                else []
            )
            shown = "\n".join(calls)
            parts.append(f"### {defined}\n\n" + (f"```clojure\n{shown}\n```\n\n" if calls else "") + words(docstring))
    return "\n\n".join(parts) + "\n"
