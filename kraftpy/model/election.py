"""What a node remembers of the current epoch across a restart: its leader, or the vote it gave.

Raft's safety rests on this value: it is fsynced before any vote leaves the node. The file form is in
``kraftpy.records.quorum_state``. Source: Kafka ``ElectionState``; KIP-595 §Quorum State; KIP-853.
"""

from __future__ import annotations

from dataclasses import dataclass

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.model.voters import ReplicaKey


@dataclass(frozen=True, slots=True)
class ElectionState:
    """The epoch, and who leads or was voted for in it.

    Attributes:
        epoch: the highest epoch this node has seen; 0 for none.
        leader_id: the elected leader of the epoch, ``None`` while unknown.
        voted_key: the replica this node voted for in the epoch, ``None`` when it did not vote.
    """

    epoch: Epoch = 0
    leader_id: NodeId | None = None
    voted_key: ReplicaKey | None = None
