"""The controller behind both wires: a request, what is decided, rehearsed, encoded and taken in, and the answer.

A first byte chooses: 0, what follows is a frame of Kafka's protocol; 1, a byte that names a write of the public API and
its message; anything else seeds one of the two, well-formed and hostile (``hostile``).

Nothing may be raised but refusals: no net is up (``NoRequestErrors``). What is decided must replay, be read back as it
was written, and leave a controller that decides on, and whose state fits a snapshot.
"""

from __future__ import annotations

import logging
import random
import struct
from dataclasses import replace
from typing import Any

from kraftpy.authorizer.actions import Caller
from kraftpy.controller.account_requests import AlterClientQuotas, QuotaAlteration
from kraftpy.controller.delegation_token_requests import CreateDelegationToken
from kraftpy.controller.result import ControllerResult
from kraftpy.image import MetadataDelta
from kraftpy.model.errors import ApiError, BusyError, ErrorCode, KraftError, LocalError
from kraftpy.model.features import SchemaSet
from kraftpy.model.identity import ANONYMOUS
from kraftpy.quotas.request_time import RequestQuotas
from kraftpy.quotas.resolution import QuotaClient
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import AccessControlEntryRecord, decode_record
from kraftpy.records.rpc import encode_request
from kraftpy.records.schema import load
from kraftpy.runtime.snapshotter import QuorumAt, snapshot_pieces
from kraftpy.transport.administrative_changes import LOG as CHANGES
from kraftpy.transport.administrative_changes import AdministrativeChanges
from kraftpy.transport.client_quotas import charged_to
from kraftpy.transport.grpc.elements import decoder
from kraftpy.transport.grpc.errors import detail_of
from kraftpy.transport.grpc.writes import WRITES
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.framing import FrameSplitter
from kraftpy.transport.kafka.listener import KafkaListener, PeerConnection
from kraftpy.transport.kafka.throttling import Throttling
from kraftpy.transport.node_api import Committed, MetadataView, Outcome, WriteRequest
from kraftpy.transport.request_checks import RequestChecks
from tests.fakes.request_errors import NoRequestErrors
from tests.fuzz.target import Target
from tests.fuzz.targets.hostile import EXPRESSIONS, GROWING, NUMBERS, Hostile
from tests.fuzz.targets.stub_loop import StubTransport, stub_loop
from tests.unit.controller.worlds import CLUSTER, TOPIC_ID, UNSTABLE, World, register, set_configs, topic_records
from tests.unit.records.instances import instance

CHANGES.setLevel(logging.INFO)
"""The line of each change is made; no handler writes it."""

DECODERS = tuple(decoder(write.request.DESCRIPTOR, write.request.FromString) for write in WRITES)
SCHEMAS = {schema.name: schema for schema in load("rpc")}


ALICE = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("06") + b"alice" + bytes.fromhex("00 00")
"""A principal as Kafka's brokers write it into an Envelope."""
ACL = AccessControlEntryRecord(bytes([9]) * 16, 2, "topic", 4, "User:alice", "*", 3, 3)
QUOTAS = (("controller_mutation_rate", 0.5), ("request_percentage", 0.5))
TOPIC = topic_records(([7], [7], 7), ([7, 3], [7, 3], 7), ([3, 7], [3, 7], -1))


class Decided(World):
    """A controller with a topic and a broker, and one way for all that is asked of it."""

    def __init__(self) -> None:
        config = replace(UNSTABLE, acls_enabled=True, token_secret_key="key")
        super().__init__(
            config=config,
            level=42,
            records=(ACL, *TOPIC),
        )
        self.alive(7)
        self.do(register(3))
        self.do(set_configs(16, "m", ("metrics", "a")))
        self.do(CreateDelegationToken(requester="User:alice"))
        self.do(AlterClientQuotas(entries=(QuotaAlteration((("client-id", None),), QUOTAS),)))
        self.commit()

    def submit(self, submission: WriteRequest, settle: Any) -> None:
        """Decide, as the controller's host does, log the change, and answer."""
        outcome = self.outcome_of(submission)
        if submission.noted is not None:
            submission.noted(outcome)
        settle(outcome)

    def outcome_of(self, submission: WriteRequest) -> Outcome:
        """Decide, and take in what is decided."""
        try:
            result = self.controller.decide(self.now_ms, submission.request)
            self.take(result)
        except ApiError as refusal:
            return refusal
        except BusyError as busy:
            return ApiError(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(busy))
        except LocalError as refusal:
            return ApiError(ErrorCode.INVALID_REQUEST, str(refusal))
        return Committed(result.response, self.offset, self.controller.epoch)

    def take(self, result: ControllerResult) -> None:
        """Rehearse, encode and take in a result, part by part."""
        for part in result.parts():
            if not part.records:
                continue
            self.controller.validate_replay(part)
            values = self.controller.encode(part)
            schema_set = SchemaSet.for_level(self.controller.image.level)
            assert [decode_record(value, schema_set) for value in values] == list(part.records)
            self.offset += len(part.records)
            self.controller.appended(part, self.offset, self.controller.epoch)

    def go_on(self) -> None:
        """Decide on, make the image, and a snapshot of it."""
        self.submit(WriteRequest(set_configs(4, "", ("log.cleaner.threads", "3"))), lambda _: None)
        self.now_ms += 10**6
        for _ in range(3):
            result = self.controller.tick(self.now_ms)
            if result is None:
                break
            self.take(result)
        image = self.controller.image
        assert min([*image.cluster.brokers, *image.cluster.controllers], default=0) >= 0, "an id of nobody"
        assert image.configs.of(4, "")["log.cleaner.threads"] == "3"
        assert b"".join(snapshot_pieces(image, QuorumAt(None, 0), 0))
        assert MetadataDelta(image).image is image


def run(data: bytes) -> None:
    """Ask, and see what is left."""
    how, rest = (data[0], data[1:]) if data else (0, b"")
    world = Decided()
    if how == 0:
        _over_kafka(world, rest)
    elif how == 1:
        _over_grpc(world, rest[0] % len(WRITES) if rest else 0, rest[1:])
    else:
        _hostile(world, random.Random(data))
    world.go_on()


def _hostile(world: Decided, rng: random.Random) -> None:
    hostile = Hostile(rng, CLUSTER, broker_epoch=world.broker(7).broker_epoch, topic_id=TOPIC_ID)
    if rng.random() < 0.7:
        hostile.node, hostile.epoch = 7, 0
    if rng.random() < 0.4:
        number = rng.randrange(len(WRITES))
        message = hostile.fill(WRITES[number].request())
        message.options.Clear()
        _over_grpc(world, number, message.SerializeToString())
        return
    with stub_loop():
        api = rng.choice([one for one in listener_of(world).apis if one.api_key in WRITTEN])
    cls = WRITTEN[api.api_key]
    version = rng.randint(api.min_version, api.max_version)
    message = hostile.soften(instance("rpc", SCHEMAS[cls.NAME], version, rng))
    try:
        frame = encode_request("c", 5, message, version)
        if rng.random() < 0.3:
            frame = encode_request("c", 5, rpc.EnvelopeRequest(frame, ALICE, bytes(4)), 0)
    except (KraftError, ValueError):
        return  # it cannot even be sent
    _over_kafka(world, frame)


WRITTEN = {
    cls.API_KEY: cls
    for cls in (
        rpc.ControllerRegistrationRequest,
        rpc.BrokerRegistrationRequest,
        rpc.BrokerHeartbeatRequest,
        rpc.UnregisterBrokerRequest,
        rpc.UnregisterControllerRequest,
        rpc.AssignBrokerIdRequest,
        rpc.UpdateFeaturesRequest,
        rpc.AlterConfigsRequest,
        rpc.IncrementalAlterConfigsRequest,
        rpc.DescribeConfigsRequest,
        rpc.DescribeClusterRequest,
        rpc.AlterPartitionRequest,
        rpc.ElectLeadersRequest,
        rpc.AlterPartitionReassignmentsRequest,
        rpc.ListPartitionReassignmentsRequest,
        rpc.AssignReplicasToDirsRequest,
        rpc.AlterClientQuotasRequest,
        rpc.AlterUserScramCredentialsRequest,
        rpc.AllocateProducerIdsRequest,
        rpc.CreateAclsRequest,
        rpc.DeleteAclsRequest,
        rpc.DescribeAclsRequest,
        rpc.CreateTopicsRequest,
        rpc.DeleteTopicsRequest,
        rpc.CreatePartitionsRequest,
        rpc.CreateDelegationTokenRequest,
        rpc.RenewDelegationTokenRequest,
        rpc.ExpireDelegationTokenRequest,
        rpc.EnvelopeRequest,
    )
}


def listener_of(world: Decided) -> KafkaListener:
    """Offer every API that a controller offers."""
    throttling = Throttling(RequestQuotas(), lambda: world.controller.image.client_quotas, None, lambda: world.now_ms)
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, errors=NoRequestErrors(), throttling=throttling)
    ControlCalls(
        listener,
        listener_name="CONTROLLER",
        node_id=1,
        submit=world.submit,
        view=lambda: MetadataView(
            offset=7, epoch=1, age_ms=0, image=world.controller.image, cluster_id=CLUSTER, acls_enabled=True
        ),
        leader_id=lambda: 1,
        now_ms=lambda: world.now_ms,
    )
    return listener


def _over_kafka(world: Decided, frame: bytes) -> None:
    with stub_loop():
        listener = listener_of(world)
        connection, transport = PeerConnection(listener), StubTransport()
        connection.connection_made(transport)
        connection.data_received(struct.pack(">i", len(frame)) + frame)
        listener.flush()
        answers = FrameSplitter()
        answers.feed(bytes(transport.written))
        assert answers.is_clean, "half an answer was sent"
        connection.connection_lost(None)


def _over_grpc(world: Decided, number: int, data: bytes) -> None:
    write = WRITES[number]
    message = DECODERS[number](data)
    answers: list[Any] = []
    try:
        if isinstance(message, ApiError):
            raise message
        submission = write.submission(message, 5)
        checks = RequestChecks(changes=AdministrativeChanges(errors=NoRequestErrors()))
        admitted = checks.admit(submission.request, ANONYMOUS, Caller("User:alice", "127.0.0.1"))
    except ApiError as refusal:
        answers.append(refusal)
    else:
        charged = charged_to(admitted.request, QuotaClient("alice", "c"))
        world.submit(submission._replace(request=charged, noted=admitted.noted), answers.append)
    [outcome] = answers
    if isinstance(outcome, ApiError):
        detail_of(outcome, None, is_write=True).SerializeToString()
    else:
        write.answer(outcome, world.now_ms).SerializeToString()


def samples():
    for place, pattern in enumerate(("a{3}", "[a-z]+", "((a|b)*c)")):
        message = rpc.IncrementalAlterConfigsRequest(
            resources=[
                rpc.IncrementalAlterConfigsRequestAlterConfigsResource(
                    16, "m", [rpc.IncrementalAlterConfigsRequestAlterableConfig("match", 0, f"client_id={pattern:20}")]
                )
            ]
        )
        yield f"match-{place}", b"\0" + encode_request("c", 5, message, 1)
    for number, write in enumerate(WRITES):
        yield f"empty-{write.name}", bytes([1, number])
    for number in range(12):
        yield f"drawn-{number}", bytes([2, number])


WORDS = tuple(word.encode() for word in (*EXPRESSIONS, *NUMBERS, *GROWING) if len(word) < 100)

TARGET = Target(
    name="controller_requests",
    run=run,
    refusals=(),
    samples=samples,
    words=WORDS,
    memory_base=32 * 1024 * 1024,
)
