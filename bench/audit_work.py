"""One piece of work of ``bench audit``, in a process of its own, so that its memory and CPU time are its own.

Called as ``python -m bench.audit_work WORK MASTER PATH``; prints one line of JSON with what was counted, the moment of
the answer on the system's monotonic clock, and the seconds from the first look at the files to it. These are without
the start of Spark, but for ``audited``: there Spark starts as for ``kraftpy audit``, while clusters are audited.
"""

from __future__ import annotations

import json
import sys
import time
from pathlib import Path
from typing import Any


def checked(path: str) -> dict[str, Any]:
    """Check every byte and count records by type and hour, in one process."""
    from kraftpy.audit.reading.discovery import discover
    from kraftpy.audit.reading.first_pass import first_passes

    passes = first_passes([file for file in discover([path]) if file.has_batches], None)
    return {"records": sum(sum(each.counts.values()) for each in passes)}


def decoded(path: str) -> dict[str, Any]:
    """Decode every record into the columns of the records table, JSON included, in one process."""
    from kraftpy.audit.reading.arrow import record_batches
    from kraftpy.audit.reading.discovery import discover
    from kraftpy.audit.reading.splits import InputSplit

    files = [file for file in discover([path]) if file.has_batches]
    return {
        "records": sum(
            batch.num_rows for file in files for batch in record_batches(InputSplit(file, 0, file.size), 16_384)
        )
    }


def audited(path: str) -> dict[str, Any]:
    """Replay the state and ask all rules, in one process."""
    from kraftpy.audit.engines.local import LocalEngine
    from kraftpy.audit.replay import KraftReplay

    return _judged(LocalEngine(KraftReplay(with_entities=False)), path)


def compacted(path: str) -> dict[str, Any]:
    """Write a snapshot, in one process."""
    from tempfile import TemporaryDirectory

    from kraftpy.audit.compaction.run import compact

    with TemporaryDirectory() as out:
        return {"records": compact([path], Path(out), engine="local").records}


def spark_checked(path: str, context: Any) -> dict[str, Any]:
    """Check and count as ``checked`` does, in Spark's workers."""
    from kraftpy.audit.engines.spark import SparkEngine
    from kraftpy.audit.reading.discovery import discover
    from kraftpy.audit.replay import REPLAY

    engine = SparkEngine(REPLAY, context)
    engine.first_pass([file for file in discover([path]) if file.has_batches])
    return {"records": int(engine.sql("SELECT SUM(records) AS n FROM record_counts").to_pylist()[0]["n"])}


def spark_decoded(path: str, _context: Any) -> dict[str, Any]:
    """Move every record with its JSON through the data source, and count there."""
    from pyspark.sql import SparkSession

    frame = SparkSession.builder.getOrCreate().read.format("kraft").load(path)
    return {"records": frame.selectExpr("count(fields) AS n", "sum(length(raw))").collect()[0]["n"]}


def spark_audited(path: str, master: str) -> tuple[dict[str, Any], Any]:
    """Start Spark, replay and judge; return what was counted, and Spark's context."""
    from kraftpy.audit.engines.choice import spark_engine
    from kraftpy.audit.jvm import ended_by_signals
    from kraftpy.audit.replay import KraftReplay

    with ended_by_signals():
        engine = spark_engine(KraftReplay(with_entities=False), master, None, while_loading=True)
        return _judged(engine, path), engine.jobs.context


def spark_compacted(path: str, _context: Any) -> dict[str, Any]:
    """Write a snapshot, in Spark."""
    from tempfile import TemporaryDirectory

    from kraftpy.audit.compaction.run import compact

    with TemporaryDirectory() as out:
        return {"records": compact([path], Path(out), engine="spark").records}


def _judged(engine: Any, path: str) -> dict[str, Any]:
    from kraftpy.audit.engines.asking import ClusterQuery, Wanted
    from kraftpy.audit.engines.protocol import AsOf
    from kraftpy.audit.findings import judge
    from kraftpy.audit.log_volume import growth_queries, read_growth
    from kraftpy.audit.rules import choose_rules
    from kraftpy.audit.rules.rule import count_query

    rules = choose_rules(None)
    counted = ClusterQuery(
        "records", "SELECT cluster, SUM(records) AS n FROM record_counts GROUP BY cluster", "cluster"
    )
    engine.load([path], AsOf(), Wanted(rules, count_query, 100, (*growth_queries(), counted)))
    findings = judge(engine, rules, limit=100).findings
    read_growth(engine)
    records = sum(row["n"] for row in engine.by_cluster(counted).to_pylist())
    return {"records": int(records), "findings": len(findings)}


ALONE = {"checked": checked, "decoded": decoded, "audited": audited, "compacted": compacted}
IN_SPARK = {"checked": spark_checked, "decoded": spark_decoded, "compacted": spark_compacted}


def _end(context: Any) -> None:
    """End Spark and wait for its JVM, so that its CPU time counts as this process's children's."""
    gateway = context._gateway  # noqa: SLF001 - PySpark has no public way to wait for its JVM
    context.stop()
    gateway.shutdown()
    gateway.proc.stdin.close()
    gateway.proc.wait()


def main(work: str, master: str, path: str) -> None:
    """Do one piece of work and print how long it took."""
    from kraftpy.audit.optional_dependencies import own_process

    own_process()
    ready = time.perf_counter()
    if master == "none":
        reported = ALONE[work](path)
        done = time.perf_counter()
    elif work == "audited":
        reported, spark = spark_audited(path, master)
        done = time.perf_counter()
        _end(spark)
    else:
        from kraftpy.audit.spark import context, short_run

        spark = context(master, settings=short_run())
        spark.parallelize([0], 1).count()
        ready = time.perf_counter()
        reported = IN_SPARK[work](path, spark)
        done = time.perf_counter()
        _end(spark)
    print(json.dumps({**reported, "seconds": done - ready, "answered at": done, "RSS MB": _peak_mb()}))


def _peak_mb() -> float:
    """Return the most memory that this program had; what is known of a process counts what was copied to start it, too.

    0 where there is no /proc.
    """
    status = Path("/proc/self/status")
    lines = status.read_text().splitlines() if status.exists() else []
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("VmHWM:")), 0.0)


if __name__ == "__main__":
    main(*sys.argv[1:])
