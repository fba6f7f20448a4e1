"""Change several files of a log directory as one unit, and roll back.

No file system replaces several files in one step, so the directory itself records that it is incomplete: while files
change, ``meta.properties`` has a version that neither kraftpy nor Kafka can read and that names the way out, and no
node starts on it. The order is

1. everything that will change is copied into one bundle next to ``meta.properties`` (:data:`UNDO`), durably;
2. ``meta.properties`` becomes the refusal;
3. the files change, each atomically;
4. ``meta.properties`` gets its final content.

A kill before 2 leaves the directory unchanged, a kill after 4 leaves it changed, and a kill in between leaves one that
does not start and can be rolled back: every changed file has either its old or its new content. A rollback works the
same way and may itself be killed and repeated.

The bundle stays until it is used or removed: it allows a rollback until a node has run on the directory.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from kraftpy.disaster_recovery.tar_bundle import (
    Bundle,
    Content,
    Packed,
    Piece,
    chunks_of,
    digest_of,
    open_bundle,
    write_bundle,
)
from kraftpy.model.errors import LocalError, StorageError
from kraftpy.storage.atomic_file import TEMPORARY_SUFFIX, remove_if_exists, replace_file
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.filesystem import FileSystem, join, parent, read_file
from kraftpy.storage.locks import LOCK_FILE
from kraftpy.storage.names import META_PROPERTIES, METADATA_DIRECTORY
from kraftpy.storage.os_errors import faults_of, sync_file, sync_names
from kraftpy.storage.snapshots import CHECKPOINT_SUFFIX

UNDO = "kraftpy-undo.tar"
"""In the log directory, as a plain file: Kafka refuses directories there that it does not know, and ignores files."""

ABSENT = ""
"""How a manifest writes the digest of a file that is not there."""

REFUSAL_KEY = "version"


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file: its path below the log directory, and its new content; ``None`` removes it."""

    path: str
    content: Content | None


@dataclass(frozen=True, slots=True)
class FileIdentity:
    """A file's size and SHA-256."""

    bytes: int
    sha256: str


def identify(fs: FileSystem, directory: str) -> dict[str, FileIdentity]:
    """Return the files of a log directory that belong to the metadata log, by path below it.

    Those are the files of the directory itself (its undo bundle and its lock left out) and all of its metadata log.
    Temporary files left by a kill are excluded: they are never read, and the next writer replaces them
    (``storage.atomic``).
    """
    found: dict[str, FileIdentity] = {}
    for below in ("", METADATA_DIRECTORY):
        place = join(directory, below) if below else directory
        with faults_of("listing", place):
            names = fs.list_directory(place) if fs.is_directory(place) else []
        for name in names:
            path = join(place, name)
            if fs.is_directory(path) or name.startswith(UNDO) or name == LOCK_FILE or name.endswith(TEMPORARY_SUFFIX):
                continue
            with faults_of("reading", path):
                size = fs.size(path)
            found[f"{below}/{name}" if below else name] = FileIdentity(size, digest_of(fs, Piece(path, size)))
    return found


def apply_changes(
    fs: FileSystem, directory: str, changes: Sequence[FileChange], *, purpose: str, digest: str, command: str
) -> None:
    """Carry out changes; the caller holds the directory's lock.

    Args:
        fs: the disk.
        directory: the log directory; it has a ``meta.properties``.
        changes: in the order in which they are applied.
        purpose: what is being done, as text for the operator.
        digest: of the plan that requires it.
        command: the rollback command, for the error text.

    Raises:
        LocalError: an earlier change can still be rolled back, or was not finished.
        StorageError: a disk operation failed. If files had begun to change, no node starts on the directory.
    """
    undo_path = join(directory, UNDO)
    with faults_of("reading", undo_path):
        if fs.exists(undo_path):
            raise LocalError(
                f"{undo_path} is there: an earlier change of this directory was made or begun. Put it back with "
                "`kraftpy recover undo`, or, if you mean to keep what it did, move that file away."
            )
    before = identify(fs, directory)
    if META_PROPERTIES not in before:
        raise LocalError(f"{directory} has no {META_PROPERTIES}: it is no node's log directory")
    touched = [change.path for change in changes]
    facts = {
        "kind": "undo",
        "purpose": purpose,
        "digest": digest,
        "before": {path: entry.sha256 for path, entry in before.items()},
        "after": {
            change.path: ABSENT if change.content is None else digest_of(fs, change.content) for change in changes
        },
    }
    saved = dict.fromkeys([META_PROPERTIES, *touched])
    members = [(path, Piece(join(directory, path), before[path].bytes)) for path in saved if path in before]
    write_bundle(fs, undo_path, facts, members)
    properties = read_file(fs, join(directory, META_PROPERTIES))
    refuse_starts(fs, directory, command)
    for change in changes:
        if change.path != META_PROPERTIES:
            carry_out(fs, directory, change)
        elif change.content is not None:
            properties = b"".join(chunks_of(fs, change.content))
    replace_file(fs, join(directory, META_PROPERTIES), properties)


def refuse_starts(fs: FileSystem, directory: str, command: str) -> None:
    """Let no node start on a directory until it has another ``meta.properties``; the file names the command to run."""
    text = f"{REFUSAL_KEY}=half changed, do not start: run `{command}` first\n"
    replace_file(fs, join(directory, META_PROPERTIES), text.encode("ascii", "replace"))


def _refusal_of(content: bytes) -> bool:
    return content.startswith(f"{REFUSAL_KEY}=half changed".encode())


def carry_out(fs: FileSystem, directory: str, change: FileChange) -> None:
    """Apply the change of one file, durably, and atomically where it is replaced."""
    path = join(directory, change.path)
    if change.content is None:
        remove_if_exists(fs, path)
        sync_names(fs, parent(path))
        return
    make_directory_durably(fs, parent(path))
    _replace(fs, path, change.content)


def _replace(fs: FileSystem, path: str, content: Content) -> None:
    """Make a file hold a content, durably, or leave it as it was; the content may be the file's own beginning."""
    temporary = path + TEMPORARY_SUFFIX
    try:
        with faults_of("writing", temporary):
            file = fs.open(temporary, write=True, create=True)
            try:
                position = 0
                for chunk in chunks_of(fs, content):
                    file.pwrite(chunk, position)
                    position += len(chunk)
                sync_file(file)
            finally:
                file.close()
            if path.endswith(CHECKPOINT_SUFFIX):
                fs.make_read_only(temporary)
            fs.rename(temporary, path)
    except StorageError:
        with suppress(StorageError):
            remove_if_exists(fs, temporary)
        raise
    sync_names(fs, parent(path))


@dataclass(frozen=True, slots=True)
class Undone:
    """What :func:`undo_changes` did: ``purpose`` of what was put back, ``None`` when there was nothing to put back."""

    purpose: str | None


def undo_changes(fs: FileSystem, directory: str, command: str) -> Undone:
    """Put back what :func:`apply_changes` did or began; the caller holds the directory's lock.

    Raises:
        LocalError: the directory has changed since, so that putting back would throw away what a node wrote.
        StorageError: the disk said no, or the bundle is corrupt; calling it again goes on.
    """
    undo_path = join(directory, UNDO)
    with faults_of("reading", undo_path):
        begun = fs.exists(undo_path)
    if not begun:
        remove_if_exists(fs, undo_path + TEMPORARY_SUFFIX)
        return Undone(None)
    bundle = open_bundle(fs, undo_path)
    _check_untouched_since(fs, directory, bundle)
    properties_path = join(directory, META_PROPERTIES)
    refuse_starts(fs, directory, command)
    for path in _paths_to_put_back(bundle.facts):
        if path != META_PROPERTIES:
            content = _saved(bundle, path)
            carry_out(fs, directory, FileChange(path, content))
    _remove_temporaries(fs, directory)
    replace_file(fs, properties_path, bundle.read(META_PROPERTIES))
    remove_if_exists(fs, undo_path)
    sync_names(fs, directory)
    return Undone(bundle.facts["purpose"])


def _paths_to_put_back(facts: Mapping[str, Any]) -> Iterable[str]:
    return list(facts["after"])


def _saved(bundle: Bundle, path: str) -> Content | None:
    return Packed(bundle, path) if path in bundle.names else None


def _remove_temporaries(fs: FileSystem, directory: str) -> None:
    """Remove what a killed run left beside the files it was about to replace."""
    for place in (directory, join(directory, METADATA_DIRECTORY)):
        with faults_of("listing", place):
            names = fs.list_directory(place) if fs.is_directory(place) else []
        for name in names:
            if name.endswith(TEMPORARY_SUFFIX):
                remove_if_exists(fs, join(place, name))


def _check_untouched_since(fs: FileSystem, directory: str, bundle: Bundle) -> None:
    before, after = bundle.facts["before"], bundle.facts["after"]
    now = {path: entry.sha256 for path, entry in identify(fs, directory).items()}
    strangers = []
    for path in sorted({*before, *after, *now}):
        found = now.get(path, ABSENT)
        expected = {before.get(path, ABSENT), after.get(path, before.get(path, ABSENT))}
        is_refusal = path == META_PROPERTIES and _refusal_of(read_file(fs, join(directory, path)))
        if found not in expected and not is_refusal:
            strangers.append(path)
    if strangers:
        raise LocalError(
            f"{directory} has changed since {bundle.facts['purpose']}: {', '.join(strangers[:5])}. A node ran on it, "
            "or it was changed by hand; putting back would throw that away. The originals are in "
            f"{bundle.path} (a tar archive), if you must have them."
        )
