"""Read of a running cluster what ``kraftpy doctor`` judges, each part by itself.

The leader is asked first, because it alone knows the quorum; with it, everything else is read as of now. Without one,
the committed state of whichever controller answers is better than nothing. What cannot be read keeps its reason.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar

from kraftpy.cli import connection
from kraftpy.cli.cluster_port import ClusterClient, Read
from kraftpy.cli.errors import UnreachableError
from kraftpy.cli.node_probes import MetricsAnswer, read_certificates, read_metrics, resolved, series_in
from kraftpy.cli.options import LISTENER_NAME
from kraftpy.cli.waiting import waiting_for
from kraftpy.client.values import ClusterInfo, ConfigEntry, ConfigSource, Features, QuorumInfo, Resource
from kraftpy.config.endpoints import parse_named_address
from kraftpy.config_keys.shared_keys import QUORUM_KEYS
from kraftpy.doctor.facts import BootstrapAddress, DoctorFacts, Fact, OwnValue
from kraftpy.doctor.findings import listed
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ApiError
from kraftpy.model.ids import NodeId
from kraftpy.model.registrations import Listener
from kraftpy.model.resource_types import ResourceType
from kraftpy.model.voters import Endpoint
from kraftpy.quorum_tools.access import ProbeError, QuorumAccess
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind
from kraftpy.quorum_tools.port_probe import look_at
from kraftpy.quorum_tools.probe import cluster_id_at
from kraftpy.runtime.clock import wall_ms

T = TypeVar("T")

NODE_TIMEOUT_S: Final = 5.0
"""How long one controller may take that is asked by itself, if ``--timeout`` is not less."""

CONTROLLERS_MAX: Final = 50
"""How many controllers are asked by themselves, and how many bootstrap addresses are looked at."""

CERTIFICATES_MAX: Final = 1_000
"""How many listeners are looked at."""

MEMBER_ADDRESSES_MAX: Final = 1_000
"""How many addresses of controllers are looked up, to compare the bootstrap addresses with."""

GRPC_LISTENER: Final = "GRPC"
"""The listener of a controller's registration that is its gRPC address."""

TLS_PROTOCOLS: Final = frozenset({1, 3})
"""SSL and SASL_SSL. Source: Kafka ``SecurityProtocol``."""

OF_KAFKA: Final = frozenset({PortKind.CONTROLLER, PortKind.BROKER})
"""Ports that are asked for the cluster id over Kafka's protocol."""

OF_NODES_ALONE: Final = frozenset({ConfigSource.STATIC_BROKER_CONFIG, ConfigSource.DEFAULT_CONFIG})
"""The places of a value that no node knows but the one that has it."""

ALWAYS_DESCRIBED: Final = QUORUM_KEYS[0]
"""A key with a default: a node that describes its own file describes it."""

NO_METRICS: Final = "no metrics address was named (--metrics)"


@dataclass(frozen=True, slots=True)
class DoctorReading:
    """What was read: the facts, and the answer of each metrics address for the support bundle."""

    facts: DoctorFacts
    metrics: Mapping[str, Fact[MetricsAnswer]]


def read_cluster(bootstrap: tuple[str, ...], timeout: float, metrics: Sequence[str]) -> DoctorReading:
    """Read everything.

    Raises:
        UnreachableError: no controller answers.
    """
    # One event loop for all: grpc does not bear several in a process.
    with asyncio.Runner() as runner:
        reader = _PartReader(runner, bootstrap, timeout)
        before_ms = wall_ms()
        quorum, no_leader = reader.quorum()
        after_ms = wall_ms()
        read = Read(Consistency.LINEARIZABLE if no_leader is None else Consistency.COMMITTED)
        cluster = reader.cluster(read)
        controllers = reader.controllers(cluster)
        with waiting_for("the metrics of nodes are read"):
            answers = runner.run(read_metrics(metrics))
        facts = DoctorFacts(
            now_ms=wall_ms(),
            cluster=Fact(cluster),
            quorum=quorum,
            no_leader=no_leader,
            quorum_read_ms=(before_ms, after_ms),
            features=reader.fact(lambda connected: connected.describe_features(read)),
            topics=reader.fact(lambda connected: connected.describe_topics((), read)),
            controllers=controllers,
            own_configs=reader.own_configs(cluster, controllers),
            certificates=reader.certificates(cluster),
            bootstrap=reader.bootstrap(cluster, quorum),
            metrics=Fact({address: _series(one) for address, one in answers.items()} or None, NO_METRICS),
            metrics_read_ms={address: one.value.read_ms for address, one in answers.items() if one.value is not None},
        )
    return DoctorReading(facts, answers)


class _PartReader:
    """Reads parts, by a connection each."""

    def __init__(self, runner: asyncio.Runner, bootstrap: tuple[str, ...], timeout: float) -> None:
        self._runner = runner
        self._bootstrap = bootstrap
        self._timeout = timeout

    def fact(self, read: Callable[[ClusterClient], T], address: str | None = None) -> Fact[T]:
        """Read a part from the cluster, or from one node of it."""
        try:
            return Fact(self._read(read, address))
        except UnreachableError as error:
            return Fact(reason=str(error))
        except ApiError as error:
            return Fact(reason=f"{error.message} ({error.code.name})")

    def quorum(self) -> tuple[Fact[QuorumInfo], str | None]:
        """Read the leader's view, and why no leader answered."""
        try:
            return Fact(self._read(lambda connected: connected.describe_quorum())), None
        except UnreachableError as error:
            return Fact(reason="no leader answers"), str(error)
        except ApiError as error:
            return Fact(reason=f"{error.message} ({error.code.name})"), None

    def cluster(self, read: Read) -> ClusterInfo:
        """Read the members.

        Raises:
            UnreachableError: no controller answers.
        """
        return self._read(lambda connected: connected.describe_cluster(read))

    def controllers(self, cluster: ClusterInfo) -> Fact[Mapping[NodeId, Fact[Features]]]:
        """Ask each registered controller at its own address."""
        found: dict[NodeId, Fact[Features]] = {}
        addresses = grpc_addresses(cluster)
        for node_id, address in addresses[:CONTROLLERS_MAX]:
            found[node_id] = self.fact(lambda connected: connected.describe_features(), address)
        if not found:
            return Fact(reason="no controller has registered a gRPC address")
        return Fact(found, rest=_rest("controllers", [node_id for node_id, _ in addresses], CONTROLLERS_MAX))

    def own_configs(
        self, cluster: ClusterInfo, controllers: Fact[Mapping[NodeId, Fact[Features]]]
    ) -> Fact[Mapping[NodeId, Fact[Mapping[str, OwnValue]]]]:
        """Ask each controller that responded for the keys of its own file, and what is in force of them."""
        if controllers.value is None:
            return Fact(reason=controllers.reason)
        addresses = dict(grpc_addresses(cluster))
        found: dict[NodeId, Fact[Mapping[str, OwnValue]]] = {}
        for node_id, answer in controllers.value.items():
            if answer.value is None:
                found[node_id] = Fact(reason=answer.reason)
                continue
            found[node_id] = self._described_by(node_id, addresses[node_id])
        return Fact(found, rest=controllers.rest)

    def _described_by(self, node_id: NodeId, address: str) -> Fact[Mapping[str, OwnValue]]:
        node = Resource(ResourceType.BROKER, str(node_id))
        found = self.fact(lambda connected: connected.explain_configs([(node.type, node.name)]), address)
        return Fact(reason=found.reason) if found.value is None else _own_values(found.value.get(node, ()))

    def bootstrap(self, cluster: ClusterInfo, quorum: Fact[QuorumInfo]) -> Fact[Mapping[str, BootstrapAddress]]:
        """Look at each address of the list that the command was given; one address alone is that of the answers."""
        if len(self._bootstrap) < 2:
            return Fact({})
        given = self._bootstrap[:CONTROLLERS_MAX]
        tls = connection.looking_context()
        registered = _member_addresses(cluster, quorum.value)
        members = registered[:MEMBER_ADDRESSES_MAX]
        with waiting_for("the bootstrap addresses are looked at, and names are resolved"):
            found = dict(zip(given, self._runner.run(look_at(given, tls)), strict=True))
            behind = self._runner.run(resolved([*given, *members]))
        access = connection.listener_access()
        known = {place for address in members for place in behind[address]}
        return Fact(
            {
                address: BootstrapAddress(
                    port,
                    tls is not None,
                    self._cluster_id_at(address, port, access),
                    not known.isdisjoint(behind[address]),
                )
                for address, port in found.items()
            },
            rest=_rest("bootstrap addresses", self._bootstrap, CONTROLLERS_MAX)
            or _rest("addresses of controllers", registered, MEMBER_ADDRESSES_MAX),
        )

    def _cluster_id_at(self, address: str, port: FoundPort, access: QuorumAccess) -> str | None:
        if port.kind is PortKind.GRPC:
            answer = self.fact(lambda connected: connected.describe_cluster(), address).value
            return None if answer is None else answer.cluster_id
        # What a password is sent to in clear is an address that a command needs, and not every one that is looked at.
        if port.kind not in OF_KAFKA or port.is_tls != (access.tls is not None) or access.shows_password:
            return None
        endpoint = Endpoint(LISTENER_NAME, *parse_named_address(address))
        timeout = min(self._timeout, NODE_TIMEOUT_S)
        try:
            with waiting_for(f"an answer from {address}, for up to {timeout:g} s"):
                return self._runner.run(cluster_id_at(endpoint, access=access, timeout_s=timeout))
        except ProbeError:
            return None

    def certificates(self, cluster: ClusterInfo) -> Fact[Mapping[str, Fact[int]]]:
        """Look at the certificate of every TLS listener that is registered."""
        listeners = [one for controller in cluster.controllers for one in controller.listeners]
        listeners += [one for broker in cluster.brokers for one in broker.listeners]
        addresses = [_address(one) for one in listeners if one.security_protocol in TLS_PROTOCOLS]
        if not addresses:
            return Fact(reason="no registered listener uses TLS")
        read = read_certificates(addresses[:CERTIFICATES_MAX], connection.reading_context())
        with waiting_for("the certificates of listeners are read"):
            found = self._runner.run(read)
        return Fact(found, rest=_rest("TLS listeners", addresses, CERTIFICATES_MAX))

    def _read(self, read: Callable[[ClusterClient], T], address: str | None = None) -> T:
        endpoints = self._bootstrap if address is None else (address,)
        timeout = self._timeout if address is None else min(self._timeout, NODE_TIMEOUT_S)
        # At a certain node's address no other node may answer.
        with connection.connect(endpoints, timeout, self._runner, moves=address is None) as connected:
            return read(connected)


def grpc_addresses(cluster: ClusterInfo) -> list[tuple[NodeId, str]]:
    """Return where each registered controller serves gRPC, as host:port."""
    return [
        (controller.controller_id, _address(listener))
        for controller in cluster.controllers
        for listener in controller.listeners
        if listener.name == GRPC_LISTENER
    ]


def _member_addresses(cluster: ClusterInfo, quorum: QuorumInfo | None) -> list[str]:
    """Return all addresses of registered controllers, and of voters."""
    registered = [_address(listener) for controller in cluster.controllers for listener in controller.listeners]
    voters = () if quorum is None else quorum.voters
    return [*registered, *(_address(endpoint) for voter in voters for endpoint in voter.endpoints)]


def _address(listener: Listener | Endpoint) -> str:
    host = f"[{listener.host}]" if ":" in listener.host else listener.host
    return f"{host}:{listener.port}"


def _rest(what: str, things: Sequence[object], limit: int) -> str:
    """Say which things were left out because there are more than a limit; nothing when there are not."""
    left_out = things[limit:]
    if not left_out:
        return ""
    return f"{len(left_out)} of {len(things)} {what} were not asked (at most {limit} are): {listed(left_out)}"


def _own_values(entries: Sequence[ConfigEntry]) -> Fact[Mapping[str, OwnValue]]:
    """Return what is in force of the keys of its own file that a node describes."""
    found = {
        entry.name: OwnValue(entry.value, entry.source)
        for entry in entries
        if not entry.is_sensitive and any(synonym.source in OF_NODES_ALONE for synonym in entry.synonyms)
    }
    if ALWAYS_DESCRIBED not in found:
        return Fact(reason=f"does not describe its own {ALWAYS_DESCRIBED}: its release is an earlier one")
    return Fact(found)


def _series(answer: Fact[MetricsAnswer]) -> Fact[Mapping[str, float]]:
    return Fact(reason=answer.reason) if answer.value is None else Fact(series_in(answer.value.text))
