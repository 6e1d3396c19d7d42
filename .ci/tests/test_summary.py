"""The last lines of `.ci/run`, from which one learns what failed."""

import subprocess
from pathlib import Path

import pytest

CI = Path(__file__).resolve().parents[1]


def summary(text: str) -> list[str]:
    run = subprocess.run(
        [CI / "summary"], input=text, capture_output=True, text=True, check=True
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


def test_a_part_that_failed_before_any_test_counts_as_failed() -> None:
    assert summary("make: *** [Makefile:3: test-js] Error 2\n") == [
        "parts that failed: test-js",
        "0 passed, 1 failed",
    ]


def test_a_recipe_has_the_descriptors_by_which_make_counts_its_jobs(
    tmp_path: Path,
) -> None:
    script = f"exec 3</dev/null 4</dev/null; exec {CI / 'timed-shell'} -c 'readlink /proc/self/fd/3 /proc/self/fd/4'"
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
        [CI / "timed-shell", "-c", "echo out; echo err >&2; exit 3"],
        capture_output=True,
        text=True,
        check=False,
        env={"PATH": "/usr/bin:/bin", "PACKORD_TIMES": str(times)},
    )
    assert (run.returncode, run.stdout, run.stderr) == (3, "out\n", "err\n")
    assert times.read_text() == "0 0 0 echo out; echo err >&2; exit 3\n"
