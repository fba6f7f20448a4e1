"""How ``kraftpy inspect`` shows what it found: one value for scripts, paragraphs of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kraftpy.cli.feature_text import level_text
from kraftpy.cli.inspect_state import DirectoryContents, Inspection
from kraftpy.cli.output import aligned
from kraftpy.cli.storage_info import properties_json
from kraftpy.model.election import ElectionState
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import VoterSet
from kraftpy.storage.inspection import SegmentReport

_COUNTED = (
    ("topicCount", "topic"), ("partitionCount", "partition"), ("configCount", "config"),
    ("unknownRecordCount", "unknown record"),
)  # fmt: skip
_SEGMENT_COLUMNS = {
    "file": "file", "baseOffset": "baseOffset", "endOffset": "endOffset", "batches": "batchCount",
    "bytes": "validBytes", "bytesAfter": "invalidBytes",
}  # fmt: skip
_SNAPSHOT_COLUMNS = {
    "file": "file", "endOffset": "endOffset", "epoch": "leaderEpoch", "records": "recordCount", "bytes": "bytes",
}  # fmt: skip
"""The columns of the tables, and the names in JSON."""


def as_json(found: Inspection) -> dict[str, Any]:
    """Show everything as one value."""
    report, state = found.report, found.state
    return {
        "directory": report.path,
        "metaProperties": None if found.meta_properties is None else properties_json(found.meta_properties),
        "hasBootstrapCheckpoint": found.has_bootstrap,
        "quorumState": _election(report.election),
        "kraftVersion": state.kraft_version,
        "voters": _voters(state.voters),
        "electedByIds": list(state.elected_by),
        "logStartOffset": report.segments[0].base_offset if report.segments else None,
        "logEndOffset": report.segments[-1].end_offset if report.segments else None,
        "recoveryPoint": report.recovery_point if report.unknown_end is None else None,
        "leaderEpochs": [{"leaderEpoch": epoch, "startOffset": start} for epoch, start in report.epochs],
        "segments": [_segment(segment) for segment in report.segments],
        "snapshots": [
            {
                "file": Path(snapshot.path).name,
                "endOffset": snapshot.snapshot_id.offset,
                "leaderEpoch": snapshot.snapshot_id.epoch,
                "recordCount": snapshot.records,
                "bytes": snapshot.file_bytes,
                "stateDigest": snapshot.digest,
                "isSound": snapshot.corruption is None,
            }
            for snapshot in report.snapshots
        ],
        "image": _image(state),
        "recordCounts": dict(sorted(state.counts.items())),
        "notes": list(found.notes),
        "corruption": [{"file": one.file, "position": one.position, "reason": one.reason} for one in found.corruption],
    }


def _election(election: ElectionState | None) -> dict[str, Any] | None:
    if election is None:
        return None
    voted = election.voted_key
    directory_id = None if voted is None else voted.directory_id
    return {
        "leaderEpoch": election.epoch,
        "leaderId": election.leader_id,
        "votedId": None if voted is None else voted.node_id,
        "votedDirectoryId": None if directory_id is None else uuid_to_text(directory_id),
    }


def _voters(voters: VoterSet | None) -> list[dict[str, Any]] | None:
    if voters is None:
        return None
    return [
        {
            "nodeId": voter.key.node_id,
            "directoryId": None if voter.key.directory_id is None else uuid_to_text(voter.key.directory_id),
            "endpoints": [str(endpoint) for endpoint in voter.endpoints],
        }
        for voter in voters
    ]


def _segment(segment: SegmentReport) -> dict[str, Any]:
    return {
        "file": Path(segment.path).name,
        "baseOffset": segment.base_offset,
        "endOffset": segment.end_offset,
        "batchCount": segment.batches,
        "validBytes": segment.valid_bytes,
        "invalidBytes": segment.file_bytes - segment.valid_bytes,
        "isSound": segment.corruption is None,
    }


def _image(state: DirectoryContents) -> dict[str, Any]:
    image = state.image
    brokers = image.cluster.brokers
    is_empty = image.provenance.offset < 0
    return {
        "offset": None if is_empty else image.provenance.offset,
        "leaderEpoch": None if is_empty else image.provenance.epoch,
        "clusterId": image.cluster_id.value,
        "featureLevels": {name: image.features.levels[name] for name in sorted(image.features.levels)},
        "brokerIds": sorted(brokers),
        "fencedBrokerIds": sorted(node_id for node_id, broker in brokers.items() if broker.fenced),
        "controllerIds": sorted(image.cluster.controllers),
        "topicCount": len(image.topics.by_id),
        "partitionCount": sum(len(topic.partitions) for topic in image.topics.by_id.values()),
        "configCount": sum(len(image.configs.of(*resource)) for resource in image.configs.resources()),
        "unknownRecordCount": image.unknown.count,
        "isTransactionOpen": state.loader.in_transaction,
    }


def as_lines(found: Inspection) -> list[str]:
    """Lay everything out as text."""
    data = as_json(found)
    lines = aligned(("", ""), _facts(data, found))[1:]
    for title, columns, key in (
        ("Segments", _SEGMENT_COLUMNS, "segments"),
        ("Snapshots", _SNAPSHOT_COLUMNS, "snapshots"),
    ):
        if data[key]:
            rows = ([row[name] for name in columns.values()] for row in data[key])
            lines += ["", f"{title}:", *_indented(aligned(list(columns), rows))]
    if data["recordCounts"]:
        lines += [
            "",
            "Records (newest snapshot, and the log after it):",
            *_indented(aligned(("type", "count"), data["recordCounts"].items())),
        ]
    if found.notes:
        lines += ["", "Notes:", *_indented(found.notes)]
    return (
        [*lines, "", "Corruption:", *_indented(map(str, found.corruption))]
        if found.corruption
        else [*lines, "", "No corruption."]
    )


def _indented(lines: Iterable[str]) -> list[str]:
    return [f"  {line}" for line in lines]


def _facts(data: Mapping[str, Any], found: Inspection) -> list[tuple[str, str]]:
    image, properties = data["image"], data["metaProperties"]
    return [
        ("Directory:", data["directory"]),
        ("meta.properties:", _properties_text(properties)),
        ("quorum-state:", _election_text(found.report.election)),
        ("kraft.version:", str(data["kraftVersion"])),
        ("Voters:", _voters_text(data["voters"], data["electedByIds"])),
        ("Log:", _log_text(data)),
        ("Epochs:", _epochs_text(data["leaderEpochs"])),
        ("State at:", _state_text(image)),
        ("Cluster id:", _cluster_text(image["clusterId"], properties)),
        ("Features:", _features(image["featureLevels"])),
        ("Brokers:", f"{_ids(image['brokerIds'])}; fenced: {_ids(image['fencedBrokerIds'])}"),
        ("Controllers:", _ids(image["controllerIds"])),
        ("Contents:", _contents(image)),
    ]  # fmt: skip


def _properties_text(properties: Mapping[str, Any] | None) -> str:
    words = {"version": "version", "cluster.id": "clusterId", "node.id": "nodeId", "directory.id": "directoryId"}
    shown = {key: (properties or {}).get(name) for key, name in words.items()}
    return ", ".join(f"{key}={value}" for key, value in shown.items() if value is not None) or "(none)"


def _epochs_text(epochs: list[dict[str, int]]) -> str:
    return ", ".join(f"{one['leaderEpoch']} from {one['startOffset']}" for one in epochs) or "(none)"


def _log_text(data: Mapping[str, Any]) -> str:
    point = data["recoveryPoint"]
    known = "(unusable)" if point is None else point or "not noted (kraftpy notes one, Kafka does not)"
    if data["logStartOffset"] is None:
        return f"no segment; recovery point {known}"
    return f"offsets [{data['logStartOffset']}, {data['logEndOffset']}), recovery point {known}"


def _state_text(image: Mapping[str, Any]) -> str:
    if image["offset"] is None:
        return "nothing: no record could be loaded"
    return f"offset {image['offset']}, epoch {image['leaderEpoch']} (the end may not be committed)"


def _cluster_text(in_log: str | None, properties: Mapping[str, Any] | None) -> str:
    stated = (properties or {}).get("clusterId")
    if in_log or not stated:
        return in_log or "(unknown: neither the log nor meta.properties names it)"
    return f"{stated} (meta.properties; no record names it)"


def _contents(image: Mapping[str, Any]) -> str:
    counted = (f"{image[key]} {name}{'' if image[key] == 1 else 's'}" for key, name in _COUNTED)
    return ", ".join(counted)


def _features(levels: Mapping[str, int]) -> str:
    return ", ".join(f"{name}={_level(name, level)}" for name, level in levels.items()) or "(none)"


def _level(name: str, level: int) -> str:
    return f"{level} ({level_text(name, level)})" if name == METADATA_VERSION else str(level)


def _ids(ids: list[int]) -> str:
    return ", ".join(map(str, ids)) or "none"


def _election_text(election: ElectionState | None) -> str:
    if election is None:
        return "(unreadable)"
    leader = "unknown" if election.leader_id is None else election.leader_id
    voted = "none" if election.voted_key is None else election.voted_key
    return f"epoch {election.epoch}, leader {leader}, voted for {voted}"


def _voters_text(voters: list[dict[str, Any]] | None, elected_by: list[int]) -> str:
    if voters is None and elected_by:
        return f"{_ids(elected_by)} (static: as the last election lists them; addresses are in the configurations)"
    if voters is None:
        return "(unknown: no record names them; a static quorum has them in its configurations)"
    return ", ".join(f"{one['nodeId']}@{one['directoryId']} {' '.join(one['endpoints'])}" for one in voters)
