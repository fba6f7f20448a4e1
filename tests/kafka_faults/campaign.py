"""One run: the load at work, failovers that are timed, then faults drawn from a seed, then the verdict.

Each fault lasts a moment and is ended before the next; after it all replicas must be in sync at every broker, and
records acknowledged, within :data:`tests.kafka_faults.world.PATIENCE_S`.
"""

from __future__ import annotations

import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Collection, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

from tests.interop.jars import Jars
from tests.kafka_faults.channels import seconds_to_next_controller
from tests.kafka_faults.judge import Facts, complaints, facts_of
from tests.kafka_faults.world import BROKERS, CONTROLLERS, SMALL_DISK_BROKER, Partition, World

PROGRESS = 20
"""Records that must be acknowledged after each fault."""

LED = BROKERS[0]
"""The broker that is preferred to lead the topics whose failover is timed."""

ONE, HUNDRED, ALONE, UNCLEAN = "led-1", "led-100", "alone", "unclean"
HUNDRED_PARTITIONS = 100
UNCLEAN_REPLICAS = BROKERS[1:]
HOLD_S = (1.0, 5.0)

MINUTES_S, HOURS_S, DAY_S, YEARS_S = 5 * 60, 2 * 60 * 60, 24 * 60 * 60, 40 * 365 * 24 * 60 * 60
"""How far clocks are set. A machine that has lost its clock starts decades behind."""

JUMPED_S = 8.0
"""How long a clock stays where it was set: a session that no heartbeat renews is over by then."""

ATTEMPTS_MAX = 3
SEGMENTS_MAX = 10
"""How many segments a controller's log may gain while clocks differ; each append would be one if age went wrong."""

COMMIT, CREATE = "controller death to first metadata commit", "controller death to CreateTopics done"
CHANNELS = "controller death to all brokers' channels to the next one"
SHRUNK = "controller death to the ISR without a broker that is being stopped"
DISTURBED = "controller death: a producer's longest wait"
MOVED_1 = "broker death to last of 1 leader moved"
MOVED_100 = f"broker death to last of {HUNDRED_PARTITIONS} leaders moved"
BROKER_WAIT = "broker death: a producer's longest wait"
TOGETHER = f"controller and broker death to last of {HUNDRED_PARTITIONS} leaders moved"


def moved_many(count: int) -> str:
    """Name the phase in which the leaders of all partitions move that are only there to be many."""
    return f"broker death to last of {count} leaders moved"


Partitions = Collection[tuple[str, int]]
"""By topic and number."""


@dataclass
class Report:
    """What happened.

    Attributes:
        phases: durations (s) by phase of failover.
        faults: how often each was made.
        elections: epochs of the quorum that each kind of fault took.
        skipped: faults that this machine does not allow, and why.
        memory_mib: the resident memory of the largest controller after the timed failovers.
        waits: the longest time to an acknowledgement (s) from each kind of fault on until all was whole again.
    """

    seed: int
    controllers: str
    seconds: float = 0.0
    phases: dict[str, list[float]] = field(default_factory=dict)
    faults: Counter[str] = field(default_factory=Counter)
    elections: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    memory_mib: int = 0
    waits: dict[str, float] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    complaints: list[str] = field(default_factory=list)

    def __str__(self) -> str:
        facts = self.facts
        outcomes = Counter(facts.outcomes.values())
        summary = (
            f"seed {self.seed}, {self.controllers} controllers: {self.seconds:.0f} s; faults {dict(self.faults)}; "
            f"{len(facts.acknowledged)} records acknowledged, {len(facts.failed)} given up, "
            f"transactions {dict(outcomes)}, {sum(commit for *_, commit in facts.positions)} offsets committed; "
            f"{len(self.complaints)} complaints"
        )
        lines = [summary]
        lines += [f"  {phase} (s): {_spread(found)}" for phase, found in self.phases.items()]
        lines += [f"  resident memory of the largest controller after the failovers: {self.memory_mib} MiB"]
        lines += [f"  not made, {name}: {why}" for name, why in sorted(self.skipped.items())]
        lines += [f"  epochs that it took, {name}: {count}" for name, count in sorted(self.elections.items())]
        lines += [f"  longest wait of a producer, {name}: {wait:.1f} s" for name, wait in sorted(self.waits.items())]
        return "\n".join(lines)


def _spread(values: list[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.3f} ({ordered[0]:.3f} to {ordered[-1]:.3f}, {len(ordered)} times)"


KAFKA_WAITS = "Kafka's Raft waits by the wall clock: after it was set back, nothing is committed for as long"
"""Why clocks of Kafka's controllers are not set (docs/failover.md)."""


class Nemesis:
    """The faults, by name; each returns when it is over but for what ``World.heal`` ends."""

    def __init__(self, world: World, draw: random.Random) -> None:
        self.world = world
        self.draw = draw

    def all(self) -> dict[str, Callable[[], None]]:
        """Return every fault by its name."""
        world = self.world
        return {
            "kill the active controller": lambda: self._quietly(lambda: world.kill(world.active())),
            "freeze the active controller": lambda: self._quietly(lambda: world.freeze(world.active())),
            "cut off the active controller": lambda: self._quietly(lambda: world.cut_off(world.active())),
            "kill a follower of the quorum": lambda: self._quietly(lambda: world.kill(self._follower())),
            "kill a broker that leads": lambda: self._lose_broker(world.kill),
            "freeze a broker that leads": lambda: self._lose_broker(world.freeze),
            "cut off a broker that leads": lambda: self._lose_broker(world.cut_off),
            "kill a broker that follows": self.kill_a_following_broker,
            "kill a rack": self.kill_a_rack,
            "kill the active controller and a broker that leads": self.kill_both,
            "no quorum, and a broker dies": self.no_quorum_and_a_broker_dies,
            "stop a broker": self.stop_a_broker,
            "restart all controllers": lambda: self._restart(CONTROLLERS),
            "restart all brokers": lambda: self._restart(BROKERS),
            "the broker of a single replica dies": self.kill_the_single_replica,
            "an unclean election": self.elect_uncleanly,
            "a log directory fails": lambda: self._lose_directory(world.leader_of(ONE), world.failed_directory),
            **self.on_small_disks(),
            **self.of_clocks(),
        }

    def on_small_disks(self) -> dict[str, Callable[[], None]]:
        """Return those that need small file systems, by name."""
        return {
            "a log directory is full": self.fill_a_directory,
            "the active controller's log directory is full": self.fill_a_controller,
        }

    def of_clocks(self) -> dict[str, Callable[[], None]]:
        """Return those that set wall clocks, by name."""
        return {
            **self.of_controllers_clocks(),
            "the clock of a broker jumps": self.set_the_clock_of_a_broker,
        }

    def of_controllers_clocks(self) -> dict[str, Callable[[], None]]:
        """Return those that set wall clocks of controllers, if only right again while they run, by name."""
        return {
            "controllers start with clocks that differ": self.start_with_other_clocks,
            "the clock of the active controller jumps": lambda: self._set_clocks([self.world.active()]),
            "the clock of a follower of the quorum jumps": lambda: self._set_clocks([self._follower()]),
            "the clocks of all controllers jump": lambda: self._set_clocks(CONTROLLERS),
        }

    def possible(self, only: Collection[str], skipped: dict[str, str]) -> dict[str, Callable[[], None]]:
        """Return those of the faults that are wanted and that this machine allows; note the others, and why."""
        wanted = {name: fault for name, fault in self.all().items() if not only or name in only}
        assert wanted, f"none of {only} is a fault"
        for names, why in (
            (self.on_small_disks(), self.world.no_small_disks),
            (self.of_clocks(), self.world.clocks.why_not),
            # Asked for by name, they show what happens.
            (self.of_controllers_clocks(), "" if self.world.ours or only else KAFKA_WAITS),
        ):
            skipped |= dict.fromkeys(wanted.keys() & names.keys(), why) if why else {}
        found = {name: fault for name, fault in wanted.items() if name not in skipped}
        assert found, f"nothing of {only} can be done here: {skipped}"
        return found

    def _hold(self) -> None:
        time.sleep(self.draw.uniform(*HOLD_S))

    def _follower(self) -> int:
        active = self.world.active()
        return self.draw.choice([one for one in CONTROLLERS if one != active])

    def _quietly(self, fault: Callable[[], None]) -> None:
        """Lose a controller alone: producers and consumers do not notice (F-21)."""
        load = self.world.load
        assert load is not None
        leaders = {(one.topic, one.number): one.leader for one in self.world.partitions()}
        with load.arrived:
            before = len(load.lines)
        fault()
        self._hold()
        with load.arrived:
            since = load.lines[before:]
        failed = [line for line in since if line.startswith("fail ")]
        assert not failed, f"the death of a controller disturbed producers: {failed[:3]}"
        now = {(one.topic, one.number): one.leader for one in self.world.partitions()}
        moved = {place: now[place] for place in leaders.keys() & now.keys() if now[place] != leaders[place]}
        assert not moved, f"the death of a controller moved leaders: {moved}"

    def _lose_broker(self, fault: Callable[[int], None]) -> None:
        """Lose a broker that leads: each partition gets a leader of its ISR, and no new replica (F-5, F-12 to F-14)."""
        victim = self.world.leader_of(ONE)
        self._lose(victim, lambda: fault(victim))

    def _lose(self, victim: int, fault: Callable[[], None]) -> None:
        before = {(one.topic, one.number): one for one in self.world.partitions() if one.topic != ALONE}
        fault()
        self.world.wait(f"{victim} leads nothing", lambda: self._has_lost(victim, before))

    def _has_lost(self, victim: int, before: dict[tuple[str, int], object]) -> bool:
        now = [one for one in self.world.partitions(without=[victim]) if one.topic != ALONE]
        if not now or any(one.leader in (victim, -1) or victim in one.isr for one in now):
            return False
        for one in now:
            old = before.get((one.topic, one.number))
            assert old is None or old.replicas == one.replicas, f"{one} has other replicas than {old}"
            assert one.leader in one.isr, one
            assert len(set(one.replicas)) == len(one.replicas), one
        return True

    def kill_a_following_broker(self) -> None:
        """The partition stays available, and its leader; after the return the leader stays, too (F-13, F-17, F-18)."""
        leader = self.world.leader_of(ONE)
        victim = self.draw.choice([one for one in BROKERS if one != leader])
        self._lose(victim, lambda: self.world.kill(victim))
        assert self.world.leader_of(ONE) == leader
        self.world.heal()
        self.world.wait("all is whole again", self.world.is_whole)
        assert self.world.leader_of(ONE) == leader, "a leader moved when a follower came back"

    def kill_a_rack(self) -> None:
        """A controller and a broker of one rack (F-1: every replica is in another one)."""
        place = self.draw.randrange(len(BROKERS))
        self._lose(BROKERS[place], lambda: self.world.kill(CONTROLLERS[place], BROKERS[place]))

    def kill_both(self) -> None:
        """As a node with both roles dies: the next controller moves the leaders (F-23)."""
        victim, active = self.world.leader_of(ONE), self.world.active()
        self._lose(victim, lambda: self.world.kill(active, victim))

    def no_quorum_and_a_broker_dies(self) -> None:
        """Its partitions stay without a leader until there is a controller again (F-22)."""
        victim = self.world.leader_of(ONE)
        down = self.draw.sample(CONTROLLERS, 2)
        self.world.kill(*down)
        self.world.kill(victim)
        self._hold()
        moved = [one for one in self.world.partitions(ONE, without=[victim]) if one.leader != victim]
        assert not moved, f"without a controller {moved} got another leader"
        for controller in down:
            self.world.start_node(controller)
        self._lose(victim, lambda: None)

    def stop_a_broker(self) -> None:
        """SIGTERM: it hands its leaders over first."""
        victim = self.world.leader_of(ONE)
        self._lose(victim, lambda: self.world.stop(victim))

    def _restart(self, nodes: Collection[int]) -> None:
        """One after the other, each when all is whole again."""
        for node_id in nodes:
            self.world.stop(node_id)
            self.world.start_node(node_id)
            self.world.wait(f"{node_id} listens", partial(self.world.listens, node_id))
            self.world.wait("all is whole again", self.world.is_whole)
            self.world.active()

    def kill_the_single_replica(self) -> None:
        """A partition with one replica has no leader while its broker is dead; none takes its place (F-16, F-30)."""
        victim = BROKERS[-1]
        self.world.kill(victim)
        self.world.wait("the single replica has no leader", lambda: self._alone(victim) == -1)

    def _alone(self, victim: int) -> int | None:
        found = self._first(ALONE, without=victim)
        return None if found is None else found.leader

    def _first(self, topic: str, *, without: int) -> Partition | None:
        """Return the first partition of a topic as a broker knows it that is not the one left out."""
        found = (one for one in self.world.partitions(topic, without=[without]) if one.number == 0)
        return next(found, None)

    def elect_uncleanly(self) -> None:
        """Where it is allowed, a replica that was not in the ISR leads when no other is there (F-6, F-16)."""
        world, leader = self.world, self.world.leader_of(UNCLEAN)
        (other,) = set(UNCLEAN_REPLICAS) - {leader}

        def is_now(led_by: int, isr: tuple[int, ...], without: int) -> bool:
            found = self._first(UNCLEAN, without=without)
            return found is not None and found.leader == led_by and isr in ((), found.isr)

        world.kill(other)
        world.wait(f"{leader} is alone in the ISR", lambda: is_now(leader, (leader,), other))
        world.kill(leader)
        world.wait("no replica leads", lambda: is_now(-1, (), leader))
        world.start_node(other)
        world.wait(f"{other} leads", lambda: is_now(other, (other,), leader))

    def _lose_directory(self, victim: int, lose: Callable[[int], AbstractContextManager[Partitions]]) -> None:
        """Replicas in a directory that is lost leave the ISRs; the broker lives with its other one (KIP-858)."""
        world = self.world
        with lose(victim) as lost:
            world.wait(f"{victim} leads nothing in the directory", lambda: self._has_left(victim, lost))
            assert world.is_running(victim), f"{victim} ended with one of its two directories"
            assert victim in world.metadata(victim)[0], f"{victim} was fenced for one of its two directories"
            world.stop(victim)

    def fill_a_directory(self) -> None:
        """A broker that has no room left in one directory, and leads in it, gives that directory up."""
        assert self.world.load is not None
        self.world.load.ask("elect")
        self.world.wait("the preferred broker leads", lambda: self.world.leader_of(ONE) == SMALL_DISK_BROKER)
        self._lose_directory(SMALL_DISK_BROKER, self.world.full_directory)

    def fill_a_controller(self) -> None:
        """The active controller has no room for its log: it ends by itself, and the others go on (F-21)."""
        world, victim = self.world, self.world.active()
        self._quietly(lambda: world.fill(victim))
        if world.ours:
            log = world.log_text(victim)
            assert world.exit_code(victim) == 1, log[-2_000:]
            assert "No space left" in log[-20_000:], log[-2_000:]

    def _set_clocks(self, controllers: Collection[int]) -> None:
        """Set clocks of controllers forward, back and right again: no client notices, and there is no election.

        An election that has another reason, on a machine with other things to do, does not come each time.
        """
        for _ in range(ATTEMPTS_MAX):
            epoch = self.world.epoch()
            self._set_clocks_once(controllers)
            # Kafka's Raft waits by the wall clock: it may elect.
            if not self.world.ours or self.world.epoch() == epoch:
                return
            print(f"    again: epoch {epoch} became {self.world.epoch()}", flush=True)
        raise AssertionError(f"there was an election whenever clocks were set, {ATTEMPTS_MAX} times")

    def _set_clocks_once(self, controllers: Collection[int]) -> None:
        signs = self.draw.choice([(1, -1), (-1, 1)])
        jumps = [sign * self.draw.choice([MINUTES_S, HOURS_S, DAY_S]) for sign in signs]
        for jump in (*jumps, 0):
            print(f"    clocks of {list(controllers)}: {jump:+} s", flush=True)
            for node_id in controllers:
                self.world.clocks.set(node_id, jump)
            self._quietly(lambda: time.sleep(JUMPED_S))
            self.world.commit()

    def start_with_other_clocks(self) -> None:
        """Each controller starts with a clock of its own, and whichever leads is restarted, three times."""
        world = self.world
        for node_id, jump in zip(CONTROLLERS, self.draw.sample([-YEARS_S, DAY_S, 0], len(CONTROLLERS)), strict=True):
            world.clocks.set(node_id, jump)
        self._restart(CONTROLLERS)
        before = {node_id: len(world.quorum.members[node_id].segments()) for node_id in CONTROLLERS}
        for _ in CONTROLLERS:
            active = world.active()
            self._quietly(lambda: time.sleep(JUMPED_S))
            self._restart([active])
        for node_id, count in before.items():
            gained = len(world.quorum.members[node_id].segments()) - count
            assert gained <= SEGMENTS_MAX, f"the log of {node_id} has {gained} segments more than before"

    def set_the_clock_of_a_broker(self) -> None:
        """Set the clock of a broker that leads forward, back and right again; then restart it.

        What a stock broker makes of it is Kafka's matter, so nothing but the outcome counts. It is restarted because
        Kafka's clients keep times of the wall clock, by which they may wait after it was set back.
        """
        world, victim = self.world, self.world.leader_of(ONE)
        for sign in self.draw.choice([(1, -1), (-1, 1)]):
            world.clocks.set(victim, sign * self.draw.choice([MINUTES_S, HOURS_S, DAY_S]))
            time.sleep(JUMPED_S)
        world.clocks.set(victim, 0)
        self._restart([victim])

    def _has_left(self, victim: int, lost: Partitions) -> bool:
        now = [one for one in self.world.partitions(without=[victim]) if one.topic != ALONE]
        inside = [one for one in now if (one.topic, one.number) in lost]
        outside = [one for one in now if (one.topic, one.number) not in lost and victim in one.replicas]
        has_left = inside and not any(one.leader in (victim, -1) or victim in one.isr for one in inside)
        return bool(has_left) and any(victim in one.isr for one in outside)


class Timing:
    """Failovers one by one, with the load at work, timed by phases."""

    def __init__(self, world: World, report: Report) -> None:
        self.world = world
        self.phases = report.phases
        self._created = 0

    def all(self, rounds: int) -> None:
        """Time each kind of failover as often."""
        assert self.world.load is not None
        for _ in range(rounds):
            for one in (self.controller, self.change, self.broker, self.together):
                self.world.load.ask("elect")
                self.world.wait("the preferred broker leads", self._is_led)
                print(f"  timed: {one.__name__}", flush=True)
                one()
                self.world.heal()
                self.world.wait("all is whole again", self.world.is_whole)

    def _is_led(self) -> bool:
        return self.world.is_whole() and all(
            one.leader == LED for one in self.world.partitions() if one.topic in (ONE, HUNDRED, *self.world.many_topics)
        )

    def _note(self, phase: str, seconds: float) -> None:
        print(f"    {phase}: {seconds:.3f} s", flush=True)
        self.phases.setdefault(phase, []).append(seconds)

    def controller(self) -> None:
        """``kill -9`` of the active controller."""
        load, world = self.world.load, self.world
        assert load is not None
        self._created += 1
        active, ended = world.active(), list[float]()

        def commit() -> None:
            world.commit()
            ended.append(time.monotonic())

        prober = threading.Thread(target=commit)
        logged = {broker: len(world.log_text(broker)) for broker in BROKERS}
        began, began_at = time.monotonic(), time.time()
        world.kill(active)
        prober.start()
        creation = load.begin("create", f"created-{self._created}", 1)
        load.answer(creation)
        created = time.monotonic()
        prober.join()
        assert ended, "no controller commits; see above"
        self._note(COMMIT, ended[0] - began)
        self._note(CHANNELS, self._channels(logged, active, began_at))
        self._note(CREATE, created - began)
        wait_for_progress(world)
        self._note(DISTURBED, load.longest_wait(began))

    def _channels(self, logged: Mapping[int, int], lost: int, since: float) -> float:
        """Return how long it took until every broker had turned to another controller (s).

        Args:
            logged: how many characters each broker had logged before.
            lost: the controller that was killed.
            since: when, by the wall clock.
        """
        world, found = self.world, dict[int, float]()

        def have_turned() -> bool:
            for broker in logged.keys() - found.keys():
                took = seconds_to_next_controller(world.log_text(broker)[logged[broker] :], lost, since)
                if took is not None:
                    found[broker] = took
            return found.keys() == logged.keys()

        world.wait("every broker has turned to another controller", have_turned)
        return max(found.values())

    def change(self) -> None:
        """``kill -9`` of the active controller while a broker that follows asks to be stopped."""
        world, victim = self.world, BROKERS[-1]
        active = world.active()
        began = time.monotonic()
        world.kill(active)
        world.ask_to_stop(victim)

        def has_shrunk() -> bool:
            found = [one.isr for one in world.partitions(ONE, without=[victim])]
            return bool(found) and victim not in found[0]

        self._note(SHRUNK, world.wait(f"{victim} is in no ISR", has_shrunk) - began)
        world.stop(victim)

    def broker(self) -> None:
        """``kill -9`` of the broker that leads."""
        began = time.monotonic()
        self.world.kill(LED)
        self._note(MOVED_1, self._moved(ONE) - began)
        self._note(MOVED_100, self._moved(HUNDRED) - began)
        if self.world.many:
            self._note(moved_many(self.world.many), max(self._moved(topic) for topic in self.world.many_topics) - began)
        assert self.world.load is not None
        wait_for_progress(self.world)
        self._note(BROKER_WAIT, self.world.load.longest_wait(began))

    def together(self) -> None:
        """Both at once."""
        active = self.world.active()
        began = time.monotonic()
        self.world.kill(active, LED)
        self._note(TOGETHER, self._moved(HUNDRED) - began)

    def _moved(self, topic: str) -> float:
        def has_moved() -> bool:
            found = [one.leader for one in self.world.partitions(topic, without=[LED])]
            return bool(found) and not {LED, -1} & set(found)

        return self.world.wait(f"all leaders of {topic} have moved", has_moved)


def wait_for_progress(world: World) -> None:
    """Wait until further records are acknowledged."""
    load = world.load
    assert load is not None
    target = len(load.acknowledged) + PROGRESS
    world.wait(f"{PROGRESS} records are acknowledged", lambda: len(load.acknowledged) >= target)


def campaign(
    jars: Jars,
    root: Path,
    *,
    seed: int,
    seconds: float,
    ours: bool = True,
    rounds: int = 1,
    only: Collection[str] = (),
    many: int = 0,
) -> Report:
    """Run one campaign and judge it; the lines of the load are kept in ``load.log``.

    Args:
        jars: of Kafka.
        root: where to put everything.
        seed: draws the faults.
        seconds: how long to make faults; one that was begun is ended.
        ours: whether the controllers are kraftpy's, else Kafka's.
        rounds: how often each kind of failover is timed.
        only: leave out all faults but these.
        many: how many more partitions there are, all of them preferably led by :data:`LED`.

    Raises:
        AssertionError: the cluster did not recover, or did during a fault what it must not do.
    """
    report, draw, started = Report(seed, "kraftpy" if ours else "kafka"), random.Random(seed), time.monotonic()
    with World(jars, root, ours, many) as world:
        world.start()
        load = world.load
        assert load is not None
        for topic in ("plain", "transactions", "sink"):
            load.ask("create", topic, 3)
        load.ask("create", ONE, 1, *BROKERS)
        load.ask("create", HUNDRED, HUNDRED_PARTITIONS, *BROKERS)
        load.ask("create", ALONE, 1, BROKERS[-1])
        load.ask("create", UNCLEAN, 1, *UNCLEAN_REPLICAS)
        load.ask("alter", UNCLEAN, "unclean.leader.election.enable", "true")
        world.add_partitions(led_by=LED)
        load.ask("start")
        wait_for_progress(world)
        Timing(world, report).all(rounds)
        report.memory_mib = max(world.resident_mib(controller) for controller in CONTROLLERS)
        _make_faults(world, Nemesis(world, draw), report, seconds, only)
        load.ask("drain", round(world.patience_s), timeout_s=3 * world.patience_s)
        with load.arrived:
            report.facts = facts_of(load.lines)
        found = world.audit()
    report.complaints = complaints(report.facts) + found
    report.seconds = time.monotonic() - started
    return report


def _make_faults(world: World, nemesis: Nemesis, report: Report, seconds: float, only: Collection[str]) -> None:
    """Make one fault after the other, in an order that is drawn again after each round."""
    faults = nemesis.possible(only, report.skipped)
    assert world.load is not None
    ends, order = time.monotonic() + seconds, list[str]()
    while time.monotonic() < ends:
        if not order:
            order = sorted(faults)
            nemesis.draw.shuffle(order)
        name, began, epoch = order.pop(), time.monotonic(), world.epoch()
        print(f"  {name}", flush=True)
        faults[name]()
        world.heal()
        for node_id in CONTROLLERS:
            # The next fault may ask it to stop, which a process that is still starting can't answer.
            world.wait(f"{node_id} listens after {name!r}", partial(world.listens, node_id))
        world.wait(f"all is whole again after {name!r}", world.is_whole)
        wait_for_progress(world)
        report.faults[name] += 1
        report.elections[name] += world.epoch() - epoch
        report.waits[name] = max(report.waits.get(name, 0.0), world.load.longest_wait(began))
