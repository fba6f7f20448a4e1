"""What single listeners show to any client: the certificate of a TLS listener, the text of a metrics listener.

Neither sends anything but a handshake, with the command's certificate if it has one, or a GET, and nothing of what
comes back is believed: it is reported.
"""

from __future__ import annotations

import asyncio
import math
import socket
import ssl
from collections.abc import Awaitable, Callable, Iterable, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Final, TypeVar

from kraftpy.config.endpoints import parse_named_address
from kraftpy.doctor.facts import Fact
from kraftpy.node.certificate_expiry import expiry_of
from kraftpy.quorum_tools.port_kinds import FoundPort, PortKind, sentence
from kraftpy.quorum_tools.streams import open_stream
from kraftpy.runtime.clock import wall_ms
from kraftpy.transport.protocol_names import protocol_of

T = TypeVar("T")

PROBE_TIMEOUT_S: Final = 5.0
"""How long one address may take."""

PROBES_AT_ONCE_MAX: Final = 16
METRICS_BYTES_MAX: Final = 4 << 20
"""More than the metrics of a node with thousands of brokers; of a longer text nothing is used."""

CLOSED: Final = "closes the connection: a listener of another kind, or one that is full"

_METRICS_REQUEST: Final = b"GET /metrics HTTP/1.1\r\nHost: %b\r\nConnection: close\r\n\r\n"
_HTTP: Final = b"HTTP/1."


@dataclass(frozen=True, slots=True)
class MetricsAnswer:
    """What a metrics address answered.

    Attributes:
        text: the metrics.
        read_ms: the time of this machine before the request and after the answer: it was made between them.
    """

    text: str
    read_ms: tuple[int, int]


async def read_certificates(addresses: Iterable[str], context: ssl.SSLContext) -> dict[str, Fact[int]]:
    """Return when the certificate of each address expires, in seconds since 1970."""

    async def expiry(host: str, port: int) -> int:
        _, writer = await open_stream(host, port, context, host)
        try:
            shown = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
        finally:
            writer.close()
        return expiry_of(ssl.DER_cert_to_PEM_cert(shown or b""))

    return await _probed(addresses, expiry)


async def read_metrics(addresses: Iterable[str]) -> dict[str, Fact[MetricsAnswer]]:
    """Return the answer of each metrics address."""

    async def answer(host: str, port: int) -> MetricsAnswer:
        reader, writer = await open_stream(host, port, None, None)
        try:
            before_ms = wall_ms()
            writer.write(_METRICS_REQUEST % _host_header(host))
            text = _metrics_in(await _bounded(reader))
            return MetricsAnswer(text, (before_ms, wall_ms()))
        finally:
            writer.close()

    return await _probed(addresses, answer)


async def resolved(addresses: Iterable[str]) -> dict[str, frozenset[str]]:
    """Return the addresses behind each host:port, as ip:port; itself where its name cannot be resolved."""

    async def behind(host: str, port: int) -> frozenset[str]:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
        return frozenset(f"{place[0]}:{port}" for *_, place in found)

    found = await _probed(addresses, behind)
    return {address: one.value or frozenset({address}) for address, one in found.items()}


def _host_header(host: str) -> bytes:
    """Write a host as HTTP does: an IPv6 address in brackets. Source: RFC 9110 §7.2."""
    return b"[%b]" % host.encode() if ":" in host else host.encode("idna")


def series_in(text: str) -> Mapping[str, float]:
    """Return the finite values of a metrics text by series: a name, with its labels if it has any."""
    found = {}
    for line in text.splitlines():
        name, _, value = line.rpartition(" ")
        try:
            if name and not line.startswith("#"):
                found[name] = float(value)
        except ValueError:
            continue
    return {name: value for name, value in found.items() if math.isfinite(value)}


async def _bounded(reader: asyncio.StreamReader) -> bytes:
    """Read to the end.

    Raises:
        ValueError: that is more than the limit; the text is a predicate.
    """
    data = bytearray()
    while more := await reader.read(METRICS_BYTES_MAX + 1 - len(data)):
        data += more
        if len(data) > METRICS_BYTES_MAX:
            raise ValueError(f"sends more than {METRICS_BYTES_MAX} bytes: no kraftpy node's metrics")
    return bytes(data)


def _metrics_in(answer: bytes) -> str:
    """Return the body of an HTTP response.

    Raises:
        ValueError: it is none, or has another status than 200; the text is a predicate.
    """
    if not answer.startswith(_HTTP):
        protocol = protocol_of(answer)
        spoken = f"it speaks {protocol}" if protocol else f"its first bytes are {answer[:16]!r}"
        raise ValueError(
            f"is no metrics.listener: {spoken}" if answer else "closes the connection: no metrics.listener"
        )
    head, _, body = answer.partition(b"\r\n\r\n")
    status = head.split(b"\r\n", 1)[0].decode("ascii", "replace")
    if f" {HTTPStatus.OK.value} " not in f"{status} ":
        raise ValueError(f"has no /metrics: {status[:60]!r}")
    return body.decode("utf-8", "replace")


async def _probed(addresses: Iterable[str], probe: Callable[[str, int], Awaitable[T]]) -> dict[str, Fact[T]]:
    turn = asyncio.Semaphore(PROBES_AT_ONCE_MAX)

    async def one(address: str) -> Fact[T]:
        async with turn:
            try:
                # What nodes register as their addresses may be no addresses.
                host, port = parse_named_address(address)
                async with asyncio.timeout(PROBE_TIMEOUT_S):
                    return Fact(await probe(host, port))
            except ConnectionRefusedError:
                return Fact(reason=sentence(FoundPort(PortKind.REFUSED), uses_tls=False))
            except TimeoutError:
                return Fact(reason=f"does not answer within {PROBE_TIMEOUT_S:g} s")
            except ConnectionError:
                return Fact(reason=CLOSED)
            except ssl.SSLError as error:
                return Fact(reason=f"TLS: {error.reason or error}")
            except OSError as error:
                return Fact(reason=f"cannot be reached: {error.strerror or error}")
            except ValueError as error:
                return Fact(reason=str(error))

    named = list(dict.fromkeys(addresses))
    found = await asyncio.gather(*map(one, named))
    return dict(zip(named, found, strict=True))
