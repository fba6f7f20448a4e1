"""Policies in a node: how they are loaded, and what they can do to it. Sources: KIP-108, KIP-133."""

from __future__ import annotations

import asyncio
import sys
import types
from types import MappingProxyType

import pytest
from structlog.testing import capture_logs

from kraftpy.config.policies import ALTER_CONFIG, CREATE_TOPIC, PolicyClass, PolicyConfig
from kraftpy.model.errors import ConfigError, ErrorCode
from kraftpy.model.invariant import InvariantViolation
from kraftpy.model.resource_types import ResourceType
from kraftpy.node.policies import (
    FAILURE_KINDS_MAX,
    POLICY_SLOW_MS,
    REPEAT_MS,
    VIOLATION_BYTES_MAX,
    LoadedPolicies,
    PolicyGuard,
)
from kraftpy.policies import (
    AlterConfigPolicy,
    AlterConfigRequest,
    CreateTopicPolicy,
    CreateTopicRequest,
    PolicyViolation,
)

TOPIC = CreateTopicRequest(
    topic="t", num_partitions=1, replication_factor=1, replica_assignments=None, configs=MappingProxyType({"a": "b"})
)
CHANGE = AlterConfigRequest(
    resource_type=ResourceType.BROKER, resource_name="1", configs=MappingProxyType({"k": None, "l": "v"})
)
PLACE = f"f:7: {CREATE_TOPIC}=rules:Policy"


class Time:
    """A clock that moves on demand."""

    def __init__(self):
        self.ms = 1_000

    def __call__(self):
        return self.ms


def guard(validate, clock=None):
    return PolicyGuard(PolicyClass(CREATE_TOPIC, "rules", "Policy", PLACE), validate, clock or Time())


def raising(error):
    def validate(request):
        del request
        raise error

    return validate


def returning(value):
    return lambda request: value


class Unprintable(PolicyViolation):
    def __str__(self):
        raise SystemExit


class Wrong(PolicyViolation):
    def __str__(self):
        return 7  # noqa: PLE0307 - a mistake that a policy may make


async def asynchronous(request):
    raise PolicyViolation(request.topic)


@pytest.fixture
def logged():
    """What is logged, as a list of dictionaries."""
    with capture_logs() as lines:
        yield lines


def events(lines, event):
    return [line for line in lines if line["event"] == event]


@pytest.fixture
def rules(monkeypatch):
    """A module that can be imported, for the time of a test."""
    module = types.ModuleType("rules")
    monkeypatch.setitem(sys.modules, "rules", module)
    return module


def load(name="Policy", key=CREATE_TOPIC, settings=None):
    named = PolicyClass(key, "rules", name, f"f:7: {key}=rules:{name}")
    field = "create_topic" if key == CREATE_TOPIC else "alter_config"
    return LoadedPolicies(PolicyConfig(settings=settings or {}, **{field: named}), Time())


def refusal(name="Policy", key=CREATE_TOPIC):
    with pytest.raises(ConfigError) as caught:
        load(name, key)
    return str(caught.value)


def test_nothing_returned_allows():
    assert guard(returning(None))(TOPIC) is None


def test_a_violation_is_kafkas_error_with_its_text():
    refused = guard(raising(PolicyViolation("no such team")))(TOPIC)
    assert (refused.code, refused.message) == (ErrorCode.POLICY_VIOLATION, "no such team")


@pytest.mark.parametrize(
    "violation",
    [PolicyViolation("x" * 10**6), PolicyViolation("ä" * 10**4), PolicyViolation("\ud800\udfff"), PolicyViolation()],
)
def test_the_text_of_a_violation_fits_an_answer(violation):
    """It is shortened, and what UTF-8 cannot write is replaced."""
    refused = guard(raising(violation))(TOPIC)
    assert refused.code is ErrorCode.POLICY_VIOLATION
    assert len(refused.message.encode()) <= VIOLATION_BYTES_MAX


@pytest.mark.parametrize(
    "error",
    [
        ValueError("secret"), RecursionError(), MemoryError(), SystemExit(1), KeyboardInterrupt(), GeneratorExit(),
        asyncio.CancelledError(), InvariantViolation("x"), StopIteration(), BaseException(""), Unprintable(), Wrong(),
    ],
    ids=lambda error: type(error).__name__,
)  # fmt: skip
def test_anything_else_that_is_raised_refuses_the_request_alone(error):
    """UNKNOWN_SERVER_ERROR, as in Kafka, whose client does not get the text either; the process goes on."""
    refused = guard(raising(error))(TOPIC)
    assert refused.code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert "rules:Policy" in refused.message
    assert "secret" not in refused.message


@pytest.mark.parametrize("junk", [True, False, 0, "no", object(), PolicyViolation("not raised")])
def test_what_is_returned_by_mistake_does_not_allow(junk):
    """A policy that returns False meant to refuse."""
    assert guard(returning(junk))(TOPIC).code is ErrorCode.UNKNOWN_SERVER_ERROR


def test_an_endless_recursion_is_an_error_of_the_policy():
    def validate(request):
        return validate(request)

    assert guard(validate)(TOPIC).code is ErrorCode.UNKNOWN_SERVER_ERROR


@pytest.mark.parametrize(
    ("request_", "change"),
    [
        (TOPIC, lambda request: setattr(request, "topic", "x")),
        (TOPIC, lambda request: request.configs.update(c="d")),
        (TOPIC, lambda request: request.configs.clear()),
        (CHANGE, lambda request: request.configs.__setitem__("k", "v")),
        (CHANGE, lambda request: delattr(request, "configs")),
    ],
)
def test_what_a_policy_receives_is_read_only(request_, change):
    before = repr(request_)
    assert guard(change)(request_).code is ErrorCode.UNKNOWN_SERVER_ERROR
    assert repr(request_) == before


def test_a_failure_is_logged_with_its_traceback_once_in_a_minute(logged):
    time = Time()
    asked = guard(raising(ValueError("why")), time)
    for _ in range(3):
        asked(TOPIC)
    (line,) = events(logged, "policy_failed")
    assert "ValueError: why" in line["traceback"]
    time.ms += REPEAT_MS
    asked(TOPIC)
    assert [line["repeated"] for line in events(logged, "policy_failed")] == [0, 2]


def test_kinds_of_failures_are_bounded(logged):
    """A policy that makes up classes of errors does not fill the log."""

    def validate(request):
        del request
        raise type(f"Error{len(made)}", (Exception,), {})

    made: list[object] = []
    asked = guard(validate)
    for _ in range(FAILURE_KINDS_MAX + 50):
        asked(TOPIC)
        made.append(None)
    assert len(events(logged, "policy_failed")) == FAILURE_KINDS_MAX


def test_a_slow_policy_is_reported_once_in_a_minute(logged):
    time = Time()

    def validate(request):
        del request
        time.ms += durations.pop(0)

    durations = [POLICY_SLOW_MS, POLICY_SLOW_MS + 1, 500, POLICY_SLOW_MS + 2, POLICY_SLOW_MS + 3]
    asked = guard(validate, time)
    asked(TOPIC)
    assert events(logged, "policy_slow") == []
    for _ in range(3):
        asked(TOPIC)
    assert len(events(logged, "policy_slow")) == 1
    time.ms += REPEAT_MS
    asked(TOPIC)
    assert [(line["took_ms"], line["longest_ms"]) for line in events(logged, "policy_slow")] == [(21, 21), (23, 500)]


def test_a_policy_is_loaded_configured_and_closed(rules):
    """It gets the settings as they are in the file, read-only."""
    calls = []

    class Policy(CreateTopicPolicy):
        def configure(self, settings):
            calls.append(dict(settings))
            with pytest.raises(TypeError):
                settings["my.key"] = "2"

        def validate(self, request):
            raise PolicyViolation(request.topic)

        def close(self):
            calls.append("closed")

    rules.Policy = Policy
    loaded = load(settings={"my.key": " 1 ", "ssl.key.password": "secret"})
    assert loaded.ports.create_topic(TOPIC).message == "t"
    assert loaded.ports.alter_config is None
    loaded.close()
    loaded.close()
    assert calls == [{"my.key": " 1 ", "ssl.key.password": "secret"}, "closed"]


def test_a_class_needs_no_base_and_only_validate(rules):
    class Outer:
        class Policy:
            def validate(self, request):
                raise PolicyViolation(request.resource_name)

    rules.Outer = Outer
    loaded = load("Outer.Policy", ALTER_CONFIG)
    assert loaded.ports.alter_config(CHANGE).message == "1"
    loaded.close()


class _Broken:
    def validate(self, request):
        """Allow all."""


class _NotMade(_Broken):
    def __init__(self):
        raise SystemExit(3)


class _NotConfigured(_Broken):
    def configure(self, settings):
        raise ValueError(f"my.key is missing in {sorted(settings)}")


class _Async:
    async def validate(self, request):
        await asyncio.sleep(0)


class _Generator:
    def validate(self, request):
        yield request


class _ForConfigs(AlterConfigPolicy):
    def validate(self, request):
        """Allow all."""


@pytest.mark.parametrize(
    ("policy", "text"),
    [
        (7, "TypeError: Policy is no class"),
        (object, "has no method validate"),
        (_NotMade, "SystemExit: 3"),
        (_NotConfigured, "ValueError: my.key is missing in []"),
        (_Async, "validate must be a plain function"),
        (_Generator, "validate must be a plain function"),
        (
            _ForConfigs,
            "Policy derives from AlterConfigPolicy; create.topic.policy.class.name names a CreateTopicPolicy",
        ),
        (CreateTopicPolicy, "TypeError"),
    ],
)
def test_what_cannot_be_used_refuses_the_start(rules, policy, text):
    """The error names file, line, key and value, what is wrong, and the way out."""
    rules.Policy = policy
    stated = refusal()
    assert stated.startswith(f"{PLACE}: it cannot be used: ")
    assert text in stated
    assert "remove the key" in stated


def test_what_is_not_found_refuses_the_start(rules):
    assert "AttributeError: module 'rules' has no attribute 'Policy'" in refusal()
    named = PolicyClass(CREATE_TOPIC, "no_such.module", "Policy", PLACE)
    with pytest.raises(ConfigError, match="ModuleNotFoundError: No module named 'no_such'"):
        LoadedPolicies(PolicyConfig(named), Time())


def test_a_policy_whose_neighbour_is_refused_is_closed(rules, logged):
    """And if that fails, too, the first error is the one that is shown."""
    closed = []

    class Policy(_Broken):
        def close(self):
            closed.append(True)
            raise SystemExit

    rules.Policy = Policy
    create = PolicyClass(CREATE_TOPIC, "rules", "Policy", PLACE)
    alter = PolicyClass(ALTER_CONFIG, "rules", "Nothing", PLACE)
    with pytest.raises(ConfigError, match="Nothing"):
        LoadedPolicies(PolicyConfig(create, alter), Time())
    assert closed == [True]
    assert len(events(logged, "policy_not_closed")) == 1
