"""What a node's listeners allow, as its configuration says."""

from __future__ import annotations

from ipaddress import ip_address

from kraftpy.node.config_keys import Value
from kraftpy.transport.kafka.admission import ConnectionLimits
from kraftpy.transport.kafka.listener import ListenerLimits


def listener_limits(values: dict[str, Value]) -> ListenerLimits:
    """Read the limits of a Kafka listener from a checked configuration."""
    overrides = values["max.connections.per.ip.overrides"]
    assert isinstance(overrides, tuple)
    return ListenerLimits(
        waiting_request_bytes_max=_number(values, "queued.max.request.bytes"),
        idle_max_ms=_number(values, "connections.max.idle.ms"),
        connections_per_second_max=_number(values, "max.connection.creation.rate"),
        connections=ConnectionLimits(
            connections=_number(values, "max.connections"),
            per_address=_number(values, "max.connections.per.ip"),
            overrides=parse_overrides(overrides),
        ),
    )


def parse_overrides(items: tuple[str, ...]) -> dict[str, int]:
    """Read ``max.connections.per.ip.overrides``: ``address:count`` each; an IPv6 address may stand in brackets.

    Raises:
        ValueError: an item is something else; the text says which.
    """
    overrides = {}
    for item in items:
        address, colon, count = item.rpartition(":")
        if not colon:
            raise ValueError(f"{item!r} is not address:count")
        try:
            name = str(ip_address(address.strip().removeprefix("[").removesuffix("]")))
        except ValueError as error:
            raise ValueError(f"{item!r}: {address!r} is no IP address (names are not resolved here)") from error
        if not (count.strip().isascii() and count.strip().isdigit() and len(count.strip()) <= len("2147483647")):
            raise ValueError(f"{item!r}: {count!r} is no number of connections")
        overrides[name] = int(count)
    return overrides


def _number(values: dict[str, Value], key: str) -> int:
    value = values[key]
    assert isinstance(value, int)
    return value
