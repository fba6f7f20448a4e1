"""A controller with two controller listeners, in plaintext and on TLS: both serve, and each names its own address."""

from __future__ import annotations

from kraftpy.model.errors import ErrorCode
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import PLAINTEXT, QuorumAccess
from kraftpy.quorum_tools.quorum_admin import QuorumAdmin
from kraftpy.quorum_tools.streams import call
from kraftpy.records.generated import rpc
from kraftpy.transport.tls import TlsFiles, client_context
from tests.fakes.certificates import self_signed
from tests.fakes.processes import KEY, PATIENCE_S, configure, described, running
from tests.requirements.nodes import free_ports

HOST = "127.0.0.1"
CONTROLLERS = 2
GROUP = 32


async def ask(endpoint: Endpoint, access: QuorumAccess, request, version: int):
    async with access.connected(endpoint, PATIENCE_S) as (reader, writer):
        return await call(reader, writer, request, version)


def alter(name: str) -> rpc.IncrementalAlterConfigsRequest:
    changes = [rpc.IncrementalAlterConfigsRequestAlterableConfig(KEY, 0, "46000")]
    return rpc.IncrementalAlterConfigsRequest(
        [rpc.IncrementalAlterConfigsRequestAlterConfigsResource(GROUP, name, changes)]
    )


async def test_each_controller_listener_serves_and_names_its_own_port(tmp_path) -> None:
    """DescribeCluster names the port that was asked, writes are taken at both, and so are the quorum's requests."""
    made = self_signed(tmp_path)
    (port,) = free_ports(1)
    async with running(tmp_path / "cluster", controllers=1, start=False) as cluster:
        node = cluster.node(1)
        plain = node.properties["listeners"].partition(",")[0]
        configure(
            node,
            controller__listener__names="CONTROLLER,SSL",
            listeners=f"{plain},SSL://{HOST}:{port}",
            listener__security__protocol__map="CONTROLLER:PLAINTEXT,SSL:SSL",
            listener__name__ssl__ssl__keystore__location=str(made.both),
        )
        await cluster.start(1)
        await cluster.leader()
        tls = QuorumAccess(client_context(TlsFiles(trust=str(made.certificate))))
        host, _, plain_port = node.kafka_endpoint.rpartition(":")
        both = ((Endpoint("CONTROLLER", host, int(plain_port)), PLAINTEXT), (Endpoint("SSL", HOST, port), tls))
        for endpoint, access in both:
            described_by = await QuorumAdmin((endpoint,), access=access, timeout_s=PATIENCE_S).describe()
            assert described_by.leader == endpoint
            found = await ask(endpoint, access, rpc.DescribeClusterRequest(endpoint_type=CONTROLLERS), 1)
            assert [(one.broker_id, one.host, one.port) for one in found.brokers] == [(1, endpoint.host, endpoint.port)]
            answer = await ask(endpoint, access, alter(endpoint.name), 1)
            assert [one.error_code for one in answer.responses] == [ErrorCode.NONE]
        async with cluster.client() as client:
            assert set(await described(client)) == {"CONTROLLER", "SSL"}
