"""One session, and one JVM, for all of a run's tests: however many workers there are."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from kraftpy.audit.engines.choice import spark_engine
from kraftpy.audit.replay import REPLAY
from kraftpy.audit.spark import session
from tests.spark.conftest import claim_only_session
from tests.workers import group_of

PROC = Path("/proc")


def processes() -> Iterator[tuple[int, int, str]]:
    """Process id, parent and command line of every process."""
    for path in PROC.iterdir():
        if path.name.isdecimal():
            try:
                parent = int((path / "stat").read_text().rpartition(")")[2].split()[1])
                yield int(path.name), parent, (path / "cmdline").read_text(errors="replace")
            except (OSError, ValueError):  # it ended meanwhile
                continue


def jvms_below(root: int) -> list[int]:
    """The JVMs of Spark among a process's descendants."""
    table = list(processes())
    below = {root}
    for _ in table:
        more = {pid for pid, parent, _ in table if parent in below} - below
        if not more:
            break
        below |= more
    return [pid for pid, _, command in table if pid in below and "org.apache.spark.deploy.SparkSubmit" in command]


def test_everybody_who_asks_gets_the_same_session(spark):
    """A command or an engine starts a session of its own although one runs."""
    assert session("local[8]") is spark
    engine = spark_engine(REPLAY, "local[8]", None)
    assert engine.jobs.session is spark
    engine.close()


@pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="counts processes in /proc")
def test_all_workers_of_this_run_have_one_jvm(spark):
    """Two workers of pytest-xdist start a JVM each."""
    root = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    found = jvms_below(root)
    assert len(found) == 1, found
    assert spark.sparkContext._jvm.java.lang.ProcessHandle.current().pid() == found[0]


def test_all_tests_with_a_session_go_to_one_worker(request):
    """A test that asks for the session is handed out alone, and may run on another worker."""
    asking = [item.nodeid for item in request.session.items if "spark" in getattr(item, "fixturenames", ())]
    assert {group_of(nodeid) for nodeid in asking} <= {"spark"}
    assert group_of("tests/unit/audit/test_spark_setup.py::test_x") != "spark"


def test_a_second_session_in_one_run_is_refused(tmp_path, monkeypatch):
    """A second worker starts a JVM in silence."""
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw0")
    claim_only_session(tmp_path / "popen-gw0", "a-run")
    monkeypatch.setenv("PYTEST_XDIST_WORKER", "gw1")
    with pytest.raises(pytest.fail.Exception, match=r"gw1 would start a second JVM, gw0 has one: .* --dist loadgroup"):
        claim_only_session(tmp_path / "popen-gw1", "a-run")
    claim_only_session(tmp_path / "popen-gw1", "another-run")
