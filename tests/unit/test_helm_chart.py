"""The files of ``deploy/helm/kraftpy`` that can be read without Helm; ``tests/interop/test_helm.py`` renders them."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

import kraftpy

ROOT = Path(__file__).resolve().parents[2]
CHART = ROOT / "deploy" / "helm" / "kraftpy"
VALUES_TEXT = (CHART / "values.yaml").read_text(encoding="utf-8")
VALUES = yaml.safe_load(VALUES_TEXT)
SCHEMA = json.loads((CHART / "values.schema.json").read_text(encoding="utf-8"))
EXAMPLES = sorted((CHART / "ci").glob("*-values.yaml"))
PAGE = (ROOT / "docs" / "helm.md").read_text(encoding="utf-8")

FREE = ("properties", "quantities", "labels", "annotations")
"""Definitions of objects of which the user chooses the keys."""


def test_the_chart_has_the_version_of_the_package() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text(encoding="utf-8"))
    assert chart["version"] == chart["appVersion"] == kraftpy.__version__


def test_the_monitoring_of_the_chart_is_no_copy() -> None:
    files = sorted((CHART / "files").iterdir())
    assert [one.name for one in files] == ["cluster.json", "quorum.json", "rules.yaml"]
    assert [one.resolve() for one in files] == [ROOT / "deploy" / "monitoring" / one.name for one in files]
    assert all(one.is_symlink() for one in files)


def test_every_value_has_a_comment() -> None:
    """In the line before; requests and limits, and what is in a list, are explained by that before them."""
    bare = [
        line.split(":")[0].strip()
        for before, line in pairwise(VALUES_TEXT.splitlines())
        if re.match(r" *[A-Za-z]+: \S", line) and not before.lstrip().startswith("#")
    ]
    assert set(bare) == {"cpu", "memory"}


def resolved(schema: dict[str, Any]) -> dict[str, Any]:
    reference = schema.get("$ref")
    return schema if reference is None else SCHEMA["definitions"][reference.rpartition("/")[2]]


def paths(schema: dict[str, Any], prefix: str = "") -> Iterator[str]:
    """Yield the path of every value that the schema knows."""
    for name, each in schema["properties"].items():
        inner = resolved(each)
        if "properties" in inner:
            yield from paths(inner, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}"


def leaves(values: dict[str, Any], known: set[str], prefix: str = "") -> Iterator[str]:
    for name, value in values.items():
        path = f"{prefix}{name}"
        if path in known or not isinstance(value, dict) or not value:
            yield path
        else:
            yield from leaves(value, known, f"{path}.")


def test_schema_and_values_have_the_same_keys() -> None:
    known = set(paths(SCHEMA)) - {"global"}
    assert set(leaves(VALUES, known)) == known


def objects(schema: Any) -> Iterator[dict[str, Any]]:
    """Yield every object of the schema."""
    if isinstance(schema, list):
        for each in schema:
            yield from objects(each)
    elif isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for each in schema.values():
            yield from objects(each)


def test_the_schema_allows_no_unknown_key() -> None:
    """Of which objects the user chooses the keys is said here. Helm gives `global` to a chart within another one."""
    free = [SCHEMA["definitions"][name] for name in FREE] + [SCHEMA["properties"]["global"]]
    strict = [one for one in objects(SCHEMA) if one.get("additionalProperties") is False]
    assert len(strict) > 20
    assert [one for one in objects(SCHEMA) if one not in strict and one not in free] == []


def bounds(schema: Any) -> Iterator[tuple[str, str, dict[str, Any]]]:
    if isinstance(schema, list):
        for each in schema:
            yield from bounds(each)
    elif isinstance(schema, dict):
        kind = schema.get("type")
        needed = {"string": "maxLength", "array": "maxItems"}.get(kind) if isinstance(kind, str) else None
        if needed is not None:
            yield str(kind), needed, schema
        for each in schema.values():
            yield from bounds(each)


def test_every_text_and_list_has_a_limit() -> None:
    found = list(bounds(SCHEMA))
    assert len(found) > 30
    assert [schema for _, needed, schema in found if needed not in schema] == []


@pytest.mark.parametrize("path", [CHART / "values.yaml", *EXAMPLES], ids=lambda path: path.name)
def test_values_fit_the_schema(path: Path) -> None:
    jsonschema.Draft7Validator.check_schema(SCHEMA)
    jsonschema.Draft7Validator(SCHEMA).validate(yaml.safe_load(path.read_text(encoding="utf-8")))


def test_everything_changes_what_it_can() -> None:
    """The example of everything has a value for each key that has an empty one in values.yaml, but for a few."""
    (everything,) = (yaml.safe_load(path.read_text()) for path in EXAMPLES if path.name.startswith("everything"))
    known = set(paths(SCHEMA)) - {"global"}
    given = set(leaves(everything, known))
    switches = {path for path in known if path.endswith(".enabled")}
    # True already, or what the example cannot have beside cert-manager.
    assert switches - given == {"networkPolicy.enabled", "disruptionBudget.enabled"}


def test_the_page_shows_values_that_there_are() -> None:
    """Blocks of YAML in docs/helm.md fit the schema, and the files that it names exist."""
    blocks = [yaml.safe_load(text) for text in re.findall(r"\n```yaml\n(.*?)```\n", PAGE, re.DOTALL)]
    values = [one for one in blocks if "kind" not in one]
    assert len(values) >= 3
    for one in values:
        jsonschema.Draft7Validator(SCHEMA).validate(one)
    known = set(paths(SCHEMA))
    named = set(re.findall(r"`([a-z]+(?:\.[A-Za-z]+)+)`", PAGE)) - {"tls-combined.pem", "ca.crt"}
    sections = {path.rpartition(".")[0] for path in known}
    values_named = {one for one in named if one.partition(".")[0] in VALUES}
    assert values_named
    assert values_named - known - sections == set()
