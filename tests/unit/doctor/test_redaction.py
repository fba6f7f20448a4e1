"""Secrets of configuration files: which keys have them, what is left of the file, and what is removed elsewhere."""

from __future__ import annotations

import json
import time

import pytest

from kraftpy.config.protection import MISSING
from kraftpy.config.settings import SECRET_WORDS
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.config_keys.types import ConfigType
from kraftpy.doctor.redaction import after_cut_block, is_shown, redacted_file, scrubbed, scrubbed_json
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
broker.rack=http://user:pl4nted-f@proxy/?sig=pl4nted-g#x
our.plugin.class=pl4nted-h
our.plugin.empty=
delegation.token.max.lifetime.ms=604800000
ssl.keystore.location=/etc/kraftpy/node.pem
ssl.truststore.password=
"""


def test_a_file_keeps_keys_and_loses_secrets():
    """Comments go whole; only what is known to be no secret stays as it is."""
    shown = redacted_file(TEXT)
    assert shown.text is not None
    assert "pl4nted" not in shown.text
    assert "pl4nted" not in repr(shown)
    assert parse_properties(shown.text) == {
        "node.id": "1",
        "ssl.key.password": "[redacted]",
        "listener.name.controller.plain.sasl.jaas.config": "[redacted]",
        "delegation.token.secret.key": "[redacted]",
        "our.plugin.apiKey": "[redacted]",
        "broker.rack": "http://[redacted]@proxy/?[redacted]",
        "our.plugin.class": "[redacted]",
        "delegation.token.max.lifetime.ms": "604800000",
        "ssl.keystore.location": "/etc/kraftpy/node.pem",
    }
    assert shown.keys == 6
    found = set(shown.secrets)
    assert {f"pl4nted-{letter}" for letter in "abcdefgh"} <= found
    assert JAAS in found
    assert "admin" not in found


@pytest.mark.parametrize(
    "lines",
    [
        'our.plugin.login=x required\n  "pl4nted-piece";',
        "ssl.keystore.key=\npl4nted+piece/AAAA",
        "a" * 201 + "=pl4nted",
        "ssl.keystore.key=-----BEGIN PRIVATE KEY-----\npl4nted",
    ],
)
def test_a_file_with_a_line_that_names_no_key_is_not_shown(lines):
    """Such a line may be a piece of a secret. What else is one is removed elsewhere all the same."""
    shown = redacted_file(f"node.id=1\nssl.key.password=pl4nted-c\n{lines}\n")
    assert shown.text is None
    assert shown.problem
    assert "pl4nted" not in shown.problem
    assert "pl4nted-c" in shown.secrets


def test_a_key_block_is_cut_before_the_lines_are_read():
    """Also without the backslashes that would make its lines one."""
    block = "-----BEGIN ENCRYPTED PRIVATE KEY-----\npl4ntedAAAA\npl4nted-B\n-----END ENCRYPTED PRIVATE KEY-----"
    shown = redacted_file(f'ssl.keystore.key={block}\nnode.id=1\nuser_bob="pl4nted-c";\n')
    assert shown.text == "ssl.keystore.key=[redacted]\nnode.id=1\nuser_bob=[redacted]\n"


def test_every_value_and_every_option_of_a_login_is_known():
    """A key given twice, and options with each kind of quotes, and none."""
    shown = redacted_file(
        "ssl.key.password=pl4nted-1\nssl.key.password=pl4nted-2\n"
        'sasl.jaas.config=x required password=\'pl4nted-3\' user_bob=pl4nted-4 user_c="pl4nted-\\\\"5";\n'
    )
    assert {"pl4nted-1", "pl4nted-2", "pl4nted-3", "pl4nted-4", 'pl4nted-"5'} <= set(shown.secrets)


@pytest.mark.parametrize("name", [key.name for key in NODE_KEYS.values() if key.type is ConfigType.PASSWORD])
@pytest.mark.parametrize("prefix", ["", "listener.name.controller.", "listener.name.x.scram-sha-256."])
def test_no_key_of_type_password_is_shown(name, prefix):
    assert not is_shown(prefix + name)


@pytest.mark.parametrize("name", [name for name in (*NODE_KEYS, *MISSING) if any(one in name for one in SECRET_WORDS)])
def test_no_known_key_is_shown_whose_value_no_error_shows(name):
    """What the errors of a configuration file hide is hidden here, whatever its type."""
    assert not is_shown(name)


def test_unknown_keys_are_not_shown():
    assert not is_shown("plugin.my.value")
    assert is_shown("delegation.token.expiry.time.ms")
    assert is_shown("listener.name.controller.ssl.client.auth")


def test_what_is_no_properties_file_is_not_shown():
    with pytest.raises(MalformedError):
        redacted_file("password=\\u12")


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a pl4nted-x b", "a [redacted] b"),
        ("a pl4nted-xy, apl4nted-x b", "a pl4nted-xy, apl4nted-x b"),
        (r'{"x": "line\npl4nted-x"}', r'{"x": "line\n[redacted]"}'),
        ("id%3Dpl4nted-x", "id%3D[redacted]"),
        ('quote\\"d-long', "[redacted]"),
        (json.dumps({"x": json.dumps({"y": 'quote"d-long'})}), r'{"x": "{\"y\": \"[redacted]\"}"}'),
        ("short stays, as 123456789 and 12:34:56.789 do", "short stays, as 123456789 and 12:34:56.789 do"),
    ],
)
def test_known_secrets_are_removed(text, shown):
    """As whole words, also as JSON has them; never numbers, nor what is short."""
    assert scrubbed(text, ("pl4nted-x", "short", 'quote"d-long', "123456789", "12:34:56.789")) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("password=abc, next", "password=[redacted], next"),
        ("password=ab,c;d next", "password=[redacted] next"),
        ("(password=abc)", "(password=[redacted])"),
        ("password='a b' next", "password='[redacted]' next"),
        ('password="a b and no end', 'password="[redacted]"'),
        ("password:\nnext line", "password:\nnext line"),
        ('{"client.secret": "abc", "y": 1}', '{"client.secret": "[redacted]", "y": 1}'),
        ('{"client.secret": "a\\"bc", "y": 1}', '{"client.secret": "[redacted]", "y": 1}'),
        ('{"msg": "password=abc", "y": 1}', '{"msg": "password=[redacted]", "y": 1}'),
        ('{"token": 512, "y": 1}', '{"token": "[redacted]", "y": 1}'),
        (r'{"x": "{\"password\": \"abc\", \"y\": 1}"}', r'{"x": "{\"password\": \"[redacted]\", \"y\": 1}"}'),
        (r'{"x": "{\"m\": \"password=abc\"}"}', r'{"x": "{\"m\": \"password=[redacted]\"}"}'),
        (r"password\=abc", r"password\=[redacted]"),
        ("password=[redacted] ssl.key.password: '[redacted]'", "password=[redacted] ssl.key.password: '[redacted]'"),
        ("https://u:pw@host/x", "https://[redacted]@host/x"),
        ("https://u:p/w@host/x", "https://[redacted]@host/x"),
        ("https://apw@host/x", "https://[redacted]@host/x"),
        ("redis://:pw@host", "redis://[redacted]@host"),
        ("Authorization: Bearer abc.def-ghi", "Authorization: [redacted]"),
        ("Authorization: Basic YWJjOmRlZg==", "Authorization: [redacted]"),
        ("sent Bearer abc.def-ghi", "sent Bearer [redacted]"),
        ("-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\nx", "[redacted]\nx"),
        ("-----BEGIN EC PRIVATE KEY-----\nAAAA", "[redacted]"),
        ('kraft_x{limit="tokens"} 5', 'kraft_x{limit="tokens"} 5'),
        ("config=5 design: 3 signal=9", "config=5 design: 3 signal=9"),
    ],
)
def test_what_looks_like_a_secret_is_removed(text, shown):
    """JSON stays JSON, and a second time changes nothing."""
    assert scrubbed(text) == shown
    assert scrubbed(shown) == shown
    if text.startswith("{"):
        json.loads(shown)


@pytest.mark.parametrize(
    "name",
    ["my.pwd", "DB_PASS", "passphrase", "ssl.key.password", "clientSecret", "token", "sasl.jaas.config", "apikey",
     "apiKey", "access_token", "sig", "x-sig", "authorization", "secret.key"],
)  # fmt: skip
def test_names_of_secrets(name):
    assert scrubbed(f"a {name}=pl4nted b") == f"a {name}=[redacted] b"
    assert scrubbed_json({name: "pl4nted", "n": [{"x": "password=y"}, 1]}) == {
        name: "[redacted]",
        "n": [{"x": "password=[redacted]"}, 1],
    }


def test_the_rest_of_a_key_block_is_cut():
    """Its beginning is before the end of the log that is read."""
    assert after_cut_block("AAAA\nBBBB\n-----END PRIVATE KEY-----\nnext\n") == "next\n"
    whole = "a\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\nnext\n"
    assert after_cut_block(whole) == whole


@pytest.mark.parametrize("part", ["password", "://", "password=,", 'token="', "\\", "-----BEGIN A-----", "a"])
def test_no_text_takes_long(part):
    """Of the length of a log; a pattern that tried each end for each beginning would take minutes."""
    begin = time.process_time()
    scrubbed(part * ((1 << 20) // len(part)))
    assert time.process_time() - begin < 30
