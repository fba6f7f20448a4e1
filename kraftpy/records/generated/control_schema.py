"""Generated from ``proto/kafka/control`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from typing import Final

from kraftpy.records.schema import Field, MessageSpec, Struct, Versions

_LeaderChangeMessageVoter = Struct("Voter", "LeaderChangeMessageVoter", (
    Field("VoterId", "int32"),
    Field("VoterDirectoryId", "uuid", versions=Versions(1, 32767)),
))
_LeaderChangeMessage = Struct("LeaderChangeMessage", "LeaderChangeMessage", (
    Field("Version", "int16"),
    Field("LeaderId", "int32"),
    Field("Voters", "Voter", is_array=True, struct=_LeaderChangeMessageVoter),
    Field("GrantingVoters", "Voter", is_array=True, struct=_LeaderChangeMessageVoter),
))
_SnapshotHeaderRecord = Struct("SnapshotHeaderRecord", "SnapshotHeaderRecord", (
    Field("Version", "int16"),
    Field("LastContainedLogTimestamp", "int64"),
))
_SnapshotFooterRecord = Struct("SnapshotFooterRecord", "SnapshotFooterRecord", (
    Field("Version", "int16"),
    Field("StateDigest", "uuid", tag=1000),
    Field("FileDigest", "uuid", tag=1001),
))
_KRaftVersionRecord = Struct("KRaftVersionRecord", "KRaftVersionRecord", (
    Field("Version", "int16"),
    Field("KRaftVersion", "int16"),
))
_VotersRecordEndpoint = Struct("Endpoint", "VotersRecordEndpoint", (
    Field("Name", "string"),
    Field("Host", "string"),
    Field("Port", "uint16"),
))
_VotersRecordKRaftVersionFeature = Struct("KRaftVersionFeature", "VotersRecordKRaftVersionFeature", (
    Field("MinSupportedVersion", "int16"),
    Field("MaxSupportedVersion", "int16"),
))
_VotersRecordVoter = Struct("Voter", "VotersRecordVoter", (
    Field("VoterId", "int32"),
    Field("VoterDirectoryId", "uuid"),
    Field("Endpoints", "Endpoint", is_array=True, struct=_VotersRecordEndpoint),
    Field("KRaftVersionFeature", "KRaftVersionFeature", struct=_VotersRecordKRaftVersionFeature),
))
_VotersRecord = Struct("VotersRecord", "VotersRecord", (
    Field("Version", "int16"),
    Field("Voters", "Voter", is_array=True, struct=_VotersRecordVoter),
))

MESSAGES: Final = (
    MessageSpec(None, "LeaderChangeMessage", Versions(0, 1), Versions(0, 32767), (_LeaderChangeMessageVoter, _LeaderChangeMessage,)),
    MessageSpec(None, "SnapshotHeaderRecord", Versions(0, 0), Versions(0, 32767), (_SnapshotHeaderRecord,)),
    MessageSpec(None, "SnapshotFooterRecord", Versions(0, 0), Versions(0, 32767), (_SnapshotFooterRecord,)),
    MessageSpec(None, "KRaftVersionRecord", Versions(0, 0), Versions(0, 32767), (_KRaftVersionRecord,)),
    MessageSpec(None, "VotersRecord", Versions(0, 0), Versions(0, 32767), (_VotersRecordEndpoint, _VotersRecordKRaftVersionFeature, _VotersRecordVoter, _VotersRecord,)),
)
"""Every message of the family."""
