"""Attackers with a certificate of the cluster's authority: an operator's, which names no node, and a broker's.

They ask for what their certificates do not permit, and check the answers: an attacker that is answered as it should
not be ends with an error, which fails the campaign. Whatever must never be done is about names that begin with
``FORBIDDEN``; none of these may be in the final log. They also ask for what they may do, in large amounts. Each kind
runs in a process of its own, as :mod:`tests.robustness.attackers` describes.
"""

from __future__ import annotations

import asyncio
import contextlib
import functools
import random
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator

from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft.messages import (
    AddRaftVoterRequest,
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    FetchSnapshotRequest,
    RaftRequest,
    RemoveRaftVoterRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
)
from kraftpy.records.codec import Message, MessageStruct
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_response, encode_request
from kraftpy.transport.kafka.translate import BY_REQUEST
from kraftpy.transport.tls import TlsFiles, client_context
from tests.robustness.attackers import SIZE, STRANGER, Attack, Target, frame, main, many
from tests.robustness.proxy import HOST

MODULE = "tests.robustness.insiders"
FORBIDDEN, PERMITTED = "forbidden-", "permitted-"
OPERATOR, BROKER, EXPIRED, FOREIGN, TRUST = "operator", "broker", "expired", "foreign", "trust"
"""The certificates of attackers: of the authority, out of date, of another authority; and the authority's own."""

BROKER_ID = 9
"""The broker that the broker's certificate names."""

ADMIN = "harness"
"""The common name of the honest administrator, a super user where there is an authorizer."""

ASKING = 4
"""Connections of each certificate that ask for what is not permitted."""

EPOCHS = (1_000, 1_000_000, 2**31 - 2)
ENTRIES = (16_000, 40_000)
"""Partitions of one AssignReplicasToDirs: below the limit on items, and above it."""

PARTITIONS = (100_000, 100_001)
"""Partitions of one CreateTopics: at the limit, and above it."""

PARTITIONS_REPORTED = 30_000
ACCOUNTS, FLOODS = 500, 40
"""Entities, entries or tokens of one request, and the number of such requests that one controller gets."""

CONNECTIONS = 334
"""Connections with a certificate at each controller that ask once, and then stay: 1,002 in all."""

SLOW_HANDSHAKES = 300
SLOW_S = 1.0
HALF_READ, PIPELINED = 20, 50
NAMES_HALF_READ = 500
PATIENCE_S = 5.0
TIMEOUT_MS = 5_000


class Peer:
    """A connection that shows a certificate, and asks one thing after the other."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer
        self._asked = 0

    async def ask(self, message: Message, version: int | None = None) -> Message:
        """Return the answer to a request, of its newest version if none is given."""
        version = type(message).MAX_VERSION if version is None else version
        self._asked += 1
        payload = encode_request(STRANGER, self._asked, message, version)
        self.writer.write(SIZE.pack(len(payload)) + payload)
        await self.writer.drain()
        answer = await self.reader.readexactly(SIZE.unpack(await self.reader.readexactly(SIZE.size))[0])
        return decode_response(message.API_KEY, version, answer)[1]

    async def ask_raft(self, request: RaftRequest) -> Message:
        """Return the answer to a message between replicas."""
        api = BY_REQUEST[type(request)]
        return await self.ask(api.request_to_wire(request, api.max_version), api.max_version)


@functools.cache
def _context(certificate: str, trust: str) -> ssl.SSLContext:
    return client_context(TlsFiles(certificate=certificate, trust=trust))


@contextlib.asynccontextmanager
async def certified(target: Target, role: str) -> AsyncIterator[Peer]:
    """Connect with one of the certificates."""
    context = _context(target.certificates[role], target.certificates[TRUST])
    reader, writer = await asyncio.open_connection(HOST, target.kafka_port, ssl=context, server_hostname="localhost")
    try:
        yield Peer(reader, writer)
    finally:
        writer.transport.abort()


def errors_in(message: object) -> set[int]:
    """Return the error codes that a response has anywhere in it, 0 among them."""
    found: set[int] = set()
    for name in getattr(message, "__slots__", ()):
        value = getattr(message, name)
        if name == "error_code":
            found.add(value)
        elif isinstance(value, list) and value and isinstance(value[0], MessageStruct):
            for item in value:
                found |= errors_in(item)
    return found


def check(what: object, answer: Message, *wanted: ErrorCode) -> None:
    """Fail unless a response refuses, with one of these errors, or because the node has just started."""
    # Until it has read the access control entries, a node with an authorizer refuses everyone who is no super user.
    refusals = {*wanted, ErrorCode.OFFSET_NOT_AVAILABLE}
    assert errors_in(answer) & refusals, f"{what} is answered {answer}, not {[one.name for one in wanted]}"


async def _both(target: Target, one: Callable[[Peer, str], Awaitable[None]]) -> None:
    """Let some connections of each certificate do one thing again and again."""

    async def as_role(role: str) -> None:
        async with certified(target, role) as peer:
            while True:
                await one(peer, role)

    async with asyncio.TaskGroup() as tasks:
        for role in (OPERATOR, BROKER):
            tasks.create_task(many(ASKING, functools.partial(as_role, role)))


# What is made in another node's name.


def raft_forgeries(target: Target, role: str, draw: random.Random) -> Iterator[RaftRequest]:
    """Draw messages between replicas in the names of voters that the certificate does not name."""
    other, epoch = draw.choice(target.voters), draw.choice(EPOCHS)
    key = ReplicaKey(other, None)
    evil = (Endpoint("CONTROLLER", HOST, 1),)
    last = OffsetAndEpoch(epoch=epoch - 1, offset=1 << 40)
    for pre_vote in (True, False):
        yield VoteRequest(
            cluster_id=None, voter=ReplicaKey(target.node_id, None), candidate=key, epoch=epoch, last=last,
            pre_vote=pre_vote,
        )  # fmt: skip
    for leader in (other, target.node_id):
        yield BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=leader, epoch=epoch, leader_endpoints=evil)
    yield EndQuorumEpochRequest(cluster_id=None, leader_id=other, epoch=epoch)
    for node_id in (other, target.broker):
        yield FetchRequest(
            cluster_id=None, replica=ReplicaKey(node_id, None), epoch=epoch, fetch_offset=1 << 40,
            last_fetched_epoch=epoch, max_wait_ms=0, max_bytes=1, high_watermark=0,
        )  # fmt: skip
    yield FetchSnapshotRequest(
        cluster_id=None, replica=key, epoch=epoch, snapshot_id=last, position=0, max_bytes=1 << 20
    )
    yield UpdateRaftVoterRequest(
        cluster_id=None, epoch=epoch, voter=ReplicaKey(other, bytes(15) + b"\1"), endpoints=evil, kraft_version_min=0,
        kraft_version_max=1,
    )  # fmt: skip
    if role == BROKER or target.is_authorized:
        # Without an authorizer operators change the voters; here they leave it.
        yield from voter_changes(other)


def voter_changes(other: int) -> Iterator[RaftRequest]:
    """Make requests for another voter set."""
    evil, directory = (Endpoint("CONTROLLER", HOST, 1),), bytes(15) + b"\1"
    yield AddRaftVoterRequest(cluster_id=None, timeout_ms=TIMEOUT_MS, voter=ReplicaKey(77, directory), endpoints=evil)
    yield RemoveRaftVoterRequest(cluster_id=None, voter=ReplicaKey(other, directory))


def node_forgeries(target: Target, draw: random.Random) -> Iterator[Message]:
    """Draw requests in the name of a registered broker, and of a controller."""
    other, uuid = target.broker, draw.randbytes(16)
    epoch = draw.choice((-1, 0, 1, 1 << 40))
    yield rpc.BrokerRegistrationRequest(
        broker_id=other, cluster_id="", incarnation_id=uuid,
        listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", FORBIDDEN, 1, 0)], features=[],
        log_dirs=[uuid],
    )  # fmt: skip
    for wish in ("want_fence", "want_shut_down"):
        beat = rpc.BrokerHeartbeatRequest(broker_id=other, broker_epoch=epoch, current_metadata_offset=1 << 40)
        setattr(beat, wish, True)
        yield beat
    row = rpc.AlterPartitionRequestPartitionData(0, leader_epoch=0, partition_epoch=0)
    yield rpc.AlterPartitionRequest(other, epoch, [rpc.AlterPartitionRequestTopicData(uuid, [row])])
    yield directories(other, epoch, draw, 10)
    yield rpc.AllocateProducerIdsRequest(other, epoch)
    yield rpc.ControllerRegistrationRequest(
        controller_id=draw.choice(target.voters), incarnation_id=uuid,
        listeners=[rpc.ControllerRegistrationRequestListener("CONTROLLER", FORBIDDEN, 1, 0)], features=[],
    )  # fmt: skip


def directories(broker_id: int, epoch: int, draw: random.Random, count: int) -> rpc.AssignReplicasToDirsRequest:
    """Make a report of some partitions in a directory that does not exist."""
    rows = [rpc.AssignReplicasToDirsRequestPartitionData(number) for number in range(count)]
    topics = [rpc.AssignReplicasToDirsRequestTopicData(draw.randbytes(16), rows)]
    return rpc.AssignReplicasToDirsRequest(
        broker_id, epoch, [rpc.AssignReplicasToDirsRequestDirectoryData(draw.randbytes(16), topics)]
    )


async def names(target: Target, draw: random.Random) -> None:
    """Votes, fetches, registrations, heartbeats and reports, all in others' names: all are refused."""

    async def one(peer: Peer, role: str) -> None:
        for request in raft_forgeries(target, role, draw):
            check(request, await peer.ask_raft(request), ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
        for message in node_forgeries(target, draw):
            check(message, await peer.ask(message), ErrorCode.CLUSTER_AUTHORIZATION_FAILED)

    await _both(target, one)


# What is made in a client's name.


def principal(name: str, *, by_token: bool = False) -> bytes:
    """Write a principal as a broker of Kafka does."""
    encode = rpc.CODECS[rpc.DefaultPrincipalData, 0][1]
    return encode(rpc.DefaultPrincipalData("User", name, by_token), bytes(2))


def envelope(message: Message, version: int, who: bytes, address: bytes = bytes(4)) -> rpc.EnvelopeRequest:
    """Wrap a request."""
    return rpc.EnvelopeRequest(encode_request(STRANGER, 1, message, version), who, address)


def topic(name: str, partitions: int = 1, *, only_try: bool = False) -> rpc.CreateTopicsRequest:
    """Make a request for a topic."""
    row = rpc.CreateTopicsRequestCreatableTopic(name, partitions, 1, [], [])
    return rpc.CreateTopicsRequest([row], TIMEOUT_MS, only_try)


def entries(prefix: str, draw: random.Random, count: int) -> rpc.CreateAclsRequest:
    """Make a request for access control entries of topics."""
    rows = [
        rpc.CreateAclsRequestAclCreation(2, f"{prefix}{draw.randrange(1 << 30)}", 3, "User:nobody", "*", 3, 3)
        for _ in range(count)
    ]
    return rpc.CreateAclsRequest(rows)


def wrapped_forgeries(target: Target, draw: random.Random) -> Iterator[tuple[rpc.EnvelopeRequest, ErrorCode]]:
    """Draw Envelopes that are refused themselves, and their errors."""
    who, other = principal("mallory"), draw.choice(target.voters)
    for number, message in enumerate(node_forgeries(target, draw)):
        yield envelope(message, type(message).MAX_VERSION, who), ErrorCode.INVALID_REQUEST
        if number > 2:
            break
    vote = next(iter(raft_forgeries(target, BROKER, draw)))
    yield envelope(BY_REQUEST[VoteRequest].request_to_wire(vote, 2), 2, who), ErrorCode.INVALID_REQUEST
    inner = topic(f"{FORBIDDEN}{other}")
    yield envelope(envelope(inner, 7, principal(ADMIN)), 0, who), ErrorCode.INVALID_REQUEST
    yield envelope(inner, 7, principal("m" * 5_000)), ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE
    yield envelope(inner, 7, draw.randbytes(100)), ErrorCode.PRINCIPAL_DESERIALIZATION_FAILURE
    yield envelope(inner, 7, who, bytes(5)), ErrorCode.INVALID_REQUEST
    yield rpc.EnvelopeRequest(draw.randbytes(1), who, bytes(4)), ErrorCode.UNSUPPORTED_VERSION


def not_for_mallory(target: Target, draw: random.Random) -> Iterator[tuple[Message, int, tuple[ErrorCode, ...]]]:
    """Draw requests, their versions and errors, that a client without any permission may not make."""
    no_cluster = (ErrorCode.CLUSTER_AUTHORIZATION_FAILED,)
    for change in voter_changes(draw.choice(target.voters)):
        api = BY_REQUEST[type(change)]
        yield api.request_to_wire(change, api.max_version), api.max_version, no_cluster
    if not target.is_authorized:
        yield entries(FORBIDDEN, draw, 10), 3, (ErrorCode.SECURITY_DISABLED,)
        return
    yield topic(f"{FORBIDDEN}{draw.randrange(1 << 30)}"), 7, (ErrorCode.TOPIC_AUTHORIZATION_FAILED,)
    yield entries(FORBIDDEN, draw, 10), 3, no_cluster
    yield quotas(FORBIDDEN, draw, 10), 1, no_cluster
    yield rpc.UnregisterBrokerRequest(target.broker), 0, no_cluster
    change = rpc.IncrementalAlterConfigsRequestAlterableConfig("min.insync.replicas", 0, "1")
    row = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(4, str(target.broker), [change])
    yield rpc.IncrementalAlterConfigsRequest([row]), 1, no_cluster


async def principals(target: Target, draw: random.Random) -> None:
    """Envelopes: from an operator none is opened, from a broker each is decided for the client that it names."""

    async def one(peer: Peer, role: str) -> None:
        for wrapped, error in wrapped_forgeries(target, draw):
            wanted = ErrorCode.CLUSTER_AUTHORIZATION_FAILED if role == OPERATOR else error
            check(wrapped, await peer.ask(wrapped), wanted)
        for message, version, wanted_ones in not_for_mallory(target, draw):
            wrapped = envelope(message, version, principal("mallory"))
            answer = await peer.ask(wrapped)
            assert isinstance(answer, rpc.EnvelopeResponse)
            if role == OPERATOR:
                check(message, answer, ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
                continue
            if answer.error_code == ErrorCode.NOT_CONTROLLER:
                # What remains of a request after the authorizer is for the active controller, nothing as well.
                continue
            assert answer.response_data is not None, answer
            check(message, decode_response(message.API_KEY, version, answer.response_data)[1], *wanted_ones)
        by_token = principal("mallory", by_token=True)
        wrapped = envelope(rpc.CreateDelegationTokenRequest(None, None, [], -1), 3, by_token)
        answer = await peer.ask(wrapped)
        assert isinstance(answer, rpc.EnvelopeResponse)
        if role == BROKER and answer.response_data is not None:
            refused = decode_response(rpc.CreateDelegationTokenRequest.API_KEY, 3, answer.response_data)[1]
            check(wrapped, refused, ErrorCode.DELEGATION_TOKEN_REQUEST_NOT_ALLOWED)

    await _both(target, one)


# Large requests, and many.


async def huge(target: Target, draw: random.Random) -> None:
    """Requests at their limits, and above; nothing of them is written: they are refused, or only tried."""
    wide = [topic(f"{FORBIDDEN}wide", count, only_try=True) for count in PARTITIONS]
    rows = [rpc.CreateTopicsRequestCreatableTopic(f"{FORBIDDEN}{number}", 1, 1, [], []) for number in range(10_000)]
    gone = [rpc.DeleteTopicsRequestDeleteTopicState(name=f"{FORBIDDEN}{number}") for number in range(16_000)]
    isr = [rpc.AlterPartitionRequestPartitionData(number) for number in range(PARTITIONS_REPORTED)]
    reports = [rpc.AlterPartitionRequestTopicData(bytes(15) + b"\1", isr)]
    requests: list[Message] = [
        *wide,
        rpc.CreateTopicsRequest(rows, TIMEOUT_MS, validate_only=True),
        rpc.DeleteTopicsRequest(topics=gone, timeout_ms=TIMEOUT_MS),
        rpc.AlterPartitionRequest(BROKER_ID, 1, reports),
        *(directories(BROKER_ID, 1, draw, count) for count in ENTRIES),
    ]

    async def one(role: str) -> None:
        async with certified(target, role) as peer:
            answer = await peer.ask(draw.choice(requests))
            if role == BROKER and isinstance(answer, rpc.AssignReplicasToDirsResponse):
                assert errors_in(answer) - {0}, f"a broker that is not registered has directories: {answer}"

    async with asyncio.TaskGroup() as tasks:
        for role in (OPERATOR, BROKER):
            tasks.create_task(many(1, functools.partial(one, role)))


def quotas(prefix: str, draw: random.Random, count: int) -> rpc.AlterClientQuotasRequest:
    """Make a request for quotas of users."""
    rows = [
        rpc.AlterClientQuotasRequestEntryData(
            [rpc.AlterClientQuotasRequestEntityData("user", f"{prefix}{draw.randrange(1 << 30)}")],
            [rpc.AlterClientQuotasRequestOpData("producer_byte_rate", 1024.0, remove=False)],
        )
        for _ in range(count)
    ]
    return rpc.AlterClientQuotasRequest(rows)


async def accounts(target: Target, draw: random.Random) -> None:
    """Tokens, quotas and access control entries en masse: those that are permitted are made, the others refused."""

    async def one(role: str) -> None:
        async with certified(target, role) as peer:
            for _ in range(FLOODS):
                await _flood(peer, target, role, draw)
            await peer.reader.read()

    async with asyncio.TaskGroup() as tasks:
        for role in (OPERATOR, BROKER):
            tasks.create_task(many(1, functools.partial(one, role)))


async def _flood(peer: Peer, target: Target, role: str, draw: random.Random) -> None:
    refusal = ErrorCode.CLUSTER_AUTHORIZATION_FAILED if target.is_authorized else ErrorCode.SECURITY_DISABLED
    refused = entries(FORBIDDEN, draw, ACCOUNTS)
    check("access control entries", await peer.ask(refused), refusal, ErrorCode.NOT_CONTROLLER)
    if target.is_authorized:
        refused = quotas(FORBIDDEN, draw, ACCOUNTS)
        check("quotas", await peer.ask(refused), ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
    else:
        await peer.ask(quotas(PERMITTED, draw, ACCOUNTS))
    for _ in range(10):
        # For itself anyone may.
        await peer.ask(rpc.CreateDelegationTokenRequest(None, None, [], -1))
    if role == BROKER and target.is_authorized:
        # The client that the broker names may: the broker is trusted with that.
        await peer.ask(envelope(entries(PERMITTED, draw, ACCOUNTS), 3, principal(f"CN={ADMIN}")))


# Connections.


async def connections(target: Target, draw: random.Random) -> None:
    """Connections that show a certificate, ask what a server offers, and stay."""

    async def one() -> None:
        async with certified(target, draw.choice((OPERATOR, BROKER))) as peer:
            await peer.ask(rpc.ApiVersionsRequest("x", "1"), 3)
            await peer.reader.read()

    await many(CONNECTIONS, one)


def client_hello(target: Target) -> bytes:
    """Make the first message of a handshake."""
    out = ssl.MemoryBIO()
    context = _context(target.certificates[OPERATOR], target.certificates[TRUST])
    tls = context.wrap_bio(ssl.MemoryBIO(), out, server_hostname="localhost")
    with contextlib.suppress(ssl.SSLWantReadError):
        tls.do_handshake()
    return out.read()


async def slow_handshakes(target: Target, draw: random.Random) -> None:
    """Handshakes byte by byte, some that end in the middle."""
    hello = client_hello(target)

    async def one() -> None:
        reader, writer = await asyncio.open_connection(HOST, target.kafka_port)
        try:
            if draw.random() < 0.3:
                writer.write(hello)
                await reader.read()
            for byte in hello:
                writer.write(bytes((byte,)))
                await writer.drain()
                await asyncio.sleep(SLOW_S)
        finally:
            writer.transport.abort()

    await many(SLOW_HANDSHAKES, one)


async def half_read(target: Target, draw: random.Random) -> None:
    """Answers of which a reader takes a part, and then nothing."""
    fetch = FetchRequest(
        cluster_id=None, replica=None, epoch=0, fetch_offset=0, last_fetched_epoch=0, max_wait_ms=500,
        max_bytes=8 * 1024 * 1024,
    )  # fmt: skip
    topics = [rpc.DeleteTopicsRequestDeleteTopicState(name=f"{FORBIDDEN}{number}") for number in range(NAMES_HALF_READ)]
    payload = encode_request(STRANGER, 1, rpc.DeleteTopicsRequest(topics=topics, timeout_ms=TIMEOUT_MS), 6)
    asked = [frame(fetch) * PIPELINED, SIZE.pack(len(payload)) + payload]

    async def one() -> None:
        async with certified(target, draw.choice((OPERATOR, BROKER))) as peer:
            peer.writer.write(draw.choice(asked))
            await peer.reader.readexactly(draw.randrange(1, 100))
            await asyncio.sleep(PATIENCE_S)

    await many(HALF_READ, one)


async def certificates(target: Target, draw: random.Random) -> None:
    """Certificates that are out of date, or of another authority: no request is answered."""

    async def one() -> None:
        role = draw.choice((EXPIRED, FOREIGN))
        async with certified(target, role) as peer:
            answer = await peer.ask(rpc.ApiVersionsRequest("x", "1"), 3)
        raise AssertionError(f"a certificate that is {role} is answered: {answer}")

    await many(ASKING, one)


INSIDERS: dict[str, Attack] = {
    "others' names": names,
    "forged principals": principals,
    "huge requests": huge,
    "floods of accounts": accounts,
    "certified connections": connections,
    "slow handshakes": slow_handshakes,
    "half-read answers": half_read,
    "wrong certificates": certificates,
}


if __name__ == "__main__":
    main(INSIDERS)
