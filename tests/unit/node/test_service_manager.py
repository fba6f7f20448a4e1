"""What a node reports to systemd: real datagrams to a socket of the test."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
import sys

import pytest
from structlog.testing import capture_logs

from kraftpy.node.service_manager import STATUS_CHARACTERS_MAX, ServiceManager


class NotifySocket:
    """A socket such as systemd's, and what was sent to it."""

    def __init__(self, address):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self.socket.bind(address)
        self.socket.settimeout(0)

    def messages(self):
        found = []
        with contextlib.suppress(BlockingIOError):
            while True:
                found.append(self.socket.recv(4096).decode())
        return found


@pytest.fixture
def notified(tmp_path):
    made = NotifySocket(str(tmp_path / "notify"))
    yield made
    made.socket.close()


def manager(notified, *, reasons=None, failure=None, **environment):
    """One whose node gives these reasons, one after the other, the last one for ever."""
    left = list(reasons or [None])
    return ServiceManager(
        lambda: left.pop(0) if len(left) > 1 else left[0],
        lambda: failure,
        {"NOTIFY_SOCKET": notified.socket.getsockname()} | environment,
    )


async def reported_by(one, notified, until):
    """Run until the messages satisfy a condition; return them."""
    found = []
    task = asyncio.ensure_future(one.run())
    async with asyncio.timeout(20):
        while not until(found):
            await asyncio.sleep(0.001)
            found += notified.messages()
    task.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await task
    return found


async def test_a_node_reports_that_it_started_and_what_it_waits_for(notified):
    one = manager(notified, reasons=["no leader\nis known", "no leader\nis known", None], WATCHDOG_USEC="3000")
    found = await reported_by(one, notified, lambda found: any("serving" in each for each in found))
    assert found[0] == "READY=1\nWATCHDOG=1\nSTATUS=not ready: no leader is known"
    assert [each for each in found if "STATUS" in each][1:] == ["WATCHDOG=1\nSTATUS=serving"]


async def test_signs_of_life_come_several_times_within_the_watchdogs_time(notified):
    loop = asyncio.get_running_loop()
    began = loop.time()
    await reported_by(
        manager(notified, WATCHDOG_USEC="90000", WATCHDOG_PID=str(os.getpid())), notified, lambda f: len(f) >= 5
    )
    assert loop.time() - began >= 0.09, "three in 90 ms"


@pytest.mark.parametrize(
    "environment",
    [
        {},
        {"WATCHDOG_USEC": "0"},
        {"WATCHDOG_USEC": "soon"},
        {"WATCHDOG_USEC": "-5"},
        {"WATCHDOG_USEC": "9" * 5_000},
        {"WATCHDOG_USEC": "1000", "WATCHDOG_PID": "1"},
        {"WATCHDOG_USEC": "1000", "failure": "its disk failed"},
    ],
)
async def test_a_node_that_is_not_watched_or_has_failed_gives_no_sign_of_life(notified, environment, monkeypatch):
    monkeypatch.setattr("kraftpy.node.service_manager.STATUS_INTERVAL_S", 0.001)
    given = dict(environment)
    one = manager(notified, reasons=[*map(str, range(20)), "last"], failure=given.pop("failure", None), **given)
    found = await reported_by(one, notified, lambda found: any("last" in each for each in found))
    assert not any("WATCHDOG" in each for each in found)


async def test_a_status_is_bounded(notified):
    (first,) = await reported_by(manager(notified, reasons=["x" * 10_000]), notified, lambda found: found)
    assert len(first) == len("READY=1\nSTATUS=") + STATUS_CHARACTERS_MAX


async def test_what_was_not_taken_is_sent_again(notified, monkeypatch):
    """Systemd ends a node that never was ready for it, or shows for ever what the node waited for at first."""
    monkeypatch.setattr("kraftpy.node.service_manager.STATUS_INTERVAL_S", 0.001)
    one = manager(notified)
    with capture_logs() as logs:
        while not logs:
            one._send("X=1")
        one._report()
        found = await reported_by(one, notified, lambda found: "READY=1\nSTATUS=serving" in found)
    assert found.count("READY=1\nSTATUS=serving") == 1


async def test_a_reason_with_bytes_of_a_path_is_sent(notified):
    (first,) = await reported_by(manager(notified, reasons=["a\udcff"]), notified, lambda found: found)
    assert first.endswith("not ready: a\\udcff")


async def test_the_end_is_not_overwritten(notified):
    one = manager(notified, reasons=["stopping"], WATCHDOG_USEC="3000")
    one.stopping()
    found = await reported_by(one, notified, lambda found: len(found) > 3)
    assert "not ready" not in "".join(found)


def test_it_reports_that_it_stops(notified):
    manager(notified).stopping()
    assert notified.messages() == ["STOPPING=1\nSTATUS=stopping"]


@pytest.mark.skipif(sys.platform != "linux", reason="the abstract namespace is Linux's")
async def test_a_name_in_the_abstract_namespace_is_an_address():
    name = f"kraftpy-test-{os.getpid()}"
    notified = NotifySocket("\0" + name)
    try:
        ServiceManager(lambda: None, lambda: None, {"NOTIFY_SOCKET": f"@{name}"}).stopping()
        assert notified.messages() == ["STOPPING=1\nSTATUS=stopping"]
    finally:
        notified.socket.close()


@pytest.mark.parametrize("address", ["", "relative", "tcp:1"])
async def test_without_a_socket_nothing_is_sent(address):
    one = ServiceManager(lambda: None, lambda: None, {"NOTIFY_SOCKET": address})
    with capture_logs() as logs:
        await one.run()
        one.stopping()
    assert logs == []


async def test_a_service_manager_that_takes_nothing_is_reported_once(tmp_path):
    """It ends the node, or fills the log."""
    one = ServiceManager(lambda: None, lambda: None, {"NOTIFY_SOCKET": str(tmp_path / "gone")})
    with capture_logs() as logs:
        one.stopping()
        one.stopping()
    assert [entry["event"] for entry in logs] == ["service_manager_not_notified"]


async def test_a_full_queue_is_not_waited_for(notified):
    """Systemd is busy: the event loop would be blocked with it."""
    one = manager(notified)
    with capture_logs() as logs:
        for _ in range(10_000):
            one.stopping()
            if logs:
                break
    assert "temporarily unavailable" in logs[0]["reason"]
