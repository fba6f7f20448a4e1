"""A change of the voter set on its way, as data: what a leader knows of it until it is answered.

Source: KIP-853 §Adding and removing voters; Kafka ``AddVoterHandlerState``, ``RemoveVoterHandlerState``.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import Endpoint, ReplicaKey


class VoterChangeKind(enum.Enum):
    """What is to happen to a replica."""

    ADD = "add"
    REMOVE = "remove"


@dataclass(slots=True, kw_only=True)
class VoterChange:
    """The addition or removal of one voter.

    Attributes:
        token: identifies the request for the response.
        deadline_ms: when the request times out.
        ack_when_committed: False: the response is sent when it is appended.
        versions: the lowest and highest kraft.version that a new voter supports; ``None`` until it has reported them.
        offset: the offset of the new set; ``None`` while it is not appended.
    """

    kind: VoterChangeKind
    token: int
    key: ReplicaKey
    deadline_ms: int
    endpoints: tuple[Endpoint, ...] = ()
    ack_when_committed: bool = True
    versions: tuple[int, int] | None = None
    offset: Offset | None = None

    def __str__(self) -> str:
        return f"{self.kind.value} {self.key}"


@dataclass(slots=True)
class Transfer:
    """The leadership is being handed to ``successor``; until then nothing new is proposed."""

    successor: NodeId
    deadline_ms: int
