"""Which listeners a node opens, what it advertises, and the rules that tie both to its roles.

A controller listener is one whose name is in ``controller.listener.names``; every other one is a broker listener. Bound
addresses come from ``listeners``, advertised ones from ``advertised.listeners``. Without the latter, a node advertises
the bound host; where that is every address of the machine, a voter advertises its own entry of the static quorum and
any other node the machine's name. A controller opens every listener of ``controller.listener.names``, and all of them
serve the quorum. The first is the one at which this node looks for the others; the static quorum names its addresses,
so that the others of a voter are advertised with the host of its entry and ports of their own.

Source: Kafka ``KafkaConfig.validateValues`` (KRaft part), ``KafkaConfig.effectiveAdvertised*Listeners``.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

from kraftpy.config.endpoints import WILDCARD_HOSTS, parse_listener, parse_listeners, parse_protocol_map
from kraftpy.config.settings import Settings
from kraftpy.model.registrations import Listener as RegisteredListener
from kraftpy.model.voters import Endpoint, VoterSet

SECURITY_PROTOCOLS = {"PLAINTEXT": 0, "SSL": 1, "SASL_PLAINTEXT": 2, "SASL_SSL": 3}
"""The protocols, and their numbers in registrations. Source: Kafka ``SecurityProtocol``."""


@dataclass(frozen=True, slots=True)
class ListenerConfig:
    """One socket that a node listens on.

    Attributes:
        name: upper case.
        protocol: one of ``SECURITY_PROTOCOLS``.
        host: the address to bind; empty means every address of the machine.
        port: the port to bind; 0 means any free one.
        advertised: the endpoint for other nodes; its port is 0 while the bound one is.
    """

    name: str
    protocol: str
    host: str
    port: int
    advertised: Endpoint

    @property
    def is_encrypted(self) -> bool:
        """Whether it speaks TLS."""
        return is_encrypted(self.protocol)

    @property
    def is_by_sasl(self) -> bool:
        """Whether it authenticates its peers by SASL."""
        return is_by_sasl(self.protocol)


def is_encrypted(protocol: str) -> bool:
    """Return whether a protocol has TLS."""
    return protocol.endswith("SSL")


def is_by_sasl(protocol: str) -> bool:
    """Return whether a protocol has SASL."""
    return protocol.startswith("SASL_")


def as_registered(listener: ListenerConfig) -> RegisteredListener:
    """Return what a node registers of a listener."""
    reported = listener.advertised
    return RegisteredListener(listener.name, reported.host, reported.port, SECURITY_PROTOCOLS[listener.protocol])


@dataclass(frozen=True, slots=True)
class Listeners:
    """What the listener keys of one node say together.

    Attributes:
        entry: where ``controller.quorum.voters`` has this node, if it does.
    """

    controller_names: tuple[str, ...]
    controller_protocol: str
    opened: tuple[ListenerConfig, ...]
    inter_broker_name: str | None
    entry: Endpoint | None

    @property
    def controllers(self) -> tuple[ListenerConfig, ...]:
        """The listeners that serve the quorum, in the order of ``controller.listener.names``; empty on a broker."""
        opened = {listener.name: listener for listener in self.opened}
        return tuple(opened[name] for name in self.controller_names if name in opened)

    @property
    def brokers(self) -> tuple[ListenerConfig, ...]:
        """Every listener that does not serve the quorum."""
        return tuple(listener for listener in self.opened if listener.name not in self.controller_names)


def read_listeners(
    settings: Settings, *, node_id: int, roles: frozenset[str], voters: VoterSet, local_host: Callable[[], str]
) -> Listeners:
    """Read and check the listener keys.

    ``local_host`` names this machine, for a listener that is bound to every address and advertised nowhere.

    Raises:
        ConfigError: when a rule is broken.
    """
    names = controller_listener_names(settings)
    protocols = _protocols(settings, names)
    bound = _parsed(settings, "listeners", parse_listeners)
    _check_roles(settings, names, bound, roles)
    advertised = _advertised(settings, names, bound, roles)
    voter = voters.by_id(node_id)
    entry = None if voter is None else voter.endpoints[0]

    def reported(listener: Endpoint) -> Endpoint:
        if listener.name in advertised:
            return advertised[listener.name]
        if listener.host not in WILDCARD_HOSTS:
            return listener
        if listener.name in names and entry is not None:
            return Endpoint(listener.name, entry.host, entry.port if listener.name == names[0] else listener.port)
        return replace(listener, host=local_host())

    opened = tuple(
        ListenerConfig(one.name, _protocol(settings, protocols, one.name), one.host, one.port, reported(one))
        for one in bound
    )
    inter_broker = _inter_broker_name(settings, protocols, names, bound) if "broker" in roles else None
    return Listeners(names, _protocol(settings, protocols, names[0]), opened, inter_broker, entry)


def controller_listener_names(settings: Settings) -> tuple[str, ...]:
    """Return ``controller.listener.names``, in upper case, each once."""
    return tuple(dict.fromkeys(name.upper() for name in settings.items("controller.listener.names")))


def _parsed(
    settings: Settings, key: str, parse: Callable[[tuple[str, ...]], tuple[Endpoint, ...]]
) -> tuple[Endpoint, ...]:
    try:
        return parse(settings.items(key))
    except ValueError as error:
        raise settings.error(key, str(error)) from error


def _protocols(settings: Settings, controller_names: tuple[str, ...]) -> dict[str, str]:
    key = "listener.security.protocol.map"
    try:
        protocols = parse_protocol_map(settings.items(key))
    except ValueError as error:
        raise settings.error(key, str(error)) from error
    if not settings.is_given(key):
        # As in Kafka: a controller listener with a name of its own needs no entry while nothing is encrypted.
        protocols |= {name: "PLAINTEXT" for name in controller_names if name not in protocols}
    return protocols


def _protocol(settings: Settings, protocols: dict[str, str], name: str) -> str:
    key = "listener.security.protocol.map"
    protocol = protocols.get(name)
    if protocol is None:
        raise settings.error(key, f"the listener {name} has no protocol; add {name}:PLAINTEXT or {name}:SSL")
    return protocol


def _check_roles(
    settings: Settings, names: tuple[str, ...], bound: tuple[Endpoint, ...], roles: frozenset[str]
) -> None:
    key = "controller.listener.names"
    if not names:
        raise settings.error(key, f"a node with the role {' and '.join(sorted(roles))} needs to know this name")
    opened = {listener.name for listener in bound}
    if "controller" not in roles:
        if opened & set(names):
            raise settings.error(key, f"a broker does not open {min(opened & set(names))}; take it out of listeners")
        return
    for name in names:
        if name not in opened:
            raise settings.error(key, f"a controller opens {name}; add {name}://host:port to listeners")
    others = sorted(opened - set(names))
    if roles == {"controller"} and others:
        raise settings.error("listeners", f"a controller opens only {', '.join(names)}; take out {', '.join(others)}")
    if "broker" in roles and not others:
        raise settings.error("listeners", "a broker opens at least one listener that is not a controller's")


def _advertised(
    settings: Settings, names: tuple[str, ...], bound: tuple[Endpoint, ...], roles: frozenset[str]
) -> dict[str, Endpoint]:
    key = "advertised.listeners"
    listed = _parsed(settings, key, lambda items: tuple(parse_listener(item) for item in items))
    advertised = {listener.name: listener for listener in listed}
    if len(advertised) != len(listed):
        raise settings.error(key, "a listener name is in it twice")
    opened = {listener.name for listener in bound}
    for listener in listed:
        if listener.name not in opened:
            raise settings.error(key, f"{listener.name} is advertised but not opened; add it to listeners")
        _check_reachable(settings, key, listener)
    if "broker" in roles:
        _check_broker_advertised(settings, names, bound, listed)
    return advertised


def _check_broker_advertised(
    settings: Settings, names: tuple[str, ...], bound: tuple[Endpoint, ...], listed: tuple[Endpoint, ...]
) -> None:
    if listed and all(listener.name in names for listener in listed):
        raise settings.error("advertised.listeners", "a broker advertises at least one listener of its own")
    for listener in () if listed else bound:
        if listener.name not in names and listener.host:
            _check_reachable(settings, "listeners", listener)


def _check_reachable(settings: Settings, key: str, listener: Endpoint) -> None:
    if listener.host and listener.host in WILDCARD_HOSTS:
        raise settings.error(
            key, f"{listener} would be advertised, and no node can reach the meta-address {listener.host}; name a host"
        )
    if not listener.host and key == "advertised.listeners":
        raise settings.error(key, f"{listener} has no host")


def _inter_broker_name(
    settings: Settings, protocols: dict[str, str], names: tuple[str, ...], bound: tuple[Endpoint, ...]
) -> str:
    key = "inter.broker.listener.name"
    chosen = settings.word(key)
    if chosen is not None and settings.is_given("security.inter.broker.protocol"):
        raise settings.error(key, "security.inter.broker.protocol is set too; set one of them")
    candidates = [listener.name for listener in bound if listener.name not in names]
    if chosen is None:
        wanted = (settings.word("security.inter.broker.protocol") or "PLAINTEXT").upper()
        chosen = wanted if wanted in candidates else next((n for n in candidates if protocols.get(n) == wanted), wanted)
    name = chosen.upper()
    if name in names:
        raise settings.error(key, f"{name} is a controller listener; brokers need one of their own")
    listed = {parse_listener(item).name for item in settings.items("advertised.listeners")} or set(candidates)
    if name not in listed:
        raise settings.error(key, f"{name} is not among the advertised listeners {', '.join(sorted(listed))}")
    return name
