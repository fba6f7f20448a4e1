"""Prometheus metrics of one node, under the names that operators of KRaft know (with a ``kraft_`` prefix).

Gauges are read from the node when Prometheus asks; counters count the facts that the replica states. Counts of brokers
come from the *published* image, so standbys report the same as the active controller.

Source: Kafka ``KafkaRaftMetrics``, ``QuorumControllerMetrics``, ``ControllerMetadataMetrics``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.image import Manifest, MetadataDelta, MetadataImage, MetadataPublisher
from kraftpy.image.partition_counts import PartitionCounts
from kraftpy.raft.ready import (
    Elected,
    Event,
    LeaderLost,
    NoDigestMajority,
    Role,
    RoleChanged,
    SnapshotInstalled,
    StateDigestMismatch,
    Truncated,
)
from kraftpy.raft.replica import Replica
from kraftpy.runtime.snapshotter import SnapshotFacts

# When a counter was made is when the node started: a second series for each says nothing.
disable_created_metrics()  # type: ignore[no-untyped-call] # nor is it typed


class MetricsSource(Protocol):
    """What of a node is measured."""

    replica: Replica

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
    def halted_offset(self) -> int | None:
        """Where applying stopped at a record that cannot be applied, if it did."""
        ...

    @property
    def waiting_writes(self) -> int:
        """How many clients' writes wait for their commit."""
        ...

    @property
    def waiting_reads(self) -> int:
        """How many reads wait for a confirmed leadership, or for an offset."""
        ...

    @property
    def digest_counts(self) -> tuple[int, int]:
        """How many digests of the state were made, and how many images were passed over."""
        ...

    @property
    def snapshot_facts(self) -> SnapshotFacts:
        """How snapshots go."""
        ...

    @property
    def request_error_counts(self) -> Mapping[str, int]:
        """The number of unexpected errors by kind of request."""
        ...


class NodeMetrics(Collector, MetadataPublisher):
    """The registry, the counters, and the collector of the gauges; also a publisher."""

    name = "metrics"

    def __init__(self, node: MetricsSource) -> None:
        self._node = node
        self._partitions = PartitionCounts()
        self.registry = CollectorRegistry()
        self._elections = _counter(self.registry, "kraft_elections_won_total", "Elections that this node won")
        self._leader_changes = _counter(self.registry, "kraft_role_changes_total", "Changes of role, epoch or leader")
        self._leaders_lost = _counter(self.registry, "kraft_leaders_lost_total", "Leaders whose process was seen dead")
        self._truncations = _counter(
            self.registry, "kraft_log_truncations_total", "Times the log was cut to the leader's"
        )
        self._snapshots = _counter(self.registry, "kraft_snapshots_installed_total", "Snapshots that replaced the log")
        self._disputes = _counter(
            self.registry, "kraft_state_digest_mismatches_total", "Offsets at which replicas' states differed"
        )
        self._refused_identities = _counter(
            self.registry,
            "kraft_identity_rejections_total",
            "Requests and servers that were refused because a certificate does not name their node",
        )
        self._denials = _counter(
            self.registry,
            "kraft_authorization_denials_total",
            "Requests, and topics and configs in requests, that the authorizer denied",
        )
        self._failed_authentications = _counter(
            self.registry, "kraft_authentication_failures_total", "Peers whose authentication by SASL failed"
        )
        self._publications = _counter(self.registry, "kraft_publications_total", "Images that were published")
        self._applied = Gauge(
            "kraft_last_applied_record_offset", "Last offset in the published image", registry=self.registry
        )
        self.registry.register(self)

    # ---------------------------------------------------------------- counting

    def count_event(self, event: Event) -> None:
        """Count a fact about the replica."""
        counter = {
            Elected: self._elections,
            RoleChanged: self._leader_changes,
            LeaderLost: self._leaders_lost,
            Truncated: self._truncations,
            SnapshotInstalled: self._snapshots,
            StateDigestMismatch: self._disputes,
            NoDigestMajority: self._disputes,
        }.get(type(event))
        if counter is not None:
            counter.inc()

    def count_refused_identity(self) -> None:
        """Count a peer that is not the node that it names."""
        self._refused_identities.inc()

    def count_denial(self) -> None:
        """Count a request, or a part of one, that the authorizer denied."""
        self._denials.inc()

    def count_failed_authentication(self) -> None:
        """Count a peer that SASL did not authenticate."""
        self._failed_authentications.inc()

    def on_metadata_update(self, delta: MetadataDelta, image: MetadataImage, manifest: Manifest) -> None:
        """Note how far the image reaches, and count its partitions."""
        del manifest
        self._partitions.update(delta, image)
        self._publications.inc()
        self._applied.set(image.provenance.offset)

    # ---------------------------------------------------------------- gauges

    def collect(self) -> Iterable[Metric]:
        """Read the node."""
        replica, image = self._node.replica, self._node.published_image
        leader = replica.leader
        yield _states("kraft_current_state", "The replica's role", Role, replica.role)
        yield _gauge("kraft_current_leader", "Id of the leader, -1 unknown", leader.leader_id, unknown=-1)
        yield _gauge("kraft_current_epoch", "The leader epoch", leader.epoch)
        yield _gauge("kraft_high_watermark", "End of what is committed, -1 unknown", replica.high_watermark, unknown=-1)
        yield _gauge("kraft_log_end_offset", "Next offset to be written", replica.log_end_offset)
        yield _gauge("kraft_log_start_offset", "First offset in the log", replica.log_start_offset)
        yield _gauge("kraft_voters", "Members of the quorum", len(replica.voters))
        yield _gauge("kraft_voter_eligible", "Whether this node is a voter whose vote counts", int(replica.vote_counts))
        yield _gauge("kraft_vote_store_ms", "How long storing a vote usually takes, in ms", replica.vote_store_ms)
        yield _gauge("kraft_active_controller", "Whether this node leads", int(replica.role is Role.LEADER))
        yield _gauge("kraft_metadata_version", "metadata.version in the published image", image.level)
        yield _gauge(
            "kraft_cluster_id_known", "Whether this node knows its cluster", int(replica.cluster_id is not None)
        )
        halted = self._node.halted_offset
        yield _gauge("kraft_apply_halted", "Whether a committed record cannot be applied", int(halted is not None))
        yield _gauge("kraft_apply_halted_offset", "Where applying stopped, -1 nowhere", halted, unknown=-1)
        yield _gauge("kraft_waiting_writes", "Writes that wait for their commit", self._node.waiting_writes)
        yield _gauge(
            "kraft_waiting_reads", "Reads that wait for a confirmed leader, or for an offset", self._node.waiting_reads
        )
        yield from self._digests()
        yield from self._snapshots_made()
        errors = CounterMetricFamily(
            "kraftpy_request_errors", "Errors of this node that requests caused and that are defects",
            labels=["request"],
        )  # fmt: skip
        for request, count in sorted(self._node.request_error_counts.items()):
            errors.add_metric([request], count)
        yield errors
        yield _brokers(image)
        yield from self._topics()
        state = self._node.broker_state
        if state is not None:
            yield _states("kraft_broker_state", "Where the broker is in its life", BrokerState, state)
            yield from self._log_dirs()

    def _topics(self) -> Iterable[Metric]:
        counts = self._partitions
        health = counts.health()
        yield _gauge("kraft_topics", "Topics", counts.topics)
        yield _gauge("kraft_partitions", "Partitions", counts.partitions)
        yield _gauge("kraft_offline_partitions", "Partitions without a leader", health.offline)
        yield _gauge(
            "kraft_under_replicated_partitions", "Partitions with a replica out of sync", health.under_replicated
        )
        yield _gauge(
            "kraft_under_min_isr_partitions", "Partitions with fewer replicas in sync than min.insync.replicas",
            health.under_min_isr,
        )  # fmt: skip
        yield _gauge(
            "kraft_at_min_isr_partitions", "Partitions with just min.insync.replicas in sync", health.at_min_isr
        )
        yield _gauge(
            "kraft_preferred_replica_imbalance", "Partitions that another than the first replica leads",
            health.not_preferred,
        )  # fmt: skip
        yield CounterMetricFamily(
            "kraft_unclean_leader_elections", "Elections of a replica that need not have all committed records",
            value=counts.unclean_elections,
        )  # fmt: skip
        yield CounterMetricFamily(
            "kraft_elr_elections", "Elections of an eligible leader replica", value=counts.elr_elections
        )

    def _log_dirs(self) -> Iterable[Metric]:
        """Describe a broker's log directories, in the words of Kafka's ``LogManager`` and KIP-928."""
        states = self._node.log_dir_states
        offline, full = LogDirState.OFFLINE, LogDirState.SATURATED
        yield _gauge("kraft_offline_log_directory_count", "Log directories that failed", _count(states, offline))
        yield _gauge("kraft_saturated_log_directory_count", "Log directories that are full", _count(states, full))
        yield _each_is("kraft_log_directory_offline", "Whether a log directory failed", states, offline)
        yield _each_is("kraft_log_directory_saturated", "Whether a log directory is full", states, full)

    def _digests(self) -> Iterable[Metric]:
        made, skipped = self._node.digest_counts
        agreed = self._node.replica.agreed_state
        offset = None if agreed is None else agreed.end_offset
        yield _gauge(
            "kraft_state_digest_agreed_offset", "Where a majority last had this node's state, -1 nowhere yet", offset,
            unknown=-1,
        )  # fmt: skip
        yield CounterMetricFamily("kraft_state_digests", "Digests of the state that this node made", value=made)
        yield CounterMetricFamily(
            "kraft_state_digests_skipped", "Digests not made, to spare the processor", value=skipped
        )

    def _snapshots_made(self) -> Iterable[Metric]:
        facts = self._node.snapshot_facts
        yield CounterMetricFamily(
            "kraft_snapshot_errors", "Attempts to make a snapshot that made none", value=facts.error_count
        )
        yield _gauge("kraft_latest_snapshot_generated_bytes", "Size of the latest snapshot made", facts.latest_bytes)
        yield _gauge(
            "kraft_latest_snapshot_generated_age_ms", "Age of the latest snapshot made, -1 none yet", facts.age_ms,
            unknown=-1,
        )  # fmt: skip
        yield _gauge(
            "kraft_bytes_since_snapshot", "Bytes of the log loaded since the latest snapshot", facts.unfrozen_bytes
        )


def _counter(registry: CollectorRegistry, name: str, text: str) -> Counter:
    return Counter(name, text, registry=registry)


def _gauge(name: str, text: str, value: int | None, *, unknown: int = 0) -> GaugeMetricFamily:
    return GaugeMetricFamily(name, text, value=unknown if value is None else value)


def _brokers(image: MetadataImage) -> Metric:
    brokers = GaugeMetricFamily("kraft_brokers", "Registered brokers", labels=["state"])
    fenced = sum(1 for broker in image.cluster.brokers.values() if broker.fenced)
    leaving = sum(1 for broker in image.cluster.brokers.values() if broker.in_controlled_shutdown and not broker.fenced)
    brokers.add_metric(["fenced"], fenced)
    brokers.add_metric(["controlled_shutdown"], leaving)
    brokers.add_metric(["active"], len(image.cluster.brokers) - fenced - leaving)
    return brokers


def _count(states: Mapping[str, LogDirState], wanted: LogDirState) -> int:
    return sum(1 for state in states.values() if state is wanted)


def _each_is(name: str, text: str, states: Mapping[str, LogDirState], wanted: LogDirState) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=["log_directory"])
    for path, state in states.items():
        family.add_metric([path], int(state is wanted))
    return family


def _states(name: str, text: str, states: Iterable[object], current: object) -> GaugeMetricFamily:
    family = GaugeMetricFamily(name, text, labels=["state"])
    for state in states:
        family.add_metric([str(getattr(state, "name", state)).lower()], int(state is current))
    return family
