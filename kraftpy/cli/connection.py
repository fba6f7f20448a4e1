"""The client library behind the port of :mod:`kraftpy.cli.cluster_port`; grpc is imported here and nowhere above.

A command makes one call or two, so each call has a client of its own, all on one event loop (grpc does not bear several
in a process). What the client raises without an answer becomes the exit code for that; a write whose outcome is not
known says so instead of claiming either.
"""

from __future__ import annotations

import asyncio
import json
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from functools import partial
from typing import Any, Final, TypeVar

import click

from kraftpy.authenticator.login import Login
from kraftpy.cli.cluster_port import ANY_STATE, ClusterClient, Read, WatchedRecord
from kraftpy.cli.errors import ArgumentError, CommandError, UnreachableError
from kraftpy.cli.grpc_port import WrongEndpoints
from kraftpy.cli.options import TlsOptions, chosen_tls, waits_for_start
from kraftpy.cli.waiting import answer_from, answered
from kraftpy.client import values
from kraftpy.client.async_client import AsyncClient
from kraftpy.client.connection import Access
from kraftpy.client.errors import UnavailableError, UnknownOutcomeError
from kraftpy.client.uuids import Uuid
from kraftpy.model.consistency import Consistency
from kraftpy.model.errors import ConfigError, ErrorCode, KraftError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.resource_types import ResourceType
from kraftpy.quorum_tools.access import QuorumAccess
from kraftpy.records.batch import parse_batch
from kraftpy.records.json_text import control_record_to_json
from kraftpy.transport.grpc.credentials import channel_credentials
from kraftpy.transport.tls import COMMAND_LINE, TlsFiles, client_context, look_context

Answer = TypeVar("Answer")

CONFIG_RESOURCES_MAX: Final = 50
"""How many resources one request changes; with the longest values they fit a message."""

EXPLAINED_RESOURCES_MAX: Final = 100
"""How many resources one request explains: it names them on each page, and a page has about thirty topics."""

PATIENCE_S = 0.3
"""How long a call may take before the endpoints are looked at more closely, beside it."""

LOOK_AGAIN_S = 1.0
"""After which time endpoints are looked at again: a node that starts may turn out to listen for Kafka's protocol."""


@contextmanager
def connect(
    bootstrap: tuple[str, ...],
    timeout: float,
    runner: asyncio.Runner | None = None,
    *,
    moves: bool = True,
    prints_waits: bool = True,
) -> Iterator[ClusterClient]:
    """Give a connection to the cluster behind these endpoints; the first call connects.

    Args:
        bootstrap: the endpoints, host:port: of gRPC, or controllers' listeners of Kafka's protocol, which name those.
        timeout: how long a call may take, in seconds.
        runner: the event loop of a command that connects more than once; one of its own by default.
        moves: whether any node of the cluster may answer instead of one that was named by its listener.
        prints_waits: whether an answer that takes longer is named on stderr; not where the command says itself what it
            waits for, as one does that polls.

    Raises:
        ConfigError: when a TLS file, or that of ``--command-config``, cannot be used.
        ArgumentError: when a word that would be sent is no text.
        UnreachableError: when a call gets no answer in time.
        CommandError: when it is not known whether a change was made.
    """
    files, login = _protection(chosen_tls())
    context = None if files is None else look_context(files)
    access = Access(None if files is None else channel_credentials(files), login)
    try:
        with asyncio.Runner() if runner is None else nullcontext(runner) as loop:
            wrong = WrongEndpoints(bootstrap, context, (lambda: _quorum_access(files, login)) if moves else None)
            yield _Connection(loop, bootstrap, timeout, access, wrong, prints_waits=prints_waits)
    except UnicodeEncodeError as error:
        # The shell hands over bytes that are no UTF-8 as what cannot be encoded again.
        raise ArgumentError(f"{error.object!r:.200} cannot be written as UTF-8, as every name and value is") from error
    except UnavailableError as error:
        raise UnreachableError(f"{error} (endpoints: {', '.join(bootstrap)}; waited {timeout:g} s)") from error
    except UnknownOutcomeError as error:
        raise CommandError(f"it is not known whether the change was made; look before repeating it: {error}") from error


def _protection(chosen: TlsOptions) -> tuple[TlsFiles | None, Login | None]:
    """Return the TLS files of a command, ``None`` for a connection in plaintext, and its credentials for SASL.

    Raises:
        ConfigError: the file of ``--command-config`` cannot be used.
        ArgumentError: it and other files are named.
    """
    if chosen.command_config is not None:
        return _configured(chosen, chosen.command_config)
    if chosen.authorities is None and chosen.identity is None:
        return None, None
    return TlsFiles(certificate=chosen.identity, trust=chosen.authorities, names=COMMAND_LINE), None


def _configured(chosen: TlsOptions, path: str) -> tuple[TlsFiles | None, Login | None]:
    from kraftpy.config.client_config import HOSTNAME_CHECK, parse_client_config
    from kraftpy.config.node_config import read_config_text
    from kraftpy.node.authentication import login_of

    if chosen.authorities is not None or chosen.identity is not None:
        raise ArgumentError(
            "--command-config names the files for TLS itself: ssl.truststore.location, ssl.keystore.location"
        )
    config = parse_client_config(read_config_text(path), path)
    files = None
    if config.tls is not None:
        tls = config.tls
        if not tls.checks_hostname:
            text = "gRPC checks the name of a server always; take the key away, or name the host of the certificate"
            raise ConfigError(f"{path}: {HOSTNAME_CHECK} is empty: {text}")
        files = TlsFiles(certificate=tls.certificate, trust=tls.trust, key_password=tls.key_password)
    return files, None if config.login is None else login_of(config.login)


def _quorum_access(files: TlsFiles | None, login: Login | None) -> QuorumAccess:
    """Protect connections of Kafka's protocol as those of gRPC; there the name of a server is checked, too."""
    if files is None:
        return QuorumAccess(login=login)
    return QuorumAccess(client_context(files), login, look_context(files))


def _got_through(client: AsyncClient) -> bool:
    """Return whether the client has reached a node by now."""
    return client.has_connected


def looking_context() -> ssl.SSLContext | None:
    """Make the context of a look at a port, as the running command's own connections have it; ``None`` in plaintext.

    Raises:
        ConfigError: when a TLS file of the running command, or that of ``--command-config``, cannot be used.
    """
    files, _ = _protection(chosen_tls())
    return None if files is None else look_context(files)


def listener_access() -> QuorumAccess:
    """Return how the running command connects to listeners of Kafka's protocol: as protected as to ports of gRPC.

    Raises:
        ConfigError: when a TLS file of the running command, or that of ``--command-config``, cannot be used.
    """
    return _quorum_access(*_protection(chosen_tls()))


def reading_context() -> ssl.SSLContext:
    """Make the context that reads which certificate a listener shows: it believes any.

    Nothing is sent but the handshake, in which the command's certificate is shown to a listener that asks for one.

    Raises:
        ConfigError: when a TLS file of the running command, or that of ``--command-config``, cannot be used.
    """
    files, _ = _protection(chosen_tls())
    context = client_context(files or TlsFiles(names=COMMAND_LINE), check_hostname=False)
    context.verify_mode = ssl.CERT_NONE
    return context


class _Connection:
    """The port, by one client per call."""

    def __init__(
        self,
        runner: asyncio.Runner,
        bootstrap: tuple[str, ...],
        timeout: float,
        access: Access,
        wrong: WrongEndpoints,
        *,
        prints_waits: bool,
    ) -> None:
        self._prints_waits = prints_waits
        self._wrong = wrong
        self._waits_for_start = waits_for_start()
        self._access = access
        self._runner = runner
        self._bootstrap = bootstrap
        self._timeout = timeout

    def _client(self, timeout_s: float | None = None) -> AsyncClient:
        credentials, login = self._access
        return AsyncClient(self._bootstrap, timeout_s=timeout_s or self._timeout, credentials=credentials, login=login)

    def _call(self, call: Callable[[AsyncClient], Awaitable[Answer]]) -> Answer:
        answer = self._once(call)
        return self._runner.run(answered(answer, self._waits_for) if self._prints_waits else answer)

    async def _waits_for(self) -> str:
        return answer_from(self._bootstrap, self._timeout)

    async def _once(self, call: Callable[[AsyncClient], Awaitable[Answer]], timeout_s: float | None = None) -> Answer:
        loop = asyncio.get_running_loop()
        ends = loop.time() + (timeout_s or self._timeout)
        async with self._client(timeout_s) as client:
            answer = asyncio.ensure_future(call(client))
            # What is wrong with the endpoints may be found as the call fails; then its error is not the reported one.
            answer.add_done_callback(lambda done: done.cancelled() or done.exception())
            try:
                moved = await self._moved(client, answer, ends)
                if not moved:
                    return await answer
            except UnavailableError as error:
                raise await self._explained(client, error) from error
            finally:
                answer.cancel()
        # Nothing was sent before, and the next calls begin there.
        self._wrong = self._wrong.at(moved)
        self._bootstrap = tuple(moved)
        return await self._once(call, max(ends - loop.time(), PATIENCE_S))

    async def _moved(self, client: AsyncClient, answer: asyncio.Future[Answer], ends: float) -> list[str]:
        """Wait for an answer; return where to ask instead when the client gets through to none of the endpoints.

        Raises:
            UnreachableError: none of the endpoints is one that the command can use, and nothing was sent to any.
        """
        loop, patience = asyncio.get_running_loop(), PATIENCE_S
        while True:
            await asyncio.wait({answer}, timeout=patience)
            if answer.done() or _got_through(client):
                return []
            look = asyncio.ensure_future(self._wrong.moved(ends - loop.time(), may_start=self._waits_for_start))
            either: set[asyncio.Future[Any]] = {answer, look}
            try:
                await asyncio.wait(either, return_when=asyncio.FIRST_COMPLETED)
                if not look.done() or _got_through(client):
                    return []
                if moved := look.result():
                    return moved
            finally:
                if not look.cancel():
                    # An answer is better than what the look found.
                    look.exception()
            patience = LOOK_AGAIN_S

    async def _explained(self, client: AsyncClient, error: UnavailableError) -> KraftError:
        """Return the error with what is at the endpoints, where a look shows it."""
        reasons = [] if client.has_connected else await self._wrong.reasons()
        return UnreachableError(f"{'; '.join(reasons)} (waited {self._timeout:g} s)") if reasons else error

    def transfer_leadership(self, node_id: int, *, validate_only: bool = False) -> LeaderAndEpoch:
        """Hand the leadership to a voter."""
        return self._call(lambda client: client.transfer_leadership(node_id, validate_only=validate_only))

    def describe_quorum(self) -> values.QuorumInfo:
        """Ask the leader how far each replica is."""
        return self._call(lambda client: client.describe_quorum())

    def describe_cluster(self, read: Read = ANY_STATE) -> values.ClusterInfo:
        """List the members, fenced brokers too."""
        return self._call(
            lambda client: client.describe_cluster(
                include_fenced=True, consistency=read.consistency, min_offset=read.min_offset
            )
        )

    def describe_log_dirs(self) -> values.LogDirs:
        """List the log directories of the node that answers."""
        return self._call(lambda client: client.describe_log_dirs())

    def describe_features(self, read: Read = ANY_STATE) -> values.Features:
        """List the features."""
        return self._call(
            lambda client: client.describe_features(consistency=read.consistency, min_offset=read.min_offset)
        )

    def describe_configs(self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE) -> values.Configs:
        """List the configs of these (type, name), or of all."""
        wanted = [values.Resource(*resource) for resource in resources]
        return self._call(
            lambda client: client.describe_configs(wanted, consistency=read.consistency, min_offset=read.min_offset)
        )

    def explain_configs(
        self, resources: Sequence[tuple[int, str]], read: Read = ANY_STATE
    ) -> Mapping[values.Resource, Sequence[values.ConfigEntry]]:
        """List all keys of these (type, name), or of all that have configs, and where their values come from."""
        wanted = [values.Resource(*resource) for resource in resources]

        async def explained(client: AsyncClient) -> Mapping[values.Resource, Sequence[values.ConfigEntry]]:
            found: dict[values.Resource, Sequence[values.ConfigEntry]] = {}
            for start in range(0, max(1, len(wanted)), EXPLAINED_RESOURCES_MAX):
                configs = await client.describe_configs(
                    wanted[start : start + EXPLAINED_RESOURCES_MAX],
                    include_defaults=True,
                    consistency=read.consistency,
                    min_offset=read.min_offset,
                )
                found |= {resource: configs.entries.get(resource, ()) for resource in configs.resources}
            return found

        return self._call(explained)

    def update_features(self, levels: Mapping[str, int], kind: str, *, validate_only: bool) -> None:
        """Change levels, all or none."""
        direction = values.FeatureChangeKind[kind]
        changes = [values.FeatureChange(name, level, direction) for name, level in levels.items()]
        self._call(lambda client: client.update_features(changes, validate_only=validate_only))

    def alter_configs(
        self, resource: tuple[int, str], settings: Mapping[str, str | None], *, validate_only: bool
    ) -> str | None:
        """Set keys, and delete those whose value is ``None``; return why it was refused, if it was."""
        changes = {values.Resource(*resource): [_change(name, value) for name, value in settings.items()]}
        done = self._call(lambda client: client.incremental_alter_configs(changes, validate_only=validate_only))
        return _first_error(done.outcomes)

    def describe_client_quotas(
        self, names: Mapping[str, str | None], any_name: Sequence[str], read: Read = ANY_STATE
    ) -> values.Quotas:
        """List the quotas of entities with exactly these types; ``None`` is the default of a type."""
        return self._call(
            lambda client: client.describe_client_quotas(
                names, any_name=any_name, strict=True, consistency=read.consistency, min_offset=read.min_offset
            )
        )

    def alter_client_quotas(
        self, names: Mapping[str, str | None], changes: Mapping[str, float | None], *, validate_only: bool
    ) -> str | None:
        """Set quotas, and delete those whose value is ``None``; return why it was rejected, if it was."""
        done = self._call(lambda client: client.alter_client_quotas([(names, changes)], validate_only=validate_only))
        return _first_error(done.outcomes)

    def describe_user_scram_credentials(self, users: Sequence[str], read: Read = ANY_STATE) -> values.ScramUsers:
        """List which SCRAM credentials these users have, or all."""
        return self._call(
            lambda client: client.describe_user_scram_credentials(
                users, consistency=read.consistency, min_offset=read.min_offset
            )
        )

    def alter_user_scram_credentials(
        self,
        upsertions: Sequence[values.NewScramCredential],
        deletions: Sequence[tuple[str, int]],
        *,
        validate_only: bool,
    ) -> str | None:
        """Set and delete SCRAM credentials; return why it was rejected, if it was."""
        gone = [(user, values.ScramMechanism(mechanism)) for user, mechanism in deletions]
        done = self._call(
            lambda client: client.alter_user_scram_credentials(upsertions, deletions=gone, validate_only=validate_only)
        )
        return _first_error(done.outcomes)

    def create_topic(
        self, topic: values.NewTopic, placement: values.Placement, *, validate_only: bool
    ) -> values.TopicOutcome:
        """Create a topic."""
        done = self._call(
            lambda client: client.create_topics([topic], placement=placement, validate_only=validate_only)
        )
        return done.outcomes[0]

    def create_partitions(
        self, increase: values.PartitionIncrease, placement: values.Placement, *, validate_only: bool
    ) -> values.TopicOutcome:
        """Add partitions to a topic."""
        done = self._call(
            lambda client: client.create_partitions([increase], placement=placement, validate_only=validate_only)
        )
        return done.outcomes[0]

    def delete_topics(
        self, names: Sequence[str], topic_ids: Sequence[bytes], *, validate_only: bool
    ) -> Sequence[values.TopicOutcome]:
        """Delete topics by name and by id."""
        return self._call(
            lambda client: client.delete_topics(names, topic_ids=map(Uuid, topic_ids), validate_only=validate_only)
        ).outcomes

    def describe_topics(
        self, names: Sequence[str], read: Read = ANY_STATE, *, omit_partitions: bool = False
    ) -> values.Topics:
        """Describe these topics, or all."""
        return self._call(
            lambda client: client.describe_topics(
                names, omit_partitions=omit_partitions, consistency=read.consistency, min_offset=read.min_offset
            )
        )

    def list_topics(self, read: Read = ANY_STATE) -> list[str]:
        """List the names of all topics, ascending."""
        return [topic.name for topic in self.describe_topics((), read, omit_partitions=True).topics]

    def elect_leaders(
        self,
        election_type: values.LeaderElectionType,
        partitions: Mapping[str, Sequence[int]] | None,
        *,
        validate_only: bool,
    ) -> Sequence[values.PartitionResult]:
        """Elect leaders of these partitions, or of all."""
        return self._call(
            lambda client: client.elect_leaders(election_type, partitions, validate_only=validate_only)
        ).outcomes

    def create_acls(self, entries: Sequence[values.AclEntry], *, validate_only: bool) -> Sequence[values.AclOutcome]:
        """Create access control entries."""
        return self._call(lambda client: client.create_acls(entries, validate_only=validate_only)).outcomes

    def delete_acls(self, matches: Sequence[values.AclMatch], *, validate_only: bool) -> Sequence[values.AclOutcome]:
        """Delete the access control entries that match, and return them."""
        return self._call(lambda client: client.delete_acls(matches, validate_only=validate_only)).outcomes

    def describe_acls(self, match: values.AclMatch, read: Read = ANY_STATE) -> Sequence[values.AclEntry]:
        """List the access control entries that match."""
        return self._call(
            lambda client: client.describe_acls(match, consistency=read.consistency, min_offset=read.min_offset)
        ).entries

    def reassign_partitions(
        self,
        replicas: Mapping[tuple[str, int], Sequence[int] | None],
        *,
        allow_replication_factor_change: bool,
        validate_only: bool = False,
    ) -> Sequence[values.PartitionResult]:
        """Move replicas of partitions; ``None`` cancels."""
        return self._call(
            lambda client: client.alter_partition_reassignments(
                replicas,
                allow_replication_factor_change=allow_replication_factor_change,
                validate_only=validate_only,
            )
        ).outcomes

    def alter_many_configs(self, settings: Mapping[tuple[ResourceType, str], Mapping[str, str | None]]) -> str | None:
        """Set keys of many resources, and delete those whose value is ``None``; return the first refusal."""
        rows = list(settings.items())
        for start in range(0, len(rows), CONFIG_RESOURCES_MAX):
            changes = {
                values.Resource(*resource): [_change(name, value) for name, value in keys.items()]
                for resource, keys in rows[start : start + CONFIG_RESOURCES_MAX]
            }
            done = self._call(partial(_alter_configs, changes))
            refused = next((one for one in done.outcomes if one.error is not ErrorCode.NONE), None)
            if refused is not None:
                return f"{refused.resource.name}: {refused.message} ({refused.error.name})"
        return None

    def list_reassignments(
        self, partitions: Mapping[str, Sequence[int]] | None
    ) -> Sequence[values.OngoingReassignment]:
        """List the ongoing reassignments of these partitions, or all, in the state of the leader."""
        linearizable = Consistency.LINEARIZABLE
        return self._call(
            lambda client: client.list_partition_reassignments(partitions, consistency=linearizable)
        ).reassignments

    def describe_broker_hosts(self, hosts: Sequence[str], read: Read = ANY_STATE) -> Sequence[values.BrokerHost]:
        """List the broker ids of these hosts, or of all."""
        return self._call(
            lambda client: client.describe_broker_hosts(hosts, consistency=read.consistency, min_offset=read.min_offset)
        ).hosts

    def alter_broker_host(self, host: str, broker_id: int | None, *, validate_only: bool) -> None:
        """Set the broker id of a host, or remove it."""
        self._call(lambda client: client.alter_broker_host(host, broker_id, validate_only=validate_only))

    def create_delegation_token(
        self, *, owner: str | None, renewers: Sequence[str], max_lifetime_ms: int | None, validate_only: bool
    ) -> values.CreatedDelegationToken:
        """Create a delegation token."""
        return self._call(
            lambda client: client.create_delegation_token(
                owner=owner, renewers=renewers, max_lifetime_ms=max_lifetime_ms, validate_only=validate_only
            )
        )

    def renew_delegation_token(self, hmac: bytes, period_ms: int | None, *, validate_only: bool) -> int:
        """Renew a delegation token; return when it expires (ms since 1970)."""
        return self._call(
            lambda client: client.renew_delegation_token(hmac, period_ms=period_ms, validate_only=validate_only)
        )

    def expire_delegation_token(self, hmac: bytes, period_ms: int | None, *, validate_only: bool) -> int:
        """Let a delegation token expire, or delete it; return when it expires (ms since 1970)."""
        return self._call(
            lambda client: client.expire_delegation_token(hmac, period_ms=period_ms, validate_only=validate_only)
        )

    def describe_delegation_tokens(
        self, owners: Sequence[str], read: Read = ANY_STATE
    ) -> Sequence[values.DelegationTokenInfo]:
        """List the delegation tokens of these owners, or of all."""
        return self._call(
            lambda client: client.describe_delegation_tokens(
                owners, consistency=read.consistency, min_offset=read.min_offset
            )
        ).tokens

    def get_image(self, *, include_secrets: bool) -> values.ImageRecords:
        """Return the whole state as the records of a snapshot."""
        return self._call(lambda client: client.get_image(include_secrets=include_secrets))

    def unregister_broker(self, broker_id: int, *, validate_only: bool) -> None:
        """Forget a broker."""
        self._call(lambda client: client.unregister_broker(broker_id, validate_only=validate_only))

    def unregister_controller(self, controller_id: int, *, validate_only: bool) -> None:
        """Forget a controller."""
        self._call(lambda client: client.unregister_controller(controller_id, validate_only=validate_only))

    def watch(self, from_offset: int, *, shows_secrets: bool = False) -> Iterator[WatchedRecord]:
        """Follow the committed log, for ever."""
        # The stream itself waits for ever, so whether anybody is there is asked first.
        self.describe_features()
        client = self._client()
        events = aiter(client.watch(from_offset, include_json=True, include_secrets=shows_secrets, report=_report))
        snapshot: values.SnapshotBegins | None = None
        while True:
            event = self._runner.run(_next(events))
            if isinstance(event, values.SnapshotBegins):
                snapshot = event
            elif isinstance(event, values.SnapshotPart) and snapshot is not None:
                yield from _of_snapshot(event, snapshot)
            elif isinstance(event, values.WatchedBatch):
                yield from _of_batch(event, from_offset)


def _first_error(outcomes: Iterable[values.ConfigOutcome | values.QuotaOutcome | values.ScramOutcome]) -> str | None:
    rejected = next((outcome for outcome in outcomes if outcome.error is not ErrorCode.NONE), None)
    return None if rejected is None else f"{rejected.message} ({rejected.error.name})"


def _report(sentence: str) -> None:
    click.echo(f"# {sentence}", err=True)


async def _next(events: AsyncIterator[values.WatchEvent]) -> values.WatchEvent:
    return await anext(events)


def _alter_configs(
    changes: Mapping[values.Resource, Sequence[values.ConfigChange]], client: AsyncClient
) -> Awaitable[values.ConfigsAltered]:
    return client.incremental_alter_configs(changes)


def _change(name: str, value: str | None) -> values.ConfigChange:
    return values.ConfigChange(name, value, values.ConfigOp.DELETE if value is None else values.ConfigOp.SET)


def _of_snapshot(part: values.SnapshotPart, snapshot: values.SnapshotBegins) -> Iterator[WatchedRecord]:
    for text in part.json:
        yield WatchedRecord(offset=None, snapshot_end=snapshot.end_offset, epoch=snapshot.epoch, data=json.loads(text))


def _of_batch(batch: values.WatchedBatch, from_offset: int) -> Iterator[WatchedRecord]:
    if batch.is_control:
        shown: Iterable[dict[str, Any]] = map(control_record_to_json, parse_batch(batch.records).control_records())
    else:
        shown = map(json.loads, batch.json)
    for offset, data in enumerate(shown, batch.base_offset):
        if offset >= from_offset:
            yield WatchedRecord(offset=offset, epoch=batch.epoch, data=data)
