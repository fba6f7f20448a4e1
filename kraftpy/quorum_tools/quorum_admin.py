"""Request voter set changes from a quorum's leader over Kafka's protocol: from kraftpy or Kafka itself.

Every call discovers the leader first (DescribeCluster at any controller names it), sends it the request, and reports a
rejection in one sentence. A removal is not retried: a change that was appended may still be committed after the
timeout, so the operator checks the voter set before a retry.

Source: KIP-853 §AddRaftVoter, §RemoveRaftVoter; KIP-919; Kafka ``MetadataQuorumCommand``.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from kraftpy.model.errors import ApiError, ErrorCode, KraftError, MalformedError
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.access import PLAINTEXT, QuorumAccess
from kraftpy.quorum_tools.probe import described_controllers
from kraftpy.quorum_tools.streams import call
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    AddRaftVoterResponse,
    DescribeQuorumRequest,
    DescribeQuorumResponse,
    RaftRequest,
    RaftResponse,
    RemoveRaftVoterRequest,
    RemoveRaftVoterResponse,
)
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.translate import BY_REQUEST

API_VERSIONS_VERSION: Final = 0
ASK_AGAIN_S: Final = 0.5
MARGIN_S: Final = 5.0
"""How much longer than the leader's own patience an answer is waited for."""

Response = TypeVar("Response", AddRaftVoterResponse, RemoveRaftVoterResponse, DescribeQuorumResponse)


class NoLeaderError(KraftError):
    """No controller that was asked knows a leader."""


@dataclass(frozen=True, slots=True)
class DescribedQuorum:
    """The leader, and the quorum as it sees it."""

    leader: Endpoint
    described: DescribeQuorumResponse


class QuorumAdmin:
    """One operator's questions to one quorum.

    Args:
        controllers: some of its controllers.
        access: how connections to them are protected.
        timeout_s: how long each question may take.
    """

    def __init__(
        self, controllers: Sequence[Endpoint], *, access: QuorumAccess = PLAINTEXT, timeout_s: float = 15.0
    ) -> None:
        self._controllers = tuple(controllers)
        self._access = access
        self._timeout_s = timeout_s

    async def describe(self) -> DescribedQuorum:
        """Return the quorum as its leader sees it.

        Raises:
            NoLeaderError: no controller that answers knows a leader; the text has a sentence for each that was asked.
        """
        complaints = []
        for controller in self._controllers:
            try:
                leader = await self._leader(controller)
                described = await self._ask(leader, DescribeQuorumRequest(), DescribeQuorumResponse)
            except KraftError as error:
                complaints.append(f"{controller.host}:{controller.port} {error}")
                continue
            if not described.error and not described.partition_error:
                return DescribedQuorum(leader, described)
            complaints.append(f"{leader.host}:{leader.port} does not lead: {described.partition_error.name}")
        raise NoLeaderError("no leader was found: " + "; ".join(complaints))

    async def add(self, voter: ReplicaKey, endpoints: tuple[Endpoint, ...]) -> None:
        """Make a replica a voter; ask again while the leader says that it is too early, until the time is over.

        A Kafka leader does not wait for a replica that lags a little, and a change that timed out may still be
        committed: so the voters are looked at before it is asked for again.

        Raises:
            ApiError: the leader refused; its words say why.
            NoLeaderError: there is none.
        """
        request = AddRaftVoterRequest(
            cluster_id=None, voter=voter, endpoints=endpoints, timeout_ms=int(self._timeout_s * 1_000)
        )
        loop = asyncio.get_running_loop()
        ends = loop.time() + self._timeout_s
        while True:
            response = await self._ask((await self.describe()).leader, request, AddRaftVoterResponse)
            if response.error not in {ErrorCode.REQUEST_TIMED_OUT, ErrorCode.DUPLICATE_VOTER}:
                break
            if voter in {each.key for each in (await self.describe()).described.voters}:
                return
            if response.error is ErrorCode.DUPLICATE_VOTER or loop.time() + ASK_AGAIN_S > ends:
                break
            await asyncio.sleep(ASK_AGAIN_S)
        self._check(response)

    async def remove(self, voter: ReplicaKey) -> None:
        """Let exactly this replica vote no longer.

        Raises:
            ApiError: the leader refused; its words say why.
            NoLeaderError: there is none.
        """
        request = RemoveRaftVoterRequest(cluster_id=None, voter=voter)
        self._check(await self._ask((await self.describe()).leader, request, RemoveRaftVoterResponse))

    @staticmethod
    def _check(response: AddRaftVoterResponse | RemoveRaftVoterResponse) -> None:
        if response.error:
            raise ApiError(response.error, response.message or "the leader refused without a reason")

    async def _leader(self, controller: Endpoint) -> Endpoint:
        answer = await described_controllers(controller, access=self._access, timeout_s=self._timeout_s)
        known = {one.broker_id: Endpoint(controller.name, one.host, one.port) for one in answer.brokers}
        leader_id: NodeId = answer.controller_id
        if leader_id not in known:
            raise NoLeaderError("knows no leader" if leader_id < 0 else f"does not know where leader {leader_id} is")
        return known[leader_id]

    async def _ask(self, endpoint: Endpoint, request: RaftRequest, kind: type[Response]) -> Response:
        api = BY_REQUEST[type(request)]
        async with self._access.connected(endpoint, self._timeout_s + MARGIN_S) as (reader, writer):
            offered = await call(reader, writer, rpc.ApiVersionsRequest(), API_VERSIONS_VERSION)
            assert isinstance(offered, rpc.ApiVersionsResponse)
            highest = {each.api_key: each.max_version for each in offered.api_keys}
            if api.api_key not in highest:
                raise MalformedError(f"does not know {api.name}")
            version = min(api.max_version, highest[api.api_key])
            answer = await call(reader, writer, api.request_to_wire(request, version), version)
        response: RaftResponse = api.read_response(answer, endpoint.name)
        assert isinstance(response, kind)
        return response
