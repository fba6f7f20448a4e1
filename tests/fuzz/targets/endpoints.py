"""Words for addresses: initial controllers, static voters, listeners, bootstrap servers. A first byte chooses."""

from __future__ import annotations

from kraftpy.config.endpoints import (
    parse_address,
    parse_bootstrap_servers,
    parse_listeners,
    parse_protocol_map,
    parse_voters,
)
from kraftpy.model.errors import ConfigError
from kraftpy.storage.initial_controllers import parse_initial_controllers
from tests.fuzz.target import Target

DIRECTORIES = ("JEXY6aqzQY-32P5TStzaFg", "MvDxzVmcRsaTz33bUuRU6A")


def run(data: bytes) -> None:
    """Read one kind of word; the readers behind ``ValueError`` are those whose caller names the key."""
    text = data[1:].decode("utf-8", "surrogateescape")
    items = text.split(",")
    match data[:1]:
        case b"i":
            assert len(parse_initial_controllers(text, "CONTROLLER")) >= 1
        case b"v":
            refused(lambda: parse_voters(items, "CONTROLLER"))
        case b"l":
            refused(lambda: parse_listeners(items))
        case b"b":
            refused(lambda: parse_bootstrap_servers(items, "CONTROLLER"))
        case b"p":
            refused(lambda: parse_protocol_map(items))
        case _:
            refused(lambda: parse_address(text))


def refused(read) -> None:
    """Allow a ValueError with a text of ours; Python's own about digits is none."""
    refusal = None
    try:
        read()
    except ValueError as error:
        refusal = error
    assert type(refusal) in {ValueError, type(None)}, refusal
    assert "integer string conversion" not in str(refusal), refusal


def samples():
    first, second = DIRECTORIES
    yield "initial", f"i1@localhost:9093:{first},2@[::1]:9094:{second}".encode()
    yield "voters", b"v1@localhost:9093,2@[::1]:9094,3@h.example:1"
    yield "listeners", b"lPLAINTEXT://:9092,CONTROLLER://h:9093,SSL://[::1]:9094"
    yield "bootstrap", b"blocalhost:9092,[::1]:9093"
    yield "protocols", b"pCONTROLLER:PLAINTEXT,A:SSL"
    yield "address", b"a[::1]:9093"


TARGET = Target(
    name="endpoints",
    run=run,
    refusals=(ConfigError,),
    samples=samples,
    words=(b"@", b":", b"[", b"]", b",", b"://", b"-1", b"65536", b"::", b"%", DIRECTORIES[0].encode(), b"\xd9\xa1"),
)
