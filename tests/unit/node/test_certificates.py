"""Certificates are renewed without a restart: new connections show them, and broken files leave what is in use."""

from __future__ import annotations

import asyncio
import shutil
import ssl
from pathlib import Path

import pytest
from structlog.testing import capture_logs

from kraftpy.config.tls import TlsConfig
from kraftpy.model.errors import ConfigError
from kraftpy.node.certificates import Certificates
from kraftpy.transport.grpc.credentials import ReloadingCredentials
from kraftpy.transport.kafka.listener import KafkaListener
from kraftpy.transport.tls import ReloadingContext, TlsFiles, client_context, server_context
from tests.fakes.certificates import Authority
from tests.fakes.processes import eventually
from tests.unit.transport.fake_backend import FakeBackend, serving

PATIENCE_S = 10.0


class Files:
    """A node's PEM files, which a test replaces."""

    def __init__(self, folder: Path) -> None:
        self.authority = Authority(folder / "first")
        self.other_authority = Authority(folder / "second")
        self.keystore, self.truststore = folder / "node.pem", folder / "ca.pem"
        self._count = 0
        self.client = self.authority.issue("client")
        shutil.copy(self.authority.certificate, self.truststore)
        self.renew()

    def renew(self) -> None:
        """Put a new certificate of the same authority in the old one's place."""
        self._count += 1
        shutil.copy(self.authority.issue(f"node-{self._count}").both, self.keystore)

    @property
    def tls(self) -> TlsConfig:
        return TlsConfig(keystore_location=str(self.keystore), key_password=None,
                         truststore_location=str(self.truststore), client_auth="required")  # fmt: skip

    @property
    def transport(self) -> TlsFiles:
        return TlsFiles(certificate=str(self.keystore), trust=str(self.truststore))

    async def shown_at(self, port: int) -> str:
        """The common name of the certificate that a server shows; raises when it does not let us in."""
        context = client_context(TlsFiles(certificate=str(self.client.both), trust=str(self.authority.certificate)))
        context.set_alpn_protocols(["h2"])
        # With TLS 1.3 a server says only after the handshake that it does not believe our certificate.
        context.maximum_version = ssl.TLSVersion.TLSv1_2
        async with asyncio.timeout(PATIENCE_S):
            _, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
        name = writer.get_extra_info("peercert")["subject"][0][0][1]
        # To close in order means to wait for the server to do so, too: up to 30 s, if it has something to write.
        writer.transport.abort()
        return name


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


async def test_the_listener_shows_the_new_certificate_and_believes_the_new_authorities(files: Files) -> None:
    context = ReloadingContext.of(lambda: server_context(files.transport))
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, ssl_context=context)
    await listener.start()
    assert await files.shown_at(listener.port) == "node-1"
    files.renew()
    assert await files.shown_at(listener.port) == "node-1"
    context.reload()
    assert await files.shown_at(listener.port) == "node-2"
    shutil.copy(files.other_authority.certificate, files.truststore)
    context.reload()
    with pytest.raises((ssl.SSLError, ConnectionError)):  # the alert, or a reset before it is read
        await files.shown_at(listener.port)
    await listener.close()


async def test_an_open_connection_goes_on(files: Files) -> None:
    context = ReloadingContext.of(lambda: server_context(files.transport))
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, ssl_context=context)
    await listener.start()
    wanted = client_context(TlsFiles(certificate=str(files.client.both), trust=str(files.truststore)))
    reader, writer = await asyncio.open_connection("localhost", listener.port, ssl=wanted)
    files.renew()
    context.reload()
    writer.write(bytes.fromhex("0000000a001200000000000100 00".replace(" ", "")))
    async with asyncio.timeout(PATIENCE_S):
        assert await reader.readexactly(4)
    writer.close()
    await listener.close()


async def test_outgoing_connections_show_the_new_certificate(files: Files) -> None:
    """The one who connects is asked for its certificate, and shows what is in the file now."""
    names = []

    async def note(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        names.append(writer.get_extra_info("peercert")["subject"][0][0][1])
        writer.close()

    server = await asyncio.start_server(note, "127.0.0.1", 0, ssl=server_context(files.transport))
    port = server.sockets[0].getsockname()[1]
    context = ReloadingContext.of(lambda: client_context(files.transport))
    for _ in range(2):
        reader, writer = await asyncio.open_connection("127.0.0.1", port, ssl=context, server_hostname="localhost")
        async with asyncio.timeout(PATIENCE_S):
            await reader.read()
        writer.close()
        files.renew()
        context.reload()
    assert names == ["node-1", "node-2"]
    server.close()


async def test_the_public_api_shows_the_new_certificate(files: Files) -> None:
    grpc_files = ReloadingCredentials(files.transport)
    async with serving(FakeBackend(), credentials=grpc_files.credentials()) as server:
        assert await files.shown_at(server.port) == "node-1"
        files.renew()
        grpc_files.reload()
        assert await files.shown_at(server.port) == "node-2"


async def test_each_connection_to_the_public_api_is_counted_however_it_ends(files: Files) -> None:
    """One that sends nothing, one that speaks HTTP/1, and a client's: gRPC says nothing else of the first two."""
    counted: list[None] = []
    grpc_files = ReloadingCredentials(files.transport, lambda: counted.append(None))

    async def many() -> int:
        return len(counted)

    async with serving(FakeBackend(), credentials=grpc_files.credentials()) as server:
        for number, sent in enumerate((b"", b"GET / HTTP/1.1\r\n\r\n"), 1):
            _, writer = await asyncio.open_connection("127.0.0.1", server.port)
            writer.write(sent)
            await eventually(many, number.__eq__, "the connection is counted")
            writer.close()
        await files.shown_at(server.port)
        await eventually(many, lambda count: count == 3, "the client's connection is counted")


@pytest.mark.parametrize("broken", ["", "half", "foreign key"])
async def test_broken_files_leave_what_is_in_use(files: Files, broken: str) -> None:
    """Empty, cut off while they are written, with a key of another certificate: an error, and the old one goes on."""
    context = ReloadingContext.of(lambda: server_context(files.transport))
    grpc_files = ReloadingCredentials(files.transport)
    certificates = Certificates([files.tls])
    certificates.keep(context.reload)
    certificates.keep(grpc_files.reload)
    followed: list[str] = []
    certificates.follow(lambda: followed.append("reloaded"))
    good, other = files.keystore.read_text(), files.client
    files.keystore.write_text({
        "": "", "half": good[: len(good) // 2], "foreign key": other.key.read_text() + good.partition("-----END")[2],
    }[broken])  # fmt: skip
    listener = KafkaListener("127.0.0.1", 0, lambda _: None, ssl_context=context)
    await listener.start()
    with capture_logs() as lines:
        certificates.reload()
    assert [line["log_level"] for line in lines] == ["error"]
    assert str(files.keystore) in lines[0]["reasons"]
    assert await files.shown_at(listener.port) == "node-1"
    assert followed == []
    files.renew()
    certificates.reload()
    assert followed == ["reloaded"]
    await listener.close()


async def test_files_are_looked_at_and_a_wish_makes_it_now(files: Files) -> None:
    """A change is seen by itself; who asks does not wait for it; a complaint ends nothing."""
    reloads: asyncio.Queue[str] = asyncio.Queue()

    def reload() -> None:
        reloads.put_nowait("reloaded")
        raise ConfigError("not good")

    looking, asked = Certificates([files.tls], poll_s=0.01), Certificates([files.tls], poll_s=3_600)
    tasks = []
    for one in (looking, asked):
        one.keep(reload)
        tasks.append(asyncio.create_task(one.run()))
    async with asyncio.timeout(PATIENCE_S):
        files.truststore.unlink()
        assert await reloads.get()
        files.renew()
        assert await reloads.get()
    tasks[0].cancel()
    asked.ask()
    async with asyncio.timeout(PATIENCE_S):
        assert await reloads.get()
    tasks[1].cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_a_node_without_tls_has_nothing_to_reload() -> None:
    certificates = Certificates([])
    certificates.keep(lambda: pytest.fail("there is nothing to read"))
    certificates.reload()
