"""What each command prints with ``-o json``, ``jsonl`` and ``yaml``: the names of ``json_fields``, in their order.

A member is a name; with ``?`` its value may be null; with members of its own, (name, member, ...), it is an object or a
list of objects. A command with several forms has an output for each, named with the options that choose it. Formats
of Kafka's own are as Kafka has them: their schemas are :data:`KAFKAS`.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

Member: TypeAlias = "str | tuple[Any, ...]"
Members: TypeAlias = tuple[Member, ...]


class OutputForm(enum.Enum):
    """What is at the top."""

    OBJECT = "one object"
    LIST = "a list of objects"
    TEXTS = "a list of strings"
    LINES = "an object per line, also with json"
    JSONL_LINES = "an object per line, only with jsonl"
    KAFKAS = "Kafka's format"


@dataclass(frozen=True, slots=True)
class JsonOutput:
    """One output.

    Attributes:
        name: the command, and the options that choose this form.
        shapes: the members of the object, or of each object; more than one where objects differ.
    """

    name: str
    form: OutputForm
    shapes: tuple[Members, ...]

    @property
    def command(self) -> str:
        """The words before the first option."""
        return self.name.partition(" -")[0]


_TOPIC_PARTITION: Final = ("topic", "partition")
_CORRUPTION: Final = ("corruption", "file", "position?", "reason")
_VOTER: Final = ("nodeId", "directoryId?", "endpoints")
_META_PROPERTIES: Final = ("metaProperties?", "version?", "clusterId?", "nodeId?", "directoryId?")
_ACL: Final = ("resourceType", "resourceName", "patternType", "principal", "host", "operation", "permissionType")
_TOKEN: Final = (
    "tokenId?", "owner", "requester", "renewers", "issueTimestamp", "issueTime?", "expirationTimestamp",
    "expirationTime?", "maxTimestamp", "maxTime?",
)  # fmt: skip
_EXPIRATION: Final = ("expirationTimestamp", "expirationTime?", "dryRun")
_CHANGE: Final = ("change", "entityKind", "entity", "before?", "after?")
_LABELS: Final = ("cluster?", "node", "nodeId?")
_AUDIT_FINDING: Final = (
    "rule", "severity", "cluster?", "node?", "nodeId?", "file?", "offset?", "message", "fix", "evidence",
)  # fmt: skip
_FINDING: Final = ("severity", "message", "fix?")
_OUTCOME: Final = (*_TOPIC_PARTITION, "error?", "errorMessage?")
_TOPIC_OUTCOME: Final = (
    "topic?", "topicId?", "error?", "errorMessage?", "partitionCount?", "replicationFactor?",
    ("plan?", "placer?", "seed?", ("partitions", "partition", "replicas", "reasons")),
)  # fmt: skip
_ONGOING: Final = (*_TOPIC_PARTITION, "replicas", "addingReplicas", "removingReplicas")
_MOVED: Final = ("topic", "partition", "state", "replicas?")
_THROTTLES_REMOVED: Final = ("throttlesRemoved", "brokerIds", "topics")
_BROKER_LOAD: Final = ("brokers", "brokerId", "replicasBefore", "replicasAfter", "leadersBefore", "leadersAfter")
_FEATURE_CHANGE: Final = ("feature", "level", "error?", "errorMessage?")
_CREATED: Final = ("createTimestamp", "createTime?")
_FILE: Final = ("file", "fileKind", "startOffset?", "endOffset?", "leaderEpoch?")
_BATCH: Final = (
    "baseOffset", "lastOffset", "recordCount", "leaderEpoch", "isControl", "position", *_CREATED, "bytes", "crc",
    "isValid", "fault?",
)  # fmt: skip
_RECORD: Final = ("offset", *_CREATED, "type?", "version?", "controlType?", "data?", "fault?")
_ENDING: Final = ("validBytes", "invalidBytes", "zeroBytes")
_AUTHOR: Final = ("author?", "principal?", "clientId?", "requestId?", "correlationId?", "fault?")
_STREAMED: Final = ("offset?", "snapshotEndOffset?", "leaderEpoch", "type", "version?", _AUTHOR, "data?")
_MIGRATED: Final = ("clusterId", "steps", "finished")
_UNREPLAYABLE: Final = (
    "directory", "offset?", "appliedOffset?", "recordKind?", "reason?", "segmentFile?", "position?", "noOpOffsets",
    "nextOffset?", "nextReason?", "digest?",
)  # fmt: skip
_ROLLED: Final = ("nodes", "nodeId", "roles", "host?", "rack?", "reason")
_ROLL: Final = ("clusterId?", "madeTimestamp", "madeTime?", "leaderId?", "allowUnavailable")
_NEXT_RESTART: Final = ("nextRestart", "nodeId?", "okToStop", "newLeaderId?", "reasons")
_MANIFEST: Final = (
    "kraftpyVersion", "madeTimestamp", "madeTime?", ("members", "name", "bytes"), ("redacted", "member", "keyCount"),
    ("leftOut", "part", "reason", "wasAskedFor"),
)  # fmt: skip


_REFUSED: Final = ("accepted", "dryRun", "reason")
"""What a dry run prints if the change would be refused: this object, or a list of it alone."""


def _object(name: str, *members: Member) -> JsonOutput:
    return JsonOutput(name, OutputForm.OBJECT, (members,))


def _list(name: str, *members: Member) -> JsonOutput:
    return JsonOutput(name, OutputForm.LIST, (members,))


def _dry(output: JsonOutput) -> JsonOutput:
    """Add what the command prints if its dry run is refused."""
    return replace(output, shapes=(*output.shapes, _REFUSED))


OUTPUTS: Final = (
    _object(
        "--version", "kraftpyVersion", "commit?", "compiledModuleCount", "minMetadataVersion", "maxMetadataVersion",
        "maxProductionMetadataVersion", "kafkaVersion",
        ("schemaSets", "schemaSet", "minMetadataVersion", "maxMetadataVersion"),
    ),
    _dry(_list("acls add", *_ACL)),
    _list("acls list", *_ACL),
    _dry(_list("acls remove", *_ACL)),
    _object(
        "audit", "engine", "fileCount", "bytes", "ruleCount", "untilTimestamp?", "untilTime?",
        ("states", *_LABELS, "snapshotFile?", "startOffset", "endOffset"), "findingCounts",
        ("findings", *_AUDIT_FINDING),
        ("growth", "recordCount", "noOpShare",
         ("byHour", "cluster?", "hourTimestamp", "hourTime?", "type", "recordCount", "bytes"),
         ("byType", "cluster?", "type", "recordCount", "bytes"),
         ("byEntity", "cluster?", "entityKind", "entity", "recordCount", "bytes"),
         ("byPrincipal", "cluster?", "principal", "recordCount", "bytes"),
         ("byAuthor", "cluster?", "principal?", "recordCount", "bytes")),
    ),
    JsonOutput("audit -o jsonl", OutputForm.JSONL_LINES, (_AUDIT_FINDING,)),
    _list("audit --list-rules", "rule", "severity", "title", "fix", "evidenceNames"),
    _object(
        "backup", "file", "bytes", "digest", "clusterId?", "nodeId?", "directoryId?", "metaPropertiesVersion",
        "endOffset", "leaderEpoch", "highestLeaderEpoch", "committedOffset", "isFromRunningNode", "kraftVersion",
        "lastTimestamp?", "lastTime?", ("leaderEpochs", "leaderEpoch", "startOffset"),
    ),
    _dry(_object("broker-ids delete", "host", "brokerId?", "dryRun")),
    _list("broker-ids list", "host", "brokerId", "state"),
    _dry(_object("broker-ids set", "host", "brokerId?", "dryRun")),
    _object("cluster cluster-id", "clusterId"),
    _object(
        "cluster describe", "clusterId?", "leaderId?",
        ("brokers", "brokerId", "brokerEpoch", "incarnationId", "rack?", "state", "lag?", "lastFetchAgeMs?",
         "inControlledShutdown", "endpoints", "directoryIds", "cordonedDirectoryIds", "saturatedDirectoryIds"),
        ("controllers", "controllerId", "incarnationId", "state", "lag?", "lastFetchAgeMs?", "endpoints"),
    ),
    _object(
        "cluster ok-to-stop", "nodeId", "okToStop", "reason",
        ("brokerStop?", "replicaCount", "leaderCount", ("wouldBeOffline", *_TOPIC_PARTITION),
         ("wouldBeUnderMinIsr", *_TOPIC_PARTITION), ("offline", *_TOPIC_PARTITION)),
    ),
    _object("cluster start", "endOffset", "nodeIds"),
    _object("cluster stop", "endOffset", "leaderEpoch", "nodeIds", "recordFile"),
    _dry(_object("cluster unregister", "brokerId", "dryRun")),
    _dry(_object("cluster unregister-controller", "controllerId", "dryRun")),
    _object("compact", "file", *_LABELS, "endOffset", "leaderEpoch", "recordCount", "bytes", "engine"),
    _object("completion install", "shell", "script", "startupFile?", "startupFileChanged"),
    _object("config check", "files", "errorCount", ("findings", *_FINDING, "files")),
    _object("config generate", "files"),
    _dry(_object("configs alter", "entityType", "entityName?", "configNames", "dryRun")),
    _dry(_object("configs alter --user", "quotaEntity", "configNames", "dryRun")),
    _list("configs describe", "entityType", "entityName?", "configs"),
    _list(
        "configs describe --all", "entityType", "entityName?",
        ("configEntries", "name", "value?", "isSensitive", "source", ("synonyms", "source", "name", "value?")),
    ),
    _list("configs describe --user", "quotaEntity", "quotas", ("scramCredentials", "mechanism", "iterations")),
    _dry(_object("delegation-tokens create", *_TOKEN, "hmac?", "dryRun")),
    _dry(_object("delegation-tokens expire", *_EXPIRATION)),
    _list("delegation-tokens list", *_TOKEN),
    _dry(_object("delegation-tokens renew", *_EXPIRATION)),
    _list("diff", "cluster?", *_CHANGE),
    _object(
        "doctor", "clusterId?", "upgradeTo?", "checkCount", "errorCount", "warningCount", "infoCount",
        ("findings", "check", "severity", "place", "message", "fix"), ("skipped", "check", "reason"),
    ),
    _list("dump-log", *_FILE, ("batches", *_BATCH, ("records", *_RECORD)), _CORRUPTION, *_ENDING),
    JsonOutput(
        "dump-log -o jsonl", OutputForm.JSONL_LINES,
        (("kind", *_FILE), ("kind", *_BATCH), ("kind", *_RECORD), ("kind", *_CORRUPTION[1:]), ("kind", *_ENDING)),
    ),
    _list(
        "features describe", "feature", "supportedMinVersion?", "supportedMaxVersion?", "finalizedVersionLevel",
        "finalizedFeaturesEpoch?",
    ),
    _dry(_list("features disable", *_FEATURE_CHANGE)),
    _dry(_list("features downgrade", *_FEATURE_CHANGE)),
    _dry(_list("features upgrade", *_FEATURE_CHANGE)),
    _list(
        "history", *_LABELS, "file", "fileKind", "offset", "leaderEpoch", *_CREATED, "type", _AUTHOR,
        ("changes", *_CHANGE), "problem?",
    ),
    _object(
        "inspect", "directory", _META_PROPERTIES, "hasBootstrapCheckpoint",
        ("quorumState?", "leaderEpoch", "leaderId?", "votedId?", "votedDirectoryId?"), "kraftVersion",
        ("voters?", *_VOTER), "electedByIds", "logStartOffset?", "logEndOffset?", "recoveryPoint?",
        ("leaderEpochs", "leaderEpoch", "startOffset"),
        ("segments", "file", "baseOffset", "endOffset", "batchCount", "validBytes", "invalidBytes", "isSound"),
        ("snapshots", "file", "endOffset", "leaderEpoch", "recordCount", "bytes", "stateDigest?", "isSound"),
        ("image", "offset?", "leaderEpoch?", "clusterId?", "featureLevels", "brokerIds", "fencedBrokerIds",
         "controllerIds", "topicCount", "partitionCount", "configCount", "unknownRecordCount", "isTransactionOpen"),
        "recordCounts", "notes", _CORRUPTION,
    ),
    _dry(_list("leader-election", *_OUTCOME)),
    JsonOutput("log-dirs", OutputForm.KAFKAS, ()),
    _dry(_object("metadata-quorum add-controller", "controllerId", "directoryId?", "endpoints", "dryRun", "reason?")),
    _list(
        "metadata-quorum describe --replication", "nodeId", "directoryId?", "logEndOffset?", "lag?",
        "lastFetchTimestamp?", "lastFetchTime?", "lastCaughtUpTimestamp?", "lastCaughtUpTime?", "role",
    ),
    _object(
        "metadata-quorum describe --status", "clusterId?", "leaderId?", "leaderEpoch", "highWatermark?",
        "maxFollowerLag?", "maxFollowerLagTimeMs?", ("voters", *_VOTER), ("observers", *_VOTER),
    ),
    _object("metadata-quorum ok-to-stop", "nodeId", "okToStop", "reason"),
    _dry(_object("metadata-quorum remove-controller", "controllerId", "directoryId?", "dryRun", "reason?")),
    _dry(_object("metadata-quorum transfer-leader", "leaderId", "leaderEpoch", "dryRun")),
    _object("migrate back", *_MIGRATED),
    _object(
        "migrate plan", "clusterId?", "leavingIds", "joiningIds", "brokerIds", ("findings", *_FINDING), "planFile?",
    ),
    _object("migrate run", *_MIGRATED),
    _object(
        "migrate status", "clusterId", "leaderId?", ("controllers", "controllerId", "voterGroup", "lag?", "state"),
        "brokerIds", "nextStep",
    ),
    JsonOutput("observe", OutputForm.LINES, (_STREAMED,)),
    _object(
        "quickstart --once", "ready", "durationMs", "clusterId?", "leaderId?", "leaderEpoch?", "highWatermark?",
        "metadataVersion?", "bootstrapControllers", "kafkaBootstrapControllers", "bootstrapServers?",
        ("nodes", "node", "nodeId", "nodeKind", "state", "grpcEndpoint?", "kafkaEndpoint", "clusterIds"),
        ("incidents", "node", "message"),
    ),
    _dry(_object("reassign apply", "currentAssignment", "proposedAssignment", "throttleBytes?", "dryRun")),
    _object("reassign cancel", ("cancelled", *_TOPIC_PARTITION), _THROTTLES_REMOVED),
    _object("reassign plan", "currentAssignment", "proposedAssignment", "movedReplicaCount", _BROKER_LOAD),
    _object("reassign status", ("ongoing", *_ONGOING), ("partitions", *_MOVED), _THROTTLES_REMOVED),
    _list("reassign-partitions --cancel", *_TOPIC_PARTITION),
    _dry(_object(
        "reassign-partitions --execute", "currentAssignment", "proposedAssignment", "throttleBytes?", "dryRun",
    )),
    _object(
        "reassign-partitions --generate", "currentAssignment", "proposedAssignment", "movedReplicaCount", _BROKER_LOAD,
    ),
    _list("reassign-partitions --list", *_ONGOING),
    _list("reassign-partitions --verify", *_MOVED),
    _object("recover apply", "directories", "digest"),
    _object(
        "recover plan", "planFile", "digest", "clusterId?", "kraftVersion",
        ("survivors", "nodeId?", "directory", "directoryId?", "leaderEpoch", "logStartOffset", "logEndOffset",
         "storedEpoch", "votedId?", "committedOffset", "equalOffset", "lackedRecordCount", "truncatedRecordCount",
         "problems", "incomplete?", "notes"),
        ("longestLog", "nodeId?", "directory"), "oldVoterIds?", "missingVoterIds", "incompleteVoterIds",
        ("loss", "keptOffset", "committedOffset", "lostOffset", "mayLoseAcknowledged", "text"), "recoveryEpoch",
        ("voters", *_VOTER), "controllerQuorumVoters?", "directories", "guarantees",
    ),
    _list("recover undo", "directory", "undone?"),
    _list("repair show", *_UNREPLAYABLE),
    _list("repair skip", *_UNREPLAYABLE),
    _object(
        "restore", "directory", "clusterId?", "nodeId", "endOffset", "committedOffset", "leaderEpoch", "kraftVersion",
        "controllerQuorumVoters?", "digest", "dryRun",
    ),
    _object("roll plan", *_ROLL, _ROLLED, ("obstacles", "message", "fix"), "planFile?"),
    _object("roll run", "clusterId?", "restartedIds", "finished", "steps"),
    _object("roll run --dry-run", "clusterId?", ("commands", "nodeId", "command"), _NEXT_RESTART),
    _object("roll status", *_ROLL, (*_ROLLED, "state"), "restartedCount", "finished", _NEXT_RESTART),
    _list("storage feature-dependencies", "feature", "level", "requires"),
    _object("storage format", "formatted", "messages"),
    _object("storage info", "directories", _META_PROPERTIES, "problems"),
    _object("storage probe", "directory", "syncCount", "p50Ms", "p99Ms", "maxMs", "p99LimitMs", "verdict"),
    _object("storage random-uuid", "uuid"),
    _object("storage version-mapping", "featureLevels"),
    _object("support-bundle", "file", "bytes", *_MANIFEST),
    _dry(_object("topics alter", *_TOPIC_OUTCOME)),
    _dry(_object("topics create", *_TOPIC_OUTCOME)),
    _dry(_list("topics delete", *_TOPIC_OUTCOME)),
    _list(
        "topics describe", "topic", "topicId", "partitionCount", "replicationFactor", "configs",
        ("partitions", "partition", "leaderId?", "leaderEpoch", "partitionEpoch", "replicas", "isr", "elr",
         "lastKnownElr", "addingReplicas", "removingReplicas", "directoryIds", "recovering", "health"),
    ),
    JsonOutput("topics list", OutputForm.TEXTS, ()),
    JsonOutput("watch", OutputForm.LINES, (_STREAMED,)),
)  # fmt: skip
"""Every output, by its name."""

_ASSIGNMENT: Final[dict[str, Any]] = {
    "type": "object",
    "properties": {
        "version": {"const": 1},
        "partitions": {
            "type": "array",
            "items": {
                "type": "object",
                "properties": {
                    "topic": {"type": "string"},
                    "partition": {"type": "integer"},
                    "replicas": {"type": "array", "items": {"type": "integer"}},
                    "log_dirs": {"type": "array", "items": {"type": "string"}},
                },
                "required": ["topic", "partition", "replicas"],
                "additionalProperties": False,
            },
        },
    },
    "required": ["version", "partitions"],
    "additionalProperties": False,
}

KAFKAS: Final[dict[str, dict[str, Any]]] = {
    "currentAssignment": _ASSIGNMENT,
    "proposedAssignment": _ASSIGNMENT,
    "log-dirs": {
        "type": "object",
        "properties": {
            "version": {"const": 1},
            "brokers": {
                "type": "array",
                "items": {
                    "type": "object",
                    "properties": {
                        "broker": {"type": "integer"},
                        "logDirs": {
                            "type": "array",
                            "items": {
                                "type": "object",
                                "properties": {
                                    "logDir": {"type": "string"},
                                    "error": {"type": ["string", "null"]},
                                    "partitions": {"type": "array"},
                                    "directoryId": {"type": ["string", "null"]},
                                    "state": {"type": "string"},
                                    "reason": {"type": ["string", "null"]},
                                    "cordoned": {"type": "boolean"},
                                    "totalBytes": {"type": ["integer", "null"]},
                                    "usableBytes": {"type": ["integer", "null"]},
                                    "reserveBytes": {"type": ["integer", "null"]},
                                },
                                "required": ["logDir", "error", "partitions"],
                                "additionalProperties": False,
                            },
                        },
                    },
                    "required": ["broker", "logDirs"],
                    "additionalProperties": False,
                },
            },
        },
        "required": ["version", "brokers"],
        "additionalProperties": False,
    },
}
"""Schemas of Kafka's formats: of fields, and of an output, by name."""
