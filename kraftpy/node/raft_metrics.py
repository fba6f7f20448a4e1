"""Metrics of a node's replica and of the task that drives it; docs/metrics.md has each one's counterpart in Kafka.

Source: Kafka ``KafkaRaftMetrics``.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from prometheus_client.core import GaugeMetricFamily, Metric

from kraftpy.model.ids import NodeId, uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.node.metric_families import counter, gauge, histogram, states
from kraftpy.raft.ready import Role, RoleChanged
from kraftpy.raft.replica import Replica
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.durations import DurationCounts

_LAGS: Final = ("replica", "role")


RECENT_ELECTIONS_MAX: Final = 20
"""How many elections are remembered, the newest ones."""


class SeenElection(NamedTuple):
    """A leader of an epoch that became known.

    Attributes:
        at_ms: when, by the node's clock.
        leader: who, and the epoch.
        latency_ms: how long it took from this node's candidacy; ``None`` where it was no candidate.
        reason: how this node came to know it.
    """

    at_ms: int
    leader: LeaderAndEpoch
    latency_ms: int | None
    reason: str


class ElectionsSeen:
    """The elections of one node's quorum, as that node saw them.

    Attributes:
        count: leaders of an epoch that became known here.
        latencies: how long it took from this node's candidacy until such a leader was known.
        recent: the last of them, the newest one last.
    """

    def __init__(self) -> None:
        self.count = 0
        self.latencies = DurationCounts()
        self.recent: deque[SeenElection] = deque(maxlen=RECENT_ELECTIONS_MAX)
        self._newest: LeaderAndEpoch | None = None
        self._since_ms: int | None = None

    def role_changed(self, event: RoleChanged, now_ms: int) -> None:
        """Take note of a candidacy, or of a leader that is known."""
        is_new = event.leader.leader_id is not None and event.leader != self._newest
        if is_new:
            latency_ms = None if self._since_ms is None else now_ms - self._since_ms
            self.count += 1
            self.recent.append(SeenElection(now_ms, event.leader, latency_ms, event.reason))
            self._newest = event.leader
        if event.after in {Role.PROSPECTIVE, Role.CANDIDATE}:
            self._since_ms = now_ms if self._since_ms is None else self._since_ms
        elif event.after in {Role.LEADER, Role.FOLLOWER}:
            # A replica that goes back to the leader that it had took part in no election.
            if is_new and self._since_ms is not None:
                self.latencies.add(now_ms - self._since_ms)
            self._since_ms = None


def raft_metrics(replica: Replica, now_ms: int, *, has_static_voters: bool) -> Iterable[Metric]:
    """Read a replica.

    Args:
        replica: the node's.
        now_ms: by the replica's clock.
        has_static_voters: whether the configuration names the voters.
    """
    leader = replica.leader
    yield states("kraft_current_state", "The replica's role", Role, replica.role)
    yield gauge("kraft_current_leader", "Id of the leader, -1 unknown", leader.leader_id, unknown=-1)
    yield _vote(replica)
    yield gauge("kraft_current_epoch", "The leader epoch", leader.epoch)
    yield gauge("kraft_high_watermark", "End of what is committed, -1 unknown", replica.high_watermark, unknown=-1)
    yield gauge("kraft_log_end_offset", "Next offset to be written", replica.log_end_offset)
    yield gauge("kraft_log_end_epoch", "Epoch of the last record", replica.log_end_epoch)
    yield gauge("kraft_log_start_offset", "First offset in the log", replica.log_start_offset)
    yield gauge("kraft_voters", "Members of the quorum", len(replica.voters))
    yield GaugeMetricFamily(
        "kraft_observers", "Replicas that fetch from this leader and do not vote",
        value=replica.count_observers(now_ms),
    )  # fmt: skip
    yield GaugeMetricFamily(
        "kraft_uncommitted_voter_change", "Whether a change of the voters waits for its commit, on the leader",
        value=replica.changes_voters,
    )  # fmt: skip
    yield gauge(
        "kraft_ignored_static_voters", "Whether controller.quorum.voters is set and the log names the voters",
        int(has_static_voters and replica.kraft_version > 0),
    )  # fmt: skip
    yield gauge("kraft_voter_eligible", "Whether this node is a voter whose vote counts", int(replica.vote_counts))
    yield gauge("kraft_vote_store_ms", "How long storing a vote usually takes, in ms", replica.vote_store_ms)


def election_metrics(seen: ElectionsSeen) -> Iterable[Metric]:
    """Read what was seen of elections."""
    yield histogram(
        "kraft_election_latency_ms", "From this node's candidacy until a leader was known, in ms", seen.latencies
    )
    yield counter("kraft_new_active_controllers", "Leaders that this node saw elected, itself too", seen.count)


def lag_metrics(replica: Replica, now_ms: int, registered: Container[NodeId]) -> Iterable[Metric]:
    """Show how far the voters, and those observers that are registered nodes, are behind this leader.

    Any process may fetch as an observer and give itself a node id; a registered one was admitted by the controller.
    A voter that has not fetched since the election may lack the whole log, and counts so, or the largest lag hides it.
    """
    offsets = GaugeMetricFamily("kraft_replica_lag_offsets", "Offsets that a replica lacks", labels=_LAGS)
    times = GaugeMetricFamily(
        "kraft_replica_lag_ms", "Since when a replica lacks any, in ms, -1 never caught up", labels=_LAGS
    )
    if replica.role is Role.LEADER:
        view = replica.describe(now_ms)
        roles = {(one.key.node_id, "voter"): one for one in view.voters}
        observers = sorted(view.observers, key=lambda one: one.last_fetch_ms or 0)
        roles |= {(one.key.node_id, "observer"): one for one in observers if one.key.node_id in registered}
        for (node_id, role), one in sorted(roles.items()):
            end, caught_up_ms = one.log_end_offset, one.last_caught_up_ms
            offsets.add_metric([str(node_id), role], max(0, replica.log_end_offset - (end or 0)))
            times.add_metric([str(node_id), role], -1 if caught_up_ms is None else max(0, now_ms - caught_up_ms))
    yield offsets
    yield times


def driver_metrics(driver: Driver) -> Iterable[Metric]:
    """Read what the driver counted."""
    yield counter("kraft_appended_records", "Records that this node wrote to its log as the leader",
                  driver.appended_records)  # fmt: skip
    yield counter("kraft_fetched_records", "Records that this node wrote to its log as a follower",
                  driver.fetched_records)  # fmt: skip
    yield histogram("kraft_append_to_commit_latency_ms",
                    "How long appends of this node as the leader took until they were committed, in ms",
                    driver.append_times.durations)  # fmt: skip
    yield histogram("kraft_log_flush_time_ms", "How long a flush of the log took, in ms", driver.flush_times)
    yield gauge("kraft_metadata_log_bytes", "Bytes of batches in the metadata log", driver.directory.log.size_bytes)
    yield counter("kraft_poll_idle_ms", "How long the driver has waited for something to do, in ms", driver.idle_ms)


def _vote(replica: Replica) -> GaugeMetricFamily:
    vote = GaugeMetricFamily("kraft_current_vote", "Id of whom the vote went to, -1 none", labels=["directory_id"])
    key = replica.vote
    if key is None:
        vote.add_metric([""], -1)
    else:
        vote.add_metric(["" if key.directory_id is None else uuid_to_text(key.directory_id)], key.node_id)
    return vote
