"""Corrupt files in Spark: what one process says of them (``tests/audit/test_corruption.py`` judges that), row for row.

Files are cut into splits of a few bytes here, so that corruption lies in, before and across splits.
"""

from __future__ import annotations

import os

import pytest

from kraftpy.audit.engines.local import LocalEngine
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.engines.spark import SparkEngine
from kraftpy.audit.findings import judge
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.rules import all_rules
from tests.audit.corruption import write_corrupt

pytestmark = pytest.mark.landing

REPLAY = KraftReplay(b"salt")
STEP = 71
CORRUPTION = (
    "files",
    "batches",
    "properties",
    "states",
    "snapshots",
    "snapshot_differences",
    "record_problems",
    "entities",
)
FIRST = "00000000000000000000.log"


def rows_of(engine, name: str) -> list[str]:
    return sorted(map(repr, engine.sql(f"SELECT * FROM {name}").to_pylist()))


def in_pieces(spark) -> SparkEngine:
    """Files are cut into splits, and the records of each node go to tasks that replay them."""
    return SparkEngine(REPLAY, spark.sparkContext, split_bytes=150, bucket_bytes=20_000, whole_bytes=0)


def test_cuts_and_flips_are_to_spark_what_they_are_to_one_process(spark, tmp_path):
    """A cut or a flipped bit ends Spark's work, is passed over by it, or gives another state."""
    cases = write_corrupt(tmp_path, STEP)
    local, engine = LocalEngine(REPLAY), in_pieces(spark)
    for each in (local, engine):
        each.load([str(tmp_path)], AsOf())
    for name in CORRUPTION:
        assert rows_of(engine, name) == rows_of(local, name), name
    assert len({row["cluster"] for row in local.sql("SELECT cluster FROM states").to_pylist()}) == len(cases) > 30
    assert len({row["cluster"] for row in local.sql("SELECT * FROM batches WHERE problem > ''").to_pylist()}) > 20
    local.close()
    engine.close()


@pytest.mark.campaign
@pytest.mark.timeout(3600)
def test_spark_finds_every_corruption_that_one_process_finds(spark, tmp_path):
    """All rules over many cuts and flips: ``CORRUPTION_STEP`` says how many bytes apart."""
    write_corrupt(tmp_path, int(os.environ.get("CORRUPTION_STEP", "5")))
    local, engine = LocalEngine(REPLAY), in_pieces(spark)
    for each in (local, engine):
        each.load([str(tmp_path)], AsOf())
    here = judge(local, all_rules(), limit=100_000)
    rules = [rule for rule in all_rules() if rule.id in here.totals]
    there = judge(engine, rules, limit=100_000)
    assert there.totals == here.totals
    assert sorted(map(repr, there.findings)) == sorted(map(repr, here.findings))
    assert len(here.findings) > 100
    local.close()
    engine.close()


@pytest.mark.parametrize("name", ["local", "spark"])
def test_files_that_grow_shrink_or_vanish_while_they_are_read(name, request, histories, tmp_path):
    """A file that is another one than it was listed as ends the work, or passes for what it was."""
    log = histories.small_log(topics=6)
    more = histories.LogWriter(log.offset, 1).add(*histories.topic_values(77))
    paths = {
        cluster: log.write(tmp_path / f"cluster={cluster}" / "node=1" / "__cluster_metadata-0")
        for cluster in ("calm", "grows", "shrinks", "vanishes", "wiped")
    }

    def change(*_: object) -> None:
        """Be the live node: all at once, after the files were listed and before the first byte is read."""
        if paths["vanishes"].exists():
            paths["grows"].write_bytes(log.data + more.data)
            paths["shrinks"].write_bytes(log.data[:-10])
            paths["wiped"].write_bytes(b"")
            paths["vanishes"].unlink()

    engine = (
        SparkEngine(REPLAY, request.getfixturevalue("spark").sparkContext, change)
        if name == "spark"
        # One process reports its progress after its first file, which is that of the calm cluster.
        else LocalEngine(REPLAY, change)
    )
    engine.load([str(tmp_path)], AsOf())
    problems = engine.sql("SELECT cluster, problem FROM batches WHERE problem IS NOT NULL ORDER BY 1, 2").to_pylist()
    assert [(row["cluster"], row["problem"]) for row in problems] == [
        ("shrinks", "cut-off"), ("shrinks", "shrunk"), ("vanishes", "unreadable"), ("wiped", "shrunk"),
    ]  # fmt: skip
    states = {row["cluster"]: row["until_offset"] for row in engine.sql("SELECT * FROM states").to_pylist()}
    topics = {
        row["cluster"]: row["n"]
        for row in engine.sql("SELECT cluster, COUNT(*) AS n FROM topics GROUP BY cluster").to_pylist()
    }
    assert states["calm"] == states["grows"] == log.offset
    assert topics["calm"] == topics["grows"] == 5
    assert states["shrinks"] < log.offset
    assert (states["vanishes"], topics.get("vanishes")) == (states["wiped"], topics.get("wiped")) == (0, None)
    engine.close()


@pytest.mark.campaign
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", ["local", "spark"])
def test_files_of_0_bytes_and_of_more_than_2_gib(name, request, histories, tmp_path):
    """An empty file ends the work; a position beyond 2 GiB is another one than it was.

    Zeros are read several times here: seconds of work that ``tests/unit/audit/test_reading.py`` does without.
    """
    log = histories.small_log(topics=6)
    beyond = 2**31 + 5
    after = histories.LogWriter(log.offset, 1).add(*histories.topic_values(77))
    for cluster, data in (("room", b""), ("gap", after.data)):
        path = log.write(tmp_path / f"cluster={cluster}" / "node=1" / "__cluster_metadata-0")
        with path.open("r+b") as file:
            # Space that was allocated ahead; nothing of it is on the disk.
            file.truncate(beyond)
            file.seek(beyond)
            file.write(data)
    empty = tmp_path / "cluster=empty" / "node=1" / "__cluster_metadata-0"
    empty.mkdir(parents=True)
    (empty / FIRST).touch()
    (empty / "00000000000000000009-0000000001.checkpoint").touch()
    engine = (
        SparkEngine(REPLAY, request.getfixturevalue("spark").sparkContext) if name == "spark" else LocalEngine(REPLAY)
    )
    engine.load([str(tmp_path)], AsOf())
    problems = engine.sql("SELECT * FROM batches WHERE problem IS NOT NULL ORDER BY cluster").to_pylist()
    assert [(row["cluster"], row["problem"], row["position"], row["size"]) for row in problems] == [
        ("empty", "no-header", 0, 0), ("gap", "bad-header", len(log.data), beyond - len(log.data)),
    ]  # fmt: skip
    (last,) = engine.sql(f"SELECT cluster, base_offset FROM batches WHERE position > {2**31}").to_pylist()
    assert last == {"cluster": "gap", "base_offset": log.offset}
    states = {row["cluster"]: row["until_offset"] for row in engine.sql("SELECT * FROM states").to_pylist()}
    assert states == {"empty": 0, "gap": log.offset, "room": log.offset}
    engine.close()
