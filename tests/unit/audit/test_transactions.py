"""A transaction counts at its end, its records in their order: replay, histories and compaction against the service."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import pytest

from kraftpy.audit.compaction.run import compact
from kraftpy.audit.engines.protocol import AsOf
from kraftpy.audit.history import history
from kraftpy.records.batch import Batch, encode_control_batch
from kraftpy.records.control import KRaftVersionRecord
from kraftpy.records.file_names import segment_file_name
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    BrokerHostRecord,
    ClearElrRecord,
    ConfigRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    NoOpRecord,
    PartitionChangeRecord,
    Record,
    RemoveTopicRecord,
    UnregisterBrokerRecord,
    encode_for_level,
)
from tests.audit.logs import replayed
from tests.audit.test_replay import LOG, bytes_of, entities, snapshot_of
from tests.unit.audit.test_compaction import image_of_log, image_of_snapshot
from tests.unit.image.support import EPOCH, batches, broker, partition, start, topic, uuid, values_batch

BEFORE: Sequence[Record] = [*start(), topic("t", uuid(1)), partition(0, uuid(1), eligible_leader_replicas=[3])]
"""Offsets 0 to 3."""

AGAIN: Sequence[Record] = [
    RemoveTopicRecord(uuid(1)),
    topic("t", uuid(2)),
    partition(0, uuid(2), eligible_leader_replicas=[2]),
]

INSIDE: dict[str, Sequence[Record]] = {
    "a partition behind a clearing": [
        ClearElrRecord(""),
        partition(1, uuid(1), eligible_leader_replicas=[2], last_known_elr=[1]),
    ],
    "a change behind a clearing": [
        ClearElrRecord("t"),
        PartitionChangeRecord(partition_id=0, topic_id=uuid(1), eligible_leader_replicas=[2]),
    ],
    "a partition before a clearing": [partition(1, uuid(1), eligible_leader_replicas=[2]), ClearElrRecord("t")],
    "clearings on both sides": [
        ClearElrRecord(""),
        partition(1, uuid(1), eligible_leader_replicas=[2]),
        ClearElrRecord("t"),
        partition(2, uuid(1), eligible_leader_replicas=[2]),
    ],
    "a topic of the same name behind a clearing": [ClearElrRecord("t"), *AGAIN],
    "a topic of the same name before a clearing": [*AGAIN, ClearElrRecord("t")],
    "configs of a topic that was made again": [
        ConfigRecord(2, "t", "old", "1"),
        *AGAIN,
        ConfigRecord(2, "t", "new", "2"),
    ],
    "configs of a topic that was made and removed": [
        *AGAIN,
        ConfigRecord(2, "t", "lost", "1"),
        RemoveTopicRecord(uuid(2)),
        topic("t", uuid(3)),
        ConfigRecord(2, "t", "kept", "2"),
    ],
    "configs that stood before the topic": [
        RemoveTopicRecord(uuid(1)),
        ConfigRecord(2, "t", "early", "1"),
        topic("t", uuid(2)),
    ],
    "a config that was deleted and set": [ConfigRecord(4, "", "key", None), ConfigRecord(4, "", "key", "1")],
    "a broker that came again": [broker(1, 5), UnregisterBrokerRecord(1, 5), broker(1, 6)],
}


def log_of(inside: Sequence[Record], end: Record | None, sizes: int = 100) -> list[Batch]:
    """A log whose transaction begins at offset 4; ``sizes`` records to a batch inside of it."""
    control_entries = [BeginTransactionRecord("t"), *inside, *([] if end is None else [end])]
    groups = [control_entries[at : at + sizes] for at in range(0, len(control_entries), sizes)]
    return batches([*BEFORE, ConfigRecord(2, "t", "first", "0")], *groups)


def of_the_service(log: Sequence[Batch]) -> dict[tuple[str, str], str]:
    name, data = snapshot_of(log)
    return entities(replayed({("c", "1", name): data}))


@pytest.mark.parametrize("sizes", [1, 100])
@pytest.mark.parametrize("end", [EndTransactionRecord(), AbortTransactionRecord()])
@pytest.mark.parametrize("name", INSIDE)
def test_the_order_inside_a_transaction_is_that_of_the_records(name: str, end: Record, sizes: int) -> None:
    """A clearing or a removal affects later records of the same transaction, or not the earlier ones."""
    log = log_of(INSIDE[name], end, sizes)
    expected = of_the_service(log)
    for spread in (1, 8):
        tables = replayed({LOG: bytes_of(log)}, spread=spread)
        assert entities(tables) == expected
        assert tables["record_problems"] == []
    if isinstance(end, EndTransactionRecord):
        assert expected == of_the_service(batches([*BEFORE, ConfigRecord(2, "t", "first", "0"), *INSIDE[name]]))


@pytest.mark.parametrize("name", INSIDE)
def test_a_state_within_a_transaction_is_that_before_it(name: str) -> None:
    """A record counts before the end of its transaction, or a removal or a clearing does."""
    log = log_of(INSIDE[name], EndTransactionRecord(), 1)
    before, data = of_the_service(log[:1]), bytes_of(log)
    for offset in range(5, log[-1].next_offset):
        assert entities(replayed({LOG: data}, AsOf(offset=offset))) == before
    assert entities(replayed({LOG: data}, AsOf(offset=log[-1].next_offset))) != before


@pytest.mark.parametrize("name", INSIDE)
def test_snapshots_around_a_transaction_do_not_differ(name: str) -> None:
    """A snapshot taken before, at the end of or behind a transaction differs from the log in between."""
    log = log_of(INSIDE[name], EndTransactionRecord(), 1)
    log += batches([ClearElrRecord("")], first=log[-1].next_offset)
    heads = (1, len(log) - 1, len(log))
    files = {("c", "1", name): data for name, data in map(snapshot_of, (log[:head] for head in heads))}
    tables = replayed({LOG: bytes_of(log), **files})
    assert tables["snapshot_differences"] == []
    assert entities(tables) == of_the_service(log)


@pytest.mark.parametrize("name", INSIDE)
def test_compaction_keeps_the_order_inside_a_transaction(name: str, tmp_path: Path) -> None:
    """The snapshot that compaction writes is not the service's image."""
    data = bytes_of(log_of(INSIDE[name], EndTransactionRecord()))
    (tmp_path / segment_file_name(0)).write_bytes(data)
    written = compact([str(tmp_path)], tmp_path / "out", engine="local")
    assert image_of_snapshot(written.path).same_content(image_of_log(data))


def entity_history(directory: Path, log: Sequence[Batch], kind: str, name: str) -> list[tuple[int, str]]:
    """What each record of an entity's life changed, as (offset, the change's sign, kind and entity)."""
    (directory / segment_file_name(0)).write_bytes(bytes_of(log))
    steps = history([str(directory)], kind, name, AsOf())
    return [(step.offset, f"{each.sign} {each.kind} {each.entity}") for step in steps for each in step.changes]


def test_a_topics_history_has_its_clearings_in_place(tmp_path: Path) -> None:
    """A clearing is missing in a topic's history, appears in those of other topics, or affects later records."""
    inside = [
        ClearElrRecord(""),
        partition(1, uuid(1), eligible_leader_replicas=[2]),
        ClearElrRecord("other"),
        topic("other", uuid(5)),
    ]
    log = log_of(inside, EndTransactionRecord())
    log += batches([NoOpRecord(), ClearElrRecord("t")], first=log[-1].next_offset)
    assert entity_history(tmp_path, log, "topic", "t")[-4:] == [
        (4, "+ config topic:t:first"),
        (6, "~ partition t-0"),
        (7, "+ partition t-1"),
        (12, "~ partition t-1"),
    ]


@pytest.mark.parametrize("kind", ["topic", "config"])
def test_a_history_of_configs_ends_with_the_topic_and_starts_again(kind: str, tmp_path: Path) -> None:
    """Configs outlive their topic in a history, or those of the topic's successor do not live."""
    inside = INSIDE["configs of a topic that was made and removed"]
    found = entity_history(
        tmp_path, log_of(inside, EndTransactionRecord()), kind, "t" if kind == "topic" else "topic:t"
    )
    assert [each for each in found if " config " in each[1]] == [
        (4, "+ config topic:t:first"),
        (6, "- config topic:t:first"),
        (9, "+ config topic:t:lost"),
        (10, "- config topic:t:lost"),
        (12, "+ config topic:t:kept"),
    ]


def test_a_removal_that_is_refused_leaves_the_configs(tmp_path: Path) -> None:
    """The removal of a topic that is gone takes the configs of one of the same name."""
    log = batches([*BEFORE, *AGAIN, ConfigRecord(2, "t", "new", "1"), RemoveTopicRecord(uuid(1))])
    assert ("config", "topic:t:new") in entities(replayed({LOG: bytes_of(log)}))
    assert entity_history(tmp_path, log, "topic", "t")[-1] == (7, "+ config topic:t:new")


def test_a_batch_that_is_there_twice_is_one_step(tmp_path: Path) -> None:
    """A history takes the records of a duplicated batch twice, which no state does."""
    log = batches([*BEFORE], [PartitionChangeRecord(partition_id=0, topic_id=uuid(1), leader=2)])
    twice = entity_history(tmp_path, [*log, log[-1]], "topic", "t")
    assert twice == entity_history(tmp_path, log, "topic", "t")


@pytest.mark.parametrize("end", [EndTransactionRecord(), AbortTransactionRecord(), None])
def test_a_level_in_a_transaction_rules_the_records_behind_it(end: Record | None) -> None:
    """Records are called illegal that a level in their own transaction allows, or ones behind an abort are not."""
    host = encode_for_level(BrokerHostRecord("h", 1), 41)
    inside = [BeginTransactionRecord("t"), FeatureLevelRecord("metadata.version", 41), BrokerHostRecord("h", 1)]
    values = [encode_for_level(each, 41) for each in [*inside, *([] if end is None else [end])]]
    log = [*batches(start(40), level=40), values_batch(2, [*values, host])]
    found = [(row[4], row[7]) for row in replayed({LOG: bytes_of(log)})["record_problems"]]
    assert found == ([(6, 40)] if isinstance(end, AbortTransactionRecord) else [])


@pytest.mark.parametrize("end", [EndTransactionRecord(), AbortTransactionRecord(), None])
def test_control_records_are_part_of_no_transaction(end: Record | None) -> None:
    """The voters or kraft.version that are stated within a transaction count at its end, or never."""
    log = batches(start(), [BeginTransactionRecord("t"), topic()])
    offset = log[-1].next_offset
    stated = encode_control_batch([KRaftVersionRecord(0, 1)], base_offset=offset, epoch=EPOCH, timestamp_ms=1)
    behind = [] if end is None else batches([end], first=offset + 1)
    tables = replayed({LOG: bytes_of(log) + stated + bytes_of(behind)}, AsOf(offset=offset + 1))
    assert entities(tables)["feature", "kraft.version"] == '{"level":1}'
