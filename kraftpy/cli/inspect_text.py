"""How ``kraftpy inspect`` shows what it found: one value for scripts, paragraphs of text."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from kraftpy.cli.feature_text import level_text
from kraftpy.cli.inspect_state import DirectoryContents, Inspection
from kraftpy.cli.output import aligned
from kraftpy.model.election import ElectionState
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.ids import uuid_to_text
from kraftpy.model.voters import VoterSet
from kraftpy.storage.inspection import SegmentReport
from kraftpy.storage.meta_properties import MetaProperties

_COUNTED = (
    ("topics", "topic"), ("partitions", "partition"), ("configs", "config"), ("unknownRecords", "unknown record"),
)  # fmt: skip


def as_json(found: Inspection) -> dict[str, Any]:
    """Show everything as one value."""
    report, state = found.report, found.state
    return {
        "directory": report.path,
        "metaProperties": _properties(found.meta_properties),
        "bootstrapCheckpoint": found.has_bootstrap,
        "quorumState": _election(report.election),
        "kraftVersion": state.kraft_version,
        "voters": _voters(state.voters),
        "electedBy": list(state.elected_by),
        "logStartOffset": report.segments[0].base_offset if report.segments else None,
        "logEndOffset": report.segments[-1].end_offset if report.segments else None,
        "recoveryPoint": report.recovery_point if report.unknown_end is None else None,
        "epochs": [{"epoch": epoch, "startOffset": start} for epoch, start in report.epochs],
        "segments": [_segment(segment) for segment in report.segments],
        "snapshots": [
            {
                "file": Path(snapshot.path).name,
                "endOffset": snapshot.snapshot_id.offset,
                "epoch": snapshot.snapshot_id.epoch,
                "records": snapshot.records,
                "bytes": snapshot.file_bytes,
                "stateDigest": snapshot.digest,
                "sound": snapshot.corruption is None,
            }
            for snapshot in report.snapshots
        ],
        "image": _image(state),
        "records": dict(sorted(state.counts.items())),
        "notes": list(found.notes),
        "corruption": [{"file": one.file, "position": one.position, "reason": one.reason} for one in found.corruption],
    }


def _properties(properties: MetaProperties | None) -> dict[str, Any] | None:
    if properties is None:
        return None
    directory_id = properties.directory_id
    return {
        "version": properties.version,
        "cluster.id": properties.cluster_id,
        "node.id": properties.node_id,
        "directory.id": None if directory_id is None else uuid_to_text(directory_id),
    }


def _election(election: ElectionState | None) -> dict[str, Any] | None:
    if election is None:
        return None
    voted = None if election.voted_key is None else str(election.voted_key)
    return {"epoch": election.epoch, "leaderId": election.leader_id, "voted": voted}


def _voters(voters: VoterSet | None) -> list[dict[str, Any]] | None:
    if voters is None:
        return None
    return [
        {
            "id": voter.key.node_id,
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
        "batches": segment.batches,
        "bytes": segment.valid_bytes,
        "bytesAfter": segment.file_bytes - segment.valid_bytes,
        "sound": segment.corruption is None,
    }


def _image(state: DirectoryContents) -> dict[str, Any]:
    image = state.image
    brokers = image.cluster.brokers
    return {
        "offset": image.provenance.offset,
        "epoch": image.provenance.epoch,
        "clusterId": image.cluster_id.value,
        "features": {name: image.features.levels[name] for name in sorted(image.features.levels)},
        "brokers": sorted(brokers),
        "fencedBrokers": sorted(node_id for node_id, broker in brokers.items() if broker.fenced),
        "controllers": sorted(image.cluster.controllers),
        "topics": len(image.topics.by_id),
        "partitions": sum(len(topic.partitions) for topic in image.topics.by_id.values()),
        "configs": sum(len(image.configs.of(*resource)) for resource in image.configs.resources()),
        "unknownRecords": image.unknown.count,
        "transactionOpen": state.loader.in_transaction,
    }


def as_lines(found: Inspection) -> list[str]:
    """Lay everything out as text."""
    data = as_json(found)
    lines = aligned(("", ""), _facts(data))[1:]
    for title, columns, key in (
        ("Segments", ("file", "baseOffset", "endOffset", "batches", "bytes", "bytesAfter"), "segments"),
        ("Snapshots", ("file", "endOffset", "epoch", "records", "bytes"), "snapshots"),
    ):
        if data[key]:
            lines += [
                "",
                f"{title}:",
                *_indented(aligned(columns, ([row[each] for each in columns] for row in data[key]))),
            ]
    if data["records"]:
        lines += [
            "",
            "Records (newest snapshot, and the log after it):",
            *_indented(aligned(("type", "count"), data["records"].items())),
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


def _facts(data: Mapping[str, Any]) -> list[tuple[str, str]]:
    image = data["image"]
    properties, election = data["metaProperties"], data["quorumState"]
    shown = {key: value for key, value in (properties or {}).items() if value is not None}
    return [
        ("Directory:", data["directory"]),
        ("meta.properties:", ", ".join(f"{key}={value}" for key, value in shown.items()) or "(none)"),
        ("quorum-state:", _election_text(election)),
        ("kraft.version:", str(data["kraftVersion"])),
        ("Voters:", _voters_text(data["voters"], data["electedBy"])),
        ("Log:", _log_text(data)),
        ("Epochs:", ", ".join(f"{one['epoch']} from {one['startOffset']}" for one in data["epochs"]) or "(none)"),
        ("State at:", _state_text(image)),
        ("Cluster id:", _cluster_text(image["clusterId"], properties)),
        ("Features:", _features(image["features"])),
        ("Brokers:", f"{_ids(image['brokers'])}; fenced: {_ids(image['fencedBrokers'])}"),
        ("Controllers:", _ids(image["controllers"])),
        ("Contents:", _contents(image)),
    ]  # fmt: skip


def _log_text(data: Mapping[str, Any]) -> str:
    point = data["recoveryPoint"]
    known = "(unusable)" if point is None else point or "not noted (kraftpy notes one, Kafka does not)"
    if data["logStartOffset"] is None:
        return f"no segment; recovery point {known}"
    return f"offsets [{data['logStartOffset']}, {data['logEndOffset']}), recovery point {known}"


def _state_text(image: Mapping[str, Any]) -> str:
    if image["offset"] < 0:
        return "nothing: no record could be loaded"
    return f"offset {image['offset']}, epoch {image['epoch']} (the end may not be committed)"


def _cluster_text(in_log: str | None, properties: Mapping[str, Any] | None) -> str:
    stated = (properties or {}).get("cluster.id")
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


def _election_text(election: Mapping[str, Any] | None) -> str:
    if election is None:
        return "(unreadable)"
    leader = "unknown" if election["leaderId"] is None else election["leaderId"]
    voted = "none" if election["voted"] is None else election["voted"]
    return f"epoch {election['epoch']}, leader {leader}, voted for {voted}"


def _voters_text(voters: list[dict[str, Any]] | None, elected_by: list[int]) -> str:
    if voters is None and elected_by:
        return f"{_ids(elected_by)} (static: as the last election lists them; addresses are in the configurations)"
    if voters is None:
        return "(unknown: no record names them; a static quorum has them in its configurations)"
    return ", ".join(f"{one['id']}@{one['directoryId']} {' '.join(one['endpoints'])}" for one in voters)
