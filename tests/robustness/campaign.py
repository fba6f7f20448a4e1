"""One campaign: clients at work, faults drawn from a seed, then peace, then the verdict.

Each fault lasts a moment and is ended before the next; after it the cluster must acknowledge writes again within
:data:`PATIENCE_S`, or the campaign fails for want of progress. A node whose disk was lost or corrupt must count again
before the next fault, because until then it is the minority that may fail.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from pathlib import Path

from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import Batch, parse_batch
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord, decode_record
from kraftpy.storage.meta_properties import parse_meta_properties
from kraftpy.storage.names import META_PROPERTIES, QUORUM_STATE
from tests.fakes.processes import KEY, check_offsets, eventually, read_log, watched
from tests.robustness.attackers import ATTACKS, MAY_DEPOSE, Target, attacked
from tests.robustness.clients import FEATURE, GROUP, Clients
from tests.robustness.history import Operation, load, save
from tests.robustness.insiders import FORBIDDEN, INSIDERS
from tests.robustness.insiders import MODULE as INSIDERS_MODULE
from tests.robustness.judge import Judgement, Written, judge
from tests.robustness.linear import Verdict
from tests.robustness.protection import Protection
from tests.robustness.world import World, world

PATIENCE_S = 30.0
PROGRESS = 5
"""Writes that must be acknowledged after each fault."""

UNTIL_FAULTS_MAX = 20
"""Faults after which a campaign gives up waiting for what it is to show."""


EXPERIMENTS: Mapping[str, tuple[str, ...]] = {
    "all": (),
    "power-loss": ("power loss of all",),
    "bit-errors": ("bit errors on a minority", "bit errors in small files"),
    "wiped-leader": ("the leader's disk is wiped",),
    "full-disk": ("full disk", "small full file system"),
    "failing-fsync": ("failing fsync",),
    "slow-disk": ("slow disk",),
    "kills": ("kill the leader", "kill a minority", "kill a broker"),
    "partitions": ("isolate the leader", "deaf leader", "mute leader", "split"),
    "pauses": ("freeze the leader",),
    "clocks": ("clocks jump", "a clock that is wrong at the start"),
    "attackers": tuple(ATTACKS),
    "insiders": tuple(INSIDERS),
}
"""Experiments by name: which faults they consist of; none means every one. ``power-loss`` and ``bit-errors`` repeat
what Jepsen did to NATS 2.12.1."""

CALM_S = 4.0
"""For so long clients are left alone in the beginning: their p99 then is what attackers are measured by."""

JUMPS_S = (5 * 60, 2 * 60 * 60, 24 * 60 * 60)
"""How far wall clocks are set, ahead or back."""

ATTACK_S = 4.0
SAMPLES_MIN = 50
"""Acknowledged writes after which an attack ends; reaching them may take :data:`PATIENCE_S`."""

ATTACKED_P99_FACTOR = 20.0
"""How many times their p99 without attackers the p99 of honest clients' writes may be during an attack."""

ATTEMPTS_MAX = 3
"""What a machine with other things to do takes for an attack's effect does not come three times one after the other."""

ATTACKED_MEMORY_MAX_BYTES = 640 * 1024 * 1024
"""What a controller may have at most while it is attacked."""

CALM_P99_LEAST_S = 0.1
"""What the p99 without attackers is taken for at least: attackers, nodes and clients share the cores of one machine.

Of two slow cores a calm p99 of 52 ms became 0.96 to 1.28 s under forged envelopes.
"""

HISTORY, LOG = "history.jsonl", "log.jsonl"
"""What is kept of a campaign: what the clients did and saw, and the log that the cluster ended up with."""


@dataclass
class Report:
    """What happened, in numbers.

    Attributes:
        faults: how often each was made.
        skipped: faults that this machine does not allow, and why.
        bytes_lost: unsynced bytes that power losses took.
        bits_flipped: on disks.
        repairs: how often a node quarantined its corrupt log and fetched it again.
        calm_p99_s: of the writes in the beginning, while nothing was wrong.
        attacked_p99_s: of those under each kind of attack; the longest, if it came more than once.
        repeated_attacks: how many attacks were repeated, because a leader was lost or clients waited for too long.
        attacked_bytes: the most memory that a controller had under an attack.
        history: what the clients have done so far.
    """

    seed: int
    protection: Protection = Protection.NONE
    faults: Counter[str] = field(default_factory=Counter)
    skipped: dict[str, str] = field(default_factory=dict)
    bits_flipped: int = 0
    repairs: int = 0
    seconds: float = 0.0
    bytes_lost: int = 0
    bytes_dropped: int = 0
    calm_p99_s: float = 0.0
    attacked_p99_s: dict[str, float] = field(default_factory=dict)
    repeated_attacks: int = 0
    attacked_bytes: int = 0
    judgement: Judgement | None = None
    history: Sequence[Operation] = field(default_factory=list, repr=False)

    def __str__(self) -> str:
        assert self.judgement is not None
        verdicts = Counter(self.judgement.verdicts.values())
        left_out = "".join(f"no {fault}, because {why}; " for fault, why in sorted(self.skipped.items()))
        return (
            f"seed {self.seed}, protection {self.protection}: {self.seconds:.0f} s; "
            f"faults {dict(sorted(self.faults.items()))}; {left_out}"
            f"{self.attacks}{self.bits_flipped} bits flipped, {self.repairs} repairs; "
            f"{self.bytes_lost} unsynced bytes lost, "
            f"{self.bytes_dropped} bytes dropped on the network; operations {dict(self.judgement.counts)}; "
            f"keys {verdicts[Verdict.VALID]} valid, {verdicts[Verdict.INVALID]} invalid, "
            f"{verdicts[Verdict.UNKNOWN]} unknown"
        )

    @property
    def attacks(self) -> str:
        """What attackers cost honest clients."""
        if not self.attacked_p99_s:
            return ""
        under = ", ".join(f"{kind} {p99 * 1e3:.0f} ms" for kind, p99 in sorted(self.attacked_p99_s.items()))
        calm = f"p99 of writes {self.calm_p99_s * 1e3:.0f} ms when calm"
        memory = f"at most {self.attacked_bytes >> 20} MiB of memory"
        return f"{calm}, under attack: {under}; {memory}; {self.repeated_attacks} attacks repeated; "


class Nemesis:
    """The faults, by name; each returns when it is over but for what ``World.heal`` ends."""

    def __init__(self, made: World, draw: random.Random, report: Report, clients: Clients | None = None) -> None:
        self.world = made
        self.clients = clients
        self.draw = draw
        self.report = report

    def all(self) -> dict[str, Callable[[], Awaitable[None]]]:
        """Return every fault by its name."""
        return {
            "kill the leader": self.kill_the_leader,
            "kill a minority": self.kill_a_minority,
            "power loss of all": self.power_loss_of_all,
            "power loss of one": self.power_loss_of_one,
            "freeze the leader": self.freeze_the_leader,
            "isolate the leader": self.isolate_the_leader,
            "deaf leader": self.deaf_leader,
            "mute leader": self.mute_leader,
            "split": self.split,
            "slow network": self.slow_network,
            "slow disk": self.slow_disk,
            "full disk": self.full_disk,
            "small full file system": self.small_full_file_system,
            "failing fsync": self.failing_fsync,
            "the leader's disk is wiped": self.wiped_leader,
            "bit errors on a minority": self.bit_errors_on_a_minority,
            "bit errors in small files": self.bit_errors_in_small_files,
            "kill a broker": self.kill_a_broker,
            "clocks jump": self.clocks_jump,
            "a clock that is wrong at the start": self.start_with_a_wrong_clock,
            **{kind: partial(self.attack, kind) for kind in (*ATTACKS, *INSIDERS)},
        }

    def possible(self, only: Collection[str]) -> dict[str, Callable[[], Awaitable[None]]]:
        """Return those of the faults that this machine allows; the report says which it does not, and why."""
        # Without TLS everybody is a stranger, and with it these reach nothing.
        others = INSIDERS if self.world.secured is None else ATTACKS
        wanted = {
            name: fault for name, fault in self.all().items() if (not only or name in only) and name not in others
        }
        if self.world.small_disk is None and wanted.pop("small full file system", None) is not None:
            self.report.skipped["small full file system"] = self.world.no_small_disk
        return wanted

    async def _leader(self) -> int:
        return await self.world.leader(PATIENCE_S)

    def _one(self) -> int:
        return self.draw.choice(self.world.controller_ids)

    async def _for_a_while(self, least_s: float = 0.3, most_s: float = 2.5) -> None:
        await asyncio.sleep(self.draw.uniform(least_s, most_s))

    async def kill_the_leader(self) -> None:
        """``kill -9``, and start it again."""
        await self.world.kill(await self._leader())
        await self._for_a_while()

    async def kill_a_minority(self) -> None:
        """``kill -9`` of anybody."""
        await self.world.kill(self._one())
        await self._for_a_while()

    async def power_loss_of_all(self) -> None:
        """All machines lose their power at once (the first of the two Jepsen experiments on NATS 2.12.1)."""
        await self._for_a_while()
        self.report.bytes_lost += await self.world.power_off(self.draw, *self.world.controller_ids)

    async def power_loss_of_one(self) -> None:
        """One machine loses its power."""
        self.report.bytes_lost += await self.world.power_off(self.draw, self._one())
        await self._for_a_while()

    async def freeze_the_leader(self) -> None:
        """SIGSTOP: it comes back believing that it leads."""
        self.world.pause(await self._leader())
        await self._for_a_while(1.0, 4.0)

    async def isolate_the_leader(self) -> None:
        """Cut it off from the others; clients still reach it."""
        leader = await self._leader()
        self.world.network.partition([leader], self._others(leader))
        await self._for_a_while(1.0, 4.0)

    async def deaf_leader(self) -> None:
        """Nothing reaches it, all that it says arrives."""
        leader = await self._leader()
        self.world.network.partition(self._others(leader), [leader], both=False)
        await self._for_a_while(1.0, 4.0)

    async def mute_leader(self) -> None:
        """Everything reaches it, nothing that it says arrives."""
        leader = await self._leader()
        self.world.network.partition([leader], self._others(leader), both=False)
        await self._for_a_while(1.0, 4.0)

    async def split(self) -> None:
        """Cut one random link only: the two ends disagree about who is there."""
        one, other = self.draw.sample(self.world.controller_ids, 2)
        self.world.network.partition([one], [other])
        await self._for_a_while(1.0, 4.0)

    async def slow_network(self) -> None:
        """Every direction has a delay of its own."""
        for one in self.world.controller_ids:
            for other in self._others(one):
                self.world.network.delay_s[one, other] = self.draw.uniform(0, 0.15)
        await self._for_a_while(1.0, 3.0)

    async def slow_disk(self) -> None:
        """One node's syncs take long."""
        self.world.slow_down(self._one(), self.draw.uniform(0.05, 0.4))
        await self._for_a_while(1.0, 3.0)

    async def full_disk(self) -> None:
        """What one node appends finds no room: it stops by itself."""
        await self.world.break_disk(self._one(), "full")

    async def small_full_file_system(self) -> None:
        """The file system of one node has no byte left, really: it stops by itself."""
        assert self.world.small_disk is not None
        await self.world.fill_disk(self.world.small_disk)

    async def failing_fsync(self) -> None:
        """One sync of one node fails with EIO: it stops by itself, and what was not synced may be lost."""
        victim = self._one()
        await self.world.break_disk(victim, "fail")
        self.report.bytes_lost += await self.world.power_off(self.draw, victim)

    async def wiped_leader(self) -> None:
        """The leader dies, and its disk with it; it comes back with an empty one."""
        leader = await self._leader()
        await self.world.kill(leader)
        self.world.wipe(leader)
        await self._for_a_while()
        await self.world.start(leader)
        await self.world.counts(leader)

    async def bit_errors_on_a_minority(self) -> None:
        """Single bits flip anywhere in the log and the snapshots of one node (the second Jepsen experiment)."""
        victim = self._one()
        await self.world.kill(victim)
        self.report.bits_flipped += len(self.world.bit_rot(victim, self.draw, self.draw.randint(1, 3)))
        await self._for_a_while()
        await self.world.start(victim)
        await self.world.counts(victim)
        self.report.repairs += self.world.was_repaired(victim)

    async def bit_errors_in_small_files(self) -> None:
        """A bit flips in what says who a node is, or for whom it voted: it refuses to start, and names the file.

        Then the operator puts a copy of the one back, and deletes the other: such a node has lost its vote.
        """
        victim, name = self._one(), self.draw.choice((QUORUM_STATE, META_PROPERTIES))
        await self.world.kill(victim)
        content = self.world.corrupt_small_file(victim, name, self.draw)
        self.report.bits_flipped += 1
        await self.world.start(victim)
        code = await self.world.exit_code(victim)
        stated = self.world.log_of(victim)[-2_000:]
        assert code == 1, stated
        assert name in stated, stated
        self.world.restore_small(victim, name, content if name == META_PROPERTIES else None)
        await self.world.start(victim)
        await self.world.counts(victim)

    async def kill_a_broker(self) -> None:
        """``kill -9`` of a broker, and start it again; perhaps its copy of the log has rotted meanwhile."""
        victim = self.draw.choice(self.world.broker_ids)
        await self.world.kill(victim)
        if self.draw.random() < 0.5:
            self.report.bits_flipped += len(self.world.bit_rot(victim, self.draw, 1))
        await self._for_a_while()

    async def clocks_jump(self) -> None:
        """All wall clocks are set, each by its own, and right again: at least once of three times without an election.

        So a leader is not elected whenever clocks are set. What a busy machine causes is not distinguished, and no
        broker is judged: that a set clock ends no leadership and fences no broker is what ``test_clock.py`` shows, of
        processes and of a controller. The leader has to see that its clock was set.
        """
        for _ in range(ATTEMPTS_MAX):
            before = await self._leadership()
            leader = before[0]
            was_ahead_s, was_set_s = await self._wall_clock_ahead_s(leader), self.world.clock_s(leader)
            for node_id in (*self.world.controller_ids, *self.world.broker_ids):
                self.world.set_clock(node_id, self.draw.choice((-1, 1)) * self.draw.choice(JUMPS_S))
            await self._for_a_while(1.0, 2.0)
            moved_s = await self._wall_clock_ahead_s(leader) - was_ahead_s
            assert abs(moved_s - (self.world.clock_s(leader) - was_set_s)) < min(JUMPS_S) / 2, f"{leader}: {moved_s} s"
            for node_id in (*self.world.controller_ids, *self.world.broker_ids):
                self.world.set_clock(node_id, 0)
            await self._for_a_while()
            after = await self._leadership()
            if after == before:
                return
            print(f"seed {self.report.seed}: clocks jump again: leader and epoch {before}, then {after}", flush=True)
        raise AssertionError(f"there was an election whenever clocks were set, {ATTEMPTS_MAX} times")

    async def _wall_clock_ahead_s(self, node_id: int) -> float:
        gauges = await eventually(lambda: self.world.metrics(node_id), bool, f"{node_id} shows its metrics")
        return gauges["kraft_wall_clock_ahead_ms"] / 1_000

    async def _leadership(self) -> tuple[int, float | None]:
        leader = await self._leader()
        return leader, (await self.world.metrics(leader)).get("kraft_current_epoch")

    async def start_with_a_wrong_clock(self) -> None:
        """The leader dies and starts with a wall clock that is wrong: for it, that is the time until the next start.

        It is judged by what is asked after every fault alone: the election is that of the leader's death.
        """
        leader = await self._leader()
        await self.world.kill(leader)
        self.world.set_clock(leader, self.draw.choice((-1, 1)) * self.draw.choice(JUMPS_S))
        await self.world.start(leader)
        await self._for_a_while()

    async def attack(self, kind: str) -> None:
        """Attackers at every controller: it leads on, clients hardly notice, and nothing is done that may not be.

        Those without TLS are strangers without credentials; with TLS they have certificates.
        """
        for attempt in range(ATTEMPTS_MAX):
            wrong = await self._attack_once(kind)
            if wrong is None:
                return
            self.report.repeated_attacks += 1
            print(f"seed {self.report.seed}: {kind!r} again: {wrong}", flush=True)
            assert attempt + 1 < ATTEMPTS_MAX, f"{kind!r}, {ATTEMPTS_MAX} times one after the other: {wrong}"

    async def _attack_once(self, kind: str) -> str | None:
        """Say what is wrong, if anything is."""
        assert self.clients is not None
        leader, epoch = await self._leadership()
        targets = [self._target(node_id) for node_id in self.world.controller_ids]
        voters, processes = await self.world.voters(), self.world.processes
        self.world.forget_peaks()
        loop = asyncio.get_running_loop()
        modules = {"module": INSIDERS_MODULE} if kind in INSIDERS else {}
        async with attacked(kind, targets, self.draw, **modules):
            began = loop.time()
            await asyncio.sleep(ATTACK_S)
            if kind in MAY_DEPOSE:
                # What comes after it is asked for after every fault: that writes are acknowledged again.
                return None
            enough = f"{SAMPLES_MIN} writes are acknowledged under {kind!r}"
            since = partial(self._latencies_since, began)
            try:
                found = await eventually(since, lambda found: len(found) >= SAMPLES_MIN, enough, PATIENCE_S)
            except AssertionError as error:
                return str(error)
            finally:
                self._check_survival(kind, processes)
        p99 = _p99(found)
        now_voters = await self.world.voters()
        assert now_voters == voters, f"{kind!r} changed the voters {voters} to {now_voters}"
        now, after = await self._leadership()
        if (now, after) != (leader, epoch):
            return f"{leader} led epoch {epoch}, now {now} leads {after}"
        if p99 > ATTACKED_P99_FACTOR * max(self.report.calm_p99_s, CALM_P99_LEAST_S):
            return f"p99 is {p99:.3f} s, {self.report.calm_p99_s:.3f} s without attackers"
        self.report.attacked_p99_s[kind] = max(p99, self.report.attacked_p99_s.get(kind, 0.0))
        return None

    def _check_survival(self, kind: str, processes: Mapping[int, int]) -> None:
        """Fail if a process ended, or took too much memory."""
        ended = [node_id for node_id in processes.values() if not self.world.is_running(node_id)]
        assert not ended, f"{kind!r} ended {ended}: {self.world.log_of(ended[0])[-2_000:]}"
        peaks = self.world.peaks()
        self.report.attacked_bytes = max(self.report.attacked_bytes, *peaks.values())
        assert max(peaks.values()) <= ATTACKED_MEMORY_MAX_BYTES, f"memory (bytes) under {kind!r}: {peaks}"

    async def _latencies_since(self, since: float) -> list[float]:
        return self._latencies(since)

    def _latencies(self, since: float) -> list[float]:
        assert self.clients is not None
        return [took for ended, took in self.clients.latencies if ended - took >= since]

    def _target(self, node_id: int) -> Target:
        node = self.world.node(node_id)
        port = int(node.properties["listeners"].rpartition(":")[2])
        target = Target(
            node_id, port, str(node.grpc_endpoint), tuple(self.world.controller_ids), self.world.broker_ids[0]
        )
        secured = self.world.secured
        if secured is None:
            return target
        return replace(target, certificates=secured.attackers, is_authorized=secured.is_authorized)

    async def be_calm(self) -> None:
        """Measure what clients wait while nothing is wrong."""
        assert self.clients is not None
        began = asyncio.get_running_loop().time()
        await asyncio.sleep(CALM_S)
        self.report.calm_p99_s = _p99(self._latencies(began))

    def _others(self, node_id: int) -> list[int]:
        return [other for other in self.world.controller_ids if other != node_id]


def _p99(latencies: list[float]) -> float:
    return sorted(latencies)[min(len(latencies) - 1, len(latencies) * 99 // 100)]


async def campaign(
    root: Path,
    *,
    seed: int,
    seconds: float,
    only: tuple[str, ...] = (),
    each_fault: bool = False,
    until: Callable[[Report], bool] = lambda _: True,
    disks_lie: bool = False,
    patience_s: float = PATIENCE_S,
    protection: Protection = Protection.NONE,
) -> Report:
    """Run one campaign and judge it; history and log are kept beside the nodes' directories.

    Args:
        root: where to put everything.
        seed: draws the faults.
        seconds: how long to go on; each fault that was begun is ended.
        only: leave out all faults but these.
        each_fault: go on, however long it takes, until each of them has happened once.
        until: go on until this is so, too, for UNTIL_FAULTS_MAX faults at most.
        patience_s: how long the cluster may take, after each fault, until it acknowledges writes, and in the end
            until every node has them.
        disks_lie: let no sync do anything: a campaign with power losses must then find losses.
        protection: of the ports.

    Raises:
        AssertionError: there was no progress after a fault, or the nodes ended up with different logs.
    """
    report, draw, started = Report(seed, protection), random.Random(seed), time.monotonic()
    async with world(root / "cluster", protection=protection) as made:
        await made.leader()
        await made.let_the_attacking_broker_act()
        if disks_lie:
            made.let_disks_lie()
        clients = Clients(made, seed)
        report.history = clients.history
        try:
            nemesis = Nemesis(made, draw, report, clients)
            await _attack(
                nemesis, clients, seconds=seconds, only=only, each=each_fault, until=until, patience_s=patience_s
            )
            log = await _final_log(made, patience_s)
        finally:
            report.seconds, report.bytes_dropped = time.monotonic() - started, made.network.dropped
            save(root / HISTORY, clients.history)
    save_log(root / LOG, log)
    report.judgement = judge(clients.history, log)
    return report


async def _attack(
    nemesis: Nemesis,
    clients: Clients,
    *,
    seconds: float,
    only: tuple[str, ...],
    each: bool,
    until: Callable[[Report], bool],
    patience_s: float,
) -> None:
    """Make one fault after the other while clients are busy, in an order that is drawn again after each round."""
    stop, started, report = asyncio.Event(), time.monotonic(), nemesis.report
    faults = nemesis.possible(only)
    assert faults, f"none of {only} is possible here: {report.skipped}"
    async with asyncio.TaskGroup() as tasks:
        tasks.create_task(clients.run(stop))
        try:
            await _progress(clients, "the start", PATIENCE_S)
            if not {*ATTACKS, *INSIDERS}.isdisjoint(faults):
                await nemesis.be_calm()
            order: list[str] = []
            due = len(faults) if each else 1
            while (
                time.monotonic() - started < seconds
                or len(report.faults) < due
                or (not until(report) and report.faults.total() < UNTIL_FAULTS_MAX)
            ):
                if not order:
                    order = sorted(faults)
                    nemesis.draw.shuffle(order)
                name = order.pop()
                await faults[name]()
                report.faults[name] += 1
                await nemesis.world.heal()
                await _progress(clients, name, patience_s)
        finally:
            stop.set()


async def _progress(clients: Clients, after: str, patience_s: float) -> None:
    target = clients.acknowledged + PROGRESS

    async def count() -> int:
        return clients.acknowledged

    await eventually(count, lambda have: have >= target, f"writes are acknowledged after {after!r}", patience_s)


async def _final_log(made: World, patience_s: float) -> list[Written]:
    """Read the whole log from every node, once all have it; they must be equal, and of one cluster."""
    leader = await made.leader()
    gauges = await made.metrics(leader)
    upto = int(gauges["kraft_last_applied_record_offset"])
    logs: dict[int, list[bytes]] = {}
    for node_id in made.controller_ids:
        await made.caught_up(node_id, upto, patience_s)
        async with made.client(node_id) as client:
            batches = [batch for batch in await watched(client, upto) if batch.last_offset <= upto]
        check_offsets(batches)
        logs[node_id] = [batch.records for batch in batches]
    for node_id in made.broker_ids:
        await made.caught_up(node_id, upto, patience_s)
        logs[node_id] = [batch.data for batch in read_log(made.data(node_id)) if batch.next_offset <= upto + 1]
    first = logs[leader]
    for node_id, other in logs.items():
        assert other == first, f"the logs of {leader} and {node_id} differ below offset {upto}"
    forbidden = [each for each in first if FORBIDDEN.encode() in each]
    assert not forbidden, f"an attacker did what it may not do: {forbidden[0]!r}"
    unfenced = dict.fromkeys(made.broker_ids, False)
    await eventually(made.brokers, lambda now: now == unfenced, "every broker is registered and unfenced", patience_s)
    texts = [path.read_text() for path in made.sandbox.root.rglob("meta.properties")]
    ids = {parse_meta_properties(text).cluster_id for text in texts}
    assert len(ids) == 1, f"meta.properties name the clusters {ids}"
    return [written for records in first for written in _writes(parse_batch(records))]


def _writes(batch: Batch) -> list[Written]:
    if batch.is_control:
        return []
    found = []
    for offset, value in enumerate(batch.values(), batch.base_offset):
        record = decode_record(value, SchemaSet.KRAFTPY)
        if isinstance(record, ConfigRecord) and record.name == KEY and record.resource_type == GROUP:
            found.append(Written(offset, record.resource_name, record.value))
        elif isinstance(record, FeatureLevelRecord) and record.name == FEATURE:
            found.append(Written(offset, FEATURE, str(record.feature_level) if record.feature_level else None))
    return found


def save_log(path: Path, log: Iterable[Written]) -> None:
    """Keep the log that a cluster ended up with."""
    path.write_text("".join(json.dumps(asdict(each)) + "\n" for each in log), encoding="utf-8")


def judge_again(directory: Path) -> Judgement:
    """Judge what was kept of a campaign."""
    lines = (directory / LOG).read_text(encoding="utf-8").splitlines()
    return judge(load(directory / HISTORY), [Written(**json.loads(line)) for line in lines])
