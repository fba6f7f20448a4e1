"""KIP-426 at a broker, by the numbers of docs/kip-426.md: where it looks for its id, and what it does with it."""

from __future__ import annotations

from dataclasses import replace

import pytest

from kraftpy.config.node_config import parse_config
from kraftpy.controller.broker_id_requests import AssignBrokerIdResponse, BrokerIdSource
from kraftpy.model.errors import ApiError, ConfigError, ErrorCode, StorageError
from kraftpy.model.features import SchemaSet
from kraftpy.model.ids import NO_NODE
from kraftpy.node import broker_id
from kraftpy.node.broker_id import with_node_id
from kraftpy.node.startup import open_node
from kraftpy.records.metadata import BrokerHostRecord, decode_record, encode_record
from kraftpy.storage.filesystem import RealFileSystem
from kraftpy.storage.meta_properties import read_meta_properties
from kraftpy.transport.kafka.controller_calls import LeaderElsewhereError
from tests.requirements.test_kip426_control import UNSTABLE, ask, refused, topic_records, world_of


class Controllers:
    """Replaces the connections to controllers: each answer is a value or an error, in turn."""

    def __init__(self, *answers):
        self.answers = list(answers)
        self.asked = []

    def __call__(self, _client_id, **_options):
        return self

    async def __aenter__(self):
        return self

    async def __aexit__(self, *error):
        return None

    async def call(self, node_id, endpoint, request, _timeout_ms):
        assert node_id == NO_NODE
        self.asked.append((endpoint.port, request))
        answer = self.answers.pop(0) if len(self.answers) > 1 else self.answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer


def config_of(tmp_path, *lines, controllers="a:1,b:2"):
    text = "\n".join(
        (
            "process.roles=broker",
            f"controller.quorum.bootstrap.servers={controllers}",
            "controller.listener.names=CONTROLLER",
            "listeners=PLAINTEXT://localhost:9092",
            f"log.dirs={tmp_path / 'one'},{tmp_path / 'two'}",
            *lines,
        )
    )
    return parse_config(text, "broker.properties", local_host=lambda: "this-host")


def stored(tmp_path, **ids):
    for name, text in ids.items():
        (tmp_path / name).mkdir()
        (tmp_path / name / "meta.properties").write_text(text)


@pytest.fixture
def controllers(monkeypatch):
    def answering(*answers):
        found = Controllers(*answers)
        monkeypatch.setattr(broker_id, "ControllerCalls", found)
        return found

    monkeypatch.setattr(broker_id, "BACKOFF_MS_MAX", 1)
    return answering


def given(number=1001):
    return AssignBrokerIdResponse(broker_id=number, source=BrokerIdSource.GENERATED)


async def test_k426_01_the_configuration_comes_first_then_the_directories_then_the_cluster(tmp_path, controllers):
    """Each source is asked only when those before it have nothing."""
    asked = controllers(given())
    stored(tmp_path, one="version=1\ncluster.id=c\nnode.id=7\n")
    assert (await with_node_id(config_of(tmp_path, "node.id=7"), RealFileSystem())).config.node_id == 7
    found = await with_node_id(config_of(tmp_path), RealFileSystem())
    assert (found.config.node_id, found.incarnation_id, asked.asked) == (7, None, [])
    (tmp_path / "one" / "meta.properties").unlink()
    found = await with_node_id(config_of(tmp_path), RealFileSystem())
    ((port, request),) = asked.asked
    assert (port, request.host, found.config.node_id) == (1, "this-host", 1001)
    assert request.incarnation_id == found.incarnation_id


async def test_k426_02_two_sources_that_differ_stop_the_start(tmp_path, controllers):
    """The configuration and a directory, or two directories."""
    asked = controllers(given())
    stored(tmp_path, one="version=1\ncluster.id=c\nnode.id=7\n", two="version=1\ncluster.id=c\nnode.id=8\n")
    with pytest.raises(StorageError, match="Stored node id 8 doesn't match previous node id 7"):
        await with_node_id(config_of(tmp_path), RealFileSystem())
    (tmp_path / "two" / "meta.properties").unlink()
    process = await with_node_id(config_of(tmp_path, "node.id=9"), RealFileSystem())
    with pytest.raises(StorageError, match="Stored node id 7 doesn't match previous node id 9"):
        open_node(process.config, RealFileSystem())
    assert asked.asked == []


async def test_k426_03_an_id_of_ones_own_bypasses_everything_else(tmp_path, controllers):
    """No controller is asked, whatever it would say."""
    asked = controllers(ApiError(ErrorCode.INVALID_REGISTRATION, "no"))
    assert (await with_node_id(config_of(tmp_path, "broker.id=5"), RealFileSystem())).config.node_id == 5
    assert asked.asked == []


async def test_k426_04_an_id_of_ones_own_that_is_refused_is_for_a_human(tmp_path, controllers):
    """A stored id is used even if another broker has it; the registration decides, and no other id is asked for."""
    asked = controllers(given())
    stored(tmp_path, one="version=1\ncluster.id=c\nnode.id=7\n")
    config = (await with_node_id(config_of(tmp_path), RealFileSystem())).config
    assert (config.node_id, asked.asked) == (7, [])
    controller_with_it = config_of(tmp_path, "controller.quorum.voters=7@c:9", controllers="")
    with pytest.raises(ConfigError, match=r"this broker's id is 7, and controller.quorum.voters names a controller"):
        await with_node_id(controller_with_it, RealFileSystem())


def test_k426_15_a_mapping_of_a_later_version_can_be_read():
    """A field that a later version adds is tagged, and is skipped; the host and the id are read."""
    value = encode_record(BrokerHostRecord(host="h", broker_id=5), 0)
    assert value.endswith(b"\0"), "no tagged fields"
    later = value[:-1] + bytes((1, 99, 3)) + b"new"
    record = decode_record(later, SchemaSet.KRAFTPY)
    assert (record.host, record.broker_id) == ("h", 5)


async def test_k426_30_the_key_is_the_host_name_or_what_is_configured(tmp_path, controllers):
    """The host name by default, which the file may replace."""
    asked = controllers(given())
    await with_node_id(config_of(tmp_path, "broker.id.recovery.host=rack 3, slot 7"), RealFileSystem())
    assert asked.asked[0][1].host == "rack 3, slot 7"


def test_k426_32_two_lost_brokers_are_for_a_human():
    """No heuristic chooses between two missing ids."""
    world = world_of(
        replace(UNSTABLE, missing_broker_id_recovery=True), records=topic_records(((1, 2, 3), (1, 2, 3), 1))
    )
    world.alive(1)
    world.now_ms += 100_000
    assert "any of the brokers 1, 2, 3" in refused(world, ask()).message


async def test_k426_33_the_id_is_in_every_directory_before_the_broker_serves(tmp_path, controllers):
    """The next start finds it there and sends no request."""
    asked = controllers(given())
    process = await with_node_id(config_of(tmp_path), RealFileSystem())
    opened = open_node(process.config, RealFileSystem())
    opened.directory.log.abandon()
    opened.close()
    for name in ("one", "two"):
        assert read_meta_properties(RealFileSystem(), str(tmp_path / name)).node_id == 1001
    again = await with_node_id(config_of(tmp_path), RealFileSystem())
    assert (again.config.node_id, len(asked.asked)) == (1001, 1)


async def test_the_active_controller_is_found_and_asked_until_it_decides(tmp_path, controllers):
    """A refusal names the leader; where it does not, the next controller is asked; one that waits is asked again."""
    asked = controllers(
        ApiError(ErrorCode.NETWORK_EXCEPTION, "refused"),
        LeaderElsewhereError("node 3 leads", None),
        LeaderElsewhereError("node 3 leads", ("c", 3)),
        ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "ask again"),
        TimeoutError("no response"),
        given(1005),
    )
    assert (await with_node_id(config_of(tmp_path), RealFileSystem())).config.node_id == 1005
    assert [port for port, _ in asked.asked] == [1, 2, 1, 3, 3, 2]
    assert len({request.incarnation_id for _, request in asked.asked}) == 1


@pytest.mark.parametrize(
    ("answer", "text"),
    [
        (ApiError(ErrorCode.INVALID_REGISTRATION, "any of the brokers 1, 2"), "assigned no broker id.*brokers 1, 2"),
        (ApiError(ErrorCode.UNSUPPORTED_VERSION, "41 is needed"), "41 is needed"),
        (ApiError(ErrorCode.UNSUPPORTED_VERSION, "the controller at a:1: no common version"), "assign no broker ids"),
        (ApiError(ErrorCode.CLUSTER_AUTHORIZATION_FAILED, "no"), "CLUSTER_AUTHORIZATION_FAILED"),
    ],
)
async def test_a_refusal_that_lasts_ends_the_start(tmp_path, controllers, answer, text):
    """The error names the file, the cause and the way out."""
    asked = controllers(answer)
    with pytest.raises(ConfigError, match=rf"broker.properties: node.id is not set, and .*{text}"):
        await with_node_id(config_of(tmp_path), RealFileSystem())
    assert len(asked.asked) == 1


async def test_asking_ends(tmp_path, controllers):
    """After the time that a first registration has, with the last answer."""
    controllers(ApiError(ErrorCode.BROKER_NOT_AVAILABLE, "a session has not ended"))
    config = config_of(tmp_path, "initial.broker.registration.timeout.ms=50")
    with pytest.raises(ConfigError, match=r"host this-host within 50 ms .*: BROKER_NOT_AVAILABLE: a session has"):
        await with_node_id(config, RealFileSystem())


async def test_a_directory_that_cannot_be_read_may_have_the_id(tmp_path, controllers):
    """So no controller is asked for another one."""
    asked = controllers(given())
    stored(tmp_path, two="version=9\n")
    with pytest.raises(ConfigError, match=r"node.id is not set, and .*two, which may have it, cannot be read"):
        await with_node_id(config_of(tmp_path), RealFileSystem())
    assert asked.asked == []
