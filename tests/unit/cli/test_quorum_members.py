"""``quorum add-controller`` and ``remove-controller``: what the leader is asked, and the verdict of a dry run."""

from __future__ import annotations

import asyncio
import json
from dataclasses import replace
from pathlib import Path
from typing import ClassVar

import pytest

from kraftpy.cli import quorum_members, waiting
from kraftpy.cli.exit_codes import ExitCode
from kraftpy.model.ids import uuid_from_text, uuid_to_text
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.model.voters import Endpoint, ReplicaKey
from kraftpy.quorum_tools.ok_to_stop import LAG_MAX
from kraftpy.quorum_tools.quorum_admin import DescribedQuorum
from kraftpy.raft.messages import DescribeQuorumResponse, ReplicaProgress

PATIENCE_S = 30.0
NOW_MS = 1_729_857_600_000


class FakeQuorumAdmin:
    """A quorum of voters 1 and 2, of which 1 leads; controller 4 fetches from it."""

    changes: ClassVar[list[ReplicaKey]] = []
    described: ClassVar[DescribeQuorumResponse]

    def __init__(self, *_, **__) -> None:
        pass

    async def describe(self) -> DescribedQuorum:
        return DescribedQuorum(Endpoint("CONTROLLER", "h", 1), self.described)

    async def remove(self, key: ReplicaKey) -> None:
        self.changes.append(key)

    async def add(self, key: ReplicaKey, endpoints: tuple[Endpoint, ...]) -> None:
        assert endpoints
        self.changes.append(key)


def progress(node_id: int, directory_id: bytes, end: int = 10) -> ReplicaProgress:
    return ReplicaProgress(
        key=ReplicaKey(node_id, directory_id), log_end_offset=end, last_fetch_ms=NOW_MS, last_caught_up_ms=NOW_MS
    )


@pytest.fixture
def admin(monkeypatch: pytest.MonkeyPatch) -> type[FakeQuorumAdmin]:
    voters = (progress(1, b"1" * 16), progress(2, b"2" * 16))
    described = DescribeQuorumResponse(leader=LeaderAndEpoch(1, 4), voters=voters)
    monkeypatch.setattr(FakeQuorumAdmin, "described", described, raising=False)
    monkeypatch.setattr(FakeQuorumAdmin, "changes", [])
    monkeypatch.setattr("kraftpy.quorum_tools.quorum_admin.QuorumAdmin", FakeQuorumAdmin)
    return FakeQuorumAdmin


@pytest.fixture
def controller_4(run, tmp_path: Path) -> Path:
    """The configuration of a controller that has a directory."""
    config = tmp_path / "server.properties"
    config.write_text(
        "process.roles=controller\nnode.id=4\ncontroller.listener.names=CONTROLLER\nlisteners=CONTROLLER://h4:9093\n"
        f"controller.quorum.bootstrap.servers=h:9093\nlog.dirs={tmp_path}/data\n"
    )
    assert run("storage", "format", "-c", config, "-t", "id", "--no-initial-controllers").exit_code == ExitCode.OK
    return config


def controller_key(config: Path) -> ReplicaKey:
    """The node id and the directory id of that controller."""
    text = (config.parent / "data" / "meta.properties").read_text(encoding="utf-8")
    found = dict(line.split("=", 1) for line in text.splitlines() if "=" in line)
    return ReplicaKey(4, uuid_from_text(found["directory.id"]))


REMOVE = ("quorum", "remove-controller", "-C", "h:1", "--controller-id")


@pytest.mark.parametrize("dry_run", [(), ("--dry-run",)])
def test_a_voter_is_removed_with_its_own_directory_id_only(run, admin: type[FakeQuorumAdmin], dry_run) -> None:
    """Another one is refused before the leader is asked to do anything, and not shown as what would be removed."""
    votes, other = ReplicaKey(1, b"1" * 16), ReplicaKey(1, b"2" * 16)
    wrong, right = (uuid_to_text(key.directory_id) for key in (other, votes))
    result = run(*REMOVE, "1", *dry_run, "--controller-directory-id", wrong)
    assert (result.exit_code, admin.changes) == (ExitCode.FINDINGS if dry_run else ExitCode.FAILURE, [])
    assert f"votes with directory id {right}, not {wrong}" in result.stderr
    assert run(*REMOVE, "1", *dry_run, "--controller-directory-id", right).exit_code == ExitCode.OK
    assert admin.changes == ([] if dry_run else [votes])


def test_a_dry_run_of_a_removal_has_the_leader_s_verdict(run, admin: type[FakeQuorumAdmin]) -> None:
    """What would happen and why it could, or what is in the way with the code of a refusal; nothing is changed."""
    result = run(*REMOVE, "1", "--dry-run")
    reason = "1 of the 1 remaining voters are running and caught up, 1 are needed; it leads, and resigns"
    assert result.stdout.splitlines()[0].startswith("DRY RUN of removing KRaft controller 1 with directory id ")
    assert result.stdout.splitlines()[1].startswith(f"Leader 1 would accept it: {reason}")
    shown = json.loads(run(*REMOVE, "1", "--dry-run", "-o", "json").stdout)
    assert (shown["dryRun"], shown["reason"].startswith(f"Leader 1 would accept it: {reason}")) == (True, True)
    shown = json.loads(run(*REMOVE, "1", "-o", "json").stdout)
    assert (shown["dryRun"], shown["reason"], len(admin.changes)) == (False, None, 1)

    silent = replace(admin.described.voters[1], last_fetch_ms=None)
    admin.described = replace(admin.described, voters=(admin.described.voters[0], silent))
    refused = run(*REMOVE, "1", "--dry-run")
    assert (refused.exit_code, refused.stdout) == (ExitCode.FINDINGS, "")
    assert "this would fail: 0 of the 1 remaining voters" in refused.stderr
    assert "2 has not fetched from this leader. Nothing was changed" in refused.stderr
    body = json.loads(run(*REMOVE, "1", "--dry-run", "-o", "json").stdout)
    assert (body["accepted"], "this would fail: 0 of the 1" in body["reason"]) == (False, True)
    unknown = run(*REMOVE, "7", "--dry-run")
    assert (unknown.exit_code, "controller 7 is not a voter" in unknown.stderr) == (ExitCode.FINDINGS, True)
    assert len(admin.changes) == 1


def test_a_dry_run_of_an_addition_has_the_verdict_of_the_leader(
    run, admin: type[FakeQuorumAdmin], controller_4
) -> None:
    """It must fetch with the directory id that its own directory has, and have caught up."""
    command = ("quorum", "add-controller", "-C", "h:1", "--config", controller_4)
    absent = run(*command, "--dry-run")
    assert (absent.exit_code, absent.stdout) == (ExitCode.FINDINGS, "")
    assert "this would fail: controller 4 does not fetch from leader 1: start it" in absent.stderr

    added = json.loads(run(*command, "-o", "json").stdout)
    assert (added["dryRun"], added["reason"], len(admin.changes)) == (False, None, 1)
    admin.described = replace(admin.described, observers=(progress(4, admin.changes[0].directory_id, 9),))
    planned = run(*command, "--dry-run")
    assert planned.exit_code == ExitCode.OK
    assert planned.stdout.splitlines()[0].endswith(" and endpoints: CONTROLLER://h4:9093")
    assert planned.stdout.splitlines()[1] == (
        "Leader 1 would accept it: it has caught up; of 3 voters then, a majority is 2"
    )
    assert len(admin.changes) == 1


def test_an_addition_that_takes_longer_prints_what_is_missing(
    run, admin: type[FakeQuorumAdmin], controller_4, monkeypatch: pytest.MonkeyPatch
) -> None:
    """How far behind the controller is, and then that the voters have to commit; never on standard output."""
    monkeypatch.setattr(waiting, "SILENT_S", 0.001)
    key, steps = controller_key(controller_4), iter([LAG_MAX + 1_000, LAG_MAX + 500, 0])
    leader, other = (replace(voter, log_end_offset=9_000) for voter in admin.described.voters)
    committed = asyncio.Event()

    async def describe(self: FakeQuorumAdmin) -> DescribedQuorum:
        lag = next(steps, None)
        if lag is None:
            committed.set()
        observer = progress(4, key.directory_id, 9_000 - (lag or 0))
        described = replace(self.described, voters=(leader, other), observers=(observer,))
        return DescribedQuorum(Endpoint("CONTROLLER", "h", 1), described)

    async def add(*_) -> None:
        await asyncio.wait_for(committed.wait(), PATIENCE_S)

    monkeypatch.setattr(admin, "describe", describe)
    monkeypatch.setattr(admin, "add", add)
    added = run("quorum", "add-controller", "-C", "h:1", "--config", controller_4)
    assert (added.exit_code, added.stdout.count("\n")) == (ExitCode.OK, 1)
    assert added.stderr.splitlines() == [
        "# waiting: controller 4 is 2000 records behind: it can be added once it has caught up",
        "# waiting: controller 4 is 1500 records behind: it can be added once it has caught up",
        "# waiting: the voters to commit the change",
    ]


def test_an_addition_whose_leader_describes_nothing_names_what_is_asked(
    run, admin: type[FakeQuorumAdmin], controller_4, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A suspended controller answers neither question: the wait is named all the same, and the addition goes on."""
    monkeypatch.setattr(waiting, "SILENT_S", 0.001)
    monkeypatch.setattr(quorum_members, "REASON_S", 0.001)
    named, printed = asyncio.Event(), waiting.print_waiting

    async def describe(_: FakeQuorumAdmin) -> DescribedQuorum:
        await asyncio.Event().wait()
        raise AssertionError

    async def add(*_) -> None:
        await asyncio.wait_for(named.wait(), PATIENCE_S)

    monkeypatch.setattr(waiting, "print_waiting", lambda reason: (printed(reason), named.set()))
    monkeypatch.setattr(admin, "describe", describe)
    monkeypatch.setattr(admin, "add", add)
    added = run("quorum", "add-controller", "-C", "h:1", "--config", controller_4)
    assert (added.exit_code, added.stderr) == (ExitCode.OK, "# waiting: an answer from h:1, for up to 15 s\n")
