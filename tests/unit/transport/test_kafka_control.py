"""Control calls over Kafka's protocol: a controller's registration, and which controllers there are."""

from __future__ import annotations

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY, MetadataImage
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import ApiError, BusyError, ErrorCode
from kraftpy.model.registrations import Listener, RegisterControllerResponse, SupportedFeature
from kraftpy.records.generated import rpc
from kraftpy.records.metadata import RegisterControllerRecord, RegisterControllerRecordControllerEndpoint
from kraftpy.transport.grpc.backend import Committed, View
from kraftpy.transport.kafka.apis import WireRequest
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.listener import KafkaListener

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
INCARNATION = bytes(range(16))


def image() -> MetadataImage:
    delta = MetadataDelta(EMPTY)
    for node_id in (2, 1):
        points = [
            RegisterControllerRecordControllerEndpoint("CONTROLLER", f"host-{node_id}", 9093, 0),
            RegisterControllerRecordControllerEndpoint("GRPC", f"host-{node_id}", 9094, 0),
        ]
        delta.replay(RegisterControllerRecord(controller_id=node_id, incarnation_id=INCARNATION, end_points=points))
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


class FakeNode:
    """A node that notes what it is given, and answers when it is told to."""

    def __init__(self) -> None:
        self.listener = KafkaListener("127.0.0.1", 0, lambda _: None)
        self.submitted = []
        self.answered = {}
        self.is_full = False
        self.listener.answer = self.answered.__setitem__
        ControlCalls(
            self.listener,
            listener_name="CONTROLLER",
            submit=self.submit,
            view=lambda: View(offset=7, epoch=1, age_ms=0, image=image(), cluster_id=CLUSTER),
            leader_id=lambda: 2,
        )

    def submit(self, submissions, answered):
        if self.is_full:
            raise BusyError("20000 writes wait")
        self.submitted.append((submissions, answered))

    def ask(self, message, version=0, token=5):
        api = self.listener.apis.find(message.API_KEY, version)
        assert api is not None, f"{message.NAME} version {version} is not offered"
        return api.handle(WireRequest(token, message.API_KEY, version, "kafka", message))


def registration() -> rpc.ControllerRegistrationRequest:
    return rpc.ControllerRegistrationRequest(
        controller_id=1,
        incarnation_id=INCARNATION,
        listeners=[rpc.ControllerRegistrationRequestListener("CONTROLLER", "h", 9093, 0)],
        features=[rpc.ControllerRegistrationRequestFeature("metadata.version", 7, 30)],
    )


def test_registration_is_answered_when_it_is_committed():
    """A Kafka controller's registration reaches our controller whole, and is answered no earlier than its commit."""
    node = FakeNode()
    assert node.ask(registration()) is None
    assert node.answered == {}
    [([submission], answered)] = node.submitted
    assert submission.request.controller_id == 1
    assert submission.request.listeners == (Listener("CONTROLLER", "h", 9093, 0),)
    assert submission.request.features == (SupportedFeature("metadata.version", 7, 30),)
    answered([Committed(RegisterControllerResponse(), offset=9, epoch=1)])
    assert node.answered[5].error_code == ErrorCode.NONE


def test_registration_is_refused_by_who_does_not_lead():
    """A controller that is not the active one says NOT_CONTROLLER, so that Kafka's asks the next."""
    node = FakeNode()
    node.ask(registration())
    node.submitted[0][1]([ApiError(ErrorCode.NOT_CONTROLLER, "node 2 leads")])
    assert node.answered[5].error_code == ErrorCode.NOT_CONTROLLER
    assert node.answered[5].error_message == "node 2 leads"


def test_registration_is_throttled_when_the_queue_is_full():
    """A full queue is an answer, not a broken connection."""
    node = FakeNode()
    node.is_full = True
    assert node.ask(registration()).error_code == ErrorCode.THROTTLING_QUOTA_EXCEEDED


def test_describe_cluster_lists_the_registered_controllers():
    """Kafka's admin client learns the cluster's id, who leads, and the listeners of the quorum's protocol only."""
    answer = FakeNode().ask(rpc.DescribeClusterRequest(endpoint_type=2), version=1)
    assert (answer.cluster_id, answer.controller_id, answer.error_code) == (CLUSTER, 2, 0)
    assert [(one.broker_id, one.host, one.port) for one in answer.brokers] == [(1, "host-1", 9093), (2, "host-2", 9093)]


def test_describe_cluster_is_not_for_brokers_clients():
    """A client that takes a controller for a broker is told of its mistake."""
    answer = FakeNode().ask(rpc.DescribeClusterRequest(endpoint_type=1), version=1)
    assert answer.error_code == ErrorCode.MISMATCHED_ENDPOINT_TYPE
    assert answer.brokers == []
