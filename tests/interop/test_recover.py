"""A real Kafka's quorum that lost its majority starts again from a directory that kraftpy recovered."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from tests.interop.cluster import AdminClient, Quorum, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import eventually


@pytest.mark.timeout(300)
@pytest.mark.parametrize("survivors", [(1,), (1, 2)])
def test_kafka_goes_on_from_a_recovered_directory(jars: Jars, root: Path, survivors: tuple[int, ...]) -> None:
    """Kafka reads the forced voters, elects among them in a later epoch, and has what was written before."""
    with Quorum(jars, root, kafka=(1, 2, 3), dynamic=True) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        with AdminClient(jars, root, controllers=quorum.bootstrap) as admin:
            admin.ask("config client_metrics before interval.ms 1000")
        written = "the survivors have it"
        eventually(written, lambda: all(holds(quorum, one) for one in survivors) or None, quorum.running)
        for member in quorum.controllers:
            member.kill()
        gone = [node_id for node_id in quorum.members if node_id not in survivors]
        for node_id in gone:
            shutil.rmtree(quorum.members[node_id].data)
        plan = recovered(quorum, root, survivors)
        assert (plan["kraftVersion"], plan["missingVoterIds"]) == (1, gone)
        for node_id in survivors:
            quorum.members[node_id].start()

        def leads() -> bool | None:
            states = [quorum.members[one].quorum_state() for one in survivors]
            is_new = all(state.get("leaderEpoch", 0) > plan["recoveryEpoch"] for state in states)
            return (is_new and all(state["leaderId"] in survivors for state in states)) or None

        eventually("one of the survivors leads", leads, quorum.running)
        addresses = ",".join(quorum.addresses[one] for one in survivors)
        with AdminClient(jars, root, controllers=addresses) as admin:
            found = admin.quorum()
            assert sorted(int(one.partition(":")[0]) for one in found["voters"].split(",")) == list(survivors), found
            assert int(found["epoch"]) > plan["recoveryEpoch"], found
            admin.ask("config client_metrics after interval.ms 1000")
            assert "interval.ms=1000" in admin.ask("describe client_metrics before")


def holds(quorum: Quorum, node_id: int) -> bool:
    return any(b"before" in segment.read_bytes() for segment in quorum.members[node_id].segments())


def recovered(quorum: Quorum, root: Path, survivors: tuple[int, ...]) -> dict[str, object]:
    file = root / "plan.json"
    directories = ",".join(str(quorum.members[one].data) for one in survivors)
    made = kraftpy("recover", "plan", "--dirs", directories, "--out", str(file), "-o", "json")
    assert made.returncode == 0, made.stderr
    plan: dict[str, object] = json.loads(made.stdout)
    done = kraftpy("recover", "apply", str(file), "--digest", str(plan["digest"]))
    assert done.returncode == 0, done.stderr
    return plan
