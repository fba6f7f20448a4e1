"""``docs/api.md`` has everything that a program can call, and explains it."""

from __future__ import annotations

import inspect
import re
from pathlib import Path
from typing import get_args

import pytest
from google.protobuf.descriptor import Descriptor

from kraftpy.client import AsyncClient, Client, MetadataChange, UnavailableError, UnknownOutcomeError, Uuid, values
from kraftpy.pb.v1 import (
    admin_pb2,
    authentication_pb2,
    cluster_pb2,
    common_pb2,
    errors_pb2,
    node_pb2,
    quorum_pb2,
    session_pb2,
)
from proto.generate.api_client import client_chapter

PAGE = (Path(__file__).resolve().parents[3] / "docs" / "api.md").read_text(encoding="utf-8")
MODULES = (
    admin_pb2, authentication_pb2, cluster_pb2, common_pb2, errors_pb2, node_pb2, quorum_pb2, session_pb2,
)  # fmt: skip
FILES = [one.DESCRIPTOR for one in MODULES]
MESSAGES = [message for file in FILES for message in file.message_types_by_name.values()]


def chapter(heading: str) -> str:
    """What is below a heading of the fourth level."""
    return re.split(r"^#{2,4} ", PAGE.split(f"\n#### {heading}\n", 1)[1], maxsplit=1, flags=re.MULTILINE)[0].strip()


def test_every_rpc_has_request_response_and_comment():
    """Three things below each heading, of services in all files."""
    methods = [method for file in FILES for each in file.services_by_name.values() for method in each.methods]
    assert len(methods) > 12
    for method in methods:
        text = chapter(f"{method.containing_service.name}.{method.name}")
        assert f"[{method.input_type.name}]" in text
        assert f"[{method.output_type.name}]" in text
        assert len(text.split("\n\n")) > 1, method.full_name


@pytest.mark.parametrize("message", MESSAGES, ids=lambda message: message.name)
def test_every_field_has_a_row(message: Descriptor):
    """So do the values of enums inside of a message."""
    text = chapter(message.name)
    assert re.findall(r"^\| `(\w+)` \|", text, re.MULTILINE) == [field.name for field in message.fields]
    for enum in message.enum_types:
        rows = re.findall(r"^\| `(\w+)` \| (\d+) \|", chapter(f"{message.name}.{enum.name}"), re.MULTILINE)
        assert rows == [(value.name, str(value.number)) for value in enum.values]


def test_a_link_to_a_type_leads_to_its_heading():
    """A map has no heading of its own: the types of its key and value are shown."""
    headings = {
        heading.lower().replace(".", "").replace(" ", "-") for heading in re.findall(r"^#+ (.*)$", PAGE, re.MULTILINE)
    }
    links = re.findall(r"\]\(#([\w-]+)\)", PAGE)
    assert len(links) > 100
    assert {*links} <= headings


@pytest.mark.parametrize("client", [AsyncClient, Client])
def test_every_call_of_a_client_is_there(client: type):
    """With its arguments, and a sentence."""
    for name, function in inspect.getmembers(client, inspect.isfunction):
        if not name.startswith("_"):
            text = chapter(f"{client.__name__}.{name}")
            assert all(
                f"{argument}" in text for argument in inspect.signature(function).parameters if argument != "self"
            )
            assert text.split("```")[-1].strip()


def test_every_value_and_error_is_there():
    """Dataclasses and enums of the module of values, and what a caller may catch."""
    found = [one for _, one in inspect.getmembers(values, inspect.isclass) if one.__module__ == values.__name__]
    assert len(found) > 20
    assert all(chapter(f"v.{one.__name__}") for one in found)
    assert all(chapter(one.__name__) for one in (UnavailableError, UnknownOutcomeError))
    assert "22 characters of base64url" in PAGE.split("\n### Uuid\n", 1)[1]


def test_every_change_is_there():
    """In the order of the union."""
    listed = re.findall(r"^\* `v\.(\w+)`$", PAGE.split("\n### Changes\n", 1)[1].split("\n## ", 1)[0], re.MULTILINE)
    assert listed == [one.__name__ for one in get_args(MetadataChange)]
    assert Uuid.__name__ in chapter("v.TopicInfo")


def test_sections_of_docstrings_become_lists(tmp_path):
    """Continued lines join their item; roles and double backticks become code."""
    for name in ("async_client", "sync", "sasl", "errors", "uuids", "values", "records"):
        (tmp_path / f"{name}.py").write_text(
            "class AsyncClient:\n"
            '    """Calls ``it``; see :class:`~a.b.Other`.\n\n    Args:\n        one: first\n            and on.\n'
            '        two: second.\n    """\n',
            encoding="utf-8",
        )
    text = "\n".join(client_chapter(tmp_path))
    assert "Calls `it`; see `Other`." in text
    assert "Args:\n\n* `one`: first and on.\n* `two`: second." in text
