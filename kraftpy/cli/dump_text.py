"""Batches and records as ``kafka-dump-log`` prints them, and the same as JSON.

The record table follows the metadata.version while walking. A segment that starts in the middle of a log does not say
which one is in force; then the tables are tried in turn for the one contested key, whose two forms cannot be confused.

Source: Kafka ``DumpLogSegments``; tools §5.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from kraftpy.cli.dump_walk import FoundBatch
from kraftpy.cli.output import kafka_json
from kraftpy.model.errors import KraftError
from kraftpy.model.features import METADATA_VERSION, SchemaSet
from kraftpy.model.iso_time import time_fields
from kraftpy.records.codec import read_uvarint
from kraftpy.records.control import ControlRecord, encode_control
from kraftpy.records.json_text import Json, control_label, control_to_json, control_type_text
from kraftpy.records.metadata import FeatureLevelRecord, LogRecord, UnknownRecord, decode_record
from kraftpy.records.redaction import REDACTED, shown_json

NO_SEQUENCE = -1


@dataclass(frozen=True, slots=True)
class ShownRecord:
    """One record, in both forms.

    Attributes:
        text: how Kafka's tool prints it, after the record's metadata.
        fault: why it could not be decoded; empty where it could.
    """

    offset: int
    timestamp_ms: int
    key_size: int
    value_size: int
    text: str
    data: Json
    fault: str = ""

    def as_json(self) -> Json:
        """Return it as plain values."""
        shown = {"type": None, "version": None, "controlType": None, "data": None, **self.data}
        fault = self.fault or None
        return {"offset": self.offset, **time_fields("create", self.timestamp_ms), **shown, "fault": fault}

    @property
    def metadata(self) -> str:
        """The front part of Kafka's line."""
        return (
            f"offset: {self.offset} CreateTime: {self.timestamp_ms} keySize: {self.key_size} "
            f"valueSize: {self.value_size} sequence: {NO_SEQUENCE} headerKeys: []"
        )


def batch_line(found: FoundBatch) -> str:
    """Print the line of a batch."""
    batch = found.batch
    producer_id, producer_epoch, base_sequence = found.producer
    last_sequence = NO_SEQUENCE if base_sequence < 0 else base_sequence + batch.last_offset_delta
    return (
        f"baseOffset: {batch.base_offset} lastOffset: {batch.last_offset} count: {batch.record_count} "
        f"baseSequence: {base_sequence} lastSequence: {last_sequence} producerId: {producer_id} "
        f"producerEpoch: {producer_epoch} partitionLeaderEpoch: {batch.epoch} "
        f"isTransactional: {_bool(batch.attributes & 0x10)} isControl: {_bool(batch.is_control)} "
        f"deleteHorizonMs: OptionalLong.empty position: {found.position} CreateTime: {batch.max_timestamp_ms} "
        f"size: {batch.size} magic: {batch.magic} compresscodec: {found.compression} crc: {batch.crc} "
        f"isvalid: {_bool(found.crc_matches)}"
    )


def batch_json(found: FoundBatch) -> Json:
    """Show a batch's header."""
    batch = found.batch
    return {
        "baseOffset": batch.base_offset,
        "lastOffset": batch.last_offset,
        "recordCount": batch.record_count,
        "leaderEpoch": batch.epoch,
        "isControl": batch.is_control,
        "position": found.position,
        **time_fields("create", batch.max_timestamp_ms),
        "bytes": batch.size,
        "crc": batch.crc,
        "isValid": found.crc_matches,
        "fault": found.fault or None,
    }


def _bool(value: object) -> str:
    return "true" if value else "false"


class RecordPrinter:
    """Decodes the records of one file in order.

    Attributes:
        schema: the record table in force; ``None`` while no metadata.version was seen.
    """

    def __init__(self, marker: str | None = REDACTED) -> None:
        """Show records with a marker in place of secrets; ``None`` shows them."""
        self.schema: SchemaSet | None = None
        self._marker = marker

    def records(self, found: FoundBatch) -> Iterator[ShownRecord]:
        """Show every record of a batch; one that cannot be decoded is shown with its fault.

        Raises:
            MalformedError: when the batch's bytes do not divide into records.
        """
        batch = found.batch
        if batch.is_control:
            for index, control in enumerate(batch.control_records()):
                yield _show_control(control, batch.base_offset + index, batch.base_timestamp_ms)
        else:
            for index, value in enumerate(batch.values()):
                yield self._show_value(value, batch.base_offset + index, batch.base_timestamp_ms)

    def _show_value(self, value: bytes, offset: int, timestamp_ms: int) -> ShownRecord:
        try:
            record = self._decode(value)
            data = shown_json(record, _version(value), self._marker)
        except KraftError as error:
            text = f"payload: Error at {offset}, skipping. {error}"
            return ShownRecord(offset, timestamp_ms, -1, len(value), text, {}, str(error))
        return ShownRecord(offset, timestamp_ms, -1, len(value), f"payload: {kafka_json(data)}", data)

    def _decode(self, value: bytes) -> LogRecord:
        record = decode_record(value, self.schema or SchemaSet.KRAFTPY)
        if isinstance(record, UnknownRecord) and self.schema is None:
            record = decode_record(value, SchemaSet.KAFKA_4_4)
        if isinstance(record, FeatureLevelRecord) and record.name == METADATA_VERSION:
            self.schema = SchemaSet.for_level(record.feature_level)
        return record


def _version(value: bytes) -> int:
    number = at = 0
    for _ in ("frame version", "apiKey", "version"):
        number, at = read_uvarint(value, at)
    return number


def _show_control(control: ControlRecord, offset: int, timestamp_ms: int) -> ShownRecord:
    key, value = encode_control(control)
    label, data = control_label(control), control_to_json(control, as_kafka=True)
    kind = control_type_text(control)
    text = f"controlType: {kind}" if label is None else f"{label} {kafka_json(data)}"
    return ShownRecord(offset, timestamp_ms, len(key), len(value), text, {"controlType": kind, "data": data})
