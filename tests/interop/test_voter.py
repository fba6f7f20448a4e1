"""A kraftpy controller votes, follows, leads and dies in one quorum with two controllers of a real Kafka."""

from __future__ import annotations

import shutil
import threading
from pathlib import Path

import pytest

from kraftpy.client.sync import Client
from kraftpy.client.values import ConfigChange, Resource
from kraftpy.model.errors import KraftError
from kraftpy.model.resource_types import ResourceType
from kraftpy.raft.guards.state_digests import UNJUDGED_MAX
from kraftpy.storage.names import REPLICA_STATUS
from tests.interop.cluster import AdminClient, Member, Quorum
from tests.interop.jars import Jars
from tests.interop.logs import assert_equal_logs, log_batches
from tests.interop.processes import eventually

KAFKA = (1, 2)
OURS = 3
KEY = "interval.ms"
VALUE = "1000"
DIGEST_INTERVAL_MS = 200
DIGESTS = "kraft_state_digests_total"


class Writers:
    """Makes one config resource after the other through the current leader, and remembers which were acknowledged."""

    def __init__(self, quorum: Quorum) -> None:
        self._quorum = quorum
        self._next = 1_000_000
        self.acknowledged: list[str] = []

    def through_kafka(self, count: int) -> None:
        controllers = ",".join(self._quorum.addresses[one] for one in KAFKA)
        with AdminClient(self._quorum.jars, self._quorum.root, controllers=controllers) as admin:
            for _ in range(count):
                name = self._draw()
                admin.ask(f"config client_metrics {name} {KEY} {VALUE}")
                self.acknowledged.append(name)

    def through_ours(self, count: int) -> None:
        with Client([self._quorum.members[OURS].properties["grpc.listener"]], timeout_s=60) as client:
            for _ in range(count):
                self._write(client)

    def until_it_fails(self, started: threading.Event) -> None:
        """Write through ours without end; what was not acknowledged may or may not be in the log."""
        with Client([self._quorum.members[OURS].properties["grpc.listener"]], timeout_s=2) as client:
            while True:
                try:
                    self._write(client)
                except KraftError:
                    return
                started.set()

    def _write(self, client: Client) -> None:
        name = self._draw()
        answer = client.incremental_alter_configs(
            {Resource(ResourceType.CLIENT_METRICS, name): [ConfigChange(KEY, VALUE)]}
        )
        assert not answer.outcomes[0].error, answer
        self.acknowledged.append(name)

    def _draw(self) -> str:
        self._next += 1
        return f"write-{self._next}"

    def lost_from(self, member: Member) -> list[str]:
        """Return the acknowledged writes that a member has neither in its log nor in its newest snapshot."""
        held = b"".join(log_batches(member.log_dir).values())
        held += b"".join(snapshot.read_bytes() for snapshot in member.snapshots()[-1:])
        return [name for name in self.acknowledged if name.encode() not in held]


def caught_up(quorum: Quorum) -> None:
    """Wait until every running controller holds the same batches as the leader."""

    def probe() -> bool:
        running = [one for one in quorum.controllers if one.process and one.process.is_running]
        leader = quorum.leader()
        if leader is None:
            return False
        want = max(log_batches(leader.log_dir))
        return all(max(log_batches(one.log_dir), default=-1) >= want for one in running)

    eventually("every controller has the leader's log", probe, quorum.running)


def counts(quorum: Quorum) -> None:
    """Wait until the vote of ours counts: its directory was empty, and Kafka's voters never say that theirs is."""
    mark = quorum.members[OURS].log_dir / REPLICA_STATUS
    eventually("ours has caught up and counts", lambda: not mark.exists(), quorum.running)


def make_kafka_lead(quorum: Quorum) -> Member:
    """Return a Kafka leader, after a goodbye of ours if that leads."""
    leader = quorum.wait_for_leader()
    if leader.ours:
        assert leader.stop() == 0, "a leader that is asked to stop hands over and ends in order"
        follower = quorum.wait_for_leader(other_than=OURS)
        leader.start()
        return follower
    return leader


def elect_by_our_vote(quorum: Quorum, writers: Writers, leader: Member, follower: Member) -> None:
    """Make the following Kafka the leader by our vote: it needs one, and ours lacks records, so it cannot win."""
    counts(quorum)
    ours = quorum.members[OURS]
    ours.kill()
    writers.through_kafka(5)
    leader.kill()
    ours.start()
    elected = quorum.wait_for_leader(other_than=leader.node_id)
    assert elected is follower, f"{elected.name} was elected without the committed records"
    leader.start()
    caught_up(quorum)


def let_a_snapshot_be_served(quorum: Quorum, writers: Writers) -> None:
    """Write until ours offers its snapshot without a digest majority, since Kafka compares no digests.

    One digest may have been begun before the snapshot, and the newest be counted a moment before it counts.
    """
    ours = quorum.members[OURS]
    eventually("ours has a snapshot to serve", ours.snapshots, quorum.running)
    enough = ours.metric(DIGESTS) + UNJUDGED_MAX + 2

    def passed_over() -> bool:
        writers.through_ours(1)
        return ours.metric(DIGESTS) >= enough

    eventually("digests were made that nobody answers", passed_over, quorum.running)


@pytest.mark.timeout(420)
def test_voter_in_a_kafka_quorum(jars: Jars, root: Path) -> None:
    """A kraftpy voter commits, is elected, leads and is killed among Kafka's, and no acknowledged write is lost.

    It sends digests of its state in its fetches and states them in its snapshots, in fields that Kafka does not know.
    """
    often = {
        "metadata.log.max.record.bytes.between.snapshots": "4000",
        "metadata.log.state.digest.interval.ms": str(DIGEST_INTERVAL_MS),
    }
    with Quorum(jars, root, kafka=KAFKA, ours=(OURS,), extra=often) as quorum:
        ours, writers = quorum.members[OURS], Writers(quorum)
        quorum.format_and_start()

        # It votes and follows, and its acknowledgement commits: with one Kafka down, nothing is committed without it.
        leader = make_kafka_lead(quorum)
        follower = quorum.members[next(one for one in KAFKA if one != leader.node_id)]
        eventually("ours follows", lambda: ours.quorum_state().get("leaderId") == leader.node_id, quorum.running)
        elect_by_our_vote(quorum, writers, leader, follower)
        leader, follower = follower, leader
        follower.kill()
        writers.through_kafka(10)

        # It is elected: the Kafka that comes back lacks committed records, so it must vote for ours and not win.
        leader.kill()
        follower.start()
        elected = quorum.wait_for_leader(other_than=leader.node_id)
        assert elected is ours, f"{elected.name} was elected without the committed records"

        # It leads: a Kafka's acknowledgement commits what ours writes, and the other one comes back to the same log.
        writers.through_ours(20)
        leader.start()
        caught_up(quorum)
        with AdminClient(jars, root, controllers=quorum.addresses[follower.node_id]) as admin:
            assert admin.quorum()["leader"] == str(OURS), "Kafka's admin client sees another leader than ours"

        assert_equal_logs(ours.log_dir, follower.log_dir, at_least=40)
        assert_equal_logs(ours.log_dir, leader.log_dir, at_least=1)

        # A Kafka that lost its disk loads the snapshot that ours serves.
        leader.kill()
        shutil.rmtree(leader.data)
        leader.format()
        let_a_snapshot_be_served(quorum, writers)
        leader.start()
        [loaded] = eventually("Kafka downloads a snapshot", leader.snapshots, quorum.running)
        assert loaded.read_bytes() == (ours.log_dir / loaded.name).read_bytes()
        caught_up(quorum)

        # It is killed while it leads and writes, and comes back.
        assert quorum.wait_for_leader() is ours
        started = threading.Event()
        thread = threading.Thread(target=writers.until_it_fails, args=(started,))
        thread.start()
        assert started.wait(30), "ours does not take writes"
        ours.kill()
        thread.join()
        successor = quorum.wait_for_leader(other_than=OURS)
        assert not successor.ours
        writers.through_kafka(5)
        ours.start()
        eventually("ours follows", lambda: ours.quorum_state().get("leaderId") == successor.node_id, quorum.running)
        caught_up(quorum)

        for member in (ours, *(quorum.members[one] for one in KAFKA)):
            member.stop()
        assert len(writers.acknowledged) > 40
        for member in (ours, leader, follower):
            assert writers.lost_from(member) == [], member.name
        # Who is elected may send ours a snapshot instead of the log it missed, so only the tail need be common.
        assert_equal_logs(ours.log_dir, follower.log_dir, at_least=1)
        assert_equal_logs(ours.log_dir, leader.log_dir, at_least=1)
        assert_equal_logs(follower.log_dir, leader.log_dir, at_least=1)


@pytest.mark.timeout(300)
def test_voter_in_a_dynamic_kafka_quorum(jars: Jars, root: Path) -> None:
    """Where the voters are in the log, a kraftpy voter is one of them: it commits, and is elected and followed."""
    with Quorum(jars, root, kafka=KAFKA, ours=(OURS,), dynamic=True) as quorum:
        ours, writers = quorum.members[OURS], Writers(quorum)
        quorum.format_and_start()
        leader = make_kafka_lead(quorum)
        follower = quorum.members[next(one for one in KAFKA if one != leader.node_id)]
        caught_up(quorum)
        elect_by_our_vote(quorum, writers, leader, follower)
        leader, follower = follower, leader
        follower.kill()
        writers.through_kafka(5)
        leader.kill()
        follower.start()
        assert quorum.wait_for_leader(other_than=leader.node_id) is ours
        writers.through_ours(5)
        leader.start()
        caught_up(quorum)
        for member in quorum.controllers:
            member.stop()
        for member in quorum.controllers:
            assert writers.lost_from(member) == [], member.name
        assert_equal_logs(ours.log_dir, follower.log_dir, at_least=10)
        assert_equal_logs(ours.log_dir, leader.log_dir, at_least=10)
        state = ours.quorum_state()
        assert state["data_version"] == 1, "the format of quorum-state follows kraft.version"
