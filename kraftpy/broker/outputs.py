"""The outputs of this package's state machines: requests to send, state changes to report, and giving up."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.registrations import BrokerHeartbeat, RegisterBroker, RegisterController


class BrokerState(enum.IntEnum):
    """The states of a broker, with the numbers of Kafka's metric."""

    NOT_RUNNING = 0
    STARTING = 1
    RECOVERY = 2
    RUNNING = 3
    PENDING_CONTROLLED_SHUTDOWN = 6
    SHUTTING_DOWN = 7


@dataclass(frozen=True, slots=True)
class SendRegistration:
    """Send this to the active controller; fail it after ``timeout_ms`` without an answer."""

    request: RegisterBroker
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class SendHeartbeat:
    """Send this to the active controller; fail it after ``timeout_ms`` without an answer."""

    request: BrokerHeartbeat
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class SendControllerRegistration:
    """Send this to the active controller; fail it after ``timeout_ms`` without an answer."""

    request: RegisterController
    timeout_ms: int


@dataclass(frozen=True, slots=True)
class StateChanged:
    """The broker went from one state to another."""

    before: BrokerState
    after: BrokerState


@dataclass(frozen=True, slots=True)
class GiveUp:
    """The process has to stop, for this reason."""

    reason: str


Output: TypeAlias = SendRegistration | SendHeartbeat | StateChanged | GiveUp
