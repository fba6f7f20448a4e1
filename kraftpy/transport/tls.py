"""TLS for both wires: PEM files are read, checked and read again here, and nowhere else.

Kafka's wire takes contexts of the standard library, gRPC the contents of the files (:func:`read_pem`). Both sides
verify: a server with a trust file demands a certificate of every peer (``ssl.client.auth=required``), or accepts that
there is none (``requested``; one that is shown must verify); a client always checks the server's chain, and its host
name unless the caller turns that off. Every error names the key or option, the file, and what the file must hold.

Source: Kafka ``ssl.*`` configuration with PEM files (KIP-651).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, NamedTuple, Self

from kraftpy.model.errors import ConfigError

HANDSHAKE_STEPS_MAX: Final = 10
"""More than a handshake has, of any version of TLS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsNames:
    """What the operator calls the settings, for errors."""

    certificate: str
    trust: str


SERVER_PROPERTIES: Final = TlsNames(certificate="ssl.keystore.location", trust="ssl.truststore.location")
COMMAND_LINE: Final = TlsNames(certificate="--tls-cert", trust="--tls-ca")


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFiles:
    """PEM files of one side.

    Attributes:
        certificate: the chain that this side shows; a server must have one.
        key: its private key; ``None`` when it is in the certificate's file.
        key_password: what the key is encrypted with.
        trust: the authorities that the other side's certificate must come from; ``None`` on a server asks for no
            certificate, on a client means the system's authorities.
        demands: whether a server that has authorities closes a connection that shows no certificate.
        names: what the operator calls these settings.
    """

    certificate: str | None = None
    key: str | None = None
    key_password: str | None = None
    trust: str | None = None
    demands: bool = True
    names: TlsNames = SERVER_PROPERTIES


class PemContents(NamedTuple):
    """What the files hold: ``own`` is the private key and its certificates, ``trust`` the authorities."""

    own: bytes | None
    trust: bytes | None


def read_pem(files: TlsFiles, *, serves: bool) -> PemContents:
    """Read the files of one side for gRPC, after a check: gRPC itself does not report what is wrong with them.

    Raises:
        ConfigError: a file cannot be used, or its key is encrypted, which gRPC cannot take.
    """
    if files.key_password is not None:
        raise ConfigError("ssl.key.password: gRPC cannot read an encrypted key; give grpc.listener one that is not")
    _ = server_context(files) if serves else client_context(files)
    # One file holds the private key and the certificates; each reader takes the blocks it knows.
    own = b"".join(_contents(place, files.names.certificate) for place in (files.key, files.certificate) if place)
    return PemContents(own or None, None if files.trust is None else _contents(files.trust, files.names.trust))


def _contents(place: str, name: str) -> bytes:
    try:
        return Path(place).read_bytes()
    except OSError as error:
        raise ConfigError(f"{name}: {place} cannot be read: {error.strerror}; name a PEM file") from error


def server_context(files: TlsFiles) -> ssl.SSLContext:
    """Make the context of a listener.

    Raises:
        ConfigError: when there is no certificate, or a file cannot be used; it names the file.
    """
    if files.certificate is None:
        raise ConfigError(f"a TLS listener needs a certificate: set {files.names.certificate} to a PEM file")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    _load(context, files)
    if files.trust is not None:
        context.verify_mode = ssl.CERT_REQUIRED if files.demands else ssl.CERT_OPTIONAL
    return context


def client_context(files: TlsFiles, *, check_hostname: bool = True) -> ssl.SSLContext:
    """Make the context of outgoing connections.

    Args:
        files: what to show, and the authorities to trust.
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


def look_context(files: TlsFiles) -> ssl.SSLContext:
    """Make the context of a look at a port, which offers HTTP/2 beside any other protocol.

    Without authorities gRPC and Python may trust different ones; then the look trusts any.

    Raises:
        ConfigError: when a file cannot be used; it names the file.
    """
    context = client_context(files, check_hostname=False)
    if files.trust is None:
        context.verify_mode = ssl.CERT_NONE  # Nothing is sent there but the start of HTTP/2, and ApiVersions.
    context.set_alpn_protocols(["h2"])
    return context


def shown_certificate(files: TlsFiles) -> Mapping[str, object] | None:
    """Return the certificate that these files show, in the form of ``getpeercert``; ``None`` when it cannot be read.

    The standard library decodes only what the other side of a connection showed, so a connection is made in memory, to
    a client that trusts that one certificate.

    Raises:
        ConfigError: when a file cannot be used; it names the file.
    """
    assert files.certificate is not None
    shows = server_context(replace(files, trust=None))
    believes = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    believes.check_hostname = False
    believes.verify_flags |= ssl.VERIFY_X509_PARTIAL_CHAIN
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    server = shows.wrap_bio(there, back, server_side=True)
    try:
        believes.load_verify_locations(cadata=_first_certificate(files.certificate))
        client = believes.wrap_bio(back, there)
        for _ in range(HANDSHAKE_STEPS_MAX):
            with suppress(ssl.SSLWantReadError):
                client.do_handshake()
                return client.getpeercert()
            with suppress(ssl.SSLWantReadError):
                server.do_handshake()
    except ssl.SSLError:  # Expired, or not for servers: the peers report that.
        return None
    return None


def _first_certificate(place: str) -> str:
    """Return the first certificate of a PEM file that could be loaded."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    text = Path(place).read_text(encoding="ascii", errors="replace")
    return begin + text.partition(begin)[2].partition(end)[0] + end


class ReloadingContext(ssl.SSLContext):
    """A context whose files may be replaced: connections are made by the newest, and open ones keep theirs.

    asyncio makes each connection by :meth:`wrap_bio`, so that is all that is delegated. Each set of files has its own
    context, because authorities can be added to a context and not be removed.
    """

    _make: Callable[[], ssl.SSLContext]
    _current: ssl.SSLContext

    @classmethod
    def of(cls, make: Callable[[], ssl.SSLContext]) -> Self:
        """Make one.

        Raises:
            ConfigError: when a file cannot be used.
        """
        first = make()
        made = cls(first.protocol)
        made._make, made._current = make, first
        return made

    def reload(self) -> None:
        """Read the files again.

        Raises:
            ConfigError: when a file cannot be used; what is in use stays.
        """
        self._current = self._make()

    def wrap_bio(self, *arguments: Any, **options: Any) -> ssl.SSLObject:
        """Make a connection."""
        return self._current.wrap_bio(*arguments, **options)


def _load(context: ssl.SSLContext, files: TlsFiles) -> None:
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    if files.certificate is not None:
        try:
            context.load_cert_chain(files.certificate, files.key, files.key_password)
        except OSError as error:  # ssl.SSLError is one.
            place = files.certificate if files.key is None else f"{files.certificate} with {files.key}"
            wanted = "a certificate and the private key that belongs to it"
            name = files.names.certificate
            raise ConfigError(f"{name}: TLS certificate {place} cannot be used: {_reason(error, wanted)}") from error
    if files.trust is not None:
        try:
            context.load_verify_locations(files.trust)
        except OSError as error:
            wanted = "the certificates of authorities"
            raise ConfigError(
                f"{files.names.trust}: TLS trust file {files.trust} cannot be used: {_reason(error, wanted)}"
            ) from error


def _reason(error: OSError, wanted: str) -> str:
    """Return what is wrong with a file: the system's error, or what the file must hold."""
    if not isinstance(error, ssl.SSLError):
        return error.strerror or str(error)
    # For a file that is no PEM at all OpenSSL names only its PEM library.
    why = (error.reason or "").replace("_", " ").lower() or "it cannot be read as PEM"
    return f"{why}; it must hold {wanted}, in PEM form"
