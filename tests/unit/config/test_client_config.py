"""The file of ``--command-config``: what it says about protection, and what is rejected."""

import pytest

from kraftpy.config.client_config import ClientConfig, ClientTls, parse_client_config
from kraftpy.config.sasl import SaslLogin
from kraftpy.model.errors import ConfigError

SCRAM_LINE = (
    'sasl.jaas.config=org.apache.kafka.common.security.scram.ScramLoginModule required username="u" password="p";'
)


def parsed(*lines: str) -> ClientConfig:
    return parse_client_config("\n".join(lines), "client.properties")


def test_without_a_protocol_there_is_no_protection():
    assert parsed() == ClientConfig()
    assert parsed("request.timeout.ms=5", "bootstrap.servers=x:1", "security.protocol=plaintext") == ClientConfig()


def test_tls_by_pem_files():
    files = ("ssl.truststore.location=/ca.pem", "ssl.keystore.location=/me.pem", "ssl.keystore.type=pem")
    assert parsed("security.protocol=SSL", *files, "ssl.key.password=secret") == ClientConfig(
        ClientTls(certificate="/me.pem", trust="/ca.pem", key_password="secret")
    )
    assert parsed("security.protocol=SSL", "ssl.endpoint.identification.algorithm=").tls == ClientTls(
        checks_hostname=False
    )
    assert "secret" not in repr(parsed("security.protocol=SSL", "ssl.key.password=secret"))


def test_sasl_by_a_login_line():
    config = parsed("security.protocol=SASL_SSL", "sasl.mechanism=scram-sha-256", SCRAM_LINE)
    assert config == ClientConfig(ClientTls(), SaslLogin(mechanism="SCRAM-SHA-256", user="u", password="p"))
    token = parsed(
        "security.protocol=SASL_PLAINTEXT",
        "sasl.mechanism=SCRAM-SHA-512",
        SCRAM_LINE.replace(";", ' tokenauth="true";'),
    )
    assert token.tls is None
    assert token.login is not None
    assert token.login.by_token
    assert "'p'" not in repr(token)


def test_a_token_is_read_from_a_file():
    config = parsed(
        "security.protocol=SASL_PLAINTEXT",
        "sasl.mechanism=OAUTHBEARER",
        "sasl.oauthbearer.token.endpoint.url=file:///run/token",
    )
    assert config.login == SaslLogin(mechanism="OAUTHBEARER", token_file="/run/token")


BY_SASL = ("security.protocol=SASL_PLAINTEXT", "sasl.mechanism=SCRAM-SHA-256")


@pytest.mark.parametrize(
    ("lines", "words"),
    [
        (("security.protocol=TLS",), "security.protocol=TLS is none of PLAINTEXT, SSL"),
        (("security.providers=x",), "security.providers does not exist here"),
        (("security.protocol=SSL", "ssl.truststore.password=secret"), "ssl.truststore.password does not exist here"),
        (("ssl.truststore.location=/ca.pem",), "has no effect with security.protocol=PLAINTEXT"),
        (("security.protocol=SSL", "sasl.mechanism=PLAIN"), "sasl.mechanism has no effect"),
        (("security.protocol=SSL", "ssl.truststore.type=JKS"), "only PEM files are read"),
        (("security.protocol=SSL", "ssl.endpoint.identification.algorithm=x"), "neither https nor empty"),
        (("security.protocol=SASL_SSL",), "sasl.mechanism=GSSAPI does not exist here"),
        (BY_SASL, "sasl.jaas.config is not set; write org.apache.kafka.common.security.scram"),
        ((*BY_SASL, SCRAM_LINE.replace("scram.Scram", "plain.Plain")), "SCRAM-SHA-256 needs"),
        ((*BY_SASL, SCRAM_LINE.replace('"p"', '""')), "SCRAM-SHA-256 needs"),
        ((*BY_SASL, "sasl.jaas.config=what secret"), "sasl.jaas.config: "),
        (("security.protocol=SASL_SSL", "sasl.mechanism=OAUTHBEARER"), "must name the file of the token"),
        (("security.protocol=\\u12",), "client.properties: "),
    ],
)
def test_what_would_not_protect_is_rejected(lines, words):
    with pytest.raises(ConfigError) as refused:
        parsed(*lines)
    assert words in str(refused.value)
    assert str(refused.value).startswith("client.properties: ")
    assert "secret" not in str(refused.value)
