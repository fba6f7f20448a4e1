"""What a running node follows: the metadata log before its file, and what waits for neither."""

from __future__ import annotations

import pytest
from structlog.testing import capture_logs

from kraftpy.config.node_config import parse_config
from kraftpy.config_keys.followed import RELOADED
from kraftpy.image.delta import MetadataDelta
from kraftpy.image.image import EMPTY
from kraftpy.image.publishing import Publication
from kraftpy.node.limits import listener_limits
from kraftpy.node.running_settings import RunningSettings
from kraftpy.records.metadata import ConfigRecord

BROKER = 4
TEXT = """process.roles=controller
node.id=1
controller.quorum.voters=1@localhost:9093
listeners=CONTROLLER://localhost:9093
controller.listener.names=CONTROLLER
log.dirs=/var/lib/x
"""
KEY = "max.connections"


class World:
    """Settings that follow a log and a file; what they applied, and what they logged."""

    def __init__(self, text=""):
        self.applied = []
        self.image = EMPTY
        self.lines = []
        self.settings = RunningSettings(self.config(text), self.applied.append)

    @staticmethod
    def config(text):
        return parse_config(TEXT + text, "file")

    def publish(self, *values):
        """Replay (resource name, key, value) each, and publish."""
        delta = MetadataDelta(self.image)
        delta.replay_all([ConfigRecord(BROKER, *each) for each in values])
        before, self.image = self.image, delta.apply(self.image.provenance)
        published = Publication.complete(before, self.image)
        return self._logged(lambda: self.settings.on_metadata_update(*_parts(published)))

    def reload(self, text):
        found = []
        lines = self._logged(lambda: found.extend(self.settings.follow_file(self.config(text))))
        return found, lines

    def _logged(self, work):
        with capture_logs() as logs:
            work()
        return [(one["event"], one["key"], *(one[name] for name in ("after", "source") if name in one)) for one in logs]

    def value(self, key=KEY):
        assert self.settings.values == (self.applied[-1] if self.applied else self.settings.values)
        return self.settings.values[key]


def _parts(published):
    return published.delta, published.image, published.manifest


@pytest.fixture(autouse=True)
def levels(monkeypatch):
    found = []
    monkeypatch.setattr("kraftpy.node.running_settings.set_log_level", found.append)
    return found


def test_the_log_comes_before_the_file_and_its_own_values_before_those_for_all():
    """Kafka's order: its own in the log, that for all, the file, the default; and back again as values are deleted."""
    world = World("max.connections=50\n")
    assert world.publish() == []
    assert (world.value(), len(world.applied)) == (50, 1)
    assert world.publish(("", KEY, "40")) == [("setting_changed", KEY, 40, "DYNAMIC_DEFAULT_BROKER_CONFIG")]
    assert world.publish(("1", KEY, "30")) == [("setting_changed", KEY, 30, "DYNAMIC_BROKER_CONFIG")]
    assert world.publish(("2", KEY, "7"), ("", KEY, "41")) == []
    assert world.reload("max.connections=60\n") == ([KEY], [])
    assert world.value() == 30
    assert world.publish(("1", KEY, None)) == [("setting_changed", KEY, 41, "DYNAMIC_DEFAULT_BROKER_CONFIG")]
    assert world.publish(("", KEY, None)) == [("setting_changed", KEY, 60, "STATIC_BROKER_CONFIG")]
    assert world.reload("") == ([], [("setting_changed", KEY, 1000, "STATIC_BROKER_CONFIG")])
    assert (world.value(), world.settings.in_file) == (1000, {})


@pytest.mark.parametrize(
    ("key", "limit"),
    [
        (KEY, lambda limits: limits.connections.connections),
        ("max.connection.creation.rate", lambda limits: limits.connections_per_second_max),
    ],
)
def test_a_listener_may_have_a_limit_of_its_own(key, limit):
    """Ahead of that for all listeners; one of a listener that this node does not have is nothing to it."""
    world = World(f"{key}=50\n")
    world.publish()
    own = f"listener.name.controller.{key}"

    def limits():
        return [limit(listener_limits(world.settings.values, name)) for name in ("CONTROLLER", "OTHER")]

    assert world.publish(("", own, "7")) == [("setting_changed", own, 7, "DYNAMIC_DEFAULT_BROKER_CONFIG")]
    assert (world.value(own), limits()) == (7, [7, 50])
    assert world.publish(("1", own, "0")) == [("setting_not_followed", own, "DYNAMIC_BROKER_CONFIG")]
    assert world.publish(("1", f"listener.name.other.{key}", "9")) == []
    assert world.publish(("", key, "8")) == [("setting_changed", key, 8, "DYNAMIC_DEFAULT_BROKER_CONFIG")]
    assert limits() == [7, 8]
    assert world.publish(("", own, None)) == [("setting_changed", own, None, "STATIC_BROKER_CONFIG")]
    assert limits() == [8, 8]


def test_nothing_is_applied_for_what_no_node_follows():
    """A broker of Kafka has keys of its own there; and each change of a topic is a publication, too."""
    world = World()
    world.publish()
    assert world.publish(("1", "num.io.threads", "x"), ("", "queued.max.requests", "5")) == []
    assert world.publish() == []
    assert (len(world.applied), world.value("queued.max.requests")) == (1, 500)


@pytest.mark.parametrize("bad", ["0", "-1", "x", "", "9" * 40, "5\n5", "\u0665"])
def test_a_value_that_cannot_be_used_stops_nothing_and_is_named_once(bad):
    """It was in the log before a check was made, or Kafka's controllers wrote it: the next place counts."""
    world = World("max.connections=50\n")
    lines = world.publish(("", KEY, "40"), ("1", KEY, bad))
    assert lines == [
        ("setting_not_followed", KEY, "DYNAMIC_BROKER_CONFIG"),
        ("setting_changed", KEY, 40, "DYNAMIC_DEFAULT_BROKER_CONFIG"),
    ]
    assert world.value() == 40
    assert world.publish(("1", "log.retention.ms", "5")) == []
    assert world.publish(("1", KEY, "30")) == [("setting_changed", KEY, 30, "DYNAMIC_BROKER_CONFIG")]


def test_the_level_of_the_logs_is_followed(levels):
    """At its first image a node has the level of its file again: one before it in this process may have had another."""
    world = World()
    world.publish()
    assert world.publish(("1", "log.level", "debug")) == [
        ("log_level_changed", "log.level", "debug", "DYNAMIC_BROKER_CONFIG")
    ]
    world.publish(("1", "log.level", None))
    assert levels == ["info", "debug", "info"]


def test_a_file_changes_what_may_change_and_nothing_else():
    """A key that only a start reads keeps its value, for everything that reads it from here."""
    world = World()
    found, lines = world.reload(
        "metadata.max.retention.ms=5\nqueued.max.requests=7\nmetadata.log.segment.bytes=9388608\n"
    )
    assert found == []
    assert lines == [
        ("setting_changed", "metadata.max.retention.ms", 5, "STATIC_BROKER_CONFIG"),
        ("setting_changed", "queued.max.requests", 7, "STATIC_BROKER_CONFIG"),
    ]
    assert (world.value("metadata.max.retention.ms"), world.value("queued.max.requests")) == (5, 7)
    assert world.value("metadata.log.segment.bytes") == 1_073_741_824


def test_a_level_in_the_file_that_the_log_decides_is_named():
    world = World()
    world.publish(("", "log.level", "error"))
    assert world.reload("log.level=debug\n") == (["log.level"], [])
    assert world.value("log.level") == "error"


@pytest.mark.parametrize("key", sorted(RELOADED))
def test_each_key_that_the_page_lists_takes_effect(key):
    """The page says SIGHUP: a key that is only listed has no effect."""
    world = World()
    text = {"log.level": "debug", "max.connections.per.ip.overrides": "10.0.0.1:3"}.get(key, "2200000")
    _, lines = world.reload(f"{key}={text}\n")
    assert [line[1] for line in lines] == [key]
    assert str(world.applied[-1][key]) == text
