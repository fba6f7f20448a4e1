"""A command on Spark that is asked to end: its JVM ends too, whenever the signal comes."""

from __future__ import annotations

import signal
import subprocess
import sys
from contextlib import suppress
from os import killpg

import pytest

from kraftpy.audit.spark import JavaMissingError, find_java_home
from tests.fakes.processes import PATIENCE_S
from tests.interop.processes import eventually
from tests.spark.test_session import PROC, processes

pytestmark = pytest.mark.skipif(not PROC.joinpath("self").exists(), reason="looks for processes in /proc")

LAUNCHER, SERVER, WORKERS = "spark-class", "org.apache.spark.deploy.SparkSubmit", "pyspark.daemon"
"""What stands in a command line while Spark's launcher starts, once the JVM runs, and once it has started workers."""


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
@pytest.mark.parametrize("moment", [LAUNCHER, SERVER, WORKERS])
def test_a_signal_ends_the_jvm_too(histories, tmp_path, moment, number):
    """Ctrl-C leaves a JVM behind, for seconds or for good; or traces of Python and Java on the terminal."""
    try:
        find_java_home()
    except JavaMissingError as error:
        pytest.skip(str(error))
    histories.small_log().write(tmp_path / "__cluster_metadata-0")
    command = [sys.executable, "-m", "kraftpy", "audit", str(tmp_path), "--engine", "spark", "--master", "local[1]"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    ) as asked:
        started: dict[int, str] = {}
        try:

            def has_come() -> bool:
                assert asked.poll() is None, asked.communicate()
                started.update(below(asked.pid))
                return any(moment in one for one in below(asked.pid).values())

            eventually(moment, has_come, deadline_s=3 * PATIENCE_S)
            started.update(below(asked.pid))
            asked.send_signal(number)
            _, told = asked.communicate(timeout=PATIENCE_S)
            left = {pid: one for pid, _, one in processes() if pid in started and one}
            assert not [one for one in left.values() if "spark" in one and WORKERS not in one], left
            assert asked.returncode == 128 + number
            assert told.splitlines()[-1] == f"error: interrupted by {number.name}; Spark was ended too"
            assert not [line for line in told.splitlines() if "Traceback" in line or line.startswith("\tat ")], told
        finally:
            for pid in {asked.pid, *started}:
                with suppress(OSError):
                    killpg(pid, signal.SIGKILL)
