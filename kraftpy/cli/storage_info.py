"""What ``storage info`` says about a node's directories.

A directory without ``meta.properties`` is listed as not formatted, as Kafka's tool does, although a node would start on
it; a version 2 file without cluster.id is no problem: the node learns the id from the log.

Source: Kafka ``StorageTool.infoCommand``; tools §1.2; KIP-1262.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from kraftpy.model.ids import uuid_to_text
from kraftpy.storage.ensemble import MetaPropertiesEnsemble
from kraftpy.storage.filesystem import FileSystem
from kraftpy.storage.meta_properties import MetaProperties, meta_properties_path

V0_FILES = (
    "The kafka configuration file appears to be for a cluster in KRaft mode, but the directories are formatted for "
    "legacy mode."
)


@dataclass(frozen=True, slots=True)
class StorageInfo:
    """What was found: the directories, the first readable file's content, and everything that is wrong."""

    directories: tuple[str, ...]
    properties: MetaProperties | None
    problems: tuple[str, ...]

    def as_json(self) -> dict[str, Any]:
        """Return it as plain values."""
        properties = None if self.properties is None else properties_json(self.properties)
        return {
            "directories": list(self.directories),
            "metaProperties": properties,
            "problems": list(self.problems),
        }

    def lines(self) -> list[str]:
        """Lay it out as Kafka's tool does."""
        if not self.directories:
            return ["No directories specified."]
        plural = "y" if len(self.directories) == 1 else "ies"
        lines = [f"Found log director{plural}:", *(f"  {directory}" for directory in self.directories), ""]
        if self.properties is not None:
            shown = ", ".join(f"{key}={value}" for key, value in sorted(property_texts(self.properties).items()))
            lines += [f"Found metadata: {{{shown}}}", ""]
        if self.problems:
            plural = "" if len(self.problems) == 1 else "s"
            lines += [f"Found problem{plural}:", *(f"  {problem}" for problem in self.problems), ""]
        return lines


def storage_info(fs: FileSystem, directories: tuple[str, ...]) -> StorageInfo:
    """Look at the directories; nothing is changed and nothing raised for what is found."""
    ensemble = MetaPropertiesEnsemble.load(fs, directories)
    problems = [problem for directory in directories if (problem := _problem(fs, ensemble, directory))]
    found = list(ensemble.found.values())
    if len({properties.cluster_id for properties in found} - {None}) > 1:
        problems.append("Mismatched cluster IDs between storage directories.")
    if len({properties.node_id for properties in found} - {None}) > 1:
        problems.append("Mismatched node IDs between storage directories.")
    if any(properties.version == 0 for properties in found):
        problems.append(V0_FILES)
    return StorageInfo(directories, found[0] if found else None, tuple(problems))


def _problem(fs: FileSystem, ensemble: MetaPropertiesEnsemble, directory: str) -> str | None:
    try:
        if not fs.exists(directory):
            return f"{directory} does not exist"
        if not fs.is_directory(directory):
            return f"{directory} is not a directory"
    except OSError as error:
        return f"Error loading {directory}: {error.strerror or error}"
    if directory in ensemble.errors:
        return f"Error loading {meta_properties_path(directory)}: {ensemble.errors[directory]}"
    return None if directory in ensemble.found else f"{directory} is not formatted."


def properties_json(properties: MetaProperties) -> dict[str, Any]:
    """Return the content of a meta.properties as plain values."""
    directory_id = properties.directory_id
    return {
        "version": properties.version,
        "clusterId": properties.cluster_id,
        "nodeId": properties.node_id,
        "directoryId": None if directory_id is None else uuid_to_text(directory_id),
    }


def property_texts(properties: MetaProperties) -> dict[str, str]:
    """Return the keys of a meta.properties with their values, as they are in the file."""
    keys = dict(properties.extra)
    if properties.version:
        keys["version"] = str(properties.version)
    if properties.cluster_id is not None:
        keys["cluster.id"] = properties.cluster_id
    if properties.node_id is not None:
        keys["node.id" if properties.version else "broker.id"] = str(properties.node_id)
    if properties.directory_id is not None:
        keys["directory.id"] = uuid_to_text(properties.directory_id)
    return keys
