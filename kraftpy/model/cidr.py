"""Ranges of IP addresses in CIDR notation, as the hosts of access control entries have them from 4.4-IV1 on.

Source: KIP-1276; Kafka ``AclControlManager.validateHostPattern``, ``CidrUtils``.
"""

from __future__ import annotations

import functools
import ipaddress
from typing import Final

RANGES_KEPT: Final = 4_096
"""How many parsed ranges, and how many parsed addresses, are kept for the next question about them."""

_IPV4_IN_IPV6: Final = ipaddress.IPv6Network("::ffff:0:0/96")

AddressRange = ipaddress.IPv4Network | ipaddress.IPv6Network


def looks_like_range(host: str) -> bool:
    """Return whether a host is meant as a range: no address has a slash."""
    return "/" in host


@functools.lru_cache(maxsize=RANGES_KEPT)
def parse_range(host: str) -> AddressRange:
    """Return the range that an address and a number of leading bits name; bits behind those do not matter.

    Raises:
        ValueError: it is none: netmasks and zones of IPv6 are not CIDR notation; or it is a range of IPv4 addresses in
            IPv6, which no caller is in: they are shown as IPv4.
    """
    address, _, bits = host.partition("/")
    if not (bits.isascii() and bits.isdecimal()):
        raise ValueError(f"{bits!r} is not a number of bits")
    if "%" in address:
        raise ValueError("a range has no zone")
    found = ipaddress.ip_network((address, int(bits)), strict=False)
    if isinstance(found, ipaddress.IPv6Network) and found.subnet_of(_IPV4_IN_IPV6):
        raise ValueError("it holds IPv4 addresses: write it as a range of IPv4")
    return found


def is_in_range(address: str, host: str) -> bool:
    """Return whether an IP address is in a range of its own family; what is no range holds none."""
    try:
        return _parse_address(address) in parse_range(host)
    except ValueError:
        return False


@functools.lru_cache(maxsize=RANGES_KEPT)
def _parse_address(address: str) -> ipaddress.IPv4Address | ipaddress.IPv6Address:
    return ipaddress.ip_address(address)
