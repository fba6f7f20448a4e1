"""What ``.ci/run`` repeats: tests that failed in a run that came to its end, and only results of single tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
CONFTEST = """
import pytest
from tests.workers import make_scheduler

pytest_plugins = ["tests.again"]

@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config, log):
    return make_scheduler(config, log)
"""
TESTS = """
import os, time, pytest
MODE = os.environ["MODE"]
if MODE == "cannot be imported":
    raise ImportError(MODE)
def test_a(): assert MODE != "fails"
def test_b(): assert MODE != "is interrupted"
def test_c():
    if MODE == "is interrupted":
        raise KeyboardInterrupt
    if MODE == "dies":
        os._exit(1)
def test_d(): pass
@pytest.mark.parametrize("number", range(12))
def test_all(number):
    if MODE == "dies each time":
        os._exit(1)
"""
TWO = ("-p", "xdist", "-n", "2", "--dist", "loadgroup")


class Runs:
    """Runs of pytest over a directory, each with what it ends with."""

    def __init__(self, root: Path) -> None:
        self._root = root
        (root / "conftest.py").write_text(CONFTEST, encoding="utf-8")
        (root / "test_first.py").write_text("def test_sound(): pass\n", encoding="utf-8")
        (root / "test_second.py").write_text(TESTS, encoding="utf-8")

    def run(self, mode: str, *options: str) -> tuple[int, str]:
        """Return the exit status, and what was said."""
        environment = dict(os.environ, MODE=mode, PYTHONPATH=str(ROOT), PYTEST_DISABLE_PLUGIN_AUTOLOAD="1")
        for name in ("PYTEST_XDIST_WORKER", "PYTEST_XDIST_WORKER_COUNT", "PYTEST_ADDOPTS"):
            environment.pop(name, None)
        ended = subprocess.run(
            [sys.executable, "-m", "pytest", "-q", *options, "."],
            cwd=self._root, env=environment, capture_output=True, text=True, check=False, timeout=100,
        )  # fmt: skip
        return ended.returncode, ended.stdout + ended.stderr


@pytest.fixture
def runs(tmp_path: Path) -> Runs:
    return Runs(tmp_path)


def test_what_failed_in_a_whole_run_is_run_again(runs):
    assert runs.run("fails")[0] == 1
    status, stated = runs.run("fails", "--again")
    assert (status, "1 failed" in stated) == (1, True)
    status, stated = runs.run("is sound", "--again")
    assert (status, "1 passed" in stated) == (0, True)


@pytest.mark.parametrize("mode", ["is interrupted", "cannot be imported", "dies"])
def test_a_run_that_was_cut_short_is_no_reason_to_run_less(runs, mode):
    """Not with what an earlier run left, either."""
    assert runs.run("fails")[0] == 1
    assert runs.run(mode)[0] != 0
    status, stated = runs.run("is sound", "--again")
    assert (status, "did not come to its end" in stated) == (pytest.ExitCode.USAGE_ERROR, True)


def test_a_worker_that_crashes_is_a_failed_test_and_the_rest_is_run(runs):
    """Another worker takes its place; that test is not given to it."""
    status, stated = runs.run("dies", *TWO)
    assert (status, "1 failed, 16 passed" in stated) == (1, True)
    assert "crashed while running 'test_second.py::test_c'" in stated
    status, stated = runs.run("is sound", "--again")
    assert (status, "1 passed" in stated) == (0, True)


def test_workers_that_crash_too_often_leave_tests_that_never_ran(runs):
    assert runs.run("dies each time", *TWO, "--max-worker-restart=1")[0] != 0
    assert runs.run("is sound", "--again")[0] == pytest.ExitCode.USAGE_ERROR


def test_where_nothing_ran_there_is_nothing_to_run_again(runs):
    assert runs.run("is sound", "--again")[0] == pytest.ExitCode.USAGE_ERROR
