"""From a node to the state that the page shows, in steps that each take a millisecond or so.

Nothing is counted here that the node's metrics keep counted already. What needs a walk (brokers, and the partitions
that the counts say are there to be found) yields after a bounded number of items, and lists a bounded number.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from heapq import nsmallest
from itertools import islice
from typing import Final, Protocol

from kraftpy import __version__
from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.config.node_config import NodeConfig
from kraftpy.image import MetadataImage
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.image.troubled_partitions import TroubledPartition, troubled_partitions
from kraftpy.model.escaping import shortened
from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.registrations import Listener
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.node.controller_metrics import ACTIVE, CONTROLLED_SHUTDOWN, FENCED, REGISTRATION_STATES, state_of
from kraftpy.node.disk_space import Space
from kraftpy.node.metrics import NodeMetrics
from kraftpy.node.raft_metrics import SeenElection
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
from kraftpy.node.status_page.warnings import VOTER, warnings_of
from kraftpy.raft.messages import ReplicaProgress
from kraftpy.raft.ready import Role
from kraftpy.raft.replica import Replica
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.snapshotter import SnapshotFacts
from kraftpy.transport.administrative_changes import RecentChange

REPLICAS_LISTED_MAX: Final = 100
"""How many voters and observers are shown."""

BROKERS_LISTED_MAX: Final = 100
"""How many brokers are shown; those that are not active come first."""

PARTITIONS_LISTED_MAX: Final = 50
"""How many of the partitions that need attention are shown."""

DIRECTORIES_LISTED_MAX: Final = 32
"""How many directories of the node are shown."""

TEXT_CHARACTERS_MAX: Final = 300
"""How long a text of others may be that is shown: a rack, an endpoint, what a change is about. No topic's name is
longer."""

BROKERS_PER_STEP: Final = 500
"""How many brokers are looked at between two yields."""


class PageSource(Protocol):
    """What of a node is shown."""

    config: NodeConfig
    replica: Replica
    driver: Driver
    host: ControllerLoop | None
    metrics: NodeMetrics

    @property
    def now_ms(self) -> int:
        """The time by the node's clock (ms)."""
        ...

    @property
    def published_image(self) -> MetadataImage:
        """The newest published state."""
        ...

    @property
    def broker_state(self) -> BrokerState | None:
        """Where the broker is, if the node is one."""
        ...

    @property
    def log_dir_states(self) -> Mapping[str, LogDirState]:
        """The states of the broker's log directories by their paths; empty without a broker."""
        ...

    @property
    def snapshot_facts(self) -> SnapshotFacts:
        """How snapshots go."""
        ...

    @property
    def disk_space(self) -> Mapping[str, Space | None]:
        """The newest space on each directory's disk; ``None`` where a disk does not answer."""
        ...

    def not_ready_because(self) -> str | None:
        """Say what the node waits for, if it does."""
        ...

    def trouble(self) -> str | None:
        """Return what an operator has to look after although the node serves."""
        ...


class StateReader:
    """Reads one node.

    Args:
        node: the node.
        recent_changes: returns the administrative changes that it decided last, the newest one last.
    """

    def __init__(self, node: PageSource, recent_changes: Callable[[], Iterable[RecentChange]]) -> None:
        self._node = node
        self._recent_changes = recent_changes

    def steps(self) -> Generator[None, None, PageState]:
        """Yield between the steps of a reading, and return the state."""
        node, image, now_ms = self._node, self._node.published_image, self._node.now_ms
        # What is of one moment is read at once: the replica's clock must not go back, and the counts and the image
        # that is walked are of one publication.
        about_node, about_quorum, replicas = self._about_node(), self._quorum(image), self._replicas(now_ms)
        silences_ms, partitions = self._broker_silences_ms(now_ms), self._partitions(image)
        yield
        brokers = yield from _brokers(image, silences_ms)
        listed = yield from partitions
        directories = self._directories()
        warnings = warnings_of(
            node=about_node,
            trouble=node.trouble(),
            replicas=replicas.rows,
            brokers=brokers,
            partitions=listed,
            directories=directories,
        )
        elections = node.metrics.elections_seen
        changes = tuple(reversed(tuple(self._recent_changes())))
        return PageState(
            read_timestamp=now_ms,
            warnings=tuple(_text(one) for one in warnings),
            node=about_node,
            quorum=about_quorum,
            replicas=replicas,
            brokers=brokers,
            partitions=listed,
            elections=RowList(elections.count, tuple(_election(one) for one in reversed(elections.recent))),
            changes=RowList(None, tuple(_change(one) for one in changes)),
            disk=self._disk(directories),
        )

    def _about_node(self) -> NodeSection:
        node, config = self._node, self._node.config
        roles = (("controller", config.is_controller), ("broker", config.is_broker))
        reason = node.not_ready_because()
        return NodeSection(
            node_id=config.node_id,
            roles=tuple(role for role, has_it in roles if has_it),
            raft_role=node.replica.role.name.lower(),
            kraftpy_version=__version__,
            broker_state=None if node.broker_state is None else node.broker_state.name.lower(),
            not_ready_because=None if reason is None else _text(reason),
        )

    def _quorum(self, image: MetadataImage) -> QuorumSection:
        replica = self._node.replica
        return QuorumSection(
            cluster_id=None if replica.cluster_id is None else _text(replica.cluster_id),
            leader_id=replica.leader.leader_id,
            leader_endpoint=_endpoint(replica.leader_endpoints),
            leader_epoch=replica.leader.epoch,
            high_watermark=replica.high_watermark,
            log_start_offset=replica.log_start_offset,
            log_end_offset=replica.log_end_offset,
            last_applied_offset=image.provenance.offset,
            metadata_version_level=image.level,
            kraft_version=replica.kraft_version,
        )

    def _replicas(self, now_ms: int) -> RowList[ReplicaRow]:
        replica = self._node.replica
        if replica.role is not Role.LEADER:
            rows = tuple(self._unknown(voter.key, voter.endpoints) for voter in replica.voters)
            return RowList(None, rows[:REPLICAS_LISTED_MAX])
        view = replica.describe(now_ms)
        every = [(one, VOTER) for one in view.voters] + [(one, "observer") for one in view.observers]
        shown = islice(every, REPLICAS_LISTED_MAX)
        return RowList(len(every), tuple(self._progress(one, kind, now_ms) for one, kind in shown))

    def _progress(self, one: ReplicaProgress, kind: str, now_ms: int) -> ReplicaRow:
        """Return the row of a replica that this leader knows."""
        replica, end = self._node.replica, one.log_end_offset
        is_own = one.key.node_id == self._node.config.node_id and kind == VOTER
        return ReplicaRow(
            node_id=one.key.node_id,
            directory_id=_directory_id(one.key),
            replica_kind=kind,
            is_leader=is_own,
            vote_counts=replica.vote_counts if is_own else None,
            endpoint=_endpoint(one.endpoints),
            log_end_offset=end,
            lag=None if end is None else max(0, replica.log_end_offset - end),
            lag_ms=_age_ms(one.last_caught_up_ms, now_ms),
            last_fetch_age_ms=_age_ms(one.last_fetch_ms, now_ms),
        )

    def _unknown(self, key: ReplicaKey, endpoints: tuple[Endpoint, ...]) -> ReplicaRow:
        """Return the row of a voter for a node that does not lead: it knows of no progress but its own."""
        replica = self._node.replica
        is_own = key.accepts(replica.key)
        return ReplicaRow(
            node_id=key.node_id,
            directory_id=_directory_id(key),
            replica_kind=VOTER,
            is_leader=key.node_id == replica.leader.leader_id,
            vote_counts=replica.vote_counts if is_own else None,
            endpoint=_endpoint(endpoints),
            log_end_offset=replica.log_end_offset if is_own else None,
            lag=None,
            lag_ms=None,
            last_fetch_age_ms=None,
        )

    def _broker_silences_ms(self, now_ms: int) -> Mapping[NodeId, int]:
        host = self._node.host
        return {} if host is None else host.controller.broker_silences_ms(now_ms)

    def _partitions(self, image: MetadataImage) -> Generator[None, None, PartitionsSection]:
        """Count now, and return the walk that finds which partitions are meant."""
        counts = self._node.metrics.partitions
        topics, partitions, health, in_trouble = counts.topics, counts.partitions, counts.health(), counts.in_trouble()

        def walk() -> Generator[None, None, PartitionsSection]:
            found = yield from troubled_partitions(image, in_trouble, PARTITIONS_LISTED_MAX)
            return PartitionsSection(
                topic_count=topics,
                partition_count=partitions,
                offline_count=health.offline,
                under_min_isr_count=health.under_min_isr,
                under_replicated_count=health.under_replicated,
                listed=RowList(in_trouble, tuple(_partition(one) for one in found)),
            )

        return walk()

    def _directories(self) -> tuple[DirectoryRow, ...]:
        spaces, states = self._node.disk_space, self._node.log_dir_states
        return tuple(
            DirectoryRow(
                directory=_text(path),
                free_bytes=None if space is None else space.free_bytes,
                total_bytes=None if space is None else space.total_bytes,
                directory_state=states[path].value if path in states else None,
            )
            for path, space in islice(spaces.items(), DIRECTORIES_LISTED_MAX)
        )

    def _disk(self, directories: tuple[DirectoryRow, ...]) -> DiskSection:
        facts, directory = self._node.snapshot_facts, self._node.driver.directory
        newest = directory.snapshots.latest
        return DiskSection(
            log_bytes=directory.log.size_bytes,
            snapshot_end_offset=None if newest is None else newest.offset,
            snapshot_bytes=None if facts.latest_ms is None else facts.latest_bytes,
            snapshot_timestamp=facts.latest_ms,
            bytes_since_snapshot=facts.unfrozen_bytes,
            directories=directories,
        )


def _brokers(image: MetadataImage, silences_ms: Mapping[NodeId, int]) -> Generator[None, None, BrokersSection]:
    """Yield between steps, and return the brokers: the fenced ones first, then those that shut down, each by id."""
    found: dict[int, list[NodeId]] = {state: [] for state in (FENCED, CONTROLLED_SHUTDOWN, ACTIVE)}
    for number, (broker_id, broker) in enumerate(image.cluster.brokers.items(), 1):
        found[state_of(broker)].append(broker_id)
        if number % BROKERS_PER_STEP == 0:
            yield
    shown = [one for ids in found.values() for one in nsmallest(BROKERS_LISTED_MAX, ids)][:BROKERS_LISTED_MAX]
    rows = tuple(_broker(image.cluster.brokers[broker_id], silences_ms.get(broker_id)) for broker_id in shown)
    return BrokersSection(
        active_count=len(found[ACTIVE]),
        controlled_shutdown_count=len(found[CONTROLLED_SHUTDOWN]),
        fenced_count=len(found[FENCED]),
        listed=RowList(len(image.cluster.brokers), rows),
    )


def _broker(broker: BrokerRegistration, silent_ms: int | None) -> BrokerRow:
    return BrokerRow(
        broker_id=broker.broker_id,
        broker_state=REGISTRATION_STATES[state_of(broker)],
        rack=None if broker.rack is None else _text(broker.rack),
        endpoint=_endpoint(broker.listeners),
        broker_epoch=broker.broker_epoch,
        last_heartbeat_age_ms=silent_ms,
    )


def _partition(one: TroubledPartition) -> PartitionRow:
    return PartitionRow(
        topic=_text(one.topic),
        partition=one.partition,
        trouble=one.trouble.value,
        leader_id=one.leader,
        replicas=one.registration.replicas,
        isr=one.registration.isr,
        min_isr=one.min_isr,
    )


def _election(one: SeenElection) -> ElectionRow:
    return ElectionRow(
        known_timestamp=one.at_ms,
        leader_epoch=one.leader.epoch,
        leader_id=one.leader.leader_id,
        duration_ms=one.latency_ms,
        reason=_text(one.reason),
    )


def _change(one: RecentChange) -> ChangeRow:
    facts = one.facts
    about, offset = facts["about"], facts.get("offset")
    assert isinstance(about, list)
    assert offset is None or isinstance(offset, int)
    return ChangeRow(
        made_timestamp=one.at_ms,
        principal=_text(str(facts["principal"])),
        client=_text(str(facts["client"])),
        request=str(facts["request"]),
        about=_text(", ".join(about)),
        outcome=_text(str(facts["outcome"])),
        offset=offset,
    )


def _endpoint(endpoints: Sequence[Endpoint | Listener]) -> str | None:
    """Return the first of a node's endpoints as text; ``None`` where none is known."""
    first = next(iter(endpoints), None)
    return None if first is None else _text(str(Endpoint(first.name, first.host, first.port)))


def _directory_id(key: ReplicaKey) -> str | None:
    return None if key.directory_id is None else uuid_to_text(key.directory_id)


def _age_ms(since_ms: int | None, now_ms: int) -> int | None:
    return None if since_ms is None else max(0, now_ms - since_ms)


def _text(text: str) -> str:
    return shortened(text, TEXT_CHARACTERS_MAX)
