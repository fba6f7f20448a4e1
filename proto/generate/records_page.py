"""The page ``docs/records.md``: every metadata record with its fields and levels, and every message that is spoken."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from kraftpy.model.features import BY_LEVEL, METADATA_VERSIONS
from kraftpy.records.authors import AUTHOR_CLIENT_ID_CHARACTERS_MAX as _CLIENT_ID_MAX
from kraftpy.records.authors import AUTHOR_PRINCIPAL_CHARACTERS_MAX as _PRINCIPAL_MAX
from kraftpy.records.authors import AUTHOR_REQUEST_ID_BYTES_MAX as _REQUEST_ID_MAX
from kraftpy.records.authors import CORRELATION_BYTES_MAX, CORRELATION_TAG
from kraftpy.records.codec import AUTHOR_TAG
from kraftpy.records.json_text import OUR_TAGS_FROM
from kraftpy.records.schema import Field, Struct, Versions
from proto.generate.kafka_json import Source, load_sources
from proto.generate.levels import CONTROL_TYPES, METADATA_LEVELS, RecordLevels

ROOT: Final = Path(__file__).resolve().parents[2]
PAGE: Final = ROOT / "docs" / "records.md"

_HEAD: Final = """\
# Records and messages

Generated from [proto/kafka](../proto/kafka/README.md) by `python -m proto.generate`; edit the files there.

A record of the log has a type (its key) and a version. Which version is written depends on the metadata.version of the
cluster. *Since* is the first level at which a record or a field is written; the table of levels is at the end. A field
without a level is there since its record is. *tag* marks a tagged field, which is left out at its default.

kraftpy's controller writes every metadata record that the level in force allows, except FenceBrokerRecord,
UnfenceBrokerRecord and ZkMigrationStateRecord, which Kafka 4.3 does not write either: they are only read.
"""

_AUTHORS: Final = f"""
## Authors

An administrative change of a client (what it is, is in [deploy.md](deploy.md#who-changed-what)) names its author
in the log: the principal that the controller authenticated, or that a broker named in an Envelope; what the client
calls itself; and its ids of the request. Addresses are not stored. `kraftpy watch`, `observe` and `history` show it for
each record, and `kraftpy audit --growth` counts records and bytes by it.

It is a tagged field of the first record that the request appended, with the tag {AUTHOR_TAG}. Kafka's controllers,
brokers and tools skip tagged fields that they do not know. It is also about the records behind that one in the same
batch, as many as it says; a request that needs several batches names its author in each. Replay does not look at it:
no state, no snapshot and no state digest has it. One that cannot be read is shown with the reason, and stops no reader.

| Part | Type | At most | Meaning |
| --- | --- | --- | --- |
| records | unsigned varint | | How many records it is about, the one that has it included. |
| principal | compact string | {_PRINCIPAL_MAX} characters | As access control entries name it; no control characters. |
| client id | compact string | {_CLIENT_ID_MAX} characters | What the client calls itself; empty for none. |
| request id | compact bytes | {_REQUEST_ID_MAX} bytes | Of a gRPC client that may repeat the request; empty for none. |
| correlation id | integer (tag {CORRELATION_TAG}) | {CORRELATION_BYTES_MAX} bytes | Of Kafka's header or a session. |

What brokers and controllers do by themselves has no author (registrations, heartbeats, in-sync sets, elections), and
control records have none either: changes of the voters, and of kraft.version, are in the controller's log alone.
`metadata.log.authors.enable=false` writes none. A node of a version that does not know the field counts it as unknown
and writes no snapshot of such a log, has no state digest then, and does not take an UnregisterControllerRecord with an
author into its state. So set it false until all nodes are upgraded, and some time before a downgrade
([rolling.md](rolling.md#a-downgrade)).
"""


def render() -> str:
    """Return the text of the page."""
    parts = (_HEAD.splitlines(), _AUTHORS.splitlines(), _metadata(), _control(), _messages(), _levels())
    return "\n".join(line for part in parts for line in part) + "\n"


def _metadata() -> Iterator[str]:
    yield from ("", "## Metadata records")
    for source in load_sources("metadata"):
        levels = METADATA_LEVELS[source.spec.name]
        yield from ("", f"### {source.spec.name}", "", source.about, "")
        written = ", ".join(f"version {version} since {level}" for version, level in enumerate(levels.levels))
        only = "" if levels.schema_set is None else f" Only in the table `{levels.schema_set.value}`."
        yield f"Key {source.spec.api_key}; {written}.{only}"
        yield from _fields(source, levels)


def _control() -> Iterator[str]:
    yield from ("", "## Control records", "", "Raft writes them. They are always written as version 0.")
    for source in load_sources("control"):
        number = CONTROL_TYPES[source.spec.name]
        yield from ("", f"### {source.spec.name}", "", source.about, "", f"Control type {number}.")
        yield from _fields(source, None)


def _fields(source: Source, levels: RecordLevels | None) -> Iterator[str]:
    if not source.spec.root.fields:
        yield from ("", "It has no fields.")
        return
    yield from ("", "| Field | Type | Since | Meaning |", "| --- | --- | --- | --- |")
    yield from _rows(source, source.spec.root, levels, "")


def _rows(source: Source, struct: Struct, levels: RecordLevels | None, path: str) -> Iterator[str]:
    for field in struct.fields:
        name = f"{path}{field.text_name}"
        since = "" if levels is None else _since(field, levels)
        yield f"| `{name}` | {_type(field)} | {since} | {source.abouts.get((struct.class_name, field.name), '')} |"
        if field.struct is not None:
            yield from _rows(source, field.struct, levels, f"{name}.")


def _since(field: Field, levels: RecordLevels) -> str:
    if field.name in levels.fields:
        return str(levels.fields[field.name])
    return str(levels.levels[field.versions.low]) if field.versions.low else ""


def _about(source: Source, struct: Struct, field: Field) -> str:
    return source.abouts.get((struct.class_name, field.name), "")


def _type(field: Field) -> str:
    kind = "struct" if field.struct is not None else field.kind
    parts = [f"array of {kind}" if field.is_array else kind]
    parts += ["or null"] if field.is_nullable else []
    parts += [f"(tag {field.tag})"] if field.tag is not None else []
    return " ".join(parts)


def _messages() -> Iterator[str]:
    sources = {source.spec.name: source for source in load_sources("rpc")}
    yield from ("", "## Messages", "")
    yield from ("Requests and responses that kraftpy reads and writes; a listener may serve fewer.", "")
    yield "| Key | API | Versions | Flexible from | Request | Response |"
    yield "| --- | --- | --- | --- | --- | --- |"
    for name, request in sources.items():
        if name.endswith("Request"):
            api, spec = name.removesuffix("Request"), request.spec
            cells = (f"{spec.api_key}", api, _range(spec.versions), f"{spec.flexible.low}", request.about)
            yield f"| {' | '.join(cells)} | {sources[f'{api}Response'].about} |"
    yield from ("", "### Fields of ours", "", "Their tags are 1000 and above; Kafka skips them.", "")
    yield from ("| Field | Type | From version | Meaning |", "| --- | --- | --- | --- |")
    for source in sources.values():
        for struct in source.spec.structs:
            for field in struct.fields:
                if field.tag is not None and field.tag >= OUR_TAGS_FROM:
                    about = _about(source, struct, field)
                    yield f"| `{source.spec.name}.{field.name}` | {_type(field)} | {field.versions.low} | {about} |"


def _range(versions: Versions) -> str:
    return f"{versions.low}" if versions.low == versions.high else f"{versions.low} to {versions.high}"


def _levels() -> Iterator[str]:
    yield from ("", "## Levels of metadata.version", "", "| Level | Name | Brings |", "| --- | --- | --- |")
    for version in METADATA_VERSIONS:
        yield f"| {version.level} | {version.name} | {', '.join(_brought(version.level))} |"


def _brought(level: int) -> Iterator[str]:
    """Yield the records, versions of records and fields that a level brings."""
    first = min(BY_LEVEL)
    for name, each in METADATA_LEVELS.items():
        for version, since in enumerate(each.levels):
            if since == level and level > first:
                yield f"{name} version {version}" if version else name
        for field, since in each.fields.items():
            if since == level:
                yield f"{name}.{field}"
