"""The reads of a client: descriptions of the cluster and the quorum, the whole state, and the log."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Callable, Iterable, Mapping
from typing import Final

import grpc

from kraftpy.client import values as v
from kraftpy.client import wire
from kraftpy.client.calls import READ_ROUND_MS, ClusterCalls
from kraftpy.client.connection import open_connection
from kraftpy.client.nodes import Nodes
from kraftpy.client.read_outcome import ReadOutcome
from kraftpy.client.session import Attempt, SessionLostError
from kraftpy.client.watching import Watcher
from kraftpy.model.consistency import Consistency
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import LeaderAndEpoch, Offset
from kraftpy.pb.v1 import cluster_pb2, quorum_pb2

IMAGE_PATH: Final = "/kraftpy.v1.ClusterService/GetImage"


class ClusterReads(ClusterCalls):
    """Reads, and the transfer of the leadership."""

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
        return wire.features(await self._read("describe_features", request, timeout_s))

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
            pages.add(await self._read("describe_topics", asked, timeout_s))
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
            page = await self._read("list_partition_reassignments", asked, timeout_s)
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

        The result's ``changes()`` decodes them.

        Without ``include_secrets``, credentials and sensitive values read "[hidden]".
        """
        read = wire.read_options(consistency, min_offset, READ_ROUND_MS)
        wanted = cluster_pb2.GetImageRequest(read=read, include_secrets=include_secrets)

        # A leader that cannot serve an image keeps the session of the writes.
        nodes = self._nodes.copy()

        async def attempt(left_s: float, _: Attempt) -> v.ImageRecords:
            return await self._image_once(left_s, wanted, nodes)

        image: v.ImageRecords = await self._repeat(attempt, timeout_s, ReadOutcome(nodes, wanted))
        if self._session is None:
            self._nodes.go_to(nodes)
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
            MalformedError: the server skipped offsets, sent a snapshot older than what was returned already, or a
                change with a malformed uuid.
        """
        nodes = Nodes(self._bootstrap, self._draw)
        wanted = cluster_pb2.WatchRequest(
            include_json=include_json,
            include_secrets=include_secrets,
            changes_of=[cluster_pb2.MetadataSlice.Name(one) for one in changes_of],
        )
        return Watcher(nodes, self._access, from_offset, wanted=wanted, report=report).events()

    async def _image_once(self, left_s: float, request: cluster_pb2.GetImageRequest, nodes: Nodes) -> v.ImageRecords:
        connection = await open_connection(nodes, self._access)
        try:
            stream = connection.channel.unary_stream(
                IMAGE_PATH,
                request_serializer=cluster_pb2.GetImageRequest.SerializeToString,
                response_deserializer=cluster_pb2.GetImageResponse.FromString,
            )(request, timeout=left_s, metadata=connection.metadata)
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
            refusal = self._access.refusal_of(error, connection.target)
            raise refusal or SessionLostError(str(error.details()), was_sent=True) from error
        finally:
            await connection.close()
        raise SessionLostError("the image ended before its end", was_sent=True)
