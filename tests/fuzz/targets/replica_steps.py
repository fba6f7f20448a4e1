"""The replica behind the real codecs: what peers send, as bytes, taken step by step by replicas in every role.

A first byte chooses: 0, what follows is one frame, taken by a leader; 1, by a follower; anything else seeds some
messages, well-formed and hostile (``hostile``): requests as frames, and answers to what the replica has asked. Each
Ready is carried out on a disk in memory, each answer is encoded, and the replica is checked against itself after every
step. Then time passes.

Nothing may be raised: no net is up. Only a broken invariant would end the process of a node.
"""

from __future__ import annotations

import random
from functools import partial
from typing import Any

from kraftpy.model.errors import KraftError, MalformedError
from kraftpy.model.voters import Endpoint
from kraftpy.raft import messages as m
from kraftpy.raft.config import RecoveredState
from kraftpy.raft.messages import RaftRequest
from kraftpy.raft.ready import RequestReceived, ResponseReceived
from kraftpy.raft.responses import ANSWERS
from kraftpy.raft.voter_set_history import ZERO_CHECKPOINT_OFFSET
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, decode_response, encode_request, encode_response
from kraftpy.records.schema import load
from kraftpy.transport.kafka.translate import BY_KEY, BY_REQUEST, KRAFT_VERSIONS, RAFT_APIS, Refusal
from tests.fakes.raft_cluster import voter_set
from tests.fakes.raft_solo import Solo, batch, fetch, key_of, vote
from tests.fuzz.target import Target
from tests.fuzz.targets.hostile import GROWING, Hostile
from tests.unit.records.instances import instance

CLUSTER = "cluster"
SCHEMAS = {schema.name: schema for schema in load("rpc")}
STEPS_MAX = 4
BOOT = RecoveredState(
    voters=((ZERO_CHECKPOINT_OFFSET, voter_set((1, 2, 3), directories=True)),),
    kraft_versions=((ZERO_CHECKPOINT_OFFSET, 1),),
)


def leader() -> Solo:
    """A leader that has committed the voter set of its epoch."""
    solo = Solo(recovered=BOOT)
    solo.become_leader()
    solo.park(fetch(1, solo.replica.log_end_offset, 1))
    assert solo.replica.high_watermark == solo.replica.log_end_offset
    return solo


def follower() -> Solo:
    """A follower of node 2 that has asked for records."""
    solo = Solo(recovered=BOOT)
    solo.follow(2, 1)
    solo.tick(1)
    return solo


def quarantined(how: str) -> Solo:
    """A replica that has started an election."""
    solo = Solo(recovered=BOOT)
    getattr(solo, how)()
    return solo


ROLES = (
    leader, leader, leader, follower, follower, partial(quarantined, "become_candidate"),
    partial(quarantined, "become_prospective"), partial(Solo, recovered=BOOT), Solo,
)  # fmt: skip


def run(data: bytes) -> None:
    """Take what comes, then let time pass."""
    how, rest = (data[0], data[1:]) if data else (0, b"")
    if how < 2:
        solo = leader() if how == 0 else follower()
        _ask(solo, rest)
    else:
        rng = random.Random(data)
        solo = rng.choice(ROLES)()
        for _ in range(rng.randint(1, STEPS_MAX)):
            if rng.random() < 0.7:
                _ask(solo, _request(rng))
            else:
                _answer(solo, rng)
    for _ in range(4):
        solo.tick(solo.now_ms + 700)
    assert str(solo.replica.leader)


def _request(rng: random.Random) -> bytes:
    """A request of a peer; empty when it cannot even be written."""
    api = rng.choice(RAFT_APIS)
    name = f"{api.name}Request"
    version = rng.randint(api.min_version, api.max_version)
    message: Any = Hostile(rng, CLUSTER).soften(instance("rpc", SCHEMAS[name], version, rng))
    _one_partition(message)
    if hasattr(message, "listeners") and rng.random() < 0.9:
        cls = getattr(rpc, f"{name}Listener")
        message.listeners = [cls("CONTROLLER", "host", 9), *message.listeners]
    try:
        return encode_request("c", 5, message, version)
    except (KraftError, ValueError):
        return b""


def _one_partition(message: Any) -> None:
    """Have a message speak of the log of the metadata and nothing else, as those of a quorum do."""
    for topic in getattr(message, "topics", [])[1:]:
        message.topics.remove(topic)
    for topic in getattr(message, "topics", []):
        for name in ("topic", "topic_name", "name"):
            if hasattr(topic, name):
                setattr(topic, name, "__cluster_metadata")
        for name in ("topic_id",):
            if hasattr(topic, name):
                setattr(topic, name, METADATA_TOPIC_ID)
        del topic.partitions[1:]
        for one in topic.partitions:
            for name in ("partition", "partition_index", "partition_id"):
                if hasattr(one, name):
                    setattr(one, name, 0)


METADATA_TOPIC_ID = bytes(15) + b"\1"


def _ask(solo: Solo, frame: bytes) -> None:
    """Take a request, as a listener does, and encode its answer."""
    if len(frame) < 8:
        return
    try:
        header, message = decode_request(frame)
        api = BY_KEY.get(header.request_api_key)
        if api is None or not api.min_version <= header.request_api_version <= api.max_version:
            return
        request = api.request_from_wire(message)
    except (MalformedError, Refusal):
        return
    solo._token += 1
    VERSIONS[solo._token] = header.request_api_version
    solo.step(RequestReceived(solo._token, request))
    _encode(solo, solo._token, request)


VERSIONS: dict[int, int] = {}


def _encode(solo: Solo, token: int, request: RaftRequest) -> None:
    reply = solo.replies.get(token)
    if reply is not None:
        api, version = BY_REQUEST[type(request)], VERSIONS[token]
        assert encode_response(5, api.response_to_wire(reply.response, version), version)


def _answer(solo: Solo, rng: random.Random) -> None:
    """Answer something that the replica has asked."""
    if not solo.sent:
        return
    sent = solo.sent[-1 - rng.randrange(min(3, len(solo.sent)))]
    if type(sent.request) not in ANSWERS:
        return
    api = BY_REQUEST[type(sent.request)]
    version = rng.randint(api.min_version, api.max_version)
    name = "ApiVersionsResponse" if api is KRAFT_VERSIONS else f"{api.name}Response"
    hostile = Hostile(rng, CLUSTER)
    message: Any = hostile.soften(instance("rpc", SCHEMAS[name], version, rng))
    _one_partition(message)
    _believable(message, solo, rng)
    try:
        frame = encode_response(3, message, version)
    except (KraftError, ValueError):
        return
    try:
        _, message = decode_response(api.api_key, version, frame)
        response = api.read_response(message, "CONTROLLER")
    except MalformedError:
        return
    solo.step(ResponseReceived(sent.correlation, response))


def _believable(message: Any, solo: Solo, rng: random.Random) -> None:
    """Let an answer be a success sometimes, with records that continue the log."""
    epoch, end = solo.replica.epoch, solo.replica.log_end_offset
    if rng.random() < 0.8 and hasattr(message, "error_code"):
        message.error_code = 0
    for topic in getattr(message, "topics", getattr(message, "responses", [])):
        for one in topic.partitions:
            if rng.random() < 0.8 and hasattr(one, "error_code"):
                one.error_code = 0
            if hasattr(one, "records") and rng.random() < 0.7:
                one.records = batch("a", base=end, epoch=epoch)[: rng.choice((10**6, 10**6, 60))]
            if hasattr(one, "vote_granted"):
                one.vote_granted = rng.random() < 0.7


def samples():
    where = (Endpoint("CONTROLLER", "host", 9), Endpoint("X", "h", 1))
    requests = {
        "update": m.UpdateRaftVoterRequest(
            cluster_id=CLUSTER, epoch=1, voter=key_of(2), endpoints=where, kraft_version_min=0, kraft_version_max=1
        ),
        "add": m.AddRaftVoterRequest(
            cluster_id=CLUSTER, voter=key_of(4), endpoints=where, timeout_ms=500, ack_when_committed=False
        ),
        "remove": m.RemoveRaftVoterRequest(cluster_id=CLUSTER, voter=key_of(3)),
        "vote": vote(2, last=(1, 9)),
        "fetch": fetch(1, 3, 1),
        "describe": m.DescribeQuorumRequest(),
        "begin": m.BeginQuorumEpochRequest(
            cluster_id=CLUSTER, voter=None, leader_id=3, epoch=2, leader_endpoints=where
        ),
        "end": m.EndQuorumEpochRequest(cluster_id=CLUSTER, leader_id=2, epoch=1),
    }
    for name, request in requests.items():
        api = BY_REQUEST[type(request)]
        frame = encode_request("c", 5, api.request_to_wire(request, api.max_version), api.max_version)
        yield f"{name}-to-leader", b"\0" + frame
        yield f"{name}-to-follower", b"\1" + frame
    for number in range(12):
        yield f"drawn-{number}", bytes([2, number])


WORDS = tuple(letter.encode() for letter in GROWING)

TARGET = Target(name="replica_steps", run=run, refusals=(), samples=samples, words=WORDS, memory_base=16 * 1024 * 1024)
