"""Brokers whose configuration names no id: they ask the controllers for one, keep it on their disks, and lose those.

They are no nodes of the simulation, as those of ``topics``. Each sends a real broker's requests over links of its own,
which lose messages and are cut. Sometimes an operator starts a replacement with empty disks on a host whose broker
still runs; that one never starts again.

A broker that was refused the id it was assigned, or could not register with it for most of a session, gives it back:
its operator empties the disks.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from kraftpy.controller.broker_id_requests import AssignBrokerId, AssignBrokerIdResponse
from kraftpy.controller.config import supported_features
from kraftpy.controller.requests import ControllerRequest
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.features import BROKER_HOSTS_LEVEL
from kraftpy.model.ids import NodeId, Uuid, uuid_from_random, uuid_to_text
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
)
from kraftpy.transport.node_api import Committed, Outcome, WriteRequest
from tests.simulator.brokers import SESSION_TIMEOUT_MS
from tests.simulator.checkers.base import CheckFailed

if TYPE_CHECKING:
    from tests.simulator.simulation import Simulation

HOSTS = ("unnamed-a", "unnamed-b", "unnamed-c")
TICK_MS = 200
TIMEOUT_MS = 400
CUT_MS = (300, 3 * SESSION_TIMEOUT_MS)

BELIEVED_MS = SESSION_TIMEOUT_MS * 4 // 5
"""For how long after a request that was granted no other broker may have the id, whichever clock is asked."""

NEVER_MS = -SESSION_TIMEOUT_MS

DIES, LOSES_DISK, RETURNS, CUT, REPLACED, REGISTERS = 0.05, 0.5, 0.3, 0.04, 0.02, 0.4
"""How often, in each tick, a broker does this; before it REGISTERS, it recovers its logs."""


@dataclass(slots=True, eq=False)
class UnnamedBroker:
    """A broker's process, or the time between two of them.

    Attributes:
        disk_id: what its meta.properties has.
        epoch: its broker epoch; ``None`` until the process is registered.
        granted_ms: when it sent the request for the id that it was assigned, or the last heartbeat after which it may
            serve: a broker that is fenced can be replaced at any time, as in Kafka.
        cut_until_ms: no message comes through before this.
        replaced: another process is to run on its host; it does not start again.
    """

    host: str
    incarnation: Uuid
    disk_id: NodeId | None = None
    has_registered: bool = False
    epoch: int | None = None
    granted_ms: int = NEVER_MS
    is_up: bool = True
    cut_until_ms: int = 0
    replaced: bool = False

    def believes(self, broker_id: NodeId, now_ms: int) -> bool:
        """Whether it uses an id, and was granted that a short time ago."""
        return self.is_up and self.disk_id == broker_id and self.granted_ms > now_ms - BELIEVED_MS


class UnnamedBrokers:
    """All of them; there are none without topics, and below the metadata.version that has broker ids by host.

    Attributes:
        directories: the ids of all directories that any of them had, as text.
        jumped_ms: when a clock jumped last, by the world's time.
    """

    def __init__(self, sim: Simulation) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/unnamed")
        self._running = True
        self.jumped_ms = NEVER_MS
        self.directories: set[str] = set()
        has_any = sim.options.topics and sim.level >= BROKER_HOSTS_LEVEL
        self.brokers = [UnnamedBroker(host, self._uuid()) for host in (HOSTS if has_any else ())]

    def _uuid(self) -> Uuid:
        return uuid_from_random(self._rng.randbytes)

    def start(self) -> None:
        """Let the brokers start."""
        for broker in self.brokers:
            self._sim.world.later(self._rng.randint(1, TICK_MS), lambda broker=broker: self._tick(broker))

    def stop(self) -> None:
        """End faults; from now on those that were not replaced return, with what is on their disks."""
        self._running = False
        for broker in self.brokers:
            broker.cut_until_ms = 0
            if broker.replaced:
                broker.is_up = False

    def settled(self) -> bool:
        """Return whether all that are to run are registered, each with an id of its own."""
        due = [broker for broker in self.brokers if not broker.replaced]
        ids = {broker.disk_id for broker in due if broker.is_up and broker.epoch is not None}
        return len(ids) == len(due)

    # ---------------------------------------------------------------- faults

    def _tick(self, broker: UnnamedBroker) -> None:
        if broker.is_up or not broker.replaced:
            self._sim.world.later(self._rng.randint(TICK_MS // 2, TICK_MS * 3 // 2), lambda: self._tick(broker))
        if not broker.is_up:
            if not broker.replaced and (not self._running or self._rng.random() < RETURNS):
                broker.is_up, broker.incarnation, broker.epoch = True, self._uuid(), None
            return
        if self._running and self._fails(broker):
            return
        self._call(broker)

    def _fails(self, broker: UnnamedBroker) -> bool:
        world, drawn = self._sim.world, self._rng.random()
        if drawn < DIES:
            broker.is_up = False
            if self._rng.random() < LOSES_DISK:
                broker.disk_id, broker.has_registered = None, False
            world.fault(broker.host, "unnamed broker crash")
            return True
        if drawn < DIES + CUT:
            broker.cut_until_ms = world.now_ms + self._rng.randint(*CUT_MS)
            world.fault(broker.host, "unnamed broker cut")
        elif drawn < DIES + CUT + REPLACED and not any(
            each.host == broker.host and each is not broker for each in self.brokers
        ):
            broker.replaced = True
            other = UnnamedBroker(broker.host, self._uuid())
            self.brokers.append(other)
            world.later(TICK_MS, lambda: self._tick(other))
            world.fault(broker.host, "unnamed broker replaced")
        return False

    # ---------------------------------------------------------------- requests

    def _call(self, broker: UnnamedBroker) -> None:
        node = next((node for node in self._sim.controllers() if node.is_up), None)
        cluster_id = None if node is None else node.running.replica.cluster_id
        if node is None or cluster_id is None:
            return
        if broker.disk_id is None:
            self._send(broker, AssignBrokerId(host=broker.host, incarnation_id=broker.incarnation), self._assigned)
        elif broker.epoch is not None:
            offset = node.running.state_machine.image.provenance.offset
            beat = BrokerHeartbeat(
                broker_id=broker.disk_id,
                broker_epoch=broker.epoch,
                metadata_offset=offset,
                # New topics are to be where their brokers keep their disks.
                cordoned_log_dirs=(broker.incarnation,),
            )
            self._send(broker, beat, self._heard)
        elif not broker.has_registered and broker.granted_ms <= self._sim.world.now_ms - BELIEVED_MS:
            self._empty(broker)
        elif self._rng.random() < REGISTERS:
            self.directories.add(uuid_to_text(broker.incarnation))
            request = RegisterBroker(
                broker_id=broker.disk_id,
                cluster_id=cluster_id,
                incarnation_id=broker.incarnation,
                listeners=(Listener("PLAINTEXT", broker.host, 9092, 0),),
                features=supported_features(unstable=True),
                log_dirs=(broker.incarnation,),
                host=broker.host,
            )
            self._send(broker, request, self._registered)

    def _empty(self, broker: UnnamedBroker) -> None:
        broker.disk_id, broker.incarnation = None, self._uuid()

    def _send(
        self,
        broker: UnnamedBroker,
        request: ControllerRequest,
        hear: Callable[[UnnamedBroker, int, Outcome], None],
    ) -> None:
        sim, incarnation, sent_ms = self._sim, broker.incarnation, self._sim.world.now_ms
        leader, controllers = sim.leader(), sim.controllers()
        target = leader if leader in controllers and self._rng.random() < 0.8 else self._rng.choice(controllers)
        assert target is not None

        def is_cut() -> bool:
            is_lost = self._running and self._rng.randrange(1_000) < sim.options.lost
            return is_lost or sim.world.now_ms < broker.cut_until_ms

        def arrive_back(outcome: Outcome) -> None:
            if broker.is_up and broker.incarnation == incarnation and not is_cut():
                hear(broker, sent_ms, outcome)

        def answered(outcomes: list[Outcome]) -> None:
            sim.world.later(self._rng.randint(1, 40), lambda: arrive_back(outcomes[0]))

        def arrive() -> None:
            if is_cut() or not target.is_up or target.running.host is None:
                return
            try:
                write = WriteRequest(request, timeout_ms=TIMEOUT_MS)
                target.running.host.submit([write], target.clock.now_ms(), answered)
            except BusyError:
                return
            target.schedule_turn(0)

        sim.world.later(self._rng.randint(1, 40), arrive)

    # ---------------------------------------------------------------- responses

    def _assigned(self, broker: UnnamedBroker, sent_ms: int, outcome: Outcome) -> None:
        if broker.disk_id is not None or not isinstance(outcome, Committed):
            return
        assert isinstance(outcome.response, AssignBrokerIdResponse)
        broker_id = outcome.response.broker_id
        self._check("assigned", broker, broker_id, registered=False)
        broker.disk_id, broker.granted_ms, broker.has_registered = broker_id, sent_ms, False
        self._sim.world.note(broker.host, "assigned", str(broker_id))

    def _registered(self, broker: UnnamedBroker, sent_ms: int, outcome: Outcome) -> None:
        del sent_ms
        if isinstance(outcome, ApiError):
            if outcome.code is ErrorCode.DUPLICATE_BROKER_REGISTRATION and not broker.has_registered:
                self._empty(broker)
            return
        assert isinstance(outcome.response, RegisterBrokerResponse)
        assert broker.disk_id is not None
        self._check("registered", broker, broker.disk_id, registered=True)
        broker.epoch, broker.granted_ms, broker.has_registered = outcome.response.broker_epoch, NEVER_MS, True
        self._sim.world.note(broker.host, "registered", str(broker.disk_id))

    def _heard(self, broker: UnnamedBroker, sent_ms: int, outcome: Outcome) -> None:
        if isinstance(outcome, ApiError):
            if outcome.code is ErrorCode.STALE_BROKER_EPOCH:
                broker.epoch = None
            return
        assert isinstance(outcome.response, BrokerHeartbeatResponse)
        if not outcome.response.is_fenced:
            broker.granted_ms = max(broker.granted_ms, sent_ms)

    def _check(self, what: str, broker: UnnamedBroker, broker_id: NodeId, *, registered: bool) -> None:
        now_ms = self._sim.world.now_ms
        if self.jumped_ms > now_ms - SESSION_TIMEOUT_MS:
            return  # By the clock of that controller sessions have ended.
        for other in self.brokers:
            if (
                other is not broker
                and other.believes(broker_id, now_ms)
                and (other.epoch is not None) is registered
                and other.incarnation != broker.incarnation
            ):
                raise CheckFailed(
                    "unnamed brokers: no two brokers believe in one id",
                    f"{broker_id} is {what} to {broker.host}, and {other.host} was granted it at {other.granted_ms}",
                )
