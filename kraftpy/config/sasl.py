"""SASL of a node's listeners, and the credentials that it shows to the quorum.

``sasl.*`` is for every listener; ``listener.name.<name>.sasl.*`` is for one, and with the mechanism in front
(``listener.name.<name>.<mechanism>.sasl.jaas.config``) for one mechanism of one. Connections to the quorum use the
mechanism of ``sasl.mechanism.controller.protocol`` and the line of the controller listener, also on a broker.

Source: Kafka ``SaslConfigs``, ``BrokerSecurityConfigs``, ``JaasContext``; KIP-43, KIP-85, KIP-103, KIP-368, KIP-768.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import unquote, urlsplit

from kraftpy.authenticator.jaas import OAUTH_MODULE, PLAIN_MODULE, SCRAM_MODULE, LoginLine, parse_login_line
from kraftpy.authenticator.mechanism import MECHANISMS, OAUTHBEARER, PLAIN, SCRAM_HASHES
from kraftpy.config.protection import LISTENER_PREFIX
from kraftpy.config.settings import Settings
from kraftpy.config.values import FILE_KEYS, Value, parse_value

ENABLED: Final = "sasl.enabled.mechanisms"
CONTROLLER_MECHANISM: Final = "sasl.mechanism.controller.protocol"
INTER_BROKER_MECHANISM: Final = "sasl.mechanism.inter.broker.protocol"
JAAS: Final = "sasl.jaas.config"
REAUTHENTICATION: Final = "connections.max.reauth.ms"
KEYS_URL: Final = "sasl.oauthbearer.jwks.endpoint.url"
TOKEN_URL: Final = "sasl.oauthbearer.token.endpoint.url"  # noqa: S105 - the name of a key
SERVER_HANDLER: Final = "sasl.server.callback.handler.class"
LOGIN_HANDLER: Final = "sasl.login.callback.handler.class"

_PACKAGE: Final = "org.apache.kafka.common.security.oauthbearer"
HANDLERS: Final = {
    SERVER_HANDLER: (
        f"{_PACKAGE}.OAuthBearerValidatorCallbackHandler",
        f"{_PACKAGE}.secured.OAuthBearerValidatorCallbackHandler",
    ),
    LOGIN_HANDLER: (
        f"{_PACKAGE}.OAuthBearerLoginCallbackHandler",
        f"{_PACKAGE}.secured.OAuthBearerLoginCallbackHandler",
    ),
}
"""The classes of Kafka's that do what is done here anyway."""

MODULES: Final[Mapping[str, str]] = {
    PLAIN: PLAIN_MODULE,
    OAUTHBEARER: OAUTH_MODULE,
    **dict.fromkeys(SCRAM_HASHES, SCRAM_MODULE),
}
"""Mechanism to the login module that its line names."""

EXISTING: Final = f"the mechanisms that exist are {', '.join(MECHANISMS)}"


@dataclass(frozen=True, slots=True, kw_only=True)
class OauthConfig:
    """How tokens are validated.

    Attributes:
        keys_url: where the public keys of the authorization server are: ``https://`` or ``file://``.
        audiences: those of which a token must name one; empty for any.
        issuer: who must have issued it; ``None`` for any.
        user_claim: the claim that names the principal.
        clock_skew_ms: how far the clock of the authorization server may be from ours.
        refresh_ms: how often the keys are fetched.
        retry_ms: the first and the longest pause after a failure to fetch them.
    """

    keys_url: str
    audiences: tuple[str, ...]
    issuer: str | None
    user_claim: str
    clock_skew_ms: int
    refresh_ms: int
    retry_ms: tuple[int, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class SaslListenerConfig:
    """What one listener offers. Passwords never show in ``repr``.

    Attributes:
        mechanisms: in the order of the file.
        passwords: the users of PLAIN.
        session_max_ms: mechanism to how long a session lasts, for those with a limit.
        oauth: how tokens are validated; ``None`` where OAUTHBEARER is not offered.
    """

    mechanisms: tuple[str, ...]
    passwords: Mapping[str, str] = field(repr=False)
    session_max_ms: Mapping[str, int]
    oauth: OauthConfig | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaslLogin:
    """The credentials that this node shows to the quorum. The password never shows in ``repr``.

    Attributes:
        mechanism: by which it authenticates itself.
        user: its name, or the id of a delegation token; empty for OAUTHBEARER.
        password: its password.
        by_token: whether they are a delegation token's.
        token_file: where the token of OAUTHBEARER is.
    """

    mechanism: str
    user: str = ""
    password: str = field(default="", repr=False)
    by_token: bool = False
    token_file: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class SaslConfig:
    """SASL of one node.

    Attributes:
        listeners: the opened listeners that speak SASL, by name.
        login: what is shown to the quorum; ``None`` where it does not ask.
        receive_bytes_max: the longest frame of a peer that is not authenticated.
        failure_delay_ms: how long a failure waits for its answer.
    """

    listeners: Mapping[str, SaslListenerConfig]
    login: SaslLogin | None
    receive_bytes_max: int
    failure_delay_ms: int

    @property
    def offered(self) -> frozenset[str]:
        """Every mechanism that some listener offers."""
        return frozenset(name for one in self.listeners.values() for name in one.mechanisms)


@dataclass(frozen=True, slots=True)
class SaslNames:
    """The listeners of a file, in upper case.

    Attributes:
        opened: those that speak SASL and are opened here.
        others: those that are opened here and do not.
        controller: the quorum's.
        quorum_by_sasl: whether the quorum speaks SASL.
        inter_broker: the one between brokers; ``None`` on a controller.
    """

    opened: tuple[str, ...]
    others: tuple[str, ...]
    controller: str
    quorum_by_sasl: bool
    inter_broker: str | None


def read_sasl(settings: Settings, names: SaslNames) -> SaslConfig:
    """Read the SASL settings of each listener.

    Raises:
        ConfigError: a mechanism does not exist, or lacks what it needs; or SASL is asked for where no listener has it.
    """
    scope = _Scope(settings)
    _check_in_use(settings, names)
    _check_handlers(settings)
    listeners = {name: _listener(scope, name) for name in names.opened}
    return SaslConfig(
        listeners=listeners,
        login=_login(scope, names, listeners) if names.quorum_by_sasl else None,
        receive_bytes_max=settings.number("sasl.server.max.receive.size"),
        failure_delay_ms=_failure_delay(settings),
    )


class _Scope:
    """Finds the value of a key for a mechanism of a listener: the most special one."""

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self._names = {key.lower(): key for key in settings.given if key.startswith(LISTENER_PREFIX)}

    def name(self, listener: str, mechanism: str | None, key: str) -> str:
        """Return the name by which the file sets a key; the plain one when it does not."""
        prefix = f"{LISTENER_PREFIX}{listener.lower()}."
        special = [] if mechanism is None else [f"{prefix}{mechanism.lower()}.{key}"]
        for name in (*special, f"{prefix}{key}"):
            found = self._names.get(name)
            if found is not None and self.settings.is_given(found):
                return found
        return key

    def value(self, listener: str, mechanism: str | None, key: str) -> Value:
        """Return a key's typed value.

        Raises:
            ConfigError: it is not of the key's type or range.
        """
        name = self.name(listener, mechanism, key)
        if name == key:
            return self.settings.values[key]
        try:
            return parse_value(FILE_KEYS[key], self.settings.given[name].text)
        except ValueError as error:
            raise self.settings.error(name, f"it {error}; allowed: {FILE_KEYS[key].allowed}") from error

    def number(self, listener: str, mechanism: str | None, key: str) -> int:
        value = self.value(listener, mechanism, key)
        assert isinstance(value, int), key
        return value

    def items(self, listener: str, mechanism: str | None, key: str) -> tuple[str, ...]:
        value = self.value(listener, mechanism, key)
        assert isinstance(value, tuple), key
        return tuple(str(item).strip() for item in value)

    def word(self, listener: str, mechanism: str | None, key: str) -> str | None:
        value = self.value(listener, mechanism, key)
        return value if isinstance(value, str) and value else None

    def line(self, listener: str, mechanism: str) -> LoginLine | None:
        """Read the login line of a mechanism.

        Raises:
            ConfigError: it is not understood, or is another mechanism's.
        """
        name = f"{LISTENER_PREFIX}{listener.lower()}.{mechanism.lower()}.{JAAS}"
        found = self._names.get(name)
        if found is None or not self.settings.is_given(found):
            return None
        try:
            line = parse_login_line(self.settings.given[found].text)
        except ValueError as error:
            raise self.settings.error(found, str(error)) from error
        if line.module != MODULES[mechanism]:
            raise self.settings.error(found, f"{mechanism} needs the login module {MODULES[mechanism]}")
        allowed = {PLAIN_MODULE: ("username", "password"), SCRAM_MODULE: ("username", "password", "tokenauth")}
        others = line.others(*allowed.get(line.module, ()))
        others += [] if mechanism == PLAIN else sorted(f"user_{user}" for user in line.passwords)
        if others:
            shown = ", ".join(one[:100] for one in others[:10])
            raise self.settings.error(found, f"these options of {mechanism} do not exist here: {shown}")
        return line

    def line_name(self, listener: str, mechanism: str) -> str:
        """Return the name of the key of a login line."""
        return f"{LISTENER_PREFIX}{listener.lower()}.{mechanism.lower()}.{JAAS}"


def _check_in_use(settings: Settings, names: SaslNames) -> None:
    """Refuse SASL that is asked for where it does not protect anything."""
    if settings.is_given(JAAS):
        raise settings.error(JAAS, f"it is for no listener; write {LISTENER_PREFIX}<listener>.<mechanism>.{JAAS}")
    for key in settings.given:
        lowered = key.lower()
        for name in names.others:
            prefix = f"{LISTENER_PREFIX}{name.lower()}."
            is_longer = any(lowered.startswith(f"{LISTENER_PREFIX}{one.lower()}.") for one in names.opened)
            # A broker's own login line is that of a listener which it does not open.
            bare = lowered.removeprefix(prefix)
            if lowered.startswith(prefix) and ("sasl." in bare or REAUTHENTICATION in bare) and not is_longer:
                raise settings.error(
                    key,
                    f"the listener {name} does not speak SASL; give it the protocol SASL_SSL or SASL_PLAINTEXT "
                    "(listener.security.protocol.map; grpc.security.protocol for gRPC)",
                )
    if not names.opened and not names.quorum_by_sasl:
        for key in (ENABLED, CONTROLLER_MECHANISM):
            if settings.is_given(key) and _plain(settings.given[key].text) != "GSSAPI":
                raise settings.error(
                    key,
                    "no listener of this node speaks SASL; give one the protocol SASL_SSL or SASL_PLAINTEXT "
                    "(listener.security.protocol.map; grpc.security.protocol for gRPC), or take the key away",
                )


def _check_handlers(settings: Settings) -> None:
    """Refuse classes of Java: what they would check is not checked here."""
    for name in settings.given:
        for key, classes in HANDLERS.items():
            is_of_oauth = f".{OAUTHBEARER.lower()}." in f".{name.lower()}"
            if not name.endswith(key) or not settings.is_given(name):
                continue
            if settings.given[name].text.strip() not in classes or not (is_of_oauth or name == key):
                raise settings.error(name, f"no class can be called here; allowed is {classes[0]}, for OAUTHBEARER")


def _failure_delay(settings: Settings) -> int:
    key, idle = "connection.failed.authentication.delay.ms", "connections.max.idle.ms"
    if settings.number(key) >= settings.number(idle):
        raise settings.error(key, f"it must be less than {idle}, which is {settings.number(idle)}")
    return settings.number(key)


def _listener(scope: _Scope, listener: str) -> SaslListenerConfig:
    settings = scope.settings
    name = scope.name(listener, None, ENABLED)
    mechanisms = tuple(dict.fromkeys(one.upper() for one in scope.items(listener, None, ENABLED)))
    unknown = [one for one in mechanisms if one not in MECHANISMS]
    if unknown or not mechanisms:
        what = f"the listener {listener} would offer {', '.join(unknown) or 'none'}"
        raise settings.error(name, f"{what}; {EXISTING}; set {LISTENER_PREFIX}{listener.lower()}.{ENABLED}")
    passwords: Mapping[str, str] = {}
    for mechanism in mechanisms:
        line = scope.line(listener, mechanism)
        if mechanism == PLAIN:
            passwords = {} if line is None else line.passwords
            if not passwords:
                raise settings.error(
                    scope.line_name(listener, PLAIN),
                    f"the listener {listener} offers PLAIN and has no users; write {PLAIN_MODULE} required "
                    'user_<name>="<password>";',
                )
    limits = {one: scope.number(listener, one, REAUTHENTICATION) for one in mechanisms}
    return SaslListenerConfig(
        mechanisms=mechanisms,
        passwords=passwords,
        session_max_ms={one: limit for one, limit in limits.items() if limit > 0},
        oauth=_oauth(scope, listener) if OAUTHBEARER in mechanisms else None,
    )


def _oauth(scope: _Scope, listener: str) -> OauthConfig:
    settings = scope.settings
    url = scope.word(listener, OAUTHBEARER, KEYS_URL)
    name = scope.name(listener, OAUTHBEARER, KEYS_URL)
    if url is None:
        raise settings.error(
            name,
            f"the listener {listener} offers OAUTHBEARER and has no keys to check tokens with; name an https:// "
            "or file:// URL of a JSON Web Key Set",
        )
    if urlsplit(url).scheme == "file":
        _path(settings, name, url)
    elif urlsplit(url).scheme != "https":
        raise settings.error(name, "keys are fetched from https:// or read from file:// alone: others may be forged")
    return OauthConfig(
        keys_url=url,
        audiences=scope.items(listener, OAUTHBEARER, "sasl.oauthbearer.expected.audience"),
        issuer=scope.word(listener, OAUTHBEARER, "sasl.oauthbearer.expected.issuer"),
        user_claim=scope.word(listener, OAUTHBEARER, "sasl.oauthbearer.sub.claim.name") or "sub",
        clock_skew_ms=1_000 * scope.number(listener, OAUTHBEARER, "sasl.oauthbearer.clock.skew.seconds"),
        refresh_ms=scope.number(listener, OAUTHBEARER, "sasl.oauthbearer.jwks.endpoint.refresh.ms"),
        retry_ms=(
            scope.number(listener, OAUTHBEARER, "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms"),
            scope.number(listener, OAUTHBEARER, "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms"),
        ),
    )


def _login(scope: _Scope, names: SaslNames, listeners: Mapping[str, SaslListenerConfig]) -> SaslLogin:
    settings = scope.settings
    mechanism = (settings.word(CONTROLLER_MECHANISM) or "").upper()
    if mechanism not in MECHANISMS:
        raise settings.error(CONTROLLER_MECHANISM, f"the quorum speaks SASL, and {mechanism} is not here; {EXISTING}")
    own = listeners.get(names.controller)
    if own is not None and mechanism not in own.mechanisms:
        raise settings.error(
            CONTROLLER_MECHANISM,
            f"the listener {names.controller} does not offer {mechanism}, so that this node could not connect to a "
            f"controller like itself; add it to {ENABLED}",
        )
    if mechanism == OAUTHBEARER:
        return _token_login(scope, names.controller)
    key = scope.line_name(names.controller, mechanism)
    line = scope.line(names.controller, mechanism)
    user, password = ("", "") if line is None else (line.options.get(one, "") for one in ("username", "password"))
    if not user or not password:
        raise settings.error(
            key,
            f"this node has no credentials for the quorum; write {MODULES[mechanism]} required "
            'username="<name>" password="<password>";',
        )
    by_token = line is not None and line.options.get("tokenauth", "").lower() == "true"
    return SaslLogin(mechanism=mechanism, user=user, password=password, by_token=by_token)


def _token_login(scope: _Scope, listener: str) -> SaslLogin:
    url = scope.word(listener, OAUTHBEARER, TOKEN_URL)
    name = scope.name(listener, OAUTHBEARER, TOKEN_URL)
    if url is None or urlsplit(url).scheme != "file":
        raise scope.settings.error(
            name,
            "this node reads its token for the quorum from a file, which something else keeps fresh; name it as "
            "file:///path",
        )
    return SaslLogin(mechanism=OAUTHBEARER, token_file=_path(scope.settings, name, url))


def _path(settings: Settings, name: str, url: str) -> str:
    path = path_of(url)
    if path is None:
        raise settings.error(name, "a file has the form file:///path, on this machine")
    return path


def path_of(url: str) -> str | None:
    """Return the path of a ``file://`` URL of this machine; ``None`` when it is none."""
    parts = urlsplit(url)
    is_here = parts.scheme == "file" and parts.netloc in {"", "localhost"} and not (parts.query or parts.fragment)
    return unquote(parts.path) if is_here and parts.path.startswith("/") else None


def _plain(text: str) -> str:
    return "".join(text.split()).upper()
