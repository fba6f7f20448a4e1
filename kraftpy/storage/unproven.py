"""The mark of a metadata directory that held nothing when a process first started on it.

``kraftpy.unproven`` is written before anything else is written there, and removed when the replica has shown that
nothing was lost (``kraftpy.raft.trust``); both durably. So a start that was killed half-way leaves it, and a directory
that holds data and no mark is proven, whoever wrote it. Kafka ignores the file.

Content, as text::

    version=0
    life.id=xtzWWN4bTjitpL3kfd9s5g      (empty: refused as another directory's twin)
"""

from __future__ import annotations

from collections.abc import Callable

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import Uuid, uuid_from_random, uuid_from_text, uuid_to_text
from kraftpy.model.offsets import ORIGIN
from kraftpy.records.properties import parse_properties
from kraftpy.records.snapshot import parse_snapshot_file_name
from kraftpy.storage.atomic import remove_if_exists, replace_file
from kraftpy.storage.faults import faults_of, sync_names
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.names import QUORUM_STATE, UNPROVEN, segment_base_offset


class UnprovenMark:
    """The mark, as it stands on the disk.

    Attributes:
        is_set: the directory is unproven.
        life: what tells this empty directory from the next one; ``None`` when there is no mark, or when it was refused.
    """

    __slots__ = ("_fs", "_path", "is_set", "life")

    def __init__(self, fs: FileSystem, path: str, life: Uuid | None, *, is_set: bool) -> None:
        self._fs = fs
        self._path = path
        self.is_set = is_set
        self.life = life

    @classmethod
    def open(cls, fs: FileSystem, directory: str, draw: Callable[[int], bytes]) -> UnprovenMark:
        """Read the mark; set it first if the directory holds nothing.

        Raises:
            StorageError: it cannot be read, written or understood.
        """
        path = join(directory, UNPROVEN)
        with faults_of("reading", path):
            content = read_file(fs, path).decode("utf-8", "replace") if fs.exists(path) else None
        if content is not None:
            # A kill between the writing of its name and the syncing of it: what we act on must not go away again.
            sync_names(fs, directory)
            return cls(fs, path, _parse(path, content), is_set=True)
        mark = cls(fs, path, None, is_set=False)
        if _holds_nothing(fs, directory):
            mark._write(uuid_from_random(draw))
        return mark

    def refuse(self) -> None:
        """Set the mark of a directory that another one stands for."""
        self._write(None)

    def remove(self) -> None:
        """Call the directory proven."""
        remove_if_exists(self._fs, self._path)
        sync_names(self._fs, parent(self._path))
        self.is_set, self.life = False, None

    def _write(self, life: Uuid | None) -> None:
        text = f"version=0\nlife.id={'' if life is None else uuid_to_text(life)}\n"
        replace_file(self._fs, self._path, text.encode("ascii"))
        self.is_set, self.life = True, life


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


def _parse(path: str, content: str) -> Uuid | None:
    try:
        found = parse_properties(content)
        if found.get("version") == "0" and "life.id" in found:
            return uuid_from_text(found["life.id"]) if found["life.id"] else None
    except (MalformedError, ValueError):
        pass
    raise StorageError(
        f"{path} cannot be used: it holds {content!r}. It marks this directory as one that may have lost its data, so "
        "it is not ignored. Write `version=0` and `life.id=` into it, in two lines: then this voter waits for a "
        "leader; or remove it if you know that the directory lost nothing."
    )
