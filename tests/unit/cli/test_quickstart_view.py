"""How ``quickstart`` shows a cluster: redrawn on a terminal, a line per change elsewhere."""

from __future__ import annotations

import os
import re
from dataclasses import replace

import click
import pytest

from kraftpy.cli import quickstart_view
from kraftpy.cli.output import Output, render
from kraftpy.cli.quickstart import _summary
from kraftpy.cli.quickstart_view import LinesView, ScreenView, table
from kraftpy.local_cluster.cluster import open_local_cluster
from kraftpy.local_cluster.cluster_status import ClusterStatus, NodeStatus

ID = "H1aHdHMqTxWAWiF-IDPNxw"
REPORTED = "its log was corrupt: quarantined as x; it fetched everything again"


@pytest.fixture
def sandbox(tmp_path):
    return open_local_cluster(tmp_path / "cluster", controllers=1, brokers=1)


@pytest.fixture
def starting(sandbox):
    """No node has an id; the controller is a follower, the broker is not there yet."""
    states = ("follower", "starting")
    nodes = (
        NodeStatus(node, state, is_ready=False, cluster_ids=dict.fromkeys(node.log_dirs))
        for node, state in zip(sandbox.nodes, states, strict=True)
    )
    return ClusterStatus(tuple(nodes), waiting_for="a leader")


@pytest.fixture
def ready(starting):
    """Everybody runs, and every file carries the id."""
    states = ("leader", "running")
    nodes = tuple(
        replace(one, state=state, is_ready=True, cluster_ids=dict.fromkeys(one.cluster_ids, ID))
        for one, state in zip(starting.nodes, states, strict=True)
    )
    return ClusterStatus(nodes, ID, 1, 4, 17, "5.0-IV0", waiting_for="")


@pytest.fixture
def terminal():
    """Output goes to a terminal, as far as click knows."""
    context = click.Context(click.Command("quickstart"))
    context.color = True
    with context.scope():
        yield


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize("columns", [1000, 30])
def test_a_terminal_has_one_table_that_is_redrawn(sandbox, starting, ready, capsys, monkeypatch, columns) -> None:
    """Each drawing goes up by the rows of the one before and clears them, wrapped ones too; READY stays below."""
    monkeypatch.setattr(quickstart_view.shutil, "get_terminal_size", lambda: os.terminal_size((columns, 50)))

    def rows(drawn: str) -> int:
        return sum(max(1, -(-len(line.removeprefix("\x1b[J")) // columns)) for line in drawn.splitlines())

    view = ScreenView(sandbox)
    view.show(starting)
    first = capsys.readouterr().out
    assert "waiting for a leader" in first
    assert "0/2 carry the id" in first
    view.ready(ready, 2.5)
    view.show(ready)
    nothing, up_first, second, up_second, third = re.split(r"\x1b\[(\d+)A", capsys.readouterr().out)
    assert (nothing, int(up_first), int(up_second)) == ("", rows(first), rows(second))
    assert (rows(first) > first.count("\n")) == (columns == 30)
    for drawn in (second, third):
        assert drawn.startswith("\x1b[J")
        assert f"cluster.id {ID}   leader 1   epoch 4   high watermark 17" in drawn
        assert "running" in drawn
        assert "2/2 carry the id" in drawn
        assert str(sandbox.controllers[0].metrics_endpoint) in drawn
        assert f"READY in 2.5 s  cluster.id={ID}  controllers={sandbox.controllers[0].grpc_endpoint}" in drawn
        assert "waiting for" not in drawn


@pytest.mark.usefixtures("terminal")
@pytest.mark.parametrize(("height", "is_below"), [(11, True), (10, False)])
def test_what_is_too_tall_for_the_terminal_is_above_the_table(
    sandbox, starting, ready, capsys, monkeypatch, height, is_below
) -> None:
    """Rows that left the terminal cannot be cleared: each redrawing would leave another copy of them behind."""
    monkeypatch.setattr(quickstart_view.shutil, "get_terminal_size", lambda: os.terminal_size((1000, height)))
    usage = ("Kafka 4.3.0 brokers: bootstrap.servers=h:1", "  kafka-topics.sh")
    view = ScreenView(sandbox, usage)
    view.show(starting)
    first = capsys.readouterr().out
    view.ready(ready, 2.5)
    view.show(ready)
    nothing, up_first, second, up_second, third = re.split(r"\x1b\[(\d+)A\x1b\[J", capsys.readouterr().out)
    assert (nothing, int(up_first)) == ("", first.count("\n"))
    assert int(up_second) < height
    assert second.count("READY in 2.5 s ") == second.count(usage[0]) == second.count(usage[1]) == 1
    assert third.count(usage[0]) == third.count("READY in ") == is_below
    if is_below:
        assert second == third
    else:
        assert second.startswith("READY in 2.5 s ")
        assert second.endswith("\n\n" + third)
        assert int(up_second) == third.count("\n")


def test_elsewhere_every_change_is_a_line(sandbox, starting, ready, capsys) -> None:
    """What did not change is not said again, and there is nothing that only a terminal understands."""
    view = LinesView(sandbox, quiet=False)
    view.show(starting)
    view.show(starting)
    assert capsys.readouterr().out.splitlines() == [
        "controller-1: follower", "broker-2: starting", "cluster.id: (unknown)", "waiting for: a leader"
    ]  # fmt: skip
    view.show(ready)
    view.ready(ready, 2.5)
    *changed, last = capsys.readouterr().out.splitlines()
    assert changed == ["controller-1: leader", "broker-2: running", f"cluster.id: {ID}"]
    (controller,) = sandbox.controllers
    assert last == (
        f"READY in 2.5 s  cluster.id={ID}  controllers={controller.grpc_endpoint}  "
        f"metrics={controller.metrics_endpoint}  kafka={controller.kafka_endpoint}  dir={sandbox.root}"
    )


@pytest.mark.usefixtures("terminal")
def test_the_usage_follows_ready(sandbox, starting, ready, capsys) -> None:
    """A user would have to find out by which address clients reach the brokers; it is not said before they can."""
    usage = ("Kafka 4.3.0 brokers: bootstrap.servers=h:1", "  kafka-topics.sh")
    for view in (LinesView(sandbox, usage, quiet=False), ScreenView(sandbox, usage)):
        view.show(starting)
        assert usage[0] not in capsys.readouterr().out
        view.ready(ready, 2.5)
        lines = capsys.readouterr().out.splitlines()
        (at,) = (number for number, line in enumerate(lines) if line.startswith("READY in 2.5 s "))
        assert tuple(lines[at + 1 : at + 3]) == usage


def test_a_script_that_asked_for_the_summary_sees_nothing_else(sandbox, ready, capsys) -> None:
    """``--once`` prints its own summary."""
    view = LinesView(sandbox, quiet=True)
    view.show(ready)
    view.ready(ready, 2.5)
    view.stopping()
    view.stopped()
    assert capsys.readouterr().out == ""


def test_the_summary_of_once_has_the_incidents_under_its_table(sandbox, ready, capsys) -> None:
    """With the node's name, a row each; as JSON, an empty list where there is none."""
    render(_summary(with_incidents(ready, REPORTED, "another"), sandbox, 2.5), Output.TABLE)
    *_, title, head, first, second = capsys.readouterr().out.splitlines()
    assert (title, head.split()) == ("incidents:", ["node", "message"])
    assert [first, second] == [f"controller-1  {REPORTED}", "controller-1  another"]
    assert _summary(ready, sandbox, 2.5)["incidents"] == []


def with_incidents(status, *reported):
    first, *others = status.nodes
    return replace(status, nodes=(replace(first, incidents=reported), *others))


def test_an_incident_is_under_the_table(ready) -> None:
    """With the node's name; without one there is no empty line either."""
    assert table(with_incidents(ready, REPORTED)) == [*table(ready), "", f"controller-1: {REPORTED}"]


def test_an_incident_is_a_line_once(sandbox, ready, capsys) -> None:
    """As every change is; the next one is another line."""
    view = LinesView(sandbox, quiet=False)
    view.show(ready)
    capsys.readouterr()
    for _ in range(2):
        view.show(with_incidents(ready, REPORTED))
    view.show(with_incidents(ready, REPORTED, "another"))
    assert capsys.readouterr().out == f"controller-1: {REPORTED}\ncontroller-1: another\n"
