"""The state as of an offset is the state of the log that ends there."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.audit.engines.protocol import AsOf
from kraftpy.records.file_names import segment_file_name
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClearElrRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    PartitionChangeRecord,
    RemoveTopicRecord,
)
from tests.unit.audit.histories import LogWriter, topic_id, topic_values, value
from tests.unit.audit.test_vectors import tables_of

STATE = ("topics", "partitions", "partition_replicas", "configs", "features", "topic_history")

RECORDS = [
    value(FeatureLevelRecord("metadata.version", 30)),
    *topic_values(7, 2),
    value(ConfigRecord(2, "topic-00007", "retention.ms", "5")),
    value(PartitionChangeRecord(partition_id=1, topic_id=topic_id(7), isr=[1], eligible_leader_replicas=[2])),
    value(ClearElrRecord("topic-00007")),
    value(RemoveTopicRecord(topic_id(7))),
    value(BeginTransactionRecord("a")),
    value(FeatureLevelRecord("metadata.version", 31)),
    *topic_values(8, 2),
    value(ConfigRecord(2, "topic-00008", "retention.ms", "6")),
    value(EndTransactionRecord()),
    value(BeginTransactionRecord("b")),
    value(RemoveTopicRecord(topic_id(8))),
    value(AbortTransactionRecord("no")),
    value(BeginTransactionRecord("c")),
    value(RemoveTopicRecord(topic_id(8))),
    value(EndTransactionRecord()),
]
"""Each of them ends or begins something: a topic with its configs, a level, a transaction, eligible leaders."""


@pytest.mark.parametrize("by_vectors", [False, True], ids=["singly", "by columns"])
def test_a_state_as_of_an_offset_is_that_of_the_log_that_ends_there(tmp_path, by_vectors):
    """For every offset: records at or after it have no effect."""
    log = LogWriter()
    cut = []
    for each in RECORDS:
        log.add(each)
        log.write(tmp_path / str(log.offset))
        cut.append(state_of(tmp_path / str(log.offset), AsOf(), by_vectors))
    assert len(set(map(repr, cut))) > 6, "the state changes on the way"
    for offset, expected in enumerate(cut, 1):
        assert state_of(tmp_path / str(log.offset), AsOf(offset), by_vectors) == expected, offset


def state_of(directory: Path, as_of: AsOf, by_vectors: bool) -> dict[str, list[str]]:
    """The tables of a state, without the place where their files are."""
    tables = tables_of(directory / segment_file_name(0), as_of, by_vectors=by_vectors)
    return {name: [row.replace(str(directory), "") for row in tables[name]] for name in STATE}
