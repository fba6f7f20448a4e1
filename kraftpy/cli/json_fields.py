"""The names in JSON and YAML: each name has one type and one meaning in all commands.

``json_outputs`` says which of them a command prints. Names are Kafka's where Kafka has one for the same thing, in
camelCase as its JSON; what is not known is null, and no name is left out.

* A time is two fields: ``<x>Timestamp`` in epoch milliseconds, ``<x>Time`` in ISO 8601. ``<x>Ms`` is a duration.
* A number of things is ``<thing>Count``. Bytes are ``bytes`` or ``<x>Bytes``.
* Ids are ``<thing>Id``, and several of them ``<thing>Ids``; uuids are Kafka's 22 letters.
"""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Final


class FieldType(enum.Enum):
    """What a field may hold; its value is how the documentation names it."""

    INTEGER = "integer"
    NUMBER = "number"
    TEXT = "string"
    BOOLEAN = "boolean"
    UUID = "uuid"
    TIMESTAMP = "epoch milliseconds"
    TIME = "ISO 8601, UTC"
    INTEGERS = "list of integers"
    TEXTS = "list of strings"
    UUIDS = "list of uuids"
    OBJECT = "object"
    OBJECTS = "list of objects"
    INTEGER_MAP = "object: integer by key"
    NUMBER_MAP = "object: number by key"
    TEXT_MAP = "object: string or null by key"
    UUID_MAP = "object: uuid by key"
    ANY = "any value"


@dataclass(frozen=True, slots=True)
class JsonFieldSpec:
    """One name: what it holds, and what it means."""

    type: FieldType
    meaning: str


def _of(kind: FieldType, fields: dict[str, str]) -> dict[str, JsonFieldSpec]:
    return {name: JsonFieldSpec(kind, meaning) for name, meaning in fields.items()}


_INTEGERS: Final = {
    "appliedOffset": "Every record below this offset can be applied.",
    "baseOffset": "The offset of the first record.",
    "batchCount": "Number of record batches.",
    "brokerEpoch": "The broker epoch: the offset of the broker's registration.",
    "brokerId": "Node id of a broker.",
    "bytes": "Size in bytes.",
    "checkCount": "Number of checks.",
    "committedOffset": "Every record below this offset is known to be committed.",
    "compiledModuleCount": "Number of modules of kraftpy that are compiled.",
    "configCount": "Number of config keys that are set.",
    "controllerId": "Node id of a controller.",
    "correlationId": "Number of a request, as its client counts.",
    "crc": "Checksum of a batch, as stored.",
    "durationMs": "How long it took, in milliseconds.",
    "endOffset": "The offset after the last record.",
    "equalOffset": "The log equals the longest one below this offset.",
    "errorCount": "Number of findings with the severity error.",
    "fileCount": "Number of files.",
    "finalizedFeaturesEpoch": "Offset of the state that the levels are of.",
    "finalizedVersionLevel": "The level of a feature that is in force.",
    "highWatermark": "Every record below this offset is committed.",
    "highestLeaderEpoch": "The highest leader epoch that the node knew of.",
    "infoCount": "Number of findings with the severity info.",
    "invalidBytes": "Bytes after the last whole batch of a file.",
    "iterations": "Iterations of a SCRAM credential.",
    "keptOffset": "Every record below this offset is kept.",
    "keyCount": "Number of keys.",
    "kraftVersion": "The level of kraft.version.",
    "lackedRecordCount": "Number of records of the longest log that a log does not have.",
    "lag": "Records that a replica lacks, compared with the leader.",
    "lastFetchAgeMs": "How long ago the replica fetched last, by the leader's clock, in milliseconds.",
    "lastOffset": "The offset of the last record.",
    "leaderCount": "Number of partitions that the broker leads.",
    "leaderEpoch": "The leader epoch: of the metadata quorum, or of a topic's partition.",
    "leaderId": "Node id of the leader: of the metadata quorum, or of a topic's partition.",
    "leadersAfter": "Number of partitions that the broker is the preferred leader of, after the plan.",
    "leadersBefore": "Number of partitions that the broker is the preferred leader of, before the plan.",
    "level": "A level of a feature.",
    "logEndOffset": "The offset after the last record of a log.",
    "logStartOffset": "The offset of the first record of a log.",
    "lostOffset": "Records from the kept offset up to this one were committed, and are lost.",
    "maxFollowerLag": "The largest lag of a voter. One that has not fetched from the leader lacks the whole log.",
    "maxFollowerLagTimeMs": "How long ago the slowest voter was level with the leader, in milliseconds.",
    "metaPropertiesVersion": "The version of meta.properties.",
    "movedReplicaCount": "Number of replicas that get another broker.",
    "newLeaderId": "Node id of the voter that should lead before the node is restarted.",
    "nextOffset": "Offset of the next record that cannot be applied.",
    "nodeId": "Node id of a broker or controller.",
    "offset": "Offset of a record; in a snapshot, its place in the file.",
    "partition": "Number of a partition.",
    "partitionCount": "Number of partitions.",
    "partitionEpoch": "The partition epoch.",
    "position": "Byte position in a file.",
    "recordCount": "Number of records.",
    "recoveryEpoch": "The leader epoch of the recovery.",
    "recoveryPoint": "Every record below this offset was on the disk when it was noted; 0 where it was not.",
    "replicaCount": "Number of replicas.",
    "replicasAfter": "Number of replicas on the broker after the plan.",
    "replicasBefore": "Number of replicas on the broker before the plan.",
    "replicationFactor": "Number of replicas of each partition.",
    "restartedCount": "Number of nodes that have restarted.",
    "ruleCount": "Number of rules.",
    "seed": "Seed of a placement, which repeats it.",
    "snapshotEndOffset": "The end offset of the snapshot that a record is from.",
    "startOffset": "The first offset.",
    "storedEpoch": "The leader epoch in quorum-state.",
    "supportedMaxVersion": "The highest level of a feature that all nodes support.",
    "supportedMinVersion": "The lowest level of a feature that all nodes support.",
    "syncCount": "Number of fsyncs that were measured.",
    "throttleBytes": "Bytes per second and broker.",
    "topicCount": "Number of topics.",
    "truncatedRecordCount": "Number of records that the longest log does not have, and that will be removed.",
    "unknownRecordCount": "Number of records of an unknown type.",
    "validBytes": "Bytes up to the end of the last whole batch of a file.",
    "version": "Version of a record's or a file's format.",
    "votedId": "Node id of the candidate that got the vote.",
    "warningCount": "Number of findings with the severity warning.",
    "zeroBytes": "Of the invalid bytes, the zeros at the end.",
}

_NUMBERS: Final = {
    "maxMs": "How long the longest took, in milliseconds.",
    "noOpShare": "Share of no-op records, from 0 to 1.",
    "p50Ms": "How long half of them took at most, in milliseconds.",
    "p99LimitMs": "The longest `p99Ms` with which a disk is not slow.",
    "p99Ms": "How long 99 of 100 took at most, in milliseconds.",
}

_TEXTS: Final = {
    "bootstrapControllers": "Addresses for `-C`, over gRPC, comma-separated.",
    "bootstrapServers": "Addresses for clients of the Kafka brokers, comma-separated.",
    "change": "`+` created, `-` removed, `~` changed.",
    "check": "Name of a check.",
    "cluster": "Label of a cluster in an audit: its id, or what `cluster=` in a path names.",
    "clientId": "What a client calls itself.",
    "clusterId": "The cluster id.",
    "commit": "The commit that a wheel was built from, `-dirty` after it if files were changed.",
    "controlType": "Type of a control record, as kafka-dump-log prints it.",
    "controllerQuorumVoters": "The value of controller.quorum.voters for every configuration.",
    "digest": "SHA-256 in hexadecimal.",
    "directory": "Path of a directory.",
    "engine": "Engine that was used: `local` or `spark`.",
    "entity": "Name of the entity that a record is about.",
    "entityKind": "Kind of the entity that a record is about.",
    "entityName": "Name of a config resource; null for the default of its type.",
    "entityType": "Type of a config resource, in plural, as in kafka-configs.",
    "error": "Name of the error code, as in Kafka; null for success.",
    "errorMessage": "What the error says.",
    "fault": "Why a batch, a record or the author of a record cannot be used.",
    "feature": "Name of a feature.",
    "file": "Path of a file; of a directory's own files, its name.",
    "fileKind": "`log`, `snapshot` or `bootstrap`.",
    "fix": "What to do about it.",
    "grpcEndpoint": "host:port of gRPC.",
    "health": "`healthy`, `notPreferred`, `underReplicated` or `offline`.",
    "hmac": "HMAC of a delegation token, in base64.",
    "host": "Host name or address; in access control entries `*` for all.",
    "incomplete": "Why a directory does not count as a whole.",
    "kafkaBootstrapControllers": "Addresses for `-C` and Kafka's tools, over Kafka's protocol, comma-separated.",
    "kafkaEndpoint": "host:port of Kafka's protocol.",
    "kafkaVersion": "The Kafka release whose records and metadata.versions are known as that release has them.",
    "kind": "What a line is: `file`, `batch`, `record`, `corruption` or `end`.",
    "kraftpyVersion": "Version of kraftpy.",
    "maxMetadataVersion": "The highest metadata.version that is known, by its name.",
    "maxProductionMetadataVersion": "The highest metadata.version that needs no `unstable.feature.versions.enable`.",
    "mechanism": "A SCRAM mechanism.",
    "member": "Name of a member of an archive.",
    "message": "What was found, in a sentence.",
    "metadataVersion": "The metadata.version in force, by its name.",
    "minMetadataVersion": "The lowest metadata.version that is known, by its name.",
    "name": "Name of a config, or of a member of an archive.",
    "nextReason": "Why the next record cannot be applied.",
    "nextStep": "What happens next, in a sentence.",
    "node": "Name of a node: its label in an audit, its directory in a quickstart.",
    "nodeKind": "`controller`, `broker` or `kafka-broker`.",
    "operation": "An operation of an access control entry.",
    "owner": "Principal that owns a token.",
    "part": "What is missing.",
    "patternType": "How the name of an access control entry is compared.",
    "permissionType": "`ALLOW` or `DENY`.",
    "place": "Where: a node, broker, topic or address.",
    "placer": "Placer that chose the brokers.",
    "planFile": "Path of a plan.",
    "principal": "A principal, such as `User:alice`.",
    "problem": "Why a record contradicts the state.",
    "rack": "Rack of a broker.",
    "reason": "Why.",
    "recordFile": "Path of the file with the state at a shutdown.",
    "recordKind": "Kind of a record that cannot be applied.",
    "requestId": "Id of a request that its client may repeat, in hexadecimal.",
    "requester": "Principal that requested a token.",
    "resourceName": "Name of the resource of an access control entry.",
    "resourceType": "Type of the resource of an access control entry.",
    "role": "`leader`, `follower` or `observer`.",
    "rule": "Id of an audit rule.",
    "script": "Path of a script.",
    "segmentFile": "Path of a segment.",
    "schemaSet": "A table of records: `kafka`, `kafka-4.4` or `kraftpy`.",
    "severity": "`error`, `warning` or `info`.",
    "shell": "Name of a shell.",
    "snapshotFile": "Path of a snapshot.",
    "source": "Where the value of a config comes from.",
    "startupFile": "Path of a shell's startup file.",
    "state": "State of a node, broker or reassignment, in a word or two.",
    "stateDigest": "Digest of the state in a snapshot.",
    "text": "What a plan would lose, in a sentence.",
    "title": "What a rule demands.",
    "tokenId": "Id of a delegation token.",
    "topic": "Name of a topic.",
    "type": "Type of a record.",
    "undone": "What was undone; null where there was nothing to undo.",
    "value": "Value of a config; null where it is not shown.",
    "upgradeTo": "Release that the cluster is checked for.",
    "verdict": "`ok`, or `slow`: `p99Ms` is over `p99LimitMs`.",
    "voterGroup": "`old` or `new`, in a migration.",
}

_BOOLEANS: Final = {
    "accepted": "Whether a request would be accepted; false where a dry run was refused.",
    "allowUnavailable": "Whether nodes are restarted without which something is unavailable.",
    "dryRun": "Whether nothing was changed, because only a check was asked for.",
    "isFromRunningNode": "Whether the node was running.",
    "finished": "Whether nothing is left to do.",
    "hasBootstrapCheckpoint": "Whether there is a bootstrap.checkpoint.",
    "inControlledShutdown": "Whether the broker is shutting down in order.",
    "isControl": "Whether a batch has control records.",
    "isSensitive": "Whether the value is a secret.",
    "isSound": "Whether a file is not corrupt.",
    "isTransactionOpen": "Whether a metadata transaction is open at the end.",
    "isValid": "Whether the checksum is that of the bytes.",
    "mayLoseAcknowledged": "Whether acknowledged records may be lost.",
    "okToStop": "Whether the node can be stopped now.",
    "ready": "Whether every node of the cluster is.",
    "recovering": "Whether the leader recovers from an unclean election.",
    "startupFileChanged": "Whether a line was added to the startup file.",
    "wasAskedFor": "Whether the user named what is missing.",
}

_UUIDS: Final = {
    "directoryId": "Directory id.",
    "incarnationId": "Incarnation id: of one run of a process.",
    "topicId": "Topic id.",
    "uuid": "A random uuid.",
    "votedDirectoryId": "Directory id of the candidate that got the vote.",
}

_TIMES: Final = {
    "create": "When the record was written, as its batch says",
    "expiration": "When the token expires",
    "hour": "The beginning of an hour",
    "issue": "When the token was created",
    "lastCaughtUp": "When the replica was last level with the leader",
    "lastFetch": "When the replica fetched last",
    "last": "The time of the last batch",
    "made": "When it was made",
    "max": "When the token expires at the latest",
    "until": "The time that the state is of",
}
"""Each is two fields."""

_LISTS: Final = {
    FieldType.INTEGERS: {
        "addingReplicas": "Brokers that get a replica.",
        "brokerIds": "Node ids of brokers.",
        "controllerIds": "Node ids of controllers.",
        "electedByIds": "Node ids of the voters that the latest election lists.",
        "elr": "Brokers that are eligible to lead.",
        "fencedBrokerIds": "Node ids of fenced brokers.",
        "incompleteVoterIds": "Node ids of old voters whose directories do not count as a whole.",
        "isr": "Brokers that are in sync.",
        "joiningIds": "Node ids of controllers that join.",
        "lastKnownElr": "Brokers that led last.",
        "leavingIds": "Node ids of controllers that leave.",
        "missingVoterIds": "Node ids of old voters that are missing.",
        "nodeIds": "Node ids.",
        "noOpOffsets": "Offsets whose records become no-op records.",
        "oldVoterIds": "Node ids of the voters before.",
        "removingReplicas": "Brokers that lose their replica.",
        "replicas": "Brokers that have a replica; the first is the preferred leader.",
        "restartedIds": "Node ids of the nodes that were restarted.",
    },
    FieldType.TEXTS: {
        "command": "A command, word by word.",
        "configNames": "Names of config keys.",
        "directories": "Paths of directories.",
        "endpoints": "Listeners, each `NAME://host:port`.",
        "evidenceNames": "The names in a rule's evidence.",
        "files": "Paths of files.",
        "guarantees": "What a plan guarantees.",
        "messages": "What was done, a sentence each.",
        "notes": "What is worth a look.",
        "problems": "What is wrong, a sentence each.",
        "reasons": "Why, a sentence each; of a plan, why each replica is where it is.",
        "renewers": "Principals that may renew a token.",
        "roles": "The roles of a node, as in process.roles.",
        "steps": "What was done, a sentence each.",
        "topics": "Names of topics.",
    },
    FieldType.UUIDS: {
        "cordonedDirectoryIds": "Ids of cordoned log directories.",
        "directoryIds": "Ids of log directories; of a partition, one for each replica.",
        "saturatedDirectoryIds": "Ids of full log directories.",
    },
}

_MAPS: Final = {
    FieldType.INTEGER_MAP: {
        "featureLevels": "Level by name of a feature.",
        "findingCounts": "Number of findings by id of a rule; rules without any are not in it.",
        "recordCounts": "Number of records by type.",
        "requires": "Level by name of a feature that is needed.",
    },
    FieldType.NUMBER_MAP: {"quotas": "Quotas by name."},
    FieldType.TEXT_MAP: {
        "clusterIds": "The cluster id in meta.properties by path of a directory.",
        "configs": "Values of configs by name.",
        "quotaEntity": "Names by type (`user`, `client-id`, `ip`) that a quota is for; null for the default.",
    },
    FieldType.UUID_MAP: {"formatted": "Directory id by path of a directory."},
}

_OBJECTS: Final = {
    FieldType.OBJECT: {
        "author": "Who asked for a change; null where the log names no author.",
        "brokerStop": "What happens to partitions when the broker stops.",
        "currentAssignment": "Replicas before, in the form of kafka-reassign-partitions' files.",
        "growth": "What the logs' bytes consist of.",
        "image": "The state that the records make.",
        "longestLog": "The log that is kept.",
        "loss": "What a plan loses.",
        "metaProperties": "What meta.properties contains.",
        "nextRestart": "The next step of a roll.",
        "plan": "Where the replicas of new partitions are placed.",
        "proposedAssignment": "Replicas after, in the form of kafka-reassign-partitions' files.",
        "quorumState": "What quorum-state contains.",
        "throttlesRemoved": "Whose throttles were removed.",
    },
    FieldType.OBJECTS: {
        "batches": "Record batches.",
        "brokers": "Brokers.",
        "byAuthor": "By who asked for a change, the most bytes first; the first 20. No principal: it cannot be read.",
        "byEntity": "By entity, the most bytes first; the first 20.",
        "byHour": "By hour and type of record.",
        "byPrincipal": "By principal, the most bytes first; the first 20.",
        "byType": "By type of record, the most bytes first.",
        "cancelled": "Partitions whose reassignment was cancelled.",
        "changes": "What a record changed.",
        "commands": "Commands that would be run.",
        "configEntries": "Configs with the values in force.",
        "controllers": "Controllers.",
        "corruption": "What is corrupt, and where.",
        "findings": "What was found; the worst first in an audit.",
        "incidents": "Faults that nodes found in themselves.",
        "leaderEpochs": "Leader epochs, and where each starts.",
        "leftOut": "What is missing, and why.",
        "members": "Members of an archive.",
        "nodes": "Nodes.",
        "obstacles": "What is in the way.",
        "observers": "Replicas that do not vote.",
        "offline": "Partitions that are offline already.",
        "ongoing": "Reassignments that are under way.",
        "partitions": "Partitions.",
        "records": "Records.",
        "redacted": "Members in which secrets were redacted.",
        "schemaSets": "Tables of records, each in force at a range of metadata.versions.",
        "scramCredentials": "SCRAM credentials of a user, without keys.",
        "segments": "Segments of a log.",
        "skipped": "Checks that could not be made.",
        "snapshots": "Snapshots.",
        "states": "The states that were checked.",
        "survivors": "The directories that are left.",
        "synonyms": "Where a value could come from, the one in force first.",
        "voters": "Voters.",
        "wouldBeOffline": "Partitions that would have no leader.",
        "wouldBeUnderMinIsr": "Partitions that would be under min.insync.replicas.",
    },
}

_VALUES: Final = {
    "after": "The value of an entity afterwards; null where it was removed.",
    "before": "The value of an entity before; null where it was created.",
    "data": "The fields of a record, in the form of Kafka's JSON converters.",
    "evidence": "What shows it, by name; the names are those of the rule (`kraftpy audit --list-rules -o json`).",
}


def _all_fields() -> dict[str, JsonFieldSpec]:
    fields = {
        **_of(FieldType.INTEGER, _INTEGERS),
        **_of(FieldType.NUMBER, _NUMBERS),
        **_of(FieldType.TEXT, _TEXTS),
        **_of(FieldType.BOOLEAN, _BOOLEANS),
        **_of(FieldType.UUID, _UUIDS),
        **_of(FieldType.TIMESTAMP, {f"{name}Timestamp": f"{text}." for name, text in _TIMES.items()}),
        **_of(FieldType.TIME, {f"{name}Time": f"{text}." for name, text in _TIMES.items()}),
        **_of(FieldType.ANY, _VALUES),
    }
    for kind, named in (*_LISTS.items(), *_MAPS.items(), *_OBJECTS.items()):
        fields |= _of(kind, named)
    return dict(sorted(fields.items(), key=lambda item: item[0].lower()))


FIELDS: Final = _all_fields()
"""Every name, by the alphabet."""
