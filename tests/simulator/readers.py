"""Clients that read registers, a node's committed state or a linearizable one, and clients that watch the log.

A watcher goes on from where it is at another node when the one that it asked does not answer; it is shown every offset
once and in order, or a snapshot that ends behind what it has.

A committed read is right as of the offset that it states, and one process never shows an older state than before. A
linearizable one has everything that was acknowledged, and read, before it was asked for; it is an operation of its own
in its register's history. Both are judged by :mod:`tests.simulator.checkers.linearizable`.
"""

from __future__ import annotations

import random
from collections.abc import Coroutine
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError, BusyError, MalformedError, StorageError
from kraftpy.records.batch import split_batches
from kraftpy.transport.node_api import OffsetGone, ReadAt
from tests.simulator.checkers import CheckFailed
from tests.simulator.registers import FEATURE, GROUPS, value_of
from tests.simulator.workload import ANSWER_TIMEOUT_MS, Moments

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

T = TypeVar("T")

LINEARIZABLE_SHARE = 0.6
WATCHED_BYTES = 2_000
LEAVES = 0.05
"""How often a watcher goes to another node."""


@dataclass(frozen=True, slots=True)
class Read:
    """An answer: a register's value as of an offset.

    Attributes:
        began: the moment at which it was asked for.
        ended: the moment at which the answer was made.
    """

    key: str
    value: str | None
    offset: int
    linearizable: bool
    began: int
    ended: int


class Readers:
    """All readers.

    Attributes:
        answers: what they were answered.
    """

    address = -201

    def __init__(self, sim: Simulation, moments: Moments, readers: int, interval_ms: int) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/readers")
        self._moments = moments
        self._readers = readers
        self._interval_ms = interval_ms
        self._shown: dict[tuple[int, int], int] = {}
        self._known: dict[tuple[int, int], int] = {}
        self.answers: list[Read] = []
        self.running = True

    @property
    def addresses(self) -> list[int]:
        """Where they are, for the network."""
        return [self.address - reader for reader in range(self._readers)]

    def start(self) -> None:
        """Let them begin."""
        for reader in range(self._readers):
            self._pause(reader)

    def stop(self) -> None:
        """Begin no more reads."""
        self.running = False

    def _pause(self, reader: int) -> None:
        self._sim.world.later(self._rng.randint(1, 2 * self._interval_ms), partial(self._read, reader))

    def _read(self, reader: int) -> None:
        if not self.running:
            return
        key = self._rng.choice([FEATURE, *(f"group-{number}" for number in range(GROUPS))])
        linearizable = self._rng.random() < LINEARIZABLE_SHARE
        node = self._rng.choice(self._sim.controllers() if linearizable else self._sim.all_nodes())
        began, after = self._moments.next(), self._moments.acknowledged_end
        if self._sim.network.passes(self.address - reader, node.id):
            arrive = self._linearizable if linearizable else self._committed
            self._sim.world.later(self._sim.network.delay_ms(), partial(arrive, node, key, began, after))
        self._pause(reader)

    def _committed(self, node: SimulatedNode, key: str, began: int, after: int) -> None:
        del after
        if not node.is_up:
            return
        try:
            offset = node.running.backend.view().offset
        except ApiError:
            return
        if offset < 0 <= self._known_at_start(node):
            raise CheckFailed("readers: no state is shown before any is loaded", f"node {node.id}: {key}")
        self._answer(node, key, began, linearizable=False)

    def _known_at_start(self, node: SimulatedNode) -> int:
        """Return what had been acknowledged when this was first asked of a process."""
        return self._known.setdefault((node.id, node.incarnation), self._moments.acknowledged_end)

    def _linearizable(self, node: SimulatedNode, key: str, began: int, after: int) -> None:
        if not node.is_up:
            return

        def settle(error: ApiError | None) -> None:
            if error is None:
                self._answer(node, key, began, linearizable=True, after=after)

        at = ReadAt(Consistency.LINEARIZABLE, wait_ms=ANSWER_TIMEOUT_MS)
        try:
            node.running.reads.ask(at, node.clock.now_ms(), settle)
        except (ApiError, BusyError):
            return
        node.schedule_turn(0)

    def _answer(self, node: SimulatedNode, key: str, began: int, *, linearizable: bool, after: int = -1) -> None:
        image = node.running.state_machine.image
        offset, value = image.provenance.offset, value_of(image, key)
        what = f"{key}={value} at {offset} by node {node.id}"
        if offset < after:
            rule = "readers: a linearizable read has all that was acknowledged before it was asked for"
            raise CheckFailed(rule, f"{what}, {after}")
        shown = self._shown.get((node.id, node.incarnation), -1)
        if offset < shown:
            raise CheckFailed("readers: what a process shows never goes back", f"{what}, {shown}")
        self._shown[node.id, node.incarnation] = offset
        if linearizable:
            # What was read counts as acknowledged: every later read must see it, too.
            self._moments.acknowledged_end = max(self._moments.acknowledged_end, offset)
            self._sim.world.note(str(node.id), "read", what)
        self.answers.append(Read(key, value, offset, linearizable, began, self._moments.next()))


class Watchers:
    """All watchers; where there is a share for it, one goes away and another begins with nothing.

    Attributes:
        batches: how many they were shown.
        snapshots: how many they were given.
    """

    def __init__(self, sim: Simulation, watchers: int, interval_ms: int, begin_again: int) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/watchers")
        self._interval_ms = interval_ms
        self._begin_again = begin_again
        self._next = [0] * watchers
        self._at: list[SimulatedNode | None] = [None] * watchers
        self.batches = 0
        self.snapshots = 0

    def start(self) -> None:
        """Let them begin; they watch to the end."""
        for watcher in range(len(self._next)):
            self._pause(watcher)

    def _pause(self, watcher: int) -> None:
        self._sim.world.later(self._rng.randint(1, 2 * self._interval_ms), partial(self._watch, watcher))

    def _watch(self, watcher: int) -> None:
        node = self._at[watcher]
        if self._begin_again and self._rng.randrange(1_000) < self._begin_again:
            node, self._next[watcher] = None, 0
        if node is None or not node.is_up or self._rng.random() < LEAVES:
            node = self._at[watcher] = self._rng.choice(self._sim.all_nodes())
        if node.is_up:
            try:
                with node.disk.looking():
                    self._ask(watcher, node)
            except (ApiError, StorageError, MalformedError):
                # It says so, and another node may have it.
                self._at[watcher] = None
        self._pause(watcher)

    def _ask(self, watcher: int, node: SimulatedNode) -> None:
        offset, backend = self._next[watcher], node.running.backend
        data = _finished(backend.read_committed(offset, WATCHED_BYTES))
        if isinstance(data, OffsetGone):
            # What a node at the time of the answer has is what it gives.
            end = _finished(backend.open_snapshot(offset)).snapshot_id.offset
            rule = "watchers: a snapshot ends behind what its watcher has"
            self._require(end > offset, rule, f"node {node.id} gives {end} to one at {offset}")
            self._next[watcher] = end
            self.snapshots += 1
            return
        for batch in split_batches(data):
            what = f"node {node.id} shows [{batch.base_offset},{batch.next_offset}) to one at {self._next[watcher]}"
            first = batch.base_offset <= offset < batch.next_offset if self._next[watcher] == offset else False
            in_order = first or batch.base_offset == self._next[watcher]
            self._require(in_order, "watchers: every offset is shown once and in order", what)
            known = self._sim.ledger.at(batch.base_offset)
            same = known is not None and known.batch.data == batch.data
            self._require(same or bool(node.disk.rotten), "watchers: only what is committed is shown", what)
            self._next[watcher] = batch.next_offset
            self.batches += 1

    @staticmethod
    def _require(condition: bool, rule: str, seen: str) -> None:
        if not condition:
            raise CheckFailed(rule, seen)


def _finished(asked: Coroutine[object, object, T]) -> T:
    """Return what a call answers that has nothing to wait for."""
    try:
        asked.send(None)
    except StopIteration as done:
        return done.value
    asked.close()
    raise AssertionError("a call of the log waits, which nobody here would end")
