"""The ``leader-epoch-checkpoint`` file: which epoch starts at which offset.

For Kafka's tools, for operators, and as a second copy of what no checksum covers (``epochs``): recovery rebuilds the
entries from the batches. Source: on-disk formats §8.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.checkpoints import parse_leader_epochs, render_leader_epochs
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import FileSystem, read_file
from kraftpy.storage.os_errors import faults_of


class UnusableEpochCheckpointError(StorageError):
    """The file exists, and does not hold epochs. It is replaced by a rename, so no crash explains that."""


def read_epoch_checkpoint(fs: FileSystem, path: str) -> list[tuple[Epoch, Offset]] | None:
    """Return the entries; ``None`` when the file is missing: it will be written again.

    Raises:
        UnusableEpochCheckpointError: the file is malformed.
        StorageError: it cannot be read.
    """
    with faults_of("reading", path):
        if not fs.exists(path):
            return None
        content = read_file(fs, path)
    try:
        return parse_leader_epochs(content.decode("ascii"))
    except (MalformedError, UnicodeDecodeError) as error:
        raise UnusableEpochCheckpointError(
            f"{path} is malformed: {error}. It is replaced as a whole, so the disk changed it, or wrote there what "
            "belongs elsewhere, such as the end of the log"
        ) from error


def write_epoch_checkpoint(fs: FileSystem, path: str, entries: Sequence[tuple[Epoch, Offset]]) -> None:
    """Replace the file, durably."""
    replace_file(fs, path, render_leader_epochs(entries).encode("ascii"))
