"""What a controller is asked, and what it answers: plain values, independent of any wire.

A request that changes something carries ``validate_only`` (decide everything, write nothing). Responses hold only what
the decision yields; the offset at which it was committed is added by the runtime, which alone knows it.

Source: Kafka ``BrokerRegistrationRequest`` and its kin; KIP-631, KIP-584, KIP-339, KIP-919, KIP-1262.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.errors import ErrorCode
from kraftpy.model.ids import NodeId, Uuid
from kraftpy.model.offsets import Offset


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
    """A broker's process introduces itself. Source: KIP-631 §Broker Registration."""

    broker_id: NodeId
    cluster_id: str | None
    incarnation_id: Uuid
    listeners: tuple[Listener, ...]
    features: tuple[SupportedFeature, ...]
    rack: str | None = None
    log_dirs: tuple[Uuid, ...] = ()
    previous_broker_epoch: int = -1
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class RegisterBrokerResponse:
    """The epoch that every later call of this process must carry."""

    broker_epoch: int


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeat:
    """A broker is alive, has published the log up to ``metadata_offset``, and may want something."""

    broker_id: NodeId
    broker_epoch: int
    metadata_offset: Offset
    want_fence: bool = False
    want_shutdown: bool = False
    offline_log_dirs: tuple[Uuid, ...] = ()
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerHeartbeatResponse:
    """Where the controller sees the broker in its life cycle."""

    is_caught_up: bool
    is_fenced: bool
    in_controlled_shutdown: bool
    should_shut_down: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBroker:
    """Forget a broker for good."""

    broker_id: NodeId
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBrokerResponse:
    """The broker is forgotten."""


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


class FeatureUpdateKind(enum.IntEnum):
    """In which direction a feature may move. Source: KIP-584."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


@dataclass(frozen=True, slots=True)
class FeatureUpdate:
    """Set one feature to a level; 0 removes it."""

    name: str
    level: int
    kind: FeatureUpdateKind = FeatureUpdateKind.UPGRADE


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFeatures:
    """Change feature levels, all of them or none."""

    updates: tuple[FeatureUpdate, ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UpdateFeaturesResponse:
    """Every update was accepted."""


class ResourceType(enum.IntEnum):
    """What a config belongs to; the numbers are ConfigRecord's."""

    TOPIC = 2
    BROKER = 4
    CLIENT_METRICS = 16
    GROUP = 32


@dataclass(frozen=True, slots=True, order=True)
class ConfigResource:
    """One configured thing; the BROKER resource with the empty name is the cluster-wide default."""

    type: int
    name: str


class AlterOp(enum.IntEnum):
    """What to do with one key. Source: KIP-339."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


@dataclass(frozen=True, slots=True)
class ConfigAlteration:
    """One operation on one key; ``value`` is ``None`` for DELETE."""

    name: str
    op: AlterOp
    value: str | None


@dataclass(frozen=True, slots=True, kw_only=True)
class IncrementalAlterConfigs:
    """Change config keys of several resources; a resource that fails leaves the others alone."""

    resources: tuple[tuple[ConfigResource, tuple[ConfigAlteration, ...]], ...]
    validate_only: bool = False


@dataclass(frozen=True, slots=True)
class ConfigResult:
    """What became of one resource's alterations."""

    resource: ConfigResource
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class IncrementalAlterConfigsResponse:
    """One result per resource, in the order asked."""

    results: tuple[ConfigResult, ...]


ControllerRequest: TypeAlias = (
    RegisterBroker | BrokerHeartbeat | UnregisterBroker | RegisterController | UpdateFeatures | IncrementalAlterConfigs
)
ControllerResponse: TypeAlias = (
    RegisterBrokerResponse
    | BrokerHeartbeatResponse
    | UnregisterBrokerResponse
    | RegisterControllerResponse
    | UpdateFeaturesResponse
    | IncrementalAlterConfigsResponse
)
