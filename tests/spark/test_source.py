"""The data source "kraft" in Spark: from SQL alone, in partitions, with filters that reach it, and its errors."""

from __future__ import annotations

import pytest
from pyspark.errors import AnalysisException
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import StructType

from kraftpy.audit.reading.arrow import record_rows
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.splits import InputSplit
from kraftpy.audit.source.views import view_ddl, view_names, view_schema
from tests.fakes.s3 import S3
from tests.unit.audit.singly import batches


def rows_of(path) -> set[tuple]:
    """What one process reads, to compare with."""
    return {
        row
        for file in discover([str(path)])
        if file.has_batches
        for split in [InputSplit(file, 0, file.size)]
        for found in batches(split)
        for row in record_rows(split, found)
    }


@pytest.mark.landing
def test_sql_alone_reads_typed_views(spark, histories):
    """Nothing registers the source here: PySpark finds it."""
    spark.sql(f"CREATE TEMPORARY VIEW t USING kraft OPTIONS (path '{histories.GOLDEN}', view 'partitions')")
    rows = spark.sql("SELECT partition_id, replicas, problem FROM t WHERE kind = 'log' ORDER BY log_offset").toArrow()
    assert rows.to_pylist()[0] == {"partition_id": 0, "replicas": [1], "problem": None}
    assert rows.num_rows == 4


def test_tasks_split_a_log_and_give_what_one_process_gives(spark, histories, tmp_path):
    log = histories.small_log(topics=40)
    log.write(tmp_path / "__cluster_metadata-0", zeros=10_000)
    frame = spark.read.format("kraft").options(splitBytes=5000, partitionBytes=5000).load(str(tmp_path))
    found = [tuple(row.values()) for row in frame.toArrow().to_pylist()]
    assert frame.rdd.getNumPartitions() == (len(log.data) + 10_000) // 5000 + 1
    assert len(found) == log.offset
    assert set(found) == rows_of(tmp_path)


def test_tasks_read_a_bucket_by_ranges_of_their_own(spark, histories, tmp_path):
    """A remote table lacks rows, or every task fetches the whole object; workers have the keys of conftest."""
    log = histories.small_log(topics=600)
    log.write(tmp_path / "__cluster_metadata-0")
    key = "backups/cluster=a/node=1/__cluster_metadata-0/00000000000000000000.log"
    third = len(log.data) // 3 + 1
    with S3("bucket", {key: log.data}) as s3:
        frame = spark.read.format("kraft").options(splitBytes=third, partitionBytes=1).load(s3.uri("backups"))
        table = frame.select("cluster", "offset", "raw").toArrow().sort_by("offset")
    (path,) = tmp_path.rglob("*.log")
    expected = sorted((row[5], row[15]) for row in rows_of(path))
    assert set(table["cluster"].to_pylist()) == {"a"}
    assert list(zip(table["offset"].to_pylist(), table["raw"].to_pylist(), strict=True)) == expected
    assert {asked for asked, _, _ in s3.reads} == {key}
    begins = [begin for _, begin, _ in s3.reads]
    # A read without a range would begin at -1; of the tasks, only the first one reads what is before its own third.
    assert min(begins) == 0
    assert sum(begin < third for begin in begins) == 1
    assert max(begins) >= 2 * third


def test_filters_reach_the_source_where_asked_for_and_its_errors_reach_the_user(spark, histories, tmp_path):
    for node in (1, 2):
        histories.small_log().write(tmp_path / f"node={node}" / "__cluster_metadata-0")
    (tmp_path / "node=2" / "__cluster_metadata-0" / "00000000000000000000.log").write_bytes(b"nonsense")

    def frame(pushdown):
        return spark.read.format("kraft").options(mode="FAILFAST", pushdown=pushdown).load(str(tmp_path))

    condition = "node = '1' AND type = 'TOPIC_RECORD' AND offset BETWEEN 8 AND 20 AND fields LIKE '%topic%'"
    assert {row["offset"] for row in frame("true").where(condition).toArrow().to_pylist()} == {
        row[5] for row in rows_of(tmp_path / "node=1") if row[12] == "TOPIC_RECORD" and 8 <= row[5] <= 20
    }
    with pytest.raises(Exception, match="mode PERMISSIVE shows it as a row"):
        frame("false").where(condition).toArrow()


def test_the_traceback_of_a_missing_path_ends_with_its_name(spark, tmp_path):
    """Spark adds the SQLSTATE: the line above it is what a user has to read, and docs/spark.md says so."""
    missing = tmp_path / "missing"
    with pytest.raises(AnalysisException) as raised:
        spark.read.format("kraft").load(str(missing)).count()
    *_, last, state = str(raised.value).splitlines()
    assert last.startswith(f"kraftpy.audit.reading.filesystem.InputError: {missing} is not there: name segments, ")
    assert state.strip().startswith("SQLSTATE: ")


def test_queries_over_one_frame_do_not_get_each_others_rows_unless_pushdown_is_asked_for(spark, histories):
    """What PySpark 4.3 does with pushed filters, which is why they are off: the second half fails once it is mended."""

    def counts(pushdown):
        frame = spark.read.format("kraft").option("pushdown", pushdown).load(str(histories.GOLDEN))
        return frame.where("type = 'TOPIC_RECORD'").count(), frame.count()

    assert counts("false") == (3, 84)
    assert counts("true") == (3, 3)


def test_a_schema_of_fewer_columns_is_all_that_is_made(spark, histories):
    frame = spark.read.format("kraft").schema("offset BIGINT, type STRING").load(str(histories.GOLDEN))
    assert frame.columns == ["offset", "type"]
    assert frame.where("type = 'CLIENT_QUOTA_RECORD'").count() == 1


@pytest.mark.usefixtures("spark")
def test_schemas_for_spark_and_arrow_are_the_same():
    for view in view_names():
        assert StructType.fromDDL(view_ddl(view)) == from_arrow_schema(view_schema(view)), view
