"""``meta.properties``: whose directory this is.

One value per file, in three versions. Version 0 (no ``version`` key) calls the node id ``broker.id`` and requires
nothing; version 1 requires ``cluster.id`` and ``node.id``; version 2 (KIP-1262) lets ``cluster.id`` be absent until the
node has learnt it from the log. Keys that are not known are kept.

A file that kraftpy wrote states its own checksum in comments (:mod:`kraftpy.storage.checksummed_properties`). A file
without them (Kafka's, or one that an operator wrote) is accepted.

Source: on-disk formats §8.5; broker-and-publishing B6; KIP-1262; KIP-858.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.errors import MalformedError
from kraftpy.model.ids import NodeId, Uuid, uuid_from_text, uuid_to_text
from kraftpy.records.properties import parse_properties, render_properties
from kraftpy.storage.atomic_file import replace_file
from kraftpy.storage.checksummed_properties import check_checksum, with_checksum
from kraftpy.storage.filesystem import FileSystem, join, read_file
from kraftpy.storage.names import META_PROPERTIES

VERSION_KEY = "version"
CLUSTER_ID_KEY = "cluster.id"
NODE_ID_KEY = "node.id"
BROKER_ID_KEY = "broker.id"
DIRECTORY_ID_KEY = "directory.id"

NODE_ID_MAX = 2**31 - 1


@dataclass(frozen=True, slots=True, kw_only=True)
class MetaProperties:
    """The content of one file.

    Attributes:
        version: 0, 1 or 2.
        cluster_id: the cluster it belongs to, ``None`` when not (yet) known.
        node_id: the node it belongs to.
        directory_id: the id of this very directory.
        extra: other keys with their values, ascending.
    """

    version: int = 2
    cluster_id: str | None = None
    node_id: NodeId | None = None
    directory_id: Uuid | None = None
    extra: tuple[tuple[str, str], ...] = ()

    def with_cluster_id(self, cluster_id: str) -> MetaProperties:
        """Return the same with a cluster id; the version stays."""
        return replace(self, cluster_id=cluster_id)

    def with_directory_id(self, directory_id: Uuid) -> MetaProperties:
        """Return the same with a directory id."""
        return replace(self, directory_id=directory_id)


def parse_meta_properties(text: str) -> MetaProperties:
    """Read the file's text.

    Raises:
        MalformedError: a version, node id or directory id is not what it should be.
    """
    found = parse_properties(text)
    version = _parse_version(found.pop(VERSION_KEY, None))
    node_key = BROKER_ID_KEY if version == 0 else NODE_ID_KEY
    return MetaProperties(
        version=version,
        cluster_id=found.pop(CLUSTER_ID_KEY, None) or None,
        node_id=_parse_node_id(node_key, found.pop(node_key, None)),
        directory_id=_parse_directory_id(found.pop(DIRECTORY_ID_KEY, None)),
        extra=tuple(sorted(found.items())),
    )


def _parse_version(text: str | None) -> int:
    if text is None:
        return 0
    if text.strip() in {"0", "1", "2"}:
        return int(text.strip())
    if text.strip().isdigit():
        raise MalformedError(f"Unknown meta.properties version number {text.strip()}; 0, 1 and 2 are known")
    raise MalformedError(f"Invalid meta.properties version string '{text}'")


def _parse_node_id(key: str, text: str | None) -> NodeId | None:
    if text is None:
        return None
    node_id = number_from_text(text.strip(), NODE_ID_MAX)
    if node_id is None:
        raise MalformedError(f"Unable to read {key} as a base-10 number from 0 to {NODE_ID_MAX}: {text!r:.200}")
    return node_id


def _parse_directory_id(text: str | None) -> Uuid | None:
    if text is None:
        return None
    try:
        return uuid_from_text(text.strip())
    except ValueError as error:
        raise MalformedError(f"Unable to read {DIRECTORY_ID_KEY} as a Uuid: {error}") from error


def render_meta_properties(properties: MetaProperties) -> str:
    """Write the file's text, keys ascending."""
    found = dict(properties.extra)
    if properties.version:
        found[VERSION_KEY] = str(properties.version)
    if properties.cluster_id is not None:
        found[CLUSTER_ID_KEY] = properties.cluster_id
    if properties.node_id is not None:
        found[NODE_ID_KEY if properties.version else BROKER_ID_KEY] = str(properties.node_id)
    if properties.directory_id is not None:
        found[DIRECTORY_ID_KEY] = uuid_to_text(properties.directory_id)
    return render_properties(dict(sorted(found.items())), comment="")


def meta_properties_path(directory: str) -> str:
    """Return where a directory's file is."""
    return join(directory, META_PROPERTIES)


def read_meta_properties(fs: FileSystem, directory: str) -> MetaProperties | None:
    """Read a directory's file, ``None`` when the file or the directory is missing.

    Raises:
        OSError: it cannot be read.
        MalformedError: it cannot be understood.
    """
    path = meta_properties_path(directory)
    if not fs.exists(path):
        return None
    content = read_file(fs, path)
    check_checksum(content)
    # Java reads properties as Latin-1, and what we write is ASCII.
    properties = parse_meta_properties(content.decode("latin-1"))
    _check_names_the_node(properties)
    return properties


def _check_names_the_node(properties: MetaProperties) -> None:
    """Refuse another file's content: it would be taken for one of version 0, and the directory would get a new id."""
    who = (properties.node_id, properties.directory_id, properties.cluster_id)
    if properties.extra and who == (None, None, None):
        keys = ", ".join(key for key, _ in properties.extra)
        raise MalformedError(
            f"it names no node, directory or cluster, but {keys!r:.200}: it is corrupt, or another file was put in its "
            "place"
        )


def write_meta_properties(fs: FileSystem, directory: str, properties: MetaProperties) -> None:
    """Replace a directory's file, durably.

    Raises:
        StorageError: the write failed; the file has the old or the new content.
    """
    replace_file(fs, meta_properties_path(directory), with_checksum(render_meta_properties(properties)))
