"""A controller's listener without sockets, in front of a node that answers when the test requests it."""

from __future__ import annotations

from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY, MetadataImage
from kraftpy.image.provenance import Provenance
from kraftpy.model.errors import BusyError
from kraftpy.model.features import KAFKA_LEVEL_MAX
from kraftpy.model.identity import ANONYMOUS
from kraftpy.records.metadata import (
    ConfigRecord,
    FeatureLevelRecord,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    TopicRecord,
)
from kraftpy.records.rpc import body_start, client_id_of, decode_response, encode_request, encode_response
from kraftpy.transport.kafka.apis import WireRequest
from kraftpy.transport.kafka.control import ControlCalls
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.node_api import Committed, MetadataView

CLUSTER = "MkU3OEVBNTcwNTJENDM2Qg"
INCARNATION = bytes(range(16))
DIRECTORY = bytes(range(16, 32))
NODE = 1

CONFIGS = (
    ConfigRecord(4, "", "log.cleaner.threads", "3"),
    ConfigRecord(4, "", "log.retention.ms", "100"),
    ConfigRecord(4, "1", "log.cleaner.threads", "2"),
    ConfigRecord(4, "1", "ssl.key.password", "secret"),
    ConfigRecord(2, "orders", "retention.ms", "5"),
    ConfigRecord(16, "sub", "interval.ms", "1000"),
    ConfigRecord(32, "group", "key.of.yesterday", "x"),
)


def image(level: int = KAFKA_LEVEL_MAX) -> MetadataImage:
    """Two controllers, a topic, and configs of every kind."""
    delta = MetadataDelta(EMPTY)
    delta.replay(FeatureLevelRecord(name="metadata.version", feature_level=level))
    for node_id in (2, 1):
        points = [
            RegisterControllerRecordControllerEndpoint("CONTROLLER", f"host-{node_id}", 9093, 0),
            RegisterControllerRecordControllerEndpoint("GRPC", f"host-{node_id}", 9094, 0),
        ]
        delta.replay(RegisterControllerRecord(controller_id=node_id, incarnation_id=INCARNATION, end_points=points))
    delta.replay(TopicRecord(name="orders", topic_id=DIRECTORY))
    delta.replay_all(CONFIGS)
    return delta.apply(Provenance(7, 1, 0, batch_aligned=True))


class FakeNode:
    """A node that notes what it is given; it is the connection of its requests, too."""

    def __init__(self, identity=None, authorization=None, now_ms=lambda: 0, throttling=None) -> None:
        self.listener = KafkaListener(
            "127.0.0.1", 0, lambda _: None, identity=identity, authorization=authorization, throttling=throttling
        )
        self.submitted = []
        self.answers = []
        self.broken = []
        self.is_full = False
        self.refusal = None
        self.principal = ANONYMOUS
        self.address = "127.0.0.1"
        self.software = "apache-kafka-java/4.3.0"
        self.image = image()
        self.acls_enabled = True
        ControlCalls(
            self.listener,
            listener_name="CONTROLLER",
            node_id=NODE,
            submit=self.submit,
            view=self.view,
            leader_id=lambda: 2,
            now_ms=now_ms,
        )

    def view(self):
        if self.refusal is not None:
            raise self.refusal
        return MetadataView(
            offset=7, epoch=1, age_ms=0, image=self.image, cluster_id=CLUSTER, acls_enabled=self.acls_enabled
        )

    def submit(self, submission, settle):
        if self.is_full:
            raise BusyError("20000 writes wait")
        self.submitted.append((submission, settle))

    def settle(self, outcome):
        """Report its outcome to the first pending write."""
        self.submitted[0][1](outcome)

    def commit(self, response):
        self.settle(Committed(response, offset=9, epoch=1))

    def ask(self, message, version=0, correlation_id=5, meter=None):
        """Send a message as bytes; return what it is answered at once."""
        return self._sent(message, version, correlation_id, meter)[1]

    def request(self, message, version=0, correlation_id=5):
        """Send a message as bytes; return the request that is made of it."""
        return self._sent(message, version, correlation_id)[0]

    def _sent(self, message, version, correlation_id, meter=None):
        frame = encode_request("kafka", correlation_id, message, version)
        route = self.listener.apis.find(message.API_KEY, version)
        assert route is not None, f"{message.NAME} version {version} is not offered"
        decoded = route.decode(frame, body_start(frame, is_flexible=route.is_flexible))
        request = WireRequest(
            self, message.API_KEY, version, correlation_id, decoded, client_id=client_id_of(frame), meter=meter
        )
        return request, route.handle(request)

    def complete(self, request, message):
        self.answers.append((request, encode_response(request.correlation_id, message, request.version)))

    def break_off(self, request, error):
        self.broken.append((request, error))

    def answer(self):
        """Decode the one answer that was given."""
        [(request, payload)] = self.answers
        correlation_id, message = decode_response(request.api_key, request.version, payload)
        assert correlation_id == request.correlation_id
        return message
