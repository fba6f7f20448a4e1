"""Open a metadata directory whose log may be corrupt, and re-replicate it if that is allowed.

Storage rejects corruption of acknowledged data, whatever the cause: it has one copy and must not guess. A node has
peers. So corruption that stops :meth:`MetadataDirectory.open` (a bad batch below the end, a snapshot, missing records,
a file of the log that the disk cannot read) is handled here: the corrupt log is quarantined as a whole
(:mod:`kraftpy.storage.quarantine`), and the node starts as an empty one whose vote does not count until it has caught
up again (``raft.guards.voter_eligibility`` argues that nothing acknowledged is lost). Everything is re-replicated, from
the leader's snapshot or from offset 0, not the corrupt part alone: the rest of a corrupt log cannot be verified, and a
metadata log is small.

Corruption that no checksum detects, found because the replayed state is not the majority's, is handled in the same way
(:mod:`kraftpy.node.divergence`).

Not repaired: a corrupt ``quorum-state`` (the vote is lost, and a node that forgot its vote may grant it twice) or
``meta.properties`` (the node's identity); a sole voter, because no other node has what it acknowledged; any log when
``metadata.log.repair.from.peers`` is false. There the start is refused with that reason. If the operator then moves the
directory away, that is a decision; the recovery point remains, and shows that this voter did hold records, so it is not
treated as a first start.

For a node that may vote, an unusable recovery point is corruption, too: a log whose last sectors were lost reads as a
shorter log, and nothing else on the disk records how far it reached. An observer continues with a warning: it fetches
what it lost, and is not counted.
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
from kraftpy.runtime.recovered_state import voters_of
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.names import METADATA_DIRECTORY
from kraftpy.storage.os_errors import faults_of
from kraftpy.storage.quarantine import Quarantined, is_of_the_log, quarantine, readable_control_records
from kraftpy.storage.replica_status import ReplicaStatusFile


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairPolicy:
    """What decides whether a node's log may be re-replicated.

    Attributes:
        enabled: ``metadata.log.repair.from.peers``.
        raft: the quorum's configuration.
        key: the replica key of this node.
    """

    enabled: bool
    raft: RaftConfig
    key: ReplicaKey

    def why_not(
        self, voters: VoterSet | None, named: frozenset[NodeId] | None = None, *, is_gone: bool = False
    ) -> str | None:
        """Return why a corrupt log may not be quarantined; ``None`` when it may.

        Args:
            voters: the newest voter set that can be read from the corrupt log, ``None`` when it has none.
            named: the voters that a leader named after that set: corruption may have hidden a newer one.
            is_gone: whether there is no log, because it was moved away.
        """
        if not self.enabled and not is_gone:
            return "It was not quarantined, because metadata.log.repair.from.peers is false."
        known = voters if voters is not None else self.raft.static_voters
        is_alone = known.contains(self.key) and len(known) == 1
        if self.raft.can_vote and (is_alone or named == frozenset({self.key.node_id})):
            return "It was not quarantined: this node is the only voter, so no other one has what is missing."
        others = [voter for voter in known if voter.key.node_id != self.key.node_id]
        servers = [one for one in self.raft.bootstrap_servers if one not in self.raft.own_endpoints]
        if not others and not servers:
            return "It was not quarantined: this node knows of no other one to fetch from."
        return None


@dataclass(frozen=True, slots=True)
class Repaired:
    """The repair of a corrupt log.

    Attributes:
        quarantined_log: the directory that holds it; ``None`` when the log proved right, and the memory wrong.
        text: one line for the operator.
    """

    quarantined_log: Quarantined | None
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
    """Open a metadata directory; one whose log is corrupt is opened without it, if the policy allows that.

    Args:
        fs: the disk.
        log_directory: ``metadata.log.dir``; the caller holds its lock.
        config: the log's limits.
        draw: returns that many random bytes.
        policy: whether peers have what this node lost.
        now_ms: the time.
        suspect: the state that proved wrong in this process before, if any (``divergence``).

    Raises:
        CorruptLogError: the log is corrupt and may not be quarantined; the text has the reason.
        StorageError: a disk operation failed, or the disk corrupted too many logs before.
    """
    try:
        opened, reported = open_examined(fs, log_directory, config, draw, suspect)
        if opened.log.end_unknown is None or not policy.raft.can_vote:
            return opened, None if reported is None else Repaired(None, reported)
        opened.log.abandon()
        found = CorruptLogError(opened.log.end_unknown)
    except CorruptLogError as corruption:
        found = corruption
    except UnreadableError as corruption:
        if not is_of_the_log(corruption.path):
            raise
        found = CorruptLogError(
            f"{corruption}. Ways out: restore the file from a copy, on another disk; or, while a majority of the other "
            "voters is healthy, move the directory away and let this node fetch everything from the leader."
        )
    repaired = _quarantine_corrupt_log(fs, log_directory, found, policy, now_ms())
    return MetadataDirectory.open(fs, log_directory, config, draw), repaired


def _quarantine_corrupt_log(
    fs: FileSystem, log_directory: str, found: CorruptLogError, policy: RepairPolicy, now_ms: int
) -> Repaired:
    """Move a corrupt log out of the way, if the policy allows that.

    Raises:
        CorruptLogError: it does not; the text says what was found, and why it stays.
        StorageError: a disk operation failed, or the disk corrupted too many logs before.
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
    quarantined_log = quarantine(fs, log_directory, str(found), now_ms)
    status = ReplicaStatusFile.read(fs, directory)
    if status.value.divergence is not None:
        status.write_divergence(replace(status.value.divergence, is_refetched=True))
    what = str(found).partition(" Ways out: ")[0]
    text = (
        f"CORRUPTION: {what} The log was quarantined, whole; this node fetches everything again from its peers, and "
        f"its vote does not count before it holds what was committed (up to offset {quarantined_log.committed}, as far "
        "as could be read). Check the disk"
    )
    return Repaired(quarantined_log, text)


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
