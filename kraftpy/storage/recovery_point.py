"""The recovery point: an offset below which everything was durable *and* committed when it was written down.

It is a lower bound that is allowed to lag, so it is written lazily. It never makes recovery faster (every byte is
checked at every start); it draws the line below which a bad batch, or a log that ends too early, can only be
corruption.

The file is Kafka's ``recovery-point-offset-checkpoint`` in the root of the log directory: ``0``, the number of entries,
then ``topic partition offset`` a line. A broker that shares the directory has entries of its own in it: they are kept.

No checksum covers the file, and a bit that flips in it may be another number: a lower one would let corruption pass for
a torn write, a higher one would call a whole log too short. So there are two more lines, of partitions that do not
exist and Kafka therefore ignores: the checksum of the epochs below the recovery point, which shows whether a batch's
epoch or ``leader-epoch-checkpoint`` is wrong where they differ, and the checksum of both numbers. A file without them
is believed.

A file that cannot be used is corruption of the log: without it a log that lost its end looks like a whole one. Storage
opens such a log, takes nothing there for a torn write, and says so (``MetadataLog.end_unknown``); whether it may be
used all the same is for the node to decide (``kraftpy.node.repair``). A file that is missing says 0, as Kafka has it.

Source: Kafka ``OffsetCheckpointFile``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC
from kraftpy.model.offsets import Epoch, Offset
from kraftpy.records.crc import crc32c
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.filesystem import FileSystem, read_file
from kraftpy.storage.os_errors import faults_of

VERSION = 0
OFFSET_MAX = 2**63 - 1
PARTITION_MAX = 2**31 - 1
_KEY = f"{METADATA_TOPIC} {METADATA_PARTITION}"
_EPOCHS_KEY = "kraftpy.epochs-checksum 0"
_CHECKSUM_KEY = "kraftpy.recovery-point-checksum 0"


class UnusableRecoveryPointError(StorageError):
    """The file can be read, and is not what was written."""


@dataclass(frozen=True, slots=True)
class RecoveryPoint:
    """The file's entry for the metadata log.

    Attributes:
        offset: below it everything was durable and committed.
        epochs: the checksum of the epochs below it (:func:`epochs_checksum`); ``None`` when it is not in the file.
    """

    offset: Offset = 0
    epochs: int | None = None


def epochs_checksum(entries: Sequence[tuple[Epoch, Offset]], below: Offset) -> int:
    """Return the checksum of the epochs that start below an offset.

    Args:
        entries: (epoch, start offset), ascending. Where the first one starts does not count: that moves with the log's
            start.
        below: the recovery point.
    """
    reported = [entry for entry in entries if entry[1] < below]
    return crc32c(repr([reported[0][0], *reported[1:]] if reported else []).encode())


def read_recovery_point(fs: FileSystem, path: str) -> int:
    """Return the metadata log's entry, 0 when there is none; errors as :func:`read_whole_recovery_point`."""
    return read_whole_recovery_point(fs, path).offset


def read_whole_recovery_point(fs: FileSystem, path: str) -> RecoveryPoint:
    """Return the file's entry for the metadata log.

    Raises:
        UnusableRecoveryPointError: the file is malformed.
        StorageError: it cannot be read.
    """
    entries = _read_entries(fs, path)
    offset, epochs, checksum = (entries.get(key) for key in (_KEY, _EPOCHS_KEY, _CHECKSUM_KEY))
    if checksum is None and epochs is not None:
        raise _unusable(path, f"it has a line {_EPOCHS_KEY}, and none {_CHECKSUM_KEY}")
    if checksum is not None and checksum != _checksum(offset, epochs):
        raise _unusable(path, f"the checksum of its line {_KEY} {offset} does not match")
    return RecoveryPoint(offset or 0, epochs)


def _checksum(offset: int | None, epochs: int | None) -> int:
    return crc32c(f"{offset} {epochs}".encode())


def write_recovery_point(fs: FileSystem, path: str, offset: int, epochs: int | None = None) -> None:
    """Set the metadata log's entries and keep all others."""
    replace_file(fs, path, with_recovery_point(fs, path, offset, epochs))


def with_recovery_point(fs: FileSystem, path: str, offset: int, epochs: int | None = None) -> bytes:
    """Return the file as it would be with other entries for the metadata log; nothing is written.

    Of a file that cannot be used nothing is kept: whose lines those were, begins without.
    """
    try:
        entries = _read_entries(fs, path)
    except UnusableRecoveryPointError:
        entries = {}
    entries.pop(_EPOCHS_KEY, None)
    entries |= {_KEY: offset, _CHECKSUM_KEY: _checksum(offset, epochs)}
    if epochs is not None:
        entries[_EPOCHS_KEY] = epochs
    lines = [str(VERSION), str(len(entries)), *(f"{key} {value}" for key, value in sorted(entries.items()))]
    return ("\n".join(lines) + "\n").encode()


def _read_entries(fs: FileSystem, path: str) -> dict[str, int]:
    with faults_of("reading", path):
        if not fs.exists(path):
            return {}
        content = read_file(fs, path)
    try:
        return _parse(content.decode("utf-8"))
    except ValueError as error:
        raise _unusable(path, str(error)) from error


def _unusable(path: str, why: str) -> UnusableRecoveryPointError:
    return UnusableRecoveryPointError(
        f"{path} is malformed: {why}. It states how far the log beside it was durable and committed"
    )


def _parse(text: str) -> dict[str, int]:
    lines = text.splitlines()
    if len(lines) < 2 or number_from_text(lines[0], VERSION) != VERSION:
        raise ValueError(f"the first line must be {VERSION}, the second the number of entries")
    if number_from_text(lines[1], len(lines)) != len(lines) - 2:
        raise ValueError(f"{lines[1]:.20} entries announced, {len(lines) - 2} found")
    entries: dict[str, int] = {}
    for line in lines[2:]:
        key, _, digits = line.rpartition(" ")
        topic, _, partition = key.rpartition(" ")
        offset = number_from_text(digits, OFFSET_MAX)
        if not topic or number_from_text(partition, PARTITION_MAX) is None or offset is None:
            raise ValueError(f"{line!r:.200} is not `topic partition offset`")
        entries[key] = offset
    return entries
