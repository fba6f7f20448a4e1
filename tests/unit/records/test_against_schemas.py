"""Our schemas against Kafka's own files, field by field and version by version."""

from __future__ import annotations

import pytest

from kraftpy.records.schema import Struct, Versions, load
from proto.generate.kafka_json import parse
from tests.unit.records.instances import SCHEMAS, is_ours, load_json, schema_files

RENAMED = {
    # Vote 2 (KIP-996) gave these their present names.
    "CandidateEpoch": "ReplicaEpoch",
    "CandidateId": "ReplicaId",
    "CandidateDirectoryId": "ReplicaDirectoryId",
}

if not SCHEMAS.is_dir():
    pytest.skip("the reference schemas are not beside this checkout", allow_module_level=True)

TABLES = {message.name: message for family in ("metadata", "control", "rpc") for message in load(family)}
FILES = [pytest.param(load_json(path), id=path.stem) for _, path in schema_files() if load_json(path)["name"] in TABLES]


def _range(text: str | None) -> Versions | None:
    return None if text in (None, "none") else Versions.parse(text)


def _shape(raw_fields, commons, version, flexible, renamed) -> list:
    shown = []
    for raw in raw_fields:
        versions = _range(raw.get("versions", raw.get("taggedVersions")))
        if versions is None or version not in versions:
            continue
        kind = raw["type"].removeprefix("[]")
        inner = raw.get("fields") or commons.get(kind)
        nullable = _range(raw.get("nullableVersions"))
        tagged = _range(raw.get("taggedVersions"))
        shown.append(
            (
                renamed.get(raw["name"], raw["name"]),
                raw["type"].startswith("[]"),
                kind if inner is None else _shape(inner, commons, version, flexible, renamed),
                nullable is not None,  # our codecs accept null in all versions if in any
                int(raw["tag"]) if tagged is not None and version in tagged else None,
                _default(raw.get("default"), kind, raw["type"].startswith("[]")),
            )
        )
    return shown


def _default(value, kind: str, is_array: bool):
    if value is None or value == "":
        return None if kind != "bool" or is_array else "false"
    text = str(value).lower()
    if kind.startswith(("int", "uint")) and text != "null":
        return None if int(text, 0) == 0 else str(int(text, 0))
    return text


def _ours(struct: Struct, version: int) -> list:
    return [
        (
            field.name,
            field.is_array,
            _ours(field.struct, version) if field.struct is not None else field.kind,
            field.is_nullable,
            field.tag,
            _default(field.default, field.kind, field.is_array),
        )
        for field in struct.fields_in(version)
        if not is_ours(field)
    ]


@pytest.mark.parametrize("raw", FILES)
def test_a_message_is_kafkas(raw) -> None:
    """A schema differs from Kafka's in a version that both have."""
    ours = TABLES[raw["name"]]
    commons = {struct["name"]: struct["fields"] for struct in raw.get("commonStructs", [])}
    versions = Versions.parse(raw["validVersions"])
    shared = [version for version in ours.version_numbers() if version in versions]
    assert shared, f"{ours.name}: none of {versions} is in our file"
    assert ours.versions.high >= versions.high
    assert ours.api_key == raw.get("apiKey")
    renamed = RENAMED if ours.name == "VoteRequest" else {}
    for version in shared:
        flexible = _range(raw.get("flexibleVersions"))
        assert (version in ours.flexible) == (flexible is not None and version in flexible)
        theirs = _shape(raw["fields"], commons, version, flexible, renamed)
        assert _ours(ours.root, version) == theirs, f"version {version}"


def test_every_metadata_and_control_record_has_a_schema() -> None:
    """A record of Kafka's is missing from ours."""
    names = {load_json(path)["name"] for family, path in schema_files() if family != "rpc"}
    assert names <= set(TABLES)


@pytest.mark.parametrize(
    "path", [pytest.param(path, id=path.stem) for _, path in schema_files() if path.stem in TABLES]
)
def test_kafkas_own_file_is_read(path) -> None:
    """A file of Kafka's cannot be copied over ours: our generator refuses it or reads it otherwise."""
    theirs, ours = parse(path.read_text(encoding="utf-8")).spec, TABLES[path.stem]
    if theirs.name == "VoteRequest":
        pytest.skip("its fields got other names later (KIP-996)")
    for version in set(theirs.version_numbers()) & set(ours.version_numbers()):
        assert _ours(theirs.root, version) == _ours(ours.root, version), f"version {version}"
