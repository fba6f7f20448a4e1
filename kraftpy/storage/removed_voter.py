"""The mark of a directory whose replica was taken out of the voter set on purpose.

Such a replica does not ask to come back by itself (``controller.quorum.auto.join.enable``). That it once stood in the
set can be read in the log, but not for ever: a snapshot holds the last set only, and cleaning removes the log before
it. So ``kraftpy.removed`` says it, written durably before the record of the removal, and removed when one that takes
the replica in again is committed. It names the directory, because another directory of the same node was never
dismissed. Kafka ignores the file.

Content, as text::

    version=0
    directory.id=xtzWWN4bTjitpL3kfd9s5g
"""

from __future__ import annotations

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import Uuid, uuid_from_text, uuid_to_text
from kraftpy.records.properties import parse_properties
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.names import REMOVED
from kraftpy.storage.os_errors import faults_of, sync_names


class RemovedVoterMark:
    """The mark, as it stands on the disk.

    Attributes:
        directory_id: of the replica that was dismissed; ``None`` without a mark.
    """

    __slots__ = ("_fs", "_path", "directory_id")

    def __init__(self, fs: FileSystem, path: str, directory_id: Uuid | None) -> None:
        self._fs = fs
        self._path = path
        self.directory_id = directory_id

    @classmethod
    def open(cls, fs: FileSystem, directory: str) -> RemovedVoterMark:
        """Read the mark.

        Raises:
            StorageError: it cannot be read or understood.
        """
        path = join(directory, REMOVED)
        with faults_of("reading", path):
            content = read_file(fs, path).decode("utf-8", "replace") if fs.exists(path) else None
        return cls(fs, path, None if content is None else _parse(path, content))

    def write(self, directory_id: Uuid) -> None:
        """Say that this directory's replica was dismissed."""
        text = f"version=0\ndirectory.id={uuid_to_text(directory_id)}\n"
        replace_file(self._fs, self._path, text.encode("ascii"))
        self.directory_id = directory_id

    def remove(self) -> None:
        """Say nothing any more."""
        if remove_if_exists(self._fs, self._path):
            sync_names(self._fs, parent(self._path))
        self.directory_id = None


def _parse(path: str, content: str) -> Uuid:
    try:
        found = parse_properties(content)
        if found.get("version") == "0":
            return uuid_from_text(found["directory.id"])
    except (MalformedError, ValueError, KeyError):
        pass
    raise StorageError(
        f"{path} cannot be used: it holds {content!r:.200}. It says that this controller was removed from the voters "
        "on purpose, so it is not ignored. Remove it to let this controller ask to become a voter again "
        "(controller.quorum.auto.join.enable), or set that to false as well if it shall not."
    )
