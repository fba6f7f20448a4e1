"""``--initial-controllers``: the first voters of a dynamic quorum, as one word on a command line.

The grammar is ``id@host:port:directoryUuid``, comma-separated, an IPv6 host in brackets. The same list must be used on
every node, so a slip in it must be found here: each refusal says which part could not be read.

Source: Kafka ``DynamicVoter``, ``DynamicVoters``; KIP-853.
"""

from __future__ import annotations

from kraftpy.cli.errors import ArgumentError
from kraftpy.model.ids import Uuid, uuid_from_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet

PORT_MAX = 65_535
KRAFT_VERSION_MAX = 1


def parse_initial_controllers(text: str, listener_name: str) -> VoterSet:
    """Read the whole list.

    Raises:
        ArgumentError: when an item is malformed or an id is repeated, with Kafka's words.
    """
    items = [item.strip() for item in text.split(",") if item.strip()]
    if not items:
        raise ArgumentError("No initial controllers were given; expected id@host:port:directoryUuid,...")
    try:
        return VoterSet.of(_parse_voter(item, listener_name) for item in items)
    except ValueError as error:
        raise ArgumentError(f"--initial-controllers: {error}") from error


def initial_controller(node_id: int, endpoint: Endpoint, directory_id: Uuid) -> Voter:
    """Make one of the first voters; the kraft.version range is what this software understands."""
    return Voter(ReplicaKey(node_id, directory_id), (endpoint,), 0, KRAFT_VERSION_MAX)


def _parse_voter(text: str, listener_name: str) -> Voter:
    at = text.find("@")
    if at < 0:
        raise ArgumentError("No @ found in dynamic voter string.")
    if at == 0:
        raise ArgumentError("Invalid @ at beginning of dynamic voter string.")
    node_id = _parse_node_id(text[:at])
    host, rest = _split_host(text[at + 1 :])
    port, colon, directory = rest.partition(":")
    if not colon:
        raise ArgumentError("No colon following port could be found.")
    return initial_controller(node_id, Endpoint(listener_name, host, _parse_port(port)), _parse_directory(directory))


def _parse_node_id(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit()) or int(digits) >= 2**31:
        raise ArgumentError("Failed to parse node id in dynamic voter string.")
    if text.startswith("-"):
        raise ArgumentError(f"Invalid negative node id {int(text)} in dynamic voter string.")
    return int(text)


def _split_host(text: str) -> tuple[str, str]:
    """Divide ``host:rest`` or ``[host]:rest``."""
    if not text:
        raise ArgumentError("No hostname found after node id.")
    if text.startswith("["):
        host, bracket, rest = text[1:].partition("]")
        if not bracket:
            raise ArgumentError("Hostname began with left bracket, but no right bracket was found.")
        if not rest.startswith(":"):
            raise ArgumentError("Port section must start with a colon.")
        return host, rest[1:]
    host, colon, rest = text.partition(":")
    if not colon:
        raise ArgumentError("No colon following hostname could be found.")
    if not host:
        raise ArgumentError("No hostname found after node id.")
    return host, rest


def _parse_port(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise ArgumentError(f"Failed to parse port {text!r} in dynamic voter string.")
    if int(text) > PORT_MAX:
        raise ArgumentError(f"Invalid port {int(text)} in dynamic voter string.")
    return int(text)


def _parse_directory(text: str) -> Uuid:
    try:
        return uuid_from_text(text)
    except ValueError as error:
        raise ArgumentError(f"Failed to parse directory ID in dynamic voter string. {error}") from error
