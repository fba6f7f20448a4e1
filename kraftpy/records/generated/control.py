"""Generated from ``proto/kafka/control`` by ``python -m proto.generate``; do not edit."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from struct import Struct
from typing import ClassVar, Final

from kraftpy.model.ids import ZERO_UUID
from kraftpy.records.codec import (
    DECODE_ERRORS,
    ENCODE_ERRORS,
    NO_TAGS,
    SHORT,
    UVARINT,
    Codec,
    FieldError,
    Message,
    MessageStruct,
    Tags,
    check_count,
    length_prefix,
    new,
    read_string_length,
    read_tag,
    read_tags,
    read_uvarint,
    string_prefix,
    tag_section,
)
from kraftpy.records.decode_errors import absent, fault, leftover, unwritable

_PACK_H: Final = Struct(">H").pack
_PACK_h: Final = Struct(">h").pack
_PACK_hh: Final = Struct(">hh").pack
_PACK_hi: Final = Struct(">hi").pack
_PACK_hq: Final = Struct(">hq").pack
_PACK_i: Final = Struct(">i").pack
_PACK_iu: Final = Struct(">i16s").pack
_PACK_u: Final = Struct(">16s").pack
_UNPACK_HB: Final = Struct(">HB").unpack_from
_UNPACK_hB: Final = Struct(">hB").unpack_from
_UNPACK_hhB: Final = Struct(">hhB").unpack_from
_UNPACK_hiB: Final = Struct(">hiB").unpack_from
_UNPACK_hqB: Final = Struct(">hqB").unpack_from
_UNPACK_iB: Final = Struct(">iB").unpack_from
_UNPACK_iuB: Final = Struct(">i16sB").unpack_from
_UNPACK_u: Final = Struct(">16s").unpack_from


@dataclass(slots=True)
class LeaderChangeMessageVoter(MessageStruct):
    """A Voter inside LeaderChangeMessage.

    Attributes:
        voter_id: The node id of the voter.
        voter_directory_id: The directory id of the voter.
    """

    voter_id: int = 0
    voter_directory_id: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class LeaderChangeMessage(Message):
    """Kafka's LeaderChangeMessage, versions 0 to 1.

    The first record of a leader in its epoch.

    Attributes:
        version: The version of this record's content.
        leader_id: The node id of the leader.
        voters: The voters.
        granting_voters: The voters that voted for the leader.
    """

    NAME: ClassVar[str] = "LeaderChangeMessage"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    version: int = 0
    leader_id: int = 0
    voters: list[LeaderChangeMessageVoter] = field(default_factory=list)
    granting_voters: list[LeaderChangeMessageVoter] = field(default_factory=list)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class SnapshotHeaderRecord(Message):
    """Kafka's SnapshotHeaderRecord, versions 0 to 0.

    The first record of a snapshot.

    Attributes:
        version: The version of this record's content.
        last_contained_log_timestamp: The time of the last batch in the snapshot, in ms since 1970.
    """

    NAME: ClassVar[str] = "SnapshotHeaderRecord"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    version: int = 0
    last_contained_log_timestamp: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class SnapshotFooterRecord(Message):
    """Kafka's SnapshotFooterRecord, versions 0 to 0.

    The last record of a snapshot.

    Attributes:
        version: The version of this record's content.
        state_digest: A digest of the records of the snapshot; zeros when there is none. Ours.
        file_digest: A digest of all bytes of the snapshot before this record's batch; zeros when there is none. Ours.
    """

    NAME: ClassVar[str] = "SnapshotFooterRecord"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    version: int = 0
    state_digest: bytes = ZERO_UUID
    file_digest: bytes = ZERO_UUID
    unknown_tags: Tags = ()


@dataclass(slots=True)
class KRaftVersionRecord(Message):
    """Kafka's KRaftVersionRecord, versions 0 to 0.

    The kraft.version in force from here on (KIP-853).

    Attributes:
        version: The version of this record's content.
        kraft_version: The kraft.version: 0 for a fixed voter set, 1 for one that can change.
    """

    NAME: ClassVar[str] = "KRaftVersionRecord"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    version: int = 0
    kraft_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VotersRecordEndpoint(MessageStruct):
    """A Endpoint inside VotersRecord.

    Attributes:
        name: The name of the listener.
        host: The host name or address.
        port: The TCP port.
    """

    name: str = ""
    host: str = ""
    port: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VotersRecordKRaftVersionFeature(MessageStruct):
    """A KRaftVersionFeature inside VotersRecord.

    Attributes:
        min_supported_version: The lowest kraft.version that the voter supports.
        max_supported_version: The highest kraft.version that the voter supports.
    """

    min_supported_version: int = 0
    max_supported_version: int = 0
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VotersRecordVoter(MessageStruct):
    """A Voter inside VotersRecord.

    Attributes:
        voter_id: The node id of the voter.
        voter_directory_id: The directory id of the voter.
        endpoints: The listeners on which the voter can be reached.
        kraft_version_feature: The range of kraft.version that the voter supports.
    """

    voter_id: int = 0
    voter_directory_id: bytes = ZERO_UUID
    endpoints: list[VotersRecordEndpoint] = field(default_factory=list)
    kraft_version_feature: VotersRecordKRaftVersionFeature = field(default_factory=VotersRecordKRaftVersionFeature)
    unknown_tags: Tags = ()


@dataclass(slots=True)
class VotersRecord(Message):
    """Kafka's VotersRecord, versions 0 to 0.

    The voter set in force from here on (KIP-853).

    Attributes:
        version: The version of this record's content.
        voters: The voters.
    """

    NAME: ClassVar[str] = "VotersRecord"
    API_KEY: ClassVar[int] = -1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    version: int = 0
    voters: list[VotersRecordVoter] = field(default_factory=list)
    unknown_tags: Tags = ()


def _decode_leader_change_message_voter_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[LeaderChangeMessageVoter], int]:
    made: list[LeaderChangeMessageVoter] = []
    try:
        for _ in range(count):
            m: LeaderChangeMessageVoter = new(LeaderChangeMessageVoter)
            m.voter_directory_id = ZERO_UUID
            m.voter_id, n = _UNPACK_iB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_leader_change_message_voter_v1(data: bytes, at: int, _end: int, count: int) -> tuple[list[LeaderChangeMessageVoter], int]:
    made: list[LeaderChangeMessageVoter] = []
    try:
        for _ in range(count):
            m: LeaderChangeMessageVoter = new(LeaderChangeMessageVoter)
            m.voter_id, m.voter_directory_id, n = _UNPACK_iuB(data, at)
            at += 21
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_leader_change_message_v0(data: bytes, at: int = 0) -> LeaderChangeMessage:
    m: LeaderChangeMessage = new(LeaderChangeMessage)
    end = len(data)
    try:
        m.version, m.leader_id, n = _UNPACK_hiB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.voters, at = _decode_leader_change_message_voter_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 5 > end - at:
            check_count(n - 1, 5, data, at)
        m.granting_voters, at = _decode_leader_change_message_voter_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_leader_change_message_v1(data: bytes, at: int = 0) -> LeaderChangeMessage:
    m: LeaderChangeMessage = new(LeaderChangeMessage)
    end = len(data)
    try:
        m.version, m.leader_id, n = _UNPACK_hiB(data, at)
        at += 7
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 21 > end - at:
            check_count(n - 1, 21, data, at)
        m.voters, at = _decode_leader_change_message_voter_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 21 > end - at:
            check_count(n - 1, 21, data, at)
        m.granting_voters, at = _decode_leader_change_message_voter_v1(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_snapshot_header_record_v0(data: bytes, at: int = 0) -> SnapshotHeaderRecord:
    m: SnapshotHeaderRecord = new(SnapshotHeaderRecord)
    end = len(data)
    try:
        m.version, m.last_contained_log_timestamp, n = _UNPACK_hqB(data, at)
        at += 11
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_snapshot_footer_record_v0(data: bytes, at: int = 0) -> SnapshotFooterRecord:
    m: SnapshotFooterRecord = new(SnapshotFooterRecord)
    end = len(data)
    try:
        m.state_digest = ZERO_UUID
        m.file_digest = ZERO_UUID
        m.version, n = _UNPACK_hB(data, at)
        at += 3
        m.unknown_tags = ()
        if n:
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            check_count(n, 2, data, at)
            unknown: list[tuple[int, bytes]] = []
            tag = -1
            for _ in range(n):
                size = data[at + 1]
                if tag < data[at] < SHORT and size < SHORT and size <= end - at - 2:
                    tag = data[at]
                    at += 2
                    tag_end = at + size
                else:
                    tag, at, tag_end = read_tag(data, at, tag)
                if tag == 1000:
                    m.state_digest, = _UNPACK_u(data, at)
                    at += 16
                elif tag == 1001:
                    m.file_digest, = _UNPACK_u(data, at)
                    at += 16
                else:
                    unknown.append((tag, data[at:tag_end]))
                    at = tag_end
                if at != tag_end:
                    raise FieldError(f"tag {tag} does not fill the bytes it claims")
            m.unknown_tags = tuple(unknown)
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_kraft_version_record_v0(data: bytes, at: int = 0) -> KRaftVersionRecord:
    m: KRaftVersionRecord = new(KRaftVersionRecord)
    end = len(data)
    try:
        m.version, m.kraft_version, n = _UNPACK_hhB(data, at)
        at += 5
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_voters_record_endpoint_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[VotersRecordEndpoint], int]:
    made: list[VotersRecordEndpoint] = []
    try:
        for _ in range(count):
            m: VotersRecordEndpoint = new(VotersRecordEndpoint)
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.name = data[at:stop].decode()
            at = stop
            n = data[at]
            at += 1
            if n >= SHORT:
                if (more := data[at]) < SHORT:
                    n += more - 1 << 7
                    at += 1
                else:
                    n, at = read_string_length(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            stop = at + n - 1
            m.host = data[at:stop].decode()
            at = stop
            m.port, n = _UNPACK_HB(data, at)
            at += 3
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_voters_record_kraft_version_feature_v0(data: bytes, at: int, _end: int, count: int) -> tuple[list[VotersRecordKRaftVersionFeature], int]:
    made: list[VotersRecordKRaftVersionFeature] = []
    try:
        for _ in range(count):
            m: VotersRecordKRaftVersionFeature = new(VotersRecordKRaftVersionFeature)
            m.min_supported_version, m.max_supported_version, n = _UNPACK_hhB(data, at)
            at += 5
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _decode_voters_record_voter_v0(data: bytes, at: int, end: int, count: int) -> tuple[list[VotersRecordVoter], int]:
    made: list[VotersRecordVoter] = []
    try:
        for _ in range(count):
            m: VotersRecordVoter = new(VotersRecordVoter)
            m.voter_id, m.voter_directory_id, n = _UNPACK_iuB(data, at)
            at += 21
            if n >= SHORT:
                n, at = read_uvarint(data, at - 1)
            if not n:
                raise FieldError("it is null, which it may not be")
            if (n - 1) * 5 > end - at:
                check_count(n - 1, 5, data, at)
            m.endpoints, at = _decode_voters_record_endpoint_v0(data, at, end, n - 1)
            (m.kraft_version_feature,), at = _decode_voters_record_kraft_version_feature_v0(data, at, end, 1)
            n = data[at]
            at += 1
            if n:
                m.unknown_tags, at = read_tags(data, at, n)
            else:
                m.unknown_tags = ()
            made.append(m)
        return made, at
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def decode_voters_record_v0(data: bytes, at: int = 0) -> VotersRecord:
    m: VotersRecord = new(VotersRecord)
    end = len(data)
    try:
        m.version, n = _UNPACK_hB(data, at)
        at += 3
        if n >= SHORT:
            n, at = read_uvarint(data, at - 1)
        if not n:
            raise FieldError("it is null, which it may not be")
        if (n - 1) * 27 > end - at:
            check_count(n - 1, 27, data, at)
        m.voters, at = _decode_voters_record_voter_v0(data, at, end, n - 1)
        n = data[at]
        at += 1
        if n:
            m.unknown_tags, at = read_tags(data, at, n)
        else:
            m.unknown_tags = ()
        if at != end:
            raise leftover(m, data, at)
        return m
    except DECODE_ERRORS as error:
        raise fault(m, data, at, error) from error


def _encode_leader_change_message_voter_v0(items: Sequence[LeaderChangeMessageVoter], out: list[bytes]) -> None:
    try:
        for m in items:
            if m.voter_directory_id != ZERO_UUID:
                raise absent(m, "voter_directory_id")
            out += (_PACK_i(m.voter_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_leader_change_message_voter_v1(items: Sequence[LeaderChangeMessageVoter], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.voter_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            out += (_PACK_iu(m.voter_id, m.voter_directory_id), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_leader_change_message_v0(m: LeaderChangeMessage, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        voters_items = m.voters
        out += (_PACK_hi(m.version, m.leader_id), length_prefix(len(voters_items)))
        _encode_leader_change_message_voter_v0(voters_items, out)
        granting_voters_items = m.granting_voters
        out += (length_prefix(len(granting_voters_items)),)
        _encode_leader_change_message_voter_v0(granting_voters_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_leader_change_message_v1(m: LeaderChangeMessage, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        voters_items = m.voters
        out += (_PACK_hi(m.version, m.leader_id), length_prefix(len(voters_items)))
        _encode_leader_change_message_voter_v1(voters_items, out)
        granting_voters_items = m.granting_voters
        out += (length_prefix(len(granting_voters_items)),)
        _encode_leader_change_message_voter_v1(granting_voters_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_snapshot_header_record_v0(m: SnapshotHeaderRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_hq(m.version, m.last_contained_log_timestamp), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_snapshot_footer_record_v0(m: SnapshotFooterRecord, prefix: bytes = b"") -> bytes:
    try:
        tags: list[tuple[int, bytes]] = []
        if m.state_digest != ZERO_UUID:
            if len(m.state_digest) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((1000, _PACK_u(m.state_digest)))
        if m.file_digest != ZERO_UUID:
            if len(m.file_digest) != 16:
                raise ValueError("a uuid has 16 bytes")
            tags.append((1001, _PACK_u(m.file_digest)))
        return b"".join((prefix, _PACK_h(m.version), tag_section(tags, m.unknown_tags) if tags or m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_kraft_version_record_v0(m: KRaftVersionRecord, prefix: bytes = b"") -> bytes:
    try:
        return b"".join((prefix, _PACK_hh(m.version, m.kraft_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS))
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_voters_record_endpoint_v0(items: Sequence[VotersRecordEndpoint], out: list[bytes]) -> None:
    try:
        for m in items:
            name_bytes = m.name.encode()
            host_bytes = m.host.encode()
            out += (UVARINT[n + 1] if (n := len(name_bytes)) < SHORT - 1 else string_prefix(n), name_bytes, UVARINT[n + 1] if (n := len(host_bytes)) < SHORT - 1 else string_prefix(n), host_bytes, _PACK_H(m.port), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_voters_record_kraft_version_feature_v0(items: Sequence[VotersRecordKRaftVersionFeature], out: list[bytes]) -> None:
    try:
        for m in items:
            out += (_PACK_hh(m.min_supported_version, m.max_supported_version), tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def _encode_voters_record_voter_v0(items: Sequence[VotersRecordVoter], out: list[bytes]) -> None:
    try:
        for m in items:
            if len(m.voter_directory_id) != 16:
                raise ValueError("a uuid has 16 bytes")
            endpoints_items = m.endpoints
            out += (_PACK_iu(m.voter_id, m.voter_directory_id), length_prefix(len(endpoints_items)))
            _encode_voters_record_endpoint_v0(endpoints_items, out)
            _encode_voters_record_kraft_version_feature_v0((m.kraft_version_feature,), out)
            out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


def encode_voters_record_v0(m: VotersRecord, prefix: bytes = b"") -> bytes:
    try:
        out = [prefix]
        voters_items = m.voters
        out += (_PACK_h(m.version), length_prefix(len(voters_items)))
        _encode_voters_record_voter_v0(voters_items, out)
        out += (tag_section([], m.unknown_tags) if m.unknown_tags else NO_TAGS,)
        return b"".join(out)
    except ENCODE_ERRORS as error:
        raise unwritable(m, error) from error


CODECS: Final[dict[tuple[type[Message], int], Codec]] = {
    (LeaderChangeMessage, 0): (decode_leader_change_message_v0, encode_leader_change_message_v0),
    (LeaderChangeMessage, 1): (decode_leader_change_message_v1, encode_leader_change_message_v1),
    (SnapshotHeaderRecord, 0): (decode_snapshot_header_record_v0, encode_snapshot_header_record_v0),
    (SnapshotFooterRecord, 0): (decode_snapshot_footer_record_v0, encode_snapshot_footer_record_v0),
    (KRaftVersionRecord, 0): (decode_kraft_version_record_v0, encode_kraft_version_record_v0),
    (VotersRecord, 0): (decode_voters_record_v0, encode_voters_record_v0),
}
"""The decoder and the encoder of every message and version."""

MESSAGES: Final[tuple[type[Message], ...]] = (
    LeaderChangeMessage,
    SnapshotHeaderRecord,
    SnapshotFooterRecord,
    KRaftVersionRecord,
    VotersRecord,
)
"""Every message, in the order of the table."""
