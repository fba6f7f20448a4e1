"""TLS of a node's listeners, each of which may have files of its own, and the refusal of protection that is not here.

``ssl.*`` is for every listener; ``listener.name.<name>.ssl.*`` is for one, as in Kafka. The public API counts as the
listener GRPC. Connections to the quorum show the files of the controller listener, also on a broker.

Source: Kafka ``SslConfigs``, KIP-103 (settings of one listener), KIP-651 (PEM).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kraftpy.config.protection import (
    LISTENER_PREFIX,
    MISSING,
    NO_SASL_KEY,
    SCOPED,
    asks_for_protection,
    is_of_sasl,
)
from kraftpy.config.settings import Settings
from kraftpy.config.values import FILE_KEYS, parse_value
from kraftpy.model.errors import ConfigError

GRPC = "GRPC"
"""The name of the public API's listener."""

WAY_TO_TLS = "give the listener the protocol SSL (listener.security.protocol.map; grpc.security.protocol for gRPC)"


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsConfig:
    """PEM files for listeners whose protocol is SSL. The password never shows in ``repr``."""

    keystore_location: str | None
    key_password: str | None
    truststore_location: str | None
    client_auth: str

    def __repr__(self) -> str:
        password = None if self.key_password is None else "[hidden]"
        return (
            f"TlsConfig(keystore_location={self.keystore_location!r}, key_password={password!r}, "
            f"truststore_location={self.truststore_location!r}, client_auth={self.client_auth!r})"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Wires:
    """The listeners of a file, by what they speak; in upper case.

    Attributes:
        known: all that the file names: opened here or not.
        encrypted: those that speak SSL or SASL_SSL and need this node's certificate.
        plaintext: those that this node opens without TLS.
        quorum_by_tls: whether the quorum speaks SSL or SASL_SSL.
        quorum_by_ssl: whether it speaks SSL.
        by_sasl: those that speak SASL_SSL: there a certificate is asked for by a listener's own key alone (KIP-684).
    """

    known: frozenset[str]
    encrypted: frozenset[str]
    plaintext: frozenset[str]
    quorum_by_tls: bool
    quorum_by_ssl: bool = False
    by_sasl: frozenset[str] = frozenset()


def read_tls(settings: Settings, wires: Wires) -> dict[str, TlsConfig]:
    """Read the TLS settings of each listener.

    Raises:
        ConfigError: a listener lacks a file that it needs, or certificates are asked for where no TLS is.
    """
    scoped: dict[str, dict[str, str]] = {name: {} for name in wires.known}
    for key in settings.given:
        scope = split_scope(key, wires.known) if key.startswith(LISTENER_PREFIX) and settings.is_given(key) else None
        if scope is not None and scope[1] in SCOPED:
            scoped[scope[0]][scope[1]] = key
    tls = {name: _tls_of(settings, keys, by_sasl=name in wires.by_sasl) for name, keys in scoped.items()}
    for name in sorted(wires.encrypted):
        _check_files(settings, tls[name], scoped[name], name)
    _check_in_use(settings, scoped, wires)
    return tls


@dataclass(frozen=True, slots=True)
class IdentityChecks:
    """Where certificates must name nodes.

    Attributes:
        peers: the controller listeners at which those who speak for a node have to show it.
        servers: of the controllers that this node connects to.
        callers: at the public API, of those who register a node.
    """

    peers: frozenset[str] = frozenset()
    servers: bool = False
    callers: bool = False


def read_identity(
    settings: Settings, tls: dict[str, TlsConfig], wires: Wires, controller_names: tuple[str, ...]
) -> IdentityChecks:
    """Say where certificates must name nodes: wherever they are asked for, unless the file says ``none``.

    The first of the controller listeners is the one at which this node looks for the others. A file that demands names
    means each that it opens: one that lets anybody in without a certificate would leave the others' check without use.

    Raises:
        ConfigError: names are demanded of peers who are not asked for a certificate.
    """
    key = "controller.quorum.peer.identity"
    if settings.word(key) == "none":
        return IdentityChecks()
    asking = frozenset(name for name in controller_names if tls[name].client_auth != "none")
    is_open = [one for one in controller_names if one in wires.plaintext or one in wires.encrypted - asking]
    if not is_open and not wires.quorum_by_tls:
        is_open = [controller_names[0]]
    if settings.is_given(key) and is_open:
        raise settings.error(
            key,
            f"the listener {is_open[0]} asks no client for a certificate: it needs SSL and ssl.client.auth=required",
        )
    return IdentityChecks(
        peers=asking & wires.encrypted,
        servers=wires.quorum_by_tls and (controller_names[0] in asking or settings.is_given(key)),
        callers=GRPC in wires.encrypted and tls[GRPC].client_auth == "required",
    )


def _tls_of(settings: Settings, keys: dict[str, str], *, by_sasl: bool) -> TlsConfig:
    """Read one listener's settings: its own, which ``keys`` names as the file spells them, else those of all."""

    def value(key: str) -> str | None:
        if key not in keys:
            return settings.word(key)
        try:
            parsed = parse_value(FILE_KEYS[key], settings.given[keys[key]].text)
        except ValueError as error:
            raise settings.error(keys[key], f"it {error}; allowed: {FILE_KEYS[key].allowed}") from error
        return parsed if isinstance(parsed, str) else None

    value("ssl.keystore.type")
    value("ssl.truststore.type")
    return TlsConfig(
        keystore_location=value("ssl.keystore.location"),
        key_password=value("ssl.key.password"),
        truststore_location=value("ssl.truststore.location"),
        client_auth="none" if by_sasl and "ssl.client.auth" not in keys else value("ssl.client.auth") or "none",
    )


def _check_files(settings: Settings, tls: TlsConfig, keys: dict[str, str], name: str) -> None:
    if tls.keystore_location is None:
        raise settings.error(
            "ssl.keystore.location", f"an SSL listener needs a PEM file with a key and certificates, and {name} is one"
        )
    if tls.client_auth != "none" and tls.truststore_location is None:
        key = keys.get("ssl.client.auth", "ssl.client.auth")
        raise settings.error("ssl.truststore.location", f"{key}={tls.client_auth} needs one to check against")
    if name == GRPC and tls.client_auth == "requested":
        raise settings.error(
            keys.get("ssl.client.auth", "ssl.client.auth"),
            "gRPC either demands a certificate or asks for none: set listener.name.grpc.ssl.client.auth to required or "
            "none",
        )


def _check_in_use(settings: Settings, scoped: dict[str, dict[str, str]], wires: Wires) -> None:
    """Refuse client authentication that was asked of a listener without TLS.

    A listener that this node does not open, which a file that is written for several nodes may name, is none of its
    business.
    """
    asked = "ssl.client.auth"
    if (
        settings.word(asked) != "none"
        and wires.by_sasl
        and not (wires.encrypted - wires.by_sasl or wires.quorum_by_ssl)
    ):
        raise settings.error(
            asked,
            "it is not for listeners that speak SASL_SSL, as in Kafka (KIP-684); set it for one listener: "
            f"{LISTENER_PREFIX}<listener>.{asked}",
        )
    if settings.word(asked) != "none" and not wires.encrypted and not wires.quorum_by_tls:
        raise settings.error(asked, f"no listener of this node speaks SSL, so no client is asked; {WAY_TO_TLS}")
    for name, keys in scoped.items():
        if asked in keys and name in wires.plaintext and settings.given[keys[asked]].text.strip().lower() != "none":
            raise settings.error(keys[asked], f"the listener {name} has no TLS, so no client is asked; {WAY_TO_TLS}")


def split_scope(name: str, listener_names: Iterable[str]) -> tuple[str, str] | None:
    """Return the listener and the key of ``listener.name.<listener>.<key>``; ``None`` when no such listener is known.

    A listener's name may have dots in it, so the longest that fits is meant.
    """
    scoped = name.removeprefix(LISTENER_PREFIX)
    fitting = [one for one in listener_names if scoped.lower().startswith(f"{one.lower()}.")]
    longest = max(fitting, key=len, default=None)
    return None if longest is None else (longest, scoped[len(longest) + 1 :])


def check_protection(settings: Settings, listener_names: frozenset[str]) -> None:
    """Refuse a file that asks for protection that is not here.

    Args:
        settings: the file.
        listener_names: the listeners that keys may be scoped to, in upper case.

    Raises:
        ConfigError: naming file, line, key, value and what exists instead.
    """
    for name in settings.given:
        if not settings.is_given(name):
            continue
        if not name.startswith(LISTENER_PREFIX):
            _check(settings, name, name)
            continue
        scoped = split_scope(name, listener_names)
        if scoped is None:
            raise settings.error(
                name, f"there is no such listener; those of this file are {', '.join(sorted(listener_names))}"
            )
        if scoped[1] not in SCOPED and not is_of_sasl(scoped[1]):
            _check(settings, name, scoped[1])


def _check(settings: Settings, name: str, key: str) -> None:
    """Refuse one key that asks for something; ``name`` is how the file writes it."""
    is_scoped = name != key
    if not asks_for_protection(key) or (key in FILE_KEYS and not is_scoped):
        return
    missing = MISSING.get(key)
    if missing is None:
        raise _unknown(settings, name, key)
    if _plain(settings.given[name].text) != _plain(missing.default):
        raise settings.error(name, missing.instead)


def _unknown(settings: Settings, name: str, key: str) -> ConfigError:
    if ".sasl." in f".{key}":
        return settings.error(name, NO_SASL_KEY)
    allowed = f"a listener's own keys are {', '.join(SCOPED)}" if name != key else "correct it, or take it away"
    return settings.error(
        name, f"it is not a known key{settings.suggestion(key)}, and may ask for protection; {allowed}"
    )


def _plain(text: str) -> str:
    """Write a value so that blanks and the case of its letters do not matter."""
    return "".join(text.split()).lower()
