"""The choice of the engine: one process for small inputs and for a single cluster, Spark for the rest.

Measured (``bench/README.md``, the auditor): Spark's start takes about 6 s of CPU time, in which one process audits 300
to 400 MB of logs (``cluster_groups.SNAPSHOT_COUNTS`` has its figures). On two cores both take the same time for 1 GiB
of logs, and Spark three quarters of it for 2 GiB. At 1 GiB, too, the memory of one process may reach 3 GiB. A task
of Spark audits whole clusters as one process does, in the same memory, so a single cluster that is not cut gains
nothing. The rule is made of sizes and numbers, not of what the machine does at the time, so that the same input is
always processed by the same engine.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Final, NamedTuple

from kraftpy.audit.engines.cluster_groups import SNAPSHOT_COUNTS, WHOLE_BYTES, cut_clusters
from kraftpy.audit.engines.protocol import Engine, ProgressReport, Replay
from kraftpy.audit.jvm import is_guarded
from kraftpy.audit.optional_dependencies import extra
from kraftpy.audit.reading.discovery import KraftFile, discover
from kraftpy.audit.reading.rows import SNAPSHOT

if TYPE_CHECKING:
    from kraftpy.audit.engines.spark import SparkEngine

MEBIBYTE: Final = 1024**2
LOCAL_BYTES_MAX: Final = 256 * MEBIBYTE
"""Snapshots of up to this many bytes are processed by one process if the choice is left to kraftpy, and so is anything
that is compacted."""


class ProcessLimits(NamedTuple):
    """How much one process takes on.

    Attributes:
        local_bytes: the most bytes; those of a snapshot count ``snapshot_counts`` times.
        whole_bytes: see ``cluster_groups.cut_clusters``; 0 where all clusters are cut.
    """

    local_bytes: int
    snapshot_counts: int
    whole_bytes: int


AUDIT: Final = ProcessLimits(SNAPSHOT_COUNTS * LOCAL_BYTES_MAX, SNAPSHOT_COUNTS, WHOLE_BYTES)
COMPACTION: Final = ProcessLimits(LOCAL_BYTES_MAX, 1, 0)

AUTO, LOCAL, SPARK = "auto", "local", "spark"
ENGINES: Final = (AUTO, LOCAL, SPARK)
_NAMES: Final = {LOCAL: "one process", SPARK: "Spark"}


def choose_engine(
    paths: Sequence[str],
    replay: Replay,
    *,
    engine: str = AUTO,
    master: str | None = None,
    progress: ProgressReport | None = None,
) -> Engine:
    """Return the engine to use; with ``auto``, by size unless a master is named.

    Raises:
        InputError: when there is nothing to read.
        MissingExtraError: when a required package is not installed.
        JavaMissingError: when Spark is requested and there is no Java runtime.
    """
    if resolve_engine(discover(paths), engine, master) == LOCAL:
        from kraftpy.audit.engines.local import LocalEngine

        return LocalEngine(replay, progress)
    return spark_engine(replay, master, progress, while_loading=True)


def resolve_engine(files: Sequence[KraftFile], engine: str, master: str | None, limits: ProcessLimits = AUDIT) -> str:
    """Return ``local`` or ``spark`` for the user's choice.

    A choice of ours is reported on stderr with its reason; that of one process only on a terminal.

    Args:
        files: the input.
        engine: one of ``ENGINES``.
        master: Spark's, if the user names one.
        limits: of one process.
    """
    if engine != AUTO:
        return engine
    if master is not None:
        return SPARK
    name, reason = choice_of(files, limits)
    if name == SPARK or sys.stderr.isatty():
        sys.stderr.write(f"engine: {_NAMES[name]}, because {reason}\n")
    return name


def choice_of(files: Sequence[KraftFile], limits: ProcessLimits = AUDIT) -> tuple[str, str]:
    """Return the engine for an input if the user leaves the choice, and why."""
    size = sum(file.size for file in files)
    weight = sum(file.size * (limits.snapshot_counts if file.kind == SNAPSHOT else 1) for file in files)
    if weight <= limits.local_bytes:
        most = f"{limits.local_bytes // MEBIBYTE:,} MiB of logs, or {LOCAL_BYTES_MAX // MEBIBYTE} of snapshots"
        return LOCAL, f"up to {most}, it is done before Spark's start has paid ({size / MEBIBYTE:,.1f} MiB here)"
    clusters = {file.cluster for file in files}
    cut = cut_clusters(files, limits.whole_bytes)
    if len(clusters) == 1 and not cut:
        return LOCAL, f"{size / MEBIBYTE:,.0f} MiB of one cluster would be one task of Spark's"
    nodes = len({(file.cluster, file.node) for file in files})
    how = f"{len(clusters):,} clusters of {nodes:,} nodes are shared out among its tasks"
    if limits.whole_bytes == 0:
        how = "the work on each node is shared out among its tasks"
    elif cut:
        how = f"clusters are too large for one task ({len(cut):,} of {len(clusters):,})"
    return SPARK, f"{size / MEBIBYTE:,.0f} MiB are read, and {how} (--engine local reads them in one process)"


def spark_engine(
    replay: Replay, master: str | None, progress: ProgressReport | None, *, while_loading: bool = False
) -> SparkEngine:
    """Start Spark, or use the running session, and return an engine on it.

    With ``while_loading``, Spark may start when the engine loads, which works meanwhile (``driver_share``): on several
    cores of this machine, in a command that ends Spark's JVM when it gets a signal.

    Raises:
        MissingExtraError: when PySpark is not installed.
        JavaMissingError: when there is no Java runtime.
    """
    for package in ("pyspark", "pyarrow"):
        extra(package)
    from kraftpy.audit.engines.spark import SparkEngine
    from kraftpy.audit.spark import DEFAULT_MASTER, check_can_start, context, is_running, local_cores, short_run

    master = master or DEFAULT_MASTER
    start = partial(context, master, settings=short_run(), progress=False)
    if while_loading and is_guarded() and not is_running() and local_cores(master) > 1:
        # It changes the environment, which must not happen beside the threads of libraries.
        check_can_start(master)
        return SparkEngine(replay, None, progress, start=partial(start, is_checked=True))
    return SparkEngine(replay, start(), progress)
