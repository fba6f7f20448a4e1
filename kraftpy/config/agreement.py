"""What the files of several nodes say together: whether they describe one cluster.

Each file is right by itself, or it would not have been read. Nothing is looked up: two names of one host are two hosts,
and a difference that may be one of names alone is a notice. Ports and directories are compared between nodes that are
surely on one machine: those that others reach at the same host, without an address that is forwarded.

Source: KIP-595 §Configurations; KIP-853; docs/deploy.md.
"""

from __future__ import annotations

import posixpath
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from itertools import combinations
from typing import Final

from kraftpy.config.endpoints import WILDCARD_HOSTS, is_loopback
from kraftpy.config.listeners import ListenerConfig
from kraftpy.config.node_config import NodeConfig
from kraftpy.config_keys.deciding_keys import DECIDING_KEYS
from kraftpy.config_keys.shared_keys import POLICY_KEYS, QUORUM_KEYS
from kraftpy.model.ids import NodeId
from kraftpy.model.voters import Endpoint

UNKNOWN_HOST: Final = ""
"""For ``local_host`` of ``parse_config``: the machine that reads the files is not the one that they are for."""

SECRET_KEY: Final = "delegation.token.secret.key"  # noqa: S105 - the name of a key


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


def disagreements(configs: Sequence[NodeConfig], *, are_all: bool = True) -> list[Disagreement]:
    """Return what is wrong between files, errors first.

    Args:
        configs: one of each node; listeners without a host have ``UNKNOWN_HOST``.
        are_all: whether there is no further file, such as one that cannot be read.
    """
    checks = (
        _duplicate_ids,
        _voters,
        _voters_that_are_brokers,
        _voter_entries,
        _bootstrap_servers,
        _controller_listeners,
        _cluster_ids,
        _ports,
        _directories,
        _loopback_addresses,
        _keys,
        _secrets,
        _racks,
        _quorum_size,
    )
    found = [one for check in checks for one in check(configs)]
    found += _absent_voters(configs) if are_all else []
    return sorted(found, key=lambda one: not one.is_error)


def _error(configs: Iterable[NodeConfig], what: str, way_out: str) -> Disagreement:
    return Disagreement(is_error=True, sources=_sources(configs), what=what, way_out=way_out)


def _notice(configs: Iterable[NodeConfig], what: str, way_out: str) -> Disagreement:
    return Disagreement(is_error=False, sources=_sources(configs), what=what, way_out=way_out)


def _controllers(configs: Iterable[NodeConfig]) -> list[NodeConfig]:
    return [one for one in configs if one.is_controller]


def _sources(configs: Iterable[NodeConfig]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(one.source for one in configs))


def _names(configs: Iterable[NodeConfig]) -> str:
    return ", ".join(_sources(configs))


def _groups(configs: Iterable[NodeConfig], value: Callable[[NodeConfig], object]) -> dict[object, list[NodeConfig]]:
    """Group files by a value of theirs."""
    groups: dict[object, list[NodeConfig]] = defaultdict(list)
    for one in configs:
        groups[value(one)].append(one)
    return groups


def _described(groups: Mapping[object, Sequence[NodeConfig]]) -> str:
    """Write which files have which value."""
    return "; ".join(f"{value} in {_names(files)}" for value, files in groups.items())


def _duplicate_ids(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    for node_id, files in _groups((one for one in configs if one.has_node_id), lambda one: one.node_id).items():
        if len(files) > 1:
            yield _error(files, f"node.id {node_id} is in {len(files)} files", "give each node an id of its own")


# Hosts.


def _host(host: str) -> str:
    """Return a host without what makes no difference: case, a dot at its end, another spelling of an address."""
    try:
        return str(ip_address(host))
    except ValueError:
        return host.lower().removesuffix(".")


def _same_host(one: str, other: str) -> bool:
    return _host(one) == _host(other) or (is_loopback(one) and is_loopback(other))


def _shown(endpoint: Endpoint) -> str:
    host = f"[{endpoint.host}]" if ":" in endpoint.host else endpoint.host
    return f"{host}:{endpoint.port}"


def _listeners(config: NodeConfig) -> tuple[ListenerConfig, ...]:
    return (*config.controller_listeners, *config.broker_listeners)


def _machine(config: NodeConfig) -> str | None:
    """Return the host at which a node is reached; ``None`` where that is unknown, or its address may be forwarded."""
    hosts = set()
    for listener in _listeners(config):
        advertised = listener.advertised
        if advertised.host == UNKNOWN_HOST or advertised.port != listener.port:
            return None
        hosts.add("localhost" if is_loopback(advertised.host) else _host(advertised.host))
    return hosts.pop() if len(hosts) == 1 else None


def _on_one_machine(configs: Sequence[NodeConfig]) -> Iterator[tuple[str, NodeConfig, NodeConfig]]:
    """Yield each two nodes that are on one machine."""
    for machine, files in _groups(configs, _machine).items():
        if machine is not None:
            yield from ((str(machine), one, other) for one, other in combinations(files, 2))


def _bound(config: NodeConfig) -> Iterator[tuple[str, str, int]]:
    """Yield what a node binds: by which key, the host, and the port."""
    for listener in _listeners(config):
        yield f"the listener {listener.name}", listener.host, listener.port
    api = config.api
    for key, address in (("grpc.listener", api.grpc_listener), ("metrics.listener", api.metrics_listener)):
        if address is not None:
            yield key, *address


def _overlap(one: str, other: str) -> bool:
    """Return whether two hosts that are bound share an address."""
    if UNKNOWN_HOST in (one, other):
        return True
    if one in WILDCARD_HOSTS or other in WILDCARD_HOSTS:
        return (":" in one) == (":" in other)
    names = {"localhost": "127.0.0.1"}
    return names.get(one.lower(), _host(one)) == names.get(other.lower(), _host(other))


def _ports(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find ports that two nodes of one machine would bind."""
    for machine, one, other in _on_one_machine(configs):
        for key, host, port in _bound(one):
            for other_key, other_host, other_port in _bound(other):
                if port == other_port != 0 and _overlap(host, other_host):
                    yield _error(
                        (one, other),
                        f"port {port} of {machine} is that of {key} in {one.source} and of {other_key} in "
                        f"{other.source}",
                        "use other ports",
                    )


def _directories(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find directories that two nodes of one machine would use, or one below the other."""
    for machine, one, other in _on_one_machine(configs):
        for directory in _directories_of(one):
            for other_directory in _directories_of(other):
                if posixpath.commonpath((directory, other_directory)) in (directory, other_directory):
                    yield _error(
                        (one, other),
                        f"{directory} and {other_directory} of {machine} are of two nodes, in {one.source} and "
                        f"{other.source}"
                        if directory != other_directory
                        else f"{directory} of {machine} is of two nodes, in {one.source} and {other.source}",
                        "give each node a log.dirs of its own",
                    )


def _directories_of(config: NodeConfig) -> list[str]:
    """Return the absolute ones: others depend on where a node is started."""
    named = (*config.log.log_dirs, config.log.metadata_log_dir)
    return list(dict.fromkeys(posixpath.normpath(one) for one in named if posixpath.isabs(one)))


def _loopback_addresses(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find nodes that others cannot reach: where nodes connect to each other, they advertise a loopback address."""
    served = {one.source: _served_to_nodes(one) for one in configs}
    local = [one for one in configs if any(is_loopback(each.host) for each in served[one.source])]
    others = [one for one in configs if any(not is_loopback(each.host) for each in served[one.source])]
    if local and others:
        yield _error(
            local,
            f"{_names(local)}: advertised to other nodes at a loopback address, which other machines cannot reach",
            "set the host's name in listeners or advertised.listeners",
        )


def _served_to_nodes(config: NodeConfig) -> list[Endpoint]:
    name = config.broker.inter_broker_listener_name
    listeners = [*config.controller_listeners[:1], *(one for one in config.broker_listeners if one.name == name)]
    return [one.advertised for one in listeners if one.advertised.host != UNKNOWN_HOST]


# The quorum.


def _voters(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    static = [one for one in configs if len(one.voters)]
    groups = _groups(static, lambda one: ",".join(map(str, one.voters.ids)))
    if len(groups) > 1:
        yield _error(
            static,
            f"controller.quorum.voters has other ids: {_described(groups)}",
            "write the same list into every file: two lists are two quorums",
        )
    dynamic = [one for one in _controllers(configs) if not len(one.voters)]
    if dynamic and _controllers(static):
        yield _error(
            _controllers(configs),
            f"controller.quorum.voters is set in {_names(_controllers(static))} and not in {_names(dynamic)}",
            "set it in all files, or in none and format the first controllers (kraftpy storage format --help)",
        )


def _voters_that_are_brokers(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    for config in configs:
        naming = [one for one in configs if config.node_id in one.voters.ids]
        if not config.is_controller and config.has_node_id and naming:
            yield _error(
                (config, *naming),
                f"node {config.node_id} is a voter in {_names(naming)}, and {config.source} has the role broker alone",
                "give the broker another node.id",
            )


def _absent_voters(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    known = {one.node_id for one in _controllers(configs)}
    static = next((one for one in configs if len(one.voters)), None)
    if static is not None and len(configs) > 1:
        absent = [node_id for node_id in static.voters.ids if node_id not in known]
        if absent:
            ids = ", ".join(map(str, absent))
            yield _notice((static,), f"there is no file of the voters {ids}", "check their files, too")


def _voter_entries(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Compare where others look for a controller with where it is."""
    by_id = {one.node_id: one for one in _controllers(configs)}
    reported: set[tuple[NodeId, str]] = set()
    for config in configs:
        for voter in config.voters:
            there, entry = by_id.get(voter.key.node_id), voter.endpoints[0]
            if there is None or there is config or (voter.key.node_id, _shown(entry)) in reported:
                continue
            at = [one.advertised for one in there.controller_listeners if one.advertised.host != UNKNOWN_HOST]
            if not at or any(_same_host(one.host, entry.host) and one.port == entry.port for one in at):
                continue
            reported.add((voter.key.node_id, _shown(entry)))
            # Behind another host the port may be a forwarded one.
            report = _error if any(_same_host(one.host, entry.host) for one in at) else _notice
            yield report(
                (config, there),
                f"{config.source} has node {there.node_id} at {_shown(entry)}, and {there.source} has it at "
                f"{_shown(at[0])}",
                "make both the same, unless the one is forwarded to the other",
            )


def _bootstrap_servers(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find lists without any controller of these files."""
    controllers = [one.advertised for each in _controllers(configs) for one in each.controller_listeners]
    known = [one for one in controllers if one.host != UNKNOWN_HOST]
    listed = (one for one in configs if one.bootstrap_servers and not one.is_controller)
    for servers, files in _groups(listed, lambda one: ",".join(map(_shown, one.bootstrap_servers))).items():
        entries = files[0].bootstrap_servers
        is_known = any(_same_host(a.host, b.host) and a.port == b.port for a in entries for b in known)
        if known and not is_known:
            yield _notice(
                files,
                f"controller.quorum.bootstrap.servers={servers} has none of the controllers of these files",
                "name some of them, unless it is a name that leads to them",
            )


def _controller_listeners(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    """Find nodes that look for a listener which a controller does not open, or that speak another protocol there."""
    for controller in _controllers(configs):
        opened = {one.name: one.protocol for one in controller.controller_listeners}
        others = [one for one in configs if one is not controller]
        for name, files in _groups(others, lambda one: one.controller_listener_name).items():
            if name not in opened:
                yield _error(
                    (controller, *files),
                    f"the first of controller.listener.names is {name} in {_names(files)}, and {controller.source} "
                    f"opens {', '.join(opened)}",
                    "let each file begin with a listener that all controllers open",
                )
        named = [one for one in others if one.controller_listener_name in opened]
        unlike = [one for one in named if one.controller_protocol != opened[one.controller_listener_name]]
        for protocol, files in _groups(unlike, lambda one: one.controller_protocol).items():
            name = files[0].controller_listener_name
            yield _error(
                (controller, *files),
                f"{name} is {protocol} in {_names(files)} and {opened[name]} in {controller.source}",
                "make listener.security.protocol.map the same in all files",
            )


def _cluster_ids(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    named = [one for one in configs if one.expected_cluster_id is not None]
    groups = _groups(named, lambda one: one.expected_cluster_id)
    if len(groups) > 1:
        yield _error(
            named,
            f"cluster.id.expected differs: {_described(groups)}",
            "set the id that `kraftpy cluster cluster-id` prints",
        )


# Values.


def _keys(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    controllers = _controllers(configs)
    for keys, why in (
        ((*DECIDING_KEYS, *POLICY_KEYS), "whichever controller is active decides by its own"),
        (QUORUM_KEYS, "controllers expect of each other what they do themselves"),
    ):
        for key in keys:
            groups = _groups(controllers, partial(_shown_value, key))
            if len(groups) > 1:
                yield _notice(
                    controllers,
                    f"{key} differs between controllers: {_described(groups)}",
                    f"make it the same: {why}",
                )


def _shown_value(key: str, config: NodeConfig) -> str:
    value = config.values.get(key)
    return "not set" if value is None else str(value)


def _secrets(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    groups = _groups(_controllers(configs), lambda one: one.values.get(SECRET_KEY))
    if len(groups) > 1:
        yield _error(
            _controllers(configs),
            f"{SECRET_KEY} differs between controllers",
            "make it the same: tokens that one controller makes are no tokens to another",
        )


def _racks(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    brokers = [one for one in configs if one.is_broker]
    without = [one for one in brokers if one.broker.rack is None]
    if without and len(without) < len(brokers):
        yield _notice(
            without,
            f"broker.rack is set on some brokers, and not in {_names(without)}",
            "set it on all: brokers without one are placed as if they were in one rack (KIP-36)",
        )


def _quorum_size(configs: Sequence[NodeConfig]) -> Iterator[Disagreement]:
    static = next((one for one in configs if len(one.voters)), None)
    count = 0 if static is None else len(static.voters)
    if static is not None and count % 2 == 0:
        yield _notice(
            (static,),
            f"{count} controllers tolerate the failure of {count // 2 - 1}, as {count - 1} do",
            "use an odd number of controllers: 3, or 5",
        )
