"""The client: find the leader, keep one session to it, and retry what is safe to retry.

The path of one call: connect to the node that was last known to lead (or to a bootstrap server), send, wait. Then

======================================  ================================================================
the node refused and did nothing        repeat, at the leader that it named or at the next bootstrap server
it is busy and did nothing              repeat in the same session, after a pause
the session broke before it was sent    repeat elsewhere
it broke afterwards                     repeat, with the same request id; a write that may change something when
                                        it is done twice as a retry, with the epoch of the first attempt
the controller was deposed meanwhile    a write that may be repeated: repeat; another: UnknownOutcomeError
it cannot know whether a retry was      :class:`UnknownOutcomeError` with the offset to read at: the epoch in which
done (another epoch, or forgotten)      the write was sent is over
a read that timed out at a node         repeat at the next bootstrap server
the write's epoch is over, and it was   repeat in the same session, with the new epoch
not sent before
the deadline passed                     a write that was sent: :class:`UnknownOutcomeError`, else UnavailableError
refused for good                        :class:`~kraftpy.model.errors.ApiError`; of a write whose earlier attempt
                                        may have been done: :class:`UnknownOutcomeError`, which names the rejection
======================================  ================================================================

Repeating changes nothing for registrations, heartbeats and ``validate_only``; for the others the caller may permit it
with ``retry_unknown=True``. All others are stamped: a session reports the leader epoch, and the write is done in that
one or never (``WriteOptions`` of the API).
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import AsyncGenerator, Awaitable, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack
from typing import Any, Final, Self, TypeAlias

import grpc

from kraftpy.client import values as v
from kraftpy.client import wire
from kraftpy.client.errors import RejectedError, UnavailableError, UnknownOutcomeError, refusal_of
from kraftpy.client.nodes import Nodes
from kraftpy.client.pages import all_pages
from kraftpy.client.session import Attempt, ClientSession, Leadership, SessionLostError, connect
from kraftpy.client.watching import Watcher
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import UUID_BYTES, NodeId, Uuid
from kraftpy.model.offsets import Epoch, LeaderAndEpoch, Offset
from kraftpy.model.registrations import BrokerHeartbeat, RegisterBroker, RegisterController
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, quorum_pb2

TIMEOUT_S: Final = 30.0
READ_ROUND_MS: Final = 5_000
"""How long a node is let wait for the state that a read asks for, before another node is asked."""

IMAGE_PATH: Final = "/kraftpy.v1.ClusterService/GetImage"

_Work: TypeAlias = Callable[[float, Attempt], Awaitable[Any]]
"""One attempt: how many seconds are left, and where to note how far it came."""


SERVER_TIMEOUT_S_MAX: Final = 2**32 // 1000
"""The longest timeout that a request can contain; a client with a longer one still waits that long."""


def _server_timeout_ms(left_s: float) -> int:
    """Say how long a node may take, in milliseconds; at least one, because 0 leaves it to the node."""
    return max(1, int(min(left_s, SERVER_TIMEOUT_S_MAX) * 1000))


def _draw() -> float:
    return secrets.randbelow(1_000_000) / 1_000_000


class AsyncClient:
    """Calls a cluster. Use it with ``async with``; concurrent calls share messages, which is cheaper.

    Args:
        bootstrap: ``host:port`` of the public API of one or more nodes.
        timeout_s: the default timeout of a call, in seconds.
        credentials: TLS, if given (``grpc.ssl_channel_credentials``).
        draw: returns random numbers in [0, 1), for the jitter of pauses between attempts.

    Raises:
        ApiError: by every call: the cluster rejected the request, and nothing changed; ``code`` is Kafka's error code.
        UnavailableError: by every call: no node answered before the timeout, and nothing changed.
        UnknownOutcomeError: by every write: it was sent, and the client does not know whether it was committed.
    """

    def __init__(
        self,
        bootstrap: Sequence[str],
        *,
        timeout_s: float = TIMEOUT_S,
        credentials: grpc.ChannelCredentials | None = None,
        draw: Callable[[], float] = _draw,
    ) -> None:
        self._bootstrap = tuple(bootstrap)
        self._timeout_s = timeout_s
        self._credentials = credentials
        self._draw = draw
        self._nodes = Nodes(bootstrap, draw)
        self._session: ClientSession | None = None
        self._running: set[asyncio.Task[None]] = set()
        self._opening = asyncio.Lock()
        self._stack = AsyncExitStack()
        self._tasks: asyncio.TaskGroup | None = None

    async def __aenter__(self) -> Self:
        """Get ready; the first call connects."""
        self._tasks = await self._stack.enter_async_context(asyncio.TaskGroup())
        return self

    async def __aexit__(self, *error: object) -> None:
        """Close; see :meth:`close`."""
        await self.close()

    async def close(self) -> None:
        """Close the session; calls in flight fail as after a lost connection."""
        self._tasks = None
        for task in tuple(self._running):
            task.cancel()
        await self._stack.aclose()

    # Reads.

    async def describe_cluster(
        self,
        *,
        include_fenced: bool = False,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.ClusterInfo:
        """Return brokers, controllers, the cluster id and the active controller.

        Args:
            include_fenced: include fenced brokers.
            consistency: COMMITTED: the committed state of the node that answers, which may be older than that of other
                nodes. LINEARIZABLE: a state that contains everything acknowledged before this call; the client finds
                the active controller, which has a majority confirm that it still leads.
            min_offset: the state must contain this offset, such as that of an earlier write; a node that has not
                reached it waits, and after READ_ROUND_MS the client tries another node.
            timeout_s: the timeout of the call, in seconds; by default that of the client. A list comes in pages, and
                each page has this time.

        Returns:
            All pages. ``freshness`` is that of the first page; if its ``last_offset``, that of the last page, is
            another, what came or went meanwhile may be listed or not.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = cluster_pb2.DescribeClusterRequest(include_fenced_brokers=include_fenced, read=read)
        listed: v.ClusterInfo = await self._list("describe_cluster", request, timeout_s, wire.cluster)
        return listed

    async def describe_features(
        self,
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Features:
        """Return finalized and supported feature levels; see :meth:`describe_cluster` for the arguments."""
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = cluster_pb2.DescribeFeaturesRequest(read=read)
        return wire.features(await self._read("describe_features", request, timeout_s, waits=read is not None))

    async def describe_log_dirs(self, *, timeout_s: float | None = None) -> v.LogDirs:
        """Return the log directories of the node that answers: give the client the address of one broker."""
        request = cluster_pb2.DescribeLogDirsRequest()
        return wire.log_dirs(await self._read("describe_log_dirs", request, timeout_s))

    async def describe_configs(
        self,
        resources: Iterable[v.Resource] = (),
        *,
        include_defaults: bool = False,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Configs:
        """Return the configs of some resources, or of all that have any.

        See :meth:`describe_cluster` for the other arguments.

        Args:
            resources: which; none means all that have configs.
            include_defaults: also the keys that are not set, and where each value comes from.
            consistency: of each page.
            min_offset: of each page.
            timeout_s: how long each page may take.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        named = [wire.resource_out(each) for each in resources]
        request = cluster_pb2.DescribeConfigsRequest(resources=named, read=read, include_defaults=include_defaults)
        listed: v.Configs = await self._list("describe_configs", request, timeout_s, wire.configs)
        return listed

    async def describe_topics(
        self,
        names: Iterable[str] = (),
        *,
        omit_partitions: bool = False,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Topics:
        """Describe some topics, or all; see :meth:`describe_cluster` for the other arguments.

        Args:
            names: which; none means all.
            omit_partitions: topics without their partitions.
            consistency: of each page.
            min_offset: of each page.
            timeout_s: how long each page may take.

        Returns:
            All pages. While the state changes, a page may be of a newer state than the page before it.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        asked = cluster_pb2.DescribeTopicsRequest(names=names, omit_partitions=omit_partitions, read=read)
        pages = wire.TopicPageReader()
        while True:
            pages.add(await self._read("describe_topics", asked, timeout_s, waits=read is not None))
            if pages.next is None:
                return pages.topics()
            asked.start.CopyFrom(pages.next)

    async def list_partition_reassignments(
        self,
        partitions: Mapping[str, Iterable[int]] | None = None,
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Reassignments:
        """Return ongoing reassignments, all pages; see :meth:`describe_topics` for the other arguments.

        Args:
            partitions: which, by topic; no partition of a topic means all of them, ``None`` means all topics.
            consistency: of each page.
            min_offset: of each page.
            timeout_s: how long each page may take.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        topics = wire.topic_partitions(partitions)
        asked = cluster_pb2.ListPartitionReassignmentsRequest(topics=topics, read=read)
        pages = []
        while True:
            page = await self._read("list_partition_reassignments", asked, timeout_s, waits=read is not None)
            pages.append(page)
            if not page.HasField("next"):
                return wire.reassignments(pages)
            asked.start.CopyFrom(page.next)

    async def describe_client_quotas(
        self,
        entity: v.Entity | None = None,
        *,
        any_name: Iterable[str] = (),
        strict: bool = False,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Quotas:
        """Return the quotas of the entities that match; see :meth:`describe_cluster` for the other arguments.

        Args:
            entity: types with the names that an entity must have.
            any_name: types that an entity must have, under any name.
            strict: an entity must not have other types than these.
            consistency: see there.
            min_offset: see there.
            timeout_s: see there.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = wire.describe_client_quotas(entity or {}, any_name, strict=strict, read=read)
        listed: v.Quotas = await self._list("describe_client_quotas", request, timeout_s, wire.quotas)
        return listed

    async def describe_user_scram_credentials(
        self,
        users: Iterable[str] = (),
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.ScramUsers:
        """Return which SCRAM credentials some users have, or all, without keys.

        See :meth:`describe_cluster` for the other arguments.
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = cluster_pb2.DescribeUserScramCredentialsRequest(users=users, read=read)
        listed: v.ScramUsers = await self._list("describe_user_scram_credentials", request, timeout_s, wire.scram_users)
        return listed

    async def describe_acls(
        self,
        match: v.AclMatch = v.EVERY_ACL,
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.Acls:
        """Return the access control entries that match; see :meth:`describe_cluster` for the other arguments."""
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = wire.describe_acls(match, read)
        listed: v.Acls = await self._list("describe_acls", request, timeout_s, wire.acls)
        return listed

    async def describe_broker_hosts(
        self,
        hosts: Iterable[str] = (),
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.BrokerHosts:
        """Return the broker ids of these hosts, or of all; see :meth:`describe_cluster` for the other arguments."""
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = cluster_pb2.DescribeBrokerHostsRequest(read=read, hosts=hosts)
        listed: v.BrokerHosts = await self._list("describe_broker_hosts", request, timeout_s, wire.broker_hosts)
        return listed

    async def describe_delegation_tokens(
        self,
        owners: Iterable[str] = (),
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        timeout_s: float | None = None,
    ) -> v.DelegationTokens:
        """Return the tokens of these owners, or of all; see :meth:`describe_cluster` for the other arguments."""
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        request = cluster_pb2.DescribeDelegationTokensRequest(read=read, owners=owners)
        listed: v.DelegationTokens = await self._list(
            "describe_delegation_tokens", request, timeout_s, wire.delegation_tokens
        )
        return listed

    async def describe_quorum(self, *, timeout_s: float | None = None) -> v.QuorumInfo:
        """Return the leader's view of voters and observers, with their log end offsets."""
        return wire.quorum(await self._read("describe_quorum", quorum_pb2.DescribeQuorumRequest(), timeout_s))

    async def transfer_leadership(
        self, node_id: NodeId, *, validate_only: bool = False, timeout_s: float | None = None
    ) -> LeaderAndEpoch:
        """Transfer leadership to a voter; return the leader and its epoch once that voter leads. Repeating it is safe.

        With ``validate_only`` nothing is transferred; the call fails if the real one would.
        """
        request = quorum_pb2.TransferLeadershipRequest(node_id=node_id, validate_only=validate_only)
        answer = await self._read("transfer_leadership", request, timeout_s)
        return LeaderAndEpoch(answer.leader_id, answer.leader_epoch)

    async def get_image(
        self,
        *,
        consistency: Consistency = Consistency.COMMITTED,
        min_offset: Offset | None = None,
        include_secrets: bool = False,
        timeout_s: float | None = None,
    ) -> v.ImageRecords:
        """Return the whole state as the records of a snapshot; see :meth:`describe_cluster` for the other arguments.

        Without ``include_secrets``, credentials and sensitive values read "[hidden]".
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        wanted = cluster_pb2.GetImageRequest(read=read, include_secrets=include_secrets)

        async def attempt(left_s: float, _: Attempt) -> v.ImageRecords:
            return await self._image_once(left_s, wanted)

        image: v.ImageRecords = await self._repeat(attempt, timeout_s, None, waits=read is not None)
        return image

    def watch(
        self,
        from_offset: Offset,
        *,
        include_json: bool = False,
        include_secrets: bool = False,
        changes_of: Iterable[v.MetadataSlice] = (),
        report: Callable[[str], None] | None = None,
    ) -> AsyncGenerator[v.WatchEvent, None]:
        """Iterate over the committed log from an offset on, each offset once and in order, without end.

        The iterator reconnects and resumes by itself. When a snapshot has replaced the offset, it yields
        :class:`SnapshotBegins`, parts and :class:`SnapshotEnds` first. Close it (``aclosing``) to stop.

        Args:
            from_offset: the first offset.
            include_json: also return the records as JSON.
            include_secrets: return credentials and sensitive values as in the log; otherwise they read "[hidden]", and
                a batch with such values has other bytes than in the log.
            changes_of: return the changes of these parts of the metadata as values, in place of records; those of a
                metadata transaction once it has ended, and none of one that was aborted.
            report: called with a message once when no node answers, and once when a node answers again.

        Raises:
            ApiError: the cluster rejects the offset.
            MalformedError: the server skipped offsets, or sent a snapshot older than what was returned already.
        """
        nodes = Nodes(self._bootstrap, self._draw)
        wanted = cluster_pb2.WatchRequest(
            include_json=include_json,
            include_secrets=include_secrets,
            changes_of=[cluster_pb2.MetadataSlice.Name(one) for one in changes_of],
        )
        return Watcher(nodes, self._credentials, from_offset, wanted=wanted, report=report).events()

    # Writes.

    async def register_broker(self, request: RegisterBroker, *, timeout_s: float | None = None) -> v.BrokerRegistered:
        """Register a broker process; the result has the broker epoch of later calls."""
        options = self._options(validate_only=request.validate_only)
        answer = await self._write(
            "register_broker", wire.register_broker(request, options), timeout_s, may_repeat=True
        )
        return v.BrokerRegistered(wire.position(answer.position), answer.broker_epoch)

    async def broker_heartbeat(
        self, request: BrokerHeartbeat, *, timeout_s: float | None = None
    ) -> v.HeartbeatAnswered:
        """Report that a broker is alive."""
        options = self._options(validate_only=request.validate_only)
        message = wire.broker_heartbeat(request, options)
        return wire.heartbeat_answered(await self._write("broker_heartbeat", message, timeout_s, may_repeat=True))

    async def register_controller(self, request: RegisterController, *, timeout_s: float | None = None) -> v.Position:
        """Register a controller process."""
        options = self._options(validate_only=request.validate_only)
        message = wire.register_controller(request, options)
        answer = await self._write("register_controller", message, timeout_s, may_repeat=True)
        return wire.position(answer.position)

    async def unregister_broker(
        self,
        broker_id: NodeId,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Remove a broker's registration.

        Args:
            broker_id: the broker.
            validate_only: dry run.
            request_id: 16 bytes chosen by the caller, new for each write.
            first_sent_epoch: that of an :class:`UnknownOutcomeError`: this call is a retry of the call that raised it,
                with the ``request_id`` of the same error.
            retry_unknown: repeat the write even if an earlier attempt may have been applied; the caller asserts that
                this is safe.
            timeout_s: the timeout of the call, in seconds; by default that of the client.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.UnregisterBrokerRequest(options=options, broker_id=broker_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "unregister_broker", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def unregister_controller(
        self,
        controller_id: NodeId,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Remove a controller's registration; see :meth:`unregister_broker` for the arguments."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.UnregisterControllerRequest(options=options, controller_id=controller_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "unregister_controller", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def alter_broker_host(
        self,
        host: str,
        broker_id: NodeId | None,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Set the broker id of a host, or remove it (``None``); see :meth:`unregister_broker` for the arguments."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.AlterBrokerHostRequest(options=options, host=host, broker_id=broker_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_broker_host", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def create_delegation_token(
        self,
        *,
        owner: str | None = None,
        renewers: Iterable[str] = (),
        max_lifetime_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.CreatedDelegationToken:
        """Create a delegation token; see :meth:`unregister_broker` for the other arguments.

        Args:
            owner: type and name, such as ``User:alice``; ``None`` for the caller.
            renewers: who may renew it, besides its owner.
            max_lifetime_ms: until it can no longer be renewed; ``None`` for the longest that the cluster allows.
            validate_only: dry run; the result has no id and no HMAC.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.CreateDelegationTokenRequest(
            options=options, owner=owner, renewers=renewers, max_lifetime_ms=max_lifetime_ms
        )
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.token_created(answer)

    async def renew_delegation_token(
        self,
        hmac: bytes,
        *,
        period_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> int:
        """Let a token expire ``period_ms`` from now, or as late as the cluster allows; return when (ms since 1970).

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.RenewDelegationTokenRequest(options=options, hmac=hmac, period_ms=period_ms)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "renew_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return int(answer.expiration_timestamp_ms)

    async def expire_delegation_token(
        self,
        hmac: bytes,
        *,
        period_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> int:
        """Let a token expire ``period_ms`` from now, or delete it (``None``); return when it expires (ms since 1970).

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.ExpireDelegationTokenRequest(options=options, hmac=hmac, period_ms=period_ms)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "expire_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return int(answer.expiration_timestamp_ms)

    async def update_features(
        self,
        changes: Iterable[v.FeatureChange],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Change feature levels, all or none; see :meth:`unregister_broker` for the arguments."""
        message = wire.update_features(changes, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "update_features", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def incremental_alter_configs(
        self,
        changes: Mapping[v.Resource, Sequence[v.ConfigChange]],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ConfigsAltered:
        """Change config keys; resources succeed or fail independently, so check every outcome.

        See :meth:`unregister_broker` for the arguments.
        """
        message = wire.alter_configs(changes, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "incremental_alter_configs", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.configs_altered(answer)

    async def create_topics(
        self,
        topics: Iterable[v.NewTopic],
        *,
        placement: v.Placement = v.ANY_PLACEMENT,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Create topics; look at every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            topics: what to create.
            placement: how partitions without a manual assignment are placed.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.create_topics(topics, placement, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_topics", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def delete_topics(
        self,
        names: Iterable[str] = (),
        *,
        topic_ids: Iterable[Uuid] = (),
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Delete topics by name and by id; look at every outcome, names first; see :meth:`unregister_broker`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.delete_topics(names, topic_ids, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "delete_topics", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def create_partitions(
        self,
        increases: Iterable[v.PartitionIncrease],
        *,
        placement: v.Placement = v.ANY_PLACEMENT,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Add partitions to topics; look at every outcome; see :meth:`create_topics`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.create_partitions(increases, placement, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_partitions", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def elect_leaders(
        self,
        election_type: v.LeaderElectionType,
        partitions: Mapping[str, Iterable[int]] | None,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.PartitionsChanged:
        """Elect leaders; check every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            election_type: which leader is elected.
            partitions: which, by topic; ``None`` means all: then those that need no election have no outcome.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.elect_leaders(election_type, partitions, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "elect_leaders", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.partitions_changed(answer)

    async def alter_partition_reassignments(
        self,
        replicas: Mapping[tuple[str, int], Sequence[NodeId] | None],
        *,
        allow_replication_factor_change: bool = True,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.PartitionsChanged:
        """Move replicas; check every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            replicas: the new replicas by topic and partition, the preferred leader first; ``None`` cancels.
            allow_replication_factor_change: accept a reassignment that changes the number of replicas.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_partition_reassignments(
            replicas, options, allow_replication_factor_change=allow_replication_factor_change
        )
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_partition_reassignments",
            message,
            timeout_s,
            may_repeat=may_repeat,
            first_sent_epoch=first_sent_epoch,
        )
        return wire.partitions_changed(answer)

    async def alter_client_quotas(
        self,
        changes: Iterable[tuple[v.Entity, Mapping[str, float | None]]],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.QuotasAltered:
        """Set quotas by entity and key, and remove those whose value is ``None``; check every outcome.

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_client_quotas(changes, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_client_quotas", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.quotas_altered(answer)

    async def alter_user_scram_credentials(
        self,
        upsertions: Iterable[v.NewScramCredential] = (),
        *,
        deletions: Iterable[tuple[str, v.ScramMechanism]] = (),
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ScramAltered:
        """Set and delete SCRAM credentials; check every outcome; see :meth:`unregister_broker`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_user_scram_credentials(upsertions, deletions, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_user_scram_credentials", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.scram_altered(answer)

    async def create_acls(
        self,
        entries: Iterable[v.AclEntry],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.AclsChanged:
        """Create access control entries; check every outcome; see :meth:`unregister_broker`."""
        message = wire.create_acls(entries, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_acls", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.acls_changed(answer)

    async def delete_acls(
        self,
        matches: Iterable[v.AclMatch],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.AclsChanged:
        """Delete the access control entries that match; each outcome lists them; see :meth:`unregister_broker`."""
        message = wire.delete_acls(matches, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "delete_acls", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.acls_changed(answer)

    # How.

    @staticmethod
    def _options(*, validate_only: bool, request_id: bytes | None = None) -> common_pb2.WriteOptions:
        return common_pb2.WriteOptions(
            validate_only=validate_only, request_id=request_id or secrets.token_bytes(UUID_BYTES)
        )

    async def _read(self, name: str, message: Any, timeout_s: float | None, *, waits: bool = False) -> Any:
        async def attempt(left_s: float, state: Attempt) -> Any:
            state.session = session = await self._connected()
            return await session.call(name, message, _server_timeout_ms(left_s), state)

        return await self._repeat(attempt, timeout_s, None, waits=waits)

    async def _list(self, name: str, request: Any, timeout_s: float | None, convert: Callable[[Any], Any]) -> Any:
        waits = request.HasField("read")
        return await all_pages(request, lambda asked: self._read(name, asked, timeout_s, waits=waits), convert)

    async def _write(
        self,
        name: str,
        message: Any,
        timeout_s: float | None,
        *,
        may_repeat: bool,
        first_sent_epoch: Epoch | None = None,
    ) -> Any:
        fate = _WriteOutcome(message.options, may_repeat=may_repeat)
        if first_sent_epoch is not None:
            fate.resume(first_sent_epoch)

        async def attempt(left_s: float, state: Attempt) -> Any:
            state.session = session = await self._connected()
            if fate.is_restamped:
                fate.stamp(await session.leadership())
            return await session.call(name, message, _server_timeout_ms(left_s), state)

        return await self._repeat(attempt, timeout_s, fate)

    async def _repeat(
        self, work: _Work, timeout_s: float | None, fate: _WriteOutcome | None, *, waits: bool = False
    ) -> Any:
        """Attempt until there is an answer or repeating is not safe, at most until the deadline.

        Args:
            work: one attempt.
            timeout_s: how long all of them may take.
            fate: what became of a write so far; ``None`` for a read.
            waits: a read that a node may let wait in vain: then another one is asked.
        """
        loop = asyncio.get_running_loop()
        deadline = loop.time() + (self._timeout_s if timeout_s is None else timeout_s)
        failures = 0
        failed: RejectedError | SessionLostError | None = None
        state = Attempt()
        while True:
            try:
                async with asyncio.timeout_at(deadline):
                    if failed is not None:
                        before, state = state, Attempt()
                        await self._move_on(before.session, failures, failed)
                    return await work(deadline - loop.time(), state)
            except (RejectedError, SessionLostError) as error:
                failures, failed = failures + 1, error
                if fate is not None:
                    fate.judge(error, self._nodes.current)
                elif _is_final(error) and not (waits and _waited_in_vain(error)):
                    raise
            except UnavailableError as error:
                if fate is not None and fate.is_unsure:
                    raise fate.unknown(f"an earlier attempt may have been done: {error}") from error
                raise
            except TimeoutError as error:
                self._leave(state.session)
                last = f"no answer before the deadline, last from {self._nodes.current} ({failed or 'no refusal'})"
                if fate is not None and (fate.is_unsure or state.was_sent):
                    raise fate.unknown(last) from error
                raise UnavailableError(last) from error

    async def _move_on(
        self, session: ClientSession | None, failures: int, why: RejectedError | SessionLostError
    ) -> None:
        """Choose the node for the next attempt, unless another call has done so already, and pause."""
        is_named = False
        is_fenced = isinstance(why, RejectedError) and why.is_fenced
        is_new = isinstance(why, RejectedError) and self._nodes.learn(why.leader_epoch)
        stays = isinstance(why, RejectedError) and (why.is_busy or is_fenced)
        if session is self._session and not stays:
            is_named = isinstance(why, RejectedError) and self._nodes.follow(why.leader)
            if isinstance(why, SessionLostError):
                self._nodes.rotate()
            self._retire()
        if not ((is_named or is_fenced) and (is_new or failures == 1)):
            await asyncio.sleep(self._nodes.pause_s(failures))

    def _leave(self, session: ClientSession | None) -> None:
        """Try another node next time: this one did not answer in time."""
        if session is self._session:
            self._nodes.rotate()
            self._retire()

    def _retire(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            session.retire()

    async def _connected(self) -> ClientSession:
        """Return the session, opening one if there is none."""
        async with self._opening:
            session = self._session
            if session is not None and session.is_open:
                return session
            # A session that broke while unused is not the cause of later failures.
            self._session = None
            if self._tasks is None:
                raise UnavailableError("the client is closed, or was not entered with `async with`")
            target = self._nodes.current
            channel = await connect(self._nodes, self._credentials)
            self._session = session = ClientSession(channel, target)
            task = self._tasks.create_task(session.run(), name=f"session to {target}")
            self._running.add(task)
            task.add_done_callback(self._running.discard)
            return session

    async def _image_once(self, left_s: float, request: cluster_pb2.GetImageRequest) -> v.ImageRecords:
        channel = await connect(self._nodes, self._credentials)
        try:
            stream = channel.unary_stream(
                IMAGE_PATH,
                request_serializer=cluster_pb2.GetImageRequest.SerializeToString,
                response_deserializer=cluster_pb2.GetImageResponse.FromString,
            )(request, timeout=left_s)
            begin, parts = cluster_pb2.SnapshotBegin(), []
            async for message in stream:
                if message.HasField("begin"):
                    begin = message.begin
                elif message.HasField("chunk"):
                    parts.append(message.chunk.records)
                else:
                    relied_on = wire.consistency(begin.consistency)
                    return v.ImageRecords(begin.end_offset, begin.epoch, b"".join(parts), relied_on)
        except grpc.aio.AioRpcError as error:
            raise refusal_of(error) or SessionLostError(str(error.details()), was_sent=True) from error
        finally:
            await channel.close()
        raise SessionLostError("the image ended before its end", was_sent=True)


class _WriteOutcome:
    """What may have become of one write, over its attempts.

    Attributes:
        is_unsure: whether an attempt that failed may have been done.
    """

    def __init__(self, options: common_pb2.WriteOptions, *, may_repeat: bool) -> None:
        self._options = options
        self._may_repeat = may_repeat
        self.is_unsure = False

    @property
    def is_restamped(self) -> bool:
        """Whether the next attempt is a first one, to be stamped with the epoch of its session."""
        return not self._may_repeat and not self._options.is_retry

    def stamp(self, leadership: Leadership | None) -> None:
        """Bind the write to a leader epoch, and to its responses that are known."""
        self._options.ClearField("first_sent_epoch")
        self._options.ClearField("first_sent_sequence")
        if leadership is not None:
            self._options.first_sent_epoch = leadership.epoch
            if leadership.sequence is not None:
                self._options.first_sent_sequence = leadership.sequence

    def resume(self, first_sent_epoch: Epoch) -> None:
        """Go on with a write of which an earlier call does not know what became."""
        self.stamp(Leadership(first_sent_epoch))
        self._options.is_retry = self.is_unsure = True

    def judge(self, error: RejectedError | SessionLostError, node: str) -> None:
        """Note what a failed attempt leaves open.

        Raises:
            ApiError: it was refused for good, and nothing was done.
            UnknownOutcomeError: to repeat it is useless, or not safe.
        """
        if isinstance(error, RejectedError) and error.code is ErrorCode.REQUEST_OUTCOME_UNKNOWN:
            raise self.unknown(error.message, error.settled_offset) from error
        if _is_final(error):
            if self.is_unsure:
                text = f"an earlier attempt may have been done; repeated, it was refused: {error}"
                raise self.unknown(text) from error
            raise error
        is_lost = isinstance(error, SessionLostError)
        was_taken = error.was_sent if isinstance(error, SessionLostError) else not error.was_not_taken
        if not was_taken:
            return
        self.is_unsure = True
        if self._may_repeat:
            return
        # A deposed leader has dropped the write, and no later epoch has it; a leader that is only unreachable may still
        # lead.
        if not is_lost:
            raise self.unknown(f"sent to {node}: {error}") from error
        self._options.is_retry = True

    def unknown(self, message: str, settled_offset: Offset | None = None) -> UnknownOutcomeError:
        """Make the error for a write that may or may not have been done."""
        options = self._options
        return UnknownOutcomeError(message, options.request_id, options.first_sent_epoch, settled_offset)


def _waited_in_vain(error: RejectedError | SessionLostError) -> bool:
    """Return whether a node did not come to the state that a read asks for; another one may be there already."""
    return isinstance(error, RejectedError) and error.code is ErrorCode.REQUEST_TIMED_OUT


def _is_final(error: RejectedError | SessionLostError) -> bool:
    """Return whether no node would do what was asked, now or later."""
    return isinstance(error, RejectedError) and not error.outcome_unknown and not error.was_not_taken
