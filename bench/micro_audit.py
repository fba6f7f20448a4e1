"""``fields`` three ways in Spark, and records cut by vectors and by the loop: CPU seconds, no cluster.

Called as ``python -m bench.micro_audit [PARTITIONS [RUNS]]``. The same snapshot is read through the data source with
``fields`` as it is (a JSON string), then turned into VARIANT by Spark (``parse_json``: to give VARIANT itself, workers
would have to make its binary form in Python), and through the typed view, whose columns are a struct's. One field is
then asked for, of every record. What a query costs is the CPU time of this process, of the JVM and of Spark's workers;
what is the same for all of them is shown as well (the records are read, and nothing is asked of them).
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import patch

from bench.audit_data import write_snapshot
from bench.proc import TreeClock

RUNS = 3
NOTHING = "SELECT count(*) FROM kraft_records WHERE type = 'PARTITION_RECORD' AND length(fields) > 1"
JSON = "SELECT sum(CAST(get_json_object(fields, '$.leader') AS INT)) FROM kraft_records WHERE type = 'PARTITION_RECORD'"
VARIANT = (
    "SELECT sum(variant_get(parse_json(fields), '$.leader', 'int')) FROM kraft_records WHERE type = 'PARTITION_RECORD'"
)
STRUCT = "SELECT sum(leader) FROM kraft_partitions"
KEPT_JSON = "SELECT sum(CAST(get_json_object(fields, '$.leader') AS INT)) FROM kept_json"
KEPT_VARIANT = "SELECT sum(variant_get(fields, '$.leader', 'int')) FROM kept_variant"


def best(work: Callable[[], Any], clock: Callable[[], float] = time.process_time, runs: int = RUNS) -> float:
    times = []
    for _ in range(runs):
        started = clock()
        work()
        times.append(clock() - started)
    return min(times)


def cutting(path: Path, records: int) -> None:
    from kraftpy.audit.reading import reader
    from kraftpy.audit.reading.discovery import discover
    from kraftpy.audit.reading.first_pass import first_pass
    from kraftpy.audit.reading.splits import InputSplit

    (file,) = discover([str(path)])
    split = InputSplit(file, 0, file.size)
    for name, by_vectors in (("vectors", True), ("the loop", False)):
        with patch.object(reader, "has_vectors", lambda by=by_vectors: by):
            seconds = best(lambda: first_pass(split))
        print(f"first pass by {name}: {records / seconds:,.0f} records/CPU s")


def in_spark(path: Path, records: int, runs: int) -> None:
    from kraftpy.audit.source.datasource import make_views
    from kraftpy.audit.spark import session

    spark = session("local[2]", settings={"spark.driver.memory": "2g"})
    clock = TreeClock(os.getpid())
    make_views(spark, str(path))
    base = "SELECT {} AS fields FROM kraft_records WHERE type = 'PARTITION_RECORD'"
    for name, expression in (("kept_json", "fields"), ("kept_variant", "parse_json(fields)")):
        spark.sql(base.format(expression)).cache().createOrReplaceTempView(name)
        spark.table(name).count()
    for name, query in (
        ("read, nothing asked", NOTHING), ("read, JSON string", JSON), ("read, VARIANT from it", VARIANT),
        ("read, typed view (struct)", STRUCT),
        ("in memory, JSON string", KEPT_JSON), ("in memory, VARIANT", KEPT_VARIANT),
    ):  # fmt: skip
        seconds = best(lambda text=query: spark.sql(text).collect(), clock, runs)
        print(f"{name}: {seconds:.1f} CPU s, {records / seconds:,.0f} records/CPU s", flush=True)
    spark.stop()


def main() -> None:
    partitions = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    runs = int(sys.argv[2]) if len(sys.argv) > 2 else RUNS
    with tempfile.TemporaryDirectory() as scratch:
        records = write_snapshot(Path(scratch), partitions)
        cutting(Path(scratch), records)
        in_spark(Path(scratch), records, runs)


if __name__ == "__main__":
    main()
