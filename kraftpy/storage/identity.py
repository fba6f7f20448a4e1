"""Write the identity of a node: ``meta.properties`` where it is missing, and the cluster id once it is known.

KIP-1262 removes the format step. A directory without ``meta.properties`` gets one at the start, with a new directory id
(a directory that lost its content is another directory) and without a cluster id; the cluster id is written once the
log contains it. The order makes a crash harmless: every file is replaced atomically, and the id is published to the
rest of the node only after :meth:`ClusterIdStore.persist` returned. After any crash, each file either has the id or has
none, and the next start writes the rest.

Source: KIP-1262; broker-and-publishing C3 (K1262-12, 14 to 18, 33).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kraftpy.model.errors import DiskFullError, StorageError
from kraftpy.model.ids import NodeId, Uuid, uuid_from_random
from kraftpy.storage.atomic_file import TEMPORARY_SUFFIX, remove_if_exists
from kraftpy.storage.durable_directory import make_directory_durably
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.meta_properties import MetaProperties, meta_properties_path, write_meta_properties
from kraftpy.storage.names import (
    BOOTSTRAP_CHECKPOINT,
    CLEAN_SHUTDOWN,
    META_PROPERTIES,
    METADATA_RESERVE,
    RECOVERY_POINT_CHECKPOINT,
    RESERVE,
)
from kraftpy.storage.os_errors import sync_names

ROOT_FILES = (
    BOOTSTRAP_CHECKPOINT, CLEAN_SHUTDOWN, META_PROPERTIES, METADATA_RESERVE, RECOVERY_POINT_CHECKPOINT, RESERVE,
)  # fmt: skip
"""What a node replaces in the log directory itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Formatted:
    """What :func:`ensure_formatted` did.

    Attributes:
        ensemble: the directories as they are now; those that could not be written are among its errors.
        created: directories that had no file and got one.
        completed: directories whose file had no directory id and got one.
    """

    ensemble: MetaPropertiesEnsemble
    created: tuple[str, ...] = ()
    completed: tuple[str, ...] = ()


def ensure_formatted(
    fs: FileSystem, ensemble: MetaPropertiesEnsemble, node_id: NodeId, draw: Callable[[int], bytes]
) -> Formatted:
    """Write the missing files and directory ids. Verify the ensemble first.

    The content of the files is durable when this returns.

    Args:
        fs: the disk.
        ensemble: what was found.
        node_id: the configured id.
        draw: returns that many random bytes.

    Raises:
        StorageError: the metadata directory could not be written. Another one only becomes an error directory.
    """
    found = dict(ensemble.found)
    errors = dict(ensemble.errors)
    wanted: dict[str, MetaProperties] = {}
    taken = {p.directory_id for p in found.values() if p.directory_id is not None}
    for directory in ensemble.empty:
        wanted[directory] = MetaProperties(version=2, node_id=node_id, directory_id=fresh_directory_id(draw, taken))
    for directory, properties in found.items():
        if properties.directory_id is None:
            wanted[directory] = properties.with_directory_id(fresh_directory_id(draw, taken))
    for directory, properties in wanted.items():
        try:
            make_directory_durably(fs, directory)
            _remove_left_overs(fs, directory)
            write_meta_properties(fs, directory, properties)
            found[directory] = properties
        except StorageError as error:
            _check_not_full(error, directory, ensemble.metadata_directory)
            found.pop(directory, None)
            errors[directory] = str(error)
    for directory in [directory for directory in found if directory not in wanted]:
        try:
            _remove_left_overs(fs, directory)
            # A killed process may have renamed the file without a sync; from here on its content is used.
            sync_names(fs, directory)
        except StorageError as error:
            found.pop(directory)
            errors[directory] = str(error)
    after = MetaPropertiesEnsemble(found=found, errors=errors, metadata_directory=ensemble.metadata_directory)
    after.check_metadata_directory()
    written = [directory for directory in wanted if directory in found]
    return Formatted(
        ensemble=after,
        created=tuple(directory for directory in written if directory in ensemble.empty),
        completed=tuple(directory for directory in written if directory in ensemble.found),
    )


def _remove_left_overs(fs: FileSystem, directory: str) -> None:
    """Remove what a killed process was about to rename: it is never read, and its writer may not run again."""
    for name in ROOT_FILES:
        remove_if_exists(fs, join(directory, name + TEMPORARY_SUFFIX))


def _check_not_full(error: StorageError, directory: str, metadata_directory: str | None) -> None:
    """Raise a full disk of the metadata directory as it is: it ends the node, and nothing there has to be mended."""
    if isinstance(error, DiskFullError) and directory == metadata_directory:
        raise error


def fresh_directory_id(draw: Callable[[int], bytes], taken: set[Uuid]) -> Uuid:
    """Draw an id that no other directory of this node has, and add it to those."""
    directory_id = uuid_from_random(draw)
    while directory_id in taken:
        directory_id = uuid_from_random(draw)
    taken.add(directory_id)
    return directory_id


@dataclass(frozen=True, slots=True)
class Persisted:
    """What :meth:`ClusterIdStore.persist` did.

    Attributes:
        written: directories whose file was written; empty when all had the id already.
        failed: directories that could not be written, with the reason.
    """

    written: tuple[str, ...] = ()
    failed: Mapping[str, StorageError] = field(default_factory=dict)


class ClusterIdStore:
    """The only writer of ``cluster.id``.

    It holds no "current id" that others read: the caller sets that after :meth:`persist` returned, so that no code acts
    on an id that a crash could undo.
    """

    __slots__ = ("_ensemble", "_fs")

    def __init__(self, fs: FileSystem, ensemble: MetaPropertiesEnsemble) -> None:
        self._fs = fs
        self._ensemble = ensemble

    @property
    def ensemble(self) -> MetaPropertiesEnsemble:
        """The directories as they are now."""
        return self._ensemble

    @property
    def cluster_id(self) -> str | None:
        """The id that the files hold, ``None`` while none does."""
        return self._ensemble.cluster_id

    def persist(self, cluster_id: str, source: str = "the metadata log") -> Persisted:
        """Write the id into every file that has none, directory by directory; each is durable before the next.

        Args:
            cluster_id: the id that was discovered.
            source: where it was read, for the error's text.

        Raises:
            StorageError: a file holds another id (then nothing is written), or the metadata directory failed.
        """
        self._check_same(cluster_id, source)
        found = dict(self._ensemble.found)
        failed: dict[str, StorageError] = {}
        written = []
        for directory, properties in self._ensemble.found.items():
            if properties.cluster_id is not None:
                continue
            try:
                write_meta_properties(self._fs, directory, properties.with_cluster_id(cluster_id))
            except StorageError as error:
                _check_not_full(error, directory, self._ensemble.metadata_directory)
                del found[directory]
                failed[directory] = error
                continue
            found[directory] = properties.with_cluster_id(cluster_id)
            written.append(directory)
        self._ensemble = MetaPropertiesEnsemble(
            found=found,
            empty=self._ensemble.empty,
            errors={**self._ensemble.errors, **{directory: str(error) for directory, error in failed.items()}},
            metadata_directory=self._ensemble.metadata_directory,
        )
        self._ensemble.check_metadata_directory()
        return Persisted(tuple(written), failed)

    def complete(self) -> Persisted:
        """Write the id that a file holds into those that have none: a crash came between them, or a directory is new.

        Call it at the start, before the id is published; it is not written later.

        Raises:
            StorageError: as :meth:`persist`.
        """
        known = self.cluster_id
        return Persisted() if known is None else self.persist(known, "another meta.properties")

    def _check_same(self, cluster_id: str, source: str) -> None:
        if not cluster_id:
            raise StorageError(f"The cluster id in {source} is empty: the log was not written by a sound controller.")
        for directory, properties in self._ensemble.found.items():
            if properties.cluster_id not in (None, cluster_id):
                raise StorageError(
                    f"Two cluster ids: {meta_properties_path(directory)} has {properties.cluster_id}, {source} has "
                    f"{cluster_id}. This node belongs to the first and follows a log of the second. If the "
                    "configuration points at the wrong cluster, correct controller.quorum.voters or "
                    "controller.quorum.bootstrap.servers; if this node is to move, give it empty directories."
                )
