"""What a port is, from what servers send after the start of HTTP/2.

Recorded from gRPC 1.x's C library, Python's ``http.server`` and a node's metrics listener; the others are of the form
that their servers' documentation has.
"""

from __future__ import annotations

import pytest

from kraftpy.quorum_tools.port_kinds import (
    FIRST_BYTES_MAX,
    HTTP2_FRAME_HEADER_BYTES,
    FoundPort,
    PortKind,
    is_enough,
    kind_of,
    kind_of_apis,
    sentence,
    shown,
)

METRICS = (
    b"HTTP/1.1 405 Method Not Allowed\r\nContent-Type: text/plain\r\nContent-Length: 38\r\nConnection: close\r\n\r\n"
    b"GET only: /metrics, /livez or /readyz\n"
)
NGINX = (
    b"HTTP/1.1 400 Bad Request\r\nServer: nginx/1.22.1\r\nContent-Type: text/html\r\nContent-Length: 157\r\n"
    b"Connection: close\r\n\r\n<html>\r\n<head><title>400 Bad Request</title></head>"
)
PYTHON = b'<!DOCTYPE HTML>\n<html lang="en">\n    <head>\n        <meta charset="utf-8">\n        <title>Error response'
GRPC_SERVER = bytes.fromhex(
    "000018040000000000000400400000000500400000000600004000fe0300000001000004080000000000003f0001"
)
GRPC_EMPTY = bytes((0, 0, 0, 4, 0, 0, 0, 0, 0))
GO_AWAY = bytes((0, 0, 8, 7, 0, 0, 0, 0, 0)) + bytes(8)
ALERT = bytes.fromhex("15030100020246")
HANDSHAKE_FAILURE = bytes.fromhex("15030300020228")
SSH = b"SSH-2.0-OpenSSH_9.2p1 Debian-2+deb12u3\r\n"
SMTP = b"220 mail.example.com ESMTP\r\n"


@pytest.mark.parametrize(
    ("first", "kind"),
    [
        (GRPC_SERVER, PortKind.GRPC),
        (GRPC_EMPTY, PortKind.GRPC),
        (GO_AWAY, PortKind.OTHER),
        (METRICS, PortKind.METRICS),
        (NGINX, PortKind.HTTP),
        (PYTHON, PortKind.HTTP),
        (SSH, PortKind.SSH),
        (ALERT, PortKind.TLS),
        (HANDSHAKE_FAILURE, PortKind.TLS),
        (SMTP, PortKind.OTHER),
        (GRPC_EMPTY[:-1], PortKind.OTHER),
        (b"\0", PortKind.OTHER),
        (b"", PortKind.CLOSED),
    ],
)
def test_the_kind_of_a_port(first: bytes, kind: PortKind) -> None:
    """By what a server sends first."""
    assert kind_of(first) is kind


@pytest.mark.parametrize(
    ("first", "is_all"),
    [
        (GRPC_EMPTY, True),
        (GRPC_EMPTY[:-1], False),
        (SSH[:9], True),
        (METRICS[:40], False),
        (NGINX, False),
        (b"", False),
    ],
)
def test_how_much_is_read(first: bytes, is_all: bool) -> None:
    """A frame header decides; an HTTP server is read to its end, because the body shows whose it is."""
    assert is_enough(first) is is_all
    assert len(METRICS) < FIRST_BYTES_MAX
    assert len(GRPC_EMPTY) == HTTP2_FRAME_HEADER_BYTES


def test_every_first_byte_has_a_kind() -> None:
    """No byte of a stranger raises."""
    for byte in range(256):
        for rest in (b"", bytes(8), b"\x03\x03\0\0\0\0\0\0", b"\xff" * 600):
            first = bytes((byte,)) + rest
            assert kind_of(first) in PortKind
            assert is_enough(first) in {True, False}
            assert len(shown(first)) < 140


def test_only_controllers_serve_snapshots() -> None:
    """A broker serves other apis of Kafka's protocol."""
    assert kind_of_apis({1, 18, 59}) is PortKind.CONTROLLER
    assert kind_of_apis({0, 1, 3, 18}) is PortKind.BROKER


@pytest.mark.parametrize("kind", list(PortKind))
@pytest.mark.parametrize("uses_tls", [False, True])
def test_every_kind_has_a_sentence(kind: PortKind, uses_tls: bool) -> None:
    """It comes after the address, and has the detail where there is one."""
    text = sentence(FoundPort(kind, is_tls=uses_tls, detail="why {so}"), uses_tls=uses_tls)
    assert text.split()[0] in {"is", "speaks", "closes", "accepts", "refused", "shows", "demands", "cannot"}
    if kind in {PortKind.OTHER, PortKind.UNKNOWN_NAME, PortKind.UNTRUSTED, PortKind.UNREACHABLE}:
        assert "why {so}" in text


def test_a_port_in_plaintext_is_named_to_a_command_with_tls() -> None:
    """With the way out: the port is the right one, or none of a node."""
    right = sentence(FoundPort(PortKind.CONTROLLER), uses_tls=True)
    assert right == "is a controller's listener of Kafka's protocol, and does not speak TLS; give a port with TLS"
    wrong = sentence(FoundPort(PortKind.METRICS), uses_tls=True)
    assert wrong.startswith("is the metrics listener of a kraftpy node, and does not speak TLS; give the address of a")
    assert sentence(FoundPort(PortKind.HTTP, is_tls=True), uses_tls=True).startswith("is an HTTP/1 server; give")
