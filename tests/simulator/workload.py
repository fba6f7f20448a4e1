"""Clients that write, repeat what they got no answer to, and keep a history.

Each client has one write open at a time, to a key that it shares with another, so that a write done late would undo the
other's. It sends to the node it believes to be the controller, stamps its requests as the client library does, and
repeats under the same request id until it has an answer, is answered that the outcome is unknown, or gives up; the
write then has an unknown outcome.

:class:`Workload` writes values that are all different; what repeats is in :mod:`tests.simulator.registers`.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from kraftpy.controller.dedupe import Stamp
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    ControllerRequest,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
)
from kraftpy.model.errors import BusyError, ErrorCode
from kraftpy.model.ids import NodeId
from kraftpy.model.resource_types import ResourceType
from kraftpy.transport.node_api import Committed, Outcome, OutcomeUnknownError, WriteRequest
from tests.simulator.checkers import CheckFailed
from tests.simulator.checkers.acknowledged import KEY_PREFIX

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

ANSWER_TIMEOUT_MS = 400
ATTEMPTS_MAX = 12
RETRY_PAUSE_MS = 30
CLIENTS_PER_KEY = 2
NOT_DONE = {ErrorCode.NOT_CONTROLLER, ErrorCode.FENCED_LEADER_EPOCH, ErrorCode.REQUEST_TIMED_OUT}
"""Refusals of requests that were not decided; also NOT_CONTROLLER may mean more, see ``OutcomeUnknownError``."""


@dataclass(slots=True, eq=False)
class Operation:
    """One write.

    Moments are numbers of :class:`Moments`: they order events, for all clients together.

    Attributes:
        key: what it changes; empty for what is no register.
        value: to what; ``None`` deletes.
        after: the highest offset that any client had received when it began.
        offset: its offset, from the first answer that arrived; ``None`` while unknown.
        acknowledged: its offset, from every answer that was sent, in any leader epoch.
        given_up: whether the client stopped asking.
        stamp: what the next attempt reports about those before.
        began: the moment of its first attempt.
        answered: the moment at which the first acknowledgement was made.
        settled: the moment since which nothing of it can be done any more: a refusal named an offset to read it at.
        may_change_nothing: it is acknowledged with the state that it was decided on, if that holds the value already.
    """

    client: int
    number: int
    key: str
    value: str | None
    request_id: bytes
    after: int
    offset: int | None = None
    attempts: int = 0
    given_up: bool = False
    stamp: Stamp = field(default_factory=Stamp)
    acknowledged: int | None = None
    began: int = 0
    answered: int | None = None
    settled: int | None = None
    may_change_nothing: bool = False

    def __str__(self) -> str:
        return f"{self.key}={self.value} at {self.offset}"


@dataclass(frozen=True, slots=True)
class Acknowledgement:
    """The promise that a write is committed at an offset; a write may be promised more than once."""

    operation: Operation
    offset: int

    def __str__(self) -> str:
        return f"#{self.operation.number} {self.operation.key} at {self.offset}"


class Moments:
    """Puts what clients do and receive in one order, and knows what all of them have received."""

    def __init__(self) -> None:
        self.acknowledged_end = -1
        self._now = 0

    def next(self) -> int:
        """Return a moment after all others."""
        self._now += 1
        return self._now


class Clients:
    """Clients that ask until they know.

    Attributes:
        history: every write, in the order in which they began.
    """

    letter = "c"
    """What their names in the record of events begin with."""

    address = -1
    """That of the first client, for the network: the next ones are below."""

    final: frozenset[ErrorCode] = frozenset({ErrorCode.REQUEST_OUTCOME_UNKNOWN})
    """Refusals after which they do not ask again."""

    def __init__(self, sim: Simulation, moments: Moments, clients: int, interval_ms: int) -> None:
        self._sim = sim
        self._rng = random.Random(f"{sim.seed}/{type(self).__name__.lower()}")
        self.history: list[Operation] = []
        self.moments = moments
        self.running = True
        self._clients = clients
        self._interval_ms = interval_ms
        self._believed: dict[int, NodeId] = {}

    @property
    def addresses(self) -> list[int]:
        """Where the clients are, for the network."""
        return [self.address - client for client in range(self._clients)]

    def start(self) -> None:
        """Let the clients begin."""
        for client in range(self._clients):
            self._pause(client)

    def stop(self) -> None:
        """Let no client begin another write."""
        self.running = False

    def _pause(self, client: int) -> None:
        self._sim.world.later(self._rng.randint(1, 2 * self._interval_ms), lambda: self._go_on(client))

    def _go_on(self, client: int) -> None:
        if self.running:
            self.begin(client)

    def begin(self, client: int) -> Operation | None:
        """Begin what the client does next."""
        raise NotImplementedError

    def request(self, operation: Operation) -> ControllerRequest:
        """Return what is asked for, in memory of its own: a bit that flips in a node's is not the client's."""
        raise NotImplementedError

    def check_response(self, operation: Operation, outcome: Committed) -> None:
        """Look at what a committed write says of itself."""
        raise NotImplementedError

    def _invoke(self, operation: Operation) -> Operation:
        operation.began = self.moments.next()
        self.history.append(operation)
        self._sim.world.note(self._name(operation), "invoked", f"#{operation.number}")
        self._attempt(operation)
        return operation

    def _name(self, operation: Operation) -> str:
        return f"{self.letter}{operation.client}"

    # ---------------------------------------------------------------- one attempt

    def _target(self, client: int) -> SimulatedNode:
        voters = self._sim.controllers()
        believed = self._believed.get(client)
        return next((node for node in voters if node.id == believed), None) or self._rng.choice(voters)

    def _attempt(self, operation: Operation) -> None:
        operation.attempts += 1
        attempt, target = operation.attempts, self._target(operation.client)
        stamp = operation.stamp = self._stamped(operation, target)
        delay_ms = self._sim.network.delay_ms()
        if not self._is_lost() and (self.address - operation.client, target.id) not in self._sim.network.cut:
            self._sim.world.later(delay_ms, lambda: self._arrive(operation, target, stamp))
        self._sim.world.later(ANSWER_TIMEOUT_MS, lambda: self._timed_out(operation, attempt))

    def _stamped(self, operation: Operation, target: SimulatedNode) -> Stamp:
        """Return what an attempt says of those before: the first one says which epoch its client knows."""
        if operation.stamp.is_retry or target.process is None:
            return operation.stamp
        leader = target.process.replica.leader
        return Stamp(None if leader.leader_id is None else leader.epoch)

    def _is_lost(self) -> bool:
        return not self._sim.network.healthy and self._rng.randrange(1_000) < self._sim.options.lost

    def _timed_out(self, operation: Operation, attempt: int) -> None:
        if operation.attempts == attempt and operation.offset is None:
            self._believed.pop(operation.client, None)
            self._may_have_been_done(operation)
            self._retry(operation)

    @staticmethod
    def _may_have_been_done(operation: Operation) -> None:
        operation.stamp = Stamp(operation.stamp.first_sent_epoch, is_retry=True)

    def _give_up(self, operation: Operation) -> None:
        operation.given_up = True
        self._sim.world.note(self._name(operation), "unknown", f"#{operation.number}")
        self._pause(operation.client)

    def _retry(self, operation: Operation) -> None:
        if operation.offset is not None or operation.given_up:
            return
        if operation.attempts >= ATTEMPTS_MAX:
            self._give_up(operation)
            return
        self._attempt(operation)

    def _arrive(self, operation: Operation, node: SimulatedNode, stamp: Stamp) -> None:
        if not node.is_up or node.running.host is None:
            return
        try:
            node.running.host.submit(
                [WriteRequest(self.request(operation), operation.request_id, ANSWER_TIMEOUT_MS, stamp)],
                node.clock.now_ms(),
                lambda outcomes: self._answered(operation, node, outcomes[0]),
            )
        except BusyError:
            return
        node.schedule_turn(0)

    def _answered(self, operation: Operation, node: SimulatedNode, outcome: Outcome) -> None:
        """Hear the answer where it is made; the client hears it later, if it arrives."""
        if isinstance(outcome, Committed):
            self._acknowledged(operation, node, outcome)
            self.moments.acknowledged_end = max(self.moments.acknowledged_end, outcome.offset)
        elif getattr(outcome, "settled_offset", None) is not None and operation.settled is None:
            operation.settled = self.moments.next()
        if self._is_lost() or not self._sim.network.passes(node.id, self.address - operation.client):
            return
        leader_id = node.process.replica.leader.leader_id if node.process is not None else None
        self._sim.world.later(self._sim.network.delay_ms(), lambda: self._heard(operation, node.id, leader_id, outcome))

    def _acknowledged(self, operation: Operation, node: SimulatedNode, outcome: Committed) -> None:
        self.check_response(operation, outcome)
        if operation.answered is None:
            operation.answered = self.moments.next()
        if operation.acknowledged not in {None, outcome.offset}:
            raise CheckFailed(
                "workload: a repeated request is not done twice",
                f"{operation}: {operation.acknowledged}, {outcome.offset}",
            )
        operation.acknowledged = outcome.offset
        acknowledgement = Acknowledgement(operation, outcome.offset)
        self._sim.acknowledged.append(acknowledgement)
        self._sim.checkers.on_acknowledged(node, acknowledgement)
        self._sim.world.note(str(node.id), "acknowledged", f"#{operation.number} at {outcome.offset}")

    def _heard(self, operation: Operation, node_id: NodeId, leader_id: NodeId | None, outcome: Outcome) -> None:
        if operation.offset is not None or operation.given_up:
            return
        if isinstance(outcome, Committed):
            operation.offset = outcome.offset
            self._believed[operation.client] = node_id
            self._sim.world.note(self._name(operation), "heard", f"#{operation.number} at {outcome.offset}")
            self._pause(operation.client)
            return
        if outcome.code in self.final:
            self._give_up(operation)
            return
        if isinstance(outcome, OutcomeUnknownError) or outcome.code not in NOT_DONE:
            self._may_have_been_done(operation)
        if leader_id is not None and leader_id != node_id:
            self._believed[operation.client] = leader_id
        else:
            self._believed.pop(operation.client, None)
        attempt = operation.attempts
        self._sim.world.later(RETRY_PAUSE_MS, lambda: self._retry(operation) if operation.attempts == attempt else None)


class Workload(Clients):
    """Clients that write values which no other client writes."""

    def begin(self, client: int) -> Operation | None:
        """Begin the client's next write."""
        number = len(self.history)
        return self._invoke(
            Operation(
                client=client,
                number=number,
                key=f"{KEY_PREFIX}{client // CLIENTS_PER_KEY}",
                value=f"{number}." + "x" * self._rng.choice((0, 5, 40, 200)),
                request_id=self._rng.randbytes(16),
                after=self.moments.acknowledged_end,
            )
        )

    def request(self, operation: Operation) -> ControllerRequest:
        assert operation.value is not None
        alteration = ConfigAlteration(from_the_wire(operation.key), AlterOp.SET, from_the_wire(operation.value))
        alterations = (*self._fillers(operation.number), alteration)
        return IncrementalAlterConfigs(resources=((ConfigResource(ResourceType.BROKER, ""), alterations),))

    def _fillers(self, number: int) -> list[ConfigAlteration]:
        """Return what makes a write too large for one batch, if it is one of those; the same for each attempt."""
        if random.Random(f"{self._sim.seed}/large/{number}").randrange(1_000) >= self._sim.options.large_writes:
            return []
        return [ConfigAlteration(f"simulated.filler.{each}", AlterOp.SET, str(number)) for each in range(6)]

    def check_response(self, operation: Operation, outcome: Committed) -> None:
        check_nothing_refused(operation, outcome)


def check_nothing_refused(operation: Operation, outcome: Committed) -> None:
    """Check that every resource of a sound write was taken."""
    response = outcome.response
    assert isinstance(response, IncrementalAlterConfigsResponse)
    refused = [each for each in response.results if each.error is not ErrorCode.NONE]
    if refused:
        raise CheckFailed("workload: a sound write is not refused", f"{operation}: {refused}")


def from_the_wire(text: str) -> str:
    """Return the same text in memory of its own."""
    return text.encode().decode()
