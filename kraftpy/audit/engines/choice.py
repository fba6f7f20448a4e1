"""Which engine answers: one process for what it has done before Spark has started, Spark for the rest.

Spark takes about 10 s to its first answer (``measurements`` E); one process reads and replays some megabytes a second.
The threshold is where both take about as long on two cores; it is a size and not a guess at runtime, so that the same
input is always answered by the same engine.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from kraftpy.audit.engines.protocol import Engine, Progress, Replay
from kraftpy.audit.extra import MissingExtraError, extra
from kraftpy.audit.reading.discovery import discover

LOCAL_BYTES_MAX: Final = 128 * 1024 * 1024
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
    if engine == AUTO:
        is_small = sum(file.size for file in discover(paths)) <= LOCAL_BYTES_MAX
        engine = LOCAL if master is None and is_small else SPARK
    if engine == LOCAL:
        from kraftpy.audit.engines.local import LocalEngine

        return LocalEngine(replay, progress)
    return _spark_engine(replay, master, progress)


def _spark_engine(replay: Replay, master: str | None, progress: Progress | None) -> Engine:
    from kraftpy.audit.engines.spark import SparkEngine
    from kraftpy.audit.spark import DEFAULT_MASTER, session

    for package in ("pyspark", "pyarrow"):
        extra(package)
    spark: Any = session(master or DEFAULT_MASTER, progress=progress is not None)
    return SparkEngine(replay, spark, progress)


__all__ = ["AUTO", "ENGINES", "LOCAL", "LOCAL_BYTES_MAX", "SPARK", "MissingExtraError", "choose_engine"]
