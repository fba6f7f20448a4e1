"""Kafka's controllers are replaced by ours and return under load of three stock brokers; something fails at each step.

``python -m tests.kafka_faults.migration`` draws the faults from a seed; ``tests/interop/test_migrate.py`` runs a fixed
few. At each step that `kraftpy migrate` announces topics are made and deleted, and one fault is made: the command is
killed, the controller of the step, the active controller, or a broker is frozen until it is in no ISR. Then the judge
of this package counts what the load was promised.
"""

from __future__ import annotations

import argparse
import asyncio
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.quorum_admin import NoLeaderError, QuorumAdmin
from tests.interop.cluster import Quorum
from tests.interop.jars import Jars, NoKafkaError, fetch
from tests.interop.processes import HOST, eventually, free_ports
from tests.kafka_faults.campaign import wait_for_progress
from tests.kafka_faults.judge import Facts, complaints, facts_of
from tests.kafka_faults.world import (
    BROKERS,
    CONTROLLERS,
    PATIENCE_S,
    REPLICAS,
    SMALL,
    TIMERS,
    Load,
    World,
    format_broker,
)

OURS = (11, 12, 13)
KEPT = Path("build") / "kafka-migrations"
ATTEMPTS_MAX = 16
"""How often a command is repeated at most: no step is struck twice."""

NOTHING, COMMAND, SUBJECT, ACTIVE, BROKER = (
    "nothing",
    "kill the command",
    "kill the controller of the step",
    "kill the active controller",
    "freeze a broker",
)
ANNOUNCED, COMMITTED = "announced", "committed"
STEPS = 2 * (len(CONTROLLERS) + len(OURS))
"""How many voters are added and removed, there and back."""

Fault = tuple[str, str]
"""What is done, and at which moment of a step."""

SHARE: tuple[Fault, ...] = (
    (BROKER, ANNOUNCED),
    (COMMAND, COMMITTED),
    (ACTIVE, ANNOUNCED),
    (NOTHING, ANNOUNCED),
    (COMMAND, ANNOUNCED),
    (BROKER, ANNOUNCED),
)
"""The faults of the test on landings, step by step; nothing happens at the steps after them."""


def drawn(seed: int) -> list[Fault]:
    """Draw a fault for each step: each at each moment before one comes again."""
    draw, found = random.Random(seed), list[Fault]()
    while len(found) < STEPS:
        each = [(name, moment) for name in (COMMAND, SUBJECT, ACTIVE) for moment in (ANNOUNCED, COMMITTED)]
        each += [(BROKER, ANNOUNCED), (NOTHING, ANNOUNCED)]
        draw.shuffle(each)
        found += each
    return found[:STEPS]


class MigratingWorld(World):
    """Kafka's three controllers, ours that are to replace them, and three brokers; without proxies."""

    @property
    def plan(self) -> Path:
        return self.root / "migration.json"

    def _add_all(self) -> None:
        extra = TIMERS | {"min.insync.replicas": "2"}
        self.quorum = Quorum(self.jars, self.root, kafka=CONTROLLERS, dynamic=True, extra=extra)
        ports = free_ports(len(OURS) + len(BROKERS))
        for node_id, port in zip(OURS, ports, strict=False):
            self.quorum.addresses[node_id] = f"{HOST}:{port}"
        bootstrap = {"controller.quorum.bootstrap.servers": ",".join(self.quorum.addresses.values())}
        self.quorum.common |= bootstrap
        for member in self.quorum.members.values():
            member.properties |= bootstrap
            member.write_config()
        for node_id in OURS:
            self.quorum.add_controller(node_id, ours=True)
        for place, (node_id, port) in enumerate(zip(BROKERS, ports[len(OURS) :], strict=True)):
            own = {"process.roles": "broker", "broker.rack": f"rack-{place + 1}",
                   "listeners": f"PLAINTEXT://{HOST}:{port}"}  # fmt: skip
            self.quorum.add(node_id, ours=False, properties=self.quorum.common | SMALL | own)
            self.endpoints[node_id] = port
        self.servers = ",".join(f"{HOST}:{self.endpoints[node_id]}" for node_id in BROKERS)

    def start(self) -> None:
        """Start Kafka's controllers and the brokers, then the load and our controllers, which follow."""
        members = self.quorum.members
        for node_id in CONTROLLERS:
            members[node_id].format(extra=["--initial-controllers", self.quorum.initial_controllers])
            members[node_id].start()
        for node_id in BROKERS:
            format_broker(node_id, members[node_id].data)
            members[node_id].start()
        for node_id in OURS:
            members[node_id].format(extra=["--no-initial-controllers"])
            members[node_id].start()
        self.wait("three brokers serve", lambda: all(len(self.brokers_at(one)) == REPLICAS for one in BROKERS))
        self.load = Load(self.jars, self.root, self.servers)

    # The quorum, over Kafka's protocol.

    def voting(self) -> tuple[int | None, set[int]]:
        """Ask who leads and who votes; no one while there is no leader."""
        addresses = (one.rpartition(":") for one in self.quorum.addresses.values())
        endpoints = [Endpoint("CONTROLLER", host, int(port)) for host, _, port in addresses]
        try:
            found = asyncio.run(QuorumAdmin(endpoints, timeout_s=5.0).describe()).described
        except NoLeaderError:
            return None, set()
        return found.leader.leader_id, {one.key.node_id for one in found.voters}

    def active(self) -> int:
        """Return the active controller."""
        found = eventually("there is a leader", lambda: self.voting()[0], self.quorum.running)
        assert found is not None
        return found

    def freeze_until_out(self, victim: int) -> None:
        """Freeze a broker until it is in no ISR, then wait until all is in sync again."""
        self.freeze(victim)
        self.wait(f"{victim} is in no ISR", lambda: self._is_out(victim))
        self._process(victim).resume()
        self.paused.discard(victim)
        self.wait("all is whole again", self.is_whole)

    def _is_out(self, victim: int) -> bool:
        found = self.partitions(without=[victim])
        return bool(found) and all(victim not in one.isr for one in found)

    def restart(self, node_id: int) -> None:
        """Kill -9, and start again."""
        self.kill(node_id)
        self.quorum.members[node_id].start()


@dataclass
class Report:
    """What happened.

    Attributes:
        steps: each step with its fault.
        attempts: how often a command was started.
        fewest: the smallest voter set that was seen.
    """

    seconds: float = 0.0
    steps: list[str] = field(default_factory=list)
    attempts: int = 0
    fewest: int = len(CONTROLLERS)
    longest_wait_s: float = 0.0
    facts: Facts = field(default_factory=Facts)
    complaints: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        facts = self.facts
        summary = (
            f"{self.seconds:.0f} s; {len(self.steps)} voters added or removed by {self.attempts} commands; never fewer "
            f"than {self.fewest} voters; {len(facts.acknowledged)} records acknowledged, {len(facts.failed)} given up, "
            f"{len(facts.outcomes)} transactions; the longest wait of a producer {self.longest_wait_s:.1f} s; "
            f"{len(self.complaints)} complaints"
        )
        return "\n".join([summary, *(f"  {one}" for one in self.steps)])


class Journey:
    """The migration there and back: its commands, and what fails while they run."""

    def __init__(self, world: MigratingWorld, faults: Sequence[Fault], report: Report) -> None:
        self.world = world
        self.faults: Iterator[Fault] = iter(faults)
        self.report = report
        self._steps: set[str] = set()
        self._topics = 0
        self.topics: list[str] = []
        """The topics that must be there."""

    @property
    def load(self) -> Load:
        assert self.world.load is not None
        return self.world.load

    def make_plan(self) -> None:
        """Write the plan; nothing may be in the way."""
        members = self.world.quorum.members
        to = [word for one in OURS for word in ("--to", str(members[one].config_file))]
        where = ("-C", self.world.quorum.addresses[CONTROLLERS[0]], "--out", str(self.world.plan))
        code, lines = self._run("plan", *where, *to)
        assert code == 0, "\n".join(lines)

    def arrives(self, *words: str) -> None:
        """Repeat a command until it ends well."""
        printed: list[str] = []
        self._steps.clear()
        for _ in range(ATTEMPTS_MAX):
            self.report.attempts += 1
            code, lines = self._run(words[0], str(self.world.plan), *words[1:])
            printed += [*lines, f"ended with {code}"]
            if code == 0:
                return
        raise AssertionError("\n".join(printed))

    def _run(self, *words: str) -> tuple[int, list[str]]:
        """Run a command; at each step that it announces for the first time, let something fail."""
        lines = []
        with subprocess.Popen(
            [sys.executable, "-m", "kraftpy", "migrate", *words],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
        ) as process:  # fmt: skip
            assert process.stdout is not None
            try:
                for line in process.stdout:
                    lines.append(line.rstrip("\n"))
                    if line.startswith(("Adding", "Removing")) and line not in self._steps:
                        self._steps.add(line)
                        self._strike(process, line.rstrip("\n"))
                return process.wait(PATIENCE_S), lines
            finally:
                process.kill()

    def _strike(self, process: subprocess.Popen[str], line: str) -> None:
        # The command may be further on, or have ended, while the fault of an earlier step was made.
        has_ended = process.poll() is not None
        fault, moment = (NOTHING, ANNOUNCED) if has_ended else next(self.faults, (NOTHING, ANNOUNCED))
        print(f"  {line} {fault}, {moment}", flush=True)
        subject, is_added = int(line.split()[2].partition("@")[0]), line.startswith("Adding")
        if moment == COMMITTED:

            def is_over() -> bool:
                leader, voters = self.world.voting()
                return process.poll() is not None or (leader is not None and (subject in voters) is is_added)

            self.world.wait(f"{line} is committed, or the command ends", is_over)
        self.report.steps.append(f"{line} {fault}, {moment}")
        if fault == COMMAND:
            process.kill()
            process.wait()
        elif fault in (SUBJECT, ACTIVE):
            self.world.restart(subject if fault == SUBJECT else self.world.active())
        elif fault == BROKER:
            self.world.freeze_until_out(BROKERS[len(self.report.steps) % len(BROKERS)])
        if not has_ended:
            self.live()
        _, voters = self.world.voting()
        self.report.fewest = min(self.report.fewest, len(voters) or self.report.fewest)

    def live(self) -> None:
        """Make a topic, delete an earlier one, and see records acknowledged."""
        self._topics += 1
        self.topics.append(f"life-{self._topics}")
        self.load.ask("create", self.topics[-1], 3)
        if len(self.topics) > REPLICAS:
            self.load.ask("delete", self.topics.pop(0))
        wait_for_progress(self.world)

    def has_topics(self, broker: int) -> bool:
        """Return whether a broker knows exactly the topics of the journey that were not deleted."""
        _, partitions = self.world.metadata(broker)
        return {one.topic for one in partitions if one.topic.startswith("life-")} == set(self.topics)


def migrate_there_and_back(jars: Jars, root: Path, faults: Sequence[Fault], *, stops: bool = True) -> Report:
    """Replace Kafka's controllers by ours and let them return, with a fault at each step; judge what the load saw.

    Args:
        jars: of Kafka.
        root: where to put everything.
        faults: step by step.
        stops: whether the old controllers are stopped once they have left, and started again for the way back.

    Raises:
        AssertionError: a command did not arrive, or the cluster did not recover.
    """
    report, started = Report(), time.monotonic()
    with MigratingWorld(jars, root, ours=False) as world:
        world.start()
        journey, members = Journey(world, faults, report), world.quorum.members
        for topic in ("plain", "transactions", "sink"):
            journey.load.ask("create", topic, 3)
        journey.load.ask("start")
        journey.make_plan()
        began = time.monotonic()
        wait_for_progress(world)
        journey.arrives("run")
        journey.arrives("run", "--finish")
        assert world.voting()[1] == set(OURS)
        for one in CONTROLLERS if stops else ():
            members[one].stop()
        journey.live()
        for one in CONTROLLERS if stops else ():
            members[one].start()
        journey.arrives("back")
        assert world.voting()[1] == set(CONTROLLERS)
        for one in OURS:
            members[one].stop()
        journey.live()
        world.wait("all is whole in the end", world.is_whole)
        for broker in BROKERS:
            world.wait(f"broker {broker} knows {journey.topics}", lambda at=broker: journey.has_topics(at))
        report.longest_wait_s = journey.load.longest_wait(began)
        journey.load.ask("drain", timeout_s=3 * PATIENCE_S)
        with journey.load.arrived:
            report.facts = facts_of(journey.load.lines)
    report.complaints = complaints(report.facts)
    report.seconds = time.monotonic() - started
    return report


def main() -> int:
    """Run one seed; return 0 when all is well, 1 when something was lost, 2 when there is no Kafka."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.kafka_faults.migration", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--first", type=int, default=1, metavar="K", help="the first seed (1)")
    parser.add_argument("--rounds", type=int, default=1, help="how many seeds, each a new cluster (1)")
    parser.add_argument("--keep", type=Path, default=KEPT, help=f"where to keep what happened ({KEPT})")
    words = parser.parse_args()
    try:
        jars = fetch()
    except NoKafkaError as error:
        print(f"no real Kafka: {error}", file=sys.stderr)
        return 2
    for seed in range(words.first, words.first + words.rounds):
        root = (words.keep / f"{time.strftime('%Y-%m-%dT%H-%M-%S')}-{seed}").absolute()
        root.mkdir(parents=True)
        again = f"python -m tests.kafka_faults.migration --first {seed}"
        print(f"seed {seed}; again: {again}", flush=True)
        try:
            report = migrate_there_and_back(jars, root, drawn(seed))
        except AssertionError:
            print(f"seed {seed} failed; its directories are kept in {root}\nagain: {again}", flush=True)
            raise
        print(report, flush=True)
        if report.complaints:
            print(*report.complaints, f"kept in {root}", f"again: {again}", sep="\n")
            return 1
        for path in root.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
    return 0


if __name__ == "__main__":
    sys.exit(main())
