"""Replay spread over 1, 2 and 8 buckets gives what one process gives: the Spark engine's tasks, without Spark."""

from __future__ import annotations

import tempfile
from collections import defaultdict
from pathlib import Path

import pyarrow as pa
import pyarrow.compute as pc
from hypothesis import given, settings
from hypothesis import strategies as st

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines import spark as tasks
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.reading.discovery import discover
from kraftpy.audit.reading.first_pass import first_passes, joined
from kraftpy.audit.reading.reader import files_of_replay, replay_entries
from kraftpy.audit.reading.rows import TOPIC_KEY
from kraftpy.audit.reading.splits import split_groups_of
from kraftpy.audit.replay import KraftReplay
from kraftpy.audit.replay.replay import replay_shards
from tests.unit.audit import histories
from tests.unit.audit.test_compaction import log_of
from tests.unit.image.histories import HISTORIES

ORDER = [("cluster", "ascending"), ("node", "ascending"), ("rank", "ascending"), ("position", "ascending"),
         ("offset", "ascending")]  # fmt: skip


def spread(replay, files, outlines, buckets: int, cell_bytes: int) -> dict[str, list[str]]:
    """Do what the Spark engine does: tasks over bundles, a shuffle by bucket, a sort, tasks over buckets."""
    ranks = {
        file.path: (rank, buckets) for node in outlines for rank, file in enumerate(files_of_replay(files, node))
    }  # fmt: skip
    bundles = split_groups_of(
        [file for file in files if file.path in ranks], cell_bytes=cell_bytes, bundle_bytes=cell_bytes
    )
    entries = [
        batch
        for bundle in reversed(bundles)
        for batch in tasks._entry_task(bundle, replay=replay, takers=outlines, ranks=ranks)
    ]
    tables = defaultdict(list)
    if not entries:
        return tables
    everything = pa.Table.from_batches(entries)
    for bucket in range(buckets):
        mine = everything.filter(pc.equal(everything["bucket"], bucket)).sort_by(ORDER)
        for blobs in tasks._replay_task(iter(mine.to_batches(5)), replay=replay, outlines=outlines):
            for index, name in enumerate(blobs.column("name").to_pylist()):
                for batch in tasks._unpack_task(iter([blobs.slice(index, 1)])):
                    tables[name] += map(repr, batch.to_pylist())
    return {name: sorted(rows) for name, rows in tables.items()}


def test_topics_are_asked_only_where_one_was_removed(tmp_path):
    """The plan is the same as when every mark is looked at; a name that is taken away is found."""
    histories.small_log().write(tmp_path / "cluster=removes" / "node=1" / "__cluster_metadata-0")
    keeps = histories.LogWriter().lead().add(*histories.topic_values(1, 1)).add(*histories.topic_values(2, 1))
    keeps.write(tmp_path / "cluster=keeps" / "node=1" / "__cluster_metadata-0")
    passes = first_passes([file for file in discover([str(tmp_path)]) if file.has_batches], None)
    spans, marks = joined(passes)
    topics = [mark.cluster for mark in marks if not mark.entry.control and mark.entry.api_key == TOPIC_KEY]
    every = [mark for each in passes for mark in each.marks]
    planned = KraftReplay().plan(spans, marks, AsOf())
    assert set(topics) == {"removes"}
    assert len(every) == len(marks) + 2
    assert planned == KraftReplay().plan(spans, every, AsOf())
    assert {each.cluster: bool(each.removals) for each in planned.outlines} == {"removes": True, "keeps": False}


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
        outlines = {(each.cluster, each.node): each for each in planned.outlines}
        expected = defaultdict(list)
        for node, outline in outlines.items():
            entries = replay_entries(files_of_replay(files, node), outline.takes)
            for table, row in replay_shards(outline, entries):
                names = [column.name for column in replay.tables[table]]
                expected[table].append(repr(dict(zip(names, row, strict=True))))
        plain = {name: sorted(rows) for name, rows in expected.items()}
        assert plain["features"]
        for buckets, cell_bytes in ((1, 10**9), (2, 700), (8, 150)):
            assert spread(replay, files, outlines, buckets, cell_bytes) == plain
