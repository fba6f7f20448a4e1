"""The note of a node whose state was found not to be that of the quorum's majority.

``kraftpy.diverged`` is written, durably, when a node fences itself, and read by its next start, which finds out whether
its memory or its disk was wrong (``kraftpy.node.divergence``). After a log was set aside for it the note stays, and
says so, until a majority has agreed with the state again: a node that diverges twice in a row is not helped by fetching
everything a third time. Kafka ignores the file.

Content, as text::

    version=0
    end.offset=8192
    own.digest=01c4...
    agreed.digest=015e...
    fetched.anew=false
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.records.properties import parse_properties
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.names import DIVERGED
from kraftpy.storage.os_errors import faults_of, sync_names


@dataclass(frozen=True, slots=True)
class Divergence:
    """What was found.

    Attributes:
        own: this node's digest.
        agreed: the majority's, at the same offset.
        fetched_anew: the log that led to it was set aside since.
    """

    own: StateDigest
    agreed: StateDigest
    fetched_anew: bool = False


class DivergenceNote:
    """The file."""

    __slots__ = ("_fs", "_path", "found")

    def __init__(self, fs: FileSystem, directory: str) -> None:
        """Read the note of a metadata directory, if there is one.

        Raises:
            StorageError: it cannot be read.
        """
        self._fs = fs
        self._path = join(directory, DIVERGED)
        with faults_of("reading", self._path):
            content = read_file(fs, self._path).decode("utf-8", "replace") if fs.exists(self._path) else None
        self.found = None if content is None else _parse(self._path, content)

    def write(self, found: Divergence) -> None:
        """Note a divergence, durably."""
        text = (
            f"version=0\nend.offset={found.own.end_offset}\nown.digest={found.own.value.hex()}\n"
            f"agreed.digest={found.agreed.value.hex()}\nfetched.anew={str(found.fetched_anew).lower()}\n"
        )
        replace_file(self._fs, self._path, text.encode("ascii"))
        self.found = found

    def note_fetched_anew(self) -> None:
        """Note that the log was set aside."""
        assert self.found is not None
        self.write(replace(self.found, fetched_anew=True))

    def remove(self) -> None:
        """Forget it, durably."""
        if remove_if_exists(self._fs, self._path):
            sync_names(self._fs, parent(self._path))
        self.found = None


def _parse(path: str, content: str) -> Divergence:
    try:
        found = parse_properties(content)
        offset = int(found["end.offset"])
        own, agreed = (bytes.fromhex(found[key]) for key in ("own.digest", "agreed.digest"))
        if found["version"] == "0" and offset >= 0 and len(own) == len(agreed) == DIGEST_BYTES:
            return Divergence(StateDigest(offset, own), StateDigest(offset, agreed), found["fetched.anew"] == "true")
    except (MalformedError, ValueError, KeyError):
        pass
    raise StorageError(
        f"{path} cannot be used: it holds {content!r}. It says that this node's state was found to be wrong, so it is "
        "not ignored. Remove it if you know that the log in this directory is what the other nodes have; or, while a "
        "majority of the other voters is healthy, move the directory away and let this node fetch everything."
    )
