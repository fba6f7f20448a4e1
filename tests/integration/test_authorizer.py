"""A quorum on mutual TLS with an authorizer: nodes as super users, a client with few permissions, on both ports."""

from __future__ import annotations

import asyncio

import grpc
import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.client import values as v
from kraftpy.client.async_client import AsyncClient
from kraftpy.config.authorization import AUTHORIZER, STANDARD, SUPER_USERS
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.raft.messages import DescribeQuorumRequest, FetchRequest
from kraftpy.raft.ready import ResponseReceived
from kraftpy.transport.tls import TlsFiles
from tests.fakes.certificates import SelfSigned
from tests.fakes.processes import PATIENT, described, eventually, group, kraftpy
from tests.fakes.secure_cluster import Forger, SecureCluster, running_secure
from tests.fakes.unknown_outcomes import known_errors

pytestmark = pytest.mark.landing

NODES = ("controller-1", "controller-2", "controller-3", "broker-4")
SETTINGS = {
    AUTHORIZER: STANDARD,
    SUPER_USERS: ";".join((*(f"User:CN={name}" for name in NODES), "User:root")),
    "listener.name.grpc.ssl.principal.mapping.rules": "RULE:^CN=admin$/root/,DEFAULT",
}
"""The certificate of admin is a super user's over gRPC, by that listener's own rules, and nowhere else."""
ALICE = "User:CN=alice"
MAY_CREATE = v.AclEntry(
    resource_type=v.AclResourceType.TOPIC,
    resource_name="alice-",
    pattern_type=v.PatternType.PREFIXED,
    principal=ALICE,
    host="127.0.0.1",
    operation=v.AclOperation.CREATE,
)


def channel_of(secure: SecureCluster, files: SelfSigned) -> grpc.ChannelCredentials:
    authority = secure.authority.certificate.read_bytes()
    return grpc.ssl_channel_credentials(authority, files.key.read_bytes(), files.certificate.read_bytes())


def client(secure: SecureCluster, credentials: grpc.ChannelCredentials) -> AsyncClient:
    return AsyncClient(
        [secure.cluster.node(node_id).grpc_endpoint for node_id in secure.cluster.running_controllers],
        credentials=credentials,
    )


async def create(secure: SecureCluster, who: AsyncClient, *names: str) -> list[ErrorCode]:
    topics = [v.NewTopic(name=name, partitions=1, replication_factor=1) for name in names]
    # Who leads is asked by the cluster's own client, which may know it.
    async with secure.cluster.client() as admin:
        return await known_errors(admin, lambda: who.create_topics(topics), when_done=ErrorCode.TOPIC_ALREADY_EXISTS)


async def test_a_client_may_do_what_entries_allow_and_nothing_else(tmp_path) -> None:
    """The permission outlives the leader that it was given by; what is denied is counted."""
    async with running_secure(tmp_path, extra=SETTINGS | PATIENT) as secure:
        cluster = secure.cluster
        files = secure.authority.issue("alice")
        alice_is, admin_is = channel_of(secure, files), channel_of(secure, secure.authority.issue("admin"))
        cluster.credentials = admin_is
        leader = await cluster.leader()
        await eventually(cluster.brokers, lambda found: found == {4: False}, "the broker is registered and not fenced")
        async with client(secure, alice_is) as alice, client(secure, admin_is) as admin:
            assert await create(secure, alice, "alice-1", "bills") == [ErrorCode.TOPIC_AUTHORIZATION_FAILED] * 2
            await nothing_about_the_cluster(alice, leader)
            (changed,) = (await alice.incremental_alter_configs(group("g", "1"))).outcomes
            assert changed.error is ErrorCode.GROUP_AUTHORIZATION_FAILED
            assert (await admin.create_acls([MAY_CREATE], retry_unknown=True)).outcomes == (v.AclOutcome(),)
            assert (await admin.describe_acls()).entries == (MAY_CREATE,)
            await eventually(
                lambda: create(secure, alice, "alice-1", "bills"),
                lambda errors: (
                    errors
                    in (
                        [ErrorCode.NONE, ErrorCode.TOPIC_AUTHORIZATION_FAILED],
                        [ErrorCode.TOPIC_ALREADY_EXISTS, ErrorCode.TOPIC_AUTHORIZATION_FAILED],
                    )
                ),
                "the entry is enforced",
            )
            assert "g" not in await described(admin)
            # A permission to create topics is none to see them.
            assert (await alice.describe_topics()).topics == ()
            with pytest.raises(ApiError, match="DESCRIBE on TOPIC alice-1") as hidden:
                await alice.describe_topics(["alice-1"])
            assert hidden.value.code is ErrorCode.TOPIC_AUTHORIZATION_FAILED
            assert [topic.name for topic in (await admin.describe_topics()).topics] == ["alice-1"]
            await by_command(secure, leader)
        await over_kafkas_protocol(secure, leader, files)
        await over_kafkas_protocol(secure, leader, secure.authority.issue("admin"))
        assert (await cluster.metrics(leader))["kraft_authorization_denials_total"] > 0
        await cluster.kill(leader)
        await cluster.leader()
        async with client(secure, alice_is) as alice:
            assert await create(secure, alice, "alice-2", "bills") == [
                ErrorCode.NONE,
                ErrorCode.TOPIC_AUTHORIZATION_FAILED,
            ]


async def by_command(secure: SecureCluster, node_id: int) -> None:
    """The command line shows the entry to an admin, and names the permission that another caller lacks."""
    where = ("-C", secure.cluster.node(node_id).grpc_endpoint, "--tls-ca", secure.authority.certificate)
    for name, code, text in (
        (
            "operator",
            ExitCode.FAILURE,
            "User:CN=operator from 127.0.0.1 is not allowed to do this: DESCRIBE on CLUSTER",
        ),
        ("admin", ExitCode.OK, f"(principal={ALICE}, host=127.0.0.1, operation=CREATE, permissionType=ALLOW)"),
    ):
        files = secure.authority.issue(name)
        done = await asyncio.to_thread(kraftpy, "acls", "list", *where, "--tls-cert", files.both)
        assert (done.returncode, text in done.stdout + done.stderr) == (code, True), done


async def nothing_about_the_cluster(alice: AsyncClient, leader: int) -> None:
    """Each call that needs a permission on the cluster is rejected, and names it."""
    for call in (
        alice.describe_cluster(),
        alice.describe_acls(),
        alice.create_acls([MAY_CREATE]),
        alice.unregister_broker(4),
        alice.transfer_leadership(leader % 3 + 1),
        alice.describe_quorum(),
        anext(aiter(alice.watch(0))),
    ):
        with pytest.raises(ApiError, match=rf"{ALICE} from 127\.0\.0\.1 is not allowed to do this: ") as refused:
            await call
        assert refused.value.code is ErrorCode.CLUSTER_AUTHORIZATION_FAILED


async def over_kafkas_protocol(secure: SecureCluster, node_id: int, files: SelfSigned) -> None:
    """A certificate of the authority opens the controllers' listener, and no more than that."""
    tls = TlsFiles(certificate=str(files.certificate), key=str(files.key), trust=str(secure.authority.certificate))
    fetch = FetchRequest(cluster_id=None, replica=None, epoch=0, fetch_offset=0, last_fetched_epoch=0,
                         max_wait_ms=0, max_bytes=1, high_watermark=0)  # fmt: skip
    async with Forger(secure.forger(node_id)._endpoint, tls) as alice:
        for request in (fetch, DescribeQuorumRequest()):
            fate = await alice.ask(request)
            assert isinstance(fate, ResponseReceived)
            assert getattr(fate.response, "error", None) is ErrorCode.CLUSTER_AUTHORIZATION_FAILED
