"""A controller's own registration. Sources: KIP-919, broker reference B3."""

from __future__ import annotations

import pytest

from kraftpy.broker.controller_registration import ControllerIdentity, ControllerRegistrar
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.provenance import Provenance
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.records.metadata import (
    FeatureLevelRecord,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
)

INCARNATION = b"i" * 16


class NoJitter:
    def below(self, bound):
        return bound // 2


def registrar():
    identity = ControllerIdentity(
        controller_id=3,
        incarnation_id=INCARNATION,
        listeners=(Listener("CONTROLLER", "h", 9093),),
        features=(SupportedFeature("metadata.version", 7, 42),),
    )
    return ControllerRegistrar(identity=identity, jitter=NoJitter())


def image(level, incarnation=None, port=9093):
    delta = MetadataDelta(EMPTY)
    delta.replay(FeatureLevelRecord(name="metadata.version", feature_level=level))
    if incarnation is not None:
        delta.replay(
            RegisterControllerRecord(
                controller_id=3,
                incarnation_id=incarnation,
                end_points=[RegisterControllerRecordControllerEndpoint("CONTROLLER", "h", port, 0)],
                features=[RegisterControllerRecordControllerFeature("metadata.version", 7, 42)],
            )
        )
    return delta.apply(Provenance(1, 1, -1, batch_aligned=True))


def with_leader():
    machine = registrar()
    assert machine.leader_changed(0, 1) is None
    return machine


def test_it_registers_from_15_on():
    """Below metadata.version 15 nothing is sent; at 15 the registration goes out (B3)."""
    machine = with_leader()
    assert machine.metadata_published(0, image(14)) is None
    assert machine.next_deadline_ms() is None
    call = machine.metadata_published(0, image(15))
    assert (call.request.controller_id, call.request.incarnation_id) == (3, INCARNATION)


@pytest.mark.parametrize(
    ("held", "sends"),
    [
        (image(40, INCARNATION), False),
        (image(40, b"o" * 16), True),
        (image(40, INCARNATION, port=1), True),
        (image(40), True),
    ],
)
def test_only_an_identical_registration_will_do(held, sends):
    """The image must hold this incarnation with these listeners, or it is sent (B3)."""
    machine = with_leader()
    assert (machine.metadata_published(0, held) is not None) is sends
    assert machine.is_registered is not sends


def test_it_waits_for_a_leader():
    """Without a known leader no request is sent."""
    machine = registrar()
    assert machine.metadata_published(0, image(40)) is None
    assert machine.leader_changed(5, 1) is not None


def test_pauses_grow_to_120_s_and_one_call_is_in_flight():
    """Pauses are 100 ms times 2^n up to 120 s, whether calls fail or their effect does not show (B3)."""
    machine = with_leader()
    assert machine.metadata_published(0, image(40)) is not None
    now_ms, pauses = 0, []
    for attempt in range(13):
        assert machine.tick(now_ms) is None, "one call is in flight"
        assert (machine.failed if attempt % 2 else machine.succeeded)(now_ms) is None
        pauses.append(machine.next_deadline_ms() - now_ms)
        now_ms += pauses[-1]
        assert machine.tick(now_ms) is not None
    assert pauses[:4] == [100, 200, 400, 800]
    assert pauses[-1] == 120_000


def test_it_stops_once_the_image_shows_it():
    """When the registration comes back through the log nothing more is sent; if it is lost, it starts over."""
    machine = with_leader()
    machine.metadata_published(0, image(40))
    machine.succeeded(10)
    assert machine.metadata_published(20, image(40, INCARNATION)) is None
    assert machine.next_deadline_ms() is None
    assert machine.tick(10**6) is None
    assert machine.metadata_published(30, image(40)) is not None


def test_a_new_leader_is_asked_without_waiting():
    """What an old leader made us wait for does not hold up the new one (B3)."""
    machine = with_leader()
    machine.metadata_published(0, image(40))
    machine.failed(0)
    assert machine.leader_changed(1, None) is None
    assert machine.leader_changed(2, 2) is not None
