"""A node's configuration: Kafka's ``server.properties`` turned into one frozen value, or refused with a reason.

``parse_config`` is a function of the text alone, so that a test needs no file; ``load_config`` adds the file and the
machine's name. The keys are in :mod:`kraftpy.config_keys`, how their values are written in
:mod:`kraftpy.config.endpoints`, the rules about listeners in :mod:`kraftpy.config.listeners`; this module
holds the remaining rules and the value that the rest of a node sees.

Decisions of our own: the file is UTF-8 (Kafka reads Latin-1; ASCII is both). gRPC is off until ``grpc.listener`` names
host and port, for controllers too, because a port that is not configured cannot be found. Port 0 there is taken as "any
free one", with a warning. A key given twice counts once, the last time, with a warning.

Source: Kafka ``KafkaConfig.validateValues``; KIP-595, KIP-631, KIP-853, KIP-1262 (``cluster.id.expected``).
"""

from __future__ import annotations

import socket
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

from kraftpy.config.authorization import AuthorizationConfig, read_authorization
from kraftpy.config.endpoints import (
    PORT_MAX,
    WILDCARD_HOSTS,
    is_loopback,
    parse_address,
    parse_bootstrap_servers,
    parse_protocol_map,
    parse_voters,
)
from kraftpy.config.listeners import (
    ListenerConfig,
    Listeners,
    controller_listener_names,
    is_by_sasl,
    is_encrypted,
    read_listeners,
)
from kraftpy.config.policies import PolicyConfig, read_policies
from kraftpy.config.sasl import SaslConfig, SaslNames, read_sasl
from kraftpy.config.settings import NO_OVERRIDES, KeysElsewhere, Settings, read_settings
from kraftpy.config.tls import GRPC, IdentityChecks, TlsConfig, Wires, check_protection, read_identity, read_tls
from kraftpy.config.values import Value, unless_off
from kraftpy.config_keys.connection_overrides import parse_overrides
from kraftpy.config_keys.followed import FOLLOWED
from kraftpy.config_keys.group_keys import (
    GROUP_NUMBERS,
    SHARE_ASSIGNORS,
    SHARE_SESSIONS_MAX,
    SHARE_SIZE_MAX,
    contradiction,
)
from kraftpy.config_keys.shared_keys import SHARED_KEYS
from kraftpy.controller.config import supported_features
from kraftpy.controller.topic_configs import TOPIC_BROKER_KEYS
from kraftpy.model.errors import ConfigError
from kraftpy.model.identity import ANONYMOUS_NAME
from kraftpy.model.ids import NO_NODE, NodeId, uuid_from_text
from kraftpy.model.registrations import SupportedFeature
from kraftpy.model.voters import Endpoint, VoterSet
from kraftpy.raft.config import RaftConfig

CONFIG_BYTES_MAX = 1024 * 1024
"""A configuration file longer than this is taken for a mistake."""

ROLES = ("broker", "controller")

TEMPORARY_DIRECTORIES = ("/tmp/", "/var/tmp/")  # noqa: S108 - to warn of them

CLUSTER_ID_CHARACTERS_SHOWN = 64
"""How much of an expected cluster id is shown in a warning."""

Address = tuple[str, int]

HIGH_WATERMARK_DELAY_MS = 5
"""How long a voter with nothing else to hear may not know that its last records are committed; brokers hear at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MetadataLogConfig:
    """The metadata log's directory, segments, snapshots and retention; ``None`` where a limit is off.

    Attributes:
        alarm_free_bytes: with less free space what makes the state larger is refused; ``None`` is by the disk's size.
        reserve_bytes: size of the reserve; ``None`` is by the disk's size.
    """

    log_dirs: tuple[str, ...]
    metadata_log_dir: str
    segment_bytes: int
    segment_ms: int
    max_idle_interval_ms: int | None
    retention_bytes: int | None
    retention_ms: int | None
    record_bytes_between_snapshots: int
    snapshot_interval_ms: int | None
    truncate_corrupt_tail: bool
    repair_from_peers: bool
    state_digest_interval_ms: int
    disk_probe: bool
    slow_disk_handover: bool
    alarm_free_bytes: int | None
    reserve_bytes: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class LogDirConfig:
    """How a broker notices that log directories are full, and what it does then (KIP-928, KIP-1066).

    Attributes:
        cordoned: directories that get no new replicas, or ``*``.
        reserve_bytes: size of the reserve of each; 0 is none.
        check_interval_ms: how often each is written to; ``None`` is never.
        saturated_free_bytes: with less free space a directory is full, before a write fails.
        recovery_free_bytes: with this much free space beside the reserve it is online again; ``None`` is by a restart.
        counts_quota: whether a used-up quota makes a directory full.
        may_start_saturated: whether the broker starts without space for a reserve.
    """

    cordoned: tuple[str, ...]
    reserve_bytes: int
    check_interval_ms: int | None
    saturated_free_bytes: int
    recovery_free_bytes: int | None
    counts_quota: bool
    may_start_saturated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class BrokerConfig:
    """A broker's lifecycle: its location, and how it registers and reports.

    Attributes:
        host: what its id is remembered by (KIP-426).
    """

    rack: str | None
    host: str
    inter_broker_listener_name: str | None
    heartbeat_interval_ms: int
    session_timeout_ms: int
    registration_timeout_ms: int
    log_dir_failure_timeout_ms: int
    controlled_shutdown: bool
    directories: LogDirConfig


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiConfig:
    """The public API and the HTTP endpoints; an address of ``None`` means that it is off.

    Attributes:
        grpc_protocol: one of ``SECURITY_PROTOCOLS``.
        status_page: whether the HTTP endpoints have a status page.
        tracing: whether calls of the public API are traced.
    """

    grpc_listener: Address | None
    grpc_advertised: Endpoint | None
    grpc_protocol: str
    grpc_max_message_bytes: int
    metrics_listener: Address | None
    status_page: bool
    tracing: bool = False

    @property
    def grpc_tls(self) -> bool:
        """Whether the public API is there, and speaks TLS."""
        return self.grpc_listener is not None and is_encrypted(self.grpc_protocol)

    @property
    def grpc_sasl(self) -> bool:
        """Whether the public API is there, and authenticates its callers by SASL."""
        return self.grpc_listener is not None and is_by_sasl(self.grpc_protocol)


@dataclass(frozen=True, slots=True, kw_only=True)
class NodeConfig:
    """The checked configuration of a node, from its ``server.properties``.

    Attributes:
        source: the file's name.
        node_id: ``NO_NODE`` for a broker that takes its id from its directories, or is to be assigned one.
        roles: ``broker``, ``controller`` or both.
        voters: the static quorum; empty when only bootstrap servers are known.
        controller_listener_name: the first of ``controller.listener.names``: other controllers are found there.
        controller_protocol: what is spoken there.
        controller_listeners: where this node serves the quorum, in the order of the names; empty on a broker.
        expected_cluster_id: refuse any other cluster; ``None`` trusts the first one met.
        listener_tls: the TLS files of each listener that the file names, opened here or not, and of GRPC.
        identity: where certificates must name nodes.
        sasl: how peers authenticate themselves by SASL, and this node to the quorum.
        authorization: the settings of the authorizer; ``None`` where every client may use all that is offered.
        policies: the classes that a controller asks about new topics and altered configs.
        texts: what the file sets of the keys that the node describes, as text.
        unused_keys: keys of the file that are accepted and not acted on.
        unused_settings: those of them, as ``key=value``, that are set to something other than Kafka's default.
        keys_elsewhere: keys whose values are not those of the file.
        warnings: messages for the operator, logged once at the start.
        values: every key's typed value, for keys without an attribute here.
    """

    source: str
    node_id: NodeId
    roles: frozenset[str]
    voters: VoterSet
    bootstrap_servers: tuple[Endpoint, ...]
    controller_listener_name: str
    controller_protocol: str
    controller_listeners: tuple[ListenerConfig, ...]
    broker_listeners: tuple[ListenerConfig, ...]
    expected_cluster_id: str | None
    auto_format_voter: bool
    trust_empty_directories: bool
    raft: RaftConfig
    log: MetadataLogConfig
    broker: BrokerConfig
    api: ApiConfig
    listener_tls: dict[str, TlsConfig]
    identity: IdentityChecks
    sasl: SaslConfig
    authorization: AuthorizationConfig | None
    policies: PolicyConfig
    log_level: str
    log_format: str
    texts: dict[str, str]
    unused_keys: tuple[str, ...]
    unused_settings: tuple[str, ...]
    keys_elsewhere: KeysElsewhere
    warnings: tuple[str, ...]
    values: dict[str, Value] = field(repr=False)

    @property
    def has_node_id(self) -> bool:
        """Whether the node's id is known; the configuration of a broker need not say it."""
        return self.node_id != NO_NODE

    @property
    def is_controller(self) -> bool:
        """Whether this node may vote."""
        return "controller" in self.roles

    @property
    def is_broker(self) -> bool:
        """Whether this node registers as a broker."""
        return "broker" in self.roles

    @property
    def controller_listener(self) -> ListenerConfig | None:
        """Where this node serves nodes like itself: the first of its controller listeners; ``None`` on a broker."""
        return next(iter(self.controller_listeners), None)

    @property
    def topic_settings(self) -> dict[str, str]:
        """What the file sets of the brokers' keys that topics take values from, as text."""
        return {key: text for key, text in self.texts.items() if key in TOPIC_BROKER_KEYS}

    @property
    def lasting_settings(self) -> dict[str, str]:
        """What the file sets of the keys that the node describes and follows until its end, as text."""
        return {key: text for key, text in self.texts.items() if key not in FOLLOWED}

    @property
    def followed_settings(self) -> dict[str, str]:
        """What the file sets of the keys that a running node follows in the metadata log, as text."""
        return {key: text for key, text in self.texts.items() if key in FOLLOWED}

    @property
    def quorum_tls(self) -> TlsConfig:
        """The TLS files for connections to other controllers: those of the first controller listener."""
        return self.listener_tls[self.controller_listener_name]

    @property
    def api_tls(self) -> TlsConfig:
        """The TLS files for the public API."""
        return self.listener_tls[GRPC]

    @property
    def tls_in_use(self) -> tuple[TlsConfig, ...]:
        """The TLS settings of every listener that speaks TLS here, and of the connections to the quorum."""
        names = [one.name for one in (*self.broker_listeners, *self.controller_listeners) if one.is_encrypted]
        names += [self.controller_listener_name] if is_encrypted(self.controller_protocol) else []
        names += [GRPC] if self.api.grpc_tls else []
        return tuple(self.listener_tls[name] for name in dict.fromkeys(names))

    @property
    def is_voter(self) -> bool:
        """Whether the static quorum names this node."""
        return self.node_id in self.voters.ids

    @property
    def allow_unstable(self) -> bool:
        """Whether feature levels that no release has may be finalized."""
        return self.values["unstable.feature.versions.enable"] is True

    @property
    def features(self) -> tuple[SupportedFeature, ...]:
        """The feature levels that this node declares."""
        return supported_features(unstable=self.allow_unstable)

    @property
    def min_insync_replicas(self) -> int:
        """The cluster's default of ``min.insync.replicas``, where a new cluster's log has to hold one."""
        return cast("int", self.values["min.insync.replicas"])


def load_config(
    path: str | Path,
    overrides: Mapping[str, str] = NO_OVERRIDES,
    environment: Mapping[str, str] = NO_OVERRIDES,
) -> NodeConfig:
    """Read a ``server.properties``; ``environment`` has values in place of the file's, ``overrides`` of both.

    Raises:
        ConfigError: when the file cannot be read, or says something that :func:`parse_config` refuses.
    """
    return parse_config(read_config_text(path), str(path), overrides, environment, local_host=socket.gethostname)


def read_config_text(path: str | Path) -> str:
    """Read the text of a properties file, which is UTF-8.

    Raises:
        ConfigError: when there is no such file, it is too long, or it is not UTF-8.
    """
    try:
        with Path(path).open("rb") as file:
            data = file.read(CONFIG_BYTES_MAX + 1)
    except OSError as error:
        raise ConfigError(f"{path}: cannot read the configuration: {error.strerror or error}") from error
    if len(data) > CONFIG_BYTES_MAX:
        raise ConfigError(f"{path}: is longer than {CONFIG_BYTES_MAX} bytes; is this a configuration file?")
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(f"{path}:{line}: byte {error.start} is not UTF-8") from error


def parse_config(
    text: str,
    source_name: str,
    overrides: Mapping[str, str] = NO_OVERRIDES,
    environment: Mapping[str, str] = NO_OVERRIDES,
    *,
    local_host: Callable[[], str] = lambda: "localhost",
) -> NodeConfig:
    """Turn a ``server.properties``, what ``environment`` replaces in it, and ``overrides`` in both, into a NodeConfig.

    Raises:
        ConfigError: a value or a combination is not allowed; it names key, value, what is allowed, file and line.
    """
    settings = _within_limits(read_settings(text, source_name, overrides, environment))
    roles = _roles(settings)
    node_id = _node_id(settings, roles)
    listener_name = next(iter(controller_listener_names(settings)), "CONTROLLER")
    voters, bootstrap_servers = _quorum(settings, node_id, roles, listener_name)
    listeners = read_listeners(settings, node_id=node_id, roles=roles, voters=voters, local_host=local_host)
    api = _api(settings, local_host)
    listener_tls, identity, authorization = _protection(settings, listeners, api)
    sasl = read_sasl(settings, _sasl_names(settings, listeners, listener_name, api))
    return NodeConfig(
        source=source_name,
        node_id=node_id,
        roles=roles,
        voters=voters,
        bootstrap_servers=bootstrap_servers,
        controller_listener_name=listener_name,
        controller_protocol=listeners.controller_protocol,
        controller_listeners=listeners.controllers,
        broker_listeners=listeners.brokers,
        expected_cluster_id=settings.word("cluster.id.expected"),
        auto_format_voter=settings.flag("metadata.auto.format.voter"),
        trust_empty_directories=settings.flag("controller.quorum.trust.empty.directories"),
        raft=_raft(settings, roles, voters, bootstrap_servers, listener_name, listeners.controllers),
        log=_log(settings),
        broker=_broker(settings, listeners.inter_broker_name, local_host),
        api=api,
        listener_tls=listener_tls,
        identity=identity,
        sasl=sasl,
        authorization=authorization,
        policies=read_policies(settings),
        log_level=settings.word("log.level") or "info",
        log_format=settings.word("log.format") or "console",
        texts=_texts(settings, TOPIC_BROKER_KEYS | FOLLOWED | SHARED_KEYS),
        unused_keys=settings.unused,
        unused_settings=settings.unused_changed,
        keys_elsewhere=settings.keys_elsewhere,
        warnings=_warnings(settings, roles, listeners, api, listener_tls, sasl, authorization),
        values=settings.values,
    )


def _protection(
    settings: Settings, listeners: Listeners, api: ApiConfig
) -> tuple[dict[str, TlsConfig], IdentityChecks, AuthorizationConfig | None]:
    """Read by which certificates the listeners are protected, whose they have to be, and what callers may do."""
    wires = _wires(settings, listeners, api)
    check_protection(settings, wires.known)
    listener_tls = read_tls(settings, wires)
    identity = read_identity(settings, listener_tls, wires, listeners.controller_names)
    return listener_tls, identity, read_authorization(settings, wires.known)


def _texts(settings: Settings, keys: Collection[str]) -> dict[str, str]:
    return {key: settings.given[key].text.strip() for key in sorted(keys) if settings.is_given(key)}


def _within_limits(settings: Settings) -> Settings:
    _check_connections(settings)
    _check_groups(settings)
    return settings


def _check_connections(settings: Settings) -> None:
    if settings.number("max.connections") == 0:
        raise settings.error("max.connections", "no node or client could connect; allowed: whole number from 1")
    key = "max.connections.per.ip.overrides"
    try:
        parse_overrides(settings.word(key) or "")
    except ValueError as error:
        raise settings.error(key, f"{error}; allowed: address:count,...") from error


def _check_groups(settings: Settings) -> None:
    found = contradiction({key: settings.number(key) for key in GROUP_NUMBERS})
    if found is not None:
        raise settings.error(*found)
    # Nothing here acts on these, but a file that Kafka starts from is one that we start from, and no other.
    sessions, size = (settings.number(key) for key in (SHARE_SESSIONS_MAX, SHARE_SIZE_MAX))
    if sessions < size:
        raise settings.error(
            SHARE_SESSIONS_MAX, f"it must be greater than or equal to {SHARE_SIZE_MAX}, which is {size}"
        )
    assignors = settings.items(SHARE_ASSIGNORS)
    if len(assignors) != 1:
        raise settings.error(SHARE_ASSIGNORS, f"it must name exactly one assignor, and names {len(assignors)}")


def _roles(settings: Settings) -> frozenset[str]:
    key = "process.roles"
    items = tuple(item.lower() for item in settings.items(key))
    if not items:
        raise settings.error(key, "write broker, controller or broker,controller (there is no ZooKeeper mode here)")
    for item in items:
        if item not in ROLES:
            raise settings.error(key, f"{item!r} is not a role; allowed: {' and '.join(ROLES)}")
    if len(set(items)) != len(items):
        raise settings.error(key, "a role is in it twice")
    return frozenset(items)


def _node_id(settings: Settings, roles: frozenset[str]) -> NodeId:
    node_id, broker_id = settings.number("node.id"), settings.number("broker.id")
    if node_id < 0 and not settings.is_given("node.id") and broker_id >= 0:
        return broker_id
    if node_id < 0 and "controller" in roles:
        raise settings.error("node.id", "a controller needs a number from 0 on")
    if broker_id not in {-1, node_id}:
        raise settings.error("broker.id", f"it must be the same as node.id, which is {node_id}")
    return node_id


def _quorum(
    settings: Settings, node_id: NodeId, roles: frozenset[str], listener_name: str
) -> tuple[VoterSet, tuple[Endpoint, ...]]:
    key, bootstrap_key = "controller.quorum.voters", "controller.quorum.bootstrap.servers"
    try:
        voters = parse_voters(settings.items(key), listener_name)
    except ValueError as error:
        raise settings.error(key, f"{error}; allowed: id@host:port,...") from error
    try:
        servers = parse_bootstrap_servers(settings.items(bootstrap_key), listener_name)
    except ValueError as error:
        raise settings.error(bootstrap_key, f"{error}; allowed: host:port,...") from error
    if not voters and not servers:
        raise settings.error(key, f"set it, or {bootstrap_key}: otherwise the quorum cannot be found")
    if voters and "controller" in roles and node_id not in voters.ids:
        raise settings.error(key, f"a controller must be in it, and node.id {node_id} is not")
    if voters and "controller" not in roles and node_id in voters.ids:
        raise settings.error(key, f"node.id {node_id} is in it, but process.roles does not include controller")
    return voters, servers


def _raft(
    settings: Settings,
    roles: frozenset[str],
    voters: VoterSet,
    bootstrap_servers: tuple[Endpoint, ...],
    listener_name: str,
    controllers: tuple[ListenerConfig, ...],
) -> RaftConfig:
    return RaftConfig(
        election_timeout_ms=settings.number("controller.quorum.election.timeout.ms"),
        fetch_timeout_ms=settings.number("controller.quorum.fetch.timeout.ms"),
        election_backoff_max_ms=settings.number("controller.quorum.election.backoff.max.ms"),
        request_timeout_ms=settings.number("controller.quorum.request.timeout.ms"),
        retry_backoff_ms=settings.number("controller.quorum.retry.backoff.ms"),
        fetch_max_bytes=settings.number("controller.quorum.fetch.max.bytes"),
        high_watermark_delay_ms=HIGH_WATERMARK_DELAY_MS,
        listener_name=listener_name,
        static_voters=voters,
        bootstrap_servers=bootstrap_servers,
        can_vote="controller" in roles,
        trusts_empty_directory=settings.flag("controller.quorum.trust.empty.directories"),
        auto_join="controller" in roles and settings.flag("controller.quorum.auto.join.enable"),
        own_endpoints=tuple(listener.advertised for listener in controllers),
        compares_state=settings.number("metadata.log.state.digest.interval.ms") > 0,
    )


def _log(settings: Settings) -> MetadataLogConfig:
    segment_bytes, least = settings.number("metadata.log.segment.bytes"), "metadata.log.segment.min.bytes"
    if segment_bytes < settings.number(least):
        raise settings.error("metadata.log.segment.bytes", f"allowed: {settings.number(least)} ({least}) or more")
    log_dirs = _log_dirs(settings)
    return MetadataLogConfig(
        log_dirs=log_dirs,
        metadata_log_dir=settings.word("metadata.log.dir") or log_dirs[0],
        segment_bytes=segment_bytes,
        segment_ms=settings.number("metadata.log.segment.ms"),
        max_idle_interval_ms=settings.number("metadata.max.idle.interval.ms") or None,
        retention_bytes=unless_off(settings.number("metadata.max.retention.bytes")),
        retention_ms=unless_off(settings.number("metadata.max.retention.ms")),
        record_bytes_between_snapshots=settings.number("metadata.log.max.record.bytes.between.snapshots"),
        snapshot_interval_ms=settings.number("metadata.log.max.snapshot.interval.ms") or None,
        truncate_corrupt_tail=settings.flag("storage.truncate.corrupt.tail"),
        repair_from_peers=settings.flag("metadata.log.repair.from.peers"),
        state_digest_interval_ms=settings.number("metadata.log.state.digest.interval.ms"),
        disk_probe=settings.flag("metadata.log.disk.probe"),
        slow_disk_handover=settings.flag("metadata.log.slow.disk.handover"),
        alarm_free_bytes=unless_off(settings.number("metadata.log.alarm.free.bytes")),
        reserve_bytes=unless_off(settings.number("metadata.log.reserve.bytes")),
    )


def _log_dirs(settings: Settings) -> tuple[str, ...]:
    key = "log.dirs" if settings.is_given("log.dirs") else "log.dir"
    one = tuple(part.strip() for part in (settings.word("log.dir") or "").split(",") if part.strip())
    log_dirs = settings.items("log.dirs") if key == "log.dirs" else one
    if not log_dirs:
        raise settings.error(key, "at least one directory is required")
    if len(set(log_dirs)) != len(log_dirs):
        raise settings.error(key, "a directory is in it twice")
    return log_dirs


def _broker(settings: Settings, inter_broker_listener_name: str | None, local_host: Callable[[], str]) -> BrokerConfig:
    heartbeat, session = settings.number("broker.heartbeat.interval.ms"), settings.number("broker.session.timeout.ms")
    if heartbeat >= session:
        key = "broker.heartbeat.interval.ms"
        key = key if settings.is_given(key) else "broker.session.timeout.ms"
        raise settings.error(key, f"a heartbeat every {heartbeat} ms loses a session of {session} ms; make it shorter")
    for longer in ("replica.lag.time.max.ms", "replica.socket.timeout.ms"):
        if settings.number("replica.fetch.wait.max.ms") > settings.number(longer):
            raise settings.error("replica.fetch.wait.max.ms", f"allowed: up to {settings.number(longer)} ({longer})")
    return BrokerConfig(
        rack=settings.word("broker.rack"),
        host=settings.word("broker.id.recovery.host") or local_host(),
        inter_broker_listener_name=inter_broker_listener_name,
        heartbeat_interval_ms=heartbeat,
        session_timeout_ms=session,
        registration_timeout_ms=settings.number("initial.broker.registration.timeout.ms"),
        log_dir_failure_timeout_ms=settings.number("log.dir.failure.timeout.ms"),
        controlled_shutdown=settings.flag("controlled.shutdown.enable"),
        directories=_directories(settings),
    )


def _directories(settings: Settings) -> LogDirConfig:
    return LogDirConfig(
        cordoned=settings.items("cordoned.log.dirs"),
        reserve_bytes=settings.number("log.dir.reserve.bytes"),
        check_interval_ms=settings.number("log.dir.check.interval.ms") or None,
        saturated_free_bytes=settings.number("log.dir.saturated.free.bytes"),
        recovery_free_bytes=unless_off(settings.number("log.dir.recovery.free.bytes")),
        counts_quota=settings.flag("log.dir.saturated.on.quota"),
        may_start_saturated=settings.flag("log.dir.start.saturated"),
    )


def _address(settings: Settings, key: str) -> Address | None:
    text = settings.word(key)
    try:
        return None if text is None else parse_address(text, lowest_port=0)
    except ValueError as error:
        raise settings.error(key, f"{error}; allowed: host:port, the port from 0 to {PORT_MAX}") from error


def _api(settings: Settings, local_host: Callable[[], str]) -> ApiConfig:
    grpc = _address(settings, "grpc.listener")
    return ApiConfig(
        grpc_listener=grpc,
        grpc_advertised=_grpc_advertised(settings, grpc, local_host),
        grpc_protocol=_grpc_protocol(settings),
        grpc_max_message_bytes=settings.number("grpc.max.message.bytes"),
        metrics_listener=_address(settings, "metrics.listener"),
        status_page=settings.flag("status.page.enable"),
        tracing=settings.flag("tracing.enable"),
    )


def _grpc_protocol(settings: Settings) -> str:
    """Return the protocol of the public API, which two keys may name."""
    key, map_key = "grpc.security.protocol", "listener.security.protocol.map"
    named = settings.word(key) or "PLAINTEXT"
    mapped = parse_protocol_map(settings.items(map_key)).get(GRPC, named)
    if settings.is_given(key) and mapped != named:
        raise settings.error(key, f"{map_key} names {GRPC}:{mapped}, which is another protocol; take one of them away")
    return mapped


def _grpc_advertised(settings: Settings, grpc: Address | None, local_host: Callable[[], str]) -> Endpoint | None:
    key = "grpc.advertised.listener"
    reported = _address(settings, key)
    if grpc is None:
        if reported is not None:
            raise settings.error(key, "nothing listens there: set grpc.listener too")
        return None
    if reported is None:
        return Endpoint(GRPC, local_host() if grpc[0] in WILDCARD_HOSTS else grpc[0], grpc[1])
    if reported[0] in WILDCARD_HOSTS or reported[1] == 0:
        raise settings.error(key, "no client can connect to that; name a host and a port")
    return Endpoint(GRPC, *reported)


def _wires(settings: Settings, listeners: Listeners, api: ApiConfig) -> Wires:
    """Say which listeners the file names, and which of them speak SSL."""
    mapped = parse_protocol_map(settings.items("listener.security.protocol.map"))
    grpc = frozenset({GRPC})
    encrypted = frozenset(one.name for one in listeners.opened if one.is_encrypted)
    plaintext = frozenset(one.name for one in listeners.opened if not one.is_encrypted)
    quorum = {listeners.controller_names[0]} if listeners.controller_protocol == "SASL_SSL" else set()
    return Wires(
        known=frozenset(mapped) | frozenset(listeners.controller_names) | encrypted | plaintext | grpc,
        encrypted=encrypted | grpc if api.grpc_tls else encrypted,
        plaintext=plaintext | grpc if api.grpc_listener is not None and not api.grpc_tls else plaintext,
        quorum_by_tls=is_encrypted(listeners.controller_protocol),
        quorum_by_ssl=listeners.controller_protocol == "SSL",
        by_sasl=frozenset(one.name for one in listeners.opened if one.protocol == "SASL_SSL")
        | quorum
        | (grpc if api.grpc_sasl and api.grpc_tls else frozenset()),
    )


def _sasl_names(settings: Settings, listeners: Listeners, controller_name: str, api: ApiConfig) -> SaslNames:
    """Return which listeners of the file speak SASL; the public API is one of them."""
    opened = tuple(one.name for one in listeners.opened if one.is_by_sasl)
    others = tuple(one.name for one in listeners.opened if not one.is_by_sasl)
    if api.grpc_listener is not None and GRPC in (*opened, *others):
        raise settings.error("listeners", f"{GRPC} is the name of the public API's listener; take another one")
    return SaslNames(
        opened=(*opened, GRPC) if api.grpc_sasl else opened,
        others=others if api.grpc_sasl or api.grpc_listener is None else (*others, GRPC),
        controller=controller_name,
        quorum_by_sasl=is_by_sasl(listeners.controller_protocol),
        inter_broker=listeners.inter_broker_name,
    )


def _notices(settings: Settings, roles: frozenset[str], api: ApiConfig) -> list[str]:
    notices: list[str] = []
    names = controller_listener_names(settings)
    if roles == {"broker"} and len(names) > 1:
        notices.append(f"controller.listener.names has {len(names)} names; a broker uses only the first, {names[0]}")
    log = _log(settings)
    used = (log.metadata_log_dir,) if roles == {"controller"} else (*log.log_dirs, log.metadata_log_dir)
    notices += [
        f"data is kept in {directory}, which systems may empty when they start; set another log.dirs"
        for directory in dict.fromkeys(one for one in used if one.startswith(TEMPORARY_DIRECTORIES))
    ]
    if "controller" in roles and api.grpc_listener is None:
        notices.append("grpc.listener is not set: no client or tool can reach this controller over gRPC")
    if api.grpc_listener is not None and api.grpc_listener[1] == 0:
        notices.append("grpc.listener has port 0: any free port is taken, and clients cannot know which")
    notices += _unlikely_cluster_id(settings)
    return [f"{settings.source}: {sentence}" for sentence in notices]


def _unlikely_cluster_id(settings: Settings) -> list[str]:
    """Describe an expected cluster id that no cluster has unless it was formatted with it: ids may be any text."""
    expected = settings.word("cluster.id.expected")
    if expected is None:
        return []
    try:
        uuid_from_text(expected)
    except ValueError:
        sentence = (
            f"cluster.id.expected is {expected[:CLUSTER_ID_CHARACTERS_SHOWN]!r}, which is no uuid in 22 characters of "
            "base64url: this node refuses every cluster but one that was formatted with exactly this id"
        )
        return [sentence]
    return []


def _warnings(
    settings: Settings,
    roles: frozenset[str],
    listeners: Listeners,
    api: ApiConfig,
    listener_tls: dict[str, TlsConfig],
    sasl: SaslConfig,
    authorization: AuthorizationConfig | None,
) -> tuple[str, ...]:
    """Collect what the operator should know of this configuration."""
    return (
        *settings.warnings,
        *_notices(settings, roles, api),
        *_unlike_its_entry(settings, listeners),
        *_exposures(settings, listeners, api, listener_tls),
        *_exposed_by_sasl(settings, listeners, api, sasl, authorization),
        *_unusable(settings, authorization, listeners),
    )


def _unlike_its_entry(settings: Settings, listeners: Listeners) -> list[str]:
    """Describe a controller that other nodes look for at a port that it neither opens nor advertises."""
    entry, controller = listeners.entry, next(iter(listeners.controllers), None)
    if entry is None or controller is None:
        return []
    reported = controller.advertised
    if entry.port in (controller.port, reported.port):
        return []
    sentence = (
        f"controller.quorum.voters has this node at {_shown(entry.host, entry.port)}, but its listener "
        f"{controller.name} is at {_shown(reported.host, reported.port)}: the other nodes cannot reach it unless the "
        "address is forwarded; make both the same, or set advertised.listeners to the address that is forwarded"
    )
    return [f"{settings.source}: {sentence}"]


def _unusable(settings: Settings, authorization: AuthorizationConfig | None, listeners: Listeners) -> list[str]:
    """Describe an authorizer that would keep the controllers from forming a quorum."""
    controller = next(iter(listeners.controllers), None)
    if authorization is None or controller is None or controller.protocol != "PLAINTEXT":
        return []
    if ANONYMOUS_NAME in authorization.super_users:
        return []
    sentence = (
        f"the listener {controller.name} speaks PLAINTEXT, so every node is {ANONYMOUS_NAME} there, which super.users "
        "does not name: the controllers cannot elect a leader unless an access control entry allows it CLUSTER_ACTION "
        "on the cluster; give the listener the protocol SSL, and name the nodes in super.users; docs/acls.md"
    )
    return [f"{settings.source}: {sentence}"]


def _exposures(
    settings: Settings, listeners: Listeners, api: ApiConfig, listener_tls: dict[str, TlsConfig]
) -> list[str]:
    """Describe what this node leaves open to any client that reaches it over a network."""
    exposed = [
        f"the listener {one.name} speaks PLAINTEXT at {_shown(one.host, one.port)}, an address that other machines may "
        f"reach: {TO_PEERS if one.name in listeners.controller_names else TO_BROKER}; docs/deploy.md"
        for one in listeners.opened
        if one.protocol == "PLAINTEXT" and not is_loopback(one.host)
    ]
    for controller in listeners.controllers:
        if controller.protocol == "SSL":
            if listener_tls[controller.name].client_auth == "none":
                exposed.append(f"the listener {controller.name} asks no client for a certificate: {TO_ANY_CLIENT}")
            elif settings.word("controller.quorum.peer.identity") == "none":
                exposed.append(
                    f"controller.quorum.peer.identity=none at the listener {controller.name}: {TO_CERTIFIED}"
                )
        if controller.protocol == "PLAINTEXT" and settings.word("delegation.token.secret.key"):
            exposed.append(
                f"delegation.token.secret.key is set and the listener {controller.name} speaks PLAINTEXT: any client "
                "that reaches it may send an Envelope, and get a delegation token of any user; give it the protocol SSL"
            )
    if api.grpc_listener is not None and api.grpc_protocol == "PLAINTEXT":
        spoken = (one.protocol for one in listeners.controllers if one.protocol != "PLAINTEXT")
        protocol = next(spoken, "PLAINTEXT")
        if protocol != "PLAINTEXT" or not is_loopback(api.grpc_listener[0]):
            beside = f", beside a controller listener that speaks {protocol}" if protocol != "PLAINTEXT" else ""
            exposed.append(
                f"grpc.listener speaks plaintext at {_shown(*api.grpc_listener)}{beside}: any client that reaches it "
                "may read and change all metadata; set grpc.security.protocol=SSL; docs/deploy.md"
            )
    if api.metrics_listener is not None and not is_loopback(api.metrics_listener[0]):
        authors = " and who changed what (status.page.enable)" if api.status_page else ""
        exposed.append(
            f"metrics.listener has no TLS and serves any client that reaches {_shown(*api.metrics_listener)}: "
            f"it exposes names, offsets, load{authors}, no settings and no secrets; let a firewall keep strangers away"
        )
    return [f"{settings.source}: {sentence}" for sentence in exposed]


def _exposed_by_sasl(
    settings: Settings,
    listeners: Listeners,
    api: ApiConfig,
    sasl: SaslConfig,
    authorization: AuthorizationConfig | None,
) -> list[str]:
    """Describe what SASL alone leaves open."""
    exposed = [
        f"the listener {one.name} speaks SASL_PLAINTEXT at {_shown(one.host, one.port)}, an address that other "
        f"machines may reach: {TO_SASL_PATH}; docs/sasl.md"
        for one in listeners.opened
        if one.protocol == "SASL_PLAINTEXT" and not is_loopback(one.host)
    ]
    exposed += [
        f"the listener {controller.name} authenticates by SASL, and authorizer.class.name is not set: every user that "
        "it authenticates may pass for any node of the cluster, and change all metadata; docs/sasl.md"
        for controller in listeners.controllers
        if controller.name in sasl.listeners and authorization is None
    ]
    grpc = api.grpc_listener
    if grpc is not None and api.grpc_protocol == "SASL_PLAINTEXT" and not is_loopback(grpc[0]):
        exposed.append(
            f"grpc.listener speaks SASL_PLAINTEXT at {_shown(*grpc)}, an address that other machines may reach: "
            f"{TO_SASL_PATH}; docs/sasl.md"
        )
    if GRPC in sasl.listeners and authorization is None:
        exposed.append(
            "grpc.listener authenticates by SASL, and authorizer.class.name is not set: every user that it "
            "authenticates may read and change all metadata; docs/sasl.md"
        )
    return [f"{settings.source}: {sentence}" for sentence in exposed]


TO_SASL_PATH = (
    "anyone on the network path may read and change what is sent there, passwords of PLAIN and tokens of OAUTHBEARER "
    "included; give it the protocol SASL_SSL"
)
TO_PEERS = (
    "any client that reaches it may pass for any node of the cluster, and write and lose data; give it the protocol SSL"
)
TO_ANY_CLIENT = (
    "any client that reaches it may pass for any node of the cluster; set ssl.client.auth=required; docs/deploy.md"
)
TO_CERTIFIED = "any client with a certificate of its truststore may pass for any node of the cluster; docs/deploy.md"
TO_BROKER = "anyone on the network path may read and change what is sent there"


def _shown(host: str, port: int) -> str:
    return f"{host or '*'}:{port}"
