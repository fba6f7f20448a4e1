"""What a controller is asked about broker ids by host: plain values, independent of any wire.

Source: KIP-426.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TypeAlias

from kraftpy.model.ids import NodeId, Uuid


class BrokerIdSource(enum.IntEnum):
    """Where an assigned id comes from."""

    HOST = 0
    """A broker on this host registered with it before."""
    MISSING = 1
    """It is the only one in replica assignments whose broker is not registered."""
    GENERATED = 2
    """No broker had it before."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignBrokerId:
    """Assign an id to a broker that has none in its configuration and none on its disks.

    Attributes:
        host: the key of the mapping: the broker's host name, or what its configuration gives instead.
        incarnation_id: of the broker's process; the same process gets the same id however often it asks.
    """

    host: str
    incarnation_id: Uuid
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AssignBrokerIdResponse:
    """The id, which is reserved for the process until it registers or its session timeout has passed."""

    broker_id: NodeId
    source: BrokerIdSource


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterBrokerHost:
    """Set or remove the broker id of a host; ``None`` removes it."""

    host: str
    broker_id: NodeId | None
    validate_only: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class AlterBrokerHostResponse:
    """The mapping is as requested."""


BrokerIdRequest: TypeAlias = AssignBrokerId | AlterBrokerHost
BrokerIdResponse: TypeAlias = AssignBrokerIdResponse | AlterBrokerHostResponse
