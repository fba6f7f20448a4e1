"""A standalone Spark master with one worker, on loopback, out of the jars that PySpark brings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

from kraftpy.audit.spark import find_java_home
from tests.interop.processes import HOST, Process, eventually

CORES = 1
MEMORY = "1g"
SPARK_HOME = Path(pyspark.__file__).parent
_MASTER, _WORKER = "org.apache.spark.deploy.master.Master", "org.apache.spark.deploy.worker.Worker"


@contextmanager
def standalone_master(directory: Path) -> Iterator[str]:
    """Run a master and a worker, whose logs and work go to a directory.

    Yields:
        The master's URL.

    Raises:
        JavaMissingError: when no Java runtime can be used.
    """
    home = find_java_home()
    java = "java" if home is None else f"{home}/bin/java"
    # A worker starts executors as Spark's launcher does, which asks for the version of Scala where there is no RELEASE.
    env = {"SPARK_HOME": str(SPARK_HOME), "SPARK_LOCAL_IP": HOST, "SPARK_SCALA_VERSION": "2.13", "PYTHONPATH": ""}
    env |= {} if home is None else {"JAVA_HOME": home}
    start = [java, "-Xmx256m", "-XX:TieredStopAtLevel=1", "-cp", f"{SPARK_HOME}/jars/*"]
    listen = ["--host", HOST, "--port", "0", "--webui-port", "0"]
    master = Process(
        "master", [*start, "-Dspark.master.rest.enabled=false", _MASTER, *listen], directory / "master.log", env
    )
    processes = [master]
    try:
        url = eventually("a master that listens", lambda: _stated(master, r"Starting Spark master at (\S+)"), processes)
        size = ["--cores", str(CORES), "--memory", MEMORY, "--work-dir", str(directory / "work")]
        processes.append(Process("worker", [*start, _WORKER, *listen, *size, url], directory / "worker.log", env))
        eventually("a worker", lambda: _stated(master, r"Registering worker (\S+)"), processes)
        yield url
    finally:
        for process in reversed(processes):
            process.stop()


def _stated(process: Process, pattern: str) -> str | None:
    found = re.search(pattern, process.log_text())
    return None if found is None else found[1]
