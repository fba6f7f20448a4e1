"""What ``/readyz`` and ``/livez`` answer in each state of a node: the table of ``docs/deploy.md``, row by row."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from operator import attrgetter
from pathlib import Path

import pytest

from kraftpy.broker.outputs import BrokerState
from kraftpy.image import EMPTY
from kraftpy.model.digests import DIGEST_BYTES, StateDigest
from kraftpy.model.errors import SyncFailedError
from kraftpy.model.offsets import LeaderAndEpoch
from kraftpy.node.divergence import Divergence, StateDivergedError
from kraftpy.node.node import READY_LAG_MS_MAX, READY_LAG_OFFSETS_MAX, Node
from kraftpy.runtime.state_machine import Halted
from tests.unit.node.test_node import Desk

PAGE = Path(__file__).resolve().parents[3] / "docs" / "deploy.md"
CHECKS_HEADER = "| check | fails |\n| --- | --- |\n"
HEADER = "| state of a node | `/readyz` | `/livez` |\n| --- | --- | --- |\n"


@dataclass(frozen=True, kw_only=True)
class Scenario:
    """A state of a node and its answers.

    Attributes:
        state: what is the matter, in the words of the page.
        parts: what of a node that serves differs: by where it is, how it is made from the node.
        check: the first check of ``/readyz?verbose`` that fails; ``None`` for 200.
        reason: a part of what ``/readyz`` answers with 503; ``None`` for 200.
        trouble: a part of its second line; ``None`` for no such line.
        is_live: whether ``/livez`` answers 200.
    """

    state: str
    parts: dict[str, Callable[[Node], object]]
    check: str | None = None
    reason: str | None = None
    trouble: str | None = None
    is_live: bool = True


def diverged(_: Node) -> StateDivergedError:
    own, agreed = (StateDigest(7, bytes([byte]) * DIGEST_BYTES) for byte in (1, 2))
    return StateDivergedError(Divergence(own, agreed, is_refetched=False), EMPTY)


def set_event(_: Node) -> asyncio.Event:
    event = asyncio.Event()
    event.set()
    return event


def always(value: object) -> Callable[[Node], object]:
    return lambda _: value


def committed_ahead(records: int) -> Callable[[Node], object]:
    return lambda node: node.state_machine.next_offset + records


def returning(value: object) -> Callable[[Node], object]:
    """Make a method that returns this, whatever it is asked."""
    return lambda _: lambda *_: value


LEADERLESS = {"replica.leader": always(LeaderAndEpoch(None, 3))}
NO_CLUSTER_ID = {"cluster_id.value": always(None), "state_machine.image": always(EMPTY)}

CHECKS = [
    "state-digest", "shutdown", "apply", "leader", "log-loaded", "lag-offsets", "lag-ms", "leader-contact",
    "cluster-id", "broker",
]  # fmt: skip

SCENARIOS = (
    Scenario(state="it serves", parts={}),
    Scenario(
        state="its state differs from the majority's, so it is fenced",
        parts={"_guard.fenced": diverged}, check="state-digest", reason="diverged",
    ),
    Scenario(state="it was asked to stop", parts={"_stop": set_event}, check="shutdown", reason="stopping"),
    Scenario(
        state="a committed record cannot be applied",
        parts={"state_machine.halted": always(Halted(40, 41, "of no known type"))},
        check="apply", reason="applying stopped before offset 40",
    ),
    Scenario(state="no leader is known", parts=LEADERLESS, check="leader", reason="no leader is known\n"),
    Scenario(
        state="no leader is known, and an election cannot help",
        parts=LEADERLESS | {"replica.leaderless_because": always("voters 1, 2 started with an empty disk")},
        check="leader", reason="no leader is known: voters 1, 2 started with an empty disk",
    ),
    Scenario(
        state="it has not loaded its log yet",
        parts={"state_machine.caught_up_once": always(value=False)},
        check="log-loaded", reason="the log is being loaded",
    ),
    Scenario(
        state="it lacks 100,000 committed records",
        parts={"replica.committed_elsewhere": committed_ahead(READY_LAG_OFFSETS_MAX)},
    ),
    Scenario(
        state="it lacks more than that: it catches up, or is stuck",
        parts={"replica.committed_elsewhere": committed_ahead(READY_LAG_OFFSETS_MAX + 1)},
        check="lag-offsets", reason="the state is 100001 records behind what is committed (more than 100000)",
    ),
    Scenario(
        state="committed records have waited for 10 s to be loaded",
        parts={"_application.lag_ms": returning(READY_LAG_MS_MAX)},
    ),
    Scenario(
        state="they have waited for longer",
        parts={"_application.lag_ms": returning(READY_LAG_MS_MAX + 1)},
        check="lag-ms", reason="committed records have waited to be loaded for 10001 ms (more than 10000)",
    ),
    Scenario(
        state="no leader has confirmed its state for 10 s",
        parts={"replica.leader_silence_ms": returning(READY_LAG_MS_MAX)},
    ),
    Scenario(
        state="none has for longer: a follower that is cut off, a leader without a majority",
        parts={"replica.leader_silence_ms": returning(READY_LAG_MS_MAX + 1)},
        check="leader-contact", reason="no leader has confirmed this node's state for 10001 ms (more than 10000)",
    ),
    Scenario(
        state="the cluster has no id yet",
        parts=NO_CLUSTER_ID, check="cluster-id", reason="the cluster id is not known",
    ),
    Scenario(
        state="a broker that is not registered, or starts",
        parts={"broker.lifecycle.state": always(BrokerState.STARTING)}, check="broker", reason="the broker is starting",
    ),
    Scenario(
        state="a broker that the controllers still fence",
        parts={"broker.lifecycle.state": always(BrokerState.RECOVERY)}, check="broker", reason="the broker is recovery",
    ),
    Scenario(
        state="no snapshot can be made",
        parts={"snapshotter.trouble": always("disk\nfull")},
        trouble="no snapshot can be made, so the log grows: disk full",
    ),
    Scenario(
        state="the disk alarm of a controller is raised",
        parts={"_metadata_disk.trouble": always("controller 1 has 1 bytes free")},
        trouble="controller 1 has 1 bytes free",
    ),
    Scenario(
        state="it failed, for instance in an fsync, and ends",
        parts={"_failure": always(SyncFailedError("fsync of the log")), "_stop": set_event},
        check="shutdown", reason="stopping", is_live=False,
    ),
)  # fmt: skip


def body_of(answer: str) -> tuple[int, str]:
    head, _, body = answer.partition("\r\n\r\n")
    return int(head.split(" ")[1]), body


def put(patch: pytest.MonkeyPatch, node: Node, path: str, value: object) -> None:
    """Let a part of the node be this, a property too."""
    *owners, name = path.split(".")
    owner = attrgetter(".".join(owners))(node) if owners else node
    if isinstance(getattr(type(owner), name, None), property):
        patch.setattr(type(owner), name, property(lambda _: value))
    else:
        patch.setattr(type(owner) if callable(value) else owner, name, value)


@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda one: one.state)
async def test_a_node_answers_as_documented(scenario, tmp_path, monkeypatch):
    """Ready or the reason, at once and no longer than it lasts; live in every state but that of a node that failed."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, _):
        with monkeypatch.context() as patch:
            made = {path: make(node) for path, make in scenario.parts.items()}
            for path, value in made.items():
                put(patch, node, path, value)
            ready, body = body_of(await desk.get("/readyz"))
            live, _ = body_of(await desk.get("/livez"))
            verbose, listed = body_of(await desk.get("/readyz?verbose"))
            verbose_live, listed_live = body_of(await desk.get("/livez?verbose"))
        first, *more = body.splitlines()
        assert (ready, live) == (200 if scenario.reason is None else 503, 200 if scenario.is_live else 503), body
        assert first == "ok" if scenario.reason is None else scenario.reason in f"{first}\n"
        assert more == ([] if scenario.trouble is None else [f"trouble: {scenario.trouble}"])
        assert (verbose, verbose_live) == (ready, live), "it answers with the same status"
        assert_lists(listed, scenario, first)
        assert listed_live.startswith("[+]process ok\n" if scenario.is_live else "[-]process failed: ")
        assert body_of(await desk.get("/readyz")) == (200, "ok\n"), "it is ready again once that is over"


def assert_lists(listed: str, scenario: Scenario, reason: str) -> None:
    """A line for each check, the first that fails with the reason of the short answer; a trouble; the verdict."""
    lines = listed.splitlines()
    checks = [line for line in lines if line[:3] in {"[+]", "[-]"}]
    assert [line[3:].split(" ")[0] for line in checks] == CHECKS
    assert all(line.endswith(" ok") for line in checks if line.startswith("[+]"))
    failed = [line for line in checks if line.startswith("[-]")]
    if scenario.check is None:
        assert not failed
    else:
        assert failed[0] == f"[-]{scenario.check} failed: {reason}"
    rest = [] if scenario.trouble is None else [f"trouble: {scenario.trouble}"]
    assert lines[len(checks) :] == [*rest, f"readyz check {'failed' if failed else 'passed'}"]


async def test_a_fenced_node_lists_its_checks(tmp_path):
    """Reads of such a node are refused; those that its health is made from are not."""
    desk = Desk(tmp_path)
    async with desk.running() as (node, _):
        node.backend.fence("the state is wrong")
        status, listed = body_of(await desk.get("/readyz?verbose"))
    assert (status, listed.count("\n")) == (200, len(CHECKS) + 1)


def test_the_page_has_the_checks():
    """Those of ``/readyz?verbose`` in their order, and that of ``/livez?verbose``."""
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(CHECKS_HEADER)
    assert found, "the page has no such table"
    rows = [row.split("|")[1].strip().strip("`") for row in rest.partition("\n\n")[0].splitlines()]
    assert rows == [*CHECKS, "process"]


def test_the_page_has_the_table():
    """Each scenario is a row of ``docs/deploy.md`` with the same answers, and there is no other row."""
    _, found, rest = PAGE.read_text(encoding="utf-8").partition(HEADER)
    assert found, "the page has no such table"
    rows = [[cell.strip() for cell in row.split("|")[1:-1]] for row in rest.partition("\n\n")[0].splitlines()]
    assert [row[0] for row in rows] == [one.state for one in SCENARIOS]
    for (_, ready, live), one in zip(rows, SCENARIOS, strict=True):
        wanted = "200" if one.reason is None else "503"
        assert (ready[:3], live[:3]) == (wanted, "200" if one.is_live else "503"), one.state
        assert ("trouble:" in ready) is (one.trouble is not None), one.state
