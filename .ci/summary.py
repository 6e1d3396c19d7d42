#!/usr/bin/env python3
"""Reads test output from standard input and prints its sum in one line: N passed, N failed.

Recognizes the summaries of cargo test, pytest, node:test, clojure.test and surefire, and make's
own line for a part that failed before any test was counted. The reasons of skipped tests and the
names of failed ones, with what is said of them at once, come before it.
"""

import re
import sys

COLOUR = re.compile(r"\x1b\[[0-9;]*m")
COUNTS = [
    # cargo test: test result: ok. 12 passed; 0 failed; 0 ignored; ...
    re.compile(r"^test result: \w+\. (?P<passed>\d+) passed; (?P<failed>\d+) failed"),
    # pytest -q: 3 failed, 12 passed, 1 skipped in 0.12s
    re.compile(r"^=*\s*(?:(?P<failed>\d+) failed)?(?:, )?(?:(?P<passed>\d+) passed).* in [\d.]+s"),
    re.compile(r"^=*\s*(?P<failed>\d+) failed in [\d.]+s"),
    # node:test, one line each
    re.compile(r"^(?:# |ℹ )pass (?P<passed>\d+)$"),
    re.compile(r"^(?:# |ℹ )fail (?P<failed>\d+)$"),
]
# surefire (JUnit): the sum of a project, which no time follows
JUNIT = re.compile(
    r"^\[\w+\] Tests run: (?P<tests>\d+), Failures: (?P<failures>\d+), Errors: (?P<errors>\d+), "
    r"Skipped: (?P<skipped>\d+)$"
)
CLOJURE = re.compile(r"^Ran (?P<tests>\d+) tests containing (?P<assertions>\d+) assertions")
CLOJURE_BAD = re.compile(r"^(?P<failures>\d+) failures, (?P<errors>\d+) errors")
# node:test: ok 1 - name # SKIP reason, or the same with a sign of its own.
SKIPPED = re.compile(r"^\s*(?:ok \d+ - |﹣ )(?P<name>.*?) (?:\([\d.]+ms\) )?# (?:SKIP )?(?P<reason>.+)$")
# The first line about a failed test, and how many lines after it belong to it, up to an empty one.
FAILED = [
    (re.compile(r"^(?:FAILED|ERROR) \S+::"), 0),  # pytest
    (re.compile(r"^test .* \.\.\. FAILED$"), 0),  # cargo test
    (re.compile(r"^error(?:\[E\d+\])?: "), 4),  # cargo, of what does not compile
    (re.compile(r"^thread '.*' (?:\(\d+\) )?panicked at "), 6),
    (re.compile(r"^\s*(?:not ok \d+ - |✖ )"), 0),  # node:test, of which TAP says more
    (re.compile(r"^(?:FAIL|ERROR) in \("), 12),  # clojure.test
    (re.compile(r"^\[ERROR\] \S+\.\S+:\d+"), 0),  # surefire
]
# What node:test says of a failed test after its line: a block of YAML, then comments.
TAP_FAILED = re.compile(r"^(?P<indent> *)not ok \d+ - ")
TAP_MEMBER = re.compile(r"^(?P<name>\w+):")
# How many lines of each member are shown, and of all with the comments.
TAP_MEMBERS = {"failureType": 1, "error": 7, "stack": 3}
MOST_OF_A_TEST = 12
MOST_LINES = 120
BROKEN = re.compile(r"^make(?:\[\d+\])?: \*\*\* \[[^\]]*: (?P<target>[\w-]+)\] Error")


class Tap:
    """Picks the lines about a failed test of node:test that say what failed and why."""

    def __init__(self) -> None:
        self.indent: str | None = None
        self.in_block = False
        self.member = ""
        self.of_member = self.of_test = 0

    def wants(self, line: str) -> bool:
        """Whether the line belongs to the last failed test, and is not beyond what is shown of one."""
        if match := TAP_FAILED.match(line):
            self.__init__()
            self.indent = match["indent"]
            return False
        if self.indent is None or self.of_test == MOST_OF_A_TEST or not self._is_told(line):
            return False
        self.of_test += 1
        return True

    def _is_told(self, line: str) -> bool:
        rest = line.removeprefix(self.indent or "")
        if self.in_block:
            return self._in_block(rest.removeprefix("  "))
        if rest == "  ---":
            self.in_block = True
        elif not rest.startswith("# "):
            self.indent = None
        return rest.startswith("# SEED=")

    def _in_block(self, text: str) -> bool:
        if text == "...":
            self.in_block = False
            self.member = ""
        elif match := TAP_MEMBER.match(text):
            self.member, self.of_member = match["name"], 0
        if not text.strip():
            return False
        self.of_member += 1
        return self.of_member <= TAP_MEMBERS.get(self.member, 0)


def main() -> None:
    passed = failed = clojure = 0
    broken = []
    skipped = []
    bad_lines: list[str] = []
    rest = 0
    tap = Tap()
    for line in sys.stdin:
        line = COLOUR.sub("", line.rstrip("\n"))
        rest = next((more + 1 for pattern, more in FAILED if pattern.match(line)), rest if line else 0)
        if tap.wants(line) or rest:
            bad_lines.append(line[:400])
            rest = max(rest - 1, 0)
        for pattern in COUNTS:
            if match := pattern.match(line):
                found = match.groupdict()
                passed += int(found.get("passed") or 0)
                failed += int(found.get("failed") or 0)
                break
        if match := JUNIT.match(line):
            bad = int(match["failures"]) + int(match["errors"])
            passed += int(match["tests"]) - bad - int(match["skipped"])
            failed += bad
        if match := SKIPPED.match(line):
            skipped.append(f"{match['name']}: {match['reason']}")
        if match := CLOJURE.match(line):
            clojure = int(match["assertions"])
        if match := CLOJURE_BAD.match(line):
            bad = int(match["failures"]) + int(match["errors"])
            passed, failed, clojure = passed + max(clojure - bad, 0), failed + bad, 0
        if match := BROKEN.match(line):
            broken.append(match["target"])
    for reason in skipped:
        print(f"skipped: {reason}")
    print("\n".join(bad_lines[:MOST_LINES]), end="\n" if bad_lines else "")
    if broken:
        print("parts that failed: " + ", ".join(dict.fromkeys(broken)))
        # A part can fail before a test is counted.
        failed = max(failed, 1)
    print(f"{passed} passed, {failed} failed")


if __name__ == "__main__":
    main()
