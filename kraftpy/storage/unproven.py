"""The mark of a metadata directory whose replica does not count before it has shown that nothing is missing.

``kraftpy.unproven`` is written into a directory that held nothing when a process first started on it, before anything
else is written there; into one that holds a log and no ``quorum-state``, which is written before any record is: the
vote is lost; into one whose replica was refused as another's twin (``kraftpy.raft.duplicate_node_ids``); and into one
whose log was damaged and set aside (:mod:`kraftpy.storage.quarantine`), before the first file is moved. It is removed
when the replica has shown that nothing was lost (``kraftpy.raft.voter_eligibility``). All of it is durable. So a start
that was killed half-way leaves it, and a directory that holds data, a vote and no mark is proven, whoever wrote it.
Kafka ignores the file.

Content, as text::

    version=0
    life.id=xtzWWN4bTjitpL3kfd9s5g      (empty: refused as another directory's twin, or without a vote, or set aside)
    vote.lost=true                      (only of a directory that held a log and no quorum-state)
    set.aside=2026-11-21T17-09-05Z      (only of a directory whose log was set aside: under which name)
    set.aside.ended=true                (false while files are still to be moved)
    committed=1234                      (what that log said was committed ended at this offset)
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import Uuid, uuid_from_random, uuid_from_text, uuid_to_text
from kraftpy.model.offsets import ORIGIN, Offset
from kraftpy.records.batch import BASE_OFFSET_MAX
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.properties import parse_properties
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.names import QUORUM_STATE, UNPROVEN, segment_base_offset
from kraftpy.storage.os_errors import faults_of, sync_names


@dataclass(frozen=True, slots=True)
class SetAsideNote:
    """What the mark says of a log that was set aside.

    Attributes:
        name: of the directory that it was moved to, below ``kraftpy.quarantine``.
        committed: everything below it was committed, as far as could be read of the damaged log.
        ended: all its files have been moved.
    """

    name: str
    committed: Offset
    ended: bool


class UnprovenMark:
    """The mark, as it stands on the disk.

    Attributes:
        is_set: the directory is unproven.
        life: what tells this empty directory from the next one; ``None`` when there is no mark, when it was refused,
            when its vote was lost, or when its log was set aside.
        vote_lost: the directory held a log, but no ``quorum-state``.
        quarantined: of a directory whose log was set aside; else ``None``.
    """

    __slots__ = ("_fs", "_path", "incarnation_id", "is_set", "quarantined", "vote_lost")

    def __init__(self, fs: FileSystem, path: str) -> None:
        self._fs = fs
        self._path = path
        self.is_set = False
        self.incarnation_id: Uuid | None = None
        self.vote_lost = False
        self.quarantined: SetAsideNote | None = None

    @classmethod
    def read(cls, fs: FileSystem, directory: str) -> UnprovenMark:
        """Read the mark.

        Raises:
            StorageError: it cannot be read or understood.
        """
        mark = cls(fs, join(directory, UNPROVEN))
        with faults_of("reading", mark._path):
            content = read_file(fs, mark._path).decode("utf-8", "replace") if fs.exists(mark._path) else None
        if content is not None:
            mark.is_set = True
            mark.incarnation_id, mark.vote_lost, mark.quarantined = _parse(mark._path, content)
        return mark

    @classmethod
    def open(cls, fs: FileSystem, directory: str, draw: Callable[[int], bytes]) -> UnprovenMark:
        """Read the mark; set it first if the directory holds nothing, or a log without a vote.

        Raises:
            StorageError: it cannot be read, written or understood.
        """
        mark = cls.read(fs, directory)
        if mark.is_set:
            # A kill between the writing of its name and the syncing of it: what we act on must not go away again.
            sync_names(fs, directory)
            return mark
        if _holds_nothing(fs, directory):
            mark.begin(uuid_from_random(draw))
        elif not _holds_vote(fs, directory):
            mark.vote_lost = True
            mark.refuse()
        return mark

    def begin(self, incarnation_id: Uuid) -> None:
        """Set the mark of an empty directory."""
        self._write(incarnation_id, None)

    def refuse(self) -> None:
        """Set the mark of a directory that another one stands for."""
        self._write(None, self.quarantined)

    def note_set_aside(self, note: SetAsideNote) -> None:
        """Set the mark of a directory whose log is set aside."""
        self._write(None, note)

    def remove(self) -> None:
        """Call the directory proven."""
        remove_if_exists(self._fs, self._path)
        sync_names(self._fs, parent(self._path))
        self.is_set, self.incarnation_id, self.vote_lost, self.quarantined = False, None, False, None

    def _write(self, incarnation_id: Uuid | None, note: SetAsideNote | None) -> None:
        text = f"version=0\nlife.id={'' if incarnation_id is None else uuid_to_text(incarnation_id)}\n"
        if self.vote_lost:
            text += "vote.lost=true\n"
        if note is not None:
            ended = "true" if note.ended else "false"
            text += f"set.aside={note.name}\nset.aside.ended={ended}\ncommitted={note.committed}\n"
        replace_file(self._fs, self._path, text.encode("ascii"))
        self.is_set, self.incarnation_id, self.quarantined = True, incarnation_id, note


def _holds_nothing(fs: FileSystem, directory: str) -> bool:
    """Say whether there is no vote, no segment, and no snapshot but the one that ``storage format`` writes."""
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


def _parse(path: str, content: str) -> tuple[Uuid | None, bool, SetAsideNote | None]:
    try:
        found = parse_properties(content)
        if found.get("version") == "0" and "life.id" in found:
            incarnation_id = uuid_from_text(found["life.id"]) if found["life.id"] else None
            return incarnation_id, found.get("vote.lost") == "true", _parse_note(found)
    except (MalformedError, ValueError):
        pass
    raise StorageError(
        f"{path} cannot be used: it holds {content!r}. It marks this directory as one that may have lost its data, so "
        "it is not ignored. Write `version=0` and `life.id=` into it, in two lines: then this voter waits for a "
        "leader; or remove it if you know that the directory lost nothing."
    )


def _parse_note(found: Mapping[str, str]) -> SetAsideNote | None:
    name = found.get("set.aside")
    if name is None:
        return None
    committed = number_from_text(found.get("committed", ""), BASE_OFFSET_MAX)
    ended = found.get("set.aside.ended")
    if not name or "/" in name or name.startswith(".") or committed is None or ended not in {"true", "false"}:
        raise ValueError(f"{name!r:.200} is no log that was set aside")
    return SetAsideNote(name, committed, ended == "true")
