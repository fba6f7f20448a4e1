"""Hypothesis strategies for everything that replicas say to each other."""

from __future__ import annotations

from hypothesis import strategies as st

from kraftpy.model.digests import NO_DIGEST, StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import ZERO_UUID
from kraftpy.model.offsets import LeaderAndEpoch, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft import messages as m

INT32 = st.integers(0, 2**31 - 1)
INT64 = st.integers(0, 2**63 - 2)
NODE = INT32
EPOCH = INT32
UUID = st.binary(min_size=16, max_size=16).filter(lambda uuid: uuid != ZERO_UUID)
CLUSTER = st.none() | st.text("abcXYZ-_0189", min_size=1, max_size=22)
KEY = st.builds(ReplicaKey, NODE, st.none() | UUID)
DIGEST = st.none() | st.builds(StateDigest, INT64, UUID)
DISPUTED = st.builds(StateDigest, INT64, st.just(NO_DIGEST))
POSITION = st.builds(OffsetAndEpoch, epoch=EPOCH, offset=INT64)
HOST = st.text("abc.-0123", min_size=1, max_size=20)
PORT = st.integers(0, 65535)
LISTENERS = st.lists(
    st.builds(Endpoint, st.sampled_from(["CONTROLLER", "SSL", "X"]), HOST, PORT), max_size=3, unique_by=lambda e: e.name
).map(tuple)
ADDRESS = st.builds(Endpoint, st.just("CONTROLLER"), HOST, PORT)
LEVEL = st.integers(0, 2**15 - 1)
TEXT = st.none() | st.text(max_size=20)
ERROR = st.sampled_from(list(ErrorCode))
LEADER = st.builds(LeaderAndEpoch, st.none() | NODE, EPOCH)


def _led(cls, **fields):
    """Responses that know a leader may know its address; those refused as a whole know nothing."""

    def build(leader, address, partition_error, rest):
        endpoints = (address,) if address is not None and leader.leader_id is not None else ()
        return cls(partition_error=partition_error, leader=leader, leader_endpoints=endpoints, **rest)

    whole = st.builds(build, LEADER, st.none() | ADDRESS, ERROR, st.fixed_dictionaries(fields))
    refused = st.builds(
        lambda error: cls(error=error, leader=LeaderAndEpoch(None, 0)), ERROR.filter(lambda code: code != 0)
    )
    return whole | refused


REQUESTS = {
    m.VoteRequest: st.builds(
        m.VoteRequest, cluster_id=CLUSTER, voter=st.none() | KEY, candidate=KEY, epoch=EPOCH, last=POSITION,
        pre_vote=st.booleans(),
    ),
    m.BeginQuorumEpochRequest: st.builds(
        m.BeginQuorumEpochRequest, cluster_id=CLUSTER, voter=st.none() | KEY, leader_id=NODE, epoch=EPOCH,
        leader_endpoints=LISTENERS,
    ),
    m.EndQuorumEpochRequest: st.builds(
        m.EndQuorumEpochRequest, cluster_id=CLUSTER, leader_id=NODE, epoch=EPOCH,
        preferred_successors=st.lists(KEY, max_size=4).map(tuple), leader_endpoints=LISTENERS,
    ),
    m.FetchRequest: st.builds(
        m.FetchRequest, cluster_id=CLUSTER, replica=st.none() | KEY, epoch=EPOCH, fetch_offset=INT64,
        last_fetched_epoch=EPOCH, max_wait_ms=INT32, max_bytes=INT32, high_watermark=st.none() | INT64,
        state=DIGEST,
    ),
    m.FetchSnapshotRequest: st.builds(
        m.FetchSnapshotRequest, cluster_id=CLUSTER, replica=st.none() | KEY, epoch=EPOCH, snapshot_id=POSITION,
        position=INT64, max_bytes=INT32,
    ),
    m.DescribeQuorumRequest: st.just(m.DescribeQuorumRequest()),
    m.AddRaftVoterRequest: st.builds(
        m.AddRaftVoterRequest, cluster_id=CLUSTER, voter=KEY, endpoints=LISTENERS, timeout_ms=INT32,
        ack_when_committed=st.booleans(),
    ),
    m.RemoveRaftVoterRequest: st.builds(m.RemoveRaftVoterRequest, cluster_id=CLUSTER, voter=KEY),
    m.UpdateRaftVoterRequest: st.builds(
        m.UpdateRaftVoterRequest, cluster_id=CLUSTER, epoch=EPOCH, voter=KEY, endpoints=LISTENERS,
        kraft_version_min=LEVEL, kraft_version_max=LEVEL,
    ),
    m.KRaftVersionsRequest: st.just(m.KRaftVersionsRequest()),
}  # fmt: skip

_PROGRESS = st.builds(
    m.ReplicaProgress, key=KEY, log_end_offset=st.none() | INT64, last_fetch_ms=st.none() | INT64,
    last_caught_up_ms=st.none() | INT64, endpoints=LISTENERS,
)  # fmt: skip


def _describe(leader, partition_error, high_watermark, replicas):
    half = len(replicas) // 2
    return m.DescribeQuorumResponse(
        partition_error=partition_error,
        leader=leader,
        high_watermark=high_watermark,
        voters=tuple(replicas[:half]),
        observers=tuple(replicas[half:]),
    )


RESPONSES = {
    m.VoteResponse: _led(m.VoteResponse, granted=st.booleans()),
    m.BeginQuorumEpochResponse: _led(
        m.BeginQuorumEpochResponse, ineligible=st.booleans(), directory_id=st.none() | UUID
    ),
    m.EndQuorumEpochResponse: _led(m.EndQuorumEpochResponse),
    m.FetchResponse: _led(
        m.FetchResponse, high_watermark=st.none() | INT64, log_start_offset=INT64, diverging=st.none() | POSITION,
        snapshot_id=st.none() | POSITION, records=st.binary(max_size=200), agreed=DIGEST | DISPUTED,
    ),
    m.FetchSnapshotResponse: _led(
        m.FetchSnapshotResponse, snapshot_id=st.none() | POSITION.filter(lambda p: p.offset or p.epoch), size=INT64,
        position=INT64, data=st.binary(max_size=200),
    ).filter(lambda response: response.leader.epoch > 0 or response.leader.leader_id is None),
    m.DescribeQuorumResponse: st.builds(
        _describe, LEADER, ERROR, st.none() | INT64,
        st.lists(_PROGRESS, max_size=5, unique_by=lambda progress: progress.key.node_id),
    ) | st.builds(
        lambda error: m.DescribeQuorumResponse(error=error, leader=LeaderAndEpoch(None, 0)),
        ERROR.filter(lambda code: code != 0),
    ),
    m.AddRaftVoterResponse: st.builds(m.AddRaftVoterResponse, error=ERROR, message=TEXT),
    m.RemoveRaftVoterResponse: st.builds(m.RemoveRaftVoterResponse, error=ERROR, message=TEXT),
    m.UpdateRaftVoterResponse: st.builds(
        lambda error, leader, address: m.UpdateRaftVoterResponse(
            error=error, leader=leader, leader_endpoints=() if address is None else (address,)
        ),
        ERROR, LEADER, st.none() | ADDRESS,
    ),
    m.KRaftVersionsResponse: st.builds(m.KRaftVersionsResponse, error=ERROR, lowest=LEVEL, highest=LEVEL),
}  # fmt: skip
