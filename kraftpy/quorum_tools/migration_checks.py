"""What is in the way of a migration: a running quorum against the configurations of the controllers to come.

Pure: the facts are read elsewhere. What cannot be read is a finding, too: an unknown list of bootstrap servers is how a
cluster is lost. Each finding says what is wrong, where, and what to do about it.

Source: KIP-853; KIP-919; Kafka ``KafkaRaftClient.pollUnattachedAsObserver`` (an observer without a leader asks only its
``controller.quorum.bootstrap.servers``), ``KafkaConfigSchema`` (defaults come from the active controller's file).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from ipaddress import ip_address
from typing import Final

from kraftpy.config.endpoints import parse_bootstrap_servers
from kraftpy.config_keys.deciding_keys import DECIDING_KEYS
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.model.features import (
    BY_LEVEL,
    KAFKA_LEVEL_MAX,
    KRAFT_VERSION,
    KRAFT_VERSION_1_LEVEL,
    METADATA_VERSION,
    MINIMUM_LEVEL,
)
from kraftpy.model.ids import NodeId
from kraftpy.model.registrations import SupportedFeature
from kraftpy.model.voters import Endpoint, Voter
from kraftpy.transport.kafka.control.calls import BROKER_ITEMS_MAX

POLICY_KEYS: Final = ("alter.config.policy.class.name", "create.topic.policy.class.name")
"""A class of Java on Kafka's controllers, one of Python on kraftpy's: whether both do the same cannot be checked."""

CLASS_KEYS: Final = {
    "client.quota.callback.class": "",
    "principal.builder.class": "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
}
"""Classes of Java that Kafka's controllers may ask, each with the value that asks for nothing: kraftpy asks none."""

MECHANISMS: Final = "sasl.enabled.mechanisms"

AUTO_JOIN: Final = "controller.quorum.auto.join.enable"

SCOPED_KEYS: Final = (MECHANISMS, "ssl.client.auth", "ssl.principal.mapping.rules")
"""Keys that a listener may have a value of its own for, which a node does not describe: only its file says it."""

BOOTSTRAP_SERVERS: Final = "controller.quorum.bootstrap.servers"

COMPARED_KEYS: Final = (*DECIDING_KEYS, *POLICY_KEYS, *CLASS_KEYS, MECHANISMS, AUTO_JOIN)
"""What is asked of a controller that leaves, and read from the file of one that joins."""

SECRET_KEY: Final = "delegation.token.secret.key"  # noqa: S105 - the name of a key


@dataclass(frozen=True, slots=True)
class MigrationFinding:
    """One thing in the way (``is_error``), or one to know; a sentence, and the way out."""

    is_error: bool
    what: str
    way_out: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerFacts:
    """What a configuration file says of a controller.

    Attributes:
        source: the file's name.
        cluster_id: what its directory belongs to; ``None`` when it does not say.
        listener: the first of its controller listeners, upper case: it looks for the others there.
        security_protocol: what that one speaks.
        bootstrap_servers: whom it asks for the quorum.
        has_static_voters: whether ``controller.quorum.voters`` is set.
        values: texts of the deciding keys, defaults included; ``None`` is not set.
    """

    source: str
    voter: Voter
    cluster_id: str | None
    listener: str
    security_protocol: str
    bootstrap_servers: tuple[Endpoint, ...]
    has_static_voters: bool
    features: tuple[SupportedFeature, ...]
    values: Mapping[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerFacts:
    """What a broker's configuration says of the quorum.

    Attributes:
        source: where that was read: the broker itself, or a file.
        bootstrap_servers: ``None`` when it could not be read; ``why`` says why.
        listener: the first of its ``controller.listener.names``; ``None`` when unknown.
    """

    broker_id: NodeId
    source: str = ""
    bootstrap_servers: tuple[Endpoint, ...] | None = None
    listener: str | None = None
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterFacts:
    """A running quorum.

    Attributes:
        level: its metadata.version.
        features: the finalized levels of all features.
        protocols: what the controllers registered that their listeners speak, by the names that the voters have.
        values: by controller, the texts of :data:`COMPARED_KEYS` and of its bootstrap servers; a controller that did
            not say is missing.
        report_items: by broker, how many items a report of the in-sync replicas of all its partitions has.
        addresses: by host as :func:`hosts_of` returns it, what it resolves to; one that is missing is compared as text.
    """

    cluster_id: str | None
    voters: tuple[Voter, ...]
    kraft_version: int
    level: int
    features: Mapping[str, int]
    brokers: tuple[BrokerFacts, ...]
    protocols: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[NodeId, Mapping[str, str | None]] = field(default_factory=dict)
    report_items: Mapping[NodeId, int] = field(default_factory=dict)
    addresses: Mapping[str, frozenset[str]] = field(default_factory=dict)


def _error(what: str, way_out: str) -> MigrationFinding:
    return MigrationFinding(is_error=True, what=what, way_out=way_out)


def _warning(what: str, way_out: str) -> MigrationFinding:
    return MigrationFinding(is_error=False, what=what, way_out=way_out)


def findings(
    cluster: ClusterFacts, joining: Sequence[ControllerFacts], leaving: Sequence[ControllerFacts] = ()
) -> list[MigrationFinding]:
    """List what is in the way, errors first; ``leaving`` are files of controllers that leave, where they are given."""
    found = [*_of_the_quorum(cluster), *_of_ids(cluster, joining), *_of_addresses(cluster, joining)]
    for controller in joining:
        found += _of_a_controller(cluster, controller, joining)
        found += _of_features(cluster, controller)
    found += _of_brokers(cluster, joining)
    found += _of_the_way_back(cluster, joining)
    found += _of_values(cluster, joining, leaving)
    found += _of_reports(cluster)
    return sorted(found, key=lambda finding: not finding.is_error)


def _of_the_quorum(cluster: ClusterFacts) -> Iterator[MigrationFinding]:
    if cluster.kraft_version < 1:
        yield _error(
            "the finalized kraft.version is 0: the voters of a static quorum cannot be changed",
            "run `kraftpy features upgrade --feature kraft.version=1` "
            f"(metadata.version {KRAFT_VERSION_1_LEVEL} or higher)",
        )
    if cluster.level > KAFKA_LEVEL_MAX:
        yield _warning(
            f"metadata.version is {BY_LEVEL.get(cluster.level, cluster.level)}: released Kafka cannot read this log",
            "controllers of Kafka can neither join nor return",
        )


def _of_ids(cluster: ClusterFacts, joining: Sequence[ControllerFacts]) -> Iterator[MigrationFinding]:
    voters = {voter.key.node_id: voter.key for voter in cluster.voters}
    brokers = {broker.broker_id for broker in cluster.brokers}
    seen: dict[NodeId, str] = {}
    for controller in joining:
        key = controller.voter.key
        if key.node_id in brokers:
            yield _error(
                f"{controller.source}: node.id {key.node_id} is the id of a broker",
                "give the controller another node.id",
            )
        if key.node_id in seen:
            yield _error(
                f"{controller.source} and {seen[key.node_id]} have the same node.id {key.node_id}",
                "give one another node.id",
            )
        seen[key.node_id] = controller.source
        voting = voters.get(key.node_id)
        if voting is not None and voting != key:
            yield _error(
                f"{controller.source}: controller {voting} votes under the node.id {key.node_id}",
                "give the new controller another node.id, also where it takes over an address",
            )


def canonical_host(host: str) -> str:
    """Return a host as it is compared: an address in its one form, a name in lower case and without its last dot."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.lower().removesuffix(".")


def hosts_of(cluster: ClusterFacts, joining: Sequence[ControllerFacts]) -> frozenset[str]:
    """Return the hosts, as they are compared, of every address that is."""
    found = [one for voter in (*cluster.voters, *(each.voter for each in joining)) for one in voter.endpoints]
    found += [one for broker in cluster.brokers for one in broker.bootstrap_servers or ()]
    found += [one for controller in joining for one in controller.bootstrap_servers]
    found += [one for values in cluster.values.values() for one in _servers_in(values)]
    return frozenset(canonical_host(one.host) for one in found)


def _servers_in(values: Mapping[str, str | None]) -> tuple[Endpoint, ...]:
    """Read the bootstrap servers of a controller that described itself; none where they cannot be read."""
    items = [item.strip() for item in (values.get(BOOTSTRAP_SERVERS) or "").split(",") if item.strip()]
    try:
        return parse_bootstrap_servers(items, "")
    except ValueError:
        return ()


def _written(endpoint: Endpoint) -> tuple[str, int]:
    return canonical_host(endpoint.host), endpoint.port


def _places(endpoint: Endpoint, cluster: ClusterFacts) -> frozenset[tuple[str, int]]:
    """Return an address as it is compared, by its name and by what that resolves to: two are one if they share any."""
    host, port = _written(endpoint)
    return frozenset((one, port) for one in {host, *cluster.addresses.get(host, ())})


def _not_in(
    endpoints: Iterable[Endpoint], servers: Iterable[Endpoint], cluster: ClusterFacts
) -> dict[tuple[str, int], Endpoint]:
    """Return those that a list of servers does not name."""
    named = {place for one in servers for place in _places(one, cluster)}
    return {_address(one): one for one in endpoints if not named & _places(one, cluster)}


def _by_another_name(
    endpoints: Iterable[Endpoint], servers: Sequence[Endpoint], cluster: ClusterFacts
) -> Iterator[tuple[Endpoint, Endpoint]]:
    """Yield, with their servers, those that a list names by no more than what names resolve to on this machine."""
    written = {_written(one) for one in servers}
    for endpoint in endpoints:
        if _written(endpoint) not in written:
            places = _places(endpoint, cluster)
            yield from ((one, endpoint) for one in servers if places & _places(one, cluster))


def _of_addresses(cluster: ClusterFacts, joining: Sequence[ControllerFacts]) -> Iterator[MigrationFinding]:
    """Look for addresses that are taken over: their owners have to leave, and to be stopped, first."""
    new = {one.voter.key for one in joining}
    owners = [(one, voter) for voter in cluster.voters if voter.key not in new for one in voter.endpoints]
    seen: list[tuple[Endpoint, str]] = []
    for controller in joining:
        for endpoint in {_address(one): one for one in controller.voter.endpoints}.values():
            places = _places(endpoint, cluster)
            for one, source in ((one, source) for one, source in seen if places & _places(one, cluster)):
                yield _by_writing(endpoint, one)(
                    f"{controller.source} and {source} have the same address {_shown_address(endpoint)}",
                    "give one another port in listeners",
                )
            seen.append((endpoint, controller.source))
            owner = next((each for each in owners if places & _places(each[0], cluster)), None)
            if owner is not None:
                yield _of_an_address_taken_over(cluster, controller, endpoint, *owner)


def _of_an_address_taken_over(
    cluster: ClusterFacts, controller: ControllerFacts, endpoint: Endpoint, present: Endpoint, owner: Voter
) -> MigrationFinding:
    shown, node_id = _shown_address(endpoint), owner.key.node_id
    if len(cluster.voters) == 1:
        return _by_writing(endpoint, present)(
            f"{controller.source}: it has the address {shown} of controller {node_id}, the only voter, which cannot "
            "leave before another one votes",
            "give the new controller an address of its own",
        )
    if _address(endpoint) != _address(present):
        # The steps of a migration compare what is written: they would wait for the new one beside the old one.
        return _by_writing(endpoint, present)(
            f"{controller.source}: its address {shown} is that of controller {node_id}, which is written "
            f"{_shown_address(present)}",
            f"to take it over, write {_shown_address(present)}; else give the new controller an address of its own",
        )
    return _warning(
        f"{controller.source}: controller {controller.voter.key.node_id} takes over the address {shown} of "
        f"controller {node_id}, so there is one voter fewer until it votes",
        f"stop {node_id} and start {controller.voter.key.node_id} when `migrate run` says so",
    )


def _by_writing(endpoint: Endpoint, other: Endpoint) -> Callable[[str, str], MigrationFinding]:
    """Return what two addresses that are one make: an error as written; names may resolve otherwise elsewhere."""
    return _error if _written(endpoint) == _written(other) else _warning


def _address(endpoint: Endpoint) -> tuple[str, int]:
    return endpoint.host, endpoint.port


def _shown_address(endpoint: Endpoint) -> str:
    return str(endpoint).partition("://")[2]


def _shown_addresses(endpoints: Iterable[Endpoint]) -> str:
    return ", ".join(sorted({_shown_address(one) for one in endpoints}))


def _endpoints(voter: Voter, listener: str | None) -> tuple[Endpoint, ...]:
    """Return where a voter has a listener of a name; all of its endpoints when it has none, or the name is unknown."""
    named = tuple(one for one in voter.endpoints if one.name == listener)
    return named or voter.endpoints


def _of_a_controller(
    cluster: ClusterFacts, controller: ControllerFacts, joining: Sequence[ControllerFacts]
) -> Iterator[MigrationFinding]:
    source = controller.source
    if controller.has_static_voters:
        yield _error(
            f"{source}: controller.quorum.voters is set, so it takes the quorum for a static one",
            "remove the key; set controller.quorum.bootstrap.servers",
        )
    if controller.cluster_id is not None and cluster.cluster_id not in (None, controller.cluster_id):
        yield _error(
            f"{source}: it is of cluster {controller.cluster_id} (meta.properties, cluster.id.expected), the quorum of "
            f"{cluster.cluster_id}",
            "start it on an empty directory, or name the right quorum",
        )
    names = {endpoint.name for voter in cluster.voters for endpoint in voter.endpoints}
    if names and controller.listener not in names:
        yield _error(
            f"{source}: its controller listener is {controller.listener}, the voters' {', '.join(sorted(names))}",
            "name it alike in controller.listener.names, listeners and listener.security.protocol.map",
        )
    spoken = cluster.protocols.get(controller.listener, controller.security_protocol)
    if spoken != controller.security_protocol:
        yield _error(
            f"{source}: its controller listener speaks {controller.security_protocol}, those of the quorum {spoken}",
            "use the same protocol on all controllers",
        )
    others = _others(controller, joining)
    yield from _of_a_list(source, "it", controller.listener, controller.bootstrap_servers, cluster, others)


def _others(controller: ControllerFacts, joining: Sequence[ControllerFacts]) -> list[ControllerFacts]:
    """Return whom a controller can find the quorum by at the end; itself only when it is alone."""
    return [one for one in joining if one.voter.key != controller.voter.key] or [controller]


def _of_a_list(
    source: str,
    who: str,
    listener: str | None,
    servers: tuple[Endpoint, ...],
    cluster: ClusterFacts,
    joining: Sequence[ControllerFacts],
) -> Iterator[MigrationFinding]:
    """Judge a list of bootstrap servers: whether the quorum is found by it now, and at the end.

    Controllers may have several listeners; those are meant that have the name by which ``who`` looks for them.
    """
    after = [endpoint for controller in joining for endpoint in _endpoints(controller.voter, listener)]
    before = [endpoint for voter in cluster.voters for endpoint in _endpoints(voter, listener)]
    missing = _not_in(after, servers, cluster)
    if len(missing) == len({_address(one) for one in after}):
        yield _error(
            f"{source}: controller.quorum.bootstrap.servers names none of the controllers that join: without the old "
            f"ones {who} would lose the quorum at the next election",
            f"add {_shown_addresses(after)} and restart {who}",
        )
    elif missing:
        yield _warning(
            f"{source}: controller.quorum.bootstrap.servers lacks {_shown_addresses(missing.values())}",
            "add what is missing",
        )
    for server, endpoint in _by_another_name(after, servers, cluster):
        yield _warning(
            f"{source}: {_shown_address(server)} in controller.quorum.bootstrap.servers is taken for "
            f"{_shown_address(endpoint)}: both have one address on this machine",
            f"see that they have where {who} runs, or write them alike",
        )
    if before and len(_not_in(before, servers, cluster)) == len({_address(one) for one in before}):
        yield _warning(
            f"{source}: controller.quorum.bootstrap.servers names none of the present voters: after the way back "
            f"{who} could not find the quorum",
            "keep the present addresses in the list until the migration is final",
        )


def _of_features(cluster: ClusterFacts, controller: ControllerFacts) -> Iterator[MigrationFinding]:
    ranges = {one.name: one for one in controller.features}
    levels = {**cluster.features, METADATA_VERSION: cluster.level, KRAFT_VERSION: max(cluster.kraft_version, 1)}
    for name, level in sorted(levels.items()):
        supported = ranges.get(name)
        low, high = (0, 0) if supported is None else (supported.min_level, supported.max_level)
        if not low <= level <= high:
            wanted = (
                f"{name} {level}" if name != METADATA_VERSION or level >= MINIMUM_LEVEL else f"metadata.version {level}"
            )
            yield _error(
                f"{controller.source}: {wanted} is in force, the new controller supports {low} to {high}",
                "change the level of the feature first, or use software that supports it"
                + ("; unstable.feature.versions.enable=true allows levels without a release" if level > high else ""),
            )


def _of_brokers(cluster: ClusterFacts, joining: Sequence[ControllerFacts]) -> Iterator[MigrationFinding]:
    listeners = {endpoint.name for controller in joining for endpoint in controller.voter.endpoints}
    for broker in cluster.brokers:
        if broker.bootstrap_servers is None:
            yield _error(
                f"broker {broker.broker_id}: controller.quorum.bootstrap.servers is unknown ({broker.why})",
                "give its server.properties with --broker-config",
            )
            continue
        who, servers = f"broker {broker.broker_id}", broker.bootstrap_servers
        yield from _of_a_list(broker.source, who, broker.listener, servers, cluster, joining)
        if broker.listener is not None and broker.listener not in listeners:
            yield _error(
                f"{broker.source}: broker {broker.broker_id} looks for controllers at the listener {broker.listener}, "
                f"the new ones have {', '.join(sorted(listeners))}",
                "name the listeners alike",
            )


def _of_the_way_back(cluster: ClusterFacts, joining: Sequence[ControllerFacts]) -> Iterator[MigrationFinding]:
    """Look for controllers that could not follow the new ones after a restart, so that they could not return."""
    after = [endpoint for controller in joining for endpoint in controller.voter.endpoints]
    written = {_address(one) for one in after}
    for node_id, values in sorted(cluster.values.items()):
        missing = _not_in(after, _servers_in(values), cluster)
        if BOOTSTRAP_SERVERS in values and len(missing) == len(written):
            yield _warning(
                f"controller {node_id}: {BOOTSTRAP_SERVERS} names none of the controllers that join: restarted, it "
                "could not follow them and return",
                f"add {_shown_addresses(after)} to its file before it is started for the way back",
            )


def _of_values(
    cluster: ClusterFacts, joining: Sequence[ControllerFacts], leaving: Sequence[ControllerFacts]
) -> Iterator[MigrationFinding]:
    present = {**cluster.values, **{one.voter.key.node_id: one.values for one in leaving}}
    for voter in cluster.voters:
        if voter.key not in {one.voter.key for one in joining} and voter.key.node_id not in present:
            yield _warning(
                f"controller {voter.key.node_id} does not describe its configuration, which is not compared",
                "give its server.properties with --from, or compare by hand",
            )
    for controller in joining:
        for node_id, values in sorted(present.items()):
            for key in DECIDING_KEYS:
                if key not in values or key not in controller.values:
                    continue
                old, new = values[key], controller.values[key]
                if not same_value(key, old, new):
                    yield _error(
                        f"{controller.source}: {key} is {_shown(new)}, controller {node_id} has {_shown(old)}: which "
                        "controller is active would change what is decided",
                        f"set {key} alike{_or_give_the_file(key)}",
                    )
            yield from _of_policies(node_id, values, controller)
            yield from _of_authentication(node_id, values, controller)
    sources = {f"controller {node_id}": values for node_id, values in sorted(present.items())}
    for source, values in {**sources, **{one.source: one.values for one in joining}}.items():
        if same_value(AUTO_JOIN, values.get(AUTO_JOIN), "true"):
            yield _error(
                f"{source}: {AUTO_JOIN} is true, so a controller that was removed from the voters adds itself again",
                f"set {AUTO_JOIN}=false in its file and restart it first",
            )
    yield _warning(
        f"{SECRET_KEY} and the files of TLS cannot be compared",
        "see that they are the same, or signed by the same authority, on all controllers",
    )


def _of_policies(
    node_id: NodeId, values: Mapping[str, str | None], controller: ControllerFacts
) -> Iterator[MigrationFinding]:
    for key in POLICY_KEYS:
        if not values.get(key):
            continue
        if not controller.values.get(key):
            yield _error(
                f"{controller.source}: {key} is not set, controller {node_id} asks {values[key]}",
                f"set {key} to a class that decides alike, in the language of the new controllers",
            )
        else:
            yield _warning(
                f"{controller.source}: {key} is {controller.values[key]}, controller {node_id} asks {values[key]}",
                "see that both decide alike",
            )


def _of_authentication(
    node_id: NodeId, values: Mapping[str, str | None], controller: ControllerFacts
) -> Iterator[MigrationFinding]:
    for key, nothing in CLASS_KEYS.items():
        old, new = (found.get(key) or nothing for found in (values, controller.values))
        if old != new:
            yield _error(
                f"{controller.source}: {key} is {_shown(new)}, controller {node_id} has {_shown(old)}: principals or "
                "quotas would depend on which controller is active",
                f"do without {key} on the old controllers first; kraftpy asks no class of Java",
            )
    offered, wanted = (set(_items(found.get(MECHANISMS))) for found in (controller.values, values))
    if controller.security_protocol.startswith("SASL_") and not wanted <= offered:
        yield _error(
            f"{controller.source}: {MECHANISMS} lacks {', '.join(sorted(wanted - offered))}, which controller "
            f"{node_id} offers: brokers that use it would lose the quorum",
            f"add it (docs/sasl.md), or let all nodes use another one first{_or_give_the_file(MECHANISMS)}",
        )


def _or_give_the_file(key: str) -> str:
    if key not in SCOPED_KEYS:
        return ""
    return "; where the controllers that leave have it for one listener alone, give their files with --from"


def _items(text: str | None) -> list[str]:
    return [item.strip() for item in (text or "").split(",") if item.strip()]


def _of_reports(cluster: ClusterFacts) -> Iterator[MigrationFinding]:
    """Look for brokers whose report of all that they may lead would be too long for kraftpy."""
    for broker_id, items in sorted(cluster.report_items.items()):
        if items > BROKER_ITEMS_MAX:
            yield _warning(
                f"broker {broker_id}: an AlterPartition of all its partitions names {items} items, controllers of "
                f"kraftpy take {BROKER_ITEMS_MAX}: they would refuse it again and again, and no ISR would change",
                "spread its replicas over more brokers first (docs/limits.md)",
            )


def same_value(key: str, first: str | None, second: str | None) -> bool:
    """Return whether two texts of a key mean the same; a text that cannot be read equals only itself."""
    if first == second:
        return True
    try:
        return NODE_KEYS[key].check(first or "") == NODE_KEYS[key].check(second or "")
    except (KeyError, ValueError):
        return (first or "") == (second or "")


def _shown(value: str | None) -> str:
    return "not set" if value in (None, "") else str(value)
