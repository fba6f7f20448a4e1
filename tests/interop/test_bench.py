"""The benchmark's Kafka: three controllers from the jars, written to, asked and killed by the harness."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from bench import broker_death
from bench.cluster import KraftPy
from bench.main import Options, bodies
from bench.peers.ensemble import NODES
from bench.peers.etcd import Etcd
from bench.peers.kafka import Kafka
from bench.peers.zookeeper import ZooKeeper
from bench.work import ADMIN, SkippedError, Work, eventually
from kraftpy.cli.exit_codes import ExitCode
from tests.fakes.interrupts import children_get_sigint

ROOT = Path(__file__).resolve().parents[2]
MARK = "KRAFTPY_TEST_RUN"
"""A variable of the environment that all processes of one run inherit."""

PATIENCE_S = 90.0
POLL_S = 0.02

pytestmark = pytest.mark.timeout(300)


async def test_kafka_does_the_work_of_the_benchmarks(jars, root):
    """Writes are acknowledged, a controller that missed some catches up, and a leader's death is survived."""
    kafka = Kafka(linger_ms=0)
    assert (kafka.name, kafka.version()) == ("kafka-no-linger", jars.version)
    try:
        await kafka.start(root)
        # A number of records first: it takes as long as a JVM that has just started needs.
        for work in (Work(in_flight=16, batch=16, total=1_600), Work(rate=50, seconds=3.0, warmup_s=0.0)):
            outcome = await kafka.run(work, lambda: None)
            assert (outcome.errors, outcome.records % work.batch) == (0, 0)
            assert outcome.records >= (work.total or 1)
        await missing_records(kafka)
        async with kafka.prober() as prober:
            leader, killed_at = await kafka.leader(), time.time()
            await kafka.stop_node(leader, kill=True)
            assert await prober.first_write() > killed_at
            assert await kafka.leader() != leader
            assert {"detect", "elect"} <= set(kafka.phases(leader, killed_at))
    finally:
        await kafka.stop()
    assert kafka.pids == {}


async def test_kafka_does_the_work_of_controllers(jars, root, monkeypatch):
    """Topics, ISRs, a shutdown, a part of a day, heartbeats: each request is one that Kafka takes, rightly answered."""
    monkeypatch.setattr(Kafka, "warm_up_s", 1.0)
    monkeypatch.setattr(broker_death, "WARM_UPS", 0)
    monkeypatch.setattr(broker_death, "WAYS", ("shutdown",))
    options = Options(
        seconds=1.0,
        warmup_s=0.0,
        in_flight=(2,),
        large_requests=1,
        partitions=(1, 50),
        leaderships=(100,),
        brokers=9,
        hours=0.1,
        window_minutes=1.0,
    )
    kafka = Kafka(linger_ms=0)
    assert kafka.version() == jars.version
    for name in ("topics", "isr", "broker-death", "day", "brokers"):
        (root / name).mkdir()
        try:
            await kafka.start(root / name)
            rows = await bodies(options, lambda _: None)[name](kafka, 1)
        finally:
            await kafka.stop()
        rejected = [note for row in rows for note in row.notes]
        # A request for 10,000 partitions makes more records than Kafka takes.
        assert all("excessively large batch operation" in note for note in rejected), (name, rejected)
        assert len(rejected) == (name == "topics")
        assert all(max(row.figures.values()) > 0 for row in rows)


@pytest.mark.parametrize("peer", [Etcd, ZooKeeper])
@pytest.mark.landing
async def test_a_peer_takes_the_mixed_writes(peer, root):
    """One by one, in batches and at a rate: no request is refused, and the servers' state goes on with each."""
    system = peer()
    try:
        system.version()
    except SkippedError as error:
        pytest.skip(str(error))
    short = {"is_mixed": True, "seconds": 1.0, "warmup_s": 0.0}
    try:
        await system.start(root)
        for work in (Work(in_flight=64, **short), Work(in_flight=16, batch=128, **short), Work(rate=50, **short)):
            before = max((await system.positions()).values())
            outcome = await system.run(work, lambda: None)
            assert (outcome.errors, outcome.first_error) == (0, "")
            assert max((await system.positions()).values()) >= before + outcome.requests > before
            assert outcome.records == outcome.requests * work.batch
    finally:
        await system.stop()
    assert system.pids == {}


@pytest.mark.parametrize("system", [KraftPy, partial(Kafka, linger_ms=0)], ids=["kraftpy", "kafka"])
@pytest.mark.landing
async def test_kafkas_admin_client_makes_the_mixed_writes(system, jars, root):
    """One by one, in batches and at a rate, at controllers of ours and of Kafka's: no request is refused."""
    cluster = system()
    assert jars.version in cluster.version() or system is KraftPy
    short = {"is_mixed": True, "seconds": 1.0, "warmup_s": 0.0, "form": ADMIN}
    try:
        await cluster.start(root)
        for work in (Work(in_flight=4, **short), Work(in_flight=2, batch=128, **short), Work(rate=20, **short)):
            before = max((await cluster.positions()).values())
            outcome = await cluster.run(work, lambda: None)
            assert (outcome.errors, outcome.first_error) == (0, "")
            assert outcome.records == outcome.requests * work.batch > 0
            assert max((await cluster.positions()).values()) >= before + outcome.requests
        with pytest.raises(SkippedError, match="not a number of records"):
            await cluster.run(Work(total=10, form=ADMIN), lambda: None)
    finally:
        await cluster.stop()


@pytest.mark.parametrize("peer", ["", "etcd"], ids=["kraftpy", "etcd"])
@pytest.mark.parametrize("moment", ["first node", "last node", "load"])
@pytest.mark.parametrize(
    ("number", "ending"), [(signal.SIGINT, ExitCode.INTERRUPTED), (signal.SIGTERM, ExitCode.TERMINATED)]
)
@pytest.mark.landing
def test_ctrl_c_and_sigterm_leave_no_process(peer, moment, number, ending, root):
    """Neither nodes, which have sessions of their own, nor a load tool; and no file, whenever it comes."""
    if peer:
        try:
            Etcd().version()
        except SkippedError as error:
            pytest.skip(f"{peer}: {error}")
    words = ["--without-kraftpy", "--peers", peer] if peer else []
    command = [sys.executable, "-m", "kraftpy", "bench", "commit", "--dir", str(root), *words]
    output = root / "output"

    def has_come():
        found = processes_of(root)
        if moment != "load":
            # Each node leads a session of its own, and nothing else does.
            return sum(pid == session for pid, session, _ in found) >= (1 if moment == "first node" else NODES)
        # kraftpy's load is made by the benchmark itself: it has begun when the first case is over.
        return any("etcdload" in program for *_, program in found) if peer else "\n  " in output.read_text()

    with children_get_sigint(), output.open("w") as file:
        environment = os.environ | {MARK: str(root)}
        with subprocess.Popen(command, cwd=ROOT, env=environment, stdout=file, stderr=file) as process:
            wait_until(has_come, process)
            process.send_signal(number)
            code = process.wait(PATIENCE_S)
    assert (code, output.read_text().splitlines()[-1]) == (ending, f"error: {ending.meaning}")
    assert (processes_of(root), list(root.iterdir())) == ([], [output])


def processes_of(root):
    """The processes that were started with this root: process id, session and program of each."""
    mark, found = f"{MARK}={root}".encode(), []
    for path in Path("/proc").glob("[0-9]*"):
        with contextlib.suppress(OSError):  # It has ended, or is another user's.
            if mark in (path / "environ").read_bytes().split(b"\0"):
                program = (path / "cmdline").read_bytes().partition(b"\0")[0].decode()
                found.append((int(path.name), os.getsid(int(path.name)), program))
    return found


def wait_until(condition, process):
    """While the process runs."""
    ends = time.monotonic() + PATIENCE_S
    while not condition():
        assert process.poll() is None, "it has ended"
        assert time.monotonic() < ends
        time.sleep(POLL_S)


async def missing_records(kafka):
    """A controller that is down while records are written has them in its log and its state when it is back."""
    leader = await kafka.leader()
    behind = next(name for name in kafka.pids if name != leader)
    await kafka.stop_node(behind, kill=False)
    outcome = await kafka.run(Work(total=300, batch=128, in_flight=2), lambda: None)
    assert (outcome.records, outcome.errors) == (300, 0)
    end = (await kafka.positions())[leader]
    assert await kafka.loaded(behind) == -1
    await kafka.start_node(behind)

    async def is_level():
        # The leader itself publishes what it has committed a moment later, so its state is requested again, too.
        has_log = (await kafka.positions())[behind] >= end
        return has_log and 0 < await kafka.loaded(leader) == await kafka.loaded(behind)

    await eventually(is_level, f"{behind} has everything", 90.0)
    assert kafka.log_bytes(behind) > 300 * 256
