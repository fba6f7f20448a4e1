"""Kafka's controller and ours, asked the same about partitions: every answer, and every state of every partition.

``SEEDS`` and ``STEPS`` in the environment ask more: ``SEEDS=100,200 STEPS=2000`` with ``make interop``.
"""

from __future__ import annotations

import os
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from kraftpy.image.partitions import PartitionRegistration
from kraftpy.model.features import SchemaSet
from kraftpy.records.batch import parse_batch
from kraftpy.records.metadata import (
    BrokerRegistrationChangeRecord,
    ClearElrRecord,
    ConfigRecord,
    PartitionChangeRecord,
    PartitionRecord,
    TopicRecord,
    decode_records,
)
from tests.interop.cluster import CLUSTER_ID, Quorum
from tests.interop.fake_brokers import Controller
from tests.interop.jars import Jars
from tests.interop.logs import log_batches
from tests.interop.partition_script import BROKERS, RACKS, Script, Step
from tests.interop.processes import eventually

SEEDS = [int(seed) for seed in os.environ.get("SEEDS", "1,2,3,4").split(",")]
STEPS = int(os.environ.get("STEPS", "400"))
EXTRA = {"broker.session.timeout.ms": "600000", "auto.leader.rebalance.enable": "false"}
"""Nothing happens by itself: no session ends, and no leader moves back."""


def histories_of(log_dir: Path) -> dict[str, list[str]]:
    """Return every state that each partition went through, and what the log says of brokers and configs.

    Ids that a controller draws are left out. The order between topics is that of their ids, so it is not compared. An
    ELR has no order here.
    """
    names: dict[bytes, str] = {}
    states: dict[tuple[str, int], PartitionRegistration] = {}
    found: dict[str, list[str]] = {}

    def became(name: str, number: int, state: PartitionRegistration) -> None:
        states[name, number] = state
        found.setdefault(f"{name}-{number}", []).append(text_of(state))

    for _, data in sorted(log_batches(log_dir).items()):
        batch = parse_batch(data)
        for record in () if batch.is_control else decode_records(batch.values(), SchemaSet.KAFKA):
            match record:
                case TopicRecord():
                    names[record.topic_id] = record.name
                case PartitionRecord():
                    became(names[record.topic_id], record.partition_id, PartitionRegistration.from_record(record))
                case PartitionChangeRecord():
                    place = names[record.topic_id], record.partition_id
                    became(*place, states[place].merge(record))
                case ClearElrRecord():
                    for place, state in list(states.items()):
                        if record.topic_name in {"", place[0]} and (state.elr or state.last_known_elr):
                            became(*place, state.without_elr())
                case ConfigRecord():
                    found.setdefault("configs", []).append(f"{record.resource_name} {record.name}={record.value}")
                case BrokerRegistrationChangeRecord():
                    cordoned = record.cordoned_log_dirs
                    named = None if cordoned is None else [int.from_bytes(one, "big") for one in cordoned]
                    found.setdefault("brokers", []).append(
                        f"{record.broker_id} fenced={record.fenced} cordoned={named} full={record.saturated_log_dirs}"
                    )
    return found


def text_of(state: PartitionRegistration) -> str:
    """Show a state."""
    elr = sorted(state.elr)
    directories = [int.from_bytes(one, "big") for one in state.directories]
    return (
        f"replicas={state.replicas} isr={state.isr} removing={state.removing_replicas} adding={state.adding_replicas} "
        f"elr={elr} last={state.last_known_elr} leader={state.leader} state={int(state.leader_recovery_state)} "
        f"epochs={state.leader_epoch}/{state.partition_epoch} directories={directories}"
    )


def first_difference(directories: list[Path]) -> str:
    """Describe where two logs begin to differ, partition by partition."""
    theirs, ours = (histories_of(directory) for directory in directories)
    for key in sorted({*theirs, *ours}):
        one, other = theirs.get(key, []), ours.get(key, [])
        if one != other:
            at = next((at for at, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), None)
            shown = slice(max(0, (min(len(one), len(other)) if at is None else at) - 1), (at or len(one)) + 2)
            return "\n  ".join([f"{key}, Kafka's log:", *one[shown], "our log:", *other[shown]])
    return ""


@pytest.mark.timeout(600)
@pytest.mark.parametrize("seed", SEEDS)
def test_kafka_and_we_decide_alike(jars: Jars, root: Path, seed: int) -> None:
    """Any answer differs, or the partitions at the end do."""
    script = Script(seed, min_isr=1)
    with ExitStack() as stack:
        quorums = [
            stack.enter_context(Quorum(jars, root / name, **{name: (1,)}, extra=EXTRA)) for name in ("kafka", "ours")
        ]
        for quorum in quorums:
            quorum.format_and_start()
            quorum.wait_for_leader()
        both = [stack.enter_context(Controller(quorum.bootstrap, CLUSTER_ID)) for quorum in quorums]
        for controller, quorum in zip(both, quorums, strict=True):
            ask_first = partial(controller.register, 1, RACKS[1])
            eventually("the controller is active", lambda ask=ask_first: ask() == 0, quorum.running)
        done: list[str] = []

        def ask(step: Step) -> None:
            done.append(step.text)
            theirs, ours = (step.ask(controller) for controller in both)
            before = "\n  ".join(done[-12:])
            if ours != theirs:
                logs = first_difference([quorum.members[1].log_dir for quorum in quorums])
                pytest.fail(f"seed {seed}, step {len(done)}:\n  {before}\n  Kafka: {theirs}\n  ours:  {ours}\n  {logs}")

        for step in script.beginning():
            ask(step)
        for _ in range(STEPS):
            ask(script.step())
        members = [quorum.members[1] for quorum in quorums]
        for member in members:
            member.stop()
        assert not first_difference([member.log_dir for member in members]), f"seed {seed}"
    assert len(BROKERS) == len(script.model.controller.image.cluster.brokers)
