"""Registrations: the requests of brokers and controllers about themselves, and the responses.

They are here, below both packages that use them: ``broker`` sends them, ``controller`` decides them, and neither may
depend on the other. ``kraftpy.controller.requests`` exports all requests.

Source: Kafka ``BrokerRegistrationRequest``, ``BrokerHeartbeatRequest``, ``ControllerRegistrationRequest``; KIP-631,
KIP-919.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import Offset

PUBLIC_API_LISTENER: Final = "GRPC"
"""The name under which a controller registers where its public API listens."""


@dataclass(frozen=True, slots=True)
class Listener:
    """A listener as it is registered: the endpoint and the number of its security protocol (0 is plaintext)."""

    name: str
    host: str
    port: int
    security_protocol: int = 0


@dataclass(frozen=True, slots=True)
class SupportedFeature:
    """The levels of one feature that a node's software understands, both ends included."""

    name: str
    min_level: int
    max_level: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterBroker:
    """A broker's process introduces itself. Source: KIP-631 §Broker Registration.

    Attributes:
        saturated_log_dirs: those of its directories that are full (KIP-928); ``None`` when it does not report them.
        host: what the broker's id is mapped to (KIP-426); ``None`` when it does not report that.
        is_migrating_zk_broker: whether it comes from ZooKeeper, which is refused.
    """

    broker_id: NodeId
    cluster_id: str | None
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]
    rack: str | None = None
    log_dirs: tuple[Uuid, ...] = ()
    saturated_log_dirs: tuple[Uuid, ...] | None = None
    previous_broker_epoch: int = -1
    host: str | None = None
    is_migrating_zk_broker: bool = False
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterBrokerResponse:
    """The epoch that every later call of this process must carry."""

    broker_epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeat:
    """A broker is alive, has published the log up to ``metadata_offset``, and may want something.

    Attributes:
        offline_log_dirs: every directory that failed since the process started.
        cordoned_log_dirs: the directories that take no new replicas (KIP-1066); ``None`` changes nothing.
        saturated_log_dirs: the directories that are full (KIP-928); ``None`` changes nothing.
    """

    broker_id: NodeId
    broker_epoch: int
    metadata_offset: Offset
    want_fence: bool = False
    want_shutdown: bool = False
    offline_log_dirs: tuple[Uuid, ...] = ()
    cordoned_log_dirs: tuple[Uuid, ...] | None = None
    saturated_log_dirs: tuple[Uuid, ...] | None = None
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeatResponse:
    """Where the controller sees the broker in its life cycle."""

    is_caught_up: bool
    is_fenced: bool
    in_controlled_shutdown: bool
    should_shut_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterController:
    """A controller's process says where it listens and what it understands. Source: KIP-919."""

    controller_id: NodeId
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterControllerResponse:
    """The controller is registered."""
