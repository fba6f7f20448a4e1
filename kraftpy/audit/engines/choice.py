"""Which engine answers: one process for what it has done before Spark has started, Spark for the rest.

Measured (``bench/README.md``, the auditor): a snapshot of 125 MB and a million partitions takes one process 8 s of
CPU time and 1.6 GB of memory; a log of as many bytes 6 s and 0.5 GB. Spark's first pass alone takes 31 s of CPU time
over that snapshot, where one process takes a third of one, and replay and rules are still to come. So one process is
ahead beyond 128 MiB, and memory decides: for 256 MiB of snapshot it needs some 3 GB. The threshold is a size and not a
guess at runtime, so that the same input is always answered by the same engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kraftpy.audit.engines.protocol import Engine, Progress, Replay
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.discovery import KraftFile, discover

if TYPE_CHECKING:
    from kraftpy.audit.engines.spark import SparkEngine

LOCAL_BYTES_MAX: Final = 256 * 1024 * 1024
"""Inputs of up to this many bytes are answered by one process when the choice is left to kraftpy."""

AUTO, LOCAL, SPARK = "auto", "local", "spark"
ENGINES: Final = (AUTO, LOCAL, SPARK)


def choose_engine(
    paths: Sequence[str],
    replay: Replay,
    *,
    engine: str = AUTO,
    master: str | None = None,
    progress: Progress | None = None,
) -> Engine:
    """Return the engine to ask; with ``auto``, one process for small inputs unless a master is named.

    Raises:
        InputError: when there is nothing to read.
        MissingExtraError: when what it needs is not installed.
        JavaMissingError: when Spark is asked for and there is no Java runtime.
    """
    if resolve_engine(discover(paths), engine, master) == LOCAL:
        from kraftpy.audit.engines.local import LocalEngine

        return LocalEngine(replay, progress)
    return spark_engine(replay, master, progress)


def resolve_engine(files: Sequence[KraftFile], engine: str, master: str | None) -> str:
    """Return ``local`` or ``spark`` for what the user asked for."""
    if engine != AUTO:
        return engine
    is_small = sum(file.size for file in files) <= LOCAL_BYTES_MAX
    return LOCAL if master is None and is_small else SPARK


def spark_engine(replay: Replay, master: str | None, progress: Progress | None) -> SparkEngine:
    """Start Spark, or take the session that runs, and return an engine on it.

    Raises:
        MissingExtraError: when PySpark is not installed.
        JavaMissingError: when there is no Java runtime.
    """
    for package in ("pyspark", "pyarrow"):
        extra(package)
    from kraftpy.audit.engines.spark import SparkEngine
    from kraftpy.audit.spark import DEFAULT_MASTER, session

    return SparkEngine(replay, session(master or DEFAULT_MASTER, progress=progress is not None), progress)
