"""Count the records of metadata logs and snapshots with Spark, by cluster, node and type.

    python docs/examples/audit_with_spark.py DIRECTORY

DIRECTORY is what `kraftpy quickstart` wrote, a directory of `log.dirs`, or a backup, of kraftpy or of Kafka; globs and
remote storage are in docs/spark.md. It needs Java 17 or newer and `pip install 'kraftpy[spark]'`. It only reads.
"""

import sys

from kraftpy.audit.spark import session


def main(path: str) -> None:
    """Print one row per cluster, node and type of record."""
    # Any session of your own does as well: PySpark finds the data source "kraft" by itself.
    spark = session("local[1]", settings={"spark.sql.shuffle.partitions": "1"})
    try:
        # One row per record. Bytes that cannot be read are rows of type CORRUPT, and no error.
        spark.read.format("kraft").load(path).createOrReplaceTempView("records")
        summary = spark.sql(
            """
            SELECT cluster, node, type, count(*) AS records, min(offset) AS first, max(offset) AS last
            FROM records
            GROUP BY cluster, node, type
            ORDER BY cluster, node, first, type
            """
        )
        summary.show(n=1000, truncate=False)
    finally:
        spark.stop()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(sys.argv[1])
