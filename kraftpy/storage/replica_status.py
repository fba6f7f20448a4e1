"""``kraftpy.replica-status``: whether the replica of this metadata directory may vote, and what it has to remember.

One file, replaced as a whole and fsynced, in the metadata directory. Without a file the replica is eligible, and there
is nothing to remember: a directory that holds data, a vote and no such file is eligible, whichever program wrote it.
Kafka ignores the file.

When it is written, and before what:

1.  A directory that held nothing when a process first started on it gets *empty* before anything else is written there.
2.  One that holds a log and no ``quorum-state`` gets *recovering*: its vote is lost, because ``quorum-state`` is
    written before any record is.
3.  One whose log is corrupt gets *recovering* before the first file is moved (:mod:`kraftpy.storage.quarantine`).
4.  What the replica decides about itself (``Ready.replica_status``) is written after ``quorum-state`` and before any
    record of the same ``Ready``, so a removal is stored before the record that removes.
5.  A divergence is written by a node that fenced itself, when the directory is closed (``kraftpy.node.state_guard``).

So a start that was killed half-way never leaves a directory eligible that lost something.

Content: properties, with a checksum (:mod:`kraftpy.storage.checksummed_properties`)::

    #crc32c=1f2e3d4c
    version=1
    status=recovering                          (eligible, empty, recovering, duplicate-id)
    reason=its log was corrupt and is quarantined
    incarnation.id=xtzWWN4bTjitpL3kfd9s5g      (of empty only)
    vote.lost=true                             (where it is so)
    quarantine.name=2026-11-21T17-09-05Z       (of a quarantined log: its directory,
    quarantine.finished=true                    whether all its files were moved,
    quarantine.committed.offset=1234            and where what it called committed ended)
    removed.directory.id=AAECAwQFBgcICQoLDA0ODw (of a replica that was taken out of the voter set)
    diverged.offset=8192                       (of a node whose state was not the majority's)
    diverged.own.digest=01c4...
    diverged.majority.digest=015e...
    diverged.refetched=false
    #crc32c=first line
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Final

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import Uuid, uuid_from_random, uuid_from_text, uuid_to_text
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.model.replica_status import VOTE_LOST_REASON, Divergence, LogQuarantine, ReplicaStatus, VoterStatus
from kraftpy.records.batch import BASE_OFFSET_MAX
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.properties import parse_properties, render_properties
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.checksummed_properties import check_checksum, with_checksum
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.names import QUORUM_STATE, REPLICA_STATUS, segment_base_offset
from kraftpy.storage.os_errors import faults_of, sync_names

VERSION: Final = "1"
KEYS: Final = frozenset(
    {
        "version", "status", "reason", "incarnation.id", "vote.lost",
        "quarantine.name", "quarantine.finished", "quarantine.committed.offset", "removed.directory.id",
        "diverged.offset", "diverged.own.digest", "diverged.majority.digest", "diverged.refetched",
    }
)  # fmt: skip


class ReplicaStatusFile:
    """The file of one metadata directory, and what it holds.

    Attributes:
        value: what the file holds; of a missing one: eligible.
    """

    __slots__ = ("_fs", "_path", "value")

    def __init__(self, fs: FileSystem, path: str, value: ReplicaStatus) -> None:
        self._fs = fs
        self._path = path
        self.value = value

    @classmethod
    def read(cls, fs: FileSystem, directory: str) -> ReplicaStatusFile:
        """Read the file; nothing is written.

        Raises:
            StorageError: it cannot be read or understood; the text names the file and the way out.
        """
        path = join(directory, REPLICA_STATUS)
        with faults_of("reading", path):
            content = read_file(fs, path) if fs.exists(path) else None
        return cls(fs, path, ReplicaStatus() if content is None else parse_replica_status(path, content))

    @classmethod
    def open(cls, fs: FileSystem, directory: str, draw: Callable[[int], bytes]) -> ReplicaStatusFile:
        """Read the file; write it first if the directory holds nothing, or a log without a vote.

        Raises:
            StorageError: it cannot be read, written or understood.
        """
        file = cls.read(fs, directory)
        if not file.value.is_eligible:
            # A process may have been killed between the rename and the fsync of the directory: what this start acts on
            # must not disappear in a crash.
            sync_names(fs, directory)
        elif _holds_nothing(fs, directory):
            file.write(file.value.as_empty(uuid_from_random(draw)))
        elif not _holds_vote(fs, directory):
            file.write(file.value.as_recovering(VOTE_LOST_REASON, vote_lost=True))
        return file

    def write(self, value: ReplicaStatus) -> None:
        """Replace the status, durably; a divergence stays, which is not the replica's to forget.

        Raises:
            StorageError: the old content stays, or the new one is there.
        """
        self._replace(replace(value, divergence=self.value.divergence))

    def write_divergence(self, divergence: Divergence | None) -> None:
        """Remember a divergence, or forget it, durably; everything else stays.

        Raises:
            StorageError: the old content stays, or the new one is there.
        """
        self._replace(replace(self.value, divergence=divergence))

    def _replace(self, value: ReplicaStatus) -> None:
        if value == ReplicaStatus():
            remove_if_exists(self._fs, self._path)
            sync_names(self._fs, parent(self._path))
        else:
            replace_file(self._fs, self._path, render_replica_status(value))
        self.value = value


def _holds_nothing(fs: FileSystem, directory: str) -> bool:
    """Return whether there is no vote, no segment, and no snapshot but the one that ``storage format`` writes."""
    with faults_of("listing", directory):
        names = fs.list_directory(directory)
    return not any(
        name == QUORUM_STATE
        or segment_base_offset(name) is not None
        or parse_snapshot_file_name(name) not in {None, ORIGIN}
        for name in names
    )


def _holds_vote(fs: FileSystem, directory: str) -> bool:
    path = join(directory, QUORUM_STATE)
    with faults_of("looking at", path):
        return fs.exists(path)


# The content.


def render_replica_status(value: ReplicaStatus) -> bytes:
    """Return what the file holds."""
    found = {"version": VERSION, "status": value.status.value}
    if value.reason:
        found["reason"] = value.reason
    if value.incarnation_id is not None:
        found["incarnation.id"] = uuid_to_text(value.incarnation_id)
    if value.vote_lost:
        found["vote.lost"] = "true"
    if value.quarantine is not None:
        found["quarantine.name"] = value.quarantine.name
        found["quarantine.finished"] = _flag(value.quarantine.is_finished)
        found["quarantine.committed.offset"] = str(value.quarantine.committed)
    if value.removed is not None:
        found["removed.directory.id"] = uuid_to_text(value.removed)
    if value.divergence is not None:
        found["diverged.offset"] = str(value.divergence.own.end_offset)
        found["diverged.own.digest"] = value.divergence.own.value.hex()
        found["diverged.majority.digest"] = value.divergence.agreed.value.hex()
        found["diverged.refetched"] = _flag(value.divergence.is_refetched)
    return with_checksum(render_properties(found))


def parse_replica_status(path: str, content: bytes) -> ReplicaStatus:
    """Read what the file holds.

    Raises:
        StorageError: it cannot be understood; the text names ``path`` and the way out.
    """
    try:
        check_checksum(content)
        return _parse(parse_properties(content.decode("ascii")))
    except (MalformedError, ValueError, KeyError) as error:
        raise StorageError(
            f"{path} cannot be used ({error}): it holds {content[:200]!r}. It states that this replica may have lost "
            "data, was removed from the voters, or had a wrong state, so it is not ignored. Ways out: write "
            f"`version={VERSION}` and `status=recovering` into it, in two lines, and start the node: this voter then "
            "waits for a leader, and is counted once it has caught up; or remove the file if you know that the "
            "directory lost nothing."
        ) from error


def _parse(found: Mapping[str, str]) -> ReplicaStatus:
    if found["version"] != VERSION:
        raise ValueError(f"version {found['version']!r:.50} is not {VERSION}")
    if unknown := sorted(found.keys() - KEYS):
        raise ValueError(f"unknown keys: {', '.join(unknown):.200}")
    status, incarnation_id = VoterStatus(found["status"]), _uuid(found, "incarnation.id")
    if (status is VoterStatus.EMPTY) is not (incarnation_id is not None):
        raise ValueError("an incarnation id belongs to an empty directory, and to no other")
    value = ReplicaStatus(
        status=status,
        reason=found.get("reason", "" if status is VoterStatus.ELIGIBLE else "kraftpy.replica-status states no reason"),
        incarnation_id=incarnation_id,
        vote_lost="vote.lost" in found and _is_true(found, "vote.lost"),
        quarantine=_parse_quarantine(found) if "quarantine.name" in found else None,
        removed=_uuid(found, "removed.directory.id"),
        divergence=_parse_divergence(found) if "diverged.offset" in found else None,
    )
    if value.status is not VoterStatus.RECOVERING and (value.vote_lost or value.quarantine is not None):
        raise ValueError(f"a lost vote or a quarantined log makes a replica recovering, not {status.value}")
    return value


def _parse_quarantine(found: Mapping[str, str]) -> LogQuarantine:
    name = found["quarantine.name"]
    if not name or "/" in name or name.startswith("."):
        raise ValueError(f"{name!r:.200} is no quarantined log")
    return LogQuarantine(name, _offset(found, "quarantine.committed.offset"), _is_true(found, "quarantine.finished"))


def _parse_divergence(found: Mapping[str, str]) -> Divergence:
    offset = _offset(found, "diverged.offset")
    own, agreed = (bytes.fromhex(found[key]) for key in ("diverged.own.digest", "diverged.majority.digest"))
    if not len(own) == len(agreed) == DIGEST_BYTES:
        raise ValueError(f"a digest has {DIGEST_BYTES} bytes")
    is_refetched = _is_true(found, "diverged.refetched")
    return Divergence(StateDigest(offset, own), StateDigest(offset, agreed), is_refetched)


def _uuid(found: Mapping[str, str], key: str) -> Uuid | None:
    return uuid_from_text(found[key]) if key in found else None


def _offset(found: Mapping[str, str], key: str) -> Offset:
    offset = number_from_text(found[key], BASE_OFFSET_MAX)
    if offset is None:
        raise ValueError(f"{key}={found[key]!r:.50} is no offset")
    return offset


def _is_true(found: Mapping[str, str], key: str) -> bool:
    if found[key] not in {"true", "false"}:
        raise ValueError(f"{key}={found[key]!r:.50} is neither true nor false")
    return found[key] == "true"


def _flag(value: bool) -> str:  # noqa: FBT001 - the value of a property
    return "true" if value else "false"
