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
    """One voter comes or goes.

    Attributes:
        token: what its answer is to be sent with.
        deadline_ms: when the asker is told that it is not done yet.
        ack_when_committed: False: it is answered when it is appended.
        versions: the kraft.versions that a new voter knows, lowest and highest; ``None`` until it has said so.
        offset: where the new set stands; ``None`` while it is not appended.
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
