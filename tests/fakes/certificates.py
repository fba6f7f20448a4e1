"""Certificates for the tests of TLS, made on the spot."""

from __future__ import annotations

import shutil
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest


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
    command = (
        "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost"
        " -addext subjectAltName=DNS:localhost,IP:127.0.0.1"
    )
    subprocess.run([*command.split(), "-keyout", made.key, "-out", made.certificate], check=True, capture_output=True)
    made.both.write_text(made.key.read_text() + made.certificate.read_text())
    return made
