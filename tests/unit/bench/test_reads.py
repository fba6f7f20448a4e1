"""Reads and watches: which work there is, what counts, and what a load tool prints."""

from __future__ import annotations

import sys

import pytest

from bench import grpc_reads
from bench.grpc_reads import Stamping, check_value
from bench.main import PEERS, KraftPy
from bench.peers import etcd
from bench.peers.loadtool import run_watchers
from bench.reading import MARK, TIME_DIGITS, Watched, Watching, readable
from bench.reads import NAMES, measure_reads, readings
from bench.watch import measure_watch
from bench.wire import VERSION, success
from bench.work import Outcome, SkippedError
from bench.writes import value_of
from kraftpy.cli import bench as command
from kraftpy.model.offsets import Offset
from kraftpy.records.generated import rpc
from kraftpy.records.rpc import decode_request, encode_response


class Store:
    """Answers reads of clients of two kinds; linearizable ones of its leader only."""

    name = "store"
    forms = ("one",)
    readers = ("one", "two")
    pids: dict[str, int]

    def __init__(self, filled=NAMES):
        self.pids = {}
        self.filled = filled
        self.asked = []

    async def leader(self):
        return "a"

    async def run(self, work, measuring):
        measuring()
        return Outcome(records=self.filled, first_error="full")

    async def read(self, reading, work, measuring):
        if reading.is_linearizable and reading.nodes > 1:
            raise SkippedError("the leader only")
        self.asked.append((reading, work.form))
        measuring()
        return Outcome(requests=10, records=10, elapsed_s=2.0, latencies_us=[1_000.0] * 10)

    async def watch(self, watching, measuring, measured):
        measuring()
        measured()
        return Watched(
            received=900, silent=2, lags_us=[2_000.0, 4_000.0], elapsed_s=2.0, written_per_s=99.0, first_error="lost"
        )


def test_the_works_of_a_reads_run():
    """Both consistencies, one and three nodes, each number in flight."""
    assert [label for label, _, _ in readings((64, 1_000), 1.0, 0.5)] == [
        f"{kind}, {number} in flight, {nodes}"
        for kind in ("linearizable", "committed")
        for nodes in ("1 node", "3 nodes")
        for number in ("64", "1,000")
    ]


async def test_reads_are_made_by_each_client_that_is_wanted():
    """What a system cannot be asked is skipped with its reason, and the rest is measured."""
    store, stated = Store(), []
    rows = await measure_reads(store, 1, readings((64,), 1.0, 0.0), ("two", "three"), stated.append)
    assert [row.work for row in rows] == [
        "linearizable, 64 in flight, 1 node", "committed, 64 in flight, 1 node", "committed, 64 in flight, 3 nodes",
    ]  # fmt: skip
    assert {row.form for row in rows} == {form for _, form in store.asked} == {"two"}
    assert rows[0].figures["reads/s"] == 5
    assert "  linearizable, 64 in flight, 3 nodes, two: skipped: the leader only" in stated


async def test_values_that_are_not_there_are_not_read():
    """A store that could not be filled fails the run."""
    with pytest.raises(RuntimeError, match="10 of 1000 values were written: full"):
        await measure_reads(Store(10), 1, readings((64,), 1.0, 0.0), (), lambda _: None)


async def test_watchers_that_received_less_show_so():
    """The share of what was written for all of them, the lag, and what went wrong."""
    watching = Watching(watchers=10, rate=100.0, seconds=2.0, warmup_s=0.0)
    (row,) = await measure_watch(Store(), 1, [watching], lambda _: None)
    assert row.work == "10 watchers, 100 writes/s"
    assert (row.figures["received %"], row.figures["silent"], row.notes) == (45.0, 2, ["lost"])
    assert (row.figures["lag p50 ms"], row.figures["lag p99 ms"]) == (2.0, 4.0)


def test_the_peers_that_are_offered_can_be_read():
    """The command offers for reads what the harness can ask."""
    assert all(readable(PEERS[name]()) for name in command.READABLE)
    assert KraftPy.readers == command.READERS
    with pytest.raises(TypeError, match="kafka cannot be read"):
        readable(PEERS["kafka"]())


def test_a_stamped_write_is_of_its_time():
    """The value begins with the mark and the time; only the answer of that very write is its success."""
    stamping = Stamping(3)
    names = set()
    for _ in range(3):
        header, request = decode_request(stamping.next()[4:])
        ((resource,),) = (request.resources,)
        (config,) = resource.configs
        assert (header.correlation_id, len(config.value), config.value.startswith(MARK)) == (3, 256, True)
        assert config.value[len(MARK) :][:TIME_DIGITS].isdecimal()
        assert stamping.judge(success(3, request.resources)) == ""
        names.add(resource.resource_name)
    assert len(names) == 3
    refused = rpc.IncrementalAlterConfigsResponse(0, [])
    assert stamping.judge(encode_response(3, refused, VERSION)) == "a write was rejected"


def test_a_value_that_was_read_is_one_that_was_written():
    """Its length counts, and all of it but the serial number at its start."""
    check_value("bench-1", value_of(7, 256), 256)
    for value, found in (
        (None, "no value"),
        (value_of(7, 255), "a value of 255 bytes"),
        (value_of(7, 255) + "y", "a value of 256 bytes"),
    ):
        with pytest.raises(ValueError, match=f"bench-1 has {found}, not the one of 256 bytes"):
            check_value("bench-1", value, 256)


async def test_etcd_and_kraftpy_are_watched_over_as_many_connections(monkeypatch):
    """Four to each of the three nodes."""
    asked = []

    async def run_watchers(command, *_):
        asked.append(command)

    for module in (etcd, grpc_reads):
        monkeypatch.setattr(module, "run_watchers", run_watchers)
        monkeypatch.setattr(module, "go_command", lambda _, arguments: arguments)
    monkeypatch.setattr(grpc_reads, "go_tool", lambda: None)
    watching, mark = Watching(watchers=10, rate=100.0, seconds=2.0, warmup_s=0.0), lambda: None
    await etcd.Etcd().watch(watching, mark, mark)
    await grpc_reads.watch(["a", "b", "c"], ("", 0), Offset(0), watching, mark, mark)
    assert [one["connections"] for one in asked] == ["12", "12"]


TOOL = """
import time
print("watching", flush=True)
print("measuring", flush=True)
print("measured", flush=True)
print('{"received": 5, "silent": 0, "lags_us": null, "client_cpu_s": 1.0, "elapsed_s": 2.0, "first_error": ""}')
"""


async def test_a_tool_that_watches_is_run_with_a_writer():
    """The writer starts when all watch; marks are passed on; both results are in one."""
    marks = []

    async def writing():
        marks.append("writing")
        return Outcome(records=100, elapsed_s=2.0, first_error="slow")

    watched = await run_watchers(
        [sys.executable, "-c", TOOL], writing, lambda: marks.append("begin"), lambda: marks.append("end")
    )
    assert sorted(marks) == ["begin", "end", "writing"]
    assert (watched.received, watched.lags_us, watched.written_per_s) == (5, [], 50.0)
    assert watched.first_error == "slow"


async def test_a_tool_that_fails_states_why():
    """Its last words are in the error."""
    tool = [sys.executable, "-c", "import sys; sys.exit('no such service')"]
    with pytest.raises(RuntimeError, match="ended with 1 and no result: no such service"):
        await run_watchers(tool, None, lambda: None, lambda: None)
