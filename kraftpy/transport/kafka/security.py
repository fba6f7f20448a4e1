"""TLS for the peers' wire: contexts of the standard library, made from explicit parameters.

Which file belongs to which key of the configuration is the composition root's business. Both sides verify: a server
that is given a trust file demands a certificate of every peer (``ssl.client.auth=required``), or accepts that it shows
none (``requested``; one that is shown must be good), a client always checks the server's chain, and its host name
unless told otherwise.

Source: Kafka ``ssl.*`` configuration with PEM files (KIP-651).
"""

from __future__ import annotations

import ssl
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Self

from kraftpy.model.errors import ConfigError

HANDSHAKE_STEPS_MAX: Final = 10
"""More than a handshake has, of any version of TLS."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TlsFiles:
    """PEM files of one side.

    Attributes:
        certificate: the chain that this side shows; a server must have one.
        key: its private key; ``None`` when it stands in the certificate's file.
        key_password: what the key is encrypted with.
        trust: the authorities that the other side's certificate must come from; ``None`` on a server asks for no
            certificate, on a client means the system's authorities.
        demands: whether a server that has authorities closes the connection of whoever shows no certificate.
    """

    certificate: str | None = None
    key: str | None = None
    key_password: str | None = None
    trust: str | None = None
    demands: bool = True


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
        context.verify_mode = ssl.CERT_REQUIRED if files.demands else ssl.CERT_OPTIONAL
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


def shown_certificate(files: TlsFiles) -> Mapping[str, object] | None:
    """Return the certificate that these files show, in the form of ``getpeercert``; ``None`` when it cannot be told.

    The standard library decodes only what the other side of a connection showed, so a connection is made in memory, by
    somebody who believes that one certificate.

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
    except ssl.SSLError:  # Expired, or for servers not good: whoever meets it says so.
        return None
    return None


def _first_certificate(place: str) -> str:
    """Return the first certificate of a PEM file that could be loaded."""
    begin, end = "-----BEGIN CERTIFICATE-----", "-----END CERTIFICATE-----"
    text = Path(place).read_text(encoding="ascii", errors="replace")
    return begin + text.partition(begin)[2].partition(end)[0] + end


class ReloadingContext(ssl.SSLContext):
    """A context whose files may be replaced: connections are made by the newest, and open ones keep theirs.

    asyncio makes each connection by :meth:`wrap_bio`, so that is all that has to be handed on. A context of its own for
    each set of files, because authorities can be added to a context and not be taken away.
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
