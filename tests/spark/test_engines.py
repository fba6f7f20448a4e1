"""Spark's answers are those of one process, row for row, however files and shards are spread."""

from __future__ import annotations

import fcntl
import os
from uuid import uuid4

import pytest
from hypothesis import HealthCheck, Phase, assume, given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines.asking import NOTHING, Wanted
from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.findings import judge
from kraftpy.audit.log_volume import growth_queries, read_growth
from kraftpy.audit.reading.filesystem import InputError
from kraftpy.audit.replay import REPLAY, KraftReplay
from kraftpy.audit.rules import all_rules
from kraftpy.records.metadata import (
    BeginTransactionRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    RegisterBrokerRecord,
    UserScramCredentialRecord,
)
from tests.unit.audit.test_compaction import log_of
from tests.unit.image.histories import HISTORIES


@pytest.fixture(scope="module")
def fleet(tmp_path_factory, histories):
    """Two clusters: one of two nodes with segments, snapshots and a transaction, one with a corrupt log."""
    root = tmp_path_factory.mktemp("fleet")
    value = histories.value
    for node in (1, 2):
        home = root / "cluster=a" / f"node={node}" / "__cluster_metadata-0"
        log = histories.small_log(topics=30)
        log.write(home, zeros=4096)
        more = histories.LogWriter(log.offset, 2)
        more.add(value(BeginTransactionRecord("t")), *histories.topic_values(500))
        more.add(*histories.topic_values(501), value(EndTransactionRecord()))
        more.add(value(UserScramCredentialRecord("u", 1, b"salt", b"stored", b"server", 4096)))
        more.add(b"\x01\xd8\x04\x00\x00")
        more.write(home)
        histories.write_snapshot(
            home, [value(FeatureLevelRecord("metadata.version", 29)), *histories.topic_values(3)], 40, 1
        )
    home = root / "cluster=b" / "node=1" / "__cluster_metadata-0"
    log = histories.small_log(topics=5)
    log.add(b"\x01\x02\x00\xff", value(RegisterBrokerRecord(broker_id=9)))
    data = bytearray(log.data)
    data[len(data) // 2] ^= 4
    log.write(home).write_bytes(data)
    return root


def tables_of(engine, paths):
    names = engine.load([str(path) for path in paths], AsOf())
    return {name: sorted(map(repr, engine.sql(f"SELECT * FROM {name}").to_pylist())) for name in names}


@pytest.mark.landing
def test_tables_are_those_of_one_process_although_files_and_shards_are_spread(spark, histories, fleet):
    paths = [fleet, histories.GOLDEN]
    local = LocalEngine(REPLAY)
    expected = tables_of(local, paths)
    assert {name for name, rows in expected.items() if rows} >= {
        "files", "batches", "records", "properties", "record_counts", "topics", "partitions", "partition_replicas",
        "snapshot_differences", "record_problems", "transactions", "growth", "scram_users", "entities",
    }  # fmt: skip
    engine = SparkEngine(
        REPLAY, spark.sparkContext, split_bytes=4000, bucket_bytes=900, whole_bytes=4500, near_bytes=20_000
    )
    found = tables_of(engine, paths)
    assert found.keys() == expected.keys()
    for name, rows in expected.items():
        assert found[name] == rows, name
    # Both ways of keeping a table were gone: in Spark, and at the driver.
    assert jobs_of(spark, lambda: engine.sql("SELECT * FROM batches"))
    assert not jobs_of(spark, lambda: engine.sql("SELECT * FROM properties"))
    # A query of both is Spark's, which did not know the small one before.
    both = (
        "SELECT p.cluster, p.key, COUNT(*) AS n FROM batches b JOIN properties p ON b.cluster = p.cluster "
        "GROUP BY p.cluster, p.key ORDER BY p.cluster, p.key"
    )
    assert engine.sql(both).to_pylist() == local.sql(both).to_pylist() != []
    engine.close()


@pytest.mark.landing
def test_what_the_logs_consist_of_is_asked_where_the_tables_are(spark, fleet):
    """The clusters that are not cut are replayed again and sent through Spark's JVM, because another one is cut."""
    local = LocalEngine(REPLAY)
    local.load([str(fleet)], AsOf())
    expected = read_growth(local)
    assert expected.by_type
    assert {row["cluster"] for row in expected.by_hour} == {"a", "b"}
    for wanted in (NOTHING, Wanted(queries=growth_queries())):
        engine = SparkEngine(REPLAY, spark.sparkContext, whole_bytes=4500, near_bytes=500)
        engine.load([str(fleet)], AsOf(), wanted)
        found = []
        jobs = jobs_of(spark, lambda engine=engine, found=found: found.append(read_growth(engine)))
        assert found == [expected]
        # One of the clusters that are cut for each query, and one of the others unless they were asked before.
        assert len(jobs) <= len(growth_queries()) * (2 if wanted is NOTHING else 1)
        assert engine._whole_blobs is None
        engine.close()
    local.close()


def test_questions_about_a_small_fleet_cost_spark_no_job(spark, fleet):
    """Each rule makes jobs of Spark's for tables of a few rows, which take minutes instead of seconds."""
    engine = SparkEngine(KraftReplay(b"salt", with_entities=False), spark.sparkContext)
    loading = jobs_of(spark, lambda: engine.load([str(fleet)], AsOf()))
    verdicts = []
    assert not jobs_of(spark, lambda: verdicts.append(judge(engine, all_rules())))
    engine.close()
    assert len(loading) < 20
    local = LocalEngine(KraftReplay(b"salt", with_entities=False))
    local.load([str(fleet)], AsOf())
    assert verdicts[0].findings == judge(local, all_rules()).findings
    assert len(verdicts[0].findings) > 3
    local.close()


def test_files_that_only_the_driver_can_read_are_no_finding(spark, fleet):
    """Every file of a driver's own disk is called corrupt, because the workers do not have that disk."""
    directory = os.open(fleet, os.O_RDONLY)
    # A directory of this process alone: workers have no such descriptor.
    mine = fcntl.fcntl(directory, fcntl.F_DUPFD_CLOEXEC, 900)
    engine = SparkEngine(REPLAY, spark.sparkContext)
    try:
        with pytest.raises(InputError, match=r"^a worker reports that .*\.log cannot be read .*; here it can be read"):
            engine.load([f"/proc/self/fd/{mine}"], AsOf())
    finally:
        engine.close()
        os.close(mine)
        os.close(directory)


def jobs_of(spark, work):
    """The jobs that Spark ran for some work."""
    context = spark.sparkContext
    group = f"jobs of {uuid4()}"
    context.setJobGroup(group, group)
    try:
        work()
        return context.statusTracker().getJobIdsForGroup(group)
    finally:
        context.setLocalProperty("spark.jobGroup.id", None)


def write_histories(root, histories, drawn):
    """A cluster for each history, some with a snapshot beside the log, and one whose topics are plain."""
    histories.small_log(20).write(root / "cluster=plain" / "node=1" / "__cluster_metadata-0")
    for number, (records, sizes, with_snapshot) in enumerate(drawn):
        home = root / f"cluster=h{number}" / "node=1" / "__cluster_metadata-0"
        log_of(records, sizes).write(home)
        if with_snapshot:
            compact([str(home)], home, engine="local")


STATE = (
    "topics", "partitions", "partition_replicas", "growth", "record_problems", "configs", "brokers", "topic_history",
    "snapshot_differences", "transactions", "epoch_steps", "quotas", "acls",
)  # fmt: skip
DRAWN = st.tuples(HISTORIES, st.lists(st.integers(1, 7), min_size=1, max_size=5), st.booleans())


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@settings(
    max_examples=1, deadline=None, database=None, phases=[Phase.generate], suppress_health_check=list(HealthCheck)
)
@given(st.lists(DRAWN, min_size=12, max_size=12))
def test_generated_histories_are_judged_alike_in_1_2_and_8_partitions(spark, histories, tmp_path_factory, drawn):
    """Twelve histories make one fleet, because loading one costs Spark seconds: ``-m campaign`` asks for this."""
    assume(sum(bool(records) for records, _, _ in drawn) > 6)
    root = tmp_path_factory.mktemp("histories")
    write_histories(root, histories, drawn)
    replay = KraftReplay(b"salt", with_entities=False)
    local = LocalEngine(replay)
    expected = tables_of(local, [root])
    total = sum(row["size"] for row in local.sql("SELECT size FROM files").to_pylist())
    asked = [name for name in STATE if expected[name]]
    assert {"partition_replicas", "growth"} <= set(asked)
    for partitions in (1, 2, 8):
        engine = SparkEngine(
            replay,
            spark.sparkContext,
            split_bytes=1 + total // partitions,
            bucket_bytes=1 + total // partitions // 50,
            whole_bytes=0,
        )
        engine.load([str(root)], AsOf())
        for name in asked:
            assert sorted(map(repr, engine.sql(f"SELECT * FROM {name}").to_pylist())) == expected[name], name
        engine.close()
