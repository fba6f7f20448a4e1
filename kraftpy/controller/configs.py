"""Changing configs: one result per resource, a failing resource leaves the others alone.

Per resource: the new values are computed from the present ones and the operations; then the name of the resource and
the values are judged; then it is looked up. A record is written for each key that changes, and for each altered key of
a BROKER resource even if it does not: a broker reloads what stands behind a path (a keystore) when the record comes by.

Only altered keys are judged by themselves, so that a key which an older release knew can still be deleted, and stands
in nobody's way.

Source: Kafka ``ConfigurationControlManager``; KIP-339; controller reference §15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Final

from kraftpy.controller.config_schema import KEYS, check_topic, default_of, is_list
from kraftpy.controller.config_types import list_of
from kraftpy.controller.limits import check_string
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ResourceType,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.image.image import MetadataImage
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.records.metadata import ConfigRecord

TOPIC_NAME_CHARACTERS_MAX: Final = 249
TOPIC_NAME_ALPHABET: Final = frozenset("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789._-")
NODE_ID_MAX: Final = 2**31 - 1


def alter_configs(image: MetadataImage, request: IncrementalAlterConfigs) -> ControllerResult:
    """Decide a whole request; errors of a resource are values in the response."""
    records: list[ConfigRecord] = []
    refused: dict[int, tuple[ErrorCode, str]] = {}
    resources = tuple([resource for resource, _ in request.resources])
    repeated = _repeated(resources)
    for place, (resource, alterations) in enumerate(request.resources):
        try:
            if resource in repeated:
                raise ApiError(ErrorCode.INVALID_REQUEST, "Duplicate resource.")
            records += _alter(image, resource, alterations)
        except ApiError as refusal:
            refused[place] = (refusal.code, refusal.message)
    return ControllerResult(tuple(records), IncrementalAlterConfigsResponse(resources, refused))


def _repeated(resources: tuple[ConfigResource, ...]) -> frozenset[ConfigResource]:
    if len(resources) == 1 or len(set(resources)) == len(resources):
        return frozenset()
    return frozenset(resource for resource, times in Counter(resources).items() if times > 1)


def _alter(
    image: MetadataImage, resource: ConfigResource, alterations: tuple[ConfigAlteration, ...]
) -> list[ConfigRecord]:
    """Return the records of one resource.

    Raises:
        ApiError: the first rule that the resource breaks.
    """
    kind, name = resource.type, resource.name
    current = image.configs.of(kind, name)
    changes: dict[str, str | None] = {}
    for alteration in alterations:
        if alteration.name in changes:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Error due to duplicate config keys: {alteration.name}")
        changes[alteration.name] = _new_value(kind, current, alteration)
    _check_sizes(changes)
    _check_resource(resource)
    if kind != ResourceType.BROKER:
        _check_values(kind, current, changes)
    _check_existence(image, resource)
    return [
        ConfigRecord(int(kind), name, key, value)
        for key, value in changes.items()
        if kind == ResourceType.BROKER or current.get(key) != value
    ]


def _new_value(kind: int, current: Mapping[str, str], alteration: ConfigAlteration) -> str | None:
    """Compute what a key becomes; ``None`` deletes it."""
    op, key, value = alteration.op, alteration.name, alteration.value
    if op == AlterOp.DELETE:
        return None
    if value is None:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Null value not supported for: {key}. Use DELETE to remove a key.")
    if op == AlterOp.SET:
        return value
    if op not in {AlterOp.APPEND, AlterOp.SUBTRACT}:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown operation {op} on key {key}")
    if not is_list(kind, key):
        raise ApiError(ErrorCode.INVALID_CONFIG, f"Can't {AlterOp(op).name} to key {key} because its type is not LIST.")
    elements = list(list_of(current.get(key, default_of(kind, key))))
    for element in list_of(value):
        if op == AlterOp.APPEND and element not in elements:
            elements.append(element)
        elif op == AlterOp.SUBTRACT and element in elements:
            elements.remove(element)
    return ",".join(elements)


def _check_sizes(changes: Mapping[str, str | None]) -> None:
    for key, value in changes.items():
        if not key:
            raise ApiError(ErrorCode.INVALID_CONFIG, "The name of a config key is empty")
        check_string(ErrorCode.INVALID_CONFIG, f"The config key {key[:40]!r}", key)
        check_string(ErrorCode.INVALID_CONFIG, f"The value of config {key}", value)


def _check_resource(resource: ConfigResource) -> None:
    """Judge the name of a resource by its type."""
    kind, name = resource.type, resource.name
    if kind == ResourceType.BROKER:
        _check_broker_name(name)
    elif kind == ResourceType.TOPIC:
        if not name:
            raise ApiError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
        check_topic_name(name)
    elif kind in {ResourceType.GROUP, ResourceType.CLIENT_METRICS}:
        if not name:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Default {_title(kind)} resources are not allowed.")
        check_string(ErrorCode.INVALID_REQUEST, f"The {_title(kind)} name", name)
    else:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown resource type {kind}.")


def _title(kind: int) -> str:
    return ResourceType(kind).name.lower().replace("_", " ")


def _check_broker_name(name: str) -> None:
    """A broker resource is named by nothing (all brokers) or by an id, written in the one way there is."""
    if not name:
        return
    if not (name.isascii() and name.isdigit() and len(name) <= 10 and str(int(name)) == name):
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"Unable to parse broker name as a base 10 number: {name[:40]!r} is none"
        )
    if int(name) > NODE_ID_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"The broker id {name} is larger than {NODE_ID_MAX}")


def check_topic_name(name: str) -> None:
    """Judge a topic's name.

    Raises:
        ApiError: INVALID_TOPIC_EXCEPTION; INVALID_REQUEST for the topic that holds the metadata itself.
    """
    shown = name[:60]
    if name == METADATA_TOPIC:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{METADATA_TOPIC} has no configs: it is set in server.properties")
    if name in {"", ".", ".."}:
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, f"Topic name is invalid: {shown!r} is not allowed")
    if len(name) > TOPIC_NAME_CHARACTERS_MAX:
        raise ApiError(
            ErrorCode.INVALID_TOPIC_EXCEPTION,
            f"Topic name is invalid: {shown!r}... has {len(name)} characters, at most {TOPIC_NAME_CHARACTERS_MAX} "
            "are allowed",
        )
    if not TOPIC_NAME_ALPHABET.issuperset(name):
        raise ApiError(
            ErrorCode.INVALID_TOPIC_EXCEPTION,
            f"Topic name is invalid: {shown!r} contains one or more characters other than ASCII alphanumerics, "
            "'.', '_' and '-'",
        )


def _check_values(kind: int, current: Mapping[str, str], changes: Mapping[str, str | None]) -> None:
    """Judge the altered values against the schema of their kind of resource."""
    keys = KEYS[kind]
    try:
        for name, value in changes.items():
            if value is None:
                continue
            if name not in keys:
                raise ValueError(f"Unknown {_title(kind)} config name: {name}")
            keys[name].check(value)
        if kind == ResourceType.TOPIC:
            merged = {**current, **changes}
            check_topic(current, {name: value for name, value in merged.items() if value is not None})
    except ValueError as error:
        raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None


def _check_existence(image: MetadataImage, resource: ConfigResource) -> None:
    """Look a topic or a node up; groups and client metrics exist by being configured."""
    if resource.type == ResourceType.BROKER and resource.name:
        node_id, cluster = int(resource.name), image.cluster
        if node_id not in cluster.brokers and node_id not in cluster.controllers:
            raise ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, f"No node with id {node_id} found.")
    elif resource.type == ResourceType.TOPIC and image.topics.named(resource.name) is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{resource.name}' does not exist.")
