"""A file that asks for protection gets it or does not start: no key of Kafka's security is dropped in silence."""

from __future__ import annotations

import pytest

from kraftpy.authorizer.principal_mapping import MappingRule, PrincipalMapper
from kraftpy.config.authorization import AUTHORIZER, STANDARD, AuthorizationConfig
from kraftpy.config.endpoints import is_loopback
from kraftpy.config.node_config import NodeConfig, parse_config
from kraftpy.config.protection import MISSING, PREFIXES
from kraftpy.config.sasl import HANDLERS, INTER_BROKER_MECHANISM
from kraftpy.config.tls import IdentityChecks
from kraftpy.config.values import FILE_KEYS
from kraftpy.model.errors import ConfigError

CONTROLLER = """\
process.roles=controller
node.id=1
controller.quorum.voters=1@localhost:9093
controller.listener.names=CONTROLLER
listeners=CONTROLLER://localhost:9093
grpc.listener=localhost:9193
log.dirs=/var/lib/kraftpy
"""
TLS = """\
listener.security.protocol.map=CONTROLLER:SSL
ssl.keystore.location=/all.pem
ssl.truststore.location=/all-ca.pem
"""
AUTHORIZED = f"{AUTHORIZER}={STANDARD}\n"
SECRETS = ("password", "secret", "jaas", "keystore.key", "master.key")


def config(text: str) -> NodeConfig:
    return parse_config(CONTROLLER + text, "f")


def refusal(text: str) -> str:
    with pytest.raises(ConfigError) as caught:
        config(text)
    return str(caught.value)


def something_else(default: str) -> str:
    """A value that is not Kafka's default."""
    return f"{default}1" if default[-1:].isdigit() else "Something"


@pytest.mark.parametrize("name", MISSING)
def test_a_protection_that_is_not_here_refuses_the_start(name: str) -> None:
    """The message names file, line, key, value and what there is; Kafka's own default asks for nothing."""
    default = MISSING[name].default
    value = something_else(default)
    stated = refusal(f"{name}={value}\n")
    shown = "[hidden]" if any(word in name for word in SECRETS) else value
    assert stated == f"f:8: {name}={shown}: {MISSING[name].instead}"
    done = config(f"{name}={default}\n")
    assert done.warnings == ()
    assert done.unused_settings == ()


def test_the_table_is_of_keys_that_nothing_acts_on() -> None:
    """A key cannot be acted on and missing."""
    assert not set(MISSING) & set(FILE_KEYS)
    unused = {name for name, key in FILE_KEYS.items() if name.startswith(PREFIXES) and not key.used}
    assert unused == {
        INTER_BROKER_MECHANISM, *HANDLERS, "sasl.oauthbearer.scope.claim.name",
    }, "no brokers connect to each other, handlers are checked, and scopes give no permission"  # fmt: skip


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("sasl.jaas.config=org.Login required password=hunter2;", "sasl.jaas.config=[hidden]: it is for no listener"),
        ("sasl.mechanism.of.later=X", "sasl.mechanism.of.later=X: this key of SASL is not here"),
        ("ssl.client.auht=required", "it is not a known key (did you mean ssl.client.auth?), and may ask for"),
        (
            "authorizer.class.name=com.x.Y",
            f"authorizer.class.name=com.x.Y: there is no such authorizer; the one that exists is {STANDARD}",
        ),
        ("super.users=User:a", "super.users=User:a: it has no effect without authorizer.class.name="),
        ("allow.everyone.if.no.acl.found=true", "it has no effect without authorizer.class.name="),
        (f"{AUTHORIZED}super.users=User:a;bob", "'bob' has no type; expected such as User:CN=admin;User:CN=node-1"),
        (f"{AUTHORIZED}super.users=User:", "'User:' has no type"),
        ("security.of.later=1", "security.of.later=1: it is not a known key"),
        ("authorizer.of.later=1", "authorizer.of.later=1: it is not a known key"),
        ("listener.name.controller.plain.sasl.jaas.config=x password=y;", "CONTROLLER does not speak SASL; give it"),
        ("listener.name.controller.sasl.enabled.mechanisms=PLAIN", "the listener CONTROLLER does not speak SASL"),
        ("listener.name.controller.plain.sasl.later=1", "this key of SASL is not here"),
        ("listener.name.controller.sasl.jaas.config=x;", "[hidden]: this key of SASL is not here"),
        ("sasl.enabled.mechanisms=PLAIN", "no listener of this node speaks SASL; give one the protocol SASL_SSL"),
        (
            "listener.name.controller.principal.builder.class=com.x.Y",
            "a principal is the distinguished name",
        ),
        ("listener.name.controller.connections.max.reauth.ms=5", "does not speak SASL"),
        ("listener.name.controller.ssl.cipher.suites=X", "cannot be changed by a key"),
        ("listener.name.controller.ssl.clent.auth=required", "a listener's own keys are ssl.keystore.location"),
        ("listener.name.controler.ssl.client.auth=required", "there is no such listener; those of this file are"),
        ("listener.name.controller.ssl.client.auth=required", "the listener CONTROLLER has no TLS, so no client"),
        ("listener.name.grpc.ssl.client.auth=required", "the listener GRPC has no TLS, so no client is asked"),
        ("ssl.client.auth=required", "no listener of this node speaks SSL, so no client is asked"),
        ("ssl.client.auth=requested", "no listener of this node speaks SSL, so no client is asked"),
        ("ssl.keystore.type=JKS", "ssl.keystore.type=JKS: it is not one of the allowed words; allowed: one of PEM"),
        (f"{TLS}listener.name.controller.ssl.truststore.type=PKCS12", "it is not one of the allowed words"),
        (f"{TLS}listener.name.controller.ssl.client.auth=always", "it is not one of the allowed words"),
        ("listener.security.protocol.map=CONTROLLER:SASL_SSL", "ssl.keystore.location is not set: an SSL listener"),
        (f"{TLS}grpc.security.protocol=SSL\nssl.client.auth=requested", "gRPC either demands a certificate or asks"),
        (
            f"{TLS}grpc.security.protocol=SSL\nlistener.name.grpc.ssl.client.auth=requested",
            "listener.name.grpc.ssl.client.auth=requested: gRPC either demands",
        ),
    ],
)
def test_protection_that_a_file_believes_to_have_is_refused(line: str, stated: str) -> None:
    """Misspelt, scoped, of a later Kafka, or asked of a listener without TLS."""
    assert stated in refusal(f"{line}\n")


@pytest.mark.parametrize(
    "line",
    [
        # The map of Kafka's sample files names protocols of listeners that are never opened.
        "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT,SSL:SSL,SASL_SSL:SASL_SSL",
        "ssl.client.auth=none",
        "listener.name.controller.ssl.client.auth=none",
        "ssl.endpoint.identification.algorithm=",
        "authorizer.class.name=",
        "ssl.enabled.protocols=TLSv1.2, TLSv1.3",
        "allow.everyone.if.no.acl.found=FALSE",
        # A file for several nodes, of which this one does not open every listener.
        "listener.name.ssl.ssl.client.auth=required",
    ],
)
def test_what_asks_for_nothing_starts(line: str) -> None:
    """Kafka's defaults and its sample files are not refused."""
    assert config(f"{line}\n").unused_settings == ()


def test_each_listener_may_have_its_own_files() -> None:
    """What a listener does not set is that of all; gRPC is a listener, too."""
    done = config(f"""{TLS}ssl.client.auth=required
grpc.security.protocol=SSL
listener.name.controller.ssl.truststore.location=/peers-ca.pem
listener.name.controller.ssl.keystore.location=/node.pem
listener.name.controller.ssl.key.password=hunter2
listener.name.grpc.ssl.client.auth=none
""")
    assert (done.quorum_tls.keystore_location, done.quorum_tls.truststore_location) == ("/node.pem", "/peers-ca.pem")
    assert (done.quorum_tls.client_auth, done.quorum_tls.key_password) == ("required", "hunter2")
    assert (done.api_tls.keystore_location, done.api_tls.truststore_location) == ("/all.pem", "/all-ca.pem")
    assert (done.api_tls.client_auth, done.api_tls.key_password) == ("none", None)
    assert "hunter2" not in repr(done)


def test_a_listener_of_its_own_needs_files_and_trust() -> None:
    """A scoped demand names itself when there is nothing to check against."""
    lines = "listener.security.protocol.map=CONTROLLER:SSL\n"
    assert "needs a PEM file with a key and certificates, and CONTROLLER is one" in refusal(lines)
    lines += "listener.name.controller.ssl.keystore.location=/k\nlistener.name.controller.ssl.client.auth=required\n"
    assert "listener.name.controller.ssl.client.auth=required needs one to check against" in refusal(lines)


def test_a_name_with_dots_is_the_longest_that_fits() -> None:
    """``listener.name.a.b.ssl.client.auth`` is of A.B where there is one, not of A."""
    text = "listener.security.protocol.map=CONTROLLER:PLAINTEXT,A:SSL,A.B:SSL\nlistener.name.a.b.ssl.key.password=x\n"
    done = config(text)
    assert (done.listener_tls["A.B"].key_password, done.listener_tls["A"].key_password) == ("x", None)


@pytest.mark.parametrize(
    ("changes", "stated"),
    [
        ({"CONTROLLER://localhost": "CONTROLLER://"}, "CONTROLLER speaks PLAINTEXT at *:9093"),
        ({"CONTROLLER://localhost": "CONTROLLER://0.0.0.0"}, "any client that reaches it may pass for any node"),
        ({"CONTROLLER://localhost": "CONTROLLER://c1"}, "CONTROLLER speaks PLAINTEXT at c1:9093"),
        ({"grpc.listener=localhost": "grpc.listener=c1"}, "grpc.listener speaks plaintext at c1:9193: any client"),
        (
            {"grpc.listener=": f"{TLS}ssl.client.auth=required\ngrpc.listener="},
            "beside a controller listener that speaks SSL",
        ),
        ({"grpc.listener=": "metrics.listener=c1:1\ngrpc.listener="}, "metrics.listener has no TLS"),
        ({"grpc.listener=": "delegation.token.secret.key=k\ngrpc.listener="}, "and get a delegation token of any user"),
    ],
)
def test_what_strangers_may_reach_is_a_warning(changes: dict[str, str], stated: str) -> None:
    """Plaintext on an address of a network is allowed, and said at every start."""
    text = CONTROLLER
    for old, new in changes.items():
        text = text.replace(old, new)
    warnings = parse_config(text, "f").warnings
    assert len(warnings) == 1
    assert stated in warnings[0]


def test_a_broker_in_plaintext_is_a_warning_of_its_own() -> None:
    """What may happen there is less."""
    text = "process.roles=broker\nnode.id=7\ncontroller.quorum.bootstrap.servers=h:1\ncontroller.listener.names=C\n"
    text += "log.dirs=/var/lib/kraftpy\n"
    assert parse_config(f"{text}listeners=PLAINTEXT://localhost:9092\n", "f").warnings == ()
    warnings = parse_config(f"{text}listeners=PLAINTEXT://b1:9092\n", "f").warnings
    assert ["anyone on the network path may read" in one for one in warnings] == [True]


@pytest.mark.parametrize(
    ("host", "expected"),
    [
        ("localhost", True),
        ("a.localhost", True),
        ("127.8.0.1", True),
        ("::1", True),
        ("", False),
        ("0.0.0.0", False),
        ("::", False),
        ("10.0.0.1", False),
        ("localhost.example.org", False),
    ],
)
def test_what_is_loopback(host: str, expected: bool) -> None:
    assert is_loopback(host) is expected


MUTUAL = f"{TLS}ssl.client.auth=required\ngrpc.security.protocol=SSL\n"
REMOTE = """\
process.roles=broker
node.id=7
controller.quorum.bootstrap.servers=h:1
controller.listener.names=CONTROLLER
listeners=PLAINTEXT://localhost:9092
listener.security.protocol.map=CONTROLLER:SSL,PLAINTEXT:PLAINTEXT
"""
NAMES = "controller.quorum.peer.identity"
AT_CONTROLLER = frozenset({"CONTROLLER"})


def test_certificates_name_nodes_wherever_they_are_asked_for() -> None:
    """By default; and nowhere else, for there is nothing to compare."""
    assert config(MUTUAL).identity == IdentityChecks(peers=AT_CONTROLLER, servers=True, callers=True)
    assert config(f"{MUTUAL}{NAMES}=required\n").identity == config(MUTUAL).identity
    assert config(f"{TLS}ssl.client.auth=requested\n").identity == IdentityChecks(peers=AT_CONTROLLER, servers=True)
    assert config("").identity == IdentityChecks()
    assert config(f"{MUTUAL}listener.name.grpc.ssl.client.auth=none\n").identity.callers is False


def test_peers_that_are_not_asked_for_certificates_are_a_warning_or_a_refusal() -> None:
    """TLS alone does not authenticate peers; names that are demanded all the same refuse the start."""
    open_to_all = config(f"{TLS}grpc.security.protocol=SSL\n")
    assert open_to_all.identity == IdentityChecks()
    assert ["the listener CONTROLLER asks no client for a certificate" in one for one in open_to_all.warnings] == [True]
    without_names = config(f"{MUTUAL}{NAMES}=none\n")
    assert without_names.identity == IdentityChecks()
    assert [f"{NAMES}=none at the listener CONTROLLER" in one for one in without_names.warnings] == [True]
    for text in ("", TLS):
        assert "CONTROLLER asks no client for a certificate: it needs SSL" in refusal(f"{text}{NAMES}=required\n")


TWO = {
    "controller.listener.names=CONTROLLER": "controller.listener.names=CONTROLLER,SECRET",
    "listeners=CONTROLLER://localhost:9093": "listeners=SECRET://0.0.0.0:9094,CONTROLLER://localhost:9093",
}


def with_two(text: str) -> NodeConfig:
    """A controller with a second controller listener, which speaks SSL unless the text says otherwise."""
    base = CONTROLLER
    for one, two in TWO.items():
        base = base.replace(one, two)
    protocols = "" if "protocol.map" in text else "listener.security.protocol.map=CONTROLLER:PLAINTEXT,SECRET:SSL\n"
    return parse_config(base + protocols + text, "f")


def test_each_controller_listener_has_its_own_protection() -> None:
    """Names are compared, files read and warnings given where a listener is; the first says how nodes connect."""
    secret = "listener.name.secret.ssl."
    files = f"{secret}keystore.location=/s.pem\n{secret}truststore.location=/ca.pem\n"
    open_to_all = with_two(files)
    assert open_to_all.identity == IdentityChecks()
    assert [one.keystore_location for one in open_to_all.tls_in_use] == ["/s.pem"]
    anybody, grpc = open_to_all.warnings
    assert "the listener SECRET asks no client for a certificate" in anybody
    assert "grpc.listener speaks plaintext at localhost:9193, beside a controller listener that speaks SSL" in grpc
    asking = with_two(f"{files}{secret}client.auth=required\n")
    assert asking.identity == IdentityChecks(peers=frozenset({"SECRET"}))
    assert asking.warnings == (grpc,)
    with pytest.raises(ConfigError, match="the listener CONTROLLER asks no client for a certificate: it needs SSL"):
        with_two(f"{files}{secret}client.auth=required\n{NAMES}=required\n")
    with pytest.raises(ConfigError, match=r"an SSL listener needs a PEM file .* and SECRET is one"):
        with_two("")


def test_a_second_controller_listener_may_have_sasl_of_its_own() -> None:
    """Its users are warned of as at the first, to which this node shows no credentials."""
    text = "listener.security.protocol.map=CONTROLLER:PLAINTEXT,SECRET:SASL_SSL\nssl.keystore.location=/s.pem\n"
    done = with_two(f"{text}sasl.enabled.mechanisms=SCRAM-SHA-256\n")
    assert done.sasl.login is None
    assert {name: one.mechanisms for name, one in done.sasl.listeners.items()} == {"SECRET": ("SCRAM-SHA-256",)}
    assert ["the listener SECRET authenticates by SASL" in one for one in done.warnings] == [False, True]


def test_a_second_controller_listener_in_plaintext_is_the_operator_s_choice() -> None:
    """It is warned of by the rules of every listener, and the first one is as safe as before."""
    text = "listener.security.protocol.map=CONTROLLER:SSL,SECRET:PLAINTEXT\nssl.keystore.location=/all.pem\n"
    text += "ssl.truststore.location=/ca.pem\nssl.client.auth=required\ngrpc.security.protocol=SSL\n"
    done = with_two(f"{text}delegation.token.secret.key=s\n")
    assert done.identity == IdentityChecks(peers=AT_CONTROLLER, servers=True, callers=True)
    exposed, tokens = done.warnings
    assert "the listener SECRET speaks PLAINTEXT at 0.0.0.0:9094" in exposed
    assert "any client that reaches it may pass for any node of the cluster" in exposed
    assert "delegation.token.secret.key is set and the listener SECRET speaks PLAINTEXT" in tokens
    with pytest.raises(ConfigError, match="the listener SECRET asks no client for a certificate: it needs SSL"):
        with_two(f"{text}{NAMES}=required\n")


def test_a_broker_checks_the_controllers_that_it_connects_to() -> None:
    """Its file says of the controller listener what the controllers' files say, or asks for names itself."""
    asks = "listener.name.controller.ssl.client.auth=required\n"
    assert parse_config(REMOTE, "f").identity == IdentityChecks()
    assert parse_config(REMOTE + asks, "f").identity == IdentityChecks(servers=True)
    assert parse_config(f"{REMOTE}{NAMES}=required\n", "f").identity == IdentityChecks(servers=True)
    assert parse_config(f"{REMOTE}{asks}{NAMES}=none\n", "f").identity == IdentityChecks()
    plaintext = REMOTE.replace("CONTROLLER:SSL", "CONTROLLER:PLAINTEXT")
    with pytest.raises(ConfigError, match="CONTROLLER asks no client"):
        parse_config(f"{plaintext}{NAMES}=required\n", "f")


def test_an_authorizer_is_read_with_its_super_users() -> None:
    """A principal may have commas in it, so semicolons separate them, as in Kafka."""
    done = config(f"{TLS}{AUTHORIZED}super.users=User:CN=a,O=b; User:CN=c ;\nallow.everyone.if.no.acl.found=true\n")
    assert done.authorization == AuthorizationConfig(
        super_users=("User:CN=a,O=b", "User:CN=c"), allow_without_entries=True
    )
    assert config("").authorization is None


def test_names_of_certificates_are_mapped_by_rules() -> None:
    """Kafka's form; without the key the name stays. A malformed rule names itself."""
    done = config(f"{TLS}{AUTHORIZED}ssl.principal.mapping.rules=RULE:^CN=(.*?),.*$/$1/L, DEFAULT\n")
    mapper = PrincipalMapper(done.authorization.mapping_rules)
    assert mapper.name_of("User:CN=Alice,O=x") == "User:alice"
    assert config(f"{TLS}{AUTHORIZED}").authorization.mapping_rules == (MappingRule(),)
    for rules, text in (
        ("RULE:^CN=(.*$", "is neither DEFAULT nor RULE:pattern/replacement/"),
        ("RULE:(/x/", "is no regular expression of Python"),
    ):
        assert text in refusal(f"{TLS}{AUTHORIZED}ssl.principal.mapping.rules={rules}\n")
    assert "it has no effect without authorizer.class.name" in refusal("ssl.principal.mapping.rules=RULE:a/b/\n")


def test_a_listener_has_rules_of_its_own() -> None:
    """Its connections are named by them, those of all others by the unscoped ones; without an authorizer refused."""
    rules = "RULE:^CN=(.*)$/{}-$1/\n"
    key = "ssl.principal.mapping.rules="
    text = f"{TLS}{AUTHORIZED}{key}{rules.format('all')}listener.name.Grpc.{key}{rules.format('api')}"
    done = config(text).authorization
    for listener, name in (("GRPC", "User:api-a"), ("CONTROLLER", "User:all-a"), ("OTHER", "User:all-a")):
        assert PrincipalMapper(done.rules_of(listener)).name_of("User:CN=a") == name
    scoped = f"listener.name.controller.{key}"
    assert f"f:12: {scoped}RULE:(/x/: " in refusal(f"{TLS}{AUTHORIZED}{scoped}RULE:(/x/\n")
    assert "it has no effect without authorizer.class.name" in refusal(f"{scoped}RULE:a/b/\n")
    assert config(f"{scoped}DEFAULT\n").authorization is None
    assert "there is no such listener" in refusal(f"{AUTHORIZED}listener.name.other.{key}DEFAULT\n")


def test_an_authorizer_that_no_node_can_pass_is_warned_about() -> None:
    """In plaintext every node has one name; without a permission for it there is no quorum."""
    (warning,) = config(AUTHORIZED).warnings
    assert "every node is User:ANONYMOUS there, which super.users does not name" in warning
    assert config(f"{AUTHORIZED}super.users=User:ANONYMOUS\n").warnings == ()
    assert config(f"{TLS}ssl.client.auth=required\ngrpc.security.protocol=SSL\n{AUTHORIZED}").warnings == ()
