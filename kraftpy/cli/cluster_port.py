"""What online commands ask of a cluster: the port between the command line and the client library.

Commands depend on this alone, so that their layouts are tested without a network, and grpc is imported only when one of
them connects. What is asked and answered are the client's own values.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

from kraftpy.model.consistency import Consistency

if TYPE_CHECKING:
    from kraftpy.client import values
    from kraftpy.model.offsets import LeaderAndEpoch
    from kraftpy.model.resource_types import ResourceType


@dataclass(frozen=True, slots=True, kw_only=True)
class WatchedRecord:
    """One record of the stream.

    Attributes:
        offset: its place in the log; ``None`` for a record of a snapshot.
        snapshot_end: the end offset of its snapshot; ``None`` for a record of the log.
        data: ``{"type": ..., "version": ..., "data": {...}}``.
    """

    offset: int | None
    snapshot_end: int | None = None
    epoch: int
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Read:
    """What an answer may be relied on for, and what it must contain at least; see ``ReadOptions`` of common.proto."""

    consistency: Consistency = Consistency.COMMITTED
    min_offset: int | None = None


ANY_STATE: Final = Read()


class ClusterClient(Protocol):
    """A connection to a cluster. Calls raise ``ApiError`` when refused and end with code 4 without an answer."""

    def transfer_leadership(self, node_id: int, *, validate_only: bool = False) -> LeaderAndEpoch:
        """Hand the leadership to a voter, and return who leads then; or ask only whether it could be done."""
        ...

    def describe_quorum(self) -> values.QuorumInfo:
        """Ask the leader how far each replica is."""

    def describe_cluster(self, read: Read = ANY_STATE) -> values.ClusterInfo:
        """List the members, fenced brokers too."""

    def describe_log_dirs(self) -> values.LogDirs:
        """List the log directories of the node that answers."""

    def describe_features(self, read: Read = ANY_STATE) -> values.Features:
        """List the features."""

    def describe_configs(self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE) -> values.Configs:
        """List the configs of these (type, name), or of all."""

    def explain_configs(
        self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE
    ) -> Mapping[values.Resource, Sequence[values.ConfigEntry]]:
        """List all keys of these (type, name), or of all that have configs, and where their values come from."""

    def update_features(self, levels: Mapping[str, int], kind: str, *, validate_only: bool) -> None:
        """Change levels, all or none; ``kind`` is UPGRADE, SAFE_DOWNGRADE or UNSAFE_DOWNGRADE."""

    def alter_configs(
        self, resource: tuple[int, str], values: Mapping[str, str | None], *, validate_only: bool
    ) -> str | None:
        """Set keys, and delete those whose value is ``None``; return why it was refused, if it was."""

    def describe_client_quotas(
        self, names: Mapping[str, str | None], any_name: Sequence[str], read: Read = ANY_STATE
    ) -> values.Quotas:
        """List the quotas of entities with exactly these types; ``None`` is the default of a type."""

    def alter_client_quotas(
        self, names: Mapping[str, str | None], values: Mapping[str, float | None], *, validate_only: bool
    ) -> str | None:
        """Set quotas, and delete those whose value is ``None``; return why it was rejected, if it was."""

    def describe_user_scram_credentials(self, users: Sequence[str], read: Read = ANY_STATE) -> values.ScramUsers:
        """List which SCRAM credentials these users have, or all."""

    def alter_user_scram_credentials(
        self,
        upsertions: Sequence[values.NewScramCredential],
        deletions: Sequence[tuple[str, int]],
        *,
        validate_only: bool,
    ) -> str | None:
        """Set and delete SCRAM credentials; return why it was rejected, if it was."""

    def create_topic(
        self, topic: values.NewTopic, placement: values.Placement, *, validate_only: bool
    ) -> values.TopicOutcome:
        """Create a topic."""

    def create_partitions(
        self, increase: values.PartitionIncrease, placement: values.Placement, *, validate_only: bool
    ) -> values.TopicOutcome:
        """Add partitions to a topic."""

    def delete_topics(
        self, names: Sequence[str], topic_ids: Sequence[bytes], *, validate_only: bool
    ) -> Sequence[values.TopicOutcome]:
        """Delete topics by name and by id."""

    def describe_topics(
        self, names: Sequence[str], read: Read = ANY_STATE, *, omit_partitions: bool = False
    ) -> values.Topics:
        """Describe these topics, or all."""

    def list_topics(self, read: Read = ANY_STATE) -> list[str]:
        """List the names of all topics, ascending."""

    def elect_leaders(
        self,
        election_type: values.LeaderElectionType,
        partitions: Mapping[str, Sequence[int]] | None,
        *,
        validate_only: bool,
    ) -> Sequence[values.PartitionResult]:
        """Elect leaders of these partitions, or of all."""

    def create_acls(self, entries: Sequence[values.AclEntry], *, validate_only: bool) -> Sequence[values.AclOutcome]:
        """Create access control entries."""

    def delete_acls(self, matches: Sequence[values.AclMatch], *, validate_only: bool) -> Sequence[values.AclOutcome]:
        """Delete the access control entries that match, and return them."""

    def describe_acls(self, match: values.AclMatch, read: Read = ANY_STATE) -> Sequence[values.AclEntry]:
        """List the access control entries that match."""

    def reassign_partitions(
        self,
        replicas: Mapping[tuple[str, int], Sequence[int] | None],
        *,
        allow_replication_factor_change: bool,
        validate_only: bool = False,
    ) -> Sequence[values.PartitionResult]:
        """Move replicas of partitions; ``None`` cancels."""

    def alter_many_configs(self, settings: Mapping[tuple[ResourceType, str], Mapping[str, str | None]]) -> str | None:
        """Set keys of many resources, and delete those whose value is ``None``; return the first refusal."""

    def list_reassignments(
        self, partitions: Mapping[str, Sequence[int]] | None
    ) -> Sequence[values.OngoingReassignment]:
        """List the ongoing reassignments of these partitions, or all, in the state of the leader."""

    def describe_broker_hosts(self, hosts: Sequence[str], read: Read = ANY_STATE) -> Sequence[values.BrokerHost]:
        """List the broker ids of these hosts, or of all."""

    def alter_broker_host(self, host: str, broker_id: int | None, *, validate_only: bool) -> None:
        """Set the broker id of a host, or remove it."""

    def create_delegation_token(
        self, *, owner: str | None, renewers: Sequence[str], max_lifetime_ms: int | None, validate_only: bool
    ) -> values.CreatedDelegationToken:
        """Create a delegation token."""

    def renew_delegation_token(self, hmac: bytes, period_ms: int | None, *, validate_only: bool) -> int:
        """Renew a delegation token; return when it expires (ms since 1970)."""

    def expire_delegation_token(self, hmac: bytes, period_ms: int | None, *, validate_only: bool) -> int:
        """Let a delegation token expire, or delete it; return when it expires (ms since 1970)."""

    def describe_delegation_tokens(
        self, owners: Sequence[str], read: Read = ANY_STATE
    ) -> Sequence[values.DelegationTokenInfo]:
        """List the delegation tokens of these owners, or of all."""

    def get_image(self, *, include_secrets: bool) -> values.ImageRecords:
        """Return the whole state as the records of a snapshot."""

    def unregister_broker(self, broker_id: int, *, validate_only: bool) -> None:
        """Forget a broker."""

    def unregister_controller(self, controller_id: int, *, validate_only: bool) -> None:
        """Forget a controller."""

    def watch(self, from_offset: int, *, shows_secrets: bool = False) -> Iterator[WatchedRecord]:
        """Follow the committed log, for ever."""
