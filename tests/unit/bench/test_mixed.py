"""The mixed workload: of many kinds and lengths, the same in every run, and taken whole by the controller."""

from __future__ import annotations

from bench.mixed import BLOCK, VALUES, mixed_write
from bench.wire import request
from bench.work import NAMES, Work
from bench.writes import values_of
from kraftpy.records.rpc import decode_request
from kraftpy.transport.kafka.control.alter_configs import alter_from_wire
from tests.unit.controller.worlds import World

SERIALS = (0, 1, NAMES, 1_000_000_000)


def test_writes_are_of_many_kinds_and_lengths():
    """All resources are of one kind, or names, keys or values of one length."""
    writes = [mixed_write(index, 1_000_000_000) for index in range(NAMES)]
    assert {(one.kind, one.key) for one in writes} == {(kind, key) for kind, keys in VALUES.items() for key in keys}
    assert len({len(one.name) for one in writes}) > 40
    assert len({len(one.value) for one in writes}) > 200
    assert any(not one.value.isascii() for one in writes)
    resources = {(one.kind, one.name) for one in writes}
    assert NAMES / BLOCK < len(resources) < NAMES
    assert len({(one.kind, one.name, one.key) for one in writes}) == NAMES


def test_writes_are_the_same_in_every_run():
    """What is measured today is not what was measured yesterday."""
    found = [mixed_write(index, 7) for index in range(4)]
    assert [(one.kind, one.name[:7], one.key, one.value[:21]) for one in found] == [
        (16, "0.0-Lvx", "interval.ms", "55533"),
        (16, "0.0-Lvx", "match", "client_software_name="),
        (16, "0.0-Lvx", "metrics", "7.hEQpMc_Qh9adQ_VXFtY"),
        (32, "0.3-sxC", "consumer.heartbeat.interval.ms", "10431"),
    ]


def test_the_next_serial_number_changes_every_value_and_so_does_that_of_the_next_round():
    """No write sets the value that is there already, for that would append nothing."""
    for serial in SERIALS:
        for later in (serial + 1, serial + NAMES, serial + NAMES // 128):
            same = [index for index in range(NAMES) if mixed_write(index, serial) == mixed_write(index, later)]
            assert same == []


def test_the_controller_takes_every_write():
    """A write is refused, and the others are measured without it."""
    world = World()
    for number, serial in enumerate(SERIALS):
        for first in range(0, NAMES, 128):
            _, message = decode_request(request(0, first, 128, values_of(Work(is_mixed=True), serial))[4:])
            records, response = world.do(alter_from_wire(message, 1))
            assert not response.refused
            assert len(records) == 128, number
