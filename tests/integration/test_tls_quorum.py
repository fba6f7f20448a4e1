"""A whole cluster on mutual TLS: it forms, writes and fails over, and a forged name changes nothing."""

from __future__ import annotations

import asyncio
import shutil
import signal
from dataclasses import replace

import pytest

from kraftpy.model.digests import StateDigest
from kraftpy.model.errors import ErrorCode
from kraftpy.model.offsets import OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.raft.messages import (
    BeginQuorumEpochRequest,
    EndQuorumEpochRequest,
    FetchRequest,
    RaftRequest,
    UpdateRaftVoterRequest,
    VoteRequest,
)
from kraftpy.raft.ready import ResponseReceived
from kraftpy.transport.tls import client_context
from tests.fakes.processes import PATIENCE_S, STEADY, described, eventually, group
from tests.fakes.secure_cluster import SecureCluster, running_secure

pytestmark = pytest.mark.landing

FORGER = "kraft:///controller/4"
BEYOND = 1_000_000
WATCHED = (
    "kraft_current_epoch",
    "kraft_current_leader",
    "kraft_elections_won_total",
    "kraft_leaders_lost_total",
    "kraft_state_digest_mismatches_total",
    "kraft_log_truncations_total",
)


def forged(voter: ReplicaKey, leader: int, epoch: int, end: int) -> dict[str, RaftRequest]:
    """What a forger says in the name of voter ``voter``, to the leader and to a follower."""
    fetch = FetchRequest(cluster_id=None, replica=voter, epoch=epoch, fetch_offset=end, last_fetched_epoch=epoch,
                         max_wait_ms=0, max_bytes=1, high_watermark=0)  # fmt: skip
    last = OffsetAndEpoch(epoch=epoch, offset=end)
    vote = VoteRequest(
        cluster_id=None, voter=None, candidate=voter, epoch=epoch + 100, last=replace(last, offset=BEYOND)
    )
    evil = (Endpoint("CONTROLLER", "127.0.0.1", 1),)
    return {
        "fetch of what it does not have": fetch,
        "fetch on probation": replace(fetch, replica=None, on_probation=voter),
        "wrong digest": replace(fetch, state=StateDigest(end, b"\x01" * 16)),
        "vote": vote,
        "pre-vote": replace(vote, pre_vote=True, epoch=epoch),
        "begin": BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=voter.node_id, epoch=epoch + 100,
                                         leader_endpoints=evil),
        "begin of the same epoch": BeginQuorumEpochRequest(cluster_id=None, voter=None, leader_id=leader, epoch=epoch,
                                                           leader_endpoints=evil * 2),
        "end": EndQuorumEpochRequest(cluster_id=None, leader_id=leader, epoch=epoch),
        "update": UpdateRaftVoterRequest(cluster_id=None, epoch=epoch, voter=voter, endpoints=evil,
                                         kraft_version_min=0, kraft_version_max=1),
    }  # fmt: skip


async def write(secure: SecureCluster, value: int) -> None:
    async with secure.cluster.client(*secure.cluster.running_controllers) as client:
        await client.incremental_alter_configs(group("g", str(value)), retry_unknown=True)
        await eventually(lambda: described(client), lambda all_: all_.get("g") == str(value), "the value is there")


async def settled(secure: SecureCluster) -> dict[int, dict[str, float]]:
    """The gauges of all controllers, once they agree on how far the log is committed."""

    async def gauges() -> dict[int, dict[str, float]]:
        return {node_id: await secure.cluster.metrics(node_id) for node_id in (1, 2, 3)}

    return await eventually(
        gauges, lambda all_: len({one.get("kraft_high_watermark") for one in all_.values()}) == 1, "all have the same"
    )


async def test_a_quorum_on_tls_forms_writes_and_fails_over(tmp_path) -> None:
    """Three controllers and a broker that know each other by their certificates."""
    async with running_secure(tmp_path) as secure:
        cluster = secure.cluster
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: found == {4: False}, "the broker is registered and not fenced")
        await write(secure, 10_001)
        await cluster.kill(leader)
        second = await cluster.leader()
        assert second != leader
        await write(secure, 10_002)
        await cluster.start(leader)
        for node_id in (1, 2, 3, 4):
            gauges = await eventually(lambda n=node_id: cluster.metrics(n), bool, "it answers")
            assert gauges["kraft_identity_rejections_total"] == 0


async def test_a_forger_with_a_good_certificate_changes_nothing(tmp_path) -> None:
    """Node 4's certificate is of the right authority; it is not voter 2's. Said to every controller, a whole round."""
    async with running_secure(tmp_path, brokers=0, extra=STEADY) as secure:
        cluster = secure.cluster
        leader = await cluster.leader()
        await write(secure, 10_001)
        async with cluster.client(leader) as client:
            quorum = await client.describe_quorum()
        voter = next(one.key for one in quorum.voters if one.key.node_id != leader)
        before = await settled(secure)
        requests = forged(voter, leader, int(before[leader]["kraft_current_epoch"]), BEYOND)
        for node_id in (1, 2, 3):
            async with secure.forger(node_id, FORGER) as forger:
                for name, request in requests.items():
                    fate = await forger.ask(request)
                    assert isinstance(fate, ResponseReceived), name
                    assert getattr(fate.response, "error", None) is ErrorCode.CLUSTER_AUTHORIZATION_FAILED, name
        after = await settled(secure)
        for node_id in (1, 2, 3):
            assert [before[node_id][name] for name in WATCHED] == [after[node_id][name] for name in WATCHED]
            # Nodes may go on registering themselves; nothing is committed that is not in the log.
            assert after[node_id]["kraft_high_watermark"] <= after[node_id]["kraft_log_end_offset"]
            assert after[node_id]["kraft_identity_rejections_total"] == len(requests)
        await write(secure, 10_002)
        assert await cluster.leader() == leader


async def test_a_controller_with_another_s_certificate_joins_nothing(tmp_path) -> None:
    """Who starts as node 3 with the certificate of node 4 neither votes nor is spoken to; the others lead on."""
    async with running_secure(tmp_path, brokers=0, start=False) as secure:
        cluster = secure.cluster
        other = secure.authority.issue("other", FORGER)
        config = cluster.node(3).config_file
        own = config.read_text(encoding="utf-8")
        await cluster.start(1, 2, 3)
        await cluster.leader()
        await cluster.terminate(3)
        right = cluster.node(3).properties["ssl.keystore.location"]
        config.write_text(own.replace(right, str(other.both)), encoding="utf-8")
        leader = await cluster.leader()
        before = (await cluster.metrics(leader))["kraft_identity_rejections_total"]
        await cluster.start(3)
        async with asyncio.timeout(PATIENCE_S):
            await eventually(
                lambda: cluster.metrics(leader),
                lambda one: one["kraft_identity_rejections_total"] > before,
                "the leader refuses it",
            )
        await write(secure, 10_003)
        gauges = await cluster.metrics(3)
        assert gauges["kraft_high_watermark"] == -1


async def test_a_renewed_certificate_is_shown_without_a_restart(tmp_path) -> None:
    """New files and a SIGHUP: both ports show the new one, and the quorum goes on."""
    async with running_secure(tmp_path, brokers=0, extra=STEADY) as secure:
        cluster = secure.cluster
        leader = await cluster.leader()
        node = cluster.node(leader)
        assert node.grpc_endpoint is not None
        ports = [int(one.rpartition(":")[2]) for one in (node.kafka_endpoint, node.grpc_endpoint)]
        assert [await shown_at(secure, port) for port in ports] == [f"controller-{leader}"] * 2
        renewed = secure.authority.issue("renewed", f"kraft:///controller/{leader}")
        shutil.copy(renewed.both, node.properties["ssl.keystore.location"])
        cluster.child(leader).signal(signal.SIGHUP)
        await cluster.states(leader, "certificates_reloaded")
        assert [await shown_at(secure, port) for port in ports] == ["renewed"] * 2
        await write(secure, 10_004)
        assert await cluster.leader() == leader
        assert await cluster.terminate(leader) == 0


async def shown_at(secure: SecureCluster, port: int) -> str:
    """The common name of the certificate that a port shows."""
    context = client_context(secure.files())
    context.set_alpn_protocols(["h2"])
    _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
    name: str = writer.get_extra_info("peercert")["subject"][0][0][1]
    writer.close()
    return name
