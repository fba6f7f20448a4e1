"""The ``leader-epoch-checkpoint`` file: which epoch starts at which offset.

A cache for Kafka's tools and for people: recovery rebuilds the entries from the batches. Source: on-disk formats §8.3.
"""

from __future__ import annotations

from collections.abc import Sequence

from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.checkpoints import render_leader_epochs
from kraftpy.storage.atomic import replace_file
from kraftpy.storage.filesystem import FileSystem


def write_epoch_checkpoint(fs: FileSystem, path: str, entries: Sequence[tuple[Epoch, Offset]]) -> None:
    """Replace the file, durably."""
    replace_file(fs, path, render_leader_epochs(entries).encode("ascii"))
