"""Environment variables as values of a configuration: names by the rules of Kafka's image, and what is refused."""

from __future__ import annotations

import os

import pytest

from kraftpy.config.environment import PREFIX, VARIABLES_MAX, environment_values, variable_of
from kraftpy.config.node_config import parse_config
from kraftpy.config.settings import read_settings
from kraftpy.config_keys.key_table import NODE_KEYS
from kraftpy.model.errors import ConfigError

TEXT = """\
process.roles=controller
node.id=1
controller.listener.names=CONTROLLER
listeners=CONTROLLER://h1:9093
controller.quorum.voters=1@h1:9093
log.dirs=/nowhere
"""


@pytest.mark.parametrize(
    ("variable", "key"),
    [
        ("KRAFTPY_CONF_NODE_ID", "node.id"),
        ("KRAFTPY_CONF_LISTENER_NAME_CONTROLLER_SCRAM___SHA___256_SASL_JAAS_CONFIG",
         "listener.name.controller.scram-sha-256.sasl.jaas.config"),
        ("KRAFTPY_CONF_OUR__PLUGIN_KEY", "our_plugin.key"),
        ("KRAFTPY_CONF_A_B__C___D", "a.b_c-d"),
    ],
)  # fmt: skip
def test_a_variable_names_a_key(variable, key):
    assert environment_values({variable: " x\ny ", "PATH": "/bin", "KRAFTPY_PORT": "tcp://10.0.0.1:1"}) == {
        key: " x\ny "
    }
    assert variable_of(key) == variable


def test_every_key_has_a_variable_and_none_share_one():
    variables = {key: variable_of(key) for key in NODE_KEYS}
    assert environment_values({variable: key for key, variable in variables.items()}) == {key: key for key in NODE_KEYS}


@pytest.mark.parametrize(
    "name", ["", "_", "NODE_ID_", "_NODE_ID", "NODE____ID", "node_id", "NODE.ID", "NODE-ID", "NÖDE", "NODE_ID\n"]
)
def test_a_name_that_is_no_key_s_is_refused(name):
    """With the name and the rule."""
    with pytest.raises(ConfigError, match=r"such as KRAFTPY_CONF_NODE_ID; rename it, or unset it") as refused:
        environment_values({f"{PREFIX}{name}": "1"})
    assert repr(f"{PREFIX}{name}") in str(refused.value)


def test_a_value_that_is_not_utf_8_is_refused():
    with pytest.raises(ConfigError, match=r"KRAFTPY_CONF_BROKER_RACK: its value is not UTF-8"):
        environment_values({"KRAFTPY_CONF_BROKER_RACK": os.fsdecode(b"\xff")})


def test_too_many_are_refused():
    many = {variable_of(f"k{number}"): "" for number in range(VARIABLES_MAX)}
    assert len(environment_values(many)) == VARIABLES_MAX
    with pytest.raises(ConfigError, match=rf"{VARIABLES_MAX + 1} environment variables .*, at most {VARIABLES_MAX}"):
        environment_values({**many, variable_of("one.more"): ""})


def test_the_order_is_file_then_environment_then_option():
    """Each replaces the one before, key by key."""
    environment = {"node.id": "2", "broker.rack": "b"}
    settings = read_settings("node.id=1\nbroker.rack=a\nlog.level=warning", "f", {"node.id": "3"}, environment)
    assert [settings.values[key] for key in ("node.id", "broker.rack", "log.level")] == [3, "b", "warning"]


def test_an_error_names_the_variable():
    """The value of a password is hidden, as that of the file is."""
    with pytest.raises(ConfigError, match=r"^KRAFTPY_CONF_NODE_ID: node\.id=x: it is not a whole number"):
        read_settings(TEXT, "f", environment={"node.id": "x"})
    with pytest.raises(ConfigError) as refused:
        parse_config(TEXT, "f", environment={"ssl.keystore.type": "JKS", "ssl.key.password": "s3cret"})
    assert "s3cret" not in str(refused.value)


def test_an_unknown_key_is_named_as_that_of_a_file_is():
    """With the nearest known one; a key of a listener, or one that asks for a protection, is refused as in the file."""
    settings = read_settings("", "f", environment={"node.idd": "2"})
    assert settings.warnings == (
        "KRAFTPY_CONF_NODE_IDD: node.idd is not a known key (did you mean node.id?); it is ignored",
    )
    with pytest.raises(ConfigError, match=r"KRAFTPY_CONF_SSL_KEYSTORE_LOCATIO:"):
        parse_config(TEXT, "f", environment={"ssl.keystore.locatio": "x"})


def test_a_configuration_knows_what_is_not_from_its_file():
    """What the command line sets as well is the command line's."""
    environment = environment_values({f"{PREFIX}LOG_LEVEL": "debug", f"{PREFIX}LOG_FORMAT": "json"})
    config = parse_config(TEXT, "f", {"log.level": "error", "max.connections": "5"}, environment)
    assert config.keys_elsewhere == (("log.format",), ("log.level", "max.connections"))
    assert not any(parse_config(TEXT, "f").keys_elsewhere)
