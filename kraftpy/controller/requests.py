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
from kraftpy.model.ids import NodeId
from kraftpy.model.registrations import (
    BrokerHeartbeat,
    BrokerHeartbeatResponse,
    Listener,
    RegisterBroker,
    RegisterBrokerResponse,
    RegisterController,
    RegisterControllerResponse,
    SupportedFeature,
)

__all__ = (
    "AlterOp",
    "BrokerHeartbeat",
    "BrokerHeartbeatResponse",
    "ConfigAlteration",
    "ConfigResource",
    "ConfigResult",
    "ControllerRequest",
    "ControllerResponse",
    "FeatureUpdate",
    "FeatureUpdateKind",
    "IncrementalAlterConfigs",
    "IncrementalAlterConfigsResponse",
    "Listener",
    "RegisterBroker",
    "RegisterBrokerResponse",
    "RegisterController",
    "RegisterControllerResponse",
    "ResourceType",
    "SupportedFeature",
    "UnregisterBroker",
    "UnregisterBrokerResponse",
    "UpdateFeatures",
    "UpdateFeaturesResponse",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBroker:
    """Forget a broker for good."""

    broker_id: NodeId
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterBrokerResponse:
    """The broker is forgotten."""


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
