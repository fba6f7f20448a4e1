"""One policy in Java at Kafka's controller and in Python at ours, asked the same: the same codes, texts and arguments.

A refusal of the policies repeats all that they received. Where another check refuses, our text begins with Kafka's.
``SEEDS`` and ``STEPS`` in the environment ask more.
"""

from __future__ import annotations

import os
import random
import subprocess
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from kraftpy.model.errors import ErrorCode
from kraftpy.records.codec import Message
from kraftpy.records.generated import rpc
from tests.interop.cluster import CLUSTER_ID, TOOL_TIMEOUT_S, Quorum
from tests.interop.fake_brokers import Controller
from tests.interop.jars import Jars
from tests.interop.processes import eventually

SEEDS = [int(seed) for seed in os.environ.get("SEEDS", "1").split(",")]
STEPS = int(os.environ.get("STEPS", "600"))
JAVA = Path(__file__).with_name("RefusingPolicy.java")
KEYS = ("create.topic.policy.class.name", "alter.config.policy.class.name")
THEIRS = dict(zip(KEYS, ("RefusingPolicy$Topics", "RefusingPolicy$Configs"), strict=True))
OURS = dict(zip(KEYS, ("tests.interop.policy_rules:Topics", "tests.interop.policy_rules:Configs"), strict=True))
EXTRA = {"broker.session.timeout.ms": "600000", "num.partitions": "3", "default.replication.factor": "2"}
BROKERS = (1, 2, 3)
NAMES = ("a", "b", "c", "no", "nono", "boom", "configs", "configs-boom", "plain/no", "x" * 250)
VALUES = {
    "retention.ms": ("5", "6", "x"), "cleanup.policy": ("compact", "delete", "compact,delete", "burn"),
    "min.insync.replicas": ("1", "2", "0"), "preallocate": ("true", "false"), "unknown.key": ("1",),
}  # fmt: skip
OTHERS = {
    4: {"no.such.key": ("1", "2"), "log.cleaner.threads": ("2",), "cordoned.log.dirs": ("", "/a")},
    16: {"interval.ms": ("1000", "1"), "match": ("client_id=a", "?"), "no.such.key": ("1",)},
    32: {"consumer.session.timeout.ms": ("46000", "-1"), "no.such.key": ("1",)},
}
RESOURCES = {4: ("", "1", "99"), 16: ("a", "configs", "configs-boom"), 32: ("a", "configs", "configs-boom")}


WRONG = {
    ("retention.ms", "x"), ("cleanup.policy", "burn"), ("min.insync.replicas", "0"), ("unknown.key", "1"),
    ("cordoned.log.dirs", "/a"), ("interval.ms", "1"), ("match", "?"), ("no.such.key", "1"),
    ("consumer.session.timeout.ms", "-1"),
}  # fmt: skip
"""One of them in a resource at most: which of two wrong keys Kafka names depends on a hash."""


class Both:
    """Draws requests; what is drawn does not depend on the answers."""

    def __init__(self, seed: int) -> None:
        self._rng = random.Random(seed)

    def step(self) -> tuple[Message, int]:
        """Draw a request and its version."""
        kind = self._rng.random()
        if kind < 0.55:
            return self._create(), 7
        return (self._alter(), 1) if kind < 0.85 else (self._replace(), 2)

    def _configs(self, values: dict[str, tuple[str, ...]]) -> list[tuple[str, str]]:
        keys = self._rng.sample(sorted(values), self._rng.randrange(len(values)))
        chosen = [(key, self._rng.choice(values[key])) for key in keys]
        wrong = [one for one in chosen if one in WRONG]
        return [one for one in chosen if one not in wrong[self._rng.randrange(2) :]]

    def _create(self) -> Message:
        rng = self._rng
        topics = []
        for name in rng.sample(NAMES, rng.randrange(1, 4)):
            made = f"{name}-{rng.randrange(10**6)}" if rng.random() < 0.5 else name
            topic = rpc.CreateTopicsRequestCreatableTopic(name=made)
            topic.num_partitions, topic.replication_factor = rng.choice((-1, 1, 2, 3, 0)), rng.choice((-1, 1, 2, 3, 4))
            if rng.random() < 0.3:
                row = rpc.CreateTopicsRequestCreatableReplicaAssignment
                topic.num_partitions = topic.replication_factor = -1
                count = rng.randrange(1, 3)
                topic.assignments = [row(at, rng.sample(BROKERS, count)) for at in range(rng.randrange(1, 3))]
            configs = self._configs(VALUES)
            topic.configs = [rpc.CreateTopicsRequestCreatableTopicConfig(key, value) for key, value in configs]
            topics.append(topic)
        return rpc.CreateTopicsRequest(topics=topics, timeout_ms=30_000, validate_only=rng.random() < 0.2)

    def _resource(self) -> tuple[int, str, list[tuple[str, str]]]:
        rng = self._rng
        kind = rng.choice((2, 2, 4, 16, 32))
        if kind == 2:
            return kind, rng.choice((*NAMES[:5], "configs")), self._configs(VALUES)
        return kind, rng.choice(RESOURCES[kind]), self._configs(OTHERS[kind])

    def _alter(self) -> Message:
        rng = self._rng
        kind, name, configs = self._resource()
        rows = []
        for key, value in configs:
            is_list = key == "cleanup.policy" or len(configs) == 1
            operation = rng.choice((0, 0, 0, 1, 2, 3) if is_list else (0, 0, 1))
            text = None if operation == 1 else value
            rows.append(rpc.IncrementalAlterConfigsRequestAlterableConfig(key, operation, text))
        resource = rpc.IncrementalAlterConfigsRequestAlterConfigsResource(kind, name, rows)
        return rpc.IncrementalAlterConfigsRequest([resource], validate_only=rng.random() < 0.2)

    def _replace(self) -> Message:
        kind, name, configs = self._resource()
        rows = [rpc.AlterConfigsRequestAlterableConfig(key, value) for key, value in configs]
        resource = rpc.AlterConfigsRequestAlterConfigsResource(kind, name, rows)
        return rpc.AlterConfigsRequest([resource], validate_only=self._rng.random() < 0.2)


def rows_of(response: Any) -> list[tuple[int, str]]:
    """Return code and text of each item."""
    items = response.topics if isinstance(response, rpc.CreateTopicsResponse) else response.responses
    return [(one.error_code, one.error_message or "") for one in items]


def is_same(theirs: tuple[int, str], ours: tuple[int, str]) -> bool:
    """Return whether one item was answered alike; a policy's text is its own to the last letter."""
    if theirs[0] == ErrorCode.POLICY_VIOLATION:
        return theirs == ours
    # Where a value is wrong, the sentence about it is ours.
    return theirs[0] == ours[0] and (ours[1].startswith(theirs[1]) or theirs[0] == ErrorCode.INVALID_CONFIG)


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_policies_are_asked_alike(jars: Jars, root: Path, seed: int) -> None:
    """A policy is asked when Kafka's is not, or is not asked when it is, or with something else."""
    classes = root / "classes"
    compiled = subprocess.run(
        ["javac", "-d", str(classes), "-cp", jars.classpath, str(JAVA)],
        capture_output=True, text=True, check=False, timeout=TOOL_TIMEOUT_S,
    )  # fmt: skip
    assert compiled.returncode == 0, compiled.stderr
    with ExitStack() as stack:
        quorums = [
            stack.enter_context(
                Quorum(replace(jars, classes=classes), root / "kafka", kafka=(1,), extra=EXTRA | THEIRS)
            ),
            stack.enter_context(Quorum(jars, root / "ours", ours=(1,), extra=EXTRA | OURS)),
        ]
        for quorum in quorums:
            quorum.format_and_start()
            quorum.wait_for_leader()
        both = [stack.enter_context(Controller(quorum.bootstrap, CLUSTER_ID)) for quorum in quorums]
        for controller, quorum in zip(both, quorums, strict=True):
            register = partial(controller.register, 1, None)
            eventually("the controller is active", lambda ask=register: ask() == 0, quorum.running)
            for broker_id in BROKERS:
                assert controller.register(broker_id, None) == 0
                unfence = partial(controller.beat, broker_id)
                eventually("the broker is unfenced", lambda ask=unfence: ask()[:2] == (0, False), quorum.running)
        script, codes = Both(seed), set()
        for number in range(STEPS):
            message, version = script.step()
            theirs, ours = (rows_of(controller.ask(message, version)) for controller in both)
            same = len(theirs) == len(ours) and all(map(is_same, theirs, ours))
            assert same, f"seed {seed}, step {number}: {message}\n  Kafka: {theirs}\n  ours:  {ours}"
            codes |= {code for code, _ in theirs}
        assert {0, -1, 44, 40} <= codes, f"seed {seed} asks too little: {codes}"
