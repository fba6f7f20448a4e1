"""Whose requests a listener handles next: voters at once, others in turns, a bounded number before the loop turns."""

from __future__ import annotations

import asyncio

from kraftpy.model.voters import ReplicaKey, Voter, VoterSet
from kraftpy.raft import messages as m
from kraftpy.raft.ready import RequestReceived
from kraftpy.transport.kafka import turns as turns_module
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.kafka.turns import (
    FRESH_REQUESTS,
    REQUESTS_PER_PASS_MAX,
    REQUESTS_PER_VISIT_MAX,
    VOTER_REQUESTS_MAX,
    RequestTurns,
)
from kraftpy.transport.kafka.voter_connections import CONNECTIONS_PER_VOTER_MAX, VoterConnections
from tests.unit.transport.conftest import ballot, connect, read_frame, voted
from tests.unit.transport.test_listener import epoch_of, wire


class Guest:
    """A connection with some requests; what is handled is noted with its name."""

    def __init__(self, name, turns, count, journal, *, is_urgent=False, handled=FRESH_REQUESTS):
        self.name, self.turns, self.left, self.journal = name, turns, count, journal
        self.is_urgent, self.handled = is_urgent, handled

    def work_off(self):
        while self.left and self.turns.admit(self):
            self.left -= 1
            self.handled += 1
            self.journal.append(self.name)


def always():
    return True


async def patient(until):
    async with asyncio.timeout(10):
        while not until():  # noqa: ASYNC110 - turns of the loop are what is waited for
            await asyncio.sleep(0)


async def test_a_turn_of_the_loop_handles_a_bounded_number(monkeypatch):
    """For any number of connections and requests, a turn handles a fixed number, and all are handled at last."""
    monkeypatch.setattr(turns_module, "PASS_MS", 10_000)
    journal, turns = [], RequestTurns(always)
    guests = [Guest(number, turns, 100, journal) for number in range(20)]
    for guest in guests:
        guest.work_off()
    assert len(journal) == REQUESTS_PER_PASS_MAX
    for loop_turn in range(2, 2_000 // REQUESTS_PER_PASS_MAX + 2):
        await asyncio.sleep(0)
        assert len(journal) == min(loop_turn * REQUESTS_PER_PASS_MAX, 2_000)
    assert turns.waiting == 0


async def test_those_who_wait_are_served_in_turn(monkeypatch):
    """A flood does not keep a connection with one request waiting for longer than a visit of each before it."""
    monkeypatch.setattr(turns_module, "PASS_MS", 10_000)
    journal, turns = [], RequestTurns(always)
    floods = [Guest(name, turns, 10_000, journal) for name in "ab"]
    for flood in floods:
        flood.work_off()
    modest = Guest("modest", turns, 1, journal)
    modest.work_off()
    before = len(journal)
    await asyncio.sleep(0)
    assert "modest" in journal[before : before + 2 * REQUESTS_PER_VISIT_MAX + 1]


async def test_a_fresh_connection_goes_first(monkeypatch):
    """A connection with few requests so far is served before those with many, whichever came first."""
    monkeypatch.setattr(turns_module, "PASS_MS", 10_000)
    journal, turns = [], RequestTurns(always)
    for number in range(300):
        Guest(number, turns, 10, journal).work_off()
    Guest("fresh", turns, 2, journal, handled=0).work_off()
    before = len(journal)
    await asyncio.sleep(0)
    assert journal[before : before + 2] == ["fresh", "fresh"]


async def test_the_clock_ends_a_pass(monkeypatch):
    """Requests that take long end the pass before the number does; at least one is handled in each."""
    monkeypatch.setattr(turns_module, "PASS_MS", 0)
    journal, turns = [], RequestTurns(always)
    Guest("slow", turns, 5, journal).work_off()
    assert len(journal) <= 1
    await patient(lambda: len(journal) == 5)


async def test_strangers_wait_while_the_node_has_enough_to_do():
    """Strangers wait while the queue is full, and are served once it has space; a voter is not held up."""
    journal, room = [], []
    turns = RequestTurns(lambda: bool(room))
    Guest("stranger", turns, 3, journal).work_off()
    for _ in range(10):
        await asyncio.sleep(0)
    assert journal == []
    Guest("voter", turns, 3, journal, is_urgent=True).work_off()
    assert journal == ["voter"] * 3
    room.append(True)
    await patient(lambda: journal[3:] == ["stranger"] * 3)


async def test_a_connection_that_ended_is_forgotten():
    """What ended waits no more."""
    turns = RequestTurns(lambda: False)
    guest = Guest("gone", turns, 3, [])
    guest.work_off()
    assert turns.waiting == 1
    turns.forget(guest)
    assert turns.waiting == 0


# Who is a voter.


def test_the_last_to_speak_hold_a_voter_s_places():
    """Who forges a voter's id takes places only until the voter speaks again, and none of another voter's."""
    connections = VoterConnections()
    connections.note("two", 2)
    connections.note("real", 1)
    for number in range(100):
        connections.note(f"forged {number}", 1)
    assert "real" not in connections
    assert "two" in connections
    assert len(connections) == CONNECTIONS_PER_VOTER_MAX + 1
    connections.note("real", 1)
    assert "real" in connections
    for number in range(CONNECTIONS_PER_VOTER_MAX - 1):
        connections.note(f"again {number}", 1)
    assert "real" in connections


def test_connections_and_voters_that_are_gone_are_forgotten():
    """A connection that ended, changed its id, or belongs to no voter has no voter's reserve; nothing of it is kept."""
    connections = VoterConnections()
    for number in range(3):
        connections.note(number, 1)
    connections.note(1, 2)
    connections.forget(0)
    connections.forget(0)
    assert [number in connections for number in range(3)] == [False, True, True]
    connections.keep((2,))
    assert [number in connections for number in range(3)] == [False, True, False]
    connections.keep(())
    assert (len(connections), connections._places) == (0, {})


# Over real sockets.

VOTERS = VoterSet.of(Voter(ReplicaKey(one)) for one in (1, 2, 3))


def described():
    return m.DescribeQuorumRequest()


async def test_a_voter_is_heard_while_strangers_wait():
    """While nothing of strangers is taken, a voter that spoke before is heard; its flood is not."""
    received, room = [], [True]
    listener = KafkaListener("127.0.0.1", 0, received.append, voters=lambda: VOTERS, may_queue=lambda: bool(room))
    await listener.start()
    try:
        async with connect(listener.port) as (reader, voter), connect(listener.port) as (_, stranger):
            voter.write(wire(ballot(1), 1))
            await patient(lambda: received)
            assert len(listener.voter_connections) == 1
            listener.reply(received[0].token, voted(1))
            assert epoch_of(await read_frame(reader)) == (1, 1)
            room.clear()
            stranger.write(wire(described(), 1) * 100)
            await patient(lambda: listener.turns.waiting)
            voter.write(b"".join(wire(ballot(number), number) for number in range(2, 50)))
            await patient(lambda: len(received) == 1 + VOTER_REQUESTS_MAX)
            for _ in range(20):
                await asyncio.sleep(0)
            assert len(received) == 1 + VOTER_REQUESTS_MAX
            room.append(True)
            await patient(lambda: len(received) == 1 + 48 + 100)
            assert all(isinstance(each, RequestReceived) for each in received)
    finally:
        await listener.close()


async def test_a_voter_that_was_removed_is_a_stranger():
    """Its connection has no reserve any more, whichever node asks next."""
    received, voters = [], [VOTERS]
    listener = KafkaListener("127.0.0.1", 0, received.append, voters=lambda: voters[-1])
    await listener.start()
    try:
        async with connect(listener.port) as (_, one), connect(listener.port) as (_, other):
            one.write(wire(ballot(1), 1))
            await patient(lambda: received)
            (connection,) = [each for each in listener._connections if each.is_voters]
            voters.append(VoterSet.of(voter for voter in VOTERS if not voter.key.accepts(ReplicaKey(1))))
            other.write(wire(described(), 1))
            await patient(lambda: len(received) == 2)
            assert not connection.is_voters
            assert len(listener.voter_connections) == 0
    finally:
        await listener.close()


def test_addresses_that_a_voter_spoke_from_are_known_a_while():
    """The last few of each voter, also when their connections are gone; none of those that vote no longer."""
    connections = VoterConnections()
    for number in range(CONNECTIONS_PER_VOTER_MAX + 1):
        connections.note(number, 1, f"10.0.0.{number}")
        connections.forget(number)
    assert not connections.is_known("10.0.0.0")
    assert connections.is_known("10.0.0.1")
    connections.note(9, 2, "10.0.0.9")
    connections.keep((2,))
    assert not connections.is_known("10.0.0.1")
    assert connections.is_known("10.0.0.9")
