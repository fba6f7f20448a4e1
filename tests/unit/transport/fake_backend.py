"""A node without a quorum: a log in memory, decisions that a test scripts, and a record of what was asked."""

from __future__ import annotations

import asyncio
from contextlib import asynccontextmanager
from dataclasses import replace

from kraftpy.broker.log_dirs import LogDirState, LogDirStatus
from kraftpy.controller import account_requests as a
from kraftpy.controller import acl_requests as c
from kraftpy.controller import delegation_token_requests as d
from kraftpy.controller import partition_requests as p
from kraftpy.controller import requests as r
from kraftpy.controller import topic_requests as t
from kraftpy.controller.broker_id_requests import (
    AlterBrokerHost,
    AlterBrokerHostResponse,
    AssignBrokerId,
    AssignBrokerIdResponse,
    BrokerIdSource,
)
from kraftpy.controller.dedupe import CompletedRequests, OutcomeForgottenError
from kraftpy.image.acls import AccessControlEntry
from kraftpy.image.image import MetadataImage
from kraftpy.image.partitions import LeaderRecoveryState, PartitionRegistration
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft import messages as m
from kraftpy.records.batch import encode_batch, split_batches
from kraftpy.transport.grpc.server import ApiServer
from kraftpy.transport.node_api import Committed, LeaderHint, MetadataView, OffsetGone, Snapshot
from kraftpy.transport.request_errors import RequestErrors

ACL = AccessControlEntry(2, "orders", 3, "User:alice", "*", 3, 3)
PARTITION = PartitionRegistration(
    replicas=(3, 4), directories=(b"d" * 16,) * 2, isr=(3, 4), leader=3, leader_epoch=5, partition_epoch=8,
    leader_recovery_state=LeaderRecoveryState.RECOVERING,
)  # fmt: skip
RESPONSES = {
    r.RegisterBroker: r.RegisterBrokerResponse(broker_epoch=11),
    r.BrokerHeartbeat: r.BrokerHeartbeatResponse(
        is_caught_up=True, is_fenced=False, in_controlled_shutdown=False, should_shut_down=True
    ),
    r.UnregisterBroker: r.UnregisterBrokerResponse(),
    r.UnregisterController: r.UnregisterControllerResponse(),
    AlterBrokerHost: AlterBrokerHostResponse(),
    d.CreateDelegationToken: d.CreateDelegationTokenResponse(
        owner="User:alice",
        requester="User:alice",
        renewers=("User:r",),
        issue_timestamp_ms=1,
        expiration_timestamp_ms=2,
        max_timestamp_ms=3,
        token_id="t",
        hmac=b"h",
    ),
    d.RenewDelegationToken: d.DelegationTokenExpiry(expiration_timestamp_ms=9),
    d.ExpireDelegationToken: d.DelegationTokenExpiry(expiration_timestamp_ms=9),
    r.RegisterController: r.RegisterControllerResponse(),
    r.UpdateFeatures: r.UpdateFeaturesResponse(),
    t.CreateTopics: t.CreateTopicsResponse((t.TopicResult("t", topic_id=bytes(range(16)), partitions=2),)),
    t.DeleteTopics: t.DeleteTopicsResponse((t.TopicResult(None, ErrorCode.UNKNOWN_TOPIC_ID, "which?"),)),
    a.AlterClientQuotas: a.AlterClientQuotasResponse(
        results=(
            a.QuotaResult((("user", None), ("client-id", "c"))),
            a.QuotaResult((("user", "u"),), ErrorCode.INVALID_REQUEST, "no"),
        )
    ),
    a.AlterUserScramCredentials: a.AlterUserScramCredentialsResponse(
        results=(a.ScramResult("u"), a.ScramResult("w", ErrorCode.RESOURCE_NOT_FOUND, "none"))
    ),
    c.CreateAcls: c.CreateAclsResponse(results=(c.AclCreation(), c.AclCreation(ErrorCode.INVALID_REQUEST, "no"))),
    c.DeleteAcls: c.DeleteAclsResponse(
        results=(c.AclDeletion((ACL,)), c.AclDeletion(error=ErrorCode.INVALID_REQUEST, message="no"))
    ),
    p.ElectLeaders: p.ElectLeadersResponse(
        topics=(("t", (p.PartitionOutcome(0), p.PartitionOutcome(1, ErrorCode.ELECTION_NOT_NEEDED))),)
    ),
    p.AlterPartitionReassignments: p.AlterPartitionReassignmentsResponse(
        topics=(("t", (p.PartitionOutcome(0), p.PartitionOutcome(1, ErrorCode.INVALID_REPLICA_ASSIGNMENT, "no"))),)
    ),
    p.AlterPartition: p.AlterPartitionResponse(
        topics=(
            (
                bytes(range(16)),
                (
                    p.PartitionAltered(0, state=PARTITION),
                    p.PartitionAltered(1, ErrorCode.FENCED_LEADER_EPOCH),
                    p.PartitionAltered(2, state=PARTITION._replace(leader=None)),
                ),
            ),
        )
    ),
    p.AssignReplicasToDirs: p.AssignReplicasToDirsResponse(
        directories=(
            (
                b"d" * 16,
                (
                    (
                        bytes(range(16)),
                        (p.PartitionOutcome(0), p.PartitionOutcome(1, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)),
                    ),
                ),
            ),
        )
    ),
    a.AllocateProducerIds: a.AllocateProducerIdsResponse(start=1_000, length=1_000),
    AssignBrokerId: AssignBrokerIdResponse(broker_id=1_001, source=BrokerIdSource.GENERATED),
    t.CreatePartitions: t.CreatePartitionsResponse((t.TopicResult("t", partitions=4),)),
}


class FakeBackend:
    """See ``NodeApi``. ``error`` is raised or returned by everything that may fail; ``gate`` holds writes back."""

    def __init__(self):
        self.groups = []
        self.acls_enabled = True
        self.under_way = self.under_way_max = 0
        self.applied = {}
        self.error = None
        self.errors = []
        self.request_errors = RequestErrors()
        self.gate = asyncio.Event()
        self.gate.set()
        self.arrived = asyncio.Event()
        self.leader = LeaderHint(1, 3, Endpoint("API", "localhost", 1))
        self.image = MetadataImage()
        self.kraft_version = 0
        self.features = (("metadata.version", 7, 42),)
        self.log = []
        self.log_start = 0
        self.snapshot_chunks = [
            encode_batch([b"\x01\x00\x00x"], base_offset=number, epoch=1, timestamp_ms=0) for number in range(3)
        ]
        self.end = 0
        self.grown = asyncio.Event()
        self.reads = 0
        self.asked_at = []
        self.read_gate = asyncio.Event()
        self.read_gate.set()
        self.quorum_gate = asyncio.Event()
        self.quorum_gate.set()

    def append(self, count=1, epoch=1, value=b"\x01\x00\x00x"):
        batch = encode_batch([value] * count, base_offset=self.end, epoch=epoch, timestamp_ms=0)
        self.log.append(batch)
        self.end += count
        self.grown.set()
        self.grown = asyncio.Event()
        return batch

    def _fail(self):
        if self.errors:
            error = self.errors.pop(0)
            if error is not None:
                raise error
        elif self.error is not None:
            raise self.error

    def now_ms(self):
        return 1_000

    async def submit_many(self, submissions):
        self.groups.append(list(submissions))
        self.arrived.set()
        self.under_way += len(submissions)
        self.under_way_max = max(self.under_way_max, self.under_way)
        await self.gate.wait()
        self.under_way -= len(submissions)
        self._fail()
        outcomes = [self._decide(submission) for submission in submissions]
        for submission, outcome in zip(submissions, outcomes, strict=True):
            if submission.noted is not None:
                submission.noted(outcome)
        return outcomes

    def _decide(self, submission):
        request = submission.request
        if isinstance(request, r.UnregisterBroker) and request.broker_id == 404:
            return ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, "broker 404 is not registered")
        if submission.request_id and submission.request_id in self.applied:
            return self.applied[submission.request_id]
        epoch = 3 if self.leader is None else self.leader.epoch
        try:
            if not CompletedRequests().may_decide(submission.stamp, epoch):
                return OutcomeForgottenError(submission.request_id, submission.stamp, epoch, self.end)
        except ApiError as error:
            return error
        if isinstance(request, r.IncrementalAlterConfigs):
            response = r.IncrementalAlterConfigsResponse(
                tuple(resource for resource, _ in request.resources),
                {
                    place: (ErrorCode.INVALID_CONFIG, "bad")
                    for place, (resource, _) in enumerate(request.resources)
                    if resource.name == "bad"
                },
            )
        else:
            response = RESPONSES[type(request)]
        self.append(epoch=3)
        committed = Committed(response, self.end - 1, 3)
        if submission.request_id:
            self.applied[submission.request_id] = committed
        return committed

    def view(self):
        if self.error is not None:
            raise self.error
        return self._shown()

    def _shown(self):
        return MetadataView(
            99, 3, 5, self.image, "cluster", self.features, self.kraft_version, acls_enabled=self.acls_enabled
        )

    async def view_at(self, at):
        self.asked_at.append(at)
        await self.read_gate.wait()
        if at.min_offset is not None and self.error is not None and self.error.code is ErrorCode.NOT_CONTROLLER:
            # A node that does not lead reads its own state.
            return replace(self._shown(), consistency=at.consistency)
        self._fail()
        return replace(self.view(), consistency=at.consistency)

    def newest_view(self):
        return self.view()

    async def describe_quorum(self):
        await self.quorum_gate.wait()
        self._fail()
        voter = m.ReplicaProgress(
            key=ReplicaKey(1, b"d" * 16), log_end_offset=7, last_fetch_ms=None, last_caught_up_ms=8,
            endpoints=(Endpoint("CONTROLLER", "h", 9),),
        )  # fmt: skip
        return m.DescribeQuorumResponse(leader=LeaderAndEpoch(1, 3), high_watermark=7, voters=(voter,))

    async def transfer_leadership(self, successor, *, validate_only=False):
        self._fail()
        if successor == 9:
            raise ApiError(ErrorCode.INVALID_REQUEST, "node 9 is not a voter")
        return LeaderAndEpoch(1, 3) if validate_only else LeaderAndEpoch(successor, 4)

    def committed_end(self):
        self._fail()
        return self.end

    async def read_committed(self, from_offset, max_bytes):
        self._fail()
        self.reads += 1
        if from_offset < self.log_start:
            return OffsetGone(OffsetAndEpoch(epoch=1, offset=self.log_start))
        if from_offset > self.end:
            raise ApiError(ErrorCode.OFFSET_OUT_OF_RANGE, f"{from_offset} is beyond {self.end}")
        data = b""
        for batch in self.log:
            if split_batches(batch, verify_crc=False)[0].last_offset < from_offset:
                continue
            if data and len(data) + len(batch) > max_bytes:
                break
            data += batch
        return data

    async def wait_committed(self, offset):
        while self.end <= offset:
            await self.grown.wait()

    async def open_snapshot(self, after):
        return self._snapshot(OffsetAndEpoch(epoch=1, offset=self.log_start))

    async def open_image(self):
        self._fail()
        return self._snapshot(OffsetAndEpoch(epoch=3, offset=100))

    def _snapshot(self, snapshot_id):
        async def chunks():
            for chunk in self.snapshot_chunks:
                yield chunk

        return Snapshot(snapshot_id, chunks())

    async def describe_log_dirs(self):
        self._fail()
        return 4, (
            LogDirStatus(path="/a", directory_id=bytes(range(16)), state=LogDirState.SATURATED, reason="full",
                         total_bytes=9, usable_bytes=0, reserve_bytes=3, is_cordoned=True),
            LogDirStatus(path="/b", directory_id=None, state=LogDirState.OFFLINE, reason="gone"),
        )  # fmt: skip

    def leader_hint(self):
        return self.leader


@asynccontextmanager
async def serving(backend, port=0, **options):
    server = ApiServer(backend, "127.0.0.1", port, **options)
    await server.start()
    try:
        yield server
    finally:
        await server.stop(0.2)
