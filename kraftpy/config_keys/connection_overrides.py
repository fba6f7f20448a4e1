"""The value of ``max.connections.per.ip.overrides``: ``address:count``, comma-separated.

Kafka takes names of machines as well, and resolves them; a node of kraftpy takes addresses alone. So the controller
accepts both in a dynamic broker config, which may be meant for a broker of Kafka, and a node reads addresses.

Source: Kafka ``SocketServerConfigs``, ``ConnectionQuotas``.
"""

from __future__ import annotations

from ipaddress import ip_address
from typing import Final

from kraftpy.config_keys.types import INT_MAX, Value, list_of

COUNT_DIGITS_MAX: Final = len(str(INT_MAX))


def overrides_fault(value: Value) -> str | None:
    """Return what is wrong with a value wherever it is meant for, or ``None``."""
    for item in list_of(str(value)):
        host, _, count = item.rpartition(":")
        if not host.strip() or not _is_count(count):
            return f"{item!r} is not address:count, the count from 0 to {INT_MAX}"
    return None


def parse_overrides(text: str) -> dict[str, int]:
    """Read a value for a node of kraftpy: address to count; an IPv6 address may be in brackets.

    Raises:
        ValueError: an item is something else; the text names it.
    """
    overrides = {}
    for item in list_of(text):
        address, colon, count = item.rpartition(":")
        if not colon:
            raise ValueError(f"{item!r} is not address:count")
        try:
            name = str(ip_address(address.strip().removeprefix("[").removesuffix("]")))
        except ValueError as error:
            raise ValueError(f"{item!r}: {address!r} is no IP address (names are not resolved here)") from error
        if not _is_count(count):
            raise ValueError(f"{item!r}: {count!r} is no number of connections")
        overrides[name] = int(count)
    return overrides


def _is_count(text: str) -> bool:
    digits = text.strip()
    return digits.isascii() and digits.isdigit() and len(digits) <= COUNT_DIGITS_MAX and int(digits) <= INT_MAX
