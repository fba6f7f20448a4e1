"""What was read of a cluster, each part by itself: its value, or why it could not be read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Generic, NamedTuple, TypeVar

from kraftpy.client.values import ClusterInfo, Features, QuorumInfo, ReplicaInfo, Topics
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.errors import KraftError
from kraftpy.model.ids import NodeId
from kraftpy.quorum_tools.port_kinds import FoundPort

T = TypeVar("T")


class OwnValue(NamedTuple):
    """The value of a key that is in force at a node, and where the node has it from."""

    text: str
    source: ConfigSource


class UnknownFactError(KraftError):
    """A check needs what was not read; the text is the reason."""


@dataclass(frozen=True, slots=True)
class Fact(Generic[T]):
    """A part of what was read.

    Attributes:
        value: ``None`` when it was not read.
        reason: why it was not read.
        rest: what was left out of it, and why; empty when it is whole.
    """

    value: T | None = None
    reason: str = ""
    rest: str = ""

    @property
    def known(self) -> T:
        """The value.

        Raises:
            UnknownFactError: it was not read.
        """
        if self.value is None:
            raise UnknownFactError(self.reason)
        return self.value

    def check_whole(self) -> None:
        """Check that nothing was left out.

        Raises:
            UnknownFactError: something was.
        """
        if self.rest:
            raise UnknownFactError(self.rest)


@dataclass(frozen=True, slots=True)
class BootstrapAddress:
    """What is at an address that the command was given.

    Attributes:
        found: what kind of port.
        uses_tls: whether the command speaks TLS.
        cluster_id: of the cluster of the node there; ``None`` where none was asked or answered.
        is_registered: whether a voter or a registered controller has that address, under whatever name.
    """

    found: FoundPort
    uses_tls: bool
    cluster_id: str | None
    is_registered: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class DoctorFacts:
    """Everything that was read of a running cluster.

    Attributes:
        now_ms: the time of this machine, in ms since 1970.
        cluster: members and the cluster id.
        quorum: the leader's view.
        no_leader: why no leader answered, where it was asked for and none did; ``None`` otherwise.
        quorum_read_ms: the time of this machine before and after the leader was asked.
        features: as the node that answered has them.
        topics: with all partitions.
        controllers: by controller, the features that it reported at the gRPC address that it registered.
        own_configs: by controller, the keys of its own file that it describes, secrets left out; no value, no key.
        certificates: by address of a TLS listener, when its certificate expires, in seconds since 1970.
        metrics: by address of a metrics listener, the values of its series.
        metrics_read_ms: by address of one that answered, the time of this machine before and after it was asked.
        bootstrap: by address of the list that the command was given; a list of one was looked at by being used.
    """

    now_ms: int
    cluster: Fact[ClusterInfo]
    quorum: Fact[QuorumInfo]
    no_leader: str | None = None
    quorum_read_ms: tuple[int, int]
    features: Fact[Features]
    topics: Fact[Topics]
    controllers: Fact[Mapping[NodeId, Fact[Features]]]
    own_configs: Fact[Mapping[NodeId, Fact[Mapping[str, OwnValue]]]]
    certificates: Fact[Mapping[str, Fact[int]]]
    metrics: Fact[Mapping[str, Fact[Mapping[str, float]]]]
    metrics_read_ms: Mapping[str, tuple[int, int]]
    bootstrap: Fact[Mapping[str, BootstrapAddress]]

    @property
    def leader(self) -> ReplicaInfo:
        """The leader's own row in its view of the quorum.

        Raises:
            UnknownFactError: there is none.
        """
        quorum = self.quorum.known
        for voter in quorum.voters:
            if voter.key.node_id == quorum.leader_id:
                return voter
        raise UnknownFactError("the leader is not among the voters, so no time and no end offset of it is known")

    def hosts_of(self, voter: ReplicaInfo) -> set[str]:
        """Return the hosts of a voter: of its endpoints in the voter set, else of its registration.

        Raises:
            UnknownFactError: the members were not read.
        """
        if voter.endpoints:
            return {endpoint.host for endpoint in voter.endpoints}
        found = [one for one in self.cluster.known.controllers if one.controller_id == voter.key.node_id]
        return {listener.host for one in found for listener in one.listeners}

    def fetch_age_ms(self, node_id: NodeId) -> int | None:
        """Return how long ago a node fetched from the leader, by the leader's clock; ``None`` when it never did.

        Raises:
            UnknownFactError: no leader answered.
        """
        quorum, now_ms = self.quorum.known, self.leader.last_fetch_ms
        times = [
            replica.last_fetch_ms
            for replica in (*quorum.voters, *quorum.observers)
            if replica.key.node_id == node_id and replica.last_fetch_ms is not None
        ]
        return max(0, now_ms - max(times)) if times and now_ms is not None else None
