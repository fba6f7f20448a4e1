"""Clients whose values repeat: registers of few values, written, deleted and written again with the value they have.

A register is one config of a group, or the level of a feature. Half of what these clients write changes nothing, which
writes no record and is acknowledged all the same: a promise that the register has that value *now*. The others send no
request id, ask what a write would do, or register a controller that is registered. All that is acknowledged is checked
by :mod:`tests.simulator.checkers.linearizable`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from kraftpy.controller.config import DEFAULT_FEATURES
from kraftpy.controller.dedupe import Stamp
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    ControllerRequest,
    FeatureUpdate,
    FeatureUpdateKind,
    IncrementalAlterConfigs,
    RegisterController,
    UpdateFeatures,
)
from kraftpy.image import MetadataImage
from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import Uuid, uuid_from_random
from kraftpy.model.registrations import Listener
from kraftpy.model.resource_types import ResourceType
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ConfigRecord, FeatureLevelRecord
from kraftpy.transport.node_api import Committed
from tests.simulator.workload import Clients, Moments, Operation, check_nothing_refused, from_the_wire

if TYPE_CHECKING:
    from tests.simulator.node import SimulatedNode
    from tests.simulator.simulation import Simulation

CONFIG = "consumer.session.timeout.ms"
VALUES = ("45001", "45002")
"""What a config is set to; each is one that the product takes."""

GROUPS = 2
FEATURE = "transaction.version"
LEVELS = ("1", "2", None)
"""What the feature is set to; ``None`` is level 0, which takes it away."""

UNSTAMPED, DRY_RUN, REGISTRATION = "unstamped", "dry run", "registration"
ODD = "odd"
WITHOUT_ID = frozenset({UNSTAMPED, DRY_RUN, REGISTRATION, ODD})
REPEATS = ("repeat",) * 3 + (DRY_RUN, REGISTRATION)
"""What a client does in a phase in which it means to change nothing."""

RECENT = 20
"""Among how many operations the newest write is looked for."""

TURNING = 0.1
"""How often a client goes from such a phase to one of changes, or back."""

KINDS = (
    ("set",) * 8 + ("delete",) * 2 + (UNSTAMPED,) * 3 + (DRY_RUN,) * 2 + (REGISTRATION, "feature", "feature", ODD, ODD)
)
"""What a client does otherwise."""

ODD_REQUESTS = (
    (ResourceType.CLIENT_METRICS, "odd", "match", "client_id=x{4294967296}"),
    (ResourceType.CLIENT_METRICS, "odd", "match", "client_id=" + "(" * 3_000 + ")" * 3_000),
    (ResourceType.CLIENT_METRICS, "odd", "match", "client_id=["),
    (ResourceType.GROUP, "odd", CONFIG, "9" * 5_000),
    (ResourceType.TOPIC, "..", "retention.ms", "1"),
    (ResourceType.BROKER, "\u0390" * 40, "x" * 40_000, "\U0001f600"),
)
"""What must be refused, and end no process: resource type, its name, key and value."""
AGAIN = 0.7
"""How often a request without a request id is sent again, if no answer came."""

STRAY = 0.25
"""How often an attempt goes to any controller, whichever is believed to lead."""

RESTARTED = 0.1
"""How often a controller that registers reports that it has restarted."""


def register_of(record: Record) -> tuple[str, str | None] | None:
    """Return which register a record writes, and what; ``None`` for one that writes none."""
    if isinstance(record, ConfigRecord) and record.resource_type == ResourceType.GROUP:
        return record.resource_name, record.value
    if isinstance(record, FeatureLevelRecord) and record.name == FEATURE:
        return FEATURE, str(record.feature_level) if record.feature_level else None
    return None


def value_of(image: MetadataImage, key: str) -> str | None:
    """Return what a register says in an image."""
    if key == FEATURE:
        level = image.features.levels.get(FEATURE, 0)
        return str(level) if level else None
    return image.configs.of(ResourceType.GROUP, key).get(CONFIG)


class Registers(Clients):
    """Those that write the same few values again and again.

    Attributes:
        kinds: number of an operation to what kind it is, where that is not a stamped write of a register.
    """

    letter = "r"
    address = -101
    final = Clients.final | {ErrorCode.INVALID_UPDATE_VERSION}

    def __init__(self, sim: Simulation, moments: Moments, clients: int, interval_ms: int) -> None:
        super().__init__(sim, moments, clients, interval_ms)
        self.kinds: dict[int, str] = {}
        self._registering: dict[int, tuple[int, Uuid]] = {}
        self._incarnations: dict[int, Uuid] = {}
        self._odd: dict[int, int] = {}
        self._idle: set[int] = set()
        self._repeat_until_ms = 0
        self._directions: dict[int, FeatureUpdateKind] = {}

    def begin(self, client: int) -> Operation | None:
        """Begin the client's next write."""
        number = len(self.history)
        if self._rng.random() < TURNING and self._sim.world.now_ms >= self._repeat_until_ms:
            self._idle ^= {client}
        last = self._newest()
        kind = self._rng.choice(REPEATS if client in self._idle and last is not None else KINDS)
        operation = Operation(
            client=client,
            number=number,
            key=f"group-{self._rng.randrange(GROUPS)}",
            value=None if kind == "delete" else self._rng.choice(VALUES),
            request_id=b"" if kind in WITHOUT_ID else self._rng.randbytes(16),
            after=self.moments.acknowledged_end,
            may_change_nothing=True,
        )
        if kind == ODD:
            operation.key, self._odd[number] = "", self._rng.randrange(len(ODD_REQUESTS))
        if kind == "repeat" and last is not None:
            operation.key, operation.value = last.key, last.value
        elif kind == "feature":
            operation.key, operation.value = FEATURE, self._rng.choice(LEVELS)
        if kind == REGISTRATION:
            operation.key = ""
            self._registering[number] = self._draw_registration(restarted=client not in self._idle)
        if kind in WITHOUT_ID:
            self.kinds[number] = kind
        return self._invoke(operation)

    def _newest(self) -> Operation | None:
        """Return the newest of the writes that were acknowledged a short while ago: its register says so still."""
        known = [
            each
            for each in self.history[-RECENT:]
            if each.acknowledged is not None and each.key and self.kinds.get(each.number) != DRY_RUN
        ]
        return max(known, key=lambda each: (each.acknowledged, each.began), default=None)

    def only_repeat(self, for_ms: int) -> None:
        """Let every client mean to change nothing for so long."""
        self._idle = set(range(self._clients))
        self._repeat_until_ms = self._sim.world.now_ms + for_ms

    def _draw_registration(self, *, restarted: bool) -> tuple[int, Uuid]:
        """Draw which controller registers; perhaps it has restarted, and reports a new incarnation."""
        ids = sorted(self._incarnations) or [self._sim.controllers()[0].id]
        node_id = self._rng.choice([node.id for node in self._sim.controllers()] if restarted else ids)
        if node_id not in self._incarnations or (restarted and self._rng.random() < RESTARTED):
            self._incarnations[node_id] = uuid_from_random(self._rng.randbytes)
        return node_id, self._incarnations[node_id]

    def request(self, operation: Operation) -> ControllerRequest:
        kind = self.kinds.get(operation.number)
        if kind == REGISTRATION:
            node_id, incarnation_id = self._registering[operation.number]
            listeners = (Listener("CONTROLLER", f"node{node_id}", 9093, 0),)
            return RegisterController(
                controller_id=node_id, incarnation_id=incarnation_id, listeners=listeners, features=DEFAULT_FEATURES
            )
        if operation.key == FEATURE:
            return UpdateFeatures(updates=(self._update(operation),))
        if kind == ODD:
            resource_type, name, key, text = ODD_REQUESTS[self._odd[operation.number]]
            change = ConfigAlteration(key, AlterOp.SET, text)
            return IncrementalAlterConfigs(resources=((ConfigResource(resource_type, name), (change,)),))
        value = operation.value
        alteration = ConfigAlteration(
            CONFIG, AlterOp.DELETE if value is None else AlterOp.SET, None if value is None else from_the_wire(value)
        )
        resource = ConfigResource(ResourceType.GROUP, from_the_wire(operation.key))
        return IncrementalAlterConfigs(resources=((resource, (alteration,)),), validate_only=kind == DRY_RUN)

    def _update(self, operation: Operation) -> FeatureUpdate:
        """Ask in the direction that is right if what some node shows is what is: the same in every attempt."""
        shown = [value_of(node.running.state_machine.image, FEATURE) for node in self._sim.up()[:1]]
        level, current = int(operation.value or 0), int((shown or [None])[0] or 0)
        kind = self._directions.setdefault(
            operation.number, FeatureUpdateKind.UPGRADE if level >= current else FeatureUpdateKind.SAFE_DOWNGRADE
        )
        return FeatureUpdate(FEATURE, level, kind)

    def check_response(self, operation: Operation, outcome: Committed) -> None:
        if operation.key not in {"", FEATURE}:
            check_nothing_refused(operation, outcome)

    def _target(self, client: int) -> SimulatedNode:
        """Sometimes pick any controller: one that led before may believe that it still does."""
        if client not in self._idle and self._rng.random() < STRAY:
            return self._rng.choice(self._sim.controllers())
        return super()._target(client)

    def _stamped(self, operation: Operation, target: SimulatedNode) -> Stamp:
        return super()._stamped(operation, target) if operation.request_id else Stamp()

    def _retry(self, operation: Operation) -> None:
        if operation.request_id or operation.offset is not None or operation.given_up:
            super()._retry(operation)
            return
        # This cannot be distinguished from another write of the same value, so it counts as another one.
        if not self.running or self._rng.random() >= AGAIN or self.kinds[operation.number] == ODD:
            self._give_up(operation)
        else:
            operation.given_up = True
            number, kind = len(self.history), self.kinds[operation.number]
            self.kinds[number] = kind
            if kind == REGISTRATION:
                self._registering[number] = self._registering[operation.number]
            self._invoke(
                Operation(
                    client=operation.client,
                    number=number,
                    key=operation.key,
                    value=operation.value,
                    request_id=b"",
                    after=self.moments.acknowledged_end,
                    may_change_nothing=True,
                )
            )
