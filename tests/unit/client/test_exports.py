"""Everything that a caller of the client names is importable from ``kraftpy.client``."""

from __future__ import annotations

import ast
import inspect
from pathlib import Path

import kraftpy.client
from kraftpy.client import errors, values
from kraftpy.model import registrations

EXPORTED = set(kraftpy.client.__all__)


def test_every_value_is_exported() -> None:
    """A value is added that callers must import from a module of the package."""
    made: set[str] = set()
    for one in ast.parse(Path(values.__file__).read_text(encoding="utf-8")).body:
        match one:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                made.add(name)
            case ast.ImportFrom(names=names):
                made |= {each.asname for each in names if each.asname}
    assert {"Topics", "WatchEvent", "AclOperation"} <= made
    assert made - EXPORTED == set()


def test_every_failure_and_every_argument_is_exported() -> None:
    raised = {name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, Exception)}
    # RejectedError is an ApiError to callers.
    assert raised - {"RejectedError"} <= EXPORTED
    assert {registrations.RegisterBroker.__name__, registrations.BrokerHeartbeat.__name__} <= EXPORTED


def test_every_exported_name_is_there() -> None:
    assert [name for name in kraftpy.client.__all__ if not hasattr(kraftpy.client, name)] == []
