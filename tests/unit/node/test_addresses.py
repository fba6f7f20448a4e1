"""An address that a node cannot listen on: the key, the value, the reason and the way out, and nothing of gRPC's."""

from __future__ import annotations

import asyncio
import errno
import os
import socket

import pytest

from kraftpy.config.node_config import parse_config
from kraftpy.model.errors import ConfigError
from kraftpy.node.addresses import cannot_listen, check_can_listen
from kraftpy.node.node import Node

UNKNOWN = "no-such-host.invalid"


@pytest.fixture
def taken():
    """A port with a listener."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


async def test_a_free_port_can_be_taken_again_at_once():
    """Looking leaves nothing behind, on a name of two families and on any address."""
    await check_can_listen("localhost", 0)
    await check_can_listen("", 0)
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
    await check_can_listen("127.0.0.1", port)
    with socket.create_server(("127.0.0.1", port)):
        pass


async def test_what_is_wrong_with_an_address(taken):
    """A port in use, an address of another machine, a name that does not resolve."""
    for host, port, number in (("127.0.0.1", taken, errno.EADDRINUSE), ("192.0.2.1", 0, errno.EADDRNOTAVAIL)):
        with pytest.raises(OSError, match=rf"\[Errno {number}\]") as raised:
            await check_can_listen(host, port)
        assert raised.value.errno == number
    with pytest.raises(socket.gaierror):
        await check_can_listen(UNKNOWN, 1)


async def test_of_a_name_with_several_addresses_one_that_works_is_enough(taken, monkeypatch):
    """Where none does, a port in use explains more than an address that this machine lacks."""
    stranger, free, in_use = ("192.0.2.1", 0), ("127.0.0.1", 0), ("127.0.0.1", taken)

    def represents(*addresses):
        async def found(*_, **__):
            return [(socket.AF_INET, socket.SOCK_STREAM, 0, "", address) for address in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", found)

    represents(stranger, free)
    await check_can_listen("name", 0)
    represents(stranger, in_use)
    with pytest.raises(OSError, match=rf"\[Errno {errno.EADDRINUSE}\]"):
        await check_can_listen("name", 0)


@pytest.mark.parametrize(
    ("number", "way_out"),
    [(errno.EADDRINUSE, "Stop the process"), (errno.EACCES, "a port above 1023"), (errno.EADDRNOTAVAIL, "a name or")],
)
def test_each_reason_has_its_way_out(number, way_out):
    """One sentence: key, value, reason, way out."""
    text = str(cannot_listen("k", "h:1", OSError(number, os.strerror(number))))
    assert text.startswith(f"k=h:1: cannot listen there: {os.strerror(number)}. ")
    assert way_out in text


@pytest.mark.parametrize("key", ["grpc.listener", "metrics.listener", "listeners"])
async def test_an_unknown_host_is_reported_once(tmp_path, key, capfd):
    """Each listener names its key; the public API says nothing beside it (gRPC would, on stderr, past every log)."""
    addresses = {"grpc.listener": "127.0.0.1:0", "metrics.listener": "127.0.0.1:0", "listeners": "127.0.0.1:0"}
    addresses[key] = f"{UNKNOWN}:19193"
    config = parse_config(
        f"process.roles=controller\nnode.id=1\ncontroller.quorum.voters=1@127.0.0.1:29093\n"
        f"controller.listener.names=C\nlisteners=C://{addresses['listeners']}\n"
        f"advertised.listeners=C://127.0.0.1:29093\nlog.dirs={tmp_path}\n"
        f"grpc.listener={addresses['grpc.listener']}\nmetrics.listener={addresses['metrics.listener']}\n",
        "test",
    )
    shown = f"C://{UNKNOWN}" if key == "listeners" else UNKNOWN
    with pytest.raises(ConfigError, match=rf"^{key}={shown}:19193: cannot listen there: .*Configure a name or an"):
        await Node(config).run()
    assert "lookup failed" not in capfd.readouterr().err
