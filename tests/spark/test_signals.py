"""A command on Spark that is ended by a signal: its JVM ends too, whenever the signal arrives."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import contextmanager, suppress
from os import killpg

import pytest

from kraftpy.audit.spark import JavaMissingError, find_java_home
from tests.fakes.processes import PATIENCE_S
from tests.interop.processes import eventually
from tests.spark.test_session import PROC, processes

pytestmark = [
    pytest.mark.landing,
    pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="looks for processes in /proc"),
]

LAUNCHER, SERVER, WORKERS = "spark-class", "org.apache.spark.deploy.SparkSubmit", "pyspark.daemon"
"""Parts of command lines while Spark's launcher starts, once the JVM runs, and once it has started workers."""


def below(root: int) -> dict[int, str]:
    """The descendants of a process, and their command lines."""
    found = {root: ""}
    table = list(processes())
    for _ in table:
        more = {pid: command for pid, parent, command in table if parent in found and pid not in found}
        if not more:
            break
        found |= more
    del found[root]
    return found


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
@pytest.mark.parametrize(
    ("moment", "master"),
    [*((moment, "local[1]") for moment in (LAUNCHER, SERVER, WORKERS)), (LAUNCHER, "local[2]"), (SERVER, "local[2]")],
)
def test_a_signal_ends_the_jvm_too(histories, tmp_path, moment, master, number):
    """Ctrl-C leaves a JVM running, for seconds or for good; or prints traces of Python and Java.

    On two cores the driver audits clusters meanwhile, and needs no workers for these few.
    """
    with audit_at(moment, histories, tmp_path, master) as (asked, started):
        asked.send_signal(number)
        _, errors = asked.communicate(timeout=PATIENCE_S)
        assert not jvms(started)
        assert asked.returncode == 128 + number
        assert errors.splitlines()[-1] == f"error: interrupted by {number.name}; Spark was ended too"
        assert not [line for line in errors.splitlines() if "Traceback" in line or line.startswith("\tat ")], errors


@pytest.mark.parametrize("moment", [LAUNCHER, SERVER, WORKERS])
def test_a_kill_leaves_no_jvm(histories, tmp_path, moment):
    """``kill -9`` leaves a JVM running for good, which nothing can end but another kill."""
    with audit_at(moment, histories, tmp_path) as (asked, started):
        asked.kill()
        asked.wait(PATIENCE_S)
        assert jvms(started), "the JVM was not running yet: the test shows nothing"
        eventually("the JVM has ended", lambda: not jvms(started), deadline_s=3 * PATIENCE_S)


@contextmanager
def audit_at(moment, histories, directory, master="local[1]"):
    """Run an audit on Spark until some process of its has ``moment`` in its command line."""
    try:
        find_java_home()
    except JavaMissingError as error:
        pytest.skip(str(error))
    histories.small_log().write(directory / "__cluster_metadata-0")
    command = [sys.executable, "-m", "kraftpy", "audit", str(directory), "--engine", "spark", "--master", master]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as asked:
        started: dict[int, str] = {}
        try:

            def is_reached() -> bool:
                assert asked.poll() is None, asked.communicate()
                started.update(below(asked.pid))
                return any(moment in one for one in below(asked.pid).values())

            eventually(moment, is_reached, deadline_s=3 * PATIENCE_S)
            started.update(below(asked.pid))
            yield asked, started
        finally:
            for pid in {asked.pid, *started}:
                with suppress(OSError):
                    killpg(pid, signal.SIGKILL)


def jvms(started: dict[int, str]) -> list[str]:
    """The command lines of Spark's processes that still run, except its workers, which it ends itself."""
    left = {pid: one for pid, _, one in processes() if pid in started and one}
    return [one for one in left.values() if "spark" in one and WORKERS not in one]
