"""The names in JSON: all are in the registry and used, times come in pairs, and another format version is refused."""

from __future__ import annotations

import json
import os
from collections.abc import Iterator

import pytest
import yaml

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.json_fields import FIELDS
from kraftpy.cli.json_outputs import OUTPUTS, Members
from kraftpy.cli.output import Output, kafka_json, show
from tests.unit.cli.json_outputs import faults, validator


def objects(members: Members) -> Iterator[list[str]]:
    """Yield the names of an object, and of those in it."""
    yield [(one if isinstance(one, str) else one[0]).removesuffix("?") for one in members]
    for one in members:
        if isinstance(one, tuple):
            yield from objects(one[1:])


NAMES = [names for output in OUTPUTS for shape in output.shapes for names in objects(shape)]


def test_every_name_is_registered_and_used() -> None:
    assert {name for names in NAMES for name in names} == set(FIELDS)


def test_no_object_has_a_name_twice_and_times_are_pairs() -> None:
    for names in NAMES:
        assert len(names) == len(set(names)), names
        stems = {name.removesuffix("Timestamp") for name in names if name.endswith("Timestamp")}
        assert stems == {name.removesuffix("Time") for name in names if name.endswith("Time")}, names


@pytest.mark.parametrize("output", OUTPUTS, ids=lambda each: each.name)
def test_each_schema_is_valid_and_refuses_another_value(output) -> None:
    assert validator(output.name)
    assert faults(output.name, {"cluster_id": 1})


def test_another_format_version_is_refused_by_name(run) -> None:
    result = run("storage", "random-uuid", "-o", "json", "--format-version", "2")
    assert result.exit_code == ExitCode.USAGE
    assert "version 2 is not known; this kraftpy writes version 1" in result.stderr
    assert run("audit", "--list-rules", "--format-version", "2").exit_code == ExitCode.USAGE
    assert run("storage", "random-uuid", "-o", "json", "--format-version", "1").exit_code == ExitCode.OK


def test_yaml_has_the_value_of_json(run) -> None:
    args = ("storage", "feature-dependencies", "-f", "transaction.version=2")
    assert yaml.safe_load(run(*args, "-o", "yaml").stdout) == json.loads(run(*args, "-o", "json").stdout)


@pytest.mark.parametrize("form", ["json", "jsonl", "yaml"])
def test_a_file_name_that_is_not_utf8_is_escaped(run, tmp_path, form) -> None:
    """Its bytes as they are would be no JSON."""
    out = os.fsdecode(os.fsencode(tmp_path) + b"/a\xff")
    printed = run("config", "generate", "--controllers", "a,b,c", "--out", out, "-o", form).stdout_bytes
    read = yaml.safe_load if form == "yaml" else json.loads
    assert f"{out}/controller-1.properties" in read(printed.decode("utf-8"))["files"]


def test_controls_of_terminals_are_escaped(capsys) -> None:
    """A topic's or client's name reaches a terminal with -o json, too."""
    data = {"principal": "User:\x1b[2J\x7f\x9b2J"}
    for form in (Output.JSON, Output.JSONL):
        show(form, data, ())
        printed = capsys.readouterr().out
        assert printed.isascii()
        assert set(printed) & {"\x1b", "\x7f"} == set()
        assert json.loads(printed) == data
    assert kafka_json("\x01\x7f\x9b") == '"\\u0001\x7f\x9b"', "dump-log prints what Kafka's prints"
