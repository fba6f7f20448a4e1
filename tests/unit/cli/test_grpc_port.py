"""A port that was given as gRPC and is none is told from one that is down, or slow."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from kraftpy.cli.exit_codes import ExitCode
from kraftpy.cli.grpc_port import FRAME_HEADER_BYTES, wrong_endpoints

PATIENCE_S = 10
HTTP2_SETTINGS = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))


@contextmanager
def listening(answer: bytes | None) -> Iterator[int]:
    """A port that says something to whoever speaks to it and hangs up; ``None`` says nothing, and stays."""
    held = []

    def serve() -> None:
        while True:
            try:
                connection, _ = server.accept()
            except OSError:
                return
            held.append(connection)
            if answer is not None:
                connection.recv(100)
                connection.sendall(answer)
                connection.shutdown(socket.SHUT_RDWR)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=serve, daemon=True)
        thread.start()
        yield server.getsockname()[1]
        server.shutdown(socket.SHUT_RDWR)
        thread.join(PATIENCE_S)
    for connection in held:
        connection.close()


@pytest.mark.parametrize(
    ("answer", "uses_tls", "said"),
    [
        (b"", False, "hangs up on gRPC"),
        (b"HTTP/1.1 400 Bad Request\r\n", False, "does not speak gRPC; its first words are b'HTTP/1.1 '"),
        (b"\x15\x03\x01\x00\x02\x02\x46", False, "speaks TLS; give --tls-ca"),
        (HTTP2_SETTINGS, False, None),
        (b"HTTP/1.1 400 Bad Request\r\n", True, "does not speak TLS"),
    ],
)
def test_what_a_port_is(answer: bytes, uses_tls: bool, said: str | None) -> None:
    """By its first words; HTTP/2 begins with SETTINGS."""
    assert len(HTTP2_SETTINGS) == FRAME_HEADER_BYTES
    with listening(answer) as port:
        address = f"127.0.0.1:{port}"
        found = asyncio.run(wrong_endpoints([address], uses_tls=uses_tls))
    assert (found[0].startswith(f"{address} {said}") if found else None) == (None if said is None else True)


def test_who_is_down_or_silent_may_still_be_right(monkeypatch: pytest.MonkeyPatch) -> None:
    """A node that starts, or that stands still, is waited for."""
    monkeypatch.setattr("kraftpy.cli.grpc_port.LOOK_S", 0.2)
    with listening(None) as port:
        assert asyncio.run(wrong_endpoints(["127.0.0.1:1", f"127.0.0.1:{port}"], uses_tls=False)) == []


def test_a_command_does_not_wait_for_a_port_that_is_none(run) -> None:
    """It ends at once, with the code for nobody being there; one endpoint that may be right is waited for."""
    with listening(b"") as port:
        result = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port}", "--timeout", 600)
        assert result.exit_code == ExitCode.UNREACHABLE
        assert result.stderr.startswith(f"error: 127.0.0.1:{port} hangs up on gRPC; is it another listener")
        both = run("cluster", "cluster-id", "-C", f"127.0.0.1:{port},127.0.0.1:1", "--timeout", 1)
        assert both.exit_code == ExitCode.UNREACHABLE
        assert "waited 1 s" in both.stderr


def test_a_name_that_nobody_knows_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """It is said at once; a resolver that is out of order is waited for."""
    address = "no-such-host.invalid:9193"
    (found,) = asyncio.run(wrong_endpoints([address], uses_tls=False))
    assert found.startswith(f"{address} is a name that cannot be resolved: ")

    async def out_of_order(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr("kraftpy.cli.grpc_port.asyncio.open_connection", out_of_order)
    assert asyncio.run(wrong_endpoints([address], uses_tls=False)) == []
