"""What goes wrong, and when: crashes, cuts, disks that fail or fill up, clocks that jump. Then nothing any more."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import TYPE_CHECKING

from kraftpy.raft.roles import Leader

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

DOWN_MS = (5, 20, 200, 1_500)
"""How long a process may be down."""

CUT_MS = (200, 1_000, 4_000)
"""How long a cut may last."""

TWIN_POLL_MS = 20

JUMP_MS = (100, 1_000, 10_000, 86_400_000)
"""How far a clock may jump."""

KILL_OPERATIONS = (3, 12, 40)
"""Before which of its next operations on the disk a process may be killed."""


class Faults:
    """The source of all trouble; silent after :meth:`stop`."""

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/faults")
        self._active = True
        self._held_down: set[int] = set()

    def start(self) -> None:
        """Begin."""
        options = self._sim.options
        self._repeat(options.crash_interval_ms, self._crash)
        self._repeat(options.partition_interval_ms, self._cut)
        self._repeat(options.sync_failure_interval_ms, self._fail_syncs)
        self._repeat(options.disk_full_interval_ms, self._fill_disk)
        self._repeat(options.jump_interval_ms, self._jump)
        self._repeat(options.wipe_interval_ms, self._wipe)

    def _repeat(self, mean_ms: int, fault: Callable[[], None]) -> None:
        if not mean_ms:
            return

        def again() -> None:
            if self._active:
                fault()
                self._sim.world.later(self._rng.randint(1, 2 * mean_ms), again)

        self._sim.world.later(self._rng.randint(1, 2 * mean_ms), again)

    def stop(self, *, held_down: set[int]) -> None:
        """Stop, repair everything, and leave some nodes down until :meth:`release`."""
        self._active = False
        self._held_down = held_down
        self._sim.network.heal()
        for node in self._sim.all_nodes():
            node.disk.repair()
            node.disk.fs.before = lambda _operation, _path: None
            if node.id in held_down:
                node.die(powered_off=self._powered_off())
            elif not node.is_up:
                self._restart(node)

    def release(self) -> None:
        """Let everybody run."""
        held_down, self._held_down = self._held_down, set()
        for node in self._sim.all_nodes():
            if node.id in held_down:
                self._restart(node)

    # ---------------------------------------------------------------- twins

    def plan_twins(self) -> None:
        """Start the twin, if there is to be one, once somebody leads and counts the real voter."""
        for node in self._sim.network.nodes.values():
            if node.twin_of is not None:
                self._sim.world.later(self._rng.randint(500, 4_000), lambda node=node: self._start_twin(node))

    def _start_twin(self, node: SimulatedNode) -> None:
        if not self._active:
            return
        leader = self._sim.leader()
        if leader is None or not self._counts(leader, node.replica_id):
            self._sim.world.later(TWIN_POLL_MS, lambda: self._start_twin(node))
            return
        node.retired = False
        node.start()

    def _counts(self, leader: SimulatedNode, node_id: int) -> bool:
        role = leader.running.replica.core.role
        if leader.id == node_id:
            return True
        return isinstance(role, Leader) and role.progress.end_offset_of(node_id) is not None

    def retire_twins(self) -> None:
        """Let the operator hear of it: the second process is stopped for good."""
        for node in self._sim.network.nodes.values():
            if node.twin_of is not None and not node.retired:
                node.die(powered_off=False)
                node.retired = True

    # ---------------------------------------------------------------- processes

    def _powered_off(self) -> bool:
        return self._rng.randrange(1_000) < self._sim.options.powered_off

    def _crash(self) -> None:
        node = self._rng.choice(self._sim.all_nodes())
        if not node.is_up or node.id == self._sim.options.twin:
            return
        if self._rng.randrange(1_000) < self._sim.options.graceful:
            node.begin_stop()
        elif self._rng.random() < 0.5:
            node.kill_at(self._rng.randrange(self._rng.choice(KILL_OPERATIONS)))
        else:
            node.die(powered_off=self._powered_off())

    def _wipe(self) -> None:
        """Lose the disks of some voters at once; one of those that hold records is spared.

        If all were lost, nothing could tell that from a first start.
        """
        voters = self._sim.voters()
        holding = [node for node in voters if node.disk.holds_records]
        spared = self._rng.choice(holding or voters)
        for node in self._rng.sample(voters, self._rng.choice((1, 1, self._rng.randint(1, len(voters))))):
            if node is not spared:
                node.wipe(keep_identity=self._rng.random() < 0.3)

    def voted(self, node: SimulatedNode) -> None:
        """Perhaps let a node die right after a vote: what it forgets then is the worst it can forget."""
        if self._active and self._rng.randrange(1_000) < self._sim.options.crash_after_vote:
            incarnation = node.incarnation
            self._sim.world.later(
                self._rng.randint(0, 2),
                lambda: node.die(powered_off=self._powered_off()) if node.incarnation == incarnation else None,
            )

    def node_ended(self, node: SimulatedNode) -> None:
        """Start it again, later; a twin that died is noticed and not started again."""
        if node.twin_of is not None:
            node.retired = True
            return
        down_ms = self._rng.randint(1, self._rng.choice(DOWN_MS)) if self._active else 1
        self._sim.world.later(down_ms, lambda: self._restart(node))

    def _restart(self, node: SimulatedNode) -> None:
        if node.is_up or node.id in self._held_down:
            return
        node.disk.repair()
        if self._active and self._sim.options.crash_interval_ms and self._rng.random() < 0.1:
            node.kill_at(self._rng.randrange(30))
        node.start()

    # ---------------------------------------------------------------- links

    def _cut(self) -> None:
        nodes = [node.id for node in self._sim.all_nodes()]
        kind = self._rng.choice(("one", "halves", "one way", "leader"))
        leader = self._sim.leader()
        if kind == "leader" and leader is not None:
            group = {leader.id}
        elif kind == "halves":
            group = set(self._rng.sample(nodes, max(1, len(nodes) // 2)))
        else:
            group = {self._rng.choice(nodes)}
        pairs = {(a, b) for a in group for b in nodes if b not in group}
        if kind != "one way" or self._rng.random() < 0.5:
            pairs |= {(b, a) for a, b in pairs} if kind != "one way" else set()
        else:
            pairs = {(b, a) for a, b in pairs}
        cut_ms = self._rng.randint(50, self._rng.choice(CUT_MS))
        self._sim.world.note("network", "cut", f"{kind} {sorted(group)} for {cut_ms}")
        self._sim.network.cut |= pairs
        self._sim.world.later(cut_ms, lambda: self._sim.network.cut.difference_update(pairs))

    # ---------------------------------------------------------------- clocks

    def _jump(self) -> None:
        leader = self._sim.leader()
        node = leader if leader is not None and self._rng.random() < 0.5 else self._rng.choice(self._sim.all_nodes())
        # A broker that misses a day gives up registering, as it should.
        ahead_ms = self._rng.choice(JUMP_MS if node.is_voter else JUMP_MS[:-1])
        self._sim.world.note(str(node.id), "fault", f"clock jumps {ahead_ms} ahead")
        node.clock.jump(ahead_ms)
        if node.is_up:
            self._sim.checkers.on_jump(node, ahead_ms)
            node.schedule_turn(0)

    # ---------------------------------------------------------------- disks

    def _fail_syncs(self) -> None:
        node = self._rng.choice(self._sim.all_nodes())
        if node.is_up:
            self._sim.world.note(str(node.id), "fault", "syncs fail")
            node.disk.fail_syncs()

    def _fill_disk(self) -> None:
        node = self._rng.choice(self._sim.all_nodes())
        if node.is_up and not node.disk.faulty:
            self._sim.world.note(str(node.id), "fault", "disk full")
            node.disk.fill()
            incarnation = node.incarnation
            self._sim.world.later(
                self._rng.randint(100, 2_000),
                lambda: node.disk.repair() if node.is_up and node.incarnation == incarnation else None,
            )
