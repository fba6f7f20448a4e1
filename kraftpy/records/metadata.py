"""Metadata records in their frame: the values in the log.

A value is three unsigned varints (frame version 1, apiKey, record version) and the message. The hot path looks the
first three bytes up as they are: every released key and version fits one byte each. What that does not find is either
contested (key 29, which the schema set decides), ours with a long key (1000), or unknown; an unknown record is kept
byte for byte.

Source: ``on-disk formats`` §5 and §6; KIP-1262; DESIGN D6 for schema sets.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from kraftpy.model.errors import LocalError, MalformedError
from kraftpy.model.features import SchemaSet
from kraftpy.records.codec import AUTHOR_MARK, NO_TAGS, Record, read_uvarint, uvarint
from kraftpy.records.generated.metadata import (
    CODECS,
    MESSAGES,
    AbortTransactionRecord,
    AccessControlEntryRecord,
    BeginTransactionRecord,
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ClientQuotaRecord,
    ClientQuotaRecordEntityData,
    ClusterIdRecord,
    ConfigRecord,
    DelegationTokenRecord,
    EndTransactionRecord,
    FeatureLevelRecord,
    FenceBrokerRecord,
    NoOpRecord,
    PartitionChangeRecord,
    PartitionRecord,
    ProducerIdsRecord,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
    RemoveAccessControlEntryRecord,
    RemoveControllerRegistrationRecord,
    RemoveDelegationTokenRecord,
    RemoveTopicRecord,
    RemoveUserScramCredentialRecord,
    TopicRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
    UserScramCredentialRecord,
    ZkMigrationStateRecord,
)
from kraftpy.records.generated.metadata_levels import FIELD_LEVELS, LEVELS, SCHEMA_SETS
from kraftpy.records.schema import snake_case

__all__ = [
    "METADATA_RECORDS",
    "AbortTransactionRecord",
    "AccessControlEntryRecord",
    "BeginTransactionRecord",
    "BrokerHostRecord",
    "BrokerRegistrationChangeRecord",
    "ClearElrRecord",
    "ClientQuotaRecord",
    "ClientQuotaRecordEntityData",
    "ClusterIdRecord",
    "ConfigRecord",
    "DelegationTokenRecord",
    "EndTransactionRecord",
    "FeatureLevelRecord",
    "FenceBrokerRecord",
    "LogRecord",
    "NoOpRecord",
    "PartitionChangeRecord",
    "PartitionRecord",
    "ProducerIdsRecord",
    "Record",
    "RegisterBrokerRecord",
    "RegisterBrokerRecordBrokerEndpoint",
    "RegisterBrokerRecordBrokerFeature",
    "RegisterControllerRecord",
    "RegisterControllerRecordControllerEndpoint",
    "RegisterControllerRecordControllerFeature",
    "RemoveAccessControlEntryRecord",
    "RemoveControllerRegistrationRecord",
    "RemoveDelegationTokenRecord",
    "RemoveTopicRecord",
    "RemoveUserScramCredentialRecord",
    "TopicRecord",
    "UnfenceBrokerRecord",
    "UnknownRecord",
    "UnregisterBrokerRecord",
    "UnregisterControllerRecord",
    "UserScramCredentialRecord",
    "ZkMigrationStateRecord",
    "decode_record",
    "decode_records",
    "encode_for_level",
    "encode_record",
    "encoded_again",
    "record_version",
    "type_name",
]

FRAME_VERSION: Final = 1
PREFIX_MAX: Final = 32767
"""Frame version, apiKey and record version are int16 in Kafka."""

_AUTHOR_ALONE: Final = uvarint(1) + AUTHOR_MARK

CONTESTED_KEY: Final = 29
PREFIX_BYTES: Final = 3

METADATA_RECORDS: Final[tuple[type[Record], ...]] = tuple(cls for cls in MESSAGES if issubclass(cls, Record))
"""Every record class, ascending by apiKey."""


@dataclass(frozen=True, slots=True)
class UnknownRecord:
    """A record of a key, a version or a form that is not known under the schema set in force.

    Attributes:
        payload: the message, without its frame.
        value: the whole value, frame included, as it is in the log.
    """

    api_key: int
    version: int
    payload: bytes
    value: bytes


LogRecord: TypeAlias = Record | UnknownRecord

_Decoder: TypeAlias = Callable[[bytes, int], Any]
_Encoder: TypeAlias = Callable[[Any, bytes], bytes]


def _frame(api_key: int, version: int) -> bytes:
    return uvarint(FRAME_VERSION) + uvarint(api_key) + uvarint(version)


_ENCODERS: Final[dict[tuple[type, int], tuple[_Encoder, bytes]]] = {
    (cls, version): (encode, _frame(cls.API_KEY, version)) for (cls, version), (_, encode) in CODECS.items()
}
_DECODERS: Final[dict[bytes, _Decoder]] = {
    _frame(cls.API_KEY, version): decode
    for (cls, version), (decode, _) in CODECS.items()
    if cls.API_KEY < CONTESTED_KEY
}
"""By the first PREFIX_BYTES of a value, for the records that all schema sets share."""

_BY_SCHEMA: Final[dict[SchemaSet, dict[int, type[Record]]]] = {
    schema: {cls.API_KEY: cls for cls, only in SCHEMA_SETS.items() if only is schema} for schema in SchemaSet
}
"""What a schema set has beyond the records that all of them share."""

_FIELD_LEVEL_MAX: Final = max(level for fields in FIELD_LEVELS.values() for _, level in fields)
"""From this level on, no record has to be searched for fields that are too new."""


def decode_record(value: bytes, schema: SchemaSet) -> LogRecord:
    """Read one metadata record from its framed value.

    Raises:
        MalformedError: when the frame or the message breaks a rule; the text names message, field and offset.
    """
    decode = _DECODERS.get(value[:PREFIX_BYTES])
    if decode is not None:
        record: Record = decode(value, PREFIX_BYTES)
        return record
    return _decode_rare(value, schema)


def decode_records(values: Iterable[bytes], schema: SchemaSet) -> list[LogRecord]:
    """Read many metadata records under one schema set.

    Raises:
        MalformedError: as :func:`decode_record`.
    """
    find = _DECODERS.get
    return [
        _decode_rare(value, schema) if (decode := find(value[:PREFIX_BYTES])) is None else decode(value, PREFIX_BYTES)
        for value in values
    ]


def _decode_rare(value: bytes, schema: SchemaSet) -> LogRecord:
    api_key, version, at = _read_frame(value)
    cls = _BY_SCHEMA[schema].get(api_key) or _SHARED.get(api_key)
    codec = CODECS.get((cls, version)) if cls is not None else None
    if codec is None or (api_key == CONTESTED_KEY and not _has_form_of(cls, value, at)):
        return UnknownRecord(api_key, version, value[at:], value)
    record: Record = codec[0](value, at)
    return record


_SHARED: Final[dict[int, type[Record]]] = {cls.API_KEY: cls for cls in METADATA_RECORDS if cls.API_KEY < CONTESTED_KEY}


def _read_frame(value: bytes) -> tuple[int, int, int]:
    at = 0
    numbers: list[int] = []
    for name in ("frame version", "apiKey", "version"):
        try:
            number, at = read_uvarint(value, at)
        except (IndexError, ValueError) as error:
            raise MalformedError(f"metadata record of {len(value)} bytes: {name} at byte {at} is cut off") from error
        if number > PREFIX_MAX:
            raise MalformedError(f"metadata record: {name} {number} is over {PREFIX_MAX}")
        if not numbers and number != FRAME_VERSION:
            raise MalformedError(
                f"metadata record has frame version {number}, expected {FRAME_VERSION}"
                + (" (0 is the preview format of before Kafka 3.0)" if number == 0 else "")
            )
        numbers.append(number)
    return numbers[1], numbers[2], at


def _has_form_of(cls: type[Record] | None, value: bytes, at: int) -> bool:
    """Return whether a record of the contested key can be what the schema set says it is.

    An int32 is exactly four bytes before a tagged section that is empty, or has an author alone; a compact string, not
    null, fills all but that. The bytes of an author's tag are in no string.
    """
    if cls is UnregisterControllerRecord:
        return _has_author_at_most(value, at + 4)
    try:
        length, start = read_uvarint(value, at)
    except (IndexError, ValueError):
        return False
    return length > 0 and _has_author_at_most(value, start + length - 1)


def _has_author_at_most(value: bytes, at: int) -> bool:
    """Return whether a tagged section starts here that has no field, or that of an author (``records.authors``)."""
    return value[at:] == NO_TAGS or value.startswith(_AUTHOR_ALONE, at)


def encode_record(record: Record, version: int) -> bytes:
    """Write one metadata record as a framed value.

    Raises:
        LocalError: when there is no such version, or it cannot carry what the record holds.
    """
    encoder = _ENCODERS.get((type(record), version))
    if encoder is None:
        raise LocalError(
            f"{type(record).__name__} has no version {version}; it has {record.MIN_VERSION} to {record.MAX_VERSION}"
        )
    encode, frame = encoder
    return encode(record, frame)


def record_version(record_type: type[Record], metadata_version_level: int) -> int:
    """Return the version that a record is written in at a metadata.version level.

    Raises:
        LocalError: when that level has no such record.
    """
    version = _VERSION_AT.get((record_type, metadata_version_level))
    if version is None:
        version = _VERSION_AT[record_type, metadata_version_level] = _find_version(record_type, metadata_version_level)
    return version


_VERSION_AT: Final[dict[tuple[type[Record], int], int]] = {}
"""What was asked for before. Levels are few, so this stays small."""


def _find_version(record_type: type[Record], level: int) -> int:
    levels = LEVELS[record_type]
    is_elsewhere = SCHEMA_SETS.get(record_type, SchemaSet.for_level(level)) is not SchemaSet.for_level(level)
    if level < levels[0] or is_elsewhere:
        raise LocalError(f"{record_type.NAME} cannot be written at metadata.version {level}: it belongs to {levels[0]}")
    return sum(level >= since for since in levels[1:])


def encode_for_level(record: Record, level: int) -> bytes:
    """Write one metadata record in the version that a metadata.version level asks for.

    Raises:
        LocalError: when that level has no such record, or its version cannot carry what the record holds.
    """
    encode, frame = _ENCODERS[type(record), record_version(type(record), level)]
    if level < _FIELD_LEVEL_MAX and type(record) in FIELD_LEVELS:
        _check_fields(record, level)
    return encode(record, frame)


def _check_fields(record: Record, level: int) -> None:
    """Check that a record holds nothing in fields that come later than a level, although its version has them."""
    for attribute, since in FIELD_LEVELS[type(record)]:
        if level < since and getattr(record, attribute) != getattr(type(record)(), attribute):
            raise LocalError(
                f"{record.NAME}.{attribute} cannot be written at metadata.version {level}: it belongs to {since}"
            )


def encode_all_for_level(records: Iterable[Record], level: int) -> list[bytes]:
    """Write metadata records in the versions that one metadata.version level asks for, as :func:`encode_for_level`.

    Raises:
        LocalError: as there.
    """
    values: list[bytes] = []
    kind: type[Record] | None = None
    for record in records:
        # Most results are of one kind; what may hold fields that are too new is checked one by one.
        if type(record) is not kind:
            kind = type(record)
            encode, frame = _ENCODERS[kind, record_version(kind, level)]
        values.append(encode_for_level(record, level) if kind in FIELD_LEVELS else encode(record, frame))
    return values


def encoded_again(record: Record, value: bytes) -> bytes:
    """Write a record in the version of a value that it was written as before.

    Raises:
        LocalError: when that version cannot carry what the record holds.
    """
    _, version, _ = _read_frame(value)
    encode, frame = _ENCODERS[type(record), version]
    return encode(record, frame)


def type_name(record: LogRecord) -> str:
    """Return the name that Kafka's tools show, such as ``REGISTER_BROKER_RECORD``."""
    if isinstance(record, UnknownRecord):
        return f"UNKNOWN_RECORD_{record.api_key}"
    return snake_case(record.NAME).upper()
