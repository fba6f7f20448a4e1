"""Limits and the log level of running nodes, set through the metadata log and by SIGHUP: what a connection meets."""

from __future__ import annotations

import asyncio
import signal
from contextlib import suppress

from kraftpy.client.values import ConfigChange, ConfigOp, Resource
from kraftpy.model.config_sources import ConfigSource
from kraftpy.model.errors import ErrorCode
from kraftpy.model.resource_types import ResourceType
from tests.fakes.processes import PATIENCE_S, configure, running, under_load
from tests.integration.test_floods import describe_quorum, kafka_port

OF_LISTENER = "listener.name.controller.max.connections"
OVERRIDES = "max.connections.per.ip.overrides"


class Connection:
    """One connection to a node's Kafka port."""

    def __init__(self, reader, writer):
        self.reader, self.writer = reader, writer

    @classmethod
    async def to(cls, port):
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def is_served(self) -> bool:
        """Return whether a request is answered; false when the node closed the connection."""
        try:
            async with asyncio.timeout(PATIENCE_S):
                self.writer.write(describe_quorum(1))
                # The whole answer: what is left of one would be taken for the next one's.
                await self.reader.readexactly(int.from_bytes(await self.reader.readexactly(4)))
                return True
        except (asyncio.IncompleteReadError, ConnectionError):
            return False

    async def is_closed(self) -> None:
        """Wait until the node closes it."""
        async with asyncio.timeout(PATIENCE_S):
            with suppress(ConnectionError):
                while await self.reader.read(1024):
                    pass

    def end(self):
        self.writer.transport.abort()


async def altered(cluster, name, *changes):
    """Set (key, value), or delete with ``None``, at one node or at all; return the error."""
    resource = Resource(ResourceType.BROKER, name)
    asked = [ConfigChange(key, value, ConfigOp.SET if value is not None else ConfigOp.DELETE) for key, value in changes]
    async with cluster.client() as client:
        (outcome,) = (await client.incremental_alter_configs({resource: asked})).outcomes
    return outcome


async def in_force(cluster, node_id, key):
    """Return what a node reports of its own key: the value and its place."""
    resource = Resource(ResourceType.BROKER, str(node_id))
    async with cluster.client(node_id) as client:
        configs = await client.describe_configs([resource], include_defaults=True)
    (entry,) = (one for one in configs.entries[resource] if one.name == key)
    return entry.value, entry.source


async def test_a_controller_follows_limits_that_are_set_in_the_log(tmp_path):
    """One place: the connection that was silent is closed for the next one. The key deleted: both are served."""
    async with running(tmp_path, controllers=1) as cluster:
        await cluster.leader()
        port = kafka_port(cluster, 1)
        first = await Connection.to(port)
        assert await first.is_served()
        assert (await altered(cluster, "1", ("max.connections", "1"))).error is ErrorCode.NONE
        assert await in_force(cluster, 1, "max.connections") == ("1", ConfigSource.DYNAMIC_BROKER_CONFIG)
        second = await Connection.to(port)
        await first.is_closed()
        assert await second.is_served()
        # That of one listener counts ahead of it, and is shown.
        assert (await altered(cluster, "1", (OF_LISTENER, "2"))).error is ErrorCode.NONE
        assert await in_force(cluster, 1, OF_LISTENER) == ("2", ConfigSource.DYNAMIC_BROKER_CONFIG)
        beside = await Connection.to(port)
        assert await beside.is_served()
        assert await second.is_served()
        beside.end()
        await altered(cluster, "1", (OF_LISTENER, None))

        assert (await altered(cluster, "1", ("max.connections", None))).error is ErrorCode.NONE
        third = await Connection.to(port)
        assert await third.is_served()
        assert await second.is_served()

        assert (await altered(cluster, "", (OVERRIDES, "127.0.0.1:0"))).error is ErrorCode.NONE
        assert await in_force(cluster, 1, OVERRIDES) == ("127.0.0.1:0", ConfigSource.DYNAMIC_DEFAULT_BROKER_CONFIG)
        refused = await Connection.to(port)
        await refused.is_closed()
        await altered(cluster, "", (OVERRIDES, None))
        accepted = await Connection.to(port)
        assert await accepted.is_served()
        for one in (first, second, third, refused, accepted):
            one.end()


async def test_what_must_not_be_in_the_log_is_refused_and_what_is_there_is_passed_over(tmp_path):
    """A bad value comes from an older log here: the check of the controller is passed by a 0, which Kafka allows."""
    async with running(tmp_path, controllers=1, extra={"max.connections": "90"}) as cluster:
        await cluster.leader()
        for key, value in (
            ("max.connections", "-5"),
            ("max.connections", "x"),
            (OVERRIDES, "a"),
            ("log.level", "loud"),
        ):
            refused = await altered(cluster, "1", (key, value))
            assert (refused.error, value in refused.message) == (ErrorCode.INVALID_CONFIG, True)
        assert (await altered(cluster, "1", ("max.connections", "0"))).error is ErrorCode.NONE
        await cluster.states(1, "setting_not_followed")
        for start in range(2):
            assert await in_force(cluster, 1, "max.connections") == ("90", ConfigSource.STATIC_BROKER_CONFIG)
            connection = await Connection.to(kafka_port(cluster, 1))
            assert await connection.is_served()
            connection.end()
            if start == 0:
                assert await cluster.terminate(1) == 0
                await cluster.start(1)
                await cluster.leader()


async def test_sighup_reloads_what_the_log_does_not_decide(tmp_path):
    """It ends the process, or an operator restarts a controller to see more of it."""
    async with running(tmp_path, controllers=1) as cluster:
        await cluster.leader()
        await altered(cluster, "1", ("max.connections", "77"))
        configure(
            cluster.node(1), log__level="debug", max__connections="55", max__connection__creation__rate="500",
            metadata__max__retention__ms="3600000", metadata__log__segment__bytes="9388608",
        )  # fmt: skip
        cluster.child(1).signal(signal.SIGHUP)
        await cluster.states(1, "config_needs_restart")
        log = cluster.log_of(1)
        assert "log_level_changed" in log
        assert "keys=['metadata.log.segment.bytes']" in log
        assert "config_overridden" in log
        assert "keys=['max.connections']" in log
        assert await in_force(cluster, 1, "max.connections") == ("77", ConfigSource.DYNAMIC_BROKER_CONFIG)
        rate = await in_force(cluster, 1, "max.connection.creation.rate")
        assert rate == ("500", ConfigSource.STATIC_BROKER_CONFIG)
        await altered(cluster, "1", ("max.connections", None))
        assert await in_force(cluster, 1, "max.connections") == ("55", ConfigSource.STATIC_BROKER_CONFIG)
        await altered(cluster, "1", ("log.level", "error"))
        assert await in_force(cluster, 1, "log.level") == ("error", ConfigSource.DYNAMIC_BROKER_CONFIG)
        async with under_load(cluster) as load:
            await load.grow(1)


async def test_a_broker_follows_what_is_set_for_it(tmp_path):
    """Each node its own value; a broker's listener is limited as a controller's is."""
    async with running(tmp_path, controllers=1, brokers=1) as cluster:
        await cluster.leader()
        (broker,) = (node.node_id for node in cluster.sandbox.nodes if node.node_id != 1)
        await cluster.states(broker, "broker_registered")
        assert (await altered(cluster, str(broker), (OVERRIDES, "127.0.0.1:0"))).error is ErrorCode.NONE
        await cluster.states(broker, "setting_changed")
        refused = await Connection.to(kafka_port(cluster, broker))
        await refused.is_closed()
        at_the_controller = await Connection.to(kafka_port(cluster, 1))
        assert await at_the_controller.is_served()
        assert "setting_changed" not in cluster.log_of(1)
        refused.end()
        at_the_controller.end()
