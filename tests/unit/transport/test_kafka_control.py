"""Control calls over Kafka's protocol, but for those about configs: who belongs to the cluster, and features."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.controller.broker_id_requests import AssignBrokerIdResponse, BrokerIdSource
from kraftpy.controller.requests import (
    FeatureUpdate,
    UnregisterBrokerResponse,
    UnregisterControllerResponse,
    UpdateFeaturesResponse,
)
from kraftpy.model.errors import ApiError, ErrorCode
from kraftpy.model.registrations import (
    BrokerHeartbeatResponse,
    Listener,
    RegisterBrokerResponse,
    RegisterControllerResponse,
    SupportedFeature,
)
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import encode_response
from tests.unit.transport.kafka_node import CLUSTER, DIRECTORY, INCARNATION, FakeNode, image

NOT_ACTIVE = ApiError(ErrorCode.NOT_CONTROLLER, "The active controller appears to be node 2.")

CONTROLLER = rpc.ControllerRegistrationRequest(
    controller_id=1,
    incarnation_id=INCARNATION,
    listeners=[rpc.ControllerRegistrationRequestListener("CONTROLLER", "h", 9093, 0)],
    features=[rpc.ControllerRegistrationRequestFeature("metadata.version", 7, 30)],
)
BROKER = rpc.BrokerRegistrationRequest(
    broker_id=7,
    cluster_id=CLUSTER,
    incarnation_id=INCARNATION,
    listeners=[rpc.BrokerRegistrationRequestListener("PLAINTEXT", "h", 9092, 0)],
    features=[rpc.BrokerRegistrationRequestFeature("metadata.version", 7, 30)],
    rack=None,
    log_dirs=[DIRECTORY],
    saturated_log_dirs=[DIRECTORY],
    previous_broker_epoch=3,
)
HEARTBEAT = rpc.BrokerHeartbeatRequest(
    broker_id=7, broker_epoch=9, current_metadata_offset=40, want_shut_down=True, offline_log_dirs=[DIRECTORY],
    cordoned_log_dirs=[], saturated_log_dirs=[DIRECTORY],
)  # fmt: skip
FEATURES = rpc.UpdateFeaturesRequest(
    timeout_ms=77, feature_updates=[rpc.UpdateFeaturesRequestFeatureUpdateKey("metadata.version", 30, upgrade_type=1)]
)
ALTER = rpc.IncrementalAlterConfigsRequest(
    resources=[
        rpc.IncrementalAlterConfigsRequestAlterConfigsResource(
            4, "", [rpc.IncrementalAlterConfigsRequestAlterableConfig("log.cleaner.threads", 0, "5")]
        )
    ]
)
UNREGISTER = rpc.UnregisterBrokerRequest(broker_id=7)
UNREGISTER_CONTROLLER = rpc.UnregisterControllerRequest(controller_id=8)

CASES = [
    (CONTROLLER, 0, RegisterControllerResponse(), {}),
    (BROKER, 4, RegisterBrokerResponse(broker_epoch=55), {"broker_epoch": 55}),
    (
        HEARTBEAT, 2,
        BrokerHeartbeatResponse(is_caught_up=True, is_fenced=False, in_controlled_shutdown=True, should_shut_down=True),
        {"is_caught_up": True, "is_fenced": False, "should_shut_down": True},
    ),
    (FEATURES, 2, UpdateFeaturesResponse(), {}),
    (UNREGISTER, 0, UnregisterBrokerResponse(), {"error_message": ""}),
    (UNREGISTER_CONTROLLER, 0, UnregisterControllerResponse(), {"error_message": ""}),
    (
        rpc.AssignBrokerIdRequest(host="h"), 0,
        AssignBrokerIdResponse(broker_id=7, source=BrokerIdSource.GENERATED), {"broker_id": 7, "source": 2},
    ),
]  # fmt: skip
IDS = [message.NAME for message, *_ in CASES]


@pytest.mark.parametrize(("message", "version", "response", "fields"), CASES, ids=IDS)
def test_a_write_is_answered_when_it_is_committed(message, version, response, fields):
    """Every write is answered no earlier than its commit, and with what the controller said."""
    node = FakeNode()
    assert node.ask(message, version) is None
    assert node.answers == []
    node.commit(response)
    answer = node.answer()
    assert answer.error_code == ErrorCode.NONE
    assert {name: getattr(answer, name) for name in fields} == fields


@pytest.mark.parametrize(("message", "version", "response", "fields"), CASES, ids=IDS)
def test_a_write_is_refused_by_who_does_not_lead(message, version, response, fields):
    """A controller that is not the active one says NOT_CONTROLLER, so that Kafka's client asks the next."""
    del response, fields
    node = FakeNode()
    node.ask(message, version)
    node.settle(NOT_ACTIVE)
    answer = node.answer()
    assert answer.error_code == ErrorCode.NOT_CONTROLLER
    assert getattr(answer, "error_message", NOT_ACTIVE.message) == NOT_ACTIVE.message


@pytest.mark.parametrize(("message", "version", "response", "fields"), CASES, ids=IDS)
def test_a_write_is_throttled_when_the_queue_is_full(message, version, response, fields):
    """A full queue is an answer, not a broken connection."""
    del response, fields
    node = FakeNode()
    node.is_full = True
    assert node.ask(message, version).error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED


@pytest.mark.parametrize(("message", "version"), [(BROKER, 4), (ALTER, 1)], ids=["broker", "configs"])
def test_an_answer_that_cannot_be_made_ends_no_turn_of_the_driver(message, version):
    """Writes are answered in its turn, where an error would end the process: it ends the connection."""
    node = FakeNode()
    node.ask(message, version)
    node.commit("no response of ours")
    [(request, error)] = node.broken
    assert (request.api_key, type(error)) == (message.API_KEY, AssertionError)


def test_registrations_arrive_whole():
    """What a Kafka node says of itself reaches the controller field by field."""
    node = FakeNode()
    for message, version in ((CONTROLLER, 0), (BROKER, 4), (HEARTBEAT, 2), (UNREGISTER, 0), (UNREGISTER_CONTROLLER, 0)):
        node.ask(message, version)
    controller, broker, heartbeat, unregister, removal = (submission.request for submission, _ in node.submitted)
    assert (controller.controller_id, controller.incarnation_id) == (1, INCARNATION)
    assert controller.listeners == (Listener("CONTROLLER", "h", 9093, 0),)
    assert controller.features == broker.features == (SupportedFeature("metadata.version", 7, 30),)
    assert (broker.broker_id, broker.cluster_id, broker.rack) == (7, CLUSTER, None)
    assert (broker.log_dirs, broker.previous_broker_epoch) == ((DIRECTORY,), 3)
    assert broker.listeners == (Listener("PLAINTEXT", "h", 9092, 0),)
    assert (heartbeat.broker_epoch, heartbeat.metadata_offset) == (9, 40)
    assert (heartbeat.want_shutdown, heartbeat.want_fence) == (True, False)
    assert heartbeat.offline_log_dirs == (DIRECTORY,)
    assert (heartbeat.cordoned_log_dirs, heartbeat.saturated_log_dirs) == ((), (DIRECTORY,))
    assert broker.saturated_log_dirs == (DIRECTORY,)
    assert (unregister.broker_id, removal.controller_id) == (7, 8)


@pytest.mark.parametrize(
    ("version", "fields", "kind"),
    [
        (0, {"allow_downgrade": False}, 1),
        (0, {"allow_downgrade": True}, 2),
        (1, {"upgrade_type": 3}, 3),
        (2, {"upgrade_type": 9}, 9),
    ],
)
def test_the_kind_of_a_feature_update(version, fields, kind):
    """Version 0 states whether a downgrade is allowed, later ones the kind; unknown ones are the controller's."""
    node = FakeNode()
    update = rpc.UpdateFeaturesRequestFeatureUpdateKey("f", 5, **fields)
    node.ask(rpc.UpdateFeaturesRequest(timeout_ms=77, feature_updates=[update], validate_only=version > 0), version)
    [(submission, _)] = node.submitted
    assert submission.request.updates == (FeatureUpdate("f", 5, kind),)
    assert submission.request.validate_only is (version > 0)
    assert submission.timeout_ms == 77


def test_describe_cluster_lists_the_registered_controllers():
    """Kafka's admin client learns the cluster's id, who leads, and the listeners of the quorum's protocol only."""
    answer = FakeNode().ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1)
    assert (answer.cluster_id, answer.controller_id, answer.error_code) == (CLUSTER, 2, 0)
    assert [(one.broker_id, one.host, one.port) for one in answer.brokers] == [(1, "host-1", 9093), (2, "host-2", 9093)]


def test_describe_cluster_names_the_public_api():
    """As a tagged field: kraftpy's commands go there from this port, and Kafka's clients skip it."""
    node = FakeNode()
    answer = node.ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1)
    found = [(one.node_id, one.host, one.port, one.security_protocol) for one in answer.public_api_endpoints]
    assert found == [(1, "host-1", 9094, 0), (2, "host-2", 9094, 0)]
    untagged = encode_response(5, replace(answer, public_api_endpoints=[]), 1)
    assert encode_response(5, answer, 1).startswith(untagged[:-1]), "the tagged fields, one byte without any, are last"
    node.refusal = ApiError(ErrorCode.OFFSET_NOT_AVAILABLE, "at offset 3")
    assert node.ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1).public_api_endpoints == []


def test_describe_cluster_is_refused_where_controllers_do_not_register():
    """Before metadata.version 3.7-IV0 there is nothing to list: an error, as of Kafka's controllers, no empty list."""
    node = FakeNode()
    node.image = image(level=14)
    answer = node.ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1)
    assert (answer.error_code, answer.brokers) == (ErrorCode.UNSUPPORTED_VERSION, [])
    assert "Direct-to-controller communication is not supported" in answer.error_message
    assert encode_response(5, answer, 1)


def test_a_node_that_has_not_loaded_its_state_reports_it():
    """No empty success: an error that clients repeat, for the cluster and for each resource that was asked for."""
    node = FakeNode()
    node.refusal = ApiError(ErrorCode.OFFSET_NOT_AVAILABLE, "at offset 3")
    answer = node.ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1)
    assert (answer.error_code, answer.error_message, answer.brokers) == (78, "at offset 3", [])
    resources = [rpc.DescribeConfigsRequestDescribeConfigsResource(4, name, None) for name in ("", "1")]
    results = node.ask(rpc.DescribeConfigsRequest(resources=resources), version=4).results
    assert [(one.error_code, one.error_message, one.resource_name, one.configs) for one in results] == [
        (78, "at offset 3", "", []),
        (78, "at offset 3", "1", []),
    ]


@pytest.mark.parametrize(
    ("version", "asked", "code"),
    [
        (0, 1, ErrorCode.INVALID_REQUEST),
        (1, 1, ErrorCode.MISMATCHED_ENDPOINT_TYPE),
        (2, 1, ErrorCode.MISMATCHED_ENDPOINT_TYPE),
        (2, 3, ErrorCode.UNSUPPORTED_ENDPOINT_TYPE),
    ],
)
def test_describe_cluster_is_not_for_brokers_clients(version, asked, code):
    """A client that takes a controller for a broker gets an error that its version knows."""
    answer = FakeNode().ask(rpc.DescribeClusterRequest(endpoint_type=asked), version=version)
    assert (answer.error_code, answer.endpoint_type) == (code, 1)
    assert answer.brokers == []
    assert encode_response(5, answer, version)
