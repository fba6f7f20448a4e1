"""A cluster for clients of other authors: three controllers and one stock broker, with an authorizer and SCRAM users.

A client at ``plain`` is ANONYMOUS, which is a super user; at ``sasl`` it has a name and may do what entries allow.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Self

from tests.interop.cluster import Quorum
from tests.interop.jars import Jars
from tests.interop.processes import HOST, eventually, free_ports

BROKER = 101
CONTROLLERS = (1, 2, 3)
KRAFTPY, KAFKA = "kraftpy", "kafka"
SCRAM = "org.apache.kafka.common.security.scram.ScramLoginModule required;"
AUTHORIZER = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
}
INTERNAL_TOPICS = {
    f"{prefix}.{key}": value
    for prefix in ("offsets.topic", "transaction.state.log", "share.coordinator.state.topic")
    for key, value in (("replication.factor", "1"), ("num.partitions", "4"))
}
"""Kafka makes 50 partitions of each on the first use, which takes as long as the tests."""

MIN_ISR = {"transaction.state.log.min.isr": "1", "share.coordinator.state.topic.min.isr": "1"}

SHARE_DELIVERIES_MAX = "10"
"""Kafka's largest. By default a record is archived after five deliveries, which franz-go's tests reach by chance."""


class ClientCluster:
    """The quorum and its broker; a context that ends what it started.

    Args:
        controllers: whose they are; Kafka's show whether a failure is one of ours.
    """

    def __init__(self, jars: Jars, root: Path, *, controllers: str = KRAFTPY) -> None:
        assert controllers in {KRAFTPY, KAFKA}, f"{controllers}: controllers are of {KRAFTPY} or of {KAFKA}"
        kafka, ours = (CONTROLLERS, ()) if controllers == KAFKA else ((), CONTROLLERS)
        self.quorum = Quorum(jars, root, kafka=kafka, ours=ours, brokers=[BROKER], extra=AUTHORIZER)
        self.broker = self.quorum.members[BROKER]
        plain, sasl = free_ports(2)
        self.plain, self.sasl = f"{HOST}:{plain}", f"{HOST}:{sasl}"
        self.broker.properties |= {
            "listeners": f"PLAINTEXT://{self.plain},CLIENT://{self.sasl}",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENT:SASL_PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.name.client.sasl.enabled.mechanisms": "SCRAM-SHA-256",
            "listener.name.client.scram-sha-256.sasl.jaas.config": SCRAM,
            "group.initial.rebalance.delay.ms": "0",
            "group.share.delivery.count.limit": SHARE_DELIVERIES_MAX,
            **INTERNAL_TOPICS,
            **MIN_ISR,
        }
        self.broker.write_config()

    def __enter__(self) -> Self:
        self.quorum.__enter__()
        try:
            self._start()
        except BaseException:
            self.quorum.__exit__()
            raise
        return self

    def __exit__(self, *_: object) -> None:
        self.quorum.__exit__()

    def _start(self) -> None:
        self.quorum.format_and_start()
        self.quorum.wait_for_leader()
        eventually("the broker serves", lambda: "Kafka Server started" in self.broker.log_text(), self.quorum.running)

    @contextmanager
    def losing_the_active_controller(self) -> Iterator[None]:
        """Kill the active controller, do not wait for the next one, and let it come back afterwards."""
        leader = self.quorum.wait_for_leader()
        leader.kill()
        try:
            yield
            self.quorum.wait_for_leader(other_than=leader.node_id)
        finally:
            leader.start()
