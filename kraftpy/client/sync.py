"""The same client for code that does not run in an event loop: each call runs on a loop in a background thread."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Coroutine, Generator, Iterable, Mapping, Sequence
from typing import Any, Self, TypedDict, TypeVar, Unpack

import grpc

from kraftpy.authenticator.login import Login
from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.calls import TIMEOUT_S
from kraftpy.client.errors import UnavailableError
from kraftpy.client.uuids import Uuid
from kraftpy.model.consistency import Consistency
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset
from kraftpy.model.registrations import BrokerHeartbeat, RegisterBroker, RegisterController

ResultT = TypeVar("ResultT")


class ReadWords(TypedDict, total=False):
    """Further options of reads; see :meth:`AsyncClient.describe_cluster`."""

    consistency: Consistency
    min_offset: Offset | None
    timeout_s: float | None


class WriteWords(TypedDict, total=False):
    """Further options of writes; see :meth:`AsyncClient.unregister_broker`."""

    validate_only: bool
    request_id: bytes | None
    first_sent_epoch: Epoch | None
    retry_unknown: bool
    timeout_s: float | None


class Client:
    """The blocking form of :class:`AsyncClient`, which documents arguments and errors. Safe to share between threads.

    Use it with ``with``.
    """

    def __init__(
        self,
        bootstrap: Sequence[str],
        *,
        timeout_s: float = TIMEOUT_S,
        credentials: grpc.ChannelCredentials | None = None,
        login: Login | None = None,
        tracer_provider: Any | None = None,
    ) -> None:
        self._client = AsyncClient(
            bootstrap, timeout_s=timeout_s, credentials=credentials, login=login, tracer_provider=tracer_provider
        )
        self._loop = asyncio.new_event_loop()
        self._closing = asyncio.Event()
        self._is_ready = threading.Event()
        self._thread = threading.Thread(target=self._serve, name="kraftpy-client", daemon=True)

    def __enter__(self) -> Self:
        """Start the background thread."""
        self._thread.start()
        self._is_ready.wait()
        return self

    def __exit__(self, *error: object) -> None:
        """Close the session and end the thread."""
        self.close()

    def close(self) -> None:
        """Close the session and end the thread; a second call does nothing."""
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._closing.set)
            self._thread.join()

    def _serve(self) -> None:
        """Run the loop until it is closed; one task enters and leaves the client, as its task group demands."""
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            runner.run(self._live())

    async def _live(self) -> None:
        async with self._client:
            self._is_ready.set()
            await self._closing.wait()

    def _run(self, work: Coroutine[Any, Any, ResultT]) -> ResultT:
        if not self._thread.is_alive():
            # The call would never complete.
            work.close()
            raise UnavailableError("the client is closed, or was not entered with `with`")
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def describe_cluster(self, *, include_fenced: bool = False, **options: Unpack[ReadWords]) -> v.ClusterInfo:
        """Return brokers, controllers, the cluster id and the active controller."""
        return self._run(self._client.describe_cluster(include_fenced=include_fenced, **options))

    def describe_features(self, **options: Unpack[ReadWords]) -> v.Features:
        """Return finalized and supported feature levels."""
        return self._run(self._client.describe_features(**options))

    def describe_log_dirs(self, *, timeout_s: float | None = None) -> v.LogDirs:
        """Return the log directories of the node that answers: give the client the address of one broker."""
        return self._run(self._client.describe_log_dirs(timeout_s=timeout_s))

    def describe_configs(
        self, resources: Iterable[v.Resource] = (), *, include_defaults: bool = False, **options: Unpack[ReadWords]
    ) -> v.Configs:
        """Return the configs of some resources, or of all that have any."""
        return self._run(self._client.describe_configs(resources, include_defaults=include_defaults, **options))

    def describe_topics(
        self, names: Iterable[str] = (), *, omit_partitions: bool = False, **options: Unpack[ReadWords]
    ) -> v.Topics:
        """Describe topics."""
        return self._run(self._client.describe_topics(names, omit_partitions=omit_partitions, **options))

    def list_partition_reassignments(
        self, partitions: Mapping[str, Iterable[int]] | None = None, **options: Unpack[ReadWords]
    ) -> v.Reassignments:
        """Return ongoing reassignments."""
        return self._run(self._client.list_partition_reassignments(partitions, **options))

    def describe_client_quotas(
        self,
        entity: v.Entity | None = None,
        *,
        any_name: Iterable[str] = (),
        strict: bool = False,
        **options: Unpack[ReadWords],
    ) -> v.Quotas:
        """Return the quotas of the entities that match."""
        return self._run(self._client.describe_client_quotas(entity, any_name=any_name, strict=strict, **options))

    def describe_user_scram_credentials(self, users: Iterable[str] = (), **options: Unpack[ReadWords]) -> v.ScramUsers:
        """Return which SCRAM credentials users have, without keys."""
        return self._run(self._client.describe_user_scram_credentials(users, **options))

    def describe_broker_hosts(self, hosts: Iterable[str] = (), **options: Unpack[ReadWords]) -> v.BrokerHosts:
        """See :meth:`AsyncClient.describe_broker_hosts`."""
        return self._run(self._client.describe_broker_hosts(hosts, **options))

    def describe_delegation_tokens(
        self, owners: Iterable[str] = (), **options: Unpack[ReadWords]
    ) -> v.DelegationTokens:
        """See :meth:`AsyncClient.describe_delegation_tokens`."""
        return self._run(self._client.describe_delegation_tokens(owners, **options))

    def describe_acls(self, match: v.AclMatch = v.EVERY_ACL, **options: Unpack[ReadWords]) -> v.Acls:
        """Return the access control entries that match."""
        return self._run(self._client.describe_acls(match, **options))

    def describe_quorum(self, *, timeout_s: float | None = None) -> v.QuorumInfo:
        """Return the leader's view of voters and observers."""
        return self._run(self._client.describe_quorum(timeout_s=timeout_s))

    def transfer_leadership(
        self, node_id: NodeId, *, validate_only: bool = False, timeout_s: float | None = None
    ) -> LeaderAndEpoch:
        """Transfer leadership to a voter, or only check whether that is possible."""
        return self._run(self._client.transfer_leadership(node_id, validate_only=validate_only, timeout_s=timeout_s))

    def get_image(self, *, include_secrets: bool = False, **options: Unpack[ReadWords]) -> v.ImageRecords:
        """Return the whole state as the records of a snapshot."""
        return self._run(self._client.get_image(include_secrets=include_secrets, **options))

    def watch(
        self,
        from_offset: Offset,
        *,
        include_json: bool = False,
        include_secrets: bool = False,
        changes_of: Iterable[v.MetadataSlice] = (),
    ) -> Generator[v.WatchEvent, None, None]:
        """Iterate over the committed log from an offset on; close the iterator to stop."""
        events = self._client.watch(
            from_offset, include_json=include_json, include_secrets=include_secrets, changes_of=changes_of
        )
        waiting: asyncio.Task[Any] | None = None

        async def next_event() -> v.WatchEvent:
            nonlocal waiting
            waiting = asyncio.current_task()
            return await anext(events)

        async def close() -> None:
            # After a Ctrl-C the loop still waits for an event, and a generator that runs cannot be closed.
            if waiting is not None and not waiting.done():
                waiting.cancel()
                await asyncio.wait({waiting})
            await events.aclose()

        try:
            while True:
                yield self._run(next_event())
        finally:
            self._run(close())

    def register_broker(self, request: RegisterBroker, *, timeout_s: float | None = None) -> v.BrokerRegistered:
        """Register a broker process."""
        return self._run(self._client.register_broker(request, timeout_s=timeout_s))

    def broker_heartbeat(self, request: BrokerHeartbeat, *, timeout_s: float | None = None) -> v.HeartbeatAnswered:
        """Report that a broker is alive."""
        return self._run(self._client.broker_heartbeat(request, timeout_s=timeout_s))

    def register_controller(self, request: RegisterController, *, timeout_s: float | None = None) -> v.Position:
        """Register a controller process."""
        return self._run(self._client.register_controller(request, timeout_s=timeout_s))

    def alter_partition(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        reports: Iterable[v.InSyncReplicas],
        *,
        validate_only: bool = False,
        timeout_s: float | None = None,
    ) -> v.InSyncAltered:
        """Report which replicas are in sync; check every outcome."""
        made = self._client.alter_partition(
            broker_id, broker_epoch, reports, validate_only=validate_only, timeout_s=timeout_s
        )
        return self._run(made)

    def assign_replicas_to_dirs(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        directories: Mapping[tuple[Uuid, int], Uuid],
        *,
        validate_only: bool = False,
        timeout_s: float | None = None,
    ) -> v.ReplicasAssigned:
        """Report the directory of each replica; check every outcome."""
        made = self._client.assign_replicas_to_dirs(
            broker_id, broker_epoch, directories, validate_only=validate_only, timeout_s=timeout_s
        )
        return self._run(made)

    def allocate_producer_ids(
        self,
        broker_id: NodeId,
        broker_epoch: int,
        *,
        validate_only: bool = False,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ProducerIds:
        """Return a block of producer ids."""
        made = self._client.allocate_producer_ids(
            broker_id,
            broker_epoch,
            validate_only=validate_only,
            retry_unknown=retry_unknown,
            timeout_s=timeout_s,
        )
        return self._run(made)

    def assign_broker_id(
        self, host: str, incarnation_id: Uuid, *, validate_only: bool = False, timeout_s: float | None = None
    ) -> v.BrokerIdAssigned:
        """Return an id for a broker that has none."""
        return self._run(
            self._client.assign_broker_id(host, incarnation_id, validate_only=validate_only, timeout_s=timeout_s)
        )

    def unregister_broker(self, broker_id: NodeId, **options: Unpack[WriteWords]) -> v.Position:
        """Remove a broker's registration."""
        return self._run(self._client.unregister_broker(broker_id, **options))

    def unregister_controller(self, controller_id: NodeId, **options: Unpack[WriteWords]) -> v.Position:
        """Remove a controller's registration."""
        return self._run(self._client.unregister_controller(controller_id, **options))

    def update_features(self, changes: Iterable[v.FeatureChange], **options: Unpack[WriteWords]) -> v.Position:
        """Change feature levels, all or none."""
        return self._run(self._client.update_features(changes, **options))

    def create_topics(
        self, topics: Iterable[v.NewTopic], *, placement: v.Placement = v.ANY_PLACEMENT, **options: Unpack[WriteWords]
    ) -> v.TopicsChanged:
        """Create topics; look at every outcome."""
        return self._run(self._client.create_topics(topics, placement=placement, **options))

    def delete_topics(
        self, names: Iterable[str] = (), *, topic_ids: Iterable[Uuid] = (), **options: Unpack[WriteWords]
    ) -> v.TopicsChanged:
        """Delete topics; look at every outcome."""
        return self._run(self._client.delete_topics(names, topic_ids=topic_ids, **options))

    def create_partitions(
        self,
        increases: Iterable[v.PartitionIncrease],
        *,
        placement: v.Placement = v.ANY_PLACEMENT,
        **options: Unpack[WriteWords],
    ) -> v.TopicsChanged:
        """Add partitions to topics; look at every outcome."""
        return self._run(self._client.create_partitions(increases, placement=placement, **options))

    def elect_leaders(
        self,
        election_type: v.LeaderElectionType,
        partitions: Mapping[str, Iterable[int]] | None,
        **options: Unpack[WriteWords],
    ) -> v.PartitionsChanged:
        """Elect leaders; check every outcome."""
        return self._run(self._client.elect_leaders(election_type, partitions, **options))

    def alter_partition_reassignments(
        self,
        replicas: Mapping[tuple[str, int], Sequence[NodeId] | None],
        *,
        allow_replication_factor_change: bool = True,
        **options: Unpack[WriteWords],
    ) -> v.PartitionsChanged:
        """Move replicas; check every outcome."""
        return self._run(
            self._client.alter_partition_reassignments(
                replicas, allow_replication_factor_change=allow_replication_factor_change, **options
            )
        )

    def alter_client_quotas(
        self, changes: Iterable[tuple[v.Entity, Mapping[str, float | None]]], **options: Unpack[WriteWords]
    ) -> v.QuotasAltered:
        """Set and remove quotas; check every outcome."""
        return self._run(self._client.alter_client_quotas(changes, **options))

    def alter_user_scram_credentials(
        self,
        upsertions: Iterable[v.NewScramCredential] = (),
        *,
        deletions: Iterable[tuple[str, v.ScramMechanism]] = (),
        **options: Unpack[WriteWords],
    ) -> v.ScramAltered:
        """Set and delete SCRAM credentials; check every outcome."""
        return self._run(self._client.alter_user_scram_credentials(upsertions, deletions=deletions, **options))

    def alter_broker_host(self, host: str, broker_id: NodeId | None, **options: Unpack[WriteWords]) -> v.Position:
        """See :meth:`AsyncClient.alter_broker_host`."""
        return self._run(self._client.alter_broker_host(host, broker_id, **options))

    def create_delegation_token(
        self,
        *,
        owner: str | None = None,
        renewers: Iterable[str] = (),
        max_lifetime_ms: int | None = None,
        **options: Unpack[WriteWords],
    ) -> v.CreatedDelegationToken:
        """See :meth:`AsyncClient.create_delegation_token`."""
        made = self._client.create_delegation_token(
            owner=owner, renewers=renewers, max_lifetime_ms=max_lifetime_ms, **options
        )
        return self._run(made)

    def renew_delegation_token(
        self, hmac: bytes, *, period_ms: int | None = None, **options: Unpack[WriteWords]
    ) -> int:
        """See :meth:`AsyncClient.renew_delegation_token`."""
        return self._run(self._client.renew_delegation_token(hmac, period_ms=period_ms, **options))

    def expire_delegation_token(
        self, hmac: bytes, *, period_ms: int | None = None, **options: Unpack[WriteWords]
    ) -> int:
        """See :meth:`AsyncClient.expire_delegation_token`."""
        return self._run(self._client.expire_delegation_token(hmac, period_ms=period_ms, **options))

    def create_acls(self, entries: Iterable[v.AclEntry], **options: Unpack[WriteWords]) -> v.AclsChanged:
        """Create access control entries; check every outcome."""
        return self._run(self._client.create_acls(entries, **options))

    def delete_acls(self, matches: Iterable[v.AclMatch], **options: Unpack[WriteWords]) -> v.AclsChanged:
        """Delete the access control entries that match; each outcome lists them."""
        return self._run(self._client.delete_acls(matches, **options))

    def incremental_alter_configs(
        self, changes: Mapping[v.Resource, Sequence[v.ConfigChange]], **options: Unpack[WriteWords]
    ) -> v.ConfigsAltered:
        """Change config keys; check every outcome."""
        return self._run(self._client.incremental_alter_configs(changes, **options))
