"""The keys of groups: what they allow, and the bounds behind that."""

import pytest

from kraftpy.config_keys.group_keys import GROUP_NUMBERS
from kraftpy.controller.group_configs import GROUP_KEYS, check_bounds


@pytest.mark.parametrize(
    "text",
    [
        "latest", "earliest", " latest", "by_duration:PT1S", "by_duration:P1D", "by_duration:PT0S",
        "by_duration:PT1.5S",
        "by_duration:P1DT2H", "by_duration:pt1s", "by_duration:+PT1S", "by_duration:PT1H-30M", "by_duration:PT1.S",
        "by_duration:-PT-1S", "by_duration:PT9223372036854775807S",
    ],
)  # fmt: skip
def test_an_offset_reset_is_a_word_or_a_duration(text):
    GROUP_KEYS["share.auto.offset.reset"].check(text)


@pytest.mark.parametrize(
    "text",
    [
        "", "LATEST", "none", "by_duration:", "by_duration:-PT1S", "by_duration:PT-1S", "by_duration:PT-0.5S",
        "by_duration:P1Y",
        "by_duration:P1W", "by_duration:P", "by_duration:PT", "by_duration:P1DT", "by_duration:PT.5S",
        "by_duration:PT1M1H",
        "By_duration:PT1S", "by_duration:PT9223372036854775808S", "by_duration:PT" + "9" * 5_000 + "S",
    ],
)  # fmt: skip
def test_any_other_offset_reset_is_refused(text):
    with pytest.raises(ValueError, match="must be either 'earliest', 'latest' or of the format"):
        GROUP_KEYS["share.auto.offset.reset"].check(text)


BOUNDS = [
    ("consumer.session.timeout.ms", 45_000, 60_000), ("consumer.heartbeat.interval.ms", 5_000, 15_000),
    ("consumer.assignment.interval.ms", 0, 15_000), ("share.session.timeout.ms", 45_000, 60_000),
    ("share.heartbeat.interval.ms", 5_000, 15_000), ("share.record.lock.duration.ms", 15_000, 60_000),
    ("share.delivery.count.limit", 2, 10), ("share.partition.max.record.locks", 100, 4_000),
    ("share.assignment.interval.ms", 0, 15_000), ("streams.session.timeout.ms", 45_000, 60_000),
    ("streams.heartbeat.interval.ms", 5_000, 15_000), ("streams.num.standby.replicas", 0, 2),
    ("streams.assignment.interval.ms", 0, 15_000),
]  # fmt: skip


@pytest.mark.parametrize(("name", "low", "high"), BOUNDS)
def test_a_number_is_within_the_bounds_of_the_cluster(name, low, high):
    for number in (low, high):
        GROUP_KEYS[name].check(str(number))
        check_bounds({name: f" {number} "}, GROUP_NUMBERS)
    if low > 0:
        with pytest.raises(ValueError, match=f"{name} must be greater than or equal to group"):
            check_bounds({name: str(low - 1)}, GROUP_NUMBERS)
    with pytest.raises(ValueError, match=f"{name} must be less than or equal to group"):
        check_bounds({name: str(high + 1)}, GROUP_NUMBERS)


def test_a_key_that_is_removed_has_no_bounds():
    check_bounds({name: None for name, _, _ in BOUNDS}, GROUP_NUMBERS)


@pytest.mark.parametrize("name", sorted(GROUP_KEYS))
def test_a_default_is_allowed(name):
    default = GROUP_KEYS[name].default
    GROUP_KEYS[name].check(default)
    check_bounds({name: default}, GROUP_NUMBERS)


def test_the_bounds_are_those_of_the_file():
    """What the controller's file allows is allowed, and no more."""
    numbers = {**GROUP_NUMBERS, "group.streams.max.heartbeat.interval.ms": 55_000}
    check_bounds({"streams.heartbeat.interval.ms": "20000"}, numbers)
    with pytest.raises(ValueError, match=r"group\.streams\.max\.heartbeat\.interval\.ms: 55001 is above 55000"):
        check_bounds({"streams.heartbeat.interval.ms": "55001"}, numbers)


@pytest.mark.parametrize("kind", ["consumer", "share", "streams"])
def test_a_session_lasts_longer_than_the_time_between_heartbeats(kind):
    """Judged with the default of what the group does not set, and with what it sets."""
    numbers = {**GROUP_NUMBERS, f"group.{kind}.max.heartbeat.interval.ms": 60_000}
    session, heartbeat = f"{kind}.session.timeout.ms", f"{kind}.heartbeat.interval.ms"
    for values in ({heartbeat: "45000"}, {heartbeat: "50000", session: "50000"}):
        with pytest.raises(ValueError, match=f"{session} must be greater than {heartbeat}"):
            check_bounds(values, numbers)
    check_bounds({heartbeat: "50000", session: "50001"}, numbers)
