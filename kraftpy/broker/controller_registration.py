"""A controller's own registration: kept in the log as long as the log can say it.

From metadata.version 15 on every controller registers where it listens and what it understands. The image is the judge:
as long as it does not hold this process's registration, the machine sends it, with growing pauses, whether the calls
fail or their effect has not come back yet.

Source: Kafka ``ControllerRegistrationManager``; KIP-919; broker reference B3.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.broker.backoff import Backoff
from kraftpy.broker.outputs import SendControllerRegistration
from kraftpy.image.image import MetadataImage
from kraftpy.image.registrations import ControllerRegistration
from kraftpy.model.features import CONTROLLER_REGISTRATION_LEVEL
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.invariant import invariant
from kraftpy.model.jitter import Jitter
from kraftpy.model.registrations import Listener, RegisterController, SupportedFeature

BACKOFF: Final = Backoff(first_ms=100, longest_ms=120_000)
CALL_TIMEOUT_MS: Final = 5_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerIdentity:
    """What this process registers."""

    controller_id: NodeId
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]


class ControllerRegistrar:
    """The machine. Every step returns the call to make now, or ``None``."""

    def __init__(self, *, identity: ControllerIdentity, jitter: Jitter) -> None:
        self._identity = identity
        self._jitter = jitter
        self._is_needed = False
        self._has_leader = False
        self._in_flight = False
        self._attempts = 0
        self._next_call_ms = 0

    @property
    def is_registered(self) -> bool:
        """Whether nothing needs to be sent as things are."""
        return not self._is_needed

    def metadata_published(self, now_ms: int, image: MetadataImage) -> SendControllerRegistration | None:
        """Compare the image with what it should hold."""
        needed = image.level >= CONTROLLER_REGISTRATION_LEVEL and not self._is_in(image)
        if needed != self._is_needed:
            self._attempts, self._next_call_ms = 0, now_ms
        self._is_needed = needed
        return self.tick(now_ms)

    def _is_in(self, image: MetadataImage) -> bool:
        identity = self._identity
        registered = image.cluster.controllers.get(identity.controller_id)
        return registered is not None and _facts(registered) == _facts(identity)

    def leader_changed(self, now_ms: int, leader_id: NodeId | None) -> SendControllerRegistration | None:
        """Note who can be asked; a new leader is asked without waiting for what the old one did."""
        self._has_leader = leader_id is not None
        if self._has_leader:
            self._attempts, self._next_call_ms = 0, now_ms
        return self.tick(now_ms)

    def succeeded(self, now_ms: int) -> SendControllerRegistration | None:
        """Wait for the image to show it, and send it again if it does not."""
        return self._answered(now_ms)

    def failed(self, now_ms: int) -> SendControllerRegistration | None:
        """Wait, and send it again."""
        return self._answered(now_ms)

    def _answered(self, now_ms: int) -> SendControllerRegistration | None:
        invariant(self._in_flight, "an answer belongs to the call in flight")
        self._in_flight = False
        self._next_call_ms = now_ms + BACKOFF.after(self._attempts, self._jitter)
        self._attempts += 1
        return self.tick(now_ms)

    def tick(self, now_ms: int) -> SendControllerRegistration | None:
        """Send the registration if it is due."""
        if not self._may_call or now_ms < self._next_call_ms:
            return None
        self._in_flight = True
        identity = self._identity
        request = RegisterController(
            controller_id=identity.controller_id,
            incarnation_id=identity.incarnation_id,
            listeners=identity.listeners,
            features=identity.features,
        )
        return SendControllerRegistration(request, CALL_TIMEOUT_MS)

    @property
    def _may_call(self) -> bool:
        return self._is_needed and self._has_leader and not self._in_flight

    def next_deadline_ms(self) -> int | None:
        """Say when the next ``tick`` has work (ms); ``None`` while there is none."""
        return self._next_call_ms if self._may_call else None


def _facts(one: ControllerRegistration | ControllerIdentity) -> tuple[object, ...]:
    """Return what has to be equal; the order of listeners and features does not matter."""
    return (
        one.controller_id,
        one.incarnation_id,
        frozenset(one.listeners),
        frozenset(one.features),
    )
