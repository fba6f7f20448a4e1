"""A replica whose steps may take time, and which is looked at before and after a forged request."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from kraftpy.model.jitter import Jitter
from kraftpy.node.build_info import compiled_modules
from kraftpy.raft.config import Identity, RaftConfig, RecoveredState
from kraftpy.raft.messages import RaftRequest
from kraftpy.raft.ready import Inbound, RequestReceived
from kraftpy.raft.replica import Replica
from kraftpy.raft.roles import Leader

Facts = dict[str, object]

IS_COMPILED: Final = "kraftpy.raft.replica" in compiled_modules()
"""Whether the replica is machine code, which Python cannot subclass.

Its steps take no time then, and what a forged request changes is not compared.
"""


def replica_of(
    config: RaftConfig,
    identity: Identity,
    recovered: RecoveredState,
    *,
    jitter: Jitter,
    now_ms: int,
    spend: Callable[[], None],
    is_forged: Callable[[int], bool],
    on_forged: Callable[[RaftRequest, Facts, Facts], None],
) -> Replica:
    """Make a replica; see :class:`SimulatedReplica`."""
    if IS_COMPILED:
        return Replica(config=config, identity=identity, recovered=recovered, jitter=jitter, now_ms=now_ms)
    return SimulatedReplica(
        config=config, identity=identity, recovered=recovered, jitter=jitter, now_ms=now_ms,
        spend=spend, is_forged=is_forged, on_forged=on_forged,
    )  # fmt: skip


class SimulatedReplica(Replica):
    """The real one.

    Args:
        spend: called for every item that is taken.
        is_forged: whether a request of this token is a stranger's in another node's name.
        on_forged: hears of such a request what was true before and after it.
    """

    def __init__(
        self,
        *,
        config: RaftConfig,
        identity: Identity,
        recovered: RecoveredState,
        jitter: Jitter,
        now_ms: int,
        spend: Callable[[], None],
        is_forged: Callable[[int], bool],
        on_forged: Callable[[RaftRequest, Facts, Facts], None],
    ) -> None:
        super().__init__(config=config, identity=identity, recovered=recovered, jitter=jitter, now_ms=now_ms)
        self._spend = spend
        self._is_forged = is_forged
        self._on_forged = on_forged

    def step(self, now_ms: int, inbound: Inbound) -> None:
        self._spend()
        if not isinstance(inbound, RequestReceived) or not self._is_forged(inbound.token):
            super().step(now_ms, inbound)
            return
        # What is due by now is no work of the request.
        self.tick(now_ms)
        before = facts_of(self)
        super().step(now_ms, inbound)
        self._on_forged(inbound.request, before, facts_of(self))


def facts_of(replica: Replica) -> Facts:
    """Return what no stranger may change: role, epoch, vote, log, and what is believed of others and of digests."""
    state = replica.state
    role, digests = state.role, state.digests
    facts: Facts = {
        "role": replica.role,
        "leader": replica.leader,
        "vote": getattr(role, "voted_key", None),
        "log": (state.log.end_offset, state.log.end, replica.high_watermark),
        "voters": replica.voters,
        "digests": (tuple(digests.made.values()), digests.agreed, digests.disputed_to),
    }
    if isinstance(role, Leader):
        facts["progress"] = [(each.key, each.end_offset) for each in role.progress]
        facts["observers"] = [(each.key, each.end_offset) for each in role.progress.observers]
        facts["told of digests"] = {place: dict(reported.by) for place, reported in role.digest_tracker.places.items()}
        facts["changes"] = (role.change, role.transfer, dict(role.described_voters))
    return facts
