"""When a node's certificates expire is read from the files, and read again when these are renewed."""

from __future__ import annotations

import ssl
from types import SimpleNamespace

import pytest

from kraftpy.node.certificate_expiry import UNREADABLE, CertificateExpiries, expiry_of
from tests.fakes.certificates import self_signed


def der(tag, *parts):
    content = b"".join(parts)
    size = bytes([len(content)]) if len(content) < 128 else bytes([0x82, *len(content).to_bytes(2, "big")])
    return bytes([tag]) + size + content


def certificate(not_after_tag, not_after, *, has_version=True):
    """As much of a certificate as comes before its subject, and something behind it."""
    version = [der(0xA0, der(2, b"\2"))] if has_version else []
    validity = der(0x30, der(0x17, b"200101000000Z"), der(not_after_tag, not_after.encode()))
    issuer = der(0x30, b"i" * 200)
    body = der(0x30, *version, der(2, b"\1"), der(0x30), issuer, validity, der(0x30))
    return "a key\n" + ssl.DER_cert_to_PEM_cert(der(0x30, body, der(0x30)))


@pytest.mark.parametrize(
    ("pem", "expected"),
    [
        (certificate(0x17, "300101000000Z"), 1_893_456_000),
        (certificate(0x17, "300101000000Z", has_version=False), 1_893_456_000),
        (certificate(0x17, "700101000000Z"), 0),
        (certificate(0x18, "20600101000000Z"), 2_840_140_800),
    ],
)
def test_the_date_is_that_of_the_certificate(pem, expected):
    """Years of two digits are of 1950 to 2049; later ones have four."""
    assert expiry_of(pem) == expected


@pytest.mark.parametrize("label", ["X509 CERTIFICATE", "TRUSTED CERTIFICATE"])
def test_the_labels_that_openssl_takes_are_read(label):
    """A TRUSTED CERTIFICATE has more behind the certificate."""
    pem = certificate(0x17, "300101000000Z").replace(" CERTIFICATE", f" {label}")
    assert expiry_of(pem) == 1_893_456_000


@pytest.mark.parametrize("cut", range(0, 260, 20))
def test_what_is_cut_off_is_refused(cut):
    """Malformed bytes are a ValueError, wherever they end."""
    whole = ssl.PEM_cert_to_DER_cert(certificate(0x17, "300101000000Z").partition("\n")[2])
    with pytest.raises(ValueError):
        expiry_of(ssl.DER_cert_to_PEM_cert(whole[:cut]))


def test_files_are_read_at_each_renewal(tmp_path):
    """The date is the one that the standard library sees; a file that cannot be read counts as expired."""
    made = self_signed(tmp_path)
    decoded = ssl._ssl._test_decode_cert(str(made.certificate))
    tls = SimpleNamespace(keystore_location=str(made.both))
    expiries = CertificateExpiries([tls, tls, SimpleNamespace(keystore_location=None)])
    expiries.reload()
    (family,) = expiries.metrics()
    (sample,) = family.samples
    assert (sample.labels, sample.value) == (
        {"file": str(made.both)},
        ssl.cert_time_to_seconds(decoded["notAfter"]),
    )
    made.both.write_text("half a file")
    expiries.reload()
    (family,) = expiries.metrics()
    assert [sample.value for sample in family.samples] == [UNREADABLE]
