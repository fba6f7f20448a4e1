"""The process that Spark forks its Python workers from, on this machine: it has loaded what their tasks need.

Spark's own daemon (``pyspark.daemon``) loads nothing for the tasks, so each worker would load numpy, DuckDB and this
package by itself. Nothing that starts a thread may be loaded here, because a fork copies only the thread that forks:
pyarrow does, so every worker loads it.

The JVM runs this module under the setting ``spark.python.daemon.module`` (PySpark 4.3).
"""

from __future__ import annotations

import importlib
from typing import Final

from kraftpy.audit.optional_dependencies import own_process

LOADED: Final = (
    "pyspark.worker",
    "numpy",
    "duckdb",
    "kraftpy.audit.compaction.in_spark",
    "kraftpy.audit.engines.spark",
    "kraftpy.audit.log_volume",
    "kraftpy.audit.replay.vectorized_replay",
    "kraftpy.audit.rules.rule",
)
"""The modules that a worker finds loaded; none of them starts a thread."""


def load() -> None:
    """Load the modules."""
    own_process()
    for name in LOADED:
        importlib.import_module(name)


if __name__ == "__main__":
    from pyspark.daemon import manager

    load()
    manager()
