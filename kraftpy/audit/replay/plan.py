"""The plan of a node's replay: what every shard needs to know of the whole log, found in one cheap pass.

Shards are replayed independently, so what concerns all of them is determined first: from which snapshot the replay
starts, which ranges a transaction aborted or left open, when a metadata.version came into force, and when topics were
removed (the configs of a topic are removed with it, and are in another shard). Only control entries are read.

The records of a transaction take effect at its end: a state as of an offset within it does not include them. They take
effect in their own order, so an effect has two offsets (:class:`Due`): a ClearElrRecord does not clear what follows it
in the same transaction. Control records are never part of a transaction.

Source: Kafka ``MetadataBatchLoader``; KIP-868; KIP-630.
"""

from __future__ import annotations

from bisect import bisect_right
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from kraftpy.audit.engines.protocol import AsOf, Planned
from kraftpy.audit.reading.rows import LOG, SNAPSHOT, ControlEntry, Entry, FileSummary
from kraftpy.audit.replay.rows import decode, decode_control_entry, replay_order, snapshot_end
from kraftpy.audit.tables import Row
from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.ids import uuid_to_text
from kraftpy.records.control import (
    KRaftVersionRecord,
    LeaderChangeMessage,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
)
from kraftpy.records.metadata import (
    AbortTransactionRecord,
    BeginTransactionRecord,
    ClearElrRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    RemoveTopicRecord,
    TopicRecord,
)

LATEST: Final = AsOf()
SNAPSHOT_HEADER_TYPE: Final = 3
OFFSET_MAX: Final = 2**63 - 1
NO_LEVEL: Final = 0
"""The metadata.version if none is known."""

COMMITTED, ABORTED, OPEN = "committed", "aborted", "open"


@dataclass(frozen=True, slots=True)
class SnapshotFile:
    """A finished snapshot's file and the id in its name.

    Attributes:
        contained_ms: the time of the last batch of the log that it includes, from its header; -1 if unknown.
        is_sound: whether reading found no problem in it; otherwise it is not used.
    """

    file: str
    end_offset: int
    epoch: int
    contained_ms: int = -1
    is_sound: bool = True


@dataclass(frozen=True, slots=True)
class LogExtent:
    """The extent of one node's log and snapshots, from the first pass.

    Attributes:
        start: the base offset of the first batch of the log, ``None`` if there is none.
        end: the offset after its last batch.
        last_epoch: the epoch of that batch.
    """

    cluster: str
    node: str
    start: int | None
    end: int
    last_epoch: int
    snapshots: tuple[SnapshotFile, ...] = ()

    @property
    def reach(self) -> tuple[int, int]:
        """How far the node got, as (epoch, end offset), including its snapshots."""
        sound = [(each.epoch, each.end_offset) for each in self.snapshots if each.is_sound]
        return max([(self.last_epoch, self.end), *sound])


@dataclass(frozen=True, slots=True)
class Transaction:
    """A transaction in the log. ``end`` is the offset of its End or Abort record, ``None`` while it is open."""

    begin: int
    end: int | None
    name: str | None
    outcome: str


class Due(NamedTuple):
    """When a change takes effect; ascending in the order of the effects.

    Attributes:
        effective: the offset at which it takes effect: the end of its transaction, otherwise ``offset``.
        offset: of its record.
    """

    effective: int
    offset: int


@dataclass(frozen=True, slots=True)
class NodePlan:
    """How one node's records are to be replayed.

    Attributes:
        base: the snapshot that the replay starts from, ``None`` if it starts with the log.
        start: the first offset of the log to replay.
        until: the offset before which the replay stops.
        until_ms: later records of the log have no effect; ``None`` without a limit.
        compares: snapshots to compare the log with, ascending.
        is_primary: whether the cluster's state is taken from this node.
        transactions: ascending.
        levels: by file, and ``"log"`` for all segments: (offset, metadata.version from there on), ascending.
        removals: topic name to when a topic of that name was removed, ascending.
        elr_clearings: (when, topic name or an empty string for all topics), ascending.
        salt: the key of the digests that distinguish redacted secrets; empty for no digests.
        with_entities: whether the table ``entities`` is filled; only differences need it, and it is the largest.
    """

    cluster: str
    node: str
    base: SnapshotFile | None
    start: int
    until: int
    compares: tuple[SnapshotFile, ...]
    is_primary: bool
    transactions: tuple[Transaction, ...] = ()
    levels: Mapping[str, tuple[tuple[int, int], ...]] = field(default_factory=dict)
    removals: Mapping[str, tuple[Due, ...]] = field(default_factory=dict)
    elr_clearings: tuple[tuple[Due, str], ...] = ()
    salt: bytes = b""
    until_ms: int | None = None
    with_entities: bool = True

    def takes(self, file: str, kind: str, offset: int) -> bool:
        """Return whether a record has to be replayed."""
        if kind == LOG:
            return self.start <= offset < self.until
        return kind == SNAPSHOT and (
            self.is_primary
            or (self.base is not None and file == self.base.file)
            or any(file == each.file for each in self.compares)
        )

    def bounds(self, file: str, kind: str) -> tuple[int, int]:
        """Return the offsets of a file that :meth:`takes` accepts, as ``[from, to)``."""
        if kind == LOG:
            return self.start, self.until
        return (0, OFFSET_MAX) if self.takes(file, kind, 0) else (0, 0)

    @property
    def is_partial(self) -> bool:
        """Whether the log's beginning is missing, so that records may refer to entities that are unknown."""
        return self.base is None and self.start > 0

    @property
    def is_idle(self) -> bool:
        """Whether no record of the node needs to be replayed."""
        return not self.is_primary and not self.compares

    def effective(self, offset: int) -> int | None:
        """Return the offset at which a data record of the log takes effect, ``None`` if it never does."""
        at = bisect_right(self.transactions, offset, key=lambda each: each.begin) - 1
        if at < 0:
            return offset
        found = self.transactions[at]
        if found.end is not None and offset >= found.end:
            return offset
        return found.end if found.outcome == COMMITTED else None

    def level_at(self, entry: Entry) -> int:
        """Return the metadata.version in force for a record, :data:`NO_LEVEL` if none is known."""
        levels = self.levels.get(LOG if entry.kind == LOG else entry.file, ())
        at = bisect_right(levels, entry.offset, key=lambda each: each[0]) - 1
        return levels[at][1] if at >= 0 else NO_LEVEL


@dataclass(slots=True)
class LeaderElection:
    """A LeaderChange, and the control records that directly follow it in its batch.

    The first batch of an epoch has the LeaderChange first, followed, if the voter set is new, by the records that bring
    it into force. Kafka's and kraftpy's leaders of a newly formatted quorum write such batches, and so do a restore and
    a recovery, with one record for each voter that is added or removed. The LeaderChange then has the last of these
    sets.

    Attributes:
        entry: the LeaderChange.
        before: the voter set in force before it, as :func:`_ids` writes it; ``None`` if no record has it.
        behind: the last set that its batch brings into force; ``None`` while there is none.
        last: the offset of the last record that belongs to the batch so far.
    """

    entry: Entry
    message: LeaderChangeMessage
    before: str | None
    behind: str | None = None
    last: int = 0

    def goes_on_with(self, entry: Entry) -> bool:
        """Return whether a control record is in the same batch, directly after the preceding one."""
        is_same = (entry.epoch, entry.timestamp_ms) == (self.entry.epoch, self.entry.timestamp_ms)
        return is_same and entry.offset == self.last + 1

    @property
    def voters(self) -> str:
        """The voters that the LeaderChange lists."""
        return _ids(each.voter_id for each in self.message.voters)

    @property
    def in_force(self) -> str | None:
        """The set that its voters have to equal: that of its own batch if they do, otherwise the one before it."""
        return self.behind if self.behind == self.voters else self.before


def choose_primary(extents: Iterable[LogExtent]) -> dict[str, str]:
    """Return the most advanced node of each cluster; the lowest name among equals."""
    chosen: dict[str, LogExtent] = {}
    for extent in sorted(extents, key=lambda each: (each.cluster, each.node)):
        best = chosen.get(extent.cluster)
        if best is None or extent.reach > best.reach:
            chosen[extent.cluster] = extent
    return {cluster: extent.node for cluster, extent in chosen.items()}


class Planner:
    """Makes the plan of one node from its control entries, and the tables that planning fills.

    Call :meth:`take` in :func:`~kraftpy.audit.replay.rows.replay_order`, then :meth:`plan`, then :meth:`rows`.
    """

    def __init__(
        self,
        extent: LogExtent,
        *,
        as_of: AsOf = LATEST,
        is_primary: bool = True,
        salt: bytes = b"",
        with_entities: bool = True,
    ) -> None:
        """Start for one node.

        Args:
            extent: of its log and snapshots.
            as_of: replay only up to there.
            is_primary: see :func:`choose_primary`.
            salt: random bytes, the same for everything that is to be compared.
            with_entities: see :class:`NodePlan`.

        Raises:
            LocalError: when the files no longer contain that state.
        """
        self._extent = extent
        self._is_primary = is_primary
        self._salt = salt
        self._with_entities = with_entities
        reach = max([extent.end, *(each.end_offset for each in extent.snapshots if each.is_sound)])
        self._until = reach if as_of.offset is None else min(as_of.offset, reach)
        self._until_ms = as_of.timestamp_ms
        self._is_asked_for = as_of != LATEST
        self._base = self._choose_base()
        self._levels: dict[str, list[tuple[int, int]]] = {}
        self._names: dict[bytes, str] = {}
        self._removals: dict[str, list[Due]] = {}
        self._clearings: list[tuple[Due, str]] = []
        self._transactions: list[Transaction] = []
        self._open: tuple[int, str | None, str] | None = None
        self._pending: list[Entry] = []
        self._voters: tuple[VotersRecord, Entry] | None = None
        self._election: LeaderElection | None = None
        self._kraft_version = 0
        self._ends: dict[str, list[bool]] = {each.file: [False, False] for each in extent.snapshots}
        self._rows: list[tuple[str, Row]] = []

    def _choose_base(self) -> SnapshotFile | None:
        """Choose the oldest snapshot that the log continues: later ones can then be compared with the log.

        If the log does not reach as far as a snapshot, the newest snapshot is the only usable state.
        """
        extent = self._extent
        fitting = [each for each in extent.snapshots if self._fits(each)]
        newest = max(fitting, key=lambda each: (each.epoch, each.end_offset), default=None)
        if newest is not None and newest.end_offset > extent.end:
            return newest
        if extent.start == 0:
            return None
        joined = [each for each in fitting if extent.start is not None and each.end_offset >= extent.start]
        chosen = min(joined, key=lambda each: each.end_offset, default=None)
        if chosen is None and self._is_asked_for:
            self._check_some_state()
        return chosen

    def _fits_time(self, snapshot: SnapshotFile) -> bool:
        in_time = self._until_ms is None or snapshot.contained_ms <= self._until_ms
        return snapshot.end_offset <= self._until and in_time

    def _fits(self, snapshot: SnapshotFile) -> bool:
        return snapshot.is_sound and self._fits_time(snapshot)

    def _check_some_state(self) -> None:
        extent = self._extent
        oldest = min(extent.snapshots, key=lambda each: each.end_offset, default=None)
        if oldest is not None and not self._fits_time(oldest):
            raise LocalError(
                f"cluster {extent.cluster!r}, node {extent.node!r}: that state is no longer in its files, "
                f"the oldest snapshot ends at {oldest.end_offset} ({oldest.contained_ms} ms): ask for a later one"
            )

    @property
    def _start(self) -> int:
        return self._base.end_offset if self._base is not None else self._extent.start or 0

    def take(self, entry: Entry) -> None:
        """Process one record."""
        if self._until_ms is not None and entry.kind == LOG and entry.timestamp_ms > self._until_ms:
            return
        try:
            if entry.kind == LOG:
                self._take_log(entry)
            else:
                self._take_snapshot(entry)
        except MalformedError:
            return  # Replay reports what cannot be decoded, under its own name.

    def _take_snapshot(self, entry: Entry) -> None:
        is_base = self._base is not None and entry.file == self._base.file
        if entry.control:
            record = decode_control_entry(entry)
            ends = self._ends.setdefault(entry.file, [False, False])
            ends[0] |= isinstance(record, SnapshotHeaderRecord)
            ends[1] |= isinstance(record, SnapshotFooterRecord)
            if is_base:
                self._take_quorum(record, entry)
            return
        record_ = decode(entry)
        if isinstance(record_, FeatureLevelRecord) and record_.name == METADATA_VERSION:
            self._levels.setdefault(entry.file, []).append((entry.offset, record_.feature_level))
            if is_base:
                self._levels.setdefault(LOG, []).append((-1, record_.feature_level))
        elif isinstance(record_, TopicRecord) and is_base:
            self._names[record_.topic_id] = record_.name

    def _take_log(self, entry: Entry) -> None:
        if entry.control:
            control = decode_control_entry(entry)
            self._follow_election(control, entry)
            if entry.offset < self._until:
                self._take_quorum(control, entry)
            return
        if not self._start <= entry.offset < self._until:
            return
        record = decode(entry)
        if isinstance(record, BeginTransactionRecord | EndTransactionRecord | AbortTransactionRecord):
            self._take_transaction_bound(entry, record)
            return
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
            # Also in a transaction: the writer of the next record had applied it already, whatever the outcome.
            self._levels.setdefault(LOG, []).append((entry.offset, record.feature_level))
        if self._open is not None:
            self._pending.append(entry)
        else:
            self._take_change(entry, entry.offset)

    def _take_change(self, entry: Entry, effective: int) -> None:
        record = decode(entry)
        if isinstance(record, TopicRecord):
            self._names[record.topic_id] = record.name
        elif isinstance(record, RemoveTopicRecord):
            name = self._names.pop(record.topic_id, None)
            if name is not None:
                self._removals.setdefault(name, []).append(Due(effective, entry.offset))
        elif isinstance(record, ClearElrRecord):
            self._clearings.append((Due(effective, entry.offset), record.topic_name))

    def _take_transaction_bound(
        self, entry: Entry, record: BeginTransactionRecord | EndTransactionRecord | AbortTransactionRecord
    ) -> None:
        if isinstance(record, BeginTransactionRecord):
            if self._open is not None:
                self._bracket(entry, entry.offset, None, record.name, OPEN, "a transaction begins inside another")
                return
            self._open = (entry.offset, record.name, entry.file)
            return
        if self._open is None:
            self._bracket(entry, entry.offset, entry.offset, None, OPEN, "a transaction ends that never began")
            return
        begin, name, _ = self._open
        outcome = COMMITTED if isinstance(record, EndTransactionRecord) else ABORTED
        self._transactions.append(Transaction(begin, entry.offset, name, outcome))
        self._bracket(entry, begin, entry.offset, name, outcome, None)
        if outcome == COMMITTED:
            for pending in self._pending:
                self._take_change(pending, entry.offset)
        else:
            self._forget_levels(begin, entry.offset)
        self._pending.clear()
        self._open = None

    def _forget_levels(self, begin: int, end: int) -> None:
        """Return to the level before an aborted transaction."""
        levels = self._levels.get(LOG, [])
        if levels and levels[-1][0] > begin:
            before = [level for offset, level in levels if offset < begin]
            levels.append((end, before[-1] if before else NO_LEVEL))

    def _bracket(
        self, entry: Entry, begin: int, end: int | None, name: str | None, outcome: str, problem: str | None
    ) -> None:
        if self._is_primary:
            self._add("transactions", entry.file, begin, end, name, outcome, problem, entry.offset)

    def _take_quorum(self, record: object, entry: Entry) -> None:
        if isinstance(record, KRaftVersionRecord):
            self._kraft_version = record.kraft_version
        elif isinstance(record, VotersRecord):
            self._voters = (record, entry)
        elif isinstance(record, LeaderChangeMessage) and self._is_primary:
            before = None if self._voters is None else _ids(each.voter_id for each in self._voters[0].voters)
            self._end_election()
            self._election = LeaderElection(entry, record, before, last=entry.offset)

    def _follow_election(self, record: object, entry: Entry) -> None:
        """Add a control record to the current election, or end it; also after the requested offset.

        A state may end within a batch, and the batch's LeaderChange does not depend on that.
        """
        if self._election is None:
            return
        if not self._election.goes_on_with(entry):
            self._end_election()
            return
        self._election.last = entry.offset
        if isinstance(record, VotersRecord):
            self._election.behind = _ids(each.voter_id for each in record.voters)

    def _end_election(self) -> None:
        election, self._election = self._election, None
        if election is None:
            return
        entry, leader_id = election.entry, election.message.leader_id
        place = (entry.file, entry.offset, entry.epoch, entry.timestamp_ms)
        self._add("leader_changes", *place, leader_id, election.voters, election.in_force)

    def _add(self, table: str, file: str, *values: object) -> None:
        self._rows.append((table, (self._extent.cluster, self._extent.node, file, *values)))

    def plan(self) -> NodePlan:
        """Return the plan."""
        self._end_election()
        if self._open is not None:
            begin, name, file = self._open
            self._transactions.append(Transaction(begin, None, name, OPEN))
            if self._is_primary:
                self._add("transactions", file, begin, None, name, OPEN, None, begin)
            self._open = None
        extent = self._extent
        base_end = -1 if self._base is None else self._base.end_offset
        reach = max(extent.end, base_end)
        is_partial = self._base is None and self._start > 0
        compares = [
            each
            for each in (() if is_partial else extent.snapshots)
            if max(base_end, 0) < each.end_offset <= reach and self._fits(each) and self._is_whole(each.file)
        ]
        return NodePlan(
            cluster=extent.cluster,
            node=extent.node,
            base=self._base,
            start=self._start,
            until=self._until,
            compares=tuple(sorted(compares, key=lambda each: (each.end_offset, each.epoch))),
            is_primary=self._is_primary,
            transactions=tuple(self._transactions),
            levels={file: tuple(levels) for file, levels in self._levels.items()},
            removals={name: tuple(found) for name, found in self._removals.items()},
            elr_clearings=tuple(self._clearings),
            salt=self._salt,
            until_ms=self._until_ms,
            with_entities=self._with_entities,
        )

    def _is_whole(self, file: str) -> bool:
        return all(self._ends.get(file, (False, False)))

    def rows(self) -> Iterator[tuple[str, Row]]:
        """Iterate over (table name, entry) of the tables that planning fills; call :meth:`plan` first."""
        yield from self._rows
        extent = self._extent
        base = None if self._base is None else self._base.file
        yield "states", (extent.cluster, extent.node, base, self._start, self._until, self._is_primary, extent.end)
        for each in extent.snapshots:
            has_header, has_footer = self._ends[each.file]
            yield "snapshots", (
                extent.cluster, extent.node, each.file, each.end_offset, each.epoch, has_header, has_footer
            )  # fmt: skip
        if self._voters is None or not self._is_primary:
            return
        record, entry = self._voters
        for voter in record.voters:
            first = voter.endpoints[0] if voter.endpoints else None
            host, port = (None, None) if first is None else (first.host, first.port)
            yield "voters", (
                extent.cluster, extent.node, entry.file, voter.voter_id, uuid_to_text(voter.voter_directory_id), host,
                port, self._kraft_version, entry.offset,
            )  # fmt: skip


def _ids(numbers: Iterable[int]) -> str:
    return ",".join(map(str, sorted(numbers)))


def plan_nodes(
    summaries: Sequence[FileSummary],
    control_entries: Iterable[ControlEntry],
    as_of: AsOf,
    *,
    salt: bytes = b"",
    with_entities: bool = True,
) -> Planned:
    """Plan the replay of every node; see ``engines.protocol.Replay.plan``.

    Raises:
        LocalError: when the files of a cluster no longer contain the requested state.
    """
    entries_of_node: dict[tuple[str, str], list[Entry]] = defaultdict(list)
    contained: dict[str, int] = {}
    for item in control_entries:
        entries_of_node[item.cluster, item.node].append(item.entry)
        if item.entry.control and item.entry.kind == SNAPSHOT and item.entry.api_key == SNAPSHOT_HEADER_TYPE:
            contained[item.entry.file] = _contained_ms(item.entry)
    extents = _extents(summaries, contained)
    primaries = choose_primary(extents)
    plans: list[NodePlan] = []
    rows: list[tuple[str, Row]] = []
    for extent in extents:
        is_primary = primaries[extent.cluster] == extent.node
        planner = Planner(extent, as_of=as_of, is_primary=is_primary, salt=salt, with_entities=with_entities)
        for entry in sorted(entries_of_node[extent.cluster, extent.node], key=replay_order):
            planner.take(entry)
        plan = planner.plan()
        rows.extend(planner.rows())
        if not plan.is_idle:
            plans.append(plan)
    return Planned(tuple(plans), tuple(rows))


def _contained_ms(entry: Entry) -> int:
    try:
        header = decode_control_entry(entry)
    except MalformedError:
        return -1
    return header.last_contained_log_timestamp if isinstance(header, SnapshotHeaderRecord) else -1


def _extents(summaries: Sequence[FileSummary], contained: Mapping[str, int]) -> list[LogExtent]:
    """Return the extent of each node. A log ends at its first corruption or gap: what follows belongs to no state."""
    file_summaries: dict[tuple[str, str], list[FileSummary]] = defaultdict(list)
    for summary in summaries:
        if summary.kind in {LOG, SNAPSHOT}:
            file_summaries[summary.cluster, summary.node].append(summary)
    extents = []
    for (cluster, node), found in sorted(file_summaries.items()):
        start: int | None = None
        end = last_epoch = 0
        for summary in sorted((each for each in found if each.kind == LOG), key=lambda each: each.file):
            if summary.first_offset >= 0:
                if start is not None and summary.first_offset != end:
                    break
                start = summary.first_offset if start is None else start
                end, last_epoch = summary.end_offset, max(summary.end_epoch, last_epoch)
            if summary.problems:
                break
        named = sorted(
            (summary.file, snapshot_end(summary.file), summary.problems == 0)
            for summary in found
            if summary.kind == SNAPSHOT
        )
        snapshots = tuple(
            SnapshotFile(file, *name, contained.get(file, -1), is_sound)
            for file, name, is_sound in named
            if name is not None
        )
        extents.append(LogExtent(cluster, node, start, end, last_epoch, snapshots))
    return extents
