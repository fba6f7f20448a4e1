"""The choice of the engine: one process for what it finishes before Spark has started, Spark for the rest.

Measured (``bench/README.md``, the auditor): a snapshot of 125 MB and a million partitions takes one process 8 s of CPU
time and 1.6 GB of memory; a log of the same size 6 s and 0.5 GB. Spark's first pass alone takes 31 s of CPU time for
that snapshot, one process a third of a second, and replay and rules follow. So one process is faster even beyond 128
MiB, and memory decides: for 256 MiB of snapshot it needs about 3 GB. The threshold is a size and not a guess at
runtime, so that the same input is always processed by the same engine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from kraftpy.audit.engines.protocol import Engine, Progress, Replay
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.discovery import KraftFile, discover

if TYPE_CHECKING:
    from kraftpy.audit.engines.spark import SparkEngine

MEBIBYTE: Final = 1024**2
GIBIBYTE: Final = 1024**3
LOCAL_BYTES_MAX: Final = 256 * MEBIBYTE
"""Inputs of up to this many bytes are processed by one process if the choice is left to kraftpy."""

MEMORY_PER_BYTE: Final = 13
"""The memory of one process for each byte of its input, at most: 1.6 GB for a snapshot of 125 MB."""

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
    """Return the engine to use; with ``auto``, one process for small inputs unless a master is named.

    Raises:
        InputError: when there is nothing to read.
        MissingExtraError: when a required package is not installed.
        JavaMissingError: when Spark is requested and there is no Java runtime.
    """
    if resolve_engine(discover(paths), engine, master) == LOCAL:
        from kraftpy.audit.engines.local import LocalEngine

        return LocalEngine(replay, progress)
    return spark_engine(replay, master, progress)


def resolve_engine(files: Sequence[KraftFile], engine: str, master: str | None) -> str:
    """Return ``local`` or ``spark`` for the user's choice; a size that decides for Spark is reported on stderr."""
    if engine != AUTO:
        return engine
    if master is not None:
        return SPARK
    size = sum(file.size for file in files)
    if size <= LOCAL_BYTES_MAX:
        return LOCAL
    sys.stderr.write(
        f"spark: {size / MEBIBYTE:,.0f} MiB are read in Spark, because one process would need up to "
        f"{size * MEMORY_PER_BYTE / GIBIBYTE:,.1f} GiB of memory (--engine local reads them in one process; "
        f"up to {LOCAL_BYTES_MAX // MEBIBYTE} MiB it is the default)\n"
    )
    return SPARK


def spark_engine(replay: Replay, master: str | None, progress: Progress | None) -> SparkEngine:
    """Start Spark, or use the running session, and return an engine on it.

    Raises:
        MissingExtraError: when PySpark is not installed.
        JavaMissingError: when there is no Java runtime.
    """
    for package in ("pyspark", "pyarrow"):
        extra(package)
    from kraftpy.audit.engines.spark import SparkEngine
    from kraftpy.audit.spark import DEFAULT_MASTER, context, short_run

    started = context(master or DEFAULT_MASTER, settings=short_run(), progress=progress is not None)
    return SparkEngine(replay, started, progress)
