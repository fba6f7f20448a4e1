"""A server.properties becomes one value, or is refused with file, line, key, value and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest

from kraftpy.config.endpoints import parse_named_address
from kraftpy.config.node_config import NodeConfig, load_config, parse_config
from kraftpy.config.values import FILE_KEYS, default_value, parse_value
from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.config_keys.key_table import GROUPS, NODE_KEYS
from kraftpy.controller.config_schema import BROKER_KEYS
from kraftpy.model.errors import ConfigError
from kraftpy.model.registrations import Listener
from kraftpy.model.voters import Endpoint
from kraftpy.node import controller_parts

REPOSITORY = Path(__file__).resolve().parents[3]

CONTROLLER = {
    "process.roles": "controller",
    "node.id": "1",
    "controller.quorum.voters": "1@localhost:9093,2@h2:9093,3@[::1]:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "CONTROLLER://localhost:9093",
    "grpc.listener": "localhost:9193",
    "log.dirs": "/var/lib/kraftpy",
}
BROKER = {
    "process.roles": "broker",
    "node.id": "7",
    "controller.quorum.bootstrap.servers": "localhost:9093",
    "controller.listener.names": "CONTROLLER",
    "listeners": "PLAINTEXT://localhost:9092",
    "log.dirs": "/var/lib/kraftpy",
}
COMBINED = CONTROLLER | {
    "process.roles": "broker,controller",
    "listeners": "PLAINTEXT://localhost:9092,CONTROLLER://localhost:9093",
}
BASES = {"controller": CONTROLLER, "broker": BROKER, "combined": COMBINED}


def text_of(base: dict[str, str], **changes: str | None) -> str:
    """Write a file from a base; a changed key is spelt with ``__`` for dots, ``None`` leaves it out."""
    values = base | {key.replace("__", "."): value for key, value in changes.items()}
    return "".join(f"{key}={value}\n" for key, value in values.items() if value is not None)


def config(base: str = "controller", **changes: str | None) -> NodeConfig:
    return parse_config(text_of(BASES[base], **changes), "server.properties", local_host=lambda: "thishost")


def refusal(base: str = "controller", **changes: str | None) -> str:
    with pytest.raises(ConfigError) as caught:
        config(base, **changes)
    return str(caught.value)


REFUSALS = [
    # group.*: bounds, and what they bound
    (
        "controller",
        {"group__share__max__session__timeout__ms": "44999"},
        "group.share.max.session.timeout.ms=44999: it must be greater than or equal to group.share.min.session.timeout",
    ),
    (
        "broker",
        {"group__consumer__heartbeat__interval__ms": "15001"},
        "it must be less than or equal to group.consumer.max.heartbeat.interval.ms, which is 15000",
    ),
    (
        "controller",
        {"group__streams__min__session__timeout__ms": "50000"},
        "group.streams.session.timeout.ms is not set: it must be greater than or equal to",
    ),
    (
        "controller",
        {
            "group__streams__heartbeat__interval__ms": "45000",
            "group__streams__max__heartbeat__interval__ms": "45000",
        },
        "group.streams.heartbeat.interval.ms=45000: it must be less than group.streams.session.timeout.ms",
    ),
    (
        "controller",
        {"group__share__max__share__sessions": "199"},
        "group.share.max.share.sessions=199: it must be greater than or equal to group.share.max.size, which is 200",
    ),
    (
        "broker",
        {"group__share__max__share__sessions": "500", "group__share__max__size": "501"},
        "group.share.max.share.sessions=500: it must be greater than or equal to group.share.max.size, which is 501",
    ),
    (
        "controller",
        {"group__share__assignors": "simple,org.example.Other"},
        "group.share.assignors=simple,org.example.Other: it must name exactly one assignor, and names 2",
    ),
    ("controller", {"group__share__assignors": ""}, "it must name exactly one assignor, and names 0"),
    ("controller", {"group__share__min__delivery__count__limit": "6"}, "whole number from 2 to 5"),
    # process.roles, node.id
    ("controller", {"process__roles": None}, "process.roles is not set: write broker, controller"),
    ("controller", {"process__roles": "boss"}, "process.roles=boss: 'boss' is not a role"),
    ("combined", {"process__roles": "broker,broker"}, "a role is in it twice"),
    ("controller", {"node__id": None}, "node.id is not set: a controller needs a number from 0 on"),
    ("controller", {"node__id": "-1"}, "node.id=-1: a controller needs a number from 0 on"),
    (
        "controller",
        {"node__id": "x1"},
        "node.id=x1: it is not a whole number; allowed: whole number from -1 to 2147483647",
    ),
    ("controller", {"node__id": "2147483648"}, "it is too large"),
    ("controller", {"broker__id": "9"}, "broker.id=9: it must be the same as node.id, which is 1"),
    # the quorum
    ("controller", {"controller__quorum__voters": None}, "set it, or controller.quorum.bootstrap.servers"),
    ("controller", {"node__id": "4"}, "a controller must be in it, and node.id 4 is not"),
    (
        "broker",
        {"controller__quorum__voters": "7@h:1"},
        "node.id 7 is in it, but process.roles does not include controller",
    ),
    ("controller", {"controller__quorum__voters": "1@0.0.0.0:9093"}, "nonroutable meta-address 0.0.0.0"),
    ("controller", {"controller__quorum__voters": "1@[::]:9093"}, "nonroutable meta-address ::"),
    ("controller", {"controller__quorum__voters": "localhost:9093"}, "'localhost:9093' is not id@host:port"),
    ("controller", {"controller__quorum__voters": "x@localhost:9093"}, "which is not a node id"),
    ("controller", {"controller__quorum__voters": "-1@localhost:9093"}, "which is not a node id"),
    ("controller", {"controller__quorum__voters": "1@localhost"}, "'localhost' is not host:port"),
    ("controller", {"controller__quorum__voters": "1@:9093"}, "':9093' has no host"),
    ("controller", {"controller__quorum__voters": "1@h:0"}, "has the port 0; a port here is 1 to 65535"),
    ("controller", {"controller__quorum__voters": "1@h:65536"}, "has the port 65536"),
    ("controller", {"controller__quorum__voters": "1@::1:9093"}, "an IPv6 address goes in square brackets"),
    ("controller", {"controller__quorum__voters": "1@[::1:9093"}, "an IPv6 address goes in square brackets"),
    (
        "controller",
        {"controller__quorum__voters": "1@a:1,1@b:2"},
        "voter ids [1] are in the voter set more than once",
    ),
    ("broker", {"controller__quorum__bootstrap__servers": "localhost"}, "'localhost' is not host:port"),
    # controller listeners
    (
        "broker",
        {"controller__listener__names": None},
        "controller.listener.names is not set: a node with the role broker",
    ),
    ("controller", {"controller__listener__names": None}, "controller.listener.names is not set"),
    (
        "broker",
        {"controller__listener__names": "PLAINTEXT"},
        "a broker does not open PLAINTEXT; take it out of listeners",
    ),
    (
        "broker",
        {"listener__security__protocol__map": "PLAINTEXT:PLAINTEXT"},
        "the listener CONTROLLER has no protocol; add CONTROLLER:PLAINTEXT or CONTROLLER:SSL",
    ),
    (
        "controller",
        {"listeners": "CONTROLLER://:9093,PLAINTEXT://:9092"},
        "a controller opens only CONTROLLER; take out PLAINTEXT",
    ),
    (
        "controller",
        {"listeners": "OTHER://:9093"},
        "a controller opens CONTROLLER; add CONTROLLER://host:port to listeners",
    ),
    ("controller", {"controller__listener__names": "CONTROLLER,SECOND"}, "a controller opens SECOND"),
    ("controller", {"listeners": None}, "a controller opens CONTROLLER"),
    # broker listeners
    (
        "combined",
        {"listeners": "CONTROLLER://:9093"},
        "a broker opens at least one listener that is not a controller's",
    ),
    (
        "combined",
        {"advertised__listeners": "CONTROLLER://localhost:9093"},
        "a broker advertises at least one listener of its own",
    ),
    ("broker", {"advertised__listeners": "OTHER://h:9092"}, "OTHER is advertised but not opened; add it to listeners"),
    ("broker", {"advertised__listeners": "PLAINTEXT://0.0.0.0:9092"}, "no node can reach the meta-address 0.0.0.0"),
    ("broker", {"listeners": "PLAINTEXT://0.0.0.0:9092"}, "no node can reach the meta-address 0.0.0.0"),
    ("controller", {"advertised__listeners": "CONTROLLER://[::]:9093"}, "no node can reach the meta-address ::"),
    ("broker", {"advertised__listeners": "PLAINTEXT://:9092"}, "has no host"),
    ("broker", {"advertised__listeners": "PLAINTEXT://a:1,PLAINTEXT://b:2"}, "a listener name is in it twice"),
    ("broker", {"inter__broker__listener__name": "OTHER"}, "OTHER is not among the advertised listeners PLAINTEXT"),
    ("combined", {"inter__broker__listener__name": "CONTROLLER"}, "CONTROLLER is a controller listener"),
    (
        "broker",
        {"inter__broker__listener__name": "PLAINTEXT", "security__inter__broker__protocol": "PLAINTEXT"},
        "security.inter.broker.protocol is set too; set one of them",
    ),
    ("broker", {"listeners": "PLAINTEXT"}, "'PLAINTEXT' is not NAME://host:port"),
    ("broker", {"listeners": "A://h:1,A://h:2"}, "have the same listener name"),
    ("broker", {"listeners": "PLAINTEXT://h:1,SSL://h:1"}, "have the same port"),
    ("broker", {"listener__security__protocol__map": "PLAINTEXT"}, "'PLAINTEXT' is not NAME:PROTOCOL"),
    ("broker", {"listener__security__protocol__map": "A:TLS"}, "names the protocol 'TLS'"),
    ("broker", {"listener__security__protocol__map": "A:SSL,A:SSL"}, "A is in it twice"),
    ("broker", {"listeners": "SASL_SSL://h:9092"}, "PLAINTEXT is not among the advertised listeners SASL_SSL"),
    # TLS
    (
        "broker",
        {"listeners": "SSL://h:9092", "inter__broker__listener__name": "SSL"},
        "ssl.keystore.location is not set",
    ),
    (
        "broker",
        {
            "listeners": "SSL://h:9092",
            "inter__broker__listener__name": "SSL",
            "ssl__keystore__location": "/k.pem",
            "ssl__client__auth": "required",
        },
        "ssl.truststore.location is not set: ssl.client.auth=required needs one",
    ),
    ("controller", {"grpc__security__protocol": "SSL"}, "ssl.keystore.location is not set"),
    (
        "controller",
        {"ssl__keystore__type": "JKS"},
        "ssl.keystore.type=JKS: it is not one of the allowed words; allowed: one of PEM",
    ),
    # gRPC, metrics
    ("controller", {"grpc__listener": "9193"}, "'9193' is not host:port"),
    ("controller", {"controller__quorum__voters": "1@a..b:9093"}, "'a..b:9093' names no host: one of its labels"),
    ("controller", {"controller__quorum__voters": f"1@{'a' * 64}:9093"}, "longer than 63 characters"),
    ("controller", {"controller__quorum__voters": "1@[zz]:9093"}, "has no IPv6 address in its brackets"),
    ("controller", {"grpc__listener": "h:70000"}, "has the port 70000"),
    ("controller", {"grpc__listener": None, "grpc__advertised__listener": "h:1"}, "set grpc.listener too"),
    ("controller", {"grpc__advertised__listener": "0.0.0.0:1"}, "no client can connect to that"),
    ("controller", {"grpc__advertised__listener": "h:0"}, "no client can connect to that"),
    ("controller", {"grpc__max__message__bytes": "1"}, "it is too small; allowed: whole number from 4096 to 268435456"),
    ("controller", {"metrics__listener": "nine"}, "'nine' is not host:port"),
    # the log, the broker's life, logging
    (
        "controller",
        {"metadata__log__segment__bytes": "100"},
        "allowed: 8388608 (metadata.log.segment.min.bytes) or more",
    ),
    ("controller", {"metadata__max__retention__bytes": "-2"}, "it is too small"),
    ("controller", {"metadata__max__retention__ms": "-2"}, "it is too small"),
    ("controller", {"metadata__log__max__record__bytes__between__snapshots": "0"}, "it is too small"),
    ("controller", {"log__dirs": ","}, "at least one directory is required"),
    ("controller", {"log__dirs": "/a,/a"}, "a directory is in it twice"),
    ("broker", {"replica__fetch__wait__max__ms": "30001"}, "allowed: up to 30000 (replica.lag.time.max.ms)"),
    (
        "broker",
        {"replica__fetch__wait__max__ms": "30001", "replica__lag__time__max__ms": "40000"},
        "allowed: up to 30000 (replica.socket.timeout.ms)",
    ),
    ("broker", {"broker__heartbeat__interval__ms": "9000"}, "a heartbeat every 9000 ms loses a session of 9000 ms"),
    ("broker", {"broker__session__timeout__ms": "2000"}, "broker.session.timeout.ms=2000: a heartbeat every 2000 ms"),
    ("controller", {"controller__quorum__fetch__timeout__ms": "0"}, "it is too small"),
    ("controller", {"metadata__auto__format__voter": "yes"}, "it is neither true nor false; allowed: true or false"),
    ("controller", {"log__level": "chatty"}, "allowed: one of debug, info, warning, error"),
    ("controller", {"log__format": "xml"}, "allowed: one of console, json"),
]


@pytest.mark.parametrize(("base", "changes", "stated"), REFUSALS, ids=[stated[:50] for _, _, stated in REFUSALS])
def test_rule_is_enforced(base: str, changes: dict[str, str | None], stated: str) -> None:
    """A file that breaks a rule is refused with a sentence that names the key and the file."""
    message = refusal(base, **changes)
    assert stated in message
    assert message.startswith("server.properties")


@pytest.mark.parametrize("base", BASES)
def test_bases_are_accepted_without_a_warning(base: str) -> None:
    """The files that every refusal is made from are good ones."""
    assert config(base).warnings == ()


def test_error_names_file_line_key_value_and_range() -> None:
    """The message names the line of the error."""
    with pytest.raises(ConfigError, match=r"^a/b:3: node[.]id=one: it is not a whole number; allowed: whole"):
        parse_config("# comment\nprocess.roles=broker\nnode.id=one\n", "a/b")


def test_secret_is_not_shown() -> None:
    """A password is in no message and in no repr."""
    done = config(ssl__key__password="hunter2")
    assert done.quorum_tls.key_password == "hunter2"
    assert "hunter2" not in repr(done)
    assert "hunter2" not in repr(done.quorum_tls)


@pytest.mark.parametrize(
    ("line", "stated"),
    [
        ("controller.quorum.voter=1@h:1", "did you mean controller.quorum.voters?"),
        ("metadata.log.dirs=/x", "did you mean metadata.log.dir?"),
        ("broker.sesion.timeout.ms=9", "did you mean broker.session.timeout.ms?"),
        ("zookeeper.connect=h:2181", "zookeeper.connect is not a known key; it is ignored"),
    ],
)
def test_unknown_key_is_a_warning_with_the_nearest_known_one(line: str, stated: str) -> None:
    """A misspelt key does not stop a node, and the operator hears which key was meant."""
    done = parse_config(text_of(CONTROLLER) + line + "\n", "f")
    assert len(done.warnings) == 1
    assert stated in done.warnings[0]
    assert done.warnings[0].startswith("f:8: ")


def test_repeated_key_counts_the_last_time_and_is_reported() -> None:
    """As in Java the last line wins; unlike Java it is said."""
    done = parse_config(text_of(CONTROLLER) + "log.level=debug\nlog.level=error\n", "f")
    assert done.log_level == "error"
    assert done.warnings == ("f:9: log.level was set before, in line 8; the last one counts",)


def test_java_syntax_is_understood() -> None:
    """Escapes, continued lines, colons, blanks and both kinds of comments mean what they mean to Java."""
    text = (
        "! comment\n# comment\n\n"
        "process.roles : controller\n"
        "node.id 1\n"
        "controller.quorum.voters=1@localhost\\:9093,\\\n    2@h2:9093\n"
        "controller.listener.names = CONTROLLER\n"
        "listeners=CONTROLLER\\://localhost:9093\n"
        "broker.rack=r\\u00e4ck\\ one\n"
        "log.dirs=/a\\\\b\n"
        "grpc.listener=[::1]:1"
    )
    done = parse_config(text, "f")
    assert done.voters.ids == (1, 2)
    assert done.broker.rack == "räck one"
    assert done.log.log_dirs == ("/a\\b",)
    assert done.warnings == ()


def test_bad_escape_names_the_file_and_the_line() -> None:
    """A broken unicode escape is a ConfigError, not a traceback."""
    with pytest.raises(ConfigError, match=r"^f: line 2: "):
        parse_config("node.id=1\nbroker.rack=\\u12\n", "f")


def test_controller_without_address_advertises_its_own_voter_entry() -> None:
    """A controller bound to every address advertises its address from the quorum's list."""
    done = config(listeners="CONTROLLER://:9093")
    assert done.controller_listener is not None
    assert done.controller_listener.advertised == Endpoint("CONTROLLER", "localhost", 9093)
    assert (done.controller_listener.host, done.controller_listener.port) == ("", 9093)
    assert done.raft.own_endpoints == (done.controller_listener.advertised,)
    assert done.raft.can_vote


def test_controller_behind_bootstrap_servers_advertises_the_machine() -> None:
    """Without a static quorum the machine's name is all there is."""
    changes = {"controller__quorum__voters": None, "controller__quorum__bootstrap__servers": "h:1"}
    done = config(listeners="CONTROLLER://:9093", **changes)
    assert done.controller_listener is not None
    assert done.controller_listener.advertised == Endpoint("CONTROLLER", "thishost", 9093)
    assert done.bootstrap_servers == (Endpoint("CONTROLLER", "h", 1),)


TWO = {"controller__listener__names": "CONTROLLER,SECOND", "log__dirs": "/d"}


def test_a_controller_opens_and_reports_every_controller_listener() -> None:
    """In the order of the names; the first is where this node looks for the others."""
    done = config(listeners="SECOND://localhost:9094,CONTROLLER://localhost:9093", **TWO)
    assert [listener.name for listener in done.controller_listeners] == ["CONTROLLER", "SECOND"]
    assert done.broker_listeners == ()
    assert done.controller_listener_name == done.raft.listener_name == "CONTROLLER"
    endpoints = (Endpoint("CONTROLLER", "localhost", 9093), Endpoint("SECOND", "localhost", 9094))
    assert done.raft.own_endpoints == endpoints
    assert controller_parts.registered_listeners(done) == (
        Listener("CONTROLLER", "localhost", 9093, 0),
        Listener("SECOND", "localhost", 9094, 0),
        Listener("GRPC", "localhost", 9193, 0),
    )
    combined = config("combined", listeners="PLAINTEXT://:1,SECOND://localhost:9094,CONTROLLER://localhost:9093", **TWO)
    assert combined.raft.own_endpoints == endpoints
    assert [listener.name for listener in combined.broker_listeners] == ["PLAINTEXT"]


def test_further_controller_listeners_are_advertised_with_ports_of_their_own() -> None:
    """The static quorum names the port of the first; ``advertised.listeners`` may name any."""
    both = "CONTROLLER://:9093,SECOND://:9094"
    assert config(listeners=both, **TWO).raft.own_endpoints == (
        Endpoint("CONTROLLER", "localhost", 9093),
        Endpoint("SECOND", "localhost", 9094),
    )
    named = config(listeners=both, advertised__listeners="SECOND://far:1", **TWO)
    assert named.raft.own_endpoints == (Endpoint("CONTROLLER", "localhost", 9093), Endpoint("SECOND", "far", 1))
    twice = config(controller__listener__names="CONTROLLER,controller")
    assert twice.raft.own_endpoints == (Endpoint("CONTROLLER", "localhost", 9093),)
    assert "a controller opens SECOND; add SECOND://host:port" in refusal(**TWO)


def test_broker_cannot_vote_and_has_no_controller_listener() -> None:
    """A broker observes."""
    done = config("broker")
    assert not done.raft.can_vote
    assert done.controller_listener is None
    assert done.controller_listener_name == "CONTROLLER"
    assert [listener.name for listener in done.broker_listeners] == ["PLAINTEXT"]
    assert done.broker.inter_broker_listener_name == "PLAINTEXT"


def test_voters_are_parsed_with_ipv6() -> None:
    """Brackets go away, order is by id."""
    endpoints = [voter.endpoints[0] for voter in config().voters]
    assert endpoints[2] == Endpoint("CONTROLLER", "::1", 9093)
    assert [endpoint.name for endpoint in endpoints] == ["CONTROLLER"] * 3


def test_same_port_on_ipv4_and_ipv6_is_allowed() -> None:
    """Two families are two sockets."""
    done = config(
        "broker",
        listeners="PLAINTEXT://127.0.0.1:9092,INNER://[::1]:9092",
        listener__security__protocol__map="PLAINTEXT:PLAINTEXT,INNER:PLAINTEXT,CONTROLLER:PLAINTEXT",
    )
    assert len(done.broker_listeners) == 2


def test_limits_that_are_off_are_none() -> None:
    """-1 and 0 as off-switches do not leak into the node."""
    done = config(metadata__max__retention__bytes="-1", metadata__max__retention__ms="-1",
                  metadata__log__max__snapshot__interval__ms="0")  # fmt: skip
    assert done.log.retention_bytes is None
    assert done.log.retention_ms is None
    assert done.log.snapshot_interval_ms is None
    assert done.log.max_idle_interval_ms is None


def test_idle_log_does_not_grow_by_default() -> None:
    """The default of metadata.max.idle.interval.ms differs from Kafka's 500 on purpose."""
    assert FILE_KEYS["metadata.max.idle.interval.ms"].default == "0"
    assert config(metadata__max__idle__interval__ms="500").log.max_idle_interval_ms == 500


def test_broker_id_alone_is_the_node_id() -> None:
    """The older name is enough."""
    assert config(node__id=None, broker__id="1").node_id == 1


@pytest.mark.parametrize(
    ("base", "changes", "stated"),
    [
        ("controller", {"grpc__listener": None}, "grpc.listener is not set"),
        ("controller", {"grpc__listener": "localhost:0"}, "grpc.listener has port 0"),
        ("broker", {"controller__listener__names": "CONTROLLER,B"}, "a broker uses only the first, CONTROLLER"),
        ("broker", {"log__dirs": None}, "data is kept in /tmp/kafka-logs, which systems may empty"),
        ("broker", {"log__dirs": "/d,/var/tmp/x"}, "data is kept in /var/tmp/x, which systems may empty"),
        ("controller", {"metadata__log__dir": "/tmp/m"}, "data is kept in /tmp/m"),
        ("broker", {"cluster__id__expected": "foo!"}, "cluster.id.expected is 'foo!', which is no uuid in 22"),
        ("controller", {"cluster__id__expected": "n" * 5000}, f"cluster.id.expected is '{'n' * 64}', which is no uuid"),
        (
            "controller",
            {"listeners": "CONTROLLER://localhost:9099"},
            "has this node at localhost:9093, but its listener CONTROLLER is at localhost:9099",
        ),
    ],
)
def test_what_works_but_is_surely_not_meant_is_a_warning(
    base: str, changes: dict[str, str | None], stated: str
) -> None:
    """Such a file is accepted, and the operator hears of it."""
    warnings = config(base, **changes).warnings
    assert len(warnings) == 1
    assert stated in warnings[0]


def test_a_controller_may_be_reached_by_an_address_that_is_forwarded() -> None:
    """The voters' entry is the one that is advertised, or the port is the one that is opened."""
    forwarded = {"listeners": "CONTROLLER://0.0.0.0:9099", "listener__security__protocol__map": "CONTROLLER:PLAINTEXT"}
    assert not any("9093" in one for one in config(**forwarded, advertised__listeners="CONTROLLER://h:9093").warnings)
    assert any("9093" in one for one in config(**forwarded, advertised__listeners="CONTROLLER://h:9098").warnings)
    assert config(listeners="CONTROLLER://127.0.0.1:9093").warnings == ()


def test_a_controller_keeps_nothing_in_its_other_directories() -> None:
    assert config(log__dirs=None, metadata__log__dir="/var/lib/m").warnings == ()


def test_an_expected_cluster_id_that_is_a_uuid_is_no_reason_to_warn() -> None:
    assert config(cluster__id__expected="MkU3OEVBNTcwNTJENDM2Qg").warnings == ()


def test_an_unused_key_that_may_be_a_secret_is_listed_without_its_value() -> None:
    """These settings are logged at a start."""
    done = config(listener__name__controller__my__password="hunter2")
    assert done.unused_settings == ("listener.name.controller.my.password=[hidden]",)


def test_unused_keys_are_listed_and_those_that_were_changed_beside_them() -> None:
    """A node says once, as a warning, which keys it drops although the file wants something else than Kafka does."""
    done = config(num__io__threads="8", num__network__threads="4", listener__name__controller__max__connections="5")
    assert done.unused_keys == ("num.io.threads", "num.network.threads", "listener.name.controller.max.connections")
    assert done.unused_settings == ("num.network.threads=4", "listener.name.controller.max.connections=5")
    assert done.warnings == ()


def test_what_the_file_sets_for_topics_is_kept_as_text() -> None:
    """Keys without a value, and those that no topic takes a value from, are left out."""
    done = config(log__segment__bytes=" 2097152 ", log__cleanup__policy="", num__partitions="3")
    assert done.topic_settings == {"log.segment.bytes": "2097152"}


@pytest.mark.parametrize("key", NODE_KEYS.values(), ids=lambda key: key.name)
def test_every_key_is_described_and_its_default_is_allowed(key) -> None:
    """The table is complete: each row has a description, and a default that its own rule allows."""
    assert key.doc.endswith(".")
    assert key.allowed
    if key.default is not None:
        key.check(key.default)
    if key.default and key.name in FILE_KEYS:
        assert default_value(key) == parse_value(key, key.default)


def test_every_used_key_is_read_somewhere() -> None:
    """A key is called used only if some module outside the table names it, or all of its table."""
    modules = [path for path in (REPOSITORY / "kraftpy").rglob("*.py") if path.parent.name != "config_keys"]
    text = "".join(path.read_text(encoding="utf-8") for path in modules)
    checked_by_their_rule_alone = {key.name for key in NODE_KEYS.values() if len(key.choices) == 1}
    silent = {key.name for key in NODE_KEYS.values() if key.used and f'"{key.name}"' not in text}
    assert silent - checked_by_their_rule_alone == set(GROUP_NUMBERS)


def test_keys_are_unique() -> None:
    """No key is in two rows, and the controller's table of broker keys has these very rows."""
    assert len(NODE_KEYS) == sum(map(len, GROUPS.values()))
    assert all(key is NODE_KEYS[name] for name, key in BROKER_KEYS.items())
    assert {"max.connections", "log.cleaner.threads"} <= BROKER_KEYS.keys()
    assert "node.id" not in BROKER_KEYS


@pytest.mark.parametrize(
    ("name", "text", "problem"),
    [
        ("log.cleaner.threads", "-1", "is too small"),
        ("log.cleaner.min.cleanable.ratio", "2", "is not allowed"),
        ("log.retention.hours", "0", "is not allowed"),
        ("log.cleanup.policy", "delete,burn", "is not allowed"),
    ],
)
def test_a_key_of_kafka_that_is_not_used_is_checked_as_kafka_does(name: str, text: str, problem: str) -> None:
    """A file with such a value does not start Kafka either."""
    key = name.replace(".", "__")
    with pytest.raises(ConfigError, match=problem):
        config(**{key: text})
    assert config(**{key: FILE_KEYS[name].default}).warnings == ()


@pytest.mark.parametrize("name", ["controller", "broker", "server"])
def test_example_configurations_are_accepted(name: str) -> None:
    """What deploy/config shows can be started, without a warning."""
    done = load_config(REPOSITORY / "deploy" / "config" / f"{name}.properties")
    assert done.warnings == ()
    assert done.unused_keys == ()


def test_missing_file_is_one_sentence(tmp_path: Path) -> None:
    """No file, a directory, bytes that are not text: each is a ConfigError that names the path."""
    binary = tmp_path / "binary.properties"
    binary.write_bytes(b"node.id=1\nx=\xff\n")
    for path, stated in (
        (tmp_path / "none", "No such file"),
        (tmp_path, "Is a directory"),
        (binary, f"{binary}:2: byte 12 is not UTF-8"),
    ):
        with pytest.raises(ConfigError) as caught:
            load_config(path)
        assert stated in str(caught.value)
        assert str(path) in str(caught.value)


def test_endless_file_is_refused(tmp_path: Path) -> None:
    """A gigabyte is not read into memory because a caller named the wrong file."""
    path = tmp_path / "big"
    path.write_bytes(b"a" * (1024 * 1024 + 1))
    with pytest.raises(ConfigError, match="is longer than 1048576 bytes"):
        load_config(path)


@pytest.mark.parametrize("zone", ["eth0", "br-1f2e", "wlan0.5"])
def test_an_ipv6_address_may_name_any_network_interface(zone):
    """Bridges of Docker have a hyphen in their names."""
    assert parse_named_address(f"[fe80::1%{zone}]:9093") == (f"fe80::1%{zone}", 9093)


def test_overrides_replace_what_the_text_has() -> None:
    """The value counts without a warning; an unknown key and a policy are reported with the option as their place."""
    text = text_of(CONTROLLER)
    done = parse_config(text, "server.properties", {"node.id": "2", "nod.id": "3"})
    assert (done.node_id, done.values["node.id"]) == (2, 2)
    assert [one for one in done.warnings if "nod" in one] == [
        "--override nod.id is not a known key (did you mean node.id?); it is ignored"
    ]
    with_policy = parse_config(text, "server.properties", {"create.topic.policy.class.name": "module:Class"})
    policy = with_policy.policies.create_topic
    assert policy is not None
    assert policy.place == "--override create.topic.policy.class.name=module:Class"
    with pytest.raises(ConfigError, match=r"^--override node\.id=x: it is not a whole number"):
        parse_config(text, "server.properties", {"node.id": "x"})
