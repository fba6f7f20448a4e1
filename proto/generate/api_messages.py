"""The gRPC half of ``docs/api.md``: services, messages and enums of the .proto files, with their comments."""

from __future__ import annotations

import importlib.resources
import re
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from google.protobuf.descriptor_pb2 import (
    DescriptorProto,
    EnumDescriptorProto,
    FieldDescriptorProto,
    FileDescriptorProto,
    FileDescriptorSet,
    ServiceDescriptorProto,
)

from proto.generate.grpc_messages import PROTO

SYNTAX, MESSAGE, ENUM, SERVICE = 12, 4, 5, 6
"""Numbers of fields of ``FileDescriptorProto``, which paths of source locations begin with."""

FIELD, NESTED_ENUM, METHOD, VALUE = 2, 4, 2, 2
"""Numbers of fields of ``DescriptorProto``, ``ServiceDescriptorProto`` and ``EnumDescriptorProto``."""

OURS: Final = ".kraftpy.v1."
ORDER: Final = (
    "common",
    "authentication",
    "cluster",
    "changes",
    "quorum",
    "admin",
    "node",
    "session",
    "forwarding",
    "errors",
)


LIST: Final = re.compile(r"^(?![* ])(.+)\n(?=\* )", re.MULTILINE)
"""The line ahead of a list; Markdown needs an empty one between them."""


class Comments:
    """The comments of one file by the path of what they document."""

    def __init__(self, file: FileDescriptorProto) -> None:
        self._by_path = {tuple(one.path): one.leading_comments for one in file.source_code_info.location}

    def of(self, *path: int) -> str:
        """Return a comment as lines of Markdown; empty when there is none."""
        lines = self._by_path.get(path, "").splitlines()
        text = "\n".join(line.removeprefix(" ") for line in lines).strip()
        return LIST.sub(r"\1\n\n", text)

    def cell(self, *path: int) -> str:
        """Return a comment as one cell of a table."""
        text = self.of(*path).replace("\n* ", "<br>• ").replace("|", "\\|")
        return re.sub(r"\s*\n\s*", " ", text)


def files() -> list[FileDescriptorProto]:
    """Return the descriptors of all .proto files, with source locations.

    Raises:
        RuntimeError: when protoc rejects the files; its messages are on stderr.
    """
    from grpc_tools import protoc  # type: ignore[import-untyped] # it has no stubs

    sources = [f"kraftpy/v1/{name}.proto" for name in ORDER]
    missing = {path.stem for path in PROTO.rglob("*.proto")} - {*ORDER}
    if missing:
        raise RuntimeError(f"{PROTO}: {', '.join(sorted(missing))} has no place in ORDER of {__name__}")
    well_known = str(importlib.resources.files("grpc_tools") / "_proto")
    with tempfile.TemporaryDirectory() as scratch:
        out = Path(scratch) / "descriptors"
        options = ["--include_source_info", f"--descriptor_set_out={out}"]
        status = protoc.main(["protoc", f"-I{PROTO}", f"-I{well_known}", *options, *sources])
        if status != 0:
            raise RuntimeError(f"protoc ended with status {status} for {', '.join(sources)} in {PROTO}")
        found = {file.name: file for file in FileDescriptorSet.FromString(out.read_bytes()).file}
    return [found[name] for name in sources]


def grpc_chapter(found: Sequence[FileDescriptorProto]) -> Iterator[str]:
    """Yield the paragraphs of the chapter: first all services, then messages file by file."""
    yield "## gRPC\n"
    yield "Package `kraftpy.v1`; the sources are in [proto/kraftpy/v1](../proto/kraftpy/v1). Every node also serves"
    yield "reflection and health (`grpc.health.v1`).\n"
    for file in found:
        for index, service in enumerate(file.service):
            yield from _service(service, index, Comments(file))
    for file in found:
        yield f"### {Path(file.name).name}\n"
        yield f"{Comments(file).of(SYNTAX)}\n"
        for index, message in enumerate(file.message_type):
            yield from _message(message, index, Comments(file))
        for index, enum in enumerate(file.enum_type):
            yield from _enum(enum, enum.name, (ENUM, index), Comments(file))


def _service(service: ServiceDescriptorProto, index: int, comments: Comments) -> Iterator[str]:
    yield f"### {service.name}\n"
    if text := comments.of(SERVICE, index):
        yield f"{text}\n"
    for number, method in enumerate(service.method):
        request = ("stream of " if method.client_streaming else "") + _type_link(method.input_type)
        response = ("stream of " if method.server_streaming else "") + _type_link(method.output_type)
        yield f"#### {service.name}.{method.name}\n"
        yield f"{request} → {response}\n"
        yield f"{comments.of(SERVICE, index, METHOD, number)}\n"


def _message(message: DescriptorProto, index: int, comments: Comments) -> Iterator[str]:
    yield f"#### {message.name}\n"
    if text := comments.of(MESSAGE, index):
        yield f"{text}\n"
    if not message.field:
        yield "No fields.\n"
        return
    yield "| Field | Type | Meaning |\n| --- | --- | --- |"
    for number, field in enumerate(message.field):
        yield f"| `{field.name}` | {_type(field, message)} | {comments.cell(MESSAGE, index, FIELD, number)} |"
    yield ""
    for number, enum in enumerate(message.enum_type):
        yield from _enum(enum, f"{message.name}.{enum.name}", (MESSAGE, index, NESTED_ENUM, number), comments)


def _enum(enum: EnumDescriptorProto, title: str, path: tuple[int, ...], comments: Comments) -> Iterator[str]:
    yield f"#### {title}\n"
    if text := comments.of(*path):
        yield f"{text}\n"
    yield "| Value | Number | Meaning |\n| --- | --- | --- |"
    for index, value in enumerate(enum.value):
        yield f"| `{value.name}` | {value.number} | {comments.cell(*path, VALUE, index)} |"
    yield ""


def _type(field: FieldDescriptorProto, message: DescriptorProto) -> str:
    """Return the type of a field: a map, repeated, optional or one of several."""
    entries = {each.name: each for each in message.nested_type if each.options.map_entry}
    if entry := entries.get(field.type_name.rpartition(".")[2]):
        key, value = (_type(each, entry) for each in entry.field)
        return f"map of {key} to {value}"
    name = _type_link(field.type_name) if field.type_name else FieldDescriptorProto.Type.Name(field.type)[5:].lower()
    if field.label == FieldDescriptorProto.LABEL_REPEATED:
        return f"list of {name}"
    if field.proto3_optional:
        return f"optional {name}"
    if field.HasField("oneof_index"):
        return f"{name}, one of `{message.oneof_decl[field.oneof_index].name}`"
    return name


def _type_link(type_name: str) -> str:
    if not type_name.startswith(OURS):
        return f"`{type_name.removeprefix('.')}`"
    name = type_name.removeprefix(OURS)
    return f"[{name}](#{name.lower().replace('.', '')})"
