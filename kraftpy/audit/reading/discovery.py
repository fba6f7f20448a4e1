"""From paths to the files of metadata logs, each with its cluster and node.

Found are segments, finished snapshots, ``bootstrap.checkpoint``, the small text files, and the files that record how
far a log reached (``reading.contradictions``). In a tree, everything except ``meta.properties`` and
``bootstrap.checkpoint`` counts only in a metadata directory: one named ``__cluster_metadata-0``, one with a
``quorum-state`` or a checkpoint in it, or one that the caller named. A broker's topic partitions have files of the same
names and are skipped, and so are corrupt logs that a kraftpy node has quarantined.

Cluster and node come from ``cluster=`` and ``node=`` in the path, otherwise from the ``meta.properties`` beside the
file or one directory above. Two directories that claim the same node of the same cluster are kept apart, so that no
state is ever made of two logs: each is then called ``<node>@<directory>``, with as much of its path as is needed.

Source: ``on-disk formats`` §8.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cache
from typing import Final

from kraftpy.audit.reading.filesystem import InputError, Listed, base_name, list_files, parent, read_small
from kraftpy.audit.reading.rows import BOOTSTRAP, LOG, SNAPSHOT
from kraftpy.model.errors import MalformedError
from kraftpy.records.checkpoints import PARTITION_METADATA_FILE, foreign_topic
from kraftpy.records.file_names import parse_snapshot_file_name
from kraftpy.records.properties import parse_properties

METADATA_DIRECTORY: Final = "__cluster_metadata-0"
QUARANTINE: Final = "kraftpy.quarantine"
BOOTSTRAP_FILE: Final = "bootstrap.checkpoint"
META_PROPERTIES: Final = "meta.properties"
SMALL_FILES: Final = (META_PROPERTIES, "quorum-state", "leader-epoch-checkpoint", "partition.metadata")
_ANYWHERE: Final = frozenset({META_PROPERTIES, BOOTSTRAP_FILE, "recovery-point-offset-checkpoint"})
"""The files beside metadata directories; all others count only within one."""
PROPERTIES: Final = "properties"
SIDECAR: Final = "sidecar"
RECOVERY_POINTS: Final = "recovery-point-offset-checkpoint"
SMALL_BYTES_MAX: Final = 1024 * 1024
"""No small text file is larger; a larger one is reported as a problem and not read."""

_SEGMENT: Final = re.compile(r"([0-9]{20})\.log", re.ASCII)
_BESIDE_SEGMENT: Final = re.compile(r"[0-9]{20}\.(index|timeindex|snapshot)", re.ASCII)
_OFFSET_MAX: Final = 2**63 - 1
_LABEL: Final = re.compile(r"(cluster|node)=([^/]+)")


@dataclass(frozen=True, slots=True)
class KraftFile:
    """One file of a metadata log.

    Attributes:
        path: where it is.
        kind: ``log``, ``snapshot``, ``bootstrap``, ``properties``, or ``sidecar``: it records how far a log reached.
        size: bytes, when it was listed; nothing that starts after that is read.
        base_offset: a segment's first offset, 0 in a snapshot.
        end_offset: a snapshot's end offset, from its name.
        epoch: a snapshot's epoch, from its name.
        options: the options of a remote file system, which follow the path.
    """

    cluster: str
    node: str
    path: str
    kind: str
    size: int
    base_offset: int | None = None
    end_offset: int | None = None
    epoch: int | None = None
    options: str = ""

    @property
    def address(self) -> str:
        """The path as it can be opened."""
        return self.path + self.options

    @property
    def has_batches(self) -> bool:
        """Whether it is a segment or a snapshot."""
        return self.kind in {LOG, SNAPSHOT, BOOTSTRAP}


def discover(paths: Sequence[str]) -> list[KraftFile]:
    """Find the files of paths, globs and trees, each once, ordered by cluster, node, kind and offset.

    Raises:
        InputError: when a path does not exist, or contains no file of a metadata log.
    """
    if not paths:
        raise InputError("no path was given: name segments, checkpoints, metadata directories or trees of them")
    files: dict[str, KraftFile] = {}
    for path in paths:
        found = _of_metadata_logs(list_files(path))
        if not any(file.has_batches for file in found):
            raise InputError(
                f"{path} holds no segment and no checkpoint of a metadata log: name a file such as "
                f"00000000000000000000.log, a directory {METADATA_DIRECTORY}, or a tree of them"
            )
        files.update({file.path: file for file in found})
    _identity.cache_clear()
    return sorted(_kept_apart(files.values()), key=lambda file: (file.cluster, file.node, file.kind, file.path))


def files_of(path: str) -> list[KraftFile]:
    """Return the files of one path, even if there is nothing to replay among them.

    Raises:
        InputError: when the path does not exist.
    """
    found = _of_metadata_logs(list_files(path))
    _identity.cache_clear()
    return found


def _of_metadata_logs(listed: Iterable[Listed]) -> list[KraftFile]:
    by_directory: dict[str, list[Listed]] = defaultdict(list)
    for each in listed:
        by_directory[parent(each.path)].append(each)
    return [
        file
        for directory, members in by_directory.items()
        for file in _of_directory(directory, members)
    ]  # fmt: skip


def _of_directory(directory: str, members: list[Listed]) -> list[KraftFile]:
    names = {base_name(each.path) for each in members}
    if _is_foreign(directory, members):
        return []
    holds_metadata = (
        base_name(directory) == METADATA_DIRECTORY
        or "quorum-state" in names
        or any(parse_snapshot_file_name(name) for name in names)
    )
    files = []
    for each in members:
        if base_name(parent(directory)) == QUARANTINE and not each.is_named:
            continue
        name = base_name(each.path)
        if name not in _ANYWHERE and not (holds_metadata or each.is_named):
            continue
        file = _file(each, directory)
        if file is not None:
            files.append(file)
    return files


def _is_foreign(directory: str, members: list[Listed]) -> bool:
    """Return whether a directory belongs to another topic.

    Raises:
        InputError: when the caller named it.
    """
    segment = next((each for each in members if _SEGMENT.fullmatch(base_name(each.path))), None)
    if segment is None or base_name(directory) == METADATA_DIRECTORY:
        return False
    text = None
    with suppress(OSError):
        path = f"{directory}/{PARTITION_METADATA_FILE}{segment.options}"
        text = read_small(path, SMALL_BYTES_MAX).decode("utf-8", "replace")
    topic = foreign_topic(base_name(directory), text)
    if topic is not None and segment.is_named:
        raise InputError(
            f"{segment.path if len(members) == 1 else directory} belongs to {topic}: metadata logs are in directories "
            f"{METADATA_DIRECTORY}"
        )
    return topic is not None


def _file(listed: Listed, directory: str) -> KraftFile | None:
    name = base_name(listed.path)
    segment = _SEGMENT.fullmatch(name)
    snapshot_id = parse_snapshot_file_name(name)
    if segment is not None and int(segment[1]) <= _OFFSET_MAX:
        kind, base, end, epoch = LOG, int(segment[1]), None, None
    elif snapshot_id is not None:
        kind, base, end, epoch = SNAPSHOT, 0, snapshot_id.offset, snapshot_id.epoch
    elif name == BOOTSTRAP_FILE:
        kind, base, end, epoch = BOOTSTRAP, 0, None, None
    elif name in SMALL_FILES:
        kind, base, end, epoch = PROPERTIES, None, None, None
    elif name == RECOVERY_POINTS or _BESIDE_SEGMENT.fullmatch(name):
        kind, base, end, epoch = SIDECAR, None, None, None
    else:
        return None
    cluster, node = _identity(directory, listed.options)
    return KraftFile(cluster, node, listed.path, kind, listed.size, base, end, epoch, listed.options)


@cache
def _identity(directory: str, options: str) -> tuple[str, str]:
    """Return a directory's cluster and node; if path and properties have neither, '' and the path."""
    labels: dict[str, str] = dict(_LABEL.findall(directory))
    stated = _stated(directory, options) or _stated(parent(directory), options)
    home = parent(directory) if base_name(directory) == METADATA_DIRECTORY else directory
    return labels.get("cluster") or stated.get("cluster.id", ""), labels.get("node") or stated.get("node.id", home)


def _stated(directory: str, options: str) -> dict[str, str]:
    try:
        return parse_properties(
            read_small(f"{directory}/{META_PROPERTIES}{options}", SMALL_BYTES_MAX).decode("utf-8", "replace")
        )
    except (OSError, MalformedError):  # absent or malformed: the properties table reports it
        return {}


def _kept_apart(files: Iterable[KraftFile]) -> list[KraftFile]:
    files = list(files)
    homes: dict[tuple[str, str], set[str]] = defaultdict(set)
    for file in files:
        if file.kind in {LOG, SNAPSHOT}:
            homes[file.cluster, file.node].add(parent(file.path))
    labels = {node: _short_names(found) for node, found in homes.items() if len(found) > 1}
    return [
        replace(file, node=f"{file.node}@{name}")
        if (name := labels.get((file.cluster, file.node), {}).get(parent(file.path)))
        else file
        for file in files
    ]


def _short_names(directories: Iterable[str]) -> dict[str, str]:
    """Return for each directory as much of the end of its path as distinguishes it from the others."""
    parts = {each: [part for part in each.split("/") if part and part != METADATA_DIRECTORY] for each in directories}
    for length in range(1, max(map(len, parts.values())) + 1):
        names = {each: "/".join(words[-length:]) for each, words in parts.items()}
        if len(set(names.values())) == len(names):
            return names
    return {each: each for each in parts}
