"""What an authorizer is asked.

Source: Kafka ``Action``, ``ResourcePattern``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple

from kraftpy.model.acls import CLUSTER_NAME, AclOperation, AclResourceType


class AclResource(NamedTuple):
    """One resource, by its type and its name."""

    type: AclResourceType
    name: str

    def __str__(self) -> str:
        """Return the type and the name, as they are shown in messages."""
        return f"{self.type.name} {self.name}"


CLUSTER: Final = AclResource(AclResourceType.CLUSTER, CLUSTER_NAME)
"""The cluster itself."""


class Action(NamedTuple):
    """An operation on a resource."""

    operation: AclOperation
    resource: AclResource = CLUSTER

    def __str__(self) -> str:
        """Return the operation and the resource, as they are shown in messages."""
        return f"{self.operation.name} on {self.resource}"


@dataclass(frozen=True, slots=True)
class Caller:
    """Who asks.

    Attributes:
        principal: type and name, such as ``User:alice``.
        host: the address of the connection's other end, as Java prints it: IPv6 without ``::``.
        is_forwarded: whether another node authenticated it, and forwards its request.
        is_token_authenticated: whether it authenticated itself with a delegation token.
        is_by_sasl: whether SASL authenticated it, so that its name is no certificate's.
        is_by_node: whether a node of kraftpy forwards its call of the public API, and not a broker of Kafka in an
            Envelope: then nothing of the request was judged before.
    """

    principal: str
    host: str
    is_forwarded: bool = False
    is_token_authenticated: bool = False
    is_by_sasl: bool = False
    is_by_node: bool = False
