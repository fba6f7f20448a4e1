"""``--format-version`` is kept: every name that the last landed version prints as JSON is there, with its type."""

from __future__ import annotations

import copy
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kraftpy.cli.json_outputs import OUTPUTS
from kraftpy.cli.json_schema import file_name, schema_of
from kraftpy.cli.output import FORMAT_VERSION
from tests.unit.cli.json_outputs import BY_NAME
from tests.upgrade.schema_changes import breaking_changes

DESCRIBED = schema_of(BY_NAME["cluster describe"])
LINES = schema_of(BY_NAME["dump-log -o jsonl"])
MAPPED = schema_of(BY_NAME["configs describe"])


def names(schema: dict[str, Any], *path: str) -> dict[str, Any]:
    """The names of an object in a schema, by those that lead to it."""
    for name in path:
        schema = schema["properties"][name]["items"]
    return schema["properties"]


def renamed(schema: dict[str, Any]) -> None:
    brokers = names(schema, "brokers")
    brokers["epoch"] = brokers.pop("brokerEpoch")


def with_text(schema: dict[str, Any]) -> None:
    names(schema)["leaderId"]["type"] = ["string", "null"]


def with_any_text(schema: dict[str, Any]) -> None:
    del names(schema, "brokers")["incarnationId"]["pattern"]


def nullable(schema: dict[str, Any]) -> None:
    names(schema, "brokers")["state"]["type"] = ["string", "null"]


def nullable_object(schema: dict[str, Any]) -> None:
    names(schema)["brokers"] = {"anyOf": [names(schema)["brokers"], {"type": "null"}]}


def with_any_value(schema: dict[str, Any]) -> None:
    names(schema, "brokers")["state"] = {"description": "As before."}


def optional(schema: dict[str, Any]) -> None:
    schema["required"].remove("controllers")


def with_numbers(schema: dict[str, Any]) -> None:
    names(schema, "controllers")["endpoints"]["items"] = {"type": "number"}


@pytest.mark.parametrize(
    ("change", "faults"),
    [
        (lambda schema: names(schema).pop("clusterId"), ["$.clusterId: removed"]),
        (renamed, ["$.brokers[].brokerEpoch: removed"]),
        (with_text, ['$.leaderId: type was "integer", is "string"']),
        (with_any_text, ['$.brokers[].incarnationId: pattern was "^[A-Za-z0-9_-]{22}$", is gone']),
        (nullable, ["$.brokers[].state: became nullable"]),
        (nullable_object, ["$.brokers: became nullable"]),
        (with_any_value, ["$.brokers[].state: became nullable", '$.brokers[].state: type was "string", is gone']),
        (optional, ["$.controllers: may be left out"]),
        (with_numbers, ['$.controllers[].endpoints[]: type was "string", is "number"']),
    ],
)
def test_what_breaks_readers_is_found(change: Callable[[Any], object], faults: list[str]) -> None:
    new = copy.deepcopy(DESCRIBED)
    change(new)
    assert breaking_changes(DESCRIBED, new) == faults


def test_what_readers_do_not_notice_is_none() -> None:
    new = copy.deepcopy(DESCRIBED)
    names(new, "brokers")["new"] = {"type": ["string", "null"]}
    names(new)["leaderId"]["type"] = "integer"
    names(new)["clusterId"]["description"] = "Another text."
    assert breaking_changes(DESCRIBED, new) == []


def test_forms_may_be_added_and_none_changes() -> None:
    """A line of a kind that is gone is found by the form that is most like it."""
    assert breaking_changes(DESCRIBED, {"oneOf": [{"type": "object", "properties": {}}, DESCRIBED]}) == []
    assert breaking_changes(LINES, {**LINES, "oneOf": LINES["oneOf"][::-1]}) == []
    assert breaking_changes(LINES, {**LINES, "oneOf": LINES["oneOf"][1:]})
    new = copy.deepcopy(LINES)
    new["oneOf"][2]["properties"].pop("controlType")
    assert breaking_changes(LINES, new) == ["$.controlType: removed"]


def test_values_by_key_have_their_type() -> None:
    new = copy.deepcopy(MAPPED)
    values = new["items"]["properties"]["configs"]
    values["additionalProperties"] = {"type": "integer"}
    assert breaking_changes(MAPPED, new) == ['$[].configs{}: type was "string", is "integer"']
    values["additionalProperties"] = True
    assert breaking_changes(MAPPED, new) == ["$[].configs{}: no type is named any more"]


def test_every_landed_name_is_still_there(old_format: tuple[int, Path]) -> None:
    """A name of a landed version is removed, renamed, retyped or nullable, and the format version is what it was."""
    version, directory = old_format
    if version != FORMAT_VERSION:
        pytest.skip(f"format version {FORMAT_VERSION} is new, and so its names may be: version {version} has landed")
    old = {path.name: json.loads(path.read_text(encoding="utf-8")) for path in directory.glob("*.json")}
    assert old
    new = {file_name(output): schema_of(output) for output in OUTPUTS}
    assert sorted(old.keys() - new.keys()) == [], "outputs are gone"
    found = {name: breaking_changes(schema, new[name]) for name, schema in old.items()}
    faults = {name: changes for name, changes in found.items() if changes}
    assert not faults, f"{faults}: keep the names, or raise FORMAT_VERSION (kraftpy/cli/output.py, docs/json.md)"
