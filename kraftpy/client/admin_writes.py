"""The writes of a client for operators and applications."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from kraftpy.client import values as v
from kraftpy.client import wire
from kraftpy.client.calls import ClusterCalls
from kraftpy.client.uuids import Uuid
from kraftpy.model.ids import NodeId
from kraftpy.model.offsets import Epoch
from kraftpy.pb.v1 import admin_pb2


class AdminWrites(ClusterCalls):
    """Changes of topics, configs, quotas, credentials, entries, tokens, features and members."""

    async def unregister_broker(
        self,
        broker_id: NodeId,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Remove a broker's registration.

        Args:
            broker_id: the broker.
            validate_only: dry run.
            request_id: 16 bytes chosen by the caller, new for each write.
            first_sent_epoch: that of an :class:`UnknownOutcomeError`: this call is a retry of the call that raised it,
                with the ``request_id`` of the same error.
            retry_unknown: repeat the write even if an earlier attempt may have been applied; the caller asserts that
                this is safe.
            timeout_s: the timeout of the call, in seconds; by default that of the client.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.UnregisterBrokerRequest(options=options, broker_id=broker_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "unregister_broker", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def unregister_controller(
        self,
        controller_id: NodeId,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Remove a controller's registration; see :meth:`unregister_broker` for the arguments."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.UnregisterControllerRequest(options=options, controller_id=controller_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "unregister_controller", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def alter_broker_host(
        self,
        host: str,
        broker_id: NodeId | None,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Set the broker id of a host, or remove it (``None``); see :meth:`unregister_broker` for the arguments."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.AlterBrokerHostRequest(options=options, host=host, broker_id=broker_id)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_broker_host", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def create_delegation_token(
        self,
        *,
        owner: str | None = None,
        renewers: Iterable[str] = (),
        max_lifetime_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.CreatedDelegationToken:
        """Create a delegation token; see :meth:`unregister_broker` for the other arguments.

        Args:
            owner: type and name, such as ``User:alice``; ``None`` for the caller.
            renewers: who may renew it, besides its owner.
            max_lifetime_ms: until it can no longer be renewed; ``None`` for the longest that the cluster allows.
            validate_only: dry run; the result has no id and no HMAC.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.CreateDelegationTokenRequest(
            options=options, owner=owner, renewers=renewers, max_lifetime_ms=max_lifetime_ms
        )
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.token_created(answer)

    async def renew_delegation_token(
        self,
        hmac: bytes,
        *,
        period_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> int:
        """Let a token expire ``period_ms`` from now, or as late as the cluster allows; return when (ms since 1970).

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.RenewDelegationTokenRequest(options=options, hmac=hmac, period_ms=period_ms)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "renew_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return int(answer.expiration_timestamp_ms)

    async def expire_delegation_token(
        self,
        hmac: bytes,
        *,
        period_ms: int | None = None,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> int:
        """Let a token expire ``period_ms`` from now, or delete it (``None``); return when it expires (ms since 1970).

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = admin_pb2.ExpireDelegationTokenRequest(options=options, hmac=hmac, period_ms=period_ms)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "expire_delegation_token", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return int(answer.expiration_timestamp_ms)

    async def update_features(
        self,
        changes: Iterable[v.FeatureChange],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.Position:
        """Change feature levels, all or none; see :meth:`unregister_broker` for the arguments."""
        message = wire.update_features(changes, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "update_features", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.position(answer.position)

    async def incremental_alter_configs(
        self,
        changes: Mapping[v.Resource, Sequence[v.ConfigChange]],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ConfigsAltered:
        """Change config keys; resources succeed or fail independently, so check every outcome.

        See :meth:`unregister_broker` for the arguments.
        """
        message = wire.alter_configs(changes, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "incremental_alter_configs", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.configs_altered(answer)

    async def create_topics(
        self,
        topics: Iterable[v.NewTopic],
        *,
        placement: v.Placement = v.ANY_PLACEMENT,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Create topics; look at every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            topics: what to create.
            placement: how partitions without a manual assignment are placed.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.create_topics(topics, placement, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_topics", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def delete_topics(
        self,
        names: Iterable[str] = (),
        *,
        topic_ids: Iterable[Uuid] = (),
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Delete topics by name and by id; look at every outcome, names first; see :meth:`unregister_broker`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.delete_topics(names, topic_ids, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "delete_topics", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def create_partitions(
        self,
        increases: Iterable[v.PartitionIncrease],
        *,
        placement: v.Placement = v.ANY_PLACEMENT,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.TopicsChanged:
        """Add partitions to topics; look at every outcome; see :meth:`create_topics`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.create_partitions(increases, placement, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_partitions", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.topics_changed(answer)

    async def elect_leaders(
        self,
        election_type: v.LeaderElectionType,
        partitions: Mapping[str, Iterable[int]] | None,
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.PartitionsChanged:
        """Elect leaders; check every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            election_type: which leader is elected.
            partitions: which, by topic; ``None`` means all: then those that need no election have no outcome.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.elect_leaders(election_type, partitions, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "elect_leaders", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.partitions_changed(answer)

    async def alter_partition_reassignments(
        self,
        replicas: Mapping[tuple[str, int], Sequence[NodeId] | None],
        *,
        allow_replication_factor_change: bool = True,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.PartitionsChanged:
        """Move replicas; check every outcome; see :meth:`unregister_broker` for the other arguments.

        Args:
            replicas: the new replicas by topic and partition, the preferred leader first; ``None`` cancels.
            allow_replication_factor_change: accept a reassignment that changes the number of replicas.
            validate_only: see there, as for the others.
            request_id: see there.
            first_sent_epoch: see there.
            retry_unknown: see there.
            timeout_s: see there.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_partition_reassignments(
            replicas, options, allow_replication_factor_change=allow_replication_factor_change
        )
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_partition_reassignments",
            message,
            timeout_s,
            may_repeat=may_repeat,
            first_sent_epoch=first_sent_epoch,
        )
        return wire.partitions_changed(answer)

    async def alter_client_quotas(
        self,
        changes: Iterable[tuple[v.Entity, Mapping[str, float | None]]],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.QuotasAltered:
        """Set quotas by entity and key, and remove those whose value is ``None``; check every outcome.

        See :meth:`unregister_broker` for the other arguments.
        """
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_client_quotas(changes, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_client_quotas", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.quotas_altered(answer)

    async def alter_user_scram_credentials(
        self,
        upsertions: Iterable[v.NewScramCredential] = (),
        *,
        deletions: Iterable[tuple[str, v.ScramMechanism]] = (),
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.ScramAltered:
        """Set and delete SCRAM credentials; check every outcome; see :meth:`unregister_broker`."""
        options = self._options(validate_only=validate_only, request_id=request_id)
        message = wire.alter_user_scram_credentials(upsertions, deletions, options)
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "alter_user_scram_credentials", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.scram_altered(answer)

    async def create_acls(
        self,
        entries: Iterable[v.AclEntry],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.AclsChanged:
        """Create access control entries; check every outcome; see :meth:`unregister_broker`."""
        message = wire.create_acls(entries, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "create_acls", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.acls_changed(answer)

    async def delete_acls(
        self,
        matches: Iterable[v.AclMatch],
        *,
        validate_only: bool = False,
        request_id: bytes | None = None,
        first_sent_epoch: Epoch | None = None,
        retry_unknown: bool = False,
        timeout_s: float | None = None,
    ) -> v.AclsChanged:
        """Delete the access control entries that match; each outcome lists them; see :meth:`unregister_broker`."""
        message = wire.delete_acls(matches, self._options(validate_only=validate_only, request_id=request_id))
        may_repeat = retry_unknown or validate_only
        answer = await self._write(
            "delete_acls", message, timeout_s, may_repeat=may_repeat, first_sent_epoch=first_sent_epoch
        )
        return wire.acls_changed(answer)
