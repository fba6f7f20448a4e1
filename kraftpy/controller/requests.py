"""What a controller is asked, and what it answers: plain values, independent of any wire.

A request that changes something carries ``validate_only`` (decide everything, write nothing). Responses hold only what
the decision yields; the offset at which it was committed is added by the runtime, which alone knows it.

Source: Kafka ``BrokerRegistrationRequest`` and its kin; KIP-631, KIP-584, KIP-339, KIP-919, KIP-1262.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, NamedTuple, TypeAlias

from kraftpy.controller.account_requests import AccountRequest, AccountResponse
from kraftpy.controller.acl_requests import AclRequest, AclResponse
from kraftpy.controller.broker_id_requests import BrokerIdRequest, BrokerIdResponse
from kraftpy.controller.delegation_token_requests import DelegationTokenRequest, DelegationTokenResponse
from kraftpy.controller.partition_requests import PartitionRequest, PartitionResponse
from kraftpy.controller.topic_requests import TopicRequest, TopicResponse
from kraftpy.image.configs import ConfigResource
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
    "ReplaceConfigs",
    "SupportedFeature",
    "UnregisterBroker",
    "UnregisterBrokerResponse",
    "UnregisterController",
    "UnregisterControllerResponse",
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


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterController:
    """Forget a controller that is no voter. Source: KIP-1312."""

    controller_id: NodeId
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class UnregisterControllerResponse:
    """The controller is forgotten."""


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


class AlterOp(enum.IntEnum):
    """What to do with one key. Source: KIP-339."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


class ConfigAlteration(NamedTuple):
    """One operation on one key; ``value`` is ``None`` for DELETE. ``op`` is an :class:`AlterOp`, or refused."""

    name: str
    op: int
    value: str | None


class IncrementalAlterConfigs(NamedTuple):
    """Change config keys of several resources; a resource that fails leaves the others alone.

    Attributes:
        judged_by_broker: whether a broker forwards the request of its client, having judged what only it knows.
    """

    resources: tuple[tuple[ConfigResource, tuple[ConfigAlteration, ...]], ...]
    validate_only: bool = False
    judged_by_broker: bool = False


class ReplaceConfigs(NamedTuple):
    """Give several resources these configs and no others: each key that is not named is deleted.

    What asks for it does not know what is set, and deletes what others have set since it looked; Kafka keeps it
    for clients that are older than IncrementalAlterConfigs. It is answered as that is.

    Attributes:
        judged_by_broker: as of :class:`IncrementalAlterConfigs`.
    """

    resources: tuple[tuple[ConfigResource, tuple[tuple[str, str | None], ...]], ...]
    validate_only: bool = False
    judged_by_broker: bool = False


class ConfigResult(NamedTuple):
    """What became of one resource's alterations."""

    resource: ConfigResource
    error: ErrorCode = ErrorCode.NONE
    message: str = ""


NO_REFUSALS: Final[Mapping[int, tuple[ErrorCode, str]]] = MappingProxyType({})


class IncrementalAlterConfigsResponse(NamedTuple):
    """What became of each resource.

    Attributes:
        resources: in the order asked.
        refused: why one was not altered, by its place in ``resources``.
    """

    resources: tuple[ConfigResource, ...]
    refused: Mapping[int, tuple[ErrorCode, str]] = NO_REFUSALS

    @property
    def results(self) -> tuple[ConfigResult, ...]:
        """One result per resource, in the order asked."""
        refused = self.refused
        return tuple(
            ConfigResult(resource, *refused[place]) if place in refused else ConfigResult(resource)
            for place, resource in enumerate(self.resources)
        )


ControllerRequest: TypeAlias = (
    RegisterBroker
    | BrokerHeartbeat
    | UnregisterBroker
    | UnregisterController
    | RegisterController
    | UpdateFeatures
    | IncrementalAlterConfigs
    | ReplaceConfigs
    | PartitionRequest
    | AccountRequest
    | AclRequest
    | BrokerIdRequest
    | DelegationTokenRequest
    | TopicRequest
)
ControllerResponse: TypeAlias = (
    RegisterBrokerResponse
    | BrokerHeartbeatResponse
    | UnregisterBrokerResponse
    | UnregisterControllerResponse
    | RegisterControllerResponse
    | UpdateFeaturesResponse
    | IncrementalAlterConfigsResponse
    | PartitionResponse
    | AccountResponse
    | AclResponse
    | BrokerIdResponse
    | DelegationTokenResponse
    | TopicResponse
)
