"""The file of ``--command-config``: how a command protects its connections to controllers.

Of Kafka's ``client.properties`` it reads what concerns protection; a key for protection that does not exist here is
rejected, and every other key is passed over, because commands have options for timeouts and the like.

Source: Kafka ``AdminClientConfig``, ``SaslConfigs``, ``SslConfigs``; KIP-651 (PEM).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from kraftpy.authenticator.jaas import parse_login_line
from kraftpy.authenticator.mechanism import MECHANISMS, OAUTHBEARER
from kraftpy.config.sasl import EXISTING, JAAS, MODULES, TOKEN_URL, SaslLogin, path_of
from kraftpy.model.errors import ConfigError, MalformedError
from kraftpy.records.properties import parse_properties_with_lines

PROTOCOL: Final = "security.protocol"
PROTOCOLS: Final = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")
MECHANISM: Final = "sasl.mechanism"
HOSTNAME_CHECK: Final = "ssl.endpoint.identification.algorithm"
_CERTIFICATE, _TRUST, _PASSWORD = "ssl.keystore.location", "ssl.truststore.location", "ssl.key.password"
_STORE_TYPES: Final = ("ssl.keystore.type", "ssl.truststore.type")
_KNOWN: Final = frozenset(
    {PROTOCOL, MECHANISM, JAAS, TOKEN_URL, HOSTNAME_CHECK, _CERTIFICATE, _TRUST, _PASSWORD, *_STORE_TYPES}
)
_PROTECTION: Final = ("security.", "sasl.", "ssl.")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClientTls:
    """PEM files of a client. The password never shows in ``repr``.

    Attributes:
        certificate: private key and chain; ``None`` shows none.
        trust: the authorities that are trusted; ``None`` means the system's.
        key_password: what the private key is encrypted with.
        checks_hostname: whether the server's certificate must name its host.
    """

    certificate: str | None = None
    trust: str | None = None
    key_password: str | None = field(default=None, repr=False)
    checks_hostname: bool = True


@dataclass(frozen=True, slots=True)
class ClientConfig:
    """How connections are protected.

    Attributes:
        tls: ``None`` for none.
        login: the credentials for SASL; ``None`` for none.
    """

    tls: ClientTls | None = None
    login: SaslLogin | None = None


def parse_client_config(text: str, source: str) -> ClientConfig:
    """Turn the text of a properties file into what it says about protection.

    Raises:
        ConfigError: it is not a properties file, or a key for protection is wrong, missing or not there.
    """
    try:
        properties = parse_properties_with_lines(text)
    except MalformedError as error:
        raise ConfigError(f"{source}: {error}") from error
    given = {name: value.strip() for name, (value, _) in properties.by_key.items() if value.strip()}
    unknown = sorted(name for name in given if name.startswith(_PROTECTION) and name not in _KNOWN)
    if unknown:
        raise ConfigError(f"{source}: {unknown[0][:100]} does not exist here; the keys are {', '.join(sorted(_KNOWN))}")
    protocol = given.get(PROTOCOL, "PLAINTEXT").upper()
    if protocol not in PROTOCOLS:
        raise ConfigError(f"{source}: {PROTOCOL}={protocol[:100]} is none of {', '.join(PROTOCOLS)}")
    by_tls, by_sasl = protocol.endswith("SSL"), protocol.startswith("SASL_")
    for prefix, is_used in (("ssl.", by_tls), ("sasl.", by_sasl)):
        unused = sorted(name for name in given if name.startswith(prefix))
        if unused and not is_used:
            raise ConfigError(f"{source}: {unused[0]} has no effect with {PROTOCOL}={protocol}: set the protocol")
    # An empty value turns the check off, so it is read as it was written.
    checks = properties.by_key.get(HOSTNAME_CHECK, ("https", 0))[0].strip().lower()
    return ClientConfig(
        tls=_tls(given, source, checks) if by_tls else None,
        login=_login(given, source) if by_sasl else None,
    )


def _tls(given: Mapping[str, str], source: str, checks: str) -> ClientTls:
    for name in _STORE_TYPES:
        if given.get(name, "PEM").upper() != "PEM":
            raise ConfigError(f"{source}: {name}={given[name][:100]}: only PEM files are read")
    if checks not in {"", "https"}:
        raise ConfigError(f"{source}: {HOSTNAME_CHECK}={checks[:100]} is neither https nor empty")
    return ClientTls(
        certificate=given.get(_CERTIFICATE),
        trust=given.get(_TRUST),
        key_password=given.get(_PASSWORD),
        checks_hostname=bool(checks),
    )


def _login(given: Mapping[str, str], source: str) -> SaslLogin:
    mechanism = given.get(MECHANISM, "GSSAPI").upper()
    if mechanism not in MECHANISMS:
        raise ConfigError(f"{source}: {MECHANISM}={mechanism[:100]} does not exist here; {EXISTING}")
    if mechanism == OAUTHBEARER:
        path = path_of(given.get(TOKEN_URL, ""))
        if path is None:
            raise ConfigError(f"{source}: {TOKEN_URL} must name the file of the token, as file:///path")
        return SaslLogin(mechanism=mechanism, token_file=path)
    wanted = f'{MODULES[mechanism]} required username="<name>" password="<password>";'
    try:
        line = parse_login_line(given[JAAS])
    except KeyError:
        raise ConfigError(f"{source}: {JAAS} is not set; write {wanted}") from None
    except ValueError as error:
        raise ConfigError(f"{source}: {JAAS}: {error}") from error
    user, password = (line.options.get(name, "") for name in ("username", "password"))
    if line.module != MODULES[mechanism] or not user or not password:
        raise ConfigError(f"{source}: {JAAS}: {mechanism} needs {wanted}")
    by_token = line.options.get("tokenauth", "").lower() == "true"
    return SaslLogin(mechanism=mechanism, user=user, password=password, by_token=by_token)
