"""A cluster with controllers of one kind, and the script's calls on it."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final, Self

from kraftpy.model.ids import uuid_from_random, uuid_to_text
from tests.interop.cluster import CLUSTER_ID, Member, Quorum
from tests.interop.jars import Jars
from tests.interop.processes import HOST, POLL_S, eventually, free_ports
from tests.interop.stock_tools.normal import Answer, Names
from tests.interop.stock_tools.script import Broker, Call, File, Reassigned, Step, main_of
from tests.interop.stock_tools.servant import Servant

CONTROLLERS: Final = (1, 2, 3)
BROKERS: Final = (101, 102, 103)
REPEATED_S: Final = 8.0
"""How long a call that reads only is repeated until its answer is the expected one."""
PLAIN: Final = "org.apache.kafka.common.security.plain.PlainLoginModule required"
COMMON: Final = {
    "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
    "super.users": "User:ANONYMOUS",
    "delegation.token.secret.key": "the key of the tokens",
}

Accepts = Callable[[Call, Answer], bool]
"""Whether an answer is one to keep; a call that reads only is repeated until it is."""


class Cluster:
    """Three controllers and three stock brokers with users; a context that ends what it started."""

    def __init__(self, jars: Jars, root: Path, *, ours: bool) -> None:
        self.jars, self.root = jars, root
        kinds = {"ours": CONTROLLERS} if ours else {"kafka": CONTROLLERS}
        self.quorum = Quorum(jars, root, brokers=BROKERS, extra=COMMON, **kinds)
        ports = iter(free_ports(2 * len(BROKERS)))
        self.plain = {broker: f"{HOST}:{next(ports)}" for broker in BROKERS}
        self.sasl = {broker: f"{HOST}:{next(ports)}" for broker in BROKERS}
        for broker in BROKERS:
            member = self.quorum.members[broker]
            member.properties |= self._properties(broker)
            member.write_config()

    def _properties(self, broker: int) -> dict[str, str]:
        return {
            "listeners": f"PLAINTEXT://{self.plain[broker]},CLIENT://{self.sasl[broker]}",
            "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,CLIENT:SASL_PLAINTEXT",
            "inter.broker.listener.name": "PLAINTEXT",
            "listener.name.client.sasl.enabled.mechanisms": "PLAIN",
            "listener.name.client.plain.sasl.jaas.config": f'{PLAIN} user_alice="a" user_bob="b";',
            # The script creates their topics, with one partition each, where it wants the coordinators.
            "offsets.topic.num.partitions": "1",
            "transaction.state.log.num.partitions": "1",
            "share.coordinator.state.topic.num.partitions": "1",
            "group.initial.rebalance.delay.ms": "0",
        }

    def __enter__(self) -> Self:
        self.quorum.__enter__()
        try:
            self._start()
        except BaseException:
            self.quorum.__exit__()
            raise
        return self

    def __exit__(self, *error: object) -> None:
        self.quorum.__exit__(*error)

    def _start(self) -> None:
        for member in self.quorum.members.values():
            self._format(member)
        for member in self.quorum.members.values():
            member.start()
        self.quorum.wait_for_leader()
        for broker in BROKERS:
            self._serves(self.quorum.members[broker], 1)

    @staticmethod
    def _format(member: Member) -> None:
        """Prepare a directory; a broker's by what it has to hold, because each run of Kafka's tool takes seconds."""
        if member.kind == "controller":
            member.format()
            return
        member.data.mkdir()
        directory_id = uuid_to_text(uuid_from_random(os.urandom))
        lines = ("version=1", f"cluster.id={CLUSTER_ID}", f"node.id={member.node_id}", f"directory.id={directory_id}")
        (member.data / "meta.properties").write_text("\n".join(lines), encoding="utf-8")

    def _serves(self, member: Member, times: int) -> None:
        eventually(
            f"{member.name} serves",
            lambda: member.log_text().count("Kafka Server started") == times,
            self.quorum.running,
        )

    def turn(self, step: Broker, servant: Servant) -> None:
        """Stop or start a broker, and wait until that is done: until the ISRs are full again."""
        member = self.quorum.members[step.node_id]
        if not step.starts:
            member.stop()
            return
        times = member.log_text().count("Kafka Server started") + 1
        member.start()
        self._serves(member, times)
        self._prints(servant, "kafka-topics", "--describe", "--under-replicated-partitions", wanted="")

    def reassigned(self, servant: Servant) -> None:
        """Wait until no reassignment goes on."""
        self._prints(servant, "kafka-reassign-partitions", "--list", wanted="No partition reassignments found.\n")

    def _prints(self, servant: Servant, tool: str, *arguments: str, wanted: str) -> None:
        asked = ("--bootstrap-server", self.places["brokers"], *arguments)
        eventually(
            f"{tool} {' '.join(arguments)} prints {wanted!r}",
            lambda: servant.call(main_of(tool), asked).out == wanted,
            self.quorum.running,
        )

    @property
    def places(self) -> dict[str, str]:
        """The values of the names in braces of the script."""
        alive = BROKERS[:2]
        return {
            "brokers": ",".join(self.plain[broker] for broker in alive),
            "controllers": self.quorum.bootstrap,
            "sasl": ",".join(self.sasl[broker] for broker in alive),
            "dir": str(self.root),
        }

    @property
    def names(self) -> Names:
        """What is called differently in each run, and the name that it gets in answers."""
        known = {str(self.root): "{dir}"}
        for kind, addresses in (("controller", self.quorum.addresses), ("plain", self.plain), ("sasl", self.sasl)):
            for node, address in addresses.items():
                known[address] = f"{HOST}:{{{kind}-{node}}}"
                known[address.removeprefix(f"{HOST}:")] = f"{{{kind}-{node}}}"
        return Names(known)


def answers(cluster: Cluster, script: list[Step], accepts: Accepts) -> Iterator[tuple[Call, Answer]]:
    """Make the calls of a script, and yield what came of each."""
    places, names = cluster.places, cluster.names
    with Servant(cluster.jars, cluster.root, places["brokers"]) as servant:
        for step in script:
            if isinstance(step, File):
                (cluster.root / step.name).write_text(step.text, encoding="utf-8")
            elif isinstance(step, Broker):
                cluster.turn(step, servant)
                servant.settle()
            elif isinstance(step, Reassigned):
                cluster.reassigned(servant)
            else:
                yield step, _answer(servant, step, places, names, accepts)
                if not step.reads_only:
                    servant.settle()


def _answer(servant: Servant, call: Call, places: dict[str, str], names: Names, accepts: Accepts) -> Answer:
    stdin = "" if call.stdin is None else Path(places["dir"], call.stdin).read_text(encoding="utf-8")
    ends = time.monotonic() + REPEATED_S
    while True:
        answer = names.answer(call, servant.call(main_of(call.tool), call.arguments(places), stdin))
        if accepts(call, answer) or not call.reads_only or time.monotonic() > ends:
            return answer
        time.sleep(POLL_S)
