"""Everything that a caller of the client names is importable from ``kraftpy.client``, and is imported from there."""

from __future__ import annotations

import ast
import inspect
import re
import typing
from collections.abc import Iterator
from pathlib import Path

import pytest

import kraftpy.client
from kraftpy.client import AsyncClient, Client, errors, sasl, values
from tests.unit.client.documented import imports, programs

EXPORTED = set(kraftpy.client.__all__)

OTHER_INTERFACES = {
    "docs/examples/audit_with_spark.py": "kraftpy.audit.spark",
    "docs/spark.md": "kraftpy.audit.spark",
    "docs/policies.md": "kraftpy.policies",
}
"""What is no client: the data source of the auditor, and classes of users that run in a controller."""

SIGNATURES = "docs/api.md"
"""Its blocks are signatures, most of which are no Python."""

SHOWN = [(path, text) for path, text in programs() if not path.startswith(f"{SIGNATURES}:")]


def test_every_value_is_exported() -> None:
    """A value is added that callers must import from a module of the package."""
    made: set[str] = set()
    for one in ast.parse(Path(values.__file__).read_text(encoding="utf-8")).body:
        match one:
            case ast.ClassDef(name=name) | ast.AnnAssign(target=ast.Name(id=name)):
                made.add(name)
            case ast.ImportFrom(names=names):
                made |= {each.asname for each in names if each.asname}
    assert {"Topics", "WatchEvent", "AclOperation", "MetadataChange"} <= made
    assert made - EXPORTED == set()


def classes_in(hint: object) -> Iterator[type]:
    """Iterate over the classes of this project that a type hint names."""
    if isinstance(hint, type) and hint.__module__.startswith("kraftpy."):
        yield hint
    for part in hint if isinstance(hint, list) else typing.get_args(hint):
        yield from classes_in(part)


def hints_of(member: object) -> Iterator[type]:
    """Iterate over the classes in the hints of a function, or of the attributes of a class."""
    for hint in typing.get_type_hints(member, include_extras=True).values():
        yield from classes_in(hint)


def callables_of(owner: type) -> Iterator[object]:
    """Iterate over what callers of a class call: its constructor, and its public methods."""
    yield owner.__init__
    yield from (
        function for name, function in inspect.getmembers(owner, inspect.isfunction) if not name.startswith("_")
    )


def reachable() -> set[type]:
    """What callers get or give: in signatures, and in the attributes of all that is there."""
    credentials = [getattr(sasl, name) for name in vars(sasl) if name.endswith("Credentials")]
    called = [*callables_of(AsyncClient), *callables_of(Client), *(one.__init__ for one in credentials)]
    found = {AsyncClient, Client, *credentials}
    waiting = [hint for each in called for hint in hints_of(each)]
    while waiting:
        one = waiting.pop()
        if one not in found:
            found.add(one)
            waiting += hints_of(one)
    return found


def test_every_class_that_a_caller_meets_is_exported() -> None:
    """A parameter, a result, or an attribute of one has a class that callers must import from another package."""
    names = {one.__name__: one for one in reachable()}
    met = {"TopicInfo", "ReplicaKey", "Uuid", "TopicRecord", "Author", "RegisterController", "WriteWords", "Login"}
    assert met <= set(names)
    assert {name: one.__module__ for name, one in names.items() if name not in EXPORTED} == {}
    assert [name for name, one in names.items() if getattr(kraftpy.client, name) is not one] == []


def test_every_error_that_a_caller_catches_is_exported() -> None:
    raised = {name for name, value in vars(errors).items() if inspect.isclass(value) and issubclass(value, Exception)}
    # RejectedError is an ApiError to callers.
    assert raised - {"RejectedError"} <= EXPORTED
    texts = [inspect.getdoc(each) or "" for owner in (AsyncClient, Client) for each in (owner, *callables_of(owner))]
    documented = {name for text in texts for name in re.findall(r"^    (\w+Error): ", text, re.MULTILINE)}
    assert {"ApiError", "MalformedError", "UnavailableError", "UnknownOutcomeError"} <= documented
    assert documented - EXPORTED == set()


def test_every_exported_name_is_there() -> None:
    assert [name for name in kraftpy.client.__all__ if not hasattr(kraftpy.client, name)] == []
    assert len(kraftpy.client.__all__) == len(EXPORTED)


@pytest.mark.parametrize(("path", "text"), [pytest.param(*one, id=one[0]) for one in SHOWN])
def test_what_is_shown_imports_from_the_client_alone(path: str, text: str) -> None:
    """An example or a block of a page needs a module that is no public interface, or a name that is not exported."""
    allowed = OTHER_INTERFACES.get(path.partition(":")[0])
    taken = [(module, name) for module, name in imports(text) if module != allowed]
    assert [one for one in taken if one[0] != "kraftpy.client"] == []
    assert {name for _, name in taken if name is not None} - EXPORTED == set()


def test_signatures_import_nothing() -> None:
    shown = [text for path, text in programs() if path.startswith(f"{SIGNATURES}:")]
    assert len(shown) > 100
    assert [text for text in shown if re.search(r"^\s*(import|from) ", text, re.MULTILINE)] == []


def test_other_interfaces_are_those_that_are_shown() -> None:
    """An exemption that nothing needs any more."""
    used = {(path.partition(":")[0], module) for path, text in SHOWN for module, _ in imports(text)}
    assert set(OTHER_INTERFACES.items()) <= used


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("from kraftpy.client import Uuid", [("kraftpy.client", "Uuid")]),
        ("from kraftpy.model.ids import NodeId", [("kraftpy.model.ids", "NodeId")]),
        ("import kraftpy.client as v\nv.NewTopic", [("kraftpy.client", None), ("kraftpy.client", "NewTopic")]),
        ("import kraftpy.client\nkraftpy.client.X()", [("kraftpy.client", None), ("kraftpy.client", "X")]),
        ("def f():\n    from kraftpy import model", [("kraftpy", "model")]),
        ("import os, kraftpyx\nfrom . import a", []),
    ],
)
def test_imports_are_found(text: str, found: list[tuple[str, str | None]]) -> None:
    assert list(imports(text)) == found
