"""Registrations of brokers and controllers, and broker ids by host."""

from __future__ import annotations

import pytest

from kraftpy.image import ReplayError
from kraftpy.model.ids import DIRECTORY_LOST, DIRECTORY_MIGRATING, DIRECTORY_UNASSIGNED
from kraftpy.model.registrations import Listener, SupportedFeature
from kraftpy.records.metadata import (
    BrokerHostRecord,
    BrokerRegistrationChangeRecord,
    FenceBrokerRecord,
    Record,
    RegisterControllerRecord,
    RegisterControllerRecordControllerEndpoint,
    RegisterControllerRecordControllerFeature,
    RemoveControllerRegistrationRecord,
    UnfenceBrokerRecord,
    UnregisterBrokerRecord,
    UnregisterControllerRecord,
)
from tests.unit.image.support import broker, delta_of, replay, uuid


def test_a_registration_keeps_what_its_record_states() -> None:
    """Every field of a RegisterBrokerRecord is found in the registration and comes back in its record."""
    record = broker(
        7,
        70,
        rack="r1",
        fenced=False,
        in_controlled_shutdown=True,
        is_migrating_zk_broker=True,
        log_dirs=[uuid(1), uuid(2)],
        cordoned_log_dirs=[uuid(1)],
        saturated_log_dirs=[uuid(2)],
    )
    registration = replay(record).cluster.brokers[7]
    assert registration.listeners == (Listener("PLAINTEXT", "host-7", 9092, 0),)
    assert registration.features == (SupportedFeature("metadata.version", 7, 42),)
    assert (registration.rack, registration.broker_epoch, registration.log_dirs) == ("r1", 70, (uuid(1), uuid(2)))
    assert registration.to_record(42, print) == record


def test_a_new_incarnation_replaces_the_registration() -> None:
    """Registering again replaces everything; leaving controlled shutdown needs exactly that."""
    image = replay(broker(1, 10, in_controlled_shutdown=True), broker(1, 20, log_dirs=[]))
    assert image.cluster.brokers[1].broker_epoch == 20
    assert not image.cluster.brokers[1].in_controlled_shutdown
    assert image.cluster.brokers[1].log_dirs == ()


@pytest.mark.parametrize(
    "record",
    [
        UnregisterBrokerRecord(1, 11),
        FenceBrokerRecord(1, 9),
        UnfenceBrokerRecord(1, 11),
        BrokerRegistrationChangeRecord(1, 11),
    ],
    ids=lambda record: type(record).__name__,
)
def test_a_change_for_another_epoch_does_not_replay(record: Record) -> None:
    """A change that names another broker epoch than the registered one is fatal."""
    with pytest.raises(ReplayError, match="broker 1 is registered with epoch 10, not with epoch"):
        replay(broker(1, 10), record)


@pytest.mark.parametrize(
    "record",
    [UnregisterBrokerRecord(5, 1), FenceBrokerRecord(5, 1), BrokerRegistrationChangeRecord(5, 1)],
    ids=lambda record: type(record).__name__,
)
def test_a_change_of_nothing_does_not_replay(record: Record) -> None:
    """A change of a broker that is not registered is fatal, also right after it was unregistered."""
    with pytest.raises(ReplayError, match="broker 5 is not registered"):
        replay(record)
    with pytest.raises(ReplayError, match="broker 5 is not registered"):
        replay(broker(5, 1), UnregisterBrokerRecord(5, 1), record)


def test_fencing_turns_one_flag() -> None:
    """Both generations of fencing records turn the fenced flag and nothing else."""
    fenced = replay(broker(1, 10, fenced=False), FenceBrokerRecord(1, 10)).cluster.brokers[1]
    unfenced = replay(broker(1, 10), UnfenceBrokerRecord(1, 10)).cluster.brokers[1]
    changed = replay(broker(1, 10), BrokerRegistrationChangeRecord(1, 10, fenced=-1)).cluster.brokers[1]
    refenced = replay(broker(1, 10, fenced=False), BrokerRegistrationChangeRecord(1, 10, fenced=1)).cluster.brokers[1]
    assert (fenced.fenced, unfenced.fenced, changed.fenced, refenced.fenced) == (True, False, False, True)
    assert (fenced.is_active, unfenced.is_active) == (False, True)
    assert fenced == refenced


def test_an_empty_change_changes_nothing() -> None:
    """Zeroes, empty directories and null lists of cordoned and saturated ones mean "unchanged"."""
    record = broker(1, 10, cordoned_log_dirs=[uuid(100)], saturated_log_dirs=[uuid(100)], in_controlled_shutdown=True)
    assert replay(record, BrokerRegistrationChangeRecord(1, 10)).cluster == replay(record).cluster


def test_a_change_replaces_directories() -> None:
    """Listed directories replace the old ones; an empty cordoned list clears it."""
    before = broker(1, 10, cordoned_log_dirs=[uuid(100)])
    change = BrokerRegistrationChangeRecord(
        1, 10, in_controlled_shutdown=1, log_dirs=[uuid(5)], cordoned_log_dirs=[], saturated_log_dirs=[uuid(5)]
    )
    after = replay(before, change).cluster.brokers[1]
    assert (after.log_dirs, after.cordoned_log_dirs, after.saturated_log_dirs) == ((uuid(5),), (), (uuid(5),))
    assert after.in_controlled_shutdown
    assert not after.is_active


@pytest.mark.parametrize("change", [{"fenced": 2}, {"in_controlled_shutdown": -1}, {"in_controlled_shutdown": 2}])
def test_an_unknown_flag_does_not_replay(change: dict[str, int]) -> None:
    """A flag outside its three or two values is fatal."""
    with pytest.raises(ReplayError, match=r"broker 1: (fenced|inControlledShutdown) is -?\d, known"):
        replay(broker(1, 10), BrokerRegistrationChangeRecord(1, 10, **change))


def test_a_change_clears_the_saturated_directories() -> None:
    """A null list leaves the saturated directories as they are, an empty one clears them (KIP-928)."""
    full = broker(1, 10, log_dirs=[uuid(5)], saturated_log_dirs=[uuid(5)])
    unchanged = replay(full, BrokerRegistrationChangeRecord(1, 10)).cluster.brokers[1]
    cleared = replay(full, BrokerRegistrationChangeRecord(1, 10, saturated_log_dirs=[])).cluster.brokers[1]
    assert (unchanged.saturated_log_dirs, cleared.saturated_log_dirs) == ((uuid(5),), ())


def test_online_directories() -> None:
    """A listed or unnamed directory is online, a lost or unlisted one is not; nothing listed means all are."""
    listed = replay(broker(1, 10, log_dirs=[uuid(1)])).cluster.brokers[1]
    plain = replay(broker(1, 10, log_dirs=[])).cluster.brokers[1]
    directories = (uuid(1), uuid(2), DIRECTORY_UNASSIGNED, DIRECTORY_MIGRATING, DIRECTORY_LOST)
    assert [listed.has_online_dir(one) for one in directories] == [True, False, True, True, False]
    assert [plain.has_online_dir(one) for one in directories] == [True, True, True, True, False]


def test_listeners_and_features_are_found_by_name() -> None:
    """A registration answers by name, and says when there is none."""
    registration = replay(broker(1)).cluster.brokers[1]
    assert registration.listener("PLAINTEXT") == registration.listeners[0]
    assert registration.listener("SSL") is None
    assert registration.feature("metadata.version") == registration.features[0]
    assert registration.feature("x") is None


def test_controllers_come_and_go() -> None:
    """A controller's registration is kept whole until it is unregistered."""
    record = RegisterControllerRecord(
        9,
        uuid(9),
        zk_migration_ready=True,
        end_points=[RegisterControllerRecordControllerEndpoint("CONTROLLER", "c9", 9093, 1)],
        features=[RegisterControllerRecordControllerFeature("metadata.version", 7, 40)],
    )
    image = replay(record)
    controller = image.cluster.controller(9)
    assert controller is not None
    assert controller.to_record() == record
    assert controller.listener("CONTROLLER") == Listener("CONTROLLER", "c9", 9093, 1)
    assert controller.listener("X") is None
    for removal in (UnregisterControllerRecord(9), RemoveControllerRegistrationRecord(9)):
        delta = delta_of(removal, base=image)
        assert delta.cluster is not None
        assert delta.cluster.changed_controllers == {9: None}
        with pytest.raises(ReplayError, match="controller 9 is not registered"):
            delta.replay(removal)


def test_the_delta_has_changed_and_removed_brokers() -> None:
    """Changed brokers come with their registration, removed ones with None, passing ones not at all."""
    image = replay(broker(1, 10), broker(2, 20))
    delta = delta_of(
        UnregisterBrokerRecord(1, 10), UnfenceBrokerRecord(2, 20), broker(3, 30), UnregisterBrokerRecord(3, 30),
        base=image,
    )  # fmt: skip
    assert delta.cluster is not None
    assert list(delta.cluster.changed_brokers) == [1, 2]
    assert delta.cluster.changed_brokers[1] is None
    assert delta.cluster.broker(1) is None
    assert image.cluster.broker(1) is not None


def test_hosts_keep_broker_ids() -> None:
    """A host's id is set, moved and removed; it outlives the registration (K426-16)."""
    image = replay(broker(1, 10), BrokerHostRecord("h1", 1), UnregisterBrokerRecord(1, 10), BrokerHostRecord("h2", 2))
    assert dict(image.broker_hosts.ids) == {"h1": 1, "h2": 2}
    delta = delta_of(BrokerHostRecord("h1", 5), BrokerHostRecord("h2", -1), base=image)
    assert delta.broker_hosts is not None
    assert delta.broker_hosts.changes == {"h1": 5, "h2": None}


@pytest.mark.parametrize(("record", "text"), [(BrokerHostRecord("h", -1), "'h' has no broker id"),
                                              (BrokerHostRecord("", 3), "broker 3 has no name")])  # fmt: skip
def test_senseless_hosts_do_not_replay(record: Record, text: str) -> None:
    """Removing a mapping that is not there, or one without a host, is fatal."""
    with pytest.raises(ReplayError, match=text):
        replay(record)
