"""What a leader knows of every other replica: how far it is, when it fetched, when it was last caught up.

A fetch at offset O says: everything below O is fsynced there. Voters are counted for the high watermark, observers are
only shown. A replica under a voter's id but with another directory id (a lost disk) is an observer.

Source: KIP-595 §Leader Progress Timeout; KIP-836 (caught-up time); Kafka ``LeaderState.ReplicaState``.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import Endpoint, ReplicaKey, VoterSet
from kraftpy.raft.messages import ReplicaProgress
from kraftpy.raft.timing import OBSERVER_SESSION_MS
from kraftpy.raft.vote_tally import majority_end_offset

OBSERVERS_MAX = 10_000
"""How many observers are remembered; beyond, the one that fetched longest ago is forgotten."""


@dataclass(slots=True)
class FetchState:
    """One replica's progress; ``None`` is unknown. ``end_offset`` may fall: a replica can lose its disk.

    Attributes:
        key: its replica key; of a static voter that is bound (see ``duplicate_node_ids``), with the bound directory.
        bound_ms: when that directory last fetched; ``None`` while none is bound, and for all others.
    """

    key: ReplicaKey
    end_offset: Offset | None = None
    last_fetch_ms: int | None = None
    leader_end_at_last_fetch: Offset = 0
    last_caught_up_ms: int | None = None
    last_seen_ms: int | None = None

    def start_over(self, key: ReplicaKey) -> None:
        """Reset everything but the key: this voter has another directory from now on."""
        self.key = key
        self.end_offset = self.last_fetch_ms = self.last_caught_up_ms = self.last_seen_ms = None
        self.leader_end_at_last_fetch = 0

    def fetched(self, now_ms: int, fetch_offset: Offset, leader_end_offset: Offset) -> None:
        """Count a valid fetch. Reaching where the leader was at the previous fetch is being caught up as of then."""
        if fetch_offset >= leader_end_offset:
            self.last_caught_up_ms = now_ms
        elif self.last_fetch_ms is not None and fetch_offset >= self.leader_end_at_last_fetch > 0:
            self.last_caught_up_ms = max(self.last_caught_up_ms or 0, self.last_fetch_ms)
        self.end_offset = fetch_offset
        self.last_fetch_ms = now_ms
        self.leader_end_at_last_fetch = leader_end_offset

    def view(self, endpoints: tuple[Endpoint, ...]) -> ReplicaProgress:
        """Show it as DescribeQuorum does."""
        return ReplicaProgress(
            key=self.key,
            log_end_offset=self.end_offset,
            last_fetch_ms=self.last_fetch_ms,
            last_caught_up_ms=self.last_caught_up_ms,
            endpoints=endpoints,
        )


class Progress:
    """The fetch states of voters (by id) and observers (by key)."""

    __slots__ = ("_observers", "_voters")

    def __init__(self, voters: VoterSet) -> None:
        self._voters: dict[NodeId, FetchState] = {}
        self._observers: dict[ReplicaKey, FetchState] = {}
        self.set_voters(voters)

    def __iter__(self) -> Iterator[FetchState]:
        yield from self._voters.values()

    @property
    def observers(self) -> list[FetchState]:
        """Ascending by id, then by directory."""
        return sorted(self._observers.values(), key=lambda state: (state.key.node_id, state.key.directory_id or b""))

    def set_voters(self, voters: VoterSet) -> None:
        """Apply a new voter set; a replica that becomes voter or observer keeps its progress."""
        known = self._observers | {state.key: state for state in self._voters.values()}
        before = list(self._voters.values())
        self._voters = {}
        for voter in voters:
            match = next((state for key, state in known.items() if voter.key.accepts(key)), None)
            self._voters[voter.key.node_id] = match or FetchState(voter.key)
        kept = {id(state) for state in self._voters.values()}
        self._observers = {
            state.key: state
            for state in [*self._observers.values(), *before]
            if id(state) not in kept and state.last_fetch_ms is not None
        }

    def of(self, key: ReplicaKey, voters: VoterSet) -> FetchState:
        """Find the state of a replica that fetches; an unknown one becomes an observer."""
        if voters.contains(key):
            return self._voters[key.node_id]
        state = self._observers.get(key)
        if state is None:
            if len(self._observers) >= OBSERVERS_MAX:
                self._forget(min(self._observers.values(), key=lambda one: one.last_fetch_ms or 0))
            state = self._observers[key] = FetchState(key)
        return state

    def observer(self, key: ReplicaKey) -> FetchState | None:
        """Return what is known of an observer."""
        return self._observers.get(key)

    def voter(self, node_id: NodeId) -> FetchState:
        """Return what is known of a voter."""
        return self._voters[node_id]

    def forget_silent_observers(self, now_ms: int) -> None:
        """Drop observers whose last fetch is older than their session."""
        for state in list(self._observers.values()):
            if now_ms - (state.last_fetch_ms or 0) > OBSERVER_SESSION_MS:
                self._forget(state)

    def count_observers(self, now_ms: int) -> int:
        """Return how many observers fetched within their session."""
        return sum(now_ms - (state.last_fetch_ms or 0) <= OBSERVER_SESSION_MS for state in self._observers.values())

    def end_offset_of(self, node_id: NodeId) -> Offset | None:
        """Return how far a voter is known to be."""
        return self._voters[node_id].end_offset

    def majority_end_offset(self, own_id: NodeId, own_flushed_offset: Offset) -> Offset | None:
        """Return what a majority of the voters has on its disks.

        The leader counts with what it has fsynced, and only if it is a voter.
        """
        return majority_end_offset(
            [own_flushed_offset if node_id == own_id else state.end_offset for node_id, state in self._voters.items()]
        )

    def successors(self, own_id: NodeId) -> tuple[ReplicaKey, ...]:
        """Return the other voters, the longest log first, ties and the unknown by id."""
        others = [state for node_id, state in self._voters.items() if node_id != own_id]
        others.sort(key=lambda state: (-(-1 if state.end_offset is None else state.end_offset), state.key.node_id))
        return tuple(state.key for state in others)

    def _forget(self, state: FetchState) -> None:
        del self._observers[state.key]
