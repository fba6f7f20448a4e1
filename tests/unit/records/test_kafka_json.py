"""Reading schemas in Kafka's JSON form, and what is generated from them besides codecs."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest

from kraftpy.model.features import METADATA_VERSIONS
from kraftpy.records.rpc import API_VERSIONS
from kraftpy.records.schema import FAMILIES, OPEN_END, Versions, load
from proto.generate import records_page
from proto.generate.kafka_json import KAFKA, load_sources, parse, read_source
from proto.generate.levels import CONTROL_TYPES, METADATA_LEVELS

FIELDS: list[dict[str, Any]] = [
    {"name": "Id", "type": "int32", "versions": "0+", "default": "0x7fffffff", "about": "Which // one."},
    {"name": "Parts", "type": "[]Part", "versions": "1+", "nullableVersions": "1+", "ignorable": True, "fields": [
        {"name": "Text", "type": "string", "versions": "1+", "flexibleVersions": "none", "mapKey": True},
    ]},
    {"name": "Rest", "type": "[]Shared", "versions": "2+", "taggedVersions": "2+", "tag": 3},
]  # fmt: skip


def text_of(**changes: Any) -> str:
    message = {
        "apiKey": 4, "type": "request", "name": "Some", "validVersions": "0-2", "flexibleVersions": "2+",
        "fields": FIELDS, "commonStructs": [{"name": "Shared", "versions": "0+", "fields": FIELDS[:1]}],
    }  # fmt: skip
    return "// What it is for,\n// in two lines.\n" + json.dumps(message | changes, indent=1)


def test_a_file_is_read() -> None:
    """A property of a field or of the message is lost or misread."""
    source = parse(text_of().replace('"fields"', '// a comment: {"x"}\n"fields"', 1))
    spec = source.spec
    assert source.about == "What it is for, in two lines."
    assert (spec.api_key, spec.versions, spec.flexible) == (4, Versions(0, 2), Versions(2, OPEN_END))
    assert [struct.class_name for struct in spec.structs] == ["SomePart", "SomeShared", "Some"]
    number, parts, rest = spec.root.fields
    assert (number.kind, number.default, source.abouts["Some", "Id"]) == ("int32", "2147483647", "Which // one.")
    assert (parts.is_array, parts.is_nullable, parts.is_ignorable, parts.tag) == (True, True, True, None)
    assert parts.struct is spec.structs[0]
    assert parts.struct.fields[0].is_plain
    assert (rest.tag, rest.struct, rest.is_nullable) == (3, spec.structs[1], False)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"taggedVersions": "2+", "tag": 1}, "is not all of 0"),
        ({"nullableVersion": "0+"}, "not known: nullableVersion"),
        ({"versions": "first"}, "first"),
        ({"default": "many"}, "many"),
    ],
)
def test_what_cannot_be_generated_is_refused(change: dict[str, Any], why: str, tmp_path) -> None:
    """A property that the codecs would ignore is accepted, or the error does not name the file."""
    path = tmp_path / "Some.json"
    path.write_text(text_of(fields=[FIELDS[0] | change], commonStructs=[]))
    with pytest.raises(ValueError, match=rf"Some\.json.*{why}"):
        read_source(path)


@pytest.mark.parametrize("family", FAMILIES)
def test_every_message_and_field_is_described(family: str) -> None:
    """A message or a field has no text, or its file has another name than the message."""
    for source in load_sources(family):
        spec = source.spec
        assert source.about.endswith("."), spec.name
        assert (KAFKA / family / f"{spec.name}.json").exists()
        described = {(struct.class_name, field.name) for struct in spec.structs for field in struct.fields}
        assert {place for place, about in source.abouts.items() if about.endswith(".")} == described, spec.name


@pytest.mark.parametrize("family", FAMILIES)
def test_the_service_has_the_schemas_of_the_files(family: str) -> None:
    """The generated schema module is not what the files contain."""
    assert load(family) == tuple(source.spec for source in load_sources(family))


def test_levels_name_every_record_and_version() -> None:
    """A record, or a version of one, has no metadata.version; or one that changes nothing brings a version."""
    specs = {message.name: message for message in load("metadata")}
    assert METADATA_LEVELS.keys() == specs.keys()
    assert CONTROL_TYPES.keys() == {message.name for message in load("control")}
    changing = {version.level for version in METADATA_VERSIONS if version.changes_metadata}
    for name, each in METADATA_LEVELS.items():
        assert len(each.levels) == len(specs[name].version_numbers()), name
        assert list(each.levels) == sorted(each.levels), name
        assert {*each.levels[1:], *each.fields.values()} <= changing, name
        assert each.fields.keys() <= {field.name for field in specs[name].root.fields}, name


def test_the_page_is_fresh_and_complete() -> None:
    """docs/records.md is stale (run python -m proto.generate), or it lacks a record, a level of a field or an API."""
    text = records_page.PAGE.read_text(encoding="utf-8")
    assert text == records_page.render()
    named = set(re.findall(r"^### (\w+)", text, re.MULTILINE))
    assert {message.name for family in ("metadata", "control") for message in load(family)} <= named
    assert "| `logDirs` | array of uuid (tag 0) | 17 |" in text
    assert "| `saturatedLogDirs` | array of uuid (tag 1000) | 42 |" in text
    for known in API_VERSIONS.values():
        assert f"| {known.api_key} | {known.name} | {known.min_version}" in text
