"""Comparing digests of the state: equal logs must have given equal states, and a majority says what is equal.

Every replica whose state machine made a digest (:class:`~kraftpy.model.digests.StateDigest`) says so in its fetches (a
tag of ours), until its leader has judged it. The leader keeps what it was told at the last few offsets, its own digests
among them. When a majority of the voters made the same one at an offset, that is *agreed*, and the answer to whoever
tells one of that offset says what it is. Who made another one has diverged: its state is wrong, whatever the reason.

*   A follower or an observer finds out by the answer, and says ``StateDiverged`` of itself. What is to be done about it
    is up to the node; as far as Raft is concerned its log may be as good as any.
*   A leader that is in the minority says so, and resigns at once, so that nothing more is decided on a wrong state.
*   A leader says of others that they diverged, for people to read: of a replica that is too old to fence itself, too.
*   The only voter of its quorum is believed when an observer has made the same: one bit that flips in its memory must
    not make every observer throw away a right state.
*   Where no majority agrees, nobody can know who is right. The leader says that voters disagree (``StateDisputed``).

Digests of an offset are compared if they are of one scheme. Nobody has to make them at all: a replica that tells none
(a Kafka node) is not judged, and a leader that judges none is told again and again, in a few bytes a fetch.

Raft does not know what was digested, and nothing here decides about elections or commits: a digest is a statement about
the past, made by state machines that may be some time behind.
"""

from __future__ import annotations

from kraftpy.model.digests import StateDigest
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import ReplicaKey
from kraftpy.raft.core import Core
from kraftpy.raft.ledger import place_of, shown
from kraftpy.raft.messages import FetchRequest
from kraftpy.raft.quorum_state import transition_to_resigned
from kraftpy.raft.ready import StateAgreed, StateDisputed, StateDiverged
from kraftpy.raft.roles import Leader


def note_own(core: Core, digest: StateDigest) -> None:
    """Take a digest that this replica's state machine made: it is told, or, by a leader, compared."""
    core.digests.add(digest)
    if isinstance(core.role, Leader):
        _note(core, core.role, core.key, digest)


def note_told(core: Core, leader: Leader, request: FetchRequest) -> None:
    """Take what a fetch that is served says about its sender's state."""
    key, digest = request.replica, request.state
    # What nobody can have made would push out, as newer, what the others did.
    if key is None or key.node_id < 0 or digest is None or digest.end_offset > request.fetch_offset:
        return
    if not _is_known(core, leader, digest):
        # What this leader made before it led, or a moment ago, counts as well.
        own = core.digests.made.get(place_of(digest))
        if own is not None:
            leader.ledger.note(core.key, own)
    _note(core, leader, key, digest)


def agreed_for(leader: Leader, request: FetchRequest) -> StateDigest | None:
    """Return what is agreed at the offset of which a fetch tells."""
    return None if request.state is None else leader.ledger.agreed_at(place_of(request.state))


def handle_agreed(core: Core, leader_id: NodeId, agreed: StateDigest) -> None:
    """Compare what the leader says is agreed with what was made here."""
    own = core.digests.made.get(place_of(agreed))
    if own is not None and own != core.digests.agreed:
        _judge_own(core, leader_id, own, agreed)


def _is_known(core: Core, leader: Leader, digest: StateDigest) -> bool:
    statements = leader.ledger.places.get(place_of(digest))
    return statements is not None and core.key in statements.by


def _note(core: Core, leader: Leader, key: ReplicaKey, digest: StateDigest) -> None:
    statements = leader.ledger.note(key, digest)
    if statements is None:
        return
    if statements.agreed is not None:
        _judge(core, key, digest, statements.agreed)
        return
    statements.agreed = statements.majority(core.voters)
    if statements.agreed is not None:
        for each, said in list(statements.by.items()):
            _judge(core, each, said, statements.agreed)
    elif len(set(statements.by.values())) > 1 and not statements.disputed:
        statements.disputed = True
        said_by = shown((each.node_id, said) for each, said in statements.by.items())
        core.out.events.append(StateDisputed(digest.end_offset, said_by))


def _judge(core: Core, key: ReplicaKey, said: StateDigest, agreed: StateDigest) -> None:
    """Compare one replica's digest with the agreed one; the leader is the judge, of itself, too."""
    if key == core.key:
        _judge_own(core, core.node_id, said, agreed)
    elif said != agreed and core.told.may_tell(key.node_id, f"diverged at {said.end_offset}", core.now_ms):
        core.out.events.append(StateDiverged(key, said, agreed, core.node_id))


def _judge_own(core: Core, judge: NodeId, own: StateDigest, agreed: StateDigest) -> None:
    core.digests.judged(own)
    if own == agreed:
        core.digests.agreed = own
        core.out.events.append(StateAgreed(own))
        return
    core.out.events.append(StateDiverged(core.key, own, agreed, judge))
    if isinstance(core.role, Leader):
        transition_to_resigned(core, f"its state at offset {own.end_offset} is not that of the majority")
