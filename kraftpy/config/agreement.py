"""What the files of several nodes say together: whether they describe one cluster.

Each file is right by itself, or it would not have been read. Nothing here is looked up: a name and an address of the
same machine are two hosts, except for the names of the loopback interface.

Source: KIP-595 §Configurations; KIP-853; docs/deploy.md.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from kraftpy.config.endpoints import WILDCARD_HOSTS, is_loopback
from kraftpy.config.node_config import NodeConfig
from kraftpy.config_keys.deciding_keys import DECIDING_KEYS
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import Endpoint

TIMEOUT_KEYS: Final = ("controller.quorum.election.timeout.ms", "controller.quorum.fetch.timeout.ms")
"""A controller with shorter ones than the others would hold elections again and again."""

LOOPBACK: Final = "localhost"


@dataclass(frozen=True, slots=True)
class Disagreement:
    """Something that is wrong with files together (``is_error``), or that is worth knowing.

    Attributes:
        sources: the names of the files.
        what: a sentence.
        way_out: what to do about it.
    """

    is_error: bool
    sources: tuple[str, ...]
    what: str
    way_out: str


def disagreements(configs: Sequence[NodeConfig]) -> list[Disagreement]:
    """Return what is wrong between files, errors first."""
    checks = (
        _ids_twice,
        _voters_differ,
        _bootstrap_servers_differ,
        _unlike_entries,
        _controller_listeners_differ,
        _cluster_ids_differ,
        _addresses_twice,
        _directories_twice,
        _loopback_beside_others,
        _keys_differ,
        _racks_missing,
        _quorum_size,
    )
    found = [one for check in checks for one in check(configs)]
    return sorted(found, key=lambda one: not one.is_error)


def _error(sources: tuple[str, ...], what: str, way_out: str) -> Disagreement:
    return Disagreement(is_error=True, sources=sources, what=what, way_out=way_out)


def _notice(sources: tuple[str, ...], what: str, way_out: str) -> Disagreement:
    return Disagreement(is_error=False, sources=sources, what=what, way_out=way_out)


def _controllers(configs: Iterable[NodeConfig]) -> list[NodeConfig]:
    return [one for one in configs if one.is_controller]


def _sources(configs: Iterable[NodeConfig]) -> tuple[str, ...]:
    return tuple(one.source for one in configs)


def _groups(configs: Iterable[NodeConfig], value_of: Mapping[str, object]) -> dict[object, list[NodeConfig]]:
    """Group files by a value of theirs."""
    groups: dict[object, list[NodeConfig]] = defaultdict(list)
    for one in configs:
        groups[value_of[one.source]].append(one)
    return groups


def _named(groups: Mapping[object, Sequence[NodeConfig]]) -> str:
    """Say which files have which value."""
    return "; ".join(f"{value} in {', '.join(_sources(files))}" for value, files in groups.items())


def _ids_twice(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    groups = _groups((one for one in configs if one.has_node_id), {one.source: one.node_id for one in configs})
    for node_id, files in groups.items():
        if len(files) > 1:
            yield _error(
                _sources(files), f"node.id {node_id} is in {len(files)} files", "give each node an id of its own"
            )


def _shown_voters(config: NodeConfig) -> str:
    return ",".join(f"{one.key.node_id}@{_shown(one.endpoints[0])}" for one in config.voters)


def _shown(endpoint: Endpoint) -> str:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    return f"{host}:{endpoint.port}"


def _voters_differ(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    static = [one for one in configs if len(one.voters)]
    groups = _groups(static, {one.source: _shown_voters(one) for one in static})
    if len(groups) > 1:
        yield _error(
            _sources(static),
            f"controller.quorum.voters differs: {_named(groups)}",
            "write the same list into every file: two lists are two quorums",
        )
    dynamic = [one for one in _controllers(configs) if not len(one.voters)]
    if dynamic and _controllers(static):
        yield _error(
            _sources(_controllers(configs)),
            f"controller.quorum.voters is set in {', '.join(_sources(_controllers(static)))} and not in "
            f"{', '.join(_sources(dynamic))}",
            "set it in all files, or in none and format the first controllers (kraftpy storage format --help)",
        )
    known = {one.node_id for one in configs}
    for config in static[:1]:
        missing = [node_id for node_id in config.voters.ids if node_id not in known]
        if missing and len(configs) > 1:
            yield _notice(
                (config.source,),
                f"no file here is of the voters {', '.join(map(str, missing))}",
                "check their files, too",
            )


def _bootstrap_servers_differ(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    listed = [one for one in configs if one.bootstrap_servers]
    for config in listed:
        servers = {_address(one) for one in config.bootstrap_servers}
        unlisted = [
            each for each in _controllers(configs)
            if each.controller_listener is not None and _address(each.controller_listener.advertised) not in servers
        ]  # fmt: skip
        if unlisted:
            yield _notice(
                (config.source,),
                f"controller.quorum.bootstrap.servers does not have the controllers of {', '.join(_sources(unlisted))}",
                "add them: a node without a leader asks no other node",
            )


def _address(endpoint: Endpoint) -> tuple[str, int]:
    return _host(endpoint.host), endpoint.port


def _host(host: str) -> str:
    """Return one name for a host that has several."""
    return LOOPBACK if is_loopback(host) else host.lower()


def _unlike_entries(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Compare where others look for a controller with where it is; its own file is compared when it is read."""
    by_id = {one.node_id: one for one in _controllers(configs)}
    reported: set[tuple[NodeId, Endpoint]] = set()
    for config in configs:
        for voter in config.voters:
            there, entry = by_id.get(voter.key.node_id), voter.endpoints[0]
            if there is None or there is config or there.controller_listener is None:
                continue
            at = there.controller_listener.advertised
            if _address(at) != _address(entry) and (there.node_id, entry) not in reported:
                reported.add((there.node_id, entry))
                report = _notice if at.port == entry.port else _error
                yield report(
                    (config.source, there.source),
                    f"{config.source} has node {there.node_id} at {_shown(entry)}, and {there.source} says that it is "
                    f"at {_shown(at)}",
                    "make both the same, unless one is another name of that host",
                )


def _controller_listeners_differ(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    names = _groups(configs, {one.source: one.controller_listener_name for one in configs})
    if len(names) > 1:
        yield _error(
            _sources(configs),
            f"the first of controller.listener.names differs: {_named(names)}",
            "let all files begin with the same name: controllers look for each other there",
        )
        return
    protocols = _groups(configs, {one.source: one.controller_protocol for one in configs})
    if len(protocols) > 1:
        yield _error(
            _sources(configs),
            f"what is spoken at {configs[0].controller_listener_name} differs: {_named(protocols)}",
            "make listener.security.protocol.map the same in all files",
        )


def _cluster_ids_differ(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    set_here = [one for one in configs if one.expected_cluster_id is not None]
    groups = _groups(set_here, {one.source: one.expected_cluster_id for one in configs})
    if len(groups) > 1:
        yield _error(
            _sources(set_here),
            f"cluster.id.expected differs: {_named(groups)}",
            "set the id that `kraftpy cluster cluster-id` prints",
        )


def _bound(config: NodeConfig) -> Iterator[tuple[str, str, int]]:
    """Yield what a node binds: the key, the host, and the port."""
    for listener in (*config.controller_listeners, *config.broker_listeners):
        yield f"the listener {listener.name}", listener.host, listener.port
    for key, address in (
        ("grpc.listener", config.api.grpc_listener),
        ("metrics.listener", config.api.metrics_listener),
    ):
        if address is not None:
            yield key, *address


def _machine(config: NodeConfig) -> str:
    """Return the host that a node is reached at, by which its machine is known here."""
    listeners = (*config.controller_listeners, *config.broker_listeners)
    return _host(listeners[0].advertised.host) if listeners else _host(config.broker.host)


def _addresses_twice(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find ports that two nodes of one machine would bind."""
    owners: dict[tuple[str, int], list[tuple[NodeConfig, str, str]]] = defaultdict(list)
    for config in configs:
        for key, host, port in _bound(config):
            if port != 0:
                owners[_machine(config), port].append((config, key, _host(host)))
    for (machine, port), bound in owners.items():
        hosts = {host for *_, host in bound}
        meets = len(hosts) < len(bound) or bool(hosts & WILDCARD_HOSTS)
        if len(bound) > 1 and meets:
            places = ", ".join(f"{key} of {config.source}" for config, key, _ in bound)
            sources = tuple(dict.fromkeys(config.source for config, *_ in bound))
            yield _error(sources, f"port {port} of {machine} is bound {len(bound)} times: {places}", "use other ports")


def _directories_twice(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    owners: dict[tuple[str, str], list[NodeConfig]] = defaultdict(list)
    for config in configs:
        for directory in dict.fromkeys((*config.log.log_dirs, config.log.metadata_log_dir)):
            owners[_machine(config), directory.rstrip("/")].append(config)
    for (machine, directory), files in owners.items():
        if len(files) > 1:
            yield _error(
                _sources(files),
                f"the directory {directory} of {machine} is of {len(files)} nodes",
                "give each node a log.dirs of its own",
            )


def _loopback_beside_others(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    hosts = {
        config.source: {one.advertised.host for one in (*config.controller_listeners, *config.broker_listeners)}
        for config in configs
    }
    local = [one for one in configs if any(is_loopback(host) for host in hosts[one.source])]
    if local and any(not is_loopback(host) for each in hosts.values() for host in each):
        yield _error(
            _sources(local),
            f"{', '.join(_sources(local))}: advertised at a loopback address, which other machines cannot reach",
            "set the host's name in listeners or advertised.listeners",
        )


def _keys_differ(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    controllers = _controllers(configs)
    for key in (*DECIDING_KEYS, *TIMEOUT_KEYS):
        values = {one.source: one.values.get(key, one.topic_settings.get(key)) for one in controllers}
        shown = {source: "not set" if value is None else str(value) for source, value in values.items()}
        groups = _groups(controllers, shown)
        if len(groups) > 1:
            yield _notice(
                _sources(controllers),
                f"{key} differs between controllers: {_named(groups)}",
                "make it the same: whichever controller is active decides by its own",
            )


def _racks_missing(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    brokers = [one for one in configs if one.is_broker]
    without = [one for one in brokers if one.broker.rack is None]
    if without and len(without) < len(brokers):
        yield _error(
            _sources(without),
            f"broker.rack is set on some brokers, and not in {', '.join(_sources(without))}",
            "set it on all brokers or on none: replicas cannot be spread over racks otherwise (KIP-36)",
        )


def _quorum_size(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    static = next((one for one in configs if len(one.voters)), None)
    count = len(static.voters) if static is not None else len(_controllers(configs))
    if count and count % 2 == 0:
        sources = (static.source,) if static is not None else _sources(_controllers(configs))
        yield _notice(
            sources,
            f"{count} controllers survive no more failures than {count - 1}",
            "use an odd number of controllers: 3, or 5",
        )
