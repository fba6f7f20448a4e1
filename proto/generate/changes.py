"""The generator of ``proto/kraftpy/v1/changes.proto``: the metadata records as protobuf messages.

Those who watch a cluster get typed changes without decoding records. Every record that changes state has a message with
its fields; nullable arrays are in messages of their own, because protobuf has one form for an empty list and for none.
Numbers of fields follow the order of the schemas, which only ever grow at their ends.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from kraftpy.records.metadata_changes import KRAFTPY_NUMBERS_FROM, is_change, number_of
from kraftpy.records.schema import Field, Struct
from proto.generate.grpc_messages import PROTO
from proto.generate.kafka_json import Source, load_sources

FILE: Final = PROTO / "kraftpy" / "v1" / "changes.proto"
WIDTH: Final = 117

TYPES: Final = {
    "bool": "bool", "int8": "int32", "int16": "int32", "int32": "int32", "int64": "int64", "uint16": "uint32",
    "float64": "double", "string": "string", "uuid": "bytes", "bytes": "bytes",
}  # fmt: skip
LISTS: Final = {"int32": "Int32List", "bytes": "UuidList"}
"""The messages of arrays that may be null, by the type of their elements."""

AUTHOR_NUMBER: Final = 5_000
"""The number of the field that is in every change; it is above those of all records."""

_HEAD: Final = f"""\
// Metadata records as messages: what a watcher gets that requests typed changes. Generated from proto/kafka/metadata by
// `python -m proto.generate`; edit the files there.
syntax = "proto3";

package kraftpy.v1;

// One change of the state, as a record of the log. A field that is absent, or has the value that its comment names for
// it, is unchanged. Records of types that this node does not know, transactions that were aborted, and records without
// an effect on the state are left out.
message MetadataChange {{
  // Numbers are those of the records' types, plus 1 for Kafka's and {KRAFTPY_NUMBERS_FROM} for those of this project.
  oneof record {{
"""

_AUTHOR_FIELD: Final = (
    "  // Who asked for the change; absent where the log names no author: for what nodes do by themselves, for what",
    "  // Kafka wrote, and in a snapshot.",
    f"  ChangeAuthor author = {AUTHOR_NUMBER};",
)

_LISTS: Final = """\
// Who asked for a change, as the log says.
message ChangeAuthor {
  // The principal, as access control entries name it; empty in one that cannot be read.
  string principal = 1;
  // What the client calls itself; empty for none.
  string client_id = 2;
  // The id of a request that its client may repeat; empty for none.
  bytes request_id = 3;
  // In the header of Kafka's protocol, or the id of a session's request.
  optional int64 correlation_id = 4;
  // Why the author cannot be read; empty where it can.
  string fault = 5;
}

// A list that may be absent.
message Int32List {
  repeated int32 values = 1;
}

// A list of UUIDs, of 16 bytes each, that may be absent.
message UuidList {
  repeated bytes values = 1;
}
"""


def render() -> str:
    """Return the text of the file."""
    sources = [source for source in load_sources("metadata") if is_change(source.spec.name)]
    lines = [_HEAD.rstrip("\n")]
    for source in sources:
        name = source.spec.root.class_name
        lines.append(f"    {name} {_snake(source)} = {number_of(source.spec.name)};")
    lines += ["  }", *_AUTHOR_FIELD, "}", "", _LISTS]
    for source in sources:
        for struct in source.spec.structs:
            lines += _message(source, struct)
    return "\n".join(lines).rstrip("\n") + "\n"


def _snake(source: Source) -> str:
    from kraftpy.records.schema import snake_case

    return snake_case(source.spec.name)


def _message(source: Source, struct: Struct) -> Iterator[str]:
    about = source.about if struct is source.spec.root else f"Part of {source.spec.name}."
    yield from _comment(about, "")
    yield f"message {struct.class_name} {{"
    for number, field in enumerate(struct.fields, 1):
        yield from _comment(source.abouts[struct.class_name, field.name], "  ")
        yield f"  {_type(field)} {field.attribute} = {number};"
    yield "}"
    yield ""


def _type(field: Field) -> str:
    name = field.struct.class_name if field.struct is not None else TYPES[field.kind]
    if not field.is_array:
        return f"optional {name}" if field.is_nullable else name
    return LISTS[name] if field.is_nullable else f"repeated {name}"


def _comment(text: str, indent: str) -> Iterator[str]:
    yield from textwrap.wrap(
        " ".join(text.split()), WIDTH, initial_indent=f"{indent}// ", subsequent_indent=f"{indent}// "
    )
