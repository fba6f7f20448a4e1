"""TLS for the peers' wire: contexts of the standard library, made from explicit parameters.

Which file belongs to which key of the configuration is the composition root's business. Both sides verify: a server
that is given a trust file demands a certificate of every peer (``ssl.client.auth=required``), a client always checks
the server's chain, and its host name unless told otherwise.

Source: Kafka ``ssl.*`` configuration with PEM files (KIP-651).
"""

from __future__ import annotations

import ssl
from dataclasses import dataclass

from kraftpy.model.errors import ConfigError


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFiles:
    """PEM files of one side.

    Attributes:
        certificate: the chain that this side shows; a server must have one.
        key: its private key; ``None`` when it stands in the certificate's file.
        key_password: what the key is encrypted with.
        trust: the authorities that the other side's certificate must come from; ``None`` on a server asks for no
            certificate, on a client means the system's authorities.
    """

    certificate: str | None = None
    key: str | None = None
    key_password: str | None = None
    trust: str | None = None


def server_context(files: TlsFiles) -> ssl.SSLContext:
    """Make the context of a listener.

    Raises:
        ConfigError: when there is no certificate, or a file cannot be used; it names the file.
    """
    if files.certificate is None:
        raise ConfigError("a TLS listener needs a certificate: set ssl.keystore.location to a PEM file")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, files)
    if files.trust is not None:
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def client_context(files: TlsFiles, *, check_hostname: bool = True) -> ssl.SSLContext:
    """Make the context of outgoing connections.

    Args:
        files: what to show and whom to trust.
        check_hostname: False is Kafka's empty ``ssl.endpoint.identification.algorithm``.

    Raises:
        ConfigError: when a file cannot be used; it names the file.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = check_hostname
    if files.trust is None:
        context.load_default_certs(ssl.Purpose.SERVER_AUTH)
    _load(context, files)
    return context


def _load(context: ssl.SSLContext, files: TlsFiles) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if files.certificate is not None:
        try:
            context.load_cert_chain(files.certificate, files.key, files.key_password)
        except OSError as error:  # ssl.SSLError is one.
            place = files.certificate if files.key is None else f"{files.certificate} with {files.key}"
            wanted = "a certificate and the private key that belongs to it"
            raise ConfigError(f"TLS certificate {place} cannot be used: {_reason(error, wanted)}") from error
    if files.trust is not None:
        try:
            context.load_verify_locations(files.trust)
        except OSError as error:
            wanted = "the certificates of authorities"
            raise ConfigError(f"TLS trust file {files.trust} cannot be used: {_reason(error, wanted)}") from error


def _reason(error: OSError, wanted: str) -> str:
    """Say what is wrong with a file: what the system says, or what should stand in it."""
    if not isinstance(error, ssl.SSLError):
        return error.strerror or str(error)
    # OpenSSL's own words for a file that is no PEM at all are the name of its PEM library.
    why = (error.reason or "").replace("_", " ").lower() or "it cannot be read as PEM"
    return f"{why}; it must hold {wanted}, in PEM form"
