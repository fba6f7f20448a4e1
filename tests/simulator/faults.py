"""What goes wrong, and when: crashes, cuts, disks that fail, fill up or rot, clocks that jump. Then nothing any more.

Every fault has a name, its kind and its number among them (``crash-3``), and draws from a generator of its own: so a
history can be had again without some of them (see ``shrink``).
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from kraftpy.raft.roles import Leader
from tests.fakes.memory import flip_bit
from tests.simulator.bit_rot import KINDS
from tests.simulator.links import cut_one_way
from tests.simulator.operators import Operator
from tests.simulator.strangers import flood, forge

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

DOWN_MS = (5, 20, 200, 1_500)
"""How long a process may be down."""

CUT_MS = (200, 1_000, 4_000)
"""How long a cut may last."""

SIDES = ("both", "group", "rest")
"""Where a client may be when the network is cut: it reaches all nodes, those that are cut off, or the rest."""

DUPLICATE_POLL_MS = 20

JUMP_MS = (100, 1_000, 10_000, 86_400_000)
"""How far a clock may jump."""

SUSPENSION_MAX_MS = 4_000
"""How long a machine may be suspended where a clock must not jump (see ``Faults._jump``)."""

KILL_OPERATIONS = (3, 12, 40)
"""Before which of its next operations on the disk a process may be killed."""


Fault = Callable[[random.Random], None]


class Faults:
    """The source of all trouble; silent after :meth:`stop`.

    Attributes:
        happened: the names of all faults, in order.
        flipped: the texts in whose memory a bit flipped.
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/faults")
        self._operator = Operator(sim)
        self._active = True
        self._held_down: set[int] = set()
        self.happened: list[str] = []
        self.flipped: list[str] = []
        self._weak: SimulatedNode | None = None
        self._next_vote_is_lost: random.Random | None = None

    def start(self) -> None:
        """Begin."""
        options = self._sim.options
        self._repeat("crash", options.crash_interval_ms, self._crash)
        self._repeat("cut", options.partition_interval_ms, self._cut)
        self._repeat("one-way", options.one_way_interval_ms, partial(cut_one_way, self._sim))
        self._repeat("sync-failure", options.sync_failure_interval_ms, self._fail_syncs)
        self._repeat("disk-full", options.disk_full_interval_ms, self._fill_disk)
        self._repeat("jump", options.jump_interval_ms, self._jump)
        self._repeat("wipe", options.wipe_interval_ms, self._wipe)
        self._repeat("vote-loss", options.vote_loss_interval_ms, self._lose_vote)
        self._repeat("memory", options.memory_interval_ms, self._flip_memory)
        self._repeat("flip", options.flip_interval_ms, self._flip)
        self._repeat("misdirected", options.misdirected_interval_ms, partial(self._lie, "write misdirected"))
        self._repeat("lost-write", options.lost_write_interval_ms, partial(self._lie, "write lost"))
        self._repeat("voters", options.membership_interval_ms, self._operator.change_voters)
        self._repeat("transfer", options.transfer_interval_ms, self._operator.transfer)
        self._repeat("forged", options.forged_interval_ms, partial(forge, self._sim))
        self._repeat("flood", options.flood_interval_ms, partial(flood, self._sim))
        self._repeat("snapshot", options.snapshot_interval_ms, self._operator.snapshot)

    def _repeat(self, kind: str, mean_ms: int, fault: Fault) -> None:
        if not mean_ms:
            return
        when = random.Random(f"{self._sim.seed}/faults/{kind}")
        number = 0

        def again() -> None:
            nonlocal number
            if not self._active:
                return
            number += 1
            name = f"{kind}-{number}"
            if name not in self._sim.left_out:
                self.happened.append(name)
                fault(random.Random(f"{self._sim.seed}/faults/{name}"))
            self._sim.world.later(when.randint(1, 2 * mean_ms), again)

        self._sim.world.later(when.randint(1, 2 * mean_ms), again)

    def stop(self, *, held_down: set[int]) -> None:
        """Stop, repair everything, and leave some nodes down until :meth:`release`."""
        self._active = False
        self._held_down = held_down
        self._sim.network.heal()
        for node in self._sim.all_nodes():
            node.disk.repair()
            node.disk.fs.before = lambda _operation, _path: None
            if node.id in held_down or node.disk.rotten:
                # What rots is met at the latest when everything is read again.
                node.die(powered_off=self._powered_off(self._rng))
            if node.id not in held_down and not node.is_up:
                self._restart(node)

    def release(self) -> None:
        """Let everybody run."""
        held_down, self._held_down = self._held_down, set()
        for node in self._sim.all_nodes():
            if node.id in held_down:
                self._restart(node)

    # ---------------------------------------------------------------- duplicate node ids

    def plan_duplicates(self) -> None:
        """Start the process with a duplicate node id, if one is planned, once a leader counts the real voter."""
        for node in self._sim.network.nodes.values():
            if node.duplicate_of is not None:
                self._sim.world.later(self._rng.randint(500, 4_000), lambda node=node: self._start_duplicate(node))

    def _start_duplicate(self, node: SimulatedNode) -> None:
        if not self._active:
            return
        leader = self._sim.leader()
        if leader is None or not self._counts(leader, node.replica_id):
            self._sim.world.later(DUPLICATE_POLL_MS, lambda: self._start_duplicate(node))
            return
        self._sim.world.fault(str(node.id), "duplicate")
        node.retired = False
        node.start()

    def _counts(self, leader: SimulatedNode, node_id: int) -> bool:
        role = leader.running.replica.state.role
        if leader.id == node_id:
            return True
        return isinstance(role, Leader) and role.progress.end_offset_of(node_id) is not None

    def retire_duplicates(self) -> None:
        """Let the operator hear of it: the second process is stopped for good."""
        for node in self._sim.network.nodes.values():
            if node.duplicate_of is not None and not node.retired:
                node.die(powered_off=False)
                node.retired = True

    # ---------------------------------------------------------------- processes

    def _powered_off(self, rng: random.Random) -> bool:
        return rng.randrange(1_000) < self._sim.options.powered_off

    def _crash(self, rng: random.Random) -> None:
        node = rng.choice(self._sim.all_nodes())
        if not node.is_up or node.id == self._sim.options.duplicate:
            return
        if rng.randrange(1_000) < self._sim.options.graceful:
            self._sim.world.fault(str(node.id), "stop")
            node.begin_stop()
        elif rng.random() < 0.5:
            self._sim.world.fault(str(node.id), "crash at an operation")
            node.kill_at(rng.randrange(rng.choice(KILL_OPERATIONS)))
        else:
            self._sim.world.fault(str(node.id), "crash")
            node.die(powered_off=self._powered_off(rng))

    def _wipe(self, rng: random.Random) -> None:
        """Lose the disks of some voters at once; one of those that hold records is spared.

        If all were lost, it could not be distinguished from a first start.
        """
        voters = self._sim.controllers()
        holding = [node for node in voters if node.disk.holds_records] or [node for node in voters if node.disk.counts]
        spared = rng.choice(holding or voters)
        for node in rng.sample(voters, rng.choice((1, 1, rng.randint(1, len(voters))))):
            if node is not spared:
                self._sim.world.fault(str(node.id), "disk lost")
                node.wipe(keep_identity=rng.random() < 0.3)

    def _lose_vote(self, rng: random.Random) -> None:
        """Let a voter die and lose its quorum-state beside the log that it keeps: at once, or after the next vote."""
        if rng.random() < 0.5:
            self._next_vote_is_lost = rng
        else:
            self._lose_vote_of(rng.choice(self._sim.controllers()), rng)

    def _lose_vote_of(self, node: SimulatedNode, rng: random.Random) -> None:
        """Do so, if the voters that count without it are a majority; one whose log is empty is another fault's."""
        voters = self._sim.controllers()
        counting = [each for each in voters if each.disk.counts and each is not node]
        if not self._active or 2 * len(counting) <= len(voters):
            return
        node.die(powered_off=self._powered_off(rng))
        if node.disk.holds_records:
            self._sim.world.fault(str(node.id), "vote lost")
            node.lose_vote()

    def voted(self, node: SimulatedNode, *, pre_vote: bool) -> None:
        """Perhaps let a node die right after a vote: what it forgets then is the worst it can forget."""
        if self._next_vote_is_lost is not None and not pre_vote:
            rng, self._next_vote_is_lost = self._next_vote_is_lost, None
            self._sim.world.later(rng.randint(0, 2), lambda: self._lose_vote_of(node, rng))
        if self._active and self._rng.randrange(1_000) < self._sim.options.crash_after_vote:
            incarnation = node.incarnation

            def die() -> None:
                if node.is_up and node.incarnation == incarnation:
                    self._sim.world.fault(str(node.id), "crash after a vote")
                    node.die(powered_off=self._powered_off(self._rng))

            self._sim.world.later(self._rng.randint(0, 2), die)

    def node_ended(self, node: SimulatedNode) -> None:
        """Start it again, later; a duplicate that died is recorded and not started again."""
        if node.duplicate_of is not None:
            node.retired = True
            return
        down_ms = self._rng.randint(1, self._rng.choice(DOWN_MS)) if self._active else 1
        self._sim.world.later(down_ms, lambda: self._restart(node))

    def _restart(self, node: SimulatedNode) -> None:
        if node.is_up or node.id in self._held_down:
            return
        node.disk.repair()
        if node.disk.condemned:
            self._operator.replace_disk(node)
        if self._active and self._sim.options.crash_interval_ms and self._rng.random() < 0.1:
            node.kill_at(self._rng.randrange(30))
        node.start()

    # ---------------------------------------------------------------- links

    def _cut(self, rng: random.Random) -> None:
        nodes = [node.id for node in self._sim.all_nodes()]
        kind = rng.choice(("one", "halves", "one way", "leader"))
        leader, share = self._sim.leader(), self._sim.options.cut_with_clients
        with_clients = bool(share) and rng.randrange(1_000) < share
        if with_clients:
            kind = "leader"
            self._sim.network.cut.clear()
        if kind == "leader" and leader is not None:
            group = {leader.id}
        elif kind == "halves":
            group = set(rng.sample(nodes, max(1, len(nodes) // 2)))
        else:
            group = {rng.choice(nodes)}
        pairs = {(a, b) for a in group for b in nodes if b not in group}
        if kind != "one way":
            pairs |= {(b, a) for a, b in pairs}
        elif rng.random() < 0.5:
            pairs = {(b, a) for a, b in pairs}
        cut_ms = rng.randint(50, rng.choice(CUT_MS))
        if kind == "leader" and with_clients:
            # Long enough for another to be elected; clients on this leader's side of the cut request nothing new.
            cut_ms = max(cut_ms, 2 * self._sim.options.fetch_timeout_ms)
            self._sim.registers.only_repeat(cut_ms)
            pairs |= self._clients_cut(rng, group, nodes, writers=("rest",), repeaters=("group",))
        elif self._sim.options.register_clients:
            pairs |= self._clients_cut(rng, group, nodes)
        self._sim.world.fault("network", "cut", f"{kind} {sorted(group)} for {cut_ms}")
        self._sim.network.cut |= pairs
        self._sim.world.later(cut_ms, lambda: self._sim.network.cut.difference_update(pairs))

    def _clients_cut(
        self,
        rng: random.Random,
        group: set[int],
        nodes: list[int],
        *,
        writers: tuple[str, ...] = SIDES,
        repeaters: tuple[str, ...] = SIDES,
    ) -> set[tuple[int, int]]:
        """Put each client on one side of a cut, or on both: one that was cut off with a leader believes in it."""
        pairs = set()
        workload, registers = self._sim.workload, self._sim.registers
        clients = [(one, writers) for one in workload.addresses]
        clients += [(one, SIDES) for one in self._sim.readers.addresses]
        clients += [(one, repeaters) for one in registers.addresses]
        for client, sides in clients:
            side = rng.choice(sides)
            beyond = [node for node in nodes if side != "both" and (node in group) != (side == "group")]
            pairs |= {(client, node) for node in beyond} | {(node, client) for node in beyond}
        return pairs

    # ---------------------------------------------------------------- clocks

    def _jump(self, rng: random.Random) -> None:
        """Let a clock jump ahead, or where disks or votes are lost let its machine be suspended.

        A node's clock counts the time that its machine is suspended, so it does not jump while all other clocks are
        stopped. The probation of a directory, or of a vote, that was lost depends on this.
        """
        leader = self._sim.leader()
        node = leader if leader is not None and rng.random() < 0.5 else rng.choice(self._sim.all_nodes())
        # A broker that misses a day gives up registering, as it should.
        ahead_ms = rng.choice(JUMP_MS if node.is_controller else JUMP_MS[:-1])
        options = self._sim.options
        if options.wipe_interval_ms or options.vote_loss_interval_ms or options.rots:
            self._suspend(node, min(ahead_ms, SUSPENSION_MAX_MS))
            return
        self._sim.world.fault(str(node.id), "clock jump", f"{ahead_ms} ahead")
        node.clock.jump(ahead_ms)
        self._sim.unnamed.jumped_ms = self._sim.world.now_ms
        if node.is_up:
            self._sim.checkers.on_jump(node, ahead_ms)
            node.schedule_turn(0)

    def _suspend(self, node: SimulatedNode, for_ms: int) -> None:
        self._sim.world.fault(str(node.id), "suspension", f"for {for_ms}")
        if node.is_up:
            node.suspend(for_ms)
            self._sim.checkers.on_jump(node, node.clock.own_delay_ms(for_ms))

    # ---------------------------------------------------------------- disks

    def _fail_syncs(self, rng: random.Random) -> None:
        node = rng.choice(self._sim.all_nodes())
        if node.is_up:
            self._sim.world.fault(str(node.id), "syncs fail")
            node.disk.fail_syncs()

    def _fill_disk(self, rng: random.Random) -> None:
        node = rng.choice(self._sim.all_nodes())
        if node.is_up and not node.disk.faulty:
            self._sim.world.fault(str(node.id), "disk full")
            node.disk.fill()
            incarnation = node.incarnation
            self._sim.world.later(
                rng.randint(100, 2_000),
                lambda: node.disk.repair() if node.is_up and node.incarnation == incarnation else None,
            )

    def _flip_memory(self, rng: random.Random) -> None:
        """Let a bit flip in what one voter, always the same, or an observer holds in memory of what clients wrote.

        In half of the histories that voter is the one that leads when the first bit flips, in the others any.

        None flips back: a memory that was wrong only for a while may have written a wrong snapshot that a majority
        confirms afterwards, and no digest shows it.
        """
        if self._weak is None:
            draw, leader = random.Random(f"{self._sim.seed}/memory"), self._sim.leader()
            begins_with_leader, drawn = draw.random() < 0.5, draw.choice(self._sim.controllers())
            if begins_with_leader and leader is None:
                return
            self._weak = leader if begins_with_leader else drawn
        assert self._weak is not None
        node = rng.choice([self._weak, *(node for node in self._sim.all_nodes() if not node.is_controller)])
        if not node.is_up:
            return
        configs = node.running.state_machine.image.configs
        values = [pair for one in sorted(configs.resources()) for pair in sorted(configs.of(*one).items())]
        texts = [text for _, text in values if len(text) > 1 and all(text is not one for one in self.flipped)]
        if texts:
            text = rng.choice(texts)
            leads = node is self._sim.leader()
            self._sim.world.fault(str(node.id), "leader's memory flipped" if leads else "memory flipped")
            flip_bit(text)
            self.flipped.append(text)
            node.memory_harmed += 1

    def _flip(self, rng: random.Random) -> None:
        node = self._rotting(rng)
        harm = None if node is None else KINDS["bit flipped"](node.disk.fs, rng)
        if node is not None and harm is not None:
            self._sim.world.fault(str(node.id), "bit flipped", node.disk.bit_rot(harm))

    def _lie(self, kind: str, rng: random.Random) -> None:
        """Let a machine lose its power, and be found to have written something else than it said."""
        node = self._rotting(rng)
        harm = None if node is None else KINDS[kind](node.disk.fs, rng)
        if node is None or harm is None:
            return
        node.die(powered_off=True)
        self._sim.world.fault(str(node.id), kind, node.disk.bit_rot(harm))

    def _rotting(self, rng: random.Random) -> SimulatedNode | None:
        """Choose one of those whose disks may rot: a minority of the voters, the same for the whole history."""
        nodes = self._sim.all_nodes()
        voters = [node for node in nodes if node.is_controller]
        minority = max(len(voters) == 1, (len(voters) - 1) // 2)
        rotting = random.Random(f"{self._sim.seed}/rotting").sample(voters, minority)
        candidates = [*rotting, *(node for node in nodes if not node.is_controller)]
        return rng.choice(candidates) if candidates else None
