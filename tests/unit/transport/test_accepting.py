"""What becomes of connections that were accepted when the listener closes."""

from __future__ import annotations

import gc
import socket

from kraftpy.transport.kafka.accepting import Acceptor

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
