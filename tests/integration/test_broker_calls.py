"""Brokers' registrations and heartbeats over Kafka's protocol, between real processes."""

from __future__ import annotations

import time

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import BrokerHeartbeat, Listener, RegisterBroker, SupportedFeature
from kraftpy.model.voters import Endpoint
from kraftpy.transport.kafka.controller_calls import ControllerCalls
from kraftpy.transport.tls import client_context
from tests.fakes.processes import PATIENT, eventually, running
from tests.fakes.secure_cluster import SecureCluster, running_secure

pytestmark = pytest.mark.landing

BROKER = 4
SESSION_S = 8.0
INTERVAL_MS = 5_000
FAILED_CALL = "call_to_controller_failed"
OTHER_BROKER = 9
CALL_TIMEOUT_MS = 5_000


async def test_the_leader_dies_between_two_heartbeats(tmp_path) -> None:
    """The next heartbeat goes to the next leader: no call fails, and its session begins without a registration."""
    extra = {
        "broker.session.timeout.ms": str(int(SESSION_S * 1_000)),
        "broker.heartbeat.interval.ms": str(INTERVAL_MS),
        "log.level": "debug",
    }
    async with running(tmp_path, brokers=1, extra=PATIENT | extra) as cluster:
        await eventually(cluster.brokers, lambda one: one == {BROKER: False}, "the broker is unfenced")
        old = await cluster.leader()
        failed = cluster.log_of(BROKER).count(FAILED_CALL)
        registered = cluster.log_of(BROKER).count("broker_registered")
        await cluster.kill(old)
        new = await cluster.leader()
        assert new != old
        began = time.monotonic()

        async def watched() -> tuple[float, dict[int, bool]]:
            return time.monotonic() - began, await cluster.brokers()

        await eventually(
            watched,
            lambda one: one[0] > 1.5 * SESSION_S or one[1] != {BROKER: False},
            "a session and a half has passed",
        )
        assert await cluster.brokers() == {BROKER: False}, f"fenced under controller {new}"
        text = cluster.log_of(BROKER)
        assert (text.count(FAILED_CALL), text.count("broker_registered")) == (failed, registered)


async def test_a_registration_with_another_s_certificate_is_refused(tmp_path) -> None:
    """On mutual TLS the leader registers a broker for the certificate that names it, and for no other."""
    async with running_secure(tmp_path) as secure:
        cluster = secure.cluster
        await eventually(cluster.brokers, lambda found: found == {BROKER: False}, "the broker is unfenced")
        leader = await cluster.leader()
        async with cluster.client(leader) as client:
            cluster_id = (await client.describe_cluster()).cluster_id
        registration = RegisterBroker(
            broker_id=OTHER_BROKER,
            cluster_id=cluster_id,
            incarnation_id=b"i" * 16,
            listeners=(Listener("PLAINTEXT", "h", 9092, 0),),
            features=(SupportedFeature("metadata.version", 1, 100),),
            log_dirs=(b"d" * 16,),
        )
        before = (await cluster.metrics(leader))["kraft_identity_rejections_total"]
        refused = await called(secure, leader, f"kraft:///broker/{BROKER}", registration)
        assert isinstance(refused, ApiError)
        assert refused.code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        heartbeat = BrokerHeartbeat(broker_id=BROKER, broker_epoch=1, metadata_offset=1, want_fence=True)
        refused = await called(secure, leader, f"kraft:///broker/{OTHER_BROKER}", heartbeat)
        assert isinstance(refused, ApiError)
        assert refused.code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
        assert await cluster.brokers() == {BROKER: False}
        assert (await cluster.metrics(leader))["kraft_identity_rejections_total"] == before + 2
        accepted = await called(secure, leader, f"kraft:///broker/{OTHER_BROKER}", registration)
        assert not isinstance(accepted, ApiError), accepted
        both = {BROKER: False, OTHER_BROKER: True}
        await eventually(cluster.brokers, lambda found: found == both, "every controller shows both")


async def called(secure: SecureCluster, node_id: int, uri: str, request: RegisterBroker | BrokerHeartbeat) -> object:
    """Make one call with a certificate; return its response, or how it was refused."""
    host, _, port = secure.cluster.node(node_id).kafka_endpoint.rpartition(":")
    endpoint = Endpoint("CONTROLLER", host, int(port))
    async with ControllerCalls("forger", ssl_context=client_context(secure.files(uri))) as calls:
        try:
            return await calls.call(node_id, endpoint, request, CALL_TIMEOUT_MS)
        except ApiError as error:
            return error
