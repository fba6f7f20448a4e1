"""The columns of the tables that reading fills: names, types, meaning; shared by Arrow, Spark and DuckDB.

All tables are flat. Times are milliseconds since 1970 as integers, as in the files; ids of 16 bytes are Kafka's 22
characters of base64url.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from kraftpy.audit.optional_dependencies import extra

Kind: TypeAlias = Literal["string", "int", "long", "bool", "double", "binary"]

_DDL: Final[dict[str, str]] = {
    "string": "STRING", "int": "INT", "long": "BIGINT", "bool": "BOOLEAN", "double": "DOUBLE", "binary": "BINARY",
}  # fmt: skip
_ARROW: Final[dict[str, str]] = {
    "string": "string", "int": "int32", "long": "int64", "bool": "bool_", "double": "float64", "binary": "binary",
}  # fmt: skip


CORRUPT: Final = "CORRUPT"
"""The type of a row for a record or batch that cannot be read."""


@dataclass(frozen=True, slots=True)
class Column:
    """One column: its name, its kind, its meaning, and whether it may be NULL."""

    name: str
    kind: Kind
    text: str
    nullable: bool = False


Columns: TypeAlias = tuple[Column, ...]

_PLACE: Final[Columns] = (
    Column("cluster", "string", "from cluster=... in the path, else the cluster id beside the file, else ''"),
    Column("node", "string", "from node=... in the path, else the node id beside the file, else the directory"),
    Column("file", "string", "the file's path or URI, as it was found"),
)

FILE_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log, snapshot, bootstrap, properties, or sidecar: a file that states how far a log went"),
    Column("size", "long", "bytes when it was listed"),
    Column("base_offset", "long", "a log segment's first offset; 0 in a snapshot", nullable=True),
    Column("end_offset", "long", "a snapshot's end offset (exclusive), from its name", nullable=True),
    Column("epoch", "int", "a snapshot's epoch, from its name", nullable=True),
    Column("problem", "string", "a named corruption of the file as a whole, else NULL", nullable=True),
    Column("detail", "string", "the same in a sentence, else NULL", nullable=True),
)

BATCH_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log or snapshot"),
    Column("position", "long", "the byte at which it starts"),
    Column("size", "long", "bytes; where no batch can be read, what is left of the file"),
    Column("base_offset", "long", "offset of the first record", nullable=True),
    Column("last_offset", "long", "offset of the last record", nullable=True),
    Column("epoch", "int", "leader epoch", nullable=True),
    Column("record_count", "int", "records, as the header states", nullable=True),
    Column("control", "bool", "whether it is a control batch", nullable=True),
    Column("base_timestamp_ms", "long", "time of the first record", nullable=True),
    Column("max_timestamp_ms", "long", "largest time of a record", nullable=True),
    Column("crc_ok", "bool", "whether the checksum fits the bytes; NULL where no batch can be read", nullable=True),
    Column("bytes_hash", "string", "16 hex digits of all bytes, for agreement between nodes", nullable=True),
    Column("problem", "string", "NULL, or the name of a corruption: see scan.Problem", nullable=True),
    Column("detail", "string", "NULL, or the corruption in a sentence", nullable=True),
)

RECORD_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log or snapshot"),
    Column("base_offset", "long", "offset at which the record's batch starts"),
    Column("offset", "long", "offset of the record (in a snapshot: its place in the file)"),
    Column("epoch", "int", "leader epoch of the batch"),
    Column("timestamp_ms", "long", "time of the batch"),
    Column("batch_position", "long", "byte at which the batch starts"),
    Column("batch_size", "long", "bytes of the batch"),
    Column("control", "bool", "whether it is a control record"),
    Column("api_key", "int", "the record's type number; a control record's control type", nullable=True),
    Column("type", "string", "Kafka's name, such as TOPIC_RECORD or LEADER_CHANGE; UNKNOWN_RECORD_<n>; CORRUPT"),
    Column("version", "int", "record version, from its frame", nullable=True),
    Column("fields", "string", "the fields as a JSON object, as kafka-dump-log names them", nullable=True),
    Column("raw", "binary", "the record's value, byte for byte", nullable=True),
    Column("problem", "string", "NULL, or why the record or its batch cannot be read", nullable=True),
)

COUNT_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log or snapshot"),
    Column("hour_ms", "long", "the hour in which their batch was written"),
    Column("control", "bool", "whether they are control records"),
    Column("api_key", "int", "type number; a control record's control type"),
    Column("records", "long", "how many records"),
    Column("bytes", "long", "the bytes of their values"),
)

AUTHOR_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "always log"),
    Column("log_offset", "long", "offset of the first record that a request appended, or a part of it"),
    Column("record_count", "int", "how many records of the batch that is, that one and those behind it"),
    Column("value_bytes", "long", "the bytes of their values"),
    Column("timestamp_ms", "long", "time of the batch"),
    Column("principal", "string", "who asked for it; NULL where that cannot be read", nullable=True),
    Column("client_id", "string", "what the client calls itself", nullable=True),
    Column("request_id", "string", "the id of a gRPC client's request, in hex digits", nullable=True),
    Column("correlation_id", "long", "the id of a request within its connection", nullable=True),
    Column("problem", "string", "NULL, or why it cannot be read", nullable=True),
)

ACCOUNT_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log, snapshot or bootstrap"),
    Column("size", "long", "bytes when it was listed; a live log's last batch may reach beyond"),
    Column("batch_bytes", "long", "bytes that are good batches"),
    Column("free_bytes", "long", "zeros at the end of a segment, allocated ahead"),
    Column("corrupt_bytes", "long", "bytes that are not understood, or of batches with a problem"),
)

CONTRADICTION_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("kind", "string", "log-missing, log-cut, epochs-differ or vote-missing"),
    Column("log_offset", "long", "where the log ends, or differs; NULL where there is none", nullable=True),
    Column("detail", "string", "what contradicts what"),
)

PROPERTY_COLUMNS: Final[Columns] = (
    *_PLACE,
    Column("name", "string", "meta.properties, quorum-state, leader-epoch-checkpoint or partition.metadata"),
    Column("key", "string", "property key; leader epochs: the epoch"),
    Column("value", "string", "property value; leader epochs: the start offset"),
    Column("problem", "string", "NULL, or why the file cannot be read (then key and value are empty)", nullable=True),
)  # fmt: skip


def arrow_schema(columns: Columns) -> Any:
    """Return the ``pyarrow.Schema`` of a table."""
    pa = extra("pyarrow")
    return pa.schema([pa.field(c.name, getattr(pa, _ARROW[c.kind])(), nullable=c.nullable) for c in columns])


def spark_ddl(columns: Columns) -> str:
    """Return the schema as Spark writes it in DDL."""
    return ", ".join(f"`{c.name}` {_DDL[c.kind]}" + ("" if c.nullable else " NOT NULL") for c in columns)


def arrow_table(columns: Columns, rows: Sequence[Sequence[Any]]) -> Any:
    """Build a ``pyarrow.Table`` from row tuples in the order of the columns."""
    pa = extra("pyarrow")
    schema = arrow_schema(columns)
    data = list(zip(*rows, strict=True)) if rows else [()] * len(columns)
    return pa.Table.from_arrays(
        [pa.array(values, type=field.type) for values, field in zip(data, schema, strict=True)], schema=schema
    )
