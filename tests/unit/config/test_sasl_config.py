"""SASL in a file: what each listener offers, what this node shows, and what is refused."""

from __future__ import annotations

import pytest

from kraftpy.authenticator.jaas import OAUTH_MODULE, PLAIN_MODULE, SCRAM_MODULE
from kraftpy.config.node_config import NodeConfig, parse_config
from kraftpy.model.errors import ConfigError

BASE = """\
process.roles=controller
node.id=1
controller.quorum.voters=1@localhost:9093
controller.listener.names=CONTROLLER
listeners=CONTROLLER://localhost:9093
grpc.listener=localhost:9193
listener.security.protocol.map=CONTROLLER:SASL_PLAINTEXT
"""
PLAIN_LINE = (
    f'listener.name.controller.plain.sasl.jaas.config={PLAIN_MODULE} required username="n" password="hunter2" '
    'user_n="hunter2" user_alice="hunter2";\n'
)
SCRAM_LINE = (
    f"listener.name.controller.scram-sha-256.sasl.jaas.config={SCRAM_MODULE} required "
    'username="n" password="hunter2";\n'
)
PLAIN = f"{BASE}sasl.enabled.mechanisms=PLAIN\nsasl.mechanism.controller.protocol=PLAIN\n{PLAIN_LINE}"
SCRAM = (
    f"{BASE}listener.name.controller.sasl.enabled.mechanisms=SCRAM-SHA-256,PLAIN\n"
    f"sasl.mechanism.controller.protocol=SCRAM-SHA-256\n{SCRAM_LINE}{PLAIN_LINE}"
)
BY_TLS = """\
listener.security.protocol.map=CONTROLLER:SASL_SSL
ssl.keystore.location=/x
ssl.truststore.location=/y
"""


def config(text: str) -> NodeConfig:
    return parse_config(text, "f")


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(text)
    assert "hunter2" not in str(caught.value)
    return str(caught.value)


def test_a_listener_offers_mechanisms_and_this_node_has_credentials() -> None:
    found = config(SCRAM)
    listener = found.sasl.listeners["CONTROLLER"]
    assert listener.mechanisms == ("SCRAM-SHA-256", "PLAIN")
    assert dict(listener.passwords) == {"n": "hunter2", "alice": "hunter2"}
    assert found.sasl.login is not None
    assert (found.sasl.login.mechanism, found.sasl.login.user, found.sasl.login.by_token) == (
        "SCRAM-SHA-256", "n", False,
    )  # fmt: skip
    assert found.sasl.login.password == "hunter2"
    assert "hunter2" not in repr(found)
    assert found.unused_settings == ()


def test_a_session_limit_may_be_that_of_a_mechanism() -> None:
    limits = config(
        f"{SCRAM}connections.max.reauth.ms=5000\nlistener.name.controller.plain.connections.max.reauth.ms=0\n"
    )
    assert limits.sasl.listeners["CONTROLLER"].session_max_ms == {"SCRAM-SHA-256": 5000}


def test_a_broker_shows_credentials_to_a_listener_that_it_does_not_open() -> None:
    found = config(
        f"""process.roles=broker
node.id=2
controller.quorum.voters=1@localhost:9093
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://localhost:9092
listener.security.protocol.map=CONTROLLER:SASL_PLAINTEXT,PLAINTEXT:PLAINTEXT
sasl.mechanism.controller.protocol=SCRAM-SHA-256
{SCRAM_LINE}"""
    )
    assert found.sasl.listeners == {}
    assert found.sasl.login is not None


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (BASE, "the listener CONTROLLER would offer GSSAPI; the mechanisms that exist are PLAIN"),
        (f"{PLAIN}sasl.enabled.mechanisms=\n", "would offer"),
        (f"{PLAIN}sasl.mechanism.controller.protocol=GSSAPI\n", "the quorum speaks SASL, and GSSAPI is not here"),
        (f"{PLAIN}sasl.mechanism.controller.protocol=SCRAM-SHA-256\n", "does not offer SCRAM-SHA-256"),
        (PLAIN.replace(PLAIN_LINE, ""), "offers PLAIN and has no users"),
        (PLAIN.replace("user_", "usr_"), "these options of PLAIN do not exist here: usr_alice, usr_n"),
        (PLAIN.replace('username="n"', ""), "this node has no credentials for the quorum"),
        (SCRAM.replace(SCRAM_LINE, ""), "this node has no credentials for the quorum"),
        (SCRAM.replace(SCRAM_MODULE, PLAIN_MODULE), f"SCRAM-SHA-256 needs the login module {SCRAM_MODULE}"),
        (SCRAM.replace(SCRAM_LINE, SCRAM_LINE.replace(";", ' user_a="hunter2";')), "do not exist here: user_a"),
        (PLAIN.replace(";", ""), "it does not end with a semicolon"),
        (f"{PLAIN}sasl.server.max.receive.size=9\n", "is too small"),
        (f"{PLAIN}listener.name.controller.plain.connections.max.reauth.ms=-1\n", "is too small"),
        (f"{PLAIN}connection.failed.authentication.delay.ms=600000\n", "it must be less than connections.max.idle.ms"),
        (f"{PLAIN}listener.name.controller.plain.sasl.server.callback.handler.class=X\n", "no class can be called"),
        (f"{PLAIN}sasl.login.callback.handler.class=X\n", "no class can be called here"),
        (f"{PLAIN}sasl.kerberos.kinit.cmd=X\n", "there is no Kerberos here"),
        (f"{PLAIN}plain.sasl.jaas.config=hunter2\n", "[hidden]: this key of SASL is not here"),
        (f"{PLAIN}sasl.jaas.config=hunter2\n", "it is for no listener; write listener.name."),
        (f"{PLAIN}ssl.client.auth=required\n", "no listener of this node speaks SSL"),
        (f"{PLAIN}{BY_TLS}ssl.client.auth=required\n", "it is not for listeners that speak SASL_SSL"),
    ],
)
def test_what_would_not_work_or_not_protect_is_refused(text: str, stated: str) -> None:
    assert stated in refusal(text)


OAUTH = BASE + "sasl.enabled.mechanisms=OAUTHBEARER\nsasl.mechanism.controller.protocol=OAUTHBEARER\n"
KEYS = "sasl.oauthbearer.jwks.endpoint.url=file:///keys.json\n"
OAUTH_LINE = "listener.name.controller.oauthbearer.sasl.jaas.config"
TOKEN = "sasl.oauthbearer.token.endpoint.url=file:///token\n"


def test_tokens_are_checked_with_keys_and_read_from_a_file() -> None:
    found = config(
        f"{OAUTH}{KEYS}{TOKEN}sasl.oauthbearer.expected.audience=a,b\nsasl.oauthbearer.clock.skew.seconds=3\n"
    )
    oauth = found.sasl.listeners["CONTROLLER"].oauth
    assert oauth is not None
    assert (oauth.keys_url, oauth.audiences, oauth.user_claim) == ("file:///keys.json", ("a", "b"), "sub")
    assert oauth.clock_skew_ms == 3_000
    assert found.sasl.login is not None
    assert found.sasl.login.token_file == "/token"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (OAUTH + TOKEN, "has no keys to check tokens with"),
        (OAUTH + TOKEN + KEYS.replace("file:", "http:"), "fetched from https:// or read from file:// alone"),
        (OAUTH + TOKEN + KEYS.replace("file://", "file://other"), "a file has the form file:///path"),
        (OAUTH + KEYS, "reads its token for the quorum from a file"),
        (OAUTH + KEYS + TOKEN.replace("file", "https"), "reads its token for the quorum from a file"),
        (
            f'{OAUTH}{KEYS}{TOKEN}{OAUTH_LINE}={OAUTH_MODULE} required unsecuredLoginStringClaim_sub="hunter2";\n',
            "these options of OAUTHBEARER do not exist here: unsecuredLoginStringClaim_sub",
        ),
    ],
)
def test_tokens_that_could_be_forged_are_refused(text: str, stated: str) -> None:
    assert stated in refusal(text)


def test_warnings_name_what_sasl_leaves_open() -> None:
    """Without an authorizer, without TLS, and at the public API."""
    warnings = "\n".join(config(PLAIN.replace("CONTROLLER://localhost", "CONTROLLER://0.0.0.0")).warnings)
    assert "every user that it authenticates may pass for any node" in warnings
    assert "the listener CONTROLLER speaks SASL_PLAINTEXT at 0.0.0.0:9093" in warnings
    assert "grpc.listener speaks plaintext at localhost:9193, beside a controller listener that speaks" in warnings


API = f"{SCRAM}listener.name.grpc.sasl.enabled.mechanisms=SCRAM-SHA-512\n"
API_MAP = API.replace("CONTROLLER:SASL_PLAINTEXT", "CONTROLLER:SASL_PLAINTEXT,GRPC:SASL_PLAINTEXT")


@pytest.mark.parametrize("text", [f"{API}grpc.security.protocol=SASL_PLAINTEXT\n", API_MAP])
def test_the_public_api_is_a_listener_with_sasl(text: str) -> None:
    """Either key names its protocol, and its mechanisms are its own."""
    found = config(text)
    assert (found.api.grpc_protocol, found.api.grpc_sasl, found.api.grpc_tls) == ("SASL_PLAINTEXT", True, False)
    assert found.sasl.listeners["GRPC"].mechanisms == ("SCRAM-SHA-512",)
    assert found.sasl.listeners["CONTROLLER"].mechanisms == ("SCRAM-SHA-256", "PLAIN")
    assert any(
        "grpc.listener authenticates by SASL, and authorizer.class.name is not set" in one for one in found.warnings
    )
    assert not any("speaks plaintext" in one for one in found.warnings)


def test_the_public_api_asks_for_certificates_by_its_own_key_alone() -> None:
    """As a listener of Kafka's protocol with SASL_SSL does (KIP-684)."""
    tls = "ssl.keystore.location=/x\nssl.truststore.location=/y\n"
    text = f"{API}grpc.security.protocol=SASL_SSL\n{tls}"
    assert config(text).api.grpc_tls
    assert config(text).api_tls.client_auth == "none"
    assert config(f"{text}listener.name.grpc.ssl.client.auth=required\n").api_tls.client_auth == "required"


@pytest.mark.parametrize(
    ("text", "stated"),
    [
        (API, "the listener GRPC does not speak SASL"),
        (f"{API_MAP}grpc.security.protocol=SSL\n", "names GRPC:SASL_PLAINTEXT, which is another protocol"),
        (f"{API}grpc.security.protocol=SASL_SSL\n", "an SSL listener needs a PEM file"),
        (f"{SCRAM}grpc.security.protocol=SASL_PLAINTEXT\n", "the listener GRPC would offer GSSAPI"),
        (f"{SCRAM}grpc.security.protocol=SASL_PLAINTEXT\nlistener.name.grpc.sasl.enabled.mechanisms=PLAIN\n",
         "the listener GRPC offers PLAIN and has no users"),
        (API_MAP.replace("process.roles=controller", "process.roles=controller,broker").replace(
            "listeners=CONTROLLER://localhost:9093", "listeners=CONTROLLER://localhost:9093,GRPC://localhost:9092")
         + "inter.broker.listener.name=GRPC\n",
         "GRPC is the name of the public API's listener"),
    ],
)  # fmt: skip
def test_a_public_api_that_would_not_be_protected_is_refused(text: str, stated: str) -> None:
    assert stated in refusal(text)
