"""Strangers without credentials at the ports of a cluster: what each kind does, for some seconds, and within bounds.

All of it happens on loopback, from a process of its own (``python -m tests.robustness.attackers``, which reads its
targets from standard input), so that honest clients wait for the cluster and not for the attacker beside them. The
connections and bytes are as many as are named here. What a cluster owes its honest clients meanwhile is defined in
:mod:`tests.robustness.campaign`.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import random
import struct
import sys
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import grpc

from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import ReplicaKey
from kraftpy.pb.v1 import session_pb2
from kraftpy.raft.messages import (
    DescribeQuorumRequest,
    FetchRequest,
    RaftRequest,
    VoteRequest,
)
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_request
from kraftpy.transport.kafka.translate import BY_REQUEST
from tests.robustness.proxy import HOST

IDLE_CONNECTIONS = 250
"""Connections that send nothing, at each controller; one that is closed is opened again."""

HALF_FRAMES, HALF_FRAME_BYTES = 40, 512 * 1024
FLOODING, PIPELINED = 20, 200
UNREAD = 40
RAISED, EPOCHS_AHEAD = 20, 1_000
SESSIONS = 60
GARBAGE_CONNECTIONS, GARBAGE_BYTES = 40, 4_096
FORGING = 20
PAUSE_S = 0.05
ATTACKING = b"attacking\n"
ROOT = Path(__file__).parents[2]
PATIENCE_S = 5.0
"""For so long one that reads nothing waits."""

SIZE = struct.Struct(">i")
STRANGER = "stranger"
PRINCIPAL = bytes.fromhex("0000 05") + b"User" + bytes.fromhex("06") + b"admin" + bytes.fromhex("00 00")
"""A principal as a broker of Kafka writes it."""

Attack = Callable[["Target", random.Random], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Target:
    """A controller: where it listens, who its voters are.

    Attributes:
        broker: one that is registered.
        certificates: PEM files of attackers by what they are, and of the authority (:mod:`tests.robustness.insiders`);
            none where the ports have no TLS.
        is_authorized: whether an authorizer decides.
    """

    node_id: int
    kafka_port: int
    grpc: str
    voters: tuple[int, ...]
    broker: int = 0
    certificates: Mapping[str, str] = field(default_factory=dict)
    is_authorized: bool = False


def frame(request: RaftRequest, correlation: int = 1) -> bytes:
    """Write a request as a stranger would."""
    api = BY_REQUEST[type(request)]
    payload = encode_request(STRANGER, correlation, api.request_to_wire(request, api.max_version), api.max_version)
    return SIZE.pack(len(payload)) + payload


@contextlib.asynccontextmanager
async def attacked(
    kind: str, targets: list[Target], draw: random.Random, module: str = "tests.robustness.attackers"
) -> AsyncIterator[None]:
    """Let one kind of attacker be at all targets inside the block; ``module`` knows the kind.

    Raises:
        AssertionError: the attacker itself failed.
    """
    order = json.dumps({"kind": kind, "seed": draw.random(), "targets": [asdict(target) for target in targets]})
    attacker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", module, cwd=ROOT,
        stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE,
    )  # fmt: skip
    assert attacker.stdin is not None
    assert attacker.stdout is not None
    try:
        attacker.stdin.write(order.encode())
        attacker.stdin.close()
        assert await attacker.stdout.readline() == ATTACKING, f"the attacker {kind!r} does not begin"
        yield
        assert attacker.returncode in {None, 0}, f"the attacker {kind!r} ended with {attacker.returncode}"
    finally:
        if attacker.returncode is None:
            attacker.kill()
        await attacker.wait()


async def attack(made: Attack, seed: float, targets: list[Target]) -> None:
    """Attack until this process is killed, or all is done."""
    seeds = random.Random(seed)
    async with asyncio.TaskGroup() as tasks:
        for target in targets:
            tasks.create_task(made(target, random.Random(seeds.random())))


def main(attacks: Mapping[str, Attack]) -> None:
    """Read an order and carry it out."""
    order = json.load(sys.stdin)
    targets = [Target(**{**target, "voters": tuple(target["voters"])}) for target in order["targets"]]
    sys.stdout.buffer.write(ATTACKING)
    sys.stdout.buffer.flush()
    asyncio.run(attack(attacks[order["kind"]], order["seed"], targets))


async def many(count: int, one: Callable[[], Awaitable[None]]) -> None:
    """Run ``count`` of something at once, again and again: a connection that is closed is opened again."""

    async def again() -> None:
        while True:
            with contextlib.suppress(OSError, EOFError):
                await one()
            await asyncio.sleep(PAUSE_S)

    async with asyncio.TaskGroup() as tasks:
        for _ in range(count):
            tasks.create_task(again())


@contextlib.asynccontextmanager
async def connection(target: Target) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(HOST, target.kafka_port)
    try:
        yield reader, writer
    finally:
        writer.transport.abort()


async def idle(target: Target, draw: random.Random) -> None:
    """Connections that say nothing."""
    del draw

    async def one() -> None:
        async with connection(target) as (reader, _):
            await reader.read()

    await many(IDLE_CONNECTIONS, one)


async def half_frames(target: Target, draw: random.Random) -> None:
    """Requests whose end never comes."""
    body = draw.randbytes(HALF_FRAME_BYTES // 2)

    async def one() -> None:
        async with connection(target) as (reader, writer):
            writer.write(SIZE.pack(HALF_FRAME_BYTES) + frame(DescribeQuorumRequest())[SIZE.size :] + body)
            await reader.read()

    await many(HALF_FRAMES, one)


async def flood(target: Target, draw: random.Random) -> None:
    """As many requests as a connection takes, and again when they are answered."""
    del draw
    requests = frame(DescribeQuorumRequest()) * PIPELINED

    async def one() -> None:
        async with connection(target) as (reader, writer):
            while True:
                writer.write(requests)
                for _ in range(PIPELINED):
                    await reader.readexactly(SIZE.unpack(await reader.readexactly(SIZE.size))[0])

    await many(FLOODING, one)


async def unread(target: Target, draw: random.Random) -> None:
    """Fetches of all there is, by a reader that reads nothing."""
    del draw
    fetch = frame(
        FetchRequest(
            cluster_id=None,
            replica=None,
            epoch=0,
            fetch_offset=0,
            last_fetched_epoch=0,
            max_wait_ms=500,
            max_bytes=8 * 1024 * 1024,
        )
    )

    async def one() -> None:
        async with connection(target) as (reader, writer):
            # The stream takes a little by itself, and then no more.
            del reader
            writer.write(fetch * PIPELINED)
            await asyncio.sleep(PATIENCE_S)

    await many(UNREAD, one)


async def high_epochs(target: Target, draw: random.Random) -> None:
    """Votes in epochs that never were, under voters' names, of no cluster.

    BeginQuorumEpoch is left out: where a port has no TLS, one that names its receiver as the leader makes that voter
    believe that its disk was lost, and two of three such voters elect no leader any more (README.md).
    """
    epoch = EPOCHS_AHEAD
    # A node that was killed a moment ago may not listen yet.
    with contextlib.suppress(OSError):
        await _send_votes(target, draw, epoch)


async def _send_votes(target: Target, draw: random.Random, epoch: int) -> None:
    async with connection(target) as (reader, writer):
        for _ in range(RAISED):
            other = draw.choice([one for one in target.voters if one != target.node_id])
            epoch += draw.randrange(1, EPOCHS_AHEAD)
            vote = VoteRequest(
                cluster_id=None,
                voter=ReplicaKey(target.node_id, None),
                candidate=ReplicaKey(other, None),
                epoch=epoch,
                last=OffsetAndEpoch(epoch=epoch - 1, offset=1 << 40),
            )
            with contextlib.suppress(OSError, EOFError):
                writer.write(frame(vote))
                await reader.readexactly(SIZE.unpack(await reader.readexactly(SIZE.size))[0])


async def idle_sessions(target: Target, draw: random.Random) -> None:
    """Streams of the public API that are opened and never used."""
    del draw
    async with contextlib.AsyncExitStack() as stack:
        calls = []
        for _ in range(SESSIONS):
            # Each on a connection of its own.
            options = [("grpc.use_local_subchannel_pool", 1)]
            channel = await stack.enter_async_context(grpc.aio.insecure_channel(target.grpc, options=options))
            call = channel.stream_stream(
                "/kraftpy.v1.SessionService/Session",
                request_serializer=session_pb2.RequestBatch.SerializeToString,
                response_deserializer=session_pb2.ResponseBatch.FromString,
            )()
            stack.callback(call.cancel)
            calls.append(call)
        await asyncio.Event().wait()


async def garbage(target: Target, draw: random.Random) -> None:
    """Bytes that mean nothing, at both ports."""
    ports = (target.kafka_port, int(target.grpc.rpartition(":")[2]))

    async def one() -> None:
        reader, writer = await asyncio.open_connection(HOST, draw.choice(ports))
        try:
            writer.write(draw.randbytes(draw.randrange(1, GARBAGE_BYTES)))
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(1.0):
                    await reader.read()
        finally:
            writer.transport.abort()

    await many(GARBAGE_CONNECTIONS, one)


def forged_envelopes(draw: random.Random) -> list[bytes]:
    """Make Envelopes of clients that do not exist: unreadable ones, and requests that are read, decided and refused."""
    quorum = frame(DescribeQuorumRequest())[SIZE.size :]
    token = encode_request(STRANGER, 1, rpc.RenewDelegationTokenRequest(hmac=draw.randbytes(64)), 2)
    named = [rpc.DeleteTopicsRequestDeleteTopicState(name=f"no-topic-{number}") for number in range(1_000)]
    topics = encode_request(STRANGER, 1, rpc.DeleteTopicsRequest(topics=named, timeout_ms=1_000), 6)
    contents = [quorum, token, topics, b"", quorum[:-3], draw.randbytes(GARBAGE_BYTES)]
    contents.append(encode_request(STRANGER, 1, rpc.EnvelopeRequest(quorum, PRINCIPAL, bytes(4)), 0))
    made = [rpc.EnvelopeRequest(content, PRINCIPAL, bytes(4)) for content in contents]
    made.append(rpc.EnvelopeRequest(quorum, draw.randbytes(GARBAGE_BYTES), bytes(4)))
    made.append(rpc.EnvelopeRequest(quorum, PRINCIPAL, bytes(5)))
    payloads = [encode_request(STRANGER, 1, message, 0) for message in made]
    return [SIZE.pack(len(payload)) + payload for payload in payloads]


async def envelopes(target: Target, draw: random.Random) -> None:
    """Requests that no broker forwards, one after the other; each is answered, and the connection stays."""
    forged = forged_envelopes(draw)

    async def one() -> None:
        async with connection(target) as (reader, writer):
            while True:
                writer.write(draw.choice(forged))
                await reader.readexactly(SIZE.unpack(await reader.readexactly(SIZE.size))[0])

    await many(FORGING, one)


ATTACKS: dict[str, Attack] = {
    "idle connections": idle,
    "half frames": half_frames,
    "flood of requests": flood,
    "unread answers": unread,
    "high epochs": high_epochs,
    "idle sessions": idle_sessions,
    "garbage": garbage,
    "forged envelopes": envelopes,
}

MAY_DEPOSE = frozenset({"high epochs"})
"""Where a port has no TLS, a vote under a voter's name is one: it may cost an election, and no more epochs than that
allows (docs/deploy.md)."""


if __name__ == "__main__":
    main(ATTACKS)
