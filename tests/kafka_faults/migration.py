"""Kafka's controllers are replaced by ours and return under load of three stock brokers; something fails at each step.

``python -m tests.kafka_faults.migration`` draws the faults from a seed; ``tests/interop/test_migrate.py`` runs a fixed
few. At each step that `kraftpy migrate` announces topics are made and deleted, and one fault is made: the command is
killed, the controller of the step, the active controller, or a broker is frozen until it is in no ISR. Then the judge
of this package counts what the load was promised.

With ``--take-over-addresses`` each of our controllers has the address of one of Kafka's, and the other way round on the
way back: no list of bootstrap servers changes from the beginning to the end. The moments between two owners of an
address have faults of their own. With ``--partitions`` the cluster has as many more.
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import json
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.quorum_admin import NoLeaderError, QuorumAdmin
from tests.interop.cluster import Quorum
from tests.interop.jars import NoKafkaError, fetch
from tests.interop.processes import HOST, eventually, free_ports
from tests.kafka_faults.audited import LOG
from tests.kafka_faults.campaign import wait_for_progress
from tests.kafka_faults.judge import Facts, complaints, facts_of
from tests.kafka_faults.world import (
    BROKERS,
    CONTROLLERS,
    MANY_EACH,
    PATIENCE_S,
    REPLICAS,
    SMALL,
    STOPPED,
    TIMERS,
    Load,
    World,
    format_broker,
)

OURS = (11, 12, 13)
KEPT = Path("build") / "kafka-migrations"
PAIRS = tuple(itertools.combinations(BROKERS, 2))
"""Each has a topic of its own, whose ISR is below ``min.insync.replicas`` when one of the two is not in it."""

FEATURES = ("eligible.leader.replicas.version=1", "share.version=1")
"""What must be on from the beginning to the end."""

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

HAND_OVERS = 2 * len(OURS)
"""How often an address gets another owner, there and back, where all of them are taken over."""
HAND_OVER = re.compile(r"stop controller (\d+), whose address it takes over, then start (\d+)")

Fault = tuple[str, str]
"""What is done, and at which moment of a step: announced and committed; for an address: before and after its owner was
stopped."""

MANY_SNAPSHOTS = {
    "metadata.log.max.record.bytes.between.snapshots": "200000",
    "metadata.max.retention.bytes": "100000",
}
"""The log begins at a snapshot of many partitions, so a controller that starts empty has to fetch it."""

SHARE: tuple[Fault, ...] = (
    (BROKER, ANNOUNCED),
    (COMMAND, COMMITTED),
    (ACTIVE, ANNOUNCED),
    (NOTHING, ANNOUNCED),
    (COMMAND, ANNOUNCED),
    (BROKER, ANNOUNCED),
)
"""The faults of the test on landings, step by step; nothing happens at the steps after them."""


def drawn(seed: int, count: int = STEPS) -> list[Fault]:
    """Draw a fault for each step: each at each moment before one comes again."""
    draw, found = random.Random(seed), list[Fault]()
    while len(found) < count:
        each = [(name, moment) for name in (COMMAND, SUBJECT, ACTIVE) for moment in (ANNOUNCED, COMMITTED)]
        each += [(BROKER, ANNOUNCED), (NOTHING, ANNOUNCED)]
        draw.shuffle(each)
        found += each
    return found[:count]


def pair_topic(pair: tuple[int, int]) -> str:
    """Name the topic of two brokers."""
    return "pair-{}-{}".format(*pair)


@dataclass
class MigratingWorld(World):
    """Kafka's three controllers, ours that are to replace them, and three brokers; without proxies.

    Attributes:
        takes_over: those of ours that have the address of one of Kafka's.
    """

    takes_over: Sequence[int] = ()

    @property
    def plan(self) -> Path:
        return self.root / "migration.json"

    def _add_all(self) -> None:
        extra = TIMERS | {"min.insync.replicas": "2"} | (MANY_SNAPSHOTS if self.many else {})
        self.quorum = Quorum(self.jars, self.root, kafka=CONTROLLERS, dynamic=True, extra=extra)
        ports = free_ports(len(OURS) + len(BROKERS))
        for node_id, old, port in zip(OURS, CONTROLLERS, ports, strict=False):
            taken = node_id in self.takes_over
            self.quorum.addresses[node_id] = self.quorum.addresses[old] if taken else f"{HOST}:{port}"
        bootstrap = {"controller.quorum.bootstrap.servers": ",".join(dict.fromkeys(self.quorum.addresses.values()))}
        self.quorum.common |= bootstrap
        for member in self.quorum.members.values():
            member.properties |= bootstrap
            member.write_config()
        for node_id in OURS:
            self.quorum.add_controller(node_id, ours=True)
        for place, (node_id, port) in enumerate(zip(BROKERS, ports[len(OURS) :], strict=True)):
            own = {"process.roles": "broker", "broker.rack": f"rack-{place + 1}",
                   "listeners": f"PLAINTEXT://{HOST}:{port}"}  # fmt: skip
            self.quorum.add(node_id, ours=False, properties=self.quorum.common | SMALL | self.many_settings() | own)
            self.endpoints[node_id] = port
        self.servers = ",".join(f"{HOST}:{self.endpoints[node_id]}" for node_id in BROKERS)

    def start(self) -> None:
        """Start Kafka's controllers and the brokers, then the load and our controllers, which follow.

        Ours start later where they take addresses over: once the owner of each has stopped.
        """
        members = self.quorum.members
        for node_id in CONTROLLERS:
            members[node_id].format(extra=["--initial-controllers", self.quorum.initial_controllers])
            self.start_node(node_id)
        for node_id in BROKERS:
            format_broker(node_id, members[node_id].data)
            self.start_node(node_id)
        for node_id in OURS:
            members[node_id].format(extra=["--no-initial-controllers"])
            if node_id not in self.takes_over:
                self.start_node(node_id)
        self.wait("three brokers serve", lambda: all(len(self.brokers_at(one)) == REPLICAS for one in BROKERS))
        self.load = Load(self.jars, self.root, self.servers)
        self.add_partitions()

    def directories(self, broker: int) -> tuple[Path, ...]:
        """Return a broker's only log directory."""
        return (self.quorum.members[broker].data,)

    def start_node(self, node_id: int) -> None:
        """Start a node; one of Kafka's controllers without its vote, where that would end it."""
        if node_id in CONTROLLERS:
            self._forget_vote(node_id)
        super().start_node(node_id)

    def _forget_vote(self, node_id: int) -> None:
        """Remove quorum-state where a controller voted for itself last and is no voter: Kafka's does not start then.

        See docs/migrating.md. It is of an epoch before the present one.
        """
        state = self.quorum.members[node_id].data / LOG / "quorum-state"
        if state.is_file() and json.loads(state.read_text(encoding="utf-8")).get("votedId") == node_id:
            leader, voters = self.voting()
            if leader is not None and node_id not in voters:
                state.unlink()

    # The quorum, over Kafka's protocol.

    def voting(self) -> tuple[int | None, set[int]]:
        """Ask who leads and who votes; no one while there is no leader."""
        addresses = (one.rpartition(":") for one in dict.fromkeys(self.quorum.addresses.values()))
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
        """Freeze a broker until it is in no ISR, then wait until all is in sync again.

        Where that leaves fewer than ``min.insync.replicas``, the controller remembers it as an eligible leader replica.
        """
        self.freeze(victim)
        self.wait(f"{victim} is in no ISR", lambda: self._is_out(victim))
        for pair in PAIRS:
            if victim in pair:
                self.wait(f"{victim} is an eligible leader replica", lambda on=pair: victim in self.eligible(on))
        self._process(victim).resume()
        self.paused.discard(victim)
        self.wait("all is whole again", self.is_whole)

    def _is_out(self, victim: int) -> bool:
        found = self.partitions(without=[victim])
        return bool(found) and all(victim not in one.isr for one in found)

    def eligible(self, pair: tuple[int, int]) -> list[int]:
        """Return the eligible leader replicas of the topic that two brokers have; none without an answer."""
        assert self.load is not None
        with suppress(AssertionError):
            return [int(one) for one in self.load.query("eligible", pair_topic(pair)).split(",") if one]
        return []

    def restart(self, node_id: int) -> None:
        """Kill -9, and start again."""
        self.kill(node_id)
        self.start_node(node_id)

    def hand_over(self, old: int, new: int, between: Callable[[], None]) -> None:
        """Stop the owner of an address, do something while it has none, and start the next owner."""
        code = self.quorum.members[old].stop()
        # One that was just started ends before it can do so in order.
        assert code in (*STOPPED, -signal.SIGTERM), f"{old} was asked to stop and ended with {code}"
        between()
        self.start_node(new)


@dataclass
class Step:
    """A step of the migration, up to the next one.

    Attributes:
        text: what was announced, and the fault.
        began: when, by the monotonic clock.
        longest_wait_s: the longest time to the acknowledgement of a record meanwhile.
    """

    text: str
    began: float
    seconds: float = 0.0
    longest_wait_s: float = 0.0

    def __str__(self) -> str:
        return f"{self.text}: {self.seconds:.1f} s, longest wait of a producer {self.longest_wait_s:.1f} s"


@dataclass
class Report:
    """What happened.

    Attributes:
        steps: voters that were added or removed, and addresses that were handed over, each with its fault.
        attempts: how often a command was started.
        fewest: the smallest voter set that was seen.
    """

    seconds: float = 0.0
    steps: list[Step] = field(default_factory=list)
    attempts: int = 0
    fewest: int = len(CONTROLLERS)
    longest_wait_s: float = 0.0
    facts: Facts = field(default_factory=Facts)
    complaints: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        facts = self.facts
        summary = (
            f"{self.seconds:.0f} s; {len(self.steps)} steps by {self.attempts} commands; never fewer "
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
        self._present: Step | None = None
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
        timeout = ("--timeout", str(self.world.patience_s))
        for _ in range(ATTEMPTS_MAX):
            self.report.attempts += 1
            code, lines = self._run(words[0], str(self.world.plan), *words[1:], *timeout)
            printed += [*lines, f"ended with {code}"]
            if code == 0:
                self._end_step()
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
                    elif (owners := HAND_OVER.search(line)) is not None:
                        self._hand_over(process, int(owners[1]), int(owners[2]))
                return process.wait(PATIENCE_S), lines
            finally:
                process.kill()

    def _begin_step(self, text: str) -> None:
        self._end_step()
        self._present = Step(text, time.monotonic())
        self.report.steps.append(self._present)
        print(f"  {text}", flush=True)

    def _end_step(self) -> None:
        step, self._present = self._present, None
        if step is not None:
            step.seconds = time.monotonic() - step.began
            step.longest_wait_s = self.load.longest_wait(step.began)

    def _strike(self, process: subprocess.Popen[str], line: str) -> None:
        # The command may be further on, or have ended, while the fault of an earlier step was made.
        has_ended = process.poll() is not None
        fault, moment = (NOTHING, ANNOUNCED) if has_ended else next(self.faults, (NOTHING, ANNOUNCED))
        self._begin_step(f"{line} {fault}, {moment}")
        subject, is_added = int(line.split()[2].partition("@")[0]), line.startswith("Adding")
        if moment == COMMITTED:

            def is_over() -> bool:
                leader, voters = self.world.voting()
                return process.poll() is not None or (leader is not None and (subject in voters) is is_added)

            self.world.wait(f"{line} is committed, or the command ends", is_over)
        self._make(fault, process, subject)
        if not has_ended:
            self.live()

    def _hand_over(self, process: subprocess.Popen[str], old: int, new: int) -> None:
        """Stop a controller and start the one that takes over its address, unless an earlier attempt said so, too."""
        running = self.world.quorum.members[new].process
        if running is not None and running.is_running:
            return
        fault, moment = next(self.faults, (NOTHING, ANNOUNCED))
        self._begin_step(f"The address of {old} is taken over by {new}. {fault}, {moment}")
        if moment == ANNOUNCED:
            self._make(fault, process, old)

        def between_owners() -> None:
            if moment == COMMITTED and fault == SUBJECT:
                self.world.start_node(new)
                self.world.kill(new)
            elif moment == COMMITTED:
                self._make(fault, process, new)
            self.live()

        self.world.hand_over(old, new, between_owners)

    def _make(self, fault: str, process: subprocess.Popen[str], subject: int) -> None:
        """Make a fault; look at the voters."""
        if fault == COMMAND:
            process.kill()
            process.wait()
        elif fault in (SUBJECT, ACTIVE):
            self.world.restart(subject if fault == SUBJECT else self.world.active())
        elif fault == BROKER:
            self.world.freeze_until_out(BROKERS[len(self.report.steps) % len(BROKERS)])
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


def migrate_there_and_back(world: MigratingWorld, faults: Sequence[Fault], *, stops: bool = True) -> Report:
    """Replace Kafka's controllers by ours and let them return, with a fault at each step; judge what the load saw.

    Args:
        world: the cluster, which has not been started.
        faults: step by step.
        stops: whether the old controllers are stopped once they have left, as those always are whose addresses are
            taken over, and a broker is restarted then.

    Raises:
        AssertionError: a command did not arrive, or the cluster did not recover.
    """
    report, started = Report(), time.monotonic()
    with world:
        world.start()
        journey = Journey(world, faults, report)
        for topic in ("plain", "transactions", "sink"):
            journey.load.ask("create", topic, 3)
        for pair in PAIRS:
            journey.load.ask("create", pair_topic(pair), 1, *pair)
        journey.load.ask("start")
        journey.make_plan()
        began = time.monotonic()
        wait_for_progress(world)
        _there_and_back(journey, stops=stops)
        world.wait("all is whole in the end", world.is_whole)
        for broker in BROKERS:
            world.wait(f"broker {broker} knows {journey.topics}", lambda at=broker: journey.has_topics(at))
        report.longest_wait_s = journey.load.longest_wait(began)
        journey.load.ask("drain", round(world.patience_s), timeout_s=3 * world.patience_s)
        with journey.load.arrived:
            report.facts = facts_of(journey.load.lines)
        found = world.audit()
    report.complaints = complaints(report.facts) + found
    report.seconds = time.monotonic() - started
    return report


def _there_and_back(journey: Journey, *, stops: bool) -> None:
    world, members = journey.world, journey.world.quorum.members
    features = journey.load.query("features")
    assert set(FEATURES) <= set(features.split(",")), features
    journey.arrives("run")
    journey.arrives("run", "--finish")
    assert world.voting()[1] == set(OURS)
    assert journey.load.query("features") == features
    stopped = [one for one in CONTROLLERS if stops and world.is_running(one)]
    for one in stopped:
        members[one].stop()
    if stops:
        # It has only its list of bootstrap servers to find the quorum by.
        world.restart(BROKERS[0])
        world.wait("the broker that was restarted is in sync", world.is_whole)
    journey.live()
    for one in stopped:
        world.start_node(one)
    journey.arrives("back")
    assert world.voting()[1] == set(CONTROLLERS)
    assert journey.load.query("features") == features
    for one in OURS:
        members[one].stop()
    journey.live()


def _again(words: argparse.Namespace, seed: int) -> str:
    """Return the command of one seed."""
    parts = [f"python -m tests.kafka_faults.migration --first {seed}"]
    parts += ["--take-over-addresses"] if words.take_over_addresses else []
    parts += [f"--partitions {words.partitions} --replicas {words.replicas}"] if words.partitions else []
    return " ".join(parts + (["--quietly"] if words.quietly else []))


def main() -> int:
    """Run one seed; return 0 when all is well, 1 when something was lost, 2 when there is no Kafka."""
    parser = argparse.ArgumentParser(
        prog="python -m tests.kafka_faults.migration", description=(__doc__ or "").partition("\n")[0]
    )
    parser.add_argument("--first", type=int, default=1, metavar="K", help="the first seed (1)")
    parser.add_argument("--rounds", type=int, default=1, help="how many seeds, each a new cluster (1)")
    parser.add_argument("--take-over-addresses", action="store_true",
                        help="the controllers that join have the addresses of those that leave")  # fmt: skip
    parser.add_argument("--partitions", type=int, default=0, metavar="N",
                        help=f"N more partitions, in topics of {MANY_EACH} (0)")  # fmt: skip
    parser.add_argument("--replicas", type=int, default=REPLICAS, choices=range(1, REPLICAS + 1),
                        help=f"replicas of each of these ({REPLICAS})")  # fmt: skip
    parser.add_argument("--quietly", action="store_true", help="without faults")
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
        again = _again(words, seed)
        print(f"seed {seed}; again: {again}", flush=True)
        world = MigratingWorld(
            jars,
            root,
            ours=False,
            takes_over=OURS if words.take_over_addresses else (),
            many=words.partitions,
            replicas=words.replicas,
        )
        faults = [] if words.quietly else drawn(seed, STEPS + HAND_OVERS)
        try:
            report = migrate_there_and_back(world, faults)
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
