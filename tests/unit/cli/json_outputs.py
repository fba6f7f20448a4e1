"""Validates what commands print against the schemas of their outputs."""

from __future__ import annotations

from functools import cache
from typing import Any

import jsonschema

from kraftpy.cli.json_outputs import OUTPUTS, JsonOutput, OutputForm
from kraftpy.cli.json_schema import schema_of
from kraftpy.cli.root import ALIASES

BY_NAME = {output.name: output for output in OUTPUTS}

_TOKENS = "tests/integration/test_delegation_tokens.py"
ELSEWHERE = {
    "--version": ("tests/unit/cli/test_root.py", "needs no cluster"),
    **{f"delegation-tokens {verb}": (_TOKENS, "needs users that are known by certificates")
       for verb in ("create", "expire", "list", "renew")},
    "quickstart --once": ("tests/integration/test_quickstart.py", "makes a cluster of its own"),
    "repair skip": ("tests/unit/cli/test_repair.py", "needs a record that no node can replay"),
}  # fmt: skip
"""The outputs that tests/integration/test_json_outputs.py cannot make: the file whose test validates each, and why."""


@cache
def validator(name: str) -> Any:
    schema = schema_of(BY_NAME[name])
    jsonschema.Draft202012Validator.check_schema(schema)
    return jsonschema.Draft202012Validator(schema)


def faults(name: str, data: object) -> list[str]:
    """What of a value is not as the schema of an output has it."""
    return [f"{error.json_path}: {error.message[:300]}" for error in validator(name).iter_errors(data)]


def command_of(path: str) -> str:
    """The name of a command as outputs have it: ``kraftpy quorum describe`` is ``metadata-quorum describe``."""
    words = path.split()[1:]
    return " ".join([ALIASES.get(words[0], words[0]), *words[1:]]) if words else ""


def outputs_of(command: str, *, is_line: bool) -> list[JsonOutput]:
    line_forms = {OutputForm.LINES, OutputForm.JSONL_LINES}
    return [one for one in OUTPUTS if one.command == command and (one.form in line_forms) == is_line]


def check_printed(path: str, data: Any) -> None:
    """Fail unless a value is as one of the forms of its command."""
    command = command_of(path)
    known = outputs_of(command, is_line=False)
    assert known, f"kraftpy/cli/json_outputs.py has no output of {command!r}"
    found = {one.name: faults(one.name, data) for one in known}
    assert not all(found.values()), f"{command}: {found}"
