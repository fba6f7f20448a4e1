"""States of the status page: of a healthy cluster, and one in which every text is hostile."""

from __future__ import annotations

from dataclasses import replace

from kraftpy.node.status_page.state import (
    BrokerRow,
    BrokersSection,
    ChangeRow,
    DirectoryRow,
    DiskSection,
    ElectionRow,
    NodeSection,
    PageState,
    PartitionRow,
    PartitionsSection,
    QuorumSection,
    ReplicaRow,
    RowList,
)

NOW_MS = 1_795_768_413_637
SCRIPT = "<script>document.title='owned'</script>"
IMAGE = "\"'><img src=x onerror=document.title='owned'>"
HOSTILE = (
    SCRIPT,
    IMAGE,
    "&amp;&lt;b&gt;",
    "</table></style></script><!--",
    "q" * 249,
    "\u05d0\u202eb",
    "a`${alert(1)}`",
)
"""Markup that a page must show as it is written. Control characters are escaped before they are in a state."""


def replica(node_id: int = 1, **changed) -> ReplicaRow:
    row = ReplicaRow(
        node_id=node_id,
        directory_id="AAAAAAAAAAAAAAAAAAAAAQ",
        replica_kind="voter",
        is_leader=node_id == 1,
        vote_counts=True if node_id == 1 else None,
        endpoint=f"CONTROLLER://c{node_id}:9093",
        log_end_offset=12_345,
        lag=0,
        lag_ms=0,
        last_fetch_age_ms=0,
    )
    return replace(row, **changed)


def broker(broker_id: int = 4, **changed) -> BrokerRow:
    row = BrokerRow(
        broker_id=broker_id,
        broker_state="active",
        rack="r1",
        endpoint=f"PLAINTEXT://b{broker_id}:9092",
        broker_epoch=8,
        last_heartbeat_age_ms=1_234,
    )
    return replace(row, **changed)


def partition(topic: str = "orders", **changed) -> PartitionRow:
    row = PartitionRow(
        topic=topic, partition=0, trouble="underMinIsr", leader_id=4, replicas=(4, 5, 6), isr=(4,), min_isr=2
    )
    return replace(row, **changed)


def change(**changed) -> ChangeRow:
    row = ChangeRow(
        made_timestamp=NOW_MS - 60_000,
        principal="User:alice",
        client="10.0.0.9",
        request="CreateTopics",
        about="orders",
        outcome="ok",
        offset=4_711,
    )
    return replace(row, **changed)


def replace_rows(section, total, rows):
    """A section with other rows in its list."""
    return replace(section, listed=RowList(total, rows))


def healthy(**changed) -> PageState:
    """Three voters and a broker."""
    state = PageState(
        read_timestamp=NOW_MS,
        warnings=(),
        node=NodeSection(
            node_id=1,
            roles=("controller",),
            raft_role="leader",
            kraftpy_version="1.0",
            broker_state=None,
            not_ready_because=None,
        ),
        quorum=QuorumSection(
            cluster_id="5L6g3nShT-eMCtK--X86sw",
            leader_id=1,
            leader_endpoint="CONTROLLER://c1:9093",
            leader_epoch=4,
            high_watermark=12_345,
            log_start_offset=0,
            log_end_offset=12_345,
            last_applied_offset=12_344,
            metadata_version_level=40,
            kraft_version=1,
        ),
        replicas=RowList(3, tuple(replica(node_id) for node_id in (1, 2, 3))),
        brokers=BrokersSection(
            active_count=1, controlled_shutdown_count=0, fenced_count=0, listed=RowList(1, (broker(),))
        ),
        partitions=PartitionsSection(
            topic_count=2,
            partition_count=2_000,
            offline_count=0,
            under_min_isr_count=0,
            under_replicated_count=0,
            listed=RowList(0, ()),
        ),
        elections=RowList(
            1,
            (
                ElectionRow(
                    known_timestamp=NOW_MS - 90_000, leader_epoch=4, leader_id=1, duration_ms=37, reason="elected"
                ),
            ),
        ),
        changes=RowList(None, (change(),)),
        disk=DiskSection(
            log_bytes=5_000_000,
            snapshot_end_offset=10_000,
            snapshot_bytes=123,
            snapshot_timestamp=NOW_MS - 3_600_000,
            bytes_since_snapshot=999,
            directories=(
                DirectoryRow(directory="/data", free_bytes=2**40, total_bytes=3 * 2**40, directory_state="online"),
                DirectoryRow(directory="/more", free_bytes=None, total_bytes=None, directory_state=None),
            ),
        ),
    )
    return replace(state, **changed)


def hostile() -> PageState:
    """Each text that others choose, or could, is markup; and some of everything is wrong or unknown."""
    state = healthy()
    return replace(
        state,
        read_timestamp=NOW_MS + 1_500,
        warnings=HOSTILE,
        node=replace(state.node, not_ready_because=SCRIPT, broker_state="starting", roles=()),
        quorum=replace(state.quorum, cluster_id=IMAGE, leader_id=None, leader_endpoint=SCRIPT, high_watermark=None),
        replicas=RowList(
            1_234,
            tuple(
                replica(number, endpoint=text, lag_ms=61_000, last_fetch_age_ms=None)
                for number, text in enumerate(HOSTILE)
            ),
        ),
        brokers=BrokersSection(
            active_count=1,
            controlled_shutdown_count=1,
            fenced_count=5_000,
            listed=RowList(
                5_002,
                (
                    *(broker(at, broker_state="fenced", rack=text, endpoint=text) for at, text in enumerate(HOSTILE)),
                    broker(9, broker_state="controlled_shutdown", rack=None, last_heartbeat_age_ms=90_061_000),
                ),
            ),
        ),
        partitions=PartitionsSection(
            topic_count=3, partition_count=100_000, offline_count=9, under_min_isr_count=1, under_replicated_count=2,
            listed=RowList(100, (*(partition(text, leader_id=None, isr=()) for text in HOSTILE), partition())),
        ),
        elections=RowList(1_000, tuple(replace(state.elections.rows[0], reason=text) for text in HOSTILE)),
        changes=RowList(
            None, tuple(change(principal=text, client=text, about=text, outcome=text, offset=None) for text in HOSTILE)
        ),
        disk=replace(
            state.disk, log_bytes=1_023, snapshot_end_offset=None, snapshot_bytes=None, snapshot_timestamp=None,
            directories=tuple(
                DirectoryRow(directory=text, free_bytes=1_024, total_bytes=2**53, directory_state="saturated")
                for text in HOSTILE
            ),
        ),
    )  # fmt: skip
