"""gRPC's credentials, made of PEM files that :mod:`kraftpy.transport.tls` has checked."""

from __future__ import annotations

from collections.abc import Callable

import grpc

from kraftpy.transport.tls import TlsFiles, read_pem


class ReloadingCredentials:
    """The credentials of a listener whose files may be replaced: new connections use the newest contents."""

    def __init__(self, files: TlsFiles, on_connection: Callable[[], None] = lambda: None) -> None:
        """Read the files.

        Args:
            files: the listener's.
            on_connection: called for each connection before its handshake, in a thread of gRPC's. It is all that gRPC
                lets a server know of one that never becomes an HTTP/2 connection.

        Raises:
            ConfigError: a file cannot be used, or its key is encrypted, which gRPC cannot take.
        """
        self._files = files
        self._on_connection = on_connection
        self._current = self._read()

    def credentials(self) -> grpc.ServerCredentials:
        """Make credentials that ask for the newest contents at each connection."""
        demands = self._files.trust is not None and self._files.demands
        return grpc.dynamic_ssl_server_credentials(
            self._current, self._for_connection, require_client_authentication=demands
        )

    def _for_connection(self) -> grpc.ServerCertificateConfiguration:
        self._on_connection()
        return self._current

    def reload(self) -> None:
        """Read the files again.

        Raises:
            ConfigError: as when they were read first; what is in use stays.
        """
        self._current = self._read()

    def _read(self) -> grpc.ServerCertificateConfiguration:
        pem = read_pem(self._files, serves=True)
        assert pem.own is not None, "a listener without a certificate was refused"
        return grpc.ssl_server_certificate_configuration([(pem.own, pem.own)], root_certificates=pem.trust)


def channel_credentials(files: TlsFiles) -> grpc.ChannelCredentials:
    """Read the files of a client.

    Raises:
        ConfigError: a file cannot be used.
    """
    pem = read_pem(files, serves=False)
    return grpc.ssl_channel_credentials(pem.trust, pem.own, pem.own)
