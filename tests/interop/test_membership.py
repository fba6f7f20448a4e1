"""Who votes, changed across the border: Kafka's tool in our quorum, our command line in Kafka's (KIP-853)."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.interop.cluster import Member, Quorum, java, kraftpy
from tests.interop.jars import Jars
from tests.interop.processes import eventually, free_ports


def kafkas_tool(jars: Jars, quorum: Quorum, *words: str) -> str:
    """Run ``kafka-metadata-quorum``; return what it prints."""
    done = java(
        jars, "org.apache.kafka.tools.MetadataQuorumCommand", "--bootstrap-controller", quorum.bootstrap, *words
    )
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def our_tool(quorum: Quorum, *words: str) -> str:
    """Run ``kraftpy metadata-quorum``; return what it prints."""
    done = kraftpy("metadata-quorum", *words, "--bootstrap-controllers", quorum.bootstrap)
    assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    return done.stdout


def newcomer(quorum: Quorum, node_id: int, *, ours: bool) -> Member:
    """Start a controller that does not vote yet."""
    quorum.addresses[node_id] = f"127.0.0.1:{free_ports(1)[0]}"
    member = quorum.add_controller(node_id, ours=ours)
    del quorum.addresses[node_id]
    member.format(extra=["--no-initial-controllers"])
    member.start()
    return member


def voter_ids(status: str) -> list[int]:
    """Read the ids of CurrentVoters out of ``describe --status``."""
    line = next(line for line in status.splitlines() if line.startswith("CurrentVoters:"))
    return sorted(int(part.split(",")[0].split("}")[0]) for part in line.split('"id":')[1:])


def until_described(jars: Jars, quorum: Quorum, expected: list[int]) -> None:
    eventually(
        f"the voters are {expected}",
        lambda: voter_ids(kafkas_tool(jars, quorum, "describe", "--status")) == expected or None,
        quorum.running,
    )


@pytest.mark.timeout(300)
def test_kafkas_tool_changes_our_quorum(jars: Jars, root: Path) -> None:
    """It describes our quorum, adds a Kafka controller to it, and removes one of ours."""
    with Quorum(jars, root, ours=(1, 2, 3), dynamic=True) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        status = kafkas_tool(jars, quorum, "describe", "--status")
        assert "LeaderId:" in status
        assert voter_ids(status) == [1, 2, 3]
        assert len(kafkas_tool(jars, quorum, "describe", "--replication").splitlines()) == 4
        kafka = newcomer(quorum, 4, ours=False)
        eventually("it follows", lambda: (kafka.quorum_state().get("leaderId", -1) > 0) or None, quorum.running)
        stated = kafkas_tool(jars, quorum, "--command-config", str(kafka.config_file), "add-controller")
        assert "Added controller 4" in stated
        until_described(jars, quorum, [1, 2, 3, 4])
        directory = quorum.initial_controllers.split(",")[2].rpartition(":")[2]
        stated = kafkas_tool(
            jars, quorum, "remove-controller", "--controller-id", "3", "--controller-directory-id", directory
        )
        assert "Removed" in stated
        until_described(jars, quorum, [1, 2, 4])


@pytest.mark.timeout(300)
def test_our_command_line_changes_kafkas_quorum(jars: Jars, root: Path) -> None:
    """It adds one of our controllers to Kafka's quorum, says who may stop, and removes one of Kafka's."""
    with Quorum(jars, root, kafka=(1, 2), dynamic=True) as quorum:
        quorum.format_and_start()
        quorum.wait_for_leader()
        member = newcomer(quorum, 3, ours=True)
        eventually("it follows", lambda: (member.quorum_state().get("leaderId", -1) > 0) or None, quorum.running)
        assert "Added controller 3" in our_tool(quorum, "add-controller", "--config", str(member.config_file))
        until_described(jars, quorum, [1, 2, 3])
        assert our_tool(quorum, "ok-to-stop", "3").startswith("yes: 2 of 3")
        assert "Removed KRaft controller 2" in our_tool(quorum, "remove-controller", "--controller-id", "2")
        until_described(jars, quorum, [1, 3])
