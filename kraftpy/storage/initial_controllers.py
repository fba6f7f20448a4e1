"""The text form of a first voter set: ``id@host:port:directoryId``, comma-separated.

The same text must be given to ``storage format`` on every node, directory ids included, or the nodes would start with
different voter sets. IPv6 hosts are in brackets.

Source: KIP-853; tools §1.1; Kafka ``DynamicVoter``, ``DynamicVoters``.
"""

from __future__ import annotations

from kraftpy.model.decimal_text import number_from_text
from kraftpy.model.errors import ConfigError
from kraftpy.model.ids import NodeId, Uuid, uuid_from_text
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter, VoterSet

PORT_MAX = 65535
NODE_ID_MAX = 2**31 - 1
KRAFT_VERSION_MIN = 0
KRAFT_VERSION_MAX = 1


def parse_initial_controllers(text: str, listener: str) -> VoterSet:
    """Read a first voter set.

    Args:
        text: the command line's.
        listener: the name of the controller listener.

    Raises:
        ConfigError: in Kafka's words, with what was read.
    """
    voters = [_parse_voter(part.strip(), listener) for part in text.split(",") if part.strip()]
    if not voters:
        raise ConfigError("No voters given.")
    try:
        return VoterSet.of(voters)
    except ValueError as error:
        raise ConfigError(f"Duplicate controller ID in {text!r}: {error}") from error


def standalone_voters(node_id: NodeId, endpoint: Endpoint, directory_id: Uuid) -> VoterSet:
    """Return the voter set of a quorum of one."""
    return VoterSet.of([_voter(node_id, endpoint, directory_id)])


def _voter(node_id: NodeId, endpoint: Endpoint, directory_id: Uuid) -> Voter:
    """Make one of the first voters; the kraft.version range is what this software understands."""
    return Voter(ReplicaKey(node_id, directory_id), (endpoint,), KRAFT_VERSION_MIN, KRAFT_VERSION_MAX)


def _parse_voter(text: str, listener: str) -> Voter:
    id_text, at, rest = text.partition("@")
    if not at:
        raise _refusal("No @ found in dynamic voter string.", text)
    if not id_text:
        raise _refusal("Invalid @ at beginning of dynamic voter string.", text)
    if number_from_text(id_text.removeprefix("-"), NODE_ID_MAX) is not None and id_text.startswith("-"):
        raise _refusal(f"Invalid negative node id {id_text} in dynamic voter string.", text)
    node_id = number_from_text(id_text, NODE_ID_MAX)
    if node_id is None:
        raise _refusal("Failed to parse node id in dynamic voter string.", text)
    host, rest = _split_host(rest, text)
    port_text, colon, directory_text = rest.partition(":")
    if not colon:
        raise _refusal("No colon following port could be found.", text)
    port = number_from_text(port_text, PORT_MAX)
    if port is None:
        raise _refusal(f"Invalid port {port_text:.20} in dynamic voter string.", text)
    try:
        return _voter(node_id, Endpoint(listener.upper(), host, port), uuid_from_text(directory_text))
    except ValueError as error:
        raise _refusal("Failed to parse directory ID in dynamic voter string.", text) from error


def _split_host(rest: str, text: str) -> tuple[str, str]:
    """Return the host, and what follows the colon after it."""
    if not rest:
        raise _refusal("No hostname found after node id.", text)
    if rest.startswith("["):
        host, bracket, after = rest[1:].partition("]")
        if not bracket:
            raise _refusal("Hostname began with left bracket, but no right bracket was found.", text)
        if not after.startswith(":"):
            raise _refusal("Port section must start with a colon.", text)
        return host, after[1:]
    host, colon, after = rest.partition(":")
    if not colon:
        raise _refusal("No colon following hostname could be found.", text)
    if not host:
        raise _refusal("No hostname found after node id.", text)
    return host, after


def _refusal(message: str, text: str) -> ConfigError:
    return ConfigError(f"{message} ({text!r:.200}; expected id@host:port:directoryId)")
