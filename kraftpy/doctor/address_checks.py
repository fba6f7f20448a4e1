"""Checks of addresses: those that a client begins with, and those that nodes registered."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from kraftpy.config.listeners import SECURITY_PROTOCOLS
from kraftpy.doctor.facts import DoctorFacts, UnknownFactError
from kraftpy.doctor.findings import DoctorFinding, error, info, listed, warning
from kraftpy.model.escaping import shortened
from kraftpy.model.ids import NodeId
from kraftpy.model.registrations import Listener
from kraftpy.quorum_tools.port_kinds import PortKind, sentence

GONE: Final = frozenset({PortKind.REFUSED, PortKind.UNKNOWN_NAME, PortKind.SILENT, PortKind.UNREACHABLE})
"""What is at the address of a controller that is stopped, suspended or gone."""

OF_CONTROLLERS: Final = frozenset({PortKind.GRPC, PortKind.CONTROLLER})

CLUSTER_ID_CHARACTERS_MAX: Final = 64
"""A cluster id has 22 characters; at most this many of what an address claims are shown."""

_PROTOCOLS: Final = {number: name for name, number in SECURITY_PROTOCOLS.items()}

_TAKE_OUT: Final = "take it out of the bootstrap lists of clients, commands and nodes"


def bootstrap_list(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Every address that the command was given is that of a running controller of this cluster."""
    own = facts.cluster.known.cluster_id
    for address, one in sorted(facts.bootstrap.known.items()):
        if one.found.kind in GONE:
            yield warning(
                address,
                f"is in the bootstrap list and {sentence(one.found, uses_tls=one.uses_tls)}",
                f"start the controller there; if there is none any more, {_TAKE_OUT}",
            )
        elif own is not None and one.cluster_id is not None and one.cluster_id != own:
            shown = shortened(one.cluster_id, CLUSTER_ID_CHARACTERS_MAX)
            yield error(
                address,
                f"is in the bootstrap list, is {one.found.kind.value}, and belongs to cluster {shown}, not to {own}",
                f"{_TAKE_OUT}: whichever address answers first is believed",
            )
        elif one.found.kind not in OF_CONTROLLERS or one.found.is_tls != one.uses_tls:
            yield warning(
                address, f"is in the bootstrap list and {sentence(one.found, uses_tls=one.uses_tls)}", _TAKE_OUT
            )
        elif not one.is_registered:
            yield info(
                address,
                "is in the bootstrap list and is no address of a voter or a registered controller",
                f"nothing, if it leads to all controllers; if its controller was removed, {_TAKE_OUT}",
            )
    facts.bootstrap.check_whole()


def listeners(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """All controllers have the same listeners, each with one security protocol; and so have all brokers."""
    cluster = facts.cluster.known
    yield from _differences("controllers", {one.controller_id: one.listeners for one in cluster.controllers})
    yield from _differences("brokers", {one.broker_id: one.listeners for one in cluster.brokers})


def _differences(kind: str, found: Mapping[NodeId, Iterable[Listener]]) -> Iterator[DoctorFinding]:
    by_name: dict[str, dict[str, list[NodeId]]] = defaultdict(lambda: defaultdict(list))
    for node_id, registered in sorted(found.items()):
        for listener in registered:
            protocol = _PROTOCOLS.get(listener.security_protocol, f"protocol {listener.security_protocol}")
            by_name[listener.name][protocol].append(node_id)
    for name, protocols in sorted(by_name.items()):
        having = {node_id for ids in protocols.values() for node_id in ids}
        if len(protocols) > 1:
            shown = "; ".join(f"{protocol} on {listed(ids)}" for protocol, ids in sorted(protocols.items()))
            yield warning(
                kind,
                f"listener {name} differs: {shown}",
                "make listener.security.protocol.map the same in all files and restart: who is given one protocol of a "
                "listener cannot use it on all nodes",
            )
        elif missing := sorted(found.keys() - having):
            yield info(
                kind,
                f"listener {name} is on {listed(sorted(having))} and not on {listed(missing)}",
                "nothing, if that is meant; else add it to listeners and advertised.listeners there and restart",
            )


def voter_racks(facts: DoctorFacts) -> Iterator[DoctorFinding]:
    """Where brokers are in several racks, no rack has a majority of the voters.

    Controllers register no rack: a voter is in the rack of a broker in its process, or of those on its host.
    """
    brokers = [one for one in facts.cluster.known.brokers if one.rack is not None]
    if len({one.rack for one in brokers}) < 2:
        return
    of_node = {one.broker_id: str(one.rack) for one in brokers}
    on_host: dict[str, set[str]] = defaultdict(set)
    for one in brokers:
        for listener in one.listeners:
            on_host[listener.host].add(str(one.rack))
    voters = facts.quorum.known.voters
    by_rack: dict[str, list[NodeId]] = defaultdict(list)
    for voter in voters:
        node_id = voter.key.node_id
        found = {rack for host in facts.hosts_of(voter) for rack in on_host.get(host, ())}
        if node_id in of_node:
            by_rack[of_node[node_id]].append(node_id)
        elif len(found) == 1:
            by_rack[found.pop()].append(node_id)
    if not by_rack:
        raise UnknownFactError(
            "controllers register no rack, and no broker with one is in the process or on the host of a voter"
        )
    for rack, ids in sorted(by_rack.items()):
        if len(voters) > 1 and len(ids) > len(voters) // 2:
            yield warning(
                f"rack {rack}",
                f"has {len(ids)} of {len(voters)} voters ({listed(ids)}): when it fails, the quorum has no majority",
                "move voters to other racks: start a controller there, then kraftpy metadata-quorum add-controller and "
                "remove-controller",
            )
