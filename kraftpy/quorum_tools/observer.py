"""An observer: a byte-equal copy of a quorum's metadata log that follows it and never takes part in it.

It is a replica and a driver like any node's, with two things missing. It has no node id (it fetches as -1, as Kafka's
own tools do), so the leader keeps no progress for it and no majority ever waits for it; and it cannot vote. It has no
image either: what is committed is decoded and shown record by record, so an unknown record is copied and shown as
unknown, and never stops the copy.

The copy's ``meta.properties`` names the cluster and no node: a copy of one cluster refuses another cluster, and no node
will start on it by mistake.

Source: KIP-595 §Observers; KIP-630; Kafka ``kafka-metadata-shell`` (the same wish, for one moment).
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from kraftpy.model.errors import ConfigError, KraftError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.model.offsets import Offset, OffsetAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.access import PLAINTEXT, ProbeError, QuorumAccess, RefusedError, UselessRetryError
from kraftpy.quorum_tools.probe import ProbeResult, probe
from kraftpy.raft.config import Identity, RaftConfig
from kraftpy.raft.follower_fetch import FIRST_BOOTSTRAP_ID
from kraftpy.raft.ready import (
    DuplicateNodeIdRejected,
    Event,
    LeaderLost,
    PeerRejected,
    RoleChanged,
    SnapshotInstalled,
    Truncated,
)
from kraftpy.raft.replica import Replica
from kraftpy.records.authors import BatchAuthors
from kraftpy.records.batch import Batch, split_batches
from kraftpy.records.codec import read_uvarint
from kraftpy.records.json_text import control_record_to_json
from kraftpy.records.metadata import ClusterIdRecord, FeatureLevelRecord, UnknownRecord, decode_record
from kraftpy.records.redaction import REDACTED, shown_json
from kraftpy.runtime.clock import SystemClock
from kraftpy.runtime.driver import Driver
from kraftpy.runtime.random import SystemJitter
from kraftpy.runtime.recovered_state import recovered_state
from kraftpy.storage.config import LogConfig
from kraftpy.storage.directory import MetadataDirectory
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import FileSystem, RealFileSystem
from kraftpy.storage.locks import LOCK_FILE, DirectoryLock
from kraftpy.storage.meta_properties import (
    MetaProperties,
    meta_properties_path,
    read_meta_properties,
    write_meta_properties,
)
from kraftpy.storage.names import META_PROPERTIES, METADATA_DIRECTORY
from kraftpy.transport.kafka.channel import PeerNetwork

NO_NODE_ID = -1
"""Replica id -1: the leader serves such a fetch but does not track the fetcher."""

SHOW_SLICE_BYTES = 1024 * 1024
"""How much of the log one turn of the driver decodes at most (plus one whole batch)."""

PROBE_PAUSE_S = 0.5


class NoControllerError(KraftError):
    """None of the hosts is a controller that can be followed; the text says of each what it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ObservedRecord:
    """One committed record, or one control record.

    Attributes:
        offset: its offset in the log; ``None`` for a record of a snapshot.
        snapshot_end: the end offset of its snapshot; ``None`` for a record of the log.
        data: ``{"type": ..., "version": ..., "data": {...}}``.
    """

    offset: Offset | None
    snapshot_end: Offset | None = None
    epoch: int
    data: dict[str, Any]


Show = Callable[[ObservedRecord], None]
Report = Callable[[str], None]


# -------------------------------------------------------------------- whom to follow


async def find_controllers(
    hosts: Sequence[Endpoint], *, access: QuorumAccess, timeout_s: float, may_start: bool = False
) -> tuple[str | None, list[str]]:
    """Ask every host what it is, again and again until one is a controller, or it is useless to ask any of them again.

    Args:
        hosts: whom to ask.
        access: how connections to them are protected.
        timeout_s: how long to ask.
        may_start: whether one that refuses connections is asked again.

    Returns:
        The cluster's id if one of them said it, and what is wrong with the hosts that are no controllers.

    Raises:
        NoControllerError: none of them is one within the time; or two of them are of two clusters.
    """
    loop = asyncio.get_running_loop()
    ends = loop.time() + timeout_s
    while True:
        left = max(ends - loop.time(), PROBE_PAUSE_S)
        asked = [probe(host, access=access, timeout_s=left) for host in hosts]
        answers = await asyncio.gather(*asked, return_exceptions=True)
        found = [answer for answer in answers if isinstance(answer, ProbeResult)]
        failures = {
            host: answer for host, answer in zip(hosts, answers, strict=True) if not isinstance(answer, ProbeResult)
        }
        for failure in failures.values():
            if not isinstance(failure, ProbeError):
                raise failure
        complaints = [f"{host.host}:{host.port} {failure}" for host, failure in failures.items()]
        if found:
            return _one_cluster(found), complaints
        is_hopeless = all(
            isinstance(failure, UselessRetryError) and not (may_start and isinstance(failure, RefusedError))
            for failure in failures.values()
        )
        if is_hopeless or loop.time() + PROBE_PAUSE_S >= ends:
            raise NoControllerError(f"no controller found: {'; '.join(complaints)}")
        await asyncio.sleep(PROBE_PAUSE_S)


def _one_cluster(found: Sequence[ProbeResult]) -> str | None:
    ids = {one.cluster_id: one.endpoint for one in found if one.cluster_id is not None}
    if len(ids) > 1:
        reported = ", ".join(f"{endpoint.host}:{endpoint.port} is of {name}" for name, endpoint in ids.items())
        raise NoControllerError(f"the hosts belong to different clusters: {reported}; name controllers of one")
    return next(iter(ids), None)


# -------------------------------------------------------------------- the copy's directory


class CopyIdentity:
    """Of which cluster a directory is the copy."""

    def __init__(self, fs: FileSystem, directory: str) -> None:
        self._fs = fs
        self._directory = directory
        self.cluster_id: str | None = None

    def check(self, cluster_id: str | None) -> None:
        """Take over an empty directory, or check that the copy in it is of this cluster.

        Raises:
            ConfigError: it is of another cluster, or no copy at all; nothing is written then.
        """
        path = meta_properties_path(self._directory)
        found = read_meta_properties(self._fs, self._directory)
        if found is None:
            if (Path(self._directory) / METADATA_DIRECTORY).exists():
                raise ConfigError(
                    f"{self._directory} holds a metadata log and no meta.properties that names its cluster: "
                    "name an empty or new directory"
                )
            self._check_empty()
            write_meta_properties(self._fs, self._directory, MetaProperties(cluster_id=cluster_id))
            self.cluster_id = cluster_id
            return
        if found.node_id is not None:
            raise ConfigError(f"{path}: the directory belongs to node {found.node_id}: name one of the observer's own")
        self.cluster_id = found.cluster_id
        if cluster_id is not None:
            self.learn(cluster_id)

    def _check_empty(self) -> None:
        # Beside our own lock, what a run that was killed in its first moment leaves is the beginning of the identity.
        names = sorted(path.name for path in Path(self._directory).iterdir())
        strange = [name for name in names if name != LOCK_FILE and not name.startswith(META_PROPERTIES)]
        if strange:
            raise ConfigError(
                f"{self._directory} is not empty (it holds {strange[0]!r}) and no copy that an earlier run made: "
                "name an empty or new directory"
            )

    def learn(self, cluster_id: str) -> None:
        """Note the cluster's id.

        Raises:
            ConfigError: the copy is of another cluster.
        """
        if self.cluster_id is None:
            write_meta_properties(self._fs, self._directory, MetaProperties(cluster_id=cluster_id))
            self.cluster_id = cluster_id
        elif self.cluster_id != cluster_id:
            raise ConfigError(
                f"{meta_properties_path(self._directory)}: the copy is of cluster {self.cluster_id}, but the quorum is "
                f"of cluster {cluster_id}: name another directory, or the controllers of that cluster"
            )


# -------------------------------------------------------------------- what is shown


class ObservedRecordPrinter:
    """Reads what is committed, once and in order, and hands every record over."""

    def __init__(
        self, directory: MetadataDirectory, show: Show, learn: Callable[[str], None], *, marker: str | None = REDACTED
    ) -> None:
        self._directory = directory
        self._marker = marker
        self._show = show
        self._learn = learn
        # What an earlier run copied, it has shown.
        self.next_offset: Offset = directory.log.end_offset
        self._schema = self._schema_so_far()

    def _schema_so_far(self) -> SchemaSet:
        schema = SchemaSet.KAFKA
        latest = self._directory.snapshots.latest
        if latest is not None:
            schema = _schema_after(self._directory.snapshots.batches(latest), schema)
        return _schema_after(self._directory.log.iterate(self._directory.log.start_offset), schema)

    def truncated(self, to_offset: Offset) -> None:
        """Go back: what was cut away had not been committed, or was shown by an earlier run."""
        self.next_offset = min(self.next_offset, to_offset)

    def is_behind(self, high_watermark: Offset | None) -> bool:
        """Return whether something committed was not shown; a slow disk takes it some turns after it was heard of."""
        return high_watermark is not None and self.next_offset < min(high_watermark, self._directory.log.end_offset)

    def show_slice(self, high_watermark: Offset | None) -> None:
        """Show some of what is committed; a log that starts later is preceded by the snapshot it starts at."""
        if high_watermark is None or not self.is_behind(high_watermark):
            return
        log = self._directory.log
        if self.next_offset < log.start_offset:
            self._show_snapshot(log.start_offset)
            return
        data = log.read(self.next_offset, SHOW_SLICE_BYTES, high_watermark)
        for batch in split_batches(data, verify_crc=False):
            self._show_batch(batch, None)
            self.next_offset = batch.next_offset

    def _show_snapshot(self, start_offset: Offset) -> None:
        snapshots = self._directory.snapshots
        chosen = min((one for one in snapshots.ids if one.offset >= start_offset), key=lambda one: one.offset)
        for batch in snapshots.batches(chosen):
            self._show_batch(batch, chosen)
        self.next_offset = chosen.offset

    def _show_batch(self, batch: Batch, snapshot: OffsetAndEpoch | None) -> None:
        shown = self._control(batch) if batch.is_control else self._records(batch)
        for index, data in enumerate(shown):
            place = (batch.base_offset + index, None) if snapshot is None else (None, snapshot.offset)
            self._show(ObservedRecord(offset=place[0], snapshot_end=place[1], epoch=batch.epoch, data=data))

    @staticmethod
    def _control(batch: Batch) -> Iterator[dict[str, Any]]:
        for control in batch.control_records():
            yield control_record_to_json(control)

    def _records(self, batch: Batch) -> Iterator[dict[str, Any]]:
        authors = BatchAuthors()
        for value in batch.values():
            record = decode_record(value, self._schema)
            if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
                self._schema = SchemaSet.for_level(record.feature_level)
            elif isinstance(record, ClusterIdRecord):
                self._learn(record.cluster_id)
            version = record.version if isinstance(record, UnknownRecord) else _version(value)
            author = authors.of(value)
            named = {} if author is None else {"author": author.as_json()}
            yield shown_json(record, version, self._marker) | named


def _version(value: bytes) -> int:
    number = at = 0
    for _ in ("frame version", "apiKey", "version"):
        number, at = read_uvarint(value, at)
    return number


def _schema_after(batches: Iterator[Batch], schema: SchemaSet) -> SchemaSet:
    for batch in batches:
        for value in () if batch.is_control else batch.values():
            record = decode_record(value, schema)
            if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
                schema = SchemaSet.for_level(record.feature_level)
    return schema


# -------------------------------------------------------------------- the observer


class Observer:
    """Follow a quorum; satisfies ``runtime.driver.Application`` by showing what becomes committed.

    Args:
        directory: where the copy is kept; made when it is missing.
        controllers: whom to ask for the leader.
        access: how connections to them are protected.
        cluster_id: the quorum's, if it is known.
        show: takes every committed record, in order.
        report: takes a sentence about the quorum: who leads, who was lost.
        shows_secrets: whether records are shown with passwords and credentials.
        stops_at: the offset up to which the copy is made, if it is not to go on.
    """

    def __init__(
        self,
        *,
        directory: str,
        controllers: tuple[Endpoint, ...],
        cluster_id: str | None,
        show: Show,
        report: Report,
        access: QuorumAccess = PLAINTEXT,
        shows_secrets: bool = False,
        stops_at: Offset | None = None,
    ) -> None:
        self._report = report
        self._stops_at = stops_at
        self._controllers = controllers
        self._access = access
        self._clock = SystemClock()
        with ExitStack() as stack:
            fs = RealFileSystem()
            make_directory_durably(fs, directory)
            lock = DirectoryLock.acquire(directory)
            stack.callback(lock.release)
            identity = CopyIdentity(fs, directory)
            identity.check(cluster_id)
            opened = MetadataDirectory.open(fs, directory, LogConfig(), os.urandom)
            self.replica = Replica(
                config=RaftConfig(bootstrap_servers=controllers, can_vote=False),
                identity=Identity(key=ReplicaKey(NO_NODE_ID), cluster_id=identity.cluster_id),
                recovered=recovered_state(opened),
                jitter=SystemJitter(),
                now_ms=self._clock.now_ms(),
            )
            self.narrator = ObservedRecordPrinter(
                opened, show, identity.learn, marker=None if shows_secrets else REDACTED
            )
            self.driver = Driver(replica=self.replica, directory=opened, clock=self._clock)
            self.driver.application = self
            self._locks = stack.pop_all()

    async def run(self) -> None:
        """Follow until :meth:`stop`.

        Raises:
            KraftError: the disk failed, or the quorum turned out to be another cluster's.
        """
        try:
            async with PeerNetwork(
                self.driver.deliver,
                client_id="kraftpy-observe",
                ssl_context=self._access.tls,
                login=self._access.login,
            ) as network:
                self.driver.attach(network)
                await self.driver.run()
        finally:
            self.driver.close()
            self._locks.close()

    def stop(self) -> None:
        """Let ``run`` end; the copy is complete up to its end offset."""
        self.driver.stop()

    # Calls by the driver.

    def before_ready(self, now_ms: int) -> None:
        """Nothing is decided here."""

    def on_event(self, event: Event) -> None:
        """Report the events that matter to the operator."""
        match event:
            case RoleChanged(leader=leader) if leader.leader_id is not None:
                self._report(f"following leader {leader.leader_id} of epoch {leader.epoch}")
            case RoleChanged(leader=leader, reason=reason):
                self._report(f"no leader is known in epoch {leader.epoch}: {reason}")
            case LeaderLost(leader_id, epoch):
                self._report(f"lost leader {leader_id} of epoch {epoch}")
            case SnapshotInstalled(snapshot_id):
                self._report(f"copied the snapshot that ends at {snapshot_id.offset}, epoch {snapshot_id.epoch}")
            case Truncated(from_offset, to_offset):
                self._report(f"the quorum dropped uncommitted records: the copy's end went from {from_offset} back to "
                           f"{to_offset}")  # fmt: skip
                self.narrator.truncated(to_offset)
            case PeerRejected(node_id, reason):
                self._report(f"{self._name(node_id)}: {reason}")
            case DuplicateNodeIdRejected(node_id, _, _, by):
                self._report(f"leader {by} refuses this copy: another replica uses the node id {node_id}")
            case _:
                pass

    def _name(self, node_id: int | None) -> str:
        if node_id is None or node_id > FIRST_BOOTSTRAP_ID:
            return f"node {node_id}"
        host = self._controllers[FIRST_BOOTSTRAP_ID - node_id]
        return f"{host.host}:{host.port}"

    def on_commit(self, now_ms: int) -> None:
        """Show a slice of what is committed."""
        del now_ms
        self.narrator.show_slice(self.replica.high_watermark)
        if self._stops_at is not None and self.narrator.next_offset >= self._stops_at:
            self.stop()

    def has_backlog(self) -> bool:
        """Return whether committed records wait to be shown."""
        return self.narrator.is_behind(self.replica.high_watermark)

    def next_deadline_ms(self) -> int | None:
        """Nothing is due by time alone."""
        return None
