"""Checks of configs: what each controller has in force, by its own answer, against the others.

Source: Kafka ``KafkaConfigSchema``, ``ControllerServer``; KIP-226; KIP-595 §Configurations.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from typing import Final

from kraftpy.config_keys.followed import FOLLOWED
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.shared_keys import (
    AUTHENTICATION_KEYS,
    DISCOVERY_KEYS,
    LISTENER_NAMES,
    QUORUM_KEYS,
    STATIC_VOTERS,
)
from kraftpy.config_keys.types import ConfigType
from kraftpy.doctor.facts import DoctorFacts, OwnValue, UnknownFactError
from kraftpy.doctor.findings import DoctorFinding, info, listed, warning
from kraftpy.doctor.quorum_checks import RECONFIGURATION
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.escaping import shortened
from kraftpy.model.features import KRAFT_VERSION
from kraftpy.model.ids import NodeId

VALUE_CHARACTERS_MAX: Final = 200
"""How much of a value a finding has."""

NOT_SET: Final = "not set"

PLACES: Final = {
    ConfigSource.DYNAMIC_BROKER_CONFIG: "log, for this node",
    ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG: "log, for all nodes",
    ConfigSource.STATIC_BROKER_CONFIG: "file",
    ConfigSource.DEFAULT_CONFIG: "default",
}

_MAKE_THE_SAME: Final = "make it the same in all files and restart"


def controller_configs(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """All controllers have the same values in force of the keys that they should have alike."""
    known = sorted(facts.own_configs.known.items())
    read = {node_id: one.value for node_id, one in known if one.value is not None}
    unread = listed(f"controller {node_id} ({one.reason})" for node_id, one in known if one.value is None)
    if len(read) < 2:
        raise UnknownFactError(
            f"{len(read)} controllers responded; two are compared at least{f'; not read: {unread}' if unread else ''}"
        )
    for key in sorted({key for values in read.values() for key in values}):
        found: dict[object, dict[NodeId, OwnValue | None]] = defaultdict(dict)
        for node_id, values in read.items():
            value = values.get(key)
            found[_comparable(key, value)][node_id] = value
        if len(found) > 1:
            report = info if _may_differ(facts, key) else warning
            shown = "; ".join(sorted(map(_shown, found.values())))
            yield report("controllers", f"{key} differs: {shown}", _way_out(key))
    rest = "; ".join(filter(None, (unread and f"not compared: {unread}", facts.own_configs.rest)))
    if rest:
        raise UnknownFactError(rest)


def _comparable(key: str, value: OwnValue | None) -> object:
    """Return a value so that two that mean the same are equal: ``true`` and ``TRUE``, or servers in another order."""
    if value is None:
        return None
    if key in DISCOVERY_KEYS and key != LISTENER_NAMES:
        return frozenset(item.strip() for item in value.text.split(","))
    kind, text = NODE_KEYS[key].type if key in NODE_KEYS else ConfigType.STRING, value.text.strip()
    if kind is ConfigType.BOOLEAN:
        return text.lower()
    is_number = kind in {ConfigType.INT, ConfigType.LONG} and text.removeprefix("-").isdecimal()
    return int(text) if is_number else text


def _may_differ(facts: DoctorFacts, key: str) -> bool:
    """Return whether nodes with other values of a key may be meant."""
    if key == STATIC_VOTERS:
        features = facts.features.value
        levels = {} if features is None else {one.name: one.finalized_level for one in features.features}
        # With the voters in the log the file's are ignored.
        return levels.get(KRAFT_VERSION, 0) >= RECONFIGURATION
    return key in FOLLOWED or key in DISCOVERY_KEYS


def _way_out(key: str) -> str:
    if key in FOLLOWED:
        return "nothing, if that is meant; else set it for all (kraftpy configs alter --broker-defaults)"
    if key in DISCOVERY_KEYS:
        return "nothing, if each list leads to the quorum; else make it the same in all files and restart"
    if key in QUORUM_KEYS or key in AUTHENTICATION_KEYS:
        return f"{_MAKE_THE_SAME}: controllers expect of each other what they do themselves"
    return f"{_MAKE_THE_SAME}: whichever controller is active decides by its own"


def _shown(nodes: Mapping[NodeId, OwnValue | None]) -> str:
    """Write a value, where it is from, and on which nodes."""
    values = [value for value in nodes.values() if value is not None]
    text = shortened(values[0].text, VALUE_CHARACTERS_MAX) or "empty" if values else NOT_SET
    places = ", ".join(PLACES.get(source, source.name) for source in sorted({value.source for value in values}))
    return f"{text} ({places}) on {listed(nodes)}" if values else f"{text} on {listed(nodes)}"
