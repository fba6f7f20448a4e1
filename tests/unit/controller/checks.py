"""The numbered checks of the decisions, and one way to see which of them refuses a request.

Each module with decisions lists its checks in its docstring, in order. A table of a test names a request for each, one
that breaks later checks as well where it can, so that the order is shown. ``test_checks_coverage`` compares the two.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from tests.unit.controller.worlds import World

CONTROLLER = Path(__file__).parents[3] / "kraftpy" / "controller"
NUMBERED = re.compile(r"^(\d+)\. ", re.MULTILINE)


class Check(NamedTuple):
    """A request that a check refuses: its number, the code and a part of the message, and how to ask."""

    number: int
    code: ErrorCode
    text: str
    ask: Callable[[], list[tuple[ErrorCode, str]]]


Tables = dict[str, list[Check]]
"""Module to the requests for its checks."""


def refusals(world: World, request: Any) -> list[tuple[ErrorCode, str]]:
    """Decide a request; return its errors: that of the request alone, or those of its parts in order.

    A request that is refused as a whole changes nothing.
    """
    before = world.controller.image
    try:
        _, response = world.do(request)
    except ApiError as refused:
        assert world.controller.image is before
        return [(refused.code, refused.message)]
    except BusyError as busy:
        return [(ErrorCode.THROTTLING_QUOTA_EXCEEDED, str(busy))]
    return [one for one in _errors(response) if one[0] is not ErrorCode.NONE]


def _errors(value: Any) -> Iterator[tuple[ErrorCode, str]]:
    if hasattr(value, "error"):
        yield value.error, getattr(value, "message", None) or ""
    elif hasattr(value, "results"):
        yield from _errors(value.results)
    elif isinstance(value, tuple):
        for each in value:
            yield from _errors(each)
    elif is_dataclass(value):
        for field in fields(value):
            yield from _errors(getattr(value, field.name))


def parameters(tables: Tables) -> list[Any]:
    """The checks for pytest, by module and number."""
    return [
        pytest.param(check, id=f"{module}-{check.number}-{place}")
        for module, checks in tables.items()
        for place, check in enumerate(checks)
    ]


def holds(check: Check) -> None:
    """Fail unless the first error is that of the check."""
    found = check.ask()
    assert found, "nothing is refused"
    assert found[0][0] is check.code, found[0]
    assert check.text in found[0][1]


def numbered(module: str) -> list[int]:
    """The numbers of the checks that a module of the controller lists; compiled modules have no docstring."""
    text = ast.get_docstring(ast.parse((CONTROLLER / f"{module}.py").read_text(encoding="utf-8"))) or ""
    return [int(number) for number in NUMBERED.findall(text)]
