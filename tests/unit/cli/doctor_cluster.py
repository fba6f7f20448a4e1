"""A cluster in memory, for the commands that examine one."""

from __future__ import annotations

import contextlib

import pytest

from kraftpy.cli import connection, doctor_reading
from kraftpy.cli.cluster_port import ANY_STATE
from kraftpy.cli.errors import UnreachableError
from kraftpy.client.values import ConfigEntry, ConfigSource, ConfigSynonym, Resource
from tests.unit.doctor.worlds import NOW_MS, healthy


class FakeCluster:
    """A healthy cluster, of which each answer may be replaced; remembers who was asked what."""

    def __init__(self) -> None:
        self.facts = healthy()
        self.quorum = self.facts.quorum.known
        self.failures: dict[str, Exception] = {}
        self.unreachable: set[str] = set()
        self.files: dict[str, dict[str, str]] = {}
        self.asked: list[tuple] = []
        self.address = ""
        self.timeouts: dict[str, float] = {}
        self.moves: dict[str, bool] = {}

    def _answer(self, name, value, *details):
        self.asked.append((name, self.address, *details))
        if self.address in self.unreachable:
            raise UnreachableError(f"{self.address} refuses connections")
        if name in self.failures:
            raise self.failures[name]
        return value

    def describe_quorum(self):
        return self._answer("quorum", self.quorum)

    def describe_cluster(self, read=ANY_STATE):
        return self._answer("cluster", self.facts.cluster.known, read.consistency)

    def describe_features(self, read=ANY_STATE):
        return self._answer("features", self.facts.features.known, read.consistency)

    def describe_topics(self, names, read=ANY_STATE, *, omit_partitions=False):
        assert (names, omit_partitions) == ((), False)
        return self._answer("topics", self.facts.topics.known, read.consistency)

    def explain_configs(self, resources, read=ANY_STATE):
        del read
        entries = tuple(
            ConfigEntry(
                key,
                value,
                ConfigSource.STATIC_BROKER_CONFIG,
                is_sensitive="password" in key,
                synonyms=(
                    ConfigSynonym(key, value, ConfigSource.STATIC_BROKER_CONFIG),
                    ConfigSynonym(key, "default", ConfigSource.DEFAULT_CONFIG),
                ),
            )
            for key, value in self.files.get(self.address, {}).items()
        )
        return self._answer("configs", {Resource(*one): entries for one in resources}, *resources)


def behind_connections(monkeypatch: pytest.MonkeyPatch) -> FakeCluster:
    """Put a cluster behind every connection, at this machine's time."""
    fake = FakeCluster()

    @contextlib.contextmanager
    def connect(bootstrap, timeout, runner=None, *, moves=True, prints_waits=True):
        assert (runner is not None, prints_waits) == (True, True)
        fake.address = bootstrap[0]
        fake.timeouts[bootstrap[0]] = timeout
        fake.moves[bootstrap[0]] = moves
        yield fake

    monkeypatch.setattr(connection, "connect", connect)
    monkeypatch.setattr(doctor_reading, "wall_ms", lambda: NOW_MS)
    return fake
