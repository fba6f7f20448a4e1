"""The log line about APIs that a broker needs and its listener does not offer."""

from __future__ import annotations

import pytest

from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import RegisterBrokerResponse
from kraftpy.records.generated import rpc
from kraftpy.transport.kafka.control import broker_apis
from kraftpy.transport.kafka.control.broker_apis import BrokerApis
from kraftpy.transport.kafka.listener import KafkaListener, software_of
from tests.unit.transport.kafka_node import FakeNode

REGISTERED = RegisterBrokerResponse(broker_epoch=5)


def registration(broker_id=7, incarnation=1, level=30):
    return rpc.BrokerRegistrationRequest(
        broker_id=broker_id,
        incarnation_id=bytes([incarnation]) * 16,
        features=[rpc.BrokerRegistrationRequestFeature("metadata.version", 7, level)],
    )


def register(node, message):
    node.submitted.clear()
    node.ask(message, 4)
    node.commit(REGISTERED)


def test_a_broker_of_the_known_release_misses_nothing(caplog):
    """Everything that it sends is offered, so there is no line."""
    register(FakeNode(), registration())
    assert "broker_" not in caplog.text


def test_what_is_missing_is_named_once_for_each_start_of_a_broker(caplog):
    """With the software that its connection named; a broker registers again and again while it is rejected."""
    node = FakeNode()
    del node.listener.apis.rows[rpc.AssignReplicasToDirsRequest.API_KEY]
    for incarnation in (1, 1, 1, 2):
        register(node, registration(incarnation=incarnation))
    lines = [record.getMessage() for record in caplog.records]
    assert len(lines) == 2
    assert lines[0].startswith(
        "broker_apis_missing broker_id=7 software=apache-kafka-java/4.3.0 missing=AssignReplicasToDirs: "
    )


def test_a_newer_broker_is_named(caplog):
    """What it needs besides is in nothing that it sends; the line says so."""
    register(FakeNode(), registration(level=31))
    assert "broker_is_newer broker_id=7 software=apache-kafka-java/4.3.0 metadata_version=31: " in caplog.text


def test_a_broker_of_kraftpy_is_none_of_a_newer_kafka(caplog):
    node = FakeNode()
    node.software = "kraftpy/0"
    register(node, registration(level=42))
    assert "broker_is_newer" not in caplog.text


def test_a_rejected_registration_is_no_reason_to_log(caplog):
    node = FakeNode()
    node.ask(registration(level=31), 4)
    node.settle(ApiError(ErrorCode.DUPLICATE_BROKER_REGISTRATION, "it is there"))
    assert "broker_is_newer" not in caplog.text


def test_what_is_remembered_is_bounded(monkeypatch):
    monkeypatch.setattr(broker_apis, "BROKERS_MAX", 3)
    made = BrokerApis(KafkaListener("127.0.0.1", 0, lambda _: None).apis)
    for broker_id in range(10):
        made.registered(registration(broker_id), "")
    assert list(made._seen) == [7, 8, 9]


@pytest.mark.parametrize(
    ("name", "version", "shown"),
    [
        ("apache-kafka-java", "4.3.0", "apache-kafka-java/4.3.0"),
        ("", "", ""),
        ("a\nfake line", "1", ""),
        ("a", "1" * 1_000, ""),
    ],
)
def test_a_software_that_kafka_would_not_take_has_no_name(name, version, shown):
    assert software_of(rpc.ApiVersionsRequest(name, version)) == shown
