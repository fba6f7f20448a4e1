"""The facts that a migration is checked by, read from a running quorum, from its brokers, and from files.

The state of the quorum is read from a copy of its log, which is made as an observer and thrown away: that works with
Kafka's controllers, too. Brokers and controllers of Kafka are asked for their own configuration; what they do not
answer can be given as files.
"""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from kraftpy.cli.errors import CommandError, UnreachableError
from kraftpy.cli.inspect_state import DirectoryContents, read_state
from kraftpy.cli.kafka_port import addresses_of
from kraftpy.cli.observe import log_to_stderr
from kraftpy.cli.waiting import answer_from, waiting_for
from kraftpy.config.endpoints import parse_bootstrap_servers
from kraftpy.config.node_config import load_config, read_config_text
from kraftpy.config.settings import Settings, read_settings
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.image.registrations import BrokerRegistration
from kraftpy.image.topics import TopicsImage
from kraftpy.model.errors import ConfigError
from kraftpy.model.features import METADATA_VERSION
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Offset
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.access import ProbeError, QuorumAccess
from kraftpy.quorum_tools.migration_checks import (
    BOOTSTRAP_SERVERS,
    COMPARED_KEYS,
    SCOPED_KEYS,
    BrokerFacts,
    ClusterFacts,
    ControllerFacts,
    canonical_host,
)
from kraftpy.quorum_tools.observer import NoControllerError, Observer, find_controllers
from kraftpy.quorum_tools.quorum_admin import DescribedQuorum, NoLeaderError, QuorumAdmin
from kraftpy.quorum_tools.static_configs import static_configs
from kraftpy.storage.filesystem import RealFileSystem, read_file
from kraftpy.storage.inspection import inspect_directory
from kraftpy.storage.meta_properties import meta_properties_path, parse_meta_properties
from kraftpy.storage.names import METADATA_DIRECTORY
from kraftpy.transport.kafka.resolving import LOOKUPS_MAX, Resolver

LISTENER_NAMES: Final = "controller.listener.names"
PROTOCOL_NAMES: Final = {0: "PLAINTEXT", 1: "SSL", 2: "SASL_PLAINTEXT", 3: "SASL_SSL"}
"""Source: Kafka ``SecurityProtocol``."""


@dataclass(frozen=True, slots=True)
class Survey:
    """A running quorum: what its log says, and who votes.

    Attributes:
        serving: the brokers that are registered and not fenced.
    """

    cluster_id: str | None
    described: DescribedQuorum
    state: DirectoryContents
    voters: tuple[Voter, ...]

    @property
    def serving(self) -> frozenset[NodeId]:
        """The brokers that serve clients, which have to follow the quorum."""
        return frozenset(one.broker_id for one in self.state.image.cluster.brokers.values() if not one.fenced)


async def survey(controllers: tuple[Endpoint, ...], *, access: QuorumAccess, timeout_s: float) -> Survey:
    """Copy a quorum's log up to the present high watermark, and describe the quorum.

    Raises:
        UnreachableError: no controller answers, none knows a leader, or the copy takes longer than ``timeout_s``.
        CommandError: the log cannot be read.
    """
    log_to_stderr("error")
    try:
        with waiting_for(answer_from(addresses_of(controllers), timeout_s)):
            cluster_id, _ = await find_controllers(controllers, access=access, timeout_s=timeout_s)
            described = await QuorumAdmin(controllers, access=access, timeout_s=timeout_s).describe()
    except (NoControllerError, NoLeaderError) as error:
        raise UnreachableError(str(error)) from error
    end = described.described.high_watermark or 0
    line = waiting_for(f"the quorum's log is copied and replayed, up to offset {end}")
    with line, tempfile.TemporaryDirectory(prefix="kraftpy-migrate-") as directory:
        await _copy(directory, controllers, cluster_id, end, access, timeout_s)
        fs = RealFileSystem()
        state = read_state(fs, inspect_directory(fs, str(Path(directory) / METADATA_DIRECTORY)))
    if state.findings:
        raise CommandError(f"the quorum's log cannot be replayed: {state.findings[0]}")
    in_log = () if state.voters is None else state.voters.voters
    voters = tuple(in_log or (Voter(one.key, one.endpoints) for one in described.described.voters))
    return Survey(cluster_id, described, state, voters)


async def _copy(
    directory: str,
    controllers: tuple[Endpoint, ...],
    cluster_id: str | None,
    end: Offset,
    access: QuorumAccess,
    timeout_s: float,
) -> None:
    observer = Observer(
        directory=directory, controllers=controllers, cluster_id=cluster_id, access=access,
        show=lambda _: None, report=lambda _: None, shows_secrets=True, stops_at=end,
    )  # fmt: skip
    too_long = asyncio.get_running_loop().call_later(timeout_s, observer.stop)
    try:
        await observer.run()
    finally:
        too_long.cancel()
    at = observer.narrator.next_offset
    if at < end:
        raise UnreachableError(
            f"the log was copied up to offset {at} of {end} in {timeout_s:g} s: give a longer --timeout"
        )


async def cluster_facts(
    found: Survey,
    *,
    broker_files: Mapping[NodeId, BrokerFacts],
    access: QuorumAccess,
    timeout_s: float,
) -> ClusterFacts:
    """Ask brokers and voters for their configurations, and put everything together."""
    image = found.state.image
    names = {endpoint.name for voter in found.voters for endpoint in voter.endpoints}
    brokers = sorted(image.cluster.brokers.values(), key=lambda one: one.broker_id)
    asked = [_ask_broker(one, access, timeout_s) for one in brokers if one.broker_id not in broker_files]
    answers = {one.broker_id: one for one in await asyncio.gather(*asked)}
    values = await asyncio.gather(*(_ask_voter(voter, access, timeout_s) for voter in found.voters))
    registered = [one for each in image.cluster.controllers.values() for one in each.listeners if one.name in names]
    spoken = {one.name: PROTOCOL_NAMES.get(one.security_protocol) for one in reversed(registered)}
    features = {name: level for name, level in image.features.levels.items() if name != METADATA_VERSION}
    return ClusterFacts(
        cluster_id=found.cluster_id,
        voters=found.voters,
        kraft_version=found.state.kraft_version,
        level=image.features.level,
        features=features,
        brokers=tuple(broker_files.get(one.broker_id) or answers[one.broker_id] for one in brokers),
        protocols={name: protocol for name, protocol in spoken.items() if protocol is not None},
        values={node_id: found for node_id, found in values if found},
        report_items=report_items(image.topics),
    )


async def resolved(
    hosts: Iterable[str], timeout_s: float, resolver: Resolver | None = None
) -> dict[str, frozenset[str]]:
    """Resolve names on this machine; what does not resolve in the time is missing. An address is itself."""
    names, asks = sorted(hosts), resolver or Resolver()
    found: dict[str, frozenset[str]] = {}

    async def one(name: str) -> None:
        with suppress(OSError, ValueError):
            found[name] = frozenset(canonical_host(address) for address in await asks.resolve(name))

    with suppress(TimeoutError):
        async with asyncio.timeout(timeout_s):
            for first in range(0, len(names), LOOKUPS_MAX):
                await asyncio.gather(*map(one, names[first : first + LOOKUPS_MAX]))
    return found


def report_items(topics: TopicsImage) -> dict[NodeId, int]:
    """Return, by broker, how many items an AlterPartition has that names all partitions with a replica on it.

    A broker may come to lead all of them, and reports them together when another broker goes or returns.
    """
    found: Counter[NodeId] = Counter()
    for topic in topics.by_id.values():
        on_brokers: Counter[NodeId] = Counter()
        for partition in topic.partitions.values():
            for broker_id in partition.replicas:
                on_brokers[broker_id] += 1 + len(partition.replicas)
        # The topic is an item, too.
        found.update({broker_id: items + 1 for broker_id, items in on_brokers.items()})
    return dict(found)


async def _ask_broker(broker: BrokerRegistration, access: QuorumAccess, timeout_s: float) -> BrokerFacts:
    """Ask a broker at each of its listeners until one answers."""
    complaints = []
    for listener in broker.listeners:
        name = PROTOCOL_NAMES.get(listener.security_protocol, "an unknown protocol")
        if access.shows_password:
            complaints.append(f"listener {listener.name} would get the password in clear text")
            continue
        if name != access.security_protocol:
            complaints.append(f"listener {listener.name} speaks {name}")
            continue
        endpoint = Endpoint(listener.name, listener.host, listener.port)
        try:
            values = await static_configs(
                endpoint, broker.broker_id, (BOOTSTRAP_SERVERS, LISTENER_NAMES), access=access, timeout_s=timeout_s
            )
        except ProbeError as error:
            complaints.append(f"{listener.host}:{listener.port} {error}")
            continue
        if BOOTSTRAP_SERVERS not in values:
            complaints.append(f"{listener.host}:{listener.port} does not describe its own file")
            continue
        return broker_facts(broker.broker_id, f"{listener.host}:{listener.port}", values)
    return BrokerFacts(broker_id=broker.broker_id, why="; ".join(complaints) or "it has no listener")


def broker_facts(broker_id: NodeId, source: str, values: Mapping[str, str | None]) -> BrokerFacts:
    """Read what a broker's configuration says of the quorum."""
    listener = (values.get(LISTENER_NAMES) or "").split(",")[0].strip().upper() or None
    texts = [item.strip() for item in (values.get(BOOTSTRAP_SERVERS) or "").split(",") if item.strip()]
    try:
        servers = parse_bootstrap_servers(texts, listener or "")
    except ValueError as error:
        return BrokerFacts(broker_id=broker_id, source=source, listener=listener, why=str(error))
    return BrokerFacts(broker_id=broker_id, source=source, bootstrap_servers=tuple(servers), listener=listener)


async def _ask_voter(voter: Voter, access: QuorumAccess, timeout_s: float) -> tuple[NodeId, dict[str, str | None]]:
    keys = (*COMPARED_KEYS, BOOTSTRAP_SERVERS)
    for endpoint in voter.endpoints:
        try:
            return voter.key.node_id, await static_configs(
                endpoint, voter.key.node_id, keys, access=access, timeout_s=timeout_s
            )
        except ProbeError:
            continue  # reported as a controller that does not describe its configuration
    return voter.key.node_id, {}


# -------------------------------------------------------------------- files


def read_brokers(paths: Iterable[str]) -> dict[NodeId, BrokerFacts]:
    """Read brokers' files, by node id.

    Raises:
        ConfigError: a file cannot be read or names no node id.
    """
    found: dict[NodeId, BrokerFacts] = {}
    for path in paths:
        settings = read_settings(read_config_text(path), path)
        wanted: tuple[str, ...] = (BOOTSTRAP_SERVERS, LISTENER_NAMES)
        values = {key: settings.given[key].text for key in wanted if key in settings.given}
        broker_id = settings.number("node.id") if settings.is_given("node.id") else settings.number("broker.id")
        if broker_id < 0:
            raise ConfigError(f"{path}: node.id is not set, so it is unknown which broker this file is of")
        found[broker_id] = broker_facts(broker_id, path, values)
    return found


def read_controllers(paths: Sequence[str]) -> list[ControllerFacts]:
    """Read controllers' files and the identities in their directories.

    Raises:
        ConfigError: a file is no controller's, or refused.
        CommandError: its directory has no identity yet.
    """
    return [_read_controller(path) for path in paths]


def _read_controller(path: str) -> ControllerFacts:
    config = load_config(path)
    if not config.is_controller or config.controller_listener is None:
        raise CommandError(f"{path}: process.roles does not include controller")
    properties_path = meta_properties_path(config.log.metadata_log_dir)
    try:
        properties = parse_meta_properties(read_file(RealFileSystem(), properties_path).decode())
    except FileNotFoundError as error:
        raise CommandError(
            f"{properties_path} does not exist, so the controller has no directory id yet: start it once, or "
            "format its directory"
        ) from error
    if properties.directory_id is None:
        raise CommandError(f"{properties_path} has no directory.id; start the controller once, which writes it")
    settings = read_settings(read_config_text(path), path)
    return ControllerFacts(
        source=path,
        voter=Voter(ReplicaKey(config.node_id, properties.directory_id), config.raft.own_endpoints),
        cluster_id=properties.cluster_id or config.expected_cluster_id,
        listener=config.controller_listener.name,
        security_protocol=config.controller_protocol,
        bootstrap_servers=config.bootstrap_servers,
        has_static_voters=bool(config.voters),
        features=config.features,
        values={key: _text_of(settings, key, config.controller_listener.name) for key in COMPARED_KEYS},
    )


def _text_of(settings: Settings, key: str, listener: str) -> str | None:
    scoped = f"listener.name.{listener.lower()}.{key}"
    for name in (scoped, key) if key in SCOPED_KEYS else (key,):
        if name in settings.given:
            return settings.given[name].text
    known = NODE_KEYS.get(key)
    return None if known is None else known.default
