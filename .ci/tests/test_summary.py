"""The last lines of `.ci/run`, from which one learns what failed."""

import subprocess
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]


def summary(text: str) -> list[str]:
    run = subprocess.run(
        [CI / "summary.py"], input=text, capture_output=True, text=True, check=True
    )
    return run.stdout.splitlines()


@pytest.mark.parametrize(
    ("printed", "named"),
    [
        ("FAILED a/test_b.py::test_c - assert 1\n1 failed, 2 passed in 0.1s\n", 1),
        (
            "test a::b ... FAILED\ntest result: FAILED. 2 passed; 1 failed; 0 ignored;\n",
            1,
        ),
        ("    not ok 3 - a name\n# pass 2\n# fail 1\n", 1),
        (
            (
                "FAIL in (a-test) (b.clj:1)\nexpected: 1\n  actual: 2\n\nTesting c\n"
                "Ran 1 tests containing 3 assertions.\n1 failures, 0 errors.\n"
            ),
            3,
        ),
        (
            (
                "[ERROR] pkg.ATest.b:12 expected: <1> but was: <2>\n"
                "[ERROR] Tests run: 3, Failures: 1, Errors: 0, Skipped: 0\n"
            ),
            1,
        ),
    ],
    ids=["pytest", "cargo", "node", "clojure", "surefire"],
)
def test_a_failed_test_is_named_before_the_sum(printed: str, named: int) -> None:
    lines = summary("something else\n" + printed)
    assert lines == [*printed.splitlines()[:named], "2 passed, 1 failed"]


TAP = """\
# Subtest: outer
    # Subtest: inner
    not ok 1 - inner
      ---
      duration_ms: 30.7
      location: '/a.test.js:2:27'
      failureType: 'testCodeFailure'
      error: |-
        Expected values to be equal:

        1
        2
        3
        4
        5
        6
      code: 'ERR_ASSERTION'
      stack: |-
        TestContext.<anonymous> (/a.test.js:2:81)
        Test.run (node:internal/test_runner/test:796:25)
        Test.start (node:internal/test_runner/test:702:17)
      ...
    # SEED=123
    # another comment
    1..1
not ok 1 - outer
  ---
  failureType: 'subtestsFailed'
  error: '1 subtest failed'
  ...
# SEED=4
ok 2 - fine
  ---
  duration_ms: 24.2
  ...
# SEED=5
# pass 1
# fail 2
"""


def test_what_node_says_of_a_failed_test_is_shown_after_it() -> None:
    assert summary(TAP) == [
        "    not ok 1 - inner",
        "      failureType: 'testCodeFailure'",
        "      error: |-",
        "        Expected values to be equal:",
        *(f"        {line}" for line in range(1, 6)),
        "      stack: |-",
        "        TestContext.<anonymous> (/a.test.js:2:81)",
        "        Test.run (node:internal/test_runner/test:796:25)",
        "    # SEED=123",
        "not ok 1 - outer",
        "  failureType: 'subtestsFailed'",
        "  error: '1 subtest failed'",
        "# SEED=4",
        "1 passed, 2 failed",
    ]


def test_no_more_than_twelve_lines_are_shown_of_a_failed_test() -> None:
    many = TAP.replace("    # SEED=123\n", "    # SEED=123\n" * 9)
    shown = [
        line for line in summary(many) if line.startswith("     ") or "SEED=123" in line
    ]
    assert len(shown) == 12


@pytest.mark.parametrize(
    "last", ["2 passed, 1 skipped in 3.21s", "2 passed, 1 skipped in 123.45s (0:02:03)"]
)
def test_the_tests_of_pytest_on_two_workers_are_counted(last: str) -> None:
    printed = f"bringing up nodes...\n..s [100%]\nFAILED a/test_b.py::test_c - no\n1 failed, {last}\n"
    assert summary(printed) == ["FAILED a/test_b.py::test_c - no", "2 passed, 1 failed"]


def test_a_part_that_failed_before_any_test_counts_as_failed() -> None:
    assert summary("make: *** [Makefile:3: test-js] Error 2\n") == [
        "parts that failed: test-js",
        "0 passed, 1 failed",
    ]


def test_a_recipe_has_the_descriptors_by_which_make_counts_its_jobs(
    tmp_path: Path,
) -> None:
    script = f"exec 3</dev/null 4</dev/null; exec {CI / 'timed-shell.sh'} -c 'readlink /proc/self/fd/3 /proc/self/fd/4'"
    run = subprocess.run(
        ["bash", "-c", script],
        capture_output=True,
        text=True,
        check=True,
        env={"PATH": "/usr/bin:/bin", "PACKORD_TIMES": str(tmp_path / "times")},
    )
    assert run.stdout == "/dev/null\n/dev/null\n"


def test_a_recipe_has_its_output_its_status_and_a_line_of_times(tmp_path: Path) -> None:
    times = tmp_path / "times"
    run = subprocess.run(
        [CI / "timed-shell.sh", "-c", "echo out; echo err >&2; exit 3"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "PACKORD_TIMES": str(times)},
    )
    assert (run.returncode, run.stdout, run.stderr) == (3, "out\n", "err\n")
    assert times.read_text() == "0 0 0 echo out; echo err >&2; exit 3\n"
