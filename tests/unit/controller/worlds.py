"""A controller with a quorum of one that commits when the test requests it."""

from __future__ import annotations

from kraftpy.controller.config import ControllerConfig, QuorumFacts, supported_features
from kraftpy.controller.controller import Controller
from kraftpy.controller.policies import NO_POLICIES
from kraftpy.controller.requests import (
    AlterOp,
    BrokerHeartbeat,
    ConfigAlteration,
    ConfigResource,
    IncrementalAlterConfigs,
    Listener,
    RegisterBroker,
    RegisterController,
    SupportedFeature,
)
from kraftpy.controller.result import ControllerResult
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY, MetadataImage
from kraftpy.image.provenance import Provenance
from kraftpy.model.features import SchemaSet
from kraftpy.records.metadata import FeatureLevelRecord, PartitionRecord, TopicRecord, decode_record

CLUSTER = "the-cluster-with-an-old-id"
UNSTABLE = ControllerConfig(features=supported_features(unstable=True), allow_unstable=True)
"""A controller that may go to every level there is."""

TOPIC_ID = bytes(range(100, 116))


def uuid(number: int) -> bytes:
    return (1000 + number).to_bytes(16, "big")


class CountingUuids:
    def __init__(self):
        self.given = 0

    def next(self):
        self.given += 1
        return uuid(self.given)


def image_of(*records, base=EMPTY, offset=10, epoch=1):
    delta = MetadataDelta(base)
    delta.replay_all(records)
    return delta.apply(Provenance(offset, epoch, -1, batch_aligned=True))


def level_record(level):
    return FeatureLevelRecord(name="metadata.version", feature_level=level)


class World:
    """One controller; what it decides is appended at once and committed by ``commit``."""

    def __init__(
        self, *, config=None, level=40, cluster_id=CLUSTER, image=None, bootstrap=None, active=True, records=(),
        policies=NO_POLICIES,
    ):  # fmt: skip
        self.config = config or UNSTABLE
        self.uuids = CountingUuids()
        self.policies = policies
        self.controller = self._new_controller()
        self.now_ms = 0
        self.log = []
        self.values = []
        self.committed_image: MetadataImage = EMPTY
        self.offset = 0
        if not active:
            return
        if image is None:
            self.activate(cluster_id=cluster_id, bootstrap=bootstrap or (level_record(level),))
            if records:
                self.append(ControllerResult(tuple(records), None))
        else:
            self.committed_image, self.offset = image, image.provenance.offset
            self.activate(cluster_id=cluster_id)

    def activate(self, *, cluster_id=CLUSTER, bootstrap=None, open_transaction=False, epoch=None):
        result = self.controller.activate(
            now_ms=self.now_ms,
            epoch=self.controller.epoch + 1 if epoch is None else epoch,
            image=self.committed_image,
            next_offset=self.offset + 1,
            cluster_id=cluster_id,
            bootstrap=bootstrap,
            open_transaction=open_transaction,
        )
        self.append(result)
        return result

    def _new_controller(self):
        controller = Controller(config=self.config, node_id=1, uuids=self.uuids, policies=self.policies)
        controller.quorum_changed(QuorumFacts(frozenset({1}), 0))
        return controller

    def fail_over(self):
        """Let a new controller take over, which replays the values in the log."""
        epoch, schema_set = self.controller.epoch + 1, SchemaSet.for_level(self.controller.image.level)
        records = [decode_record(value, schema_set) for value in self.values]
        self.committed_image = image_of(*records, offset=self.offset, epoch=epoch)
        self.controller = self._new_controller()
        return self.activate(epoch=epoch)

    def append(self, result):
        for part in result.parts():
            if part.records:
                self.values += self.controller.encode(part)
                self.offset += len(part.records)
                self.log += part.records
                self.controller.appended(part, self.offset, self.controller.epoch)
        return result

    def commit(self):
        self.committed_image = self.controller.image
        self.controller.committed(self.offset, self.committed_image)

    def do(self, request):
        """Decide, append; return (records, response)."""
        result = self.append(self.controller.decide(self.now_ms, request))
        return list(result.records), result.response

    def ticks(self):
        """Tick until nothing is due; return the records of each tick."""
        done = []
        while (result := self.controller.tick(self.now_ms)) is not None:
            done.append(list(result.records))
            self.append(result)
        return done

    def register(self, broker_id=1, **changes):
        """Register a broker; return its epoch."""
        return self.do(register(broker_id, **changes))[1].broker_epoch

    def alive(self, broker_id=1, **changes):
        """Register a broker and let it be unfenced; return its epoch."""
        epoch = self.register(broker_id, **changes)
        self.do(beat(broker_id, epoch, self.offset))
        return epoch

    def broker(self, broker_id=1):
        return self.controller.image.cluster.brokers[broker_id]

    def partition(self, number=0):
        return self.controller.image.topics.partition(TOPIC_ID, number)


def range_of(name="metadata.version", low=7, high=42):
    return SupportedFeature(name, low, high)


def register(broker_id=1, **changes):
    fields = {
        "broker_id": broker_id,
        "cluster_id": CLUSTER,
        "incarnation_id": uuid(broker_id),
        "listeners": (Listener("PLAINTEXT", "localhost", 9092),),
        "features": (range_of(),),
        "log_dirs": (uuid(500 + broker_id),),
    }
    return RegisterBroker(**{**fields, **changes})


def register_controller(controller_id=1, **changes):
    fields = {
        "controller_id": controller_id,
        "incarnation_id": uuid(controller_id),
        "listeners": (Listener("CONTROLLER", "localhost", 9093),),
        "features": (range_of(),),
    }
    return RegisterController(**{**fields, **changes})


def beat(broker_id, epoch, offset=10**9, **changes):
    return BrokerHeartbeat(broker_id=broker_id, broker_epoch=epoch, metadata_offset=offset, **changes)


def set_configs(kind, name, *alterations, validate_only=False):
    """Alterations are (key, value), or (key, op, value)."""
    full = tuple(
        ConfigAlteration(a[0], AlterOp.SET, a[1]) if len(a) == 2 else ConfigAlteration(*a) for a in alterations
    )
    return IncrementalAlterConfigs(resources=((ConfigResource(kind, name), full),), validate_only=validate_only)


def topic_records(*partitions, name="orders"):
    """Each partition is (replicas, isr, leader), optionally with further fields."""
    records = [TopicRecord(name=name, topic_id=TOPIC_ID)]
    for number, (replicas, isr, leader, *more) in enumerate(partitions):
        records.append(
            PartitionRecord(
                partition_id=number,
                topic_id=TOPIC_ID,
                replicas=list(replicas),
                isr=list(isr),
                leader=leader,
                leader_epoch=0,
                partition_epoch=0,
                **{"directories": [bytes(16)] * len(replicas), **(more[0] if more else {})},
            )
        )
    return records
