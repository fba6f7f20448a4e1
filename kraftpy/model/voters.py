"""Voters: replica keys, endpoints, and the set that decides.

A replica is known by its node id and, where one is known, by the id of the directory that holds its log: a node that
lost its disk comes back under the same node id and another directory id, and is then not the voter it was.

Source: KIP-853 §Voter; Kafka ``VoterSet``, ``ReplicaKey``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from kraftpy.model.ids import NodeId, Uuid, uuid_to_text


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where a listener can be reached. ``name`` is upper case."""

    name: str
    host: str
    port: int

    def __str__(self) -> str:
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"{self.name}://{host}:{self.port}"


@dataclass(frozen=True, slots=True)
class ReplicaKey:
    """A node id, with its directory id where that is known."""

    node_id: NodeId
    directory_id: Uuid | None = None

    def accepts(self, other: ReplicaKey) -> bool:
        """Return whether ``other`` is the replica that this *stored* key means.

        The ids must be equal, and the directory ids too unless the stored key has none (a static voter set).
        """
        return self.node_id == other.node_id and self.directory_id in (None, other.directory_id)

    def __str__(self) -> str:
        directory = "" if self.directory_id is None else f"@{uuid_to_text(self.directory_id)}"
        return f"{self.node_id}{directory}"


@dataclass(frozen=True, slots=True)
class Voter:
    """One member of the voter set.

    Its endpoints have a name each, by which others choose. Kafka writes them in any order; where a name is not known,
    the first is taken.
    """

    key: ReplicaKey
    endpoints: tuple[Endpoint, ...] = ()
    kraft_version_min: int = 0
    kraft_version_max: int = 0

    def runs_like(self, other: Voter) -> bool:
        """Return whether both say the same of a replica; endpoints have no order, since Kafka writes them in any."""
        return frozenset(self.endpoints) == frozenset(other.endpoints) and self == replace(
            other, endpoints=self.endpoints
        )


@dataclass(frozen=True, slots=True)
class VoterSet:
    """The replicas whose majority decides, ascending by node id. A node id occurs at most once."""

    voters: tuple[Voter, ...] = ()

    @classmethod
    def of(cls, voters: Iterable[Voter]) -> VoterSet:
        """Build a set, sorted by node id.

        Raises:
            ValueError: when a node id occurs twice.
        """
        ordered = tuple(sorted(voters, key=lambda voter: voter.key.node_id))
        ids = [voter.key.node_id for voter in ordered]
        repeated = sorted({node_id for node_id in ids if ids.count(node_id) > 1})
        if repeated:
            raise ValueError(f"voter ids {repeated} are in the voter set more than once")
        return cls(ordered)

    def __iter__(self) -> Iterator[Voter]:
        return iter(self.voters)

    def __len__(self) -> int:
        return len(self.voters)

    @property
    def ids(self) -> tuple[NodeId, ...]:
        """The node ids, ascending."""
        return tuple(voter.key.node_id for voter in self.voters)

    @property
    def majority(self) -> int:
        """How many voters decide: floor(n / 2) + 1."""
        return len(self.voters) // 2 + 1

    def by_id(self, node_id: NodeId) -> Voter | None:
        """Return the voter with this node id, whatever its directory."""
        for voter in self.voters:
            if voter.key.node_id == node_id:
                return voter
        return None

    def contains(self, key: ReplicaKey) -> bool:
        """Return whether this replica, directory id included where one is stored, is a voter."""
        voter = self.by_id(key.node_id)
        return voter is not None and voter.key.accepts(key)
