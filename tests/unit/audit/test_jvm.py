"""What happens to a command, and to the JVM that it started, when it gets signals: without a JVM."""

from __future__ import annotations

import os
import signal
import sys

import pytest

from kraftpy.audit.engines import spark_jobs
from kraftpy.audit.engines.spark_jobs import SparkJobs
from kraftpy.audit.jvm import SIGNALS, SignalledError, _Jvm

PATIENCE_S = 30


@pytest.mark.parametrize("number", SIGNALS)
def test_a_third_signal_ends_the_command(number):
    """A file system does not answer, and neither Ctrl-C nor SIGTERM ends the command, whichever came first."""
    before = [signal.getsignal(each) for each in SIGNALS]
    jvm = _Jvm()
    jvm.guard()
    jvm.take_signals()
    try:
        with pytest.raises(SignalledError):
            jvm._on_signal(number, None)
        assert all(signal.getsignal(each) == jvm._on_signal for each in SIGNALS)
        jvm._on_signal(number, None)
        assert all(signal.getsignal(each) is signal.SIG_DFL for each in SIGNALS)
    finally:
        jvm.release()
    assert [signal.getsignal(each) for each in SIGNALS] == before


def test_no_python_runs_in_the_process_of_the_jvm_before_it_starts():
    """A lock that another thread held at the fork stays held there: the start hangs."""
    process = _Jvm().started([sys.executable, "-c", "pass"], preexec_fn=lambda: os._exit(7))
    assert process.wait(PATIENCE_S) == 0


def test_a_session_is_of_the_context_with_our_settings(monkeypatch):
    """Spark starts with its own settings, because a session was wanted before anything else."""
    order = []

    class Builder:
        def getOrCreate(self):  # noqa: N802 - Spark's name
            order.append("session")

    class Sql:
        class SparkSession:
            builder = Builder()

    monkeypatch.setattr(spark_jobs, "extra", lambda _: Sql)
    jobs = SparkJobs(None, None, lambda: order.append("context"))
    assert (jobs.session, jobs.is_started, order) == (None, True, ["context", "session"])
