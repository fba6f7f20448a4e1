"""What a node's listeners allow, as its configuration says."""

from __future__ import annotations

from collections.abc import Mapping

from kraftpy.config.values import Value
from kraftpy.config_keys.connection_overrides import parse_overrides
from kraftpy.config_keys.followed import listener_key
from kraftpy.transport.kafka.admission import ConnectionLimits
from kraftpy.transport.kafka.listener import ListenerLimits


def listener_limits(values: Mapping[str, Value], name: str) -> ListenerLimits:
    """Read the limits of a Kafka listener, by its name, from a checked configuration."""
    overrides = values["max.connections.per.ip.overrides"]
    assert isinstance(overrides, str)
    return ListenerLimits(
        waiting_request_bytes_max=_number(values, "queued.max.request.bytes"),
        idle_max_ms=_number(values, "connections.max.idle.ms"),
        connections_per_second_max=_of_listener(values, name, "max.connection.creation.rate"),
        connections=ConnectionLimits(
            connections=_of_listener(values, name, "max.connections"),
            per_address=_number(values, "max.connections.per.ip"),
            overrides=parse_overrides(overrides),
        ),
    )


def _of_listener(values: Mapping[str, Value], name: str, key: str) -> int:
    own = listener_key(name, key)
    return _number(values, key if values.get(own) is None else own)


def _number(values: Mapping[str, Value], key: str) -> int:
    value = values[key]
    assert isinstance(value, int)
    return value
