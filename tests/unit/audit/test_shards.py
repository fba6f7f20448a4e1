"""Replay spread over 1, 2 and 8 buckets gives what one process gives: the Spark engine's tasks, without Spark."""

from __future__ import annotations

import pickle
import tempfile
from collections import defaultdict
from functools import partial
from pathlib import Path

import pyarrow as pa
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines import buckets as sending
from kraftpy.audit.engines import cut_clusters as tasks
from kraftpy.audit.engines.blobs import unpack_task
from kraftpy.audit.engines.cluster_groups import cluster_groups
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay, replay_entries
from kraftpy.audit.reading.rows import TOPIC_KEY
from kraftpy.audit.reading.splits import split_groups
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.replay.replay import replay_shards
from tests.unit.audit import histories
from tests.unit.audit.test_compaction import log_of
from tests.unit.image.histories import HISTORIES


def spread(replay, files, plans, buckets: int, split_bytes: int) -> dict[str, list[str]]:
    """Do what the Spark engine does: tasks over groups, a shuffle by bucket, tasks over buckets."""
    ranks = {file.path: rank for node in plans for rank, file in enumerate(files_of_replay(files, node))}
    groups = split_groups(
        [file for file in files if file.path in ranks], split_bytes=split_bytes, group_bytes=split_bytes
    )
    numbered = [sending.Bucket(node, number) for node in plans for number in range(buckets)]
    sent = [
        pickle.loads(pickle.dumps(each))
        for group in reversed(groups)
        for each in sending.send_task(
            group, replay=replay, takers=plans, ranks=ranks, buckets=sending.numbered(numbered)
        )
    ]
    task = partial(tasks.replay_bucket, replay=replay, plans=plans, groups_of=cluster_groups(files, 1))
    blobs = [
        blob
        for partition in range(len(numbered))
        for blob in sending.bucket_task(partition, [each for each in sent if each[0] == partition], numbered, task)
    ]
    return rows_of(replay, blobs)


def together(replay, files, plans) -> dict[str, list[str]]:
    """Do what the Spark engine does with small nodes: the task that reads their files replays them."""
    nodes = [(plan, files_of_replay(files, node)) for node, plan in plans.items()]
    return rows_of(replay, tasks.replay_task((0, nodes), replay=replay))


def rows_of(replay, blobs) -> dict[str, list[str]]:
    tables = defaultdict(list)
    for blob in blobs:
        payloads = pa.RecordBatch.from_arrays([pa.array([blob.payload])], names=["payload"])
        for batch in unpack_task(iter([payloads]), replay.tables[blob.name]):
            tables[blob.name] += map(repr, batch.to_pylist())
    return {name: sorted(rows) for name, rows in tables.items()}


def test_topics_are_asked_only_where_one_was_removed(tmp_path):
    """The plan is the same as when every item is looked at; a name that is taken away is found."""
    histories.small_log().write(tmp_path / "cluster=removes" / "node=1" / "__cluster_metadata-0")
    keeps = histories.LogWriter().lead().add(*histories.topic_values(1, 1)).add(*histories.topic_values(2, 1))
    keeps.write(tmp_path / "cluster=keeps" / "node=1" / "__cluster_metadata-0")
    passes = first_passes([file for file in discover([str(tmp_path)]) if file.has_batches], None)
    summaries, control_entries = joined(passes)
    topics = [item.cluster for item in control_entries if not item.entry.control and item.entry.api_key == TOPIC_KEY]
    every = [item for each in passes for item in each.control_entries]
    planned = KraftReplay().plan(summaries, control_entries, AsOf())
    assert set(topics) == {"removes"}
    assert len(every) == len(control_entries) + 2
    assert planned == KraftReplay().plan(summaries, every, AsOf())
    assert {each.cluster: bool(each.removals) for each in planned.plans} == {"removes": True, "keeps": False}


@settings(max_examples=40, deadline=None)
@given(HISTORIES, st.lists(st.integers(1, 7), min_size=1, max_size=5), st.booleans(), st.booleans())
def test_buckets_and_cells_change_nothing(records, sizes, with_snapshot, with_entities):
    replay = KraftReplay(with_entities=with_entities)
    log = log_of(records, sizes)
    with tempfile.TemporaryDirectory() as directory:
        home = Path(directory, "__cluster_metadata-0")
        log.write(home)
        if with_snapshot:
            compact([directory], home, engine="local")
        files = [file for file in discover([directory]) if file.has_batches]
        planned = replay.plan(*joined(first_passes(files, None)), AsOf())
        plans = {(each.cluster, each.node): each for each in planned.plans}
        expected = defaultdict(list)
        for node, plan in plans.items():
            entries = replay_entries(files_of_replay(files, node), plan.takes)
            for table, row in replay_shards(plan, entries):
                names = [column.name for column in replay.tables[table]]
                expected[table].append(repr(dict(zip(names, row, strict=True))))
        plain = {name: sorted(rows) for name, rows in expected.items()}
        assert plain["features"]
        for buckets, split_bytes in ((1, 10**9), (2, 700), (8, 150)):
            assert spread(replay, files, plans, buckets, split_bytes) == plain
        assert together(replay, files, plans) == plain
