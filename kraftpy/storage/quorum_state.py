"""The ``quorum-state`` file: the epoch, and the leader or the vote of it, durable before anything is said about them.

Losing this file, or reading an old one, lets a node vote twice in an epoch; so it is replaced atomically, and one that
cannot be understood stops the node rather than being taken for an empty one.

Source: on-disk formats §8.2; raft §2; Kafka ``FileQuorumStateStore``.
"""

from __future__ import annotations

from collections.abc import Iterable

from kraftpy.model.election import ElectionState
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.ids import NodeId
from kraftpy.records.crc import crc32c
from kraftpy.records.quorum_state import parse_quorum_state, render_quorum_state
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import FileSystem, read_file
from kraftpy.storage.os_errors import faults_of

CHECKSUM_KEY = "crc32c"


def read_quorum_state(fs: FileSystem, path: str) -> ElectionState:
    """Return the stored state; a missing file is epoch 0 without leader or vote.

    Raises:
        StorageError: it cannot be read or understood, or a newer version wrote it.
    """
    with faults_of("reading", path):
        if not fs.exists(path):
            return ElectionState()
        content = read_file(fs, path)
    try:
        return parse_quorum_state(_checked(content).decode("utf-8"))
    except (MalformedError, UnicodeDecodeError) as error:
        raise StorageError(
            f"{path} cannot be used: {error}. It holds this node's vote, so it is not ignored. Run the version that "
            "wrote it or restore it from a copy; deleting it is safe only if this node is not started before another "
            "epoch has been elected."
        ) from error


def with_checksum(text: str) -> bytes:
    """Return what the file holds: Kafka's line, and its checksum."""
    line = text.encode("utf-8")
    return line + f"\n{CHECKSUM_KEY}={crc32c(line):08x}\n".encode("ascii")


def _checked(content: bytes) -> bytes:
    line, _, rest = content.partition(b"\n")
    if rest and content != with_checksum(line.decode("utf-8")):
        raise MalformedError(
            f"its first line is {line[:200]!r}, whose checksum is {crc32c(line):08x}, but the second is {rest[:50]!r}"
        )
    return line


class QuorumStateFile:
    """Writes the file. It does not touch the disk when nothing changed."""

    __slots__ = ("_fs", "_path", "_written")

    def __init__(self, fs: FileSystem, path: str) -> None:
        self._fs = fs
        self._path = path
        self._written: str | None = None

    def write(self, state: ElectionState, *, version: int, current_voters: Iterable[NodeId] = ()) -> None:
        """Make a state durable.

        Args:
            state: what to store.
            version: 0 at kraft.version 0, 1 above.
            current_voters: the static voters; version 0 shows them.

        Raises:
            SyncFailedError: fatal.
            StorageError: the write failed; the old state is kept.
        """
        text = render_quorum_state(state, version=version, current_voters=current_voters)
        if text != self._written:
            self._written = None
            replace_file(self._fs, self._path, with_checksum(text))
            self._written = text
