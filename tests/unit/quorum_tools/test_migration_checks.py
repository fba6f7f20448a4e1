"""Each thing that can be in the way of a migration is found, named with its place, and nothing is found otherwise."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller.config import DEFAULT_FEATURES
from kraftpy.model.registrations import SupportedFeature
from kraftpy.model.voters import Endpoint, ReplicaKey, Voter
from kraftpy.quorum_tools.migration_checks import (
    BrokerFacts,
    ClusterFacts,
    ControllerFacts,
    findings,
    hosts_of,
    same_value,
)
from kraftpy.transport.kafka.control.calls import BROKER_ITEMS_MAX


def endpoint(port, name="CONTROLLER"):
    return Endpoint(name, "h", port)


def voter(node_id, name="CONTROLLER"):
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), (endpoint(9000 + node_id, name),))


ALL = tuple(endpoint(9000 + one) for one in (1, 2, 3, 11, 12, 13))
VALUES = {"min.insync.replicas": "2", "num.partitions": "1", "super.users": ""}


def newcomer(node_id, **changes):
    facts = ControllerFacts(
        source=f"c{node_id}.properties", voter=voter(node_id), cluster_id="id", listener="CONTROLLER",
        security_protocol="PLAINTEXT", bootstrap_servers=ALL, has_static_voters=False, features=DEFAULT_FEATURES,
        values=VALUES,
    )  # fmt: skip
    return replace(facts, **changes)


def broker(**changes):
    facts = BrokerFacts(broker_id=101, source="h:9101", bootstrap_servers=ALL, listener="CONTROLLER")
    return replace(facts, **changes)


CLUSTER = ClusterFacts(
    cluster_id="id", voters=(voter(1), voter(2), voter(3)), kraft_version=1, level=30, features={"group.version": 1},
    brokers=(broker(),), protocols={"CONTROLLER": "PLAINTEXT"}, values=dict.fromkeys((1, 2, 3), VALUES),
)  # fmt: skip
JOINING = (newcomer(11), newcomer(12), newcomer(13))


def named(*addresses):
    return tuple(Endpoint("CONTROLLER", *one) for one in addresses)


def at(node_id, host, port):
    return Voter(ReplicaKey(node_id, bytes([node_id]) * 16), named((host, port)))


RESOLVED = {"h": frozenset({"192.0.2.1"}), "other": frozenset({"192.0.2.1"}), "away": frozenset({"192.0.2.9"})}


def same_values(values):
    return {"values": dict.fromkeys((1, 2, 3), values)}


def errors(cluster=CLUSTER, joining=JOINING, leaving=()):
    return [finding.what for finding in findings(cluster, joining, leaving) if finding.is_error]


def warnings(cluster=CLUSTER, joining=JOINING, leaving=()):
    return [finding.what for finding in findings(cluster, joining, leaving) if not finding.is_error]


def test_nothing_is_in_the_way():
    assert errors() == []
    assert warnings() == ["delegation.token.secret.key and the files of TLS cannot be compared"]


def with_ssl(one):
    """A voter with a listener SSL before its listener CONTROLLER."""
    return replace(one, endpoints=(endpoint(one.endpoints[0].port + 100, "SSL"), *one.endpoints))


def test_controllers_with_several_listeners_are_judged_by_the_one_that_is_asked():
    """Protocols and bootstrap servers are those of the listener by which a node looks for the others."""
    protocols = {"SSL": "SSL", "CONTROLLER": "PLAINTEXT"}
    cluster = replace(CLUSTER, voters=tuple(map(with_ssl, CLUSTER.voters)), protocols=protocols)
    joining = [replace(one, voter=with_ssl(one.voter)) for one in JOINING]
    assert (errors(cluster, joining), warnings(cluster, joining)) == (errors(), warnings())
    by_ssl = replace(cluster, brokers=(broker(listener="SSL"),))
    (error,) = errors(by_ssl, joining)
    assert "h:9101: controller.quorum.bootstrap.servers names none of the controllers that join" in error
    other = [replace(one, listener="SSL") for one in joining]
    assert "c11.properties: its controller listener speaks PLAINTEXT, those of the quorum SSL" in errors(cluster, other)


@pytest.mark.parametrize(
    ("cluster", "changes", "text"),
    [
        ({"kraft_version": 0}, {}, "kraft.version is 0"),
        ({}, {"voter": Voter(ReplicaKey(101, b"x" * 16), (endpoint(9011),))}, "101 is the id of a broker"),
        ({}, {"voter": Voter(ReplicaKey(2, b"x" * 16), (endpoint(9011),))}, "votes under the node.id 2"),
        ({}, {"voter": voter(12)}, "have the same node.id 12"),
        ({}, {"voter": Voter(ReplicaKey(11, b"x" * 16), (endpoint(9012),))}, "have the same address h:9012"),
        ({"voters": (voter(1),)}, {"voter": Voter(ReplicaKey(11, b"x" * 16), (endpoint(9001),))},
         "has the address h:9001 of controller 1, the only voter"),
        ({}, {"has_static_voters": True}, "controller.quorum.voters is set"),
        ({}, {"cluster_id": "other"}, "it is of cluster other"),
        ({}, {"listener": "QUORUM"}, "its controller listener is QUORUM, the voters' CONTROLLER"),
        ({}, {"security_protocol": "SSL"}, "speaks SSL, those of the quorum PLAINTEXT"),
        ({}, {"bootstrap_servers": ALL[:3]}, "names none of the controllers that join"),
        ({"level": 42}, {}, "metadata.version 42 is in force"),
        ({"features": {"new.version": 1}}, {}, "new.version 1 is in force, the new controller supports 0 to 0"),
        ({}, {"features": (SupportedFeature("metadata.version", 7, 30),)}, "kraft.version 1 is in force"),
        ({"brokers": (broker(bootstrap_servers=None, why="silent"),)}, {}, "is unknown (silent)"),
        ({"brokers": (broker(bootstrap_servers=ALL[:3]),)}, {}, "without the old ones broker 101 would lose"),
        ({"brokers": (broker(listener="QUORUM"),)}, {}, "looks for controllers at the listener QUORUM"),
        ({}, {"values": {**VALUES, "min.insync.replicas": "1"}}, "min.insync.replicas is 1, controller 1 has 2"),
        ({"values": {1: {"create.topic.policy.class.name": "org.P"}}}, {}, "is not set, controller 1 asks org.P"),
        ({"values": {1: {"remote.log.storage.system.enable": "true"}}},
         {"values": {"remote.log.storage.system.enable": "false"}}, "is false, controller 1 has true"),
        ({"values": {1: {"ssl.principal.mapping.rules": "RULE:^CN=(.*)$/$1/"}}},
         {"values": {"ssl.principal.mapping.rules": "DEFAULT"}}, "ssl.principal.mapping.rules is DEFAULT"),
        ({"values": {1: {"controller.quorum.auto.join.enable": "true"}}}, {}, "controller 1: controller.quorum.auto"),
        ({}, {"values": {"controller.quorum.auto.join.enable": "TRUE"}}, "c11.properties: controller.quorum.auto.join"),
        ({"values": {1: {"principal.builder.class": "org.B"}}}, {}, "controller 1 has org.B: principals"),
        ({"protocols": {"CONTROLLER": "SASL_SSL"}, "values": {1: {"sasl.enabled.mechanisms": "SCRAM-SHA-256, PLAIN"}}},
         {"security_protocol": "SASL_SSL", "values": {"sasl.enabled.mechanisms": "PLAIN"}},
         "sasl.enabled.mechanisms lacks SCRAM-SHA-256, which controller 1 offers"),
    ],
)  # fmt: skip
def test_an_error_is_found(cluster, changes, text):
    found = errors(replace(CLUSTER, **cluster), (newcomer(11, **changes), *JOINING[1:]))
    assert any(text in one for one in found), found


@pytest.mark.parametrize(
    ("cluster", "changes", "text"),
    [
        ({"level": 40}, {}, "released Kafka cannot read this log"),
        ({"brokers": (broker(bootstrap_servers=ALL[:4]),)}, {}, "lacks h:9012, h:9013"),
        ({"brokers": (broker(bootstrap_servers=ALL[3:]),)}, {}, "names none of the present voters"),
        ({"values": {1: {"controller.quorum.bootstrap.servers": "h:9001"}}}, {}, "could not follow them and return"),
        ({"report_items": {101: BROKER_ITEMS_MAX + 1}}, {}, "broker 101: an AlterPartition of all its"),
        ({"values": {1: VALUES, 2: VALUES}}, {}, "controller 3 does not describe its configuration"),
        ({"values": {1: {"create.topic.policy.class.name": "org.example.P"}}},
         {"values": {"create.topic.policy.class.name": "own:P"}}, "is own:P, controller 1 asks org.example.P"),
    ],
)  # fmt: skip
def test_a_warning_is_found(cluster, changes, text):
    found = warnings(replace(CLUSTER, **cluster), (newcomer(11, **changes), *JOINING[1:]))
    assert any(text in one for one in found), found


@pytest.mark.parametrize(
    ("cluster", "changes"),
    [
        # What a controller of Kafka says that asks for nothing.
        (same_values({
            "principal.builder.class": "org.apache.kafka.common.security.authenticator.DefaultKafkaPrincipalBuilder",
            "client.quota.callback.class": None, "controller.quorum.auto.join.enable": "false",
            "sasl.enabled.mechanisms": "GSSAPI"}), {"values": {}}),
        ({"report_items": {101: BROKER_ITEMS_MAX}}, {}),
        ({"protocols": {"CONTROLLER": "SASL_SSL"}, **same_values({"sasl.enabled.mechanisms": "PLAIN"})},
         {"security_protocol": "SASL_SSL", "values": {"sasl.enabled.mechanisms": "SCRAM-SHA-512,PLAIN"}}),
    ],
)  # fmt: skip
def test_what_asks_for_nothing_is_not_in_the_way(cluster, changes):
    """A plan is refused for a default of Kafka, or for a mechanism more."""
    joining = tuple(replace(one, **changes) for one in JOINING)
    assert errors(replace(CLUSTER, **cluster), joining) == []
    assert len(warnings(replace(CLUSTER, **cluster), joining)) == 1


def test_an_address_that_is_taken_over_is_shown_with_both_controllers():
    """The operator starts the new controller on a port in use, or is surprised by one voter fewer."""
    taking = newcomer(11, voter=Voter(ReplicaKey(11, b"x" * 16), (endpoint(9002),)))
    assert errors(joining=(taking, *JOINING[1:])) == []
    found = [one for one in findings(CLUSTER, (taking, *JOINING[1:])) if "takes over" in one.what]
    assert len(found) == 1
    assert "controller 11 takes over the address h:9002 of controller 2, so there is one voter fewer" in found[0].what
    assert found[0].way_out == "stop 2 and start 11 when `migrate run` says so"
    # A plan that is made again, halfway: the controller votes at the address already.
    there = replace(CLUSTER, voters=(voter(1), taking.voter, voter(3)))
    assert not [one for one in warnings(there, (taking, *JOINING[1:])) if "takes over" in one]


def test_a_key_that_a_listener_may_have_of_its_own_is_compared_by_the_files():
    """The values that a controller describes are not those of its listener: there would be no way out."""
    described = replace(CLUSTER, **same_values({**VALUES, "ssl.client.auth": "none"}))
    joining = tuple(replace(one, values={**VALUES, "ssl.client.auth": "required"}) for one in JOINING)
    found = [one for one in findings(described, joining) if one.is_error]
    assert found
    assert all("give their files with --from" in one.way_out for one in found)
    leaving = tuple(newcomer(one, values=joining[0].values) for one in (1, 2, 3))
    assert errors(described, joining, leaving) == []


def test_the_file_of_a_leaving_controller_is_compared_in_place_of_its_answer():
    leaving = newcomer(1, values={**VALUES, "num.partitions": "8"})
    assert errors(leaving=(leaving,)) == [
        f"c{one}.properties: num.partitions is 1, controller 1 has 8: which controller is active would change what is "
        "decided"
        for one in (11, 12, 13)
    ]


@pytest.mark.parametrize(
    ("key", "first", "second", "same"),
    [
        ("min.insync.replicas", "2", " 2", True),
        ("min.insync.replicas", "2", "3", False),
        ("unclean.leader.election.enable", "FALSE", "false", True),
        ("super.users", None, "", True),
        ("log.retention.ms", None, "1", False),
        ("log.cleanup.policy", "delete,compact", "delete, compact", True),
        ("min.insync.replicas", "two", "2", False),
        ("no.such.key", "a", "a", True),
    ],
)
def test_values_are_compared_as_what_they_mean(key, first, second, same):
    assert same_value(key, first, second) is same


@pytest.mark.parametrize("host", ["H", "h.", "H."])
def test_a_bootstrap_server_that_is_spelt_differently_is_the_same(host):
    """A broker or controller that names the new controllers is said to lose the quorum, or the other way round."""
    lists = named(*((host, one.port) for one in ALL))
    values = {"controller.quorum.bootstrap.servers": ",".join(f"{host}:{one.port}" for one in ALL)}
    cluster = replace(CLUSTER, brokers=(broker(bootstrap_servers=lists),), values={1: {**VALUES, **values}})
    joining = [replace(one, bootstrap_servers=lists) for one in JOINING]
    assert errors(cluster, joining) == []
    assert not any("bootstrap" in one for one in warnings(cluster, joining))


def test_a_bootstrap_server_by_its_address_is_the_name_that_resolves_to_it():
    """And there is a warning, because the broker's machine may resolve the name to another one."""
    lists = named(*(("192.0.2.1", one.port) for one in ALL))
    cluster = replace(CLUSTER, brokers=(broker(bootstrap_servers=lists),))
    assert any("broker 101 would lose" in one for one in errors(cluster)), "the name was not resolved"
    cluster = replace(cluster, addresses=RESOLVED)
    assert errors(cluster) == []
    text = "192.0.2.1:9011 in controller.quorum.bootstrap.servers is taken for h:9011: both have one address"
    assert any(text in one for one in warnings(cluster))
    elsewhere = replace(cluster, brokers=(broker(bootstrap_servers=named(("away", 9011), ("192.0.2.1", 9001))),))
    assert any("broker 101 would lose" in one for one in errors(elsewhere))


def test_one_form_of_an_ipv6_address_is_the_other():
    joining = (newcomer(11, voter=at(11, "2001:db8::1", 9011), bootstrap_servers=named(("2001:DB8:0::1", 9011))),)
    cluster = replace(CLUSTER, brokers=(broker(bootstrap_servers=named(("2001:db8:0:0::1", 9011), ("h", 9001))),))
    assert errors(cluster, joining) == []
    assert any("broker 101 would lose" in one for one in errors(CLUSTER, joining))


@pytest.mark.parametrize("host", ["H", "h."])
def test_an_address_that_is_taken_over_is_written_alike(host):
    """The steps wait for the new controller beside the old one, whose address it has."""
    joining = (newcomer(11, voter=at(11, host, 9001)), *JOINING[1:])
    assert any("is that of controller 1, which is written h:9001" in one for one in errors(CLUSTER, joining))


def test_an_address_that_may_be_taken_over_is_a_warning():
    joining = (newcomer(11, voter=at(11, "other", 9001)), *JOINING[1:])
    text = "other:9001 is that of controller 1, which is written h:9001"
    assert not any(text in one for one in warnings(CLUSTER, joining))
    assert any(text in one for one in warnings(replace(CLUSTER, addresses=RESOLVED), joining))


@pytest.mark.parametrize("voters", [CLUSTER.voters, CLUSTER.voters[:1]])
def test_names_of_one_address_are_a_warning(voters):
    """Of two new controllers, and of the only voter: the names may resolve otherwise where controllers run."""
    cluster = replace(CLUSTER, voters=voters, addresses=RESOLVED)
    joining = (newcomer(11, voter=at(11, "other", 9001)), newcomer(12, voter=at(12, "h", 9001)))
    texts = [one for one in warnings(cluster, joining) if "the same address h:9001" in one]
    assert len(texts) == 1
    assert not any("the same address" in one for one in errors(cluster, joining))
    if len(voters) == 1:
        text = "has the address other:9001 of controller 1, the only voter"
        assert any(text in one for one in warnings(cluster, joining))
        assert not any(text in one for one in errors(cluster, joining))


def test_the_hosts_of_every_list_are_looked_up():
    cluster = replace(
        CLUSTER,
        brokers=(broker(bootstrap_servers=named(("Broker.", 1))), broker(bootstrap_servers=None)),
        values={1: {"controller.quorum.bootstrap.servers": "old:1, [::1]:2"}, 2: {}},
    )
    joining = (newcomer(11, voter=at(11, "new", 9011), bootstrap_servers=named(("list", 1))),)
    assert hosts_of(cluster, joining) == {"h", "broker", "old", "::1", "new", "list"}
