"""The recovery point: an offset below which everything was durable *and* committed when it was written down.

It is a lower bound that is allowed to lag, so it is written lazily. It never makes recovery faster (every byte is
checked at every start); it draws the line below which a bad batch, or a log that ends too early, can only be damage.

The file is Kafka's ``recovery-point-offset-checkpoint`` in the root of the log directory: ``0``, the number of entries,
then ``topic partition offset`` a line. A broker that shares the directory has entries of its own in it: they are kept.

Source: Kafka ``OffsetCheckpointFile``.
"""

from __future__ import annotations

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.errors import StorageError
from kraftpy.model.ids import METADATA_PARTITION, METADATA_TOPIC
from kraftpy.storage.atomic import replace_file
from kraftpy.storage.faults import faults_of
from kraftpy.storage.filesystem import FileSystem, read_file

VERSION = 0
OFFSET_MAX = 2**63 - 1
_KEY = f"{METADATA_TOPIC} {METADATA_PARTITION}"


def read_recovery_point(fs: FileSystem, path: str) -> int:
    """Return the metadata log's entry, 0 when there is none.

    Raises:
        StorageError: the file is not what it should be.
    """
    return _read_entries(fs, path).get(_KEY, 0)


def write_recovery_point(fs: FileSystem, path: str, offset: int) -> None:
    """Set the metadata log's entry and keep all others."""
    replace_file(fs, path, with_recovery_point(fs, path, offset))


def with_recovery_point(fs: FileSystem, path: str, offset: int) -> bytes:
    """Return the file as it would be with another entry for the metadata log; nothing is written.

    Raises:
        StorageError: the file is not what it should be.
    """
    entries = _read_entries(fs, path)
    entries[_KEY] = offset
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
        raise StorageError(
            f"{path} is malformed: {error}. Its only use is to tell damage from a torn write; delete it to go on "
            "without that."
        ) from error


def _parse(text: str) -> dict[str, int]:
    lines = text.splitlines()
    if len(lines) < 2 or number_from_text(lines[0], VERSION) != VERSION:
        raise ValueError(f"the first line must be {VERSION}, the second the number of entries")
    if number_from_text(lines[1], len(lines)) != len(lines) - 2:
        raise ValueError(f"{lines[1]:.20} entries announced, {len(lines) - 2} found")
    entries: dict[str, int] = {}
    for line in lines[2:]:
        key, _, digits = line.rpartition(" ")
        offset = number_from_text(digits, OFFSET_MAX)
        if not key or offset is None:
            raise ValueError(f"{line!r:.200} is not `topic partition offset`")
        entries[key] = offset
    return entries
