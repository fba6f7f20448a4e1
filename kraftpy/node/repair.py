"""Opening a metadata directory whose log may be damaged: whether it may be fetched anew, and doing so.

Storage refuses damage in what was promised, whatever the reason: it has one copy and must not guess. A node has peers.
So damage that stops :meth:`MetadataDirectory.open` (a bad batch below the end, a snapshot, records that are missing, a
file of the log that the disk does not give back) is answered here: the damaged log is set aside, whole
(:mod:`kraftpy.storage.quarantine`), and the node starts as one that has nothing yet and whose vote does not count
before it is level again (``raft.guards.voter_eligibility``, where it is argued that nothing acknowledged is lost).
Everything is fetched anew, from the leader's snapshot or from offset 0, not the damaged part alone: what is left of a
log beside damage would have to be believed, and a metadata log is small.

Damage that no checksum shows, found because the state that the log leads to is not the majority's, is answered in the
same way (:mod:`kraftpy.node.divergence`).

Not repaired: a damaged ``quorum-state`` (the vote is lost, and a node that forgot its vote may give it twice) or
``meta.properties`` (who it is); a voter that is the only one, for nobody else has what it promised; any log when
``metadata.log.repair.from.peers`` is false. There the start is refused, as the text says. Whoever then moves the
directory away has decided; the recovery point stays behind, and says that this voter did hold something, so it is not
one that starts for the first time.

A recovery point that cannot be used is damage, too, for whoever may vote: a log whose last sectors were lost reads as
one that ends there, and nothing else on the disk says how far it reached. A log that only follows goes on, with a
warning: what it lost it fetches, and nobody counts it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from kraftpy.image import MetadataImage
from kraftpy.model.errors import CorruptLogError, UnreadableError
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.replica_status import VoterStatus
from kraftpy.model.voters import ReplicaKey, VoterSet
from kraftpy.node.divergence import open_examined
from kraftpy.raft.config import RaftConfig
from kraftpy.records.control import ControlRecord, LeaderChangeMessage
from kraftpy.runtime.control_records import voters_of
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.names import METADATA_DIRECTORY
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.quarantine import Quarantined, is_of_the_log, quarantine, readable_control_records
from kraftpy.storage.replica_status import ReplicaStatusFile


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPolicy:
    """What a node knows that decides whether its log may be fetched anew.

    Attributes:
        enabled: ``metadata.log.repair.from.peers``.
        raft: the quorum's configuration.
        key: who this node is.
    """

    enabled: bool
    raft: RaftConfig
    key: ReplicaKey

    def why_not(
        self, voters: VoterSet | None, named: frozenset[NodeId] | None = None, *, is_gone: bool = False
    ) -> str | None:
        """Say why a damaged log may not be set aside; ``None`` when it may.

        Args:
            voters: the newest voter set that can be read of the damaged log, ``None`` when it has none.
            named: the voters that a leader named behind that set: damage may have hidden a newer one.
            is_gone: that there is no log: somebody moved it away.
        """
        if not self.enabled and not is_gone:
            return "It was not set aside, because metadata.log.repair.from.peers is false."
        known = voters if voters is not None else self.raft.static_voters
        is_alone = known.contains(self.key) and len(known) == 1
        if self.raft.can_vote and (is_alone or named == frozenset({self.key.node_id})):
            return "It was not set aside: this node is the only voter, so no other one has what is missing."
        others = [voter for voter in known if voter.key.node_id != self.key.node_id]
        servers = [one for one in self.raft.bootstrap_servers if one not in self.raft.own_endpoints]
        if not others and not servers:
            return "It was not set aside: this node knows of no other one to fetch from."
        return None


@dataclass(frozen=True, slots=True)
class Repaired:
    """What was done about a damaged log.

    Attributes:
        aside: where it stands; ``None`` when the log turned out to be right, and the memory wrong.
        text: one line for people.
    """

    aside: Quarantined | None
    text: str


def open_or_repair(
    fs: FileSystem,
    log_directory: str,
    config: LogConfig,
    draw: Callable[[int], bytes],
    policy: RepairPolicy,
    *,
    now_ms: Callable[[], int],
    suspect: MetadataImage | None = None,
) -> tuple[MetadataDirectory, Repaired | None]:
    """Open a metadata directory; one whose log is damaged is opened without it, if the policy allows that.

    Args:
        fs: the disk.
        log_directory: ``metadata.log.dir``; the caller holds its lock.
        config: the log's limits.
        draw: returns that many random bytes.
        policy: whether peers have what this node lost.
        now_ms: the time.
        suspect: the state that was found to be wrong in this process before, if it was (``divergence``).

    Raises:
        CorruptLogError: the log is damaged and may not be set aside; the text says why.
        StorageError: the disk said no, or damaged too many logs before.
    """
    try:
        opened, told = open_examined(fs, log_directory, config, draw, suspect)
        if opened.log.end_unknown is None or not policy.raft.can_vote:
            return opened, None if told is None else Repaired(None, told)
        opened.log.abandon()
        found = CorruptLogError(opened.log.end_unknown)
    except CorruptLogError as damage:
        found = damage
    except UnreadableError as damage:
        if not is_of_the_log(damage.path):
            raise
        found = CorruptLogError(
            f"{damage}. Ways out: restore the file from a copy, on another disk; or, while a majority of the other "
            "voters is healthy, move the directory away and let this node fetch everything from the leader."
        )
    repaired = _set_damage_aside(fs, log_directory, found, policy, now_ms())
    return MetadataDirectory.open(fs, log_directory, config, draw), repaired


def _set_damage_aside(
    fs: FileSystem, log_directory: str, found: CorruptLogError, policy: RepairPolicy, now_ms: int
) -> Repaired:
    """Move a damaged log out of the way, if the policy allows that.

    Raises:
        CorruptLogError: it does not; the text says what was found, and why it stays.
        StorageError: the disk said no, or damaged too many logs before.
    """
    directory = join(log_directory, METADATA_DIRECTORY)
    records = readable_control_records(fs, directory)
    sets = voters_of(records)
    refusal = policy.why_not(
        sets[-1][1] if sets else None,
        _named_last(records, sets[-1][0] if sets else -1),
        is_gone=_is_gone(fs, directory),
    )
    if refusal is not None:
        raise CorruptLogError(f"{found} {refusal}") from found
    aside = quarantine(fs, log_directory, str(found), now_ms)
    status = ReplicaStatusFile.read(fs, directory)
    if status.value.divergence is not None:
        status.write_divergence(replace(status.value.divergence, is_refetched=True))
    what = str(found).partition(" Ways out: ")[0]
    text = (
        f"DAMAGE: {what} The log was set aside, whole; this node fetches everything anew from its peers now, and its "
        f"vote does not count before it holds what was committed (up to offset {aside.committed}, as far as could be "
        "read). Check the disk"
    )
    return Repaired(aside, text)


def _is_gone(fs: FileSystem, directory: str) -> bool:
    """Return whether this start found no log at all, and none was fetched since."""
    with faults_of("listing", directory):
        paths = [join(directory, name) for name in fs.list_directory(directory) if is_of_the_log(name)]
        holds_nothing = not any(map(fs.size, paths))
    return holds_nothing and ReplicaStatusFile.read(fs, directory).value.status is VoterStatus.EMPTY


def _named_last(records: Sequence[tuple[Offset, ControlRecord]], behind: Offset) -> frozenset[NodeId] | None:
    """Return the voters that the newest leader named, if it did so behind an offset."""
    for offset, record in reversed(records):
        if isinstance(record, LeaderChangeMessage) and offset > behind:
            return frozenset(voter.voter_id for voter in record.voters)
    return None
