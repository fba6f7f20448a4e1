"""Certificates for the tests of TLS, made on the spot."""

from __future__ import annotations

import shutil
import subprocess
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

import pytest

CURVE = "-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes"
HOSTS = ("DNS:localhost", "IP:127.0.0.1")


@dataclass(frozen=True, slots=True)
class SelfSigned:
    """A certificate for localhost that is its own authority.

    Attributes:
        certificate: the PEM file with it.
        key: the PEM file with its private key.
        both: one with the key and the certificate.
    """

    certificate: Path
    key: Path
    both: Path


def self_signed(folder: Path) -> SelfSigned:
    """Make one, good for two days, in a folder; skip the test where there is no openssl."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl makes the certificate of this test")
    made = SelfSigned(folder / "certificate.pem", folder / "key.pem", folder / "both.pem")
    _openssl(f"req -x509 {CURVE} -days 2 -subj /CN=localhost -addext subjectAltName={','.join(HOSTS)}",
             "-keyout", made.key, "-out", made.certificate)  # fmt: skip
    made.both.write_text(made.key.read_text() + made.certificate.read_text())
    return made


class Authority:
    """A certificate authority of a test: it issues what a cluster of nodes and clients shows each other.

    Attributes:
        certificate: the PEM file of the authority; a truststore.
    """

    def __init__(self, folder: Path) -> None:
        """Make the authority; skip the test where there is no openssl."""
        if shutil.which("openssl") is None:
            pytest.skip("openssl makes the certificates of this test")
        folder.mkdir(parents=True, exist_ok=True)
        self._folder = folder
        self.certificate = folder / "ca.pem"
        _openssl(
            f"req -x509 {CURVE} -days 2 -subj /CN=authority", "-keyout", folder / "ca.key", "-out", self.certificate
        )

    def issue(self, name: str, *uris: str, hosts: Iterable[str] = HOSTS, days: int = 2) -> SelfSigned:
        """Issue a certificate with these URIs, such as ``kraft:///controller/2``; the files are named by ``name``.

        One of -1 days is out of date.
        """
        made = SelfSigned(*(self._folder / f"{name}{end}" for end in (".crt", ".key", ".pem")))
        request, extensions = self._folder / f"{name}.csr", self._folder / f"{name}.ext"
        extensions.write_text(f"subjectAltName={','.join([*hosts, *(f'URI:{uri}' for uri in uris)])}\n")
        _openssl(f"req -new {CURVE} -subj /CN={name}", "-keyout", made.key, "-out", request)
        signed_by = ("-CA", self.certificate, "-CAkey", self._folder / "ca.key", "-CAcreateserial")
        signed_by += ("-extfile", extensions)
        _openssl(f"x509 -req -days {days}", "-in", request, *signed_by, "-out", made.certificate)
        made.both.write_text(made.key.read_text() + made.certificate.read_text())
        return made


def _openssl(words: str, *arguments: str | Path) -> None:
    subprocess.run(["openssl", *words.split(), *arguments], check=True, capture_output=True)
