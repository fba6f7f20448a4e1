"""What becomes of accepted connections when the listener closes, and when something fails before they are made."""

from __future__ import annotations

import asyncio
import gc
import socket
import ssl

import pytest

from kraftpy.transport.kafka.accepting import Accepted, Acceptor

HOST = "127.0.0.1"


async def test_a_connection_whose_task_never_began_is_closed(recwarn):
    """It was accepted in the turn in which the listener closes; nothing is made for it."""

    def make():
        raise AssertionError("nothing is made any more")

    acceptor = Acceptor(HOST, 0, make, lambda: None)
    await acceptor.start()
    (listening,) = acceptor._sockets
    with socket.create_connection((HOST, acceptor.port), timeout=60) as client:
        acceptor._accept(listening)
        assert len(acceptor._tasks) == 1
        acceptor.close()
        await acceptor.wait_closed()
        assert client.recv(1) == b""
    gc.collect()
    assert not acceptor._tasks
    assert not acceptor._untaken
    assert [warning for warning in recwarn if warning.category is ResourceWarning] == []


class Fails(Accepted):
    """Raises an error when it is accepted, if it is to; and notes why it was never made."""

    def __init__(self, error: Exception | None) -> None:
        self.error = error
        self.reasons: list[str] = []

    def accepted(self, address, give_up):
        if self.error is not None:
            raise self.error
        return True

    def never_made(self, reason):
        self.reasons.append(reason)


@pytest.mark.parametrize("fails", ["accepted", "context", "os", "loop"])
async def test_a_connection_is_closed_whatever_fails_before_it_is_made(fails, recwarn, monkeypatch):
    """Without that, the client waits for ever, and the place that the connection took is never free again."""
    error = OSError("no file") if fails == "os" else ValueError("a defect")
    protocol = Fails(error if fails == "accepted" else None)

    def context() -> ssl.SSLContext | None:
        if fails in {"context", "os"}:
            raise error
        return None

    async def connect(*_args, **_kwargs):
        raise error

    acceptor = Acceptor(HOST, 0, lambda: protocol, context)
    await acceptor.start()
    (listening,) = acceptor._sockets
    if fails == "loop":
        monkeypatch.setattr(asyncio.get_running_loop(), "connect_accepted_socket", connect)
    with socket.create_connection((HOST, acceptor.port), timeout=60) as client:
        acceptor._accept(listening)
        (task,) = acceptor._tasks
        (found,) = await asyncio.gather(task, return_exceptions=True)
        assert found is (None if fails == "os" else error)
        assert not acceptor._tasks
        assert client.recv(1) == b""
    acceptor.close()
    assert [str(error) in reason for reason in protocol.reasons] == [True]
    gc.collect()
    assert not acceptor._untaken
    assert [warning for warning in recwarn if warning.category is ResourceWarning] == []
