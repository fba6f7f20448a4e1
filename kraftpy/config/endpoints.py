"""The small grammars inside a ``server.properties``: addresses, listeners, voters, protocol maps.

Functions read text that was already split at its commas and raise :class:`ValueError` with a sentence about the
one item that is wrong; :mod:`kraftpy.config.node_config` adds the key, the file and the line. An IPv6 address is
written in square brackets; an empty host (``CONTROLLER://:9093``) means every address of the machine.

Source: Kafka ``EndPoint``, ``QuorumConfig.parseVoterConnections``, ``CoreUtils.listenerListToEndPoints``; KIP-853.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from ipaddress import IPv6Address, ip_address

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.ids import NODE_ID_MAX
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet

PORT_MAX = 65_535
WILDCARD_HOSTS = frozenset({"", "0.0.0.0", "::"})  # noqa: S104 - they are named here to be refused
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")

_HOST_PORT = re.compile(r"(?:\[(?P<six>[0-9a-fA-F:.%\w-]*)\]|(?P<host>[^\[\]:/@\s\\]*)):(?P<port>[0-9]+)")
_LISTENER = re.compile(r"(?P<name>[A-Za-z0-9_.-]+)://(?P<address>.*)", re.DOTALL)


def parse_address(text: str, *, lowest_port: int = 1) -> tuple[str, int]:
    """Read ``host:port``; the host may be empty, and an IPv6 host is in brackets.

    Raises:
        ValueError: when it is not that, no name or address can be that host, or the port is outside ``lowest_port``
            to 65535.
    """
    match = _HOST_PORT.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not host:port (an IPv6 address goes in square brackets)")
    port = number_from_text(match["port"], PORT_MAX)
    if port is None or port < lowest_port:
        raise ValueError(f"{text!r:.200} has the port {match['port']:.20}; a port here is {lowest_port} to {PORT_MAX}")
    host = match["host"]
    if host is None:
        return _checked_ipv6(text, match["six"]), port
    try:
        # The encoding for the resolver: a name that cannot be encoded does not exist, and resolvers report that badly.
        host.encode("idna")
    except UnicodeError as error:
        why = "of its labels is empty or longer than 63 characters, or cannot be written in IDNA"
        raise ValueError(f"{text!r:.200} names no host: one {why}") from error
    return host, port


def _checked_ipv6(text: str, host: str) -> str:
    try:
        IPv6Address(host)
    except ValueError as error:
        raise ValueError(f"{text!r:.200} has no IPv6 address in its brackets") from error
    return host


def is_loopback(host: str) -> bool:
    """Return whether only this machine reaches what is bound to a host: a loopback address, or localhost."""
    if host.lower() == "localhost" or host.lower().endswith(".localhost"):
        return True
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return False


def parse_named_address(text: str) -> tuple[str, int]:
    """Read ``host:port`` that others connect to: a host is required, and no wildcard.

    Raises:
        ValueError: as :func:`parse_address`, or when no client could connect to that host.
    """
    host, port = parse_address(text)
    if not host:
        raise ValueError(f"{text!r} has no host")
    if host in WILDCARD_HOSTS:
        raise ValueError(f"{text!r} names the nonroutable meta-address {host}; use an address others can reach")
    return host, port


def parse_voters(items: Iterable[str], listener_name: str) -> VoterSet:
    """Read ``id@host:port`` items into a static voter set, whose directories are unknown.

    Raises:
        ValueError: when an item is malformed or an id is repeated.
    """
    return VoterSet.of(_parse_voter(item, listener_name) for item in items)


def _parse_voter(item: str, listener_name: str) -> Voter:
    id_text, at, address = item.partition("@")
    if not at:
        raise ValueError(f"{item!r} is not id@host:port")
    node_id = number_from_text(id_text, NODE_ID_MAX)
    if node_id is None:
        raise ValueError(f"{item!r:.200} starts with {id_text!r:.20}, which is not a node id (0 to {NODE_ID_MAX})")
    host, port = parse_named_address(address)
    return Voter(ReplicaKey(node_id), (Endpoint(listener_name, host, port),))


def parse_bootstrap_servers(items: Iterable[str], listener_name: str) -> tuple[Endpoint, ...]:
    """Read ``host:port`` items, in their order.

    Raises:
        ValueError: when an item is malformed.
    """
    return tuple(Endpoint(listener_name, *parse_named_address(item)) for item in items)


def parse_listener(item: str) -> Endpoint:
    """Read ``NAME://host:port``; the host may be empty and the port 0 (any free one).

    Raises:
        ValueError: when it is not that.
    """
    match = _LISTENER.fullmatch(item)
    if match is None:
        raise ValueError(f"{item!r} is not NAME://host:port")
    return Endpoint(match["name"].upper(), *parse_address(match["address"], lowest_port=0))


def parse_listeners(items: Iterable[str]) -> tuple[Endpoint, ...]:
    """Read listeners; names are unique, and so are ports unless one host is IPv4 and the other IPv6.

    Raises:
        ValueError: when an item is malformed or collides with an earlier one.
    """
    listeners = tuple(parse_listener(item) for item in items)
    for index, listener in enumerate(listeners):
        for earlier in listeners[:index]:
            check_apart(earlier, listener)
    return listeners


def check_apart(first: Endpoint, second: Endpoint) -> None:
    """Refuse two listeners that share a name or a port.

    Raises:
        ValueError: naming both.
    """
    if first.name == second.name:
        raise ValueError(f"{first} and {second} have the same listener name")
    families_differ = (":" in first.host) != (":" in second.host) and first.host and second.host
    if first.port == second.port != 0 and not families_differ:
        raise ValueError(f"{first} and {second} have the same port")


def parse_protocol_map(items: Iterable[str]) -> dict[str, str]:
    """Read ``NAME:PROTOCOL`` items.

    Raises:
        ValueError: when an item is malformed, names an unknown protocol, or repeats a listener.
    """
    protocols: dict[str, str] = {}
    for item in items:
        name, colon, protocol = (part.strip().upper() for part in item.partition(":"))
        if not (colon and name):
            raise ValueError(f"{item!r} is not NAME:PROTOCOL")
        if protocol not in PROTOCOLS:
            raise ValueError(f"{item!r} names the protocol {protocol!r}; there are {', '.join(PROTOCOLS)}")
        if name in protocols:
            raise ValueError(f"{name} is in it twice")
        protocols[name] = protocol
    return protocols
