"""``server.properties`` of a node."""

from __future__ import annotations

from kraftpy.config.node_config import parse_config
from kraftpy.config.protection import MISSING
from kraftpy.config.values import FILE_KEYS
from kraftpy.model.errors import ConfigError
from tests.fuzz.target import Target

CONTROLLER = """\
process.roles=controller
node.id=1
controller.quorum.voters=1@localhost:9093,2@[::1]:9094,3@host.example:9095
listeners=CONTROLLER://:9093
controller.listener.names=CONTROLLER
log.dirs=/tmp/a,/tmp/b
grpc.listener=localhost:9000
"""
BOTH = """\
# a comment
process.roles=broker,controller
node.id = 7
controller.quorum.bootstrap.servers=h:1,[::1]:2
listeners=PLAINTEXT://:9092,CONTROLLER://h:9093
advertised.listeners=PLAINTEXT://h:9092
listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT
controller.listener.names=CONTROLLER
inter.broker.listener.name=PLAINTEXT
log.dirs=/tmp/x
metadata.log.segment.bytes=8388608
broker.rack=r\\u00fc \\
  ck
"""


def run(data: bytes) -> None:
    """Parse; the text of a secret never shows."""
    config = parse_config(data.decode("latin-1"), "server.properties")
    assert repr(config)


def samples():
    yield "controller", CONTROLLER.encode()
    yield "both", BOTH.encode()
    yield "every-key", "".join(f"{name}=1\n" for name in FILE_KEYS).encode()


TARGET = Target(
    name="server_properties",
    run=run,
    refusals=(ConfigError,),
    samples=samples,
    words=(
        *(f"\n{name}=".encode() for name in FILE_KEYS),
        *(f"\n{name}=".encode() for name in MISSING),
        b"\nlistener.name.controller.",
        b"\\\n",
        b"://",
        b"[",
        b"@",
        b",",
        b":",
        b"-1",
        b"true",
        b"\\u",
    ),
    memory_base=4 * 1024 * 1024,
)
