"""The unary services: cluster reads, the quorum, administration, and what nodes say of themselves."""

from __future__ import annotations

import asyncio
from typing import Any, Final

from kraftpy.model.errors import ApiError
from kraftpy.pb.v1 import admin_pb2, cluster_pb2, common_pb2, node_pb2, quorum_pb2
from kraftpy.tracing.spans import CURRENT_SPAN
from kraftpy.tracing.write_trace import write_trace
from kraftpy.transport.administrative_changes import AdministrativeChanges, RequestIds
from kraftpy.transport.authorization import Authorization
from kraftpy.transport.client_quotas import charged_to, client_of
from kraftpy.transport.grpc import reads
from kraftpy.transport.grpc.forwarding import THROTTLE_KEY
from kraftpy.transport.grpc.identity import caller_at, client_id_at, principal_at
from kraftpy.transport.grpc.listed_reads import list_page
from kraftpy.transport.grpc.orders import Orders
from kraftpy.transport.grpc.permissions import visible_topics
from kraftpy.transport.grpc.reassignment_reads import list_reassignments
from kraftpy.transport.grpc.services.calls import ConcurrencyLimit, Context, StreamBytes, answer, remaining_ms, stream
from kraftpy.transport.grpc.services.conversions import WatchWork
from kraftpy.transport.grpc.services.transfers import LeadershipTransfers
from kraftpy.transport.grpc.services.watch import Limits, follow_log, stream_image
from kraftpy.transport.grpc.topic_reads import TopicPages
from kraftpy.transport.grpc.writes import BY_REQUEST
from kraftpy.transport.identity import NodeIdentity
from kraftpy.transport.node_api import MetadataView, NodeApi
from kraftpy.transport.request_checks import RequestChecks

STREAMS_MAX: Final = 1_024
"""How many streams of the log and of images a node serves; each holds one message, or one batch, until it is taken."""

STREAMS_BYTES_MAX: Final = 256 * 1024 * 1024
"""How many bytes all these messages may take that wait for their clients: a quarter of a MiB for each stream. JSON
takes more, and so does a large batch; a stream whose next message finds no room is ended, and goes on elsewhere."""


class ClusterService:
    """Answers from the committed state of this node."""

    def __init__(
        self,
        backend: NodeApi,
        stopping: asyncio.Event,
        answer_bytes_max: int,
        orders: Orders,
        authorization: Authorization | None = None,
    ) -> None:
        self._authorization = authorization
        self._backend = backend
        self._stopping = stopping
        self._answer_bytes_max = answer_bytes_max
        self._limits = Limits(answer_bytes_max)
        self._orders = orders
        self._watching = WatchWork()
        self._topics = TopicPages()
        self.places = ConcurrencyLimit("streams of the log and of images", STREAMS_MAX)
        self.unread = StreamBytes("stream bytes", STREAMS_BYTES_MAX)

    async def describe_cluster(
        self, request: cluster_pb2.DescribeClusterRequest, context: Context
    ) -> cluster_pb2.DescribeClusterResponse:
        """List the members."""

        async def work() -> cluster_pb2.DescribeClusterResponse:
            view = await self._view(request.read, context)
            return reads.describe_cluster(request, view, self._backend.leader_hint(), self._answer_bytes_max)

        return await answer(context, self._backend, request, work)

    async def describe_features(
        self, request: cluster_pb2.DescribeFeaturesRequest, context: Context
    ) -> cluster_pb2.DescribeFeaturesResponse:
        """List feature levels."""

        async def work() -> cluster_pb2.DescribeFeaturesResponse:
            return reads.describe_features(await self._view(request.read, context))

        return await answer(context, self._backend, request, work)

    async def describe_configs(
        self, request: cluster_pb2.DescribeConfigsRequest, context: Context
    ) -> cluster_pb2.DescribeConfigsResponse:
        """List config keys."""
        answered: cluster_pb2.DescribeConfigsResponse
        answered = await self._page("describe_configs", request, context)
        return answered

    async def describe_topics(
        self, request: cluster_pb2.DescribeTopicsRequest, context: Context
    ) -> cluster_pb2.DescribeTopicsResponse:
        """List topics and their partitions."""

        async def work() -> cluster_pb2.DescribeTopicsResponse:
            view = await self._view(request.read, context)
            return self._topics.page(request, view, visible_topics(self._authorization, caller_at(context)))

        return await answer(context, self._backend, request, work)

    async def list_partition_reassignments(
        self, request: cluster_pb2.ListPartitionReassignmentsRequest, context: Context
    ) -> cluster_pb2.ListPartitionReassignmentsResponse:
        """List partitions whose replicas are being moved."""

        async def work() -> cluster_pb2.ListPartitionReassignmentsResponse:
            return list_reassignments(request, await self._view(request.read, context), self._topics)

        return await answer(context, self._backend, request, work)

    async def describe_client_quotas(
        self, request: cluster_pb2.DescribeClientQuotasRequest, context: Context
    ) -> cluster_pb2.DescribeClientQuotasResponse:
        """List quotas."""
        answered: cluster_pb2.DescribeClientQuotasResponse
        answered = await self._page("describe_client_quotas", request, context)
        return answered

    async def describe_user_scram_credentials(
        self, request: cluster_pb2.DescribeUserScramCredentialsRequest, context: Context
    ) -> cluster_pb2.DescribeUserScramCredentialsResponse:
        """List the SCRAM credentials of users, without keys."""
        answered: cluster_pb2.DescribeUserScramCredentialsResponse
        answered = await self._page("describe_user_scram_credentials", request, context)
        return answered

    async def describe_log_dirs(
        self, request: cluster_pb2.DescribeLogDirsRequest, context: Context
    ) -> cluster_pb2.DescribeLogDirsResponse:
        """List this broker's log directories."""

        async def work() -> cluster_pb2.DescribeLogDirsResponse:
            return reads.describe_log_dirs(*await self._backend.describe_log_dirs())

        return await answer(context, self._backend, request, work)

    async def describe_broker_hosts(
        self, request: cluster_pb2.DescribeBrokerHostsRequest, context: Context
    ) -> cluster_pb2.DescribeBrokerHostsResponse:
        """List the broker ids of hosts."""
        answered: cluster_pb2.DescribeBrokerHostsResponse
        answered = await self._page("describe_broker_hosts", request, context)
        return answered

    async def describe_delegation_tokens(
        self, request: cluster_pb2.DescribeDelegationTokensRequest, context: Context
    ) -> cluster_pb2.DescribeDelegationTokensResponse:
        """List delegation tokens."""
        answered: cluster_pb2.DescribeDelegationTokensResponse
        answered = await self._page("describe_delegation_tokens", request, context)
        return answered

    async def describe_acls(
        self, request: cluster_pb2.DescribeAclsRequest, context: Context
    ) -> cluster_pb2.DescribeAclsResponse:
        """List access control entries."""
        answered: cluster_pb2.DescribeAclsResponse
        answered = await self._page("describe_acls", request, context)
        return answered

    async def get_image(self, request: cluster_pb2.GetImageRequest, context: Context) -> None:
        """Stream the state as snapshot records."""
        async with self.places.one(context):

            async def work() -> None:
                view = await self._view(request.read, context)
                write = self.unread.writer(context)
                await stream_image(self._backend, request, write, self._limits, self._watching, view.consistency)

            await stream(context, self._backend, request, self._stopping, work())

    async def _page(self, name: str, request: Any, context: Context) -> Any:
        async def work() -> Any:
            return await list_page(
                name, request, lambda: self._view(request.read, context), self._orders, self._answer_bytes_max
            )

        return await answer(context, self._backend, request, work)

    async def _view(self, options: common_pb2.ReadOptions, context: Context) -> MetadataView:
        return await self._backend.view_at(reads.read_at(options, remaining_ms(context)))

    async def watch(self, request: cluster_pb2.WatchRequest, context: Context) -> None:
        """Stream the committed log."""
        async with self.places.one(context):
            # Sent at once, so that a client that waits on an idle log knows that the server is there.
            await context.send_initial_metadata(())

            async def work() -> None:
                if request.HasField("read"):
                    await self._view(request.read, context)
                await follow_log(self._backend, request, self.unread.writer(context), self._limits, self._watching)

            await stream(context, self._backend, request, self._stopping, work())


class QuorumService:
    """Describe the quorum, and transfer the leadership."""

    def __init__(self, backend: NodeApi, transfers: LeadershipTransfers) -> None:
        self._backend = backend
        self._transfers = transfers

    async def describe_quorum(
        self, request: quorum_pb2.DescribeQuorumRequest, context: Context
    ) -> quorum_pb2.DescribeQuorumResponse:
        """List the replicas."""

        async def work() -> quorum_pb2.DescribeQuorumResponse:
            return reads.describe_quorum(self._backend.newest_view(), await self._backend.describe_quorum())

        return await answer(context, self._backend, request, work)

    async def transfer_leadership(
        self, request: quorum_pb2.TransferLeadershipRequest, context: Context
    ) -> quorum_pb2.TransferLeadershipResponse:
        """Hand the leadership over."""

        async def work() -> quorum_pb2.TransferLeadershipResponse:
            ids = RequestIds(client_id=client_id_at(context))
            return reads.leadership(await self._transfers.transfer(request, caller_at(context), ids))

        return await answer(context, self._backend, request, work)


class _Writer:
    """Submits one write and answers when it is committed."""

    def __init__(
        self,
        backend: NodeApi,
        identity: NodeIdentity | None = None,
        authorization: Authorization | None = None,
        changes: AdministrativeChanges | None = None,
    ) -> None:
        self._backend = backend
        self._checks = RequestChecks(identity, authorization, changes)
        self._authorization = authorization

    async def _submit(self, request: Any, context: Context) -> Any:
        write = BY_REQUEST[type(request)]

        async def work() -> Any:
            submission = write.submission(request, remaining_ms(context))
            caller = caller_at(context)
            client_id = client_id_at(context)
            ids = RequestIds(submission.request_id, client_id=client_id)
            admitted = self._checks.admit(submission.request, principal_at(context), caller, ids)
            client = client_of(caller, client_id, self._authorization)
            trace = write_trace(CURRENT_SPAN.get())
            charged = charged_to(admitted.request, client)
            submission = submission._replace(request=charged, noted=admitted.noted, trace=trace, author=admitted.author)
            try:
                (outcome,) = await self._backend.submit_many((submission,))
            finally:
                if trace is not None:
                    trace.end()
            outcome = admitted.outcome(outcome)
            if isinstance(outcome, ApiError):
                raise outcome
            message = write.answer(outcome, self._backend.now_ms())
            wait_ms = getattr(message, "throttle_time_ms", 0)
            if wait_ms:
                context.set_trailing_metadata(((THROTTLE_KEY, str(wait_ms)),))
            return message

        return await answer(context, self._backend, request, work, is_write=True)


class AdminService(_Writer):
    """Changes to the cluster."""

    async def update_features(
        self, request: admin_pb2.UpdateFeaturesRequest, context: Context
    ) -> admin_pb2.UpdateFeaturesResponse:
        """Change feature levels."""
        response: admin_pb2.UpdateFeaturesResponse = await self._submit(request, context)
        return response

    async def incremental_alter_configs(
        self, request: admin_pb2.IncrementalAlterConfigsRequest, context: Context
    ) -> admin_pb2.IncrementalAlterConfigsResponse:
        """Change config keys."""
        response: admin_pb2.IncrementalAlterConfigsResponse = await self._submit(request, context)
        return response

    async def create_topics(
        self, request: admin_pb2.CreateTopicsRequest, context: Context
    ) -> admin_pb2.CreateTopicsResponse:
        """Create topics."""
        response: admin_pb2.CreateTopicsResponse = await self._submit(request, context)
        return response

    async def delete_topics(
        self, request: admin_pb2.DeleteTopicsRequest, context: Context
    ) -> admin_pb2.DeleteTopicsResponse:
        """Delete topics."""
        response: admin_pb2.DeleteTopicsResponse = await self._submit(request, context)
        return response

    async def create_partitions(
        self, request: admin_pb2.CreatePartitionsRequest, context: Context
    ) -> admin_pb2.CreatePartitionsResponse:
        """Add partitions to topics."""
        response: admin_pb2.CreatePartitionsResponse = await self._submit(request, context)
        return response

    async def elect_leaders(
        self, request: admin_pb2.ElectLeadersRequest, context: Context
    ) -> admin_pb2.ElectLeadersResponse:
        """Elect leaders of partitions."""
        response: admin_pb2.ElectLeadersResponse = await self._submit(request, context)
        return response

    async def alter_partition_reassignments(
        self, request: admin_pb2.AlterPartitionReassignmentsRequest, context: Context
    ) -> admin_pb2.AlterPartitionReassignmentsResponse:
        """Move replicas of partitions."""
        response: admin_pb2.AlterPartitionReassignmentsResponse = await self._submit(request, context)
        return response

    async def alter_client_quotas(
        self, request: admin_pb2.AlterClientQuotasRequest, context: Context
    ) -> admin_pb2.AlterClientQuotasResponse:
        """Set and remove quotas."""
        response: admin_pb2.AlterClientQuotasResponse = await self._submit(request, context)
        return response

    async def alter_user_scram_credentials(
        self, request: admin_pb2.AlterUserScramCredentialsRequest, context: Context
    ) -> admin_pb2.AlterUserScramCredentialsResponse:
        """Set and delete SCRAM credentials."""
        response: admin_pb2.AlterUserScramCredentialsResponse = await self._submit(request, context)
        return response

    async def create_acls(self, request: admin_pb2.CreateAclsRequest, context: Context) -> admin_pb2.CreateAclsResponse:
        """Create access control entries."""
        response: admin_pb2.CreateAclsResponse = await self._submit(request, context)
        return response

    async def delete_acls(self, request: admin_pb2.DeleteAclsRequest, context: Context) -> admin_pb2.DeleteAclsResponse:
        """Delete access control entries."""
        response: admin_pb2.DeleteAclsResponse = await self._submit(request, context)
        return response

    async def create_delegation_token(
        self, request: admin_pb2.CreateDelegationTokenRequest, context: Context
    ) -> admin_pb2.CreateDelegationTokenResponse:
        """Create a delegation token."""
        response: admin_pb2.CreateDelegationTokenResponse = await self._submit(request, context)
        return response

    async def renew_delegation_token(
        self, request: admin_pb2.RenewDelegationTokenRequest, context: Context
    ) -> admin_pb2.RenewDelegationTokenResponse:
        """Let a delegation token expire later."""
        response: admin_pb2.RenewDelegationTokenResponse = await self._submit(request, context)
        return response

    async def expire_delegation_token(
        self, request: admin_pb2.ExpireDelegationTokenRequest, context: Context
    ) -> admin_pb2.ExpireDelegationTokenResponse:
        """Let a delegation token expire at another time, or delete it."""
        response: admin_pb2.ExpireDelegationTokenResponse = await self._submit(request, context)
        return response

    async def unregister_broker(
        self, request: admin_pb2.UnregisterBrokerRequest, context: Context
    ) -> admin_pb2.UnregisterBrokerResponse:
        """Forget a broker."""
        response: admin_pb2.UnregisterBrokerResponse = await self._submit(request, context)
        return response

    async def unregister_controller(
        self, request: admin_pb2.UnregisterControllerRequest, context: Context
    ) -> admin_pb2.UnregisterControllerResponse:
        """Forget a controller."""
        response: admin_pb2.UnregisterControllerResponse = await self._submit(request, context)
        return response

    async def alter_broker_host(
        self, request: admin_pb2.AlterBrokerHostRequest, context: Context
    ) -> admin_pb2.AlterBrokerHostResponse:
        """Set or remove the broker id of a host."""
        response: admin_pb2.AlterBrokerHostResponse = await self._submit(request, context)
        return response


class NodeService(_Writer):
    """What nodes say of themselves, and what brokers ask for."""

    async def register_broker(
        self, request: node_pb2.RegisterBrokerRequest, context: Context
    ) -> node_pb2.RegisterBrokerResponse:
        """Register a broker."""
        response: node_pb2.RegisterBrokerResponse = await self._submit(request, context)
        return response

    async def broker_heartbeat(
        self, request: node_pb2.BrokerHeartbeatRequest, context: Context
    ) -> node_pb2.BrokerHeartbeatResponse:
        """Hear that a broker is alive."""
        response: node_pb2.BrokerHeartbeatResponse = await self._submit(request, context)
        return response

    async def register_controller(
        self, request: node_pb2.RegisterControllerRequest, context: Context
    ) -> node_pb2.RegisterControllerResponse:
        """Register a controller."""
        response: node_pb2.RegisterControllerResponse = await self._submit(request, context)
        return response

    async def alter_partition(
        self, request: node_pb2.AlterPartitionRequest, context: Context
    ) -> node_pb2.AlterPartitionResponse:
        """Take a leader's report of which replicas are in sync."""
        response: node_pb2.AlterPartitionResponse = await self._submit(request, context)
        return response

    async def assign_replicas_to_dirs(
        self, request: node_pb2.AssignReplicasToDirsRequest, context: Context
    ) -> node_pb2.AssignReplicasToDirsResponse:
        """Take a broker's report of which log directories hold its replicas."""
        response: node_pb2.AssignReplicasToDirsResponse = await self._submit(request, context)
        return response

    async def allocate_producer_ids(
        self, request: node_pb2.AllocateProducerIdsRequest, context: Context
    ) -> node_pb2.AllocateProducerIdsResponse:
        """Give a broker a block of producer ids."""
        response: node_pb2.AllocateProducerIdsResponse = await self._submit(request, context)
        return response

    async def assign_broker_id(
        self, request: node_pb2.AssignBrokerIdRequest, context: Context
    ) -> node_pb2.AssignBrokerIdResponse:
        """Give a broker an id."""
        response: node_pb2.AssignBrokerIdResponse = await self._submit(request, context)
        return response
