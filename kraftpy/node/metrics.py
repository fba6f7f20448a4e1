"""Prometheus metrics of one node, under the names that operators of KRaft know (with a ``kraft_`` prefix).

Gauges are read from the node when Prometheus asks; counters count the facts that the replica states. Counts of brokers
come from the *published* image, so standbys report the same as the active controller. What happens in each turn, or to
each write, is counted in plain integers (``runtime.durations``, ``runtime.controller_figures``), which are read here.

docs/metrics.md lists all metrics, and the names that Kafka has for them.

Source: Kafka ``MetadataLoaderMetrics``, ``SnapshotEmitterMetrics``, ``NodeMetrics``, ``ControllerMetadataMetrics``.
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Mapping
from typing import Protocol

from prometheus_client import CollectorRegistry, Counter, disable_created_metrics
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from kraftpy.broker.log_dirs import LogDirState
from kraftpy.broker.outputs import BrokerState
from kraftpy.config.node_config import NodeConfig
from kraftpy.image import MetadataDelta, MetadataImage
from kraftpy.image.partition_counts import PartitionCounts
from kraftpy.model.features import KRAFT_VERSION
from kraftpy.node.controller_metrics import broker_metrics, failover_metric, figures_metrics, record_metrics
from kraftpy.node.metric_families import counter, gauge, gauges, histogram, states
from kraftpy.node.process_metrics import ProcessMetrics
from kraftpy.node.raft_metrics import ElectionsSeen, driver_metrics, election_metrics, lag_metrics, raft_metrics
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
from kraftpy.runtime.clock import wall_ms
from kraftpy.runtime.controller_loop import ControllerLoop
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.snapshotter import SnapshotFacts
from kraftpy.runtime.state_machine import StateMachine

# When a counter was made is when the node started: a second series for each says nothing.
disable_created_metrics()  # type: ignore[no-untyped-call] # nor is it typed


class MetricsSource(Protocol):
    """What of a node is measured."""

    config: NodeConfig
    replica: Replica
    driver: Driver
    state_machine: StateMachine
    host: ControllerLoop | None

    @property
    def now_ms(self) -> int:
        """The time by the node's clock (ms)."""
        ...

    @property
    def state_lag_ms(self) -> int:
        """For how long the node's state may be behind what is committed (ms)."""
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
    def snapshot_interval_bytes(self) -> int:
        """After how many bytes of the log a snapshot is due."""
        ...

    @property
    def request_error_counts(self) -> Mapping[str, int]:
        """The number of unexpected errors by kind of request."""
        ...

    def beside_metrics(self) -> Iterable[Metric]:
        """Return what other parts of the node show: its disks, and its certificates."""
        ...


class NodeMetrics(Collector):
    """The registry, the counters, and the collector of the gauges; it follows the published images, too.

    Attributes:
        registry: what Prometheus reads.
        partitions: the counts of partitions in the published image, or in one before it while they are counted.
        elections_seen: the elections that this node saw.
        process: what is measured of the process.
    """

    def __init__(self, node: MetricsSource) -> None:
        self._node = node
        self.partitions = PartitionCounts()
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
        self.elections_seen = ElectionsSeen()
        self.process = ProcessMetrics(self.registry)
        self._halts = 0
        self.registry.register(self)

    # ---------------------------------------------------------------- counting

    def count_event(self, event: Event) -> None:
        """Count a fact about the replica."""
        if isinstance(event, RoleChanged):
            self.elections_seen.role_changed(event, self._node.now_ms)
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

    def count_halt(self) -> None:
        """Count a committed record that cannot be applied."""
        self._halts += 1

    def count_refused_identity(self) -> None:
        """Count a peer that is not the node that it names."""
        self._refused_identities.inc()

    def count_denial(self) -> None:
        """Count a request, or a part of one, that the authorizer denied."""
        self._denials.inc()

    def count_failed_authentication(self) -> None:
        """Count a peer that SASL did not authenticate."""
        self._failed_authentications.inc()

    def update_in_slices(self, delta: MetadataDelta, image: MetadataImage) -> Generator[None, None, None]:
        """Count the image, and its partitions; yield between slices of these."""
        self._publications.inc()
        yield from self.partitions.update_in_slices(delta, image)

    # ---------------------------------------------------------------- gauges

    def collect(self) -> Iterable[Metric]:
        """Read the node."""
        node = self._node
        replica, image, now_ms = node.replica, node.published_image, node.now_ms
        leads = replica.role is Role.LEADER
        yield from raft_metrics(replica, now_ms, has_static_voters=bool(node.config.voters))
        yield from election_metrics(self.elections_seen)
        yield from driver_metrics(node.driver)
        yield from lag_metrics(replica, now_ms, {*image.cluster.brokers, *image.cluster.controllers})
        yield from node.beside_metrics()
        yield gauge("kraft_active_controller", "Whether this node leads", int(leads))
        yield gauge(
            "kraft_cluster_id_known", "Whether this node knows its cluster", int(replica.cluster_id is not None)
        )
        yield from self._state_machine()
        yield from record_metrics(image, replica.high_watermark, 0 if leads else node.state_lag_ms)
        yield gauge("kraft_node_time_ms", "The node's own time, ms since 1970", now_ms)
        yield gauge("kraft_wall_clock_ahead_ms", "Wall clock less the node's own time, ms", wall_ms() - now_ms)
        yield gauge("kraft_waiting_writes", "Writes that wait for their commit", node.waiting_writes)
        yield gauge(
            "kraft_waiting_reads", "Reads that wait for a confirmed leader, or for an offset", node.waiting_reads
        )
        yield from self._digests()
        yield from self._snapshots_made()
        yield from self._errors()
        yield from self._features(image)
        yield from broker_metrics(image)
        yield from self._topics()
        if node.host is not None:
            yield from figures_metrics(node.host.figures, node.host.controller.broker_silences_ms(now_ms))
            yield failover_metric(node.host.failovers)
        if node.broker_state is not None:
            yield states("kraft_broker_state", "Where the broker is in its life", BrokerState, node.broker_state)
            yield from self._log_dirs()

    def _state_machine(self) -> Iterable[Metric]:
        halted = self._node.halted_offset
        yield gauge("kraft_apply_halted", "Whether a committed record cannot be applied", int(halted is not None))
        yield gauge("kraft_apply_halted_offset", "Where applying stopped, -1 nowhere", halted, unknown=-1)
        yield counter(
            "kraft_snapshots_loaded", "Snapshots that were loaded, those at a start too",
            self._node.state_machine.snapshots_loaded,
        )  # fmt: skip

    def _errors(self) -> Iterable[Metric]:
        host = self._node.host
        yield counter(
            "kraft_metadata_errors", "Records that could not be applied, and unexpected errors of the controller",
            self._halts + (0 if host is None else host.figures.defects),
        )  # fmt: skip
        errors = CounterMetricFamily(
            "kraftpy_request_errors", "Errors of this node that requests caused and that are defects",
            labels=["request"],
        )  # fmt: skip
        for request, count in sorted(self._node.request_error_counts.items()):
            errors.add_metric([request], count)
        yield errors

    def _features(self, image: MetadataImage) -> Iterable[Metric]:
        """Show the levels of features: those in force, and what this node supports."""
        supported = self._node.config.features
        finalized = {KRAFT_VERSION: self._node.replica.kraft_version, **image.features.levels}
        least = {one.name: one.min_level for one in supported}
        most = {one.name: one.max_level for one in supported}
        yield gauge("kraft_metadata_version", "metadata.version in the published image", image.level)
        yield gauges("kraft_finalized_level", "Level of a feature that is in force", "feature", finalized)
        yield gauges("kraft_minimum_supported_level", "Lowest level that this node supports", "feature", least)
        yield gauges("kraft_maximum_supported_level", "Highest level that this node supports", "feature", most)

    def _topics(self) -> Iterable[Metric]:
        counts = self.partitions
        health = counts.health()
        yield gauge("kraft_topics", "Topics", counts.topics)
        yield gauge("kraft_partitions", "Partitions", counts.partitions)
        yield gauge("kraft_offline_partitions", "Partitions without a leader", health.offline)
        yield gauge(
            "kraft_under_replicated_partitions", "Partitions with a replica out of sync", health.under_replicated
        )
        yield gauge(
            "kraft_under_min_isr_partitions", "Partitions with fewer replicas in sync than min.insync.replicas",
            health.under_min_isr,
        )  # fmt: skip
        yield gauge(
            "kraft_at_min_isr_partitions", "Partitions with just min.insync.replicas in sync", health.at_min_isr
        )
        yield gauge(
            "kraft_preferred_replica_imbalance", "Partitions that another than the first replica leads",
            health.not_preferred,
        )  # fmt: skip
        yield counter(
            "kraft_unclean_leader_elections", "Elections of a replica that need not have all committed records",
            counts.unclean_elections,
        )  # fmt: skip
        yield counter("kraft_elr_elections", "Elections of an eligible leader replica", counts.elr_elections)

    def _log_dirs(self) -> Iterable[Metric]:
        """Describe a broker's log directories, in the words of Kafka's ``LogManager`` and KIP-928."""
        dirs = self._node.log_dir_states
        offline, full = LogDirState.OFFLINE, LogDirState.SATURATED
        yield gauge("kraft_offline_log_directory_count", "Log directories that failed", _count(dirs, offline))
        yield gauge("kraft_saturated_log_directory_count", "Log directories that are full", _count(dirs, full))
        yield _each_is("kraft_log_directory_offline", "Whether a log directory failed", dirs, offline)
        yield _each_is("kraft_log_directory_saturated", "Whether a log directory is full", dirs, full)

    def _digests(self) -> Iterable[Metric]:
        made, skipped = self._node.digest_counts
        agreed = self._node.replica.agreed_state
        offset = None if agreed is None else agreed.end_offset
        yield gauge(
            "kraft_state_digest_agreed_offset", "Where a majority last had this node's state, -1 nowhere yet", offset,
            unknown=-1,
        )  # fmt: skip
        yield counter("kraft_state_digests", "Digests of the state that this node made", made)
        yield counter("kraft_state_digests_skipped", "Digests not made, to spare the processor", skipped)

    def _snapshots_made(self) -> Iterable[Metric]:
        facts = self._node.snapshot_facts
        yield counter("kraft_snapshot_errors", "Attempts to make a snapshot that made none", facts.error_count)
        yield gauge("kraft_latest_snapshot_generated_bytes", "Size of the latest snapshot made", facts.latest_bytes)
        yield gauge(
            "kraft_latest_snapshot_generated_age_ms", "Age of the latest snapshot made, -1 none yet", facts.age_ms,
            unknown=-1,
        )  # fmt: skip
        yield histogram("kraft_snapshot_time_ms", "How long it took to make a snapshot, in ms", facts.times)
        yield gauge(
            "kraft_bytes_since_snapshot", "Bytes of the log loaded since the latest snapshot", facts.unfrozen_bytes
        )
        yield gauge(
            "kraft_snapshot_interval_bytes", "After how many of them the next snapshot is due",
            self._node.snapshot_interval_bytes,
        )  # fmt: skip


def _counter(registry: CollectorRegistry, name: str, text: str) -> Counter:
    return Counter(name, text, registry=registry)


def _count(dirs: Mapping[str, LogDirState], wanted: LogDirState) -> int:
    return sum(1 for state in dirs.values() if state is wanted)


def _each_is(name: str, text: str, dirs: Mapping[str, LogDirState], wanted: LogDirState) -> GaugeMetricFamily:
    return gauges(name, text, "log_directory", {path: int(state is wanted) for path, state in dirs.items()})
