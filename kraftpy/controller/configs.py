"""Changing configs: one result per resource, a failing resource leaves the others alone.

Per resource: the new values are computed from the present ones and the operations; then the rules of
:mod:`kraftpy.controller.alteration_rules` hold; then the name of the resource and the values are judged; then it is
looked up; then the operator's policy is asked. A record is written for each key that changes, and for each altered key
of a BROKER resource even if it does not: a broker reloads the file of a path (a keystore) when the record comes by.

Only altered keys are judged by themselves, so that a key which an older release knew can still be deleted, and
prevents no other change.

With eligible leader replicas, a ClearElrRecord for each new ``min.insync.replicas`` follows all other records: who is
eligible was worked out by the former value.

The checks of a resource, in order:

1. UNSUPPORTED_VERSION: there is no such type of resources.
2. INVALID_REQUEST: the request names it more than once.
3. INVALID_REQUEST: a key is altered twice.
4. INVALID_REQUEST: a key is set, appended to or subtracted from without a value.
5. INVALID_REQUEST: there is no such operation.
6. INVALID_CONFIG: a key is appended to or subtracted from, and is no list.
Then those of :mod:`kraftpy.controller.alteration_rules`, and:

7. POLICY_VIOLATION, ours: the expressions of client metrics are too long, up to here in the request.
8. INVALID_CONFIG, ours: no record holds a key; one of a broker is empty.

Of a topic:

9. INVALID_REQUEST: it has no name.
10. INVALID_REQUEST: it is the metadata topic.
11. INVALID_TOPIC_EXCEPTION: no topic can have the name.
12. INVALID_CONFIG: a key is none of a topic, or its value is wrong.
13. INVALID_CONFIG: the values do not go together.
14. UNKNOWN_TOPIC_OR_PARTITION: no topic has the name.

Of a broker, or of all:

15. INVALID_REQUEST: the name is no number, or is not written as one is here.
16. INVALID_REQUEST: the number is no id.
17. INVALID_CONFIG: a value of a known key is wrong.
18. BROKER_ID_NOT_REGISTERED: no node has the id.

Of a subscription to client metrics:

19. INVALID_REQUEST: it has no name.
20. INVALID_REQUEST, ours: no record holds the name.
21. INVALID_REQUEST: a key is none of a subscription.
22. INVALID_CONFIG: a value has the wrong type.
23. INVALID_REQUEST: the interval is out of its range.
24. INVALID_CONFIG: an expression is none.

Of a group:

25. INVALID_REQUEST: it has no name.
26. INVALID_REQUEST, ours: no record holds the name.
27. INVALID_CONFIG: a key is none of a group, or its value is wrong.
28. INVALID_CONFIG: a value is outside of the cluster's bounds.

A replacement is turned into alterations first, which have these checks.

Source: Kafka ``ConfigurationControlManager``; KIP-339; KIP-966; controller reference §15.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from kraftpy.config_keys.types import list_of
from kraftpy.controller.alteration_rules import check_alterations
from kraftpy.controller.client_match import REQUEST_CHARACTERS_MAX, pattern_fault
from kraftpy.controller.config_schema import (
    ANY_TEXT_KEYS,
    CLIENT_METRICS_INTERVAL,
    CLIENT_METRICS_INTERVAL_MS,
    CLIENT_METRICS_MATCH,
    KEYS,
    broker_key,
    default_of,
    is_list,
)
from kraftpy.controller.decision_context import DecisionContext
from kraftpy.controller.group_configs import check_bounds
from kraftpy.controller.limits import STRING_CHARACTERS_SAFE, check_string
from kraftpy.controller.requests import (
    AlterOp,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    IncrementalAlterConfigsResponse,
    ReplaceConfigs,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.controller.topic_config_rules import TopicConfigRules
from kraftpy.controller.topic_names import name_fault
from kraftpy.controller.topic_rules import MIN_ISR, is_elr_enabled
from kraftpy.image.configs import BROKER, CLIENT_METRICS, GROUP, TOPIC
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.ids import METADATA_TOPIC
from kraftpy.records.codec import Record
from kraftpy.records.metadata import ClearElrRecord, ConfigRecord

NODE_ID_MAX: Final = 2**31 - 1
SET: Final = int(AlterOp.SET)
SHOWN_MAX: Final = 1_024
"""How many characters of a value a refusal repeats: it has to fit into an answer."""

Changes = dict[str, "str | None"]
"""Altered keys; ``None`` deletes one."""


def alter_configs(view: DecisionContext, request: IncrementalAlterConfigs) -> ControllerResult:
    """Decide a whole request; errors of a resource are values in the response."""
    return _alter(view, request, None)


def _alter(
    view: DecisionContext, request: IncrementalAlterConfigs, named: Sequence[Changes] | None
) -> ControllerResult:
    """Decide a request.

    Args:
        view: the state before.
        request: what is asked.
        named: by place, what a policy receives about the resource; by default all that is altered.
    """
    image = view.image
    records: list[Record] = []
    cleared: list[Record] = []
    keeps_elr = is_elr_enabled(image)
    refused: dict[int, tuple[ErrorCode, str]] = {}
    asked = request.resources
    resources = tuple([resource for resource, _ in asked])
    repeated = _repeated(resources)
    matching = 0
    for place, (resource, alterations) in enumerate(asked):
        try:
            if resource.type not in _JUDGES:
                raise ApiError(ErrorCode.UNSUPPORTED_VERSION, f"Unknown resource type {resource.type}.")
            if resource in repeated:
                raise ApiError(ErrorCode.INVALID_REQUEST, "Duplicate resource.")
            current = image.configs.of(*resource)
            changes = _changes(resource.type, current, alterations)
            check_alterations(image, resource, current, changes, judged_by_broker=request.judged_by_broker)
            if resource.type == CLIENT_METRICS:
                matching = _add_matching(matching, changes)
            _check(view, resource, current, changes)
            if view.policies.alter_config is not None:
                shown = changes if named is None else named[place]
                view.policies.check_configs(resource, _shown_changes(resource.type, current, shown))
        except ApiError as refusal:
            refused[place] = (refusal.code, refusal.message)
            continue
        kind, name = resource
        for key, value in changes.items():
            if kind == BROKER or current.get(key) != value:
                records.append(ConfigRecord(kind, name, key, value))
                if keeps_elr and key == MIN_ISR:
                    cleared.append(ClearElrRecord(topic_name=name if kind == TOPIC else ""))
    return ControllerResult((*records, *cleared), IncrementalAlterConfigsResponse(resources, refused))


def _shown_changes(kind: int, current: Mapping[str, str], changes: Changes) -> Changes:
    """Return those of these keys that a policy receives: those that records are written for."""
    if kind == BROKER:
        return changes
    return {key: value for key, value in changes.items() if current.get(key) != value}


def _add_matching(characters: int, changes: Changes) -> int:
    """Count the characters of expressions that a request sets; judging each of them takes time.

    Raises:
        ApiError: POLICY_VIOLATION when there are too many.
    """
    characters += len(changes.get(CLIENT_METRICS_MATCH) or "")
    if characters > REQUEST_CHARACTERS_MAX:
        raise ApiError(
            ErrorCode.POLICY_VIOLATION,
            f"The values of {CLIENT_METRICS_MATCH} up to this one have {characters} characters, and "
            f"{REQUEST_CHARACTERS_MAX} are allowed in one request. Split the request.",
        )
    return characters


def replace_configs(view: DecisionContext, request: ReplaceConfigs) -> ControllerResult:
    """Decide a whole replacement, by the alterations that it comes to: first what it names, then that the rest goes.

    Of a key that is named twice the last value counts. A key without a value is deleted. A policy receives the named
    keys alone (KAFKA-14195).

    Source: KIP-133; Kafka ``ConfigurationControlManager.legacyAlterConfigs``.
    """
    resources, names = [], []
    for resource, configs in request.resources:
        named = dict(configs)
        names.append(named)
        current = view.image.configs.of(*resource)
        alterations = [
            ConfigAlteration(key, AlterOp.DELETE if value is None else AlterOp.SET, value)
            for key, value in named.items()
        ]
        alterations += [ConfigAlteration(key, AlterOp.DELETE, None) for key in sorted(current) if key not in named]
        resources.append((resource, tuple(alterations)))
    asked = IncrementalAlterConfigs(tuple(resources), request.validate_only, request.judged_by_broker)
    return _alter(view, asked, names)


def _repeated(resources: tuple[ConfigResource, ...]) -> frozenset[ConfigResource]:
    if len(resources) == 1 or len(set(resources)) == len(resources):
        return frozenset()
    return frozenset(resource for resource, times in Counter(resources).items() if times > 1)


def _changes(kind: int, current: Mapping[str, str], alterations: tuple[ConfigAlteration, ...]) -> Changes:
    """Compute what the altered keys become."""
    changes: Changes = {}
    for alteration in alterations:
        key, op, value = alteration
        if key in changes:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Error due to duplicate config keys: {key}")
        changes[key] = value if op == SET and value is not None else _new_value(kind, current, alteration)
    return changes


def _new_value(kind: int, current: Mapping[str, str], alteration: ConfigAlteration) -> str | None:
    """Compute what a key becomes; ``None`` deletes it."""
    key, op, value = alteration
    if op == AlterOp.DELETE:
        return None
    if value is None:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Null value not supported for: {key}. Use DELETE to remove a key.")
    if op not in {AlterOp.APPEND, AlterOp.SUBTRACT}:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown operation {op} on key {key}")
    if not is_list(kind, key):
        raise ApiError(ErrorCode.INVALID_CONFIG, f"Can't {AlterOp(op).name} to key {key} because its type is not LIST.")
    elements = [element for element in current.get(key, default_of(kind, key)).split(",") if element]
    named = _split(value)
    if op == AlterOp.APPEND:
        present = set(elements)
        elements += [element for element in dict.fromkeys(named) if element not in present]
        return ",".join(elements)
    times = Counter(named)
    kept = []
    for element in elements:
        # As often as it is named, from the left on.
        if times[element]:
            times[element] -= 1
        else:
            kept.append(element)
    return ",".join(kept)


def _split(value: str) -> list[str]:
    """Split as Java does: blanks stay, empty elements at the end do not, and an empty value is one element."""
    if not value:
        return [""]
    elements = value.split(",")
    while elements and not elements[-1]:
        elements.pop()
    return elements


def _check(view: DecisionContext, resource: ConfigResource, current: Mapping[str, str], changes: Changes) -> None:
    """Judge one resource's changes.

    Raises:
        ApiError: the first rule that the resource breaks.
    """
    kind, name = resource
    _check_keys(changes, may_be_empty=kind != BROKER)
    _JUDGES[kind](view, name, current, changes)


def _check_keys(changes: Mapping[str, str | None], *, may_be_empty: bool = True) -> None:
    """Refuse keys that no record can hold; an empty key is unknown where the keys are known."""
    for key in changes:
        # What is short and ASCII fits a record; the call for all others finds the words for what does not.
        if not key and may_be_empty:
            continue
        if not key or len(key) > STRING_CHARACTERS_SAFE or not key.isascii():
            _check_key(key)


def _check_key(key: str) -> None:
    if not key:
        raise ApiError(ErrorCode.INVALID_CONFIG, "The name of a config key is empty")
    check_string(ErrorCode.INVALID_CONFIG, f"The config key {key[:40]!r}", key)


def _judge_topic(view: DecisionContext, name: str, current: Mapping[str, str], changes: Changes) -> None:
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Default topic resources are not allowed.")
    check_topic_name(name)
    _check_topic_values(view, current, changes)
    if view.image.topics.named(name) is None:
        raise ApiError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"The topic '{name}' does not exist.")


def _check_topic_values(view: DecisionContext, current: Mapping[str, str], changes: Changes) -> None:
    _check_values(TOPIC, "topic", changes)
    merged = {**current, **changes}
    try:
        _check_kept(TOPIC, current, changes)
        proposed = {key: value for key, value in merged.items() if value is not None}
        TopicConfigRules(view.config.static_topic_configs, view.config.remote_storage_enable).check(current, proposed)
    except ValueError as error:
        raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None


def _check_kept(kind: int, current: Mapping[str, str], changes: Changes) -> None:
    """Judge what a resource keeps: rules of several keys read it, and a log of another release may hold any text.

    Raises:
        ValueError: the message names the key and its value.
    """
    for key, value in current.items():
        if key not in changes and key in KEYS[kind]:
            KEYS[kind][key].check(value)


def new_topic_configs(view: DecisionContext, name: str, configs: Mapping[str, str]) -> list[Record]:
    """Return the records that give a new topic its configs.

    Args:
        view: the state before the topic.
        name: of the topic; it is valid.
        configs: key and value.

    Raises:
        ApiError: INVALID_CONFIG, for the first key that is unknown or whose value is wrong; POLICY_VIOLATION.
    """
    if not configs:
        return []
    image, resource, changes = view.image, ConfigResource(TOPIC, name), dict[str, "str | None"](configs)
    check_alterations(image, resource, {}, changes, judged_by_broker=False)
    _check_keys(changes)
    _check_topic_values(view, {}, changes)
    view.policies.check_configs(resource, changes)
    keeps_elr = is_elr_enabled(image)
    records: list[Record] = [ConfigRecord(TOPIC, name, key, value) for key, value in configs.items()]
    if keeps_elr and MIN_ISR in configs:
        records.append(ClearElrRecord(topic_name=name))
    return records


def _judge_broker(view: DecisionContext, name: str, current: Mapping[str, str], changes: Changes) -> None:
    """A broker resource is named by nothing (all brokers) or by an id, written in the one way there is."""
    del current
    _check_broker_name(name)
    for key, value in changes.items():
        known = broker_key(key)
        if known is None or value is None:
            continue
        try:
            known.check(value)
        except ValueError as error:
            raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None
    cluster = view.image.cluster
    if name and int(name) not in cluster.brokers and int(name) not in cluster.controllers:
        raise ApiError(ErrorCode.BROKER_ID_NOT_REGISTERED, f"No node with id {name} found.")


def _check_broker_name(name: str) -> None:
    if not name:
        return
    if not (name.isascii() and name.isdigit() and len(name) <= 10 and str(int(name)) == name):
        raise ApiError(
            ErrorCode.INVALID_REQUEST, f"Unable to parse broker name as a base 10 number: {name[:40]!r} is none"
        )
    if int(name) > NODE_ID_MAX:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"The broker id {name} is larger than {NODE_ID_MAX}")


def _judge_client_metrics(view: DecisionContext, name: str, current: Mapping[str, str], changes: Changes) -> None:
    """A subscription exists by being configured.

    The order is Kafka's (``ClientMetricsConfigs.validate``): unknown keys, types, then the interval, then the patterns.
    """
    del view, current
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Subscription name can't be empty")
    if len(name) > STRING_CHARACTERS_SAFE or not name.isascii():
        check_string(ErrorCode.INVALID_REQUEST, "The subscription name", name)
    known = KEYS[CLIENT_METRICS]
    for key, value in changes.items():
        if value is not None and key not in known:
            raise ApiError(ErrorCode.INVALID_REQUEST, f"Unknown client metrics configuration: {key}")
    for key, value in changes.items():
        if value is not None:
            try:
                known[key].check(value)
            except ValueError as error:
                raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None
    _check_push_interval(changes.get(CLIENT_METRICS_INTERVAL))
    _check_match_patterns(changes.get(CLIENT_METRICS_MATCH))


def _check_push_interval(value: str | None) -> None:
    low, high = CLIENT_METRICS_INTERVAL_MS
    if value is not None and not low <= int(value) <= high:
        raise ApiError(
            ErrorCode.INVALID_REQUEST,
            f"Invalid value {value} for {CLIENT_METRICS_INTERVAL}, interval must be between {low} and {high} (1 hour)",
        )


def _check_match_patterns(value: str | None) -> None:
    for element in () if value is None else list_of(value):
        fault = pattern_fault(element)
        if fault is not None:
            raise ApiError(ErrorCode.INVALID_CONFIG, f"Illegal client matching pattern: {element[:SHOWN_MAX]}: {fault}")


def _judge_group(view: DecisionContext, name: str, current: Mapping[str, str], changes: Changes) -> None:
    """A group exists by being configured. What it had counts too: two of its configs bound each other."""
    if not name:
        raise ApiError(ErrorCode.INVALID_REQUEST, "Default group resources are not allowed.")
    check_string(ErrorCode.INVALID_REQUEST, "The group name", name)
    _check_values(GROUP, "group", changes)
    try:
        _check_kept(GROUP, current, changes)
        check_bounds({**current, **changes}, view.config.group_numbers)
    except ValueError as error:
        raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None


_JUDGES: Final[Mapping[int, Callable[[DecisionContext, str, Mapping[str, str], Changes], None]]] = {
    TOPIC: _judge_topic,
    BROKER: _judge_broker,
    CLIENT_METRICS: _judge_client_metrics,
    GROUP: _judge_group,
}
"""By type of resource: its name, then the values, then whether it is there. Each raises ApiError."""


def check_topic_name(name: str) -> None:
    """Judge a topic's name.

    Raises:
        ApiError: INVALID_TOPIC_EXCEPTION; INVALID_REQUEST for the topic that holds the metadata itself.
    """
    if name == METADATA_TOPIC:
        raise ApiError(ErrorCode.INVALID_REQUEST, f"{METADATA_TOPIC} has no configs: it is set in server.properties")
    fault = name_fault(name)
    if fault is not None:
        raise ApiError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)


def _check_values(kind: int, title: str, changes: Changes) -> None:
    """Judge the altered values against the schema of their kind of resource."""
    keys, free = KEYS[kind], ANY_TEXT_KEYS[kind]
    for name, value in changes.items():
        if name not in keys and value is not None:
            raise ApiError(ErrorCode.INVALID_CONFIG, f"Unknown {title} config name: {name}")
    # Of several faults Kafka names the one whose key is defined first.
    for name in changes if len(changes) == 1 else [name for name in keys if name in changes]:
        value = changes[name]
        if value is None or name in free:
            continue
        try:
            keys[name].check(value)
        except ValueError as error:
            raise ApiError(ErrorCode.INVALID_CONFIG, str(error)) from None
