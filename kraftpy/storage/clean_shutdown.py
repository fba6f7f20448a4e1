"""The clean-shutdown file of a broker: one in each log directory, from a clean stop to the next start.

It contains the broker epoch under which the directories were closed. A broker that finds the same epoch in all of them
may report it at registration, which states that it lost nothing since; otherwise it reports none. The files are removed
before the broker does anything else, so a later crash is never mistaken for a clean stop.

The metadata log does not use it: that log is verified to its last byte at every start.

Source: on-disk formats §8.7; broker-and-publishing B6; KIP-966; Kafka ``CleanShutdownFileHandler``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass

from kraftpy.model.errors import StorageError
from kraftpy.storage.atomic_file import remove_if_exists, replace_file
from kraftpy.storage.filesystem import FileSystem, join, read_file
from kraftpy.storage.names import CLEAN_SHUTDOWN
from kraftpy.storage.os_errors import faults_of, sync_names

VERSION = 0

NO_BROKER_EPOCH = -1
"""The value in a registration when the last stop was not clean, or there was none."""


@dataclass(frozen=True, slots=True)
class CleanShutdown:
    """The combined result of the files of all directories.

    Attributes:
        broker_epoch: the epoch they agree on, else ``NO_BROKER_EPOCH``.
        warnings: what was unexpected about them, as text.
    """

    broker_epoch: int = NO_BROKER_EPOCH
    warnings: tuple[str, ...] = ()


def write_clean_shutdown(fs: FileSystem, directory: str, broker_epoch: int) -> None:
    """Write, durably, that a directory was closed cleanly under this epoch.

    Raises:
        StorageError: the file could not be written.
    """
    content = json.dumps({"version": VERSION, "brokerEpoch": broker_epoch}, separators=(",", ":"))
    replace_file(fs, join(directory, CLEAN_SHUTDOWN), content.encode("ascii"))


def take_clean_shutdown(fs: FileSystem, directories: Sequence[str]) -> CleanShutdown:
    """Read the files of these directories and remove them, durably.

    An epoch counts only if every directory has a file and all of them contain it. A file that cannot be read or removed
    counts as missing, and is reported as a warning.
    """
    epochs: list[int | None] = []
    warnings: list[str] = []
    for directory in directories:
        try:
            epochs.append(_take(fs, join(directory, CLEAN_SHUTDOWN), directory))
        except (StorageError, ValueError) as error:
            epochs.append(None)
            warnings.append(f"{error}; the last stop does not count as a clean one")
    known = {epoch for epoch in epochs if epoch is not None}
    if len(known) > 1:
        found = ", ".join(map(str, sorted(known)))
        warnings.append(f"the clean-shutdown files name different broker epochs ({found}); none of them counts")
    agreed = next(iter(known)) if len(known) == 1 and None not in epochs else NO_BROKER_EPOCH
    return CleanShutdown(agreed, tuple(warnings))


def _take(fs: FileSystem, path: str, directory: str) -> int | None:
    with faults_of("reading", path):
        if not fs.exists(path):
            return None
        content = read_file(fs, path)
    remove_if_exists(fs, path)
    sync_names(fs, directory)
    return _parse(content, path)


def _parse(content: bytes, path: str) -> int:
    try:
        found = json.loads(content)
    except (ValueError, RecursionError) as error:
        raise ValueError(f"{path} is no JSON") from error
    epoch = found.get("brokerEpoch") if isinstance(found, dict) and found.get("version") == VERSION else None
    if type(epoch) is not int or epoch < 0:
        raise ValueError(f'{path} is not {{"version":{VERSION},"brokerEpoch":<epoch>}}')
    return epoch
