"""When the certificates that a node shows expire, for its metrics.

The standard library decodes a certificate only once a connection accepted it, and none accepts one that has expired. So
the one date that is wanted is read from its DER encoding.

Source: RFC 5280 §4.1.
"""

from __future__ import annotations

import re
from base64 import b64decode
from calendar import timegm
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from time import strptime
from typing import Final

from prometheus_client.core import Metric

from kraftpy.config.tls import TlsConfig
from kraftpy.node.metric_families import gauges

UNREADABLE: Final = 0
"""Shown for a file without a certificate that can be read: it is as if it had expired."""

_SEQUENCE: Final = 0x30
_VERSION: Final = 0xA0
_UTC_TIME: Final = 0x17
_PEM: Final = re.compile(
    r"-----BEGIN (?P<label>(?:X509 |TRUSTED )?CERTIFICATE)-----(?P<base64>.*?)-----END (?P=label)-----", re.DOTALL
)
"""A certificate with one of the labels that OpenSSL takes."""


class CertificateExpiries:
    """The time at which each file's first certificate expires, in seconds since 1970.

    Args:
        tls: whose files they are.
        read: returns the text of a file.
    """

    def __init__(self, tls: Iterable[TlsConfig], read: Callable[[str], str] | None = None) -> None:
        locations = (one.keystore_location for one in tls)
        self._files = tuple(dict.fromkeys(location for location in locations if location is not None))
        self._read = read or _text_of
        self._found: Mapping[str, int] = {}

    def reload(self) -> None:
        """Read the files again."""
        self._found = {path: self._expiry_of(path) for path in self._files}

    def metrics(self) -> Iterable[Metric]:
        """Show what was read."""
        yield gauges(
            "kraft_certificate_expiry_timestamp_seconds", "When this node's certificate expires, s since 1970",
            "file", self._found,
        )  # fmt: skip

    def _expiry_of(self, path: str) -> int:
        try:
            return expiry_of(self._read(path))
        except (OSError, ValueError):
            # What is wrong with the file is in the log: the node refuses to start with it, or to load it again.
            return UNREADABLE


def expiry_of(pem: str) -> int:
    """Return when the first certificate of a PEM text expires, in seconds since 1970.

    Raises:
        ValueError: there is none, or it is malformed.
    """
    first = _PEM.search(pem)
    if first is None:
        raise ValueError("no certificate")
    outer, _ = _content(b64decode(first["base64"]), _SEQUENCE)
    rest, _ = _content(outer, _SEQUENCE)
    if rest[:1] == bytes([_VERSION]):
        rest = _content(rest)[1]
    for _ in ("serial number", "algorithm", "issuer"):
        rest = _content(rest)[1]
    validity, _ = _content(rest, _SEQUENCE)
    not_after = _content(validity)[1]
    text = _content(not_after)[0].decode("ascii")
    if not_after[0] == _UTC_TIME:
        # Years of two digits: from 50 on of the last century.
        text = ("19" if text >= "50" else "20") + text
    return timegm(strptime(text, "%Y%m%d%H%M%SZ"))


def _content(data: bytes, tag: int | None = None) -> tuple[bytes, bytes]:
    """Return the content of the element at the beginning, and what follows it."""
    if len(data) < 2 or tag not in {None, data[0]}:
        raise ValueError("not the certificate's next element")
    size, start = data[1], 2
    if size & 0x80:
        start += size & 0x7F
        size = int.from_bytes(data[2:start], "big")
    if len(data) < start + size:
        raise ValueError("the certificate ends within an element")
    return data[start : start + size], data[start + size :]


def _text_of(path: str) -> str:
    return Path(path).read_text(encoding="ascii", errors="replace")
