"""Control records: what Raft itself writes into the log, and the two ends of a snapshot.

A control record's key is two int16: version 0 and a type. Its value is the message alone, always as version 0, with no
frame before it. A record of a type that is not known here is kept byte for byte.

Source: ``on-disk formats`` §4; KIP-595, KIP-630, KIP-853.
"""

from __future__ import annotations

from dataclasses import dataclass
from struct import Struct
from typing import Final, TypeAlias

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.ids import ZERO_UUID
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet
from kraftpy.records.codec import STRING_BYTES_MAX
from kraftpy.records.generated.control import (
    CODECS,
    KRaftVersionRecord,
    LeaderChangeMessage,
    LeaderChangeMessageVoter,
    SnapshotFooterRecord,
    SnapshotHeaderRecord,
    VotersRecord,
    VotersRecordEndpoint,
    VotersRecordKRaftVersionFeature,
    VotersRecordVoter,
)

__all__ = [
    "CONTROL_KEY_BYTES",
    "ControlRecord",
    "KRaftVersionRecord",
    "LeaderChangeMessage",
    "LeaderChangeMessageVoter",
    "SnapshotFooterRecord",
    "SnapshotHeaderRecord",
    "UnknownControlRecord",
    "VotersRecord",
    "VotersRecordEndpoint",
    "VotersRecordKRaftVersionFeature",
    "VotersRecordVoter",
    "control_type",
    "control_type_name",
    "decode_control",
    "encode_control",
    "voter_set_from_record",
    "voter_set_to_record",
]

CONTROL_KEY_BYTES: Final = 4
_KEY: Final = Struct(">hh")


@dataclass(frozen=True, slots=True)
class UnknownControlRecord:
    """A control record of a type, or in a form, that is not known here. ``key`` and ``value`` are its bytes."""

    type: int
    key: bytes
    value: bytes


ControlRecord: TypeAlias = (
    LeaderChangeMessage
    | SnapshotHeaderRecord
    | SnapshotFooterRecord
    | KRaftVersionRecord
    | VotersRecord
    | UnknownControlRecord
)

_CLASSES: Final = {
    2: LeaderChangeMessage,
    3: SnapshotHeaderRecord,
    4: SnapshotFooterRecord,
    5: KRaftVersionRecord,
    6: VotersRecord,
}
_TYPES: Final[dict[type, int]] = {cls: number for number, cls in _CLASSES.items()}
_NAMES: Final = {
    0: "ABORT",
    1: "COMMIT",
    2: "LEADER_CHANGE",
    3: "SNAPSHOT_HEADER",
    4: "SNAPSHOT_FOOTER",
    5: "KRAFT_VERSION",
    6: "KRAFT_VOTERS",
}


def control_type(record: ControlRecord) -> int:
    """Return the type number in the record's key."""
    return record.type if isinstance(record, UnknownControlRecord) else _TYPES[type(record)]


def control_type_name(record: ControlRecord) -> str:
    """Return Kafka's name of the record's type, such as ``LEADER_CHANGE``."""
    return _NAMES.get(control_type(record), "UNKNOWN")


def decode_control(key: bytes, value: bytes) -> ControlRecord:
    """Read one control record from its key and value.

    Raises:
        MalformedError: when the key is no control key, or the value is not the message that the key announces.
    """
    if len(key) < CONTROL_KEY_BYTES:
        raise MalformedError(f"control record key has {len(key)} bytes, expected {CONTROL_KEY_BYTES}")
    version, number = _KEY.unpack_from(key)
    if version < 0:
        raise MalformedError(f"control record key has version {version}, expected 0 or more")
    cls = _CLASSES.get(number)
    if cls is None or key != _KEY.pack(0, number):
        return UnknownControlRecord(number, key, value)
    record: ControlRecord = CODECS[cls, 0][0](value, 0)
    return record


def encode_control(record: ControlRecord) -> tuple[bytes, bytes]:
    """Return the key and the value of a control record.

    Raises:
        LocalError: when a field holds what cannot be written.
    """
    if isinstance(record, UnknownControlRecord):
        return record.key, record.value
    number = _TYPES.get(type(record))
    if number is None:
        raise LocalError(f"{type(record).__name__} is not a control record")
    return _KEY.pack(0, number), CODECS[type(record), 0][1](record, b"")


def voter_set_from_record(record: VotersRecord) -> VoterSet:
    """Turn a VotersRecord into a voter set; listener names become upper case, a zero directory id becomes none.

    Raises:
        MalformedError: when a voter id is in it twice, or a listener name is too long in upper case.
    """
    try:
        return VoterSet.of(
            Voter(
                key=ReplicaKey(
                    voter.voter_id, None if voter.voter_directory_id == ZERO_UUID else voter.voter_directory_id
                ),
                endpoints=tuple(Endpoint(_upper(each.name), each.host, each.port) for each in voter.endpoints),
                kraft_version_min=voter.kraft_version_feature.min_supported_version,
                kraft_version_max=voter.kraft_version_feature.max_supported_version,
            )
            for voter in record.voters
        )
    except ValueError as error:
        raise MalformedError(f"VotersRecord: {error}") from error


def _upper(name: str) -> str:
    """Write a listener's name in upper case, in which it may take three times the bytes."""
    upper = name.upper()
    if not name.isascii() and len(upper.encode()) > STRING_BYTES_MAX:
        raise ValueError(f"the listener name {name[:40]!r}... takes more than {STRING_BYTES_MAX} bytes in upper case")
    return upper


def voter_set_to_record(voters: VoterSet) -> VotersRecord:
    """Turn a voter set into a VotersRecord, ascending by node id."""
    return VotersRecord(
        version=0,
        voters=[
            VotersRecordVoter(
                voter.key.node_id,
                voter.key.directory_id or ZERO_UUID,
                [VotersRecordEndpoint(each.name, each.host, each.port) for each in voter.endpoints],
                VotersRecordKRaftVersionFeature(voter.kraft_version_min, voter.kraft_version_max),
            )
            for voter in voters
        ],
    )
