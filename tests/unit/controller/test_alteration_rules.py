"""What holds for altered configs before their values are judged. Sources: KIP-1066, KIP-966."""

from __future__ import annotations

import pytest

from kraftpy.controller.requests import AlterOp, ConfigResource, ReplaceConfigs
from kraftpy.model.errors import ErrorCode
from kraftpy.records.metadata import ConfigRecord
from tests.unit.controller.worlds import World, set_configs

BROKER = 4
CORDONED = "cordoned.log.dirs"


def cordon(world, value, *, forwarded=False, name="", op=AlterOp.SET):
    request = set_configs(BROKER, name, (CORDONED, op, value))._replace(judged_by_broker=forwarded)
    (result,) = world.do(request)[1].results
    return result


def cordoned(value):
    """A cluster in which this is the value for all brokers."""
    return World(records=[ConfigRecord(BROKER, "", CORDONED, value)] if value is not None else [])


@pytest.mark.parametrize(
    ("before", "after", "is_taken"),
    [
        (None, "/a", False), (None, "*", False), (None, "", True), (None, " \t ", True),
        ("/a,/b", "/a", True), ("/a,/b", " /b ,\t/a ", True), ("/a, /b", "/b,/a,/a", True), ("/a,/b", "/a,/c", False),
        ("/a", "*", False), ("*", "*", True), ("*", "/a", False), ("/a", "/a,", False), ("/a,", "/a,", True),
        ("/a", "", True), ("", "/a", False), ("", "", True),
    ],
)  # fmt: skip
def test_only_a_broker_may_cordon_more(before, after, is_taken):
    """Sent straight to the controller, a value has to be a subset; forwarded by a broker it may be any."""
    result = cordon(cordoned(before), after)
    assert result.error is (ErrorCode.NONE if is_taken else ErrorCode.INVALID_CONFIG)
    if not is_taken:
        kafkas = "When updating cordoned.log.dirs via controllers,  the new value must be a subset of the current "
        assert result.message.startswith(f"{kafkas}configuration value.")
    assert cordon(cordoned(before), after, forwarded=True).error is ErrorCode.NONE


def test_cordoning_may_always_end():
    world = cordoned("/a,/b")
    assert cordon(world, None, op=AlterOp.DELETE).error is ErrorCode.NONE
    assert dict(world.controller.image.configs.broker(None)) == {}
    assert cordon(world, "/a").error is ErrorCode.INVALID_CONFIG


def test_cordoning_takes_metadata_version_30():
    """Below it no value is taken, and none is deleted."""
    for op, value in ((AlterOp.SET, "/a"), (AlterOp.SET, ""), (AlterOp.DELETE, None)):
        for forwarded in (False, True):
            result = cordon(World(level=29), value, forwarded=forwarded, op=op)
            assert result.error is ErrorCode.INVALID_CONFIG
            assert "it requires metadata.version >= 4.3-IV0" in result.message


def test_it_is_judged_before_the_broker_is_looked_for():
    """As in Kafka, where these rules come before those of the resource."""
    assert cordon(World(), "/a", name="77").error is ErrorCode.INVALID_CONFIG
    assert cordon(World(), "/a", name="77", forwarded=True).error is ErrorCode.BROKER_ID_NOT_REGISTERED


@pytest.mark.parametrize("forwarded", [False, True])
def test_a_replacement_is_judged_alike(forwarded):
    """AlterConfigs, with which all other keys go."""
    request = ReplaceConfigs(((ConfigResource(BROKER, ""), ((CORDONED, "/a"),)),), judged_by_broker=forwarded)
    (result,) = cordoned("/b").do(request)[1].results
    assert (result.error is ErrorCode.NONE) is forwarded


def test_the_key_of_another_resource_means_nothing():
    """A topic has no such key; it is refused as unknown."""
    world = World()
    (result,) = world.do(set_configs(32, "group", (CORDONED, "/a")))[1].results
    assert "Unknown group config name" in result.message


def test_a_value_that_is_too_long_is_refused_in_kafkas_words():
    """Counted in characters by Kafka; what has fewer and does not fit a record either is refused, too."""
    long, short = ("v" * 32_768, "ä" * 16_384)
    (result,) = World().do(set_configs(BROKER, "", ("k", long)))[1].results
    assert result.error is ErrorCode.INVALID_CONFIG
    kafkas = "The configuration value cannot be added because it exceeds the maximum value size of 32767 bytes."
    assert result.message.startswith(kafkas)
    (result,) = World().do(set_configs(BROKER, "", ("k", short)))[1].results
    assert (result.error, result.message.startswith("The value of config k has 32768 bytes")) == (
        ErrorCode.INVALID_CONFIG, True,
    )  # fmt: skip
