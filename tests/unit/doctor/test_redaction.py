"""Secrets of configuration files: which keys have them, what is left of the file, and what is removed elsewhere."""

from __future__ import annotations

import json

import pytest

from kraftpy.config.protection import MISSING
from kraftpy.config.settings import SECRET_WORDS
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.doctor.redaction import has_secret, redacted_file, scrubbed
from kraftpy.model.errors import MalformedError
from kraftpy.records.properties import parse_properties

JAAS = (
    'org.apache.kafka.common.security.plain.PlainLoginModule required username="admin" password="pl4nted-a" '
    'user_alice="pl4nted-b";'
)
TEXT = f"""
# ssl.key.password=pl4nted-comment
node.id=1
ssl.key.password=pl4nted-c
listener.name.controller.plain.sasl.jaas.config={JAAS}
delegation.token.secret.key=pl4nted-d
our.plugin.apiKey=pl4nted-e
broker.rack=http://user:pl4nted-f@proxy/
delegation.token.max.lifetime.ms=604800000
ssl.keystore.location=/etc/kraftpy/node.pem
ssl.truststore.password=
"""


def test_a_file_keeps_keys_and_loses_secrets():
    """Comments go whole; what is no secret stays as it is."""
    shown = redacted_file(TEXT)
    assert "pl4nted" not in shown.text
    assert "pl4nted" not in repr(shown)
    assert parse_properties(shown.text) == {
        "node.id": "1",
        "ssl.key.password": "[redacted]",
        "listener.name.controller.plain.sasl.jaas.config": "[redacted]",
        "delegation.token.secret.key": "[redacted]",
        "our.plugin.apiKey": "[redacted]",
        "broker.rack": "[redacted]",
        "delegation.token.max.lifetime.ms": "604800000",
        "ssl.keystore.location": "/etc/kraftpy/node.pem",
        "ssl.truststore.password": "",
    }
    assert len(shown.keys) == 5
    found = set(shown.secrets)
    assert {"pl4nted-a", "pl4nted-b", "pl4nted-c", "pl4nted-d", "pl4nted-e", "pl4nted-f", JAAS} <= found
    assert "admin" not in found


@pytest.mark.parametrize("name", [key.name for key in NODE_KEYS.values() if key.type is ConfigType.PASSWORD])
@pytest.mark.parametrize("prefix", ["", "listener.name.controller.", "listener.name.x.scram-sha-256."])
def test_every_key_of_type_password_is_a_secret(name, prefix):
    assert has_secret(prefix + name, "x")


@pytest.mark.parametrize("name", [name for name in (*NODE_KEYS, *MISSING) if any(one in name for one in SECRET_WORDS)])
def test_every_known_key_whose_value_no_error_shows_is_a_secret(name):
    """What the errors of a configuration file hide is hidden here, whatever its type."""
    assert has_secret(name, "x")


@pytest.mark.parametrize("word", ["password", "secret", "token", "jaas", "key", "credential"])
def test_an_unknown_key_with_a_word_of_secrets_is_one(word):
    """In any case, anywhere in the name; a known key is judged by its type."""
    assert has_secret(f"plugin.my{word.upper()}s.value", "x")
    assert not has_secret("plugin.my.value", "x")
    assert not has_secret("delegation.token.expiry.time.ms", "5")


def test_what_is_no_properties_file_is_not_shown():
    with pytest.raises(MalformedError):
        redacted_file("password=\\u12")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a pl4nted b", "a [redacted] b"),
        ('{"x": "pl4nted"}', '{"x": "[redacted]"}'),
        ("password=abc, next", "password=[redacted], next"),
        ('{"client.secret": "abc", "y": 1}', '{"client.secret": "[redacted]", "y": 1}'),
        ("https://u:pw@host/x", "https://[redacted]@host/x"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\nx", "[redacted]\nx"),
        ("-----BEGIN EC PRIVATE KEY-----\nAAAA", "[redacted]"),
        ('quote\\"d', "[redacted]"),
        ("abc stays: no secret of three letters is looked for", "abc stays: no secret of three letters is looked for"),
        ('kraft_x{limit="tokens"} 5', 'kraft_x{limit="tokens"} 5'),
    ],
)
def test_a_text_is_scrubbed(text, shown):
    """Of known secrets, also as JSON has them, and of what looks like one; JSON stays JSON."""
    assert scrubbed(text, ("pl4nted", "abc", 'quote"d')) == shown
    if text.startswith("{"):
        json.loads(scrubbed(text))
