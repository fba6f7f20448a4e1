"""All ``meta.properties`` of a node together: do its directories belong to it, and to each other?

A node's directories must agree on the cluster and the node, and each must have an id of its own. A directory that
cannot be read goes offline and the node lives on, unless it is the one that holds the metadata log.

Source: on-disk formats §8.5; broker-and-publishing B6; Kafka ``MetaPropertiesEnsemble``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from kraftpy.model.errors import MalformedError, StorageError
from kraftpy.model.features import CLUSTER_ID_LEVEL
from kraftpy.model.ids import NodeId, Uuid, is_reserved_uuid, uuid_to_text
from kraftpy.storage.filesystem import FileSystem, join
from kraftpy.storage.meta_properties import MetaProperties, meta_properties_path, read_meta_properties
from kraftpy.storage.names import METADATA_DIRECTORY


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaPropertiesEnsemble:
    """The ``meta.properties`` of every configured directory.

    Attributes:
        found: the readable files, by directory, in the order of the configuration.
        empty: directories without a file.
        errors: directories that cannot be read, with the reason.
        metadata_directory: the one that holds, or will hold, the metadata log.
    """

    found: Mapping[str, MetaProperties] = field(default_factory=dict)
    empty: tuple[str, ...] = ()
    errors: Mapping[str, str] = field(default_factory=dict)
    metadata_directory: str | None = None

    @classmethod
    def load(
        cls, fs: FileSystem, directories: Sequence[str], metadata_directory: str | None = None
    ) -> MetaPropertiesEnsemble:
        """Read the file of every directory, the metadata directory's included."""
        found: dict[str, MetaProperties] = {}
        errors: dict[str, str] = {}
        empty = []
        named = [*directories, *([metadata_directory] if metadata_directory else [])]
        for directory in dict.fromkeys(named):
            try:
                properties = read_meta_properties(fs, directory)
            except (OSError, MalformedError) as error:
                errors[directory] = str(error)
                continue
            if properties is None:
                empty.append(directory)
            else:
                found[directory] = properties
        return cls(found=found, empty=tuple(empty), errors=errors, metadata_directory=metadata_directory)

    @property
    def cluster_id(self) -> str | None:
        """The cluster id that a file states, ``None`` when none does. Meaningful after :meth:`verify`."""
        return next((p.cluster_id for p in self.found.values() if p.cluster_id is not None), None)

    @property
    def node_id(self) -> NodeId | None:
        """The node id that a file states, ``None`` when none does."""
        return next((p.node_id for p in self.found.values() if p.node_id is not None), None)

    def directory_id(self, directory: str) -> Uuid | None:
        """The id of a directory, ``None`` when it has none (yet)."""
        return self.found[directory].directory_id if directory in self.found else None

    def verify(
        self,
        *,
        expected_cluster_id: str | None = None,
        expected_from: str = "the configuration (cluster.id.expected)",
        expected_node_id: NodeId | None = None,
        require_v0: bool = False,
        require_at_least_one_valid: bool = False,
        require_metadata_directory: bool = False,
    ) -> None:
        """Check that the directories belong together, and to the node and cluster that are expected.

        ``expected_from`` names, for the error, the source of the expected cluster id.

        Raises:
            StorageError: with Kafka's message and the way out.
        """
        if require_at_least_one_valid and not self.found:
            raise StorageError("No readable meta.properties files found.")
        _Verification(expected_cluster_id, expected_from, expected_node_id, require_v0=require_v0).check(self.found)
        if require_metadata_directory and not self.metadata_directory:
            raise StorageError("No metadata log directory was specified.")
        self.check_metadata_directory()

    def check_metadata_directory(self) -> None:
        """Refuse to go on without the metadata log's directory.

        Raises:
            StorageError: it is among those that failed.
        """
        directory = self.metadata_directory
        if directory is not None and directory in self.errors:
            raise StorageError(
                f"Encountered I/O error in metadata log directory {directory}. Cannot continue. "
                f"({meta_properties_path(directory)}: {self.errors[directory]}) Ways out: mend the disk, or put the "
                "file back from a copy; or, while a majority of the other voters is healthy, move the directory away "
                "and let this node fetch everything."
            )

    def check_cluster_id_can_be_known(self, metadata_version: int) -> None:
        """Check that the cluster id is either here or can be learnt from the log.

        Raises:
            StorageError: no file has it, and no ClusterIdRecord exists at this level (KIP-1262).
        """
        if self.cluster_id is None and metadata_version < CLUSTER_ID_LEVEL:
            files = ", ".join(meta_properties_path(directory) for directory in self.found)
            raise StorageError(
                f"No cluster.id in {files or 'any meta.properties'}, and metadata.version {metadata_version} is below "
                f"{CLUSTER_ID_LEVEL}, the first that keeps the cluster id in the log: it cannot be discovered. Format "
                "with --cluster-id, or write cluster.id into the file."
            )


class _Verification:
    """One pass over the files, in the order of the configuration."""

    def __init__(
        self, cluster_id: str | None, cluster_id_from: str, node_id: NodeId | None, *, require_v0: bool
    ) -> None:
        self._cluster_id = cluster_id
        self._cluster_id_from = cluster_id_from
        self._node_id = node_id
        self._require_v0 = require_v0
        self._directory_of: dict[Uuid, str] = {}

    def check(self, found: Mapping[str, MetaProperties]) -> None:
        for directory, properties in found.items():
            path = meta_properties_path(directory)
            self._check_required(path, properties)
            self._check_cluster_id(path, properties)
            self._check_node_id(path, properties)
            self._check_directory_id(directory, path, properties)

    def _check_required(self, path: str, properties: MetaProperties) -> None:
        if self._require_v0 and properties.version != 0:
            raise StorageError(
                f"Found unexpected version in {path}. ZK-based brokers that are not migrating only support version 0 "
                "(which is implicit when the `version` field is missing)."
            )
        if properties.version == 1 and properties.cluster_id is None:
            raise StorageError(f"cluster.id was not specified in the v1 file: {path}")
        if properties.version >= 1 and properties.node_id is None:
            raise StorageError(f"node.id was not specified in {path}")

    def _check_cluster_id(self, path: str, properties: MetaProperties) -> None:
        if properties.cluster_id is None:
            return
        if self._cluster_id is None:
            self._cluster_id, self._cluster_id_from = properties.cluster_id, path
        elif properties.cluster_id != self._cluster_id:
            raise StorageError(
                f"Invalid cluster.id in: {path}. Expected {self._cluster_id}, but read {properties.cluster_id}. "
                f"({self._cluster_id} is from {self._cluster_id_from}.) These are two clusters: point the node at the "
                "directories of one of them."
            )

    def _check_node_id(self, path: str, properties: MetaProperties) -> None:
        if properties.node_id is None:
            return
        if self._node_id is None:
            self._node_id = properties.node_id
        elif properties.node_id != self._node_id:
            raise StorageError(
                f"Stored node id {properties.node_id} doesn't match previous node id {self._node_id} in {path}. If you "
                "moved your data, make sure your configured node id matches. If you intend to create a new node, you "
                "should remove all data in your data directories."
            )

    def _check_directory_id(self, directory: str, path: str, properties: MetaProperties) -> None:
        directory_id = properties.directory_id
        if directory_id is None:
            return
        text = uuid_to_text(directory_id)
        if is_reserved_uuid(directory_id):
            raise StorageError(
                f"Invalid reserved directory ID {text} found in {path}. Remove the line to get a new one."
            )
        if directory_id in self._directory_of:
            raise StorageError(
                f"Duplicate directory ID {text} found. It was the ID of {self._directory_of[directory_id]}, but also "
                f"of {directory}. A directory was copied: remove directory.id from the copy's meta.properties."
            )
        self._directory_of[directory_id] = directory


def check_metadata_placement(fs: FileSystem, directories: Sequence[str], metadata_directory: str) -> None:
    """Check that only the metadata directory holds a metadata log.

    Raises:
        StorageError: another one does.
    """
    for directory in directories:
        if directory != metadata_directory and fs.is_directory(join(directory, METADATA_DIRECTORY)):
            raise StorageError(
                f"Found unexpected metadata location in data directory {directory}: it holds {METADATA_DIRECTORY}, but "
                f"metadata.log.dir is {metadata_directory}. Move the log there, or configure where it is."
            )
