"""A stock broker of Kafka 4.3 with controllers of ours, and Kafka's own tools and clients in front of it.

The broker forwards what its clients ask in Envelopes; nothing here speaks to the controllers itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.interop.cluster import Quorum, java, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import HOST, eventually, free_ports

BROKER = 101
CONFIGS = "kafka.admin.ConfigCommand"
SECRET_KEY = "the key of the tokens"
PLAIN = "org.apache.kafka.common.security.plain.PlainLoginModule required"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required"
TOOLS = "org.apache.kafka.tools."


class StockBroker:
    """The quorum, its broker, and what Kafka's tools say of it."""

    def __init__(self, jars: Jars, root: Path, *, controllers: tuple[int, ...] = (1, 2, 3)) -> None:
        self.jars, self.root = jars, root
        plain, sasl = free_ports(2)
        self.plain, self.sasl = f"{HOST}:{plain}", f"{HOST}:{sasl}"
        self.quorum = Quorum(
            jars, root, ours=controllers, brokers=[BROKER], extra={"delegation.token.secret.key": SECRET_KEY}
        )
        self.broker = self.quorum.members[BROKER]
        self.broker.properties |= {
            "listeners": f"PLAINTEXT://{self.plain},CLIENT://{self.sasl}",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENT:SASL_PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.name.client.sasl.enabled.mechanisms": "PLAIN,SCRAM-SHA-256",
            "listener.name.client.plain.sasl.jaas.config": f'{PLAIN} user_alice="a" user_bob="b";',
            "listener.name.client.scram-sha-256.sasl.jaas.config": f"{SCRAM};",
            "transaction.state.log.replication.factor": "1",
            "transaction.state.log.min.isr": "1",
            "group.initial.rebalance.delay.ms": "0",
        }
        self.broker.write_config()

    def start(self) -> None:
        self.quorum.format_and_start()
        self.quorum.wait_for_leader()
        eventually("the broker serves", lambda: "Kafka Server started" in self.broker.log_text(), self.quorum.running)

    def tool(self, name: str, *args: str, sasl: str | None = None, stdin: str | None = None) -> str:
        """Run a tool against the broker, which must succeed; return its output."""
        address, more = (self.plain, ()) if sasl is None else (self.sasl, ("--command-config", sasl))
        done = java(
            self.jars, name if "." in name else TOOLS + name, "--bootstrap-server", address, *more, *args, stdin=stdin
        )
        assert done.returncode == 0, f"{name} {args}: {done.stdout}{done.stderr}\n{self.broker.log_text()[-3000:]}"
        return done.stdout

    def client(self, name: str, mechanism: str, login: str) -> str:
        """Write the configuration of a client that authenticates itself; return the file."""
        file = self.root / f"{name}.properties"
        lines = ("security.protocol=SASL_PLAINTEXT", f"sasl.mechanism={mechanism}", f"sasl.jaas.config={login};")
        file.write_text("\n".join(lines), encoding="utf-8")
        return str(file)


@pytest.fixture
def cluster(jars: Jars, root: Path) -> Iterator[StockBroker]:
    made = StockBroker(jars, root)
    with made.quorum:
        made.start()
        yield made


@pytest.mark.timeout(300)
def test_stock_tools_by_a_stock_broker(cluster: StockBroker) -> None:
    """Topics, partitions, configs, quotas, SCRAM users, elections, features: forwarded, decided here, followed there.

    In the middle the active controller is killed; the broker finds the next one.
    """
    created = cluster.tool("TopicCommand", "--create", "--topic", "orders", "--partitions", "3")
    assert "Created topic orders." in created
    assert re.search(r"Topic: orders\tPartition: 2\tLeader: 101\t", cluster.tool("TopicCommand", "--describe"))
    again = java(
        cluster.jars, f"{TOOLS}TopicCommand", "--bootstrap-server", cluster.plain, "--create", "--topic", "orders"
    )
    assert "Topic 'orders' already exists." in again.stdout + again.stderr

    leader = cluster.quorum.wait_for_leader()
    leader.kill()
    cluster.quorum.wait_for_leader(other_than=leader.node_id)

    cluster.tool("TopicCommand", "--alter", "--topic", "orders", "--partitions", "5")
    topic, user = (
        ("--entity-type", "topics", "--entity-name", "orders"),
        ("--entity-type", "users", "--entity-name", "u"),
    )
    cluster.tool(CONFIGS, "--alter", *topic, "--add-config", "retention.ms=60000")
    assert "retention.ms=60000" in cluster.tool(CONFIGS, "--describe", *topic)
    cluster.tool(CONFIGS, "--alter", *user, "--add-config", "producer_byte_rate=1024")
    cluster.tool(CONFIGS, "--alter", *user, "--add-config", "SCRAM-SHA-256=[password=p]")
    users = cluster.tool(CONFIGS, "--describe", *user)
    assert "producer_byte_rate=1024.0" in users
    assert "SCRAM-SHA-256=iterations=4096" in users
    assert "PartitionCount: 5" in cluster.tool("TopicCommand", "--describe", "--topic", "orders")
    cluster.tool("LeaderElectionCommand", "--election-type", "preferred", "--all-topic-partitions")
    assert "metadata.version" in cluster.tool("FeatureCommand", "describe")
    assert "LeaderId" in cluster.tool("MetadataQuorumCommand", "describe", "--status")
    cluster.tool("ConsoleProducer", "--topic", "orders", stdin="one\ntwo\n")
    read = cluster.tool(
        f"{TOOLS}consumer.ConsoleConsumer",
        "--topic",
        "orders",
        "--from-beginning",
        "--max-messages",
        "2",
        "--group",
        "g",
    )
    assert sorted(read.split()) == ["one", "two"]
    cluster.tool("TopicCommand", "--delete", "--topic", "orders")
    assert "orders" not in cluster.tool("TopicCommand", "--list").split()


@pytest.mark.timeout(300)
def test_a_client_authenticates_with_a_token_of_ours(cluster: StockBroker) -> None:
    """Alice gets a token through the broker; with its HMAC, which Kafka computes by itself, a client acts as alice."""
    alice = cluster.client("alice", "PLAIN", f'{PLAIN} username="alice" password="a"')
    bob = cluster.client("bob", "PLAIN", f'{PLAIN} username="bob" password="b"')
    shown = cluster.tool(
        "DelegationTokenCommand", "--create", "--max-life-time-period", "-1", "--renewer-principal", "User:bob",
        sasl=alice,
    )  # fmt: skip
    row = shown.splitlines()[-1].split()
    token_id, hmac = row[0], row[1]
    assert row[2:5] == ["User:alice", "User:alice", "[User:bob]"], shown
    login = f'{SCRAM} username="{token_id}" password="{hmac}" tokenauth="true"'
    with_token = cluster.client("token", "SCRAM-SHA-256", login)
    described = ("DelegationTokenCommand", "--describe", "--owner-principal", "User:alice")
    eventually(
        "the broker has the token",
        lambda: token_id in cluster.tool(*described, sasl=alice),
        cluster.quorum.running,
    )
    cluster.tool("TopicCommand", "--create", "--topic", "by-token", sasl=with_token)
    assert "by-token" in cluster.tool("TopicCommand", "--list")

    renewed = cluster.tool("DelegationTokenCommand", "--renew", "--renew-time-period", "-1", "--hmac", hmac, sasl=bob)
    assert "Completed renew operation" in renewed
    mine = java(
        cluster.jars, f"{TOOLS}DelegationTokenCommand", "--bootstrap-server", cluster.sasl, "--command-config",
        with_token, "--create", "--max-life-time-period", "-1",
    )  # fmt: skip
    assert "DelegationTokenDisabledException" not in mine.stderr
    assert "Delegation Token requests are not allowed" in mine.stdout + mine.stderr
    cluster.tool("DelegationTokenCommand", "--expire", "--expiry-time-period", "-1", "--hmac", hmac, sasl=alice)
    controller = cluster.quorum.controllers[0].properties["grpc.listener"]
    listed = kraftpy("delegation-tokens", "list", "-C", controller, "--consistency", "linearizable")
    assert (listed.returncode, listed.stdout) == (0, ""), listed.stderr
