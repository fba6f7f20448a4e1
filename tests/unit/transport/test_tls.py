"""TLS on both wires, with certificates made on the spot."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from kraftpy.client import AsyncClient
from kraftpy.model.errors import ConfigError
from kraftpy.raft.ready import Failure, RequestFailed, ResponseReceived
from kraftpy.transport.kafka.channel import PeerNetwork
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.tls import COMMAND_LINE, TlsFiles, client_context, read_pem, server_context
from tests.fakes.certificates import self_signed
from tests.unit.transport.conftest import Inbox, fetch, fetched, requests, send_to
from tests.unit.transport.fake_backend import FakeBackend, serving


@pytest.fixture(scope="module")
def files(tmp_path_factory):
    """A self-signed certificate for localhost, which is its own authority."""
    made = self_signed(tmp_path_factory.mktemp("tls"))
    return TlsFiles(certificate=str(made.certificate), key=str(made.key), trust=str(made.certificate))


async def one_request(server_files, client_files):
    """Send one request over TLS, answer it if it comes in, and return its fate."""
    inbox, answers = Inbox(), Inbox()
    listener = KafkaListener("127.0.0.1", 0, inbox, ssl_context=server_context(server_files))
    await listener.start()
    async with PeerNetwork(answers, "t", ssl_context=client_context(client_files)) as network:
        network.send(send_to(listener.port, fetch(), 1))
        fate = asyncio.ensure_future(answers.next())
        request = asyncio.ensure_future(requests(inbox, 1))
        await asyncio.wait({fate, request}, return_when=asyncio.FIRST_COMPLETED)
        if request.done():
            listener.reply(request.result()[0].token, fetched(3))
        request.cancel()
        fate = await fate
    await listener.close()
    return fate


async def test_peers_over_mutual_tls(files):
    """Two nodes that trust each other's certificates talk over TLS."""
    assert await one_request(files, files) == ResponseReceived(1, fetched(3))


async def test_a_server_that_is_not_trusted(files):
    """A server whose certificate has no known issuer is DISCONNECTED, and nothing was sent to it."""
    assert await one_request(files, TlsFiles()) == RequestFailed(1, Failure.DISCONNECTED)


async def test_a_client_without_certificate(files, caplog):
    """A listener with a trust file turns away a client that shows no certificate, and its log says why."""
    assert await one_request(files, TlsFiles(trust=files.trust)) == RequestFailed(1, Failure.DISCONNECTED)
    (line,) = [one for one in caplog.messages if one.startswith("connection_closed")]
    assert line.startswith("connection_closed peer=127.0.0.1 reason=the TLS handshake failed: ")
    assert "peer did not return a certificate" in line


async def test_a_certificate_that_is_only_requested(files, tmp_path):
    """A listener that requests one takes a client without, and turns away one whose authority it does not know."""
    asking = replace(files, demands=False)
    stranger = self_signed(tmp_path)
    client = replace(files, certificate=str(stranger.certificate), key=str(stranger.key))
    assert await one_request(asking, files) == ResponseReceived(1, fetched(3))
    assert await one_request(asking, client) == RequestFailed(1, Failure.DISCONNECTED)
    assert await one_request(asking, replace(files, certificate=None, key=None)) == ResponseReceived(1, fetched(3))


async def test_plaintext_on_a_tls_port(files):
    """A plaintext client on a TLS port fails, and the listener lives."""
    inbox, answers = Inbox(), Inbox()
    listener = KafkaListener("127.0.0.1", 0, inbox, ssl_context=server_context(files))
    await listener.start()
    async with PeerNetwork(answers, "t") as network:
        network.send(send_to(listener.port, fetch(), 1))
        assert (await answers.next()).reason in {Failure.DISCONNECTED, Failure.MALFORMED}
    async with PeerNetwork(answers, "t", ssl_context=client_context(files)) as network:
        network.send(send_to(listener.port, fetch(), 2))
        (request,) = await requests(inbox, 1)
        listener.reply(request.token, fetched(1))
        assert await answers.next() == ResponseReceived(2, fetched(1))
    await listener.close()


def test_files_that_cannot_be_used(tmp_path, files):
    """A missing certificate, key or trust file is a ConfigError that names the file."""
    with pytest.raises(ConfigError, match=r"ssl\.keystore\.location"):
        server_context(TlsFiles())
    with pytest.raises(ConfigError, match=r"absent\.pem cannot be used: No such file or directory$"):
        server_context(TlsFiles(certificate=str(tmp_path / "absent.pem")))
    (tmp_path / "empty.pem").write_text("")
    with pytest.raises(ConfigError, match=r"empty\.pem.*it must hold the certificates of authorities, in PEM form$"):
        client_context(TlsFiles(trust=str(tmp_path / "empty.pem")))
    with pytest.raises(ConfigError, match=r"empty\.pem.*it must hold a certificate and the private key"):
        client_context(TlsFiles(certificate=str(tmp_path / "empty.pem")))


@pytest.fixture(scope="module")
def pem(files):
    return Path(files.certificate).read_bytes(), Path(files.key).read_bytes()


async def test_the_public_api_over_tls(pem):
    """The client and the public API talk over TLS."""
    chain, secret = pem
    credentials = grpc.ssl_server_credentials([(secret, chain)])
    async with (
        serving(FakeBackend(), credentials=credentials) as server,
        AsyncClient([f"127.0.0.1:{server.port}"], credentials=grpc.ssl_channel_credentials(chain)) as client,
    ):
        assert (await client.describe_cluster()).cluster_id == "cluster"


def test_files_for_grpc_are_checked_and_named(tmp_path, files, pem):
    """GRPC gets what the files hold; a file that cannot be used is named with its setting and the way out."""
    contents = read_pem(files, serves=True)
    assert contents == (pem[1] + pem[0], pem[0])
    assert read_pem(TlsFiles(trust=files.trust), serves=False) == (None, pem[0])
    absent = str(tmp_path / "absent.pem")
    for serves in (True, False):
        with pytest.raises(ConfigError, match=r"^ssl\.keystore\.location: .*absent\.pem with .* cannot be used"):
            read_pem(replace(files, certificate=absent), serves=serves)
    with pytest.raises(ConfigError, match=r"^--tls-ca: .*absent\.pem cannot be used"):
        read_pem(TlsFiles(trust=absent, names=COMMAND_LINE), serves=False)
    with pytest.raises(ConfigError, match=r"^ssl\.key\.password: gRPC cannot read an encrypted key"):
        read_pem(replace(files, key_password="secret"), serves=True)
