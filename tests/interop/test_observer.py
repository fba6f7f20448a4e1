"""A kraftpy observer follows the quorum of a real Kafka over Kafka's own protocol, and its log is byte-equal."""

from __future__ import annotations

import json
import sys
from pathlib import Path

import pytest

from tests.interop.cluster import CLUSTER_ID, AdminClient, Quorum, kraftpy
from tests.interop.jars import Jars
from tests.interop.logs import assert_equal_logs, end_offset, log_batches
from tests.interop.processes import HOST, Process, eventually, free_ports

SNAPSHOTS = {"metadata.log.max.record.bytes.between.snapshots": "3000"}
OBSERVER = 9


def observe(quorum: Quorum, directory: Path, *more: str) -> Process:
    command = [sys.executable, "-m", "kraftpy", "observe", "--bootstrap-controllers", quorum.bootstrap]
    return Process("observe", [*command, "--dir", str(directory), *more], directory.parent / "observe.log")


def records_of(process: Process) -> list[dict]:
    return [json.loads(line) for line in process.log_text().splitlines() if line.startswith("{")]


def observe_something(quorum: Quorum, directory: Path, *, at_least: int) -> list[dict]:
    """Observe until ``at_least`` records were shown by all runs together; return them."""
    process = observe(quorum, directory, "-o", "jsonl")
    eventually("records are shown", lambda: len(records_of(process)) >= at_least, [*quorum.running, process])
    assert process.stop() == 0
    return records_of(process)


def write(admin: AdminClient, first: int, count: int) -> None:
    for value in range(first, first + count):
        admin.ask(f"config broker - max.connections {value}")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("dynamic", [False, True], ids=["static", "dynamic"])
def test_observers_follow_a_kafka_quorum(jars: Jars, root: Path, *, dynamic: bool) -> None:
    """A broker of ours and ``kraftpy observe`` copy Kafka's log through a leader's death and a snapshot."""
    with Quorum(jars, root, kafka=(1, 2, 3), extra=SNAPSHOTS, dynamic=dynamic) as quorum:
        node = quorum.add_broker(OBSERVER, ours=True)
        quorum.format_and_start()
        first = quorum.wait_for_leader()
        early = observe(quorum, root / "early" / "copy", "-o", "jsonl")
        with AdminClient(jars, root, controllers=quorum.bootstrap) as admin:
            write(admin, 100, 40)
            eventually("Kafka wrote snapshots", lambda: len(first.snapshots()) >= 2, quorum.running)
            # Who comes after a snapshot is given that first, and the log from there on.
            late = observe(quorum, root / "late" / "copy", "-o", "jsonl")
            eventually("the late observer shows a snapshot", lambda: records_of(late), [*quorum.running, late])

            first.kill()
            second = quorum.wait_for_leader(other_than=first.node_id)
            # Kafka's client gives up after a while if it has only heard of the leader that is gone.
            asked = "config broker - max.connections 199"
            eventually(
                "Kafka's client knows the new leader", lambda: admin.reported(asked).startswith("ok"), quorum.running
            )
            write(admin, 200, 20)
            first.start()
            described = admin.quorum()
            end = int(described["hw"])
            voters = {item.split(":")[0] for item in described["voters"].split(",")}

        copies = [root / "early" / "copy", root / "late" / "copy", node.data]
        logs = [copy / "__cluster_metadata-0" for copy in copies]
        eventually(
            "the copies reach the quorum's committed end",
            lambda: all(end_offset(log_batches(log)) >= end for log in logs),
            [*quorum.running, early, late],
        )
        assert early.stop() == 0
        assert late.stop() == 0
        assert node.stop() == 0
        second.stop()

        assert voters == {"1", "2", "3"}, "an observer became a voter"
        for log in logs:
            assert_equal_logs(log, second.log_dir, at_least=20)
            state = json.loads((log / "quorum-state").read_text().partition("\n")[0])
            assert state["votedId"] == -1, f"{log}: an observer voted"
        assert min(log_batches(logs[0])) == 0
        for log in logs[1:2]:
            theirs = {one.name: one.read_bytes() for one in second.snapshots() + first.snapshots()}
            [ours] = sorted(log.glob("*.checkpoint"))
            assert ours.read_bytes() == theirs[ours.name], f"{ours} differs from Kafka's"

        for controller in (1, 2, 3):
            asked = [line for line in quorum.members[controller].log_text().splitlines() if "Vote request" in line]
            assert all(f"replicaId={OBSERVER}," not in line and "replicaId=-1," not in line for line in asked)

        shown = [one["data"]["value"] for one in records_of(early) if one["type"] == "CONFIG_RECORD"]
        assert shown[-20:] == [str(value) for value in range(200, 220)], "what changed was not shown in order"
        offsets = [one["offset"] for one in records_of(early)]
        assert offsets == list(range(len(offsets))), "a record was left out or shown twice"
        assert any("snapshotEndOffset" in one for one in records_of(late))


@pytest.mark.timeout(180)
def test_observe_goes_on_and_refuses(jars: Jars, root: Path) -> None:
    """``kraftpy observe`` goes on where its copy ends, and says in one line what is wrong with a host or a copy."""
    with Quorum(jars, root, kafka=(1,), brokers=(4,)) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        broker_port = quorum.members[4].properties["listeners"].rpartition(":")[2]
        copy = root / "observed" / "copy"
        observe_something(quorum, copy, at_least=1)
        shown = observe_something(quorum, copy, at_least=20)
        offsets = [one["offset"] for one in shown]
        assert offsets == list(range(len(offsets))), "the second run did not go on where the first ended"
        assert f"cluster.id={CLUSTER_ID}" in (copy / "meta.properties").read_text()

        broker = quorum.members[4]
        eventually("the broker runs", lambda: "Kafka Server started" in broker.log_text(), quorum.running)
        [unused] = free_ports(1)
        for address, words in (
            (f"{HOST}:{unused}", "refused the connection"),
            (f"{HOST}:{broker_port}", "is not a controller's listener"),
            ("no-such-host.invalid:9093", "is a name that cannot be resolved"),
        ):
            done = kraftpy("observe", "--bootstrap-controllers", address, "--timeout", "1")
            assert done.returncode == 4, done
            assert words in done.stderr
            assert done.stderr.count("\n") == 1, "an error is one line"

        (copy / "meta.properties").write_text("version=2\ncluster.id=another\n")
        done = kraftpy("observe", "--bootstrap-controllers", quorum.bootstrap, "--dir", str(copy))
        assert done.returncode == 1
        assert "the copy is of cluster another" in done.stderr
        broker.stop()
        done = kraftpy("observe", "--bootstrap-controllers", quorum.bootstrap, "--dir", str(broker.data))
        assert "the directory belongs to node 4" in done.stderr
