"""Random schedules over a whole quorum: messages dropped, doubled and reordered, processes killed, tails lost.

Each seed draws its own cluster and its own faults. While the faults last only safety is asked for (the checks run after
every event, and the fake cluster compares every committed record with what was committed there before). Then everything
heals, and the cluster must elect a leader, commit and agree.
"""

from __future__ import annotations

import random

import pytest

from kraftpy.model.errors import LocalError
from kraftpy.model.invariant import InvariantViolation
from kraftpy.raft.invariants import check_majority_holds
from kraftpy.raft.ready import Role
from tests.fakes.raft_cluster import Cluster

SEEDS = 300
SEEDS_PER_TEST = 25
STEPS = 250


class Schedule:
    """One seed's run."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)
        draw = self.random
        self.voters = draw.choice((1, 2, 3, 3, 3, 4, 5))
        self.drop = draw.choice((0.0, 0.05, 0.3))
        self.double = draw.choice((0.0, 0.1))
        self.reorder = draw.choice((0.0, 0.5))
        self.crash = draw.choice((0.0, 0.01, 0.05))
        self.partition = draw.choice((0.0, 0.01, 0.03))
        self.snapshot = draw.choice((0.0, 0.0, 0.02))
        self.slow_disk = draw.choice((0.0, 0.02, 0.05))
        self.values = 0
        self.confirming = draw.choice((0.0, 0.1, 0.3))
        self.confirmed = 0
        self.newest_leader = 0
        self._tickets: dict[tuple[int, int, int, int], int] = {}
        self.cluster = Cluster(
            range(1, self.voters + 1),
            range(11, 11 + draw.choice((0, 0, 1))),
            seed=seed,
            dynamic=draw.random() < 0.3,
            fetch_max_bytes=draw.choice((100, 100_000)),
        )

    def run(self) -> None:
        for _ in range(STEPS):
            self.step()
            self.check()
        self.heal()

    def step(self) -> None:
        draw, cluster = self.random, self.cluster
        if draw.random() < self.crash:
            self.crash_or_start()
        if draw.random() < self.partition:
            cluster.isolate(draw.choice(sorted(cluster.nodes))) if draw.random() < 0.6 else cluster.heal()
        if draw.random() < self.snapshot:
            self.snapshot_somewhere()
        if draw.random() < self.slow_disk:
            cluster.slow_disks ^= {draw.choice(sorted(cluster.nodes))}
        for node_id in sorted(cluster.nodes):
            if draw.random() < 0.2:
                cluster.flush(node_id)
        if draw.random() < self.confirming:
            self.ask_who_leads()
        action = draw.random()
        if action < 0.25:
            self.propose()
        elif action < 0.85 and cluster.wire:
            self.deliver()
        else:
            self.pass_time()

    def crash_or_start(self) -> None:
        node = self.cluster.nodes[self.random.choice(sorted(self.cluster.nodes))]
        if node.replica is None:
            self.cluster.start(node.id)
        else:
            self.cluster.crash(node.id, survivors=self.random.randrange(2))

    def snapshot_somewhere(self) -> None:
        running = [
            node for node in self.cluster.running() if node.committed > node.disk.start_offset and not node.writing
        ]
        if running:
            node = self.random.choice(running)
            self.cluster.freeze_snapshot(node.id)
            if self.random.random() < 0.7:
                self.cluster.drop_log_start(node.id)

    def propose(self) -> None:
        for node in self.cluster.running():
            if node.alive.role is Role.LEADER:
                group = [f"v{self.values + index}".encode() for index in range(self.random.randrange(1, 4))]
                self.values += len(group)
                self.cluster.propose(*group, node_id=node.id)

    def deliver(self) -> None:
        cluster, draw = self.cluster, self.random
        place = draw.randrange(len(cluster.wire)) if draw.random() < self.reorder else 0
        if draw.random() < self.drop:
            del cluster.wire[place]
        else:
            cluster.deliver(cluster.wire[place], keep=draw.random() < self.double)

    def ask_who_leads(self) -> None:
        """Let every leader, deposed ones too, have its leadership confirmed."""
        for node in self.cluster.running():
            replica = node.alive
            if replica.role is Role.LEADER:
                ticket = replica.request_confirmation(self.cluster.now_ms, replica.epoch)
                self._tickets[node.id, node.incarnation, replica.epoch, ticket] = self.newest_leader
                self.cluster.pump(node)

    def check_confirmed(self) -> None:
        """No later epoch had a leader when a ticket was taken that is confirmed."""
        for (node_id, incarnation, epoch, ticket), newest in list(self._tickets.items()):
            node = self.cluster.nodes[node_id]
            is_there = node.replica is not None and node.incarnation == incarnation
            confirmed = node.alive.confirmed(epoch) if is_there else None
            if confirmed is None:
                del self._tickets[node_id, incarnation, epoch, ticket]
            elif confirmed >= ticket:
                del self._tickets[node_id, incarnation, epoch, ticket]
                self.confirmed += 1
                assert newest <= epoch, f"node {node_id} has ticket {ticket} of epoch {epoch} confirmed after {newest}"

    def pass_time(self) -> None:
        cluster = self.cluster
        deadline_ms = cluster.next_deadline_ms()
        if deadline_ms is None or self.random.random() < 0.5:
            deadline_ms = cluster.now_ms + self.random.choice((1, 5, 50))
        cluster.advance_to(deadline_ms)

    def check(self) -> None:
        leader = self.cluster.leader()
        if leader is not None:
            self.newest_leader = max(self.newest_leader, leader.alive.epoch)
        self.check_confirmed()
        if leader is not None and leader.alive.state.role.high_watermark is not None:
            ends = [self.flushed_end(node_id) for node_id in self.cluster.static.ids]
            check_majority_holds(ends, self.voters, leader.alive.state.role.high_watermark)

    def flushed_end(self, node_id: int) -> int:
        disk = self.cluster.nodes[node_id].disk
        return disk.batches[disk.flushed - 1].next_offset if disk.flushed else disk.start_offset

    def heal(self) -> None:
        cluster = self.cluster
        cluster.heal()
        cluster.slow_disks.clear()
        for node_id in sorted(cluster.nodes):
            cluster.flush(node_id)
            if cluster.nodes[node_id].replica is None:
                cluster.start(node_id)
        cluster.wire.clear()
        cluster.elect()
        cluster.propose(b"after the storm")
        cluster.settle()
        self.compare_logs()

    def compare_logs(self) -> None:
        """Every node holds every committed record that its log still reaches."""
        for node in self.cluster.running():
            values = {offset: (epoch, value) for offset, epoch, value in node.disk.values(node.committed)}
            expected = {
                offset: record for offset, record in self.cluster.committed.items() if offset >= node.disk.start_offset
            }
            assert values == expected, f"node {node.id} lacks or changed committed records"


def run_seed(seed: int) -> None:
    try:
        Schedule(seed).run()
    except (AssertionError, InvariantViolation, LocalError, KeyError) as error:
        pytest.fail(
            f"seed {seed}: {error!r}\nreplay: python -c "
            f"'from tests.properties.test_raft_random import Schedule; Schedule({seed}).run()'"
        )


@pytest.mark.parametrize("first", range(0, SEEDS, SEEDS_PER_TEST))
def test_safety_under_faults_and_progress_after_them(first: int) -> None:
    """No schedule of faults breaks an invariant or loses a committed record, and a healed cluster makes progress."""
    for seed in range(first, first + SEEDS_PER_TEST):
        run_seed(seed)


def test_confirmations_are_asked_for_and_given() -> None:
    """The schedules reach what they check."""
    confirmed = 0
    for seed in range(40):
        schedule = Schedule(seed)
        schedule.run()
        confirmed += schedule.confirmed
    assert confirmed > 100


def test_a_seed_names_one_run() -> None:
    """The same seed gives the same run to the last event, so that a failure can be replayed."""
    runs = [Schedule(7), Schedule(7)]
    for schedule in runs:
        schedule.run()
    digests = [
        [(node.id, str(node.events), node.disk.values()) for node in schedule.cluster.running()] for schedule in runs
    ]
    assert digests[0] == digests[1]
