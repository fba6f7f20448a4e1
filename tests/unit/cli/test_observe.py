"""How ``kraftpy observe`` ends before it observes anything; nothing here opens a socket."""

from __future__ import annotations

import asyncio
import os
import signal

import pytest

from kraftpy.cli.exit_codes import ExitCode

HOST = "localhost:1"


class NotHandledError(Exception):
    """The signal came to what handled it before the command began."""


@pytest.fixture(autouse=True)
def logs_as_they_are(monkeypatch):
    """Logs that are set up once stay so in this process: other tests capture them."""
    monkeypatch.setattr("kraftpy.node.logs.configure_logging", lambda **_: None)


@pytest.fixture
def unhandled():
    """Keep a signal that the command does not handle from ending the tests."""

    def refuse(*_):
        raise NotHandledError

    before = signal.signal(signal.SIGTERM, refuse)
    yield refuse
    assert signal.getsignal(signal.SIGTERM) is refuse, "the command gives the signal back"
    signal.signal(signal.SIGTERM, before)


def terminate():
    os.kill(os.getpid(), signal.SIGTERM)


def test_a_signal_while_the_options_are_read_ends_it_with_ok(run, unhandled, monkeypatch):
    monkeypatch.setattr("kraftpy.config.endpoints.parse_bootstrap_servers", lambda *_: terminate())
    assert run("observe", "-C", HOST).exit_code is ExitCode.OK


def test_a_signal_while_controllers_are_looked_for_ends_it_with_ok(run, unhandled, monkeypatch, tmp_path):
    """The search is cancelled, and the temporary directory for the copy is removed."""
    cancelled = []

    async def find(*_, **__):
        try:
            terminate()
            await asyncio.Event().wait()
        finally:
            cancelled.append(True)

    monkeypatch.setattr("kraftpy.quorum_tools.observer.find_controllers", find)
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    assert run("observe", "-C", HOST).exit_code is ExitCode.OK
    assert cancelled == [True]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("arguments", "code"), [(("-C", "nowhere"), ExitCode.USAGE), (("--help",), ExitCode.OK)])
def test_an_end_without_a_signal_is_as_before(run, unhandled, arguments, code):
    assert run("observe", *arguments).exit_code == code
