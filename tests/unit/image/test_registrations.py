"""Registrations as the image keeps them: what a record's order says (nothing), and what it has not said yet."""

from __future__ import annotations

import pytest

from kraftpy.image.registrations import BrokerRegistration, ControllerRegistration
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    Record,
    RegisterBrokerRecord,
    RegisterBrokerRecordBrokerEndpoint,
    RegisterBrokerRecordBrokerFeature,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
)
from tests.unit.image.support import replay

POINTS = (("PLAINTEXT", "h", 9092, 0), ("CONTROLLER", "h", 9093, 0), ("SSL", "h", 9094, 1))
FEATURES = (("transaction.version", 0, 2), ("group.version", 0, 1), ("metadata.version", 7, 30))


def lost(what: str) -> None:
    raise AssertionError(f"{what} was lost")


def broker(points=POINTS, features=FEATURES, cordoned=None) -> RegisterBrokerRecord:
    return RegisterBrokerRecord(
        broker_id=4,
        end_points=[RegisterBrokerRecordBrokerEndpoint(*each) for each in points],
        features=[RegisterBrokerRecordBrokerFeature(*each) for each in features],
        cordoned_log_dirs=cordoned,
    )


def controller(points=POINTS, features=FEATURES) -> RegisterControllerRecord:
    return RegisterControllerRecord(
        controller_id=1,
        end_points=[RegisterControllerRecordControllerEndpoint(*each) for each in points],
        features=[RegisterControllerRecordControllerFeature(*each) for each in features],
    )


def test_order_in_a_record_is_no_state() -> None:
    """A log and a snapshot that list the same listeners and features in another order are the same state."""
    there, back = broker(), broker(POINTS[::-1], FEATURES[::-1])
    assert BrokerRegistration.from_record(there) == BrokerRegistration.from_record(back)
    there, back = controller(), controller(POINTS[::-1], FEATURES[::-1])
    assert ControllerRegistration.from_record(there) == ControllerRegistration.from_record(back)


DIRECTORIES = [bytes([first]) + bytes(15) for first in (0x80, 0x01, 0x7F, 0xFF)]
IN_ORDER = [DIRECTORIES[place] for place in (0, 3, 1, 2)]
"""Kafka's ids are two signed numbers."""


def test_directories_are_kept_as_kafka_sorts_them() -> None:
    """A node that replayed the log has the state, and so the digest, of one that began with a snapshot of Kafka's."""
    registered = replayed(RegisterBrokerRecord(broker_id=4, log_dirs=DIRECTORIES))
    assert registered.to_record(30, lost).log_dirs == IN_ORDER
    assert registered == replayed(RegisterBrokerRecord(broker_id=4, log_dirs=IN_ORDER))
    changed = BrokerRegistrationChangeRecord(broker_id=4, log_dirs=DIRECTORIES)
    assert replayed(RegisterBrokerRecord(broker_id=4), changed) == registered


def replayed(*records: Record) -> BrokerRegistration:
    """Return broker 4 after these records."""
    return replay(*records).cluster.brokers[4]


@pytest.mark.parametrize("cordoned", [None, [], [bytes(15) + b"\x09"]])
def test_cordoned_directories_are_kept_as_they_were_reported(cordoned: list[bytes] | None) -> None:
    """A broker that has not said which directories are cordoned is not one that has said none."""
    registration = BrokerRegistration.from_record(broker(cordoned=cordoned))
    assert registration.to_record(30, lost).cordoned_log_dirs == cordoned
