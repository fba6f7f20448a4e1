"""Security keys that have no effect here, and the value with which each requests no protection.

A file written for Kafka may ask for Kerberos, ciphers or listener-scoped policies. A node that dropped such a key
would open a port that its operator believes closed. So every key of this kind either is acted on, or has the value that
Kafka has by default (nothing was asked for), or refuses the start. An unknown key with one of :data:`PREFIXES` is
rejected, too: it is misspelt, or from a later Kafka. The check is in :mod:`kraftpy.config.tls`.

The defaults are those of Kafka 4.3. Source: ``BrokerSecurityConfigs``, ``SaslConfigs``, ``SslConfigs``,
``DelegationTokenManagerConfigs``, ``ServerConfigs``, ``StandardAuthorizer``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from kraftpy.authenticator.mechanism import MECHANISMS
from kraftpy.config_keys.node_keys import MINUTE_MS

LISTENER_PREFIX: Final = "listener.name."
"""How Kafka's settings of one listener begin (``listener.name.<name>.ssl...``)."""

PREFIXES: Final = ("sasl.", "ssl.", "security.", "authorizer.", "delegation.token.")
"""A key that begins so asks for protection, whether it is known or not."""

NO_KERBEROS: Final = (
    "there is no Kerberos here; what exists: SASL with PLAIN, SCRAM-SHA-256, SCRAM-SHA-512 and OAUTHBEARER "
    "(docs/sasl.md), and SSL listeners with ssl.client.auth=required"
)
NO_SASL_KEY: Final = "this key of SASL is not here; docs/sasl.md lists those that are"
LOGIN_READ: Final = (
    "a token is read from its file at each login, and never refreshed by this process; take the key away"
)
OLD_TOKEN_KEY: Final = "Kafka 4.0 dropped this name; set delegation.token.secret.key"  # noqa: S105 - a sentence
NO_CALLBACK: Final = "no class of a callback is asked here: the quotas of the log apply; take the key away if they do"
OPENSSL: Final = (
    "TLS is that of Python's OpenSSL, from version 1.2 on, with its own choice of ciphers; this cannot be changed by a "
    "key. Take it away if that is enough"
)
PEM_FILES: Final = "certificates come from the PEM files of ssl.keystore.location and ssl.truststore.location alone"
PEM_PASSWORD: Final = "a PEM file has no password; what opens the private key in it is ssl.key.password"  # noqa: S105 - a sentence
NO_MAPPING: Final = "a principal is the distinguished name of the certificate, as it is, after User: (docs/acls.md)"


@dataclass(frozen=True, slots=True)
class Missing:
    """A protection that is not here.

    Attributes:
        default: Kafka's own value, with which nothing is asked for; empty when it has none.
        instead: why it is refused and what exists, for the operator.
    """

    default: str
    instead: str


MISSING: Final[dict[str, Missing]] = {
    "principal.builder.class": Missing(
        "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder", NO_MAPPING
    ),
    "client.quota.callback.class": Missing("", NO_CALLBACK),
    "security.providers": Missing("", OPENSSL),
    "delegation.token.master.key": Missing("", OLD_TOKEN_KEY),
    "ssl.protocol": Missing("TLSv1.3", OPENSSL),
    "ssl.enabled.protocols": Missing("TLSv1.2,TLSv1.3", OPENSSL),
    "ssl.cipher.suites": Missing("", OPENSSL),
    "ssl.provider": Missing("", OPENSSL),
    "ssl.keymanager.algorithm": Missing("SunX509", OPENSSL),
    "ssl.trustmanager.algorithm": Missing("PKIX", OPENSSL),
    "ssl.secure.random.implementation": Missing("", OPENSSL),
    "ssl.engine.factory.class": Missing("", OPENSSL),
    "ssl.endpoint.identification.algorithm": Missing(
        "https", "the name of a server is always checked against its certificate, as https does"
    ),
    "ssl.allow.dn.changes": Missing("false", PEM_FILES),
    "ssl.allow.san.changes": Missing("false", PEM_FILES),
    "ssl.keystore.password": Missing("", PEM_PASSWORD),
    "ssl.truststore.password": Missing("", PEM_PASSWORD),
    "ssl.keystore.key": Missing("", PEM_FILES),
    "ssl.keystore.certificate.chain": Missing("", PEM_FILES),
    "ssl.truststore.certificates": Missing("", PEM_FILES),
    "sasl.kerberos.kinit.cmd": Missing("/usr/bin/kinit", NO_KERBEROS),
    "sasl.kerberos.ticket.renew.window.factor": Missing("0.8", NO_KERBEROS),
    "sasl.kerberos.ticket.renew.jitter": Missing("0.05", NO_KERBEROS),
    "sasl.kerberos.min.time.before.relogin": Missing(str(MINUTE_MS), NO_KERBEROS),
    "sasl.kerberos.principal.to.local.rules": Missing("DEFAULT", NO_KERBEROS),
    "sasl.login.refresh.window.factor": Missing("0.8", LOGIN_READ),
    "sasl.login.refresh.window.jitter": Missing("0.05", LOGIN_READ),
    "sasl.login.refresh.min.period.seconds": Missing("60", LOGIN_READ),
    "sasl.login.refresh.buffer.seconds": Missing("300", LOGIN_READ),
    "sasl.login.retry.backoff.ms": Missing("100", LOGIN_READ),
    "sasl.login.retry.backoff.max.ms": Missing("10000", LOGIN_READ),
}
"""Keys that nothing here acts on, each with the value that asks for nothing."""

SCOPED: Final = (
    "ssl.keystore.location",
    "ssl.key.password",
    "ssl.truststore.location",
    "ssl.keystore.type",
    "ssl.truststore.type",
    "ssl.client.auth",
    "ssl.principal.mapping.rules",
)
"""What a listener may have of its own: ``listener.name.<name>.<one of these>``."""


SASL_SCOPED: Final = (
    "sasl.enabled.mechanisms",
    "sasl.jaas.config",
    "connections.max.reauth.ms",
    "sasl.oauthbearer.jwks.endpoint.url",
    "sasl.oauthbearer.expected.audience",
    "sasl.oauthbearer.expected.issuer",
    "sasl.oauthbearer.sub.claim.name",
    "sasl.oauthbearer.scope.claim.name",
    "sasl.oauthbearer.clock.skew.seconds",
    "sasl.oauthbearer.jwks.endpoint.refresh.ms",
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.ms",
    "sasl.oauthbearer.jwks.endpoint.retry.backoff.max.ms",
    "sasl.oauthbearer.token.endpoint.url",
    "sasl.server.callback.handler.class",
    "sasl.login.callback.handler.class",
)
"""What a listener may have of its own, with or without a mechanism in front
(``listener.name.<name>.<mechanism>.<key>``). The mechanisms themselves have none, a login line always has."""


def is_of_sasl(key: str) -> bool:
    """Return whether a key, without its listener, is one of SASL that is acted on."""
    bare = next((key.removeprefix(f"{one.lower()}.") for one in MECHANISMS if key.startswith(f"{one.lower()}.")), None)
    if bare is None:
        return key in SASL_SCOPED and key != "sasl.jaas.config"
    return bare in SASL_SCOPED and bare != "sasl.enabled.mechanisms"


def is_dropped(name: str) -> bool:
    """Return whether a key is one of a listener that neither is acted on nor asks for protection."""
    return name.startswith(LISTENER_PREFIX) and not name.endswith((*SCOPED, *SASL_SCOPED, *MISSING))


def asks_for_protection(name: str) -> bool:
    """Return whether a key, without the listener it is for, is one that may not be dropped in silence."""
    return (
        name in MISSING or name.startswith(PREFIXES) or ".sasl." in name or name.endswith("connections.max.reauth.ms")
    )
